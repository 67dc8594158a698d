"""The corpora that the tools are timed on: the same bytes on every machine, and for each tool the same sizes of files.

`corpora.py SHAPE [OWNER]` makes them below .cache/bench (or $CHATLS_BENCH): SHAPE is `many` (10,000 files, 0.2 GB) or `large`
(1,000 files, 1 GB), OWNER whose input is made: chat, markdown, web or python.
"""

import multiprocessing
import os
import random
import shutil
import sys
from pathlib import Path

import programs
import transcripts

ROOT = Path(os.environ.get("CHATLS_BENCH", Path(__file__).parents[2] / ".cache" / "bench"))
VERSION = "2"  # to be raised with every change of what is made

# How many files, and the mean of their sizes.
SHAPES = {"few": (100, 20_000), "some": (1_000, 20_000), "many": (10_000, 20_000), "large": (1_000, 1_000_000)}

# What a corpus of transcripts is made of, by the number of files.
CHAT = ["fence"] * 8 + ["marker"] * 3 + ["tag"] * 3 + ["ui"] * 2 + ["full"] * 2 + ["v4"] + ["prose"]
OWNERS = {"chat": CHAT, "markdown": ["md"], "web": ["ts"] * 4 + ["json"], "python": ["py"]}


def corpus(shape, owner):
    """The folder of that corpus, and how many bytes are in how many files."""
    folder = ROOT / f"{shape}-{owner}-{VERSION}"
    if not folder.exists():
        print(f"making {folder.name} …", file=sys.stderr, flush=True)
        unfinished = folder.with_suffix(".part")
        shutil.rmtree(unfinished, ignore_errors=True)
        for part in range(100):
            (unfinished / f"{part:02}").mkdir(parents=True)
        with multiprocessing.Pool() as pool:
            count = SHAPES[shape][0]
            pool.starmap(write, [(unfinished, shape, owner, number) for number in range(count)], chunksize=20)
        unfinished.rename(folder)
    files = [file.stat().st_size for file in folder.rglob("*") if file.is_file()]
    return folder, sum(files), len(files)


def write(folder, shape, owner, number):
    # Sizes do not depend on the owner, so that all get the same.
    mean = SHAPES[shape][1]
    size = int(min(random.Random(f"{shape}-{number}").expovariate(1 / mean) + mean / 20, mean * 8))
    chance = random.Random(f"{shape}-{owner}-{number}")
    kind = OWNERS[owner][number * 7 % len(OWNERS[owner])]
    if kind in transcripts.KINDS:
        text, end = transcripts.transcript(kind, size, chance), transcripts.KINDS[kind].end
    else:
        text, end = programs.program(kind, size, chance), kind
    (folder / f"{number % 100:02}" / f"file_{number:05}.{end}").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for owner in sys.argv[2:] or OWNERS:
        folder, size, files = corpus(sys.argv[1], owner)
        print(f"{folder}: {size / 1e6:.1f} MB in {files} files")
