//! The memory of closed documents.

use crate::lsp::state::DocumentPhase;

/// The length in bytes of a document from which on its memory is given back to the system.
const LARGE: usize = 1 << 20;

/// Frees a closed document. The memory of a large document goes back to the system: glibc would
/// keep most of it for later allocations, for 50 MB of tags 0.5 GB.
pub fn free(document: DocumentPhase) {
    let len = match &document {
        DocumentPhase::Ready(document) => document.text().len(),
        DocumentPhase::AwaitingSettings(text) | DocumentPhase::Panicked(text) => text.len(),
        DocumentPhase::Parsing => 0,
    };
    drop(document);
    if len >= LARGE {
        give_back();
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "glibc has no other interface for this")]
fn give_back() {
    // SAFETY: malloc_trim(3) asks nothing of its callers, and may run beside other threads.
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn give_back() {}
