#!/usr/bin/env python3
"""Runs the job of docs/ci/gitlab.yml as GitLab's runner does, and reads its report as GitLab's Code Quality does.

    tests/ci/gitlab.py BINARY

`pip` installs nothing here: BINARY is on PATH. Started by run.sh.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import ruamel.yaml

import corpus

PROJECT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(sys.argv[1]).resolve()
TEMPLATE = ruamel.yaml.YAML(typ="safe").load((PROJECT / "docs/ci/gitlab.yml").read_text(encoding="utf-8"))
JOB = TEMPLATE["chatls"]
REPORT = JOB["artifacts"]["reports"]["codequality"]
# "Code Quality report format" in GitLab's documentation.
SEVERITIES = {"info", "minor", "major", "critical", "blocker"}


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        programs = folder / "bin"
        programs.mkdir()
        (programs / "chatls").symlink_to(BINARY)
        pip = programs / "pip"
        pip.write_text(f'#!/bin/sh\necho "$*" >>"{folder}/installed"\n')
        pip.chmod(0o755)
        repository = folder / "repository"
        repository.mkdir()
        a_clean_one_passes(repository, programs)
        assert (folder / "installed").read_text() == f"install --quiet chatls=={TEMPLATE['variables']['CHATLS_VERSION']}\n"
        findings_fail_and_are_reported(repository, programs)
        a_broken_one_fails(repository, programs)
    with tempfile.TemporaryDirectory() as folder:
        every_code_is_reported(pathlib.Path(folder))


def job(repository, programs, **variables):
    """The job's status, its log and its report."""
    (repository / REPORT).unlink(missing_ok=True)
    script = "set -eo pipefail\n" + "\n".join(JOB["script"])
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, **TEMPLATE["variables"], **variables}
    ran = subprocess.run(["bash", "-c", script], cwd=repository, env=environment, capture_output=True, text=True, timeout=60)
    report = repository / REPORT
    return ran.returncode, ran.stdout + ran.stderr, json.loads(report.read_text("utf-8")) if report.exists() and report.stat().st_size else None


def a_clean_one_passes(repository, programs):
    shutil.copy(PROJECT / "samples/fence.chat.md", repository)
    status, log, report = job(repository, programs)
    assert status == 0 and report == [] and "no problems in 1 file" in log, (status, log)
    passed("a clean transcript passes, with an empty report")


def findings_fail_and_are_reported(repository, programs):
    shutil.copy(PROJECT / "samples/tag.chat.md", repository)
    status, _, report = job(repository, programs)
    assert status == 0 and {issue["severity"] for issue in report} == {"info"}, report
    (repository / "logs").mkdir()
    shutil.copy(PROJECT / "samples/broken.chat.md", repository / "logs/ünï faulty.chat.md")
    status, log, report = job(repository, programs)
    assert status == 1 and "ünï faulty.chat.md:8:3" in log
    is_code_quality(report, repository)
    first = next(issue for issue in report if issue["check_name"] == "invalid-json")
    assert first["location"]["path"] == "logs/ünï faulty.chat.md" and line(first) == 8
    assert job(repository, programs, CHATLS_PATHS="fence.chat.md tag.chat.md")[0] == 0
    passed("findings fail the job, and are in the report")


def a_broken_one_fails(repository, programs):
    (repository / "chatls.toml").write_text("tools = [\n")
    status, log, report = job(repository, programs)
    assert status == 2 and "chatls.toml:1:" in log and report is None, (status, log)
    passed("what cannot be done fails, and leaves no report")


def every_code_is_reported(folder):
    codes = corpus.make(folder)
    ran = subprocess.run([BINARY, "check", "--format", "gitlab", "."], cwd=folder, capture_output=True, timeout=60)
    report = json.loads(ran.stdout)
    is_code_quality(report, folder)
    assert {issue["check_name"] for issue in report} == codes
    said = subprocess.run([BINARY, "check", "--format", "json", "."], cwd=folder, capture_output=True, timeout=60)
    expected = [(one["file"], one["code"], one["start"]["line"]) for one in json.loads(said.stdout)]
    assert [(issue["location"]["path"], issue["check_name"], line(issue)) for issue in report] == expected
    passed(f"{len(codes)} codes in {len(report)} issues")


def is_code_quality(report, folder):
    for issue in report:
        assert issue["description"].strip() and issue["check_name"] and issue["severity"] in SEVERITIES, issue
        assert re.fullmatch(r"\S+", issue["fingerprint"]), issue
        path = issue["location"]["path"]
        assert not path.startswith(("./", "/")) and (folder / path).is_file(), path
        assert line(issue) >= 1
    prints = [issue["fingerprint"] for issue in report]
    assert len(set(prints)) == len(prints), "GitLab takes issues of one fingerprint for one"


def line(issue):
    return issue["location"]["lines"]["begin"]


def passed(what):
    print(f"ok: gitlab: {what}", flush=True)


if __name__ == "__main__":
    main()
