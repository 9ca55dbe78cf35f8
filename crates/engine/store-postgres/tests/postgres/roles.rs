//! Who may open the store, as what, and who is refused because row security would not bind them.
//!
//! Roles are the whole server's, which other tests share: a test that changes some has its own schema, and so
//! its own roles.

use adjutant_store::conformance::Filled;
use adjutant_store::{Store, StoreError};
use adjutant_store_postgres::{Access, PostgresStore, Settings};

use crate::support::{fresh, host, place, refusal, run};

fn as_user(address: &str, user: &str, schema: &str) -> Settings {
    let settings = Settings::new(&address.replace("user=postgres", &format!("user={user}")));
    settings.unwrap().with_schema(schema).unwrap()
}

#[tokio::test]
async fn role_that_row_security_does_not_bind_is_refused() {
    let (database, settings) = place();
    let name = format!("unbound_{}", std::process::id());
    let settings = settings.with_schema(&name).unwrap();
    host(&settings).await.close().await.unwrap();
    let others = format!("CREATE ROLE {name}_owner; CREATE ROLE {name}_mighty SUPERUSER");
    run(&database, &others).await;
    for (make, mend) in [
        (
            "ALTER ROLE {}_app BYPASSRLS",
            "ALTER ROLE {}_app NOBYPASSRLS",
        ),
        (
            "ALTER ROLE {}_app SUPERUSER",
            "ALTER ROLE {}_app NOSUPERUSER",
        ),
        ("GRANT {}_mighty TO {}_app", "REVOKE {}_mighty FROM {}_app"),
        (
            "ALTER TABLE {}.blobs OWNER TO {}_app",
            "ALTER TABLE {}.blobs OWNER TO postgres",
        ),
        (
            "ALTER TABLE {}.blobs OWNER TO {}_owner; GRANT {}_owner TO {}_app",
            "ALTER TABLE {}.blobs OWNER TO postgres",
        ),
        (
            "ALTER TABLE {}.events DISABLE ROW LEVEL SECURITY",
            "ALTER TABLE {}.events ENABLE ROW LEVEL SECURITY",
        ),
        (
            "ALTER TABLE {}.events NO FORCE ROW LEVEL SECURITY",
            "ALTER TABLE {}.events FORCE ROW LEVEL SECURITY",
        ),
    ] {
        run(&database, &make.replace("{}", &name)).await;
        for access in [Access::Host, Access::Reader] {
            let refused = refusal(&settings, access).await;
            assert!(
                matches!(refused, StoreError::Unguarded { .. }),
                "{make}: {refused:?}"
            );
            assert_eq!(refused.code(), "ADJ-3015");
        }
        run(&database, &mend.replace("{}", &name)).await;
        host(&settings).await.close().await.unwrap();
    }
}

#[tokio::test]
async fn no_superuser_is_needed() {
    let (database, _settings) = place();
    let schema = format!("plain_{}", std::process::id());
    let make = format!(
        "CREATE ROLE {schema}_login LOGIN CREATEROLE;
         CREATE SCHEMA {schema} AUTHORIZATION {schema}_login"
    );
    run(&database, &make).await;
    let settings = as_user(database.address(), &format!("{schema}_login"), &schema);
    let store = host(&settings).await;
    let mut filled = Filled::fill(&store).await;
    filled.check(&store).await;
    store.close().await.unwrap();
    let store = host(&settings).await;
    filled.carry_on(&store).await;
    filled.check(&store).await;
}

/// As the documentation has it, for users who may create neither roles nor schemas.
#[tokio::test]
async fn what_somebody_else_prepared_is_enough() {
    let (database, _settings) = place();
    let schema = format!("prepared_{}", std::process::id());
    let prepare = format!(
        "CREATE ROLE {schema}_app NOLOGIN;
         CREATE ROLE {schema}_waker NOLOGIN;
         CREATE ROLE {schema} LOGIN;
         GRANT {schema}_app, {schema}_waker TO {schema};
         CREATE SCHEMA {schema} AUTHORIZATION {schema}"
    );
    run(&database, &prepare).await;
    let settings = as_user(database.address(), &schema, &schema);
    let store = host(&settings).await;
    let filled = Filled::fill(&store).await;
    filled.check(&store).await;
    store.scrub().await.unwrap();
    filled.check(&store).await;
}

#[tokio::test]
async fn who_owns_nothing_can_work_once_the_store_is_made() {
    let (store, _settings, database) = fresh().await;
    let filled = Filled::fill(&store).await;
    store.close().await.unwrap();
    let user = format!("worker_{}", std::process::id());
    run(&database, &format!("CREATE ROLE {user} LOGIN NOINHERIT")).await;
    let settings = as_user(database.address(), &user, "adjutant");
    for access in [Access::Host, Access::Reader] {
        let refused = refusal(&settings, access).await;
        assert!(matches!(refused, StoreError::Refused { .. }), "{refused:?}");
    }
    run(&database, &format!("GRANT adjutant_app TO {user}")).await;
    let store = PostgresStore::open(&settings, Access::Host).await.unwrap();
    filled.check(&store).await;
}

#[tokio::test]
async fn who_may_not_make_a_store_is_told_what_is_missing() {
    let (database, _settings) = place();
    let schema = format!("barred_{}", std::process::id());
    run(&database, &format!("CREATE ROLE {schema}_login LOGIN")).await;
    let settings = as_user(database.address(), &format!("{schema}_login"), &schema);
    let refused = refusal(&settings, Access::Host).await;
    assert!(matches!(refused, StoreError::Refused { .. }), "{refused:?}");
    assert!(
        refused.to_string().contains(&format!("{schema}_app")),
        "{refused}"
    );
}
