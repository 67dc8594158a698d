//! A stream log as a Markdown document: its delta text, with the tool uses in order.

use std::borrow::Cow;
use std::sync::Arc;

use super::{ConversionObstacle, ConversionPlan};
use crate::call::ToolUse;
use crate::convert::convert;
use crate::dialect::Dialect;
use crate::document::{Document, Language};
use crate::json;
use crate::places::{DocumentPassage, OmittedBlock};
use crate::segments::data::DocumentSegment;
use crate::syntax::Attachment;
use crate::text::{Text, with_plain_line_ends};

/// A document with its tool uses in another dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewrittenLog {
    /// The whole text. For a log it ends in a line end, and its line ends are
    /// `\n`.
    pub text: String,
    /// The number of converted tool uses and their losses; for a log, without edits.
    pub plan: ConversionPlan,
}

/// Writes `document`, a log, as a Markdown document with its tool uses in the dialect `to`. `None`
/// if that would not be parsed as the same tool uses. Tool uses that the dialect cannot express are
/// left out and counted.
pub fn log_as_markdown(document: &Document, to: &Dialect) -> Option<RewrittenLog> {
    let mut plan = ConversionPlan { others: others(document), ..ConversionPlan::default() };
    let mut text = String::new();
    for passage in document.passages(&cuts) {
        match passage {
            DocumentPassage::Text(content, _) => {
                let content = with_plain_line_ends(&content);
                text.push_str(if text.is_empty() { &content } else { content.trim_start_matches('\n') });
            }
            DocumentPassage::Item(tool_use) => {
                let Some(converted) = convert(&tool_use, to, document.settings()) else {
                    plan.leave(document, &tool_use, to, ConversionObstacle::of(&tool_use));
                    continue;
                };
                plan.add(converted.losses);
                let before = text.trim_end().len();
                text.truncate(before);
                text.push_str(if before > 0 { "\n\n" } else { "" });
                text.push_str(&converted.text);
                text.push_str("\n\n");
            }
        }
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    let settings = Arc::clone(document.settings());
    let read = Document::new(Text::new(&text), Language::Markdown, settings)
        .assume_transcript()
        .quoting_messages()
        .tool_uses();
    (read.len() + plan.left == document.tool_uses().len()).then_some(RewrittenLog { text, plan })
}

/// Records that only mark the begin or end of something.
const STRUCTURE: [&str; 9] = [
    "start",
    "finish",
    "start-step",
    "finish-step",
    "step-start",
    "step-finish",
    "text-start",
    "text-end",
    "stream-start",
];

/// Number of records of a log that are neither delta text, nor parts of tool uses, nor structure.
fn others(document: &Document) -> usize {
    let is_other = |located: &DocumentSegment<'_>| {
        if !located.data().blocks.is_empty() || located.segment.attachment.summary().delta_text_len > 0 {
            return false;
        }
        let line = document.text().slice(located.content());
        let line = line.trim();
        let data = line.strip_prefix("data:").map_or(line, str::trim_start);
        let is_comment =
            data == "[DONE]" || ["event:", "id:", "retry:", ":"].iter().any(|it| line.starts_with(it));
        // In AI SDK 4: begin and end of steps and messages.
        let is_step = ["d:", "e:", "f:"].iter().any(|it| line.starts_with(it));
        if data.is_empty() || is_comment || is_step {
            return false;
        }
        let json = json::parse(data);
        let kind = json.root(data).and_then(|root| root.get("type")?.as_str().map(Cow::into_owned));
        kind.is_none_or(|kind| !STRUCTURE.contains(&kind.as_str()))
    };
    document.tree().iter().filter(is_other).count()
}

/// The tool uses that are records; tool uses in delta text stay in the text.
fn cuts(document: &Document, _: crate::places::RangeMapper<'_>) -> Vec<OmittedBlock<ToolUse>> {
    if document.language() == Language::Markdown {
        return Vec::new();
    }
    let uses = document.paired_uses();
    let tool_uses = document.all_tool_uses_of(&uses).into_iter();
    tool_uses.map(|it| OmittedBlock { range: it.range.clone(), item: Some(it) }).collect()
}
