//! The tokens of chat templates between the texts of messages.

/// Tokens before a role.
pub(super) const OPENERS: [&str; 5] =
    ["<|im_start|>", "<|start_header_id|>", "<|start|>", "<|im_user|>", "<|im_assistant|>"];
/// Tokens between a role and the text.
const MIDDLES: [&str; 4] =
    ["<|end_header_id|>", "<|im_middle|>", "<|message|>", "<|channel|>final<|message|>"];
/// Tokens at the ends of texts.
const ENDS: [&str; 8] = [
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end|>",
    "<|begin_of_text|>",
    "<|end_of_text|>",
    "<|endoftext|>",
    "<|return|>",
];

/// The offsets in `line` at which a message may begin after the end of another message.
pub fn starts_in(line: &str) -> impl Iterator<Item = usize> {
    let (mut ticks, mut last) = (0, 0);
    memchr::memmem::find_iter(line.as_bytes(), "|><|").map(|at| at + 2).filter(move |at| {
        let (before, behind) = line.split_at(*at);
        ticks += before.get(last..).unwrap_or_default().matches('`').count();
        last = *at;
        ticks % 2 == 0
            && ENDS.iter().any(|end| before.ends_with(end))
            && OPENERS.iter().any(|opener| behind.starts_with(opener))
    })
}

/// `text`, which is after a role, without the token at its start.
pub(super) fn without_middle(text: &str) -> &str {
    MIDDLES.iter().find_map(|middle| text.strip_prefix(middle)).unwrap_or(text)
}

/// `text` without the tokens at both ends. All lines stay.
pub fn without_tokens(text: String) -> String {
    let mut own = text.as_str();
    while let Some(rest) = ENDS.iter().find_map(|end| own.trim_start().strip_prefix(end)) {
        own = rest;
    }
    let start = text.len() - own.len();
    while let Some(rest) = ENDS.iter().find_map(|end| own.trim_end().strip_suffix(end)) {
        own = rest;
    }
    let end = start + own.len();
    if (start, end) == (0, text.len()) {
        return text;
    }
    let [before, behind] = [text.get(..start), text.get(end..)].map(Option::unwrap_or_default);
    let blank = |tokens: &str| ENDS.iter().fold(tokens.to_owned(), |text, end| text.replace(end, ""));
    blank(before) + own + &blank(behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_at_ends_are_no_text() {
        let check = |text: &str, expected: &str| assert_eq!(without_tokens(text.to_owned()), expected);
        check("hi<|im_end|>\n", "hi\n");
        check("<|eom_id|>\n\n<|eot_id|> a <|im_end|> b\n<|end|>", "\n\n a <|im_end|> b\n");
        check("`<|im_end|>`\n", "`<|im_end|>`\n");
        check("<|im_end|>", "");
        check("\n\n", "\n\n");
    }

    #[test]
    fn messages_begin_behind_ends() {
        let check =
            |line: &str, expected: &[usize]| assert_eq!(starts_in(line).collect::<Vec<_>>(), expected);
        check("a<|eot_id|><|start_header_id|>user<|end_header_id|>", &[11]);
        check("<|im_end|><|im_start|>user<|im_end|><|im_start|>", &[10, 36]);
        check("`<|im_end|><|im_start|>user` and <|a|><|im_start|>", &[]);
    }
}
