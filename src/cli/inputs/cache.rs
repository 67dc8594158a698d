//! A cache of the documents that were read and their results, for `--watch`. Only documents that
//! may have changed are read again.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::cli::common::CommonArgs;
use crate::cli::inputs::source::{DocumentSource, InputSource, TextHolding, UnreadDocument};
use crate::cli::inputs::{InputEvent, InputSummary, JobResult, PathArgs, each};
use crate::config::{Loader, Selection, Settings, is_transcript};
use crate::document::Document;
use crate::files::{DiskFiles, Stamp, stamp};
use crate::never::lock;

/// The cached results of all documents.
pub(in crate::cli) struct InputCache<R> {
    loader: Loader,
    entries: HashMap<PathBuf, CachedInput<R>>,
    all: Vec<JobResult<Arc<R>>>,
    folders: BTreeSet<PathBuf>,
}

/// The cached result of a file, with the file's state when it was read.
struct CachedInput<R> {
    stamp: Stamp,
    settings: Arc<Settings>,
    made: Result<Arc<R>, UnreadDocument>,
}

impl<R: Send + Sync> InputCache<R> {
    /// Creates an empty cache, for the codes in `selection`.
    pub fn new(common: &CommonArgs, selection: Selection) -> Self {
        let (known, all, folders) = (HashMap::new(), Vec::new(), BTreeSet::new());
        Self { loader: common.loader().select(selection), entries: known, all, folders }
    }

    /// Searches all that `paths` selects again, and computes the results of files whose content or
    /// settings changed. Returns whether any result changed.
    pub fn read(
        &mut self,
        paths: &PathArgs,
        common: &CommonArgs,
        make: impl Fn(Document) -> R + Sync,
    ) -> io::Result<bool> {
        self.loader.refresh(&DiskFiles);
        let (before, now) = (std::mem::take(&mut self.entries), Mutex::new(HashMap::new()));
        let mut all = Vec::new();
        // Results are kept while files change, so their texts are held as a whole.
        let read = |source: &InputSource, settings| {
            source.document(settings, TextHolding::Whole).map(|document| Arc::new(make(document)))
        };
        let work = |source: &InputSource, settings: Arc<Settings>| {
            let DocumentSource::File { path, absolute } = &source.content else {
                return read(source, settings);
            };
            // The stamp is taken before reading: a file that changes meanwhile is read again the
            // next time.
            let stamp = stamp(path);
            let is_same = |it: &&CachedInput<R>| it.stamp == stamp && Arc::ptr_eq(&it.settings, &settings);
            let made = match before.get(absolute).filter(is_same) {
                Some(known) => known.made.clone(),
                None => read(source, Arc::clone(&settings)),
            };
            let known = CachedInput { stamp, settings, made: made.clone() };
            lock(&now).insert(absolute.clone(), known);
            made
        };
        let take = |made| {
            all.push(made);
            Ok(())
        };
        let folders = each(paths, common, &mut self.loader, work, take)?;
        self.entries = now.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.folders = folders.into_iter().filter_map(|it| std::path::absolute(it).ok()).collect();
        let is_same =
            all.len() == self.all.len() && all.iter().zip(&self.all).all(|(now, then)| now.is(then));
        self.all = all;
        Ok(!is_same)
    }

    /// Removes the result of the file at `path`.
    pub fn forget(&mut self, path: &Path) {
        self.entries.remove(path);
    }

    /// Passes all cached results to `visit`, in order.
    pub fn replay(
        &self,
        paths: &PathArgs,
        mut visit: impl FnMut(InputEvent<'_, Arc<R>>) -> io::Result<()>,
    ) -> io::Result<InputSummary> {
        let mut summary = InputSummary::default();
        for made in &self.all {
            made.clone().show(&mut summary, &mut visit)?;
        }
        summary.report_if_empty(paths);
        Ok(summary)
    }

    /// The folders that were searched.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        self.folders.iter().map(PathBuf::as_path)
    }

    /// The files that were read although they do not have the name of a transcript.
    pub fn others(&self) -> impl Iterator<Item = &Path> {
        self.entries.keys().map(PathBuf::as_path).filter(|path| !is_transcript(path))
    }

    /// The paths of configurations and registries that were looked up, including missing ones.
    pub fn config_files(&self) -> impl Iterator<Item = &Path> {
        self.loader.files()
    }
}

impl<R> JobResult<Arc<R>> {
    /// True if both are the same allocation.
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Notice(this), Self::Notice(other)) => this == other,
            (Self::Document(source, made), Self::Document(other, then)) => {
                source.display_name == other.display_name
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
