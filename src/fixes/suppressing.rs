//! Suppression comments for one or all diagnostics of a document, inserted before its blocks and
//! tested on a copy, and the removal of comments that suppress nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::DocumentEdit;
use crate::call::ToolUse;
use crate::checks::UnusedSuppression;
use crate::diagnostic::directive::suppressible;
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::document::{Document, Language, touches};
use crate::places::{container_prefix, line_end};

impl Document {
    /// The edits that insert a comment `<!-- chatls-disable-next CODE… -->` before each block with
    /// diagnostics, to be applied at once. Comments that suppress nothing, or add a diagnostic, are
    /// left out. Empty for logs, which have no comments.
    pub fn suppress_all(&self) -> Vec<DocumentEdit> {
        if self.language() != Language::Markdown {
            return Vec::new();
        }
        let mut blocks: BTreeMap<usize, BTreeSet<Code>> = BTreeMap::new();
        for problem in self.diagnostics().into_iter().filter(is_suppressible) {
            let at = problem.range.start;
            let line = self.text().line_of_byte(self.start_of_block(at).unwrap_or(at));
            blocks.entry(line).or_default().insert(problem.code);
        }
        let comments = blocks.iter().map(|(line, codes)| self.comment_before(*line, codes));
        self.comments_of_use(comments.collect())
    }

    /// `comments` without comments that suppress nothing or change the tool uses; empty if the
    /// number of diagnostics does not decrease.
    fn comments_of_use(&self, mut comments: Vec<DocumentEdit>) -> Vec<DocumentEdit> {
        if comments.is_empty() {
            return comments;
        }
        let before = self.diagnostics().len();
        let uses = uses_anywhere(self);
        let keeps_uses = |comments: &[DocumentEdit]| uses_anywhere(&self.edited(comments)) == uses;
        comments = kept_by_halves(&comments, &keeps_uses);
        // Removing a useless comment may make others useless; a few rounds suffice in practice.
        for _ in 0..3 {
            let after = self.edited(&comments).diagnostics();
            let mut shift = 0;
            let places: Vec<Range<usize>> = comments
                .iter()
                .map(|(at, comment)| {
                    let start = at.start + shift;
                    shift += comment.len();
                    start..start + comment.len()
                })
                .collect();
            let useless: Vec<&Diagnostic> =
                after.iter().filter(|problem| problem.code == Code::UnusedSuppression).collect();
            let is_of_use =
                |place: &Range<usize>| !useless.iter().any(|problem| touches(&problem.range, place));
            let all = comments.len();
            let useful = comments.into_iter().zip(&places).filter(|(_, place)| is_of_use(place));
            comments = useful.map(|(comment, _)| comment).collect();
            if comments.len() == all {
                return if after.len() < before && keeps_uses(&comments) { comments } else { Vec::new() };
            }
        }
        Vec::new()
    }

    /// The insertion of a comment that suppresses `problem` alone. `None` in logs, which have no
    /// comments, and if the comment would not suppress it or would add another diagnostic.
    pub fn suppression_of(&self, problem: &Diagnostic) -> Option<DocumentEdit> {
        if self.language() != Language::Markdown || !is_suppressible(problem) {
            return None;
        }
        let block = self.start_of_block(problem.range.start)?;
        let edit = self.comment_before(self.text().line_of_byte(block), &BTreeSet::from([problem.code]));
        self.is_suppressed_by(problem, &edit).then_some(edit)
    }

    /// True if `edit` removes a diagnostic with the code of `problem` and adds none.
    fn is_suppressed_by(&self, problem: &Diagnostic, edit: &DocumentEdit) -> bool {
        let count = |document: &Self| {
            let mut counts: BTreeMap<Code, usize> = BTreeMap::new();
            for found in document.diagnostics() {
                *counts.entry(found.code).or_default() += 1;
            }
            counts
        };
        let (before, after) = (count(self), count(&self.edited(std::slice::from_ref(edit))));
        after.get(&problem.code) < before.get(&problem.code)
            && after.iter().all(|(code, count)| before.get(code).is_some_and(|known| count <= known))
    }

    /// The first byte of the fence or region that contains the byte `at`.
    fn start_of_block(&self, at: usize) -> Option<usize> {
        let head = self.tree().head_of(self.tree().segment_at(at)?.index);
        if let Some(fence) = self.tree().fence(head) {
            return Some(fence.range.start);
        }
        let located = self.tree().locate(head)?;
        let mut regions = located.segment.regions().iter().map(|region| located.absolute(region.span));
        regions.find(|region| region.start <= at && at <= region.end).map(|region| region.start)
    }

    /// The insertion of a comment with `codes` before the block on `line`, inside its containers.
    /// Text of the same paragraph may precede the block.
    fn comment_before(&self, line: usize, codes: &BTreeSet<Code>) -> DocumentEdit {
        let text = self.text();
        let prefix = container_prefix(&text.slice(text.line_content(line)));
        let mark = if line == 0 { text.mark_len() } else { 0 };
        let at = text.byte_of_line(line) + mark + prefix.len();
        let codes: Vec<_> = codes.iter().map(|code| code.name()).collect();
        let comment = format!("<!-- chatls-disable-next {} -->", codes.join(" "));
        (at..at, format!("{comment}{}{prefix}", line_end(text, line)))
    }

    /// The fixes for a comment that suppresses nothing, best first; `place` is the place of its
    /// diagnostic.
    pub(crate) fn fixes_of_suppression(
        &self,
        unused: &UnusedSuppression,
        place: &Range<usize>,
    ) -> Vec<Fix<Range<usize>>> {
        // None of them is safe: a diagnostic that is absent today may return, as for an unknown
        // tool while its registry is repaired.
        let replace = unused
            .suggestion
            .map(|meant| Fix::replace(format!("Replace with `{meant}`"), place.clone(), meant).preferred());
        let remove = match unused.is_whole {
            true => Fix::replace("Remove the comment", self.lines_of_comment(&unused.comment), ""),
            false => Fix::replace(
                format!("Remove `{}`", self.text().slice(place.clone())),
                self.word_with_gap(place),
                "",
            ),
        };
        let remove = Fix { is_preferred: replace.is_none(), ..remove };
        replace.into_iter().chain([remove]).collect()
    }

    /// The range to delete with the comment at `comment`: its whole lines, if they contain nothing
    /// else and no two paragraphs would be joined.
    fn lines_of_comment(&self, comment: &Range<usize>) -> Range<usize> {
        let text = self.text();
        let (first, last) = (text.line_of_byte(comment.start), text.line_of_byte(comment.end));
        let is_blank = |range: Range<usize>| text.slice(range).trim().is_empty();
        let lines = text.byte_of_line(first)..text.byte_of_line(last + 1);
        let is_alone = is_blank(lines.start..comment.start) && is_blank(comment.end..lines.end);
        let is_apart = first == 0
            || is_blank(text.line_content(first - 1))
            || last + 1 >= text.line_count()
            || is_blank(text.line_content(last + 1));
        if is_alone && is_apart { lines } else { comment.clone() }
    }

    /// The word at `word` with the separator before it; the comment's name precedes it at least.
    fn word_with_gap(&self, word: &Range<usize>) -> Range<usize> {
        let line = self.text().byte_of_line(self.text().line_of_byte(word.start));
        let before = self.text().slice(line..word.start);
        let gap = before.len() - before.trim_end_matches([' ', '\t', ',']).len();
        let comma = usize::from(self.text().byte(word.end) == Some(b','));
        word.start - gap..word.end + comma
    }
}

fn is_suppressible(problem: &Diagnostic) -> bool {
    problem.code != Code::UnusedSuppression && suppressible().any(|code| code == problem.code)
}

/// The `comments` for which `is_kept` holds. They are tried at once, and only then by halves, since
/// each trial parses the document and most comments are kept.
fn kept_by_halves(
    comments: &[DocumentEdit],
    is_kept: &impl Fn(&[DocumentEdit]) -> bool,
) -> Vec<DocumentEdit> {
    match comments {
        _ if is_kept(comments) => comments.to_vec(),
        [] | [_] => Vec::new(),
        _ => {
            let (first, second) = comments.split_at(comments.len() / 2);
            [kept_by_halves(first, is_kept), kept_by_halves(second, is_kept)].concat()
        }
    }
}

/// The tool uses of a document without their places and batches.
fn uses_anywhere(document: &Document) -> Vec<ToolUse> {
    let uses = document.tool_uses().into_iter();
    uses.map(|tool_use| ToolUse { batch: None, range: 0..0, ..tool_use }).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::Settings;
    use crate::text::Text;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let document = Document::new(Text::new(text), Language::Markdown, Arc::new(Settings::default()));
        let after = document.edited(&document.suppress_all());
        assert_eq!(after.text().to_string(), expected);
        assert_eq!(after.suppress_all(), [], "{expected}");
    }

    #[test]
    fn each_block_gets_one_comment() {
        let fence = "```tool\n{\"toolName\": \"f\", \"state\": \"dun\", \"args\": 1}\n```\n";
        let comment = "<!-- chatls-disable-next bad-state misnamed-field -->\n";
        check(
            &format!("text\n\n{fence}\nmore\n\n{fence}"),
            &format!("text\n\n{comment}{fence}\nmore\n\n{comment}{fence}"),
        );
        check(&format!("\u{feff}{fence}"), &format!("\u{feff}{comment}{fence}"));
        check("a\r\n\r\n</tool>\r\n", "a\r\n\r\n<!-- chatls-disable-next stray-tag -->\r\n</tool>\r\n");
        check("fine\n\n<tool>a()\nx</tool>\n", "fine\n\n<tool>a()\nx</tool>\n");
        check("", "");
    }

    #[test]
    fn comments_that_change_tool_uses_are_left_out() {
        let tag = "</tool>\n\n";
        let comment = "<!-- chatls-disable-next stray-tag -->\n";
        let parting = "⏺ Bash(git push)\n  </tool>  done\n\n[Tool]\nlater\n";
        check(&format!("{tag}{parting}"), &format!("{comment}{tag}{parting}"));
        check(parting, parting);
    }

    #[test]
    fn comments_are_in_the_containers_of_their_blocks() {
        let quoted = "> ```tool\n> {\"toolName\": \"f\", \"state\": \"dun\"}\n> ```\n";
        check(quoted, &format!("> <!-- chatls-disable-next bad-state -->\n{quoted}"));
        let listed = "- item\n\n  ```tool\n  {\"toolName\": \"f\", \"state\": \"dun\"}\n  ```\n";
        let expected = listed.replace("  ```tool", "  <!-- chatls-disable-next bad-state -->\n  ```tool");
        check(listed, &expected);
        check("- </tool>\n", "- <!-- chatls-disable-next stray-tag -->\n  </tool>\n");
    }
}
