//! Reads `[[text]]`: the forms of tool uses in text that a configuration adds.

use super::{ConfigEntry, KeyReader, first_line};
use crate::call::CallPart;
use crate::config::layer::{ConfigString, TextLayer};
use crate::config::node::ConfigNode;
use crate::forms::{OwnText, TextPiece, TextValue, unread};

impl KeyReader {
    /// Tables, each of which describes a form. A table with an error is left out.
    pub(in crate::config) fn texts(&mut self, entry: &ConfigEntry<'_>) -> Option<Vec<OwnText>> {
        self.list(entry, "forms of text", Self::text_form)
    }

    fn text_form(&mut self, table: &ConfigNode, found: TextLayer, others: &[OwnText]) -> Option<OwnText> {
        let missing = [("name", found.name.is_none()), ("first", found.first.is_none())];
        if let Some((key, _)) = missing.iter().find(|(_, is_missing)| *is_missing) {
            self.fault(first_line(table), format!("this form of text has no `{key}`, so it has no effect"));
            return None;
        }
        let (name, first) = (found.name?, found.first?);
        let before = self.errors.len();
        if others.iter().any(|other| other.name == name.text) {
            self.fault(name.span.clone(), format!("there are two forms of text `{}`", name.text));
        }
        for label in [&found.input, &found.output, &found.error].into_iter().flatten() {
            if label.text.trim() != label.text || label.text.contains(['\n', '\r']) {
                let message = format!("`{}` is not a label: it must be the beginning of a line", label.text);
                self.fault(label.span.clone(), message);
            }
            if let Some(reason) = unread(&label.text) {
                self.fault(label.span.clone(), format!("`{}` is not a label: {reason}", label.text));
            }
        }
        if let (Some(output), Some(error)) = (&found.output, &found.error)
            && output.text == error.text
        {
            self.fault(error.span.clone(), "`output` is the same, so this has no effect".to_owned());
        }
        let pieces = TextPiece::all_of(&first.text);
        if let Err(reason) = &pieces {
            self.fault(first.span.clone(), format!("`{}` is not a first line: {reason}", first.text));
        }
        let label = |label: &Option<ConfigString>| label.as_ref().map(|label| label.text.clone());
        let text = OwnText {
            name: name.text,
            part: found.part.unwrap_or(CallPart::Call),
            first: pieces.ok()?,
            input: label(&found.input),
            output: label(&found.output),
            error: label(&found.error),
            languages: found.languages.into_iter().flatten().map(String::from).collect(),
        };
        let span = first.span.clone();
        let has_output = text.has(TextValue::Output) || text.output.is_some();
        match text.part {
            CallPart::Result if !has_output => {
                self.fault(span, "a result needs `{output}` in `first`, or the label `output`".to_owned());
            }
            CallPart::Result if !text.languages.is_empty() => {
                self.fault(
                    span,
                    "a result in a code block belongs to the call in it: use `output`".to_owned(),
                );
            }
            CallPart::Call if !text.has(TextValue::Name) => {
                self.fault(span, "a call needs `{name}` in `first`".to_owned());
            }
            _ => {}
        }
        if let Some(other) = others.iter().find(|other| other.first == text.first) {
            let message = format!("`{}` above begins with the same line, so this has no effect", other.name);
            self.fault(first.span, message);
        }
        (self.errors.len() == before).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn forms_of_text_are_checked() {
        let own = "[[text]]\nname = \"own\"\n";
        check(&format!("{own}first = \"Tool: {{name}}\"\ninput = \"In:\"\nlanguages = \"json\"\n"), &[]);
        check(&format!("{own}part = \"result\"\nfirst = \"Result: {{output}}\"\n"), &[]);
        check("«[»[text]]\nfirst = \"Tool: {name}\"\n", &["has no `name`"]);
        check(&own.replacen('[', "«[»", 1), &["has no `first`"]);
        check(&format!("{own}first = «\"{{name}}\"»\n"), &["must begin with at least 2 bytes of text"]);
        check(&format!("{own}first = «\"Tool: {{nam}}\"»\n"), &["did you mean `name`?"]);
        check(&format!("{own}first = «\"Tool:\"»\n"), &["a call needs `{name}`"]);
        check(&format!("{own}first = \"Tool: {{name}}\"\ninput = «\" In\"»\n"), &["is not a label"]);
        check(&format!("{own}first = «\"> Tool: {{name}}\"»\n"), &["after the markers"]);
        check(&format!("{own}first = \"Tool: {{name}}\"\noutput = «\"1. Out\"»\n"), &["after the markers"]);
        check(&format!("{own}first = «\"```t {{name}}\"»\n"), &["in `languages`"]);
        check(
            &format!("{own}first = \"Tool: {{name}}\"\noutput = \"O:\"\nerror = «\"O:\"»\n"),
            &["`output` is the same"],
        );
        check(&format!("{own}part = «\"both\"»\nfirst = \"Tool: {{name}}\"\n"), &["\"call\", \"result\""]);
        check(&format!("{own}part = \"result\"\nfirst = «\"Result\"»\n"), &["a result needs `{output}`"]);
        check(&format!("{own}first = \"Tool: {{name}}\"\n«inputs» = \"In\"\n"), &["did you mean `input`?"]);
        check(&format!("{own}first = \"Tool: {{name}}\"\nlanguages = «\"a b\"»\n"), &["must be one word"]);
        check(
            &format!("{own}part = \"result\"\nfirst = «\"R: {{output}}\"»\nlanguages = [\"json\"]\n"),
            &["belongs to the call in it"],
        );
        let two = format!("{own}first = \"Tool: {{name}}\"\n");
        check(
            &format!("{two}[[text]]\nname = «\"own\"»\nfirst = \"Use: {{name}}\"\n"),
            &["two forms of text `own`"],
        );
        check(
            &format!("{two}[[text]]\nname = \"b\"\nfirst = «\"Tool: {{name}}\"»\n"),
            &["`own` above begins"],
        );
    }
}
