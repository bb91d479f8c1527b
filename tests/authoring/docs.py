"""The examples of docs/*.md, run as they are printed.

    ```console   `$ ` begins a command (`> ` continues it), the lines behind it are what it
                 prints, both streams; `…` stands for anything; `exit status N` ends what fails.
                 A command without lines may print what it likes.
    ```sh        a script that has to succeed
    ```sql       has to run on the bundled example
    ```json      strict JSON; a sidecar, a list of macros or commands, or settings fits its schema
                 and, where the program can be asked, the program

The blocks of one page run in order in one folder that is empty at first; `perfetty` is in the
path.  Pages other than producers.md find the bundled example there, as example.zip."""

import difflib
import json
import os
import re
import shutil
import subprocess

from common import World
from validate import NotStrict, Schemas, strict_load


def blocks(text):
    """(language, line number, lines) of each fenced block."""
    language, lines, start = None, [], 0
    for number, line in enumerate(text.splitlines(), 1):
        if language is None and line.startswith("```"):
            language, lines, start = line[3:].strip(), [], number
        elif language is not None and line.startswith("```"):
            yield language, start, lines
            language = None
        elif language is not None:
            lines.append(line)


class Page:
    def __init__(self, world, schemas, name):
        self.world, self.schemas, self.name = world, schemas, name
        self.folder = world.path(name)
        os.makedirs(self.folder)
        self.example = os.path.join(world.binary, "example.zip")
        if name != "producers.md":
            shutil.copy(self.example, self.folder)
        self.environment = dict(world.environment, HOME=world.path("home"),
                                PATH=os.path.dirname(world.program) + ":" + os.environ["PATH"])
        self.counts = {}

    def shell(self, script):
        return subprocess.run(["sh", "-e", "-c", script], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=120)

    def run(self):
        with open(os.path.join(self.world.source, "docs", self.name), encoding="utf-8") as file:
            text = file.read()
        for language, line, lines in blocks(text):
            place = f"docs/{self.name}:{line}"
            self.counts[language] = self.counts.get(language, 0) + 1
            getattr(self, "block_" + language, self.block_plain)(place, lines)
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            self.world.check(os.path.exists(os.path.join(self.world.source, "docs", target)),
                             f"docs/{self.name} points to {target}, which is not there")

    def block_plain(self, place, lines):
        pass

    def block_sh(self, place, lines):
        done = self.shell("\n".join(lines))
        self.world.check(done.returncode == 0, place, done.stdout.decode(errors="replace"))

    def block_sql(self, place, lines):
        done = subprocess.run([self.world.program, "query", "-q", self.example, "\n".join(lines)],
                              cwd=self.folder, env=self.environment, capture_output=True)
        self.world.check(done.returncode == 0 and done.stdout.count(b"\n") > 1, place,
                         done.stderr.decode(errors="replace"))

    def block_console(self, place, lines):
        steps = []
        for line in lines:
            if line.startswith("$ "):
                steps.append((line[2:], []))
            elif line.startswith("> "):
                steps[-1] = (steps[-1][0] + "\n" + line[2:], [])
            else:
                steps[-1][1].append(line)
        self.world.check(steps, place, "has no command")
        for script, expected in steps:
            self.step(place, script, expected)

    def step(self, place, script, expected):
        done = self.shell(script)
        printed = done.stdout.decode(errors="replace").replace("\r\n", "\n")
        status = 0
        if expected and re.fullmatch(r"exit status \d+", expected[-1]):
            status = int(expected.pop().split()[-1])
        self.world.check(done.returncode == status, f"{place}: {script}: status",
                         done.returncode, printed)
        if not expected:
            return
        pattern = ".*".join(re.escape(piece) for piece in "\n".join(expected).split("…"))
        if not re.fullmatch(pattern, printed.strip(), re.S):
            diff = difflib.unified_diff(expected, printed.strip().splitlines(), "docs", "printed",
                                        lineterm="")
            self.world.check(False, f"{place}: {script}:\n" + "\n".join(diff))

    def block_json(self, place, lines):
        text = "\n".join(lines)
        if "…" in text:
            return  # a shape, no example
        try:
            value = strict_load(text)
        except NotStrict as error:
            self.world.check(False, place, error)
            return
        schema = self.schema_of(value)
        if not schema:
            return
        self.world.check(not self.schemas.problems(schema, value), place,
                         self.schemas.problems(schema, value))
        if schema == "sidecar.json":
            path = self.world.write(f"blocks/{self.name}.json", text)
            self.world.expect(self.world.run("extensions", "check", path))
        if schema == "settings.json" and "extensionServers" not in value:
            self.check_settings(place, text)

    def schema_of(self, value):
        if isinstance(value, list):
            return "macros.json"
        if isinstance(value, dict) and {"perfetto_metadata", "perfetto_manifest"} & value.keys():
            return "sidecar.json"
        known = self.schemas.roots["settings.json"]["properties"]
        return "settings.json" if isinstance(value, dict) and value and \
            all(key in known for key in value) else None

    def check_settings(self, place, text):
        self.world.write("blocks/config/perfetty/settings.json", text)
        environment = dict(self.environment, XDG_CONFIG_HOME=self.world.path("blocks/config"))
        outcome = self.world.run("snapshot", self.example, environment=environment)
        self.world.check(outcome.status == 0, place, outcome.err)


def page_names(world):
    return sorted(n for n in os.listdir(os.path.join(world.source, "docs")) if n.endswith(".md"))


if __name__ == "__main__":
    w = World()
    s = Schemas(os.path.join(w.source, "docs/schema"))
    ran = {}
    for page in page_names(w):
        one = Page(w, s, page)
        one.run()
        ran[page] = one.counts
    for page, least in (("producers.md", 12), ("sidecar.md", 3), ("macros.md", 3),
                        ("security.md", 2), ("extending.md", 2), ("descriptors.md", 1)):
        done = sum(n for language, n in ran.get(page, {}).items() if language)
        w.check(done >= least, page, "has only", ran.get(page))
    # The walkthrough's archive, built from nothing.
    w.check(os.path.exists(w.path("producers.md/app.zip")), "no archive came of producers.md")
    w.finish()
