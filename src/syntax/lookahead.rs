//! Lookahead for the closer of a tag: in the whole document, or in the containers of the tag.
//!
//! Both cache their results, so that many unclosed tags do not make a parse quadratic. In a reparse
//! the text after the edit is not searched again: the old tree knows which of its segments may
//! contain closers.

use std::ops::Range;

use memchr::memmem;

use crate::never::{OrNever, never};
use crate::syntax::container::{Container, Containers, Leaf, LineContentCursor, ScannerState};
use crate::syntax::reader::{LineReader, LineSpan};
use crate::syntax::rules::{CloserBits, InlineRule, LookaheadQuery, MatchRole, NO_RULES, RegionEnd};
use crate::syntax::scanner::LineKind;
use crate::syntax::segment::{Attachment, LayoutSummary};
use crate::syntax::tree::Tree;
use crate::text::Text;

/// The first match after the opener of a tag, as a document offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LookaheadResult {
    /// The end of its closer.
    Closer(usize),
    /// The start of a bar, which ends the search.
    Bar(usize),
    /// Neither, up to this offset: the start of the first line outside of the containers, or the
    /// document's end.
    Neither(usize),
}

/// Searches for closers.
pub(super) struct CloserLookahead<'t, A: Attachment> {
    text: &'t Text,
    /// The unchanged text after the edit, in a reparse.
    behind: Option<UnchangedTail<'t, A>>,
    memos: Vec<LookaheadMemo>,
}

/// The part of an old tree after an edit.
pub(super) struct UnchangedTail<'t, A: Attachment> {
    pub tree: &'t Tree<A>,
    /// The start of its first segment, before and after the edit.
    pub old_start: usize,
    pub new_start: usize,
}

/// A cached result, valid for all searches from `from` up to the match.
struct LookaheadMemo {
    rule: (CloserBits, &'static str),
    within: Containers,
    from: usize,
    found: LookaheadResult,
}

impl<'t, A: Attachment> CloserLookahead<'t, A> {
    pub fn new(text: &'t Text, behind: Option<UnchangedTail<'t, A>>) -> Self {
        Self { text, behind, memos: Vec::new() }
    }

    /// The first match at or after `from` for the rule with `bit`, in the containers `within`. Text
    /// that `reader` has already searched is not searched again.
    pub fn find(
        &mut self,
        rule: &InlineRule,
        bit: CloserBits,
        from: usize,
        within: &[Container],
        reader: &LineReader<'_>,
    ) -> LookaheadResult {
        let RegionEnd::Closer { closer, before, barred_by } = rule.end else {
            never!("only rules with a closer look ahead");
            return LookaheadResult::Neither(from);
        };
        let position =
            self.memos.iter().position(|memo| memo.rule == (bit, closer) && memo.within.as_slice() == within);
        if let Some(memo) = position.and_then(|at| self.memos.get(at))
            && (memo.from..=memo.found.start(closer)).contains(&from)
        {
            return memo.found;
        }
        let wanted = LookaheadQuery { closer, before, bars: barred_by };
        let found = if within.is_empty() {
            self.find_in_hits(wanted, bit, from, reader)
                .unwrap_or_else(|| self.find_in_document(wanted, bit, from.max(reader.searched()), from))
        } else {
            self.find_in_containers(wanted, bit, from, within, reader)
        };
        let memo = LookaheadMemo { rule: (bit, closer), within: within.into(), from, found };
        match position.and_then(|at| self.memos.get_mut(at)) {
            Some(old) => *old = memo,
            None => self.memos.push(memo),
        }
        found
    }

    fn find_in_hits(
        &self,
        wanted: LookaheadQuery,
        bit: CloserBits,
        from: usize,
        reader: &LineReader<'_>,
    ) -> Option<LookaheadResult> {
        reader.deciders(from, bit).find_map(|(at, role)| {
            if wanted.is_closer(self.text, at, role) {
                return wanted
                    .closes_at(self.text, at, from)
                    .then_some(LookaheadResult::Closer(at + usize::from(role.len)));
            }
            let is_bar = wanted.bars.iter().any(|bar| is_at(bar, self.text, at, role));
            (is_bar && begins_line(self.text, at, from)).then_some(LookaheadResult::Bar(at))
        })
    }

    /// The first match at or after `from`, the start of a line, outside of containers.
    pub fn find_from_line_start(
        &self,
        wanted: LookaheadQuery,
        bit: CloserBits,
        from: usize,
    ) -> LookaheadResult {
        self.find_in_document(wanted, bit, from, usize::MAX)
    }

    /// `mid_line` is not at the start of a line.
    fn find_in_document(
        &self,
        wanted: LookaheadQuery,
        bit: CloserBits,
        from: usize,
        mid_line: usize,
    ) -> LookaheadResult {
        let end = self.text.len();
        let Some(behind) = &self.behind else {
            return wanted.find_in(self.text, from..end, mid_line).unwrap_or(LookaheadResult::Neither(end));
        };
        if from < behind.new_start
            && let Some(found) = wanted.find_in(self.text, from..behind.new_start, mid_line)
        {
            return found;
        }
        let old_from = from.max(behind.new_start) - behind.new_start + behind.old_start;
        let mut index = match behind.tree.segment_at(old_from) {
            Some(located) if old_from < behind.tree.bytes() => located.index,
            _ => return LookaheadResult::Neither(end),
        };
        while let Some(next) =
            behind.tree.segments.next_matching(index, |sum: &LayoutSummary| sum.decides & bit != 0)
        {
            if let Some(located) = behind.tree.locate(next) {
                let range = located.range();
                let to_new = |old: usize| old - behind.old_start + behind.new_start;
                let range = to_new(range.start).max(from)..to_new(range.end);
                if let Some(found) = wanted.find_in(self.text, range, mid_line) {
                    return found;
                }
            }
            index = next + 1;
        }
        LookaheadResult::Neither(end)
    }

    fn find_in_containers(
        &self,
        wanted: LookaheadQuery,
        bit: CloserBits,
        from: usize,
        within: &[Container],
        reader: &LineReader<'_>,
    ) -> LookaheadResult {
        // The line was searched. After a tag's opener nothing on it is at the start of the line.
        let next = self.text.byte_of_line(self.text.line_of_byte(from) + 1);
        let mut on_line = reader.deciders(from, bit).take_while(|(at, _)| *at < next);
        if wanted.before.is_none()
            && let Some((at, role)) = on_line.find(|(at, role)| wanted.is_closer(self.text, *at, *role))
        {
            return LookaheadResult::Closer(at + usize::from(role.len));
        }
        let mut lines = RegionLines::new(self.text, next, within);
        while let Some(line) = lines.next_line() {
            if let Some(found) = wanted.find_in_line(lines.bytes(line.span, line.content), line.content) {
                return found;
            }
        }
        LookaheadResult::Neither(lines.end())
    }
}

impl LookaheadResult {
    /// The offset after the last byte searched, which is the end of a line.
    pub fn scanned_up_to(self, text: &Text) -> usize {
        match self {
            Self::Closer(at) | Self::Bar(at) | Self::Neither(at) => {
                text.byte_of_line(text.line_of_byte(at) + 1)
            }
        }
    }

    /// The start of the match.
    fn start(self, closer: &str) -> usize {
        match self {
            Self::Closer(end) => end - closer.len(),
            Self::Bar(at) => at,
            Self::Neither(at) => at,
        }
    }
}

impl LookaheadQuery {
    /// The first closer or bar in `range`; an offset of `mid_line` does not count as the start of a
    /// line.
    fn find_in(self, text: &Text, range: Range<usize>, mid_line: usize) -> Option<LookaheadResult> {
        let mut reader = LineReader::new(text, &NO_RULES, range);
        while let Some((base, window)) = reader.next_window() {
            let is_line_start = base != mid_line;
            let closer = self.closers(window, is_line_start).next().map(|at| at + self.closer.len());
            let before = closer.map_or(window, |end| window.get(..end).or_never());
            let bar =
                self.bars(before).find(|&at| starts_line(window, at, is_line_start)).map(|at| base + at);
            match (bar, closer) {
                (Some(bar), _) => return Some(LookaheadResult::Bar(bar)),
                (None, Some(end)) => return Some(LookaheadResult::Closer(base + end)),
                (None, None) => {}
            }
        }
        None
    }

    /// Like [`LookaheadQuery::find_in`], in the text of one line that starts at `base`.
    fn find_in_line(self, line: &[u8], base: usize) -> Option<LookaheadResult> {
        if let Some(at) = self.bars(line).find(|&at| starts_line(line, at, true)) {
            return Some(LookaheadResult::Bar(base + at));
        }
        self.closers(line, true).next().map(|at| LookaheadResult::Closer(base + at + self.closer.len()))
    }

    /// The start of the last closer or bar in `range`, which consists of whole lines.
    pub fn last_in(self, text: &Text, range: Range<usize>) -> Option<usize> {
        let mut reader = LineReader::new(text, &NO_RULES, range);
        let mut last = None;
        while let Some((base, window)) = reader.next_window() {
            let closer = match self.before {
                None => memmem::rfind(window, self.closer.as_bytes()),
                Some(_) => self.closers(window, true).last(),
            };
            let bar = self.bars(window).filter(|&at| starts_line(window, at, true)).max();
            last = closer.max(bar).map(|at| base + at).or(last);
        }
        last
    }

    /// The closers in `text`; its start counts as the start of a line if `is_line_start`.
    fn closers(self, text: &[u8], is_line_start: bool) -> impl Iterator<Item = usize> {
        let is_closer = move |at: &usize| {
            self.before.is_none_or(|before| {
                let line = text.get(..*at).or_never();
                let line = before.iter().filter_map(|before| line.strip_suffix(before.as_bytes()));
                line.into_iter().any(|line| starts_line(line, line.len(), is_line_start))
            })
        };
        memmem::find_iter(text, self.closer.as_bytes()).filter(is_closer)
    }

    /// True if the match at the document offset `at`, of a rule with the same bit, is the closer.
    fn is_closer(self, text: &Text, at: usize, role: MatchRole) -> bool {
        role.closes != 0 && is_at(self.closer, text, at, role)
    }

    /// True if the closing string at the document offset `at` ends a region that began before
    /// `from`.
    fn closes_at(self, text: &Text, at: usize, from: usize) -> bool {
        self.before.is_none_or(|before| {
            before.iter().any(|before| {
                let start = at.saturating_sub(before.len());
                let is_before = (start..at).map(|at| text.byte(at)).eq(before.bytes().map(Some));
                is_before && start >= from && begins_line(text, start, from)
            })
        })
    }

    /// The offsets of bars, in order.
    fn bars(self, text: &[u8]) -> impl Iterator<Item = usize> {
        let mut found: Vec<usize> =
            self.bars.iter().flat_map(|bar| memmem::find_iter(text, bar.as_bytes())).collect();
        found.sort_unstable();
        found.into_iter()
    }
}

/// True if the match at the document offset `at` is `string`.
fn is_at(string: &str, text: &Text, at: usize, role: MatchRole) -> bool {
    string.len() == usize::from(role.len)
        && (at..at + string.len()).map(|at| text.byte(at)).eq(string.bytes().map(Some))
}

/// True if only spaces and tabs precede the document offset `at` on its line, from `from` on.
fn begins_line(text: &Text, at: usize, from: usize) -> bool {
    // Only white space is searched backwards: a line may be full of bars.
    let mut start = at;
    while start > from && matches!(text.byte(start - 1), Some(b' ' | b'\t')) {
        start -= 1;
    }
    start >= from && (start == 0 || matches!(text.byte(start - 1), Some(b'\n' | b'\r')))
}

/// True if only spaces and tabs precede `at` on its line; the start of the text counts as the start
/// of a line if `is_line_start`.
fn starts_line(text: &[u8], at: usize, is_line_start: bool) -> bool {
    let before = text.get(..at).or_never();
    match before.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t')) {
        Some(byte) => matches!(byte, b'\n' | b'\r'),
        None => is_line_start,
    }
}

/// The lines over which a region in given containers may extend.
pub(super) struct RegionLines<'t> {
    reader: LineReader<'t>,
    state: ScannerState,
    follows_blank: bool,
    end: usize,
}

/// A line of a region.
#[derive(Clone, Copy, Debug)]
pub(super) struct RegionLine {
    pub span: LineSpan,
    /// The start of its content, after the container prefixes.
    pub content: usize,
    pub is_blank: bool,
    /// True if it would open a fence, if it were not in the region.
    pub opens_fence: bool,
}

impl<'t> RegionLines<'t> {
    /// The lines from `start` on, which is the start of the line after one with text in `within`.
    pub fn new(text: &'t Text, start: usize, within: &[Container]) -> Self {
        let reader = LineReader::new(text, &NO_RULES, start..text.len());
        let state =
            ScannerState { containers: within.into(), leaf: Leaf::Paragraph, ..ScannerState::default() };
        Self { reader, state, follows_blank: false, end: start }
    }

    /// The next line; `None` if the containers or the document end. A line without all prefixes is
    /// included if it is a lazy continuation line of a paragraph.
    pub fn next_line(&mut self) -> Option<RegionLine> {
        let span = self.reader.next_line()?;
        let line = self.reader.bytes(span);
        let mut cursor = LineContentCursor::new(line);
        let is_inside = cursor.skip_containers(&self.state.containers) == self.state.containers.len();
        let kind = self.state.clone().read_line(line, || true).kind;
        if !is_inside && (self.follows_blank || kind != LineKind::Continued) {
            return None;
        }
        self.follows_blank = cursor.is_blank();
        self.end = span.next;
        Some(RegionLine {
            span,
            content: span.start + cursor.offset,
            is_blank: cursor.is_blank(),
            opens_fence: matches!(kind, LineKind::FenceStart { .. }),
        })
    }

    /// The bytes of the last line read, from `start` on.
    pub fn bytes(&self, span: LineSpan, start: usize) -> &[u8] {
        self.reader.bytes(LineSpan { start, ..span })
    }

    /// The offset after the last returned line.
    pub fn end(&self) -> usize {
        self.end
    }

    /// The offset after the last line searched.
    pub fn scanned_up_to(&self) -> usize {
        self.reader.position()
    }
}
