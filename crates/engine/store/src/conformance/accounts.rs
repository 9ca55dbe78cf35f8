//! Accounts: charged with the append or not at all, and never past a hard cap.

use adjutant_mission::{
    AccountCaps, AccountKey, AccountOwner, Amounts, Balance, CampaignId, CapKind, Charge, MicroUsd,
    Millis, Phase, Resource, Timestamp, Window,
};

use super::sample::{Writer, mission, tenant};
use crate::{AppendError, Batch, CapsRow, Store, TenantStore};

const DAY: i64 = 86_400_000;
const NOW: Timestamp = Timestamp(20_000 * DAY + 5);

fn money(micros: u64) -> Amounts {
    Amounts {
        money: MicroUsd(micros),
        calls: 1,
        wall_time: Millis(10),
        ..Amounts::NONE
    }
}

fn reserves(micros: u64, at: Timestamp) -> Charge {
    Charge {
        reserve: money(micros),
        ..Charge::at(at)
    }
}

fn settles(held: u64, used: u64, at: Timestamp) -> Charge {
    Charge {
        release: money(held),
        spend: money(used),
        ..Charge::at(at)
    }
}

fn caps(window: Window, owner: AccountOwner, soft: Option<u64>, hard: Option<u64>) -> CapsRow {
    let limits = |cap: Option<u64>| cap.map(|cap| (Resource::Money, cap)).into_iter().collect();
    CapsRow {
        owner,
        window,
        caps: AccountCaps {
            soft: limits(soft),
            hard: limits(hard),
        },
    }
}

fn charged(writer: &Writer, charges: Vec<Charge>) -> Batch {
    let mut batch = writer.next(1);
    batch.charges = charges;
    batch
}

fn refusal(error: AppendError) -> (usize, AccountKey, CapKind) {
    let refusal = match error {
        AppendError::CapReached(refusal) => Ok(refusal),
        other => Err(other),
    };
    let refusal = refusal.unwrap();
    (refusal.charge, refusal.account, refusal.kind)
}

async fn balance<S: Store>(store: &S, name: &str, window: Window, at: Timestamp) -> Balance {
    let from = window.start(at);
    let accounts = store.tenant(&tenant(name)).accounts(from).await.unwrap();
    let found = accounts.into_iter().find(|(key, _)| {
        key.owner == AccountOwner::Tenant && key.window == window && key.from == from
    });
    found.map_or(Balance::default(), |(_, balance)| balance)
}

/// A hard cap is reached to the last millionth and not passed; what is refused leaves no trace, in the accounts or
/// in the journal; what is given back can be reserved again.
pub async fn no_account_passes_its_hard_cap<S: Store>(store: &S) {
    let name = tenant("acme");
    let scoped = store.tenant(&name);
    scoped
        .set_caps(caps(Window::Day, AccountOwner::Tenant, None, Some(100)))
        .await
        .unwrap();
    let mut first = Writer::new(&name, mission(1), Phase::Executing);
    let mut second = Writer::new(&name, mission(2), Phase::Executing);
    let batch = charged(&first, vec![reserves(60, NOW)]);
    first.append(&scoped, batch).await;
    let batch = charged(&second, vec![reserves(40, NOW), reserves(1, NOW)]);
    let refused = scoped.append(batch).await.unwrap_err();
    let (charge, account, kind) = refusal(refused);
    assert_eq!((charge, kind), (1, CapKind::Hard));
    assert_eq!(
        (account.window, account.from),
        (Window::Day, Timestamp(20_000 * DAY))
    );
    assert_eq!(scoped.head(mission(2)).await.unwrap(), None);
    let held = balance(store, "acme", Window::Day, NOW).await;
    assert_eq!((held.used, held.reserved), (Amounts::NONE, money(60)));

    let batch = charged(&second, vec![reserves(40, NOW)]);
    second.append(&scoped, batch).await;
    let batch = charged(&first, vec![settles(60, 25, NOW), reserves(35, NOW)]);
    first.append(&scoped, batch).await;
    let batch = charged(&first, vec![reserves(1, NOW)]);
    refusal(scoped.append(batch).await.unwrap_err());
    let held = balance(store, "acme", Window::Day, NOW).await;
    assert_eq!(held.used, money(25));
    assert_eq!(held.reserved.money, MicroUsd(75));
    let in_all = balance(store, "acme", Window::Total, NOW).await;
    assert_eq!(in_all, held, "every window is charged");

    // The next day begins at nothing; what was reserved the day before is settled there.
    let tomorrow = Timestamp(NOW.0 + DAY);
    let batch = charged(&first, vec![settles(35, 35, NOW), reserves(100, tomorrow)]);
    first.append(&scoped, batch).await;
    let held = balance(store, "acme", Window::Day, NOW).await;
    assert_eq!(
        (held.used.money, held.reserved.money),
        (MicroUsd(60), MicroUsd(40))
    );
    let held = balance(store, "acme", Window::Day, tomorrow).await;
    assert_eq!(
        (held.used.money, held.reserved.money),
        (MicroUsd(0), MicroUsd(100))
    );

    // Another tenant's account is its own, and a cap that is lifted holds nobody back.
    let other = tenant("globex");
    let mut theirs = Writer::new(&other, mission(1), Phase::Executing);
    let batch = charged(&theirs, vec![reserves(1_000, NOW)]);
    theirs.append(&store.tenant(&other), batch).await;
    scoped
        .set_caps(caps(Window::Day, AccountOwner::Tenant, None, None))
        .await
        .unwrap();
    assert_eq!(scoped.caps().await.unwrap(), vec![]);
    let batch = charged(&first, vec![reserves(1_000, NOW)]);
    first.append(&scoped, batch).await;
}

/// A soft cap stops whoever was not told to go past it; a campaign's account lies within its tenant's.
pub async fn a_soft_cap_is_passed_only_on_purpose<S: Store>(store: &S) {
    let name = tenant("acme");
    let scoped = store.tenant(&name);
    let campaign = AccountOwner::Campaign(CampaignId::new("launch").unwrap());
    for row in [
        caps(Window::Total, campaign.clone(), Some(50), Some(80)),
        caps(Window::Day, AccountOwner::Tenant, None, Some(90)),
    ] {
        scoped.set_caps(row).await.unwrap();
    }
    let listed = scoped.caps().await.unwrap();
    assert_eq!(listed.len(), 2);
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    let owners = vec![AccountOwner::Tenant, campaign.clone()];
    let within = |writer: &Writer, charge: Charge| {
        let mut batch = charged(writer, vec![charge]);
        batch.owners = owners.clone();
        batch
    };
    let batch = within(&writer, reserves(50, NOW));
    writer.append(&scoped, batch).await;
    let batch = within(&writer, reserves(1, NOW));
    let (_, account, kind) = refusal(scoped.append(batch).await.unwrap_err());
    assert_eq!((account.owner, kind), (campaign, CapKind::Soft));
    let past = |micros| Charge {
        past_soft: true,
        ..reserves(micros, NOW)
    };
    let batch = within(&writer, past(30));
    writer.append(&scoped, batch).await;
    let batch = within(&writer, past(1));
    let (_, _, kind) = refusal(scoped.append(batch).await.unwrap_err());
    assert_eq!(kind, CapKind::Hard);
    // Settling is never refused, whatever the caps are by then.
    let batch = within(&writer, settles(50, 50, NOW));
    writer.append(&scoped, batch).await;
    let day = balance(store, "acme", Window::Day, NOW).await;
    assert_eq!(
        (day.used.money, day.reserved.money),
        (MicroUsd(50), MicroUsd(30))
    );
}
