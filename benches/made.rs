//! Generated documents for benchmarks, so that figures are the same everywhere.
//!
//! Each kind repeats a turn that contains varying numbers.

use std::fmt::Write as _;

/// A document of about `size` bytes: `prose`, `ordinary` or `dense` transcripts, one of `fences`,
/// logs of `calls` or of `text`, a log of `messages`, or a `session` of Claude Code.
pub fn document(kind: &str, size: usize) -> String {
    let add: fn(&mut String, usize) = match kind {
        "dense" => dense,
        "ordinary" => ordinary,
        "fences" => fences,
        "session" => session,
        "calls" => calls,
        "text" => text,
        "messages" => messages,
        _ => prose,
    };
    let mut document = String::with_capacity(size + (16 << 10));
    let mut turn = 0;
    while document.len() < size {
        turn += 1;
        add(&mut document, turn);
    }
    document
}

/// As many blocks as possible: three fences of 300 bytes, a marker with its result and a tag for
/// every 250 bytes of prose.
fn dense(text: &mut String, turn: usize) {
    text.push_str(&format!("## Turn {turn}\n\nLet me look at the *file* and see what `main` does with it.\nIt may take a moment.\n\n"));
    for call in 0..3 {
        text.push_str(&format!(
            "```tool\n{{\n  \"toolCallId\": \"call_{turn}_{call}\",\n  \"toolName\": \"read_file\",\n  \"state\": \"output-available\",\n  \"input\": {{\n    \"path\": \"src/part_{turn}.rs\",\n    \"lines\": [{call}, 200]\n  }},\n  \"output\": \"fn part_{turn}() {{\\n    println!(\\\"{turn}\\\");\\n}}\\n\"\n}}\n```\n\n"
        ));
    }
    text.push_str("Here is what I found:\n\n- it prints its own number;\n- it does nothing else.\n\n");
    text.push_str(&format!(
        "###:{{\"toolName\": \"search\", \"parameters\": {{\"query\": \"part_{turn}\"}}}}\n\n*🔧 Executed search*\n\n"
    ));
    text.push_str(&format!("<tool>run_shell_command(args=[&quot;ls&quot;])\npart_{turn}.rs</tool>\n\n"));
}

/// A question and two calls in fences on several lines.
fn fences(text: &mut String, turn: usize) {
    text.push_str(&format!("**User:** Why is part {turn} not read?\n\n**Assistant:** Let me look.\n\n"));
    for call in 0..2 {
        let output = format!("    let value_{turn} = section.get(\\\"key\\\");\\n").repeat(4 + turn * 7 % 9);
        text.push_str(&format!(
            "```tool\n{{\n  \"toolCallId\": \"call_{turn}_{call}\",\n  \"toolName\": \"read_file\",\n  \"state\": \"output-available\",\n  \"input\": {{\n    \"path\": \"src/part_{turn}.rs\",\n    \"lines\": [{call}, 200]\n  }},\n  \"output\": \"{output}\"\n}}\n```\n\n"
        ));
    }
    text.push_str("It is read elsewhere, and nothing else has to change.\n\n");
}

/// The lines of [`messages`] in the envelopes of Claude Code.
fn session(text: &mut String, turn: usize) {
    let mut lines = String::new();
    messages(&mut lines, turn);
    for (line, message) in lines.lines().enumerate() {
        let parent = (turn * 4 + line).saturating_sub(1);
        let own = turn * 4 + line;
        let role = if line % 2 == 0 { "user" } else { "assistant" };
        text.push_str(&format!(
            "{{\"parentUuid\":\"00000000-0000-4000-8000-{parent:012}\",\"isSidechain\":false,\"userType\":\"external\",\"cwd\":\"/project\",\"sessionId\":\"5f5c8a4e-0000-4000-8000-000000000000\",\"version\":\"2.0.1\",\"type\":\"{role}\",\"message\":{message},\"uuid\":\"00000000-0000-4000-8000-{own:012}\",\"timestamp\":\"2026-02-12T16:02:48.183Z\"}}\n"
        ));
    }
}

const PARAGRAPH: &str = "The parser goes wrong where a line ends with a carriage return: `split` takes it for a part of \
    the word before it, and so the *last* key of each section is never found. The tests do not see it, as all of their \
    files were written on Linux.\nThere are two ways to mend it. One is to trim each line, which is what most readers \
    of this format do; the other is to refuse such files, with a message that says why.\n\n";

const CODE: &str = "```rust\nfn sections(text: &str) -> impl Iterator<Item = Section<'_>> {\n    text.split(\"\\n[\")\n        \
    .filter(|section| !section.trim().is_empty())\n        .map(|section| {\n            let (name, rest) = \
    section.split_once(']').unwrap_or((section, \"\"));\n            Section { name: name.trim(), entries: entries(rest) }\n        \
    })\n}\n```\n\n";

/// A question of the user, and an assistant that explains, reads files of 1 to 4 kB, shows code and
/// explains again.
fn ordinary(text: &mut String, turn: usize) {
    text.push_str(&format!("## User\n\nThe settings of project {turn} are not read on Windows. Why? Please look at `src/settings_{turn}.rs` and mend it, with a test.\n\n## Assistant\n\n"));
    text.push_str(PARAGRAPH);
    for call in 0..2 {
        let mut output = String::new();
        for line in 0..15 + (turn * 7 + call * 31) % 44 {
            output.push_str(&format!(
                "    let value_{line} = section.get(\\\"key_{line}\\\").unwrap_or_default();\\n"
            ));
        }
        text.push_str(&format!(
            "```tool\n{{\n  \"toolCallId\": \"call_{turn}_{call}\",\n  \"toolName\": \"read_file\",\n  \"state\": \"output-available\",\n  \"input\": {{\n    \"path\": \"src/settings_{turn}.rs\",\n    \"lines\": [{call}, 200]\n  }},\n  \"output\": \"{output}\"\n}}\n```\n\n"
        ));
    }
    text.push_str(PARAGRAPH);
    text.push_str(CODE);
    text.push_str("What changes:\n\n- each line is trimmed before it is read, so that both ends are fine;\n- a test reads the same file with both ends;\n- nothing else.\n\n");
    text.push_str(PARAGRAPH);
}

fn prose(text: &mut String, _: usize) {
    text.push_str(PARAGRAPH);
}

/// Calls with their input as deltas, and their results.
fn calls(text: &mut String, turn: usize) {
    let id = format!("call_{turn}");
    text.push_str(&format!(
        "{{\"type\":\"tool-input-start\",\"toolCallId\":\"{id}\",\"toolName\":\"read_file\"}}\n"
    ));
    for piece in ["{\\\"path\\\":", "\\\"src/", "settings", ".rs\\\",", "\\\"lines\\\":", "[1,200]", "}"] {
        text.push_str(&format!(
            "{{\"type\":\"tool-input-delta\",\"toolCallId\":\"{id}\",\"inputTextDelta\":\"{piece}\"}}\n"
        ));
    }
    text.push_str(&format!("{{\"type\":\"tool-input-available\",\"toolCallId\":\"{id}\",\"toolName\":\"read_file\",\"input\":{{\"path\":\"src/settings.rs\",\"lines\":[1,200]}}}}\n"));
    text.push_str(&format!(
        "{{\"type\":\"tool-output-available\",\"toolCallId\":\"{id}\",\"output\":\"{}\"}}\n",
        "fn main() {\\n}\\n".repeat(20)
    ));
}

/// A text in small deltas.
fn text(text: &mut String, _: usize) {
    for word in PARAGRAPH.split_inclusive([' ', '\n']) {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{{\"type\":\"text-delta\",\"id\":\"txt-0\",\"delta\":\"{}\"}}",
            word.replace('\n', "\\n")
        );
    }
}

/// A question, a call, its result and an answer, each on a line.
fn messages(text: &mut String, turn: usize) {
    let result = format!("    let value_{turn} = section.get(\\\"key\\\");\\n").repeat(10 + turn * 7 % 44);
    for message in [
        format!("{{\"role\":\"user\",\"content\":\"Why is part {turn} not read?\"}}"),
        format!(
            "{{\"role\":\"assistant\",\"content\":[{{\"type\":\"text\",\"text\":\"Let me look.\"}},{{\"type\":\"tool_use\",\"id\":\"toolu_{turn}\",\"name\":\"read_file\",\"input\":{{\"path\":\"src/part_{turn}.rs\"}}}}]}}"
        ),
        format!(
            "{{\"role\":\"user\",\"content\":[{{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_{turn}\",\"content\":\"{result}\"}}]}}"
        ),
        format!(
            "{{\"role\":\"assistant\",\"content\":[{{\"type\":\"text\",\"text\":\"Part {turn} is read elsewhere.\"}}]}}"
        ),
    ] {
        text.push_str(&message);
        text.push('\n');
    }
}
