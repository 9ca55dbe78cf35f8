//! Verbs against a server: from a machine that has no store, and gets none.

use regex::Regex;
use serde_json::{Value, json};

use crate::support::{Place, Ran, Running};
use crate::world::{DOSSIER, World};

pub(crate) const TOKEN: &str = "a-token-that-is-long-enough-to-be-one";

/// A server that is found under the same address and with the same token after a restart.
pub(crate) fn serve(place: &Place, listen: &str) -> (Running, String) {
    let mut command = place.command(&["serve", "--listen", listen, "--json"]);
    let running = Running::new(command.env("ADJUTANT_TOKEN", TOKEN).spawn().unwrap());
    let serving: Value = serde_json::from_str(&running.until("\"serving\"")).unwrap();
    let address = serving["serving"]["address"].as_str().unwrap().to_owned();
    (running, address)
}

/// Another machine, with nothing on it.
pub(crate) struct Afar {
    pub(crate) place: Place,
    address: String,
}

impl Afar {
    pub(crate) fn new(address: &str) -> Self {
        Self {
            place: Place::new(),
            address: address.to_owned(),
        }
    }

    pub(crate) fn command(&self, arguments: &[&str], token: &str) -> std::process::Command {
        let mut command = self.place.command(arguments);
        command
            .env("ADJUTANT_SERVER", &self.address)
            .env("ADJUTANT_TOKEN", token);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(&self.command(arguments, TOKEN).output().unwrap())
    }

    pub(crate) fn good(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.out, ran.err);
        ran.out
    }

    /// What is seen from afar is what is seen beside the store. How long ago a thing was is not told to the second, and
    /// columns are as wide as it takes to tell it.
    pub(crate) fn assert_same(&self, near: &Place, arguments: &[&str]) {
        let gaps = Regex::new(" {2,}").unwrap();
        let [far, near] = [self.run(arguments), near.run(arguments)]
            .map(|ran| gaps.replace_all(&ran.told(near), "  ").into_owned());
        assert_eq!(far, near, "{arguments:?}");
    }

    /// The data folder was never made.
    pub(crate) fn assert_untouched(&self) {
        assert!(!self.place.home().exists(), "something was kept here");
    }
}

pub(crate) fn world() -> World {
    let world = World::without_a_model();
    world.keep(&DOSSIER);
    world
}

pub(crate) const START: [&str; 7] = [
    "mission",
    "start",
    "deep_dive",
    "What is known of Velmoran 40 mg and systolic pressure?",
    "--kb",
    "house",
    "--detach",
];

#[test]
fn a_mission_is_started_answered_and_reported_from_afar() {
    let world = world();
    let (running, address) = serve(&world.place, "127.0.0.1:0");
    let afar = Afar::new(&address);
    assert!(afar.good(&["mission", "list"]).contains("deep_dive"));
    let waits = afar.run(&START[..6]);
    assert_eq!(waits.code, 3, "{}{}", waits.out, waits.err);
    assert!(waits.out.contains("Waiting for a human."), "{}", waits.out);

    for seen in [
        &["list"][..],
        &["list", "--json"],
        &["inbox", "--json"],
        &["show", "last", "--json"],
    ] {
        afar.assert_same(&world.place, seen);
    }
    let missions = afar.good(&["list", "--json"]);
    let mission: Value = serde_json::from_str(missions.lines().next().unwrap()).unwrap();
    let id = mission["mission"].as_str().unwrap().to_owned();

    let question = afar.good(&["inbox", "--json"]);
    let question: Value = serde_json::from_str(question.lines().next().unwrap()).unwrap();
    let question = question["checkpoint"].as_str().unwrap().to_owned();
    afar.good(&["claim", &question]);
    afar.good(&["release", &question]);
    assert!(
        afar.good(&["pause", &id, "--reason", "lunch"])
            .contains("Paused.")
    );
    assert!(
        afar.good(&["resume", &id[id.len() - 6..]])
            .contains("Resumed.")
    );

    let watching = Running::new(afar.command(&["watch", &id], TOKEN).spawn().unwrap());
    approve_all(&afar, &id);
    let told = watching.rest();
    let (code, err) = watching.end();
    assert_eq!(code, Some(0), "{told}{err}");
    assert!(told.contains("completed"), "{told}");

    let markdown = afar.good(&["report", &id]);
    assert!(markdown.contains("7.3 mmHg"), "{markdown}");
    assert_eq!(markdown, world.place.run(&["report", &id]).out);
    for ending in ["pdf", "docx", "html", "json"] {
        let file = format!("report.{ending}");
        afar.good(&["report", &id, "--out", &file]);
        let bytes = std::fs::read(afar.place.path().join(&file)).unwrap();
        assert!(bytes.len() > 1_000, "{file}");
    }
    let events = ["events", &id, "--session"];
    assert_eq!(afar.good(&events), world.place.run(&events).out);
    afar.assert_untouched();
    running.kill();
}

/// Says yes until nothing is asked and the mission is over.
pub(crate) fn approve_all(afar: &Afar, mission: &str) {
    for _ in 0..2_000 {
        let passport: Value =
            serde_json::from_str(&afar.good(&["show", mission, "--json"])).unwrap();
        if !passport["mission"]["stage"]["ended"].is_null() {
            return;
        }
        for line in afar.good(&["inbox", "--json"]).lines() {
            let asked: Value = serde_json::from_str(line).unwrap();
            let question = asked["checkpoint"].as_str().unwrap();
            let ran = afar.run(&["decide", question, "approve"]);
            if ran.code != 0 {
                assert!(ran.err.contains("ADJ-2016"), "{}", ran.err);
                let option = ran.err.split("--option ").nth(1).unwrap();
                let option = option.split(['`', ' ']).next().unwrap();
                afar.good(&["decide", question, "approve", "--option", option]);
            }
        }
    }
    panic!("it does not end");
}

/// No event is lost or told twice, whatever becomes of the server meanwhile.
#[test]
fn a_server_that_is_started_anew_is_followed_on() {
    let world = world();
    let (running, address) = serve(&world.place, "127.0.0.1:0");
    let afar = Afar::new(&address);
    let id = afar.good(&START).trim().to_owned();
    let following = ["events", &id, "--session", "--follow"];
    let following = Running::new(afar.command(&following, TOKEN).spawn().unwrap());
    let first = following.until("checkpoint_plan_approval");
    running.kill();
    let listen = address.trim_start_matches("http://");
    let (running, _) = serve(&world.place, listen);
    approve_all(&afar, &id);
    let rest = following.rest();
    let (code, err) = following.end();
    assert_eq!(code, Some(0), "{err}");
    let whole = afar.good(&["events", &id, "--session"]);
    assert_eq!(whole.matches(&first).count(), 1);
    let after = whole.split(&first).nth(1).unwrap().trim_start();
    assert_eq!(rest, after, "a gap, or something twice");
    afar.assert_untouched();
    running.kill();
}

#[test]
fn whoever_may_not_is_told_so() {
    let world = World::without_a_model();
    let (running, address) = serve(&world.place, "127.0.0.1:0");
    let afar = Afar::new(&address);
    let with = |arguments: &[&str], token: &str| {
        let ran = Ran::of(&afar.command(arguments, token).output().unwrap());
        (ran.code, ran.err)
    };
    let (code, told) = with(&["list"], "adj_wrong");
    assert_eq!(code, 2, "{told}");
    assert!(
        told.contains("ADJ-9006") && told.contains("--token-file"),
        "{told}"
    );
    let added = afar.good(&["access", "add", "bea", "--role", "viewer", "--json"]);
    let added: Value = serde_json::from_str(&added).unwrap();
    let bea = added["token"].as_str().unwrap();
    assert_eq!(with(&["list"], bea).0, 0);
    let (code, told) = with(&START, bea);
    assert_eq!(code, 2);
    assert!(told.contains("ADJ-9007"), "{told}");
    assert!(afar.good(&["access", "list"]).contains("bea"));
    afar.good(&["access", "revoke", "bea"]);
    assert_eq!(with(&["list"], bea).0, 2);
    afar.assert_untouched();
    running.kill();
}

#[test]
fn what_cannot_be_done_from_afar_is_refused_before_anything_is_asked() {
    // Nobody listens there: it would be told otherwise.
    let afar = Afar::new("http://127.0.0.1:9");
    for (arguments, code) in [
        (&["verify", "--all"][..], "ADJ-6145"),
        (&["up"], "ADJ-6145"),
        (&["doctor"], "ADJ-6145"),
        (&["kb", "add", "x.md"], "ADJ-6145"),
        (&["tools", "call", "noop"], "ADJ-6145"),
        (&["run", "x.yaml"], "ADJ-6145"),
        (&["export", "--all", "-o", "x"], "ADJ-6146"),
        (&["kb", "search", "x", "--tag", "y"], "ADJ-6146"),
        (&["events", "last"], "ADJ-6146"),
        (&["mission", "start", "deep_dive", "x", "--yes"], "ADJ-6146"),
    ] {
        let ran = afar.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(code), "{arguments:?}: {}", ran.err);
    }
    let away = afar.run(&["list"]);
    assert_eq!(away.code, 4, "{}", away.err);
    assert!(away.err.contains("ADJ-6143"), "{}", away.err);
    for (server, code) in [
        ("http://192.0.2.1:4070", "ADJ-6141"),
        ("adjutant.example", "ADJ-6140"),
        ("ftp://adjutant.example", "ADJ-6140"),
        ("https://adjutant.example/here", "ADJ-6140"),
        ("https://anna:secret@adjutant.example", "ADJ-6140"),
    ] {
        let ran = afar.run(&["list", "--server", server]);
        assert!(ran.err.contains(code), "{server}: {}", ran.err);
        assert_eq!(ran.code, 2, "{}", ran.err);
    }
    let ran = Ran::of(&afar.command(&["list"], "").output().unwrap());
    assert!(ran.err.contains("ADJ-6142"), "{}", ran.err);
    let told = json!(afar.run(&["list", "--token-file", "nowhere"]).err);
    assert!(told.to_string().contains("ADJ-6011"), "{told}");
    afar.assert_untouched();
}
