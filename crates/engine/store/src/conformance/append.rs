//! Clauses about writing journals.

use adjutant_mission::{Phase, Severity, Zone};
use tokio::sync::broadcast::error::TryRecvError;

use super::sample::{Writer, inbox_row, mission, summary, tenant, text};
use crate::{
    AppendError, Blob, BlobDigest, Chain, ChainHead, Committed, InboxChange, Sealed, Snapshot,
    Store, TenantStore,
};

/// A batch whose expected head is not the journal's is refused, and nothing of it is kept.
pub async fn conflict_changes_nothing<S: Store>(store: &S) {
    let name = tenant("acme");
    let tenant = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    let late = writer.clone();
    writer.append(&tenant, writer.next(2)).await;
    let counts = tenant.counts().await.unwrap();

    let blob = Blob::new(Zone::Platform, b"late".to_vec());
    let mut batch = late.next(3);
    batch.summary = summary(late.mission, Phase::Failed);
    batch.blobs = vec![blob.clone()];
    batch.inbox = vec![InboxChange::Put(inbox_row(
        late.mission,
        1,
        Severity::High,
        5,
    ))];
    batch.snapshot = Some(Snapshot {
        head: late.head,
        version: 1,
        passport: text("late"),
    });
    let refused = tenant.append(batch).await.unwrap_err();

    assert_eq!(
        refused,
        AppendError::Conflict {
            expected: late.head,
            found: writer.head
        }
    );
    let id = writer.mission;
    assert_eq!(tenant.head(id).await.unwrap(), Some(writer.head));
    assert_eq!(tenant.events(id, 1, 10).await.unwrap().len(), 2);
    assert_eq!(tenant.row(id).await.unwrap(), Some(writer.row()));
    assert_eq!(tenant.counts().await.unwrap(), counts);
    assert_eq!(tenant.blob(id, blob.digest).await.unwrap(), None);
    assert_eq!(tenant.snapshot(id).await.unwrap(), None);
    assert_eq!(tenant.inbox(10).await.unwrap(), vec![]);
}

/// The same number with another hash is another journal.
pub async fn genesis_is_the_only_beginning<S: Store>(store: &S) {
    let name = tenant("acme");
    let store = store.tenant(&name);
    let mut stray = Writer::new(&name, mission(1), Phase::Executing);
    stray.head = ChainHead::genesis(&tenant("globex"), mission(1));
    let refused = store.append(stray.next(1)).await.unwrap_err();
    let found = ChainHead::genesis(&name, mission(1));
    assert_eq!(
        refused,
        AppendError::Conflict {
            expected: stray.head,
            found
        }
    );
    assert_eq!(store.head(mission(1)).await.unwrap(), None);
    assert_eq!(store.row(mission(1)).await.unwrap(), None);
}

/// Events that leave a gap, repeat, or do not fit their hashes are refused.
pub async fn batch_must_continue_its_own_head<S: Store>(store: &S) {
    let name = tenant("acme");
    let tenant = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    writer.append(&tenant, writer.next(2)).await;

    let mut gap = writer.next(3);
    gap.events.remove(1);
    let mut swapped = writer.next(2);
    swapped.events.swap(0, 1);
    let mut altered = writer.next(2);
    altered.events[1].bytes[0] ^= 1;
    let mut ahead = writer.next(2);
    ahead.events.remove(0);
    for batch in [gap, swapped, altered, ahead] {
        let refused = tenant.append(batch).await.unwrap_err();
        assert!(
            matches!(refused, AppendError::Malformed { .. }),
            "{refused:?}"
        );
    }
    assert_eq!(
        tenant.head(writer.mission).await.unwrap(),
        Some(writer.head)
    );
}

/// A batch that speaks of another mission, or of no event, is refused as a whole.
pub async fn malformed_batch_changes_nothing<S: Store>(store: &S) {
    let name = tenant("acme");
    let tenant = store.tenant(&name);
    let writer = Writer::new(&name, mission(1), Phase::Executing);

    let empty = writer.next(0);
    let mut other_summary = writer.next(1);
    other_summary.summary = summary(mission(2), Phase::Executing);
    let mut other_inbox = writer.next(1);
    other_inbox.inbox = vec![InboxChange::Put(inbox_row(
        mission(2),
        1,
        Severity::High,
        5,
    ))];
    let mut other_snapshot = writer.next(1);
    other_snapshot.snapshot = Some(Snapshot {
        head: ChainHead::genesis(&name, mission(2)),
        version: 1,
        passport: text(""),
    });
    let mut unopened = writer.next(1);
    unopened.opening = None;
    let mut erases_and_adds = writer.erasing();
    erases_and_adds.blobs = vec![Blob::new(Zone::Platform, vec![])];
    for batch in [
        empty,
        other_summary,
        other_inbox,
        other_snapshot,
        unopened,
        erases_and_adds,
    ] {
        let refused = tenant.append(batch).await.unwrap_err();
        assert!(
            matches!(refused, AppendError::Malformed { .. }),
            "{refused:?}"
        );
    }
    assert_eq!(tenant.head(mission(1)).await.unwrap(), None);
    assert_eq!(tenant.counts().await.unwrap(), vec![]);
}

/// Of many appends to one head, sent at once, exactly one is written; those to other missions all are.
pub async fn parallel_appends_have_one_winner<S: Store>(store: &S) {
    let name = tenant("acme");
    let mut sent = tokio::task::JoinSet::new();
    for n in 0..40 {
        let tenant = store.tenant(&name);
        let mut contender = Writer::new(&name, mission(1), Phase::Executing);
        contender.summary.title = text(&format!("contender {n}"));
        let mut loner = Writer::new(&name, mission(100 + n), Phase::Planning);
        sent.spawn(async move {
            let won = contender.try_append(&tenant, contender.next(1)).await;
            loner.append(&tenant, loner.next(1)).await;
            (contender, won)
        });
    }
    let results = sent.join_all().await;
    let (won, lost): (Vec<_>, Vec<_>) = results.into_iter().partition(|(_, won)| won.is_ok());
    assert_eq!(won.len(), 1);
    let winner = &won[0].0;
    for (loser, refused) in &lost {
        let conflict = AppendError::Conflict {
            expected: loser.head,
            found: winner.head,
        };
        assert_eq!(refused, &Err(conflict));
    }
    let tenant = store.tenant(&name);
    assert_eq!(tenant.head(mission(1)).await.unwrap(), Some(winner.head));
    let kept = tenant.row(mission(1)).await.unwrap();
    assert_eq!(kept, Some(winner.row()));
    let counts = tenant.counts().await.unwrap();
    assert_eq!(counts, vec![(Phase::Planning, 40), (Phase::Executing, 1)]);
}

/// The head is the last event's, after every append; a mission nobody wrote has none.
pub async fn head_moves_with_every_append<S: Store>(store: &S) {
    let name = tenant("acme");
    let tenant = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    assert_eq!(tenant.head(writer.mission).await.unwrap(), None);
    for count in [1, 5, 2] {
        writer.append(&tenant, writer.next(count)).await;
        assert_eq!(
            tenant.head(writer.mission).await.unwrap(),
            Some(writer.head)
        );
    }
    assert_eq!(writer.head.seq, 8);
}

/// Events come back byte for byte, in order, from any number on, in pages.
pub async fn events_are_ordered_gapless_and_paged<S: Store>(store: &S) {
    let name = tenant("acme");
    let tenant = store.tenant(&name);
    let mut first = Writer::new(&name, mission(1), Phase::Executing);
    let mut second = Writer::new(&name, mission(2), Phase::Executing);
    let mut written = Vec::new();
    for count in [3, 1, 4, 2] {
        let batch = first.next(count);
        written.extend(batch.events.clone());
        first.append(&tenant, batch).await;
        second.append(&tenant, second.next(2)).await;
    }

    let id = first.mission;
    assert_eq!(tenant.events(id, 0, 100).await.unwrap(), written);
    assert_eq!(tenant.events(id, 1, 100).await.unwrap(), written);
    assert_eq!(tenant.events(id, 4, 3).await.unwrap(), written[3..6]);
    assert_eq!(tenant.events(id, 10, 5).await.unwrap(), written[9..]);
    assert_eq!(tenant.events(id, 11, 5).await.unwrap(), vec![]);
    assert_eq!(tenant.events(id, 1, 0).await.unwrap(), vec![]);
    assert_eq!(tenant.events(mission(3), 1, 5).await.unwrap(), vec![]);

    let mut chain = Chain::new(&name, second.mission);
    for event in tenant.events(second.mission, 1, 100).await.unwrap() {
        chain.feed(&event).unwrap();
    }
    chain.ends_at(second.head).unwrap();
}

/// Over all missions of a tenant events stand in the order in which they were written, and can be read on from any place.
pub async fn events_of_all_missions_have_one_order<S: Store>(store: &S) {
    let (name, other) = (tenant("acme"), tenant("umbra"));
    let (acme, umbra) = (store.tenant(&name), store.tenant(&other));
    assert_eq!(acme.newest().await.unwrap(), 0);
    let mut first = Writer::new(&name, mission(1), Phase::Executing);
    let mut second = Writer::new(&name, mission(2), Phase::Executing);
    let mut foreign = Writer::new(&other, mission(1), Phase::Executing);
    first.append(&acme, first.next(2)).await;
    second.append(&acme, second.next(1)).await;
    foreign.append(&umbra, foreign.next(3)).await;
    first.append(&acme, first.next(1)).await;

    let all = acme.order(0, 100).await.unwrap();
    let told: Vec<_> = all.iter().map(|at| (at.mission, at.seq)).collect();
    let (one, two) = (first.mission, second.mission);
    assert_eq!(told, [(one, 1), (one, 2), (two, 1), (one, 3)]);
    assert!(all.is_sorted_by(|a, b| a.position < b.position));
    assert_eq!(acme.newest().await.unwrap(), all[3].position);
    assert_eq!(acme.order(all[0].position, 2).await.unwrap(), all[1..3]);
    assert_eq!(acme.order(all[3].position, 9).await.unwrap(), []);
    assert_eq!(acme.order(u64::MAX, 9).await.unwrap(), []);
    assert_eq!(umbra.order(0, 100).await.unwrap().len(), 3);
}

/// A blob may be written again and again; it is found under its digest, in its own mission only.
pub async fn blobs_are_stored_once_and_read_back<S: Store>(store: &S) {
    let name = tenant("acme");
    let tenant = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    let mut other = Writer::new(&name, mission(2), Phase::Executing);
    let large = Blob::new(Zone::Sensitive, (0..300_000u32).map(|n| n as u8).collect());
    let empty = Blob::new(Zone::Platform, vec![]);
    for _ in 0..2 {
        let mut batch = writer.next(1);
        batch.blobs = vec![large.clone(), empty.clone(), large.clone()];
        writer.append(&tenant, batch).await;
    }
    other.append(&tenant, other.next(1)).await;

    let id = writer.mission;
    let read = tenant.blob(id, large.digest).await.unwrap();
    assert_eq!(read, Some(large.bytes));
    assert_eq!(tenant.blob(id, empty.digest).await.unwrap(), Some(vec![]));
    let unknown = BlobDigest::of(b"unknown");
    assert_eq!(tenant.blob(id, unknown).await.unwrap(), None);
    let elsewhere = tenant.blob(other.mission, large.digest).await.unwrap();
    assert_eq!(elsewhere, None);
}

/// A mission has one snapshot: the last one given. A batch without one leaves it.
pub async fn snapshot_is_replaced<S: Store>(store: &S) {
    let name = tenant("acme");
    let tenant = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    for version in [1, 2] {
        let mut batch = writer.next(2);
        let snapshot = Snapshot {
            head: batch.events[1].head(),
            version,
            passport: Sealed(vec![version as u8; 5_000]),
        };
        batch.snapshot = Some(snapshot.clone());
        writer.append(&tenant, batch).await;
        writer.append(&tenant, writer.next(1)).await;
        let kept = tenant.snapshot(writer.mission).await.unwrap();
        assert_eq!(kept, Some(snapshot));
    }
    assert_eq!(tenant.snapshot(mission(2)).await.unwrap(), None);
}

/// Subscribers hear of every append once it is there to be read, and of nothing that was refused.
pub async fn subscribers_hear_of_what_is_committed<S: Store>(store: &S) {
    let name = tenant("acme");
    let tenant = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    let late = writer.clone();
    writer.append(&tenant, writer.next(1)).await;
    let mut heard = store.subscribe();
    writer.append(&tenant, writer.next(2)).await;
    tenant.append(late.next(1)).await.unwrap_err();
    let news = Committed {
        tenant: name,
        mission: writer.mission,
        seq: 3,
    };
    assert_eq!(heard.try_recv(), Ok(news));
    assert_eq!(heard.try_recv(), Err(TryRecvError::Empty));
}
