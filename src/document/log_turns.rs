//! The turns of a message log: who says what, when, and with which model.
//!
//! Segments store where messages begin; what they say is read on request. The messages of the
//! assistant up to the next one of another author are one turn, with the results between them.

use std::borrow::Cow;
use std::ops::Range;

use super::conversations::ConversationKey;
use super::turn_collector::{TurnCollector, TurnList};
use super::{Document, Language};
use crate::call::MessageRole;
use crate::dialect::log::attachment::attachment;
use crate::dialect::log::message::TextKind;
use crate::json;
use crate::syntax::SegmentKind;
use crate::text::abbreviate::cut;

/// Maximum number of bytes that are read for a headline.
const HEADLINE: usize = 1 << 10;
/// Maximum number of segments that are searched for the message of a text.
const LOOKED_AT: usize = 16;

/// A turn: one message, or several of the assistant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogTurn {
    /// The role.
    pub role: MessageRole,
    /// Its first time, as written.
    pub time: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The sub-agent, by its id; empty if it has none.
    pub agent: Option<String>,
    /// Its conversation.
    pub conversation: ConversationKey,
    /// From the first message to the end of the last one, with results.
    pub range: Range<usize>,
    /// Its texts, in order.
    pub texts: Vec<LogText>,
}

/// A piece of what a turn says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogText {
    /// Its kind.
    pub kind: TextKind,
    /// The range of its string, or of the object that it stands for, in document offsets.
    pub range: Range<usize>,
    /// The position at which it is shown: texts may precede what is written before them.
    pub order: usize,
}

/// The author of a turn; `N` are names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Speaker<N> {
    /// The role.
    pub role: MessageRole,
    /// The sub-agent.
    pub agent: Option<N>,
    /// The model.
    pub model: Option<N>,
}

/// The turns in full, at most `most` of them.
struct LogTurns {
    turns: Vec<LogTurn>,
    most: usize,
}

impl TurnList for LogTurns {
    fn is_full(&self) -> bool {
        self.turns.len() > self.most
    }

    fn last(&self) -> Option<&LogTurn> {
        self.turns.last()
    }

    fn last_mut(&mut self) -> Option<&mut LogTurn> {
        self.turns.last_mut()
    }

    fn push(&mut self, turn: LogTurn) {
        self.turns.push(turn);
    }

    fn add_text(&mut self, text: LogText) {
        if let Some(turn) = self.turns.last_mut() {
            turn.texts.push(text);
        }
    }

    fn forget(&mut self, start: usize, conversation: ConversationKey) {
        let index = self.turns.partition_point(|turn| turn.range.start <= start);
        let turn = index.checked_sub(1).and_then(|index| self.turns.get_mut(index));
        if let Some(turn) = turn.filter(|turn| turn.conversation != conversation) {
            turn.texts.retain(|text| text.order < start);
            if turn.texts.is_empty() && turn.range.start >= start {
                turn.range.end = turn.range.start;
            }
        }
    }

    fn leave_arrays(&mut self) {}
}

impl Document {
    /// True if the document is a log with messages, not only its fences.
    pub fn has_messages(&self) -> bool {
        self.language != Language::Markdown && self.tree.summary().attachment.messages
    }

    /// The turns, in order, at most `most` of them. Reads each message; takes time linear in the
    /// length of the messages. Empty unless the document is [active](Document::is_active).
    pub fn log_turns(&self, most: usize) -> Vec<LogTurn> {
        self.log_turns_in(0..self.tree.len(), most)
    }

    /// The turns of the messages that begin in these segments, as if there were no others.
    pub fn log_turns_in(&self, segments: Range<usize>, most: usize) -> Vec<LogTurn> {
        let mut collector = TurnCollector::new(LogTurns { turns: Vec::new(), most });
        collector.add_segments(self, segments);
        let full = collector.turns.is_full();
        let mut turns = collector.turns.turns;
        match full {
            true => turns.truncate(most),
            false => turns.retain(|turn| !turn.range.is_empty()),
        }
        turns
    }

    /// The turn of the message whose text contains the byte `at`, with that text; in a line of a
    /// log the first turn of the line, wherever `at` is in it; in Markdown the turn of a fence.
    pub fn log_turn_at(&self, at: usize) -> Option<(LogTurn, Option<LogText>)> {
        let here = self.tree.segment_at(at)?;
        let is_line = here.segment.kind == SegmentKind::Line;
        // A message begins in its own segment, or in one of the last: that of its fence, or in
        // JSON.
        let head = self.tree.head_of(here.index);
        let mut before = head + 1;
        for _ in 0..if self.language == Language::Json { LOOKED_AT } else { 1 } {
            before = self.tree.previous_attached(before, |data| data.messages)?;
            if before != head && self.language == Language::Markdown {
                return None;
            }
            let turns = self.log_turns_in(before..before + 1, usize::MAX);
            let holds = |text: &&LogText| text.range.contains(&at);
            let text = turns.iter().find_map(|turn| Some((turn, turn.texts.iter().find(holds)?)));
            if let Some((turn, text)) = text {
                return Some((turn.clone(), Some(text.clone())));
            }
            if is_line && before == here.index {
                return turns.into_iter().next().map(|turn| (turn, None));
            }
        }
        None
    }

    /// The first line of what a turn says; empty if it says nothing.
    pub fn headline(&self, turn: &LogTurn, most_chars: usize) -> String {
        let is_said = |text: &&LogText| text.kind != TextKind::Thinking;
        let text = turn.texts.iter().find(is_said).or_else(|| turn.texts.first());
        let shown = text.map(|text| self.log_text(text, HEADLINE)).unwrap_or_default();
        let line = shown.trim_start().lines().next().unwrap_or_default();
        cut(line.trim(), most_chars)
    }

    /// The text of `piece`, decoded, up to `most` bytes of its source; with a note on what is left
    /// out.
    pub fn log_text(&self, piece: &LogText, most: usize) -> String {
        let range = &piece.range;
        if piece.kind == TextKind::Attachment {
            return attachment(&self.json_slice(range.clone()));
        }
        let len = range.end - range.start;
        if len <= most {
            return decoded(&self.text.slice(range.clone()));
        }
        let end = self.text.floor_boundary(range.start + most);
        let shown = decoded(&self.text.slice(range.start..end));
        format!("{shown}…\n\n[{} kB left out]", (len - most).div_ceil(1000))
    }
}

/// The text of a string of JSON, which may be cut off.
fn decoded(literal: &str) -> String {
    let json = json::parse_prefix(literal);
    let text = json.root(literal).and_then(|value| value.as_str().map(Cow::into_owned));
    text.unwrap_or_default()
}

impl<N: PartialEq> Speaker<N> {
    /// True if a turn of it is the turn of `last` going on, in the same conversation: both are of
    /// the assistant.
    pub fn goes_on(&self, last: &Self) -> bool {
        (last.role, &last.agent) == (self.role, &self.agent)
            && self.role == MessageRole::Assistant
            && (self.model.is_none() || last.model.is_none() || last.model == self.model)
    }

    /// The name of its role; `is_summary` if it gives the summary of a conversation.
    pub fn role_name(&self, is_summary: bool) -> &'static str {
        match self.role {
            MessageRole::System if is_summary => "Summary",
            role => role.name(),
        }
    }
}

impl LogTurn {
    pub(super) fn speaker(&self) -> Speaker<&str> {
        Speaker { role: self.role, agent: self.agent.as_deref(), model: self.model.as_deref() }
    }

    /// The name of its role.
    pub fn role_name(&self) -> &'static str {
        self.speaker().role_name(self.texts.iter().any(|text| text.kind == TextKind::Summary))
    }

    /// Its name: the role, the sub-agent, the model and the time.
    pub fn name(&self) -> String {
        let role = self.role_name();
        let agent = self.agent.as_deref().map(|id| match id {
            "" => "sub-agent".to_owned(),
            id => format!("sub-agent {id}"),
        });
        let time = self.time.as_deref().map(readable_time);
        let parts = [Some(role.to_owned()), agent, self.model.clone(), time];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }
}

/// A time for readers: dates without fractions of seconds, numbers as dates in UTC.
fn readable_time(time: &str) -> String {
    if let Ok(number) = time.parse::<f64>() {
        #[expect(clippy::cast_possible_truncation, reason = "seconds of a date")]
        let seconds = if number > 1e11 { (number / 1000.0) as i64 } else { number as i64 };
        return date_of(seconds);
    }
    let zone = if time.ends_with('Z') { "Z" } else { "" };
    match time.get(..19) {
        Some(date) if date.as_bytes().get(10) == Some(&b'T') => {
            format!("{}{zone}", date.replacen('T', " ", 1))
        }
        _ => time.chars().take(40).collect(),
    }
}

/// The date of `seconds` since 1970, in UTC (Howard Hinnant, "chrono-compatible low-level date
/// algorithms", `civil_from_days`).
fn date_of(seconds: i64) -> String {
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_of_year = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_of_year + 2) / 5 + 1;
    let month = if month_of_year < 10 { month_of_year + 3 } else { month_of_year - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates() {
        let check = |time: &str, expected: &str| assert_eq!(readable_time(time), expected, "{time}");
        check("2026-02-12T16:02:48.183Z", "2026-02-12 16:02:48Z");
        check("2025-01-20T20:29:13.519638", "2025-01-20 20:29:13");
        check("1771207970988", "2026-02-16 02:12:50Z");
        check("1700000000", "2023-11-14 22:13:20Z");
        check("951782400", "2000-02-29 00:00:00Z");
        check("-86400", "1969-12-31 00:00:00Z");
        check("10:30", "10:30");
    }
}
