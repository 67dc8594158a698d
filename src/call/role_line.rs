//! The lines that show the author of a message: `User:`, `**Assistant:**`, `_**Agent (name)**_`,
//! `### Human`, `==== Ai Message ====` (formats.md §4).
//!
//! A name alone is not enough: it needs marks (a colon, emphasis, brackets, a heading), with
//! nothing but its qualifier between the name and its marks.

use std::ops::Range;

use super::template;
use super::{MessageRole, MessageStart};
use crate::never::OrNever;

/// The maximum length in bytes of the marks before a name, and of the qualifier after it.
const MARKS: usize = 32;
const QUALIFIER: usize = 120;
/// The delimiters of qualifiers.
const QUALIFIERS: [(&str, &str); 3] = [("(", ")"), ("[", "]"), ("<sup>", "</sup>")];
/// The fewest marks on each side of a name that stands in a line of them.
const BANNER: &str = "==========";

/// The message that `line`, given without its line end, begins; `None` if it begins none. Its spans
/// are relative to `line`.
pub fn role_line(line: &str, names: &RoleNames) -> Option<MessageStart> {
    if !may_be_role_line(line, names) {
        return None;
    }
    if line.starts_with('=') {
        return role_banner(line, names);
    }
    let found = MarkedName::of(line, names)?;
    let (behind, name) = (line.get(found.end..).never_none()?, line.get(found.name.clone())?);
    let is_ready = match (found.is_template, found.has_colon) {
        (true, _) => true,
        // `system: 5` is a setting, and `User::new` a path.
        (_, true) if found.is_bare => !name.starts_with(char::is_lowercase) && begins_blank(behind),
        (_, true) => begins_blank(behind) && !(found.is_bracketed && is_destination(behind.trim())),
        (_, false) => !found.is_bare && behind.trim().is_empty(),
    };
    is_ready.then(|| found.message_start(line))
}

/// Fast check that excludes most lines: a bare name needs its colon (`：` begins with 0xEF), and
/// other role lines begin with a mark.
fn may_be_role_line(line: &str, names: &RoleNames) -> bool {
    let bytes = line.as_bytes();
    match bytes {
        [] => false,
        [b'*' | b'_' | b'[' | b'|' | b'=', ..] | [b'<', b'|', ..] => true,
        [first, ..] if first.is_ascii_alphanumeric() => {
            let head = bytes.get(..MARKS + QUALIFIER).unwrap_or(bytes);
            memchr::memchr2(b':', 0xEF, head).is_some()
        }
        [first, ..] if first.is_ascii() => all(names).any(|(_, name)| name.as_bytes().first() == Some(first)),
        _ => true,
    }
}

/// The message that a line of LangChain begins, a row of `=` around `Human Message`.
fn role_banner(line: &str, names: &RoleNames) -> Option<MessageStart> {
    let title = line.trim_end().strip_prefix(BANNER)?.strip_suffix(BANNER)?.trim_matches('=');
    let name = title.strip_prefix(' ')?.strip_suffix(" Message ")?;
    let (role, _) = find_name(name, names).filter(|(_, len)| *len == name.len())?;
    let start = line.find(name)?;
    Some(MessageStart::in_line(line, role, start..start + name.len(), line.len()))
}

/// The message that `title`, the text of a heading, begins; `None` if it begins none. Its spans are
/// relative to `title`.
pub fn role_heading(title: &str, names: &RoleNames) -> Option<MessageStart> {
    let found = MarkedName::of(title, names)?;
    let behind = title.get(found.end..).never_none()?;
    if behind.trim().is_empty() || found.has_colon && begins_blank(behind) {
        return Some(found.message_start(title));
    }
    is_ornament(behind).then(|| MessageStart::in_line(title, found.role, found.name, title.len()))
}

/// True if `text`, after a name in a heading, is no text: symbols, or the time of the message,
/// maybe with its model (`@name`).
fn is_ornament(text: &str) -> bool {
    let is_mark = |c| matches!(c, '？' | '！' | '…' | '®' | '™');
    let is_symbol = |c: char| matches!(c, ' ' | '-') || !c.is_ascii() && !c.is_alphanumeric() && !is_mark(c);
    let rest = text.trim_start_matches(is_symbol);
    let digits =
        |range: Range<usize>| rest.get(range).is_some_and(|it| it.bytes().all(|b| b.is_ascii_digit()));
    let is_dash = |at: usize| rest.get(at..at + 1) == Some("-");
    let is_date = digits(0..4) && is_dash(4) && digits(5..7) && is_dash(7) && digits(8..10);
    let is_of_time = |c: char| c.is_ascii_digit() || matches!(c, '-' | ':' | '.' | 'T' | 'Z' | '+' | ' ');
    let after = rest.trim_start_matches(is_of_time);
    rest.is_empty() || rest.len() < text.len() && is_date && (after.is_empty() || after.starts_with('@'))
}

/// A name with its marks.
struct MarkedName {
    role: MessageRole,
    name: Range<usize>,
    /// The offset after all marks.
    end: usize,
    has_colon: bool,
    /// True if its only mark is a colon.
    is_bare: bool,
    is_bracketed: bool,
    is_template: bool,
}

impl MarkedName {
    fn of(line: &str, names: &RoleNames) -> Option<Self> {
        let template = template::OPENERS.iter().find(|template| line.starts_with(**template));
        let start = template.map_or(0, |template| template.len());
        // Open marks, the innermost last.
        let mut marks: Vec<char> = Vec::new();
        for (at, character) in
            line.get(start..).never_none()?.char_indices().take_while(|(at, _)| *at < MARKS)
        {
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
                // Emoji and other symbols.
                _ if !character.is_ascii() && !character.is_alphanumeric() => {}
                _ => return None,
            }
        }
        None
    }

    /// Consumes the marks after the name; `None` if some stay open.
    fn take_marks(&mut self, line: &str, marks: &mut Vec<char>) -> Option<()> {
        let mut is_qualified = false;
        loop {
            let rest = line.get(self.end..).never_none()?;
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
            } else if let Some((_, close)) = QUALIFIERS.iter().find(|(open, _)| bare.starts_with(open))
                && !is_qualified
                && !self.has_colon
            {
                is_qualified = true;
                let end = bare.find(close).filter(|end| *end <= QUALIFIER)?;
                self.end += blank + end + close.len();
                self.name.end = self.end;
                continue;
            } else {
                break;
            }
            self.end += blank + first.len_utf8();
        }
        marks.is_empty().then_some(())
    }

    fn message_start(self, line: &str) -> MessageStart {
        let rest = template::without_middle(line.get(self.end..).or_never());
        MessageStart::in_line(line, self.role, self.name, line.len() - rest.trim_start().len())
    }
}

/// The role whose name begins `text`, with the length of that name; the longest of several.
fn find_name(text: &str, names: &RoleNames) -> Option<(MessageRole, usize)> {
    let found = all(names).filter_map(|(role, name)| Some((role, name_len(text, name)?)));
    found.max_by_key(|(_, len)| *len)
}

fn all(names: &RoleNames) -> impl Iterator<Item = (MessageRole, &str)> {
    let lists = [
        (MessageRole::User, &names.user),
        (MessageRole::Assistant, &names.assistant),
        (MessageRole::System, &names.system),
    ];
    lists.into_iter().flat_map(|(role, names)| names.iter().map(move |name| (role, name.as_str())))
}

/// The length of `name` at the start of `text`, in any case, as a whole word.
fn name_len(text: &str, name: &str) -> Option<usize> {
    let mut rest = text.chars();
    for wanted in name.chars() {
        let found = rest.next()?;
        // Fast path for ASCII: lower-casing other letters needs a table. Only the Kelvin sign has
        // an ASCII letter as its other case.
        let is_same = match (found.is_ascii(), wanted.is_ascii()) {
            (true, true) => found.eq_ignore_ascii_case(&wanted),
            (false, false) => found.to_lowercase().eq(wanted.to_lowercase()),
            _ => false,
        };
        if !is_same {
            return None;
        }
    }
    let ends = !rest.as_str().starts_with(char::is_alphanumeric);
    (ends && !name.is_empty()).then(|| text.len() - rest.as_str().len())
}

fn begins_blank(text: &str) -> bool {
    text.is_empty() || text.starts_with([' ', '\t'])
}

/// True if `text` looks like the destination of a link reference definition: `[AI]: https://…`.
fn is_destination(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.contains("://") || first.starts_with(['/', '#', '<', '.']) || first.starts_with("mailto:")
}

/// The `[turns]` table: the names of roles in role lines and headings, in any case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleNames {
    /// Names of the user.
    pub user: Vec<String>,
    /// Names of the model.
    pub assistant: Vec<String>,
    /// Names of system messages.
    pub system: Vec<String>,
}

impl Default for RoleNames {
    fn default() -> Self {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self {
            user: names(&["User", "Human", "You", "@You", "User Input"]),
            assistant: names(&[
                "Assistant",
                "@Assistant",
                "AI",
                "Agent",
                "Agent - sidechain",
                "Bot",
                "ChatGPT",
                "Claude",
                "Copilot",
                "Cursor",
                "Gemini",
                "GitHub Copilot",
                // Gemini CLI's share; "Model" alone is a heading of many other texts.
                "Model ✨",
                "Planner Response",
            ]),
            system: names(&["System", "@System", "Developer"]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Option<(&str, &str)>) {
        let found = role_line(line, &RoleNames::default());
        let found = found.map(|found| (found.name.of(line), &line[found.text as usize..]));
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn role_lines() {
        check("User: hi", Some(("User", "hi")));
        check("User:", Some(("User", "")));
        check("USER:  hi", Some(("USER", "hi")));
        check("Human: ", Some(("Human", "")));
        check("@You: hi", Some(("@You", "hi")));
        check("@Youth: hi", None);
        check("**Assistant:** yes", Some(("Assistant", "yes")));
        check("**Assistant**: yes", Some(("Assistant", "yes")));
        check("**assistant:**", Some(("assistant", "")));
        check("**You**", Some(("You", "")));
        check(
            "_**Agent - sidechain (2026-01-28 13:36:16Z)**_",
            Some(("Agent - sidechain (2026-01-28 13:36:16Z)", "")),
        );
        check("GitHub Copilot: yes", Some(("GitHub Copilot", "yes")));
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
        check("<|start_header_id|>user<|end_header_id|>", Some(("user", "")));
        check("User [14:02]: hi", Some(("User [14:02]", "hi")));
        check(
            "================================== Ai Message ==================================",
            Some(("Ai", "")),
        );
        check(
            "================================ Human Message =================================",
            Some(("Human", "")),
        );
        check("Assistant：是", None);
        check("Assistant： 是", Some(("Assistant", "是")));
    }

    #[test]
    fn lines_that_only_begin_like_a_role() {
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
            "==========",
            "= Human Message =",
            "================================= Tool Message =================================",
            "========== Human Message ========== and",
            "========== The Human Message ==========",
        ] {
            check(line, None);
        }
    }

    #[test]
    fn titles() {
        let check = |title: &str, expected: Option<&str>| {
            let found = role_heading(title, &RoleNames::default());
            assert_eq!(found.map(|found| found.name.of(title)), expected, "{title}");
        };
        check("User", Some("User"));
        check("🤖 Assistant (claude-opus-4)", Some("Assistant (claude-opus-4)"));
        check("User <sup>2026/7/20 21:26</sup>", Some("User <sup>2026/7/20 21:26</sup>"));
        check("assistant:", Some("assistant"));
        check("**Human**", Some("Human"));
        check("Assistant: the plan", Some("Assistant"));
        check("User guide", None);
        check("System requirements", None);
        check("AI", Some("AI"));
        check("About the User", None);
        check("USER 🧑‍💻", Some("USER"));
        check("MODEL ✨", Some("MODEL ✨"));
        check("Model", None);
        check("🤖 ASSISTANT — 2026-10-20 15:31:53", Some("ASSISTANT"));
        check("[user] 2026-07-09T19:28:35.468000+00:00", Some("user"));
        check("[assistant] 2026-07-09T19:28:35.652000+00:00  @kilo-auto/free", Some("assistant"));
        check("User - the 2026-10-20 release", None);
        check("Agent 2026-03-26 release notes", None);
        check("AI？", None);
        check("AI — a history", None);
    }

    #[test]
    fn names_are_those_of_the_settings() {
        let names = RoleNames {
            user: vec!["Ünal".into(), "用户".into()],
            assistant: vec!["My Bot".into()],
            system: vec![],
        };
        let role = |line: &str| role_line(line, &names).map(|found| found.role);
        assert_eq!(role("ünal: x"), None);
        assert_eq!(role("ÜNAL: x"), Some(MessageRole::User));
        assert_eq!(role("用户： 你好"), Some(MessageRole::User));
        assert_eq!(role("**my bot:** x"), Some(MessageRole::Assistant));
        assert_eq!(role("User: x"), None);
    }
}
