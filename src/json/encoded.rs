//! JSON in strings of JSON: positions and edits of the decoded text, through all escapes.

use super::string::SourceMap;
use super::write::escaped;
use crate::text::{Span, saturate};

/// A JSON string whose decoded text is JSON itself. It may be inside another such string.
#[derive(Clone, Copy, Debug)]
pub struct EncodedString<'a> {
    map: &'a SourceMap<'a>,
    /// The start of the text in question in the decoded text.
    start: u32,
    outer: Option<&'a EncodedString<'a>>,
}

impl<'a> EncodedString<'a> {
    /// The string with the source map `map`; `outer` is the string whose decoded text contains it.
    pub fn new(map: &'a SourceMap<'a>, outer: Option<&'a EncodedString<'a>>) -> Self {
        Self { map, start: 0, outer }
    }

    /// The part of the text of the string with this map that begins at `start`.
    pub fn part(map: &'a SourceMap<'a>, start: usize) -> Self {
        Self { map, start: saturate(start), outer: None }
    }

    /// Number of strings around the decoded text, it included.
    pub fn depth(&self) -> usize {
        1 + self.outer.map_or(0, Self::depth)
    }

    /// The span in the outermost text of `span`, bytes of the decoded text; includes whole escapes.
    pub fn span(&self, span: Span) -> Span {
        let span = span.shifted(self.start as usize);
        let span = self.map.to_source_span(span.start as usize, span.end as usize);
        self.outer.map_or(span, |outer| outer.span(span))
    }

    /// Maps the byte `at` from the outermost text to the decoded text; `None` outside of the
    /// string.
    pub fn decoded(&self, at: usize) -> Option<usize> {
        let at = self.outer.map_or(Some(at), |outer| outer.decoded(at))?;
        self.map.to_decoded(at)?.checked_sub(self.start as usize)
    }

    /// Escapes `text` for the outermost text.
    pub fn written(&self, text: &str) -> String {
        let text = escaped(text);
        self.outer.map_or_else(|| text.clone(), |outer| outer.written(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn two_levels_are_mapped_both_ways() {
        let text = r#" "{\"a\": \"{\\\"é\\\": 1}\"}" "#;
        let tape = parse(text);
        let (outer_text, outer) = tape.root(text).and_then(|value| value.as_str_with_map()).unwrap();
        let outer_tape = parse(&outer_text);
        let value = outer_tape.root(&outer_text).and_then(|value| value.get("a")).unwrap();
        let (inner_text, inner) = value.as_str_with_map().unwrap();
        assert_eq!(inner_text, r#"{"é": 1}"#);
        let outer = EncodedString::new(&outer, None);
        let inner = EncodedString::new(&inner, Some(&outer));
        assert_eq!(inner.span(Span::new(1, 5)).of(text), r#"\\\"é\\\""#);
        assert_eq!(inner.span(Span::new(7, 8)).of(text), "1");
        for at in [0, 1, 2, 4, 5, 7, 9] {
            assert_eq!(inner.decoded(inner.span(Span::empty(at)).start as usize), Some(at));
        }
        assert_eq!((outer.depth(), inner.depth()), (1, 2));
        assert_eq!(inner.decoded(0), None);
        assert_eq!(inner.decoded(text.len()), None);
        assert_eq!(inner.written("\"x\n\""), r#"\\\"x\\n\\\""#);
    }
}
