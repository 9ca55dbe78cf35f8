//! Passages found by what they mean. No vendor can be reached from a test; a server that speaks the documented format of
//! embeddings stands for one and knows two meanings.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use adjutant_stand_ins::models::{Received, Reply, Server};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::support::Place;

const SHIPS: [&str; 3] = ["vessel", "boat", "ketch"];
const BREAD: [&str; 3] = ["bread", "flour", "loaf"];

struct House {
    place: Place,
    server: Server,
    /// Whether the server answers.
    answers: Arc<AtomicBool>,
    _runtime: Runtime,
}

fn meaning(text: &str) -> [f64; 3] {
    let small = text.to_lowercase();
    let count = |words: [&str; 3]| words.iter().filter(|word| small.contains(*word)).count() as f64;
    [count(SHIPS), count(BREAD), 0.1]
}

/// As llama.cpp does it: one text that is too long fails the whole request.
const TEXT_BYTES_MAX: usize = 400;

fn embeddings(received: &Received) -> Reply {
    let texts = received.body["input"].as_array().unwrap().iter();
    if texts
        .clone()
        .any(|text| text.as_str().unwrap().len() > TEXT_BYTES_MAX)
    {
        let message = "input is too large to process. increase the physical batch size";
        return Reply::Status {
            status: 500,
            headers: Vec::new(),
            body: json!({ "error": { "code": 500, "message": message, "type": "server_error" } })
                .to_string(),
        };
    }
    let rows = texts.enumerate().map(|(index, text)| {
        json!({ "object": "embedding", "index": index, "embedding": meaning(text.as_str().unwrap()) })
    });
    let rows: Vec<Value> = rows.collect();
    let usage = json!({ "prompt_tokens": 500, "total_tokens": 500 });
    let body = json!({ "object": "list", "model": "m", "data": rows, "usage": usage });
    Reply::Status {
        status: 200,
        headers: Vec::new(),
        body: body.to_string(),
    }
}

fn house(model: &str, zone: &str) -> House {
    let answers = Arc::new(AtomicBool::new(true));
    let runtime = Runtime::new().unwrap();
    let does = Arc::clone(&answers);
    let script = move |received: &Received| match does.load(Ordering::SeqCst) {
        true => embeddings(received),
        false => Reply::Status {
            status: 401,
            headers: Vec::new(),
            body: json!({ "error": { "message": "who are you" } }).to_string(),
        },
    };
    let server = runtime.block_on(Server::start(script)).unwrap();
    let house = House {
        place: Place::new(),
        server,
        answers,
        _runtime: runtime,
    };
    house.embedded_by(model, zone);
    std::fs::create_dir(house.place.path().join("notes")).unwrap();
    let place = &house.place;
    place.write(
        "notes/ketch.md",
        "# Log\n\nThe ketch left with Anna Weber on board, anna.weber@clinic.example.\n",
    );
    place.write(
        "notes/loaf.md",
        "# Larder\n\nA loaf needs flour, water and patience.\n",
    );
    place.write(
        "notes/hill.md",
        "# Walk\n\nThe hill behind the mill is steep.\n",
    );
    house
}

impl House {
    fn embedded_by(&self, model: &str, zone: &str) {
        let url = self.server.url();
        self.place.set(format!(
                "[models]\nembeddings = \"house/{model}\"\n\
                 [models.providers.house]\nkind = \"compatible\"\nurl = \"{url}/v1\"\nzone = \"{zone}\"\n\
                 [models.prices.\"house/{model}\"]\ninput = \"20\"\noutput = \"0\"\n"
            ),
        );
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let mut arguments = arguments.to_vec();
        arguments.push("--json");
        let ran = self.place.run(&arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.out, ran.err);
        let first = ran.out.lines().next().unwrap_or("null");
        serde_json::from_str(first).unwrap()
    }

    fn add(&self) -> Value {
        let notes = self.place.path().join("notes");
        self.json(&["kb", "add", notes.to_str().unwrap()])
    }
}

#[test]
fn what_is_meant_is_found_and_explained() {
    let house = house("small", "inside");
    let added = house.add();
    assert_eq!(
        (&added["embedded"], &added["not_embedded"]),
        (&json!(3), &Value::Null)
    );
    assert_eq!(added["embedding_cost"], json!(30_000));
    let hit = house.json(&["kb", "search", "vessel", "--explain"]);
    assert_eq!(hit["source"], "ketch.md");
    let ways = hit["explained"]["ways"].as_array().unwrap();
    let vectors = ways.iter().find(|way| way["way"] == "vectors").unwrap();
    assert_eq!(vectors["rank"], 1);
    // Nothing has changed: nobody is asked again.
    let asked = house.server.received().len();
    assert_eq!(house.json(&["kb", "reindex"])["embedded"], 0);
    assert_eq!(house.server.received().len(), asked);
}

#[test]
fn an_endpoint_that_is_away_keeps_nothing_out() {
    let house = house("small", "inside");
    house.answers.store(false, Ordering::SeqCst);
    let notes = house.place.path().join("notes");
    let ran = house.place.run(&["kb", "add", notes.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for told in [
        "3 added",
        "embeddings are missing",
        "who are you",
        "ADJ-8015",
    ] {
        assert!(ran.out.contains(told), "{}", ran.out);
    }
    assert_eq!(
        house.json(&["kb", "search", "steep hill"])["source"],
        "hill.md"
    );
    house.answers.store(true, Ordering::SeqCst);
    assert_eq!(house.json(&["kb", "reindex"])["embedded"], 3);
    assert_eq!(house.json(&["kb", "search", "boat"])["source"], "ketch.md");
    // Away again: words still find, and it is said.
    house.answers.store(false, Ordering::SeqCst);
    let ran = house.place.run(&["kb", "search", "steep hill"]);
    assert!(
        ran.out.contains("hill.md") && ran.err.contains("by keywords only"),
        "{}{}",
        ran.out,
        ran.err
    );
}

#[test]
fn of_a_text_that_is_too_long_its_beginning_counts() {
    let house = house("small", "inside");
    let long = format!(
        "# Register\n\nA boat.{}\n",
        " One more line of it.".repeat(30)
    );
    house.place.write("notes/register.md", &long);
    let added = house.add();
    assert_eq!(
        (&added["embedded"], &added["not_embedded"]),
        (&json!(4), &Value::Null)
    );
    let ran = house.place.run(&["kb", "search", "vessel", "--json"]);
    assert!(ran.out.contains("register.md"), "{}", ran.out);
}

#[test]
fn another_model_makes_all_vectors_anew() {
    let house = house("small", "inside");
    house.add();
    house.embedded_by("large", "inside");
    // Until then the old ones are not compared with a question's new one, which others' passages make it have.
    house.place.write("bread.txt", "A loaf, some flour.\n");
    house.json(&["kb", "add", "bread.txt", "-n", "larder"]);
    let ran = house.place.run(&["kb", "search", "vessel", "--json"]);
    assert!(!ran.out.contains("ketch.md"), "{}", ran.out);
    assert_eq!(house.json(&["kb", "reindex"])["embedded"], 3);
    assert_eq!(
        house.json(&["kb", "search", "vessel"])["source"],
        "ketch.md"
    );
    let models: Vec<_> = house
        .server
        .received()
        .iter()
        .map(|it| it.body["model"].clone())
        .collect();
    // The loaf, three notes, and two questions.
    assert_eq!(models.iter().filter(|it| **it == "large").count(), 6);
}

#[test]
fn what_goes_outside_goes_without_names() {
    for (zone, leaves) in [("outside", false), ("inside", true)] {
        let house = house("small", zone);
        house.add();
        house.json(&["kb", "search", "Which boat did Dr. Anna Weber take?"]);
        let sent: String = house
            .server
            .received()
            .iter()
            .map(|it| it.body.to_string())
            .collect();
        assert!(sent.contains("ketch") && sent.contains("Which boat"));
        for name in ["Anna", "Weber", "clinic.example"] {
            assert_eq!(sent.contains(name), leaves, "{zone}: {sent}");
        }
    }
}

#[test]
fn missions_recall_by_meaning_and_go_on_without_it() {
    let house = house("small", "inside");
    house.add();
    house.place.write(
        "plan.yaml",
        "title: Look it up\ntasks:\n  - {id: look, tool: recall, with: {question: vessel, most: 1}}\n",
    );
    let recalled = || {
        let ran = house.place.run(&["run", "plan.yaml", "--yes"]);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        let shown = house.json(&["show", "last"]);
        (
            shown["mission"]["tasks"][0]["output"]["inline"].clone(),
            shown["mission"]["used"]["money"].clone(),
        )
    };
    let (found, cost) = recalled();
    assert_eq!(
        found["sources"][0]["id"]
            .as_str()
            .unwrap()
            .split('#')
            .next(),
        Some("kb:default/ketch.md")
    );
    assert!(cost.as_u64() > Some(0), "{cost}");
    house.answers.store(false, Ordering::SeqCst);
    let (found, _) = recalled();
    assert_eq!(found["sources"], json!([]));
    let note = found["note"].as_str().unwrap();
    assert!(
        note.contains("by keywords only") && note.contains("who are you"),
        "{note}"
    );
}
