//! Strategies for pairing a result with its call.

/// The strategy for pairing a block with others of its tool use.
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
    /// A result belongs to an earlier call without a result, and with its name if it has one.
    EarlierCall {
        /// The one of several such calls.
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
