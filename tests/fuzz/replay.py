"""One target over its corpus, each input once: replay.py NAME BUILD SEEDS (the tests fuzz.NAME)."""

import os
import shutil
import subprocess
import sys

import targets


def main():
    name, build, seeds = sys.argv[1:]
    target = next(t for t in targets.read_targets() if t.name == name)
    folder = os.path.join(build, "tests/fuzz/corpus", name)
    shutil.rmtree(folder, ignore_errors=True)
    if targets.fill(target, seeds, folder) == 0:
        print(f"{name}: nothing in the catalogue of tests/gen matches {' '.join(target.seeds)}")
        return 1
    return subprocess.run(targets.command(build, target) + [folder], check=False).returncode


sys.exit(main())
