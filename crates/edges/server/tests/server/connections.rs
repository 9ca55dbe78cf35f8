//! How the server is connected to.

use std::time::Duration;

use adjutant_store::StoreError;
use reqwest::Method;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{Stream, World};

#[tokio::test]
async fn over_tls_everything_is_as_without() {
    let world = World::encrypted().await;
    assert!(world.base.starts_with("https://"));
    let mission = world.started("one").await;
    world.approved(&mission, 1).await;
    let path = format!("/api/missions/{mission}/events");
    let request = world.request(Method::GET, &path);
    let told = Stream::of(request.send().await.unwrap()).rest().await;
    assert_eq!(told.last().unwrap().name, "complete");

    // Who speaks no TLS is told nothing.
    let address = world.base.strip_prefix("https://").unwrap().to_owned();
    let mut plain = TcpStream::connect(&address).await.unwrap();
    let ask = format!("GET /health HTTP/1.1\r\nHost: {address}\r\n\r\n");
    plain.write_all(ask.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let read = plain.read_to_end(&mut answer);
    // Closed, or reset: either way without an answer.
    let _ = tokio::time::timeout(Duration::from_secs(10), read)
        .await
        .unwrap();
    assert!(!answer.starts_with(b"HTTP"), "{answer:?}");
    world.stop().await;
}

#[tokio::test]
async fn a_connection_is_used_again_and_ends_with_the_server() {
    let world = World::new().await;
    let address = world.base.strip_prefix("http://").unwrap().to_owned();
    let mut connection = TcpStream::connect(&address).await.unwrap();
    for _ in 0..2 {
        let ask = format!("GET /health HTTP/1.1\r\nHost: {address}\r\n\r\n");
        connection.write_all(ask.as_bytes()).await.unwrap();
        let mut answer = [0; 4096];
        let length = connection.read(&mut answer).await.unwrap();
        assert!(answer[..length].starts_with(b"HTTP/1.1 200"));
    }
    world.stop().await;
    let mut rest = Vec::new();
    let read = connection.read_to_end(&mut rest);
    let ended = tokio::time::timeout(Duration::from_secs(10), read).await;
    assert!(ended.is_ok(), "an idle connection holds nothing up");
}

#[tokio::test]
async fn a_store_that_cannot_be_written_is_not_ready() {
    let world = World::new().await;
    let ready = async || world.request(Method::GET, "/ready").send().await.unwrap();
    assert_eq!(ready().await.status(), 200);
    let health = world.host().health();
    let full = StoreError::DiskFull {
        path: "adjutant.db".into(),
    };
    let said = full.clone();
    // The host notices within a second that the disk has room, so the failure is reported repeatedly.
    let failing = tokio::spawn({
        let health = health.clone();
        async move {
            loop {
                health.write_failed(&said);
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    });
    let refused = async {
        loop {
            let answer = ready().await;
            if answer.status() != 200 {
                break answer;
            }
        }
    };
    let refused = tokio::time::timeout(Duration::from_secs(10), refused).await;
    let refused = refused.unwrap();
    assert_eq!(refused.status(), 503);
    let told = refused.text().await.unwrap();
    assert!(told.contains("ADJ-3003"), "{told}");
    assert!(!told.contains("adjutant.db"), "anybody may ask: {told}");
    failing.abort();
    let _ = failing.await;
    health.changes_from(Some(&full)).await;
    assert_eq!(ready().await.status(), 200);
    world.stop().await;
}
