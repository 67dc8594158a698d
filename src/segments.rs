//! The data that a document stores of each segment (its blocks, messages and diagnostics), and how
//! they are read from the text.

pub mod block_unit;
pub mod containers;
pub mod conversations;
pub mod data;
pub mod delta_pieces;
pub mod json_objects;
mod json_text;
pub mod kept;
pub mod language;
pub mod line_faults;
pub mod long_text;
mod message_starts;
pub mod program_lines;
pub mod read;
pub mod reader;
pub mod requests;
pub mod secrets;

pub(crate) use block_unit::ReadContext;
pub use conversations::{ConversationKey, MessageArray};
pub(crate) use delta_pieces::{DeltaPiece, DeltaRecord, FencedDeltaText};
pub(crate) use read::units;
