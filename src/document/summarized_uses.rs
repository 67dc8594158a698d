//! The tool uses of a summarized log: the places of their parts, without their contents.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::call::{CallPart, CallText, ToolUse, UseStatus};
use crate::dialect::log;
use crate::document::conversation_uses::FoundUse;
use crate::document::paired_uses::{ConversationBlock, OpenPairs, PairedUse, UseBlockCursor, fallback_id};
use crate::document::{Document, Messages, rules_of};
use crate::never::{OrNever, never};
use crate::segments::read;
use crate::syntax::{self, LocatedSegment};
use crate::text::saturate;

/// The tool uses and messages of a summarized log, in order.
#[derive(Debug, Default)]
pub(crate) struct SummarizedUses {
    uses: Vec<PairedUse<PartPlace>>,
    /// For each tool use the number of its batch, from 1; 0 if it is in none.
    batch_of: Vec<u32>,
    /// The number of tool uses of each batch.
    batches: Vec<u32>,
    /// The messages, without their texts; none if they were not asked for.
    pub messages: Messages,
}

/// The place of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct PartPlace {
    /// The document offset of its line.
    line: usize,
    /// The offset of its span in the line.
    start: u32,
    part: CallPart,
}

/// Collects the [`SummarizedUses`] of a log, one part of it after the other.
#[derive(Default)]
pub(crate) struct UseCollector {
    found: SummarizedUses,
    cursor: UseBlockCursor,
    pairs: OpenPairs,
    run: UseRun,
}

/// Consecutive blocks with only white space between them.
#[derive(Default)]
struct UseRun {
    /// The index of the first tool use that begins in it.
    first: usize,
    /// The tool uses of earlier runs with a part in this one.
    earlier: HashSet<usize>,
}

impl UseCollector {
    /// Adds the blocks of these segments of `document`, which follow the segments added before.
    pub fn add(&mut self, document: &Document, segments: Range<usize>) {
        let Self { found, cursor, pairs, run } = self;
        let mut add = |part: ConversationBlock<'_>| {
            let at = part.at;
            if part.gap {
                run.end(found);
            }
            let start = at.block.span.or_never().start;
            let place = PartPlace { line: at.offset, start, part: at.block.part };
            match pairs.add(&part, place, &mut found.uses, document) {
                FoundUse::New | FoundUse::Repetition(_) => {}
                // The block counts as text.
                FoundUse::None => run.end(found),
                FoundUse::Part(index) if index < run.first => {
                    run.earlier.insert(index);
                }
                FoundUse::Part(_) => {}
            }
        };
        for located in document.tree.iter_from(segments.start).take(segments.len()) {
            cursor.visit(document.context(), &located, &mut add);
        }
        pairs.end_lines();
    }

    /// The tool uses, with the messages that they are in.
    pub fn finish(mut self, messages: Messages) -> SummarizedUses {
        self.run.end(&mut self.found);
        self.found.uses.shrink_to_fit();
        SummarizedUses { messages, ..self.found }
    }
}

impl UseRun {
    /// Ends the run: it is a batch if it has several tool uses.
    fn end(&mut self, found: &mut SummarizedUses) {
        let count = found.uses.len() - self.first + self.earlier.len();
        let mut number = 0;
        if count > 1 {
            found.batches.push(saturate(count));
            number = saturate(found.batches.len());
        }
        found.batch_of.resize(found.uses.len(), number);
        self.first = found.uses.len();
        self.earlier.clear();
    }
}

impl Document {
    /// The statuses of the tool uses, in order.
    pub fn use_statuses(&self) -> Vec<UseStatus> {
        match &self.summarized_uses {
            Some(log) => log.uses.iter().map(|it| it.status).collect(),
            None => self.paired_uses().uses.iter().map(|it| it.status).collect(),
        }
    }

    /// The number of tool uses of each batch, in order.
    pub fn batch_sizes(&self) -> Vec<usize> {
        match &self.summarized_uses {
            Some(log) => log.batches.iter().map(|uses| *uses as usize).collect(),
            None => self.paired_uses().batches.iter().map(|found| found.counts.uses).collect(),
        }
    }

    /// Passes the tool uses `log` of the document in full to `visit`, in order. Reads their lines
    /// again.
    pub(crate) fn for_each_summarized(&self, log: &SummarizedUses, mut visit: impl FnMut(ToolUse)) {
        let mut number = 0;
        // The parts that were read, until their tool use is visited.
        let mut read = HashMap::new();
        for (summarized, batch) in log.uses.iter().zip(&log.batch_of) {
            let mut full = ToolUse::default();
            for place in &summarized.parts {
                if !read.contains_key(place) {
                    self.read_parts(place.line, &mut read);
                }
                let Some((range, part)) = read.remove(place) else {
                    // The file may be changed while it is read.
                    never!(self.text.is_intact(), "a part of a tool use is not there");
                    continue;
                };
                full.add_part(log::DIALECT.name, range, part);
            }
            full.complete(summarized.status);
            full.batch = batch.checked_sub(1).map(|index| index as usize);
            if full.is_orphan() {
                visit(full);
                continue;
            }
            number += 1;
            visit(full.or_fallback_id(|| fallback_id(log::DIALECT.index(), number)));
        }
    }

    /// Reads the blocks of the line at `line` in full, with their ranges.
    fn read_parts(&self, line: usize, read: &mut HashMap<PartPlace, (Range<usize>, ToolUse)>) {
        let tree = syntax::parse_lines(&self.text, &rules_of(self.language, &self.settings), line, 1);
        let Some(located) = tree.locate(0) else { return };
        let located = LocatedSegment { offset: line, ..located };
        read::visit_calls(self.context(), &located, &mut |span, call| {
            let place = PartPlace { line, start: span.start, part: call.part };
            let range = located.absolute(span);
            // If an object has several calls, their places differ from the object's start.
            let object = call.span.is_none().then_some(range.start);
            let text = CallText::of(call, &self.text, object);
            read.insert(place, (range, ToolUse::of_part(call, text)));
        });
    }
}
