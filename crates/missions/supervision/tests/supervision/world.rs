//! A mission with its journal and its supervisors, driven step by step.

use adjutant_mission::{
    Actor, AgentId, ApprovalSource, Barrier, Command, CommandId, Decision, Driver, EffectClass,
    EffectNumber, Event, Failure, FailureKind, Input, Json, MicroUsd, Millis, Mission, MissionId,
    Outcome, Payload, Plan, Recorded, Retry, Scope, Start, Task, TaskKey, TenantId, Timestamp,
    ToolCall, ToolFacts, ToolId, ToolTable, Usage, Verdict, Waivers, WorkSpec,
};
use adjutant_supervision::{Intent, SUPERVISORS_INPUT, Supervision, Unfit, declare};
use serde_json::{Value, json};

pub const TOOL: &str = "work";

pub fn key(name: &str) -> TaskKey {
    TaskKey::new(name).unwrap()
}

pub fn ann() -> Actor {
    Actor::human(AgentId::new("ann").unwrap())
}

pub fn task(name: &str, after: &[&str], attempts: u16) -> Task {
    let call = ToolCall {
        tool: ToolId::new(TOOL).unwrap(),
        with: Json::parse("{}").unwrap(),
    };
    let mut task = Task::new(key(name), WorkSpec::Tool(call)).after(after.iter().map(|on| key(on)));
    task.retry = Retry {
        attempts,
        backoff: Millis(1),
        factor: 1,
        backoff_max: Millis(1),
    };
    task
}

pub fn supervised(mut plan: Plan, supervisors: Value) -> Plan {
    let inputs = json!({ SUPERVISORS_INPUT: supervisors });
    plan.inputs = Some(Json::encode(&inputs).unwrap());
    plan
}

/// Whether questions about the plan and the result were answered before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approvals {
    InAdvance,
    Asked,
}

#[derive(Debug)]
pub struct World {
    pub now: Timestamp,
    pub driver: Driver,
    pub journal: Vec<Recorded>,
    pub own: Supervision,
    pub flying: Vec<EffectNumber>,
    commands: u128,
}

impl World {
    pub fn new(mut plan: Plan, approvals: Approvals) -> Self {
        declare(&mut plan, &[]).unwrap();
        let start = Start {
            mission: MissionId::from_parts(1_000, 7),
            scope: Scope::of(TenantId::new("t").unwrap()),
            plan,
            tools: table(TOOL),
            approvals: match approvals {
                Approvals::Asked => Vec::new(),
                Approvals::InAdvance => vec![ApprovalSource::Waiver {
                    by: ann().id,
                    types: Waivers::all(),
                }],
            },
            parent: None,
            began_by: Vec::new(),
        };
        let now = Timestamp(1_000);
        let driver = Driver::open(now, &ann(), CommandId::from_bits(1), start).unwrap();
        let first = driver.unsaved()[0].clone();
        let mut world = Self {
            now,
            driver,
            own: Supervision::begin(&first).unwrap().unwrap(),
            journal: vec![first],
            flying: Vec::new(),
            commands: 1,
        };
        world.save();
        if approvals == Approvals::Asked {
            world.answer_all(Verdict::Approve);
        }
        world
    }

    /// Makes durable what was decided, and shows it to the supervisors.
    pub fn save(&mut self) {
        let known = self.journal.len();
        let news: Vec<Recorded> = self.driver.unsaved().to_vec();
        for recorded in news {
            if recorded.seq as usize <= known {
                continue;
            }
            self.own.apply(&recorded).unwrap();
            self.journal.push(recorded);
        }
        self.driver.saved();
    }

    pub fn mission(&self) -> &Mission {
        self.driver.mission()
    }

    /// What supervisors see who read the journal up to there.
    pub fn fold(&self, events: usize) -> Supervision {
        let mut fold = Supervision::begin(&self.journal[0]).unwrap().unwrap();
        for recorded in &self.journal[1..events] {
            fold.apply(recorded).unwrap();
        }
        fold
    }

    /// The process is killed: what is not durable is gone.
    pub fn restart(&mut self) {
        let mission = Mission::fold(&self.journal).unwrap();
        self.own = self.fold(self.journal.len());
        self.driver = Driver::resume(self.now, mission);
        self.flying.clear();
        self.save();
    }

    pub fn command(&mut self, command: Command) -> bool {
        self.commands += 1;
        let input = Input::Command {
            id: CommandId::from_bits(self.commands),
            by: ann(),
            command,
        };
        let taken = self.driver.input(self.now, &input).is_ok();
        self.save();
        taken
    }

    pub fn answer_all(&mut self, verdict: Verdict) {
        let open: Vec<_> = self
            .mission()
            .open_checkpoints()
            .map(|asked| {
                let first = asked.checkpoint.options.first();
                let option = first.map(|option| option.key.clone());
                (asked.checkpoint.number, option)
            })
            .collect();
        for (checkpoint, option) in open {
            let decision = Decision {
                option: option.filter(|_| verdict == Verdict::Approve),
                ..Decision::new(verdict)
            };
            self.command(Command::Decide {
                checkpoint,
                decision,
            });
        }
    }

    /// Lets time pass and takes up what is owed.
    pub fn proceed(&mut self) {
        self.now = self.now.plus(Millis(2));
        self.driver.proceed(self.now);
        self.save();
        let effects = self.driver.take_effects(self.now);
        self.flying
            .extend(effects.into_iter().map(|effect| effect.id.number));
        self.save();
    }

    pub fn outcome(&mut self, effect: EffectNumber, outcome: Outcome) {
        self.now = self.now.plus(Millis(1));
        // A refused outcome is one that nobody wants any more.
        let _ = self
            .driver
            .input(self.now, &Input::Outcome { effect, outcome });
        self.save();
    }

    /// Performs everything that is owed, until nothing is.
    pub fn perform_all(&mut self, outcome: impl Fn(usize) -> Outcome) {
        for n in 0..200 {
            self.proceed();
            let Some(effect) = self.flying.pop() else {
                return;
            };
            self.outcome(effect, outcome(n));
            self.steer();
        }
    }

    /// As a host does: gives the mission what its supervisors want, one command after the other.
    pub fn steer(&mut self) -> Vec<Intent> {
        let mut given = Vec::new();
        for _ in 0..100 {
            let Some(intent) = self.own.next() else {
                return given;
            };
            if self.deliver(&intent) == Ok(true) {
                given.push(intent);
            }
        }
        panic!("the supervisors never come to rest: {given:?}");
    }

    /// Somebody sends a command as a supervisor's. Says whether the mission took it.
    pub fn deliver(&mut self, intent: &Intent) -> Result<bool, Unfit> {
        self.own.check(intent)?;
        let taken = self.driver.input(self.now, &input_of(intent)).is_ok();
        match taken {
            true => self.save(),
            false => self.own.refused(intent.id),
        }
        Ok(taken)
    }

    /// The process is killed after a command was taken and before that was durable.
    pub fn lose(&mut self, intent: &Intent) {
        if self.own.check(intent).is_ok() {
            let _ = self.driver.input(self.now, &input_of(intent));
        }
        self.restart();
    }

    pub fn count(&self, wanted: impl Fn(&Recorded) -> bool) -> usize {
        self.journal.iter().filter(|event| wanted(event)).count()
    }

    pub fn by_supervisor(recorded: &Recorded) -> bool {
        let actor = recorded.actor.as_ref();
        actor.is_some_and(|actor| actor.id.as_str().starts_with("supervisor:"))
    }
}

/// What the machine knows of a tool, or of a way to ask a model.
fn table(tool: &str) -> ToolTable {
    let facts = ToolFacts {
        class: EffectClass::Pure,
        price: MicroUsd::ZERO,
        tokens: 0,
        time_limit: Millis(0),
        provenance: None,
    };
    ToolTable::from([(ToolId::new(tool).unwrap(), facts)])
}

/// As a host gives it to the mission: with what the machine must know of models that are asked for the first time.
pub fn input_of(intent: &Intent) -> Input {
    let mut command = intent.command.clone();
    if let Command::Replan { patch, .. } = &mut command
        && patch
            .add
            .iter()
            .any(|task| matches!(task.work, WorkSpec::Agent(_)))
    {
        patch.tools = table("ask:L4");
    }
    Input::Command {
        id: intent.id,
        by: intent.by.clone(),
        command,
    }
}

pub fn done(output: Value) -> Outcome {
    Outcome::done(Payload::Inline(Json::encode(&output).unwrap()), Usage::NONE)
}

pub fn failed(kind: FailureKind) -> Outcome {
    Outcome::Failed {
        failure: Failure {
            kind,
            message: "no".into(),
        },
        usage: Usage::NONE,
    }
}

pub fn is_abort(recorded: &Recorded) -> bool {
    matches!(recorded.event, Event::StopRequested { .. })
}

pub fn chain(tasks: usize, attempts: u16) -> Plan {
    let names: Vec<String> = (0..tasks).map(|n| format!("t{n}")).collect();
    let tasks = names.iter().enumerate().map(|(n, name)| {
        let before: Vec<&str> = names[..n].last().map(String::as_str).into_iter().collect();
        task(name, &before, attempts)
    });
    let mut plan = Plan::new("t", tasks.collect());
    plan.barrier = Barrier::None;
    plan
}
