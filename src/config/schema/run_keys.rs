//! The keys of servers and programs, and of comparisons of their results.

use std::sync::Arc;

use super::{SchemaKey, key};
use crate::config::keys::KeyReader;
use crate::config::values::{Strings, TableKind, Tables, Text};
use crate::config::{CompareRules, RedactSettings};

/// The keys of each server.
pub(in crate::config) const SERVER_KEYS: &[SchemaKey] = &[
    key(
        "command",
        &Strings::layer(&["npx"], |layer| &mut layer.server.command).read(KeyReader::command),
        "The program that is the server, over its standard streams: a name in `PATH`, or a path relative to this file. A text is the program alone, a list begins with it.",
    ),
    key(
        "args",
        &Strings::layer(&["-y", "@modelcontextprotocol/server-everything"], |layer| {
            &mut layer.server.arguments
        }),
        "The arguments of the program, behind those in `command`. `${env:NAME}` is the value of a variable of yours.",
    ),
    key(
        "env",
        &Tables::new(TableKind::Variables, |reader, entry, layer| {
            layer.server.variables = reader.variables(entry)
        }),
        "The variables of the program: a list of names of yours that are passed on, or values by name. `${env:NAME}` in a value is the value of a variable of yours.",
    ),
    key(
        "url",
        &Text::new("an address", "http://127.0.0.1:3001/mcp", |layer| &mut layer.server.url),
        "The address of the server, if it is not a program (MCP: streamable HTTP).",
    ),
    key(
        "headers",
        &Tables::new(TableKind::Headers, |reader, entry, layer| layer.server.headers = reader.headers(entry)),
        "The HTTP headers of requests to the address, by name. `${env:NAME}` is the value of a variable of yours.",
    ),
    key(
        "listing",
        &Text::new("the path of a file", "tools/everything.json", |layer| &mut layer.server.listing),
        "The file with the tools of the server, relative to this file, which `chatls tools pull` writes. Without it, they are kept outside of the workspace.",
    ),
];

/// The keys of each program.
pub(in crate::config) const PROGRAM_KEYS: &[SchemaKey] = &[
    key(
        "command",
        &Strings::layer(&["./tools/search.py", "--json"], |layer| &mut layer.program.command)
            .read(KeyReader::command),
        "The program and its arguments; a text is the program alone. It gets the input as JSON on stdin, and writes JSON or text to stdout.",
    ),
    key(
        "env",
        &Tables::new(TableKind::Variables, |reader, entry, layer| {
            layer.program.variables = reader.variables(entry)
        }),
        "The variables of the program, as those of a server.",
    ),
    key(
        "description",
        &Text::new("a text", "Searches the documentation.", |layer| &mut layer.program.description),
        "The description of the tool.",
    ),
    key(
        "input",
        &Text::new("the path of a file", "tools/search.schema.json", |layer| &mut layer.program.input),
        "The file with the JSON Schema of the input, relative to this file.",
    ),
];

/// The keys of `redact`.
pub(in crate::config) const REDACT_KEYS: &[SchemaKey] = &[
    key(
        "patterns",
        &Strings::settings(&["ACME-[0-9]+"], |it| &mut Arc::make_mut(&mut it.redact).patterns)
            .reporting(|it| RedactSettings::pattern(it).map(drop)),
        "Regular expressions of what is replaced, too.",
    ),
    key(
        "keep",
        &Strings::settings(&["support@acme.com"], |it| &mut Arc::make_mut(&mut it.redact).keep),
        "Names, addresses and matches of patterns that stay as they are.",
    ),
];

/// The keys of `compare`.
pub(in crate::config) const COMPARE_KEYS: &[SchemaKey] = &[
    key(
        "ignore",
        &Strings::settings(&["$..time", "search:$.took"], |it| &mut Arc::make_mut(&mut it.compare).ignored)
            .reporting(|it| CompareRules::default().ignore(it)),
        "The values that may differ: JSONPaths, also as `TOOL:PATH`.",
    ),
    key(
        "match",
        &Strings::settings(&["$.id=/^[0-9a-f]{8}$/", "$.size=integer"], |it| {
            &mut Arc::make_mut(&mut it.compare).accepted
        })
        .reporting(|it| CompareRules::default().accept(it)),
        "The values that only need to match: `PATH=TYPE` or `PATH=/REGEX/`, with a JSONPath.",
    ),
    key(
        "mask",
        &Strings::settings(&["[0-9]+ ms"], |it| &mut Arc::make_mut(&mut it.compare).masks)
            .reporting(|it| CompareRules::default().mask(it)),
        "Regular expressions of what may differ in texts.",
    ),
];
