//! Markdown without dialects: messages under headings, and tool calls as lists that any renderer
//! shows.
//!
//! Text stays as written, but does not swallow what follows it. Calls and results are code, so that
//! nothing in them becomes markup.

use super::visible;
use crate::call::{ExpandedToolUse, MessageRole};
use crate::document::Document;
use crate::features::continuation::closed;
use crate::features::transcript::{MessagePart, ToolUseGroup, TranscriptMessage, messages};
use crate::prose::{RichText, code_span, one_line, quoted_thinking};

/// The beginnings of code blocks and comments.
const OPENERS: &[&str] = &["```", "~~~", "<!--"];

/// `document` as Markdown.
pub fn markdown(document: &Document) -> String {
    let parts: Vec<String> = messages(document).iter().flat_map(|it| parts(document, it)).collect();
    match parts.is_empty() {
        true => String::new(),
        false => parts.join("\n\n") + "\n",
    }
}

fn parts(document: &Document, message: &TranscriptMessage) -> Vec<String> {
    let name = message.heading();
    let mut parts = Vec::new();
    let heading = one_line(&visible(name));
    // Names of other roles are any text.
    let is_other = message.role == Some(MessageRole::Other);
    let heading = if is_other { literal(&heading) } else { heading };
    parts.extend((!name.is_empty()).then(|| format!("## {heading}")));
    for item in &message.items {
        match item {
            MessagePart::Text(text, _) => {
                let text = visible(text.trim_matches(['\n', '\r']));
                let text = text.trim_end();
                parts.extend((!text.is_empty()).then(|| match OPENERS.iter().any(|it| text.contains(it)) {
                    true => closed(document, text),
                    false => text.to_owned(),
                }));
            }
            MessagePart::Thinking(text, _) => parts.push(visible(&quoted_thinking(text)).into_owned()),
            MessagePart::Tools(used) => parts.push(tools(used)),
        }
    }
    parts
}

/// `text` as Markdown that has no markup.
fn literal(text: &str) -> String {
    let is_mark = |character| matches!(character, '\\' | '`' | '*' | '_' | '[' | '<' | '&' | '~' | '#');
    text.chars().flat_map(|it| is_mark(it).then_some('\\').into_iter().chain([it])).collect()
}

fn tools(tools: &ToolUseGroup) -> String {
    let entries: Vec<String> = tools.entries.iter().map(entry).collect();
    match &tools.entries[..] {
        [_] => entries.concat(),
        _ => format!("**{}**\n\n{}", one_line(&visible(&tools.label)), entries.join("\n")),
    }
}

fn entry(entry: &ExpandedToolUse) -> String {
    let mut text = format!("- {}{}", code_span(&visible(&entry.call)), entry.mark());
    if entry.is_inline {
        if !entry.result.is_empty() {
            text.push_str(&format!(" {}", code_span(&visible(&entry.result))));
        }
        return text;
    }
    let shown = [entry.result.as_str()].into_iter().chain(entry.more.as_deref());
    let shown = shown.map(visible).collect::<Vec<_>>().join("\n");
    let code = RichText::default().code("text", shown).to_markdown();
    for line in code.lines() {
        text.push_str(if line.is_empty() { "\n" } else { "\n  " });
        text.push_str(line);
    }
    text
}
