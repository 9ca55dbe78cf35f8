use zeroize::Zeroizing;

use super::smtp_server::{Offers, SmtpServer};
use super::*;

const FINE: (&str, &str) = ("\0", "");

fn email(server: &SmtpServer, security: Security) -> Email {
    let to = [
        "Anna <anna@example.org>".to_owned(),
        "bo@example.org".into(),
    ];
    let email = Email::new(
        "localhost",
        security,
        Plain::Loopback,
        "adjutant@example.org",
        &to,
    );
    let login = Login {
        user: "robot".into(),
        password: Zeroizing::new("s3cret".into()),
    };
    let email = email
        .unwrap()
        .at_port(server.port)
        .with_login(login)
        .unwrap();
    email.trusting(server.authority.as_bytes()).unwrap()
}

async fn mail(email: Email) -> Sent {
    let channel = channel(Carrier::Email(Box::new(email)));
    let notice = asked(Severity::High, Some("finance"));
    Sender::default().send(&channel, &notice, NOW).await
}

#[tokio::test]
async fn a_mail_goes_out_after_starttls_and_login() {
    let server = SmtpServer::start(Offers::StartTls, FINE).await;
    let sent = mail(email(&server, Security::StartTls)).await;
    let place = format!("localhost:{}", server.port);
    let said = format!("{place} answered 250: 2.0.0 queued as 42");
    assert_eq!(sent, Sent::Delivered { said });
    let verbs: Vec<String> = {
        let said = server.said.lock().unwrap();
        let words = said.iter().map(|line| line.split(' ').next().unwrap());
        words.map(ToOwned::to_owned).collect()
    };
    assert_eq!(
        verbs,
        [
            "EHLO", "STARTTLS", "EHLO", "AUTH", "MAIL", "RCPT", "RCPT", "DATA", "QUIT"
        ][..verbs.len()]
    );
    assert!(verbs.len() >= 8, "{verbs:?}");
    let mails = server.mails.lock().unwrap();
    let [mail] = mails.as_slice() else {
        panic!("{mails:?}");
    };
    assert!(mail.is_ascii(), "8-bit text was not encoded: {mail}");
    insta::assert_snapshot!(mail.replace("\r\n", "\n"));
}

#[tokio::test]
async fn tls_from_the_first_byte_works_too() {
    let server = SmtpServer::start(Offers::Tls, FINE).await;
    let sent = mail(email(&server, Security::Tls)).await;
    assert!(matches!(sent, Sent::Delivered { .. }), "{sent:?}");
}

#[tokio::test]
async fn nothing_is_said_to_a_server_that_cannot_prove_who_it_is() {
    let server = SmtpServer::start(Offers::StartTls, FINE).await;
    let to = ["anna@example.org".to_owned()];
    let stranger = Email::new(
        "localhost",
        Security::StartTls,
        Plain::Loopback,
        "a@example.org",
        &to,
    );
    let sent = mail(stranger.unwrap().at_port(server.port)).await;
    assert!(matches!(sent, Sent::NotNow { .. }), "{sent:?}");
    assert!(server.mails.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_server_without_starttls_gets_nothing() {
    let server = SmtpServer::start(Offers::Nothing, FINE).await;
    let sent = mail(email(&server, Security::StartTls)).await;
    assert!(!matches!(sent, Sent::Delivered { .. }), "{sent:?}");
    let said = server.said.lock().unwrap();
    assert!(
        said.iter()
            .all(|line| !line.starts_with("AUTH") && !line.starts_with("MAIL")),
        "{said:?}"
    );
}

#[tokio::test]
async fn the_reply_says_whether_to_try_again() {
    for (refuses, passes) in [
        (("MAIL", "451 4.3.0 later"), true),
        (("RCPT", "450 4.2.1 greylisted"), true),
        (("RCPT", "550 5.1.1 no such user"), false),
        (("AUTH", "535 5.7.8 no"), false),
        ((".", "452 4.3.1 full"), true),
        ((".", "554 5.7.1 spam"), false),
    ] {
        let server = SmtpServer::start(Offers::StartTls, refuses).await;
        let sent = mail(email(&server, Security::StartTls)).await;
        match (&sent, passes) {
            (Sent::NotNow { why, .. }, true) | (Sent::Refused { why }, false) => {
                let code = refuses.1.split(' ').next().unwrap();
                assert!(why.contains(code), "{refuses:?}: {why}");
            }
            _ => panic!("{refuses:?}: {sent:?}"),
        }
        assert!(server.mails.lock().unwrap().is_empty());
    }
}

#[test]
fn what_may_not_go_without_tls() {
    let to = ["anna@example.org".to_owned()];
    let plain = |server, plain| Email::new(server, Security::Plain, plain, "a@example.org", &to);
    assert_eq!(
        plain("mail.example.org", Plain::Loopback).unwrap_err(),
        EmailError::Plain
    );
    assert!(plain("127.0.0.1", Plain::Loopback).is_ok());
    let login = Login {
        user: "robot".into(),
        password: Zeroizing::new("s3cret".into()),
    };
    assert!(!format!("{login:?}").contains("s3cret"));
    let refused = plain("mail.example.org", Plain::Allowed)
        .unwrap()
        .with_login(login);
    assert_eq!(refused.unwrap_err(), EmailError::PlainLogin);
    let nobody = Email::new(
        "localhost",
        Security::Tls,
        Plain::Loopback,
        "a@example.org",
        &[],
    );
    assert_eq!(nobody.unwrap_err(), EmailError::Recipients);
    let wrong = Email::new("localhost", Security::Tls, Plain::Loopback, "a b", &to);
    assert!(matches!(wrong, Err(EmailError::Address { .. })));
}

#[tokio::test]
async fn a_mail_without_tls_reaches_this_machine() {
    let server = SmtpServer::start(Offers::Nothing, FINE).await;
    let to = ["anna@example.org".to_owned()];
    let plain = Email::new(
        "127.0.0.1",
        Security::Plain,
        Plain::Loopback,
        "a@example.org",
        &to,
    );
    let sent = mail(plain.unwrap().at_port(server.port)).await;
    assert!(matches!(sent, Sent::Delivered { .. }), "{sent:?}");
}
