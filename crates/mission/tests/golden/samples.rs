//! One sample of every event and every shape of it.

use adjutant_mission::*;

pub(crate) fn key(text: &str) -> TaskKey {
    TaskKey::new(text).unwrap()
}

fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

pub(crate) fn option(text: &str) -> OptionKey {
    OptionKey::new(text).unwrap()
}

pub(crate) fn agent(text: &str) -> AgentId {
    AgentId::new(text).unwrap()
}

pub(crate) fn call(tool: &str) -> ToolCall {
    ToolCall {
        tool: ToolId::new(tool).unwrap(),
        with: json(r#"{"page":"{{inputs.page}}"}"#),
    }
}

pub(crate) fn usage() -> Usage {
    Usage {
        money: MicroUsd(1_500_000),
        tokens: 321,
    }
}

pub(crate) fn inline() -> Payload {
    Payload::Inline(json(r#"{"title":"A  title","pages":[1,2.50]}"#))
}

fn blob() -> Payload {
    Payload::Blob {
        digest: "b3:00ff".into(),
        bytes: 1_234_567,
    }
}

pub(crate) fn failure(kind: FailureKind) -> Failure {
    Failure {
        kind,
        message: "it “broke”".into(),
    }
}

pub(crate) const MISSION: MissionId =
    MissionId::from_bits(0x0190_0000_0000_0000_0000_0000_0000_0007);
pub(crate) const COMMAND: CommandId =
    CommandId::from_bits(0x0190_0000_0000_0000_0000_0000_0000_0001);

pub(crate) fn choice(text: &str) -> ChoiceOption {
    ChoiceOption {
        key: option(text),
        label: text.into(),
        description: "what it is".into(),
        pros: vec!["quick".into()],
        cons: vec!["dear".into()],
        cost: Some(MicroUsd(5)),
        time: Some(Millis(6)),
        risk: Some(Risk::Low),
    }
}

fn full_plan() -> Plan {
    let mut fetch = Task::new(key("fetch"), WorkSpec::Tool(call("http_get")));
    fetch.title = "Fetch it".into();
    fetch.retry = Retry {
        attempts: 2,
        backoff: Millis(10),
        factor: 3,
        backoff_max: Millis(100),
    };
    fetch.alternative = Some(call("read_file"));
    fetch.approval = Approval::Always;
    fetch.caps = Caps {
        money: Some(MicroUsd(9)),
        tokens: Some(8),
        turns: Some(7),
        wall_time: Some(Millis(6_000)),
    };
    fetch.resources = vec![ResourceKey::new("net").unwrap()];
    fetch.estimate = Some(Estimate {
        money: Some(MicroUsd(1)),
        duration: Some(Millis(2)),
    });
    fetch.priority = -3;
    fetch.tags = vec!["first".into()];
    fetch.milestone = true;
    let human = Human {
        question: "Keep {{fetch.output.title}}?".into(),
        kind: CheckpointType::CriticalDecision,
        options: vec![choice("yes"), choice("no")],
        recommend: Some(option("yes")),
        because: "it fits".into(),
        role: Some(Role::new("qa").unwrap()),
        deadline: Some(Millis::hours(1)),
    };
    let gate = Gate {
        rules: vec![GateRule {
            when: "size(fetch.output) == 0".into(),
            verdict: GateVerdict::Repairable,
            because: "empty".into(),
        }],
        return_to: Some(key("fetch")),
        returns_max: 1,
    };
    let dependency = |task, kind, lag| Dependency {
        task: key(task),
        kind,
        lag: Millis(lag),
    };
    let mut ask = Task::new(key("ask"), WorkSpec::Human(human));
    ask.after = vec![dependency("check", DependencyKind::FinishToStart, 0)];
    let mut check = Task::new(key("check"), WorkSpec::Gate(gate));
    check.after = vec![dependency("fetch", DependencyKind::FinishToStart, 50)];
    let mut other = Task::new(key("other"), WorkSpec::Tool(call("http_get")));
    other.after = vec![
        dependency("ask", DependencyKind::StartToStart, 1),
        dependency("check", DependencyKind::FinishToFinish, 2),
        dependency("fetch", DependencyKind::StartToFinish, 3),
    ];
    Plan {
        objective: "know".into(),
        constraints: vec!["cheap".into()],
        success_criteria: vec!["right".into()],
        strategy: Strategy::ContinueOnBlock,
        concurrency: 4,
        barrier: Barrier::Ask,
        skips_max: 1,
        on_failure: OnFailure::GiveUp,
        autonomy: Autonomy::Strict,
        checkpoint_deadline: Millis::seconds(300),
        caps: Caps {
            money: Some(MicroUsd(1_000_000)),
            ..Caps::default()
        },
        inputs: Some(json(r#"{"page":1}"#)),
        ..Plan::new("Everything", vec![fetch, check, ask, other])
    }
}

pub(crate) fn opened(plan: Plan, scope: Scope, approvals: Vec<ApprovalSource>) -> Event {
    let facts = |class, price| ToolFacts {
        class,
        price: MicroUsd(price),
        tokens: 0,
        time_limit: Millis::ZERO,
        provenance: None,
    };
    let tools = [
        ("http_get", facts(EffectClass::Pure, 0)),
        ("read_file", facts(EffectClass::Idempotent, 5)),
        ("send_mail", facts(EffectClass::Once, 7)),
    ];
    Event::MissionOpened(Box::new(Opened {
        mission: MISSION,
        scope,
        logic: LOGIC_VERSION,
        plan,
        tools: tools
            .into_iter()
            .map(|(name, facts)| (ToolId::new(name).unwrap(), facts))
            .collect(),
        approvals,
        parent: None,
    }))
}

fn openings() -> [Event; 2] {
    let small = Plan::new(
        "Small",
        vec![Task::new(key("fetch"), WorkSpec::Tool(call("send_mail")))],
    );
    let tenant = || Scope::of(TenantId::new("acme").unwrap());
    let scope = Scope {
        department: Some(DepartmentId::new("research").unwrap()),
        team: Some(TeamId::new("blue").unwrap()),
        campaign: Some(CampaignId::new("spring").unwrap()),
        correlation: Some(COMMAND),
        ..tenant()
    };
    let approvals = vec![
        ApprovalSource::Waiver {
            by: agent("ann"),
            types: Waivers::all(),
        },
        ApprovalSource::EarnedLevel {
            agent: agent("writer"),
            level: 3,
        },
    ];
    [
        opened(small, tenant(), Vec::new()),
        opened(full_plan(), scope, approvals),
    ]
}

fn checkpoint(number: u32, asks: Asks) -> Checkpoint {
    Checkpoint {
        number,
        trigger: "task_failed".into(),
        checkpoint_type: CheckpointType::CriticalDecision,
        asks,
        category: Category::Failed,
        severity: Severity::High,
        urgency: Urgency::Soon,
        question: "What now?".into(),
        context: String::new(),
        options: Vec::new(),
        recommendation: None,
        similar: Vec::new(),
        actions: vec![Action::Approve, Action::Modify, Action::Reject],
        role: None,
        deciding_agents: Vec::new(),
        forwarded: Vec::new(),
        deadline: Timestamp(9_000),
    }
}

fn checkpoints() -> Vec<Event> {
    let task = || key("fetch");
    let asks = [
        Asks::ApprovePlan,
        Asks::ApproveTool { task: task() },
        Asks::DoHumanTask { task: task() },
        Asks::RecoverTask { task: task() },
        Asks::SettleInDoubt {
            task: task(),
            effect: 0,
        },
        Asks::PassLayer { layer: 0 },
        Asks::ReviewResult,
    ];
    let plain = asks.map(|asks| checkpoint(0, asks));
    let full = Checkpoint {
        checkpoint_type: CheckpointType::ToolApproval,
        category: Category::GateTimeout,
        severity: Severity::Critical,
        urgency: Urgency::Immediate,
        context: "all of it".into(),
        options: vec![choice("retry"), choice("skip")],
        recommendation: Some(Recommendation {
            option: option("retry"),
            reason: "it was the network".into(),
        }),
        similar: vec![PastDecision {
            checkpoint: CheckpointId {
                mission: MISSION,
                number: 4,
            },
            question: "What now?".into(),
            option: "retry".into(),
            outcome: "worked".into(),
        }],
        role: Some(Role::new("qa").unwrap()),
        deciding_agents: vec![agent("judge")],
        forwarded: vec![Forwarding {
            from: agent("ann"),
            to: Role::new("qa").unwrap(),
            at: Timestamp(5),
        }],
        ..checkpoint(1, Asks::ReviewResult)
    };
    let spending = [None, Some(task())].map(|task| checkpoint(0, Asks::PassSoftCap { task }));
    let all = plain.into_iter().chain([full]).chain(spending);
    all.map(|checkpoint| Event::CheckpointOpened(Box::new(checkpoint)))
        .collect()
}

fn task_events() -> Vec<Event> {
    let task = || key("fetch");
    let attempt = |kind, then| Event::AttemptFailed {
        task: task(),
        failure: failure(kind),
        usage: Usage::NONE,
        then,
    };
    let verdict = |verdict, then| Event::GateJudged {
        task: key("check"),
        verdict,
        reason: "empty".into(),
        usage: Usage::NONE,
        then,
    };
    let retry = || AfterFailure::Retry {
        at: Timestamp(2_000),
    };
    use FailureKind::*;
    vec![
        Event::TaskStarted {
            task: task(),
            effect: Some(0),
            attempt: 1,
            reserved: Usage::NONE,
        },
        Event::TaskStarted {
            task: key("ask"),
            effect: None,
            attempt: 2,
            reserved: usage(),
        },
        Event::TaskCompleted {
            task: task(),
            output: inline(),
            usage: usage(),
        },
        Event::TaskCompleted {
            task: task(),
            output: blob(),
            usage: Usage::NONE,
        },
        Event::TaskHeld {
            task: key("other"),
            output: inline(),
            usage: usage(),
        },
        Event::TaskReleased { task: key("other") },
        attempt(Temporary, retry()),
        attempt(Permanent, AfterFailure::Alternative),
        attempt(BadInput, AfterFailure::Escalate),
        attempt(BadOutput, AfterFailure::GiveUp),
        attempt(TimedOut, retry()),
        attempt(OutcomeUnknown, AfterFailure::Escalate),
        attempt(CapReached, AfterFailure::Escalate),
        attempt(Denied, AfterFailure::Escalate),
        attempt(NeedsHuman, AfterFailure::Escalate),
        attempt(Verdict, AfterFailure::Escalate),
        Event::TaskRequeued { task: task() },
        Event::TaskSkipped {
            task: task(),
            reason: "skipped by human:ann".into(),
        },
        verdict(GateVerdict::Valid, AfterVerdict::Pass),
        verdict(GateVerdict::Repairable, AfterVerdict::Return),
        verdict(GateVerdict::Infeasible, AfterVerdict::Escalate),
        verdict(GateVerdict::Fatal, AfterVerdict::GiveUp),
        Event::TasksReturned {
            tasks: vec![task(), key("check")],
            reason: "gate `check`: empty".into(),
        },
        Event::ToolCallApproved {
            task: task(),
            call: None,
        },
        Event::ToolCallApproved {
            task: task(),
            call: Some(call("http_get")),
        },
        Event::CapReached {
            task: None,
            cap: Caps {
                money: Some(MicroUsd(5)),
                ..Caps::default()
            },
            reason: "too dear".into(),
        },
        Event::CapReached {
            task: Some(task()),
            cap: Caps {
                wall_time: Some(Millis(5)),
                ..Caps::default()
            },
            reason: "too slow".into(),
        },
        Event::SoftCapPassed { task: None },
        Event::SoftCapPassed { task: Some(task()) },
        Event::Degraded {
            reason: "it comes to its mark".into(),
        },
        Event::PlanChanged {
            trigger: ReplanTrigger::Failure,
            why: "b cannot be done".into(),
            patch: Box::new(PlanPatch {
                add: vec![Task::new(key("d"), WorkSpec::Tool(call("send")))],
                change: Vec::new(),
                drop: vec![task()],
                caps: Some(Caps {
                    turns: Some(9),
                    ..Caps::default()
                }),
                tools: [(
                    ToolId::new("send").unwrap(),
                    ToolFacts {
                        class: EffectClass::Once,
                        price: MicroUsd(5),
                        tokens: 0,
                        time_limit: Millis::seconds(9),
                        provenance: None,
                    },
                )]
                .into(),
            }),
        },
        Event::PlanChanged {
            trigger: ReplanTrigger::HumanIntervention,
            why: String::new(),
            patch: Box::new(PlanPatch {
                add: vec![Task::new(key("d"), WorkSpec::Tool(call("read")))],
                tools: [(
                    ToolId::new("read").unwrap(),
                    ToolFacts {
                        class: EffectClass::Idempotent,
                        price: MicroUsd::ZERO,
                        tokens: 0,
                        time_limit: Millis::ZERO,
                        provenance: Some(Provenance::Outside),
                    },
                )]
                .into(),
                ..PlanPatch::default()
            }),
        },
    ]
}

fn checkpoint_events() -> Vec<Event> {
    let decided = |decision| Event::CheckpointDecided {
        checkpoint: 0,
        decision,
    };
    vec![
        Event::CheckpointWaived(Waived {
            checkpoint_type: CheckpointType::PlanApproval,
            by: agent("ann"),
            task: None,
            option: None,
        }),
        Event::CheckpointWaived(Waived {
            checkpoint_type: CheckpointType::SubagentApproval,
            by: agent("ann"),
            task: Some(key("ask")),
            option: Some(option("yes")),
        }),
        Event::CheckpointClaimed { checkpoint: 0 },
        Event::CheckpointReleased { checkpoint: 0 },
        Event::CheckpointGuided {
            checkpoint: 0,
            note: "rather shorter".into(),
        },
        decided(Decision::new(Verdict::Approve)),
        decided(Decision {
            option: Some(option("retry")),
            note: "go on".into(),
            change: Some(json(r#"{"page":2}"#)),
            ..Decision::new(Verdict::Modify)
        }),
        decided(Decision {
            redo: vec![key("fetch")],
            ..Decision::new(Verdict::Reject)
        }),
        Event::CheckpointExpired { checkpoint: 0 },
        Event::CheckpointWithdrawn {
            checkpoint: 0,
            reason: "the mission is stopping".into(),
        },
    ]
}

fn mission_events() -> Vec<Event> {
    let reason = || String::from("enough");
    let stop = |into| Event::StopRequested {
        into,
        reason: reason(),
        undo: false,
    };
    let ended = |phase, delivery, reason: &str| {
        Event::MissionEnded(Ending {
            phase,
            delivery,
            reason: reason.into(),
        })
    };
    vec![
        Event::ExecutionStarted {},
        Event::MissionPaused { reason: reason() },
        Event::MissionResumed {},
        Event::LayerPassed { layer: 0 },
        stop(Stop::Synthesize),
        stop(Stop::Fail),
        stop(Stop::Cancel),
        Event::SynthesisStarted {},
        ended(EndingPhase::Completed, Delivery::Delivered, ""),
        ended(EndingPhase::Failed, Delivery::Draft, "enough"),
        ended(EndingPhase::Cancelled, Delivery::Nothing, "enough"),
        Event::EffectStarted { effect: 0 },
        Event::EffectDeferred {
            effect: 0,
            until: Timestamp(5_000),
        },
        Event::EffectInDoubt {
            effect: 0,
            reason: "the host stopped".into(),
        },
        Event::EffectAbandoned {
            effect: 0,
            reason: "the mission is stopping".into(),
        },
        Event::Informed {
            topic: "weather".into(),
            trust: Trust::Trusted,
            body: json(r#"{"rain":true}"#),
        },
        Event::Informed {
            topic: "mail".into(),
            trust: Trust::Untrusted,
            body: json("null"),
        },
        Event::ContentErased {
            reason: "asked for by its subject".into(),
        },
        Event::StopRequested {
            into: Stop::Cancel,
            reason: reason(),
            undo: true,
        },
        Event::UndoBegan {},
        Event::UndoStarted {
            task: key("a"),
            effect: 4,
            attempt: 1,
            reserved: usage(),
        },
        Event::Undone {
            task: key("a"),
            usage: usage(),
        },
        Event::UndoFailed {
            task: key("a"),
            failure: failure(FailureKind::Temporary),
            usage: Usage::NONE,
            then: AfterFailure::GiveUp,
        },
        Event::MissionForked {
            of: MissionId::from_bits(7),
            at: 12,
            changes: Vec::new(),
        },
        Event::MissionForked {
            of: MissionId::from_bits(7),
            at: 12,
            changes: vec![
                ForkChange::Decision {
                    checkpoint: 2,
                    decision: Decision::new(Verdict::Reject),
                },
                ForkChange::Input {
                    name: "topic".into(),
                    value: json("\"lamps\""),
                },
            ],
        },
    ]
}

fn envelope(event: Event) -> Recorded {
    let human = Actor::human(agent("ann")).with_role(Role::new("qa").unwrap());
    let by_agent = Actor {
        kind: ActorKind::Agent,
        on_behalf_of: Some(agent("ann")),
        ..Actor::human(agent("writer"))
    };
    let (actor, cause, zone) = match &event {
        Event::TaskCompleted { .. } => (None, Some(Cause::Effect(0)), Zone::Platform),
        Event::Informed { .. } => (
            Some(by_agent),
            Some(Cause::Command(COMMAND)),
            Zone::Sensitive,
        ),
        Event::MissionOpened(_)
        | Event::CheckpointDecided { .. }
        | Event::CheckpointClaimed { .. } => {
            (Some(human), Some(Cause::Command(COMMAND)), Zone::Platform)
        }
        _ => (None, None, Zone::Platform),
    };
    Recorded {
        seq: 1,
        at: Timestamp(1_700_000_000_123),
        actor,
        cause,
        zone,
        event,
    }
}

/// Of missions that ask models.
fn agent_events() -> Vec<Event> {
    let [small, _] = openings();
    let Event::MissionOpened(mut opened) = small else {
        return Vec::new();
    };
    let work = AgentWork {
        level: AgentLevel::L2,
        purpose: PurposeId::new("extract").unwrap(),
        with: json(r#"{"question":"why?","sources":[]}"#),
        domain: Some(DomainId::new("law").unwrap()),
        complexity: Complexity::Complex,
        model: Some(ModelId::new("openai/gpt-5").unwrap()),
        reasoning: None,
    };
    let facts = ToolFacts {
        class: EffectClass::Paid,
        price: MicroUsd(120_000),
        tokens: 12_000,
        time_limit: Millis::seconds(120),
        provenance: None,
    };
    let tools: ToolTable = [(work.route(), facts)].into();
    let task = Task::new(key("ask"), WorkSpec::Agent(Box::new(work)));
    opened.plan = Plan::new("Ask", vec![task]);
    opened.tools = tools.clone();
    let model = ModelId::new("local/small").unwrap();
    vec![
        Event::MissionOpened(opened),
        Event::EffectLost { effect: 0 },
        Event::MissionForked {
            of: MissionId::from_bits(7),
            at: 4,
            changes: vec![ForkChange::Model { model, tools }],
        },
    ]
}

/// Of agents that reason: who they are, their steps, how sure they are.
fn reasoning_events() -> Vec<Event> {
    let [small, _] = openings();
    let Event::MissionOpened(mut opened) = small else {
        return Vec::new();
    };
    let id = |name: &str| AgentId::new(name).unwrap();
    let search = ToolCall {
        tool: ToolId::new("L5-PS").unwrap(),
        with: json(r#"{"query":"why"}"#),
    };
    let work = AgentWork {
        level: AgentLevel::L4,
        purpose: PurposeId::new("conclude").unwrap(),
        with: json(r#"{"question":"why?","sources":[]}"#),
        domain: None,
        complexity: Complexity::Ordinary,
        model: None,
        reasoning: Some(Box::new(Reasoning {
            patterns: vec![Pattern::React, Pattern::Reflection],
            max_iterations: 4,
            confidence_threshold: Ppm(750_000),
            tools: vec![search.tool.clone()],
        })),
    };
    let facts = |class| ToolFacts {
        class,
        price: MicroUsd(1_000),
        tokens: 4_000,
        time_limit: Millis::seconds(120),
        provenance: Some(Provenance::Outside),
    };
    opened.tools = [
        (work.route(), facts(EffectClass::Paid)),
        (search.tool.clone(), facts(EffectClass::Pure)),
    ]
    .into();
    let task = Task {
        by: Some(id("L4-DE")),
        ..Task::new(key("think"), WorkSpec::Agent(Box::new(work)))
    };
    opened.plan = Plan {
        agents: vec![
            AgentSpec {
                id: id("L2-lead"),
                level: AgentLevel::L2,
                name: "Lead".into(),
                started_by: None,
                tokens_lifetime: None,
            },
            AgentSpec {
                id: id("L4-DE"),
                level: AgentLevel::L4,
                name: "Data Extractor".into(),
                started_by: Some(id("L2-lead")),
                tokens_lifetime: Some(80_000),
            },
        ],
        ..Plan::new("Think", vec![task])
    };
    let step = |kind, role, uses| Move {
        kind,
        role,
        pattern: Pattern::React,
        iteration: 1,
        uses,
        part: None,
        call: None,
    };
    let taken = |step, signs, output| Event::StepTaken {
        task: key("think"),
        taken: Box::new(StepTaken {
            step,
            signs,
            output,
            usage: Usage {
                money: MicroUsd(12),
                tokens: 300,
            },
        }),
    };
    let part = Move {
        part: Some((0, 2)),
        ..step(StepKind::Think, StepRole::Answer, vec![0])
    };
    let observed = Move {
        call: Some(search.clone()),
        ..step(StepKind::Call, StepRole::Observe, vec![])
    };
    let blob = Payload::Blob {
        digest: "ab".repeat(32),
        bytes: 70_000,
    };
    let assessment = Assessment {
        sure: Ppm(600_000),
        rules: Ppm(1_000_000),
        support: Ppm(500_000),
        composite: Ppm(700_000),
        threshold: Ppm(750_000),
    };
    vec![
        Event::MissionOpened(opened),
        Event::AgentStarted {
            agent: id("L2-lead"),
            level: AgentLevel::L2,
            started_by: None,
        },
        Event::AgentStarted {
            agent: id("L4-DE"),
            level: AgentLevel::L4,
            started_by: Some(id("L2-lead")),
        },
        taken(
            step(StepKind::Think, StepRole::Step, vec![]),
            Signs {
                sure: Some(Ppm(600_000)),
                rules: Some(Ppm(1_000_000)),
                support: Some(Ppm(500_000)),
                settled: true,
                ..Signs::default()
            },
            Payload::Inline(json(r#"{"thought":"because"}"#)),
        ),
        taken(
            step(StepKind::Act, StepRole::Choose, vec![0]),
            Signs {
                call: Some(search),
                ..Signs::default()
            },
            Payload::Inline(json("{}")),
        ),
        taken(observed, Signs::default(), blob),
        taken(
            step(StepKind::Weigh, StepRole::Promise, vec![0, 1]),
            Signs {
                scores: vec![Ppm(1), Ppm(900_000)],
                ..Signs::default()
            },
            Payload::Inline(json("{}")),
        ),
        taken(
            step(StepKind::Split, StepRole::Parts, vec![]),
            Signs {
                parts: 3,
                ..Signs::default()
            },
            Payload::Inline(json("{}")),
        ),
        taken(part, Signs::default(), Payload::Inline(json("{}"))),
        Event::ConfidenceAssessed {
            task: key("think"),
            assessment,
            then: AfterAssessment::Again,
        },
        Event::ConfidenceAssessed {
            task: key("think"),
            assessment,
            then: AfterAssessment::Ask,
        },
        Event::BreachRefused {
            task: key("think"),
            agent: Some(id("L4-DE")),
            wanted: "call write_file with {}".into(),
            reason: "write_file was not offered to it".into(),
        },
        Event::AttemptFailed {
            task: key("think"),
            failure: Failure {
                kind: FailureKind::BadOutput,
                message: "no JSON".into(),
            },
            usage: Usage::NONE,
            then: AfterFailure::Upward { to: id("L2-lead") },
        },
        Event::CheckpointOpened(Box::new(checkpoint(
            0,
            Asks::AcceptConclusion { task: key("think") },
        ))),
    ]
}

/// Every sample, the opening of a small mission first.
pub(crate) fn events() -> Vec<Recorded> {
    let [small, full] = openings();
    let all = [
        vec![small, full],
        mission_events(),
        task_events(),
        checkpoints(),
        checkpoint_events(),
        agent_events(),
        reasoning_events(),
    ];
    all.into_iter().flatten().map(envelope).collect()
}
