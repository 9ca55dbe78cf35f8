//! How fast a journal is read back: each event unsealed, verified against the chain, decoded and folded.
//! `cargo run --release --package adjutant-journal --example replay_speed`
#![expect(
    clippy::unwrap_used,
    reason = "a measurement that cannot be made may stop"
)]

use std::time::Instant;

use adjutant_journal::{MasterKey, TenantJournal, Vault};
use adjutant_mission::*;
use adjutant_store::{MemoryStore, MemoryTenant, TenantStore};

const MISSION: MissionId = MissionId::from_bits(7);

#[tokio::main(flavor = "current_thread")]
async fn main() {
    for tasks in [20, 1_000, 10_000] {
        let journal = journal(tasks).await;
        let (read, head) = journal.read(MISSION).await.unwrap();
        assert_eq!(read.len() as u64, head.seq);
        let rounds = 2_000_000 / head.seq + 1;
        let began = Instant::now();
        for _ in 0..rounds {
            let (mission, _) = journal.load(MISSION).await.unwrap();
            assert_eq!(mission.phase(), Phase::Completed);
        }
        let per_second = (rounds * head.seq) as f64 / began.elapsed().as_secs_f64();
        println!("{tasks:>6} tasks: unseal + verify + decode + apply {per_second:>10.0} events/s");
    }
}

/// The journal of a whole chain of no-ops, as a host would have stored it.
async fn journal(tasks: usize) -> TenantJournal<MemoryTenant> {
    let tenant = TenantId::new("acme").unwrap();
    let vault = Vault::new(MasterKey::generate().unwrap());
    let journal = vault.tenant(&MemoryStore::new(), &tenant);
    let mut cursor = journal.begin(MISSION, "chain", &[]).await.unwrap();
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
        tokens: 0,
        time_limit: Millis::ZERO,
        provenance: None,
    };
    let by = AgentId::new("ann").unwrap();
    let start = Start {
        mission: MISSION,
        scope: Scope::of(tenant),
        plan: Plan::new("chain", (0..tasks).map(task).collect()),
        tools: [(tool, facts)].into(),
        approvals: vec![ApprovalSource::Waiver {
            by: by.clone(),
            types: Waivers::all(),
        }],
        parent: None,
        began_by: Vec::new(),
    };
    let now = Timestamp(1_000);
    let mut driver = Driver::open(now, &Actor::human(by), CommandId::from_bits(1), start).unwrap();
    loop {
        let (mut batch, end) = cursor.batch(&driver, Vec::new()).unwrap();
        // Without a snapshot the whole journal is read.
        batch.snapshot = None;
        journal.store().append(batch).await.unwrap();
        cursor.moved(end, None);
        driver.saved();
        let Some(effect) = driver.take_effects(now).pop() else {
            return journal;
        };
        let outcome = Outcome::done(
            Payload::Inline(Json::parse("{\"ok\":true}").unwrap()),
            Usage::NONE,
        );
        let effect = effect.id.number;
        driver
            .input(now, &Input::Outcome { effect, outcome })
            .unwrap();
    }
}
