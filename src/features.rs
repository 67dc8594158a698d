//! One file per editor feature: plain data in, plain data out; features do not know each other.

pub mod code_actions;
pub mod folding;
pub mod symbols;
