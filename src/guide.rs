//! Documentation of tools, parameters, fields and states for hovers and completions.
//!
//! Texts on tools and parameters come from their authors, those on fields and states from
//! formats.md.

mod fields;
mod tools;

pub use fields::{field, record, state, state_names};
pub use tools::{decoded, tool, value, value_description};
