/* SQL functions and table functions, on a small trace filled by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/base/buffer.h"
#include "engine/sql/database.h"

static string_id text(struct tables *t, const char *s)
{
    return strpool_intern_text(t->strings, s);
}

static void add_slice(struct tables *t, int64_t ts, int64_t dur, uint32_t track, uint32_t depth,
                      uint32_t parent, const char *name)
{
    struct slice_row row = {.ts = ts, .dur = dur, .track_id = track, .depth = depth};
    row.parent_id = opt_row(parent);
    row.name = text(t, name);
    slice_append(&t->slice, &row);
}

/*  track 0:  a[100,200) { b[110,150) { c[120,130) }  d[160,200) }   e[300, open)
 *  track 1:  f[125,135)   g[170,190) { h[175,180) }
 *  flows: c -> f -> g, a -> e */
static struct tables *make_tables(void)
{
    struct tables *t = tables_new();
    for (uint32_t i = 0; i < 2; i++)
        track_append(&t->track, &(struct track_row){.event_type = text(t, "slice"),
                                                    .type = text(t, "thread_execution"),
                                                    .utid = some_uint32(i)});
    add_slice(t, 100, 100, 0, 0, NULL_UINT32, "a");
    add_slice(t, 110, 40, 0, 1, 0, "b");
    add_slice(t, 120, 10, 0, 2, 1, "c");
    add_slice(t, 125, 10, 1, 0, NULL_UINT32, "f");
    add_slice(t, 160, 40, 0, 1, 0, "d");
    add_slice(t, 170, 20, 1, 0, NULL_UINT32, "g");
    add_slice(t, 175, 5, 1, 1, 5, "h");
    add_slice(t, 300, -1, 0, 0, NULL_UINT32, "e");
    flow_append(&t->flow, &(struct flow_row){.slice_out = 2, .slice_in = 3});
    flow_append(&t->flow, &(struct flow_row){.slice_out = 3, .slice_in = 5});
    flow_append(&t->flow, &(struct flow_row){.slice_out = 0, .slice_in = 7});

    struct args_row arg = {.arg_set_id = 0, .flat_key = text(t, "k"), .key = text(t, "k")};
    arg.int_value = some_int64(7);
    arg.value_type = text(t, "int");
    args_append(&t->args, &arg);
    arg = (struct args_row){.arg_set_id = 0, .flat_key = text(t, "a.b"), .key = text(t, "a.b[0]")};
    arg.string_value = text(t, "hello");
    arg.value_type = text(t, "string");
    args_append(&t->args, &arg);
    arg =
        (struct args_row){.arg_set_id = 0, .flat_key = text(t, "a.b"), .key = text(t, "a.b[1].c")};
    arg.real_value = some_double(1.5);
    arg.value_type = text(t, "real");
    args_append(&t->args, &arg);
    arg = (struct args_row){.arg_set_id = 3, .flat_key = text(t, "u"), .key = text(t, "u")};
    arg.int_value = some_int64(-1);
    arg.value_type = text(t, "uint");
    args_append(&t->args, &arg);
    arg = (struct args_row){.arg_set_id = 3, .flat_key = text(t, "p"), .key = text(t, "p")};
    arg.int_value = some_int64(255);
    arg.value_type = text(t, "pointer");
    args_append(&t->args, &arg);
    arg = (struct args_row){.arg_set_id = 3, .flat_key = text(t, "t"), .key = text(t, "t")};
    arg.int_value = some_int64(1);
    arg.value_type = text(t, "bool");
    args_append(&t->args, &arg);

    struct clock_snapshot_row clock = {
        .ts = 100, .clock_id = 1, .clock_value = 1000000000000000100};
    clock_snapshot_append(&t->clock_snapshot, &clock);
    clock =
        (struct clock_snapshot_row){.ts = 200, .clock_id = 1, .clock_value = 1000000000000000150};
    clock_snapshot_append(&t->clock_snapshot, &clock);
    struct metadata_row meta = {.name = text(t, "system_name"), .str_value = text(t, "Linux")};
    metadata_append(&t->metadata, &meta);
    meta = (struct metadata_row){.name = text(t, "trace_size_bytes"), .int_value = some_int64(42)};
    metadata_append(&t->metadata, &meta);
    return t;
}

struct expectation {
    const char *sql, *rows;
};

static const struct expectation expectations[] = {
    {"select extract_arg(0, 'k'), extract_arg(0, 'a.b[0]'), extract_arg(0, 'a.b[1].c')",
     "7,hello,1.5"},
    {"select extract_arg(null, 'k'), extract_arg(0, 'zz'), extract_arg(99, 'k'), extract_arg(3, "
     "'k')",
     "-,-,-,-"},
    {"select key, display_value from args",
     "k,7 a.b[0],hello a.b[1].c,1.5 u,18446744073709551615 p,0xff t,true"},
    {"select __intrinsic_arg_set_to_json(0), __intrinsic_arg_set_to_json(null)",
     "{\"k\":7,\"a\":{\"b\":[\"hello\",{\"c\":1.5}]}},-"},
    {"select hash('a'), hash(1), hash('a', 1)",
     "-5808556873153909620,-8517097267634966620,-2387013801523068883"},
    {"select hash(null)", "! HASH: arg 0 has unknown type"},
    {"select 'abc' glob 'a*', glob('[x-z]?', 'yb'), 'abc' like 'A_C', 'a%c' like 'a!%c' escape '!'",
     "1,1,1,1"},
    {"select regexp('b+', 'abbc'), 'abc' regexp '^b', regexp('B', 'abc', 'i'), regexp(null, 'a')",
     "1,0,1,-"},
    {"select regexp('(', 'x')", "! bad regular expression at byte 1: missing closing parenthesis"},
    {"select regexp_extract('ab12', '[0-9]+'), regexp_extract('ab12', 'b([0-9])'), "
     "regexp_extract('x', 'y')",
     "12,1,-"},
    {"select regexp_replace_simple('a1b22', '[0-9]+', '#'), regexp_replace_simple('ab', '(a)(b)', "
     "'\\2\\1')",
     "a#b#,ba"},
    {"select str_split('a,b,c', ',', 1), str_split('a', ',', 1), str_split(null, ',', 0)", "b,-,-"},
    {"select str_split('a', '', 0)", "! str_split: delimiter should be a non-empty string"},
    {"select reverse('abc'), unhex('0xFF'), unhex(' 10 ')", "cba,255,16"},
    {"select unhex('xyz')", "! unhex: 'xyz' is no hexadecimal number of 63 bits"},
    {"select base64_encode(x'666f6f'), cast(base64_decode('Zm8=') as text), base64_encode('f')",
     "Zm9v,fo,Zg=="},
    {"select to_timecode(3661123456789)", "01:01:01 123 456 789"},
    {"select __intrinsic_strip_hex('work 0x12ab, id123 7', 1)", "work 0x<num>, id123 <num>"},
    {"select ln(0), exp(0), sqrt(4)", "-,1.0,2.0"},
    {"select to_realtime(50), to_realtime(110), to_realtime(190), to_realtime(300)",
     "1000000000000000100,1000000000000000110,1000000000000000150,1000000000000000250"},
    {"select to_monotonic(5), abs_time_str(100)", "-,2001-09-09T01:46:40.000000100"},
    {"select extract_metadata('system_name'), extract_metadata('trace_size_bytes'), "
     "extract_metadata('zz')",
     "Linux,42,-"},
    {"select trace_start(), trace_end(), trace_dur()", "100,300,200"},
    {"select name from ancestor_slice(2)", "a b"},
    {"select name from ancestor_slice(null)", ""},
    {"select name from ancestor_slice(99)", "! no row with id 99"},
    {"select name from descendant_slice(0)", "b c d"},
    {"select s.name, a.name from slice s join ancestor_slice(s.id) a where s.depth > 1", "c,a c,b"},
    {"select slice_is_ancestor(0, 2), slice_is_ancestor(2, 0)", "1,0"},
    {"select slice_out, slice_in from directly_connected_flow(3)", "3,5 2,3"},
    {"select slice_out, slice_in from following_flow(0)", "0,7 2,3 3,5"},
    {"select slice_out, slice_in from preceding_flow(6)", "3,5 2,3"},
    {"select id, layout_depth from experimental_slice_layout('0,1')",
     "0,0 1,1 2,2 3,3 4,1 5,3 6,4 7,0"},
    {"select ts, dur, name from experimental_flat_slice(100, 200) where track_id = 1",
     "100,25,- 125,10,f 135,35,- 170,5,g 175,5,h 180,10,g 190,10,-"},
    {"select sum(x), total(x), avg(x) from (select 1 as x union all select 2)", "3,3.0,1.5"},
    {"select sum(null), total(null), avg(null)", "-,0.0,-"},
    {"select sum(x) from (select 1e16 as x union all select 1.0 union all select -1e16)", "1.0"},
    {"select sum(x) from (select 9223372036854775807 as x union all select 1)",
     "! integer overflow"},
    {"select sum(x) over (order by x rows between 1 preceding and current row) from (select 1 as x "
     "union all select 2 union all select 4)",
     "1 3 6"},
    {"select value_at_max_ts(ts, name) from slice where track_id = 1", "h"},
    {"select last_non_null(x) over (order by i) from (select 1 as i, null as x union all select 2, "
     "5 union all select 3, null)",
     "- 5 5"},
    {"select internal_layout(ts, dur) over (order by ts rows between unbounded preceding and "
     "current row) from slice where depth = 0",
     "0 1 1 0"},
    {"select name, col_type, nullable, sorted from perfetto_table_info('__intrinsic_flow')",
     "id,id,0,1 slice_out,uint32,0,0 slice_in,uint32,0,1 trace_id,int64,1,0 arg_set_id,uint32,1,0"},
    {"select count(1) > 50 from perfetto_tables", "1"},
};

static void append_rows(struct buffer *out, struct sql_database *db, const char *sql)
{
    struct status st = STATUS_INIT;
    struct sql_cursor *c = sql_database_query(db, str_of(sql), SQL_ORIGIN_USER, &st);
    while (c && sql_cursor_next_statement(c, &st))
        while (sql_cursor_step(c, &st)) {
            if (out->length) buffer_append_byte(out, ' ');
            for (uint32_t i = 0; i < sql_cursor_column_count(c); i++) {
                if (i) buffer_append_byte(out, ',');
                if (sql_cursor_type(c, i) == SQL_NULL)
                    buffer_append_text(out, "-");
                else
                    buffer_append_str(out, sql_cursor_text(c, i));
            }
        }
    if (st.code != STATUS_OK) {
        const char *last = status_message(&st);
        for (const char *p = last; *p; p++)
            if (*p == '\n') last = p + 1;
        buffer_printf(out, "%s! %s", out->length ? " " : "", last);
    }
    status_clear(&st);
    sql_cursor_free(c);
}

static void functions(void **state)
{
    (void)state;
    struct tables *tables = make_tables();
    tables_freeze(tables);
    struct status st = STATUS_INIT;
    struct sql_database *db = sql_database_new(tables, &st);
    assert_string_equal(status_message(&st), "");
    assert_true(sql_database_after_load(db, &st));
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
        struct buffer out = BUFFER_INIT;
        append_rows(&out, db, expectations[i].sql);
        if (!str_is(buffer_str(&out), expectations[i].rows)) {
            print_error("%s\n", expectations[i].sql);
            assert_string_equal(buffer_text(&out), expectations[i].rows);
        }
        buffer_free(&out);
    }
    sql_database_free(db);
    tables_free(tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(functions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
