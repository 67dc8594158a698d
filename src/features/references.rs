//! References: all occurrences of a tool use's id, or of a tool's name.

use std::ops::Range;

use crate::document::Document;
use crate::places::name_occurrences::{NameOccurrence, NamedItem};
use crate::segments::ConversationKey;

/// The subject of a search for references. A tool is the same in all documents; an id is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceSubject {
    /// The kind.
    pub named: NamedItem,
    /// The id or name.
    pub text: String,
    /// The conversation that an id of a message log is compared in.
    pub conversation: ConversationKey,
}

/// One reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The id or name, in document offsets; in a list of tools with its quotes, else without.
    pub range: Range<usize>,
    /// True if this is the id in the call itself, or the name of a tool in a list of tools.
    pub is_declaration: bool,
}

/// The id or tool name at `at`.
pub fn subject(document: &Document, at: usize) -> Option<ReferenceSubject> {
    let mention = document.name_occurrence_at(at)?;
    let conversation = document.conversation_of(&mention);
    Some(ReferenceSubject { named: mention.named, text: mention.text.to_owned(), conversation })
}

/// The references to `subject` in `document`, in document order.
pub fn references(document: &Document, subject: &ReferenceSubject) -> Vec<Reference> {
    let mentions = document.occurrences_in_conversation(subject.named, &subject.text, subject.conversation);
    let is_tool = subject.named == NamedItem::Tool;
    let declared = if is_tool { document.declarations_of(&mentions) } else { Vec::new() };
    let declared = declared.into_iter().map(|tool| Reference { range: tool.written, is_declaration: true });
    let reference = |mention: NameOccurrence<'_>| Reference {
        is_declaration: !is_tool && mention.at.block.part.has_call(),
        range: mention.range,
    };
    let mut found: Vec<Reference> = mentions.into_iter().map(reference).chain(declared).collect();
    found.sort_by_key(|reference| reference.range.start);
    found
}
