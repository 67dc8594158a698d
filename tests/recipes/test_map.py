"""The map step by itself."""

import json
import subprocess
import unittest

from chatls_map import chatls, record
from made import BAD, CALLS, CHATLS, CHECK, LARGE, Folder, document


class Map(unittest.TestCase):
    def test_the_same_findings_in_the_same_order(self):
        folder = Folder(self)
        found = list(chatls(CHECK, folder.lines))
        self.assertGreater(len(found), 900)
        self.assertEqual(found, folder.said("check"))
        self.assertEqual(list(chatls(CALLS, folder.lines)), folder.said("calls"))

    def test_bytes_of_files_are_records(self):
        folder = Folder(self, copies=1)
        records = (record(file.name, file.read_bytes()) for file in folder.files)
        self.assertEqual(list(chatls(CHECK, records)), folder.said())

    def test_a_bad_record_gives_a_line_and_ends_nothing(self):
        folder = Folder(self, copies=1)
        broken = record("latin-1.md", "Zoë".encode("latin-1"))
        found = list(chatls(CHECK, [*BAD, broken, *folder.lines], part=7))
        self.assertEqual(found[:-5], folder.said())
        problems = [json.loads(line) for line in found[-5:]]
        self.assertEqual({problem["part"] for problem in problems}, {7})
        said = "\n".join(sorted(problem["problem"] for problem in problems))
        for part in ["line 1: invalid record", "line 2: invalid record", "`surrogate.md`", "line 4: invalid record", "`latin-1.md`"]:
            self.assertIn(part, said)

    def test_nothing_in_nothing_out(self):
        self.assertEqual(list(chatls(CHECK, [])), [])

    def test_full_pipes_do_not_wait_for_each_other(self):
        long = document("long.chat.md", "```tool\n[1]\n```\n\n" * 2_000)
        found = list(chatls(CHECK, [long, LARGE] * 10))
        self.assertEqual(len(found), 20_010)
        self.assertEqual(json.loads(found[2_000])["file"], "large.chat.md")

    def test_who_wants_no_more_leaves_no_process(self):
        endless = (document(f"{number}.chat.md", "```tool\n[1]\n```\n") for number in iter(int, 1))
        findings = chatls(CHECK, endless)
        next(findings)
        findings.close()  # would wait for ever for a process that is still fed

    def test_what_goes_wrong_upstream_is_raised(self):
        def records():
            yield document("a.md", "")
            raise OSError("the bucket is gone")

        with self.assertRaisesRegex(OSError, "the bucket is gone"):
            list(chatls(CHECK, records()))

    def test_a_command_that_dies_is_raised(self):
        with self.assertRaisesRegex(RuntimeError, "status 3: oh no"):
            list(chatls(["sh", "-c", "echo oh no >&2; exit 3"], [LARGE]))
        with self.assertRaisesRegex(RuntimeError, "status -9"):
            list(chatls(["sh", "-c", "kill -9 $$"], [LARGE] * 3))

    def test_findings_are_no_problem_and_no_record_is_status_2(self):
        statuses = {"": 0, document("a.chat.md", "```tool\n[1]\n```\n"): 1, "rubbish": 2}
        for line, status in statuses.items():
            run = subprocess.run(CHECK, input=line.encode(), capture_output=True)
            self.assertEqual(run.returncode, status, CHATLS)
