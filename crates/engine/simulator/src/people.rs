//! The people around a mission: they answer, stay silent, claim, meddle, and sometimes try what they may not.

use adjutant_mission::{
    Action, Actor, ActorKind, AgentId, Asks, Caps, CheckpointNumber, CheckpointState,
    CheckpointType, Command, CommandId, Decision, Dependency, DependencyKind, Human, IdError, Json,
    Millis, Mission, OptionKey, PlanPatch, Role, Task, TaskKey, Timestamp, Trust, Verdict,
    WorkSpec,
};

use crate::random::Random;
use crate::scene::Temper;

#[derive(Debug)]
pub(crate) struct People {
    random: Random,
    /// A human without a role, one in finance, one in law, an agent, the system.
    all: [Actor; 5],
    options: [OptionKey; 5],
    commands: u128,
    pub(crate) calm: bool,
}

impl People {
    pub(crate) fn new(seed: u64) -> Result<Self, IdError> {
        let human = |name: &str| AgentId::new(name).map(Actor::human);
        let not_human = |name: &str, kind| {
            let role = Some(Role::new("finance")?);
            human(name).map(|actor| Actor {
                kind,
                role,
                ..actor
            })
        };
        let option = |name: &str| OptionKey::new(name);
        Ok(Self {
            random: Random::new(seed, 4),
            all: [
                human("ann")?,
                human("bob")?.with_role(Role::new("finance")?),
                human("eve")?.with_role(Role::new("law")?),
                not_human("robot", ActorKind::Agent)?,
                not_human("engine", ActorKind::System)?,
            ],
            options: [
                option("retry")?,
                option("skip")?,
                option("mark_done")?,
                option("abort")?,
                option("nonsense")?,
            ],
            commands: 0,
            calm: false,
        })
    }

    pub(crate) fn owner(&self) -> &Actor {
        &self.all[0]
    }

    pub(crate) fn command_id(&mut self) -> CommandId {
        self.commands += 1;
        CommandId::from_bits(self.commands)
    }

    /// How long until somebody looks at a new question; `None` when nobody ever does.
    pub(crate) fn reaction(&mut self, temper: &Temper, asks: Option<&Asks>) -> Option<Millis> {
        if self.calm {
            return Some(Millis(10));
        }
        if self.random.percent(chance_of(temper.silence_percent, asks)) {
            return None;
        }
        let most = match self.random.below(10) {
            0..6 => 4_000,
            6..9 => 40_000,
            _ => 1_200_000,
        };
        Some(Millis(self.random.below(most)))
    }

    /// Whether somebody who was refused tries again.
    pub(crate) fn insists(&mut self) -> bool {
        self.calm || self.random.percent(70)
    }

    /// Somebody's answer to an open question.
    pub(crate) fn answer(&mut self, state: &CheckpointState, temper: &Temper) -> (Actor, Command) {
        let asked = &state.checkpoint;
        let checkpoint = asked.number;
        if self.calm {
            let by = match &state.claim {
                Some(claim) => claim.by.clone(),
                None => self.with_role(asked.role.as_ref()),
            };
            let decision = self.helpful(state);
            return (
                by,
                Command::Decide {
                    checkpoint,
                    decision,
                },
            );
        }
        let by = match &state.claim {
            Some(claim) if self.random.percent(70) => claim.by.clone(),
            _ if self.random.percent(85) => self.with_role(asked.role.as_ref()),
            _ => self.all[self.random.below(5) as usize].clone(),
        };
        let is_layer = matches!(asked.asks, Asks::PassLayer { .. });
        let command = match self.random.below(100) {
            0..8 => Command::Claim { checkpoint },
            8..12 => Command::Release { checkpoint },
            12..50 if is_layer => Command::Continue,
            _ => Command::Decide {
                checkpoint,
                decision: self.decision(state, temper),
            },
        };
        (by, command)
    }

    fn with_role(&mut self, role: Option<&Role>) -> Actor {
        match role {
            Some(_) => self.all[1].clone(),
            None => self.all[self.random.below(3) as usize].clone(),
        }
    }

    /// What lets the mission come to an end.
    fn helpful(&self, state: &CheckpointState) -> Decision {
        let asked = &state.checkpoint;
        let option = match &asked.asks {
            Asks::RecoverTask { .. } => Some(self.options[1].clone()),
            Asks::SettleInDoubt { .. } => Some(self.options[2].clone()),
            _ => asked.options.first().map(|option| option.key.clone()),
        };
        Decision {
            option,
            ..Decision::new(Verdict::Approve)
        }
    }

    fn decision(&mut self, state: &CheckpointState, temper: &Temper) -> Decision {
        let asked = &state.checkpoint;
        let verdict = match self.random.below(100) {
            percent if percent < chance_of(temper.reject_percent, Some(&asked.asks)) => {
                Verdict::Reject
            }
            percent if percent >= 75 => Verdict::Modify,
            _ => Verdict::Approve,
        };
        let option = match self.random.below(20) {
            0 => Some(self.options[4].clone()),
            1 => None,
            _ => self.random.pick(&asked.options).map(|o| o.key.clone()),
        };
        let change = match self.random.below(10) {
            _ if verdict == Verdict::Approve && self.random.percent(80) => None,
            0..6 => Json::parse(r#"{"changed":true}"#).ok(),
            6 => Json::parse("[1]").ok(),
            _ => None,
        };
        Decision {
            verdict,
            option,
            note: "so said".into(),
            change,
            redo: Vec::new(),
            patch: None,
        }
    }

    /// Names tasks to do again, for a change asked at the final review.
    pub(crate) fn send_back(&mut self, mission: &Mission, command: &mut Command) {
        let Command::Decide {
            checkpoint,
            decision,
        } = command
        else {
            return;
        };
        let state = mission.checkpoints().get(checkpoint.index());
        let asked = state.map(|state| &state.checkpoint);
        let reviews = asked.is_some_and(|asked| {
            asked.asks == Asks::ReviewResult && asked.actions.contains(&Action::Modify)
        });
        if reviews && decision.verdict == Verdict::Modify && self.random.percent(85) {
            let tasks = &mission.plan().tasks;
            let wanted = self.random.between(1, 2);
            for _ in 0..wanted {
                decision
                    .redo
                    .extend(self.random.pick(tasks).map(|task| task.key.clone()));
            }
        }
    }

    /// Answers a question about the plan, or about a task that cannot go on, with another plan.
    pub(crate) fn rethink(&mut self, mission: &Mission, command: &mut Command) {
        let Command::Decide {
            checkpoint,
            decision,
        } = command
        else {
            return;
        };
        let state = mission.checkpoints().get(checkpoint.index());
        if self.calm || decision.verdict != Verdict::Modify || !self.random.percent(60) {
            return;
        }
        let mut patch = self.patch(mission);
        if let Some(Asks::RecoverTask { task }) = state.map(|state| &state.checkpoint.asks)
            && self.random.percent(80)
            && let Some((spec, _)) = mission.task(task.as_str())
        {
            patch = PlanPatch {
                change: vec![spec.clone()],
                ..PlanPatch::default()
            };
        }
        decision.patch = Some(Box::new(patch));
    }

    /// A change of plan that may or may not fit.
    fn patch(&mut self, mission: &Mission) -> PlanPatch {
        let mut patch = PlanPatch::default();
        let tasks = &mission.plan().tasks;
        let Some(any) = self.random.pick(tasks).cloned() else {
            return patch;
        };
        if self.random.percent(50) {
            let key = format!("n{}", self.random.below(1_000));
            if let Ok(key) = TaskKey::new(key) {
                let mut added = Task { key, ..any.clone() };
                if self.random.percent(60) {
                    added.after = vec![Dependency {
                        task: any.key.clone(),
                        kind: DependencyKind::FinishToStart,
                        lag: Millis(self.random.below(3_000)),
                    }];
                }
                if matches!(added.work, WorkSpec::Gate(_)) {
                    added.work = WorkSpec::Human(question());
                }
                patch.add.push(added);
            }
        }
        let Some(other) = self.random.pick(tasks).cloned() else {
            return patch;
        };
        match self.random.below(10) {
            0..4 => patch.drop.push(other.key),
            4..8 => patch.change.push(Task {
                priority: self.random.below(3) as i16,
                after: other.after.into_iter().take(1).collect(),
                ..other
            }),
            8 => {
                patch.caps = Some(Caps {
                    turns: Some(self.random.between(1, 60)),
                    ..mission.plan().caps.clone()
                });
            }
            _ => {}
        }
        patch
    }

    /// Something nobody asked for.
    pub(crate) fn meddle(&mut self, now: Timestamp, mission: &Mission) -> (Actor, Command) {
        let by = self.all[self.random.below(5) as usize].clone();
        let checkpoint = self.random.below(mission.checkpoints().len() as u64 + 1);
        let checkpoint = CheckpointNumber::new(checkpoint as u32);
        let command = match self.random.below(100) {
            0..20 => Command::Replan {
                patch: Box::new(self.patch(mission)),
                why: "things have changed".into(),
            },
            20..30 => Command::Pause {
                reason: "wait".into(),
            },
            30..50 => Command::Resume,
            50..58 => Command::Continue,
            58..62 => Command::Abort {
                reason: "enough".into(),
                undo: self.random.percent(70),
            },
            62..70 => Command::Claim { checkpoint },
            70..78 => Command::Release { checkpoint },
            78..90 => Command::Inform {
                topic: "news".into(),
                trust: Trust::Untrusted,
                body: Json::encode(&now.0).unwrap_or_else(|_| Json::null()),
            },
            _ => {
                let verdicts = [Verdict::Approve, Verdict::Modify, Verdict::Reject];
                let verdict = verdicts[self.random.below(2) as usize];
                Command::Decide {
                    checkpoint,
                    decision: Decision::new(verdict),
                }
            }
        };
        (by, command)
    }

    pub(crate) fn percent(&mut self, chance: u64) -> bool {
        self.random.percent(chance)
    }
}

fn question() -> Human {
    Human {
        question: "And now?".into(),
        kind: CheckpointType::CriticalDecision,
        options: Vec::new(),
        recommend: None,
        on_modify: None,
        because: String::new(),
        role: None,
        approvers: None,
        deadline: None,
    }
}

/// How often a question gets a no, or silence.
fn chance_of(percent: u64, asks: Option<&Asks>) -> u64 {
    match asks {
        // A mission that never begins shows little.
        Some(Asks::ApprovePlan) => percent / 5,
        // There are few of these, and every answer to them is to be seen.
        Some(Asks::AcceptConclusion { .. }) => percent.max(25),
        _ => percent,
    }
}
