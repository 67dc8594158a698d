//! The sample documents for property tests of features, cut at any byte, in containers, with any
//! line ends.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use proptest::prelude::*;

use crate::config::{Settings, Sizes};
use crate::document::Language;
use crate::text::Text;

/// Sizes by which short texts are read like long ones.
pub const SMALL: Sizes = Sizes { json_segment: 32, long_text: 64, log_part: 2 << 10 };

/// `settings` with [`SMALL`] sizes.
pub fn small(settings: &Settings) -> Arc<Settings> {
    Arc::new(Settings { sizes: SMALL, ..settings.clone() })
}

/// All files of `samples`, in the order of their names.
pub static SAMPLES: LazyLock<Vec<(String, Language)>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let files = std::fs::read_dir(folder).expect("the samples");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    let sample = |path: &Path| {
        let text = std::fs::read_to_string(path).expect("a text");
        let language = Language::of("", &path.to_string_lossy(), &Text::new(&text));
        (text, language)
    };
    paths.iter().map(|path| sample(path)).collect()
});

/// Prefixes of samples.
pub fn cut_documents() -> impl Strategy<Value = (String, Language)> {
    let sample = prop::sample::select(&SAMPLES[..]);
    let prefix = prop::sample::select(vec!["", "> ", "- "]);
    let line_end = prop::sample::select(vec!["\n", "\r\n", "\r"]);
    (sample, prefix, line_end, any::<prop::sample::Index>()).prop_map(
        |((text, language), prefix, line_end, cut)| {
            let prefix = if language == Language::Markdown { prefix } else { "" };
            let mut text = text.replace('\n', &format!("{line_end}{prefix}"));
            let cut = cut.index(text.len() + 1);
            text.truncate((0..=cut).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0));
            (text, language)
        },
    )
}
