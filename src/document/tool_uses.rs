//! The tool uses of a document in full, for output.

use std::collections::{HashMap, HashSet};

use crate::call::pairing::Pairing;
use crate::call::{CallPart, CallText, ToolUse, UseStatus};
use crate::dialect::{DIALECTS, name_of};
use crate::document::fallback_ids::fallback_id;
use crate::document::located_blocks::LocatedBlock;
use crate::document::pairs::PairedUse;
use crate::document::{Document, PairedUses};
use crate::never::{OrNever, never};
use crate::text::Span;

/// Maximum number of tool uses parsed in full at once, and size in bytes of their segments.
const USES_AT_ONCE: usize = 1 << 9;
const BYTES_AT_ONCE: usize = 1 << 20;

impl Document {
    /// The tool uses in full, in order; parses every block again.
    pub fn tool_uses(&self) -> Vec<ToolUse> {
        let mut found = Vec::new();
        self.for_each_tool_use(|tool_use| found.push(tool_use));
        found
    }

    /// Like [`Document::tool_uses`], but visits one after the other, without holding all of them in
    /// memory.
    pub fn for_each_tool_use(&self, mut visit: impl FnMut(ToolUse)) {
        if let Some(log) = &self.summarized_uses {
            return self.for_each_summarized(log, visit);
        }
        let uses = self.paired_uses();
        let segment_of = |index: usize| {
            let block = uses.uses.get(index)?.parts.first().and_then(|part| uses.block(*part))?;
            Some(block.segment)
        };
        let mut in_delta_text = self.tool_uses_in_delta_text().into_iter().peekable();
        let mut start = 0;
        while start < uses.uses.len() {
            let mut end = self.end_of_some(&uses, start);
            // A segment is parsed as a whole: its tool uses stay together.
            while segment_of(end).is_some_and(|next| Some(next) == segment_of(end - 1)) {
                end += 1;
            }
            let some: Vec<usize> = (start..end).collect();
            for found in self.tool_uses_of(&uses, &some) {
                while let Some(before) = in_delta_text.next_if(|it| it.range.start < found.range.start) {
                    visit(before);
                }
                visit(found);
            }
            start = end;
        }
        in_delta_text.for_each(visit);
    }

    /// The end of the tool uses from `start` on that are parsed at once.
    fn end_of_some(&self, uses: &PairedUses<'_>, start: usize) -> usize {
        let (mut end, mut bytes, mut counted) = (start, 0, HashSet::new());
        for tool_use in uses.uses.iter().skip(start).take(USES_AT_ONCE) {
            end += 1;
            for part in uses.parts(tool_use).filter(|part| counted.insert(part.segment)) {
                bytes += self.tree.get(part.segment).map_or(0, |segment| segment.len as usize);
            }
            if bytes > BYTES_AT_ONCE {
                break;
            }
        }
        end
    }

    fn tool_uses_in_delta_text(&self) -> Vec<ToolUse> {
        let Some(delta_text) = self.delta_text() else { return Vec::new() };
        let uses = delta_text.tool_uses();
        let ranges = self.ranges_of_delta_text(uses.iter().map(|tool_use| tool_use.range.clone()));
        uses.into_iter()
            .zip(ranges)
            .map(|(tool_use, range)| ToolUse { range, batch: None, ..tool_use })
            .collect()
    }

    /// Some of the tool uses in full: `wanted` are indices of `Pairs::uses`. Parses only
    /// their own blocks.
    pub fn tool_uses_of(&self, uses: &PairedUses<'_>, wanted: &[usize]) -> Vec<ToolUse> {
        let of_uses = wanted.iter().filter_map(|index| Some((*index, uses.uses.get(*index)?)));
        let mut indices: Vec<usize> = of_uses.clone().flat_map(|(_, it)| it.parts.iter().copied()).collect();
        indices.sort_unstable();
        let blocks: Vec<_> = indices.iter().filter_map(|index| uses.block(*index)).collect();
        let mut parts: HashMap<usize, ToolUse> = indices.into_iter().zip(self.parts_of(&blocks)).collect();
        let full = |(index, tool_use): (usize, &PairedUse)| {
            let own = tool_use.parts.iter().map(|part| parts.remove(part).or_never());
            let first = tool_use.parts.first().copied().or_never();
            let batch = uses.batch_index_of(first);
            let full = ToolUse { batch, ..ToolUse::of_parts(own) };
            full.complete(tool_use.status, uses.number_of(index))
        };
        of_uses.map(full).collect()
    }

    /// All of `uses` in full: the tool uses outside of the delta text.
    pub fn all_tool_uses_of(&self, uses: &PairedUses<'_>) -> Vec<ToolUse> {
        self.tool_uses_of(uses, &(0..uses.uses.len()).collect::<Vec<_>>())
    }

    /// The tool use at `index` of `uses` in full.
    pub fn tool_use(&self, uses: &PairedUses<'_>, index: usize) -> Option<ToolUse> {
        self.tool_uses_of(uses, &[index]).pop()
    }

    /// The parsed content of each of `blocks`, in order: parses each segment once.
    pub(crate) fn parts_of(&self, blocks: &[LocatedBlock<'_>]) -> Vec<ToolUse> {
        let mut parts: Vec<Option<ToolUse>> = Vec::new();
        parts.resize_with(blocks.len(), || None);
        let mut before = 0;
        for of_segment in blocks.chunk_by(|one, other| one.segment == other.segment) {
            let places: HashMap<(Option<Span>, CallPart), usize> = of_segment
                .iter()
                .zip(before..)
                .map(|(at, index)| ((at.block.span, at.block.part), index))
                .collect();
            before += of_segment.len();
            let Some(segment) = of_segment.first().map(|at| at.segment) else { continue };
            self.visit_calls(segment, &mut |span, call| {
                let place = places.get(&(Some(span), call.part)).or_else(|| places.get(&(None, call.part)));
                let place = place.and_then(|place| Some((blocks.get(*place)?, parts.get_mut(*place)?)));
                if let Some((at, part)) = place {
                    let brace = at.block.brace.map(|brace| at.offset + brace as usize);
                    *part = Some(ToolUse::of_part(call, CallText::of(call, self.text(), brace)));
                }
            });
        }
        let missing = || {
            // The file may be changed while it is read.
            never!(self.text().is_intact(), "a part of a tool use is not there");
            ToolUse::default()
        };
        let of_block = |(part, at): (Option<ToolUse>, &LocatedBlock<'_>)| ToolUse {
            dialect: name_of(at.block.dialect),
            range: self.range_of(at),
            ..part.unwrap_or_else(missing)
        };
        parts.into_iter().zip(blocks).map(of_block).collect()
    }
}

impl ToolUse {
    /// The tool use of `parts`, in order, until it is [complete](ToolUse::complete).
    pub(super) fn of_parts(parts: impl Iterator<Item = Self>) -> Self {
        let mut joined = Self::default();
        parts.for_each(|part| joined.add_part(part));
        joined
    }

    /// The tool use after its last part, with `status`. A call without an id has the fallback id
    /// with `number`.
    pub(super) fn complete(mut self, status: UseStatus, number: Option<u32>) -> Self {
        self.finish();
        self.status = status;
        let is_log = |pairing| matches!(pairing, Pairing::ById | Pairing::InConversation);
        if DIALECTS.iter().any(|known| known.name == self.dialect && is_log(known.pairing)) {
            let is_open = status == UseStatus::Pending && !self.has_call;
            self.state = Some(if is_open { "input-streaming" } else { status.state() }.to_owned());
        }
        if let (None, Some(number)) = (&self.id, number) {
            self.id = Some(fallback_id(self.dialect, number));
            self.id_is_fallback = true;
        }
        self
    }
}
