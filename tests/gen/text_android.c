#include "tests/gen/archive.h"
#include "tests/gen/text_formats.h"

/* Four lines of all priorities that matter, one tag with colons. */
void gen_write_logcat(struct buffer *out)
{
    buffer_append_text(out, "--------- beginning of main\n"
                            "01-02 03:04:05.678  1000  1001 I Demo    : hello\n"
                            "01-02 03:04:05.700  1000  1002 E Demo    : oops: it broke\n"
                            "--------- switch to kernel\n"
                            "01-02 03:04:05.690000     0     0 W a::b    : from the kernel\n"
                            "01-02 03:04:06.000  1000  1001 V         : no tag\n");
}

/* With users and years; numbers out of range, missing columns, bytes that are no text. */
void gen_write_logcat_odd(struct buffer *out)
{
    buffer_append_text(out, "2024-02-29 03:04:05.123456789123  root  1000  1001 I Demo: leap day\n"
                            "2024-02-29 03:04:05.1  10042  1000  1001 F Demo: \xFF\xFE bytes\r\r\n"
                            "9999-12-31 23:59:59.9  root  1000  1001 I Demo: too late\n"
                            "0001-01-01 00:00:00.0  root  1000  1001 I Demo: too early\n"
                            "2024-13-29 03:04:05.1  root  1000  1001 I Demo: no month\n"
                            "2024-02-29 25:04:05.1  root  1000  1001 I Demo: no hour\n"
                            "2024-02-29 03:04:05.1  root  99999999999  1 I Demo: no pid\n"
                            "2024-02-29 03:04:05.1  root  1  1\n"
                            "2024-02-29 03:04:05.1  root  1  1 I without any end of its tag\n"
                            "2024-02-29 03:04:05.x                                \n"
                            "short\n"
                            "2024-02-29 03:04:07.1  root  1  1 I Demo: cut");
}

static void put_dumpstate(struct buffer *out)
{
    buffer_append_text(
        out, "========================================================\n"
             "== dumpstate: 2022-06-24 16:24:37\n"
             "========================================================\n"
             "\n"
             "Build: example-userdebug 12\n"
             "------ BLOCK STAT (/sys/block/dm-0) ------\n"
             "       1        2\n"
             "------ SYSTEM LOG (logcat -v threadtime -v printable -v uid -d *:v) ------\n"
             "--------- beginning of main\n"
             "06-24 16:24:23.441  root     1     2 I Tag     : both\n"
             "06-24 16:24:24.441  root     1     2 I Tag     : text only\n"
             "not a line of the log, but long enough to be\n"
             "------ 0.356s was the duration of 'SYSTEM LOG' ------\n"
             "------ DUMPSYS (/system/bin/dumpsys) ------\n"
             "-------------------------------------------------------------------\n"
             "DUMP OF SERVICE HIGH alarm:\n"
             "  nowRTC=x\n"
             "  nowRTC=1656080663441=2022-06-24 16:24:23.441 nowELAPSED=5\n"
             "--------- 0.1s was the duration of dumpsys alarm, ending at: 2022-06-24\n"
             "DUMP OF SERVICE\n"
             "------ CHECKIN BATTERYSTATS (/system/bin/dumpsys batterystats -c) ------\n"
             "9,0,i,vers,36,214,A,B\n"
             "9,h,0:RESET:TIME:1656080663000\n"
             "9,h,5,Bl=80,+S\n"
             "------ EVENT LOG (logcat -b events -v threadtime -v printable -v uid) ------\n"
             "06-24 16:24:25.441  root     1     2 I am_event: [0,1]\n");
}

/* A section of each kind, the log in two of them with the zone between: three lines. */
void gen_write_dumpstate(struct buffer *out)
{
    put_dumpstate(out);
}

/* Wake locks that overlap, states with words and numbers, the battery. */
void gen_write_battery(struct buffer *out)
{
    buffer_append_text(out, "9,0,i,vers,36,214,A,B\n"
                            "9,hsp,0,10216,\"com.example.app\"\n"
                            "9,hsp,1,1001,\"*alarm*, with a comma\"\n"
                            "9,h,0:RESET:TIME:1732816430344\n"
                            "9,h,0,Bl=100,Bs=d,Bh=g,Bp=n,Bt=251,Bv=4395,Bcc=4263,+r,+w,+S,Pcn=lte,"
                            "Pss=3,Wsp=compl,Gss=none,Etp=0\n"
                            "9,h,10,+w=0\n"
                            "9,h,10,+w=1\n"
                            "9,h,10,-w=0,-S\n"
                            "9,h,10,-w=1,+Esy=1,-Esy=1\n"
                            "9,h,100:SHUTDOWN\n");
}

/* No version, no time, indexes that are not there, numbers that do not fit. */
void gen_write_battery_odd(struct buffer *out)
{
    buffer_append_text(out,
                       "9,0,i,vers,x,214\n"
                       "9,hsp,99999999999999999999,1,\"a\"\n"
                       "9,hsp,-1,1,\n"
                       "9,hsp,0,1,\"\n"
                       "9,h,0:RESET:TIME:9223372036854775807\n"
                       "9,h,1,+w=0\n"
                       "9,h,-9223372036854775807,Etp=5\n"
                       "9,h,0:TIME:5\n"
                       "9,h,1,=,+,-,+=,E=,Exx=0,+w=0,-w=9,Bl=,Bl=x,Bs=q,Bp=,Bv=9e9,Pcn=,x=1=2\n"
                       "9,0,i,vers,40\n"
                       "9,h,1,-w=7,+w=-1,+w=-1\n"
                       "8,h,1,Bl=1\n"
                       "9\n"
                       "\n"
                       "9,h,1,Bl=");
}

/* The text, a kept log with one line that the text holds too, and files of the phone. */
void gen_write_bugreport(struct buffer *out)
{
    struct gen_zip zip;
    struct buffer text = BUFFER_INIT;
    put_dumpstate(&text);
    gen_zip_start(&zip, out);
    gen_zip_add_text(&zip, "version.txt", "2.0");
    gen_zip_add(&zip, STR("bugreport-example-2022-06-24-16-24-37.txt"), buffer_str(&text),
                GEN_ZIP_DEFLATED);
    gen_zip_add_text(&zip, "FS/data/misc/logd/logcat.001",
                     "06-24 16:24:22.441532     1     2 I Tag: kept only\n"
                     "06-24 16:24:23.441532     1     2 I Tag: both\n");
    gen_zip_add_text(&zip, "FS/data/misc/logd/logcat.id", "1");
    gen_zip_add_text(&zip, "FS/proc/uptime", "not for readers");
    gen_zip_finish(&zip);
    buffer_free(&text);
}
