//! A tiny world: missions that are driven by hand, with the journal that they leave behind.

use adjutant_mission::*;

/// 16 November 2026, seven in the morning: a Monday.
pub(crate) const MORNING: Timestamp = Timestamp(1_794_812_400_000);

pub(crate) fn key(text: &str) -> TaskKey {
    TaskKey::new(text).unwrap()
}

pub(crate) fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

fn tool_id(text: &str) -> ToolId {
    ToolId::new(text).unwrap()
}

pub(crate) fn agent_id(text: &str) -> AgentId {
    AgentId::new(text).unwrap()
}

pub(crate) fn tool(name: &str, tool: &str) -> Task {
    let call = ToolCall {
        tool: tool_id(tool),
        with: json("{}"),
    };
    Task {
        by: Some(agent_id("worker")),
        ..Task::new(key(name), WorkSpec::Tool(call))
    }
}

/// A task that asks a model once.
pub(crate) fn agent(name: &str) -> Task {
    let work = AgentWork {
        level: AgentLevel::L4,
        purpose: PurposeId::new("extract").unwrap(),
        with: json("{}"),
        domain: None,
        complexity: Complexity::default(),
        model: None,
        reasoning: None,
    };
    Task {
        by: Some(agent_id("worker")),
        ..Task::new(key(name), WorkSpec::Agent(Box::new(work)))
    }
}

pub(crate) fn plan(tasks: Vec<Task>) -> Plan {
    let spec = |id: &str, level, by: Option<&str>| AgentSpec {
        id: agent_id(id),
        level,
        name: id.into(),
        started_by: by.map(agent_id),
        tokens_lifetime: None,
    };
    Plan {
        agents: vec![
            spec("lead", AgentLevel::L2, None),
            spec("worker", AgentLevel::L4, Some("lead")),
        ],
        ..Plan::new("A mission", tasks)
    }
}

fn tools() -> ToolTable {
    let facts = |class, tokens| ToolFacts {
        class,
        price: MicroUsd(5_000),
        tokens,
        time_limit: Millis::ZERO,
        provenance: None,
    };
    let pure = [
        "L5-RAG",
        "L5-PS",
        "L5-CALC",
        "nothing_found",
        "constitution",
    ];
    let pure = pure.map(|name| (name, facts(EffectClass::Pure, 0)));
    let asks = [("ask:L4", facts(EffectClass::Paid, 9_000))];
    let all = pure.into_iter().chain(asks);
    all.map(|(name, facts)| (tool_id(name), facts)).collect()
}

pub(crate) fn used(micro_usd: u64, tokens: u64) -> Usage {
    Usage {
        money: MicroUsd(micro_usd),
        tokens,
    }
}

pub(crate) fn done(output: &str, usage: Usage) -> Outcome {
    Outcome::done(Payload::Inline(json(output)), usage)
}

pub(crate) fn failed(kind: FailureKind) -> Outcome {
    Outcome::Failed {
        failure: Failure {
            kind,
            message: "it did not work".into(),
        },
        usage: Usage::NONE,
    }
}

/// A mission under way.
pub(crate) struct World {
    driver: Driver,
    pub(crate) journal: Vec<Recorded>,
    pub(crate) now: Timestamp,
    flying: Vec<Effect>,
    commands: u128,
}

impl World {
    pub(crate) fn open(plan: Plan) -> Self {
        let start = Start {
            mission: MissionId::from_bits(7),
            scope: Scope::of(TenantId::new("acme").unwrap()),
            plan,
            tools: tools(),
            approvals: Vec::new(),
            parent: None,
            began_by: Vec::new(),
        };
        let ann = Actor::human(agent_id("ann"));
        let driver = Driver::open(MORNING, &ann, CommandId::from_bits(0), start).unwrap();
        Self::of(driver, MORNING, 0)
    }

    fn of(driver: Driver, now: Timestamp, commands: u128) -> Self {
        let mut world = Self {
            driver,
            journal: Vec::new(),
            now,
            flying: Vec::new(),
            commands,
        };
        world.settle();
        world
    }

    /// A fork of the mission as it stands.
    pub(crate) fn fork(&self) -> Self {
        let fork = Fork {
            mission: MissionId::from_bits(8),
            of: self.mission().id(),
            inherited: self.journal.clone(),
            changes: Vec::new(),
        };
        let ann = Actor::human(agent_id("ann"));
        let driver = Driver::fork(self.now, &ann, CommandId::from_bits(1_000), fork).unwrap();
        Self::of(driver, self.now, 2_000)
    }

    fn settle(&mut self) {
        loop {
            assert_eq!(self.driver.fault(), None);
            self.journal.extend_from_slice(self.driver.unsaved());
            self.driver.saved();
            let gone = self.driver.take_unwanted();
            self.flying
                .retain(|effect| !gone.contains(&effect.id.number));
            let taken = self.driver.take_effects(self.now);
            let idle = taken.is_empty() && self.driver.unsaved().is_empty();
            self.flying.extend(taken);
            if idle {
                break;
            }
        }
    }

    pub(crate) fn mission(&self) -> &Mission {
        self.driver.mission()
    }

    pub(crate) fn finish(&mut self, task: &str, outcome: Outcome) {
        let mut flying = self.flying.iter();
        let place = flying.position(|effect| effect.task.as_str() == task);
        let effect = self
            .flying
            .remove(place.expect("it is under way"))
            .id
            .number;
        self.now = self.now.plus(Millis(1_500));
        let input = Input::Outcome { effect, outcome };
        self.driver.input(self.now, &input).unwrap();
        self.settle();
    }

    /// A person answers after so long.
    pub(crate) fn approve_after(&mut self, checkpoint: u32, wait: Millis) {
        self.now = self.now.plus(wait);
        self.commands += 1;
        let command = Command::Decide {
            checkpoint: CheckpointNumber::new(checkpoint),
            decision: Decision::new(Verdict::Approve),
        };
        let input = Input::Command {
            id: CommandId::from_bits(self.commands),
            by: Actor::human(agent_id("ann")),
            command,
        };
        self.driver.input(self.now, &input).unwrap();
        self.settle();
    }

    pub(crate) fn pass(&mut self, by: Millis) {
        self.now = self.now.plus(by);
        self.driver.proceed(self.now);
        self.settle();
    }
}
