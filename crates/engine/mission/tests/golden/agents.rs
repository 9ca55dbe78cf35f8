//! Samples of the events of agents: what they ask, how they reason.

use std::collections::BTreeMap;

use adjutant_mission::{EffectNumber, *};

use crate::samples::{checkpoint, json, key, openings};

/// Of missions that ask models.
pub(crate) fn agent_events() -> Vec<Event> {
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
        Event::EffectLost {
            effect: EffectNumber::new(0),
        },
        Event::MissionForked {
            of: MissionId::from_bits(7),
            at: 4,
            changes: vec![ForkChange::Model { model, tools }],
        },
    ]
}

/// Of agents that reason: who they are, their steps, how sure they are.
pub(crate) fn reasoning_events() -> Vec<Event> {
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
        shown: BTreeMap::new(),
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
