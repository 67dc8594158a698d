//! The containers of a piece of JSON text, with the members that forms ask for.
//!
//! One pass over the text, without a tape: strings are skipped, brackets of either kind count
//! alike. The text may begin and end between any two tokens.

use memchr::memchr3;

use crate::forms::{FormTable, Members};
use crate::text::saturate;

/// Number of bytes of a value that its test may need.
pub const PREVIEW: usize = 64;
/// Objects with more containers around them have no forms. Each message is read with the messages
/// in it, so this bounds how often a text is read: a message takes two containers.
pub const MOST_NESTED: u32 = 128;
/// The end of a container that is open at the end of the text.
const OPEN: u32 = u32::MAX;
/// The parent of a container whose parent begins before the text.
const OUTSIDE: u32 = u32::MAX;

/// An array or object.
#[derive(Clone, Debug)]
pub struct Container {
    /// The offset of its opening bracket.
    pub start: u32,
    end: u32,
    parent: u32,
    /// Number of containers that are closed between the start of the text and it without being
    /// opened there.
    pub outer_closes: u32,
    /// Number of containers of the text around it.
    pub depth: u32,
    /// True if it is an object.
    pub is_object: bool,
    /// Its members.
    pub members: Members,
}

impl Container {
    /// The offset after its closing bracket; `None` if that does not stand in the text.
    pub fn end(&self) -> Option<usize> {
        (self.end != OPEN).then_some(self.end as usize)
    }

    /// The index of the container that contains it; `None` if that begins before the text.
    pub fn parent(&self) -> Option<usize> {
        (self.parent != OUTSIDE).then_some(self.parent as usize)
    }
}

/// The containers of a piece of text, in order of their opening brackets.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// The containers.
    pub containers: Vec<Container>,
    /// The indices of the containers that are open at the end, outermost first.
    pub open: Vec<u32>,
    /// Number of closing brackets without an opening one.
    pub closes: u32,
}

impl Outline {
    /// The container around `inner`; `None` if that begins before the text.
    pub fn parent_of(&self, inner: &Container) -> Option<&Container> {
        self.containers.get(inner.parent()?)
    }

    /// The containers around the byte `at`, innermost first, without one that begins there.
    pub fn around(&self, at: usize) -> impl Iterator<Item = &Container> {
        let before = self.containers.partition_point(|container| (container.start as usize) < at);
        let last = before.checked_sub(1).and_then(|last| self.containers.get(last));
        let containers = std::iter::successors(last, |inner| self.parent_of(inner));
        containers.filter(move |container| container.end().is_none_or(|end| at < end))
    }
}

/// Reads the containers of `text`, with the members that `forms` ask for.
pub fn outline(text: &str, forms: &FormTable) -> Outline {
    let mut outline = Outline::default();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = outline.string(bytes, at, forms),
            b'{' | b'[' => {
                outline.begin(at, byte == b'{');
                at += 1;
            }
            b'}' | b']' => {
                at += 1;
                outline.finish(at);
            }
            _ => at += 1,
        }
    }
    outline
}

/// The end of a scan of one object's own members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberScan {
    /// The object ends at this offset.
    Closed(usize),
    /// The text ends first, with this number of open containers, including the object.
    Open(u32),
}

impl MemberScan {
    /// The end of the object, if it ends in the text.
    pub fn end(self) -> Option<usize> {
        match self {
            Self::Closed(end) => Some(end),
            Self::Open(_) => None,
        }
    }
}

/// Scans the members of one object in a piece of its text. At the start of the piece, `depth`
/// containers are open, including the object. `base` is added to the offsets.
pub fn scan_members(
    text: &str,
    base: usize,
    mut depth: u32,
    forms: &FormTable,
    members: &mut Members,
) -> MemberScan {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let end = string_end(bytes, at);
                if depth == 1
                    && let Some(value) = value_after(bytes, end)
                {
                    members.push(forms, key_of(bytes, at, end), base + value);
                }
                at = end;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return MemberScan::Closed(base + at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    MemberScan::Open(depth)
}

impl Outline {
    fn begin(&mut self, start: usize, is_object: bool) {
        let parent = self.open.last().copied().unwrap_or(OUTSIDE);
        let depth = saturate(self.open.len());
        self.open.push(saturate(self.containers.len()));
        self.containers.push(Container {
            start: saturate(start),
            end: OPEN,
            parent,
            outer_closes: self.closes,
            depth,
            is_object,
            members: Members::default(),
        });
    }

    fn finish(&mut self, end: usize) {
        let Some(index) = self.open.pop() else {
            self.closes += 1;
            return;
        };
        if let Some(container) = self.containers.get_mut(index as usize) {
            container.end = saturate(end);
        }
    }

    /// Skips the string at `start`, and notes it if it is a key.
    fn string(&mut self, bytes: &[u8], start: usize, forms: &FormTable) -> usize {
        let end = string_end(bytes, start);
        if let Some(&index) = self.open.last()
            && let Some(container) = self.containers.get_mut(index as usize)
            && container.is_object
            && let Some(value) = value_after(bytes, end)
        {
            container.members.push(forms, key_of(bytes, start, end), value);
        }
        end
    }
}

/// The end of the string at `start`: after its closing quote, or at the end of its line.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(len) = memchr3(b'"', b'\n', b'\r', rest) else { return bytes.len() };
        at += len;
        if bytes.get(at) != Some(&b'"') {
            return at;
        }
        at += 1;
        // A quote is escaped by an odd number of `\`; `rest` does not begin inside of an escape.
        let escapes = rest.iter().take(len).rev().take_while(|byte| **byte == b'\\').count();
        if escapes % 2 == 0 {
            return at;
        }
    }
}

fn key_of(bytes: &[u8], start: usize, end: usize) -> &[u8] {
    bytes.get(start + 1..end.saturating_sub(1)).unwrap_or_default()
}

/// The start of the value after a string that is a key.
fn value_after(bytes: &[u8], end: usize) -> Option<usize> {
    let colon = skip_space(bytes, end);
    (bytes.get(colon) == Some(&b':')).then(|| skip_space(bytes, colon + 1))
}

fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\n' | b'\r') = bytes.get(at) {
        at += 1;
    }
    at
}
