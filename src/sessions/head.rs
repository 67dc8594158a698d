//! The title and the folder of a session, from the ends of its file.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use percent_encoding::percent_decode_str;

use super::Session;
use super::agents::RecordPaths;
use crate::files::{open_regular, read_regular};
use crate::forms::form::at;
use crate::json::{self, Value};

/// Numbers of bytes that are read at the beginning of a file: the second one if the first lacks a
/// value. The agent's instructions may precede the first message.
const HEADS: [u64; 2] = [16 << 10, HEAD];
/// The largest of these.
const HEAD: u64 = 256 << 10;
/// Number of bytes that are read at the end of a log: titles are appended.
const TAIL: u64 = 64 << 10;
/// Maximum size of an index of titles in bytes.
const INDEX: u64 = 16 << 20;
/// Maximum length of a title in characters.
const TITLE: usize = 200;

/// The description of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionHead {
    /// The folder of the project.
    pub folder: Option<String>,
    /// The title, or else the first message of the user: one line.
    pub title: Option<String>,
}

/// The values in the records that were read.
#[derive(Debug, Default)]
struct FoundValues {
    folder: Option<String>,
    title: Option<String>,
    prompt: Option<String>,
}

impl Session {
    /// The title and the folder, as far as the ends of the file have them.
    pub fn head(&self) -> SessionHead {
        let paths = &self.agent.paths;
        let is_log = self.path.extension().is_some_and(|extension| extension == "jsonl");
        let mut file = open_regular(&self.path).ok();
        let (mut head, mut found) = (String::new(), FoundValues::default());
        for limit in HEADS {
            let Some(file) = file.as_mut().filter(|_| !found.is_complete()) else { break };
            head = beginning(file, limit).unwrap_or_default();
            found = FoundValues::default();
            match is_log {
                true => head.lines().for_each(|line| found.line(line, paths)),
                false => found.document(&head, paths),
            }
        }
        if is_log && let Some(Ok(tail)) = file.map(|mut file| end(&mut file, head.len())) {
            tail.lines().skip(1).for_each(|line| found.line(line, paths));
        }
        let between = || paths.folder_between.iter().find_map(|marks| text_between(&head, *marks));
        let beside = || paths.folder_beside.and_then(|(file, path)| value_beside(&self.path, file, path));
        let index = paths.title_index.and_then(|index| title_in_index(self, index));
        SessionHead {
            folder: found.folder.or_else(between).or_else(beside).map(|folder| path_of(&folder)),
            title: index.or(found.title).or(found.prompt),
        }
    }
}

/// The first bytes of a file.
fn beginning(file: &mut File, limit: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The end of a file, without the `known` bytes at its beginning.
fn end(file: &mut File, known: usize) -> io::Result<String> {
    let mut bytes = Vec::new();
    let rest = file.metadata()?.len().saturating_sub(known as u64).min(TAIL);
    file.seek(SeekFrom::End(-rest.cast_signed()))?;
    file.take(TAIL).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl FoundValues {
    fn is_complete(&self) -> bool {
        self.folder.is_some() && (self.title.is_some() || self.prompt.is_some())
    }

    fn line(&mut self, line: &str, paths: &RecordPaths) {
        if line.starts_with('{') {
            let json = json::parse_prefix(line);
            json.root(line).into_iter().for_each(|record| self.record(record, paths));
        }
    }

    /// Reads a document, which may be cut off.
    fn document(&mut self, text: &str, paths: &RecordPaths) {
        let json = json::parse_prefix(text);
        let Some(root) = json.root(text) else { return };
        self.record(root, paths);
        let messages = paths.messages.iter().filter_map(|path| at(root, path));
        messages.flat_map(Value::items).for_each(|message| self.record(message, paths));
    }

    fn record(&mut self, record: Value<'_>, paths: &RecordPaths) {
        let text_at = |path: &&str| one_line(&text_of(at(record, path)?)?);
        if self.folder.is_none() {
            self.folder = paths.folder.iter().find_map(text_at);
        }
        self.title = paths.title.iter().filter_map(text_at).next_back().or(self.title.take());
        if self.prompt.is_none() {
            self.prompt = paths.prompts.iter().find_map(|prompt| prompt_in(record, *prompt));
        }
    }
}

/// The text of `record` if it is a user message.
fn prompt_in(record: Value<'_>, (key, expected, content): (&str, &str, &str)) -> Option<String> {
    let is_user = || at(record, key)?.as_str().map(|text| text == expected);
    let is_own = record.get("isMeta").and_then(Value::as_bool) != Some(true);
    if !is_own || (!key.is_empty() && is_user() != Some(true)) {
        return None;
    }
    let content = at(record, content)?;
    let of_part = |part: Value<'_>| prompt_text(&text_of(part.get("text")?)?);
    text_of(content).and_then(|text| prompt_text(&text)).or_else(|| content.items().find_map(of_part))
}

/// The text of a string; `None` if it is cut off early.
fn text_of(value: Value<'_>) -> Option<Cow<'_, str>> {
    value.as_str().filter(|text| value.is_closed() || text.len() > 4 * TITLE)
}

/// The first line of a message that the user wrote; `None` if the agent wrote it.
fn prompt_text(text: &str) -> Option<String> {
    let text = text.trim_start();
    let text = text.strip_prefix("<task>").unwrap_or(text);
    let by_agent = ["<", "Caveat:", "# AGENTS.md", "[Request interrupted"];
    let text = text.split("</task>").next().unwrap_or(text);
    if by_agent.iter().any(|begin| text.starts_with(begin)) { None } else { one_line(text) }
}

/// `text` on one line; `None` if it is blank.
fn one_line(text: &str) -> Option<String> {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > 4 * TITLE {
            break;
        }
    }
    let line: String = line.chars().take(TITLE).collect();
    (!line.is_empty()).then_some(line)
}

/// The text between two marks in `source`, which is JSON.
fn text_between(source: &str, (before, after): (&str, &str)) -> Option<String> {
    let (_, rest) = source.split_once(before)?;
    let (text, _) = rest.split_once(after)?;
    let text = text.replace("\\\\", "\\").replace("\\/", "/");
    (text.len() < 4096 && !text.contains(['\n', '"'])).then_some(text)
}

/// The text in a file near the one at `path`; of a JSON file the string at a path of keys.
fn value_beside(path: &Path, file: &str, key: &str) -> Option<String> {
    let above = file.matches("../").count();
    let folder = path.ancestors().nth(above + 1)?;
    let text = read_regular(&folder.join(file.trim_start_matches("../")), HEAD).ok()?;
    let text = String::from_utf8(text).ok()?;
    if key.is_empty() {
        return one_line(&text);
    }
    let json = json::parse(&text);
    at(json.root(&text)?, key)?.as_str().map(|folder| folder.into_owned())
}

/// The title of `session` in an index in one of the folders above it. The last entry counts.
fn title_in_index(session: &Session, (file, id, title): (&str, &str, &str)) -> Option<String> {
    let text = session.path.ancestors().skip(1).take(6).find_map(|folder| {
        let index = folder.join(file);
        index.is_file().then(|| read_regular(&index, INDEX).ok()).flatten()
    })?;
    let text = String::from_utf8(text).ok()?;
    let line = text.lines().rev().find(|line| line.contains(session.id.as_str()))?;
    let json = json::parse_prefix(line);
    let entry = json.root(line)?;
    let is_of_session = entry.get(id)?.as_str()? == session.id.as_str();
    is_of_session.then(|| one_line(&entry.get(title)?.as_str()?)).flatten()
}

/// The path that a `file:` URI stands for; other texts are unchanged.
fn path_of(folder: &str) -> String {
    let Some(encoded) = folder.strip_prefix("file://") else { return folder.to_owned() };
    percent_decode_str(encoded).decode_utf8_lossy().into_owned()
}
