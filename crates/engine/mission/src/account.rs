//! Accounts that missions share: what a tenant and its campaigns may spend, by the day and in all.
//!
//! Missions and tasks have caps of their own, which the machine keeps. These are kept by the store, in the
//! transaction of the append that needs them, so that no cap is passed whatever runs at the same time. The rules
//! stand here, where every store finds the same ones.
//!
//! **Invariant:** What missions share is charged in the append that needs it. The store's one writer takes all charges
//! of a batch or refuses the batch; after a refusal `Driver::redecide_without` decides again without the refused
//! start, so nothing is lost or half done.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::{Deserialize, Serialize};

use crate::{CampaignId, MicroUsd, Millis, Timestamp, Usage};

const DAY_MS: i64 = 86_400_000;

/// What can be spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    /// Millionths of a US dollar.
    Money,
    Tokens,
    /// Effects begun.
    Calls,
    /// Milliseconds from an effect's start to its outcome.
    WallTime,
}

impl Resource {
    pub const ALL: [Self; 4] = [Self::Money, Self::Tokens, Self::Calls, Self::WallTime];

    pub fn name(self) -> &'static str {
        match self {
            Self::Money => "money",
            Self::Tokens => "tokens",
            Self::Calls => "calls",
            Self::WallTime => "wall_time",
        }
    }

    /// An amount of it, for people.
    pub fn tell(self, amount: u64) -> String {
        match self {
            Self::Money => alloc::format!("{}", MicroUsd(amount)),
            Self::Tokens if amount == 1 => "1 token".into(),
            Self::Tokens => alloc::format!("{amount} tokens"),
            Self::Calls if amount == 1 => "1 call".into(),
            Self::Calls => alloc::format!("{amount} calls"),
            Self::WallTime => alloc::format!("{}", Millis(amount)),
        }
    }
}

/// So much of each resource.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Amounts {
    pub money: MicroUsd,
    pub tokens: u64,
    pub calls: u64,
    pub wall_time: Millis,
}

impl Amounts {
    pub const NONE: Self = Self {
        money: MicroUsd::ZERO,
        tokens: 0,
        calls: 0,
        wall_time: Millis::ZERO,
    };

    /// What one call uses or holds.
    pub(crate) fn of_call(usage: Usage, wall_time: Millis) -> Self {
        Self {
            money: usage.money,
            tokens: usage.tokens,
            calls: 1,
            wall_time,
        }
    }

    pub fn get(&self, resource: Resource) -> u64 {
        match resource {
            Resource::Money => self.money.0,
            Resource::Tokens => self.tokens,
            Resource::Calls => self.calls,
            Resource::WallTime => self.wall_time.0,
        }
    }

    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.each(other, u64::saturating_add)
    }

    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        self.each(other, u64::saturating_sub)
    }

    fn each(self, other: Self, of: fn(u64, u64) -> u64) -> Self {
        Self {
            money: MicroUsd(of(self.money.0, other.money.0)),
            tokens: of(self.tokens, other.tokens),
            calls: of(self.calls, other.calls),
            wall_time: Millis(of(self.wall_time.0, other.wall_time.0)),
        }
    }
}

/// Whose account it is. A campaign's lies within its tenant's.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccountOwner {
    Tenant,
    Campaign(CampaignId),
}

const CAMPAIGN: &str = "campaign/";

impl AccountOwner {
    /// As it is stored and given on a command line: `tenant`, or `campaign/NAME`.
    pub fn name(&self) -> String {
        match self {
            Self::Tenant => "tenant".into(),
            Self::Campaign(campaign) => alloc::format!("{CAMPAIGN}{campaign}"),
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        match name.strip_prefix(CAMPAIGN) {
            Some(campaign) => CampaignId::new(campaign).ok().map(Self::Campaign),
            None => (name == "tenant").then_some(Self::Tenant),
        }
    }
}

impl fmt::Display for AccountOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tenant => f.write_str("the tenant"),
            Self::Campaign(campaign) => write!(f, "campaign `{campaign}`"),
        }
    }
}

/// How long an account counts before it begins at nothing again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Window {
    /// A day, from midnight to midnight UTC.
    Day,
    /// All missions together.
    Total,
}

impl Window {
    pub const ALL: [Self; 2] = [Self::Day, Self::Total];

    pub fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Total => "total",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|window| window.name() == name)
    }

    /// When the window began that `at` falls into.
    pub fn start(self, at: Timestamp) -> Timestamp {
        match self {
            Self::Day => Timestamp(at.0 - at.0.rem_euclid(DAY_MS)),
            Self::Total => Timestamp(0),
        }
    }
}

/// One account: whose, over which window, and which one of those windows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AccountKey {
    pub owner: AccountOwner,
    pub window: Window,
    pub from: Timestamp,
}

/// Most that may be spent of each resource; what is not named is not limited.
pub type Limits = BTreeMap<Resource, u64>;

/// What an account may come to. Below the soft cap nothing is asked; past it a person is, once a mission; the hard
/// cap is never passed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccountCaps {
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub soft: Limits,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub hard: Limits,
}

/// What an account stands at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Balance {
    pub used: Amounts,
    /// Held for what is under way.
    pub reserved: Amounts,
}

impl Balance {
    /// What a charge makes of it, or which cap that would pass.
    pub fn after(
        &self,
        caps: &AccountCaps,
        charge: &Charge,
    ) -> Result<Self, (Resource, u64, CapKind)> {
        let after = Self {
            used: self.used.plus(charge.spend),
            reserved: self.reserved.minus(charge.release).plus(charge.reserve),
        };
        let held = after.used.plus(after.reserved);
        let passed = |limits: &Limits| {
            limits
                .iter()
                .find(|(resource, cap)| {
                    charge.reserve.get(**resource) > 0 && held.get(**resource) > **cap
                })
                .map(|(resource, cap)| (*resource, *cap))
        };
        if let Some((resource, cap)) = passed(&caps.hard) {
            return Err((resource, cap, CapKind::Hard));
        }
        match passed(&caps.soft).filter(|_| !charge.past_soft) {
            Some((resource, cap)) => Err((resource, cap, CapKind::Soft)),
            None => Ok(after),
        }
    }
}

/// An account with all that is decided by.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    pub caps: AccountCaps,
    pub balance: Balance,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CapKind {
    Soft,
    Hard,
}

/// What an append does to the accounts of its mission: gives a reservation back, books what was used, or reserves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charge {
    /// When the reservation was made: it says which windows are charged.
    pub at: Timestamp,
    pub release: Amounts,
    pub spend: Amounts,
    pub reserve: Amounts,
    /// A person has agreed to go past soft caps.
    pub past_soft: bool,
}

impl Charge {
    /// One that changes nothing yet, in the windows of this instant.
    pub fn at(at: Timestamp) -> Self {
        Self {
            at,
            release: Amounts::NONE,
            spend: Amounts::NONE,
            reserve: Amounts::NONE,
            past_soft: false,
        }
    }
}

/// A reservation that an account does not allow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountRefusal {
    /// Which of the append's charges.
    pub charge: usize,
    pub account: AccountKey,
    pub resource: Resource,
    pub cap: u64,
    pub kind: CapKind,
}

impl fmt::Display for AccountRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AccountKey { owner, window, .. } = &self.account;
        let cap = self.resource.tell(self.cap);
        match (self.kind, window) {
            (CapKind::Hard, Window::Day) => write!(f, "{owner} may spend {cap} a day"),
            (CapKind::Hard, Window::Total) => write!(f, "{owner} may spend {cap} in total"),
            (CapKind::Soft, Window::Day) => {
                write!(f, "{owner} reaches its soft limit of {cap} a day")
            }
            (CapKind::Soft, Window::Total) => {
                write!(f, "{owner} reaches its soft limit of {cap} in total")
            }
        }
    }
}

/// The accounts that a charge of a mission touches.
pub fn accounts(owners: &[AccountOwner], at: Timestamp) -> impl Iterator<Item = AccountKey> {
    owners.iter().flat_map(move |owner| {
        Window::ALL.into_iter().map(move |window| AccountKey {
            owner: owner.clone(),
            window,
            from: window.start(at),
        })
    })
}

/// Takes all of an append's charges, or none of them. `of` gives what an account may come to and stands at; what
/// comes back is what the touched accounts stand at afterwards.
pub fn take_charges<E>(
    owners: &[AccountOwner],
    charges: &[Charge],
    mut of: impl FnMut(&AccountKey) -> Result<Account, E>,
) -> Result<Result<Vec<(AccountKey, Balance)>, AccountRefusal>, E> {
    let mut touched: Vec<(AccountKey, Account)> = Vec::new();
    for (number, charge) in charges.iter().enumerate() {
        for key in accounts(owners, charge.at) {
            let known = touched.iter().position(|(touched, _)| *touched == key);
            let at = match known {
                Some(at) => at,
                None => {
                    touched.push((key.clone(), of(&key)?));
                    touched.len() - 1
                }
            };
            let account = &mut touched[at].1;
            match account.balance.after(&account.caps, charge) {
                Ok(after) => account.balance = after,
                Err((resource, cap, kind)) => {
                    return Ok(Err(AccountRefusal {
                        charge: number,
                        account: key,
                        resource,
                        cap,
                        kind,
                    }));
                }
            }
        }
    }
    let after = touched.into_iter();
    Ok(Ok(after
        .map(|(key, account)| (key, account.balance))
        .collect()))
}
