"""The map step in Dask, as docs/pipelines.md has it."""

import subprocess
import unittest

from made import BAD, LARGE, Folder, recipe


class Dask(unittest.TestCase):
    def test_a_bag_of_records(self):
        folder = Folder(self)
        (folder.path / "documents.jsonl").write_text("\n".join([*folder.lines, *BAD[:1], LARGE]) + "\n")
        (folder.path / "job.py").write_text(recipe("from dask import bag").replace("10MB", "200kB"))
        subprocess.run(["python", "job.py"], cwd=folder.path, check=True, timeout=300)
        parts = sorted((folder.path / "findings").iterdir())
        self.assertGreater(len(parts), 2)
        found = [line for part in parts for line in part.read_text().splitlines()]
        problems = [line for line in found if line.startswith('{"problem"')]
        self.assertEqual(len(problems), 1)
        large = [line for line in found if "large.chat.md" in line]
        self.assertEqual(len(large), 1)
        self.assertEqual([line for line in found if line not in large + problems], folder.said())
