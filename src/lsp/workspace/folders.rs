//! The folders of the workspace.

use lsp_types::{Url, WorkspaceFoldersChangeEvent};

/// The folders after `event`.
pub fn changed(folders: &[Url], event: WorkspaceFoldersChangeEvent) -> Vec<Url> {
    let mut folders = folders.to_vec();
    folders.retain(|folder| event.removed.iter().all(|removed| !is_same_folder(&removed.uri, folder)));
    for added in event.added {
        if !folders.iter().any(|folder| is_same_folder(folder, &added.uri)) {
            folders.push(added.uri);
        }
    }
    folders
}

/// Clients name the same folder with and without a slash at its end.
fn is_same_folder(one: &Url, other: &Url) -> bool {
    one.as_str().trim_end_matches('/') == other.as_str().trim_end_matches('/')
}
