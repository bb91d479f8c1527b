"""JSON as the loader reads it, and JSON Schema (draft 2020-12) as far as docs/schema uses it.

An unknown keyword is an error, so that no schema says what nobody checks."""

import json
import math
import os
import re

ANNOTATIONS = {"$schema", "$id", "$defs", "$comment", "title", "description"}


class NotStrict(ValueError):
    """Text that is no JSON for the loader."""


def strict_load(data):
    def pairs(items):
        if len(dict(items)) != len(items):
            raise NotStrict("a duplicate key")
        return dict(items)

    def number(text):
        value = float(text)
        if not math.isfinite(value):
            raise NotStrict("a number out of range")
        return value

    def integer(text):
        value = int(text)
        return value if -2**63 <= value < 2**63 else number(text)

    def constant(text):
        raise NotStrict(text)

    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
        value = json.loads(text, object_pairs_hook=pairs, parse_float=number, parse_int=integer,
                           parse_constant=constant)
    except (ValueError, RecursionError) as error:
        raise NotStrict(str(error)) from error
    if has_nul(value):
        raise NotStrict("a NUL in a string")
    return value


def has_nul(value):
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, list):
        return any(map(has_nul, value))
    return isinstance(value, dict) and any(has_nul(k) or has_nul(v) for k, v in value.items())


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
    return isinstance(value, kinds[name])


def is_equal(a, b):
    return type(a) is type(b) and a == b


def matches(pattern, text):
    # ECMAScript's $ is the very end; Python's would take a newline behind it too.
    return re.search(re.sub(r"(?<!\\)\$", r"\\Z", pattern), text) is not None


class Schemas:
    """The schemas of a folder, by file name."""

    def __init__(self, folder):
        self.roots = {}
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                self.roots[name] = json.load(file)

    def problems(self, name, value):
        found = []
        self.check(name, self.roots[name], value, "$", found)
        return found

    def is_valid(self, name, schema, value):
        found = []
        self.check(name, schema, value, "", found)
        return not found

    def resolve(self, name, reference):
        file, _, pointer = reference.partition("#")
        name = file or name
        schema = self.roots[name]
        for part in pointer.split("/")[1:]:
            schema = schema[part]
        return name, schema

    def check(self, name, schema, value, place, found):
        if isinstance(schema, bool):
            if not schema:
                found.append(f"{place}: nothing is allowed here")
            return
        for keyword, wanted in schema.items():
            if keyword in ANNOTATIONS or keyword in ("then", "else"):
                continue
            getattr(self, "check_" + keyword.replace("$", ""))(
                name, wanted, value, place, found, schema)

    def check_ref(self, name, wanted, value, place, found, schema):
        self.check(*self.resolve(name, wanted), value, place, found)

    def check_type(self, name, wanted, value, place, found, schema):
        names = [wanted] if isinstance(wanted, str) else wanted
        if not any(is_type(value, n) for n in names):
            found.append(f"{place}: not of type {wanted}")

    def check_enum(self, name, wanted, value, place, found, schema):
        if not any(is_equal(value, w) for w in wanted):
            found.append(f"{place}: not one of {wanted}")

    def check_const(self, name, wanted, value, place, found, schema):
        if not is_equal(value, wanted):
            found.append(f"{place}: not {wanted}")

    def check_required(self, name, wanted, value, place, found, schema):
        if isinstance(value, dict):
            found += [f"{place}: {key} is missing" for key in wanted if key not in value]

    def check_properties(self, name, wanted, value, place, found, schema):
        if isinstance(value, dict):
            for key, inner in wanted.items():
                if key in value:
                    self.check(name, inner, value[key], f"{place}.{key}", found)

    def check_additionalProperties(self, name, wanted, value, place, found, schema):
        if isinstance(value, dict):
            for key in value.keys() - schema.get("properties", {}).keys():
                self.check(name, wanted, value[key], f"{place}.{key}", found)

    def check_propertyNames(self, name, wanted, value, place, found, schema):
        if isinstance(value, dict):
            for key in value:
                self.check(name, wanted, key, f"{place}.{key}", found)

    def check_dependentRequired(self, name, wanted, value, place, found, schema):
        if isinstance(value, dict):
            for key, others in wanted.items():
                if key in value:
                    self.check_required(name, others, value, place, found, schema)

    def check_items(self, name, wanted, value, place, found, schema):
        if isinstance(value, list):
            for i, item in enumerate(value):
                self.check(name, wanted, item, f"{place}[{i}]", found)

    def check_minLength(self, name, wanted, value, place, found, schema):
        if isinstance(value, str) and len(value) < wanted:
            found.append(f"{place}: too short")

    def check_pattern(self, name, wanted, value, place, found, schema):
        if isinstance(value, str) and not matches(wanted, value):
            found.append(f"{place}: does not match {wanted}")

    def check_minimum(self, name, wanted, value, place, found, schema):
        if is_type(value, "number") and value < wanted:
            found.append(f"{place}: below {wanted}")

    def check_maximum(self, name, wanted, value, place, found, schema):
        if is_type(value, "number") and value > wanted:
            found.append(f"{place}: above {wanted}")

    def check_anyOf(self, name, wanted, value, place, found, schema):
        if not any(self.is_valid(name, inner, value) for inner in wanted):
            found.append(f"{place}: none of the forms fits")

    def check_not(self, name, wanted, value, place, found, schema):
        if self.is_valid(name, wanted, value):
            found.append(f"{place}: is what it may not be")

    def check_if(self, name, wanted, value, place, found, schema):
        branch = "then" if self.is_valid(name, wanted, value) else "else"
        self.check(name, schema.get(branch, True), value, place, found)
