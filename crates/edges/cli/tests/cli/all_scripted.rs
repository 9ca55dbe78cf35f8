//! All 24 missions with a model, next to each other in one host: with a model that reads what it is asked, and with models that
//! are of no use. What comes of a mission then is a report, a question to a person or a failure with its reason; it never hangs.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use adjutant_catalogue::BUILT_IN;
use adjutant_stand_ins::models::{Answer, Asked, Misbehaviour, Received, Reply};
use serde_json::Value;

use crate::world::{DOSSIER, World, read};

/// Mission, and an objective for it on the product of the dossier.
const OBJECTIVES: &str = include_str!("../../../../../bench/missions/objectives.tsv");
/// Without a mission that goes on; all of them share the machine.
const PATIENCE: Duration = Duration::from_secs(120);
const LOOK: Duration = Duration::from_millis(500);
/// Missions that are started at once.
const STARTERS: usize = 4;

/// Where a mission came to.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Came {
    /// With its delivery.
    Ended(String, String),
    /// What a person is asked.
    Waits(Vec<String>),
}

fn lines(world: &World, arguments: &[&str]) -> Vec<Value> {
    let told = world.place.run(arguments);
    assert_eq!(told.code, 0, "{arguments:?}: {}", told.err);
    let lines = told.out.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn objectives() -> Vec<(&'static str, &'static str)> {
    let lines = OBJECTIVES.lines().map(|line| line.split('\t'));
    let named = lines.map(|mut columns| (columns.next().unwrap(), columns.next().unwrap()));
    let all: Vec<_> = named.collect();
    assert_eq!(all.len(), BUILT_IN.len());
    all
}

/// Starts every mission; gives each one's id and name.
fn start_all(world: &World) -> BTreeMap<String, &'static str> {
    let objectives = objectives();
    let of_one = |(name, objective): &(&'static str, &'static str)| {
        let more = ["--kb", "house", "--yes", "--detach", "--json"];
        let started = world.start(name, objective, &more);
        assert_eq!(started.code, 0, "{name}: {}", started.err);
        let line = started.out.lines().next().unwrap();
        let told: Value = serde_json::from_str(line).unwrap();
        (told["mission"].as_str().unwrap().to_owned(), *name)
    };
    std::thread::scope(|scope| {
        let share = objectives.len().div_ceil(STARTERS);
        let shares = objectives.chunks(share);
        let starters: Vec<_> = shares
            .map(|share| scope.spawn(move || share.iter().map(of_one).collect::<Vec<_>>()))
            .collect();
        let started = starters.into_iter().map(|starter| starter.join().unwrap());
        started.flatten().collect()
    })
}

/// Starts all missions and waits until each has ended, or waits for a person.
fn run_all(world: &World) -> BTreeMap<&'static str, (String, Came)> {
    world.keep(&DOSSIER);
    let _up = world.place.start(&["up"]);
    let started = start_all(world);
    let mut came = BTreeMap::new();
    let (mut last, mut moved) = (String::new(), Instant::now());
    while came.len() < started.len() {
        std::thread::sleep(LOOK);
        let rows = lines(world, &["list", "--all", "--json"]);
        let seen = format!("{rows:?}");
        if seen != last {
            (last, moved) = (seen, Instant::now());
        }
        for row in &rows {
            let id = row["mission"].as_str().unwrap();
            let name = started.get(id).filter(|name| !came.contains_key(*name));
            if let Some((name, at)) = name.zip(came_to(world, row)) {
                came.insert(*name, (id.to_owned(), at));
            }
        }
        let on_its_way: Vec<_> = started
            .values()
            .filter(|name| !came.contains_key(*name))
            .collect();
        assert!(
            moved.elapsed() < PATIENCE,
            "nothing goes on: {on_its_way:?}"
        );
    }
    came
}

fn came_to(world: &World, row: &Value) -> Option<Came> {
    let id = row["mission"].as_str().unwrap();
    match row["phase"].as_str().unwrap() {
        "completed" | "failed" | "cancelled" => {
            let events = lines(world, &["events", id, "--json"]);
            let ending = events.last().unwrap()["event"]["data"].clone();
            let text = |field: &str| ending[field].as_str().unwrap_or_default().to_owned();
            Some(Came::Ended(text("phase"), text("delivery")))
        }
        "awaiting_human" => {
            // A checkpoint's id begins with its mission's, without what it is an id of.
            let digits = id.split('_').next_back().unwrap();
            let open = lines(world, &["inbox", "--json"]).into_iter();
            let own = open.filter(|asked| asked["checkpoint"].to_string().contains(digits));
            let questions: Vec<String> = own.map(|asked| asked["question"].to_string()).collect();
            // Somebody may have answered since, as with a waiver.
            (!questions.is_empty()).then_some(Came::Waits(questions))
        }
        _ => None,
    }
}

fn report(world: &World, id: &str) -> Value {
    let told = world.place.run(&["report", id, "--format", "json"]);
    assert_eq!(told.code, 0, "{id}: {}", told.err);
    serde_json::from_str(&told.out).unwrap()
}

/// Sentences that a model is likely to quote, and that mean nothing without others.
const GOING_ON: [(&str, &str); 2] = [
    (
        "a-register.md",
        "---\ntitle: Register of changes\ndate: 2026-09-01\n---\n\n# Changes\n\n\
         This version replaces the register of January 2026 on Velmoran 40 mg. \
         It is planned that the Velmoran trial begins in May 2027 and lowers systolic pressure.\n",
    ),
    (
        "board-letter.md",
        "---\ntitle: Letter of the board\ndate: 2026-09-04\n---\n\n# Letter\n\n\
         They decided to start Velmoran 40 mg in two countries. \
         These risks of Velmoran 40 mg were accepted by the board, but not the delay.\n",
    ),
];

#[test]
fn every_mission_is_delivered_with_a_model() {
    let world = World::with_a_model("", |received| Reply::Answer(read(received)));
    world.keep(&GOING_ON);
    let came = run_all(&world);
    let delivered = Came::Ended("completed".into(), "delivered".into());
    let stuck: Vec<_> = came
        .iter()
        .filter(|(_, (_, came))| *came != delivered)
        .collect();
    assert!(stuck.is_empty(), "{stuck:#?}");
    for (name, (id, _)) in &came {
        let told = report(&world, id);
        let (document, made) = (&told["document"], &told["made"]);
        assert_eq!(document["offline"], false, "{name}");
        let sources = document["sources"].as_array().unwrap();
        assert!(!sources.is_empty(), "{name} cites nothing");
        let by = made["answered_by"].as_array().unwrap();
        assert!(!by.is_empty(), "{name}: nobody answered");
        assert!(
            by.iter().all(|one| one["name"] == "script: small"),
            "{name}: {by:?}"
        );
    }
    assert_eq!(world.place.run(&["verify", "--all"]).code, 0);
}

/// What no document says, in words that would be noticed.
const MADE_UP: &str = "The moon of Velmoran is made of cheese and weighs 42 tonnes.";

/// The answer with its quotes, and what it says, made up.
fn invent(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(invent),
        Value::Object(fields) => {
            for (name, field) in fields {
                match name.as_str() {
                    "quote" | "text" | "summary" | "assertion" | "what" | "thought" => {
                        *field = MADE_UP.into();
                    }
                    "source" => *field = "moon.md".into(),
                    _ => invent(field),
                }
            }
        }
        _ => {}
    }
}

/// Whatever it is asked: valid JSON of another shape or with made-up quotes, a refusal, half an answer, a connection that breaks
/// off. Never twice the same in a row.
fn useless() -> impl Fn(&Received) -> Reply {
    let turn = AtomicUsize::new(0);
    move |received| {
        let proper = read(received);
        match turn.fetch_add(1, Ordering::Relaxed) % 5 {
            0 => {
                let mut made_up = Asked::read(received).unwrap().answer();
                invent(&mut made_up);
                Reply::Answer(Answer::new(made_up.to_string()))
            }
            1 => Reply::Misbehave(Misbehaviour::Unfit, proper),
            2 => Reply::Misbehave(Misbehaviour::Refusal, proper),
            3 => Reply::Misbehave(Misbehaviour::CutOff, proper),
            _ => Reply::Misbehave(Misbehaviour::Truncated, proper),
        }
    }
}

#[test]
fn no_mission_hangs_or_makes_things_up_with_a_useless_model() {
    let world = World::with_a_model("", useless());
    let came = run_all(&world);
    for (name, (id, came)) in &came {
        match came {
            Came::Waits(asked) => assert!(!asked.is_empty(), "{name} waits for nobody"),
            Came::Ended(..) => {
                let told = report(&world, id).to_string();
                assert!(!told.contains("made of cheese"), "{name}: {told}");
            }
        }
    }
    assert_eq!(world.place.run(&["verify", "--all"]).code, 0);
}
