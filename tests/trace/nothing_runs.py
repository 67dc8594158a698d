"""Opening, checking and editing hostile projects starts no process and opens no socket: the trace
of the system's calls says so. The same trace shows both after the user's consent.

    nothing_runs.py BINARY
"""

import json
import os
import pathlib
import shutil
import socket
import sys
import tempfile

import client
import project
import syscalls

PROJECT = pathlib.Path(__file__).resolve().parents[2]


class Test:
    """A hostile project, and a user who never used chatls before."""

    def __init__(self, binary, work):
        self.binary, self.work = os.path.abspath(binary), work
        self.home, self.folder = os.path.join(work, "home"), os.path.join(work, "project")
        os.mkdir(self.home)
        os.mkdir(self.folder)
        # Connections to this port are refused, but a trace shows them.
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        project.make(self.folder, PROJECT / "samples", self.port)
        self.environment = {"HOME": self.home, "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "dumb"}
        self.count = 0

    def path(self):
        self.count += 1
        return os.path.join(self.work, f"{self.count}.trace")

    def run(self, *arguments, environment=None):
        environment = self.environment | (environment or {})
        return syscalls.run([self.binary, *arguments], self.path(), cwd=self.folder, env=environment)

    def documents(self):
        names = []
        for folder, _, files in os.walk(self.folder):
            names += [os.path.join(folder, name) for name in files if "/.git" not in folder]
        documents = (".md", ".json", ".jsonl", ".ndjson", ".sse")
        return sorted(name for name in names if name.endswith(documents) and os.path.isfile(name))

    def untouched(self, what):
        """Nothing of the project ran, and nobody granted anything."""
        files = [os.path.join(folder, name) for folder, _, names in os.walk(self.work) for name in names]
        ran = [file for file in files if os.path.basename(file) == "PWNED"]
        assert ran == [], f"{what}: a program of the project ran, or a tool wrote {ran}"
        kept = [file for file in files if file.startswith(self.home + "/")]
        assert kept == [], f"{what}: {kept}"


def commands(test):
    """Every command of the program that neither serves, nor starts its own server (`demo`)."""
    chat, log = "chat.chat.md", "log.messages.json"
    everything = [
        ["check", "."], ["check", "--no-outside", "."], ["check", "--diff", "."], ["check", "--config", "chatls.toml", chat],
        ["check", "$(touch PWNED).chat.md", "script.chat.md", "linked", "own"], ["fmt", "--diff", "."], ["fmt", "--check", "."],
        ["calls", "."], ["stats", "."], ["events", chat], ["view", chat], ["view", "--format", "html", chat], ["view", log],
        ["convert", "--lossy", "--to", "marker", chat], ["convert", "--lossy", "--to", "openai", log], ["repair", log], ["repair", "--write", log], ["redact", chat], ["redact", log],
        ["diff", chat, "linked/chat.chat.md"], ["sessions"], ["sessions", "--format", "jsonl"],
        ["tools"], ["tools", "fetch"], ["tools", "--format", "jsonl"], ["trust"], ["trust", "--format", "jsonl"],
        ["trust", "--allow", "0" * 64], ["explain", "secret"], ["schema"], ["dialect", "test", chat], ["man"], ["completions", "bash"], ["--version"],
        ["run", "--dry-run", "--all", chat], ["run", "--all", chat], ["run", "--all", "--yes", "--send-secrets", chat],
        ["run", "--all", "--yes", log], ["run", "--compare", "--yes", "fence.chat.md"], ["tools", "pull"],
        ["tools", "pull", "web"], ["tools", "pull", "shell"], ["continue", "own/chat.chat.md"],
        ["continue", "--turns", "3", "--yes", "--send-secrets", "linked/chat.chat.md"],
        ["check", "--fix", "own/chat.chat.md"], ["fmt", "own/chat.chat.md"], ["init"],
    ]
    everything += [["request", "--to", to, chat] for to in ["openai", "anthropic", "ai-sdk", "chat-wrapper"]]
    everything += [["check", "--format", form, chat] for form in ["json", "jsonl", "sarif", "github", "gitlab", "junit"]]
    helped, _ = test.run("--help")
    listed = helped.stdout.split("Commands:")[1].split("Options:")[0]
    names = {line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] not in " -"}
    missing = names - {command[0] for command in everything} - {"serve", "demo", "watch", "help"}
    assert not missing, f"not run by this test: {missing}"
    for command in everything:
        result, found = test.run(*command)
        assert result.returncode in {0, 1, 2}, (command, result.returncode, result.stderr)
        assert "unexpected argument" not in result.stderr and "invalid value" not in result.stderr, (command, result.stderr)
        assert found == [], (command, found)
    # The shell asks for candidates in the middle of a command line.
    completing = {"COMPLETE": "bash", "_CLAP_COMPLETE_INDEX": "2", "_CLAP_IFS": "\n", "_CLAP_COMPLETE_COMP_TYPE": "9"}
    _, found = test.run("--", "chatls", "tools", "", environment=completing)
    assert found == [], found
    test.untouched("the commands")
    print(f"tests/trace: {len(everything)} commands started nothing")


def server(test):
    """Every request that the server announces or its documentation names, for every document."""
    settings = {"tools": [f"http://127.0.0.1:{test.port}/t.json", "tools.json"],
                "servers": {"evil": {"command": "sh", "args": ["-c", "touch PWNED"]}},
                "run": {"evil": {"command": ["./evil.sh"]}},
                "model": {"server": "openai", "url": f"http://127.0.0.1:{test.port}/v1", "name": "evil"}}
    path = test.path()
    editor = client.Client(syscalls.traced(path, [test.binary, "serve"]), settings, cwd=test.folder, env=test.environment)
    own = editor.start(test.folder, PROJECT / "docs/extensions.md")
    documents = test.documents()
    for document in documents:
        editor.visit(document, own, 12)
    uri = "file://" + test.folder
    for file in ["chatls.toml", ".mcp.json", "tools.json", "chat.chat.md"]:
        editor.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": f"{uri}/{file}", "type": 2}]})
    editor.notify("workspace/didChangeConfiguration", {"settings": {"chatls": settings}})
    editor.listed("workspace/symbol", {"query": "e"})
    editor.notify("workspace/didChangeWorkspaceFolders",
                  {"event": {"added": [{"uri": uri + "/own", "name": "own"}], "removed": []}})
    editor.visit(documents[0], own, 4)
    assert editor.end() == 0, "the server failed"
    found = syscalls.actions(path)
    assert found == [], found
    test.untouched("the server")
    silent = {method for method, has_result in editor.answered.items() if not has_result} - set(own)
    assert not silent, f"without any result: {silent}"
    print(f"tests/trace: {editor.last_id} requests of {len(editor.sent)} methods about {len(documents)} documents "
          "started nothing")


def consented(test):
    """The same trace of what the user agreed to: a program, a server, an address, a model."""
    own = os.path.join(test.work, "own")
    os.makedirs(os.path.join(test.home, ".config/chatls"))
    os.mkdir(own)

    def write(path, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o700)

    write(os.path.join(test.home, ".config/chatls/settings.toml"), project.SETTINGS.format(port=test.port))
    write(os.path.join(own, "look.sh"), "#!/bin/sh\necho done\n")
    write(os.path.join(own, "chatls.toml"),
          f'[run.look]\ncommand = ["./look.sh"]\n[servers.web]\nurl = "http://127.0.0.1:{test.port}/mcp"\n')
    write(os.path.join(own, "a.chat.md"), "**User:** Look.\n\n<tool>look()</tool>\n")
    test.folder = own
    listed, found = test.run("trust", "--format", "jsonl")
    assert found == [], found
    for line in listed.stdout.splitlines():
        subject = json.loads(line)
        granted, found = test.run("trust", "--allow", subject["hash"])
        assert granted.returncode == 0 and found == [], (granted.stderr, found)
    start, connection = ("execve(", "look.sh"), ("connect(", f"htons({test.port})")
    for command, expected in [(["run", "--yes", "a.chat.md"], start), (["tools", "pull", "web"], connection),
                              (["continue", "a.chat.md"], connection)]:
        result, found = test.run(*command)
        assert any(all(word in line for word in expected) for line in found), (command, result.stderr, found)
    path, chat = test.path(), os.path.join(own, "a.chat.md")
    write(chat, "**User:** Look.\n\n<tool>look()</tool>\n")
    editor = client.Client(syscalls.traced(path, [test.binary, "serve"]), {}, ["Agree", "Run"], cwd=own,
                           env=test.environment)
    editor.start(own, PROJECT / "docs/extensions.md")
    with open(chat, encoding="utf-8") as file:
        item = {"uri": f"file://{chat}", "languageId": "markdown", "version": 1, "text": file.read()}
    editor.notify("textDocument/didOpen", {"textDocument": item})
    editor.ask("workspace/executeCommand", {"command": "chatls.run", "arguments": [
        {"uri": item["uri"], "position": {"line": 2, "character": 3}}]})
    assert editor.end() == 0, "the server failed"
    assert any(all(word in line for word in start) for line in syscalls.actions(path)), "chatls.run"
    print("tests/trace: after consent, the trace shows the program and the connections")


def main():
    for tool in ["strace", "git"]:
        assert shutil.which(tool), f"this test needs {tool}"
    with tempfile.TemporaryDirectory(prefix="chatls-trace-") as work:
        test = Test(sys.argv[1], os.path.realpath(work))
        commands(test)
        server(test)
        consented(test)


main()
