//! The lines that begin a message: `User:`, `**Assistant:**`, `_**Agent (name)**_`, `### Human` (formats.md §4).
//!
//! A name alone means nothing: it is marked (a colon, emphasis, brackets, a heading), and nothing but its qualifier
//! stands between it and its marks.

use std::ops::Range;

use crate::text::Span;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MessageRole {
    /// The person.
    User,
    /// The model.
    Assistant,
    /// Who instructs it.
    System,
}

/// The beginning of a message. Spans are relative to the segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Who speaks.
    pub role: MessageRole,
    /// Its line, or the lines of its heading, without the last line's end.
    pub span: Span,
    /// The speaker's name with its qualifier: `Agent (name)`.
    pub name: Span,
    /// Where on the line the message begins; the line's end where it begins below.
    pub text: u32,
    /// Of a heading its level; else 0.
    pub level: u8,
}

/// How often the user and the assistant speak, as far as it counts: whether a text is a conversation.
///
/// A role line (`User:`, `**Assistant:**`) counts twice what a heading does, for documentation of chat APIs has a heading for
/// each role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpeakerCounts {
    user: u8,
    assistant: u8,
}

impl SpeakerCounts {
    /// What more is not counted, and what both must have.
    const ENOUGH: u8 = 2;

    /// The voices of `turns`.
    pub fn of(turns: &[Turn]) -> Self {
        let mut voices = Self::default();
        for turn in turns {
            let count = if turn.level == 0 { Self::ENOUGH } else { 1 };
            match turn.role {
                MessageRole::User => voices.add(Self { user: count, assistant: 0 }),
                MessageRole::Assistant => voices.add(Self { user: 0, assistant: count }),
                MessageRole::System => {}
            }
            if voices.is_conversation() {
                break;
            }
        }
        voices
    }

    /// Adds those of another text.
    pub fn add(&mut self, other: Self) {
        self.user = self.user.saturating_add(other.user).min(Self::ENOUGH);
        self.assistant = self.assistant.saturating_add(other.assistant).min(Self::ENOUGH);
    }

    /// Whether they are a conversation: both speak, in role lines or under two headings each.
    pub fn is_conversation(self) -> bool {
        self.user >= Self::ENOUGH && self.assistant >= Self::ENOUGH
    }
}

/// What is found in a line or a title, in its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnStart {
    /// Who speaks.
    pub role: MessageRole,
    /// The speaker's name with its qualifier.
    pub name: Range<usize>,
    /// Where the message's text begins, behind blank space.
    pub text: usize,
}

/// How long the marks before a name and the qualifier behind it may be, in bytes.
const MARKS: usize = 32;
const QUALIFIER: usize = 120;
/// What chat templates write before a role.
const TEMPLATES: [&str; 2] = ["<|im_start|>", "<|start_header_id|>"];

/// What `line`, without its line end, says of a message's beginning.
pub fn turn_of_line(line: &str, names: &TurnSettings) -> Option<TurnStart> {
    if !may_start_turn(line, names) {
        return None;
    }
    let found = MarkedName::of(line, names)?;
    let (behind, name) = (line.get(found.end..)?, line.get(found.name.clone())?);
    let is_ready = match (found.is_template, found.has_colon) {
        (true, _) => true,
        // `system: 5` is a setting, and `User::new` a path.
        (_, true) if found.is_bare => !name.starts_with(char::is_lowercase) && begins_blank(behind),
        (_, true) => begins_blank(behind) && !(found.is_bracketed && is_destination(behind.trim())),
        (_, false) => !found.is_bare && behind.trim().is_empty(),
    };
    is_ready.then(|| found.opening(line))
}

/// Whether it is worth a look, which most lines are not: a bare name needs its colon (`：` begins with 0xEF), and others begin with
/// a mark.
fn may_start_turn(line: &str, names: &TurnSettings) -> bool {
    let bytes = line.as_bytes();
    match bytes {
        [] => false,
        [b'*' | b'_' | b'[' | b'|', ..] | [b'<', b'|', ..] => true,
        [first, ..] if first.is_ascii_alphanumeric() => {
            let head = bytes.get(..MARKS + QUALIFIER).unwrap_or(bytes);
            memchr::memchr2(b':', 0xEF, head).is_some()
        }
        [first, ..] if first.is_ascii() => all(names).any(|(_, name)| name.as_bytes().first() == Some(first)),
        _ => true,
    }
}

/// What `title`, that of a heading, says of a message's beginning.
pub fn turn_of_heading(title: &str, names: &TurnSettings) -> Option<TurnStart> {
    let found = MarkedName::of(title, names)?;
    let behind = title.get(found.end..)?;
    let is_ready = behind.trim().is_empty() || found.has_colon && begins_blank(behind);
    is_ready.then(|| found.opening(title))
}

/// A name with its marks.
struct MarkedName {
    role: MessageRole,
    name: Range<usize>,
    /// Behind all marks.
    end: usize,
    has_colon: bool,
    /// Whether it is not marked but by a colon.
    is_bare: bool,
    is_bracketed: bool,
    is_template: bool,
}

impl MarkedName {
    fn of(line: &str, names: &TurnSettings) -> Option<Self> {
        let template = TEMPLATES.iter().find(|template| line.starts_with(**template));
        let start = template.map_or(0, |template| template.len());
        // Each mark, to be closed in turn.
        let mut marks: Vec<char> = Vec::new();
        for (at, character) in line.get(start..)?.char_indices().take_while(|(at, _)| *at < MARKS) {
            let at = start + at;
            if let Some((role, len)) = find_name(line.get(at..)?, names) {
                let mut found = Self {
                    role,
                    name: at..at + len,
                    end: at + len,
                    has_colon: false,
                    is_bare: marks.is_empty(),
                    is_bracketed: marks.contains(&'['),
                    is_template: template.is_some() || marks.starts_with(&['<', '|']),
                };
                found.take_marks(line, &mut marks)?;
                return Some(found);
            }
            match character {
                '*' | '_' | '[' | '|' => marks.push(character),
                // `<user>` is a tag.
                '<' if line.get(at + 1..).is_some_and(|rest| rest.starts_with('|')) => marks.push(character),
                ' ' if at > start => {}
                // Faces and other signs.
                _ if !character.is_ascii() && !character.is_alphanumeric() => {}
                _ => return None,
            }
        }
        None
    }

    /// Takes in the marks behind the name; `None` where some stay open.
    fn take_marks(&mut self, line: &str, marks: &mut Vec<char>) -> Option<()> {
        let mut is_qualified = false;
        loop {
            let rest = line.get(self.end..)?;
            let bare = rest.trim_start_matches(' ');
            let blank = rest.len() - bare.len();
            let Some(first) = bare.chars().next().filter(|_| !self.has_colon || blank == 0) else { break };
            let closes = match marks.last() {
                Some('[') => first == ']',
                Some('|') => first == '|',
                Some('<') => first == '>',
                Some(mark) => first == *mark,
                None => false,
            };
            if closes {
                marks.pop();
            } else if matches!(first, ':' | '：') && !self.has_colon {
                self.has_colon = true;
            } else if matches!(first, '(' | '[') && !is_qualified && !self.has_colon {
                is_qualified = true;
                let close = if first == '(' { ')' } else { ']' };
                let end = bare.find(close).filter(|end| *end <= QUALIFIER)?;
                self.end += blank + end + 1;
                self.name.end = self.end;
                continue;
            } else {
                break;
            }
            self.end += blank + first.len_utf8();
        }
        marks.is_empty().then_some(())
    }

    fn opening(self, line: &str) -> TurnStart {
        let rest = line.get(self.end..).unwrap_or_default();
        TurnStart { role: self.role, name: self.name, text: line.len() - rest.trim_start().len() }
    }
}

/// The role whose name `text` begins with, and that name's length; of several the longest.
fn find_name(text: &str, names: &TurnSettings) -> Option<(MessageRole, usize)> {
    let found = all(names).filter_map(|(role, name)| Some((role, name_len(text, name)?)));
    found.max_by_key(|(_, len)| *len)
}

fn all(names: &TurnSettings) -> impl Iterator<Item = (MessageRole, &str)> {
    let lists = [
        (MessageRole::User, &names.user),
        (MessageRole::Assistant, &names.assistant),
        (MessageRole::System, &names.system),
    ];
    lists.into_iter().flat_map(|(role, names)| names.iter().map(move |name| (role, name.as_str())))
}

/// The length of what `text` begins with that is `name`, in whatever case, as a word.
fn name_len(text: &str, name: &str) -> Option<usize> {
    let mut rest = text.chars();
    for wanted in name.chars() {
        let found = rest.next()?;
        if found != wanted && !found.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
    }
    let ends = !rest.as_str().starts_with(char::is_alphanumeric);
    (ends && !name.is_empty()).then(|| text.len() - rest.as_str().len())
}

fn begins_blank(text: &str) -> bool {
    text.is_empty() || text.starts_with([' ', '\t'])
}

/// Whether `text` looks like what a link reference definition leads to: `[AI]: https://…`.
fn is_destination(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.contains("://") || first.starts_with(['/', '#', '<', '.']) || first.starts_with("mailto:")
}

/// The `[turns]` table: the names of roles in role lines and headings, in any case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnSettings {
    /// Names of the user.
    pub user: Vec<String>,
    /// Names of the model.
    pub assistant: Vec<String>,
    /// Names of system messages.
    pub system: Vec<String>,
}

impl Default for TurnSettings {
    fn default() -> Self {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self {
            user: names(&["User", "Human", "You"]),
            assistant: names(&["Assistant", "AI", "Agent", "Bot", "ChatGPT", "Claude", "Copilot", "Gemini"]),
            system: names(&["System", "Developer"]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Option<(&str, &str)>) {
        let found = turn_of_line(line, &TurnSettings::default());
        let found = found.as_ref().map(|found| (&line[found.name.clone()], &line[found.text..]));
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn role_lines() {
        check("User: hi", Some(("User", "hi")));
        check("User:", Some(("User", "")));
        check("USER:  hi", Some(("USER", "hi")));
        check("Human: ", Some(("Human", "")));
        check("**Assistant:** yes", Some(("Assistant", "yes")));
        check("**Assistant**: yes", Some(("Assistant", "yes")));
        check("**assistant:**", Some(("assistant", "")));
        check("**You**", Some(("You", "")));
        check("__AI__", Some(("AI", "")));
        check("_**User (2026-02-20 16:33:05Z)**_", Some(("User (2026-02-20 16:33:05Z)", "")));
        check(
            "_**Agent (gpt-5.3-codex 2026-02-20 16:33:13Z)**_",
            Some(("Agent (gpt-5.3-codex 2026-02-20 16:33:13Z)", "")),
        );
        check("**User** (10:30): hi", Some(("User** (10:30)", "hi")));
        check("👤 **User:** hi", Some(("User", "hi")));
        check("🤖 Assistant: hi", Some(("Assistant", "hi")));
        check("[USER]: hi", Some(("USER", "hi")));
        check("[System]", Some(("System", "")));
        check("<|user|>", Some(("user", "")));
        check("<|im_start|>assistant", Some(("assistant", "")));
        check("<|start_header_id|>user<|end_header_id|>", Some(("user", "<|end_header_id|>")));
        check("User [14:02]: hi", Some(("User [14:02]", "hi")));
        check("Assistant：是", None);
        check("Assistant： 是", Some(("Assistant", "是")));
    }

    #[test]
    fn what_only_begins_like_one() {
        for line in [
            "",
            "User",
            "Users: 5",
            "User messages: 201",
            "**User Messages:** 201",
            "**Tool:** mcp__serena",
            "user: bob",
            "User::new()",
            "user_id: 7",
            "**User** said that",
            "**User: hi",
            "[AI]: https://example.org",
            "[User](x) is",
            "The User: hi",
            "- User: hi",
            " User: hi",
            "[User] is",
            "*User:",
            "**",
            "👤",
            "User (",
            "<user>",
        ] {
            check(line, None);
        }
    }

    #[test]
    fn titles() {
        let check = |title: &str, expected: Option<&str>| {
            let found = turn_of_heading(title, &TurnSettings::default());
            assert_eq!(found.map(|found| &title[found.name]), expected, "{title}");
        };
        check("User", Some("User"));
        check("🤖 Assistant (claude-opus-4)", Some("Assistant (claude-opus-4)"));
        check("assistant:", Some("assistant"));
        check("**Human**", Some("Human"));
        check("Assistant: the plan", Some("Assistant"));
        check("User guide", None);
        check("System requirements", None);
        check("AI", Some("AI"));
        check("About the User", None);
    }

    #[test]
    fn names_are_those_of_the_settings() {
        let names = TurnSettings {
            user: vec!["Ünal".into(), "用户".into()],
            assistant: vec!["My Bot".into()],
            system: vec![],
        };
        let role = |line: &str| turn_of_line(line, &names).map(|found| found.role);
        assert_eq!(role("ünal: x"), None);
        assert_eq!(role("ÜNAL: x"), Some(MessageRole::User));
        assert_eq!(role("用户： 你好"), Some(MessageRole::User));
        assert_eq!(role("**my bot:** x"), Some(MessageRole::Assistant));
        assert_eq!(role("User: x"), None);
    }
}
