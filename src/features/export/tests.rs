//! Pages and Markdown, also for hostile content.

use std::sync::Arc;

use pulldown_cmark::{Event, Parser, Tag};

use super::*;
use crate::config::Settings;
use crate::document::Language;
use crate::text::Text;

const CHAT: &str = "**User:**\nLook at <b>this</b> & [that](https://example.com).\n\n**Assistant:**\nSure.\n\n\
    <tool>read_file(path=a.py)\none\ntwo</tool>\n\n```tool\n{\"toolName\": \"grep\", \"errorText\": \"no <match>\"}\n```\n\nDone.\n";

/// Content that tries to break out of a page.
const HOSTILE: &str = "**User <img src=x onerror=alert(1)>:**\n<script>alert(1)</script>\n\n</details></section></main>\n\n\
    <img src=x onerror=alert(2)> and ![pic](https://example.com/x.png \"t\") and [go](javascript:alert(3)) \
    [data](data:text/html,x) <a href=\"javascript:alert(4)\" onclick=x>y</a> \u{1b}[31m\u{0} \u{202e}abc\n\n\
    ```tool\n{\"toolName\": \"</summary><script>x</script>\", \"input\": {\"a\": \"\\\" onmouseover=x \"}, \"output\": \"</pre></details><script>y</script>\\nsecond\"}\n```\n\n\
    <tool>a(b=</code><svg onload=x>)\n</details><script>z</script>\nmore</tool>\n";

fn document(text: &str) -> Document {
    Document::new(Text::new(text), Language::Markdown, Arc::new(Settings::default()))
}

/// All tags of a page, as written.
fn tags(html: &str) -> Vec<String> {
    let inside = html.split('<').skip(1).filter_map(|rest| rest.split_once('>'));
    inside.map(|(tag, _)| tag.to_owned()).collect()
}

#[test]
fn page_shows_the_chat() {
    let page = html(&document(CHAT), "a & b.md");
    for part in [
        "<title>a &amp; b.md</title>",
        "<section class=\"message user\">\n<h2 class=\"name\" dir=\"auto\">User</h2>",
        "&lt;b&gt;this&lt;/b&gt; &amp; <a href=\"https://example.com\">that</a>",
        "<details class=\"tools\" dir=\"ltr\">\n<summary class=\"bad\">🔧 2 tool calls · 1 failed</summary>",
        "<div class=\"call done\"><code>read_file(path=a.py)</code><span class=\"mark\"></span>\n<pre>\none\ntwo</pre></div>",
        "<div class=\"call failed\"><code>grep()</code><span class=\"mark\"> ✗</span> no &lt;match&gt;</div>",
        "<p>Done.</p>",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert!(page.ends_with("</main>\n</body>\n</html>\n"));
}

#[test]
fn transcript_content_is_inert() {
    let page = html(&document(HOSTILE), "</title><script>t</script>");
    let known = [
        "!doctype", "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "section", "div",
        "p", "details", "summary", "code", "span", "pre", "strong",
    ];
    for tag in tags(&page) {
        let name = tag.trim_start_matches('/').split([' ', '\n']).next().unwrap_or_default();
        assert!(known.contains(&name), "<{tag}> in\n{page}");
        let attributes = tag.replace("http-equiv=", "");
        assert!(
            !attributes.contains(" on") && !attributes.contains("href") && !attributes.contains("src="),
            "{tag}"
        );
    }
    for element in ["main", "section", "details", "summary", "pre", "div", "p", "code", "span"] {
        let count = |tag: String| page.matches(tag.as_str()).count();
        let opened = count(format!("<{element}>")) + count(format!("<{element} "));
        assert_eq!(opened, count(format!("</{element}>")), "{element}");
    }
    assert!(page.contains("\\u{1b}[31m\\u{0}") || page.contains("\\u{1b}[31m\u{fffd}"), "{page}");
    assert!(page.contains("\\u{202e}abc") && page.contains("[image: pic]"));
    let is_hidden = |c: char| c.is_control() && c != '\n';
    assert!(!page.contains(is_hidden) && !page.contains('\u{202e}'));
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn each_block_has_the_direction_of_its_text() {
    let text =
        "**User:**\n`f(x)` שלום\n\n- ا\n\n  ```js\n  g()\n  ```\n\n```\nh()\n```\n\n| t |\n|---|\n| u |\n";
    let page = html(&document(text), "");
    for part in [
        "<div dir=\"auto\">\n<p><code dir=\"ltr\">f(x)</code> שלום</p>\n</div>",
        "<div dir=\"auto\">\n<ul>\n<li>\n<p>ا</p>\n<div dir=\"ltr\">\n<pre><code class=\"language-js\">g()\n</code></pre>\n</div>\n</li>\n</ul>\n</div>",
        "<div dir=\"ltr\">\n<pre><code>h()\n</code></pre>\n</div>",
        "<div dir=\"auto\">\n<table>",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
}

#[test]
fn markdown_shows_the_chat() {
    let expected = "## User\n\nLook at <b>this</b> & [that](https://example.com).\n\n## Assistant\n\nSure.\n\n\
        **🔧 2 tool calls · 1 failed**\n\n- `read_file(path=a.py)`\n  ```text\n  one\n  two\n  ```\n- `grep()` ✗ `no <match>`\n\nDone.\n";
    assert_eq!(markdown(&document(CHAT)), expected);
    assert_eq!(markdown(&document("")), "");
    let long = "<tool>f()\n```\n## User\n\n    <script>\n- x</tool>\n";
    let text = markdown(&document(long));
    let events: Vec<_> = Parser::new(&text).collect();
    let is_markup = |event: &Event<'_>| {
        matches!(event, Event::Start(Tag::Heading { .. }) | Event::Html(_) | Event::InlineHtml(_))
    };
    assert!(!events.iter().any(is_markup), "{text}");
}

#[test]
fn markdown_of_a_message_does_not_swallow_the_next() {
    let log = r#"{"messages": [
        {"role": "user", "content": "Look:\n\n```py\nx = 1"},
        {"role": "assistant", "content": "<!-- x"},
        {"role": "user", "content": "> ```py\n> x\n\n<tool>"}
    ]}"#;
    let log = Document::new(Text::new(log), Language::Json, Arc::new(Settings::default()));
    let expected = "## User\n\nLook:\n\n```py\nx = 1\n```\n\n## Assistant\n\n````text\n<!-- x\n````\n\n\
        ## User\n\n> ```py\n> x\n\n<tool>\n";
    assert_eq!(markdown(&log), expected);
}

/// The names of other authors are no markup.
#[test]
fn names_are_text_in_markdown() {
    let text = r#"[{"role": "user", "content": "a"}, {"role": "*b* [c](d) <e>", "content": "f"}]"#;
    let document = Document::new(Text::new(text), Language::Json, Arc::default());
    let text = markdown(&document);
    assert_eq!(text, "## User\n\na\n\n## \\*b\\* \\[c](d) \\<e>\n\nf\n");
    let is_plain = |event: Event<'_>| {
        !matches!(event, Event::Start(Tag::Emphasis | Tag::Link { .. }) | Event::InlineHtml(_))
    };
    assert!(Parser::new(&text).all(is_plain), "{text}");
}
