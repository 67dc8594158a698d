//! Selected text as a tool's result: of the preceding pending call, or of a new call.

use std::ops::Range;

use super::super::conversion::{ConversionError, Unedited, new_errors};
use super::{in_brackets, losses_of_result, outcomes, start_of};
use crate::call::{ToolUse, UseData, UseOutcome, UseStatus};
use crate::convert::{ConversionLoss, loss_text, losses as losses_between};
use crate::dialect::Dialect;
use crate::document::{Document, Language, LocatedBlock, PairedUses};
use crate::places::BlockPlacement;
use crate::text::cut;
use crate::text::edit::{DocumentEdit, sorted};

/// The tool name of a new call.
const TOOL: &str = "tool";

/// A selection that becomes a result.
struct Wrapped {
    /// The name of the call that gets it, and its index; `None` for a new call.
    call: Option<(String, usize)>,
    /// The start of the call; for a new call, of the written text.
    at: usize,
    /// The result.
    outcome: UseOutcome,
    /// The edits, in document order.
    edits: Vec<DocumentEdit>,
}

/// The title for the selection `range`; `None` if it is blank or contains calls.
pub fn title(document: &Document, range: &Range<usize>) -> Option<String> {
    let wrapped = Wrapped::of(document, range)?;
    let lost = in_brackets(&loss_text::of_one(&wrapped.losses(document)));
    Some(match wrapped.call {
        Some((name, _)) => format!("Make it the result of `{}`{lost}", cut(&name, 60)),
        None => format!("Wrap it as a tool's result{lost}"),
    })
}

/// The losses of the result, compared with the selection.
pub fn losses(document: &Document, range: &Range<usize>) -> Vec<ConversionLoss> {
    Wrapped::of(document, range).map(|wrapped| wrapped.losses(document)).unwrap_or_default()
}

/// The edits that write the selection as a result, change no other tool use and add no error.
///
/// # Errors
///
/// The first violation.
pub fn checked(document: &Document, range: &Range<usize>) -> Result<Vec<DocumentEdit>, ConversionError> {
    let wrapped = Wrapped::of(document, range).ok_or(ConversionError::NothingToDo)?;
    match wrapped.call {
        Some((_, index)) => outcomes::check_added(document, index, &wrapped.edits)?,
        None => check_new(document, &wrapped.edits)?,
    }
    Ok(wrapped.edits)
}

/// Checks that `edits` add one tool use, change no other tool use and add no error.
fn check_new(document: &Document, edits: &[DocumentEdit]) -> Result<(), ConversionError> {
    let after = document.edited(edits);
    let (old, new) = (document.tool_uses(), after.tool_uses());
    let is_same = |old: &ToolUse, new: &ToolUse| {
        old.name == new.name && old.status == new.status && losses_between(old, new).is_empty()
    };
    let first = old.iter().zip(&new).take_while(|(old, new)| is_same(old, new)).count();
    let is_added = new.len() == old.len() + 1
        && new.get(first).is_some_and(|new| new.status == UseStatus::Done)
        && old.iter().skip(first).zip(new.iter().skip(first + 1)).all(|(old, new)| is_same(old, new));
    if !is_added {
        Unedited::of(document).check_preserved(&after, &|_, _| false)?;
        return Err(ConversionError::NoPlace);
    }
    match new_errors(document, &after) {
        errors if errors.is_empty() => Ok(()),
        errors => Err(ConversionError::Errors(errors)),
    }
}

impl Wrapped {
    /// The selection `range` as the result of the preceding pending call, or of a new one if the
    /// form of that call has no results that can be written.
    fn of(document: &Document, range: &Range<usize>) -> Option<Self> {
        let uses = document.paired_uses();
        let (range, text) = selected(document, &uses, range)?;
        let outcome = UseOutcome::Output(UseData::Text(text));
        Self::of_pending(document, &uses, &range, &outcome)
            .or_else(|| Self::new(document, &uses, range, outcome))
    }

    fn of_pending(
        document: &Document,
        uses: &PairedUses<'_>,
        range: &Range<usize>,
        outcome: &UseOutcome,
    ) -> Option<Self> {
        let (index, call) = pending_before(document, uses, range.start)?;
        let removal = document.removal_range(range.clone());
        let mut edits = outcomes::completion(document, &call, outcome)?;
        if edits.iter().any(|(edit, _)| removal.start < edit.end && edit.start < removal.end) {
            return None;
        }
        edits.push((removal, String::new()));
        let name = call.block.name().unwrap_or("tool").to_owned();
        let at = document.range_of(&call).start;
        Some(Self { call: Some((name, index)), at, outcome: outcome.clone(), edits: sorted(edits) })
    }

    fn new(
        document: &Document,
        uses: &PairedUses<'_>,
        range: Range<usize>,
        outcome: UseOutcome,
    ) -> Option<Self> {
        // A name that is not in the registry would be an error; a fence needs no name.
        let registry = &document.settings().registry;
        let is_known = !registry.configured || registry.tools.contains_key(TOOL);
        let name = is_known.then(|| TOOL.to_owned());
        let call = ToolUse { has_call: true, name, ..ToolUse::default() };
        let tool_use = call.with_outcome(outcome.clone());
        let to = usual(uses, |dialect| is_known || dialect.name == "fence")?;
        let written = (to.writer.as_ref()?.write)(&tool_use, document.settings())?;
        let edit = document.rewritten(range, &written, BlockPlacement::of(to));
        Some(Self { call: None, at: start_of(&edit), outcome, edits: vec![edit] })
    }

    fn losses(&self, document: &Document) -> Vec<ConversionLoss> {
        losses_of_result(&document.edited(&self.edits), self.at, &self.outcome)
    }
}

/// The dialect for a new call: the dialect of the first block in a Markdown dialect that is not
/// outdated and that `fits` accepts, or else the first such dialect.
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
    let is_in = |at: &LocatedBlock<'_>| {
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

/// The last call before the byte `at` that has no result, and the index of its tool use.
fn pending_before<'d>(
    document: &Document,
    uses: &PairedUses<'d>,
    at: usize,
) -> Option<(usize, LocatedBlock<'d>)> {
    let calls = uses.uses.iter().enumerate().rev();
    let mut pending = calls.filter_map(|(index, it)| Some((index, outcomes::pending_call(uses, it)?)));
    pending.find(|(_, call)| document.range_of(call).end <= at)
}
