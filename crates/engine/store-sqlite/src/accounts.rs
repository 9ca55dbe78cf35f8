//! Accounts and their caps. The writer remembers what it computes with; this is where it is kept.

use adjutant_mission::{
    Account, AccountCaps, AccountKey, AccountOwner, Balance, TenantId, Timestamp, Window,
};
use adjutant_store::CapsRow;
use rusqlite::types::{FromSqlError, Type};
use rusqlite::{Connection, Row, params};
use serde::de::DeserializeOwned;

use crate::read::{all, one};

pub(crate) fn load(
    connection: &Connection,
    tenant: &TenantId,
    key: &AccountKey,
) -> rusqlite::Result<Account> {
    let (owner, spans) = (key.owner.name(), key.window.name());
    let balance = one(
        connection,
        "SELECT balance FROM accounts WHERE tenant = ?1 AND owner = ?2 AND spans = ?3 AND began = ?4",
        params![tenant.as_str(), owner, spans, key.from.0],
        |row| json(row, 0),
    )?;
    let caps = one(
        connection,
        "SELECT caps FROM account_caps WHERE tenant = ?1 AND owner = ?2 AND spans = ?3",
        params![tenant.as_str(), owner, spans],
        |row| json(row, 0),
    )?;
    Ok(Account {
        caps: caps.unwrap_or_default(),
        balance: balance.unwrap_or_default(),
    })
}

pub(crate) fn write(
    connection: &Connection,
    tenant: &TenantId,
    key: &AccountKey,
    balance: &Balance,
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO accounts (tenant, owner, spans, began, balance) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO UPDATE SET balance = ?5",
    )?;
    let (owner, spans) = (key.owner.name(), key.window.name());
    let balance = text(balance)?;
    statement
        .execute(params![tenant.as_str(), owner, spans, key.from.0, balance])
        .map(drop)
}

pub(crate) fn since(
    connection: &Connection,
    tenant: &TenantId,
    from: Timestamp,
) -> rusqlite::Result<Vec<(AccountKey, Balance)>> {
    all(
        connection,
        "SELECT owner, spans, began, balance FROM accounts
         WHERE tenant = ?1 AND (spans = 'total' OR began >= ?2) ORDER BY owner, spans, began",
        params![tenant.as_str(), from.0],
        |row| {
            let key = AccountKey {
                owner: owner(row, 0)?,
                window: window(row, 1)?,
                from: Timestamp(row.get(2)?),
            };
            Ok((key, json(row, 3)?))
        },
    )
}

pub(crate) fn caps(connection: &Connection, tenant: &TenantId) -> rusqlite::Result<Vec<CapsRow>> {
    all(
        connection,
        "SELECT owner, spans, caps FROM account_caps WHERE tenant = ?1 ORDER BY owner, spans",
        params![tenant.as_str()],
        |row| {
            Ok(CapsRow {
                owner: owner(row, 0)?,
                window: window(row, 1)?,
                caps: json(row, 2)?,
            })
        },
    )
}

pub(crate) fn set_caps(
    connection: &Connection,
    tenant: &TenantId,
    row: &CapsRow,
) -> rusqlite::Result<()> {
    let (owner, spans) = (row.owner.name(), row.window.name());
    if row.caps == AccountCaps::default() {
        let sql = "DELETE FROM account_caps WHERE tenant = ?1 AND owner = ?2 AND spans = ?3";
        return connection
            .execute(sql, params![tenant.as_str(), owner, spans])
            .map(drop);
    }
    let sql = "INSERT INTO account_caps (tenant, owner, spans, caps) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT DO UPDATE SET caps = ?4";
    connection
        .execute(
            sql,
            params![tenant.as_str(), owner, spans, text(&row.caps)?],
        )
        .map(drop)
}

fn text(value: &impl serde::Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

fn json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text = row.get_ref(column)?.as_str()?;
    serde_json::from_str(text).map_err(|error| unreadable(column, error.into()))
}

fn owner(row: &Row<'_>, column: usize) -> rusqlite::Result<AccountOwner> {
    let name = row.get_ref(column)?.as_str()?;
    AccountOwner::parse(name).ok_or_else(|| unreadable(column, FromSqlError::InvalidType.into()))
}

fn window(row: &Row<'_>, column: usize) -> rusqlite::Result<Window> {
    let name = row.get_ref(column)?.as_str()?;
    Window::parse(name).ok_or_else(|| unreadable(column, FromSqlError::InvalidType.into()))
}

fn unreadable(column: usize, error: Box<dyn std::error::Error + Send + Sync>) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error)
}
