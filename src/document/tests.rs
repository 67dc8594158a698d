//! Tests of documents: their diagnostics, and that an edit has the same result as parsing anew.

mod bounds;
mod call_positions;
mod condensed;
mod diagnostics;
mod dialects;
mod edited_messages;
mod encoded;
mod evidence;
mod fences;
mod fixes;
mod fixing;
mod incremental;
mod links;
mod logs;
mod lost_parents;
mod records;
mod references;
mod repetitions;
mod requests;
mod secrets;
mod sources;
mod suppression;
mod threads;
mod tool_lists;
mod turn_numbers;
mod turns;
