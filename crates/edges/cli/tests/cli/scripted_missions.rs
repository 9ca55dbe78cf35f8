//! The three missions with a model that answers from what it is given, and sometimes wrongly: no JSON, what does not fit, a
//! refusal, a conclusion it is not sure of. The mission copes, completes, and its report tells who answered and at what cost.

use std::sync::Mutex;

use adjutant_stand_ins::models::{Answer, Asked, Misbehaviour, Received, Reply};
use serde_json::{Value, json};

use crate::world::{DOSSIER, World, read};

/// What every answer of the server uses: 100 tokens in, 20 out.
const REQUEST_TOKENS: u64 = 120;
const GUIDANCE: &str = "Look at the trial report.";

/// Something that goes wrong once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trouble {
    NoJson,
    Unfit,
    Refusal,
    /// A conclusion that a person has to look at.
    Poor,
    /// A conclusion that is thought through again.
    Middling,
}

struct Trial {
    mission: &'static str,
    objective: &'static str,
    /// The first question of a purpose that has this text in it meets this.
    troubles: [(&'static str, &'static str, Trouble); 5],
}

fn in_trouble(trouble: Trouble, received: &Received) -> Reply {
    let proper = read(received);
    let with_confidence = |confidence: f64, findings: Option<Value>| {
        let mut answer: Value = serde_json::from_str(&proper.text).unwrap();
        answer["confidence"] = json!(confidence);
        if let Some(findings) = findings {
            answer["findings"] = findings;
        }
        Reply::Answer(Answer::new(answer.to_string()))
    };
    match trouble {
        Trouble::NoJson => Reply::Misbehave(Misbehaviour::Prose, proper),
        Trouble::Unfit => Reply::Misbehave(Misbehaviour::Unfit, proper),
        Trouble::Refusal => Reply::Misbehave(Misbehaviour::Refusal, proper),
        Trouble::Poor => with_confidence(0.0, Some(json!([]))),
        Trouble::Middling => with_confidence(0.2, None),
    }
}

fn world(trial: &Trial) -> World {
    let left = Mutex::new(trial.troubles.to_vec());
    let world = World::with_a_model("", move |received| {
        let asked = Asked::read(received).unwrap();
        let mut left = left.lock().unwrap();
        let met = left.iter().position(|(purpose, text, _)| {
            asked.purpose == *purpose && asked.text.contains(text) && asked.sent_back == 0
        });
        match met {
            Some(at) => in_trouble(left.remove(at).2, received),
            None => Reply::Answer(read(received)),
        }
    });
    world.keep(&DOSSIER);
    world
}

/// Takes part as a person would: a poor conclusion is sent back with a word, everything else approved.
fn take_part(world: &World) {
    let is_poor = |question: &Value| question["asks"]["accept_conclusion"].is_object();
    while let Some(question) = world.approve_until(is_poor) {
        let id = format!("last-{}", question["number"]);
        let again = [
            "decide", &id, "approve", "--option", "again", "--note", GUIDANCE,
        ];
        let decided = world.place.run(&again);
        assert_eq!(decided.code, 0, "{}", decided.err);
    }
}

/// Whether any request that was sent says so.
fn was_said(world: &World, purpose: &str, words: &str) -> bool {
    let received = world.received().into_iter();
    let mut of_purpose = received.filter(|at| Asked::read(at).unwrap().purpose == purpose);
    of_purpose.any(|at| at.body["messages"].to_string().contains(words))
}

fn plays(trial: &Trial) {
    let world = world(trial);
    let more = ["--kb", "house", "--detach"];
    let started = world.start(trial.mission, trial.objective, &more);
    assert_eq!(started.code, 0, "{}", started.err);
    let up = world.place.start(&["up"]);
    take_part(&world);
    drop(up);
    let ending = world.ending().unwrap();
    assert_eq!(ending["phase"], "completed", "{ending}");
    assert_eq!(ending["delivery"], "delivered", "{ending}");

    for (purpose, _, trouble) in &trial.troubles {
        match trouble {
            // Sent back once with what is wrong.
            Trouble::NoJson | Trouble::Unfit => {
                assert!(
                    was_said(&world, purpose, "cannot be used"),
                    "{purpose}: {trouble:?}"
                );
            }
            // Handed to the one above.
            Trouble::Refusal => {
                let failed = world.of_kind("attempt_failed");
                let declined = failed
                    .iter()
                    .find(|at| at.to_string().contains("declined to answer"));
                let then = &declined.unwrap()["then"];
                assert!(then["upward"].is_object(), "{then}");
            }
            Trouble::Poor => assert!(
                was_said(&world, purpose, GUIDANCE),
                "nobody told the thinker"
            ),
            Trouble::Middling => {}
        }
    }
    let assessed = world.of_kind("confidence_assessed");
    let came_to = |then: &str| assessed.iter().filter(|at| at["then"] == then).count();
    assert_eq!((came_to("ask"), came_to("again")), (1, 1), "{assessed:?}");

    reports(&world);
    assert_eq!(world.place.run(&["verify", "--all"]).code, 0);
}

/// The report names the model, what it cost and what was asked again.
fn reports(world: &World) {
    let told = world.place.run(&["report", "last", "--format", "json"]);
    let whole: Value = serde_json::from_str(&told.out).unwrap();
    let (document, made) = (&whole["document"], &whole["made"]);
    assert_eq!(document["offline"], false);
    assert!(document["sources"].as_array().unwrap().len() >= 3);

    // The plan was asked for in a mission of its own.
    let received = world.received().into_iter();
    let own = received.filter(|at| Asked::read(at).unwrap().purpose != "plan");
    let requests = own.count() as u64;
    let shown = world.place.run(&["show", "last", "--json"]).out;
    let shown: Value = serde_json::from_str(&shown).unwrap();
    let used = &shown["mission"]["used"];
    assert_eq!(
        used["tokens"],
        requests * REQUEST_TOKENS,
        "every request counts"
    );
    let by = made["answered_by"].as_array().unwrap();
    assert_eq!(by.len(), 1, "{by:?}");
    assert_eq!(by[0]["name"], "script: small");
    let decisions = made["decisions"].to_string();
    assert!(
        decisions.contains("approved: again") && decisions.contains(GUIDANCE),
        "{decisions}"
    );
    let markdown = world.place.run(&["report", "last"]).out;
    for named in ["script: small", GUIDANCE, made["cost"].as_str().unwrap()] {
        assert!(markdown.contains(named), "{named}");
    }
}

#[test]
fn a_deep_dive() {
    plays(&Trial {
        mission: "deep_dive",
        objective: "What is known of Velmoran 40 mg and systolic pressure?",
        troubles: [
            ("extract", "", Trouble::NoJson),
            ("grade", "", Trouble::Unfit),
            ("gaps", "", Trouble::Refusal),
            ("conclude", "", Trouble::Poor),
            ("conclude", "What the specialist found", Trouble::Middling),
        ],
    });
}

#[test]
fn a_risk_assessment() {
    plays(&Trial {
        mission: "risk_assessment",
        objective: "What may go wrong with Velmoran 40 mg?",
        troubles: [
            ("score", "", Trouble::NoJson),
            ("flag", "", Trouble::Unfit),
            ("grade", "", Trouble::Refusal),
            ("conclude", "Which risks matter most", Trouble::Poor),
            ("conclude", "What lowers these risks", Trouble::Middling),
        ],
    });
}

#[test]
fn a_go_no_go() {
    plays(&Trial {
        mission: "go_no_go",
        objective: "Should Velmoran 40 mg go on?",
        troubles: [
            ("gaps", "", Trouble::NoJson),
            ("think", "", Trouble::Unfit),
            ("extract", "", Trouble::Refusal),
            ("conclude", "best case for", Trouble::Middling),
            ("conclude", "best case against", Trouble::Poor),
        ],
    });
}
