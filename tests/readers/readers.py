"""Tests that the official Python packages accept what chatls writes: the messages of `chatls convert`,
and logs that `chatls repair` has repaired.

    readers.py BINARY FILE…

The types are those of the parameters of the packages `openai` and `anthropic`. Exits with status 1
if one of them does not accept a message.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from anthropic.types import MessageParam
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from openai.types.chat import ChatCompletionMessageParam
from openai.types.responses import ResponseInputItemParam
from pydantic import TypeAdapter, ValidationError

OPENAI = TypeAdapter(list[ChatCompletionMessageParam])
ANTHROPIC = TypeAdapter(list[MessageParam])
RESPONSES = TypeAdapter(list[ResponseInputItemParam])
REQUEST = TypeAdapter(MessageCreateParamsNonStreaming)


def force(value):
    """Validates everything: pydantic validates iterables while they are read."""
    if isinstance(value, dict):
        for member in value.values():
            force(member)
    elif isinstance(value, (list, tuple, Iterator)):
        for item in value:
            force(item)


def accepts(adapter, value):
    force(adapter.validate_python(value))


def openai(written):
    accepts(OPENAI, written["messages"])


def anthropic(written):
    accepts(REQUEST, {"model": "m", "max_tokens": 1, **written})


def responses(written):
    accepts(RESPONSES, written)


FORMS = {"openai": openai, "anthropic": anthropic, "responses": responses}


class Failures:
    def __init__(self):
        self.count = self.passed = 0

    def run(self, name, check, *arguments):
        try:
            check(*arguments)
            self.passed += 1
        except (ValidationError, AssertionError) as error:
            self.count += 1
            print(f"{name}: {str(error)[:2000]}", file=sys.stderr)


def convert(binary, form, path):
    """What is written of a document; `None` if it is left out."""
    command = [binary, "convert", "--lossy", "--to", form, path]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 2 and "is left out" in done.stderr:
        return None
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check_conversion(binary, form, path):
    written = convert(binary, form, path)
    if written is not None:
        FORMS[form](written)


def tool_uses(name):
    """A call, its result and an answer, as messages of a family with the type that they have there."""
    call, result = {"city": "Bergen"}, "9 °C"
    if name == "openai":
        function = {"name": "get_weather", "arguments": json.dumps(call)}
        calls = [{"id": id, "type": "function", "function": function} for id in ("call_1", "call_2")]
        results = [{"role": "tool", "tool_call_id": id, "content": result} for id in ("call_1", "call_2")]
        return [{"role": "assistant", "content": None, "tool_calls": calls}, *results]
    uses = [{"type": "tool_use", "id": id, "name": "get_weather", "input": call} for id in ("toolu_1", "toolu_2")]
    results = [{"type": "tool_result", "tool_use_id": use["id"], "content": result} for use in uses]
    return [{"role": "assistant", "content": uses}, {"role": "user", "content": results}]


def session(name):
    ask = {"role": "user", "content": "What is the weather?"}
    return [ask, *tool_uses(name), {"role": "assistant", "content": "It is cold."}, ask]


def without_result(name):
    """The session without its last result."""
    messages = session(name)
    at = max(index for index, message in enumerate(messages) if results_in(message))
    if name == "openai":
        del messages[at]
    else:
        messages[at]["content"].pop()
    return messages


def without_call(name):
    """The session without its first call."""
    messages = session(name)
    at = next(index for index, message in enumerate(messages) if calls_in(message))
    messages[at].get("tool_calls", messages[at]["content"]).pop(0)
    return messages


def with_reused_ids(name):
    return session(name)[:-1] + session(name)


def calls_in(message):
    blocks = message["content"] if isinstance(message["content"], list) else []
    calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
    return calls + [call["id"] for call in message.get("tool_calls", [])]


def results_in(message):
    blocks = message["content"] if isinstance(message["content"], list) else []
    results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    return results + ([message["tool_call_id"]] if message["role"] == "tool" else [])


def is_paired(messages, unique):
    """True if each call has one result before the next turn, and each result a call; with `unique`, no id returns."""
    seen, waiting = set(), []
    for message in messages:
        if waiting and not results_in(message):
            return False
        for id in results_in(message):
            if id not in waiting:
                return False
            waiting.remove(id)
        for id in calls_in(message):
            if id in (seen if unique else waiting):
                return False
            seen.add(id)
            waiting.append(id)
    return not waiting


BROKEN = {"a lost result": without_result, "a lost call": without_call, "reused ids": with_reused_ids}

# OpenAI takes an id that returns after its result.
UNIQUE_IDS = {"anthropic"}


def check_repair(binary, name, breakage, folder):
    messages, unique = BROKEN[breakage](name), name in UNIQUE_IDS
    is_accepted = not unique and breakage == "reused ids"
    assert is_paired(messages, unique) == is_accepted, "broken, unless the server takes it"
    path = Path(folder, "session.chat.json")
    path.write_text(json.dumps({"messages": messages}), encoding="utf-8")
    subprocess.run([binary, "repair", "--write", path], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    repaired = json.loads(path.read_text(encoding="utf-8"))["messages"]
    assert repaired == messages or not is_accepted, "what is accepted stays"
    accepts(OPENAI if name == "openai" else ANTHROPIC, repaired)
    assert is_paired(repaired, unique), f"not accepted: {json.dumps(repaired)}"


def main():
    binary, *files = sys.argv[1:]
    failures = Failures()
    for path in files:
        for form in FORMS:
            failures.run(f"{path} as {form}", check_conversion, binary, form, path)
    folder = tempfile.mkdtemp()
    for name in ("openai", "anthropic"):
        for breakage in BROKEN:
            failures.run(f"{breakage} of {name}", check_repair, binary, name, breakage, folder)
    shutil.rmtree(folder)
    print(f"{failures.passed} accepted, {failures.count} not")
    return 1 if failures.count else 0


if __name__ == "__main__":
    sys.exit(main())
