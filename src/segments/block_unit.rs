//! One block of a segment, and the context in which it is parsed.

use crate::call::{Conversation, StreamProtocol};
use crate::config::Settings;
use crate::diagnostic::DiagnosticTarget;
use crate::dialect::{BlockSource, Dialect, ReadOutcome};
use crate::messages::tool_lists::ToolLists;
use crate::segments::data::SegmentAttachment;
use crate::segments::language::Language;
use crate::syntax::{MappedContent, Tree};
use crate::text::{Span, Text};

/// The parts of a document that segments are parsed with, and other values derived from.
#[derive(Clone, Copy)]
pub(crate) struct ReadContext<'a> {
    pub tree: &'a Tree<SegmentAttachment>,
    pub text: &'a Text,
    pub language: Language,
    pub settings: &'a Settings,
    /// The lists of tools in the text that were read already.
    pub tool_lists: &'a ToolLists,
    /// The stream protocol of a log, as far as it is known.
    pub protocol: Option<StreamProtocol>,
    /// True if dialects parse fences: false in delta text.
    pub reads_fences: bool,
}

/// The receiver of the blocks of a segment, one after the other.
pub(crate) type VisitBlock<'v> = dyn FnMut(&BlockUnit<'_>) -> ReadOutcome + 'v;

/// One block for its dialect. Spans are relative to the segment.
pub(crate) struct BlockUnit<'a> {
    pub dialect: &'static Dialect,
    pub source: BlockSource<'a>,
    pub content: &'a MappedContent<'a>,
    /// The span of its opening.
    pub opening: Span,
    /// The span of the whole block, including its opening and closing lines.
    pub full_span: Span,
    /// True if anything but white space precedes it.
    pub after_text: bool,
    /// True if it is a line of a log; then it is its whole segment.
    pub is_line: bool,
    /// The conversation that it is part of.
    pub conversation: Conversation,
}

impl BlockUnit<'_> {
    /// True if it is a fenced code block.
    pub fn is_fence(&self) -> bool {
        self.source.language.is_some()
    }

    /// The span of a diagnostic's target, relative to the segment.
    pub(crate) fn target_span(&self, place: DiagnosticTarget) -> Span {
        match place {
            DiagnosticTarget::Opening => self.opening,
            DiagnosticTarget::Span(span) => self.content.to_segment(span),
        }
    }
}
