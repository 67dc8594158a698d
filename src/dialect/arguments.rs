//! The arguments of a call as display text: `name(key=value, key=value)`.

use std::borrow::Cow;

use crate::call::Data;

/// Bytes of a value that is looked at for its end: displays show 250 characters of one at most.
const LONGEST_VALUE: usize = 4096;

/// The name that `call` begins with, without blank space around it, and where it begins.
pub fn name_of(call: &str) -> (&str, usize) {
    let name = call.split_once('(').map_or(call, |(name, _)| name);
    (name.trim(), name.len() - name.trim_start().len())
}

/// The arguments of a display as a call's input; `None` where they have no keys.
pub fn input_of<'a>(shown: &'a str, decode: fn(&'a str) -> Cow<'a, str>) -> Option<Data<'a>> {
    let arguments = split(shown, decode);
    (!arguments.is_empty()).then_some(Data::Arguments(arguments))
}

/// What stands between the parentheses of `call`; all after `(` where the display was cut before `)`.
pub fn of_call(call: &str) -> &str {
    let Some((_, rest)) = call.split_once('(') else { return "" };
    match rest.rsplit_once(')') {
        // A display that was cut has lost its `)`.
        Some((arguments, _)) if !rest.trim_end().ends_with('…') => arguments,
        _ => rest.trim_end(),
    }
}

/// Splits display text into keys and values. Strings are displayed bare, so a comma may belong to a value: an
/// argument begins at the start or after `, ` where a key and `=` follow, outside of a JSON value's brackets and
/// quotes. `decode` takes back what the dialect escapes.
pub fn split<'a>(
    arguments: &'a str,
    decode: fn(&'a str) -> Cow<'a, str>,
) -> Vec<(Cow<'a, str>, Cow<'a, str>)> {
    let mut starts = Vec::new();
    let mut at = 0;
    while let Some(rest) = arguments.get(at..) {
        let Some(key) = key_len(rest) else { break };
        starts.push((at, at + key));
        let value = at + key + 1;
        let Some(next) = next_argument(arguments, value) else { break };
        at = next;
    }
    let ends = starts.iter().skip(1).map(|(start, _)| start.saturating_sub(2)).chain([arguments.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(&(start, equals), end)| {
            let piece = |from: usize, to: usize| decode(arguments.get(from..to).unwrap_or_default());
            (piece(start, equals), piece(equals + 1, end.max(equals + 1)))
        })
        .collect()
}

/// The length of the key that `text` begins with, if `=` follows it.
fn key_len(text: &str) -> Option<usize> {
    let len = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))?;
    (len > 0 && text.get(len..)?.starts_with('=')).then_some(len)
}

/// Where the argument after the value at `value` begins.
fn next_argument(arguments: &str, value: usize) -> Option<usize> {
    let rest = arguments.get(value..)?;
    let from = json_len(rest).unwrap_or(0);
    let mut commas = rest.get(from..)?.match_indices(", ").map(|(at, comma)| value + from + at + comma.len());
    commas.find(|next| arguments.get(*next..).and_then(key_len).is_some())
}

/// The length of the JSON array, object or string that `text` begins with, escaped or not. What has no end within the
/// length of a display is text.
fn json_len(text: &str) -> Option<usize> {
    let (mut depth, mut in_string, mut at) = (0usize, false, 0);
    while at < LONGEST_VALUE {
        let rest = text.get(at..)?;
        let quote = ["\"", "&quot;"].into_iter().find(|quote| rest.starts_with(quote));
        let character = rest.chars().next()?;
        match (character, quote) {
            ('\\', _) if in_string => at += 1,
            (_, Some(_)) => in_string = !in_string,
            ('[' | '{', _) if !in_string => depth += 1,
            (']' | '}', _) if !in_string => depth = depth.checked_sub(1)?,
            _ if at == 0 => return None,
            _ => {}
        }
        at += quote.map_or(character.len_utf8(), str::len);
        if depth == 0 && !in_string {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::tag::unescape;

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
        check("search(cats)", &[]);
    }
}
