//! The messages of each kind of violation, by draft; errors in schemas; random schemas with random
//! values.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Schema, ValueStep, compile, to_value};
use crate::json::parse;
use crate::schema::wording::ValueNames;

const NAMES: ValueNames<'_> = ValueNames { root: "the input", owner: "`tool`", property: "parameter" };

fn messages(schema: &Value, instance: &Value) -> Vec<String> {
    let compiled = compile(schema).unwrap();
    let schema = Schema::new(schema, &compiled).unwrap();
    schema.violations(instance, &NAMES).unwrap().iter().map(super::Violation::message).collect()
}

/// Checks the message for `value` as the parameter `x` with the schema `of_x`.
#[track_caller]
fn check(of_x: Value, value: Value, expected: &str) {
    let schema = json!({"properties": {"x": of_x}});
    let found = messages(&schema, &json!({ "x": value })).join(" | ");
    assert_eq!(found, expected);
}

#[test]
fn each_kind_has_a_message() {
    check(json!({"type": ["string", "null"]}), json!(1), "`x` must be a string or `null`, found a number");
    check(json!({"enum": ["a", 1, null]}), json!("b"), "`x` must be `a`, `1` or `null`, found `b`");
    check(json!({"const": "a"}), json!({}), "`x` must be `a`, found an object");
    check(json!({"const": 1}), json!({}), "`x` must be `1`, found `{}`");
    check(json!({"type": "string", "enum": ["true"]}), json!(true), "`x` must be a string, found a boolean");
    check(json!({"pattern": "^a+$"}), json!("b\nc"), "`x` must match the pattern `^a+$`, found `b c`");
    check(json!({"minLength": 1}), json!(""), "`x` must not be empty");
    check(json!({"minLength": 3}), json!("é"), "`x` must have at least 3 characters, found 1");
    check(json!({"maxLength": 1}), json!("ab"), "`x` must have at most 1 character, found 2");
    check(json!({"exclusiveMinimum": 0}), json!(0), "`x` must be more than `0`, found `0`");
    check(json!({"maximum": 1.5}), json!(2), "`x` must be at most `1.5`, found `2`");
    check(json!({"multipleOf": 5}), json!(2), "`x` must be a multiple of `5`, found `2`");
    check(json!({"minItems": 2}), json!([1]), "`x` must have at least 2 items, found 1");
    check(json!({"uniqueItems": true}), json!([1, 1]), "`x` must not contain duplicate items");
    check(json!({"contains": {"const": 1}}), json!([]), "`x` must contain an item of the required kind");
    check(json!({"minProperties": 1}), json!({}), "`x` must not be empty");
    check(
        json!({"format": "uri"}),
        json!("a b"),
        "`x` must be a URI with its scheme (`https://…`), found `a b`",
    );
    check(
        json!({"format": "date-time"}),
        json!("today"),
        "`x` must be a date and time (`2024-05-31T12:00:00Z`), found `today`",
    );
    check(json!({"format": "int32"}), json!("today"), "");
    check(json!({"not": {"const": 1}}), json!(1), "`x` has a form that is not allowed");
    check(json!(false), json!(1), "`x` is not allowed: `tool` does not accept it here");
    check(
        json!({"propertyNames": {"maxLength": 1}}),
        json!({"ab": 1}),
        "the name `ab` must have at most 1 character",
    );
    check(
        json!({"additionalProperties": false}),
        json!({"a": 1, "b": 2}),
        "`a` is not allowed: `x` takes none | `b` is not allowed: `x` takes none",
    );
    check(
        json!({"oneOf": [{"minimum": 0}, {"maximum": 5}]}),
        json!(3),
        "`x` matches several alternatives but must match exactly one",
    );
    check(
        json!({"enum": (0..30).collect::<Vec<_>>()}),
        json!(99),
        "`x` must be `0`, `1`, `2`, `3`, `4`, `5`, `6`, `7`, `8` or 21 others, found `99`",
    );
    check(
        json!({"pattern": "^(a+)+$"}),
        json!(format!("{}b", "a".repeat(40))),
        "`x` must match the pattern `^(a+)+$`, found `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…`",
    );
}

#[test]
fn the_description_of_a_missing_property_is_shown() {
    let about = |of_x: Value| {
        messages(&json!({"properties": {"x": of_x}, "required": ["x"]}), &json!({})).join(" | ")
    };
    assert_eq!(about(json!({})), "`x` is missing: `tool` needs it");
    assert_eq!(about(json!({"$ref": "#"})), "`x` is missing: `tool` needs it");
    let long = json!({"type": "string", "description": format!("{}\nMore. And more.", "word ".repeat(30))});
    assert!(about(long).ends_with(" word word…)"));
}

/// Checks the location and message of each error in a schema.
#[track_caller]
fn check_faults(schema: Value, expected: &[(&str, &str)]) {
    let errors = compile(&schema).err().unwrap_or_default();
    let place = |path: &[ValueStep]| -> String {
        path.iter()
            .map(|step| match step {
                ValueStep::Key(key) => format!("/{key}"),
                ValueStep::Index(at) => format!("/{at}"),
            })
            .collect()
    };
    let found: Vec<_> = errors.iter().map(|error| (place(&error.path), error.message.as_str())).collect();
    let found: Vec<_> = found.iter().map(|(place, message)| (place.as_str(), *message)).collect();
    assert_eq!(found, expected);
}

#[test]
fn an_invalid_schema_is_reported_with_its_location() {
    check_faults(
        json!({"properties": {"a": {"type": "strin", "minLength": -1}}}),
        &[
            (
                "/properties/a/minLength",
                "not a valid JSON Schema, so calls are not checked: `minLength` must be at least `0`, found `-1`",
            ),
            (
                "/properties/a/type",
                "not a valid JSON Schema, so calls are not checked: `type` must be `string`, `array`, `boolean`, `integer`, `null`, `number` or `object`, found `strin`; did you mean `string`?",
            ),
        ],
    );
    check_faults(
        json!({"properties": {"a": {"required": true}}}),
        &[(
            "/properties/a/required",
            "not a valid JSON Schema, so calls are not checked: `required` must be an array, found a boolean",
        )],
    );
    check_faults(
        json!({"properties": {"a": {"pattern": "("}}}),
        &[("/properties/a/pattern", "`(` is not a regular expression, so calls are not checked")],
    );
    check_faults(
        json!({"allOf": [{"patternProperties": {"(": {}}}]}),
        &[("/allOf/0/patternProperties/(", "`(` is not a regular expression, so calls are not checked")],
    );
    check_faults(
        json!({"properties": {"a": {"$ref": "#/$defs/b"}, "c": {"$ref": "#/properties/a"}}}),
        &[("/properties/a/$ref", "`#/$defs/b` is not in this schema; until then, calls are not checked")],
    );
    for outside in ["https://example.com/a.json", "other.json", "file:///etc/passwd"] {
        let message = format!(
            "`{outside}` is outside of this schema and is not fetched; put it into `$defs`; until then, calls are not checked"
        );
        check_faults(json!({"items": {"$ref": outside}}), &[("/items/$ref", &message)]);
    }
    for right in [
        json!({}),
        json!(true),
        json!({"$ref": "#"}),
        json!({"anyOf": [{"$ref": "#"}, {"$ref": "#/anyOf/0"}]}),
        json!({"$ref": "#/$defs/a%20b", "$defs": {"a b": {}}}),
        json!({"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": true}),
        json!({"$schema": "https://example.com/own", "type": "object"}),
        json!({"properties": {"$ref": {"type": "string"}, "pattern": {"type": "string"}}}),
        // Without `$schema`: valid in older drafts only.
        json!({"items": [{"type": "string"}, {"type": "number"}]}),
        json!({"minimum": 1, "exclusiveMinimum": true}),
    ] {
        check_faults(right, &[]);
    }
}

#[test]
fn each_draft_has_its_own_rules() {
    let tuple = |schema: &str| json!({"$schema": schema, "items": [{"type": "string"}]});
    assert_eq!(
        messages(&tuple("http://json-schema.org/draft-07/schema#"), &json!([1])),
        ["the input[0] must be a string, found a number"]
    );
    assert_eq!(
        messages(&json!({"items": [{"type": "string"}]}), &json!([1])),
        ["the input[0] must be a string, found a number"]
    );
    let integer = json!({"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer"});
    for whole in ["1", "-0", "123456789012345678901234567890", "-123456789012345678901234567890"] {
        let json = parse(whole);
        assert_eq!(messages(&integer, &to_value(json.root(whole).unwrap()).unwrap()), [""; 0], "{whole}");
    }
    assert_eq!(messages(&integer, &json!(1.0)).len(), 1);
    let big = "123456789012345678901234567890";
    let json = parse(big);
    let tens = json!({"multipleOf": 10, "minimum": 0});
    assert_eq!(messages(&tens, &to_value(json.root(big).unwrap()).unwrap()), [""; 0]);
}

/// Threads of servers have stacks of two megabytes.
#[test]
fn deep_values_and_schemas_do_not_overflow() {
    let schema = json!({"anyOf": [{"type": "array", "items": {"$ref": "#"}}, {"type": "object", "additionalProperties": {"$ref": "#"}}, {"type": "string"}]});
    for depth in [50, 99, 100, 101, 10_000] {
        let text = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        let json = parse(&text);
        let value = to_value(json.root(&text).unwrap());
        assert_eq!(value.is_some(), depth < 100);
        if let Some(value) = value {
            assert_eq!(messages(&schema, &value).len(), 1);
        }
    }
    let deep = (0..60).fold(json!({"type": "string"}), |schema, _| json!({"properties": {"a": schema}}));
    assert_eq!(messages(&deep, &(0..60).fold(json!(1), |value, _| json!({"a": value}))).len(), 1);
}

/// Nested alternatives are validated within a budget, with deterministic results.
#[test]
fn nested_alternatives_are_validated_within_a_budget() {
    // Each level of the value doubles the work.
    let items = json!({"items": {"$ref": "#"}});
    let recursive = json!({"anyOf": [
        {"type": "array", "items": {"$ref": "#"}, "minItems": 1},
        {"type": "array", "items": {"$ref": "#"}, "maxItems": 9},
        {"type": "string"},
    ]});
    let nested = |depth: usize| (0..depth).fold(json!(1), |value, _| json!([value]));
    assert_eq!(messages(&items, &nested(60)), [""; 0]);
    assert!(
        messages(&recursive, &nested(2))[0].contains("must be"),
        "{:?}",
        messages(&recursive, &nested(2))
    );
    for depth in [18, 40, 90] {
        let found = messages(&recursive, &nested(depth));
        assert!(found[0].contains("nest too deeply to locate"), "{found:?}");
    }
    // Here each level of the schema doubles the work.
    let levels = (0..40).map(|at| {
        let next = json!({"$ref": format!("#/$defs/{}", at + 1)});
        (at.to_string(), json!({"allOf": [next.clone(), next]}))
    });
    let mut definitions: serde_json::Map<_, _> = levels.collect();
    definitions.insert("40".to_owned(), json!({"type": "object"}));
    let chained = json!({"$defs": definitions, "$ref": "#/$defs/0"});
    let compiled = compile(&chained).unwrap();
    let compiled_schema = Schema::new(&chained, &compiled).unwrap();
    assert_eq!(compiled_schema.accepts(&json!({})), None);
    assert_eq!(compiled_schema.violations(&json!({}), &NAMES), Err(super::TooComplex));
    assert!(!compiled_schema.fits(&mut json!({"a": 1}), &[ValueStep::Key("a".to_owned())], &json!(2)));
    // Large values are not deep ones.
    let names: Vec<String> = (0..300).map(|number| format!("name {number}")).collect();
    let list =
        json!({"type": "array", "items": {"anyOf": [{"enum": names}, {"type": "number"}, {"type": "null"}]}});
    let many: Vec<Value> = (0..20_000).map(|number| json!(format!("name {}", number % 300))).collect();
    assert_eq!(messages(&list, &Value::from(many)), [""; 0]);
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop::sample::select(
        &[
            "{}",
            "true",
            "false",
            r#"{"type":"string"}"#,
            r#"{"type":["integer","null"]}"#,
            r#"{"enum":["a",1]}"#,
            r#"{"const":"b"}"#,
            r##"{"$ref":"#"}"##,
            r#"{"minLength":2}"#,
            r#"{"minimum":1}"#,
            r#"{"required":["a"]}"#,
        ][..],
    )
    .prop_map(|text| serde_json::from_str(text).unwrap());
    leaf.prop_recursive(3, 12, 3, |inner: BoxedStrategy<Value>| {
        prop_oneof![
            (inner.clone(), inner.clone(), any::<bool>()).prop_map(|(a, b, open)| json!({"type": "object", "properties": {"a": a, "b": b}, "required": ["b"], "additionalProperties": open})),
            inner.clone().prop_map(|items| json!({"items": items, "minItems": 1})),
            (prop::sample::select(&["allOf", "anyOf", "oneOf"][..]), prop::collection::vec(inner.clone(), 1..4)).prop_map(|(key, all)| {
                let mut schema = json!({});
                schema[key] = all.into();
                schema
            }),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| json!({"if": a, "then": b, "not": {"const": 3}})),
            inner.prop_map(|names| json!({"propertyNames": names, "unevaluatedProperties": false})),
        ]
    })
}

fn instance() -> impl Strategy<Value = Value> {
    let leaf = prop::sample::select(
        &["1", "0", "3", "null", "\"a\"", "\"b\"", "\"\"", "true", "1.5", "{}", "[]"][..],
    )
    .prop_map(|text| serde_json::from_str::<Value>(text).unwrap());
    leaf.prop_recursive(3, 12, 3, |inner: BoxedStrategy<Value>| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(prop::sample::select(&["a", "b", "c"][..]), inner, 0..3).prop_map(
                |members| members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
            ),
        ]
    })
}

proptest! {
    #[test]
    fn violations_are_reported_exactly_for_invalid_values(schema in schema(), instance in instance()) {
        let Ok(compiled) = compile(&schema) else { return Ok(()) };
        let compiled_schema = Schema::new(&schema, &compiled).unwrap();
        let violations = compiled_schema.violations(&instance, &NAMES).unwrap();
        let is_valid = jsonschema::options().should_validate_formats(true).build(&schema).unwrap().is_valid(&instance);
        prop_assert_eq!(violations.is_empty(), is_valid, "{:?}", violations);
        for violation in &violations {
            let found = violation.path.iter().try_fold(&instance, |value, step| match step {
                ValueStep::Key(key) => value.get(key),
                ValueStep::Index(at) => value.get(at),
            });
            prop_assert!(found.is_some(), "{:?}", violation);
        }
        for unknown in compiled_schema.unknown(&instance) {
            prop_assert!(!unknown.known.contains(&unknown.key.as_str()));
        }
    }
}

/// Chains of references take more of the stack than the value is deep.
#[test]
fn chains_of_references_do_not_overflow_the_stack() {
    let chain = |len: usize, draft: Value, link: &dyn Fn(Value) -> Value| {
        let links = (0..len).map(|at| (at.to_string(), link(json!({"$ref": format!("#/$defs/{}", at + 1)}))));
        let mut definitions: serde_json::Map<_, _> = links.collect();
        let last = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/0"}}});
        definitions.insert(len.to_string(), last);
        json!({"$schema": draft, "$defs": definitions, "properties": {"x": {"$ref": "#/$defs/0"}}})
    };
    let all = |next: Value| json!({"allOf": [next]});
    let with_true = |next: Value| json!({"allOf": [true, next]});
    let not = |next: Value| json!({"not": {"not": next}});
    let value = |depth: usize| (0..depth).fold(json!({}), |value, _| json!({"x": value}));
    for draft in ["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"] {
        for link in [&all as &dyn Fn(Value) -> Value, &with_true, &not, &|next| next] {
            let schema = chain(400, draft.into(), link);
            let compiled = compile(&schema).unwrap();
            let schema = Schema::new(&schema, &compiled).unwrap();
            assert_eq!(schema.accepts(&value(95)), None);
            assert!(schema.violations(&value(95), &NAMES).is_err());
            let short = chain(2, draft.into(), link);
            let compiled = compile(&short).unwrap();
            assert_eq!(Schema::new(&short, &compiled).unwrap().accepts(&value(95)), Some(true));
        }
    }
}

/// In older drafts, `$ref` replaces the members beside it, except definitions.
#[test]
fn members_beside_a_reference_apply_in_newer_drafts() {
    for (draft, expected) in [
        ("https://json-schema.org/draft/2020-12/schema", false),
        ("http://json-schema.org/draft-07/schema#", true),
    ] {
        let schema = json!({"$schema": draft, "$ref": "#/definitions/a", "required": ["b"],
            "definitions": {"a": {"type": "object"}}});
        let compiled = compile(&schema).unwrap();
        let schema = Schema::new(&schema, &compiled).unwrap();
        assert_eq!(schema.accepts(&json!({})), Some(expected), "{draft}");
        assert_eq!(schema.accepts(&json!(1)), Some(false), "{draft}");
    }
}

#[test]
fn alternatives_of_references_are_validated_within_a_budget() {
    let link = |at: usize| {
        let next = json!({"$ref": format!("#/$defs/{}", at + 1)});
        (at.to_string(), json!({"anyOf": [next.clone(), next]}))
    };
    let mut definitions: serde_json::Map<_, _> = (0..60).map(link).collect();
    definitions.insert("60".to_owned(), json!({"type": "string"}));
    for draft in ["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"] {
        let schema =
            json!({"$schema": draft, "$defs": definitions, "properties": {"x": {"$ref": "#/$defs/0"}}});
        let compiled = compile(&schema).unwrap();
        let schema = Schema::new(&schema, &compiled).unwrap();
        assert_eq!(schema.accepts(&json!({"x": 1})), None, "{draft}");
    }
}
