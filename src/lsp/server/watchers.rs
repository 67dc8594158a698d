//! The files that the client watches: `chatls.toml`, transcripts if the workspace is pulled, and
//! the registries in use.
//!
//! Registries are registered by name once a configuration names them; other JSON files count where
//! the workspace has a configuration. Registries outside of the folders are polled instead
//! (`notifications::poll_config_files`).

use std::collections::BTreeSet;
use std::path::Path;

use lsp_types::request::{RegisterCapability, Request as _, UnregisterCapability};
use lsp_types::{
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, Registration, Unregistration,
};
use serde_json::json;

use crate::config::FILE_NAME;
use crate::lsp::server::LoopContext;
use crate::lsp::state::ServerState;

const METHOD: &str = "workspace/didChangeWatchedFiles";

/// The registration at the start.
pub fn registration(state: &ServerState) -> Registration {
    let mut globs = vec!["**/chatls.toml"];
    if state.client.diagnostics.pulls_workspace {
        globs.push("**/*.{md,markdown,org,jsonl,ndjson,sse,json}");
    }
    of_globs(METHOD.to_owned(), globs.into_iter().map(str::to_owned))
}

/// Registers the registries in use, if they have changed. Nothing waits for the client's response.
pub fn update(state: &mut ServerState, context: &LoopContext) {
    let Some(client) = state.lsp_client.clone().filter(|_| state.client.watches_files) else { return };
    let folders: Vec<_> = state.folders.iter().filter_map(|folder| folder.to_file_path().ok()).collect();
    let globs: BTreeSet<String> =
        state.files.keys().filter_map(|path| glob(path, folders.iter().map(AsRef::as_ref))).collect();
    let watched = &mut state.watched;
    if globs == watched.globs {
        return;
    }
    let old = (watched.registration > 0 && !watched.globs.is_empty()).then(|| id(watched.registration));
    watched.registration += 1;
    watched.globs = globs;
    let new = (!watched.globs.is_empty())
        .then(|| of_globs(id(watched.registration), watched.globs.iter().cloned()));
    context.runtime.spawn(async move {
        if let Some(new) = new
            && let Err(error) =
                client.send::<()>(RegisterCapability::METHOD, json!({"registrations": [new]})).await
        {
            tracing::warn!(%error, "the client rejected a registration");
        }
        if let Some(id) = old {
            let old = Unregistration { id, method: METHOD.to_owned() };
            let params = json!({"unregisterations": [old]});
            if let Err(error) = client.send::<()>(UnregisterCapability::METHOD, params).await {
                tracing::warn!(%error, "the client rejected an unregistration");
            }
        }
    });
}

fn id(number: usize) -> String {
    format!("{METHOD}/registries-{number}")
}

fn of_globs(id: String, globs: impl Iterator<Item = String>) -> Registration {
    let watcher = |glob| FileSystemWatcher { glob_pattern: GlobPattern::String(glob), kind: None };
    let options = DidChangeWatchedFilesRegistrationOptions { watchers: globs.map(watcher).collect() };
    Registration { id, method: METHOD.to_owned(), register_options: Some(json!(options)) }
}

/// The glob of a registry below one of the `folders`.
fn glob<'p>(path: &Path, mut folders: impl Iterator<Item = &'p Path>) -> Option<String> {
    if path.file_name().is_some_and(|name| name == FILE_NAME) {
        return None;
    }
    let inner = folders.find_map(|folder| path.strip_prefix(folder).ok())?;
    let name = inner.to_str()?;
    // No escapes in globs are supported by all clients; `?` is any character.
    let name: String = name
        .chars()
        .map(|c| if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | ',' | '!') { '?' } else { c })
        .collect();
    Some(format!("**/{}", name.replace('\\', "/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registries_of_the_workspace_are_watched_by_name() {
        let check = |path: &str, expected: Option<&str>| {
            let folders = [Path::new("/w"), Path::new("/other")];
            assert_eq!(glob(Path::new(path), folders.into_iter()).as_deref(), expected, "{path}");
        };
        check("/w/tools/a.json", Some("**/tools/a.json"));
        check("/other/a [1].json", Some("**/a ?1?.json"));
        check("/elsewhere/a.json", None);
        check("/w/sub/chatls.toml", None);
    }
}
