//! Selected text as a tool's result: of the preceding pending call, or of a new call.

use std::ops::Range;

use super::super::conversion::{ConversionError, check_preserved, new_errors};
use super::super::formatting::ReplaceEdit;
use super::{in_brackets, losses_of_result, sorted, start_of};
use crate::call::{CallPart, ToolUse, UseData, UseOutcome, UseStatus};
use crate::convert::{ConversionLoss, loss_text, losses as losses_between};
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

/// Checks that `edits`, which write a selection as a result, change no other tool use and add no
/// error.
///
/// # Errors
///
/// The first violation.
pub fn check(document: &Document, edits: &[ReplaceEdit]) -> Result<(), ConversionError> {
    let after = document.edited(edits);
    let (old, new) = (document.tool_uses(), after.tool_uses());
    let is_same = |old: &ToolUse, new: &ToolUse| old.name == new.name && losses_between(old, new).is_empty();
    let first = old.iter().zip(&new).take_while(|(old, new)| is_same(old, new)).count();
    let is_added = new.len() == old.len() + 1
        && old.iter().skip(first).zip(new.iter().skip(first + 1)).all(|(old, new)| is_same(old, new));
    if !is_added {
        return check_preserved(document, &after, &|_, loss| matches!(loss, ConversionLoss::State(_)));
    }
    match new_errors(document, &after) {
        errors if errors.is_empty() => Ok(()),
        errors => Err(ConversionError::Errors(errors)),
    }
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
/// Of a fenced code block, the whole block is selected, and its content is the text.
fn selected(
    document: &Document,
    uses: &PairedUses<'_>,
    range: &Range<usize>,
) -> Option<(Range<usize>, String)> {
    if document.language() != Language::Markdown {
        return None;
    }
    let trimmed = |range: &Range<usize>| {
        let text = document.text().slice(range.clone());
        let start = range.start + text.len() - text.trim_start().len();
        start..start + text.trim().len()
    };
    let (mut range, mut shown) = (trimmed(range), trimmed(range));
    let tree = document.tree();
    if let Some(fence) = tree.fence(tree.head_of(tree.segment_at(range.start)?.index))
        && [&fence.range, &fence.content].iter().any(|it| trimmed(it) == range)
        && fence.closed
    {
        (range, shown) = (trimmed(&fence.range), trimmed(&fence.content));
    }
    let is_in = |at: &LocatedUseBlock<'_>| {
        let block = document.range_of(at);
        block.start < range.end && range.start < block.end
    };
    if shown.is_empty() || uses.blocks().iter().any(is_in) {
        return None;
    }
    let line = document.text().byte_of_line(document.text().line_of_byte(shown.start));
    let before = document.text().slice(line..shown.start);
    let prefix: String = before.chars().map(|c| if c == '>' { c } else { ' ' }).collect();
    let is_prefix = prefix.trim_end().chars().all(|c| matches!(c, '>' | ' '));
    let without = |line: &str| -> String {
        let own = line.strip_prefix(&prefix).or_else(|| line.strip_prefix(prefix.trim_end()));
        own.filter(|_| is_prefix).unwrap_or(line).to_owned()
    };
    let lines = document.text().slice(shown).replace("\r\n", "\n");
    let mut lines = lines.split('\n');
    let first = lines.next().unwrap_or_default().to_owned();
    let all: Vec<String> = std::iter::once(first).chain(lines.map(without)).collect();
    Some((range, all.join("\n")))
}

/// The last call before the byte `at` that has no result.
fn pending_before<'d>(document: &Document, uses: &PairedUses<'d>, at: usize) -> Option<LocatedUseBlock<'d>> {
    let pending = uses.uses.iter().rev().filter(|tool_use| tool_use.status == UseStatus::Pending);
    let mut calls = pending
        .filter_map(|it| uses.parts(it).find(|at| at.block.part == CallPart::Call && at.block.is_readable));
    calls.find(|call| document.range_of(call).end <= at)
}
