//! Completions while typing: none in ordinary Markdown, and in transcripts none that would replace
//! the typed text on Enter.

use super::super::TRIGGERS;
use super::*;
use crate::features::completion::while_typing::completions_while_typing;

/// A transcript, after which text is typed.
const TRANSCRIPT: &str = "User: hi\n\nAssistant: <tool>read(path=a)\nx</tool>\n\n";

const LANGUAGES: [&str; 34] = [
    "js",
    "ts",
    "json",
    "jsonl",
    "sh",
    "bash",
    "shell",
    "s",
    "sse",
    "sql",
    "t",
    "to",
    "toml",
    "text",
    "txt",
    "tool",
    "tex",
    "typescript",
    "py",
    "rust",
    "rs",
    "go",
    "c",
    "cpp",
    "html",
    "css",
    "yaml",
    "diff",
    "console",
    "md",
    "mermaid",
    "xml",
    "java",
    "",
];

const EDITS: &[&str] = &[
    "# Title\n\nSome prose, with a comma: and a colon.\n",
    "## Tools\n\n### Tool calls: how\n",
    "Setext\n======\n\nOther\n---\n",
    "- a\n- b\n  - c\n  - d: e\n",
    "* tool\n* tools\n* toolchain\n",
    "1. one\n2. two\n\n10) ten\n",
    "- [ ] to do\n- [x] done\n",
    "| a | b |\n|---|:-:|\n| tool | `x` |\n",
    "> quoted\n> > twice\n",
    "> ```js\n> let a = 1;\n> ```\n",
    "- a\n\n  ```sh\n  ls | wc\n  ```\n",
    "    indented code\n    tool\n",
    "[link](https://example.org/a?b=c \"title\") and [ref][1]\n\n[1]: https://example.org\n",
    "![image](a.png) and <https://example.org>\n",
    "`code` and ``a ` b`` and **bold** _it_ ~~no~~\n",
    "a < b > c, a <b>bold</b> word\n",
    "<details>\n<summary>More</summary>\n\ntext\n\n</details>\n",
    "<table>\n<tr><td>a</td></tr>\n</table>\n",
    "<t\n<td\n<th\n",
    "<!-- a comment: \"quoted\" (x=1) -->\n",
    "<div align=\"center\" class=\"a b\">\n<img src=\"a.png\">\n</div>\n",
    "$a = b$ and\n\n$$\n\\sum_{i=1}^n x_i\n$$\n",
    "---\ntitle: \"A page\"\ntags: [a, b]\n---\n",
    "***\n\n___\n",
    "Footnote[^1].\n\n[^1]: The note.\n",
    "Line one  \nline two\\\nline three\n",
    "She said: \"a (b) = c\" > d\n",
    "The tool is a tool of tools; toolbox, toolbar, toolkit, toolchain\n",
    "tool\ntools\ntoolbox\ntoolchain\nToolcall\n",
    "a `<tool>` element and `###:` too\n",
    "Term\n: Definition\n",
    "&amp; &lt; &#39;\n",
    "~~~\nplain\n~~~\n",
    "````md\n```tool\n{\"\n```\n````\n",
    "```\nno language\n```\n",
    "``` js\nf(a = \"b\")\n```\n",
    "```js {1,3} title=\"a.js\"\nx\n```\n",
];

/// Types `edit` after `before`. Returns the offered items, and the text after which each appeared.
fn come_up(before: &str, edit: &str, is_named: bool) -> Vec<(String, String)> {
    let settings = Arc::new(Settings { is_named, ..settings() });
    let mut document = Document::new(Text::new(before), Language::Markdown, settings);
    let mut offered = Vec::new();
    for character in edit.chars() {
        let at = document.text().len();
        let written = character.to_string();
        document.apply(Splice { start: at, removed: 0, inserted: written.len() }, &written);
        let at = at + written.len();
        // Some clients send trigger characters, some send letters with the same kind as a request
        // by key.
        let trigger = Some(character).filter(|it| TRIGGERS.contains(it));
        let asks = trigger.is_some() || character.is_alphanumeric() || character == '_';
        let items = if asks {
            completions_while_typing(&document, at, CompletionRequest { trigger, ..SNIPPETS }).items
        } else {
            Vec::new()
        };
        let typed = document.text().slice(before.len()..at).into_owned();
        offered.extend(items.into_iter().map(|item| (typed.clone(), item.label)));
    }
    offered
}

#[test]
fn ordinary_markdown_has_no_completions() {
    let fences = LANGUAGES.iter().flat_map(|language| {
        [
            format!("```{language}\n"),
            format!("~~~{language}\nx: \"y\"\n~~~\n"),
            format!("- ```{language}\n  a\n  ```\n"),
        ]
    });
    let edits: Vec<String> = EDITS.iter().map(|edit| (*edit).to_owned()).chain(fences).collect();
    assert!(edits.len() > 100);
    for edit in &edits {
        // The only prefix that no common construct shares.
        let is_expected =
            |(typed, _): &(String, String)| typed.trim_start_matches(['-', ' ']).ends_with("too");
        assert_eq!(come_up("# Notes\n\n", edit, false), [], "{edit}");
        let offered = come_up(TRANSCRIPT, edit, false);
        let is_fence = edit.contains("```tool") || edit.contains("~~~tool");
        assert!(offered.iter().all(|it| is_fence && is_expected(it)), "{offered:?} in {edit}");
        let offered = come_up("", edit, true);
        assert!(offered.iter().all(|it| is_fence && is_expected(it)), "{offered:?} in {edit}");
    }
}

#[test]
fn language_is_offered_after_an_unambiguous_prefix() {
    let labels = |edit: &str| {
        let offered = come_up(TRANSCRIPT, edit, false).into_iter().filter(|(typed, _)| typed == edit);
        offered.map(|(_, label)| label).collect::<Vec<_>>()
    };
    assert_eq!(labels("```too"), ["tool"]);
    for edit in
        ["```", "```t", "```to", "```tool", "```json", "```js", "```s", "```nd", "```tool\n", "```tool\n{"]
    {
        assert_eq!(labels(edit), [] as [&str; 0], "{edit}");
    }
    // A request by key gets all items.
    let text = format!("{TRANSCRIPT}```");
    let document = Document::new(Text::new(&text), Language::Markdown, Arc::new(settings()));
    assert_eq!(completions_while_typing(&document, text.len(), SNIPPETS).items.len(), 4);
}

#[test]
fn tag_is_completed_after_its_opening() {
    let offered = come_up(TRANSCRIPT, "<tool>re", false);
    let labels = |edit: &str| {
        let labels = offered.iter().filter(|(typed, _)| typed == edit).map(|(_, label)| label.as_str());
        labels.collect::<Vec<_>>()
    };
    for edit in ["<", "<t", "<to", "<too", "<tool"] {
        assert_eq!(labels(edit), [] as [&str; 0], "{edit}");
    }
    assert_eq!(labels("<tool>"), ["read", "now", "search"]);
    assert_eq!(labels("<tool>re"), ["read"]);
    for edit in ["<toolbar", "a <tool", "- <tool", "<tools>", "</tool"] {
        assert_eq!(come_up(TRANSCRIPT, edit, false), [], "{edit}");
    }
}

#[test]
fn complete_text_stays() {
    let labels = |edit: &str| {
        let offered = come_up(TRANSCRIPT, edit, false).into_iter().filter(|(typed, _)| typed == edit);
        offered.map(|(_, label)| label).collect::<Vec<_>>()
    };
    assert_eq!(labels("<tool>re"), ["read"]);
    assert_eq!(labels("<tool>read"), [] as [&str; 0]);
    assert_eq!(labels("```tool\n{\"toolName\": \"read\", \"input\": {\"limit\": 1"), [] as [&str; 0]);
    assert_eq!(labels("```tool\n{\"toolName\": \"re"), ["read"]);
    assert_eq!(labels("```tool\n{\"toolName\": \"read\", \"input\": {\"all\": tr"), ["true"]);
    assert_eq!(labels("```tool\n{\"toolName\": \"read\", \"input\": {\"all\": true"), [] as [&str; 0]);
    assert_eq!(labels("```tool\n{\"toolName\":"), [] as [&str; 0]);
    assert_eq!(labels("```tool\n{\"toolName\": "), [] as [&str; 0]);
}

/// Clients ask no more after an empty list that is complete.
#[test]
fn lists_that_a_further_character_may_fill_are_incomplete() {
    let may_change = |text: &str| {
        let document = Document::new(Text::new(text), Language::Markdown, Arc::new(settings()));
        let completions = completions_while_typing(&document, text.len(), SNIPPETS);
        assert_eq!(completions.items, [], "{text}");
        completions.may_change
    };
    for text in ["t", "to", "toolc", "> tool", "```t", "```to", "<too"] {
        assert!(may_change(&format!("{TRANSCRIPT}{text}")), "{text}");
    }
    for text in ["", "w", "the", "a t", "table", "toolbox", "```sh\nt", "`t", "    t", "```rust"] {
        let text = format!("{TRANSCRIPT}{text}");
        assert!(!may_change(&text), "{text}");
    }
}

/// Without a configuration that names tools, an empty fence means nothing.
#[test]
fn first_call_is_offered_in_a_fence_for_tools() {
    let labels = |text: &str, configured: bool| {
        let mut settings = Settings { is_named: false, ..settings() };
        let mut registry = Registry::clone(&settings.registry);
        registry.configured = configured;
        settings.registry = Arc::new(registry);
        let at = text.find('|').unwrap();
        let document =
            Document::new(Text::new(&text.replacen('|', "", 1)), Language::Markdown, Arc::new(settings));
        let completions = completions_while_typing(&document, at, SNIPPETS);
        completions.items.into_iter().map(|item| item.label).collect::<Vec<_>>()
    };
    for text in ["# A\n\n```tool\n|", "```tool\n|\n```\n", "> ```tool\n> |\n> ```\n"] {
        assert!(labels(text, true).contains(&"read".to_owned()), "{text}");
        assert_eq!(labels(text, false), [] as [&str; 0], "{text}");
    }
    for text in ["# A\n\n|", "```js\n|\n```\n", "<tool>|", "{|}", "```json\n{|}\n```\n"] {
        assert_eq!(labels(text, true), [] as [&str; 0], "{text}");
    }
}

/// The first call of a document, in one snippet: arguments, then the result, then the text after
/// it.
#[test]
fn new_call_is_offered_after_toolcall() {
    let labels = |edit: &str, is_named: bool| {
        let offered = come_up("# Notes\n\n", edit, is_named).into_iter().filter(|(typed, _)| typed == edit);
        offered.map(|(_, label)| label).collect::<Vec<_>>()
    };
    let all = ["toolcall now", "toolcall read", "toolcall search"];
    assert_eq!(labels("toolca", false), all);
    assert_eq!(labels("toolcall", true), all);
    assert_eq!(labels("> toolcall", false), all);
    assert_eq!(labels("toolcallre", false), all[1..2]);
    for edit in ["toolc", "toolch", "a toolcall", "toolcalls", "```\ntoolcall", "<!-- toolcall", "\ttoolcall"]
    {
        assert_eq!(labels(edit, false), [] as [&str; 0], "{edit}");
    }
    let written = |text: &str, snippets: bool| {
        let settings = Settings { is_named: false, ..settings() };
        let document = Document::new(Text::new(text), Language::Markdown, Arc::new(settings));
        completions_while_typing(
            &document,
            text.len(),
            CompletionRequest { snippets, ..CompletionRequest::default() },
        )
        .items
        .remove(1)
        .edit
    };
    assert_eq!(
        written("# A\n\ntoolcall", true),
        (
            5..13,
            "```tool\n{\n  \"toolCallId\": \"call_1\",\n  \"toolName\": \"read\",\n  \"state\": \"output-available\",\n  \"input\": {\n    \"path\": \"$1\"\n  \\},\n  \"output\": \"$2\"\n\\}\n```\n$0".to_owned()
        )
    );
    let (range, plain) = written("> toolcall", false);
    let document = Document::new(Text::new("> toolcall"), Language::Markdown, Arc::new(settings()));
    let after = document.edited(&[(range, plain)]);
    assert_eq!((after.paired_uses().uses.len(), after.diagnostics()), (1, vec![]), "{}", after.text());
}

/// The items offered at `|` of `marked` while typing.
#[track_caller]
fn labels_at(marked: &str) -> Vec<String> {
    let at = marked.find('|').expect("a position");
    let document = open(&marked.replacen('|', "", 1), settings());
    let found = completions_while_typing(&document, at, SNIPPETS).items;
    assert!(found.iter().all(|item| item.edit.0.start <= at && at <= item.edit.0.end), "{found:?}");
    found.into_iter().map(|item| item.label).collect()
}

#[test]
fn legacy_lines_are_no_code() {
    assert_eq!(labels_at("🔧 **Tool Call:** `re|`\n"), ["read"]);
    assert_eq!(labels_at("🔧 **Tool Call:** `read(|)`\n"), ["path", "limit", "mode", "all"]);
    assert_eq!(labels_at("🔧 **Tool Call:** `now()` and `<tool>re|`\n"), [""; 0]);
}

/// An edit of a block does not touch the prefix of its container.
#[test]
fn prefixes_of_containers_have_no_completions() {
    for (first, prefix) in [("> ", "> "), (">\t", ">\t"), ("-\t", "\t"), ("- > ", "  >\t")] {
        let lines = ["{\"toolName\": \"read\",", "\"input\": {}}", "```"];
        let lines: String = lines.iter().map(|line| format!("{prefix}{line}\n")).collect();
        let text = format!("{first}```tool\n{lines}");
        for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            let (before, behind) = text.split_at(at);
            labels_at(&format!("{before}|{behind}"));
        }
    }
}

#[test]
fn the_opening_line_of_a_fence_has_no_content() {
    for marked in ["```tool |", "~~~tool |", "> ```tool |", "- ```tool |", "<tool>now()</tool>\n\n```tool  |"]
    {
        assert_eq!(labels_at(marked), [""; 0], "{marked}");
        check(marked, "");
    }
    check("```tool\n|", "now read search");
}
