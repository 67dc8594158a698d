//! The forms of objects in message logs, as data: the built-in ones, and those of configurations.
//!
//! [`FormTable`] is what documents are read by. Its first row that fits an object counts; rows of
//! configurations precede the built-in ones.

mod agents;
mod apps;
pub mod around;
mod chats;
mod clash;
mod clients;
mod cline;
mod damaged;
mod datasets;
pub mod details;
pub mod element;
pub mod element_forms;
mod elements;
mod events;
mod flat;
pub mod form;
mod frameworks;
mod glaive;
mod lookup;
pub mod markup;
mod messages;
pub mod names;
mod platforms;
mod python;
pub mod results;
mod rows;
mod runs;
mod steps;
mod streams;
pub mod table;
mod text;
pub mod tokens;
mod tools;
pub mod traces;

pub use clash::{Clash, clash, is_built_in};
pub use lookup::{
    FormTable, KnownKey, LIST_KEYS, MOST_ATTRIBUTES, Member, Members, result_form, result_template,
};
pub use text::{OwnText, TextPiece, TextValue, unread};
