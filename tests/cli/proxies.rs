//! Proxies of the environment: none sees what is for this machine, or a request that is not
//! encrypted.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};

use super::model_server::{ModelServer, recorded};
use super::run::{Folder, Run};

/// A proxy that refuses everything. Returns its address, and what is sent to it: the lines of a
/// request up to the empty one.
fn proxy() -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, requests) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let lines = lines.map_while(Result::ok).take_while(|line| !line.is_empty());
            let head = lines.collect::<Vec<_>>().join("\n");
            _ = stream.write_all(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            sender.send(head).unwrap();
        }
    });
    (address, requests)
}

/// A user whose variables name a proxy.
struct User {
    folder: Folder,
    home: tempfile::TempDir,
    proxy: String,
    requests: Receiver<String>,
}

impl User {
    fn new(test: &str, url: &str, chat: &str) -> Self {
        let config = format!(
            "tools = [\"preset:chartsmith\"]\n[servers.s]\nurl = \"{url}\"\nheaders = {{ Key = \"very-secret\" }}\n"
        );
        let files = [("chatls.toml", config.as_bytes()), ("a.chat.md", chat.as_bytes())];
        let (folder, home) = (Folder::new(test, &files), tempfile::tempdir().unwrap());
        let key = if url.contains("model.invalid") && url.starts_with("http:") {
            ""
        } else {
            "key = \"TEST_KEY\"\n"
        };
        let settings = format!("[model]\nserver = \"openai\"\nurl = \"{url}\"\nname = \"m\"\n{key}");
        fs::create_dir_all(home.path().join(".config/chatls")).unwrap();
        fs::write(home.path().join(".config/chatls/settings.toml"), settings).unwrap();
        let (proxy, requests) = proxy();
        Self { folder, home, proxy, requests }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.folder.command_of(self.home.path(), arguments);
        for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
            command.env(name, &self.proxy);
        }
        command.env("TEST_KEY", "very-secret").env_remove("NO_PROXY").env_remove("no_proxy");
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        Run::of(self.command(arguments).output().unwrap())
    }

    /// What was sent to the proxy since the last time.
    fn sent(&self) -> Vec<String> {
        self.requests.try_iter().collect()
    }

    /// Asks the server `s` for its tools, after the consent.
    fn pull(&self, options: &[&str]) -> Run {
        let asked = self.run(&["trust", "--format", "jsonl"]);
        let asked: serde_json::Value = serde_json::from_str(asked.stdout.lines().next().unwrap()).unwrap();
        self.run(&["trust", "--allow", asked["hash"].as_str().unwrap()]).check(0, "", "");
        self.run(&[&["tools", "pull"], options].concat())
    }
}

const CHAT: &str = "**User:** What is the weather?\n";
const SUBCHART: &str = "<tool>latest_subchart_version(chart_name=redis)</tool>\n";

#[test]
fn this_machine_is_not_asked_through_a_proxy() {
    for host in ["127.0.0.1", "localhost", "model.localhost"] {
        let server = ModelServer::start(vec![recorded("openai-sunny")]);
        let url = server.url.replace("127.0.0.1", host);
        let user = User::new("proxies-loopback", &url, CHAT);
        let done = user.run(&["continue", "a.chat.md"]);
        assert_eq!((done.status, user.sent()), (0, Vec::new()), "{host}: {}", done.stderr);
        assert_eq!(server.requests.join().unwrap().len(), 1);
    }
    // An MCP server: it only has to be asked.
    let (address, requests) = proxy();
    let user = User::new("proxies-mcp", &format!("{address}/mcp"), SUBCHART);
    let pulled = user.pull(&[]);
    assert_eq!((pulled.status, user.sent()), (2, Vec::new()), "{}", pulled.stderr);
    let asked: Vec<_> = requests.try_iter().collect();
    assert!(asked[0].starts_with("POST /mcp ") && asked[0].contains("very-secret"), "{asked:?}");
    // The index of charts.
    let charts = user.run(&["run", "--yes", "--charts", &address, "a.chat.md"]);
    assert_eq!((charts.status, user.sent()), (1, Vec::new()), "{}", charts.stderr);
    assert!(requests.recv().unwrap().starts_with("GET /api/v1/packages/search?"));
}

#[test]
fn a_proxy_connects_to_others_and_sees_no_request() {
    let user = User::new("proxies-https", "https://model.invalid/v1", CHAT);
    let connected = |sent: Vec<String>| {
        let is_connection =
            |sent: &String| sent.starts_with("CONNECT model.invalid:443 ") && !sent.contains("secret");
        !sent.is_empty() && sent.iter().all(is_connection)
    };
    let done = user.run(&["continue", "a.chat.md"]);
    assert!(done.status == 2 && connected(user.sent()), "{}", done.stderr);
    assert!(user.pull(&[]).status == 2 && connected(user.sent()));
    // Nothing is connected to that the environment excepts, or with the option.
    let excepted = user.command(&["continue", "a.chat.md"]).env("NO_PROXY", "invalid").output().unwrap();
    assert!(!excepted.status.success() && user.sent().is_empty());
    let direct = user.run(&["continue", "--no-proxy", "a.chat.md"]);
    assert!(direct.status == 2 && user.sent().is_empty(), "{}", direct.stderr);
    assert!(user.pull(&["--no-proxy"]).status == 2 && user.sent().is_empty());
    let user = User::new("proxies-charts", "https://model.invalid/v1", SUBCHART);
    let run = |more: &[&str]| {
        let charts = ["run", "--yes", "--charts", "https://model.invalid", "a.chat.md"];
        user.run(&[charts.as_slice(), more].concat());
        user.sent()
    };
    assert!(connected(run(&[])));
    assert!(run(&["--no-proxy"]).is_empty());
}

#[test]
fn a_proxy_gets_no_request_in_the_clear() {
    let user = User::new("proxies-http", "http://model.invalid/v1", CHAT);
    let done = user.run(&["continue", "a.chat.md"]);
    assert!(done.status == 2 && user.sent().is_empty(), "{}", done.stderr);
    assert!(user.pull(&[]).status == 2 && user.sent().is_empty());
}
