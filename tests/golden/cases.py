#!/usr/bin/env python3
"""Runs the small hostile inputs beside the checkout, each with its right answer.

A row of CHECKS.tsv names an input, a query, the rows it must give (tab-separated file, \\n for line
ends), the exit status and a pattern that one line of stderr must match.  A row whose case begins
with "or " is another right answer to the row before it.  Rows about the screen are tests/screen's.
Inputs in cases_open.tsv wait for an importer and may fail; one that passes must leave the list.
"""
import argparse
import os
import re
import sys
import tempfile

import shared


def read_checks(path):
    """[[alternatives]], in order"""
    checks = []
    with open(path, encoding="utf-8", newline="\n") as f:
        header = f.readline().rstrip("\n").split("\t")
        for line in f:
            row = dict(zip(header, line.rstrip("\n").split("\t")))
            if row["kind"] not in ("data", "load"):
                continue
            if row["case"].startswith("or "):
                row["case"] = row["case"][3:]
                checks[-1].append(row)
            else:
                checks.append([row])
    return checks


def why_wrong(program, folder, row, limit):
    with tempfile.NamedTemporaryFile("w", suffix=".sql", encoding="utf-8") as script:
        script.write(row["query"] + "\n")
        script.flush()
        status, out, err = shared.run(program, ["query", row["case"], "-f", script.name], limit,
                                      cwd=folder)
    if status is None:
        return "no end within %g s" % limit
    if status != int(row["exit"]):
        return "exit %d, not %s: %s" % (status, row["exit"], err.decode("utf-8", "replace")[:200])
    if row["kind"] == "data":
        wanted = row["expected"].replace("\\n", "\n").encode()
        if out.rstrip(b"\n") != wanted.rstrip(b"\n"):
            return "rows are %r, not %r" % (out[:300], wanted[:300])
    if row["stderr"]:
        lines = re.split(r"[\r\n]+", err.decode("utf-8", "replace"))
        if not any(re.search(row["stderr"], line, re.IGNORECASE) for line in lines):
            return "no line of stderr matches %s: %r" % (row["stderr"], err[:300])
    return ""


def read_open(path):
    with open(path, encoding="utf-8") as f:
        return {line.split("\t")[0].strip() for line in f if line.strip() and line[0] != "#"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--source", required=True)
    options = parser.parse_args()
    folder = os.path.join(shared.folder_or_skip(options.source), "cases")
    limit = 60 if "asan" in options.program else 10
    here = os.path.dirname(os.path.abspath(__file__))
    waiting = read_open(os.path.join(here, "cases_open.tsv"))
    passed = failed = skipped = 0
    done = {}
    for alternatives in read_checks(os.path.join(folder, "CHECKS.tsv")):
        reasons = [why_wrong(options.program, folder, row, limit) for row in alternatives]
        case = alternatives[0]["case"]
        ok = not all(reasons)
        done[case] = done.get(case, True) and ok
        if ok:
            passed += 1
        elif case in waiting:
            skipped += 1
        else:
            failed += 1
            print("%s: %s\n    %s" % (case, alternatives[0]["query"], reasons[0]))
    for case in sorted(waiting):
        if done.get(case):
            failed += 1
            print("%s passes now: take it out of cases_open.tsv" % case)
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
