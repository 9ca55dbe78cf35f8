use adjutant_mission::{
    CheckpointNumber, EffectId, EffectNumber, LOGIC_VERSION, LayerNumber, Opened, Parent,
    PlanPatch, Sandbox, Scope, TenantId, Timestamp, ToolCall, ToolFacts, Zone,
};
use adjutant_mission::{Json, MicroUsd, Millis, Plan};

use super::*;

fn name(text: &str) -> AgentId {
    AgentId::new(text).unwrap()
}

fn of_program() -> ProgramMakers {
    ProgramMakers([name("program:coder"), name("ann")].into())
}

fn patched() -> Decision {
    Decision {
        patch: Some(Box::new(PlanPatch::default())),
        ..Decision::new(Verdict::Approve)
    }
}

#[test]
fn only_a_no_and_passing_a_layer_are_taken_from_whoever_may_be_the_program() {
    let plan = Asks::ApprovePlan;
    let layer = Asks::PassLayer {
        layer: LayerNumber::FIRST,
    };
    let yes = || Decision::new(Verdict::Approve);
    let modify = || Decision::new(Verdict::Modify);
    let no = || Decision::new(Verdict::Reject);
    for (who, way, asks, decision, taken) in [
        ("ann", AnswerWay::Token, &plan, yes(), false),
        ("ann", AnswerWay::Token, &plan, modify(), false),
        ("ann", AnswerWay::Token, &plan, no(), true),
        ("ann", AnswerWay::Token, &Asks::ReviewResult, yes(), false),
        ("ann", AnswerWay::Token, &layer, yes(), true),
        ("ann", AnswerWay::Token, &layer, modify(), false),
        ("ann", AnswerWay::Token, &layer, patched(), false),
        ("ann", AnswerWay::Mail, &plan, yes(), true),
        ("program:coder", AnswerWay::Token, &plan, yes(), false),
        ("bea", AnswerWay::Token, &plan, yes(), true),
    ] {
        let answered = may_answer(&of_program(), &name(who), way, asks, &decision);
        assert_eq!(
            answered.is_ok(),
            taken,
            "{who} {way:?} {asks:?} {decision:?}"
        );
        let people = ProgramMakers::default();
        assert!(may_answer(&people, &name(who), way, asks, &decision).is_ok());
    }
}

#[test]
fn a_plan_that_a_program_made_is_changed_where_people_see_it() {
    let replan = Command::Replan {
        patch: Box::default(),
        why: String::new(),
    };
    let refused = may_command(&of_program(), &name("ann"), &replan).unwrap_err();
    assert!(refused.has_code("ADJ-6237"));
    assert!(may_command(&of_program(), &name("bea"), &replan).is_ok());
    assert!(may_command(&ProgramMakers::default(), &name("ann"), &replan).is_ok());
    let number = CheckpointNumber::new(0);
    for command in [
        Command::Resume,
        Command::Continue,
        Command::Release { checkpoint: number },
    ] {
        assert!(may_command(&of_program(), &name("ann"), &command).is_ok());
    }
}

fn opened(actor: Option<Actor>, plan: Plan, tools: ToolTable) -> Recorded {
    let opened = Opened {
        mission: MissionId::from_bits(7),
        scope: Scope::of(TenantId::new("acme").unwrap()),
        logic: LOGIC_VERSION,
        plan,
        tools,
        approvals: Vec::new(),
        parent: None,
        began_by: Vec::new(),
    };
    recorded(1, actor, Event::MissionOpened(Box::new(opened)))
}

fn recorded(seq: u64, actor: Option<Actor>, event: Event) -> Recorded {
    Recorded {
        seq,
        at: Timestamp(1_790_000_000_000),
        actor,
        cause: None,
        zone: Zone::Platform,
        event,
    }
}

fn part(parent: Option<Parent>, began_by: Vec<AgentId>) -> Recorded {
    let plan = Plan::new("Part", Vec::new());
    let mut first = opened(Some(Actor::host(None)), plan, ToolTable::new());
    if let Event::MissionOpened(opened) = &mut first.event {
        opened.parent = parent;
        opened.began_by = began_by;
    }
    first
}

#[test]
fn who_began_a_mission_is_looked_up_to_the_top() {
    let plan = || Plan::new("Lamp", Vec::new());
    let program = Actor {
        kind: ActorKind::Agent,
        id: name("program:coder"),
        role: None,
        on_behalf_of: Some(name("ann")),
    };
    let began = opened(Some(program), plan(), ToolTable::new());
    assert_eq!(beginning(&began), Beginning::Program(of_program().0));
    let person = opened(Some(Actor::human(name("ann"))), plan(), ToolTable::new());
    assert_eq!(beginning(&person), Beginning::Person);
    let triggered = part(None, Vec::new());
    assert_eq!(beginning(&triggered), Beginning::Person);
    let effect = EffectId {
        mission: MissionId::from_bits(3),
        number: EffectNumber::FIRST,
    };
    let parent = Parent {
        effect,
        depth: 1,
        sandbox: Sandbox::Light,
    };
    let below = part(Some(parent), vec![name("ann")]);
    assert_eq!(beginning(&below), Beginning::Above(effect.mission));
    // A fork of a part answers to nobody above, and keeps who began what was above.
    let forked = part(None, vec![name("ann")]);
    assert_eq!(
        beginning(&forked),
        Beginning::ForkOfPart([name("ann")].into())
    );
}

/// A mission of one call, whose plan was approved.
fn approved(class: EffectClass, approval: Approval) -> Mission {
    let tool = ToolId::new("lamp").unwrap();
    let facts = ToolFacts {
        class,
        price: MicroUsd(0),
        tokens: 0,
        time_limit: Millis(0),
        provenance: None,
    };
    let call = ToolCall {
        tool: tool.clone(),
        with: Json::parse("{}").unwrap(),
    };
    let mut task = Task::new(TaskKey::new("light").unwrap(), WorkSpec::Tool(call));
    task.approval = approval;
    let actor = Some(Actor::human(name("ann")));
    let first = opened(actor, Plan::new("Lamp", vec![task]), [(tool, facts)].into());
    let mut mission = Mission::begin(&first).unwrap();
    assert_eq!(
        change_approved_before(&mission),
        None,
        "nothing is approved"
    );
    let started = recorded(2, None, Event::ExecutionStarted {});
    mission.apply(&started).unwrap();
    mission
}

#[test]
fn a_fork_repeats_what_may_be_repeated_and_changes_something() {
    for (class, approval, repeated) in [
        (EffectClass::Pure, Approval::ByAutonomy, false),
        (EffectClass::Paid, Approval::ByAutonomy, false),
        (EffectClass::Idempotent, Approval::ByAutonomy, true),
        // These are asked about again.
        (EffectClass::Idempotent, Approval::Always, false),
        (EffectClass::Once, Approval::ByAutonomy, false),
    ] {
        let found = change_approved_before(&approved(class, approval));
        assert_eq!(found.is_some(), repeated, "{class:?} {approval:?}");
    }
}
