//! Any input: nothing panics, places lie in the block, what is told agrees with the validator, and fixes mend.

use proptest::prelude::*;

use super::{applied, remarks_of, settings};
use crate::diagnostic::{Code, DiagnosticTarget};

const NAMES: [&str; 10] = [
    "read",
    "write",
    "draw",
    "open",
    "any",
    "text_editor",
    "latest_kubernetes_version",
    "count",
    "nothing",
    "",
];

fn value() -> impl Strategy<Value = String> {
    let key = prop::sample::select(
        &["path", "limit", "range", "start", "mode", "tags", "shape", "kind", "side", "x", "command", "name"]
            [..],
    );
    let leaf = prop::sample::select(
        &[
            "1",
            "0",
            "-1.5",
            "1e999",
            "\"a\"",
            "\"append\"",
            "\"square\"",
            "\"5\"",
            "null",
            "true",
            "\"create\"",
            "\"\\ud800\"",
            "{}",
            "[]",
            "\"\"",
        ][..],
    )
    .prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(", "))),
            prop::collection::vec((key.clone(), inner), 0..5).prop_map(|members| {
                let members: Vec<_> =
                    members.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
                format!("{{{}}}", members.join(", "))
            }),
        ]
    })
}

proptest! {
    #[test]
    fn any_input_is_judged_as_the_validator_does(name in prop::sample::select(&NAMES[..]), input in value()) {
        let fence = |payload: &str| format!("```tool\n{payload}\n```\n");
        let payload = format!("{{\"toolName\": \"{name}\", \"input\": {input}}}");
        let (remarks, content) = remarks_of(&fence(&payload));
        let told: Vec<_> = remarks.iter().filter(|remark| remark.code == Code::InvalidInput).collect();
        let settings = settings();
        let given: Option<serde_json::Value> = serde_json::from_str(&input).ok();
        let schema = settings.registry.tools.get(name).and_then(|tool| tool.input());
        if let (Some(given), Some(schema)) = (&given, schema) {
            let given = if given.is_null() { serde_json::json!({}) } else { given.clone() };
            prop_assert_eq!(schema.accepts(&given), Some(told.is_empty()), "{:?}", told);
        }
        // Others have fixtures of their own.
        let of_schemas = |code| matches!(code, Code::InvalidInput | Code::UnknownParameter);
        for remark in remarks.iter().filter(|remark| of_schemas(remark.code)) {
            let DiagnosticTarget::Span(span) = remark.target else { continue };
            prop_assert!(content.get(span.range()).is_some_and(|text| !text.is_empty()));
            for fix in &remark.fixes {
                let mended = applied(&content, fix);
                let (after, _) = remarks_of(&fence(mended.trim_end()));
                let is_there = after.iter().any(|other| (&other.message, other.target) == (&remark.message, remark.target));
                prop_assert!(!is_there, "{} makes {}", fix.title, mended);
                prop_assert!(after.iter().all(|other| other.code != Code::InvalidJson), "{}", mended);
            }
        }
    }
}
