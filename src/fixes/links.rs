//! Proposed fixes for link diagnostics. They are made from the document, because a rule sees only
//! one block.
//!
//! Dialects write their own results; the document knows which blocks share an id or form one
//! outdated tool use.

use std::ops::Range;

use super::DocumentEdit;
use crate::call::pairing::Pairing;
use crate::call::{Block, Call, CallPart, UseOutcome};
use crate::diagnostic::Fix;
use crate::document::{Document, LocatedBlock, PairedUses};
use crate::json::quote;
use crate::json_repair::members;
use crate::places::line_end;
use crate::rules::links::CrossBlockFact;
use crate::text::Span;

type EditsOfCall = Vec<(Span, String)>;

impl Document {
    /// True if a block belongs to a message.
    pub(super) fn is_in_message(&self, segment: usize, block: usize) -> bool {
        let block = self.blocks_of(segment).get(block);
        block.is_some_and(|block| block.pairing == Pairing::InConversation)
    }

    /// The fix for the issue `fact` of a block; visits at most `left` blocks.
    pub(super) fn fix_of_link(
        &self,
        fact: CrossBlockFact,
        segment: usize,
        block: usize,
        left: &mut usize,
    ) -> Option<Fix<Range<usize>>> {
        if matches!(
            fact,
            CrossBlockFact::NoResult | CrossBlockFact::DuplicateFallbackId | CrossBlockFact::DuplicateId
        ) {
            // The whole segment is parsed again.
            *left = left.checked_sub(self.blocks_of(segment).len())?;
        }
        let (title, edits) = match fact {
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

    /// The fix that replaces the outdated call, or result without a call, at `start` by a `<tool>`
    /// block and removes the separate result.
    pub(super) fn unified(&self, uses: &PairedUses<'_>, start: usize) -> Option<Fix<Range<usize>>> {
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
        let parts: Vec<LocatedBlock<'_>> = uses.parts(tool_use).collect();
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
