//! A tiny world for tests of the machine: plans in a few words, time that only moves when told.

use adjutant_mission::{CheckpointNumber, *};

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

/// A task that asks a model; `ask:L4` costs a dollar and a thousand tokens at most.
pub fn agent(name: &str, after: &[&str]) -> Task {
    let work = AgentWork {
        level: AgentLevel::L4,
        purpose: PurposeId::new("extract").unwrap(),
        with: json("{}"),
        domain: None,
        complexity: Complexity::default(),
        model: None,
        reasoning: None,
    };
    Task::new(key(name), WorkSpec::Agent(Box::new(work))).after(after.iter().map(|on| key(on)))
}

pub fn human(name: &str, after: &[&str]) -> Task {
    let human = Human {
        question: "Which way?".into(),
        kind: CheckpointType::CriticalDecision,
        options: Vec::new(),
        recommend: None,
        on_modify: None,
        because: String::new(),
        role: None,
        approvers: None,
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

/// `pure`, `idempotent` and `once` exist as tools of that class; `dear` costs a dollar, and `wordy` twenty tokens.
pub fn tools() -> ToolTable {
    let facts = |class, price| ToolFacts {
        class,
        price: MicroUsd(price),
        tokens: 0,
        time_limit: Millis::ZERO,
        provenance: None,
    };
    [
        ("pure", facts(EffectClass::Pure, 0)),
        ("idempotent", facts(EffectClass::Idempotent, 0)),
        ("once", facts(EffectClass::Once, 0)),
        ("dear", facts(EffectClass::Pure, 1_000_000)),
        (
            "ask:L4",
            ToolFacts {
                tokens: 1_000,
                ..facts(EffectClass::Paid, 1_000_000)
            },
        ),
        (
            "wordy",
            ToolFacts {
                tokens: 20,
                ..facts(EffectClass::Pure, 100)
            },
        ),
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
    Outcome::done(Payload::Inline(json(text)), Usage::NONE)
}

pub fn broken() -> Outcome {
    failed(FailureKind::Permanent)
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
        parent: None,
        began_by: Vec::new(),
    }
}

pub fn waive_all() -> Vec<ApprovalSource> {
    waive(&Waivers::all().0.into_iter().collect::<Vec<_>>())
}

pub fn waive(types: &[CheckpointType]) -> Vec<ApprovalSource> {
    vec![ApprovalSource::Waiver {
        by: AgentId::new("ann").unwrap(),
        types: Waivers(types.iter().copied().collect()),
    }]
}

pub fn bob() -> Actor {
    Actor::human(AgentId::new("bob").unwrap())
}

pub fn actor(kind: ActorKind) -> Actor {
    Actor { kind, ..ann() }
}

pub fn option(text: &str) -> ChoiceOption {
    ChoiceOption {
        key: OptionKey::new(text).unwrap(),
        label: text.into(),
        description: String::new(),
        pros: Vec::new(),
        cons: Vec::new(),
        cost: None,
        time: None,
        risk: None,
    }
}

pub fn on(task: &str, kind: DependencyKind, lag_ms: u64) -> Dependency {
    Dependency {
        task: key(task),
        kind,
        lag: Millis(lag_ms),
    }
}

/// A question task whose details the test sets.
pub fn question(name: &str, after: &[&str], change: impl FnOnce(&mut Human)) -> Task {
    let mut task = human(name, after);
    if let WorkSpec::Human(human) = &mut task.work {
        change(human);
    }
    task
}

pub fn judged(verdict: GateVerdict) -> Outcome {
    Outcome::Judged {
        verdict,
        reason: "looked at it".into(),
        usage: Usage::NONE,
    }
}

pub fn cost(micro_usd: u64, tokens: u64) -> Usage {
    Usage {
        money: MicroUsd(micro_usd),
        tokens,
    }
}

pub fn modify(change: &str) -> Decision {
    Decision {
        change: Some(json(change)),
        ..Decision::new(Verdict::Modify)
    }
}

pub fn redo(tasks: &[&str]) -> Decision {
    Decision {
        redo: tasks.iter().map(|task| key(task)).collect(),
        ..Decision::new(Verdict::Modify)
    }
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

    /// Opens the plan with its approval and its final review waived, so that only the run itself asks.
    pub fn started(plan: Plan) -> Self {
        let types = [CheckpointType::PlanApproval, CheckpointType::FinalReview];
        Self::open(plan, waive(&types))
    }

    pub fn open(plan: Plan, approvals: Vec<ApprovalSource>) -> Self {
        Self::begin(start(plan, approvals))
    }

    pub fn begin(start: Start) -> Self {
        Self::begin_as(ann(), start)
    }

    pub fn begin_as(by: Actor, start: Start) -> Self {
        let now = Timestamp(1_000);
        let driver = Driver::open(now, &by, CommandId::from_bits(0), start).unwrap();
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

    /// A fork of the mission as it stood after `events` events, forked by bob at `now`.
    pub fn fork(
        &self,
        events: usize,
        now: Timestamp,
        changes: Vec<ForkChange>,
    ) -> Result<Self, ForkRefused> {
        self.fork_as(bob(), events, now, changes)
    }

    pub fn fork_as(
        &self,
        by: Actor,
        events: usize,
        now: Timestamp,
        changes: Vec<ForkChange>,
    ) -> Result<Self, ForkRefused> {
        fork_point(&self.journal, events as u64)?;
        let fork = Fork {
            mission: MissionId::from_bits(self.mission().id().bits() + 1),
            of: self.mission().id(),
            inherited: self.journal[..events].to_vec(),
            changes,
        };
        let command = CommandId::from_bits(1_000);
        let mut world = Self {
            driver: Driver::fork(now, &by, command, fork)?,
            journal: Vec::new(),
            now,
            flying: Vec::new(),
            commands: 2_000,
        };
        world.settle();
        Ok(world)
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
        let passport = self.passport();
        assert_eq!(
            Mission::fold(&self.journal).unwrap().passport().unwrap(),
            passport,
            "the journal folds to another state"
        );
        let read = Mission::from_passport(&passport).unwrap();
        assert!(read.indexes_hold());
        assert_eq!(read.passport().unwrap(), passport);
        let wakes = self.driver.mission().wake_at();
        assert!(
            wakes.is_none_or(|at| at > self.now),
            "it would be woken at {wakes:?} over and over, and it is {:?}",
            self.now
        );
    }

    pub fn passport(&self) -> Vec<u8> {
        self.driver.mission().passport().unwrap()
    }

    pub fn mission(&self) -> &Mission {
        self.driver.mission()
    }

    /// Does something that must be refused, and checks that nothing has changed. Gives the refusal's code.
    pub fn refused(
        &mut self,
        act: impl FnOnce(&mut Self) -> Result<(), Refused>,
    ) -> (&'static str, String) {
        let (passport, events) = (self.passport(), self.journal.len());
        let refusal = act(self).unwrap_err();
        self.settle();
        assert_eq!(
            self.passport(),
            passport,
            "a refused input changed the state"
        );
        assert_eq!(self.journal.len(), events);
        (refusal.code(), refusal.to_string())
    }

    pub fn refused_code(
        &mut self,
        act: impl FnOnce(&mut Self) -> Result<(), Refused>,
    ) -> &'static str {
        self.refused(act).0
    }

    pub fn answer(&mut self, checkpoint: u32, decision: Decision) -> Result<(), Refused> {
        self.answer_as(ann(), checkpoint, decision)
    }

    pub fn answer_as(
        &mut self,
        by: Actor,
        checkpoint: u32,
        decision: Decision,
    ) -> Result<(), Refused> {
        self.command(
            by,
            Command::Decide {
                checkpoint: CheckpointNumber::new(checkpoint),
                decision,
            },
        )
    }

    pub fn checkpoint(&self, number: usize) -> &CheckpointState {
        &self.mission().checkpoints()[number]
    }

    pub fn ending(&self) -> (EndingPhase, Delivery, &str) {
        let ending = self.mission().ending().unwrap();
        (ending.phase, ending.delivery, ending.reason.as_str())
    }

    /// What happened since `mark`, each event with the task it is about.
    pub fn since(&self, mark: usize) -> Vec<String> {
        self.journal[mark..].iter().map(line).collect()
    }

    /// What happened after the tasks began.
    pub fn tale(&self) -> Vec<String> {
        let begun = |recorded: &Recorded| recorded.event == Event::ExecutionStarted {};
        let mark = self.journal.iter().position(begun).unwrap();
        self.since(mark + 1)
    }

    pub fn mark(&self) -> usize {
        self.journal.len()
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
                checkpoint: CheckpointNumber::new(checkpoint),
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
                checkpoint: CheckpointNumber::new(checkpoint),
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
        self.journal
            .iter()
            .map(|recorded| name(&recorded.event))
            .collect()
    }
}

fn name(event: &Event) -> String {
    let text = serde_json::to_string(event).unwrap();
    let rest = text.split_once("\"type\":\"").unwrap().1;
    rest.split_once('/').unwrap().0.to_owned()
}

fn line(recorded: &Recorded) -> String {
    let name = name(&recorded.event);
    match &recorded.event {
        Event::TaskStarted { task, .. }
        | Event::TaskCompleted { task, .. }
        | Event::TaskHeld { task, .. }
        | Event::TaskReleased { task }
        | Event::TaskRequeued { task }
        | Event::TaskSkipped { task, .. }
        | Event::ToolCallApproved { task, .. } => format!("{name} {task}"),
        Event::AttemptFailed { task, then, .. } => {
            let then = match then {
                AfterFailure::Retry { at } => format!("retry at {}", at.0),
                AfterFailure::Alternative => "alternative".into(),
                AfterFailure::Upward { to } => format!("up to {to}"),
                AfterFailure::Escalate => "escalate".into(),
                AfterFailure::GiveUp => "give up".into(),
            };
            format!("{name} {task}: {then}")
        }
        Event::StepTaken { task, taken } => {
            let (kind, role) = (taken.step.kind.name(), taken.step.role.name());
            format!("{name} {task}: {kind} {role}")
        }
        Event::ConfidenceAssessed { task, then, .. } => format!("{name} {task}: {then:?}"),
        Event::AgentStarted { agent, .. } => format!("{name} {agent}"),
        Event::BreachRefused { reason, .. } => format!("{name}: {reason}"),
        Event::GateJudged { task, then, .. } => format!("{name} {task}: {then:?}"),
        Event::TasksReturned { tasks, .. } => format!("{name} {tasks:?}"),
        Event::LayerPassed { layer } => format!("{name} {layer}"),
        Event::StopRequested { into, .. } => format!("{name}: {into:?}"),
        Event::MissionEnded(ending) => {
            format!("{name}: {:?}, {:?}", ending.phase, ending.delivery)
        }
        Event::CheckpointOpened(checkpoint) => format!("{name}: {}", checkpoint.trigger),
        _ => name,
    }
}
