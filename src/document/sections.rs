//! The sections of a document: its headings and its messages, one inside of the other.
//!
//! What headings stand above the first message are the document's own: a later one of such a level ends a message. All
//! other headings behind the first message are part of the message that they stand in, whatever their level.

use std::ops::Range;

use super::Document;
use crate::call::{MessageRole, Turn};
use crate::syntax::Heading;

/// A heading or a message, with all that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// What begins it.
    pub kind: SectionKind,
    /// From its first line to the end of its last one with anything on it, in document offsets.
    pub range: Range<usize>,
    /// Its title, or who speaks, in document offsets.
    pub title: Range<usize>,
}

/// What begins a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionKind {
    /// A heading.
    Heading,
    /// The beginning of a message, and where its text begins, as a document offset.
    Turn(MessageRole, usize),
}

/// Messages are below the document's own headings, and headings of messages below them.
const TURN: u8 = 7;

impl Document {
    /// Its sections, in order of their beginnings: takes time linear in the number of its segments. None where it is not
    /// [active](Document::is_active).
    pub fn sections(&self) -> Vec<Section> {
        if !self.is_active() {
            return Vec::new();
        }
        let mut sections = Sections::default();
        // Behind the last line with anything on it, before the segment at hand.
        let mut last_end = 0;
        for located in self.tree.iter() {
            let turns = located.segment.attachment.data.as_deref().map_or(&[][..], |reading| reading.turns());
            for beginning in beginnings(located.segment.headings(), turns) {
                let start = located.offset + beginning.start();
                // What stands before it in its own segment is the end of those before.
                let end = if beginning.start() == 0 { last_end } else { start };
                sections.begin(&beginning, located.offset, end);
            }
            if located.segment.content_len > 0 {
                last_end = located.content().end;
            }
        }
        sections.finish(last_end)
    }
}

/// What begins a section, relative to its segment.
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

/// Both in the order of the text; a heading that is a turn is only that.
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
    /// Those that are still open: rank and index.
    open: Vec<(u8, usize)>,
    /// Once there is a message, the lowest level of the document's own headings; 0 where there are none.
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
                    // A heading of the same level stands beside the message, not above it.
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
        let title = offset + title.start as usize..offset + title.end as usize;
        self.sections.push(Section { kind, range: start..start, title });
    }

    /// Ends those of `rank` and below it.
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
