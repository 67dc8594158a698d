//! The diagnostics of a document: of its segments, of blocks and messages that refer to each other,
//! and of requests. Suppressed ones are left out.

mod compacted_results;
pub mod diagnostics;
mod empty_records;
mod lost_parents;
mod message_links;
mod messages_ahead;
mod problem;
mod requests;
mod secrets;
mod summarized;
mod suppression;
mod unread;

pub use lost_parents::LostParent;
pub(crate) use message_links::{ConversationMembers, is_same_json};
pub use problem::{Cause, Problem};
pub use summarized::SummarizedNeed;
pub use suppression::UnusedSuppression;
