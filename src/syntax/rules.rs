//! The inline rules of a parse, besides Markdown's own blocks, as data that dialects provide.
//!
//! A rule defines how a region opens and ends; the parser decides where regions may occur at all
//! (never in code or comments), in the same way for all rules.

use std::fmt;
use std::sync::{Arc, LazyLock};

use aho_corasick::{AhoCorasick, Anchored, Input, MatchKind, StartKind};

use super::container::History;
use super::content::COLOUR;
use crate::never::OrNever;

/// The kind of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Markdown with blocks.
    Markdown,
    /// A log: every line is one segment.
    Lines,
    /// A JSON document: segments begin after commas.
    Json {
        /// Objects and arrays begin a new segment after this many bytes.
        segment: usize,
    },
    /// Org with headings and blocks.
    Org,
}

/// True if an opener is accepted, by the character before it and the text after it.
pub type AcceptsOpener = &'static (dyn Fn(Option<char>, &str) -> bool + Sync);

/// The place of an opener. A line starts after container prefixes, spaces and tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenerPlace {
    /// Anywhere in a line.
    Anywhere,
    /// At the start of a line.
    LineStart,
    /// At the start of a line in a block quote.
    QuotedLine,
    /// At the start of a line, or after this text there.
    Behind(&'static str),
    /// At the start of a line in a history of this program.
    LineOf(History),
    /// At the start of a line, or after a label there that begins in bold: `**Name** (time):`.
    BehindLabel,
}

impl OpenerPlace {
    /// True if an opener may stand in a text of this history.
    pub(super) fn is_in(self, history: Option<History>) -> bool {
        !matches!(self, Self::LineOf(_)) || history.map(Self::LineOf) == Some(self)
    }
}

/// The length of a region in the text after its opener.
pub type RegionLen = &'static (dyn Fn(&str) -> Option<usize> + Sync);

/// A kind of region in text.
#[derive(Clone, Copy)]
pub struct InlineRule {
    /// The strings that open it; never empty and without line ends. An opener or closer of a rule
    /// may only overlap another one if both are equal.
    pub openers: &'static [&'static str],
    /// The place of its openers.
    pub place: OpenerPlace,
    /// True if an opener is accepted, by the character before it (`None` at a line's start) and by
    /// the text of its paragraph after it, without container prefixes.
    pub accept: AcceptsOpener,
    /// The end condition.
    pub end: RegionEnd,
}

/// The strings that a look-ahead searches for.
#[derive(Clone, Copy)]
pub(super) struct LookaheadQuery {
    pub closer: &'static str,
    pub before: CloserLine,
    pub bars: &'static [&'static str],
}

/// The texts that may precede a closer on its line, after spaces and tabs; `None` if anything may.
pub type CloserLine = Option<&'static [&'static str]>;

/// The parts of a region that consists of several blocks of Markdown.
#[derive(Clone, Copy, Debug)]
pub struct PartLabels {
    /// The beginnings of the lines that continue the region.
    pub labels: &'static [&'static str],
    /// The labels that further lines of text may follow, below a blank line if the label has none;
    /// an empty one stands for the first line.
    pub with_text: &'static [&'static str],
    /// The labels that take a fenced code block though they have text; an empty one stands for the
    /// first line.
    pub with_both: &'static [&'static str],
    /// True if blank lines may stand between a fenced code block and the line that it belongs to.
    pub is_loose: bool,
    /// The languages of fenced code blocks that are labels of their own content.
    pub fences: &'static [&'static str],
    /// The languages of fenced code blocks that are never a part.
    pub barred: &'static [&'static str],
    /// The beginnings of the first lines of forms, which end the text of a label. If there are any,
    /// a blank line ends it, too.
    pub stops: &'static [&'static str],
    /// True if lines that are indented like code continue the text of the first line, also below a
    /// blank line.
    pub is_indented: bool,
    /// If there are any, the beginnings of lines that end the region, or whole lines with their
    /// line end: it has all blocks up to one.
    pub until: &'static [&'static str],
    /// True if it ends at its first blank line without such a line below.
    pub is_bounded: bool,
}

/// The first word after the markers of `line`, which opens a fenced code block.
pub fn fence_language(line: &str) -> &str {
    line.trim_start().trim_start_matches(['`', '~']).split_whitespace().next().unwrap_or_default()
}

/// The longest of `labels` that `line` begins with, after white space and stars, and the text
/// after it, which a number and a colon may precede.
pub fn label_of<'a>(line: &'a str, labels: &'static [&'static str]) -> Option<(&'static str, &'a str)> {
    let own = line.trim_start_matches([' ', '\t']);
    let bare = own.trim_start_matches('*');
    let behind = |label: &str| own.strip_prefix(label).or_else(|| bare.strip_prefix(label));
    let found = labels.iter().filter_map(|label| Some((*label, behind(label)?)));
    let (label, behind) = found.max_by_key(|(label, _)| label.len())?;
    let bare = behind.trim_start_matches(|c: char| matches!(c, ' ' | '*') || c.is_ascii_digit());
    let bare = bare.strip_prefix(':').map(|bare| bare.trim_start_matches('*'));
    Some((label, bare.filter(|_| !label.ends_with(['*', ':'])).unwrap_or(behind)))
}

/// The end condition of a region.
#[derive(Clone, Copy)]
pub enum RegionEnd {
    /// Ends after the brace that matches the first `{`, if that comes before a blank line (strings
    /// `"…"` are respected, and end with their line). Otherwise it is unclosed and ends at that
    /// blank line or before a line that opens a fence. `accept` should ensure that a `{` follows.
    /// For Markdown it is text of a paragraph.
    Brace,
    /// Ends after `closer`, whatever it is in Markdown. If one of `barred_by` comes first at a
    /// line's start, or no closer comes in its container, it is unclosed and extends over its own
    /// paragraph, up to such a bar. For Markdown it is text of a paragraph.
    Closer {
        /// The closing string.
        closer: &'static str,
        /// The texts that may precede it on its line.
        before: CloserLine,
        /// Strings that end the search at the start of a line.
        barred_by: &'static [&'static str],
    },
    /// Has the length that the function returns, in bytes after the opener; the function gets the
    /// text of the paragraph after the opener. If it returns `None`, or a length that includes a
    /// line end, there is no region. The function must read no further than necessary: a line may
    /// be full of openers.
    Line(RegionLen),
    /// The same, but the length may include line ends.
    Paragraph(RegionLen),
    /// Extends over its line and the parts below it: lines that begin with a label, and one fenced
    /// code block for its first line and for each label without text, with blank lines between.
    /// Anything else ends it, and so does a code block without an end.
    Parts(&'static PartLabels),
    /// Extends to the next blank line, fence or HTML block of kinds 1 to 5, or the end of its
    /// container; no other regions are found in it, and it does not affect Markdown's blocks.
    Run,
}

/// The rules of a parse, compiled for searching; clones share them.
#[derive(Clone)]
pub struct InlineRules {
    /// The kind of the document.
    pub mode: Mode,
    /// The regions in its text; at most 65,535 rules.
    pub inline: &'static [InlineRule],
    search: Option<Arc<InlineSearcher>>,
}

/// Finds all openers, closers and bars in one pass. There are several hundred, too many for the
/// vector instructions of an automaton; most bytes are passed by a look at the beginnings.
struct InlineSearcher {
    beginnings: Beginnings,
    /// Finds the longest string that starts at a byte.
    patterns: AhoCorasick,
    /// The role of each pattern.
    roles: Vec<MatchRole>,
    /// True if an opener begins with that byte.
    first_bytes: [bool; 256],
}

/// A set of rules with closers, a bit for each; with more than 64 rules some share a bit. So a bit
/// only shows that a search may find something.
pub(super) type CloserBits = u64;

/// The role of a match.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MatchRole {
    /// True if it opens a region of some rule.
    pub opens: bool,
    /// The rules with closers that it closes (a bit each, see [`InlineRules::closer_bit`]).
    pub closes: CloserBits,
    /// The rules that it bars.
    pub bars: CloserBits,
    /// Its length in bytes.
    pub len: u8,
}

impl MatchRole {
    /// The rules that it closes or bars.
    pub fn decides(self) -> CloserBits {
        self.closes | self.bars
    }
}

/// Markdown's rules without any for regions, to read lines by.
pub(super) static NO_RULES: LazyLock<InlineRules> = LazyLock::new(InlineRules::markdown);

impl InlineRules {
    /// Creates the rules for documents of `mode` with the regions `inline`.
    pub fn new(mode: Mode, inline: &'static [InlineRule]) -> Self {
        Self { mode, inline, search: InlineSearcher::new(inline).map(Arc::new) }
    }

    /// The rules for Markdown without any regions.
    pub fn markdown() -> Self {
        Self::new(Mode::Markdown, &[])
    }

    /// The rules for logs.
    pub fn lines() -> Self {
        Self::new(Mode::Lines, &[])
    }

    /// The rules for JSON documents, whose objects and arrays begin a new segment after `segment`
    /// bytes.
    pub fn json(segment: usize) -> Self {
        Self::new(Mode::Json { segment }, &[])
    }

    /// The rules for Org.
    pub fn org() -> Self {
        Self::new(Mode::Org, &[])
    }

    /// Calls `found` with the position and role of every opener, closer and bar in `bytes`, in
    /// order.
    pub(super) fn find(&self, bytes: &[u8], mut found: impl FnMut(usize, MatchRole)) {
        let Some(search) = &self.search else { return };
        let mut at = 0;
        while let Some(start) = search.beginnings.next(bytes, at) {
            let input = Input::new(bytes).range(start..).anchored(Anchored::Yes);
            let hit = search.patterns.find(input);
            at = hit.map_or(start + 1, |hit| hit.end());
            if let Some(&role) = hit.and_then(|hit| search.roles.get(hit.pattern().as_usize())) {
                found(start, role);
            }
        }
    }

    /// True if an opener begins with `byte`.
    pub(super) fn is_opener_byte(&self, byte: u8) -> bool {
        self.search
            .as_ref()
            .and_then(|search| search.first_bytes.get(usize::from(byte)))
            .is_some_and(|may| *may)
    }

    /// The bit of `rule`; 0 for rules without closers.
    pub(super) fn closer_bit(&self, rule: u16) -> CloserBits {
        closer_bit(self.inline, rule as usize)
    }

    /// The rules with closers: their bits, and the strings to search for.
    pub(super) fn closers(&self) -> impl Iterator<Item = (CloserBits, LookaheadQuery)> {
        self.inline.iter().enumerate().filter_map(|(at, rule)| match rule.end {
            RegionEnd::Closer { closer, before, barred_by } => {
                Some((closer_bit(self.inline, at), LookaheadQuery { closer, before, bars: barred_by }))
            }
            _ => None,
        })
    }
}

impl fmt::Debug for InlineRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InlineRules").field("mode", &self.mode).field("inline", &self.inline.len()).finish()
    }
}

impl InlineSearcher {
    fn new(inline: &'static [InlineRule]) -> Option<Self> {
        let mut strings: Vec<&'static str> = Vec::new();
        let mut roles: Vec<MatchRole> = Vec::new();
        let mut add = |string: &'static str, role: MatchRole| {
            let at = strings.iter().position(|&known| known == string).unwrap_or(strings.len());
            if at == strings.len() {
                debug_assert!((1..256).contains(&string.len()), "openers and closers are short");
                strings.push(string);
                roles.push(MatchRole { len: string.len() as u8, ..MatchRole::default() });
            }
            if let Some(known) = roles.get_mut(at) {
                known.opens |= role.opens;
                known.closes |= role.closes;
                known.bars |= role.bars;
            }
        };
        for (at, rule) in inline.iter().enumerate() {
            rule.openers
                .iter()
                .for_each(|opener| add(opener, MatchRole { opens: true, ..MatchRole::default() }));
            if let RegionEnd::Closer { closer, barred_by, .. } = rule.end {
                let bit = closer_bit(inline, at);
                add(closer, MatchRole { closes: bit, ..MatchRole::default() });
                barred_by.iter().for_each(|bar| add(bar, MatchRole { bars: bit, ..MatchRole::default() }));
            }
        }
        if inline.is_empty() {
            return None;
        }
        // An opener may have colours in it.
        add(COLOUR, MatchRole { opens: true, ..MatchRole::default() });
        // Fails only beyond limits that a handful of short strings cannot reach; then nothing
        // matches.
        let patterns = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .start_kind(StartKind::Anchored)
            .prefilter(false)
            .build(&strings)
            .never_none()?;
        let mut first_bytes = [false; 256];
        for opener in inline.iter().flat_map(|rule| rule.openers) {
            if let Some(first) = opener.bytes().next().and_then(|byte| first_bytes.get_mut(usize::from(byte)))
            {
                *first = true;
            }
        }
        Some(Self { beginnings: Beginnings::of(&strings), patterns, roles, first_bytes })
    }
}

/// The pairs of bytes with which some strings begin, a bit each.
struct Beginnings(Box<[u64]>);

impl Beginnings {
    fn of(strings: &[&str]) -> Self {
        let mut pairs = vec![0; 1 << 10].into_boxed_slice();
        for string in strings {
            let (first, second) = match *string.as_bytes() {
                [first, second, ..] => (first, second..=second),
                [first] => (first, 0..=255),
                [] => continue,
            };
            for (word, bit) in second.map(|second| Self::bit(first, second)) {
                pairs.get_mut(word).into_iter().for_each(|word: &mut u64| *word |= bit);
            }
        }
        Self(pairs)
    }

    /// The index of the word with the bit of a pair, and that bit.
    fn bit(first: u8, second: u8) -> (usize, u64) {
        (usize::from(first) << 2 | usize::from(second >> 6), 1 << (second & 63))
    }

    /// The next byte at or after `at` at which one of the strings may start. The last byte always
    /// counts.
    fn next(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let may_start = |pair: &[u8]| match *pair {
            [first, second] => {
                let (word, bit) = Self::bit(first, second);
                self.0.get(word).is_some_and(|word| word & bit != 0)
            }
            _ => false,
        };
        Some(at + rest.windows(2).position(may_start).unwrap_or(rest.len() - 1))
    }
}

fn closer_bit(inline: &[InlineRule], rule: usize) -> CloserBits {
    let closes = |rule: &InlineRule| matches!(rule.end, RegionEnd::Closer { .. });
    match inline.get(rule) {
        Some(found) if closes(found) => {
            let ordinal = inline.iter().take(rule).filter(|rule| closes(rule)).count();
            1 << (ordinal % CloserBits::BITS as usize)
        }
        _ => 0,
    }
}
