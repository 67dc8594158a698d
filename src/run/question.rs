//! A call as it is shown to the user who decides whether it runs: all values of its input, however
//! long some of them are, and no secret.

use serde_json::{Map, Value};

use super::ReadyCall;
use crate::rules::secrets::{first_secrets, redacted, secrets};
use crate::text::cut;
use crate::text::visible::visible;

/// Maximum number of characters of an input that is shown in one line, and of a string that is
/// shown as a whole.
const MOST_CHARS: usize = 200;
/// The number of characters that are shown of the beginning of a longer string, and of its end.
const ENDS: (usize, usize) = (150, 50);
/// Maximum number of characters of a name.
const MOST_NAME: usize = 80;
/// Maximum number of values.
const MOST_VALUES: usize = 200;

impl ReadyCall {
    /// The call for the user: one line, or if its input is long, a line for the tool, and an
    /// indented one for each value. Longer strings are shown by both ends with their number of
    /// characters. Secrets are masked, and characters that cannot be seen are escaped. If the
    /// result is not written, a last line reports it; another line names the numbers that are shown
    /// in short.
    pub fn question_lines(&self) -> Vec<String> {
        let mut lines = self.call_lines();
        let long = self.long_numbers();
        if !long.is_empty() {
            lines.push(format!("  as written: {}", cut(&long.join(", "), 4 * MOST_CHARS)));
        }
        let obstacle = self.obstacle.iter();
        lines.extend(obstacle.map(|reason| format!("  The result is shown, not written: {reason}")));
        lines
    }

    fn call_lines(&self) -> Vec<String> {
        let input = masked(&self.input);
        let tool = visible(&cut(&self.tool, MOST_NAME)).into_owned();
        let runner = visible(&self.runner.to_string()).into_owned();
        let whole = input.to_string();
        if whole.len() <= 4 * MOST_CHARS && whole.chars().count() <= MOST_CHARS {
            return vec![format!("{tool} {} by {runner}", visible(&whole))];
        }
        let mut values = ShownValues { lines: vec![format!("{tool} by {runner}")], omitted: 0 };
        values.push("", &input);
        match values.omitted {
            0 => {}
            1 => values.lines.push("  … and 1 more value".to_owned()),
            more => values.lines.push(format!("  … and {more} more values")),
        }
        values.lines
    }

    /// The call in one line, with its whole input, the numbers that are shown in short, and that
    /// its result is not written if so. Secrets are masked.
    pub fn line(&self) -> String {
        let long = self.long_numbers().join(", ");
        let written = if long.is_empty() { long } else { format!("; as written: {long}") };
        let shown = if self.obstacle.is_none() { "" } else { "; the result is shown, not written" };
        format!("{} {} by {}{written}{shown}", self.tool, masked(&self.input), self.runner)
    }

    /// The kinds of secrets in the input, such as `a GitHub token`, each once.
    pub fn secrets(&self) -> Vec<&'static str> {
        let mut found = Vec::new();
        for_each_text(&self.input, &mut |text| {
            for kind in secrets(text).into_iter().map(|it| it.description) {
                if !found.contains(&kind) {
                    found.push(kind);
                }
            }
        });
        found
    }
}

struct ShownValues {
    lines: Vec<String>,
    omitted: usize,
}

impl ShownValues {
    /// Adds the values in `value`, which is at `path`.
    fn push(&mut self, path: &str, value: &Value) {
        match value {
            Value::Object(members) if !members.is_empty() => {
                let dot = if path.is_empty() { "" } else { "." };
                members
                    .iter()
                    .for_each(|(name, value)| self.push(&format!("{path}{dot}{}", named(name)), value));
            }
            Value::Array(items) if !items.is_empty() => {
                items
                    .iter()
                    .enumerate()
                    .for_each(|(index, item)| self.push(&format!("{path}[{index}]"), item));
            }
            _ if self.lines.len() > MOST_VALUES => self.omitted += 1,
            value => {
                let path = if path.is_empty() { "input" } else { path };
                let shown = value.as_str().map_or_else(|| value.to_string(), shown);
                self.lines.push(format!("  {path}: {shown}"));
            }
        }
    }
}

/// A name in a path, in quotes unless it is a plain word.
fn named(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    match !name.is_empty() && name.len() <= MOST_NAME && name.bytes().all(is_plain) {
        true => name.to_owned(),
        false => quoted(&cut(name, MOST_NAME)),
    }
}

/// A string in quotes.
fn shown(text: &str) -> String {
    let count = text.chars().count();
    if count <= MOST_CHARS {
        return quoted(text);
    }
    let beginning = text.chars().take(ENDS.0);
    let end = text.chars().skip(count - ENDS.1);
    let ends: String = beginning.chain(['…']).chain(end).collect();
    format!("{} ({count} characters)", quoted(&ends))
}

fn quoted(text: &str) -> String {
    visible(&Value::from(text).to_string()).into_owned()
}

/// `value` without secrets, also in names, and in strings that are JSON themselves.
pub fn masked(value: &Value) -> Value {
    match value {
        Value::String(text) => match encoded(text) {
            Some(inner) if has_secret(&inner) => masked(&inner).to_string().into(),
            _ => redacted(text).into(),
        },
        Value::Array(items) => items.iter().map(masked).collect(),
        Value::Object(members) => {
            let masked = members.iter().map(|(name, value)| (redacted(name).into_owned(), masked(value)));
            Value::Object(masked.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

fn has_secret(value: &Value) -> bool {
    let mut has = false;
    for_each_text(value, &mut |text| has |= !first_secrets(text, 1).is_empty());
    has
}

/// Calls `on_text` with each string and name in `value`, and with the strings in JSON that is
/// encoded in a string: its escapes could hide a secret.
pub(super) fn for_each_text(value: &Value, on_text: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => {
            on_text(text);
            if let Some(inner) = encoded(text) {
                for_each_text(&inner, on_text);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| for_each_text(item, on_text)),
        Value::Object(members) => members.iter().for_each(|(name, value)| {
            on_text(name);
            for_each_text(value, on_text);
        }),
        _ => {}
    }
}

/// The object, array or string that `text` is, as JSON.
fn encoded(text: &str) -> Option<Value> {
    let begins = text.trim_start().starts_with(['{', '[', '"']);
    begins.then(|| serde_json::from_str(text).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::call::ToolUse;
    use crate::features::conversion::ConversionError;
    use crate::features::refactorings::outcomes::{CallAnchor, UnwrittenOutcome};
    use crate::run::CallRunner;
    use crate::run::preset::PresetTool;

    /// A token that looks live.
    const TOKEN: &str = concat!("ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");

    fn call(input: &Value) -> ReadyCall {
        let source = "preset:file-tools";
        ReadyCall {
            anchor: CallAnchor::of(&[ToolUse::default()], 0).expect("a call"),
            tool: "write_file".to_owned(),
            input: input.clone(),
            json: input.to_string(),
            runner: CallRunner::Preset(
                PresetTool::find(source, "write_file").expect("a tool"),
                source.to_owned(),
            ),
            obstacle: None,
        }
    }

    #[test]
    fn long_numbers_are_shown_as_they_are_written() {
        let mut long = call(&json!({"n": 1e29, "m": f64::MAX}));
        long.json = "{\"n\":100000000000000000000000000001,\"m\":1e400}".to_owned();
        let lines = long.question_lines();
        assert_eq!(lines[1..], ["  as written: 100000000000000000000000000001, 1e400"], "{lines:?}");
        let line = long.line();
        assert!(line.ends_with("; as written: 100000000000000000000000000001, 1e400"), "{line}");
    }

    #[test]
    fn all_values_are_shown() {
        let short = call(&json!({"path": "a", "content": "\u{202e}\n\u{200b}"}));
        assert_eq!(
            short.question_lines(),
            [r#"write_file {"path":"a","content":"\u{202e}\n\u{200b}"} by preset:file-tools"#]
        );
        let long = format!("{}{}end", "x".repeat(300), " ".repeat(1000));
        let lines = call(&json!({"content": long, "path": ".git/hooks/pre-commit"})).question_lines();
        let ends = format!("{}…{}end", "x".repeat(150), " ".repeat(47));
        assert_eq!(
            lines,
            [
                "write_file by preset:file-tools".to_owned(),
                format!("  content: \"{ends}\" (1303 characters)"),
                "  path: \".git/hooks/pre-commit\"".to_owned(),
            ]
        );
    }

    #[test]
    fn results_that_are_not_written_are_announced() {
        let call = ReadyCall {
            obstacle: Some(UnwrittenOutcome::Rejected(ConversionError::NoForm)),
            ..call(&json!({"path": "a"}))
        };
        let line = r#"write_file {"path":"a"} by preset:file-tools"#;
        let reason = "results cannot be written in the form of this call";
        assert_eq!(
            call.question_lines(),
            [line.to_owned(), format!("  The result is shown, not written: {reason}")]
        );
        assert_eq!(call.line(), format!("{line}; the result is shown, not written"));
    }

    #[test]
    fn values_in_others_have_their_paths() {
        let of = |input: Value| ReadyCall { input, ..call(&json!({"path": "a", "content": "b"})) };
        let nested = json!({"a": {"b c": [1, {"d": "x".repeat(200)}], "e": []}, "f": null});
        assert_eq!(
            of(nested).question_lines(),
            [
                "write_file by preset:file-tools".to_owned(),
                "  a.\"b c\"[0]: 1".to_owned(),
                format!("  a.\"b c\"[1].d: \"{}\"", "x".repeat(200)),
                "  a.e: []".to_owned(),
                "  f: null".to_owned(),
            ]
        );
        let many = of(json!(vec![1; 300])).question_lines();
        assert_eq!((many.len(), many.last().map(String::as_str)), (202, Some("  … and 100 more values")));
        assert_eq!(of(json!("x".repeat(200))).question_lines().len(), 2);
    }

    #[test]
    fn secrets_are_masked() {
        let plain = call(&json!({"path": "a", "content": "b"}));
        assert!(plain.secrets().is_empty());
        let content = format!("one\n{TOKEN}\n{TOKEN}");
        let secret = call(&json!({"path": "a", "content": content}));
        assert_eq!(secret.secrets(), ["a GitHub token"]);
        let line = r#"write_file {"path":"a","content":"one\n[redacted]\n[redacted]"} by preset:file-tools"#;
        assert_eq!(secret.question_lines(), [line]);
        assert_eq!(secret.line(), line);
    }

    #[test]
    fn secrets_are_found_in_names_and_in_strings_that_are_json() {
        let escaped = TOKEN.replace('g', "\\u0067");
        let nested = json!(json!({"a": [format!("{{\"t\": \"{escaped}\"}}")]}).to_string());
        let quoted = json!(format!("\"{escaped}\""));
        for input in [json!({"path": nested}), json!({"path": quoted}), json!({"path": "a", TOKEN: 1})] {
            let call = ReadyCall { input, ..call(&json!({})) };
            assert_eq!(call.secrets(), ["a GitHub token"], "{}", call.input);
            let shown = call.question_lines().join("\n") + &call.line();
            assert!(shown.contains("[redacted]") && !shown.contains(&escaped[8..]), "{shown}");
        }
    }
}
