use super::*;

#[test]
fn a_cut_off_line_is_closed() {
    let user = r#"{"role":"user","content":"go"}"#;
    let check_end = |cut: &str, closed: &str| check(&format!("{user}\n{cut}"), &format!("{user}\n{closed}"));
    check_end(r#"{"role":"user","content":"hel"#, r#"{"role":"user","content":"hel"}"#);
    check_end(r#"{"role":"user","content":"a\\\"#, r#"{"role":"user","content":"a\\"}"#);
    check_end(r#"{"role":"user","content":"a\ud83d\ude"#, r#"{"role":"user","content":"a"}"#);
    let whole = r#"{"type":"text","text":"hi"}"#;
    for part in [r#"{"type":"te"#, r#"{"type":"text","text":"#, r#"{"type":"image","source":{"da"#] {
        let ends = |part: &str| format!(r#"{{"role":"user","content":[{whole}{part}"#);
        check_end(&ends(&format!(",{part}")), &ends("]}"));
    }
    check_end(r#"{"role":"user","content":"hi","n":tru"#, r#"{"role":"user","content":"hi"}"#);
    for cut in [
        r#"{"#,
        r#"{"ro"#,
        r#"{"role":"us"#,
        r#"{"role":"user","content"#,
        r#"{"role":"user","content":"#,
        r#"{"role":"user","content":[{"type":"text","#,
        r#"{"role":"tool","content":"no id"#,
    ] {
        check(&format!("{user}\n{cut}"), &format!("{user}\n"));
    }
}

/// A log of requests whose writer was ended in the middle of the last one.
#[test]
fn a_cut_off_request_is_closed_behind_its_last_message() {
    let asked = r#"{"model":"m","messages":[{"role":"user","content":"go"}"#;
    for (cut, closed) in [
        (r#",{"role":"assistant","content":"half of"#, r#",{"role":"assistant","content":"half of"}]}"#),
        (r#",{"role":"assistant","con"#, "]}"),
        (",", "]}"),
    ] {
        let repaired = repair(&read(&format!("{asked}{cut}"), Language::Log));
        assert_eq!(repaired.document.text().to_string(), format!("{asked}{closed}"), "{cut}");
    }
    // Nothing would be left.
    let cut = "{\"model\":\"m\",\"messages\":[{\"role\":\"us\n";
    let repaired = repair(&read(cut, Language::Log));
    assert_eq!((repaired.steps.len(), repaired.document.text().to_string()), (0, cut.to_owned()));
}
