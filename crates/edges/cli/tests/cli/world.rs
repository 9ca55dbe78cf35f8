//! A place with everything a mission of the catalogue reaches: databases that are stood in for and, if wanted, a model that
//! reads what it is asked. And what a mission left behind, as data.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use adjutant_stand_ins::databases::StandIns;
use adjutant_stand_ins::models::{Answer, Asked, Received, Reply, Server};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::followed::Followed;
use crate::support::{Place, Ran};

const PATIENCE: Duration = Duration::from_secs(60);

/// A small dossier of its own: results, criteria, risks, supply and a doubt. The databases know the product too.
pub(crate) const DOSSIER: [(&str, &str); 5] = [
    (
        "trial-report.md",
        "---\ntitle: Trial report\ndate: 2026-03-02\n---\n\n# Trial report\n\n\
         Velmoran 40 mg lowered systolic pressure by 7.3 mmHg against placebo in 318 patients. \
         Potassium above 6.0 mmol/L was seen in 3.8 % of patients on Velmoran 40 mg. \
         The effect of Velmoran on systolic pressure was the same in women and in men.\n",
    ),
    (
        "board-minutes.md",
        "---\ntitle: Board minutes\ndate: 2026-07-09\n---\n\n# Criteria for the decision\n\n\
         The board decides by these criteria and weights.\n\n\
         | Criterion | Threshold | Weight | Must |\n|---|---|---|---|\n\
         | Efficacy | effect on systolic pressure of at least 5 mmHg | 40 | yes |\n\
         | Safety | potassium above 6.0 mmol/L in no more than 3 % of patients | 40 | yes |\n\
         | Supply | shelf life of 24 months | 20 | no |\n",
    ),
    (
        "risk-register.md",
        "---\ntitle: Risk register\ndate: 2026-08-28\n---\n\n# Risk register\n\n\
         | Id | Risk | Effect | Severity | Occurrence | Detection |\n|---|---|---|---|---|---|\n\
         | R-01 | Potassium above 6.0 mmol/L on Velmoran 40 mg | arrhythmia | 9 | 6 | 6 |\n\
         | R-02 | Supplier of Velmoran drug substance stops | no tablets | 8 | 4 | 5 |\n\n\
         The risk of high potassium with Velmoran is greatest in patients with weak kidneys.\n",
    ),
    (
        "supply-memo.txt",
        "Supply memo, 11 June 2026\n\n\
         The shelf life of Velmoran tablets is 18 months. \
         One supplier makes the drug substance of Velmoran. \
         A second supplier of Velmoran drug substance will be ready in 2028.\n",
    ),
    (
        "letter.txt",
        "Letter to the editor, 15 February 2024\n\n\
         Velmoran did not lower systolic pressure in eleven patients over 80. \
         However, only 2 of the eleven patients took Velmoran every day.\n",
    ),
];

/// What a scripted model answers.
type Script = Box<dyn Fn(&Received) -> Reply + Send + Sync>;

pub(crate) struct World {
    pub(crate) place: Place,
    models: Option<Server>,
    _apis: adjutant_stand_ins::databases::Server,
    _runtime: Runtime,
}

/// Time that goes by with every request, so that no limit is ever reached.
fn now() -> u64 {
    static NOW: AtomicU64 = AtomicU64::new(1_790_000_000_000);
    NOW.fetch_add(10_000, Ordering::Relaxed)
}

/// The answer of a model that reads what it is given.
pub(crate) fn read(received: &Received) -> Answer {
    let asked = Asked::read(received).unwrap();
    Answer::new(asked.answer().to_string())
}

impl World {
    pub(crate) fn without_a_model() -> Self {
        Self::new(None, "")
    }

    /// Every tier asks the scripted server first, and then whoever else is named (`, "offline"`).
    pub(crate) fn with_a_model(
        others: &str,
        script: impl Fn(&Received) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self::new(Some(Box::new(script)), others)
    }

    fn new(script: Option<Script>, others: &str) -> Self {
        let runtime = Runtime::new().unwrap();
        let free = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let apis = adjutant_stand_ins::databases::Server::start(free, StandIns::default(), now);
        let apis = runtime.block_on(apis).unwrap();
        let models = script.map(|script| runtime.block_on(Server::start(script)).unwrap());
        let place = Place::new();
        let mut settings = format!("[lookups]\nstand_in = '{}'\n", apis.url());
        if let Some(server) = &models {
            settings += &format!(
                "[models.providers.script]\nkind = \"compatible\"\nurl = \"{}/v1\"\n[models.tiers]\n",
                server.url()
            );
            for tier in ["strategic", "expert", "worker", "tool"] {
                settings += &format!("{tier} = [\"script/small\"{others}]\n");
            }
            settings += "[models.prices.\"script/small\"]\ninput = \"1.00\"\noutput = \"10.00\"\n";
        }
        place.set(settings);
        Self {
            place,
            models,
            _apis: apis,
            _runtime: runtime,
        }
    }

    /// Takes documents into the knowledge base `house`.
    pub(crate) fn keep(&self, documents: &[(&str, &str)]) {
        let folder = self.place.path().join("documents");
        std::fs::create_dir_all(&folder).unwrap();
        for (name, text) in documents {
            std::fs::write(folder.join(name), text).unwrap();
        }
        let added = self.place.run(&["kb", "add", "documents", "-n", "house"]);
        assert_eq!(added.code, 0, "{}{}", added.out, added.err);
    }

    /// What the model was asked.
    pub(crate) fn received(&self) -> Vec<Received> {
        self.models.as_ref().unwrap().received()
    }

    /// Waits until so many questions have come.
    pub(crate) fn wait_for(&self, questions: usize) {
        let begun = Instant::now();
        while self.received().len() < questions {
            assert!(begun.elapsed() < PATIENCE, "no question {questions} came");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// The journal of the newest mission, as it is recorded.
    pub(crate) fn recorded(&self) -> Vec<Value> {
        let told = self.place.run(&["events", "last", "--json"]);
        assert_eq!(told.code, 0, "{}", told.err);
        let lines = told.out.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// What has happened in the newest mission.
    pub(crate) fn events(&self) -> Vec<Value> {
        let recorded = self.recorded().into_iter();
        recorded.map(|mut one| one["event"].take()).collect()
    }

    /// What the events of one kind say.
    pub(crate) fn of_kind(&self, name: &str) -> Vec<Value> {
        let events = self.events().into_iter();
        let of_kind = events.filter(|event| {
            event["type"]
                .as_str()
                .and_then(|kind| kind.split('/').next())
                == Some(name)
        });
        of_kind.map(|mut event| event["data"].take()).collect()
    }

    /// The document of the newest mission.
    pub(crate) fn document(&self) -> Value {
        let told = self.place.run(&["report", "last", "--format", "json"]);
        assert_eq!(told.code, 0, "{}", told.err);
        let whole: Value = serde_json::from_str(&told.out).unwrap();
        whole["document"].clone()
    }

    pub(crate) fn start(&self, mission: &str, objective: &str, more: &[&str]) -> Ran {
        let mut arguments = vec!["mission", "start", mission, objective];
        arguments.extend(more);
        self.place.run(&arguments)
    }

    /// How the newest mission ended, if it did.
    pub(crate) fn ending(&self) -> Option<Value> {
        self.of_kind("mission_ended").pop()
    }

    /// The questions of the newest mission that nobody has answered.
    pub(crate) fn open_questions(&self) -> Vec<Value> {
        Followed::new(self).open().to_vec()
    }

    /// Answers a question; a yes takes what is recommended, or the first of what is offered.
    pub(crate) fn decide(&self, question: &Value, verdict: &str) {
        let id = format!("last-{}", question["number"]);
        let option = question["recommendation"]["option"].as_str();
        let option = option.or(question["options"][0]["key"].as_str());
        let mut arguments = vec!["decide", id.as_str(), verdict];
        arguments.extend(
            option
                .filter(|_| verdict == "approve")
                .into_iter()
                .flat_map(|option| ["--option", option]),
        );
        let decided = self.place.run(&arguments);
        assert_eq!(decided.code, 0, "{id} {verdict}: {}", decided.err);
    }

    /// Says yes to everything while a host runs, until a question comes that `wanted` picks; nothing if the mission ends
    /// first.
    pub(crate) fn approve_until(&self, wanted: impl Fn(&Value) -> bool) -> Option<Value> {
        let mut journal = Followed::new(self);
        loop {
            // What is written already is taken in first: a question may be answered.
            while journal.next(Duration::ZERO).is_some() {}
            let open = journal.open().to_vec();
            if let Some(found) = open.iter().find(|question| wanted(question)) {
                return Some(found.clone());
            }
            for question in &open {
                let stuck = question["asks"]["recover_task"].is_object();
                assert!(!stuck, "{question}\n{:?}", self.of_kind("attempt_failed"));
                self.decide(question, "approve");
                journal.answered(question);
            }
            if open.is_empty() {
                if journal.ending().is_some() {
                    return None;
                }
                let more = journal.next(PATIENCE);
                assert!(more.is_some(), "neither the question nor the end came");
            }
        }
    }

    /// Waits until silence has answered a question.
    pub(crate) fn expired(&self, question: &Value) {
        let mut journal = Followed::new(self);
        let number = &question["number"];
        while journal.open().iter().any(|open| open["number"] == *number) {
            let more = journal.next(PATIENCE);
            assert!(more.is_some(), "it waits for ever: {question}");
        }
        let expired = self.of_kind("checkpoint_expired");
        assert!(expired.iter().any(|data| data["checkpoint"] == *number));
    }

    /// Waits for the end of the newest mission.
    pub(crate) fn ended(&self) -> Value {
        let mut journal = Followed::new(self);
        loop {
            if let Some(ending) = journal.ending() {
                return ending.clone();
            }
            assert!(journal.next(PATIENCE).is_some(), "it does not end");
        }
    }
}
