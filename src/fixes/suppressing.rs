//! Suppression comments for one or all diagnostics of a document, inserted before its blocks and
//! tested on a copy, and the removal of comments that suppress nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::DocumentEdit;
use crate::call::ToolUse;
use crate::checks::UnusedSuppression;
use crate::diagnostic::directive::suppressible;
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::document::{Document, Language};
use crate::places::{container_prefix, line_end};

/// Maximum number of times that comments are added for the diagnostics that others cause.
const ROUNDS: usize = 3;

/// The insertion of a comment, and the line of its block.
type CommentOfLine = (usize, DocumentEdit);

impl Document {
    /// The edits that insert a comment `<!-- chatls-disable-next CODE… -->` before each block with
    /// diagnostics, to be applied at once. Comments without effect, and those that change the tool
    /// uses or add a diagnostic, are left out. Empty for logs, which have no comments.
    pub fn suppress_all(&self) -> Vec<DocumentEdit> {
        if self.language() != Language::Markdown {
            return Vec::new();
        }
        let before = self.problems_of_lines(&[]);
        let mut blocks: BTreeMap<usize, BTreeSet<Code>> = BTreeMap::new();
        let (mut found, mut comments) = (before.clone(), Vec::new());
        // A comment parts the calls around it, which may add a diagnostic to the first one.
        for _ in 0..ROUNDS {
            for (line, code) in found.into_keys().filter(|(_, code)| is_suppressible(*code)) {
                blocks.entry(line).or_default().insert(code);
            }
            comments =
                blocks.iter().map(|(line, codes)| (*line, self.comment_before(*line, codes))).collect();
            found = self.problems_of_lines(&comments);
        }
        let uses = uses_anywhere(self);
        let is_of_use = |comments: &[CommentOfLine]| {
            let is_expected = |((line, code), count): (&(usize, Code), &usize)| {
                let is_commented = comments.binary_search_by_key(line, |(line, _)| *line).is_ok();
                let fewer = usize::from(is_commented && is_suppressible(*code));
                before.get(&(*line, *code)).is_some_and(|known| count + fewer <= *known)
            };
            self.problems_of_lines(comments).iter().all(is_expected)
                && uses_anywhere(&self.edited(&edits_of(comments))) == uses
        };
        let mut kept = Vec::new();
        keep_by_halves(&comments, &mut kept, &is_of_use);
        edits_of(&kept)
    }

    /// The numbers of diagnostics after `comments`, by the lines of their blocks in this document
    /// and their codes.
    fn problems_of_lines(&self, comments: &[CommentOfLine]) -> BTreeMap<(usize, Code), usize> {
        let (mut counts, mut ahead, mut added) = (BTreeMap::new(), comments.iter().peekable(), 0);
        for problem in self.edited(&edits_of(comments)).diagnostics() {
            let start = problem.range.start;
            while let Some((_, (_, comment))) =
                ahead.next_if(|(_, (at, comment))| at.start + added + comment.len() <= start)
            {
                added += comment.len();
            }
            // The diagnostic may be one of the comment.
            let at = ahead.peek().map_or(start, |(_, (at, _))| start.min(at.start + added)) - added;
            let line = self.text().line_of_byte(self.start_of_block(at).unwrap_or(at));
            *counts.entry((line, problem.code)).or_default() += 1;
        }
        counts
    }

    /// The insertion of a comment that suppresses `problem` alone. `None` in logs, which have no
    /// comments, and if the comment would not suppress it or would add another diagnostic.
    pub fn suppression_of(&self, problem: &Diagnostic) -> Option<DocumentEdit> {
        if self.language() != Language::Markdown || !is_suppressible(problem.code) {
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

fn is_suppressible(code: Code) -> bool {
    code != Code::UnusedSuppression && suppressible().any(|known| known == code)
}

fn edits_of(comments: &[CommentOfLine]) -> Vec<DocumentEdit> {
    comments.iter().map(|(_, comment)| comment.clone()).collect()
}

/// Adds to `kept` the `comments`, all behind them, for which `is_of_use` holds together with the
/// kept ones. They are tried at once, and only then by halves, since each trial parses the document
/// and most comments are kept.
fn keep_by_halves(
    comments: &[CommentOfLine],
    kept: &mut Vec<CommentOfLine>,
    is_of_use: &impl Fn(&[CommentOfLine]) -> bool,
) {
    let all = [kept.as_slice(), comments].concat();
    if comments.is_empty() || is_of_use(&all) {
        *kept = all;
    } else if comments.len() > 1 {
        let (first, second) = comments.split_at(comments.len() / 2);
        keep_by_halves(first, kept, is_of_use);
        keep_by_halves(second, kept, is_of_use);
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
    fn a_comment_that_parts_calls_suppresses_what_that_causes() {
        let fence = "```tool\n{\"toolName\": \"f\", \"input\": {}}\n```\n";
        let bad = "```tool\n{\"toolName\": \"\", \"input\": {}}\n```\n";
        let comment = |code: &str| format!("<!-- chatls-disable-next {code} -->\n");
        let (empty, pending) = (comment("empty-name"), comment("pending-call"));
        check(&format!("{fence}{fence}{bad}"), &format!("{pending}{fence}{pending}{fence}{empty}{bad}"));
        check(&format!("{bad}{fence}"), &format!("{empty}{bad}{fence}"));
    }

    #[test]
    fn comments_without_effect_are_left_out() {
        let comment = "<!-- chatls-disable-next stray-tag -->\n";
        let text = "a\n\n<tool>search(query=1)\nx</tool>\n";
        check(&format!("{text}</tool>\ntext </tool>\n"), &format!("{text}{comment}</tool>\ntext </tool>\n"));
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
