//! Fixes of the problems of requests, training examples and sessions that are sent again.

use std::collections::HashSet;
use std::ops::Range;

use super::DocumentEdit;
use super::message_edits::{MessageEditor, MessageEditors, without_comma};
use crate::call::{CallFault, ChatApi};
use crate::checks::{Cause, Problem};
use crate::diagnostic::Fix;
use crate::document::Document;
use crate::json::{Value, quote, quote_like};
use crate::rules::requests::{RequestFact, RequestIssue, is_name_character, most_characters};
use crate::segments::MessageArray;
use crate::text::cut;

/// The text of an added first message.
const LOST_BEGINNING: &str = "(the beginning of this conversation was lost)";

/// A problem and its fix; `None` if none is possible.
pub type RequestFix = (Problem, Option<Fix<Range<usize>>>);

impl Document {
    /// The problems of requests, training examples and sessions, with their fixes, in document
    /// order.
    pub fn request_fixes(&self) -> Vec<RequestFix> {
        let mut fixer = RequestFixer::new(self);
        let mut problems = self.request_problems();
        problems.sort_by_key(|found| found.diagnostic.range.start);
        let with_fix = |found| {
            let fix = fixer.fix(&found);
            (found, fix)
        };
        problems.into_iter().map(with_fix).collect()
    }
}

/// Makes the fixes of requests, training examples and sessions. Of the calls of one tool with a
/// rejected name, the first has the fix for all.
pub(super) struct RequestFixer<'d> {
    document: &'d Document,
    editors: MessageEditors<'d>,
    /// The names that fixes change, with the start of their array.
    renamed: HashSet<(Option<usize>, &'d str)>,
}

impl<'d> RequestFixer<'d> {
    pub fn new(document: &'d Document) -> Self {
        Self { document, editors: MessageEditors::new(document), renamed: HashSet::new() }
    }

    /// The fix of `problem`; `None` if none is possible, or its cause is another one.
    pub fn fix(&mut self, problem: &Problem) -> Option<Fix<Range<usize>>> {
        let (title, edits) = match &problem.cause {
            Cause::Weight(number) => {
                let nearest = if *number > 0.5 { "1" } else { "0" };
                (format!("Write {nearest}"), vec![(problem.diagnostic.range.clone(), nearest.to_owned())])
            }
            Cause::EmptyText(part) => {
                let editor = self.editors.of(None);
                let edits = editor.removal(editor.message_at(part.start)?, part)?;
                ("Remove the empty text".to_owned(), edits)
            }
            Cause::CompactedResult(result, call) => {
                let edits = self.editors.of(None).moved_part(result, *call)?;
                ("Move the result after its call".to_owned(), edits)
            }
            Cause::Request(array, issue) => {
                if issue.fact == RequestFact::BadName {
                    let (_, block) = self.document.block_of_request(issue.at)?;
                    self.renamed.insert((array.map(|array| array.start), block.name()?)).then_some(())?;
                }
                let fixer = IssueFixer { document: self.document, editor: self.editors.of(*array) };
                fixer.edits(*array, issue)?
            }
            _ => return None,
        };
        Some(Fix::new(title, edits).preferred())
    }
}

/// Makes the fixes of the issues of one request.
struct IssueFixer<'f, 'd> {
    document: &'d Document,
    editor: &'f MessageEditor<'d>,
}

impl IssueFixer<'_, '_> {
    fn edits(
        &self,
        array: Option<MessageArray>,
        issue: &RequestIssue,
    ) -> Option<(String, Vec<DocumentEdit>)> {
        let document = self.document;
        let start = document.start_of_request(issue.at);
        Some(match issue.fact {
            RequestFact::UnknownRole => {
                let (role, known) = document.role_meant(start)?;
                (format!("Write `{known}`"), vec![(role, quote(known))])
            }
            RequestFact::FirstRole => (
                "Add a first message of the user, which says that the beginning was lost".to_owned(),
                self.first_of_user(start)?,
            ),
            RequestFact::EmptyCalls => {
                ("Remove the empty list of calls".to_owned(), document.without_member(start, "tool_calls")?)
            }
            RequestFact::CallFault(CallFault::NoType) => (
                "Add the type of the call".to_owned(),
                vec![document.with_value(start, |root| member_first(root, start, "\"type\": \"function\""))?],
            ),
            RequestFact::CallFault(CallFault::ObjectArguments) => (
                "Write the arguments as a string".to_owned(),
                vec![document.with_value(start, |root| {
                    let arguments = root.get("function")?.get("arguments")?;
                    Some((arguments.span().range_at(start), quote(arguments.raw())))
                })?],
            ),
            RequestFact::CallFault(CallFault::NoId) => {
                let (_, result) = document.block_of_request(issue.other?)?;
                let id = quote(result.id()?);
                let edit = |root: Value<'_>| member_first(root, start, &format!("\"id\": {id}"));
                ("Give the call the id of its result".to_owned(), vec![document.with_value(start, edit)?])
            }
            RequestFact::CallFault(CallFault::NoArguments) => (
                "Write empty arguments".to_owned(),
                vec![document.with_value(start, |root| {
                    let (_, name) = root.get("function")?.entries().last()?;
                    let end = name.span().range_at(start).end;
                    Some((end..end, ", \"arguments\": \"{}\"".to_owned()))
                })?],
            ),
            RequestFact::CallFault(CallFault::NoInput) => (
                "Write the input as an object".to_owned(),
                vec![document.with_value(start, |root| input_object(root, start))?],
            ),
            RequestFact::NoId => {
                let (_, call) = document.block_of_request(issue.other?)?;
                let key = if issue.api == ChatApi::Anthropic { "tool_use_id" } else { "tool_call_id" };
                let id = quote(call.id()?);
                let edit = document.with_value(start, |root| match root.get(key) {
                    Some(written) => Some((written.span().range_at(start), id)),
                    None => member_first(root, start, &format!("\"{key}\": {id}")),
                })?;
                ("Give the result the id of its call".to_owned(), vec![edit])
            }
            RequestFact::ResultOfAssistant => {
                ("Move the results into a message of the user".to_owned(), self.results_of_user(start)?)
            }
            RequestFact::NoContent => (
                "Write an empty content".to_owned(),
                vec![document.with_value(start, |root| empty_content(root, start))?],
            ),
            RequestFact::EmptyContent => {
                ("Remove the empty message".to_owned(), self.without_message(start)?)
            }
            RequestFact::BlankText => ("Remove the empty text".to_owned(), self.without_message(start)?),
            RequestFact::BadName => document.other_name(array, issue)?,
            RequestFact::LateResult => {
                let call = document.start_of_request(issue.other?);
                let (from, to) = (self.editor.message_at(start)?, self.editor.message_at(call)?);
                ("Move the result after its call".to_owned(), self.editor.moved(from, to)?)
            }
            RequestFact::BuriedResult => {
                ("Move the results before the text".to_owned(), self.results_first(start)?)
            }
        })
    }

    /// The edits that insert a user message before the message at `start`, if that is the
    /// assistant's. A system message is not handled, because it belongs beside the list.
    fn first_of_user(&self, start: usize) -> Option<Vec<DocumentEdit>> {
        let role = self.document.with_value(start, |root| Some(root.get("role")?.as_str()?.into_owned()))?;
        let [first, second, ..] = self.editor.messages() else { return None };
        (role == "assistant" && first.start == start).then_some(())?;
        let between = self.document.text().slice(first.end..second.start);
        let text = quote(LOST_BEGINNING);
        let message = format!("{{\"role\": \"user\", \"content\": {text}}}{between}");
        Some(vec![(start..start, message)])
    }

    /// The edits that move the results of the message around the result at `start` into a message
    /// of the user after it; a message of results alone becomes one.
    fn results_of_user(&self, start: usize) -> Option<Vec<DocumentEdit>> {
        let (document, index) = (self.document, self.editor.message_at(start)?);
        let message = self.editor.messages().get(index)?;
        let (role, parts) = document.with_value(message.start, |root| {
            Some((root.get("role")?.span().range_at(message.start), content_parts(root, message.start)?))
        })?;
        let texts = |of_results: bool| -> Vec<String> {
            let wanted = parts.iter().filter(|(_, is_result)| *is_result == of_results);
            wanted.map(|(part, _)| document.text().slice(part.clone()).into_owned()).collect()
        };
        let (results, others) = (texts(true), texts(false));
        if others.is_empty() {
            return Some(vec![(role, quote("user"))]);
        }
        let new = format!("{{\"role\": \"user\", \"content\": [{}]}}", results.join(", "));
        // The other parts stay, with the commas between them.
        let (first, last) = (parts.first()?.0.start, parts.last()?.0.end);
        let separator = document.text().slice(parts.first()?.0.end..parts.get(1)?.0.start);
        Some(vec![(first..last, others.join(&separator)), self.editor.inserted(index, &new)?])
    }

    /// The edits that remove the part of a message that begins at `start`, or the message if it has
    /// no other, unless that is the only one.
    fn without_message(&self, start: usize) -> Option<Vec<DocumentEdit>> {
        let index = self.editor.message_at(start)?;
        let parts = self.editor.parts(index);
        let part = parts.iter().find(|part| part.start == start);
        let is_message = part.is_none_or(|_| parts.len() == 1);
        (!is_message || self.editor.messages().len() > 1).then_some(())?;
        self.editor.removal(index, part.or(self.editor.messages().get(index))?)
    }

    /// The edits that write the results of the message around `result` before its other parts.
    fn results_first(&self, result: usize) -> Option<Vec<DocumentEdit>> {
        let document = self.document;
        let message = self.editor.messages().get(self.editor.message_at(result)?)?;
        let parts = document.with_value(message.start, |root| content_parts(root, message.start))?;
        let (results, others): (Vec<_>, Vec<_>) = parts.iter().partition(|(_, is_result)| *is_result);
        let moved = parts.iter().zip(results.into_iter().chain(others)).filter(|(old, new)| old != new);
        let text = |range: &Range<usize>| document.text().slice(range.clone()).into_owned();
        Some(moved.map(|((old, _), (new, _))| (old.clone(), text(new))).collect())
    }
}

impl Document {
    /// The edits that remove the member `key` of the object at `start`.
    fn without_member(&self, start: usize, key: &str) -> Option<Vec<DocumentEdit>> {
        self.with_value(start, |root| {
            let members: Vec<_> = root
                .entries()
                .map(|(key, value)| key.span().range_at(start).start..value.span().range_at(start).end)
                .collect();
            let index = root.entries().position(|(written, _)| written.as_str().as_deref() == Some(key))?;
            Some(vec![(without_comma(&members, index)?, String::new())])
        })
    }

    /// The edits that write another name for a tool in all of its calls, its results and its
    /// declaration.
    fn other_name(
        &self,
        array: Option<MessageArray>,
        issue: &RequestIssue,
    ) -> Option<(String, Vec<DocumentEdit>)> {
        let (_, block) = self.block_of_request(issue.at)?;
        let old = block.name()?;
        let new: String =
            old.chars().map(|letter| if is_name_character(letter) { letter } else { '_' }).collect();
        let is_empty = !new.contains(|letter: char| letter.is_ascii_alphanumeric());
        if new == old || is_empty || new.len() > most_characters(issue.api) {
            return None;
        }
        let start = self.start_of_request(issue.at);
        let range = match array {
            Some(array) => array.start..self.valid_value_end(array.start)?,
            None => 0..self.text().len(),
        };
        let is_taken =
            !self.names_in(range.clone(), &new, "").is_empty() || self.listed_tool(start, &new).is_some();
        let mut edits = self.names_in(range, old, &quote(&new));
        let declared = self.listed_tool(start, old).map(|tool| tool.written);
        edits.extend(declared.map(|range| (range.clone(), quote_like(&self.text().slice(range), &new))));
        if is_taken || self.is_named_elsewhere(start, old, edits.len()) {
            return None;
        }
        Some((format!("Write `{}`", cut(&new, 60)), edits))
    }

    /// True if the document, or the line around `at`, has `name` as a string more than `count`
    /// times: another member may be the name, such as `tool_choice`.
    fn is_named_elsewhere(&self, at: usize, name: &str, count: usize) -> bool {
        self.text().slice(self.json_range(at)).matches(&quote(name)).nth(count).is_some()
    }

    /// The edits that write `new` for the name `old` of the blocks in `range`.
    fn names_in(&self, range: Range<usize>, old: &str, new: &str) -> Vec<DocumentEdit> {
        let mut edits = Vec::new();
        let first = self.tree().segment_at(range.start).map_or(0, |located| located.index);
        for located in self.tree().iter_from(first).take_while(|located| located.offset < range.end) {
            let named = located.data().blocks.iter().filter(|block| block.name() == Some(old));
            let places = named.filter_map(|block| Some(located.absolute(block.name_span()?)));
            edits.extend(places.filter(|place| range.contains(&place.start)).map(|it| (it, new.to_owned())));
        }
        edits
    }
}

/// The document ranges of the parts of the message `root`, which begins at `start`, each with
/// whether it is a result.
fn content_parts(root: Value<'_>, start: usize) -> Option<Vec<(Range<usize>, bool)>> {
    let parts = root.get("content")?.items();
    Some(parts.map(|part| (part.span().range_at(start), part.get("tool_use_id").is_some())).collect())
}

/// The edit that writes `member` as the first one of the object `root`, which begins at `start`.
fn member_first(root: Value<'_>, start: usize, member: &str) -> Option<(Range<usize>, String)> {
    let (key, _) = root.entries().next()?;
    let at = key.span().range_at(start).start;
    Some((at..at, format!("{member}, ")))
}

/// The edit that makes an object of the input of the call `root`, which begins at `start`: an
/// object encoded in a string is decoded, any other string becomes its member `input`, and a
/// missing input an empty object.
fn input_object(root: Value<'_>, start: usize) -> Option<(Range<usize>, String)> {
    let Some(input) = root.get("input") else { return member_first(root, start, "\"input\": {}") };
    let is_object = |text: &str| {
        text.trim_start().starts_with('{') && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
    };
    let object = match input.as_str() {
        Some(text) if text.trim().is_empty() => "{}".to_owned(),
        Some(text) if is_object(&text) => text.into_owned(),
        Some(_) => format!("{{\"input\": {}}}", input.raw()),
        None => "{}".to_owned(),
    };
    Some((input.span().range_at(start), object))
}

/// The edit that writes an empty text as the content of the message `root`, which begins at
/// `start`.
fn empty_content(root: Value<'_>, start: usize) -> Option<(Range<usize>, String)> {
    if let Some(content) = root.get("content") {
        return Some((content.span().range_at(start), "\"\"".to_owned()));
    }
    let role = root.get("role")?.span().range_at(start);
    Some((role.end..role.end, ", \"content\": \"\"".to_owned()))
}
