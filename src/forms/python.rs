//! Calls in the syntax of Python in the text of a message: `[get_weather(city="Rome")]`, as Llama,
//! Olmo, ToolACE, LFM2 and Gemma write them.
//!
//! They count if they are all of the text, or of a section between tokens or fences.

use std::ops::Range;

use super::element::{Element, ElementBody, behind_thoughts, is_name, trimmed};

/// The delimiters of sections of calls: LFM2, Llama 4, Olmo, Gemma.
const SECTIONS: [(&str, &str); 4] = [
    ("<|tool_call_start|>", "<|tool_call_end|>"),
    ("<|python_start|>", "<|python_end|>"),
    ("<function_calls>", "</function_calls>"),
    ("```tool_code\n", "\n```"),
];
/// Each text with such calls contains one of these strings, even in JSON.
pub(super) const SIGNS: [&str; 5] =
    [")]\"", "tool_call_start|", "python_start|", "function_calls", "```tool_code"];
/// The function around a call of Gemini.
const PRINT: &str = "print(";

/// The names and values of arguments.
type Arguments = Vec<(Range<usize>, Range<usize>)>;

/// The calls in `text`.
pub(super) fn calls(text: &str) -> Vec<Element> {
    let start = behind_thoughts(text);
    let is_thought = text.get(start..).is_some_and(|rest| rest.starts_with("</think>"));
    let whole = trimmed(text, start + if is_thought { "</think>".len() } else { 0 }..text.len());
    let own = text.get(whole.clone()).unwrap_or_default();
    if own.starts_with('[') {
        return calls_in(text, whole.clone(), whole).unwrap_or_default();
    }
    let mut found = Vec::new();
    for (opener, closer) in SECTIONS {
        let mut end = whole.start;
        while let Some(at) = find_from(text, opener, end) {
            let inner = at + opener.len();
            let Some(close) = find_from(text, closer, inner) else { break };
            end = close + closer.len();
            if text.get(..at).is_some_and(|before| before.ends_with('`')) {
                continue;
            }
            found.extend(calls_in(text, trimmed(text, inner..close), at..end).unwrap_or_default());
        }
    }
    found
}

fn find_from(text: &str, wanted: &str, from: usize) -> Option<usize> {
    text.get(from..)?.find(wanted).map(|at| from + at)
}

/// The calls in `inner`, in a list or one below the other, if there is nothing else. They share
/// the range `whole`.
fn calls_in(text: &str, inner: Range<usize>, whole: Range<usize>) -> Option<Vec<Element>> {
    let own = text.get(inner.clone())?;
    let list = own.strip_prefix('[').and_then(|own| own.strip_suffix(']'));
    let printed = own.strip_prefix(PRINT).and_then(|own| own.strip_suffix(')'));
    let (own, start) = match (list, printed) {
        (Some(list), _) => (list, inner.start + 1),
        (_, Some(printed)) => (printed, inner.start + PRINT.len()),
        _ => (own, inner.start),
    };
    let mut reader = Reader { text: own, at: 0 };
    let mut found = Vec::<Element>::new();
    loop {
        reader.skip(|c| c.is_whitespace() || c == ',');
        if reader.rest().is_empty() {
            break;
        }
        let first = if found.is_empty() { whole.start } else { start + reader.at };
        let (name, parameters) = reader.call()?;
        let place = |range: Range<usize>| start + range.start..start + range.end;
        let parameters = parameters.into_iter().map(|(key, value)| (place(key), place(value))).collect();
        if let Some(last) = found.last_mut() {
            last.range.end = first;
        }
        let body = ElementBody::Parameters(parameters);
        found.push(Element { range: first..whole.end, name: Some(place(name)), body });
    }
    (!found.is_empty()).then_some(found)
}

/// Reads calls from the start of a text, each character once.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Skips the characters that `is_skipped`, and returns where they stand.
    fn skip(&mut self, is_skipped: impl Fn(char) -> bool) -> Range<usize> {
        let start = self.at;
        let rest = self.rest();
        self.at += rest.find(|c| !is_skipped(c)).unwrap_or(rest.len());
        start..self.at
    }

    fn skip_space(&mut self) {
        self.skip(char::is_whitespace);
    }

    /// Skips `expected`, which must stand here.
    fn take(&mut self, expected: char) -> Option<()> {
        self.at += self.rest().strip_prefix(expected).map(|_| expected.len_utf8())?;
        Some(())
    }

    /// A call with named arguments. Words with spaces between are a name only if it has some.
    fn call(&mut self) -> Option<(Range<usize>, Arguments)> {
        let name = self.skip(|c| !matches!(c, '(' | ')' | '[' | ']' | '"' | '\'' | '\n'));
        self.take('(')?;
        let mut found = Vec::new();
        self.skip_space();
        while self.take(')').is_none() {
            let key = self.skip(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
            self.skip_space();
            self.take('=')?;
            self.skip_space();
            let value = self.value()?;
            if key.is_empty() || value.is_empty() {
                return None;
            }
            found.push((key, value));
            self.skip_space();
            if self.take(',').is_none() && !self.rest().starts_with(')') {
                return None;
            }
            self.skip_space();
        }
        let text = self.text.get(name.clone())?;
        let is_named = match found.is_empty() {
            true => is_name(text),
            false => !text.is_empty() && text.split(' ').all(is_name),
        };
        // Objects are printed so, too: `[TextBlock(text='…')]`.
        let is_class = text.starts_with(char::is_uppercase) && text.chars().all(char::is_alphanumeric);
        (is_named && !is_class).then_some((name, found))
    }

    /// A value: a string in double quotes, which JSON has too, the content of another string, or
    /// the text up to a comma or the end of the call.
    fn value(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        let mut open = 0_usize;
        loop {
            match self.rest().chars().next()? {
                quote @ ('"' | '\'') => {
                    self.string(quote)?;
                    if quote == '\'' && open == 0 {
                        return Some(start + 1..self.at - 1);
                    }
                }
                ',' | ')' if open == 0 => return Some(trimmed(self.text, start..self.at)),
                other => {
                    self.at += other.len_utf8();
                    match other {
                        '(' | '[' | '{' => open += 1,
                        ')' | ']' | '}' => open = open.checked_sub(1)?,
                        _ => {}
                    }
                }
            }
        }
    }

    /// Skips a string.
    fn string(&mut self, quote: char) -> Option<()> {
        self.take(quote)?;
        loop {
            self.skip(|c| c != quote && c != '\\');
            if self.take('\\').is_none() {
                return self.take(quote);
            }
            self.at += self.rest().chars().next()?.len_utf8();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::markup::Markup;
    use super::ElementBody;

    /// The calls in `text` as they are written.
    fn calls(text: &str) -> Vec<String> {
        let of = |range: &std::ops::Range<usize>| &text[range.clone()];
        let shown = |call: &super::Element| {
            let ElementBody::Parameters(found) = &call.body else { panic!("{call:?}") };
            let found: Vec<_> =
                found.iter().map(|(key, value)| format!("{}={}", of(key), of(value))).collect();
            format!("{} {}", of(call.name.as_ref().unwrap()), found.join(" "))
        };
        Markup::Calls.elements(text).iter().map(shown).collect()
    }

    #[test]
    fn calls_in_python_are_read() {
        for (text, expected) in [
            ("[f(a=\"b, c)\", d=1), g.h()]", &["f a=\"b, c)\" d=1", "g.h "][..]),
            (
                "<think>f()</think>\n[f( a = 'it\\'s', b=[1, {\"c\": ')'}] )]\n",
                &["f a=it\\'s b=[1, {\"c\": ')'}]"],
            ),
            ("[Market Trends API(trend_type=\"x\")]", &["Market Trends API trend_type=\"x\""]),
            ("a<|tool_call_start|>[f(a=1)]<|tool_call_end|>b", &["f a=1"]),
            ("<|python_start|>[f(a=1)]<|python_end|>", &["f a=1"]),
            ("<function_calls>\nf(a=1)\ng(b=2)\n</function_calls>", &["f a=1", "g b=2"]),
            ("x\n```tool_code\nprint(f(a='b'))\n```", &["f a=b"]),
        ] {
            assert_eq!(calls(text), expected, "{text}");
            let json = format!("{{\"content\": {}}}", crate::json::quote(text.trim_end()));
            assert!(Markup::Calls.may_be_in(&json), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_calls() {
        for text in [
            "[f(1)]",
            "[f(a=1)] is a call",
            "[f(a=1), b]",
            "[TextBlock(citations=None, text='a')]",
            "[A link (see below)]",
            "[See below()]",
            "[f(a=)]",
            "[f(a=1]",
            "f(a=1)",
            "```python\nf(a=1)\n```",
            "```tool_code\nx = 1\nprint(x)\n```",
            "<function_calls>\nf(a=1)",
            "`<|tool_call_start|>[f(a=1)]<|tool_call_end|>`",
        ] {
            assert!(calls(text).is_empty(), "{text}");
        }
    }
}
