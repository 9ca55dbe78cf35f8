//! Made-up starts that a template is tried out with.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_mission::{Autonomy, ToolId};
use serde_json::Value;

use crate::check_by_model::{CHECKED_PIECES, NOTHING};
use crate::checker::tools_of;
use crate::lookups::{LOOKUPS, NOTHING_FOUND};
use crate::pack::PACK_INPUT;
use crate::start::{Attachment, StartWith};
use crate::team::may_call;
use crate::template::{Needs, Template};

/// Everything there, and everything asked.
pub(crate) fn everything(template: &Template) -> StartWith {
    sample(template, Autonomy::Strict, &Needs::ALL)
}

pub(crate) fn sample(template: &Template, autonomy: Autonomy, with: &[Needs]) -> StartWith {
    let has = |needs| with.contains(&needs);
    let required = template
        .inputs
        .iter()
        .filter(|input| input.required && input.default.is_none());
    // The pack that asks the most databases, so that all of the template is tried.
    let takes_pack = template.inputs.iter().any(|input| input.name == PACK_INPUT);
    let pack = takes_pack.then(|| (PACK_INPUT.to_owned(), Value::from("pharma")));
    let reads = has(Needs::Model) && has(Needs::KnowledgeBase);
    StartWith {
        lists: match reads {
            true => lists(template),
            false => BTreeMap::new(),
        },
        objective: "Find out whether a sample objective can be reached.".to_owned(),
        inputs: required
            .map(|input| (input.name.clone(), Value::from("a sample")))
            .chain(pack)
            .collect(),
        namespaces: match has(Needs::KnowledgeBase) {
            true => vec!["sample".to_owned()],
            false => Vec::new(),
        },
        attachments: match has(Needs::Attachments) {
            true => vec![Attachment {
                title: "A sample".to_owned(),
                text: "A text that was attached.".to_owned(),
            }],
            false => Vec::new(),
        },
        documents: Vec::new(),
        autonomy,
        four_eyes: Vec::new(),
        money: None,
        tools: every_tool(template)
            .into_iter()
            .filter(|tool| has(Needs::Lookups) || !LOOKUPS.contains(&tool.as_str()))
            .collect(),
    }
}

/// Two items of every list that something is done for each of, and two questions on every check.
fn lists(template: &Template) -> BTreeMap<String, usize> {
    let named = template.tasks.iter().filter_map(|at| at.each.as_ref());
    let tasks = named.filter_map(|named| {
        let mut tasks = template.tasks.iter().map(|at| &at.task);
        tasks.find(|task| task.key == *named)
    });
    tasks
        .flat_map(tools_of)
        .map(|tool| tool.as_str().to_owned())
        .chain([CHECKED_PIECES.to_owned()])
        .map(|tool| (tool, 2))
        .collect()
}

/// Every tool that a mission of the template could want.
fn every_tool(template: &Template) -> BTreeSet<ToolId> {
    let tasks = template.tasks.iter();
    let mut tools: BTreeSet<ToolId> = tasks.flat_map(|entry| tools_of(&entry.task)).collect();
    tools.extend(template.tools.iter().cloned());
    for worker in &template.workers {
        tools.extend(may_call(template, worker));
    }
    let always = [NOTHING_FOUND, NOTHING, CHECKED_PIECES];
    tools.extend(always.into_iter().flat_map(ToolId::new));
    tools
}
