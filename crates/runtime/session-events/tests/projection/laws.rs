//! What holds of every mission's events, whatever happens to it.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_mission::*;
use adjutant_session_events::{Contents, EventType, Projection, SessionEvent};
use proptest::prelude::{ProptestConfig, any, proptest};

use crate::documented::{example, fields, sections};
use crate::world::*;

/// Something that happens to a mission, by numbers that pick what.
fn happens(world: &mut World, what: u8, which: u8, how: u8) {
    let open: Vec<u32> = world
        .mission()
        .open_checkpoints()
        .map(|state| state.checkpoint.number.get())
        .collect();
    let pick = |count: usize| usize::from(which) % count;
    match what % 12 {
        0..=5 if !world.flying.is_empty() => {
            let place = pick(world.flying.len());
            let outcome = outcome(&world.flying[place], how, world.now);
            world.finish_at(place, outcome);
        }
        6 | 7 if !open.is_empty() => {
            let number = open[pick(open.len())];
            let _refused_or_not = world.decide(number, decision(world, number, how));
        }
        8 => world.pass(Millis::seconds(u64::from(how))),
        9 => world.crash(),
        10 => match how % 8 {
            0 => world.pass(Millis::hours(25)),
            1 if may_fork(world) => *world = world.fork(),
            2 => {
                let (reason, undo) = ("enough".to_owned(), which.is_multiple_of(2));
                let _refused_or_not = world.command(Command::Abort { reason, undo });
            }
            3 => {
                let patch = PlanPatch {
                    change: vec![tool("news", "L5-NEWS", "{}")],
                    add: vec![tool(&format!("more{which}"), "L5-CALC", "{}")],
                    tools: tools(),
                    ..PlanPatch::default()
                };
                let (patch, why) = (Box::new(patch), String::new());
                let _refused_or_not = world.command(Command::Replan { patch, why });
            }
            _ => {
                let (topic, trust, body) = ("x".to_owned(), Trust::Untrusted, json("1"));
                let _refused_or_not = world.command(Command::Inform { topic, trust, body });
            }
        },
        _ => {}
    }
}

/// Whether the mission can be forked as it stands. Its fork cannot, for one is enough.
fn may_fork(world: &World) -> bool {
    let last = world.journal.len() as u64;
    world.mission().forked().is_none() && fork_point(&world.journal, last).is_ok()
}

fn outcome(effect: &Effect, how: u8, now: Timestamp) -> Outcome {
    let sure = 1_000_000 - u32::from(how) * 3_000;
    match (how % 16, &effect.work) {
        (0, _) => failed(FailureKind::Temporary, "down"),
        (1, _) => failed(FailureKind::Permanent, "no"),
        (2, _) => Outcome::Deferred {
            until: now.plus(Millis::seconds(2)),
        },
        (3, _) => Outcome::NeedsHuman { reason: "?".into() },
        (how, Work::EvaluateGate(_)) => Outcome::Judged {
            verdict: match how % 3 {
                0 => GateVerdict::Repairable,
                _ => GateVerdict::Valid,
            },
            reason: "looked".into(),
            usage: Usage::NONE,
        },
        _ if effect.thought.is_some() => answer(effect, sure),
        (4, _) => Outcome::done(blob(), Usage::NONE),
        (_, Work::AskModel(_)) => done(FINDINGS),
        _ => done(FOUND),
    }
}

fn decision(world: &World, number: u32, how: u8) -> Decision {
    let asked = &world.mission().checkpoints()[number as usize].checkpoint;
    let options = &asked.options;
    let option =
        (!options.is_empty()).then(|| options[usize::from(how) % options.len()].key.clone());
    let verdict = match how % 8 {
        0 => Verdict::Reject,
        1 => Verdict::Modify,
        _ => Verdict::Approve,
    };
    let redo = match (&asked.asks, verdict) {
        (Asks::ReviewResult, Verdict::Modify) => vec![key("passages")],
        _ => Vec::new(),
    };
    Decision {
        option,
        redo,
        note: "as you like".into(),
        ..Decision::new(verdict)
    }
}

fn plan(how: u8) -> Plan {
    let after = |task: Task, on: &[&str]| task.after(on.iter().map(|on| key(on)));
    let by = |task: Task| Task {
        by: Some(agent_id("extractor")),
        ..task
    };
    let pattern = Pattern::ALL[usize::from(how) % Pattern::ALL.len()];
    let mut mail = after(tool("mail", "send_mail", "{}"), &["check"]);
    mail.undo = Some(Undo {
        tool: tool_id("L5-CALC"),
        with: json("{}"),
        retry: Retry::default(),
    });
    let mut extract = after(by(agent("extract")), &["passages"]);
    extract.alternative = how.is_multiple_of(2).then(|| call("L5-CALC", "{}"));
    Plan {
        agents: staff(),
        autonomy: [Autonomy::Strict, Autonomy::Balanced, Autonomy::Permissive]
            [usize::from(how % 3)],
        strategy: [Strategy::ParallelSafe, Strategy::ContinueOnBlock][usize::from(how % 2)],
        ..Plan::new(
            "Anything",
            vec![
                tool("passages", "L5-RAG", "{}"),
                tool("news", "L5-NEWS", "{}"),
                extract,
                after(
                    by(thinker("think", &[pattern, Pattern::React])),
                    &["passages"],
                ),
                after(gate("check", "extract"), &["extract"]),
                mail,
                after(question("ask"), &["news"]),
            ],
        )
    }
}

/// Takes the events one by one with the state that each leaves behind, read back from its passport.
fn one_by_one(journal: &[Recorded]) -> (Vec<SessionEvent>, Vec<Mission>) {
    let mut projection = Projection::new();
    let (mut events, mut states) = (Vec::new(), Vec::<Mission>::new());
    for recorded in journal {
        let mission = match states.last() {
            None => Mission::begin(recorded).unwrap(),
            Some(before) => {
                let mut mission = before.clone();
                mission.apply(recorded).unwrap();
                mission
            }
        };
        let mission = Mission::from_passport(&mission.passport().unwrap()).unwrap();
        events.extend(projection.take(&mission, recorded, &Contents::none()));
        states.push(mission);
    }
    (events, states)
}

fn text<'a>(event: &'a SessionEvent, field: &str) -> &'a str {
    event.data[field].as_str().unwrap_or_default()
}

/// Whoever follows the events knows where every task stands, and how many have ended.
fn statuses_follow(events: &[SessionEvent], states: &[Mission]) {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    let mut ended = 0;
    let mut left = events.iter().peekable();
    for mission in states {
        while let Some(event) = left.next_if(|event| event.sequence <= mission.seq()) {
            let listed = ["tasks", "added"].iter();
            let listed = listed
                .filter_map(|name| event.data.get(*name)?.as_array())
                .flatten();
            for task in listed {
                let part = |name: &str| task[name].as_str().unwrap().to_owned();
                known.insert(part("task_id"), part("status"));
            }
            match event.event_type {
                EventType::TaskStatusChange => {
                    let before =
                        known.insert(text(event, "task_id").into(), text(event, "to").into());
                    assert_eq!(before.as_deref(), Some(text(event, "from")));
                }
                EventType::ProgressUpdate => ended = event.data["tasks_ended"].as_u64().unwrap(),
                _ => {}
            }
        }
        for (task, state) in mission.tasks() {
            let told = known[task.key.as_str()].as_str();
            let between_steps = told == "running" && state.status == TaskStatus::Ready;
            assert!(
                told == state.status.name() || (between_steps && !state.steps.is_empty()),
                "event {}: `{}` is {} and was told to be {told}",
                mission.seq(),
                task.key,
                state.status.name()
            );
        }
        assert_eq!(ended, u64::from(mission.summary().tasks_ended));
    }
}

/// What begins ends once, and nothing ends that did not begin.
fn pairs_close(events: &[SessionEvent], has_ended: bool) {
    let mut open: BTreeSet<(&str, String)> = BTreeSet::new();
    for event in events {
        let of = |field: &str| text(event, field).to_owned();
        let (name, key, begins) = match event.event_type {
            EventType::ToolInvoked => ("call", of("call_id"), true),
            EventType::ToolResult | EventType::ToolError => ("call", of("call_id"), false),
            EventType::IterationStart => ("round", of("task_id"), true),
            EventType::IterationComplete => ("round", of("task_id"), false),
            EventType::AgentStarted => ("agent", of("agent_id"), true),
            EventType::AgentCompleted => ("agent", of("agent_id"), false),
            EventType::PhaseStart => ("phase", of("phase"), true),
            EventType::PhaseComplete => ("phase", of("phase"), false),
            _ => continue,
        };
        let fits = match begins {
            true => open.insert((name, key.clone())),
            false => open.remove(&(name, key.clone())),
        };
        assert!(fits, "{:?} of {key}", event.event_type);
    }
    assert!(!has_ended || open.is_empty(), "still open: {open:?}");
}

fn laws_hold(journal: &[Recorded]) {
    let (events, states) = one_by_one(journal);
    assert_eq!(events_of(journal, &Contents::none()), events);
    for pair in events.windows(2) {
        assert!(pair[0].sequence <= pair[1].sequence);
        assert!(pair[0].timestamp <= pair[1].timestamp);
    }
    statuses_follow(&events, &states);
    let has_ended = states.last().is_some_and(|last| last.ending().is_some());
    pairs_close(&events, has_ended);
    let is_last =
        |event: &SessionEvent| matches!(event.event_type, EventType::Complete | EventType::Error);
    let lasts = events.iter().filter(|event| is_last(event)).count();
    assert_eq!(lasts, usize::from(has_ended));
    assert!(!has_ended || events.last().is_some_and(is_last));
    let documented: BTreeMap<&str, SessionEvent> = sections()
        .into_iter()
        .map(|(name, section)| (name, example(section)))
        .collect();
    for event in &events {
        let documented = &documented[event.event_type.name()];
        assert_eq!(fields(event), fields(documented), "{:?}", event.event_type);
        let written = serde_json::to_string(event).unwrap();
        let read: SessionEvent = serde_json::from_str(&written).unwrap();
        assert_eq!(&read, event);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn the_laws_hold_of_whatever_happens(
        how: u8,
        waived: bool,
        happenings in proptest::collection::vec((any::<u8>(), any::<u8>(), any::<u8>()), 0..70),
    ) {
        let approvals = match waived {
            true => waive_all(),
            false => waive(&[CheckpointType::PlanApproval]),
        };
        let mut world = World::open(plan(how), approvals);
        for (what, which, how) in happenings {
            happens(&mut world, what, which, how);
        }
        laws_hold(&world.journal);
    }
}

#[test]
fn the_laws_hold_of_the_stories() {
    for world in crate::stories::all() {
        laws_hold(&world.journal);
    }
}
