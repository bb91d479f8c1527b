"""Where the reference traces are, and running the program on one."""
import math
import os
import resource
import signal
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
    """(exit status or None on timeout, stdout, stderr)

    `limit` is in seconds of CPU, which a busy machine does not change; a run that waits for
    something is ended after ten times as long.
    """
    cpu = math.ceil(limit)
    try:
        done = subprocess.run([program] + arguments, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=10 * limit,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU,
                                                                    (cpu, cpu + 1)),
                              **options)
    except subprocess.TimeoutExpired:
        return None, b"", b""
    if done.returncode == -signal.SIGXCPU:
        return None, b"", b""
    return done.returncode, done.stdout, done.stderr
