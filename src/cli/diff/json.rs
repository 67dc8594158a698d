//! `--format json` of `diff`: one object.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::DiffSide;
use crate::call::ToolUse;
use crate::features::compare::{Comparison, Difference, UsePair, id_of};
use crate::json::with_whole_characters;

/// Writes all pairs, including equal ones.
pub(super) fn write(
    out: &mut dyn Write,
    left: &DiffSide,
    right: &DiffSide,
    found: &Comparison,
) -> io::Result<()> {
    let tool_use = |side: &DiffSide, one: &ToolUse| {
        let mut described = json!({"toolName": one.shown_name(), "line": side.line(one.range.start)});
        if let Some(id) = id_of(one) {
            described["toolCallId"] = id.into();
        }
        described
    };
    let pair = |pair: &UsePair| {
        let differences: Vec<Value> = pair.differences.iter().map(difference).collect();
        let mut described = json!({
            "left": tool_use(left, &pair.left),
            "right": tool_use(right, &pair.right),
            "by": if pair.by_id { "id" } else { "order" },
            "differences": differences,
        });
        if pair.more > 0 {
            described["moreDifferences"] = pair.more.into();
        }
        described
    };
    let described = json!({
        "left": left.shown,
        "right": right.shown,
        "pairs": found.pairs.iter().map(pair).collect::<Vec<_>>(),
        "onlyLeft": found.only_left.iter().map(|one| tool_use(left, one)).collect::<Vec<_>>(),
        "onlyRight": found.only_right.iter().map(|one| tool_use(right, one)).collect::<Vec<_>>(),
    });
    serde_json::to_writer(&mut *out, &described)?;
    writeln!(out)
}

fn difference(one: &Difference) -> Value {
    let mut described = json!({"path": one.path});
    for (key, value) in [("left", &one.left), ("right", &one.right)] {
        if let Some(value) = value {
            described[key] = value_of(value);
        }
    }
    described
}

/// Converts JSON text to a value. Text that strict parsers reject (deep nesting, numbers beyond an
/// f64) becomes a string.
fn value_of(text: &str) -> Value {
    let text = with_whole_characters(text);
    let value: Option<Value> = serde_json::from_str(&text).ok();
    // An f64 cannot represent numbers with more digits.
    let value = value.filter(|value| !value.is_number() || text.len() <= 15);
    value.unwrap_or_else(|| Value::String(text.into_owned()))
}
