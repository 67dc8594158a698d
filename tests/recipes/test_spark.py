"""Spark in local mode, started as docs/pipelines.md says."""

import json
import os
import shutil
import subprocess
import unittest

from made import BAD, CHATLS, HERE, LARGE, Folder, recipe

PRINTED = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}


def submit(folder, *arguments, master="local[2]"):
    command = ["spark-submit", "--master", master, "--conf", "spark.log.level=ERROR", "--conf", "spark.ui.enabled=false"]
    command += ["--py-files", HERE / "chatls_map.py", HERE / "spark.py", *arguments]
    return subprocess.run(command, cwd=folder.path, timeout=300, **PRINTED)


def output(folder, name):
    """The lines of each part, in order."""
    parts = sorted((folder.path / name).glob("part-*"))
    return [part.read_text().splitlines() for part in parts]


class Spark(unittest.TestCase):
    def test_records(self):
        # 2,000 documents, one of 5 MB, and some that are none, in files of which one is empty.
        folder = Folder(self, copies=203)
        self.assertGreaterEqual(len(folder.lines), 2_000)
        records = folder.path / "documents.jsonl"
        records.mkdir()
        for name, lines in {"a": folder.lines[:1000], "b": BAD, "c": [], "d": [LARGE], "e": folder.lines[1000:]}.items():
            (records / f"{name}.jsonl").write_text("".join(line + "\n" for line in lines))
        for file in ["chatls_map.py", "spark.py"]:
            shutil.copy(HERE / file, folder.path)
        # Spark leaves out empty files by default, and then a part is only empty if it begins in a long line.
        configuration = folder.path / "conf"
        configuration.mkdir()
        (configuration / "spark-defaults.conf").write_text("spark.hadoopRDD.ignoreEmptySplits false\n")
        environment = {**os.environ, "SPARK_CONF_DIR": str(configuration)}
        job, cat = recipe("# Spark, on one machine.").strip().rsplit("\n", 1)
        run = subprocess.run(["bash", "-c", job], cwd=folder.path, env=environment, timeout=300, **PRINTED)
        self.assertEqual((run.returncode, "4 problems" in run.stdout), (2, True), run.stdout)
        parts = output(folder, "findings")
        self.assertIn([], parts)
        self.assertGreater(len(parts), 4)
        subprocess.run(["bash", "-c", cat], cwd=folder.path, check=True)
        self.assertEqual((folder.path / "findings.jsonl").read_text().splitlines(), sum(parts, []))
        found = [line for part in parts for line in part if not line.startswith('{"problem"')]
        self.assertEqual(len([line for line in found if '"file":"large.chat.md"' in line]), 1)
        # The 5 MB lie between the halves.
        self.assertEqual([line for line in found if '"file":"large.chat.md"' not in line], folder.said())
        problems = [json.loads(line) for part in parts for line in part if line.startswith('{"problem"')]
        self.assertEqual(len(problems), len(BAD))

    def test_files(self):
        folder = Folder(self, copies=5)
        (folder.chats / "latin-1.md").write_bytes("Zoë".encode("latin-1"))
        run = submit(folder, CHATLS, "calls", "files", "chats", "out")
        self.assertEqual((run.returncode, "1 problems" in run.stdout), (2, True), run.stdout)
        lines = sorted(line for part in output(folder, "out") for line in part)
        problems = [line for line in lines if line.startswith('{"problem"')]
        self.assertIn("latin-1.md`", problems[0])
        # Spark names files by their address, and reads them in an order of its own.
        address = f"file:{os.path.realpath(folder.chats)}/"
        found = sorted(line.replace(address, "") for line in lines if line not in problems)
        self.assertEqual(found, sorted(folder.said("calls")))

    def test_arguments_are_tried_before_the_job(self):
        folder = Folder(self, copies=1)
        run = submit(folder, "/bin/false", "check", "files", "chats", "out")
        self.assertEqual(run.returncode, 1)
        self.assertIn("/bin/false", run.stdout)
        self.assertFalse((folder.path / "out").exists())
