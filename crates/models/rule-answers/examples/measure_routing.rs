//! How often the right mission is chosen by rules. Prints totals only: the measuring set stays unread.
//!
//!     cargo run -p adjutant-rule-answers --example measure_routing < tests/routing/objectives.json
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a measuring program may stop where it stands"
)]

use adjutant_questions::{Input, OfferedMission, Output, Route};
use adjutant_rule_answers::{answer, chance_of_a_fact, routed_missions};
use serde_json::Value;

const SURE: f64 = 0.6;

#[derive(Default)]
struct Total {
    first: usize,
    three: usize,
    sure_and_first: usize,
}

fn main() {
    let set: Value = serde_json::from_reader(std::io::stdin()).unwrap();
    let objectives = set["objectives"].as_array().unwrap();
    let mut best_alone = Total::default();
    let mut best_or_also = Total::default();
    let mut sure = 0;
    let mut facts = 0;
    for objective in objectives {
        let wording = objective["objective"].as_str().unwrap();
        facts += usize::from(chance_of_a_fact(wording) > 0.5);
        let (chosen, confidence) = choose(wording);
        let best = objective["best"].as_str().unwrap();
        let also = objective["also"].as_array().into_iter().flatten();
        let mut good: Vec<&str> = also.filter_map(Value::as_str).collect();
        let is_sure = confidence >= SURE;
        sure += usize::from(is_sure);
        best_alone.count(&chosen, &[best], is_sure);
        good.push(best);
        best_or_also.count(&chosen, &good, is_sure);
    }
    println!(
        "{} objectives, {sure} with a confidence of at least {SURE}, {facts} taken for a question that wants a fact",
        objectives.len()
    );
    for (counted, total) in [("best alone", best_alone), ("best or also", best_or_also)] {
        println!(
            "{counted}: first {}, within three {}, of the sure ones {}",
            total.first, total.three, total.sure_and_first
        );
    }
}

impl Total {
    fn count(&mut self, chosen: &[String], good: &[&str], is_sure: bool) {
        let is_good = |id: &String| good.contains(&id.as_str());
        let first = chosen.first().is_some_and(is_good);
        self.first += usize::from(first);
        self.three += usize::from(chosen.iter().any(is_good));
        self.sure_and_first += usize::from(first && is_sure);
    }
}

/// The choice and its alternatives, at most three in all, with all missions of the table to choose from.
fn choose(objective: &str) -> (Vec<String>, f64) {
    let missions = routed_missions().map(|id| OfferedMission {
        id: id.to_owned(),
        ..OfferedMission::default()
    });
    let input = Input::Route(Route {
        question: objective.to_owned(),
        missions: missions.collect(),
    });
    let Output::Route(routed) = answer(&input) else {
        panic!("a route was asked for");
    };
    let others = routed.others.into_iter().map(|other| other.id);
    // Where nothing points to a mission, a Deep Dive is proposed.
    let first = routed.mission.unwrap_or_else(|| "deep_dive".to_owned());
    let chosen: Vec<String> = [first].into_iter().chain(others).collect();
    assert!(chosen.len() <= 3, "at most two alternatives are offered");
    (chosen, routed.confidence)
}
