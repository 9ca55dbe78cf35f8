//! A small real SMTP server on a real socket, by RFC 5321, 3207 and 4954. It stands for a mail server: it says
//! what one says, keeps what it was told, and refuses what the test told it to.

use std::sync::{Arc, Mutex};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

trait Line: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Line for T {}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Offers {
    Nothing,
    StartTls,
    /// TLS from the first byte.
    Tls,
}

#[derive(Clone)]
pub(super) struct SmtpServer {
    pub(super) port: u16,
    /// The certificate to trust.
    pub(super) authority: String,
    pub(super) said: Arc<Mutex<Vec<String>>>,
    pub(super) mails: Arc<Mutex<Vec<String>>>,
}

impl SmtpServer {
    /// Answers commands that begin with `refuses.0` with `refuses.1`.
    pub(super) async fn start(offers: Offers, refuses: (&'static str, &'static str)) -> Self {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(vec!["localhost".into()]).unwrap();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
        let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            port: listener.local_addr().unwrap().port(),
            authority: cert.pem(),
            said: Arc::default(),
            mails: Arc::default(),
        };
        let serving = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // A client that hangs up is what some tests want to see.
                let _ = serving.serve(stream, &acceptor, offers, refuses).await;
            }
        });
        server
    }

    async fn serve(
        &self,
        stream: TcpStream,
        acceptor: &TlsAcceptor,
        offers: Offers,
        refuses: (&str, &str),
    ) -> std::io::Result<()> {
        let mut secured = offers == Offers::Tls;
        let mut stream: BufReader<Box<dyn Line>> = BufReader::new(match offers {
            Offers::Tls => Box::new(acceptor.accept(stream).await?),
            Offers::Nothing | Offers::StartTls => Box::new(stream),
        });
        let mut reply = String::from("220 mail.example.org ESMTP\r\n");
        loop {
            stream.get_mut().write_all(reply.as_bytes()).await?;
            stream.get_mut().flush().await?;
            let mut line = String::new();
            if stream.read_line(&mut line).await? == 0 {
                return Ok(());
            }
            let line = line.trim_end().to_owned();
            self.said.lock().unwrap().push(line.clone());
            let verb = line.split([' ', ':']).next().unwrap().to_ascii_uppercase();
            if line.starts_with(refuses.0) {
                reply = format!("{}\r\n", refuses.1);
                continue;
            }
            reply = match verb.as_str() {
                "EHLO" if offers == Offers::StartTls && !secured => {
                    "250-mail.example.org\r\n250-8BITMIME\r\n250 STARTTLS\r\n".into()
                }
                "EHLO" => "250-mail.example.org\r\n250-8BITMIME\r\n250 AUTH PLAIN LOGIN\r\n".into(),
                "STARTTLS" => {
                    stream.get_mut().write_all(b"220 go ahead\r\n").await?;
                    stream = BufReader::new(Box::new(acceptor.accept(stream.into_inner()).await?));
                    secured = true;
                    String::new()
                }
                "AUTH" => "235 2.7.0 welcome\r\n".into(),
                "DATA" => {
                    stream.get_mut().write_all(b"354 go on\r\n").await?;
                    let mail = take_mail(&mut stream).await?;
                    if refuses.0 == "." {
                        format!("{}\r\n", refuses.1)
                    } else {
                        self.mails.lock().unwrap().push(mail);
                        "250 2.0.0 queued as 42\r\n".into()
                    }
                }
                "QUIT" => {
                    stream.get_mut().write_all(b"221 bye\r\n").await?;
                    return Ok(());
                }
                "MAIL" | "RCPT" | "RSET" | "NOOP" => "250 2.1.0 fine\r\n".into(),
                _ => "500 5.5.1 what\r\n".into(),
            };
        }
    }
}

/// Lines up to the lone dot, with the dots that protect others taken away.
async fn take_mail(stream: &mut BufReader<Box<dyn Line>>) -> std::io::Result<String> {
    let mut mail = String::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        assert!(line.ends_with("\r\n"), "bare line feed in {line:?}");
        if line == ".\r\n" {
            return Ok(mail);
        }
        mail.push_str(line.strip_prefix('.').unwrap_or(&line));
    }
}
