//! Two missions side by side: where they part, and what each of them came to.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use crate::{
    AgentId, Asks, CheckpointState, CheckpointType, Closed, Ending, Event, Json, Millis, Mission,
    MissionId, OptionKey, Payload, Phase, Plan, Recorded, TaskKey, TaskState, TaskStatus, Usage,
    Verdict, Waived, WorkSpec,
};

/// One of the two: its journal, what that folds to, and what its blobs hold, by digest.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    pub events: &'a [Recorded],
    pub mission: &'a Mission,
    pub blobs: &'a BTreeMap<String, Json>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    pub a: Side,
    pub b: Side,
    /// How many events, from the first, are the same events: inherited by one from the other, or by both.
    pub events_shared: u64,
    /// What differs in their plans.
    pub plan: Vec<PlanDifference>,
    pub decisions: Vec<DecisionPair>,
    pub results: Vec<ResultPair>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    pub mission: MissionId,
    pub title: String,
    pub phase: Phase,
    pub paused: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forked: Option<ForkedFrom>,
    pub events: u64,
    pub own: Spent,
    /// By the mission it was forked from, up to there.
    pub inherited: Spent,
}

/// The mission it was forked from, and the last event it inherited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForkedFrom {
    pub of: MissionId,
    pub at: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    pub usage: Usage,
    pub calls: u64,
    pub time: Millis,
}

impl Spent {
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            usage: self.usage.plus(other.usage),
            calls: self.calls.saturating_add(other.calls),
            time: Millis(self.time.0.saturating_add(other.time.0)),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanDifference {
    /// A path into the plan: `inputs.topic`, `tasks.fetch.retry`.
    pub what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<Json>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionPair {
    pub question: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<Answer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<Answer>,
    pub same: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    Open,
    Decided {
        verdict: Verdict,
        #[serde(skip_serializing_if = "Option::is_none")]
        option: Option<OptionKey>,
        by: AgentId,
    },
    /// In advance.
    Waived {
        by: AgentId,
    },
    Expired,
    Withdrawn,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultPair {
    pub task: TaskKey,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<TaskResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<TaskResult>,
    pub same: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskResult {
    pub status: TaskStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    pub usage: Usage,
    pub tries: u16,
    /// It is the very same result, of before the two parted.
    pub shared: bool,
}

impl Comparison {
    pub fn of(a: Look<'_>, b: Look<'_>) -> Self {
        let shared = events_shared(a, b);
        Self {
            events_shared: shared,
            plan: plan_differences(a.mission.plan(), b.mission.plan()),
            decisions: decisions(a, b),
            results: results(a, b, shared),
            a: Side::of(a.mission),
            b: Side::of(b.mission),
        }
    }
}

impl Side {
    fn of(mission: &Mission) -> Self {
        let forked = mission.forked();
        let inherited = forked.map_or(Spent::default(), |forked| Spent {
            usage: forked.used,
            calls: forked.turns,
            time: forked.left_at.since(mission.opened_at()),
        });
        let since = forked.map_or(mission.opened_at(), |forked| forked.since);
        Self {
            mission: mission.id(),
            title: mission.plan().title.clone(),
            phase: mission.phase(),
            paused: mission.is_paused(),
            ending: mission.ending().cloned(),
            forked: forked.map(|forked| ForkedFrom {
                of: forked.of,
                at: forked.at,
            }),
            events: mission.seq(),
            own: Spent {
                usage: mission.used().minus(inherited.usage),
                calls: mission.turns().saturating_sub(inherited.calls),
                time: mission.updated_at().since(since),
            },
            inherited,
        }
    }
}

/// Whose event each was first: every fork takes over all events up to one of them.
fn owners(look: Look<'_>) -> impl Iterator<Item = MissionId> {
    let mut forks: Vec<(u64, MissionId)> = Vec::new();
    for recorded in look.events {
        if let Event::MissionForked { of, at, .. } = &recorded.event {
            forks.push((*at, *of));
        }
    }
    let own = look.mission.id();
    look.events.iter().map(move |recorded| {
        let inherited = forks.iter().find(|(at, _)| recorded.seq <= *at);
        inherited.map_or(own, |(_, of)| *of)
    })
}

fn events_shared(a: Look<'_>, b: Look<'_>) -> u64 {
    let pairs = owners(a).zip(owners(b));
    pairs.take_while(|(a, b)| a == b).count() as u64
}

fn plan_differences(a: &Plan, b: &Plan) -> Vec<PlanDifference> {
    let mut found = Vec::new();
    let (Ok(whole_a), Ok(whole_b)) = (Json::encode(a), Json::encode(b)) else {
        return found;
    };
    for name in names(&whole_a, &whole_b) {
        match name.as_str() {
            "tasks" => {}
            "inputs" => {
                let of = |whole: &Json| whole.at(&["inputs".into()]).unwrap_or_else(Json::null);
                let (of_a, of_b) = (of(&whole_a), of(&whole_b));
                for field in names(&of_a, &of_b) {
                    differ(&mut found, "inputs.", &field, &of_a, &of_b);
                }
            }
            name => differ(&mut found, "", name, &whole_a, &whole_b),
        }
    }
    let task = |plan: &Plan, key: &TaskKey| {
        let mut tasks = plan.tasks.iter();
        let task = tasks.find(|task| task.key == *key)?;
        Json::encode(task).ok()
    };
    for key in keys(a, b) {
        match (task(a, &key), task(b, &key)) {
            (Some(of_a), Some(of_b)) => {
                let place = format!("tasks.{key}.");
                for field in names(&of_a, &of_b) {
                    differ(&mut found, &place, &field, &of_a, &of_b);
                }
            }
            (a, b) => found.push(PlanDifference {
                what: format!("tasks.{key}"),
                a,
                b,
            }),
        }
    }
    found
}

fn differ(found: &mut Vec<PlanDifference>, place: &str, field: &str, a: &Json, b: &Json) {
    let path = [field.to_string()];
    let (a, b) = (a.at(&path), b.at(&path));
    if a != b {
        let what = format!("{place}{field}");
        found.push(PlanDifference { what, a, b });
    }
}

/// Every name that one of two objects has, in their order.
fn names(a: &Json, b: &Json) -> Vec<String> {
    let mut names = a.fields();
    for name in b.fields() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Every task of either plan, those of the first in its order.
fn keys(a: &Plan, b: &Plan) -> Vec<TaskKey> {
    let mut keys: Vec<TaskKey> = a.tasks.iter().map(|task| task.key.clone()).collect();
    let known: alloc::collections::BTreeSet<TaskKey> = keys.iter().cloned().collect();
    let added = b.tasks.iter().map(|task| &task.key);
    keys.extend(added.filter(|key| !known.contains(*key)).cloned());
    keys
}

/// What was asked, told apart from the same question asked once more.
type Asked = (String, usize);

fn decisions(a: Look<'_>, b: Look<'_>) -> Vec<DecisionPair> {
    let (of_a, mut of_b) = (answers(a), answers(b));
    let mut pairs = Vec::new();
    for (asked, question, answer) in of_a {
        let at = of_b.iter().position(|(other, ..)| *other == asked);
        let other = at.map(|at| of_b.remove(at).2);
        pairs.push(pair(question, Some(answer), other));
    }
    pairs.extend(
        of_b.into_iter()
            .map(|(_, question, answer)| pair(question, None, Some(answer))),
    );
    pairs
}

fn pair(question: String, a: Option<Answer>, b: Option<Answer>) -> DecisionPair {
    // Who gave it is told; what was said is compared.
    let said = |answer: &Option<Answer>| match answer {
        Some(Answer::Decided {
            verdict, option, ..
        }) => Some((Some(*verdict), option.clone())),
        Some(Answer::Waived { .. }) => Some((Some(Verdict::Approve), None)),
        Some(Answer::Open | Answer::Expired | Answer::Withdrawn) | None => None,
    };
    let same = match (&a, &b) {
        (Some(Answer::Open), Some(Answer::Open)) => true,
        (Some(Answer::Expired), Some(Answer::Expired)) => true,
        (Some(Answer::Withdrawn), Some(Answer::Withdrawn)) => true,
        _ => said(&a).is_some() && said(&a) == said(&b),
    };
    DecisionPair {
        question,
        a,
        b,
        same,
    }
}

fn answers(look: Look<'_>) -> Vec<(Asked, String, Answer)> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut answers = Vec::new();
    let mut asked = |asks: &Asks| {
        let asks = Json::encode(asks).map_or(String::new(), Json::into_string);
        let times = seen.entry(asks.clone()).or_default();
        *times += 1;
        (asks, *times)
    };
    for recorded in look.events {
        match &recorded.event {
            Event::CheckpointOpened(checkpoint) => {
                let state = look.mission.checkpoints().get(checkpoint.number.index());
                let answer = state.map_or(Answer::Open, answer);
                let question = checkpoint.question.clone();
                answers.push((asked(&checkpoint.asks), question, answer));
            }
            Event::CheckpointWaived(waived) => {
                let by = waived.by.clone();
                if let Some((asks, question)) = asked_in_vain(look.mission, waived) {
                    answers.push((asked(&asks), question, Answer::Waived { by }));
                }
            }
            _ => {}
        }
    }
    answers
}

fn answer(state: &CheckpointState) -> Answer {
    match &state.closed {
        None => Answer::Open,
        Some(Closed::Expired) => Answer::Expired,
        Some(Closed::Withdrawn { .. }) => Answer::Withdrawn,
        Some(Closed::Decided { by, decision }) => Answer::Decided {
            verdict: decision.verdict,
            option: decision.option.clone(),
            by: by.id.clone(),
        },
    }
}

/// The question that somebody had answered in advance, so that the other mission's is found that was asked.
fn asked_in_vain(mission: &Mission, waived: &Waived) -> Option<(Asks, String)> {
    let title = &mission.plan().title;
    let task = waived.task.clone();
    let spec = task.as_ref().and_then(|key| mission.task(key.as_str()));
    match (waived.checkpoint_type, task, spec) {
        (_, Some(task), Some((spec, _))) => Some(match &spec.work {
            WorkSpec::Human(human) => (Asks::DoHumanTask { task }, human.question.clone()),
            _ => {
                let question = format!("Let task `{task}` call its tool?");
                (Asks::ApproveTool { task }, question)
            }
        }),
        (CheckpointType::PlanApproval, ..) => {
            Some((Asks::ApprovePlan, format!("Run the plan “{title}”?")))
        }
        (CheckpointType::FinalReview, ..) => Some((
            Asks::ReviewResult,
            format!("Deliver the result of “{title}”?"),
        )),
        _ => None,
    }
}

fn results(a: Look<'_>, b: Look<'_>, shared: u64) -> Vec<ResultPair> {
    let (moved_a, moved_b) = (last_moved(a), last_moved(b));
    let of = |look: Look<'_>, key: &TaskKey, moved: &BTreeMap<&TaskKey, u64>| {
        let (_, state) = look.mission.task(key.as_str())?;
        let last = moved.get(key).copied().unwrap_or(0);
        Some(result(look, state, last > 0 && last <= shared))
    };
    let pairs = keys(a.mission.plan(), b.mission.plan()).into_iter();
    let pairs = pairs.map(|task| {
        let (a, b) = (of(a, &task, &moved_a), of(b, &task, &moved_b));
        let told = |of: &TaskResult| (of.status, of.output.clone(), of.failure.clone());
        let same = a.as_ref().map(told) == b.as_ref().map(told);
        ResultPair { task, a, b, same }
    });
    pairs.collect()
}

fn result(look: Look<'_>, state: &TaskState, shared: bool) -> TaskResult {
    let output = state.output.as_ref().and_then(|output| match output {
        Payload::Inline(json) => Some(json.clone()),
        Payload::Blob { digest, .. } => look.blobs.get(digest).cloned(),
    });
    let failed = matches!(state.status, TaskStatus::Failed | TaskStatus::Blocked);
    let failure = state.failure.as_ref().filter(|_| failed);
    TaskResult {
        status: state.status,
        output,
        failure: failure.map(|failure| failure.message.clone()),
        usage: state.used,
        tries: state.attempt,
        shared,
    }
}

/// The last event that had to do with each task.
fn last_moved<'a>(look: Look<'a>) -> BTreeMap<&'a TaskKey, u64> {
    let mut moved = BTreeMap::new();
    for recorded in look.events {
        match &recorded.event {
            Event::TaskStarted { task, .. }
            | Event::TaskCompleted { task, .. }
            | Event::TaskHeld { task, .. }
            | Event::TaskReleased { task }
            | Event::AttemptFailed { task, .. }
            | Event::TaskRequeued { task }
            | Event::TaskSkipped { task, .. }
            | Event::GateJudged { task, .. } => {
                moved.insert(task, recorded.seq);
            }
            Event::TasksReturned { tasks, .. } => {
                moved.extend(tasks.iter().map(|task| (task, recorded.seq)));
            }
            _ => {}
        }
    }
    moved
}
