//! Navigation from a position to the next tool use.

use crate::call::UseStatus;
use crate::document::Document;

use super::tool_uses::{ListedUse, tool_uses};

/// The parameters of a navigation to another tool use.
#[derive(Clone, Copy, Debug)]
pub struct NextUseSteps {
    /// The start, as a document offset.
    pub from: usize,
    /// Number of tool uses to move forward; backward if negative.
    pub count: i32,
    /// Counts only tool uses with this status.
    pub status: Option<UseStatus>,
    /// True if to continue at the other end of the document.
    pub wraps: bool,
}

/// The target of a navigation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextUseStep {
    /// The tool use.
    pub listed: ListedUse,
    /// The index among the counted tool uses, from 0.
    pub index: usize,
    /// True if the navigation continued at the other end of the document.
    pub wrapped: bool,
}

/// The tool use that `steps` lead to, and the number of counted tool uses in the document. Computes
/// a label only for the target.
pub fn next_tool_use(document: &Document, steps: NextUseSteps) -> (usize, Option<NextUseStep>) {
    let starts = starts(document, steps.status);
    let before = starts.partition_point(|start| *start < steps.from);
    let up_to = starts.partition_point(|start| *start <= steps.from);
    let step = index_after(steps, before, up_to, starts.len()).and_then(|(index, wrapped)| {
        let start = *starts.get(index)?;
        let mut here = tool_uses(document, &(start..start)).tool_uses;
        let at = here.iter().position(|listed| listed.name.start == start)?;
        Some(NextUseStep { listed: here.swap_remove(at), index, wrapped })
    });
    (starts.len(), step)
}

/// The offsets of the names of the tool uses with this `status`, in document order.
fn starts(document: &Document, status: Option<UseStatus>) -> Vec<usize> {
    let counts = |other: UseStatus| status.is_none_or(|status| status == other);
    let mut starts: Vec<usize> = if document.delta_text().is_some() {
        let all = tool_uses(document, &(0..usize::MAX)).tool_uses;
        all.iter().filter(|listed| counts(listed.status)).map(|listed| listed.name.start).collect()
    } else {
        let uses = document.paired_uses();
        let counted = uses.uses.iter().filter(|tool_use| counts(tool_use.status));
        counted.filter_map(|tool_use| Some(document.place_of(&uses, tool_use)?.1.start)).collect()
    };
    starts.sort_unstable();
    starts
}

/// The index that `steps` lead to among `total` tool uses, of which `before` are before the start
/// and `up_to` are not after it.
fn index_after(steps: NextUseSteps, before: usize, up_to: usize, total: usize) -> Option<(usize, bool)> {
    let as_number = |length: usize| i64::try_from(length).ok();
    let (count, all) = (i64::from(steps.count), as_number(total)?);
    if count == 0 || all == 0 {
        return None;
    }
    let index = if count > 0 { as_number(up_to)? + count - 1 } else { as_number(before)? + count };
    let wrapped = !(0..all).contains(&index);
    let index = usize::try_from(index.rem_euclid(all)).ok()?;
    (!wrapped || steps.wraps).then_some((index, wrapped))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::Settings;
    use crate::document::Language;
    use crate::text::Text;

    #[test]
    fn steps_count_only_the_given_status() {
        let text = "<tool>a()\nx</tool>\n\n<tool>b()</tool>\n\ntext\n\n<tool>c()</tool>\n";
        let document = Document::new(Text::new(text), Language::Markdown, Arc::new(Settings::default()));
        let lead = |from: &str, count, status, wraps| {
            let from = text.find(from).unwrap();
            let (total, step) = next_tool_use(&document, NextUseSteps { from, count, status, wraps });
            step.map(|step| (step.listed.tool_name, step.index, total, step.wrapped))
        };
        let pending = Some(UseStatus::Pending);
        assert_eq!(lead("a()", 1, None, false), Some(("b".to_owned(), 1, 3, false)));
        assert_eq!(lead("a()", 2, None, false), Some(("c".to_owned(), 2, 3, false)));
        assert_eq!(lead("text", -2, None, false), Some(("a".to_owned(), 0, 3, false)));
        assert_eq!(lead("text", 2, None, false), None);
        assert_eq!(lead("text", 2, None, true), Some(("a".to_owned(), 0, 3, true)));
        assert_eq!(lead("a()", 1, pending, false), Some(("b".to_owned(), 0, 2, false)));
        assert_eq!(lead("b()", -1, pending, true), Some(("c".to_owned(), 1, 2, true)));
        assert_eq!(lead("a()", 1, Some(UseStatus::Failed), true), None);
        assert_eq!(lead("a()", 0, None, true), None);
    }

    #[test]
    fn delta_text_is_included() {
        let text = "{\"type\":\"text-delta\",\"id\":\"t\",\"delta\":\"<tool>c()\\nok</tool>\"}\n{\"type\":\"tool-call\",\"toolCallId\":\"1\",\"toolName\":\"a\"}\n";
        let document = Document::new(Text::new(text), Language::Log, Arc::new(Settings::default()));
        let steps = NextUseSteps { from: 0, count: 2, status: None, wraps: false };
        let (total, step) = next_tool_use(&document, steps);
        assert_eq!((total, step.map(|step| step.listed.tool_name)), (2, Some("a".to_owned())));
    }
}
