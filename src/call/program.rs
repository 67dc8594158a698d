//! The programs whose transcripts have lines of their own that begin a message.

use super::MessageRole;
use super::message_start::RoleLine;

/// A program in whose transcripts other lines begin messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// aider: prompts are headings of level 4, and answers have no line of their own.
    Aider,
    /// The terminals of Claude Code and Gemini CLI.
    Terminal,
    /// The terminal of Codex: answers begin below the prompts.
    Codex,
    /// `codex exec`: its lines `user`, `thinking` and `codex` begin messages.
    CodexExec,
}

/// The role in `line`, a line of a terminal below `above`, where a mark or a line of its own stands
/// for it. The prompt of `codex exec` follows its settings.
pub fn terminal_line(above: &str, line: &str) -> Option<(Program, RoleLine)> {
    let whole = match line.trim_ascii_end() {
        "user" if above.starts_with("----") => Some(MessageRole::User),
        "codex" | "thinking" => Some(MessageRole::Assistant),
        _ => None,
    };
    if let Some(role) = whole {
        return Some((Program::CodexExec, RoleLine { role, name: 0..0, text: line.len() }));
    }
    let marks = [
        ("⏺", Program::Terminal, MessageRole::Assistant),
        ("✦", Program::Terminal, MessageRole::Assistant),
        (">", Program::Terminal, MessageRole::User),
        ("❯", Program::Terminal, MessageRole::User),
        ("›", Program::Codex, MessageRole::User),
    ];
    let (mark, program, role) = marks.into_iter().find(|(mark, ..)| line.starts_with(mark))?;
    let text = line.get(mark.len()..)?.strip_prefix([' ', '\u{a0}'])?.trim_start();
    let found = || RoleLine { role, name: 0..mark.len(), text: line.len() - text.len() };
    (!text.is_empty()).then(|| (program, found()))
}
