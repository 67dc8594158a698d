//! An XML writer for report formats: elements, attributes and text, each element on its own line.

use std::borrow::Cow;
use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::escape::escape;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use quick_xml::name::QName;

use crate::cli::console::printable;
use crate::never::OrNever;

/// Writes XML to `W`.
pub(super) struct XmlWriter<W: Write> {
    writer: Writer<W>,
}

impl<W: Write> XmlWriter<W> {
    pub fn new(out: W) -> Self {
        Self { writer: Writer::new_with_indent(out, b' ', 2) }
    }

    /// Writes the XML declaration.
    pub fn declare(&mut self) -> io::Result<()> {
        self.writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))
    }

    /// Writes the start tag of the element `name`.
    pub fn begin(&mut self, name: &str, attributes: &[(&str, &str)]) -> io::Result<()> {
        self.writer.write_event(Event::Start(element(name, attributes)))
    }

    /// Writes the empty element `name`.
    pub fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) -> io::Result<()> {
        self.writer.write_event(Event::Empty(element(name, attributes)))
    }

    /// Writes the element `name` with the content `text`.
    pub fn text(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) -> io::Result<()> {
        self.writer.write_event(Event::Start(element(name, attributes)))?;
        self.writer.write_event(Event::Text(BytesText::new(&legal(text))))?;
        self.end(name)
    }

    /// Writes the end tag of the element `name`.
    pub fn end(&mut self, name: &str) -> io::Result<()> {
        self.writer.write_event(Event::End(BytesEnd::new(name)))
    }

    /// Writes the last line end and flushes.
    pub fn finish(&mut self) -> io::Result<()> {
        self.writer.get_mut().write_all(b"\n")?;
        self.writer.get_mut().flush()
    }
}

fn element<'a>(name: &'a str, attributes: &[(&str, &str)]) -> BytesStart<'a> {
    let mut element = BytesStart::new(name);
    for (key, value) in attributes {
        // Parsers normalize a line end to a space unless it is a character reference.
        let value = escape(legal(value)).replace('\n', "&#10;").replace('\r', "&#13;").replace('\t', "&#9;");
        element.push_attribute(Attribute { key: QName(key), value: value.into() });
    }
    element
}

/// Replaces characters of `text` that XML 1.0 cannot represent even as references, and control
/// characters of terminals, by escapes in Rust's syntax.
fn legal(text: &str) -> Cow<'_, str> {
    let is_space = |character: char| matches!(character, '\t' | '\n' | '\r');
    let part = |part: &str| match part.strip_suffix(is_space) {
        Some(content) => [&*printable(content), part.get(content.len()..).or_never()].concat(),
        None => printable(part).into_owned(),
    };
    let text: String = text.split_inclusive(is_space).map(part).collect();
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}").into()
}
