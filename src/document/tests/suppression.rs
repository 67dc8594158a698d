//! Fixtures of suppression comments, in the format of [`super::diagnostics`]; and the fixes of
//! unused ones.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::diagnostics::{check, check_log, check_with};
use crate::checks::{Cause, UnusedSuppression};
use crate::config::Settings;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::document::{Document, Language};
use crate::text::{Splice, Text};

const BAD: &str = "```tool\n{\"state\": \"done\"}\n```\n";
const REPORTED: &str = "```tool\n{\"state\": «bad-state:\"done\"»}\n```\n";

#[test]
fn a_disabled_region_extends_to_its_end_or_the_documents() {
    check(&format!("{REPORTED}<!-- chatls-disable bad-state -->\n{BAD}\n{BAD}"));
    check(&format!("<!-- chatls-disable bad-state -->\n{BAD}<!-- chatls-enable bad-state -->\n{REPORTED}"));
    check(&format!("<!-- chatls-disable -->\n{BAD}<!-- chatls-enable -->\n{REPORTED}"));
    check(&format!("<!-- chatls-disable -->\n{BAD}<!-- chatls-enable bad-state -->\n{REPORTED}"));
    check(
        &format!("<!-- chatls-disable secret, bad-state -->\n\n{BAD}<!-- chatls-enable secret -->\n{BAD}")
            .replacen("secret", "«unused-suppression:secret»", 1),
    );
    // Other codes are still reported.
    check(
        "<!-- chatls-disable bad-state -->\n```tool\n{\"state\": \"done\", \"toolName\": «empty-name:\"\"»}\n```\n",
    );
    // An end without a beginning has no effect and is not reported.
    check(&format!("<!-- chatls-enable -->\n{REPORTED}"));
}

#[test]
fn the_next_block_is_one_block() {
    check(&format!("<!-- chatls-disable-next bad-state -->\n{BAD}{REPORTED}"));
    check(&format!(
        "<!-- chatls-disable-next -->\n\nText, and `code`.\n\n- {}- {}",
        BAD.replace('\n', "\n  ").trim_end_matches(' '),
        REPORTED.replace('\n', "\n  ")
    ));
    check(
        "<!-- chatls-disable-next unescaped-markup -->\n<tool>a(x=1 < 2)</tool> <tool>b(x=1 «unescaped-markup:<» 2)</tool>\n",
    );
    check("<!-- chatls-disable-next stray-tag -->\nText </tool> and «stray-tag:</tool>»\n");
    check(&format!(
        "<!-- chatls-disable-next bad-state -->\n<!-- chatls-disable-next misnamed-field -->\n{}{REPORTED}",
        BAD.replace("{", "{\"args\": {}, ")
    ));
    check(
        "<!-- chatls-disable-next invalid-json -->\n```jsonl\n{\"type\":\"tool-call\",\"toolCallId\":\"a\",}\n{\"type\":\"tool-call\",}\n```\n",
    );
}

#[test]
fn comments_apply_in_containers_and_not_in_code() {
    check(&format!("> <!-- chatls-disable bad-state -->\n> text\n\n{BAD}"));
    check(&format!("- a\n  <!-- chatls-disable\n       bad-state -->\n\n{BAD}"));
    for inert in [
        "```\n<!-- chatls-disable -->\n```\n",
        "    <!-- chatls-disable -->\n\n",
        "Text <!-- chatls-disable -->\n",
        "`<!-- chatls-disable -->`\n",
        "<div>\n<!-- chatls-disable -->\n</div>\n\n",
    ] {
        check(&format!("{inert}{REPORTED}"));
    }
    check("{\"type\":\"text-delta\",\"text\":\"<!-- chatls-disable -->\\n\\n«stray-tag:</tool>»\"}\n");
    check_log(
        "<!-- chatls-disable -->\n{\"type\":\"tool-call\",\"toolCallId\":«empty-id:\"\"»,\"toolName\":\"x\",\"input\":{}}\n",
    );
    check_log("{\"type\":\"text-delta\",\"text\":\"<!-- chatls-disable -->\\n\\n«stray-tag:</tool>»\"}\n");
}

#[test]
fn unused_suppressions_are_reported() {
    let good = "```tool\n{}\n```\n";
    check(&format!("«unused-suppression:<!-- chatls-disable -->»\n{good}"));
    check(&format!("> <!-- chatls-disable-next «unused-suppression:bad-state» -->\n\n{good}{REPORTED}"));
    check(&format!("<!-- chatls-disable «unused-suppression:bad-stete» -->\n{REPORTED}"));
    check(&format!("<!-- chatls-enable «unused-suppression:bad-stete» -->\n{REPORTED}"));
    check(&format!(
        "<!-- chatls-disable «unused-suppression:config» «unused-suppression:registry» bad-state -->\n{BAD}"
    ));
    check(&format!("<!-- «unused-suppression:chatls-disable-line» bad-state -->\n{REPORTED}"));
    check(&format!("<!-- chatls-disable unused-suppression -->\n<!-- chatls-disable bad-state -->\n{good}"));
    check(&format!(
        "«unused-suppression:<!-- chatls-disable -->»\n<!-- chatls-disable «unused-suppression:bad-state» -->\n{good}"
    ));
    // All comments that suppress the same diagnostic are used.
    check(&format!(
        "<!-- chatls-disable -->\n<!-- chatls-disable bad-state -->\n<!-- chatls-disable-next bad-state -->\n{BAD}"
    ));
}

#[test]
fn possibly_used_suppressions_are_not_reported() {
    let good = "```tool\n{}\n```\n";
    // Off, or not checked without a registry.
    check(&format!("<!-- chatls-disable first-brace -->\n{good}"));
    check(&format!("<!-- chatls-disable unknown-tool -->\n{good}"));
    // Incomplete: the comment, its codes, the block that it applies to.
    check(&format!("<!-- chatls-disable bad-sta -->\n{REPORTED}"));
    check(&format!("<!-- chatls-disab -->\n{REPORTED}"));
    check("Text\n\n<!-- chatls-disable-next bad-state");
    check("Text\n\n<!-- chatls-disable-next bad-state -->");
    check("Text\n\n<!-- chatls-disable-next -->\n\nMore text\n");
    check("<!-- chatls-disable-next bad-state -->\n\n«unclosed-fence/information:```tool»\n{\"state\": \"do");
    check("<!-- chatls-disable-next bad-state -->\n\n```tool\n{\"state\": «invalid-json:}»\n```\n");
}

#[test]
fn unused_suppression_has_a_configurable_severity() {
    let with = |severity| Settings {
        lint: BTreeMap::from([(Code::UnusedSuppression, severity)]),
        ..Settings::default()
    };
    let text = |reported: &str| format!("<!-- chatls-disable {reported} -->\n```tool\n{{}}\n```\n");
    check_with(&text("bad-state"), Language::Markdown, with(None));
    let reported = text("«unused-suppression/hint:bad-state»");
    check_with(&reported, Language::Markdown, with(Some(Severity::Hint)));
    check_with(&text("bad-state"), Language::Markdown, Settings { enabled: false, ..Settings::default() });
}

/// The first unused comment, with its diagnostic.
fn first_unused(document: &Document) -> Option<(Diagnostic, UnusedSuppression)> {
    document.problems().into_iter().find_map(|problem| match problem.cause {
        Cause::UnusedSuppression(unused) => Some((problem.diagnostic, unused)),
        _ => None,
    })
}

/// The text after the first fix of the first unused comment.
fn fixed(document: &Document) -> Option<String> {
    let (diagnostic, unused) = first_unused(document)?;
    let fixes = document.fixes_of_suppression(&unused, &diagnostic.range);
    let mut text = document.text().clone();
    for (place, with) in &fixes.first()?.edits {
        let splice = Splice { start: place.start, removed: place.len(), inserted: with.len() };
        text.apply(splice, with);
    }
    Some(text.to_string())
}

fn read(text: &str) -> Document {
    Document::new(Text::new(text), Language::Markdown, Arc::new(Settings::default()))
}

#[test]
fn fixes_remove_only_unused_parts() {
    let check = |text: &str, expected: &str| {
        let text = format!("{text}{BAD}");
        assert_eq!(fixed(&read(&text)).as_deref(), Some(&*format!("{expected}{BAD}")), "{text}");
    };
    check("<!-- chatls-disable secret -->\n", "");
    check("a\n\n<!-- chatls-disable\n secret -->  \r\n\n", "a\n\n\n");
    check("a\n<!-- chatls-disable secret -->\n", "a\n\n");
    check("> <!-- chatls-disable secret -->\n\n", "> \n\n");
    check("<!-- chatls-disable secret, bad-state -->\n", "<!-- chatls-disable bad-state -->\n");
    check("<!-- chatls-disable bad-state secret -->\n", "<!-- chatls-disable bad-state -->\n");
    // Without its codes it would suppress everything.
    check("<!-- chatls-disable secret misnamed-field -->\n", "");
    check("<!-- chatls-disable bad-stete -->\n", "<!-- chatls-disable bad-state -->\n");
    check("<!-- chatls-disabel -->\n", "<!-- chatls-disable -->\n");
}

const PIECES: &[&str] = &[
    "<!-- chatls-disable -->\n",
    "<!-- chatls-disable bad-state secret -->\n",
    "<!-- chatls-disable-next bad-state -->\n",
    "<!-- chatls-disable-next misnamed-field unused-suppression -->\n",
    "<!-- chatls-enable -->\n",
    "<!-- chatls-enable bad-state -->\n",
    "```tool\n{\"state\": \"done\"}\n```\n",
    "```tool\n{\"args\": {}}\n```\n",
    "```tool\n{}\n```\n",
    "text </tool>\n\n",
    "\n",
    "> ",
];

proptest! {
    /// A comment that is reported as unused can be removed without new diagnostics.
    #[test]
    fn unused_comments_can_be_removed(picks in prop::collection::vec(0..PIECES.len(), 0..14)) {
        let text: String = picks.iter().filter_map(|pick| PIECES.get(*pick)).copied().collect();
        // A comment is text between batches, and a call is pending only with text after its batch.
        let lint = [(Code::PendingCall, None)].into();
        let settings = Arc::new(Settings { lint, ..Settings::default() });
        let read = |text: &str| Document::new(Text::new(text), Language::Markdown, Arc::clone(&settings));
        let document = read(&text);
        if let Some(fixed) = fixed(&document) {
            let messages = |document: &Document| {
                let problems = document.diagnostics();
                problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>()
            };
            let (mut before, after) = (messages(&document), messages(&read(&fixed)));
            let (gone, _) = first_unused(&document).expect("an unused comment");
            let at = before.iter().position(|message| *message == gone.message).unwrap();
            before.remove(at);
            before.sort();
            let mut sorted = after;
            sorted.sort();
            prop_assert!(sorted.iter().all(|message| before.contains(message)), "{text:?}\n{fixed:?}\n{before:?}\n{sorted:?}");
        }
    }
}

/// The text with a comment that suppresses the first diagnostic of `code`; `None` if that is
/// impossible.
fn suppressed(text: &str, language: Language, code: Code) -> Option<String> {
    let document = Document::new(Text::new(text), language, Arc::new(Settings::default()));
    let problems = document.diagnostics();
    let problem = problems.iter().find(|problem| problem.code == code).expect("a diagnostic");
    let after = document.edited(&[document.suppression_of(problem)?]);
    assert_eq!(after.diagnostics().len() + 1, problems.len(), "{text:?}");
    Some(after.text().slice(0..after.text().len()).into_owned())
}

#[test]
fn a_comment_is_inserted_before_the_block_of_a_diagnostic() {
    let check = |text: &str, code: Code, expected: &str| {
        let found = suppressed(text, Language::Markdown, code);
        assert_eq!(found.as_deref(), Some(expected), "{text:?}");
    };
    let state = "<!-- chatls-disable-next bad-state -->";
    check(BAD, Code::BadState, &format!("{state}\n{BAD}"));
    check(&format!("{BAD}\nText\n"), Code::BadState, &format!("{state}\n{BAD}\nText\n"));
    let crlf = BAD.replace('\n', "\r\n");
    check(&crlf, Code::BadState, &format!("{state}\r\n{crlf}"));
    check(
        "> - ```tool\n>   {\"state\": \"done\"}\n>   ```\n",
        Code::BadState,
        &format!("> - {state}\n>   ```tool\n>   {{\"state\": \"done\"}}\n>   ```\n"),
    );
    check(
        "Text <tool>a(x=1 < 2)</tool>\n",
        Code::UnescapedMarkup,
        "<!-- chatls-disable-next unescaped-markup -->\nText <tool>a(x=1 < 2)</tool>\n",
    );
    let record = "{\"type\":\"tool-call\",\"toolCallId\":\"\",\"toolName\":\"a\",\"input\":{}}\n";
    let fenced = format!("```jsonl\n{record}```\n");
    check(&fenced, Code::EmptyId, &format!("<!-- chatls-disable-next empty-id -->\n{fenced}"));
    assert_eq!(suppressed(record, Language::Log, Code::EmptyId), None);
}
