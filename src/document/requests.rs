//! The requests in a document: arrays of messages as they are sent to a server, and the lines of a
//! training set.
//!
//! A request is the member `messages` of an object, or an array that is a whole document, line or
//! fence, or a log whose lines are messages and nothing else. The arrays of a JSON document and the
//! lines of such a log are checked when diagnostics are requested, where sums of the messages show
//! a possible fault (`pass`); the arrays in a line or a fence are read with its segment, which only
//! stores whether a server may reject them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::call::{Block, CallFault, CallPart, ChatApi, Conversation, ConversationPlace, SentRole};
use crate::diagnostic::{Diagnostic, RelatedTarget, Severity};
use crate::document::Document;
use crate::document::conversations::MessageArray;
use crate::document::json_objects::members_around;
use crate::document::segment_data::{
    BlankText, DocumentSegment, LogMessage, SegmentData, SegmentDataSummary,
};
use crate::json::{self, Value};
use crate::messages::content::role_of;
use crate::messages::exchange::inner_message;
use crate::nearest::nearest;
use crate::rules::requests::sum::RequestSum;
use crate::rules::requests::{RequestCheck, RequestFact, RequestIssue, RequestItem, RequestPlace};
use crate::syntax::Attachment;
use crate::text::Span;

mod pass;
mod training;
mod wording;

/// The number of bytes before an array that its key is searched in.
const KEY_WINDOW: usize = 32;
/// The characters that may stand around a value of JSON.
const BLANK: &[char] = &[' ', '\t', '\n', '\r', '\u{FEFF}'];
/// The numbers of bytes of an array in which its first element is read: more if the first number
/// shows no role.
const FIRST_ELEMENT: [usize; 2] = [4 << 10, 256 << 10];

/// The known roles, with which others are compared for misspellings.
const ROLES: [&str; 5] = ["user", "assistant", "system", "developer", "tool"];

/// A problem of a request, a training example or a session that is sent again.
#[derive(Clone, Debug)]
pub struct RequestProblem {
    /// The diagnostic.
    pub diagnostic: Diagnostic,
    /// The cause.
    pub cause: RequestCause,
}

/// The cause of a [`RequestProblem`].
#[derive(Clone, Debug)]
pub enum RequestCause {
    /// An issue of the messages of an array, or of the lines of a log.
    Issue(Option<MessageArray>, RequestIssue),
    /// A number that is no weight of a message of a training example.
    Weight(f64),
    /// Another fault of a training example.
    Example,
    /// An empty text of a record: the document range of its part, or of a content without parts.
    EmptyText(Range<usize>),
    /// A result that a compaction parted from its call: the document range of the result, and the
    /// offset of the record with the call.
    CompactedResult(Range<usize>, usize),
}

impl RequestProblem {
    /// True if a call or a result has no id, which a fix may give it.
    pub fn lacks_id(&self) -> bool {
        let RequestCause::Issue(_, issue) = &self.cause else { return false };
        matches!(issue.fact, RequestFact::NoId | RequestFact::CallFault(CallFault::NoId))
    }

    /// True if the text may be intended as it is.
    pub fn may_be_meant(&self) -> bool {
        matches!(&self.cause, RequestCause::Issue(_, issue) if issue.most_severe() == Severity::Hint)
    }
}

impl Document {
    /// The problems of requests, training examples and sessions that are sent again.
    pub fn request_problems(&self) -> Vec<RequestProblem> {
        let mut problems: Vec<_> = self
            .request_issues()
            .into_iter()
            .filter_map(|(array, issue)| {
                let diagnostic = self.diagnostic_of_request(&issue, array.is_none())?;
                Some(RequestProblem { diagnostic, cause: RequestCause::Issue(array, issue) })
            })
            .collect();
        problems.extend(self.training_problems());
        problems.extend(self.empty_record_problems());
        problems.extend(self.compacted_results());
        problems
    }

    /// True if the first line of a log is bare: a message as it is sent to a server, and nothing
    /// else.
    fn begins_with_bare_line(&self) -> bool {
        let is_filled = |sum: &SegmentDataSummary| sum.text || sum.blocks || sum.messages;
        let first = self.tree.next_attached(0, is_filled).and_then(|at| self.tree.get(at));
        first.is_some_and(|first| first.attachment.summary().requests.has_parts())
    }

    /// True if `array` is a request.
    fn is_request(&self, array: MessageArray) -> bool {
        let (start, around) = (array.start, self.json_range(array.start));
        let from = self.text.floor_boundary(start.saturating_sub(KEY_WINDOW)).max(around.start);
        let before = || self.json_slice(from..start);
        let first = |most| self.beginning_of(array, most);
        !array.is_lines && is_request_after(&before(), from == around.start, first)
    }

    /// True if `array` is a whole document, line or fence.
    fn is_whole_value(&self, array: MessageArray) -> bool {
        let before = self.json_range(array.start).start..array.start;
        before.len() <= KEY_WINDOW && self.json_slice(before).trim_matches(BLANK).is_empty()
    }

    /// True if the elements of `array` are the records of a session.
    pub(super) fn has_records(&self, array: MessageArray) -> bool {
        is_of_records(|most| self.beginning_of(array, most))
    }

    /// The first bytes of the text of `array`, at most `most`.
    fn beginning_of(&self, array: MessageArray, most: usize) -> Cow<'_, str> {
        let end = self.text.floor_boundary(array.start + most).min(self.json_range(array.start).end);
        self.json_slice(array.start..end)
    }

    /// True if `array` has a sibling member that names a model, as a whole request does. The record
    /// of a run (Agno) also names a model, but is no request.
    fn names_model(&self, array: MessageArray) -> bool {
        members_around(self.context(), array.start).is_some_and(|members| {
            members.value_of("model").is_some() && members.value_of("run_id").is_none()
        })
    }

    /// Passes the valid value at `start` to `read`, which also gets that offset; `None` if it is
    /// invalid.
    pub(crate) fn with_value<T>(&self, start: usize, read: impl FnOnce(Value<'_>) -> Option<T>) -> Option<T> {
        self.with_json(start..self.valid_value_end(start)?, read)
    }

    /// The range of the role of the message at `start`, and the known role that it means.
    pub(crate) fn role_meant(&self, start: usize) -> Option<(Range<usize>, &'static str)> {
        self.with_value(start, |root| {
            let role = root.get("role")?;
            let written = role.as_str()?;
            let known = match role_of(&written) {
                Some(role) => role.key(),
                None => nearest(&written, ROLES).into_iter().next()?,
            };
            Some((role.span().range_at(start), known))
        })
    }

    /// The block of a place, with its segment.
    pub(crate) fn block_of_request(&self, place: RequestPlace) -> Option<(DocumentSegment<'_>, &Block)> {
        let located = self.tree.locate(place.segment)?;
        let block = located.data().blocks.get(place.block?)?;
        Some((located, block))
    }

    /// The document offset of a place.
    pub(crate) fn start_of_request(&self, place: RequestPlace) -> usize {
        self.tree.offset_of(place.segment) + place.start as usize
    }

    /// True if text stands before a result in its message.
    fn is_buried(&self, issue: &RequestIssue) -> bool {
        let at = self.start_of_request(issue.at);
        let Some(message) = self.tree.segment_at(at).and_then(|_| self.message_start_before(issue.at)) else {
            return false;
        };
        let first = self.with_value(message, |root| {
            let first = root.get("content")?.items().next()?;
            Some(message + first.span().start as usize)
        });
        first.is_some_and(|first| first < at)
    }

    /// The start of the last message before a block.
    pub(super) fn message_start_before(&self, place: RequestPlace) -> Option<usize> {
        let mut index = place.segment;
        loop {
            let located = self.tree.locate(index)?;
            let before = |message: &&LogMessage| index < place.segment || message.start < place.start;
            if let Some(message) = located.data().rare().messages.iter().rfind(before) {
                return Some(located.offset + message.start as usize);
            }
            index = self.tree.previous_attached(index, |sum| sum.messages)?;
        }
    }

    /// The diagnostic of an issue in an array of messages, or in the lines of a log if `is_log`,
    /// which may never be sent.
    fn diagnostic_of_request(&self, issue: &RequestIssue, is_log: bool) -> Option<Diagnostic> {
        let code = issue.fact.code();
        let most = if is_log { Severity::Warning } else { Severity::Error };
        let severity = self.settings.severity(code)?.min(issue.most_severe()).min(most);
        if issue.fact == RequestFact::UnknownRole {
            // Other systems have other roles, so only misspellings of known ones are reported.
            self.role_meant(self.start_of_request(issue.at))?;
        }
        let (range, message) = match self.block_of_request(issue.at) {
            Some((located, block)) => {
                let part = match issue.fact {
                    RequestFact::BadName | RequestFact::CallFault(_) => block.name_span(),
                    _ => block.id_span(),
                };
                let brace = block.brace.map(|brace| Span { start: brace, end: brace + 1 });
                (located.absolute(part.or(brace)?), wording::of_block(issue, block))
            }
            None => self.with_value(self.start_of_request(issue.at), |root| {
                let start = self.start_of_request(issue.at);
                let key = wording::member_of(issue.fact);
                let value = root.get(key).or_else(|| root.get("role")).unwrap_or(root);
                Some((value.span().range_at(start), wording::of_message(issue, root)))
            })?,
        };
        let mut diagnostic = Diagnostic::new(code, severity, range, message);
        let other = issue.other.and_then(|other| self.block_of_request(other));
        diagnostic.related.extend(other.and_then(|(located, block)| {
            let place = located.absolute(block.id_span()?);
            let message = if block.part == CallPart::Result { "its result" } else { "its call" };
            Some(RelatedTarget { place, message: message.to_owned() })
        }));
        Some(diagnostic)
    }
}

/// True if the array after `before`, which begins at the start of its JSON if `is_start`, is a
/// request: it is all of the JSON, or the member `messages`. `array` returns the beginning of its
/// text, at most as many bytes as it is asked for.
fn is_request_after<'t>(before: &str, is_start: bool, array: impl Fn(usize) -> Cow<'t, str>) -> bool {
    if before.trim_matches(BLANK).is_empty() && is_start {
        return !is_of_records(array);
    }
    let key = before.trim_end_matches(BLANK).strip_suffix(':');
    key.is_some_and(|key| key.trim_end_matches(BLANK).ends_with("\"messages\""))
}

/// True if an array is a session: its first element has no role, or is the envelope of a message;
/// also true of a record of a data set.
/// `array` returns the beginning of its text, at most as many bytes as it is asked for.
fn is_of_records<'t>(array: impl Fn(usize) -> Cow<'t, str>) -> bool {
    let [few, many] = FIRST_ELEMENT;
    is_of_records_within(&array(few)).or_else(|| is_of_records_within(&array(many))).unwrap_or(true)
}

/// [`is_of_records`] for an array that begins with `text`; `None` if `text` ends before a role in
/// its first element.
fn is_of_records_within(text: &str) -> Option<bool> {
    if text.starts_with('{') {
        return Some(true);
    }
    let json = json::parse_prefix(text);
    let Some(first) = json.root(text).and_then(|root| root.items().next()) else { return Some(false) };
    let is_cut = first.span().end as usize >= text.len();
    match inner_message(first).span() != first.span() {
        true => Some(true),
        false if first.get("role").is_some() => Some(false),
        false => (!is_cut).then_some(true),
    }
}

/// The messages that make up a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RequestKind {
    /// The elements of an array.
    Array,
    /// The lines of a log.
    Lines,
}

/// The blocks, messages and empty texts of a segment.
type SegmentParts<'d> = (&'d [Block], &'d [LogMessage], &'d [BlankText]);

/// The request items of a segment, in the order of the text.
fn items_of(
    segment: usize,
    data: &SegmentData,
    kind: RequestKind,
) -> impl Iterator<Item = (Conversation, RequestPlace, RequestItem<'_>)> {
    parts_of(segment, (&data.blocks, &data.rare().messages, &data.rare().blank_texts), kind).into_iter()
}

fn parts_of<'d>(
    segment: usize,
    (blocks, messages, blank_texts): SegmentParts<'d>,
    kind: RequestKind,
) -> Vec<(Conversation, RequestPlace, RequestItem<'d>)> {
    let place = |start: u32, block: Option<usize>| RequestPlace { segment, start, block };
    let messages =
        messages.iter().map(|it| (it.conversation, place(it.start, None), RequestItem::Message(it.header)));
    let blanks =
        blank_texts.iter().map(|it| (it.conversation, place(it.start, None), RequestItem::BlankText));
    let blocks = blocks.iter().enumerate().map(|(index, block)| {
        let start = block.span.map_or(0, |span| span.start);
        (block.conversation, place(start, Some(index)), RequestItem::Block(block, block.after_text))
    });
    let mut items: Vec<_> = messages.chain(blanks).chain(blocks).collect();
    items.retain(|(conversation, ..)| {
        (conversation.place == ConversationPlace::Document) == (kind == RequestKind::Lines)
    });
    items.sort_by_key(|(_, place, _)| *place);
    items
}

/// The sum of the request items of a segment.
pub(super) fn sum_of(parts: SegmentParts<'_>, kind: RequestKind, ends_in_text: bool) -> RequestSum {
    let mut sum = RequestSum::default();
    for (conversation, _, item) in parts_of(0, parts, kind) {
        sum.push(item, conversation.place, conversation.thread.is_some());
    }
    // The text of a segment without items is added by `SegmentDataSummary::add_requests`.
    if ends_in_text && sum != RequestSum::default() {
        sum.push_text();
    }
    sum
}

/// True if a server may reject a request in a line of a log with these parts; `api` is the API of
/// requests that do not show theirs.
pub(super) fn may_be_rejected(line: &str, parts: SegmentParts<'_>, api: Option<ChatApi>) -> bool {
    let mut open: BTreeMap<_, Option<RequestCheck<'_>>> = BTreeMap::new();
    for (conversation, at, item) in parts_of(0, parts, RequestKind::Array) {
        let ConversationPlace::Array(start) = conversation.place else { continue };
        let check = open.entry((start, conversation.thread)).or_insert_with(|| {
            let before = line.get(..start as usize).unwrap_or_default();
            let array = |most| {
                let end = line.floor_char_boundary(line.len().min(start as usize + most));
                line.get(start as usize..end).unwrap_or_default().into()
            };
            is_request_after(before, true, array).then(RequestCheck::default)
        });
        if let Some(check) = check {
            check.add(at, item);
        }
    }
    open.values().flatten().any(|check| check.may_be_rejected(api))
}

/// True if the messages of the array at `start` are a training example without a fault: the last is
/// one of the assistant, and weights are 0 or 1.
pub(super) fn is_valid_example(start: u32, messages: &[LogMessage]) -> bool {
    let own =
        || messages.iter().filter(|message| message.conversation.place == ConversationPlace::Array(start));
    own().next_back().is_some_and(|last| last.header.role == SentRole::Assistant)
        && own().all(|message| !message.header.has_wrong_weight)
}
