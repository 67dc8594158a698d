"""Runs a command and says what it took, by the system's own accounting of the finished process."""

import os
import subprocess
import tempfile
import time
from dataclasses import dataclass


@dataclass
class Run:
    status: int
    wall: float  # seconds
    cpu: float  # seconds, user and system, of all threads
    peak: int  # bytes


def run(command, processors=None, env=None, stdin=None, cwd=None):
    """Runs `command` on the processors of that list (as taskset takes them; all where none is said). What it prints is thrown away."""
    if processors:
        command = ["taskset", "-c", processors, *command]
    with tempfile.NamedTemporaryFile("r") as peak:
        # A process begins with the peak of the one that started it, so that a small one has to.
        command = ["/usr/bin/time", "--format", "%M", "--quiet", "--output", peak.name, *command]
        began = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=stdin or subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=cwd,
            env=os.environ | (env or {}),
        )  # fmt: skip
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        return Run(process.returncode, wall, usage.ru_utime + usage.ru_stime, int(peak.read()) * 1024)
