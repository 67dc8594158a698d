//! Fixtures of conversions in documents: the text with the cursor, and the converted text.

use std::sync::Arc;

use proptest::prelude::*;

use super::{ConversionError, ConversionScope, checked_plan, plan, targets};
use crate::config::{FormatSettings, PayloadLayout, Settings};
use crate::diagnostic::Code;
use crate::dialect::{DIALECTS, Dialect};
use crate::document::{Document, Language};
use crate::features::samples::cut_documents;
use crate::registry::{Registry, read_source};
use crate::text::Text;

fn dialect(name: &str) -> &'static Dialect {
    DIALECTS.iter().find(|dialect| dialect.name == name).expect("a dialect")
}

fn open(text: &str, payload: PayloadLayout) -> Document {
    let settings =
        Settings { format: FormatSettings { payload, ..FormatSettings::default() }, ..Settings::default() };
    Document::new(Text::new(text), Language::Markdown, Arc::new(settings))
}

/// Compares the conversion to the dialect `to` of the call at `|`, of its batch if there are two
/// marks, or of all calls if there is none.
#[track_caller]
fn check(marked: &str, to: &str, expected: &str, lost: &str) {
    let at = marked.find('|').unwrap_or_default();
    let scope = match marked.matches('|').count() {
        0 => ConversionScope::Document,
        1 => ConversionScope::Call(at),
        _ => ConversionScope::Batch(at),
    };
    let document = open(&marked.replace('|', ""), PayloadLayout::Compact);
    let plan = plan(&document, scope, dialect(to)).expect("a plan");
    let after = document.edited(&plan.edits);
    assert_eq!(after.text().slice(0..after.text().len()), expected);
    assert_eq!(plan.losses(), lost);
    assert_eq!(super::check_conversion(&super::Unedited::of(&document), &plan), Ok(()));
}

#[test]
fn one_call() {
    check(
        "One\n\n```tool\n{\"toolName\":\"a\",\"input\":{\"p\":|1}}\n```\n\n<tool>b()</tool>\n",
        "tag",
        "One\n\n<tool>a(p=1)</tool>\n\n<tool>b()</tool>\n",
        "",
    );
    check(
        "x <tool>a(p=1)|\nok</tool> y\n",
        "fence",
        "x\n\n```tool\n{\"toolName\":\"a\",\"input\":{\"p\":1},\"output\":\"ok\"}\n```\n\ny\n",
        "",
    );
    check(
        "```json\n{\"type\":\"tool-call\",\"toolCallId\":\"c\",|\"toolName\":\"a\",\"input\":{}}\n```\n",
        "marker",
        "###: {\"toolName\": \"a\", \"parameters\": {}}\n",
        "drops the id",
    );
}

/// The element around the call is replaced with it.
#[test]
fn calls_in_elements_in_a_quote() {
    for end in ["\n", "\r\n", "\r"] {
        let lines = |text: &str| text.replace('\n', &format!("{end}> "));
        check(
            &lines(
                "> _**User**_\n\n---\n\n<details>\n      <summary>|Listed directory a • **1** results</summary>\n\nb\n\n</details>\n\nc\n",
            ),
            "tag",
            &lines("> _**User**_\n\n---\n\n<tool>Listed directory(a)\nb</tool>\n\nc\n"),
            "changes the input",
        );
    }
    let text = "<tool_call>\r\r<function=a>\r</function>|\r\r</tool_call>\r";
    check(text, "tag", "<tool_call>\r\r<tool>a()</tool>\r\r</tool_call>\r", "");
}

#[test]
fn separate_results() {
    check(
        "<tool>a()|</tool>\n\nand\n\n<validation>a\nok</validation>\n\nso\n",
        "fence",
        "```tool\n{\"toolName\":\"a\",\"output\":\"ok\"}\n```\n\nand\n\nso\n",
        "",
    );
    check(
        "```tool\n{\"toolName\":\"a\",|\"output\":\"ok\"}\n```\n",
        "marker",
        "###: {\"toolName\": \"a\", \"parameters\": {}}\n\n*🔧 Executed a: ok*\n",
        "",
    );
    check(
        "> ###: {\"toolName\": \"a\"|}\r\n>\r\n> *🔧 Executed a: ok*\r\n>\r\n> so\r\n",
        "tag",
        "> <tool>a()\r\n> ok</tool>\r\n>\r\n> so\r\n",
        "",
    );
}

#[test]
fn line_ends_of_an_output_become_those_of_the_document() {
    for end in ["\n", "\r\n"] {
        let lines = |text: &str| text.replace('\n', end);
        let fence = lines("> ```tool\n> {\"toolName\":\"a\",|\"output\":\"b\\r\\nc\\rd\"}\n> ```\n");
        check(&fence, "tag", &lines("> <tool>a()\n> b\n> c\n> d</tool>\n"), "");
        check(
            &fence,
            "tagged",
            &lines("> ``` tool (a)\n> (:name \"a\" :args nil)\n>\n> b\n> c\n> d\n> ```\n"),
            "",
        );
    }
}

#[test]
fn containers() {
    check(
        "- > <tool>a(p=1)|\n  > ok\n  >\n  > fine</tool>\n",
        "fence",
        "- > ```tool\n  > {\"toolName\":\"a\",\"input\":{\"p\":1},\"output\":\"ok\\n\\nfine\"}\n  > ```\n",
        "",
    );
    check(
        "```tool\r{\"toolName\":\"a\",|\"output\":\"x\\ny\"}\r```\r",
        "tag",
        "<tool>a()\rx\ry</tool>\r",
        "",
    );
    check(
        "1. ```tool\n   {\"toolName\":\"a\",|\"output\":\"x\\n\\ny\"}\n   ```\n\n   end\n",
        "tag",
        "1. <tool>a()\n   x\n\n   y</tool>\n\n   end\n",
        "",
    );
    check(
        "* so ###: {\"toolName\": \"a\"|} it is\n",
        "fence",
        "* so\n\n  ```tool\n  {\"toolName\":\"a\"}\n  ```\n\n  it is\n",
        "",
    );
}

/// The markup around calls goes with them; a list of calls has no text between them.
#[test]
fn markup_around_calls() {
    let fence = "```tool\n{\"toolName\":\"a\",\"input\":{}}\n```";
    let qwen = "<tool_call>\n<function=a>\n</function>\n</tool_call>\n\nso\n";
    check(&format!("Look.\n\n{qwen}"), "fence", &format!("Look.\n\n{fence}\n\nso\n"), "");
    let quoted = |text: &str| text.lines().map(|line| format!("> {line}\n")).collect::<String>();
    check(&quoted(qwen), "fence", &quoted(&format!("{fence}\n\nso\n")), "");
    let details =
        "<details>\n<summary>Tool: <code>a</code></summary>\n\n```json\n{}\n```\n\n</details>\n\nso\n";
    check(&format!("Look.\n\n{details}"), "fence", &format!("Look.\n\n{fence}\n\nso\n"), "");
    let listed = "_**Assistant**_\n\n<details>\n            <summary>Listed directory a • **1** results</summary>\n\nb\n\n</details>\n\nso\n";
    let call = "```tool\n{\"toolName\":\"Listed directory\",\"input\":\"a\",\"output\":\"b\"}\n```";
    check(listed, "fence", &format!("_**Assistant**_\n\n{call}\n\nso\n"), "");
    let list = "[FunctionCall(id='c', arguments='{}', name='a'), FunctionCall(id='d', arguments='{}', name='a')]\n\n\
        [FunctionExecutionResult(content='x', name='a', call_id='c', is_error=False), \
        FunctionExecutionResult(content='y', name='a', call_id='d', is_error=False)]\n";
    let marker = |output: &str| {
        format!("###: {{\"toolName\": \"a\", \"parameters\": {{}}}}\n\n*🔧 Executed a: {output}*")
    };
    check(list, "marker", &format!("{}\n\n{}\n\n\n", marker("x"), marker("y")), "drops 2 ids");
    let call = r#"{"name": "a", "arguments": {}}"#;
    let list = format!("<|tool_call|>[{call}, {call}]<|/tool_call|>\n\nso\n");
    check(&list, "fence", &format!("{fence}\n\n\n\n{fence}\n\nso\n"), "");
}

#[test]
fn batch_and_document() {
    let text = "```tool\n{\"toolCallId\":\"1\",||\"toolName\":\"a\"}\n```\n<tool>b()\n</tool>\n\n```tool\n{\"toolName\":\"a\"}\n```\n\nend\n\n```tool\n{}\n```\n\n```tool\n{\"toolName\":\"d\"}\n```\n";
    check(
        text,
        "tag",
        "<tool>a()</tool>\n<tool>b()\n</tool>\n\n<tool>a()</tool>\n\nend\n\n```tool\n{}\n```\n\n```tool\n{\"toolName\":\"d\"}\n```\n",
        "drops 1 id",
    );
    check(
        &text.replace('|', ""),
        "tag",
        "<tool>a()</tool>\n<tool>b()\n</tool>\n\n<tool>a()</tool>\n\nend\n\n```tool\n{}\n```\n\n<tool>d()</tool>\n",
        "drops 1 id",
    );
}

#[test]
fn logs() {
    let log = "```jsonl\n{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"a\",\"input\":{}}\n{\"type\":\"tool-call\",\"toolCallId\":\"d\",\"toolName\":\"b\",\"input\":{}}\n{\"type\":\"tool-result\",\"toolCallId\":\"c\",\"output\":1}\n```\n";
    check(
        log,
        "fence",
        "```tool\n{\"toolCallId\":\"c\",\"toolName\":\"a\",\"state\":\"output-available\",\"input\":{},\"output\":1}\n```\n\n```tool\n{\"toolCallId\":\"d\",\"toolName\":\"b\",\"state\":\"input-available\",\"input\":{}}\n```\n",
        "",
    );
    let none = |text: &str, scope| {
        let document = open(text, PayloadLayout::Pretty);
        assert_eq!(plan(&document, scope, dialect("fence")), None);
    };
    // The other records of the log cannot be written.
    none(log, ConversionScope::Call(20));
    none(
        &log.replace("\n```\n", "\n{\"type\":\"text-delta\",\"delta\":\"x\"}\n```\n"),
        ConversionScope::Document,
    );
    none("```tool\n{}\n```\n", ConversionScope::Document);
    none("nothing", ConversionScope::Document);
    none("nothing", ConversionScope::Call(3));
    none("<tool>a()</tool>", ConversionScope::Batch(3));
}

/// The names of gptel's calls are not checked, but the names of calls in fences are.
#[test]
fn tools_are_not_errors_of_forms() {
    let mut registry = Registry::default();
    registry.add(&read_source(r#"{"tools": [{"name": "other", "inputSchema": {"type": "object"}}]}"#, "a"));
    let settings = Settings { registry: Arc::new(registry), ..Settings::default() };
    let text = "``` tool (f :a 1)\n(:name \"f\" :args (:a 1))\n\nok\n```\n";
    let document = Document::new(Text::new(text), Language::Markdown, Arc::new(settings));
    assert_eq!(document.diagnostics(), []);
    let plan = checked_plan(&document, ConversionScope::Document, dialect("fence")).expect("a plan");
    let codes: Vec<_> =
        document.edited(&plan.edits).diagnostics().into_iter().map(|problem| problem.code).collect();
    assert_eq!(codes, [Code::UnknownTool]);
}

#[test]
fn errors_name_call_and_reason() {
    let check = |marked: &str, to: &str, expected: &str| {
        let at = marked.find('|').expect("a position");
        let document = open(&marked.replace('|', ""), PayloadLayout::Compact);
        let refusal = checked_plan(&document, ConversionScope::Call(at), dialect(to)).expect_err("a refusal");
        assert_eq!(refusal.to_string(), expected);
    };
    check(
        "a\n\n<tool>a(|)</tool>\n\n```tool\n{\"toolCallId\":\"tool-call-1\",\"output\":1}\n```\n",
        "fence",
        "the document would have new errors: duplicate-id",
    );
    let faulty = "is incomplete or has errors: fix it first";
    check("\n```tool\n{\"toolName\":\"a\",|\n```\n", "tag", &format!("the call of `a` on line 2 {faulty}"));
    check(
        "```jsonl\n{\"type\":\"tool-call\",\"toolCallId\":\"c\",|\"toolName\":\"a\",\"input\":{}}\n{\"type\":\"text-delta\",\"delta\":\"x\"}\n```\n",
        "fence",
        "the call of `a` on line 2 is part of a fenced log with other lines, which would be lost: convert the whole log",
    );
    check(
        "```jsonl\n{\"type\":\"tool-call\",\"toolCallId\":\"c\",|\"toolName\":\"a\",\"input\":\"x\"}\n```\n",
        "marker",
        "the call of `a` on line 2 cannot be written as a `###:` marker, which has no form for its name or input",
    );
    check(
        "```tool\n{\"toolName\":\"a(b\"|}\n```\n",
        "tag",
        "the call of `a(b` on line 1 cannot be written as a `<tool>` tag, which has no form for its name or input",
    );
    check("<tool>a(|)</tool>\n", "tag", "there is nothing to change here");
    check(
        "[FunctionCall(id='c', arguments='{|}', name='a'), FunctionCall(id='d', arguments='{}', name='b')]\n",
        "fence",
        "this call is in a list with others: convert the whole batch",
    );
}

/// Without its evidence, nothing in the document would be read.
#[test]
fn a_transcript_stays_one() {
    let text = "Action: find\nAction Input: x\nObservation: two\n";
    let settings = Arc::new(Settings { is_named: false, ..Settings::default() });
    let document = Document::new(Text::new(text), Language::Markdown, settings);
    let to = |name: &str| checked_plan(&document, ConversionScope::Document, dialect(name)).map(|_| ());
    assert_eq!((to("stream"), to("fence")), (Err(ConversionError::NoTranscript), Ok(())));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// For any truncated document in any container a plan passes its check, except where errors
    /// affect the text around it.
    #[test]
    fn plans_pass_their_check(
        (text, language) in cut_documents(),
        at in any::<prop::sample::Index>(),
        scope in 0..3_usize,
        to in 0..4_usize,
    ) {
        // The content of an unclosed tag may change; then nothing is converted.
        prop_assume!(!text.contains("Everything that can be wrong"));
        let settings = Settings { format: FormatSettings { payload: PayloadLayout::Pretty, ..FormatSettings::default() }, ..Settings::default() };
        let document = Document::new(Text::new(&text), language, Arc::new(settings));
        let at = at.index(text.len() + 1);
        let scope = [ConversionScope::Call(at), ConversionScope::Batch(at), ConversionScope::Document][scope];
        let (to, _) = targets().nth(to).unwrap();
        if let Some(plan) = plan(&document, scope, to) {
            let mut end = 0;
            for (range, _) in &plan.edits {
                prop_assert!(end <= range.start && text.get(range.clone()).is_some());
                end = range.end;
            }
            let after = document.edited(&plan.edits);
            let checked = checked_plan(&document, scope, to);
            // The other calls of a list cannot be converted without one that has errors.
            let around = if let ConversionScope::Call(at) = scope { ConversionScope::Batch(at) } else { scope };
            let is_torn = super::plan(&document, around, to).is_some_and(|whole| whole.left > 0)
                && matches!(checked, Err(ConversionError::Misread { .. }));
            prop_assert!(is_torn || matches!(checked, Ok(_) | Err(ConversionError::OfList)), "{}\n=====\n{}", text, after.text().slice(0..after.text().len()));
        }
    }
}
