//! The forms of tagged text in transcripts that small scripts write from sessions.

use super::exports::HEADED;
use super::row::{End, Piece, Place, Row, Strength};
use super::table::{EMPTY, FENCED_CALL, FENCED_RESULT, LOOSE, PARAGRAPH, RESULT, SHOWN_CALL};
use crate::call::CallPart;
use crate::call::pairing::PairingOrder;
use crate::syntax::{OpenerPlace, PartLabels};

use Piece::{Input, Name, Number, Output, Skip, Text};

/// A line that stands for a call that is done, also after the speaker.
const LINE: Row = Row {
    place: OpenerPlace::BehindLabel,
    part: CallPart::Both,
    input: Place::Head,
    may_be_bare: true,
    evidence: Strength::Sure,
    ..EMPTY
};
/// A call in a line, with its result further below.
const LINE_CALL: Row = Row { input: Place::Head, ..EMPTY };
/// A result in a quote, in the order of the calls.
const QUOTED_RESULT: Row =
    Row { place: OpenerPlace::QuotedLine, end: PARAGRAPH, order: PairingOrder::OldestFirst, ..RESULT };
/// A call below a heading, with its result further below.
const HEADED_CALL: Row = Row { part: CallPart::Call, output: Place::None, ..HEADED };
/// The place in the summary of a `<details>`.
const SUMMARY: OpenerPlace = OpenerPlace::Behind("<summary>");
/// The labels of a tool use below a heading.
const PARTS: &[&str] = &["Input:", "**Input:**", "Output:", "**Output:**"];

/// The rows.
pub(super) const OF_SCRIPTS: &[Row] = &[
    // Lines in italics.
    Row { head: &[Text("_[tool: "), Name, Text(" — "), Input, Text("]_")], or: &["_[Tool: "], ..LINE },
    Row { head: &[Text("_[tool: "), Name, Text(" `"), Input, Text("`]_")], or: &["_[Tool: "], ..LINE },
    Row { head: &[Text("_[tool: "), Name, Text("]_ `"), Input, Text("`")], or: &["_[Tool: "], ..LINE },
    Row { head: &[Text("_[tool: "), Name, Text("]_")], or: &["_[Tool: "], ..LINE },
    Row { head: &[Text("_[tool use: "), Name, Text("]_")], ..LINE },
    // Brackets.
    Row { head: &[Text("[tool: "), Name, Text("]")], ..LINE },
    Row { head: &[Text("[tool_use: "), Name, Text("]")], may_be_bare: true, ..EMPTY },
    Row { head: &[Text("[Tool call: "), Name, Text("]")], ..HEADED_CALL },
    // Headings with a time.
    Row {
        head: &[Text("### Tool Call: "), Name, Text(" (20"), Skip, Text(")")],
        or: &["### Tool call: "],
        ..HEADED_CALL
    },
    Row { head: &[Text("### Tool Call: "), Name, Text(" - 20"), Skip], ..HEADED_CALL },
    Row { head: &[Text("## Tool call: "), Name, Text(" · 20"), Skip], ..HEADED_CALL },
    Row { head: &[Text("### Tool Output")], or: &["### Tool output"], ..FENCED_RESULT },
    Row { head: &[Text("### Tool Output: "), Skip], ..FENCED_RESULT },
    Row { head: &[Text("### Command Result - 20"), Skip], ..FENCED_RESULT },
    // Other headings.
    Row { head: &[Text("### tool_use: "), Name], ..FENCED_CALL },
    Row { head: &[Text("### tool_result")], or: &["#### tool_result"], ..FENCED_RESULT },
    Row {
        head: &[Text("### Tool: "), Name],
        or: &["#### Tool: "],
        end: End::Parts(PartLabels { labels: PARTS, ..LOOSE }),
        part: CallPart::Both,
        input: Place::UnderOrShown(&["Input:", "**Input:**"]),
        output: Place::Under(&["Output:", "**Output:**"]),
        ..EMPTY
    },
    Row { head: &[Text("**tool call: "), Name, Text("**")], ..FENCED_CALL },
    Row {
        head: &[Text("## ["), Number, Text("] tool")],
        end: End::Parts(PartLabels { until: &["## ["], ..LOOSE }),
        part: CallPart::Result,
        output: Place::Below,
        order: PairingOrder::OldestFirst,
        ..EMPTY
    },
    Row {
        head: &[Text("**Tool — "), Name, Text("**"), Skip],
        place: SUMMARY,
        end: End::Parts(PartLabels { labels: &["Result:"], ..LOOSE }),
        part: CallPart::Both,
        input: Place::Under(&[""]),
        output: Place::Under(&["Result:"]),
        evidence: Strength::Sure,
        ..EMPTY
    },
    // Claude Code History, an extension of VS Code.
    Row { head: &[Text("Tool: <code>"), Name, Text("</code></summary>")], place: SUMMARY, ..SHOWN_CALL },
    Row { head: &[Text("Tool Result</summary>")], place: SUMMARY, ..FENCED_RESULT },
    // Icons. Other lists have them, too, so the line is quoted.
    Row { head: &[Text("🔧 *"), Name, Text("* — "), Input], place: OpenerPlace::QuotedLine, ..LINE_CALL },
    Row {
        head: &[Text("🔧 *"), Name, Text("*"), Skip],
        place: OpenerPlace::QuotedLine,
        may_be_bare: true,
        ..LINE_CALL
    },
    Row { head: &[Text("↳ *tool result:*"), Output], ..QUOTED_RESULT },
    // Labels in bold.
    Row {
        head: &[Text("**Tool: "), Name, Text("** — `"), Input, Text("`")],
        place: OpenerPlace::QuotedLine,
        evidence: Strength::Example,
        ..LINE
    },
    Row {
        head: &[Text("**Tool: "), Name, Text("** — "), Input],
        place: OpenerPlace::QuotedLine,
        evidence: Strength::Example,
        ..LINE
    },
    Row { head: &[Text("**tool call:** `"), Name, Text("` "), Input], input: Place::ObjectOnly, ..EMPTY },
    Row { head: &[Text("tool result: "), Output], ..QUOTED_RESULT },
];
