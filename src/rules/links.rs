//! Rules on related blocks: `duplicate-id`, `duplicate-result`, `orphan-result`, `name-mismatch`,
//! `missing-result`, `pending-call`, `stream-order`, `delta-mismatch`, `legacy-markdown`.
//!
//! A rule gets the blocks that may belong to one tool use, in document order, and returns the
//! [`CrossBlockIssue`]s. Issues are small, so that a document can keep them while other blocks
//! change; their messages are built on request.

use crate::call::pairing::Pairing;
use crate::call::pending_calls::PendingCalls;
use crate::call::{Block, CallPart, UseStatus};
use crate::diagnostic::{Code, Severity};
use crate::json::{self, fingerprint};
use crate::never::OrNever;
use crate::text::cut;

mod conversation;

pub use conversation::{ConversationText, PairedId, PairedIds, check_conversation};

/// The maximum number of characters of an id or a name in a message.
const SHOWN: usize = 60;

/// The key of a block in its document; keys increase in document order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockKey {
    /// The key of its segment.
    pub segment: u32,
    /// Its index in the segment.
    pub index: u32,
}

/// A block with the data that these rules need.
#[derive(Clone, Copy, Debug)]
pub struct LinkedBlock<'d> {
    /// Its key.
    pub key: BlockKey,
    /// The block.
    pub block: &'d Block,
    /// True if it is the only readable block of a fenced log: an example of one record, to which
    /// the order of records does not apply.
    pub is_alone: bool,
}

/// A problem of a block that depends on other blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CrossBlockIssue {
    /// The block that has the problem.
    pub block: BlockKey,
    /// The kind of problem.
    pub fact: CrossBlockFact,
    /// The other block involved.
    pub other: Option<BlockKey>,
}

/// The kinds of [`CrossBlockIssue`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CrossBlockFact {
    /// A call has the id of another call.
    DuplicateId,
    /// A call of a message log has the id of an earlier call, which servers accept.
    ReusedId,
    /// A call of a message log is there again before its result.
    RepeatedCall,
    /// A call without an id is numbered with the id of another call.
    DuplicateFallbackId,
    /// A call has more than one result.
    SecondResult,
    /// A result has no call.
    NoCall,
    /// A result and its call name different tools.
    OtherName,
    /// A call gets no result.
    NoResult,
    /// A delta or end precedes the start.
    NotStarted,
    /// A delta or end follows the end.
    Ended,
    /// A result precedes its call.
    TooEarly,
    /// The joined deltas are not valid JSON.
    NoJson,
    /// The joined deltas differ from the input.
    OtherInput,
    /// The block uses an outdated form.
    Outdated,
    /// A call of a message log gets no result, and its conversation continues.
    Unanswered,
    /// An id of a message log has unpaired blocks. Never reported: the document then compares its
    /// blocks by conversation.
    Unpaired,
    /// The parent of a session record is missing. It concerns a record, not a block, and is
    /// reported by the document.
    LostParent,
}

/// The part of a block that is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockPart {
    /// The whole block.
    Block,
    /// Its id.
    Id,
    /// Its tool name.
    Name,
}

impl CrossBlockFact {
    /// The code of this problem for `block`.
    pub fn code(self, block: &Block) -> Code {
        match self {
            Self::DuplicateId | Self::ReusedId | Self::RepeatedCall | Self::DuplicateFallbackId => {
                Code::DuplicateId
            }
            Self::SecondResult => Code::DuplicateResult,
            Self::NoCall => Code::OrphanResult,
            Self::OtherName => Code::NameMismatch,
            Self::NoResult => Code::PendingCall,
            Self::NotStarted | Self::Ended | Self::TooEarly => Code::StreamOrder,
            Self::NoJson | Self::OtherInput => Code::DeltaMismatch,
            Self::Unanswered | Self::Unpaired => Code::MissingResult,
            Self::Outdated => outdated(block).or_never_but(Code::LegacyMarkdown),
            Self::LostParent => Code::LostParent,
        }
    }

    /// The most severe level at which it is reported.
    pub fn most_severe(self) -> Severity {
        if self == Self::ReusedId { Severity::Hint } else { Severity::Error }
    }

    /// The part of the block to mark, if it is written.
    pub fn part(self) -> BlockPart {
        match self {
            Self::OtherName | Self::NoResult | Self::NoJson | Self::OtherInput => BlockPart::Name,
            Self::DuplicateFallbackId | Self::Outdated => BlockPart::Block,
            _ => BlockPart::Id,
        }
    }

    /// The message for `block`; `other` is the other block involved.
    pub fn message(self, block: &Block, other: Option<&Block>) -> String {
        let id = shown(block.id().or(other.and_then(Block::id)));
        let is_named = block.name().is_some_and(|name| !name.is_empty());
        let name = shown(block.name());
        let piece = if block.part == CallPart::End { "the end" } else { "a piece" };
        match self {
            Self::DuplicateId => format!(
                "{id} is the id of an earlier call: readers merge the two and lose one; use another id"
            ),
            Self::ReusedId => format!(
                "{id} is the id of an earlier call: the API accepts it, but readers that look up calls by \
                 their ids find only one"
            ),
            Self::RepeatedCall => format!(
                "the call {id} appears twice before its result: servers reject the conversation; remove one"
            ),
            Self::DuplicateFallbackId => format!(
                "this call has no id: readers generate {id}, which is the id of another call; add an id"
            ),
            Self::SecondResult => {
                format!("the call {id} already has a result: readers keep only the last one; remove one")
            }
            Self::NoCall if block.id().is_some() => {
                format!("no call with the id {id} precedes this result: readers reject or ignore it")
            }
            Self::NoCall if is_named => {
                format!("no pending call of {name} precedes this result: add the call, or remove the result")
            }
            Self::NoCall => {
                "no pending call precedes this result: add the call, or remove the result".to_owned()
            }
            Self::OtherName => {
                let called = shown(other.and_then(Block::name));
                format!("this is a result of {name}, but its call is of {called}: use the same name")
            }
            Self::NoResult if is_named => format!("this call of {name} has no result"),
            Self::NoResult => "this call has no result".to_owned(),
            Self::Unanswered | Self::Unpaired => {
                format!(
                    "the call {id} has no result before the next message: servers reject the conversation"
                )
            }
            Self::NotStarted => {
                format!("{piece} of the input of {id} before its start: readers reject the log")
            }
            Self::Ended => format!("{piece} of the input of {id} after its end"),
            Self::TooEarly => format!("this result precedes its call {id}: readers reject the log"),
            Self::NoJson => "the joined deltas of this call's input are not valid JSON".to_owned(),
            Self::OtherInput => "the joined deltas of this call's input differ from its input".to_owned(),
            Self::Outdated => {
                "this form of a tool call was replaced by `<tool>` blocks: newer readers show it as text"
                    .to_owned()
            }
            Self::LostParent => "the record before this one is missing".to_owned(),
        }
    }

    /// The label of the other block.
    pub fn message_of_other(self) -> &'static str {
        match self {
            Self::DuplicateId | Self::ReusedId | Self::DuplicateFallbackId => "the id is used here",
            Self::RepeatedCall => "the call",
            Self::SecondResult => "its first result",
            Self::Ended => "it ends here",
            Self::NoJson | Self::OtherInput => "the first of its deltas",
            _ => "its call",
        }
    }
}

/// The code that reports the dialect of `block` as outdated.
fn outdated(block: &Block) -> Option<Code> {
    crate::dialect::by_index(block.dialect)?.outdated
}

fn shown(text: Option<&str>) -> String {
    format!("`{}`", cut(text.unwrap_or_default(), SHOWN))
}

/// The decoded text of a delta; `None` if it has none.
type DecodedDelta<'f> = dyn Fn(&LinkedBlock<'_>) -> Option<String> + 'f;

/// Checks all blocks with one id, in document order. `delta` decodes a delta's text, only where
/// needed.
pub fn check(members: &[LinkedBlock<'_>], delta: &DecodedDelta<'_>, issues: &mut Vec<CrossBlockIssue>) {
    match members.first().map(|member| member.block.pairing) {
        Some(Pairing::SelfContained) => check_self_contained(members, issues),
        Some(Pairing::ById) => by_id(members, delta, issues),
        // These have no ids: see `check_pairing_by_position`.
        Some(Pairing::InConversation) => conversation::check_group(members, issues),
        Some(Pairing::EarlierCall { .. }) | None => {}
    }
}

fn issue_of(fact: CrossBlockFact, at: &LinkedBlock<'_>, other: Option<&LinkedBlock<'_>>) -> CrossBlockIssue {
    CrossBlockIssue { block: at.key, fact, other: other.map(|other| other.key) }
}

/// Blocks that are complete tool uses must not share an id.
fn check_self_contained(members: &[LinkedBlock<'_>], issues: &mut Vec<CrossBlockIssue>) {
    issues.extend(
        members.iter().skip(1).map(|member| issue_of(CrossBlockFact::DuplicateId, member, members.first())),
    );
}

/// Records with one id are one tool use "wherever they stand", but their order only matters within
/// one log: a document may show the same call in several examples.
fn by_id(members: &[LinkedBlock<'_>], delta: &DecodedDelta<'_>, issues: &mut Vec<CrossBlockIssue>) {
    let log_of = |member: &LinkedBlock<'_>| member.block.span.map(|_| member.key.segment);
    for log in members.chunk_by(|one, other| log_of(one) == log_of(other)) {
        if !log.iter().all(|member| member.is_alone) {
            let mut found = Vec::new();
            LogUseState::default().check(log, delta, &mut found);
            // Order is not checked for records with syntax errors.
            let at = |key| log.binary_search_by_key(&key, |member| member.key).never_none();
            let is_valid = |issue: &CrossBlockIssue| {
                at(issue.block).and_then(|at| log.get(at)).is_some_and(|member| member.block.is_readable)
            };
            issues.extend(found.into_iter().filter(is_valid));
        }
    }
    let is_answered = members.iter().any(|member| member.block.part == CallPart::Result)
        || members.iter().any(|member| member.block.status != UseStatus::Pending);
    let begins = |parts: &[CallPart]| members.iter().find(|member| parts.contains(&member.block.part));
    let call = begins(&[CallPart::Call]).or_else(|| begins(&[CallPart::Start]));
    if let Some(call) = call.filter(|call| !is_answered && call.block.is_readable) {
        issues.push(issue_of(CrossBlockFact::NoResult, call, None));
    }
}

/// The state of one tool use in one log.
#[derive(Default)]
struct LogUseState<'m, 'd> {
    start: Option<&'m LinkedBlock<'d>>,
    end: Option<&'m LinkedBlock<'d>>,
    call: Option<&'m LinkedBlock<'d>>,
    result: Option<&'m LinkedBlock<'d>>,
    /// The first call of the log, at any position.
    first_call: Option<&'m LinkedBlock<'d>>,
    deltas: Vec<&'m LinkedBlock<'d>>,
    is_in_order: bool,
}

impl<'m, 'd> LogUseState<'m, 'd> {
    fn check(
        mut self,
        log: &'m [LinkedBlock<'d>],
        delta: &DecodedDelta<'_>,
        issues: &mut Vec<CrossBlockIssue>,
    ) {
        self.is_in_order = true;
        self.first_call = log.iter().find(|member| member.block.part == CallPart::Call);
        for member in log {
            match member.block.part {
                CallPart::Start => self.begin(member, issues),
                CallPart::Delta => self.piece(member, issues),
                CallPart::End => {
                    self.piece(member, issues);
                    self.end = self.end.or(Some(member));
                }
                CallPart::Call | CallPart::Both => self.on_call(member, issues),
                CallPart::Result => self.on_result(member, issues),
                CallPart::Notice => {}
            }
        }
        self.compare(delta, issues);
    }

    fn begin(&mut self, member: &'m LinkedBlock<'d>, issues: &mut Vec<CrossBlockIssue>) {
        if let Some(first) = self.start.or(self.call) {
            issues.push(issue_of(CrossBlockFact::DuplicateId, member, Some(first)));
            self.is_in_order = false;
        }
        self.start = self.start.or(Some(member));
    }

    /// Handles a delta or an end.
    fn piece(&mut self, member: &'m LinkedBlock<'d>, issues: &mut Vec<CrossBlockIssue>) {
        // "`args: {}` followed by deltas is filled by them."
        let fills = self.call.is_some_and(|call| call.block.is_open || !call.block.is_readable);
        let closed = self.end.or(self.call.filter(|_| !fills && member.block.part == CallPart::Delta));
        if let Some(end) = closed {
            issues.push(issue_of(CrossBlockFact::Ended, member, Some(end)));
            self.is_in_order = false;
        } else if self.start.is_none() && !fills {
            issues.push(issue_of(CrossBlockFact::NotStarted, member, None));
            self.is_in_order = false;
        }
        if member.block.part == CallPart::Delta {
            self.deltas.push(member);
        }
    }

    fn on_call(&mut self, member: &'m LinkedBlock<'d>, issues: &mut Vec<CrossBlockIssue>) {
        match self.call {
            Some(first) => issues.push(issue_of(CrossBlockFact::DuplicateId, member, Some(first))),
            None => self.call = Some(member),
        }
    }

    fn on_result(&mut self, member: &'m LinkedBlock<'d>, issues: &mut Vec<CrossBlockIssue>) {
        if let Some(call) = self.call.or(self.start) {
            let name = |member: &LinkedBlock<'d>| member.block.name().filter(|name| !name.is_empty());
            if let (Some(called), Some(named)) = (name(call), name(member))
                && called != named
            {
                issues.push(issue_of(CrossBlockFact::OtherName, member, Some(call)));
            }
        } else {
            // No call precedes the result, so a later one is its call.
            issues.push(match self.first_call {
                Some(call) => issue_of(CrossBlockFact::TooEarly, member, Some(call)),
                None => issue_of(CrossBlockFact::NoCall, member, None),
            });
        }
        match self.result {
            Some(first) if !first.block.is_provisional && first.block.is_readable => {
                issues.push(issue_of(CrossBlockFact::SecondResult, member, Some(first)));
            }
            _ => self.result = Some(member),
        }
    }

    /// Compares the joined deltas with the call's input.
    fn compare(&self, delta: &DecodedDelta<'_>, issues: &mut Vec<CrossBlockIssue>) {
        let (Some(call), Some(first)) = (self.call, self.deltas.first()) else { return };
        let is_sure = self.is_in_order && self.deltas.iter().all(|delta| delta.block.is_readable);
        if !is_sure || !call.block.is_readable {
            return;
        }
        let joined: String = self.deltas.iter().filter_map(|member| delta(member)).collect();
        // Tools without parameters may get empty deltas. Each half of a split surrogate pair has
        // become a replacement character.
        if joined.trim().is_empty() || joined.contains(char::REPLACEMENT_CHARACTER) {
            return;
        }
        let json = json::parse(&joined);
        let Some(root) = json.valid_root(&joined) else {
            if call.block.is_open || call.block.input().is_some() {
                issues.push(issue_of(CrossBlockFact::NoJson, call, Some(first)));
            }
            return;
        };
        let streamed = fingerprint(root);
        if !call.block.is_open
            && streamed.is_some()
            && call.block.input().is_some_and(|input| streamed != Some(input))
        {
            issues.push(issue_of(CrossBlockFact::OtherInput, call, Some(first)));
        }
    }
}

/// Checks the blocks of one dialect, in document order. A result belongs to the nearest earlier
/// call without a result, with the result's id or name if it has one. There may be very many
/// blocks, so they are visited one by one.
pub fn check_pairing_by_position<'d>(
    members: impl Iterator<Item = LinkedBlock<'d>>,
    issues: &mut Vec<CrossBlockIssue>,
) {
    let mut open = PendingCalls::default();
    for member in members {
        let block = member.block;
        let id = block.id().filter(|id| !id.is_empty());
        let name = block.name();
        let Pairing::EarlierCall { order, orphans_are_text } = block.pairing else { continue };
        let is_outdated = outdated(block).is_some();
        if block.part != CallPart::Result {
            open.add((member.key, block.is_left_pending()), id, name.unwrap_or_default());
            if is_outdated {
                issues.push(issue_of(CrossBlockFact::Outdated, &member, None));
            }
        } else if open.take(id, name, order).is_none() && !orphans_are_text && block.is_readable {
            issues.push(issue_of(CrossBlockFact::NoCall, &member, None));
            if is_outdated {
                issues.push(issue_of(CrossBlockFact::Outdated, &member, None));
            }
        }
    }
    let left = open.into_remaining().filter(|(_, is_pending)| *is_pending);
    issues.extend(left.map(|(at, _)| CrossBlockIssue {
        block: at,
        fact: CrossBlockFact::NoResult,
        other: None,
    }));
}
