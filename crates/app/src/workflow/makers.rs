//! Who had a hand in a mission, and who may therefore not approve it.
//!
//! **Invariant:** A program never approves what it started or changed, whichever way its answer comes. An access token
//! says for whom a request is made, not whether they or their program made it. So an answer with the token of somebody
//! whose program made the mission counts as the program's. Every way to answer asks [`may_answer`].

use std::collections::BTreeSet;

use adjutant_journal::TenantJournal;
use adjutant_mission::{
    Actor, ActorKind, AgentId, Approval, Asks, Command, Decision, EffectClass, Event, Mission,
    MissionId, Phase, Recorded, Task, TaskKey, ToolId, ToolTable, Verdict, WorkSpec,
};
use adjutant_store::TenantStore;

use super::graph::only_reads;
use crate::error::{AppError, ErrorKind};

/// How far up a sub-mission is followed. Deeper ones count as made by a program.
const ABOVE_MAX: usize = 32;

/// How somebody who answers showed who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerWay {
    /// By an access token. Programs hold the tokens of those for whom they act.
    Token,
    /// By a link in a mail to them.
    Mail,
}

/// Those in whose name a program made a mission.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgramMakers(BTreeSet<AgentId>);

impl ProgramMakers {
    pub fn contains(&self, who: &AgentId) -> bool {
        self.0.contains(who)
    }
}

/// Refuses an answer that may be a program's about its own mission. A no is never refused: it lets nothing happen. Nor
/// is passing a layer, which programs validate themselves.
pub fn may_answer(
    makers: &ProgramMakers,
    who: &AgentId,
    way: AnswerWay,
    asks: &Asks,
    decision: &Decision,
) -> Result<(), AppError> {
    let is_no = decision.verdict == Verdict::Reject;
    let passes_layer = matches!(asks, Asks::PassLayer { .. })
        && decision.verdict == Verdict::Approve
        && decision.patch.is_none();
    if is_no || passes_layer {
        return Ok(());
    }
    not_its_own(makers, who, way)
}

/// The same before anybody says what they answer: to reserve a question for themselves, or to repeat an approval.
pub fn not_its_own(makers: &ProgramMakers, who: &AgentId, way: AnswerWay) -> Result<(), AppError> {
    if way == AnswerWay::Mail || !makers.contains(who) {
        return Ok(());
    }
    Err(AppError::new(
        ErrorKind::Forbidden,
        "ADJ-6236",
        format!(
            "a program made this mission in the name of `{who}`, and their access token may be the program's"
        ),
        "Answer with `adjutant decide` on the server's machine or with the link in a mail, or let somebody else answer with a token of their own.",
    ))
}

/// Refuses a command that may be a program's and gets around the questions to people. A plan that a program made is
/// changed with `replan_dag`, which lets people see what they have not approved.
pub fn may_command(
    makers: &ProgramMakers,
    who: &AgentId,
    command: &Command,
) -> Result<(), AppError> {
    if !matches!(command, Command::Replan { .. }) || !makers.contains(who) {
        return Ok(());
    }
    Err(AppError::new(
        ErrorKind::Forbidden,
        "ADJ-6237",
        format!(
            "a program made this mission in the name of `{who}`, so its plan is not changed by a command with their token"
        ),
        "Change it with the tool `replan_dag`, or with POST /api/workflow/{mission}/continue and the value `replan`.",
    ))
}

/// Everybody who started a mission, or one above it, forked it or changed its plan, and in whose name that was done.
pub(super) async fn makers<T: TenantStore>(
    journal: &TenantJournal<T>,
    mission: MissionId,
) -> Result<BTreeSet<AgentId>, AppError> {
    let (events, _) = journal.read(mission).await?;
    let mut all = makers_in(&events);
    all.extend(program_makers(journal, mission).await?.0);
    Ok(all)
}

fn makers_in(events: &[Recorded]) -> BTreeSet<AgentId> {
    let mut makers = BTreeSet::new();
    for recorded in events {
        match &recorded.event {
            Event::MissionOpened(opened) => makers.extend(opened.began_by.iter().cloned()),
            Event::MissionForked { .. } | Event::PlanChanged { .. } => {}
            // An answer can change the plan, too; the change is an event of its own.
            _ => continue,
        }
        if let Some(actor) = &recorded.actor {
            makers.extend(names_of(actor));
        }
    }
    makers
}

fn names_of(actor: &Actor) -> impl Iterator<Item = AgentId> {
    [Some(actor.id.clone()), actor.on_behalf_of.clone()]
        .into_iter()
        .flatten()
}

/// Who began a mission, as far as its first event says it.
#[derive(Debug, PartialEq, Eq)]
enum Beginning {
    Person,
    Program(BTreeSet<AgentId>),
    /// It is part of this one.
    Above(MissionId),
    /// It is a fork of a part of another one.
    ForkOfPart(BTreeSet<AgentId>),
}

/// What the first event of a journal says about who began the mission. A fork inherits it.
fn beginning(first: &Recorded) -> Beginning {
    let actor = first.actor.as_ref();
    match actor.map(|actor| (actor, actor.kind)) {
        Some((actor, ActorKind::Agent)) => return Beginning::Program(names_of(actor).collect()),
        Some((_, ActorKind::Human)) => return Beginning::Person,
        Some((_, ActorKind::System)) | None => {}
    }
    let Event::MissionOpened(opened) = &first.event else {
        return Beginning::Person;
    };
    let began_by: BTreeSet<AgentId> = opened.began_by.iter().cloned().collect();
    match opened.parent {
        Some(parent) => Beginning::Above(parent.effect.mission),
        None if began_by.is_empty() => Beginning::Person,
        None => Beginning::ForkOfPart(began_by),
    }
}

/// Those in whose name a program started a mission, or one above it. A program changes only plans of missions that
/// programs started in the same name, so these are all.
pub async fn program_makers<T: TenantStore>(
    journal: &TenantJournal<T>,
    mission: MissionId,
) -> Result<ProgramMakers, AppError> {
    let mut at = mission;
    // Those who began the missions above, as the mission itself says it: what counts if those are gone.
    let mut told = BTreeSet::new();
    for _ in 0..ABOVE_MAX {
        let first = match journal.events(at, 1, 1).await {
            Ok(events) => events.into_iter().next(),
            Err(_) if at != mission => None,
            Err(error) => return Err(error.into()),
        };
        let Some(first) = first else {
            return Ok(ProgramMakers(told));
        };
        if let Event::MissionOpened(opened) = &first.event {
            told.extend(opened.began_by.iter().cloned());
        }
        match beginning(&first) {
            Beginning::Person => return Ok(ProgramMakers::default()),
            Beginning::Program(names) => return Ok(ProgramMakers(names)),
            Beginning::Above(above) => at = above,
            Beginning::ForkOfPart(began_by) => {
                let of = match journal.load(at).await {
                    Ok((fork, _)) => fork.forked().map(|forked| forked.of),
                    Err(_) => None,
                };
                match of {
                    Some(of) => at = of,
                    None => return Ok(ProgramMakers(began_by)),
                }
            }
        }
    }
    Ok(ProgramMakers(told))
}

/// Whether a program started the mission in somebody's name.
pub(super) async fn began_by_program_of<T: TenantStore>(
    journal: &TenantJournal<T>,
    mission: MissionId,
    person: &AgentId,
) -> Result<bool, AppError> {
    let first = journal.events(mission, 1, 1).await?;
    let actor = first.first().and_then(|first| first.actor.as_ref());
    Ok(actor.is_some_and(|actor| {
        actor.kind == ActorKind::Agent && actor.on_behalf_of.as_ref() == Some(person)
    }))
}

/// A task that a fork would do by an approval that was given to the mission it is forked from, and that changes
/// something outside. What may happen only once is asked about again in every fork; all else is not.
pub fn change_approved_before(stood: &Mission) -> Option<TaskKey> {
    // Nothing of it was approved yet.
    if stood.phase() == Phase::Planning || waits_for_plan(stood) {
        return None;
    }
    let found = stood.tasks().find(|(task, state)| {
        let asked_again = task.approval == Approval::Always && state.approved.is_empty();
        !state.status.is_ended() && !asked_again && changes_without_asking(task, stood.tools())
    });
    found.map(|(task, _)| task.key.clone())
}

fn waits_for_plan(stood: &Mission) -> bool {
    let mut open = stood.open_checkpoints();
    open.any(|asked| asked.checkpoint.asks == Asks::ApprovePlan)
}

/// What a task may call, by itself or as its agent chooses.
fn tools_of(task: &Task) -> Vec<&ToolId> {
    let alternative = task.alternative.iter().map(|call| &call.tool);
    match &task.work {
        WorkSpec::Tool(call) => std::iter::once(&call.tool).chain(alternative).collect(),
        WorkSpec::Agent(agent) => {
            let chosen = agent.reasoning.iter().flat_map(|by| &by.tools);
            chosen.chain(alternative).collect()
        }
        WorkSpec::Human(_) | WorkSpec::Gate(_) | WorkSpec::Mission(_) => Vec::new(),
    }
}

fn changes_without_asking(task: &Task, tools: &ToolTable) -> bool {
    let own = tools_of(task).into_iter().any(|tool| {
        let class = tools.get(tool).map(|facts| facts.class);
        class.is_none_or(|class| !only_reads(class) && class != EffectClass::Once)
    });
    own || starts_what_changes(task, tools)
}

/// A sub-mission begins anew in the fork, with nothing to say that it was begun before.
fn starts_what_changes(task: &Task, tools: &ToolTable) -> bool {
    let WorkSpec::Mission(sub) = &task.work else {
        return false;
    };
    let changes = |tool: &ToolId| {
        let class = tools.get(tool).map(|facts| facts.class);
        class.is_none_or(|class| !only_reads(class))
    };
    sub.plan
        .tasks
        .iter()
        .any(|inner| tools_of(inner).into_iter().any(changes) || starts_what_changes(inner, tools))
}

#[cfg(test)]
#[path = "makers_tests.rs"]
mod tests;
