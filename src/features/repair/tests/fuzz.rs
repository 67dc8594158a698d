//! Sessions that are broken at random, repaired, and read by a strict reader that knows nothing of
//! chatls.

use std::collections::HashSet;

use serde_json::Value;

use super::sessions::{self, FAMILIES, Family, Rng, Session};
use super::{count, read, repair};
use crate::document::Language;

/// The number of cases of each family for each of the `count` sessions.
const CASES: u64 = 5;

/// Breaks the lines of a session one to three times.
fn broken(session: &mut Session, rng: &mut Rng) -> String {
    let mut cuts = Vec::new();
    for _ in 0..=rng.below(3) {
        let last = session.messages.len() - 1;
        let at = rng.below(last + 1);
        match rng.below(5) {
            0 if last > 2 => drop(session.messages.remove(at)),
            1 => session.messages.insert(at, session.messages[at].clone()),
            2 if at < last => session.messages.swap(at, at + 1),
            3 => session.reuse_id(rng),
            _ => cuts.push(at),
        }
    }
    let text = session.text();
    if session.is_array() {
        return text;
    }
    // A line is cut at any byte.
    let lines = text.lines().enumerate().map(|(at, line)| {
        let end = if cuts.contains(&at) { rng.below(line.len()) } else { line.len() };
        line[..line.floor_char_boundary(end)].to_owned() + "\n"
    });
    lines.collect()
}

/// The texts of the messages, calls and results in a value.
fn texts(value: &Value, found: &mut HashSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(members) => {
            for (key, value) in members {
                match value.as_str() {
                    Some(text) if matches!(&**key, "content" | "text" | "output" | "arguments") => {
                        found.insert(text.to_owned());
                    }
                    _ => texts(value, found),
                }
            }
        }
        _ => {}
    }
}

/// The values that a reader finds in complete lines.
fn values(family: Family, text: &str) -> Vec<Value> {
    match family.language() {
        Language::Json => serde_json::from_str::<Vec<Value>>(text).expect("an array"),
        _ => text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
    }
}

/// True if each parent of a line is a line.
fn is_chain(values: &[Value]) -> bool {
    let ids: HashSet<&Value> = values.iter().map(|value| &value["uuid"]).collect();
    let behind_first = values.iter().skip(1);
    behind_first.map(|value| &value["parentUuid"]).all(|parent| parent.is_null() || ids.contains(parent))
}

fn check(family: Family, seed: u64) {
    let mut rng = Rng::new(seed ^ 0xf0_22);
    let text = broken(&mut Session::new(family, &mut rng), &mut rng);
    let repaired = repair(&read(&text, family.language()));
    let after = repaired.document.text().to_string();
    let shown =
        |what: &str| format!("{family:?} seed {seed}: {what}\n{text}→\n{after}\n{:#?}", repaired.steps);
    assert_eq!(repaired.left, [], "{}", shown("problems are left"));
    let (before, values) = (values(family, &text), values(family, &after));
    if family.language() == Language::Log {
        assert_eq!(after.lines().count(), values.len(), "{}", shown("a line is not JSON"));
    }
    // A record that is written twice counts once. Records of Codex have no ids: two calls are two.
    let is_one = |value: &Value| match family {
        Family::ClaudeCode => true,
        Family::Codex => value["payload"]["type"] != "function_call",
        Family::OpenAi | Family::Anthropic => false,
    };
    let mut records: Vec<Value> = Vec::new();
    for value in &values {
        if !is_one(value) || !records.contains(value) {
            records.push(value.clone());
        }
    }
    assert!(sessions::is_paired(family, &records), "{}", shown("rejected"));
    if family == Family::ClaudeCode {
        assert!(is_chain(&values), "{}", shown("a parent is missing"));
    }
    let (mut old, mut new) = (HashSet::new(), HashSet::new());
    before.iter().for_each(|value| texts(value, &mut old));
    values.iter().for_each(|value| texts(value, &mut new));
    let lost = old.difference(&new).count();
    let removed = repaired.steps.iter().filter(|step| step.title.starts_with("Remove")).count();
    assert!(lost <= removed, "{}", shown(&format!("{lost} texts are lost, {removed} are reported")));
    assert_eq!(repair(&read(&after, family.language())).steps, [], "{}", shown("repaired again"));
}

#[test]
fn sessions_broken_at_random_are_read_again() {
    for family in FAMILIES {
        (0..count() * CASES).for_each(|seed| check(*family, seed));
    }
}
