//! The forms of tagged text in sessions that several programs export as Markdown.

use super::row::{End, Piece, Place, Row, Strength};
use super::table::{EMPTY, FENCED_CALL, FENCED_RESULT, LOOSE, PARAGRAPH, SHOWN_CALL};
use crate::call::CallPart;
use crate::call::pairing::PairingOrder;
use crate::syntax::{OpenerPlace, PartLabels};

use Piece::{Id, Input, Name, Output, Skip, Text};

/// A call below a heading: its input below `Args:`, an object or a fenced code block, and in some
/// files its result.
pub(super) const HEADED: Row = Row {
    end: End::Parts(PartLabels {
        labels: &["{", "Args:", "#### Result", "Result:"],
        with_text: &["{", "Args:", "#### Result"],
        ..LOOSE
    }),
    part: CallPart::Both,
    input: Place::UnderOrObject("Args:"),
    output: Place::Under(&["#### Result", "Result:"]),
    evidence: Strength::Sure,
    ..EMPTY
};
/// A call that counts only with an object: other text may be in bold, too.
const OBJECT_CALL: Row = Row { input: Place::ObjectOnly, ..SHOWN_CALL };
/// The beginnings of what stands after a part of a session that goose exports.
const BEHIND_GOOSE: &[&str] = &["---\n", "### ", "#### Tool Call:", "#### Tool Response:"];
/// Such a part.
const GOOSE: Row = Row {
    end: End::Parts(PartLabels { labels: &["**Arguments:**"], until: BEHIND_GOOSE, ..LOOSE }),
    ..EMPTY
};
/// A tool use of ECA.
const ECA: Row = Row {
    end: End::Parts(PartLabels { labels: &["**Summary:**", "**Output:**"], ..LOOSE }),
    part: CallPart::Both,
    input: Place::Under(&[""]),
    output: Place::Under(&["**Output:**"]),
    evidence: Strength::Sure,
    ..EMPTY
};
/// A tool use whose code blocks are named by their languages.
const FENCES: Row = Row {
    end: End::Parts(PartLabels { fences: &["input", "output"], ..LOOSE }),
    part: CallPart::Both,
    input: Place::Under(&["input"]),
    output: Place::Under(&["output"]),
    evidence: Strength::Sure,
    ..EMPTY
};
/// The same, of opencode.
const OPENCODE: Row = Row {
    end: End::Parts(PartLabels { fences: &["text"], ..LOOSE }),
    input: Place::Under(&[""]),
    output: Place::Under(&["text"]),
    ..FENCES
};
/// The first result of a message is on the line with its speaker.
const FLEMMA: OpenerPlace = OpenerPlace::Behind("@You: ");
/// A result in brackets, up to the next line in brackets of a tool.
const BRACKETED_RESULT: Row = Row {
    end: End::Paragraph { stops: &["[Tool"], labels: &[] },
    part: CallPart::Result,
    output: Place::Head,
    order: PairingOrder::OldestFirst,
    ..EMPTY
};

/// The rows. The headings and bold lines of several programs are the same.
pub(super) const EXPORTS: &[Row] = &[
    // goose (https://github.com/block/goose): `goose session export --format markdown`.
    Row {
        head: &[Text("#### Tool Call: `"), Name, Text("` (namespace: `"), Skip],
        input: Place::Keys(&[("**Arguments:**", "")]),
        may_be_bare: true,
        evidence: Strength::Sure,
        ..GOOSE
    },
    Row {
        head: &[Text("#### Tool Response:")],
        part: CallPart::Result,
        output: Place::Below,
        order: PairingOrder::OldestFirst,
        ..GOOSE
    },
    // Claude Code's sessions as Markdown, with labels in bold.
    Row {
        head: &[Text("**Tool:** `"), Name, Text("`")],
        end: End::Parts(PartLabels { labels: &["**Input:**"], ..LOOSE }),
        input: Place::Under(&["**Input:**"]),
        evidence: Strength::Sure,
        ..EMPTY
    },
    Row { head: &[Text("**Result:**")], ..FENCED_RESULT },
    // ECA (https://github.com/editor-code-assistant/eca): chats as Markdown.
    Row { head: &[Text("### Tool Call: "), Name, Text(" (succeeded)")], ..ECA },
    Row { head: &[Text("### Tool Call: "), Name, Text(" (failed)")], failed: &[""], ..ECA },
    Row { head: &[Text("### Tool Call: "), Name, Text(" (rejected)")], failed: &[""], ..ECA },
    Row { head: &[Text("### Tool Call: "), Name, Text(" (preparing)")], ..ECA },
    // Logs of agents, among them Deep Agents.
    Row { head: &[Text("### Tool Call: "), Name], or: &["### Tool call: "], ..HEADED },
    Row { head: &[Text("### TOOL CALL: "), Name], ..HEADED },
    Row { head: &[Text("### Tool Result")], or: &["### Tool result"], ..FENCED_RESULT },
    Row { head: &[Text("### TOOL RESULT")], ..FENCED_RESULT },
    Row {
        head: &[Text("<details><summary>Tool result</summary>")],
        or: &["<details><summary>tool result</summary>"],
        end: End::Closer { closer: "</details>", before: Some(&[""]) },
        output: Place::Under(&[""]),
        ..FENCED_RESULT
    },
    // Agents of benchmarks.
    Row { head: &[Text("**Tool Call: `"), Name, Text("`**")], is_alone: true, ..OBJECT_CALL },
    Row { head: &[Text("**Tool call — "), Name, Text("**")], ..OBJECT_CALL },
    Row { head: &[Text("**[Tool: "), Name, Text("]**")], ..OBJECT_CALL },
    Row {
        head: &[Text("<details><summary>Tool call #"), Skip, Text(": <code>"), Name, Text("</code>"), Skip],
        end: End::Parts(PartLabels { labels: &["**Parameters**", "**Response**"], ..LOOSE }),
        part: CallPart::Both,
        input: Place::Under(&["**Parameters**"]),
        output: Place::Under(&["**Response**"]),
        evidence: Strength::Sure,
        ..EMPTY
    },
    // Kilo Code's command line.
    Row { head: &[Text("**tool `"), Name, Text("`** completed")], ..FENCES },
    Row { head: &[Text("**tool `"), Name, Text("`** error")], failed: &[""], ..FENCES },
    // opencode's messages, listed.
    Row { head: &[Text("### Tool: "), Name, Text(" (completed)")], ..OPENCODE },
    Row { head: &[Text("### Tool: "), Name, Text(" (error)")], failed: &[""], ..OPENCODE },
    // Arrows.
    Row { head: &[Text("**-> tool: "), Name, Text("**")], ..FENCED_CALL },
    Row { head: &[Text("**-> "), Name, Text("**")], or: &["**→ "], ..OBJECT_CALL },
    Row { head: &[Text("**<- result**")], ..FENCED_RESULT },
    // Brackets.
    Row {
        head: &[Text("[Tool: "), Name, Text("]")],
        second: &["Input: {"],
        end: End::Object(&["Input:"]),
        input: Place::Under(&["Input:"]),
        evidence: Strength::Sure,
        ..EMPTY
    },
    Row { head: &[Text("[Tool Result] "), Output], ..BRACKETED_RESULT },
    Row { head: &[Text("[Tool Error] "), Output], failures: &[""], ..BRACKETED_RESULT },
    Row { head: &[Text("[tool_use] "), Name, Text(" "), Input], input: Place::ObjectOnly, ..EMPTY },
    Row {
        head: &[Text("[tool_result] "), Output],
        end: End::Paragraph { stops: &["[tool_", "[assistant] ", "[user] "], labels: &[] },
        ..BRACKETED_RESULT
    },
    Row {
        head: &[Text("**[tool: "), Name, Text("]** "), Input],
        place: OpenerPlace::QuotedLine,
        input: Place::ObjectOnly,
        ..EMPTY
    },
    Row {
        head: &[Text("**[result]** "), Output],
        place: OpenerPlace::QuotedLine,
        end: PARAGRAPH,
        ..BRACKETED_RESULT
    },
    // Flemma (https://github.com/Flemma-Dev/flemma.nvim).
    Row { head: &[Text("**Tool Use:** `"), Name, Text("` (`"), Id, Text("`)")], ..FENCED_CALL },
    Row {
        head: &[Text("**Tool Result:** `"), Id, Text("` (error)")],
        place: FLEMMA,
        failures: &[""],
        ..FENCED_RESULT
    },
    // The same in threads of Amp.
    Row { head: &[Text("**Tool Result:** `"), Id, Text("`")], place: FLEMMA, ..FENCED_RESULT },
    // A call with its time.
    Row { head: &[Text("### Tool Use: "), Name, Text(" <sub>"), Skip], ..FENCED_CALL },
];
