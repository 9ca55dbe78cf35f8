use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::super::testing::{call, call_with, effect, failure, only, settings};
use super::*;

/// Answers every connection by `answer`, which gets the whole request; gives the server's address.
async fn serve<F, W>(answer: F) -> String
where
    F: Fn(TcpStream, String) -> W + Send + 'static,
    W: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let request = request(&mut stream).await;
            tokio::spawn(answer(stream, request));
        }
    });
    format!("http://{address}")
}

/// Answers every request with the same bytes and closes.
async fn always(bytes: impl Into<String>) -> String {
    let bytes = bytes.into();
    serve(move |mut stream, _| {
        let bytes = bytes.clone();
        async move {
            let _ = stream.write_all(bytes.as_bytes()).await;
        }
    })
    .await
}

fn response(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}

async fn request(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    let mut buffer = [0u8; 4096];
    loop {
        let count = stream.read(&mut buffer).await.unwrap();
        text.push_str(&String::from_utf8_lossy(&buffer[..count]));
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            if count == 0 {
                return text;
            }
            continue;
        };
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .map_or(0, |length| length.parse().unwrap());
        if body.len() >= length || count == 0 {
            return text;
        }
    }
}

async fn send(tool: &str, arguments: Value) -> Result<Value, ToolFailure> {
    let mut settings = settings(std::path::Path::new("unused"));
    if tool == "http_post" {
        settings.http_hosts = only(&["127.0.0.1"]);
    }
    call(settings, tool, arguments).await
}

#[tokio::test]
async fn sends_what_it_is_told_and_its_effect_id() {
    let url = serve(|mut stream, request| async move {
        let answer = response(
            "200 OK",
            "content-type: text/plain\r\nset-cookie: a=b\r\n",
            &request,
        );
        stream.write_all(answer.as_bytes()).await.unwrap();
    })
    .await;
    let arguments = json!({
        "method": "PUT",
        "url": format!("{url}/a?b=c"),
        "headers": { "X-One": "1" },
        "json": { "n": 1 }
    });
    let result = send("http_post", arguments).await.unwrap();
    let echoed = result["body"].as_str().unwrap();
    let key = format!("idempotency-key: {}", effect(1));
    for part in [
        "PUT /a?b=c HTTP/1.1\r\n",
        "x-one: 1",
        "content-type: application/json",
        "{\"n\":1}",
        &key,
    ] {
        assert!(echoed.contains(part), "{part} is not in {echoed}");
    }
    assert_eq!(result["status"], 200);
    assert_eq!(result["headers"]["content-type"], "text/plain");
    assert!(result["headers"].get("set-cookie").is_none());
    assert!(result.get("json").is_none());
}

#[tokio::test]
async fn a_json_answer_comes_as_value_too() {
    let url = always(response("201 Created", "", " {\"rows\": [1, 2]}")).await;
    let result = send("http_post", json!({ "url": url, "body": "x" }))
        .await
        .unwrap();
    assert_eq!(result["json"], json!({ "rows": [1, 2] }));
    assert_eq!(result["status"], 201);
}

#[tokio::test]
async fn statuses_say_whether_trying_again_helps() {
    for (status, headers, tool, wanted) in [
        ("404 Not Found", "", "http", "Permanent"),
        ("304 Not Modified", "", "http", "Permanent"),
        ("500 Internal Server Error", "", "http", "Temporary"),
        (
            "500 Internal Server Error",
            "",
            "http_post",
            "OutcomeUnknown",
        ),
        ("408 Request Timeout", "", "http", "Temporary"),
        ("429 Too Many Requests", "", "http", "Temporary"),
        (
            "429 Too Many Requests",
            "retry-after: 7\r\n",
            "http",
            "Deferred 7000",
        ),
        (
            "503 Unavailable",
            "retry-after: 7\r\n",
            "http_post",
            "Deferred 7000",
        ),
        (
            "503 Unavailable",
            "retry-after: Sun, 15 Jun 2025 15:07:10 GMT\r\n",
            "http",
            "Deferred 30000",
        ),
        (
            "503 Unavailable",
            "retry-after: Sun, 15 Jun 2014 15:07:10 GMT\r\n",
            "http",
            "Deferred 0",
        ),
        (
            "503 Unavailable",
            "retry-after: 999999999\r\n",
            "http",
            "Deferred 86400000",
        ),
        (
            "503 Unavailable",
            "retry-after: soon\r\n",
            "http",
            "Temporary",
        ),
        ("504 Gateway Timeout", "", "http", "Temporary"),
        ("504 Gateway Timeout", "", "http_post", "OutcomeUnknown"),
    ] {
        let url = always(response(status, headers, "")).await;
        let message = failure(send(tool, json!({ "url": url })).await);
        assert!(
            message.split(':').next() == Some(wanted),
            "{status} {headers}: {message}"
        );
    }
}

#[tokio::test]
async fn a_refusal_is_quoted_and_can_be_accepted() {
    let url = always(response("404 Not Found", "", "no such row")).await;
    let message = failure(send("http", json!({ "url": format!("{url}/row?token=secret") })).await);
    assert_eq!(
        message,
        format!(
            "Permanent: GET {url}/row: answered 404 Not Found: no such row (add 404 to `accept` if that is fine)"
        )
    );
    let result = send("http", json!({ "url": url, "accept": [404] }))
        .await
        .unwrap();
    assert_eq!(
        (&result["status"], &result["body"]),
        (&json!(404), &json!("no such row"))
    );
}

#[tokio::test]
async fn a_slow_answer_times_out_and_a_slow_post_is_in_doubt() {
    let url = serve(|mut stream, _| async move {
        let _ = stream
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nslow")
            .await;
        std::future::pending::<()>().await;
    })
    .await;
    let message = failure(send("http", json!({ "url": url, "timeout": 0.1 })).await);
    assert!(
        message.starts_with("TimedOut: GET ") && message.contains("raise `timeout`"),
        "{message}"
    );
    let message = failure(send("http_post", json!({ "url": url, "timeout": 0.1 })).await);
    assert!(
        message.starts_with("OutcomeUnknown: POST ")
            && message.contains("unknown whether it took effect"),
        "{message}"
    );
}

#[tokio::test]
async fn a_truncated_answer_is_lost_not_shortened() {
    let url = always("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this").await;
    let message = failure(send("http", json!({ "url": url })).await);
    assert!(
        message.starts_with("Temporary: GET ") && message.contains("the response was lost"),
        "{message}"
    );
    let message = failure(send("http_post", json!({ "url": url })).await);
    assert!(
        message.starts_with("OutcomeUnknown: POST ") && message.contains("the response was lost"),
        "{message}"
    );
}

#[tokio::test]
async fn a_huge_answer_is_not_read_to_its_end() {
    let url = serve(|mut stream, _| async move {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
        while stream.write_all(&[b'x'; 65_536]).await.is_ok() {}
    })
    .await;
    let message = failure(send("http", json!({ "url": url })).await);
    assert!(
        message.starts_with("Permanent: ") && message.contains("more than 2097152 bytes"),
        "{message}"
    );
}

#[tokio::test]
async fn nonsense_and_closed_ports_are_temporary_trouble() {
    let url = always("SMTP ready\r\n\r\n").await;
    let message = failure(send("http", json!({ "url": url })).await);
    assert!(message.starts_with("Temporary: "), "{message}");
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    for tool in ["http", "http_post"] {
        let message = failure(send(tool, json!({ "url": url })).await);
        assert!(
            message.starts_with("Temporary: ") && message.contains("no connection"),
            "{message}"
        );
    }
}

#[tokio::test]
async fn redirects_are_followed_a_few_times() {
    let url = serve(|mut stream, request| async move {
        let answer = if request.starts_with("GET /end ") {
            response("200 OK", "", "arrived")
        } else {
            response("302 Found", "location: /end\r\n", "")
        };
        stream.write_all(answer.as_bytes()).await.unwrap();
    })
    .await;
    let result = send("http", json!({ "url": url })).await.unwrap();
    assert_eq!(result["body"], "arrived");
    let circle = always(response("302 Found", "location: /again\r\n", "")).await;
    let message = failure(send("http", json!({ "url": circle })).await);
    assert!(
        message.starts_with("Permanent: ") && message.contains("more than 5 redirects"),
        "{message}"
    );
}

#[tokio::test]
async fn only_allowed_hosts_are_reached_redirects_included() {
    let url = always(response(
        "302 Found",
        "location: http://localhost:9/\r\n",
        "",
    ))
    .await;
    let mut settings = settings(std::path::Path::new("unused"));
    settings.http_hosts = only(&["127.0.0.1"]);
    let message = failure(call(settings.clone(), "http", json!({ "url": url })).await);
    assert!(
        message.starts_with("Denied: the host `localhost` is not allowed"),
        "{message}"
    );
    let message = failure(call(settings, "http", json!({ "url": "https://Example.com/" })).await);
    assert!(
        message.starts_with("Denied: the host `example.com` is not allowed"),
        "{message}"
    );
}

#[tokio::test]
async fn wrong_arguments_are_named() {
    for (arguments, wanted) in [
        (
            json!({ "url": "ftp://a/b" }),
            "only http: and https: are supported",
        ),
        (json!({ "url": "nowhere" }), "`url` is `nowhere`"),
        (
            json!({ "url": "http://a/", "headers": { "Host": "b" } }),
            "`headers.Host`: the tool sets",
        ),
        (
            json!({ "url": "http://a/", "headers": { "a b": "c" } }),
            "`headers.a b`: ",
        ),
        (
            json!({ "url": "http://a/", "headers": { "a": "b\r\nc: d" } }),
            "`headers.a`: ",
        ),
    ] {
        let message = failure(send("http", arguments).await);
        assert!(
            message.starts_with("BadInput: ") && message.contains(wanted),
            "{message}"
        );
    }
}

/// Connecting may take long, and another host may take over meanwhile.
#[tokio::test]
async fn what_must_not_be_repeated_is_not_sent_without_a_lease() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let received = Arc::new(AtomicUsize::new(0));
    let url = serve({
        let received = Arc::clone(&received);
        move |mut stream, request| {
            // A connection over which nothing is sent is no request.
            received.fetch_add(usize::from(!request.is_empty()), Ordering::AcqRel);
            async move {
                let answer = response("200 OK", "", "{}");
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        }
    })
    .await;
    let arguments = json!({ "url": url, "json": { "pay": 5 } });
    let settings = || ToolSettings {
        http_hosts: only(&["127.0.0.1"]),
        ..settings(std::path::Path::new("unused"))
    };
    let lost = Lease::new(|| false);
    let refused = call_with(settings(), "http_post", arguments.clone(), lost.clone()).await;
    let told = failure(refused);
    assert!(
        told.starts_with("Temporary:") && told.contains("nothing was sent"),
        "{told}"
    );
    assert_eq!(received.load(Ordering::Acquire), 0);
    // What may be repeated is sent all the same.
    let get = json!({ "url": arguments["url"] });
    call_with(settings(), "http", get, lost).await.unwrap();
    assert_eq!(received.load(Ordering::Acquire), 1);
}

/// Requests that change something are those that a person is asked about when text from outside is in them.
#[test]
fn what_changes_something_is_sent_by_the_tool_that_asks() {
    let registry = crate::Registry::builtin(settings(std::path::Path::new("unused"))).unwrap();
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        let arguments = json!({ "url": "https://example.org", "method": method });
        let refused = registry.get("http").unwrap().input().check(&arguments);
        assert!(!refused.is_empty(), "{method}");
        assert_eq!(
            registry.get("http_post").unwrap().input().check(&arguments),
            []
        );
    }
}

/// What sends something away goes nowhere unless the settings name the host.
#[tokio::test]
async fn nothing_is_sent_to_a_host_that_no_setting_names() {
    let url = always(response("200 OK", "", "arrived")).await;
    let mut settings = settings(std::path::Path::new("unused"));
    settings.http_hosts = AllowedHosts::Any;
    let answer = call(settings.clone(), "http", json!({ "url": url })).await;
    assert_eq!(answer.unwrap()["body"], "arrived");
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        for url in [url.as_str(), "https://example.com/"] {
            let arguments = json!({ "url": url, "method": method });
            let refused = failure(call(settings.clone(), "http_post", arguments).await);
            assert!(
                refused.starts_with("Denied: the host `")
                    && refused.contains("`hosts` under [tools.http]")
                    && refused.ends_with("[ADJ-6171]"),
                "{refused}"
            );
        }
    }
}
