//! What programs do to a running workflow: validate a layer, change what has not started, cancel, answer for others.

use std::collections::BTreeSet;

use adjutant_host::{HostError, new_command_id};
use adjutant_mission::{
    Approval, Asks, Cause, CheckpointNumber, CheckpointState, Closed, Command, CommandId, Decision,
    Event, Mission, MissionId, OptionKey, Plan, PlanPatch, TaskKey, Verdict, WorkSpec,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::answer::{Detail, detail, is_between_layers};
use super::caller::{ProgramCaller, Right};
use super::graph::{self, ChangeFile, PlanIs, TASKS_MAX, only_reads};
use super::makers::{began_by_program_of, makers};
use super::requirement::{self, InWords};
use super::service::{Workflows, check_words, missing_right, named, wait};
use super::shorten::floor;
use super::unfit;
use crate::constitution::review_answer;
use crate::error::{AppError, ErrorKind};
use crate::plan_checker::PlanChecker;
use crate::stores::AnyTenant;
use crate::wiring;
use adjutant_journal::TenantJournal;

const CONTINUED: &str = "adjutant 2026-11 command of a validated layer";
const REPLANNED: &str = "adjutant 2026-11 command of a change with a key";
const CONTEXT_BYTES_MAX: usize = 2_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Continue {
    workflow_id: String,
    checkpoint: Option<u32>,
    results: Option<bool>,
    wait_seconds: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Abort {
    workflow_id: String,
    #[serde(default)]
    reason: String,
    wait_seconds: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Replan {
    workflow_id: String,
    tasks: Option<Value>,
    #[serde(default)]
    drop: Vec<String>,
    #[serde(default)]
    pub(super) new_requirement: String,
    #[serde(default)]
    pub(super) available_context: Map<String, Value>,
    idempotency_key: Option<String>,
    wait_seconds: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Approve {
    workflow_id: String,
    checkpoint: u32,
    approved: Option<bool>,
    option: Option<OptionKey>,
    #[serde(default)]
    feedback: String,
    wait_seconds: Option<u64>,
}

impl Workflows<'_> {
    pub(super) async fn continue_layer(
        &self,
        caller: &ProgramCaller,
        wanted: Continue,
    ) -> Result<Value, AppError> {
        let wait = wait(wanted.wait_seconds)?;
        let detail = detail(wanted.results);
        let door = self.door().await?;
        let journal = door.journal(self.settings).await?;
        let id = named(&journal, &wanted.workflow_id).await?;
        check_own(&journal, caller, id).await?;
        let (mission, _) = journal.load(id).await?;
        let waiting = mission.open_checkpoints().find(|it| is_between_layers(it));
        let wanted_number = wanted.checkpoint.map(CheckpointNumber::new);
        let asked = match (waiting, wanted_number) {
            (Some(asked), None) => asked,
            (Some(asked), Some(number)) if asked.checkpoint.number == number => asked,
            // It was passed when the same call came before.
            (_, Some(number)) if was_passed(&mission, number) => {
                return self.answer(caller, &door, id, wait, detail).await;
            }
            _ => {
                return Err(AppError::new(
                    ErrorKind::Conflict,
                    "ADJ-6230",
                    "the workflow does not wait for your validation of this layer",
                    "Call workflow_status: it says what the workflow waits for.",
                ));
            }
        };
        let number = asked.checkpoint.number;
        let decision = Decision {
            note: caller.told(""),
            ..Decision::new(Verdict::Approve)
        };
        let command = Command::Decide {
            checkpoint: number,
            decision,
        };
        // The same layer is passed by the same command, however often it is sent.
        let number = number.get().to_string();
        let command_id = command_of(CONTINUED, caller, id, &number);
        let by = caller.as_person(Some(&asked.checkpoint));
        door.command(self.settings, id, command_id, by, command)
            .await?;
        self.answer(caller, &door, id, wait, detail).await
    }

    pub(super) async fn abort(
        &self,
        caller: &ProgramCaller,
        wanted: Abort,
    ) -> Result<Value, AppError> {
        let wait = wait(wanted.wait_seconds)?;
        check_words("reason", &wanted.reason)?;
        let door = self.door().await?;
        let journal = door.journal(self.settings).await?;
        let offer = self.offer_to(&journal, caller, &wanted.workflow_id);
        if let Some(offer) = offer.await? {
            return self.decline(&door, caller, offer.mission).await;
        }
        let id = named(&journal, &wanted.workflow_id).await?;
        if !caller.may(Right::Steer) {
            check_own(&journal, caller, id).await?;
        }
        let (mission, _) = journal.load(id).await?;
        let had_ended = mission.ending().is_some();
        if !had_ended {
            let command = Command::Abort {
                reason: caller.told(&wanted.reason),
                undo: false,
            };
            let command_id = new_command_id(wiring::clock().now())?;
            door.command(self.settings, id, command_id, caller.as_program(), command)
                .await?;
        }
        let mut told = self
            .answer(caller, &door, id, wait, Detail::WithResults)
            .await?;
        if had_ended && told["status"] != "aborted" {
            told["next"] = "The workflow had ended before, and nothing was aborted.".into();
        }
        Ok(told)
    }

    pub(super) async fn replan(
        &self,
        caller: &ProgramCaller,
        wanted: Replan,
    ) -> Result<Value, AppError> {
        let wait = wait(wanted.wait_seconds)?;
        check_words("new_requirement", &wanted.new_requirement)?;
        let is_in_words = wanted.tasks.is_none() && wanted.drop.is_empty();
        if is_in_words && wanted.new_requirement.trim().is_empty() {
            return Err(unfit(
                "ADJ-6231",
                "a change needs `new_requirement`, `tasks` or `drop`",
                "Say in `new_requirement` what is needed; or send the new and changed tasks.",
            ));
        }
        let door = self.door().await?;
        let journal = door.journal(self.settings).await?;
        let id = named(&journal, &wanted.workflow_id).await?;
        check_own(&journal, caller, id).await?;
        let (mission, _) = journal.load(id).await?;
        let command_id = match &wanted.idempotency_key {
            Some(key) => command_of(REPLANNED, caller, id, key),
            None => new_command_id(wiring::clock().now())?,
        };
        let mut derived = None;
        if !mission.has_command(command_id) {
            let patch = match is_in_words {
                true => {
                    let suggester = self.suggester(caller, &journal).await?;
                    match requirement::change(&suggester, self.checker, &mission, &wanted)? {
                        InWords::Change { patch, told } => {
                            derived = Some(told);
                            patch
                        }
                        InWords::Unsure(told) => return Ok(told),
                    }
                }
                false => Box::new(change(&mission, self.checker, &wanted)?),
            };
            let command = Command::Replan {
                patch,
                why: reason(caller, &wanted),
            };
            let by = caller.as_person(None);
            door.command(self.settings, id, command_id, by, command)
                .await?;
        }
        if wanted.idempotency_key.is_some() {
            let recorded = recorded_change(&journal, id, command_id, &wanted).await?;
            // The first answer may have been lost, and with it the ids of the new tasks.
            if is_in_words && derived.is_none() {
                derived = recorded.as_ref().map(requirement::what_changed);
            }
        }
        let mut told = self
            .answer(caller, &door, id, wait, Detail::WithResults)
            .await?;
        if let Some(derived) = derived {
            told["replanned"] = derived;
        }
        Ok(told)
    }

    pub(super) async fn approve(
        &self,
        caller: &ProgramCaller,
        wanted: Approve,
    ) -> Result<Value, AppError> {
        let wait = wait(wanted.wait_seconds)?;
        check_words("feedback", &wanted.feedback)?;
        let refused = |message: String, help: &str| {
            Err(AppError::new(
                ErrorKind::Forbidden,
                "ADJ-6228",
                message,
                help,
            ))
        };
        let who = &caller.person;
        if !self.settings.workflows.approvers.contains(who) {
            return refused(
                format!("programs of `{who}` may not answer questions to people"),
                "Tell your user what is asked: a person answers with `adjutant decide` or over HTTP. `workflows.approvers` in the settings names whose programs may answer.",
            );
        }
        let door = self.door().await?;
        let journal = door.journal(self.settings).await?;
        let id = named(&journal, &wanted.workflow_id).await?;
        if makers(&journal, id).await?.contains(who) {
            return refused(
                format!(
                    "`{who}` started or changed this workflow, and a program never approves what was done in the same name"
                ),
                "A person, or the program of somebody else, must answer.",
            );
        }
        let (mission, _) = journal.load(id).await?;
        let number = CheckpointNumber::new(wanted.checkpoint);
        let asked = mission.checkpoints().get(number.index());
        let Some(asked) = asked.filter(|asked| !is_between_layers(asked)) else {
            return Err(AppError::new(
                ErrorKind::NotFound,
                "ADJ-6232",
                format!("the workflow asks no approval with the number {number}"),
                "Use a `checkpoint` out of `approvals`, as workflow_status returns them.",
            ));
        };
        let Some(is_approved) = wanted.approved else {
            return Err(AppError::new(
                ErrorKind::BadInput,
                "ADJ-6242",
                "`approved` is missing, and this client cannot ask its user",
                "Ask your user, and call approval_response again with `approved`: true or false.",
            ));
        };
        let verdict = match is_approved {
            true => Verdict::Approve,
            false => Verdict::Reject,
        };
        let decision = Decision {
            option: wanted.option.filter(|_| is_approved),
            note: caller.told(&wanted.feedback),
            ..Decision::new(verdict)
        };
        let decision = review_answer(&journal, id, &asked.checkpoint, decision).await?;
        let command = Command::Decide {
            checkpoint: number,
            decision,
        };
        let command_id = new_command_id(wiring::clock().now())?;
        let by = caller.as_person(Some(&asked.checkpoint));
        door.command(self.settings, id, command_id, by, command)
            .await?;
        self.answer(caller, &door, id, wait, Detail::WithResults)
            .await
    }
}

/// The change of a plan that a request asks for.
///
/// **Invariant:** Who approved the plan did not see the change. So what it adds or changes, and whatever works on what it
/// adds or changes, is asked about before it changes anything outside.
fn change(
    mission: &Mission,
    checker: &PlanChecker,
    wanted: &Replan,
) -> Result<PlanPatch, AppError> {
    let plan = mission.plan();
    let tasks = match &wanted.tasks {
        Some(tasks) => graph::read_tasks(tasks)?,
        None => Vec::new(),
    };
    check_size(plan, tasks.len())?;
    let plan_is = plan_is(mission);
    let written = graph::as_plan_tasks(&tasks, checker, plan_is, plan.inputs.as_ref())?;
    let file = ChangeFile::new(plan, written, &wanted.drop);
    let read = adjutant_plans::read_patch(&file.bytes, plan, checker);
    let mut patch = read.map_err(|errors| {
        graph::in_words_of_request(checker, &file.bytes, errors, |place| {
            file.place(place, &tasks)
        })
    })?;
    if plan_is == PlanIs::Unseen {
        ask_about_what_follows(mission, checker, &mut patch)?;
    }
    Ok(patch)
}

pub(super) fn check_size(plan: &Plan, added: usize) -> Result<(), AppError> {
    if plan.tasks.len() + added <= TASKS_MAX {
        return Ok(());
    }
    Err(unfit(
        "ADJ-6220",
        format!("a workflow has at most {TASKS_MAX} tasks"),
        "Start another workflow with the rest.",
    ))
}

/// Whether a person will see what is changed now, as part of the plan that they approve.
pub(super) fn plan_is(mission: &Mission) -> PlanIs {
    let mut open = mission.open_checkpoints();
    match open.any(|asked| asked.checkpoint.asks == Asks::ApprovePlan) {
        true => PlanIs::ShownFirst,
        false => PlanIs::Unseen,
    }
}

/// Tasks that were approved with the plan and will work on what the change touches are asked about by themselves.
pub(crate) fn ask_about_what_follows(
    mission: &Mission,
    checker: &PlanChecker,
    patch: &mut PlanPatch,
) -> Result<(), AppError> {
    let reads = |tool: &str| {
        let known = checker.registry().get(tool);
        known.is_some_and(|known| only_reads(known.manifest().class))
    };
    let touched: BTreeSet<TaskKey> = patch.change.iter().map(|task| task.key.clone()).collect();
    for key in following(mission.plan(), &touched) {
        let Some((task, state)) = mission.task(key.as_str()) else {
            continue;
        };
        if state.status.is_ended() || touched.contains(&key) || patch.drop.contains(&key) {
            continue;
        }
        match &task.work {
            WorkSpec::Tool(call)
                if !reads(call.tool.as_str()) && task.approval != Approval::Always =>
            {
                let mut task = task.clone();
                task.approval = Approval::Always;
                patch.change.push(task);
            }
            WorkSpec::Agent(agent) => {
                let tools = agent.reasoning.iter().flat_map(|by| &by.tools);
                if let Some(tool) = tools.into_iter().find(|tool| !reads(tool.as_str())) {
                    return Err(unfit(
                        "ADJ-6226",
                        format!(
                            "the agent of `{key}` can call `{tool}`, which changes something, and works on what you change"
                        ),
                        "Change that task, too, with tools that only read; or drop it.",
                    ));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Everything that waits for one of these tasks, directly or through others.
fn following(plan: &Plan, first: &BTreeSet<TaskKey>) -> BTreeSet<TaskKey> {
    let mut all = first.clone();
    loop {
        let before = all.len();
        for task in &plan.tasks {
            if task.after.iter().any(|on| all.contains(&on.task)) {
                all.insert(task.key.clone());
            }
        }
        if all.len() == before {
            return all;
        }
    }
}

/// What the journal says about a change.
fn reason(caller: &ProgramCaller, wanted: &Replan) -> String {
    let mut words = wanted.new_requirement.trim().to_owned();
    if !wanted.available_context.is_empty() {
        let context = Value::Object(wanted.available_context.clone()).to_string();
        let kept = &context[..floor(&context, CONTEXT_BYTES_MAX)];
        words = format!("{words} Context: {kept}").trim().to_owned();
    }
    let told = caller.told(&words);
    match wanted.idempotency_key {
        Some(_) => format!("{told} {}", mark(wanted)),
        None => told,
    }
}

/// What tells a change apart from another one with the same key. It is recorded with the reason: nothing of a workflow is
/// kept outside its journal.
fn mark(wanted: &Replan) -> String {
    let asked = json!([
        wanted.tasks,
        wanted.drop,
        wanted.new_requirement,
        wanted.available_context
    ]);
    let digest = blake3::hash(asked.to_string().as_bytes()).to_hex();
    format!("[request {}]", &digest[..16])
}

/// Refuses a key that stood for another change. Looked up after the change was sent: of two at once, one was first.
async fn recorded_change(
    journal: &TenantJournal<AnyTenant>,
    mission: MissionId,
    command: CommandId,
    wanted: &Replan,
) -> Result<Option<PlanPatch>, AppError> {
    let (events, _) = journal.read(mission).await?;
    let mut changes = events
        .into_iter()
        .filter_map(|recorded| match recorded.event {
            Event::PlanChanged { patch, why, .. }
                if recorded.cause == Some(Cause::Command(command)) =>
            {
                Some((patch, why))
            }
            _ => None,
        });
    match changes.next() {
        Some((_, why)) if !why.ends_with(&mark(wanted)) => Err(HostError::KeyOfAnother.into()),
        change => Ok(change.map(|(patch, _)| *patch)),
    }
}

/// Programs validate and change only what programs started; what people started is asked of people.
async fn check_own(
    journal: &TenantJournal<AnyTenant>,
    caller: &ProgramCaller,
    mission: MissionId,
) -> Result<(), AppError> {
    match began_by_program_of(journal, mission, &caller.person).await? {
        true => Ok(()),
        false => Err(missing_right(Right::Steer)),
    }
}

fn was_passed(mission: &Mission, number: CheckpointNumber) -> bool {
    let state = mission.checkpoints().get(number.index());
    let was_answered =
        |state: &CheckpointState| matches!(state.closed, Some(Closed::Decided { .. }));
    // One that was withdrawn, by a change or an abort, passed nothing.
    state.is_some_and(|state| is_between_layers(state) && was_answered(state))
}

/// The command that a request is, however often it comes.
pub(super) fn command_of(
    context: &str,
    caller: &ProgramCaller,
    mission: MissionId,
    key: &str,
) -> CommandId {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    for part in [caller.person.as_str(), key] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.update(&mission.bits().to_le_bytes());
    let mut bytes = [0u8; 16];
    hasher.finalize_xof().fill(&mut bytes);
    CommandId::from_bits(u128::from_le_bytes(bytes))
}
