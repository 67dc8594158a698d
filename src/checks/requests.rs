//! The requests in a document: arrays of messages as they are sent to a server, and the lines of a
//! training set.
//!
//! A request is the member `messages` of an object, or an array that is a whole document, line or
//! fence, or a log whose lines are messages and nothing else. The arrays of a JSON document and the
//! lines of such a log are checked when diagnostics are requested, where sums of the messages show
//! a possible fault (`pass`); the arrays in a line or a fence are read with its segment, which only
//! stores whether a server may reject them.

use std::ops::Range;

use crate::call::{Block, CallPart};
use crate::checks::problem::{Cause, Problem};
use crate::diagnostic::{Diagnostic, RelatedTarget, Severity};
use crate::document::Document;
use crate::json::Value;
use crate::messages::content::role_of;
use crate::nearest::nearest;
use crate::rules::requests::{RequestFact, RequestIssue, RequestPlace};
use crate::segments::conversations::MessageArray;
use crate::segments::data::{DocumentSegment, LogMessage, SegmentDataSummary};
use crate::segments::json_objects::members_around;
use crate::segments::requests::{BLANK, is_request_after};
use crate::syntax::Attachment;
use crate::text::Span;

mod pass;
mod training;
mod wording;

/// The number of bytes before an array that its key is searched in.
const KEY_WINDOW: usize = 32;

/// The known roles, with which others are compared for misspellings.
const ROLES: [&str; 5] = ["user", "assistant", "system", "developer", "tool"];

impl Document {
    /// The problems of requests, training examples and sessions that are sent again.
    pub fn request_problems(&self) -> Vec<Problem> {
        let mut problems: Vec<_> = self
            .request_issues()
            .into_iter()
            .filter_map(|(array, issue)| {
                let diagnostic = self.diagnostic_of_request(&issue, array.is_none())?;
                Some(Problem { diagnostic, cause: Cause::Request(array, Box::new(issue)) })
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
        let first = self.tree().next_attached(0, is_filled).and_then(|at| self.tree().get(at));
        first.is_some_and(|first| first.attachment.summary().requests.has_parts())
    }

    /// True if `array` is a request.
    fn is_request(&self, array: MessageArray) -> bool {
        let (start, around) = (array.start, self.json_range(array.start));
        let from = self.text().floor_boundary(start.saturating_sub(KEY_WINDOW)).max(around.start);
        let before = || self.json_slice(from..start);
        let first = |most| self.context().beginning_of(array, most);
        !array.is_lines && is_request_after(&before(), from == around.start, first)
    }

    /// True if `array` is a whole document, line or fence.
    fn is_whole_value(&self, array: MessageArray) -> bool {
        let before = self.json_range(array.start).start..array.start;
        before.len() <= KEY_WINDOW && self.json_slice(before).trim_matches(BLANK).is_empty()
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
        let located = self.tree().locate(place.segment)?;
        let block = located.data().blocks.get(place.block?)?;
        Some((located, block))
    }

    /// The document offset of a place.
    pub(crate) fn start_of_request(&self, place: RequestPlace) -> usize {
        self.tree().offset_of(place.segment) + place.start as usize
    }

    /// True if text stands before a result in its message.
    fn is_buried(&self, issue: &RequestIssue) -> bool {
        let at = self.start_of_request(issue.at);
        let Some(message) = self.tree().segment_at(at).and_then(|_| self.message_start_before(issue.at))
        else {
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
            let located = self.tree().locate(index)?;
            let before = |message: &&LogMessage| index < place.segment || message.start < place.start;
            if let Some(message) = located.data().log().messages.iter().rfind(before) {
                return Some(located.offset + message.start as usize);
            }
            index = self.tree().previous_attached(index, |sum| sum.messages)?;
        }
    }

    /// The diagnostic of an issue in an array of messages, or in the lines of a log if `is_log`,
    /// which may never be sent.
    fn diagnostic_of_request(&self, issue: &RequestIssue, is_log: bool) -> Option<Diagnostic> {
        let code = issue.fact.code();
        let most = if is_log { Severity::Warning } else { Severity::Error };
        let severity = self.settings().severity(code)?.min(issue.most_severe()).min(most);
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
