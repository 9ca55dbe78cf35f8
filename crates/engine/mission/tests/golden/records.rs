//! The records and ids that journals will name, and one whole mission as a host records it.

use crate::samples;
use crate::samples::{COMMAND, MISSION, agent, call, choice, failure, inline, key, opened, usage};
use adjutant_mission::{CheckpointNumber, EffectNumber, *};

fn triggers() -> [TriggerRecord; 3] {
    let prepared = Prepared {
        scope: Scope::of(TenantId::new("acme").unwrap()),
        plan: Plan::new(
            "Figures",
            vec![Task::new(key("fetch"), WorkSpec::Tool(call("http")))],
        ),
        tools: ToolTable::new(),
        approvals: vec![ApprovalSource::Waiver {
            by: agent("anna"),
            types: Waivers::all(),
        }],
    };
    let inform = TriggerTarget::InformMission {
        mission: MISSION,
        topic: "tick".into(),
        trust: Trust::Trusted,
        body: Json::parse(r#"{"n": 1.50}"#).unwrap(),
    };
    let trigger = |schedule, target| Trigger {
        name: "Weekly figures".into(),
        schedule,
        zone: "Europe/Berlin".into(),
        repeat_max: None,
        cancel_on: None,
        missed: Missed::Once,
        target,
        made_by: Actor::human(agent("anna")),
        made_with: None,
        made_at: Timestamp(5),
    };
    let actor = trigger(Schedule::At(String::new()), inform.clone())
        .actor(TRIGGER)
        .unwrap();
    let start = TriggerTarget::StartMission(Box::new(prepared));
    let problem = TriggerProblem {
        at: Timestamp(8),
        code: "ADJ-5006".into(),
        message: "no room".into(),
    };
    [
        TriggerRecord {
            trigger: trigger(Schedule::At("2027-03-01T09:00".into()), start),
            state: TriggerState {
                next_at: Some(Timestamp(7)),
                ..TriggerState::default()
            },
        },
        TriggerRecord {
            trigger: Trigger {
                repeat_max: Some(3),
                cancel_on: Some(TopicPattern::new("done.*").unwrap()),
                missed: Missed::All,
                ..trigger(Schedule::Cron("0 9 * * 1".into()), inform.clone())
            },
            state: TriggerState {
                next_at: Some(Timestamp(9)),
                firing: Some(Firing {
                    at: Timestamp(7),
                    refused: 1,
                    again_at: Some(Timestamp(10)),
                }),
                fired: 2,
                last_fired: Some(Timestamp(6)),
                passed_over: 4,
                last_problem: Some(problem),
                looked_until: Some(Timestamp(5)),
                ..TriggerState::default()
            },
        },
        TriggerRecord {
            trigger: Trigger {
                missed: Missed::Skip,
                ..trigger(
                    Schedule::Rrule("DTSTART:20270101T090000 RRULE:FREQ=WEEKLY".into()),
                    inform,
                )
            },
            state: TriggerState {
                ended: Some((Timestamp(9), TriggerEnd::Cancelled { by: actor })),
                ..TriggerState::default()
            },
        },
    ]
}

const TRIGGER: TriggerId = TriggerId::from_bits(0x0190_0000_0000_0000_0000_0000_0000_0003);

/// One trigger a line, as it is kept; and its id.
pub(crate) fn trigger_records() -> String {
    let mut lines: Vec<String> = triggers()
        .iter()
        .map(|record| serde_json::to_string(record).unwrap())
        .collect();
    lines.push(TRIGGER.to_string());
    lines.join("\n") + "\n"
}

/// One that was made with an access key which is not valid any more.
pub(crate) fn trigger_on_hold() -> String {
    let [mut record, ..] = triggers();
    record.trigger.made_with = Some("0123456789ab".into());
    record.state.held = Some(TriggerProblem {
        at: Timestamp(8),
        code: "ADJ-6173".into(),
        message: "revoked".into(),
    });
    serde_json::to_string(&record).unwrap() + "\n"
}

pub(crate) fn check_triggers_read_back(text: &str) {
    let read = text.lines().take(3).map(|line| {
        let record: TriggerRecord = serde_json::from_str(line).unwrap();
        record
    });
    assert_eq!(read.collect::<Vec<_>>(), triggers());
}

fn session() -> AgentSession {
    AgentSession {
        run: AgentRun {
            agent: agent("writer"),
            level: AgentLevel::L3,
            mission: MISSION,
            number: 2,
        },
        number: 1,
    }
}

const EFFECT: EffectId = EffectId {
    mission: MISSION,
    number: EffectNumber::new(12),
};

const CHECKPOINT: CheckpointId = CheckpointId {
    mission: MISSION,
    number: CheckpointNumber::new(3),
};

fn artifact() -> ArtifactAddress {
    ArtifactAddress {
        mission: MISSION,
        name: key("report"),
    }
}

/// One record or id a line, as it is written.
pub(crate) fn records() -> String {
    let mut lines = vec![serde_json::to_string(&session()).unwrap()];
    lines.push(artifact().to_string());
    lines.push(MISSION.to_string());
    lines.push(COMMAND.to_string());
    lines.push(EFFECT.to_string());
    lines.push(CHECKPOINT.to_string());
    lines.push(MissionId::from_bits(u128::MAX).to_string());
    lines.push(MissionId::from_parts(1, 2).to_string());
    lines.join("\n") + "\n"
}

pub(crate) fn check_records_read_back() {
    let text = serde_json::to_string(&session()).unwrap();
    assert_eq!(
        serde_json::from_str::<AgentSession>(&text).unwrap(),
        session()
    );
    assert_eq!(
        artifact().to_string().parse::<ArtifactAddress>().unwrap(),
        artifact()
    );
    assert_eq!(MISSION.to_string().parse::<MissionId>().unwrap(), MISSION);
    assert_eq!(COMMAND.to_string().parse::<CommandId>().unwrap(), COMMAND);
    assert_eq!(EFFECT.to_string().parse::<EffectId>().unwrap(), EFFECT);
    assert_eq!(
        CHECKPOINT.to_string().parse::<CheckpointId>().unwrap(),
        CHECKPOINT
    );
    let overlong = "msn_zzzzzzzzzzzzzzzzzzzzzzzzzz";
    assert!(overlong.parse::<MissionId>().is_err(), "more than 128 bits");
}

/// A small mission as a host would have recorded it: a failure, a retry, a question, a review.
pub(crate) fn transcript() -> (String, String) {
    let human = Human {
        question: "Keep {{fetch.output.title}}?".into(),
        kind: CheckpointType::CriticalDecision,
        options: vec![choice("yes"), choice("no")],
        recommend: None,
        on_modify: None,
        because: String::new(),
        role: None,
        approvers: None,
        deadline: None,
    };
    let plan = Plan::new(
        "Transcript",
        vec![
            Task::new(key("fetch"), WorkSpec::Tool(call("http_get"))),
            Task::new(key("ask"), WorkSpec::Human(human)).after([key("fetch")]),
            Task::new(key("send"), WorkSpec::Tool(call("send_mail"))).after([key("ask")]),
        ],
    );
    let Event::MissionOpened(opened) =
        opened(plan, Scope::of(TenantId::new("acme").unwrap()), Vec::new())
    else {
        panic!("an opening");
    };
    let start = Start {
        mission: opened.mission,
        scope: opened.scope,
        plan: opened.plan,
        tools: opened.tools,
        approvals: Vec::new(),
        parent: None,
        began_by: Vec::new(),
    };
    let ann = Actor::human(agent("ann"));
    let mut now = Timestamp(1_700_000_000_000);
    let mut driver = Driver::open(now, &ann, COMMAND, start).unwrap();
    let mut journal = Vec::new();
    let mut commands = 100;
    let mut act = |driver: &mut Driver, wait: u64, input: Option<Input>| {
        now = now.plus(Millis(wait));
        driver.proceed(now);
        if let Some(input) = input {
            driver.input(now, &input).unwrap();
        }
        loop {
            journal.extend_from_slice(driver.unsaved());
            driver.saved();
            driver.take_effects(now);
            if driver.unsaved().is_empty() {
                break;
            }
        }
    };
    let mut decide = |checkpoint, option: Option<&str>| {
        commands += 1;
        let decision = Decision {
            option: option.map(samples::option),
            ..Decision::new(Verdict::Approve)
        };
        Some(Input::Command {
            id: CommandId::from_bits(commands),
            by: ann.clone(),
            command: Command::Decide {
                checkpoint: CheckpointNumber::new(checkpoint),
                decision,
            },
        })
    };
    let outcome = |effect, outcome| {
        let effect = EffectNumber::new(effect);
        Some(Input::Outcome { effect, outcome })
    };
    let done = || Outcome::done(inline(), usage());
    let busy = Outcome::Failed {
        failure: failure(FailureKind::Temporary),
        usage: Usage::NONE,
    };
    act(&mut driver, 0, None);
    act(&mut driver, 10, decide(0, None));
    act(&mut driver, 10, outcome(0, busy));
    act(&mut driver, 1_000, None);
    act(&mut driver, 10, outcome(1, done()));
    act(&mut driver, 10, decide(1, Some("yes")));
    act(&mut driver, 10, outcome(2, done()));
    act(&mut driver, 10, decide(2, None));
    let line = |recorded: &Recorded| String::from_utf8(recorded.encode().unwrap()).unwrap() + "\n";
    let passport = driver.mission().passport().unwrap();
    (
        journal.iter().map(line).collect(),
        String::from_utf8(passport).unwrap(),
    )
}
