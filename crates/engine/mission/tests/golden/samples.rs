//! One sample of every event and every shape of it.

use std::collections::BTreeMap;

use adjutant_mission::{CheckpointNumber, EffectNumber, LayerNumber, *};

use crate::agents::{agent_events, reasoning_events};

pub(crate) fn key(text: &str) -> TaskKey {
    TaskKey::new(text).unwrap()
}

pub(crate) fn json(text: &str) -> Json {
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
        shown: BTreeMap::new(),
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
        on_modify: None,
        because: "it fits".into(),
        role: Some(Role::new("qa").unwrap()),
        approvers: None,
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
        began_by: Vec::new(),
    }))
}

pub(crate) fn openings() -> [Event; 2] {
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

pub(crate) fn checkpoint(number: u32, asks: Asks) -> Checkpoint {
    Checkpoint {
        number: CheckpointNumber::new(number),
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
        call: None,
        similar: Vec::new(),
        actions: vec![Action::Approve, Action::Modify, Action::Reject],
        role: None,
        approvers: None,
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
            effect: EffectNumber::new(0),
        },
        Asks::PassLayer {
            layer: LayerNumber::new(0),
        },
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
                number: CheckpointNumber::new(4),
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
            effect: Some(EffectNumber::new(0)),
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
                constraints: Vec::new(),
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
        Event::PlanChanged {
            trigger: ReplanTrigger::HumanIntervention,
            why: String::new(),
            patch: Box::new(PlanPatch {
                tools: [(
                    ToolId::new("page").unwrap(),
                    ToolFacts {
                        class: EffectClass::Pure,
                        price: MicroUsd::ZERO,
                        tokens: 0,
                        time_limit: Millis::ZERO,
                        provenance: Some(Provenance::AnyHost),
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
        checkpoint: CheckpointNumber::new(0),
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
        Event::CheckpointClaimed {
            checkpoint: CheckpointNumber::new(0),
        },
        Event::CheckpointReleased {
            checkpoint: CheckpointNumber::new(0),
        },
        Event::CheckpointGuided {
            checkpoint: CheckpointNumber::new(0),
            note: "rather shorter".into(),
        },
        Event::CheckpointEndorsed {
            checkpoint: CheckpointNumber::new(0),
            decision: Decision {
                option: Some(option("retry")),
                ..Decision::new(Verdict::Approve)
            },
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
        Event::CheckpointExpired {
            checkpoint: CheckpointNumber::new(0),
        },
        Event::CheckpointWithdrawn {
            checkpoint: CheckpointNumber::new(0),
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
        Event::LayerPassed {
            layer: LayerNumber::new(0),
        },
        stop(Stop::Synthesize),
        stop(Stop::Fail),
        stop(Stop::Cancel),
        Event::SynthesisStarted {},
        ended(EndingPhase::Completed, Delivery::Delivered, ""),
        ended(EndingPhase::Failed, Delivery::Draft, "enough"),
        ended(EndingPhase::Cancelled, Delivery::Nothing, "enough"),
        Event::EffectStarted {
            effect: EffectNumber::new(0),
        },
        Event::EffectDeferred {
            effect: EffectNumber::new(0),
            until: Timestamp(5_000),
        },
        Event::EffectInDoubt {
            effect: EffectNumber::new(0),
            reason: "the host stopped".into(),
        },
        Event::EffectAbandoned {
            effect: EffectNumber::new(0),
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
            effect: EffectNumber::new(4),
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
                    checkpoint: CheckpointNumber::new(2),
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
        Event::TaskCompleted { .. } => (
            None,
            Some(Cause::Effect(EffectNumber::new(0))),
            Zone::Platform,
        ),
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

/// Every sample, the opening of a small mission first.
/// Of approvals that are bound to a call and need several people, and of a large result that a question shows.
fn bound_events() -> Vec<Event> {
    let bound = Checkpoint {
        call: Some(Box::new(ProposedCall {
            calls: "http_post".into(),
            agents: vec![agent("writer")],
            arguments: Some(json(r#"{"url":"https://example.org/","body":"42"}"#)),
            class: EffectClass::Once,
            price: MicroUsd(2_000),
            hash: serde_json::from_str(&format!("\"{}\"", "ab".repeat(32))).unwrap(),
        })),
        approvers: Some(Box::new(Approvers {
            by: vec![agent("ann"), agent("bob"), agent("cem")],
            needed: 2,
        })),
        ..checkpoint(2, Asks::ApproveTool { task: key("fetch") })
    };
    let completed = Event::TaskCompleted {
        task: key("fetch"),
        output: Payload::Blob {
            digest: "b3:00ff".into(),
            bytes: 1_234_567,
            shown: [("title".into(), json(r#""A  title""#))].into(),
        },
        usage: usage(),
    };
    vec![Event::CheckpointOpened(Box::new(bound)), completed]
}

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
        bound_events(),
    ];
    all.into_iter().flatten().map(envelope).collect()
}
