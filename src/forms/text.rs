//! Forms of tool uses in text that a configuration describes: `[[text]]` in `chatls.toml`.

use crate::call::CallPart;
use crate::nearest::{did_you_mean, nearest};

/// The fewest bytes of text that a first line begins with: less would occur everywhere.
const LEAST_OPENER: usize = 2;
/// The maximum number of bytes of a first line.
const MOST_FIRST: usize = 200;

/// A form as a configuration describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnText {
    /// Its name, which is unique.
    pub name: String,
    /// A result, or a call, with its result if that has a place.
    pub part: CallPart,
    /// Its first line.
    pub first: Vec<TextPiece>,
    /// The label of the input.
    pub input: Option<String>,
    /// The label of the output.
    pub output: Option<String>,
    /// The label of the error.
    pub error: Option<String>,
    /// The languages of the fenced code blocks that have this form; empty if the form stands in
    /// text.
    pub languages: Vec<String>,
}

/// A piece of a first line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPiece {
    /// This text.
    Text(String),
    /// A value.
    Value(TextValue),
}

/// A value in a first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextValue {
    /// The name of the tool.
    Name,
    /// The id of the call.
    Id,
    /// The input.
    Input,
    /// The output, which may go on below.
    Output,
    /// Any text.
    Any,
}

impl TextValue {
    /// The values by the names that they have in braces.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("name", Self::Name),
        ("id", Self::Id),
        ("input", Self::Input),
        ("output", Self::Output),
        ("any", Self::Any),
    ];
}

impl TextPiece {
    /// The pieces of `first`, a line with values such as `{name}`.
    ///
    /// # Errors
    ///
    /// The reason why it is not valid.
    pub fn all_of(first: &str) -> Result<Vec<Self>, String> {
        let mut pieces: Vec<Self> = Vec::new();
        let (mut text, mut rest) = (String::new(), first);
        while let Some(at) = rest.find('{') {
            let (before, braced) = rest.split_at(at);
            text.push_str(before);
            let Some((name, behind)) = braced.get(1..).and_then(value_of) else {
                text.push('{');
                rest = braced.get(1..).unwrap_or_default();
                continue;
            };
            let Some((_, value)) = TextValue::NAMES.iter().find(|(known, _)| *known == name) else {
                let near = nearest(name, TextValue::NAMES.iter().map(|(known, _)| *known));
                let known = TextValue::NAMES.map(|(known, _)| format!("`{{{known}}}`")).join(", ");
                let hint = if near.is_empty() { format!("; known are {known}") } else { did_you_mean(&near) };
                return Err(format!("there is no value `{{{name}}}`{hint}"));
            };
            if text.is_empty() && !pieces.is_empty() {
                return Err(format!(
                    "there must be text before `{{{name}}}`, which ends the value before it"
                ));
            }
            if pieces.contains(&Self::Value(*value)) && *value != TextValue::Any {
                return Err(format!("there are two values `{{{name}}}`"));
            }
            if pieces.is_empty() && text.len() < LEAST_OPENER {
                return Err(format!("it must begin with at least {LEAST_OPENER} bytes of text"));
            }
            pieces.push(Self::Text(std::mem::take(&mut text)));
            pieces.push(Self::Value(*value));
            rest = behind;
        }
        text.push_str(rest);
        if first.len() > MOST_FIRST {
            return Err(format!("it has more than {MOST_FIRST} bytes"));
        }
        if first.contains(['\n', '\r']) || first.trim_start() != first {
            return Err("it must be one line that begins with text".to_owned());
        }
        if let Some(reason) = unread(first) {
            return Err(reason.to_owned());
        }
        if pieces.is_empty() && (text.len() < LEAST_OPENER || text.starts_with('{')) {
            return Err(format!("it must begin with at least {LEAST_OPENER} bytes of text"));
        }
        if !text.is_empty() {
            pieces.push(Self::Text(text));
        }
        Ok(pieces)
    }
}

impl OwnText {
    /// The literal text at its start.
    pub fn opener(&self) -> &str {
        match self.first.first() {
            Some(TextPiece::Text(opener)) => opener,
            _ => "",
        }
    }

    /// True if the first line has the value.
    pub fn has(&self, value: TextValue) -> bool {
        self.first.contains(&TextPiece::Value(value))
    }
}

/// The reason why no form can begin with `text`: as the beginning of a line it is Markdown.
pub fn unread(text: &str) -> Option<&'static str> {
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = number.len() < text.len() && (number.starts_with(". ") || number.starts_with(") "));
    if text.starts_with('>') || ["- ", "* ", "+ "].iter().any(|it| text.starts_with(it)) || is_number {
        return Some("a form begins after the markers of quotes and lists");
    }
    let is_fence = text.starts_with("```") || text.starts_with("~~~");
    is_fence.then_some("it is the fence of a code block: name its language in `languages`")
}

/// The name in braces that `text` begins with, after the opening one, and the text after it.
fn value_of(text: &str) -> Option<(&str, &str)> {
    let (name, behind) = text.split_once('}')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
    is_name.then_some((name, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_lines_have_values() {
        let text = |text: &str| TextPiece::Text(text.to_owned());
        let value = TextPiece::Value;
        assert_eq!(
            TextPiece::all_of("[call] {name}({input})"),
            Ok(vec![text("[call] "), value(TextValue::Name), text("("), value(TextValue::Input), text(")"),])
        );
        assert_eq!(
            TextPiece::all_of("{\"tool\": {"),
            Err("it must begin with at least 2 bytes of text".to_owned())
        );
        let check = |first: &str, expected: &str| {
            assert_eq!(TextPiece::all_of(first).err().as_deref(), Some(expected), "{first}");
        };
        check("{name}: x", "it must begin with at least 2 bytes of text");
        check("a{name}", "it must begin with at least 2 bytes of text");
        check("Tool {nam}", "there is no value `{nam}`; did you mean `name`?");
        check("Tool {name}{id}", "there must be text before `{id}`, which ends the value before it");
        check("Tool {name} {name}", "there are two values `{name}`");
        check("Tool\n{name}", "it must be one line that begins with text");
    }
}
