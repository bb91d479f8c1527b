"""The viewer's page of extensions at 80x24: everything that a trace brings can be reached, and
what was skipped says why."""

import json
import os
import zipfile

from common import World

NAMESPACE = "com.example.bench"


def lines_of_page(world, *words, environment=None):
    """The page as somebody sees it who goes down line by line, ten at a time."""
    seen, frame = [], None
    for presses in range(0, 12):
        outcome = world.run("snapshot", *words, "--size", "80x24", "--keys",
                            "E " + "J " * presses, environment=environment)
        world.check(outcome.status == 0, outcome.err)
        lines = outcome.out.splitlines()
        world.check(len(lines) == 24, len(lines))
        tabs = next(i for i, line in enumerate(lines) if "Extensions" in line)
        page = "\n".join(line.rstrip() for line in lines[tabs + 1:-1])
        if page == frame:
            break
        frame = page
        seen.append(page)
    return "\n".join(seen)


def expect(world, page, *pieces):
    flat = " ".join(page.split())
    for piece in pieces:
        world.check(" ".join(piece.split()) in flat, f"the page lacks {piece!r}:\n{page}")


def everything(world):
    """Modules, macros, startup commands, descriptors; a taken id and blocked commands."""
    macros = [{"id": f"{NAMESPACE}.Mine", "name": "Taken", "run": []},
              {"id": f"{NAMESPACE}.Leave", "name": "Leave\u202e\x1b[31m", "run": [
                  {"id": "dev.perfetto.PinTracksByRegex", "args": ["^main"]},
                  {"id": "dev.perfetty.Quit", "args": []}]}]
    startup = [{"id": f"{NAMESPACE}.Leave", "args": []},
               {"id": "dev.perfetty.ZoomToFit", "args": []},
               {"id": "dev.perfetto.AddNoteAtTimestamp", "args": ["5", "a long note: " + "x" * 90]},
               {"id": "org.none.X", "args": []}]
    world.write("m.json", json.dumps(macros))
    world.write("s.json", json.dumps(startup))
    world.write("sql/frames.sql", world.read("ex/extensions/frames.sql"))
    world.expect(world.run("bundle", "all.zip", "ex/trace.perfetto-trace", "--namespace", NAMESPACE,
                           "--sql", "sql", "--macros", "m.json", "--startup", "s.json",
                           "--descriptors", "ex/extensions/bench_info.pb"))
    settings = {"macros": [{"id": f"{NAMESPACE}.Mine", "name": "Mine", "run": []}]}
    config = world.write("config/perfetty/settings.json", json.dumps(settings))
    environment = dict(world.environment, XDG_CONFIG_HOME=os.path.dirname(os.path.dirname(config)))
    page = lines_of_page(world, "all.zip", "--trace-commands", "always", environment=environment)
    expect(world, page, f"namespace {NAMESPACE}", "SQL modules (1)",
           f"INCLUDE PERFETTO MODULE {NAMESPACE}.frames", "CREATE PERFETTO VIEW bench_frame_metrics(",
           "WHERE slice.category = 'bench' AND slice.name = 'ShopFrame';", "Macros (2)",
           f"({NAMESPACE}.Leave)", '1. dev.perfetto.PinTracksByRegex "^main"', "2. dev.perfetty.Quit",
           "Startup commands (4)", '3. dev.perfetto.AddNoteAtTimestamp "5" "a long note:',
           "Descriptors (1)", "477 bytes", "message com.example.bench.BenchInfo",
           "extension com.example.bench.BenchExtension.bench_info = 9901 of perfetto.protos.TrackEvent",
           "enum com.example.bench.Phase", "Skipped",
           f"macro {NAMESPACE}.Mine: another macro has this id (settings)",
           "startup command dev.perfetty.ZoomToFit: not on the list of startup commands",
           "startup command org.none.X: no macro of this name is there",
           "at startup blocked dev.perfetty.Quit", "at startup blocked dev.perfetty.ZoomToFit")
    world.check(page.replace("\n", "").count("x") >= 90, "the long note is cut:\n", page)
    world.check("\x1b" not in page and "\u202e" not in page, "raw characters of the trace")


def server(world):
    world.expect(world.run("bundle", "server.zip", "ex/trace.perfetto-trace", "--server",
                           "github:o/r@main:/perf", "--modules", "a,b"))
    expect(world, lines_of_page(world, "server.zip"), "Extension server", "github: o/r at main /perf",
           "modules: a b", "It is asked only after you added it.")


def nothing(world):
    for words in (("ex/trace.perfetto-trace",), ("all.zip", "--extensions", "ignore")):
        expect(world, lines_of_page(world, *words), "nothing, or it was told to be ignored")


if __name__ == "__main__":
    w = World()
    with zipfile.ZipFile(os.path.join(w.binary, "example.zip")) as example:
        example.extractall(w.path("ex"))
    everything(w)
    server(w)
    nothing(w)
    w.finish()
