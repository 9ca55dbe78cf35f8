//! What many missions come to.

use std::collections::BTreeMap;

use adjutant_analytics::*;
use adjutant_mission::{EndingPhase, MicroUsd, MissionId, Timestamp, Usage};

use crate::world::MORNING;

const WEEK: i64 = 7 * 86_400_000;

fn member(number: u128, of: Option<&str>, phase: EndingPhase, at: Timestamp) -> Member {
    let work = WorkCount {
        calls: 10,
        calls_succeeded: 9,
        calls_useful: 8,
        ..WorkCount::default()
    };
    let count = MissionCount {
        mission: MissionId::from_bits(number),
        ended_at: at,
        phase,
        lasted_millis: 60_000 * number as u64,
        used: Usage {
            money: MicroUsd(100_000 * number as u64),
            tokens: 0,
        },
        planned_micro_usd: None,
        responses: Vec::new(),
        checks: CheckCount {
            areas: 4,
            areas_passed: if number == 2 { 3 } else { 4 },
        },
        work: BTreeMap::from([("L4-DE".to_owned(), work)]),
    };
    Member {
        count,
        tenant: "acme".to_owned(),
        mission_type: of.map(|id| (id.to_owned(), id.replace('_', " "))),
        estimated: of.map(|_| Estimated {
            micro_usd_max: 300_000,
        }),
    }
}

fn three() -> Vec<Member> {
    vec![
        member(1, Some("deep_dive"), EndingPhase::Completed, MORNING),
        member(2, Some("deep_dive"), EndingPhase::Failed, MORNING),
        member(3, None, EndingPhase::Completed, Timestamp(MORNING.0 - WEEK)),
    ]
}

fn value(group: &Group, measure: Measure) -> Option<f64> {
    group.figure(measure).unwrap().value
}

#[test]
fn three_missions_are_shown_as_three() {
    let told = figures(&three(), &[], &[], None);
    assert_eq!(told.all.missions, 3);
    let completion = told.all.figure(Measure::Completion).unwrap();
    assert_eq!(completion.cases, 3);
    assert_eq!(completion.reading, Reading::TooFew);
    let constitution = told.all.figure(Measure::Compliance).unwrap();
    assert_eq!(
        (constitution.value, constitution.cases),
        (Some(11.0 / 12.0), 12)
    );
    assert_eq!(constitution.reading, Reading::Missed);
    assert_eq!(completion.interval, None);
    assert_eq!(value(&told.all, Measure::Cost), Some(0.2));
    assert_eq!(value(&told.all, Measure::Duration), Some(120_000.0));
    assert_eq!(value(&told.all, Measure::ToolEfficiency), Some(0.8));
    // Only those with an estimate: 0.30 of 0.60 dollars.
    assert_eq!(value(&told.all, Measure::CostAgainstEstimate), Some(0.5));
    let latency = told.all.figure(Measure::EventLatency).unwrap();
    assert_eq!((latency.value, latency.reading), (None, Reading::NoCases));
    assert!(latency.target.is_some());
}

#[test]
fn nothing_at_all_divides_by_nothing() {
    for by in [None].into_iter().chain(GroupBy::ALL.map(Some)) {
        let told = figures(&[], &[], &[], by);
        assert_eq!(told.groups, []);
        let readings = told.all.figures.iter().map(|figure| figure.reading);
        assert!(readings.into_iter().all(|it| it == Reading::NoCases));
    }
}

#[test]
fn groups_hold_what_belongs_to_them() {
    let keys = |by| {
        let told = figures(&three(), &[], &[], Some(by));
        let keys = told
            .groups
            .into_iter()
            .map(|group| (group.name, group.missions));
        keys.collect::<Vec<_>>()
    };
    let named = |name: &str, count| (name.to_owned(), count);
    assert_eq!(
        keys(GroupBy::Type),
        [named("deep dive", 2), named("plan files", 1)]
    );
    assert_eq!(
        keys(GroupBy::Week),
        [named("2026-W46", 1), named("2026-W47", 2)]
    );
    assert_eq!(keys(GroupBy::Tenant), [named("acme", 3)]);
    assert_eq!(keys(GroupBy::Agent), [named("L4-DE", 3)]);
    let agents = figures(&three(), &[], &[], Some(GroupBy::Agent)).groups;
    assert_eq!(value(&agents[0], Measure::ToolSuccess), Some(0.9));
    assert_eq!(value(&agents[0], Measure::Completion), None);
    assert_eq!(agents[0].figure(Measure::Cost).unwrap().target, None);
}

#[test]
fn opinions_and_outcomes_count_for_their_missions_only() {
    let opinion = |number: u128, stars, useful, not_useful| Opinion {
        mission: MissionId::from_bits(number),
        stars,
        useful,
        not_useful,
    };
    let opinions = [
        opinion(1, Some(5), 3, 1),
        opinion(1, Some(4), 0, 0),
        opinion(3, None, 1, 0),
        opinion(99, Some(1), 0, 9),
    ];
    let judged = |number: u128, said_ppm, right_ppm| Judged {
        mission: MissionId::from_bits(number),
        agent: "L2-lead".to_owned(),
        said_ppm,
        right_ppm,
    };
    // Too sure in one tenth and not sure enough in another: the errors add up.
    let judged = [
        judged(1, 900_000, 800_000),
        judged(2, 500_000, 600_000),
        judged(99, 1_000_000, 0),
    ];
    let told = figures(&three(), &opinions, &judged, Some(GroupBy::Type));
    assert_eq!(value(&told.all, Measure::Satisfaction), Some(4.5));
    assert_eq!(value(&told.all, Measure::InsightUsefulness), Some(0.8));
    assert_eq!(value(&told.all, Measure::Calibration), Some(0.1));
    let deep_dive = &told.groups[0];
    assert_eq!(deep_dive.figure(Measure::Satisfaction).unwrap().cases, 2);
    assert_eq!(value(deep_dive, Measure::InsightUsefulness), Some(0.75));
    let agents = figures(&three(), &opinions, &judged, Some(GroupBy::Agent)).groups;
    let lead = agents.iter().find(|group| group.key == "L2-lead").unwrap();
    assert_eq!(lead.figure(Measure::Calibration).unwrap().cases, 2);
}

#[test]
fn the_work_of_sub_missions_belongs_to_the_mission_on_top() {
    let mut members = three();
    let sub = |number, parent: u128| {
        let count = member(number, None, EndingPhase::Completed, MORNING).count;
        (MissionId::from_bits(parent), count)
    };
    // A child, its own child, an orphan, and two that name each other.
    let subs = [
        sub(11, 1),
        sub(12, 11),
        sub(13, 99),
        sub(14, 15),
        sub(15, 14),
    ];
    take_in(&mut members, &subs);
    assert_eq!(members[0].count.work["L4-DE"].calls, 30);
    assert_eq!(members[1].count.work["L4-DE"].calls, 10);
    assert_eq!(members[0].count.used.money, MicroUsd(100_000));
}
