#include "engine/import/gecko.h"

#define POLL_EVERY 4096

void gecko_note_end(struct gecko_state *state, const struct json_walk *walk)
{
    if (walk->result == JSON_CUT)
        damage_log(&state->damage, STAT_perfetty_input_truncated, walk->bad_at,
                   "the file ends inside a value");
    else if (walk->result == JSON_ERROR)
        damage_log(&state->damage, STAT_perfetty_input_corrupt, walk->bad_at,
                   "what stands here is no JSON");
}

static void read_schema(struct gecko_table *table, gecko_place place, const char *const *names)
{
    struct json_walk walk;
    struct json_item item;
    if (!json_walk_begin(&walk, table->state->bytes, place)) return;
    while (json_walk_next(&walk, &item))
        for (uint32_t i = 0; i < table->n_columns; i++)
            if (str_is(item.key, names[i]) && json_item_index(&item, &table->row_place[i]))
                table->has_column[i] = true;
    gecko_note_end(table->state, &walk);
}

bool gecko_table_open(struct gecko_table *table, struct gecko_state *state, gecko_place place,
                      const char *const *names, uint32_t n)
{
    struct json_walk walk;
    struct json_item item;
    gecko_place schema = 0, data = 0;
    *table = (struct gecko_table){.state = state, .n_columns = n};
    if (!place || !json_walk_begin(&walk, state->bytes, place)) return false;
    while (json_walk_next(&walk, &item)) {
        if (str_is(item.key, "schema") && item.type == JSON_OBJECT) schema = item.from;
        if (item.type != JSON_ARRAY) continue;
        if (str_is(item.key, "data")) data = item.from;
        for (uint32_t i = 0; i < n; i++)
            if (str_is(item.key, names[i]))
                table->has_column[i] = json_walk_begin(&table->columns[i], state->bytes, item.from);
    }
    gecko_note_end(state, &walk);
    if (schema && data && json_walk_begin(&table->rows, state->bytes, data)) {
        table->by_row = true;
        memset(table->has_column, 0, sizeof table->has_column);
        read_schema(table, schema, names);
    }
    for (uint32_t i = 0; i < n; i++)
        if (table->has_column[i]) return true;
    return false;
}

static const struct json_item NOTHING = {.type = JSON_NULL, .is_whole = true};

/* A row that is no array has no cells. */
static bool next_row(struct gecko_table *table, struct json_item *cells)
{
    struct json_item row, cell;
    struct json_walk walk;
    for (uint32_t i = 0; i < table->n_columns; i++)
        cells[i] = NOTHING;
    if (!json_walk_next(&table->rows, &row)) {
        gecko_note_end(table->state, &table->rows);
        return false;
    }
    if (row.type != JSON_ARRAY || !json_walk_begin(&walk, table->state->bytes, row.from))
        return true;
    for (uint32_t place = 0; json_walk_next(&walk, &cell); place++)
        for (uint32_t i = 0; i < table->n_columns; i++)
            if (table->has_column[i] && table->row_place[i] == place) cells[i] = cell;
    gecko_note_end(table->state, &walk);
    return true;
}

static bool next_of_columns(struct gecko_table *table, struct json_item *cells)
{
    for (uint32_t i = 0; i < table->n_columns; i++) {
        cells[i] = NOTHING;
        if (!table->has_column[i]) continue;
        do {
            if (!json_walk_next(&table->columns[i], &cells[i])) {
                gecko_note_end(table->state, &table->columns[i]);
                return false;
            }
        } while (table->skips_null[i] && cells[i].type == JSON_NULL);
    }
    return true;
}

bool gecko_table_next(struct gecko_table *table, struct json_item *cells)
{
    if (++table->state->n_rows % POLL_EVERY == 0 &&
        cancel_is_requested(table->state->import->cancel))
        return false;
    return table->by_row ? next_row(table, cells) : next_of_columns(table, cells);
}
