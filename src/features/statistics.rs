//! Statistics of tool uses: counts per tool or other group, results, sizes and failures.

pub mod counts;
pub mod failures;
pub mod groups;
pub mod json;
mod kinds;
pub mod report;
pub mod sizes;
