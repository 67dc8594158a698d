//! The forms of objects in message logs, as data: the built-in forms and the forms of
//! configurations.
//!
//! [`FormTable`] is what documents are read by. Its first row that fits an object counts; rows of
//! configurations precede the built-in ones. The rows are in [`built_in`], made by `rows`.
//!
//! Tool uses in the text of a message have readers of their own: `details`, `glaive`, `markup`,
//! `python`, `steps` and `tokens`.

pub mod around;
pub mod built_in;
mod clash;
pub mod details;
pub mod element;
pub mod element_forms;
pub mod form;
mod glaive;
mod lookup;
pub mod markup;
pub mod names;
mod python;
pub mod results;
mod rows;
mod steps;
mod text;
pub mod tokens;
mod tools;
pub use clash::{Clash, clash, is_built_in};
pub use lookup::{
    FormTable, KnownKey, LIST_KEYS, MOST_ATTRIBUTES, Member, Members, result_form, result_template,
};
pub use text::{OwnText, TextPiece, TextValue, unread};
