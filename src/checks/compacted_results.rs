//! Results in Claude Code's sessions that a compaction separated from their calls.
//!
//! Claude Code resumes a session from its last compaction, a record without a parent. If a call is
//! before that record and its result after it, the result is sent without its call.

use crate::call::pairing::Pairing;
use crate::call::{Block, CallPart, ChatApi};
use crate::checks::problem::{Cause, Problem};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Document;
use crate::json::Value;

/// The `subtype` of the record of a compaction.
const COMPACTION: &str = "compact_boundary";
/// Maximum number of records that begin a chain that are searched for a compaction, from the end.
/// Other logs have no chains: each of their records would be read after each edit.
const MOST_CHAINS: usize = 16;

impl Document {
    /// The results after the last compaction whose calls are before it. These can only precede the
    /// first call after the compaction.
    pub(super) fn compacted_results(&self) -> Vec<Problem> {
        let Some(severity) = self.settings().severity(Code::OrphanResult) else { return Vec::new() };
        let mut found = Vec::new();
        let Some(compaction) = self.last_compaction() else { return found };
        for located in self.tree().attached_from(compaction, |sum| sum.blocks) {
            let blocks = located.data().blocks.iter();
            let mut own = blocks.filter(|block| block.conversation.thread.is_none()).peekable();
            if own.peek().is_some_and(|block| block.part == CallPart::Call) {
                break;
            }
            let results = own.filter(|block| {
                block.part == CallPart::Result && block.is_readable && block.api == Some(ChatApi::Anthropic)
            });
            for (block, id, written) in results.filter_map(|it| Some((it, it.id()?, it.id_span()?))) {
                let Some((range, call)) = block
                    .span
                    .map(|span| located.absolute(span))
                    .zip(self.call_before(compaction, block.pairing, id))
                else {
                    continue;
                };
                let message = "the call of this result stands before a compaction: a session that is resumed \
                               sends the result without it";
                let place = located.absolute(written);
                let diagnostic = Diagnostic::new(Code::OrphanResult, severity, place, message.to_owned());
                found.push(Problem { diagnostic, cause: Cause::CompactedResult(range, call) });
            }
        }
        found
    }

    /// The index of the record of the last compaction.
    fn last_compaction(&self) -> Option<usize> {
        if self.tree().summary().attachment.chains < 2 || !self.is_message_log() || self.is_summarized() {
            return None;
        }
        let mut before = self.tree().len();
        for _ in 0..MOST_CHAINS {
            before = self.tree().previous_attached(before, |sum| sum.chains > 0)?;
            let is_compaction = self
                .with_record(before, |root| Some(root.get("subtype").and_then(Value::as_str)? == COMPACTION));
            if is_compaction == Some(true) {
                return Some(before);
            }
        }
        None
    }

    /// The document offset of the last call with the id `id` before the segment `index`, unless one
    /// stands after it.
    fn call_before(&self, index: usize, pairing: Pairing, id: &str) -> Option<usize> {
        let segments = self.segments_with_id(pairing, id);
        let call_in = |segment: usize| {
            let located = self.tree().locate(segment)?;
            let mut blocks = located.data().blocks.iter();
            let is_call = |block: &Block| block.part == CallPart::Call && block.id() == Some(id);
            blocks.any(is_call).then_some(located.offset)
        };
        let last = segments.into_iter().rev().find_map(|segment| Some((segment, call_in(segment)?)))?;
        (last.0 < index).then_some(last.1)
    }
}
