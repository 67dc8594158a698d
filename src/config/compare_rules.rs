//! The rules of `chatls run --compare` for values that may differ, from its options and from
//! `[compare]`.
//!
//! Paths are JSONPath queries (RFC 9535).

use regex::Regex;
use serde_json_path::JsonPath;

use crate::nearest::{did_you_mean, nearest};

/// The rules for values that may differ.
#[derive(Clone, Debug, Default)]
pub struct CompareRules {
    /// The rules for values by path.
    pub rules: Vec<CompareRule>,
    /// The patterns of parts of texts that may differ.
    pub masks: Vec<Regex>,
}

/// A rule for values.
#[derive(Clone, Debug)]
pub struct CompareRule {
    /// The tool to whose results it applies; `None` for all tools.
    pub tool: Option<String>,
    /// The values.
    pub path: JsonPath,
    /// The pattern of the new value; without one it may be anything.
    pub pattern: Option<ValuePattern>,
}

/// A pattern of a value.
#[derive(Clone, Debug)]
pub enum ValuePattern {
    /// A type: one of `TYPES`.
    Type(&'static str),
    /// Of a string, or of the JSON text of another value.
    Text(Regex),
}

/// The names of types in patterns.
const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "null", "array", "object"];

/// The `[compare]` table: rules as written, without invalid ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompareSettings {
    /// The arguments of [`CompareRules::ignore`].
    pub ignored: Vec<String>,
    /// The arguments of [`CompareRules::accept`].
    pub accepted: Vec<String>,
    /// The arguments of [`CompareRules::mask`].
    pub masks: Vec<String>,
}

impl CompareSettings {
    /// The rules.
    ///
    /// # Errors
    ///
    /// The reason why one of them is invalid.
    pub fn rules(&self) -> Result<CompareRules, String> {
        let mut rules = CompareRules::default();
        self.ignored.iter().try_for_each(|rule| rules.ignore(rule))?;
        self.accepted.iter().try_for_each(|rule| rules.accept(rule))?;
        self.masks.iter().try_for_each(|rule| rules.mask(rule))?;
        Ok(rules)
    }
}

impl CompareRules {
    /// Ignores the values that `query` selects: a JSONPath, optionally after `TOOL:`.
    ///
    /// # Errors
    ///
    /// The reason why it is not a query.
    pub fn ignore(&mut self, query: &str) -> Result<(), String> {
        self.add(query, None)
    }

    /// Accepts values that match: a query, `=`, and `/REGULAR EXPRESSION/` or the name of a type.
    ///
    /// # Errors
    ///
    /// The reason why it is not valid.
    pub fn accept(&mut self, rule: &str) -> Result<(), String> {
        let of_text = rule.strip_suffix('/').and_then(|rule| rule.split_once("=/"));
        if let Some((query, pattern)) = of_text {
            let pattern = regex(pattern)?;
            return self.add(query, Some(ValuePattern::Text(pattern)));
        }
        let (query, name) = rule.rsplit_once('=').ok_or("write PATH=TYPE or PATH=/REGULAR EXPRESSION/")?;
        let Some(found) = TYPES.into_iter().find(|known| *known == name) else {
            let hint = did_you_mean(&nearest(name, TYPES));
            return Err(format!("`{name}` is not a type{hint}: write one of {}", TYPES.join(", ")));
        };
        self.add(query, Some(ValuePattern::Type(found)))
    }

    /// Ignores what the regular expression `pattern` finds in texts.
    ///
    /// # Errors
    ///
    /// The reason why it is not valid.
    pub fn mask(&mut self, pattern: &str) -> Result<(), String> {
        self.masks.push(regex(pattern)?);
        Ok(())
    }

    fn add(&mut self, query: &str, pattern: Option<ValuePattern>) -> Result<(), String> {
        let (tool, path) = match query.split_once(":$") {
            Some((tool, _)) if !query.starts_with('$') => {
                (Some(tool.to_owned()), query.get(tool.len() + 1..).unwrap_or_default())
            }
            _ => (None, query),
        };
        let path = JsonPath::parse(path).map_err(|error| format!("`{path}` is not a JSONPath: {error}"))?;
        self.rules.push(CompareRule { tool, path, pattern });
        Ok(())
    }
}

/// Reads a regular expression. The error is the reason why it is not valid.
pub(super) fn regex(pattern: &str) -> Result<Regex, String> {
    Regex::new(pattern).map_err(|error| {
        // The other lines draw the place.
        let error = error.to_string();
        let reason = error.lines().last().unwrap_or_default();
        let reason = reason.strip_prefix("error: ").unwrap_or(reason);
        format!("`{pattern}` is not a regular expression: {reason}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_rules_have_reasons() {
        let mut rules = CompareRules::default();
        let reasons = [
            rules.ignore("time"),
            rules.accept("$.x=strin"),
            rules.accept("$.x"),
            rules.accept("$.x=/(/"),
            rules.mask("[a"),
        ];
        let expected = [
            "`time` is not a JSONPath: ",
            "`strin` is not a type; did you mean `string`?",
            "write PATH=TYPE or PATH=/REGULAR EXPRESSION/",
            "`(` is not a regular expression: unclosed group",
            "`[a` is not a regular expression: unclosed character class",
        ];
        for (reason, expected) in reasons.into_iter().zip(expected) {
            let reason = reason.expect_err("invalid");
            assert!(reason.starts_with(expected) && !reason.contains('\n'), "{reason}");
        }
    }
}
