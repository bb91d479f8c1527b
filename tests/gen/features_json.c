/* Chrome's JSON: every form of an event, and what is wrong with them. */
#include "tests/gen/features.h"

/* Text with ' for ". */
static void put(struct buffer *out, const char *text)
{
    for (; *text; text++)
        buffer_append_byte(out, *text == '\'' ? '"' : *text);
}

#define THREAD "'pid':1,'tid':2,"

/* Phases with the fields that only some writers use, and facts about the trace. */
void gen_write_chrome_forms(struct buffer *out)
{
    static const char *const events[] = {
        "{'ph':'M','name':'process_name','pid':1,'tid':1,'args':{'name':'Browser'}}",
        "{'ph':'M','name':'process_sort_index','pid':1,'args':{'sort_index':-3}}",
        "{'ph':'M','name':'thread_sort_index'," THREAD "'args':{'sort_index':5}}",
        "{'ph':'B','name':'begun'," THREAD "'ts':10,'tts':1}",
        "{'ph':'E'," THREAD "'ts':20,'tts':6}",
        "{'ph':'X','name':'timed'," THREAD "'ts':30,'dur':10,'tts':7,'tdur':4}",
        "{'ph':'X','name':'crossing'," THREAD "'ts':35,'dur':20}",
        "{'ph':'X','name':'out'," THREAD "'ts':60,'dur':2,'bind_id':'0xAf','flow_out':true}",
        "{'ph':'X','name':'step'," THREAD "'ts':63,'dur':2,'bind_id':'0xaF','flow_in':true,"
        "'flow_out':true}",
        "{'ph':'X','name':'in'," THREAD "'ts':66,'dur':2,'bind_id':175,'flow_in':true}",
        "{'ph':'X','name':'nowhere'," THREAD "'ts':69,'dur':2,'bind_id':1}",
        "{'ph':'X','name':'no id'," THREAD "'ts':72,'dur':2,'bind_id':'xyz','flow_in':true}",
        "{'ph':'s','cat':'f','name':'hop'," THREAD "'id':3,'ts':61}",
        "{'ph':'t','cat':'f','name':'hop'," THREAD "'id':3,'ts':64}",
        "{'ph':'f','cat':'f','name':'hop'," THREAD "'id':3,'ts':67,'bp':'e'}",
        "{'ph':'s','cat':'f','name':'hop'," THREAD "'id':'zz','ts':70}",
        "{'ph':'s','cat':'f','name':'hop'," THREAD "'id':4,'ts':73}",
        "{'ph':'t','cat':'f','name':'hop'," THREAD "'id':98,'ts':73}",
        "{'ph':'f','cat':'f','name':'hop'," THREAD "'id':4,'ts':75}",
        "{'ph':'f','cat':'f','name':'hop'," THREAD "'id':99,'ts':76,'bp':'e'}",
        "{'ph':'s','cat':'f','name':'hop','pid':9,'tid':9,'id':5,'ts':77}",
        "{'ph':'b','cat':'net','name':'load'," THREAD "'ts':80,'id2':{'local':'0x1'}}",
        "{'ph':'n','cat':'net','name':'redirect'," THREAD "'ts':82,'id2':{'local':'0x1'}}",
        "{'ph':'e','cat':'net','name':'load'," THREAD "'ts':85,'id2':{'local':'0x1'}}",
        "{'ph':'i','name':'everywhere','s':'g'," THREAD "'ts':90}",
        "{'ph':'I','name':'in process','s':'p'," THREAD "'ts':91}",
        "{'ph':'R','name':'mark'," THREAD "'ts':93,'tts':12}",
        "{'ph':'C','name':'heap','id':'main'," THREAD "'ts':95,'args':{'used':'5','free':2}}",
        "{'ph':'T','name':'Running'," THREAD "'ts':110,'dur':5,'args':{'cpu':1}}",
        "{'ph':'T','name':'D'," THREAD "'ts':115,'dur':5,"
        "'args':{'io_wait':true,'blocked_function':'read'}}",
        "{'ph':'X','name':'by names','pid':'gpu','tid':'queue','ts':120,'dur':1}",
        "{'ph':'X','name':'no thread','pid':7,'ts':125,'dur':1}",
    };
    put(out, "{'traceEvents':[");
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        put(out, i ? ",\n" : "\n");
        put(out, events[i]);
    }
    put(out, "],'displayTimeUnit':'ns','metadata':{'good':true,'runs':7,'big':1e3,'ratio':0.5,"
             "'os':'Linux','list':[1],'part':{'a':1}}}");
}

/* Events without what they need, values that are no events, damage that is stepped
 * over in two ways, and at last damage behind which nothing is found. */
void gen_write_chrome_odd(struct buffer *out)
{
    put(out, "[{'name':'no phase'," THREAD "'ts':1},"
             "{'ph':'X','name':'when'," THREAD "'ts':'soon'},{'ph':'X','name':'never'," THREAD
             "'dur':1},{'ph':'X','name':'how long'," THREAD "'ts':1,'dur':'long'},"
             "{'ph':'X','name':'no dur'," THREAD "'ts':1},"
             "{'ph':'b','name':'no id'," THREAD "'ts':2},"
             "{'ph':'i','name':'scope','s':'q'," THREAD "'ts':3},"
             "{'ph':'C','name':'no args'," THREAD "'ts':4},"
             "{'ph':'C','name':'no number'," THREAD "'ts':4,'args':{'v':true}},"
             "{'ph':'T','name':'S'," THREAD "'ts':5},"
             "{'ph':'M','name':'thread_name'," THREAD "'args':{'name':5}},"
             "{'ph':'M','name':'thread_sort_index'," THREAD "'args':{'sort_index':'x'}},"
             "5,[1,{}],"
             "{'ph':'X','name':oops," THREAD "'ts':6,'dur':1},"
             "{'ph':'X','name':'after'," THREAD "'ts':10,'dur':1},"
             "{'ph':'X','args':{oops]],'a':{'b':1},"
             "{'ph':'X','name':'found'," THREAD "'ts':20,'dur':1},"
             "{oops");
}
