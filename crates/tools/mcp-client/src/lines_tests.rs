use tokio::io::AsyncWriteExt as _;

use super::*;

async fn received(text: &[u8]) -> (Vec<ServerJsonRpcMessage>, Option<Ending>) {
    let (ours, mut theirs) = tokio::io::duplex(1024);
    let watch = Arc::new(Watch::default());
    let mut lines = Lines::new(ours, tokio::io::sink(), Arc::clone(&watch));
    let text = text.to_vec();
    let writing = tokio::spawn(async move {
        let _ = theirs.write_all(&text).await;
    });
    let mut messages = Vec::new();
    while let Some(message) = lines.receive().await {
        messages.push(message);
    }
    drop(lines);
    writing.await.unwrap();
    (messages, watch.ending().cloned())
}

const ANSWER: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

#[tokio::test]
async fn messages_come_between_garbage_and_empty_lines() {
    let text = format!("hello\n\n{ANSWER}\r\n17\n{ANSWER}\n\u{ff}\n");
    let (messages, ending) = received(text.as_bytes()).await;
    assert_eq!(messages.len(), 2);
    assert_eq!(ending, Some(Ending::Closed));
}

#[tokio::test]
async fn a_line_without_end_is_held_up_to_the_limit() {
    let (messages, ending) = received(&vec![b'x'; MESSAGE_BYTES_MAX + 2]).await;
    assert!(messages.is_empty());
    assert_eq!(ending, Some(Ending::TooLong));
}

/// Whoever waits for the answer that this was meant to be would wait for nothing.
#[tokio::test]
async fn a_message_that_cannot_be_read_ends_it_at_once() {
    let whole = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#;
    let broken = [
        &whole[..30],
        &whole.replace(':', " "),
        r#"{"a":1}"#,
        r#"{"jsonrpc":"2.0","id":{},"result":{}}"#,
        r#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#,
        "{\u{fffd}",
    ];
    for line in broken {
        let text = format!("hello\n  {line}\n{ANSWER}\n");
        let (messages, ending) = received(text.as_bytes()).await;
        assert!(messages.is_empty(), "{line}");
        let ending = ending.unwrap();
        assert!(matches!(ending, Ending::Unreadable { .. }), "{line}");
        assert!(ending.to_string().starts_with("ADJ-6195: "), "{ending}");
    }
}

/// The library would take the text for the number.
#[tokio::test]
async fn an_answer_to_a_text_is_none_to_a_number() {
    let answers = [
        r#"{"jsonrpc":"2.0","id":"1","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":"1","error":{"code":-32000,"message":"no"}}"#,
    ];
    for answer in answers {
        let (messages, ending) = received(format!("{answer}\n{ANSWER}\n").as_bytes()).await;
        assert!(messages.is_empty(), "{answer}");
        assert_eq!(ending, Some(Ending::ForeignId { id: "1".into() }));
    }
    let asked = r#"{"jsonrpc":"2.0","id":"1","method":"ping"}"#;
    assert_eq!(received(format!("{asked}\n").as_bytes()).await.0.len(), 1);
}

#[tokio::test]
async fn garbage_has_a_limit() {
    let within = format!("{}{ANSWER}\n", "no\n".repeat(GARBAGE_LINES_MAX));
    assert_eq!(received(within.as_bytes()).await.0.len(), 1);
    let over = format!("{}{ANSWER}\n", "no\n".repeat(GARBAGE_LINES_MAX + 1));
    let (messages, ending) = received(over.as_bytes()).await;
    assert!(messages.is_empty());
    assert_eq!(ending, Some(Ending::Garbage { line: "no".into() }));
}

#[tokio::test]
async fn only_changed_tools_are_heard_of_and_notices_have_a_limit() {
    let notice = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}"#;
    let changed = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    let (messages, _) = received(format!("{notice}\n{changed}\n{notice}\n").as_bytes()).await;
    assert_eq!(messages.len(), 1);
    let many = format!("{notice}\n").repeat(UNASKED_MAX + 1);
    let (_, ending) = received(many.as_bytes()).await;
    assert_eq!(ending, Some(Ending::Unasked));
}

#[tokio::test]
async fn what_was_begun_survives_being_cut_off() {
    let (ours, mut theirs) = tokio::io::duplex(1024);
    let mut lines = Lines::new(ours, tokio::io::sink(), Arc::default());
    let (begin, end) = ANSWER.split_at(10);
    theirs.write_all(begin.as_bytes()).await.unwrap();
    {
        let receiving = lines.receive();
        tokio::pin!(receiving);
        assert!(futures::poll!(&mut receiving).is_pending());
    }
    theirs
        .write_all(format!("{end}\n").as_bytes())
        .await
        .unwrap();
    assert!(lines.receive().await.is_some());
}
