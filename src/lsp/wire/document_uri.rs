//! URIs of documents.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::Url;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The URI of a document, which keeps the client's spelling: [`Url`] turns `file:///é` into
/// `file:///%C3%A9`, but clients compare URIs as strings.
#[derive(Clone, Debug)]
pub struct DocumentUri {
    url: Url,
    spelling: Arc<str>,
}

impl DocumentUri {
    /// The URI as the client spells it.
    pub fn spelling(&self) -> &Arc<str> {
        &self.spelling
    }
}

impl Deref for DocumentUri {
    type Target = Url;

    fn deref(&self) -> &Url {
        &self.url
    }
}

impl From<Url> for DocumentUri {
    fn from(url: Url) -> Self {
        Self { spelling: url.as_str().into(), url }
    }
}

impl Serialize for DocumentUri {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.spelling)
    }
}

impl<'de> Deserialize<'de> for DocumentUri {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spelling = String::deserialize(deserializer)?;
        let url = Url::parse(&spelling).map_err(serde::de::Error::custom)?;
        // Neovim sends this for every buffer without a name, and would create a buffer for each
        // set of diagnostics with this URI.
        if spelling == "file://" {
            return Ok(url.into());
        }
        Ok(Self { url, spelling: spelling.into() })
    }
}

/// The last segment of the path of `uri`, as written.
pub fn last_segment(uri: &Url) -> &str {
    uri.path().rsplit('/').next().unwrap_or_default()
}

/// The last segment of the path of `uri`, decoded for people.
pub fn name_of(uri: &Url) -> String {
    percent_encoding::percent_decode_str(last_segment(uri)).decode_utf8_lossy().into_owned()
}

/// The path of the file at `uri`; `None` if it is not a file. Without a machine, the path as
/// written.
pub fn file_path(uri: &Url) -> Option<PathBuf> {
    #[cfg(not(target_family = "wasm"))]
    return uri.to_file_path().ok();
    #[cfg(target_family = "wasm")]
    {
        let path = (uri.scheme() == "file").then(|| percent_encoding::percent_decode_str(uri.path()))?;
        Some(PathBuf::from(&*path.decode_utf8().ok()?))
    }
}

/// The URI of the file at `path`, if it is absolute.
pub fn file_uri(path: &Path) -> Option<Url> {
    #[cfg(not(target_family = "wasm"))]
    return Url::from_file_path(path).ok();
    #[cfg(target_family = "wasm")]
    {
        let mut uri = Url::parse("file:///").ok()?;
        // `set_path` takes a path that is encoded, with separators of Windows, too.
        uri.set_path(&path.to_str()?.replace('%', "%25").replace('\\', "%5C"));
        Some(uri)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spelling_of_the_client_is_kept() {
        let check = |uri: &str, expected: [&str; 2]| {
            let uri: DocumentUri = serde_json::from_value(uri.into()).expect("a URI");
            assert_eq!([uri.as_str(), uri.spelling()], expected);
            assert_eq!(serde_json::to_value(&uri).expect("a string"), expected[1]);
        };
        check("file:///é", ["file:///%C3%A9", "file:///é"]);
        check("file:///c%3A/a", ["file:///c%3A/a", "file:///c%3A/a"]);
        check("file://", ["file:///", "file:///"]);
        assert!(serde_json::from_value::<DocumentUri>("/tmp/a.md".into()).is_err());
    }
}
