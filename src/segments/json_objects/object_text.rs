//! Parses the objects that begin in a segment.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::piece::JsonObjects;
use crate::forms::{FormTable, Members};
use crate::json::{self, JsonTape, Value};
use crate::messages::outline::scan_members;
use crate::segments::block_unit::ReadContext;
use crate::segments::data::DocumentSegment;
use crate::syntax::{FenceView, SegmentKind};

/// The text of a segment, for the objects that begin in it.
pub(crate) struct ObjectTexts<'a> {
    objects: JsonObjects<'a>,
    /// The offset of the segment, and its text.
    offset: usize,
    text: Cow<'a, str>,
    /// True if the objects in it end in it: it is a line of a log or a fence.
    is_whole: bool,
    /// The first object that was read in a whole text, with its start: most others are parts of it.
    whole: OnceCell<(usize, JsonTape)>,
}

/// The objects that begin in `located`.
pub(crate) fn object_text<'a>(context: ReadContext<'a>, located: &DocumentSegment<'_>) -> ObjectTexts<'a> {
    let objects = JsonObjects::of(context);
    let is_whole = !matches!(located.segment.kind, SegmentKind::Json(_));
    let text = whole_text(context, located);
    ObjectTexts { objects, offset: located.offset, text, is_whole, whole: OnceCell::new() }
}

/// The text of a line of a log, of a whole fence as JSON, or of a piece of a JSON document.
pub(super) fn whole_text<'a>(context: ReadContext<'a>, located: &DocumentSegment<'_>) -> Cow<'a, str> {
    match context.tree.fence_at(located) {
        Some(fence) => fence_text(context, &fence),
        None => context.text.slice(located.range()),
    }
}

/// The text of a fence as JSON.
pub(crate) fn fence_text<'a>(context: ReadContext<'a>, fence: &FenceView) -> Cow<'a, str> {
    context.json_slice(fence.range.start..fence.content.end)
}

impl ObjectTexts<'_> {
    /// Passes the object at `start` of the segment to `read`, with its text; `None` if it is not an
    /// object.
    pub fn read<T>(&self, start: usize, read: impl FnOnce(&str, Value<'_>) -> T) -> Option<T> {
        if self.is_whole
            && let Some(object) = self.part_of_whole(start)
        {
            return Some(read(object.raw(), object));
        }
        let text = self.of(start);
        let json = json::parse_prefix(&text);
        json.root(&text).filter(|root| root.is_object()).map(|root| read(&text, root))
    }

    /// True if the object at `start` is closed in this segment. The end of an unclosed one depends
    /// on the text after it.
    pub fn is_closed_here(&self, start: usize) -> bool {
        let here = self.offset..self.offset + self.text.len();
        let end = || self.objects.members(here.start + start).1;
        self.is_whole || end().is_some_and(|end| end <= here.end)
    }

    /// The object at `start` as a part of the first one, if that is valid: a line or a fence is
    /// parsed once.
    fn part_of_whole(&self, start: usize) -> Option<Value<'_>> {
        let parse = || (start, json::parse_prefix(self.text.get(start..).unwrap_or_default()));
        let (origin, tape) = self.whole.get_or_init(parse);
        let text = self.text.get(*origin..).filter(|_| tape.errors.is_empty())?;
        let at = u32::try_from(start.checked_sub(*origin)?).ok()?;
        let index = tape.nodes.partition_point(|node| node.span.start < at);
        let found = Value::at(tape, text, u32::try_from(index).ok()?)?;
        (found.span().start == at && found.is_object()).then_some(found)
    }

    /// The text of the object at `start` of the segment.
    fn of(&self, start: usize) -> Cow<'_, str> {
        if self.is_whole {
            let rest = self.text.get(start..).unwrap_or_default();
            let scan = scan_members(rest, 0, 0, FormTable::built_in(), &mut Members::default());
            return scan.end().and_then(|end| rest.get(..end)).unwrap_or(rest).into();
        }
        let from = self.offset + start;
        let (_, end) = self.objects.members_and_end(from);
        self.objects.slice(from..end)
    }
}
