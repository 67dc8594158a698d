//! The arguments of a call as display text: `name(key=value, key=value)`.

use std::borrow::Cow;

use crate::call::{Call, CallData, json_of_argument};
use crate::never::OrNever;
use crate::text::{Span, saturate};

/// The number of bytes of each value that are searched for its end.
const LONGEST_VALUE: usize = 4096;

/// The number of bytes beyond [`LONGEST_VALUE`] that a call's values without an end may cost in
/// total.
const MOST_UNENDED: usize = 1 << 20;

/// The name at the start of `call`, without surrounding white space, and its offset.
pub fn name_of(call: &str) -> (&str, usize) {
    let name = call.split_once('(').map_or(call, |(name, _)| name);
    (name.trim(), name.len() - name.trim_start().len())
}

/// True if `call` has the form of a call, `name(key=value, …)` or `name()`, rather than other text.
pub fn is_call(call: &str) -> bool {
    let (name, _) = name_of(call);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/');
    let has_form = !name.is_empty() && name.chars().all(is_name) && call.trim_end().ends_with([')', '…']);
    let Some((_, rest)) = call.split_once('(').filter(|_| has_form) else { return false };
    rest.trim_end() == ")" || key_len(rest).is_some()
}

/// The arguments of a display as a call's input; `None` if they have no keys.
pub fn input_of<'a>(shown: &'a str, decode: fn(&'a str) -> Cow<'a, str>) -> Option<CallData<'a>> {
    let arguments = split(shown, decode);
    (!arguments.is_empty()).then_some(CallData::Arguments(arguments))
}

/// The text between the parentheses of `call`; everything after `(` if the display was cut before
/// `)`.
pub fn of_call(call: &str) -> &str {
    let Some((_, rest)) = call.split_once('(') else { return "" };
    match rest.rsplit_once(')') {
        // A display without its `)` was cut.
        Some((arguments, _)) if !rest.trim_end().ends_with('…') => arguments,
        _ => rest.trim_end(),
    }
}

/// Splits display text into keys and values. Strings are displayed without quotes, so a comma may
/// belong to a value: an argument begins at the start, or after `, ` if a key and `=` follow,
/// outside the brackets and quotes of a JSON value. `decode` reverses the dialect's escaping.
pub fn split<'a>(
    arguments: &'a str,
    decode: fn(&'a str) -> Cow<'a, str>,
) -> Vec<(Cow<'a, str>, Cow<'a, str>)> {
    let piece = |span: Span| decode(span.of(arguments));
    pieces(arguments).into_iter().map(|(key, value)| (piece(key), piece(value))).collect()
}

/// The spans of the arguments of a call in its text: of a display, or of elements. Empty if its
/// input is JSON.
pub fn spans_in(call: &Call<'_>) -> Vec<(Span, Span)> {
    let span = |piece: &str| Span::of_slice(piece, call.content);
    let of_pair = |(key, value): &(Cow<'_, str>, Cow<'_, str>)| Some((span(key)?, span(value)?));
    match (&call.input, call.arguments_span) {
        (_, Some(shown)) => {
            let shift = |span: Span| span.shifted(shown.start as usize);
            let pieces = pieces(shown.of(call.content)).into_iter();
            pieces.map(|(key, value)| (shift(key), shift(value))).collect()
        }
        (Some(CallData::Arguments(arguments)), None) => arguments.iter().filter_map(of_pair).collect(),
        _ => Vec::new(),
    }
}

/// True if the string `text` needs no quotes to be read back, whatever follows it.
pub fn is_bare(text: &str) -> bool {
    let shown = format!("a={text}, b=");
    let [(_, value), (_, end)] = pieces(&shown)[..] else { return false };
    let is_one = value.of(&shown) == text && end.is_empty() && !text.contains(['\n', '\r']);
    is_one && json_of_argument(text).is_none()
}

/// The spans of the keys and values in display text.
fn pieces(arguments: &str) -> Vec<(Span, Span)> {
    let mut starts = Vec::new();
    let mut at = 0;
    let mut unended = MOST_UNENDED;
    while let Some(rest) = arguments.get(at..) {
        let Some(key) = key_len(rest) else { break };
        starts.push((at, at + key));
        let value = at + key + 1;
        let Some(next) = next_argument(arguments, value, &mut unended) else { break };
        at = next;
    }
    let ends = starts.iter().skip(1).map(|(start, _)| start.saturating_sub(2)).chain([arguments.len()]);
    let spans = |(&(start, equals), end)| (Span::new(start, equals), Span::new(equals + 1, end));
    starts.iter().zip(ends).map(spans).collect()
}

/// The construct at an offset of a call in display form. Spans are bytes of the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentContext {
    /// The name.
    Name {
        /// The part written so far.
        span: Span,
        /// True if arguments follow.
        has_arguments: bool,
    },
    /// The key of an argument.
    Key {
        /// The part written so far.
        span: Span,
        /// True if `=` follows.
        has_value: bool,
        /// The missing text before it.
        lead: &'static str,
        /// The missing text after its value.
        trail: &'static str,
    },
    /// The value of an argument.
    Value {
        /// Its key, as written.
        key: Span,
        /// The part written so far.
        span: Span,
    },
}

/// The name of `call`, the construct at its byte `at`, and the keys of its arguments, as written;
/// `None` after its arguments.
pub fn at(call: &str, at: usize) -> Option<(&str, ArgumentContext, Vec<Span>)> {
    let (name, start) = name_of(call);
    let span = Span::new(start, start + name.len());
    let arguments = of_call(call);
    let Some(open) = call.find('(').filter(|open| *open < at) else {
        let is_one = !name.contains(char::is_whitespace)
            && (start <= at || name.is_empty())
            && at <= start + name.len();
        let span = if name.is_empty() { Span::empty(at) } else { span };
        let place = ArgumentContext::Name { span, has_arguments: call.contains('(') };
        return is_one.then_some((name, place, Vec::new()));
    };
    let base = open + 1;
    // A call without `)` may end in white space typed before the next key.
    let is_closed = call.get(base + arguments.len()..).is_some_and(|rest| rest.starts_with(')'));
    let arguments = if is_closed { arguments } else { call.get(base..).never_none()? };
    let at = at - base;
    if at > arguments.len() {
        return None;
    }
    let pieces = pieces(arguments);
    let place = context_of(arguments, at, &pieces)?;
    let keys = pieces.iter().map(|(key, _)| key.shifted(base)).collect();
    let place = match place {
        ArgumentContext::Name { .. } => return None,
        ArgumentContext::Key { span, has_value, lead, trail } => {
            ArgumentContext::Key { span: span.shifted(base), has_value, lead, trail }
        }
        ArgumentContext::Value { key, span } => {
            ArgumentContext::Value { key: key.shifted(base), span: span.shifted(base) }
        }
    };
    Some((name, place, keys))
}

fn context_of(arguments: &str, at: usize, pieces: &[(Span, Span)]) -> Option<ArgumentContext> {
    let position = saturate(at);
    let begins = pieces.iter().any(|(key, _)| key.start == position);
    let inside = pieces.iter().find(|(key, _)| key.start < position && position <= key.end);
    if let Some((key, _)) = inside {
        return Some(ArgumentContext::Key { span: *key, has_value: true, lead: "", trail: "" });
    }
    let value =
        pieces.iter().find(|(_, value)| value.start <= position && position <= value.end).filter(|_| !begins);
    let from = value.map_or(0, |(_, value)| value.start as usize);
    let before = arguments.get(from..at).never_none()?;
    let word = before.len() - before.trim_end_matches(is_key).len();
    let head = before.get(..before.len() - word).never_none()?;
    let in_json = value.is_some_and(|(_, value)| {
        let rest = arguments.get(value.start as usize..).or_never();
        rest.starts_with(['[', '{', '"'])
            && json_len(rest, &mut 0).is_none_or(|len| value.start as usize + len > at)
    });
    let is_key_here = if value.is_some() {
        head.trim_end_matches(' ').ends_with(',') && !in_json
    } else {
        head.is_empty() || head.trim_end().ends_with(',')
    };
    if is_key_here {
        let start = at - word;
        let more = arguments.get(at..)?.find(|c| !is_key(c)).unwrap_or(arguments.len() - at);
        let end = if begins && word == 0 { at } else { at + more };
        let behind = arguments.get(end..).never_none()?;
        let lead = if head.ends_with(',') { " " } else { "" };
        let trail = if key_len(behind).is_some() { ", " } else { "" };
        return Some(ArgumentContext::Key { span: Span::new(start, end), has_value: false, lead, trail });
    }
    value.map(|(key, value)| ArgumentContext::Value { key: *key, span: *value })
}

fn is_key(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// The length of the key at the start of `text`, if `=` follows it.
fn key_len(text: &str) -> Option<usize> {
    let len = text.find(|c| !is_key(c))?;
    (len > 0 && text.get(len..).never_none()?.starts_with('=')).then_some(len)
}

/// The start of the argument after the value at `value`. Takes the bytes of a value without an end
/// from `unended`.
fn next_argument(arguments: &str, value: usize, unended: &mut usize) -> Option<usize> {
    let rest = arguments.get(value..).never_none()?;
    let from = json_len(rest, unended).unwrap_or(0);
    let mut commas = rest.get(from..)?.match_indices(", ").map(|(at, comma)| value + from + at + comma.len());
    commas.find(|next| arguments.get(*next..).and_then(key_len).is_some())
}

/// The length of the JSON array, object or string at the start of `text`, escaped or not; `None` if
/// it has no end. Then takes the number of searched bytes from `unended`.
fn json_len(text: &str, unended: &mut usize) -> Option<usize> {
    if !text.starts_with(['[', '{', '"']) && !text.starts_with("&quot;") {
        return None;
    }
    let most = text.floor_char_boundary(LONGEST_VALUE.max(*unended));
    let len = ended_json_len(text.get(..most).never_none()?);
    if len.is_none() {
        *unended = unended.saturating_sub(most);
    }
    len
}

/// The length of the JSON array, object or string that `text` begins with.
fn ended_json_len(text: &str) -> Option<usize> {
    let (mut depth, mut in_string, mut at) = (0usize, false, 0);
    loop {
        let rest = text.get(at..).never_none()?;
        let quote = ["\"", "&quot;"].into_iter().find(|quote| rest.starts_with(quote));
        let mut characters = rest.chars();
        let character = characters.next()?;
        match (character, quote) {
            ('\\', _) if in_string => at += characters.next()?.len_utf8(),
            (_, Some(_)) => in_string = !in_string,
            ('[' | '{', _) if !in_string => depth += 1,
            (']' | '}', _) if !in_string => depth = depth.checked_sub(1)?,
            _ => {}
        }
        at += quote.map_or(character.len_utf8(), str::len);
        if depth == 0 && !in_string {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::tool_block::unescape;

    #[test]
    fn strings_are_bare_where_they_read_as_themselves() {
        for bare in ["", "a.py", "hello, world", "f(x=1)", "a=b", " x ", "[see", "1.", "\\", "a)"] {
            assert!(is_bare(bare), "{bare}");
        }
        for quoted in ["1", "null", "[]", "a, b=2", "two\nlines", "\"a\"", "{\"a\": 1}"] {
            assert!(!is_bare(quoted), "{quoted}");
        }
    }

    #[test]
    fn long_values_have_ends() {
        let long = format!("{{\"a\": \"{}, b=1\"}}", "x".repeat(100_000));
        let found = split(&format!("o={long}, c=2"), Cow::Borrowed).len();
        assert_eq!(found, 2);
        // Each of these has no end.
        assert_eq!(pieces(&"a=[, ".repeat(20_000)).len(), 20_000);
    }

    #[test]
    fn arguments_are_split_where_a_key_begins() {
        let check = |call: &str, expected: &[(&str, &str)]| {
            let found = split(of_call(call), unescape);
            let found: Vec<_> = found.iter().map(|(key, value)| (&**key, &**value)).collect();
            assert_eq!(found, expected, "{call}");
        };
        check("run()", &[]);
        check("run", &[]);
        check(
            "save(file=a.py, contents=print(&#x27;x&#x27;))",
            &[("file", "a.py"), ("contents", "print('x')")],
        );
        check(
            "run(args=[&quot;uname&quot;, &quot;-a&quot;], n=1)",
            &[("args", "[\"uname\", \"-a\"]"), ("n", "1")],
        );
        check("say(text=hello, world, to=you)", &[("text", "hello, world"), ("to", "you")]);
        check("put(o={&quot;a&quot;: &quot;x, b=1&quot;}, c=2)", &[("o", "{\"a\": \"x, b=1\"}"), ("c", "2")]);
        check("cut(a=1, b=half…", &[("a", "1"), ("b", "half…")]);
        check("cut(a=f(x), b=half…", &[("a", "f(x)"), ("b", "half…")]);
        check("see(text=[see, n=1)", &[("text", "[see"), ("n", "1")]);
        check("say(text=\"a, b=1\", n=2)", &[("text", "\"a, b=1\""), ("n", "2")]);
        check("run(a=1) and more", &[("a", "1")]);
        check("see(text=[&quot;\\à, b=1&quot;], n=1)", &[("text", "[\"\\à, b=1\"]"), ("n", "1")]);
        check("search(cats)", &[]);
    }

    #[test]
    fn the_context_of_an_offset_is_found() {
        let check = |marked: &str, expected: &str| {
            let place = marked.find('|').expect("a position");
            let call = marked.replacen('|', "", 1);
            let found = match at(&call, place) {
                None => "nothing".to_owned(),
                Some((name, ArgumentContext::Name { span, has_arguments }, _)) => {
                    assert_eq!(name, span.of(&call), "{marked}");
                    format!("name {:?} {has_arguments}", span.of(&call))
                }
                Some((_, ArgumentContext::Key { span, has_value, lead, trail }, keys)) => {
                    let keys: Vec<_> = keys.iter().map(|key| key.of(&call)).collect();
                    format!("{:?} {has_value} {lead:?} {trail:?} {}", span.of(&call), keys.join(" "))
                }
                Some((_, ArgumentContext::Value { key, span }, _)) => {
                    format!("{}={:?}", key.of(&call), span.of(&call))
                }
            };
            assert_eq!(found, expected, "{marked}");
        };
        check("|", "name \"\" false");
        check("re|", "name \"re\" false");
        check("r|ead(a=1)", "name \"read\" true");
        check("read| and write", "nothing");
        check("f(|)", "\"\" false \"\" \"\" ");
        check("f(|", "\"\" false \"\" \"\" ");
        check("f(a|)", "\"a\" false \"\" \"\" ");
        check("f(a|=1)", "\"a\" true \"\" \"\" a");
        check("f(|a=1)", "\"\" false \"\" \", \" a");
        check("f(a=|)", "a=\"\"");
        check("f(a=x|y, b=2)", "a=\"xy\"");
        check("f(a=1,|)", "\"\" false \" \" \"\" a");
        check("f(a=1, |)", "\"\" false \"\" \"\" a");
        check("f(a=1, |", "\"\" false \"\" \"\" a");
        check("f(a=1, b|, c=2)", "\"b\" false \"\" \"\" a c");
        check("f(a=1, é|)", "\"é\" false \"\" \"\" a");
        check("f(a=1, |c=2)", "\"\" false \"\" \", \" a c");
        check("f(a=[1, |])", "a=\"[1, ]\"");
        check("f(a=[1], |)", "\"\" false \"\" \"\" a");
        check("f(some text|)", "nothing");
        check("f(a=1)|", "nothing");
        check("f(a=1)|x", "nothing");
    }
}
