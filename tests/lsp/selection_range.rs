//! Growing selections.

use serde_json::{Value, json};

use super::client::{Client, URI, range};

#[test]
fn ranges_are_nested_for_each_position() {
    let (mut client, answer) = Client::with_capabilities(json!({}));
    assert_eq!(answer["capabilities"]["selectionRangeProvider"], true);
    client.open(URI, 1, "```tool\n{\"👋\": \"a b\"}\n```\n");
    client.expect_diagnostics(URI, 1);
    let position = |line, character| json!({"line": line, "character": character});
    let positions = [position(1, 9), position(0, 1), position(9, 9)];
    let found = client
        .call("textDocument/selectionRange", json!({"textDocument": {"uri": URI}, "positions": positions}));
    let steps = |mut at: &Value| {
        let mut steps = Vec::new();
        while at.is_object() {
            steps.push(at["range"].clone());
            at = &at["parent"];
        }
        steps
    };
    let all = range((0, 0), (3, 0));
    assert_eq!(
        steps(&found[0]),
        [
            range((1, 8), (1, 9)),
            range((1, 8), (1, 11)),
            range((1, 7), (1, 12)),
            range((1, 1), (1, 12)),
            range((1, 0), (1, 13)),
            range((0, 0), (2, 3)),
            all.clone(),
        ]
    );
    assert_eq!(steps(&found[1]), [range((0, 0), (2, 3)), all.clone()]);
    assert_eq!(steps(&found[2]), [all]);
    client.finish();
}
