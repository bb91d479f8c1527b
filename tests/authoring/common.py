"""What the tests of authoring share: running the program in a folder of its own, and
checks that say what they saw.  Nothing beyond Python's standard library."""

import argparse
import itertools
import os
import shutil
import subprocess
import sys
import tempfile


class World:
    """The program, the writer of traces, and an empty folder to work in."""

    def __init__(self):
        parser = argparse.ArgumentParser()
        for name in ("program", "gen", "source", "binary"):
            parser.add_argument("--" + name, required=True)
        parser.add_argument("--every", type=int, default=1)
        args = parser.parse_args()
        # Of long tables one row in `every`: a sanitized program takes ten times as long to start.
        self.every = args.every
        self.program, self.gen = os.path.abspath(args.program), os.path.abspath(args.gen)
        self.source, self.binary = os.path.abspath(args.source), os.path.abspath(args.binary)
        self.folder = tempfile.mkdtemp(prefix="perfetty_authoring_")
        self.failures = 0
        self.checks = 0
        self.environment = dict(os.environ, HOME=self.folder, LC_ALL="C.UTF-8", TZ="UTC")
        for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "NO_COLOR"):
            self.environment.pop(name, None)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, data):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
        return path

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def make_trace(self, entry, name=None):
        """One trace of the catalogue of tests/gen."""
        path = self.path(name or entry)
        subprocess.run([self.gen, "--only", entry, "-o", path], check=True)
        return path

    def some(self, rows):
        return itertools.islice(rows, 0, None, self.every)

    def entries(self):
        return subprocess.run([self.gen, "--list"], check=True, capture_output=True,
                              text=True).stdout.split()

    def run(self, *words, environment=None, stdin=b""):
        done = subprocess.run([self.program, *words], cwd=self.folder, capture_output=True,
                              input=stdin, timeout=120, env=environment or self.environment)
        return Outcome(words, done)

    def check(self, condition, *what):
        self.checks += 1
        if condition:
            return True
        self.failures += 1
        print("FAILED:", *what, file=sys.stderr)
        return False

    def expect(self, outcome, status=0, out=(), err=(), no_err=False):
        what = f"perfetty {' '.join(outcome.words)}"
        self.check(outcome.status == status,
                   f"{what}: status {outcome.status}, not {status}\n{outcome.err}")
        for piece in (out,) if isinstance(out, str) else out:
            self.check(piece in outcome.out, f"{what}: stdout lacks {piece!r}:\n{outcome.out}")
        for piece in (err,) if isinstance(err, str) else err:
            self.check(piece in outcome.err, f"{what}: stderr lacks {piece!r}:\n{outcome.err}")
        if no_err:
            self.check(outcome.err == "", f"{what}: stderr is not empty:\n{outcome.err}")
        return outcome

    def finish(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        print(f"{self.checks} checks, {self.failures} failures")
        sys.exit(1 if self.failures or not self.checks else 0)


class Outcome:
    def __init__(self, words, done):
        self.words = words
        self.status = done.returncode
        self.bytes = done.stdout
        self.out = done.stdout.decode(errors="replace")
        self.err = done.stderr.decode(errors="replace")
