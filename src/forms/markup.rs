//! Tool uses as elements in the text of a message: `<tool_call>` of Hermes and Qwen models,
//! `<function=…>` of Llama and Qwen Coder, `<invoke>` of Anthropic's first models, the tools of
//! Cline and Roo Code by their names, the steps of ReAct, and calls between the special tokens of
//! other models (`tokens.rs`).
//!
//! An element counts only where its whole shape is there. One in code is documentation.

use std::collections::HashMap;
use std::ops::Range;

use memchr::memmem::{find, find_iter};
use memchr::{memchr_iter, memchr2, memchr2_iter};

use super::around;
use super::element::{Element, ElementBody, behind_thoughts, is_fence, is_name, names_tool, trimmed};
use super::element_forms::{ELEMENT_FORMS, ElementForm, FUNCTION};
use super::glaive;
use super::python;
use super::steps::{OBSERVATIONS, may_have_steps, observation, steps};
use super::tokens::{ANSWERS, NAMED_ANSWER, may_have_tokens, name_in};
use super::tools::{PARAMETERS, TOOLS};
use crate::json;
use crate::text::Span;

/// The elements that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    /// Calls.
    Calls,
    /// Calls of ReAct, each with the observation below it.
    Steps,
    /// Results, the first one at the start of the text.
    Results,
}

/// The openers of results, the texts between tool name and output, and the closers.
const RESPONSES: [(&str, Option<&str>, &str); 7] = [
    ("<tool_response>", None, "</tool_response>"),
    ("<function_results>", None, "</function_results>"),
    (ANSWERS[0].0, None, ANSWERS[0].1),
    (ANSWERS[1].0, None, ANSWERS[1].1),
    (ANSWERS[2].0, None, ANSWERS[2].1),
    (NAMED_ANSWER.0, Some("<|message|>"), NAMED_ANSWER.1),
    (FENCED, None, "\n```"),
];
/// The opener of a result of Gemma.
const FENCED: &str = "```tool_output\n";
/// The names of elements that are not the names of tools.
const NAMES: [&str; 5] = ["function", "function_results", "invoke", "tool_call", "tool_response"];
/// The prefix that elements of Anthropic may have.
const PREFIX: &str = "antml:";
/// The opener of a call of Llama to a tool of its own.
pub const PYTHON: &str = "<|python_tag|>";
/// The ends of such a call.
pub const PYTHON_ENDS: [&str; 2] = ["<|eom_id|>", "<|eot_id|>"];
/// The end of a string in a template, with the space after it.
const QUOTES: [&str; 2] = ["' ", "\" "];
/// Number of bytes in which the name of a tool stands.
const LONGEST_HEAD: usize = 160;
/// The number of bytes at the start of an object in which an observation must begin.
const OBJECT_START: usize = 1 << 10;
/// The text between tool name and result in Cline's messages.
const RESULT: &str = "] Result:";
/// The placeholder for a name in prompts of Llama.
const EXAMPLE: &str = "example_function_name";
/// The beginning of a result of Cline that is an error.
pub const FAILED: &str = "The tool execution failed";

/// The tools of Cline and Roo Code.
pub fn tools() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().map(|(name, _)| *name)
}

impl Markup {
    /// True if `text` has such an element.
    pub fn is_in(self, text: &str) -> bool {
        !self.elements(text).is_empty()
    }

    /// The elements in `text`, in order.
    pub fn elements(self, text: &str) -> Vec<Element> {
        match self {
            Self::Calls => Elements::new(text).calls(),
            Self::Steps => steps(text),
            Self::Results => results(text),
        }
    }

    /// A fast check on `raw`, which may be JSON source text: false if it has no such element.
    pub fn may_be_in(self, raw: &str) -> bool {
        let bytes = raw.as_bytes();
        let is_name = |byte: &u8| byte.is_ascii_lowercase() || *byte == b'_';
        let closes = |at: usize| {
            let rest = bytes.get(at + 1..).unwrap_or_default();
            let rest = rest.strip_prefix(PREFIX.as_bytes()).unwrap_or(rest);
            let name = rest.get(..rest.iter().take_while(|byte| is_name(byte)).count()).unwrap_or_default();
            // `>` may be escaped.
            let is_end = matches!(rest.get(name.len()), Some(b'>' | b'\\'));
            let is_known = |name| NAMES.contains(&name) || TOOLS.iter().any(|tool| tool.0 == name);
            is_end && !name.is_empty() && std::str::from_utf8(name).is_ok_and(is_known)
        };
        // The text may have many megabytes, so it is searched only a few times, for parts that all
        // such elements have.
        match self {
            Self::Calls => may_have_tokens(raw) || memchr_iter(b'/', bytes).any(closes),
            Self::Steps => may_have_steps(raw),
            Self::Results if begins_observation(bytes) => true,
            Self::Results => memchr2_iter(b'/', b']', bytes).any(|at| match bytes.get(at) {
                Some(b'/') => closes(at),
                _ => bytes.get(at..).is_some_and(|rest| rest.starts_with(RESULT.as_bytes())),
            }),
        }
    }
}

/// The results in `text`; empty if it has anything else.
fn results(text: &str) -> Vec<Element> {
    let mut found = Vec::new();
    let mut at = text.len() - text.trim_start().len();
    while let Some(rest) = text.get(at..)
        && let Some((opener, middle, closer)) = RESPONSES.iter().find(|form| rest.starts_with(form.0))
        && let Some(len) = rest.find(closer)
    {
        let start = at + opener.len();
        let head = middle.and_then(|middle| Some((text.get(start..at + len)?.find(middle)?, middle.len())));
        let name = head.and_then(|(end, _)| name_in(text, start..start + end));
        let body = trimmed(text, start + head.map_or(0, |(end, len)| end + len)..at + len);
        let range = at..at + len + closer.len();
        at = range.end;
        at += text.get(at..).map_or(0, |rest| rest.len() - rest.trim_start().len());
        found.push(Element { range, name, body: ElementBody::Output(body) });
    }
    if found.is_empty() {
        found.extend(result_of_cline(text).or_else(|| observation(text)));
    }
    found
}

/// The result in `[read_file for 'a.py'] Result:` and the text after it. The text in quotes may
/// have several lines.
fn result_of_cline(text: &str) -> Option<Element> {
    let start = text.len() - text.trim_start().len();
    let own = text.get(start..)?;
    let line = own.lines().next()?;
    let inner = line.strip_prefix('[')?;
    let name = inner.split([' ', ']']).next().filter(|name| TOOLS.iter().any(|tool| tool.0 == *name))?;
    let quoted = || inner.get(name.len()..)?.starts_with(" for '").then(|| own.find("'] Result:"))?;
    let end = line.find(RESULT).or_else(|| Some(quoted()? + 1))?;
    let output = start + end + RESULT.len();
    let name = start + 1..start + 1 + name.len();
    let body = ElementBody::Output(trimmed(text, output..text.len()));
    Some(Element { range: start..text.trim_end().len().max(output), name: Some(name), body })
}

/// True if an observation may begin in `text`: the text of a message, or an object with the text
/// near its start.
fn begins_observation(text: &[u8]) -> bool {
    let start = text.get(..OBJECT_START).unwrap_or(text);
    // In JSON, the line end is escaped.
    OBSERVATIONS.iter().chain([&FENCED.trim_end()]).any(|it| find(start, it.as_bytes()).is_some())
}

/// Finds calls in a text, in linear time: each search is made once.
pub(super) struct Elements<'t> {
    pub(super) text: &'t str,
    /// For each searched string, its places.
    places: HashMap<String, Vec<usize>>,
}

impl<'t> Elements<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, places: HashMap::new() }
    }

    fn calls(mut self) -> Vec<Element> {
        let mut found = Vec::new();
        let mut at = behind_thoughts(self.text);
        let (mut is_code, mut end) = (false, at);
        while at < self.text.len() {
            if at >= end {
                end = memchr2(b'\n', b'\r', self.text.as_bytes().get(at..).unwrap_or_default())
                    .map_or(self.text.len(), |len| at + len + 1);
                if is_fence(self.text.get(at..end).unwrap_or_default()) {
                    (is_code, at) = (!is_code, end);
                    continue;
                }
            }
            let line = self.text.get(at..end).filter(|_| !is_code);
            match line.and_then(|line| self.call_in(at, line)) {
                Some(call) => {
                    at = call.range.end;
                    found.push(call);
                }
                None => at = end,
            }
        }
        if found.is_empty() {
            return python::calls(self.text);
        }
        around::extend(self.text, found.iter_mut().map(|call| &mut call.range));
        found
    }

    /// The first call that begins in `line`, the text from `at` to the end of a line.
    fn call_in(&mut self, at: usize, line: &'t str) -> Option<Element> {
        let (mut ticks, mut last) = (0, 0);
        let first = line.len() - line.trim_start().len();
        for place in memchr2_iter(b'<', b'[', line.as_bytes()) {
            let before = line.get(last..place)?;
            ticks += before.matches('`').count();
            last = place;
            if ticks % 2 == 0
                && let Some(call) = self.call_at(at + place, line.get(place..)?, place == first)
            {
                return Some(call);
            }
        }
        None
    }

    /// The call at `at`, where `line` is the rest of its line.
    fn call_at(&mut self, at: usize, line: &str, is_first: bool) -> Option<Element> {
        if line.starts_with("<tool_call>") {
            let (body, end) = self.element(at, "<tool_call>", "</tool_call>")?;
            let text = self.text.get(body.clone())?;
            if text.starts_with(FUNCTION.opener) {
                let call = self.with_parameters(body.start, &FUNCTION)?;
                return Some(Element { range: at..end, ..call });
            }
            if !names_tool(text) {
                return self.between_tokens(at, line);
            }
            return Some(Element { range: at..end, name: None, body: ElementBody::Call(body) });
        }
        if line.starts_with(FUNCTION.opener) {
            return self.with_parameters(at, &FUNCTION);
        }
        if line.starts_with(glaive::CALL) {
            let text = self.text;
            return glaive::call(text, at, &mut |wanted, from| self.next(wanted, from));
        }
        if line.starts_with(PYTHON) {
            return self.python(at);
        }
        if let Some(call) = self.between_tokens(at, line).or_else(|| self.details(at, line)) {
            return Some(call);
        }
        if !is_first {
            return None;
        }
        if let Some(form) = ELEMENT_FORMS.iter().find(|form| line.starts_with(form.opener)) {
            return self.with_parameters(at, form);
        }
        let head = line.get(..line.floor_char_boundary(LONGEST_HEAD))?;
        let behind = head.strip_prefix('<')?;
        let name = behind.get(..behind.find('>')?)?;
        let (name, required) = TOOLS.iter().find(|tool| tool.0 == name)?;
        let (opener, closer) = (format!("<{name}>"), format!("</{name}>"));
        let (body, end) = self.element(at, &opener, &closer)?;
        let parameters = self.named_parameters(body)?;
        let has = |wanted: &str| parameters.iter().any(|(key, _)| self.text.get(key.clone()) == Some(wanted));
        if parameters.is_empty() || !required.is_empty() && !has(required) {
            return None;
        }
        let name = Some(at + 1..at + 1 + name.len());
        Some(Element { range: at..end, name, body: ElementBody::Parameters(parameters) })
    }

    /// `<|python_tag|>` with an object, `NAME.call(KEY="TEXT")` or code. At the end of a message
    /// its end may be missing.
    fn python(&mut self, at: usize) -> Option<Element> {
        let start = at + PYTHON.len();
        let ends = PYTHON_ENDS.map(|end| Some((self.next(end, start)?, end.len())));
        // Without an end, it extends to the next opener.
        let next = self.next(PYTHON, start).unwrap_or(self.text.len());
        let (end, len) = ends.into_iter().flatten().min().filter(|end| end.0 < next).unwrap_or((next, 0));
        let body = trimmed(self.text, start..end);
        // In a chat template, the opener stands in a string.
        let text = self
            .text
            .get(body.clone())
            .filter(|text| !text.is_empty() && !QUOTES.iter().any(|end| text.starts_with(end)))?;
        let (name, body) = if text.starts_with('{') {
            let tape = json::parse(text);
            let root = tape.root(text).filter(|_| tape.errors.is_empty())?;
            let arguments = root.get("parameters").or_else(|| root.get("arguments"))?;
            let place = |span: Span| body.start + span.start as usize..body.start + span.end as usize;
            let name = place(root.get("name")?.content_span());
            (name, ElementBody::Arguments(place(arguments.is_object().then(|| arguments.span())?)))
        } else if let Some((name, keys)) = text.split_once(".call(").filter(|(name, _)| is_name(name)) {
            let mut found = Vec::new();
            let mut rest = keys;
            while let Some((key, behind)) = rest.split_once("=\"") {
                let (value, behind) = behind.split_once('"')?;
                let place = |piece: &str| {
                    let start = piece.as_ptr() as usize - self.text.as_ptr() as usize;
                    start..start + piece.len()
                };
                found.push((place(key.trim_matches([',', ' '])), place(value)));
                rest = behind;
            }
            (body.start..body.start + name.len(), ElementBody::Parameters(found))
        } else {
            // Here, the opener itself contains the tool name.
            (at + "<|".len()..at + "<|python".len(), ElementBody::Text(body))
        };
        Some(Element { range: at..end + len, name: Some(name), body })
    }

    /// The element of `form` at `at`.
    fn with_parameters(&mut self, at: usize, form: &ElementForm) -> Option<Element> {
        let (body, end) = self.element(at, form.opener, form.closer)?;
        let start = at + form.opener.len();
        let head = self.text.get(start..body.end)?;
        let head = head.get(..head.floor_char_boundary(LONGEST_HEAD))?;
        let name = head.get(..head.find(form.end)?).filter(|name| is_name(name) && *name != EXAMPLE)?;
        let body = trimmed(self.text, start + name.len() + form.end.len()..body.end);
        let body = match self.text.get(body.clone())? {
            text if form.has_objects && is_object(text) => ElementBody::Arguments(body),
            _ => ElementBody::Parameters(self.parameters(body, form)?),
        };
        Some(Element { range: at..end, name: Some(start..start + name.len()), body })
    }

    /// The content of the element at `at`, trimmed, and the element's end; `None` if another
    /// element begins in it.
    fn element(&mut self, at: usize, opener: &str, closer: &str) -> Option<(Range<usize>, usize)> {
        let start = at + opener.len();
        let end = self.next(closer, start)?;
        if self.next(opener, start).is_some_and(|next| next < end) {
            return None;
        }
        Some((trimmed(self.text, start..end), end + closer.len()))
    }

    /// Parameters one after the other, and nothing else.
    fn parameters(
        &mut self,
        body: Range<usize>,
        form: &ElementForm,
    ) -> Option<Vec<(Range<usize>, Range<usize>)>> {
        let mut found = Vec::new();
        let mut at = body.start;
        while at < body.end {
            let name = self.text.get(at..body.end)?.strip_prefix(form.parameter)?;
            let head = name.get(..name.find(form.end)?)?;
            // DeepSeek adds an attribute.
            let name = head.split('"').next().filter(|name| is_name(name))?;
            let key = at + form.parameter.len()..at + form.parameter.len() + name.len();
            let start = key.start + head.len() + form.end.len();
            let closer = form.closer_of(name);
            let end = self.next(&closer, start).filter(|end| *end < body.end)?;
            found.push((key, self.value(start..end)));
            at = trimmed(self.text, end + closer.len()..body.end).start;
        }
        Some(found)
    }

    /// Reads consecutive elements with distinct parameter names; `None` if there is anything else.
    /// The content of a file may contain the closer of its own parameter.
    fn named_parameters(&mut self, body: Range<usize>) -> Option<Vec<(Range<usize>, Range<usize>)>> {
        let mut found = Vec::<(Range<usize>, Range<usize>)>::new();
        let mut at = body.start;
        while at < body.end {
            let name = self.text.get(at..body.end)?.strip_prefix('<')?;
            let name = name.get(..name.find('>')?)?;
            let known = PARAMETERS.iter().find(|known| **known == name)?;
            let is_again = found.iter().any(|(key, _)| self.text.get(key.clone()) == Some(known));
            let key = at + 1..at + 1 + name.len();
            let closer = format!("</{known}>");
            let (start, end) = (key.end + 1, body.end);
            let end = match *known {
                "content" | "diff" => self.last(&closer, start..end),
                _ => self.next(&closer, start).filter(|found| *found < end),
            }?;
            if is_again {
                return None;
            }
            found.push((key, self.value(start..end)));
            at = trimmed(self.text, end + closer.len()..body.end).start;
        }
        Some(found)
    }

    /// A value without the line ends around it.
    fn value(&self, range: Range<usize>) -> Range<usize> {
        let text = self.text.get(range.clone()).unwrap_or_default();
        let inner = text.strip_prefix("\r\n").or_else(|| text.strip_prefix(['\n', '\r'])).unwrap_or(text);
        let start = range.start + text.len() - inner.len();
        let inner = inner.strip_suffix("\r\n").or_else(|| inner.strip_suffix(['\n', '\r'])).unwrap_or(inner);
        start..start + inner.len()
    }

    /// The first place of `wanted` at or after `from`.
    pub(super) fn next(&mut self, wanted: &str, from: usize) -> Option<usize> {
        let places = self.places_of(wanted);
        places.get(places.partition_point(|place| *place < from)).copied()
    }

    /// The last place of `wanted` in `range`.
    fn last(&mut self, wanted: &str, range: Range<usize>) -> Option<usize> {
        let places = self.places_of(wanted);
        let behind = places.partition_point(|place| *place < range.end);
        places.get(..behind)?.last().copied().filter(|place| *place >= range.start)
    }

    fn places_of(&mut self, wanted: &str) -> &[usize] {
        if !self.places.contains_key(wanted) {
            let found = find_iter(self.text.as_bytes(), wanted).collect();
            self.places.insert(wanted.to_owned(), found);
        }
        self.places.get(wanted).map(Vec::as_slice).unwrap_or_default()
    }
}

fn is_object(text: &str) -> bool {
    text.starts_with('{') && {
        let tape = json::parse(text);
        tape.errors.is_empty() && tape.extra(text).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_has_all_of_its_parts() {
        let text =
            "x\n<function_calls>\n<invoke name=\"run\">\n<parameter name=\"c\">\nls\n</parameter>\n</invoke>";
        let found = Markup::Calls.elements(text);
        let [Element { range, name, body: ElementBody::Parameters(parameters) }] = found.as_slice() else {
            panic!("{found:?}")
        };
        assert_eq!(&text[range.clone()], &text[2..]);
        assert_eq!(&text[name.clone().unwrap()], "run");
        let [(key, value)] = parameters.as_slice() else { panic!("{parameters:?}") };
        assert_eq!((&text[key.clone()], &text[value.clone()]), ("c", "ls"));
        assert_eq!(Markup::Calls.elements(&text.replace('\n', "\r")), found);
        assert!(Markup::Calls.may_be_in(text) && !Markup::Calls.may_be_in("a/function/b </div> /invoke"));
        assert!(Markup::Calls.may_be_in("|<|python_tag|>ls") && !Markup::Calls.may_be_in("|python_tag|>"));
        assert!(Markup::Results.may_be_in("[a] Result:") && !Markup::Results.may_be_in("[a] Results"));
    }

    #[test]
    fn a_chat_template_has_no_calls() {
        let template = "{{ '<|python_tag|>' + arguments }}\n{%- endfor -%}\n{{ '<|eom_id|>' }}";
        assert_eq!(Markup::Calls.elements(template), []);
    }

    #[test]
    fn a_call_in_python_without_an_end_reaches_to_the_next() {
        let call = "<|python_tag|>{\"name\": \"f\", \"parameters\": {}}";
        let text = format!("{call}\n{call}");
        let found: Vec<_> = Markup::Calls.elements(&text).into_iter().map(|it| it.range).collect();
        assert_eq!(found, [0..call.len() + 1, call.len() + 1..text.len()]);
    }
}
