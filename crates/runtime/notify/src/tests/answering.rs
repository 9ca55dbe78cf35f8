//! Links through which questions are answered out of mails.

use super::smtp_server::{Offers, SmtpServer};
use super::*;

type Change = fn(&mut AnswerLink);

fn link() -> AnswerLink {
    AnswerLink {
        base: PublicUrl::parse("https://adjutant.example.org").unwrap(),
        key: AnswerKey::of_master("5e"),
        tenant: tenant(),
        channel: ChannelName::new("mail").unwrap(),
        person: AgentId::new("anna").unwrap(),
        address: "anna@example.org".into(),
        roles: vec![Role::new("finance").unwrap()],
        content: Content::Redacted,
    }
}

fn id() -> CheckpointId {
    CheckpointId {
        mission: mission(),
        number: CheckpointNumber::new(2),
    }
}

fn token(link: &AnswerLink) -> String {
    let url = link.url(id());
    let token = url.strip_prefix("https://adjutant.example.org/answer/");
    token.unwrap().to_owned()
}

/// Mails that were sent must go on working: a change here breaks them.
#[test]
fn a_link_stays_the_same() {
    insta::assert_snapshot!(link().url(id()));
    assert_eq!(link().url(id()), link().url(id()));
    assert_eq!(link().opens(&token(&link())), Some(id()));
    let told = format!("{:?}", link());
    assert!(told.contains("AnswerKey(…)"), "{told}");
}

#[test]
fn a_link_is_for_one_person_one_address_one_channel_and_one_question() {
    let known = token(&link());
    let others: [(&str, Change); 6] = [
        ("person", |link| link.person = AgentId::new("bo").unwrap()),
        ("address", |link| link.address = "anna@example.com".into()),
        ("tenant", |link| {
            link.tenant = TenantId::new("rival").unwrap()
        }),
        ("channel", |link| {
            link.channel = ChannelName::new("post").unwrap();
        }),
        ("key", |link| link.key = AnswerKey::of_master("5f")),
        // Where one part ends is told.
        ("border", |link| {
            link.person = AgentId::new("annaanna").unwrap();
            link.address = "@example.org".into();
        }),
    ];
    for (what, change) in others {
        let mut other = link();
        change(&mut other);
        assert_eq!(other.opens(&known), None, "another {what}");
        assert_eq!(link().opens(&token(&other)), None, "another {what}");
        assert_eq!(other.opens(&token(&other)), Some(id()), "{what}");
    }
    // Neither what the person may answer nor what they see makes it another link.
    let mut same = link();
    same.roles.clear();
    same.content = Content::Whole;
    same.base = PublicUrl::parse("http://127.0.0.1:8700").unwrap();
    assert_eq!(same.opens(&known), Some(id()));
}

#[test]
fn no_changed_token_opens_anything() {
    let (link, known) = (link(), token(&link()));
    let letters = "abcXYZ0189-_.=+/% \n\u{e4}";
    for at in 0..known.len() {
        let (before, after) = (&known[..at], &known[at + 1..]);
        let here = &known[at..=at];
        assert_eq!(link.opens(&format!("{before}{after}")), None, "{at}");
        let swapped = match here.chars().all(char::is_lowercase) {
            true => here.to_uppercase(),
            false => here.to_lowercase(),
        };
        let all = letters.chars().map(String::from).chain([swapped]);
        for letter in all.filter(|letter| letter != here) {
            let changed = format!("{before}{letter}{after}");
            assert_eq!(link.opens(&changed), None, "{changed}");
        }
    }
    // Each way to write the last of 43 digits that stands for the same bits.
    for last in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".chars() {
        let changed = format!("{}{last}", &known[..known.len() - 1]);
        assert_eq!(link.opens(&changed).is_some(), changed == known, "{last}");
    }
    let number = known.replace("-2.", "-02.");
    let plus = known.replace("-2.", "-+2.");
    let another = known.replace("-2.", "-3.");
    for odd in ["", ".", "..", "...", "mail..", &number, &plus, &another] {
        assert_eq!(link.opens(odd), None, "{odd}");
    }
    for around in [
        format!("{known}="),
        format!(" {known}"),
        format!("{known}."),
    ] {
        assert_eq!(link.opens(&around), None, "{around}");
    }
    assert_eq!(link.opens(&"x".repeat(1_000_000)), None);
}

#[test]
fn where_a_server_is_reached() {
    for (text, host) in [
        ("https://adjutant.example.org", "adjutant.example.org"),
        ("https://adjutant.example.org/", "adjutant.example.org"),
        ("https://Adjutant.example.org:443", "adjutant.example.org"),
        ("https://10.0.0.7:8443", "10.0.0.7:8443"),
        ("http://127.0.0.1:8700", "127.0.0.1:8700"),
        ("http://[::1]:8700", "[::1]:8700"),
        ("http://localhost", "localhost"),
    ] {
        assert_eq!(PublicUrl::parse(text).unwrap().host(), host, "{text}");
    }
    for (text, why) in [
        ("adjutant.example.org", "not a valid address"),
        ("https://", "not a valid address"),
        ("http://adjutant.example.org", "this machine only"),
        ("http://127.0.0.1.example.org", "this machine only"),
        ("ftp://adjutant.example.org", "`ftp:`"),
        ("https://adjutant.example.org/adjutant", "a path"),
        ("https://adjutant.example.org/?a=b", "a query"),
        ("https://adjutant.example.org/#a", "a fragment"),
        ("https://anna@adjutant.example.org", "credentials"),
        ("https://anna:pw@adjutant.example.org", "credentials"),
    ] {
        let told = PublicUrl::parse(text).unwrap_err().to_string();
        assert!(told.contains(why), "{text}: {told}");
    }
}

#[test]
fn only_whom_a_question_asks_gets_its_link() {
    let text = |role: Option<&str>, link: &AnswerLink| {
        let notice = asked(Severity::High, role);
        crate::text(&notice, Some(link))
    };
    let line = format!("\nAnswer here (as anna): {}\n", link().url(id()));
    assert!(text(None, &link()).contains(&line));
    assert!(text(Some("finance"), &link()).contains(&line));
    assert!(!text(Some("legal"), &link()).contains("/answer/"));
    let mut named = checkpoint(Severity::High, None);
    let named_are = |named: &mut Checkpoint, who: &str| {
        let by = vec![AgentId::new(who).unwrap()];
        named.approvers = Some(Box::new(Approvers { by, needed: 1 }));
    };
    named_are(&mut named, "bo");
    assert!(!link().is_for(&named));
    named_are(&mut named, "anna");
    assert!(link().is_for(&named));
    let test = Notice {
        what: What::Test,
        ..asked(Severity::High, None)
    };
    assert!(!crate::text(&test, Some(&link())).contains("/answer/"));
    let without = crate::text(&asked(Severity::High, None), None);
    assert!(!without.contains("/answer/"), "{without}");
}

#[tokio::test]
async fn a_mail_to_one_person_has_the_link() {
    let server = SmtpServer::start(Offers::Nothing, ("\0", "")).await;
    let email = |to: &[&str]| {
        let to: Vec<String> = to.iter().map(|to| (*to).to_owned()).collect();
        Email::new(
            "127.0.0.1",
            Security::Plain,
            Plain::Loopback,
            "adjutant@example.org",
            &to,
        )
        .unwrap()
        .at_port(server.port)
    };
    let several = email(&["anna@example.org", "bo@example.org"]);
    let refused = several.answered_through(link()).unwrap_err();
    assert_eq!(refused, EmailError::Answers);
    let one = email(&["anna@example.org"]).answered_through(link());
    let channel = channel(Carrier::Email(Box::new(one.unwrap())));
    let told = format!("{channel:?}");
    assert!(!told.contains(token(&link()).rsplit('.').next().unwrap()));
    let mut notice = asked(Severity::High, Some("finance"));
    if let What::CheckpointOpened { checkpoint, .. } = &mut notice.what {
        checkpoint.question = "Which way?".into();
    }
    for _ in 0..2 {
        let sent = Sender::default().send(&channel, &notice, NOW).await;
        let Sent::Delivered { said } = sent else {
            panic!("{sent:?}");
        };
        assert!(!said.contains("/answer/"), "{said}");
    }
    let mails = server.mails.lock().unwrap();
    let [first, again] = mails.as_slice() else {
        panic!("{mails:?}");
    };
    assert_eq!(first, again, "the same link");
    let whole = first.replace("=\r\n", "");
    assert!(whole.contains(&link().url(id())), "{whole}");
}

#[test]
fn a_webhook_never_has_a_link() {
    let told = crate::compose::json(&asked(Severity::High, Some("finance")));
    assert!(!told.contains("answer"), "{told}");
}

/// What only the page shows is redacted as well.
#[test]
fn the_arguments_of_a_call_are_redacted_with_the_rest() {
    let mut notice = asked(Severity::High, None);
    if let What::CheckpointOpened { checkpoint, .. } = &mut notice.what {
        checkpoint.question = "Write to Patient K.T.W.?".into();
        let call = serde_json::json!({
            "calls": "mail", "class": "once", "price": 0, "hash": "0",
            "arguments": {"to": ["Patient K.T.W."], "at": {"said": "born 14.02.1957"}, "n": 7},
        });
        checkpoint.call = Some(serde_json::from_value(call).unwrap());
    }
    let redacted = notice.redacted();
    let What::CheckpointOpened { checkpoint, .. } = redacted.what else {
        panic!("{redacted:?}");
    };
    let arguments = checkpoint.call.unwrap().arguments.unwrap();
    let told = arguments.text();
    assert!(!told.contains("K.T.W") && !told.contains("1957"), "{told}");
    assert!(
        told.contains("Patient [NAME]") && told.contains('7'),
        "{told}"
    );
}
