#include "tests/gen/text_formats.h"

#include "tests/gen/wire.h"

/* Two threads: a call that another one interrupts, one that is interrupted twice. */
void gen_write_strace(struct buffer *out)
{
    buffer_append_text(out, "1000 1700000052.321000 openat(AT_FDCWD, \"/etc/(x)\", O_RDONLY) = 3\n"
                            "1000 1700000052.321100 futex(0x7f, FUTEX_WAIT, 0, <unfinished ...>\n"
                            "1001 1700000052.321200 close(3)                = -1 EBADF (Bad file)\n"
                            "1000 1700000052.321300 <... futex resumed> 0 <unfinished ...>\n"
                            "1000 1700000052.321400 <... futex resumed>)    = 0\n"
                            "[pid  1001] 1700000052.321500 getpid()          = 1001\n"
                            "1001 1700000052.321600 --- SIGCHLD {si_signo=SIGCHLD} ---\n"
                            "1001 +++ exited with 0 +++\n");
}

void gen_write_strace_odd(struct buffer *out)
{
    buffer_append_text(out, "1000 1700000052.321000 read(3) = 1\n"
                            "1700000052.321000 read(3) = 1\n"
                            "1000 12:34:56.789 read(3) = 1\n"
                            "1000 99999999999999999999.1 read(3) = 1\n"
                            "1000 1700000052.9999999 read(3) = 1\n"
                            "999999999 1700000052.1 ) = = ()))) = \n"
                            "[pid 1000 1700000052.1 read(3) = 1\n"
                            "1000 1700000052.1 <... resumed>\n"
                            "1000 1700000052.1 <...  resumed> = \n"
                            "1000 1700000052.1 (((<unfinished ...>\n"
                            "\n"
                            "\xFF\xFE\n"
                            "1000 1700000052.1 read(3");
}

/* Four jobs of three workers, the first one of two files. */
void gen_write_ninja(struct buffer *out)
{
    buffer_append_text(out, "# ninja log v5\n"
                            "0\t10\t0\ta.o\tff\n"
                            "0\t10\t0\ta.d\tff\n"
                            "2\t5\t0\tb.o\t1a\n"
                            "3\t4\t0\tc.o\t2b\n"
                            "5\t20\t0\td.o\t3c\n");
}

void gen_write_ninja_odd(struct buffer *out)
{
    buffer_append_text(out, "# ninja log v5\n"
                            "0\t10\t0\ta.o\n"
                            "x\t10\t0\ta.o\tff\n"
                            "10\t0\t0\ta.o\tff\n"
                            "-5\t10\t0\ta.o\tff\n"
                            "0\t9223372036854775807\t0\ta.o\tff\n"
                            "0\t9223372036854\t0\ta.o\tff\n"
                            "9223372036854\t9223372036854\t0\ta.o\tff\n"
                            "0\t1\t0\t\t\n"
                            "0\t1\t0\ta\tfffffffffffffffff\n");
    for (int i = 0; i < 1000; i++)
        buffer_printf(out, "%d\t%d\t0\tout/%d.o\t%x\n", i % 10, 1000 - i % 7, i, i / 3);
    buffer_append_text(out, "1\t2\t0\tcut");
}

/* Chrome's events one a line, a damaged one among them and a cut one at the end: two. */
void gen_write_json_lines(struct buffer *out)
{
    buffer_append_text(out,
                       "{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1}\n"
                       "{\"ph\":[\"\n"
                       "{\"ph\":\"X\",\"name\":\"b\",\"ts\":5,\"dur\":2,\"pid\":1,\"tid\":1}\r\n"
                       "{\"ph\":\"X\",\"na");
}

/* One event, little-endian with its mark, cut inside a character. */
void gen_write_json_utf16(struct buffer *out)
{
    static const char TEXT[] =
        "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1},";
    buffer_append(out, "\xFF\xFE", 2);
    for (const char *p = TEXT; *p; p++)
        gen_le16(out, (uint16_t)(uint8_t)*p);
    buffer_append_byte(out, '\xD8');
}
