//! A small real HTTP server on a real socket. It stands for whoever receives webhooks: it keeps what came, and
//! answers what the test told it to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

#[derive(Debug, Clone)]
pub(super) struct Came {
    pub(super) request: String,
    pub(super) headers: HashMap<String, String>,
    pub(super) body: Vec<u8>,
}

#[derive(Clone)]
pub(super) struct HttpServer {
    pub(super) port: u16,
    came: Arc<Mutex<Vec<Came>>>,
}

impl HttpServer {
    /// Answers each request with the next of these, and the last one for ever.
    pub(super) async fn answering(answers: &[&str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = Self {
            port,
            came: Arc::default(),
        };
        let (serving, answers) = (
            server.clone(),
            answers
                .iter()
                .map(|answer| (*answer).to_owned())
                .collect::<Vec<_>>(),
        );
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                serving.serve(stream, &answers).await;
            }
        });
        server
    }

    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook/t0ken", self.port)
    }

    pub(super) fn came(&self) -> Vec<Came> {
        self.came.lock().unwrap().clone()
    }

    async fn serve(&self, stream: TcpStream, answers: &[String]) {
        let mut stream = BufReader::new(stream);
        let mut request = String::new();
        stream.read_line(&mut request).await.unwrap();
        let mut headers = HashMap::new();
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).await.unwrap();
            let Some((name, value)) = line.trim().split_once(": ") else {
                break;
            };
            headers.insert(name.to_ascii_lowercase(), value.to_owned());
        }
        let length = headers
            .get("content-length")
            .map_or(0, |length| length.parse().unwrap());
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.unwrap();
        let answer = {
            let mut came = self.came.lock().unwrap();
            let answer = answers.get(came.len()).or(answers.last()).unwrap().clone();
            came.push(Came {
                request,
                headers,
                body,
            });
            answer
        };
        // One that hangs up is what the test wanted to see.
        let _ = stream.get_mut().write_all(answer.as_bytes()).await;
    }
}

pub(super) fn status(line: &str) -> String {
    format!("HTTP/1.1 {line}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
}
