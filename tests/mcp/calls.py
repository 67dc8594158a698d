"""Runs calls of transcripts with real MCP servers, and compares their results.

    calls.py BINARY WORK NODE_BIN PYTHON_BIN PORT

WORK has a home and a folder `project` that is a repository; at PORT of this machine listens
server-everything.
"""

import json
import os
import re
import subprocess
import sys

TOOLS = [
    ("echo", {"message": "é"}),
    ("get-sum", {"a": 1, "b": 2}),
    ("get-structured-content", {"location": "Chicago"}),
    ("get-tiny-image", {}),
    ("trigger-long-running-operation", {"duration": 0.2, "steps": 2}),
]
WEATHER = {"temperature": 36, "conditions": "Light rain / drizzle", "humidity": 82}


class Folder:
    """A folder with a configuration whose servers the user agreed to."""

    def __init__(self, binary, path, config):
        self.binary, self.path = binary, path
        os.makedirs(path, exist_ok=True)
        self.write("chatls.toml", config)
        listed = self.run("trust", "--format", "jsonl").stdout
        # Consents for other folders are listed, too.
        for subject in map(json.loads, listed.splitlines()):
            if subject["agreed"] is None:
                self.run("trust", "--allow", subject["hash"])
        self.run("tools", "pull")

    def write(self, name, text):
        with open(os.path.join(self.path, name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.path, name), encoding="utf-8") as file:
            return file.read()

    def run(self, *arguments, status=0):
        result = subprocess.run([self.binary, *arguments], cwd=self.path, stdin=subprocess.DEVNULL, timeout=300,
                                capture_output=True, text=True, check=False)
        assert result.returncode == status, (arguments, result.returncode, result.stdout, result.stderr)
        return result

    def calls(self, name):
        """The calls of a transcript, by their ids."""
        lines = self.run("calls", "--format", "jsonl", name).stdout.splitlines()
        return {call["toolCallId"]: call for call in map(json.loads, lines)}


def fences(tools):
    calls = [json.dumps({"toolCallId": f"c{number}", "toolName": name, "input": given})
             for number, (name, given) in enumerate(tools)]
    return "**User:** Go.\n\n" + "".join(f"```tool\n{call}\n```\n\n" for call in calls)


def anthropic(tools):
    content = [{"type": "tool_use", "id": f"c{number}", "name": name, "input": given}
               for number, (name, given) in enumerate(tools)]
    return json.dumps({"messages": [{"role": "user", "content": "Go."}, {"role": "assistant", "content": content}]}, indent=1)


def openai(tools):
    calls = [{"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
             for number, (name, given) in enumerate(tools)]
    return json.dumps({"messages": [{"role": "user", "content": "Go."},
                                    {"role": "assistant", "content": None, "tool_calls": calls}]}, indent=1)


FORMS = {"fences.chat.md": fences, "anthropic.messages.json": anthropic, "openai.messages.json": openai}


def check_everything(folder, name, calls):
    """The results of `TOOLS`, as `name` has them."""
    assert calls["c0"]["output"] == "Echo: é", calls["c0"]
    assert "3" in calls["c1"]["output"], calls["c1"]
    weather = calls["c2"]["output"]
    assert (json.loads(weather) if isinstance(weather, str) else weather) == WEATHER, weather
    assert re.search(r"\[image: image/png, \d+ bytes\]", calls["c3"]["output"]), calls["c3"]
    assert "iVBOR" not in folder.read(name), "the image itself is in the transcript"
    assert calls["c4"]["output"].startswith("Long running operation completed"), calls["c4"]


def run_all(folder, tools, others, status):
    """Runs the calls in each form, and compares them: nothing has changed since."""
    for name, write in FORMS.items():
        folder.write(name, write(tools))
        ran = folder.run("run", "--all", "--yes", name, status=status)
        assert "1 of 2" in ran.stderr, f"no progress: {ran.stderr}"
        calls = folder.calls(name)
        check_everything(folder, name, calls)
        for id_, expected in others.items():
            assert expected(calls[id_]), calls[id_]
        before = folder.read(name)
        assert "nothing to run" in folder.run("run", "--all", "--yes", name).stderr
        same = folder.run("run", "--compare", "--yes", name)
        assert same.stdout == "" and folder.read(name) == before, same.stdout
        # A result that is not the server's differs.
        folder.write("other." + name, before.replace("Echo: é", "Echo: e"))
        differs = folder.run("run", "--compare", "--yes", "--tool", "echo", "other." + name, status=1)
        assert "echo: the result differs" in differs.stdout, differs.stdout


def main():
    binary, work, node, python, port = sys.argv[1:]
    project = os.path.join(work, "project")
    config = f"""
[servers.everything]
command = "{node}/mcp-server-everything"
args = ["stdio"]

[servers.files]
command = "{node}/mcp-server-filesystem"
args = ["{project}/files"]

[servers.git]
command = "{python}/mcp-server-git"
args = ["--repository", "{project}"]
"""
    stdio = Folder(binary, os.path.join(work, "stdio"), config)
    # Tools that are not read-only ask, and nobody is there to answer.
    stdio.write("a.chat.md", fences([("write_file", {"path": f"{project}/files/b.txt", "content": "b"})]))
    refused = stdio.run("run", "a.chat.md", status=2)
    assert "agree with --yes" in refused.stderr and not os.path.exists(f"{project}/files/b.txt"), refused.stderr
    stdio.run("run", "--yes", "a.chat.md")
    assert os.path.exists(f"{project}/files/b.txt")
    tools = TOOLS + [
        ("read_text_file", {"path": f"{project}/files/a.txt"}),
        ("read_text_file", {"path": "/etc/passwd"}),
        ("git_status", {"repo_path": project}),
    ]
    others = {
        "c5": lambda call: "one" in str(call["output"]),
        # OpenAI's messages have no errors.
        "c6": lambda call: "outside" in (call["errorText"] if "errorText" in call else call["output"]),
        "c7": lambda call: "untracked" in call["output"].lower(),
    }
    # A tool that fails is a result, with status 1.
    run_all(stdio, tools, others, 1)
    web = Folder(binary, os.path.join(work, "web"), f'[servers.web]\nurl = "http://127.0.0.1:{port}/mcp"\n')
    run_all(web, TOOLS, {}, 0)
    # Without the consent, nothing runs again.
    web.run("trust", "--revoke-all")
    web.run("run", "--compare", "--yes", "fences.chat.md", status=2)
    print("tests/mcp: calls ran over both transports, in all forms, and compare as the same")


main()
