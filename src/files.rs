//! The file system, as the server and the CLI see it: configuration is read from it, and transcripts are found in it.
//! The core only knows [`Files`].
//!
//! Only regular files of a moderate size are read: a pipe or a device may never end, or never begin.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::config::Files;

mod stamp;
mod transcripts;

pub use stamp::{Stamp, stamp};
pub use transcripts::{EXTENSIONS, Found, identity, is_own, is_transcript, transcripts, walk};

/// The most bytes that a file may have.
const SIZE_LIMIT: u64 = 64 << 20;

/// How many bytes at a file's beginning tell whether it is text.
pub const BEGINNING: usize = 8000;

/// Whether a file that begins so is no text, whatever its name says: no text has a NUL.
pub fn is_binary(content: &[u8]) -> bool {
    content.iter().take(BEGINNING).any(|byte| *byte == 0)
}

/// The disk of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<String> {
        // Before it is opened: to open a pipe waits for whoever writes to it.
        let found = std::fs::metadata(path)?;
        if found.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !found.is_file() {
            return Err(io::Error::other("it is not a regular file"));
        }
        let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 64 MiB");
        if found.len() > SIZE_LIMIT {
            return Err(too_large());
        }
        let mut text = Vec::new();
        File::open(path)?.take(SIZE_LIMIT + 1).read_to_end(&mut text)?;
        if text.len() as u64 > SIZE_LIMIT {
            return Err(too_large());
        }
        String::from_utf8(text).map_err(|_| io::ErrorKind::InvalidData.into())
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
        assert_eq!(Disk.read(&small).expect("a file"), "é");
        std::fs::write(&small, [0xff]).expect("a temporary file");
        assert_eq!(kind(&small), io::ErrorKind::InvalidData);
        assert_eq!(kind(&folder.join("none")), io::ErrorKind::NotFound);
        assert_eq!(kind(&folder), io::ErrorKind::IsADirectory);
        let large = folder.join("large");
        let file = File::create(&large).expect("a temporary file");
        file.set_len(SIZE_LIMIT + 1).expect("a hole");
        assert_eq!(Disk.read(&large).expect_err("too large").to_string(), "it is larger than 64 MiB");
        #[cfg(unix)]
        {
            let pipe = folder.join("pipe");
            let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
            assert!(made.success());
            assert_eq!(Disk.read(&pipe).expect_err("a pipe").to_string(), "it is not a regular file");
            assert_eq!(kind(Path::new("/dev/zero")), io::ErrorKind::Other);
        }
        std::fs::remove_dir_all(folder).expect("the temporary folder");
    }

    fn kind(path: &Path) -> io::ErrorKind {
        Disk.read(path).expect_err("no text").kind()
    }

    fn temporary_folder() -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("chatls-files-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        folder
    }
}
