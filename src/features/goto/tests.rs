//! Fixtures of navigation: `|` is the cursor, `«»` is around the selected ranges.

use std::sync::Arc;

use proptest::prelude::*;

use super::{GotoLinks, declaration, definition, implementation};
use crate::config::Settings;
use crate::diagnostic::Code;
use crate::document::{Document, Language};
use crate::features::samples::{cut_documents, small};
use crate::registry::{Registry, read_source};
use crate::text::Text;

type Find = fn(&Document, usize) -> Option<GotoLinks>;

fn open(text: &str, settings: Settings) -> Document {
    let language = if text.starts_with(['{', 'd']) { Language::Log } else { Language::Markdown };
    Document::new(Text::new(text), language, small(&settings))
}

fn with_registry() -> Settings {
    let mut registry = Registry::default();
    registry.add(&read_source(r#"[{"name": "known"}]"#, "tools.json"));
    Settings { registry: Arc::new(registry), ..Settings::default() }
}

#[track_caller]
fn check_one(find: Find, marked: &str) {
    let with_targets = marked.replacen('|', "", 1);
    let at = marked.replace(['«', '»'], "").find('|').expect("a position");
    let text = with_targets.replace(['«', '»'], "");
    let document = open(&text, Settings::default());
    let links = find(&document, at);
    let mut shown = text.clone();
    if let Some(GotoLinks::Here { targets, .. }) = &links {
        let mut places: Vec<_> = targets.iter().map(|target| target.selection.clone()).collect();
        places.sort_by_key(|place| place.start);
        for place in places.iter().rev() {
            shown.insert(place.end, '»');
            shown.insert(place.start, '«');
        }
        for target in targets {
            assert!(target.range.start <= target.selection.start && target.selection.end <= target.range.end);
        }
    }
    assert_eq!(shown, with_targets, "{links:?}");
}

#[track_caller]
fn check(find: Find, marked: &str) {
    check_one(find, marked);
    check_one(find, &marked.replace('\n', "\r\n"));
}

const CALL: &str = r#"{"type":"tool-call","toolCallId":"1","toolName":"a","input":{}}"#;
const RESULT: &str = r#"{"type":"tool-result","toolCallId":"1","toolName":"a","output":2}"#;

#[test]
fn result_links_to_call() {
    for find in [definition as Find, declaration] {
        check(find, "<tool>«run»(a=1)</tool>\n\ntext 👋\n\n<validation>r|un\nok</validation>\n");
        check(find, "<tool>«run»(a=1)</tool>\n\n<validation>run\no|k</validation>\n");
        check(find, "###: {\"toolName\": «\"a\"»}\n\n*🔧 Executed a: f|ine*\n");
        check(find, "🔧 **Tool Call:** `«a»(x=1)`\n\n✅ **`|a` result:**\nok\n");
        check(find, "> ###:{\"toolName\": «\"a\"»,\n> \"parameters\": {}}\n>\n> *🔧 Executed |a*\n");
        let call = CALL.replace("\"1\"", "«\"1\"»");
        check(find, &format!("{call}\n{}\n", RESULT.replace("\"1\"", "\"|1\"")));
        check(find, &format!("{call}\n{}\n", RESULT.replace("output", "out|put")));
        check(find, &format!("- ```jsonl\n  {call}\n  {}\n  ```\n", RESULT.replace("2", "|2")));
        // Incomplete, and in an invalid order.
        check(find, &format!("{}\n{call}\n", RESULT.replace("\"output\":2}", "\"ou|tput\":")));
        check(find, &format!("{call}\n{}", RESULT.replace("\"output\":2}", "|")));
    }
    // The start if there is no call yet, and only then.
    let start = "{\"type\":\"tool-input-start\",\"id\":\"1\",\"toolName\":\"a\"}\n";
    let call = CALL.replace("\"1\"", "«\"1\"»");
    check(declaration, &format!("{start}{call}\n{}\n", RESULT.replace("\"1\"", "\"1|\"")));
    check(
        declaration,
        "{\"type\":\"tool-input-start\",\"id\":«\"1\"»,\"toolName\":\"a\"}\n{\"type\":\"tool-input-delta\",\"id\":\"|1\",\"delta\":\"{\"}\n",
    );
}

#[test]
fn call_links_to_results() {
    let find = implementation as Find;
    check(find, "<tool>r|un(a=1)</tool>\n\n<validation>«run»\nok</validation>\n");
    check(find, "<tool>r|un(a=1)\n«👋 ok»</tool>\n");
    check(find, "###: {\"toolName\": \"|a\"}\n\n*🔧 Executed «a»: fine*\n");
    check(find, "> ```tool\n> {\"toolName\": \"|a\",\n>  \"output\": «{\n>  \"x\": 1}»}\n> ```\n");
    check(find, "```tool\n{\"toolName\": \"a\", |\"errorText\": «\"no\"»}\n```\n");
    check(find, "```tool\n{\"state\": «\"output-error\"», \"toolName\": \"|a\"}\n```\n");
    let results = RESULT.replace("\"1\"", "«\"1\"»");
    let first = results.replace("}", ",\"preliminary\":true}");
    check(find, &format!("{}\n{first}\n{results}\n", CALL.replace("\"a\"", "\"a|\"")));
    let delta =
        r#"{"type":"text-delta","delta":"<tool>r|un(a=1)</tool>\n\n<validation>«run»\nok</validation>"}"#;
    check_one(find, delta);
}

#[test]
fn text_outside_of_blocks_has_no_links() {
    for find in [definition as Find, declaration, implementation] {
        check(find, "te|xt\n\n<tool>run</tool>\n");
        check(find, "|");
    }
    check(implementation, "<tool>r|un(a=1)</tool>\n");
    check(declaration, "<validation>r|un\nok</validation>\n");
    check(declaration, "*🔧 Executed |a: outcome of nothing*\n");
}

#[test]
fn known_tool_links_to_registry() {
    let check = |marked: &str, expected: Option<&str>| {
        let at = marked.find('|').expect("a position");
        let links = definition(&open(&marked.replacen('|', "", 1), with_registry()), at);
        let name = match &links {
            Some(GotoLinks::Tool { name, .. }) => Some(name.as_str()),
            _ => None,
        };
        assert_eq!(name, expected, "{marked}");
    };
    check("```tool\n{\"toolName\": \"kno|wn\"}\n```\n", Some("known"));
    check("```tool\n{\"toolName\": |\"known\", \"inp", Some("known"));
    check("<tool>known|(a=1)</tool>\n", Some("known"));
    check("🔧 **Tool Call:** `|known(a=1)`\n", Some("known"));
    check("###:{\"toolName\": \"other|\"}", None);
    check("```tool\n{\"toolName\": \"known\", \"in|put\": {}}\n```\n", None);
}

#[test]
fn suppressed_code_links_to_its_page() {
    let check = |marked: &str, expected: Option<Code>| {
        let at = marked.find('|').expect("a position");
        let links = definition(&open(&marked.replacen('|', "", 1), Settings::default()), at);
        let code = match links {
            Some(GotoLinks::Code { code, .. }) => Some(code),
            _ => None,
        };
        assert_eq!(code, expected, "{marked}");
    };
    check("a\n\n> <!-- chatls-disable-next wrong-type, bad-st|ate -->\n", Some(Code::BadState));
    check("<!-- chatls-disable |bad-state -->\n", Some(Code::BadState));
    check("<!-- chatls-disable| bad-state no-code -->\n", None);
    check("<!-- chatls-disable bad-state no-|code -->\n", None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A call links to itself, and its results link back to it.
    #[test]
    fn results_link_back_to_call((text, language) in cut_documents()) {
        let document = Document::new(Text::new(&text), language, Arc::new(Settings::default()));
        for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)).step_by(7) {
            for find in [definition as Find, declaration, implementation] {
                let Some(GotoLinks::Here { targets, .. }) = find(&document, at) else { continue };
                for target in targets {
                    prop_assert!(text.get(target.range.clone()).is_some());
                    let Some(GotoLinks::Here { targets: calls, .. }) = declaration(&document, target.selection.start) else {
                        continue;
                    };
                    let Some(GotoLinks::Here { targets: own, .. }) = declaration(&document, at) else {
                        prop_assert!(false, "{at} leads on, and not back");
                        continue;
                    };
                    prop_assert_eq!(&calls, &own, "from {}", at);
                }
            }
        }
    }
}

#[test]
fn tools_that_the_text_lists_are_found() {
    check_one(
        definition,
        r#"{"tools": [{"type": "function", "function": {"name": «"own"», "parameters": {}}}], "messages": [{"content": [{"type": "tool_use", "id": "a", "name": "o|wn", "input": {}}]}]}"#,
    );
    check_one(
        definition,
        r#"{"tools": "[{\"name\": «\"own\"», \"parameters\": {}}]", "conversations": [{"from": "function_call", "value": "{\"name\": \"o|wn\", \"arguments\": {}}"}]}"#,
    );
}
