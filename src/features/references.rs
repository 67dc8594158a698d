//! References: all occurrences of a tool use's id, or of a tool's name.

use std::ops::Range;

use crate::document::name_occurrences::NamedItem;
use crate::document::{ConversationKey, Document};

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
    /// The id or name without its quotes, in document offsets.
    pub range: Range<usize>,
    /// True if this is the id in the call itself. Tools are not declared in documents.
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
    let reference = |mention: crate::document::name_occurrences::NameOccurrence<'_>| Reference {
        is_declaration: mention.named != NamedItem::Tool && mention.block.part.has_call(),
        range: mention.range,
    };
    mentions.into_iter().map(reference).collect()
}
