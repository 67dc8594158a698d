//! Expanded batches, as chat shells render them in seed documents (formats.md §4): a label, and an
//! entry for each tool use.

use crate::call::{ExpandedToolUse, ResultLine, ToolUse, label_of_batch};
use crate::document::{Document, LocatedBatch, LocatedBlock, PairedUse, PairedUses};

/// Maximum number of tool uses rendered per batch.
const ENTRIES: usize = 40;

impl Document {
    /// Renders `batch`, one of the batches of `uses`, expanded. Parses only the blocks whose
    /// results are shown.
    pub fn expanded(&self, uses: &PairedUses<'_>, batch: &LocatedBatch) -> String {
        let shown: Vec<&PairedUse> = uses.uses_in(batch.blocks.clone()).take(ENTRIES).collect();
        let mut drawn = label_of_batch(batch.counts);
        for entry in self.entries(uses, &shown) {
            drawn.push_str(&format!("\n{entry}"));
        }
        let more = batch.counts.uses - shown.len();
        if more > 0 {
            drawn.push_str(&format!("\n  ... ({more} more)"));
        }
        drawn
    }

    /// The entries for `shown`, some of the tool uses of `uses`. Parses only the blocks with long
    /// results.
    pub fn entries(&self, uses: &PairedUses<'_>, shown: &[&PairedUse]) -> Vec<ExpandedToolUse> {
        let mut long: Vec<usize> =
            shown.iter().filter_map(|tool_use| is_long_result(uses, tool_use)).collect();
        long.sort_unstable();
        let blocks: Vec<LocatedBlock<'_>> = long.iter().filter_map(|part| uses.block(*part)).collect();
        let parts = self.parts_of(&blocks);
        let of_one = |tool_use: &&PairedUse| {
            let part = is_long_result(uses, tool_use).and_then(|part| long.binary_search(&part).ok());
            self.entry_of(uses, tool_use, part.and_then(|part| parts.get(part)))
        };
        shown.iter().map(of_one).collect()
    }

    fn entry_of(
        &self,
        uses: &PairedUses<'_>,
        tool_use: &PairedUse,
        read: Option<&ToolUse>,
    ) -> ExpandedToolUse {
        let label = uses.label_of(tool_use);
        let result = match (&label.result, read.and_then(|read| read.output.as_ref())) {
            (_, Some(output)) => output.to_text(),
            (Some(ResultLine::Line(line)), None) => line.to_string(),
            (Some(ResultLine::Lines(_)) | None, None) => String::new(),
        };
        let first = uses.parts(tool_use).next();
        let range = first.map_or(0..0, |first| self.without_line_ends(self.range_of(&first)));
        ExpandedToolUse::new((label.name, &label.arguments), range, tool_use.status, &result)
    }
}

/// The index of the part with the result of `tool_use`, if the result is longer than a label shows.
fn is_long_result(uses: &PairedUses<'_>, tool_use: &PairedUse) -> Option<usize> {
    let result = |part: &usize| Some((*part, uses.block(*part)?.block.result()?));
    let (part, result) = tool_use.parts.iter().filter_map(result).next_back()?;
    matches!(result, ResultLine::Lines(_)).then_some(part)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::Settings;
    use crate::document::Language;
    use crate::text::Text;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let document = Document::new(Text::new(text), Language::Markdown, Arc::new(Settings::default()));
        let uses = document.paired_uses();
        let drawn: Vec<_> = uses.batches.iter().map(|batch| document.expanded(&uses, batch)).collect();
        assert_eq!(drawn.join("\n--\n"), expected, "{text}");
    }

    #[test]
    fn a_batch_is_its_label_and_an_entry_for_each_use() {
        check(
            "<tool>pwd()\n/app</tool>\n<tool>list(args=[&quot;a&quot;])\n&lt;one&gt;\ntwo\n</tool>\n\n```tool\n\
             {\"toolName\": \"read\", \"input\": {\"path\": \"a\"}, \"output\": \"x\\ny\\n\"}\n```\n\
             ```tool\n{\"toolName\": \"read\", \"errorText\": \"no\"}\n```\n<tool>make()</tool>\n",
            "🔧 5 tool calls · 1 failed · 1 pending\n  pwd() → /app\n  list(args=[\"a\"])\n    <one>\n    two\n  \
             read(path=a)\n    x\n    y\n  read() ✗ no\n  make() ⏳",
        );
    }

    #[test]
    fn results_are_shown_below_their_calls() {
        check(
            "> <tool>a()</tool>\n> <tool>b()</tool>\n>\n> <validation>b\n> 1\n> 2</validation>\n> <validation>a\n> ok</validation>\n",
            "🔧 2 tool calls\n  a() → ok\n  b()\n    1\n    2",
        );
        let output = "[\"".to_owned() + &"x".repeat(90) + "\"]";
        let log = format!(
            "{{\"type\":\"tool-call\",\"toolCallId\":\"1\",\"toolName\":\"a\",\"input\":{{\"p\":1}}}}\n{{\"type\":\"tool-call\",\"toolCallId\":\"2\",\"toolName\":\"b\"}}\n\
             {{\"type\":\"tool-result\",\"toolCallId\":\"1\",\"output\":{output}}}\n"
        );
        check(
            &format!("```jsonl\n{log}```\n"),
            &format!("🔧 2 tool calls · 1 pending\n  a(p=1)\n    {output}\n  b() ⏳"),
        );
    }

    #[test]
    fn a_long_batch_is_cut() {
        let expected = format!("🔧 42 tool calls · 42 pending{}\n  ... (2 more)", "\n  a() ⏳".repeat(40));
        check(&"<tool>a()</tool>\n".repeat(42), &expected);
    }
}
