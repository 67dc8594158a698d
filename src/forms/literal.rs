//! Literals of Python, or of FunctionGemma, as JSON.

use std::borrow::Cow;
use std::ops::Range;

use crate::call::json_of_argument;
use crate::json::{self, Value, escaped, quote};

/// The token in place of quotes in calls of FunctionGemma.
pub(super) const ESCAPE: &str = "<escape>";

/// Reads calls and literals from the start of a text, each character once.
pub(super) struct Reader<'t> {
    pub text: &'t str,
    pub at: usize,
}

impl Reader<'_> {
    pub fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Skips the characters that `is_skipped`, and returns where they stand.
    pub fn skip(&mut self, is_skipped: impl Fn(char) -> bool) -> Range<usize> {
        let start = self.at;
        let rest = self.rest();
        self.at += rest.find(|c| !is_skipped(c)).unwrap_or(rest.len());
        start..self.at
    }

    pub fn skip_space(&mut self) {
        self.skip(char::is_whitespace);
    }

    /// Skips `expected`, which must stand here.
    pub fn take(&mut self, expected: char) -> Option<()> {
        self.at += self.rest().strip_prefix(expected).map(|_| expected.len_utf8())?;
        Some(())
    }

    /// Skips a string.
    pub fn string(&mut self, quote: char) -> Option<()> {
        self.take(quote)?;
        loop {
            self.skip(|c| c != quote && c != '\\');
            if self.take('\\').is_none() {
                return self.take(quote);
            }
            self.at += self.rest().chars().next()?.len_utf8();
        }
    }

    /// The text, a literal, as JSON; of anything else it is none.
    fn json(mut self) -> Option<String> {
        let (mut json, mut closers) = (String::new(), Vec::new());
        while let Some(first) = self.rest().chars().next() {
            if let Some(behind) = self.rest().strip_prefix(ESCAPE) {
                let (text, _) = behind.split_once(ESCAPE)?;
                let len = text.len() + 2 * ESCAPE.len();
                json += &quote(text);
                self.at += len;
            } else if let '"' | '\'' = first {
                let start = self.at;
                self.string(first)?;
                json += &quoted(self.text.get(start + 1..self.at - 1)?)?;
            } else if first.is_alphanumeric() || first == '_' {
                let word = self.skip(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
                self.skip_space();
                match self.text.get(word)? {
                    "True" => json.push_str("true"),
                    "False" => json.push_str("false"),
                    "None" => json.push_str("null"),
                    "dict" if self.take('(').is_some() => {
                        json.push('{');
                        closers.push('}');
                    }
                    key if self.rest().starts_with(['=', ':']) => json += &quote(key),
                    word => json.push_str(word),
                }
            } else {
                self.take(first)?;
                json.push(match first {
                    '(' => {
                        closers.push(']');
                        '['
                    }
                    ')' => closers.pop()?,
                    '=' => ':',
                    other => other,
                });
            }
        }
        Some(json)
    }
}

/// A literal of Python, or of FunctionGemma, as JSON; another expression as it is. A string has no
/// quotes, unless it would be another value without them.
pub(super) fn json_of_literal(literal: &str) -> Cow<'_, str> {
    let is_json = |text: &str| json_of_argument(text).is_some();
    let json = Reader { text: literal, at: 0 }.json().filter(|json| is_json(json));
    let Some(json) = json else { return literal.into() };
    let tape = json::parse(&json);
    match tape.root(&json).and_then(Value::as_str).filter(|text| !is_json(text)) {
        // A part of the literal has a place in the text.
        Some(text) => match literal.find(&*text) {
            Some(at) => literal.get(at..at + text.len()).unwrap_or_default().into(),
            None => text.into_owned().into(),
        },
        None => json.into(),
    }
}

/// The content of a string of Python as a string of JSON.
fn quoted(content: &str) -> Option<String> {
    let mut json = String::from("\"");
    let mut chars = content.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next()? {
                '\'' => json.push('\''),
                escape => json.extend([c, escape]),
            },
            _ => json += &escaped(c.encode_utf8(&mut [0; 4])),
        }
    }
    json.push('"');
    Some(json)
}

#[cfg(test)]
mod tests {
    use super::json_of_literal;

    #[test]
    fn literals_keep_their_types() {
        for (literal, json) in [
            ("'a'", "a"),
            ("\"a\"", "a"),
            ("'1'", "\"1\""),
            ("'it\\'s \"x\"\\n'", "it's \"x\"\n"),
            ("''", ""),
            ("True", "true"),
            ("-1.5e-3", "-1.5e-3"),
            ("[None, ('a', False), {'b': \"True\"}]", "[null, [\"a\", false], {\"b\": \"True\"}]"),
            ("[dict(a=1, b=dict())]", "[{\"a\":1, \"b\":{}}]"),
            ("<escape>1<escape>", "\"1\""),
            ("{a:[<escape>x, 'y'<escape>],b:true}", "{\"a\":[\"x, 'y'\"],\"b\":true}"),
            ("date(2020, 1)", "date(2020, 1)"),
            ("x + 'y'", "x + 'y'"),
            ("(1,)", "(1,)"),
            ("'a", "'a"),
        ] {
            assert_eq!(json_of_literal(literal), json, "{literal}");
        }
    }
}
