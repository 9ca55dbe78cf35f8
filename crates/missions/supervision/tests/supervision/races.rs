//! Supervisors that race, lag, repeat and lie, and a process that is killed at any moment. Whatever happens, each decision is carried
//! out once, in the state it was made for, and none is lost. A failing seed names itself.

use std::collections::BTreeMap;

use adjutant_mission::{
    Actor, ActorKind, AgentId, Cause, Command, CommandId, Event, FailureKind, Millis, Recorded,
    Verdict,
};
use adjutant_supervision::{Action, Intent, Supervision, Unfit};
use serde_json::json;

use crate::world::{Approvals, World, chain, done, failed, is_abort, supervised};

const SEEDS: u64 = 80;
const STEPS: usize = 150;
const WATCHERS: usize = 3;

/// A generator of numbers that follow from the seed.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }

    fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }
}

/// A supervisor's process that reads the journal at its own pace.
struct Watcher {
    fold: Supervision,
    read: usize,
}

#[derive(Debug, Default)]
struct Tally {
    taken: BTreeMap<&'static str, usize>,
    moved_on: usize,
    no_occasion: usize,
    crashes: usize,
    lies_that_were_true: usize,
}

struct Race {
    seed: u64,
    /// Whether the first failure makes somebody ask.
    asks_at_once: bool,
    chance: Chance,
    world: World,
    watchers: Vec<Watcher>,
    mail: Vec<Intent>,
    tally: Tally,
}

impl Race {
    fn new(seed: u64) -> Self {
        let mut chance = Chance(seed);
        let rule = |name: &str, when: &str, then: &str| json!({"name": name, "when": when, "then": then, "because": name});
        let standard = json!({"kind": "rules", "name": "standard"});
        let nightly = json!({"kind": "background", "name": "nightly"});
        let careful = json!({"kind": "rules", "name": "careful", "rules": [
            rule("one", "mission.errors > 0", "ask"),
            rule("two", "mission.errors > 1", "pause"),
            rule("stuck", "mission.blocked > 0", "pause"),
        ]});
        let board = json!({"kind": "panel", "name": "board"});
        // Whatever it is answered with cannot be read.
        let eye = json!({"kind": "model", "name": "eye", "question": "Is it sound?", "looks": 2, "then": "pause"});
        let (attempts, supervisors) = match chance.below(3) {
            0 => (1, json!([nightly, standard])),
            1 => (4, json!([careful, standard])),
            _ => (4, json!([standard, board, nightly, careful, eye])),
        };
        let plan = supervised(chain(4 + chance.below(10), attempts), supervisors);
        let approvals = match chance.one_in(2) {
            true => Approvals::InAdvance,
            false => Approvals::Asked,
        };
        let world = World::new(plan, approvals);
        let watcher = || Watcher {
            fold: world.fold(1),
            read: 1,
        };
        let watchers = (0..WATCHERS).map(|_| watcher()).collect();
        Self {
            seed,
            asks_at_once: attempts > 1,
            chance,
            world,
            watchers,
            mail: Vec::new(),
            tally: Tally::default(),
        }
    }

    fn step(&mut self) {
        match self.chance.below(12) {
            0..=3 => self.work(),
            4 | 5 => self.read(),
            6 | 7 => self.decide(),
            8 | 9 => self.send(),
            10 => self.lie(),
            _ => self.person(),
        }
        if self.chance.one_in(50) {
            self.tally.crashes += 1;
            self.world.restart();
        }
    }

    fn work(&mut self) {
        self.world.proceed();
        if self.world.flying.is_empty() {
            return;
        }
        let at = self.chance.below(self.world.flying.len());
        let effect = self.world.flying.swap_remove(at);
        let outcome = match self.chance.below(6) {
            0 | 1 => failed(FailureKind::Temporary),
            2 => done(json!({"files": ["a.xml", "b.csv"]})),
            _ => done(json!({})),
        };
        self.world.outcome(effect, outcome);
    }

    /// One of them reads on, but not always to the end.
    fn read(&mut self) {
        let at = self.chance.below(self.watchers.len());
        let known = self.world.journal.len();
        let more = self.chance.below(40);
        let watcher = &mut self.watchers[at];
        let to = known.min(watcher.read + more);
        for recorded in &self.world.journal[watcher.read..to] {
            watcher.fold.apply(recorded).unwrap();
        }
        watcher.read = to;
    }

    /// One of them decides from what it has read, and may say so several times.
    fn decide(&mut self) {
        let at = self.chance.below(self.watchers.len());
        if let Some(intent) = self.watchers[at].fold.next() {
            let times = 1 + self.chance.below(3);
            if self.chance.one_in(2) {
                self.deliver(&intent);
            }
            self.mail.extend(std::iter::repeat_n(intent, times));
        }
    }

    /// Some letter arrives, whichever it is; it may be kept and arrive again.
    fn send(&mut self) {
        if self.mail.is_empty() {
            return;
        }
        let at = self.chance.below(self.mail.len());
        let intent = match self.chance.one_in(3) {
            true => self.mail[at].clone(),
            false => self.mail.swap_remove(at),
        };
        match self.chance.one_in(10) {
            true => {
                self.tally.crashes += 1;
                self.world.lose(&intent);
            }
            false => self.deliver(&intent),
        }
    }

    fn deliver(&mut self, intent: &Intent) {
        match self.world.deliver(intent) {
            Ok(true) => *self.tally.taken.entry(intent.action.name()).or_default() += 1,
            Ok(false) => {}
            Err(Unfit::MovedOn { .. }) => self.tally.moved_on += 1,
            Err(Unfit::NoOccasion) => self.tally.no_occasion += 1,
        }
    }

    /// Claims what is not in the events.
    fn lie(&mut self) {
        let seen = self.world.mission().seq();
        let kept = match self.mail.is_empty() {
            true => None,
            false => {
                let at = self.chance.below(self.mail.len());
                Some(self.mail[at].clone())
            }
        };
        let lie = match (self.chance.below(3), kept) {
            // An old decision that claims to be of now.
            (0, Some(kept)) => Intent { seen, ..kept },
            // A true one with another command in it.
            (1, Some(kept)) => Intent {
                seen,
                action: Action::Abort,
                command: abort(),
                ..kept
            },
            _ => Intent {
                id: CommandId::from_bits(u128::from(self.chance.next())),
                seen,
                by: Actor {
                    kind: ActorKind::Agent,
                    id: AgentId::new("supervisor:standard").unwrap(),
                    role: None,
                    on_behalf_of: None,
                },
                action: Action::Abort,
                command: abort(),
                requirement: None,
            },
        };
        if self.world.own.next().as_ref() == Some(&lie) {
            self.tally.lies_that_were_true += 1;
        }
        self.deliver(&lie);
    }

    fn person(&mut self) {
        match self.chance.below(8) {
            0 => {
                let reason = "a person".to_owned();
                self.world.command(Command::Pause { reason });
            }
            1..=4 => {
                self.world.command(Command::Resume);
            }
            5 | 6 => self.world.answer_all(Verdict::Approve),
            _ => self.world.now = self.world.now.plus(Millis(50)),
        }
    }

    /// The host is left alone with its mission.
    fn settle(&mut self) {
        // Whoever only follows the mission knows beforehand whether its supervisors will act.
        let follower = self.world.fold(self.world.journal.len());
        let foreseen = { follower }.is_about_to_act(self.world.now);
        let given = self.world.steer();
        // A look of a model is allowed by its host, which a follower cannot foresee.
        let acted = given.iter().any(|intent| intent.action != Action::Look);
        assert!(foreseen || !acted, "seed {}: {given:?}", self.seed);
        assert!(!foreseen || !given.is_empty(), "seed {}", self.seed);
        for intent in given {
            *self.tally.taken.entry(intent.action.name()).or_default() += 1;
        }
    }

    fn check(&self) {
        self.nothing_twice();
        self.nothing_in_another_state();
        self.nothing_lost();
    }

    /// The events of a command stand together, and come once.
    fn nothing_twice(&self) {
        let mut last: BTreeMap<CommandId, u64> = BTreeMap::new();
        for recorded in &self.world.journal {
            if let Some(Cause::Command(id)) = recorded.cause {
                let before = last.insert(id, recorded.seq);
                assert!(
                    before.is_none_or(|before| before + 1 == recorded.seq),
                    "seed {}: {id} at {before:?} and {}",
                    self.seed,
                    recorded.seq
                );
            }
        }
        let aborts = |name: &str| {
            let by = |recorded: &Recorded| {
                is_abort(recorded)
                    && recorded
                        .actor
                        .as_ref()
                        .is_some_and(|by| by.id.as_str() == name)
            };
            self.world.count(by)
        };
        assert!(aborts("supervisor:standard") <= 1, "seed {}", self.seed);
    }

    /// Whoever reads the journal up to the event before decides just this.
    fn nothing_in_another_state(&self) {
        let mut fold = self.world.fold(1);
        for (before, recorded) in self.world.journal.iter().zip(&self.world.journal[1..]) {
            if World::by_supervisor(recorded) && before.cause != recorded.cause {
                self.is_meant(&mut fold, recorded);
            }
            fold.apply(recorded).unwrap();
        }
    }

    /// `fold` has seen everything before this event.
    fn is_meant(&self, fold: &mut Supervision, recorded: &Recorded) {
        let Some(Cause::Command(id)) = recorded.cause else {
            panic!("seed {}: a command without an id", self.seed);
        };
        // What the mission refuses is passed over.
        let mut wanted = std::iter::from_fn(|| {
            let next = fold.next()?;
            fold.refused(next.id);
            Some(next)
        });
        let meant = wanted.find(|intent| intent.id == id);
        let meant = meant.unwrap_or_else(|| {
            panic!(
                "seed {}: event {} was not decided in this state",
                self.seed, recorded.seq
            )
        });
        assert_eq!(meant.seen, recorded.seq - 1, "seed {}", self.seed);
        let told = match (&meant.command, &recorded.event) {
            (Command::Abort { reason, .. }, Event::StopRequested { reason: told, .. })
            | (Command::Pause { reason }, Event::MissionPaused { reason: told })
            | (Command::Inform { topic: reason, .. }, Event::Informed { topic: told, .. }) => {
                reason == told
            }
            _ => false,
        };
        assert!(told, "seed {}: {recorded:?} is not {meant:?}", self.seed);
    }

    /// By counting alone: after four failed attempts the mission is being ended, and after one a person was asked or it was paused.
    fn nothing_lost(&self) {
        let is_failure =
            |recorded: &&Recorded| matches!(recorded.event, Event::AttemptFailed { .. });
        let failures = self.world.journal.iter().filter(is_failure).count();
        let stopped = self.world.count(is_abort) > 0;
        let over = self.world.mission().ending().is_some();
        assert!(
            failures < 4 || stopped || over,
            "seed {}: {failures} failures, and nobody aborts",
            self.seed
        );
        let told = |recorded: &Recorded| {
            World::by_supervisor(recorded)
                && matches!(
                    recorded.event,
                    Event::Informed { .. }
                        | Event::MissionPaused { .. }
                        | Event::StopRequested { .. }
                )
        };
        assert!(
            !self.asks_at_once || failures == 0 || stopped || over || self.world.count(told) > 0,
            "seed {}: a failure, and nobody is asked",
            self.seed
        );
    }
}

fn abort() -> Command {
    Command::Abort {
        reason: "supervisor `standard`: more than 3 attempts failed (event 2)".into(),
        undo: false,
    }
}

#[test]
fn supervisors_that_race_lag_repeat_and_lie_break_nothing() {
    let mut all = Tally::default();
    for seed in 0..SEEDS {
        let mut race = Race::new(seed);
        for _ in 0..STEPS {
            race.step();
        }
        race.settle();
        race.check();
        for (action, times) in race.tally.taken {
            *all.taken.entry(action).or_default() += times;
        }
        all.moved_on += race.tally.moved_on;
        all.no_occasion += race.tally.no_occasion;
        all.crashes += race.tally.crashes;
        all.lies_that_were_true += race.tally.lies_that_were_true;
    }
    // A race in which nothing happens proves nothing.
    for action in ["ask", "pause", "abort", "retry"] {
        let times = all.taken.get(action).copied().unwrap_or_default();
        assert!(times > 10, "{action}: {all:?}");
    }
    assert!(all.moved_on > 100 && all.no_occasion > 100, "{all:?}");
    assert!(all.crashes > 100, "{all:?}");
}

#[test]
fn everybody_who_reads_the_same_events_decides_the_same() {
    for seed in 0..10 {
        let mut race = Race::new(seed);
        for _ in 0..STEPS {
            race.step();
        }
        let known = race.world.journal.len();
        let (one, other) = (race.world.fold(known), race.world.fold(known));
        assert_eq!(one.next(), other.next(), "seed {seed}");
        let mut lagging = race.watchers.remove(0);
        for recorded in &race.world.journal[lagging.read..] {
            lagging.fold.apply(recorded).unwrap();
        }
        assert_eq!(lagging.fold.next(), one.next(), "seed {seed}");
    }
}
