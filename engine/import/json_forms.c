#include "engine/import/json_forms.h"

#include "engine/import/json_event.h"
#include "engine/import/json_pull.h"

#define LONGEST_FIRST_LINE ((size_t)1 << 20)

bool json_is_lines(struct str bytes, size_t at)
{
    struct str line = str_slice(bytes, at, at + LONGEST_FIRST_LINE);
    struct json_event event;
    size_t end;
    str_find_byte(line, '\n', &line.n);
    return json_event_read(line, 0, &event, &end) == JSON_DONE && event.phase &&
           json_skip_space(line, end) == line.n;
}
