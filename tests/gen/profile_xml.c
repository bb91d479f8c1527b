/* Tables of Instruments, as xctrace exports them, and call trees copied out of it. */
#include "tests/gen/profile_formats.h"

static const char HEAD[] =
    "<?xml version=\"1.0\"?>\n<trace-query-result>\n<node xpath='//trace-toc[1]/run[1]/data[1]/"
    "table[7]'><schema name=\"time-profile\"><col><mnemonic>time</mnemonic></col></schema>\n";
static const char FIRST_ROW[] =
    "<row><sample-time id=\"1\" fmt=\"00:00.001\">1000</sample-time>"
    "<thread id=\"2\" fmt=\"main &lt;0x10&gt; (app, pid: 77)\"><tid id=\"3\" fmt=\"0x10\">16</tid>"
    "<process id=\"4\" fmt=\"app (77)\"><pid id=\"5\" fmt=\"77\">77</pid></process></thread>"
    "<process ref=\"4\"/><core id=\"6\" fmt=\"CPU 3\">3</core><weight id=\"7\">1000000</weight>"
    "<tagged-backtrace id=\"8\" fmt=\"leaf\"><backtrace id=\"9\">"
    "<frame id=\"10\" name=\"leaf&#x41;\" addr=\"0x1010\"><binary id=\"11\" name=\"app\" "
    "UUID=\"AB12-cd34\" arch=\"arm64\" load-addr=\"0x1000\" path=\"/bin/a&amp;b\"/></frame>"
    "<frame id=\"12\" name=\"main\" addr=\"0x1101\"><binary ref=\"11\"/></frame>"
    "<frame id=\"13\" name=\"start\" addr=\"0x99\"/></backtrace></tagged-backtrace></row>\n";

/* Three samples of two threads of one process, the second by reference only; a
 * clock snapshot: at 2000 ns of the file BOOTTIME is 5000 ns. */
void gen_write_instruments(struct buffer *out)
{
    buffer_append_text(out, HEAD);
    buffer_append_text(out, FIRST_ROW);
    buffer_append_text(
        out, "<!-- again --><row><sample-time id=\"20\">3000</sample-time><thread ref=\"2\"/>"
             "<core ref=\"6\"/><tagged-backtrace ref=\"8\"/></row>\n"
             "<row><sample-time id=\"21\">2500</sample-time>"
             "<thread id=\"22\" fmt=\"pool\"><tid id=\"23\">17</tid><process ref=\"4\"/></thread>"
             "<backtrace id=\"24\"><frame ref=\"12\"/></backtrace></row></node>\n"
             "<node><row><event-time id=\"30\">2000</event-time><thread ref=\"2\"/>"
             "<subsystem id=\"31\"><![CDATA[dev.perfetto.clock_sync]]></subsystem>"
             "<os-log-metadata id=\"32\"><uint64 id=\"33\">5000</uint64></os-log-metadata></row>"
             "<row><event-time ref=\"30\"/><subsystem id=\"34\">other</subsystem></row></node>\n"
             "</trace-query-result>\n");
}

/* Ends in the second row. */
void gen_write_instruments_cut(struct buffer *out)
{
    buffer_append_text(out, HEAD);
    buffer_append_text(out, FIRST_ROW);
    buffer_append_text(out, "<row><sample-time id=\"20\">30");
}

/* References to nothing or to another kind, rows that lack what a sample needs,
 * numbers that are none, then a tag that does not match; one sample is right. */
void gen_write_instruments_odd(struct buffer *out)
{
    buffer_append_text(out, HEAD);
    buffer_append_text(out, FIRST_ROW);
    buffer_append_text(
        out, "<row/><row><sample-time id=\"x\">y</sample-time></row>"
             "<row><sample-time>1</sample-time><thread ref=\"4\"/><backtrace ref=\"9\"/></row>"
             "<row><sample-time>1</sample-time><thread ref=\"2\"/><backtrace ref=\"2\"/></row>"
             "<row><sample-time>1</sample-time><thread fmt=\"t\"/><backtrace ref=\"9\"/></row>"
             "<row><sample-time>1</sample-time><thread><tid>1</tid><process/></thread>"
             "<backtrace ref=\"9\"/></row>"
             "<row><sample-time>99999999999999999999</sample-time><backtrace><frame ref=\"700\"/>"
             "</backtrace></row>"
             "<row><backtrace><backtrace/><frame/></backtrace></row><frame/><backtrace/><uint64/>"
             "<row><sample-time>7</sample-time></wrong></row></node></trace-query-result>");
}

/* ---- deep copies ---- */

/* Four nodes that spent 0, 846, 1500 and 2 ms themselves; a line that is none. */
void gen_write_instruments_copy(struct buffer *out)
{
    buffer_append_text(out, "Weight\tSelf Weight\tSymbol Names\n"
                            "2.35 s  100.0%\t0 s\t   start\n"
                            "2.35 s  99.9%\t846.00 ms\t    main\n"
                            "1.50 s  63.8%\t1.50 s\t     delta()\n"
                            "what is this\n"
                            "2.00 ms  \xE2\x80\x87"
                            "0.0%\t2.00 ms\t    exit\n\n");
}

/* Bytes, and no column of its own for what a node took itself: root 0, a 1 MB, b 3 MB. */
void gen_write_instruments_copy_bytes(struct buffer *out)
{
    buffer_append_text(out, "Bytes Used\tCount\t\tSymbol Name\r\n"
                            "   4.00 MB     100.0%\t9\t \troot\r\n"
                            "   4.00 MB     100.0%\t9\t \t a\r\n"
                            "   3.00 MB      75.0%\t5\t \t  b\r\n");
}
