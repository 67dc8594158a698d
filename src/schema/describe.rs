//! Short descriptions of types, for people who write a value.
//!
//! In the notation of values: `"a" | "b"`, `string (uri)`.

use super::{Parameter, ValueDescription};

/// Maximum number of characters of a type that lists its values.
const TYPE: usize = 80;

impl ValueDescription<'_> {
    /// The type: `"a" | "b"`, `string (uri)`, `integer | null`; empty if any type is allowed.
    pub fn type_words(&self) -> String {
        let values: Vec<_> = self.values.iter().map(|value| value.to_string()).collect();
        let values = values.join(" | ");
        if !values.is_empty() && values.chars().count() <= TYPE {
            return values;
        }
        let format = self.format.map(|format| format!(" ({format})")).unwrap_or_default();
        format!("{}{format}", self.types.join(" | "))
    }
}

impl Parameter<'_> {
    /// The type and whether the value is required: `string, required`.
    pub fn words(&self) -> String {
        let words = self.about.type_words();
        match (words.is_empty(), self.is_required) {
            (_, false) => words,
            (true, true) => "required".to_owned(),
            (false, true) => format!("{words}, required"),
        }
    }
}
