//! `continue --turns`: a model that plays recorded streams, and tools that run, until an answer has
//! no calls.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::model_server::{ModelServer, body, command, recorded, run};
use super::run::{Folder, Run};

const FILE_TOOLS: &str = "tools = [\"preset:file-tools\"]\n";

/// A folder with a transcript, a configuration, and the user's settings for the model at `url`.
fn folder(test: &str, (server, url): (&str, &str), config: &str, chat: &str, more: &str) -> Folder {
    let settings = format!("{more}[model]\nserver = \"{server}\"\nurl = \"{url}\"\nname = \"m\"\n");
    let files = [("chatls.toml", config), ("a.chat.md", chat), ("work/a.txt", "one\n")];
    let files = [files.as_slice(), &[("settings.toml", &*settings)]].concat();
    let files: Vec<_> = files.into_iter().map(|(name, text)| (name, text.as_bytes())).collect();
    Folder::new(test, &files)
}

fn text(folder: &Folder) -> String {
    fs::read_to_string(folder.path.join("a.chat.md")).unwrap()
}

fn fence(members: &str) -> String {
    format!("```tool\n{{\n{members}\n}}\n```\n")
}

const READ: &str = "  \"toolCallId\": \"call_Ka1\",\n  \"toolName\": \"read_file\",\n  \"input\": {\n    \"path\": \
                    \"a.txt\"\n  }";
const WRITE: &str = "  \"toolCallId\": \"call_Ka2\",\n  \"toolName\": \"write_file\",\n  \"input\": {\n    \"path\": \
                     \"b.txt\",\n    \"content\": \"two\\n\"\n  }";

#[test]
fn turns_end_with_an_answer_without_calls() {
    let chat = "**User:** Copy a.txt.\n";
    let server = ModelServer::start(["openai-read", "openai-write", "openai-sunny"].map(recorded).into());
    let folder = folder("turns", ("openai", &server.url), FILE_TOOLS, chat, "");
    let done = run(&folder, &["continue", "--turns", "9", "--in", "work", "--yes", "a.chat.md"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let read = fence(&format!("{READ},\n  \"output\": \"one\\n\""));
    let after = text(&folder);
    let (before_write, written) = after.split_once(&format!("{read}\n")).expect(&after);
    assert_eq!(before_write, format!("{chat}\n**Assistant:**\n\nI look.\n\n"));
    let (write, answer) = written.split_once("```\n\n").expect(&after);
    assert!(write.contains(WRITE) && write.contains("\"output\": "), "{write}");
    assert_eq!(answer, "It is sunny in San Francisco, 18 °C.\n");
    assert_eq!(fs::read_to_string(folder.path.join("work/b.txt")).unwrap(), "two\n");
    assert!(
        done.stderr.contains("a.chat.md:7: read_file {\"path\":\"a.txt\"} by preset:file-tools"),
        "{}",
        done.stderr
    );
    let requests = server.requests.join().unwrap();
    let roles = |request: &Value| -> Vec<String> {
        let messages = request["messages"].as_array().unwrap();
        messages.iter().map(|message| message["role"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(requests.iter().map(|request| roles(request).len()).collect::<Vec<_>>(), [1, 3, 5]);
    // The second call was made after the result of the first one.
    assert_eq!(roles(&requests[2]), ["user", "assistant", "tool", "assistant", "tool"]);
    assert_eq!(
        requests[1]["messages"][2],
        json!({"role": "tool", "tool_call_id": "call_Ka1", "content": "one\n"})
    );
}

#[test]
fn turns_are_counted_and_go_on() {
    let chat = "**User:** Copy a.txt.\n";
    let server = ModelServer::start(["openai-read", "openai-write"].map(recorded).into());
    let folder = folder("turns-count", ("openai", &server.url), FILE_TOOLS, chat, "");
    let one = run(&folder, &["continue", "--turns", "1", "--in", "work", "a.chat.md"]);
    assert!(one.status == 1 && one.stderr.contains("continue again"), "{}", one.stderr);
    let first = text(&folder);
    assert!(first.ends_with(&fence(&format!("{READ},\n  \"output\": \"one\\n\""))), "{first}");
    // A call that nobody agrees to stays pending, and is the first one the next time.
    let refused = run(&folder, &["continue", "--turns", "2", "--in", "work", "a.chat.md"]);
    assert!(refused.status == 2 && refused.stderr.contains("agree with --yes"), "{}", refused.stderr);
    assert_eq!(text(&folder), format!("{first}\n**Assistant:**\n\n{}", fence(WRITE)));
    assert!(!folder.path.join("work/b.txt").exists());
    assert_eq!(server.requests.join().unwrap().len(), 2);
    let server = ModelServer::start(vec![recorded("openai-sunny")]);
    let settings = fs::read_to_string(folder.path.join("settings.toml")).unwrap();
    let line = settings.lines().find(|line| line.starts_with("url")).unwrap();
    let settings = settings.replace(line, &format!("url = \"{}\"", server.url));
    fs::write(folder.path.join("settings.toml"), settings).unwrap();
    let done = run(&folder, &["continue", "--turns", "1", "--in", "work", "--yes", "a.chat.md"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(text(&folder).ends_with("```\n\nIt is sunny in San Francisco, 18 °C.\n"), "{}", text(&folder));
    assert_eq!(server.requests.join().unwrap()[0]["messages"].as_array().unwrap().len(), 5);
    // The options of running have no meaning without turns.
    assert_eq!(run(&folder, &["continue", "--yes", "a.chat.md"]).status, 2);
}

/// The flow of a chat shell: the model writes a marker as text, the tool runs, and its result is in
/// the next request.
#[test]
fn a_marker_in_the_text_is_a_call() {
    let schema = json!({"type": "string", "description": "The city."});
    let city = json!({"name": "city", "type": "string", "description": "The city.", "isRequired": true, "schema": schema});
    let tools = json!({"toolClients": [{"name": "getWeather", "description": "Gets the weather.", "parameters": [city]}]});
    let config = "tools = [\"tools.json\"]\n\n[run.getWeather]\ncommand = [\"./weather.sh\"]\n";
    let chat = "**User:** Check the weather in Oslo\n\n**Assistant:** It rains.\n\n###:{\"toolName\": \"getWeather\", \
                \"parameters\": {\"city\": \"Oslo\"}}\n\n*🔧 Executed getWeather: rain*\n\n**User:** And in San \
                Francisco?\n";
    let server = ModelServer::start(["openai-marker", "openai-sunny"].map(recorded).into());
    let folder = folder("turns-marker", ("openai", &server.url), config, chat, "");
    fs::write(folder.path.join("tools.json"), tools.to_string()).unwrap();
    let script = folder.path.join("weather.sh");
    fs::write(&script, "#!/bin/sh\nread input\nprintf 'sunny, 18 °C, for %s' \"$input\"\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    // The request of the shell has the tools as `toolClients`.
    let request = folder.run(&["request", "--to", "chat-wrapper", "a.chat.md"]);
    let body: Value = serde_json::from_str(&request.stdout).unwrap();
    assert_eq!(body["toolClients"], tools["toolClients"], "{}", request.stdout);
    assert_eq!(body["messages"].as_array().unwrap().last().unwrap()["content"], "And in San Francisco?");

    let home = home(&folder);
    let run = |arguments: &[&str]| Run::of(command(&folder, home.path(), arguments).output().unwrap());
    // Nobody agreed to the program.
    let refused = run(&["continue", "--turns", "3", "--yes", "a.chat.md"]);
    assert_eq!(refused.status, 2, "{}", refused.stderr);
    let pending = format!(
        "{chat}\n**Assistant:**\n\nI look it up.\n\n###:{{\"toolName\":\"getWeather\",\"parameters\":{{\"city\":\"San \
         Francisco\"}}}}\n"
    );
    assert_eq!(text(&folder), pending);
    let (_, hash) = refused.stderr.split_once("chatls trust --allow ").expect(&refused.stderr);
    assert_eq!(run(&["trust", "--allow", hash.split_whitespace().next().unwrap()]).status, 0);
    let done = run(&["continue", "--turns", "3", "--yes", "a.chat.md"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let executed = "*🔧 Executed getWeather: sunny, 18 °C, for {\"city\":\"San Francisco\"}*";
    assert_eq!(text(&folder), format!("{pending}\n{executed}\n\nIt is sunny in San Francisco, 18 °C.\n"));
    let requests = server.requests.join().unwrap();
    let messages = requests[1]["messages"].as_array().unwrap();
    let result = messages.iter().rev().find(|message| message["role"] == "tool").unwrap();
    assert_eq!(result["content"], "sunny, 18 °C, for {\"city\":\"San Francisco\"}");
    assert_eq!(requests[1]["tools"][0]["function"]["name"], "getWeather");
}

/// An index of charts that has nginx only.
fn charts() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let mut request = String::new();
            BufReader::new(&connection).read_line(&mut request).unwrap();
            let has = request.contains("ts_query_web=nginx&");
            let packages = if has { json!([{"name": "nginx", "version": "18.2.4"}]) } else { json!([]) };
            let body = json!({"packages": packages}).to_string();
            let head =
                format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            connection.write_all((head + &body).as_bytes()).unwrap();
        }
    });
    address
}

/// The loop of chartsmith: several calls in an answer, a chart that does not exist, a file.
#[test]
fn the_tools_of_chartsmith_run_in_a_loop() {
    let chat = "## User\n\nWhat's the latest nginx chart version?\n";
    let answers = ["anthropic-versions", "anthropic-unknown", "anthropic-end"];
    let server = ModelServer::start(answers.map(recorded).into());
    let charts = format!("charts = \"{}\"\n\n", charts());
    let config = "tools = [\"preset:chartsmith\"]\n";
    let folder = folder("turns-chartsmith", ("anthropic", &server.url), config, chat, &charts);
    let done = run(&folder, &["continue", "--turns", "5", "--in", "work", "--yes", "a.chat.md"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let listed = folder.run(&["calls", "--format", "jsonl", "a.chat.md"]);
    let calls: Vec<Value> = listed.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let found: Vec<_> = calls.iter().map(|call| (&call["toolCallId"], &call["output"])).collect();
    let expected = [("A", "18.2.4"), ("B", "1.32"), ("C", "?"), ("D", "Created")];
    let expected = expected.map(|(id, output)| (json!(format!("toolu_01{id}")), json!(output)));
    assert_eq!(found, expected.iter().map(|(id, output)| (id, output)).collect::<Vec<_>>());
    assert_eq!(fs::read_to_string(folder.path.join("work/Chart.yaml")).unwrap(), "version: 18.2.4\n");
    let after = text(&folder);
    assert!(after.starts_with(&format!("{chat}\n## Assistant\n\nI look up both.\n\n```tool\n")), "{after}");
    assert!(after.ends_with("\n\nThe latest nginx chart is 18.2.4, and `Chart.yaml` has it.\n"), "{after}");
    let requests = server.requests.join().unwrap();
    let results = json!([
        {"type": "tool_result", "tool_use_id": "toolu_01A", "content": "18.2.4"},
        {"type": "tool_result", "tool_use_id": "toolu_01B", "content": "1.32"},
    ]);
    assert_eq!(requests[1]["messages"][2], json!({"role": "user", "content": results}));
    // The stream of what happened is that of the AI SDK.
    let events = folder.run(&["events", "a.chat.md"]);
    assert!(
        events.stdout.contains("\"toolu_01C\"") && events.stdout.contains("\"output\":\"?\""),
        "{}",
        events.stdout
    );
}

/// A folder of configuration with the settings of `folder`.
fn home(folder: &Folder) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("chatls")).unwrap();
    fs::copy(folder.path.join("settings.toml"), home.path().join("chatls/settings.toml")).unwrap();
    home
}

/// Interrupts a command with Ctrl+C once the transcript contains `word`.
fn interrupted(folder: &Folder, arguments: &[&str], word: &str) {
    let home = home(folder);
    let mut command = command(folder, home.path(), arguments);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !text(folder).contains(word) {
        assert!(child.try_wait().unwrap().is_none(), "it ended: {}", text(folder));
        thread::sleep(Duration::from_millis(20));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let status = child.wait().unwrap();
    assert_eq!(status.signal(), Some(2), "{status}");
}

#[test]
fn an_answer_that_is_interrupted_is_whole() {
    // The server goes on with a code block.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let server = thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        body(&connection);
        let stream = recorded("openai-code");
        let (begun, _) = stream.rsplit_once("data: {\"id\"").unwrap();
        let (begun, _) = begun.rsplit_once("data: {\"id\"").unwrap();
        connection.write_all(begun.as_bytes()).unwrap();
        let more = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"g()\\n\"}}]}\n\n";
        while connection.write_all(more.as_bytes()).is_ok() {
            thread::sleep(Duration::from_millis(50));
        }
    });
    let chat = "**User:** Code?\n";
    let folder = folder("turns-interrupted", ("openai", &url), FILE_TOOLS, chat, "");
    interrupted(&folder, &["continue", "--turns", "2", "a.chat.md"], "f(1)");
    let after = text(&folder);
    assert!(after.starts_with(&format!("{chat}\n**Assistant:**\n\nSo:\n\n```js\nf(1)\n")), "{after}");
    assert!(after.ends_with("\ng()\n```\n"), "{after}");
    server.join().unwrap();
    let leftover: Vec<_> =
        fs::read_dir(&folder.path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!leftover.iter().any(|name| name.to_string_lossy().contains(".tmp")), "{leftover:?}");
}

#[test]
fn a_call_that_is_interrupted_stays_pending() {
    let chat = "**User:** Wait.\n\n**Assistant:** I do.\n\n<tool>wait()</tool>\n";
    let config = "[run.wait]\ncommand = [\"sh\", \"wait.sh\"]\n";
    // Nobody listens there.
    let folder =
        folder("turns-call", ("openai", "http://127.0.0.1:9/v1"), config, chat, "ask = \"never\"\n\n");
    fs::write(folder.path.join("wait.sh"), "echo $$ > started\nsleep 600\n").unwrap();
    let home = home(&folder);
    let asked =
        Run::of(command(&folder, home.path(), &["continue", "--turns", "1", "a.chat.md"]).output().unwrap());
    let (_, hash) = asked.stderr.split_once("chatls trust --allow ").expect(&asked.stderr);
    let hash = hash.split_whitespace().next().unwrap();
    assert!(command(&folder, home.path(), &["trust", "--allow", hash]).status().unwrap().success());
    let mut command = command(&folder, home.path(), &["continue", "--turns", "1", "a.chat.md"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let started = folder.path.join("started");
    let id = loop {
        match fs::read_to_string(&started) {
            Ok(id) if id.ends_with('\n') => break id.trim().to_owned(),
            _ => assert!(child.try_wait().unwrap().is_none(), "it ended"),
        }
        thread::sleep(Duration::from_millis(20));
    };
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().signal(), Some(2));
    assert_eq!(text(&folder), chat);
    // It is killed, which the system does in its own time.
    let ended = (0..500).any(|_| {
        thread::sleep(Duration::from_millis(20));
        !is_alive(&id)
    });
    assert!(ended, "the program still runs");
}

fn is_alive(id: &str) -> bool {
    let state = fs::read_to_string(Path::new("/proc").join(id).join("stat")).unwrap_or_default();
    state.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty() && !rest.trim().starts_with('Z'))
}
