//! What was read is kept, and read again only where it may have changed.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::source::{Content, Source, Unread};
use super::{Input, Made, Paths, Summary, each};
use crate::cli::Common;
use crate::config::{Loader, Selection, Settings};
use crate::document::Document;
use crate::files::{Disk, Stamp, is_transcript, stamp};

/// All that was read, and what was made of it.
pub(in crate::cli) struct Kept<R> {
    loader: Loader,
    known: HashMap<PathBuf, Known<R>>,
    all: Vec<Made<Arc<R>>>,
    folders: BTreeSet<PathBuf>,
}

/// What a file came to, and what it was then.
struct Known<R> {
    stamp: Stamp,
    settings: Arc<Settings>,
    made: Result<Arc<R>, Unread>,
}

impl<R: Send + Sync> Kept<R> {
    /// Nothing yet; of the codes in `selection`.
    pub fn new(common: &Common, selection: Selection) -> Self {
        let (known, all, folders) = (HashMap::new(), Vec::new(), BTreeSet::new());
        Self { loader: common.loader().select(selection), known, all, folders }
    }

    /// Looks again at all that `paths` names, and has that made anew whose file or settings changed. Whether anything is other than it
    /// was.
    pub fn read(
        &mut self,
        paths: &Paths,
        common: &Common,
        make: impl Fn(Document) -> R + Sync,
    ) -> io::Result<bool> {
        self.loader.refresh(&Disk);
        let (before, now) = (std::mem::take(&mut self.known), Mutex::new(HashMap::new()));
        let mut all = Vec::new();
        let mut folders = BTreeSet::new();
        let work = |source: &Source, settings: Arc<Settings>| {
            let Content::File { path, absolute } = &source.content else {
                return source.document(settings).map(|document| Arc::new(make(document)));
            };
            // Stamped first: what changes while it is read is read again the next time.
            let stamp = stamp(path);
            let is_same = |it: &&Known<R>| it.stamp == stamp && Arc::ptr_eq(&it.settings, &settings);
            let made = match before.get(absolute).filter(is_same) {
                Some(known) => known.made.clone(),
                None => source.document(Arc::clone(&settings)).map(|document| Arc::new(make(document))),
            };
            let known = Known { stamp, settings, made: made.clone() };
            now.lock().unwrap_or_else(PoisonError::into_inner).insert(absolute.clone(), known);
            made
        };
        let mut looked_through = |folder: &Path| folders.extend(std::path::absolute(folder));
        let take = |made| {
            all.push(made);
            Ok(())
        };
        each(paths, common, &mut self.loader, &mut looked_through, work, take)?;
        self.known = now.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.folders = folders;
        let is_same =
            all.len() == self.all.len() && all.iter().zip(&self.all).all(|(now, then)| now.is(then));
        self.all = all;
        Ok(!is_same)
    }

    /// Forgets what the file at `path` came to.
    pub fn forget(&mut self, path: &Path) {
        self.known.remove(path);
    }

    /// Shows it all to `visit`, in its order.
    pub fn show(
        &self,
        paths: &Paths,
        mut visit: impl FnMut(Input<'_, Arc<R>>) -> io::Result<()>,
    ) -> io::Result<Summary> {
        let mut summary = Summary::default();
        for made in &self.all {
            made.clone().show(&mut summary, &mut visit)?;
        }
        summary.tell_if_empty(paths);
        Ok(summary)
    }

    /// The folders that were looked through.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        self.folders.iter().map(PathBuf::as_path)
    }

    /// The files that were read though their names are not those of transcripts.
    pub fn others(&self) -> impl Iterator<Item = &Path> {
        self.known.keys().map(PathBuf::as_path).filter(|path| !is_transcript(path))
    }

    /// The configurations and registries that were looked for.
    pub fn config_files(&self) -> impl Iterator<Item = &Path> {
        self.loader.files()
    }
}

impl<R> Made<Arc<R>> {
    /// Whether it is the same one as `other`.
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Told(this), Self::Told(other)) => this == other,
            (Self::Document(source, made), Self::Document(other, then)) => {
                source.shown == other.shown
                    && match (made, then) {
                        (Ok(made), Ok(then)) => Arc::ptr_eq(made, then),
                        (Err(reason), Err(then)) => reason == then,
                        _ => false,
                    }
            }
            _ => false,
        }
    }
}
