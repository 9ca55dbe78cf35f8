//! Scores computed by hand, and what holds of all of them.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use adjutant_host::calibration::*;
use proptest::prelude::*;

fn forecast(task: usize, agent: &str, kind: &str, confidence: u32) -> Forecast {
    Forecast {
        mission: "msn_1".into(),
        task: format!("task{task}"),
        agent: agent.into(),
        kind: kind.into(),
        confidence: Ppm::new(confidence),
    }
}

fn outcome(worth: Worth, at: i64) -> Outcome {
    Outcome {
        worth,
        by: "ann".into(),
        at,
        note: String::new(),
    }
}

fn table(pairs: &[(u32, Worth)]) -> Table {
    let mut history = History::new();
    for (task, (confidence, worth)) in pairs.iter().enumerate() {
        history.add(
            forecast(task, "extractor", "extract", *confidence),
            outcome(*worth, task as i64),
        );
    }
    Table::of(&history)
}

/// So many forecasts of one confidence, of which so many were right.
fn group(confidence: u32, right: usize, of: usize) -> Vec<(u32, Worth)> {
    let worth = |at| match at < right {
        true => Worth::Right,
        false => Worth::Wrong,
    };
    (0..of).map(|at| (confidence, worth(at))).collect()
}

#[test]
fn brier_scores_are_as_computed_by_hand() {
    use Worth::{Right, Share, Wrong};
    for (pairs, brier) in [
        // Sure and right, sure and wrong.
        (vec![(1_000_000, Right)], 0),
        (vec![(1_000_000, Wrong)], 1_000_000),
        // 0.2² = 0.04; with 0.8² = 0.64 the mean is 0.34.
        (vec![(800_000, Right)], 40_000),
        (vec![(800_000, Right), (800_000, Wrong)], 340_000),
        // Always one half: 0.25.
        (
            vec![(500_000, Right), (500_000, Wrong), (500_000, Right)],
            250_000,
        ),
        // (0.1² + 0.3² + 0.6² + (0.75 − 0.5)²) / 4 = (0.01 + 0.09 + 0.36 + 0.0625) / 4.
        (
            vec![
                (900_000, Right),
                (700_000, Right),
                (600_000, Wrong),
                (750_000, Share(Ppm::new(500_000))),
            ],
            130_625,
        ),
        // 1/3 and 2/3 do not come out even: (0.111111 + 0.444444) / 2, to the nearest.
        (vec![(333_333, Wrong), (333_333, Right)], 277_778),
    ] {
        assert_eq!(table(&pairs).all.brier, Some(Ppm::new(brier)), "{pairs:?}");
    }
    assert_eq!(table(&[]).all.brier, None);
}

#[test]
fn what_was_said_is_held_against_what_turned_out_by_tenths() {
    let pairs = [
        group(720_000, 2, 3),
        group(780_000, 1, 1),
        group(1_000_000, 1, 1),
        group(0, 0, 1),
    ]
    .concat();
    let bins = table(&pairs).all.bins;
    assert_eq!(bins.len(), BINS);
    let seven = bins[7];
    assert_eq!(
        (seven.from, seven.to, seven.count),
        (Ppm::new(700_000), Ppm::new(800_000), 4)
    );
    assert_eq!(
        (seven.said, seven.right),
        (Some(Ppm::new(735_000)), Some(Ppm::new(750_000)))
    );
    assert_eq!(
        (bins[9].count, bins[0].count),
        (1, 1),
        "both ends are inside"
    );
    assert_eq!((bins[4].said, bins[4].right), (None, None));
    let counts: u64 = bins.iter().map(|bin| bin.count).sum();
    assert_eq!(counts, 6);
}

#[test]
fn agents_and_kinds_have_scores_of_their_own_and_the_score_has_a_history() {
    let mut history = History::new();
    history.add(
        forecast(1, "expert", "plan", 1_000_000),
        outcome(Worth::Right, 20),
    );
    history.add(
        forecast(2, "extractor", "extract", 1_000_000),
        outcome(Worth::Wrong, 10),
    );
    history.add(
        forecast(3, "expert", "extract", 500_000),
        outcome(Worth::Right, 30),
    );
    let table = Table::of(&history);
    assert_eq!(table.by_agent["expert"].brier, Some(Ppm::new(125_000)));
    assert_eq!(table.by_agent["extractor"].brier, Some(Ppm::new(1_000_000)));
    assert_eq!(table.by_kind["extract"].count, 2);
    let points: Vec<_> = table
        .history
        .iter()
        .map(|at| (at.at, at.count, at.brier.get()))
        .collect();
    assert_eq!(
        points,
        [(10, 1, 1_000_000), (20, 2, 500_000), (30, 3, 416_667)]
    );
}

#[test]
fn a_judgement_that_is_revised_counts_once_and_stays_to_be_seen() {
    let mut history = History::new();
    let said = || forecast(1, "expert", "plan", 900_000);
    history.add(said(), outcome(Worth::Wrong, 20));
    history.add(said(), outcome(Worth::Right, 30));
    history.add(said(), outcome(Worth::Wrong, 10));
    assert_eq!(history.pairs().len(), 3);
    let table = Table::of(&history);
    assert_eq!(
        (table.all.count, table.all.brier),
        (1, Some(Ppm::new(10_000)))
    );
}

#[test]
fn what_a_confidence_has_meant_is_drawn_to_one_half_and_never_falls() {
    let few = table(&group(850_000, 4, 4));
    assert_eq!(calibrated(Ppm::new(850_000), &few), None);
    // (6 + 1) / (8 + 2).
    let eighty = table(&group(850_000, 6, 8));
    assert_eq!(
        calibrated(Ppm::new(800_000), &eighty),
        Some(Ppm::new(700_000))
    );
    assert_eq!(
        calibrated(Ppm::new(950_000), &eighty),
        Some(Ppm::new(700_000)),
        "nothing surer was ever said"
    );
    assert_eq!(
        calibrated(Ppm::new(300_000), &eighty),
        Some(Ppm::new(300_000)),
        "at its word"
    );
    assert_eq!(
        calibrated(Ppm::new(790_000), &eighty),
        Some(Ppm::new(700_000)),
        "but not above what is known"
    );
    // Surer and wrong more often: (7 + 1 + 1 + 1) / (8 + 2 + 6 + 2), for both.
    let falling = table(&[group(650_000, 7, 8), group(950_000, 1, 6)].concat());
    for confidence in [650_000, 750_000, 950_000] {
        assert_eq!(
            calibrated(Ppm::new(confidence), &falling),
            Some(Ppm::new(555_556))
        );
    }
    let rising = table(&[group(150_000, 1, 8), group(950_000, 8, 8)].concat());
    assert_eq!(
        calibrated(Ppm::new(150_000), &rising),
        Some(Ppm::new(200_000))
    );
    assert_eq!(
        calibrated(Ppm::new(1_000_000), &rising),
        Some(Ppm::new(900_000))
    );
}

#[test]
fn histories_and_tables_are_written_with_their_versions_and_read_back() {
    let mut history = History::new();
    history.add(
        forecast(1, "expert", "plan", 900_000),
        outcome(Worth::Right, 20),
    );
    history.add(
        forecast(2, "expert", "plan", 400_000),
        outcome(Worth::Share(Ppm::new(250_000)), 21),
    );
    let written = serde_json::to_string(&history).unwrap();
    assert_eq!(
        written,
        r#"{"version":1,"pairs":[{"forecast":{"mission":"msn_1","task":"task1","agent":"expert","kind":"plan","confidence":900000},"outcome":{"right":true,"by":"ann","at":20}},{"forecast":{"mission":"msn_1","task":"task2","agent":"expert","kind":"plan","confidence":400000},"outcome":{"share":250000,"by":"ann","at":21}}]}"#
    );
    assert_eq!(serde_json::from_str::<History>(&written).unwrap(), history);
    let table = Table::of(&history);
    let told = serde_json::to_string(&table).unwrap();
    assert_eq!(serde_json::from_str::<Table>(&told).unwrap(), table);

    let refused = |text: &str, why: &str| {
        let error = serde_json::from_str::<History>(text)
            .unwrap_err()
            .to_string();
        assert!(error.contains(why), "{error}");
    };
    refused(r#"{"version":2,"pairs":[]}"#, "only version 1 is supported");
    refused(r#"{"pairs":[]}"#, "version");
    refused(
        &written.replace(r#""right":true"#, r#""right":true,"share":5"#),
        "not both",
    );
    refused(
        &written.replace(r#""right":true,"#, ""),
        "needs `right` or `share`",
    );
    refused(&written.replace("900000", "1000001"), "more than 100 %");
    let other = told.replacen(r#""version":1"#, r#""version":9"#, 1);
    assert!(serde_json::from_str::<Table>(&other).is_err());
}

fn worth() -> impl Strategy<Value = Worth> {
    prop_oneof![
        Just(Worth::Right),
        Just(Worth::Wrong),
        (0..=1_000_000_u32).prop_map(|share| Worth::Share(Ppm::new(share))),
    ]
}

fn pairs() -> impl Strategy<Value = Vec<(u32, Worth)>> {
    proptest::collection::vec((0..=1_000_000_u32, worth()), 0..80)
}

proptest! {
    #[test]
    fn being_surer_never_means_less(pairs in pairs(), one in 0..=1_000_000_u32, other in 0..=1_000_000_u32) {
        let table = table(&pairs);
        let (low, high) = (one.min(other), one.max(other));
        let (low, high) = (calibrated(Ppm::new(low), &table), calibrated(Ppm::new(high), &table));
        prop_assert!(low <= high, "{low:?} {high:?}");
        prop_assert_eq!(low.is_some(), pairs.len() as u64 >= OUTCOMES_MIN);
    }

    /// Of forecasts of p that are right in just that share, each scores p(1 - p): what is uncertain about them and
    /// nothing more. No other confidence for the same outcomes scores better.
    #[test]
    fn a_perfectly_calibrated_set_scores_its_entropy(groups in proptest::collection::vec((1_usize..10, 1_usize..5), 1..8), off in 1_u32..100_000) {
        let (mut perfect, mut off_by, mut entropy, mut count) = (Vec::new(), Vec::new(), 0_u64, 0_u64);
        for (tenths, times) in groups {
            let (right, of) = (tenths * times, 10 * times);
            let confidence = tenths as u32 * 100_000;
            perfect.extend(group(confidence, right, of));
            off_by.extend(group(confidence - off.min(confidence), right, of));
            entropy += (tenths * (10 - tenths) * of) as u64 * 10_000;
            count += of as u64;
        }
        let brier = table(&perfect).all.brier.unwrap().get();
        prop_assert_eq!(u64::from(brier), (entropy + count / 2) / count);
        prop_assert!(table(&off_by).all.brier.unwrap().get() >= brier);
    }

    #[test]
    fn the_order_in_which_outcomes_are_added_is_no_matter(pairs in pairs(), turn in 0_usize..80) {
        let mut straight = History::new();
        let mut turned = History::new();
        let pair = |at: usize| (forecast(at, "a", "k", pairs[at].0), outcome(pairs[at].1, at as i64));
        for at in 0..pairs.len() {
            let (said, came) = pair(at);
            straight.add(said, came);
            let (said, came) = pair((at + turn) % pairs.len());
            turned.add(said, came);
        }
        prop_assert_eq!(Table::of(&straight), Table::of(&turned));
    }
}
