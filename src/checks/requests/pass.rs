//! The passes over the messages of requests.
//!
//! One pass reads all request items of a document, in order. If all messages of a JSON document are
//! in one array, another pass reads only the surroundings of possible faults, which sums over the
//! segments locate ([`RequestSum`]). Both find the same problems.

use std::collections::BTreeMap;

use crate::call::{Block, ChatApi, Conversation, ConversationPlace, Thread};
use crate::document::{Document, Language};
use crate::rules::requests::sum::RequestSum;
use crate::rules::requests::{RequestCheck, RequestFact, RequestIssue, RequestItem, RequestPlace};
use crate::segments::conversations::{Conversations, MessageArray};
use crate::segments::data::{DocumentSegment, SegmentAttachment, SegmentDataSummary};
use crate::segments::requests::{RequestKind, is_listed, items_of};
use crate::syntax::{Attachment, Tree};

/// The open checks, by the start of the array and the thread of its messages; `None` for arrays
/// that are no requests.
type OpenRequests<'d> = BTreeMap<(usize, Option<Thread>), (MessageArray, Option<RequestCheck<'d>>)>;

impl Document {
    /// The issues of all requests with valid JSON, each with its array; `None` for the lines of a
    /// log.
    pub(super) fn request_issues(&self) -> Vec<(Option<MessageArray>, RequestIssue)> {
        if !self.checks_messages() || self.has_accepted_requests() {
            return Vec::new();
        }
        if let Some(array) = self.context().only_array() {
            return self.issues_around_faults(array);
        }
        let mut issues = self.issues_of_all_messages();
        if self.lines_may_be_rejected() {
            issues.extend(self.issues_of_request(None, self.check_of_lines()));
        }
        issues
    }

    /// True if a server may reject the lines of a log, whose first message is bare.
    pub(crate) fn lines_may_be_rejected(&self) -> bool {
        self.language() == Language::Log && !self.request_sum().is_accepted() && self.begins_with_bare_line()
    }

    /// True if the sum of the messages of a JSON document shows that no server rejects them.
    fn has_accepted_requests(&self) -> bool {
        let sum = self.request_sum();
        let is_anthropic = sum.is_anthropic || self.settings().api == Some(ChatApi::Anthropic);
        self.language() == Language::Json && sum.is_accepted() && !is_anthropic
    }

    /// The sum of the messages of a JSON document.
    fn request_sum(&self) -> RequestSum {
        self.tree().summary().attachment.requests
    }

    /// [`Document::request_issues`], by a check of all messages.
    fn issues_of_all_messages(&self) -> Vec<(Option<MessageArray>, RequestIssue)> {
        let is_read_whole = self.language() != Language::Json;
        let mut found = Vec::new();
        let mut open = BTreeMap::new();
        let mut conversations = Conversations::default();
        let mut text = TextBetween::default();
        let wanted =
            |sum: &SegmentDataSummary| if is_read_whole { sum.may_be_rejected } else { is_listed(sum) };
        for located in self.tree().attached(wanted) {
            for (conversation, at, item) in text.read(self.tree(), &located) {
                let Some(array) = conversations.array_of(self.context(), &located, conversation) else {
                    continue;
                };
                let check = open
                    .entry((array.start, conversation.thread))
                    .or_insert_with(|| (array, self.is_request(array).then(RequestCheck::default)));
                if let Some(check) = &mut check.1 {
                    check.add(at, item);
                }
            }
            if is_read_whole {
                self.finish_requests(&mut open, &mut found);
            }
        }
        self.finish_requests(&mut open, &mut found);
        found
    }

    fn finish_requests<'d>(
        &self,
        open: &mut OpenRequests<'d>,
        found: &mut Vec<(Option<MessageArray>, RequestIssue)>,
    ) {
        for (array, check) in std::mem::take(open).into_values() {
            found.extend(check.into_iter().flat_map(|check| self.issues_of_request(Some(array), check)));
        }
    }

    /// The problems that the check of `array`, or of the lines of a log, found in valid JSON.
    fn issues_of_request(
        &self,
        array: Option<MessageArray>,
        check: RequestCheck<'_>,
    ) -> Vec<(Option<MessageArray>, RequestIssue)> {
        let of_training = || self.is_training_set().then_some(ChatApi::OpenAi);
        let api = self.settings().api.or_else(of_training);
        let names_model = || array.is_some_and(|array| self.names_model(array));
        let mut issues = check.finish(api, names_model);
        issues.retain(|issue| match issue.fact {
            RequestFact::BuriedResult => self.is_buried(issue),
            // An excerpt may begin with any role.
            RequestFact::FirstRole => names_model(),
            // Traces contain messages in the formats of other models.
            RequestFact::CallFault(_) => issue.is_sure || array.is_some_and(|it| self.is_whole_value(it)),
            _ => true,
        });
        let is_valid = |start: usize| self.valid_value_end(start).is_some();
        match array {
            Some(array) if issues.is_empty() || is_valid(array.start) => {}
            Some(_) => issues.clear(),
            None => issues.retain(|issue| is_valid(self.tree().offset_of(issue.at.segment))),
        }
        issues.into_iter().map(|issue| (array, issue)).collect()
    }

    /// [`Document::request_issues`] of a JSON document with all messages in `array`. Reads the
    /// first messages, and the surroundings of possible faults.
    fn issues_around_faults(&self, array: MessageArray) -> Vec<(Option<MessageArray>, RequestIssue)> {
        if !self.is_request(array) {
            return Vec::new();
        }
        let mut check = self.request_sum().check();
        self.read_around_faults(&mut check);
        self.issues_of_request(Some(array), check)
    }

    /// The check of the bare lines of a log. It reads all of them: in a log of calls without
    /// results there is no point from which the rest could be skipped.
    fn check_of_lines(&self) -> RequestCheck<'_> {
        let mut check = RequestCheck::default();
        for located in self.tree().attached(|sum| sum.requests.has_parts()) {
            items_of(located.index, located.data(), RequestKind::Lines)
                .for_each(|(_, at, item)| check.add(at, item));
        }
        check
    }

    /// Reads the first messages, and the messages around possible faults.
    fn read_around_faults<'d>(&'d self, check: &mut RequestCheck<'d>) {
        let mut text = TextBetween::default();
        let mut next = 0;
        while let Some(located) =
            self.tree().next_attached(next, is_listed).and_then(|at| self.tree().locate(at))
        {
            let begins_with_message = located.segment.attachment.summary().requests.begins_with_message();
            let first = if check.is_settled() && begins_with_message {
                self.fault_behind(located.index)
            } else {
                located.index
            };
            if first > located.index {
                check.skip_accepted();
                text = TextBetween::before(self.tree(), first);
                next = first;
                continue;
            }
            text.read(self.tree(), &located).into_iter().for_each(|(_, at, item)| check.add(at, item));
            next = located.index + 1;
        }
    }

    /// Index of the segment at which to start checking the next possible fault at or after the
    /// segment `from`: the last segment up to the fault that begins with a message and before which
    /// no call waits for its result. The number of segments if there is no fault.
    fn fault_behind(&self, from: usize) -> usize {
        let balance = |index: usize| self.tree().summary_before(index).attachment.requests.balance;
        let begins_with_message = |index: usize| {
            self.tree()
                .get(index)
                .is_none_or(|segment| segment.attachment.summary().requests.begins_with_message())
        };
        let balance_before = balance(from);
        let fault = self.tree().find_attached_from(from, |sum| !sum.requests.is_accepted());
        let mut first = fault.unwrap_or(self.tree().len());
        while first > from && !(begins_with_message(first) && balance(first) == balance_before) {
            first = self.tree().previous_attached(first, is_listed).map_or(from, |before| before.max(from));
        }
        first
    }
}

/// The text between the blocks of a document.
#[derive(Default)]
struct TextBetween {
    /// The index of the segment after the last one read.
    next: usize,
    /// True if there is text after the last block.
    is_text: bool,
}

impl TextBetween {
    /// The text before the segment at `index`.
    fn before(tree: &Tree<SegmentAttachment>, index: usize) -> Self {
        let mut behind = index;
        let is_text = loop {
            let block = tree.previous_attached(behind, |sum| sum.blocks);
            let text = tree.next_attached(block.map_or(0, |block| block + 1), |sum| sum.text);
            if text.is_some_and(|text| text < behind) {
                break true;
            }
            let data = block.and_then(|block| Some(tree.get(block)?.attachment.data()));
            let Some((block, data)) = block.zip(data) else { break false };
            let is_listed = |part: &Block| part.conversation.place != ConversationPlace::Document;
            if data.ends_in_text || data.blocks.iter().any(is_listed) {
                break data.ends_in_text;
            }
            // Its blocks are in no array.
            if data.has_text && !data.has_listed_messages {
                break true;
            }
            behind = block;
        };
        Self { next: index, is_text }
    }

    /// The request items of a segment; blocks record whether text precedes them. The segments
    /// skipped since the last call have no request items.
    fn read<'d>(
        &mut self,
        tree: &Tree<SegmentAttachment>,
        located: &DocumentSegment<'d>,
    ) -> Vec<(Conversation, RequestPlace, RequestItem<'d>)> {
        let text = tree.next_attached(self.next, |sum| sum.text);
        self.is_text |= text.is_some_and(|text| text < located.index);
        self.next = located.index + 1;
        let data = located.data();
        let mut items: Vec<_> = items_of(located.index, data, RequestKind::Array).collect();
        for (.., item) in &mut items {
            if let RequestItem::Block(_, is_after_text) = item {
                *is_after_text |= std::mem::take(&mut self.is_text);
            }
        }
        self.is_text |= data.ends_in_text;
        items
    }
}

#[cfg(test)]
mod tests;
