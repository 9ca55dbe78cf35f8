//! Personal data with a known answer goes through missions, and afterwards it is looked for everywhere it must not be.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use adjutant_postgres_cluster::{Cluster, Database, Durability};
use adjutant_stand_ins::models::{Answer, Received, Reply, Server};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::notifying::{Receiver, with_secret};
use crate::support::{Place, Ran, Running};

const SET: &str = include_str!("../../../../safety/redact/tests/set.jsonl");
/// Shorter values occur by chance.
const TELLING_CHARS_MIN: usize = 5;
/// Lines in one question to a model, and in one question to a person.
const ASKED_LINES: usize = 20;
const TOLD_LINES: usize = 20;

struct Set {
    lines: Vec<String>,
    /// Each can stand in a text only as personal data.
    values: BTreeSet<String>,
}

impl Set {
    fn read() -> Self {
        let lines: Vec<(String, Vec<String>)> = SET
            .lines()
            .map(|line| {
                let line: Value = serde_json::from_str(line).unwrap();
                let found = line["found"].as_array().unwrap().iter();
                let values = found.map(|pair| pair[1].as_str().unwrap().to_owned());
                (line["text"].as_str().unwrap().to_owned(), values.collect())
            })
            .collect();
        let mut set = Self {
            lines: lines.iter().map(|(text, _)| text.clone()).collect(),
            values: BTreeSet::new(),
        };
        // A value that another line has as an ordinary word says nothing where it is found.
        let is_ordinary = |value: &str| {
            let within = |at: &String| at.contains(value);
            lines
                .iter()
                .any(|(text, values)| text.contains(value) && !values.iter().any(within))
        };
        let all = lines.iter().flat_map(|(_, values)| values);
        let telling =
            all.filter(|value| value.chars().count() >= TELLING_CHARS_MIN && !is_ordinary(value));
        set.values.extend(telling.cloned());
        set
    }

    fn nowhere_in(&self, what: &str, bytes: &[u8]) {
        assert!(!bytes.is_empty(), "there is nothing in {what}");
        let any: Vec<String> = self
            .values
            .iter()
            .map(|value| regex::escape(value))
            .collect();
        let any = regex::bytes::Regex::new(&any.join("|")).unwrap();
        let found: Vec<_> = any
            .find_iter(bytes)
            .map(|found| String::from_utf8_lossy(found.as_bytes()))
            .collect();
        assert!(found.is_empty(), "{what} holds {found:?}");
    }
}

/// Quotes the first source that it is shown.
fn parrot(received: &Received) -> Reply {
    let prompt = received.body["messages"][1]["content"].as_str().unwrap();
    let (_, source) = prompt.split_once("<source id=\"").unwrap();
    let (id, rest) = source.split_once('"').unwrap();
    let (_, text) = rest.split_once(">\n").unwrap();
    let (text, _) = text.split_once("\n</source>").unwrap();
    let evidence = json!([{ "source": id, "quote": text }]);
    let finding = json!({ "text": text, "kind": "fact", "evidence": evidence, "confidence": 0.9 });
    let answer = json!({ "findings": [finding], "not_found": [], "confidence": 0.9 });
    Reply::Answer(Answer::new(answer.to_string()))
}

fn asking(set: &Set) -> String {
    let tasks = set
        .lines
        .chunks(ASKED_LINES)
        .enumerate()
        .map(|(at, lines)| {
            let sources = lines.iter().enumerate();
            let sources: Vec<Value> = sources
                .map(|(number, text)| json!({ "id": format!("line-{number}"), "text": text }))
                .collect();
            json!({
                "id": format!("ask-{at}"),
                "agent": { "purpose": "extract", "level": "L2" },
                "with": { "question": "What is said of whom?", "sources": sources },
            })
        });
    let title = &set.lines[0];
    json!({ "title": title, "tasks": tasks.collect::<Vec<_>>() }).to_string()
}

fn telling(set: &Set) -> String {
    let tasks = set.lines.chunks(TOLD_LINES).enumerate().map(|(at, lines)| {
        let question = format!("What of this?\n{}", lines.join("\n"));
        let human =
            json!({ "question": question, "options": [{ "key": "this", "label": "This" }, { "key": "that", "label": "That" }] });
        json!({ "id": format!("tell-{at}"), "human": human })
    });
    json!({ "title": set.lines[1], "autonomy": "balanced", "tasks": tasks.collect::<Vec<_>>() })
        .to_string()
}

fn command(place: &Place, arguments: &[&str]) -> Command {
    let mut command = with_secret(place.command(arguments));
    command.env("ADJUTANT_CASSETTE", "record:exchanges.json");
    command
}

fn run(place: &Place, arguments: &[&str]) -> Ran {
    let ran = Ran::of(&command(place, arguments).output().unwrap());
    assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.out, ran.err);
    ran
}

/// Everything in a folder and below.
fn all_bytes(folder: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            bytes.extend(all_bytes(&path));
        } else if let Ok(content) = std::fs::read(&path) {
            // A server removes files while it is looked at, and sockets cannot be read.
            bytes.extend(content);
        }
    }
    bytes
}

fn nothing_leaks(place: &Place, stored: impl Fn(&Place) -> Vec<u8>) {
    let set = Set::read();
    assert!(set.values.len() > 400, "{} values", set.values.len());
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(Server::start(parrot)).unwrap();
    let receiver = Receiver::answering(&[200]);
    let settings = format!(
        "{}[models.providers.far]\nkind = 'compatible'\nurl = '{}/v1'\nzone = 'outside'\n\
         [models.tiers]\nexpert = ['far/large']\n\
         [models.prices.'far/large']\nprice = 'free'\n",
        receiver.channel("team", "events = ['checkpoints']"),
        server.url()
    );
    place.set(settings);
    place.write("ask.yaml", asking(&set));
    place.write("tell.yaml", telling(&set));

    let asked = run(place, &["run", "ask.yaml", "--yes"]);
    let answer = run(place, &["show", "last", "--json"]).out;
    assert!(answer.contains("Anna Weber"), "its owner reads it all");
    set.nowhere_in(
        "what is said beside the output",
        &[asked.err.as_bytes(), b"."].concat(),
    );

    let up = Running::new(command(place, &["up"]).spawn().unwrap());
    up.until("Up.");
    run(place, &["run", "tell.yaml", "--yes", "--detach"]);
    let notices = set.lines.len().div_ceil(TOLD_LINES);
    let told: Vec<String> = (0..notices)
        .map(|_| receiver.next().1.to_string())
        .collect();
    set.nowhere_in("the store of a host that runs", &stored(place));
    run(place, &["backup", "all.backup"]);
    up.signal("-TERM");
    assert_eq!(up.end().0, Some(0));
    run(place, &["export", "--all", "--output", "all.adj"]);

    set.nowhere_in("the store", &stored(place));
    for file in ["all.backup", "all.adj"] {
        set.nowhere_in(file, &std::fs::read(place.path().join(file)).unwrap());
    }
    let received = server.received();
    assert_eq!(received.len(), set.lines.len().div_ceil(ASKED_LINES));
    let prompts: String = received
        .iter()
        .map(|received| received.body.to_string())
        .collect();
    set.nowhere_in("a prompt", prompts.as_bytes());
    let exchanges = std::fs::read(place.path().join("exchanges.json")).unwrap();
    set.nowhere_in("the cassette", &exchanges);
    set.nowhere_in("a webhook", told.concat().as_bytes());
}

#[test]
fn nothing_of_the_set_leaks() {
    nothing_leaks(&Place::new(), |place| all_bytes(&place.home()));
}

#[test]
fn nothing_of_the_set_leaks_on_postgresql() {
    let cluster = Cluster::start(Durability::Full).unwrap();
    let database = Database::fresh_in(&cluster).unwrap();
    nothing_leaks(&Place::on(database.address()), |_| {
        all_bytes(&cluster.files())
    });
}
