//! Tests of documents: what is found in them, and that reading after an edit finds what reading anew finds.

mod bounds;
mod evidence;
mod findings;
mod fixes;
mod incremental;
mod links;
mod mending;
mod records;
mod references;
mod secrets;
mod spot;
mod suppression;
