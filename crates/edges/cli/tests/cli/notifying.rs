//! People are told of questions and endings by the real program, also when it is killed in between.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use adjutant_mission::Timestamp;
use adjutant_notify::{Secret, verify};
use adjutant_postgres_cluster::Database;
use insta::assert_snapshot;
use serde_json::Value;

use crate::support::{CHOICE, Place, Ran, Running};
use tokio::runtime::Runtime;

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const PATIENCE: Duration = Duration::from_secs(60);

/// Stands for whoever receives webhooks: a real HTTP server that answers as it is told.
pub(crate) struct Receiver {
    port: u16,
    came: mpsc::Receiver<(HashMap<String, String>, Value)>,
}

impl Receiver {
    pub(crate) fn answering(statuses: &'static [u16]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (to, came) = mpsc::channel();
        std::thread::spawn(move || {
            let mut answers = statuses.iter();
            let mut status = 0;
            for stream in listener.incoming().map_while(Result::ok) {
                status = *answers.next().unwrap_or(&status);
                let _ = to.send(receive(stream, status));
            }
        });
        Self { port, came }
    }

    pub(crate) fn next(&self) -> (HashMap<String, String>, Value) {
        self.came.recv_timeout(PATIENCE).unwrap()
    }

    pub(crate) fn channel(&self, name: &str, more: &str) -> String {
        let port = self.port;
        format!(
            "[[notify]]\nname = '{name}'\nkind = 'webhook'\nurl = 'http://127.0.0.1:{port}/'\nsecret_env = 'HOOK'\n{more}\n"
        )
    }
}

fn receive(stream: TcpStream, status: u16) -> (HashMap<String, String>, Value) {
    let mut writer = stream.try_clone().unwrap();
    let mut reader = BufReader::new(stream);
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.trim().split_once(": ") {
            headers.insert(name.to_ascii_lowercase(), value.to_owned());
        }
    }
    let mut body = vec![0; headers["content-length"].parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    let (id, at) = (&headers["webhook-id"], &headers["webhook-timestamp"]);
    let then = Timestamp(at.parse::<i64>().unwrap() * 1_000);
    let secret = Secret::parse(SECRET).unwrap();
    verify(&secret, id, at, &headers["webhook-signature"], &body, then).unwrap();
    let answer =
        format!("HTTP/1.1 {status} So\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello");
    // Who was killed does not want to know.
    let _ = writer.write_all(answer.as_bytes());
    (headers, serde_json::from_slice(&body).unwrap())
}

pub(crate) fn with_secret(mut command: Command) -> Command {
    command.env("HOOK", SECRET);
    command
}

fn up(place: &Place) -> Running {
    let up = Running::new(with_secret(place.command(&["up"])).spawn().unwrap());
    up.until("Up.");
    up
}

fn run(place: &Place, arguments: &[&str]) -> Ran {
    Ran::of(&with_secret(place.command(arguments)).output().unwrap())
}

/// What `notify list` says of the one channel there is.
fn untold(place: &Place) -> Vec<Value> {
    let listed = run(place, &["notify", "list", "--json"]);
    assert_eq!(listed.code, 0, "{}", listed.err);
    let channel: Value = serde_json::from_str(listed.out.trim()).unwrap();
    channel["untold"].as_array().unwrap().clone()
}

/// Opens a mission, kills the host at its first try, and lets the next host finish.
fn killed(place: &Place, recorded: impl Fn(&Place)) {
    let receiver = Receiver::answering(&[500, 200]);
    place.set(receiver.channel("team", ""));
    place.write("plan.yaml", CHOICE);
    let host = up(place);
    assert_eq!(run(place, &["run", "plan.yaml", "--detach"]).code, 0);
    let (first, body) = receiver.next();
    assert_eq!(body["type"], "checkpoint.opened");
    recorded(place);
    host.kill();
    let pending = untold(place);
    assert_eq!(pending.len(), 1, "{pending:?}");
    let host = up(place);
    let (second, again) = receiver.next();
    assert_eq!(second["webhook-id"], first["webhook-id"]);
    assert_eq!(again, body);
    host.signal("-TERM");
    assert_eq!(host.end().0, Some(0));
    assert!(untold(place).is_empty());

    let host = up(place);
    let decided = run(place, &["decide", "last", "approve"]);
    assert_eq!(decided.code, 0, "{}", decided.err);
    let (next, body) = receiver.next();
    assert_ne!(
        next["webhook-id"], first["webhook-id"],
        "nothing is told twice after a clean stop"
    );
    assert_eq!(body["data"]["question"], "Which way?");
    assert_eq!(body["data"]["recommendation"]["option"], "left");
    host.signal("-TERM");
    assert_eq!(host.end().0, Some(0));
}

/// The try may be recorded by then or not: it is made again.
#[test]
fn a_kill_during_a_try_loses_nothing() {
    killed(&Place::new(), |_| {});
}

#[test]
fn a_kill_between_tries_loses_nothing() {
    killed(&Place::new(), once_recorded);
}

#[test]
fn a_kill_between_tries_loses_nothing_on_postgresql() {
    let database = Database::fresh().unwrap();
    killed(&Place::on(database.address()), once_recorded);
}

fn once_recorded(place: &Place) {
    let began = Instant::now();
    while untold(place)[0]["tries"] != 1 {
        assert!(began.elapsed() < PATIENCE);
    }
}

#[test]
fn up_shows_the_question_itself() {
    let place = Place::new();
    place.write("plan.yaml", CHOICE);
    let host = place.start(&["up"]);
    host.until("Up.");
    assert_eq!(place.run(&["run", "plan.yaml", "--detach"]).code, 0);
    let line = host.until("? ");
    assert!(line.contains("-0  "), "{line}");
    assert!(
        line.contains("rejected if not answered within 24 hours"),
        "{line}"
    );
    host.signal("-TERM");
    assert_eq!(host.end().0, Some(0));
    let host = place.start(&["up"]);
    // What was open before is shown as well.
    assert!(host.until("? ").contains("-0  "));
    host.signal("-TERM");
    assert_eq!(host.end().0, Some(0));
    let host = place.start(&["up", "--json"]);
    host.until("unfinished");
    assert_eq!(place.run(&["decide", "last", "approve"]).code, 0);
    let asks: Value = serde_json::from_str(&host.until("\"asks\"")).unwrap();
    assert_eq!(asks["asks"]["question"], "Which way?");
}

#[test]
fn what_is_given_up_can_be_seen_and_is_tried_again_by_the_next_host() {
    let receiver = Receiver::answering(&[404, 200]);
    let place = Place::new();
    place.set(receiver.channel("team", ""));
    place.write("plan.yaml", CHOICE);
    let host = up(&place);
    assert_eq!(run(&place, &["run", "plan.yaml", "--detach"]).code, 0);
    receiver.next();
    once_recorded(&place);
    host.signal("-TERM");
    assert_eq!(host.end().0, Some(0));
    let [given_up] = untold(&place).try_into().unwrap();
    assert!(given_up.get("next_try_at").is_none(), "{given_up}");
    assert!(
        given_up["why"].as_str().unwrap().contains("404"),
        "{given_up}"
    );
    let list = run(&place, &["notify", "list"]).out;
    assert!(list.contains("given up"), "{list}");
    let doctor = run(&place, &["doctor"]).out;
    assert!(doctor.contains("1 channel, 1 notice given up"), "{doctor}");
    let host = up(&place);
    receiver.next();
    host.signal("-TERM");
    assert_eq!(host.end().0, Some(0));
    assert!(untold(&place).is_empty());
}

#[test]
fn an_ending_that_is_owed_can_be_seen_before_it_is_tried() {
    let receiver = Receiver::answering(&[200, 200]);
    let place = Place::new();
    place.set(receiver.channel("team", ""));
    place.write("plan.yaml", CHOICE);
    place.write("short.yaml", crate::support::SUM);
    let host = up(&place);
    assert_eq!(run(&place, &["run", "plan.yaml", "--detach"]).code, 0);
    receiver.next();
    host.signal("-TERM");
    assert_eq!(host.end().0, Some(0));
    assert!(untold(&place).is_empty());
    let ran = run(&place, &["run", "short.yaml", "--yes"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let [owed] = untold(&place).try_into().unwrap();
    assert_eq!(owed["tries"], 0);
    assert!(owed["about"].as_str().unwrap().starts_with("the end of “"));
    let listed = run(&place, &["notify", "list"]).out;
    assert!(listed.contains("while a host is up"), "{listed}");
    let host = up(&place);
    let (_, body) = receiver.next();
    assert_eq!(body["type"], "mission.ended");
    host.signal("-TERM");
    assert_eq!(host.end().0, Some(0));
    assert!(untold(&place).is_empty());
}

#[test]
fn a_test_says_what_the_other_side_answered() {
    let receiver = Receiver::answering(&[200, 503, 401]);
    let place = Place::new();
    place.set(receiver.channel("team", ""));
    let told = ["test", "test", "test", "unknown"].map(|what| {
        let channel = if what == "test" { "team" } else { what };
        let ran = run(&place, &["notify", "test", channel]);
        let told = ran
            .told(&place)
            .replace(&receiver.port.to_string(), "<port>");
        let id = regex::Regex::new(r"test-\d+, [-\d]+ [:\d]+").unwrap();
        id.replace_all(&told, "<notice>").into_owned()
    });
    assert_snapshot!(told.concat());
    assert_eq!(receiver.next().1["type"], "test");
}

/// Stands for a mail server on this machine: takes mails, and hands over all that was said for each.
fn mail_server() -> (u16, mpsc::Receiver<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (to, said) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let _ = to.send(take_mail(stream));
        }
    });
    (port, said)
}

fn take_mail(stream: TcpStream) -> Vec<String> {
    let mut writer = stream.try_clone().unwrap();
    let (mut lines, mut in_mail) = (Vec::new(), false);
    writer.write_all(b"220 mail.example.org\r\n").unwrap();
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        let answer = match line.as_str() {
            "." => "250 queued\r\n",
            "DATA" => "354 go on\r\n",
            "QUIT" => break,
            _ if in_mail => "",
            _ => "250 fine\r\n",
        };
        in_mail = line == "DATA" || (in_mail && line != ".");
        lines.push(line);
        writer.write_all(answer.as_bytes()).unwrap();
    }
    lines
}

#[test]
fn a_test_goes_by_mail_too() {
    let (port, said) = mail_server();
    let place = Place::new();
    let settings = format!(
        "[[notify]]\nname = 'mail'\nkind = 'email'\nserver = '127.0.0.1'\nport = {port}\nsecurity = 'none'\nfrom = 'a@example.org'\nto = ['anna@example.org']\n"
    );
    place.set(settings);
    let ran = place.run(&["notify", "test", "mail", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let told: Value = serde_json::from_str(&ran.out).unwrap();
    let said = said.recv_timeout(PATIENCE).unwrap();
    let id = format!(
        "Message-ID: <{}.mail@local.adjutant>",
        told["notice"].as_str().unwrap()
    );
    assert!(said.contains(&id), "{said:?}");
    assert!(
        said.contains(&"RCPT TO:<anna@example.org>".to_owned()),
        "{said:?}"
    );
    assert!(
        said.contains(&"Subject: [adjutant] A test of this channel".to_owned()),
        "{said:?}"
    );
}

#[test]
fn the_list_and_the_doctor_name_what_does_not_work() {
    let place = Place::new();
    let night = "from = '00:00'\nuntil = '23:59'\nzone = 'UTC'\nurgent_anyway = false";
    let settings = format!(
        "[[notify]]\nname = 'team'\nkind = 'webhook'\nurl = 'https://hooks.example.org/t0ken'\nsecret_env = 'HOOK'\nroles = ['finance']\n\
         [[notify]]\nname = 'mail'\nkind = 'email'\nserver = 'localhost'\nsecurity = 'none'\nfrom = 'a@example.org'\nto = ['anna@example.org']\nevents = ['checkpoints']\n[notify.quiet]\n{night}\n\
         [[notify]]\nname = 'bell'\nkind = 'terminal'\n"
    );
    place.set(settings);
    place.write("plan.yaml", CHOICE);
    assert_eq!(place.run(&["run", "plan.yaml", "--detach"]).code, 0);
    let list = place.run(&["notify", "list"]);
    let told = list.told(&place);
    let told = regex::Regex::new(r"(in [0-9]+ (hours?|minutes?|seconds?)|while a host is up)")
        .unwrap()
        .replace_all(&told, "<when>")
        .into_owned();
    let told = regex::Regex::new(r"[0-9a-z]{6}-0")
        .unwrap()
        .replace_all(&told, "<id>-0")
        .into_owned();
    assert_snapshot!(told);
    assert!(!list.out.contains("t0ken"), "the path may be secret");
    let doctor = place.run(&["doctor"]);
    assert_eq!(doctor.code, 4);
    assert!(
        doctor
            .out
            .contains("[ADJ-7032] `team`: the variable HOOK is not set"),
        "{}",
        doctor.out
    );
}

#[test]
fn mistakes_in_channels_are_told() {
    let place = Place::new();
    let told = [
        "name = 'a b'\nkind = 'terminal'",
        "name = 'a'\nkind = 'webhook'",
        "name = 'a'\nkind = 'webhook'\nurl = 'http://example.org'\nsecret_env = 'X'",
        "name = 'a'\nkind = 'terminal'\nurl = 'https://example.org'",
        "name = 'a'\nkind = 'email'\nserver = 'x'\nfrom = 'a@b.c'",
        "name = 'a'\nkind = 'terminal'\nquiet = {from = '22', until = '07:00'}",
        "name = 'a'\nkind = 'terminal'\nquiet = {from = '22:00', until = '07:00', zone = 'Mars'}",
        "name = 'a'\nkind = 'terminal'\nevents = []",
        "name = 'a'\nkind = 'terminal'\n[[notify]]\nname = 'a'\nkind = 'terminal'",
    ]
    .map(|text| {
        place.set(format!("[[notify]]\n{text}\n"));
        let ran = place.run(&["notify", "list"]);
        assert_eq!(ran.code, 2, "{text}");
        ran.err.lines().next().unwrap().to_owned()
    });
    assert_snapshot!(told.join("\n"));
}

/// Asks for an address of the house as a browser does, through a proxy that ends TLS before the server.
fn browse(runtime: &Runtime, server: &str, url: &str, form: Option<&str>) -> (u16, String) {
    const HOST: &str = "adjutant.example.org";
    let origin = format!("https://{HOST}");
    let path = url.strip_prefix(&origin).unwrap();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let here = format!("{server}{path}");
    let request = match form {
        Some(form) => {
            let kind = "application/x-www-form-urlencoded";
            let request = client.post(here).header("Content-Type", kind);
            request.header("Origin", origin).body(form.to_owned())
        }
        None => client.get(here),
    };
    runtime.block_on(async {
        let response = request.header("Host", HOST).send().await.unwrap();
        let status = response.status().as_u16();
        (status, response.text().await.unwrap())
    })
}

/// A mission from its plan to its end by nothing but links in mails, as one gets them on a phone.
#[test]
fn a_mission_is_answered_out_of_mails() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = Runtime::new().unwrap();
    let (smtp, mails) = mail_server();
    let place = Place::new();
    place.set(format!(
        "[server]\npublic_url = 'https://adjutant.example.org'\n\
         [[notify]]\nname = 'bea'\nkind = 'email'\nserver = '127.0.0.1'\nport = {smtp}\nsecurity = 'none'\n\
         from = 'a@example.org'\nto = ['bea@example.org']\nanswers_as = 'bea'\n"
    ));
    place.write("plan.yaml", CHOICE);
    let server = place.start(&["serve", "--listen", "127.0.0.1:0", "--json"]);
    let serving: Value = serde_json::from_str(&server.until("\"serving\"")).unwrap();
    let address = serving["serving"]["address"].as_str().unwrap();
    let browse = |url: &str, form| browse(&runtime, address, url, form);
    assert_eq!(place.run(&["run", "plan.yaml", "--detach"]).code, 0);
    let link = regex::Regex::new(r"Answer here \(as bea\): (\S+)").unwrap();
    let mut links = Vec::new();
    let ended = loop {
        let mail = mails.recv_timeout(PATIENCE).unwrap().join("\n");
        let mail = mail.replace("=\n", "");
        let url = link.captures(&mail).map(|found| found[1].to_owned());
        let Some(url) = url else {
            break mail;
        };
        assert!(url.starts_with("https://adjutant.example.org/answer/bea.chk_"));
        for _ in 0..2 {
            let (status, page) = browse(&url, None);
            assert_eq!(status, 200, "{page}");
            assert!(page.contains("You answer as bea."), "{page}");
        }
        let (_, page) = browse(&url, None);
        let form = match page.contains("name=\"option\"") {
            true => "option=right&note=Not+so+steep&verdict=approve",
            false => "note=&verdict=approve",
        };
        let (status, page) = browse(&url, Some(form));
        assert_eq!(status, 200, "{page}");
        assert!(page.contains("Your answer is recorded"), "{page}");
        links.push(url);
    };
    assert!(
        ended.contains("Subject: [adjutant] A choice: completed"),
        "{ended}"
    );
    assert!(!ended.contains("/answer/"), "{ended}");
    assert!(links.len() >= 2, "the plan and the choice: {links:?}");
    let (status, page) = browse(&links[1], Some("option=left&verdict=approve"));
    assert_eq!(status, 409, "{page}");
    assert!(
        page.contains("You (bea) answered") && page.contains("ADJ-9061"),
        "{page}"
    );
    let shown = place.run(&["show", "last", "--json"]);
    assert!(shown.out.contains("\"bea\""), "{}", shown.out);
    assert!(shown.out.contains("Not so steep"), "{}", shown.out);
    server.signal("-TERM");
    let (code, log) = server.end();
    assert_eq!(code, Some(0));
    // The links are in the mails, and nowhere else.
    let store = std::fs::read(place.home().join("adjutant.db")).unwrap();
    for url in &links {
        let tag = url.rsplit('.').next().unwrap();
        let listed = place.run(&["notify", "list", "--json"]).out;
        let events = place.run(&["events", "last", "--json"]).out;
        for told in [&log, &listed, &events, &shown.out] {
            assert!(!told.contains(tag), "{told}");
        }
        assert!(!store.windows(tag.len()).any(|part| part == tag.as_bytes()));
    }
}
