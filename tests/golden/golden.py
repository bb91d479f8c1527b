#!/usr/bin/env python3
"""Compares tables of every trace in a folder with the reference's.

For each trace there is a folder of CSV files, one a table, and a list of the queries that made
them.  All queries of a trace run in one process, a marker row before each.  Rows may come in any
order.  A table that differs must stand in differences/FOLDER.tsv with its reason, and one that
stands there must differ; `--list` prints those that differ, ready for that file.  A trace that is
refused must have all its tables there.

Exit status: 0 when at least --need per cent agree, exactly the listed ones differ, no run broke
and none took longer than --limit; 77 when there are no reference traces.
"""
import argparse
import concurrent.futures
import os
import sys
import tempfile

import shared

MARK = "golden-mark"


def read_queries(golden):
    """table -> query; `table.digest` -> the query that stands in for many rows"""
    queries = {}
    with open(os.path.join(golden, "QUERIES.tsv"), encoding="utf-8") as f:
        next(f)
        for line in f:
            table, query, digest = (line.rstrip("\n").split("\t") + ["", ""])[:3]
            queries[table] = query
            queries[table + ".digest"] = digest
    return queries


def rows(text):
    lines = text.strip(b"\n").split(b"\n")
    return lines[:1], sorted(lines[1:])


def split_answers(output):
    """The text after each marker, in order."""
    answers, current = {}, None
    mark = ('"%s"' % MARK).encode()
    lines = output.split(b"\n")
    i = 0
    while i < len(lines):
        if lines[i] == mark and i + 1 < len(lines):
            current = lines[i + 1].strip(b'"').decode()
            answers[current] = []
            i += 2
            continue
        if current is not None:
            answers[current].append(lines[i])
        i += 1
    return {name: b"\n".join(text) for name, text in answers.items()}


def check(program, trace, golden, queries, limit):
    """(agreeing tables, differing tables, trouble or '')"""
    if os.path.exists(os.path.join(golden, "ERROR.txt")):
        status, _, stderr = shared.run(program, ["query", trace, "select 1"], limit)
        return [], [], "" if status in (0, 1) else "exit %s: %s" % (status, stderr[-200:])
    wanted = [f[:-4] for f in sorted(os.listdir(golden)) if f.endswith(".csv")]
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        for name in wanted:
            script.write('select \'%s\' as "%s";\n%s;\n' % (name, MARK, queries[name]))
        script.write("select 'end' as \"%s\";\n" % MARK)
        script.flush()
        status, output, stderr = shared.run(program, ["query", trace, "-f", script.name], limit)
    answers = split_answers(output)
    agree, differ = [], []
    for name in wanted:
        with open(os.path.join(golden, name + ".csv"), "rb") as f:
            same = name in answers and rows(answers[name]) == rows(f.read())
        (agree if same else differ).append(name.replace(".digest", ""))
    trouble = ""
    if status is None:
        trouble = "no answer in %g s" % limit
    elif status != 0:
        trouble = "exit %d: %s" % (status, stderr.decode("utf-8", "replace").strip()[-200:])
    return agree, differ, trouble


def read_known(path):
    known = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            for line in f:
                if line.strip() and not line.startswith("#"):
                    trace, table, reason = line.rstrip("\n").split("\t")
                    known[trace, table] = reason
    return known


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--need", type=float, default=100)
    parser.add_argument("--limit", type=float, default=10, help="CPU seconds a trace")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    place = shared.folder_or_skip(options.source)
    golden, traces = os.path.join(place, "golden"), os.path.join(place, "traces", options.folder)
    queries = read_queries(golden)
    known = read_known(os.path.join(os.path.dirname(os.path.abspath(__file__)), "differences",
                                    options.folder + ".tsv"))
    # The sanitizers make everything several times slower.
    if "asan" in options.program:
        options.limit *= 6
    names = [n for n in sorted(os.listdir(traces)) if os.path.isdir(os.path.join(golden, n))]
    jobs = os.cpu_count() or 2
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(lambda n: check(options.program, os.path.join(traces, n),
                                                os.path.join(golden, n), queries, options.limit),
                                names))
    yes = no = broken = unlisted = 0
    by_table = {t: [0, 0] for t in queries}
    differing = set()
    for name, (agree, differ, trouble) in zip(names, results):
        yes += len(agree)
        no += len(differ)
        for table in agree:
            by_table[table][0] += 1
        for table in differ:
            by_table[table][1] += 1
            differing.add((name, table))
            listed = (name, table) in known
            unlisted += not listed
            if options.list:
                print("%s\t%s\t%s" % (name, table, known.get((name, table), "")))
            elif not listed:
                print("differs, and is not in differences/: %s %s" % (name, table))
        is_refused = trouble.startswith("exit 1:") and not agree
        if trouble and not (is_refused and all((name, t) in known for t in differ)):
            broken += 1
            print("broke: %s: %s" % (name, trouble))
    if options.list:
        return 0
    stale = sorted(set(known) - differing)
    for name, table in stale:
        print("agrees, and stands in differences/: %s %s" % (name, table))
    for table in sorted(by_table):
        good, bad = by_table[table]
        if good + bad:
            print("%-14s %4d of %4d agree" % (table, good, good + bad))
    share = 100.0 * yes / max(yes + no, 1)
    print("%s: %d of %d tables agree (%.1f %%, needed %g) over %d traces; %d runs broke; "
          "%d differences are not listed" % (options.folder, yes, yes + no, share, options.need,
                                             len(names), broken, unlisted))
    failed = broken + unlisted + len(stale) + (share < options.need)
    print("%d passed, %d failed" % (yes, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
