//! Who works on a scene's plan: agents that start one another, and how some of them reason.

use adjutant_mission::{
    AgentId, AgentLevel, AgentSpec, Caps, EffectClass, IdError, MicroUsd, Millis, Pattern, Plan,
    Ppm, Reasoning, ToolFacts, ToolId, ToolTable, WorkSpec,
};

use super::TOOLS;
use crate::random::Random;

/// The way that questions of an expert take. Only a plan with a staff has one.
pub(super) const EXPERT_ROUTE: &str = "ask:L2";
const EXPERT_PRICE: u64 = 900;

/// Who there is, of which level, and who starts whom.
const STAFF: [(&str, AgentLevel, Option<&str>); 4] = [
    ("lead", AgentLevel::L2, None),
    ("expert", AgentLevel::L3, Some("lead")),
    ("worker", AgentLevel::L4, Some("expert")),
    ("aide", AgentLevel::L4, Some("lead")),
];

/// Gives some plans a staff, with lifetimes that are sometimes too short for the work.
pub(super) fn hire(
    plan: &mut Plan,
    tools: &mut ToolTable,
    random: &mut Random,
) -> Result<(), IdError> {
    if !random.percent(45) {
        return Ok(());
    }
    for (name, level, by) in STAFF {
        let lifetime = random.between(20, 1_200);
        plan.agents.push(AgentSpec {
            id: AgentId::new(name)?,
            level,
            name: name.into(),
            started_by: by.map(AgentId::new).transpose()?,
            tokens_lifetime: random.percent(35).then_some(lifetime),
        });
    }
    let facts = ToolFacts {
        class: EffectClass::Paid,
        price: MicroUsd(EXPERT_PRICE),
        tokens: EXPERT_PRICE / 5,
        time_limit: Millis::seconds(30),
        provenance: None,
    };
    tools.insert(ToolId::new(EXPERT_ROUTE)?, facts);
    for task in &mut plan.tasks {
        let workers = ["worker", "aide"];
        let worker = workers[random.below(2) as usize];
        let name = match &mut task.work {
            WorkSpec::Agent(work) => {
                if random.percent(15) {
                    work.level = AgentLevel::L2;
                }
                match work.level {
                    AgentLevel::L2 => "lead",
                    AgentLevel::L3 => "expert",
                    _ => worker,
                }
            }
            WorkSpec::Tool(_) if random.percent(30) => worker,
            _ => continue,
        };
        if random.percent(85) {
            task.by = Some(AgentId::new(name)?);
        }
    }
    Ok(())
}

/// How much of a plan is thought through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Thoughts {
    /// Here and there, under all the caps that end most of it early.
    Few,
    /// Much of it, and hardly a cap keeps anybody from concluding.
    Many,
}

impl Thoughts {
    pub(super) fn of(seed: u64) -> Self {
        match Random::new(seed, 59).percent(35) {
            true => Self::Many,
            false => Self::Few,
        }
    }

    fn percent(self) -> u64 {
        match self {
            Self::Few => 30,
            Self::Many => 75,
        }
    }
}

/// Reasonings in one plan: each is many steps.
const THINKERS_MAX: usize = 3;

/// Lets some agents think their way to their answers. Only workers have tools for it.
pub(super) fn let_agents_think(
    plan: &mut Plan,
    thoughts: Thoughts,
    random: &mut Random,
) -> Result<(), IdError> {
    if thoughts == Thoughts::Many {
        plan.caps = Caps::default();
    }
    let mut thinkers = 0;
    for task in &mut plan.tasks {
        let WorkSpec::Agent(work) = &mut task.work else {
            continue;
        };
        if thinkers == THINKERS_MAX || !random.percent(thoughts.percent()) {
            continue;
        }
        thinkers += 1;
        if thoughts == Thoughts::Many {
            task.caps = Caps::default();
        }
        work.reasoning = Some(Box::new(reasoning(work.level, random)?));
    }
    Ok(())
}

fn reasoning(level: AgentLevel, random: &mut Random) -> Result<Reasoning, IdError> {
    let mut patterns = Vec::new();
    for _ in 0..=u64::from(random.percent(20)) {
        patterns.push(Pattern::ALL[random.below(Pattern::ALL.len() as u64) as usize]);
    }
    let mut tools = Vec::new();
    if level == AgentLevel::L4 && random.percent(80) {
        // Of all patterns only this one calls anything.
        if random.percent(70) {
            patterns[0] = Pattern::React;
        }
        for _ in 0..random.between(1, 3) {
            // The last of them may happen only once, and are what most depends on.
            let from = if random.percent(40) { 4 } else { 0 };
            let (tool, ..) = TOOLS[random.between(from, TOOLS.len() as u64 - 1) as usize];
            let tool = ToolId::new(tool)?;
            if !tools.contains(&tool) {
                tools.push(tool);
            }
        }
    }
    let thresholds = [500_000, 700_000, 700_000, 900_000];
    Ok(Reasoning {
        patterns,
        max_iterations: 1 + random.below(5) as u16 / 2,
        confidence_threshold: Ppm(thresholds[random.below(4) as usize]),
        tools,
    })
}
