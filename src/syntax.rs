//! The incremental Markdown block tree: where the fences, headings and regions of a document are.
//!
//! [`parse`] is the reference: CommonMark 0.31.2 as far as it decides what is code, what is a heading and what is text, and in the
//! text the regions that [`InlineRules`] describe. [`reparse`] gives the same after an edit, at the cost of the blocks that the edit
//! damaged. A [`Tree`] is a sequence of [`Segment`]s with relative lengths; nothing in it is a document offset.
//!
//! Two trees of one text differ at most in where long fences and HTML blocks are cut into bodies; what they mean is the same.

mod ahead;
pub mod container;
mod content;
mod definition;
mod html;
mod parser;
mod reader;
mod reparse;
mod rules;
mod scanner;
mod segment;
pub mod sum_tree;
#[cfg(test)]
mod tests;
mod tree;

pub use content::{MappedContent, region_content};
pub use reparse::{Damage, reparse};
pub use rules::{InlineRule, InlineRules, Mode, RegionEnd};
pub use segment::{
    Attachment, FenceHead, Heading, MOST_REGIONS, Region, Segment, SegmentKind, SegmentSummary, TextParts,
};
pub use tree::{FenceView, LocatedSegment, Segments, Tree};

use self::parser::{NeverStop, SegmentParser};
use crate::text::Text;

/// The tree of `text`.
pub fn parse<A: Attachment>(text: &Text, rules: &InlineRules) -> Tree<A> {
    Tree { segments: SegmentParser::new(text, rules, 0, None, None).run(NeverStop) }
}
