//! Accounts and their caps. The writer remembers what it computes with; this is where it is kept.

use std::collections::BTreeMap;

use adjutant_mission::{Account, AccountKey, AccountOwner, Balance, TenantId, Timestamp, Window};
use adjutant_store::{CapsRow, StoreError};
use serde::de::DeserializeOwned;
use tokio_postgres::Row;

use crate::columns::Param;
use crate::jobs::Append;
use crate::read::all;
use crate::readers::Readers;
use crate::rows;
use crate::session::{Params, Session};
use crate::writer_state::WriterState;

const FIND: &str = "
    SELECT wanted.owner, wanted.spans, wanted.began, a.balance, c.caps
    FROM unnest($2::text[], $3::text[], $4::bigint[]) AS wanted (owner, spans, began)
    LEFT JOIN LATERAL (
        SELECT balance FROM accounts
        WHERE tenant = $1 AND owner = wanted.owner AND spans = wanted.spans AND began = wanted.began LIMIT 1
    ) AS a ON true
    LEFT JOIN LATERAL (
        SELECT caps FROM account_caps
        WHERE tenant = $1 AND owner = wanted.owner AND spans = wanted.spans LIMIT 1
    ) AS c ON true";
const SINCE: &str = "SELECT owner, spans, began, balance FROM accounts
    WHERE tenant = $1 AND (spans = 'total' OR began >= $2) ORDER BY owner, spans, began";
const CAPS: &str =
    "SELECT owner, spans, caps FROM account_caps WHERE tenant = $1 ORDER BY owner, spans";
pub(crate) const PUT: &str = "
    INSERT INTO accounts (tenant, owner, spans, began, balance)
    SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::text[])
    ON CONFLICT (tenant, owner, spans, began) DO UPDATE SET balance = excluded.balance";
pub(crate) const SET_CAPS: &str = "
    INSERT INTO account_caps (tenant, owner, spans, caps) VALUES ($1, $2, $3, $4)
    ON CONFLICT (tenant, owner, spans) DO UPDATE SET caps = excluded.caps";
pub(crate) const DROP_CAPS: &str =
    "DELETE FROM account_caps WHERE tenant = $1 AND owner = $2 AND spans = $3";
pub(crate) const HAS_CAPS: &str = "SELECT FROM account_caps
    WHERE tenant = $1 AND owner = $2 AND spans = $3 AND caps = $4";

pub(crate) const HAS_ACCOUNT: &str = "SELECT FROM accounts
    WHERE tenant = $1 AND owner = $2 AND spans = $3 AND began = $4 AND balance = $5";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    FIND,
    SINCE,
    CAPS,
    PUT,
    SET_CAPS,
    DROP_CAPS,
    HAS_CAPS,
    HAS_ACCOUNT,
];

impl WriterState {
    /// Reads those accounts of a group that are not remembered.
    pub(crate) async fn look_up_accounts(
        &mut self,
        session: &mut Session,
        group: &[Append],
    ) -> Result<(), StoreError> {
        self.book.tidy();
        let batches = group.iter().map(|append| (&append.tenant, &append.batch));
        let mut unknown: BTreeMap<TenantId, Vec<AccountKey>> = BTreeMap::new();
        for (tenant, key) in self.book.unknown(batches) {
            unknown.entry(tenant).or_default().push(key);
        }
        for (tenant, keys) in unknown {
            let owners: Vec<String> = keys.iter().map(|key| key.owner.name()).collect();
            let spans: Vec<&str> = keys.iter().map(|key| key.window.name()).collect();
            let began: Vec<i64> = keys.iter().map(|key| key.from.0).collect();
            let params: Params<'_> = &[&tenant.as_str(), &owners, &spans, &began];
            for row in session.read(&tenant, FIND, params).await? {
                let account = Account {
                    balance: optional(&row, 3)?.unwrap_or_default(),
                    caps: optional(&row, 4)?.unwrap_or_default(),
                };
                self.book.remember((tenant.clone(), key(&row)?), account);
            }
        }
        Ok(())
    }
}

/// What [`PUT`] is given.
pub(crate) fn columns<'b>(accounts: &[(AccountKey, Balance)]) -> Vec<Param<'b>> {
    let owners: Vec<String> = accounts.iter().map(|(key, _)| key.owner.name()).collect();
    let spans: Vec<&str> = accounts.iter().map(|(key, _)| key.window.name()).collect();
    let began: Vec<i64> = accounts.iter().map(|(key, _)| key.from.0).collect();
    let balances: Vec<String> = accounts.iter().map(|(_, balance)| text(balance)).collect();
    vec![
        Box::new(owners),
        Box::new(spans),
        Box::new(began),
        Box::new(balances),
    ]
}

pub(crate) async fn since(
    readers: &Readers,
    tenant: &TenantId,
    from: Timestamp,
) -> Result<Vec<(AccountKey, Balance)>, StoreError> {
    let params: Params<'_> = &[&tenant.as_str(), &from.0];
    let found = readers.rows(Some(tenant), SINCE, params).await?;
    all(&found, |row| {
        let balance = optional(row, 3)?.unwrap_or_default();
        Ok((key(row)?, balance))
    })
}

pub(crate) async fn caps(readers: &Readers, tenant: &TenantId) -> Result<Vec<CapsRow>, StoreError> {
    let params: Params<'_> = &[&tenant.as_str()];
    let found = readers.rows(Some(tenant), CAPS, params).await?;
    all(&found, |row| {
        Ok(CapsRow {
            owner: owner(row, 0)?,
            window: window(row, 1)?,
            caps: optional(row, 2)?.unwrap_or_default(),
        })
    })
}

/// Amounts and caps are numbers under names: writing them out cannot fail.
pub(crate) fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn key(row: &Row) -> Result<AccountKey, StoreError> {
    Ok(AccountKey {
        owner: owner(row, 0)?,
        window: window(row, 1)?,
        from: Timestamp(rows::get(row, 2)?),
    })
}

fn owner(row: &Row, column: usize) -> Result<AccountOwner, StoreError> {
    let name: &str = rows::get(row, column)?;
    AccountOwner::parse(name).ok_or_else(|| rows::unreadable("an account has an unknown owner"))
}

fn window(row: &Row, column: usize) -> Result<Window, StoreError> {
    let name: &str = rows::get(row, column)?;
    Window::parse(name).ok_or_else(|| rows::unreadable("an account has an unknown window"))
}

fn optional<T: DeserializeOwned>(row: &Row, column: usize) -> Result<Option<T>, StoreError> {
    let text: Option<&str> = rows::get(row, column)?;
    let parsed = text.map(serde_json::from_str).transpose();
    parsed.map_err(|error| rows::unreadable(&error.to_string()))
}
