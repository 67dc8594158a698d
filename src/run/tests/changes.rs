use super::connections::Connections;
use super::*;

const MORE: &str = r#"if [ -e called ]; then
      answer '{"tools":[{"name":"echo"},{"name":"more"}]}'
    else
      answer '{"tools":[{"name":"echo"}]}'
    fi"#;
const CHANGE: &str = r#"touch called
    say '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
    sleep 0.1
    answer '{"content":[]}'"#;

#[test]
fn tools_are_listed_again_when_the_server_says_so() {
    let server = TestServer::new(Reactions { list: MORE, call: CHANGE, ..HONEST });
    block_on(async {
        let (connections, environment) = (Connections::default(), environment());
        let connect = || connections.connect(&server.consented, &environment, &server.limits);
        let names = |listing: &Listing| -> Vec<String> {
            listing.tools.iter().map(|tool| tool.name.clone()).collect()
        };
        let mut first = connect().await.expect("a server");
        assert_eq!(names(first.listing()), ["echo"]);
        assert_eq!(first.changed_listing(&server.limits).await, None);
        first.call("echo", Map::new(), |_| {}, std::future::pending()).await.expect("a result");
        let changed = first.changed_listing(&server.limits).await.expect("a change");
        assert_eq!(names(&changed), ["echo", "more"]);
        assert_eq!(first.changed_listing(&server.limits).await, None);
        assert_eq!(names(connect().await.expect("a server").listing()), ["echo", "more"]);
        drop(first);
        // A change that no client has read is found by the next client that connects.
        fs::remove_file(server.path("called")).expect("removed");
        let mut second = connect().await.expect("a server");
        second.call("echo", Map::new(), |_| {}, std::future::pending()).await.expect("a result");
        drop(second);
        fs::remove_file(server.path("called")).expect("removed");
        assert_eq!(names(connect().await.expect("a server").listing()), ["echo"]);
        connections.stop_all().await;
    })
    .expect("a runtime");
    assert_eq!(server.seen().matches("tools/list\"").count(), 3);
}
