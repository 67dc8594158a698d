//! Links of the records of Claude Code's sessions to the records before them.

use super::DocumentEdit;
use crate::call::fixed_hash;
use crate::checks::LostParent;
use crate::document::Document;

/// The change of a record whose parent is missing.
pub const LINK_TITLE: &str = "Link the line to the one before it: no line has the id of its parent";

impl Document {
    /// The edit that links a record to the one before it.
    pub fn link_to_record_before(&self, lost: &LostParent) -> Option<DocumentEdit> {
        let uuid = self.with_record(lost.before?, |root| Some(root.get("uuid")?.raw().to_owned()));
        Some((lost.place.clone(), uuid?))
    }
}

/// A UUID (version 8, RFC 9562) that is derived from the UUID of another line.
pub fn uuid_after(uuid: &str) -> String {
    let half = |salt: u8| fixed_hash(&(uuid, salt));
    let high = half(0) & 0xffff_ffff_ffff_0fff | 0x8000;
    let low = half(1) & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000;
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xffff,
        low >> 48,
        low & 0xffff_ffff_ffff
    )
}
