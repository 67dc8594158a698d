//! Detects the tool registries and transcripts in a folder, for its first configuration.
//!
//! The search is limited in depth, number of files and their sizes. Missing something is harmless.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use ignore::DirEntry;

use crate::cli::console::read;
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::files::{may_be_owned_by_user, walker};
use crate::registry::read_source;
use crate::text::Text;

/// Maximum depth of folders.
const DEPTH: usize = 5;
/// Maximum number of files that are inspected.
const FILES: usize = 2000;
/// Maximum size of a file in bytes; registries and handwritten transcripts are smaller.
const BYTES: u64 = 2 << 20;
/// Maximum number of registries in a new configuration. If there are more, most are other files,
/// such as logged requests.
const SOURCES: usize = 20;
/// Folders of generated files, besides the folders that [`may_be_owned_by_user`] rejects.
const FOREIGN: [&str; 2] = ["target", "dist"];

/// The tool registries and transcripts of a folder.
#[derive(Debug, Default)]
pub(super) struct DetectedProject {
    /// The registries nearest to the folder, by path.
    pub sources: Vec<DetectedTools>,
    /// Number of further registries.
    pub more_sources: usize,
    /// Number of transcripts with tool calls.
    pub transcripts: usize,
    /// Globs that match these transcripts.
    pub patterns: Vec<String>,
}

/// A tool registry.
#[derive(Debug)]
pub(super) struct DetectedTools {
    /// The path relative to the folder, with `/`.
    pub path: String,
    /// Number of tools.
    pub tools: usize,
}

/// Detects registries and transcripts in `folder`.
pub(super) fn detect_project(folder: &Path) -> DetectedProject {
    let mut found = DetectedProject::default();
    let mut patterns = BTreeSet::new();
    let is_wanted = |entry: &DirEntry| {
        may_be_owned_by_user(entry) && !FOREIGN.iter().any(|name| entry.file_name() == *name)
    };
    let (mut walk, _) = walker(folder, is_wanted, |_| false);
    let walk = walk.max_depth(Some(DEPTH)).max_filesize(Some(BYTES)).build();
    let files = walk.flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
    for entry in files.take(FILES) {
        let Some(path) = from(folder, entry.path()) else { continue };
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension).to_lowercase();
        match extension.as_str() {
            "json" => found.sources.extend(source(entry.path(), &path)),
            "md" | "markdown" | "org" | "jsonl" | "ndjson" | "sse" if has_calls(entry.path(), &path) => {
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

/// Formats `path` for a configuration in `folder`.
fn from(folder: &Path, path: &Path) -> Option<String> {
    let parts: Option<Vec<_>> = path.strip_prefix(folder).ok()?.iter().map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}

/// Parses the registry at `path`; `None` unless every tool has a schema and there are no
/// diagnostics.
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
        Document::new(text, language, settings).has_tool_uses()
    })
}

/// Returns a glob for the transcript at `path` and similar ones.
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

/// Returns a glob that matches only `path`.
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
    fn patterns_match_similar_files() {
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
