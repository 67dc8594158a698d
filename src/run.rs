//! Running tools: the calls of a transcript, and what comes back.
//!
//! Nothing here runs unasked: callers pass what the user agreed to.

pub mod preset;
