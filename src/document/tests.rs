//! Tests of documents: their diagnostics, and that an edit has the same result as parsing anew.

mod applications;
mod bounds;
mod call_positions;
mod damaged;
mod diagnostics;
mod dialects;
mod edited_messages;
mod edited_payloads;
mod elements;
mod empty_records;
mod encoded;
mod evidence;
mod families;
mod fences;
mod fixes;
mod fixing;
mod frameworks;
mod incremental;
mod leaked_markup;
mod links;
mod logs;
mod lost_parents;
mod message_lines;
mod message_numbers;
mod program_turns;
mod records;
mod references;
mod repetitions;
mod requests;
mod secrets;
mod sources;
mod streams;
mod summarized;
mod suppression;
mod texts;
mod threads;
mod tool_lists;
mod turns;

use crate::document::Document;
use crate::document::located_blocks::{ConversationBlock, for_each_block};

/// The blocks of `document`, in order.
fn conversation_blocks(document: &Document) -> Vec<ConversationBlock<'_>> {
    let mut blocks = Vec::new();
    if document.is_active() {
        for_each_block(document.context(), &mut |found| blocks.push(found));
    }
    blocks
}
