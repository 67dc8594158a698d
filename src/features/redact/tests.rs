//! Replacements in texts of each language; nothing else changes.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::Value;

use super::{RedactionError, Redactor, Seen};
use crate::config::{RedactSettings, Settings};
use crate::document::{Document, Language};
use crate::features::samples::small;
use crate::text::Text;

/// Tokens, assembled here so that scanners do not report this file as a leak.
const GITHUB: [&str; 2] = ["gh", "p_16C7e42F292c6912E7710c838347Ae178B4a"];
const NPM: [&str; 2] = ["np", "m_q7Zr2Xv9Lk4Tn8Bw1Hs6Yd3Pf5Gc0JmAeRuI"];

fn document(text: &str, language: Language, redact: RedactSettings) -> Document {
    let settings = Settings { redact: Arc::new(redact), ..Settings::default() };
    Document::new(Text::new(text), language, small(&settings))
}

fn redacted_with(text: &str, language: Language, redact: RedactSettings) -> Result<String, RedactionError> {
    let document = document(text, language, redact);
    Redactor::new(Seen::of(&document)).redact(&document).map(|redacted| redacted.text)
}

fn redacted(text: &str, language: Language) -> String {
    redacted_with(text, language, RedactSettings::default()).unwrap()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(redacted(text, Language::Markdown), expected);
    assert_eq!(redacted(expected, Language::Markdown), expected, "twice");
}

#[track_caller]
fn check_log(text: &str, expected: &str) {
    assert_eq!(redacted(text, Language::Log), expected);
    assert_eq!(redacted(expected, Language::Log), expected, "twice");
}

fn patterns(patterns: &[&str], keep: &[&str]) -> RedactSettings {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    RedactSettings { patterns: owned(patterns), keep: owned(keep) }
}

#[test]
fn names_of_home_folders_are_replaced_everywhere() {
    check(
        "cd /home/zoe/app, as Zoe (zoe_x, zoe-pc)\n\nlogs in ~/.claude/projects/-home-zoe-app\n",
        "cd /home/user1/app, as user1 (zoe_x, user1-pc)\n\nlogs in ~/.claude/projects/-home-user1-app\n",
    );
    check("`/Users/zoe`, `/Users/al/b`: al\n", "`/Users/user1`, `/Users/user2/b`: al\n");
    check(r"C:\Users\nancy\x and nancy, D:/Users/J. Doe/y", r"C:\Users\user1\x and user1, D:/Users/user2/y");
    check("/mnt/c/Users/zoe/x -I/home/ian/include\n", "/mnt/c/Users/user1/x -I/home/user2/include\n");
    check(
        "\"cwd\": \"/home/zoe/a\"\n\u{1b}[32m/home/zoe/a\n",
        "\"cwd\": \"/home/user1/a\"\n\u{1b}[32m/home/user1/a\n",
    );
}

/// Paths in URLs, also as a part of a URL, and paths of other machines.
#[test]
fn names_in_encoded_and_remote_paths_are_replaced() {
    check("file:///home/jane%20doe/a, Jane Doe", "file:///home/user1/a, user1");
    check("/Users/j%C3%B6rg%20/a /home/zoe%20is", "/Users/user1/a /home/user2%20is");
    check(
        "file%3A%2F%2F%2Fhome%2Fjane%2Fx %2Fhome%2Fjane vscode://file/home/zoe/x",
        "file%3A%2F%2F%2Fhome%2Fuser1%2Fx %2Fhome%2Fuser1 vscode://file/home/user2/x",
    );
    check(
        "file:///c%3A/Users/jane/x c%3A%5CUsers%5Czoe%5Cx",
        "file:///c%3A/Users/user1/x c%3A%5CUsers%5Cuser2%5Cx",
    );
    check(r"C:\Users\nadia\x D:\work\nadia\y", r"C:\Users\user1\x D:\work\user1\y");
    check(r#"C:\Users\nadia\x "of\nadia\n""#, r#"C:\Users\user1\x "of\nadia\n""#);
    check(r"\\server\Users\jane\x \\?\C:\Users\zoe\y", r"\\server\Users\user1\x \\?\C:\Users\user2\y");
    check(r"\\wsl$\Ubuntu\home\jane doe\x", r"\\wsl$\Ubuntu\home\user1\x");
    check(r"\\server\Users\jane, \\server\c$\Users\zoe", r"\\server\Users\user1, \\server\c$\Users\user2");
    check(
        "//server/Users/jane/x (//wsl.localhost/Ubuntu/home/zoe/x) file://server/Users/bea/x",
        "//server/Users/user1/x (//wsl.localhost/Ubuntu/home/user2/x) file://server/Users/user3/x",
    );
    check(
        "vscode-remote://ssh-remote%2Bhost/home/jane/x vscode-remote://wsl%2Bubuntu/home/zoe/x",
        "vscode-remote://ssh-remote%2Bhost/home/user1/x vscode-remote://wsl%2Bubuntu/home/user2/x",
    );
    check_log(
        r#"{"role":"tool","content":"\\\\server\\Users\\jane\\x and Jane"}"#,
        r#"{"role":"tool","content":"\\\\server\\Users\\user1\\x and user1"}"#,
    );
    check_log(
        r#"{"role":"tool","content":"\\\\server\\Users\\jane","cwd":"\\a\\Users\\zoe"}"#,
        r#"{"role":"tool","content":"\\\\server\\Users\\user1","cwd":"\\a\\Users\\zoe"}"#,
    );
}

/// Paths directly after letters of scripts without spaces, emphasis, escapes of terminals and
/// encoded characters; Windows in any case; relative paths out of a folder.
#[test]
fn names_are_replaced_wherever_a_path_begins() {
    check("代码/Users/wrr/work/a.js パス/home/ines/a", "代码/Users/user1/work/a.js パス/home/user2/a");
    check("在/home/ines下 /home/ines/a 경로/home/jost/b", "在/home/user1下 /home/user1/a 경로/home/user2/b");
    check("**/home/jost/notes.txt** */home/ines/a*, see", "**/home/user1/notes.txt** */home/user2/a*, see");
    check("__/home/jost/a_b.txt__ **/Users/ines**", "__/home/user1/a_b.txt__ **/Users/user2**");
    check(r"c:\users\otto\x C:\USERS\ines\x", r"c:\users\user1\x C:\USERS\user2\x");
    check(r"\Users\jost\x /cygdrive/c/Users/ines/x", r"\Users\user1\x /cygdrive/c/Users/user2/x");
    check("/mnt/c/users/jost/x c:/users/ines/x", "/mnt/c/users/user1/x c:/users/user2/x");
    check("ls ../../home/ines/a, ines /c--users-jost-x", "ls ../../home/user1/a, ines /c--users-user2-x");
    check("\u{1b}[K/home/jost/b\u{1b}[2J/home/ines/a", "\u{1b}[K/home/user1/b\u{1b}[2J/home/user2/a");
    check("?a=%22/home/jost/b %20/Users/ines", "?a=%22/home/user1/b %20/Users/user2");
    check_log(
        r#"{"role":"tool","content":"\u001b[1A/home/jost/a","cwd":"..\/..\/home\/ines\/a"}"#,
        r#"{"role":"tool","content":"\u001b[1A/home/user1/a","cwd":"..\/..\/home\/user2\/a"}"#,
    );
}

#[test]
fn names_are_found_in_any_case() {
    check("/home/öst/a Öst ÖST öst oST", "/home/user1/a user1 user1 user1 oST");
    check("/home/иван/x Иван, ИВАН: Иванов", "/home/user1/x user1, user1: Иванов");
    check(r"C:\Users\Björn Öst\a BJÖRN ÖST", r"C:\Users\user1\a user1");
    check(
        "/home/zoë/a /home/zoé/b /home/anna/c Zoë ZOÉ Anna",
        "/home/user1/a /home/user2/b /home/user3/c user1 user2 user3",
    );
    check_log(
        r#"{"role":"tool","content":"\/home\/\u00f6zlem\/x, \u00d6zlem"}"#,
        r#"{"role":"tool","content":"\/home\/user1\/x, user1"}"#,
    );
}

#[test]
fn names_are_words_in_all_scripts_and_in_identifiers() {
    check("/home/karlotta/ 用户karlotta的文件 카를karlotta는", "/home/user1/ 用户user1的文件 카를user1는");
    check("/home/ann/ 用户ann的文件, anné ann_rate ann1", "/home/user1/ 用户user1的文件, anné ann_rate ann1");
    check(
        "/home/karlotta/ %20karlotta%2C%40karlotta%2520 é%C3%A9karlotta %E7%9A%84karlotta",
        "/home/user1/ %20user1%2C%40user1%2520 é%C3%A9karlotta %E7%9A%84user1",
    );
    check(
        "/home/karlotta/ my_karlotta_dir KARLOTTA_HOME karlotta2 karlotta2b karlottas",
        "/home/user1/ my_user1_dir user1_HOME user2 karlotta2b karlottas",
    );
}

#[test]
fn other_paths_and_names_stay() {
    for text in [
        "/home/node_modules/x /home/openhands/x NODE_MODULES_PATHS openhands_version",
        "/home/user/x /home/runner/work /root/.ssh /Users/Shared/y /home/$USER/z /home/<name>/",
        "src/home/header.tsx https://example.com/home/team/ components/Users/List.tsx /home/index.html",
        "**/home/** **/home/team/** src/**/home/team/x !**/home/team/x \"**/home/team/x\" **/home/team/*.ts",
        "import '../../home/team/x'; [a](../../home/team/x) ../home/team/x a/../../home/team/x",
        "path:/users/team/x {\"a\":\"/users/team/x\"} App\\Users\\List\\x café/home/team/x проект/home/team/x",
        "java -home-dir /opt, the zone and a horizon",
        "https://intranet/home/team/ https://intranet/Users/team/x //example.com/home/team/x a//bb/home/team/x",
        "https%3A%2F%2Fexample.com%2Fhome%2Fteam%2F x%2Fhome%2Fteam src\\components\\Users\\List\\a C:\\a\\Users\\b\\c",
        "git@github.com:a/b.git, noreply@anthropic.com, me@example.com, icon@2x.png, lib@1.2.3, @types/node",
        "@pytest.fixture\n@app.route('/')\n",
    ] {
        check(text, text);
    }
    check_log(
        r#"{"role":"tool","content":"import x\n-@app.route\n@pytest.fixture\\n+@a.fixture"}"#,
        r#"{"role":"tool","content":"import x\n-@app.route\n@pytest.fixture\\n+@a.fixture"}"#,
    );
}

#[test]
fn mail_addresses_have_the_numbers_of_their_names() {
    check(
        "/home/zoe/x, Ian@corp.com and zoe@corp.com, ian@corp.com; zoe@other.org\n",
        "/home/user1/x, user2@example.com and user1@example.com, user2@example.com; user3@example.com\n",
    );
    check("写信给ian@corp.com联系\n", "写信给user1@example.com联系\n");
    check(
        "mäx@corp.io ma\u{308}x@corp.io max@münchen.de коля@пример.рф ian@例子.中国 ian@xn--a-1ga.xn--p1ai j%C3%B6rg%40corp.io.",
        "user1@example.com user2@example.com user3@example.com user4@example.com user5@example.com user6@example.com user7@example.com.",
    );
    check(
        "?to=%22ian.b%2Bx%40corp.com%22 ian.b%2bx%40corp.com, %3Cian@corp.com%3E, a%40types%2Fnode\n",
        "?to=%22user1@example.com%22 user1@example.com, %3Cuser2@example.com%3E, a%40types%2Fnode\n",
    );
}

#[test]
fn secrets_are_replaced_by_themselves() {
    let [github, npm] = [GITHUB.concat(), NPM.concat()];
    check(&format!("{github} {npm} {github}\n"), "[secret-1] [secret-2] [secret-1]\n");
    check(
        &format!("https://a:{github}@github.com/b x-access-token%3A{github}%40github.com\n"),
        "https://a:[secret-1]@github.com/b x-access-token%3A[secret-1]%40github.com\n",
    );
    check_log(
        &format!(r#"{{"a":"\n{npm}","b":"{{\"k\":\"{github}\"}}"}}"#),
        r#"{"a":"\n[secret-1]","b":"{\"k\":\"[secret-2]\"}"}"#,
    );
    // A key without its footer: what follows stays, however far the next dashes are.
    let key = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7";
    check_log(
        &format!("{{\"a\":\"-----BEGIN PRIVATE KEY-----\\n{key}\\n-----END \",\"b\":\"-----\"}}"),
        "{\"a\":\"[secret-1]-----END \",\"b\":\"-----\"}",
    );
}

#[test]
fn escapes_of_any_depth_stay_valid() {
    check_log(
        r#"{"cwd":"\/home\/zoe\/a","text":"hi\nzoe\\nzoe","arguments":"{\"path\":\"C:\\\\Users\\\\zoe\\\\n\"}"}"#,
        r#"{"cwd":"\/home\/user1\/a","text":"hi\nuser1\\nuser1","arguments":"{\"path\":\"C:\\\\Users\\\\user1\\\\n\"}"}"#,
    );
    check_log(
        r#"{"a":"/home/z\u006fe/x","b":"\nancy /home/nancy/"}"#,
        r#"{"a":"/home/user1/x","b":"\nancy /home/user2/"}"#,
    );
}

#[test]
fn keys_and_ids_and_names_of_tools_stay() {
    let call = |name: &str, path: &str| {
        format!(
            r#"{{"role":"assistant","zoe":1,"content":[{{"type":"tool_use","id":"zoe","name":"ian","input":{{"zoe":"{name}","cwd":"{path}"}}}}]}}"#
        )
    };
    let before = call("bea bea-1", "/home/zoe/a /home/ian/b /home/bea/c");
    let after = call("user3 user3-1", "/home/user1/a /home/user2/b /home/user3/c");
    check_log(&before, &after);
    let text = r#"{"role":"assistant","content":[{"type":"tool_use","id":"toolu_karlotta_1","name":"karlotta_tool","input":{"karlotta":"/home/karlotta/a"}}]}"#;
    let log = document(text, Language::Log, RedactSettings::default());
    let redacted = Redactor::new(Seen::of(&log)).redact(&log).unwrap();
    assert_eq!(redacted.text, text.replace("/karlotta/", "/user1/"));
    assert_eq!(redacted.left.map(|left| left.count), Some(3));
    // Names of members that are paths or addresses are data.
    check_log(r#"{"/home/zoe/a":{"zoe@corp.com":1}}"#, r#"{"/home/user1/a":{"user1@example.com":1}}"#);
}

#[test]
fn numbers_of_pseudonyms_are_new() {
    check("user1 and [secret-1], /home/zoe/\n", "user1 and [secret-1], /home/user2/\n");
}

#[test]
fn names_are_the_same_in_all_documents() {
    let of = |text: &str| document(text, Language::Markdown, RedactSettings::default());
    let documents = [of("by zoe, ian@corp.com"), of("/home/zoe/x ian@corp.com")];
    let mut seen = Seen::default();
    documents.iter().for_each(|document| seen.add(Seen::of(document)));
    let mut redactor = Redactor::new(seen);
    let texts = documents.iter().map(|document| redactor.redact(document).unwrap().text).collect::<Vec<_>>();
    assert_eq!(texts, ["by user1, user2@example.com", "/home/user1/x user2@example.com"]);
    assert_eq!(redactor.counts().to_string(), "1 home folder, 1 user name, 2 mail addresses");
    let mut name = |name: &str| redactor.redact_name(&documents[0], name);
    assert_eq!(name("/-home-zoe-x/a.jsonl"), "/-home-user1-x/a.jsonl");
    assert_eq!(name("/ian@corp.com.chat.md"), "/user2@example.com.chat.md");
    assert_eq!(name("/ian@corp.com.txt"), "/user2@example.com.txt");
    assert_eq!(name("/bea@corp.chat.md"), "/user3@example.com.md");
}

#[test]
fn rules_of_the_configuration_count_for_names_of_files() {
    let rules = patterns(&["ACME-[0-9]+"], &["karlotta"]);
    let document = document("ACME-12 /home/karlotta/x", Language::Markdown, rules);
    let copy = super::redacted(&document, "karlotta ACME-12 ACME-7.chat.md").unwrap();
    assert_eq!(copy.name, "karlotta [redacted-1] [redacted-2].chat.md");
}

/// A `_` that is not between letters is a mark of emphasis, and text may be escaped Markdown.
#[test]
fn marks_of_emphasis_and_backslashes_are_no_part_of_what_is_replaced() {
    let token = GITHUB.concat();
    check(
        "_ian@corp.com_ __bea_b@corp.com__, _ask ian@corp.com_",
        "_user1@example.com_ __user2@example.com__, _ask user1@example.com_",
    );
    check(
        &format!("_{token}_ __{token}__, _key {token}_ \\_{}\\_", token.replace('_', "\\_")),
        "_[secret-1]_ __[secret-1]__, _key [secret-1]_ \\_[secret-1]\\_",
    );
    check(
        "__/Users/gustav__ and /home/gustav/x, _in /Users/zoe_. _zoe_ __Zoe__ zoe_x /home/ann_/x",
        "__/Users/user1__ and /home/user1/x, _in /Users/user2_. _user2_ __user2__ zoe_x /home/user3/x",
    );
    check(
        r"ian\@corp.com \_bea\_b@corp.com\_ /home/max\_m/x max_m, C:\Users\gustav\_x\_y",
        r"user3@example.com \_user4@example.com\_ /home/user1/x user1, C:\Users\user2\_x\_y",
    );
    check_log(
        r#"{"role":"user","content":"x\nian\\_b\\@corp.com C:\\Users\\zoe\\_x \n_Zoe_"}"#,
        r#"{"role":"user","content":"x\nuser2@example.com C:\\Users\\user1\\_x \n_user1_"}"#,
    );
}

#[test]
fn patterns_match_within_strings() {
    let with = |text: &str, language, found: &[&str], keep: &[&str]| {
        redacted_with(text, language, patterns(found, keep))
    };
    let log = r#"{"name":"ACME-12","n":5551234,"x":"5551234, ACME-12 ACME-7","raw":"{\"n\": 5551234}"}"#;
    assert_eq!(
        with(log, Language::Log, &["ACME-[0-9]+", "[0-9]{7}"], &["acme-7"]).unwrap(),
        r#"{"name":"[redacted-1]","n":0,"x":"[redacted-2], [redacted-1] ACME-7","raw":"{\"n\": 0}"}"#
    );
    // All that a greedy pattern takes is one string, and never a key.
    assert_eq!(
        with(r#"{"a":"b c","d":[true]}"#, Language::Json, &[".+"], &[]).unwrap(),
        r#"{"a":"[redacted-1]","d":[true]}"#
    );
    assert_eq!(
        with("id zoe /home/zoe/", Language::Markdown, &["zoe /"], &["zoe"]).unwrap(),
        "id [redacted-1]home/zoe/"
    );
    let invalid = with("a", Language::Markdown, &["("], &[]);
    assert_eq!(
        invalid,
        Err(RedactionError::Pattern("`(` is not a regular expression: unclosed group".to_owned()))
    );
}

#[test]
fn texts_that_records_part_are_found() {
    let delta = |text: &str| format!("{{\"type\":\"text-delta\",\"id\":\"0\",\"delta\":\"{text}\"}}\n");
    let token = GITHUB.concat();
    check_log(
        &[
            delta("in /ho"),
            delta("me/z"),
            delta("oe/x by z"),
            delta("oe: "),
            delta(&token[..20]),
            delta(&token[20..]),
        ]
        .concat(),
        &[
            delta("in /ho"),
            delta("me/user1"),
            delta("/x by user1"),
            delta(": "),
            delta("[secret-1]"),
            delta(""),
        ]
        .concat(),
    );
}

/// Texts of strings, with what is replaced, and what looks like it.
const TEXTS: &[&str] = &[
    "/home/zoe/a",
    "zoe",
    " ",
    "\\n",
    "\\\"",
    "\\\\",
    "C:\\\\Users\\\\nancy\\\\x",
    "nancy",
    "\\\\nancy",
    "zoe@corp.com",
    "\\u0041",
    "\\u0000",
    "\\\\\\\"",
    "-home-zoe-",
    "/",
    "user1",
    "[secret-1]",
    "0",
    "12345",
    ", ",
    ": ",
    "é",
    "@",
    "_",
    "\\\\_",
    "{",
    "}",
];
const KEYS: &[&str] = &["role", "content", "zoe", "id", "name", "nancy", "n"];

fn strings() -> impl Strategy<Value = String> {
    prop::collection::vec(0..TEXTS.len(), 0..8)
        .prop_map(|picked| picked.into_iter().map(|at| TEXTS[at]).collect())
}

fn records() -> impl Strategy<Value = String> {
    let member = (
        0..KEYS.len(),
        prop_oneof![
            strings().prop_map(|text| format!("\"{text}\"")),
            Just("12345".to_owned()),
            Just("null".to_owned())
        ],
    );
    let call = (0..KEYS.len(), strings()).prop_map(|(name, text)| {
        format!(
            r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"c-{name}","name":"{0}","input":{{"{0}":"{text}"}}}}]}}"#,
            KEYS[name]
        )
    });
    let object = prop::collection::vec(member, 0..5).prop_map(|members| {
        let members: Vec<_> = members
            .into_iter()
            .enumerate()
            .map(|(at, (key, value))| format!("\"{}{}\":{value}", KEYS[key], if at == 0 { "" } else { "_" }))
            .collect();
        format!("{{{}}}", members.join(","))
    });
    let delta = strings().prop_map(|text| format!(r#"{{"type":"text-delta","id":"0","delta":"{text}"}}"#));
    prop::collection::vec(prop_oneof![object, call, delta], 1..8).prop_map(|lines| lines.join("\n"))
}

/// The keys of a value, and its structure.
fn keys_of(value: &Value, to: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| keys_of(item, to)),
        Value::Object(members) => {
            for (key, value) in members {
                to.push(key.clone());
                keys_of(value, to);
            }
        }
        _ => {}
    }
}

fn keys_in(log: &str) -> Vec<String> {
    let mut keys = Vec::new();
    for line in log.lines() {
        keys_of(&serde_json::from_str(line).expect(line), &mut keys);
    }
    keys
}

fn calls_in(document: &Document) -> Vec<(Option<String>, Option<String>)> {
    document.tool_uses().into_iter().map(|it| (it.id, it.name)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_log_stays_one(log in records(), found: bool) {
        let rules = || if found { patterns(&["[0-9]{3,}", "z.", "cy", "[é@]"], &[]) } else { RedactSettings::default() };
        let before = document(&log, Language::Log, rules());
        let mut redactor = Redactor::new(Seen::of(&before));
        let text = match redactor.redact(&before) {
            Ok(redacted) => redacted.text,
            Err(error) => { prop_assert!(found, "{error:?} {log}"); return Ok(()); }
        };
        prop_assert_eq!(keys_in(&log), keys_in(&text), "{}", log);
        let after = document(&text, Language::Log, rules());
        prop_assert_eq!(calls_in(&before), calls_in(&after), "{}", text);
        let twice = redacted_with(&text, Language::Log, rules());
        prop_assert_eq!(twice.as_ref(), Ok(&text), "{}", log);
        if !found {
            let left: BTreeSet<_> = ["\"/home/zoe", " /home/zoe", "zoe@corp.com ", "Users\\\\nancy"].into_iter().filter(|it| text.contains(it)).collect();
            prop_assert!(left.is_empty(), "{left:?} in {text}");
        }
    }

    #[test]
    fn any_text_comes_to_rest(picked in prop::collection::vec(0..TEXTS.len(), 0..20)) {
        let text: String = picked.into_iter().map(|at| TEXTS[at]).collect();
        for language in [Language::Markdown, Language::Json, Language::Log] {
            let once = redacted(&text, language);
            prop_assert_eq!(&redacted(&once, language), &once, "{:?} {}", language, text);
        }
    }
}
