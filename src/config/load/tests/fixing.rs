//! Fixes of configurations: each removes its diagnostic and adds no other.

use proptest::prelude::*;

use super::*;

/// The diagnostics of the configuration `text`, beside a registry.
fn problems(text: &str) -> Vec<FileDiagnostic> {
    let files = fixture(&[("/w/chatls.toml", text), ("/w/tools.json", r#"[{"name": "x"}]"#)]);
    load(&files, Some("/w/a.md"), &["/w"], &Value::Null).problems.to_vec()
}

fn applied(text: &str, fix: &FileFix) -> String {
    crate::text::edit::applied(text, &fix.edits).expect("edits in order")
}

/// `marked` has `«»` around the range of its only diagnostic; `expected` are the fixes and the
/// resulting texts, the first one preferred.
#[track_caller]
fn check(marked: &str, expected: &[(&str, &str)]) {
    let text = marked.replace(['«', '»'], "");
    let reported = problems(&text);
    let [problem] = reported.as_slice() else { panic!("one problem: {reported:#?}") };
    let (start, end) = (marked.find('«').unwrap(), marked.find('»').unwrap() - '«'.len_utf8());
    assert_eq!(problem.range, start..end, "{problem:?}");
    let fixes: Vec<_> = problem.fixes.iter().map(|fix| (fix.title.clone(), applied(&text, fix))).collect();
    let expected: Vec<_> = expected.iter().map(|(title, text)| ((*title).into(), (*text).into())).collect();
    assert_eq!(fixes, expected);
    let preferred: Vec<_> = problem.fixes.iter().map(|fix| fix.is_preferred).collect();
    assert_eq!(preferred.iter().filter(|it| **it).count(), usize::from(!fixes.is_empty()));
    assert!(preferred.first().is_none_or(|it| *it) && problem.fixes.iter().all(|fix| !fix.is_safe));
    for (_, mended) in &fixes {
        assert_eq!(problems(mended), [], "{mended}");
    }
}

#[test]
fn keys_are_renamed_to_similar_ones() {
    check("«protocl» = \"v5\"\n", &[("Rename to `protocol`", "protocol = \"v5\"\n")]);
    check("«\"Protocol\"» = \"v5\"\n", &[("Rename to `protocol`", "protocol = \"v5\"\n")]);
    check(
        "\u{feff}[«lnit»] # é\nsecret = \"off\"",
        &[("Rename to `lint`", "\u{feff}[lint] # é\nsecret = \"off\"")],
    );
    check("format.«indnt» = 4", &[("Rename to `indent`", "format.indent = 4")]);
    check("hints = { «btach» = true }", &[("Rename to `batch`", "hints = { batch = true }")]);
    check(
        "[lint]\r\n«bad-sate» = \"off\"\r\n",
        &[("Rename to `bad-state`", "[lint]\r\nbad-state = \"off\"\r\n")],
    );
    check(
        "[[override]]\nfiles = [\"a\"]\nlint = { «unknow_tool» = \"off\" }",
        &[("Rename to `unknown-tool`", "[[override]]\nfiles = [\"a\"]\nlint = { unknown-tool = \"off\" }")],
    );
    check("[[«overide»]]\nfiles = [\"a\"]", &[("Rename to `override`", "[[override]]\nfiles = [\"a\"]")]);
    check("«tool» = [\"tools.json\"]", &[("Rename to `tools`", "tools = [\"tools.json\"]")]);
    check("lint.«empty-i» = \"off\"", &[("Rename to `empty-id`", "lint.empty-id = \"off\"")]);
}

#[test]
fn constants_of_signatures_are_lists() {
    let dialect = "[[dialect]]\nname = \"own\"\npart = \"result\"\n";
    let written = |value: &str| format!("{dialect}signature = {{ own = {value} }}\n");
    check(&written("«'return'»"), &[("Write `[\"return\"]`", &written("[\"return\"]"))]);
    check(
        &written("«\"strin\"»"),
        &[("Write `\"string\"`", &written("\"string\"")), ("Write `[\"strin\"]`", &written("[\"strin\"]"))],
    );
}

#[test]
fn fixes_that_add_a_diagnostic_are_not_offered() {
    // The key exists already, its value is invalid, or the file does not exist.
    check("protocol = \"v5\"\n«protocl» = \"v6\"", &[]);
    check("«protocl» = \"v55\"", &[]);
    check("«tool» = [\"none.json\"]", &[]);
    // It has two ranges.
    check("[[«overide»]]\nfiles = [\"a\"]\n[[overide]]\nfiles = [\"b\"]", &[]);
}

#[test]
fn dissimilar_names_have_no_fix() {
    check("«colour» = 1", &[]);
    check("[lint]\n«everything» = \"off\"", &[]);
    check("protocol = «\"latest\"»", &[]);
    check("lint.secret = «\"loud\"»", &[]);
    check("lint.secret = «true»", &[]);
    check("protocol = «9»", &[]);
    check("format.indent = «99»", &[]);
    check("format.indent = «\"99\"»", &[]);
    check("hints.id = «\"yes\"»", &[]);
    check("tools = [«\"preset:x\"»]", &[]);
    check("override = «3»", &[]);
    check("include = [«\"a{\"»]", &[]);
}

#[test]
fn values_are_replaced_by_similar_ones() {
    check("protocol = «\"V5\"»", &[("Write `\"v5\"`", "protocol = \"v5\"")]);
    check("protocol = «'v55'» # the last", &[("Write `\"v5\"`", "protocol = \"v5\" # the last")]);
    check("protocol = «6»", &[("Write `\"v6\"`", "protocol = \"v6\"")]);
    check("lint.secret = «\"warn\"»", &[("Write `\"warning\"`", "lint.secret = \"warning\"")]);
    check("lint.secret = «\"info\"»", &[("Write `\"information\"`", "lint.secret = \"information\"")]);
    check("lint.secret = «false»", &[("Write `\"off\"`", "lint.secret = \"off\"")]);
    check("format.payload = «\"prety\"»", &[("Write `\"pretty\"`", "format.payload = \"pretty\"")]);
    check("format.indent = «\"4\"»", &[("Write `4`", "format.indent = 4")]);
    check("hints.id = «\"True\"»", &[("Write `true`", "hints.id = true")]);
    check(
        "tools = [«\"preset:filetools\"», \"tools.json\"]",
        &[("Write `\"preset:file-tools\"`", "tools = [\"preset:file-tools\", \"tools.json\"]")],
    );
}

#[test]
fn table_becomes_first_of_a_list() {
    let fix = "Write `[[override]]`";
    check(
        "[lint]\n«[override]»\nfiles = [\"a\"]\n[override.lint]\nsecret = \"off\"",
        &[(fix, "[lint]\n[[override]]\nfiles = [\"a\"]\n[override.lint]\nsecret = \"off\"")],
    );
    check("override = «{ files = [\"a\"] }»", &[]);
}

#[test]
fn the_editors_settings_have_no_fixes() {
    let loaded = load(&fixture(&[]), Some("/w/a.md"), &["/w"], &json!({"protokol": "v5"}));
    assert_eq!(loaded.problems.iter().map(|problem| problem.fixes.len()).collect::<Vec<_>>(), [0]);
}

#[test]
fn fixes_of_a_registry_stay_beside_those_of_its_configuration() {
    let files = fixture(&[
        ("/w/chatls.toml", "tools = [\"t.json\"]\nprotocl = \"v5\""),
        ("/w/t.json", r#"[{"nmae": "x"}]"#),
    ]);
    let loaded = load(&files, Some("/w/a.md"), &["/w"], &Value::Null);
    let titles: Vec<_> = loaded.problems.iter().map(|problem| problem.fixes[0].title.as_str()).collect();
    assert_eq!(titles, ["Rename to `protocol`", "Rename to `name`"]);
}

const TOP: &[&str] =
    &["protocol = \"v5\"", "protocl = \"v5\"", "tool = []", "tools = [\"preset:filetools\"]", "x = 1"];
const LINT: &[&str] = &["bad-state = \"warn\"", "bad-stat = \"off\"", "secret = false", "zzz = \"of\""];
const HINTS: &[&str] = &["batch = \"true\"", "btach = true", "id = 1", "files = \"a\""];

/// Valid and invalid lines, under valid and invalid headers.
fn lines() -> impl Strategy<Value = String> {
    let some = |of: &'static [&str]| prop::sample::subsequence(of, 0..=of.len());
    let one = |of: &'static [&str]| prop::sample::select(of);
    let headers = (one(&["[lint]", "[lnt]"]), one(&["[hints]", "[hint]", "[override]"]));
    (some(TOP), headers, some(LINT), some(HINTS)).prop_map(|(top, headers, lint, hints)| {
        [top, vec![headers.0], lint, vec![headers.1], hints].concat().join("\n")
    })
}

proptest! {
    #[test]
    fn fixes_remove_diagnostics_and_add_none(text in lines()) {
        let before = problems(&text);
        for problem in &before {
            for fix in &problem.fixes {
                let after = problems(&applied(&text, fix));
                let count = |of: &[FileDiagnostic], message: &str| {
                    of.iter().filter(|problem| problem.message == message).count()
                };
                prop_assert!(count(&after, &problem.message) < count(&before, &problem.message));
                for left in &after {
                    prop_assert!(count(&after, &left.message) <= count(&before, &left.message), "{left:?}");
                }
            }
        }
    }
}
