"""Traces of system calls: the processes that a program starts, and the sockets that it opens."""

import re
import subprocess

# The pair of sockets with which a process wakes itself leads nowhere else; the others use it, or end
# or await what exists.
HARMLESS = {"socketpair", "sendto", "recvfrom", "shutdown", "exit", "exit_group", "wait4", "waitid"}


def traced(path, arguments):
    """The command that runs `arguments`, and writes the trace to `path`."""
    return ["strace", "--follow-forks", "--quiet=all", "--string-limit=200", f"--output={path}",
            "--trace=process,network", "--", *arguments]


def actions(path):
    """The system calls in a trace that start a process or use a socket, beyond the program itself."""
    with open(path, encoding="utf-8", errors="replace") as file:
        calls = [match for match in (re.match(r"\d+ +(\w+)\((.*)", line) for line in file) if match]
    assert calls and calls[0].group(1) == "execve", f"{path}: nothing was traced"

    def is_thread(call):
        return call.group(1) in {"clone", "clone3"} and "CLONE_THREAD" in call.group(2)

    return [call.string.rstrip() for call in calls[1:] if call.group(1) not in HARMLESS and not is_thread(call)]


def run(arguments, path, **options):
    """Runs a command; returns its result and the actions in its trace."""
    result = subprocess.run(traced(path, arguments), stdin=subprocess.DEVNULL, capture_output=True, timeout=300,
                            check=False, text=True, **options)
    return result, actions(path)
