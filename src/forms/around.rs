//! The markup around calls that has no meaning of its own: sections of calls, and elements around
//! the elements of calls.

use std::ops::Range;

/// Its openers and closers.
const AROUND: [(&str, &str); 8] = [
    // Qwen Coder: it contains calls as `<function=…>`.
    ("<tool_call>", "</tool_call>"),
    ("<tool_calls>", "</tool_calls>"),
    ("<function_calls>", "</function_calls>"),
    ("<antml:function_calls>", "</antml:function_calls>"),
    // https://huggingface.co/MiniMaxAI/MiniMax-M2, docs/tool_calling_guide.md.
    ("<minimax:tool_call>", "</minimax:tool_call>"),
    // Kimi and DeepSeek.
    ("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"),
    ("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"),
    ("<｜DSML｜function_calls>", "</｜DSML｜function_calls>"),
];

/// The number of bytes in which such markup beside a call stands.
pub const LONGEST: usize = 100;

/// `text`, which ends at a call, without the openers at its end.
pub fn before(mut text: &str) -> &str {
    loop {
        let end = text.trim_end();
        if has_blank_line(text.get(end.len()..).unwrap_or_default()) {
            return text;
        }
        let end = without_marker(end);
        let Some(shorter) = AROUND.iter().find_map(|(opener, _)| end.strip_suffix(opener)) else {
            return text;
        };
        text = shorter;
    }
}

/// `text`, which begins at the end of a call, without the closers at its start.
pub fn behind(mut text: &str) -> &str {
    loop {
        let start = text.trim_start_matches(|c: char| c.is_whitespace() || c == '>');
        let is_near = !has_blank_line(text.get(..text.len() - start.len()).unwrap_or_default());
        let shorter = AROUND.iter().find_map(|(_, closer)| start.strip_prefix(closer));
        // Other text on its line may be about it.
        let is_end = |rest: &&str| {
            let rest = rest.trim_start_matches([' ', '\t']);
            rest.is_empty() || rest.starts_with(['\n', '\r', '<'])
        };
        let Some(shorter) = shorter.filter(is_end).filter(|_| is_near) else { return text };
        text = shorter;
    }
}

/// The opener of the summary of an element `<details>`.
pub const SUMMARY: &str = "<summary>";

/// The texts `before` and `behind` a call, without the `<details>` around it. Either the call is
/// the summary, or it begins with `start`, [`SUMMARY`].
pub fn outside_details<'t>(before: &'t str, start: &str, behind: &'t str) -> (&'t str, &'t str) {
    if start == SUMMARY {
        return (without_marker(before).strip_suffix("<details>").unwrap_or(before), behind);
    }
    let opened = before.trim_end().strip_suffix(SUMMARY).map(str::trim_end);
    let opened = opened.and_then(|before| before.strip_suffix("<details>"));
    opened.zip(behind.trim_start().strip_prefix("</details>")).unwrap_or((before, behind))
}

/// `text` without white space and the marker of a quote at its end.
fn without_marker(text: &str) -> &str {
    let end = text.trim_end();
    end.strip_suffix('>').filter(|before| before.ends_with(['\n', '\r'])).unwrap_or(end).trim_end()
}

fn has_blank_line(space: &str) -> bool {
    // A line ends in LF, CR LF or CR.
    space.matches('\n').count().max(space.matches('\r').count()) > 1
}

/// The range of an element, shared among the calls in it, which begin at `starts`.
pub fn shares(element: &Range<usize>, starts: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let bounds: Vec<_> = [element.start].into_iter().chain(starts.skip(1)).chain([element.end]).collect();
    bounds.windows(2).map(|it| it[0]..it[1]).collect()
}

/// Extends the ranges of `calls` in `text` over the markup around them.
pub(super) fn extend<'r>(text: &str, calls: impl Iterator<Item = &'r mut Range<usize>>) {
    let mut end = 0;
    let mut calls = calls.peekable();
    while let Some(call) = calls.next() {
        let next = calls.peek().map_or(text.len(), |next| next.start);
        call.start = end + before(text.get(end..call.start).unwrap_or_default()).len();
        call.end = next - behind(text.get(call.end..next).unwrap_or_default()).len();
        end = call.end;
    }
}

#[cfg(test)]
mod tests {
    use super::super::markup::Markup;

    /// Compares the texts of the calls in `text`.
    #[track_caller]
    fn check(text: &str, calls: &[&str]) {
        let found: Vec<_> = Markup::Calls.elements(text).into_iter().map(|it| &text[it.range]).collect();
        assert_eq!(found, calls);
    }

    #[test]
    fn calls_include_the_markup_around_them() {
        let call = "<invoke name=\"a\">\n</invoke>";
        check(
            &format!("x\n<function_calls>\n{call}\n{call}\n</function_calls>\ny"),
            &[&format!("<function_calls>\n{call}"), &format!("{call}\n</function_calls>")],
        );
        let each = format!("<minimax:tool_call>\n{call}\n</minimax:tool_call>");
        check(&format!("{each}{each} </function_calls"), &[&each, &each]);
        let call = "<|tool_call_begin|>a<|tool_call_argument_begin|>{}<|tool_call_end|>";
        let section = format!("<|tool_calls_section_begin|>{call}<|tool_calls_section_end|>");
        check(&format!("<|tool_calls_section_begin|> is {section}<|end|>."), &[&section]);
        check(&format!("{section}."), &[&section.replace("<|tool_calls_section_end|>", "")]);
        let apart = "<invoke name=\"a\">\n</invoke>";
        check(&format!("<function_calls>\n\n{apart}\n\n</function_calls>"), &[apart]);
        check("a[TOOL_CALLS][{\"name\": \"a\"}]</s>b", &["[TOOL_CALLS][{\"name\": \"a\"}]</s>"]);
        check("[TOOL_CALLS][{\"name\": \"a\"}] b</s>", &["[TOOL_CALLS][{\"name\": \"a\"}]"]);
    }
}
