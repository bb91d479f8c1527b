/* Heap dumps of Java and ART: the graph, values of fields, damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/gen/heap_formats.h"
#include "tests/unit/trace_fixture.h"

static struct engine *load(void (*write)(struct buffer *out))
{
    struct buffer bytes = BUFFER_INIT;
    write(&bytes);
    struct engine *engine = trace_load(&bytes);
    buffer_free(&bytes);
    return engine;
}

static const char OBJECTS[] =
    "SELECT c.name, o.self_size, o.native_size, o.reachable, o.root_type, o.root_distance "
    "FROM heap_graph_object o JOIN heap_graph_class c ON c.id = o.type_id "
    "WHERE c.name NOT LIKE 'java.lang.Class<%' ORDER BY o.id";

static void test_objects(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_hprof);
    trace_expect(engine, OBJECTS,
                 "com.example.Shop 17 512 1 - 1|java.lang.String 5 0 1 - 2|byte[] 15 0 1 - 3|"
                 "com.example.Shop 17 0 0 - -1|"
                 "java.lang.ref.WeakReference 4 0 1 THREAD_OBJECT 0|"
                 "com.example.Shop[] 24 0 1 - 1|java.lang.String 5 0 0 - -1|char[] 18 0 0 - -1|"
                 "sun.misc.Cleaner 12 0 1 JNI_GLOBAL 0|"
                 "libcore.util.NativeAllocationRegistry$CleanerThunk 4 0 1 - 1|"
                 "libcore.util.NativeAllocationRegistry 8 0 1 - 2");
    trace_expect(engine,
                 "SELECT o.self_size, o.root_type, o.heap_type, o.graph_sample_ts, p.pid "
                 "FROM heap_graph_object o JOIN heap_graph_class c ON c.id = o.type_id "
                 "JOIN process p USING (upid) WHERE c.name = 'java.lang.Class<com.example.Shop>'",
                 "48 STICKY_CLASS - 1700000000000 0");
    trace_expect(engine, "SELECT DISTINCT heap_type FROM heap_graph_object", "-|app");
    trace_expect(engine,
                 "SELECT field_name, owned_id IS NULL, field_type_name FROM heap_graph_reference "
                 "ORDER BY id LIMIT 6",
                 "com.example.Shop.CACHE 0 com.example.Shop[]|"
                 "com.example.Shop.name 0 java.lang.String|java.lang.String.value 0 byte[]|"
                 "com.example.Shop.name 0 java.lang.String|"
                 "java.lang.ref.Reference.referent 0 com.example.Shop|[0] 0 com.example.Shop");
    trace_expect(engine,
                 "SELECT field_name, field_type_name FROM heap_graph_reference "
                 "WHERE owned_id IS NULL",
                 "[2] unknown");
    trace_expect(engine,
                 "SELECT c.name, c.kind, s.name FROM heap_graph_class c "
                 "LEFT JOIN heap_graph_class s ON s.id = c.superclass_id "
                 "WHERE c.name LIKE 'java.lang.ref%' OR c.name = 'java.lang.Object' ORDER BY c.id",
                 "java.lang.Object [unknown class kind] -|"
                 "java.lang.ref.Reference [unknown class kind] java.lang.Object|"
                 "java.lang.ref.WeakReference KIND_WEAK_REFERENCE java.lang.ref.Reference");
    engine_free(engine);
}

static void test_values(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_hprof);
    trace_expect(engine,
                 "SELECT value_string, array_element_type, array_element_count, "
                 "array_data_hash IS NULL FROM heap_graph_object_data "
                 "WHERE value_string IS NOT NULL OR array_element_type IS NOT NULL",
                 "Tea - - 1|- byte 3 0|\xC3\xBC\xF0\x9F\x98\x80 - - 1|- char 3 0");
    trace_expect(
        engine,
        "SELECT p.field_name, p.field_type, p.bool_value, p.int_value, p.double_value "
        "FROM heap_graph_object o JOIN heap_graph_object_data d ON d.id = o.object_data_id "
        "JOIN heap_graph_primitive p USING (field_set_id) "
        "JOIN heap_graph_class c ON c.id = o.type_id WHERE c.name = 'com.example.Shop'",
        "com.example.Shop.count int - 3 -|com.example.Shop.open boolean 1 - -|"
        "com.example.Shop.rates double - - 1.5|com.example.Shop.count int - -1 -|"
        "com.example.Shop.open boolean 0 - -|com.example.Shop.rates double - - 0");
    engine_free(engine);
}

static void test_eight_byte_ids(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_hprof_long);
    trace_expect(engine,
                 "SELECT count(*), sum(reachable), sum(native_size), "
                 "(SELECT count(*) FROM heap_graph_reference) FROM heap_graph_object",
                 "23 9 512 11");
    engine_free(engine);
}

static void test_damage(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_hprof_cut);
    trace_expect(engine, "SELECT count(*), sum(reachable) FROM heap_graph_object", "21 7");
    trace_expect(engine, "SELECT name, value FROM stats WHERE value > 0 AND name LIKE 'perfetty%'",
                 "perfetty_input_truncated 1");
    engine_free(engine);
    engine = load(gen_write_hprof_odd);
    trace_expect(engine,
                 "SELECT c.name, o.self_size FROM heap_graph_object o "
                 "JOIN heap_graph_class c ON c.id = o.type_id ORDER BY o.id",
                 "java.lang.Class<java.lang.Object> 0|java.lang.Class<com.example.Shop> 0|"
                 "java.lang.Object 8|com.example.Shop 8|com.example.Shop 8|byte[] 14|"
                 "com.example.Shop 8");
    trace_expect(engine,
                 "SELECT name, value FROM stats WHERE value > 0 AND severity = 'error' "
                 "ORDER BY name",
                 "hprof_class_errors 2|hprof_field_value_errors 1|hprof_heap_dump_errors 1|"
                 "hprof_primitive_array_parsing_errors 1|hprof_reference_errors 4");
    engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_eight_byte_ids),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
