//! The error-tolerant parser: its errors, prefixes, values, and its agreement with `serde_json`.

mod faults;
pub(super) mod oracle;
mod values;

use super::{JsonTape, parse, parse_prefix};

/// Parses `text` and checks the invariants of the tape.
fn check(text: &str) -> JsonTape {
    let json = parse(text);
    json.assert_invariants(text);
    parse_prefix(text).assert_invariants(text);
    json
}
