//! Real missions on a store: driven by the machine, sealed and signed as a host does.

use adjutant_mission::{
    Actor, AgentId, ApprovalSource, CheckpointType, Command, CommandId, Decision, Driver,
    EffectClass, EffectNumber, Human, Input, Json, MicroUsd, Millis, MissionId, Outcome, Payload,
    Plan, Scope, Start, Task, TaskKey, TenantId, Timestamp, ToolCall, ToolFacts, ToolId, Usage,
    Verdict, Waivers, WorkSpec,
};
use adjutant_store::{AttestationRow, Store, TenantStore, WholeMission, WrappedKey};

use crate::{JournalCursor, MasterKey, MissionSeal, SigningKey, TenantJournal, Vault};

pub fn master_key() -> MasterKey {
    MasterKey::parse(&"5e".repeat(32)).unwrap()
}

pub fn signing_key() -> SigningKey {
    SigningKey::parse(&"a7".repeat(32)).unwrap()
}

pub(super) fn tenant() -> TenantId {
    TenantId::new("acme").unwrap()
}

pub(super) fn ann() -> Actor {
    Actor::human(AgentId::new("ann").unwrap())
}

pub(super) fn mission(n: u64) -> MissionId {
    MissionId::from_parts(1_700_000_000_000 + n, u128::from(n) << 40 | 0x1234_5678)
}

pub(super) const NOW: Timestamp = Timestamp(1_700_000_000_000);

fn key(name: &str) -> TaskKey {
    TaskKey::new(name).unwrap()
}

fn tool(name: &str, after: &[&str]) -> Task {
    let call = ToolCall {
        tool: ToolId::new("noop").unwrap(),
        with: Json::parse("{}").unwrap(),
    };
    Task::new(key(name), WorkSpec::Tool(call)).after(after.iter().map(|on| key(on)))
}

fn question() -> Task {
    let human = Human {
        question: "May Anna Kovacs be told?".into(),
        kind: CheckpointType::CriticalDecision,
        options: Vec::new(),
        recommend: None,
        on_modify: None,
        because: String::new(),
        role: None,
        approvers: None,
        deadline: None,
    };
    Task::new(key("ask"), WorkSpec::Human(human)).after([key("large"), key("other")])
}

fn start(id: MissionId) -> Start {
    let tasks = vec![tool("large", &[]), tool("other", &[]), question()];
    let facts = ToolFacts {
        class: EffectClass::Pure,
        price: MicroUsd(0),
        tokens: 0,
        time_limit: Millis::ZERO,
        provenance: None,
    };
    let types = [CheckpointType::PlanApproval].into();
    Start {
        mission: id,
        scope: Scope {
            subjects: vec!["anna@example.org".into(), format!("file {id}")],
            ..Scope::of(tenant())
        },
        plan: Plan::new(format!("A letter to Anna Kovacs {}", id.bits()), tasks),
        tools: [(ToolId::new("noop").unwrap(), facts)].into(),
        approvals: vec![ApprovalSource::Waiver {
            by: AgentId::new("ann").unwrap(),
            types: Waivers(types),
        }],
        parent: None,
        began_by: Vec::new(),
    }
}

/// One mission being driven.
pub(super) struct Driven<T> {
    pub(super) journal: TenantJournal<T>,
    driver: Driver,
    cursor: JournalCursor,
    commands: u64,
}

impl<T: TenantStore> Driven<T> {
    /// Opens a mission and brings it to its question: one output in a blob, one in the journal, a snapshot.
    pub(super) async fn to_its_question(journal: TenantJournal<T>, id: MissionId) -> Self {
        let start = start(id);
        let (title, subjects) = (start.plan.title.clone(), start.scope.subjects.clone());
        let cursor = journal.begin(id, &title, &subjects).await.unwrap();
        let command = CommandId::from_bits(1);
        let driver = Driver::open(NOW, &ann(), command, start).unwrap();
        let mut driven = Self {
            journal,
            driver,
            cursor,
            commands: 1,
        };
        driven.save(Vec::new()).await;
        for (task, text) in [
            ("large", format!("\"Anna {}\"", "x".repeat(6_000))),
            ("other", format!("\"Kovacs {id} {}\"", "y".repeat(5_000))),
        ] {
            let effects = driven.driver.take_effects(NOW);
            let effect = effects.iter().find(|effect| effect.task == key(task));
            let planned = EffectNumber::new(u32::from(task == "other"));
            let number = effect.map_or(planned, |effect| effect.id.number);
            let outcome = Outcome::done(Payload::Inline(Json::parse(&text).unwrap()), Usage::NONE);
            let (outcome, blob) = driven.cursor.seal.fit(outcome, Vec::new).unwrap();
            let input = Input::Outcome {
                effect: number,
                outcome,
            };
            driven.driver.input(NOW, &input).unwrap();
            driven.save(blob.into_iter().collect()).await;
        }
        driven
    }

    /// Answers what is asked, and delivers.
    pub(super) async fn finish(&mut self) {
        for _ in 0..2 {
            let asked = self.driver.mission().open_checkpoints().next();
            let checkpoint = asked.unwrap().checkpoint.number;
            self.commands += 1;
            let input = Input::Command {
                id: CommandId::from_bits(u128::from(self.commands)),
                by: ann(),
                command: Command::Decide {
                    checkpoint,
                    decision: Decision::new(Verdict::Approve),
                },
            };
            self.driver.input(NOW, &input).unwrap();
            self.save(Vec::new()).await;
        }
        assert!(self.driver.mission().phase().is_ended());
    }

    async fn save(&mut self, blobs: Vec<adjutant_store::Blob>) {
        let mission = self.driver.mission();
        let (mut batch, end) = self.cursor.batch(&self.driver, blobs).unwrap();
        // Missions of this size have no snapshot of their own accord.
        batch.snapshot = Some(adjutant_store::Snapshot {
            head: end,
            version: adjutant_mission::PASSPORT_VERSION,
            passport: {
                let passport = mission.passport().unwrap();
                self.cursor.seal.snapshot(end.seq, passport).unwrap()
            },
        });
        self.journal.store().append(batch).await.unwrap();
        self.cursor.moved(end, Some(end.seq));
        self.driver.saved();
    }
}

/// All of one tenant, in memory: to be altered, and put into another store.
#[derive(Debug, Clone)]
pub struct Sample {
    pub key: WrappedKey,
    pub missions: Vec<WholeMission>,
    pub attestations: Vec<AttestationRow>,
    /// The first mission as it was when it asked.
    pub(super) earlier: Option<Box<WholeMission>>,
    /// For someone who has even the keys.
    pub(super) seals: Vec<MissionSeal>,
}

impl Sample {
    /// Two missions: one that ended, one that asks; both signed, one of them twice.
    pub async fn make<S: Store>(store: &S) -> Self {
        let journal = Vault::new(master_key()).tenant(store, &tenant());
        let mut ended = Driven::to_its_question(journal.clone(), mission(1)).await;
        journal.attest_all(&signing_key(), NOW).await.unwrap();
        let earlier = journal.store().take_out(mission(1)).await.unwrap();
        ended.finish().await;
        Driven::to_its_question(journal.clone(), mission(2)).await;
        journal.attest_all(&signing_key(), NOW).await.unwrap();
        Self {
            earlier: earlier.map(Box::new),
            ..Self::of(&journal).await
        }
    }

    pub(super) async fn of<T: TenantStore>(journal: &TenantJournal<T>) -> Self {
        let store = journal.store();
        let (mut missions, mut seals) = (Vec::new(), Vec::new());
        for n in [1, 2] {
            let whole = store.take_out(mission(n)).await.unwrap().unwrap();
            seals.extend(journal.seal_of(&whole.row).await.ok());
            missions.push(whole);
        }
        Self {
            key: store.tenant_key().await.unwrap().unwrap(),
            missions,
            attestations: store.attestations(1, 100).await.unwrap(),
            earlier: None,
            seals,
        }
    }

    /// Puts it into an empty store.
    pub async fn put<S: Store>(&self, store: &S) -> TenantJournal<S::Tenant> {
        let journal = Vault::new(master_key()).tenant(store, &tenant());
        let scoped = journal.store();
        let key = self.key.clone();
        assert!(scoped.set_tenant_key(None, key, vec![]).await.unwrap());
        for whole in &self.missions {
            assert!(scoped.put_in(whole.clone()).await.unwrap());
        }
        if !self.attestations.is_empty() {
            // Stores refuse gaps; what an attacker leaves out, they would number anew.
            let mut rows = self.attestations.clone();
            for (row, number) in rows.iter_mut().zip(1..) {
                row.number = number;
            }
            assert!(scoped.attest(rows).await.unwrap());
        }
        journal
    }
}

/// The first thing that is wrong with a tenant, as `verify --all` looks for it.
pub(super) async fn damage<T: TenantStore>(journal: &TenantJournal<T>) -> Option<crate::Damage> {
    let signers = [signing_key().public()];
    let attested = journal.verify_attestations(&signers, None).await;
    let attested = match attested.unwrap() {
        Ok(attested) => attested,
        Err(damage) => return Some(damage),
    };
    for mission in journal.missions().await.unwrap() {
        let said = attested.of.get(&mission).cloned().unwrap_or_default();
        let found = journal.verify_with(mission, &said, None).await.unwrap();
        if let Err(damage) = found {
            return Some(damage);
        }
    }
    None
}
