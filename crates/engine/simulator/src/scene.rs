//! What a seed stands for: a plan with its tools and waivers, and the temper of the world it runs in.
//! Makes them; running them happens elsewhere.

mod agents;
mod provenance;

use adjutant_mission::{
    Account, AccountCaps, AccountOwner, AgentId, AgentLevel, AgentWork, Approval, ApprovalSource,
    Autonomy, Balance, Barrier, Caps, CheckpointType, ChoiceOption, Complexity, Dependency,
    DependencyKind, EffectClass, Gate, GateRule, GateVerdict, Human, IdError, Json, MicroUsd,
    Millis, MissionId, OnFailure, OnSoftCap, OptionKey, Plan, PurposeId, ReplanTrigger, Resource,
    ResourceKey, Retry, Role, Sandbox, Scope, SoftCaps, Start, Strategy, SubMission, Task, TaskKey,
    TenantId, ToolCall, ToolFacts, ToolId, ToolTable, Undo, Waivers, Window, WorkSpec,
};

use crate::random::Random;
use agents::{Thoughts, hire, let_agents_think};
use provenance::let_text_in;

/// The longest plan a seed makes.
const TASKS_MAX: u64 = 25;

/// How kind the world is in this run. Chances are per thousand or percent, as the name says.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Temper {
    pub(crate) crash_per_mille: u64,
    pub(crate) append_fails_per_mille: u64,
    pub(crate) failure_percent: u64,
    pub(crate) deferral_percent: u64,
    pub(crate) repeat_percent: u64,
    pub(crate) slow_percent: u64,
    pub(crate) silence_percent: u64,
    pub(crate) reject_percent: u64,
    pub(crate) meddling_percent: u64,
    /// Performers report more tokens than were reserved. They do not count.
    pub(crate) uses_tokens: bool,
    /// After this many steps the faults cease, everyone answers, and the mission has to end.
    pub(crate) calm_after_steps: u64,
}

impl Temper {
    pub(crate) fn of(seed: u64) -> Self {
        let mut random = Random::new(seed, 1);
        let rough = random.percent(60);
        let or = |when: bool, value: u64| if when { value } else { 0 };
        Self {
            crash_per_mille: or(rough, random.between(5, 60)),
            append_fails_per_mille: or(rough, random.between(0, 30)),
            failure_percent: [0, 8, 20, 50][random.below(4) as usize],
            deferral_percent: [0, 5, 25][random.below(3) as usize],
            repeat_percent: [0, 10, 40][random.below(3) as usize],
            slow_percent: [0, 10, 30][random.below(3) as usize],
            silence_percent: [0, 4, 25][random.below(3) as usize],
            reject_percent: [0, 4, 25][random.below(3) as usize],
            meddling_percent: [0, 8, 35][random.below(3) as usize],
            uses_tokens: random.percent(15),
            calm_after_steps: random.between(30, 220),
        }
    }

    /// The same world without crashes and failed appends, for runs that choose their own crash.
    pub(crate) fn more_failures(self) -> Self {
        Self {
            failure_percent: self.failure_percent.max(60),
            ..self
        }
    }

    pub(crate) fn without_crashes(self) -> Self {
        Self {
            crash_per_mille: 0,
            append_fails_per_mille: 0,
            ..self
        }
    }
}

/// The mission of a seed, ready to be opened. Its plan is valid.
pub(crate) fn start_of(seed: u64) -> Result<Start, IdError> {
    let mut random = Random::new(seed, 2);
    let mut tools = tools()?;
    let mut plan = plan(&mut random)?;
    let_agents_do(&mut plan, &mut Random::new(seed, 17), AGENTS_PERCENT)?;
    let thoughts = Thoughts::of(seed);
    if thoughts == Thoughts::Many {
        let_agents_do(&mut plan, &mut Random::new(seed, 53), THINKERS_PERCENT)?;
    }
    hire(&mut plan, &mut tools, &mut Random::new(seed, 43))?;
    let_agents_think(&mut plan, thoughts, &mut Random::new(seed, 47))?;
    let_text_in(&mut plan, &mut tools, &mut Random::new(seed, 41));
    mend_gates(&mut plan, &tools);
    soften(&mut plan, &mut Random::new(seed, 11));
    if Random::new(seed, 13).percent(40) {
        plan.replan.on = ReplanTrigger::ALL.into();
    }
    let approvals = approvals(&mut random)?;
    Ok(Start {
        mission: MissionId::from_bits(u128::from(seed) + 1),
        scope: Scope::of(TenantId::new("acme")?),
        plan,
        tools,
        approvals,
        parent: None,
        began_by: Vec::new(),
    })
}

/// How many calls become questions to models.
const AGENTS_PERCENT: u64 = 25;
/// And how many of the rest, where much is thought through.
const THINKERS_PERCENT: u64 = 50;

/// Makes questions to models out of some calls.
fn let_agents_do(plan: &mut Plan, random: &mut Random, percent: u64) -> Result<(), IdError> {
    for task in &mut plan.tasks {
        let WorkSpec::Tool(call) = &task.work else {
            continue;
        };
        if task.approval == Approval::Always || !random.percent(percent) {
            continue;
        }
        let level = [AgentLevel::L3, AgentLevel::L4][random.below(2) as usize];
        task.work = WorkSpec::Agent(Box::new(AgentWork {
            level,
            purpose: PurposeId::new("extract")?,
            with: call.with.clone(),
            domain: None,
            complexity: Complexity::default(),
            model: None,
            reasoning: None,
        }));
        task.undo = None;
    }
    Ok(())
}

/// Ways that questions to models take.
const ROUTES: [(&str, EffectClass, u64); 2] = [
    ("ask:L3", EffectClass::Paid, 600),
    ("ask:L4", EffectClass::Paid, 120),
];

const TOOLS: [(&str, EffectClass, u64); 6] = [
    ("look", EffectClass::Pure, 0),
    ("read", EffectClass::Pure, 100),
    ("file", EffectClass::Idempotent, 0),
    ("book", EffectClass::Idempotent, 250),
    ("send", EffectClass::Once, 0),
    ("pay", EffectClass::Once, 1_000),
];

fn tools() -> Result<ToolTable, IdError> {
    TOOLS
        .iter()
        .chain(&ROUTES)
        .map(|&(name, class, price)| {
            Ok((
                ToolId::new(name)?,
                ToolFacts {
                    class,
                    price: MicroUsd(price),
                    tokens: price / 5,
                    time_limit: Millis::seconds(30),
                    provenance: None,
                },
            ))
        })
        .collect()
}

fn approvals(random: &mut Random) -> Result<Vec<ApprovalSource>, IdError> {
    let by = AgentId::new("ann")?;
    let waiver = |types| ApprovalSource::Waiver {
        by: by.clone(),
        types,
    };
    let earned = ApprovalSource::EarnedLevel {
        agent: AgentId::new("robot")?,
        level: 5,
    };
    Ok(match random.below(4) {
        0 => vec![waiver(Waivers::all())],
        1 => {
            let mut types = Waivers::all();
            types.0.retain(|_| random.percent(50));
            vec![earned, waiver(types)]
        }
        2 => vec![earned],
        _ => Vec::new(),
    })
}

/// How the tasks hang together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// One after the other, each when the one before has finished: where gates can return.
    Chain,
    /// One after the other, by any kind of dependency.
    MixedChain,
    Web,
}

fn plan(random: &mut Random) -> Result<Plan, IdError> {
    let count = match random.below(10) {
        0..=4 => random.between(1, 6),
        5..=8 => random.between(5, 12),
        _ => random.between(12, TASKS_MAX),
    };
    let shape = [Shape::Chain, Shape::MixedChain, Shape::Web, Shape::Web][random.below(4) as usize];
    let mut tasks = Vec::new();
    for number in 0..count {
        tasks.push(task(random, number, shape)?);
    }
    random.shuffle(&mut tasks);
    let strategies = [
        Strategy::Sequential,
        Strategy::ContinueOnBlock,
        Strategy::ParallelSafe,
    ];
    let barriers = [Barrier::None, Barrier::None, Barrier::Wait, Barrier::Ask];
    let autonomies = [Autonomy::Strict, Autonomy::Balanced, Autonomy::Permissive];
    Ok(Plan {
        strategy: strategies[random.below(3) as usize],
        concurrency: random.between(1, 5) as u16,
        barrier: barriers[random.below(4) as usize],
        skips_max: random.below(4) as u16,
        on_failure: [OnFailure::Ask, OnFailure::GiveUp][random.below(2) as usize],
        autonomy: autonomies[random.below(3) as usize],
        checkpoint_deadline: Millis::seconds(random.between(60, 4_000)),
        caps: caps(random, 5),
        inputs: Json::parse(r#"{"year":2031}"#).ok(),
        ..Plan::new("simulated", tasks)
    })
}

/// Limits of every kind, each present with a small chance; tight enough to be reached.
fn caps(random: &mut Random, scale: u64) -> Caps {
    let mut maybe = |chance: u64, least: u64, most: u64| {
        let value = random.between(least, most);
        random.percent(chance).then_some(value)
    };
    Caps {
        money: maybe(18, 0, 900 * scale).map(MicroUsd),
        tokens: maybe(18, 0, 60 * scale),
        turns: maybe(15, 1, 4 * scale),
        wall_time: maybe(12, 2_000, 60_000 * scale).map(Millis),
    }
}

/// Marks below the caps, here and there.
fn soften(plan: &mut Plan, random: &mut Random) {
    if random.percent(30) {
        plan.soft_caps = soft_caps(random, 3);
        plan.on_soft_cap = [OnSoftCap::Ask, OnSoftCap::Degrade][random.below(2) as usize];
    }
    for task in &mut plan.tasks {
        if random.percent(10) {
            task.soft_caps = soft_caps(random, 1);
        }
    }
}

fn soft_caps(random: &mut Random, scale: u64) -> SoftCaps {
    let mut maybe = |chance: u64, most: u64| {
        let value = random.below(most);
        random.percent(chance).then_some(value)
    };
    SoftCaps {
        money: maybe(30, 900 * scale).map(MicroUsd),
        tokens: None,
        turns: maybe(30, 4 * scale),
        wall_time: maybe(20, 60_000 * scale).map(Millis),
        money_per_turn: maybe(20, 1_000).map(MicroUsd),
        tokens_per_turn: None,
    }
}

/// What the tenant and its campaign may still spend when the mission begins.
pub(crate) fn accounts_of(seed: u64) -> Vec<(AccountOwner, Window, Account)> {
    let mut random = Random::new(seed, 12);
    let mut accounts = Vec::new();
    for window in Window::ALL {
        if !random.percent(30) {
            continue;
        }
        let (spent, left) = (random.below(5_000), random.below(4_000));
        let mut caps = AccountCaps::default();
        caps.hard.insert(Resource::Money, spent + left);
        if random.percent(40) {
            caps.hard.insert(Resource::Calls, random.between(2, 40));
        }
        if random.percent(50) {
            caps.soft
                .insert(Resource::Money, spent + random.below(left + 1));
        }
        let mut balance = Balance::default();
        balance.used.money = MicroUsd(spent);
        accounts.push((AccountOwner::Tenant, window, Account { caps, balance }));
    }
    accounts
}

fn key(number: u64) -> Result<TaskKey, IdError> {
    TaskKey::new(format!("t{number}"))
}

fn task(random: &mut Random, number: u64, shape: Shape) -> Result<Task, IdError> {
    let after = dependencies(random, number, shape)?;
    let finished: Vec<&TaskKey> = after
        .iter()
        .filter(|on| on.kind == DependencyKind::FinishToStart)
        .map(|on| &on.task)
        .collect();
    let reference = random
        .pick(&finished)
        .map(|on| format!("{{{{{on}.output}}}}"));
    let kind = if number == 0 {
        random.below(80)
    } else {
        random.below(100)
    };
    let work = match kind {
        0..58 => WorkSpec::Tool(call(random, reference.as_deref())?),
        58..65 => WorkSpec::Mission(Box::new(sub_mission(random, reference.as_deref())?)),
        65..80 => WorkSpec::Human(human(random, reference.as_deref())?),
        _ => WorkSpec::Gate(gate(random, number, &finished)?),
    };
    let is_tool = matches!(work, WorkSpec::Tool(_));
    let mut resources = Vec::new();
    for name in ["desk", "lab"] {
        if random.percent(15) {
            resources.push(ResourceKey::new(name)?);
        }
    }
    let alternative = if is_tool && random.percent(25) {
        Some(call(random, None)?)
    } else {
        None
    };
    let undo = if is_tool && random.percent(40) {
        let ToolCall { tool, .. } = call(random, None)?;
        let with = Json::parse(&format!(r#"{{"of":"{{{{t{number}.output}}}}"}}"#));
        let retry = Retry {
            attempts: random.between(1, 3) as u16,
            backoff: Millis(random.below(3_000)),
            ..Retry::default()
        };
        with.ok().map(|with| Undo { tool, with, retry })
    } else {
        None
    };
    let approval = if is_tool && random.percent(12) {
        Approval::Always
    } else {
        Approval::ByAutonomy
    };
    Ok(Task {
        after,
        alternative,
        undo,
        approval,
        resources,
        retry: Retry {
            attempts: random.between(1, 3) as u16,
            backoff: Millis(random.below(3_000)),
            factor: random.below(3) as u16,
            backoff_max: Millis(5_000),
        },
        caps: caps(random, 1),
        priority: random.below(3) as i16 - 1,
        ..Task::new(key(number)?, work)
    })
}

/// Carried out elsewhere: to this mission it is an effect that takes its time.
fn sub_mission(random: &mut Random, reference: Option<&str>) -> Result<SubMission, IdError> {
    let mut plan = Plan::new(
        "inner",
        vec![Task::new(key(0)?, WorkSpec::Tool(call(random, None)?))],
    );
    plan.caps.money = random.percent(60).then(|| MicroUsd(random.below(1_500)));
    let with = reference.map(|reference| format!(r#"{{"what":"{reference}"}}"#));
    Ok(SubMission {
        plan,
        with: with.and_then(|with| Json::parse(&with).ok()),
        sandbox: [Sandbox::Light, Sandbox::Standard][random.below(2) as usize],
    })
}

fn dependencies(
    random: &mut Random,
    number: u64,
    shape: Shape,
) -> Result<Vec<Dependency>, IdError> {
    let wanted = match number {
        0 => 0,
        _ if shape != Shape::Web => 1,
        _ => random.below(4).min(number),
    };
    let mut earlier: Vec<u64> = (0..number).collect();
    random.shuffle(&mut earlier);
    if shape != Shape::Web {
        earlier = vec![number.saturating_sub(1)];
    }
    let kinds = [
        DependencyKind::FinishToStart,
        DependencyKind::StartToStart,
        DependencyKind::FinishToFinish,
        DependencyKind::StartToFinish,
    ];
    earlier
        .into_iter()
        .take(wanted as usize)
        .map(|on| {
            let plain = shape == Shape::Chain || random.percent(60);
            let kind = if plain { 0 } else { random.below(4) as usize };
            let lag = if random.percent(20) {
                random.below(20_000)
            } else {
                0
            };
            Ok(Dependency {
                task: key(on)?,
                kind: kinds[kind],
                lag: Millis(lag),
            })
        })
        .collect()
}

fn call(random: &mut Random, reference: Option<&str>) -> Result<ToolCall, IdError> {
    let (tool, _, _) = TOOLS[random.below(TOOLS.len() as u64) as usize];
    let with = match reference {
        Some(reference) if random.percent(40) => format!(r#"{{"from":"{reference}"}}"#),
        _ => String::from(r#"{"year":"{{inputs.year}}"}"#),
    };
    Ok(ToolCall {
        tool: ToolId::new(tool)?,
        with: Json::parse(&with).unwrap_or_else(|_| Json::null()),
    })
}

fn human(random: &mut Random, reference: Option<&str>) -> Result<Human, IdError> {
    let mut options = Vec::new();
    for name in ["left", "right", "neither"] {
        if random.percent(50) {
            options.push(ChoiceOption {
                key: OptionKey::new(name)?,
                label: name.into(),
                description: String::new(),
                pros: Vec::new(),
                cons: Vec::new(),
                cost: None,
                time: None,
                risk: None,
            });
        }
    }
    let recommend = random
        .pick(&options)
        .map(|option| option.key.clone())
        .filter(|_| random.percent(60));
    let kinds = [
        CheckpointType::CriticalDecision,
        CheckpointType::CriticalDecision,
        CheckpointType::SubagentApproval,
        CheckpointType::FinalReview,
    ];
    let role = if random.percent(25) {
        Some(Role::new("finance")?)
    } else {
        None
    };
    Ok(Human {
        question: format!("Which way, given {}?", reference.unwrap_or("nothing")),
        kind: kinds[random.below(4) as usize],
        options,
        recommend,
        on_modify: None,
        because: "it is nearer".into(),
        role,
        approvers: None,
        deadline: random
            .percent(30)
            .then(|| Millis::seconds(random.between(5, 600))),
    })
}

fn gate(random: &mut Random, number: u64, before: &[&TaskKey]) -> Result<Gate, IdError> {
    let verdicts = [
        GateVerdict::Repairable,
        GateVerdict::Fatal,
        GateVerdict::Infeasible,
    ];
    let near = random.pick(before).map(|on| (*on).clone());
    let return_to = match near {
        Some(near) if random.percent(60) => Some(near),
        _ if number > 0 && random.percent(70) => Some(key(random.below(number))?),
        _ => None,
    };
    let rules = verdicts
        .into_iter()
        .filter(|verdict| return_to.is_some() || *verdict != GateVerdict::Repairable)
        .map(|verdict| GateRule {
            when: "true".into(),
            verdict,
            because: String::new(),
        })
        .collect();
    Ok(Gate {
        rules,
        return_to,
        returns_max: random.below(4) as u16,
    })
}

/// A gate whose return the validator refuses keeps its other rules.
fn mend_gates(plan: &mut Plan, tools: &ToolTable) {
    let problems = plan.problems(tools);
    for (at, task) in plan.tasks.iter_mut().enumerate() {
        let place = format!("tasks[{at}].gate");
        if let WorkSpec::Gate(gate) = &mut task.work
            && problems
                .iter()
                .any(|problem| problem.place.starts_with(&place))
        {
            gate.return_to = None;
            gate.rules
                .retain(|rule| rule.verdict != GateVerdict::Repairable);
        }
    }
}
