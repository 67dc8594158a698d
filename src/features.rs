//! One file per editor feature: plain data in, plain data out; features do not know each other.

pub mod code_actions;
pub mod folding;
pub mod formatting;
pub mod goto;
pub mod highlights;
pub mod linked_editing;
pub mod references;
pub mod rename;
pub mod selection_range;
pub mod symbols;
