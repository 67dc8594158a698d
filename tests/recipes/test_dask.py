"""The map step in Dask."""

import unittest

from made import BAD, CHECK, LARGE, Folder


class Dask(unittest.TestCase):
    def test_a_bag_of_records(self):
        from dask import bag

        from chatls_map import chatls

        folder = Folder(self)
        (folder.path / "documents.jsonl").write_text("\n".join([*folder.lines, *BAD[:1], LARGE]) + "\n")
        documents = bag.read_text(folder.path / "documents.jsonl", blocksize=200_000)
        self.assertGreater(documents.npartitions, 2)
        found = documents.map_partitions(lambda records: chatls(CHECK, (it.strip() for it in records))).compute(
            scheduler="threads"
        )
        problems = [line for line in found if line.startswith('{"problem"')]
        self.assertEqual(len(problems), 1)
        self.assertEqual([line for line in found if "large.chat.md" not in line and line not in problems], folder.said())
        self.assertEqual(len([line for line in found if "large.chat.md" in line]), 1)
