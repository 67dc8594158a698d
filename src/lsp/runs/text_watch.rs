//! The texts that documents have had since an edit was sent: the user may have undone it before the
//! editor's answer is read.

use std::sync::{Arc, Mutex};

use lsp_types::Url;

use crate::never::lock;
use crate::text::Text;

/// The documents that are watched.
#[derive(Debug, Default)]
pub struct WatchedTexts(Mutex<Vec<WatchedText>>);

#[derive(Debug)]
struct WatchedText {
    id: u64,
    document: Url,
    /// The texts that have not been checked yet.
    texts: Vec<Text>,
}

/// Watches a document until it is dropped.
pub struct TextWatch {
    id: u64,
    watched: Arc<WatchedTexts>,
}

impl WatchedTexts {
    /// Watches the document `uri` from now on.
    pub fn watch(self: &Arc<Self>, uri: &Url) -> TextWatch {
        let mut watched = lock(&self.0);
        let id = watched.last().map_or(0, |last| last.id + 1);
        watched.push(WatchedText { id, document: uri.clone(), texts: Vec::new() });
        TextWatch { id, watched: Arc::clone(self) }
    }

    /// The document `uri` has the text `text` now.
    pub fn changed(&self, uri: &Url, text: &Text) {
        let mut watched = lock(&self.0);
        watched.iter_mut().filter(|it| it.document == *uri).for_each(|it| it.texts.push(text.clone()));
    }
}

impl TextWatch {
    /// The texts since the last look, in order.
    pub fn look(&self) -> Vec<Text> {
        let mut watched = lock(&self.watched.0);
        let own = watched.iter_mut().find(|it| it.id == self.id);
        own.map(|own| std::mem::take(&mut own.texts)).unwrap_or_default()
    }
}

impl Drop for TextWatch {
    fn drop(&mut self) {
        lock(&self.watched.0).retain(|it| it.id != self.id);
    }
}
