//! What stands in a folder that a configuration may want to know: tool registries and transcripts.
//!
//! The search is bounded in depth, files and sizes; what lies beyond is not found, and no harm is done.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use ignore::DirEntry;

use crate::cli::names::read;
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::files::{may_be_owned_by_user, walker};
use crate::registry::read_source;
use crate::text::Text;

/// How many folders deep.
const DEPTH: usize = 5;
/// How many files are looked at.
const FILES: usize = 2000;
/// How long a file may be: registries and transcripts by hand are shorter.
const BYTES: u64 = 2 << 20;
/// How many registries a configuration begins with; of more, most are something else, like logged requests.
const SOURCES: usize = 20;
/// Folders of what programs made, beside those of [`may_be_owned_by_user`].
const FOREIGN: [&str; 2] = ["target", "dist"];

/// What was found.
#[derive(Debug, Default)]
pub(super) struct DetectedProject {
    /// Registries, by path; those nearest to the folder.
    pub sources: Vec<DetectedTools>,
    /// How many more there are.
    pub more_sources: usize,
    /// How many transcripts hold tool calls.
    pub transcripts: usize,
    /// Globs that those are found with.
    pub patterns: Vec<String>,
}

/// A file with tools.
#[derive(Debug)]
pub(super) struct DetectedTools {
    /// Its path from the folder, with `/`.
    pub path: String,
    /// How many tools it has.
    pub tools: usize,
}

/// Looks for registries and transcripts in `folder`.
pub(super) fn detect_project(folder: &Path) -> DetectedProject {
    let mut found = DetectedProject::default();
    let mut patterns = BTreeSet::new();
    let is_wanted = |entry: &DirEntry| {
        may_be_owned_by_user(entry) && !FOREIGN.iter().any(|name| entry.file_name() == *name)
    };
    let (mut walk, _) = walker(folder, is_wanted);
    let walk = walk.max_depth(Some(DEPTH)).max_filesize(Some(BYTES)).build();
    let files = walk.flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
    for entry in files.take(FILES) {
        let Some(path) = from(folder, entry.path()) else { continue };
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension).to_lowercase();
        match extension.as_str() {
            "json" => found.sources.extend(source(entry.path(), &path)),
            "md" | "markdown" | "jsonl" | "ndjson" | "sse" if has_calls(entry.path(), &path) => {
                found.transcripts += 1;
                patterns.insert(pattern(&path, &extension));
            }
            _ => {}
        }
    }
    let depth = |source: &DetectedTools| source.path.matches('/').count();
    found.sources.sort_by(|one, other| (depth(one), &one.path).cmp(&(depth(other), &other.path)));
    found.more_sources = found.sources.len().saturating_sub(SOURCES);
    found.sources.truncate(SOURCES);
    found.patterns = patterns.into_iter().collect();
    found
}

/// `path` as a configuration in `folder` names it.
fn from(folder: &Path, path: &Path) -> Option<String> {
    let parts: Option<Vec<_>> = path.strip_prefix(folder).ok()?.iter().map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}

/// The registry at `path`, if it is one without a doubt: every tool in it has a schema, and nothing is wrong.
fn source(path: &Path, name: &str) -> Option<DetectedTools> {
    let read = read_source(&read(path).ok()?, name);
    let is_registry = !read.tools.is_empty()
        && read.problems.is_empty()
        && read.tools.iter().all(|tool| tool.input_schema.is_some());
    is_registry.then(|| DetectedTools { path: name.to_owned(), tools: read.tools.len() })
}

fn has_calls(path: &Path, name: &str) -> bool {
    read(path).is_ok_and(|text| {
        let text = Text::new(&text);
        let language = Language::of("", name, &text);
        let settings = Arc::new(Settings { is_named: false, ..Settings::default() });
        let document = Document::new(text, language, settings);
        let speech = document.delta_text().is_some_and(|speech| !speech.paired_uses().uses.is_empty());
        speech || !document.paired_uses().uses.is_empty()
    })
}

/// A glob for the transcript at `path` and others like it.
fn pattern(path: &str, extension: &str) -> String {
    if path.ends_with(".chat.md") {
        return "**/*.chat.md".to_owned();
    }
    match path.split_once('/') {
        Some((folder, _)) => format!("{}/**", escaped(folder)),
        None if extension.starts_with('m') => escaped(path),
        None => format!("*.{extension}"),
    }
}

/// `path` as a glob that matches it alone.
fn escaped(path: &str) -> String {
    path.chars().fold(String::new(), |mut glob, character| {
        match character {
            '*' | '?' | '[' | ']' | '{' | '}' => glob.extend(['[', character, ']']),
            other => glob.push(other),
        }
        glob
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_for_more_of_the_kind() {
        for (path, expected) in [
            ("a.chat.md", "**/*.chat.md"),
            ("x/a.chat.md", "**/*.chat.md"),
            ("a.md", "a.md"),
            ("a[1].md", "a[[]1[]].md"),
            ("run.jsonl", "*.jsonl"),
            ("logs/2024/run.sse", "logs/**"),
        ] {
            let extension = path.rsplit_once('.').unwrap().1;
            assert_eq!(pattern(path, extension), expected);
        }
    }
}
