"""docs/pipelines.md shows the recipes as they are, and what it has a reader type prints what it says.

Its blocks of shell without output are run by the tests of what they are about (`made.recipe`).
"""

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from made import HERE, PROJECT

PAGE = (PROJECT / "docs" / "pipelines.md").read_text()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def commands(block):
    """The commands of a console block, each with the lines that it prints."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, *printed = part.splitlines()
        while printed and printed[0].startswith("> "):
            command += "\n" + printed.pop(0)[2:]
        yield command, printed


def pattern(printed):
    """What is printed, where `…` stands for anything."""
    text = "".join(line + "\n" for line in printed)
    return re.compile(".*".join(map(re.escape, text.replace("…\n", "…").split("…"))), re.DOTALL)


class Page(unittest.TestCase):
    maxDiff = None

    def test_the_recipes_are_shown_as_they_are(self):
        for file in ["chatls_map.py", "spark.py"]:
            self.assertIn((HERE / file).read_text(), blocks("python"), f"docs/pipelines.md has another {file}")

    def test_what_is_typed_prints_what_is_shown(self):
        folder = Path(tempfile.mkdtemp(prefix="chatls-page-"))
        self.addCleanup(shutil.rmtree, folder)
        shutil.copytree(PROJECT / "samples", folder / "samples")
        for block in blocks("console"):
            for command, printed in commands(block):
                with self.subTest(command):
                    self.assertRegex(self.printed(folder, command), pattern(printed))
        example = next(block for block in blocks("python") if block.startswith("import pandas"))
        (folder / "example.py").write_text(example)
        self.assertEqual(self.printed(folder, "python example.py"), blocks("text")[0])

    def printed(self, folder, command):
        script = f"set -o pipefail\n{command}"
        run = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(run.returncode, 0, f"{command}\n{run.stdout}{run.stderr}")
        return run.stdout
