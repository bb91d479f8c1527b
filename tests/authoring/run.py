"""perfetty run: the same tables as the viewer's tabs, statuses, what is said."""

import json
import os
import shutil
import zipfile

from common import World

QUERIES = [("Names, \"quoted\"", "SELECT DISTINCT name, category FROM slice ORDER BY name LIMIT 40"),
           ("Types", "SELECT 1 AS i, 0.1 AS r, NULL AS n, 'a,\"b\"\n' AS t, x'00ff' AS b, "
                     "9223372036854775807 AS big, 1e300 AS huge"),
           ("Empty", "SELECT id, ts FROM slice WHERE 0"),
           ("", "SELECT count(*) AS n FROM thread")]


def command(name, *args):
    return {"id": f"dev.perfetto.{name}", "args": list(args)}


def tabs(*queries):
    return [command("RunQueryAndShowTab", sql, title) for title, sql in queries]


def same_as_the_viewer(world):
    """Each tab exported by hand, and by the program."""
    world.write("commands.json", json.dumps(tabs(*QUERIES)))
    for ending in ("csv", "json"):
        world.expect(world.run("run", "example.zip", "--commands", "@commands.json", "--out",
                               ending, "--format", ending))
        names = sorted(os.listdir(world.path(ending)))
        world.check(names == [f"01-names-quoted.{ending}", f"02-types.{ending}",
                              f"03-empty.{ending}", f"04.{ending}", "frame.txt"], names)
        for i, query in enumerate(QUERIES):
            shown = world.path(f"shown.{ending}")
            world.expect(world.run("snapshot", "example.zip", "--startup-commands",
                                   json.dumps(tabs(query)), "--keys",
                                   f': "dev.perfetty.Export {shown}" Enter'))
            world.check(world.read(f"shown.{ending}") == world.read(f"{ending}/{names[i]}"),
                        f"tab {i + 1} differs as {ending}")
    rows = json.loads(world.read("json/02-types.json"))
    world.check(rows[0]["big"] == 9223372036854775807 and rows[0]["n"] is None, rows)


def macro_is_the_viewers(world):
    """A macro's tabs, run by name and by hand."""
    for name, tables in (("FrameJank", 2), ("AppStart", 3), ("SchedulingLatency", 1),
                         ("CpuProfile", 2), ("Battery", 1)):
        macro, folder = f"dev.perfetty.macros.{name}", f"by-name-{name}"
        world.expect(world.run("run", "example.zip", "--macro", macro, "--out", folder,
                               "--trace-commands", "never"))
        files = sorted(file for file in os.listdir(world.path(folder)) if file != "frame.txt")
        world.check(len(files) == tables, files)
        for i, file in enumerate(files):
            shown = world.path("by-hand.csv")
            world.expect(world.run("snapshot", "example.zip", "--trace-commands", "never", "--keys",
                                   f': "{macro}" Enter Alt+{i + 2} : "dev.perfetty.Export {shown}"'
                                   " Enter"))
            world.check(world.read("by-hand.csv") == world.read(f"{folder}/{file}"),
                        f"{file} of {name} differs")
            world.check(world.read("by-hand.csv").count(b"\r\n") > 1, f"{file} of {name} is empty")
    # What a trace lacks is said, and is no failure.
    world.expect(world.run("run", "example.zip", "--macro", "dev.perfetty.macros.PowerRails"), out="",
                 err="No power rails: record android.power with collect_power_rails")


def frame(world):
    """The last screen is the one that a snapshot shows."""
    world.expect(world.run("run", "example.zip", "--commands", "@commands.json", "--out", "f",
                           "--size", "100x30"))
    shot = world.run("snapshot", "example.zip", "--size", "100x30", "--startup-commands",
                     world.read("commands.json").decode())
    frame_text = world.read("f/frame.txt").decode()
    world.check(len(frame_text.splitlines()) == 30, frame_text)
    world.check(frame_text == shot.out, frame_text, shot.out)


def macros(world):
    """A bundled one, the trace's own, and one of the settings."""
    outcome = world.expect(world.run("run", "example.zip", "--macro",
                                     "dev.perfetty.macros.LongestSlices"),
                           out="id,ts,dur,track_id,name,depth\r\n")
    world.check(outcome.out.count("\r\n") > 100)
    world.expect(world.run("run", "example.zip", "--macro", "com.example.bench.FocusFrames"),
                 err=["4 tracks pinned", "none ran, because nobody is here to ask"])
    world.expect(world.run("run", "example.zip", "--trace-commands", "always", "--macro",
                           "com.example.bench.FocusFrames", "--out", "t"),
                 err="t/01-frame-metrics.csv written")
    world.expect(world.run("run", "--extensions", "ignore", "example.zip", "--macro",
                           "com.example.bench.FocusFrames"), status=1, err="there is no macro")
    settings = {"macros": [{"id": "my.Count", "name": "Count", "run": [
        command("RunQueryAndShowTab", "SELECT count(*) AS n FROM cpu", "CPUs")]}],
        "startupCommands": [command("RunQueryAndShowTab", "SELECT 7 AS seven", "Mine")]}
    config = world.write("config/perfetty/settings.json", json.dumps(settings))
    environment = dict(world.environment, XDG_CONFIG_HOME=os.path.dirname(os.path.dirname(config)))
    world.expect(world.run("run", "-q", "example.zip", "--macro", "my.Count",
                           environment=environment), out="seven\r\n7\r\n\nn\r\n")


def failures(world):
    """Everything else runs; the status says it."""
    commands = [command("RunQueryAndShowTab", "SELECT nope", "Bad"),
                {"id": "dev.perfetty.ZoomToFit", "args": []},
                command("AddNoteAtTimestamp", "soon", "n"), {"id": "com.none.X", "args": []},
                command("RunQueryAndShowTab", "SELECT 5 AS five", "Good")]
    world.expect(world.run("run", "-q", "example.zip", "--commands", json.dumps(commands)),
                 status=1, out="five\r\n5\r\n",
                 err=["failed: the query of tab 'Bad'", "no such column: nope",
                      "blocked: dev.perfetty.ZoomToFit (command line)",
                      "timestamp is \"soon\"", "blocked: com.none.X"])
    # A trace's macro that reaches out: nobody can be asked, so it does not.
    reach = [{"id": "com.x.Out", "name": "O", "run": [
        {"id": "dev.perfetty.Export", "args": [world.path("stolen.csv")]}]}]
    world.write("reach.json", json.dumps(reach))
    world.expect(world.run("bundle", "reach.zip", "ex/trace.perfetto-trace", "--namespace", "com.x",
                           "--macros", "reach.json"))
    world.expect(world.run("run", "reach.zip", "--macro", "com.x.Out"), status=1,
                 err="blocked: dev.perfetty.Export in com.x.Out (you)")
    world.check(not os.path.exists(world.path("stolen.csv")))
    world.expect(world.run("run", "nowhere.zip", "--macro", "x"), status=1, err="nowhere.zip")
    for words, err in (((), "no trace was named"), (("example.zip",), "give --macro or --commands"),
                       (("example.zip", "--macro", "x", "--format", "xml"), "csv or json"),
                       (("example.zip", "--macro", "x", "--size", "0x3"), "--size is WxH"),
                       (("example.zip", "--macro", "x", "--extensions", "y"), "load or ignore"),
                       (("example.zip", "--macro", "dev.perfetto.RunQuery"), "no macro")):
        world.expect(world.run("run", *words), status=2, err=err)
    world.expect(world.run("run", "example.zip", "--commands", "[{}]"), status=1,
                 err="commands[0].id")
    world.expect(world.run("run", "example.zip", "--commands", "@none"), status=1, err="none")
    world.expect(world.run("run", "example.zip", "--macro", "dev.perfetty.macros.LongestSlices",
                           "--out", "commands.json"), status=1, err="commands.json")


def load_order(world):
    """Macros: settings before the bundled before the trace's; startup commands: the trace's,
    the command line's, the settings'; SQL: what is there first keeps the name."""
    def who(text, title="T"):
        return command("RunQueryAndShowTab", f"SELECT '{text}' AS who", title)

    def macro(name, text):
        return {"id": name, "name": "N", "run": [who(text)]}

    world.write("m.json", json.dumps([macro("com.o.Both", "of the trace"),
                                      macro("com.o.Theirs", "of the trace")]))
    world.write("s.json", json.dumps([{"id": "com.o.Both", "args": []},
                                      {"id": "com.o.Theirs", "args": []},
                                      {"id": "dev.perfetty.macros.Cpus", "args": []},
                                      who("startup of the trace")]))
    world.expect(world.run("bundle", "order.zip", "ex/trace.perfetto-trace", "--namespace", "com.o",
                           "--macros", "m.json", "--startup", "s.json"))
    config = world.write("order/perfetty/settings.json", json.dumps({
        "macros": [macro("com.o.Both", "of the settings"),
                   macro("dev.perfetty.macros.Cpus", "bundled id of the settings")],
        "startupCommands": [who("startup of the settings")],
        "traceStartupCommands": "always"}))
    environment = dict(world.environment, XDG_CONFIG_HOME=os.path.dirname(os.path.dirname(config)))
    outcome = world.run("run", "order.zip", "--commands", json.dumps([who("startup of the line")]),
                        environment=environment)
    tables = outcome.out.replace("\r", "").split("who\n")[1:]
    world.check([table.strip() for table in tables] == [
        "of the settings", "of the trace", "bundled id of the settings", "startup of the trace",
        "startup of the line", "startup of the settings"], tables, outcome.err)
    world.expect(outcome, err=[
        "com.o.Both: a macro of the settings has this id (settings); a macro of the trace is skipped",
        "dev.perfetty.macros.Cpus: a macro of the settings has this id (settings); a bundled macro "
        "is skipped"])
    # For one run the option decides, whatever the setting says.
    for value, n in (("never", 2), ("ask", 2), ("always", 6)):
        outcome = world.run("run", "-q", "order.zip", "--trace-commands", value, "--commands",
                            json.dumps([who("line")]), environment=environment)
        world.check(outcome.out.count("who") == n, value, outcome.out, outcome.err)


def where_commands_come_from(world):
    """JSON, a file, standard input; what is wrong says which, before the trace is read."""
    good = json.dumps([command("RunQueryAndShowTab", "SELECT 3 AS three", "T")])
    world.write("good.json", good)
    world.write("bad.json", '[{"id": "x", "args": [1]}]')
    for words in (("--commands", good), ("--commands", "@good.json"), ("--commands", "-")):
        world.expect(world.run("run", "-q", "example.zip", *words, stdin=good.encode()),
                     out="three\r\n3\r\n", no_err=True)
    for words in (("--startup-commands", "@good.json"), ("--startup-commands", "-")):
        world.expect(world.run("snapshot", "example.zip", *words, stdin=good.encode()),
                     out=" T 1", no_err=True)
    where = "[0].args[0] is 1, but has to be a string"
    for verb, option in (("run", "--commands"), ("snapshot", "--startup-commands")):
        world.expect(world.run(verb, "nowhere.zip", option, "@bad.json"), status=1,
                     err=f"{option} @bad.json: commands{where}")
        world.expect(world.run(verb, "nowhere.zip", option, "-", stdin=b"[{}"), status=1,
                     err=f"{option} -: line 1, column")
        world.expect(world.run(verb, "nowhere.zip", option, "{}"), status=1,
                     err=f"{option}: commands is an object")
        world.expect(world.run(verb, "-", option, "-"), status=2,
                     err="standard input is the trace already")
    world.expect(world.run("run", "-q", "example.zip", "--trace-commands", "always"),
                 out="frame,label,ms,is_jank,tags\r\n", no_err=True)


if __name__ == "__main__":
    w = World()
    shutil.copy(os.path.join(w.binary, "example.zip"), w.path("example.zip"))
    with zipfile.ZipFile(w.path("example.zip")) as example:
        example.extractall(w.path("ex"))
    same_as_the_viewer(w)
    macro_is_the_viewers(w)
    frame(w)
    macros(w)
    failures(w)
    where_commands_come_from(w)
    load_order(w)
    w.finish()
