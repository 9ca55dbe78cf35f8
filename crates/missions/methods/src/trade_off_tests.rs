use serde_json::{Value, json};

use crate::{Exhibit, InputRefused, method};

fn option(name: &str, scores: &[(&str, Option<f64>)]) -> Value {
    let parts: Vec<Value> = scores
        .iter()
        .map(|(criterion, score)| json!({"criterion": criterion, "score": score, "reason": "", "evidence": []}))
        .collect();
    json!({"item": name, "score": null, "parts": parts})
}

fn apply(ranking: Vec<Value>, weights: &[(&str, f64)]) -> Result<Exhibit, InputRefused> {
    let criteria: Vec<Value> = weights
        .iter()
        .map(|(name, weight)| json!({"name": name, "weight": weight}))
        .collect();
    let method = method("trade_off").unwrap();
    (method.apply)(json!({"ranking": ranking, "criteria": criteria}))
}

fn headlines(exhibit: &Exhibit) -> Vec<&str> {
    exhibit
        .headlines
        .iter()
        .map(|one| one.text.as_str())
        .collect()
}

#[test]
fn weights_decide_and_a_weight_that_turns_the_result_is_named() {
    let ranking = vec![
        option("Rail", &[("cost", Some(40.0)), ("speed", Some(90.0))]),
        option("Road", &[("cost", Some(80.0)), ("speed", Some(40.0))]),
    ];
    let exhibit = apply(ranking, &[("cost", 1.0), ("speed", 1.0)]).unwrap();
    assert_eq!(
        headlines(&exhibit),
        [
            "Rail is ahead with 65 of 100, before Road with 60",
            "Road would be ahead instead of Rail if one of these weights were halved or doubled: cost, speed",
        ]
    );
    assert_eq!(exhibit.data["order"][0]["option"], "Rail");
}

#[test]
fn an_option_that_is_nowhere_better_is_dominated_and_a_gap_proves_no_dominance() {
    let ranking = vec![
        option("A", &[("cost", Some(70.0)), ("speed", Some(70.0))]),
        option("B", &[("cost", Some(70.0)), ("speed", Some(50.0))]),
        option("C", &[("cost", Some(10.0)), ("speed", None)]),
    ];
    let exhibit = apply(ranking, &[("cost", 1.0), ("speed", 1.0)]).unwrap();
    let dominated: Vec<&str> = headlines(&exhibit)
        .into_iter()
        .filter(|text| text.contains("dominated"))
        .collect();
    assert_eq!(
        dominated,
        ["B is dominated: A is at least as good by every criterion"]
    );
}

#[test]
fn an_unscored_criterion_counts_neither_for_nor_against() {
    let ranking = vec![
        option("A", &[("cost", Some(60.0)), ("speed", None)]),
        option("B", &[("cost", Some(50.0)), ("speed", Some(50.0))]),
    ];
    let exhibit = apply(ranking, &[("cost", 1.0), ("speed", 3.0)]).unwrap();
    assert_eq!(
        headlines(&exhibit)[0],
        "A is ahead with 60 of 100, before B with 50"
    );
    let speed = &exhibit.tables[0].rows[1];
    assert_eq!(speed[1].text, "not scored");
}

#[test]
fn weights_that_are_no_weights_are_refused() {
    let refused = apply(vec![], &[("cost", 0.0)]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the weight of the criterion “cost” must be above 0"
    );
    assert!(apply(vec![], &[]).is_err());
}

#[test]
fn what_each_choice_gains_and_gives_up_is_shown_against_the_best() {
    let ranking = vec![
        option(
            "Rail",
            &[("cost", Some(40.0)), ("speed", Some(90.0)), ("noise", None)],
        ),
        option(
            "Road",
            &[
                ("cost", Some(80.0)),
                ("speed", Some(40.0)),
                ("noise", Some(10.0)),
            ],
        ),
    ];
    let exhibit = apply(ranking, &[("cost", 1.0), ("speed", 1.0), ("noise", 1.0)]).unwrap();
    let table = &exhibit.tables[1];
    assert_eq!(table.caption, "Instead of Rail");
    let row: Vec<&str> = table.rows[0]
        .iter()
        .map(|cell| cell.text.as_str())
        .collect();
    assert_eq!(
        row,
        ["Road", "cost (40 points)", "speed (50 points)", "noise"]
    );
}

#[test]
fn a_person_decides_whether_an_option_is_recommended() {
    let first = |answer: &str| {
        let ranking = vec![
            option("A", &[("cost", Some(60.0))]),
            option("B", &[("cost", Some(50.0))]),
        ];
        let method = method("trade_off").unwrap();
        let made = (method.apply)(json!({
            "ranking": ranking, "criteria": [{"name": "cost"}], "answers": [{"option": answer, "note": ""}],
        }));
        made.unwrap().headlines[0].text.clone()
    };
    assert!(first("recommend_it").starts_with("A is recommended"));
    assert!(first("matrix_only").starts_with("No option is recommended"));
    assert!(first("else").starts_with("A is ahead"));
}
