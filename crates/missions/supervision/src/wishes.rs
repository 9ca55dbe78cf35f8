//! What supervisors want in the present state. Nothing is remembered here: whether a wish is new is seen by its key.

use std::collections::BTreeSet;
use std::fmt;

use adjutant_mission::{
    Asks, CheckpointNumber, FailureKind, Mission, Phase, Task, TaskKey, TaskStatus, Timestamp,
    WorkSpec,
};
use adjutant_rules::Rule;
use serde_json::Value;

use crate::declaration::{Action, Background, Model, Problem, Supervisor, WatchRule};
use crate::looks::Look;

/// Something that a supervisor wants as long as the state is like this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wish {
    /// The same for as long as it is the same wish.
    pub(crate) key: String,
    pub(crate) action: Action,
    pub(crate) because: String,
    pub(crate) about: About,
    /// What is needed besides, in words, if the plan is to be changed.
    pub(crate) requirement: Option<String>,
}

/// What the wish is about, besides the mission as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum About {
    Mission,
    Layer(CheckpointNumber),
    Task(TaskKey),
    Look(Look),
}

/// A supervisor that is ready to decide.
#[derive(Debug)]
pub(crate) enum Decider {
    Rules(Vec<CompiledRule>),
    Panel {
        members: Vec<CompiledMember>,
        needed: usize,
        passes_layers: bool,
    },
    Background(Background),
    Model(Model),
}

#[derive(Debug)]
pub(crate) struct CompiledRule {
    source: WatchRule,
    when: Rule,
}

#[derive(Debug)]
pub(crate) struct CompiledMember {
    name: String,
    veto: bool,
    rules: Vec<CompiledRule>,
}

/// What is decided from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(crate) mission: &'a Mission,
    pub(crate) facts: &'a Value,
    /// The tasks of layers in which every task has ended, by their place in the plan.
    pub(crate) in_ended_layers: &'a BTreeSet<usize>,
    pub(crate) now: Timestamp,
}

fn compile(rules: Vec<WatchRule>) -> Result<Vec<CompiledRule>, Problem> {
    let compiled = rules.into_iter().map(|source| {
        let when = Rule::compile(&source.when).map_err(|error| Problem {
            place: source.name.clone(),
            message: error.to_string(),
        })?;
        Ok(CompiledRule { source, when })
    });
    compiled.collect()
}

impl Decider {
    pub(crate) fn new(supervisor: &Supervisor) -> Result<Self, Problem> {
        Ok(match supervisor {
            Supervisor::Rules(rules) => Self::Rules(compile(rules.effective())?),
            Supervisor::Panel(panel) => {
                let members = panel.effective().into_iter().map(|member| {
                    Ok(CompiledMember {
                        name: member.name,
                        veto: member.veto,
                        rules: compile(member.rules)?,
                    })
                });
                Self::Panel {
                    members: members.collect::<Result<_, Problem>>()?,
                    needed: usize::from(panel.needed),
                    passes_layers: panel.passes_layers,
                }
            }
            Supervisor::Background(background) => Self::Background(background.clone()),
            Supervisor::Model(model) => Self::Model(model.clone()),
        })
    }

    /// Everything that it wants now. `retried` says how often it had a task tried again.
    pub(crate) fn wishes(&self, seen: Seen<'_>, retried: &dyn Fn(&TaskKey) -> u16) -> Vec<Wish> {
        match self {
            Self::Rules(rules) => {
                let holding = rules.iter().filter_map(|rule| rule.wish(seen));
                holding
                    .filter_map(|wish| aimed(wish, seen.mission))
                    .collect()
            }
            Self::Panel {
                members,
                needed,
                passes_layers,
            } => {
                let outcome = vote(members, *needed, seen);
                outcome
                    .filter(|wish| *passes_layers || wish.action != Action::Continue)
                    .and_then(|wish| aimed(wish, seen.mission))
                    .into_iter()
                    .collect()
            }
            Self::Background(background) => background.wishes(seen, retried),
            Self::Model(model) => model.wishes(seen),
        }
    }

    /// The task that a look of it is.
    pub(crate) fn task(&self, look: &Look, mission: &Mission) -> Option<Task> {
        match self {
            Self::Model(model) => model.task(look, mission),
            Self::Rules(_) | Self::Panel { .. } | Self::Background(_) => None,
        }
    }

    /// When it wants to look again even if nothing happens, and the key of what it will want then.
    pub(crate) fn look_at(&self, mission: &Mission) -> Option<(String, Timestamp)> {
        match self {
            Self::Background(background) if could_be_stuck(mission) => {
                let at = mission.updated_at().plus(background.quiet());
                Some((quiet_key(mission), at))
            }
            _ => None,
        }
    }
}

/// A wish to go on is about the layer that the mission waits at. Where it waits for nothing, there is nothing to do.
fn aimed(wish: Wish, mission: &Mission) -> Option<Wish> {
    if wish.action != Action::Continue {
        return Some(wish);
    }
    let mut open = mission.open_checkpoints();
    let waiting = open.find(|asked| matches!(asked.checkpoint.asks, Asks::PassLayer { .. }))?;
    let number = waiting.checkpoint.number;
    Some(Wish {
        key: format!("{}:{number}", wish.key),
        about: About::Layer(number),
        ..wish
    })
}

impl CompiledRule {
    fn wish(&self, seen: Seen<'_>) -> Option<Wish> {
        let (action, because) = match self.when.holds_for(&[("mission", seen.facts)]) {
            Ok(false) => return None,
            Ok(true) => (self.source.then, self.source.because.clone()),
            // Doubt is a no.
            Err(error) => (
                self.source.then.max(Action::Pause),
                format!("the rule cannot be evaluated: {error}"),
            ),
        };
        Some(Wish {
            key: self.source.name.clone(),
            action,
            because,
            about: About::Mission,
            requirement: self.source.requirement.clone(),
        })
    }
}

/// What a panel comes to: the vote of a member with a veto, where it wants more than the others; otherwise the strongest that
/// enough members want, or more. A member that wants nothing is for going on.
fn vote(members: &[CompiledMember], needed: usize, seen: Seen<'_>) -> Option<Wish> {
    let mut votes: Vec<Vote<'_>> = Vec::new();
    for member in members {
        let wishes = member.rules.iter().filter_map(|rule| rule.wish(seen));
        // Of equals the first, so that the reason does not depend on how they are compared.
        let strongest = wishes.fold(None::<Wish>, |best, wish| match best {
            Some(best) if best.action >= wish.action => Some(best),
            _ => Some(wish),
        });
        votes.push(Vote {
            member,
            wish: strongest,
        });
    }
    let mut actions: Vec<Action> = votes.iter().map(Vote::action).collect();
    actions.sort_unstable_by(|one, other| other.cmp(one));
    let majority = needed
        .checked_sub(1)
        .and_then(|at| actions.get(at))
        .copied()?;
    let vetoed = votes
        .iter()
        .filter(|vote| vote.member.veto)
        .map(Vote::action)
        .max()
        .unwrap_or(Action::Continue);
    let outcome = majority.max(vetoed);
    let told: Vec<String> = votes.iter().map(ToString::to_string).collect();
    // Whoever wants just this says what is needed.
    let requirement = votes
        .iter()
        .filter(|vote| vote.action() == outcome)
        .find_map(|vote| vote.wish.as_ref()?.requirement.clone());
    let how = match vetoed > majority {
        true => "by veto",
        false => "by majority",
    };
    Some(Wish {
        key: outcome.name().to_owned(),
        action: outcome,
        because: format!("{outcome} {how}: {}", told.join(", ")),
        about: About::Mission,
        requirement,
    })
}

/// What a member of a panel wants, if anything.
struct Vote<'a> {
    member: &'a CompiledMember,
    wish: Option<Wish>,
}

impl Vote<'_> {
    fn action(&self) -> Action {
        self.wish
            .as_ref()
            .map_or(Action::Continue, |wish| wish.action)
    }
}

impl fmt::Display for Vote<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.member.name, self.action())?;
        match &self.wish {
            Some(wish) => write!(f, " ({})", wish.because),
            None => Ok(()),
        }
    }
}

impl Background {
    fn quiet(&self) -> adjutant_mission::Millis {
        adjutant_mission::Millis(u64::from(self.quiet_minutes) * 60_000)
    }

    fn wishes(&self, seen: Seen<'_>, retried: &dyn Fn(&TaskKey) -> u16) -> Vec<Wish> {
        let mut wishes = Vec::new();
        for (task, state) in seen.mission.tasks() {
            let key = &task.key;
            let passing = state.failure.as_ref().filter(|failure| {
                matches!(failure.kind, FailureKind::Temporary | FailureKind::TimedOut)
            });
            let Some(failure) = passing.filter(|_| state.status == TaskStatus::Blocked) else {
                continue;
            };
            // Afterwards the question that the mission asked by itself stays open.
            if retried(key) < self.retries {
                wishes.push(Wish {
                    key: format!("retry:{key}:{}", state.turns),
                    action: Action::Retry,
                    because: format!("task `{key}` failed and may work now: {}", failure.message),
                    about: About::Task(key.clone()),
                    requirement: None,
                });
            }
        }
        let quiet_since = seen.mission.updated_at();
        if could_be_stuck(seen.mission) && seen.now.since(quiet_since) >= self.quiet() {
            wishes.push(Wish {
                key: quiet_key(seen.mission),
                action: Action::Ask,
                because: format!("nothing has happened for {} minutes", self.quiet_minutes),
                about: About::Mission,
                requirement: None,
            });
        }
        wishes
    }
}

fn quiet_key(mission: &Mission) -> String {
    format!("quiet:{}", mission.seq())
}

/// It works by itself, nobody is asked and nobody paused it, so that something should happen.
fn could_be_stuck(mission: &Mission) -> bool {
    let waits_for_mission = || {
        let mut tasks = mission.tasks();
        tasks.any(|(task, state)| {
            state.status == TaskStatus::Running && matches!(task.work, WorkSpec::Mission(_))
        })
    };
    mission.phase() == Phase::Executing
        && !mission.is_paused()
        && mission.open_checkpoints().next().is_none()
        && !waits_for_mission()
}
