//! The file system for the server and the CLI: reads configurations and finds transcripts. The core
//! only uses [`Files`].
//!
//! Only regular files of a moderate size are read: reading a pipe or a device may never end, or
//! never begin.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::config::Files;

mod ignored;
mod regular;
mod source;
mod stamp;
mod transcripts;
mod yaml;

pub use ignored::{UnreadRules, walker};
pub use regular::{is_pipe, open_regular, read_regular};
pub use source::{is_long, text_in_parts};
pub use stamp::{Stamp, stamp};
pub use transcripts::{WalkEntry, identity, may_be_owned_by_user, walk};
pub use yaml::{is_yaml, json_of_yaml};

/// Maximum size of a file, in bytes.
const SIZE_LIMIT: u64 = 64 << 20;

/// Number of bytes at a file's beginning that are checked for binary data.
pub const BEGINNING: usize = 8000;

/// Number of bytes at the beginning of a JSON file in which messages are searched: an export may
/// begin with the description of its session, and an answer with the tools of its request.
const JSON_BEGINNING: u64 = 64 << 10;

/// True if a file with this beginning is binary, whatever its name: text has no NUL.
pub fn is_binary(content: &[u8]) -> bool {
    content.iter().take(BEGINNING).any(|byte| *byte == 0)
}

/// The beginnings of compressed files, each with the name of the format and the program that
/// writes the content to its standard output.
const COMPRESSED: [(&[u8], &str, &str); 3] =
    [(b"\x1f\x8b", "gzip", "zcat"), (b"\x28\xb5\x2f\xfd", "zstd", "zstdcat"), (b"\xfd7zXZ\0", "xz", "xzcat")];

/// The encoding of content with this beginning if it is not UTF-8, and how to read it; `None` if
/// the encoding is unknown.
pub fn other_encoding(content: &[u8]) -> Option<String> {
    let is_compressed = |(start, ..): &&(&[u8], &str, &str)| content.starts_with(start);
    if let Some((_, format, program)) = COMPRESSED.iter().find(is_compressed) {
        let words = format!("it is compressed with {format}; use `{program} FILE | chatls … -`");
        return Some(words);
    }
    // At the beginning of a UTF-16 text without a mark, most characters are ASCII.
    let has_zeros_at = |at: usize| {
        let pairs = content.chunks_exact(2).take(32);
        let zeros = pairs.clone().filter(|pair| pair[at] == 0 && pair[1 - at] != 0).count();
        zeros >= 2 && zeros * 4 >= pairs.len() * 3
    };
    let marked = |mark: &[u8]| content.starts_with(mark);
    let encoding = match () {
        () if marked(b"\xff\xfe") || has_zeros_at(1) => "UTF-16LE",
        () if marked(b"\xfe\xff") || has_zeros_at(0) => "UTF-16BE",
        () => return None,
    };
    Some(format!("it is UTF-16, not UTF-8; use `iconv -f {encoding} -t UTF-8 FILE | chatls … -`"))
}

/// The beginning of the JSON file at `path`; `None` if it is another file or cannot be read.
pub fn json_beginning(path: &Path) -> Option<String> {
    path.extension().filter(|extension| extension.eq_ignore_ascii_case("json"))?;
    let mut content = Vec::new();
    open_regular(path).ok()?.take(JSON_BEGINNING).read_to_end(&mut content).ok()?;
    Some(String::from_utf8_lossy(&content).into_owned())
}

/// The local file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskFiles;

impl Files for DiskFiles {
    fn read(&self, path: &Path) -> io::Result<String> {
        let text = read_regular(path, SIZE_LIMIT)?;
        String::from_utf8(text).map_err(|_| io::ErrorKind::InvalidData.into())
    }

    fn real_path(&self, path: &Path) -> PathBuf {
        // On Windows without `\\?\`, which programs do not take as a folder to start in.
        let parent = || Some(dunce::canonicalize(path.parent()?).ok()?.join(path.file_name()?));
        // For a missing file, its folder may exist.
        dunce::canonicalize(path).ok().or_else(parent).unwrap_or_else(|| path.to_owned())
    }

    fn is_repository(&self, folder: &Path) -> bool {
        [".git", ".jj", ".hg"].iter().any(|name| folder.join(name).exists())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_a_moderate_size_are_read() {
        let folder = temporary_folder();
        let small = folder.join("small");
        std::fs::write(&small, "é").expect("a temporary file");
        assert_eq!(DiskFiles.read(&small).expect("a file"), "é");
        std::fs::write(&small, [0xff]).expect("a temporary file");
        assert_eq!(kind(&small), io::ErrorKind::InvalidData);
        assert_eq!(kind(&folder.join("none")), io::ErrorKind::NotFound);
        assert_eq!(kind(&folder), io::ErrorKind::IsADirectory);
        let large = folder.join("large");
        let file = std::fs::File::create(&large).expect("a temporary file");
        file.set_len(SIZE_LIMIT + 1).expect("a sparse file");
        drop(file);
        assert_eq!(DiskFiles.read(&large).expect_err("too large").to_string(), "it is larger than 64 MiB");
        #[cfg(unix)]
        {
            let pipe = folder.join("pipe");
            let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
            assert!(made.success());
            assert_eq!(
                DiskFiles.read(&pipe).expect_err("a pipe").to_string(),
                "it is a pipe, not a regular file"
            );
            assert_eq!(kind(Path::new("/dev/zero")), io::ErrorKind::Other);
        }
        std::fs::remove_dir_all(folder).expect("the temporary folder");
    }

    fn kind(path: &Path) -> io::ErrorKind {
        DiskFiles.read(path).expect_err("no text").kind()
    }

    fn temporary_folder() -> PathBuf {
        let folder = std::env::temp_dir().join(format!("chatls-files-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        folder
    }
}
