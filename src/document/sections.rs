//! The sections of a document: its headings and messages, nested.
//!
//! Headings above the first message are the document's own: a later heading of such a level ends a
//! message. All other headings after the first message belong to the message that contains them,
//! whatever their level.

use std::ops::Range;

use super::Document;
use crate::call::{MessageRole, Turn};
use crate::syntax::{Heading, SegmentKind};

/// A heading or a message, with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The kind of the section.
    pub kind: SectionKind,
    /// From its first line to the end of its last line that is not blank, in document offsets.
    pub range: Range<usize>,
    /// The range of its title or role, in document offsets.
    pub title: Range<usize>,
}

/// The kind of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionKind {
    /// A heading.
    Heading,
    /// A message: its role, and the document offset of its text.
    Turn(MessageRole, usize),
}

/// Rank of messages: below the document's own headings, above headings inside of messages.
const TURN: u8 = 7;

/// The sections of `document`, in order of their starts, in time linear in the number of segments.
pub(super) fn sections_of(document: &Document) -> Vec<Section> {
    if !document.is_active() || !document.language.is_prose() {
        return Vec::new();
    }
    let mut sections = Sections::default();
    // The end of the last line that is not blank, before the current segment.
    let mut last_end = 0;
    for located in document.tree.iter() {
        // Only text has headings and messages; the data of others are not looked at.
        let is_text = matches!(located.segment.kind, SegmentKind::Text(_));
        let data = located.segment.attachment.data.as_deref().filter(|_| is_text);
        let turns = data.map_or(&[][..], |data| data.turns());
        for beginning in beginnings(located.segment.headings(), turns) {
            let start = located.offset + beginning.start();
            // Text before it in its own segment is the end of the preceding sections.
            let end = if beginning.start() == 0 { last_end } else { start };
            sections.begin(&beginning, located.offset, end);
        }
        if located.segment.content_len > 0 {
            last_end = located.content().end;
        }
    }
    sections.finish(last_end)
}

/// The start of a section, relative to its segment.
enum SectionStart<'t> {
    Heading(&'t Heading),
    Turn(&'t Turn),
}

impl SectionStart<'_> {
    fn start(&self) -> usize {
        match self {
            Self::Heading(heading) => heading.span.start as usize,
            Self::Turn(turn) => turn.span.start as usize,
        }
    }
}

/// Merges both in document order; a heading that is a turn counts as a turn only.
fn beginnings<'t>(headings: &'t [Heading], turns: &'t [Turn]) -> Vec<SectionStart<'t>> {
    let is_turn = |heading: &Heading| {
        turns
            .binary_search_by_key(&heading.span.start, |turn| turn.span.start)
            .is_ok_and(|at| turns.get(at).is_some_and(|turn| turn.span == heading.span))
    };
    let headings = headings.iter().filter(|heading| !is_turn(heading)).map(SectionStart::Heading);
    let mut all: Vec<_> = headings.chain(turns.iter().map(SectionStart::Turn)).collect();
    all.sort_by_key(SectionStart::start);
    all
}

#[derive(Default)]
struct Sections {
    sections: Vec<Section>,
    /// The open sections: rank and index.
    open: Vec<(u8, usize)>,
    /// After the first message: the lowest level of the document's own headings, 0 if there are
    /// none.
    own: Option<u8>,
}

impl Sections {
    fn begin(&mut self, beginning: &SectionStart<'_>, offset: usize, end: usize) {
        let (rank, kind, title) = match beginning {
            SectionStart::Heading(heading) => {
                let is_own = self.own.is_none_or(|own| heading.level <= own);
                let rank = if is_own { heading.level } else { TURN + heading.level };
                (rank, SectionKind::Heading, heading.title)
            }
            SectionStart::Turn(turn) => {
                if self.own.is_none() {
                    // A heading of the same level is a sibling of the message, not its parent.
                    if turn.level > 0 {
                        self.close(turn.level, end);
                    }
                    self.own = Some(self.open.last().map_or(0, |(level, _)| *level));
                }
                (TURN, SectionKind::Turn(turn.role, offset + turn.text as usize), turn.name)
            }
        };
        self.close(rank, end);
        self.open.push((rank, self.sections.len()));
        let start = offset + beginning.start();
        let title = title.range_at(offset);
        self.sections.push(Section { kind, range: start..start, title });
    }

    /// Ends the open sections of `rank` and below.
    fn close(&mut self, rank: u8, end: usize) {
        while let Some((_, index)) = self.open.pop_if(|(open, _)| *open >= rank) {
            if let Some(section) = self.sections.get_mut(index) {
                section.range.end = end.max(section.title.end);
            }
        }
    }

    fn finish(mut self, end: usize) -> Vec<Section> {
        self.close(0, end);
        self.sections
    }
}
