//! Stamps to detect changes of a file without reading it.

use std::fs::Metadata;
use std::path::Path;
use std::time::SystemTime;

/// The stamp of a file; `None` if the file does not exist.
pub type Stamp = Option<(Option<SystemTime>, u64, ChangeTime)>;

/// The identity of a file and its time of change: a file that replaces another one may have the
/// same length and modification time.
#[cfg(unix)]
type ChangeTime = (u64, u64, i64, i64);

/// Not available on this system.
#[cfg(not(unix))]
type ChangeTime = ();

/// The stamp of the file at `path`.
pub fn stamp(path: &Path) -> Stamp {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok(), metadata.len(), change(&metadata)))
}

#[cfg(unix)]
fn change(metadata: &Metadata) -> ChangeTime {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn change(_: &Metadata) -> ChangeTime {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn replaced_file_has_another_stamp() {
        let folder = std::env::temp_dir().join(format!("chatls-stamp-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        let (one, two) = (folder.join("one"), folder.join("two"));
        assert_eq!(stamp(&one), None);
        let then = SystemTime::UNIX_EPOCH;
        for path in [&one, &two] {
            std::fs::write(path, "same length").expect("a temporary file");
            std::fs::File::options()
                .write(true)
                .open(path)
                .and_then(|file| file.set_modified(then))
                .expect("a time");
        }
        let known = stamp(&one);
        assert_eq!(stamp(&one), known);
        std::fs::rename(&two, &one).expect("a file in the place of another");
        assert_ne!(stamp(&one), known);
        std::fs::remove_dir_all(folder).expect("the temporary folder");
    }
}
