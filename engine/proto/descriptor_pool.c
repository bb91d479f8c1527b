#include "engine/proto/descriptor_pool.h"

#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/hash.h"
#include "engine/base/map.h"
#include "engine/base/vec.h"
#include "engine/proto/descriptor_build.h"

/* Looking again for what waits must not cost a hostile trace's square. */
#define RESOLVE_BUDGET 2000000
#define LARGEST_NAME   4096

struct pending {
    struct proto_field *field;
    struct str scope, extendee;
};

struct descriptor_pool {
    struct arena arena;
    struct strmap types; /* full name to (index << 1 | is_enum) */
    VEC(struct proto_message *) messages;
    VEC(struct proto_enum *) enums;
    struct map fields; /* message id << 32 | number to proto_field */
    struct map values; /* enum id << 32 | number to string of the arena */
    VEC(struct pending) pending;
    size_t resolve_budget;
    bool is_bundling;
};

struct descriptor_pool *descriptor_pool_new(void)
{
    struct descriptor_pool *pool = mem_zero(1, sizeof *pool);
    pool->resolve_budget = RESOLVE_BUDGET;
    pool->is_bundling = true;
    bundled_descriptors_read(pool);
    pool_resolve(pool);
    pool->is_bundling = false;
    return pool;
}

void descriptor_pool_free(struct descriptor_pool *pool)
{
    if (!pool) return;
    strmap_free(&pool->types);
    map_free(&pool->fields);
    map_free(&pool->values);
    vec_free(&pool->messages);
    vec_free(&pool->enums);
    vec_free(&pool->pending);
    arena_free(&pool->arena);
    mem_free(pool);
}

bool descriptor_pool_check(struct str bytes, struct status *st)
{
    return descriptor_set_read(NULL, bytes, st);
}

bool descriptor_pool_add(struct descriptor_pool *pool, struct str bytes, struct status *st)
{
    if (!descriptor_set_read(NULL, bytes, st)) return false;
    descriptor_set_read(pool, bytes, NULL);
    pool_resolve(pool);
    return true;
}

/* Looking up. */

static struct str without_dot(struct str name)
{
    return name.n && name.p[0] == '.' ? str_slice(name, 1, name.n) : name;
}

static struct proto_message *find_message(const struct descriptor_pool *pool, struct str name)
{
    const uint64_t *entry = strmap_get(&pool->types, without_dot(name));
    return entry && !(*entry & 1) ? pool->messages.items[*entry >> 1] : NULL;
}

static struct proto_enum *find_enum(const struct descriptor_pool *pool, struct str name)
{
    const uint64_t *entry = strmap_get(&pool->types, without_dot(name));
    return entry && *entry & 1 ? pool->enums.items[*entry >> 1] : NULL;
}

const struct proto_message *descriptor_pool_message(const struct descriptor_pool *pool,
                                                    struct str full_name)
{
    return find_message(pool, full_name);
}

const struct proto_enum *descriptor_pool_enum(const struct descriptor_pool *pool,
                                              struct str full_name)
{
    return find_enum(pool, full_name);
}

static uint64_t number_key(uint32_t id, uint32_t number)
{
    return (uint64_t)id << 32 | number;
}

const struct proto_field *descriptor_pool_field(const struct descriptor_pool *pool,
                                                const struct proto_message *message,
                                                uint32_t number)
{
    const uint64_t *entry = map_get(&pool->fields, number_key(message->id, number));
    return entry ? (const struct proto_field *)(uintptr_t)*entry : NULL;
}

const struct proto_field *proto_message_field_named(const struct proto_message *message,
                                                    struct str name)
{
    for (const struct proto_field *f = message->fields; f; f = f->next)
        if (str_equal(f->name, name)) return f;
    return NULL;
}

struct str descriptor_pool_enum_name(const struct descriptor_pool *pool,
                                     const struct proto_enum *enumeration, int32_t number)
{
    const uint64_t *entry = map_get(&pool->values, number_key(enumeration->id, (uint32_t)number));
    return entry ? str_of((const char *)(uintptr_t)*entry) : STR_NONE;
}

size_t descriptor_pool_message_count(const struct descriptor_pool *pool)
{
    return pool->messages.count;
}

const struct proto_message *descriptor_pool_message_at(const struct descriptor_pool *pool, size_t i)
{
    return pool->messages.items[i];
}

/* Putting in. */

struct proto_message *pool_put_message(struct descriptor_pool *pool, struct str full_name)
{
    bool added;
    uint64_t *entry =
        strmap_put_if_absent(&pool->types, full_name, (uint64_t)pool->messages.count << 1, &added);
    if (!added) return *entry & 1 ? NULL : pool->messages.items[*entry >> 1];
    struct proto_message *message = arena_zero(&pool->arena, sizeof *message);
    message->full_name = arena_copy_str(&pool->arena, full_name);
    message->is_bundled = pool->is_bundling;
    message->id = (uint32_t)pool->messages.count;
    vec_push(&pool->messages, message);
    return message;
}

struct proto_enum *pool_put_enum(struct descriptor_pool *pool, struct str full_name)
{
    bool added;
    uint64_t *entry =
        strmap_put_if_absent(&pool->types, full_name, (uint64_t)pool->enums.count << 1 | 1, &added);
    if (!added) return *entry & 1 ? pool->enums.items[*entry >> 1] : NULL;
    struct proto_enum *enumeration = arena_zero(&pool->arena, sizeof *enumeration);
    enumeration->full_name = arena_copy_str(&pool->arena, full_name);
    enumeration->id = (uint32_t)pool->enums.count;
    vec_push(&pool->enums, enumeration);
    return enumeration;
}

void pool_put_enum_value(struct descriptor_pool *pool, const struct proto_enum *enumeration,
                         int32_t number, struct str name)
{
    uint64_t key = number_key(enumeration->id, (uint32_t)number);
    if (map_get(&pool->values, key)) return;
    map_set(&pool->values, key, (uintptr_t)arena_copy(&pool->arena, name.p, name.n));
}

static void attach_field(struct descriptor_pool *pool, struct proto_message *message,
                         struct proto_field *field)
{
    bool added;
    map_put_if_absent(&pool->fields, number_key(message->id, field->number), (uintptr_t)field,
                      &added);
    if (!added) return;
    if (message->last_field)
        ((struct proto_field *)(uintptr_t)message->last_field)->next = field;
    else
        message->fields = field;
    message->last_field = field;
    message->field_count++;
}

void pool_put_field(struct descriptor_pool *pool, struct proto_message *message,
                    const struct pool_field_def *def)
{
    if (message && descriptor_pool_field(pool, message, def->number)) return;
    struct proto_field *field = arena_zero(&pool->arena, sizeof *field);
    field->name = arena_copy_str(&pool->arena, def->name);
    field->full_name = field->name;
    field->number = def->number;
    field->type = def->type;
    field->is_repeated = def->is_repeated;
    field->default_kind = (uint8_t)def->default_kind;
    if (def->default_value.n)
        field->default_value = arena_copy_str(&pool->arena, def->default_value);
    if (def->type_name.n) field->type_name = arena_copy_str(&pool->arena, def->type_name);
    if (message) attach_field(pool, message, field);

    bool needs_type =
        def->type == PROTO_MESSAGE || def->type == PROTO_ENUM || def->type == PROTO_UNKNOWN;
    if (message && !needs_type) return;
    struct pending pending = {field, arena_copy_str(&pool->arena, def->scope), STR_NONE};
    if (!message) {
        field->is_extension = true;
        if (def->scope.n)
            field->full_name = str_of(
                arena_printf(&pool->arena, "%.*s.%.*s", STR_ARG(def->scope), STR_ARG(def->name)));
        pending.extendee = arena_copy_str(&pool->arena, def->extendee);
    }
    vec_push(&pool->pending, pending);
}

/* A name as protobuf resolves it: absolute with a leading dot, else looked for
 * from the innermost scope outwards.  *entry as in pool->types. */
static bool find_type(const struct descriptor_pool *pool, struct str scope, struct str name,
                      uint64_t *entry)
{
    const uint64_t *found = NULL;
    char candidate[LARGEST_NAME];
    if (name.n && name.p[0] == '.') scope.n = 0;
    for (name = without_dot(name); !found; scope.n--) {
        size_t n = scope.n ? scope.n + 1 : 0;
        if (n + name.n > sizeof candidate) return false;
        if (n) {
            memcpy(candidate, scope.p, scope.n);
            candidate[scope.n] = '.';
        }
        memcpy(candidate + n, name.p, name.n);
        found = strmap_get(&pool->types, (struct str){candidate, n + name.n});
        if (found || !scope.n) break;
        while (scope.n && scope.p[scope.n - 1] != '.')
            scope.n--;
        if (!scope.n) scope.n = 1;
    }
    if (found) *entry = *found;
    return found != NULL;
}

static bool resolve_one(struct descriptor_pool *pool, struct pending *p)
{
    struct proto_field *field = p->field;
    uint64_t entry;
    if (field->type_name.n && !field->message && !field->enumeration &&
        find_type(pool, p->scope, field->type_name, &entry)) {
        if (entry & 1) {
            field->enumeration = pool->enums.items[entry >> 1];
            field->type = PROTO_ENUM;
        } else {
            field->message = pool->messages.items[entry >> 1];
            if (field->type != PROTO_GROUP) field->type = PROTO_MESSAGE;
        }
    }
    if (p->extendee.n && find_type(pool, p->scope, p->extendee, &entry) && !(entry & 1)) {
        attach_field(pool, pool->messages.items[entry >> 1], field);
        p->extendee = STR_NONE;
    }
    return !p->extendee.n && (!field->type_name.n || field->message || field->enumeration);
}

void pool_resolve(struct descriptor_pool *pool)
{
    size_t kept = 0;
    if (pool->resolve_budget < pool->pending.count) return;
    if (!pool->is_bundling) pool->resolve_budget -= pool->pending.count;
    for (size_t i = 0; i < pool->pending.count; i++)
        if (!resolve_one(pool, &pool->pending.items[i]))
            pool->pending.items[kept++] = pool->pending.items[i];
    pool->pending.count = kept;
}
