"""Documents of any size, each with one thing many times: what made a reader slow once, or could.

Each function of `DOCUMENTS` takes a count `n`, and returns the text of a document whose length
grows with `n`. The name of the entry ends as the name of its file does.
"""

import json


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def lines(values):
    return "".join(compact(value) + "\n" for value in values)


# Calls, results and messages of the APIs.


def openai_call(i, name="read_file"):
    return {"id": f"call_{i}", "type": "function", "function": {"name": name, "arguments": compact({"path": f"a{i}"})}}


def openai_result(i):
    return {"role": "tool", "tool_call_id": f"call_{i}", "content": f"text {i}"}


def anthropic_call(i, name="read_file"):
    return {"type": "tool_use", "id": f"toolu_{i}", "name": name, "input": {"path": f"a{i}"}}


def anthropic_result(i):
    return {"type": "tool_result", "tool_use_id": f"toolu_{i}", "content": f"text {i}"}


def responses_call(i, name="read_file"):
    return {"type": "function_call", "call_id": f"call_{i}", "name": name, "arguments": compact({"path": f"a{i}"})}


def element(i):
    call = compact({"name": "read_file", "arguments": {"path": f"a{i}"}})
    return f"<tool_call>{call}</tool_call>\n<tool_call>{{\n<read_file>\n<path>a{i}</path>\n</read_file>\n"


def chunk(call):
    return {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}


def pieces(n):
    """A call, and `n` pieces of its arguments."""
    start = {"index": 0, "id": "call_0", "type": "function", "function": {"name": "write_file", "arguments": '{"text": "'}}
    return [start, *({"index": 0, "function": {"arguments": f"a{i} "}} for i in range(n)), {"index": 0, "function": {"arguments": '"}'}}]


USER = {"role": "user", "content": "Read them."}


def openai_calls(n):
    return [USER, {"role": "assistant", "content": None, "tool_calls": [openai_call(i) for i in range(n)]}, USER]


def anthropic_calls(n):
    return [USER, {"role": "assistant", "content": [anthropic_call(i) for i in range(n)]}, USER]


def request(messages, tools=()):
    return {"model": "gpt-4o", "messages": messages, **({"tools": list(tools)} if tools else {})}


def tool(name, schema=None):
    return {"type": "function", "function": {"name": name, "parameters": schema or {"type": "object"}}}


def pairs(n, reverse=False):
    """Messages of `n` calls with results; `reverse` puts each result before its call."""
    messages = [USER]
    for i in range(n):
        both = [{"role": "assistant", "content": [anthropic_call(i)]}, {"role": "user", "content": [anthropic_result(i)]}]
        messages += reversed(both) if reverse else both
    return messages


# Sessions of Claude Code.


def record(message, uuid, parent, **more):
    return {
        "type": message["role"], "uuid": f"u{uuid}", "parentUuid": None if parent is None else f"u{parent}",
        "sessionId": "s1", "timestamp": "2026-03-02T09:00:00Z", "message": message, **more,
    }  # fmt: skip


def session(n, parent=lambda i: i - 1, uuid=lambda i: i, **more):
    records = []
    for i in range(n):
        role, k = ("assistant", i) if i % 2 else ("user", i - 1)
        content = [anthropic_call(k)] if i % 2 else [anthropic_result(k)] if i else "Read it."
        own = {name: value(i) if callable(value) else value for name, value in more.items()}
        records.append(record({"role": role, "content": content}, uuid(i), parent(i) if i else None, **own))
    return records


def threads(n):
    """Five messages in each thread of a log in which threads take turns."""
    count = max(1, n // 5)
    return lines(
        record({"role": "assistant", "content": [anthropic_call(i)]}, i, i - count if i >= count else None,
               isSidechain=True, agentId=f"agent{i % count}")
        for i in range(n)
    )  # fmt: skip


# Text.


def fence(i, name="read_file", key="toolName", **more):
    body = {"toolCallId": f"call_{i}", key: name, "state": "input-available", "input": {"path": f"a{i}"}, **more}
    return f"```tool\n{json.dumps(body, indent=2)}\n```\n\n"


def vscode_request(n):
    shown = [{"kind": "toolInvocationSerialized", "toolId": "copilot_readFile", "toolCallId": f"a{i}"} for i in range(n)]
    calls = [{"id": f"b{i}", "name": ("read_file", "other")[i % 2], "arguments": "{}"} for i in range(n)]
    rounds = {"toolCallRounds": [{"toolCalls": calls}], "toolCallResults": {f"b{i}": {"content": []} for i in range(n)}}
    return {"requestId": "r", "response": shown, "result": {"metadata": rounds}}


def repeated(text):
    return lambda n: text * n


def numbered(make):
    return lambda n: "".join(make(i) for i in range(n))


def deep(n, opening, middle, closing):
    return opening * n + middle + closing * n


MESSAGE_AROUND = '{"role":"user","content":[{"type":"text","text":"a"},'
SPECSTORY = '<tool-use data-tool-type="read" data-tool-name="Read"><details>\n\n```text\na\n```\n\n'
LANGCHAIN = f"{' Ai Message ':=^80}\nTool Calls:\n"
LANGCHAIN_CALL = "  search (c)\n Call ID: c\n  Args:\n    q: cats\n"
LANGCHAIN_RESULT = f"{' Tool Message ':=^80}\nName: search\n\n"
PRINTED = '``` tool (a :b ...)\n(:name "a" :args (:b '
PRINTED_IN_ORG = '#+begin_tool (a)\n(:name "a" :args nil)\n\nx\n'
OPENCODE = "**Tool: read**\n\n**Input:**\n"

DOCUMENTS = {
    # Calls in the text of messages, half of them open, and in pieces.
    "elements.json": lambda n: compact([USER, {"role": "assistant", "content": "".join(map(element, range(n)))}]),
    "react-in-a-text.jsonl": lambda n: lines([USER, {"role": "assistant", "content": "Action: a[\nAction: a\nAction Input: [\n" * n}]),
    "elements-in-parts.jsonl": lambda n: lines([{"role": "assistant", "content": [{"type": "text", "text": element(i)} for i in range(n)]}]),
    "open-elements.json": lambda n: compact([{"role": "assistant", "content": "<tool_call>{\n<invoke name=\"a\">\n<read_file><path>\n" * n}]),
    "pieces.jsonl": lambda n: "".join(f"data: {compact(chunk(piece))}\n\n" for piece in pieces(n)),
    "pieces.json": lambda n: compact([chunk(piece) for piece in pieces(n)]),
    "calls-in-an-object.json": lambda n: compact([{"query": "a", "tools": [], "answers": [
        {"name": "read_file", "arguments": {"path": f"a{i}"}} for i in range(n)]}]),
    "rounds.json": lambda n: compact({"requests": [vscode_request(n)]}),
    # Calls without results.
    "openai-calls.json": lambda n: compact(request(openai_calls(n))),
    "openai-calls-pretty.json": lambda n: json.dumps(request(openai_calls(n)), indent=2),
    "openai-calls.jsonl": lambda n: lines(openai_calls(n)),
    "openai-calls-in-line.jsonl": lambda n: lines([{"messages": openai_calls(n)}] * 2),
    "anthropic-calls.json": lambda n: compact(anthropic_calls(n)),
    "anthropic-calls-pretty.json": lambda n: json.dumps(anthropic_calls(n), indent=2),
    "anthropic-calls.jsonl": lambda n: lines(anthropic_calls(n)),
    "responses-calls.json": lambda n: compact({"model": "gpt-5", "input": [USER, *map(responses_call, range(n)), USER]}),
    "responses-calls.jsonl": lambda n: lines([USER, *map(responses_call, range(n)), USER]),
    "fences-without-results.chat.md": numbered(fence),
    "markers-without-results.chat.md": numbered(lambda i: f'###:{{"toolName": "read", "parameters": {{"n": {i}}}}}\n\n'),
    "tags-without-results.chat.md": numbered(lambda i: f"<tool>read(path=a{i})</tool>\n\n"),
    "hermes-without-results.chat.md": numbered(
        lambda i: f'<tool_call>\n{{"name": "read", "arguments": {{"n": {i}}}}}\n</tool_call>\n\n'
    ),
    # Calls with results.
    "pairs.json": lambda n: json.dumps(pairs(n), indent=2),
    "pairs.jsonl": lambda n: lines(pairs(n)),
    "results-first.json": lambda n: json.dumps(pairs(n, reverse=True), indent=2),
    "results-first.jsonl": lambda n: lines(pairs(n, reverse=True)),
    "results-first-request.json": lambda n: compact(request(pairs(n, reverse=True))),
    "all-results-first.jsonl": lambda n: lines([*({"role": "user", "content": [anthropic_result(i)]} for i in range(n)),
                                                *({"role": "assistant", "content": [anthropic_call(i)]} for i in range(n))]),
    "orphans.json": lambda n: json.dumps([USER, *map(openai_result, range(n))], indent=2),
    "orphans.jsonl": lambda n: lines([USER, *map(openai_result, range(n))]),
    "one-id.jsonl": lambda n: lines(pairs(1)[1:] * n),
    "one-id.json": lambda n: compact(pairs(1)[1:] * n),
    # Threads.
    "session.jsonl": lambda n: lines(session(n)),
    "threads.jsonl": threads,
    "side-chain.jsonl": lambda n: lines(session(n, isSidechain=True)),
    "side-chain-reversed.jsonl": lambda n: lines(reversed(session(n, isSidechain=True))),
    "side-chains-without-parents.jsonl": lambda n: lines(session(n, parent=lambda i: None, isSidechain=True)),
    "side-chains-with-one-uuid.jsonl": lambda n: lines(session(n, uuid=lambda i: 1, parent=lambda i: 1, isSidechain=True)),
    "side-and-main-in-turns.jsonl": lambda n: lines(
        session(n, parent=lambda i: i - 2 if i > 1 else None, isSidechain=lambda i: i % 2 == 0)
    ),
    "lost-parents.jsonl": lambda n: lines(session(n, parent=lambda i: -i)),
    "lists-of-conversations.json": lambda n: compact([{"messages": pairs(3)} for _ in range(n)]),
    "growing-conversations.jsonl": lambda n: lines({"messages": pairs(k)} for k in range(int(n**0.5) + 1)),
    # Depth, and long lines of Markdown.
    "deep-content.json": lambda n: compact([USER])[:-1] + ',{"role":"assistant","content":' + deep(n, "[", "", "]") + "}]",
    "deep-objects.jsonl": lambda n: '{"role":"assistant","content":' + deep(n, '{"content":', "1", "}") + "}\n",
    "messages-in-messages.json": lambda n: '{"messages":[' + deep(n, MESSAGE_AROUND, "1", "]}") + "]}",
    "messages-in-messages.jsonl": lambda n: '{"messages":[' + deep(n, MESSAGE_AROUND, "1", "]}") + "]}\n",
    "messages-in-messages.chat.md": lambda n: "```json\n[" + deep(n, MESSAGE_AROUND, "1", "]}") + "]\n```\n",
    "calls-in-calls.json": lambda n: compact([USER])[:-1] + "," + deep(n, '{"type":"tool_use","id":"a","name":"a","input":{"b":', "1", "}}") + "]",
    "objects-in-objects.json": lambda n: compact([USER])[:-1] + "," + deep(n, '{"k":1,"a":', "1", "}") + "]",
    "deep-input.chat.md": lambda n: '```tool\n{"toolName": "a", "input": ' + deep(n, '{"a":', "1", "}") + "}\n```\n",
    "prompts-of-aider.md": lambda n: "# aider chat started at 1\n\n" + "#### a  \n#### b  \n\n> Applied edit to c\n\n" * n,
    "calls-in-a-line-of-text.chat.md": lambda n: "a <read_file><path>b</path></read_file> <read_file><path>" * n,
    "italic-calls-in-a-line.chat.md": lambda n: "**Claude:** " + "_[tool: a]_ " * n,
    "elements-without-an-end.chat.md": lambda n: "<read_file>\n<path>a</path>\n\nUser: b\n\n" * n,
    "quotes.chat.md": lambda n: "> " * n + "text\n",
    "bullets.chat.md": lambda n: "- " * n + "text\n",
    "bullets-and-lazy-lines.chat.md": lambda n: "- " * int(n**0.5) + "text\n" + "lazy\n" * n,
    "bullets-in-order.chat.md": numbered(lambda i: f"{' ' * (2 * (i % 30))}- item {i}\n"),
    "numbered-bullets.chat.md": lambda n: "1. " * n + "text\n",
    "stars.chat.md": repeated("*a **b "),
    "brackets.chat.md": repeated("[a](b "),
    "ticks.chat.md": lambda n: "".join("`" * (i % 80 + 1) + "a" for i in range(n)),
    "angles.chat.md": repeated("<a <!-- "),
    "markers-on-a-line.chat.md": repeated('###:{"toolName": "a", "parameters": {} '),
    "markers-unclosed.chat.md": repeated('###:{"toolName": "a", "parameters": {\n\n'),
    # Tool uses of other programs.
    "tagged.chat.md": repeated(SPECSTORY + "</details></tool-use>\n\n"),
    "tagged-unclosed.chat.md": repeated(SPECSTORY),
    "elements.chat.md": repeated("<read_file>\n<path>a</path>\n</read_file>\n\n[read_file for 'a'] Result:\nb\n\n"),
    "elements-unclosed.chat.md": repeated("<read_file>\n<path>a</path>\n\n<list_files>\n\n"),
    "elements-on-a-line.chat.md": repeated("<function=a>{}</function> "),
    "elements-unclosed-on-a-line.chat.md": repeated("<function=a>{} "),
    "tagged-react.chat.md": repeated("Thought: so\nAction: search\nAction Input: cats\nObservation: none\n\n"),
    "tagged-react-of-one-paragraph.chat.md": repeated("Action: search\nAction Input: cats\nObservation: none\n"),
    "tagged-labels.chat.md": repeated(f"{OPENCODE}```json\n{{}}\n```\n\n**Output:**\n```\nx\n```\n\n"),
    "tagged-labels-alone.chat.md": repeated(OPENCODE),
    "tagged-fences-unclosed.chat.md": numbered(lambda i: f"{OPENCODE}{'`' * (3 + i % 50)}\nx\n\n"),
    "tagged-edits.chat.md": repeated("> Applied edit to a.py\n"),
    "elements-in-python.chat.md": repeated("<|python_tag|>a.call(b=\"c\")<|eot_id|>\n\n"),
    "elements-in-python-unclosed-on-a-line.chat.md": repeated("<|python_tag|>a "),
    "elements-in-python-unclosed.jsonl": lambda n: lines(
        [{"role": "user", "content": "a"}, {"role": "assistant", "content": '<|python_tag|>{"a" ' * n}]
    ),
    "tagged-terminal-of-one-paragraph.chat.md": repeated("⏺ Read(a.py\n  b)\n  ⎿ c\n"),
    "tagged-terminal-unclosed.chat.md": repeated("⏺ Read(a.py\n"),
    "tagged-paragraphs.chat.md": repeated("Action: search\n\nAction Input: cats\n\nObservation: none\n\n"),
    "tagged-terminal.chat.md": repeated("⏺ Read(a.py)\n  ⎿ Read 3 lines\n\n"),
    "tagged-langchain.chat.md": repeated(LANGCHAIN + LANGCHAIN_CALL + LANGCHAIN_RESULT + "none\n"),
    "tagged-langchain-in-one-message.chat.md": lambda n: LANGCHAIN + LANGCHAIN_CALL * n,
    "tagged-langchain-result.chat.md": lambda n: LANGCHAIN + LANGCHAIN_CALL + LANGCHAIN_RESULT + "x\n" * n,
    "tagged-invoking.chat.md": repeated("Invoking: `a` with `{}`\n\n\nx\n\n> Finished chain.\n\n"),
    "tagged-colours.chat.md": repeated("\x1b[1mAction: \x1b[0ma[b]\x1b[0m\n\x1b[1mObservation: c\x1b[0m\n"),
    "tagged-colours-on-a-line.chat.md": lambda n: "Action: a[" + "\x1b[1" * n + "\x1b[1m" * n + "]\n",
    "tagged-printed.chat.md": repeated(PRINTED + '"x"))\n\nx\n```\n\n'),
    "tagged-printed-unclosed.chat.md": repeated(PRINTED + '"x\n\n'),
    "tagged-printed-in-one-call.chat.md": lambda n: PRINTED + '["\\"" ' * n + "\n\nx\n```\n",
    "tagged-printed-result.chat.md": lambda n: PRINTED + "1))\n\n" + "x\n" * n + "```\n",
    "printed.chat.org": repeated(PRINTED_IN_ORG + "#+end_tool\n\n* A heading\n"),
    "printed-unclosed.chat.org": repeated(PRINTED_IN_ORG),
    "printed-result.chat.org": lambda n: PRINTED_IN_ORG + ",* x\n" * n + "#+end_tool\n",
    # Markup without its end.
    "tokens.chat.md": repeated('<|tool_call_begin|>functions.a:0<|tool_call_argument_begin|>{"b": 1}<|tool_call_end|>\n\n'),
    "tokens-unclosed-on-a-line.chat.md": repeated('[TOOL_CALLS]a[ARGS]{"b": <tool_call>a<arg_key>b '),
    "tokens-unclosed.jsonl": lambda n: lines(
        [USER, {"role": "assistant", "content": '[TOOL_CALLS]a[ARGS]{"b": <|channel|>analysis to=a <tool_call>b ' * n}]
    ),
    "hermes-unclosed.chat.md": repeated('<tool_call>\n{"name": "a", "arguments": {}}\n\n'),
    "hermes-unclosed-on-a-line.chat.md": repeated('<tool_call>{"name": "a"} '),
    "tags-unclosed.chat.md": repeated("<tool>read(path=a)\n\n"),
    "tags-in-lists.chat.md": repeated("- <tool>read(path=a)\n\ntext</tool>\n\n"),
    "fences-unclosed.chat.md": repeated('> ```tool\n> {"toolName": "a"}\n\n'),
    "fence-cut-off.chat.md": lambda n: '```tool\n{"toolName": "a", "input": {"list": [\n' + "  1,\n" * n,
    "comments-unclosed.chat.md": repeated("<!-- chatls-disable\n\n"),
    # Faults.
    "misnamed-keys.chat.md": numbered(lambda i: fence(i, key="tolName", args={})),
    "misnamed-keys-of-a-call.chat.md": lambda n: fence(0, **{f"stat{i}": 1 for i in range(n)}),
    "repeated-and-misnamed-keys.chat.md": lambda n: "```tool\n{" + '"input": 1,\n' * n + '"tool_call_id": "a",\n' * n + '"toolName": "b"}\n```\n',
    "states-unknown.chat.md": numbered(lambda i: fence(i, state="finished")),
    "legacy-cut-off.chat.md": numbered(lambda i: f"🔧 **Tool Call:** `a(b={i})`\n✅ **`a` result:** text {i}…\n\n"),
    "broken-json.chat.md": numbered(lambda i: fence(i).replace('",', '"')),
    "faults-in-a-payload.chat.md": lambda n: '```tool\n{"toolName": "a", "input": {' + '"a": 1 "b": 2\n' * n + "}}\n```\n",
    "unknown-names.json": lambda n: compact(
        request([USER, {"role": "assistant", "tool_calls": [openai_call(i, f"read{i}") for i in range(n)]},
                 *map(openai_result, range(n))], [tool("write_file")])),
    "unknown-names-and-tools.json": lambda n: compact(
        request([USER, {"role": "assistant", "tool_calls": [openai_call(i, f"read{i}") for i in range(n)]},
                 *map(openai_result, range(n))], [tool(f"write{i}") for i in range(n)])),
    "values-of-an-enum.json": lambda n: compact(
        request([USER, {"role": "assistant", "tool_calls": [openai_call(i) for i in range(n)]},
                 *map(openai_result, range(n))],
                [tool("read_file", {"type": "object", "properties": {"path": {"enum": [f"b{i}" for i in range(n)]}}})])),
    "broken-lines.jsonl": lambda n: '{"role":"user","content":"a\nb"}\n' * n,
    "cut-off-lines.jsonl": lambda n: '{"role":"user","content":[{"type":"text","te\n' * n,
    "null-contents.json": lambda n: compact(request([{"role": "assistant", "content": None} for _ in range(n)])),
    "secrets.chat.md": numbered(lambda i: f"**User:** my key is sk-ant-api03-{i:0>90}AA\n\n"),
    # Streams and long values.
    "deltas.jsonl": repeated('{"type":"text-delta","id":"0","delta":"word "}\n'),
    "input-deltas.jsonl": lambda n: '{"type":"tool-input-start","toolCallId":"c","toolName":"a"}\n'
    + '{"type":"tool-input-delta","toolCallId":"c","inputTextDelta":"[1,"}\n' * n,
    "stream-calls.jsonl": numbered(
        lambda i: compact({"type": "tool-input-available", "toolCallId": f"c{i}", "toolName": "a", "input": {}}) + "\n"
    ),
    "long-string.json": lambda n: compact([USER, {"role": "assistant", "content": "a \" \\ \n" * n}]),
    "long-fence.chat.md": lambda n: "```tool\n" + json.dumps({"toolName": "a", "input": {"a": list(range(n))}}, indent=1)
    + "\n```\n",
    "messages-in-fence.chat.md": lambda n: "```json\n" + json.dumps(pairs(n), indent=1) + "\n```\n",
    "headings.chat.md": numbered(lambda i: f"## {('User', 'Assistant')[i % 2]}\n\ntext {i}\n\n"),
}  # fmt: skip
