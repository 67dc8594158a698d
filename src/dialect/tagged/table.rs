//! The forms of tagged text that are read.

use super::row::{End, Piece, Place, Row, Strength};
use crate::call::CallPart;
use crate::call::pairing::PairingOrder;
use crate::syntax::PartLabels;

use Piece::{Id, Input, Name, Named, Number, Output, Skip, Status, Text};

/// A row without values.
pub(super) const EMPTY: Row = Row {
    head: &[],
    in_quote: false,
    end: End::Line,
    part: CallPart::Call,
    name: None,
    input: Place::None,
    output: Place::None,
    errors: &[],
    failed: None,
    failures: &["<tool_use_error>", "Exit code "],
    order: PairingOrder::NearestFirst,
    may_be_bare: false,
    evidence: Strength::Example,
};

/// A fenced code block below the first line, and nothing else.
const FENCE: End = End::Parts(PartLabels { labels: &[], with_text: &[], is_loose: false });

/// The lines of ReAct prompts.
const STEPS: &[&str] = &["Question", "Thought", "Action", "Observation", "Final Answer", "Answer"];

/// The rows. The first one whose first line fits counts.
pub const ROWS: &[Row] = &[
    // SpecStory (https://github.com/specstoryai/getspecstory): files of `.specstory/history`.
    Row {
        head: &[
            Text("<tool-use data-tool-type=\""),
            Skip,
            Text("\" data-tool-name=\""),
            Name,
            Text("\">"),
            Skip,
        ],
        end: End::Closer { closer: "</tool-use>", before: Some(&["", "</details>"]) },
        part: CallPart::Both,
        input: Place::Prose(&["<details>", "</details>", "<summary>", "</summary>", "Tool use: "]),
        output: Place::LastFence,
        ..EMPTY
    },
    // ReAct (https://github.com/ysymyth/ReAct), and the agents of LangChain with this prompt.
    Row {
        head: &[Text("Action"), Number, Text(": "), Name, Text("["), Input, Text("]")],
        input: Place::Head,
        ..EMPTY
    },
    Row {
        head: &[Text("Action"), Number, Text(": "), Name],
        end: End::Paragraph { stops: STEPS, labels: &["Action Input"] },
        input: Place::Under(&["Action Input"]),
        ..EMPTY
    },
    Row {
        head: &[Text("Observation"), Number, Text(":"), Output],
        end: End::Paragraph { stops: STEPS, labels: &[] },
        part: CallPart::Result,
        output: Place::Head,
        ..EMPTY
    },
    // opencode (https://github.com/sst/opencode): `/export` with the details of tools.
    Row {
        head: &[Text("**Tool: "), Name, Text("**")],
        end: End::Parts(PartLabels {
            labels: &["**Input:**", "**Output:**", "**Error:**"],
            with_text: &[],
            is_loose: false,
        }),
        part: CallPart::Both,
        input: Place::Under(&["**Input:**", ""]),
        output: Place::Under(&["**Output:**"]),
        errors: &["**Error:**"],
        evidence: Strength::Sure,
        ..EMPTY
    },
    // Exports of Claude Code's sessions as Markdown, with and without ids.
    Row {
        head: &[Text("🔧 **Tool Use: "), Name, Text("** (ID: "), Id, Text(")")],
        end: FENCE,
        input: Place::Under(&[""]),
        evidence: Strength::Sure,
        ..EMPTY
    },
    Row {
        head: &[Text("📊 **Tool Result:**")],
        end: FENCE,
        part: CallPart::Result,
        output: Place::Under(&[""]),
        order: PairingOrder::OldestFirst,
        ..EMPTY
    },
    Row {
        head: &[Text("**Tool Result** (ID: "), Id, Text(")")],
        end: FENCE,
        part: CallPart::Result,
        output: Place::Under(&[""]),
        order: PairingOrder::OldestFirst,
        ..EMPTY
    },
    // agent-shell (https://github.com/xenodium/agent-shell):
    // `agent-shell--make-transcript-tool-call-entry`.
    Row {
        head: &[Text("### Tool Call ["), Status, Text("]: "), Input],
        end: End::Parts(PartLabels {
            labels: &["**Tool:**", "**Timestamp:**", "**Description:**", "**Command:**", "**Parameters:**"],
            with_text: &["", "**Description:**", "**Command:**", "**Parameters:**"],
            is_loose: true,
        }),
        part: CallPart::Both,
        name: Some("**Tool:**"),
        input: Place::Keys(&[("**Parameters:**", ""), ("**Command:**", "command")]),
        output: Place::LastFence,
        failed: Some("failed"),
        failures: &[],
        evidence: Strength::Sure,
        ..EMPTY
    },
    // aider (https://aider.chat): `.aider.chat.history.md`.
    Row {
        head: &[Text("Applied "), Named("edit"), Text(" to "), Input],
        in_quote: true,
        part: CallPart::Both,
        input: Place::Head,
        ..EMPTY
    },
    Row {
        head: &[Text("Commit "), Skip, Text(" aider: "), Output],
        in_quote: true,
        part: CallPart::Result,
        output: Place::Head,
        ..EMPTY
    },
    // Claude Code, copied from the terminal, where lines are wrapped and cut.
    Row { head: &[Text("⏺ "), Name, Text("("), Input, Text(")")], input: Place::Head, ..EMPTY },
    Row {
        head: &[Text("⎿"), Output],
        end: End::Paragraph { stops: &["⏺", "⎿"], labels: &[] },
        part: CallPart::Result,
        output: Place::Head,
        failures: &["Error"],
        ..EMPTY
    },
];
