//! The keys of servers and programs, and of comparisons of their results.

use super::{KeyType, SchemaKey, key};
use crate::config::CompareRules;

/// The keys of each server.
pub(in crate::config) const SERVER_KEYS: &[SchemaKey] = &[
    key(
        "command",
        KeyType::Strings { examples: &["npx"] },
        |reader, entry, layer| layer.server.command = reader.command(entry),
        "The program that is the server, over its standard streams: a name in `PATH`, or a path relative to this file. A text is the program alone, a list begins with it.",
    ),
    key(
        "args",
        KeyType::Strings { examples: &["-y", "@modelcontextprotocol/server-everything"] },
        |reader, entry, layer| layer.server.arguments = reader.strings(entry),
        "The arguments of the program, behind those in `command`. `${env:NAME}` is the value of a variable of yours.",
    ),
    key(
        "env",
        KeyType::Variables,
        |reader, entry, layer| layer.server.variables = reader.variables(entry),
        "The variables of the program: a list of names of yours that are passed on, or values by name. `${env:NAME}` in a value is the value of a variable of yours.",
    ),
    key(
        "url",
        KeyType::Text { example: "http://127.0.0.1:3001/mcp" },
        |reader, entry, layer| layer.server.url = reader.text(entry, "an address"),
        "The address of the server, if it is not a program (MCP: streamable HTTP).",
    ),
    key(
        "headers",
        KeyType::Headers,
        |reader, entry, layer| layer.server.headers = reader.headers(entry),
        "The HTTP headers of requests to the address, by name. `${env:NAME}` is the value of a variable of yours.",
    ),
    key(
        "listing",
        KeyType::Text { example: "tools/everything.json" },
        |reader, entry, layer| layer.server.listing = reader.text(entry, "the path of a file"),
        "The file with the tools of the server, relative to this file, which `chatls tools pull` writes. Without it, they are kept outside of the workspace.",
    ),
];

/// The keys of each program.
pub(in crate::config) const PROGRAM_KEYS: &[SchemaKey] = &[
    key(
        "command",
        KeyType::Strings { examples: &["./tools/search.py", "--json"] },
        |reader, entry, layer| layer.program.command = reader.command(entry),
        "The program and its arguments; a text is the program alone. It gets the input as JSON on stdin, and writes JSON or text to stdout.",
    ),
    key(
        "env",
        KeyType::Variables,
        |reader, entry, layer| layer.program.variables = reader.variables(entry),
        "The variables of the program, as those of a server.",
    ),
    key(
        "description",
        KeyType::Text { example: "Searches the documentation." },
        |reader, entry, layer| layer.program.description = reader.text(entry, "a text"),
        "The description of the tool.",
    ),
    key(
        "input",
        KeyType::Text { example: "tools/search.schema.json" },
        |reader, entry, layer| layer.program.input = reader.text(entry, "the path of a file"),
        "The file with the JSON Schema of the input, relative to this file.",
    ),
];

/// The keys of `redact`.
pub(in crate::config) const REDACT_KEYS: &[SchemaKey] = &[
    key(
        "patterns",
        KeyType::Strings { examples: &["ACME-[0-9]+"] },
        |reader, entry, layer| layer.redact.patterns = reader.patterns(entry),
        "Regular expressions of what is replaced, too.",
    ),
    key(
        "keep",
        KeyType::Strings { examples: &["support@acme.com"] },
        |reader, entry, layer| layer.redact.keep = reader.strings(entry),
        "Names, addresses and matches of patterns that stay as they are.",
    ),
];

/// The keys of `compare`.
pub(in crate::config) const COMPARE_KEYS: &[SchemaKey] = &[
    key(
        "ignore",
        KeyType::Strings { examples: &["$..time", "search:$.took"] },
        |reader, entry, layer| layer.compare.ignored = reader.rules(entry, CompareRules::ignore),
        "The values that may differ: JSONPaths, also as `TOOL:PATH`.",
    ),
    key(
        "match",
        KeyType::Strings { examples: &["$.id=/^[0-9a-f]{8}$/", "$.size=integer"] },
        |reader, entry, layer| layer.compare.accepted = reader.rules(entry, CompareRules::accept),
        "The values that only need to match: `PATH=TYPE` or `PATH=/REGEX/`, with a JSONPath.",
    ),
    key(
        "mask",
        KeyType::Strings { examples: &["[0-9]+ ms"] },
        |reader, entry, layer| layer.compare.masks = reader.rules(entry, CompareRules::mask),
        "Regular expressions of what may differ in texts.",
    ),
];
