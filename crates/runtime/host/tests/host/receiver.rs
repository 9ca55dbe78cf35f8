//! A small real HTTP server on a real socket. It stands for whoever receives webhooks: it hands what came to the
//! test, and answers what the test told it to.

use std::collections::HashMap;
use std::sync::Arc;

use adjutant_mission::Timestamp;
use adjutant_notify::{Carrier, Plain, Secret, Webhook, verify};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

pub struct Receiver {
    port: u16,
    came: mpsc::UnboundedReceiver<Came>,
}

#[derive(Debug)]
pub struct Came {
    pub id: String,
    pub at: Timestamp,
    pub body: Value,
}

impl Receiver {
    /// Answers each request with the next of these statuses, and the last one for ever.
    pub async fn answering(statuses: &'static [u16]) -> Self {
        Self::hesitating(statuses, Arc::new(Semaphore::new(Semaphore::MAX_PERMITS))).await
    }

    /// Answers only as often as it may.
    pub async fn hesitating(statuses: &'static [u16], may: Arc<Semaphore>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (to, came) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut statuses = statuses.iter();
            let mut status = 0;
            while let Ok((stream, _)) = listener.accept().await {
                status = statuses.next().copied().unwrap_or(status);
                let (came, mut stream) = receive(stream).await;
                let _ = to.send(came);
                may.acquire().await.unwrap().forget();
                let answer = format!(
                    "HTTP/1.1 {status} So\r\nretry-after: 3600\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
                );
                stream.write_all(answer.as_bytes()).await.unwrap();
            }
        });
        Self { port, came }
    }

    pub fn carrier(&self) -> Carrier {
        let url = format!("http://127.0.0.1:{}/hook", self.port);
        let secret = Secret::parse(SECRET).unwrap();
        Carrier::Webhook(Webhook::new(&url, Plain::Loopback, secret).unwrap())
    }

    pub async fn next(&mut self) -> Came {
        self.came.recv().await.unwrap()
    }

    /// What came and was not looked at yet.
    pub fn rest(&mut self) -> Vec<Came> {
        std::iter::from_fn(|| self.came.try_recv().ok()).collect()
    }
}

async fn receive(stream: TcpStream) -> (Came, BufReader<TcpStream>) {
    let mut stream = BufReader::new(stream);
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await.unwrap();
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.trim().split_once(": ") {
            headers.insert(name.to_ascii_lowercase(), value.to_owned());
        }
    }
    let mut body = vec![0; headers["content-length"].parse().unwrap()];
    stream.read_exact(&mut body).await.unwrap();
    let (id, seconds) = (&headers["webhook-id"], &headers["webhook-timestamp"]);
    let at = Timestamp(seconds.parse::<i64>().unwrap() * 1_000);
    let secret = Secret::parse(SECRET).unwrap();
    verify(
        &secret,
        id,
        seconds,
        &headers["webhook-signature"],
        &body,
        at,
    )
    .unwrap();
    let came = Came {
        id: id.clone(),
        at,
        body: serde_json::from_slice(&body).unwrap(),
    };
    (came, stream)
}
