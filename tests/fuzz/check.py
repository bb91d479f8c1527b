"""Every importer has a target, and every target an importer: check.py BUILD (the test fuzz.targets)."""

import sys

import targets


def main():
    known = set(targets.importers(sys.argv[1]))
    named = {t.importer for t in targets.read_targets() if t.program == "import"}
    for name in sorted(known - named):
        print(f"{name}: an importer without a line in targets.tsv")
    for name in sorted(named - known):
        print(f"{name}: no importer is called that")
    return 1 if known != named else 0


sys.exit(main())
