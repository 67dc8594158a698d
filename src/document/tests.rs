//! Tests of documents: what is found in them, and that reading after an edit finds what reading anew finds.

mod findings;
mod fixes;
mod incremental;
mod mending;
mod secrets;
