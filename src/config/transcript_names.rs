//! The names of files that are transcripts.

use std::path::Path;

/// File extensions that are read in folders; files with other extensions can be named or opened.
pub const EXTENSIONS: [&str; 6] = ["md", "markdown", "org", "jsonl", "ndjson", "sse"];

/// Ends of names of JSON files that are read in folders: other programs own most files of that
/// extension.
const JSON_NAMES: [&str; 4] = [".chat.json", ".messages.json", ".traj.json", ".trajectory.json"];

/// Names of JSON files that are read in folders.
const JSON_FILES: [&str; 2] = ["chat.json", "api_conversation_history.json"];

/// True if a file of this name is read when it is found in a folder.
pub fn is_transcript(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_ascii_lowercase();
    EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
        || JSON_NAMES.iter().any(|end| name.ends_with(end))
        || JSON_FILES.contains(&&*name)
}

/// True if a file of this name is a transcript: `*.chat.md`, `*.chat.markdown` and `*.chat.json`.
pub fn is_chat_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    [".chat.md", ".chat.markdown", ".chat.json"].iter().any(|end| name.ends_with(end))
}
