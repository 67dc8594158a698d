//! Shortens text for one line of display.

/// `text` in one line and at most `max_chars` characters, the closing `…` included.
pub fn cut(text: &str, max_chars: usize) -> String {
    let mut shown = String::with_capacity(text.len().min(max_chars));
    push_cut(&mut shown, text, max_chars);
    shown
}

pub(crate) fn push_cut(shown: &mut String, text: &str, max_chars: usize) {
    if is_short_line(text, max_chars) {
        return shown.push_str(text);
    }
    let mut rest = text.chars().peekable();
    let mut count = 0;
    while let Some(character) = rest.next() {
        let line_end = character == '\n' || character == '\r';
        if character == '\r' && rest.peek() == Some(&'\n') {
            rest.next();
        }
        if count + 1 == max_chars && rest.peek().is_some() {
            return shown.push('…');
        }
        shown.push(if line_end { ' ' } else { character });
        count += 1;
    }
}

/// True if `text` is one line of at most `max_bytes`, and so of no more characters.
pub(crate) fn is_short_line(text: &str, max_bytes: usize) -> bool {
    text.len() <= max_bytes && memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none()
}
