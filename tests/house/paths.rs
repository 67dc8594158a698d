//! The files that the documentation for contributors names exist.

use std::fs;
use std::path::Path;

use super::rooms::walk;

const DOCUMENTS: [&str; 2] = ["docs/architecture.md", "CONTRIBUTING.md"];

/// Paths are written from the root, as `src/json/lexer.rs`, or end with a module's folder and file,
/// as `json/lexer.rs`. Words in capitals are placeholders.
#[test]
fn named_files_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut known = Vec::new();
    for folder in ["src", "tests"] {
        walk(&root.join(folder), &mut |path| {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            known.push(format!("/{name}"));
        });
    }
    let exists = |name: &str| {
        root.join(name).exists()
            || known.iter().any(|known| known.ends_with(&format!("/{}", name.trim_end_matches('/'))))
    };
    let mut faults = Vec::new();
    for document in DOCUMENTS {
        let text = fs::read_to_string(root.join(document)).unwrap();
        for name in text.split('`').skip(1).step_by(2) {
            let is_path = name.starts_with("src/") || name.ends_with(".rs");
            let is_literal = !name.contains(|c: char| c.is_whitespace() || c.is_ascii_uppercase());
            if is_path && is_literal && !exists(name) {
                faults.push(format!("`{name}` in {document}"));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
