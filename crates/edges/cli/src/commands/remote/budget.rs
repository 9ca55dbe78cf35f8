//! What a server's tenant and its campaigns have spent, and what they may.

use adjutant_mission::{
    Account, AccountCaps, AccountKey, AccountOwner, Amounts, Balance, Limits, Timestamp, Window,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::as_type;
use crate::args::{Budget, BudgetSet};
use crate::commands::budget::{self as local, Accounts};
use crate::exit::Exit;
use adjutant_app::error::AppError;
use adjutant_app::wiring;
use adjutant_client::Server;

#[derive(Deserialize)]
struct Told {
    account: String,
    per: Window,
    used: Amounts,
    reserved: Amounts,
    hard: Limits,
    soft: Limits,
}

pub(super) async fn run(server: &Server, which: Budget) -> Result<Exit, AppError> {
    let now = wiring::clock().now();
    let form = match which {
        Budget::Show(json) => json.json,
        Budget::Set(set) => {
            self::set(server, &set, now).await?;
            set.json.json
        }
    };
    local::tell(&accounts(server, now).await?, form.into())
}

async fn accounts(server: &Server, now: Timestamp) -> Result<Accounts, AppError> {
    let mut told = server.get("/api/accounts").await?;
    let rows: Vec<Told> = as_type(server, told["accounts"].take())?;
    let mut accounts = Accounts::new();
    for row in rows {
        let owner = AccountOwner::parse(&row.account);
        let key = AccountKey {
            owner: owner
                .ok_or_else(|| server.unexpected_answer("the server sent an unknown account"))?,
            window: row.per,
            from: row.per.start(now),
        };
        let account = Account {
            caps: AccountCaps {
                soft: row.soft,
                hard: row.hard,
            },
            balance: Balance {
                used: row.used,
                reserved: row.reserved,
            },
        };
        accounts.insert(key, account);
    }
    Ok(accounts)
}

/// The server takes the caps of an account as a whole, so what is not named is sent as it is.
async fn set(server: &Server, set: &BudgetSet, now: Timestamp) -> Result<Value, AppError> {
    let wanted = local::wanted(set, &accounts(server, now).await?, now)?;
    let body = json!({
        "account": wanted.owner.name(),
        "per": wanted.window,
        "hard": wanted.caps.hard,
        "soft": wanted.caps.soft,
    });
    server.put("/api/accounts", &body).await
}
