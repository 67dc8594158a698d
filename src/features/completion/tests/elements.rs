//! Completions in calls as elements of text.

use std::sync::Arc;

use super::{SNIPPETS, accept, check, check_with, open, settings};
use crate::config::Settings;
use crate::features::completion::while_typing::completions_while_typing;
use crate::registry::{Registry, read_source};

const SPEAKER: &str = "**Assistant:**\n\n";

/// Compares the items at `|`, and the text with the first of them.
#[track_caller]
fn typed(marked: &str, expected: &str, accepted: &str) {
    let marked = format!("{SPEAKER}{marked}");
    check(&marked, expected);
    let first = expected.split(' ').next().expect("an item");
    accept(&marked, first, &format!("{SPEAKER}{accepted}"));
}

#[test]
fn names_of_tools() {
    typed("<invoke name=\"|", "now read search", "<invoke name=\"now\">");
    typed("<invoke name=\"re|\">\n</invoke>\n", "now read search", "<invoke name=\"now\">\n</invoke>\n");
    typed(
        "<function=re|>\n<parameter=path>\na\n</parameter>\n</function>\n",
        "now read search",
        "<function=now>\n<parameter=path>\na\n</parameter>\n</function>\n",
    );
}

#[test]
fn parameters() {
    typed(
        "<invoke name=\"read\">\n<|",
        "path limit mode all",
        "<invoke name=\"read\">\n<parameter name=\"path\">$1</parameter>",
    );
    typed(
        "<invoke name=\"read\">\n<parameter name=\"|",
        "path limit mode all",
        "<invoke name=\"read\">\n<parameter name=\"path\">$1</parameter>",
    );
    typed(
        "<invoke name=\"read\">\n<parameter name=\"pa|\">a</parameter>\n</invoke>\n",
        "path limit mode all",
        "<invoke name=\"read\">\n<parameter name=\"path\">a</parameter>\n</invoke>\n",
    );
    // Parameters that exist are left out, also after the position.
    typed(
        "<invoke name=\"read\">\n<par|\n<parameter name=\"path\">a</parameter>\n</invoke>\n",
        "limit mode all",
        "<invoke name=\"read\">\n<parameter name=\"limit\">${1:100}</parameter>\n<parameter name=\"path\">a</parameter>\n</invoke>\n",
    );
    typed(
        "<function=read>\n<parameter=path>\na\n</parameter>\n|\n</function>\n",
        "limit mode all",
        "<function=read>\n<parameter=path>\na\n</parameter>\n<parameter=limit>${1:100}</parameter>\n</function>\n",
    );
    typed(
        "<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n<parameter=|",
        "limit mode all",
        "<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n<parameter=limit>${1:100}</parameter>",
    );
}

#[test]
fn values() {
    let text = "<function=read>\n<parameter=mode>|</parameter>\n</function>\n";
    typed(text, "text binary", &text.replace('|', "text"));
    let text = "<invoke name=\"read\">\n<parameter name=\"all\">t|rue";
    typed(text, "true false", "<invoke name=\"read\">\n<parameter name=\"all\">true");
    check(&format!("{SPEAKER}<invoke name=\"read\">\n<parameter name=\"path\">|"), "");
    check(&format!("{SPEAKER}<invoke name=\"other\">\n|"), "");
    check(&format!("{SPEAKER}<invoke name=\"read\">\nI read |"), "");
}

/// Tools of Cline and Roo Code are called by their names.
#[test]
fn parameters_of_tools_as_elements() {
    let tools = r#"[{"name": "read_file", "inputSchema": {"type": "object", "properties": {
        "path": {"type": "string"}, "mode": {"enum": ["a", "b"]}, "other": {}}}}]"#;
    let settings = || {
        let mut registry = Registry::default();
        registry.add(&read_source(tools, "tools.json"));
        Settings { registry: Arc::new(registry), ..Settings::default() }
    };
    let check =
        |marked: &str, expected: &str| check_with(settings(), &format!("{SPEAKER}{marked}"), expected);
    check("<read_file>\n<path>a</path>\n<m|\n</read_file>\n", "mode");
    check("<read_file>\n<path>a</path>\n<mode>|</mode>\n</read_file>\n", "a b");
    // A call with a parameter that Cline does not know is text.
    check("<read_file><p|", "path mode");
    check("<read_file>\n<pa|\n</read_file>\n", "path mode");
    check("<read_file>\n<path>a</path>\n</read_file>\n|", "");
    check("<list_files>\n<|", "");
}

/// `<` in a call begins a parameter; elsewhere it may be HTML.
#[test]
fn while_typing() {
    let check = |typed: &str, expected: &[&str]| {
        let text =
            format!("{SPEAKER}<invoke name=\"read\">\n<parameter name=\"path\">a</parameter>\n{typed}");
        let found = completions_while_typing(&open(&text, settings()), text.len(), SNIPPETS).items;
        assert_eq!(found.iter().map(|item| &*item.label).collect::<Vec<_>>(), expected, "{typed}");
    };
    check("<", &["limit", "mode", "all"]);
    check("<parameter name=\"m", &["mode"]);
    check("m", &["mode"]);
    check("x", &[]);
    check("</", &[]);
    check("</invoke>\n\n<", &[]);
}
