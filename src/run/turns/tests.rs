use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use crate::config::Settings;
use crate::document::Language;
use crate::run::preset::ToolFolder;
use crate::run::{ReadyCall, block_on};
use crate::text::Text;

/// A document that others change: before each edit, the next of `changes` is its text, if there is
/// one.
struct Shared {
    document: Document,
    changes: Vec<&'static str>,
    /// The document that a read finds, counted from 0, or the reason why it fails.
    read: fn(usize, &Document) -> Result<Document, String>,
    reads: usize,
    shown: Vec<String>,
}

fn open(text: &str) -> Document {
    Document::new(Text::new(text), Language::Markdown, Arc::new(Settings::default()))
}

impl TurnHost for Shared {
    fn document(&mut self) -> impl Future<Output = Result<Document, String>> + Send {
        self.reads += 1;
        std::future::ready((self.read)(self.reads - 1, &self.document))
    }

    fn edit(
        &mut self,
        document: &Document,
        edits: Vec<DocumentEdit>,
    ) -> impl Future<Output = Result<(), EditError>> + Send {
        std::future::ready(if self.changes.is_empty() {
            self.document = document.edited(&edits);
            Ok(())
        } else {
            self.document = open(self.changes.remove(0));
            Err(EditError::Changed)
        })
    }

    fn may_send(&mut self, document: &Document, _: &str) -> impl Future<Output = Result<(), String>> + Send {
        let refused = document.text().to_string().contains("secret");
        std::future::ready(if refused { Err("no".to_owned()) } else { Ok(()) })
    }

    fn begin_call(&mut self, _: BegunCall<'_>) -> Result<(), String> {
        Ok(())
    }

    fn on_event(&mut self, event: TurnEvent<'_>) {
        if let TurnEvent::Answering(text) = event {
            self.shown.push(text.to_owned());
        }
    }
}

fn shared(text: &str) -> Shared {
    let read = |_, document: &Document| Ok(document.clone());
    Shared { document: open(text), changes: Vec::new(), read, reads: 0, shown: Vec::new() }
}

/// The end of one answer to `text`, and the document after it.
fn answer(text: &str, changes: &[&'static str]) -> (Result<AnswerEnd, TurnsError>, String) {
    let mut host = Shared { changes: changes.to_vec(), ..shared(text) };
    let answered = answer_in(&mut host, YES);
    if !host.shown.is_empty() {
        assert_eq!(host.shown.last().map(|text| text.trim()), Some("**Assistant:**\n\nYes."));
    }
    (answered.map(|(end, _)| end), host.document.text().to_string())
}

/// The end of one answer in `host`, and its calls. The answer is one event with `delta`.
fn answer_in(host: &mut Shared, delta: &str) -> Result<(AnswerEnd, Vec<CallAnchor>), TurnsError> {
    let delta = delta.replace('\n', "");
    let stream = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n\
        data: {{\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":null}}]}}\n\n\
        data: {{\"choices\":[{{\"index\":0,\"delta\":{{}},\"finish_reason\":\"stop\"}}]}}\n\n"
    );
    let answered = block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let model = ModelSettings {
            url: format!("http://{address}/v1"),
            server: ModelServer::Openai,
            name: "m".to_owned(),
            key: None,
            max_tokens: None,
        };
        let serve = async {
            let (mut connection, _) = listener.accept().await.expect("a connection");
            _ = connection.read(&mut [0; 4096]).await;
            connection.write_all(stream.as_bytes()).await.expect("written");
            connection.shutdown().await.expect("closed");
            std::future::pending::<()>().await;
        };
        let turns = Turns {
            model: &model,
            environment: &Environment::of_process(),
            limits: &Limits::default(),
            between_edits: Duration::ZERO,
            cancellation: &CancellationToken::new(),
        };
        tokio::select! {
            answered = turns.answer(host) => answered,
            () = serve => unreachable!("it serves"),
        }
    });
    answered.expect("a runtime")
}

#[test]
fn answers_are_written_at_the_end_of_what_others_change() {
    const ANSWER: &str = "\n**Assistant:**\n\nYes.\n";
    assert_eq!(
        answer("**User:** Yes?\n", &[]),
        (Ok(AnswerEnd::Complete), format!("**User:** Yes?\n{ANSWER}"))
    );
    let (long, changed) = ("A\n\n".repeat(200), "B\n\n".repeat(150));
    let (answered, after) = answer(&format!("**User:** {long}"), &["**User:** A\n"]);
    assert_eq!(after, "**User:** A\n");
    let unwritten = |reason: &str, text: &str| reason.contains("the end of") && text.ends_with("Yes.\n");
    assert!(
        matches!(answered, Err(TurnsError::AnswerUnwritten { reason, text }) if unwritten(&reason, &text))
    );
    // The end is the same, the beginning is not.
    let now: &'static str = format!("**User:** {changed}{long}").leak();
    let (answered, after) = answer(&format!("**User:** {long}"), &[now, now]);
    assert_eq!((answered, after), (Ok(AnswerEnd::Complete), format!("{now}{}", &ANSWER[1..])));
    let (answered, after) = answer("**User:** Yes?\n", &["**User:** Yes?\n\nOr no?\n"]);
    assert_eq!(after, format!("**User:** Yes?\n\nOr no?\n{ANSWER}"));
    assert_eq!(answered, Ok(AnswerEnd::Complete));
    // Nothing is written into a code block that is open by then.
    let (answered, after) = answer("**User:** Yes?\n", &["**User:** Yes?\n\n```\n"]);
    assert_eq!(after, "**User:** Yes?\n\n```\n");
    assert!(matches!(answered, Err(TurnsError::AnswerUnwritten { .. })));
}

#[test]
fn a_file_that_is_empty_for_a_moment_does_not_end_an_answer() {
    let emptied = |read, document: &Document| Ok(if read == 1 { open("") } else { document.clone() });
    let mut host = Shared { read: emptied, ..shared("**User:** Yes?\n") };
    let answered = answer_in(&mut host, YES);
    assert!(matches!(answered, Ok((AnswerEnd::Complete, _))), "{answered:?}");
    assert_eq!(host.document.text().to_string(), "**User:** Yes?\n\n**Assistant:**\n\nYes.\n");
}

#[test]
fn an_answer_continues_a_text_that_was_changed_back() {
    let text = "**User:** Yes?\n";
    let (answered, after) = answer(text, &["**User:** Yes?\n\n**Assistant:**\n\nWait.\n", text]);
    assert_eq!((answered, &*after), (Ok(AnswerEnd::Complete), "**User:** Yes?\n\n**Assistant:**\n\nYes.\n"));
}

const YES: &str = r#"{"content":"Yes."}"#;

#[test]
fn one_look_that_fails_does_not_end_an_answer() {
    fn lost() -> Result<Document, String> {
        Err("no such file".to_owned())
    }
    let once = |read, document: &Document| if read == 1 { lost() } else { Ok(document.clone()) };
    let answered = answer_in(&mut Shared { read: once, ..shared("**User:** Yes?\n") }, YES);
    assert!(matches!(answered, Ok((AnswerEnd::Complete, _))), "{answered:?}");
    let always = |read, document: &Document| if read > 0 { lost() } else { Ok(document.clone()) };
    let answered = answer_in(&mut Shared { read: always, ..shared("**User:** Yes?\n") }, YES);
    let (reason, text) = ("no such file".to_owned(), "**Assistant:**\n\nYes.\n".to_owned());
    let unwritten = TurnsError::AnswerUnwritten { reason, text };
    assert_eq!(answered.expect_err("it is lost"), unwritten);
    // Also after all of it was written.
    let after = |_, document: &Document| {
        let is_written = document.text().to_string().ends_with("Yes.\n");
        if is_written { lost() } else { Ok(document.clone()) }
    };
    let answered = answer_in(&mut Shared { read: after, ..shared("**User:** Yes?\n") }, YES);
    assert_eq!(answered.expect_err("it is lost"), unwritten);
}

#[test]
fn the_calls_of_an_answer_are_those_in_it() {
    const CALL: &str = r#"{"content":"I look.","tool_calls":[
        {"index":0,"id":"c1","function":{"name":"look","arguments":"{}"}}]}"#;
    let followed = |_, document: &Document| {
        let text = document.text().to_string();
        let more = "\n**User:** Or so?\n\n```tool\n{\"toolName\": \"change\", \"input\": {}}\n```\n";
        Ok(if text.contains("look\"") { open(&(text + more)) } else { document.clone() })
    };
    let answered = answer_in(&mut Shared { read: followed, ..shared("**User:** Yes?\n") }, CALL);
    assert_eq!(answered.map(|(_, calls)| calls.len()), Ok(1));
    let changed = |_, document: &Document| {
        let text = document.text().to_string();
        let is_written = text.contains("look\"");
        Ok(if is_written { open(&text.replace("I look", "You look")) } else { document.clone() })
    };
    let answered = answer_in(&mut Shared { read: changed, ..shared("**User:** Yes?\n") }, CALL);
    let Err(TurnsError::AnswerUnwritten { reason, text }) = answered else { panic!("{answered:?}") };
    assert!(reason.contains("changed meanwhile") && text.starts_with("**Assistant:**\n\nI look."), "{text}");
}

#[test]
fn an_answer_without_text_and_calls_is_empty() {
    const NAMELESS: &str = r#"{"tool_calls":[{"index":0,"id":"c1","function":{"arguments":"{}"}}]}"#;
    let text = "**User:** Yes?\n";
    for (delta, expected) in [
        (r#"{"content":""}"#, AnswerEnd::Empty),
        (r#"{"content":"\n","reasoning_content":"Hm."}"#, AnswerEnd::Empty),
        // A warning says so.
        (NAMELESS, AnswerEnd::Complete),
    ] {
        let mut host = shared(text);
        let answered = answer_in(&mut host, delta);
        assert_eq!(answered.map(|(end, calls)| (end, calls.len())), Ok((expected, 0)), "{delta}");
        assert_eq!(host.document.text().to_string(), text);
    }
}

#[test]
fn nothing_is_sent_that_the_host_refuses() {
    let (answered, after) = answer("**User:** A secret\n", &[]);
    assert_eq!((answered, &*after), (Err(TurnsError::NotSent("no".to_owned())), "**User:** A secret\n"));
    let pending = "**User:** A\n\n<tool>f()</tool>\n";
    assert_eq!(answer(pending, &[]), (Err(TurnsError::Pending(1)), pending.to_owned()));
}

/// Servers of editors run turns on other threads.
#[test]
fn turns_can_be_sent_to_other_threads() {
    fn is_send<T: Send>(task: T) -> T {
        task
    }
    struct Agrees;
    impl RunPermission for Agrees {
        async fn consent(
            &mut self,
            _: &crate::run::KnownRunner,
        ) -> std::io::Result<Option<crate::run::Consented>> {
            Ok(None)
        }

        async fn folder(&mut self, _: &ReadyCall) -> Result<Arc<ToolFolder>, NotRun> {
            Err(NotRun::Refused)
        }

        async fn allows(
            &mut self,
            _: &ReadyCall,
            _: crate::run::CallEffect,
            _: Option<&crate::run::Consented>,
        ) -> bool {
            true
        }
    }
    let model = ModelSettings {
        url: "http://127.0.0.1:9".to_owned(),
        server: ModelServer::Openai,
        name: "m".to_owned(),
        key: None,
        max_tokens: None,
    };
    let mut host = shared("# A page\n");
    let cancellation = CancellationToken::new();
    let mut tools = ToolHost::new(Environment::of_process(), Vec::new());
    let (environment, limits) = (Environment::of_process(), Limits::default());
    let turns = Turns {
        model: &model,
        environment: &environment,
        limits: &limits,
        between_edits: Duration::ZERO,
        cancellation: &cancellation,
    };
    let taken = block_on(is_send(turns.take(Some(1), &mut tools, &mut Agrees, &mut host)));
    assert!(taken.expect("a runtime").is_err(), "nobody listens there");
}
