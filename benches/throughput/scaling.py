#!/usr/bin/env python3
"""Times `chatls check --records` over one and over two workers: its own threads, GNU parallel and Spark, on the same records.

benches/throughput/scaling.py [--rounds N] [--chatls BINARY]

The rounds take turns over all ways. Each way has as many processors as workers, so that none does the rest of its work beside them, and the
least time of each is shown, for other work on the machine only adds to it. The records (10,000 transcripts, 0.2 GB) go
into .cache/bench. It needs what tests/recipes/run.sh installs.
"""

import argparse
import hashlib
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is left in the project

from corpora import ROOT, corpus
from measure import run
from run import PROJECT, machine
from tables import row, title

RECIPES = PROJECT / "tests" / "recipes"
CHECK = '"$CHATLS" check --records --format jsonl --jobs'
BLOCKS = "--block 10M --keep-order --jobs $WORKERS"
SPARK = 'spark-submit --master "local[$WORKERS]" --conf spark.ui.enabled=false --py-files "$RECIPES/chatls_map.py"'
# What is run for each, as a shell is told it; 1 is that something was found.
WAYS = {
    "`chatls --jobs`": f'{CHECK} $WORKERS <"$RECORDS" >out || [ $? = 1 ]',
    "`parallel --pipe`": f"""parallel --pipe {BLOCKS} '{CHECK} 1 || [ $? = 1 ]' <"$RECORDS" >out""",
    "`parallel --pipepart`": f"""parallel --pipepart -a "$RECORDS" {BLOCKS} '{CHECK} 1 || [ $? = 1 ]' >out""",
    "Spark": f'{SPARK} "$RECIPES/spark.py" "$CHATLS" check records "$RECORDS" spark && cat spark/part-* >out',
    "Spark, on no records": f'{SPARK} "$RECIPES/spark.py" "$CHATLS" check records /dev/null spark',
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chatls", type=Path, metavar="BINARY", default=PROJECT / "target" / "release" / "chatls")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    bin = PROJECT / ".cache" / "recipes" / "bin"
    if not (bin / "spark-submit").exists() or not shutil.which("parallel"):
        sys.exit("first: tests/recipes/run.sh BINARY")
    records = made()
    env = {"CHATLS": str(given.chatls.resolve()), "RECORDS": str(records), "RECIPES": str(RECIPES)}
    env |= {"PATH": f"{bin}:{os.environ['PATH']}", "SPARK_LOCAL_IP": "127.0.0.1"}
    print(machine())
    times, outputs = {}, set()
    for _ in range(given.rounds):
        for way, script in WAYS.items():
            for workers in range(1, (os.cpu_count() or 1) + 1):
                wall, output = timed(script, workers, env)
                times.setdefault((way, workers), []).append(wall)
                outputs |= {output} - {None}
                print(f"  {way}, {workers}: {wall:.2f} s", file=sys.stderr, flush=True)
    if len(outputs) != 1:
        sys.exit("they do not all find the same")
    show({key: min(all) for key, all in times.items()}, records.stat().st_size)


def timed(script, workers, env):
    """How long it took, and the hash of what was found."""
    folder = Path(tempfile.mkdtemp(prefix="chatls-scaling-"))
    try:
        processors = ",".join(map(str, range(workers)))
        found = run(["bash", "-euc", script], processors, env | {"WORKERS": str(workers)}, cwd=folder)
        if found.status:
            sys.exit(f"{script}\nended with status {found.status}")
        out = folder / "out"
        return found.wall, hashlib.sha256(out.read_bytes()).hexdigest() if out.exists() else None
    finally:
        shutil.rmtree(folder)


def made():
    """The transcripts of 10,000 files as records."""
    folder, _, files = corpus("many", "chat")
    records = ROOT / f"{folder.name}.jsonl"
    if not records.exists():
        unfinished = records.with_suffix(".part")
        with unfinished.open("w") as out:
            for file in sorted(folder.rglob("file_*")):
                out.write(json.dumps({"path": file.name, "text": file.read_text()}) + "\n")
        unfinished.rename(records)
    records.read_bytes()  # so that no run waits for the disk
    return records


def show(times, size):
    most = max(workers for _, workers in times)
    title(f"10,000 transcripts as records, {size / 1e6:.0f} MB", ["", "1 worker", f"{most} workers", "times as fast"])
    for way in WAYS:
        one, all = times[way, 1], times[way, most]
        row([way, f"{one:.2f} s", f"{all:.2f} s", f"{one / all:.2f}"])


if __name__ == "__main__":
    main()
