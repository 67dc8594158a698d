//! The servers in the files of other MCP clients, which a project may have already.
//!
//! Sources: "Connect Claude Code to tools via MCP" (`.mcp.json`, with `mcpServers`) and "MCP
//! configuration reference" of VS Code (`.vscode/mcp.json`, with `servers` and `inputs`).

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value};

use super::run_settings::{LONGEST_NAME, check_header, check_name, check_url, check_variable};
use super::template::Template;
use super::{AddressSettings, CommandSettings, RunSettings, ServerSettings, ServerStart, UnusableServer};
use crate::registry::comments;
use crate::text::cut;
use crate::text::visible::visible;

/// The files, relative to a project, and their members with the servers by name. If two files have
/// a server of the same name, the earlier file counts.
pub(super) const CLIENT_FILES: [(&str, &str); 2] =
    [(".mcp.json", "mcpServers"), (".vscode/mcp.json", "servers")];

/// Adds the servers of `text`, under `member`, to `run`, except those with names that `run` already
/// has. `file` contains the text, and `folder` is its project.
pub(super) fn add_servers(run: &mut RunSettings, text: &str, member: &str, file: &Path, folder: &Path) {
    let mut unusable = |name: Option<&str>, reason: String| {
        run.unusable.push(UnusableServer { name: name.map(str::to_owned), file: file.to_owned(), reason });
    };
    let text = text.trim_start_matches('\u{feff}');
    let value =
        match serde_json::from_str::<Value>(&comments::blanked(text).unwrap_or_else(|| text.to_owned())) {
            Ok(value) => value,
            Err(error) => return unusable(None, format!("this is not JSON: line {}", error.line())),
        };
    let servers = match &value[member] {
        Value::Null => return,
        Value::Object(servers) => servers,
        _ => return unusable(None, format!("`{member}` is not an object")),
    };
    for (name, server) in servers {
        if run.servers.contains_key(name) {
            continue;
        }
        match check_name(name).and_then(|()| start(server, folder)) {
            Ok(start) => {
                let server =
                    ServerSettings { name: name.clone(), file: file.to_owned(), start, listing: None };
                run.servers.insert(name.clone(), server);
            }
            Err(reason) => {
                let name = visible(&cut(name, LONGEST_NAME)).into_owned();
                run.unusable.push(UnusableServer { name: Some(name), file: file.to_owned(), reason });
            }
        }
    }
}

/// The start of the server that `value` describes.
fn start(value: &Value, folder: &Path) -> Result<ServerStart, String> {
    let server = value.as_object().ok_or("it is not an object")?;
    for (member, reason) in [
        ("envFile", "its variables are in a file, which chatls does not read"),
        ("headersHelper", "its headers come from a program, which chatls does not run"),
    ] {
        if server.contains_key(member) {
            return Err(reason.to_owned());
        }
    }
    let transport = server.get("type").and_then(Value::as_str);
    match (transport, server.get("command"), server.get("url")) {
        (None | Some("stdio"), Some(Value::String(program)), _) => command(program, server, folder),
        (None | Some("http" | "streamable-http" | "streamableHttp"), None, Some(Value::String(url))) => {
            check_url(url)?;
            let headers = values(server, "headers", folder)?;
            headers.keys().try_for_each(|name| check_header(name))?;
            let folder = folder.to_owned();
            Ok(ServerStart::Address(AddressSettings { url: url.clone(), headers, folder }))
        }
        (Some(transport), None, Some(_)) => {
            Err(format!("its transport is `{transport}`, and chatls speaks streamable HTTP (`http`)"))
        }
        _ => Err("it has neither a `command` nor a `url`".to_owned()),
    }
}

fn command(program: &str, server: &Map<String, Value>, folder: &Path) -> Result<ServerStart, String> {
    let program = Template::parse(program, folder)?;
    let program = program.as_text().ok_or("its `command` refers to a variable")?.to_owned();
    let arguments = match server.get("args") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(arguments)) => {
            let one = |argument: &Value| match argument {
                Value::String(text) => Template::parse(text, folder),
                _ => Err("an argument is not a string".to_owned()),
            };
            arguments.iter().map(one).collect::<Result<_, _>>()?
        }
        Some(_) => return Err("its `args` are not a list".to_owned()),
    };
    let variables = values(server, "env", folder)?;
    variables.iter().try_for_each(|(name, value)| check_variable(name, value))?;
    let base = folder.to_owned();
    let folder = match server.get("cwd") {
        None | Some(Value::Null) => folder.to_owned(),
        Some(Value::String(cwd)) => {
            let cwd = Template::parse(cwd, folder)?;
            super::clean(&folder.join(cwd.as_text().ok_or("its `cwd` refers to a variable")?))
        }
        Some(_) => return Err("its `cwd` is not a string".to_owned()),
    };
    Ok(ServerStart::Command(CommandSettings { program, arguments, variables, folder, base }))
}

/// The strings by name in `member` of a server; VS Code also accepts numbers and `null`, which
/// unsets a variable.
fn values(
    server: &Map<String, Value>,
    member: &str,
    folder: &Path,
) -> Result<BTreeMap<String, Template>, String> {
    let values = match server.get(member) {
        None | Some(Value::Null) => return Ok(BTreeMap::new()),
        Some(Value::Object(values)) => values,
        Some(_) => return Err(format!("its `{member}` is not an object")),
    };
    let mut read = BTreeMap::new();
    for (name, value) in values {
        let text = match value {
            Value::Null => continue,
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return Err(format!("`{member}.{name}` is not a string")),
        };
        read.insert(name.clone(), Template::parse(&text, folder)?);
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The servers and the unusable ones of `text`, a line each.
    fn read(text: &str, member: &str) -> Vec<String> {
        let mut run = RunSettings::default();
        add_servers(&mut run, text, member, Path::new("/w/f.json"), Path::new("/w"));
        let of = |values: &BTreeMap<String, Template>| {
            values.iter().map(|(name, value)| format!(" {name}={value}")).collect::<String>()
        };
        let servers = run.servers.values().map(|server| match &server.start {
            ServerStart::Command(it) => {
                let arguments: String = it.arguments.iter().map(|argument| format!(" {argument}")).collect();
                format!(
                    "{}: {}{arguments}{} in {}",
                    server.name,
                    it.program,
                    of(&it.variables),
                    it.folder.display()
                )
            }
            ServerStart::Address(it) => format!("{}: {}{}", server.name, it.url, of(&it.headers)),
        });
        let unusable = run.unusable.iter().map(|it| format!("{:?}: {}", it.name, it.reason));
        servers.chain(unusable).collect()
    }

    #[test]
    fn servers_of_claude_code_are_read() {
        let text = r#"{"mcpServers": {
            "a": {"command": "npx", "args": ["-y", "pkg", "${DIR:-/tmp}"], "env": {"TOKEN": "${TOKEN}"}},
            "b": {"type": "http", "url": "https://example.com/mcp", "headers": {"X-Key": "${KEY}"}},
            "c": {"type": "sse", "url": "https://example.com/sse"},
            "d": {"command": "x", "env": {"LD_PRELOAD": "y"}}, "e": 3, "f\n`g": {"command": "x"}}}"#;
        let found = read(text, "mcpServers");
        assert_eq!(found[0], "a: npx -y pkg ${env:DIR:-/tmp} TOKEN=${env:TOKEN} in /w");
        assert_eq!(found[1], "b: https://example.com/mcp X-Key=${env:KEY}");
        assert!(found[2].contains("streamable HTTP") && found[3].contains("other code"), "{found:?}");
        assert!(found[5].contains("is not a name") && !found[5].contains('\n'), "{found:?}");
        assert_eq!(found.len(), 6);
    }

    #[test]
    fn servers_of_vs_code_are_read() {
        let text = r#"{ // comment
            "inputs": [{"id": "key", "type": "promptString"}],
            "servers": {"a": {"command": "${workspaceFolder}/run", "cwd": "sub", "env": {"N": 1, "U": null}},
            "b": {"type": "http", "url": "https://example.com", "headers": {"K": "${input:key}"}},
            "c": {"command": "x", "envFile": ".env"}}}"#;
        let found = read(text, "servers");
        assert_eq!(found[0].replace('\\', "/"), "a: /w/run N=1 in /w/sub");
        assert!(found[1].contains("chatls cannot answer it") && found[2].contains("in a file"), "{found:?}");
    }

    #[test]
    fn broken_files_have_no_servers() {
        assert_eq!(read("{", "servers"), ["None: this is not JSON: line 1"]);
        assert_eq!(read("{\"servers\": []}", "servers"), ["None: `servers` is not an object"]);
        assert_eq!(read("{}", "servers"), [""; 0]);
    }
}
