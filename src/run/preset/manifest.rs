//! The tools of `preset:file-tools` that change `package.json`. Nothing is installed.
//!
//! Only the members that a call names are written: the rest of the file keeps its text.

use std::borrow::Cow;

use serde_json::Value;

use super::file_text::FileText;
use super::folder::ToolFolder;
use crate::json::{self, Value as JsonValue, quote};
use crate::json_repair::members::without;

const MANIFEST: &str = "package.json";
const SECTIONS: [&str; 2] = ["dependencies", "devDependencies"];

/// `add_package`: adds packages to the dependencies, or changes their versions. A package stands in
/// one of the two lists only.
pub(super) fn add_package(folder: &ToolFolder, input: &Value) -> Result<String, String> {
    let is_dev = input.get("isDev").and_then(Value::as_bool) == Some(true);
    let [section, other] = if is_dev { [SECTIONS[1], SECTIONS[0]] } else { SECTIONS };
    let version = input.get("version").and_then(Value::as_str).map(str::trim).filter(|it| !it.is_empty());
    let mut manifest = Manifest::read(folder)?;
    let mut added = Vec::new();
    for name in names(input)? {
        // `name@version`, as package managers accept it.
        let (name, own) = match name.get(1..).and_then(|rest| rest.find('@')) {
            Some(at) => (&name[..=at], name.get(at + 2..).filter(|version| !version.is_empty())),
            None => (&*name, None),
        };
        check_name(name)?;
        let version = own.or(version).unwrap_or("latest");
        manifest.remove(other, name)?;
        manifest.set(section, name, version)?;
        added.push(format!("`{name}` {version}"));
    }
    manifest.write(folder)?;
    Ok(format!("added {} to {section}", added.join(", ")))
}

/// `remove_package`: removes packages, from either list unless `isDev` names one.
pub(super) fn remove_package(folder: &ToolFolder, input: &Value) -> Result<String, String> {
    let sections = match input.get("isDev").and_then(Value::as_bool) {
        None => &SECTIONS[..],
        Some(true) => &SECTIONS[1..],
        Some(false) => &SECTIONS[..1],
    };
    let mut manifest = Manifest::read(folder)?;
    let mut removed = Vec::new();
    for name in names(input)? {
        let mut is_removed = false;
        for section in sections {
            is_removed |= manifest.remove(section, &name)?;
        }
        if !is_removed {
            return Err(format!("`{name}` is not in {}", sections.join(" or ")));
        }
        removed.push(format!("`{name}`"));
    }
    manifest.write(folder)?;
    Ok(format!("removed {}", removed.join(", ")))
}

/// The names of `name`: a string or a list.
fn names(input: &Value) -> Result<Vec<String>, String> {
    let names: Vec<String> = match input.get("name") {
        Some(Value::String(name)) => vec![name.clone()],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    if names.is_empty() { Err("`name` has no package".to_owned()) } else { Ok(names) }
}

/// Checks the name of a package (npm: URL-safe characters, with one scope at most).
fn check_name(name: &str) -> Result<(), String> {
    let is_part = |part: &str| {
        let is_safe = |c: char| c.is_ascii_alphanumeric() || "-._~".contains(c);
        !part.is_empty() && !part.starts_with(['.', '_']) && part.chars().all(is_safe)
    };
    let is_name = match name.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(scope, name)| is_part(scope) && is_part(name)),
        None => is_part(name),
    };
    if is_name && name.len() <= 214 { Ok(()) } else { Err(format!("`{name}` is not the name of a package")) }
}

/// A `package.json` and its changed text.
struct Manifest {
    file: FileText,
    text: String,
}

impl Manifest {
    fn read(folder: &ToolFolder) -> Result<Self, String> {
        let file = folder.read(MANIFEST)?;
        let text = file.shown().to_owned();
        let json = json::parse(&text);
        let is_object = json.root(&text).is_some_and(JsonValue::is_object);
        if !is_object || !json.errors.is_empty() || json.extra(&text).is_some() {
            return Err(format!("`{MANIFEST}` is not a valid JSON object"));
        }
        Ok(Self { file, text })
    }

    fn write(&self, folder: &ToolFolder) -> Result<(), String> {
        if self.text == self.file.shown() {
            return Ok(());
        }
        folder.write(MANIFEST, &self.file.replaced(&(0..self.file.shown().len()), &self.text))
    }

    /// Sets the version of the package `name` in `section`, which is added if it is missing. New
    /// packages are sorted in if the others are sorted.
    fn set(&mut self, section: &str, name: &str, version: &str) -> Result<(), String> {
        let json = json::parse(&self.text);
        let Some(root) = json.root(&self.text) else { return Ok(()) };
        let first = root.entries().next();
        let outer = first.map_or("\n  ", |(key, _)| self.lead(key));
        let colon = first.and_then(|(key, value)| self.text.get(end(key)..start(value))).unwrap_or(": ");
        let member = format!("{}{colon}{}", quote(name), quote(version));
        let list_of_one = format!("{{{}{member}{outer}}}", deeper(outer));
        let (range, written) = match section_of(root, section)? {
            Some(list) => {
                let is_sorted = list.entries().map(|(key, _)| name_of(key)).is_sorted();
                let next = list.entries().find(|(key, _)| is_sorted && *name_of(*key) > *name);
                match (list.get(name), next, list.entries().last()) {
                    (Some(known), ..) => (known.span().range(), quote(version)),
                    (None, Some((next, _)), _) => {
                        (start(next)..start(next), format!("{member},{}", self.lead(next)))
                    }
                    (None, None, Some((last, value))) => {
                        (end(value)..end(value), format!(",{}{member}", self.lead(last)))
                    }
                    (None, None, None) => (list.span().range(), list_of_one),
                }
            }
            None => {
                let added = format!("{outer}{}{colon}{list_of_one}", quote(section));
                let sibling = root.entries().find(|(key, _)| SECTIONS.contains(&&*name_of(*key)));
                match sibling.or_else(|| root.entries().last()) {
                    Some((_, before)) => (end(before)..end(before), format!(",{added}")),
                    None => (root.span().range(), format!("{{{added}\n}}")),
                }
            }
        };
        self.text.replace_range(range, &written);
        Ok(())
    }

    /// Removes the package `name` from `section`; false if it is not there.
    fn remove(&mut self, section: &str, name: &str) -> Result<bool, String> {
        let json = json::parse(&self.text);
        let Some(root) = json.root(&self.text) else { return Ok(false) };
        let Some(list) = section_of(root, section)? else { return Ok(false) };
        let Some((key, _)) = list.entries().find(|(key, _)| name_of(*key) == name) else { return Ok(false) };
        let range = match list.entries().nth(1) {
            Some(_) => without(list, key).range(),
            None => start(list) + 1..end(list) - 1,
        };
        self.text.replace_range(range, "");
        Ok(true)
    }

    /// The white space before a value of the text.
    fn lead(&self, value: JsonValue<'_>) -> &str {
        let before = self.text.get(..start(value)).unwrap_or_default();
        before.get(before.trim_end().len()..).unwrap_or_default()
    }
}

/// The member `name` of `root`.
fn section_of<'t>(root: JsonValue<'t>, name: &str) -> Result<Option<JsonValue<'t>>, String> {
    match root.get(name) {
        Some(section) if !section.is_object() => Err(format!("`{name}` in `{MANIFEST}` is not an object")),
        section => Ok(section),
    }
}

fn name_of(key: JsonValue<'_>) -> Cow<'_, str> {
    key.as_str().unwrap_or_default()
}

fn start(value: JsonValue<'_>) -> usize {
    value.span().range().start
}

fn end(value: JsonValue<'_>) -> usize {
    value.span().range().end
}

/// The white space one level deeper than `lead`, which is the white space of the first level.
fn deeper(lead: &str) -> String {
    let unit = lead.rsplit('\n').next().unwrap_or_default();
    if lead.contains('\n') { format!("{lead}{unit}") } else { lead.to_owned() }
}
