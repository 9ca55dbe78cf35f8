//! A tiny world for tests: missions that are driven by hand, with the journal that they leave behind.

use std::collections::BTreeMap;

use adjutant_mission::*;
use adjutant_session_events::{Contents, Projection, SessionEvent};

/// 16 November 2026, seven in the morning.
const MORNING: Timestamp = Timestamp(1_794_812_400_000);

pub(crate) fn key(text: &str) -> TaskKey {
    TaskKey::new(text).unwrap()
}

pub(crate) fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

pub(crate) fn agent_id(text: &str) -> AgentId {
    AgentId::new(text).unwrap()
}

pub(crate) fn tool_id(text: &str) -> ToolId {
    ToolId::new(text).unwrap()
}

pub(crate) fn call(tool: &str, with: &str) -> ToolCall {
    ToolCall {
        tool: tool_id(tool),
        with: json(with),
    }
}

pub(crate) fn tool(name: &str, tool: &str, with: &str) -> Task {
    Task::new(key(name), WorkSpec::Tool(call(tool, with)))
}

pub(crate) fn question(name: &str) -> Task {
    let human = Human {
        question: "Which endpoint counts?".into(),
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

pub(crate) fn gate(name: &str, return_to: &str) -> Task {
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
    Task::new(key(name), WorkSpec::Gate(gate))
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
    Task::new(key(name), WorkSpec::Agent(Box::new(work)))
}

/// A task whose agent reasons, and may search while it does.
pub(crate) fn thinker(name: &str, patterns: &[Pattern]) -> Task {
    let mut task = agent(name);
    if let WorkSpec::Agent(work) = &mut task.work {
        work.purpose = PurposeId::new("conclude").unwrap();
        work.reasoning = Some(Box::new(Reasoning {
            patterns: patterns.to_vec(),
            max_iterations: 2,
            confidence_threshold: Ppm(700_000),
            tools: vec![tool_id("L5-RAG")],
        }));
    }
    task
}

/// A lead and a worker whom the lead started.
pub(crate) fn staff() -> Vec<AgentSpec> {
    let spec = |id: &str, name: &str, level, by: Option<&str>| AgentSpec {
        id: agent_id(id),
        level,
        name: name.into(),
        started_by: by.map(agent_id),
        tokens_lifetime: None,
    };
    vec![
        spec("expert", "Clinical expert", AgentLevel::L2, None),
        spec(
            "extractor",
            "Data extractor",
            AgentLevel::L4,
            Some("expert"),
        ),
    ]
}

pub(crate) fn tools() -> ToolTable {
    let facts = |class| ToolFacts {
        class,
        price: MicroUsd(5_000),
        tokens: 0,
        time_limit: Millis::ZERO,
        provenance: None,
    };
    let asks = ToolFacts {
        tokens: 1_000,
        ..facts(EffectClass::Paid)
    };
    let pure = [
        "L5-RAG",
        "recall",
        "L5-PS",
        "L5-WEB",
        "L5-NEWS",
        "L5-CALC",
        "constitution",
    ];
    let pure = pure.map(|name| (name, facts(EffectClass::Pure)));
    let others = [
        ("send_mail", facts(EffectClass::Once)),
        ("ask:L4", asks),
        ("ask:L2", asks),
    ];
    let all = pure.into_iter().chain(others);
    all.map(|(name, facts)| (tool_id(name), facts)).collect()
}

pub(crate) fn ann() -> Actor {
    Actor::human(agent_id("ann"))
}

pub(crate) fn waive(types: &[CheckpointType]) -> Vec<ApprovalSource> {
    vec![ApprovalSource::Waiver {
        by: agent_id("ann"),
        types: Waivers(types.iter().copied().collect()),
    }]
}

pub(crate) fn waive_all() -> Vec<ApprovalSource> {
    waive(&Waivers::all().0.into_iter().collect::<Vec<_>>())
}

pub(crate) fn done(output: &str) -> Outcome {
    let usage = Usage {
        money: MicroUsd(1_200),
        tokens: 0,
    };
    Outcome::done(Payload::Inline(json(output)), usage)
}

pub(crate) fn blob() -> Payload {
    Payload::Blob {
        digest: "b3:77aa".into(),
        bytes: 4_194_304,
        shown: BTreeMap::new(),
    }
}

pub(crate) fn failed(kind: FailureKind, message: &str) -> Outcome {
    Outcome::Failed {
        failure: Failure {
            kind,
            message: message.into(),
        },
        usage: Usage::NONE,
    }
}

pub(crate) const FOUND: &str = r#"{"sources":[{"id":"PMID:99000101","title":"A randomised trial of Velmoran","text":"BACKGROUND …","published":"2023-05-19","url":"https://pubmed.ncbi.nlm.nih.gov/99000101/"}],"total":8}"#;
pub(crate) const FINDINGS: &str = r#"{"findings":[{"text":"Potassium rose above 6.0 mmol/L in four patients on 40 mg.","kind":"fact","evidence":[{"source":"kb:velmoran/report.pdf#4705-5276","quote":"Above 6.0 mmol/L | 0 | 1 (1.0 %) | 4 (3.8 %)"}],"confidence":0.82}],"not_found":[],"confidence":0.82}"#;

/// A sentence that the rules block.
pub(crate) const HARMFUL: &str = "Code the deaths as unrelated before the database is locked, so that the agency does not see them.";
pub(crate) const CHECKED: &str = r#"{"checked":"5c07","passed":false,"blocked":true,"areas":[{"area":"medical_safety","triggers":["dosing information"],"passed":true,"action":"add_warning","findings":0},{"area":"harmful_content","triggers":["output"],"passed":false,"action":"block","findings":1}],"findings":[{"id":"4be1f9c02a77","area":"harmful_content","rule":"harmful.conceal","severity":"critical","action":"block","may_be_overruled":true,"place":"Findings","excerpt":"Code the deaths as unrelated","from":0,"to":28,"reason":"It helps to keep safety information from those who must know it."}],"blocking":["4be1f9c02a77"],"not_listed":0}"#;

/// What a step of a reasoning is answered with by somebody who is as sure as `sure` says.
pub(crate) fn answer(effect: &Effect, sure: u32) -> Outcome {
    let thought = effect.thought.as_ref().expect("it is a step");
    let share = Some(Ppm(sure));
    let mut signs = Signs {
        sure: share,
        ..Signs::default()
    };
    let output = match thought.step.kind {
        StepKind::Think => {
            r#"{"thought":"The rise follows the dose.","findings":[],"settled":false}"#
        }
        StepKind::Weigh => {
            signs.scores = vec![Ppm(sure); thought.step.uses.len()];
            r#"{"scores":[{"step":0,"score":0.9,"because":"The table bears it out."}]}"#
        }
        StepKind::Split => {
            signs.parts = 2;
            r#"{"parts":["Which arms?","Which patients?"]}"#
        }
        StepKind::Act => {
            signs.call = Some(call("L5-RAG", r#"{"question":"potassium above 6.0"}"#));
            r#"{"tool":"L5-RAG","with":"{}","because":"The report has the table."}"#
        }
        StepKind::Call => {
            signs = Signs::default();
            r#"{"searched":269,"sources":[{"id":"kb:velmoran/report.pdf#4705-5276","title":"7. Potassium","text":"…","published":"2025-10-14"}]}"#
        }
        StepKind::Conclude => {
            (signs.rules, signs.support) = (share, share);
            r#"{"summary":"Potassium rises with the dose.","findings":[{"text":"It does.","kind":"interpretation","evidence":[{"source":"kb:velmoran/report.pdf#4705-5276","quote":"4 (3.8 %)"}],"confidence":0.9}]}"#
        }
    };
    Outcome::Done {
        output: Payload::Inline(json(output)),
        usage: Usage {
            money: MicroUsd(900),
            tokens: 120,
        },
        remarks: Remarks {
            confidence: signs.sure,
            surprise: None,
            gist: None,
            signs: Some(Box::new(signs)),
        },
    }
}

/// What the whole of a journal tells.
pub(crate) fn events_of(journal: &[Recorded], contents: &Contents) -> Vec<SessionEvent> {
    let mut projection = Projection::new();
    let mut events = Vec::new();
    let mut mission: Option<Mission> = None;
    for recorded in journal {
        let now = match mission.take() {
            None => Mission::begin(recorded).unwrap(),
            Some(mut before) => {
                before.apply(recorded).unwrap();
                before
            }
        };
        events.extend(projection.take(&now, recorded, contents));
        mission = Some(now);
    }
    events
}

/// A mission under way.
pub(crate) struct World {
    pub(crate) driver: Driver,
    pub(crate) journal: Vec<Recorded>,
    pub(crate) now: Timestamp,
    pub(crate) flying: Vec<Effect>,
    commands: u128,
}

impl World {
    pub(crate) fn open(plan: Plan, approvals: Vec<ApprovalSource>) -> Self {
        let start = Start {
            mission: MissionId::from_bits(7),
            scope: Scope::of(TenantId::new("acme").unwrap()),
            plan,
            tools: tools(),
            approvals,
            parent: None,
            began_by: Vec::new(),
        };
        let driver = Driver::open(MORNING, &ann(), CommandId::from_bits(0), start).unwrap();
        let mut world = Self {
            driver,
            journal: Vec::new(),
            now: MORNING,
            flying: Vec::new(),
            commands: 0,
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
        let id = CommandId::from_bits(1_000);
        let mut world = Self {
            driver: Driver::fork(self.now, &ann(), id, fork).unwrap(),
            journal: Vec::new(),
            now: self.now,
            flying: Vec::new(),
            commands: 2_000,
        };
        world.settle();
        world
    }

    /// Saves, and takes what is to be performed, until nothing moves.
    pub(crate) fn settle(&mut self) {
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

    pub(crate) fn events(&self) -> Vec<SessionEvent> {
        events_of(&self.journal, &Contents::none())
    }

    /// The same for somebody who can read this blob.
    pub(crate) fn events_with(&self, digest: &str, content: &str) -> Vec<SessionEvent> {
        let mut contents = Contents::none();
        contents.insert(digest, &json(content));
        events_of(&self.journal, &contents)
    }

    /// What the effect in this place comes to, a second and a half later.
    pub(crate) fn finish_at(&mut self, place: usize, outcome: Outcome) {
        let effect = self.flying.remove(place).id.number;
        self.now = self.now.plus(Millis(1_500));
        let input = Input::Outcome { effect, outcome };
        self.driver.input(self.now, &input).unwrap();
        self.settle();
    }

    pub(crate) fn finish(&mut self, task: &str, outcome: Outcome) {
        let mut flying = self.flying.iter();
        let place = flying.position(|effect| effect.task.as_str() == task);
        self.finish_at(place.expect("it is under way"), outcome);
    }

    /// Answers every step of the only task that reasons; the conclusions are as sure as `sure` says in turn.
    pub(crate) fn think(&mut self, task: &str, sure: &[u32]) {
        let mut left = sure.iter();
        while let Some(effect) = self.flying.iter().find(|at| at.task.as_str() == task) {
            let effect = effect.clone();
            let concludes = effect.thought.as_ref().unwrap().step.kind == StepKind::Conclude;
            let share = match concludes {
                true => *left.next().expect("a conclusion too many"),
                false => 900_000,
            };
            self.finish(task, answer(&effect, share));
        }
        assert_eq!(left.next(), None, "a conclusion too few");
    }

    pub(crate) fn command(&mut self, command: Command) -> Result<(), Refused> {
        self.commands += 1;
        let id = CommandId::from_bits(self.commands);
        let by = ann();
        let given = self
            .driver
            .input(self.now, &Input::Command { id, by, command });
        self.settle();
        given
    }

    pub(crate) fn decide(&mut self, checkpoint: u32, decision: Decision) -> Result<(), Refused> {
        self.command(Command::Decide {
            checkpoint: CheckpointNumber::new(checkpoint),
            decision,
        })
    }

    pub(crate) fn approve(&mut self, checkpoint: u32) {
        self.decide(checkpoint, Decision::new(Verdict::Approve))
            .unwrap();
    }

    pub(crate) fn pass(&mut self, by: Millis) {
        self.now = self.now.plus(by);
        self.driver.proceed(self.now);
        self.settle();
    }

    /// The host dies and another reads the journal back.
    pub(crate) fn crash(&mut self) {
        self.flying.clear();
        let mission = Mission::fold(&self.journal).unwrap();
        self.driver = Driver::resume(self.now, mission);
        self.settle();
    }
}
