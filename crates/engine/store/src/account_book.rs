//! What a writer remembers of accounts, so that a reservation needs no read. Only one host writes, so what its
//! writer remembers is what holds; after a transaction that failed it forgets.

use std::collections::{HashMap, HashSet};

use adjutant_mission::{
    Account, AccountKey, AccountRefusal, Balance, TenantId, accounts, take_charges,
};

use crate::Batch;

/// Accounts remembered; a tenant has two for each day it works, and two for each campaign.
const REMEMBERED_MAX: usize = 16_384;

type Key = (TenantId, AccountKey);

#[derive(Debug, Default)]
pub struct AccountBook {
    known: HashMap<Key, Account>,
    /// Those that the open transaction has to write.
    changed: HashSet<Key>,
}

impl AccountBook {
    /// The accounts of these batches that are not known yet, each once.
    pub fn unknown<'b>(
        &self,
        batches: impl Iterator<Item = (&'b TenantId, &'b Batch)>,
    ) -> Vec<Key> {
        let mut unknown = HashSet::new();
        for (tenant, batch) in batches {
            for charge in &batch.charges {
                for key in accounts(&batch.owners, charge.at) {
                    let key = (tenant.clone(), key);
                    if !self.known.contains_key(&key) {
                        unknown.insert(key);
                    }
                }
            }
        }
        unknown.into_iter().collect()
    }

    pub fn remember(&mut self, key: Key, account: Account) {
        self.known.insert(key, account);
    }

    /// Takes all of a batch's charges, or none of them. `load` finds an account that is not known.
    pub fn take<E>(
        &mut self,
        tenant: &TenantId,
        batch: &Batch,
        mut load: impl FnMut(&AccountKey) -> Result<Account, E>,
    ) -> Result<Result<(), AccountRefusal>, E> {
        let known = &mut self.known;
        let taken = take_charges(&batch.owners, &batch.charges, |key| {
            let at = (tenant.clone(), key.clone());
            if let Some(account) = known.get(&at) {
                return Ok(account.clone());
            }
            let account = load(key)?;
            known.insert(at, account.clone());
            Ok(account)
        })?;
        let after = match taken {
            Ok(after) => after,
            Err(refusal) => return Ok(Err(refusal)),
        };
        for (key, balance) in after {
            let key = (tenant.clone(), key);
            if let Some(account) = self.known.get_mut(&key) {
                account.balance = balance;
            }
            self.changed.insert(key);
        }
        Ok(Ok(()))
    }

    /// What the open transaction has to write before it commits.
    pub fn drain_changed(&mut self) -> Vec<(TenantId, AccountKey, Balance)> {
        let known = &self.known;
        let balance = |key: &Key| {
            known
                .get(key)
                .map_or(Balance::default(), |account| account.balance)
        };
        let mut changed: Vec<_> = self
            .changed
            .drain()
            .map(|key| (balance(&key), key))
            .map(|(balance, (tenant, key))| (tenant, key, balance))
            .collect();
        changed.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
        changed
    }

    /// Between transactions: keeps what is remembered within bounds.
    pub fn tidy(&mut self) {
        if self.known.len() > REMEMBERED_MAX && self.changed.is_empty() {
            self.known.clear();
        }
    }

    /// What was remembered may never have happened, or caps were changed.
    pub fn forget_all(&mut self) {
        self.known.clear();
        self.changed.clear();
    }
}
