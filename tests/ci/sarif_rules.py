"""What the standard and GitHub's code scanning ask of a SARIF log beyond its schema, as far as it can be seen in log and files.

Each check is a function of a `Log` that raises AssertionError.
"""

import json
import re
import urllib.parse

# https://docs.github.com/en/code-security/code-scanning: what GitHub takes.
MOST_RESULTS, MOST_TAGS, LONGEST_DESCRIPTION = 25_000, 20, 1024
LEVELS = {"error", "warning", "note", "none"}
RELATIVE = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=@-]|%[0-9A-F]{2})+(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-F]{2})+)*")


class Log:
    """The only run of a log, with the texts of the files that it is about, below `root`."""

    def __init__(self, text, root, given=None):
        self.value = json.loads(text)
        (self.run,) = self.value["runs"]
        self.driver = self.run["tool"]["driver"]
        self.rules = self.driver["rules"]
        self.results = self.run["results"]
        self.root = root
        self.given = given or {}
        self.texts = {}

    def name(self, place):
        """The name of a file from `root`, or the whole one of a file elsewhere."""
        return urllib.parse.unquote(place["artifactLocation"]["uri"].removeprefix("file://"), errors="strict")

    def text(self, name):
        if name not in self.texts:
            data = self.given[name] if name in self.given else (self.root / name).read_bytes()
            self.texts[name] = Text(data.decode("utf-8"), self.run.get("newlineSequences", ["\r\n", "\n"]))
        return self.texts[name]

    def places(self):
        """All places of all results."""
        for result in self.results:
            for location in result["locations"] + result.get("relatedLocations", []):
                yield location["physicalLocation"]

    def changes(self):
        """Each fix: its result, the name of the file, and what it writes."""
        for result in self.results:
            for fix in result.get("fixes", []):
                (change,) = fix["artifactChanges"]
                yield result, fix, self.name(change), change["replacements"]


class Text:
    """A text whose columns are counted as the log says, in Unicode code points; a BOM is no part of it."""

    def __init__(self, text, newlines):
        self.bom, self.text = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
        newline = re.compile("|".join(re.escape(one) for one in sorted(newlines, key=len, reverse=True)))
        ends = list(newline.finditer(self.text))
        self.starts = [0] + [end.end() for end in ends]
        self.ends = [end.start() for end in ends] + [len(self.text)]

    def offset(self, line, column):
        assert 1 <= line <= len(self.starts), f"there is no line {line}"
        offset = self.starts[line - 1] + column - 1
        last = self.starts[line] if line < len(self.starts) else len(self.text)
        assert column >= 1 and offset <= last, f"line {line} has no column {column}"
        return offset

    def range(self, region):
        start = self.offset(region["startLine"], region["startColumn"])
        end = self.offset(region["endLine"], region["endColumn"])
        assert start <= end, f"it ends before it begins: {region}"
        return start, end

    def slice(self, region):
        start, end = self.range(region)
        return self.text[start:end]

    def edited(self, replacements):
        """The text with `replacements` made, which do not overlap."""
        edits = sorted((*self.range(one["deletedRegion"]), one["insertedContent"]["text"]) for one in replacements)
        made, at = self.bom, 0
        for start, end, written in edits:
            assert start >= at, "replacements overlap"
            made += self.text[at:start] + written
            at = end
        return made + self.text[at:]


def the_tool_is_described(log):
    driver = log.driver
    assert driver["name"] == "chatls"
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", driver["semanticVersion"])
    assert log.value["$schema"].startswith("https://") and log.value["version"] == "2.1.0"
    assert log.run["columnKind"] == "unicodeCodePoints"
    assert driver["informationUri"].startswith("https://")


def rules_are_described(log):
    ids = [rule["id"] for rule in log.rules]
    assert len(set(ids)) == len(ids)
    for rule in log.rules:
        for key in ("shortDescription", "fullDescription"):
            assert 0 < len(rule[key]["text"].strip()) <= LONGEST_DESCRIPTION, rule["id"]
        assert rule["help"]["text"].strip() and rule["help"]["markdown"].strip()
        assert rule["defaultConfiguration"]["level"] in LEVELS
        assert len(rule.get("properties", {}).get("tags", [])) <= MOST_TAGS
        assert rule["helpUri"].startswith("https://") and rule["helpUri"].endswith(f"/docs/rules/{rule['id']}.md")


def results_name_their_rules(log):
    assert len(log.results) <= MOST_RESULTS
    for result in log.results:
        assert log.rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in LEVELS and result["message"]["text"].strip()
        assert len(result["locations"]) == 1


def places_are_in_their_files(log):
    for place in log.places():
        uri = place["artifactLocation"]["uri"]
        assert RELATIVE.fullmatch(uri.removeprefix("file:///")), f"no reference of RFC 3986: {uri!r}"
        assert "uriBaseId" not in place["artifactLocation"] or "originalUriBaseIds" in log.run
        log.text(log.name(place)).range(place["region"])


def fixes_change_their_files(log):
    for _, fix, name, replacements in log.changes():
        text = log.text(name)
        assert fix["description"]["text"].strip() and replacements
        assert text.edited(replacements) != text.bom + text.text, f"{fix['description']} changes nothing"


def fingerprints_are_unique(log):
    prints = [json.dumps(result["partialFingerprints"], sort_keys=True) for result in log.results]
    assert len(set(prints)) == len(prints)


CHECKS = [
    the_tool_is_described,
    rules_are_described,
    results_name_their_rules,
    places_are_in_their_files,
    fixes_change_their_files,
    fingerprints_are_unique,
]
