#include "engine/import/import.h"

#include "engine/import/android_dumpstate.h"
#include "engine/import/android_log.h"
#include "engine/import/json_import.h"
#include "engine/import/ninja.h"
#include "engine/import/simpleperf.h"
#include "engine/import/strace.h"
#include "engine/import/systrace.h"

/* The importers, one line each, in order of detection priority. */
extern const struct importer importer_art_method;
extern const struct importer importer_art_method_v2;
extern const struct importer importer_art_hprof;
extern const struct importer importer_fuchsia;
extern const struct importer importer_symbols;
extern const struct importer importer_proto;
extern const struct importer importer_collapsed;
extern const struct importer importer_cpuprofile;
extern const struct importer importer_gecko;
extern const struct importer importer_instruments;
extern const struct importer importer_instruments_copy;
extern const struct importer importer_pprof;
extern const struct importer importer_primes;
extern const struct importer importer_perf_data;
extern const struct importer importer_perf_script;

const struct importer *const importers[] = {
    &importer_fuchsia,           /* 20 */
    &importer_perf_data,         /* 30 */
    &importer_simpleperf,        /* 40 */
    &importer_art_method_v2,     /* 70 */
    &importer_art_method,        /* 75 */
    &importer_art_hprof,         /* 80 */
    &importer_gecko,             /* 100 */
    &importer_cpuprofile,        /* 105 */
    &importer_json,              /* 110 */
    &importer_instruments,       /* 150 */
    &importer_ninja,             /* 183 */
    &importer_android_logcat,    /* 185 */
    &importer_instruments_copy,  /* 187 */
    &importer_collapsed,         /* 190 */
    &importer_perf_script,       /* 195 */
    &importer_strace,            /* 197 */
    &importer_systrace,          /* 200 */
    &importer_symbols,           /* 210 */
    &importer_pprof,             /* 220 */
    &importer_proto,             /* 230 */
    &importer_primes,            /* 240 */
    &importer_android_dumpstate, /* 250 */
    NULL,
};
const unsigned importers_count = sizeof importers / sizeof *importers - 1; /* without NULL */

const struct importer *importer_sniff(struct str bytes)
{
    const struct importer *best = NULL;
    for (unsigned i = 0; i < importers_count; i++)
        if ((!best || importers[i]->detection_priority < best->detection_priority) &&
            importers[i]->sniff && importers[i]->sniff(bytes))
            best = importers[i];
    return best;
}
