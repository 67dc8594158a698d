//! Tests of documents: what is found in them, and that reading after an edit finds what reading anew finds.

mod findings;
mod incremental;
mod links;
mod references;
mod secrets;
mod suppression;
