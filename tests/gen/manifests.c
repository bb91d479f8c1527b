#include "tests/gen/manifests.h"

#include "tests/gen/archive.h"
#include "tests/gen/compress.h"
#include "tests/gen/event.h"
#include "tests/gen/packet.h"
#include "tests/gen/wire.h"

#define SECOND INT64_C(1000000000)

/* ---- the members of the archives ---- */

static void put_slice(struct buffer *out, uint32_t sequence, int64_t ts, const char *name)
{
    struct gen_seq seq;
    gen_seq_start(&seq, out, sequence);
    gen_seq_track(&seq, ts, &(struct gen_track){.uuid = sequence, .name = name});
    gen_slice_begin(&seq, ts, sequence, name);
    gen_slice_end(&seq, ts + 1000, sequence);
    gen_seq_free(&seq);
}

static void put_boottime(struct buffer *out, int64_t boottime)
{
    const struct gen_clock clocks[] = {{GEN_CLOCK_BOOTTIME, (uint64_t)boottime, false, 0}};
    gen_packet_clocks(out, 0, clocks, 1, 0);
}

/* Packets of `part`, each with a machine id. */
static void put_on_machine(struct buffer *out, const struct buffer *part, uint32_t machine)
{
    const uint8_t *p = (const uint8_t *)part->data;
    for (size_t at = 0; at < part->length;) {
        size_t length = 0;
        unsigned shift = 0;
        at++; /* the tag */
        do {
            length |= (size_t)(p[at] & 0x7f) << shift;
            shift += 7;
        } while (p[at++] & 0x80);
        struct buffer body = BUFFER_INIT;
        buffer_append(&body, p + at, length);
        gen_uint(&body, GEN_PACKET_MACHINE_ID, machine);
        gen_nested(out, 1, &body);
        buffer_free(&body);
        at += length;
    }
}

static void put_one_machine(struct buffer *out)
{
    put_boottime(out, SECOND);
    put_slice(out, 1, SECOND + 5000, "one");
}

static void put_two_machines(struct buffer *out)
{
    struct buffer part = BUFFER_INIT;
    put_boottime(out, SECOND);
    put_slice(out, 1, SECOND + 5000, "host");
    put_boottime(&part, 50 * SECOND);
    put_slice(&part, 2, 50 * SECOND + 5000, "vm");
    put_on_machine(out, &part, 7);
    buffer_free(&part);
}

static const char JSON_TRACE[] =
    "{\"traceEvents\":[{\"ph\":\"X\",\"ts\":2,\"dur\":1,\"pid\":9,\"tid\":9,\"name\":\"j\"}]}";

void gen_manifest_text(const char *sidecar, struct buffer *out)
{
    for (const char *p = sidecar; *p; p++)
        buffer_append_byte(out, *p == '\'' ? '"' : *p);
}

void gen_manifest_archive(struct str text, enum gen_manifest_shape shape, struct buffer *out)
{
    struct buffer one = BUFFER_INIT, two = BUFFER_INIT, inner = BUFFER_INIT;
    struct gen_zip zip;
    put_one_machine(&one);
    put_two_machines(&two);
    gen_zip_start(&zip, out);
    if (shape == GEN_MANIFEST_LATE) {
        gen_gzip(&inner, text);
        gen_zip_add(&zip, STR("meta.json.gz"), buffer_str(&inner), GEN_ZIP_STORED);
    } else {
        gen_zip_add(&zip, STR("meta.json"), text, GEN_ZIP_STORED);
    }
    if (shape == GEN_MANIFEST_TWICE) gen_zip_add(&zip, STR("other.json"), text, GEN_ZIP_STORED);
    gen_zip_add(&zip, STR("one.pb"), buffer_str(&one), GEN_ZIP_DEFLATED);
    gen_zip_add(&zip, STR("two.pb"), buffer_str(&two), GEN_ZIP_DEFLATED);
    gen_zip_add_text(&zip, "app.json", JSON_TRACE);
    if (shape == GEN_MANIFEST_WITH_TAR) {
        gen_tar_add(&inner, GEN_TAR_USTAR, STR("x.json"), STR(JSON_TRACE));
        gen_tar_finish(&inner);
        gen_zip_add(&zip, STR("inner.tar"), buffer_str(&inner), GEN_ZIP_STORED);
    }
    gen_zip_finish(&zip);
    buffer_free(&one);
    buffer_free(&two);
    buffer_free(&inner);
}
