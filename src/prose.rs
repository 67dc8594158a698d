//! Rich text for users: titles, paragraphs, code and tables, rendered as Markdown or as plain text.
//!
//! Text from documents never becomes markup: code is fenced and quoted with more backticks than it
//! contains. Paragraphs are Markdown in both forms; they come from this program or from a tool's
//! description.

use crate::never::OrNever;

/// `1 file`, `2 files`.
pub fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// A number of bytes: `2.3KB`.
pub fn byte_size(bytes: usize) -> String {
    const UNITS: [&str; 3] = ["KB", "MB", "GB"];
    if bytes < 1024 {
        return format!("{bytes}B");
    }
    let (mut tenths, mut unit) = (bytes * 10 / 1024, 0);
    while tenths >= 10 * 1024 && unit + 1 < UNITS.len() {
        tenths /= 1024;
        unit += 1;
    }
    let tenth = if tenths % 10 == 0 { String::new() } else { format!(".{}", tenths % 10) };
    format!("{}{tenth}{}", tenths / 10, UNITS.get(unit).copied().or_never())
}

/// A sequence of text elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RichText {
    pieces: Vec<ProseBlock>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ProseBlock {
    Title { name: String, detail: String },
    Text(String),
    Code { language: &'static str, text: String },
    Table { head: &'static [&'static str], rows: Vec<Vec<String>> },
}

impl RichText {
    /// True if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Adds a title: `name`, with a short description.
    #[must_use]
    pub fn title(self, name: &str, detail: &str) -> Self {
        self.with(ProseBlock::Title { name: name.to_owned(), detail: detail.to_owned() })
    }

    /// Adds a paragraph of Markdown.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Self {
        let text = text.into();
        if text.trim().is_empty() { self } else { self.with(ProseBlock::Text(text)) }
    }

    /// Adds code with the language of a fence.
    #[must_use]
    pub fn code(self, language: &'static str, text: impl Into<String>) -> Self {
        self.with(ProseBlock::Code { language, text: text.into() })
    }

    /// Adds a table, unless it has no rows. Cells are Markdown of one line.
    #[must_use]
    pub fn table(self, head: &'static [&'static str], rows: Vec<Vec<String>>) -> Self {
        if rows.is_empty() { self } else { self.with(ProseBlock::Table { head, rows }) }
    }

    /// Adds all elements of `other`.
    #[must_use]
    pub fn then(mut self, other: Self) -> Self {
        self.pieces.extend(other.pieces);
        self
    }

    /// Renders Markdown.
    pub fn to_markdown(&self) -> String {
        self.joined(ProseBlock::to_markdown)
    }

    /// Renders plain text.
    pub fn to_plain(&self) -> String {
        self.joined(ProseBlock::to_plain)
    }

    fn with(mut self, piece: ProseBlock) -> Self {
        self.pieces.push(piece);
        self
    }

    fn joined(&self, write: impl Fn(&ProseBlock) -> String) -> String {
        self.pieces.iter().map(write).collect::<Vec<_>>().join("\n\n")
    }
}

impl ProseBlock {
    fn to_markdown(&self) -> String {
        match self {
            Self::Title { name, detail } if detail.is_empty() => format!("**{}**", code_span(name)),
            Self::Title { name, detail } => format!("**{}** – {detail}", code_span(name)),
            Self::Text(text) => text.trim_end().to_owned(),
            Self::Code { language, text } => {
                let fence = "`".repeat(longest_run(text).max(2) + 1);
                let line_end = if text.ends_with('\n') { "" } else { "\n" };
                format!("{fence}{language}\n{text}{line_end}{fence}")
            }
            Self::Table { head, rows } => {
                let rule = vec!["---".to_owned(); head.len()];
                let head = head.iter().map(ToString::to_string).collect();
                let lines = [&head, &rule].into_iter().chain(rows).map(|cells| table_row(cells));
                lines.collect::<Vec<_>>().join("\n")
            }
        }
    }

    fn to_plain(&self) -> String {
        match self {
            Self::Title { name, detail } if detail.is_empty() => name.clone(),
            Self::Title { name, detail } => format!("{name} – {detail}"),
            Self::Text(text) | Self::Code { text, .. } => text.trim_end().to_owned(),
            Self::Table { rows, .. } => {
                let line = |cells: &Vec<String>| {
                    let cells = cells.iter().map(|cell| one_line(cell)).filter(|cell| !cell.is_empty());
                    format!("- {}", cells.collect::<Vec<_>>().join("  "))
                };
                rows.iter().map(line).collect::<Vec<_>>().join("\n")
            }
        }
    }
}

/// `text` as a quote in Markdown, marked as the reasoning of a model.
pub fn quoted_thinking(text: &str) -> String {
    let lines: Vec<String> =
        text.trim().lines().map(|line| format!("> {line}").trim_end().to_owned()).collect();
    lines.join("\n").replacen("> ", "> 💭 ", 1)
}

/// `text` as inline code, with spaces instead of line breaks.
pub fn code_span(text: &str) -> String {
    let text = one_line(text);
    let ticks = match longest_run(&text) {
        0 => return if text.is_empty() { String::new() } else { format!("`{text}`") },
        run => "`".repeat(run + 1),
    };
    format!("{ticks} {text} {ticks}")
}

/// CommonMark has no tables: GFM's end a cell at each `|` without a backslash, even in code.
fn table_row(cells: &[String]) -> String {
    let cells: Vec<_> = cells.iter().map(|cell| one_line(cell).replace('|', "\\|")).collect();
    format!("| {} |", cells.join(" | "))
}

/// `text` in one line, with single spaces.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Parser};

    use super::*;

    #[test]
    fn sizes_are_short() {
        for (bytes, expected) in [
            (0, "0B"),
            (1023, "1023B"),
            (1024, "1KB"),
            (2355, "2.2KB"),
            (1 << 20, "1MB"),
            (3 << 29, "1.5GB"),
            (1 << 42, "4096GB"),
        ] {
            assert_eq!(byte_size(bytes), expected);
        }
    }

    #[test]
    fn both_formats_are_complete() {
        let rows =
            vec![vec!["`a`".to_owned(), "one\ntwo | three".to_owned()], vec!["b".to_owned(), String::new()]];
        let prose = RichText::default()
            .title("read`file", "a tool")
            .text("What it is.\n")
            .table(&["Name", "Description"], rows)
            .code("json", "```\n{}");
        assert_eq!(
            prose.to_markdown(),
            "**`` read`file ``** – a tool\n\nWhat it is.\n\n| Name | Description |\n| --- | --- |\n| `a` | one two \\| three |\n\
             | b |  |\n\n````json\n```\n{}\n````"
        );
        assert_eq!(
            prose.to_plain(),
            "read`file – a tool\n\nWhat it is.\n\n- `a`  one two | three\n- b\n\n```\n{}"
        );
        assert!(RichText::default().text(" ").table(&["a"], vec![]).is_empty());
    }

    proptest! {
        #[test]
        fn code_is_escaped(text in "([`~\\\\*_<>|a \n]{0,12}|```\n){0,4}") {
            let markdown = RichText::default().code("", text.as_str()).to_markdown();
            let mut shown = String::new();
            for event in Parser::new(&markdown) {
                match event {
                    Event::Text(text) => shown.push_str(&text),
                    Event::Start(_) | Event::End(_) => {}
                    other => prop_assert!(false, "{:?} of {:?}", other, markdown),
                }
            }
            let expected = if text.ends_with('\n') { text.clone() } else { format!("{text}\n") };
            prop_assert_eq!(shown, expected);
            let span = code_span(&text);
            let events: Vec<_> = Parser::new(&span).collect();
            let expected = one_line(&text);
            let code: Vec<_> = events
                .iter()
                .filter_map(|it| if let Event::Code(code) = it { Some(code.to_string()) } else { None })
                .collect();
            prop_assert_eq!(code, if expected.is_empty() { vec![] } else { vec![expected] });
        }
    }
}
