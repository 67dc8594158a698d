//! Documentation of tools, of their parameters by their schemas, and of strings as readers decode
//! them.

use crate::config::Settings;
use crate::nearest::did_you_mean;
use crate::never::OrNever;
use crate::prose::{RichText, byte_size, code_span};
use crate::registry::Tool;
use crate::schema::wording::shown;
use crate::schema::{Parameter, ValueDescription, ValueStep, about, parameters};

/// Maximum number of shown lines of a string, and of shown characters.
const LINES: usize = 60;
const CHARS: usize = 6000;
/// Maximum number of listed values.
const VALUES: usize = 30;

/// The tool `name`: its description, parameters and source.
pub fn tool(settings: &Settings, name: &str) -> RichText {
    let registry = &settings.registry;
    let Some(tool) = registry.tools.get(name) else {
        let said = match registry.configured {
            false => "No tools are known: add registries to `tools` in `chatls.toml`.".to_owned(),
            true => format!("No registry has it{}", did_you_mean(&registry.nearest(name))),
        };
        let unasked = registry.unasked.iter().map(|server| code_span(server)).collect::<Vec<_>>().join(", ");
        let said = match unasked.as_str() {
            "" => said,
            _ => format!("{said} (servers not asked for their tools: {unasked})"),
        };
        return RichText::default().title(name, "a tool").text(said);
    };
    let from = format!("a tool, from {}", code_span(&tool.source));
    let known = tool.input_schema.as_ref().map(|schema| parameters(schema, &[])).unwrap_or_default();
    RichText::default()
        .title(name, &from)
        .text(tool.description.as_deref().unwrap_or_default())
        .table(&["Parameter", "Type", "Required", "Description"], known.iter().map(row).collect())
}

/// A string, decoded.
pub fn decoded(text: &str) -> RichText {
    if text.is_empty() {
        return RichText::default();
    }
    let lines = text.split_inclusive('\n').take(LINES).map(str::len).sum::<usize>();
    let chars = text.char_indices().nth(CHARS).map_or(text.len(), |(at, _)| at);
    let end = lines.min(chars);
    let prose = RichText::default().code("", text.get(..end).or_never());
    if end < text.len() { prose.text(format!("… ({} in all)", byte_size(text.len()))) } else { prose }
}

/// The documentation of the value at `path` of the input of `tool`, or of its output.
pub fn value(tool: &Tool, is_output: bool, path: &[ValueStep]) -> RichText {
    // The word replaces the type if the schema has none.
    let (schema, what) = match is_output {
        true => (&tool.output_schema, "member"),
        false => (&tool.input_schema, "parameter"),
    };
    let (Some(schema), Some((last, above))) = (schema, path.split_last()) else {
        return RichText::default();
    };
    let said = about(schema, path);
    let (name, is_required) = match last {
        ValueStep::Index(index) => (format!("[{index}]"), false),
        ValueStep::Key(name) => {
            let siblings = parameters(schema, above);
            let known = siblings.iter().find(|sibling| sibling.name == name);
            if known.is_none() && said == ValueDescription::default() {
                return RichText::default();
            }
            (name.clone(), known.is_some_and(|known| known.is_required))
        }
    };
    let words = [types(&said), if is_required { "required".to_owned() } else { String::new() }];
    let words: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let detail = if words.is_empty() { format!("a {what}") } else { words.join(", ") };
    RichText::default().title(&name, &detail).then(self::value_description(&said))
}

/// The documentation of a value except its type.
pub fn value_description(about: &ValueDescription<'_>) -> RichText {
    RichText::default().text(about.description.unwrap_or_default()).text(particulars(about).join(" "))
}

fn row(parameter: &Parameter<'_>) -> Vec<String> {
    let about = &parameter.about;
    let required = if parameter.is_required { "yes" } else { "" };
    let description = about.description.map(str::to_owned).into_iter().chain(particulars(about));
    vec![
        code_span(parameter.name),
        types(about),
        required.to_owned(),
        description.collect::<Vec<_>>().join(" "),
    ]
}

/// The types of a value, as Markdown.
fn types(about: &ValueDescription<'_>) -> String {
    let types = about.types.iter().map(|name| code_span(name));
    let types = types.collect::<Vec<_>>().join(" or ");
    match about.format {
        Some(format) => format!("{types} ({})", code_span(format)).trim_start().to_owned(),
        None => types,
    }
}

/// Further properties of a value, a few words each.
fn particulars(about: &ValueDescription<'_>) -> Vec<String> {
    let list = |values: &[&serde_json::Value]| {
        let more = if values.len() > VALUES { ", …" } else { "" };
        let values = values.iter().take(VALUES).map(|value| shown(value));
        values.collect::<Vec<_>>().join(", ") + more
    };
    let deprecated = about.is_deprecated.then(|| "Deprecated.".to_owned());
    let values = (!about.values.is_empty()).then(|| format!("One of: {}.", list(&about.values)));
    let default = about.default.map(|default| format!("Default: {}.", shown(default)));
    let examples = (!about.examples.is_empty()).then(|| format!("Examples: {}.", list(&about.examples)));
    [deprecated, values, default, examples].into_iter().flatten().collect()
}
