//! Values as Emacs Lisp prints them, and the JSON that they were read from.

use crate::call::json_of_argument;
use crate::json::{JsonKind, Value, quote};
use crate::never::OrNever;
use crate::text::Span;

/// The number of lists and vectors that may contain each other.
const MOST_DEPTH: usize = 100;

/// A printed value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Printed {
    /// A string, with the span between its quotes.
    Text(String, Span),
    /// A symbol, a keyword or a number.
    Symbol(String),
    /// A vector.
    Vector(Vec<Self>),
    /// A list.
    List(Vec<Self>),
}

impl Printed {
    /// The value at the start of `text`, and the byte after it; `None` if it has no end.
    pub fn read(text: &str) -> Option<(Self, usize)> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(MOST_DEPTH)?;
        Some((value, reader.at))
    }

    /// The keys and values, if it is a list of them; `nil` is an empty one.
    pub fn properties(&self) -> Option<Vec<(&str, &Self)>> {
        match self {
            Self::Symbol(symbol) if symbol == "nil" => Some(Vec::new()),
            Self::List(items) => items.chunks(2).map(key_and_value).collect(),
            Self::Text(..) | Self::Symbol(_) | Self::Vector(_) => None,
        }
    }

    /// Converts it to JSON: `nil` is an empty object, as in gptel.
    pub fn to_json(&self) -> String {
        if let Some(properties) = self.properties() {
            let member = |(key, value): &(&str, &Self)| format!("{}:{}", quote(key), value.to_json());
            return format!("{{{}}}", properties.iter().map(member).collect::<Vec<_>>().join(","));
        }
        match self {
            Self::Text(text, _) => quote(text),
            Self::Symbol(symbol) => match &**symbol {
                ":null" => "null".to_owned(),
                ":json-false" => "false".to_owned(),
                "t" => "true".to_owned(),
                other => number(other).unwrap_or_else(|| quote(other)),
            },
            Self::Vector(items) | Self::List(items) => {
                format!("[{}]", items.iter().map(Self::to_json).collect::<Vec<_>>().join(","))
            }
        }
    }

    /// The text that is shown as an argument: a string has quotes only if it could be read as JSON.
    pub fn shown(&self) -> String {
        match self {
            Self::Text(text, _) if json_of_argument(text).is_none() => text.clone(),
            _ => self.to_json(),
        }
    }
}

/// `value` as Emacs Lisp prints it after reading JSON; `None` if it is not JSON, too deep, or has a
/// key that is no keyword.
pub fn print(value: Value<'_>) -> Option<String> {
    printed(value, MOST_DEPTH)
}

/// A string as Emacs Lisp prints it.
pub fn print_text(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn printed(value: Value<'_>, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let joined = |items: Vec<String>| items.join(" ");
    Some(match value.kind() {
        JsonKind::Object => {
            let member = |(key, value): (Value<'_>, Value<'_>)| {
                let key = key.as_str().filter(|key| is_keyword(key))?;
                Some(format!(":{key} {}", printed(value, depth)?))
            };
            let members: Vec<String> = value.entries().map(member).collect::<Option<_>>()?;
            if members.is_empty() { "nil".to_owned() } else { format!("({})", joined(members)) }
        }
        JsonKind::Array => {
            let items = value.items().map(|item| printed(item, depth)).collect::<Option<_>>()?;
            format!("[{}]", joined(items))
        }
        JsonKind::Number => value.raw().to_owned(),
        _ if value.is_null() => ":null".to_owned(),
        _ => match value.as_bool() {
            Some(true) => "t".to_owned(),
            Some(false) => ":json-false".to_owned(),
            None => print_text(&value.as_str()?),
        },
    })
}

/// True if `key` is printed as a keyword without escapes.
fn is_keyword(key: &str) -> bool {
    !key.is_empty()
        && key.chars().all(|letter| letter.is_alphanumeric() || "_-./+*<>=!$%&~^@".contains(letter))
}

fn key_and_value(pair: &[Printed]) -> Option<(&str, &Printed)> {
    match pair {
        [Printed::Symbol(key), value] => Some((key.strip_prefix(':')?, value)),
        _ => None,
    }
}

fn number(text: &str) -> Option<String> {
    json_of_argument(text).filter(|_| text.starts_with(|c: char| c == '-' || c.is_ascii_digit()))
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).or_never()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.rest().chars().next()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Passes white space; returns the character after it.
    fn peek(&mut self) -> Option<char> {
        self.at += self.rest().len() - self.rest().trim_start().len();
        self.rest().chars().next()
    }

    /// The next value, in which others may stand `depth` levels deep.
    fn value(&mut self, depth: usize) -> Option<Printed> {
        match self.peek()? {
            '"' => self.string(),
            '(' => self.items(')', depth.checked_sub(1)?).map(Printed::List),
            '[' => self.items(']', depth.checked_sub(1)?).map(Printed::Vector),
            ')' | ']' => None,
            _ => self.symbol(),
        }
    }

    fn items(&mut self, closer: char, depth: usize) -> Option<Vec<Printed>> {
        self.next();
        let mut items = Vec::new();
        while self.peek()? != closer {
            items.push(self.value(depth)?);
        }
        self.next();
        Some(items)
    }

    fn string(&mut self) -> Option<Printed> {
        self.next();
        let (start, mut text) = (self.at, String::new());
        loop {
            match self.next()? {
                '"' => return Some(Printed::Text(text, Span::new(start, self.at - 1))),
                '\\' => text.extend(self.escape()?),
                other => text.push(other),
            }
        }
    }

    /// The character for an escape sequence; none for an escaped line end or space.
    fn escape(&mut self) -> Option<Option<char>> {
        let code = |digits: &str, base| u32::from_str_radix(digits, base).ok().and_then(char::from_u32);
        Some(match self.next()? {
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            'e' => Some('\u{1B}'),
            '\n' | '\r' | ' ' => None,
            'x' => code(&self.digits(16, 6), 16),
            'u' => code(&self.digits(16, 4), 16),
            'U' => code(&self.digits(16, 8), 16),
            first @ '0'..='7' => code(&format!("{first}{}", self.digits(8, 2)), 8),
            other => Some(other),
        })
    }

    /// Up to `most` digits.
    fn digits(&mut self, base: u32, most: usize) -> String {
        let digits: String = self.rest().chars().take(most).take_while(|c| c.is_digit(base)).collect();
        self.at += digits.len();
        digits
    }

    fn symbol(&mut self) -> Option<Printed> {
        let mut symbol = String::new();
        while let Some(next) = self.rest().chars().next()
            && !next.is_whitespace()
            && !matches!(next, '(' | ')' | '[' | ']' | '"')
        {
            self.next();
            symbol.extend(if next == '\\' { self.next() } else { Some(next) });
        }
        Some(Printed::Symbol(symbol))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let json = Printed::read(text).map(|(value, end)| format!("{}{}", value.to_json(), &text[end..]));
        assert_eq!(json.as_deref().unwrap_or("none"), expected, "{text}");
    }

    #[test]
    fn values_become_json() {
        check(" \"a\\\"b\\\\c\\n\\u00e9\\x41\\101\\\nd\ne\" rest", "\"a\\\"b\\\\c\\néAAd\\ne\" rest");
        check(
            "(:a 1 :b -2.5e3 :c t :d :json-false :e :null :f nil)",
            r#"{"a":1,"b":-2.5e3,"c":true,"d":false,"e":null,"f":{}}"#,
        );
        check("(:a [1 \"x\" (:b [])] :c-d (1 2))", r#"{"a":[1,"x",{"b":[]}],"c-d":[1,2]}"#);
        check("(:a 1.0e+INF :b some\\ symbol)", r#"{"a":"1.0e+INF","b":"some symbol"}"#);
        check("()", "{}");
    }

    #[test]
    fn values_without_an_end_are_none() {
        for text in ["", "(", "(:a", "(:a \"b", "\"\\", "[1 2", "(1]", ")", "(:a [1)"] {
            check(text, "none");
        }
        check(&"(".repeat(1 << 20), "none");
        let nested = format!("{}{}", "[".repeat(MOST_DEPTH), "]".repeat(MOST_DEPTH));
        check(&nested, &nested);
        check(&format!("[{nested}]"), "none");
    }

    #[test]
    fn strings_that_read_as_json_keep_their_quotes() {
        let shown = |text: &str| Printed::read(text).map(|(value, _)| value.shown()).unwrap_or_default();
        assert_eq!([shown("\"a.py\""), shown("\"1\""), shown("1")], ["a.py", "\"1\"", "1"]);
    }
}
