//! The tools of `preset:chartsmith`.

use serde_json::Value;

use super::chart_index::ChartIndex;
use super::file_tools::places;
use super::folder::ToolFolder;
use super::string;

/// `latest_subchart_version`: the version of a chart in the user's index, `?` if it has no such
/// chart.
pub(super) fn latest_subchart_version(charts: &ChartIndex, input: &Value) -> Result<String, String> {
    let chart = string(input, "chart_name")?;
    Ok(charts.version(chart)?.unwrap_or_else(|| "?".to_owned()))
}

/// `latest_kubernetes_version`: the versions that chartsmith knows.
pub(super) fn latest_kubernetes_version(input: &Value) -> Result<String, String> {
    match string(input, "semver_field")? {
        "major" => Ok("1".to_owned()),
        "minor" => Ok("1.32".to_owned()),
        "patch" => Ok("1.32.1".to_owned()),
        other => Err(format!("`semver_field` is `major`, `minor` or `patch`; found `{other}`")),
    }
}

/// `text_editor`: views, creates or edits a file.
pub(super) fn text_editor(folder: &ToolFolder, input: &Value) -> Result<String, String> {
    let path = string(input, "path")?;
    let known = folder.read_if_present(path)?;
    match (string(input, "command")?, known) {
        ("create", None) => {
            let content =
                ["content", "file_text", "new_str"].iter().find_map(|name| string(input, name).ok());
            folder.write(path, content.ok_or("`content` is missing")?)?;
            Ok("Created".to_owned())
        }
        ("create", Some(_)) => Err("File already exists. Use view and str_replace instead.".to_owned()),
        (_, None) => Err("File does not exist. Use create instead.".to_owned()),
        ("view", Some(text)) => view(text.shown(), input.get("view_range")),
        ("str_replace", Some(text)) => {
            let old = string(input, "old_str")?.replace("\r\n", "\n");
            let new = string(input, "new_str")?;
            let place = match *places(text.shown(), &old) {
                _ if old.is_empty() => return Err("`old_str` is empty".to_owned()),
                [place] => place,
                [] => return Err(NOT_FOUND.to_owned()),
                _ => {
                    return Err(
                        "String to replace is more than once in the file. Add lines around it.".to_owned()
                    );
                }
            };
            folder.write(path, &text.replaced(&(place..place + old.len()), new))?;
            Ok("Content replaced successfully".to_owned())
        }
        (other, Some(_)) => Err(format!("`command` is `view`, `str_replace` or `create`; found `{other}`")),
    }
}

const NOT_FOUND: &str = "String to replace not found in file. Please use smaller, more precise replacements.";

/// The lines of `range`, an array of the first and the last, from 1; -1 is the end.
fn view(text: &str, range: Option<&Value>) -> Result<String, String> {
    let Some(range) = range.filter(|range| !range.is_null()) else { return Ok(text.to_owned()) };
    let bounds: Vec<i64> = range.as_array().into_iter().flatten().filter_map(Value::as_i64).collect();
    let lines = text.split_inclusive('\n').count();
    let [first, last] = *bounds else { return Err("`view_range` has two numbers".to_owned()) };
    let last = if last == -1 { Some(lines) } else { usize::try_from(last).ok() };
    match (usize::try_from(first).ok(), last) {
        (Some(first), Some(last)) if 1 <= first && first <= last && first <= lines => {
            Ok(text.split_inclusive('\n').skip(first - 1).take(last - first + 1).collect())
        }
        _ => Err(format!("`view_range` is not in the file, which has {lines} lines")),
    }
}
