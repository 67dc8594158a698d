//! Conversion: edits that write a call, a batch or all tool uses of a document in another dialect,
//! with the losses known in advance.
//!
//! The edits are tested on a copy of the document: every other tool use must stay the same, the
//! converted ones may lose only what was announced, and no new error may appear.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::call::ToolUse;
use crate::convert::{ConversionLoss, Converted, convert, loss_text};
use crate::diagnostic::{Code, Severity};
use crate::dialect::Dialect;
use crate::dialect::log::DIALECT as MESSAGES;
use crate::document::{Document, Language, LocatedBlock, PairedUses, Section, SectionKind};
use crate::never::OrNever;
use crate::places::BlockPlacement;
use crate::prose::counted;
use crate::syntax::{FenceView, SegmentKind};
use crate::text::edit::{DocumentEdit, sorted};

mod log;
mod refusal;

pub use log::{RewrittenLog, log_as_markdown};
pub use refusal::{ConversionError, ConversionObstacle, Unedited, named};

/// The tool uses to convert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConversionScope {
    /// The tool use of the block at a byte.
    Call(usize),
    /// The batch that contains the block at a byte.
    Batch(usize),
    /// All tool uses.
    Document,
}

/// The plan of a conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConversionPlan {
    /// The edits, in document offsets and document order.
    pub edits: Vec<DocumentEdit>,
    /// Number of converted tool uses.
    pub converted: usize,
    /// Number of tool uses in scope that stay unchanged because they cannot be written in the
    /// dialect.
    pub left: usize,
    /// The reason for the first of them.
    pub first_left: Option<ConversionError>,
    /// For a log that becomes a document: the number of dropped records, which are neither text nor
    /// tool calls.
    pub others: usize,
    /// The losses, and the number of tool uses with each.
    pub losses: BTreeMap<ConversionLoss, usize>,
    /// Number of messages of a text that are lost without the calls of its program: the lines that
    /// begin them count only beside these calls.
    pub speakers: usize,
    /// For each converted tool use, its index in the document and its losses.
    expected: BTreeMap<usize, Vec<ConversionLoss>>,
}

impl ConversionPlan {
    /// Counts a converted tool use with `losses`.
    fn add(&mut self, losses: Vec<ConversionLoss>) {
        for loss in losses {
            *self.losses.entry(loss).or_default() += 1;
        }
        self.converted += 1;
    }

    /// Counts a tool use of `document` that stays unchanged because of `obstacle`.
    fn leave(&mut self, document: &Document, tool_use: &ToolUse, to: &Dialect, obstacle: ConversionObstacle) {
        self.left += 1;
        self.first_left.get_or_insert_with(|| ConversionError::unwritable(document, tool_use, to, obstacle));
    }

    /// The losses in words: `drops 3 ids; changes 1 output`. Empty if there are none.
    pub fn losses(&self) -> String {
        let of_uses = match self.converted {
            1 => loss_text::of_one(&self.losses.keys().cloned().collect::<Vec<_>>()),
            _ => loss_text::of_several(&self.losses),
        };
        let speakers = || format!("loses the speakers of {}", counted(self.speakers, "message"));
        let parts = [Some(of_uses), (self.speakers > 0).then(speakers)];
        parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }
}

/// Plans the conversion of the tool uses of `scope` to the dialect `to`. `None` if the dialect can
/// express none of them. The plan is not tested yet; see [`check_conversion`].
pub fn plan(document: &Document, scope: ConversionScope, to: &Dialect) -> Option<ConversionPlan> {
    ScopeUses::of(document, &document.paired_uses(), scope).plan(to)
}

/// The tool uses of a scope in full, for plans to several dialects.
pub struct ScopeUses<'d, 'u> {
    document: &'d Document,
    uses: &'d PairedUses<'u>,
    full: Vec<(usize, ToolUse)>,
}

impl<'d, 'u> ScopeUses<'d, 'u> {
    /// The tool uses of `scope`, among `uses` of `document`; none if they cannot be converted.
    pub fn of(document: &'d Document, uses: &'d PairedUses<'u>, scope: ConversionScope) -> Self {
        let wanted = uses_in_scope(uses, scope).filter(|_| document.language() == Language::Markdown);
        let wanted = wanted.unwrap_or_default();
        let full = document.tool_uses_of(uses, &wanted);
        Self { document, uses, full: wanted.into_iter().zip(full).collect() }
    }

    /// Like [`plan`].
    pub fn plan(&self, to: &Dialect) -> Option<ConversionPlan> {
        let Self { document, uses, full } = self;
        let mut planner = ConversionPlanner { document, uses, to, plan: ConversionPlan::default() };
        let mut of_fences: BTreeMap<usize, Vec<(usize, &ToolUse)>> = BTreeMap::new();
        for (index, tool_use) in full.iter().filter(|(_, tool_use)| tool_use.dialect != to.name) {
            if tool_use.dialect == MESSAGES.name {
                planner.leave(*index, tool_use);
                continue;
            }
            match planner.log_of(*index) {
                Some(fence) => of_fences.entry(fence).or_default().push((*index, tool_use)),
                None => planner.convert(*index, tool_use),
            }
        }
        for (fence, of_fence) in of_fences {
            planner.convert_log(fence, &of_fence);
        }
        let ConversionPlan { edits, .. } = &mut planner.plan;
        *edits = sorted(std::mem::take(edits));
        (planner.plan.converted > 0).then_some(planner.plan)
    }
}

/// Like [`plan`], but tested on a copy of the document.
///
/// # Errors
///
/// The reason why there is no plan.
pub fn checked_plan(
    document: &Document,
    scope: ConversionScope,
    to: &Dialect,
) -> Result<ConversionPlan, ConversionError> {
    let planned = plan(document, scope, to).ok_or_else(|| unwritable(document, scope, to))?;
    let unedited = Unedited::of(document);
    let is_valid = |plan: ConversionPlan| check_conversion(&unedited, &plan).is_ok();
    match (check_conversion(&unedited, &planned), scope) {
        (Err(ConversionError::Misread { .. }), ConversionScope::Call(at))
            if plan(document, ConversionScope::Batch(at), to).is_some_and(is_valid) =>
        {
            Err(ConversionError::OfList)
        }
        (checked, _) => checked.map(|()| {
            let lost = messages_of(document).saturating_sub(messages_of(&document.edited(&planned.edits)));
            ConversionPlan { speakers: lost, ..planned }
        }),
    }
}

/// The number of messages in a text.
fn messages_of(document: &Document) -> usize {
    let is_message = |section: &&Section| matches!(section.kind, SectionKind::Message(..));
    document.sections().iter().filter(is_message).count()
}

/// The reason why there is no [`plan`].
fn unwritable(document: &Document, scope: ConversionScope, to: &Dialect) -> ConversionError {
    let uses = document.paired_uses();
    let wanted = uses_in_scope(&uses, scope).unwrap_or_default();
    if document.language() != Language::Markdown && !wanted.is_empty() {
        return ConversionError::NoMarkdown;
    }
    let full = document.tool_uses_of(&uses, &wanted);
    let mut others = wanted.iter().zip(&full).filter(|(_, it)| it.dialect != to.name);
    let Some((index, first)) = others.next() else { return ConversionError::NothingToDo };
    let planner = ConversionPlanner { document, uses: &uses, to, plan: ConversionPlan::default() };
    ConversionError::unwritable(document, first, to, planner.obstacle(*index, first))
}

/// Tests `plan` on a copy of the document.
///
/// # Errors
///
/// The first effect of `plan` that was not announced.
pub fn check_conversion(unedited: &Unedited<'_>, plan: &ConversionPlan) -> Result<(), ConversionError> {
    unedited.check_preserved(&unedited.document().edited(&plan.edits), &|index, loss| {
        plan.expected.get(&index).is_some_and(|expected| expected.contains(loss))
    })
}

/// The error codes that are more frequent in `after`.
pub fn new_errors(before: &Document, after: &Document) -> Vec<Code> {
    more_frequent(&errors_of(before), errors_of(after))
}

/// The number of errors of each code that a form can have. The schemas of tools do not count: calls
/// in forms of other programs are not checked against them, but the calls that a conversion writes
/// are.
fn errors_of(document: &Document) -> BTreeMap<Code, usize> {
    let mut counts: BTreeMap<Code, usize> = BTreeMap::new();
    let problems = document.diagnostics().into_iter();
    let is_of_form = |code| !matches!(code, Code::UnknownTool | Code::InvalidInput);
    for problem in problems.filter(|it| it.severity == Severity::Error && is_of_form(it.code)) {
        *counts.entry(problem.code).or_default() += 1;
    }
    counts
}

fn more_frequent(before: &BTreeMap<Code, usize>, after: BTreeMap<Code, usize>) -> Vec<Code> {
    let is_new = |(code, count): &(Code, usize)| before.get(code).is_none_or(|known| known < count);
    after.into_iter().filter(is_new).map(|(code, _)| code).collect()
}

/// The tool uses of `scope`, as indices of `Pairs::uses`, in document order.
pub fn uses_in_scope(uses: &PairedUses<'_>, scope: ConversionScope) -> Option<Vec<usize>> {
    match scope {
        ConversionScope::Document => Some((0..uses.uses.len()).collect()),
        ConversionScope::Call(at) => Some(vec![uses.use_at(at)?]),
        ConversionScope::Batch(at) => {
            let batch = uses.batch_of(uses.block_at(at)?)?;
            let mut wanted: Vec<usize> = uses.indices_in(batch.blocks.clone()).collect();
            wanted.sort_unstable();
            Some(wanted)
        }
    }
}

struct ConversionPlanner<'d, 'u> {
    document: &'d Document,
    uses: &'d PairedUses<'u>,
    to: &'d Dialect,
    plan: ConversionPlan,
}

impl ConversionPlanner<'_, '_> {
    fn parts(&self, index: usize) -> Vec<LocatedBlock<'_>> {
        self.uses.uses.get(index).map(|it| self.uses.parts(it).collect()).or_never()
    }

    /// Leaves the tool use at `index` unchanged.
    fn leave(&mut self, index: usize, tool_use: &ToolUse) {
        let obstacle = self.obstacle(index, tool_use);
        self.plan.leave(self.document, tool_use, self.to, obstacle);
    }

    fn obstacle(&self, index: usize, tool_use: &ToolUse) -> ConversionObstacle {
        match ConversionObstacle::of(tool_use) {
            ConversionObstacle::Form if self.log_of(index).is_some() && self.can_be_said(tool_use) => {
                ConversionObstacle::Log
            }
            obstacle => obstacle,
        }
    }

    /// True if the dialect has a form for `tool_use`.
    fn can_be_said(&self, tool_use: &ToolUse) -> bool {
        convert(tool_use, self.to, self.document.settings()).is_some()
    }

    /// The byte range of a block, without the line end after a fence.
    fn range_of(&self, at: &LocatedBlock<'_>) -> Range<usize> {
        self.document.without_line_ends(self.document.range_of(at))
    }

    /// The segment of the fenced log that contains the parts of the tool use.
    fn log_of(&self, index: usize) -> Option<usize> {
        let tree = self.document.tree();
        let is_line = |at: &LocatedBlock<'_>| {
            let is_fence = tree.get(at.segment).is_some_and(|it| matches!(it.kind, SegmentKind::Fence(_)));
            is_fence
                && tree.fence(at.segment).is_some_and(|fence| start_of(&fence) != self.range_of(at).start)
        };
        self.parts(index).iter().find(|at| is_line(at)).map(|at| at.segment)
    }

    fn converted(&mut self, index: usize, tool_use: &ToolUse) -> Option<String> {
        let Some(Converted { text, losses }) = convert(tool_use, self.to, self.document.settings()) else {
            self.leave(index, tool_use);
            return None;
        };
        self.plan.expected.insert(index, losses.clone());
        self.plan.add(losses);
        Some(text)
    }

    /// Replaces the first block by the converted text and deletes the others.
    fn convert(&mut self, index: usize, tool_use: &ToolUse) {
        let Some(text) = self.converted(index, tool_use) else { return };
        let range_of = |at: &LocatedBlock<'_>| self.document.with_markup(at.block, self.range_of(at));
        let ranges: Vec<_> = self.parts(index).iter().map(range_of).collect();
        for (number, range) in ranges.into_iter().enumerate() {
            let next = self.document.text().byte(range.end).filter(|_| is_in_list(tool_use));
            let placement = match next.is_some_and(|byte| !byte.is_ascii_whitespace()) {
                true => BlockPlacement::Alone,
                false => BlockPlacement::of(self.to),
            };
            let edit = match number {
                0 => self.document.rewritten(range, &text, placement),
                _ => (self.document.removal_range(range), String::new()),
            };
            self.plan.edits.push(edit);
        }
    }

    /// Replaces a fenced log as a whole if all of its lines are converted; otherwise leaves it
    /// unchanged.
    fn convert_log(&mut self, fence: usize, of_fence: &[(usize, &ToolUse)]) {
        let tree = self.document.tree();
        let Some(located) = tree.locate(fence).never_none() else { return };
        let data = located.data();
        let blocks: usize = of_fence.iter().map(|(index, _)| self.parts(*index).len()).sum();
        let is_all =
            !data.has_text && located.segment.attachment.delta_text_len == 0 && blocks == data.blocks.len();
        let is_own = |(index, _): &(usize, &ToolUse)| self.parts(*index).iter().all(|at| at.segment == fence);
        let Some(whole) = tree.fence(fence).filter(|_| is_all && of_fence.iter().all(is_own)) else {
            of_fence.iter().for_each(|(index, it)| self.leave(*index, it));
            return;
        };
        if !of_fence.iter().all(|(_, it)| self.can_be_said(it)) {
            of_fence.iter().for_each(|(index, it)| self.leave(*index, it));
            return;
        }
        let texts: Vec<_> = of_fence.iter().filter_map(|(index, it)| self.converted(*index, it)).collect();
        let range = self.document.without_line_ends(start_of(&whole)..whole.range.end);
        let edit = self.document.rewritten(range, &texts.join("\n\n"), BlockPlacement::of(self.to));
        self.plan.edits.push(edit);
    }
}

/// True if the call may be one of a list, which has no space between its calls.
fn is_in_list(tool_use: &ToolUse) -> bool {
    matches!(tool_use.dialect, "hermes" | "tagged")
}

/// The target dialects of conversions, with their display names.
pub fn targets() -> impl Iterator<Item = (&'static Dialect, &'static str)> {
    crate::dialect::DIALECTS
        .iter()
        .filter_map(|dialect| Some((*dialect, dialect.writer.as_ref()?.description)))
}

/// The display name of a target dialect.
pub fn words_of(to: &Dialect) -> &'static str {
    to.writer.as_ref().map_or(to.name, |writer| writer.description)
}

/// Start of a fence's opening line, after the prefix of its containers.
pub(super) fn start_of(fence: &FenceView) -> usize {
    fence.range.start + fence.head.fence.start as usize
}

#[cfg(test)]
mod tests;
