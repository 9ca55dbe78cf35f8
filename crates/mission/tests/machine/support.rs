//! A tiny world for tests of the machine: plans in a few words, time that only moves when told.

use adjutant_mission::*;

pub fn key(text: &str) -> TaskKey {
    TaskKey::new(text).unwrap()
}

pub fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

pub fn call(tool: &str) -> ToolCall {
    ToolCall {
        tool: ToolId::new(tool).unwrap(),
        with: json("{}"),
    }
}

pub fn tool(name: &str, tool: &str, after: &[&str]) -> Task {
    Task::new(key(name), WorkSpec::Tool(call(tool))).after(after.iter().map(|on| key(on)))
}

pub fn human(name: &str, after: &[&str]) -> Task {
    let human = Human {
        question: "Which way?".into(),
        kind: CheckpointType::CriticalDecision,
        options: Vec::new(),
        recommend: None,
        because: String::new(),
        role: None,
        deadline: None,
    };
    Task::new(key(name), WorkSpec::Human(human)).after(after.iter().map(|on| key(on)))
}

pub fn gate(name: &str, return_to: &str, after: &[&str]) -> Task {
    let rule = GateRule {
        when: "true".into(),
        verdict: GateVerdict::Repairable,
        because: "not good enough".into(),
    };
    let gate = Gate {
        rules: vec![rule],
        return_to: Some(key(return_to)),
        returns_max: 2,
    };
    Task::new(key(name), WorkSpec::Gate(gate)).after(after.iter().map(|on| key(on)))
}

/// `pure`, `idempotent` and `once` exist as tools of that class; `dear` costs a dollar.
pub fn tools() -> ToolTable {
    let facts = |class, price| ToolFacts {
        class,
        price: MicroUsd(price),
    };
    [
        ("pure", facts(EffectClass::Pure, 0)),
        ("idempotent", facts(EffectClass::Idempotent, 0)),
        ("once", facts(EffectClass::Once, 0)),
        ("dear", facts(EffectClass::Pure, 1_000_000)),
    ]
    .into_iter()
    .map(|(name, facts)| (ToolId::new(name).unwrap(), facts))
    .collect()
}

pub fn ann() -> Actor {
    Actor::human(AgentId::new("ann").unwrap())
}

pub fn mission_id() -> MissionId {
    MissionId::from_bits(7)
}

pub fn done(text: &str) -> Outcome {
    Outcome::Done {
        output: Payload::Inline(json(text)),
        usage: Usage::NONE,
    }
}

pub fn failed(kind: FailureKind) -> Outcome {
    let failure = Failure {
        kind,
        message: "it broke".into(),
    };
    Outcome::Failed {
        failure,
        usage: Usage::NONE,
    }
}

pub fn start(plan: Plan, approvals: Vec<ApprovalSource>) -> Start {
    let scope = Scope::of(TenantId::new("acme").unwrap());
    Start {
        mission: mission_id(),
        scope,
        plan,
        tools: tools(),
        approvals,
    }
}

pub fn waive_all() -> Vec<ApprovalSource> {
    vec![ApprovalSource::Waiver {
        by: AgentId::new("ann").unwrap(),
        types: Waivers::all(),
    }]
}

/// A mission under test, with its journal as a host would have kept it.
pub struct World {
    pub driver: Driver,
    pub journal: Vec<Recorded>,
    pub now: Timestamp,
    pub flying: Vec<Effect>,
    commands: u128,
}

impl World {
    /// Opens the plan with every waivable question waived.
    pub fn waived(plan: Plan) -> Self {
        Self::open(plan, waive_all())
    }

    pub fn open(plan: Plan, approvals: Vec<ApprovalSource>) -> Self {
        let now = Timestamp(1_000);
        let driver =
            Driver::open(now, &ann(), CommandId::from_bits(0), start(plan, approvals)).unwrap();
        let mut world = Self {
            driver,
            journal: Vec::new(),
            now,
            flying: Vec::new(),
            commands: 0,
        };
        world.settle();
        world
    }

    /// Saves, and takes what is to be performed, until nothing moves.
    pub fn settle(&mut self) {
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
        assert!(
            self.driver.mission().indexes_hold(),
            "the indexes drifted from the state"
        );
        let folded = Mission::fold(&self.journal).unwrap();
        assert_eq!(
            folded.passport().unwrap(),
            self.driver.mission().passport().unwrap()
        );
    }

    pub fn finish(&mut self, task: &str, outcome: Outcome) {
        self.try_finish(task, outcome).unwrap();
    }

    pub fn try_finish(&mut self, task: &str, outcome: Outcome) -> Result<(), Refused> {
        let at = self
            .flying
            .iter()
            .position(|effect| effect.task.as_str() == task);
        let at =
            at.unwrap_or_else(|| panic!("`{task}` is not being performed: {:?}", self.running()));
        let effect = self.flying.remove(at).id.number;
        self.driver
            .input(self.now, &Input::Outcome { effect, outcome })?;
        self.settle();
        Ok(())
    }

    pub fn command(&mut self, by: Actor, command: Command) -> Result<(), Refused> {
        self.commands += 1;
        let id = CommandId::from_bits(self.commands);
        self.driver
            .input(self.now, &Input::Command { id, by, command })?;
        self.settle();
        Ok(())
    }

    pub fn decide(&mut self, checkpoint: u32, verdict: Verdict) -> Result<(), Refused> {
        let decision = Decision::new(verdict);
        self.command(
            ann(),
            Command::Decide {
                checkpoint,
                decision,
            },
        )
    }

    pub fn choose(&mut self, checkpoint: u32, option: &str) -> Result<(), Refused> {
        let option = Some(OptionKey::new(option).unwrap());
        let decision = Decision {
            option,
            ..Decision::new(Verdict::Approve)
        };
        self.command(
            ann(),
            Command::Decide {
                checkpoint,
                decision,
            },
        )
    }

    pub fn pass(&mut self, by: Millis) {
        self.now = self.now.plus(by);
        self.driver.proceed(self.now);
        self.settle();
    }

    /// The host dies and another reads the journal back.
    pub fn crash(&mut self) {
        self.flying.clear();
        let mission = Mission::fold(&self.journal).unwrap();
        self.driver = Driver::resume(self.now, mission);
        self.settle();
    }

    pub fn running(&self) -> Vec<&str> {
        let mut running: Vec<_> = self
            .flying
            .iter()
            .map(|effect| effect.task.as_str())
            .collect();
        running.sort_unstable();
        running
    }

    pub fn status(&self, task: &str) -> TaskStatus {
        self.driver.mission().task(task).unwrap().1.status
    }

    pub fn phase(&self) -> Phase {
        self.driver.mission().phase()
    }

    pub fn open_questions(&self) -> Vec<String> {
        let open = self.driver.mission().open_checkpoints();
        open.map(|state| state.checkpoint.question.clone())
            .collect()
    }

    /// The journal's event names, for whole-story assertions.
    pub fn story(&self) -> Vec<String> {
        let name = |recorded: &Recorded| {
            let text = serde_json::to_string(&recorded.event).unwrap();
            let rest = text.split_once("\"type\":\"").unwrap().1;
            rest.split_once('/').unwrap().0.to_owned()
        };
        self.journal.iter().map(name).collect()
    }
}
