//! Clauses about what is derived from journals: lists, counts, the inbox, waking.

use adjutant_mission::{CheckpointNumber, MicroUsd, MissionId, Phase, Severity, Timestamp, Usage};

use super::sample::{Writer, inbox_row, key, mission, tenant, text};
use crate::{
    Asked, Due, InboxChange, InboxRow, ListOrder, ListQuery, MissionRow, Store, TenantStore,
};

const ALL: ListQuery = ListQuery {
    phases: None,
    limit: 100,
    order: ListOrder::NewestFirst,
    past: None,
};

fn ids(rows: &[MissionRow]) -> Vec<MissionId> {
    rows.iter().map(|row| row.summary.mission).collect()
}

/// The rows as an inbox gives them, each with its mission's key.
fn asked(rows: &[InboxRow]) -> Vec<Asked> {
    let with_key = |row: &InboxRow| Asked {
        row: row.clone(),
        key: Some(key(row.checkpoint.mission)),
    };
    rows.iter().map(with_key).collect()
}

/// Every field of the last summary comes back, at its extremes too.
pub async fn summary_is_kept_exactly<S: Store>(store: &S) {
    let name = tenant("acme");
    let tenant = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Planning);
    for phase in Phase::ALL {
        let mut batch = writer.next(1);
        batch.summary.phase = phase;
        batch.summary.title = text(&format!("„Größe“ in {}", phase.name()));
        batch.summary.paused = !writer.summary.paused;
        batch.summary.tasks_total = u32::MAX;
        batch.summary.tasks_ended += 1;
        batch.summary.checkpoints_open += 1;
        batch.summary.used = Usage {
            money: MicroUsd(u64::MAX),
            tokens: u64::MAX - 1,
        };
        batch.summary.opened_at = Timestamp(i64::MIN);
        batch.summary.updated_at = Timestamp(i64::MAX);
        batch.summary.wake_at = match writer.summary.wake_at {
            None => Some(Timestamp(-1)),
            Some(_) => None,
        };
        writer.append(&tenant, batch).await;
        let kept = tenant.row(writer.mission).await.unwrap();
        assert_eq!(kept, Some(writer.row()));
        assert_eq!(tenant.list(ALL).await.unwrap(), [writer.row()]);
    }
    assert_eq!(tenant.row(mission(2)).await.unwrap(), None);
}

/// The list is in the order of ids, either way, whatever order missions were written in, and pages do not overlap.
pub async fn list_is_in_order_and_paged<S: Store>(store: &S) {
    let name = tenant("acme");
    let tenant = store.tenant(&name);
    for n in [3, 1, 5, 2, 4] {
        let mut writer = Writer::new(&name, mission(n), Phase::Executing);
        writer.append(&tenant, writer.next(1)).await;
    }
    let page = |before, limit| ListQuery {
        past: before,
        limit,
        ..ALL
    };
    let first = ids(&tenant.list(page(None, 2)).await.unwrap());
    assert_eq!(first, [mission(5), mission(4)]);
    let second = ids(&tenant.list(page(Some(mission(4)), 2)).await.unwrap());
    assert_eq!(second, [mission(3), mission(2)]);
    let third = ids(&tenant.list(page(Some(mission(2)), 2)).await.unwrap());
    assert_eq!(third, [mission(1)]);
    assert_eq!(tenant.list(page(None, 0)).await.unwrap(), vec![]);
    let oldest = |past, phases: Option<&[Phase]>| ListQuery {
        order: ListOrder::OldestFirst,
        phases: phases.map(<[Phase]>::to_vec),
        limit: 2,
        past,
    };
    for phases in [None, Some(&[Phase::Failed, Phase::Executing][..])] {
        let first = ids(&tenant.list(oldest(None, phases)).await.unwrap());
        assert_eq!(first, [mission(1), mission(2)]);
        let second = ids(&tenant.list(oldest(Some(mission(4)), phases)).await.unwrap());
        assert_eq!(second, [mission(5)]);
    }
}

/// A filter keeps the missions whose phase it names, and follows them when their phase changes.
pub async fn list_filters_by_phase<S: Store>(store: &S) {
    let name = tenant("acme");
    let tenant = store.tenant(&name);
    let phases = [
        Phase::Executing,
        Phase::Failed,
        Phase::Executing,
        Phase::Completed,
        Phase::Failed,
    ];
    let mut writers = Vec::new();
    for (n, phase) in phases.into_iter().enumerate() {
        let mut writer = Writer::new(&name, mission(n as u64), phase);
        writer.append(&tenant, writer.next(1)).await;
        writers.push(writer);
    }
    let query = |phases: &[Phase], before, limit| ListQuery {
        phases: Some(phases.to_vec()),
        order: ListOrder::NewestFirst,
        past: before,
        limit,
    };
    let failed = tenant.list(query(&[Phase::Failed], None, 9)).await.unwrap();
    assert_eq!(ids(&failed), [mission(4), mission(1)]);
    let both = [Phase::Executing, Phase::Failed, Phase::Executing];
    let both = tenant.list(query(&both, Some(mission(4)), 2)).await;
    assert_eq!(ids(&both.unwrap()), [mission(2), mission(1)]);
    assert_eq!(tenant.list(query(&[], None, 9)).await.unwrap(), vec![]);

    let mut batch = writers[0].next(1);
    batch.summary.phase = Phase::Failed;
    writers[0].append(&tenant, batch).await;
    let failed = tenant.list(query(&[Phase::Failed], None, 9)).await.unwrap();
    assert_eq!(ids(&failed), [mission(4), mission(1), mission(0)]);
    let executing = tenant.list(query(&[Phase::Executing], None, 9)).await;
    assert_eq!(ids(&executing.unwrap()), [mission(2)]);
}

/// Counts are of missions, by their phase now; phases without any are left out.
pub async fn counts_follow_phases<S: Store>(store: &S) {
    let name = tenant("acme");
    let tenant = store.tenant(&name);
    assert_eq!(tenant.counts().await.unwrap(), vec![]);
    let mut writers = Vec::new();
    for n in 0..3 {
        let mut writer = Writer::new(&name, mission(n), Phase::Planning);
        writer.append(&tenant, writer.next(2)).await;
        writer.append(&tenant, writer.next(1)).await;
        writers.push(writer);
    }
    assert_eq!(tenant.counts().await.unwrap(), [(Phase::Planning, 3)]);
    for (writer, phase) in writers.iter_mut().zip([Phase::Executing, Phase::Completed]) {
        let mut batch = writer.next(1);
        batch.summary.phase = phase;
        writer.append(&tenant, batch).await;
    }
    let counts = tenant.counts().await.unwrap();
    let expected = [
        (Phase::Planning, 1),
        (Phase::Executing, 1),
        (Phase::Completed, 1),
    ];
    assert_eq!(counts, expected);
}

/// Severity decides first, the deadline next, age last.
pub async fn inbox_is_by_severity_then_deadline<S: Store>(store: &S) {
    let name = tenant("acme");
    let tenant = store.tenant(&name);
    let urgent_first = [
        inbox_row(mission(2), 1, Severity::Critical, 900),
        inbox_row(mission(1), 4, Severity::High, -5),
        inbox_row(mission(1), 2, Severity::High, 100),
        inbox_row(mission(1), 3, Severity::High, 100),
        inbox_row(mission(2), 2, Severity::High, 100),
        inbox_row(mission(1), 1, Severity::Medium, 1),
    ];
    for n in [2, 1] {
        let mut writer = Writer::new(&name, mission(n), Phase::AwaitingHuman);
        let mut batch = writer.next(1);
        for entry in urgent_first.iter().rev() {
            if entry.checkpoint.mission == writer.mission {
                batch.inbox.push(InboxChange::Put(entry.clone()));
            }
        }
        writer.append(&tenant, batch).await;
    }
    assert_eq!(tenant.inbox(100).await.unwrap(), asked(&urgent_first));
    assert_eq!(tenant.inbox(2).await.unwrap(), asked(&urgent_first[..2]));
}

/// Putting an entry again changes it in place, order included; removing takes it away, and only it.
pub async fn inbox_keeps_what_is_changed_and_drops_what_is_closed<S: Store>(store: &S) {
    let name = tenant("acme");
    let tenant = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::AwaitingHuman);
    let entries: Vec<_> = (1..=3)
        .map(|n| inbox_row(writer.mission, n, Severity::High, 100 + i64::from(n)))
        .collect();
    let mut batch = writer.next(1);
    for entry in &entries {
        batch.inbox.push(InboxChange::Put(entry.clone()));
    }
    writer.append(&tenant, batch).await;

    let mut claimed = entries[2].clone();
    claimed.entry = text("Which way? Mara looks after it.");
    claimed.severity = Severity::Critical;
    let mut batch = writer.next(1);
    batch.inbox = vec![
        InboxChange::Put(claimed.clone()),
        InboxChange::Remove(CheckpointNumber::new(1)),
        InboxChange::Remove(CheckpointNumber::new(77)),
    ];
    writer.append(&tenant, batch).await;
    let left = [claimed, entries[1].clone()];
    assert_eq!(tenant.inbox(100).await.unwrap(), asked(&left));
}

/// Due is every unended mission whose time has come, across tenants, earliest first.
pub async fn due_is_earliest_first_and_never_of_the_ended<S: Store>(store: &S) {
    let mut expected = Vec::new();
    let missions = [
        ("acme", 1, Phase::Executing, Some(300)),
        ("globex", 2, Phase::AwaitingHuman, Some(-50)),
        ("acme", 3, Phase::Completed, Some(10)),
        ("acme", 4, Phase::Executing, None),
        ("acme", 5, Phase::Planning, Some(200)),
        ("acme", 6, Phase::Executing, Some(301)),
        ("acme", 7, Phase::Failed, Some(10)),
        ("acme", 8, Phase::Cancelled, Some(10)),
    ];
    for (name, n, phase, wake_at) in missions {
        let name = tenant(name);
        let mut writer = Writer::new(&name, mission(n), phase);
        let mut batch = writer.next(1);
        batch.summary.wake_at = wake_at.map(Timestamp);
        writer.append(&store.tenant(&name), batch).await;
        expected.push(Due {
            tenant: name,
            mission: mission(n),
            wake_at: Timestamp(wake_at.unwrap_or(0)),
        });
    }
    let at = |n: usize| expected[n - 1].clone();
    let due = store.due(Timestamp(300), 10).await.unwrap();
    assert_eq!(due, [at(2), at(5), at(1)]);
    let due = store.due(Timestamp(300), 2).await.unwrap();
    assert_eq!(due, [at(2), at(5)]);
    assert_eq!(store.due(Timestamp(-51), 10).await.unwrap(), vec![]);
}

/// The next time to wake lies after now, and follows what appends change.
pub async fn next_wake_is_the_earliest_after_now<S: Store>(store: &S) {
    let name = tenant("acme");
    let tenant = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    let mut other = Writer::new(&name, mission(2), Phase::Executing);
    assert_eq!(store.next_wake(Timestamp(0)).await.unwrap(), None);
    for (writer, wake_at) in [(&mut writer, 100), (&mut other, 200)] {
        let mut batch = writer.next(1);
        batch.summary.wake_at = Some(Timestamp(wake_at));
        writer.append(&tenant, batch).await;
    }
    let next = async |now| store.next_wake(Timestamp(now)).await.unwrap();
    assert_eq!(next(0).await, Some(Timestamp(100)));
    assert_eq!(next(100).await, Some(Timestamp(200)));
    assert_eq!(next(200).await, None);

    let mut batch = writer.next(1);
    batch.summary.wake_at = Some(Timestamp(150));
    writer.append(&tenant, batch).await;
    assert_eq!(next(0).await, Some(Timestamp(150)));
    let mut batch = writer.next(1);
    batch.summary.phase = Phase::Completed;
    writer.append(&tenant, batch).await;
    assert_eq!(next(0).await, Some(Timestamp(200)));
    let mut batch = other.next(1);
    batch.summary.wake_at = None;
    other.append(&tenant, batch).await;
    assert_eq!(next(0).await, None);
}

/// A prefix finds missions with or without `msn_`, newest first; what is no prefix of an id finds none.
pub async fn find_by_prefix<S: Store>(store: &S) {
    let name = tenant("acme");
    let tenant = store.tenant(&name);
    let near = [mission(1), mission(2), mission(3)];
    let far = MissionId::from_bits(u128::MAX);
    for id in [near[1], far, near[0], near[2]] {
        let mut writer = Writer::new(&name, id, Phase::Executing);
        writer.append(&tenant, writer.next(1)).await;
    }
    let find = async |prefix: &str, limit| tenant.find(prefix, limit).await.unwrap();
    let text = near[1].to_string();
    assert_eq!(find(&text, 9).await, [near[1]]);
    let digits = text.strip_prefix(MissionId::PREFIX).unwrap();
    assert_eq!(find(digits, 9).await, [near[1]]);
    assert_eq!(find(&digits[..3], 9).await, [near[2], near[1], near[0]]);
    assert_eq!(find(&text[..7], 2).await, [near[2], near[1]]);
    assert_eq!(find("7", 9).await, [far]);
    assert_eq!(find("msn_", 9).await, [far, near[2], near[1], near[0]]);
    assert_eq!(find("", 1).await, [far]);
    for none in ["8", "u", "msn_7zzzz0", "ü", &format!("{digits}0")] {
        assert_eq!(find(none, 9).await, [], "{none}");
    }
}
