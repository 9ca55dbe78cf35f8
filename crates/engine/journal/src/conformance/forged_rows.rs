//! What somebody who can write to the database does beside journals: it is refused, and `verify` tells of it.

use adjutant_mission::{AccountCaps, AccountOwner, MissionId, Resource, TenantId, Window};
use adjutant_store::{
    CapsRow, ChainHead, ListQuery, RecordKind, RecordRow, Sealed, Store, TenantStore, WholeMission,
};

use super::sample::{NOW, Sample, master_key, mission, signing_key, tenant};
use crate::{
    Attestation, AttestedHead, JournalError, RegisterHead, SigningKey, Statement, TenantJournal,
    Vault, seal,
};

/// The journals as whoever starts anew sees them.
fn journal<S: Store>(store: &S) -> TenantJournal<S::Tenant> {
    Vault::new(master_key()).tenant(store, &tenant())
}

async fn row<T: TenantStore>(store: &T, kind: RecordKind, name: &str) -> RecordRow {
    store.record(kind, name.to_owned()).await.unwrap().unwrap()
}

async fn verified<T: TenantStore>(journal: &TenantJournal<T>) -> Result<(), &'static str> {
    let found = journal
        .verify_records(&[signing_key().public()])
        .await
        .unwrap();
    found.map(drop).map_err(|damage| damage.code)
}

async fn taken_charge<S: Store>(store: &S) -> Result<(), &'static str> {
    let (vault, key) = (Vault::new(master_key()), signing_key());
    let taken = vault.take_charge(store, &key, NOW).await;
    taken.map_err(|error| error.code())
}

/// A record that was replaced does not come back, not even together with its register.
pub async fn an_earlier_record_is_not_taken_back<S, G, F, R>(fresh: F)
where
    S: Store,
    F: Fn() -> R,
    R: Future<Output = (S, G)>,
{
    let (store, _guard) = fresh().await;
    let kept = journal(&store);
    let kind = RecordKind::Access;
    kept.put_record(kind, "ole", &"valid").await.unwrap();
    let before = row(kept.store(), kind, "ole").await;
    let register = row(kept.store(), RecordKind::Register, "access").await;
    kept.put_record(kind, "ole", &"revoked").await.unwrap();
    kept.attest_all(&signing_key(), NOW).await.unwrap();
    assert_eq!(verified(&journal(&store)).await, Ok(()));
    let after = row(kept.store(), kind, "ole").await;

    kept.store().put_record(before).await.unwrap();
    let started = journal(&store);
    let refused = started.record::<String>(kind, "ole").await.unwrap_err();
    assert_eq!(refused.code(), "ADJ-3113");
    let refused = started.records::<String>(kind).await.unwrap_err();
    assert_eq!(refused.code(), "ADJ-3113");
    assert_eq!(verified(&started).await, Err("ADJ-3113"));
    assert_eq!(taken_charge(&store).await, Err("ADJ-3113"));

    kept.store().put_record(register.clone()).await.unwrap();
    let refused = kept.record::<String>(kind, "ole").await.unwrap_err();
    assert_eq!(refused.code(), "ADJ-3115", "it has seen a later one");
    assert_eq!(verified(&journal(&store)).await, Err("ADJ-3115"));
    assert_eq!(taken_charge(&store).await, Err("ADJ-3115"));
    let signed = journal(&store).attest_records(&signing_key(), NOW).await;
    assert_eq!(
        signed.unwrap_err().code(),
        "ADJ-3115",
        "and nobody signs for it"
    );
    // Signed by somebody else, it is as if it was not signed.
    let forger = SigningKey::parse(&"0f".repeat(32)).unwrap();
    let signed = store.tenant(&tenant()).last_attestation().await.unwrap();
    let registers = [("access".to_owned(), RegisterHead::of(1, &register.content))].into();
    let says = Statement::Records { registers };
    let head = AttestedHead::of(&signed.unwrap());
    let forged = Attestation::sign(&tenant(), head, NOW, &forger, says).unwrap();
    assert!(kept.store().attest(vec![forged]).await.unwrap());
    assert_eq!(taken_charge(&store).await, Err("ADJ-3115"));
    kept.store().put_record(after).await.unwrap();
}

/// A record that is taken out, or put in, is missed.
pub async fn a_record_is_not_taken_out<S, G, F, R>(fresh: F)
where
    S: Store,
    F: Fn() -> R,
    R: Future<Output = (S, G)>,
{
    let (store, _guard) = fresh().await;
    let kept = journal(&store);
    let kind = RecordKind::Stop;
    for name in ["tool a", "tool b"] {
        kept.put_record(kind, name, &"stopped").await.unwrap();
    }
    assert!(kept.drop_record(kind, "tool b").await.unwrap());
    assert!(!kept.drop_record(kind, "tool b").await.unwrap());
    kept.attest_all(&signing_key(), NOW).await.unwrap();
    assert_eq!(taken_charge(&store).await, Ok(()));
    let whole = row(kept.store(), kind, "tool a").await;

    let stray = RecordRow {
        name: "tool c".to_owned(),
        ..whole.clone()
    };
    kept.store().put_record(stray).await.unwrap();
    assert_eq!(verified(&journal(&store)).await, Err("ADJ-3113"));
    let dropped = kept.store().drop_record(kind, "tool c".to_owned()).await;
    assert!(dropped.unwrap());
    assert_eq!(verified(&journal(&store)).await, Ok(()));

    let dropped = kept.store().drop_record(kind, "tool a".to_owned()).await;
    assert!(dropped.unwrap());
    let started = journal(&store);
    let refused = started.records::<String>(kind).await.unwrap_err();
    assert_eq!(refused.code(), "ADJ-3113");
    let refused = started.record::<String>(kind, "tool a").await.unwrap_err();
    assert_eq!(refused.code(), "ADJ-3113");
    assert_eq!(verified(&started).await, Err("ADJ-3113"));
    assert_eq!(taken_charge(&store).await, Err("ADJ-3113"));

    let register = (RecordKind::Register, "stop".to_owned());
    let dropped = kept.store().drop_record(register.0, register.1).await;
    assert!(dropped.unwrap());
    let refused = journal(&store).records::<String>(kind).await.unwrap_err();
    assert_eq!(refused.code(), "ADJ-3114", "there was a register");
    assert_eq!(verified(&journal(&store)).await, Err("ADJ-3114"));
    assert_eq!(taken_charge(&store).await, Err("ADJ-3114"));
}

/// What was noted last is as hard to take out as what was noted first.
pub async fn the_end_of_the_audit_is_not_cut_off<S, G, F, R>(fresh: F)
where
    S: Store,
    F: Fn() -> R,
    R: Future<Output = (S, G)>,
{
    let (store, _guard) = fresh().await;
    let kept = journal(&store);
    let kind = RecordKind::Audit;
    for number in 1..=3 {
        let name = format!("{number:016}");
        kept.put_record(kind, &name, &number).await.unwrap();
    }
    kept.attest_all(&signing_key(), NOW).await.unwrap();
    assert_eq!(kept.log_names(kind).await.unwrap().len(), 3);
    assert_eq!(taken_charge(&store).await, Ok(()));
    let whole = row(kept.store(), kind, "0000000000000002").await;
    let mut altered = whole.clone();
    altered.content.0[20] ^= 1;
    kept.store().put_record(altered).await.unwrap();
    let refused = journal(&store).records::<u64>(kind).await.unwrap_err();
    assert_eq!(refused.code(), "ADJ-4015");
    kept.store().put_record(whole).await.unwrap();
    for number in (1..=3).rev() {
        let name = format!("{number:016}");
        assert!(kept.store().drop_record(kind, name).await.unwrap());
        let started = journal(&store);
        let refused = started.log_names(kind).await.unwrap_err();
        assert_eq!(refused.code(), "ADJ-3113", "without {number}");
        assert_eq!(verified(&started).await, Err("ADJ-3113"));
        assert_eq!(taken_charge(&store).await, Err("ADJ-3113"));
    }
}

/// Records from before registers are read, and each is bound to its version when it is next written.
pub async fn older_records_are_read_and_bound_when_written<S, G, F, R>(fresh: F)
where
    S: Store,
    F: Fn() -> R,
    R: Future<Output = (S, G)>,
{
    let (store, _guard) = fresh().await;
    let kept = journal(&store);
    let kind = RecordKind::Trigger;
    let secret = kept.make_key().await.unwrap().records();
    for name in ["one", "two"] {
        let place = kept.place(kind, name);
        let sealed = seal::seal(&secret, &place, b"\"old\"").unwrap();
        let old = RecordRow {
            kind,
            name: name.to_owned(),
            content: Sealed(sealed),
        };
        kept.store().put_record(old).await.unwrap();
    }
    let old = row(kept.store(), kind, "one").await;
    let said = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let both = [said("one", "old"), said("two", "old")];
    assert_eq!(journal(&store).records(kind).await.unwrap(), both);
    assert_eq!(verified(&journal(&store)).await, Ok(()));
    assert_eq!(taken_charge(&store).await, Ok(()));
    assert_eq!(journal(&store).records(kind).await.unwrap(), both);
    kept.put_record(kind, "one", &"new").await.unwrap();
    let both = [said("one", "new"), said("two", "old")];
    assert_eq!(journal(&store).records(kind).await.unwrap(), both);
    kept.store().put_record(old).await.unwrap();
    assert_eq!(verified(&journal(&store)).await, Err("ADJ-3113"));
}

/// A mission of the sample as somebody without a key would write it.
fn in_the_clear(sample: &Sample) -> WholeMission {
    let whole = &sample.missions[0];
    let seal = &sample.seals[0];
    let mut forged = whole.clone();
    forged.row.key = None;
    forged.row.summary.title = Sealed(b"forged".to_vec());
    forged.row.summary.wake_at = Some(NOW);
    forged.snapshot = None;
    let mut head = ChainHead::genesis(&whole.row.origin, whole.row.summary.mission);
    for event in &mut forged.events {
        let recorded = seal.open_event(event.seq, &event.bytes).unwrap();
        let (linked, next) = head.link(recorded.encode().unwrap());
        *event = linked;
        head = next;
    }
    forged
}

async fn is_refused<T: TenantStore>(journal: &TenantJournal<T>, id: MissionId) {
    let refused = journal.load(id).await.unwrap_err();
    assert!(
        matches!(refused, JournalError::Unsealed { .. }),
        "{refused}"
    );
    let found = journal.verify(id, &[], None).await.unwrap();
    assert_eq!(found.unwrap_err().code, "ADJ-3112");
    let signed = journal.attest_all(&signing_key(), NOW).await;
    assert_eq!(signed.unwrap(), 0, "nobody signs for it");
    let query = ListQuery {
        phases: None,
        limit: 9,
        order: adjutant_store::ListOrder::NewestFirst,
        past: None,
    };
    let listed = journal.list(query).await.unwrap();
    assert!(listed.iter().all(|row| row.summary.title != "forged"));
}

/// A mission that nobody here sealed is not opened, signed or carried out, whichever tenant it is put into.
pub async fn an_unsealed_mission_is_not_let_in<S, G, F, R>(fresh: F)
where
    S: Store,
    F: Fn() -> R,
    R: Future<Output = (S, G)>,
{
    let (store, _guard) = fresh().await;
    let sample = Sample::make(&store).await;
    let forged = in_the_clear(&sample);
    let (store, _guard) = fresh().await;
    let kept = journal(&store);
    kept.key_or_new().await.unwrap();
    assert!(kept.store().put_in(forged.clone()).await.unwrap());
    is_refused(&journal(&store), mission(1)).await;
    assert_eq!(taken_charge(&store).await, Ok(()));
    is_refused(&journal(&store), mission(1)).await;

    let vault = Vault::new(master_key());
    let taken = vault.take_charge(&store, &signing_key(), NOW).await;
    taken.unwrap();
    let evil = TenantId::new("evil").unwrap();
    let evils = vault.tenant(&store, &evil);
    assert!(evils.store().put_in(forged).await.unwrap());
    is_refused(&evils, mission(1)).await;
    assert_eq!(taken_charge(&store).await, Ok(()));
    let after = Vault::new(master_key()).tenant(&store, &evil);
    is_refused(&after, mission(1)).await;
}

/// Missions from before content was sealed go on.
pub async fn missions_from_before_seals_go_on<S, G, F, R>(fresh: F)
where
    S: Store,
    F: Fn() -> R,
    R: Future<Output = (S, G)>,
{
    let (store, _guard) = fresh().await;
    let sample = Sample::make(&store).await;
    let old = in_the_clear(&sample);
    let (store, _guard) = fresh().await;
    let kept = journal(&store);
    assert!(kept.store().put_in(old).await.unwrap());
    assert!(journal(&store).load(mission(1)).await.is_ok());
    for _ in 0..2 {
        assert_eq!(taken_charge(&store).await, Ok(()));
        assert!(journal(&store).load(mission(1)).await.is_ok());
    }
    assert_eq!(
        journal(&store).attest_all(&signing_key(), NOW).await.ok(),
        Some(1)
    );
}

/// Caps that somebody else raised are found, and the next host goes by those that were set.
pub async fn caps_are_those_that_were_set<S, G, F, R>(fresh: F)
where
    S: Store,
    F: Fn() -> R,
    R: Future<Output = (S, G)>,
{
    let (store, _guard) = fresh().await;
    let kept = journal(&store);
    let caps = |calls: u64| CapsRow {
        owner: AccountOwner::Tenant,
        window: Window::Day,
        caps: AccountCaps {
            hard: [(Resource::Calls, calls)].into(),
            ..AccountCaps::default()
        },
    };
    kept.store().set_caps(caps(7)).await.unwrap();
    kept.key_or_new().await.unwrap();
    assert_eq!(verified(&journal(&store)).await, Ok(()), "taken over");
    kept.set_caps(caps(9)).await.unwrap();
    assert_eq!(verified(&journal(&store)).await, Ok(()));
    kept.store().set_caps(caps(9_000)).await.unwrap();
    assert_eq!(verified(&journal(&store)).await, Err("ADJ-3116"));
    assert_eq!(taken_charge(&store).await, Ok(()));
    assert_eq!(kept.store().caps().await.unwrap(), [caps(9)]);
    assert_eq!(verified(&journal(&store)).await, Ok(()));
    let none = CapsRow {
        caps: AccountCaps::default(),
        ..caps(0)
    };
    kept.set_caps(none).await.unwrap();
    assert_eq!(verified(&journal(&store)).await, Ok(()));
    kept.store().set_caps(caps(1)).await.unwrap();
    assert_eq!(taken_charge(&store).await, Ok(()));
    assert_eq!(kept.store().caps().await.unwrap(), []);
}
