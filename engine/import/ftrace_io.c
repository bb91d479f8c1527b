/* Storage and network (spec engine_2 2.3). */
#include "engine/import/ftrace_handlers.h"

#include "engine/import/ftrace_track.h"

/* SCSI operation codes that flash storage is sent. */
static const char *scsi_name(uint64_t opcode)
{
    switch (opcode) {
    case 0x00: return "TEST UNIT READY";
    case 0x03: return "REQUEST SENSE";
    case 0x12: return "INQUIRY";
    case 0x1B: return "START STOP UNIT";
    case 0x25: return "READ CAPACITY";
    case 0x28: return "READ (10)";
    case 0x2A: return "WRITE (10)";
    case 0x2F: return "VERIFY (10)";
    case 0x35: return "SYNCHRONIZE CACHE (10)";
    case 0x42: return "UNMAP";
    case 0x55: return "MODE SELECT (10)";
    case 0x5A: return "MODE SENSE (10)";
    case 0x88: return "READ (16)";
    case 0x8A: return "WRITE (16)";
    case 0xA2: return "SECURITY PROTOCOL IN";
    case 0xB5: return "SECURITY PROTOCOL OUT";
    default: return NULL;
    }
}

static unsigned count_bits(uint64_t value)
{
    unsigned n = 0;
    for (; value; value &= value - 1)
        n++;
    return n;
}

void ftrace_on_ufs_command(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    uint64_t doorbell = field_uint(&f, 2), opcode = field_uint(&f, 5), group = field_uint(&f, 9);
    bool is_complete = field_uint(&f, 10) == 1;
    /* One bit a command under way; newer controllers have no such register. */
    unsigned count = doorbell ? count_bits(doorbell) : is_complete ? 0 : 1;
    ftrace_count(event, "ufs_command_count", NULL, 0, "io.ufs.command.count", count);

    char track_name[48], name[64];
    uint32_t tag = (uint32_t)field_uint(&f, 7);
    probe_format(track_name, sizeof track_name, "io.ufs.command.tag[%03u]", (unsigned)tag);
    uint32_t track = ftrace_track(event, "ufs_command_tag", "ufs_tag", tag, track_name);
    if (is_complete) {
        ftrace_end(event, track, NULL, NULL);
        return;
    }
    const char *known = scsi_name(opcode);
    char unknown[24];
    probe_format(unknown, sizeof unknown, "UNKNOWN (0x%02x)", (unsigned)opcode);
    if (group)
        probe_format(name, sizeof name, "%s (GID=0x%x)", known ? known : unknown, (unsigned)group);
    else
        probe_format(name, sizeof name, "%s", known ? known : unknown);
    ftrace_begin(event, track, NULL, ftrace_intern(event, name), NULL);
}

void ftrace_on_ufs_gating(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    int32_t state = (int32_t)field_int(&f, 2);
    ftrace_count(event, "ufs_clkgating", NULL, 0, "io.ufs.clkgating (OFF:0/REQ_OFF/REQ_ON/ON:3)",
                 state);
}

struct io_counter {
    uint8_t field;
    const char *key;
};

static void count_all(const struct ftrace_event *event, const char *type, uint32_t device_field,
                      const struct io_counter *counters, size_t n)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    uint64_t device = field_uint(&f, device_field);
    char device_name[32], name[96];
    /* As new_encode_dev of the kernel packs it. */
    probe_format(device_name, sizeof device_name, "[%u:%u]", (unsigned)(device >> 8 & 0xFFF),
                 (unsigned)((device & 0xFF) | (device >> 12 & 0xFFF00)));
    for (size_t i = 0; i < n; i++) {
        struct track_key key = ftrace_track_key(event, type, TRACK_COUNTER);
        probe_dimension_text(event->file, &key, "linux_device", str_of(device_name));
        probe_dimension_text(event->file, &key, "counter_key", str_of(counters[i].key));
        probe_format(name, sizeof name, "%s.%s.%s", type, device_name, counters[i].key);
        probe_count(event->file, event->ts, &key, name, NULL,
                    (double)field_uint(&f, counters[i].field));
    }
}

void ftrace_on_f2fs_iostat(const struct ftrace_event *event)
{
    static const struct io_counter counters[] = {
        {8, "write_app_total"},   {3, "write_app_direct"}, {1, "write_app_buffered"},
        {5, "write_app_mapped"},  {14, "write_fs_data"},   {22, "write_fs_node"},
        {20, "write_fs_meta"},    {17, "write_gc_data"},   {18, "write_gc_node"},
        {11, "write_cp_data"},    {13, "write_cp_node"},   {12, "write_cp_meta"},
        {7, "read_app_total"},    {4, "read_app_direct"},  {2, "read_app_buffered"},
        {6, "read_app_mapped"},   {16, "read_fs_data"},    {19, "read_fs_gdata"},
        {10, "read_fs_cdata"},    {23, "read_fs_node"},    {21, "read_fs_meta"},
        {15, "other_fs_discard"},
    };
    count_all(event, "f2fs_iostat", 9, counters, sizeof counters / sizeof counters[0]);
}

void ftrace_on_f2fs_latency(const struct ftrace_event *event)
{
    static const struct io_counter counters[] = {
        {3, "read_data_peak"},         {2, "read_data_cnt"},         {1, "read_data_avg"},
        {22, "read_node_peak"},        {21, "read_node_cnt"},        {20, "read_node_avg"},
        {13, "read_meta_peak"},        {12, "read_meta_cnt"},        {11, "read_meta_avg"},
        {9, "write_sync_data_peak"},   {8, "write_sync_data_cnt"},   {7, "write_sync_data_avg"},
        {28, "write_sync_node_peak"},  {27, "write_sync_node_cnt"},  {26, "write_sync_node_avg"},
        {19, "write_sync_meta_peak"},  {18, "write_sync_meta_cnt"},  {17, "write_sync_meta_avg"},
        {6, "write_async_data_peak"},  {5, "write_async_data_cnt"},  {4, "write_async_data_avg"},
        {25, "write_async_node_peak"}, {24, "write_async_node_cnt"}, {23, "write_async_node_avg"},
        {16, "write_async_meta_peak"}, {15, "write_async_meta_cnt"}, {14, "write_async_meta_avg"},
    };
    count_all(event, "f2fs_iostat_latency", 10, counters, sizeof counters / sizeof counters[0]);
}

/* Bytes so far, shown in whole kB. */
static void count_bytes(const struct ftrace_event *event, const char *type, const char *verb,
                        struct str interface, uint64_t bytes)
{
    char name[96];
    probe_format(name, sizeof name, "%.*s %s KB", STR_ARG(interface), verb);
    uint64_t *total = strmap_put_if_absent(&event->ftrace->network_bytes,
                                           (struct str){name, strlen(name)}, 0, &(bool){false});
    *total += bytes;
    ftrace_count_of_text(event, type, "network_interface", interface, name,
                         (double)(*total / 1024));
}

void ftrace_on_net_receive(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    count_bytes(event, "net_receive", "Received", field_str(&f, 2), (uint32_t)field_uint(&f, 1));
}

void ftrace_on_net_transmit(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    if ((int32_t)field_int(&f, 3) != 0) return; /* not sent */
    count_bytes(event, "net_transmit", "Transmitted", field_str(&f, 2),
                (uint32_t)field_uint(&f, 1));
}

void ftrace_on_tcp_retransmit(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    uint32_t track = ftrace_track(event, "net_tcp_retransmit_skb", NULL, 0, "TCP Retransmit Skb");
    char name[64];
    probe_format(name, sizeof name, "sport=%u,dport=%u", (unsigned)field_uint(&f, 6),
                 (unsigned)field_uint(&f, 2));
    ftrace_instant(event, track, "tcp_event", ftrace_intern(event, name), NULL);
}

enum { ETHERTYPE_IPV4 = 0x0800, ETHERTYPE_IPV6 = 0x86DD };

void ftrace_on_kfree_skb(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    uint64_t protocol = field_uint(&f, 2);
    if (protocol != ETHERTYPE_IPV4 && protocol != ETHERTYPE_IPV6) return;
    ftrace_count(event, "net_kfree_skb", NULL, 0, "Kfree Skb IP Prot",
                 (double)++event->ftrace->dropped_ip_packets);
}

void ftrace_on_napi_entry(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    char name[32];
    probe_format(name, sizeof name, "Napi Gro Cpu %u", (unsigned)event->cpu->cpu);
    uint32_t track = ftrace_track(event, "cpu_napi_gro", "cpu", event->cpu->cpu, name);
    ftrace_begin(event, track, "napi_gro",
                 strpool_intern(event->import->strings, field_str(&f, 10)), NULL);
}

void ftrace_on_napi_exit(const struct ftrace_event *event)
{
    char name[32];
    probe_format(name, sizeof name, "Napi Gro Cpu %u", (unsigned)event->cpu->cpu);
    uint32_t track = ftrace_track(event, "cpu_napi_gro", "cpu", event->cpu->cpu, name);
    ftrace_end(event, track, "napi_gro", NULL);
}
