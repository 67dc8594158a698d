"""Compares the tool uses that `chatls calls` finds in message logs with those of each family's own
structure, and prints a table of the families.

    python3 tests/recall/recall.py [--files] target/release/chatls FOLDER

FOLDER has a folder per family, whose name contains one of the keys of READERS; others are left out.
Calls are compared by the name of their tool, results and failed results by their number. `found` is
the number of calls that `chatls` finds, `recall` the part of the calls that is among these, and
`precision` the part of these that are calls. `--files` adds a row for each file. Exits with status
1 if a file differs.
"""

import json
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Uses:
    """The names of the tools of calls, and the numbers of results and of failed ones."""

    names: Counter = field(default_factory=Counter)
    results: int = 0
    failed: int = 0


def documents(path):
    """The JSON values of a file: one, or one per line. Invalid lines are skipped."""
    text = path.read_text(encoding="utf-8")
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        pass
    values = []
    for line in text.splitlines():
        try:
            values.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return [value for value in values if isinstance(value, (dict, list))]


def objects(value):
    """All objects in a value."""
    if isinstance(value, dict):
        yield value
        value = value.values()
    elif not isinstance(value, list):
        return
    for item in value:
        yield from objects(item)


def uses(names, results, failed=()):
    return Uses(Counter(names), len(list(results)), len(list(failed)))


def encoded(text):
    """The names of the calls in a string of JSON: an object, or a list of them."""
    value = json.loads(text)
    return [call["name"] for call in (value if isinstance(value, list) else [value])]


def content_blocks(message):
    content = message.get("content") if isinstance(message, dict) else None
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def anthropic(values):
    """Messages at the top, as `message` of lines, or in `messages` or `loglines`."""
    blocks = []
    for value in (value for value in values if isinstance(value, dict)):
        items = value.get("loglines") or value.get("messages") or [value]
        for item in items if isinstance(items, list) else []:
            blocks += content_blocks(item.get("message", item))
    calls = [block for block in blocks if block.get("type") in ("tool_use", "server_tool_use", "mcp_tool_use")]
    results = [block for block in blocks if str(block.get("type")).endswith("tool_result")]
    failed = [block for block in results if block.get("is_error") is True]
    return uses((block["name"] for block in calls), results, failed)


def responses(values):
    """Items of `output`, or `payload` of rollout lines."""
    items = []
    for value in values:
        items += value.get("output") or [value.get("payload") or {}]
    calls = [item for item in items if str(item.get("type")).endswith("_call") and item["type"] != "tool_call"]
    own = [item for item in calls if item.get("output") is not None]
    results = [item for item in items if str(item.get("type")).endswith("_call_output")]
    names = (item.get("name") or item["type"].removesuffix("_call") for item in calls)
    return uses(names, results + own)


def chat(values):
    """`messages` of each document, in all forms of Chat Completions and LLaMA-Factory."""
    names, results = [], []
    for value in values:
        for message in value.get("messages", []):
            calls = message.get("tool_calls") or []
            names += [(call.get("function") or call.get("custom"))["name"] for call in calls]
            names += [message["function_call"]["name"]] if message.get("function_call") else []
            parts = [part for part in content_blocks(message) if part.get("type") == "tool_call"]
            names += [name for part in parts for name in encoded(part["value"])]
            results += [message] if message.get("role") in ("tool", "function") else []
    return uses(names, results)


def openhands(values):
    events = []
    for value in values:
        events += value if isinstance(value, list) else value.get("history", [])
    no_calls = ("message", "system", "recall", "change_agent_state")
    no_results = ("null", "agent_state_changed", "recall")
    calls = [it for it in events if it.get("action") and it["action"] not in no_calls]
    results = [it for it in events if it.get("observation") and it["observation"] not in no_results]
    failed = [it for it in results if it.get("success") is False or it["observation"] == "error"]
    return uses((call["action"] for call in calls), results, failed)


def openhands_events(values):
    """Events of the SDK."""
    calls = [it for it in values if it.get("kind") == "ActionEvent"]
    results = [it for it in values if it.get("kind") == "ObservationEvent"]
    failed = [it for it in results if it["observation"].get("is_error")]
    return uses((call["tool_name"] for call in calls), results, failed)


def xlam(values):
    examples = values[0] if values and isinstance(values[0], list) else values
    answers = [example["answers"] for example in examples]
    lists = [json.loads(it) if isinstance(it, str) else it for it in answers]
    return uses((call["name"] for calls in lists for call in calls), [])


def api_bank(values):
    calls = [it for it in values if it.get("role") == "API"]
    failed = [it for it in calls if it["result"].get("exception")]
    return uses((call["api_name"] for call in calls), calls, failed)


def tau2(values):
    messages = [it for value in values for run in value["simulations"] for it in run["messages"]]
    calls = [call for message in messages for call in message.get("tool_calls") or []]
    results = [message for message in messages if message["role"] == "tool"]
    return uses((call["name"] for call in calls), results, [it for it in results if it["error"]])


def kimi(values):
    events = [value["event"] for value in values if value.get("type") == "context.append_loop_event"]
    calls = [event for event in events if event["type"] == "tool.call"]
    results = [event["result"] for event in events if event["type"] == "tool.result"]
    return uses((call["name"] for call in calls), results, [it for it in results if it.get("isError")])


def gemini_stream(values):
    results = [value for value in values if value.get("type") == "tool_result"]
    failed = [it for it in results if it["status"] == "error"]
    return uses((it["tool_name"] for it in values if it.get("type") == "tool_use"), results, failed)


def continue_telemetry(values):
    calls = [value for value in values if value.get("eventName") == "toolUsage"]
    return uses((call["functionName"] for call in calls), calls, [it for it in calls if not it["succeeded"]])


def cline_messages(values):
    kinds = [(it, it.get("ask") or it.get("say")) for it in objects(values) if it.get("text")]
    names = [json.loads(it["text"])["tool"] for it, kind in kinds if kind == "tool"]
    names += ["command" for _, kind in kinds if kind == "command"]
    done = [it for it, kind in kinds if kind == "tool" and "content" in json.loads(it["text"])]
    return uses(names, done + [it for it, kind in kinds if kind == "command_output"])


def droid(values):
    results = [value for value in values if value.get("type") == "tool_result"]
    names = (value["toolName"] for value in values if value.get("type") == "tool_call")
    return uses(names, results, [it for it in results if it["isError"]])


def llamaindex(values):
    """Calls and results by id: later requests repeat them."""
    options = [it for it in objects(values) if "toolCall" in it or "toolResult" in it]
    calls = {call["id"]: call["name"] for it in options for call in it.get("toolCall") or []}
    results = {it["toolResult"]["id"]: it["toolResult"] for it in options if it.get("toolResult")}
    return uses(calls.values(), results, [it for it in results.values() if it.get("isError")])


def opencode(values):
    """Parts by id: a stream repeats them."""
    parts = {}
    for value in values:
        for part in objects(value):
            if part.get("type") == "tool" and "callID" in part:
                parts[part["callID"]] = part
    states = [part["state"]["status"] for part in parts.values()]
    done = [state for state in states if state in ("completed", "error")]
    failed = [state for state in done if state == "error"]
    return uses((part["tool"] for part in parts.values()), done, failed)


def vscode(values):
    parts = []
    for value in values:
        for request in value.get("requests", []):
            parts += [it for it in request["response"] if it.get("kind") == "toolInvocationSerialized"]
    done = [part for part in parts if part.get("resultDetails")]
    is_failed = [part for part in done if isinstance(part["resultDetails"], dict) and part["resultDetails"].get("isError")]
    return uses((part["toolId"] for part in parts), done, is_failed)


def inspect(values):
    messages = [it for value in values for sample in value.get("samples") or [] for it in sample["messages"]]
    calls = [call for message in messages for call in message.get("tool_calls") or []]
    results = [message for message in messages if message["role"] == "tool"]
    failed = [message for message in results if message.get("error")]
    return uses((call["function"] for call in calls), results, failed)


def sharegpt(values):
    turns = [turn for value in values for item in value for turn in item.get("conversations", [])]
    calls = [turn for turn in turns if turn["from"] == "function_call"]
    names = (name for turn in calls for name in encoded(turn["value"]))
    return uses(names, [turn for turn in turns if turn["from"] == "observation"])


def toolbench(values):
    """The last of the lists of messages, whose beginnings the others are."""
    return chat([{"messages": value["answer_generation"]["train_messages"][-1]} for value in values])


def nothing(_):
    return Uses()


READERS = {
    "claude": anthropic,
    "anthropic": anthropic,
    "rollout": responses,
    "responses": responses,
    "openai-chat": chat,
    "trajectories": openhands,
    "openhands-events": openhands_events,
    "openhands": openhands,
    "xlam": xlam,
    "api-bank": api_bank,
    "tau2": tau2,
    "kimi": kimi,
    "llamaindex": llamaindex,
    "gemini-cli": gemini_stream,
    "continue": continue_telemetry,
    "cline-ui": cline_messages,
    "droid": droid,
    "cursor": anthropic,
    "opencode": opencode,
    "vscode-chat": vscode,
    "inspect": inspect,
    "sharegpt": sharegpt,
    "toolbench": toolbench,
    "toolcall": nothing,
}


def found(binary, path):
    output = subprocess.run([binary, "calls", path], capture_output=True, text=True, check=True).stdout
    lines = [json.loads(line) for line in output.splitlines()]
    results = [line for line in lines if line["kind"] != "call"]
    names = (line.get("toolName") for line in lines if line["kind"] != "result")
    return uses(names, results, [line for line in results if "errorText" in line])


def percentage(part, whole):
    """The part of `whole` that `part` is, rounded down: 100 % is all."""
    return f"{100 * part // whole} %" if whole else "–"


def row(name, files, expected, actual):
    calls, count, common = expected.names.total(), actual.names.total(), (expected.names & actual.names).total()
    cells = [name, files, calls, count, percentage(common, calls), percentage(common, count)]
    cells += [expected.results, actual.results, expected.failed, actual.failed]
    return f"| {' | '.join(map(str, cells))} |"


def total(all_uses):
    """The sum. A call of one file is not one of another, so their names differ."""
    sum_of = Uses()
    for file, found_in_file in all_uses:
        sum_of.names.update({(file, name): count for name, count in found_in_file.names.items()})
        sum_of.results += found_in_file.results
        sum_of.failed += found_in_file.failed
    return sum_of


def main():
    *options, binary, folder = sys.argv[1:]
    families = defaultdict(list)
    for path in sorted(path for path in Path(folder).rglob("*.json*") if path.is_file()):
        family = path.relative_to(folder).parts[0]
        reader = next((READERS[key] for key in READERS if key in family), None)
        if reader is not None:
            families[family].append((path, reader(documents(path)), found(binary, path)))
    print("| family | files | calls | found | recall | precision | results | found | failed | found |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    everything = [of_file for files in families.values() for of_file in files]
    for family, files in [*families.items(), ("all", everything)]:
        expected = total((path, expected) for path, expected, _ in files)
        print(row(family, len(files), expected, total((path, actual) for path, _, actual in files)))
        if options == ["--files"] and files is not everything:
            for path, expected, actual in files:
                print(row(f"– {path.name[:40]}", 1, expected, actual))
    differing = [path for path, expected, actual in everything if expected != actual]
    for path in differing:
        print(f"differs: {path}", file=sys.stderr)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
