//! The forms of tagged text in files that programs write, and the table of all forms.

use super::exports::EXPORTS;
use super::kiro::OF_KIRO;
pub(super) use super::row::{EMPTY, LOOSE};
use super::row::{End, Piece, Place, Row, Strength};
use super::scripts::OF_SCRIPTS;
use super::specstory::OF_SPECSTORY;
use super::terminals::IN_TERMINALS;
use crate::call::CallPart;
use crate::call::pairing::PairingOrder;
use crate::syntax::{Colours, OpenerPlace, PartLabels};

use Piece::{Id, Input, Name, Named, Number, Output, Skip, Status, Text};

/// A fenced code block below the first line, and nothing else.
pub(super) const FENCE: End = End::Parts(LOOSE);
/// A call with its input there.
pub(super) const FENCED_CALL: Row =
    Row { end: FENCE, input: Place::Under(&[""]), evidence: Strength::Sure, ..EMPTY };
/// The same for a form that documentation shows, too.
pub(super) const SHOWN_CALL: Row = Row { evidence: Strength::Example, ..FENCED_CALL };
/// A result in a fenced code block, one of several after their calls.
pub(super) const FENCED_RESULT: Row = Row {
    end: FENCE,
    part: CallPart::Result,
    output: Place::Under(&[""]),
    order: PairingOrder::OldestFirst,
    ..EMPTY
};
/// A part of a tool use with an id below its first line.
const KIMI: Row = Row { id: Some(("<!-- call_id: ", " -->")), ..EMPTY };
/// A call of Kimi Code: its code block follows the id.
const KIMI_CALL: Row = Row {
    end: End::Parts(PartLabels { labels: &["<!-- call_id: "], with_both: &["", "<!-- call_id: "], ..LOOSE }),
    input: Place::Under(&[""]),
    evidence: Strength::Sure,
    ..KIMI
};
/// A result of it.
const KIMI_RESULT: Row = Row {
    end: End::Closer { closer: "</details>", before: Some(&[""]) },
    part: CallPart::Result,
    output: Place::Below,
    order: PairingOrder::OldestFirst,
    ..KIMI
};
/// A result that begins in its first line.
pub(super) const RESULT: Row = Row { part: CallPart::Result, output: Place::Head, ..EMPTY };
/// A line of aider, with its result.
const QUOTED: Row = Row { place: OpenerPlace::QuotedLine, part: CallPart::Both, input: Place::Head, ..EMPTY };

/// The lines of ReAct prompts, and the log of httpx between them.
const STEPS: &[&str] =
    &["Question", "Thought", "Action", "Observation", "Final Answer", "Answer", "HTTP Request: "];

/// Input labels of ReAct that begin a paragraph.
const INPUTS: &[&str] = &["Action Input:", "**Action Input:**", "**Action Input**:"];
/// A call of ReAct.
const STEP: Row = Row { or: &["**Action"], input: Place::Head, colours: Colours::Skipped, ..EMPTY };

/// The end of a command with several lines.
pub(super) const PARAGRAPH: End = End::Paragraph { stops: &[], labels: &[] };
/// A line of a chat that VS Code, Windsurf or Antigravity wrote: a call that is done.
pub(super) const COPIED: Row = Row {
    // The first call of a message is on the line with its speaker.
    place: OpenerPlace::Behind("GitHub Copilot: "),
    part: CallPart::Both,
    input: Place::Head,
    ..EMPTY
};
/// Such a call without an input.
const NOTED: Row = Row { may_be_bare: true, ..COPIED };
/// The beginnings of the paragraphs of Cursor's transcripts, which follow each other.
const CURSOR: &[&str] = &["[Tool call] ", "[Tool result] ", "[Thinking] ", "assistant:", "user:"];
/// A line that only an export of Windsurf or Antigravity has.
const EXPORTED: Row = Row { place: OpenerPlace::LineStart, evidence: Strength::Sure, ..COPIED };
/// The label of the input of a tool of VS Code that an extension or a server offers.
const COMPLETED: &[&str] = &["Completed with input:"];
/// A call of such a tool.
const COMPLETED_CALL: Row =
    Row { end: End::Paragraph { stops: &[], labels: COMPLETED }, input: Place::Under(COMPLETED), ..COPIED };

/// The labels of agent-shell, above the code block of the result.
const SHELL: &[&str] =
    &["**Tool:**", "**Timestamp:**", "**Description:**", "**Command:**", "**Parameters:**"];

/// A tool use that Copilot CLI shares.
const SHARED: Row = Row {
    end: End::Parts(PartLabels {
        labels: &["<summary>Arguments</summary>", "</details>"],
        // Commands without a code block may have headings.
        until: &["### ✅ `", "### ❌ `", "### 👤 ", "### 💬 ", "---\n"],
        ..LOOSE
    }),
    part: CallPart::Both,
    input: Place::Prose(&["<details>", "<summary>", "</summary>"]),
    output: Place::LastFence,
    done: &[""],
    may_be_bare: true,
    evidence: Strength::Sure,
    ..EMPTY
};

/// The parts of a tool use that opencode exports.
const OPENCODE: &[&str] = &["**Input:**", "**Output:**", "**Output:** (pruned)", "**Error:**"];

/// The inputs that Trae copies.
const TRAE: &[(&str, &str)] = &[
    ("filePath:", "filePath"),
    ("command:", "command"),
    ("query:", "query"),
    ("changes:", "changes"),
    ("Todos updated:", "todos"),
];

/// The end of a part of Zed's threads, before the next one.
const ZED: PartLabels = PartLabels {
    until: &[
        "**Tool Call: ",
        "**Tool Use**: ",
        "**Tool Result**: ",
        "**Debug Output**:",
        "## User",
        "## Assistant",
    ],
    ..LOOSE
};

/// A call of an agent there.
const ZED_CALL: Row = Row {
    end: End::Parts(PartLabels { labels: &["Status:"], ..ZED }),
    part: CallPart::Both,
    input: Place::Head,
    output: Place::Body,
    failed: &["Failed", "Rejected", "Canceled"],
    done: &["Completed"],
    evidence: Strength::Sure,
    ..EMPTY
};

/// The end of a part of Roo Code's messages.
const ROO: End = End::Paragraph { stops: &["[Tool"], labels: &[] };
/// The results of Roo Code, in the order of their calls.
const ROO_RESULT: Row = Row { end: ROO, order: PairingOrder::OldestFirst, ..RESULT };

/// The rows of tagged text in files.
const IN_FILES: &[Row] = &[
    // AgentLite (https://github.com/SalesforceAIResearch/AgentLite): the list of actions in a
    // prompt, whose lines look like calls. Without an output it is text.
    Row {
        head: &[Text("Action Space:"), Skip],
        end: End::Paragraph { stops: &[], labels: &[] },
        part: CallPart::Result,
        ..EMPTY
    },
    // ReAct (https://github.com/ysymyth/ReAct), and the agents of LangChain with this prompt.
    Row { head: &[Text("Action"), Number, Text(":"), Name, Text("["), Input, Text("]")], ..STEP },
    Row { head: &[Text("Action"), Number, Text(":"), Name, Text("("), Input, Text(")")], ..STEP },
    Row {
        head: &[Text("Action"), Number, Text(":"), Name],
        end: End::Paragraph { stops: STEPS, labels: &["Action Input"] },
        input: Place::Under(&["Action Input"]),
        ..STEP
    },
    // The same labels at the start of Markdown paragraphs.
    Row {
        head: &[Text("Action"), Number, Text(":"), Name],
        end: End::Parts(PartLabels { labels: INPUTS, ..LOOSE }),
        input: Place::Under(INPUTS),
        ..STEP
    },
    // The same with a fenced object, of LangChain's structured chat.
    Row {
        head: &[Text("Action"), Number, Text(":"), Skip],
        end: FENCE,
        input: Place::Object("action", "action_input"),
        ..STEP
    },
    Row {
        head: &[Text("Observation"), Number, Text(":"), Output],
        or: &["**Observation"],
        colours: Colours::Skipped,
        end: End::Paragraph { stops: STEPS, labels: &[] },
        ..RESULT
    },
    // opencode (https://github.com/sst/opencode): `/export` with the details of tools.
    Row {
        head: &[Text("**Tool: "), Name, Text("**")],
        end: End::Parts(PartLabels { labels: OPENCODE, ..LOOSE }),
        part: CallPart::Both,
        input: Place::UnderOrNext("**Input:**"),
        output: Place::Under(&["**Output:**", "**Output:** (pruned)"]),
        errors: &["**Error:**"],
        evidence: Strength::Sure,
        ..EMPTY
    },
    // Exports of Claude Code's sessions as Markdown, with and without ids.
    Row { head: &[Text("🔧 **Tool Use: "), Name, Text("** (ID: "), Id, Text(")")], ..FENCED_CALL },
    Row { head: &[Text("🔧 **Tool Use: "), Name, Text("**")], ..FENCED_CALL },
    Row { head: &[Text("📊 **Tool Result:**")], ..FENCED_RESULT },
    Row {
        head: &[Text("### Tool Use: "), Name],
        or: &["#### Tool Use: "],
        end: End::Parts(PartLabels { labels: &["**Input**:"], ..LOOSE }),
        input: Place::Under(&["**Input**:", ""]),
        evidence: Strength::Sure,
        ..EMPTY
    },
    Row { head: &[Text("## Tool Result")], ..FENCED_RESULT },
    Row { head: &[Text("**Tool call: "), Name, Text("**")], or: &["**Tool call → "], ..FENCED_CALL },
    Row { head: &[Text("**Tool call:** `"), Name, Text("` (id: `"), Id, Text("`)")], ..FENCED_CALL },
    Row { head: &[Text("**Tool call:** `"), Name, Text("`")], ..SHOWN_CALL },
    Row { head: &[Text("**Tool result:** (id: `"), Id, Text("`)")], ..FENCED_RESULT },
    Row { head: &[Text("**Tool result:**")], ..FENCED_RESULT },
    Row { head: &[Text("🔧 **Tool Use:** `"), Name, Text("`")], ..SHOWN_CALL },
    Row { head: &[Text("📋 **Tool Result:** `"), Skip, Text("`")], ..FENCED_RESULT },
    Row { head: &[Text("**[tool_use: "), Name, Text("]**")], ..SHOWN_CALL },
    Row { head: &[Text("**[tool_result]**")], ..FENCED_RESULT },
    Row {
        head: &[Text("**[Tool Use: "), Name, Text("]**")],
        end: End::Parts(PartLabels { labels: &["Tool ID: `", "Input:"], ..LOOSE }),
        id: Some(("Tool ID: `", "`")),
        input: Place::Under(&["Input:"]),
        evidence: Strength::Sure,
        ..EMPTY
    },
    Row {
        head: &[Text("**[Tool Result]**")],
        end: End::Parts(PartLabels { labels: &["Tool ID: `"], with_both: &["", "Tool ID: `"], ..LOOSE }),
        id: Some(("Tool ID: `", "`")),
        ..FENCED_RESULT
    },
    Row {
        head: &[Text("<details><summary>Tool: "), Name, Text("</summary>")],
        end: End::Closer { closer: "</details>", before: Some(&[""]) },
        input: Place::Under(&[""]),
        ..EMPTY
    },
    // Kimi Code (https://github.com/MoonshotAI/kimi-cli): `src/kimi_cli/utils/export.py`.
    Row { head: &[Text("#### Tool Call: "), Name, Text(" (`"), Skip, Text("`)")], ..KIMI_CALL },
    Row { head: &[Text("#### Tool Call: "), Name], ..KIMI_CALL },
    Row {
        head: &[Text("<details><summary>Tool Result: "), Name, Text(" (`"), Skip, Text("`)</summary>")],
        ..KIMI_RESULT
    },
    Row { head: &[Text("<details><summary>Tool Result: "), Name, Text("</summary>")], ..KIMI_RESULT },
    // The same, and AutoMaker (https://github.com/AutoMaker-Org/automaker): `agent-output.md`.
    Row {
        head: &[Text("🔧 Using tool: "), Name],
        or: &["🔧 Tool: "],
        second: &["Input: {"],
        end: End::Object(&["Input:"]),
        input: Place::Under(&["Input:"]),
        evidence: Strength::Sure,
        ..EMPTY
    },
    // Copilot CLI (https://github.com/github/copilot-cli): `/share`. Its title is evidence, like a
    // result without a call.
    Row { head: &[Named("# 🤖 Copilot CLI Session"), Output], ..RESULT },
    Row { head: &[Text("### ✅ `"), Name, Text("`")], ..SHARED },
    Row { head: &[Text("### ❌ `"), Name, Text("`")], failed: &[""], ..SHARED },
    // Exports of Amp's threads as Markdown.
    Row { head: &[Text("**Tool Use:** `"), Name, Text("`")], ..SHOWN_CALL },
    Row { head: &[Text("**Tool Result** (ID: "), Id, Text(")")], ..FENCED_RESULT },
    // Zed (https://github.com/zed-industries/zed): `to_markdown` in `crates/agent/src/thread.rs`,
    // and `to_markdown` in `crates/acp_thread/src/acp_thread.rs`, which has titles instead of
    // names.
    Row { head: &[Text("**Tool Use**: "), Name, Text(" (ID: "), Id, Text(")")], ..FENCED_CALL },
    Row {
        head: &[Text("**Tool Result**: "), Name, Text(" (ID: "), Id, Text(")")],
        end: End::Parts(ZED),
        output: Place::Body,
        failures: &["**ERROR:**"],
        ..RESULT
    },
    Row { head: &[Text("**Tool Call: "), Input, Text("**")], second: &["Status: "], ..ZED_CALL },
    // A command may have several lines.
    Row { head: &[Text("**Tool Call: "), Input], last: &[&[Input, Text("**")]], ..ZED_CALL },
    // agent-shell (https://github.com/xenodium/agent-shell):
    // `agent-shell--make-transcript-tool-call-entry`.
    Row {
        head: &[Text("### Tool Call ["), Status, Text("]: "), Input],
        end: End::Parts(PartLabels {
            labels: SHELL,
            with_both: SHELL,
            with_text: &["", "**Description:**", "**Command:**", "**Parameters:**"],
            ..LOOSE
        }),
        part: CallPart::Both,
        name: Some("**Tool:**"),
        input: Place::Keys(&[("**Parameters:**", ""), ("**Command:**", "command")]),
        output: Place::LastFence,
        failed: &["failed"],
        failures: &[],
        evidence: Strength::Sure,
        ..EMPTY
    },
    // aider (https://aider.chat): `.aider.chat.history.md`.
    Row { head: &[Text("Applied "), Named("edit"), Text(" to "), Input], ..QUOTED },
    Row { head: &[Named("Running"), Text(" "), Input], is_broken: true, ..QUOTED },
    Row {
        head: &[Text("Commit "), Skip, Text(" aider: "), Output],
        place: OpenerPlace::QuotedLine,
        ..RESULT
    },
    // VS Code: `Copy All` in a chat, which has the lines that it shows for tools.
    Row { head: &[Named("Read"), Text(" []("), Input, Text(")"), Skip], ..COPIED },
    Row { head: &[Named("Created"), Text(" []("), Input, Text(")"), Skip], ..COPIED },
    Row { head: &[Named("Checked"), Text(" []("), Input, Text(")"), Skip], ..COPIED },
    Row {
        head: &[Named("Replacing"), Text(" "), Skip, Text(" with "), Skip, Text(" in []("), Input, Text(")")],
        ..COPIED
    },
    Row { head: &[Named("Searched text"), Text(" for `"), Input, Text("`"), Skip], ..COPIED },
    Row { head: &[Named("Searched for files"), Text(" matching `"), Input, Text("`"), Skip], ..COPIED },
    Row { head: &[Named("Searched for regex"), Text(" `"), Input, Text("`"), Skip], ..COPIED },
    Row { head: &[Named("Searched for text"), Text(" `"), Input, Text("`"), Skip], ..COPIED },
    Row {
        head: &[Named("Searched codebase"), Text(" for \""), Input, Text("\","), Number, Text(" results")],
        ..COPIED
    },
    Row { head: &[Named("Read memory"), Text(" []("), Input, Text(")"), Skip], ..COPIED },
    Row { head: &[Named("Checked background terminal output")], ..NOTED },
    Row { head: &[Named("Checked terminal output")], ..NOTED },
    Row { head: &[Named("Fetched"), Number, Text(" resources")], ..NOTED },
    Row { head: &[Named("Added"), Number, Text(" todo")], ..NOTED },
    Row { head: &[Named("Created memory file"), Text(" []("), Input, Text(")")], ..COPIED },
    Row { head: &[Named("Created"), Text(" "), Input, Text(" todos")], ..COPIED },
    Row { head: &[Named("Starting"), Text(" ("), Skip, Text(") *"), Input, Text("*")], ..COPIED },
    Row { head: &[Named("Completed"), Text(" ("), Skip, Text(") *"), Input, Text("*")], ..COPIED },
    Row {
        head: &[Named("Starting"), Text(": *"), Input, Text("* ("), Number, Text("/"), Number, Text(")")],
        ..COPIED
    },
    Row {
        head: &[Named("Completed"), Text(": *"), Input, Text("* ("), Number, Text("/"), Number, Text(")")],
        ..COPIED
    },
    Row {
        head: &[Named("Starting"), Text(": _"), Input, Text("_ ("), Number, Text("/"), Number, Text(")")],
        ..COPIED
    },
    Row {
        head: &[Named("Completed"), Text(": _"), Input, Text("_ ("), Number, Text("/"), Number, Text(")")],
        ..COPIED
    },
    Row { head: &[Named("Updated todo list")], ..NOTED },
    Row { head: &[Named("Read todo list")], ..NOTED },
    Row { head: &[Named("Ran terminal command"), Text(": "), Input], end: PARAGRAPH, ..COPIED },
    Row { head: &[Text("Ran `"), Name, Text("`")], ..COMPLETED_CALL },
    Row { head: &[Text("Using \""), Name, Text("\"")], ..COMPLETED_CALL },
    Row { head: &[Text("Using \""), Name, Text("\"")], ..NOTED },
    // Windsurf and Antigravity: the export of a chat.
    Row { head: &[Named("*Edited relevant file*")], ..NOTED },
    Row { head: &[Named("*Grep searched codebase*")], ..NOTED },
    Row { head: &[Named("*Searched filesystem*")], ..NOTED },
    Row { head: &[Named("*Checked command status*")], ..NOTED },
    Row { head: &[Named("*Updated todo list*")], ..NOTED },
    Row { head: &[Named("*Viewed"), Text(" ["), Skip, Text("]("), Input, Text(")"), Skip], ..EXPORTED },
    Row {
        head: &[Named("*Listed directory"), Text(" ["), Skip, Text("]("), Input, Text(")"), Skip],
        ..EXPORTED
    },
    Row { head: &[Named("*User accepted the command"), Text(" `"), Input, Text("`*")], ..EXPORTED },
    Row { head: &[Named("*User accepted the command"), Text(" `"), Input], ..EXPORTED },
    // Cursor: its transcripts as text.
    Row {
        head: &[Text("[Tool call] "), Name],
        end: End::Paragraph { stops: CURSOR, labels: &[] },
        input: Place::Lead,
        order: PairingOrder::OldestFirst,
        evidence: Strength::Sure,
        may_be_bare: true,
        ..EMPTY
    },
    Row {
        head: &[Text("[Tool result] "), Name],
        end: End::Paragraph { stops: CURSOR, labels: &[] },
        part: CallPart::Result,
        output: Place::Below,
        order: PairingOrder::OldestFirst,
        ..EMPTY
    },
    // Gemini CLI: `packages/cli/src/ui/utils/historyExportUtils.ts`; no line end stands before.
    Row {
        head: &[Text("**Tool Command**:")],
        place: OpenerPlace::Anywhere,
        end: FENCE,
        input: Place::Object("name", "args"),
        order: PairingOrder::OldestFirst,
        evidence: Strength::Sure,
        ..EMPTY
    },
    Row { head: &[Text("**Tool Response**:")], place: OpenerPlace::Anywhere, ..FENCED_RESULT },
    // Roo Code and its forks: `src/integrations/misc/export-markdown.ts`.
    Row { head: &[Text("[Tool Use: "), Name, Text("]")], end: ROO, input: Place::Rest, ..EMPTY },
    Row { head: &[Text("[Tool]"), Output], ..ROO_RESULT },
    Row { head: &[Text("[Tool (Error)]"), Output], failures: &[""], ..ROO_RESULT },
    // Trae, its copied chats.
    Row {
        head: &[Text("toolName: "), Name],
        end: End::Parts(PartLabels {
            labels: &["status:", "filePath:", "command:", "query:", "changes:", "Todos updated:"],
            ..LOOSE
        }),
        part: CallPart::Both,
        input: Place::Keys(TRAE),
        failed: &["failed", "interrupted"],
        done: &["success", "no_need_execute"],
        evidence: Strength::Sure,
        ..EMPTY
    },
];

/// The rows. The first row that matches a line applies.
pub const ROWS: &[Row] = &{
    const TABLES: [&[Row]; 6] = [OF_SCRIPTS, EXPORTS, OF_SPECSTORY, IN_FILES, IN_TERMINALS, OF_KIRO];
    const COUNT: usize = {
        let (mut count, mut at) = (0, 0);
        while at < TABLES.len() {
            count += TABLES[at].len();
            at += 1;
        }
        count
    };
    let mut all = [EMPTY; COUNT];
    let mut rest = all.as_mut_slice();
    let mut at = 0;
    while at < TABLES.len() {
        let (table, others) = rest.split_at_mut(TABLES[at].len());
        table.copy_from_slice(TABLES[at]);
        rest = others;
        at += 1;
    }
    all
};
