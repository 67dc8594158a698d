//! The links of the lines of a session to each other.

use std::collections::HashMap;
use std::ops::Range;

use crate::json::Value;
use crate::messages::exchange::MessageMark;
use crate::messages::thread::ThreadMark;

/// The links of a line: the JSON of its id and of its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LineLinks {
    pub uuid: String,
    pub parent: Option<String>,
    /// The document range of the parent.
    pub place: Range<usize>,
    pub mark: MessageMark,
}

/// The links of all lines of a log.
#[derive(Debug, Default)]
pub(super) struct LogLinks {
    /// The links of each line; `None` for lines without an id.
    pub lines: Vec<Option<LineLinks>>,
    /// The lines by their ids.
    pub by_uuid: HashMap<String, Vec<usize>>,
    /// The lines by the lines that are their parents: if several lines have the id of the parent,
    /// the last one before the child.
    pub children: HashMap<usize, Vec<usize>>,
}

impl LogLinks {
    pub fn new(lines: impl Iterator<Item = Option<LineLinks>>) -> Self {
        let mut links = Self { lines: lines.collect(), ..Self::default() };
        let numbered =
            || links.lines.iter().enumerate().filter_map(|(index, line)| Some((index, line.as_ref()?)));
        for (index, line) in numbered() {
            links.by_uuid.entry(line.uuid.clone()).or_default().push(index);
        }
        for (index, line) in numbered() {
            let same = line.parent.as_ref().and_then(|parent| links.by_uuid.get(parent));
            let before =
                same.and_then(|same| same.get(same.partition_point(|it| *it < index).saturating_sub(1)));
            if let Some(parent) = before.filter(|parent| **parent != index) {
                links.children.entry(*parent).or_default().push(index);
            }
        }
        links
    }
}

impl LineLinks {
    /// The links of the line `root`, which begins at the document offset `start`; `None` without an
    /// id.
    pub fn of(root: Value<'_>, start: usize) -> Option<Self> {
        let parent = root.get("parentUuid");
        let place = parent.map_or(0..0, |parent| parent.span().range_at(start));
        Some(Self {
            uuid: root.get("uuid")?.raw().to_owned(),
            parent: parent.map(|parent| parent.raw().to_owned()),
            place,
            mark: MessageMark::of(root, ThreadMark::in_line),
        })
    }
}
