//! Compares a recorded result with the result of the same call now, by JSON path.
//!
//! The paths of differences are normalized paths of JSONPath (RFC 9535).

use serde_json::Value;

use crate::call::{ToolUse, UseData};
use crate::config::{CompareRules, ValuePattern};
use crate::schema::wording::type_of_value;

/// Maximum number of differences that are listed for a result.
const MOST: usize = 100;

/// The differences of two results.
#[derive(Clone, Debug, PartialEq)]
pub enum ResultDifferences {
    /// There are none.
    None,
    /// Values at paths.
    Values(Vec<ValueDifference>),
    /// Texts that differ, after masking by rules.
    Text {
        /// The recorded text.
        recorded: String,
        /// The text now.
        now: String,
    },
}

/// Values that differ.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueDifference {
    /// The normalized path: `$['files'][0]`.
    pub path: String,
    /// The recorded value, if there is one.
    pub recorded: Option<Value>,
    /// The value now, if there is one.
    pub now: Option<Value>,
}

impl CompareRules {
    /// Compares the results of two tool uses with the same call.
    pub fn compare(&self, recorded: &ToolUse, now: &ToolUse) -> ResultDifferences {
        let tool = recorded.name.as_deref().unwrap_or_default();
        match (&recorded.error_text, &now.error_text) {
            (Some(recorded), Some(now)) => return self.whole_texts(tool, recorded, now),
            (None, None) => {}
            (old, new) => {
                let value = |error: &Option<String>, tool_use: &ToolUse| match error {
                    Some(text) => serde_json::json!({ "error": text }),
                    None => tool_use.output.as_ref().map(value_of).unwrap_or_default(),
                };
                let (recorded, now) = (Some(value(old, recorded)), Some(value(new, now)));
                return ResultDifferences::Values(vec![ValueDifference {
                    path: "$".to_owned(),
                    recorded,
                    now,
                }]);
            }
        }
        let (Some(recorded), Some(now)) = (&recorded.output, &now.output) else {
            return match recorded.output == now.output {
                true => ResultDifferences::None,
                false => self.values(
                    tool,
                    &recorded.output.as_ref().map(value_of).unwrap_or_default(),
                    &now.output.as_ref().map(value_of).unwrap_or_default(),
                ),
            };
        };
        match (value_of(recorded), value_of(now)) {
            (Value::String(recorded), Value::String(now)) => self.whole_texts(tool, &recorded, &now),
            (recorded, now) => self.values(tool, &recorded, &now),
        }
    }

    /// Compares results that are texts, as a whole by the rules for the path `$`.
    fn whole_texts(&self, tool: &str, recorded: &str, now: &str) -> ResultDifferences {
        let (old, new) = (Value::from(recorded), Value::from(now));
        match self.places(tool, &old, &new).iter().any(|(place, _)| place.is_empty()) {
            true => self.values(tool, &old, &new),
            false => self.texts(recorded, now),
        }
    }

    fn texts(&self, recorded: &str, now: &str) -> ResultDifferences {
        let masked = |text: &str| {
            self.masks.iter().fold(text.to_owned(), |text, mask| mask.replace_all(&text, "…").into_owned())
        };
        let (recorded, now) = (masked(recorded), masked(now));
        if recorded == now { ResultDifferences::None } else { ResultDifferences::Text { recorded, now } }
    }

    /// The places that the rules for `tool` select, as JSON Pointers (RFC 6901), with their
    /// patterns.
    fn places(&self, tool: &str, recorded: &Value, now: &Value) -> Vec<(String, Option<&ValuePattern>)> {
        let of_tool = self.rules.iter().filter(|rule| rule.tool.as_deref().is_none_or(|it| it == tool));
        let places = of_tool.flat_map(|rule| {
            let found = [recorded, now].into_iter().flat_map(|value| {
                rule.path.query_located(value).locations().map(|it| it.to_json_pointer()).collect::<Vec<_>>()
            });
            found.map(|place| (place, rule.pattern.as_ref())).collect::<Vec<_>>()
        });
        places.collect()
    }

    fn values(&self, tool: &str, recorded: &Value, now: &Value) -> ResultDifferences {
        let rules = self.places(tool, recorded, now);
        let mut comparer = ValueComparer { rules, masks: self, found: Vec::new() };
        comparer.compare("", "$", Some(recorded), Some(now));
        if comparer.found.is_empty() {
            ResultDifferences::None
        } else {
            ResultDifferences::Values(comparer.found)
        }
    }
}

/// The value of an output. Text that is an object or array of JSON is compared as that value:
/// message logs and text dialects keep values as text.
fn value_of(data: &UseData) -> Value {
    let text = match data {
        UseData::Json(json) => match serde_json::from_str(json) {
            Ok(Value::String(text)) => text,
            Ok(value) => return value,
            Err(_) => json.clone(),
        },
        other => other.to_text(),
    };
    match serde_json::from_str(&text) {
        Ok(value @ (Value::Object(_) | Value::Array(_))) => value,
        _ => Value::String(text),
    }
}

struct ValueComparer<'r> {
    /// See [`CompareRules::places`].
    rules: Vec<(String, Option<&'r ValuePattern>)>,
    masks: &'r CompareRules,
    found: Vec<ValueDifference>,
}

impl ValueComparer<'_> {
    /// Compares two values at `pointer`, whose normalized path is `path`.
    fn compare(&mut self, pointer: &str, path: &str, recorded: Option<&Value>, now: Option<&Value>) {
        let here: Vec<_> = self.rules.iter().filter(|(place, _)| place == pointer).collect();
        let is_accepted = |pattern: &ValuePattern| now.is_some_and(|now| pattern.accepts(now));
        if !here.is_empty() && here.iter().all(|(_, pattern)| pattern.is_none_or(is_accepted)) {
            return;
        }
        match (recorded, now) {
            (Some(Value::Object(old)), Some(Value::Object(new))) if here.is_empty() => {
                let added = new.keys().filter(|key| !old.contains_key(*key));
                for key in old.keys().chain(added) {
                    let pointer = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
                    let path = format!("{path}['{}']", escaped(key));
                    self.compare(&pointer, &path, old.get(key), new.get(key));
                }
            }
            (Some(Value::Array(old)), Some(Value::Array(new))) if here.is_empty() => {
                for index in 0..old.len().max(new.len()) {
                    let (pointer, path) = (format!("{pointer}/{index}"), format!("{path}[{index}]"));
                    self.compare(&pointer, &path, old.get(index), new.get(index));
                }
            }
            (Some(old), Some(new)) if here.is_empty() && self.is_same(old, new) => {}
            _ if self.found.len() < MOST => self.found.push(ValueDifference {
                path: path.to_owned(),
                recorded: recorded.cloned(),
                now: now.cloned(),
            }),
            _ => {}
        }
    }

    fn is_same(&self, old: &Value, new: &Value) -> bool {
        match (old, new) {
            (Value::Number(old), Value::Number(new)) => old == new || old.as_f64() == new.as_f64(),
            (Value::String(old), Value::String(new)) => self.masks.texts(old, new) == ResultDifferences::None,
            _ => old == new,
        }
    }
}

impl ValuePattern {
    fn accepts(&self, value: &Value) -> bool {
        match self {
            Self::Text(pattern) => match value {
                Value::String(text) => pattern.is_match(text),
                value => pattern.is_match(&value.to_string()),
            },
            Self::Type("integer") => value.as_f64().is_some_and(|number| number.fract() == 0.0),
            Self::Type(name) => type_of_value(value) == *name,
        }
    }
}

/// A key in a normalized path (RFC 9535, section 2.7).
fn escaped(key: &str) -> String {
    let mut written = String::with_capacity(key.len());
    for c in key.chars() {
        match c {
            '\'' | '\\' => written.extend(['\\', c]),
            '\u{8}' => written.push_str("\\b"),
            '\t' => written.push_str("\\t"),
            '\n' => written.push_str("\\n"),
            '\u{c}' => written.push_str("\\f"),
            '\r' => written.push_str("\\r"),
            c if c < ' ' => written.push_str(&format!("\\u{:04x}", c as u32)),
            c => written.push(c),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(output: UseData) -> ToolUse {
        ToolUse { name: Some("t".to_owned()), output: Some(output), ..ToolUse::default() }
    }

    fn rules(ignored: &[&str], accepted: &[&str], masks: &[&str]) -> CompareRules {
        let mut rules = CompareRules::default();
        ignored.iter().for_each(|it| rules.ignore(it).expect("a query"));
        accepted.iter().for_each(|it| rules.accept(it).expect("a pattern"));
        masks.iter().for_each(|it| rules.mask(it).expect("a pattern"));
        rules
    }

    /// The paths at which the values differ.
    #[track_caller]
    fn check(rules: &CompareRules, recorded: &Value, now: &Value, expected: &[&str]) {
        let json = |value: &Value| of(UseData::Json(value.to_string()));
        let found = match rules.compare(&json(recorded), &json(now)) {
            ResultDifferences::None => Vec::new(),
            ResultDifferences::Values(found) => found.into_iter().map(|one| one.path).collect(),
            ResultDifferences::Text { .. } => vec!["text".to_owned()],
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn values_are_compared_by_path() {
        let none = CompareRules::default();
        check(&none, &json!({"a": 1, "b": [1, 2]}), &json!({"b": [1, 2], "a": 1.0}), &[]);
        check(
            &none,
            &json!({"a": 1, "b": [1, 2]}),
            &json!({"b": [1, 3, 4], "c": 1}),
            &["$['a']", "$['b'][1]", "$['b'][2]", "$['c']"],
        );
        check(&none, &json!({"it's/~": 1}), &json!({"it's/~": 2}), &["$['it\\'s/~']"]);
        check(&none, &json!("a"), &json!("b"), &["text"]);
        check(&none, &json!("a"), &json!(["a"]), &["$"]);
    }

    #[test]
    fn rules_say_what_may_differ() {
        let old = json!({"time": 1, "id": "a1", "items": [{"id": 1, "n": 1}]});
        let new = json!({"time": 2, "id": "b2", "items": [{"id": 2, "n": 1}]});
        check(&rules(&["$.time", "$..id"], &[], &[]), &old, &new, &[]);
        check(&rules(&["t:$.time"], &["$.id=/^[a-z][0-9]$/", "$.items[*].id=integer"], &[]), &old, &new, &[]);
        check(
            &rules(&["other:$.time", "$.items"], &["$.id=number"], &[]),
            &old,
            &new,
            &["$['time']", "$['id']"],
        );
        check(&rules(&["$.gone"], &[], &[]), &json!({"gone": 1}), &json!({}), &[]);
        check(&rules(&[], &["$.x=string"], &[]), &json!({"x": "a"}), &json!({}), &["$['x']"]);
        check(&rules(&[], &[], &["[0-9]+ ms"]), &json!("took 5 ms"), &json!("took 17 ms"), &[]);
    }

    #[test]
    fn rules_for_the_whole_result_count_for_texts() {
        let (old, new) = (json!("took 5 ms"), json!("took 17 ms"));
        check(&rules(&["$"], &[], &[]), &old, &new, &[]);
        check(&rules(&["other:$"], &[], &[]), &old, &new, &["text"]);
        check(&rules(&["$.time"], &[], &[]), &old, &new, &["text"]);
        check(&rules(&[], &["$=/^took [0-9]+ ms$/"], &[]), &old, &new, &[]);
        check(&rules(&[], &["$=number"], &[]), &old, &new, &["$"]);
        let failed = |text: &str| ToolUse {
            name: Some("t".to_owned()),
            error_text: Some(text.to_owned()),
            ..ToolUse::default()
        };
        let compare = |rules: &CompareRules| rules.compare(&failed("no 1"), &failed("no 2"));
        assert_eq!(compare(&rules(&["t:$"], &[], &[])), ResultDifferences::None);
        assert!(matches!(compare(&rules(&[], &[], &[])), ResultDifferences::Text { .. }));
    }

    #[test]
    fn text_that_is_json_is_compared_as_such() {
        let text = |text: &str| of(UseData::Text(text.to_owned()));
        let found =
            CompareRules::default().compare(&text("{\"a\": 1}"), &of(UseData::Json("{\"a\":1}".to_owned())));
        assert_eq!(found, ResultDifferences::None);
        let failed = ToolUse { error_text: Some("no".to_owned()), ..ToolUse::default() };
        assert!(matches!(CompareRules::default().compare(&text("a"), &failed), ResultDifferences::Values(_)));
    }
}
