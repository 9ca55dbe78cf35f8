//! A mission that is driven by hand, with the journal that it leaves behind.

use adjutant_mission::*;

/// 16 November 2026, seven in the morning.
pub(crate) const MORNING: Timestamp = Timestamp(1_794_812_400_000);
/// What must not be told: it is asked, answered and found.
pub(crate) const SECRET: &str = "Velmoran";

pub(crate) fn key(text: &str) -> TaskKey {
    TaskKey::new(text).unwrap()
}

fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

fn tool(name: &str) -> Task {
    let call = ToolCall {
        tool: ToolId::new("L5-RAG").unwrap(),
        with: json(r#"{"question":"Velmoran"}"#),
    };
    Task::new(key(name), WorkSpec::Tool(call))
}

fn agent(name: &str) -> Task {
    let work = AgentWork {
        level: AgentLevel::L4,
        purpose: PurposeId::new("extract").unwrap(),
        with: json(r#"{"about":"Velmoran"}"#),
        domain: None,
        complexity: Complexity::default(),
        model: None,
        reasoning: None,
    };
    Task::new(key(name), WorkSpec::Agent(Box::new(work)))
}

fn question(name: &str) -> Task {
    let human = Human {
        question: "Does Velmoran raise potassium?".into(),
        kind: CheckpointType::CriticalDecision,
        options: Vec::new(),
        recommend: None,
        on_modify: None,
        because: String::new(),
        role: None,
        approvers: None,
        deadline: None,
    };
    Task::new(key(name), WorkSpec::Human(human))
}

pub(crate) const ANSWER: &str = r#"{"findings":["Velmoran"],"answered_by":{"purpose":"extract","model":"claude-x","provider":"anthropic","tokens":{"input":812,"output":64,"cache_read":500},"cost":1200,"latency_ms":900,"finish":"stop"}}"#;

pub(crate) struct World {
    driver: Driver,
    pub(crate) journal: Vec<Recorded>,
    now: Timestamp,
    flying: Vec<Effect>,
}

impl World {
    pub(crate) fn open() -> Self {
        let ann = Actor::human(AgentId::new("ann").unwrap());
        let facts = ToolFacts {
            class: EffectClass::Pure,
            price: MicroUsd(5_000),
            tokens: 1_000,
            time_limit: Millis::ZERO,
            provenance: None,
        };
        let asks = ToolFacts {
            class: EffectClass::Paid,
            ..facts
        };
        let tools = [("L5-RAG", facts), ("ask:L4", asks)];
        let tools = tools.map(|(name, facts)| (ToolId::new(name).unwrap(), facts));
        let tasks = vec![
            tool("search"),
            agent("read").after([key("search")]),
            question("ask").after([key("read")]),
        ];
        let waived = Waivers::all().0.into_iter();
        let waived = waived.filter(|kind| *kind != CheckpointType::CriticalDecision);
        let start = Start {
            mission: MissionId::from_bits(0x0192_0000_0000_7000_8000_0000_0000_00a7),
            scope: Scope::of(TenantId::new("acme").unwrap()),
            plan: Plan::new("Velmoran and potassium", tasks),
            tools: tools.into_iter().collect(),
            approvals: vec![ApprovalSource::Waiver {
                by: AgentId::new("ann").unwrap(),
                types: Waivers(waived.collect()),
            }],
            parent: None,
            began_by: Vec::new(),
        };
        let mut world = Self {
            driver: Driver::open(MORNING, &ann, CommandId::from_bits(0), start).unwrap(),
            journal: Vec::new(),
            now: MORNING,
            flying: Vec::new(),
        };
        world.settle();
        world
    }

    fn settle(&mut self) {
        loop {
            assert_eq!(self.driver.fault(), None);
            self.journal.extend_from_slice(self.driver.unsaved());
            self.driver.saved();
            let taken = self.driver.take_effects(self.now);
            let idle = taken.is_empty() && self.driver.unsaved().is_empty();
            self.flying.extend(taken);
            if idle {
                break;
            }
        }
    }

    /// What the only effect under way comes to, a second and a half later.
    pub(crate) fn finish(&mut self, outcome: Outcome) {
        assert_eq!(self.flying.len(), 1);
        let effect = self.flying.remove(0).id.number;
        self.now = self.now.plus(Millis(1_500));
        let input = Input::Outcome { effect, outcome };
        self.driver.input(self.now, &input).unwrap();
        self.settle();
    }

    pub(crate) fn pass(&mut self, by: Millis) {
        self.now = self.now.plus(by);
        self.driver.proceed(self.now);
        self.settle();
    }

    pub(crate) fn approve(&mut self, checkpoint: u32) {
        let command = Command::Decide {
            checkpoint: CheckpointNumber::new(checkpoint),
            decision: Decision::new(Verdict::Approve),
        };
        let input = Input::Command {
            id: CommandId::from_bits(9),
            by: Actor::human(AgentId::new("ann").unwrap()),
            command,
        };
        self.driver.input(self.now, &input).unwrap();
        self.settle();
    }

    /// Searches, fails to read once, reads, and asks a person who answers after a minute.
    pub(crate) fn whole() -> Vec<Recorded> {
        let mut world = Self::open();
        world.finish(done(r#"{"sources":[{"title":"Velmoran"}]}"#));
        world.finish(Outcome::Failed {
            failure: Failure {
                kind: FailureKind::Temporary,
                message: "Velmoran is not to be had".into(),
            },
            usage: Usage::NONE,
        });
        world.pass(Millis::hours(1));
        world.finish(done(ANSWER));
        world.pass(Millis(60_000));
        world.approve(0);
        world.journal
    }
}

pub(crate) fn done(output: &str) -> Outcome {
    let usage = Usage {
        money: MicroUsd(1_200),
        tokens: 876,
    };
    Outcome::done(Payload::Inline(json(output)), usage)
}
