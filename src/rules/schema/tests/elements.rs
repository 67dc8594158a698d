//! Values of calls as elements.

use super::*;

/// Compares the diagnostics of a call of `tool` with `parameters`, written in three forms.
#[track_caller]
fn check_call(tool: &str, parameters: &[(&str, &str)], expected: &[&str]) {
    let invoke = |(key, value): &(&str, &str)| format!("<parameter name=\"{key}\">{value}</parameter>\n");
    let function = |(key, value): &(&str, &str)| format!("<parameter={key}>\n{value}\n</parameter>\n");
    let all = |write: &dyn Fn(&(&str, &str)) -> String| parameters.iter().map(write).collect::<String>();
    let calls = [
        format!("<invoke name=\"{tool}\">\n{}</invoke>\n", all(&invoke)),
        format!("<function={tool}>\n{}</function>\n", all(&function)),
        format!("<tool_call>\n<function={tool}>\n{}</function>\n</tool_call>\n", all(&function)),
    ];
    for call in calls {
        let text = format!("**Assistant:**\n\n{call}");
        check(&text, expected);
        check(&text.replace('\n', "\r\n"), expected);
        check(&text.lines().map(|line| format!("> {line}\n")).collect::<String>(), expected);
    }
}

#[test]
fn values_are_what_the_schema_wants() {
    check_call("read", &[("path", "1"), ("limit", "3"), ("follow", "True")], &[]);
    check_call("read", &[("path", "a"), ("range", r#"{"start": 1, "end": 2}"#)], &[]);
    check_call("write", &[("path", "a"), ("mode", "append"), ("tags", r#"["a", "b"]"#)], &[]);
    check_call(
        "draw",
        &[("shape", r#"{"kind": "circle", "radius": 1}"#), ("fill", "null"), ("grid", "auto")],
        &[],
    );
    check_call("any", &[("a", "1"), ("b", "c")], &[]);
    // As in JSON: numbers of any size, and no check of what is nested deeply.
    check_call("read", &[("path", "a"), ("limit", "123456789012345678901234567890")], &[]);
    check_call("read", &[("path", "a"), ("range", &("[".repeat(150) + &"]".repeat(150)))], &[]);
    check_call("other", &[("a", "1")], &[]);
}

#[test]
fn other_values_are_reported() {
    check_call(
        "read",
        &[("path", "a"), ("limit", "«many»"), ("follow", "«yes»")],
        &["`limit` must be an integer, found `many`", "`follow` must be a boolean, found `yes`"],
    );
    check_call("read", &[("path", "a"), ("limit", "«0»")], &["`limit` must be at least `1`, found `0`"]);
    check_call("«read»", &[("limit", "3")], &["`path` is missing: `read` needs it (string: The file)"]);
    check_call(
        "read",
        &[("path", "a"), ("range", "«{\"start\": 1}»")],
        &["`end` is missing: `range` needs it (number)"],
    );
    // A name that is not allowed is reported once.
    check_call(
        "write",
        &[("path", "a"), ("mode", "append"), ("«moode»", "b")],
        &["`write` names no parameter `moode`"],
    );
}

#[test]
fn choices_have_fixes() {
    let call = |mode: &str| {
        format!(
            "<invoke name=\"write\">\n<parameter name=\"path\">a</parameter>\n<parameter name=\"mode\">{mode}</parameter>\n</invoke>\n"
        )
    };
    let (found, content) = diagnostics_of(&call("apend"));
    let [diagnostic] = &found[..] else { panic!("{found:?}") };
    let fixed: Vec<String> = diagnostic.fixes.iter().map(|fix| applied(&content, fix)).collect();
    assert_eq!(fixed, [call("append").trim_end(), call("replace").trim_end()]);
    assert_eq!(diagnostics_of(&call("append")).0, []);
}
