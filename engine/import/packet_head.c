#include "engine/import/packet_reader.h"

#include "engine/proto/wire.h"

bool packet_read_head(struct str bytes, struct packet_head *head)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    *head = (struct packet_head){0};
    while (wire_next(&w, &f)) {
        switch (f.number) {
        case 3: /* trusted_uid */
        case 79: /* trusted_pid */ break;
        case 8:
            head->has_timestamp = true;
            head->timestamp = f.value;
            break;
        case 10:
            head->has_sequence_id = true;
            head->sequence_id = (uint32_t)f.value;
            break;
        case 12: head->interned = f.bytes; break;
        case 13: head->sequence_flags |= (uint32_t)f.value; break;
        case 41: head->is_cleared = f.value != 0; break;
        case 42: head->loss = (uint32_t)f.value; break;
        case 58: head->clock_id = (uint32_t)f.value; break;
        case 59: head->defaults = f.bytes; break;
        case 87: head->is_first_on_sequence = f.value != 0; break;
        case 98: head->machine_id = (uint32_t)f.value; break;
        case 126: head->attributes = f.bytes; break;
        default:
            if (f.type == WIRE_BYTES && head->n_data < PACKET_MAX_DATA)
                head->data[head->n_data++] = (struct packet_field){f.number, f.bytes};
        }
    }
    head->is_cleared |= (head->sequence_flags & 1) != 0;
    return !w.bad;
}
