use super::http_server::{HttpServer, status};
use super::*;

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

fn secret() -> Secret {
    Secret::parse(SECRET).unwrap()
}

async fn sent(answer: &str) -> (Sent, HttpServer) {
    let server = HttpServer::answering(&[answer]).await;
    let webhook = Webhook::new(&server.url(), Plain::Loopback, secret()).unwrap();
    let channel = channel(Carrier::Webhook(webhook));
    let notice = asked(Severity::High, Some("finance"));
    let sent = Sender::default().send(&channel, &notice, NOW).await;
    (sent, server)
}

#[tokio::test]
async fn what_arrives_is_signed_and_says_it_all() {
    let (sent, server) = sent(&status("204 No Content")).await;
    let said = format!("http://127.0.0.1:{} answered 204 No Content", server.port);
    assert_eq!(sent, Sent::Delivered { said });
    let came = server.came().pop().unwrap();
    assert_eq!(came.request, "POST /hook/t0ken HTTP/1.1\r\n");
    let header = |name: &str| came.headers.get(name).unwrap().as_str();
    let (id, at) = (header("webhook-id"), header("webhook-timestamp"));
    assert_eq!(id, asked(Severity::High, None).id());
    assert_eq!(header("content-type"), "application/json");
    let signature = header("webhook-signature");
    assert_eq!(
        verify(&secret(), id, at, signature, &came.body, NOW),
        Ok(())
    );
    let body: serde_json::Value = serde_json::from_slice(&came.body).unwrap();
    assert_eq!(body["type"], "checkpoint.opened");
    assert_eq!(body["data"]["options"][0]["key"], "left");
}

#[tokio::test]
async fn a_repeat_has_the_same_id_and_body_and_a_new_time() {
    let server = HttpServer::answering(&[&status("500 Oops"), &status("200 OK")]).await;
    let webhook = Webhook::new(&server.url(), Plain::Loopback, secret()).unwrap();
    let channel = channel(Carrier::Webhook(webhook));
    let (sender, notice) = (Sender::default(), asked(Severity::High, None));
    let later = NOW.plus(Millis::seconds(10));
    assert!(matches!(
        sender.send(&channel, &notice, NOW).await,
        Sent::NotNow { .. }
    ));
    assert!(matches!(
        sender.send(&channel, &notice, later).await,
        Sent::Delivered { .. }
    ));
    let came = server.came();
    let [first, second] = came.as_slice() else {
        panic!("{came:?}");
    };
    assert_eq!(first.headers["webhook-id"], second.headers["webhook-id"]);
    assert_eq!(first.body, second.body);
    assert_ne!(
        first.headers["webhook-timestamp"],
        second.headers["webhook-timestamp"]
    );
    for one in [first, second] {
        let headers = &one.headers;
        let (id, at) = (&headers["webhook-id"], &headers["webhook-timestamp"]);
        let checked = verify(
            &secret(),
            id,
            at,
            &headers["webhook-signature"],
            &one.body,
            NOW,
        );
        assert_eq!(checked, Ok(()));
    }
}

#[tokio::test]
async fn the_status_says_whether_to_try_again() {
    for line in ["408 Slow", "429 Many", "500 Oops", "502 Bad", "503 Busy"] {
        let (sent, _) = sent(&status(line)).await;
        assert!(
            matches!(sent, Sent::NotNow { wait: None, .. }),
            "{line}: {sent:?}"
        );
    }
    for line in ["400 Bad", "401 Who", "404 Where", "301 There", "304 Same"] {
        let (sent, _) = sent(&status(line)).await;
        assert!(matches!(sent, Sent::Refused { .. }), "{line}: {sent:?}");
    }
    let (gone, _) = sent(&status("410 Gone")).await;
    assert!(matches!(gone, Sent::Gone { .. }));
}

#[tokio::test]
async fn patience_is_asked_for_in_seconds_or_by_date() {
    let asks = |value: &str| {
        format!(
            "HTTP/1.1 429 Many\r\nretry-after: {value}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        )
    };
    for (value, wait) in [
        ("120", Some(120)),
        ("Sun, 15 Nov 2026 13:01:30 GMT", Some(90)),
        ("Sun, 15 Nov 2020 13:01:30 GMT", Some(0)),
        ("999999999", Some(86_400)),
        ("soon", None),
    ] {
        let (sent, _) = sent(&asks(value)).await;
        let Sent::NotNow { wait: asked, .. } = sent else {
            panic!("{sent:?}");
        };
        assert_eq!(asked, wait.map(Millis::seconds), "{value}");
    }
}

#[tokio::test]
async fn no_redirect_is_followed() {
    let target = HttpServer::answering(&[&status("200 OK")]).await;
    let there = format!(
        "HTTP/1.1 307 There\r\nlocation: {}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
        target.url()
    );
    let (sent, _) = sent(&there).await;
    assert!(matches!(sent, Sent::Refused { .. }));
    assert!(target.came().is_empty());
}

#[tokio::test]
async fn a_long_answer_is_cut_and_a_lost_one_tried_again() {
    let long = "x\u{1b}[31m".repeat(100_000);
    let answer = format!("HTTP/1.1 400 Bad\r\nconnection: close\r\n\r\n{long}");
    let (refused, _) = sent(&answer).await;
    let Sent::Refused { why } = refused else {
        panic!("{refused:?}");
    };
    assert!(why.len() < 300 && !why.contains('\u{1b}'), "{why}");
    let (cut, _) = sent("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nthank").await;
    assert!(matches!(cut, Sent::Delivered { .. }), "{cut:?}");
    let (lost, _) = sent("").await;
    assert!(matches!(lost, Sent::NotNow { .. }));
    let nobody = Webhook::new("http://127.0.0.1:1/hook/t0ken", Plain::Loopback, secret()).unwrap();
    let notice = asked(Severity::High, None);
    let unreached = Sender::default()
        .send(&channel(Carrier::Webhook(nobody)), &notice, NOW)
        .await;
    let Sent::NotNow { why, .. } = unreached else {
        panic!("{unreached:?}");
    };
    assert!(!why.contains("t0ken"), "the path may be secret: {why}");
}

#[test]
fn what_may_not_be_an_address() {
    let check = |url| Webhook::place_of(url, Plain::Loopback).map(|_| ());
    assert_eq!(check("https://example.org/x"), Ok(()));
    assert_eq!(check("http://localhost:8080/x"), Ok(()));
    assert_eq!(check("http://[::1]:8080/x"), Ok(()));
    assert_eq!(check("http://example.org/x"), Err(WebhookError::Plain));
    assert_eq!(
        check("http://127.0.0.1.example.org/x"),
        Err(WebhookError::Plain)
    );
    assert_eq!(
        check("https://u:p@example.org/x"),
        Err(WebhookError::Credentials)
    );
    assert!(matches!(
        check("ftp://example.org"),
        Err(WebhookError::Scheme { .. })
    ));
    assert!(matches!(
        check("example.org"),
        Err(WebhookError::Unreadable { .. })
    ));
    assert_eq!(
        Webhook::place_of("http://example.org/x", Plain::Allowed).map(|_| ()),
        Ok(())
    );
}
