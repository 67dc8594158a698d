//! `elements`: calls as elements of text: the tools of Cline and Roo Code by their names,
//! `<function=…>` of Llama and Qwen Coder, `<|python_tag|>` of Llama, `<invoke>` of Anthropic's
//! first models, and calls between the tokens of gpt-oss, Kimi, DeepSeek, Mistral, GLM, Granite,
//! Phi, Nemotron and FunctionGemma.
//!
//! An element counts only if it is complete: an element without an end, or with other children than
//! parameters, is text. Elements of Cline, Roo Code and Anthropic begin a line. `leaked-markup`
//! reports elements that lack only their end, and calls of Cline and Roo Code that do not begin
//! their line. Names and parameters are checked against the known tools; calls of Cline and Roo
//! Code only if the registry has the tool. Conversion writes `<invoke>`.
//!
//! - A result is `[read_file for 'a.py'] Result:` with the lines below it, up to a blank one or to
//!   `<environment_details>`, or to `</answer>` below a question of several lines;
//!   `<function_results>`; `<tool_response>`; or a message of a tool in the chat templates of
//!   Llama, gpt-oss, DeepSeek and Mistral. It belongs to the first call of its name without a
//!   result, or of any name if it has none.
//! - The tokens are `<|channel|>commentary to=functions.NAME <|message|>{…}<|call|>`,
//!   `<|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`,
//!   `<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`,
//!   `[TOOL_CALLS]NAME[ARGS]{…}</s>` or `[TOOL_CALLS][{"name", "arguments"}]</s>`,
//!   `<tool_call>NAME` with `<arg_key>` and `<arg_value>`,
//!   `<start_function_call>call:NAME{KEY:<escape>TEXT<escape>}<end_function_call>`, and the same
//!   lists between `<|tool_call|>` and `<|/tool_call|>` or `<TOOLCALL>` and `</TOOLCALL>`.
//! - DeepSeek writes `<｜DSML｜invoke name="NAME">` in place of `<invoke>`.
//! - The element around calls, and the tokens around a section of them, belong to the calls and are
//!   no text: `<function_calls>`, `<tool_call>` around `<function=…>`, `<minimax:tool_call>`,
//!   `<|tool_calls_section_begin|>`, `<｜tool▁calls▁begin｜>`.
//! - Prompts show the elements, too: they show a transcript only beside a result or a line that
//!   names a speaker.

use std::ops::Range;

use super::draft::Draft;
use super::element_draft;
use super::interface::{BlockSource, Dialect, DialectWriter, ReadOutcome, unclosed_element};
use crate::call::pairing::{Pairing, PairingOrder};
use crate::call::{Call, CallData, CallPart, CallSink, Field, ToolUse, UseData, UseStatus};
use crate::config::Settings;
use crate::diagnostic::{AtDocumentEnd, CallDiagnostic, Code, Fix};
use crate::forms::around::shares;
use crate::forms::element::{Element, ElementBody, calls_of};
use crate::forms::markup::{FAILED, Markup, PYTHON, PYTHON_ENDS};
use crate::forms::tokens::{ANSWERS, NAMED_ANSWER, TOKEN_FORMS, TokenForm, may_follow_opener};
use crate::json::{self, Value};
use crate::json_repair::payload::ParsedPayload;
use crate::never::OrNever;
use crate::syntax::{InlineRule, OpenerPlace, RegionEnd};
use crate::text::Span;

/// The dialect.
pub const DIALECT: Dialect = Dialect {
    name: "elements",
    form: "elements of Cline, Roo Code, Llama, Qwen Coder and Anthropic: `<read_file><path>a.py</path></read_file>`",
    inline: INLINE,
    pairing: Pairing::EarlierCall { order: PairingOrder::OldestFirst, orphans_are_text: true },
    is_of_other_programs: true,
    results_of: Some("hermes"),
    writer: Some(DialectWriter { description: "an `<invoke>` element", write }),
    draft,
    read,
    ..Dialect::BASE
};

/// The base of all rules.
const BASE: InlineRule =
    InlineRule { openers: &[], place: OpenerPlace::LineStart, accept: &|_, _| false, end: RegionEnd::Run };

/// The elements around calls and around results of Anthropic's.
const CALLS: (&str, &str) = ("<function_calls>", "</function_calls>");
const OUTPUTS: (&str, &str) = ("<function_results>", "</function_results>");

/// The answer to a question of several lines, which may have a fence that nothing closes.
const QUESTION: (&str, &str) = ("[ask_followup_question for '", "</answer>");

/// The number of rules of results, which come first.
const RESULTS: usize = 7;

/// The index of the rule for lists of calls.
const LIST: usize = RESULTS;

/// The first rule of tools that are called by their names.
const FIRST_TOOL: usize = LIST + 7 + TOKEN_FORMS.len();

/// Builds the rules, including one per tool.
macro_rules! rules {
    ($($tool:literal)*) => {
        const INLINE: &[InlineRule] = &[
            InlineRule {
                openers: &[$(concat!("[", $tool)),*],
                accept: &|_, behind| first_line(behind).contains("] Result:"),
                end: RegionEnd::Paragraph(&|rest| Some(result_len(rest))),
                ..BASE
            },
            InlineRule {
                accept: &|_, behind| !first_line(behind).contains("] Result:"),
                ..element(&[QUESTION.0], QUESTION.1)
            },
            element(&[OUTPUTS.0], OUTPUTS.1),
            anywhere(&[ANSWERS[0].0], ANSWERS[0].1),
            anywhere(&[ANSWERS[1].0], ANSWERS[1].1),
            anywhere(&[ANSWERS[2].0], ANSWERS[2].1),
            InlineRule {
                accept: &|_, behind| beginning(behind).contains(" to=assistant"),
                ..anywhere(&[NAMED_ANSWER.0], NAMED_ANSWER.1)
            },
            InlineRule {
                accept: &|_, behind| behind.trim_start().starts_with("<invoke name="),
                ..element(&[CALLS.0], CALLS.1)
            },
            InlineRule {
                accept: &|_, behind| behind.split_once('>').is_some_and(is_function),
                ..anywhere(&["<function="], "</function>")
            },
            InlineRule {
                accept: &|_, behind| ends_with(behind, PYTHON_ENDS[0]),
                ..anywhere(&[PYTHON], PYTHON_ENDS[0])
            },
            InlineRule {
                accept: &|_, behind| ends_with(behind, PYTHON_ENDS[1]),
                ..anywhere(&[PYTHON], PYTHON_ENDS[1])
            },
            between_tokens(&TOKEN_FORMS[0]),
            between_tokens(&TOKEN_FORMS[1]),
            between_tokens(&TOKEN_FORMS[2]),
            between_tokens(&TOKEN_FORMS[3]),
            between_tokens(&TOKEN_FORMS[4]),
            between_tokens(&TOKEN_FORMS[5]),
            between_tokens(&TOKEN_FORMS[6]),
            between_tokens(&TOKEN_FORMS[7]),
            element(&["<invoke name=\""], "</invoke>"),
            element(&[concat!("<ant", "ml:invoke name=\"")], concat!("</ant", "ml:invoke>")),
            element(&["<｜DSML｜invoke name=\""], "</｜DSML｜invoke>"),
            $(InlineRule {
                accept: &|_, behind| behind.trim_start().starts_with('<'),
                ..element(&[concat!("<", $tool, ">")], concat!("</", $tool, ">"))
            },)*
            // The last one: a call in a line of text.
            InlineRule {
                openers: &[$(concat!("<", $tool, ">")),*],
                place: OpenerPlace::Anywhere,
                accept: &|before, behind| before.is_some() && prose_len(behind).is_some(),
                end: RegionEnd::Line(&prose_len),
            },
        ];

        /// The tools that are called by their names.
        const TOOLS: &[&str] = &[$($tool),*];
    };
}

rules!(
    "access_mcp_resource" "apply_diff" "ask_followup_question" "attempt_completion" "browser_action"
    "codebase_search" "execute_command" "fetch_instructions" "generate_image" "insert_content"
    "list_code_definition_names" "list_files" "new_task" "plan_mode_respond" "read_file"
    "replace_in_file" "search_and_replace" "search_files" "switch_mode" "update_todo_list"
    "use_mcp_tool" "write_to_file"
);

/// Maximum length in bytes of a call within a line of text.
const LONGEST_IN_PROSE: usize = 400;

/// The opener of the text that Cline and Roo Code add to each message of the user.
const DETAILS: &str = "<environment_details>";

/// The rule for an element, which ends before the next element.
const fn element(openers: &'static [&'static str], closer: &'static str) -> InlineRule {
    InlineRule {
        openers,
        accept: &|_, _| true,
        end: RegionEnd::Closer { closer, before: None, barred_by: openers },
        ..BASE
    }
}

/// The same, at any place in a line.
const fn anywhere(openers: &'static [&'static str], closer: &'static str) -> InlineRule {
    InlineRule { place: OpenerPlace::Anywhere, ..element(openers, closer) }
}

/// The rule for calls between tokens.
const fn between_tokens(form: &'static TokenForm) -> InlineRule {
    InlineRule { accept: &|_, behind| may_follow_opener(behind), ..anywhere(form.openers, form.closer) }
}

/// The length of a result of Cline in `rest`, the rest of its paragraph.
fn result_len(rest: &str) -> usize {
    rest.split(DETAILS).next().unwrap_or_default().trim_end().len()
}

/// The length of a call in a line of text, in `rest` after its opener.
fn prose_len(rest: &str) -> Option<usize> {
    let line = Some(first_line(beginning(rest))).filter(|line| line.starts_with('<'))?;
    let is_closer =
        |behind: &str, tool: &str| behind.strip_prefix(tool).is_some_and(|it| it.starts_with('>'));
    line.match_indices("</").find_map(|(at, _)| {
        let behind = line.get(at + 2..)?;
        let tool = TOOLS.iter().find(|tool| is_closer(behind, tool))?;
        Some(at + "</>".len() + tool.len())
    })
}

/// True if a name and the text after its `>` may belong to a call.
fn is_function((name, body): (&str, &str)) -> bool {
    !name.contains(char::is_whitespace) && body.trim_start().starts_with(['{', '<'])
}

/// True if `end` is the first of the ends of a call in Python in `text`.
fn ends_with(text: &str, end: &str) -> bool {
    let ends = PYTHON_ENDS.iter().filter_map(|it| Some((beginning(text).find(it)?, *it)));
    ends.min().map_or(PYTHON_ENDS[0], |(_, first)| first) == end
}

/// The beginning of `text`: a line may be full of openers.
fn beginning(text: &str) -> &str {
    text.get(..text.floor_char_boundary(LONGEST_IN_PROSE)).or_never()
}

fn first_line(text: &str) -> &str {
    text.split(['\n', '\r']).next().unwrap_or_default()
}

fn read(source: &BlockSource<'_>, sink: &mut dyn CallSink) -> ReadOutcome {
    let elements = match source.rule {
        rule if rule != LIST && !source.closed => Vec::new(),
        rule if rule < RESULTS => Markup::Results.elements(source.text),
        _ => Markup::Calls.elements(source.text),
    };
    let is_prose = source.rule + 1 == INLINE.len();
    if elements.is_empty() || is_prose {
        sink.text();
        let leaked = match source.closed {
            true => (is_prose && !elements.is_empty()).then(call_in_prose),
            false => begins_call(source).then(|| unclosed_element(source.text)),
        };
        leaked.into_iter().for_each(|diagnostic| sink.diagnostic(diagnostic));
        return ReadOutcome::Done;
    }
    let is_text = |range: Range<usize>| !source.text.get(range).or_never().trim().is_empty();
    let is_whole = matches!(&*elements, [one] if !is_text(one.range.end..source.text.len()));
    let mut end = 0;
    for element in &elements {
        if is_text(end..element.range.start) {
            sink.text();
        }
        end = element.range.end;
        let span = (!is_whole).then(|| Span::new(element.range.start, end));
        read_element(source, element, span, sink);
    }
    ReadOutcome::Done
}

/// True if a block without an end begins with a parameter or an object of a call.
fn begins_call(source: &BlockSource<'_>) -> bool {
    let body = source.text.split_once('>').map_or("", |(_, body)| body.trim_start());
    source.rule >= RESULTS && (body.starts_with('{') || body.starts_with('<') && body.contains("</"))
}

fn call_in_prose() -> CallDiagnostic {
    let message =
        "this call is read as text, because it stands in a line of text: put it on a line of its own";
    let fix = Fix::replace("Put it on a line of its own", Span::empty(0), "\n\n");
    CallDiagnostic::at_opening(Code::LeakedMarkup, message, AtDocumentEnd::Suppressed).fix(fix)
}

/// Reads an element, one of several if it has a span.
fn read_element<'a>(
    source: &BlockSource<'a>,
    element: &Element,
    span: Option<Span>,
    sink: &mut dyn CallSink,
) {
    let of = |range: &Range<usize>| source.text.get(range.clone()).or_never();
    let part = if source.rule < RESULTS { CallPart::Result } else { CallPart::Call };
    let mut call = Call::new(part, source.text);
    (call.is_example, call.span) = (true, span);
    let field = |range: &Range<usize>| Field { text: of(range).into(), span: source.span_of(of(range)) };
    call.name = element.name.as_ref().map(field);
    // An element with a tool's name is only a call if the registry has the tool.
    let is_known = |name: &Field<'_>| source.settings.registry.tools.contains_key(&*name.text);
    call.checks_tool =
        part == CallPart::Call && (source.rule < FIRST_TOOL || call.name.as_ref().is_some_and(is_known));
    match &element.body {
        ElementBody::Call(range) => {
            let json = json::parse(of(range));
            let place = |span: Span| span.shifted(range.start).range();
            let calls = json.root(of(range)).into_iter().flat_map(calls_of).filter_map(|one| {
                let input = one.get("arguments").or_else(|| one.get("parameters"))?;
                Some((one, input))
            });
            let calls: Vec<_> = calls.collect();
            let starts = calls.iter().map(|(one, _)| place(one.span()).start);
            for ((one, input), range) in calls.iter().zip(shares(&element.range, starts)) {
                let name = one.get("name").map(|name| place(name.content_span()));
                let span = Span::new(range.start, range.end);
                let call = Element { range, name, body: ElementBody::Arguments(place(input.span())) };
                read_element(source, &call, Some(span), sink);
            }
        }
        ElementBody::Arguments(range) => {
            let json = json::parse(of(range));
            let (text, start) = (of(&(0..range.end)), range.start);
            let payload =
                ParsedPayload { text, start, json: &json, closed: true, closer: "", growing: false };
            call.object = payload.root();
            (call.input, call.payload) = (payload.root().map(CallData::Json), Some(payload));
            sink.call(call);
        }
        ElementBody::Parameters(parameters) => {
            let pair = |(key, value): &(_, _)| (of(key).into(), of(value).into());
            let input = CallData::Arguments(parameters.iter().map(pair).collect());
            (call.arguments, call.input) = (input.shown_arguments(), Some(input));
            sink.call(call);
        }
        // ReAct in Markdown is a form of tagged text.
        ElementBody::Text(range) | ElementBody::Step(range, _) => {
            sink.call(Call { input: Some(CallData::Text(of(range).into())), ..call })
        }
        // Open WebUI keeps its messages in JSON.
        ElementBody::Escaped(_) => sink.text(),
        ElementBody::Output(range) => {
            let output = of(range);
            call.status = UseStatus::Done;
            if output.starts_with(FAILED) {
                (call.status, call.error_text) = (UseStatus::Failed, Some(output.into()));
            } else {
                call.output = Some(CallData::Text(output.into()));
                call.output_span = Some(source.span_of(output));
            }
            sink.call(call);
        }
    }
}

fn draft(source: &BlockSource<'_>, at: usize, _: &str) -> Option<Draft> {
    match source.rule.checked_sub(FIRST_TOOL) {
        Some(tool) => element_draft::of_tool(source.text, at, TOOLS.get(tool)?),
        None if source.rule < RESULTS => None,
        None => element_draft::of_last(source.text, at),
    }
}

/// Writes a call as Anthropic's first models do.
fn write(tool_use: &ToolUse, _: &Settings) -> Option<String> {
    let name = tool_use.name.as_deref().filter(|name| !name.is_empty())?;
    let input = tool_use.input.as_ref().map_or_else(|| "{}".to_owned(), UseData::to_json);
    let json = json::parse(&input);
    let root = json.root(&input).filter(|root| root.is_object() && json.errors.is_empty())?;
    let parameter = |(key, value): (Value<'_>, Value<'_>)| {
        let text = value.as_str().unwrap_or_else(|| value.raw().into());
        // One line end at each end of a value does not count.
        let line_end = if text.contains('\n') { "\n" } else { "" };
        Some(format!("<parameter name=\"{}\">{line_end}{text}{line_end}</parameter>\n", key.as_str()?))
    };
    let parameters: String = root.entries().map(parameter).collect::<Option<_>>()?;
    let call = format!("{}\n<invoke name=\"{name}\">\n{parameters}</invoke>\n{}", CALLS.0, CALLS.1);
    let Some(outcome) = tool_use.outcome() else { return Some(call) };
    Some(format!("{call}\n{}\n{}\n{}", OUTPUTS.0, outcome.to_text(), OUTPUTS.1))
}

#[cfg(test)]
mod tests;
