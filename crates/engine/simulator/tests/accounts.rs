//! Many missions and forks of them at once on the same accounts, with crashes and repeated outcomes: no cap is passed by a
//! millionth, and nothing stays reserved for nothing.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use std::collections::BTreeMap;
use std::convert::Infallible;

use adjutant_mission::*;
use proptest::prelude::*;

const MISSIONS: usize = 64;
const FORKS_MAX: usize = 64;
const NOW: Timestamp = Timestamp(1_700_000_000_000);
const TOOLS: [(&str, u64, EffectClass); 3] = [
    ("read", 70, EffectClass::Pure),
    ("book", 130, EffectClass::Idempotent),
    ("pay", 1_000, EffectClass::Once),
];

fn start(number: usize) -> Start {
    let tools = TOOLS.map(|(name, price, class)| {
        let facts = ToolFacts {
            class,
            price: MicroUsd(price),
            tokens: 0,
            time_limit: Millis(5),
            provenance: None,
        };
        (ToolId::new(name).unwrap(), facts)
    });
    let tasks = (0..4).map(|n| {
        let (tool, ..) = TOOLS[(number + n) % TOOLS.len()];
        let call = ToolCall {
            tool: ToolId::new(tool).unwrap(),
            with: Json::parse("{}").unwrap(),
        };
        Task::new(TaskKey::new(format!("t{n}")).unwrap(), WorkSpec::Tool(call))
    });
    let mut plan = Plan::new("shares", tasks.collect());
    plan.on_failure = OnFailure::GiveUp;
    plan.strategy = adjutant_mission::Strategy::ContinueOnBlock;
    plan.skips_max = 4;
    let mut scope = Scope::of(TenantId::new("acme").unwrap());
    scope.campaign = number
        .is_multiple_of(2)
        .then(|| CampaignId::new("launch").unwrap());
    Start {
        mission: MissionId::from_bits(number as u128 + 1),
        scope,
        plan,
        tools: tools.into(),
        approvals: vec![ApprovalSource::Waiver {
            by: AgentId::new("ann").unwrap(),
            types: Waivers::all(),
        }],
        parent: None,
        began_by: Vec::new(),
    }
}

/// One mission with a host that may die at any moment.
struct Hosted {
    driver: Driver,
    journal: Vec<Recorded>,
    flying: Vec<EffectNumber>,
    reported: Vec<(EffectNumber, Outcome)>,
}

struct Shared {
    caps: BTreeMap<(AccountOwner, Window), AccountCaps>,
    accounts: BTreeMap<AccountKey, Balance>,
}

impl Shared {
    fn take(&mut self, owners: &[AccountOwner], charges: &[Charge]) -> Result<(), AccountRefusal> {
        let account = |key: &AccountKey| {
            let named = (key.owner.clone(), key.window);
            Ok::<_, Infallible>(Account {
                caps: self.caps.get(&named).cloned().unwrap_or_default(),
                balance: self.accounts.get(key).copied().unwrap_or_default(),
            })
        };
        let Ok(taken) = take_charges(owners, charges, account);
        self.accounts.extend(taken?);
        for (key, balance) in &self.accounts {
            let named = (key.owner.clone(), key.window);
            let held = balance.used.plus(balance.reserved);
            for (resource, cap) in self
                .caps
                .get(&named)
                .map_or(&BTreeMap::new(), |caps| &caps.hard)
            {
                assert!(held.get(*resource) <= *cap, "{key:?}: {held:?}");
            }
        }
        Ok(())
    }
}

impl Hosted {
    fn open(number: usize, shared: &mut Shared) -> Self {
        let by = Actor::human(AgentId::new("ann").unwrap());
        let command = CommandId::from_bits(number as u128 + 1);
        let mut hosted = Self {
            driver: Driver::open(NOW, &by, command, start(number)).unwrap(),
            journal: Vec::new(),
            flying: Vec::new(),
            reported: Vec::new(),
        };
        hosted.save(shared);
        hosted
    }

    /// A fork of the mission after this many of its events, if it can be forked there.
    fn fork(&self, number: usize, events: usize, shared: &mut Shared) -> Option<Self> {
        let point = fork_point(&self.journal, events as u64);
        point.ok()?;
        let by = Actor::human(AgentId::new("bob").unwrap());
        let fork = Fork {
            mission: MissionId::from_bits(number as u128 + 1),
            of: self.driver.mission().id(),
            inherited: self.journal[..events].to_vec(),
            changes: Vec::new(),
        };
        let command = CommandId::from_bits((2000 + number as u128) << 32);
        let mut hosted = Self {
            driver: Driver::fork(NOW, &by, command, fork).unwrap(),
            journal: Vec::new(),
            flying: Vec::new(),
            reported: Vec::new(),
        };
        hosted.save(shared);
        Some(hosted)
    }

    /// What it spent itself: a fork did not spend what it inherited.
    fn spent(&self) -> u64 {
        let mission = self.driver.mission();
        let inherited = mission.forked().map_or(Usage::NONE, |forked| forked.used);
        mission.used().minus(inherited).money.0
    }

    /// Saves and performs until nothing moves.
    fn save(&mut self, shared: &mut Shared) {
        loop {
            while !self.driver.unsaved().is_empty() {
                let owners = self.driver.mission().account_owners();
                match shared.take(&owners, &self.driver.charges()) {
                    Ok(()) => {
                        self.journal.extend_from_slice(self.driver.unsaved());
                        self.driver.saved();
                    }
                    Err(refusal) => {
                        let stored = (!self.journal.is_empty())
                            .then(|| Mission::fold(&self.journal).unwrap());
                        self.driver.redecide_without(stored, refusal);
                    }
                }
            }
            let effects = self.driver.take_effects(NOW);
            if effects.is_empty() && self.driver.unsaved().is_empty() {
                return;
            }
            self.flying
                .extend(effects.iter().map(|effect| effect.id.number));
        }
    }

    fn report(&mut self, effect: EffectNumber, outcome: Outcome, shared: &mut Shared) {
        // One that comes twice, or late, is refused.
        let _ = self.driver.input(NOW, &Input::Outcome { effect, outcome });
        self.save(shared);
    }

    fn crash(&mut self, shared: &mut Shared) {
        let folded = Mission::fold(&self.journal).unwrap();
        self.driver = Driver::resume(NOW, folded);
        self.flying.clear();
        self.save(shared);
    }

    /// Whatever only a person can say is said.
    fn settle(&mut self, number: usize, shared: &mut Shared) {
        let by = Actor::human(AgentId::new("ann").unwrap());
        for turn in 0.. {
            let Some(asked) = self.driver.mission().open_checkpoints().next() else {
                return;
            };
            let option = asked
                .checkpoint
                .options
                .iter()
                .find(|option| option.key.as_str() == "mark_done");
            let decision = Decision {
                option: option.map(|option| option.key.clone()),
                ..Decision::new(Verdict::Approve)
            };
            let command = Command::Decide {
                checkpoint: asked.checkpoint.number,
                decision,
            };
            let id = CommandId::from_bits((1000 + number as u128) << 32 | turn);
            let input = Input::Command {
                id,
                by: by.clone(),
                command,
            };
            self.driver.input(NOW, &input).unwrap();
            self.save(shared);
        }
    }
}

fn limits(cap: u64) -> AccountCaps {
    AccountCaps {
        soft: Limits::new(),
        hard: [(Resource::Money, cap)].into(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn no_cap_is_passed_and_no_reservation_leaks(
        day in 0u64..60_000,
        campaign in 0u64..30_000,
        moves in proptest::collection::vec((0..MISSIONS, 0u8..10, any::<u16>(), 0u64..1_200), 200..900),
    ) {
        let launch = AccountOwner::Campaign(CampaignId::new("launch").unwrap());
        let mut shared = Shared {
            caps: [
                ((AccountOwner::Tenant, Window::Day), limits(day)),
                ((launch, Window::Total), limits(campaign)),
            ].into(),
            accounts: BTreeMap::new(),

        };
        let mut hosted: Vec<Hosted> = Vec::new();
        for number in 0..MISSIONS {
            hosted.push(Hosted::open(number, &mut shared));
        }
        for (which, how, pick, used) in moves {
            let (number, which) = (hosted.len(), (which + usize::from(pick)) % hosted.len());
            let mission = &mut hosted[which];
            match how {
                2 if number < MISSIONS + FORKS_MAX => {
                    let events = usize::from(pick) % mission.journal.len();
                    let fork = mission.fork(number, events, &mut shared);
                    hosted.extend(fork);
                }
                0 => mission.crash(&mut shared),
                1 if !mission.reported.is_empty() => {
                    let at = usize::from(pick) % mission.reported.len();
                    let (effect, outcome) = mission.reported[at].clone();
                    mission.report(effect, outcome, &mut shared);
                }
                _ if !mission.flying.is_empty() => {
                    let effect = mission.flying.remove(usize::from(pick) % mission.flying.len());
                    let usage = Usage { money: MicroUsd(used), tokens: 3 };
                    let outcome = Outcome::done(Payload::Inline(Json::null()), usage);
                    mission.reported.push((effect, outcome.clone()));
                    mission.report(effect, outcome, &mut shared);
                }
                _ => {}
            }
        }
        for (number, mission) in hosted.iter_mut().enumerate() {
            loop {
                while let Some(effect) = mission.flying.pop() {
                    let outcome = Outcome::done(Payload::Inline(Json::null()), Usage::NONE);
                    mission.report(effect, outcome, &mut shared);
                }
                mission.settle(number, &mut shared);
                if mission.flying.is_empty() {
                    break;
                }
            }
            prop_assert!(mission.driver.mission().ending().is_some());
        }
        let spent: u64 = hosted.iter().map(Hosted::spent).sum();
        for (key, balance) in &shared.accounts {
            prop_assert_eq!(balance.reserved, Amounts::NONE, "{:?}", key);
            if key.owner == AccountOwner::Tenant {
                prop_assert_eq!(balance.used.money.0, spent);
            }
        }
        prop_assert!(spent <= day);
    }
}
