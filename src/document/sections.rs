//! The sections of a document: its headings and messages, nested.
//!
//! Headings above the first message are the document's own: a later heading of such a level ends a
//! message. All other headings after the first message belong to the message that contains them,
//! whatever their level.

use std::ops::Range;

use crate::call::program::Program;
use crate::call::{MessageRole, MessageStart};
use crate::segments::ReadContext;
use crate::segments::data::DocumentSegment;
use crate::syntax::{Heading, SegmentKind};
use crate::text::{Splice, Text, TextCursor, move_range, moved, saturate};

/// A heading or a message, with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The kind of the section.
    pub kind: SectionKind,
    /// From its first line to the end of its last line that is not blank, in document offsets.
    pub range: Range<usize>,
    /// The range of its title or role, in document offsets.
    pub title: Range<usize>,
    /// Its first and last line, from 0.
    pub lines: (u32, u32),
}

/// The kind of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionKind {
    /// A heading.
    Heading,
    /// A message: its role, and the document offset of its text.
    Message(MessageRole, usize),
}

impl Section {
    /// Moves its places by `edits`, of which none changes the number of lines.
    pub(super) fn move_by(&mut self, edits: &[Splice]) {
        [&mut self.range, &mut self.title].into_iter().for_each(|range| move_range(range, edits));
        if let SectionKind::Message(_, text) = &mut self.kind {
            *text = moved(*text, edits);
        }
    }

    /// The name of a message's author, read by `cursor`, without marks; the role's if there is
    /// none.
    pub fn author(&self, cursor: &mut TextCursor<'_>) -> String {
        let mut name = cursor.read(self.title.clone()).into_owned();
        if name.contains(['*', '_']) {
            name = name.replace("**", "").replace("__", "");
        }
        match self.kind {
            SectionKind::Message(role, _) if !name.contains(char::is_alphanumeric) => role.name().to_owned(),
            _ => name,
        }
    }
}

/// Rank of messages: below the document's own headings, above headings inside of messages.
const MESSAGE_RANK: u8 = 7;

/// The sections of a text for people, in order of their starts, in time linear in the number of
/// segments.
pub(super) fn sections_of(context: ReadContext<'_>) -> Vec<Section> {
    let mut sections = Sections::of(context.text);
    // The end of the last line that is not blank, before the current segment, and its line.
    let mut last_end = SectionEnd::default();
    for located in context.tree.iter() {
        // Only text has headings and messages; the data of other segments are not read.
        let is_text = matches!(located.segment.kind, SegmentKind::Text(_));
        let starts = if is_text { &*located.data().rare().message_starts } else { &[] };
        let is_own = |start: &&MessageStart| start.program.is_none_or(|program| is_of(context, program));
        let starts: Vec<&MessageStart> = starts.iter().filter(is_own).collect();
        let beginnings = beginnings(located.segment.headings(), &starts);
        if located.segment.content_len > 0 && beginnings.first().is_none_or(|it| it.start() > 0) {
            sections.begin_answer((located.offset, located.line), last_end);
        }
        for beginning in beginnings {
            let start = located.offset + beginning.start();
            // Text before it in its own segment is the end of the preceding sections.
            let line_of = |at| context.text.line_of_byte(at);
            let (line, end) = match beginning.start() {
                0 => (located.line, last_end),
                // A message may begin within a line.
                _ => (line_of(start), SectionEnd { at: start, line: line_of(start).saturating_sub(1) }),
            };
            sections.begin(&beginning, (located.offset, line), end);
        }
        if located.segment.content_len > 0 {
            last_end = SectionEnd::of(context, &located);
        }
    }
    sections.finish(last_end)
}

/// The end of a section, and the line of the byte before it.
#[derive(Clone, Copy, Default)]
struct SectionEnd {
    at: usize,
    line: usize,
}

impl SectionEnd {
    /// The end of the last line of the segment that is not blank.
    fn of(context: ReadContext<'_>, located: &DocumentSegment<'_>) -> Self {
        let (at, end) = (located.content().end, located.range().end);
        let line = match end - at {
            // After it is a line end at most, as nearly always.
            lines @ 0..=1 if end < context.text.len() => {
                (located.line + located.segment.lines as usize).saturating_sub(1 + lines)
            }
            _ => context.text.line_of_byte(at.saturating_sub(1)),
        };
        Self { at, line }
    }
}

/// True if it is a transcript of `program`, and not another transcript that shows output of
/// `program`.
fn is_of(context: ReadContext<'_>, program: Program) -> bool {
    let sum = context.tree.summary().attachment;
    sum.program_lines.shows(program) && (program == Program::Aider || !sum.speaker_counts.is_conversation())
}

/// The start of a section, relative to its segment.
enum SectionStart<'t> {
    Heading(&'t Heading),
    Message(&'t MessageStart),
}

impl SectionStart<'_> {
    fn start(&self) -> usize {
        match self {
            Self::Heading(heading) => heading.span.start as usize,
            Self::Message(start) => start.span.start as usize,
        }
    }
}

/// Merges both in document order; a heading that begins a message counts as a message only.
fn beginnings<'t>(headings: &'t [Heading], starts: &[&'t MessageStart]) -> Vec<SectionStart<'t>> {
    let begins_message = |heading: &Heading| {
        starts
            .binary_search_by_key(&heading.span.start, |start| start.span.start)
            .is_ok_and(|at| starts.get(at).is_some_and(|start| start.span == heading.span))
    };
    let headings = headings.iter().filter(|heading| !begins_message(heading)).map(SectionStart::Heading);
    let mut all: Vec<_> = headings.chain(starts.iter().copied().map(SectionStart::Message)).collect();
    all.sort_by_key(SectionStart::start);
    all
}

struct Sections<'d> {
    text: &'d Text,
    sections: Vec<Section>,
    /// The open sections: rank and index.
    open: Vec<(u8, usize)>,
    /// After the first message: the lowest level of the document's own headings, 0 if there are
    /// none.
    own: Option<u8>,
    /// The last message if it begins with a line of `Program`: its author, and the end of that
    /// line.
    last: Option<(Program, MessageRole, usize)>,
}

impl<'d> Sections<'d> {
    fn of(text: &'d Text) -> Self {
        Self { text, sections: Vec::new(), open: Vec::new(), own: None, last: None }
    }

    fn begin(&mut self, beginning: &SectionStart<'_>, (offset, line): (usize, usize), end: SectionEnd) {
        if let SectionStart::Message(start) = beginning {
            let last = self.last.take();
            self.last = start.program.map(|program| (program, start.role, offset + start.span.end as usize));
            // Each line of a prompt is a heading, and an answer has several marks.
            match last {
                Some((program, MessageRole::User, above))
                    if program.has_bare_answers()
                        && start.role == MessageRole::User
                        && offset + beginning.start() <= above + 2 =>
                {
                    return;
                }
                Some((_, MessageRole::Assistant, _))
                    if start.program.is_some() && start.role == MessageRole::Assistant =>
                {
                    return;
                }
                _ => {}
            }
        }
        let (rank, kind, title) = match beginning {
            SectionStart::Heading(heading) => {
                let is_own = self.own.is_none_or(|own| heading.level <= own);
                self.last = self.last.filter(|_| !is_own);
                let rank = if is_own { heading.level } else { MESSAGE_RANK + heading.level };
                (rank, SectionKind::Heading, heading.title)
            }
            SectionStart::Message(start) => {
                if self.own.is_none() {
                    // A heading of the same level is a sibling of the message, not its parent.
                    if start.level > 0 {
                        self.close(start.level, end);
                    }
                    self.own = Some(self.open.last().map_or(0, |(level, _)| *level));
                }
                (MESSAGE_RANK, SectionKind::Message(start.role, offset + start.text as usize), start.name)
            }
        };
        self.close(rank, end);
        self.open.push((rank, self.sections.len()));
        let start = offset + beginning.start();
        let title = title.range_at(offset);
        self.sections.push(Section { kind, range: start..start, title, lines: (saturate(line), 0) });
    }

    /// Begins the answer to the last message at `at`, if that is a prompt without a mark for
    /// answers.
    fn begin_answer(&mut self, (at, line): (usize, usize), end: SectionEnd) {
        if self.last.is_some_and(|(program, role, _)| role == MessageRole::User && program.has_bare_answers())
        {
            self.last = None;
            self.close(MESSAGE_RANK, end);
            self.open.push((MESSAGE_RANK, self.sections.len()));
            let kind = SectionKind::Message(MessageRole::Assistant, at);
            self.sections.push(Section { kind, range: at..at, title: at..at, lines: (saturate(line), 0) });
        }
    }

    /// Ends the open sections of `rank` and below.
    fn close(&mut self, rank: u8, end: SectionEnd) {
        while let Some((_, index)) = self.open.pop_if(|(open, _)| *open >= rank) {
            if let Some(section) = self.sections.get_mut(index) {
                let title = section.title.end;
                section.range.end = end.at.max(title);
                let line = || self.text.line_of_byte(title.saturating_sub(1));
                section.lines.1 = saturate(if end.at < title { line() } else { end.line });
            }
        }
    }

    fn finish(mut self, end: SectionEnd) -> Vec<Section> {
        self.close(0, end);
        self.sections.shrink_to_fit();
        self.sections
    }
}
