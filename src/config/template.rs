//! Values of a server's configuration that refer to variables of the environment. A reference
//! keeps a secret out of the file, and out of everything that is made from it.
//!
//! Sources: "Environment variable expansion in .mcp.json" of Claude Code (`${NAME}` and
//! `${NAME:-default}`), and "Variables reference" of VS Code (`${env:NAME}`,
//! `${workspaceFolder}`, `${input:id}`).

use std::fmt;
use std::path::Path;

/// A text with references to variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    /// The parts, in order.
    pub parts: Vec<TemplatePart>,
}

/// A part of a [`Template`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplatePart {
    /// Literal text.
    Text(String),
    /// The value of a variable of the environment, or `default` if it is not set.
    Variable {
        /// The name of the variable.
        name: String,
        /// The value if it is not set.
        default: Option<String>,
    },
}

impl Template {
    /// A text without references.
    pub fn text(text: impl Into<String>) -> Self {
        Self { parts: vec![TemplatePart::Text(text.into())] }
    }

    /// A reference to the variable `name`.
    pub fn variable(name: impl Into<String>) -> Self {
        Self { parts: vec![TemplatePart::Variable { name: name.into(), default: None }] }
    }

    /// Reads `text`. `${workspaceFolder}` is `folder`.
    ///
    /// # Errors
    ///
    /// The message, if a reference cannot be answered.
    pub fn parse(text: &str, folder: &Path) -> Result<Self, String> {
        Self::read(text, |reference, is_closed| match is_closed {
            true => part_of(reference, folder).map(Some),
            false => Err("a reference begins with `${` and has no `}`".to_owned()),
        })
    }

    /// Reads a word of a command in `chatls.toml`, which may be part of a script: only
    /// `${env:NAME}` and `${workspaceFolder}`, which is `folder`, are references, because shells
    /// have `${NAME}` themselves.
    ///
    /// # Errors
    ///
    /// The message, for VS Code's `${input:id}`, which cannot be answered.
    pub fn parse_word(text: &str, folder: &Path) -> Result<Self, String> {
        let is_ours = |reference: &str| reference == "workspaceFolder" || reference.starts_with("env:");
        Self::read(text, |reference, is_closed| match part_of(reference, folder) {
            Err(reason) if reference.starts_with("input:") => Err(reason),
            Ok(part) if is_closed && is_ours(reference) => Ok(Some(part)),
            _ => Ok(None),
        })
    }

    /// Reads `text`. `read` gets the text after each `${`, up to its `}` or else the end, and true
    /// if there is a `}`; it returns the part for it, or `None` if the `${` is text.
    fn read(
        text: &str,
        read: impl Fn(&str, bool) -> Result<Option<TemplatePart>, String>,
    ) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("${") {
            push_text(&mut parts, before);
            let closed = behind.split_once('}');
            let (reference, after) = closed.unwrap_or((behind, ""));
            rest = after;
            match read(reference, closed.is_some())? {
                Some(TemplatePart::Text(text)) => push_text(&mut parts, &text),
                Some(variable) => parts.push(variable),
                None => {
                    push_text(&mut parts, "${");
                    rest = behind;
                }
            }
        }
        push_text(&mut parts, rest);
        Ok(Self { parts })
    }

    /// The names of the variables that it refers to.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            TemplatePart::Text(_) => None,
            TemplatePart::Variable { name, .. } => Some(name.as_str()),
        })
    }

    /// The text without references; `None` if there are some.
    pub fn as_text(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [TemplatePart::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// The text with the values of the variables, from `lookup`.
    ///
    /// # Errors
    ///
    /// The name of the first variable that is not set and has no default.
    pub fn expand(&self, lookup: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                TemplatePart::Text(part) => text.push_str(part),
                TemplatePart::Variable { name, default } => {
                    let value = lookup(name).or_else(|| default.clone());
                    text.push_str(&value.ok_or_else(|| name.clone())?);
                }
            }
        }
        Ok(text)
    }
}

/// The text, with references in the notation `${env:NAME}`.
impl fmt::Display for Template {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| match part {
            TemplatePart::Text(text) => formatter.write_str(text),
            TemplatePart::Variable { name, default: None } => write!(formatter, "${{env:{name}}}"),
            TemplatePart::Variable { name, default: Some(default) } => {
                write!(formatter, "${{env:{name}:-{default}}}")
            }
        })
    }
}

/// True if `name` can be the name of a variable of the environment (POSIX: "Environment Variable
/// Definition", without names that only other systems allow).
pub fn is_variable_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.bytes().all(is_part) && name.bytes().next().is_some_and(|first| !first.is_ascii_digit())
}

fn push_text(parts: &mut Vec<TemplatePart>, text: &str) {
    match parts.last_mut() {
        _ if text.is_empty() => {}
        Some(TemplatePart::Text(last)) => last.push_str(text),
        _ => parts.push(TemplatePart::Text(text.to_owned())),
    }
}

/// The part for `${reference}`.
fn part_of(reference: &str, folder: &Path) -> Result<TemplatePart, String> {
    if reference == "workspaceFolder" {
        return Ok(TemplatePart::Text(folder.to_string_lossy().into_owned()));
    }
    if reference.starts_with("input:") {
        return Err(format!(
            "`${{{reference}}}` is asked for by VS Code, and chatls cannot answer it: write `${{env:NAME}}`"
        ));
    }
    let variable = reference.strip_prefix("env:").unwrap_or(reference);
    let (name, default) = match variable.split_once(":-") {
        Some((name, default)) => (name, Some(default.to_owned())),
        None => (variable, None),
    };
    match is_variable_name(name) {
        true => Ok(TemplatePart::Variable { name: name.to_owned(), default }),
        false => Err(format!("`${{{reference}}}` is not a reference: write `${{env:NAME}}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_of_each_notation_are_read() {
        for (text, expected) in [
            ("plain", "plain"),
            ("", ""),
            ("Bearer ${env:TOKEN}", "Bearer ${env:TOKEN}"),
            ("${TOKEN}${B:-x}", "${env:TOKEN}${env:B:-x}"),
            ("${workspaceFolder}/a $HOME {b}", "/w/a $HOME {b}"),
        ] {
            assert_eq!(Template::parse(text, Path::new("/w")).expect("a template").to_string(), expected);
        }
        for (text, expected) in [
            ("${input:key}", "chatls cannot answer it"),
            ("${a", "no `}`"),
            ("${command:x}", "not a reference"),
            ("${}", "not a reference"),
        ] {
            let message = Template::parse(text, Path::new("/w")).expect_err("no template");
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn words_of_scripts_keep_the_variables_of_their_shell() {
        let check = |text: &str, variables: &[&str], expected: &str| {
            let word = Template::parse_word(text, Path::new("/w")).expect("a template");
            assert_eq!(word.variables().collect::<Vec<_>>(), variables, "{text}");
            assert_eq!(word.to_string(), expected);
        };
        check("${workspaceFolder}/a ${env:TOKEN}", &["TOKEN"], "/w/a ${env:TOKEN}");
        for script in
            ["echo ${HOME} ${X:-y}", "${#list[@]}", "a ${", "${env:", "${env:1}", "${input}", "$${X}"]
        {
            check(script, &[], script);
        }
        check("${x${env:A}", &["A"], "${x${env:A}");
        assert!(Template::parse_word("${input:k}", Path::new("/w")).is_err());
    }

    #[test]
    fn variables_are_looked_up_at_last() {
        let template = Template::parse("a ${env:SET} ${UNSET:-b}", Path::new("/w")).expect("a template");
        let lookup = |name: &str| (name == "SET").then(|| "${env:OTHER}".to_owned());
        assert_eq!(template.expand(&lookup), Ok("a ${env:OTHER} b".to_owned()), "values are not read again");
        assert_eq!(template.variables().collect::<Vec<_>>(), ["SET", "UNSET"]);
        assert_eq!(Template::variable("UNSET").expand(&lookup), Err("UNSET".to_owned()));
    }
}
