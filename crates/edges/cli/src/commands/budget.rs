//! `adjutant budget`: what the tenant and its campaigns have spent, and what they may.

use std::collections::BTreeMap;

use adjutant_host::{Performs, Upkeep};
use adjutant_mission::{
    Account, AccountCaps, AccountKey, AccountOwner, Limits, Resource, Timestamp, Window,
};
use adjutant_plans::{parse_duration, parse_money};
use adjutant_store::{Store, StoreError, TenantStore};

use crate::args::{Budget, BudgetSet, Per};
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Table, Tone};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::host_link::HostLink;
use adjutant_app::settings::Settings;
use adjutant_app::stores::{Access, AnyStore};
use adjutant_app::wiring;

const BAR_CELLS: u64 = 12;

pub(super) async fn run(settings: &Settings, which: Budget) -> Result<Exit, AppError> {
    match which {
        Budget::Show(json) => show(settings, json.json.into()).await,
        Budget::Set(set) => self::set(settings, set).await,
    }
}

pub(super) type Accounts = BTreeMap<AccountKey, Account>;

/// Every account of the windows that `now` falls into, with what it may come to.
pub(super) async fn accounts(settings: &Settings, now: Timestamp) -> Result<Accounts, AppError> {
    let store = match AnyStore::open(&settings.store, Access::Reader).await {
        Ok(store) => store.tenant(&settings.tenant),
        Err(StoreError::Missing { .. }) => return Ok(BTreeMap::new()),
        Err(error) => return Err(error.into()),
    };
    let mut accounts = Accounts::new();
    for row in store.caps().await? {
        let key = AccountKey {
            owner: row.owner,
            window: row.window,
            from: row.window.start(now),
        };
        accounts.entry(key).or_default().caps = row.caps;
    }
    for (key, balance) in store.accounts(Window::Day.start(now)).await? {
        accounts.entry(key).or_default().balance = balance;
    }
    Ok(accounts)
}

pub(super) fn span(window: Window) -> &'static str {
    match window {
        Window::Day => "today",
        Window::Total => "in all",
    }
}

async fn show(settings: &Settings, form: Form) -> Result<Exit, AppError> {
    tell(&accounts(settings, wiring::clock().now()).await?, form)
}

pub(super) fn tell(accounts: &Accounts, form: Form) -> Result<Exit, AppError> {
    if form == Form::Json {
        for (key, account) in accounts {
            let told = serde_json::json!({
                "account": key.owner.name(), "per": key.window.name(), "from": key.from,
                "used": account.balance.used, "reserved": account.balance.reserved, "caps": account.caps,
            });
            output::line(&told.to_string())?;
        }
        return Ok(Exit::Ok);
    }
    let mut table = Table::headed(&["account", "", "used", "held", "asks at", "never past", ""]);
    let mut rows = 0;
    for (key, account) in accounts {
        // An account is named once, by the first of its lines.
        let mut name = Some((key.owner.name(), span(key.window)));
        for resource in Resource::ALL {
            if let Some(cells) = row(account, resource) {
                let (owner, window) = name.take().unwrap_or_default();
                let named = [Line::of(Tone::Bold, owner), Line::of(Tone::Dim, window)];
                table.row(named.into_iter().chain(cells));
                rows += 1;
            }
        }
    }
    if rows == 0 {
        output::line("Nothing was spent yet, and no limits are set.")?;
        output::note(
            "`adjutant budget set --hard money=5` limits what the tenant may spend per day.",
        );
        return Ok(Exit::Ok);
    }
    Line::print_all(&table.lines(output::size().0, 0), output::paint())?;
    output::line("")?;
    let note = " Days are UTC days. Missions and tasks also have their own limits, in their plans.";
    output::line(&Line::of(Tone::Dim, note).render(output::paint()))?;
    Ok(Exit::Ok)
}

fn row(account: &Account, resource: Resource) -> Option<[Line; 5]> {
    let (used, held) = (
        account.balance.used.get(resource),
        account.balance.reserved.get(resource),
    );
    let cap = |limits: &Limits| limits.get(&resource).copied();
    let (soft, hard) = (cap(&account.caps.soft), cap(&account.caps.hard));
    if used == 0 && held == 0 && soft.is_none() && hard.is_none() {
        return None;
    }
    let tell = |amount: u64| resource.tell(amount);
    let all = used.saturating_add(held);
    let tone = match (soft, hard) {
        (_, Some(hard)) if all >= hard => Tone::Failed,
        (Some(soft), _) if all >= soft => Tone::Human,
        _ => Tone::Done,
    };
    let held = if held == 0 { String::new() } else { tell(held) };
    Some([
        Line::of(Tone::Plain, tell(used)),
        Line::of(Tone::Dim, held),
        Line::of(Tone::Dim, soft.map_or(String::new(), tell)),
        Line::of(Tone::Plain, hard.map_or(String::new(), tell)),
        hard.map_or(Line::new(), |hard| bar(all, hard, tone)),
    ])
}

fn bar(all: u64, hard: u64, tone: Tone) -> Line {
    let share = |of: u64| match hard {
        0 => of,
        hard => (u128::from(all) * u128::from(of) / u128::from(hard)).min(u128::from(of)) as u64,
    };
    let full = share(BAR_CELLS) as usize;
    Line::new()
        .and(tone, "█".repeat(full))
        .and(Tone::Dim, "░".repeat(BAR_CELLS as usize - full))
        .and(Tone::Dim, format!(" {} %", share(100)))
}

async fn set(settings: &Settings, set: BudgetSet) -> Result<Exit, AppError> {
    let now = wiring::clock().now();
    let Caps {
        owner,
        window,
        caps,
    } = wanted(&set, &accounts(settings, now).await?, now)?;
    let engine = HostLink::reach(settings, Performs::Nothing).await?;
    let upkeep = Upkeep::SetCaps {
        owner,
        window,
        caps,
    };
    let done = engine.upkeep(&settings.tenant, upkeep).await;
    engine.close().await?;
    done?;
    show(settings, set.json.json.into()).await
}

/// What an account is to come to at most.
#[derive(Debug)]
pub(super) struct Caps {
    pub(super) owner: AccountOwner,
    pub(super) window: Window,
    pub(super) caps: AccountCaps,
}

/// What is to hold, where only what was named changes.
pub(super) fn wanted(set: &BudgetSet, known: &Accounts, now: Timestamp) -> Result<Caps, AppError> {
    let owner = AccountOwner::parse(&set.owner).ok_or_else(|| {
        wrong(
            format!("unknown account `{}`", set.owner),
            "Write `tenant`, or `campaign/NAME`.",
        )
    })?;
    let window = match set.per {
        Per::Day => Window::Day,
        Per::Total => Window::Total,
    };
    if set.hard.is_empty() && set.soft.is_empty() {
        return Err(wrong(
            "no limit was given".into(),
            "Give --hard or --soft, as in `--hard money=5`.",
        ));
    }
    let key = AccountKey {
        owner: owner.clone(),
        window,
        from: window.start(now),
    };
    let mut caps = known
        .get(&key)
        .map_or(AccountCaps::default(), |found| found.caps.clone());
    change(&mut caps.hard, &set.hard)?;
    change(&mut caps.soft, &set.soft)?;
    let crossed = caps.soft.iter().find(|(resource, soft)| {
        let hard = caps.hard.get(*resource);
        hard.is_some_and(|hard| **soft > *hard)
    });
    if let Some((resource, soft)) = crossed {
        return Err(wrong(
            format!(
                "the soft limit of {} is above the hard limit",
                resource.tell(*soft)
            ),
            "Set the soft limit below the hard limit, or remove one of them with `none`.",
        ));
    }
    Ok(Caps {
        owner,
        window,
        caps,
    })
}

/// Takes in what `--hard` or `--soft` say.
fn change(limits: &mut Limits, given: &[String]) -> Result<(), AppError> {
    for given in given {
        let (name, amount) = given.split_once('=').ok_or_else(|| {
            wrong(
                format!("`{given}` has no `=`"),
                "Write RESOURCE=AMOUNT, as in `money=5`.",
            )
        })?;
        let resource = Resource::ALL.into_iter().find(|known| known.name() == name);
        let resource = resource.ok_or_else(|| {
            wrong(
                format!("`{name}` cannot be limited"),
                "Limits can be set on money, tokens, calls and wall_time.",
            )
        })?;
        if amount.is_empty() {
            return Err(wrong(
                format!("`{given}` has no amount"),
                "Write it like money=5.00; quote a `$`, or the shell expands it.",
            ));
        }
        if amount == "none" {
            limits.remove(&resource);
            continue;
        }
        let parsed = match resource {
            Resource::Money => parse_money(amount).map(|money| money.0),
            Resource::WallTime => parse_duration(amount).map(|time| time.0),
            Resource::Tokens | Resource::Calls => amount
                .parse::<u64>()
                .map_err(|_| "a whole number is expected".to_owned()),
        };
        let parsed = parsed.map_err(|why| {
            wrong(
                format!("`{given}`: {why}"),
                "Write it like money=5.00, tokens=1000000, calls=500 or wall_time=2h.",
            )
        })?;
        limits.insert(resource, parsed);
    }
    Ok(())
}

fn wrong(message: String, help: &str) -> AppError {
    AppError::new(ErrorKind::BadInput, "ADJ-6061", message, help)
}
