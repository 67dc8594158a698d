//! The incremental Markdown block tree: the fences, headings and regions of a document.
//!
//! [`parse`] is the reference: CommonMark 0.31.2 as far as it distinguishes code, headings and
//! text, plus the regions in text that [`InlineRules`] describe. [`reparse`] returns the same after
//! an edit, at the cost of the damaged blocks. A [`Tree`] is a sequence of [`Segment`]s with
//! relative lengths; it contains no document offsets.
//!
//! Two trees of one text differ at most in the positions at which long fences and HTML blocks are
//! split into bodies; their meaning is the same.

pub mod container;
mod content;
mod definition;
mod html;
pub mod lookahead;
mod org;
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

pub use container::History;
pub use content::{Colours, MappedContent, region_content};
pub use reparse::{Damage, reparse};
pub use rules::{
    CloserLine, InlineRule, InlineRules, Mode, OpenerPlace, PartLabels, RegionEnd, fence_language, label_of,
};
pub use scanner::HISTORY_START;
pub use segment::{
    Attachment, AttachmentPart, Brackets, FenceHead, Heading, MOST_REGIONS, Region, Segment, SegmentKind,
    SegmentSummary, TextParts,
};
pub use tree::{FenceView, LocatedSegment, Segments, Tree};

use std::ops::Range;

use self::parser::{LogLines, NeverStop, SegmentParser, StopBehind};
use crate::text::Text;

/// Parses `text`.
pub fn parse<A: Attachment>(text: &Text, rules: &InlineRules) -> Tree<A> {
    Tree { segments: SegmentParser::new(text, rules, 0, None, None).run(NeverStop) }
}

/// Parses the lines of a log from `start`, the start of a line: at least `least` bytes, up to the
/// end of a line or of the text. The offsets of the tree begin at `start`.
pub fn parse_lines<A: Attachment>(text: &Text, rules: &InlineRules, start: usize, least: usize) -> Tree<A> {
    Tree { segments: SegmentParser::new(text, rules, start, None, None).run(StopBehind(start + least)) }
}

/// The lines of a log from `start`, the start of a line, as document offsets without line ends.
/// Skips blank lines.
pub fn log_lines(text: &Text, start: usize) -> impl Iterator<Item = Range<usize>> {
    let lines = LogLines::new(text, start).filter(|(_, is_blank)| !is_blank);
    lines.map(|(line, _)| line.start..line.end)
}
