//! Sessions from a seed, and a check of their calls and results that knows nothing of chatls.

use serde_json::{Value, json};

use crate::document::Language;

/// A small generator of numbers (xorshift).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

/// A family of sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    OpenAi,
    Anthropic,
    ClaudeCode,
    Codex,
}

pub const FAMILIES: &[Family] = &[Family::OpenAi, Family::Anthropic, Family::ClaudeCode, Family::Codex];

impl Family {
    pub fn language(self) -> Language {
        match self {
            Self::OpenAi | Self::Anthropic => Language::Json,
            Self::ClaudeCode | Self::Codex => Language::Log,
        }
    }
}

/// A session: its messages as JSON, each with the ids of its results.
#[derive(Clone)]
pub struct Session {
    family: Family,
    pub messages: Vec<Value>,
}

const WORDS: &[&str] = &["Tom", "is \"a\" cat", "ä\n€", "path\\to", "😀", ""];

impl Session {
    /// Turns of the user, with tool uses and answers; the last message is an answer.
    pub fn new(family: Family, rng: &mut Rng) -> Self {
        let mut session = Self { family, messages: Vec::new() };
        let mut number = 0;
        for _ in 0..rng.below(3) + 1 {
            session.say("user", rng);
            for _ in 0..rng.below(4) + 1 {
                let count = rng.below(3) + 1;
                let ids: Vec<String> = (0..count).map(|at| format!("call_{}", number + at)).collect();
                number += count;
                session.call(&ids, rng);
                session.answer(&ids, rng);
            }
            session.say("assistant", rng);
        }
        session
    }

    fn push(&mut self, role: &str, message: Value) {
        let number = self.messages.len();
        let uuid = |number: usize| format!("00000000-0000-4000-8000-{number:012}");
        let parent = number.checked_sub(1).map(uuid);
        self.messages.push(match self.family {
            Family::OpenAi | Family::Anthropic => message,
            Family::ClaudeCode => json!({
                "parentUuid": parent, "isSidechain": false, "sessionId": "s", "type": role,
                "message": message, "uuid": uuid(number), "timestamp": format!("2026-01-01T00:00:{number:02}Z"),
            }),
            Family::Codex => json!({
                "timestamp": format!("2026-01-01T00:00:{number:02}Z"), "type": "response_item", "payload": message,
            }),
        });
    }

    fn say(&mut self, role: &str, rng: &mut Rng) {
        let text = format!("words {} {}", self.messages.len(), WORDS[rng.below(WORDS.len())]);
        let message = match self.family {
            Family::Codex => {
                json!({"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]})
            }
            _ => json!({"role": role, "content": text}),
        };
        self.push(role, message);
    }

    fn call(&mut self, ids: &[String], rng: &mut Rng) {
        // Equal calls with one id would be one that is written twice.
        let (text, number) = (WORDS[rng.below(WORDS.len())], rng.below(99));
        let input = |at: usize| json!({"text": text, "n": number + at});
        let calls = ids.iter().enumerate();
        match self.family {
            Family::OpenAi => {
                let call = |(at, id): (usize, &String)| json!({"id": id, "type": "function", "function": {"name": "f", "arguments": input(at).to_string()}});
                let calls: Vec<Value> = calls.map(call).collect();
                self.push("assistant", json!({"role": "assistant", "content": null, "tool_calls": calls}));
            }
            Family::Anthropic => {
                let call = |(at, id): (usize, &String)| json!({"type": "tool_use", "id": id, "name": "f", "input": input(at)});
                let calls: Vec<Value> = calls.map(call).collect();
                self.push("assistant", json!({"role": "assistant", "content": calls}));
            }
            // One streamed message, a line for each block.
            Family::ClaudeCode => {
                let message_id = format!("msg_{}", ids[0]);
                for (at, id) in calls {
                    let call = json!({"type": "tool_use", "id": id, "name": "f", "input": input(at)});
                    self.push("assistant", json!({"id": message_id, "role": "assistant", "content": [call]}));
                }
            }
            Family::Codex => {
                for (at, id) in calls {
                    self.push("", json!({"type": "function_call", "name": "f", "arguments": input(at).to_string(), "call_id": id}));
                }
            }
        }
    }

    fn answer(&mut self, ids: &[String], rng: &mut Rng) {
        let text = |rng: &mut Rng| format!("{} {}", rng.below(1 << 30), WORDS[rng.below(WORDS.len())]);
        let block = |id: &String, rng: &mut Rng| json!({"type": "tool_result", "tool_use_id": id, "content": text(rng)});
        if self.family == Family::Anthropic {
            let blocks: Vec<Value> = ids.iter().map(|id| block(id, rng)).collect();
            return self.push("user", json!({"role": "user", "content": blocks}));
        }
        for id in ids {
            let message = match self.family {
                Family::OpenAi => json!({"role": "tool", "tool_call_id": id, "content": text(rng)}),
                Family::Codex => json!({"type": "function_call_output", "call_id": id, "output": text(rng)}),
                _ => json!({"role": "user", "content": [block(id, rng)]}),
            };
            self.push("user", message);
        }
    }

    pub fn is_array(&self) -> bool {
        self.family.language() == Language::Json
    }

    pub fn text(&self) -> String {
        let lines: Vec<String> = self.messages.iter().map(Value::to_string).collect();
        match self.family.language() {
            Language::Json => format!("[\n{}\n]\n", lines.join(",\n")),
            _ => lines.join("\n") + "\n",
        }
    }

    /// The index of a message with results, directly after one without.
    pub fn any_result(&self, rng: &mut Rng) -> usize {
        let is_result = |at: usize| parts(&self.messages[at]).iter().any(|part| !part.is_call);
        let all: Vec<usize> =
            (1..self.messages.len()).filter(|at| is_result(*at) && !is_result(at - 1)).collect();
        all[rng.below(all.len())]
    }

    /// Writes the id of one call in place of another, later one, and of its result.
    pub fn reuse_id(&mut self, rng: &mut Rng) {
        let all: Vec<String> =
            self.messages.iter().flat_map(parts).filter(|part| part.is_call).map(|part| part.id).collect();
        if all.len() < 2 {
            return;
        }
        let later = rng.below(all.len() - 1) + 1;
        let (from, to) = (format!("\"{}\"", all[later]), format!("\"{}\"", all[rng.below(later)]));
        for message in &mut self.messages {
            *message = serde_json::from_str(&message.to_string().replace(&from, &to)).expect("JSON");
        }
    }
}

struct Part {
    id: String,
    is_call: bool,
}

/// The calls and results of a message.
fn parts(value: &Value) -> Vec<Part> {
    let message = value.get("message").or(value.get("payload")).unwrap_or(value);
    let mut parts = Vec::new();
    let mut add =
        |id: &Value, is_call| parts.extend(id.as_str().map(|id| Part { id: id.to_owned(), is_call }));
    message["tool_calls"].as_array().into_iter().flatten().for_each(|call| add(&call["id"], true));
    add(&message["tool_call_id"], false);
    for part in message["content"].as_array().into_iter().flatten() {
        match part["type"].as_str() {
            Some("tool_use") => add(&part["id"], true),
            Some("tool_result") => add(&part["tool_use_id"], false),
            _ => {}
        }
    }
    let kind = message["type"].as_str().unwrap_or_default();
    if kind.starts_with("function_call") {
        add(&message["call_id"], kind == "function_call");
    }
    parts
}

/// True if each call has one result after it, each result a call, and no two calls that wait have
/// one id, except in Codex, whose server accepts that (`duplicate-id`). A server that takes
/// messages, not items, wants the results before the next turn; in a session, its agent puts them
/// there.
pub fn is_paired(family: Family, messages: &[Value]) -> bool {
    let mut open: Vec<String> = Vec::new();
    // The calls of the last turn may wait.
    let (mut last, mut had_calls) = (0, false);
    for message in messages {
        let parts = parts(message);
        // Anthropic's server joins messages of the assistant that follow each other.
        let goes_on = family == Family::Anthropic && message["role"] == "assistant";
        if parts.is_empty() && family.language() == Language::Json && !goes_on && !open.is_empty() {
            return false;
        }
        // Parallel calls may be lines of their own.
        let has_calls = parts.iter().any(|part| part.is_call);
        if has_calls && !had_calls {
            last = open.len();
        }
        had_calls = has_calls;
        for part in parts {
            let waiting = open.iter().position(|id| *id == part.id);
            match (part.is_call, waiting) {
                (true, None) => open.push(part.id),
                // Codex's server takes results in order.
                (true, Some(_)) if family == Family::Codex => open.push(part.id),
                (false, Some(at)) => drop(open.remove(at)),
                _ => return false,
            }
        }
    }
    open.is_empty() || last == 0
}

/// True if each call has one result before the next turn, each result a call, and each id one call;
/// OpenAI accepts ids that return.
pub fn is_accepted(family: Family, text: &str) -> bool {
    let parse = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
    let messages: Vec<Value> = match family.language() {
        Language::Json => parse(text).as_array().expect("an array").clone(),
        _ => text.lines().map(parse).collect(),
    };
    let ids_return = matches!(family, Family::OpenAi | Family::Codex);
    let (mut seen, mut open) = (Vec::new(), Vec::new());
    for message in &messages {
        let parts = parts(message);
        if parts.is_empty() && !open.is_empty() {
            return false;
        }
        for part in parts {
            if part.is_call {
                if if ids_return { &open } else { &seen }.contains(&part.id) {
                    return false;
                }
                seen.push(part.id.clone());
                open.push(part.id);
            } else if let Some(at) = open.iter().position(|id| *id == part.id) {
                open.remove(at);
            } else {
                return false;
            }
        }
    }
    true
}
