//! Tests of the tree: against other parsers, against itself after edits, and by fixtures.

mod headings;
mod incremental;
mod oracle;
mod regions;
mod soup;
