//! Finds the regions in the text of a leaf. Most leaves have no opener and are not searched.
//!
//! A leaf is first parsed to its plain CommonMark end. If a region extends beyond that end, the
//! lines of the region contain no blocks: the parser returns to the line on which the region ends,
//! with the leaf still open.

use std::collections::HashMap;

use smallvec::SmallVec;

use super::braces::{Braces, UnmatchedLines};
use super::open::{LeafKind, LeafText};
use super::parts::end_of_parts;
use super::{SegmentParser, opener_at};
use crate::never::OrNever;
use crate::syntax::container::{Container, Containers, History, Leaf};
use crate::syntax::content::{Colours, FirstLine, MappedContent, strip};
use crate::syntax::html;
use crate::syntax::lookahead::{LookaheadResult, RegionLines};
use crate::syntax::reader::LineSpan;
use crate::syntax::rules::{InlineRule, InlineRules, OpenerPlace, PartLabels, RegionEnd, RegionLen};
use crate::syntax::segment::Attachment;
use crate::text::Span;

/// The number of bytes before an opener that may be a label: a line may be full of openers.
const MOST_LABEL: usize = 128;

/// The text of a leaf that is being searched.
struct LeafScan<'t> {
    leaf: LeafText,
    within: Containers,
    history: Option<History>,
    content: MappedContent<'t>,
    /// For each run of backticks (by its start) the end of the code span that it opens.
    code_spans: HashMap<usize, usize>,
    /// End markers of raw HTML that are known not to occur any more.
    missing: SmallVec<[&'static [u8]; 4]>,
    /// The offset at which the search continues.
    at: usize,
}

/// The result of the search for a region's end.
enum RegionSearchResult {
    /// The region ends at this document offset, on a line after the leaf's; the leaf continues
    /// there.
    Beyond(usize),
    /// The region ends at this offset in the leaf's text.
    Within(usize),
}

impl<'t, A: Attachment> SegmentParser<'t, A> {
    /// Ends the open leaf, with its regions. Returns whether it continues after a region instead.
    pub(super) fn end_leaf(&mut self) -> bool {
        let Some(leaf) = self.leaf.take() else { return false };
        let is_silent = self.open.as_ref().is_none_or(|open| open.is_in_run() || open.has_left_out());
        if !is_silent && self.reader.has_opener(leaf.from, leaf.end) && self.scan_leaf(&leaf) {
            return true;
        }
        if let (LeafKind::Atx(level), true, Some(open)) =
            (leaf.kind, self.before.containers.is_empty(), &mut self.open)
        {
            open.add_atx(level, &leaf, &self.reader.text(leaf.start..leaf.end));
        }
        false
    }

    fn scan_leaf(&mut self, leaf: &LeafText) -> bool {
        let within = self.before.containers.clone();
        let text = self.reader.text(leaf.from..leaf.end).into();
        let content = strip(text, 0, &within, 0, FirstLine::Bare, Colours::Skipped);
        let code_spans = match leaf.kind {
            LeafKind::Html => HashMap::new(),
            LeafKind::Paragraph | LeafKind::Atx(_) => code_spans(content.text.as_bytes()),
        };
        let missing = SmallVec::new();
        let (leaf, history) = (leaf.clone(), self.before.history);
        let mut scan = LeafScan { leaf, within, history, content, code_spans, missing, at: 0 };
        while let Some((rule, index, opener)) = scan.next_opener(self.rules) {
            let start = scan.at;
            if self.open.as_mut().is_some_and(|open| open.leaves_out(scan.source(start))) {
                return false;
            }
            let ended = match rule.end {
                RegionEnd::Line(len) => scan.end_of_construct(start + opener, len).map(|end| {
                    self.add_region(&scan, index, true, start, end);
                    RegionSearchResult::Within(end)
                }),
                RegionEnd::Paragraph(len) => scan.end_of_text(start + opener, len).map(|end| {
                    self.add_region(&scan, index, true, start, end);
                    RegionSearchResult::Within(end)
                }),
                RegionEnd::Parts(parts) => {
                    let end = self.end_parts(&scan, parts, index, start);
                    if end > scan.leaf.end {
                        return self.go_on_below(&scan, end, Leaf::None).is_some();
                    }
                    Some(RegionSearchResult::Within(scan.at_source(end)))
                }
                RegionEnd::Run => {
                    if let Some(open) = &mut self.open {
                        open.start_run(index, scan.source(start), &scan.within);
                    }
                    return false;
                }
                RegionEnd::Brace => Some(self.end_brace(&scan, index, start, opener)),
                RegionEnd::Closer { .. } => Some(self.end_closer(&scan, rule, index, start, opener)),
            };
            match ended {
                Some(RegionSearchResult::Within(end)) => scan.at = end.max(start + 1),
                Some(RegionSearchResult::Beyond(end)) => return self.go_on_behind(&scan, end),
                None => scan.at = start + 1,
            }
        }
        false
    }

    fn add_region(&mut self, scan: &LeafScan<'_>, rule: u16, closed: bool, start: usize, end: usize) {
        let span = scan.content.to_segment(Span::new(start, end)).shifted(scan.leaf.from);
        self.add_source_region(scan, rule, closed, span.start as usize, span.end as usize);
    }

    fn add_source_region(&mut self, scan: &LeafScan<'_>, rule: u16, closed: bool, start: usize, end: usize) {
        if let Some(open) = &mut self.open {
            open.add_region(rule, closed, start, end, &scan.within);
        }
    }

    fn end_brace(
        &mut self,
        scan: &LeafScan<'_>,
        rule: u16,
        start: usize,
        opener: usize,
    ) -> RegionSearchResult {
        let mut braces = Braces::default();
        let text = scan.content.text.as_bytes();
        let from = start + opener;
        if let Some(len) = braces.end_in(text.get(from..).or_never()) {
            self.add_region(scan, rule, true, start, from + len);
            return RegionSearchResult::Within(from + len);
        }
        // The first line that opens a fence ends it, unless a brace closes it later.
        let (mut end, mut passed_fence) = (scan.leaf.end, false);
        let mut lines = RegionLines::new(self.text, scan.leaf.next, &scan.within);
        let (mut closed, mut known) = (None, None);
        let mut unmatched = UnmatchedLines::new(&scan.within);
        while let Some(line) = lines.next_line().filter(|line| !line.is_blank) {
            braces.end_line();
            let depth = braces.depth;
            if passed_fence && self.unmatched.is_known_unmatched(&scan.within, line.span.start, depth) {
                known = Some(self.unmatched.scanned_up_to);
                break;
            }
            if let Some(len) = braces.end_in(lines.bytes(line.span, line.content)) {
                closed = Some(line.content + len);
                break;
            }
            if passed_fence {
                unmatched.add(line.span.start, depth, &braces);
            }
            passed_fence |= line.opens_fence;
            if !passed_fence {
                end = line.span.end;
            }
        }
        let looked = known.unwrap_or(lines.scanned_up_to());
        if closed.is_none() && known.is_none() {
            self.unmatched = unmatched.finish(looked);
        }
        if let Some(open) = &mut self.open {
            open.extend_lookahead(looked);
        }
        let source = scan.source(start);
        self.add_source_region(scan, rule, closed.is_some(), source, closed.unwrap_or(end));
        match closed {
            None if end == scan.leaf.end => RegionSearchResult::Within(text.len()),
            _ => RegionSearchResult::Beyond(closed.unwrap_or(end)),
        }
    }

    fn end_closer(
        &mut self,
        scan: &LeafScan<'_>,
        rule: &InlineRule,
        index: u16,
        start: usize,
        opener: usize,
    ) -> RegionSearchResult {
        let bit = self.rules.closer_bit(index);
        let source = scan.source(start);
        let found = self.ahead.find(rule, bit, source + opener, &scan.within, &self.reader);
        if let LookaheadResult::Closer(end) = found {
            self.add_source_region(scan, index, true, source, end);
            return if end > scan.leaf.end {
                RegionSearchResult::Beyond(end)
            } else {
                RegionSearchResult::Within(scan.at_source(end))
            };
        }
        if let Some(open) = &mut self.open {
            if scan.within.is_empty() {
                open.undecided |= bit;
            } else {
                open.extend_lookahead(found.scanned_up_to(self.text));
            }
        }
        let text = &scan.content.text;
        let end = match found {
            LookaheadResult::Bar(at) if at < scan.leaf.end => scan.at_source(at),
            _ => text.len(),
        };
        let trimmed_end = text.get(..end).or_never().trim_end_matches([' ', '\t', '\r', '\n']).len();
        self.add_region(scan, index, false, start, trimmed_end.max(start + opener));
        RegionSearchResult::Within(end)
    }

    /// Adds a region of several parts, and returns its end.
    fn end_parts(&mut self, scan: &LeafScan<'_>, parts: &PartLabels, rule: u16, start: usize) -> usize {
        let source = scan.source(start);
        let next = self.text.byte_of_line(self.text.line_of_byte(source) + 1);
        let line = self.text.slice(source..next.min(scan.leaf.end));
        let end = source + line.trim_end_matches(['\n', '\r', ' ', '\t']).len();
        let leaf = match scan.leaf.kind {
            LeafKind::Paragraph => Leaf::Paragraph,
            LeafKind::Atx(_) => Leaf::None,
            LeafKind::Html => Leaf::HtmlText,
        };
        let found = end_of_parts(self.text, parts, (end, next), &scan.within, leaf);
        if let Some(open) = &mut self.open {
            open.extend_lookahead(found.scanned_up_to);
        }
        self.add_source_region(scan, rule, true, source, found.end);
        found.end
    }

    /// Continues below the line beyond the leaf in which a region ends at `end`, with `leaf` open.
    /// Returns that line.
    fn go_on_below(&mut self, scan: &LeafScan<'_>, end: usize, leaf: Leaf) -> Option<LineSpan> {
        self.reader.seek(scan.leaf.next);
        let open = self.open.as_mut().never_none()?;
        let line = std::iter::from_fn(|| self.reader.next_line()).find(|line| line.end >= end)?;
        self.state.containers = scan.within.clone();
        self.state.leaf = leaf;
        (open.content_end, open.last_end, open.is_over) = (line.next, line.end, false);
        Some(line)
    }

    /// Continues after a region that ends at `end`, beyond the leaf's last line: that line becomes
    /// the leaf's text.
    fn go_on_behind(&mut self, scan: &LeafScan<'_>, end: usize) -> bool {
        let (kind, leaf) = match scan.leaf.kind {
            LeafKind::Html => (LeafKind::Html, Leaf::HtmlText),
            _ => (LeafKind::Paragraph, Leaf::Paragraph),
        };
        let Some(line) = self.go_on_below(scan, end, leaf) else { return false };
        self.leaf = Some(LeafText { kind, from: end, end: line.end, next: line.next, ..scan.leaf.clone() });
        true
    }
}

/// [`slice::starts_with`], quicker for texts that differ in their second byte.
#[inline]
fn begins_with(text: &[u8], start: &[u8]) -> bool {
    match (text, start) {
        ([_, second, ..], [_, other, ..]) if second != other => false,
        _ => text.starts_with(start),
    }
}

impl LeafScan<'_> {
    /// The next accepted opener, which is then at `self.at`: its rule, the rule's index, and its
    /// length.
    fn next_opener(&mut self, rules: &InlineRules) -> Option<(&'static InlineRule, u16, usize)> {
        let is_html = self.leaf.kind == LeafKind::Html;
        loop {
            let rest = self.content.text.as_bytes().get(self.at..).never_none()?;
            let &first = rest.first()?;
            let candidates = if rules.is_opener_byte(first) { rules.inline } else { &[] };
            for (rule, index) in candidates.iter().zip(0..) {
                if let Some(opener) = self.opener_here(rule, rest) {
                    return Some((rule, index, opener));
                }
            }
            self.at += match first {
                b'\\' if !is_html && rest.get(1).is_some_and(u8::is_ascii_punctuation) => 2,
                b'`' if !is_html => match self.code_spans.get(&self.at) {
                    Some(end) => end - self.at,
                    None => rest.iter().take_while(|byte| **byte == b'`').count(),
                },
                b'<' if !is_html || rest.starts_with(b"<!--") => {
                    let len = html::inline_len(rest, &self.missing);
                    if let (None, Some((_, end))) = (len, html::inline_end(rest))
                        && !self.missing.contains(&end)
                    {
                        self.missing.push(end);
                    }
                    len.unwrap_or(1)
                }
                _ => 1,
            };
        }
    }

    fn opener_here(&self, rule: &InlineRule, rest: &[u8]) -> Option<usize> {
        rule.openers.iter().find(|opener| begins_with(rest, opener.as_bytes()))?;
        let before = self.content.text.get(..self.at).never_none()?;
        let is_there = match rule.place {
            OpenerPlace::Anywhere => true,
            OpenerPlace::LineStart | OpenerPlace::LineOf(_) => self.starts_line(before),
            OpenerPlace::QuotedLine => self.starts_line(before) && self.is_in_quote(),
            OpenerPlace::Behind(text) => self.starts_line(before.strip_suffix(text).unwrap_or(before)),
            OpenerPlace::BehindLabel => self.starts_line(before) || Self::is_label(before),
        };
        if !is_there || !rule.place.is_in(self.history) {
            return None;
        }
        let before = before.chars().next_back().filter(|c| !matches!(c, '\n' | '\r'));
        opener_at(rule, &self.content.text, self.at, before)
    }

    /// True if the text up to the end of `before` on its line is white space.
    fn starts_line(&self, before: &str) -> bool {
        let before = before.trim_end_matches([' ', '\t']);
        before.ends_with(['\n', '\r']) || (before.is_empty() && self.leaf.from == self.leaf.start)
    }

    /// True if the text up to the end of `before` on its line is a label that begins in bold.
    fn is_label(before: &str) -> bool {
        let line = before.as_bytes().iter().rev().take_while(|byte| !matches!(byte, b'\n' | b'\r'));
        let line: SmallVec<[u8; MOST_LABEL]> = line.take(MOST_LABEL).copied().collect();
        let mut marks = line.iter().skip_while(|byte| matches!(byte, b' ' | b'\t' | b'*'));
        line.len() < MOST_LABEL && line.trim_ascii_end().ends_with(b"**") && marks.next() == Some(&b':')
    }

    fn is_in_quote(&self) -> bool {
        self.within.contains(&Container::Quote)
    }

    /// The end of a single-line construct, if `len` recognizes one.
    fn end_of_construct(&self, from: usize, len: RegionLen) -> Option<usize> {
        let end = self.end_of_text(from, len)?;
        let construct = self.content.text.get(from..end).never_none()?;
        (!construct.contains(['\n', '\r'])).then_some(end)
    }

    /// The end of the text that `len` recognizes, if it does.
    fn end_of_text(&self, from: usize, len: RegionLen) -> Option<usize> {
        let rest = self.content.text.get(from..).never_none()?;
        let recognized = rest.get(..len(rest)?).never_none()?;
        Some(from + recognized.len())
    }

    /// The document offset of an offset in the text.
    fn source(&self, at: usize) -> usize {
        self.content.to_segment(Span::new(at, at + 1)).start as usize + self.leaf.from
    }

    /// The first offset in the text that comes from `source` or later.
    fn at_source(&self, source: usize) -> usize {
        let (mut low, mut high) = (0, self.content.text.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.source(middle) < source {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// The code spans that runs of backticks would open: from a run's start to the end of the next run
/// of the same length.
fn code_spans(text: &[u8]) -> HashMap<usize, usize> {
    let mut next_of_length: HashMap<usize, usize> = HashMap::new();
    let mut spans = HashMap::new();
    let mut end = text.len();
    while let Some(last) = memchr::memrchr(b'`', text.get(..end).or_never()) {
        let before = text.get(..last).or_never();
        let start = before.iter().rposition(|byte| *byte != b'`').map_or(0, |at| at + 1);
        let length = last + 1 - start;
        if let Some(next) = next_of_length.insert(length, start) {
            spans.insert(start, next + length);
        }
        // A run whose first backtick is escaped opens with its remaining backticks.
        if length > 1
            && let Some(next) = next_of_length.get(&(length - 1)).filter(|next| **next > start)
        {
            spans.insert(start + 1, next + length - 1);
        }
        end = start;
    }
    spans
}
