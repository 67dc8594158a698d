//! The tool uses of a document in full, for output: what their parts say, put together.

use std::collections::HashMap;

use super::{Document, Use, Uses};
use crate::call::{Part, Status, ToolUse};
use crate::dialect::{self, DIALECTS, Pairing};
use crate::text::Span;

impl Document {
    /// Its tool uses in full, in order: reads every block again.
    pub fn tool_uses(&self) -> Vec<ToolUse> {
        let uses = self.uses();
        let all: Vec<usize> = (0..uses.uses.len()).collect();
        let mut found = self.tool_uses_of(&uses, &all);
        if let Some(speech) = self.speech() {
            let said = speech.tool_uses();
            let ranges = self.ranges_of_speech(said.iter().map(|said| said.range.clone()));
            found.extend(said.into_iter().zip(ranges).map(|(said, range)| ToolUse {
                range,
                batch: None,
                ..said
            }));
            found.sort_by_key(|found| found.range.start);
        }
        found
    }

    /// Some of its tool uses in full: `wanted` are indices of [`Uses::uses`], in order. Reads their blocks again.
    pub fn tool_uses_of(&self, uses: &Uses<'_>, wanted: &[usize]) -> Vec<ToolUse> {
        let batches = uses.batches();
        let mut blocks: Vec<usize> = wanted
            .iter()
            .filter_map(|at| uses.uses.get(*at))
            .flat_map(|it| it.parts.iter().copied())
            .collect();
        blocks.sort_unstable();
        let mut parts = self.parts_of(uses, &blocks);
        let mut counts: HashMap<u8, usize> = HashMap::new();
        let mut wanted = wanted.iter().copied().peekable();
        let mut found = Vec::with_capacity(wanted.len());
        for (index, tool_use) in uses.uses.iter().enumerate() {
            if wanted.peek().is_none() {
                break;
            }
            let first = uses.parts(tool_use).next();
            let has = |part: Part| uses.parts(tool_use).any(|at| at.block.part == part);
            let is_orphan = has(Part::Result) && !has(Part::Call) && !has(Part::Both);
            let count = counts.entry(first.map_or(u8::MAX, |at| at.block.dialect)).or_default();
            *count += usize::from(!is_orphan);
            if wanted.next_if_eq(&index).is_none() {
                continue;
            }
            let mut full = self.put_together(uses, tool_use, &mut parts);
            let first = tool_use.parts.first().copied().unwrap_or_default();
            let batch = batches.partition_point(|found| found.blocks.end <= first);
            full.batch =
                batches.get(batch).is_some_and(|found| found.blocks.contains(&first)).then_some(batch);
            if full.id.is_none() && !is_orphan {
                full.id = Some(fallback_id(full.dialect, *count));
                full.id_is_fallback = true;
            }
            found.push(full);
        }
        found
    }

    /// What each of `blocks` says, indices of [`Uses::blocks`] in order: reads each segment once.
    fn parts_of(&self, uses: &Uses<'_>, blocks: &[usize]) -> HashMap<usize, ToolUse> {
        let mut parts = HashMap::with_capacity(blocks.len());
        let known: Vec<_> =
            blocks.iter().filter_map(|index| Some((*index, *uses.blocks.get(*index)?))).collect();
        for of_segment in known.chunk_by(|(_, one), (_, other)| one.segment == other.segment) {
            let places: HashMap<(Option<Span>, Part), usize> =
                of_segment.iter().map(|(index, at)| ((at.block.span, at.block.part), *index)).collect();
            let Some(segment) = of_segment.first().map(|(_, at)| at.segment) else { continue };
            self.visit_calls(segment, &mut |span, call| {
                let place = places.get(&(Some(span), call.part)).or_else(|| places.get(&(None, call.part)));
                if let Some(place) = place {
                    parts.insert(*place, ToolUse::of_part(call));
                }
            });
        }
        parts
    }

    fn put_together(&self, uses: &Uses<'_>, tool_use: &Use, parts: &mut HashMap<usize, ToolUse>) -> ToolUse {
        let mut full = ToolUse::default();
        for index in &tool_use.parts {
            let Some(at) = uses.blocks.get(*index) else { continue };
            let part = parts.remove(index).unwrap_or_default();
            let range = self.range_of(at);
            if full.dialect.is_empty() {
                full.range = range.clone();
                full.dialect = dialect::at(at.block.dialect).map_or("", |dialect| dialect.name);
            }
            full.range.end = full.range.end.max(range.end);
            full.take(part);
        }
        full.finish();
        full.status = tool_use.status;
        if is_log(full.dialect) {
            full.state = Some(state_of(tool_use.status, full.has_call).to_owned());
        }
        full
    }
}

/// `tool-call-N` in fences, `DIALECT-call-N` elsewhere.
fn fallback_id(dialect: &str, count: usize) -> String {
    let prefix = if dialect == "fence" { "tool" } else { dialect };
    format!("{prefix}-call-{count}")
}

fn is_log(dialect: &str) -> bool {
    DIALECTS.iter().any(|known| known.name == dialect && known.pairing == Pairing::ById)
}

fn state_of(status: Status, has_call: bool) -> &'static str {
    match status {
        Status::Failed => "output-error",
        Status::Done => "output-available",
        Status::Pending if has_call => "input-available",
        Status::Pending => "input-streaming",
    }
}
