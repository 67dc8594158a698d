//! Tool uses of Open WebUI in the text of a message: elements whose attributes are JSON, escaped
//! for HTML (<https://github.com/open-webui/open-webui>, `serialize_content_blocks` in
//! `utils/middleware.py`).

use super::element::{Element, ElementBody, EscapedUse, is_name};
use super::markup::Elements;
use crate::json;

/// The beginning of its tag.
const OPENER: &str = "<details type=\"tool_calls\"";
/// A string in each text with such a tag, even if the tag is escaped.
pub(super) const SIGN: &str = "<details type=";
/// The end of the element.
const CLOSER: &str = "</details>";
/// Letters that are escaped in attributes; the last one last.
const ESCAPES: [(&str, &str); 6] =
    [("&quot;", "\""), ("&#x27;", "'"), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];

impl Elements<'_> {
    /// The tool use at `at`, where `line` is the rest of its line.
    pub(super) fn details(&mut self, at: usize, line: &str) -> Option<Element> {
        let behind = line.strip_prefix(OPENER)?;
        let start = at + OPENER.len();
        let tag = behind.get(..behind.find('>')?)?;
        let end = self.next(CLOSER, start)? + CLOSER.len();
        let attribute = |key: &str| {
            let value = start + tag.find(key)? + key.len();
            let len = self.text.get(value..start + tag.len())?.find('"')?;
            Some(value..value + len)
        };
        let is_done = tag.contains(" done=\"true\"");
        let (id, input) = (attribute(" id=\""), attribute(" arguments=\""));
        let output = attribute(" result=\"").filter(|_| is_done);
        let name = attribute(" name=\"").filter(|it| self.text.get(it.clone()).is_some_and(is_name))?;
        let body = ElementBody::Escaped(EscapedUse { id, input, output });
        Some(Element { range: at..end, name: Some(name), body })
    }
}

/// The text of an attribute; of a string of JSON its content.
pub fn unescaped(text: &str) -> String {
    let text = ESCAPES.iter().fold(text.to_owned(), |text, (escape, letter)| text.replace(escape, letter));
    let json = json::parse(&text);
    let content = json.root(&text).filter(|_| json.errors.is_empty()).and_then(|root| root.as_str());
    content.map_or_else(|| text.clone(), |content| content.into_owned())
}
