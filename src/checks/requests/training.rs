//! Training sets: logs whose lines are examples for fine-tuning.

use std::ops::Range;

use crate::checks::problem::{Cause, Problem};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::document::Document;
use crate::json::{self, JsonKind, Value};
use crate::segments::data::SegmentDataSummary;

impl Document {
    /// The problems of the lines of a training set. If most lines are no
    /// examples, it is another log: of chats, or of prompts.
    pub(super) fn training_problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut faulty_lines = 0;
        let severity = self.settings().severity(Code::TrainingExample).filter(|_| self.is_training_set());
        let Some(severity) = severity else { return problems };
        let may_be_faulty = |sum: &SegmentDataSummary| sum.no_examples || sum.has_diagnostics;
        for located in self.tree().attached(may_be_faulty) {
            let data = located.data().rare();
            // A broken line may begin like an example.
            if data.is_example && data.diagnostics.iter().all(|it| it.code != Code::BrokenLine) {
                continue;
            }
            let line = self.without_line_ends(located.content());
            // The last line may be in the middle of being written.
            if !line.is_empty()
                && (line.end < self.text().len() || self.valid_value_end(line.start).is_some())
            {
                let before = problems.len();
                self.problems_of_example(line, severity, &mut problems);
                faulty_lines += usize::from(problems.len() > before);
            }
        }
        if faulty_lines * 2 > self.text().line_count() {
            problems.clear();
        }
        problems
    }

    fn problems_of_example(&self, line: Range<usize>, severity: Severity, problems: &mut Vec<Problem>) {
        let mut push = |range, message: &str, cause| {
            let diagnostic = Diagnostic::new(Code::TrainingExample, severity, range, message.to_owned());
            problems.push(Problem { diagnostic, cause });
        };
        let text = self.text().slice(line.clone());
        let start = line.start + (text.len() - text.trim_start().len());
        let opening = start..line.end.min(start + 1);
        if self.valid_value_end(start) != Some(line.start + text.trim_end().len()) {
            return push(opening, "this line is not one JSON object: training stops at it", Cause::Own);
        }
        let json = json::parse_prefix(text.trim_start());
        let messages = json.root(text.trim_start()).and_then(|root| root.get("messages"));
        let Some(last) = messages.and_then(|messages| messages.items().last()) else {
            let what = if messages.is_some_and(|messages| messages.kind() == JsonKind::Array) {
                "this line has empty"
            } else {
                "this line has no"
            };
            return push(opening, &format!("{what} `messages`: training stops at it"), Cause::Own);
        };
        if last.get("role").and_then(Value::as_str).as_deref() != Some("assistant") {
            let place = last.get("role").unwrap_or(last).span();
            push(
                place.range_at(start),
                "the last message is not one of the assistant, which a model learns",
                Cause::Own,
            );
        }
        for weight in messages.into_iter().flat_map(Value::items).filter_map(|item| item.get("weight")) {
            let cause = match weight.as_f64() {
                Some(number) if [0.0, 1.0].contains(&number) => continue,
                Some(number) => Cause::Weight(number),
                None if weight.is_null() => continue,
                None => Cause::Own,
            };
            push(weight.span().range_at(start), "the weight of a message is 0 or 1", cause);
        }
    }
}
