//! The result of a named tool: of its last pending call, or of a call that is appended (formats.md
//! §3.3).

use crate::call::{ToolUse, UseOutcome, UseStatus};
use crate::convert::losses;
use crate::document::{Document, Language};
use crate::features::conversion::new_errors;
use crate::features::refactorings::outcomes::pending_call;
use crate::features::refactorings::selection::usual;
use crate::places::BlockPlacement;
use crate::text::DocumentEdit;

/// Start of the last pending call of `tool`.
pub fn last_pending(document: &Document, tool: &str) -> Option<usize> {
    let uses = document.paired_uses();
    let mut calls = uses.uses.iter().rev().filter_map(|tool_use| pending_call(&uses, tool_use));
    let call = calls.find(|at| at.block.name() == Some(tool))?;
    Some(document.range_of(&call).start)
}

/// Appends a completed call of `tool` to the document, in the dialect that the document uses;
/// `None` without a result.
pub fn append(document: &Document, tool: &str, outcome: &UseOutcome) -> Option<Vec<DocumentEdit>> {
    if *outcome == UseOutcome::Empty || document.language() == Language::Log {
        return None;
    }
    let call = ToolUse { has_call: true, name: Some(tool.to_owned()), ..ToolUse::default() };
    let tool_use = call.with_outcome(outcome.clone());
    let to = usual(&document.paired_uses(), |_| true)?;
    let written = (to.writer.as_ref()?.write)(&tool_use, document.settings())?;
    let text = document.text();
    let end = text.len();
    let last = text.line_of_byte(end);
    let is_blank = |line: usize| text.slice(text.line_content(line)).trim().is_empty();
    // After text that ends in a line end there is no blank line yet.
    let gap =
        if is_blank(last) && last.checked_sub(1).is_some_and(|line| !is_blank(line)) { "\n" } else { "" };
    let edit = document.rewritten(end..end, &format!("{gap}{written}\n"), BlockPlacement::Alone);
    let edits = vec![edit];
    holds(document, &document.edited(&edits), tool).then_some(edits)
}

/// True if in `after` all calls are unchanged, one of `tool` follows them, and there are no new
/// errors.
fn holds(document: &Document, after: &Document, tool: &str) -> bool {
    let (before, now) = (document.tool_uses(), after.tool_uses());
    let Some((new, old)) = now.split_last() else { return false };
    let is_new = new.name.as_deref() == Some(tool) && new.status != UseStatus::Pending;
    let is_kept = before.iter().zip(old).all(|(before, now)| losses(before, now).is_empty());
    is_new && is_kept && old.len() == before.len() && new_errors(document, after).is_empty()
}
