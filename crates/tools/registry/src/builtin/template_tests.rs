use std::path::Path;

use serde_json::json;

use super::super::testing::{call, failure, settings};
use super::*;

async fn render(template: &str, values: Value) -> Result<Value, ToolFailure> {
    let arguments = json!({ "template": template, "values": values });
    call(settings(Path::new("unused")), "template", arguments).await
}

#[tokio::test]
async fn fills_in_values_blocks_and_loops() {
    let text = "[# for people #]Dear [[ name ]],\n[% for row in rows %]- [[ row.n ]] <b>\n[% endfor %]{\"a\": [1, 2]}\n";
    let result = render(
        text,
        json!({ "name": "Ada", "rows": [{ "n": 1 }, { "n": 2.5 }] }),
    )
    .await;
    assert_eq!(
        result.unwrap(),
        json!({ "text": "Dear Ada,\n- 1 <b>\n- 2.5 <b>\n{\"a\": [1, 2]}\n" })
    );
}

#[tokio::test]
async fn what_is_wrong_is_said_with_its_line() {
    let missing = failure(render("a\n[[ b ]]", json!({})).await);
    assert!(
        missing.starts_with("BadInput: line 2 of the template uses a name that has no value"),
        "{missing}"
    );
    let broken = failure(render("[% if %]", json!({})).await);
    assert!(
        broken.starts_with("BadInput: line 1 of the template: syntax error"),
        "{broken}"
    );
    let endless = failure(
        render(
            "[% for a in range(9999) %][% for b in range(9999) %][% endfor %][% endfor %]",
            json!({}),
        )
        .await,
    );
    assert!(endless.contains("took more than 500000 steps"), "{endless}");
    let long = "[% for a in range(9999) %][[ x ]][% endfor %]";
    let long = failure(render(long, json!({ "x": "y".repeat(1_000) })).await);
    assert!(long.contains("longer than 1048576 bytes"), "{long}");
    let built = "\n[% set ns = namespace() %][% set ns.a = 'ab' * 45000000 %]done";
    let built = failure(render(built, json!({})).await);
    let told = "BadInput: line 2 of the template: invalid operation: it builds more than 64 MiB";
    assert!(built.starts_with(told), "{built}");
    assert!(built.contains("[ADJ-6181]"), "{built}");
}
