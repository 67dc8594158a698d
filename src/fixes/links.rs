//! Proposed fixes for link diagnostics. They are made from the document, because a rule sees only
//! one block.
//!
//! Dialects write their own results; the document knows which blocks share an id or form one
//! outdated tool use.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::propose::Proposal;
use super::{DocumentEdit, LINK_TITLE};
use crate::call::pairing::Pairing;
use crate::call::{Block, Call, CallPart, UseOutcome};
use crate::checks::LinkDiagnostic;
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::document::paired_uses::PairedUses;
use crate::document::{Document, LocatedUseBlock};
use crate::json::quote;
use crate::json_repair::members;
use crate::places::line_end;
use crate::rules::links::CrossBlockFact;
use crate::text::Span;

type EditsOfCall = Vec<(Span, String)>;

/// Maximum number of blocks that are searched for blocks that share an id. In logs with very many
/// records of one id, only the first diagnostics have fixes.
const MOST_LOOKED_AT: usize = 20_000;

/// The codes of problems of requests.
const REQUEST_CODES: &[Code] = &[
    Code::BadRole,
    Code::EmptyContent,
    Code::RejectedName,
    Code::TrainingExample,
    Code::StreamOrder,
    Code::WrongType,
    Code::OrphanResult,
];

/// The codes besides `duplicate-id` that have fixes in message logs.
const MESSAGE_CODES: &[Code] =
    &[Code::MissingResult, Code::OrphanResult, Code::DuplicateResult, Code::StreamOrder];

impl Document {
    /// The proposed fixes for the link diagnostics among `problems`.
    pub(super) fn proposals_of_links(&self, problems: &[Diagnostic]) -> Vec<Proposal<Range<usize>>> {
        let proposal = |problem: &Diagnostic, fix: Option<Fix<Range<usize>>>| Proposal {
            code: problem.code,
            place: problem.range.clone(),
            message: problem.message.clone(),
            fixes: fix.into_iter().collect(),
        };
        let key = |problem: &Diagnostic| (problem.range.start, problem.range.end, problem.code);
        let keys: BTreeSet<_> = problems.iter().map(key).collect();
        let mut proposals = Vec::new();
        let is_any = |codes: &[Code]| problems.iter().any(|problem| codes.contains(&problem.code));
        let of_records = is_any(&[Code::DuplicateId, Code::PendingCall]);
        if of_records || is_any(MESSAGE_CODES) {
            let is_wanted = |found: &LinkDiagnostic| keys.contains(&key(&found.diagnostic));
            let requested: Vec<_> = self.link_diagnostics().into_iter().filter(is_wanted).collect();
            let of_messages = requested.iter().any(|found| self.is_in_message(found));
            let messages = if of_messages { self.message_fixes() } else { Vec::new() };
            let mut of_blocks: BTreeMap<_, _> =
                messages.into_iter().map(|it| ((it.segment, it.block, it.fact), it.fix)).collect();
            let mut left = MOST_LOOKED_AT;
            proposals.extend(requested.iter().filter_map(|found| {
                let fix = match self.is_in_message(found) {
                    true => of_blocks.remove(&(found.segment, found.block, found.fact)).flatten(),
                    false if of_records => self.fixes_of_link(found, &mut left),
                    false => return None,
                };
                Some(proposal(&found.diagnostic, fix))
            }));
        }
        if is_any(&[Code::LostParent]) {
            let of_lost = problems.iter().filter(|problem| problem.code == Code::LostParent);
            let by_start: BTreeMap<_, _> = of_lost.map(|problem| (problem.range.start, problem)).collect();
            proposals.extend(self.lost_parents().iter().filter_map(|lost| {
                let problem = by_start.get(&lost.place.start)?;
                let edit = self.link_to_record_before(lost)?;
                Some(proposal(problem, Some(Fix::new(LINK_TITLE, vec![edit]).preferred())))
            }));
        }
        if is_any(REQUEST_CODES) {
            let found = self.request_fixes(|found| keys.contains(&key(found))).into_iter();
            proposals.extend(found.map(|(problem, fix)| proposal(&problem.diagnostic, fix)));
        }
        if problems.iter().any(|problem| problem.code.is_deprecation()) {
            let uses = self.paired_uses();
            let outdated = problems.iter().filter(|problem| problem.code.is_deprecation());
            proposals.extend(outdated.map(|problem| proposal(problem, self.unified(&uses, problem))));
        }
        if is_any(&[Code::UnusedSuppression]) {
            proposals.extend(self.unused_suppressions().iter().map(|unused| Proposal {
                fixes: self.fixes_of_suppression(unused),
                ..proposal(&unused.diagnostic, None)
            }));
        }
        proposals
    }

    fn is_in_message(&self, found: &LinkDiagnostic) -> bool {
        let block = self.blocks_of(found.segment).get(found.block);
        block.is_some_and(|block| block.pairing == Pairing::InConversation)
    }

    /// The fix for `found`; visits at most `left` blocks.
    fn fixes_of_link(&self, found: &LinkDiagnostic, left: &mut usize) -> Option<Fix<Range<usize>>> {
        let (segment, block) = (found.segment, found.block);
        if matches!(
            found.fact,
            CrossBlockFact::NoResult | CrossBlockFact::DuplicateFallbackId | CrossBlockFact::DuplicateId
        ) {
            // The whole segment is parsed again.
            *left = left.checked_sub(self.blocks_of(segment).len())?;
        }
        let (title, edits) = match found.fact {
            CrossBlockFact::NoResult => {
                let complete = |call: &Call<'_>, block: &Block| {
                    crate::dialect::by_index(block.dialect)
                        .map(|dialect| (dialect.complete)(call, &UseOutcome::Empty))
                        .unwrap_or_default()
                };
                ("Add an empty result".to_owned(), self.edits_of(segment, block, &complete)?)
            }
            CrossBlockFact::DuplicateFallbackId => {
                let id = quote(&self.free_id("call_1"));
                let insert = |call: &Call<'_>, _: &Block| {
                    let place = call.object.zip(call.payload).map(|(object, payload)| {
                        let (span, text) = members::prepend(object, &format!("\"toolCallId\": {id}"));
                        (span.shifted(payload.start), text)
                    });
                    place.into_iter().collect()
                };
                (format!("Give it the id {id}"), self.edits_of(segment, block, &insert)?)
            }
            CrossBlockFact::DuplicateId => {
                let located = self.tree().locate(segment)?;
                let written = located.data().blocks.get(block)?.id()?;
                let id = self.free_id(written);
                let quoted = quote(&id);
                let replace =
                    |call: &Call<'_>, _: &Block| call.id.iter().map(|id| (id.span, quoted.clone())).collect();
                let mut edits = Vec::new();
                for (segment, block) in self.first_use_with_id(segment, block, left)? {
                    edits.extend(self.edits_of(segment, block, &replace)?);
                }
                (format!("Write another id: `{id}`"), edits)
            }
            _ => return None,
        };
        Some(Fix::new(title, edits).preferred())
    }

    /// The blocks that begin in a segment.
    fn blocks_of(&self, segment: usize) -> &[Block] {
        self.tree().get(segment).map_or(&[], |segment| &segment.attachment.data().blocks)
    }

    /// The block, and for a record all later records of its log with the same id; `None` if that
    /// would visit more than `left` blocks.
    fn first_use_with_id(
        &self,
        segment: usize,
        block: usize,
        left: &mut usize,
    ) -> Option<Vec<(usize, usize)>> {
        let first = self.blocks_of(segment).get(block)?;
        let id = first.id()?;
        let segments = match (first.pairing, first.span) {
            (Pairing::SelfContained, _) => return Some(vec![(segment, block)]),
            // A fence is a log of its own; the records of a document are its lines.
            (_, Some(_)) => vec![segment],
            (pairing, None) => self.segments_with_id(pairing, id),
        };
        let mut same = Vec::new();
        for at in segments.into_iter().filter(|at| *at >= segment) {
            let behind = if at == segment { block } else { 0 };
            *left = left.checked_sub(self.blocks_of(at).len())?;
            let found = self.blocks_of(at).iter().enumerate().skip(behind);
            let found = found.filter(|(_, other)| other.pairing == first.pairing && other.id() == Some(id));
            same.extend(found.map(|(index, _)| (at, index)));
        }
        Some(same)
    }

    /// The edits that `edit` makes for one block, which is parsed again, in document offsets.
    fn edits_of(
        &self,
        segment: usize,
        block: usize,
        edit: &dyn Fn(&Call<'_>, &Block) -> EditsOfCall,
    ) -> Option<Vec<DocumentEdit>> {
        let located = self.tree().locate(segment)?;
        let block = located.data().blocks.get(block)?;
        let range = block.span.map(|span| self.without_line_ends(located.absolute(span)));
        let mut edits = Vec::new();
        self.call_positions(segment, &mut |at| {
            // The ends are looked up in the text, so they come last.
            let is_own = |range: &Range<usize>| {
                range.start == at.range.start && *range == self.without_line_ends(at.range.clone())
            };
            if at.call.part == block.part && range.as_ref().is_none_or(is_own) {
                edits.extend(edit(at.call, block).into_iter().map(|(span, text)| at.edit(span, text)));
            }
        });
        (!edits.is_empty()).then_some(edits)
    }

    /// The fix that replaces an outdated call, or a result without a call, by a `<tool>` block and
    /// removes the separate result.
    fn unified(&self, uses: &PairedUses<'_>, problem: &Diagnostic) -> Option<Fix<Range<usize>>> {
        let start = problem.range.start;
        let block = uses.partition_point(|at| self.range_of(at).start < start);
        uses.block(block).filter(|at| self.range_of(at).start == start)?;
        let edits = self.unified_use(uses, uses.use_of(block)?)?;
        Some(Fix::new("Convert to a `<tool>` block", edits).preferred().safe())
    }

    /// The edits that rewrite a tool use of an outdated form, an index of `Pairs::uses`, as
    /// one `<tool>` block.
    pub fn unified_use(&self, uses: &PairedUses<'_>, index: usize) -> Option<Vec<DocumentEdit>> {
        let tool_use = uses.uses.get(index)?;
        let unify = crate::dialect::by_index(uses.parts(tool_use).next()?.block.dialect)?.unify?;
        let parts: Vec<LocatedUseBlock<'_>> = uses.parts(tool_use).collect();
        let part = |part: CallPart| parts.iter().find(|at| at.block.part == part).map(|at| self.range_of(at));
        let (call, result) = (part(CallPart::Call), part(CallPart::Result));
        let ranges: Vec<_> = call.iter().chain(&result).collect();
        // In a quote, every line of the result would need another prefix.
        if parts.len() > 2 || ranges.len() < parts.len() || ranges.iter().any(|range| self.is_quoted(range)) {
            return None;
        }
        let text = |range: &Option<Range<usize>>| range.clone().map(|range| self.text().slice(range));
        let unified = unify(text(&call).as_deref(), text(&result).as_deref())?;
        // The first line end is new, all others are written already.
        let line = self.text().line_of_byte(call.as_ref().or(result.as_ref())?.start);
        let unified = unified.replacen('\n', &line_end(self.text(), line), 1);
        Some(match (call, result) {
            (Some(call), Some(result)) => vec![(call, unified), (self.removal_range(result), String::new())],
            (call, result) => vec![(call.or(result)?, unified)],
        })
    }

    fn is_quoted(&self, range: &Range<usize>) -> bool {
        let line = self.text().byte_of_line(self.text().line_of_byte(range.start));
        // A line may be very long.
        let mut before = self.text().chunks(line..range.start);
        before.find_map(|piece| piece.chars().find(|letter| !letter.is_whitespace())) == Some('>')
    }
}
