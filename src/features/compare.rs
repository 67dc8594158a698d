//! Compares two transcripts by their tool uses: pairs of tool uses, and the differences of their
//! inputs and results.
//!
//! Tool uses with the same written id are paired; of the others, the nth use of a tool in one
//! document with the nth in the other. Values are compared as JSON, in any dialect; the order of
//! members is ignored.

use std::collections::{HashMap, HashSet};

use crate::call::{ToolUse, UseData, arguments_of_object};
use crate::document::Document;
use crate::json::{self, JsonLayout, laid_out, quote};
use crate::text::cut;

mod values;

use values::differences_of_values;

/// Maximum number of listed differences per pair; the rest is counted.
const MOST: usize = 100;
/// Maximum number of characters of arguments in a label.
const ARGUMENTS: usize = 60;

/// The result of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Paired tool uses, in the order of the left document.
    pub pairs: Vec<UsePair>,
    /// Unpaired tool uses of the left document, in document order.
    pub only_left: Vec<ToolUse>,
    /// Unpaired tool uses of the right document, in document order.
    pub only_right: Vec<ToolUse>,
}

/// A pair of tool uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsePair {
    /// The tool use in the left document.
    pub left: ToolUse,
    /// The tool use in the right document.
    pub right: ToolUse,
    /// True if the ids are equal. Otherwise both are the nth use of their tool.
    pub by_id: bool,
    /// The differences, at most `MOST`.
    pub differences: Vec<Difference>,
    /// Number of further differences.
    pub more: usize,
}

/// One difference between paired tool uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// `toolName`, `state`, `errorText`, or a path in the input or the output:
    /// `input.files[0].path`.
    pub path: String,
    /// The left value as JSON text; `None` if absent.
    pub left: Option<String>,
    /// The right value as JSON text; `None` if absent.
    pub right: Option<String>,
}

impl Comparison {
    /// True if there are no differences.
    pub fn is_same(&self) -> bool {
        self.only_left.is_empty() && self.only_right.is_empty() && self.differing().next().is_none()
    }

    /// The pairs that have differences.
    pub fn differing(&self) -> impl Iterator<Item = &UsePair> {
        self.pairs.iter().filter(|pair| !pair.differences.is_empty())
    }
}

/// Compares the tool uses of two documents. Parses all of their blocks again.
pub fn compare(left: &Document, right: &Document) -> Comparison {
    let (left, right) = (left.tool_uses(), right.tool_uses());
    let matches = matches_of(&left, &right);
    let mut right: Vec<Option<ToolUse>> = right.into_iter().map(Some).collect();
    let mut comparison = Comparison::default();
    for (one, found) in left.into_iter().zip(matches) {
        match found.and_then(|(at, by_id)| Some((right.get_mut(at)?.take()?, by_id))) {
            Some((other, by_id)) => comparison.pairs.push(pair(one, other, by_id)),
            None => comparison.only_left.push(one),
        }
    }
    comparison.only_right = right.into_iter().flatten().collect();
    comparison
}

/// The tool uses of a document as text for a line-by-line diff: formatted, in document order,
/// without ids.
pub fn normalised(document: &Document) -> String {
    let mut text = String::new();
    let mut counts: HashMap<String, usize> = HashMap::new();
    document.for_each_tool_use(|tool_use| {
        let name = tool_use.shown_name().to_owned();
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        text.push_str(&format!("{name} #{count}\nstate: {}\n", tool_use.state_or_implied()));
        let input = Some(tool_use.input_as_json()).filter(|input| input != "{}");
        for (what, json) in [("input", input), ("output", output_of(&tool_use))] {
            if let Some(json) = json {
                text.push_str(&format!("{what}: {}\n", laid_out(&json, JsonLayout::Pretty { indent: 2 })));
            }
        }
        if let Some(error) = &tool_use.error_text {
            text.push_str(&format!("errorText: {}\n", quote(error)));
        }
        text.push('\n');
    });
    text
}

/// For each tool use of `left`, the index of its pair in `right`, and whether they are paired by
/// id.
fn matches_of(left: &[ToolUse], right: &[ToolUse]) -> Vec<Option<(usize, bool)>> {
    let mut by_id: HashMap<&str, Option<usize>> = HashMap::new();
    for (at, tool_use) in right.iter().enumerate() {
        if let Some(id) = id_of(tool_use) {
            // An id that two tool uses share is ambiguous.
            by_id.entry(id).and_modify(|known| *known = None).or_insert(Some(at));
        }
    }
    let mut seen: HashMap<&str, usize> = HashMap::new();
    left.iter().filter_map(id_of).for_each(|id| *seen.entry(id).or_default() += 1);
    let of_id = |tool_use: &ToolUse| {
        let id = id_of(tool_use).filter(|id| seen.get(id) == Some(&1))?;
        by_id.get(id).copied().flatten()
    };
    let mut matches: Vec<_> = left.iter().map(|one| of_id(one).map(|at| (at, true))).collect();
    let taken: HashSet<usize> = matches.iter().flatten().map(|(at, _)| *at).collect();
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, tool_use) in right.iter().enumerate().rev().filter(|(at, _)| !taken.contains(at)) {
        by_name.entry(tool_use.shown_name()).or_default().push(at);
    }
    for (one, found) in left.iter().zip(&mut matches).filter(|(_, found)| found.is_none()) {
        *found = by_name.get_mut(one.shown_name()).and_then(Vec::pop).map(|at| (at, false));
    }
    matches
}

fn pair(left: ToolUse, right: ToolUse, by_id: bool) -> UsePair {
    let mut found = PairDifferences::default();
    let of_text = |text: &str| Some(quote(text));
    found.compare("toolName", of_text(left.shown_name()), of_text(right.shown_name()));
    found.compare("state", of_text(left.state_or_implied()), of_text(right.state_or_implied()));
    found.compare("input", Some(left.input_as_json()), Some(right.input_as_json()));
    found.compare("output", output_of(&left), output_of(&right));
    let error = |tool_use: &ToolUse| tool_use.error_text.as_deref().map(quote);
    found.compare("errorText", error(&left), error(&right));
    let PairDifferences { list, more } = found;
    UsePair { left, right, by_id, differences: list, more }
}

/// The call of a compared tool use, such as `read_file(path=a.py)`.
pub fn label_of(tool_use: &ToolUse) -> String {
    let arguments = match (&tool_use.input, &tool_use.arguments) {
        (Some(input), _) => {
            let text = input.to_json();
            let json = json::parse(&text);
            json.root(&text).map(|root| arguments_of_object(root, ARGUMENTS)).unwrap_or_default()
        }
        (None, Some(arguments)) => cut(arguments, ARGUMENTS),
        (None, None) => String::new(),
    };
    format!("{}({arguments})", tool_use.shown_name())
}

/// The output as JSON text, unless it is the error message: some forms have one place for both.
fn output_of(tool_use: &ToolUse) -> Option<String> {
    let is_message = |output: &&UseData| tool_use.error_text.as_deref() == Some(&*output.to_text());
    tool_use.output.as_ref().filter(|output| !is_message(output)).map(UseData::to_json)
}

/// The id that is written in the document.
pub fn id_of(tool_use: &ToolUse) -> Option<&str> {
    tool_use.written_id().filter(|id| !id.is_empty())
}

/// Collects the differences of one pair.
#[derive(Debug, Default)]
struct PairDifferences {
    list: Vec<Difference>,
    more: usize,
}

impl PairDifferences {
    /// Compares two JSON texts at `path`.
    fn compare(&mut self, path: &str, left: Option<String>, right: Option<String>) {
        match (left, right) {
            (Some(left), Some(right)) => differences_of_values(path, &left, &right, &mut |one| self.add(one)),
            (None, None) => {}
            (left, right) => self.add(Difference { path: path.to_owned(), left, right }),
        }
    }

    fn add(&mut self, difference: Difference) {
        match self.list.len() < MOST {
            true => self.list.push(difference),
            false => self.more += 1,
        }
    }
}

#[cfg(test)]
mod tests;
