//! Caches the tools of servers, so that typing never starts a server.
//!
//! The cache is keyed by the server's settings, so that equal servers of different projects, and a
//! server before and after a change, have separate files.

use std::path::PathBuf;
use std::{fs, io};

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

/// The file of the project that keeps the listing of `server`; `None` if the cache keeps it.
///
/// # Errors
///
/// If the `listing` is no `.json` file of the project of `subject`.
pub fn listing_file(server: &ServerSettings, subject: &Subject) -> Result<Option<PathBuf>, &'static str> {
    let file = server.listing.as_ref().map(|listed| clean(&server.folder().join(listed)));
    match file {
        Some(file) if !subject.may_write_listing(&file) => {
            Err("its `listing` must be a `.json` file of its project")
        }
        file => Ok(file),
    }
}

/// Keeps the listing `text` of `server` in its `listing`, or else in the cache.
///
/// # Errors
///
/// The errors of [`listing_file`], and if it cannot be written.
pub fn keep_for_project(server: &ServerSettings, subject: &Subject, text: &str) -> io::Result<()> {
    let Some(file) = listing_file(server, subject).map_err(io::Error::other)? else {
        return keep(&known_places()?, server, text);
    };
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, text)
}

/// The places of the listings.
///
/// # Errors
///
/// If the user has no home folder.
pub fn known_places() -> io::Result<ListingPlaces> {
    listing_places().ok_or_else(|| io::Error::other("there is no home folder"))
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
