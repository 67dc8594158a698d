//! Reads the tool uses of a summarized log in full, from their lines.

use std::collections::HashMap;

use crate::call::{CallText, ToolUse, UseStatus};
use crate::dialect::log;
use crate::document::fallback_ids::CallNumbers;
use crate::document::summarized_uses::{PartPlace, SummarizedUses};
use crate::document::{Document, rules_of};
use crate::never::never;
use crate::segments::read;
use crate::syntax::{self, LocatedSegment};

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
        let mut numbers = CallNumbers::default();
        // The parts that were read, until their tool use is visited.
        let mut read = HashMap::new();
        for (summarized, batch) in log.uses.iter().zip(&log.batch_of) {
            let own = summarized.parts.iter().filter_map(|place| {
                if !read.contains_key(place) {
                    self.read_parts(place.line, &mut read);
                }
                let part = read.remove(place);
                // The file may be changed while it is read.
                never!(part.is_none() && self.text.is_intact(), "a part of a tool use is not there");
                part
            });
            let batch = batch.checked_sub(1).map(|index| index as usize);
            let full = ToolUse { batch, ..ToolUse::of_parts(own) };
            let number = (!full.is_orphan()).then(|| numbers.next(log::DIALECT.name));
            visit(full.complete(summarized.status, number));
        }
    }

    /// Reads the blocks of the line at `line` in full.
    fn read_parts(&self, line: usize, read: &mut HashMap<PartPlace, ToolUse>) {
        let tree = syntax::parse_lines(&self.text, &rules_of(self.language, &self.settings), line, 1);
        let Some(located) = tree.locate(0) else { return };
        let located = LocatedSegment { offset: line, ..located };
        read::visit_calls(self.context(), &located, &mut |span, call| {
            let place = PartPlace { line, start: span.start, part: call.part };
            let range = located.absolute(span);
            // If an object has several calls, their places differ from the object's start.
            let object = call.span.is_none().then_some(range.start);
            let text = CallText::of(call, &self.text, object);
            let part = ToolUse::of_part(call, text);
            read.insert(place, ToolUse { dialect: log::DIALECT.name, range, ..part });
        });
    }
}
