//! The tool uses and batches of a document as a list, for counts and navigation.

use std::ops::Range;

use crate::call::{UseCounts, UseStatus, label_of_batch};
use crate::document::{Document, touches};
use crate::never::OrNever;

/// The tool uses and batches of a part of a document, each in document order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolUseListing {
    /// The counts of the whole document.
    pub counts: UseCounts,
    /// The number of batches of the whole document, without the batches of a log's delta text.
    pub batch_count: usize,
    /// The tool uses.
    pub tool_uses: Vec<ListedUse>,
    /// The batches.
    pub batches: Vec<ListedBatch>,
}

/// A tool use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedUse {
    /// The tool's name; `tool` if none is written.
    pub tool_name: String,
    /// The label: `🔧 read_file(path=a.py) → 42 lines`.
    pub label: String,
    /// The status.
    pub status: UseStatus,
    /// The name of the dialect of its first part.
    pub dialect: &'static str,
    /// The range of all parts if they are adjacent, else of the first one, in document offsets.
    pub range: Range<usize>,
    /// The range of the tool name, or the start of `range`.
    pub name: Range<usize>,
    /// The batch, as an index of [`ToolUseListing::batches`].
    pub batch: Option<usize>,
}

/// A batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedBatch {
    /// The label: `🔧 3 tool calls · 1 failed`.
    pub label: String,
    /// The counts of the batch.
    pub counts: UseCounts,
    /// The range, in document offsets.
    pub range: Range<usize>,
}

/// The tool uses and batches of `document` that touch the byte range `part`, including tool uses in
/// delta text. Takes time linear in its number of segments. Labels, which are most of the work, are
/// computed only for these.
pub fn tool_uses(document: &Document, part: &Range<usize>) -> ToolUseListing {
    let mut listing = listing_of(document, part);
    if let Some(delta_text) = document.delta_text() {
        let inner = listing_of(delta_text, &(0..usize::MAX));
        inner.tool_uses.iter().for_each(|listed| listing.counts.add(listed.status));
        let ranges = document.ranges_of_delta_text(inner.tool_uses.iter().map(|listed| listed.range.clone()));
        listing.tool_uses.extend(inner.tool_uses.into_iter().zip(ranges).map(|(listed, range)| ListedUse {
            name: range.start..range.start,
            range,
            batch: None,
            ..listed
        }));
        listing.tool_uses.retain(|listed| touches(&listed.range, part));
        listing.tool_uses.sort_by_key(|listed| listed.range.start);
    }
    listing
}

fn listing_of(document: &Document, part: &Range<usize>) -> ToolUseListing {
    let uses = document.paired_uses();
    // Finds all blocks at once instead of one by one.
    uses.blocks();
    let counts = UseCounts::of(uses.uses.iter().map(|tool_use| tool_use.status));
    let (mut batches, mut listed_batches) = (Vec::new(), Vec::new());
    for (index, at) in uses.batches.iter().enumerate() {
        let range = uses.range_of_blocks(&at.blocks, |at| document.outer_range_of(at)).or_never();
        if touches(&range, part) {
            let range = document.without_line_ends(range);
            batches.push(ListedBatch { label: label_of_batch(at.counts), counts: at.counts, range });
            listed_batches.push(index);
        }
    }
    let tool_uses = uses.uses.iter().filter_map(|tool_use| {
        let first = tool_use.parts.first().copied()?;
        let (range, name) = document.place_of(&uses, tool_use).filter(|(range, _)| touches(range, part))?;
        let batch = uses.batch_index_of(first).and_then(|batch| listed_batches.binary_search(&batch).ok());
        Some(ListedUse {
            tool_name: uses.name_of(tool_use).to_owned(),
            label: uses.label_of(tool_use).to_string(),
            status: tool_use.status,
            dialect: crate::dialect::by_index(uses.block(first)?.block.dialect)?.name,
            range: document.without_line_ends(range),
            name,
            batch,
        })
    });
    ToolUseListing { counts, batch_count: uses.batches.len(), tool_uses: tool_uses.collect(), batches }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::Settings;
    use crate::document::Language;
    use crate::text::Text;

    #[test]
    fn tool_uses_and_batches_are_in_order() {
        let text = "<tool>a()\nx</tool>\n\n```tool\n{\"toolName\": \"bé\", \"errorText\": \"no\"}\n```\n\nand\n\n###: {\"toolName\": \"c\"}\n";
        let document = Document::new(Text::new(text), Language::Markdown, Arc::new(Settings::default()));
        let listing = tool_uses(&document, &(0..text.len()));
        let found: Vec<_> = listing
            .tool_uses
            .iter()
            .map(|it| (it.label.as_str(), it.dialect, text.get(it.name.clone()).unwrap_or("?"), it.batch))
            .collect();
        let expected = [
            ("🔧 a() → x", "tag", "a", Some(0)),
            ("🔧 bé() ✗ no", "fence", "\"bé\"", Some(0)),
            ("🔧 c() ⏳", "marker", "\"c\"", None),
        ];
        assert_eq!(found, expected);
        let batches: Vec<_> =
            listing.batches.iter().map(|it| (it.label.as_str(), it.range.clone())).collect();
        assert_eq!(batches, [("🔧 2 tool calls · 1 failed", 0..text.find("\n\nand").unwrap())]);
        assert_eq!(listing.counts, UseCounts { uses: 3, failed: 1, pending: 1 });
        assert_eq!(listing.batch_count, 1);
    }

    #[test]
    fn part_lists_touching_uses_and_total_counts() {
        let batch = "<tool>a()\nx</tool>\n\n<tool>b()\ny</tool>\n\nand\n\n";
        let text = format!("{batch}<tool>c()</tool>\n\nand\n\n{batch}");
        let document = Document::new(Text::new(&text), Language::Markdown, Arc::new(Settings::default()));
        let all = tool_uses(&document, &(0..text.len()));
        assert_eq!((all.tool_uses.len(), all.batches.len()), (5, 2));
        // The second call of the last batch.
        let at = text.rfind("y</tool>").unwrap();
        let part = tool_uses(&document, &(at..at + 1));
        let names: Vec<_> = part.tool_uses.iter().map(|it| (it.tool_name.as_str(), it.batch)).collect();
        assert_eq!(names, [("b", Some(0))]);
        assert_eq!(part.batches, all.batches[1..]);
        assert_eq!(part.counts, all.counts);
    }

    #[test]
    fn delta_text_is_included() {
        let text = "{\"type\":\"text-delta\",\"id\":\"t\",\"delta\":\"<tool>c()\\nok</tool>\"}\n{\"type\":\"tool-call\",\"toolCallId\":\"1\",\"toolName\":\"a\"}\n";
        let document = Document::new(Text::new(text), Language::Log, Arc::new(Settings::default()));
        let listing = tool_uses(&document, &(0..text.len()));
        let found: Vec<_> = listing.tool_uses.iter().map(|it| (it.label.as_str(), it.range.start)).collect();
        assert_eq!(found, [("🔧 c() → ok", 39), ("🔧 a() ⏳", 62)]);
        assert!(listing.batches.is_empty());
    }
}
