//! Writes JSON that is sent in great numbers. Of short objects, serde_json would spend most of the
//! time on searching the keys for characters to escape.

use serde::Serialize;

use crate::text::{ClientPosition, ClientRange};

/// Appends JSON to a message.
pub struct JsonWriter<'b>(pub(super) &'b mut Vec<u8>);

impl JsonWriter<'_> {
    /// Appends `json` as it is.
    pub fn raw(&mut self, json: &str) {
        self.0.extend_from_slice(json.as_bytes());
    }

    /// Appends `before` as it is, then `value`.
    ///
    /// # Errors
    ///
    /// The errors of the value's own `Serialize`.
    pub fn value(&mut self, before: &str, value: &(impl Serialize + ?Sized)) -> serde_json::Result<()> {
        self.raw(before);
        serde_json::to_writer(&mut *self.0, value)
    }

    /// Appends `before` as it is, then `range` as LSP has it.
    ///
    /// # Errors
    ///
    /// None in practice.
    pub fn range(&mut self, before: &str, range: ClientRange) -> serde_json::Result<()> {
        self.raw(before);
        let mut position = |before: &str, ClientPosition { line, column }: ClientPosition| {
            self.value(before, &line)?;
            self.value(",\"character\":", &column)
        };
        position("{\"start\":{\"line\":", range.start)?;
        position("},\"end\":{\"line\":", range.end)?;
        self.raw("}}");
        Ok(())
    }

    /// Appends an array of `items`, each of which `write` appends.
    ///
    /// # Errors
    ///
    /// The errors of `write`.
    pub fn array<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T) -> serde_json::Result<()>,
    ) -> serde_json::Result<()> {
        let mut before = "[";
        for item in items {
            self.raw(before);
            write(self, item)?;
            before = ",";
        }
        self.raw(if before == "[" { "[]" } else { "]" });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_json() {
        let mut bytes = Vec::new();
        let mut json = JsonWriter(&mut bytes);
        let position = |line, column| ClientPosition { line, column };
        let range = ClientRange { start: position(1, 2), end: position(3, 4) };
        let texts: [&[&str]; 3] = [&[], &["\"é\n"], &["a", "b"]];
        json.value("{\"texts\":", &1).expect("a number");
        json.range(",\"range\":", range).expect("a range");
        json.raw(",\"arrays\":");
        let list =
            |json: &mut JsonWriter<'_>, text: &[&str]| json.array(text, |json, text| json.value("", text));
        json.array(texts, list).expect("texts");
        json.raw("}");
        let expected = r#"{"texts":1,"range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}},"arrays":[[],["\"é\n"],["a","b"]]}"#;
        assert_eq!(String::from_utf8(bytes).as_deref(), Ok(expected));
    }
}
