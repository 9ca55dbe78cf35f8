//! Clauses about keeping tenants apart, and a filled store to compare before and after.

use adjutant_mission::{
    AccountCaps, AccountOwner, Charge, CheckpointNumber, MicroUsd, MissionId, Phase, Resource,
    Severity, TenantId, Timestamp, Window, Zone,
};

use super::sample::{Writer, attestation, inbox_row, key, mission, subject, tenant, text};
use crate::{
    AttestationRow, Batch, Blob, BlobDigest, CapsRow, Chain, Due, InboxChange, ListOrder,
    ListQuery, RecordKind, RecordRow, Sealed, Snapshot, Store, StoredEvent, TenantStore,
    WrappedKey,
};

const ALL: ListQuery = ListQuery {
    phases: None,
    limit: 100,
    order: ListOrder::NewestFirst,
    past: None,
};

/// One mission with everything a mission can have.
struct Full {
    tenant: TenantId,
    writer: Writer,
    batch: Batch,
}

async fn write_full<S: Store>(store: &S, tenant: &TenantId, id: MissionId, mark: &str) -> Full {
    let mut writer = Writer::new(tenant, id, Phase::Executing);
    writer.subjects = vec![subject(mark)];
    let mut batch = writer.next(3);
    batch.summary.title = text(mark);
    batch.summary.wake_at = Some(Timestamp(1_000));
    let mut entry = inbox_row(id, 1, Severity::High, 5);
    entry.entry = text(mark);
    batch.inbox = vec![InboxChange::Put(entry)];
    batch.blobs = vec![Blob::new(Zone::Sensitive, mark.as_bytes().to_vec())];
    batch.snapshot = Some(Snapshot {
        head: batch.events[2].head(),
        version: 7,
        passport: text(mark),
    });
    batch.charges = vec![charge(mark)];
    let scoped = store.tenant(tenant);
    writer.append(&scoped, batch.clone()).await;
    scoped.set_caps(caps(mark)).await.unwrap();
    scoped.put_record(record(mark)).await.unwrap();
    let tenant_key = WrappedKey(mark.as_bytes().to_vec());
    assert!(
        scoped
            .set_tenant_key(None, tenant_key, vec![])
            .await
            .unwrap()
    );
    assert!(scoped.attest(vec![attestation(1, id)]).await.unwrap());
    Full {
        tenant: tenant.clone(),
        writer,
        batch,
    }
}

/// As much as the mark is long, so that two tenants differ.
fn charge(mark: &str) -> Charge {
    let mut charge = Charge::at(Timestamp(5));
    charge.reserve.money = MicroUsd(mark.len() as u64);
    charge
}

fn record(mark: &str) -> RecordRow {
    RecordRow {
        kind: RecordKind::Stop,
        name: "all".to_owned(),
        content: Sealed(mark.as_bytes().to_vec()),
    }
}

fn caps(mark: &str) -> CapsRow {
    let mut caps = AccountCaps::default();
    caps.hard.insert(Resource::Calls, mark.len() as u64);
    CapsRow {
        owner: AccountOwner::Tenant,
        window: Window::Day,
        caps,
    }
}

async fn check_full<S: Store>(store: &S, full: &Full) {
    let (batch, id) = (&full.batch, full.writer.mission);
    let tenant = store.tenant(&full.tenant);
    let events = tenant.events(id, 1, 100).await.unwrap();
    assert_eq!(events, batch.events);
    let mut chain = Chain::new(&full.tenant, id);
    for event in &events {
        chain.feed(event).unwrap();
    }
    assert_eq!(tenant.head(id).await.unwrap(), Some(chain.head()));
    assert_eq!(tenant.snapshot(id).await.unwrap(), batch.snapshot);
    let blob = &batch.blobs[0];
    let kept = tenant.blob(id, blob.digest).await.unwrap();
    assert_eq!(kept.as_ref(), Some(&blob.bytes));
    let row = full.writer.row();
    assert_eq!(tenant.row(id).await.unwrap().as_ref(), Some(&row));
    assert_eq!(tenant.list(ALL).await.unwrap(), [row]);
    let counts = tenant.counts().await.unwrap();
    assert_eq!(counts, [(Phase::Executing, 1)]);
    let inbox = tenant.inbox(9).await.unwrap();
    let inbox: Vec<_> = inbox
        .into_iter()
        .map(|asked| InboxChange::Put(asked.row))
        .collect();
    assert_eq!(inbox, batch.inbox);
    assert_eq!(tenant.find("", 9).await.unwrap(), [id]);
    let due = Due {
        tenant: full.tenant.clone(),
        mission: id,
        wake_at: Timestamp(1_000),
    };
    assert!(store.due(Timestamp(1_000), 9).await.unwrap().contains(&due));
    let next = store.next_wake(Timestamp(0)).await.unwrap();
    assert_eq!(next, Some(Timestamp(1_000)));
    check_kept(store, full).await;
}

/// Keys, subjects, attestations, and the mission as a whole.
async fn check_kept<S: Store>(store: &S, full: &Full) {
    let (batch, id) = (&full.batch, full.writer.mission);
    let tenant = store.tenant(&full.tenant);
    assert!(store.tenants().await.unwrap().contains(&full.tenant));
    let wrapped = tenant.tenant_key().await.unwrap().unwrap();
    assert_eq!(wrapped.0, batch.blobs[0].bytes);
    let keys = tenant.mission_keys(None, 9).await.unwrap();
    assert_eq!(keys, [(id, key(id))]);
    let concerned = tenant.missions_of(full.writer.subjects[0]).await;
    assert_eq!(concerned.unwrap(), [id]);
    let attested = [attestation(1, id)];
    assert_eq!(tenant.attestations(1, 9).await.unwrap(), attested);
    assert_eq!(tenant.attestations_of(id).await.unwrap(), attested);
    let last = tenant.last_attestation().await.unwrap();
    assert_eq!(last.as_ref(), Some(&attested[0]));
    let whole = tenant.take_out(id).await.unwrap().unwrap();
    assert_eq!(whole.row, full.writer.row());
    assert_eq!(whole.events, batch.events);
    assert_eq!(whole.blobs, batch.blobs);
    assert_eq!(whole.snapshot, batch.snapshot);
    assert_eq!(whole.subjects, full.writer.subjects);
    let inbox: Vec<_> = whole.inbox.iter().cloned().map(InboxChange::Put).collect();
    assert_eq!(inbox, batch.inbox);
    assert_eq!(tenant.usage().await.unwrap(), whole.usage());
    let mark = String::from_utf8(wrapped.0).unwrap();
    assert_eq!(tenant.caps().await.unwrap(), [caps(&mark)]);
    let records = tenant.records(RecordKind::Stop).await.unwrap();
    assert_eq!(records, [record(&mark)]);
    let accounts = tenant.accounts(Timestamp(0)).await.unwrap();
    assert_eq!(accounts.len(), Window::ALL.len());
    let held = accounts
        .iter()
        .all(|(_, balance)| balance.reserved == charge(&mark).reserve);
    assert!(held, "{accounts:?}");
}

/// A store with something in every corner, to be found again exactly: for backends that persist,
/// `fill`, close, reopen, `check`.
#[must_use]
#[expect(
    missing_debug_implementations,
    reason = "only handed from fill to check"
)]
pub struct Filled(Vec<Full>);

impl Filled {
    pub async fn fill<S: Store>(store: &S) -> Self {
        Self(vec![
            write_full(store, &tenant("acme"), mission(1), "ours").await,
            write_full(store, &tenant("globex"), mission(2), "theirs").await,
        ])
    }

    pub async fn check<S: Store>(&self, store: &S) {
        for full in &self.0 {
            check_full(store, full).await;
        }
    }

    /// Writes on where the filled store ended, as a host does after a restart.
    pub async fn carry_on<S: Store>(&mut self, store: &S) {
        for full in &mut self.0 {
            let more = full.writer.next(2);
            let tenant = store.tenant(&full.tenant);
            full.writer.append(&tenant, more.clone()).await;
            full.batch.events.extend(more.events);
        }
    }
}

/// With everything there is to see in one tenant, another tenant sees an empty store.
pub async fn tenant_sees_nothing_of_another<S: Store>(store: &S) {
    let full = write_full(store, &tenant("acme"), mission(1), "secret").await;
    let id = full.writer.mission;
    for stranger in ["globex", "acm", "acme2", "ACME"] {
        let stranger = store.tenant(&tenant(stranger));
        assert_eq!(
            stranger.events(id, 0, 9).await.unwrap(),
            Vec::<StoredEvent>::new()
        );
        assert_eq!(stranger.head(id).await.unwrap(), None);
        assert_eq!(stranger.snapshot(id).await.unwrap(), None);
        let digest = BlobDigest::of(b"secret");
        assert_eq!(stranger.blob(id, digest).await.unwrap(), None);
        assert_eq!(stranger.list(ALL).await.unwrap(), vec![]);
        let executing = ListQuery {
            phases: Some(vec![Phase::Executing]),
            ..ALL
        };
        assert_eq!(stranger.list(executing).await.unwrap(), vec![]);
        assert_eq!(stranger.row(id).await.unwrap(), None);
        assert_eq!(stranger.counts().await.unwrap(), vec![]);
        assert_eq!(stranger.inbox(9).await.unwrap(), vec![]);
        assert_eq!(stranger.find("", 9).await.unwrap(), vec![]);
        assert_eq!(stranger.find(&id.to_string(), 9).await.unwrap(), vec![]);
        stranger.append(full.writer.next(1)).await.unwrap_err();
        let concerned = stranger.missions_of(full.writer.subjects[0]).await;
        assert_eq!(concerned.unwrap(), vec![]);
        assert_eq!(stranger.tenant_key().await.unwrap(), None);
        assert_eq!(stranger.mission_keys(None, 9).await.unwrap(), vec![]);
        assert_eq!(stranger.take_out(id).await.unwrap(), None);
        assert_eq!(stranger.usage().await.unwrap(), 0);
        let none = Vec::<AttestationRow>::new();
        assert_eq!(stranger.attestations(1, 9).await.unwrap(), none);
        assert_eq!(stranger.attestations_of(id).await.unwrap(), none);
        assert_eq!(stranger.last_attestation().await.unwrap(), None);
        let second = attestation(2, id);
        assert!(!stranger.attest(vec![second.clone()]).await.unwrap());
        assert!(!stranger.prune(id, attestation(1, id)).await.unwrap());
        assert!(!stranger.prune(id, second).await.unwrap());
        let ours = stranger.set_tenant_key(
            Some(WrappedKey(b"secret".to_vec())),
            WrappedKey(b"taken".to_vec()),
            vec![(id, WrappedKey(b"taken".to_vec()))],
        );
        assert!(!ours.await.unwrap());
    }
    check_full(store, &full).await;
}

/// Two tenants may have missions of the same id; neither touches the other's.
pub async fn same_mission_id_in_two_tenants_stays_apart<S: Store>(store: &S) {
    let ours = write_full(store, &tenant("acme"), mission(1), "ours").await;
    let mut theirs = write_full(store, &tenant("globex"), mission(1), "theirs").await;
    check_full(store, &ours).await;
    check_full(store, &theirs).await;

    let name = theirs.tenant.clone();
    let mut batch = theirs.writer.next(2);
    batch.summary.phase = Phase::Failed;
    batch.inbox = vec![InboxChange::Remove(CheckpointNumber::new(1))];
    theirs.writer.append(&store.tenant(&name), batch).await;
    check_full(store, &ours).await;
    let inbox = store.tenant(&name).inbox(9).await.unwrap();
    assert_eq!(inbox, vec![]);
}
