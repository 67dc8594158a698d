//! Written messages, requests and events parse, whatever the documents have.

use proptest::prelude::*;

use super::open;
use crate::document::{Document, Language};
use crate::events::{Deltas, events_of_document};
use crate::features::chat_forms::request::{REQUEST_FORMS, RequestOptions, write_request};
use crate::features::chat_forms::{CHAT_FORMS, write_form};
use crate::features::samples::cut_documents;

/// The texts that are written of `document`, each of one or more values of JSON.
fn written(document: &Document) -> Vec<String> {
    let forms = CHAT_FORMS.iter().filter_map(|form| write_form(document, form).ok()).map(|it| it.text);
    let options = RequestOptions::default();
    let requests = REQUEST_FORMS.iter().filter_map(|form| write_request(document, form, &options).ok());
    let events = events_of_document(document, Deltas::OnePerText);
    forms.chain(requests.map(|it| it.text)).chain(events).collect()
}

fn check(document: &Document) -> Result<(), String> {
    for text in written(document) {
        // Values of requests may hold JSON as text, which servers read.
        let values =
            serde_json::Deserializer::from_str(&text).into_iter::<Box<serde_json::value::RawValue>>();
        for value in values {
            value.map_err(|error| format!("{error}: {text}"))?;
        }
    }
    Ok(())
}

#[test]
fn arguments_that_are_no_json_are_text() {
    let text = r#"[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\\:"}}]},{"role":"tool","tool_call_id":"a","content":"r"}]"#;
    let document = open(text, Language::Json);
    assert!(!written(&document).is_empty());
    assert_eq!(check(&document), Ok(()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn all_that_is_written_parses(
        (text, language) in cut_documents(),
        at in any::<prop::sample::Index>(),
        with in prop::sample::select(vec!["", "\\", "\"", "{", "}", "[", ",", ":", "x", "\\u12", "\u{0}"]),
    ) {
        let mut text = text;
        let at = at.index(text.len() + 1);
        if let Some(at) = (0..=at).rev().find(|at| text.is_char_boundary(*at)) {
            let end = (at + 1..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(at);
            text.replace_range(at..end, with);
        }
        prop_assert_eq!(check(&open(&text, language)), Ok(()));
    }
}
