//! Requests: the faults that servers reject, at their places, and the fixes.

use std::sync::Arc;

use super::diagnostics::check_all;
use crate::call::ChatApi;
use crate::config::Settings;
use crate::diagnostic::{Code, Severity};
use crate::document::{Document, Language};
use crate::features::repair::repair;
use crate::features::samples::small;
use crate::text::Text;

/// Checks a JSON document that contains its expectations.
#[track_caller]
fn check(fixture: &str) {
    check_all(fixture, Language::Json, Settings::default());
}

/// Checks a log.
#[track_caller]
pub fn check_log(fixture: &str) {
    check_all(fixture, Language::Log, Settings::default());
}

/// Checks the text after all repairs, which leave nothing.
#[track_caller]
fn check_repair(text: &str, expected: &str) {
    let language = if text.contains("]}\n{") { Language::Log } else { Language::Json };
    let document = Document::new(Text::new(text), language, small(&Settings::default()));
    assert_ne!(document.diagnostics(), [], "{text}");
    let repaired = repair(&document);
    assert_eq!(repaired.document.text().to_string(), expected);
    assert_eq!((repaired.left, repaired.document.diagnostics()), (Vec::new(), Vec::new()));
}

pub const OPENAI: &str = r#"{"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
  {"role": "tool", "tool_call_id": "a", "content": "1"}"#;
pub const ANTHROPIC: &str = r#"{"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]},
  {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "1"}]}"#;
pub const USER: &str = r#"{"role": "user", "content": "q"}"#;

#[test]
fn roles_are_those_of_the_server() {
    check(&format!(r#"{{"messages": [{{"role": «bad-role:"human"», "content": "q"}}, {OPENAI}]}}"#));
    check(&format!(
        r#"[{{"role": "system", "content": "s"}}, {{"role": "developer", "content": "s"}}, {USER}, {OPENAI}]"#
    ));
    check(&format!(
        r#"{{"messages": [{USER}, {ANTHROPIC}, {{"content": "x", "role": «bad-role:"asistant"»}}]}}"#
    ));
    check(&format!(
        r#"{{"model": "m", "messages": [{{"role": «bad-role:"assistant"», "content": "q"}}, {ANTHROPIC}]}}"#
    ));
    check(&format!(
        r#"{{"model": "m", "messages": [{{"role": «bad-role:"system"», "content": "q"}}, {USER}, {ANTHROPIC}]}}"#
    ));
    // An excerpt.
    check(&format!(r#"{{"messages": [{ANTHROPIC}]}}"#));
    // Newer models accept it later.
    check(&format!(
        r#"{{"messages": [{USER}, {{"role": "system", "content": "q"}}, {ANTHROPIC}], "model": "m"}}"#
    ));
    // Another key, no call, an array of others; a session.
    check(&format!(r#"{{"history": [{{"role": "human", "content": "q"}}, {USER}, {OPENAI}]}}"#));
    check(&format!(r#"{{"messages": [{{"role": "human", "content": "q"}}, {USER}]}}"#));
    check(r#"{"messages": [{"role": "human", "content": "q"}, {"role": "gpt", "content": "a"}]}"#);
    check_log(&format!(
        "{}\n{}\n",
        r#"{"type": "user", "message": {"role": "human", "content": ""}}"#,
        OPENAI.replace("},\n", "}\n")
    ));
}

#[test]
fn the_api_may_be_configured() {
    let with = |server, fixture: &str, language| {
        check_all(fixture, language, Settings { api: Some(server), ..Settings::default() });
    };
    for language in [Language::Json, Language::Log] {
        let empty = r#"{"model": "m", "messages": [{"role": "user", "content": «empty-content:""»}, {"role": "assistant", "content": "a"}]}"#;
        let system = r#"{"model": "m", "messages": [{"role": «bad-role:"system"», "content": "s"}, {"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]}"#;
        with(ChatApi::Anthropic, empty, language);
        with(ChatApi::Anthropic, system, language);
        let plain =
            |fixture: &str| fixture.replace("«empty-content:", "").replace("«bad-role:", "").replace('»', "");
        with(ChatApi::OpenAi, &plain(empty), language);
        with(ChatApi::OpenAi, &plain(system), language);
        let role = r#"{"model": "m", "messages": [{"role": «bad-role:"human"», "content": "q"}, {"role": "assistant", "content": "a"}]}"#;
        with(ChatApi::OpenAi, role, language);
        check_all(&plain(role), language, Settings::default());
    }
    // Calls show the server.
    let shown = format!(r#"[{{"role": "system", "content": "q"}}, {USER}, {OPENAI}]"#);
    with(ChatApi::Anthropic, &shown, Language::Json);
}

/// Faults of calls and results by themselves that OpenAI's server rejects.
#[test]
fn calls_and_results_have_the_members_of_the_api() {
    let body = |messages: &str| format!(r#"{{"model": "m", "messages": [{USER}, {messages}, {USER}]}}"#);
    let check_body = |messages: &str, expected: &str| {
        check(&body(messages));
        let text = ["«wrong-type:", "«empty-content:", "«orphan-result:", "«missing-result:", "»"]
            .iter()
            .fold(body(messages), |text, mark| text.replace(mark, ""));
        check_repair(&text, &body(expected));
    };
    let marked = OPENAI.replace(r#""name": "f""#, r#""name": «wrong-type:"f"»"#);
    check_body(&marked.replace(r#""type": "function", "#, ""), &{
        let without = OPENAI.replace(r#""type": "function", "#, "");
        without.replacen(r#"{"id""#, r#"{"type": "function", "id""#, 1)
    });
    check_body(&marked.replace(r#""{}""#, r#"{"q": 1}"#), &OPENAI.replace(r#""{}""#, r#""{\"q\": 1}""#));
    check_body(&marked.replace(r#", "arguments": "{}""#, ""), OPENAI);
    let lost = ANTHROPIC.replace(r#""id": "a", "name": "f""#, r#""name": «wrong-type:"f"»"#);
    check_body(
        &lost.replace(r#""tool_use_id": "a""#, r#""tool_use_id": «orphan-result:"a"»"#),
        &ANTHROPIC.replace(r#""type": "tool_use", "id": "a""#, r#""id": "a", "type": "tool_use""#),
    );
    check_body(
        &OPENAI.replace(r#""content": "1""#, r#""content": «empty-content:null»"#),
        &OPENAI.replace(r#""content": "1""#, r#""content": """#),
    );
    let answer = r#"{"role": "assistant", "content": "1"}"#;
    let empty = r#"{"role": "assistant", "content": "1", "tool_calls": «empty-content:[]»}"#;
    check_body(&format!("{OPENAI}, {empty}"), &format!("{OPENAI}, {answer}"));
    // The real result gets the id; none is invented.
    let lost = OPENAI.replace(r#""tool_call_id": "a", "#, "");
    let shown = lost.replace(r#"{"role": "tool""#, r#"«orphan-result:{»"role": "tool""#);
    check_body(
        &shown.replace(r#"{"id": "a""#, r#"{"id": «missing-result:"a"»"#),
        &lost.replace(r#"{"role": "tool""#, r#"{"tool_call_id": "a", "role": "tool""#),
    );
    // A body without calls; other servers take objects in calls without ids.
    check(&body(r#"{"role": "assistant", "content": «empty-content:null»}"#));
    check(&body(
        r#"{"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]}"#,
    ));
}

/// Empty lists of calls, which other servers than OpenAI's may take, and contents that are missing.
#[test]
fn empty_members_are_found_without_calls() {
    let answer = |content: &str, calls: &str| {
        format!(r#"{{"role": "assistant", "content": {content}, "tool_calls": {calls}}}"#)
    };
    let plain = |text: &str| text.replace("«empty-content:", "").replace('»', "");
    let (empty, none) = ("«empty-content:[]»", "«empty-content:null»");
    let body = |messages: &str| format!(r#"{{"model": "m", "messages": [{USER}, {messages}, {USER}]}}"#);
    let repaired = |content: &str| body(&format!(r#"{{"role": "assistant", "content": {content}}}"#));
    let valid = r#"{"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]}"#;
    for (content, expected) in [(r#""a""#, r#""a""#), (r#""""#, r#""""#), (none, r#""""#)] {
        let text = body(&answer(content, empty));
        check(&text.replace("«empty-content:[]", "«empty-content/warning:[]"));
        check_repair(&plain(&text), &repaired(expected));
        let example = |answer: &str| format!("{valid}\n{{\"messages\": [{USER}, {answer}]}}\n");
        check_log(&example(&answer(content, empty)));
        check_repair(
            &example(&plain(&answer(content, empty))),
            &example(&format!(r#"{{"role": "assistant", "content": {expected}}}"#)),
        );
    }
    // OpenAI's calls show the server.
    let severity = |text: &str| {
        let document = Document::new(Text::new(&plain(text)), Language::Json, Arc::default());
        document.assume_transcript().diagnostics().iter().map(|it| it.severity).collect::<Vec<_>>()
    };
    assert_eq!(severity(&body(&answer(r#""""#, empty))), [Severity::Warning]);
    assert_eq!(severity(&body(&format!("{OPENAI}, {}", answer(r#""""#, empty)))), [Severity::Error]);
    check(&format!("[{USER}, {}, {USER}]", answer(r#""a""#, "[]")));
    // Anthropic's last message may be empty, but must be there, and white space is no text.
    check(&format!(r#"[{USER}, {ANTHROPIC}, {{"role": "assistant", "content": {none}}}]"#));
    check(&format!(r#"[{USER}, {ANTHROPIC}, {{"role": "user", "content": «empty-content:" \n"»}}]"#));
    let part = r#"{"type": "text", "text": «empty-content:"\t "»}"#;
    let space = ANTHROPIC.replacen("[{", &format!("[{part}, {{"), 1);
    check(&format!("[{USER}, {space}]"));
    check_repair(&plain(&format!("[{USER}, {space}]")), &format!("[{USER}, {ANTHROPIC}]"));
    check(&format!(
        r#"[{USER}, {ANTHROPIC}, {{"role": "user", "content": [{{"type": "text", "text": " \\n"}}]}}]"#
    ));
}

/// Calls in lists of messages without a model: OpenAI's server rejects them, other servers may not.
#[test]
fn calls_of_bare_lists_have_the_members_of_the_api() {
    let found = |text: &str| {
        let document = Document::new(Text::new(text), Language::Json, Arc::default());
        document.diagnostics().iter().map(|it| (it.code, it.severity)).collect::<Vec<_>>()
    };
    let list = |messages: &str| format!("[{USER}, {messages}, {USER}]");
    let untyped = OPENAI.replace(r#""type": "function", "#, "");
    let typed = untyped.replacen(r#"{"id""#, r#"{"type": "function", "id""#, 1);
    let object = OPENAI.replace(r#""{}""#, r#"{"q": 1}"#);
    let string = OPENAI.replace(r#""{}""#, r#""{\"q\": 1}""#);
    assert_eq!(found(&list(&untyped)), [(Code::WrongType, Severity::Warning)]);
    check_repair(&list(&untyped), &list(&typed));
    // Templates of models need objects.
    assert_eq!(found(&list(&object)), [(Code::WrongType, Severity::Hint)]);
    let document = Document::new(Text::new(&list(&object)), Language::Json, Arc::default());
    assert_eq!(repair(&document).steps, []);
    // Another call shows the server.
    let whole = OPENAI.replace("\"a\"", "\"b\"");
    let both = |first: &str| list(&format!("{first}, {whole}"));
    assert_eq!(found(&both(&object)), [(Code::WrongType, Severity::Error)]);
    check_repair(&both(&object), &both(&string));
    // Messages in a trace.
    assert_eq!(found(&format!(r#"{{"messages": {}}}"#, list(&object))), []);
    let input = ANTHROPIC.replace(r#", "input": {}"#, "");
    assert_eq!(found(&list(&input)), [(Code::WrongType, Severity::Error)]);
}

#[test]
fn results_are_in_messages_of_the_user() {
    let body = |messages: &str| format!(r#"{{"model": "m", "messages": [{messages}, {USER}]}}"#);
    let call = r#"{"type": "tool_use", "id": "a", "name": "f", "input": {}}"#;
    let result = r#"{"type": "tool_result", "tool_use_id": "a", "content": "1"}"#;
    let marked = result.replace(r#""a""#, r#"«bad-role:"a"»"#);
    check(&body(&format!(r#"{USER}, {{"role": "assistant", "content": [{call}, {marked}]}}"#)));
    let moved = format!(
        r#"{USER}, {{"role": "assistant", "content": [{call}]}}, {{"role": "user", "content": [{result}]}}"#
    );
    let both = format!(r#"{USER}, {{"role": "assistant", "content": [{call}, {result}]}}"#);
    check_repair(&body(&both), &body(&moved));
    let apart = moved
        .replace(r#"{"role": "user", "content": [{"type""#, r#"{"role": "assistant", "content": [{"type""#);
    check_repair(&body(&apart), &body(&moved));
    // Repair removes the first message, whose call was lost.
    let first = r#"{"role": "user", "content": "(the beginning of this conversation was lost)"}"#;
    let orphan = result.replace(r#""a""#, r#""b""#);
    check_repair(
        &body(&format!(r#"{{"role": "user", "content": [{orphan}]}}, {ANTHROPIC}"#)),
        &body(&format!("{first},\n  {ANTHROPIC}")),
    );
}

#[test]
fn contents_are_not_empty() {
    check(&format!(
        r#"[{USER}, {{"role": "assistant", "content": [«empty-content:»{{"type": "text", "text": «empty-content:""»}}]}}, {USER}, {ANTHROPIC}]"#
    ).replace("«empty-content:»", ""));
    check(&format!(r#"[{{"role": "user", "content": «empty-content:""»}}, {ANTHROPIC}]"#));
    check(&format!(
        r#"[{USER}, {ANTHROPIC}, {{"role": "assistant", "content": «empty-content:[ ]»}}, {USER}]"#
    ));
    // The model continues the last message.
    check(&format!(r#"[{USER}, {ANTHROPIC}, {{"role": "assistant", "content": ""}}]"#));
    check(&format!(
        r#"[{{"role": "user", "content": ""}}, {OPENAI}, {{"role": "user", "content": «empty-content:null»}}]"#
    ));
    check(&format!(r#"[{USER}, {OPENAI}, {{"content": «empty-content:null», "role": "assistant"}}]"#));
    check(&format!(
        r#"[{USER}, {OPENAI}, {{"role": "assistant", "content": null, "function_call": {{"name": "f", "arguments": "{{}}"}}}}]"#
    ));
    // A result may be empty.
    check(&format!(
        "[{USER}, {}]",
        ANTHROPIC.replace(r#""content": "1""#, r#""content": [{"type": "text", "text": ""}]"#)
    ));
    // The server is unknown.
    check(&format!(r#"{{"messages": [{{"role": "assistant", "content": ""}}, {USER}]}}"#));
    // Not while it is typed.
    check(&format!(r#"[{{"role": "user", "content": ""}}, {ANTHROPIC}"#));
}

#[test]
fn names_have_the_characters_of_servers() {
    check(&format!("[{USER}, {}]", OPENAI.replace("\"f\"", "«rejected-name:\"a.b\"»")));
    check(&format!(
        "[{USER}, {}]",
        OPENAI.replace("\"f\"", &format!("«rejected-name:\"{}\"»", "f".repeat(65)))
    ));
    check(&format!("[{USER}, {}]", ANTHROPIC.replace("\"f\"", &format!("\"{}\"", "f".repeat(65)))));
    check(&format!("[{USER}, {}]", ANTHROPIC.replace("\"f\"", r#"«rejected-name:"a\u002eb"»"#)));
    check_log(&format!(
        "{{\"messages\": [{USER}, {}]}}\n",
        OPENAI.replace('\n', "").replace("\"f\"", "«rejected-name:\"a b\"»")
    ));
    check_log(&OPENAI.replace("},\n", "}\n").replace("\"f\"", "«rejected-name:\"a.b\"»"));
}

#[test]
fn results_stand_directly_behind_their_calls() {
    let (call, result) = OPENAI.split_once(",\n").expect("two messages");
    check(&format!("[{USER}, {call}, {USER}, {}]", result.replace("\"a\"", "«stream-order:\"a\"»")));
    check(&format!("[{USER}, {call}, {result}, {USER}]"));
    // The text precedes the result; text after it is accepted, and so are messages that are joined.
    let (call, result) = ANTHROPIC.split_once(",\n").expect("two messages");
    let text = r#"{"type": "text", "text": "x"}"#;
    check(&format!(
        "[{USER}, {call}, {}]",
        result.replace("[{", &format!("[{text}, {{")).replace("\"a\"", "«stream-order:\"a\"»")
    ));
    check(&format!("[{USER}, {call}, {}]", result.replace("}]", &format!("}}, {text}]"))));
    check(&format!(r#"[{USER}, {call}, {{"role": "assistant", "content": "x"}}, {result}]"#));
    check(&format!("[{USER}, {call}, {USER}, {}]", result.replace("\"a\"", "«stream-order:\"a\"»")));
    let second = call.replace("\"a\"", "\"b\"");
    let both = format!("{result}, {}", result.replace("\"a\"", "\"b\""));
    check(&format!("[{USER}, {call}, {second}, {both}]"));
    // So do those in a log of such messages. In a session, a user may speak while a tool runs.
    let late = result.replace("\"a\"", "«stream-order/warning:\"a\"»");
    check_log(&format!("{call}\n{USER}\n{late}\n{USER}\n"));
    let session = [call, USER, result, USER].map(|line| line.replacen('{', r#"{"at": 1, "#, 1)).join("\n");
    check_log(&session);
}

#[test]
fn lines_of_a_training_set_are_examples() {
    let valid = r#"{"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]}"#;
    check_log(&format!(
        "{valid}\n\n{}\n{}\n{}\n{}\n«training-example:[»1]\n«training-example:{{»\"messages\n{valid}\n",
        r#"{"messages": [{"role": «training-example:"user"», "content": "q"}]}"#,
        r#"«training-example:{»"prompt": "q"}"#,
        r#"{"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a", "weight": «training-example:0.7»}]}"#,
        r#"{"messages": [{"role": "user", "content": "q"}, {"weight": 0, "role": "assistant", "content": «empty-content:null»}, {"role": "assistant", "content": "x", "weight":1}]}"#,
    ));
    // A broken line may begin like an example.
    for broken in [&valid[1..valid.len() - 2], &valid[1..80], &valid[1..].replace("}, ", "} ")] {
        check_log(&format!("{valid}\n«training-example:{{»{broken}\n{valid}\n"));
    }
    check_log(&format!("{valid}\n«training-example:{{»{} x\n{valid}\n", &valid[1..]));
    // The last line is being written.
    check_log(&format!("{valid}\n{}", &valid[..40]));
    // Prompts, and examples with more than the format has.
    check_log(&format!("{}\n{valid}\n", r#"{"messages": [{"role": "user", "content": "q"}]}"#));
    check_log(&format!("{}\n[]\n", valid.replacen('{', r#"{"id": 1, "#, 1)));
    check_log(&format!(
        "{}\n«training-example:[»]\n",
        valid.replacen('{', r#"{"parallel_tool_calls": false, "tools": [], "#, 1)
    ));
}

#[test]
fn requests_are_repaired() {
    check_repair(
        &format!(
            r#"{{"messages": [{{"role": "human", "content": "q"}}, {{"role": "asistant", "content": "q"}}, {OPENAI}]}}"#
        ),
        &format!(
            r#"{{"messages": [{{"role": "user", "content": "q"}}, {{"role": "assistant", "content": "q"}}, {OPENAI}]}}"#
        ),
    );
    let empty = r#"{"role": "assistant", "content": [{"type": "text", "text": ""}]}"#;
    check_repair(
        &format!("[{USER}, {ANTHROPIC}, {empty}, {USER}]"),
        &format!("[{USER}, {ANTHROPIC}, {USER}]"),
    );
    let blank = ANTHROPIC.replacen("[{", r#"[{"type": "text", "text": ""}, {"#, 1);
    check_repair(&format!("[{USER}, {blank}]"), &format!("[{USER}, {ANTHROPIC}]"));
    check_repair(
        &format!(r#"[{USER}, {OPENAI}, {{"role": "assistant"}}, {{"role": "user", "content": null}}]"#),
        &format!(r#"[{USER}, {OPENAI}, {{"role": "assistant"}}, {{"role": "user", "content": ""}}]"#),
    );
    let listed = |name: &str| {
        let tools = r#"[{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]"#;
        let text = format!(r#"{{"messages": [{USER}, {OPENAI}], "tools": {tools}}}"#);
        text.replace("\"f\"", &format!("\"{name}\""))
    };
    check_repair(&listed("a.b c"), &listed("a_b_c"));
    let (call, result) = OPENAI.split_once(",\n").expect("two messages");
    check_repair(
        &format!("[{USER}, {call}, {USER}, {result}]"),
        &format!("[{USER}, {call}, {}, {USER}]", result.trim()),
    );
    let (call, result) = ANTHROPIC.split_once(",\n").expect("two messages");
    let part = r#"{"type": "tool_result", "tool_use_id": "a", "content": "1"}"#;
    let text = r#"{"type": "text", "text": "x"}"#;
    check_repair(
        &format!("[{USER}, {call}, {}]", result.replace(part, &format!("{text}, {part}"))),
        &format!("[{USER}, {call}, {}]", result.replace(part, &format!("{part}, {text}"))),
    );
    let line = |weight: &str| {
        format!(r#"{{"messages": [{USER}, {{"role": "assistant", "content": "x", "weight": {weight}}}]}}"#)
    };
    check_repair(&format!("{}\n{}\n", line("1"), line("0.2")), &format!("{}\n{}\n", line("1"), line("0")));
}

/// A fix is offered in the editor, where it is tried on a copy first.
#[test]
fn fixes_are_offered() {
    let text = format!(r#"[{{"role": "human", "content": "q"}}, {}]"#, ANTHROPIC.replace("\"f\"", "\"a.b\""));
    let document = Document::new(Text::new(&text), Language::Json, Arc::default());
    let found = document.fixes_in_range(0..text.len());
    let titles: Vec<_> = found
        .iter()
        .map(|found| (found.problem.code, found.fixes.first().map(|fix| fix.title.as_str())))
        .collect();
    assert_eq!(titles, [(Code::BadRole, Some("Write `user`")), (Code::RejectedName, Some("Write `a_b`")),]);
}

/// The server of the Responses API knows the calls of the response before.
#[test]
fn requests_may_continue_a_response() {
    let output =
        |id: &str| format!(r#"[{{"type": "function_call_output", "call_id": {id}, "output": "1"}}, {USER}]"#);
    check(&format!(r#"{{"model": "m", "input": {}}}"#, output("«orphan-result:\"a\"»")));
    check(&format!(r#"{{"model": "m", "previous_response_id": "resp_1", "input": {}}}"#, output("\"a\"")));
}

/// Roles and contents of other systems are none of a server's.
#[test]
fn other_systems_are_left_alone() {
    let text = |parts: &str| format!("[{parts}]");
    // Gemini's history, Genkit's messages.
    check(&text(
        r#"{"role": "user", "parts": [{"text": "q"}]},
  {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
  {"role": "function", "parts": [{"functionResponse": {"name": "f", "response": {"a": 1}}}]},
  {"role": "model", "parts": [{"text": "a"}]}"#,
    ));
    check(&text(&format!(
        r#"{USER}, {{"role": "model", "content": [{{"toolRequest": {{"name": "f"}}}}]}}, {{"role": "tool", "content": [{{"toolResponse": {{"name": "f"}}}}]}}"#
    )));
    // Roles of templates, and of programs that write logs.
    for role in ["ipython", "observation", "control", "exit"] {
        check(&text(&format!(r#"{USER}, {OPENAI}, {{"role": "{role}", "content": "x"}}"#)));
    }
    // Content that is not in `content`.
    for member in [r#""refusal": "no""#, r#""audio": {"id": "audio_1"}"#, r#""parts": []"#] {
        check(&text(&format!(r#"{USER}, {OPENAI}, {{"role": "assistant", "content": null, {member}}}"#)));
    }
    check(&text(&format!(r#"{USER}, {OPENAI}, {{"role": "function", "name": "f", "content": null}}"#)));
    check(&text(&format!(
        r#"{USER}, {{"role": "assistant", "type": "reasoning", "encrypted_content": "x", "content": []}}, {ANTHROPIC}, {USER}"#
    )));
}

/// A log of chats or prompts may begin with a line that looks like an example.
#[test]
fn other_logs_are_no_training_sets() {
    let answered =
        r#"{"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]}"#;
    let asked = r#"{"messages": [{"role": "user", "content": "q"}]}"#;
    check_log(&format!("{answered}\n{asked}\n{asked}\n{asked}"));
}

/// A training example that is cut off is removed: closed, it would teach a wrong answer.
#[test]
fn cut_off_examples_are_removed() {
    let example =
        r#"{"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]}"#;
    for cut in [example.len() - 2, 60, 13] {
        let text = format!("{example}\n{}", &example[..cut]);
        let document = Document::new(Text::new(&text), Language::Log, Arc::default());
        assert_eq!(repair(&document).document.text().to_string(), format!("{example}\n"), "{text}");
    }
}

/// A fix that would change the meaning of a request is not offered.
#[test]
fn unsafe_fixes_are_left_out() {
    let call = |id: &str, name: &str| {
        format!(
            r#"{{"role": "assistant", "content": null, "tool_calls": [{{"id": "{id}", "type": "function", "function": {{"name": "{name}", "arguments": "{{}}"}}}}]}}, {{"role": "tool", "tool_call_id": "{id}", "content": "1"}}"#
        )
    };
    let is_unchanged = |text: &str| {
        let document = Document::new(Text::new(text), Language::Json, Arc::default());
        assert_ne!(document.diagnostics(), [], "{text}");
        assert_eq!(repair(&document).document.text().to_string(), text);
    };
    // The new name is the name of another tool, or no name; another member names the tool.
    is_unchanged(&format!("[{USER}, {}, {}]", call("a", "fs.read"), call("b", "fs_read")));
    is_unchanged(&format!("[{USER}, {}]", call("a", "名前")));
    is_unchanged(&format!(
        r#"{{"messages": [{USER}, {}], "tool_choice": {{"function": {{"name": "fs.read"}}}}}}"#,
        call("a", "fs.read")
    ));
    // The message has the result of another call, too.
    let tool_use = |id: &str| {
        format!(
            r#"{{"role": "assistant", "content": [{{"type": "tool_use", "id": "{id}", "name": "f", "input": {{}}}}]}}"#
        )
    };
    let result = |id: &str| format!(r#"{{"type": "tool_result", "tool_use_id": "{id}", "content": "1"}}"#);
    is_unchanged(&format!(
        r#"[{USER}, {}, {USER}, {}, {{"role": "user", "content": [{}, {}]}}]"#,
        tool_use("a"),
        tool_use("b"),
        result("a"),
        result("b")
    ));
}

#[test]
fn the_first_element_of_an_array_may_be_long() {
    let long = "x".repeat(5000);
    // A request with the role of its first message after the content.
    check(&format!(
        r#"[{{"content": "{long}", "role": "user"}}, {{"role": «bad-role:"human"», "content": "q"}}, {OPENAI}]"#
    ));
    // A session, which may repeat its records.
    let call = r#"{"type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]}}"#;
    let result = r#"{"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "1"}]}}"#;
    let first = format!(
        r#"{{"type": "user", "toolUseResult": "{long}", "message": {{"role": "user", "content": "q"}}}}"#
    );
    check(&format!("[{first}, {call}, {result}, {call}, {result}]"));
}
