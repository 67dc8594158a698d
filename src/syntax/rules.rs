//! What a parse looks for in text besides Markdown's own blocks, as data that dialects bring.
//!
//! A rule says how a region opens and how it ends; where it may stand at all (never in code or comments)
//! is the parser's business and the same for all.

use std::fmt;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};

use super::ahead::LookaheadQuery;

/// What a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Markdown with blocks in it.
    Markdown,
    /// A stream log: every line is one segment.
    Lines,
}

/// One kind of region in text.
#[derive(Clone, Copy, Debug)]
pub struct InlineRule {
    /// What it begins with; never empty and without line ends. No opener or closer of any rule may overlap another
    /// without being equal to it.
    pub openers: &'static [&'static str],
    /// Whether it stands only at the start of a line (behind container prefixes, spaces and tabs).
    pub at_line_start: bool,
    /// Whether an opener counts: given the character before it (`None` at a line's start) and the text of its paragraph behind it, without
    /// container prefixes.
    pub accept: fn(before: Option<char>, behind: &str) -> bool,
    /// How it ends.
    pub end: RegionEnd,
}

/// How a region ends.
#[derive(Clone, Copy, Debug)]
pub enum RegionEnd {
    /// Behind the brace that matches the first `{`, if that comes before a blank line (strings `"…"` are respected, and end
    /// with their line). Else it is unclosed and ends at that blank line or before a line that opens a fence. `accept` should see to it that a
    /// `{` follows. To Markdown it is text of a paragraph.
    Brace,
    /// Behind `closer`, whatever lies between. If one of `barred_by` comes first at a line's start, or no closer comes in
    /// its container, it is unclosed and takes its own paragraph, up to such a bar. To Markdown it is text of a paragraph.
    Closer {
        /// What closes it.
        closer: &'static str,
        /// What must not come before at the start of a line.
        barred_by: &'static [&'static str],
    },
    /// It is as long as the function says, given the text of its paragraph behind the opener: that many bytes more than the
    /// opener. `None`, or a length that takes in a line end, if it is no region at all. The function must read no
    /// further than it has to: a line may be full of openers.
    Line(fn(rest: &str) -> Option<usize>),
    /// To the next blank line, fence or HTML block of kinds 1 to 5, or the end of its container; nothing else is looked for
    /// in it, and Markdown's blocks do not notice it.
    Run,
}

/// The rules of a parse, made ready for searching; a clone shares them.
#[derive(Clone)]
pub struct InlineRules {
    /// What the document is.
    pub mode: Mode,
    /// What is looked for in its text; at most 255 rules, of which at most 8 end with a closer.
    pub inline: &'static [InlineRule],
    search: Option<Arc<InlineSearcher>>,
}

/// All openers, closers and bars, to be found in one pass.
struct InlineSearcher {
    patterns: AhoCorasick,
    /// For each pattern, what it means to the rules.
    roles: Vec<MatchRole>,
    /// Whether an opener begins with that byte.
    first_bytes: [bool; 256],
}

/// What a string that was found means to the rules.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MatchRole {
    /// It opens a region of some rule.
    pub opens: bool,
    /// The rules with closers (a bit each, see [`InlineRules::closer_bit`]) that it closes.
    pub closes: u8,
    /// Those that it bars.
    pub bars: u8,
    /// Its length in bytes.
    pub len: u8,
}

impl MatchRole {
    /// The rules that it closes or bars.
    pub fn decides(self) -> u8 {
        self.closes | self.bars
    }
}

impl InlineRules {
    /// Rules for documents of `mode` with the regions `inline`.
    pub fn new(mode: Mode, inline: &'static [InlineRule]) -> Self {
        Self { mode, inline, search: InlineSearcher::new(inline).map(Arc::new) }
    }

    /// The rules for Markdown without any regions.
    pub fn markdown() -> Self {
        Self::new(Mode::Markdown, &[])
    }

    /// The rules for stream logs.
    pub fn lines() -> Self {
        Self::new(Mode::Lines, &[])
    }

    /// Calls `found` with the position and role of every opener, closer and bar in `bytes`, in order.
    pub(super) fn find(&self, bytes: &[u8], mut found: impl FnMut(usize, MatchRole)) {
        if let Some(search) = &self.search {
            for hit in search.patterns.find_iter(bytes) {
                if let Some(&role) = search.roles.get(hit.pattern().as_usize()) {
                    found(hit.start(), role);
                }
            }
        }
    }

    /// Whether an opener begins with `byte`.
    pub(super) fn is_opener_byte(&self, byte: u8) -> bool {
        self.search
            .as_ref()
            .and_then(|search| search.first_bytes.get(usize::from(byte)))
            .is_some_and(|may| *may)
    }

    /// The bit that stands for `rule` among those with closers; 0 for others.
    pub(super) fn closer_bit(&self, rule: u8) -> u8 {
        closer_bit(self.inline, rule as usize)
    }

    /// The rules with closers: their bits, and what is looked for.
    pub(super) fn closers(&self) -> impl Iterator<Item = (u8, LookaheadQuery)> {
        self.inline.iter().enumerate().filter_map(|(at, rule)| match rule.end {
            RegionEnd::Closer { closer, barred_by } => {
                Some((closer_bit(self.inline, at), LookaheadQuery { closer, bars: barred_by }))
            }
            _ => None,
        })
    }
}

impl fmt::Debug for InlineRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules").field("mode", &self.mode).field("inline", &self.inline.len()).finish()
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
            if let RegionEnd::Closer { closer, barred_by } = rule.end {
                let bit = closer_bit(inline, at);
                add(closer, MatchRole { closes: bit, ..MatchRole::default() });
                barred_by.iter().for_each(|bar| add(bar, MatchRole { bars: bit, ..MatchRole::default() }));
            }
        }
        if strings.is_empty() {
            return None;
        }
        // Fails only beyond limits that a handful of short strings cannot reach; then nothing is found.
        let patterns = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&strings).ok()?;
        let mut first_bytes = [false; 256];
        for opener in inline.iter().flat_map(|rule| rule.openers) {
            if let Some(first) = opener.bytes().next().and_then(|byte| first_bytes.get_mut(usize::from(byte)))
            {
                *first = true;
            }
        }
        Some(Self { patterns, roles, first_bytes })
    }
}

fn closer_bit(inline: &[InlineRule], rule: usize) -> u8 {
    let closes = |rule: &InlineRule| matches!(rule.end, RegionEnd::Closer { .. });
    match inline.get(rule) {
        Some(found) if closes(found) => {
            let ordinal = inline.iter().take(rule).filter(|rule| closes(rule)).count();
            debug_assert!(ordinal < 8, "at most eight rules with closers");
            1 << ordinal.min(7)
        }
        _ => 0,
    }
}
