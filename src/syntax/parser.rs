//! Converts lines to segments: the one parser, for whole documents and for parts of them.
//!
//! The result for the text from a segment's start on depends only on the state there and on that
//! text, with one exception: the positions at which long fences and HTML blocks are split into
//! bodies.

mod braces;
mod inline;
mod json_pieces;
mod log_lines;
mod open;
mod parts;

use std::ops::Range;
use std::sync::Arc;

use self::braces::UnmatchedLines;
pub(super) use self::log_lines::LogLines;
use self::open::{LeafKind, LeafText, OpenKind, OpenSegment};
use super::container::{Leaf, ScannerState};
use super::content::{Colours, FirstLine, strip};
use super::definition::definitions_len;
use super::reader::{LineReader, LineSpan};
use super::rules::{InlineRule, InlineRules, Mode};
use super::scanner::{LineKind, ScannedLine};
use super::segment::{Attachment, FenceHead, Segment};
use super::sum_tree::{Builder, SumTree};
use crate::never::OrNever;
use crate::syntax::lookahead::{CloserLookahead, LookaheadResult, UnchangedTail};
use crate::text::{Span, Text, TextCursor, saturate};

/// Fences and HTML blocks are split at the first line after this many bytes.
const CUT: usize = 6 << 10;
/// A split of an older tree is preserved if the body has at least this many bytes.
const MIN_CUT: usize = 2 << 10;

/// Parses lines into segments.
pub(super) struct SegmentParser<'t, A: Attachment> {
    text: &'t Text,
    rules: &'t InlineRules,
    reader: LineReader<'t>,
    ahead: CloserLookahead<'t, A>,
    /// The state after the accepted lines, and before the last of them.
    state: ScannerState,
    before: ScannerState,
    /// The open segment, and the open leaf with inline text.
    open: Option<OpenSegment>,
    leaf: Option<LeafText>,
    /// Braces without a match, from the last search.
    unmatched: UnmatchedLines,
    lines: LineCounter<'t>,
    /// The line ends of the open segment of a log, whose text is not read again to count them.
    line_ends: u32,
    segments: Builder<Segment<A>>,
    /// The state of the last segment start: most segments of a list share theirs.
    shared: Option<Arc<ScannerState>>,
}

/// Counts the line ends of segments, one after the other.
struct LineCounter<'t> {
    cursor: TextCursor<'t>,
    /// The end of the last segment, and its line.
    end: usize,
    line: usize,
}

impl<'t> LineCounter<'t> {
    fn new(text: &'t Text) -> Self {
        Self { cursor: TextCursor::new(text), end: 0, line: 0 }
    }

    /// The number of line ends in `range`, at whose ends no line end is split.
    fn pass(&mut self, range: Range<usize>) -> u32 {
        if range.start != self.end {
            self.line = self.cursor.line_of_byte(range.start);
        }
        let before = std::mem::replace(&mut self.line, self.cursor.line_of_byte(range.end));
        self.end = range.end;
        saturate(self.line.saturating_sub(before))
    }
}

/// The stop condition of a parse: checked with a document offset and the state there.
pub(super) trait StopCondition {
    /// True if everything from here on is already known.
    fn stops_at(&mut self, offset: usize, state: &ScannerState) -> bool;
}

/// Parses to the document's end.
pub(super) struct NeverStop;

/// Parses to the first segment that begins at this offset, or after it.
pub(super) struct StopBehind(pub usize);

impl StopCondition for StopBehind {
    fn stops_at(&mut self, offset: usize, _: &ScannerState) -> bool {
        offset >= self.0
    }
}

impl StopCondition for NeverStop {
    fn stops_at(&mut self, _: usize, _: &ScannerState) -> bool {
        false
    }
}

impl<'t, A: Attachment> SegmentParser<'t, A> {
    /// A parser that begins at `start`, the start of a segment, with the state there.
    pub fn new(
        text: &'t Text,
        rules: &'t InlineRules,
        start: usize,
        state: Option<&ScannerState>,
        behind: Option<UnchangedTail<'t, A>>,
    ) -> Self {
        Self {
            text,
            rules,
            reader: LineReader::new(text, rules, start..text.len()),
            ahead: CloserLookahead::new(text, behind),
            state: state.cloned().unwrap_or_default(),
            before: ScannerState::default(),
            open: None,
            leaf: None,
            unmatched: UnmatchedLines::default(),
            lines: LineCounter::new(text),
            line_ends: 0,
            segments: Builder::default(),
            shared: None,
        }
    }

    /// Parses to the point at which `stop` holds, or the end. Returns the segments.
    pub fn run(mut self, mut stop: impl StopCondition) -> SumTree<Segment<A>> {
        let end = match self.rules.mode {
            Mode::Markdown | Mode::Org => self.read_blocks(&mut stop),
            Mode::Lines => self.read_lines(&mut stop),
            Mode::Json { segment } => {
                return json_pieces::parse(self.text, segment, self.reader.position(), &mut stop);
            }
        };
        self.close_segment(end);
        self.segments.finish()
    }

    fn read_lines(&mut self, stop: &mut impl StopCondition) -> usize {
        let mut lines = LogLines::new(self.text, self.reader.position());
        for (line, is_blank) in lines.by_ref() {
            if !is_blank || self.open.is_none() {
                if self.begins(line, stop) {
                    return line.start;
                }
                self.open_segment(line, if is_blank { OpenKind::Blank } else { OpenKind::Line });
            }
            self.line_ends += u32::from(line.next > line.end);
        }
        lines.position()
    }

    fn read_blocks(&mut self, stop: &mut impl StopCondition) -> usize {
        loop {
            let line = self.reader.next_line();
            self.before.copy_from(&self.state);
            let Some(line) = line else {
                if self.end_leaf() {
                    continue;
                }
                return self.reader.position();
            };
            let read = self.read_line(line);
            let goes_on = matches!(read.kind, LineKind::Continued | LineKind::HtmlText { starts: false });
            if !goes_on && self.end_leaf_before(read.kind, line) {
                continue;
            }
            if self.take_line(line, read, stop) {
                return line.start;
            }
        }
    }

    fn read_line(&mut self, line: LineSpan) -> ScannedLine {
        let Self { text, rules, reader, state, before, leaf, .. } = self;
        let bytes = reader.bytes(line);
        let text_of_line = skip_mark(bytes, line);
        let mark = bytes.len() - text_of_line.len();
        let is_definitions = || {
            leaf.as_ref().is_some_and(|leaf| {
                leaf.may_define && {
                    let paragraph = strip(
                        text.slice(leaf.start..leaf.end),
                        0,
                        &before.containers,
                        0,
                        FirstLine::Bare,
                        Colours::Kept,
                    );
                    definitions_len(&paragraph.text) >= paragraph.text.trim_end_matches([' ', '\t']).len()
                }
            })
        };
        let mut read = match rules.mode {
            Mode::Org => state.read_org_line(text_of_line),
            _ => state.read_line(text_of_line, is_definitions),
        };
        read.text += mark;
        read
    }

    /// True if the segments from here on are known; otherwise the open segment ends here.
    fn begins(&mut self, line: LineSpan, stop: &mut impl StopCondition) -> bool {
        // A byte order mark only counts at a document's start, so text moved there from elsewhere
        // is read again.
        if line.start > 0 && stop.stops_at(line.start, &self.before) {
            return true;
        }
        self.close_segment(line.start);
        false
    }

    /// Adds a line to the open segment, or to a new one. Returns whether the parse stops before it.
    fn take_line(&mut self, line: LineSpan, read: ScannedLine, stop: &mut impl StopCondition) -> bool {
        let kind = match read.kind {
            LineKind::Blank => {
                match &mut self.open {
                    Some(open) => open.is_over = true,
                    None => self.open_segment(line, OpenKind::Blank),
                }
                return false;
            }
            LineKind::FenceContent | LineKind::FenceEnd | LineKind::HtmlContent { .. } => {
                return self.take_body_line(line, read.kind, stop);
            }
            LineKind::FenceStart { marker, indent, length } => {
                OpenKind::Fence(self.fence_head(line, read.text, marker, indent, length))
            }
            LineKind::HtmlStart { kind, ends } => OpenKind::Html { kind, closed: ends },
            _ => OpenKind::Text,
        };
        let is_text = matches!(kind, OpenKind::Text);
        if !(is_text && self.open.as_ref().is_some_and(OpenSegment::takes_text)) {
            if self.begins(line, stop) {
                return true;
            }
            self.open_segment(line, kind);
        }
        if is_text {
            self.take_text_line(line, read);
        }
        false
    }

    fn take_text_line(&mut self, line: LineSpan, read: ScannedLine) {
        let Some(open) = self.open.as_mut().never_none() else { return };
        if read.kind != LineKind::Continued {
            open.end_run_outside(read.matched);
        }
        open.content_end = line.next;
        open.last_end = line.end;
        if let Some(leaf) = &mut self.leaf {
            (leaf.end, leaf.next) = (line.end, line.next);
            return;
        }
        let kind = match read.kind {
            LineKind::Paragraph | LineKind::Continued => LeafKind::Paragraph,
            LineKind::Atx(level) => LeafKind::Atx(level),
            LineKind::HtmlText { .. } if self.starts_with_closed_region(line, read.text) => {
                self.state.leaf = Leaf::Paragraph;
                LeafKind::Paragraph
            }
            LineKind::HtmlText { .. } => LeafKind::Html,
            _ => return,
        };
        let start = line.start + read.text;
        let may_define = self.reader.bytes(line).get(read.text) == Some(&b'[');
        self.leaf = Some(LeafText {
            kind,
            line: line.start,
            start,
            from: start,
            end: line.end,
            next: line.next,
            may_define,
        });
    }

    /// True if a line that looks like the start of an HTML block is the start of a closed tag,
    /// which is text.
    fn starts_with_closed_region(&mut self, line: LineSpan, text: usize) -> bool {
        let start = line.start + text;
        if !self.reader.has_opener(start, start + 1) || self.open.as_ref().is_some_and(OpenSegment::is_in_run)
        {
            return false;
        }
        let rest = self.reader.text(start..line.end);
        self.rules.inline.iter().zip(0..).any(|(rule, index)| {
            let bit = self.rules.closer_bit(index);
            let may_open = bit != 0 && rule.place.is_in(self.before.history);
            let Some(opener) = opener_at(rule, &rest, 0, None).filter(|_| may_open) else { return false };
            let found = self.ahead.find(rule, bit, start + opener, &self.state.containers, &self.reader);
            let Some(open) = self.open.as_mut().never_none() else { return false };
            match found {
                LookaheadResult::Closer(_) => return true,
                _ if self.state.containers.is_empty() => open.undecided |= bit,
                _ => open.extend_lookahead(found.scanned_up_to(self.text)),
            }
            false
        })
    }

    fn take_body_line(&mut self, line: LineSpan, kind: LineKind, stop: &mut impl StopCondition) -> bool {
        let len = self.open.as_ref().map(|open| line.start - open.start);
        let is_cut = match len {
            None => true,
            Some(len) if len >= MIN_CUT && line.start > 0 && stop.stops_at(line.start, &self.before) => {
                return true;
            }
            Some(len) => len >= CUT,
        };
        if is_cut {
            self.close_segment(line.start);
            self.open_segment(line, OpenKind::Body { closing: None });
        }
        if let Some(open) = &mut self.open {
            open.content_end = line.next;
            if !matches!(kind, LineKind::FenceContent | LineKind::HtmlContent { ends: false }) {
                open.close_block(line.start);
            }
        }
        false
    }

    fn fence_head(&self, line: LineSpan, text: usize, marker: u8, indent: u8, length: u32) -> FenceHead {
        let bytes = self.reader.bytes(line);
        let behind = text + length as usize;
        let info = bytes.get(behind..).or_never();
        let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t');
        let leading = info.iter().take_while(is_space).count();
        let trailing = info.iter().rev().take_while(is_space).count().min(info.len() - leading);
        FenceHead {
            marker,
            indent,
            fence: Span::new(text, behind),
            info: Span::new(behind + leading, bytes.len() - trailing),
            content: saturate(line.next - line.start),
            closing: None,
        }
    }

    /// Ends the open leaf at a line that does not continue it. Returns whether a region continues
    /// it after all, so that the parse continues elsewhere.
    fn end_leaf_before(&mut self, kind: LineKind, line: LineSpan) -> bool {
        let leaf = self.leaf.clone();
        if self.end_leaf() {
            return true;
        }
        if let (LineKind::Setext(level), Some(leaf), true) = (kind, leaf, self.before.containers.is_empty())
            && let Some(open) = &mut self.open
        {
            let skip =
                if leaf.may_define { definitions_len(&self.text.slice(leaf.start..leaf.end)) } else { 0 };
            open.add_setext(level, &leaf, skip, line.end);
        }
        false
    }

    fn open_segment(&mut self, line: LineSpan, kind: OpenKind) {
        let state = self.share_state();
        self.open = Some(OpenSegment::new(line, kind, state));
    }

    fn share_state(&mut self) -> Option<Arc<ScannerState>> {
        if self.before.is_default() {
            return None;
        }
        if self.shared.as_deref() != Some(&self.before) {
            self.shared = Some(Arc::new(self.before.clone()));
        }
        self.shared.clone()
    }

    fn close_segment(&mut self, end: usize) {
        if let Some(open) = self.open.take() {
            let decides = self.reader.take_hits(end);
            let lines = match self.rules.mode {
                Mode::Lines => std::mem::take(&mut self.line_ends),
                Mode::Markdown | Mode::Json { .. } | Mode::Org => self.lines.pass(open.start..end),
            };
            self.segments.push(open.close(end, lines, decides));
        }
    }
}

/// The length of the opener of `rule` at `at` in `text`, if there is one and its rule accepts it.
fn opener_at(rule: &InlineRule, text: &str, at: usize, before: Option<char>) -> Option<usize> {
    let rest = text.get(at..).never_none()?;
    let opener =
        rule.openers.iter().filter(|opener| rest.starts_with(**opener)).map(|opener| opener.len()).max()?;
    (rule.accept)(before, rest.get(opener..).never_none()?).then_some(opener)
}

/// The line without the byte order mark at the document's start.
fn skip_mark(bytes: &[u8], line: LineSpan) -> &[u8] {
    if line.start == 0 { bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes) } else { bytes }
}
