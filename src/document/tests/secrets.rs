//! Fixtures of credentials: strings that are reported, and strings that are not.

use std::sync::Arc;

use super::diagnostics::{check, check_log, check_with};
use crate::config::Settings;
use crate::diagnostic::Code;
use crate::document::{Document, Language};
use crate::text::{Splice, Text};

/// Tokens of the right format, assembled here so that scanners do not report this file as a leak.
fn tokens() -> Vec<String> {
    const MIXED: &str =
        "q7Zr2Xv9Lk4Tn8Bw1Hs6Yd3Pf5Gc0JmAeRuIoQtVxKzNbWhSyDpFgCjMaEiUoZ2Xv9Lk4Tn8Bw1Hs6Yd3Pf5Gc0Jm";
    let mixed = |len: usize| &MIXED[..len];
    vec![
        ["AK", "IA", "Q3EGRIZ7WT2LKXPC"].concat(),
        ["AS", "IA", "QYEGRIZJWTXLKXPC"].concat(),
        ["gh", "p_", mixed(36)].concat(),
        ["gh", "s_", mixed(36)].concat(),
        ["github", "_pat_", mixed(22), "_", mixed(59)].concat(),
        ["s", "k-", mixed(48)].concat(),
        ["s", "k-proj-", mixed(30), "-_", mixed(30)].concat(),
        ["s", "k-ant-api03-", mixed(80), "-", mixed(12)].concat(),
        ["xo", "xb-", "7392018465", "-", "8491047362", "-", mixed(24)].concat(),
        ["AI", "za", mixed(33), "_-"].concat(),
        ["sk", "_live_", mixed(24)].concat(),
        ["np", "m_", mixed(36)].concat(),
    ]
}

#[test]
fn credentials_are_reported() {
    for token in tokens() {
        let reported = format!("«secret:{token}»");
        check(&format!(
            "```tool\n{{\"input\": {{\"{reported}\": \"a {reported}, {reported}\"}}, \"output\": [\"\\n{reported}\\n\"]}}\n```\n"
        ));
        check(&format!("> ###:{{\"toolName\": \"a\", \"parameters\": {{\"key\": \"{reported}\"}}}}\n"));
        check(&format!("<tool>run(key=&quot;{reported}&quot;)\nKEY={reported}</tool> {reported}\n"));
        check(&format!(
            "🔧 **Tool Call:** `run(q={reported})` {reported}\n✅ **`run` result:**\nok {reported}\n"
        ));
        check(&format!("###:{{\"toolName\": \"a\"}}\n*🔧 Executed a: {reported}*\n"));
        check_log(&format!("{{\"type\":\"tool-result\",\"toolCallId\":\"c\",\"output\":\"{reported}\"}}\n"));
        // After the escapes of terminals and URLs.
        check(&format!(
            "<tool>a()</tool> \u{1b}[38;5;186m{reported}\u{1b}[0m ?a=b%3D{reported} %22{reported}%22 %253A{reported}%40a.de\n"
        ));
        for escape in ["\\u001b[1;32m", "\\\\x1b[K", "\\\\e[0m", "\\\\033[1A"] {
            check_log(&format!("{{\"role\":\"user\",\"content\":\"{escape}{reported}\\u001b[0m\"}}\n"));
        }
        // In marks of emphasis.
        check(&format!("<tool>a()</tool> _{reported}_ __{reported}__ *_{reported}_*\n"));
        // Strings that are nearly tokens.
        let short = &token[..token.len() - token.len() / 3];
        for other in [short, &format!("x{token}"), &format!("{token}é")[..short.len()], &token[1..]] {
            check(&format!("```tool\n{{\"input\": \"{other}\"}}\n```\n"));
        }
        // An ordinary document, and all text of a transcript.
        let ordinary = Settings { is_named: false, ..Settings::default() };
        check_with(&format!("```text\n{token}\n```\n{token}\n"), Language::Markdown, ordinary);
        check(&format!(
            "# A {reported}\n\n<!-- {reported} -->\n\n```sh\nexport KEY={reported}\n```\n\n> - {reported}\n\n<tool>a()</tool>\n"
        ));
        check_log(&format!(
            "{{\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":[{{\"type\":\"text\",\"text\":\"{reported}\"}},{{\"type\":\"tool_result\",\"tool_use_id\":\"c\",\"content\":\"{reported}\"}}]}},\"toolUseResult\":{{\"stdout\":\"{reported}\",\"raw\":\"{{\\\"key\\\":\\\"{reported}\\\"}}\"}}}}\n"
        ));
    }
}

#[test]
fn a_private_key_is_reported_at_its_header() {
    let key = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7";
    for kind in ["", "RSA ", "EC ", "OPENSSH "] {
        let header = format!("-----BEGIN {kind}PRIVATE KEY-----");
        check(&format!("```tool\n{{\"output\": \"a\\n«secret:{header}»\\r\\n{key}\\n\"}}\n```\n"));
        check(&format!("<tool>cat(file=key)\n«secret:{header}»\n{key}</tool>\n"));
        check(&format!("```tool\n{{\"output\": \"{header}\\n...\"}}\n```\n"));
        check(&format!("```tool\n{{\"output\": \"{header}\"}}\n```\n"));
    }
    check(&format!("```tool\n{{\"output\": \"-----BEGIN PUBLIC KEY-----\\n{key}\"}}\n```\n"));
}

#[test]
fn placeholders_are_not_reported() {
    let placeholders = [
        ["AKIA", "IOSFODNN7EXAMPLE"].concat(),
        "AKIAXXXXXXXXXXXXXXXX".to_owned(),
        "sk-xxxx".to_owned(),
        format!("sk-{}", "x".repeat(48)),
        format!("sk-{}", "abcdefghijklmnopqrstuvwx".repeat(2)),
        format!("sk-ant-api03-{}", "A".repeat(95)),
        "sk-proj-your-key-goes-here-and-not-into-a-transcript-0".to_owned(),
        format!("ghp_{}", "1234567890abcdef1234567890abcdef1234"),
        format!("ghp_{}", "0".repeat(36)),
        format!("sk_test_{}", "q7Zr2Xv9Lk4Tn8Bw1Hs6Yd3Pf5"),
        "risk-q7Zr2Xv9Lk4Tn8Bw1Hs6Yd3Pf5Gc0JmAeRuIoQtVxKzNbWhS".to_owned(),
        "xoxb-not-a-real-token-but-a-name-for-1-of-them".to_owned(),
        "npm_config_registry npm_lifecycle_event".to_owned(),
    ];
    for placeholder in placeholders {
        check(&format!("```tool\n{{\"input\": \"{placeholder}\"}}\n```\n"));
        check(&format!("<tool>run(key={placeholder})</tool>\n"));
    }
}

#[test]
fn no_message_repeats_a_credential() {
    for token in tokens() {
        let text = format!("```tool\n{{\"input\": \"{token}\"}}\n```\n");
        let document = Document::new(Text::new(&text), Language::Markdown, Arc::new(Settings::default()));
        let problems = document.diagnostics();
        assert!(problems.len() == 1 && problems.iter().all(|problem| !problem.message.contains(&token)));
    }
}

/// Tokens, in two parts each. The first letter of this one may belong to an escape sequence.
const NPM: [&str; 2] = ["np", "m_q7Zr2Xv9Lk4Tn8Bw1Hs6Yd3Pf5Gc0JmAeRuI"];
const GITHUB: [&str; 2] = ["gh", "p_16C7e42F292c6912E7710c838347Ae178B4a"];

fn secret_count(document: &Document) -> usize {
    document.diagnostics().iter().filter(|problem| problem.code == Code::Secret).count()
}

#[test]
fn escapes_hide_no_credential() {
    let token = GITHUB.concat();
    check(&format!("```tool\n{{\"output\": \"«secret:\\u0067{}»\"}}\n```\n", &token[1..]));
    check(&format!("```tool\n{{\"output\": \"«secret:ghp\\\\u005f{}»\"}}\n```\n", &token[4..]));
    let key = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7";
    check(&format!(
        "```tool\n{{\"output\": \"{{\\\"k\\\":\\\"«secret:-----BEGIN PRIVATE KEY-----»\\\\n{key}\\\\n\\\"}}\"}}\n```\n"
    ));
    // The letter of a line end is not part of a credential.
    check(&format!("```tool\n{{\"output\": \"\\{}\"}}\n```\n", NPM.concat()));
    check(&format!("```tool\n{{\"output\": \"\\n«secret:{}»\"}}\n```\n", NPM.concat()));
}

#[test]
fn a_fix_redacts_every_copy() {
    let token = GITHUB.concat();
    let other = NPM.concat();
    let copies = |token: &str, other: &str| {
        format!(
            "# {token}\n\n<tool>a(k={token}-x)</tool> x{token} {other}\n\n```tool\n{{\"output\": \"{token} \\\"{token}\\\" {other}\"}}\n```\n"
        )
    };
    let text = copies(&token, &other);
    let document = Document::new(Text::new(&text), Language::Markdown, Arc::default());
    let fix = document.fixes_in_range(2..3).remove(0).fixes.remove(0);
    assert_eq!((fix.title.as_str(), fix.is_safe), ("Redact it in all 5 places", false));
    assert_eq!(document.edited(&fix.edits).text().to_string(), copies("[redacted]", &other));
    assert_eq!(document.fix_all(None), []);
    let all = document.edited(&document.fix_all_unsafe());
    assert_eq!(all.text().to_string(), copies("[redacted]", "[redacted]"));
    assert_eq!(secret_count(&all), 0);
}

#[test]
fn a_fix_has_no_limit() {
    let numbered = |number: usize| format!("{}{number:02}", &GITHUB.concat()[..38]);
    let tokens: Vec<_> = (10..60).map(numbered).collect();
    let text = format!("<tool>a()</tool>\n\n{}\n", tokens.join(" "));
    let document = Document::new(Text::new(&text), Language::Markdown, Arc::default());
    assert_eq!(secret_count(&document), 20);
    let after = document.edited(&document.fix_all_unsafe()).text().to_string();
    assert_eq!(after, format!("<tool>a()</tool>\n\n{}\n", ["[redacted]"; 50].join(" ")));
}

#[test]
fn suppressed_credentials_are_kept() {
    let [token, other] = [GITHUB.concat(), NPM.concat()];
    check(&format!(
        "<tool>a()</tool>\n\n<!-- chatls-disable secret -->\n\n{token}\n\n<!-- chatls-enable secret -->\n\n«secret:{other}»\n"
    ));
    check(&format!("<!-- chatls-disable-next secret -->\n\n<tool>a(k={token})</tool>\n\n«secret:{other}»\n"));
}

#[test]
fn records_of_a_stream_part_no_credential() {
    let token = GITHUB.concat();
    let delta = |text: &str| format!("{{\"type\":\"text-delta\",\"id\":\"0\",\"delta\":\"{text}\"}}\n");
    let parts = [delta("a «secret:gh»"), delta(&token[2..20]), delta(&token[20..]), delta(" b")].concat();
    check_log(&parts);
    let text = parts.replace(['«', '»'], "").replace("secret:", "");
    let document = Document::new(Text::new(&text), Language::Log, Arc::default());
    let after = document.edited(&document.fix_all_unsafe());
    let expected = [delta("a [redacted]"), delta(""), delta(""), delta(" b")].concat();
    assert_eq!(after.text().to_string(), expected);
    check_log(&delta(&format!("«secret:{token}»")));
}

/// An edit in a long line searches the text around it. Edits at, in and near tokens that are some
/// kilobytes apart, in lines of a log, a fence, and text with escapes that may begin far away.
#[test]
fn edits_in_long_lines_find_the_same_secrets() {
    let tokens = tokens();
    let filler = "some words, and \\n more of them. ".repeat(70);
    let line = tokens.iter().map(|token| format!("{filler} {token} ")).collect::<String>();
    let windows = |line: &str| line.replacen("words", "C:\\\\\\\\Users\\\\_a", 1);
    for (text, language) in [
        (format!("{{\"role\":\"user\",\"content\":\"{line}\"}}\n"), Language::Log),
        (format!("{{\"role\":\"user\",\"content\":\"{}\"}}\n", windows(&line)), Language::Log),
        (format!("Text\n\n```tool\n{{\"input\": \"{line}\"}}\n```\n"), Language::Markdown),
        (format!("Text\n\n> ```json\n> {{\"a\": \"{line}\"}}\n> ```\n"), Language::Markdown),
    ] {
        let document = |text: &str| Document::new(Text::new(text), language, Arc::default());
        let before = document(&text);
        for token in tokens.iter().step_by(3) {
            let place = text.rfind(token.as_str()).expect("the token");
            for (start, removed, inserted) in [
                (place, 0, "x"),
                (place + 2, 0, " "),
                (place + token.len() - 1, 2, ""),
                (place - 1, 1, token),
                (place - 900, 30, "and"),
                (place - 6, 0, token),
            ] {
                let mut edited = before.clone();
                edited.apply(Splice { start, removed, inserted: inserted.len() }, inserted);
                let fresh = document(&edited.text().to_string());
                assert_eq!(edited.diagnostics(), fresh.diagnostics(), "{start} {removed} {inserted}");
                assert!(edited.diagnostics().iter().filter(|it| it.code == Code::Secret).count() > 5);
            }
        }
    }
}
