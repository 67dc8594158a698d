"""Every command and every request takes time in proportion to its document.

    growth.py BINARY [--size BYTES] [FILTER...]

Reads each document of `documents.py` in two sizes, one of BYTES and one of a quarter, and compares
the processor time. It fails where twice the length takes more than 2.4 times the time. Times that
are over fast are not compared: there the start of the process is most of the time. A filter is a
part of `DOCUMENT COMMAND`.
"""

import argparse
import bisect
import itertools
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True  # nothing is left in the project

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "trace"))

import client
from documents import DOCUMENTS

MOST = 2.4
# Seconds of processor time below which nothing is compared, and above which a command is stopped.
LEAST, LIMIT = 0.3, 8

COMMANDS = {
    "check": ["check", "--format", "json", "FILE"],
    "fix": ["check", "--fix", "--unsafe-fixes", "COPY"],
    "calls": ["calls", "FILE"],
    "calls -": ["calls", "-", "<FILE"],
    "view": ["view", "FILE"],
    "stats": ["stats", "FILE"],
    "events": ["events", "FILE"],
    "repair": ["repair", "FILE"],
    "redact": ["redact", "FILE"],
    "convert": ["convert", "--to", "openai", "FILE"],
    "fmt": ["fmt", "--check", "FILE"],
    "export": ["view", "--format", "html", "FILE"],
    "serve": None,
}
REQUESTS = {
    "foldingRange": {}, "documentSymbol": {}, "semanticTokens/full": {}, "codeLens": {}, "documentLink": {},
    "inlayHint": {"range": "whole"}, "codeAction": {"range": "point", "context": {"diagnostics": []}},
    "documentHighlight": {"position": "place"}, "hover": {"position": "place"}, "completion": {"position": "place"},
    "selectionRange": {"positions": "places"}, "formatting": {"options": {"tabSize": 2, "insertSpaces": True}},
}  # fmt: skip
# The parts of a document that requests are made at: the first one of these behind its middle.
PARTS = ['"name"', '"toolName"', "<tool>", "- item", "text", "\n"]
# Cases that grow faster, by parts of their names, and why. Their lines are printed.
KNOWN = {
    "values-of-an-enum.json": "each of n values is compared with each of an enum of n",
    "unknown-names-and-tools.json": "each of n names is compared with each of n tools",
}
LANGUAGES = {".md": "markdown", ".org": "org", ".json": "json", ".jsonl": "jsonl"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", metavar="BINARY")
    parser.add_argument("--size", type=int, default=100_000, metavar="BYTES")
    parser.add_argument("filters", nargs="*", metavar="FILTER")
    given = parser.parse_intermixed_args()
    cases = [(name, command) for name in DOCUMENTS for command in COMMANDS
             if not given.filters or any(it in f"{name} {command}" for it in given.filters)]  # fmt: skip
    if not cases:
        sys.exit(f"no document and command has {given.filters} in its name")
    folder = tempfile.mkdtemp(prefix="chatls-growth-")
    try:
        binary = os.path.abspath(given.binary)
        slow = [it for name, command in cases for it in compare(binary, folder, name, command, given.size)]
    finally:
        shutil.rmtree(folder)
    print(f"{len(cases)} cases, {len(slow)} grow faster than their documents")
    sys.exit(1 if slow else 0)


def count_for(make, size):
    """The count with which `make` returns about `size` bytes."""
    sample = len(make(64).encode())
    count = max(64, 64 * size // sample)
    while len(make(count).encode()) > size * 1.2 and count > 64:
        count = count * 3 // 4
    return count


def compare(binary, folder, name, command, size):
    """The lines about what grows too fast, which are printed as well."""
    make = DOCUMENTS[name]
    count = count_for(make, size)
    long = measure(binary, folder, name, command, make(count))
    # The longer one is measured first: most are fast, and need no second run.
    if all(took < LEAST for took in long.values()):
        return []
    short = measure(binary, folder, name, command, make(count // 4))
    if any(growth_of(short, long, what) > MOST for what in long):
        # Other work on the machine adds to times.
        short = least(short, measure(binary, folder, name, command, make(count // 4)))
        long = least(long, measure(binary, folder, name, command, make(count)))
    slow = []
    for what, took in long.items():
        growth = growth_of(short, long, what)
        line = f"{name} {command} {what}: {short.get(what, 0.0):.3f} s, {took:.3f} s, x{growth:.2f} a doubling"
        if growth <= MOST:
            continue
        reason = next((KNOWN[known] for known in KNOWN if known in line), None)
        if reason is None:
            slow.append(line)
        print(f"{line} (known: {reason})" if reason else line, flush=True)
    return slow


def growth_of(short, long, what):
    """By how much a doubling multiplies the time; 0 if it is over fast. A quarter of the least time
    is that of a shorter document: the system counts in hundredths of a second."""
    took = long[what]
    return (took / max(short.get(what, 0.0), LEAST / 4)) ** 0.5 if took >= LEAST else 0


def least(one, other):
    return {what: min(took, other.get(what, took)) for what, took in one.items()}


def measure(binary, folder, name, command, text):
    """Seconds of processor time by what was asked: of a command one, of the server one a request."""
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    if command == "serve":
        return serve(binary, path, text)
    copy = os.path.join(folder, "copy-" + name)
    shutil.copyfile(path, copy)
    return {"": run(binary, COMMANDS[command], path, copy)}


def run(binary, command, path, copy):
    arguments = [{"FILE": path, "COPY": copy}.get(it, it) for it in command if not it.startswith("<")]
    with open(path if "<FILE" in command else os.devnull, "rb") as stdin:
        process = subprocess.Popen([binary, *arguments], stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT)))
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode != 101 and process.returncode >= 0 or usage.ru_utime > LIMIT - 2, (command, path, errors[-500:])
    return usage.ru_utime + usage.ru_stime


class Server(client.Client):
    """A session with the server, which knows its processor time."""

    def seconds(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        # proc(5): utime and stime are the fields 14 and 15, and the second one ends with the parenthesis.
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def serve(binary, path, text):
    """Seconds by requests; those of one that the server did not answer in time are the limit."""
    server = Server([binary, "serve"], {})
    uri = "file://" + path
    language = LANGUAGES[os.path.splitext(path)[1]]
    places, whole = positions(text)
    point = {"start": places[0], "end": places[0]}
    values = {"whole": whole, "place": places[0], "places": places, "point": point}

    def opened():
        item = {"uri": uri, "languageId": language, "version": 1, "text": text}
        server.notify("textDocument/didOpen", {"textDocument": item})
        server.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})

    def edited():
        changes = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"range": point, "text": "x"}]}
        server.notify("textDocument/didChange", changes)
        server.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})

    def asked(request, params):
        params = {key: values[value] if isinstance(value, str) else value for key, value in params.items()}
        return lambda: server.ask(f"textDocument/{request}", {"textDocument": {"uri": uri}, **params})

    works = {request: asked(request, params) for request, params in REQUESTS.items()}
    times = {}
    try:
        server.ask("initialize", {"processId": None, "rootUri": None, "capabilities": client.CAPABILITIES})
        server.notify("initialized", {})
        for what, work in {"open": opened, **works, "edit": edited}.items():
            began = server.seconds()
            times[what] = float(LIMIT)
            # A server that hangs must not keep the harness.
            guard = threading.Timer(LIMIT, server.process.kill)
            guard.start()
            try:
                work()
            finally:
                guard.cancel()
            times[what] = server.seconds() - began
    except (AssertionError, OSError):
        # It was ended.
        pass
    finally:
        server.process.kill()
        server.process.wait()
    return times


def positions(text):
    """500 positions, the first one at the same part of a call for documents of any size, and the
    range of all."""
    rows = text.split("\n")
    starts = list(itertools.accumulate((len(row) + 1 for row in rows), initial=0))

    def position(offset):
        row = bisect.bisect_right(starts, offset) - 1
        return {"line": row, "character": offset - starts[row]}

    middle = len(text) // 2
    found = (text.find(part, middle) for part in PARTS)
    place = next((at for at in found if at >= 0), middle)
    places = [position(len(text) * i // 500) for i in range(500)]
    end = {"line": len(rows) - 1, "character": len(rows[-1])}
    return [position(place), *places], {"start": {"line": 0, "character": 0}, "end": end}


if __name__ == "__main__":
    began = time.monotonic()
    try:
        main()
    finally:
        print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
