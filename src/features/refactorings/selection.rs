//! Selected text as a tool's result: of the preceding pending call, or of a new call.

use std::ops::Range;

use super::super::formatting::ReplaceEdit;
use super::{in_brackets, losses_of_result, sorted, start_of};
use crate::call::{CallPart, ToolUse, UseData, UseOutcome, UseStatus};
use crate::convert::{ConversionLoss, loss_text};
use crate::dialect::Dialect;
use crate::document::call_position::CallPosition;
use crate::document::paired_uses::{LocatedUseBlock, PairedUses};
use crate::document::{BlockPlacement, Document, Language};
use crate::text::abbreviate::cut;

/// The tool name of a new call.
const TOOL: &str = "tool";

/// The title for the selection `range`; `None` if it is blank or contains calls.
pub fn title(document: &Document, uses: &PairedUses<'_>, range: &Range<usize>) -> Option<String> {
    selected(document, uses, range)?;
    let lost = wrap(document, range).map(|edits| losses(document, range, &edits)).unwrap_or_default();
    let lost = in_brackets(&loss_text::of_one(&lost));
    Some(match pending_before(document, uses, range.start) {
        Some(call) => {
            let name = call.block.name().map_or("tool", |name| name.text);
            format!("Make it the result of `{}`{lost}", cut(name, 60))
        }
        None => format!("Wrap it as a tool's result{lost}"),
    })
}

/// The losses of the result that `edits` write, compared with the selection.
pub fn losses(document: &Document, range: &Range<usize>, edits: &[ReplaceEdit]) -> Vec<ConversionLoss> {
    let uses = document.paired_uses();
    let Some((range, text)) = selected(document, &uses, range) else { return Vec::new() };
    let at = match (pending_before(document, &uses, range.start), edits.first()) {
        (Some(call), _) => document.range_of(&call).start,
        (None, Some(edit)) => start_of(edit),
        (None, None) => return Vec::new(),
    };
    losses_of_result(&document.edited(edits), at, &UseOutcome::Output(UseData::Text(text)))
}

/// Writes the selection as a result.
pub fn wrap(document: &Document, range: &Range<usize>) -> Option<Vec<ReplaceEdit>> {
    let uses = document.paired_uses();
    let (range, text) = selected(document, &uses, range)?;
    let output = UseData::Text(text);
    if let Some(call) = pending_before(document, &uses, range.start) {
        let complete = |spot: &CallPosition<'_>| -> Vec<ReplaceEdit> {
            let edits = (spot.dialect.complete)(spot.call, &UseOutcome::Output(output));
            edits.into_iter().map(|(span, text)| spot.edit(span, text)).collect()
        };
        let mut edits = document.call_position_at(document.range_of(&call).start, complete)?;
        edits.push((document.removal_range(range), String::new()));
        return Some(sorted(edits));
    }
    // A name that is not in the registry would be an error; a fence needs no name.
    let registry = &document.settings().registry;
    let is_known = !registry.configured || registry.tools.contains_key(TOOL);
    let tool_use = ToolUse {
        has_call: true,
        has_result: true,
        name: is_known.then(|| TOOL.to_owned()),
        output: Some(output),
        status: UseStatus::Done,
        ..ToolUse::default()
    };
    let to = usual(&uses, |dialect| is_known || dialect.name == "fence")?;
    let written = (to.writer.as_ref()?.write)(&tool_use, document.settings())?;
    Some(vec![document.rewritten(range, &written, BlockPlacement::of(to))])
}

/// The dialect for a new call: that of the first block in a Markdown dialect that is not outdated
/// and that `fits` accepts, or else the first such dialect.
pub fn usual(uses: &PairedUses<'_>, fits: impl Fn(&Dialect) -> bool) -> Option<&'static Dialect> {
    let of_blocks = uses.blocks().iter().filter_map(|at| crate::dialect::by_index(at.block.dialect));
    let mut known = of_blocks.chain(crate::dialect::DIALECTS.iter().copied());
    known.find(|dialect| !dialect.lines && dialect.outdated.is_none() && fits(dialect))
}

/// The selection without surrounding white space, and its text without the prefixes of containers.
fn selected(
    document: &Document,
    uses: &PairedUses<'_>,
    range: &Range<usize>,
) -> Option<(Range<usize>, String)> {
    if document.language() == Language::Log {
        return None;
    }
    let is_in = |at: &LocatedUseBlock<'_>| {
        let block = document.range_of(at);
        block.start < range.end && range.start < block.end
    };
    let text = document.text().slice(range.clone());
    let start = range.start + text.len() - text.trim_start().len();
    let trimmed = text.trim();
    if trimmed.is_empty() || uses.blocks().iter().any(is_in) {
        return None;
    }
    let line = document.text().byte_of_line(document.text().line_of_byte(start));
    let before = document.text().slice(line..start);
    let prefix: String = before.chars().map(|c| if c == '>' { c } else { ' ' }).collect();
    let is_prefix = prefix.trim_end().chars().all(|c| matches!(c, '>' | ' '));
    let without = |line: &str| -> String {
        let own = line.strip_prefix(&prefix).or_else(|| line.strip_prefix(prefix.trim_end()));
        own.filter(|_| is_prefix).unwrap_or(line).to_owned()
    };
    let lines = trimmed.replace("\r\n", "\n");
    let mut lines = lines.split('\n');
    let first = lines.next().unwrap_or_default().to_owned();
    let all: Vec<String> = std::iter::once(first).chain(lines.map(without)).collect();
    Some((start..start + trimmed.len(), all.join("\n")))
}

/// The last call before the byte `at` that has no result.
fn pending_before<'d>(document: &Document, uses: &PairedUses<'d>, at: usize) -> Option<LocatedUseBlock<'d>> {
    let pending = uses.uses.iter().rev().filter(|tool_use| tool_use.status == UseStatus::Pending);
    let mut calls = pending
        .filter_map(|it| uses.parts(it).find(|at| at.block.part == CallPart::Call && at.block.is_readable));
    calls.find(|call| document.range_of(call).end <= at)
}
