use proptest::prelude::*;
use serde_json::{Value, json};

use super::network::{Network, Schedule, Step, Way};
use super::solver::{self, Aim, Limits};
use crate::{Exhibit, InputRefused, method};

fn apply(input: Value) -> Result<Exhibit, InputRefused> {
    (method("path").unwrap().apply)(input)
}

fn headlines(exhibit: &Exhibit) -> Vec<&str> {
    exhibit
        .headlines
        .iter()
        .map(|one| one.text.as_str())
        .collect()
}

/// Dig 5 days, walls in 10 days for 100 or 4 days for 400, roof 3 days after the walls, garden 2 days after the digging.
fn house() -> Value {
    json!([
        {"name": "Roof", "duration": 3, "cost": 50, "after": "Walls"},
        {"name": "Dig", "duration": 5, "cost": 20},
        {"name": "Walls", "way": "by hand", "duration": "10 days", "cost": 100, "after": ["Dig"]},
        {"name": "Walls", "way": "by crane", "duration": "4 days", "cost": "EUR 400"},
        {"name": "Garden", "duration": 2, "after": "Dig"},
    ])
}

#[test]
fn the_fastest_way_is_taken_and_its_chain_is_named() {
    let exhibit = apply(json!({"objective": "Build the house", "steps": house()})).unwrap();
    assert_eq!(
        headlines(&exhibit),
        [
            "4 steps lead to the goal in 12 days at a cost of 470, by the best of all ways to do 1 step",
            "A day lost in one of these steps is a day lost at the end: Dig, Walls and Roof",
            "Spending 300 more saves 6 days: the cheapest way takes 18 days for 170",
        ]
    );
    // The garden could begin on day 6 and may end with the roof.
    let garden = exhibit.tables[0]
        .rows
        .iter()
        .find(|row| row[0].text == "Garden")
        .unwrap();
    let texts: Vec<&str> = garden.iter().map(|cell| cell.text.as_str()).collect();
    assert_eq!(texts, ["Garden", "day 6", "2", "not stated", "Dig", "5"]);
}

#[test]
fn a_budget_and_a_persons_answer_change_the_way() {
    let within =
        apply(json!({"objective": "", "steps": house(), "budget": 200, "deadline": "3 weeks"}))
            .unwrap();
    assert_eq!(within.data["days"], 18.0);
    assert!(headlines(&within).contains(&"Of the 21 days there are, 3 are left"));
    let cheapest =
        apply(json!({"objective": "", "steps": house(), "answers": [{"option": "cheapest"}]}))
            .unwrap();
    assert_eq!(cheapest.data["cost"], 170.0);
    let noted = json!([{"option": "with_my_note", "note": "budget: 200; goal: Walls; hurry"}]);
    let noted = apply(json!({"objective": "", "steps": house(), "answers": noted})).unwrap();
    assert_eq!(
        (&noted.data["days"], &noted.data["cost"]),
        (&json!(15.0), &json!(120.0))
    );
    assert_eq!(noted.notes.last().unwrap().text, "“hurry”");
}

#[test]
fn limits_that_cannot_be_kept_are_explained() {
    let exhibit =
        apply(json!({"objective": "", "steps": house(), "budget": 200, "deadline": 14})).unwrap();
    assert_eq!(
        headlines(&exhibit),
        [
            "No choice of ways keeps all limits",
            "14 days are not enough: the fastest way within the budget takes 18 days at a cost of 170",
            "200 is not enough: the cheapest way within the deadline takes 12 days at a cost of 470",
            "Without any limit the fastest way takes 12 days at a cost of 470",
        ]
    );
}

const PLAN: &str = "| No | Step | Duration (weeks) | Cost | Depends on | Status |\n|---|---|---|---|---|---|\n\
                    | A | Permit | 2 | 500 | - | done |\n| B | Survey | 1 | 800 | A | open |\n| C | Tender | | 0 | A, B, Z9 | open |\n";

#[test]
fn a_table_gives_the_steps_and_what_is_unknown_is_said() {
    let sources = json!([{"id": "kb:7", "title": "Plan", "text": PLAN}]);
    let exhibit =
        apply(json!({"objective": "Get to the tender", "sources": sources, "start": "2026-03-02"}))
            .unwrap();
    assert_eq!(
        headlines(&exhibit)[0],
        "3 steps lead to the goal in at least 7 days at a cost of at least 800"
    );
    let survey = &exhibit.tables[0].rows[1];
    assert_eq!(survey[1].text, "2026-03-02");
    assert_eq!(
        survey[2].evidence[0].quote,
        "| B | Survey | 1 | 800 | A | open |"
    );
    let notes: Vec<&str> = exhibit
        .notes
        .iter()
        .map(|note| note.text.as_str())
        .collect();
    assert!(
        notes.contains(&"These steps count as if they took no time: Tender"),
        "{notes:?}"
    );
    assert!(
        notes.contains(&"Steps wait for “Z9”, which is no step of the list"),
        "{notes:?}"
    );
    assert_eq!(exhibit.charts.len(), 1);
}

#[test]
fn circles_are_refused_and_nothing_is_made_up() {
    let circle = json!([{"name": "A", "after": "B"}, {"name": "B", "after": "A"}]);
    let refused = apply(json!({"objective": "", "steps": circle})).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "these steps wait for each other in a circle: A and B"
    );
    let text = "| Step | Depends on |\n|---|---|\n| A | B |\n| B | A |\n";
    let sources = json!([{"id": "kb:1", "title": "Plan", "text": text}]);
    let read = apply(json!({"objective": "", "sources": sources})).unwrap();
    assert!(headlines(&read)[0].ends_with("these steps wait for each other in a circle: A and B"));
    let empty = apply(json!({"objective": "Get there"})).unwrap();
    assert!(headlines(&empty)[0].starts_with("No path can be computed"));
    assert!(empty.tables.is_empty());
}

fn networks() -> impl Strategy<Value = Network> {
    let way = (0u8..12, 0u8..12).prop_map(|(days, cost)| Way {
        days: Some(f64::from(days)),
        cost: Some(f64::from(cost)),
        ..Way::default()
    });
    let step = (
        prop::collection::vec(way, 1..=3),
        prop::collection::vec(any::<bool>(), 5),
    );
    prop::collection::vec(step, 1..=5).prop_map(|steps| {
        let steps = steps
            .into_iter()
            .enumerate()
            .map(|(at, (ways, waits))| Step {
                name: format!("s{at}"),
                ways,
                after: (0..at).filter(|before| waits[*before]).collect(),
                is_done: false,
            });
        Network {
            steps: steps.collect(),
        }
    })
}

/// Every choice of ways, one after the other.
fn all_schedules(network: &Network) -> Vec<Schedule> {
    let mut choices: Vec<Vec<usize>> = vec![Vec::new()];
    for step in &network.steps {
        let longer = |choice: &Vec<usize>| {
            let choice = choice.clone();
            (0..step.ways.len()).map(move |way| [choice.clone(), vec![way]].concat())
        };
        choices = choices.iter().flat_map(longer).collect();
    }
    choices.iter().map(|ways| network.schedule(ways)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_choice_of_ways_is_better_than_the_one_that_was_computed(
        network in networks(),
        cost_max in prop::option::of(0u8..40),
        days_max in prop::option::of(0u8..40),
        cheapest in any::<bool>(),
    ) {
        let limits = Limits { days_max: days_max.map(f64::from), cost_max: cost_max.map(f64::from) };
        let aim = if cheapest { Aim::Cheapest } else { Aim::Fastest };
        let keeps = |one: &&Schedule| {
            limits.days_max.is_none_or(|max| one.days <= max) && limits.cost_max.is_none_or(|max| one.cost <= max)
        };
        let key = |one: &Schedule| match aim {
            Aim::Fastest => (one.days, one.cost),
            Aim::Cheapest => (one.cost, one.days),
        };
        let all = all_schedules(&network);
        let best = all.iter().filter(keeps).map(key).min_by(|one, other| one.partial_cmp(other).unwrap());
        let found = solver::best(&network, aim, limits);
        prop_assert_eq!(found.as_ref().map(key), best);
    }

    #[test]
    fn the_frontier_has_every_plan_that_is_not_worse_in_both(network in networks()) {
        let all = all_schedules(&network);
        let is_beaten = |one: &Schedule| all.iter().any(|other| {
            other.days <= one.days && other.cost <= one.cost && (other.days < one.days || other.cost < one.cost)
        });
        let mut expected: Vec<(i64, i64)> = all
            .iter()
            .filter(|one| !is_beaten(one))
            .map(|one| (one.days as i64, one.cost as i64))
            .collect();
        expected.sort_unstable();
        expected.dedup();
        expected.truncate(solver::FRONTIER_MAX);
        let found = solver::frontier(&network, Limits::default());
        let found: Vec<(i64, i64)> = found.iter().map(|one| (one.days as i64, one.cost as i64)).collect();
        prop_assert_eq!(found, expected);
    }
}

/// As many steps and choices as are accepted, in layers that wait for the layer before.
fn large_network() -> Network {
    let mut seed: u64 = 7;
    let mut next = |below: u64| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let steps = (0..crate::path::STEPS_MAX).map(|at| Step {
        name: format!("s{at}"),
        ways: (0..if at < crate::path::CHOICES_MAX { 3 } else { 1 })
            .map(|way| Way {
                days: Some((3 + next(10) + 8 * (2 - way)) as f64),
                cost: Some((50 + next(100) + 90 * way) as f64),
                ..Way::default()
            })
            .collect(),
        after: (at.saturating_sub(6)..at.saturating_sub(2))
            .filter(|_| next(2) == 0)
            .collect(),
        is_done: false,
    });
    Network {
        steps: steps.collect(),
    }
}

#[test]
fn the_largest_plan_is_solved_within_its_budget() {
    let network = large_network();
    let cheapest = solver::best(&network, Aim::Cheapest, Limits::default()).unwrap();
    let budget = cheapest.cost * 1.3;
    let limits = Limits {
        cost_max: Some(budget),
        days_max: None,
    };
    let best = solver::best(&network, Aim::Fastest, limits).unwrap();
    assert!(best.cost <= budget && best.days <= cheapest.days);
    assert!(solver::frontier(&network, limits).len() > 1);
}

#[test]
fn without_steps_it_lists_what_is_still_to_be_done_by_its_day() {
    let owed = |what: &str, due: Value, status: &str| {
        json!({"who": null, "what": what, "due": due, "status": status,
               "at": {"sentence": format!("They {what}."), "address": "kb:log#0-9"}})
    };
    let reading = json!({"today": "2026-05-01", "owed": [
        owed("paint the gate of the yard", json!(null), "open"),
        owed("pave the yard", json!("2026-06-01"), "open"),
        owed("order gravel for the yard", json!("2026-04-01"), "overdue"),
        owed("sweep the yard", json!("2026-03-01"), "fulfilled"),
        owed("call the aunt", json!("2026-01-01"), "open"),
    ]});
    let found =
        apply(json!({"objective": "How do we get the yard paved?", "reading": [reading]})).unwrap();
    let told = headlines(&found);
    assert!(told[0].starts_with("No path can be computed"), "{told:?}");
    assert_eq!(
        told[1],
        "3 things still to be done by the documents, 2 of them with a day"
    );
    assert!(
        told[2].starts_with("First, overdue since 2026-04-01: order gravel"),
        "{told:?}"
    );
    let days: Vec<&str> = found.tables[0]
        .rows
        .iter()
        .map(|row| row[0].text.as_str())
        .collect();
    assert_eq!(days, ["2026-04-01, overdue", "2026-06-01", "no day"]);
}

#[test]
fn rows_that_say_nothing_of_order_follow_each_other_and_totals_are_no_steps() {
    let text = "| Step | Duration (min) |\n|---|---|\n| Load | 90 |\n| Replay | 1 h |\n| Check | 2 EUR |\n| Total | 150 |\n";
    let source = json!({"id": "kb:a", "title": "Runbook", "text": text});
    let found =
        apply(json!({"objective": "How long does the load take?", "sources": [source]})).unwrap();
    let steps = found.data["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 3, "{steps:?}");
    assert!(steps[1]["start"].as_f64().unwrap() > 0.06, "{steps:?}");
    assert!(
        (found.data["days"].as_f64().unwrap() - 150.0 / 1440.0).abs() < 1e-6,
        "{:?}",
        found.data
    );
    let told = headlines(&found);
    assert_eq!(told[0], "3 steps lead to the goal in at least 2.5 hours");
}
