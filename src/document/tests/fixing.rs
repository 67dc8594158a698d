//! Any fix of any document removes its diagnostic and adds none; repeated fix-all terminates.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::fixes::applied;
use super::incremental::{LINES, MARKDOWN, picks, soup};
use crate::config::Settings;
use crate::diagnostic::Code;
use crate::document::{Document, Language};
use crate::features::samples::small;
use crate::json::MAX_FAULTS;
use crate::text::Text;

/// Realistic texts of people and models, and their common errors.
const REALISTIC: &[&str] = &[
    "```tool\n{\n  \"toolCallId\": \"c1\",\n  \"toolName\": \"search\",\n  \"state\": \"output-available\",\n  \"input\": { \"query\": \"cats\" },\n  \"output\": [\"a\", 1, true]\n}\n```\n",
    "> ```tool\n> {'toolName': 'x', 'input': {'a': True, 'b': None}}\n> ```\n\n",
    "- ```tool\n  {\"toolName\": \"x\", // why\n   \"state\": \"done\", \"result\": 1,}\n  ```\n",
    "Sure ###:{\"toolName\": \"x\", \"parameters\": {\"a\": [1, {\"b\": \"c\"}]}, \"path\": \"p\"}\n\n",
    "<tool>run(cmd=a & b)\nif a < b: c</tool>\n\n",
    "<tool>run(cmd=ls)\n\ntext\n\n",
    "```jsonl\n{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"x\",\"args\":{\"a\":1}}\n{\"type\":\"text-delta\",\"delta\":\"<tool>r(a=1 & 2)\\nb</tool>\"}\n```\n",
];

const RECORDS: &[&str] = &[
    "{\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"input\":{\"q\":[1,true,\"s\"]}}\n",
    "data: {\"type\":\"tool-result\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"result\":{\"a\":1}}\n",
    "{\"type\":\"text-delta\",\"delta\":\"see ###:{'toolName': \\\"x\\\", \"}\n",
    "{\"type\":\"text-delta\",\"delta\":\"\\\"parameters\\\": {\\\"a\\\": 1 \\\"b\\\": 2}}\\n\"}\n",
    "{\"type\":\"text-delta\",\"text\":\"<tool>a & b\\n</tool> </tool>\"}\n",
];

/// Fragments that mutations insert.
const DUST: &[&str] = &[
    "{", "}", "[", "]", "\"", "'", ",", ":", ";", "\n", " ", "a", "1", "\\", "“", "</tool>", "`", "//x", "\t",
];

/// A document of `pieces`, with single characters removed and fragments inserted.
fn mutated(pieces: &'static [&'static str], picked: &[usize], mutations: &[(f64, bool, usize)]) -> String {
    let mut text = soup(pieces, picked);
    for (place, takes, dust) in mutations {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a share of a short text"
        )]
        let at = text.floor_char_boundary((text.len() as f64 * place) as usize);
        if *takes {
            let len = text[at..].chars().next().map_or(0, char::len_utf8);
            text.replace_range(at..at + len, "");
        } else {
            text.insert_str(at, DUST[dust % DUST.len()]);
        }
    }
    text
}

fn mutations() -> impl Strategy<Value = Vec<(f64, bool, usize)>> {
    prop::collection::vec((0.0..1.0f64, any::<bool>(), 0usize..1000), 0..8)
}

fn read(text: &str, language: Language) -> Document {
    Document::new(Text::new(text), language, small(&Settings::default()))
}

fn counts(document: &Document) -> BTreeMap<Code, usize> {
    let mut counts = BTreeMap::new();
    for problem in document.diagnostics() {
        *counts.entry(problem.code).or_default() += 1;
    }
    counts
}

/// True if a rule that checks the content of a payload may skip it because of an error.
fn waits_for_json(code: Code) -> bool {
    !matches!(
        code,
        Code::InvalidJson
            | Code::UnclosedFence
            | Code::UnclosedMarker
            | Code::UnclosedTag
            | Code::StrayTag
            | Code::UnescapedMarkup
    )
}

/// True if the code is reported only for closed tags.
fn waits_for_end(code: Code) -> bool {
    matches!(code, Code::OrphanResult | Code::LegacyValidation)
}

/// True if the code is reported only if no error can hide anything.
fn waits_for_all(code: Code) -> bool {
    matches!(code, Code::PendingCall | Code::UnusedSuppression)
}

fn check(text: &str, language: Language) {
    let document = read(text, language);
    let before = counts(&document);
    let fixables = document.fixes_in_range(0..text.len());
    let problems: Vec<_> = fixables.iter().map(|fixable| fixable.problem.clone()).collect();
    assert_eq!(problems, document.diagnostics(), "{text:?}");
    for fixable in fixables {
        let code = fixable.problem.code;
        for fix in fixable.fixes {
            let fixed = applied(text, &fix.edits);
            let after = counts(&read(&fixed, language));
            let reported =
                |counts: &BTreeMap<Code, usize>, code: Code| counts.get(&code).copied().unwrap_or_default();
            for other in Code::ALL.iter().copied() {
                let (old, new) = (reported(&before, other), reported(&after, other));
                // Only the first of very many are reported.
                let fits = old >= MAX_FAULTS
                    || new < old
                    || (new == old && other != code)
                    || (code == Code::InvalidJson && waits_for_json(other))
                    || (code == Code::UnclosedTag && waits_for_end(other))
                    // No other problem is a reason to keep a secret.
                    || (code == Code::Secret && reported(&before, Code::InvalidJson) > 0)
                    || waits_for_all(other);
                let name = other.name();
                assert!(fits, "{} made {new} {name} of {old}:\n{text:?}\n{fixed:?}", fix.title);
            }
        }
    }
    let mut fixed = text.to_owned();
    let mut rounds = 0;
    loop {
        let edits = read(&fixed, language).fix_all(None);
        if edits.is_empty() {
            break;
        }
        rounds += 1;
        assert!(rounds < 3, "{text:?} does not come to rest: {fixed:?}");
        fixed = applied(&fixed, &edits);
    }
    let left: usize = counts(&read(&fixed, language)).get(&Code::InvalidJson).copied().unwrap_or_default();
    assert!(rounds == 0 || left <= before.get(&Code::InvalidJson).copied().unwrap_or_default(), "{text:?}");
}

proptest! {
    #[test]
    fn fixes_of_realistic_documents_hold(picked in picks(5), mutations in mutations()) {
        check(&mutated(REALISTIC, &picked, &mutations), Language::Markdown);
    }

    #[test]
    fn fixes_of_any_markdown_hold(picked in picks(30), mutations in mutations()) {
        check(&mutated(&MARKDOWN, &picked, &mutations), Language::Markdown);
    }

    #[test]
    fn fixes_of_records_hold(picked in picks(6), mutations in mutations()) {
        check(&mutated(RECORDS, &picked, &mutations), Language::Log);
    }

    #[test]
    fn fixes_of_any_log_hold(picked in picks(30), mutations in mutations()) {
        check(&mutated(LINES, &picked, &mutations), Language::Log);
    }
}

/// More errors than are reported at once, as in a Python dictionary.
#[test]
fn very_many_errors_are_fixed_at_once() {
    let members: Vec<_> = (0..100).map(|n| format!("'k{n}': None")).collect();
    let text = format!("```tool\n{{{}}}\n```\n", members.join(", "));
    let fixed = applied(&text, &read(&text, Language::Markdown).fix_all(None));
    assert_eq!(fixed, text.replace('\'', "\"").replace("None", "null"));
    let only = read(&text, Language::Markdown).fix_all(Some(Code::BadState));
    assert_eq!(only, []);
}
