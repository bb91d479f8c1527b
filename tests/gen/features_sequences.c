/* Track events as older recorders write them, and what stands beside them. */
#include "tests/gen/features.h"

#include "tests/gen/notation.h"
#include "tests/gen/packet.h"

#define PUT(out, sequence, lines) \
    gen_notation_packets(out, sequence, lines, sizeof(lines) / sizeof *(lines))

/* Times that add up along the sequence from the reference of its thread, of the clock,
 * of the thread and in instructions; stacks by number and written out; counters beside
 * events; each with its mistakes, and a sequence without a reference. */
void gen_write_track_event_times(struct buffer *out)
{
    static const struct gen_line known[] = {
        {0, "13:1 44{1:42 2:43 5:'main' 6:400000000 7:1000 8:50} "
            "12{5{1:1 2:'main'} 5{1:2 2:'work'} 6{1:1 2:1 3:1 4:16} 6{1:2 2:2 3:1 4:32} "
            "7{1:1 2[1 2]} 16{1:1 2:'AB'} 17{1:1 2:'bin'} 17{1:2 2:'app'} "
            "19{1:1 2:1 3:64 4:0x1000 5:0x2000 6:8 7[1 2] 8:96}}"},
        {-1, "60{1:900 2:'extra' 8{}}"},
        {-1, "60{1:901 2:'extra real' 8{}}"},
        {-1, "11{1:10 2:5 8:7 9:1 23:'delta' 56:1 57%2.5}"},
        {-1, "11{1:20 2:3 8:1 9:2 55{1{1:'main'} 1{1:'end'}} 57%3.5}"},
        {-1, "11{16:400000100 17:2000 20:99 9:3 23:'absolute'}"},
        {-1, "11{1:5 9:3 23:'beside' 31[900] 12[5] 45[901] 46%1.5}"},
        {-1, "11{1:1 9:4 11:900 30:7}"},
        {-1, "11{1:1 9:4 30:7}"},
        {-1, "11{1:1 9:4 11:900}"},
        {-1, "11{1:1 9:4 11:12345 30:1}"},
        {-1, "11{1:1 9:3 31[900] 12[1 2]}"},
        {-1, "11{1:1 9:3 31[77777] 12[1]}"},
        {-1, "11{1:0x7fffffffffffffff 9:3}"},
    };
    static const struct gen_line unknown[] = {
        {-1, "13:1 11{1:5 9:3 23:'no reference'}"},
        {-1, "11{9:3 23:'no time'}"},
    };
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    PUT(out, 8, known);
    PUT(out, 9, unknown);
}

/* What Android's framework says of a process that starts and dies, and names that the
 * trace wants to be read as others: of slices, tracks and hashes. */
void gen_write_track_event_facts(struct buffer *out)
{
    static const struct gen_line lines[] = {
        {-1, "82{1{1{1:20 2:'Startup.Time'}} 2{1{1:10 2:'Clicked'}} "
             "3{1{1:30 2:'site'} 2{1:40 2:'mark'}} 4{1{1:'a1' 2:'real name'}} "
             "5{1{1:'b1' 2:'real track'}} 77:1}"},
        {0, "13:1 60{1:500 2:'b1'}"},
        {10, "11{9:3 11:500 23:'a1' 25{2:10} 28{1:20}}"},
        {20, "11{9:3 11:500 23:'start' 2010{1:10123 2:77 3:'com.example' 4:12 5:34 6:'activity' "
             "10:5 11:10123 12:1000 13:10124}}"},
        {25, "11{9:3 11:500 23:'start' 2010{3:'without a pid'}}"},
        {30, "11{9:3 11:500 23:'died' 2011{2:77}}"},
        {40, "11{9:3 11:500 23:'died' 2013{2:78}}"},
    };
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    PUT(out, 8, lines);
}

/* Processes and threads as Chrome describes them: by the numbers of their kinds, with
 * labels and the app that hosts them; a thread in a packet of no sequence. */
void gen_write_chrome_descriptors(struct buffer *out)
{
    static const struct gen_line lines[] = {
        {0, "60{1:1 3{1:42 4:2 8:'first tab' 8:'second tab'} 6{1:2 4:'com.host' 5:77}}"},
        {0, "60{1:2 4{1:42 2:43} 7{1:9}}"},
        {0, "43{1:50 4:6}"},
        {0, "44{1:42 2:101 4:1}"},
        {0, "44{1:42 2:102 4:2}"},
        {0, "44{1:42 2:103 4:3}"},
        {0, "44{1:42 2:104 4:4}"},
        {0, "44{1:42 2:105 4:5}"},
        {0, "44{1:42 2:106 4:6}"},
        {0, "44{1:42 2:107 4:7}"},
        {0, "44{1:42 2:108 4:8}"},
        {0, "44{1:42 2:109 4:10}"},
        {0, "44{1:42 2:110 4:11}"},
        {0, "44{1:42 2:111 4:50}"},
        {0, "44{1:42 2:112 4:51}"},
        {0, "44{1:42 2:113 4:999}"},
        {0, "90{1:500}"},
        {0, "90{}"},
    };
    static const struct gen_line stray[] = {{0, "44{1:1 2:1}"}};
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    PUT(out, 8, lines);
    PUT(out, 0, stray);
}

/* Samples of a tracepoint, with counters that are read beside it: one by number, a
 * tracepoint, one with a name; a stack that could not be unwound, a sample that was
 * skipped, the end of a session that took too much. */
void gen_write_perf_followers(struct buffer *out)
{
    static const struct gen_line lines[] = {
        {-1, "13:1 59{12{1{3{1:'sched:sched_switch'}} 4{1:11} 4{2{1:'tp'}} 4{4:'named'}}}"},
        {10, "66{1:0 2:100 3:101 5:1 6:5 7[10 20] 7:30 16:5}"},
        {20, "66{1:0 2:100 3:101 5:2 6:6 7[11 21 31 41] 18:3}"},
        {30, "66{1:0 19{1:1}}"},
        {40, "66{1:4000000000 2:100 3:101}"},
    };
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    PUT(out, 8, lines);
}

/* Another machine, whose clock is tied to the host's by a ping and a pong. */
void gen_write_remote_clock(struct buffer *out)
{
    static const struct gen_line lines[] = {
        {-1, "98:5 107{1{2{1{1:6 2:1000} 1{1:3 2:100}} 3{1{1:6 2:1000000001000}}} "
             "1{2{1{1:6 2:2000}} 3{1{1:6 2:1000000002000}}}}"},
        {-1, "8:3000 58:6 98:5 46{1:'remote'}"},
        {5000, "46{1:'host'}"},
    };
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    PUT(out, 3, lines);
}
