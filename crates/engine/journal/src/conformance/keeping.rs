//! Erasing, pruning, exporting, backing up and changing keys, with content to tell by.

use adjutant_mission::{
    AccountCaps, AccountOwner, MissionId, Resource, TenantId, Timestamp, Window,
};
use adjutant_store::{CapsRow, RecordKind, RecordRow, Retention, Store, TenantStore};

use super::sample::{Driven, NOW, Sample, ann, damage, master_key, mission, signing_key, tenant};
use crate::{ExportKey, JournalError, Kind, MasterKey, TenantJournal, Vault, verify_file};

fn journal<S: Store>(store: &S) -> TenantJournal<S::Tenant> {
    Vault::new(master_key()).tenant(store, &tenant())
}

async fn title<T: TenantStore>(journal: &TenantJournal<T>, id: MissionId) -> String {
    let listed = journal.summary(id).await.unwrap();
    listed.unwrap().summary.title
}

/// What says "Anna" in any spelling it was written in.
/// By more letters than chance puts together in what is sealed.
fn names_her(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let hers = ["Anna Kovacs", "Anna x", "anna@example.org", "Kovacs"];
    hers.iter().any(|words| text.contains(words))
}

/// Content is sealed wherever it is kept; erased, it cannot be opened by anyone, and everything verifies.
pub async fn erasing_leaves_nothing_to_read<S, G, F, R>(fresh: F)
where
    S: Store,
    F: Fn() -> R,
    R: Future<Output = (S, G)>,
{
    let (store, _guard) = fresh().await;
    Sample::make(&store).await;
    let journal = journal(&store);
    let (ended, asking) = (mission(1), mission(2));
    let whole = journal.store().take_out(ended).await.unwrap().unwrap();
    let sealed = whole.events.iter().map(|event| &event.bytes);
    let sealed = sealed.chain(whole.blobs.iter().map(|blob| &blob.bytes));
    let mut sealed = sealed.chain([&whole.row.summary.title.0]);
    assert!(
        !sealed.any(|bytes| names_her(bytes)),
        "nothing is in the clear"
    );

    let mut concerned = journal.concerning(" Anna@Example.org").await.unwrap();
    concerned.sort_unstable();
    assert_eq!(concerned, [ended, asking]);
    assert_eq!(journal.concerning("bela").await.unwrap(), []);
    let refused = journal.erase(asking, NOW, &ann(), "asked for").await;
    assert!(matches!(refused, Err(JournalError::Unfinished { .. })));
    for _ in 0..2 {
        let erased = journal.erase(ended, NOW, &ann(), "asked for").await;
        erased.unwrap();
    }
    store.scrub().await.unwrap();

    assert_eq!(
        journal.concerning("anna@example.org").await.unwrap(),
        [asking]
    );
    assert_eq!(title(&journal, ended).await, "");
    assert!(names_her(title(&journal, asking).await.as_bytes()));
    let gone = journal.read(ended).await.unwrap_err();
    assert_eq!(gone.code(), "ADJ-4005");
    let labels = journal.labels(ended).await.unwrap();
    assert_eq!(labels.last().unwrap().1.name, "content_erased/1");
    assert_eq!(labels.len(), whole.events.len() + 1);
    assert_eq!(damage(&journal).await, None);
    journal.attest_all(&signing_key(), NOW).await.unwrap();
    assert_eq!(damage(&journal).await, None);
    let (_, backup) = Vault::new(master_key())
        .back_up(&store, NOW, Vec::new())
        .await
        .unwrap();
    assert!(!names_her(&backup));
}

/// A pruned mission is told from a missing one by what was signed when it went.
pub async fn pruning_leaves_what_verifies<S, G, F, R>(fresh: F)
where
    S: Store,
    F: Fn() -> R,
    R: Future<Output = (S, G)>,
{
    let (store, _guard) = fresh().await;
    let before = Sample::make(&store).await;
    let journal = journal(&store);
    let (ended, asking) = (mission(1), mission(2));
    assert_eq!(journal.prunable(NOW).await.unwrap(), []);
    let later = Timestamp(NOW.0 + 1);
    assert_eq!(journal.prunable(later).await.unwrap(), [ended]);
    let key = signing_key();
    let refused = journal.prune(&key, later, asking, "old").await;
    assert!(matches!(refused, Err(JournalError::Unfinished { .. })));
    journal.prune(&key, later, ended, "old").await.unwrap();
    assert_eq!(journal.prunable(later).await.unwrap(), []);

    assert_eq!(damage(&journal).await, None);
    let verified = journal.verify(ended, &[], None).await.unwrap().unwrap();
    assert_eq!(verified.kept, Retention::Pruned);
    let head = before.missions[0].events.last().unwrap().head();
    assert_eq!(verified.head, head);
    let known = journal.verify(ended, &[], Some(head)).await.unwrap();
    assert_eq!(known.unwrap().head, head);
    let usage = journal.store().usage().await.unwrap();
    assert_eq!(usage, before.missions[1].usage());

    let mut forged = Sample::of(&journal).await;
    forged.attestations.pop();
    let (store, _guard) = fresh().await;
    let found = damage(&forged.put(&store).await).await.unwrap();
    assert_eq!(found.code, "ADJ-3054", "{}", found.what);
}

/// An export verifies by itself, and is read where its key is, in another store and tenant.
pub async fn an_export_is_read_and_verified_elsewhere<S, G, F, R>(fresh: F)
where
    S: Store,
    F: Fn() -> R,
    R: Future<Output = (S, G)>,
{
    let (store, _guard) = fresh().await;
    Sample::make(&store).await;
    let home = journal(&store);
    let key = ExportKey::generate().unwrap();
    let both = [mission(1), mission(2)];
    let file = home.export(&both, Some(&key), NOW, Vec::new()).await;
    let file = file.unwrap();
    assert!(!names_her(&file));
    for (key, reads) in [(None, false), (Some(&key), true)] {
        let found = verify_file(&file[..], key, &[], None).unwrap();
        assert_eq!((found.kind, found.missions.len()), (Kind::Export, 2));
        for (of, _, verified) in found.missions {
            assert_eq!(of, tenant());
            assert_eq!(verified.unwrap().folded, reads);
        }
    }
    let globex = TenantId::new("globex").unwrap();
    let (elsewhere, _guard) = fresh().await;
    let vault = Vault::new(MasterKey::generate().unwrap());
    let there = vault.tenant(&elsewhere, &globex);
    let taken = there.import(&file[..], Some(&key)).await.unwrap();
    assert_eq!(taken.len(), 2);
    for id in both {
        assert_eq!(title(&there, id).await, title(&home, id).await);
        let (ours, theirs) = (home.read(id).await.unwrap(), there.read(id).await.unwrap());
        assert_eq!(ours, theirs, "every event and the head");
        let verified = there.verify(id, &[], Some(ours.1)).await.unwrap();
        assert!(verified.unwrap().folded);
    }
    let again = there.import(&file[..], Some(&key)).await.unwrap_err();
    assert_eq!(again.code(), "ADJ-4023");

    for at in (0..file.len()).step_by(file.len() / 60) {
        let mut altered = file.clone();
        altered[at] ^= 1;
        let found = verify_file(&altered[..], Some(&key), &[], None);
        assert!(found.is_err(), "byte {at} of the file");
        assert!(
            verify_file(&file[..at], None, &[], None).is_err(),
            "cut at {at}"
        );
    }
}

/// What came from elsewhere can be read, verified and erased, not moved on; without its key it is closed.
pub async fn an_imported_mission_cannot_be_moved_on<S, G, F, R>(fresh: F)
where
    S: Store,
    F: Fn() -> R,
    R: Future<Output = (S, G)>,
{
    let (store, _guard) = fresh().await;
    let home = journal(&store);
    let mut driven = Driven::to_its_question(home.clone(), mission(2)).await;
    home.attest_all(&signing_key(), NOW).await.unwrap();
    let file = home.export(&[mission(2)], None, NOW, Vec::new()).await;
    let (elsewhere, _guard) = fresh().await;
    let there = journal(&elsewhere);
    there.import(&file.unwrap()[..], None).await.unwrap();
    assert_eq!(title(&there, mission(2)).await, "");
    let closed = there.read(mission(2)).await.unwrap_err();
    assert_eq!(closed.code(), "ADJ-4007");
    let key = ExportKey::generate().unwrap();
    let late = home
        .export(&[mission(2)], Some(&key), NOW, Vec::new())
        .await;
    let late = late.unwrap();
    let keyless = there.import(&late[..], None).await.unwrap_err();
    assert_eq!(keyless.code(), "ADJ-4023");
    let verified = there.verify(mission(2), &[], None).await.unwrap().unwrap();
    assert_eq!(
        (verified.kept, verified.folded),
        (Retention::Archived, false)
    );
    assert_eq!(there.inbox(9).await.unwrap(), vec![]);
    assert_eq!(elsewhere.due(Timestamp(i64::MAX), 9).await.unwrap(), vec![]);
    there.import(&late[..], Some(&key)).await.unwrap();
    assert_eq!(
        title(&there, mission(2)).await,
        title(&home, mission(2)).await
    );
    let (ours, theirs) = (home.read(mission(2)).await, there.read(mission(2)).await);
    assert_eq!(
        ours.unwrap(),
        theirs.unwrap(),
        "readable, now that the key came"
    );
    there
        .erase(mission(2), NOW, &ann(), "asked for")
        .await
        .unwrap();
    driven.finish().await;
}

/// New keys above, the same content below; the old keys open nothing any more.
pub async fn keys_change_and_content_stays<S, G, F, R>(fresh: F)
where
    S: Store,
    F: Fn() -> R,
    R: Future<Output = (S, G)>,
{
    let (store, _guard) = fresh().await;
    let before = Sample::make(&store).await;
    let vault = Vault::new(master_key());
    assert_eq!(vault.tenant(&store, &tenant()).rotate().await.unwrap(), 2);
    let next = MasterKey::generate().unwrap();
    assert_eq!(vault.rotate(&store, &next).await.unwrap(), 1);
    assert_eq!(
        vault.rotate(&store, &next).await.unwrap(),
        0,
        "done already"
    );

    let former = journal(&store).read(mission(1)).await.unwrap_err();
    assert_eq!(former.code(), "ADJ-4002");
    let now = Vault::new(next).tenant(&store, &tenant());
    assert!(names_her(title(&now, mission(1)).await.as_bytes()));
    assert_eq!(now.concerning("anna@example.org").await.unwrap().len(), 2);
    assert_eq!(damage(&now).await, None);
    let after = now.store().take_out(mission(1)).await.unwrap().unwrap();
    assert_eq!(
        after.events, before.missions[0].events,
        "nothing was rewritten"
    );
    assert_eq!(after.blobs, before.missions[0].blobs);
    assert_ne!(after.row.key, before.missions[0].row.key);
}

/// A restored store is the store: every row, event, blob, signature and key.
pub async fn a_backup_restores_everything<S, G, F, R>(fresh: F)
where
    S: Store,
    F: Fn() -> R,
    R: Future<Output = (S, G)>,
{
    let (store, _guard) = fresh().await;
    let before = Sample::make(&store).await;
    let vault = Vault::new(master_key());
    let mut caps = AccountCaps::default();
    caps.hard.insert(Resource::Calls, 900);
    let row = CapsRow {
        owner: AccountOwner::Tenant,
        window: Window::Day,
        caps,
    };
    let scoped = store.tenant(&tenant());
    journal(&store).set_caps(row.clone()).await.unwrap();
    let noted = [("why".to_owned(), "Anna asked".to_owned())];
    let kept = journal(&store);
    for (name, value) in &noted {
        kept.put_record(RecordKind::Stop, name, value)
            .await
            .unwrap();
    }
    let spent = scoped.accounts(Timestamp(0)).await.unwrap();
    assert!(spent.iter().all(|(_, balance)| balance.used.calls > 0));
    let (done, file) = vault.back_up(&store, NOW, Vec::new()).await.unwrap();
    assert_eq!((done.tenants, done.missions), (1, 2));
    let found = verify_file(&file[..], None, &[signing_key().public()], None).unwrap();
    assert!(found.missions.iter().all(|(_, _, found)| found.is_ok()));
    assert!(found.attestations.iter().all(|(_, found)| found.is_ok()));

    let (elsewhere, _guard) = fresh().await;
    let other = Vault::new(MasterKey::generate().unwrap());
    let refused = other.restore(&elsewhere, &file[..]).await.unwrap_err();
    assert_eq!(refused.code(), "ADJ-4002");
    let (elsewhere, _guard) = fresh().await;
    assert_eq!(vault.restore(&elsewhere, &file[..]).await.unwrap(), done);
    let restored = journal(&elsewhere);
    let after = Sample::of(&restored).await;
    assert_eq!(after.missions, before.missions);
    assert_eq!(after.attestations, before.attestations);
    assert_eq!(after.key, before.key);
    assert_eq!(restored.store().caps().await.unwrap(), [row]);
    assert_eq!(restored.records(RecordKind::Stop).await.unwrap(), noted);
    assert_eq!(
        restored.store().accounts(Timestamp(0)).await.unwrap(),
        spent
    );
    assert_eq!(damage(&restored).await, None);
    assert_eq!(restored.inbox(9).await.unwrap().len(), 1);
    let again = vault.restore(&elsewhere, &file[..]).await.unwrap_err();
    assert_eq!(again.code(), "ADJ-4024");
}

/// A record says nothing without its tenant's key, opens only where it was put, and outlives a change of keys.
pub async fn records_are_sealed_to_their_place<S, G, F, R>(fresh: F)
where
    S: Store,
    F: Fn() -> R,
    R: Future<Output = (S, G)>,
{
    let (store, _guard) = fresh().await;
    let kept = journal(&store);
    let none = kept.records::<String>(RecordKind::Channel).await.unwrap();
    assert_eq!(none, []);
    let said = "Anna Kovacs asked".to_owned();
    kept.put_record(RecordKind::Channel, "all", &said)
        .await
        .unwrap();
    let rows = kept.store().records(RecordKind::Channel).await.unwrap();
    assert!(!names_her(&rows[0].content.0), "nothing is in the clear");
    kept.rotate().await.unwrap();
    let found = journal(&store).records(RecordKind::Channel).await.unwrap();
    assert_eq!(found, [("all".to_owned(), said)]);

    let moved = RecordRow {
        name: "tenant".to_owned(),
        ..rows[0].clone()
    };
    kept.store().put_record(moved).await.unwrap();
    let refused = kept
        .records::<String>(RecordKind::Channel)
        .await
        .unwrap_err();
    assert_eq!(refused.code(), "ADJ-4015");
    assert!(
        kept.drop_record(RecordKind::Channel, "tenant")
            .await
            .unwrap()
    );
    let left = kept.records::<String>(RecordKind::Channel).await.unwrap();
    assert_eq!(left.len(), 1);
}
