//! Caches the tools of servers, so that typing never starts a server.
//!
//! The cache is keyed by the server's settings, so that equal servers of different projects, and a
//! server before and after a change, have separate files.

use std::fs;
use std::io;

use etcetera::BaseStrategy;
use serde_json::json;

use super::{Subject, SubjectHash};
use crate::config::template::Template;
use crate::config::{ListingPlaces, ServerSettings, ServerStart, clean};

/// The places of the listings; `None` if the user has no home folder.
pub fn listing_places() -> Option<ListingPlaces> {
    let cache = etcetera::choose_base_strategy().ok()?.cache_dir();
    Some(ListingPlaces { folder: cache.join("chatls").join("listings"), file_name })
}

/// Stores the listing `text` of `server` in the cache.
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

/// Keeps the listing `text` of `server` in its `listing`, or else in the cache.
///
/// # Errors
///
/// If it cannot be written, or the `listing` is no `.json` file of the project of `subject`.
pub fn keep_for_project(server: &ServerSettings, subject: &Subject, text: &str) -> io::Result<()> {
    let Some(listed) = &server.listing else {
        let places = listing_places().ok_or_else(|| io::Error::other("there is no home folder"))?;
        return keep(&places, server, text);
    };
    let file = clean(&server.folder().join(listed));
    if !subject.may_write_listing(&file) {
        return Err(io::Error::other("its `listing` must be a `.json` file of its project"));
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, text)
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
