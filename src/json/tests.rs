//! The tolerant reader: its faults, beginnings, values, and its agreement with `serde_json`.

mod faults;
pub(super) mod oracle;
mod values;

use super::{JsonTape, parse, parse_prefix};

/// Parses `text`, checking what every tape promises.
fn check(text: &str) -> JsonTape {
    let json = parse(text);
    json.assert_invariants(text);
    parse_prefix(text).assert_invariants(text);
    json
}
