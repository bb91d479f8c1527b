"""perfetty bundle, and extensions check, dump and strip on what it wrote."""

import json
import os
import zipfile

from common import World

NAMESPACE = "com.example.bench"
MACROS = [{"id": f"{NAMESPACE}.Focus", "name": "Focus",
           "run": [{"id": "dev.perfetto.PinTracksByRegex", "args": ["main"]}]}]
STARTUP = [{"id": f"{NAMESPACE}.Focus", "args": []},
           {"id": "dev.perfetto.RunQueryAndShowTab", "args": ["SELECT 1 AS one", "One"]}]


def unpack_example(world):
    with zipfile.ZipFile(os.path.join(world.binary, "example.zip")) as example:
        example.extractall(world.path("ex"))
    world.write("sql/frames.sql", world.read("ex/extensions/frames.sql"))
    world.write("sql/deep/count.sql", "INCLUDE PERFETTO MODULE com.example.bench.frames;\n"
                "CREATE PERFETTO TABLE bench_count AS "
                "SELECT count(*) AS n FROM bench_frame_metrics;\n")
    world.write("sql/com/example/bench/spelled.sql", "CREATE PERFETTO VIEW bench_s AS SELECT 1 AS x;")
    world.write("sql/.hidden.sql", "nonsense")
    world.write("sql/notes.txt", "no module")
    world.write("macros.json", json.dumps(MACROS))
    world.write("startup.json", json.dumps(STARTUP))


PARTS = ("--namespace", NAMESPACE, "--sql", "sql", "--macros", "macros.json", "--descriptors",
         "ex/extensions/bench_info.pb", "--startup", "startup.json")
TRACES = ("ex/trace.perfetto-trace", "ex/cpu_profile.simpleperf")


def members(world, name):
    with zipfile.ZipFile(world.path(name)) as archive:
        return [(info.filename, archive.read(info)) for info in archive.infolist()]


def good_bundle(world):
    world.expect(world.run("bundle", "out.zip", *TRACES, *PARTS), no_err=True,
                 out="out.zip: 2 traces, 3 SQL modules, descriptors, macros, startup commands")
    names = [name for name, _ in members(world, "out.zip")]
    world.check(names == ["perfetto_manifest.json", "trace.perfetto-trace",
                          "cpu_profile.simpleperf", ".ext/sql/com/example/bench/spelled.sql",
                          ".ext/sql/deep/count.sql", ".ext/sql/frames.sql", ".ext/descriptors.pb",
                          ".ext/macros.json", ".ext/startup.json"], names)
    content = dict(members(world, "out.zip"))
    for trace in TRACES:
        world.check(content[os.path.basename(trace)] == world.read(trace), trace, "is changed")
    world.check(list(json.loads(content["perfetto_manifest.json"])) == ["perfetto_manifest"])
    world.expect(world.run("extensions", "check", "--lint", "--run", "out.zip"), no_err=True,
                 out=["com.example.bench.spelled runs", "com.example.bench.deep.count runs",
                      "the sidecar is good"])
    section = json.loads(world.run("extensions", "dump", "out.zip").out)
    world.check([macro["id"] for macro in section["macros"]] == [f"{NAMESPACE}.Focus"], section)
    world.check(section["proto_descriptors"] ==
                [{"size": len(world.read("ex/extensions/bench_info.pb"))}])
    # Descriptors were there before parsing: extension fields became args.
    world.expect(world.run("query", "out.zip", "INCLUDE PERFETTO MODULE com.example.bench.deep.count;"
                           " SELECT n FROM bench_count"), out='"n"\n135\n', no_err=True)


def same_bytes(world):
    """Whenever and wherever it is made."""
    with zipfile.ZipFile(world.path("out.zip")) as archive:
        for info in archive.infolist():
            world.check(info.date_time == (1980, 1, 1, 0, 0, 0) and not info.extra and
                        info.external_attr == 0o100644 << 16, info)
    os.utime(world.path("ex/trace.perfetto-trace"), (1e9, 1e9))
    os.chmod(world.path("ex/trace.perfetto-trace"), 0o600)
    world.expect(world.run("bundle", "again.zip", *TRACES, *PARTS))
    world.check(world.read("out.zip") == world.read("again.zip"), "bytes differ")


def other_forms(world):
    trace = TRACES[0]
    world.expect(world.run("bundle", "key.zip", trace, "--key", "perfetto_metadata", *PARTS))
    world.check(members(world, "key.zip")[0][0] == "perfetto_metadata.json")
    world.expect(world.run("extensions", "check", "key.zip"), no_err=True)
    world.expect(world.run("bundle", "server.zip", trace, "--server", "https://e.example/x",
                           "--modules", "a, b", "--startup", "startup.json"), no_err=True)
    section = json.loads(world.run("extensions", "dump", "server.zip").out)
    world.check(section["server"] == {"type": "https", "url": "https://e.example/x",
                                      "enabled_modules": ["a", "b"]}, section)
    world.expect(world.run("extensions", "check", "--lint", "server.zip"),
                 out="note: extensions.startup_commands[0]: com.example.bench.Focus has to come")
    world.expect(world.run("bundle", "github.zip", trace, "--server", "github:o/r@main:/perf",
                           "--modules", "a"), no_err=True)
    section = json.loads(world.run("extensions", "dump", "github.zip").out)
    world.check(section["server"] == {"type": "github", "repo": "o/r", "ref": "main",
                                      "path": "/perf", "enabled_modules": ["a"]}, section)


def with_manifest(world):
    """Machines, clocks and attributes, with extensions and alone; the object or a sidecar."""
    world.write("server.json", '[{"name":"a","ph":"X","ts":1,"dur":2,"pid":1,"tid":1}]')
    name = os.path.basename(TRACES[0])
    manifest = {"trace_time": {"clock": "BOOTTIME", "file": name},
                "attributes": {"lab": "north", "run": 42},
                "files": [{"path": name, "machine": {"name": "phone"}},
                          {"path": "server.json", "machine": {"name": "server"}, "clocks": {
                              "offset_ns": -1500, "sync_to": {"file": name, "clock": "BOOTTIME"}}}]}
    world.write("manifest.json", json.dumps(manifest))
    world.write("whole.json", json.dumps({"perfetto_metadata": dict(manifest, version=1)}))
    for file, more, out in (("manifest.json", (), ", a manifest"),
                            ("whole.json", ("--namespace", NAMESPACE, "--macros", "macros.json"),
                             ", macros, a manifest")):
        world.expect(world.run("bundle", "m.zip", TRACES[0], "server.json", "--manifest", file,
                               *more), no_err=True, out=f"m.zip: 2 traces{out}")
        sidecar = json.loads(dict(members(world, "m.zip"))["perfetto_manifest.json"])
        section = sidecar["perfetto_manifest"].pop("extensions", None)
        world.check(sidecar == {"perfetto_manifest": dict(manifest, version=1)}, sidecar)
        world.check((section is not None) == bool(more), section)
        world.expect(world.run("query", "-q", "m.zip", "SELECT name FROM machine"),
                     out='"name"\n"phone"\n"server"\n')
        world.expect(world.run("query", "-q", "m.zip", "SELECT int_value AS n FROM metadata "
                               "WHERE name = 'manifest_attribute.run'"), out='"n"\n42\n')
    for text, status, err in (
            ("{", 1, "wrong.json: line 1, column"), ("[]", 2, "names a JSON object"),
            ('{"extensions": {}}', 2, "which the other options write"),
            ('{"attributes": [1]}', 1, "wrong.json: perfetto_manifest: attributes must be"),
            ('{"version": 2}', 1, "unsupported version: 2"),
            ('{"files": [{"path": "ex/trace.perfetto-trace"}]}', 2, "is none of the traces"),
            ('{"trace_time": {"clock": "X"}}', 1, "unknown clock name: X")):
        world.write("wrong.json", text)
        world.expect(world.run("bundle", "no.zip", TRACES[0], "--manifest", "wrong.json"),
                     status=status, err=err)
        world.check(not os.path.exists(world.path("no.zip")), text)
    world.expect(world.run("bundle", "no.zip", TRACES[0], "--manifest", "nowhere.json"), status=1,
                 err="nowhere.json: No such file")


def wrong_parts(world):
    trace = TRACES[0]
    world.write("bad/x.json", '[{"id": "org.other.M", "name": "", "run": [{"id": "a", "args": [1]}]}')
    world.write("bad/list.json", '[{"id": "org.other.M", "name": "", "run": [{"id": "a", "args": [1]}]}]')
    world.write("bad/sql/a-b.sql", "SELECT 1")
    world.write("bad/.hidden", "x")
    world.write("bad/trace.perfetto-trace", "x")
    world.write("bad/side.json", '{"perfetto_manifest": {"version": 1}}')
    world.write("bad/latin/x.sql", b"SELECT 'caf\xe9'")
    os.makedirs(world.path("bad/empty"))
    before = sorted(os.listdir(world.folder))
    ns = ("--namespace", NAMESPACE)

    def wrong(status, err, *words):
        world.expect(world.run("bundle", "wrong.zip", *words), status=status, err=err)
        world.check(sorted(os.listdir(world.folder)) == before, "something was left behind", words)

    wrong(1, "bad/x.json: perfetto_manifest: extensions.macros[0].path: in member "
             "'.ext/macros.json': found line 1, column 69", trace, *ns, "--macros", "bad/x.json")
    # All problems at once, each with its rule.
    wrong(1, ["[0].id: found \"org.other.M\"", "(rule E9)", "[0].name: found \"\"", "(rule E14)",
              "[0].run[0].args[0]: found 1"], trace, *ns, "--macros", "bad/list.json")
    wrong(1, "bad/latin/x.sql: perfetto_manifest: extensions.sql_modules[0].path", trace, *ns,
          "--sql", "bad/latin")
    wrong(1, "(rule E11)", trace, *ns, "--descriptors", "macros.json")
    wrong(1, "extensions.namespace: found \"android.x\"", trace, "--namespace", "android.x",
          "--startup", "startup.json")
    wrong(1, "(rule E5)", trace, "--server", "http://e.example", "--modules", "a")
    wrong(1, "nowhere.json: No such file", trace, *ns, "--macros", "nowhere.json")
    wrong(1, "nowhere.pb: No such file", "nowhere.pb", *ns, "--macros", "macros.json")
    wrong(2, "'a-b' is no part of one", trace, *ns, "--sql", "bad/sql")
    wrong(2, "no .sql file", trace, *ns, "--sql", "bad/empty")
    wrong(2, "a folder of .sql files", trace, *ns, "--sql", "macros.json")
    wrong(2, "begins with a dot", "bad/.hidden", *ns, "--macros", "macros.json")
    wrong(2, "already has a 'trace.perfetto-trace'", trace, "bad/trace.perfetto-trace", *ns,
          "--macros", "macros.json")
    wrong(2, "this is a sidecar", trace, "bad/side.json", *ns, "--macros", "macros.json")
    wrong(2, "has to be a plain file", "sql", *ns, "--macros", "macros.json")
    wrong(2, "no trace was named", *ns, "--macros", "macros.json")
    wrong(2, "--namespace is missing", trace, "--macros", "macros.json")
    wrong(2, "nothing to bundle", trace, *ns)
    wrong(2, "needs --modules", trace, "--server", "https://e.example")
    wrong(2, "names a server instead of content", trace, *ns, "--server", "https://e.example",
          "--modules", "a")
    wrong(2, "perfetto_manifest or perfetto_metadata", trace, *PARTS, "--key", "x")
    wrong(2, "github:OWNER/NAME@REF", trace, "--server", "github:o/r", "--modules", "a")
    world.write("bad/copy.zip", "x")
    world.expect(world.run("bundle", "bad/copy.zip", "bad/copy.zip", *PARTS), status=2,
                 err="would take the place of this trace")
    world.check(world.read("bad/copy.zip") == b"x")
    world.expect(world.run("bundle"), status=2, err="say where to write")
    world.expect(world.run("bundle", "no/such/folder.zip", trace, *PARTS), status=1,
                 err="no/such/folder.zip")


def stripped(world):
    world.expect(world.run("extensions", "strip", "out.zip", "bare.zip"), no_err=True,
                 out="with 6 members")
    world.check(members(world, "bare.zip") ==
                [(os.path.basename(trace), world.read(trace)) for trace in TRACES])
    world.expect(world.run("extensions", "check", "bare.zip"), status=1, err="there is no sidecar")
    # Other keys of the sidecar stay, and so do members that it does not claim.
    sidecar = {"perfetto_manifest": {"version": 1, "attributes": {"lab": 7}, "later": [1.5],
                                     "extensions": {"type": "inline", "namespace": "com.ex", "sql_modules": [
                                         {"type": "file", "name": "com.ex.a", "path": "x/a.sql"}]}}}
    with zipfile.ZipFile(world.path("keep.zip"), "w") as archive:
        archive.writestr("x/a.sql", "SELECT 1")
        archive.writestr("x/b.sql", "SELECT 2")
        archive.writestr("side.json", json.dumps(sidecar))
        archive.write(world.path(TRACES[0]), "t.pb")
    world.expect(world.run("extensions", "strip", "keep.zip", "kept.zip"), out="with 1 member ")
    del sidecar["perfetto_manifest"]["extensions"]
    content = dict(members(world, "kept.zip"))
    world.check(sorted(content) == ["side.json", "t.pb", "x/b.sql"], sorted(content))
    world.check(json.loads(content["side.json"]) == sidecar)
    # Folders too; over itself; a copy where there is nothing to strip.
    with zipfile.ZipFile(world.path("keep.zip")) as archive:
        archive.extractall(world.path("folder"))
    world.expect(world.run("extensions", "strip", "folder", "of_folder.zip"))
    world.check(dict(members(world, "of_folder.zip")) == content)
    world.expect(world.run("extensions", "strip", "out.zip", "out.zip"), no_err=True)
    world.check(world.read("out.zip") == world.read("bare.zip"))
    world.expect(world.run("extensions", "strip", "out.zip", "copy.zip"), out="there were no")
    world.expect(world.run("extensions", "strip", TRACES[0], "copy.pb"), out="there were no")
    world.check(world.read("copy.pb") == world.read(TRACES[0]))
    world.write("alone.json", '{"perfetto_metadata":{"version":1,"extensions":{"type":"x"}}}'
                '[{"name":"a","ph":"X","ts":1,"dur":2,"pid":1,"tid":1}]')
    world.expect(world.run("extensions", "strip", "alone.json", "rest.json"))
    world.check(world.read("rest.json").startswith(b"[{"), world.read("rest.json"))
    # An archive in the archive has to be stripped by itself.
    with zipfile.ZipFile(world.path("outer.zip"), "w") as archive:
        archive.write(world.path("keep.zip"), "inner.zip")
    world.expect(world.run("extensions", "strip", "outer.zip", "no.zip"), status=1,
                 err="strip that archive by itself")
    world.check(not os.path.exists(world.path("no.zip")))
    world.expect(world.run("extensions", "strip", "out.zip"), status=2, err="strip takes")


def every_rule(world):
    """Each wrong sidecar of the table is told with its rule; each can be stripped."""
    count = 0
    cases = [entry for entry in world.entries()
             if entry.startswith("sidecar_") and not entry.endswith(".text") and
             "manifest_" not in entry[:17]]
    for entry in world.some(cases):
        name = entry[len("sidecar_"):].rsplit(".", 1)[0]
        rule = name.split("_")[0].upper()
        path = os.path.basename(world.make_trace(entry))
        outcome = world.run("extensions", "check", path)
        count += 1
        if rule == "OK":
            world.expect(outcome, out="the sidecar is good")
            # Beyond the loader's rules lint finds one thing in them.
            lint = world.run("extensions", "check", "--lint", path)
            unknown = name == "ok_unknown_command_in_macro"
            world.expect(lint, status=1 if unknown else 0,
                         err="there is no command no.such.Command" if unknown else ())
        else:
            world.check(outcome.status == 1, entry, "passes")
        if rule[0] == "E":
            world.check(f"(rule {rule})" in outcome.err, entry, outcome.err)
        # What can be read as JSON can be stripped, right or wrong; then nothing is left.
        if rule == "OK" or rule[0] == "E" and name != "e12_name_twice":
            world.expect(world.run("extensions", "strip", path, "s.out"))
            left = world.run("extensions", "check", "s.out")
            world.check("there is no sidecar" in left.err or "no extensions" in left.out or
                        os.path.getsize(world.path("s.out")) == 0, entry, left.err, left.out)
        os.remove(world.path(path))
    world.check(count * world.every > 100, count, "cases")


def linted(world):
    macros = [{"id": "com.x.Ring", "name": "R", "run": [{"id": "com.x.Other", "args": []}]},
              {"id": "com.x.Other", "name": "O", "run": [{"id": "com.x.Ring", "args": []}]},
              {"id": "com.x.Bad", "name": "B", "run": [
                  {"id": "dev.perfetto.PinTracksByRegx", "args": ["a"]},
                  {"id": "dev.perfetto.PinTracksByRegex", "args": ["(a"]},
                  {"id": "dev.perfetto.PinTracksByRegex", "args": []},
                  {"id": "dev.perfetty.Quit", "args": []},
                  {"id": "dev.perfetty.RefreshServers", "args": []}]}]
    startup = [{"id": "com.x.Bad", "args": []},
               {"id": "dev.perfetto.AddNoteAtTimestamp", "args": ["soon", "n"]},
               {"id": "dev.perfetty.ZoomToFit", "args": []}, {"id": "com.x.None", "args": []}]
    world.write("m.json", json.dumps(macros))
    world.write("s.json", json.dumps(startup))
    world.expect(world.run("bundle", "lint.zip", TRACES[0], "--namespace", "com.x", "--macros",
                           "m.json", "--startup", "s.json"))
    world.expect(world.run("extensions", "check", "lint.zip"), no_err=True)
    world.expect(world.run("extensions", "check", "--lint", "lint.zip"), status=1, err=[
        "extensions.macros[0]: com.x.Ring leads back to itself",
        "extensions.macros[1]: com.x.Other leads back to itself",
        "extensions.macros[2].run[0].id: there is no command dev.perfetto.PinTracksByRegx; "
        "is it dev.perfetto.PinTracksByRegex?",
        "extensions.macros[2].run[1].args[0]: found the regex \"(a\"",
        "extensions.macros[2].run[2].args: dev.perfetto.PinTracksByRegex takes",
        "extensions.startup_commands[0]: step 4 of com.x.Bad, dev.perfetty.Quit, is not on the list",
        "extensions.startup_commands[1].args: dev.perfetto.AddNoteAtTimestamp: timestamp is \"soon\"",
        "extensions.startup_commands[2]: dev.perfetty.ZoomToFit is not on the list",
        "extensions.startup_commands[3].id: there is no command com.x.None"],
        out=["note: extensions.macros[2].run[3]: dev.perfetty.Quit reaches out",
             "note: extensions.macros[2].run[4]: dev.perfetty.RefreshServers reaches out"])
    world.write("broken/one.sql", "CREATE PERFETTO TABLE t AS SELECT nope FROM slice;")
    world.write("broken/two.sql", "CREATE PERFETTO VIEW v AS SELECT 1 AS x;")
    world.expect(world.run("bundle", "broken.zip", TRACES[0], "--namespace", "com.x", "--sql",
                           "broken"))
    world.expect(world.run("extensions", "check", "--run", "broken.zip"), status=1,
                 out="com.x.two runs",
                 err=["extensions.sql_modules[0]: com.x.one does not run", "no such column: nope"])
    world.expect(world.run("extensions", "dump", "--run", "broken.zip"), status=2)
    # Twenty macros, each ten times the next: each is looked at once.
    fan = [{"id": f"com.x.F{i}", "name": "F", "run": [{"id": f"com.x.F{i + 1}", "args": []}] * 10}
           for i in range(20)] + [{"id": "com.x.F20", "name": "F", "run": [
               {"id": "dev.perfetty.Quit", "args": []}]}]
    world.write("m.json", json.dumps(fan))
    world.write("s.json", json.dumps([{"id": "com.x.F0", "args": []}]))
    world.expect(world.run("bundle", "fan.zip", TRACES[0], "--namespace", "com.x", "--macros",
                           "m.json", "--startup", "s.json"))
    world.expect(world.run("extensions", "check", "--lint", "fan.zip"), status=1,
                 err="step 1 of com.x.F20, dev.perfetty.Quit, is not on the list")


def every_subcommand(world):
    """--extensions load|ignore wherever a trace is opened."""
    trace = "out.zip"
    world.expect(world.run("bundle", trace, *TRACES, *PARTS))
    include = "INCLUDE PERFETTO MODULE com.example.bench.frames; SELECT count(*) AS n FROM bench_frame_metrics"
    world.expect(world.run("query", trace, include), out="135")
    world.expect(world.run("query", "--extensions", "load", trace, include), out="135")
    world.expect(world.run("query", "--extensions=ignore", "-q", trace, include), status=1,
                 err="com.example.bench.frames")
    for words in (("info",), ("info", "--json"), ("snapshot",), ("query",), ("shell",), ("view",)):
        world.expect(world.run(words[0], "--help"), out="--extensions WHAT")
    world.check("com.example.bench" in world.run("info", trace).out)
    world.check("com.example.bench" not in world.run("info", "--extensions", "ignore", trace).out)
    for words in (("info",), ("snapshot",), ("query", "SELECT 1")):
        world.expect(world.run(words[0], "--extensions", "x", trace, *words[1:]), status=2,
                     err="load or ignore")


if __name__ == "__main__":
    w = World()
    unpack_example(w)
    good_bundle(w)
    same_bytes(w)
    other_forms(w)
    with_manifest(w)
    wrong_parts(w)
    stripped(w)
    every_rule(w)
    linted(w)
    every_subcommand(w)
    w.finish()
