//! `convert`: tool calls in another dialect, and its reports.

use super::run::Folder;

const FENCE: &[u8] = b"Hi\n\n```tool\n{\"toolCallId\": \"1\", \"toolName\": \"f\", \"input\": {\"a\": \"b\"}, \"output\": \"ok\"}\n```\n";
const LOG: &[u8] = b"{\"type\":\"text-delta\",\"id\":\"t\",\"delta\":\"Hi\"}\n{\"type\":\"tool-input-available\",\"toolCallId\":\"1\",\"toolName\":\"f\",\"input\":{\"a\":1}}\n{\"type\":\"tool-output-available\",\"toolCallId\":\"1\",\"output\":2}\n{\"type\":\"text-delta\",\"id\":\"t\",\"delta\":\"there\"}\n";

fn folder(name: &str) -> Folder {
    Folder::new(name, &[("a.md", FENCE), ("log.jsonl", LOG)])
}

#[test]
fn one_document_is_printed_and_losses_are_reported() {
    let folder = folder("convert");
    let lossy = "`a.md`: converting 1 tool call to a `<tool>` tag drops the id";
    let run = folder.run(&["convert", "--to", "tag", "--lossy", "a.md"]);
    run.check(0, "Hi\n\n<tool>f(a=b)\nok</tool>\n", &format!("warning: {lossy}"));
    let unchanged = lossy.replace("`a.md`:", "`a.md` is unchanged:");
    let refused = format!("error: {unchanged}; `--lossy` accepts that");
    folder.run(&["convert", "--to", "tag", "a.md"]).check(2, "", &refused);
    folder.run(&["convert", "--to", "tag", "--write", "a.md"]).check(2, "", &refused);
    assert_eq!(std::fs::read(folder.path.join("a.md")).unwrap(), FENCE);
    let run = folder.run(&["convert", "--to", "tag", "."]);
    assert!(run.status == 2 && run.stderr.contains("--write"), "{}", run.stderr);
    let run = folder.run(&["convert", "--to", "tag"]);
    assert!(run.status == 2 && run.stderr.contains("<PATHS>"), "{}", run.stderr);
    // Options that always fail are not in the help.
    for command in ["convert", "fmt"] {
        assert!(!folder.run(&[command, "--help"]).stdout.contains("--records"), "{command}");
    }
    assert!(!folder.run(&["convert", "--help"]).stdout.contains("[default: .]"));
    assert_eq!(folder.run(&["convert", "--to", "yaml", "a.md"]).status, 2);
}

/// Long values are whole in tags, and so are numbers that no machine number holds.
#[test]
fn long_data_stays_whole() {
    let (text, number) = ("x, b=2\\n".repeat(2000), "123456789012345678901234567890");
    let fence = format!(
        "```tool\n{{\"toolName\":\"f\",\"input\":{{\"s\":\"{text}\",\"n\":{number},\"e\":1e400,\"t\":\"1\"}},\"output\":\"{text}\"}}\n```\n"
    );
    let folder = Folder::new("convert-long", &[("a.md", fence.as_bytes())]);
    let tag = folder.run(&["convert", "--to", "tag", "a.md"]);
    assert_eq!((tag.status, tag.stderr.as_str()), (0, ""));
    std::fs::write(folder.path.join("b.md"), tag.stdout).unwrap();
    let back = folder.run(&["convert", "--to", "fence", "b.md"]).stdout;
    let data = |text: &[u8]| {
        let line = folder.run_with_input(&["calls", "-"], text).stdout;
        line[line.find("\"input\"").unwrap()..line.find(",\"line\"").unwrap()].to_owned()
    };
    assert!(data(back.as_bytes()).contains(&format!("\"n\":{number},\"e\":1e400,")), "{back}");
    assert_eq!(data(back.as_bytes()), data(fence.as_bytes()));
}

#[test]
fn a_log_becomes_a_document_with_its_calls_in_order() {
    let folder = folder("convert-log");
    let run = folder.run(&["convert", "--to", "fence", "log.jsonl"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(
        run.stdout.starts_with("Hi\n\n```tool\n{") && run.stdout.ends_with("```\n\nthere\n"),
        "{}",
        run.stdout
    );
    let back = folder.run_with_input(&["calls", "-"], run.stdout.as_bytes()).stdout;
    let call: serde_json::Value = serde_json::from_str(&back).unwrap();
    assert_eq!(
        (&call["toolCallId"], &call["input"]["a"], &call["output"]),
        (&"1".into(), &1.into(), &2.into())
    );
    let run = folder.run(&["convert", "--to", "fence", "--write", "log.jsonl"]);
    assert!(run.status == 2 && run.stderr.contains("another name"), "{}", run.stderr);
    assert_eq!(std::fs::read(folder.path.join("log.jsonl")).unwrap(), LOG);
}

#[test]
fn files_are_written_in_place() {
    let folder = Folder::new("convert-write", &[("a.chat.md", FENCE), ("a.md", FENCE), ("log.jsonl", LOG)]);
    let run = folder.run(&["convert", "--to", "stream", "--write", "."]);
    // By its content alone, it would be no transcript any more.
    let reason =
        "the document would no longer be read as a transcript: name it `*.chat.md`, or add it to `include`";
    run.check(2, "", &format!("error: `a.md` is unchanged: {reason}"));
    assert_eq!(std::fs::read(folder.path.join("a.md")).unwrap(), FENCE);
    let written = std::fs::read_to_string(folder.path.join("a.chat.md")).unwrap();
    assert!(written.starts_with("Hi\n\n```jsonl\n{\"type\":"), "{written}");
    assert_eq!(std::fs::read(folder.path.join("log.jsonl")).unwrap(), LOG);
}

#[test]
fn records_without_an_equivalent_are_reported() {
    let more =
        [LOG, b"{\"type\":\"finish\"}\n{\"type\":\"reasoning-delta\",\"id\":\"r\",\"delta\":\"hm\"}\njunk\n"]
            .concat();
    let folder = Folder::new("convert-others", &[("log.jsonl", &more)]);
    let run = folder.run(&["convert", "--to", "fence", "--lossy", "log.jsonl"]);
    assert!(run.status == 0 && run.stderr.contains("2 other records are left out"), "{}", run.stderr);
    let run = folder.run(&["convert", "--to", "fence", "log.jsonl"]);
    assert!(run.status == 2 && run.stdout.is_empty(), "{}", run.stdout);
}

/// A refusal names the first call, its line and the reason.
#[test]
fn calls_that_cannot_be_written_are_named() {
    let call = |id: u8, input: &str| {
        format!(
            "{{\"type\":\"tool-input-available\",\"toolCallId\":\"{id}\",\"toolName\":\"f\",\"input\":{input}}}\n"
        )
    };
    let log = [call(1, "{}"), call(2, "[1]"), call(3, "[2]")].concat();
    let folder = Folder::new("convert-left", &[("log.jsonl", log.as_bytes())]);
    let run = folder.run(&["convert", "--to", "hermes", "log.jsonl"]);
    let reason = "the call of `f` on line 2 cannot be written as a `<tool_call>` element, which has no form for its \
                  name or input; 1 other tool call is left, too";
    assert!(run.status == 2 && run.stderr.contains(reason), "{}", run.stderr);
}

const CHAT: &str = "**User:** List\n\n**Assistant:**\n\n```tool\n{\"toolCallId\": \"a\", \"toolName\": \"ls\", \"output\": \"x\"}\n```\n\nDone.\n";
const LINE: &str = "{\"messages\":[{\"role\":\"user\",\"content\":\"List\"},{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"ls\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"x\"},{\"role\":\"assistant\",\"content\":\"Done.\"}]}\n";

#[test]
fn transcripts_become_lines_for_fine_tuning() {
    let folder = Folder::new("convert-finetune", &[("a.md", CHAT.as_bytes()), ("b.md", CHAT.as_bytes())]);
    let written = folder.run(&["convert", "--to", "finetune", "."]);
    written.check(0, &LINE.repeat(2), "");
    // They are read back.
    std::fs::write(folder.path.join("one.jsonl"), LINE).unwrap();
    let back = folder.run(&["convert", "--to", "fence", "one.jsonl"]);
    assert!(back.stdout.starts_with("**User:**\n\nList\n\n**Assistant:**\n\n```tool\n"), "{}", back.stdout);
    assert_eq!((back.status, back.stderr.as_str()), (0, ""));
    folder.run_with_input(&["convert", "--to", "finetune", "-"], back.stdout.as_bytes()).check(0, LINE, "");
}

#[test]
fn documents_that_are_not_converted_are_errors() {
    let mcp = include_bytes!("../data/families/mcp.jsonl");
    let files: [(&str, &[u8]); 3] = [("a.jsonl", LINE.as_bytes()), ("b.json", b"[]"), ("c.jsonl", mcp)];
    let folder = Folder::new("convert-refused", &files);
    let reason =
        "its messages are no records of a stream: convert it to a form of messages, such as `--to openai`";
    let run = folder.run(&["convert", "--to", "stream", "a.jsonl"]);
    run.check(2, "", &format!("error: `a.jsonl` is unchanged: {reason}"));
    let run = folder.run(&["convert", "--to", "fence", "b.json"]);
    run.check(2, "", "error: `b.json` is unchanged: it has no messages");
    let reason = "its tool calls are no records of a stream: convert it to Markdown, such as `--to fence`";
    let run = folder.run(&["convert", "--to", "stream", "c.jsonl"]);
    run.check(2, "", &format!("error: `c.jsonl` is unchanged: {reason}"));
}

/// JSON that `check` accepts is converted without losses.
#[test]
fn comments_and_several_values_are_converted() {
    let other = LINE.replace("\"a\"", "\"b\"");
    let two = format!("// one\n{LINE}/* two */ {}", other.replacen('{', "{\"model\":\"m\",", 1));
    let files = [("one.json", format!("// one\n{LINE}")), ("two.json", two)];
    let folder =
        Folder::new("convert-values", &files.each_ref().map(|(name, text)| (*name, text.as_bytes())));
    folder.run(&["convert", "--to", "finetune", "one.json"]).check(0, LINE, "");
    // The members of each value count.
    let run = folder.run(&["convert", "--to", "finetune", "two.json"]);
    let loss = "converting to OpenAI messages for fine-tuning, one conversation per line drops `model`";
    run.check(2, "", &format!("error: `two.json` is left out: {loss}; `--lossy` accepts that"));
    let run = folder.run(&["convert", "--to", "finetune", "--lossy", "two.json"]);
    run.check(0, &[LINE, &other].concat(), &format!("warning: `two.json`: {loss}"));
}

#[test]
fn calls_without_a_result_are_a_warning() {
    let pending = CHAT.replace(", \"output\": \"x\"", "");
    let folder = Folder::new("convert-pending", &[("a.md", pending.as_bytes())]);
    let run = folder.run(&["convert", "--to", "openai", "a.md"]);
    let warning = "warning: `a.md`: 1 call has no result, which servers reject\n";
    assert_eq!((run.status, run.stderr.as_str()), (0, warning));
    assert!(run.stdout.contains("\"tool_calls\""), "{}", run.stdout);
}

#[test]
fn losses_of_messages_are_told() {
    let failed = CHAT.replace("\"output\": \"x\"", "\"errorText\": \"no\"");
    let folder = Folder::new("convert-form", &[("a.md", failed.as_bytes()), ("b.md", b"# Notes\n")]);
    let loss = "converting to messages of OpenAI chat completions drops 1 error status";
    let written = folder.run(&["convert", "--to", "openai", "--lossy", "a.md"]);
    assert_eq!((written.status, written.stderr.trim_end()), (0, &*format!("warning: `a.md`: {loss}")));
    let refused = folder.run(&["convert", "--to", "openai", "a.md"]);
    refused.check(2, "", &format!("error: `a.md` is left out: {loss}; `--lossy` accepts that"));
    folder.run(&["convert", "--to", "openai", "b.md"]).check(
        2,
        "",
        "error: `b.md` is left out: it has no messages",
    );
    let several = "error: several documents cannot be printed as one: name one file, or use `--to finetune`";
    folder.run(&["convert", "--to", "openai", "."]).check(2, "", several);
    let named = "error: messages are JSON, and need another name: print them without --write";
    folder.run(&["convert", "--to", "openai", "--write", "a.md"]).check(2, "", named);
}

/// The marks of a terminal begin messages beside the terminal's calls only.
#[test]
fn lost_speakers_are_a_loss() {
    let terminal = "> Is it dry?\n\n⏺ Look(shed)\n  ⎿  dry\n\n⏺ It is dry.\n";
    let folder = Folder::new("convert-speakers", &[("a.md", terminal.as_bytes())]);
    let lossy = "`a.md`: converting 1 tool call to a `tool` fence loses the speakers of 2 messages";
    let run = folder.run(&["convert", "--to", "fence", "--lossy", "a.md"]);
    assert_eq!((run.status, run.stderr), (0, format!("warning: {lossy}\n")));
    assert_eq!(folder.run(&["convert", "--to", "fence", "a.md"]).status, 2);
}
