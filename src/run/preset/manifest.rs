//! The tools of `preset:file-tools` that change `package.json`. Nothing is installed.
//!
//! Only the members that a call names are written: the rest of the file keeps its text.

use std::ops::Range;

use serde_json::Value;

use super::file_text::FileText;
use super::folder::ToolFolder;
use crate::json::{self, Value as JsonValue, quote};

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

/// The place of an object in the text.
#[derive(Default)]
struct ObjectPlace {
    range: Range<usize>,
    members: Vec<MemberPlace>,
}

/// The place of a member in the text.
struct MemberPlace {
    name: String,
    key: Range<usize>,
    value: Range<usize>,
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
        let root = self.root();
        let outer = root.members.first().map_or("\n  ", |first| self.lead(first.key.start)).to_owned();
        let colon = self.colon(&root).to_owned();
        let member = format!("{}{colon}{}", quote(name), quote(version));
        let list_of_one = format!("{{{}{member}{outer}}}", deeper(&outer));
        let Some(list) = self.section(&root, section)? else {
            let added = format!("{outer}{}{colon}{list_of_one}", quote(section));
            let sibling = root.members.iter().find(|member| SECTIONS.contains(&&*member.name));
            match sibling.or(root.members.last()) {
                Some(before) => self.text.insert_str(before.value.end, &format!(",{added}")),
                None => self.text.replace_range(root.range, &format!("{{{added}\n}}")),
            }
            return Ok(());
        };
        let is_sorted = list.members.is_sorted_by(|one, other| one.name <= other.name);
        let next = list.members.iter().find(|member| is_sorted && *member.name > *name);
        if let Some(known) = list.members.iter().rfind(|member| member.name == name) {
            self.text.replace_range(known.value.clone(), &quote(version));
        } else if let Some(next) = next {
            let between = self.lead(next.key.start).to_owned();
            self.text.insert_str(next.key.start, &format!("{member},{between}"));
        } else if let Some(last) = list.members.last() {
            let between = self.lead(last.key.start).to_owned();
            self.text.insert_str(last.value.end, &format!(",{between}{member}"));
        } else {
            self.text.replace_range(list.range, &list_of_one);
        }
        Ok(())
    }

    /// Removes the package `name` from `section`; false if it is not there.
    fn remove(&mut self, section: &str, name: &str) -> Result<bool, String> {
        let Some(list) = self.section(&self.root(), section)? else { return Ok(false) };
        let Some(at) = list.members.iter().position(|member| member.name == name) else { return Ok(false) };
        let neighbour = |at: Option<usize>| at.and_then(|at| list.members.get(at));
        let range = match (neighbour(Some(at)), neighbour(Some(at + 1)), neighbour(at.checked_sub(1))) {
            (Some(own), Some(next), _) => own.key.start..next.key.start,
            (Some(own), None, Some(before)) => before.value.end..own.value.end,
            _ => list.range.start + 1..list.range.end - 1,
        };
        self.text.replace_range(range, "");
        Ok(true)
    }

    fn root(&self) -> ObjectPlace {
        let json = json::parse(&self.text);
        json.root(&self.text).map(place_of).unwrap_or_default()
    }

    fn section(&self, root: &ObjectPlace, name: &str) -> Result<Option<ObjectPlace>, String> {
        let Some(member) = root.members.iter().rfind(|member| member.name == name) else { return Ok(None) };
        let json = json::parse(&self.text);
        let value = json.root(&self.text).and_then(|root| {
            root.entries().map(|(_, value)| value).find(|value| value.span().range() == member.value)
        });
        match value.filter(|value| value.is_object()) {
            Some(value) => Ok(Some(place_of(value))),
            None => Err(format!("`{name}` in `{MANIFEST}` is not an object")),
        }
    }

    /// The white space before the byte `at`.
    fn lead(&self, at: usize) -> &str {
        let before = self.text.get(..at).unwrap_or_default();
        before.get(before.trim_end().len()..).unwrap_or_default()
    }

    /// The text between a key and its value.
    fn colon(&self, root: &ObjectPlace) -> &str {
        let first = root.members.first().and_then(|first| self.text.get(first.key.end..first.value.start));
        first.unwrap_or(": ")
    }
}

fn place_of(object: JsonValue<'_>) -> ObjectPlace {
    let members = object.entries().map(|(key, value)| MemberPlace {
        name: key.as_str().unwrap_or_default().into_owned(),
        key: key.span().range(),
        value: value.span().range(),
    });
    ObjectPlace { range: object.span().range(), members: members.collect() }
}

/// The white space one level deeper than `lead`, which is the white space of the first level.
fn deeper(lead: &str) -> String {
    let unit = lead.rsplit('\n').next().unwrap_or_default();
    if lead.contains('\n') { format!("{lead}{unit}") } else { lead.to_owned() }
}
