//! The fallback ids of calls without an id: `tool-call-N` in tool fences, `DIALECT-call-N`
//! elsewhere (formats.md §1).

use std::collections::BTreeMap;

use crate::dialect::fence;

/// The prefix of the fallback id of a tool fence.
const OF_FENCES: &str = "tool-call-";

/// Numbers the calls of each dialect.
#[derive(Default)]
pub struct CallNumbers(BTreeMap<&'static str, u32>);

impl CallNumbers {
    /// The number of the next call, which is of `dialect`, from 1.
    pub fn next(&mut self, dialect: &'static str) -> u32 {
        let count = self.0.entry(dialect).or_default();
        *count += 1;
        *count
    }
}

/// The fallback id of the call with this number of a dialect.
pub fn fallback_id(dialect: &str, number: u32) -> String {
    match dialect == fence::DIALECT.name {
        true => format!("{OF_FENCES}{number}"),
        false => format!("{dialect}-call-{number}"),
    }
}

/// The number of the tool fence with the fallback id `id`.
pub(super) fn number_of_fence(id: &str) -> Option<u32> {
    let number = id.strip_prefix(OF_FENCES)?;
    (!number.starts_with(['0', '+'])).then(|| number.parse().ok())?
}
