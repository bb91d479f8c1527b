#!/usr/bin/env python3
"""usage: tests/bench/slices.py FILE [COUNT]

Writes a Perfetto trace with COUNT slices (10 million) on one thread's track: an incremental
clock makes all packets of a kind the same bytes, so a file of 220 MB is made in a second.
"""

import sys


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def text(field, value):
    return varint(field << 3 | 2) + varint(len(value)) + value


def packet(*fields):
    return text(1, b"".join(fields) + number(10, 7))


NAMES = [b"doFrame", b"measure", b"layout", b"draw", b"queueBuffer"]


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 2
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    clocks = (text(1, number(1, 6) + number(2, 1_000_000_000)) +
              text(1, number(1, 64) + number(2, 0) + number(3, 1)))
    names = b"".join(text(2, number(1, i + 1) + text(2, name)) for i, name in enumerate(NAMES))
    defaults = number(58, 64) + text(11, number(11, 1))
    with open(sys.argv[1], "wb") as out:
        out.write(packet(text(6, clocks)))
        out.write(packet(number(13, 1), text(59, defaults), text(12, names)))
        out.write(packet(text(60, number(1, 1) + text(4, number(1, 42) + number(2, 42)))))
        # A second round of names with other lengths, so that neighbours differ.
        steps = [packet(number(8, gap), number(13, 2), text(11, number(9, 1) + number(10, name))) +
                 packet(number(8, length), number(13, 2), text(11, number(9, 2)))
                 for gap, length, name in [(90, 400, 1), (20, 150, 2), (300, 700, 3), (10, 90, 4),
                                           (40, 1200, 5), (500, 60, 2), (15, 330, 4)]]
        block = b"".join(steps) * 1000
        whole, rest = divmod(count, 7000)
        for _ in range(whole):
            out.write(block)
        out.write(b"".join(steps[i % 7] for i in range(rest)))
    return 0


sys.exit(main())
