#include "tests/gen/compress.h"
#include "tests/gen/text_formats.h"

#define START_US 1000000

/* One line at `us` after the start. */
static void line(struct buffer *out, const char *task, int tid, int tgid, unsigned cpu, int us,
                 const char *event)
{
    int at = START_US + us;
    buffer_printf(out, "%16s-%-5d (%5d) [%03u] d..2 %5d.%06d: %s\n", task, tid, tgid, cpu,
                  at / 1000000, at % 1000000, event);
}

static void head(struct buffer *out)
{
    buffer_append_text(out, "# tracer: nop\n"
                            "#\n"
                            "#           TASK-PID    TGID   CPU#  ||||    TIMESTAMP  FUNCTION\n");
}

/* A thread that runs twice on two CPUs, marks of every form, and one event of each
 * kind that is read: 5 slices of marks, 3 switches. */
static void events(struct buffer *out)
{
    line(out, "<idle>", 0, 0, 0, 0, "sched_waking: comm=work er pid=12 prio=120 target_cpu=000");
    line(out, "<idle>", 0, 0, 0, 1,
         "sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> "
         "next_comm=work er next_pid=12 next_prio=97");
    line(out, "work er", 12, 10, 0, 2, "tracing_mark_write: B|10|outer|with bar");
    line(out, "work er", 12, 10, 0, 3, "tracing_mark_write: B|10|inner");
    line(out, "work er", 12, 10, 0, 4, "tracing_mark_write: C|10|depth|-7");
    line(out, "work er", 12, 10, 0, 5, "tracing_mark_write: S|10|async|99");
    line(out, "work er", 12, 10, 0, 6, "print: I|10|instant");
    line(out, "work er", 12, 10, 0, 7, "0: E|10");
    line(out, "work er", 12, 10, 0, 8, "tracing_mark_write: F|10|async|99");
    line(out, "work er", 12, 10, 0, 9, "tracing_mark_write: N|10|track|on it");
    line(out, "work er", 12, 10, 0, 10, "tracing_mark_write: E");
    line(out, "work er", 12, 10, 0, 11,
         "sched_switch: prev_comm=work er prev_pid=12 prev_prio=97 prev_state=D|K ==> "
         "next_comm=swapper/0 next_pid=0 next_prio=120");
    line(out, "<idle>", 0, 0, 0, 12, "sched_blocked_reason: pid=12 iowait=1 caller=read_page+0x8");
    line(out, "<...>", 13, 10, 1, 13,
         "sched_switch: prev_comm=other prev_pid=13 prev_prio=120 prev_state=S ==> "
         "next_comm=work er next_pid=12 next_prio=97");
    line(out, "work er", 12, 10, 1, 14, "cpu_frequency: state=1804800 cpu_id=1");
    line(out, "work er", 12, 10, 1, 15, "cpu_frequency_limits: min=300000 max=1804800 cpu_id=1");
    line(out, "<idle>", 0, 0, 0, 16, "cpu_idle: state=4294967295 cpu_id=0");
    line(out, "work er", 12, 10, 1, 17, "clock_set_rate: gpu_clk state=200 cpu_id=1");
    line(out, "work er", 12, 10, 1, 18, "clock_enable: gpu_clk state=1 cpu_id=1");
    line(out, "work er", 12, 10, 1, 19, "workqueue_execute_start: work struct 0x1: function flush");
    line(out, "work er", 12, 10, 1, 20, "workqueue_execute_end: work struct 0x1");
    line(out, "work er", 12, 10, 1, 21, "thermal_temperature: thermal_zone=skin id=0 temp=31000");
    line(out, "work er", 12, 10, 1, 22, "cdev_update: type=fan target=2");
    line(out, "work er", 12, 10, 1, 23, "rss_stat: size=8437760 member=1 curr=1 mm_id=28");
    line(out, "work er", 12, 10, 1, 24, "binder_lock: tag=binder_ioctl");
    line(out, "work er", 12, 10, 1, 25, "binder_locked: tag=binder_ioctl");
    line(out, "work er", 12, 10, 1, 26, "binder_unlock: tag=binder_ioctl");
    line(out, "work er", 12, 10, 1, 27,
         "binder_transaction: transaction=5 dest_node=4 dest_proc=13 dest_thread=0 reply=0 "
         "flags=0x10 code=0x3");
    line(out, "work er", 12, 10, 1, 28,
         "binder_transaction_alloc_buf: transaction=5 data_size=88 offsets_size=0");
    line(out, "other", 13, 10, 0, 29, "binder_transaction_received: transaction=5");
    line(out, "other", 13, 10, 0, 30,
         "binder_transaction: transaction=6 dest_node=0 dest_proc=10 dest_thread=12 reply=1 "
         "flags=0x0 code=0x0");
    line(out, "work er", 12, 10, 1, 31, "binder_transaction_received: transaction=6");
    line(out, "work er", 12, 10, 1, 32, "binder_return: cmd=0x7211 BR_FAILED_REPLY");
}

void gen_write_systrace(struct buffer *out)
{
    head(out);
    events(out);
}

/* Behind a line with the number of CPUs: numbers that do not fit, missing columns and
 * args, marks that are none, bytes that are no UTF-8, thousands of tasks. */
void gen_write_systrace_odd(struct buffer *out)
{
    buffer_append_text(out, "cpus=8\n");
    events(out);
    buffer_append_text(out, "a-1 [0] 99999999999.0: print: E\n"
                            "a-1 [9999999] 1.0: print: B|1|x\n"
                            "a-99999999999 [0] 1.0: print: E\n"
                            "a-1 (99999999999) [0] 0.0: print: E|x\n"
                            "a-1--2-3 (1 [0] 1.0: e: x\n"
                            "no event at all\n"
                            "a-1 (--) [0] d...311 1.5: sched_switch: prev_pid=1\n"
                            "a-1 [0] 1.5: sched_switch: prev_comm= prev_pid=1 prev_prio=1 "
                            "prev_state=?? ==> next_comm= next_pid=4294967295 next_prio=-1\n"
                            "a-1 [0] 1.5: cpu_idle: state=nan cpu_id=4000000000\n"
                            "a-1 [0] 1.5: binder_transaction: transaction=1=2 dest_node=x\n"
                            "a-1 [0] 1.5: binder_transaction_received: transaction=77\n"
                            "a-1 [0] 1.5: rss_stat: size=-5 member=99\n"
                            "a-1 [0] 1.5: print: C|1|x|nan\n"
                            "a-1 [0] 1.5: print: \xFF\xFE B|\xC0\n"
                            "a-1 [0] 1.5: print: H|1\r\n");
    for (int i = 0; i < 2000; i++)
        buffer_printf(out, "t%d-%d (%d) [%d] 2.%06d: print: B|%d|n%d\n", i, i, i % 7, i % 2000, i,
                      i % 7, i);
    buffer_append_text(out, "a-1 [0] 1.5: pri");
}

/* Tables of processes, groups, the events, and a section behind them that is not read. */
void gen_write_systrace_html(struct buffer *out)
{
    static const char SECTION[] = "  <script class=\"trace-data\" type=\"application/text\">\n";
    buffer_append_text(out, "<!DOCTYPE html>\n<html>\n<body>\n");
    buffer_append_text(out, SECTION);
    buffer_append_text(out, "PROCESS DUMP\n"
                            "USER PID PPID VSZ RSS WCHAN PC S NAME COMM\n"
                            "u0_a1 10 1 1024 512 wait 0 S com.example.app example\n"
                            "u0_a1 x 1 1024 512 wait 0 S com.example.app example\n"
                            "USER PID TID CMD\n"
                            "u0_a1 10 14 Render Thread\n"
                            "u0_a1 10 y Render Thread\n"
                            "  </script>\n");
    buffer_append_text(out, SECTION);
    buffer_append_text(out, "CGROUP DUMP\ncpuset 4 7 1\n  </script>\n");
    buffer_append_text(out, SECTION);
    gen_write_systrace(out);
    buffer_append_text(out, "  </script>\n");
    buffer_append_text(out, SECTION);
    buffer_append_text(out, "{\"traceEvents\": []}\n  </script>\n</body>\n</html>\n");
}

/* As `atrace -z` writes it. */
void gen_write_ctrace(struct buffer *out)
{
    struct buffer text = BUFFER_INIT;
    gen_write_systrace(&text);
    buffer_append_text(out, "capturing trace... done\nTRACE:\n");
    gen_zlib(out, buffer_str(&text));
    buffer_free(&text);
}

/* The same text as a string of Chrome JSON, with one event beside it. */
void gen_write_system_trace_json(struct buffer *out)
{
    struct buffer text = BUFFER_INIT;
    gen_write_systrace(&text);
    buffer_append_text(out, "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"chrome\",\"ts\":1000000,"
                            "\"dur\":5,\"pid\":10,\"tid\":12}],\"systemTraceEvents\":\"");
    for (size_t i = 0; i < text.length; i++) {
        char c = buffer_text(&text)[i];
        if (c == '\n')
            buffer_append_text(out, "\\n");
        else
            buffer_append_byte(out, c);
    }
    buffer_append_text(out, "no event\\ncut\"}");
    buffer_free(&text);
}
