//! Fixes of a registry: the most similar key or type name, added or removed quotes, and repaired
//! JSON.
//!
//! The fixes here may be wrong: each is tested on a copy of the file before it is offered.

use std::ops::Range;

use serde_json::Value as Any;

use crate::json::{JsonTape, Value, parse, quote};
use crate::json_repair::json_file_fixes;
use crate::nearest::{nearest, nearest_value};
use crate::never::OrNever;
use crate::schema::wording::shown;
use crate::schema::{ValueStep, ViolationKind};
use crate::trial::FileFix;

/// The repair of an error.
#[derive(Clone, Debug)]
pub(super) enum RegistryRepair {
    /// No repair.
    None,
    /// A key of the object should have this name.
    Rename(&'static str),
    /// The value should be a string.
    Quote,
    /// A violation of the JSON Schema metaschema.
    Schema(ViolationKind),
}

/// Computes fixes for a registry's text. The text is parsed again for ranges only if needed.
pub(super) struct RegistryRepairer<'t> {
    text: &'t str,
    json: Option<JsonTape>,
}

impl<'t> RegistryRepairer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, json: None }
    }

    /// The fixes of the value at `path`, with the range `range` of the value or of its opening
    /// bracket.
    pub(super) fn fixes(
        &mut self,
        repair: &RegistryRepair,
        path: &[ValueStep],
        range: &Range<usize>,
    ) -> Vec<FileFix> {
        let written = self.text.get(range.clone()).or_never();
        let fix = match repair {
            RegistryRepair::None => None,
            RegistryRepair::Rename(name) => self.rename(path, name),
            RegistryRepair::Quote if written.starts_with(['{', '[']) => None,
            RegistryRepair::Quote => Some(FileFix::replace("Quote it", range.clone(), quote(written))),
            RegistryRepair::Schema(ViolationKind::Choice(options, _)) => choice(written, options, range),
            RegistryRepair::Schema(ViolationKind::Type(types)) => other_type(written, types, path, range),
            RegistryRepair::Schema(_) => None,
        };
        fix.map(FileFix::preferred).into_iter().collect()
    }

    /// Renames the key most similar to `name` in the object at `path` to `name`.
    fn rename(&mut self, path: &[ValueStep], name: &str) -> Option<FileFix> {
        let text = self.text;
        let root = self.json.get_or_insert_with(|| parse(text)).root(text);
        let object = path.iter().try_fold(root?, Value::child)?;
        let of_string = |(key, value): &(Value<'_>, Value<'_>)| {
            value.as_str().is_some() && key.as_str().is_some_and(|key| !nearest(&key, [name]).is_empty())
        };
        let mut near = object.entries().filter(of_string);
        // Two similar keys are ambiguous.
        let (Some((key, _)), None) = (near.next(), near.next()) else { return None };
        Some(FileFix::replace(format!("Rename to `{name}`"), key.span().range(), quote(name)))
    }
}

/// Repairs the JSON in `text`.
pub(super) fn syntax(text: &str) -> Option<FileFix> {
    let mut fix = json_file_fixes(text)?;
    let edits = fix.edits.drain(..).map(|(span, written)| (span.range(), written)).collect();
    Some(fix.with_edits(edits))
}

/// Replaces the string `written` by the most similar option.
fn choice(written: &str, options: &[Any], range: &Range<usize>) -> Option<FileFix> {
    let content: String = serde_json::from_str(written).ok()?;
    let near = *nearest_value(&content, options.iter().filter_map(Any::as_str)).first()?;
    Some(FileFix::replace(format!("Write {}", shown(&near.into())), range.clone(), quote(near)))
}

/// Replaces the string `written` by its value, or by a list with it as the only name.
fn other_type(
    written: &str,
    types: &[&'static str],
    path: &[ValueStep],
    range: &Range<usize>,
) -> Option<FileFix> {
    let content: String = serde_json::from_str(written).ok()?;
    if types.contains(&"array") {
        let is_names = path.last() == Some(&ValueStep::Key("required".to_owned()));
        return is_names.then(|| FileFix::replace("Make it a list", range.clone(), format!("[{written}]")));
    }
    let value: Any = serde_json::from_str(content.trim()).ok()?;
    let is_scalar = value.is_number() || value.is_boolean();
    let title = format!("Write {} without quotes", shown(&value));
    is_scalar.then(|| FileFix::replace(title, range.clone(), content.trim()))
}

#[cfg(test)]
mod tests {
    use crate::registry::read_source;
    use crate::trial::FileFix;

    fn applied(text: &str, fix: &FileFix) -> String {
        crate::text::edit::applied(text, &fix.edits).expect("edits in order")
    }

    /// Compares the fixes of the first diagnostic of `text`, and the resulting texts; each removes
    /// it and adds no other.
    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let before = read_source(text, "tools.json").problems;
        let fixes = &before.first().expect("a diagnostic").fixes;
        let fixed: Vec<_> = fixes.iter().map(|fix| (fix.title.clone(), applied(text, fix))).collect();
        let expected: Vec<_> =
            expected.iter().map(|(title, text)| ((*title).to_owned(), (*text).to_owned())).collect();
        assert_eq!(fixed, expected, "{before:?}");
        assert!(fixes.iter().all(|fix| fix.is_preferred));
        for (_, mended) in &fixed {
            let after = read_source(mended, "tools.json").problems;
            let left: Vec<_> = before.iter().skip(1).map(|problem| &problem.message).collect();
            assert_eq!(after.iter().map(|problem| &problem.message).collect::<Vec<_>>(), left);
        }
    }

    #[test]
    fn name_under_a_similar_key_is_found() {
        let rename = "Rename to `name`";
        check(r#"[{"nmae": "a", "inputSchema": {}}]"#, &[(rename, r#"[{"name": "a", "inputSchema": {}}]"#)]);
        check(r#"[{"Name": "a"}]"#, &[(rename, r#"[{"name": "a"}]"#)]);
        check(
            "\u{feff}// é\n{\"tools\": [{\"type\": \"function\", \"function\": {\"names\": \"é\"}}]}",
            &[(
                rename,
                "\u{feff}// é\n{\"tools\": [{\"type\": \"function\", \"function\": {\"name\": \"é\"}}]}",
            )],
        );
        check(
            r#"[{"name": "a", "parameters": [{"name": "x"}, {"nam": "y", "type": "string"}]}]"#,
            &[(rename, r#"[{"name": "a", "parameters": [{"name": "x"}, {"name": "y", "type": "string"}]}]"#)],
        );
    }

    #[test]
    fn ambiguous_name_is_not_guessed() {
        check(r#"[{"title": "a", "inputSchema": {}}]"#, &[]);
        check(r#"[{"nmae": "a", "nam": "b", "inputSchema": {}}]"#, &[]);
        check(r#"[{"nmae": 7, "inputSchema": {}}]"#, &[]);
        check(r#"[{"nmae": "", "inputSchema": {}}]"#, &[]);
        check(r#"["nmae"]"#, &[]);
    }

    #[test]
    fn invalid_json_schema_is_fixed() {
        let check = |schema: &str, expected: &[(&str, &str)]| {
            let text = |schema: &str| {
                format!(r#"[{{"name": "a", "input_schema": {{"properties": {{"x": {schema}}}}}}}]"#)
            };
            let expected: Vec<_> = expected.iter().map(|(title, schema)| (*title, text(schema))).collect();
            let expected: Vec<_> = expected.iter().map(|(title, text)| (*title, text.as_str())).collect();
            check(&text(schema), &expected);
        };
        check(r#"{"type": "strin"}"#, &[("Write `string`", r#"{"type": "string"}"#)]);
        check(r#"{"type": "int"}"#, &[("Write `integer`", r#"{"type": "integer"}"#)]);
        check(r#"{"type": ["Null", "string"]}"#, &[("Write `null`", r#"{"type": ["null", "string"]}"#)]);
        check(r#"{"minimum": "1.5"}"#, &[("Write `1.5` without quotes", r#"{"minimum": 1.5}"#)]);
        check(r#"{"uniqueItems": "true"}"#, &[("Write `true` without quotes", r#"{"uniqueItems": true}"#)]);
        check(r#"{"required": "y"}"#, &[("Make it a list", r#"{"required": ["y"]}"#)]);
        for schema in [
            r#"{"type": "text"}"#,
            r#"{"type": 7}"#,
            r#"{"minimum": "one"}"#,
            r#"{"minLength": "-1"}"#,
            r#"{"required": true}"#,
            r#"{"pattern": "("}"#,
            r##"{"$ref": "#/x"}"##,
        ] {
            check(schema, &[]);
        }
    }

    #[test]
    fn unquoted_name_gets_quotes() {
        check(
            r#"[{"name": 7, "inputSchema": {}}]"#,
            &[("Quote it", r#"[{"name": "7", "inputSchema": {}}]"#)],
        );
        check(r#"[{"name": ["a"], "inputSchema": {}}]"#, &[]);
    }

    #[test]
    fn json_is_repaired_as_a_whole() {
        check("[{\"name\": \"a\"},]", &[("Remove the comma", "[{\"name\": \"a\"}]")]);
        check(
            "[ // a\n{\"name\": \"a\",}\n{'name': \"b\"},\n]",
            &[("Fix 4 JSON errors", "[ // a\n{\"name\": \"a\"},\n{\"name\": \"b\"}\n]")],
        );
        check("[{\"name\": \"a\"", &[("Close the open brackets", "[{\"name\": \"a\"}]")]);
        // Its other error would be new.
        check("[{\"title\": \"a\"},]", &[]);
        for text in ["", "no", "[1,,]", "{\"a\": }"] {
            check(text, &[]);
        }
    }
}
