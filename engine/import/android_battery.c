#include "engine/import/android_battery.h"

#include "engine/base/buffer.h"
#include "engine/base/checked.h"
#include "engine/base/map.h"
#include "engine/base/strpool.h"
#include "engine/import/probe_track.h"

#define NS_PER_MS 1000000
/* Since then the end of a wake lock says which one. */
#define VERSION_WITH_LOCK_ENDS 36

struct pool_text {
    int64_t uid;
    struct str text;
};

struct android_battery {
    const struct import_file *file;
    int64_t now_ms, version;
    struct map pool; /* index -> index in texts */
    VEC(struct pool_text) texts;
};

struct android_battery *android_battery_new(const struct import_file *file)
{
    struct android_battery *battery = mem_zero(1, sizeof *battery);
    battery->file = file;
    return battery;
}

void android_battery_free(struct android_battery *battery)
{
    if (!battery) return;
    map_free(&battery->pool);
    vec_free(&battery->texts);
    mem_free(battery);
}

/* ---- lines ---- */

static struct str next_piece(struct str *rest)
{
    struct str piece = STR_NONE;
    str_split_next(rest, ',', &piece);
    return piece;
}

/* index, uid, "text", which may hold commas */
static bool read_pool(struct android_battery *battery, struct str rest)
{
    int64_t index, uid;
    if (!str_to_int64(next_piece(&rest), &index) || !str_to_int64(next_piece(&rest), &uid))
        return false;
    if (str_starts(rest, STR("\""))) rest = str_slice(rest, 1, rest.n);
    if (str_ends(rest, STR("\""))) rest.n--;
    map_set(&battery->pool, (uint64_t)index, battery->texts.count);
    vec_push(&battery->texts, (struct pool_text){uid, rest});
    return true;
}

static bool read_history(struct android_battery *battery, struct text_events *events, uint32_t kind,
                         struct str rest)
{
    static const char TIME[] = ":TIME:";
    struct str when = next_piece(&rest), item;
    int64_t delta, ns;
    size_t at;
    if (str_find(when, STR(TIME), &at))
        return str_to_int64(str_slice(when, at + sizeof TIME - 1, when.n), &battery->now_ms);
    if (str_find(when, STR(":START"), &at) || str_find(when, STR(":SHUTDOWN"), &at)) return true;
    if (!str_to_int64(when, &delta) || !checked_add_int64(battery->now_ms, delta, &delta) ||
        !checked_mul_int64(delta, NS_PER_MS, &ns))
        return false;
    battery->now_ms = delta;
    while ((item = next_piece(&rest)).n > 0)
        text_events_push(events, ns, (struct text_event){item, kind});
    return true;
}

static bool read_version(struct android_battery *battery, struct str rest)
{
    if (!str_is(next_piece(&rest), "i") || !str_is(next_piece(&rest), "vers")) return true;
    return str_to_int64(next_piece(&rest), &battery->version);
}

bool android_battery_read(struct android_battery *battery, struct text_events *events,
                          uint32_t kind, struct str line, const char **error)
{
    if (!str_is(next_piece(&line), "9")) {
        *error = "Unexpected start of battery stats checkin line";
        return false;
    }
    *error = "Failed to convert string to int64_t";
    struct str what = next_piece(&line);
    if (str_is(what, "hsp")) return read_pool(battery, line);
    if (str_is(what, "h")) return read_history(battery, events, kind, line);
    if (str_is(what, "0")) return read_version(battery, line);
    return true;
}

/* ---- items ---- */

struct name_pair {
    const char *key, *name;
};

static const struct name_pair events_by_key[] = {
    {"Enl", "null"},      {"Epr", "proc"},         {"Efg", "fg"},         {"Etp", "top"},
    {"Esy", "sync"},      {"Ewl", "wake_lock_in"}, {"Ejb", "job"},        {"Eur", "user"},
    {"Euf", "userfg"},    {"Ecn", "conn"},         {"Eac", "active"},     {"Epi", "pkginst"},
    {"Epu", "pkgunin"},   {"Eal", "alarm"},        {"Est", "stats"},      {"Eai", "pkginactive"},
    {"Eaa", "pkgactive"}, {"Etw", "tmpwhitelist"}, {"Esw", "screenwake"}, {"Ewa", "wakeupap"},
    {"Elw", "longwake"},  {"Eec", "est_capacity"},
};

/* `values`: words of the state, numbered from 0. */
static const struct battery_state {
    const char *key, *name, *values;
} states_by_key[] = {
    {"r", "running", ""},
    {"w", "wake_lock", ""},
    {"s", "sensor", ""},
    {"g", "gps", ""},
    {"Wl", "wifi_full_lock", ""},
    {"Ws", "wifi_scan", ""},
    {"Wm", "wifi_multicast", ""},
    {"Wr", "wifi_radio", ""},
    {"Pr", "mobile_radio", ""},
    {"Psc", "phone_scanning", ""},
    {"a", "audio", ""},
    {"S", "screen", ""},
    {"BP", "plugged", ""},
    {"Sd", "screen_doze", ""},
    {"Pcn", "data_conn",
     "oos gprs edge umts cdma evdo_0 evdo_A 1xrtt hsdpa hsupa hspa iden evdo_b lte ehrpd hspap "
     "gsm td_scdma iwlan lte_ca nr emngcy other"},
    {"Pst", "phone_state", "in out em off"},
    {"Pss", "phone_signal_strength", ""},
    {"Sb", "brightness", ""},
    {"ps", "power_save", ""},
    {"v", "video", ""},
    {"Ww", "wifi_running", ""},
    {"W", "wifi", ""},
    {"fl", "flashlight", ""},
    {"di", "device_idle", "off light full ???"},
    {"ch", "charging", ""},
    {"Ud", "usb_data", ""},
    {"Pcl", "phone_in_call", ""},
    {"b", "bluetooth", ""},
    {"Wss", "wifi_signal_strength", ""},
    {"Wsp", "wifi_suppl", "inv dsc dis inact scan auth ascing asced 4-way group compl dorm uninit"},
    {"ca", "camera", ""},
    {"bles", "ble_scan", ""},
    {"Chtp", "cellular_high_tx_power", ""},
    {"Gss", "gps_signal_quality", "poor good none"},
    {"nrs", "nr_state", ""},
};

/* "+w=1": sign (0: none), key, value */
struct item {
    int64_t ts;
    char sign;
    struct str key, value;
};

static const struct pool_text *pool_text(const struct android_battery *battery, int64_t index)
{
    static const struct pool_text none = {-1, {"", 0}};
    const uint64_t *at = map_get(&battery->pool, (uint64_t)index);
    return at ? &battery->texts.items[*at] : &none;
}

static const char *event_name(struct str key)
{
    for (size_t i = 0; i < sizeof events_by_key / sizeof *events_by_key; i++)
        if (str_is(key, events_by_key[i].key)) return events_by_key[i].name;
    return NULL;
}

static void push_event(struct android_battery *battery, const struct item *item)
{
    const char *name = event_name(item->key);
    struct strpool *strings = battery->file->import->strings;
    int64_t index;
    char track_name[64];
    if (!name || !str_to_int64(item->value, &index)) return;
    const struct pool_text *text = pool_text(battery, index);
    struct track_key key = probe_key(battery->file, "battery_stats", TRACK_SLICE);
    probe_dimension_text(battery->file, &key, "bstats_item_name", str_of(name));
    probe_format(track_name, sizeof track_name, "battery_stats.%s", name);
    uint32_t track = probe_track(battery->file, &key, track_name, NULL);
    struct buffer slice_name = BUFFER_INIT;
    if (item->sign) buffer_append_byte(&slice_name, item->sign);
    buffer_printf(&slice_name, "%s=%lld:\"%.*s\"", name, (long long)text->uid, STR_ARG(text->text));
    slice_scoped(battery->file, item->ts, 0, track, STRING_NULL,
                 strpool_intern(strings, buffer_str(&slice_name)), NULL);
    buffer_free(&slice_name);
}

static void count(struct android_battery *battery, int64_t ts, const char *type, const char *name,
                  double value)
{
    struct track_key key = probe_key(battery->file, type, TRACK_COUNTER);
    probe_count(battery->file, ts, &key, name, NULL, value);
}

static void count_state(struct android_battery *battery, int64_t ts, const char *state,
                        double value)
{
    char name[64];
    struct track_key key = probe_key(battery->file, "battery_stats", TRACK_COUNTER);
    probe_format(name, sizeof name, "battery_stats.%s", state);
    probe_dimension_text(battery->file, &key, "counter_key", str_of(name));
    probe_count(battery->file, ts, &key, name, NULL, value);
}

static const struct battery_state *state_of(struct str key)
{
    for (size_t i = 0; i < sizeof states_by_key / sizeof *states_by_key; i++)
        if (str_is(key, states_by_key[i].key)) return &states_by_key[i];
    return NULL;
}

static bool value_of(const struct battery_state *state, struct str value, int64_t *number)
{
    struct str rest = str_of(state->values), word;
    if (str_to_int64(value, number)) return true;
    for (*number = 0; str_split_next(&rest, ' ', &word); ++*number)
        if (word.n > 0 && str_equal(word, value)) return true;
    return false;
}

/* "+S", "-S" */
static void push_switch(struct android_battery *battery, const struct item *item)
{
    const struct battery_state *state = state_of(item->key);
    bool on = item->sign == '+';
    if (!state || str_is(item->key, "w")) return;
    count_state(battery, item->ts, state->name, on);
    if (str_is(item->key, "S")) count(battery, item->ts, "screen_state", "ScreenState", on ? 2 : 1);
}

static void count_battery(struct android_battery *battery, const struct item *item,
                          const char *counter, int64_t scale)
{
    char name[64];
    int64_t value;
    if (!str_to_int64(item->value, &value)) return;
    struct track_key key = probe_key(battery->file, "battery_counter", TRACK_COUNTER);
    probe_format(name, sizeof name, "batt.%s", counter);
    probe_dimension_text(battery->file, &key, "battery_name", STR(""));
    probe_dimension_text(battery->file, &key, "counter_name", str_of(counter));
    probe_count(battery->file, item->ts, &key, name, NULL, (double)value * (double)scale);
}

static int place_of(const char *letters, char letter)
{
    const char *at = letter ? strchr(letters, letter) : NULL;
    return at ? (int)(at - letters) : -1;
}

/* The numbers of Android's BatteryManager. */
static void push_battery(struct android_battery *battery, const struct item *item)
{
    static const int PLUGS[] = {0, 1, 2, 4};
    if (str_is(item->key, "Bl")) {
        count_battery(battery, item, "capacity_pct", 1);
    } else if (str_is(item->key, "Bcc")) {
        count_battery(battery, item, "charge_uah", 1000);
    } else if (str_is(item->key, "Bv")) {
        count_battery(battery, item, "voltage_uv", 1000);
    } else if (str_is(item->key, "Bs")) {
        count(battery, item->ts, "battery_status", "BatteryStatus",
              place_of("?cdnf", item->value.p[0]) + 1);
    } else if (str_is(item->key, "Bp")) {
        int place = place_of("nauw", item->value.p[0]);
        count(battery, item->ts, "battery_plugged_status", "PlugType",
              place < 0 ? 0 : PLUGS[place]);
    }
}

static void push_value(struct android_battery *battery, const struct item *item)
{
    const struct battery_state *state = state_of(item->key);
    int64_t value;
    if (state && value_of(state, item->value, &value))
        count_state(battery, item->ts, state->name, (double)value);
    else
        push_battery(battery, item);
}

static void push_wake_lock(struct android_battery *battery, const struct item *item)
{
    const struct import_file *file = battery->file;
    int64_t index;
    if (!str_is(item->key, "w") || battery->version < VERSION_WITH_LOCK_ENDS ||
        !str_to_int64(item->value, &index))
        return;
    struct track_tracker *tracks = file->import->tracks;
    struct track_key key = probe_key(file, "dumpstate_wakelocks", TRACK_SLICE);
    struct track_info info = {.name = strpool_intern_text(file->import->strings, "WakeLocks")};
    uint32_t lanes = track_lanes_intern(tracks, &key, &info);
    if (item->sign == '+')
        slice_begin(file, item->ts, track_lane_begin(tracks, lanes, index), STRING_NULL,
                    strpool_intern(file->import->strings, pool_text(battery, index)->text), NULL);
    else
        slice_end(file, item->ts, track_lane_end(tracks, lanes, index), STRING_NULL, STRING_NULL,
                  NULL);
}

void android_battery_push(struct android_battery *battery, int64_t ts, struct str text)
{
    struct item item = {.ts = ts, .key = text};
    size_t equal;
    if (str_find_byte(text, '=', &equal)) {
        item.key = str_slice(text, 0, equal);
        item.value = str_slice(text, equal + 1, text.n);
        if (str_find_byte(item.value, '=', &equal)) item.value.n = equal;
    }
    if (item.key.n > 0 && (item.key.p[0] == '+' || item.key.p[0] == '-')) {
        item.sign = item.key.p[0];
        item.key = str_slice(item.key, 1, item.key.n);
    }
    if (str_starts(item.key, STR("E")))
        push_event(battery, &item);
    else if (item.sign && item.value.n == 0)
        push_switch(battery, &item);
    else if (item.sign)
        push_wake_lock(battery, &item);
    else if (item.value.n > 0)
        push_value(battery, &item);
}
