//! Reads `[[dialect]]`: the forms of objects in JSON logs that a configuration adds.
//!
//! A form with an error is left out: with a part of its signature it would find other objects.

use super::{ConfigEntry, FAILED, KeyReader, PARTS, TYPES, first_line, is_path};
use crate::call::CallPart;
use crate::config::fixes;
use crate::config::layer::{ConfigString, FormLayer, Paths, Signature};
use crate::config::node::{ConfigNode, NodeData};
use crate::forms::form::{
    Failure, Form, FormRole, FormText, InputPath, Layout, NamePath, UsePaths, ValueTest,
};
use crate::forms::{Clash, clash, is_built_in};
use crate::nearest::{did_you_mean, nearest_value};

/// Maximum number of bytes of a constant in a signature.
const LONGEST_CONSTANT: usize = 60;

impl KeyReader {
    /// Tables, each of which describes a form.
    pub(in crate::config) fn dialects(&mut self, entry: &ConfigEntry<'_>) -> Option<Vec<Form>> {
        self.list(entry, "dialects", Self::dialect)
    }

    /// The members that identify an object.
    pub(in crate::config) fn signature(&mut self, entry: &ConfigEntry<'_>) -> Option<Signature> {
        let mut tests = Vec::new();
        self.tests(entry.value, "", &mut tests);
        Some(Signature { span: entry.key.span.clone(), tests })
    }

    /// A single path of a member.
    pub(in crate::config) fn one_path(&mut self, entry: &ConfigEntry<'_>) -> Option<Paths> {
        let paths = self.strings(entry)?;
        if let Some(second) = paths.get(1) {
            self.fault(second.span.clone(), format!("`{}` must be one path", entry.path));
        }
        Some(paths)
    }

    /// Reads the tests of a table of members at `path`.
    fn tests(&mut self, table: &ConfigNode, path: &str, tests: &mut Vec<(FormText, ValueTest)>) {
        for (key, value) in self.entries(table, "`dialect.signature`") {
            let path = if path.is_empty() { key.name.clone() } else { format!("{path}.{}", key.name) };
            if !is_path(&path) {
                self.fault(key.span.clone(), format!("`{path}` is not a path of keys, joined by `.`"));
            } else if matches!(value.data, NodeData::Table(_)) {
                self.tests(value, &path, tests);
            } else if let Some(test) = self.test(value, &path) {
                tests.push((path.into(), test));
            }
        }
    }

    fn test(&mut self, value: &ConfigNode, path: &str) -> Option<ValueTest> {
        match &value.data {
            NodeData::Bool(flag) => return Some(ValueTest::Flag(*flag)),
            NodeData::Array(items) => {
                let texts: Option<Vec<_>> = items.iter().map(ConfigNode::as_str).collect();
                if let Some(item) = items.iter().find(|item| item.as_str().is_some_and(|it| !is_constant(it)))
                {
                    let message = format!(
                        "a constant has at most {LONGEST_CONSTANT} bytes, and no quotes, backslashes or control characters"
                    );
                    self.fault(item.span.clone(), message);
                    return None;
                }
                if let Some(texts) = texts.filter(|texts| !texts.is_empty()) {
                    return Some(ValueTest::Is(
                        texts.into_iter().map(|text| text.to_owned().into()).collect(),
                    ));
                }
            }
            NodeData::String(text) => {
                if let Some((.., test)) = TYPES.into_iter().find(|(name, ..)| name == text) {
                    return Some(test);
                }
                let near = nearest_value(text, TYPES.map(|(name, ..)| name));
                let message = format!(
                    "`signature.{path}` must be one of {}, or a list of strings such as [\"{text}\"]; found \"{text}\"{}",
                    names_of_types(),
                    did_you_mean(&near)
                );
                let mut fixes = fixes::write_string(&value.span, &near);
                fixes.extend(fixes::list_of_one(value, near.is_empty()));
                self.fault_with(&value.span, message, fixes);
                return None;
            }
            _ => {}
        }
        let expected = format!("one of {}, a boolean, or a list of strings", names_of_types());
        self.wrong(value, &format!("signature.{path}"), &expected, None)
    }

    /// The form that a table describes.
    fn dialect(&mut self, table: &ConfigNode, found: FormLayer, forms: &[Form]) -> Option<Form> {
        let missing = [
            ("name", found.name.is_none()),
            ("part", found.part.is_none()),
            ("signature", found.signature.is_none()),
            ("tool", found.tool.iter().flatten().next().is_none() && found.part != Some(CallPart::Result)),
        ];
        if let Some((key, _)) = missing.iter().find(|(_, is_missing)| *is_missing) {
            let message = format!("this dialect has no `{key}`, so it has no effect");
            self.fault(first_line(table), message);
            return None;
        }
        let (name, part, signature) = (found.name.clone()?, found.part?, found.signature.clone()?);
        let before = self.errors.len();
        self.check_name(&name, forms);
        self.check_paths(part, &found);
        if signature.tests.is_empty() {
            self.fault(signature.span.clone(), "`dialect.signature` must have a member".to_owned());
        }
        let encoded = self.encoded(&found);
        if self.errors.len() != before {
            return None;
        }
        let form = form_of(name.text, part, signature.tests, &encoded, &found);
        match clash(&form, forms) {
            None => Some(form),
            Some(clash) => {
                self.fault(signature.span, message_of(&clash));
                None
            }
        }
    }

    fn check_name(&mut self, name: &ConfigString, forms: &[Form]) {
        if forms.iter().any(|form| form.family == name.text) {
            self.fault(name.span.clone(), format!("there are two dialects `{}`", name.text));
        } else if is_built_in(&name.text) {
            self.fault(name.span.clone(), format!("`{}` is a built-in dialect", name.text));
        }
    }

    /// Reports paths that do not apply to this part of a tool use.
    fn check_paths(&mut self, part: CallPart, found: &FormLayer) {
        let others: &[(&str, &Option<Paths>)] = match part {
            CallPart::Call => &[("output", &found.output), ("error", &found.error), ("state", &found.state)],
            CallPart::Result => &[("input", &found.input)],
            _ => &[],
        };
        let name = PARTS.iter().find(|(_, known)| *known == part).map_or("", |(name, _)| name);
        for (key, paths) in others {
            if let Some(path) = paths.iter().flatten().next() {
                let message = format!("a dialect of part \"{name}\" has no `{key}`");
                self.fault(path.span.clone(), message);
            }
        }
    }

    /// The path of the JSON string in which all paths begin; empty if there is none.
    fn encoded(&mut self, found: &FormLayer) -> String {
        let others = found.others();
        let mut encoded = String::new();
        for path in found.json.iter().flatten() {
            let is_input = found.input.iter().flatten().any(|input| input.text == path.text);
            if is_input {
                continue;
            }
            if !others.iter().all(|other| inside(&other.text, &path.text).is_some()) {
                let message = format!(
                    "`{}` must be a path of `input`, or the beginning of all paths of this dialect",
                    path.text
                );
                self.fault(path.span.clone(), message);
            } else if encoded.is_empty() {
                encoded.clone_from(&path.text);
            } else {
                let message = format!("`{encoded}` is the string of JSON already that all paths begin in");
                self.fault(path.span.clone(), message);
            }
        }
        encoded
    }
}

impl FormLayer {
    /// All paths of values.
    fn others(&self) -> Vec<&ConfigString> {
        let lists = [&self.id, &self.tool, &self.input, &self.output, &self.error, &self.state];
        lists.into_iter().flatten().flatten().collect()
    }
}

fn form_of(
    name: String,
    part: CallPart,
    signature: Vec<(FormText, ValueTest)>,
    encoded: &str,
    found: &FormLayer,
) -> Form {
    let relative =
        |path: &ConfigString| FormText::from(inside(&path.text, encoded).unwrap_or(&path.text).to_owned());
    let all = |paths: &Option<Paths>| paths.iter().flatten().map(relative).collect();
    let is_json = |path: &ConfigString| found.json.iter().flatten().any(|json| json.text == path.text);
    let input = found.input.iter().flatten().map(|path| match is_json(path) {
        true => InputPath::Encoded(relative(path)),
        false => InputPath::Value(relative(path)),
    });
    let tool = found.tool.iter().flatten().next();
    let paths = UsePaths {
        part,
        encoded: encoded.to_owned().into(),
        layout: Layout::Paths,
        id: all(&found.id),
        name: tool.map_or(NamePath::None, |path| NamePath::At(relative(path))),
        input: input.collect(),
        output: all(&found.output),
        failure: failures(all(&found.error), all(&found.state), found.failed.as_deref()),
        is_of_last: false,
    };
    let form = Form::new(name.into(), FormRole::Use(paths), signature);
    Form { is_message: found.is_message == Some(true), ..form }
}

/// The signs of a failure: members with errors, and states that are `false` or one of `failed`.
fn failures(errors: Vec<FormText>, states: Vec<FormText>, failed: Option<&[ConfigString]>) -> Vec<Failure> {
    let failed = match failed {
        Some(failed) => failed.iter().map(|state| state.text.clone().into()).collect(),
        None => FAILED.map(FormText::from).to_vec(),
    };
    // An error with the value `true` marks the output as the error.
    let errors = errors.into_iter().flat_map(|path| [Failure::Flag(path.clone()), Failure::Error(path)]);
    let states = states.into_iter().flat_map(|path| {
        let failed = failed.iter().map(|state| Failure::Is(path.clone(), state.clone()));
        let failed: Vec<_> = failed.collect();
        std::iter::once(Failure::NoSuccess(path)).chain(failed)
    });
    errors.chain(states).collect()
}

fn message_of(clash: &Clash) -> String {
    match clash {
        Clash::BuiltIn(family) => format!(
            "all objects of the built-in dialect `{family}` have this signature: add a member that they do not have"
        ),
        Clash::Messages => {
            "the messages of other logs have this signature: add a member that they do not have".to_owned()
        }
        Clash::Earlier(name) => {
            format!(
                "all objects of this signature are read by the dialect `{name}` above, so it has no effect"
            )
        }
    }
}

/// The rest of `path` in the value at `outer`.
fn inside<'p>(path: &'p str, outer: &str) -> Option<&'p str> {
    path.strip_prefix(outer)?.strip_prefix('.')
}

/// True if a member can be compared with `text`: the beginning of its source text decides.
fn is_constant(text: &str) -> bool {
    text.len() <= LONGEST_CONSTANT && !text.contains(|c: char| matches!(c, '"' | '\\') || c.is_control())
}

fn names_of_types() -> String {
    TYPES.map(|(name, ..)| format!("\"{name}\"")).join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    /// Checks a dialect with these lines after its name and its part.
    #[track_caller]
    fn one(part: &str, lines: &str, messages: &[&str]) {
        let head = format!("[[dialect]]\nname = \"own\"\npart = \"{part}\"\n");
        let layer = check(&format!("{head}{lines}"), messages);
        assert_eq!(layer.forms.unwrap_or_default().len(), usize::from(messages.is_empty()));
    }

    #[test]
    fn signatures_have_types_and_constants() {
        let tool = "tool = \"a\"\n";
        let layer = check(
            &format!(
                "[[dialect]]\nname = \"own\"\npart = \"call\"\n{tool}\
                 [dialect.signature]\nkind = [\"a\", \"b\"]\nis_call = true\nin.args = \"object\"\n\"in.id\" = \"string\"\n"
            ),
            &[],
        );
        let paths: Vec<_> =
            layer.forms.as_ref().unwrap()[0].signature.iter().map(|(path, _)| &**path).collect();
        assert_eq!(paths, ["kind", "is_call", "in.args", "in.id"]);
        one("call", &format!("{tool}signature = {{ a = «\"strin\"» }}\n"), &["did you mean `string`?"]);
        one(
            "call",
            &format!("{tool}signature = {{ a = «\"x y\"» }}\n"),
            &["a list of strings such as [\"x y\"]"],
        );
        one(
            "call",
            &format!("{tool}signature = {{ a = «3» }}\n"),
            &["`signature.a` must be one of \"any\","],
        );
        one("call", &format!("{tool}signature = {{ a = «[]» }}\n"), &["found an array"]);
        let long = "x".repeat(61);
        one("call", &format!("{tool}signature = {{ a = [\"b\", «\"{long}\"»] }}\n"), &["at most 60 bytes"]);
        one("call", &format!("{tool}signature = {{ a = [«'\"'»] }}\n"), &["no quotes"]);
        one("call", &format!("{tool}«signature» = {{}}\n"), &["must have a member"]);
        one("call", &format!("{tool}signature = «1»\n"), &["must be a table"]);
        one("call", &format!("{tool}signature = {{ «\"a..b\"» = \"any\" }}\n"), &["not a path"]);
    }

    #[test]
    fn dialects_are_checked() {
        let signature = "signature = { own = \"string\" }\n";
        check("«dialect» = 1\n".replace("«dialect» = 1", "dialect = «1»").as_str(), &["[[dialect]]"]);
        check(
            &format!("«[»[dialect]]\npart = \"result\"\n{signature}"),
            &["this dialect has no `name`, so it has no effect"],
        );
        check("«[»[dialect]]\nname = \"own\"\n", &["has no `part`"]);
        check(&format!("«[»[dialect]]\nname = \"own\"\npart = \"call\"\n{signature}"), &["has no `tool`"]);
        check(
            &format!("[[dialect]]\nname = «\"anthropic\"»\npart = \"result\"\n{signature}"),
            &["`anthropic` is a built-in dialect"],
        );
        check("[[dialect]]\npart = «\"cal\"»\n", &["did you mean `call`?"]);
        one("result", &format!("{signature}«outputs» = \"a\"\n"), &["did you mean `output`?"]);
        one(
            "result",
            &format!("{signature}input = «\"a\"»\n"),
            &["a dialect of part \"result\" has no `input`"],
        );
        one("call", &format!("{signature}tool = \"a\"\nstate = «\"a\"»\n"), &["has no `state`"]);
        one("call", &format!("{signature}tool = [\"a\", «\"b\"»]\n"), &["must be one path"]);
        one("result", &format!("{signature}id = «\"a.\"»\n"), &["not a path"]);
        one(
            "call",
            &format!("{signature}tool = \"a\"\ninput = \"b\"\njson = «\"c\"»\n"),
            &["a path of `input`"],
        );
        one("both", &format!("{signature}tool = \"own.a\"\nid = \"own.b\"\njson = \"own\"\n"), &[]);
    }

    #[test]
    fn names_and_signatures_are_unique() {
        let dialect = |name: &str, signature: &str| {
            format!("[[dialect]]\nname = {name}\npart = \"result\"\n{signature} = {{ own = \"string\" }}\n")
        };
        let first = dialect("\"own\"", "signature");
        check(&(first.clone() + &dialect("«\"own\"»", "signature")), &["there are two dialects `own`"]);
        let read = "read by the dialect `own` above";
        let layer = check(&(first + &dialect("\"other\"", "«signature»")), &[read]);
        assert_eq!(layer.forms.unwrap_or_default().len(), 1);
        let built_in = "«signature» = { tool_use_id = \"any\" }\n";
        one("result", built_in, &["all objects of the built-in dialect `anthropic` have this signature"]);
        one("result", "«signature» = { text = \"string\" }\n", &["the messages of other logs"]);
    }
}
