#include "tests/gen/containers.h"

#include "tests/gen/archive.h"
#include "tests/gen/compress.h"
#include "tests/gen/features.h"

typedef void writer(struct buffer *);

static struct buffer made(writer *write)
{
    struct buffer b = BUFFER_INIT;
    write(&b);
    return b;
}

static void add(struct gen_zip *zip, const char *name, writer *write)
{
    struct buffer b = made(write);
    gen_zip_add(zip, str_of(name), buffer_str(&b), GEN_ZIP_DEFLATED);
    buffer_free(&b);
}

static void squeeze(struct buffer *out, writer *write,
                    void (*squeezer)(struct buffer *, struct str))
{
    struct buffer b = made(write);
    squeezer(out, buffer_str(&b));
    buffer_free(&b);
}

void gen_write_gz(struct buffer *out)
{
    squeeze(out, gen_write_slices, gen_gzip);
}

/* Two gzip members that are one trace. */
void gen_write_gz_two_members(struct buffer *out)
{
    squeeze(out, gen_write_slices, gen_gzip);
    squeeze(out, gen_write_counters, gen_gzip);
}

void gen_write_zst(struct buffer *out)
{
    squeeze(out, gen_write_slices, gen_zstd);
}

void gen_write_gz_in_zst(struct buffer *out)
{
    squeeze(out, gen_write_gz, gen_zstd);
}

/* One trace in a folder, the folder itself, a hidden file that is left out. */
void gen_write_zip_plain(struct buffer *out)
{
    struct gen_zip zip;
    gen_zip_start(&zip, out);
    gen_zip_add(&zip, STR("traces/"), STR_NONE, GEN_ZIP_STORED);
    add(&zip, "traces/one.perfetto-trace", gen_write_slices);
    gen_zip_add_text(&zip, "traces/.DS_Store", "not for readers");
    gen_zip_add_text(&zip, "__MACOSX/traces/._one", "not for readers either");
    gen_zip_finish(&zip);
}

/* Three formats, in an order that is not the order of reading. */
void gen_write_zip_mixed(struct buffer *out)
{
    struct gen_zip zip;
    gen_zip_start(&zip, out);
    add(&zip, "z.simpleperf", gen_write_simpleperf);
    add(&zip, "m.json", gen_write_chrome_json);
    add(&zip, "a.perfetto-trace", gen_write_slices);
    gen_zip_finish(&zip);
}

void gen_write_zip_of_gz(struct buffer *out)
{
    struct gen_zip zip;
    gen_zip_start(&zip, out);
    add(&zip, "a.perfetto-trace.gz", gen_write_gz);
    add(&zip, "b.perfetto-trace.zst", gen_write_zst);
    gen_zip_finish(&zip);
}

void gen_write_zip_in_zip(struct buffer *out)
{
    struct gen_zip zip;
    gen_zip_start(&zip, out);
    add(&zip, "inner.zip", gen_write_zip_mixed);
    add(&zip, "inner.tar", gen_write_tar_ustar);
    gen_zip_finish(&zip);
}

/* The end is missing; both members can be found by their local headers. */
void gen_write_zip_no_directory(struct buffer *out)
{
    struct gen_zip zip;
    gen_zip_start(&zip, out);
    add(&zip, "a.perfetto-trace", gen_write_slices);
    add(&zip, "b.json", gen_write_chrome_json);
    gen_zip_abandon(&zip);
}

/* The first member is stored and one of its bytes is wrong; the second is whole. */
void gen_write_zip_bad_crc(struct buffer *out)
{
    struct gen_zip zip;
    struct buffer trace = made(gen_write_slices);
    size_t start = out->length;
    gen_zip_start(&zip, out);
    gen_zip_add(&zip, STR("a.perfetto-trace"), buffer_str(&trace), GEN_ZIP_STORED);
    out->data[start + 30 + 16 + trace.length - 3] ^= 1;
    add(&zip, "b.json", gen_write_chrome_json);
    gen_zip_finish(&zip);
    buffer_free(&trace);
}

void gen_write_zip_unknown_member(struct buffer *out)
{
    struct gen_zip zip;
    gen_zip_start(&zip, out);
    gen_zip_add_text(&zip, "README.txt", "What lies here was recorded on a Tuesday.\n");
    gen_zip_add_text(&zip, "empty.bin", "");
    add(&zip, "trace.perfetto-trace", gen_write_slices);
    gen_zip_finish(&zip);
}

void gen_write_zip_only_unknown(struct buffer *out)
{
    struct gen_zip zip;
    gen_zip_start(&zip, out);
    gen_zip_add_text(&zip, "README.txt", "Nothing else.\n");
    gen_zip_finish(&zip);
}

void gen_write_zip_name_twice(struct buffer *out)
{
    struct gen_zip zip;
    gen_zip_start(&zip, out);
    add(&zip, "same", gen_write_slices);
    add(&zip, "same", gen_write_chrome_json);
    gen_zip_finish(&zip);
}

/* Names that are no UTF-8, go up, or are absolute: only names, never paths. */
void gen_write_zip_raw_names(struct buffer *out)
{
    struct gen_zip zip;
    gen_zip_start(&zip, out);
    add(&zip, "caf\xe9.json", gen_write_chrome_json);
    add(&zip, "../../tmp/up.perfetto-trace", gen_write_slices);
    add(&zip, "/etc/absolute.simpleperf", gen_write_simpleperf);
    gen_zip_finish(&zip);
}

/* 64 MB of zeros behind 64 kB, beside a trace that is whole. */
void gen_write_zip_bomb(struct buffer *out)
{
    enum { BOMB_BYTES = 64 * 1000 * 1000, CHUNK = 1 << 16 };
    static const char zeros[CHUNK];
    struct gen_zip zip;
    struct buffer bomb = BUFFER_INIT;
    while (bomb.length < BOMB_BYTES)
        buffer_append(&bomb, zeros, sizeof zeros);
    gen_zip_start(&zip, out);
    gen_zip_add(&zip, STR("bomb.json"), buffer_str(&bomb), GEN_ZIP_DEFLATED);
    add(&zip, "trace.perfetto-trace", gen_write_slices);
    gen_zip_finish(&zip);
    buffer_free(&bomb);
}

/* Forty zips in one another, a trace in the innermost. */
void gen_write_zip_deep(struct buffer *out)
{
    struct buffer inner = made(gen_write_slices);
    for (int depth = 0; depth < 40; depth++) {
        struct buffer outer = BUFFER_INIT;
        struct gen_zip zip;
        gen_zip_start(&zip, &outer);
        gen_zip_add(&zip, STR("next"), buffer_str(&inner), GEN_ZIP_STORED);
        gen_zip_finish(&zip);
        buffer_free(&inner);
        inner = outer;
    }
    buffer_append_str(out, buffer_str(&inner));
    buffer_free(&inner);
}

/* A short name and one of 140 bytes. */
static void put_tar(struct buffer *out, enum gen_tar_dialect dialect)
{
    struct buffer trace = made(gen_write_slices), json = made(gen_write_chrome_json);
    struct buffer name = BUFFER_INIT;
    for (int i = 0; i < 6; i++)
        buffer_append_text(&name, "a_folder_of_the_tar/");
    buffer_append_text(&name, "trace.perfetto-trace");
    gen_tar_add_directory(out, STR("a_folder_of_the_tar/"));
    gen_tar_add(out, dialect, STR("b.json"), buffer_str(&json));
    gen_tar_add(out, dialect, buffer_str(&name), buffer_str(&trace));
    buffer_free(&trace);
    buffer_free(&json);
    buffer_free(&name);
}

void gen_write_tar_ustar(struct buffer *out)
{
    put_tar(out, GEN_TAR_USTAR);
    gen_tar_finish(out);
}

void gen_write_tar_gnu(struct buffer *out)
{
    put_tar(out, GEN_TAR_GNU);
    gen_tar_finish(out);
}

void gen_write_tar_pax(struct buffer *out)
{
    put_tar(out, GEN_TAR_PAX);
    gen_tar_finish(out);
}

void gen_write_tar_gz(struct buffer *out)
{
    squeeze(out, gen_write_tar_ustar, gen_gzip);
}

void gen_write_tar_no_end(struct buffer *out)
{
    put_tar(out, GEN_TAR_USTAR);
}

/* A link and a device of size 0, a piece of another volume, then a trace. */
void gen_write_tar_odd_types(struct buffer *out)
{
    struct buffer trace = made(gen_write_slices);
    gen_tar_add_type(out, '2', STR("link"), STR_NONE);
    gen_tar_add_type(out, '3', STR("device"), STR_NONE);
    gen_tar_add_type(out, 'M', STR("volume"), STR("bytes"));
    gen_tar_add(out, GEN_TAR_USTAR, STR("trace.perfetto-trace"), buffer_str(&trace));
    gen_tar_finish(out);
    buffer_free(&trace);
}
