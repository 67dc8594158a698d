//! The tools that servers listed when they were asked, so that nothing starts for mere typing.
//!
//! They are kept in the user's cache by the settings of their server, so that an equal server of
//! another project, or the same one after a change, has a file of its own.

use std::fs;
use std::io;

use etcetera::BaseStrategy;
use serde_json::json;

use super::SubjectHash;
use crate::config::template::Template;
use crate::config::{ListingPlaces, ServerSettings, ServerStart};

/// The places of the listings; `None` if the user has no home folder.
pub fn listing_places() -> Option<ListingPlaces> {
    let cache = etcetera::choose_base_strategy().ok()?.cache_dir();
    Some(ListingPlaces { folder: cache.join("chatls").join("listings"), file_name })
}

/// Keeps the listing `text` of `server`.
///
/// # Errors
///
/// If the cache cannot be written.
pub fn keep(places: &ListingPlaces, server: &ServerSettings, text: &str) -> io::Result<()> {
    use std::io::Write;
    fs::create_dir_all(&places.folder)?;
    let mut file = tempfile::NamedTempFile::new_in(&places.folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(places.file(server)).map_err(|error| error.error)?;
    Ok(())
}

/// The name of the file of `server`: the hash of its settings and its folder.
fn file_name(server: &ServerSettings) -> String {
    let text = |template: &Template| template.to_string();
    let settings = match &server.start {
        ServerStart::Command(command) => json!({
            "command": command.program,
            "arguments": command.arguments.iter().map(text).collect::<Vec<_>>(),
            "variables": command.variables.keys().collect::<Vec<_>>(),
            "folder": command.folder.to_string_lossy(),
        }),
        ServerStart::Address(address) => json!({
            "url": address.url,
            "headers": address.headers.keys().collect::<Vec<_>>(),
            "folder": address.folder.to_string_lossy(),
        }),
    };
    format!("{}.json", SubjectHash::of_text(&settings.to_string()))
}
