//! What somebody wrote into the database past the host.

use std::sync::Arc;
use std::time::Duration;

use adjutant_host::{
    AccessKey, AccessRole, Audited, Config, Signing, Upkeep, audit_broken_at, audit_entries,
};
use adjutant_journal::SigningKey;
use adjutant_mission::*;
use adjutant_store::{ChainHead, RecordKind, Sealed, Store, TenantStore};
use tempfile::TempDir;

use crate::support::*;

#[tokio::test]
async fn a_mission_that_nobody_sealed_is_not_carried_out() {
    let world = World::new();
    let asks = Plan::new("asks", vec![question("ask", &[])]);
    let mission = world.open(asks).await;
    let is_asking = |summary: &Summary| summary.phase == Phase::AwaitingHuman;
    world.wait_for(mission, is_asking).await;
    let events = world.journal(mission).await;
    let store = world.host.store().tenant(&tenant());
    let mut forged = store.take_out(mission).await.unwrap().unwrap();
    forged.row.key = None;
    forged.row.summary.title = Sealed(b"forged".to_vec());
    let mut head = ChainHead::genesis(&tenant(), mission);
    for (stored, recorded) in forged.events.iter_mut().zip(&events) {
        (*stored, head) = head.link(recorded.encode().unwrap());
    }

    let elsewhere = World::new();
    let honest = Plan::new("honest", vec![question("ask", &[])]);
    elsewhere.open(honest).await;
    let store = elsewhere.host.store().tenant(&tenant());
    assert!(store.put_in(forged).await.unwrap());
    let abort = Command::Abort {
        reason: "off".into(),
        undo: false,
    };
    let id = elsewhere.command_id();
    let refused = elsewhere
        .host
        .command(&tenant(), mission, id, ann(), abort)
        .await;
    assert_eq!(refused.unwrap_err().code(), "ADJ-3112");
    let inbox = elsewhere.host.journal(&tenant()).inbox(9).await.unwrap();
    assert!(
        inbox
            .iter()
            .all(|entry| entry.checkpoint.mission != mission),
        "and it asks nobody"
    );
}

#[tokio::test]
async fn the_audit_tells_when_its_end_is_missing() {
    let world = World::new();
    let (acme, kind) = (tenant(), RecordKind::Audit);
    for _ in 0..3 {
        let noted = world.host.note(&acme, None, Audited::AuditExport {}).await;
        noted.unwrap();
    }
    let journal = world.host.journal(&acme);
    assert_eq!(audit_broken_at(&journal).await.unwrap(), None);
    let names = journal.store().record_names(kind).await.unwrap();
    let last = names.last().unwrap().clone();
    assert!(journal.store().drop_record(kind, last).await.unwrap());
    assert_eq!(audit_broken_at(&journal).await.unwrap(), Some(3));
    let read = audit_entries(&journal, 0, 9).await;
    assert_eq!(read.unwrap_err().code(), "ADJ-3113");
}

#[tokio::test]
async fn what_is_revoked_is_signed_at_once() {
    let key = SigningKey::parse(&"a7".repeat(32)).unwrap();
    let signers = [key.public()];
    let config = Config {
        signing: Some(Signing {
            key: Arc::new(key),
            every: Duration::from_secs(3600),
        }),
        ..Config::default()
    };
    let world = World::with(Arc::new(TempDir::new().unwrap()), config);
    let (id, token) = AccessKey::new_token().unwrap();
    let key = AccessKey {
        who: AgentId::new("ole").unwrap(),
        role: AccessRole::Operator,
        decides_for: Vec::new(),
        hash: AccessKey::hash_of(&token),
        made_at: world.host.clock().now(),
        made_by: AgentId::new("ann").unwrap(),
        expires_at: None,
        revoked_at: None,
    };
    let given = Upkeep::GiveAccess {
        id: id.clone(),
        key: Box::new(key),
    };
    world.host.upkeep(&tenant(), given).await.unwrap();
    let store = world.host.store().tenant(&tenant());
    let access = RecordKind::Access;
    let before = store.record(access, id.clone()).await.unwrap().unwrap();
    let register = store.record(RecordKind::Register, "access".to_owned());
    let register = register.await.unwrap().unwrap();
    let which = "ole".to_owned();
    let revoke = Upkeep::RevokeAccess { which };
    assert_eq!(world.host.upkeep(&tenant(), revoke).await.unwrap(), 1);
    let journal = world.host.journal(&tenant());
    let verified = journal.verify_records(&signers).await.unwrap();
    assert!(verified.unwrap().signed);

    store.put_record(before).await.unwrap();
    let refused = journal.record::<AccessKey>(access, &id).await;
    assert_eq!(refused.unwrap_err().code(), "ADJ-3113");
    store.put_record(register).await.unwrap();
    let refused = journal.record::<AccessKey>(access, &id).await;
    assert_eq!(refused.unwrap_err().code(), "ADJ-3115");
    let found = journal.verify_records(&signers).await.unwrap();
    assert_eq!(found.unwrap_err().code, "ADJ-3115");
}
