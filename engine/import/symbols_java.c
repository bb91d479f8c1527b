/* The names that a shrinker took from an app, given back: classes and fields of heap
 * graphs, and Java frames (spec engine_2 2.6).
 *
 * A mapping is of one app; what it may name is told apart by the app that the code
 * was loaded from.  A method may stand for several, inlined into one another: the
 * line of the frame says for which. */
#include "engine/import/symbols.h"

#include "engine/base/buffer.h"
#include "engine/base/hash.h"
#include "engine/base/map.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/heap_graph.h"
#include "engine/import/stack.h"
#include "engine/import/stats.h"
#include "engine/proto/wire.h"

#define ANY_PACKAGE STRING_NULL
#define MAX_INLINED 256

/* ---- which app a file belongs to ---- */

static const struct {
    const char *path, *package;
    bool anywhere;
} KNOWN_PLACES[] = {
    {"/system_ext/priv-app/SystemUIGoogle/SystemUIGoogle.apk", "com.android.systemui", false},
    {"/product/priv-app/Phonesky/Phonesky.apk", "com.android.vending", false},
    {"/product/app/Maps/Maps.apk", "com.google.android.apps.maps", false},
    {"/system_ext/priv-app/NexusLauncherRelease/NexusLauncherRelease.apk",
     "com.google.android.apps.nexuslauncher", false},
    {"/product/app/Photos/Photos.apk", "com.google.android.apps.photos", false},
    {"/product/priv-app/WellbeingPrebuilt/WellbeingPrebuilt.apk",
     "com.google.android.apps.wellbeing", false},
    {"DevicePersonalizationPrebuilt", "com.google.android.as", true},
    {"MatchMaker", "com.google.android.as", true},
    {"DeviceIntelligenceNetworkPrebuilt", "com.google.android.as.oss", true},
    {"SettingsIntelligenceGooglePrebuilt", "com.google.android.settings.intelligence", true},
    {"/product/app/PrebuiltGmail/PrebuiltGmail.apk", "com.google.android.gm", false},
    {"PrebuiltGmsCore", "com.google.android.gms", true},
    {"com.google.android.gms", "com.google.android.gms", true},
    {"/product/priv-app/Velvet/Velvet.apk", "com.google.android.googlequicksearchbox", false},
    {"/product/app/LatinIMEGooglePrebuilt/LatinIMEGooglePrebuilt.apk",
     "com.google.android.inputmethod.latin", false},
    {"/product/app/PrebuiltBugle/PrebuiltBugle.apk", "com.google.android.apps.messaging", false},
};

/* What follows /data/app/: PACKAGE-RANDOM/… or ~~RANDOM/PACKAGE-RANDOM/… */
static struct str package_of_app(struct str path, bool *is_bad)
{
    size_t slash, minus;
    *is_bad = true;
    if (str_starts(path, STR("~"))) {
        if (!str_find_byte(path, '/', &slash)) return STR_NONE;
        path = str_slice(path, slash + 1, path.n);
    }
    if (!str_find_byte(path, '/', &slash)) return STR_NONE;
    path = str_slice(path, 0, slash);
    if (!str_find_byte(path, '-', &minus)) return STR_NONE;
    *is_bad = false;
    return str_slice(path, 0, minus);
}

struct str symbols_package_of_path(struct str path, bool *is_bad)
{
    struct str app = STR("/data/app/"), extracted = STR("dex extracted in memory from /data/app/");
    size_t at;
    *is_bad = false;
    for (size_t i = 0; i < sizeof KNOWN_PLACES / sizeof *KNOWN_PLACES; i++) {
        struct str place = str_of(KNOWN_PLACES[i].path);
        if (KNOWN_PLACES[i].anywhere ? str_find(path, place, &at) : str_starts(path, place))
            return str_of(KNOWN_PLACES[i].package);
    }
    if (str_starts(path, app)) return package_of_app(str_slice(path, app.n, path.n), is_bad);
    if (str_find(path, extracted, &at))
        return package_of_app(str_slice(path, at + extracted.n, path.n), is_bad);
    return STR_NONE;
}

/* ---- what can be named ---- */

/* Rows by (package, name), as lists through `next`. */
struct rows_by_name {
    struct map first;
    struct heap_rows next;
};

static uint64_t key_of(string_id package, string_id name)
{
    return (uint64_t)package << 32 | name;
}

static void add_row(struct rows_by_name *rows, string_id package, string_id name, uint32_t row)
{
    bool added;
    while (rows->next.count <= row)
        vec_push(&rows->next, NULL_UINT32);
    uint64_t *first = map_put_if_absent(&rows->first, key_of(package, name), row, &added);
    rows->next.items[row] = added ? NULL_UINT32 : (uint32_t)*first;
    *first = row;
}

static uint32_t first_row(const struct rows_by_name *rows, string_id package, string_id name)
{
    const uint64_t *first = map_get(&rows->first, key_of(package, name));
    return first ? (uint32_t)*first : NULL_UINT32;
}

struct java {
    struct import *import;
    struct rows_by_name classes, frames;
    struct map fields; /* obfuscated to plain, string ids */
    struct map done;   /* names of frames that were dealt with, per package */
    struct buffer text;
};

static string_id intern_package(struct java *java, struct str package)
{
    return package.n ? strpool_intern(java->import->strings, package) : ANY_PACKAGE;
}

/* Also counts the paths of apps that say no package, once a frame. */
static void index_frames(struct java *java, bool only_count)
{
    struct import *import = java->import;
    const struct stack_profile_mapping_table *mappings = &import->tables->stack_profile_mapping;
    const struct stack_profile_frame_table *frames = &import->tables->stack_profile_frame;
    enum { NO_APP, BAD, APP };
    struct place {
        uint8_t kind;
        string_id package;
    };
    uint32_t n = table_rows(&mappings->table);
    struct place *places = mem_zero(n ? n : 1, sizeof *places);
    for (uint32_t i = 0; i < n; i++) {
        bool is_bad;
        struct str path = strpool_get(import->strings, column_get_string(&mappings->name, i));
        struct str package = symbols_package_of_path(path, &is_bad);
        if (is_bad)
            places[i].kind = BAD;
        else if (package.n || str_is(path, "art_process_metadata"))
            places[i] = (struct place){APP, intern_package(java, package)};
    }
    int64_t n_bad = 0;
    for (uint32_t i = 0; i < table_rows(&frames->table); i++) {
        const struct place *place = &places[column_get_row(&frames->mapping, i)];
        n_bad += place->kind == BAD;
        if (place->kind == APP && !only_count)
            add_row(&java->frames, place->package, column_get_string(&frames->name, i), i);
    }
    if (n_bad) stats_add_global(import, STAT_deobfuscate_location_parse_error, n_bad);
    mem_free(places);
}

/* The app with the process's uid. */
static string_id package_of_process(const struct import *import, uint32_t upid)
{
    const struct package_list_table *packages = &import->tables->package_list;
    uint32_t appid = column_get_row(&import->tables->process.android_appid, upid);
    for (uint32_t i = 0; appid != NULL_UINT32 && i < table_rows(&packages->table); i++)
        if (column_get_int64(&packages->uid, i) == appid)
            return column_get_string(&packages->package_name, i);
    return ANY_PACKAGE;
}

static void index_classes(struct java *java, bool only_count)
{
    struct import *import = java->import;
    const struct heap_graph_class_table *classes = &import->tables->heap_graph_class;
    const struct heap_graph_object_table *objects = &import->tables->heap_graph_object;
    uint32_t n = table_rows(&classes->table);
    struct heap_rows upids = {0};
    int64_t n_bad = 0;
    uint32_t last_upid = NULL_UINT32;
    string_id last_package = ANY_PACKAGE;
    for (uint32_t i = 0; i < n; i++)
        vec_push(&upids, NULL_UINT32);
    for (uint32_t i = 0; !only_count && i < table_rows(&objects->table); i++) {
        uint32_t type = column_get_row(&objects->type_id, i);
        if (type < n) upids.items[type] = column_get_row(&objects->upid, i);
    }
    for (uint32_t i = 0; i < n; i++) {
        bool is_bad;
        struct str path = strpool_get(import->strings, column_get_string(&classes->location, i));
        string_id package = intern_package(java, symbols_package_of_path(path, &is_bad));
        n_bad += is_bad;
        if (only_count) continue;
        if (package == ANY_PACKAGE && upids.items[i] != NULL_UINT32) {
            if (upids.items[i] != last_upid)
                last_package = package_of_process(import, upids.items[i]);
            last_upid = upids.items[i];
            package = last_package;
        }
        struct heap_class_name name = heap_class_name_split(
            strpool_get(import->strings, column_get_string(&classes->name, i)));
        add_row(&java->classes, package, strpool_intern(import->strings, name.plain), i);
    }
    if (n_bad) stats_add_global(import, STAT_deobfuscate_location_parse_error, n_bad);
    vec_free(&upids);
}

/* ---- names ---- */

struct member {
    struct str from, to;
    uint32_t first_line, last_line, source_first, source_last;
};

static struct member read_member(struct str bytes)
{
    struct member m = {{"", 0}, {"", 0}, 0, 0, 0, 0};
    struct wire w = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&w, &f))
        switch (f.number) {
        case 1: m.from = f.bytes; break;
        case 2: m.to = f.bytes; break;
        case 3: m.first_line = (uint32_t)f.value; break;
        case 4: m.last_line = (uint32_t)f.value; break;
        case 5: m.source_first = (uint32_t)f.value; break;
        case 6: m.source_last = (uint32_t)f.value; break;
        default: break;
        }
    return m;
}

static struct str join(struct java *java, struct str class, struct str member)
{
    buffer_clear(&java->text);
    buffer_append_str(&java->text, class);
    buffer_append_byte(&java->text, '.');
    buffer_append_str(&java->text, member);
    return (struct str){buffer_text(&java->text), java->text.length};
}

/* A member that was moved from another class says so. */
static string_id plain_name(struct java *java, struct str class, struct str member)
{
    size_t dot;
    struct str name = str_find_byte(member, '.', &dot) ? member : join(java, class, member);
    return strpool_intern(java->import->strings, name);
}

static void name_classes(struct java *java, string_id package, string_id from, struct str to)
{
    struct import *import = java->import;
    struct heap_graph_class_table *classes = &import->tables->heap_graph_class;
    for (uint32_t row = first_row(&java->classes, package, from); row != NULL_UINT32;
         row = java->classes.next.items[row]) {
        struct heap_class_name name = heap_class_name_split(
            strpool_get(import->strings, column_get_string(&classes->name, row)));
        table_set_string(&classes->table, heap_graph_class_COLUMN_deobfuscated_name, row,
                         heap_class_name_rebuild(import->strings, &name, to));
    }
}

static uint32_t line_of_frame(const struct tables *tables, uint32_t frame)
{
    uint32_t set = column_get_row(&tables->stack_profile_frame.symbol_set_id, frame);
    if (set == NULL_UINT32) return 0;
    uint32_t line = column_get_row(&tables->stack_profile_symbol.line_number, set);
    return line == NULL_UINT32 ? 0 : line;
}

/* The functions that the line is in, innermost first; 0 when no range holds it. */
static size_t inlined_at(struct java *java, struct str class, const struct member *members,
                         size_t n, struct stack_symbol *first, uint32_t line,
                         struct stack_symbol *out)
{
    size_t n_out = 0;
    for (size_t i = 0; line && i < n && n_out < MAX_INLINED; i++) {
        const struct member *m = &members[i];
        if (m->first_line == 0 || line < m->first_line || line > m->last_line) continue;
        struct stack_symbol *symbol = &out[n_out++];
        *symbol = (struct stack_symbol){.name = plain_name(java, class, m->to),
                                        .source_file = first->source_file};
        bool same_length = m->source_last >= m->source_first &&
                           m->source_last - m->source_first == m->last_line - m->first_line;
        uint32_t source = m->source_first + (same_length ? line - m->first_line : 0);
        if (m->source_first) symbol->line = some_uint32(source);
    }
    for (size_t i = 0; i < n_out; i++)
        out[i].inlined = some_uint32(i + 1 < n_out);
    return n_out;
}

/* All that the method may stand for: "a.B.c | a.B.d". */
static string_id all_names(struct java *java, struct str class, const struct member *members,
                           size_t n)
{
    struct strpool *strings = java->import->strings;
    string_id names[16];
    size_t n_names = 0;
    struct buffer all = BUFFER_INIT;
    for (size_t i = 0; i < n && n_names < 16; i++) {
        string_id name = plain_name(java, class, members[i].to);
        bool known = false;
        for (size_t k = 0; k < n_names; k++)
            known |= names[k] == name;
        if (known) continue;
        names[n_names++] = name;
        if (all.length) buffer_append_text(&all, " | ");
        buffer_append_str(&all, strpool_get(strings, name));
    }
    string_id id = strpool_intern(strings, (struct str){buffer_text(&all), all.length});
    buffer_free(&all);
    return id;
}

static void name_frame(struct java *java, uint32_t frame, struct str class,
                       const struct member *members, size_t n)
{
    struct import *import = java->import;
    struct tables *tables = import->tables;
    struct stack_symbol *inlined = mem_alloc(MAX_INLINED * sizeof *inlined);
    struct stack_symbol first = {0};
    uint32_t line = line_of_frame(tables, frame);
    if (line)
        first.source_file =
            column_get_string(&tables->stack_profile_symbol.source_file,
                              column_get_row(&tables->stack_profile_frame.symbol_set_id, frame));
    size_t n_inlined = inlined_at(java, class, members, n, &first, line, inlined);
    string_id name = n_inlined ? inlined[n_inlined - 1].name : all_names(java, class, members, n);
    table_set_string(&tables->stack_profile_frame.table,
                     stack_profile_frame_COLUMN_deobfuscated_name, frame, name);
    stack_frame_set_symbols(import->stacks, frame, inlined, n_inlined);
    mem_free(inlined);
}

/* Frames of one method of a class: `method` and all members of its name after it. */
static void name_frames(struct java *java, string_id package, struct str from, struct str to,
                        struct str class, const struct member *method)
{
    struct strpool *strings = java->import->strings;
    string_id name = strpool_find(strings, join(java, from, method->from));
    uint32_t frame = name ? first_row(&java->frames, package, name) : NULL_UINT32;
    bool is_new;
    if (frame == NULL_UINT32) return;
    map_put_if_absent(&java->done, key_of(package, name), 0, &is_new);
    if (!is_new) return;
    VEC(struct member) members = {0};
    struct wire w = wire_open(class);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number != 4 || f.type != WIRE_BYTES) continue;
        struct member m = read_member(f.bytes);
        if (str_equal(m.from, method->from)) vec_push(&members, m);
    }
    for (; frame != NULL_UINT32; frame = java->frames.next.items[frame])
        name_frame(java, frame, to, members.items, members.count);
    vec_free(&members);
}

static void read_class(struct java *java, string_id package, struct str bytes)
{
    struct strpool *strings = java->import->strings;
    struct wire_field f;
    struct str from = {"", 0}, to = {"", 0};
    bool added;
    if (wire_find(bytes, 1, &f) && f.bytes.p) from = f.bytes;
    if (wire_find(bytes, 2, &f) && f.bytes.p) to = f.bytes;
    string_id name = strpool_find(strings, from);
    if (name != STRING_NULL) {
        name_classes(java, package, name, to);
        if (package != ANY_PACKAGE) name_classes(java, ANY_PACKAGE, name, to);
    }
    struct wire w = wire_open(bytes);
    while (wire_next(&w, &f)) {
        if ((f.number != 3 && f.number != 4) || f.type != WIRE_BYTES) continue;
        struct member member = read_member(f.bytes);
        if (f.number == 4) {
            name_frames(java, package, from, to, bytes, &member);
            if (package != ANY_PACKAGE) name_frames(java, ANY_PACKAGE, from, to, bytes, &member);
            continue;
        }
        string_id field = strpool_find(strings, join(java, from, member.from));
        if (field != STRING_NULL)
            map_put_if_absent(&java->fields, field, plain_name(java, to, member.to), &added);
    }
}

static void name_fields(struct java *java)
{
    struct heap_graph_reference_table *refs = &java->import->tables->heap_graph_reference;
    for (uint32_t i = 0; java->fields.count && i < table_rows(&refs->table); i++) {
        const uint64_t *name = map_get(&java->fields, column_get_string(&refs->field_name, i));
        if (name)
            table_set_string(&refs->table, heap_graph_reference_COLUMN_deobfuscated_field_name, i,
                             (string_id)*name);
    }
}

void symbols_finish_java(struct import *import)
{
    struct java java = {.import = import};
    size_t n;
    const struct str *mappings = symbols_mappings(import, &n);
    index_frames(&java, n == 0);
    index_classes(&java, n == 0);
    for (size_t i = 0; i < n && !cancel_is_requested(import->cancel); i++) {
        struct wire w = wire_open(mappings[i]);
        struct wire_field f;
        string_id package = ANY_PACKAGE;
        if (wire_find(mappings[i], 1, &f)) package = intern_package(&java, f.bytes);
        while (wire_next(&w, &f))
            if (f.number == 3 && f.type == WIRE_BYTES) read_class(&java, package, f.bytes);
    }
    name_fields(&java);
    map_free(&java.classes.first);
    map_free(&java.frames.first);
    vec_free(&java.classes.next);
    vec_free(&java.frames.next);
    map_free(&java.fields);
    map_free(&java.done);
    buffer_free(&java.text);
}
