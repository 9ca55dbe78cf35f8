//! Who works on a scene's plan: agents that start one another, and how some of them reason.

use adjutant_mission::{
    AgentId, AgentLevel, AgentSpec, EffectClass, IdError, MicroUsd, Millis, Pattern, Plan, Ppm,
    Reasoning, ToolFacts, ToolId, ToolTable, WorkSpec,
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

/// Lets some agents think their way to their answers. Only workers have tools for it.
pub(super) fn let_agents_think(plan: &mut Plan, random: &mut Random) -> Result<(), IdError> {
    for task in &mut plan.tasks {
        let WorkSpec::Agent(work) = &mut task.work else {
            continue;
        };
        if !random.percent(30) {
            continue;
        }
        let mut patterns: Vec<Pattern> = Vec::new();
        for _ in 0..random.between(1, 2) {
            patterns.extend(random.pick(&Pattern::ALL));
        }
        let mut tools = Vec::new();
        if work.level == AgentLevel::L4 && random.percent(80) {
            // Of all patterns only this one calls anything.
            patterns[0] = match random.percent(60) {
                true => Pattern::React,
                false => patterns[0],
            };
            for _ in 0..random.between(1, 3) {
                let (tool, ..) = TOOLS[random.below(TOOLS.len() as u64) as usize];
                let tool = ToolId::new(tool)?;
                if !tools.contains(&tool) {
                    tools.push(tool);
                }
            }
        }
        let thresholds = [500_000, 700_000, 700_000, 900_000];
        work.reasoning = Some(Box::new(Reasoning {
            patterns,
            max_iterations: random.between(1, 3) as u16,
            confidence_threshold: Ppm(thresholds[random.below(4) as usize]),
            tools,
        }));
    }
    Ok(())
}
