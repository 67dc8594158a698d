use std::sync::Arc;

use super::TOOLS;
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::features::folding::{FoldingCapabilities, folding_ranges};
use crate::forms::markup;
use crate::text::Text;

/// The tool uses of a transcript with this text, as `name input → output`.
fn uses(text: &str) -> Vec<String> {
    let document = Document::new(Text::new(text), Language::Markdown, Arc::default());
    assert!(document.assume_transcript().diagnostics().is_empty(), "{text}");
    let shown = |found: &crate::call::ToolUse| {
        let input = found.input.as_ref().map(|input| input.to_json().to_string()).unwrap_or_default();
        let name = found.name.as_deref().unwrap_or_default();
        let output = found.output.as_ref().map(|output| format!(" → {}", output.to_text()));
        let error = found.error_text.as_ref().map(|error| format!(" ✗ {error}"));
        format!("{name} {input}{}", output.or(error).unwrap_or_default())
    };
    document.assume_transcript().tool_uses().iter().map(shown).collect()
}

#[test]
fn the_tools_are_those_of_logs() {
    assert_eq!(TOOLS, markup::tools().collect::<Vec<_>>());
}

#[test]
fn calls_of_cline_have_results() {
    let text = "**Assistant:**\n\nI write.\n\n<write_to_file>\n<path>a.md</path>\n<content>\n# A\n\n```\nx\n```\n\n</content>\n\
        </write_to_file>\n\n**User:**\n\n[write_to_file for 'a.md'] Result:\nsaved\n<environment_details>\n# Time\n\
        </environment_details>\n\n**Assistant:**\n\n<read_file><path>b</path></read_file>\n\n**User:**\n\n\
        [read_file for 'b'] Result:\nThe tool execution failed: none\n";
    let written = r##"write_to_file {"path":"a.md","content":"# A\n\n```\nx\n```\n"} → saved"##;
    let read = r#"read_file {"path":"b"} ✗ The tool execution failed: none"#;
    assert_eq!(uses(text), [written, read]);
    assert_eq!(uses(&text.replace('\n', "\r\n")).len(), 2);
    let quoted = text.lines().map(|line| format!("> {line}\n")).collect::<String>();
    assert_eq!(uses(&quoted), [written, read]);
}

/// A question may have a fence whose end stands before the end of its quote.
#[test]
fn answers_to_questions_of_several_lines_are_results() {
    let text = "**Assistant:**\n\n<ask_followup_question>\n<question>a\n```\nb\n```</question>\n</ask_followup_question>\n\n\
        **User:**\n\n[ask_followup_question for 'a\n```\nb\n```'] Result:\n<answer>\nyes\n</answer>\n\n\
        **Assistant:**\n\n<read_file>\n<path>b</path>\n</read_file>\n";
    let question = "ask_followup_question {\"question\":\"a\\n```\\nb\\n```\"} → <answer>\nyes\n</answer>";
    assert_eq!(uses(text), [question, r#"read_file {"path":"b"}"#]);
}

/// Tools of Llama itself are called by their names, by an object, or by code.
#[test]
fn calls_in_python_are_read() {
    let answer = "<|eom_id|><|start_header_id|>ipython<|end_header_id|>\n\nok<|eot_id|>";
    let call = |text: &str| format!("User: a\n\nAssistant: <|python_tag|>{text}{answer}\n");
    for (text, expected) in [
        ("find.call(q=\"a b\", n=\"1\")", r#"find {"q":"a b","n":1} → ok"#),
        (r#"{"type": "function", "name": "find", "parameters": {"q": 1}}"#, r#"find {"q":1} → ok"#),
        ("import a\n\na.b()", r#"python "import a\n\na.b()" → ok"#),
    ] {
        assert_eq!(uses(&call(text)), [expected]);
        assert_eq!(uses(&call(text).replace('\n', "\r\n")).len(), 1);
    }
    let first = "User: a\n\n<|python_tag|>find.call()<|eot_id|>\n\n<|python_tag|>find.call()<|eom_id|>\n";
    assert_eq!(uses(first), ["find {}", "find {}"]);
    assert!(uses("`<|python_tag|>` is a token, and <|python_tag|>, too").is_empty());
}

/// The call and its result stand in two messages.
#[test]
fn calls_and_results_fold() {
    let text = "**Assistant:**\n\n<read_file>\n<path>a</path>\n</read_file>\n\n**User:**\n\n[read_file for 'a'] Result:\n1\n2\n";
    let document = Document::new(Text::new(text), Language::Markdown, Arc::default());
    let folds = folding_ranges(&document, FoldingCapabilities::default());
    let labels = folds.iter().filter_map(|fold| Some((fold.start_line, fold.label?.to_string())));
    let label = "🔧 read_file(path=a) → 2 lines".to_owned();
    assert_eq!(labels.collect::<Vec<_>>(), [(2, label.clone()), (8, label)]);
}

#[test]
fn calls_of_llama_and_anthropic_have_results() {
    let prefix = concat!("ant", "ml:");
    for prefix in ["", prefix] {
        let text = format!(
            "<{prefix}function_calls>\n<{prefix}invoke name=\"run\">\n<{prefix}parameter name=\"c\">ls -l</{prefix}parameter>\n\
             </{prefix}invoke>\n</{prefix}function_calls>\n\n<function_results>\na.py\n</function_results>\n"
        );
        assert_eq!(uses(&text), [r#"run {"c":"ls -l"} → a.py"#]);
    }
    let header = "<|start_header_id|>ipython<|end_header_id|>";
    let text = format!(
        "I look<function=a>{{\"x\": 1}}</function><function=b>{{}}</function><|eom_id|>{header}\n\n1\n\n2<|eot_id|>{header}\n\n3<|eot_id|>\n"
    );
    assert_eq!(uses(&text), ["a {\"x\":1} → 1\n\n2", "b {} → 3"]);
}

/// A whole text of each chat template.
#[test]
fn calls_between_tokens_have_results() {
    let at = r#"look {"at":"shed"} → dry"#;
    for text in [
        "<|start|>user<|message|>a<|end|>\n\n<|start|>assistant<|channel|>commentary to=functions.look \
         <|constrain|>json<|message|>{\"at\": \"shed\"}<|call|>\n\n<|start|>functions.look to=assistant\
         <|channel|>commentary<|message|>dry<|end|>\n",
        "<|im_user|>user<|im_middle|>a\n\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>look\n```json\n\
         {\"at\": \"shed\"}\n```<｜tool▁call▁end｜>\n<｜tool▁output▁begin｜>dry<｜tool▁output▁end｜>\n",
        "a [TOOL_CALLS] [{\"name\": \"look\", \"arguments\": {\"at\": \"shed\"}}]</s>[TOOL_RESULTS] dry[/TOOL_RESULTS]",
        "a <|tool_call|>[{\"name\": \"look\", \"arguments\": {\"at\": \"shed\"}}]<|/tool_call|>\n\n\
         <tool_response>\ndry\n</tool_response>\n",
        "a\n<TOOLCALL>[{\"name\": \"look\", \"arguments\": {\"at\": \"shed\"}}]</TOOLCALL>\n\n\
         <tool_response>\ndry\n</tool_response>\n",
        "a\n<tool_call>look\n<arg_key>at</arg_key>\n<arg_value>shed</arg_value>\n</tool_call>\n\n\
         <tool_response>\ndry\n</tool_response>\n",
        "<tool_call>\n<function=look>\n<parameter=at>\nshed\n</parameter>\n</function>\n</tool_call>\n\n\
         <tool_response>\ndry\n</tool_response>\n",
    ] {
        assert_eq!(uses(text), [at]);
        assert_eq!(uses(&text.replace('\n', "\r\n")), [at]);
        assert_eq!(uses(&text.lines().map(|line| format!("> {line}\n")).collect::<String>()), [at]);
    }
    let two = "- <|tool_call_begin|>functions.look:0<|tool_call_argument_begin|>{}<|tool_call_end|>\
         <|tool_call_begin|>functions.ask:1<|tool_call_argument_begin|>{}<|tool_call_end|>\n";
    assert_eq!(uses(two), ["look {}", "ask {}"]);
    for text in [
        "`[TOOL_CALLS]` and [TOOL_CALLS] are one token</s>.\n",
        "`<|tool_call_begin|>functions.look:0<|tool_call_argument_begin|>{}<|tool_call_end|>`\n",
        "<|channel|>commentary to=functions.look <|message|>{\"a\n",
        "<tool_call>look</tool_call>\n",
    ] {
        assert!(uses(text).is_empty(), "{text}");
    }
}

#[test]
fn elements_without_their_whole_shape_are_text() {
    for text in [
        "<read_file>\n</read_file>\n",
        "<read_file>\n<path>a</path>\n",
        "<read_file>\n<where>a</where>\n</read_file>\n",
        "In <read_file><path>a</path></read_file> a path is named.\n",
        "`<function=a>{}</function>`\n",
        "```xml\n<read_file>\n<path>a</path>\n</read_file>\n```\n",
        "<function=name of it>{}</function>\n",
        "<invoke name=\"a\">b</invoke>\n",
    ] {
        assert_eq!(uses(text), [""; 0], "{text}");
    }
}

#[test]
fn prompts_are_no_transcripts() {
    let prompt = "Use the tools so:\n\n<read_file>\n<path>a</path>\n</read_file>\n";
    let new = |text: &str| {
        let settings = Settings { is_named: false, ..Settings::default() };
        Document::new(Text::new(text), Language::Markdown, Arc::new(settings))
    };
    assert!(!new(prompt).is_transcript());
    assert!(new(&format!("**Assistant:**\n\n{prompt}")).is_transcript());
}
