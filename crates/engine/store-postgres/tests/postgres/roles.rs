//! Who may open the store, as what, and who is refused because row security would not bind them.
//!
//! Roles are the whole server's, which other tests share: a test that changes some has its own schema, and so
//! its own roles.

use adjutant_store::conformance::Filled;
use adjutant_store::{Store, StoreError};
use adjutant_store_postgres::{Access, PostgresStore, Settings};

use crate::support::{connect, fresh, host, place, refusal, run};

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

/// Row security is in force all the while: what it lets through is another matter.
#[tokio::test]
async fn policy_that_no_migration_made_is_refused() {
    let (database, settings) = place();
    let name = format!("loose_{}", std::process::id());
    let settings = settings.with_schema(&name).unwrap();
    host(&settings).await.close().await.unwrap();
    let own = "(SELECT nullif(current_setting('adjutant.tenant', true), ''))";
    let own = format!("USING (tenant = {own}) WITH CHECK (tenant = {own})");
    let made = format!(
        "DROP POLICY own_tenant ON {{}}.TABLE; CREATE POLICY own_tenant ON {{}}.TABLE TO {{}}_app {own}"
    );
    let remake = |table: &str| made.replace("TABLE", table);
    let drop = |policy: &str| format!("DROP POLICY {policy}");
    let restrictive = remake("snapshots").replace(" TO", " AS RESTRICTIVE TO");
    let selects = remake("subjects")
        .replace(" TO", " FOR SELECT TO")
        .replace(&own, "USING (true)");
    for (make, where_, mend) in [
        (
            "CREATE POLICY everybody ON {}.events USING (true)",
            ("events", "everybody"),
            drop("everybody ON {}.events"),
        ),
        (
            "CREATE POLICY peek ON {}.mission_keys FOR SELECT TO {}_app USING (true)",
            ("mission_keys", "peek"),
            drop("peek ON {}.mission_keys"),
        ),
        (
            "CREATE POLICY every ON {}.fence AS RESTRICTIVE TO {}_app USING (false)",
            ("fence", "every"),
            drop("every ON {}.fence"),
        ),
        (
            "ALTER POLICY own_tenant ON {}.blobs USING (true)",
            ("blobs", "own_tenant"),
            remake("blobs"),
        ),
        (
            "ALTER POLICY own_tenant ON {}.records WITH CHECK (true)",
            ("records", "own_tenant"),
            remake("records"),
        ),
        (
            "ALTER POLICY own_tenant ON {}.inbox TO PUBLIC",
            ("inbox", "own_tenant"),
            remake("inbox"),
        ),
        (
            "ALTER POLICY own_tenant ON {}.accounts USING (tenant >= current_setting('adjutant.tenant'))",
            ("accounts", "own_tenant"),
            remake("accounts"),
        ),
        (
            "ALTER POLICY waking ON {}.missions USING (true)",
            ("missions", "waking"),
            "ALTER POLICY waking ON {}.missions
             USING (NOT ended AND wake_at IS NOT NULL AND kept = 'working')"
                .to_owned(),
        ),
        (
            &restrictive,
            ("snapshots", "own_tenant"),
            remake("snapshots"),
        ),
        (&selects, ("subjects", "own_tenant"), remake("subjects")),
        (
            "DROP POLICY own_tenant ON {}.counts",
            ("counts", "own_tenant"),
            format!("CREATE POLICY own_tenant ON {{}}.counts TO {{}}_app {own}"),
        ),
    ] {
        run(&database, &make.replace("{}", &name)).await;
        for access in [Access::Host, Access::Reader] {
            let refused = refusal(&settings, access).await;
            assert_eq!(refused.code(), "ADJ-3135", "{make}: {refused:?}");
            let (table, policy) = where_;
            let place = format!("the policy `{policy}` on the table `{table}`");
            assert!(refused.to_string().contains(&place), "{refused}");
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

/// As the documentation has it: one login makes the store and owns it, another one works and can become no more than that.
#[tokio::test]
async fn what_somebody_else_prepared_is_enough() {
    let (database, _settings) = place();
    let schema = format!("prepared_{}", std::process::id());
    let prepare = format!(
        "CREATE ROLE {schema}_app NOLOGIN;
         CREATE ROLE {schema}_waker NOLOGIN;
         CREATE ROLE {schema}_owner LOGIN;
         CREATE ROLE {schema} LOGIN;
         GRANT {schema}_app, {schema}_waker TO {schema}_owner;
         GRANT {schema}_app TO {schema};
         CREATE SCHEMA {schema} AUTHORIZATION {schema}_owner"
    );
    run(&database, &prepare).await;
    let owner = as_user(database.address(), &format!("{schema}_owner"), &schema);
    let store = host(&owner).await;
    let in_reach = store.owner_in_reach().await.unwrap();
    let name = format!("{schema}_owner");
    assert_eq!(in_reach, Some((name.clone(), name)));
    let filled = Filled::fill(&store).await;
    store.scrub().await.unwrap();
    store.close().await.unwrap();

    let settings = as_user(database.address(), &schema, &schema);
    let store = host(&settings).await;
    assert_eq!(store.owner_in_reach().await.unwrap(), None);
    filled.check(&store).await;
    let user = format!("user={schema}");
    let client = connect(&database.address().replace("user=postgres", &user)).await;
    for forbidden in [
        "SET ROLE {}_owner",
        "SET ROLE {}_waker",
        "SET SESSION AUTHORIZATION {}_owner",
        "ALTER TABLE {}.events DISABLE ROW LEVEL SECURITY",
        "CREATE POLICY all_of_it ON {}.events USING (true)",
        "GRANT {}_owner TO {}",
        "DELETE FROM {}.events",
    ] {
        let forbidden = forbidden.replace("{}", &schema);
        client.batch_execute(&forbidden).await.unwrap_err();
    }
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
