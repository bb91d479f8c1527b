/* Kernel events of drivers: graphics, storage, networks, memory, power, interrupts. */
#include "tests/gen/features.h"

#include "tests/gen/ftrace.h"
#include "tests/gen/notation.h"
#include "tests/gen/packet.h"

/* CPU 0 has the lines; process 50 is "app", with the thread 51. */
static void write_kernel(struct buffer *out, const struct gen_kernel_line *lines, size_t count)
{
    const struct gen_process process = {.pid = 50, .ppid = 1, .name = "app"};
    const struct gen_thread thread = {51, 50, "worker"};
    struct gen_ftrace cpu;
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    gen_packet_process_tree(out, GEN_FEATURES_START, 1, &process, 1, &thread, 1);
    gen_ftrace_start(&cpu, 0);
    gen_notation_kernel(&cpu, lines, count);
    gen_ftrace_flush(&cpu, out, 1);
    gen_ftrace_free(&cpu);
}
#define WRITE(out, lines) write_kernel(out, lines, sizeof(lines) / sizeof *(lines))

/* Vertical blanks; two jobs of a ring of which the second waits, and one as newer
 * kernels name it; commands to a virtual GPU; a GPU with a clock of its own. */
void gen_write_kernel_graphics(struct buffer *out)
{
    static const struct gen_kernel_line lines[] = {
        {10, 50, 409, "1:0 3:7"},
        {11, 50, 410, "1:0 3:7"},
        {20, 50, 411, "2:0xa0 4:1 6:'gfx'"},
        {21, 50, 411, "2:0xb0 4:2 6:'gfx'"},
        {22, 51, 412, "2:0xa0 4:1 6:'gfx'"},
        {23, 51, 412, "2:0xb0 4:2 6:'gfx'"},
        {30, 51, 413, "1:0xa0"},
        {40, 51, 413, "1:0xb0"},
        {41, 51, 413, "1:0xc0"},
        {50, 50, 593, "1:'copy' 5:3 6:4"},
        {51, 51, 594, "1:'copy' 5:3 6:4"},
        {55, 51, 592, "1:3 2:4"},
        {60, 50, 468, "5:'control' 6:10 7:1 8:0x207"},
        {65, 50, 469, "5:'control' 6:11 7:1 8:0x1100"},
        {66, 50, 468, "5:'cursor' 6:9 7:2 8:0x300"},
        {67, 50, 469, "3:9 5:'cursor' 6:9 7:2"},
        {68, 50, 468, "5:'control' 6:9 7:3 8:0x104"},
        {68, 50, 468, "5:'cursor' 6:9 7:4 8:0x301"},
        {68, 50, 468, "5:'control' 6:9 7:5 8:0x999"},
        {69, 50, 468, "5:'other' 7:6"},
        {70, 50, 537, "1:5"},
        {71, 50, 534, "1:5"},
        {72, 50, 536, "3:1000"},
        {73, 51, 537, "1:5 6:1192 7:2152 8:3"},
        {74, 51, 537, "1:6 6:1192 7:2152 8:3"},
        {80, 0, 478, "1:1"},
        {81, 0, 476, ""},
        {82, 0, 478, "1:3 2:0"},
        {83, 0, 477, ""},
        {84, 0, 588, ""},
        {85, 0, 587, "1:5 2:6"},
        {86, 0, 584, ""},
    };
    WRITE(out, lines);
}

/* Commands to a flash disk, one for each name that is known; what a file system sums
 * up; bytes of a network interface, packets that were sent again and dropped. */
void gen_write_kernel_io(struct buffer *out)
{
    static const struct gen_kernel_line lines[] = {
        {10, 50, 406, "2:3 5:0x2a 7:1 9:5"},
        {15, 50, 406, "7:1 10:1"},
        {20, 50, 406, "5:0x00 7:2"},
        {21, 50, 406, "5:0x03 7:3"},
        {22, 50, 406, "5:0x12 7:4"},
        {23, 50, 406, "5:0x1b 7:5"},
        {24, 50, 406, "5:0x25 7:6"},
        {25, 50, 406, "5:0x28 7:7"},
        {26, 50, 406, "5:0x2f 7:8"},
        {27, 50, 406, "5:0x35 7:9"},
        {28, 50, 406, "5:0x42 7:10"},
        {29, 50, 406, "5:0x55 7:11"},
        {30, 50, 406, "5:0x5a 7:12"},
        {31, 50, 406, "5:0x88 7:13"},
        {32, 50, 406, "5:0x8a 7:14"},
        {33, 50, 406, "5:0xa2 7:15"},
        {34, 50, 406, "5:0xb5 7:16"},
        {35, 50, 406, "5:0xee 7:17"},
        {40, 50, 407, "2:3"},
        {50, 50, 419, "9:0x00800102 8:7 23:9"},
        {51, 50, 420, "10:0x00800102 3:5 14:6"},
        {60, 50, 360, "1:2048 2:'wlan0'"},
        {61, 50, 360, "1:1024 2:'wlan0'"},
        {62, 50, 361, "1:4096 2:'wlan0' 3:0"},
        {63, 50, 361, "1:4096 2:'wlan0' 3:1"},
        {64, 50, 363, "2:443 6:5000"},
        {65, 50, 367, "2:0x0800"},
        {66, 50, 367, "2:1"},
        {67, 50, 365, "10:'eth0'"},
        {68, 50, 366, ""},
    };
    WRITE(out, lines);
}

/* Sizes of processes whose address spaces are named, allocators that tell what they
 * had and what changed, reclaim, kills, faults; processes that nobody has named. */
void gen_write_kernel_memory(struct buffer *out)
{
    static const struct gen_kernel_line lines[] = {
        {10, 50, 313, "1:0 2:4096 3:1 4:7"},
        {11, 51, 313, "1:0 2:8192 3:0 4:7"},
        {12, 50, 359, "1:0 2:1 3:7 4:1"},
        {13, 50, 359, "1:0 2:1 3:99 4:1"},
        {20, 50, 334, "1:51"},
        {30, 50, 315, "1:'sys' 2:100 3:1000"},
        {31, 50, 314, "1:'sys' 2:40 3:1100"},
        {40, 50, 335, "1:5 2:8192 3:8192"},
        {45, 50, 335, "1:5 2:-8192 3:0"},
        {50, 50, 351, "1:6 2:4096 3:4096"},
        {55, 50, 351, "1:6 2:-4096 3:0"},
        {60, 50, 347, "1:1 2:10 3:20"},
        {61, 50, 347, "1:9 2:1 3:2"},
        {70, 50, 340, "1:0 2:0 3:1000"},
        {71, 50, 340, "1:0 2:50 3:600"},
        {72, 50, 340, "1:0 2:999 3:5"},
        {80, 50, 35, "1:'app' 2:50"},
        {81, 50, 35, "1:'stranger' 2:998"},
        {90, 51, 46, "1:2 2:1 3:3264"},
        {95, 51, 47, "1:12"},
        {100, 51, 577, "3:1"},
        {101, 51, 465, "4:'cma'"},
        {102, 51, 577, "3:1 4:2 5:3"},
        {105, 51, 576, "1:'cma' 2:77 4:8"},
        {110, 51, 465, ""},
        {115, 51, 466, "2:8 3:1 4:2 5:3 6:'old' 7:4 8:5 9:6 10:78"},
        {120, 51, 328, "1:1 2:2 3:3 4:1"},
        {121, 51, 328, "4:77"},
        {130, 50, 326, "1:'app' 2:900 3:50"},
    };
    WRITE(out, lines);
}

/* Limits and load of a CPU, clocks of three kinds, temperatures with a time of their
 * own, going to sleep, wakelocks, GPUs of two drivers. */
void gen_write_kernel_power(struct buffer *out)
{
    static const struct gen_kernel_line lines[] = {
        {10, 50, 12, "1:300000 2:1800000 3:0"},
        {11, 50, 421, "2:1024 4:0 6:512 11:3"},
        {20, 50, 14, "1:'bus' 2:1 3:0"},
        {21, 50, 15, "1:'bus' 2:0 3:0"},
        {22, 50, 16, "1:'bus' 2:400000 3:0"},
        {23, 50, 320, "1:'uart'"},
        {24, 50, 321, "1:'uart'"},
        {25, 50, 322, "1:'uart' 2:19200"},
        {30, 50, 541, "1:'ddr' 2:1866"},
        {40, 50, 341, "2:41000 4:'skin'"},
        {41, 50, 342, "1:2 2:'fan'"},
        {42, 50, 506, "1:0 2:55 4:3 11:1000000000033"},
        {43, 50, 507, "1:2 2:44 4:1"},
        {44, 50, 507, "1:99 2:1"},
        {50, 50, 481, "1:1"},
        {55, 50, 481, "1:0"},
        {60, 50, 113, "1:'timekeeping_freeze' 2:3 3:1"},
        {65, 50, 113, "1:'timekeeping_freeze' 2:5 3:0"},
        {66, 50, 113, "1:'dpm_suspend' 2:2 3:1"},
        {68, 50, 113, "1:'dpm_suspend' 2:2 3:0"},
        {70, 50, 404, "1:'radio'"},
        {75, 50, 405, "1:'radio'"},
        {80, 50, 332, "1:0 2:500000"},
        {81, 50, 509, "1:600000000 2:1"},
        {90, 50, 11, "1:1200000 2:0"},
        {91, 50, 13, "1:2 2:0"},
    };
    WRITE(out, lines);
}

/* What runs between threads: interrupts of each kind, work of a function without a
 * name, signals, a probe; locks of binder, a call of one way and one that fails. */
void gen_write_kernel_interrupts(struct buffer *out)
{
    static const struct gen_kernel_line lines[] = {
        {10, 0, 21, "1:'Rescheduling interrupts'"},
        {12, 0, 22, "1:'Rescheduling interrupts'"},
        {13, 0, 559, "1:26"},
        {15, 0, 560, "1:26"},
        {16, 0, 24, "1:99"},
        {17, 0, 25, "1:99"},
        {20, 51, 58, "1:0x10 2:0xffff10"},
        {25, 51, 57, "1:0x10"},
        {30, 50, 325, "4:51 6:9"},
        {31, 51, 324, "3:9"},
        {40, 50, 542, "1:'do_work' 2:1"},
        {42, 50, 542, "1:'do_work' 2:2"},
        {43, 50, 542, "1:'seen' 2:3"},
        {44, 50, 542, "1:'seen' 2:0"},
        {50, 50, 53, "1:'lock'"},
        {51, 50, 54, "1:'lock'"},
        {55, 50, 55, "1:'lock'"},
        {60, 50, 50, "1:700 2:5 3:60 4:0 5:0 6:1 7:0x11"},
        {61, 61, 51, "1:700"},
        {70, 50, 50, "1:701 2:5 3:60 4:61 5:0 6:2 7:0x10"},
        {71, 50, 323, "1:128 2:701 3:8"},
        {72, 61, 51, "1:701"},
        {73, 61, 323, "1:64 2:702 3:0"},
        {78, 50, 486, "1:0x7211"},
        {79, 50, 486, "1:0x7211"},
        {79, 50, 486, "1:1"},
        {79, 50, 51, "1:799"},
    };
    WRITE(out, lines);
}

/* Marks as each driver writes them, some without what they need, and those of Android
 * that mean more than they say. */
void gen_write_kernel_marks(struct buffer *out)
{
    static const struct gen_kernel_line lines[] = {
        {10, 50, 331, "1:1 2:'zero' 3:50"},
        {12, 50, 331, "1:2 3:50"},
        {13, 50, 331, "1:4 2:'level' 3:50 4:8"},
        {14, 50, 331, "1:9"},
        {20, 50, 80, "1:50 2:'mdss' 3:1"},
        {22, 50, 80, "1:50 2:'mdss' 3:0"},
        {30, 50, 333, "1:50 2:'sde' 3:66 4:0"},
        {32, 50, 333, "1:50 2:'sde' 3:69"},
        {33, 50, 348, "1:50 4:'dpu' 5:67 6:5"},
        {34, 50, 350, "1:'mali' 2:50 3:73 4:5"},
        {35, 50, 467, "3:50"},
        {40, 50, 3, "2:'B|50|lmk,60,3,900'"},
        {41, 50, 3, "2:'E|50'"},
        {42, 50, 3, "2:'C|50|ScreenState|2'"},
        {43, 50, 3, "2:'C|50|battery_stats.audio|1'"},
        {44, 50, 3, "2:'C|50|kill_one_process|60'"},
        {45, 50, 3, "2:'N|50|DeviceStateChanged|OPENED'"},
    };
    WRITE(out, lines);
}

/* Times in a clock of the kernel that bundles tie to boot time, in one that is not known
 * and in one that is never told; a bundle of no CPU. */
void gen_write_kernel_clocks(struct buffer *out)
{
    static const struct gen_line lines[] = {
        {0, "1{1:0 5:3 6:5000 7:1000000000000 9:4000 10:5000 2{1:5100 2:50 3{2:'B|50|local'}}}"},
        {0, "1{1:0 5:2 2{1:5150 2:50 3{2:'E|50'}}}"},
        {0, "1{1:0 5:1 2{1:5200 2:50 3{2:'B|50|unknown'}}}"},
        {0, "1{1:0 5:4 2{1:5300 2:50 3{2:'B|50|raw'}}}"},
        {0, "1{2{1:5400 2:50 3{2:'B|50|nowhere'}}}"},
    };
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    gen_notation_packets(out, 1, lines, sizeof lines / sizeof *lines);
}

/* Buffers of Video4Linux with all that can be said of one, and the driver's own. */
void gen_write_kernel_video(struct buffer *out)
{
    static const struct gen_kernel_line lines[] = {
        {10, 50, 422, "1:9 2:4 3:0x4101 4:1 5:2 6:3 7:2 8:1 9:2 10:3 12:2 17:55 18:2"},
        {11, 50, 423, "1:9 2:4 3:0x4101 4:1 5:2 6:3 7:3 12:99 18:0x80"},
        {12, 50, 424, "1:1 2:4 3:2 4:3"},
        {13, 50, 426, "1:99 2:4 3:2 4:3"},
        {14, 50, 427, "1:0 2:0 3:2 4:3"},
    };
    WRITE(out, lines);
}

/* Events that the kernel describes beside them: a slice on its thread, of a process,
 * a counter of a CPU, plain fields of each type; names within the event; descriptions
 * that are wrong. */
void gen_write_kernel_generic(struct buffer *out)
{
    static const struct gen_line lines[] = {
        {0, "1{1:0 "
            "11{1:65536 2{1:'step' 2{1:'track_event_type' 3:1 5:13} 2{1:'slice_name' 3:2 5:9}}} "
            "11{1:65537 2{1:'load' 2{1:'counter_value' 3:1 5:3} 2{1:'scope_cpu' 3:2 5:13} "
            "2{1:'track_name' 3:3 5:9}}} "
            "11{1:65538 2{1:'plain' 2{1:'real' 3:1 5:1} 2{1:'small' 3:2 5:2} 2{1:'text' 3:3 5:9} "
            "2{1:'signed' 3:4 5:17} 2{1:'bytes' 3:5 5:12} 2{1:'big' 3:6 5:4}}} "
            "11{1:65539 2{1:'of_process' 2{1:'track_event_type' 3:1 5:13} "
            "2{1:'slice_name' 3:2 5:9} 2{1:'scope_tgid' 3:3 5:5}}} "
            "11{1:65540 2{1:'custom' 2{1:'counter_value' 3:1 5:3} 2{1:'scope_ring' 3:2 5:13}}} "
            "11{1:65536 2{1:'again'}} 11{1:7 2{1:'number too low'}} 11{1:65541 2{2{1:'nameless'}}} "
            "2{1:1000000000010 2:50 65536{1:66 2:'first'}} "
            "2{1:1000000000015 2:50 65536{1:69}} "
            "2{1:1000000000016 2:50 65536{1:73 2:'now'}} "
            "2{1:1000000000017 2:50 65536{1:90}} "
            "2{1:1000000000020 2:50 65537{1:7 2:0 3:'load of it'}} "
            "2{1:1000000000030 2:50 65538{1%1.5 2~2.5 3:'words' 4:s-3 5:'raw' 6:9}} "
            "2{1:1000000000040 2:50 65539{1:73 2:'of all' 3:50}} "
            "2{1:1000000000050 2:50 65540{1:11 2:4}} "
            "2{1:1000000000060 2:50 327{1:'by_name' 2{1:'a' 3:'text'} 2{1:'b' 4:-5} 2{1:'c' 5:6} "
            "2{1:'none'}}} "
            "2{1:1000000000070 2:50 69999{1:1}} 2{2:50 65536{}} 2{1:1000000000071 2:50}}"},
        {80, "34{1:1 2{1:0 2:5 3:1 4:0 5:100 6%999.5 7%1000 8:0 9:5} 10{1:2 2:1}}"},
        {90, "34{1:2 2{1:0 2:25 3:3 5:900 6%999.75 7%1000.5 8:1 9:24} 5:'no atrace' 10{1:9 2:1}}"},
    };
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    gen_notation_packets(out, 1, lines, sizeof lines / sizeof *lines);
}
