//! The validity of values in a JSON document, derived from the validity of its pieces: a check
//! parses only the first and last piece of a value, whatever its length.
//!
//! A segment stores whether its piece is broken: whether serde_json rejects it where it stands, in
//! the containers that are open at its start. A value is valid exactly if none of its pieces is
//! broken up to the bracket that closes it.

use serde::de::IgnoredAny;

use super::JsonCursor;
use super::piece::{JsonObjects, OuterContainer};
use crate::messages::outline::outline;
use crate::segments::block_unit::ReadContext;
use crate::segments::data::DocumentSegment;
use crate::syntax::SegmentKind;

/// The outcome of reading a value in a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueEnd {
    /// The offset after the value.
    At(usize),
    /// The text ends before the value does.
    Open,
    /// The text is not valid, or empty.
    Broken,
}

impl ValueEnd {
    /// Reads the value at the start of `text`.
    pub fn of(text: &str) -> Self {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(_)) => Self::At(values.byte_offset()),
            Some(Err(error)) if error.is_eof() => Self::Open,
            _ => Self::Broken,
        }
    }
}

impl JsonCursor {
    /// True if the piece of a segment is broken. Only the containers that it closes, and the one
    /// after its last closing bracket, matter.
    pub fn is_broken(&mut self, context: ReadContext<'_>, located: &DocumentSegment<'_>) -> bool {
        self.seek(context, located.index);
        let SegmentKind::Json(brackets) = located.segment.kind else { return false };
        let first = self.open.len().saturating_sub(brackets.closes as usize + 1);
        let mut text = opening(self.open.get(first..).unwrap_or_default());
        text.push_str(&context.text.slice(located.range()));
        ValueEnd::of(&text) == ValueEnd::Broken
    }
}

/// The end of the value at the document offset `start`; `None` if it is invalid.
pub(crate) fn value_end(context: ReadContext<'_>, start: usize) -> Option<usize> {
    let tree = context.tree;
    let first = tree.segment_at(start)?;
    let text = context.text.slice(start..first.range().end);
    match ValueEnd::of(&text) {
        ValueEnd::At(end) => return Some(start + end),
        ValueEnd::Open => {}
        ValueEnd::Broken => return None,
    }
    let open = u32::try_from(outline(&text, &context.settings.forms).open.len()).ok()?;
    let behind = first.index + 1;
    let (last, between) = tree.closing_segment(behind, open).filter(|_| open > 0)?;
    if tree.next_attached(behind, |sum| sum.is_broken).is_some_and(|broken| broken < last) {
        return None;
    }
    let depth = (open + between.opens - between.closes) as usize;
    let around = JsonObjects::of(context).open_containers(last);
    let mut text = opening(around.get(around.len().checked_sub(depth)?..)?);
    let own = text.len();
    let last = tree.locate(last)?;
    text.push_str(&context.text.slice(last.range()));
    match ValueEnd::of(&text) {
        ValueEnd::At(end) => Some(last.offset + end.checked_sub(own)?),
        ValueEnd::Open | ValueEnd::Broken => None,
    }
}

/// A text after which `containers` are open, and the last token is a comma.
fn opening(containers: &[OuterContainer]) -> String {
    let mut text = String::new();
    for (nth, container) in containers.iter().rev().enumerate().rev() {
        text.push_str(match (container.is_object, nth) {
            (true, 0) => r#"{"":0,"#,
            (true, _) => r#"{"":"#,
            (false, 0) => "[0,",
            (false, _) => "[",
        });
    }
    text
}

#[cfg(test)]
mod tests;
