//! What tools, parameters, fields and states are, for people who read or write them: what hovers and completions show.
//!
//! Of tools and parameters their authors have the word; of fields and states formats.md has it.

mod fields;
mod tools;

pub use fields::{field, record, state, state_names};
pub use tools::{decoded, tool, value, value_description};
