//! The language of a document: by the editor's language id, by its name, or by its text.

use serde::de::IgnoredAny;

use crate::dialect::stream::LogLine;
use crate::json::error::is_cut_off;
use crate::never::OrNever;
use crate::text::Text;

/// Maximum number of bytes inspected per line.
const LINE_LIMIT: usize = 1 << 16;
/// Maximum number of bytes of a first line that is nothing but an opening bracket.
const SHORT_LINE: usize = 16;
/// Maximum number of lines inspected.
const LINES: usize = 1000;

/// The language of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// Markdown (CommonMark).
    #[default]
    Markdown,
    /// A log: one record per line.
    Log,
    /// A JSON document.
    Json,
    /// Org: its headings, and the tool uses of gptel.
    Org,
}

impl Language {
    /// Detects the language of `text`: by the editor's language id `id`; if that is unknown, by
    /// `name` (the last segment of a path or URI); otherwise by the text, as in a folder.
    pub fn of(id: &str, name: &str, text: &Text) -> Self {
        match (Self::of_id(id), Self::of_name(name)) {
            // Editors without a language for logs show them as JSON.
            (Some(Self::Json), Some(Self::Log)) => Self::of("", name, text),
            (Some(Self::Json), _) | (None, Some(Self::Json)) if begins_with_event(text) => Self::Log,
            // Some programs lay out the only record of a log.
            (Some(Self::Log), _) | (None, Some(Self::Log)) if is_laid_out(text) => Self::Json,
            (by_id, by_name) => by_id.or(by_name).unwrap_or_else(|| Self::of_text(text)),
        }
    }

    /// True if it is text for people, with blocks in it.
    pub fn is_prose(self) -> bool {
        matches!(self, Self::Markdown | Self::Org)
    }

    /// The language for the editor's language id `id`; `None` for `plaintext`, `log` and all
    /// others that do not determine it.
    pub fn of_id(id: &str) -> Option<Self> {
        match id {
            "jsonl" | "ndjson" | "sse" => Some(Self::Log),
            "json" | "jsonc" => Some(Self::Json),
            "markdown" | "chat-markdown" => Some(Self::Markdown),
            "org" => Some(Self::Org),
            _ => None,
        }
    }

    /// The language for the file name extension of `name`; `None` if it is unknown.
    pub fn of_name(name: &str) -> Option<Self> {
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        match extension.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" | "sse" => Some(Self::Log),
            "json" | "jsonc" => Some(Self::Json),
            "md" | "markdown" => Some(Self::Markdown),
            "org" => Some(Self::Org),
            _ => None,
        }
    }

    /// The language by content: a log if the first line with data is a record, or if a line has a
    /// message of an MCP server; a JSON document if the whole text is an object or an array of
    /// JSON.
    pub fn of_text(text: &Text) -> Self {
        let line = |line| {
            let content = text.line_content(line);
            let end = text.floor_boundary(content.end.min(content.start + LINE_LIMIT));
            (text.slice(content.start..end), end < content.end || content.end == text.len())
        };
        let lines = || (0..text.line_count().min(LINES)).map(line);
        let is_record = lines().filter_map(|(line, may_go_on)| is_record(&line, may_go_on)).next();
        match is_record {
            Some(true) => Self::Log,
            _ if is_json_document(text) => Self::Json,
            _ if lines().any(|(line, _)| is_of_mcp_server(&line)) => Self::Log,
            _ => Self::Markdown,
        }
    }
}

/// True if `text` begins with a field of a server-sent event, as recorded answers do.
fn begins_with_event(text: &Text) -> bool {
    let start = text.slice(0..text.floor_boundary(text.len().min(16)));
    ["data:", "event:"].iter().any(|field| start.trim_start_matches('\u{FEFF}').starts_with(field))
}

/// True if `text` is a single value of JSON in several lines.
fn is_laid_out(text: &Text) -> bool {
    begins_laid_out(text) && is_json_document(text)
}

/// True if `text` begins like a value of JSON in several lines, which may be incomplete.
pub fn begins_laid_out(text: &Text) -> bool {
    let first = text.line_content(0);
    // The first line of a log may be very long.
    first.len() <= SHORT_LINE
        && matches!(text.slice(first).trim_start_matches('\u{FEFF}').trim(), "{" | "[" | "[{")
}

/// True if `line` has a message from or to an MCP server, in a log of Claude Desktop:
/// `2025-07-20T14:09:08.507Z [NAME] [info] Message from client: {…} { metadata: undefined }`.
fn is_of_mcp_server(line: &str) -> bool {
    let parts = line.split_once("] Message from ").filter(|(head, _)| head.starts_with("20"));
    parts.is_some_and(|(head, message)| {
        head.contains("Z [") && ["client: {", "server: {"].iter().any(|start| message.starts_with(start))
    })
}

/// True if the whole of `text` is an object or an array with content.
fn is_json_document(text: &Text) -> bool {
    let start = text.slice(0..text.floor_boundary(text.len().min(LINE_LIMIT)));
    let mut bytes = start.trim_start_matches('\u{FEFF}').bytes().filter(|byte| !byte.is_ascii_whitespace());
    let begins = match (bytes.next(), bytes.next()) {
        (Some(b'{'), Some(next)) => next == b'"',
        (Some(b'['), Some(next)) => matches!(next, b'{' | b'['),
        _ => false,
    };
    let whole = || text.slice(0..text.len());
    begins && serde_json::from_str::<IgnoredAny>(whole().trim_start_matches('\u{FEFF}')).is_ok()
}

/// True if `line`, without its line end, is a log record; `None` for lines without data, such as
/// blank ones. `may_go_on` means that the line is cut off, or is the last line of a log that is
/// still being written.
pub fn is_record(line: &str, may_go_on: bool) -> Option<bool> {
    let is_json = |json: &str| match serde_json::from_str::<IgnoredAny>(json) {
        Ok(_) => true,
        Err(error) => may_go_on && is_cut_off(json, &error) && json.len() > 1,
    };
    Some(match LogLine::of(line) {
        LogLine::PassedOver => return None,
        LogLine::Json { text, start, .. } => {
            let json = text.get(start..).or_never();
            json.starts_with('{') && is_json(json)
        }
        // Records of the v4 wire format, such as `0:"text"`, including codes that no reader
        // supports.
        LogLine::Other { text } => match text.trim_start_matches(['\u{FEFF}', ' ', '\t']).split_once(':') {
            Some((code, json)) if is_code(code) => json.starts_with(['"', '{', '[']) && is_json(json),
            _ => false,
        },
    })
}

/// True if `code` is a record code of the v4 wire format.
fn is_code(code: &str) -> bool {
    matches!(code.as_bytes(), [b'0'..=b'9' | b'a'..=b'k'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Language) {
        assert_eq!(Language::of_text(&Text::new(text)), expected, "{text}");
    }

    #[test]
    fn logs_begin_with_a_record() {
        for log in [
            "{\"type\":\"start\"}\n{\"type\":\"text-start\"}\n",
            "\u{feff}\n\r\n  {\"type\":\"start\"}\r\n",
            ": ping\nevent: message\nid: 3\ndata: {\"type\":\"start\"}\n\n",
            "data:{\"type\":\"start\"}\n\ndata: [DONE]\n",
            "f:{\"messageId\":\"m\"}\n0:\"Hello\"\n",
            "0:\"Hello\"",
            "9:{\"toolCallId\":\"c\",\"toolName\":\"x\",\"args\":{}}\n",
            "{\"type\":\"text-del",
            "2025-07-20T14:09:05.001Z [a] [info] Initializing server...\nTraceback:\n\n\
             2025-07-20T14:09:06.002Z [a] [info] Message from client: {\"id\":0} { metadata: undefined }\n",
        ] {
            check(log, Language::Log);
        }
        check(&format!("{{\"type\":\"file\",\"data\":\"{}\"}}\n", "x".repeat(LINE_LIMIT)), Language::Log);
    }

    #[test]
    fn other_texts_are_markdown() {
        for text in [
            "",
            "\n\n",
            "# Title\n",
            "{\n  \"type\": \"start\"\n",
            "[1, 2]\n",
            "[[link]] and text\n",
            "{braces} in prose\n",
            "{\"cut\": \n\nand prose\n",
            "data: a list of values\n",
            "data: [1, 2]\n",
            "id: 3\ntitle: front matter\n",
            "---\nid: 3\n---\n",
            "a: an item\n",
            "1: \"quoted\" words\n",
            "See:\n\n```jsonl\n{\"type\":\"start\"}\n```\n",
            "###:{\"toolName\": \"a\"}\n",
            "[info] Message from client: {\"id\":0}\n",
            "2025-07-20T14:09:06.002Z [a] [info] Message from a client\n",
            "{",
        ] {
            check(text, Language::Markdown);
        }
    }

    #[test]
    fn json_documents_are_whole() {
        for json in
            ["{\n  \"type\": \"start\"\n}\n", "[{\"role\": \"user\"}]", " [\n[{}]\n]", "\u{feff}{\n\"a\": 1}"]
        {
            check(json, Language::Json);
        }
    }

    #[test]
    fn ids_and_names_come_first() {
        let log = Text::new("{\"type\":\"start\"}\n");
        let of = |id: &str, name: &str| Language::of(id, name, &log);
        assert_eq!(of("markdown", "a.jsonl"), Language::Markdown);
        assert_eq!(of("", "a.md"), Language::Markdown);
        assert_eq!(of("plaintext", "A.MARKDOWN"), Language::Markdown);
        assert_eq!(of("plaintext", "run.log"), Language::Log);
        assert_eq!(of("", "stdin"), Language::Log);
        assert_eq!(of("log", "run.log"), Language::Log);
        assert_eq!(of("quarto", "a.qmd"), Language::Log);
        assert_eq!(of("chat-markdown", "Untitled-1"), Language::Markdown);
        assert_eq!(of("json", "a.jsonl"), Language::Log);
        assert_eq!(of("org", "a"), Language::Org);
        assert_eq!(of("plaintext", "A.ORG"), Language::Org);
        assert_eq!(of("json", "a.md"), Language::Json);
        assert_eq!(of("", "a.jsonc"), Language::Json);
        assert_eq!(Language::of("log", "run.log", &Text::new("a line\n")), Language::Markdown);
        assert_eq!(Language::of("sse", "a.md", &Text::new("")), Language::Log);
        assert_eq!(Language::of("json", "a.json", &Text::new("event: x\ndata: {}\n")), Language::Log);
        assert_eq!(Language::of("", "a.json", &Text::new("data: {}\n")), Language::Log);
        assert_eq!(Language::of("", "a.NDJSON", &Text::new("")), Language::Log);
        let laid_out = Text::new("[\n  {\"role\": \"user\"}\n]\n");
        assert_eq!(Language::of("", "a.jsonl", &laid_out), Language::Json);
        assert_eq!(Language::of("json", "a.jsonl", &laid_out), Language::Json);
        assert_eq!(Language::of("", "a.jsonl", &Text::new("[\n  {\"role\":")), Language::Log);
    }
}
