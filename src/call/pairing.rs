//! Strategies for pairing a result with its call.

/// How a block finds the tool use that it is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// Each block is a tool use of its own.
    SelfContained,
    /// All blocks with one id are one tool use.
    ById,
    /// A result belongs to the nearest earlier call without a result, of its name where it has one.
    NearestCall {
        /// Whether a result that finds no call is text.
        orphans_are_text: bool,
    },
}
