//! References: every place where a tool use is called by its id, or a tool by its name.

use std::ops::Range;

use crate::call::CallPart;
use crate::document::{Document, NamedItem};

/// What is referred to: it means the same in other documents where it is a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceSubject {
    /// What it is.
    pub named: NamedItem,
    /// Its id or name.
    pub text: String,
}

/// A place that refers to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The id or name without its quotes, in document offsets.
    pub range: Range<usize>,
    /// Whether it is the call itself that says its id. Tools are declared in no document.
    pub is_declaration: bool,
}

/// What is named at `at`.
pub fn subject(document: &Document, at: usize) -> Option<ReferenceSubject> {
    let mention = document.name_occurrence_at(at)?;
    Some(ReferenceSubject { named: mention.named, text: mention.text.to_owned() })
}

/// The places of `document` that refer to `subject`, in order.
pub fn references(document: &Document, subject: &ReferenceSubject) -> Vec<Reference> {
    let is_call = |part| matches!(part, CallPart::Call | CallPart::Both);
    let mentions = document.occurrences_of(subject.named, &subject.text);
    let reference = |mention: crate::document::NameOccurrence<'_>| Reference {
        is_declaration: mention.named != NamedItem::Tool && is_call(mention.block.part),
        range: mention.range,
    };
    mentions.into_iter().map(reference).collect()
}
