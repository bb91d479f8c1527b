#!/usr/bin/env python3
"""Loads the generated traces of ../shared/bench and compares with gzip on the same file.

A figure is CPU seconds (user + system) of `perfetty query FILE 'select 1'` divided by those of
`gzip -6 -c FILE`, run in turn on this machine: the median of --rounds pairs.  Peak RSS is the
process' largest.  Exit status 1 when a ratio is above --limit, or RSS above the reference's.
"""
import argparse
import os
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import shared  # noqa: E402

# kind, MB, the reference's load / gzip, the reference's peak RSS in MB
INPUTS = [("mixed", 32, 1.32, 234), ("sched", 32, 1.31, 325), ("app", 32, 0.94, 158),
          ("mixed", 64, 1.30, 403)]


def measure(argv):
    """(CPU seconds, peak RSS in MB) of one run; its output is dropped."""
    child = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit("%s ended with %d" % (" ".join(argv), child.returncode))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def make_input(place, folder, kind, megabytes):
    path = os.path.join(folder, "%s-%d.pftrace" % (kind, megabytes))
    if not os.path.exists(path):
        subprocess.run([sys.executable, os.path.join(place, "bench", "mktrace.py"), "--kind", kind,
                        "--mb", str(megabytes), path + ".part"], check=True)
        os.rename(path + ".part", path)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--source", default=os.path.join(os.path.dirname(__file__), "..", ".."))
    parser.add_argument("--folder", help="where inputs are kept", default="/tmp/perfetty-bench")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=1.0)
    options = parser.parse_args()
    place = shared.folder_or_skip(options.source)
    os.makedirs(options.folder, exist_ok=True)
    print("%-12s %8s %8s %7s %10s %8s %10s" % ("input", "load s", "gzip s", "ratio", "reference",
                                              "RSS MB", "reference"))
    failed = 0
    for kind, megabytes, reference, reference_rss in INPUTS:
        path = make_input(place, options.folder, kind, megabytes)
        ratios, loads, gzips, peak = [], [], [], 0
        for _ in range(options.rounds):
            gzip, _ = measure(["gzip", "-6", "-c", path])
            load, rss = measure([options.program, "query", path, "select 1"])
            ratios.append(load / gzip)
            loads.append(load)
            gzips.append(gzip)
            peak = max(peak, rss)
        ratio = statistics.median(ratios)
        bad = ratio > options.limit or peak > reference_rss
        failed += bad
        print("%-12s %8.2f %8.2f %7.2f %10.2f %8.0f %10d%s" % (
            "%s %d MB" % (kind, megabytes), statistics.median(loads), statistics.median(gzips),
            ratio, reference, peak, reference_rss, "  TOO MUCH" if bad else ""))
    print("%d passed, %d failed" % (len(INPUTS) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
