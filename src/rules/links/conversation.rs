//! Rules on calls and results of message logs, which pair by ids within a conversation.
//!
//! A document first finds the ids whose blocks are not all pairs. Only the blocks of these ids are
//! compared by conversation, because the conversation of a block depends on the text around it.

use super::{CrossBlockFact, CrossBlockIssue, LinkedBlock, issue_of};
use crate::call::pairing::WaitingCalls;
use crate::call::{CallPart, ChatApi};

/// Checks all blocks with one id in a message log, in document order, without regard to their
/// conversations: where a conversation begins does not follow from a block alone. A call and a
/// result that are alone with their id count as a pair.
pub(super) fn check_group(members: &[LinkedBlock<'_>], issues: &mut Vec<CrossBlockIssue>) {
    let is_sent = members.iter().any(|member| member.block.api.is_some());
    if let Some(first) = members.first().filter(|_| is_sent && !is_pair(members)) {
        issues.push(issue_of(CrossBlockFact::Unpaired, first, None));
    }
}

fn is_pair(members: &[LinkedBlock<'_>]) -> bool {
    match members {
        [call, result] => call.block.part == CallPart::Call && result.block.part == CallPart::Result,
        [both] => both.block.part == CallPart::Both,
        _ => false,
    }
}

/// The text around the blocks of a conversation.
pub trait ConversationText {
    /// Returns whether the blocks have the same text.
    fn is_same(&self, one: &LinkedBlock<'_>, other: &LinkedBlock<'_>) -> bool;

    /// Returns whether the second block repeats the first one: in the lines of a log, the same text
    /// does.
    fn is_repeated(&self, one: &LinkedBlock<'_>, other: &LinkedBlock<'_>) -> bool;

    /// The offset of the message that the block is in.
    fn message_of(&self, block: &LinkedBlock<'_>) -> usize;
}

/// Checks the blocks with one id in one conversation, in document order.
pub fn check_conversation(
    members: &[LinkedBlock<'_>],
    text: &dyn ConversationText,
    issues: &mut Vec<CrossBlockIssue>,
) {
    let paired = PairedIds::new(members, text);
    let mut found = Vec::new();
    let mut push = |fact, at: &LinkedBlock<'_>, other: Option<&LinkedBlock<'_>>| {
        if at.block.api.is_some() && at.block.is_readable {
            found.push(issue_of(fact, at, other));
        }
    };
    let first_call = paired.uses.first().map(|of_use| of_use.call);
    for (before, of_use) in paired.uses.iter().zip(paired.uses.iter().skip(1)) {
        let call = of_use.call;
        // A stream is not sent: the message at its end has the same call.
        if before.call.block.api.is_none() {
            continue;
        }
        let is_taken = call.block.api == Some(ChatApi::Anthropic)
            || call.block.api == Some(ChatApi::OpenAi)
                && text.message_of(before.call) == text.message_of(call);
        let fact = if is_taken { CrossBlockFact::DuplicateId } else { CrossBlockFact::ReusedId };
        push(fact, call, first_call);
    }
    for early in &paired.early {
        match first_call {
            Some(call) => push(CrossBlockFact::TooEarly, early, Some(call)),
            None => push(CrossBlockFact::NoCall, early, None),
        }
    }
    for (again, call) in &paired.repeated {
        push(CrossBlockFact::RepeatedCall, again, Some(call));
    }
    for (second, first) in &paired.seconds {
        push(CrossBlockFact::SecondResult, second, Some(first));
    }
    for of_use in paired.uses.iter().filter(|of_use| of_use.result.is_none()) {
        if of_use.call.block.is_left_pending() {
            push(CrossBlockFact::Unanswered, of_use.call, None);
        }
    }
    // A missing result may be one with another problem.
    let may_be_there = |issue: &CrossBlockIssue| {
        !matches!(issue.fact, CrossBlockFact::Unanswered | CrossBlockFact::ReusedId)
    };
    if found.iter().any(may_be_there) {
        found.retain(|issue| issue.fact != CrossBlockFact::Unanswered);
    }
    issues.append(&mut found);
}

/// The blocks with one id in one conversation, paired in order.
#[derive(Debug, Default)]
pub struct PairedIds<'m, 'd> {
    /// The calls with their results.
    pub uses: Vec<PairedId<'m, 'd>>,
    /// Calls that occur again before their results, each with its first occurrence.
    repeated: Vec<(&'m LinkedBlock<'d>, &'m LinkedBlock<'d>)>,
    /// Calls that repeat the last call, which has no result yet.
    again: Vec<&'m LinkedBlock<'d>>,
    /// Results before the first call.
    early: Vec<&'m LinkedBlock<'d>>,
    /// Further results of answered calls, each with the preceding one.
    seconds: Vec<(&'m LinkedBlock<'d>, &'m LinkedBlock<'d>)>,
}

/// A call and its result.
#[derive(Clone, Copy, Debug)]
pub struct PairedId<'m, 'd> {
    /// The call.
    pub call: &'m LinkedBlock<'d>,
    /// Its result; itself if it contains one.
    pub result: Option<&'m LinkedBlock<'d>>,
}

impl<'m, 'd> PairedIds<'m, 'd> {
    /// Pairs `members`, which are in document order.
    pub fn new(members: &'m [LinkedBlock<'d>], text: &dyn ConversationText) -> Self {
        let mut paired = Self::default();
        let mut waiting = WaitingCalls::default();
        let mut last_result = None;
        for member in members {
            match member.block.part {
                CallPart::Call | CallPart::Both if paired.is_last(member, text) => {}
                CallPart::Call | CallPart::Both => {
                    let result = (member.block.part == CallPart::Both).then_some(member);
                    paired.again.clear();
                    if result.is_none() {
                        waiting.add(text.message_of(member), paired.uses.len());
                    }
                    paired.uses.push(PairedId { call: member, result });
                }
                CallPart::Result => {
                    if let Some(of_use) = waiting.take().and_then(|at: usize| paired.uses.get_mut(at)) {
                        of_use.result = Some(member);
                        let call = of_use.call;
                        paired.repeated.extend(paired.again.drain(..).map(|again| (again, call)));
                        last_result = Some(member);
                    } else if let Some(last) = last_result {
                        if !text.is_repeated(last, member) {
                            paired.seconds.push((member, last));
                        }
                    } else if paired.uses.is_empty() {
                        paired.early.push(member);
                    }
                }
                CallPart::Start | CallPart::Delta | CallPart::End | CallPart::Notice => {}
            }
        }
        let first = paired.uses.first().copied();
        paired.uses.retain(|of_use| first.is_none_or(|first| !of_use.repeats(&first, text)));
        paired
    }

    /// True if `call` is the last one again, which has no result yet: in another form in the same
    /// message, or in another message with the same text.
    fn is_last(&mut self, call: &'m LinkedBlock<'d>, text: &dyn ConversationText) -> bool {
        let Some(last) = self.uses.last_mut().filter(|last| last.result.is_none()) else { return false };
        let name = |call: &LinkedBlock<'d>| call.block.name();
        let is_in_message = text.message_of(last.call) == text.message_of(call);
        let has_other_form = last.call.block.api != call.block.api && name(last.call) == name(call);
        if is_in_message && has_other_form && call.block.api.is_some() {
            last.call = call;
        }
        let is_repeated = !is_in_message && text.is_same(last.call, call);
        self.again.extend(is_repeated.then_some(call));
        is_repeated || is_in_message && has_other_form
    }
}

impl PairedId<'_, '_> {
    /// True if it is `first` again: sessions repeat lines.
    fn repeats(&self, first: &Self, text: &dyn ConversationText) -> bool {
        let has_same_result = || match (first.result, self.result) {
            (_, None) => true,
            (Some(first), Some(result)) => text.is_repeated(first, result),
            (None, Some(_)) => false,
        };
        self.call.key != first.call.key && text.is_repeated(first.call, self.call) && has_same_result()
    }
}
