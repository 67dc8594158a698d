//! Writes a `<tool>` block; shared by the dialects `tag` and `legacy`.

use crate::dialect::tag::{TOOL, escape};

/// The `<tool>` block of a call and its result in plain text.
pub(super) fn block_of(call: &str, result: Option<&str>) -> String {
    let result = result.map(|result| format!("\n{}", escape(result))).unwrap_or_default();
    format!("{}{}{result}{}", TOOL.0, escape(call), TOOL.1)
}
