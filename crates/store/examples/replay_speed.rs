//! How fast a journal is read back: its chain verified, each event decoded and folded.
//! `cargo run --release --package adjutant-store --example replay_speed`
#![expect(
    clippy::unwrap_used,
    reason = "a measurement that cannot be made may stop"
)]

use std::time::Instant;

use adjutant_mission::*;
use adjutant_store::{Chain, ChainHead, StoredEvent};

fn main() {
    for tasks in [20, 1_000, 10_000] {
        let journal = journal(tasks);
        let rounds = 2_000_000 / journal.len() + 1;
        let began = Instant::now();
        for _ in 0..rounds {
            read_back(&journal);
        }
        let events = (rounds * journal.len()) as f64;
        let per_second = events / began.elapsed().as_secs_f64();
        println!("{tasks:>6} tasks: verify + decode + apply {per_second:>10.0} events/s");
    }
}

fn tenant() -> TenantId {
    TenantId::new("acme").unwrap()
}

const MISSION: MissionId = MissionId::from_bits(7);

fn read_back(journal: &[StoredEvent]) {
    let mut chain = Chain::new(&tenant(), MISSION);
    let mut mission: Option<Mission> = None;
    for stored in journal {
        chain.feed(stored).unwrap();
        let recorded = Recorded::decode(stored.seq, &stored.bytes).unwrap();
        match &mut mission {
            Some(mission) => mission.apply(&recorded).unwrap(),
            None => mission = Some(Mission::begin(&recorded).unwrap()),
        }
    }
    assert_eq!(mission.unwrap().phase(), Phase::Completed);
}

/// The journal of a whole chain of no-ops, as a host would have stored it.
fn journal(tasks: usize) -> Vec<StoredEvent> {
    let tool = ToolId::new("noop").unwrap();
    let call = ToolCall {
        tool: tool.clone(),
        with: Json::parse("{}").unwrap(),
    };
    let key = |n: usize| TaskKey::new(format!("step_{n}")).unwrap();
    let task =
        |n: usize| Task::new(key(n), WorkSpec::Tool(call.clone())).after(n.checked_sub(1).map(key));
    let facts = ToolFacts {
        class: EffectClass::Pure,
        price: MicroUsd::ZERO,
    };
    let by = AgentId::new("ann").unwrap();
    let start = Start {
        mission: MISSION,
        scope: Scope::of(tenant()),
        plan: Plan::new("chain", (0..tasks).map(task).collect()),
        tools: [(tool, facts)].into(),
        approvals: vec![ApprovalSource::Waiver {
            by: by.clone(),
            types: Waivers::all(),
        }],
    };
    let now = Timestamp(1_000);
    let mut driver = Driver::open(now, &Actor::human(by), CommandId::from_bits(1), start).unwrap();
    let (mut head, mut journal) = (ChainHead::genesis(&tenant(), MISSION), Vec::new());
    loop {
        for recorded in driver.unsaved() {
            let (stored, next) = head.link(recorded.encode().unwrap());
            journal.push(stored);
            head = next;
        }
        driver.saved();
        let Some(effect) = driver.take_effects(now).pop() else {
            return journal;
        };
        let outcome = Outcome::Done {
            output: Payload::Inline(Json::parse("{\"ok\":true}").unwrap()),
            usage: Usage::NONE,
        };
        let effect = effect.id.number;
        driver
            .input(now, &Input::Outcome { effect, outcome })
            .unwrap();
    }
}
