"""The list of fuzz targets (targets.tsv) and their corpora, for `run`, `coverage` and CMake."""

import collections
import fnmatch
import gzip
import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LARGEST_SEED = 200_000
LARGEST_REFERENCE = 60_000

Target = collections.namedtuple("Target", "name program importer seeds references")


def read_targets():
    targets = []
    with open(os.path.join(HERE, "targets.tsv"), encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("#") or not line.strip():
                continue
            name, program, importer, seeds, references = line.rstrip("\n").split("\t")
            targets.append(Target(name, program, importer, seeds.split(), references.split()))
    return targets


def importers(build):
    """The names that the program knows: it lists them when it is asked for none."""
    told = subprocess.run([os.path.join(build, "tests/fuzz/fuzz_import"), "--importer="],
                          env=dict(os.environ, LLVM_PROFILE_FILE=os.devnull),
                          capture_output=True, text=True, check=False).stderr
    return [line.strip() for line in told.splitlines() if line.startswith("  ")]


def command(build, target):
    program = [os.path.join(build, "tests/fuzz/fuzz_" + target.program)]
    return program + ([f"--importer={target.importer}"] if target.program == "import" else [])


def dictionary(target):
    path = os.path.join(HERE, "dict", target.name + ".dict")
    return [f"-dict={path}"] if os.path.exists(path) else []


def fill(target, generated, folder):
    """The target's own seeds: generated traces that match, what was found before, the library."""
    os.makedirs(folder, exist_ok=True)
    count = 0
    for name in sorted(os.listdir(generated)):
        path = os.path.join(generated, name)
        if (any(fnmatch.fnmatchcase(name, glob) for glob in target.seeds)
                and os.path.getsize(path) <= LARGEST_SEED):
            shutil.copy(path, os.path.join(folder, name))
            count += 1
    found = os.path.join(HERE, "found", target.name)
    for name in sorted(os.listdir(found)) if os.path.isdir(found) else []:
        shutil.copy(os.path.join(found, name), os.path.join(folder, "found_" + name))
        count += 1
    if target.program == "sql":
        for parent, _, names in os.walk(os.path.join(ROOT, "engine/sql/stdlib")):
            for name in names:
                flat = os.path.relpath(os.path.join(parent, name), ROOT).replace("/", "_")
                shutil.copy(os.path.join(parent, name), os.path.join(folder, flat))
                count += 1
    return count


def add_references(target, shared, folder):
    """Small traces of the reference, out of their gzip."""
    for kind in target.references:
        source = os.path.join(shared, "traces", kind)
        for name in sorted(os.listdir(source)) if os.path.isdir(source) else []:
            path = os.path.join(source, name)
            with (gzip.open if name.endswith(".gz") else open)(path, "rb") as file:
                data = file.read(LARGEST_REFERENCE + 1)
            if len(data) <= LARGEST_REFERENCE:
                with open(os.path.join(folder, "shared_" + name), "wb") as file:
                    file.write(data)
