//! Rules on the messages of a request: the faults for which servers reject a request before a model
//! reads it.
//!
//! A request is checked in one pass over its messages and their calls and results. The roles and
//! contents that are accepted depend on the server, so they are only checked if the calls of the
//! request, or its use, show which server it is for.

pub mod sum;

use std::cell::LazyCell;
use std::collections::HashMap;

use crate::call::{Block, CallFault, CallPart, ChatApi, MessageHeader, SentContent, SentRole};
use crate::diagnostic::{Code, Severity};

/// Maximum number of characters of a tool's name in OpenAI's and in Anthropic's requests.
const OPENAI_NAME: usize = 64;
const ANTHROPIC_NAME: usize = 128;

/// A problem of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequestFact {
    /// The role of a message is unknown.
    UnknownRole,
    /// The first message is not one of the user.
    FirstRole,
    /// A message has no content.
    NoContent,
    /// The content of a message is empty.
    EmptyContent,
    /// The list of calls of a message is empty.
    EmptyCalls,
    /// A text in the content of a message is empty.
    BlankText,
    /// The name of a tool is too long, or has characters that servers reject.
    BadName,
    /// A call has a fault that is visible without its context.
    CallFault(CallFault),
    /// A result has no id.
    NoId,
    /// A result is in a message of the assistant.
    ResultOfAssistant,
    /// A message separates a result from its call.
    LateResult,
    /// Text may stand before a result in its message.
    BuriedResult,
}

/// The position of a message, a text or a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestPlace {
    /// The index of its segment.
    pub segment: usize,
    /// Its offset in the segment.
    pub start: u32,
    /// The index of the block in its segment; `None` if the place is not a block.
    pub block: Option<usize>,
}

/// A problem of a request, with its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestIssue {
    /// The problem.
    pub fact: RequestFact,
    /// The server that rejects it.
    pub api: ChatApi,
    /// Its position.
    pub at: RequestPlace,
    /// The call of a late result, or of a result without an id; the result of a call without an id.
    pub other: Option<RequestPlace>,
    /// True if the request is certainly for that API.
    pub is_sure: bool,
}

impl RequestIssue {
    /// The most severe level at which it is reported. Others than OpenAI's server take calls
    /// without a type, or with objects as arguments, which templates of models even need.
    pub fn most_severe(&self) -> Severity {
        match self.fact {
            _ if self.is_sure => Severity::Error,
            RequestFact::CallFault(CallFault::ObjectArguments) => Severity::Hint,
            _ => Severity::Warning,
        }
    }
}

/// A part of a request.
#[derive(Clone, Copy, Debug)]
pub enum RequestItem<'d> {
    /// A message.
    Message(MessageHeader),
    /// An empty text in the content of the last message.
    BlankText,
    /// A call or a result in the last message, and whether text precedes it.
    Block(&'d Block, bool),
}

impl RequestFact {
    /// The code of the problem.
    pub fn code(self) -> Code {
        match self {
            Self::UnknownRole | Self::FirstRole | Self::ResultOfAssistant => Code::BadRole,
            Self::NoContent | Self::EmptyContent | Self::EmptyCalls | Self::BlankText => Code::EmptyContent,
            Self::CallFault(_) => Code::WrongType,
            Self::NoId => Code::OrphanResult,
            Self::BadName => Code::RejectedName,
            Self::LateResult | Self::BuriedResult => Code::StreamOrder,
        }
    }
}

/// Checks one request, item by item in the order of the text.
#[derive(Debug, Default)]
pub struct RequestCheck<'d> {
    found: Vec<(RequestFact, RequestPlace, Option<RequestPlace>)>,
    first: Option<(RequestPlace, SentRole)>,
    count: usize,
    /// The message that is being read.
    current: Option<CurrentMessage>,
    /// True if a message of the user or the assistant was read.
    has_speaker: bool,
    is_openai: bool,
    is_anthropic: bool,
    /// True if there is a call as OpenAI's server expects it.
    has_whole_call: bool,
    /// The calls that may still get results, and whether any result followed them.
    open: Vec<OpenCall<'d>>,
    has_results: bool,
    /// The calls whose results would now be too late, by id.
    closed: HashMap<&'d str, RequestPlace>,
}

#[derive(Clone, Copy, Debug)]
struct CurrentMessage {
    at: RequestPlace,
    header: MessageHeader,
    has_calls: bool,
    has_results: bool,
}

#[derive(Clone, Copy, Debug)]
struct OpenCall<'d> {
    /// Empty for a call without an id.
    id: &'d str,
    name: Option<&'d str>,
    at: RequestPlace,
    api: ChatApi,
    /// The index of the fact that the call has no id.
    no_id: Option<usize>,
}

impl<'d> RequestCheck<'d> {
    /// Reads the next item.
    pub fn add(&mut self, at: RequestPlace, item: RequestItem<'d>) {
        match item {
            RequestItem::Message(header) => self.message(at, header),
            RequestItem::BlankText => self.found.push((RequestFact::BlankText, at, None)),
            RequestItem::Block(block, is_after_text) => self.block(at, block, is_after_text),
        }
    }

    /// True if a message was read, and no call waits for its result.
    pub fn is_settled(&self) -> bool {
        self.first.is_some() && self.open.is_empty()
    }

    /// Passes over messages without a fault, whose calls have their results among them, where the
    /// check is settled.
    pub fn skip_accepted(&mut self) {
        self.count += 1;
        self.current = None;
    }

    /// True if some server may reject the messages read so far. `api` is the API that the request
    /// is for, if known.
    pub fn may_be_rejected(&self, api: Option<ChatApi>) -> bool {
        let is_anthropic = self.is_anthropic || api == Some(ChatApi::Anthropic);
        let starts_late = is_anthropic && self.first.is_some_and(|(_, role)| role != SentRole::User);
        !self.found.is_empty() || starts_late
    }

    /// The problems, unordered. `api` is the API that the request is for, if known; `is_body`
    /// returns whether the messages are in a whole request.
    pub fn finish(self, api: Option<ChatApi>, is_body: impl FnOnce() -> bool) -> Vec<RequestIssue> {
        let shown = match (self.is_openai, self.is_anthropic) {
            (true, false) => Some(ChatApi::OpenAi),
            (false, true) => Some(ChatApi::Anthropic),
            _ => None,
        };
        let is_body = LazyCell::new(is_body);
        let is_given = api.is_some();
        let api = shown.or(api);
        let first = self.first.filter(|(_, role)| {
            self.count > 1
                && matches!(
                    role,
                    SentRole::Assistant | SentRole::System | SentRole::Tool | SentRole::Function
                )
        });
        let first = first.map(|(at, _)| (RequestFact::FirstRole, at, None));
        let all = self.found.iter().copied().chain(first);
        let reported = all.filter_map(|(fact, at, other)| {
            // No server accepts a message without content and calls, and servers that accept an
            // empty list of calls also accept a missing one.
            let is_of_any = matches!(fact, RequestFact::NoContent | RequestFact::EmptyCalls);
            let is_known = is_of_any && api.is_none() && *is_body;
            let api = if is_known { Some(ChatApi::OpenAi) } else { api };
            let (fact, api) = self.reported(fact, at, api)?;
            let is_sure = match fact {
                RequestFact::EmptyCalls => !is_known,
                RequestFact::CallFault(CallFault::NoInput | CallFault::NoId) => true,
                RequestFact::CallFault(_) => is_given || self.has_whole_call || *is_body,
                _ => true,
            };
            Some(RequestIssue { fact, api, at, other, is_sure })
        });
        reported.collect()
    }

    /// Converts a fact to the problem that a server of `api` reports; `None` if it accepts it.
    fn reported(
        &self,
        fact: RequestFact,
        at: RequestPlace,
        api: Option<ChatApi>,
    ) -> Option<(RequestFact, ChatApi)> {
        let is_anthropic = api == Some(ChatApi::Anthropic);
        // The last message of the assistant may be empty: the model continues it.
        let is_last = || {
            let last = self.current.filter(|last| last.header.role == SentRole::Assistant);
            last.is_some_and(|last| last.at == at)
        };
        match fact {
            RequestFact::UnknownRole => api.filter(|_| self.has_speaker),
            RequestFact::FirstRole | RequestFact::BlankText => api.filter(|_| is_anthropic),
            RequestFact::NoContent if !is_anthropic => api,
            // The last message may have an empty content, but not none.
            RequestFact::NoContent => return api.map(|api| (RequestFact::EmptyContent, api)),
            RequestFact::CallFault(CallFault::NoInput) => api.filter(|_| is_anthropic),
            RequestFact::CallFault(CallFault::NoId) => api,
            RequestFact::EmptyCalls | RequestFact::CallFault(_) => api.filter(|api| *api == ChatApi::OpenAi),
            RequestFact::NoId if !self.is_openai => Some(ChatApi::Anthropic),
            RequestFact::NoId => Some(ChatApi::OpenAi),
            RequestFact::ResultOfAssistant => Some(ChatApi::Anthropic),
            RequestFact::EmptyContent => api.filter(|_| is_anthropic && !is_last()),
            RequestFact::BuriedResult => Some(ChatApi::Anthropic),
            RequestFact::BadName | RequestFact::LateResult => {
                Some(if self.is_anthropic { ChatApi::Anthropic } else { ChatApi::OpenAi })
            }
        }
        .map(|api| (fact, api))
    }

    fn message(&mut self, at: RequestPlace, header: MessageHeader) {
        self.end_message();
        self.current = Some(CurrentMessage { at, header, has_calls: false, has_results: false });
        self.first.get_or_insert((at, header.role));
        self.count += 1;
        self.has_speaker |= is_speaker(header);
        self.found.extend(facts_of_message(header).map(|fact| (fact, at, None)));
    }

    /// Ends the current message. If it has neither calls nor results, results of earlier calls come
    /// too late.
    fn end_message(&mut self) {
        let Some(last) = self.current.filter(|last| !last.has_calls && !last.has_results) else { return };
        // Anthropic's server joins messages of the assistant that follow each other.
        let is_joined = |call: &OpenCall<'_>| {
            call.api == ChatApi::Anthropic && last.header.role == SentRole::Assistant && !self.has_results
        };
        let ended = self.open.extract_if(.., |call| !is_joined(call)).filter(|call| !call.id.is_empty());
        self.closed.extend(ended.map(|call| (call.id, call.at)));
    }

    /// The API of a block that is checked.
    fn api_of(block: &Block) -> Option<ChatApi> {
        block.api.filter(|api| matches!(api, ChatApi::Anthropic | ChatApi::OpenAi))
    }

    fn block(&mut self, at: RequestPlace, block: &'d Block, is_after_text: bool) {
        let Some(api) = Self::api_of(block) else {
            return self.result_without_id(at, block, ChatApi::OpenAi);
        };
        self.is_openai |= api == ChatApi::OpenAi;
        self.is_anthropic |= api == ChatApi::Anthropic;
        if block.part == CallPart::Call {
            if has_bad_name(block, api) {
                self.found.push((RequestFact::BadName, at, None));
            }
            self.has_whole_call |= is_whole_call(block, api);
            let fault = block.fault.map(RequestFact::CallFault);
            let no_id = (block.fault == Some(CallFault::NoId)).then_some(self.found.len());
            self.found.extend(fault.map(|fact| (fact, at, None)));
            self.call(at, block, api, no_id);
        } else if block.part == CallPart::Result {
            if block.id().is_none_or(|id| id.is_empty()) {
                return self.result_without_id(at, block, api);
            }
            let is_of_assistant = self.current.is_some_and(|it| it.header.role == SentRole::Assistant);
            if api == ChatApi::Anthropic && is_of_assistant {
                // Reported once per message.
                if self.current.is_some_and(|current| !current.has_results) {
                    self.found.push((RequestFact::ResultOfAssistant, at, None));
                }
                self.result(at, block, false);
                return;
            }
            self.result(at, block, is_after_text && api == ChatApi::Anthropic);
        }
    }

    /// Reads a block without an id: a result in a message of results belongs to the first waiting
    /// call; if it has a name, to the first one with that name.
    fn result_without_id(&mut self, at: RequestPlace, block: &'d Block, api: ChatApi) {
        let role = if api == ChatApi::OpenAi { SentRole::Tool } else { SentRole::User };
        let is_of_results = self.current.is_some_and(|current| current.header.role == role);
        let has_id = block.id().is_some_and(|id| !id.is_empty());
        if block.part != CallPart::Result || has_id || !is_of_results {
            return;
        }
        let name = block.name();
        let waits = |call: &OpenCall<'_>| call.api == api && name.is_none_or(|name| call.name == Some(name));
        let Some(index) = self.open.iter().position(waits) else { return };
        let call = self.open.remove(index);
        if !call.id.is_empty() {
            self.found.push((RequestFact::NoId, at, Some(call.at)));
        }
        self.note_result();
    }

    /// Notes a result in the current message. Returns whether it is the first one there.
    fn note_result(&mut self) -> bool {
        self.has_results = true;
        let current = self.current.as_mut();
        current.is_some_and(|current| !std::mem::replace(&mut current.has_results, true))
    }

    fn call(&mut self, at: RequestPlace, block: &'d Block, api: ChatApi, no_id: Option<usize>) {
        let is_first = self.current.is_some_and(|current| !current.has_calls);
        if is_first && (api == ChatApi::OpenAi || self.has_results) {
            let ended = self.open.drain(..).filter(|call| !call.id.is_empty());
            self.closed.extend(ended.map(|call| (call.id, call.at)));
        }
        if let Some(current) = &mut self.current {
            current.has_calls = true;
        }
        self.has_results = false;
        let (id, name) = (block.id().unwrap_or_default(), block.name());
        self.open.push(OpenCall { id, name, at, api, no_id });
    }

    fn result(&mut self, at: RequestPlace, block: &'d Block, may_be_buried: bool) {
        let is_first = self.note_result();
        let Some(id) = block.id() else { return };
        if let Some(index) = self.open.iter().position(|call| call.id == id) {
            self.open.remove(index);
            if is_first && may_be_buried {
                self.found.push((RequestFact::BuriedResult, at, None));
            }
        } else if let Some(call) = self.closed.remove(id) {
            self.found.push((RequestFact::LateResult, at, Some(call)));
        } else if let Some(index) = self.open.iter().position(|call| call.id.is_empty()) {
            // It is the result of the first call without an id.
            let call = self.open.remove(index);
            let fact = (RequestFact::CallFault(CallFault::NoId), call.at, Some(at));
            match call.no_id.and_then(|known| self.found.get_mut(known)) {
                Some(known) => *known = fact,
                None => self.found.push(fact),
            }
        }
    }
}

/// True if a message is of the user or the assistant.
fn is_speaker(header: MessageHeader) -> bool {
    matches!(header.role, SentRole::User | SentRole::Assistant)
}

/// The faults of a message that are visible without its context.
fn facts_of_message(header: MessageHeader) -> impl Iterator<Item = RequestFact> {
    let fact = match (header.role, header.content) {
        // A function may return `null`.
        (SentRole::Absent, _) | (SentRole::Function, SentContent::Null) => None,
        (SentRole::Unknown, _) => Some(RequestFact::UnknownRole),
        (_, SentContent::Absent | SentContent::Null) if !header.has_calls => Some(RequestFact::NoContent),
        (_, SentContent::Empty) => Some(RequestFact::EmptyContent),
        _ => None,
    };
    let has_role = !matches!(header.role, SentRole::Absent | SentRole::Unknown);
    fact.into_iter().chain((has_role && header.has_empty_calls).then_some(RequestFact::EmptyCalls))
}

/// True if a call is complete by OpenAI's API.
fn is_whole_call(block: &Block, api: ChatApi) -> bool {
    api == ChatApi::OpenAi && block.part == CallPart::Call && block.fault.is_none() && block.id().is_some()
}

/// True if the name of a call has characters that servers reject, or too many.
fn has_bad_name(block: &Block, api: ChatApi) -> bool {
    let is_bad = |name: &str| !name.is_empty() && !is_name(name, most_characters(api));
    block.name().is_some_and(is_bad)
}

/// Maximum number of characters of a tool's name.
pub fn most_characters(api: ChatApi) -> usize {
    if api == ChatApi::Anthropic { ANTHROPIC_NAME } else { OPENAI_NAME }
}

/// True if servers accept `letter` in the name of a tool.
pub fn is_name_character(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '-'
}

fn is_name(name: &str, most: usize) -> bool {
    name.len() <= most && name.chars().all(is_name_character)
}
