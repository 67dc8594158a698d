#!/usr/bin/env python3
"""Tries the examples of docs/ci.md: they have the form that the services publish, name what there is, and run.

    tests/ci/examples.py BINARY PROGRAMS      PROGRAMS: the folder with check-jsonschema and pre-commit

The hooks for pre-commit run in pre-commit.sh. Started by run.sh.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

import ruamel.yaml

PROJECT = pathlib.Path(__file__).resolve().parents[2]
BINARY, PROGRAMS = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
PAGE = (PROJECT / "docs/ci.md").read_text(encoding="utf-8")
YAML = ruamel.yaml.YAML(typ="safe")
INPUTS = set(YAML.load((PROJECT / ".github/actions/check/action.yml").read_text(encoding="utf-8"))["inputs"])


def main():
    kinds = {"repos": "pre-commit", "jobs": "github-workflows", "include": "gitlab-ci"}
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for example in re.findall(r"```yaml\n(.*?)```", PAGE, re.S):
            value = YAML.load(textwrap.dedent(example))
            # A piece of a workflow is a list of steps.
            (kind,) = [kind for key, kind in kinds.items() if key in value] if isinstance(value, dict) else ["steps"]
            path = pathlib.Path(folder) / "example.yml"
            path.write_text(example, encoding="utf-8")
            holds(kind, path)
            inputs_are_there(value if kind == "steps" else steps(value))
            count += 1
    assert count >= 7
    passed(f"{count} examples of YAML")
    with tempfile.TemporaryDirectory() as folder:
        commands_run(pathlib.Path(folder))


def holds(kind, path):
    commands = {"pre-commit": [PROGRAMS / "pre-commit", "validate-config", path], "steps": ["true"]}
    schema = [PROGRAMS / "check-jsonschema", "--quiet", "--builtin-schema", f"vendor.{kind}", path]
    subprocess.run(commands.get(kind, schema), check=True, timeout=60)


def steps(workflow):
    return [step for job in workflow.get("jobs", {}).values() for step in job["steps"]]


def inputs_are_there(steps):
    for step in steps:
        if "/.github/actions/check@" in step.get("uses", ""):
            unknown = set(step.get("with", {})) - INPUTS
            assert not unknown, f"the Action has no inputs {unknown}"


def commands_run(folder):
    """The commands for a shell, one after the other, in a folder with faulty transcripts."""
    (folder / "bin").mkdir()
    (folder / "bin/chatls").symlink_to(BINARY)
    (folder / "transcripts").mkdir()
    shutil.copy(PROJECT / "samples/broken.chat.md", folder / "transcripts")
    environment = {**os.environ, "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    before = subprocess.run(["chatls", "check"], cwd=folder, env=environment, capture_output=True)
    assert before.returncode == 1
    scripts = re.findall(r"```sh\n(.*?)```", PAGE, re.S) + re.findall(r"`sh '(chatls .*?)'`", PAGE)
    assert len(scripts) == 2
    for script in scripts:
        ran = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=folder, env=environment, capture_output=True, text=True)
        assert ran.returncode == 0, f"{script}: {ran.returncode}: {ran.stdout}{ran.stderr}"
    assert (folder / "chatls-baseline.jsonl").stat().st_size
    assert (folder / "chatls.sarif").stat().st_size
    passed(f"{len(scripts)} examples of commands")


def passed(what):
    print(f"ok: examples: {what}", flush=True)


if __name__ == "__main__":
    main()
