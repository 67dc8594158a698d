//! Reads an object of a known form into calls.

use std::borrow::Cow;
use std::cell::{Cell, LazyCell, OnceCell};
use std::collections::HashMap;

use super::{attributes, elements};
use crate::call::{
    Call, CallData, CallFault, CallPart, CallSink, ChatApi, EncodedInput, Field, UseStatus, error_text,
};
use crate::diagnostic::{AtDocumentEnd, CallDiagnostic, Code, Fix};
use crate::forms::form::{Failure, Form, FormRole, FormText, InputPath, Layout, NamePath, UsePaths, at};
use crate::forms::names::{ANTHROPIC, OPENAI, RESPONSES};
use crate::json::{self, EncodedString, JsonKind, JsonTape, Value};
use crate::json_repair::payload::ParsedPayload;
use crate::text::{Span, saturate};

/// An object whose form is searched: its text is found and parsed once for all forms, if one of
/// them needs it.
pub struct TestedObject<'t, T> {
    text: LazyCell<Cow<'t, str>, T>,
    json: OnceCell<JsonTape>,
}

impl<'t, T: FnOnce() -> Cow<'t, str>> TestedObject<'t, T> {
    /// The object with the text that `text` returns.
    pub fn of(text: T) -> Self {
        Self { text: LazyCell::new(text), json: OnceCell::new() }
    }

    /// True if it passes the tests of `form` for members of members.
    pub fn is_form(&self, form: &Form) -> bool {
        if !form.needs_text() {
            return true;
        }
        if form.markup().is_some_and(|markup| !markup.may_be_in(&self.text)) {
            return false;
        }
        let mut deep = form.signature.iter().filter(|(path, test)| test.needs_text(path));
        let json = self.json.get_or_init(|| json::parse_prefix(&self.text));
        json.root(&self.text)
            .is_some_and(|root| deep.all(|(path, test)| test.accepts(at(root, path).map(Value::raw))))
    }
}

/// Reads `text`, an object of `form`.
pub fn read(form: &Form, text: &str, sink: &mut dyn CallSink) {
    let FormRole::Use(paths) = &form.role else { return };
    let json = json::parse_prefix(text);
    let payload = ParsedPayload { text, start: 0, json: &json, closed: true, closer: "", growing: false };
    let Some(root) = payload.root().filter(|root| root.is_object()) else { return };
    if paths.part == CallPart::Call && has_reason(root) {
        sink.text();
    }
    if let Some(path) = form.needs.as_deref().filter(|_| text.ends_with('}')) {
        missing(root, path).into_iter().for_each(|found| sink.diagnostic(found));
    }
    let has_call = &Cell::new(false);
    let reader = UseReader { form, paths, payload, has_call, outer: root, item_number: 0, within: None };
    match paths.layout {
        Layout::Flat => return attributes::read_flat(&reader, root, sink),
        Layout::Messages => return attributes::read_messages(&reader, root, sink),
        Layout::Rounds => return reader.read_rounds(root, sink),
        Layout::Paths | Layout::Elements(_) => {}
    }
    if paths.encoded.is_empty() {
        reader.read(root, None, sink);
        return;
    }
    let Some(value) = at(root, &paths.encoded) else { return };
    if let Layout::Elements(markup) = paths.layout {
        return elements::read(&reader, markup, value, sink);
    }
    let Some((decoded, map)) = value.as_str_with_map() else {
        let items = Some(value).filter(|list| !list.is_object()).into_iter().flat_map(Value::items);
        // LangChain: a list with a call and its result.
        let is_call = |item: &Value<'_>| item.is_object() || at(*item, "0").is_some_and(Value::is_object);
        let items = items.enumerate().filter(|(_, item)| is_call(item));
        return items.for_each(|(item_number, item)| {
            UseReader { item_number, ..reader }.read(item, Some(item.span()), sink);
        });
    };
    let tape = json::parse(&decoded);
    let within = encoded(&decoded, &tape, EncodedString::new(&map, None), value.is_closed());
    let reader = reader.inside(within);
    match tape.root(&decoded) {
        Some(value) if value.is_object() => reader.read(value, None, sink),
        // A list of calls: each has the span of its own object.
        Some(value) if value.items().next().is_some_and(Value::is_object) => reader.read_list(value, sink),
        _ => sink.call(Call { input: Some(CallData::Text(Cow::Borrowed(&decoded))), ..reader.empty() }),
    }
}

/// The problem of an object without the member at `path`, which its server needs.
fn missing(root: Value<'_>, path: &str) -> Option<CallDiagnostic> {
    if at(root, path).is_some_and(|value| !value.is_null()) {
        return None;
    }
    let (object, key) =
        path.rsplit_once('.').map_or((Some(root), path), |(object, key)| (at(root, object), key));
    let advice = match key {
        "arguments" => "`\"arguments\": \"{}\"`",
        "name" => "that of its tool",
        _ => "one, which its result names",
    };
    let message = format!("this call has no `{key}`: the API rejects the conversation; add {advice}");
    let (_, last) = object?.entries().last()?;
    let diagnostic = match object?.get("name") {
        Some(name) => CallDiagnostic::new(Code::WrongType, name.span(), message),
        None => CallDiagnostic::at_opening(Code::WrongType, message, AtDocumentEnd::AsAnywhere),
    };
    let end = Span::empty(last.span().end as usize);
    let fix = Fix::replace("Write empty arguments", end, ", \"arguments\": \"{}\"");
    Some(if key == "arguments" && object?.get(key).is_none() { diagnostic.fix(fix) } else { diagnostic })
}

/// True if the message of a call also has a text: an action of OpenHands with a thought, or a
/// message of the assistant.
fn has_reason(root: Value<'_>) -> bool {
    let says = |path| at(root, path).and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty());
    says("args.thought") || says("thought") || root.get("role").is_some() && says("content")
}

/// The input that stands in `text`, the decoded text of `string`.
pub(super) fn encoded<'a>(
    text: &'a str,
    json: &'a JsonTape,
    string: EncodedString<'a>,
    closed: bool,
) -> EncodedInput<'a> {
    let payload = ParsedPayload { text, start: 0, json, closed, closer: "", growing: false };
    EncodedInput { payload, string, is_display: false, own: Span::new(0, text.len()) }
}

/// Reads the values of a form.
#[derive(Clone, Copy)]
pub(super) struct UseReader<'a> {
    form: &'a Form,
    paths: &'a UsePaths,
    payload: ParsedPayload<'a>,
    /// True once a call of the payload was read.
    has_call: &'a Cell<bool>,
    /// The object.
    outer: Value<'a>,
    /// The number of the item in the list that the paths begin in, from 0.
    item_number: usize,
    /// The string of JSON that the paths begin in, if they do.
    within: Option<EncodedInput<'a>>,
}

impl<'a> UseReader<'a> {
    /// The same reader of an object of another form.
    pub(super) fn of(self, form: &'a Form, paths: &'a UsePaths) -> Self {
        Self { form, paths, ..self }
    }

    /// This reader for an object inside a JSON string.
    pub(super) fn inside(self, within: EncodedInput<'a>) -> Self {
        Self { within: Some(within), ..self }
    }

    /// Reads the calls of all rounds, each with its result.
    fn read_rounds(&self, root: Value<'_>, sink: &mut dyn CallSink) {
        let rounds = root.get("toolCallRounds").into_iter().flat_map(Value::items);
        let results = root.get("toolCallResults").into_iter().flat_map(Value::entries);
        let results: HashMap<_, _> = results.filter_map(|(id, it)| Some((id.as_str()?, it))).collect();
        for item in rounds.filter_map(|round| round.get("toolCalls")).flat_map(Value::items) {
            self.read(item, Some(item.span()), sink);
            let id = self.id(item, "id");
            if let Some(result) = id.as_ref().and_then(|id| results.get(&id.text)) {
                let content = result.get("content").unwrap_or(*result);
                let mut parts = content.items();
                let text = parts.next().and_then(|part| part.get("value"));
                let output = text.filter(|text| text.is_text() && parts.next().is_none()).unwrap_or(content);
                sink.call(Call {
                    part: CallPart::Result,
                    id,
                    span: Some(result.span()),
                    output: Some(CallData::Json(output)),
                    status: UseStatus::Done,
                    checks_tool: false,
                    ..self.empty()
                });
            }
        }
    }

    /// Reads a list of calls. The text up to the next call belongs to each.
    fn read_list(self, list: Value<'_>, sink: &mut dyn CallSink) {
        let Some(within) = self.within else { return };
        let mut own = Span { start: 0, end: within.own.end };
        let mut items = list.items().filter(|item| item.is_object()).peekable();
        while let Some(item) = items.next() {
            own.end = items.peek().map_or(within.own.end, |next| next.span().start);
            let reader = Self { within: Some(EncodedInput { own, ..within }), ..self };
            reader.read(item, Some(self.span(item.span())), sink);
            own.start = own.end;
        }
    }

    /// Reads the call whose paths begin at `root`; its span is `span`, or else the whole object.
    pub(super) fn read(&self, root: Value<'_>, span: Option<Span>, sink: &mut dyn CallSink) {
        let call = Call { span, ..self.call(root) };
        if let Some(piece) = self.piece(root) {
            // Streamed pieces are never sent to a server, so they are not checked for one.
            return sink.call(Call { delta: Some(piece), api: None, fault: None, ..call });
        }
        let Some((value, is_display)) = self.encoded_input(root) else {
            let found = self.paths.input.iter().find_map(|path| Some((input(root, path)?, path)));
            // Some logs show another value in place of the input.
            let is_other = matches!(found, Some((_, InputPath::Other(_) | InputPath::Object)));
            let input = found.map(|(input, _)| input);
            return sink.call(Call { input, is_invalid: is_other, ..call });
        };
        let Some((decoded, map)) = value.as_str_with_map() else { return };
        let tape = json::parse(&decoded);
        let string = EncodedString::new(&map, self.within.as_ref().map(|within| &within.string));
        let encoded = EncodedInput { is_display, ..encoded(&decoded, &tape, string, value.is_closed()) };
        let object = tape.root(&decoded).filter(|value| value.is_object() && tape.extra(&decoded).is_none());
        let input = object.map_or_else(|| CallData::Text((&*decoded).into()), CallData::Json);
        sink.call(Call { input: Some(input), encoded: Some(encoded), ..call });
    }

    /// The piece of an input.
    fn piece<'c>(&self, root: Value<'c>) -> Option<Field<'c>> {
        let [InputPath::Piece(path)] = self.paths.input.as_slice() else { return None };
        let value = at(root, path)?;
        Some(Field { text: value.as_str()?, span: self.span(value.span()) })
    }

    /// The input that is a string of JSON, and whether it may be text for people.
    fn encoded_input<'c>(&self, root: Value<'c>) -> Option<(Value<'c>, bool)> {
        self.paths.input.iter().find_map(|path| {
            let (path, is_display) = match path {
                InputPath::Encoded(path) => (path, false),
                InputPath::Display(path) => (path, true),
                _ => return None,
            };
            let value = at(root, path)?;
            matches!(value.kind(), JsonKind::String { .. }).then_some((value, is_display))
        })
    }

    fn call<'c>(&self, root: Value<'c>) -> Call<'c>
    where
        'a: 'c,
    {
        let mut call = self.empty();
        call.id = self.paths.id.iter().find_map(|path| self.id(root, path));
        call.name = self.name(root);
        let output =
            self.paths.output.iter().find_map(|path| self.at(root, path).filter(|value| !value.is_null()));
        call.output = output.map(CallData::Json);
        // The position of a result's text refers to the block.
        if let Some((output, text)) = output.filter(|_| self.within.is_some()).map(|it| (it, text_of(it))) {
            call.output = Some(CallData::Text(text));
            call.output_span = Some(self.span(output.content_span()));
        }
        call.error_text = self.error(root, output);
        // An object inside of a string is no message to a server.
        call.api = api_of(self.form, root).filter(|_| self.within.is_none());
        call.fault = fault_of(&call, root);
        call.checks_tool &= !is_of_server(root);
        call.status = status_of(&call);
        call.is_provisional = self.paths.is_of_last;
        call.is_open = self.is_open(root);
        if call.part == CallPart::Both && call.status == UseStatus::Pending {
            call.part = CallPart::Call;
        }
        call
    }

    pub(super) fn empty(&self) -> Call<'a> {
        let mut call = Call::new(self.paths.part, self.payload.text);
        // Of an object with many calls, each has a part.
        if self.paths.layout != Layout::Rounds {
            (call.object, call.payload) = (Some(self.outer), Some(self.payload));
            call.is_further = self.has_call.replace(true);
        }
        call.is_evidence = self.paths.part != CallPart::Delta;
        call.encoded = self.within;
        // The tools that an API provides, and words for people, are in no registry.
        let is_own = matches!(self.paths.name, NamePath::Before(..) | NamePath::Shown(_));
        call.checks_tool = self.paths.part.has_call() && !is_own;
        call
    }

    /// True if the input is still being written: a state of AI SDK messages, or of opencode.
    fn is_open(&self, root: Value<'_>) -> bool {
        let is = |path, states: &[&str]| {
            at(root, path).and_then(Value::as_str).is_some_and(|state| states.contains(&&*state))
        };
        self.paths.part == CallPart::Both
            && (is("state", &["input-streaming", "partial-call"]) || is("state.status", &["pending"]))
    }

    fn id<'c>(&self, root: Value<'c>, path: &str) -> Option<Field<'c>> {
        let value = at(root, path).filter(|value| value.is_closed())?;
        let text = match value.kind() {
            JsonKind::String { .. } => value.as_str()?,
            JsonKind::Number => value.raw().into(),
            _ => return None,
        };
        Some(Field { text, span: self.span(value.span()) })
    }

    fn name<'c>(&self, root: Value<'c>) -> Option<Field<'c>> {
        let text_at = |path: &FormText| {
            let value = at(root, path).filter(|value| value.is_closed())?;
            Some((value.as_str()?, value))
        };
        match &self.paths.name {
            NamePath::None => None,
            NamePath::At(path) => {
                let (text, value) = text_at(path)?;
                Some(Field { text, span: self.span(value.span()) })
            }
            NamePath::Shown(paths) => {
                let (text, value) = paths.iter().find_map(text_at)?;
                Some(Field { text, span: self.span(value.span()) })
            }
            NamePath::After(path, prefix) => {
                let (text, value) = text_at(path)?;
                let name = text.strip_prefix(&**prefix)?.to_owned();
                let mut span = value.content_span();
                span.start = (span.start + saturate(prefix.len())).min(span.end);
                Some(Field { text: name.into(), span: self.span(span) })
            }
            NamePath::Before(path, suffix) => self.name_before(text_at(path)?.1, suffix),
            NamePath::Key(path, suffix) => {
                let (key, _) = at(root, path)?.entries().next()?;
                self.name_before(key, suffix).or_else(|| self.name_before(key, ""))
            }
        }
    }

    /// The part of the string `value` before `suffix`.
    fn name_before<'c>(&self, value: Value<'c>, suffix: &str) -> Option<Field<'c>> {
        let name = value.as_str()?.strip_suffix(suffix)?.to_owned();
        let mut span = value.content_span();
        span.end = span.end.saturating_sub(saturate(suffix.len())).max(span.start);
        Some(Field { text: name.into(), span: self.span(span) })
    }

    /// Maps `span` from the text in which the paths begin to the block, through the escapes of a
    /// JSON string.
    pub(super) fn span(&self, span: Span) -> Span {
        self.within.map_or(span, |within| within.string.span(span))
    }

    /// The value at `path` in `root`, or after a `^` in the object, where `#` is the number of the
    /// item.
    fn at<'c>(&self, root: Value<'c>, path: &str) -> Option<Value<'c>>
    where
        'a: 'c,
    {
        match path.strip_prefix('^') {
            Some(path) if path.contains('#') => {
                at(self.outer, &path.replace('#', &self.item_number.to_string()))
            }
            Some(path) => at(self.outer, path),
            None => at(root, path),
        }
    }

    fn error<'c>(&self, root: Value<'c>, output: Option<Value<'c>>) -> Option<Cow<'c, str>>
    where
        'a: 'c,
    {
        let at = |path| self.at(root, path);
        let says = |path, word: &str| at(path).is_some_and(|value| value.raw() == word);
        let of_output = || output.map_or_else(|| "failed".into(), text_of);
        self.paths.failure.iter().find_map(|failure| match failure {
            Failure::Flag(path) => says(path, "true").then(of_output),
            Failure::NoSuccess(path) => says(path, "false").then(of_output),
            Failure::Is(path, text) => at(path)?.as_str().is_some_and(|found| found == *text).then(of_output),
            Failure::Error(path) => error_text(at(path)?).filter(|text| !text.is_empty()),
        })
    }
}

/// The text of an output: a string, or the texts of its parts.
fn text_of(output: Value<'_>) -> Cow<'_, str> {
    if let Some(text) = output.as_str() {
        return text;
    }
    let texts: Vec<_> = output.items().filter_map(|part| part.get("text")?.as_str()).collect();
    if texts.is_empty() { json::to_compact(output).into() } else { texts.join("\n").into() }
}

/// The API whose servers accept such an object. Results of tools that the server runs are in the
/// message of their calls.
fn api_of(form: &Form, root: Value<'_>) -> Option<ChatApi> {
    let kind = root.get("type").and_then(Value::as_str);
    let is = |kinds: &[&str]| kind.as_deref().is_some_and(|kind| kinds.contains(&kind));
    match &*form.family {
        ANTHROPIC if is(&["tool_use", "tool_result"]) => Some(ChatApi::Anthropic),
        OPENAI if ["function", "custom", "tool_call_id"].iter().any(|key| root.get(key).is_some()) => {
            Some(ChatApi::OpenAi)
        }
        RESPONSES if is(SENT_AS_ITEMS) => Some(ChatApi::Responses),
        _ => None,
    }
}

/// True if a call is of a tool that Anthropic's server runs. Such a tool is in no registry.
fn is_of_server(root: Value<'_>) -> bool {
    root.get("type").and_then(Value::as_str).is_some_and(|kind| kind == "server_tool_use")
}

/// The fault of a call that is visible without its context. A call in OpenAI's form without an id
/// is for other servers, which take an object as input.
fn fault_of(call: &Call<'_>, root: Value<'_>) -> Option<CallFault> {
    if call.part != CallPart::Call {
        return None;
    }
    if call.api == Some(ChatApi::Anthropic) {
        let is_none = |input: Value<'_>| input.is_null() || input.is_text();
        let no_id = call.id.is_none().then_some(CallFault::NoId);
        return no_id.or_else(|| root.get("input").is_none_or(is_none).then_some(CallFault::NoInput));
    }
    let function = root.get("function").filter(|_| call.api == Some(ChatApi::OpenAi) && call.id.is_some())?;
    match function.get("arguments") {
        None => return Some(CallFault::NoArguments),
        Some(arguments) if arguments.is_object() => return Some(CallFault::ObjectArguments),
        Some(_) => {}
    }
    root.get("type").is_none().then_some(CallFault::NoType)
}

/// The items of the Responses API that pair by `call_id`.
const SENT_AS_ITEMS: &[&str] =
    &["function_call", "custom_tool_call", "function_call_output", "custom_tool_call_output"];

fn status_of(call: &Call<'_>) -> UseStatus {
    match call.part {
        _ if call.error_text.is_some() => UseStatus::Failed,
        CallPart::Result => UseStatus::Done,
        CallPart::Both if call.output.is_some() => UseStatus::Done,
        _ => UseStatus::Pending,
    }
}

fn input<'a>(root: Value<'a>, path: &InputPath) -> Option<CallData<'a>> {
    match path {
        InputPath::Object => Some(CallData::Json(root)),
        InputPath::Value(path)
        | InputPath::Other(path)
        | InputPath::Encoded(path)
        | InputPath::Piece(path)
        | InputPath::Display(path) => Some(CallData::Json(at(root, path)?)),
    }
}
