//! The modules that may use a crate.

use std::fs;
use std::path::Path;

/// Names of crates, and the modules that may use them.
const RULES: [(&str, &[&str]); 25] = [
    ("lsp_types", &["lsp.rs", "lsp/", "main.rs"]),
    ("tower_lsp", &["lsp.rs", "lsp/", "main.rs"]),
    ("tokio", &["lsp.rs", "lsp/", "main.rs", "cli/events/serve", "cli/signals.rs", "run.rs", "run/"]),
    ("rmcp", &["run/mcp.rs", "run/mcp/"]),
    ("reqwest", &["run/http_client.rs", "run/mcp/", "run/model", "run/preset/chart_index.rs"]),
    ("sse_stream", &["run/model.rs"]),
    ("rustls", &["run/http_client.rs"]),
    ("sha2::", &["run/"]),
    ("close_fds", &["run/process.rs"]),
    ("axum", &["cli/events/serve"]),
    ("hyper", &["cli/events/serve"]),
    ("tower_http", &["cli/events/serve"]),
    ("parquet::", &["cli/calls"]),
    ("quick_xml", &["cli/stats/", "cli/output/xml.rs"]),
    ("ropey", &["text/"]),
    ("indicatif", &["cli/"]),
    ("notify::", &["cli/"]),
    ("signal_hook", &["cli/signals.rs"]),
    ("windows_sys", &["cli/consent.rs", "lsp/server/lifeline.rs"]),
    ("win32job", &["run/process/tree.rs"]),
    ("xattr::", &["cli/rewrite/"]),
    ("cap_std", &["run/"]),
    ("cap_tempfile", &["run/"]),
    ("jsonschema", &["schema.rs", "schema/"]),
    // JSON escapes characters beyond the BMP as UTF-16; that is not a position.
    ("utf16", &["text/", "json/string.rs"]),
];

#[test]
fn crates_stay_in_their_modules() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut faults, mut used) = (Vec::new(), [false; RULES.len()]);
    walk(&src, &mut |path| {
        let name = path.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
        let text = fs::read_to_string(path).unwrap();
        let code: Vec<_> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for (at, (word, modules)) in RULES.iter().enumerate() {
            let uses = code.iter().any(|line| line.contains(word));
            used[at] |= uses;
            if uses && !modules.iter().any(|module| name.starts_with(module)) {
                faults.push(format!("{word} in {name}"));
            }
        }
    });
    assert!(faults.is_empty(), "{faults:#?}");
    assert_eq!(used, [true; RULES.len()], "a rule on something that is not there");
}

pub fn walk(folder: &Path, visit: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, visit);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            visit(&path);
        }
    }
}
