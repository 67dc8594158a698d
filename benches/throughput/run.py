#!/usr/bin/env python3
"""Times `chatls` beside rumdl, Biome and ruff on as much of their own input each, and weighs it.

benches/throughput/run.py [--quick] [--fresh] [PART…] [--chatls BINARY]

PART: `many` (10,000 files), `large` (1 GB), `files` (memory by the number of files) or `size` (memory by the size of one file); by
default all. The inputs (5 GB) and the tools go into .cache/bench on the first call. What was measured is kept there, so that a call
that was ended goes on where it was, until BINARY changes or --fresh is given. --quick: one run of each, and not `large`.
"""

import argparse
import json
import os
import platform
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is left in the project

import tables
from corpora import ROOT

PARTS = {"many": tables.many, "large": tables.large, "files": tables.by_files, "size": tables.by_size}
PROJECT = Path(__file__).parents[2]


class Notes:
    """What was measured already, of one binary."""

    def __init__(self, binary, is_fresh):
        found = os.stat(binary)
        self.path = ROOT / "measured.json"
        self.binary = [str(binary), found.st_size, found.st_mtime]
        self.runs = {}
        if self.path.exists() and not is_fresh:
            kept = json.loads(self.path.read_text())
            self.runs = kept["runs"] if kept["binary"] == self.binary else {}

    def of(self, key):
        return self.runs.setdefault(key, [])

    def keep(self):
        unfinished = self.path.with_suffix(".new")
        unfinished.write_text(json.dumps({"binary": self.binary, "runs": self.runs}))
        unfinished.rename(self.path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", choices=[[], *PARTS])
    parser.add_argument("--chatls", type=Path, metavar="BINARY", default=PROJECT / "target" / "release" / "chatls")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    given = parser.parse_args()
    if not given.chatls.exists():
        sys.exit(f"{given.chatls} is not there: cargo build --release, or --chatls BINARY")
    ROOT.mkdir(parents=True, exist_ok=True)
    notes = Notes(given.chatls.resolve(), given.fresh)
    print(machine())
    for part in given.parts or PARTS:
        if part != "large" or not given.quick or given.parts:
            PARTS[part](given.chatls.resolve(), notes, given.quick)
    print(f"\nThe machine's load was {os.getloadavg()[0]:.1f} at the end.")


def machine():
    models = [it.split(": ")[1] for it in Path("/proc/cpuinfo").read_text().splitlines() if it.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    load = os.getloadavg()[0]
    return f"{models[0]}, {os.cpu_count()} cores, {memory:.0f} GiB, Linux {platform.release()}; load {load:.1f}"


if __name__ == "__main__":
    main()
