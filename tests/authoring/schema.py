"""The schemas of docs/schema against the code: every sidecar, macro list and settings file
of the tests, and what becomes of good ones when any one place in them is changed."""

import base64
import copy
import json
import os
import re
import zipfile

from common import World
from validate import NotStrict, Schemas, strict_load

# What a schema cannot say: the loader's rules about names in other places and members, and
# what its messages about machines and clocks begin with.
BEYOND = {"E9", "E10", "E11", "E12", "E13", "E14"}
BEYOND_WORDS = ("names unknown file", "is a multi-machine trace", "is not a machine declared",
                "name different clocks", "multiple perfetto_", "overrides are not supported",
                "could not resolve file", "must be the first trace file")


def is_beyond(line):
    rule = re.search(r"\(rule (E\d+)\)$", line)
    if rule and rule.group(1) == "E11":
        return "no FileDescriptorSet" in line  # base64 itself can be said
    return rule.group(1) in BEYOND if rule else any(words in line for words in BEYOND_WORDS)


def compare(world, schemas, what, data, path):
    """The loader's answer about `path` and the schema's about the sidecar in it."""
    outcome = world.run("extensions", "check", path)
    lines = [line for line in outcome.err.splitlines() if line.startswith("perfetty: ")]
    world.check((outcome.status == 0) == (not lines), what, outcome.status, outcome.err)
    try:
        problems = schemas.problems("sidecar.json", strict_load(data))
    except NotStrict as error:
        world.check(outcome.status == 1, what, "is no strict JSON and loads:", error)
        return "text"
    if problems:
        world.check(any(not is_beyond(line) for line in lines), what,
                    "the schema refuses it, the loader not:", problems, lines)
        return "refused"
    world.check(all(is_beyond(line) for line in lines), what,
                "the loader refuses it, the schema not:", lines)
    return "beyond" if lines else "good"


def all_sidecars(world, schemas):
    seen = {}
    cases = [entry for entry in world.entries()
             if entry.startswith("sidecar_") and entry.endswith(".text")]
    for entry in world.some(cases):
        data = open(world.make_trace(entry), "rb").read()
        name = entry[len("sidecar_"):-len(".text")]
        inputs = [e for e in world.names if e.startswith(f"sidecar_{name}.") and e != entry]
        # The JSON of a case stands in an archive; manifests are looked at alone.
        path = world.make_trace(inputs[0]) if inputs else world.path(entry)
        kind = compare(world, schemas, entry, data, path)
        if name.startswith("ok_"):
            world.check(kind == "good", entry, kind)
        if name.startswith(("e1_", "e2_", "e3_", "e4_", "e5_", "e6_", "e7_", "e8_", "v_")):
            world.check(kind == "refused", entry, kind)
        if name in ("e11_not_base64", "e11_padding", "e11_url_alphabet", "e11_line_break"):
            world.check(schemas.problems("sidecar.json", strict_load(data)), entry)
        seen[kind] = seen.get(kind, 0) + 1
        os.remove(path)
    least = {"good": 25, "refused": 60, "beyond": 20, "text": 5}
    world.check(all(seen.get(kind, 0) * world.every > n for kind, n in least.items()), seen)


LEAVE_OUT = object()
# By what stood there: where a text was, an empty one says more than another number.
REPLACEMENTS = {str: [LEAVE_OUT, None, 0, "", "x", [], {}], int: [LEAVE_OUT, True, 1.5, -1, "1", {}],
                bool: [LEAVE_OUT, None, 0, "x"], list: [LEAVE_OUT, None, "x", [1], ["a"], [{}], {}],
                dict: [LEAVE_OUT, None, "x", [], {}, {"type": "inline"}], type(None): [LEAVE_OUT, 1]}


def places(value, path=()):
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) \
        if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, path + (key,))


def changed(document):
    """Each place left out, and with something else in it."""
    for path, old in places(document):
        if not path:
            continue
        for replacement in REPLACEMENTS[type(old)]:
            copied = copy.deepcopy(document)
            parent = copied
            for key in path[:-1]:
                parent = parent[key]
            if replacement is LEAVE_OUT:
                del parent[path[-1]]
            else:
                parent[path[-1]] = replacement
            yield path, replacement, copied


def good_documents(descriptor):
    step = {"id": "dev.perfetto.RunQuery", "args": ["SELECT 1"]}
    yield {"perfetto_metadata": {"version": 1, "extensions": {
        "type": "inline", "namespace": "com.ex",
        "sql_modules": [{"type": "inline", "name": "com.ex.a", "sql": "SELECT 1"}],
        "proto_descriptors": [{"type": "inline", "data": descriptor}],
        "macros": [{"type": "inline", "id": "com.ex.M", "name": "M", "run": [step]}],
        "startup_commands": [{"type": "inline", **step}]}}}
    yield {"perfetto_manifest": {"version": 1, "extensions": {
        "type": "server", "server": {"type": "https", "url": "https://e.example",
                                     "enabled_modules": ["a"]},
        "startup_commands": [{"type": "inline", **step}]}}}
    yield {"perfetto_metadata": {"version": 1, "extensions": {
        "type": "server", "server": {"type": "github", "repo": "o/r", "ref": "main", "path": "/p",
                                     "enabled_modules": []}}}}
    yield {"perfetto_manifest": {
        "version": 1, "trace_time": {"clock": "BOOTTIME", "file": "a", "machine": "m"},
        "trace_time_clock": "BOOTTIME", "attributes": {"k": 1, "t": "x"},
        "files": [{"path": "a", "machine": {"name": "m"}},
                  {"path": "b", "machines": [{"id": 7, "name": "v"}],
                   "clocks": {"clock": "REALTIME", "machine": "v", "offset_ns": 5,
                              "sync_to": {"file": "a", "machine": "m", "clock": "MONOTONIC"}}}]}}


def changed_sidecars(world, schemas):
    with zipfile.ZipFile(os.path.join(world.binary, "example.zip")) as example:
        descriptor = base64.b64encode(example.read("extensions/bench_info.pb")).decode()
    count = 0
    for document in good_documents(descriptor):
        text = json.dumps(document)
        world.check(compare(world, schemas, "good", text, world.write("c.json", text)) == "good")
        for path, replacement, copied in world.some(changed(document)):
            if len(path) == 1 and replacement is LEAVE_OUT:
                continue  # no sidecar any more
            text = json.dumps(copied)
            compare(world, schemas, f"{path} = {replacement!r}", text, world.write("c.json", text))
            count += 1
    world.check(count * world.every > 300, count)


SETTINGS = {
    "traceStartupDecisions": [{"content": "0a" * 32, "run": True, "commands": 3, "origin": "o",
                               "trace": "t", "day": "d"}],
    "traceStartupCommands": "never", "enforceStartupCommandAllowlist": True,
    "startupCommands": [{"id": "dev.perfetto.RunQuery", "args": ["SELECT 1"]}],
    "macros": [{"id": "my.M", "name": "M", "run": [{"id": "dev.perfetto.RunQuery", "args": ["SELECT 1"]}]}],
    "extensionServers": [],
    "keys": {"F9": "dev.perfetto.ToggleTheme", "g x": {"command": "dev.perfetty.ZoomToFit", "in": "timeline"},
             "F8": None},
    "theme": "mine", "themes": {"mine": {"base": "light", "colors": {"accent": "#d70000"}}}, "timestampFormat": "seconds", "timezoneOverride": "+02:00",
    "durationPrecision": "full", "mouse": True, "clipboard": True, "crosshair": False,
    "minimap": True, "restoreSession": False, "ascii": True, "color": "auto", "queryTimeLimitMs": 1000,
    "noSuchSetting": [1]}
SERVERS = [
    (True, {"type": "https", "url": "https://e.example", "enabledModules": ["a"]}),
    (True, {"type": "https", "url": "e.example", "enabledModules": []}),
    (True, {"type": "github", "repo": "o/r", "ref": "main", "enabledModules": []}),
    (True, {"type": "github", "repo": "o/r", "ref": "main", "path": "/x", "enabledModules": []}),
    (False, {"type": "https", "url": "http://e.example", "enabledModules": ["a"]}),
    (False, {"type": "https", "url": "", "enabledModules": ["a"]}),
    (False, {"type": "https", "url": 1, "enabledModules": ["a"]}),
    (False, {"type": "https", "enabledModules": ["a"]}),
    (False, {"type": "ftp", "url": "https://e.example", "enabledModules": ["a"]}),
    (False, {"url": "https://e.example", "enabledModules": ["a"]}),
    (False, {"type": "https", "url": "https://e.example"}),
    (False, {"type": "https", "url": "https://e.example", "enabledModules": "a"}),
    (False, {"type": "https", "url": "https://e.example", "enabledModules": [1]}),
    (False, {"type": "github", "repo": "o", "ref": "main", "enabledModules": []}),
    (False, {"type": "github", "repo": "o/r/x", "ref": "main", "enabledModules": []}),
    (False, {"type": "github", "repo": "o/r", "enabledModules": []}),
    (False, {"type": "github", "repo": "o/r", "ref": "", "enabledModules": []}),
    (True, {"type": "https", "url": "e.example/x", "enabledModules": [], "enabled": False,
            "allowPrivateAddress": True, "caFile": "/x.pem",
            "auth": {"type": "https_apikey", "keyType": "custom", "customHeaderName": "X"}}),
    (True, {"type": "github", "repo": "o/r", "ref": "a/b", "enabledModules": [],
            "auth": {"type": "github_pat", "secretEnv": "T"}}),
    (False, {"type": "https", "url": "https://me@e.example", "enabledModules": []}),
    (False, {"type": "https", "url": "https://e.example/?q", "enabledModules": []}),
    (False, {"type": "https", "url": "https://e.example/a/../b", "enabledModules": []}),
    (False, {"type": "https", "url": "https://", "enabledModules": []}),
    (False, {"type": "https", "url": "https://e.ex ample", "enabledModules": []}),
    (False, {"type": "https", "url": "e.example", "enabledModules": [], "auth": 1}),
    (False, {"type": "https", "url": "e.example", "enabledModules": [], "auth": {"type": "x"}}),
    (False, {"type": "https", "url": "e.example", "enabledModules": [],
             "auth": {"type": "https_apikey", "keyType": "x"}}),
    (False, {"type": "github", "repo": "o/..", "ref": "main", "enabledModules": []}),
    (False, {"type": "github", "repo": "o/r", "ref": "a:b", "enabledModules": []}),
    (False, {"type": "github", "repo": "o/r", "ref": "main", "enabledModules": [],
             "auth": {"type": "https_basic"}}),
    (False, 5), (False, {})]
# The program looks further: names of keys and commands, and macros that start themselves.
FURTHER = ("there is no theme", "there is no command", "is no key", "no such key", "starts itself", "type a command",
           "commands end in", "takes", "there are two macros", "keys ")


def settings_case(world, schemas, document, what):
    text = json.dumps(document)
    world.write("config/perfetty/settings.json", text)
    outcome = world.run("run", "-q", "tiny.json", "--macro", "dev.perfetty.macros.Cpus",
                        environment=world.settings_environment)
    refusal = next((line for line in outcome.err.splitlines() if "settings.json: " in line and
                    "there is no setting" not in line or "there is no theme" in line), "")
    problems = schemas.problems("settings.json", strict_load(text))
    if problems:
        world.check(refusal, what, "the schema refuses it, the program not:", problems,
                    outcome.err)
    else:
        world.check(not refusal or any(words in refusal for words in FURTHER), what,
                    "the program refuses it, the schema not:", outcome.err)


def settings(world, schemas):
    world.write("tiny.json", '[{"name":"a","ph":"X","ts":1,"dur":2,"pid":1,"tid":1}]')
    world.settings_environment = dict(world.environment, XDG_CONFIG_HOME=world.path("config"),
                                      XDG_STATE_HOME=world.path("state"))
    with open(os.path.join(world.source, "commands/settings.c"), encoding="utf-8") as file:
        table = re.search(r"readers\[\] = \{(.*?)\n\};", file.read(), re.S).group(1)
    known = set(re.findall(r'\{\{"(\w+)"', table))
    listed = set(schemas.roots["settings.json"]["properties"])
    world.check(known == listed, "docs/schema/settings.json has other keys than "
                "commands/settings.c:", sorted(known ^ listed))
    settings_case(world, schemas, SETTINGS, "good")
    for path, replacement, copied in world.some(changed(SETTINGS)):
        if len(path) > 2 and replacement not in (LEAVE_OUT, 0, [1]):
            continue  # the same shapes as a sidecar's
        settings_case(world, schemas, copied, f"{path} = {replacement!r}")
    for is_good, server in SERVERS:
        problems = schemas.problems("settings.json", {"extensionServers": [server]})
        world.check(is_good == (not problems), server, problems)
        if not is_good:  # a good one would be asked
            settings_case(world, schemas, {"extensionServers": [server]}, server)


def lists(world, schemas):
    """Members of their own: the schema alone, and in a bundle."""
    trace = world.make_trace("slices.perfetto-trace")
    good = [{"id": "com.ex.M", "name": "M", "run": [{"id": "a", "args": ["1"]}]}]
    for path, replacement, copied in world.some(changed({"list": good})):
        if "list" not in copied:
            continue
        value = copied["list"]
        world.write("m.json", json.dumps(value))
        outcome = world.run("bundle", "m.zip", trace, "--namespace", "com.ex", "--macros", "m.json")
        problems = schemas.problems("macros.json", value)
        lines = [line for line in outcome.err.splitlines() if "(rule E9)" not in line]
        world.check(bool(problems) == bool(lines), f"{path} = {replacement!r}", problems, lines)


def reserved_names(world, schemas):
    """Every package of the standard library, from the code."""
    with open(os.path.join(world.source, "engine/sql/packages.c"), encoding="utf-8") as file:
        table = re.search(r"stdlib_packages\[\] = \{(.*?)\};", file.read(), re.S).group(1)
    names = re.findall(r'"([\w.]+)"', table)
    world.check(len(names) > 10, names)
    for name in list(world.some(names)) + ["perfetto", "dev.perfetto", "perfetty", "dev.perfetty"]:
        for namespace, is_good in ((name, False), (name + ".x", False), (name + "x", True),
                                   ("x." + name, True)):
            document = {"perfetto_metadata": {"version": 1, "extensions": {
                "type": "inline", "namespace": namespace}}}
            problems = schemas.problems("sidecar.json", document)
            world.check(is_good == (not problems), namespace, problems)


if __name__ == "__main__":
    w = World()
    w.names = w.entries()
    s = Schemas(os.path.join(w.source, "docs/schema"))
    all_sidecars(w, s)
    changed_sidecars(w, s)
    settings(w, s)
    lists(w, s)
    reserved_names(w, s)
    w.finish()
