"""Texts in the languages of the other tools, as long as asked for: Markdown, TypeScript, JSON and Python.

They are clean but for a fault here and there, as transcripts are.
"""

import json

from words import Words

FAULTS = 0.01  # of the functions


def program(kind, size, chance):
    write, words = {"md": markdown, "ts": typescript, "json": data, "py": python}[kind], Words(chance)
    return write(size, words, chance)


def markdown(size, words, chance):
    parts = [f"# The {words.thing()} and its {words.thing()}\n"]
    length, number = 0, 0
    while length < size:
        number += 1
        quiet = "" if chance.random() < FAULTS else "\n"
        part = f"\n## {number}: {words.name()}\n{quiet}{wrapped(words.paragraph())}\n{wrapped(words.paragraph())}"
        if chance.random() < 0.5:
            part += "".join(f"{quiet if item == 0 else ''}- {words.name()} and the *{words.thing()}*\n" for item in range(3))
        if chance.random() < 0.5:
            part += f"\n```rust\n{words.code(chance.randint(3, 20))}```\n"
        parts.append(part)
        length += len(part)
    return "".join(parts)


def wrapped(text, width=78):
    """Its words in lines of that width; textwrap would take longer than all else."""
    lines, at = [], 0
    while len(text) - at > width:
        end = text.rfind(" ", at, at + width)
        lines.append(text[at:end])
        at = end + 1
    return "\n".join([*lines, text[at:], ""])


def typescript(size, words, chance):
    parts = ['import type { Report, Table } from "./types";\n\n']
    length, number = len(parts[0]), 0
    while length < size:
        number += 1
        name = words.name().title().replace("_", "")
        function = name[0].lower() + name[1:]
        statement = "\tdebugger;\n" if chance.random() < FAULTS else ""
        part = (
            f"// {words.sentence()}\n"
            f"export async function {function}{number}(table: Table, limit = {chance.randrange(100)}): Promise<Report[]> {{\n"
            f"{statement}"
            f"\tconst found = new Map<string, Report>();\n"
            f"\tfor (const value of Object.values(table.{words.thing()}s)) {{\n"
            f"\t\tif (value === undefined || found.size >= limit) {{\n"
            f'\t\t\tthrow new Error(`{words.sentence().replace("`", "")} ${{found.size}}`);\n'
            f"\t\t}}\n"
            f'\t\tfound.set(`${{value.id}}-{words.thing()}`, {{ id: value.id, text: "{words.sentence()}" }});\n'
            f"\t}}\n"
            f"\tconst sorted = [...found.values()].sort((left, right) => left.id.localeCompare(right.id));\n"
            f"\treturn sorted.filter((report) => report.text.length > {chance.randrange(50)});\n"
            f"}}\n\n"
        )
        parts.append(part)
        length += len(part)
    return "".join(parts).rstrip("\n") + "\n"


def python(size, words, chance):
    parts = [f'"""{words.sentence()}"""\n\nimport json\nfrom dataclasses import dataclass\nfrom pathlib import Path\n\n\n']
    parts.append("@dataclass\nclass Report:\n    id: str\n    text: str\n    rows: dict[str, int]\n\n\n")
    length, number = sum(map(len, parts)), 0
    while length < size:
        number += 1
        statement = f"    {words.thing()} = None\n" if chance.random() < FAULTS else ""
        part = (
            f"def {words.name()}_{number}(path: Path, limit: int = {chance.randrange(100)}) -> list[Report]:\n"
            f'    """{words.paragraph(2)}"""\n'
            f"{statement}"
            f"    found: dict[str, Report] = {{}}\n"
            f'    for key, value in json.loads(path.read_text(encoding="utf-8")).items():\n'
            f"        if value is None or len(found) >= limit:\n"
            f'            raise ValueError(f"{words.filled("the {a} of the {b} is no {c}")}: {{key!r}}")\n'
            f'        text = value["{words.thing()}"].strip().replace("{words.thing()}", "{words.thing()}")\n'
            f"        found[key] = Report(id=key, text=text, rows={{row: len(row) for row in text.splitlines()}})\n"
            f"    # {words.sentence()}\n"
            f"    ordered = sorted(found.values(), key=lambda report: (report.id, len(report.rows)))\n"
            f"    return [report for report in ordered if report.text and len(report.rows) > {chance.randrange(50)}]\n\n\n"
        )
        parts.append(part)
        length += len(part)
    return "".join(parts).rstrip("\n") + "\n"


def data(size, words, chance):
    rows, length = [], 0
    while length < size:
        row = {
            "id": chance.randrange(10**9), "name": words.name(), "path": words.path(), "text": words.paragraph(2),
            "tags": [words.thing() for _ in range(chance.randint(0, 5))], "is" + words.thing().title(): True,
        }  # fmt: skip
        fields = (f"\t\t{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in row.items())
        rows.append("\t{\n" + ",\n".join(fields) + "\n\t}")
        length += len(rows[-1])
    return "[\n" + ",\n".join(rows) + "\n]\n"
