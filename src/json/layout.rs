//! The layout of a value: the white space between its tokens, and the edits that change it.
//!
//! Nothing else is changed: the order of keys and the spelling of numbers and strings stay as they
//! are.

use super::Value;
use super::lexer::{JsonTokenKind, Lexer};
use crate::never::OrNever;
use crate::text::Span;

/// The depth below which nothing is laid out in lines: most of the text would be indentation.
pub const DEEPEST: usize = 200;

/// The layout of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonLayout {
    /// One line per member and item, like `JSON.stringify` with this number of spaces per level;
    /// below [`DEEPEST`] no white space.
    Pretty {
        /// Spaces per level.
        indent: usize,
    },
    /// No white space.
    Compact,
}

/// The edits of white space that lay out `value` as `layout`: in text order, in bytes of the text;
/// line ends are `\n`. Empty if the text is not valid JSON.
pub fn layout(value: Value<'_>, layout: JsonLayout) -> Vec<(Span, String)> {
    let text = value.raw();
    let mut lexer = Lexer::new(text);
    let mut edits = Vec::new();
    let (mut before, mut end, mut depth) = (None, 0, 0_usize);
    loop {
        let token = lexer.next();
        match token.kind {
            JsonTokenKind::End => return edits,
            JsonTokenKind::CloseObject | JsonTokenKind::CloseArray => depth = depth.saturating_sub(1),
            JsonTokenKind::OpenObject
            | JsonTokenKind::OpenArray
            | JsonTokenKind::Colon
            | JsonTokenKind::Comma
            | JsonTokenKind::String
            | JsonTokenKind::EscapedString
            | JsonTokenKind::Number
            | JsonTokenKind::Bool
            | JsonTokenKind::Null => {}
            _ => return Vec::new(),
        }
        if let Some(before) = before {
            let space = layout.between(before, token.kind, depth);
            if text.get(end..token.start) != Some(&space) {
                edits.push((Span::new(end, token.start).shifted(value.span().start as usize), space));
            }
        }
        if matches!(token.kind, JsonTokenKind::OpenObject | JsonTokenKind::OpenArray) {
            depth += 1;
        }
        (before, end) = (Some(token.kind), token.end);
    }
}

/// `text`, which is JSON, in the layout `style`.
pub fn laid_out(text: &str, style: JsonLayout) -> String {
    let json = super::parse(text);
    let edits = json.root(text).map(|root| layout(root, style)).unwrap_or_default();
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for (span, space) in edits {
        out.push_str(text.get(end..span.start as usize).or_never());
        out.push_str(&space);
        end = span.end as usize;
    }
    out.push_str(text.get(end..).or_never());
    out
}

/// Nesting depth at the byte `at` of `text`, complete or not; `None` inside a string, a comment or
/// text that is not JSON.
pub fn depth_at(text: &str, at: usize) -> Option<usize> {
    let mut lexer = Lexer::new(text);
    let mut depth = 0_usize;
    loop {
        let token = lexer.next();
        if token.start >= at {
            return Some(depth);
        }
        match token.kind {
            JsonTokenKind::End => return Some(depth),
            JsonTokenKind::OpenObject | JsonTokenKind::OpenArray => depth += 1,
            JsonTokenKind::CloseObject | JsonTokenKind::CloseArray => depth = depth.saturating_sub(1),
            _ if token.end > at => return None,
            _ => {}
        }
    }
}

impl JsonLayout {
    /// A line break and the indentation for `depth`.
    pub fn line(self, depth: usize) -> String {
        match self {
            Self::Pretty { indent } => format!("\n{}", " ".repeat(indent * depth)),
            Self::Compact => String::new(),
        }
    }

    /// The white space between two tokens; `depth` is the number of containers around the second
    /// one, not counting a container that it closes.
    fn between(self, before: JsonTokenKind, behind: JsonTokenKind, depth: usize) -> String {
        use JsonTokenKind::{CloseArray, CloseObject, Colon, Comma, OpenArray, OpenObject};
        let is_end = matches!(behind, CloseObject | CloseArray);
        let is_compact = self == Self::Compact || depth + usize::from(is_end) > DEEPEST;
        match (before, behind) {
            (OpenObject, CloseObject) | (OpenArray, CloseArray) | (_, Colon | Comma) => String::new(),
            _ if is_compact => String::new(),
            (Colon, _) => " ".to_owned(),
            _ => self.line(depth),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::json::{parse, to_compact};

    #[track_caller]
    fn check(text: &str, pretty: &str, compact: &str) {
        assert_eq!(laid_out(text, JsonLayout::Pretty { indent: 2 }), pretty);
        assert_eq!(laid_out(text, JsonLayout::Compact), compact);
    }

    #[test]
    fn only_white_space_changes() {
        check("{}", "{}", "{}");
        check("{ \n}", "{}", "{}");
        check(
            r#"{"b":1.0e+2, "a" : [1 ,{"c":[ ]}],"\u0061":null}"#,
            "{\n  \"b\": 1.0e+2,\n  \"a\": [\n    1,\n    {\n      \"c\": []\n    }\n  ],\n  \"\\u0061\": null\n}",
            r#"{"b":1.0e+2,"a":[1,{"c":[]}],"\u0061":null}"#,
        );
        check("{\r\n\"a\": {}}", "{\n  \"a\": {}\n}", "{\"a\":{}}");
        check("\"x\"", "\"x\"", "\"x\"");
        check("{\"a\": True}", "{\"a\": True}", "{\"a\": True}");
        check("{\"a\": 'x'}", "{\"a\": 'x'}", "{\"a\": 'x'}");
    }

    #[test]
    fn deep_values_are_compact() {
        let nested = |depth: usize, content: &str| "[".repeat(depth) + content + &"]".repeat(depth);
        let pretty = |text: &str| laid_out(text, JsonLayout::Pretty { indent: 2 });
        let inside = pretty(&nested(DEEPEST, r#"{"a":[1,2]}"#));
        let indent = " ".repeat(2 * DEEPEST);
        assert!(inside.contains(&format!("[\n{indent}{{\"a\":[1,2]}}\n")), "{inside}");
        assert_eq!(laid_out(&inside, JsonLayout::Compact), nested(DEEPEST, r#"{"a":[1,2]}"#));
        assert!(pretty(&nested(100_000, "")).len() < 400_000);
    }

    #[test]
    fn depths_of_half_typed_text() {
        let check = |marked: &str, expected: Option<usize>| {
            let at = marked.find('|').expect("a position");
            assert_eq!(depth_at(&marked.replacen('|', "", 1), at), expected, "{marked}");
        };
        check("|{", Some(0));
        check("{|", Some(1));
        check("{\"a\": [1, {|}", Some(3));
        check("{\"a\": [1]|}", Some(1));
        check("{\"a{|\": 1}", None);
        check("{\"a{|", Some(1));
        check("{}}|", Some(0));
        check("{ |  ", Some(1));
    }

    fn any_json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            any::<Option<bool>>().prop_map(|it| serde_json::json!(it)),
            any::<i32>().prop_map(|it| serde_json::json!(it)),
            "[a\\\\\"{},: ]{0,6}".prop_map(|it| serde_json::json!(it)),
        ];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(serde_json::Value::from),
                prop::collection::vec(("[a-z \"]{0,4}", inner), 0..5)
                    .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_layout_matches_serde_json(value in any_json()) {
            let pretty = serde_json::to_string_pretty(&value).expect("JSON");
            let compact = value.to_string();
            for text in [&pretty, &compact] {
                prop_assert_eq!(&laid_out(text, JsonLayout::Pretty { indent: 2 }), &pretty);
                prop_assert_eq!(&laid_out(text, JsonLayout::Compact), &compact);
            }
            let json = parse(&pretty);
            prop_assert_eq!(json.root(&pretty).map(to_compact), Some(compact));
        }
    }
}
