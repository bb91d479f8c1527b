#!/usr/bin/env python3
"""No input may take memory or time beyond what its size explains.

Each trace and case of the shared folder (where it is) and each generated trace (--seeds FOLDER)
is loaded and read as a whole by `perfetty info --json`: at most 200 MB and four times its inflated
size at the peak, and 10 s of CPU time.
"""
import argparse
import gzip
import os
import sys
import tempfile
import threading
import zipfile
import zlib

import shared

FREE_BYTES = 200_000_000
FACTOR = 4
SECONDS = 10
MOST_INFLATED = 256_000_000  # as far as an archive is inflated here: a bomb explains no more


def count(stream):
    total = 0
    while total < MOST_INFLATED:
        piece = stream.read(1 << 20)
        if not piece:
            break
        total += len(piece)
    return total


def inflated(path):
    """What the input holds when it is unpacked, one level deep; its own size if that fails."""
    size = os.path.getsize(path)
    try:
        with open(path, "rb") as file:
            head = file.read(4)
        if head[:2] == b"\x1f\x8b":
            with gzip.open(path) as stream:
                return max(size, count(stream))
        if head == b"PK\x03\x04":
            total = 0
            with zipfile.ZipFile(path) as archive:
                for member in archive.infolist():
                    with archive.open(member) as stream:
                        total += count(stream)
            return max(size, total)
    except (OSError, EOFError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error):
        pass
    return size


def run(program, path):
    """(status, peak bytes, CPU seconds)"""
    with tempfile.TemporaryFile() as nothing:
        child = os.fork()
        if child == 0:
            os.dup2(nothing.fileno(), 1)
            os.dup2(nothing.fileno(), 2)
            os.execv(program, [program, "info", "--json", "-q", path])
        killer = threading.Timer(120, os.kill, (child, 9))
        killer.start()
        _, status, usage = os.wait4(child, 0)
        killer.cancel()
    return status, usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime


def why_wrong(program, path):
    status, peak, seconds = run(program, path)
    allowed = FREE_BYTES + FACTOR * inflated(path)
    if os.WIFSIGNALED(status):
        return "it ends by signal %d" % os.WTERMSIG(status)
    if peak > allowed:
        return "%.0f MB, not %.0f" % (peak / 1e6, allowed / 1e6)
    if seconds > SECONDS:
        return "%.1f s" % seconds
    return ""


def inputs_below(folder):
    for parent, _, names in os.walk(folder):
        for name in sorted(names):
            if not name.endswith((".tsv", ".py", ".md")) and not name.startswith("sidecar_"):
                yield os.path.join(parent, name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--seeds", help="folder of generated traces")
    arguments = parser.parse_args()
    if arguments.seeds:
        folders = [arguments.seeds, os.path.join(arguments.source, "tests/fuzz/found")]
    else:
        place = shared.folder_or_skip(arguments.source)
        folders = [os.path.join(place, "traces"), os.path.join(place, "cases")]
    total = bad = 0
    for folder in folders:
        for path in inputs_below(folder):
            total += 1
            why = why_wrong(os.path.abspath(arguments.program), path)
            if why:
                bad += 1
                print("%s: %s" % (path, why))
    print("%d inputs, %d beyond their limits" % (total, bad))
    return 1 if bad or total == 0 else 0


sys.exit(main())
