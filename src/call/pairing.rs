//! Strategies for pairing a result with its call.

use std::collections::VecDeque;

/// The strategy for pairing a block with other blocks of its tool use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// Each block is a complete tool use.
    SelfContained,
    /// All blocks with one id are one tool use.
    ById,
    /// All blocks of one conversation with one id are one tool use. A result without an id belongs
    /// to the first call of the conversation without a result. Another call after a result is
    /// another tool use.
    InConversation,
    /// A result belongs to an earlier call without a result, with the result's id or name if it has
    /// one.
    EarlierCall {
        /// The choice among several such calls.
        order: PairingOrder,
        /// True if results without a call are text.
        orphans_are_text: bool,
    },
}

/// The order in which calls get their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairingOrder {
    /// The nearest call first.
    NearestFirst,
    /// The first call after the preceding results first: several calls, then their results.
    OldestFirst,
}

/// The calls with one id that wait for results, each represented by a `C`.
///
/// A result belongs to the first waiting call of the last message with waiting calls. So calls in
/// one message are answered in order, and a later call with a reused id does not take the result of
/// an earlier one.
#[derive(Debug, Default)]
pub struct WaitingCalls<C> {
    by_message: Vec<(usize, VecDeque<C>)>,
}

impl<C> WaitingCalls<C> {
    /// Adds the next call, which is in `message`.
    pub fn add(&mut self, message: usize, call: C) {
        match self.by_message.last_mut().filter(|(last, _)| *last == message) {
            Some((_, calls)) => calls.push_back(call),
            None => self.by_message.push((message, VecDeque::from([call]))),
        }
    }

    /// True if the last call is in `message`.
    pub fn ends_in(&self, message: usize) -> bool {
        self.by_message.last().is_some_and(|(last, _)| *last == message)
    }

    /// Takes the call that the next result belongs to.
    pub fn take(&mut self) -> Option<C> {
        let (_, calls) = self.by_message.last_mut()?;
        let call = calls.pop_front();
        if calls.is_empty() {
            self.by_message.pop();
        }
        call
    }
}
