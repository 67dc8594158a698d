"""Tests that viewers of sessions and evaluation logs read what `chatls repair` has repaired.

    sessions.py BINARY

A session of Claude Code is broken in each known way, repaired, and read by `claude-code-log`, which
validates each of its lines. An evaluation log is written and read by Inspect (`inspect-ai`). Exits
with status 1 if one of them does not read a repaired file, or reads something else.
"""

import contextlib
import io
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from claude_code_log.converter import load_transcript
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec, read_eval_log, write_eval_log
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, ChatMessageUser
from inspect_ai.tool import ToolCall


def repair(binary, path):
    """Repairs a file; the lines that it had before and has now."""
    before = path.read_text(encoding="utf-8").splitlines()
    done = subprocess.run([binary, "repair", "--write", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return before, path.read_text(encoding="utf-8").splitlines()


def record(number, role, content):
    message = {"role": role, "content": content}
    if role == "assistant":
        message = {"id": f"msg_{number}", "type": "message", "model": "m", **message}
    return {
        "parentUuid": f"line-{number - 1}" if number else None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/project",
        "sessionId": "s",
        "version": "2.1.0",
        "type": role,
        "message": message,
        "uuid": f"line-{number}",
        "timestamp": f"2026-01-01T00:00:{number:02}.000Z",
    }


def session(ids):
    """The lines of a session of Claude Code with a call and a result for each of `ids`."""
    contents = [("user", "Go.")]
    for number, id in enumerate(ids):
        call = {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": f"echo {number}"}}
        result = {"type": "tool_result", "tool_use_id": id, "content": f"{number}: ä 😀"}
        contents += [("assistant", [call]), ("user", [result])]
    contents.append(("assistant", [{"type": "text", "text": "Done. All of it."}]))
    return [json.dumps(record(number, *content), ensure_ascii=False) for number, content in enumerate(contents)]


def without(lines, index):
    return lines[:index] + lines[index + 1 :]


def cut_off(lines, text):
    """The last line up to `text`."""
    last = lines[-1]
    return [*lines[:-1], last[: last.index(text) + len(text)]]


WHOLE = session(["toolu_1", "toolu_2", "toolu_3"])
BROKEN = {
    "a lost result": without(WHOLE, 4),
    "a lost call": without(WHOLE, 3),
    "a reused id": session(["toolu_1", "toolu_1", "toolu_3"]),
    "a line cut off in its text": cut_off(WHOLE, "Done. All"),
    "a line cut off in its envelope": cut_off(WHOLE, '"cwd"'),
    "a line cut off before its text": cut_off(WHOLE, '"content": ['),
}


def check_session(binary, lines, folder):
    path = Path(folder, "session.jsonl")
    is_cut = not lines[-1].endswith("}")
    path.write_text("\n".join(lines) + ("" if is_cut else "\n"), encoding="utf-8")
    before, after = repair(binary, path)
    assert before != after, "nothing was repaired"
    told = io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        entries = load_transcript(path, silent=True)
    assert len(entries) == len(after), f"{len(entries)} of {len(after)} lines are read: {told.getvalue()}"
    contents = [item for entry in entries for item in entry.message.content if not isinstance(item, str)]
    calls = [item.id for item in contents if item.type == "tool_use"]
    results = [item.tool_use_id for item in contents if item.type == "tool_result"]
    assert calls == results and len(set(calls)) == len(calls), f"{calls} and {results}"
    parents = [entry.parentUuid for entry in entries]
    assert parents == [None, *(entry.uuid for entry in entries)][: len(parents)], "the lines are no chain"


def eval_log():
    """An evaluation log of a sample whose first result has no call."""
    calls = [ToolCall(id=id, function="weather", arguments={"city": "Bergen"}) for id in "ab"]
    results = [ChatMessageTool(content="9 °C", tool_call_id=id, function="weather") for id in "xab"]
    messages = [
        ChatMessageUser(content="What is the weather?"),
        results[0],
        ChatMessageAssistant(content="", tool_calls=calls),
        *results[1:],
        ChatMessageAssistant(content="It is cold."),
    ]
    sample = EvalSample(id=1, epoch=1, input="What is the weather?", target="cold", messages=messages)
    dataset, config = EvalDataset(), EvalConfig()
    spec = EvalSpec(created="2026-01-01T00:00:00+00:00", task="t", dataset=dataset, model="m", config=config)
    return EvalLog(eval=spec, samples=[sample])


def check_eval_log(binary, folder):
    path = Path(folder, "log.json")
    write_eval_log(eval_log(), str(path), "json")
    expected = read_eval_log(str(path)).model_dump()
    del expected["samples"][0]["messages"][1]
    repair(binary, path)
    found = read_eval_log(str(path)).model_dump()
    assert found == expected, json.dumps(found["samples"], default=str)


def main():
    binary = sys.argv[1]
    checks = {f"{name} of Claude Code": (check_session, lines) for name, lines in BROKEN.items()}
    checks["a result without a call of Inspect"] = (check_eval_log,)
    failed = 0
    for name, (check, *arguments) in checks.items():
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(binary, *arguments, folder)
            except AssertionError as error:
                failed += 1
                print(f"{name}: {str(error)[:2000]}", file=sys.stderr)
    print(f"{len(checks) - failed} repaired files read, {failed} not")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
