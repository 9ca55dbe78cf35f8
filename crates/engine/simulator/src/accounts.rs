//! The accounts that the mission shares with others, as a store keeps them: they survive the host.

use std::collections::BTreeMap;
use std::convert::Infallible;

use adjutant_mission::{
    Account, AccountKey, AccountOwner, AccountRefusal, Amounts, Balance, Charge, Window,
    take_charges,
};

#[derive(Debug, Default)]
pub(crate) struct Accounts {
    /// What each account begins a window with, and may come to.
    given: Vec<(AccountOwner, Window, Account)>,
    kept: BTreeMap<AccountKey, Account>,
}

impl Accounts {
    pub(crate) fn new(given: Vec<(AccountOwner, Window, Account)>) -> Self {
        Self {
            given,
            kept: BTreeMap::new(),
        }
    }

    /// What the touched accounts would stand at.
    pub(crate) fn judge(
        &self,
        owners: &[AccountOwner],
        charges: &[Charge],
    ) -> Result<Vec<(AccountKey, Balance)>, AccountRefusal> {
        let taken = take_charges(owners, charges, |key| Ok::<_, Infallible>(self.find(key)));
        let Ok(taken) = taken;
        taken
    }

    fn find(&self, key: &AccountKey) -> Account {
        self.kept
            .get(key)
            .cloned()
            .unwrap_or_else(|| self.fresh(key))
    }

    fn fresh(&self, key: &AccountKey) -> Account {
        let given = self.given.iter();
        let mut given =
            given.filter(|(owner, window, _)| (owner, window) == (&key.owner, &key.window));
        given
            .next()
            .map_or(Account::default(), |(_, _, account)| account.clone())
    }

    pub(crate) fn write(&mut self, after: Vec<(AccountKey, Balance)>) {
        for (key, balance) in after {
            let account = Account {
                balance,
                ..self.find(&key)
            };
            self.kept.insert(key, account);
        }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (&AccountKey, &Account)> {
        self.kept.iter()
    }

    /// What this mission has used and holds, over all days, by the accounts of the tenant.
    pub(crate) fn charged_in_all(&self) -> (Amounts, Amounts) {
        let days = self
            .kept
            .iter()
            .filter(|(key, _)| key.window == Window::Day);
        days.fold(
            (Amounts::NONE, Amounts::NONE),
            |(used, reserved), (key, account)| {
                let own = account.balance.used.minus(self.fresh(key).balance.used);
                (used.plus(own), reserved.plus(account.balance.reserved))
            },
        )
    }
}
