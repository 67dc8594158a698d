//! The request items of a segment: the parts that a server checks of the messages sent to it. A
//! segment stores their sum, and of the arrays in a line or a fence whether a server may reject
//! them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::call::{Block, ChatApi, Conversation, ConversationPlace, SentRole};
use crate::json;
use crate::messages::exchange::inner_message;
use crate::rules::requests::sum::RequestSum;
use crate::rules::requests::{RequestCheck, RequestItem, RequestPlace};
use crate::segments::block_unit::ReadContext;
use crate::segments::conversations::{Conversations, MessageArray};
use crate::segments::data::{BlankText, DocumentSegment, LogMessage, SegmentData, SegmentDataSummary};
use crate::segments::language::Language;
use crate::syntax::SegmentKind;

/// The characters that may stand around a value of JSON.
pub(crate) const BLANK: &[char] = &[' ', '\t', '\n', '\r', '\u{FEFF}'];
/// The numbers of bytes of an array in which its first element is read: more if the first number
/// shows no role.
const FIRST_ELEMENT: [usize; 2] = [4 << 10, 256 << 10];

/// True if the array after `before`, which begins at the start of its JSON if `is_start`, is a
/// request: it is all of the JSON, or the member `messages`. `array` returns the beginning of its
/// text, at most as many bytes as it is asked for.
pub(crate) fn is_request_after<'t>(
    before: &str,
    is_start: bool,
    array: impl Fn(usize) -> Cow<'t, str>,
) -> bool {
    if before.trim_matches(BLANK).is_empty() && is_start {
        return !is_of_records(array);
    }
    let key = before.trim_end_matches(BLANK).strip_suffix(':');
    key.is_some_and(|key| key.trim_end_matches(BLANK).ends_with("\"messages\""))
}

/// True if an array is a session: its first element has no role, or is the envelope of a message;
/// also true of a record of a data set.
/// `array` returns the beginning of its text, at most as many bytes as it is asked for.
pub(crate) fn is_of_records<'t>(array: impl Fn(usize) -> Cow<'t, str>) -> bool {
    let [few, many] = FIRST_ELEMENT;
    is_of_records_within(&array(few)).or_else(|| is_of_records_within(&array(many))).unwrap_or(true)
}

/// [`is_of_records`] for an array that begins with `text`; `None` if `text` ends before a role in
/// its first element.
pub(crate) fn is_of_records_within(text: &str) -> Option<bool> {
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
pub(crate) enum RequestKind {
    /// The elements of an array.
    Array,
    /// The lines of a log.
    Lines,
}

/// The blocks, messages and empty texts of a segment.
type SegmentParts<'d> = (&'d [Block], &'d [LogMessage], &'d [BlankText]);

/// The request items of a segment, in the order of the text.
pub(crate) fn items_of(
    segment: usize,
    data: &SegmentData,
    kind: RequestKind,
) -> impl Iterator<Item = (Conversation, RequestPlace, RequestItem<'_>)> {
    parts_of(segment, (&data.blocks, &data.log().messages, &data.rare().blank_texts), kind).into_iter()
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
pub(crate) fn sum_of(parts: SegmentParts<'_>, kind: RequestKind, ends_in_text: bool) -> RequestSum {
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
pub(crate) fn may_be_rejected(line: &str, parts: SegmentParts<'_>, api: Option<ChatApi>) -> bool {
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
pub(crate) fn is_valid_example(start: u32, messages: &[LogMessage]) -> bool {
    let own =
        || messages.iter().filter(|message| message.conversation.place == ConversationPlace::Array(start));
    own().next_back().is_some_and(|last| last.header.role == SentRole::Assistant)
        && own().all(|message| !message.header.has_wrong_weight)
}

/// True if there is a message in an array of messages, or a part of one.
pub(crate) fn is_listed(sum: &SegmentDataSummary) -> bool {
    sum.listed_messages
}

impl ReadContext<'_> {
    /// True if the first line of a log is a training example without a fault: the other lines are
    /// meant to be examples, too.
    pub fn is_training_set(&self) -> bool {
        let mut lines = self.tree.iter().filter(|located| located.segment.kind == SegmentKind::Line);
        let is_example = |located: DocumentSegment<'_>| located.data().rare().is_example;
        self.language == Language::Log && lines.next().is_some_and(is_example)
    }

    /// The array that all messages of a JSON document are in, if there are any.
    pub fn only_array(&self) -> Option<MessageArray> {
        let first = self.tree.next_attached(0, is_listed).filter(|_| self.language == Language::Json)?;
        let has_own = |sum: &SegmentDataSummary| sum.requests.arrays.has_own;
        if self.tree.summary().attachment.requests.arrays.is_mixed
            || self.tree.next_attached(first + 1, has_own).is_some()
        {
            return None;
        }
        let last = self.tree.previous_attached(self.tree.len(), is_listed)?;
        let mut conversations = Conversations::default();
        let mut arrays = Vec::new();
        for index in [first, last] {
            let located = self.tree.locate(index)?;
            for (conversation, ..) in items_of(index, located.data(), RequestKind::Array) {
                arrays.push(conversations.array_of(*self, &located, conversation)?);
            }
        }
        arrays.dedup_by_key(|array| array.start);
        arrays.first().copied().filter(|_| arrays.len() == 1)
    }
}
