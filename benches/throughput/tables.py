"""The tables: what is run for each, and how it is shown.

Runs of one table take turns, so that a machine that is slow for a while is slow for all. Of times the least is shown, for other work on the
machine only ever adds to them; of memory the most.
"""

import os
import random
import sys

from corpora import ROOT, corpus
from measure import Run, run
from tools import tools
from transcripts import KINDS, transcript

ALL = ",".join(map(str, range(os.cpu_count() or 1)))
LONG = 20  # seconds of processors; what takes longer is run once
MEMORY = int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 0.8)  # what a tool may take


def many(chatls, notes, is_quick):
    compare("many", tools(chatls), notes, rounds=1 if is_quick else 3, processors=["0", ALL])


def large(chatls, notes, is_quick):
    compare("large", tools(chatls), notes, rounds=2, processors=[ALL])


def compare(shape, tools, notes, rounds, processors):
    inputs = {tool.owner: corpus(shape, tool.owner) for tool in tools}
    for number in range(rounds):
        for tool in tools:
            for on in processors:
                folder, _, _ = inputs[tool.owner]
                key = f"{shape}: {tool.name} on {on}"
                if number == 0 or results(notes, key)[0].cpu < LONG:
                    # One that takes all memory all the same is the one that the system ends.
                    limited = ["choom", "-n", "1000", "--", "prlimit", f"--as={MEMORY}"]
                    measure(notes, key, number, [*limited, *map(str, tool.command), str(folder)], on, folder)
    heads = ["tool", "files", "MB", "MB per processor second", "files"]
    heads += [head for on in processors for head in (f"on {heading(on)}, s", "MB/s", "files/s")] + ["peak, MB"]
    title(f"{'10,000 files' if shape == 'many' else '1 GB'}, each tool on its own input", heads)
    for tool in tools:
        _, size, files = inputs[tool.owner]
        runs = {on: results(notes, f"{shape}: {tool.name} on {on}") for on in processors}
        if any(run.status not in (0, 1) for all in runs.values() for run in all):
            row([tool.name, f"{files:,}", f"{size / 1e6:.0f}", f"ended without a result in {MEMORY / 1e9:.0f} GB of memory"])
            continue
        least = min(run.cpu for run in runs[processors[0]])
        cells = [tool.name, f"{files:,}", f"{size / 1e6:.0f}", f"{size / 1e6 / least:.1f}", f"{files / least:,.0f}"]
        for on in processors:
            wall = min(run.wall for run in runs[on])
            cells += [f"{wall:.2f}", f"{size / 1e6 / wall:.1f}", f"{files / wall:,.0f}"]
        row([*cells, f"{max(run.peak for run in runs[processors[-1]]) / 1e6:.0f}"])


def by_files(chatls, notes, is_quick):
    title("Peak of memory by the number of files, in MB", ["files", "MB", "largest, MB", *map(" ".join, WAYS)])
    for shape in ["few", "some", "many"]:
        folder, size, files = corpus(shape, "chat")
        largest = max(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        cells = [f"{files:,}", f"{size / 1e6:.1f}", f"{largest / 1e6:.2f}"]
        for way in WAYS:
            key = f"{shape}: chatls {' '.join(way)}"
            measure(notes, key, 0, [str(chatls), *way, str(folder)], None, folder)
            cells.append(f"{results(notes, key)[0].peak / 1e6:.1f}")
        row(cells)


WAYS = [(command, "--jobs", jobs) for command in ["check", "calls"] for jobs in ("1", "2")]


def by_size(chatls, notes, is_quick):
    sizes = [10, 50] if is_quick else [10, 50, 100]
    keys = {}
    for kind in KINDS:
        for command in COMMANDS:
            for size in sizes:
                file = single(kind, size)
                key = keys[kind, command, size] = f"{file.name}: chatls {command}"
                measure(notes, key, 0, [str(chatls), command, str(file)], None, None)
    title("Peak of memory by the size of one file, as a multiple of that",
          ["dialect", *(f"{command}, {size} MB" for command in COMMANDS for size in sizes)])  # fmt: skip
    for kind in KINDS:
        peaks = (
            results(notes, keys[kind, command, size])[0].peak / single(kind, size).stat().st_size
            for command in COMMANDS for size in sizes
        )  # fmt: skip
        row([kind, *(f"{peak:.2f}" for peak in peaks)])
    title(f"Speed on one file of {sizes[-1]} MB, in MB per processor second", ["dialect", *COMMANDS])
    for kind in KINDS:
        runs = (results(notes, keys[kind, command, sizes[-1]])[0] for command in COMMANDS)
        row([kind, *(f"{single(kind, sizes[-1]).stat().st_size / 1e6 / run.cpu:.0f}" for run in runs)])


COMMANDS = ["check", "calls"]


def single(kind, megabytes):
    """A file of that size in that dialect."""
    file = ROOT / "single" / f"{kind}-{megabytes}.{KINDS[kind].end}"
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        unfinished = file.with_suffix(".part")
        unfinished.write_text(transcript(kind, megabytes * 1_000_000, random.Random(f"{kind}{megabytes}")))
        unfinished.rename(file)
    return file


def measure(notes, key, number, command, processors, folder):
    """One run, unless that many are there already."""
    runs = notes.of(key)
    if len(runs) > number:
        return
    if folder:
        warm(folder)
    found = run(command, processors)
    if found.status not in (0, 1) and command[0] != "choom":
        sys.exit(f"{' '.join(command)} ended with status {found.status}")
    runs.append([found.status, found.wall, found.cpu, found.peak])
    notes.keep()
    print(f"  {key}: {found.wall:.2f} s, {found.cpu:.2f} s of processors, {found.peak / 1e6:.0f} MB", file=sys.stderr, flush=True)


def results(notes, key):
    return [Run(*values) for values in notes.of(key)]


def warm(folder):
    """Reads all files, so that no run waits for the disk."""
    for file in folder.rglob("*"):
        if file.is_file():
            file.read_bytes()


def heading(processors):
    return "one core" if processors == "0" else f"{len(processors.split(','))} cores"


def title(text, heads):
    print(f"\n{text}:\n")
    row(heads)
    row(["---"] + ["---:"] * (len(heads) - 1))


def row(cells):
    print(f"| {' | '.join(cells)} |", flush=True)
