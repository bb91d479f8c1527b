/* Lists that Android tells once: users, aconfig flags, modes of games (spec
 * engine_2 2.5; protos user_list, android_aflags, android_game_intervention_list). */
#include "engine/import/packet.h"

#include "engine/base/strpool.h"
#include "engine/import/ftrace.h"
#include "engine/import/stats.h"

enum packet_field { PACKET_GAMES = 83, PACKET_USERS = 123, PACKET_AFLAGS = 127 };

/* ---- users ---- */

static bool is_listed(const struct android_user_list_table *users, string_id type, int64_t id)
{
    for (uint32_t i = 0; i < table_rows(&users->table); i++)
        if (column_get_string(&users->type, i) == type &&
            column_get_int64(&users->android_user_id, i) == id)
            return true;
    return false;
}

static bool tokenize_users(void *state, const struct packet *packet, struct str field)
{
    struct import *import = packet->file->import;
    struct android_user_list_table *users = &import->tables->android_user_list;
    struct wire w = wire_open(field);
    struct wire_field f;
    (void)state;
    while (wire_next(&w, &f)) {
        if (f.number != 1 || f.type != WIRE_BYTES) continue;
        struct ftrace_fields user;
        ftrace_read_fields(&user, f.bytes);
        string_id type = strpool_intern(import->strings, field_str(&user, 1));
        int64_t id = (int32_t)field_int(&user, 2);
        if (is_listed(users, type, id)) continue;
        android_user_list_append(
            users, &(struct android_user_list_row){.type = type, .android_user_id = id});
    }
    return true;
}

/* ---- aconfig flags ---- */

static void parse_aflags(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    static const char *const permissions[] = {"unspecified", "read-only", "read-write"};
    static const char *const sources[] = {"unspecified", "default", "server", "local"};
    static const char *const backends[] = {"unspecified", "none", "aconfigd", "device_config"};
    static const char *const types[] = {"unspecified", "boolean"};
    struct import *import = packet->file->import;
    struct strpool *strings = import->strings;
    struct wire w = wire_open(field);
    struct wire_field part;
    (void)state;
#define NAME(names, value) \
    strpool_intern_text(strings, names[(value) < sizeof names / sizeof *names ? (value) : 0])
    while (wire_next(&w, &part)) {
        if (part.number == 2) stats_add(packet->file, STAT_android_aflags_errors, 1);
        if (part.number != 1 || part.type != WIRE_BYTES) continue;
        struct ftrace_fields f;
        ftrace_read_fields(&f, part.bytes);
        struct android_aflags_row row = {
            .ts = ts,
            .package = strpool_intern(strings, field_str(&f, 3)),
            .name = strpool_intern(strings, field_str(&f, 2)),
            .flag_namespace = strpool_intern(strings, field_str(&f, 1)),
            .container = strpool_intern(strings, field_str(&f, 4)),
            .value = strpool_intern(strings, field_str(&f, 5)),
            .staged_value =
                field_has(&f, 6) ? strpool_intern(strings, field_str(&f, 6)) : STRING_NULL,
            .permission = NAME(permissions, field_uint(&f, 7)),
            .value_picked_from = NAME(sources, field_uint(&f, 8)),
            .storage_backend = NAME(backends, field_uint(&f, 9)),
            .type = NAME(types, field_uint(&f, 10)),
        };
        android_aflags_append(&import->tables->android_aflags, &row);
    }
#undef NAME
}

/* ---- games ---- */

enum game_mode { MODE_STANDARD = 1, MODE_PERFORMANCE = 2, MODE_BATTERY = 3 };

static struct opt_double optional_float(const struct ftrace_fields *f, uint32_t field)
{
    struct wire_field value = {.value = field_uint(f, field)};
    return field_has(f, field) ? some_double((double)wire_float(&value)) : (struct opt_double){0};
}

static void read_mode(struct android_game_intervention_list_row *row, struct str bytes)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    struct opt_int32 angle = {field_has(&f, 2), field_uint(&f, 2) != 0};
    struct opt_double downscale = optional_float(&f, 3), fps = optional_float(&f, 4);
    switch (field_uint(&f, 1)) {
    case MODE_STANDARD:
        row->standard_mode_supported = 1;
        row->standard_mode_use_angle = angle;
        row->standard_mode_downscale = downscale;
        row->standard_mode_fps = fps;
        break;
    case MODE_PERFORMANCE:
        row->perf_mode_supported = 1;
        row->perf_mode_use_angle = angle;
        row->perf_mode_downscale = downscale;
        row->perf_mode_fps = fps;
        break;
    case MODE_BATTERY:
        row->battery_mode_supported = 1;
        row->battery_mode_use_angle = angle;
        row->battery_mode_downscale = downscale;
        row->battery_mode_fps = fps;
        break;
    default: break;
    }
}

static bool tokenize_games(void *state, const struct packet *packet, struct str field)
{
    struct import *import = packet->file->import;
    struct wire w = wire_open(field);
    struct wire_field part, f;
    (void)state;
    while (wire_next(&w, &part)) {
        if (part.number == 2 && part.value)
            stats_add(packet->file, STAT_game_intervention_has_parse_errors, 1);
        if (part.number == 3 && part.value)
            stats_add(packet->file, STAT_game_intervention_has_read_errors, 1);
        if (part.number != 1 || part.type != WIRE_BYTES) continue;
        struct android_game_intervention_list_row row = {0};
        struct wire game = wire_open(part.bytes);
        while (wire_next(&game, &f))
            switch (f.number) {
            case 1: row.package_name = strpool_intern(import->strings, f.bytes); break;
            case 2: row.uid = (int64_t)f.value; break;
            case 3: row.current_mode = (int32_t)f.value; break;
            case 4: read_mode(&row, f.bytes); break;
            default: break;
            }
        android_game_intervention_list_append(&import->tables->android_game_intervention_list,
                                              &row);
    }
    return true;
}

static const struct packet_module modules[] = {
    {PACKET_GAMES, tokenize_games, NULL},
    {PACKET_USERS, tokenize_users, NULL},
    {PACKET_AFLAGS, NULL, parse_aflags},
};

const struct packet_source android_lists_source = {
    .name = "android_lists",
    .modules = modules,
    .n_modules = sizeof modules / sizeof modules[0],
};
