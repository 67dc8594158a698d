//! `workspace/symbol`: calls and headings by name, in open documents and in the transcripts of the
//! workspace's folders.
//!
//! Clients send it at each keystroke, so the symbols of a file are cached until it changes, up to a
//! limit. A request ends when it is cancelled, and its result is bounded: the best matches first,
//! then open documents.

use crate::lsp::state::workspace_symbols::{
    CachedSymbol, CachedSymbols, SymbolCache, SymbolQuery, WorkspaceSymbolParams,
};
use std::collections::{HashMap, HashSet};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::Url;

use crate::document::Document;
use crate::features::symbols::{Rank, SymbolEntry, SymbolFilter, SymbolKind, entries};
use crate::files::stamp;
use crate::lsp::workspace::disk::read_document;
use crate::text::Encoding;

use crate::lsp::conversions::locations::{WireLocation, WireSymbol, lsp_range};
use crate::lsp::handlers::document_symbol::kind_number;
use crate::lsp::server::{LoopContext, documents};
use crate::lsp::state::{DocumentPhase, ServerState};
use crate::lsp::wire::pending::PendingRequest;
use crate::lsp::workspace::settings::EditorSettings;
use crate::lsp::workspace::walk::{DocumentKey, TakenTranscript, WalkedTranscript, WorkspaceWalk};

/// The maximum number of symbols in a result.
const MOST: usize = 512;
/// The maximum total number of cached symbols of files.
const KEPT: usize = 1 << 18;

/// Takes in a request.
pub fn receive(
    state: &mut ServerState,
    _: &LoopContext,
    pending: PendingRequest,
    params: WorkspaceSymbolParams,
) {
    state.symbols.waiting.push(SymbolQuery { pending, text: params.query });
}

/// Responds to the waiting requests in the pool, once all open documents are ready.
pub fn answer(state: &mut ServerState, context: &LoopContext) {
    if state.symbols.searching
        || state.symbols.waiting.is_empty()
        || state.documents.values().any(|document| document.phase.is_pending())
    {
        return;
    }
    state.symbols.searching = true;
    let open = state.documents.values();
    let readable =
        |phase: &DocumentPhase| phase.ready().filter(|document| document.settings().enabled).cloned();
    let mut open: Vec<OpenSymbolDocument> =
        open.map(|it| (Arc::clone(it.uri.spelling()), it.path.clone(), readable(&it.phase))).collect();
    open.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    let mut search = SymbolSearch {
        open,
        folders: Arc::clone(&state.folders),
        editor: state.editor.clone(),
        encoding: state.client.encoding,
        context: context.clone(),
        cache: mem::take(&mut state.symbols.cache),
    };
    let waiting = mem::take(&mut state.symbols.waiting);
    let work = move || {
        waiting.into_iter().for_each(|query| search.answer(&query));
        search.cache
    };
    context.spawn("workspace/symbol answered", work, |state, _, cache| {
        state.symbols.searching = false;
        state.symbols.cache = cache.unwrap_or_default();
    });
}

/// An open document: its URI in the client's spelling, its path if it is a file, and the document
/// if it is parsed and not excluded.
type OpenSymbolDocument = (Arc<str>, Option<PathBuf>, Option<Document>);

struct SymbolSearch {
    open: Vec<OpenSymbolDocument>,
    folders: Arc<[Url]>,
    editor: EditorSettings,
    encoding: Encoding,
    context: LoopContext,
    cache: SymbolCache,
}

impl SymbolSearch {
    fn answer(&mut self, query: &SymbolQuery) {
        let pending = &query.pending;
        if !pending.is_wanted() {
            return;
        }
        if self.context.source.refresh() {
            self.context
                .send("configuration files changed", |state, _| documents::invalidate_all_settings(state));
        }
        let mut old = mem::take(&mut self.cache);
        let mut new = HashMap::new();
        let mut matches = Matches::new(&query.text);
        let mut seen = HashSet::new();
        for (spelling, path, document) in &self.open {
            seen.insert(DocumentKey::of_open(path.as_ref(), spelling));
            let symbols = document.as_ref().map(|document| self.symbols_of(document, pending));
            matches.add(spelling, &symbols.unwrap_or_default());
        }
        let walk = WorkspaceWalk {
            folders: Arc::clone(&self.folders),
            editor: &self.editor,
            source: &*self.context.source,
            configured_only: false,
        };
        let mut kept = 0;
        walk.each(&mut seen, &mut |found| {
            if !pending.is_wanted() {
                return TakenTranscript::Enough;
            }
            let Some((path, uri, cached)) = self.file(found, &mut old, pending) else {
                return TakenTranscript::Skipped;
            };
            matches.add(uri.as_str(), &cached.symbols);
            // A cancelled request may not have read all files.
            if kept + cached.symbols.len() <= KEPT && pending.is_wanted() {
                kept += cached.symbols.len();
                new.insert(path, cached);
            }
            TakenTranscript::It
        });
        // Files that were not reached may still be up to date.
        if !pending.is_wanted() {
            new.extend(old);
        }
        self.cache = new;
        pending.answer(matches.best());
    }

    /// The symbols of a file: the symbols `old` if they are up to date; `None` if the file is
    /// excluded, binary, or too large.
    fn file(
        &self,
        found: WalkedTranscript,
        old: &mut SymbolCache,
        pending: &PendingRequest,
    ) -> Option<(PathBuf, Url, CachedSymbols)> {
        let WalkedTranscript { path, uri, resolved, .. } = found;
        let settings = resolved.settings;
        if !settings.enabled {
            return None;
        }
        // Stamped first, so that changes during the reading are noticed next time.
        let stamp = stamp(&path);
        let is_same = |it: &CachedSymbols| it.stamp == stamp && Arc::ptr_eq(&it.settings, &settings);
        if let Some(old) = old.remove(&path).filter(is_same) {
            return Some((path, uri, old));
        }
        let read = || Some(self.symbols_of(&read_document(&path, &settings)?, pending));
        let symbols = catch_unwind(AssertUnwindSafe(read)).ok()??;
        Some((path, uri, CachedSymbols { stamp, settings, symbols }))
    }

    fn symbols_of(&self, document: &Document, pending: &PendingRequest) -> Vec<CachedSymbol> {
        let symbol = |entry: SymbolEntry| CachedSymbol {
            name: entry.name,
            container: entry.container,
            range: lsp_range(document.text(), &entry.range, self.encoding),
        };
        let entries = entries(document, || pending.is_wanted());
        entries.into_iter().map(symbol).collect()
    }
}

/// The symbols that match a query, up to the limit, ordered by match quality.
struct Matches {
    query: SymbolFilter,
    by_rank: [Vec<WireSymbol>; Rank::ALL.len()],
}

impl Matches {
    fn new(query: &str) -> Self {
        Self { query: SymbolFilter::new(query), by_rank: Default::default() }
    }

    fn add(&mut self, uri: &str, symbols: &[CachedSymbol]) {
        for symbol in symbols {
            let rank = self.query.rank(&symbol.name);
            let Some(list) = rank.and_then(|rank| self.by_rank.get_mut(rank as usize)) else { continue };
            if list.len() < MOST {
                list.push(WireSymbol {
                    name: symbol.name.clone(),
                    kind: kind_number(SymbolKind::Call),
                    location: WireLocation { uri: uri.to_owned(), range: symbol.range },
                    container_name: Some(symbol.container.clone()).filter(|name| !name.is_empty()),
                });
            }
        }
    }

    fn best(self) -> Vec<WireSymbol> {
        self.by_rank.into_iter().flatten().take(MOST).collect()
    }
}
