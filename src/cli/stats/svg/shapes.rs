//! Shapes as XML.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::BytesText;

/// Where a picture is written.
pub(super) type SvgWriter<'o> = Writer<&'o mut dyn Write>;

/// Where a text stands to its place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    /// Behind it.
    Start,
    /// Around it.
    Middle,
    /// Before it.
    End,
}

/// The gap between two pieces of a text.
const GAP: &str = "6";

/// A text with a class for each piece of it. Blank space between pieces is no text, which readers treat differently.
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

/// An element that only holds text.
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

/// A rectangle with its corner at `at`.
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

/// A line.
pub(super) fn line(xml: &mut SvgWriter<'_>, class: &str, from: (f64, f64), to: (f64, f64)) -> io::Result<()> {
    shape(xml, "line", class, &[("x1", from.0), ("y1", from.1), ("x2", to.0), ("y2", to.1)])
}

/// A circle.
pub(super) fn circle(xml: &mut SvgWriter<'_>, class: &str, at: (f64, f64), radius: f64) -> io::Result<()> {
    shape(xml, "circle", class, &[("cx", at.0), ("cy", at.1), ("r", radius)])
}

/// A group that `title` tells of: where it is pointed at, too.
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

/// A length with one digit behind the point, where it has some.
fn length(length: f64) -> String {
    let rounded = format!("{length:.1}");
    rounded.strip_suffix(".0").map_or_else(|| rounded.clone(), str::to_owned)
}

/// `text` without the two characters that no command to a terminal is and that XML cannot say.
fn content(text: &str) -> BytesText<'static> {
    BytesText::new(&text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")).into_owned()
}
