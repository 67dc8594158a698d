//! Calls, blocks, names and passages by their places in a document, for features and fixes; and the
//! edits that place text in it.

mod block_boundary;
pub mod block_position;
pub mod call_position;
mod expanded;
mod inner_call;
mod listed_tool;
pub mod name_occurrences;
mod passages;
mod rewrite;

pub(crate) use block_boundary::{BlockBoundary, with_prefixes};
pub use block_position::BlockPosition;
pub use call_position::CallPosition;
pub use name_occurrences::{NameOccurrence, NamedItem};
pub use passages::{DocumentPassage, OmittedBlock, RangeMapper, without_bare_marks};
pub use rewrite::BlockPlacement;
pub(crate) use rewrite::{container_prefix, line_end};
