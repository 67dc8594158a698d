//! The tool uses of a summarized log: the places of their parts, without their contents.

use std::collections::HashSet;
use std::ops::Range;

use crate::call::CallPart;
use crate::document::conversation_uses::FoundUse;
use crate::document::located_blocks::{BlockCursor, ConversationBlock};
use crate::document::messages::Messages;
use crate::document::pairs::{OpenPairs, PairedUse};
use crate::never::OrNever;
use crate::segments::ReadContext;
use crate::text::saturate;

/// The tool uses and messages of a summarized log, in order.
#[derive(Debug, Default)]
pub(crate) struct SummarizedUses {
    pub(super) uses: Vec<PairedUse<PartPlace>>,
    /// For each tool use the number of its batch, from 1; 0 if it is in none.
    pub(super) batch_of: Vec<u32>,
    /// The number of tool uses of each batch.
    pub(super) batches: Vec<u32>,
    /// The messages, without their texts; none if they were not asked for.
    pub messages: Messages,
}

/// The place of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PartPlace {
    /// The document offset of its line.
    pub line: usize,
    /// The offset of its span in the line.
    pub start: u32,
    pub part: CallPart,
}

/// Collects the [`SummarizedUses`] of a log, one part of it after the other.
#[derive(Default)]
pub(crate) struct UseCollector {
    found: SummarizedUses,
    cursor: BlockCursor,
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
    /// Adds the blocks of these segments of a document, which follow the segments added before.
    pub fn add(&mut self, context: ReadContext<'_>, segments: Range<usize>) {
        let Self { found, cursor, pairs, run } = self;
        let mut add = |part: ConversationBlock<'_>| {
            let at = part.at;
            if part.gap {
                run.end(found);
            }
            let start = at.block.span.or_never().start;
            let place = PartPlace { line: at.offset, start, part: at.block.part };
            match pairs.add(&part, place, &mut found.uses, context) {
                FoundUse::New | FoundUse::Repetition(_) => {}
                // The block counts as text.
                FoundUse::None => run.end(found),
                FoundUse::Part(index) if index < run.first => {
                    run.earlier.insert(index);
                }
                FoundUse::Part(_) => {}
            }
        };
        for located in context.tree.iter_from(segments.start).take(segments.len()) {
            cursor.visit(context, &located, &mut add);
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
