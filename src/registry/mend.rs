//! What mends a registry: a name near to the one that is missing, a type near to the one that there is none of, what lacks its
//! quotes or has them, and JSON that is none.
//!
//! Nothing here has to be sure: what a fix comes to in its file is tried before anybody is offered it.

use std::ops::Range;

use serde_json::Value as Any;

use crate::json::{JsonTape, Value, parse, quote};
use crate::nearest::{nearest, nearest_value};
use crate::rules::json_file_fixes;
use crate::schema::{ValueStep, ViolationKind, shown};
use crate::trial::FileFix;

/// What is known of the mending of a fault.
#[derive(Clone, Debug)]
pub(super) enum RegistryRepair {
    /// Nothing.
    None,
    /// A key of the object is to be called this.
    Rename(&'static str),
    /// The value is to be a string.
    Quote,
    /// What the JSON Schema of JSON Schemas says of the value.
    Schema(ViolationKind),
}

/// Mends the texts of registries. Each is parsed again for places only when it has to be.
pub(super) struct RegistryRepairer<'t> {
    text: &'t str,
    json: Option<JsonTape>,
}

impl<'t> RegistryRepairer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, json: None }
    }

    /// What mends the value at `path`, which is written at `range`, or at whose opening bracket `range` is.
    pub(super) fn fixes(
        &mut self,
        mending: &RegistryRepair,
        path: &[ValueStep],
        range: &Range<usize>,
    ) -> Vec<FileFix> {
        let written = self.text.get(range.clone()).unwrap_or_default();
        let fix = match mending {
            RegistryRepair::None => None,
            RegistryRepair::Rename(name) => self.rename(path, name),
            RegistryRepair::Quote if written.starts_with(['{', '[']) => None,
            RegistryRepair::Quote => Some(FileFix::replace("Quote it", range.clone(), quote(written))),
            RegistryRepair::Schema(ViolationKind::Choice(options, _)) => choice(written, options, range),
            RegistryRepair::Schema(ViolationKind::Type(wanted)) => other_type(written, wanted, path, range),
            RegistryRepair::Schema(_) => None,
        };
        fix.map(FileFix::preferred).into_iter().collect()
    }

    /// Gives the key that is nearest to `name` that name, in the object at `path`.
    fn rename(&mut self, path: &[ValueStep], name: &str) -> Option<FileFix> {
        let text = self.text;
        let root = self.json.get_or_insert_with(|| parse(text)).root(text);
        let object = path.iter().try_fold(root?, |value, step| match step {
            ValueStep::Key(key) => value.get(key),
            ValueStep::Index(at) => value.items().nth(*at),
        })?;
        let of_string = |(key, value): &(Value<'_>, Value<'_>)| {
            value.as_str().is_some() && key.as_str().is_some_and(|key| !nearest(&key, [name]).is_empty())
        };
        let mut near = object.entries().filter(of_string);
        // Of two keys nobody knows which one was meant.
        let (Some((key, _)), None) = (near.next(), near.next()) else { return None };
        Some(FileFix::replace(format!("Rename to `{name}`"), key.span().range(), quote(name)))
    }
}

/// What makes JSON of `text`.
pub(super) fn syntax(text: &str) -> Option<FileFix> {
    let fix = json_file_fixes(text)?;
    let edits = fix.edits.into_iter().map(|(span, written)| (span.range(), written)).collect();
    Some(FileFix { title: fix.title, edits, is_preferred: fix.is_preferred, is_safe: fix.is_safe })
}

/// Writes the option that is nearest to the string `written`.
fn choice(written: &str, options: &[Any], range: &Range<usize>) -> Option<FileFix> {
    let said: String = serde_json::from_str(written).ok()?;
    let near = *nearest_value(&said, options.iter().filter_map(Any::as_str)).first()?;
    Some(FileFix::replace(format!("Write {}", shown(&near.into())), range.clone(), quote(near)))
}

/// Writes the string `written` as what it says, or as the only name of a list.
fn other_type(
    written: &str,
    wanted: &[&'static str],
    path: &[ValueStep],
    range: &Range<usize>,
) -> Option<FileFix> {
    let said: String = serde_json::from_str(written).ok()?;
    if wanted.contains(&"array") {
        let is_names = path.last() == Some(&ValueStep::Key("required".to_owned()));
        return is_names.then(|| FileFix::replace("Make it a list", range.clone(), format!("[{written}]")));
    }
    let value: Any = serde_json::from_str(said.trim()).ok()?;
    let is_scalar = value.is_number() || value.is_boolean();
    let title = format!("Write {} without quotes", shown(&value));
    is_scalar.then(|| FileFix::replace(title, range.clone(), said.trim()))
}

#[cfg(test)]
mod tests {
    use crate::registry::read_source;
    use crate::trial::FileFix;

    fn applied(text: &str, fix: &FileFix) -> String {
        let mut text = text.to_owned();
        fix.edits.iter().rev().for_each(|(range, written)| text.replace_range(range.clone(), written));
        text
    }

    /// The fixes of the first problem of `text`, and what comes of each; with each of them it is gone, and no other comes.
    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let before = read_source(text, "tools.json").problems;
        let fixes = &before.first().expect("a problem").fixes;
        let found: Vec<_> = fixes.iter().map(|fix| (fix.title.clone(), applied(text, fix))).collect();
        let expected: Vec<_> =
            expected.iter().map(|(title, text)| ((*title).to_owned(), (*text).to_owned())).collect();
        assert_eq!(found, expected, "{before:?}");
        assert!(fixes.iter().all(|fix| fix.is_preferred));
        for (_, mended) in &found {
            let after = read_source(mended, "tools.json").problems;
            let left: Vec<_> = before.iter().skip(1).map(|problem| &problem.message).collect();
            assert_eq!(after.iter().map(|problem| &problem.message).collect::<Vec<_>>(), left);
        }
    }

    #[test]
    fn a_name_is_found_under_a_near_key() {
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
    fn a_name_is_not_guessed() {
        check(r#"[{"title": "a", "inputSchema": {}}]"#, &[]);
        check(r#"[{"nmae": "a", "nam": "b", "inputSchema": {}}]"#, &[]);
        check(r#"[{"nmae": 7, "inputSchema": {}}]"#, &[]);
        check(r#"[{"nmae": "", "inputSchema": {}}]"#, &[]);
        check(r#"["nmae"]"#, &[]);
    }

    #[test]
    fn what_is_no_json_schema_is_written_as_one() {
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
    fn a_name_gets_its_quotes() {
        check(
            r#"[{"name": 7, "inputSchema": {}}]"#,
            &[("Quote it", r#"[{"name": "7", "inputSchema": {}}]"#)],
        );
        check(r#"[{"name": ["a"], "inputSchema": {}}]"#, &[]);
    }

    #[test]
    fn json_is_mended_as_a_whole() {
        check("[{\"name\": \"a\"},]", &[("Remove the comma", "[{\"name\": \"a\"}]")]);
        check(
            "[ // a\n{\"name\": \"a\",}\n{'name': \"b\"},\n]",
            &[("Mend the JSON in 4 places", "[ // a\n{\"name\": \"a\"},\n{\"name\": \"b\"}\n]")],
        );
        check("[{\"name\": \"a\"", &[("Close what is open", "[{\"name\": \"a\"}]")]);
        // What is wrong with it then would be new.
        check("[{\"title\": \"a\"},]", &[]);
        for text in ["", "no", "[1,,]", "{\"a\": }"] {
            check(text, &[]);
        }
    }
}
