//! The programs whose transcripts have lines of their own that begin a message.

use super::MessageRole;
use super::MessageStart;

/// A program in whose transcripts other lines begin messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// aider: prompts are headings of level 4, and answers have no line of their own.
    Aider,
    /// The terminals of Claude Code and Gemini CLI.
    Terminal,
    /// The terminal of Codex: answers begin below the prompts.
    Codex,
    /// `codex exec`: its lines `user`, `thinking`, `codex` and `exec` begin messages.
    CodexExec,
    /// The terminal of goose: answers begin below the prompts.
    Goose,
    /// Cursor's transcripts as text.
    Cursor,
    /// ReAct, as LangChain's agents print it.
    React,
    /// LlamaIndex's agents.
    LlamaIndex,
    /// AutoGen's console.
    AutoGen,
}

impl Program {
    /// True if an answer follows a prompt without a mark of its own.
    pub fn has_bare_answers(self) -> bool {
        matches!(self, Self::Aider | Self::Codex | Self::Goose)
    }
}

/// The text after a mark.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AfterMark {
    /// A blank and text.
    Text,
    /// Any text.
    Any,
    /// Nothing: the mark is the line.
    Nothing,
}

use AfterMark::{Any, Nothing, Text};
use MessageRole::{Assistant, User};

/// The beginnings of lines that begin messages.
const MARKS: [(&str, AfterMark, Program, MessageRole); 17] = [
    ("⏺", Text, Program::Terminal, Assistant),
    ("✦", Text, Program::Terminal, Assistant),
    (">", Text, Program::Terminal, User),
    ("❯", Text, Program::Terminal, User),
    ("›", Text, Program::Codex, User),
    (GOOSE, Text, Program::Goose, User),
    ("codex", Nothing, Program::CodexExec, Assistant),
    ("thinking", Nothing, Program::CodexExec, Assistant),
    ("exec", Nothing, Program::CodexExec, Assistant),
    ("user:", Nothing, Program::Cursor, User),
    ("assistant:", Nothing, Program::Cursor, Assistant),
    ("Question:", Any, Program::React, User),
    ("Thought:", Any, Program::React, Assistant),
    ("Final Answer:", Any, Program::React, Assistant),
    ("Added user message to memory:", Any, Program::LlamaIndex, User),
    ("=== Calling Function ===", Nothing, Program::LlamaIndex, Assistant),
    ("=== LLM Response ===", Nothing, Program::LlamaIndex, Assistant),
];

/// The beginnings of the descriptions of ReAct's lines in LangChain's prompt.
const DESCRIBED: [&str; 3] = ["the input question", "you should always think", "the final answer to"];

/// The prompt of goose.
const GOOSE: &str = "( O)>";

/// The message that `line`, a line below `above`, begins, if a mark in it or the whole line stands
/// for a role. Its spans are relative to `line`.
pub fn program_line(above: &str, line: &str) -> Option<MessageStart> {
    let start = |program, role, name: usize, text: &str| {
        let start = MessageStart::in_line(line, role, 0..name, line.len() - text.len());
        Some(MessageStart { program: Some(program), ..start })
    };
    let after = |mark: &str, kind: AfterMark| {
        let rest = line.strip_prefix(mark)?;
        match kind {
            Text => Some(rest.strip_prefix([' ', '\u{a0}'])?.trim_start()).filter(|text| !text.is_empty()),
            Any => Some(rest.trim_start()),
            Nothing => Some("").filter(|_| rest.trim_ascii_end().is_empty()),
        }
    };
    let first = line.as_bytes().first()?;
    // Fast path: most lines begin with another byte.
    for (mark, kind, program, role) in MARKS.into_iter().filter(|it| it.0.as_bytes().first() == Some(first)) {
        if let Some(text) = after(mark, kind) {
            // A prompt of LangChain describes these lines.
            if program == Program::React && DESCRIBED.iter().any(|start| text.starts_with(start)) {
                return None;
            }
            let name = if kind == Text && mark != GOOSE { mark.len() } else { 0 };
            // The lines of an answer have their labels, as those after the first.
            let text = if program == Program::React && role == Assistant { line } else { text };
            return start(program, role, name, text);
        }
    }
    // The prompt of `codex exec` follows its settings.
    if above.starts_with("----") && line.trim_ascii_end() == "user" {
        return start(Program::CodexExec, User, 0, "");
    }
    if above.starts_with(GOOSE) && !line.trim().is_empty() {
        return start(Program::Goose, Assistant, 0, line);
    }
    let role =
        if speaker_of_autogen(above, line)?.to_ascii_lowercase().contains("user") { User } else { Assistant };
    start(Program::AutoGen, role, 0, "")
}

/// The name in `---------- TextMessage (user) ----------`, or in versions before 0.4
/// `user (to helper):` below a rule or at the start.
fn speaker_of_autogen<'l>(above: &str, line: &'l str) -> Option<&'l str> {
    const RULE: &str = "----------";
    let line = line.trim_ascii_end();
    if let Some((name, reader)) = line.strip_suffix("):").and_then(|line| line.split_once(" (to ")) {
        let are_names = !name.is_empty() && ![name, reader].into_iter().any(|it| it.contains(' '));
        return Some(name).filter(|_| are_names && (above.is_empty() || above.starts_with("----")));
    }
    let (_, name) = line.strip_prefix(RULE)?.strip_suffix(RULE)?.trim().split_once(" (")?;
    name.strip_suffix(')')
}
