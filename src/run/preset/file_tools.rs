//! The tools of `preset:file-tools` that work on files.

use std::ops::Range;

use serde_json::Value;

use super::file_text::FileText;
use super::folder::ToolFolder;
use super::string;
use crate::prose::counted;
use crate::rules::search_replace::{self, SearchReplace};

/// Maximum number of dividers in all blocks of a call of `edit_file`: the file is searched for
/// each.
const MOST_DIVIDERS: usize = 100;

/// `read_file`: the text of a file, with `N: ` before each line if `includeLineNumbers` is true.
pub(super) fn read_file(folder: &ToolFolder, input: &Value) -> Result<String, String> {
    let text = folder.read(string(input, "path")?)?;
    let has_numbers = input.get("includeLineNumbers").and_then(Value::as_bool) == Some(true);
    if !has_numbers {
        return Ok(text.shown().to_owned());
    }
    let numbered =
        text.shown().split_inclusive('\n').zip(1..).map(|(line, number)| format!("{number}: {line}"));
    Ok(numbered.collect())
}

/// `write_file`: creates a file, or replaces its text.
pub(super) fn write_file(folder: &ToolFolder, input: &Value) -> Result<String, String> {
    let (path, content) = (string(input, "path")?, string(input, "content")?);
    match folder.read_if_present(path)? {
        Some(old) => {
            folder.write(path, &old.replaced_by(content))?;
            Ok(format!("replaced `{path}`"))
        }
        None => {
            folder.write(path, content)?;
            Ok(format!("created `{path}`"))
        }
    }
}

/// `edit_file`: applies the blocks of search and replacement texts, all or none.
pub(super) fn edit_file(folder: &ToolFolder, input: &Value) -> Result<String, String> {
    let (path, block) = (string(input, "filePath")?, string(input, "searchReplaceBlock")?);
    let blocks = search_replace::blocks(block).map_err(search_replace::message)?;
    if blocks.iter().map(SearchReplace::divider_count).sum::<usize>() > MOST_DIVIDERS {
        return Err(format!("the blocks have more than {MOST_DIVIDERS} dividers: make several calls"));
    }
    let mut text = folder.read(path)?;
    for (block, number) in blocks.iter().zip(1..) {
        let name =
            if blocks.len() == 1 { "the search text".to_owned() } else { format!("search text {number}") };
        let (place, replacement) =
            place_of(&text, block).map_err(|reason| format!("{name} {reason} `{path}`"))?;
        text = FileText::of_file(text.replaced(&place, &replacement));
    }
    folder.write(path, text.file())?;
    Ok(format!("{} replaced", counted(blocks.len(), "block")))
}

/// `delete_file`: removes a file.
pub(super) fn delete_file(folder: &ToolFolder, input: &Value) -> Result<String, String> {
    let path = string(input, "path")?;
    folder.remove(path)?;
    Ok(format!("deleted `{path}`"))
}

/// The place of the search text of `block` in `text`, and its replacement. A block with several
/// dividers is split at the only divider before which a search text of the file stands.
fn place_of(text: &FileText, block: &SearchReplace<'_>) -> Result<(Range<usize>, String), &'static str> {
    let mut failure = "is not in";
    let mut found = None;
    for (search, replacement) in block.splits() {
        match place_of_lines(text.shown(), &search, &replacement) {
            Ok(_) if found.is_some() => return Err("has several dividers that fit"),
            Ok(edit) => found = Some(edit),
            Err("is not in") => {}
            Err(reason) => failure = reason,
        }
    }
    found.ok_or(failure)
}

/// The place of the lines `search`, without the last line end, in `text`: whole lines that occur
/// once, or else a part of the text that occurs once. Whole lines that are replaced by nothing are
/// removed with their line end.
fn place_of_lines(
    text: &str,
    search: &str,
    replacement: &str,
) -> Result<(Range<usize>, String), &'static str> {
    if search.is_empty() {
        return Err("is empty: use `write_file` to fill");
    }
    // With line ends around both, the offsets are those in `text`.
    let whole = places(&format!("\n{text}\n"), &format!("\n{search}\n"));
    match (&*whole, &*places(text, search)) {
        ([start], _) => {
            let removed = replacement.is_empty() && start + search.len() < text.len();
            let end = start + search.len() + usize::from(removed);
            Ok((*start..end, replacement.to_owned()))
        }
        ([], [start]) => Ok((*start..start + search.len(), replacement.to_owned())),
        ([], []) => Err("is not in"),
        _ => Err("is more than once in"),
    }
}

/// The first two offsets of `part` in `text`, which may overlap.
pub(super) fn places(text: &str, part: &str) -> Vec<usize> {
    let Some(first) = text.find(part) else { return Vec::new() };
    let next = first + text.get(first..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
    let second = text.get(next..).and_then(|rest| rest.find(part));
    std::iter::once(first).chain(second.map(|at| next + at)).collect()
}
