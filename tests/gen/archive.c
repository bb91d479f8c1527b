#include "tests/gen/archive.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "engine/base/utf8.h"
#include "tests/gen/compress.h"
#include "tests/gen/wire.h"

enum {
    ZIP_VERSION = 20,
    ZIP_UTF8_NAMES = 0x800,
    ZIP_DATE_1980 = 0x21, /* 1 January 1980, 00:00: the zero of zip times */
    ZIP_FILE_MODE = 0100644,
    ZIP_FOLDER_MODE = 040755,
    ZIP_FOLDER_BIT = 0x10,
};

void gen_zip_start(struct gen_zip *zip, struct buffer *out)
{
    *zip = (struct gen_zip){.out = out, .start = out->length};
}

/* Names are marked as UTF-8 when they need it.  Readers refuse a mark on what does
 * not look like text, so such names go without, as old writers leave them. */
static bool is_marked_utf8(struct str name)
{
    size_t bad = 0;
    bool is_plain = true;
    for (size_t i = 0; i < name.n; i++) {
        unsigned char c = (unsigned char)name.p[i];
        if (c < 0x20 || c == 0x7f) return false;
        if (c > 0x7f) is_plain = false;
    }
    return !is_plain && utf8_is_valid(name, &bad);
}

/* The part that a local header and a directory entry share. */
static void put_zip_common(struct buffer *b, enum gen_zip_method method, uint32_t crc,
                           size_t packed, size_t length, struct str name)
{
    gen_le16(b, ZIP_VERSION);
    gen_le16(b, is_marked_utf8(name) ? ZIP_UTF8_NAMES : 0);
    gen_le16(b, (uint16_t)method);
    gen_le16(b, 0);
    gen_le16(b, ZIP_DATE_1980);
    gen_le32(b, crc);
    gen_le32(b, (uint32_t)packed);
    gen_le32(b, (uint32_t)length);
    gen_le16(b, (uint16_t)name.n);
    gen_le16(b, 0);
}

void gen_zip_add(struct gen_zip *zip, struct str name, struct str bytes, enum gen_zip_method method)
{
    struct buffer packed = BUFFER_INIT;
    bool is_folder = str_ends(name, STR("/"));
    uint32_t crc = (uint32_t)crc32(0, (const Bytef *)bytes.p, (uInt)bytes.n);
    size_t offset = zip->out->length - zip->start;
    if (method == GEN_ZIP_DEFLATED)
        gen_raw_deflate(&packed, bytes);
    else
        buffer_append_str(&packed, bytes);
    gen_le32(zip->out, 0x04034b50);
    put_zip_common(zip->out, method, crc, packed.length, bytes.n, name);
    buffer_append_str(zip->out, name);
    buffer_append(zip->out, packed.data, packed.length);

    struct buffer *d = &zip->directory;
    gen_le32(d, 0x02014b50);
    gen_le16(d, 3 << 8 | ZIP_VERSION); /* made on a Unix */
    put_zip_common(d, method, crc, packed.length, bytes.n, name);
    gen_le16(d, 0);
    gen_le16(d, 0);
    gen_le16(d, 0);
    gen_le32(d, is_folder ? (uint32_t)ZIP_FOLDER_MODE << 16 | ZIP_FOLDER_BIT
                          : (uint32_t)ZIP_FILE_MODE << 16);
    gen_le32(d, (uint32_t)offset);
    buffer_append_str(d, name);
    zip->count++;
    buffer_free(&packed);
}

void gen_zip_add_text(struct gen_zip *zip, const char *name, const char *text)
{
    gen_zip_add(zip, str_of(name), str_of(text), GEN_ZIP_DEFLATED);
}

void gen_zip_finish(struct gen_zip *zip)
{
    size_t offset = zip->out->length - zip->start;
    buffer_append(zip->out, zip->directory.data, zip->directory.length);
    gen_le32(zip->out, 0x06054b50);
    gen_le16(zip->out, 0);
    gen_le16(zip->out, 0);
    gen_le16(zip->out, (uint16_t)zip->count);
    gen_le16(zip->out, (uint16_t)zip->count);
    gen_le32(zip->out, (uint32_t)zip->directory.length);
    gen_le32(zip->out, (uint32_t)offset);
    gen_le16(zip->out, 0);
    gen_zip_abandon(zip);
}

void gen_zip_abandon(struct gen_zip *zip)
{
    buffer_free(&zip->directory);
}

enum {
    TAR_BLOCK = 512,
    TAR_NAME = 0,
    TAR_NAME_BYTES = 100,
    TAR_MODE = 100,
    TAR_UID = 108,
    TAR_GID = 116,
    TAR_SIZE = 124,
    TAR_MTIME = 136,
    TAR_CHECKSUM = 148,
    TAR_TYPE = 156,
    TAR_MAGIC = 257,
    TAR_PREFIX = 345,
    TAR_PREFIX_BYTES = 155,
};

static void put_octal(char *at, size_t digits, size_t value)
{
    snprintf(at, digits + 1, "%0*zo", (int)digits, value);
}

static void put_tar_header(struct buffer *out, enum gen_tar_dialect dialect, char type,
                           struct str prefix, struct str name, size_t length)
{
    char block[TAR_BLOCK] = {0};
    unsigned sum = 0;
    if (name.n > TAR_NAME_BYTES) name.n = TAR_NAME_BYTES;
    if (prefix.n > TAR_PREFIX_BYTES) prefix.n = TAR_PREFIX_BYTES;
    if (name.n) memcpy(block + TAR_NAME, name.p, name.n);
    if (prefix.n) memcpy(block + TAR_PREFIX, prefix.p, prefix.n);
    put_octal(block + TAR_MODE, 7, type == '5' ? 0755 : 0644);
    put_octal(block + TAR_UID, 7, 0);
    put_octal(block + TAR_GID, 7, 0);
    put_octal(block + TAR_SIZE, 11, length);
    put_octal(block + TAR_MTIME, 11, 0);
    memset(block + TAR_CHECKSUM, ' ', 8);
    block[TAR_TYPE] = type;
    memcpy(block + TAR_MAGIC, dialect == GEN_TAR_GNU ? "ustar  " : "ustar\00000", 8);
    for (size_t i = 0; i < sizeof block; i++)
        sum += (unsigned char)block[i];
    put_octal(block + TAR_CHECKSUM, 6, sum);
    buffer_append(out, block, sizeof block);
}

static void put_tar_body(struct buffer *out, struct str bytes)
{
    static const char zeros[TAR_BLOCK];
    buffer_append_str(out, bytes);
    buffer_append(out, zeros, (TAR_BLOCK - bytes.n % TAR_BLOCK) % TAR_BLOCK);
}

static void put_long_name(struct buffer *out, enum gen_tar_dialect dialect, struct str name)
{
    struct buffer record = BUFFER_INIT;
    if (dialect == GEN_TAR_GNU) {
        buffer_append_str(&record, name);
        buffer_append_byte(&record, '\0');
        put_tar_header(out, dialect, 'L', STR_NONE, STR("././@LongLink"), record.length);
    } else {
        /* "LENGTH path=NAME\n", where LENGTH counts its own digits */
        size_t rest = name.n + strlen(" path=\n");
        size_t length = rest + 3;
        buffer_printf(&record, "%zu path=", length < 100 ? rest + 2 : length);
        buffer_append_str(&record, name);
        buffer_append_byte(&record, '\n');
        put_tar_header(out, dialect, 'x', STR_NONE, STR("PaxHeaders/0"), record.length);
    }
    put_tar_body(out, buffer_str(&record));
    buffer_free(&record);
}

/* The '/' at which ustar cuts a long name in two. */
static bool split_name(struct str name, struct str *prefix, struct str *rest)
{
    for (size_t i = name.n; i-- > 1;)
        if (name.p[i] == '/' && i <= TAR_PREFIX_BYTES && name.n - i - 1 <= TAR_NAME_BYTES) {
            *prefix = str_slice(name, 0, i);
            *rest = str_slice(name, i + 1, name.n);
            return true;
        }
    return false;
}

void gen_tar_add(struct buffer *out, enum gen_tar_dialect dialect, struct str name,
                 struct str bytes)
{
    struct str prefix = STR_NONE, rest = name;
    if (name.n > TAR_NAME_BYTES && !(dialect == GEN_TAR_USTAR && split_name(name, &prefix, &rest)))
        put_long_name(out, dialect, name);
    put_tar_header(out, dialect, '0', prefix, rest, bytes.n);
    put_tar_body(out, bytes);
}

void gen_tar_add_directory(struct buffer *out, struct str name)
{
    put_tar_header(out, GEN_TAR_USTAR, '5', STR_NONE, name, 0);
}

void gen_tar_add_type(struct buffer *out, char type, struct str name, struct str bytes)
{
    put_tar_header(out, GEN_TAR_USTAR, type, STR_NONE, name, bytes.n);
    put_tar_body(out, bytes);
}

void gen_tar_finish(struct buffer *out)
{
    static const char zeros[2 * TAR_BLOCK];
    buffer_append(out, zeros, sizeof zeros);
}
