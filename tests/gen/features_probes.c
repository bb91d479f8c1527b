/* Sources of packets that sample a system or tell what it is. */
#include "tests/gen/features.h"

#include "tests/gen/notation.h"
#include "tests/gen/packet.h"

#define PUT(out, sequence, lines) \
    gen_notation_packets(out, sequence, lines, sizeof(lines) / sizeof *(lines))

/* Each counter of the system once, the disk twice (it tells what changed), keys that
 * nobody knows. */
void gen_write_sys_stats(struct buffer *out)
{
    static const struct gen_line lines[] = {
        {0, "7{1{1:1 2:1000} 1{1:999 2:1} 2{1:1 2:77} 2{1:9999 2:1} "
            "3{1:0 2:10 3:20 4:30 5:40 6:50 7:60 8:70 9:80} 4:5 5:600 7:700 6{1:18 2:9} "
            "8{1:3 2:4} 10{1:'gpu' 2:300000} 11[1800000 600000] 11:1200000 "
            "12{1:'0' 2:'Normal' 3[5 4] 3:3} 13{1:'sda' 2:2048 3:10 4:4096 5:20 8:1 9:2} "
            "14{1:1 2:55} 14{1:9 2:1} 15{2:41 3:'battery'} 16{1:1 2{1:'C1' 2:900}} "
            "17[500] 17:400 18{1:'dentry' 2:3 3:2}}"},
        {10, "7{13{1:'sda' 2:4096 3:510 4:4096 5:20 8:4 9:9}}"},
    };
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    PUT(out, 1, lines);
}

/* Two batteries, rails with names and without, a rail and a session nobody described,
 * energy of a consumer and its users, residency of a state; each with its mistakes. */
void gen_write_android_power(struct buffer *out)
{
    static const struct gen_line lines[] = {
        {0, "38{1:3000000 2~81.5 3:-250000 4:-200000 5:'main' 7:4000000}"},
        {0, "38{6:12000000 7:4000000}"},
        {10, "40{1{1:4 2:'S2M_VDD_CPUCL0' 3:'CPU'} 1{1:5 2:'odd'} 3:7}"},
        {20, "40{2{1:4 2:1000001 3:333} 2{1:5 3:444} 2{1:9 3:1} 3:7}"},
        {30, "77{1{1{1:1 3:2 4:'CPUCL0'} 1{1:2}}}"},
        {40, "77{2:1 3:500 4{1:10123 2:300} 4{1:1}}"},
        {50, "77{2:9 3:1}"},
        {60, "77{}"},
        {70, "91{1{1:1 2:2 3:'Bluetooth' 4:'Idle'} 1{1:1} 2{1:1 2:2 3:777} 2{1:5 2:5 3:1}}"},
    };
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    PUT(out, 1, lines);
}

/* A line of the log with arguments and the log's own losses, packages, the screen,
 * properties of each kind. */
void gen_write_android_misc(struct buffer *out)
{
    static const struct gen_line lines[] = {
        {0, "39{1{2:10 3:11 5:1760001000000000500 6:'am' 7:5 8:'start' 9{1:'pid' 2:5} "
            "9{1:'part' 3~1.5} 9{1:'name' 4:'x'}} 1{8:'no time'} 2{1:10 2:1 3:2}}"},
        {-1, "47{1{1:'com.example.app' 2:10123 3:1 4:1 5:42} 2:1 3:1}"},
        {10, "70{1:2}"},
        {20, "86{1{1:'debug.tracing.screen_state' 2:'1'} "
             "1{1:'debug.tracing.device_state' 2:'3:OPENED'} "
             "1{1:'debug.tracing.battery_stats.audio' 2:'1'} 1{1:'debug.tracing.mcc' 2:'310'} "
             "1{1:'debug.tracing.plug_type' 2:'2'} 1{1:'other' 2:'1'} "
             "1{1:'debug.tracing.mnc' 2:'x'}}"},
    };
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    PUT(out, 1, lines);
}

/* A kernel that is not Linux: two threads take turns on CPU 0, one reports from the
 * other CPU, one dies; states in an order that cannot be. */
void gen_write_generic_kernel(struct buffer *out)
{
    static const struct gen_line lines[] = {
        {0, "122{1{1:5 2:1 3:'shell'} 2{1:50 2:5 3:'main'} 2{1:9 3:'idle' 5:1}}"},
        {10, "117{1:0 2:'worker' 3:51 4:1}"},
        {20, "117{1:0 3:51 4:2}"},
        {30, "117{1:0 3:51 4:3 5:10}"},
        {40, "117{1:0 3:50 4:3 5:20}"},
        {50, "117{1:1 3:50 4:4}"},
        {60, "117{1:0 3:51 4:3}"},
        {70, "117{1:0 3:51 4:3}"},
        {80, "117{1:0 3:51 4:7}"},
        {90, "117{1:0 3:51 4:2}"},
        {100, "117{1:0 3:51 4:8}"},
        {110, "117{1:0 3:51 4:99}"},
        {120, "120{1:50 2:'renamed'}"},
        {130, "118{1:0 2:1800000000}"},
        {140, "129{1:0 2:500}"},
    };
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    PUT(out, 1, lines);
}

/* Counters described in the packet and by an interned descriptor, groups and blocks of
 * them, one that looks forwards; an id told twice, one without, values of no counter. */
void gen_write_gpu_counters(struct buffer *out)
{
    static const struct gen_line lines[] = {
        {0, "13:1 12{47{1:1 3:1 2{1{1:1 2:'cycles' 3:'of the GPU' 10:4} "
            "2{1:8 3:'block' 4:'all of it' 5:1}}}} 52{4:1 2{1:1 2:100}}"},
        {10, "52{1{1{1:1 2:'inline' 7:5 7:6 8:7 8:8} 1{1:1 2:'again'} 1{2:'no id'} "
             "1{1:2 2:'forwards' 11:2} 6{1:9 2:'group' 3:'of two' 4[1 2 77]}} "
             "2{1:1 2:10} 2{1:2 3%2.5} 2{1:55 2:1} 2{2:1}}"},
        {20, "52{2{1:1 2:20}}"},
        {30, "52{4:1 2{1:1 2:200}}"},
        {40, "52{4:9 2{1:1 2:1}}"},
    };
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    PUT(out, 3, lines);
}

/* A process whose counters of every kind are told, its threads and its files; one
 * counter that nobody knows. */
void gen_write_process_stats(struct buffer *out)
{
    static const struct gen_line lines[] = {
        {0, "9{1{1:100 2:9000 3:20 4:12 5:7 6:1 7:2 8:3 9:30 10:-800 11{1:101} 12:1 13:15 14:31 "
            "15{1:3 2:'/dev/null'} 16:21 17:18 18:11 19:6 20:1 21:5000 22:6000 23:4 24:8 "
            "40:1}}"},
    };
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    PUT(out, 1, lines);
}

/* Everything that a machine says of itself, and processors of two strengths. */
void gen_write_system_info(struct buffer *out)
{
    static const struct gen_line lines[] = {
        {-1, "45{1{1:'Linux' 2:'#1 SMP' 3:'6.1.0' 4:'aarch64'} "
             "2:'brand/product/device:12/ID/9876543:user/release-keys' 4:'v50' 6:16384 7:-60 "
             "8:2 9:'SoC' 10:'rev' 11:'disk' 12:'ram' 13:'guest' 14:'Maker' 15:'console' "
             "16:8000000000 17:'the phone'}"},
        {0, "67{1{1:'little' 2[300000 600000] 2:900000 3:250 4{1:65 2:8 3:1 4:3333 5:2} 5:1} "
            "1{1:'big' 2:2000000 3:1024 5:6}}"},
    };
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    PUT(out, 1, lines);
}

/* What the service says: its events, its buffers and its filter, a writer whose
 * packets were lost. */
void gen_write_service(struct buffer *out)
{
    static const struct gen_line writer[] = {{0, "46{1:'first'}"},
                                             {1, "42:1 46{1:'after a loss'}"}};
    static const struct gen_line lines[] = {
        {10, "69{1:1}"},
        {20, "69{2:1}"},
        {30, "69{3:1}"},
        {40, "69{5:1}"},
        {50, "69{7{1{1:'producer' 2:'slow.source'} 1{}}}"},
        {60, "69{10:1}"},
        {70, "69{11:2}"},
        {80, "35{1{1:100 2:10 3:1 4:2 5:3 6:4 7:5 8:6 9:7 10:8 11:9 12:65536 13:11 14:12 15:13 "
             "16:14 17:15 18:16 19:17 20:18} 2:3 3:4 4:5 5:6 6:1 7:2 8:8 9:9 "
             "11{1:1000 2:2000 3:1500 4:1 5:77 20:500} 12:3 13:2 14:1 15:2 18{1:9 4:1} 18{1:77}}"},
    };
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    PUT(out, 9, writer);
    PUT(out, 1, lines);
}

/* Everything that says something of the whole trace. */
void gen_write_metadata(struct buffer *out)
{
    static const struct gen_line lines[] = {
        {-1, "33{1{1:1024 4:2} 8:1 22:'session' 27:0x0102030405060708 28:0x090a0b0c0d0e0f10 "
             "48{1{1:'lab' 3:'north'} 1{1:'run' 2:7} 1{3:'no key'}}}"},
        {-1, "78{1:5}"},
        {-1, "51{1{3#99} 2:12 3:'cc,viz' 4{1:5 2:6} 4{} 5:'com.chrome' 6:'120.0' 7:3 8:'Android'}"},
        {-1, "48{1:100 2:200 3:'bench' 4:'words' 5:'label' 6:'story' 7:'tag' 8:3 9:1 11:1}"},
        {0, "5{2{1:'text' 2:'value'} 2{1:'number' 3:-5} 2{2:'no name'}}"},
        {0, "5{2{1:'second' 5:'{}'}}"},
        {10, "46{1:'slow_start' 2:'app' 3:10123}"},
        {20, "113{1:'clone_me' 2:'service'}"},
    };
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    PUT(out, 1, lines);
}

/* The heap of a process in two dumps, the second in two packets, beside Java's, which
 * nothing is freed of, and the most that was held; losses, a number skipped, a total
 * that shrinks. */
void gen_write_heap_profile(struct buffer *out)
{
#define TABLES \
    "1{1:1 2:'main'} 1{1:2 2:'malloc'} 1{1:3 2:'libc.so'} 4{1:1 4:0x1000 5:0x2000 7:3} " \
    "2{1:1 2:1 3:1 4:16} 2{1:2 2:2 3:1 4:32} 3{1:1 2:1 2:2} 3{1:2 2:1} "
    static const struct gen_line lines[] = {
        {100, "37{" TABLES "5{1:42 2{1:1 2:4096 5:4 3:1024 6:1} 2{1:2 2:100 5:1} 9:2000 "
              "11:'libc.malloc' 15:1000} 7:0}"},
        {200, "37{" TABLES "6:1 7:1}"},
        {210, "37{5{1:42 2{1:1 2:8192 5:8 3:1024 6:1} 2{1:2 2:50 5:1} 2{1:9 2:1 5:1} 4:1 7:1 8:1 "
              "9:3000 10:1 11:'libc.malloc' 14:5} 5{1:42 2{1:2 8:700 9:7} 9:3000 "
              "11:'com.android.art' 13:1} 7:3}"},
    };
#undef TABLES
    const struct gen_clock clocks[] = {{GEN_CLOCK_BOOTTIME, (uint64_t)GEN_FEATURES_START, false, 0},
                                       {4, 1000, false, 0}};
    gen_packet_clocks(out, 0, clocks, 2, GEN_CLOCK_BOOTTIME);
    PUT(out, 5, lines);
}

/* Stacks of Chrome's sampler: times add up from the thread's reference; more stacks
 * than times, a sequence that tells no thread. */
void gen_write_chrome_samples(struct buffer *out)
{
#define STACKS \
    "13:1 12{16{1:1 2:'\1\2'} 17{1:1 2:'chrome'} 19{1:1 2:1 4:0x1000 5:0x2000 7:1} " \
    "5{1:1 2:'main'} 5{1:2 2:'paint'} 6{1:1 2:1 3:1 4:16} 6{1:2 2:2 3:1 4:32} " \
    "7{1:1 2:1} 7{1:2 2:1 2:2}} "
    static const struct gen_line known[] = {
        {0, STACKS "44{1:42 2:43 6:400000000}"},
        {10, "54{1[1 2] 2[10 20] 3:5}"},
        {20, "54{1:2 1:1 1:9 2:30 2:5}"},
    };
    static const struct gen_line unknown[] = {{30, STACKS "54{1:1 2:7}"}};
#undef STACKS
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    PUT(out, 6, known);
    PUT(out, 7, unknown);
}

/* Frames of a display and of two layers of an app, late in each way; an expectation
 * told twice, an end of nothing, a start without its token. */
void gen_write_frame_timeline(struct buffer *out)
{
    static const struct gen_line lines[] = {
        {0, "76{1{1:1 2:50 3:7}}"},
        {5, "76{2{1:2 2:50 3:7 4:2 5:0 6:1 7:2 8:1 9:3 10~1.5 11~0.5 12:16 13:2 14~2 15:1 16:2}}"},
        {10, "76{3{1:3 2:40 3:50 4:42 5:'layer'}}"},
        {11, "76{3{1:4 2:40 3:50 4:42 5:'second'}}"},
        {12, "76{4{1:5 2:40 3:50 4:42 5:'layer' 6:2 7:0 8:0 9:64 10:1 11:1 12:2 13~3 14~0.25 "
             "15~1 16:1 17:2 18~4 19:2 20~9}}"},
        {13, "76{4{1:6 2:41 3:50 4:42 9:130 11:0}}"},
        {14, "76{4{1:7 2:42 3:50 4:42 9:128}}"},
        {15, "76{4{1:8 2:43 3:50 4:42 9:1}}"},
        {16, "76{4{1:9 2:44 3:50 4:42 9:1024 16:512}}"},
        {17, "76{4{1:10 2:45 3:50 4:42 9:2048 16:4096}}"},
        {20, "76{5{1:1}}"},
        {21, "76{5{1:4}}"},
        {22, "76{5{1:5}}"},
        {23, "76{5{1:2}}"},
        {24, "76{5{1:99}}"},
        {25, "76{1{1:11 3:7}}"},
        {30, "76{2{1:12 2:50 3:7 7:1}}"},
    };
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    PUT(out, 1, lines);
}
