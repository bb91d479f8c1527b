/* Profiles written as JSON. */
#include "tests/gen/profile_formats.h"

/* Two threads of process 100: main (100) with five samples, of which one has no
 * stack, and a pool (101) whose tables come in another order.  Columns stand where
 * the schema says; a library frame, an escape in a name. */
void gen_write_gecko_raw(struct buffer *out)
{
    buffer_append_text(
        out,
        "{\"meta\":{\"version\":24,\"categories\":[{\"name\":\"User\"}]},\"libs\":[],\"threads\":["
        "\n"
        "{\"tid\":100,\"pid\":\"100\",\"name\":\"main\",\"markers\":{\"schema\":{\"name\":0},"
        "\"data\":[]},"
        "\"samples\":{\"schema\":{\"time\":1,\"stack\":0,\"responsiveness\":2},\"data\":["
        "[2,10.5,0],[1,11.25,0],[null,12,0],[0,13],[2,9.000001,0]]},\n"
        "\"stackTable\":{\"schema\":{\"prefix\":0,\"frame\":1},\"data\":[[null,0],[0,1],[1,2]]},"
        "\"frameTable\":{\"schema\":{\"location\":0,\"line\":2},\"data\":[[0],[1,false,7],[2]]},"
        "\"stringTable\":[\"(root)\",\"a \\\"b\\\" \\u00e9\",\"memcpy (in "
        "/system/lib/libc.so)\"]},\n"
        "{\"name\":\"pool\",\"stringTable\":[\"(root)\",\"idle\"],"
        "\"frameTable\":{\"data\":[[0],[1]],\"schema\":{\"location\":0}},"
        "\"stackTable\":{\"data\":[[0,null],[1,0]],\"schema\":{\"frame\":0,\"prefix\":1}},"
        "\"samples\":{\"data\":[[10.5,1]],\"schema\":{\"time\":0,\"stack\":1}},"
        "\"tid\":101,\"pid\":100},\n"
        "\"another process\"],\"processes\":[]}");
}

/* One thread with three samples and five markers: an instant with data, an
 * interval, a start and its end, an interval whose category is not there. */
void gen_write_gecko_processed(struct buffer *out)
{
    buffer_append_text(
        out,
        "{\n  \"meta\": {\"preprocessedProfileVersion\": 47, \"categories\": "
        "[{\"color\":\"grey\",\"name\":\"Other\"},{\"name\":\"Layout\"}]},\n"
        "  \"threads\": [{\"name\":\"GeckoMain\",\"pid\":7,\"tid\":\"8\",\n"
        "    \"stringArray\":[\"main\",\"paint\",\"Reflow\",\"Load\",\"CC\"],\n"
        "    \"funcTable\":{\"length\":2,\"name\":[0,1]},\n"
        "    \"frameTable\":{\"length\":2,\"func\":[0,1],\"address\":[-1,-1]},\n"
        "    \"stackTable\":{\"length\":2,\"prefix\":[null,0],\"frame\":[0,1]},\n"
        "    \"samples\":{\"length\":3,\"stack\":[1,0,1],\"time\":[1,2,3.5],\"weight\":null},\n"
        "    \"markers\":{\"length\":5,\"name\":[2,3,4,4,3],\"startTime\":[1,1.5,2,2.5,4],"
        "\"endTime\":[1,2.5,2,3,6],\"phase\":[0,1,2,3,1],\"category\":[1,0,1,1,9],"
        "\"data\":[{\"type\":\"tracing\",\"n\":[1,{\"x\":2.5}]},null,null,null,{\"type\":\"t\"}]}\n"
        "  }]\n}");
}

/* Newer shape: strings, frames and stacks are shared, times are differences. */
void gen_write_gecko_shared(struct buffer *out)
{
    buffer_append_text(
        out,
        "{\"meta\":{},\"threads\":["
        "{\"name\":\"one\",\"pid\":\"1\",\"tid\":1,\"samples\":{\"stack\":[0,1,1],"
        "\"timeDeltas\":[5,1,0.5]}},"
        "{\"name\":\"two\",\"pid\":\"1\",\"tid\":2,\"samples\":{\"stack\":[1],\"time\":[6]}}],"
        "\"shared\":{\"stringArray\":[\"f\",\"g\"],\"funcTable\":{\"name\":[0,1]},"
        "\"frameTable\":{\"func\":[0,1]},\"stackTable\":{\"prefix\":[null,0],\"frame\":[0,1]}}}");
}

/* Ends in the second thread's samples, after one of them. */
void gen_write_gecko_cut(struct buffer *out)
{
    gen_write_gecko_raw(out);
    static const char MARK[] = "[[10.5,1]";
    for (size_t at = 0; at + sizeof MARK <= out->length; at++)
        if (memcmp(out->data + at, MARK, sizeof MARK - 1) == 0) out->length = at + sizeof MARK - 1;
}

/* Indexes and values of every wrong kind; the last sample is right. */
void gen_write_gecko_odd(struct buffer *out)
{
    buffer_append_text(
        out,
        "{\"libs\":null,\"meta\":{\"categories\":[1,{\"name\":2},{}]},\"shared\":[],\"threads\":["
        "null,[],{},"
        "{\"tid\":-1,\"pid\":\"x\",\"name\":5,\"samples\":{\"stack\":[0],\"time\":[1]}},"
        "{\"tid\":1e99,\"pid\":1.5,\"name\":\"odd\",\"stringTable\":[1,\"ok\",null,[\"no\"]],"
        "\"frameTable\":{\"schema\":{\"location\":0,\"line\":99999999},"
        "\"data\":[[\"x\"],[-1],[0],[9e9],{},[1],[]]},"
        "\"stackTable\":{\"schema\":{\"prefix\":0,\"frame\":1},\"data\":[[5,0],[null,77],[0,0],7]},"
        "\"markers\":{\"name\":[1],\"startTime\":[1]},"
        "\"samples\":{\"schema\":{\"stack\":0,\"time\":1},\"data\":"
        "[[99,1],[0,\"t\"],[0,1e300],[0,-5],[1,nan],[1,2]]}}]}");
}

/* ---- V8 ---- */

/* (root) → main (/app.js:11) → an unnamed function, and (idle).  The children of
 * main come before it; five samples, the fourth earlier than the third. */
void gen_write_cpuprofile(struct buffer *out)
{
    buffer_append_text(
        out,
        "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\",\"scriptId\":\"0\","
        "\"url\":\"\","
        "\"lineNumber\":-1,\"columnNumber\":-1},\"hitCount\":0,\"children\":[4,2]},\n"
        "{\"id\":3,\"callFrame\":{\"functionName\":\"\",\"url\":\"/app.js\",\"lineNumber\":20,"
        "\"columnNumber\":4},\"hitCount\":2},\n"
        "{\"id\":4,\"callFrame\":{\"functionName\":\"main\",\"url\":\"/app.js\",\"lineNumber\":10,"
        "\"columnNumber\":0},\"children\":[3],\"positionTicks\":[{\"line\":11,\"ticks\":2}]},\n"
        "{\"id\":2,\"callFrame\":{\"functionName\":\"(idle)\",\"url\":\"\",\"lineNumber\":-1}}],\n"
        "\"startTime\":1000.5,\"endTime\":2000,\"samples\":[2,4,3,3,4],"
        "\"timeDeltas\":[0,100,50,-10,200]}");
}

/* The older tree: nested nodes, times in seconds, lines from 1. */
void gen_write_cpuprofile_old(struct buffer *out)
{
    buffer_append_text(
        out,
        "{\"typeId\":\"CPU1\",\"uid\":1,\"title\":\"t\",\"head\":{\"functionName\":\"(root)\","
        "\"url\":\"\","
        "\"lineNumber\":0,\"callUID\":1,\"children\":[{\"functionName\":\"f\",\"url\":\"a.js\","
        "\"lineNumber\":3,\"children\":[{\"functionName\":\"g\",\"url\":\"b.js\",\"lineNumber\":7,"
        "\"children\":[],\"id\":3}],\"id\":2}],\"id\":1},"
        "\"startTime\":10.5,\"endTime\":11.5,\"samples\":[3,2,3,1]}");
}

/* Ends in the second sample: the sample before it is whole. */
void gen_write_cpuprofile_cut(struct buffer *out)
{
    buffer_append_text(
        out, "{\"startTime\":5,\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"a\"}}],"
             "\"timeDeltas\":[1,1,1],\"samples\":[1,");
}

/* A cycle, an id twice, samples that lead nowhere, numbers of every wrong kind; two
 * samples are right. */
void gen_write_cpuprofile_odd(struct buffer *out)
{
    buffer_append_text(
        out,
        "{\"nodes\":[{\"id\":1,\"callFrame\":0,\"children\":[2,\"x\",-1,1e99,null]},{\"id\":2,"
        "\"children\":[1]},7,"
        "null,"
        "{\"id\":2,\"callFrame\":{\"functionName\":[],\"lineNumber\":1e99}},{\"callFrame\":7,"
        "\"children\":{\"a\":1}},{\"id\":-3},{\"id\":99999999999,\"parent\":1,\"callFrame\":{"
        "\"functionName\":\"far\"}}],\"startTime\":\"x\",\"samples\":[1,9,null,99999999999,1,1],"
        "\"timeDeltas\":[1,1,1,1,\"x\",9e99]}");
}
