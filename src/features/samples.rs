//! The sample documents for property tests of features, cut at any byte, in containers, with any
//! line ends.

use proptest::prelude::*;

use crate::document::Language;

/// All samples.
pub const SAMPLES: [(&str, Language); 7] = [
    (include_str!("../../samples/broken.chat.md"), Language::Markdown),
    (include_str!("../../samples/fence.chat.md"), Language::Markdown),
    (include_str!("../../samples/marker.chat.md"), Language::Markdown),
    (include_str!("../../samples/tag.chat.md"), Language::Markdown),
    (include_str!("../../samples/full-stream.jsonl"), Language::Stream),
    (include_str!("../../samples/ui-stream.sse"), Language::Stream),
    (include_str!("../../samples/v4-stream.ndjson"), Language::Stream),
];

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
