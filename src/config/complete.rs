//! Completion and hover in a `chatls.toml`, from the table of keys.
//!
//! The text at the position is usually incomplete, so its lines are scanned, and nothing is parsed.

pub mod context;

use std::ops::Range;

use super::keys::{SEVERITIES, TYPES};
use super::layer::ConfigLayer;
use super::table::{ConfigTable, SchemaKey, TableKind};
use crate::config::complete::context::{ConfigCompletionContext, context_at, word_at};
use crate::diagnostic::{Code, Severity};

/// A completion item in a `chatls.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigItem {
    /// The kind.
    pub kind: ConfigItemKind,
    /// The label in the list.
    pub label: String,
    /// The documentation, as Markdown.
    pub description: String,
    /// The replaced range, on one line.
    pub range: Range<usize>,
    /// The new text.
    pub text: String,
}

/// The kinds of [`ConfigItem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigItemKind {
    /// A key, with its `=`.
    Key,
    /// The header of a table.
    Table,
    /// A value.
    Value,
}

/// The completion items at the byte `at` of the configuration `text`.
pub fn config_items(text: &str, at: usize) -> Vec<ConfigItem> {
    let (mark, text) = text.split_at(len_of_mark(text));
    let Some(at) = at.checked_sub(mark.len()) else { return Vec::new() };
    let mut items = items_before(text, at);
    for item in &mut items {
        item.replace_rest(text, at);
        item.range = item.range.start + mark.len()..item.range.end + mark.len();
    }
    items
}

/// The length of the byte order mark that `text` may begin with.
fn len_of_mark(text: &str) -> usize {
    text.len() - text.trim_start_matches('\u{feff}').len()
}

/// The completion items, whose ranges end at the position.
fn items_before(text: &str, at: usize) -> Vec<ConfigItem> {
    match context_at(text, at) {
        Some(ConfigCompletionContext::Header { range }) => headers(&range),
        Some(ConfigCompletionContext::Key { table, range, set, is_line_start }) => {
            let mut items = keys(&table, &range, &set);
            if table.is_empty() && is_line_start {
                items.extend(headers(&range));
            }
            items
        }
        Some(ConfigCompletionContext::Value { path, range, in_list }) => values(&path, &range, in_list),
        None => Vec::new(),
    }
}

impl ConfigItem {
    /// Extends the range over the rest of the word or string after the byte `at` of `text`, closes
    /// the quotes of a key, and omits the `=` of a key that has one.
    fn replace_rest(&mut self, text: &str, at: usize) {
        let Some(rest) = text.get(at..).map(|rest| rest.lines().next().unwrap_or_default()) else { return };
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let is_header = |c: char| is_word(c) || matches!(c, '.' | ']');
        let typed = text.get(self.range.start..at).unwrap_or_default();
        let quote = ['"', '\''].into_iter().find(|quote| typed.starts_with(*quote));
        // A string that begins at the position is replaced, too.
        let quote = quote.or_else(|| rest.chars().next().filter(|c| typed.is_empty() && "\"'".contains(*c)));
        let opener = usize::from(typed.is_empty() && quote.is_some());
        let closed = quote.and_then(|quote| rest.get(opener..)?.split_once(quote));
        let behind = match self.kind {
            ConfigItemKind::Table => rest.trim_start_matches(is_header),
            ConfigItemKind::Value
                if let Some((inside, behind)) = closed
                    && !inside.contains('#') =>
            {
                behind
            }
            ConfigItemKind::Key | ConfigItemKind::Value => rest.trim_start_matches(is_word),
        };
        let mut behind = behind;
        if self.kind == ConfigItemKind::Key {
            let before = text.get(..self.range.start).and_then(|before| before.chars().next_back());
            if let Some(quote) = before.filter(|c| "\"'".contains(*c)) {
                behind = behind.strip_prefix(quote).unwrap_or(behind);
                self.text.insert(self.label.len(), quote);
            }
            if behind.trim_start().starts_with(['=', '.', '"', '\'']) {
                self.text.truncate(self.text.len() - " = ".len());
            }
        }
        self.range.end = at + rest.len() - behind.len();
    }
}

/// The documentation of the key or value at the byte `at` of the configuration `text`, as Markdown,
/// and the range of the word.
pub fn describe_config(text: &str, at: usize) -> Option<(Range<usize>, String)> {
    let (mark, text) = text.split_at(len_of_mark(text));
    let range = word_at(text, at.checked_sub(mark.len())?)?;
    let path: Vec<&str> = match context_at(text, range.end)? {
        ConfigCompletionContext::Header { range: header } => {
            let written = text.get(header.start..range.end)?.trim_start_matches('[');
            written.split('.').map(str::trim).collect()
        }
        ConfigCompletionContext::Key { mut table, .. } => {
            table.push(text.get(range.clone())?);
            table
        }
        ConfigCompletionContext::Value { path, .. } => path,
    };
    let (name, tables) = path.split_last()?;
    let description = match table_at(tables)? {
        TableKind::Keys(keys) => keys.iter().find(|key| key.name == *name)?.does.to_owned(),
        TableKind::Severities => describe_code(Code::from_name(name)?),
        _ => return None,
    };
    Some((range.start + mark.len()..range.end + mark.len(), description))
}

/// The table at `path`, and of a list its item; `None` if there is no such table.
fn table_at(path: &[&str]) -> Option<TableKind> {
    let mut keys = ConfigLayer::KEYS;
    let mut names = path.iter();
    while let Some(name) = names.next() {
        keys = match (keys.iter().find(|key| key.name == *name)?.table)() {
            TableKind::Keys(inner) | TableKind::List(inner, _) => inner,
            TableKind::Named(inner) if names.next().is_some() => inner,
            TableKind::Severities if names.len() > 0 => return None,
            TableKind::None => return None,
            other => return Some(other),
        };
    }
    Some(TableKind::Keys(keys))
}

/// The headers of all tables.
fn headers(range: &Range<usize>) -> Vec<ConfigItem> {
    let header = |name: &str, key: &SchemaKey| {
        let text = match (key.table)() {
            TableKind::Keys(_) | TableKind::Severities | TableKind::Signature => format!("[{name}]"),
            TableKind::List(..) => format!("[[{name}]]"),
            TableKind::Named(_) => format!("[{name}.NAME]"),
            TableKind::Variables | TableKind::Headers | TableKind::None => return None,
        };
        Some(item(ConfigItemKind::Table, text.clone(), key.does, range, text))
    };
    let headers = ConfigLayer::KEYS.iter().flat_map(|key| {
        let inner = if let TableKind::List(keys, _) = (key.table)() { keys } else { &[] };
        let of_inner = inner.iter().map(|inner| (format!("{}.{}", key.name, inner.name), inner));
        std::iter::once((key.name.to_owned(), key)).chain(of_inner)
    });
    headers.filter_map(|(name, key)| header(&name, key)).collect()
}

/// The keys of the table at `path` that are not in `set`.
fn keys(path: &[&str], range: &Range<usize>, set: &[&str]) -> Vec<ConfigItem> {
    let key = |name: &str, description: &str| {
        item(ConfigItemKind::Key, name.to_owned(), description, range, format!("{name} = "))
    };
    let mut items: Vec<ConfigItem> = match table_at(path) {
        Some(TableKind::Keys(keys)) => {
            let is_plain = |it: &&SchemaKey| match (it.table)() {
                TableKind::Keys(_) | TableKind::List(..) | TableKind::Named(_) => false,
                TableKind::Severities => !path.is_empty(),
                TableKind::Signature | TableKind::Variables | TableKind::Headers | TableKind::None => true,
            };
            keys.iter().filter(is_plain).map(|it| key(it.name, it.does)).collect()
        }
        Some(TableKind::Severities) => {
            Code::ALL.iter().map(|code| key(code.name(), &describe_code(*code))).collect()
        }
        _ => Vec::new(),
    };
    items.retain(|item| !set.contains(&item.label.as_str()));
    items
}

/// The values of the key at `path`.
fn values(path: &[&str], range: &Range<usize>, in_list: bool) -> Vec<ConfigItem> {
    let Some((name, tables)) = path.split_last() else { return Vec::new() };
    let value = |text: String, does: &str| item(ConfigItemKind::Value, text.clone(), does, range, text);
    match table_at(tables) {
        Some(TableKind::Severities) => Code::from_name(name).map_or_else(Vec::new, |code| {
            let does = describe_code(code);
            SEVERITIES.iter().map(|(severity, _)| value(format!("\"{severity}\""), &does)).collect()
        }),
        Some(TableKind::Keys(keys)) => {
            let key = keys.iter().find(|key| key.name == *name);
            let values = |key: &'static SchemaKey| (key.values)(in_list).into_iter().map(|it| (it, key.does));
            key.into_iter().flat_map(values).map(|(text, does)| value(text, does)).collect()
        }
        // Strings in a list are the user's.
        Some(TableKind::Signature) if !in_list => {
            TYPES.iter().map(|(name, does, _)| value(format!("\"{name}\""), does)).collect()
        }
        _ => Vec::new(),
    }
}

fn describe_code(code: Code) -> String {
    let default = code.default_severity().map_or("off", Severity::name);
    format!("{} Default: `{default}`.", code.summary())
}

fn item(
    kind: ConfigItemKind,
    label: String,
    description: &str,
    range: &Range<usize>,
    text: String,
) -> ConfigItem {
    ConfigItem { kind, label, description: description.to_owned(), range: range.clone(), text }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of `marked` without its `|`, and the offset of the `|`.
    fn unmarked(marked: &str) -> (String, usize) {
        (marked.replacen('|', "", 1), marked.find('|').expect("a position"))
    }

    /// Compares `text` with `|` in it after accepting the item `label`.
    #[track_caller]
    fn check(marked: &str, label: &str, expected: &str) {
        let (text, at) = unmarked(marked);
        let items = config_items(&text, at);
        let labels: Vec<_> = items.iter().map(|item| item.label.as_str()).collect();
        let item = items.iter().find(|item| item.label == label).unwrap_or_else(|| panic!("{labels:?}"));
        let mut after = text.clone();
        after.replace_range(item.range.clone(), &item.text);
        assert_eq!(after, expected, "{marked}");
        assert!(item.range.start <= at && at <= item.range.end && !item.description.is_empty());
    }

    /// Compares the labels of the items at `|`.
    #[track_caller]
    fn labels(marked: &str, expected: &[&str]) {
        let (text, at) = unmarked(marked);
        let items = config_items(&text, at);
        assert_eq!(items.iter().map(|item| item.label.as_str()).collect::<Vec<_>>(), expected, "{marked}");
    }

    #[test]
    fn keys_are_completed_in_their_tables() {
        check("|", "protocol", "protocol = ");
        check("pro|", "protocol", "protocol = ");
        check("tools = []\nin|", "include", "tools = []\ninclude = ");
        check("[lint]\nbad-|\n", "bad-state", "[lint]\nbad-state = \n");
        check("lint.bad-|", "bad-state", "lint.bad-state = ");
        check("[[override]]\nlint = { bad-| }", "bad-state", "[[override]]\nlint = { bad-state =  }");
        check("[override.lint]\n|", "secret", "[override.lint]\nsecret = ");
        labels("[fence]\n|", &["languages"]);
        labels("[format]\nindent = 2\n|", &["payload"]);
        labels("[format]\nindent = 2\n[fence]\n|", &["languages"]);
        labels("[unknown]\n|", &[]);
        labels("# |", &[]);
        check("[[dialect]]\nna|", "name", "[[dialect]]\nname = ");
        labels("[dialect.signature]\n|", &[]);
        check("[servers.git]\ncom|", "command", "[servers.git]\ncommand = ");
        check("[run.search]\n|", "input", "[run.search]\ninput = ");
        labels("[servers]\n|", &[]);
        labels("[servers.git.env]\n|", &[]);
    }

    #[test]
    fn text_behind_the_position_is_replaced() {
        check("pro|tocol = \"v4\"\n", "protocol", "protocol = \"v4\"\n");
        check("[[text]]\nfrist| = \"A\"\n", "first", "[[text]]\nfirst = \"A\"\n");
        check("[lint]\nbad-st|ate\n", "bad-state", "[lint]\nbad-state = \n");
        check("[form|at]\n", "[format]", "[format]\n");
        check("[over|ride.lint]\n", "[override.lint]", "[override.lint]\n");
        check("protocol = \"v|4\" # x\n", "\"v6\"", "protocol = \"v6\" # x\n");
        check("[hints]\nbatch = tr|ue\n", "false", "[hints]\nbatch = false\n");
        check("lint = { bad-state = \"o|ff }", "\"off\"", "lint = { bad-state = \"off\" }");
        check("protocol = |\"v4\"", "\"v6\"", "protocol = \"v6\"");
        check("protocol = \"|  # a \"b\"", "\"v6\"", "protocol = \"v6\"  # a \"b\"");
        check("[lint]\nbad|-state.x = 1\n", "bad-state", "[lint]\nbad-state.x = 1\n");
    }

    #[test]
    fn quoted_keys_are_completed_in_their_quotes() {
        check("[lint]\n\"bad-st|\" = \"off\"", "bad-state", "[lint]\n\"bad-state\" = \"off\"");
        check("hints. \"ba|\"", "batch", "hints. \"batch\" = ");
        check("[lint]\n\"bad-st|", "bad-state", "[lint]\n\"bad-state\" = ");
        check("lint = { \"bad-|\" = \"off\" }", "bad-state", "lint = { \"bad-state\" = \"off\" }");
    }

    #[test]
    fn nothing_is_completed_after_a_value() {
        labels("[lint]\nbad-state = \"off\"|", &[]);
        labels("tools = [\"tools.json\"|]", &[]);
        labels("tools = [\"tools.json\"] |", &[]);
        labels("protocol = \"v6\"\nhints = { batch = true } |", &[]);
        check("tools = [\"a\", |]", "\"preset:file-tools\"", "tools = [\"a\", \"preset:file-tools\"]");
    }

    #[test]
    fn a_byte_order_mark_is_kept() {
        check("\u{feff}pro|", "protocol", "\u{feff}protocol = ");
        check("\u{feff}[li|nt]", "[lint]", "\u{feff}[lint]");
        labels("\u{feff}[format]\nindent = 2\npay|", &["payload"]);
        check("\u{feff}format.pay|", "payload", "\u{feff}format.payload = ");
    }

    #[test]
    fn tables_are_completed_by_their_headers() {
        check("|", "[lint]", "[lint]");
        check("tools = []\n[|]\n", "[lint]", "tools = []\n[lint]\n");
        check("[[over|", "[[override]]", "[[override]]");
        check("[ser|", "[servers.NAME]", "[servers.NAME]");
        check("[dia|", "[[dialect]]", "[[dialect]]");
        check("[dia|", "[dialect.signature]", "[dialect.signature]");
        check("[li|", "[lint]", "[lint]");
        check("[|", "[override.lint]", "[override.lint]");
    }

    #[test]
    fn values_are_completed_by_type_of_key() {
        check("protocol = |", "\"v6\"", "protocol = \"v6\"");
        check("protocol = \"v|\"", "\"v6\"", "protocol = \"v6\"");
        check("protocol=v|", "\"v6\"", "protocol=\"v6\"");
        check("[lint]\nbad-state = \"o|", "\"off\"", "[lint]\nbad-state = \"off\"");
        check("lint = { bad-state = | }", "\"off\"", "lint = { bad-state = \"off\" }");
        check("tools = |", "[\"preset:file-tools\"]", "tools = [\"preset:file-tools\"]");
        check(
            "tools = [\"a.json\", \"|\"]",
            "\"preset:file-tools\"",
            "tools = [\"a.json\", \"preset:file-tools\"]",
        );
        check(
            "tools = [\n  \"a.json\",\n  |\n]",
            "\"preset:file-tools\"",
            "tools = [\n  \"a.json\",\n  \"preset:file-tools\"\n]",
        );
        labels("[hints]\nbatch = |", &["true", "false"]);
        labels("[[dialect]]\npart = |", &["\"call\"", "\"result\"", "\"both\""]);
        check("[dialect.signature]\nkind = |", "\"string\"", "[dialect.signature]\nkind = \"string\"");
        check(
            "[[dialect]]\nsignature = { kind = \"o|\" }",
            "\"object\"",
            "[[dialect]]\nsignature = { kind = \"object\" }",
        );
        labels("[dialect.signature]\nkind = [\"|\"]", &[]);
        labels("unknown = |", &[]);
        labels("protocol = \"v6\" # |", &[]);
    }

    #[test]
    fn keys_codes_and_tables_are_described() {
        let check = |marked: &str, word: &str, expected: &str| {
            let (text, at) = unmarked(marked);
            let (range, description) = describe_config(&text, at).expect("a description");
            assert_eq!(&text[range], word, "{marked}");
            assert!(description.contains(expected), "{description}");
        };
        check("proto|col = \"v6\"", "protocol", "AI SDK version");
        check("protocol = \"v|6\"", "v6", "AI SDK version");
        check("[li|nt]\n", "lint", "code");
        check("[[dialect]]\nsigna|ture = {}", "signature", "identify such an object");
        check("[lint]\nbad-|state = \"off\"", "bad-state", "Default: `error`");
        check("lint.|bad-state = \"off\"", "bad-state", "Default: `error`");
        for nothing in ["|", "# pro|tocol", "nonsense| = 1", "[nonsen|se]"] {
            let (text, at) = unmarked(nothing);
            assert_eq!(describe_config(&text, at), None, "{nothing}");
        }
    }
}
