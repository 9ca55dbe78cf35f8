//! Whose text the tools of a scene give, and more ways for it to flow.

use adjutant_mission::{DependencyKind, Json, Plan, Provenance, ToolTable};

use super::ROUTES;
use super::agents::EXPERT_ROUTE;
use crate::random::Random;

/// Says of tools whose text they give, and lets alternatives refer to what came before. Some tables say nothing: they
/// are from before that was known.
pub(super) fn let_text_in(plan: &mut Plan, tools: &mut ToolTable, random: &mut Random) {
    if random.percent(30) {
        return;
    }
    for (tool, facts) in tools {
        let mut routes = ROUTES.iter().map(|(route, ..)| *route);
        let is_route = tool.as_str() == EXPERT_ROUTE || routes.any(|route| tool.as_str() == route);
        facts.provenance = Some(match !is_route && random.percent(40) {
            true => Provenance::Outside,
            false => Provenance::Own,
        });
    }
    for task in &mut plan.tasks {
        let mut before = task.after.iter();
        let before = before.find(|on| on.kind == DependencyKind::FinishToStart);
        let with = before.map(|on| format!(r#"{{"from":"{{{{{}.output}}}}"}}"#, on.task));
        if let (Some(alternative), Some(with)) = (&mut task.alternative, with)
            && random.percent(60)
            && let Ok(with) = Json::parse(&with)
        {
            alternative.with = with;
        }
    }
}
