//! SVG shapes.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::BytesText;

/// The writer of the SVG document.
pub(super) type SvgWriter<'o> = Writer<&'o mut dyn Write>;

/// The alignment of a text relative to its position (`text-anchor`).
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    /// The text starts at its position.
    Start,
    /// The text is centered on its position.
    Middle,
    /// The text ends at its position.
    End,
}

/// The gap between two pieces of a text.
const GAP: &str = "6";

/// Writes a text of pieces, each with its class. The pieces are positioned by an offset, because
/// viewers differ in their handling of white space.
pub(super) fn text(
    xml: &mut SvgWriter<'_>,
    at: (f64, f64),
    anchor: Anchor,
    pieces: &[(&str, &str)],
) -> io::Result<()> {
    let anchor = match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let (x, y) = (length(at.0), length(at.1));
    let element =
        xml.create_element("text").with_attributes([("x", x.as_str()), ("y", &y), ("text-anchor", anchor)]);
    match pieces {
        [(class, piece)] => element.with_attribute(("class", *class)).write_text_content(content(piece))?,
        _ => element.write_inner_content(|xml| {
            let some = pieces.iter().filter(|(_, piece)| !piece.is_empty());
            some.enumerate().try_for_each(|(index, (class, piece))| {
                let element = xml.create_element("tspan").with_attribute(("class", *class));
                let element = element.with_attributes((index > 0).then_some(("dx", GAP)));
                element.write_text_content(content(piece)).map(|_| ())
            })
        })?,
    };
    end(xml)
}

/// Writes an element that contains only text.
pub(super) fn text_element(
    xml: &mut SvgWriter<'_>,
    name: &str,
    id: Option<&str>,
    text: &str,
) -> io::Result<()> {
    let element = xml.create_element(name);
    element.with_attributes(id.map(|id| ("id", id))).write_text_content(content(text))?;
    end(xml)
}

/// Writes a rectangle with its top left corner at `at`.
pub(super) fn rectangle(
    xml: &mut SvgWriter<'_>,
    class: &str,
    at: (f64, f64),
    size: (f64, f64),
    radius: f64,
) -> io::Result<()> {
    let lengths = [("x", at.0), ("y", at.1), ("width", size.0), ("height", size.1), ("rx", radius)];
    shape(xml, "rect", class, &lengths)
}

/// Writes a line.
pub(super) fn line(xml: &mut SvgWriter<'_>, class: &str, from: (f64, f64), to: (f64, f64)) -> io::Result<()> {
    shape(xml, "line", class, &[("x1", from.0), ("y1", from.1), ("x2", to.0), ("y2", to.1)])
}

/// Writes a circle.
pub(super) fn circle(xml: &mut SvgWriter<'_>, class: &str, at: (f64, f64), radius: f64) -> io::Result<()> {
    shape(xml, "circle", class, &[("cx", at.0), ("cy", at.1), ("r", radius)])
}

/// Writes a group with a `title`, which viewers also show as a tooltip.
pub(super) fn group(
    xml: &mut SvgWriter<'_>,
    title: &str,
    draw: impl FnOnce(&mut SvgWriter<'_>) -> io::Result<()>,
) -> io::Result<()> {
    xml.create_element("g").write_inner_content(|xml| {
        text_element(xml, "title", None, title)?;
        draw(xml)
    })?;
    end(xml)
}

fn shape(xml: &mut SvgWriter<'_>, name: &str, class: &str, lengths: &[(&str, f64)]) -> io::Result<()> {
    let lengths: Vec<_> = lengths.iter().map(|(key, value)| (*key, length(*value))).collect();
    let element = xml.create_element(name).with_attribute(("class", class));
    element.with_attributes(lengths.iter().map(|(key, value)| (*key, value.as_str()))).write_empty()?;
    end(xml)
}

fn end(xml: &mut SvgWriter<'_>) -> io::Result<()> {
    xml.get_mut().write_all(b"\n")
}

/// Formats a length with at most one decimal.
fn length(length: f64) -> String {
    let rounded = format!("{length:.1}");
    rounded.strip_suffix(".0").map_or_else(|| rounded.clone(), str::to_owned)
}

/// Replaces U+FFFE and U+FFFF in `text`, which XML cannot represent.
fn content(text: &str) -> BytesText<'static> {
    BytesText::new(&text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")).into_owned()
}
