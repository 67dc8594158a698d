//! `textDocument/documentLink`: strings of a document that are paths of existing files.
//!
//! Paths in a transcript are searched beside it and in the workspace's folders, never outside of
//! them, even through links on disk; a configuration's registries are searched where they are read.
//! The number of file system checks is limited, and their results are kept for some seconds.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lsp_types::Url;

use crate::config::clean;
use crate::features::document_links::{DocumentLink, document_links, source_links};

use crate::lsp::conversions::locations::{DocumentParams, lsp_range_at};
use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::document_uri::{file_path, file_uri};
use crate::lsp::workspace::settings::is_config;
use crate::never::lock;

/// The maximum number of file system checks for one response.
const QUESTIONS: usize = 2000;
/// The time for which the results of checks are kept.
const KNOWN_FOR: Duration = Duration::from_secs(5);

/// Handles `textDocument/documentLink`.
pub fn document_link(_: DocumentParams, request: &ActiveRequest) -> HandlerResult {
    if cfg!(target_family = "wasm") {
        return request.respond([(); 0]);
    }
    let path = file_path(&request.uri);
    let is_config = is_config(&request.uri);
    let is_wanted = || request.is_wanted();
    let folder = path.as_deref().and_then(Path::parent);
    let links = match (is_config, folder) {
        (true, Some(folder)) => {
            let text = request.text();
            let links = source_links(&text.slice(0..text.len()));
            let target = |path: &str| Some(clean(&folder.join(path))).filter(|path| path.is_file());
            links_to(request, links, &mut HashMap::new(), target)
        }
        (true, None) => Vec::new(),
        (false, _) => {
            let mut found = FoundLinks::of(request);
            let mut places = LinkFolders::new(folder, &request.folders, found.left);
            let links = document_links(&request.document, &is_wanted);
            let find = |path: &str| if is_wanted() { places.find(path) } else { None };
            let links = links_to(request, links, &mut found.targets, find);
            if is_wanted() {
                let found = FoundLinks { version: request.version, left: places.left, ..found };
                let mut last = lock(&request.history.links);
                *last = Some(found);
            }
            links
        }
    };
    request.respond(links)
}

/// The targets of links that the last request for a document found.
#[derive(Debug)]
pub struct FoundLinks {
    since: Instant,
    version: Option<i32>,
    /// The files that paths refer to; `None` for paths of no file.
    targets: HashMap<String, Option<Url>>,
    /// The remaining number of file system checks.
    left: usize,
}

impl FoundLinks {
    /// The targets of the previous request, while the user types; empty for a repeated request on
    /// the same version.
    fn of(snapshot: &Snapshot) -> Self {
        let known = lock(&snapshot.history.links).take();
        let is_recent = |known: &Self| known.version != snapshot.version && known.since.elapsed() < KNOWN_FOR;
        known.filter(is_recent).unwrap_or_else(|| Self {
            since: Instant::now(),
            version: None,
            targets: HashMap::new(),
            left: QUESTIONS,
        })
    }
}

/// The `links` for which `known` has a file, or else `find` returns one.
fn links_to(
    snapshot: &Snapshot,
    links: Vec<DocumentLink<'_>>,
    known: &mut HashMap<String, Option<Url>>,
    mut find: impl FnMut(&str) -> Option<PathBuf>,
) -> Vec<lsp_types::DocumentLink> {
    let mut cursor = snapshot.cursor();
    let link = |DocumentLink { range, path }: DocumentLink<'_>| {
        let target = match known.get(&*path) {
            Some(target) => target.clone(),
            None => {
                let target = find(&path).and_then(|found| file_uri(&found));
                if known.len() < QUESTIONS {
                    known.insert(path.into_owned(), target.clone());
                }
                target
            }
        }?;
        let range = lsp_range_at(&mut cursor, &range);
        Some(lsp_types::DocumentLink { range, target: Some(target), tooltip: None, data: None })
    };
    links.into_iter().filter_map(link).collect()
}

/// The folders in which paths are searched: the document's folder, then the folders of the
/// workspace; each as given, and with links resolved.
struct LinkFolders {
    roots: Vec<(PathBuf, PathBuf)>,
    /// The remaining number of file system checks.
    left: usize,
}

impl LinkFolders {
    fn new(folder: Option<&Path>, workspace: &[Url], left: usize) -> Self {
        let workspace = workspace.iter().filter_map(file_path);
        let mut roots: Vec<(PathBuf, PathBuf)> = Vec::new();
        for root in folder.map(Path::to_owned).into_iter().chain(workspace) {
            let root = clean(&root);
            if roots.iter().all(|(known, _)| *known != root)
                && let Ok(real) = root.canonicalize()
            {
                roots.push((root, real));
            }
        }
        Self { roots, left }
    }

    /// The first file that `path` names in one of them.
    fn find(&mut self, path: &str) -> Option<PathBuf> {
        if self.left == 0 {
            return None;
        }
        let candidates: Vec<PathBuf> = self.roots.iter().map(|(root, _)| clean(&root.join(path))).collect();
        for (index, candidate) in candidates.iter().enumerate() {
            let is_inside = self.roots.iter().any(|(root, _)| candidate.starts_with(root));
            // An absolute path is the same in every folder.
            let is_new = candidates.iter().take(index).all(|known| known != candidate);
            if !is_inside || !is_new {
                continue;
            }
            self.left = self.left.checked_sub(1)?;
            let Ok(real) = candidate.canonicalize() else { continue };
            if real.is_file() && self.roots.iter().any(|(_, root)| real.starts_with(root)) {
                return Some(candidate.clone());
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_found_outside() {
        let folder = std::env::temp_dir().join(format!("chatls-links-{}", std::process::id()));
        let (inner, workspace) = (folder.join("work/inner"), folder.join("work"));
        std::fs::create_dir_all(&inner).expect("a folder");
        for file in ["work/inner/a.md", "work/b.md", "c.md"] {
            std::fs::write(folder.join(file), "").expect("a file");
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.join("c.md"), workspace.join("link.md")).expect("a link");
        let uri = Url::from_file_path(&workspace).expect("a path");
        let check = |document: Option<&Path>, folders: &[Url], path: &str, expected: Option<&str>| {
            let found = LinkFolders::new(document, folders, QUESTIONS).find(path);
            assert_eq!(found, expected.map(|it| folder.join(it)), "{path}");
        };
        let both = std::slice::from_ref(&uri);
        check(Some(&inner), both, "a.md", Some("work/inner/a.md"));
        check(Some(&inner), both, "inner/a.md", Some("work/inner/a.md"));
        check(Some(&inner), both, "./../b.md", Some("work/b.md"));
        check(Some(&inner), both, "b.md", Some("work/b.md"));
        check(Some(&inner), both, workspace.join("b.md").to_str().expect("UTF-8"), Some("work/b.md"));
        check(None, both, "b.md", Some("work/b.md"));
        check(Some(&inner), &[], "../b.md", None);
        check(Some(&inner), both, "../../c.md", None);
        check(Some(&inner), both, folder.join("c.md").to_str().expect("UTF-8"), None);
        check(Some(&inner), both, "link.md", None);
        check(Some(&inner), both, "../inner", None);
        check(Some(&inner), both, "a\0.md", None);
        check(None, &[], "a.md", None);
        let mut places = LinkFolders::new(Some(&inner), &[], QUESTIONS);
        let found = (0..=QUESTIONS).filter(|_| places.find("a.md").is_some()).count();
        assert_eq!(found, QUESTIONS);
        std::fs::remove_dir_all(folder).expect("the folder");
    }
}
