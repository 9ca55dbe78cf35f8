//! The supervisors of one mission: fed with its events, they say which command comes next.
//!
//! **Invariant:** What a supervisor wants becomes an *occasion* at the event that first gives reason for it, and is gone when the
//! reason is gone. It is carried out at most once, because the mission records the id of the command that did it.
//!
//! **Invariant:** A command is meant for the state after exactly the events that were seen. Whoever carries it out makes sure that
//! no other event has come; if one has, the decision is made again.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use adjutant_mission::{
    Actor, ActorKind, AgentId, Asks, Cause, Command, CommandId, CorruptJournal, Decision, Event,
    Input, Json, Mission, PlanPatch, Recorded, ReplanTrigger, TaskKey, Timestamp, Trust, Verdict,
};
use serde_json::{Map, Value, json};

use crate::declaration::{Action, Supervisor};
use crate::facts::Counts;
use crate::record::{Declared, Origin, RecordError, declared};
use crate::wishes::{About, Decider, Seen, Wish};

const COMMAND: &str = "adjutant 2026-11 command of a supervisor";
/// Reasons of others that a command tells besides its own.
const OTHERS_TOLD_MAX: usize = 3;
const TOPIC_CHARS_MAX: usize = 500;

/// A command that a supervisor wants carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    /// The same, however often and by whomever it is decided.
    pub id: CommandId,
    /// The number of the last event that was seen. The command is meant for the state after it, and for no other.
    pub seen: u64,
    pub by: Actor,
    pub action: Action,
    pub command: Command,
    /// What the plan is to be changed for. Whoever carries the command out finds the patch.
    pub requirement: Option<Requirement>,
}

/// What a mission needs besides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    pub words: String,
    /// What was found meanwhile, by name. It is data, whatever it says.
    pub context: Map<String, Value>,
}

/// Why a command that claims to be a supervisor's is not carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    #[error("it was decided after event {seen}, and the mission has {now} events")]
    MovedOn { seen: u64, now: u64 },
    #[error("nothing in the events gives occasion for it")]
    NoOccasion,
}

#[derive(Debug)]
struct Watching {
    agent: AgentId,
    name: String,
    origin: Origin,
    decider: Decider,
    /// The occasions of what it wants at present, by the key of the wish.
    wants: BTreeMap<String, CommandId>,
}

#[derive(Debug, Clone)]
struct Occasion {
    supervisor: usize,
    action: Action,
    because: String,
    about: About,
    requirement: Option<String>,
    /// The event that gave it.
    seq: u64,
}

#[derive(Debug)]
pub struct Supervision {
    watching: Vec<Watching>,
    mission: Mission,
    counts: Counts,
    facts: Value,
    /// The person in whose name is done what only people may do.
    person: Option<AgentId>,
    /// What is not carried out yet.
    pending: BTreeMap<CommandId, Occasion>,
    /// Questions that the mission was told of and has not opened. It is paused instead.
    unasked: BTreeMap<CommandId, Occasion>,
    /// How often each supervisor had a task tried again.
    retried: BTreeMap<(usize, TaskKey), u16>,
    /// Commands that the mission refused, and after which event.
    refused: BTreeMap<CommandId, u64>,
    /// Changes of the plan that cannot be made, and why. A person is asked instead.
    impossible: BTreeMap<CommandId, String>,
}

impl Supervision {
    /// Begins with the opening event; nothing if the mission has no supervisors.
    pub fn begin(first: &Recorded) -> Result<Option<Self>, RecordError> {
        let Event::MissionOpened(opened) = &first.event else {
            return Ok(None);
        };
        let Some(declared) = declared(&opened.plan)? else {
            return Ok(None);
        };
        let mission = Mission::begin(first)
            .map_err(|corrupt| RecordError::Unreadable(corrupt.to_string()))?;
        let mut watching = Vec::new();
        for Declared { origin, supervisor } in &declared {
            watching.push(watch(*origin, supervisor)?);
        }
        let mut supervision = Self {
            watching,
            mission,
            counts: Counts::default(),
            facts: Value::Null,
            person: first.actor.as_ref().and_then(person_behind),
            pending: BTreeMap::new(),
            unasked: BTreeMap::new(),
            retried: BTreeMap::new(),
            refused: BTreeMap::new(),
            impossible: BTreeMap::new(),
        };
        supervision.counts.count(first, &supervision.mission);
        supervision.evaluate(first.at, first.at);
        Ok(Some(supervision))
    }

    /// How many events were seen.
    pub fn seen(&self) -> u64 {
        self.mission.seq()
    }

    pub fn apply(&mut self, recorded: &Recorded) -> Result<(), CorruptJournal> {
        self.mission.apply(recorded)?;
        if let Event::MissionForked { .. } = recorded.event {
            // It goes its own way: what was decided for the other mission is decided anew.
            self.pending.clear();
            self.unasked.clear();
            self.retried.clear();
            for watching in &mut self.watching {
                watching.wants.clear();
            }
            self.person = recorded.actor.as_ref().and_then(person_behind);
        }
        if let Some(Cause::Command(id)) = recorded.cause {
            self.settle(id, recorded);
        }
        if self.counts.count(recorded, &self.mission) {
            self.evaluate(recorded.at, recorded.at);
        }
        Ok(())
    }

    /// Looks again because time has passed.
    pub fn look(&mut self, now: Timestamp) {
        self.evaluate(now, self.mission.updated_at());
    }

    /// When to look again even if nothing happens.
    pub fn look_at(&self) -> Option<Timestamp> {
        if self.mission.ending().is_some() {
            return None;
        }
        let later = self.watching.iter().filter_map(|watching| {
            let (key, at) = watching.decider.look_at(&self.mission)?;
            // It has looked, and nothing has happened since.
            (!watching.wants.contains_key(&key)).then_some(at)
        });
        later.min()
    }

    /// An event that a command brought about: the command is carried out.
    fn settle(&mut self, id: CommandId, recorded: &Recorded) {
        if let Some(Occasion {
            supervisor,
            about: About::Task(task),
            ..
        }) = self.pending.remove(&id)
        {
            let times = self.retried.entry((supervisor, task)).or_default();
            *times = times.saturating_add(1);
        }
        self.refused.remove(&id);
        self.impossible.remove(&id);
        match &recorded.event {
            Event::Informed { body, .. } => {
                let of = self.watching.iter().position(|watching| {
                    recorded
                        .actor
                        .as_ref()
                        .is_some_and(|by| by.id == watching.agent)
                });
                if let Some(supervisor) = of {
                    let told = told(supervisor, body, recorded.seq);
                    self.unasked.insert(id, told);
                }
            }
            Event::CheckpointOpened(_) => {
                self.unasked.remove(&id);
            }
            Event::MissionPaused { .. } => self.unasked.retain(|of, _| instead_of(*of) != id),
            _ => {}
        }
    }

    /// Finds out what everybody wants now. What is new is an occasion; what nobody wants any more is none.
    fn evaluate(&mut self, now: Timestamp, at: Timestamp) {
        if self.mission.ending().is_some() {
            self.pending.clear();
            self.unasked.clear();
            return;
        }
        self.facts = self.counts.facts(&self.mission);
        let in_ended_layers = self.counts.in_ended_layers(&self.mission);
        let seen = Seen {
            mission: &self.mission,
            facts: &self.facts,
            in_ended_layers: &in_ended_layers,
            now,
        };
        let seq = self.mission.seq();
        for (number, watching) in self.watching.iter_mut().enumerate() {
            let retried = |task: &TaskKey| {
                let times = self.retried.get(&(number, task.clone()));
                times.copied().unwrap_or_default()
            };
            let wishes = watching.decider.wishes(seen, &retried);
            let before = std::mem::take(&mut watching.wants);
            for wish in wishes {
                let known = before.get(&wish.key).copied();
                let id = known.unwrap_or_else(|| {
                    command_id(&self.mission, &watching.name, &wish.key, seq, at)
                });
                watching.wants.insert(wish.key.clone(), id);
                if known.is_none() {
                    self.pending.insert(id, occasion(number, wish, seq));
                }
            }
            for (key, id) in before {
                if watching.wants.get(&key) != Some(&id) {
                    self.pending.remove(&id);
                    self.refused.remove(&id);
                    self.impossible.remove(&id);
                }
            }
        }
    }

    /// The command that comes next: the strongest, and of equals the one whose occasion came first.
    pub fn next(&self) -> Option<Intent> {
        if self.mission.ending().is_some() {
            return None;
        }
        let pending = self
            .pending
            .iter()
            .map(|(id, occasion)| (*id, self.possible(*id, occasion), occasion));
        let unasked = self
            .unasked
            .iter()
            .map(|(id, occasion)| (instead_of(*id), Action::Pause, occasion));
        let mut all: Vec<(CommandId, Action, &Occasion)> = pending.chain(unasked).collect();
        all.sort_by_key(|(id, action, occasion)| {
            (
                Reverse(*action),
                occasion.seq,
                occasion.supervisor,
                id.bits(),
            )
        });
        let seen = self.mission.seq();
        let is_held = self.mission.is_paused() || self.asks_about_plan();
        let mut fitting = all.iter().filter(|(id, action, _)| {
            let was_refused = self.refused.get(id) == Some(&seen);
            // A person was asked whether to go on: nobody else decides it meanwhile.
            let waits = is_held && action.needs_person();
            !was_refused && !waits
        });
        fitting.find_map(|(id, action, occasion)| {
            let others = all.iter().filter(|(other, ..)| other != id);
            let others: Vec<&Occasion> = others.map(|(_, _, other)| *other).collect();
            let (by, command) = self.command(*id, *action, occasion, &others)?;
            let words = occasion
                .requirement
                .clone()
                .filter(|_| *action == Action::Replan);
            Some(Intent {
                id: *id,
                seen,
                by,
                action: *action,
                command,
                requirement: words.map(|words| Requirement {
                    words,
                    context: self.counts.unread_files(),
                }),
            })
        })
    }

    /// The mission refused a command in the present state. It is tried again after the next event, if it is still wanted.
    pub fn refused(&mut self, id: CommandId) {
        self.refused.insert(id, self.mission.seq());
    }

    /// Whether a supervisor is about to do something: it wants it, and the mission takes it.
    pub fn is_about_to_act(&mut self, now: Timestamp) -> bool {
        while let Some(intent) = self.next() {
            // If no patch is found for it, a person is asked instead: that is something, too.
            if intent.requirement.is_some() {
                return true;
            }
            let command = Input::Command {
                id: intent.id,
                by: intent.by,
                command: intent.command,
            };
            if self.mission.decide(now, &command).is_ok() {
                return true;
            }
            self.refused(intent.id);
        }
        false
    }

    /// A change of the plan cannot be found, or the mission does not take it. A person is asked instead.
    pub fn cannot(&mut self, id: CommandId, why: String) {
        if self.pending.contains_key(&id) {
            self.impossible.insert(id, why);
        }
    }

    /// What is wanted, or a question to a person where that cannot be done.
    fn possible(&self, id: CommandId, occasion: &Occasion) -> Action {
        let in_name_of = self.person.as_ref().filter(|_| {
            let watching = self.watching.get(occasion.supervisor);
            watching.is_some_and(|watching| watching.origin.is_persons())
        });
        match occasion.action {
            Action::Replan if self.impossible.contains_key(&id) || in_name_of.is_none() => {
                Action::Ask
            }
            action => action,
        }
    }

    /// Whether a command that somebody sends is what these supervisors want now.
    pub fn check(&self, intent: &Intent) -> Result<(), Unfit> {
        let now = self.mission.seq();
        if intent.seen != now {
            return Err(Unfit::MovedOn {
                seen: intent.seen,
                now,
            });
        }
        match self.next() {
            Some(wanted) if wanted == *intent => Ok(()),
            _ => Err(Unfit::NoOccasion),
        }
    }

    fn asks_about_plan(&self) -> bool {
        let mut open = self.mission.open_checkpoints();
        open.any(|asked| {
            matches!(
                &asked.checkpoint.asks,
                Asks::ChangePlan {
                    trigger: ReplanTrigger::NewInformation,
                    ..
                }
            )
        })
    }

    fn command(
        &self,
        id: CommandId,
        action: Action,
        occasion: &Occasion,
        others: &[&Occasion],
    ) -> Option<(Actor, Command)> {
        let watching = self.watching.get(occasion.supervisor)?;
        let own = self.reason(occasion);
        let agent = Actor {
            kind: ActorKind::Agent,
            id: watching.agent.clone(),
            role: None,
            on_behalf_of: self.person.clone().filter(|_| watching.origin.is_persons()),
        };
        let person = || {
            let person = self.person.clone().filter(|_| watching.origin.is_persons());
            person.map(Actor::human)
        };
        match (action, &occasion.about) {
            (Action::Continue, About::Layer(checkpoint)) => {
                let decision = Decision {
                    note: own,
                    ..Decision::new(Verdict::Approve)
                };
                let checkpoint = *checkpoint;
                Some((
                    person()?,
                    Command::Decide {
                        checkpoint,
                        decision,
                    },
                ))
            }
            (Action::Retry, About::Task(key)) => {
                let (task, _) = self.mission.task(key.as_str())?;
                let patch = PlanPatch {
                    change: vec![task.clone()],
                    ..PlanPatch::default()
                };
                let patch = Box::new(patch);
                Some((person()?, Command::Replan { patch, why: own }))
            }
            (Action::Look, About::Look(look)) => {
                let patch = PlanPatch {
                    add: vec![watching.decider.task(look, &self.mission)?],
                    ..PlanPatch::default()
                };
                let patch = Box::new(patch);
                Some((person()?, Command::Replan { patch, why: own }))
            }
            (Action::Continue | Action::Look | Action::Retry, _) => None,
            (Action::Replan, _) => {
                let patch = Box::default();
                Some((person()?, Command::Replan { patch, why: own }))
            }
            (Action::Ask, _) => {
                let own = match self.impossible.get(&id) {
                    Some(why) => format!("{own}. The plan cannot be changed for that: {why}"),
                    None => own,
                };
                let body = json!({
                    "supervisor": watching.name, "action": occasion.action.name(),
                    "because": occasion.because, "event": occasion.seq,
                });
                let topic: String = own.chars().take(TOPIC_CHARS_MAX).collect();
                let body = Json::encode(&body).ok()?;
                Some((
                    agent,
                    Command::Inform {
                        topic,
                        trust: Trust::Trusted,
                        body,
                    },
                ))
            }
            (Action::Pause, _) => Some((agent, Command::Pause { reason: own })),
            (Action::Abort, _) => {
                // It ends the mission, so this is the last place for what the others wanted.
                let told = others.iter().take(OTHERS_TOLD_MAX).map(|other| {
                    format!("; also wanted: {} by {}", other.action, self.reason(other))
                });
                let reason = std::iter::once(own).chain(told).collect();
                Some((
                    agent,
                    Command::Abort {
                        reason,
                        undo: false,
                    },
                ))
            }
        }
    }

    fn reason(&self, occasion: &Occasion) -> String {
        let name = self
            .watching
            .get(occasion.supervisor)
            .map_or("", |watching| watching.name.as_str());
        format!(
            "supervisor `{name}`: {} (event {})",
            occasion.because, occasion.seq
        )
    }
}

fn watch(origin: Origin, supervisor: &Supervisor) -> Result<Watching, RecordError> {
    let wrong = |why: String| RecordError::Unreadable(why);
    let agent = supervisor
        .agent()
        .ok_or_else(|| wrong(format!("`{}` cannot be a name", supervisor.name())))?;
    let decider = Decider::new(supervisor).map_err(|problem| wrong(problem.to_string()))?;
    Ok(Watching {
        agent,
        name: supervisor.name().to_owned(),
        origin,
        decider,
        wants: BTreeMap::new(),
    })
}

fn occasion(supervisor: usize, wish: Wish, seq: u64) -> Occasion {
    Occasion {
        supervisor,
        action: wish.action,
        because: wish.because,
        about: wish.about,
        requirement: wish.requirement,
        seq,
    }
}

/// What the mission was told, if it is to be paused for that.
fn told(supervisor: usize, body: &Json, seq: u64) -> Occasion {
    let body: Value = serde_json::from_str(body.text()).unwrap_or_default();
    Occasion {
        supervisor,
        action: Action::Ask,
        because: body["because"].as_str().unwrap_or_default().to_owned(),
        about: About::Mission,
        requirement: None,
        seq: body["event"].as_u64().unwrap_or(seq),
    }
}

/// Who stands behind what was done: the person who did it, or in whose name it was done.
fn person_behind(actor: &Actor) -> Option<AgentId> {
    match actor.kind {
        ActorKind::Human => Some(actor.id.clone()),
        ActorKind::Agent | ActorKind::System => actor.on_behalf_of.clone(),
    }
}

fn command_id(
    mission: &Mission,
    supervisor: &str,
    wish: &str,
    seq: u64,
    at: Timestamp,
) -> CommandId {
    let mut hasher = blake3::Hasher::new_derive_key(COMMAND);
    for part in [supervisor, wish] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.update(&mission.id().bits().to_le_bytes());
    hasher.update(&seq.to_le_bytes());
    let ms = u64::try_from(at.0).unwrap_or_default();
    CommandId::from_parts(ms, bits(&hasher))
}

/// The pause in place of a question that could not be asked.
fn instead_of(id: CommandId) -> CommandId {
    let mut hasher = blake3::Hasher::new_derive_key(COMMAND);
    hasher.update(b"instead");
    hasher.update(&id.bits().to_le_bytes());
    CommandId::from_parts(id.unix_ms(), bits(&hasher))
}

fn bits(hasher: &blake3::Hasher) -> u128 {
    let mut bytes = [0u8; 16];
    hasher.finalize_xof().fill(&mut bytes);
    u128::from_le_bytes(bytes)
}
