"""Transcripts in every dialect, as people and agents write them: some prose, some calls, a few faults.

`transcript(kind, size, chance)` gives a document of about `size` bytes; a kind is a dialect, and for logs a layer.
"""

import html
import json

from words import Words

FAULTS = 0.02  # of the calls


def transcript(kind, size, chance):
    writer = KINDS[kind](chance)
    parts, length = [], 0
    while length < size:
        turn = writer.turn()
        parts.append(turn)
        length += len(turn)
    return "".join(parts)


class Markdown:
    """Someone asks; an assistant explains, calls tools and explains again."""

    end = "chat.md"

    def __init__(self, chance):
        self.chance, self.words, self.calls = chance, Words(chance), 0

    def turn(self):
        words, chance = self.words, self.chance
        parts = [f"**User:** {words.sentence()}\n\n**Assistant:** {words.paragraph()}\n\n"]
        for _ in range(chance.randint(1, 4)):
            self.calls += 1
            parts.append(self.call(chance.random() < FAULTS))
        parts.append(words.paragraph() + "\n\n")
        if chance.random() < 0.3:
            parts.append("".join(f"- {words.sentence()}\n" for _ in range(3)) + "\n")
        if chance.random() < 0.3:
            parts.append(f"```rust\n{words.code(chance.randint(3, 12))}```\n\n")
        return "".join(parts)

    def tool(self):
        """The name of a tool, an input of it, and what comes out."""
        words, chance = self.words, self.chance
        kind = chance.randrange(4)
        if kind == 0:
            return "search", {"query": words.sentence(), "limit": chance.randrange(50)}, words.path()
        if kind == 1:
            return "run_shell_command", {"args": ["grep", "-rn", words.name(), "src"]}, words.code(chance.randint(1, 5))
        if kind == 2:
            return "write_file", {"path": words.path(), "content": words.code(chance.randint(5, 30))}, "written"
        return "read_file", {"path": words.path()}, words.code(chance.randint(10, 60))


class Fence(Markdown):
    def call(self, is_faulty):
        name, given, output = self.tool()
        call = {"toolCallId": f"call_{self.calls}", "toolName": name, "state": "output-available", "input": given}
        if self.chance.random() < 0.1:
            call |= {"state": "output-error", "errorText": self.words.sentence()}
        else:
            call["output"] = output
        text = json.dumps(call, indent=2, ensure_ascii=False)
        if is_faulty:
            text = text.replace('",\n', '"\n', 1)
        return f"```tool\n{text}\n```\n\n"


class Marker(Markdown):
    def call(self, is_faulty):
        name, given, output = self.tool()
        text = json.dumps({"toolName": name, "parameters": given}, ensure_ascii=False)
        if is_faulty:
            text = text.replace("parameters", "params")
        return f"###: {text}\n\n*🔧 Executed {name}: {output.splitlines()[0].strip()}*\n\n"


class Tag(Markdown):
    def call(self, is_faulty):
        name, given, output = self.tool()
        arguments = ", ".join(
            f"{key}={value if isinstance(value, str) else json.dumps(value)}" for key, value in given.items()
        ).replace("\n", " ")
        result = output if is_faulty else html.escape(output)
        return f"<tool>{name}({html.escape(arguments)})\n{result}</tool>\n\n"


class Log(Markdown):
    """A log: what is said comes in pieces, and so do the inputs of calls."""

    def turn(self):
        words, chance = self.words, self.chance
        records = list(self.said(words.paragraph()))
        for _ in range(chance.randint(1, 3)):
            self.calls += 1
            records += self.call(f"call_{self.calls}", *self.tool(), chance.random() < FAULTS)
        return "".join(self.line(record) for record in records)

    def line(self, record):
        return json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n"

    def pieces(self, text, most):
        at = 0
        while at < len(text):
            length = self.chance.randint(most // 3, most)
            yield text[at : at + length]
            at += length


class Full(Log):
    end = "jsonl"

    def said(self, text):
        yield {"type": "text-start", "id": f"txt-{self.calls}"}
        for piece in self.pieces(text, 12):
            yield {"type": "text-delta", "id": f"txt-{self.calls}", "text": piece}
        yield {"type": "text-end", "id": f"txt-{self.calls}"}

    def call(self, call, name, given, output, is_faulty):
        yield {"type": "tool-input-start", "id": call, "toolName": name}
        for piece in self.pieces(json.dumps(given), 40):
            yield {"type": "tool-input-delta", "id": call, "delta": piece}
        yield {"type": "tool-input-end", "id": call}
        if not is_faulty:
            yield {"type": "tool-call", "toolCallId": call, "toolName": name, "input": given}
        yield {"type": "tool-result", "toolCallId": call, "toolName": name, "input": given, "output": output}


class Ui(Log):
    end = "sse"

    def line(self, record):
        return "data: " + super().line(record) + "\n"

    def said(self, text):
        yield {"type": "text-start", "id": f"txt-{self.calls}"}
        for piece in self.pieces(text, 12):
            yield {"type": "text-delta", "id": f"txt-{self.calls}", "delta": piece}
        yield {"type": "text-end", "id": f"txt-{self.calls}"}

    def call(self, call, name, given, output, is_faulty):
        yield {"type": "tool-input-start", "toolCallId": call, "toolName": name}
        for piece in self.pieces(json.dumps(given), 40):
            yield {"type": "tool-input-delta", "toolCallId": call, "inputTextDelta": piece}
        yield {"type": "tool-input-available", "toolCallId": call, "toolName": "" if is_faulty else name, "input": given}
        yield {"type": "tool-output-available", "toolCallId": call, "output": output}


class V4(Log):
    end = "ndjson"

    def said(self, text):
        for piece in self.pieces(text, 12):
            yield {"type": "text-delta", "textDelta": piece}

    def call(self, call, name, given, output, is_faulty):
        yield {"type": "tool-call-streaming-start", "toolCallId": call, "toolName": name}
        for piece in self.pieces(json.dumps(given), 40):
            yield {"type": "tool-call-delta", "toolCallId": call, "argsTextDelta": piece}
        yield {"type": "tool-call", "toolCallId": call, "toolName": name, "args": {} if is_faulty else given}
        yield {"type": "tool-result", "toolCallId": call, "result": output}


class Session(Log):
    """A session of Claude Code: each line is a message or a note of its progress, and names the line before it."""

    end = "jsonl"

    def __init__(self, chance):
        super().__init__(chance)
        self.last = None

    def turn(self):
        words, chance = self.words, self.chance
        parts = [self.message("user", words.paragraph()), self.said(words.paragraph())]
        for _ in range(chance.randint(2, 12)):
            self.calls += 1
            parts.append(self.call(chance.random() < FAULTS))
        parts.append(self.said(words.paragraph()))
        return "".join(parts)

    def said(self, text):
        return self.message("assistant", [{"type": "text", "text": text}])

    def call(self, is_faulty):
        id, (name, given, output) = f"toolu_{self.id(24)}", self.tool()
        result = {"tool_use_id": id, "type": "tool_result", "content": output * self.chance.randint(1, 4)}
        if is_faulty:
            result |= {"content": "<tool_use_error>File does not exist.</tool_use_error>", "is_error": True}
        hook = {"type": "hook_progress", "hookEvent": "PostToolUse", "hookName": f"PostToolUse:{name}", "command": "callback"}
        return (
            self.message("assistant", [{"type": "tool_use", "id": id, "name": name, "input": given}])
            + "".join(self.entry("progress", data=hook, parentToolUseID=id, toolUseID=id) for _ in range(2))
            + self.message("user", [result], toolUseResult={"type": "text", "content": result["content"]})
        )

    def message(self, role, content, **more):
        message = {"role": role, "content": content}
        if role == "assistant":
            usage = {"input_tokens": 3, "cache_creation_input_tokens": 13522, "cache_read_input_tokens": 0, "output_tokens": 3}
            message = {"model": "claude-sonnet-4-5", "id": f"msg_{self.id(24)}", "type": "message"} | message
            message |= {"stop_reason": None, "stop_sequence": None, "usage": usage}
        return self.entry(role, message=message, **more)

    def entry(self, type, **members):
        before, self.last = self.last, f"{self.id(8)}-{self.id(4)}-{self.id(4)}-{self.id(4)}-{self.id(12)}"
        head = {
            "parentUuid": before, "isSidechain": False, "userType": "external", "cwd": "/home/user/project",
            "sessionId": "4d5611e5-241a-462a-8d15-5122611a9569", "version": "2.1.39", "gitBranch": "main", "type": type,
        }  # fmt: skip
        return self.line(head | members | {"uuid": self.last, "timestamp": "2026-02-12T16:02:51.740Z"})

    def id(self, digits):
        return f"{self.chance.getrandbits(4 * digits):0{digits}x}"


class Prose(Markdown):
    """No calls at all."""

    def call(self, is_faulty):
        return ""


KINDS = {
    "fence": Fence, "marker": Marker, "tag": Tag, "prose": Prose, "full": Full, "ui": Ui, "v4": V4,
    "session": Session,
}  # fmt: skip
