//! Opening a store that is held, foreign, newer, or not there; and looking on while a host runs.

use adjutant_mission::Phase;
use adjutant_store::conformance::{Filled, Writer, mission, tenant};
use adjutant_store::{AppendError, Broken, Retry, Store, StoreError, TenantStore};
use adjutant_store_postgres::{Access, PostgresStore, Settings};

use crate::support::{fresh, host, place, refusal, run, verify};

#[tokio::test]
async fn second_host_is_locked_out_until_the_first_is_done() {
    let (_database, settings) = place();
    let first = host(&settings).await;
    let locked = refusal(&settings, Access::Host).await;
    let pid = Some(std::process::id());
    assert!(matches!(&locked, StoreError::Locked { pid: holder, .. } if *holder == pid));
    assert_eq!(locked.code(), "ADJ-3001");

    first.close().await.unwrap();
    let second = host(&settings).await;
    assert_eq!(refusal(&settings, Access::Host).await, locked);
    second.close().await.unwrap();
    host(&settings).await;
}

#[tokio::test]
async fn closed_store_refuses() {
    let (store, _settings, _database) = fresh().await;
    let name = tenant("acme");
    let acme = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    writer.append(&acme, writer.next(1)).await;
    store.close().await.unwrap();

    let refused = acme.append(writer.next(1)).await.unwrap_err();
    assert_eq!(refused, AppendError::Store(StoreError::Closed));
    assert_eq!(acme.head(mission(1)).await, Err(StoreError::Closed));
    assert_eq!(store.close().await, Ok(()));
}

#[tokio::test]
async fn reader_looks_on_while_a_host_writes() {
    let (store, settings, _database) = fresh().await;
    let open = async || {
        PostgresStore::open(&settings, Access::Reader)
            .await
            .unwrap()
    };
    let reader = open().await;
    let mut filled = Filled::fill(&store).await;
    filled.check(&reader).await;
    filled.carry_on(&store).await;
    filled.check(&reader).await;

    let name = tenant("acme");
    let writer = Writer::new(&name, mission(9), Phase::Executing);
    let refused = reader.tenant(&name).append(writer.next(1)).await;
    let refused = refused.unwrap_err();
    assert!(matches!(
        refused,
        AppendError::Store(StoreError::ReadOnly { .. })
    ));

    store.close().await.unwrap();
    filled.check(&reader).await;
    filled.check(&open().await).await;
}

#[tokio::test]
async fn what_is_no_store_is_named_as_such() {
    let (database, settings) = place();
    let missing = refusal(&settings, Access::Reader).await;
    assert!(matches!(missing, StoreError::Missing { .. }), "{missing:?}");

    run(
        &database,
        "CREATE SCHEMA notes; CREATE TABLE notes.notes (note text)",
    )
    .await;
    let foreign = settings.with_schema("notes").unwrap();
    for access in [Access::Host, Access::Reader] {
        let refused = refusal(&foreign, access).await;
        assert!(matches!(refused, StoreError::Corrupt { .. }), "{refused:?}");
    }
    let dump = database.dump("notes").unwrap();
    assert_eq!(dump.matches("CREATE TABLE").count(), 1, "{dump}");
}

#[tokio::test]
async fn other_schema_versions_are_left_alone() {
    let (store, settings, database) = fresh().await;
    store.close().await.unwrap();
    run(&database, "INSERT INTO adjutant.migrations VALUES (99, '')").await;
    let newer = StoreError::SchemaNewer { found: 7, known: 6 };
    assert_eq!(refusal(&settings, Access::Host).await, newer);
    assert_eq!(refusal(&settings, Access::Reader).await, newer);

    run(&database, "DELETE FROM adjutant.migrations").await;
    let older = StoreError::SchemaOlder { found: 0, known: 6 };
    assert_eq!(refusal(&settings, Access::Reader).await, older);

    run(
        &database,
        "INSERT INTO adjutant.migrations VALUES (1, '\\x00')",
    )
    .await;
    for access in [Access::Host, Access::Reader] {
        let refused = refusal(&settings, access).await;
        assert!(matches!(refused, StoreError::Corrupt { .. }), "{refused:?}");
    }
}

#[tokio::test]
async fn absent_server_is_worth_another_try_and_a_wrong_address_is_not() {
    let folder = std::env::temp_dir();
    let nobody = format!(
        "host={} port=1 user=u password=secret dbname=d",
        folder.display()
    );
    let nobody = Settings::new(&nobody).unwrap();
    for access in [Access::Host, Access::Reader] {
        let refused = refusal(&nobody, access).await;
        assert_eq!(refused.code(), "ADJ-3012", "{refused}");
        assert_eq!(refused.retry(), Retry::Later);
        assert!(!refused.to_string().contains("secret"));
    }
    assert!(!format!("{nobody:?}").contains("secret"));

    let (database, settings) = place();
    let elsewhere = format!("{} dbname=nowhere", database.address());
    let refused = refusal(&Settings::new(&elsewhere).unwrap(), Access::Host).await;
    assert_eq!(
        (refused.code(), refused.retry()),
        ("ADJ-3013", Retry::Never)
    );

    for address in ["", "user=u", "host=h color=red", "mysql://h/d"] {
        let refused = Settings::new(address).unwrap_err();
        assert_eq!(refused.code(), "ADJ-3014", "{address}: {refused}");
    }
    for schema in [
        "",
        "Adjutant",
        "pg_adjutant",
        "a-b",
        "a\"b",
        "1a",
        &"a".repeat(51),
    ] {
        let refused = settings.clone().with_schema(schema).unwrap_err();
        assert_eq!(refused.code(), "ADJ-3014", "{schema}: {refused}");
    }
}

#[tokio::test]
async fn stores_in_two_schemas_know_nothing_of_each_other() {
    let (store, settings, _database) = fresh().await;
    let filled = Filled::fill(&store).await;
    let other = settings.with_schema("adjutant_too").unwrap();
    let other = host(&other).await;
    assert_eq!(other.tenant(&tenant("acme")).counts().await.unwrap(), []);
    Filled::fill(&other).await.check(&other).await;
    filled.check(&store).await;
}

#[tokio::test]
async fn altered_event_is_found_by_the_chain() {
    let (store, _settings, database) = fresh().await;
    let name = tenant("acme");
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    let batch = writer.next(9);
    writer.append(&store.tenant(&name), batch).await;
    let alter = "UPDATE adjutant.events SET bytes = set_byte(bytes, 10, 0) WHERE seq = 5";
    run(&database, alter).await;
    let broken = verify(&store, &name, mission(1)).await;
    assert_eq!(broken, Err(Broken::Altered { seq: 5 }));
}
