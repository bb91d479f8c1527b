#include "tests/gen/sidecars.h"

#include <ctype.h>
#include <string.h>

#include "tests/gen/archive.h"
#include "tests/gen/base64.h"
#include "tests/gen/bench.h"
#include "tests/gen/event.h"
#include "tests/gen/manifests.h"
#include "tests/gen/packet.h"

static void append_text(struct buffer *out, const char *text)
{
    static const char TOKEN[] = "@DESCRIPTOR@";
    for (const char *p = text; *p; p++) {
        if (strncmp(p, TOKEN, sizeof TOKEN - 1) == 0) {
            struct buffer descriptor = BUFFER_INIT;
            bench_descriptor(&descriptor);
            gen_base64(out, buffer_str(&descriptor));
            buffer_free(&descriptor);
            p += sizeof TOKEN - 2;
        } else {
            buffer_append_byte(out, *p == '\'' ? '"' : *p);
        }
    }
}

void gen_sidecar_text(const struct gen_sidecar_case *c, struct buffer *out)
{
    if (!c->is_document) append_text(out, "{'perfetto_metadata':{'version':1,'extensions':");
    append_text(out, c->text);
    if (!c->is_document) buffer_append_text(out, "}}");
}

static void put_small_trace(struct buffer *out)
{
    struct gen_seq seq;
    gen_packet_device_clocks(out, 1000000000000);
    gen_seq_start(&seq, out, 5);
    gen_seq_track(&seq, 1000000000000,
                  &(struct gen_track){.uuid = 1, .pid = 10, .tid = 10, .thread_name = "main"});
    gen_slice_begin(&seq, 1000000001000, 1, "work");
    gen_slice_end(&seq, 1000000005000, 1);
    gen_seq_free(&seq);
}

struct member {
    const char *name, *text;
};

static const struct member MEMBERS[] = {
    {"ext/good.sql", "CREATE PERFETTO VIEW ex_good AS SELECT 1 AS one;\n"},
    {".ext/h.sql", "CREATE PERFETTO VIEW ex_hidden AS SELECT 2 AS two;\n"},
    {"ext/latin1.sql", "SELECT 'caf\xe9';\n"},
    {"ext/garbage.pb", "\xff\xff\xff\xff"},
    {"ext/macros.json", "[{\"id\":\"com.ex.FileA\",\"name\":\"A\",\"run\":[{\"id\":"
                        "\"dev.perfetto.RunQuery\",\"args\":[\"SELECT 1\"]}]}]"},
    {"ext/foreign_macros.json", "[{\"id\":\"org.ex.A\",\"name\":\"A\",\"run\":[]}]"},
    {"ext/startup.json", "[{\"id\":\"dev.perfetto.RunQuery\",\"args\":[\"SELECT 1\"]}]"},
    {"ext/bad_startup.json", "[{\"id\":\"dev.perfetto.RunQuery\",\"args\":[1]}]"},
    {"ext/object.json", "{\"id\":\"com.ex.A\"}"},
    {"ext/empty.json", "[]"},
    {"ext/also_empty.json", " [ ] "},
    {"ext/empty.sql", ""},
    {"ext/UPPER.sql", "SELECT 1 WHERE 0;\n"},
    {"ext/marked.json",
     "\xef\xbb\xbf[{\"id\":\"com.ex.Marked\",\"name\":\"\xc3\xa9\",\"run\":[]}]"},
    {"ext/utf8.sql", "SELECT '\xc3\xa9\xf0\x9f\x98\x80' WHERE 0;\n"},
    {"ext/cut.json", "[{\"id\":\"dev.perfetto.RunQuery\",\"args\":[\"SELECT 1\"]}"},
    {"ext/string.json", "\"com.ex.A\""},
};

/* A file that no entry claims would be taken for a trace, so only those that the
 * text names, in whatever case, are put in. */
static bool is_named(struct str sidecar, const char *name)
{
    size_t length = strlen(name);
    for (size_t at = 0; at + length <= sidecar.n; at++) {
        size_t same = 0;
        while (same < length &&
               tolower((unsigned char)sidecar.p[at + same]) == tolower((unsigned char)name[same]))
            same++;
        if (same == length) return true;
    }
    return false;
}

static void add_members(struct gen_zip *zip, struct str sidecar)
{
    for (size_t i = 0; i < sizeof MEMBERS / sizeof MEMBERS[0]; i++)
        if (is_named(sidecar, MEMBERS[i].name))
            gen_zip_add_text(zip, MEMBERS[i].name, MEMBERS[i].text);
    if (is_named(sidecar, "ext/good.pb")) {
        struct buffer descriptor = BUFFER_INIT;
        bench_descriptor(&descriptor);
        gen_zip_add(zip, STR("ext/good.pb"), buffer_str(&descriptor), GEN_ZIP_STORED);
        buffer_free(&descriptor);
    }
    if (is_named(sidecar, "ext/dir/")) gen_zip_add(zip, STR("ext/dir/"), STR_NONE, GEN_ZIP_STORED);
    if (is_named(sidecar, "ext/twice.sql")) {
        gen_zip_add_text(zip, "ext/twice.sql", "SELECT 1;\n");
        gen_zip_add_text(zip, "ext/twice.sql", "SELECT 2;\n");
    }
}

static void put_zip(const struct gen_sidecar_case *c, struct str sidecar, struct buffer *out)
{
    struct gen_zip zip;
    struct buffer trace = BUFFER_INIT;
    put_small_trace(&trace);
    gen_zip_start(&zip, out);
    if (c->shape != GEN_SIDECAR_ZIP_LAST)
        gen_zip_add(&zip, STR("perfetto_metadata.json"), sidecar, GEN_ZIP_DEFLATED);
    if (c->shape == GEN_SIDECAR_TWO)
        gen_zip_add(&zip, STR("second.json"), sidecar, GEN_ZIP_DEFLATED);
    gen_zip_add(&zip, STR(GEN_SIDECAR_TRACE), buffer_str(&trace), GEN_ZIP_DEFLATED);
    add_members(&zip, sidecar);
    if (c->shape == GEN_SIDECAR_ZIP_LAST)
        gen_zip_add(&zip, STR("zz_last.json"), sidecar, GEN_ZIP_DEFLATED);
    gen_zip_finish(&zip);
    buffer_free(&trace);
}

static void put_tar(struct str sidecar, struct buffer *out)
{
    struct buffer trace = BUFFER_INIT;
    put_small_trace(&trace);
    gen_tar_add(out, GEN_TAR_USTAR, STR(GEN_SIDECAR_TRACE), buffer_str(&trace));
    for (size_t i = 0; i < sizeof MEMBERS / sizeof MEMBERS[0]; i++)
        if (is_named(sidecar, MEMBERS[i].name))
            gen_tar_add(out, GEN_TAR_USTAR, str_of(MEMBERS[i].name), str_of(MEMBERS[i].text));
    gen_tar_add(out, GEN_TAR_USTAR, STR("perfetto_metadata.json"), sidecar);
    gen_tar_finish(out);
    buffer_free(&trace);
}

void gen_sidecar_archive(struct str sidecar, struct buffer *out)
{
    static const struct gen_sidecar_case plain = {.shape = GEN_SIDECAR_ZIP};
    if (is_named(sidecar, "one.pb") || is_named(sidecar, "two.pb"))
        gen_manifest_archive(sidecar, GEN_MANIFEST_WITH_TAR, out);
    else
        put_zip(&plain, sidecar, out);
}

void gen_sidecar_input(const struct gen_sidecar_case *c, struct buffer *out)
{
    struct buffer sidecar = BUFFER_INIT;
    gen_sidecar_text(c, &sidecar);
    if (c->shape == GEN_SIDECAR_ALONE)
        buffer_append_str(out, buffer_str(&sidecar));
    else if (c->shape == GEN_SIDECAR_TAR)
        put_tar(buffer_str(&sidecar), out);
    else
        put_zip(c, buffer_str(&sidecar), out);
    buffer_free(&sidecar);
}
