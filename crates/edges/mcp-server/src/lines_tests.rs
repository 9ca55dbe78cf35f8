use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines as ReadLines};

use super::*;

/// A client on one side, and on the other what the server would read and write.
struct Between {
    client: DuplexStream,
    heard: ReadLines<BufReader<DuplexStream>>,
    server_reads: ReadLines<BufReader<DuplexStream>>,
    server_says: DuplexStream,
}

fn between() -> Between {
    let (client, input) = tokio::io::duplex(PIPE_BYTES);
    let (output, heard) = tokio::io::duplex(PIPE_BYTES);
    let lines = Lines::between(input, output);
    Between {
        client,
        heard: BufReader::new(heard).lines(),
        server_reads: BufReader::new(lines.to_server).lines(),
        server_says: lines.from_server,
    }
}

async fn error_of(between: &mut Between, line: &str) -> (Value, i64) {
    between.client.write_all(line.as_bytes()).await.unwrap();
    between.client.write_all(b"\n").await.unwrap();
    let answer = between.heard.next_line().await.unwrap().unwrap();
    let answer: Value = serde_json::from_str(&answer).unwrap();
    (
        answer["id"].clone(),
        answer["error"]["code"].as_i64().unwrap(),
    )
}

#[tokio::test]
async fn what_is_no_message_is_refused_under_its_id_and_the_next_one_passes() {
    let mut between = between();
    assert_eq!(error_of(&mut between, "hello").await, (Value::Null, -32700));
    let cut = r#"{"jsonrpc":"2.0","id":4,"method":"#;
    assert_eq!(error_of(&mut between, cut).await, (json!(4), -32700));
    let deep = format!(
        r#"{{"params":{{"id":1,"a":{}1{}}},"id":"x\"y"}}"#,
        "[".repeat(130),
        "]".repeat(130)
    );
    assert_eq!(error_of(&mut between, &deep).await, (json!("x\"y"), -32700));
    let no_method = r#"{"jsonrpc":"2.0","id":9,"method":5}"#;
    assert_eq!(error_of(&mut between, no_method).await, (json!(9), -32600));

    let fine = r#"{"jsonrpc":"2.0","id":5,"method":"ping"}"#;
    let both = format!("\n{fine}\n");
    between.client.write_all(both.as_bytes()).await.unwrap();
    assert_eq!(between.server_reads.next_line().await.unwrap().unwrap(), "");
    let read = between.server_reads.next_line().await.unwrap();
    assert_eq!(read.as_deref(), Some(fine));
    between.server_says.write_all(b"answer\n").await.unwrap();
    let heard = between.heard.next_line().await.unwrap();
    assert_eq!(heard.as_deref(), Some("answer"));
}

#[tokio::test]
async fn a_line_that_is_too_long_is_refused_and_left_out() {
    let Between {
        mut client,
        mut heard,
        mut server_reads,
        server_says,
    } = between();
    let sending = tokio::spawn(async move {
        let long = format!(r#"{{"id":7,"method":"x","a":"{}"}}"#, "y".repeat(LINE_MAX));
        client.write_all(long.as_bytes()).await.unwrap();
        client
            .write_all(b"\n{\"method\":\"ping\"}\n")
            .await
            .unwrap();
    });
    let answer = heard.next_line().await.unwrap().unwrap();
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["id"], 7);
    let next = server_reads.next_line().await.unwrap();
    assert_eq!(next.as_deref(), Some("{\"method\":\"ping\"}"));
    sending.await.unwrap();
    // The client is gone, and so is what the server reads.
    assert_eq!(server_reads.next_line().await.unwrap(), None);
    // The rest of the long line was no line of its own.
    drop(server_says);
    assert_eq!(heard.next_line().await.unwrap(), None);
}
