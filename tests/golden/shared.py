"""Where the reference traces are, and running the program on one."""
import os
import subprocess
import sys

SKIP = 77


def folder(source):
    """The shared folder, or None."""
    for place in (os.environ.get("PERFETTY_SHARED"), os.path.join(source, "..", "shared")):
        if place and os.path.isdir(os.path.join(place, "golden")):
            return os.path.abspath(place)
    return None


def folder_or_skip(source):
    place = folder(source)
    if place is None:
        print("skipped: no reference traces beside the checkout (PERFETTY_SHARED is not set)")
        sys.exit(SKIP)
    return place


def run(program, arguments, limit, **options):
    """(exit status or None on timeout, stdout, stderr)"""
    try:
        done = subprocess.run([program] + arguments, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=limit,
                              **options)
    except subprocess.TimeoutExpired:
        return None, b"", b""
    return done.returncode, done.stdout, done.stderr
