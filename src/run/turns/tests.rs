use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use crate::config::Settings;
use crate::document::Language;
use crate::run::block_on;
use crate::text::Text;

/// A document that others change: before each edit, the next of `changes` is its text, if there is
/// one.
struct Shared {
    document: Document,
    changes: Vec<&'static str>,
    shown: Vec<String>,
}

fn open(text: &str) -> Document {
    Document::new(Text::new(text), Language::Markdown, Arc::new(Settings::default()))
}

impl TurnHost for Shared {
    fn document(&mut self) -> impl Future<Output = Result<Document, String>> + Send {
        std::future::ready(Ok(self.document.clone()))
    }

    fn edit(
        &mut self,
        document: &Document,
        edits: Vec<ReplaceEdit>,
    ) -> impl Future<Output = Result<(), EditError>> + Send {
        std::future::ready(if self.changes.is_empty() {
            self.document = document.edited(&edits);
            Ok(())
        } else {
            self.document = open(self.changes.remove(0));
            Err(EditError::Changed)
        })
    }

    fn may_send(&mut self, document: &Document) -> impl Future<Output = Result<(), String>> + Send {
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

/// The end of one answer to `text`, and the document after it.
fn answer(text: &str, changes: &[&'static str]) -> (Result<AnswerEnd, TurnsError>, String) {
    const STREAM: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n\
        data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Yes.\"},\"finish_reason\":null}]}\n\n\
        data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
    let mut host = Shared { document: open(text), changes: changes.to_vec(), shown: Vec::new() };
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
            connection.write_all(STREAM.as_bytes()).await.expect("written");
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
            answered = turns.answer(&mut host) => answered,
            () = serve => unreachable!("it serves"),
        }
    });
    if !host.shown.is_empty() {
        assert_eq!(host.shown.last().map(|text| text.trim()), Some("**Assistant:**\n\nYes."));
    }
    (answered.expect("a runtime"), host.document.text().to_string())
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

        async fn allows(&mut self, _: &ReadyCall, _: crate::run::CallEffect) -> bool {
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
    let mut host = Shared { document: open("# A page\n"), changes: Vec::new(), shown: Vec::new() };
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
    let taken = block_on(is_send(turns.take(1, &mut tools, &mut Agrees, &mut host)));
    assert!(taken.expect("a runtime").is_err(), "nobody listens there");
}
