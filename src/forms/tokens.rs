//! Calls between the special tokens of a model's chat template, in the text of a message: gpt-oss
//! (Harmony), Kimi, DeepSeek, Mistral, GLM, Granite, Phi, Nemotron and FunctionGemma.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::details;
use super::element::{Element, ElementBody, is_name, names_tool, trimmed, whole_value};
use super::markup::{Elements, PYTHON};
use super::python;

/// The tokens of a call.
#[derive(Clone, Copy, Debug)]
pub struct TokenForm {
    /// The tokens before the name, one of them.
    pub openers: &'static [&'static str],
    /// The token between the name and the input; empty if they stand in a list of calls.
    pub middle: &'static str,
    /// The token at the end. At the end of a text it may be missing: servers cut it off.
    pub closer: &'static str,
    /// The input, if it is no object of JSON.
    pub other: OtherInput,
}

/// An input that is no object of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherInput {
    /// There is none.
    None,
    /// Code.
    Code,
    /// An object in a fenced code block, below the name: before the token stands a type.
    Fenced,
    /// A list of calls in place of the name and the input.
    Calls,
    /// Keys and values in elements; the token is the first element.
    Pairs,
    /// Keys and values as in an object, with tokens in place of quotes.
    Escaped,
}

/// The forms.
pub const TOKEN_FORMS: [TokenForm; 8] = [
    // gpt-oss: https://github.com/openai/harmony.
    TokenForm {
        openers: &["<|start|>assistant to=", "<|channel|>commentary to=", "<|channel|>analysis to="],
        middle: "<|message|>",
        closer: "<|call|>",
        other: OtherInput::Code,
    },
    // https://huggingface.co/moonshotai/Kimi-K2-Instruct, docs/tool_call_guidance.md.
    TokenForm {
        openers: &["<|tool_call_begin|>"],
        middle: "<|tool_call_argument_begin|>",
        closer: "<|tool_call_end|>",
        other: OtherInput::None,
    },
    // https://huggingface.co/deepseek-ai/DeepSeek-V3.1; of V3 and R1 with a fenced code block.
    TokenForm {
        openers: &["<｜tool▁call▁begin｜>"],
        middle: "<｜tool▁sep｜>",
        closer: "<｜tool▁call▁end｜>",
        other: OtherInput::Fenced,
    },
    // https://github.com/mistralai/mistral-common, `tokens/tokenizers/instruct.py`.
    TokenForm { openers: &["[TOOL_CALLS]"], middle: "[ARGS]", closer: "</s>", other: OtherInput::Calls },
    // https://huggingface.co/zai-org/GLM-4.5, chat_template.jinja.
    TokenForm { openers: &["<tool_call>"], middle: KEY.0, closer: "</tool_call>", other: OtherInput::Pairs },
    // https://huggingface.co/ibm-granite/granite-3.3-8b-instruct, chat_template.jinja; Phi-4-mini
    // has the closer.
    TokenForm { openers: &["<|tool_call|>"], middle: "", closer: "<|/tool_call|>", other: OtherInput::Calls },
    // https://huggingface.co/nvidia/NVIDIA-Nemotron-Nano-9B-v2, chat_template.jinja.
    TokenForm { openers: &["<TOOLCALL>"], middle: "", closer: "</TOOLCALL>", other: OtherInput::Calls },
    // https://ai.google.dev/gemma/docs/functiongemma.
    TokenForm {
        openers: &["<start_function_call>call:"],
        middle: "{",
        closer: "}<end_function_call>",
        other: OtherInput::Escaped,
    },
];

/// The delimiters of a result in the chat templates of Llama, DeepSeek and Mistral.
pub const ANSWERS: [(&str, &str); 3] = [
    ("<|start_header_id|>ipython<|end_header_id|>", "<|eot_id|>"),
    ("<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>"),
    ("[TOOL_RESULTS]", "[/TOOL_RESULTS]"),
];
/// The delimiters of a result of gpt-oss.
pub const NAMED_ANSWER: (&str, &str) = ("<|start|>functions.", "<|end|>");

/// The elements of a key and of a value of GLM.
const KEY: (&str, &str) = ("<arg_key>", "</arg_key>");
const VALUE: (&str, &str) = ("<arg_value>", "</arg_value>");
/// The token in place of quotes in calls of FunctionGemma.
const ESCAPE: &str = "<escape>";
/// The namespace of tools in the names of Harmony and Kimi.
const NAMESPACE: &str = "functions.";

/// The number of bytes in which the name of a tool and the token after it stand.
const LONGEST_HEAD: usize = 200;

/// Each text with such calls contains one of these strings, even in JSON, where `<` may be escaped.
static SIGNS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let separators = ["tool▁sep", "tool\\u2581sep"];
    let signs = [PYTHON, details::SIGN, "|message|", "|tool_call_argument_begin|", "[TOOL_CALLS]"];
    let lists = ["<|tool_call|>", "u003c|tool_call|", "<TOOLCALL>", "u003cTOOLCALL"];
    let others = ["DSML", "functioncall", "start_function_call"];
    AhoCorasick::new(signs.iter().chain(&separators).chain(&lists).chain(&others).chain(&python::SIGNS)).ok()
});

/// False if `raw`, which may be JSON source text, certainly has no calls of Open WebUI and no
/// tokens of calls, apart from the tokens of GLM.
pub(super) fn may_have_tokens(raw: &str) -> bool {
    SIGNS.as_ref().is_some_and(|signs| signs.is_match(raw))
}

/// True if `behind`, the text behind an opener, may go on as a call.
pub fn may_follow_opener(behind: &str) -> bool {
    let head = behind.get(..behind.floor_char_boundary(LONGEST_HEAD)).unwrap_or_default();
    let middles = TOKEN_FORMS.iter().map(|form| form.middle).filter(|middle| !middle.is_empty());
    head.trim_start().starts_with("[{") || { middles }.any(|middle| head.contains(middle))
}

impl Elements<'_> {
    /// The call between tokens at `at`, where `line` is the rest of its line.
    pub(super) fn between_tokens(&mut self, at: usize, line: &str) -> Option<Element> {
        let openers = |form: &'static TokenForm| form.openers.iter().map(move |opener| (form, *opener));
        let (form, opener) = TOKEN_FORMS.iter().flat_map(openers).find(|(_, it)| line.starts_with(it))?;
        let start = at + opener.len();
        // It ends before the next one.
        let next = form.openers.iter().filter_map(|opener| self.next(opener, start)).min();
        let limit = next.unwrap_or(self.text.len());
        let closer = self.next(form.closer, start).filter(|at| *at < limit);
        let limit = closer.unwrap_or(limit);
        let end = closer.map(|at| at + form.closer.len());
        let has_middle = !form.middle.is_empty();
        let middle = has_middle.then(|| self.next(form.middle, start)).flatten();
        let Some(middle) = middle.filter(|at| *at < limit) else {
            return self.without_input(form, at, start..limit, end);
        };
        let mut name = name_in(self.text, start..middle);
        let body = trimmed(self.text, middle + form.middle.len()..limit);
        let text = self.text.get(body.clone())?;
        let (body, end) = match (form.other, end) {
            (_, Some(end)) if text.starts_with('{') => (ElementBody::Arguments(body), end),
            (_, None) if text.starts_with('{') => {
                let object = whole_value(self.text, body)?;
                let end = object.end;
                (ElementBody::Arguments(object), end)
            }
            (OtherInput::Code, Some(end)) if !text.is_empty() => (ElementBody::Text(body), end),
            (OtherInput::Fenced, Some(end)) => {
                let (line, fenced) = text.split_once('\n')?;
                name = name_in(self.text, body.start..body.start + line.len());
                let start = body.end - fenced.len();
                let object = start + fenced.find('{')?..start + fenced.rfind('}')? + 1;
                (ElementBody::Arguments(object), end)
            }
            (OtherInput::Pairs, Some(end)) => (ElementBody::Parameters(self.pairs(body)?), end),
            (OtherInput::Escaped, Some(end)) => (ElementBody::Parameters(self.escaped(body)?), end),
            _ => return None,
        };
        Some(Element { range: at..end, name: Some(name?), body })
    }

    /// A call at `at` without the token between name and input: a list, or a call without an input.
    fn without_input(
        &self,
        form: &TokenForm,
        at: usize,
        inner: Range<usize>,
        end: Option<usize>,
    ) -> Option<Element> {
        match (form.other, end) {
            (OtherInput::Calls, _) => {
                let inner = trimmed(self.text, inner);
                let calls = whole_value(self.text, inner.clone())?;
                names_tool(self.text.get(calls.clone())?).then_some(Element {
                    range: at..end.filter(|_| calls.end == inner.end).unwrap_or(calls.end),
                    name: None,
                    body: ElementBody::Call(calls),
                })
            }
            (OtherInput::Pairs, Some(end)) => {
                let name = trimmed(self.text, inner);
                let name = name_in(self.text, name.clone()).filter(|found| *found == name)?;
                Some(Element { range: at..end, name: Some(name), body: ElementBody::Parameters(Vec::new()) })
            }
            _ => None,
        }
    }

    /// The keys and values in `body`, after the first opener of a key.
    fn pairs(&self, body: Range<usize>) -> Option<Vec<(Range<usize>, Range<usize>)>> {
        let mut found = Vec::new();
        let mut rest = self.text.get(body.clone())?;
        let place = |piece: &str, rest: &str| {
            let start = body.end - rest.len();
            start..start + piece.len()
        };
        loop {
            let (key, behind) = rest.split_once(KEY.1)?;
            let key = Some(place(key, rest)).filter(|_| is_name(key))?;
            let behind = behind.trim_start().strip_prefix(VALUE.0)?;
            let (value, below) = behind.split_once(VALUE.1)?;
            found.push((key, place(value, behind)));
            if below.trim().is_empty() {
                return Some(found);
            }
            rest = below.trim_start().strip_prefix(KEY.0)?;
        }
    }

    /// The keys and values in `body`: `key:<escape>text<escape>,key:1`.
    fn escaped(&self, body: Range<usize>) -> Option<Vec<(Range<usize>, Range<usize>)>> {
        let mut found = Vec::new();
        let mut at = body.start;
        while at < body.end {
            let rest = self.text.get(at..body.end)?;
            let (key, behind) = rest.split_once(':')?;
            let key = Some(at..at + key.len()).filter(|_| is_name(key))?;
            let start = key.end + 1;
            let mut open = 0_i32;
            // In a text, nothing ends the value.
            let mut is_text = false;
            let end = behind.char_indices().find(|(at, c)| {
                is_text ^= behind.get(*at..).is_some_and(|it| it.starts_with(ESCAPE));
                open += i32::from(matches!(c, '{' | '[') && !is_text);
                open -= i32::from(matches!(c, '}' | ']') && !is_text);
                *c == ',' && open == 0 && !is_text
            });
            let end = start + end.map_or(behind.len(), |(at, _)| at);
            let value = self.text.get(start..end)?;
            let inner = value.strip_prefix(ESCAPE).and_then(|inner| inner.strip_suffix(ESCAPE));
            let inner = inner.filter(|inner| !inner.contains(ESCAPE));
            found.push((key, inner.map_or(start..end, |_| start + ESCAPE.len()..end - ESCAPE.len())));
            at = end + 1;
        }
        Some(found)
    }
}

/// The name of a tool in the text between two tokens.
pub(super) fn name_in(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let range = trimmed(text, range);
    let text = text.get(range.clone())?;
    let own = text.strip_prefix(NAMESPACE).unwrap_or(text);
    let own_start = range.end - own.len();
    let name = own.split([' ', '\n', '\r', '<', '[']).next()?;
    // Kimi counts its calls.
    let numbered = name.rsplit_once(':').filter(|(_, number)| number.bytes().all(|it| it.is_ascii_digit()));
    let name = numbered.map_or(name, |(name, _)| name);
    is_name(name).then(|| own_start..own_start + name.len())
}

#[cfg(test)]
mod tests {
    use super::super::markup::Markup;
    use super::ElementBody;

    /// The names and inputs of the calls in `text`.
    fn calls(text: &str) -> Vec<String> {
        let of = |range: &std::ops::Range<usize>| text[range.clone()].to_owned();
        let found = Markup::Calls.elements(text).into_iter().map(|call| {
            let input = match &call.body {
                ElementBody::Call(input) | ElementBody::Arguments(input) | ElementBody::Text(input) => {
                    of(input)
                }
                ElementBody::Parameters(found) => {
                    found.iter().map(|(key, value)| format!("{}={} ", of(key), of(value))).collect()
                }
                body => format!("{body:?}"),
            };
            format!("{} {}", call.name.as_ref().map(of).unwrap_or_default(), input.trim())
        });
        found.collect()
    }

    #[test]
    fn calls_are_between_tokens() {
        for (text, expected) in [
            (
                "<|start|>assistant to=functions.a<|channel|>commentary json<|message|>{}<|call|>",
                &["a {}"][..],
            ),
            ("<|channel|>commentary to=functions.a <|constrain|>json<|message|>{}", &["a {}"]),
            ("<|channel|>analysis to=python code<|message|>b()<|call|>", &["python b()"]),
            (
                "b<|tool_call_begin|>functions.a:0<|tool_call_argument_begin|>{\"b\": <|tool_call_end|>\
                 <|tool_call_begin|>c<|tool_call_argument_begin|>{}",
                &["a {\"b\":", "c {}"],
            ),
            ("<｜tool▁call▁begin｜>a<｜tool▁sep｜>{}<｜tool▁call▁end｜>", &["a {}"]),
            ("<｜tool▁call▁begin｜>function<｜tool▁sep｜>a\n```json\n{}\n```<｜tool▁call▁end｜>", &["a {}"]),
            ("[TOOL_CALLS]a[ARGS]{}[TOOL_CALLS]b[CALL_ID]1[ARGS]{} c", &["a {}", "b {}"]),
            ("[TOOL_CALLS] [{\"name\": \"a\"}]</s>", &[" [{\"name\": \"a\"}]"]),
            ("<|tool_call|>[{\"name\": \"a\"}]", &[" [{\"name\": \"a\"}]"]),
            ("<|tool_call|>[{\"name\": \"a\"}]<|/tool_call|>", &[" [{\"name\": \"a\"}]"]),
            ("<TOOLCALL>[{\"name\": \"a\"}]</TOOLCALL>", &[" [{\"name\": \"a\"}]"]),
            (
                "<tool_call>a<arg_key>b</arg_key><arg_value>1</arg_value>\n<arg_key>c</arg_key>\n\
                 <arg_value>2</arg_value></tool_call>\n<tool_call>d\n</tool_call>",
                &["a b=1 c=2", "d "],
            ),
            (
                "<start_function_call>call:a{b:<escape>x, {y<escape>,c:[1,2],d:3}<end_function_call>",
                &["a b=x, {y c=[1,2] d=3"],
            ),
            ("<start_function_call>call:a{}<end_function_call>", &["a "]),
        ] {
            assert_eq!(calls(text), expected, "{text}");
            assert!(Markup::Calls.may_be_in(text), "{text}");
        }
        assert!(Markup::Calls.may_be_in(r"\u003c\uff5ctool\u2581sep\uff5c"));
    }

    #[test]
    fn a_part_of_a_call_is_text() {
        for text in [
            "<|channel|>commentary to=functions.a <|constrain|>json<|message|>{\"b\": ",
            "<|channel|>commentary<|message|>to=functions.a",
            "<|tool_call_begin|>functions.a:0<|tool_call_end|>",
            "`[TOOL_CALLS]a[ARGS]{}`",
            "[TOOL_CALLS] and [ARGS] are tokens",
            "<|tool_call|> and <TOOLCALL>[1]</TOOLCALL>",
            "<tool_call>a b</tool_call>",
            "<tool_call>a<arg_key>b</arg_key></tool_call>",
            "```\n<|tool_call_begin|>a<|tool_call_argument_begin|>{}<|tool_call_end|>\n```",
        ] {
            assert!(calls(text).is_empty(), "{text}");
        }
    }
}
