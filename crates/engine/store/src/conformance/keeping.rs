//! Clauses about what becomes of missions later: erased, pruned, re-wrapped, carried elsewhere.

use adjutant_mission::{Phase, Severity, Timestamp, Zone};

use super::sample::{Writer, attestation, inbox_row, key, mission, subject, tenant, text};
use crate::{
    AppendError, Blob, ChainHead, ExpectedRecord, InboxChange, MissionRow, RecordChanges,
    RecordKind, RecordRow, Retention, Sealed, Snapshot, Store, TenantStore, WholeMission,
    WrappedKey,
};

/// A mission with all there is, and one beside it that must stay as it is.
async fn two_full<S: Store>(store: &S) -> (Writer, Writer) {
    let name = tenant("acme");
    let scoped = store.tenant(&name);
    let mut writers = [1, 2].map(|n| Writer::new(&name, mission(n), Phase::Completed));
    for writer in &mut writers {
        writer.subjects = vec![subject("anna"), subject(&writer.mission.to_string())];
        let mut batch = writer.next(3);
        batch.summary.wake_at = Some(Timestamp(5));
        let open = inbox_row(writer.mission, 1, Severity::High, 5);
        batch.inbox = vec![InboxChange::Put(open)];
        batch.blobs = vec![Blob::new(Zone::Sensitive, b"a letter".to_vec())];
        batch.snapshot = Some(Snapshot {
            head: batch.events[2].head(),
            version: 1,
            passport: text("state"),
        });
        writer.append(&scoped, batch).await;
    }
    let [first, second] = writers;
    (first, second)
}

/// What is left of a mission whose content is gone.
fn left_of(writer: &Writer, kept: Retention) -> MissionRow {
    let mut row = writer.row();
    row.key = None;
    row.kept = kept;
    row.summary.title = Sealed::default();
    row.summary.wake_at = None;
    row
}

async fn content_is_gone<S: Store>(store: &S, gone: &Writer, other: &WholeMission) {
    let scoped = store.tenant(&tenant("acme"));
    let (id, beside) = (gone.mission, other.row.summary.mission);
    assert_eq!(scoped.snapshot(id).await.unwrap(), None);
    let digest = other.blobs[0].digest;
    assert_eq!(scoped.blob(id, digest).await.unwrap(), None);
    let keys = scoped.mission_keys(None, 9).await.unwrap();
    assert_eq!(keys, [(beside, key(beside))]);
    let concerned = scoped.missions_of(subject("anna")).await.unwrap();
    assert_eq!(concerned, [beside]);
    let asked = scoped.inbox(9).await.unwrap();
    assert!(
        asked
            .iter()
            .all(|asked| asked.row.checkpoint.mission == beside)
    );
    let whole = scoped.take_out(beside).await.unwrap();
    assert_eq!(
        whole.as_ref(),
        Some(other),
        "the mission beside it is as it was"
    );
    let left = scoped.take_out(id).await.unwrap().unwrap();
    let usage = scoped.usage().await.unwrap();
    assert_eq!(usage, left.usage() + other.usage());
}

/// Erasing takes everything a mission says and leaves its row and its chain, for good.
pub async fn erasing_leaves_the_row_and_the_chain<S: Store>(store: &S) {
    let (mut gone, beside) = two_full(store).await;
    let scoped = store.tenant(&gone.tenant);
    let other = scoped.take_out(beside.mission).await.unwrap().unwrap();
    gone.append(&scoped, gone.erasing()).await;
    store.scrub().await.unwrap();

    let row = left_of(&gone, Retention::Erased);
    assert_eq!(scoped.row(gone.mission).await.unwrap(), Some(row));
    assert_eq!(scoped.head(gone.mission).await.unwrap(), Some(gone.head));
    assert_eq!(scoped.events(gone.mission, 1, 9).await.unwrap().len(), 4);
    content_is_gone(store, &gone, &other).await;
    let refused = scoped.append(gone.next(1)).await.unwrap_err();
    assert_eq!(
        refused,
        AppendError::Settled {
            kept: Retention::Erased
        }
    );
}

/// Pruning takes the journal too, and leaves an attestation in the same step or does nothing.
pub async fn pruning_leaves_the_row_and_an_attestation<S: Store>(store: &S) {
    let (gone, beside) = two_full(store).await;
    let scoped = store.tenant(&gone.tenant);
    let id = gone.mission;
    let other = scoped.take_out(beside.mission).await.unwrap().unwrap();
    assert!(scoped.attest(vec![attestation(1, id)]).await.unwrap());
    for wrong in [1, 3] {
        assert!(!scoped.prune(id, attestation(wrong, id)).await.unwrap());
    }
    assert!(
        !scoped
            .prune(mission(9), attestation(2, mission(9)))
            .await
            .unwrap()
    );
    assert_eq!(scoped.row(id).await.unwrap(), Some(gone.row()));
    assert!(scoped.prune(id, attestation(2, id)).await.unwrap());
    store.scrub().await.unwrap();

    let row = left_of(&gone, Retention::Pruned);
    assert_eq!(scoped.row(id).await.unwrap(), Some(row));
    assert_eq!(scoped.head(id).await.unwrap(), None);
    assert_eq!(scoped.events(id, 1, 9).await.unwrap(), vec![]);
    content_is_gone(store, &gone, &other).await;
    let attested = [attestation(1, id), attestation(2, id)];
    assert_eq!(scoped.attestations_of(id).await.unwrap(), attested);
    assert!(!scoped.prune(id, attestation(3, id)).await.unwrap(), "once");
    let mut again = Writer::new(&gone.tenant, id, Phase::Executing);
    let refused = again.try_append(&scoped, again.next(1)).await.unwrap_err();
    assert_eq!(
        refused,
        AppendError::Settled {
            kept: Retention::Pruned
        }
    );
}

/// Whoever has read up to a place misses nothing that comes later, though the newest events were pruned.
pub async fn positions_are_not_given_twice<S: Store>(store: &S) {
    let (mut stays, gone) = two_full(store).await;
    let scoped = store.tenant(&gone.tenant);
    let read_up_to = scoped.newest().await.unwrap();
    let pruned = scoped.prune(gone.mission, attestation(1, gone.mission));
    assert!(pruned.await.unwrap());
    stays.append(&scoped, stays.next(1)).await;
    let since = scoped.order(read_up_to, 9).await.unwrap();
    assert_eq!(since.len(), 1);
    assert_eq!((since[0].mission, since[0].seq), (stays.mission, 4));
    let left = scoped.order(0, 9).await.unwrap();
    assert!(left.iter().all(|at| at.mission == stays.mission));
}

/// Attestations continue one another without a gap; those that do not are refused as a whole.
pub async fn attestations_are_numbered_without_gaps<S: Store>(store: &S) {
    let scoped = store.tenant(&tenant("acme"));
    let (first, second) = (mission(1), mission(2));
    let row = |number| attestation(number, if number % 2 == 0 { second } else { first });
    assert!(!scoped.attest(vec![row(2)]).await.unwrap());
    assert!(scoped.attest(vec![row(1), row(2)]).await.unwrap());
    assert!(!scoped.attest(vec![row(2), row(3)]).await.unwrap());
    assert!(!scoped.attest(vec![row(3), row(5)]).await.unwrap());
    assert!(scoped.attest(vec![row(3)]).await.unwrap());
    let all = [row(1), row(2), row(3)];
    assert_eq!(scoped.attestations(1, 9).await.unwrap(), all);
    assert_eq!(scoped.attestations(2, 1).await.unwrap(), all[1..2]);
    assert_eq!(scoped.attestations(4, 9).await.unwrap(), vec![]);
    assert_eq!(scoped.attestations_of(second).await.unwrap(), all[1..2]);
    let last = scoped.last_attestation().await.unwrap();
    assert_eq!(last.as_ref(), all.last());
}

/// A tenant's key and the keys it wraps change together, and only for whoever knows the present one.
pub async fn keys_are_rewrapped_together<S: Store>(store: &S) {
    let (first, second) = two_full(store).await;
    let scoped = store.tenant(&first.tenant);
    let wrapped = |text: &str| WrappedKey(text.as_bytes().to_vec());
    assert!(
        scoped
            .set_tenant_key(None, wrapped("old"), vec![])
            .await
            .unwrap()
    );
    assert!(
        !scoped
            .set_tenant_key(None, wrapped("new"), vec![])
            .await
            .unwrap()
    );
    let taken = vec![(first.mission, wrapped("taken"))];
    let refused = scoped.set_tenant_key(Some(wrapped("other")), wrapped("new"), taken);
    assert!(!refused.await.unwrap());
    let again = vec![
        (first.mission, wrapped("first, again")),
        (mission(9), wrapped("nobody's")),
    ];
    let moved = scoped.set_tenant_key(Some(wrapped("old")), wrapped("new"), again);
    assert!(moved.await.unwrap());
    assert_eq!(scoped.tenant_key().await.unwrap(), Some(wrapped("new")));
    let keys = scoped.mission_keys(None, 9).await.unwrap();
    let rewrapped = (first.mission, wrapped("first, again"));
    let untouched = (second.mission, key(second.mission));
    assert_eq!(keys, [rewrapped, untouched.clone()]);
    let page = scoped.mission_keys(Some(first.mission), 9).await.unwrap();
    assert_eq!(page, [untouched]);
    assert_eq!(scoped.mission_keys(None, 1).await.unwrap().len(), 1);
}

/// A mission taken out and put in elsewhere is the same; an id that is taken stays as it is.
pub async fn a_mission_moves_whole<S: Store>(store: &S) {
    let (ours, _) = two_full(store).await;
    let scoped = store.tenant(&ours.tenant);
    let whole = scoped.take_out(ours.mission).await.unwrap().unwrap();
    assert!(!scoped.put_in(whole.clone()).await.unwrap());
    let elsewhere = store.tenant(&tenant("globex"));
    let mut moved = whole.clone();
    moved.row.kept = Retention::Archived;
    assert!(elsewhere.put_in(moved.clone()).await.unwrap());
    assert!(!elsewhere.put_in(moved.clone()).await.unwrap());

    let kept = elsewhere.take_out(ours.mission).await.unwrap();
    assert_eq!(kept.as_ref(), Some(&moved), "its origin included");
    assert_eq!(elsewhere.usage().await.unwrap(), whole.usage());
    let counts = elsewhere.counts().await.unwrap();
    assert_eq!(counts, [(Phase::Completed, 1)]);
    assert_eq!(elsewhere.find("", 9).await.unwrap(), [ours.mission]);
    let refused = elsewhere.append(ours.next(1)).await.unwrap_err();
    assert_eq!(
        refused,
        AppendError::Settled {
            kept: Retention::Archived
        }
    );
    elsewhere.append(ours.erasing()).await.unwrap();
    let kept = scoped.take_out(ours.mission).await.unwrap();
    assert_eq!(kept, Some(whole), "the one at home is untouched");
}

/// A key is given to a mission that was put in without one, and to no other: neither to one that has its own nor
/// to one whose key was destroyed.
pub async fn a_missing_key_is_given_once<S: Store>(store: &S) {
    let (ours, _) = two_full(store).await;
    let scoped = store.tenant(&ours.tenant);
    let mut whole = scoped.take_out(ours.mission).await.unwrap().unwrap();
    whole.row.kept = Retention::Archived;
    whole.row.key = None;
    let elsewhere = store.tenant(&tenant("globex"));
    let late = WrappedKey(b"late".to_vec());
    assert!(
        !elsewhere
            .give_key(ours.mission, late.clone())
            .await
            .unwrap()
    );
    assert!(elsewhere.put_in(whole.clone()).await.unwrap());
    assert!(
        elsewhere
            .give_key(ours.mission, late.clone())
            .await
            .unwrap()
    );
    let again = elsewhere
        .give_key(ours.mission, WrappedKey(b"later".to_vec()))
        .await;
    assert!(!again.unwrap());
    whole.row.key = Some(late.clone());
    let kept = elsewhere.take_out(ours.mission).await.unwrap();
    assert_eq!(kept, Some(whole));
    assert!(!scoped.give_key(ours.mission, late.clone()).await.unwrap());
    elsewhere.append(ours.erasing()).await.unwrap();
    assert!(!elsewhere.give_key(ours.mission, late).await.unwrap());
}

/// A mission that is not at work is never due, whatever its row says.
pub async fn only_working_missions_are_due<S: Store>(store: &S) {
    let name = tenant("acme");
    let scoped = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    let mut batch = writer.next(1);
    batch.summary.wake_at = Some(Timestamp(5));
    writer.append(&scoped, batch).await;
    let mut whole = scoped.take_out(mission(1)).await.unwrap().unwrap();
    whole.row.kept = Retention::Archived;
    let elsewhere = store.tenant(&tenant("globex"));
    assert!(elsewhere.put_in(whole).await.unwrap());
    let due = store.due(Timestamp(5), 9).await.unwrap();
    let tenants: Vec<_> = due.into_iter().map(|due| due.tenant).collect();
    assert_eq!(tenants, std::slice::from_ref(&name));
    writer.append(&scoped, writer.erasing()).await;
    assert_eq!(store.due(Timestamp(5), 9).await.unwrap(), vec![]);
    assert_eq!(store.next_wake(Timestamp(0)).await.unwrap(), None);
    let genesis = ChainHead::genesis(&name, mission(1));
    assert_ne!(scoped.head(mission(1)).await.unwrap(), Some(genesis));
}

/// A record stands under its kind and name, is replaced whole, and is dropped once.
pub async fn records_are_kept_by_kind_and_name<S: Store>(store: &S) {
    let acme = store.tenant(&tenant("acme"));
    let record = |kind, name: &str, content: &[u8]| RecordRow {
        kind,
        name: name.to_owned(),
        content: Sealed(content.to_vec()),
    };
    let (b, a) = (
        record(RecordKind::Trigger, "b", b"1"),
        record(RecordKind::Trigger, "a", b"2"),
    );
    let stop = record(RecordKind::Stop, "a", b"3");
    for row in [&b, &a, &stop] {
        acme.put_record(row.clone()).await.unwrap();
    }
    let kept = acme.records(RecordKind::Trigger).await.unwrap();
    assert_eq!(kept, [a.clone(), b], "by name, and no other kind");
    assert_eq!(acme.records(RecordKind::Notice).await.unwrap(), []);
    let names = acme.record_names(RecordKind::Trigger).await.unwrap();
    assert_eq!(names, ["a", "b"]);
    let one = acme.record(RecordKind::Stop, "a".to_owned()).await.unwrap();
    assert_eq!(one, Some(stop.clone()));
    for (kind, name) in [(RecordKind::Stop, "b"), (RecordKind::Notice, "a")] {
        assert_eq!(acme.record(kind, name.to_owned()).await.unwrap(), None);
    }
    let of_other = store
        .tenant(&tenant("other"))
        .record(RecordKind::Stop, "a".to_owned())
        .await
        .unwrap();
    assert_eq!(of_other, None);
    let other = store.tenant(&tenant("globex"));
    assert_eq!(other.records(RecordKind::Stop).await.unwrap(), []);

    let changed = record(RecordKind::Stop, "a", b"");
    acme.put_record(changed.clone()).await.unwrap();
    assert_eq!(acme.records(RecordKind::Stop).await.unwrap(), [changed]);
    for gone in [true, false] {
        let dropped = acme.drop_record(RecordKind::Stop, "a".to_owned()).await;
        assert_eq!(dropped.unwrap(), gone);
    }
    assert_eq!(acme.records(RecordKind::Stop).await.unwrap(), []);
    assert_eq!(acme.records(RecordKind::Trigger).await.unwrap().len(), 2);
}

/// Records change together, and only if the one that was looked at is as it was.
pub async fn records_change_together_or_not_at_all<S: Store>(store: &S) {
    let acme = store.tenant(&tenant("acme"));
    let record = |kind, name: &str, content: &[u8]| RecordRow {
        kind,
        name: name.to_owned(),
        content: Sealed(content.to_vec()),
    };
    let (kind, list) = (RecordKind::Stop, RecordKind::Register);
    let change = |seen: Option<&[u8]>, now: &[u8], dropped: Option<&str>| RecordChanges {
        expected: ExpectedRecord {
            kind: list,
            name: "stop".to_owned(),
            content: seen.map(|seen| Sealed(seen.to_vec())),
        },
        put: vec![record(kind, "a", now), record(list, "stop", now)],
        dropped: dropped.map(|name| (kind, name.to_owned())),
    };
    acme.put_record(record(kind, "b", b"0")).await.unwrap();
    let early = change(Some(b"1"), b"2", Some("b"));
    assert!(!acme.change_records(early).await.unwrap(), "not there yet");
    assert_eq!(acme.record_names(kind).await.unwrap(), ["b"]);
    assert!(acme.change_records(change(None, b"1", None)).await.unwrap());
    let twice = change(None, b"2", Some("b"));
    assert!(!acme.change_records(twice).await.unwrap(), "there already");
    assert_eq!(acme.record_names(kind).await.unwrap(), ["a", "b"]);
    let next = change(Some(b"1"), b"2", Some("b"));
    assert!(acme.change_records(next).await.unwrap());
    let kept = acme.records(kind).await.unwrap();
    assert_eq!(kept, [record(kind, "a", b"2")]);
    let kept = acme.records(list).await.unwrap();
    assert_eq!(kept, [record(list, "stop", b"2")]);
}
