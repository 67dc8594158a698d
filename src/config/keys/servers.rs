//! Reads `[servers.NAME]` and `[run.NAME]`: the servers and programs that can run tools.
//!
//! An entry with an error is omitted: a part of it would start something else.

use std::path::Path;

use super::{ConfigEntry, KeyReader, first_line};
use crate::config::layer::{ConfigString, ProgramLayer, ServerLayer, VariableTable};
use crate::config::node::{ConfigNode, NodeData};
use crate::config::run_settings::{check_header, check_name, check_url, check_variable};
use crate::config::table::ConfigTable;
use crate::config::template::Template;
use crate::text::cut;
use crate::text::visible::visible;

/// Maximum number of characters of a command in a message.
const LONGEST_COMMAND: usize = 100;

/// Maximum number of servers, and of programs, of a configuration.
const MOST_SERVERS: usize = 64;

impl KeyReader {
    /// Tables by name, each of which describes a server.
    pub(in crate::config) fn servers(
        &mut self,
        entry: &ConfigEntry<'_>,
    ) -> Option<Vec<(String, ServerLayer)>> {
        self.named(entry, Self::check_server)
    }

    /// Tables by name, each of which describes a program.
    pub(in crate::config) fn programs(
        &mut self,
        entry: &ConfigEntry<'_>,
    ) -> Option<Vec<(String, ProgramLayer)>> {
        self.named(entry, Self::check_program)
    }

    /// A program with its arguments, or a text, which is the program alone. Spaces in a text are an
    /// error, because it looks like both.
    pub(in crate::config) fn command(&mut self, entry: &ConfigEntry<'_>) -> Option<Vec<ConfigString>> {
        if let NodeData::String(text) = &entry.value.data
            && text.contains(char::is_whitespace)
        {
            let words: Vec<_> = text.split_whitespace().map(|word| format!("{word:?}")).collect();
            let message = format!(
                "`{}` as a text is the program alone; with arguments it is a list: `[{}]`",
                entry.path,
                visible(&cut(&words.join(", "), LONGEST_COMMAND))
            );
            self.fault(entry.value.span.clone(), message);
        }
        self.strings(entry)
    }

    /// Values of variables by name. A name in a list stands for the value of the user's variable.
    pub(in crate::config) fn variables(&mut self, entry: &ConfigEntry<'_>) -> Option<VariableTable> {
        match &entry.value.data {
            NodeData::Array(_) => {
                let own = |name: ConfigString| {
                    let text = Template::variable(name.text.clone()).to_string();
                    (name.text, ConfigString { text, span: name.span })
                };
                Some(self.strings(entry)?.into_iter().map(own).collect())
            }
            NodeData::Table(_) => self.headers(entry),
            _ => self.wrong(entry.value, entry.path, "values by name, or a list of names", None),
        }
    }

    /// Strings by name.
    pub(in crate::config) fn headers(&mut self, entry: &ConfigEntry<'_>) -> Option<VariableTable> {
        let mut values = Vec::new();
        for (key, value) in self.entries(entry.value, &format!("`{}`", entry.path)) {
            let path = format!("{}.{}", entry.path, key.name);
            if let Some(value) = self.string(value, &path) {
                values.push((key.name.clone(), value));
            }
        }
        Some(values)
    }

    /// The tables under `[KEY.NAME]`, by name. One with an error, also of `check`, is left out.
    /// `check` gets the number of errors before the table.
    fn named<L: ConfigTable>(
        &mut self,
        entry: &ConfigEntry<'_>,
        check: fn(&mut Self, &ConfigNode, (&str, &L), usize),
    ) -> Option<Vec<(String, L)>> {
        let mut found = Vec::new();
        for (name, node) in self.named_tables(entry) {
            let before = self.errors.len();
            let layer = self.table(node, &format!("{}.{name}", entry.path));
            check(self, node, (&name, &layer), before);
            if self.errors.len() == before {
                found.push((name, layer));
            }
        }
        Some(found)
    }

    fn named_tables<'n>(&mut self, entry: &ConfigEntry<'n>) -> Vec<(String, &'n ConfigNode)> {
        let mut tables = Vec::new();
        for (key, table) in self.entries(entry.value, &format!("`{}`", entry.path)) {
            if tables.len() == MOST_SERVERS {
                self.fault(key.span.clone(), format!("`{}` has more than {MOST_SERVERS} tables", entry.path));
                break;
            }
            if let Err(reason) = check_name(&key.name) {
                self.fault(key.span.clone(), reason);
                continue;
            }
            if !matches!(table.data, NodeData::Null) {
                tables.push((key.name.clone(), table));
            }
        }
        tables
    }

    fn check_program(&mut self, table: &ConfigNode, (name, program): (&str, &ProgramLayer), before: usize) {
        let command = program.command.as_deref().unwrap_or_default();
        if self.errors.len() == before && !has_program(command) {
            self.fault(first_line(table), format!("the program `{name}` has no `command`"));
        }
        self.check_words(command.iter().skip(1));
        self.check_variables(program.variables.as_ref());
    }

    fn check_server(&mut self, table: &ConfigNode, (name, server): (&str, &ServerLayer), before: usize) {
        if self.errors.len() != before {
            return;
        }
        let first = |values: &Option<VariableTable>| Some(values.as_ref()?.first()?.1.span.clone());
        let others = match (&server.command, &server.url) {
            (None, None) => {
                let message = format!("the server `{name}` has neither `command` nor `url`");
                self.fault(first_line(table), message);
                return;
            }
            (Some(_), Some(url)) => {
                let message = format!("the server `{name}` has `command` and `url`: it is one or the other");
                self.fault(url.span.clone(), message);
                return;
            }
            (Some(command), None) if !has_program(command) => {
                self.fault(first_line(table), format!("the server `{name}` has an empty `command`"));
                return;
            }
            (Some(_), None) => [("headers", first(&server.headers)), ("", None)],
            (None, Some(_)) => {
                let arguments = server.arguments.as_ref().and_then(|all| all.first());
                let arguments = arguments.map(|argument| argument.span.clone());
                [("args", arguments), ("env", first(&server.variables))]
            }
        };
        for (key, span) in others {
            if let Some(span) = span {
                let of = if server.url.is_some() { "an address" } else { "a command" };
                self.fault(span, format!("a server with {of} has no `{key}`"));
            }
        }
        if let Some(url) = &server.url {
            self.checked(&url.span, check_url(&url.text));
        }
        let words = server.command.iter().flat_map(|command| command.iter().skip(1));
        self.check_words(words.chain(server.arguments.iter().flatten()));
        for (name, value) in server.headers.iter().flatten() {
            let template = Template::parse(&value.text, Path::new(""));
            self.checked(&value.span, check_header(name).and(template.map(drop)));
        }
        self.check_variables(server.variables.as_ref());
    }

    fn check_words<'s>(&mut self, words: impl Iterator<Item = &'s ConfigString>) {
        for word in words {
            self.checked(&word.span, Template::parse_word(&word.text, Path::new("")).map(drop));
        }
    }

    fn check_variables(&mut self, variables: Option<&VariableTable>) {
        for (name, value) in variables.into_iter().flatten() {
            let template = Template::parse(&value.text, Path::new(""));
            self.checked(&value.span, template.and_then(|template| check_variable(name, &template)));
        }
    }
}

fn has_program(command: &[ConfigString]) -> bool {
    command.first().is_some_and(|first| !first.text.is_empty())
}

#[cfg(test)]
mod tests {
    use crate::config::keys::tests::check;

    #[test]
    fn servers_and_programs_are_read() {
        let layer = check(
            "[servers.git]\ncommand = \"uvx\"\nargs = [\"mcp-server-git\", \"${env:REPO}\"]\nenv = [\"TOKEN\"]\n\
             listing = \"git.json\"\n[servers.web]\nurl = \"https://example.com/mcp\"\n\
             headers = { Authorization = \"Bearer ${env:TOKEN}\" }\n\
             [run.search]\ncommand = [\"./search.py\", \"--json\"]\nenv = { MODE = \"fast\" }\n\
             description = \"Searches.\"\ninput = \"search.json\"\n",
            &[],
        );
        assert_eq!(
            layer.servers.as_ref().unwrap()[0].1.variables.as_ref().unwrap()[0].1.text,
            "${env:TOKEN}"
        );
        assert_eq!(layer.servers.as_ref().unwrap()[1].1.headers.as_ref().unwrap()[0].0, "Authorization");
        assert_eq!(layer.programs.unwrap()[0].1.command.as_ref().expect("a command").len(), 2);
    }

    #[test]
    fn a_command_is_a_text_or_a_list() {
        let layer = check(
            "[servers.a]\ncommand = [\"npx\", \"-y\"]\nargs = [\"server\"]\n[servers.b]\ncommand = \"npx\"\n\
             [run.c]\ncommand = \"./c.py\"\n[run.d]\ncommand = [\"my tools/d.py\"]\n\
             [servers.e]\ncommand = «\"npx -y server\"»\n[run.f]\ncommand = «\"./f.py --json\"»\n\
             «[»servers.g]\ncommand = []\n[servers.h]\ncommand = [\"x\", «\"${input:k}\"»]\n",
            &[
                "`servers.e.command` as a text is the program alone; with arguments it is a list: \
                 `[\"npx\", \"-y\", \"server\"]`",
                "[\"./f.py\", \"--json\"]",
                "empty `command`",
                "chatls cannot answer it",
            ],
        );
        assert_eq!(layer.servers.as_ref().unwrap().len() + layer.programs.unwrap().len(), 4);
        let command = layer.servers.as_ref().unwrap()[0].1.command.as_ref().expect("a command");
        assert_eq!(
            (command.len(), layer.servers.as_ref().unwrap()[0].1.arguments.as_ref().map(Vec::len)),
            (2, Some(1))
        );
    }

    #[test]
    fn one_with_an_error_is_left_out() {
        let layer = check(
            "[servers.«a»]\n[servers.b]\ncommand = \"x\"\nurl = «\"http://x\"»\n[servers.c]\nurl = «\"ftp://x\"»\n\
             [servers.d]\ncommand = \"x\"\nheaders = { A = «\"b\"» }\n[servers.e]\ncommand = \"x\"\n\
             env = { LD_PRELOAD = «\"./x.so\"» }\n[servers.f]\ncommand = \"x\"\nargs = [«\"${input:k}\"»]\n\
             [servers.g]\n«comand» = \"x\"\n[servers.h]\ncommand = \"x\"\n"
                .replace("[servers.«a»]", "«[»servers.a]")
                .as_str(),
            &[
                "neither `command` nor `url`",
                "one or the other",
                "found `ftp:`",
                "has no `headers`",
                "other code",
                "chatls cannot answer it",
                "did you mean `command`?",
            ],
        );
        let names: Vec<_> = layer.servers.iter().flatten().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["h"]);
        check("[run.a]\ncommand = «3»\n«[»run.b]\n", &["list of strings", "has no `command`"]);
        check(
            "[servers.«\"a\\nfolder: /\"»]\ncommand = \"x\"\n[run.«\"\"»]\ncommand = \"x\"\n\
             [servers.h]\nurl = \"http://x\"\nheaders = { \"A (yours)\" = «\"b\"» }\n",
            &["is not a name", "is not a name", "is not the name of a header"],
        );
        check("servers = «3»\n[run]\na = «1»\n", &["must be a table", "must be a table"]);
    }
}
