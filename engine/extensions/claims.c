/* `file` entries: which members they name (E12, E13) and what those hold (E11, E14). */
#include "engine/base/utf8.h"
#include "engine/extensions/internal.h"
#include "engine/proto/descriptor_pool.h"

static bool is_claimable(struct sidecar *s, json_t *value, struct str path)
{
    const struct sidecar_place *place = s->place;
    bool added;
    s->problems.rule = place->has_members ? "E12" : "E13";
    if (!place->has_members) {
        problems_add_found(&s->problems, value,
                           "no `file` entries where the sidecar lies in neither an archive nor a "
                           "folder; use an `inline` entry");
        return false;
    }
    strmap_put_if_absent(&s->claimed_paths, path, 0, &added);
    size_t count = place->count(place->context, path);
    const char *what = NULL;
    if (!added)
        what = "which another entry claims already";
    else if (str_equal(path, place->self))
        what = "which is the sidecar itself";
    else if (manifest_find_file(&s->manifest, path))
        what = "which `files` lists as a trace";
    else if (count > 1)
        what = "a name that the archive has twice";
    else if (count == 0 && place->is_folder(place->context, path))
        what = "which is a folder";
    else if (count == 0)
        what = "which is not in the same archive";
    if (!what) return true;
    struct buffer found = BUFFER_INIT;
    json_describe(&found, value);
    problems_add_here(&s->problems,
                      "found %s, %s; allowed: the name of one other member, byte for byte, that "
                      "nothing else claims",
                      buffer_text(&found), what);
    buffer_free(&found);
    return false;
}

void claim_add(struct sidecar *s, json_t *entry, enum section_list list, size_t index)
{
    json_t *value = json_object_get(entry, "path");
    struct str path = json_str(value);
    size_t here = json_path_key(&s->problems.path, "path");
    if (is_claimable(s, value, path))
        vec_push(&s->claims,
                 (struct claim){.path = path, .list = list, .entry = entry, .index = index});
    json_path_cut(&s->problems.path, here);
}

size_t sidecar_claim_count(const struct sidecar *sidecar)
{
    return sidecar->claims.count;
}

struct str sidecar_claim_path(const struct sidecar *sidecar, size_t i)
{
    return sidecar->claims.items[i].path;
}

static void give_list(struct sidecar *s, struct claim *claim)
{
    struct status st = STATUS_INIT;
    json_t *item;
    size_t i;
    bool is_macros = claim->list == SECTION_MACROS;
    claim->content = json_strict_load(claim->bytes, &st);
    if (!claim->content) {
        problems_add_here(&s->problems, "found %s; allowed: a JSON array of %s",
                          status_message(&st), is_macros ? "macros" : "commands");
        status_clear(&st);
        return;
    }
    if (!json_is_array(claim->content)) {
        problems_add_found(&s->problems, claim->content, "a JSON array of %s",
                           is_macros ? "macros" : "commands");
        return;
    }
    json_array_foreach(claim->content, i, item)
    {
        size_t inner = json_path_index(&s->problems.path, i);
        if (is_macros)
            section_check_macro(s, item);
        else
            section_check_command(s, item);
        json_path_cut(&s->problems.path, inner);
    }
}

static void give_module(struct sidecar *s, struct claim *claim)
{
    size_t bad;
    if (!utf8_is_valid(claim->bytes, &bad)) {
        problems_add_here(&s->problems, "found bytes that are no UTF-8 at %zu; allowed: UTF-8 text",
                          bad);
    } else if (str_find_byte(claim->bytes, 0, &bad)) {
        problems_add_here(&s->problems, "found a NUL at byte %zu; allowed: SQL text", bad);
    } else {
        json_t *name = json_object_get(claim->entry, "name");
        vec_push(&s->modules,
                 (struct module){json_string_value(name),
                                 arena_copy(&s->arena, claim->bytes.p, claim->bytes.n)});
    }
}

static void give_descriptor(struct sidecar *s, struct claim *claim)
{
    struct status st = STATUS_INIT;
    if (descriptor_pool_check(claim->bytes, &st))
        vec_push(&s->descriptors, claim->bytes);
    else
        problems_add_here(&s->problems,
                          "found bytes that are no FileDescriptorSet (%s); allowed: a serialized "
                          "FileDescriptorSet",
                          status_message(&st));
    status_clear(&st);
}

void sidecar_give(struct sidecar *s, size_t i, struct str bytes, const char *reason)
{
    struct claim *claim = &s->claims.items[i];
    s->problems.rule = claim->list == SECTION_DESCRIPTORS ? "E11" : "E14";
    claim->bytes = bytes.p ? bytes : STR("");
    const char *list = section_list_names[claim->list];
    s->problems.member = arena_printf(&s->arena, "extensions.%s[%zu].path: in member '%.*s'", list,
                                      claim->index, STR_ARG(claim->path));
    if (reason) {
        s->problems.rule = "E12";
        problems_add_here(&s->problems, "%s; allowed: a member that can be read to its end",
                          reason);
    } else {
        switch (claim->list) {
        case SECTION_MACROS:
        case SECTION_STARTUP: give_list(s, claim); break;
        case SECTION_MODULES: give_module(s, claim); break;
        case SECTION_DESCRIPTORS: give_descriptor(s, claim); break;
        }
    }
    s->problems.member = NULL;
    s->problems.rule = NULL;
    json_path_cut(&s->problems.path, 0);
}
