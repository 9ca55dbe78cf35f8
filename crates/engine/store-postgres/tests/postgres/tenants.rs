//! Tenants are kept apart by the server itself: whatever is asked, by whatever way.

use adjutant_mission::{Phase, Timestamp};
use adjutant_store::conformance::{
    Filled, Writer, mission, same_mission_id_in_two_tenants_stays_apart, tenant,
    tenant_sees_nothing_of_another,
};
use adjutant_store::{
    AttestationRow, BlobDigest, ListOrder, ListQuery, RecordKind, Store, SubjectTag, TenantStore,
    WrappedKey,
};
use tokio_postgres::Client;

use crate::support::{connect, fresh};

/// Every table that there is, with what an attacker would try.
async fn tables(client: &Client) -> Vec<String> {
    let sql = "SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE n.nspname = 'adjutant' AND c.relkind IN ('r', 'p') ORDER BY 1";
    let rows = client.query(sql, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

async fn tenant_tables(client: &Client) -> Vec<String> {
    let sql = "SELECT table_name::text FROM information_schema.columns
               WHERE table_schema = 'adjutant' AND column_name = 'tenant' ORDER BY 1";
    let rows = client.query(sql, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

async fn count(client: &Client, table: &str) -> i64 {
    let sql = format!("SELECT count(*) FROM adjutant.{table}");
    client.query_one(&sql, &[]).await.unwrap().get(0)
}

#[tokio::test]
async fn every_table_is_guarded_and_the_working_role_has_no_way_round() {
    let (_store, _settings, database) = fresh().await;
    let client = connect(database.address()).await;
    let tables = tables(&client).await;
    assert!(tables.len() >= 8, "{tables:?}");
    for table in &tables {
        let sql = "SELECT c.relrowsecurity, c.relforcerowsecurity,
                       (SELECT count(*) FROM pg_policy p WHERE p.polrelid = c.oid),
                       pg_get_userbyid(c.relowner)::text
                   FROM pg_class c WHERE c.oid = ('adjutant.' || $1)::regclass";
        let row = client.query_one(sql, &[table]).await.unwrap();
        let (enabled, forced): (bool, bool) = (row.get(0), row.get(1));
        assert!(enabled && forced, "{table}");
        assert!(row.get::<_, i64>(2) > 0, "{table} has no policy");
        assert_eq!(row.get::<_, &str>(3), "postgres", "{table}");
    }
    // What belongs to no tenant is named here, so that nothing joins it unseen.
    let of_tenants = tenant_tables(&client).await;
    let others: Vec<_> = tables.iter().filter(|t| !of_tenants.contains(t)).collect();
    assert_eq!(others, ["fence", "lease", "migrations"]);
    // A tenant's table has one policy for the working role, and it compares the tenant both ways.
    for table in &of_tenants {
        let sql = "SELECT pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid), p.polcmd::text
                   FROM pg_policy p WHERE p.polrelid = ('adjutant.' || $1)::regclass
                     AND 'adjutant_app'::regrole = ANY (p.polroles)";
        let rows = client.query(sql, &[table]).await.unwrap();
        assert_eq!(rows.len(), 1, "{table}");
        let (sees, writes): (&str, &str) = (rows[0].get(0), rows[0].get(1));
        assert!(sees.contains("adjutant.tenant"), "{table}: {sees}");
        assert_eq!(sees, writes, "{table}");
        assert_eq!(rows[0].get::<_, &str>(2), "*", "{table}");
    }
    for role in ["adjutant_app", "adjutant_waker"] {
        let sql = "SELECT rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolcanlogin,
                       EXISTS (SELECT FROM pg_class WHERE relowner = r.oid),
                       EXISTS (SELECT FROM pg_auth_members WHERE member = r.oid),
                       has_schema_privilege(r.oid, 'adjutant', 'CREATE')
                   FROM pg_roles r WHERE rolname = $1";
        let row = client.query_one(sql, &[&role]).await.unwrap();
        for (n, what) in ["powers", "tables", "other roles", "a place to create"]
            .iter()
            .enumerate()
        {
            assert!(!row.get::<_, bool>(n), "{role} has {what}");
        }
    }
}

/// What looks across tenants looks at no more than it must.
#[tokio::test]
async fn functions_that_look_across_tenants_are_few_and_run_as_a_role_that_sees_little() {
    let (_store, _settings, database) = fresh().await;
    let client = connect(database.address()).await;
    let sql = "SELECT p.proname::text, pg_get_userbyid(p.proowner)::text,
                   array_to_string(p.proconfig, ' '), has_function_privilege('public', p.oid, 'EXECUTE')
               FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
               WHERE n.nspname = 'adjutant' AND p.prosecdef ORDER BY 1";
    let rows = client.query(sql, &[]).await.unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row.get(0)).collect();
    let known = [
        "drop_blobs",
        "drop_events",
        "due",
        "next_wake",
        "tenant_names",
    ];
    assert_eq!(names, known);
    for row in &rows {
        assert_eq!(row.get::<_, &str>(1), "adjutant_waker");
        assert_eq!(row.get::<_, &str>(2), "search_path=adjutant, pg_temp");
        assert!(
            !row.get::<_, bool>(3),
            "anybody may call {}",
            row.get::<_, &str>(0)
        );
    }
    let sql = "SELECT table_name || '.' || column_name FROM information_schema.column_privileges
               WHERE table_schema = 'adjutant' AND grantee = 'adjutant_waker'
                 AND privilege_type = 'SELECT' ORDER BY 1";
    let rows = client.query(sql, &[]).await.unwrap();
    let seen: Vec<&str> = rows.iter().map(|row| row.get(0)).collect();
    // Of events and blobs only those that may be deleted: the policies see to that.
    let needed = [
        "attestations.mission",
        "attestations.tenant",
        "blobs.bytes",
        "blobs.mission",
        "blobs.tenant",
        "events.bytes",
        "events.mission",
        "events.tenant",
        "missions.ended",
        "missions.kept",
        "missions.mission",
        "missions.tenant",
        "missions.wake_at",
        "tenants.tenant",
    ];
    assert_eq!(seen, needed);
}

/// The store's own methods, all of them, from a tenant who has nothing.
#[tokio::test]
async fn no_method_reaches_into_another_tenant() {
    let (store, _settings, _database) = fresh().await;
    let filled = Filled::fill(&store).await;
    let stranger_name = tenant("stranger");
    let stranger = store.tenant(&stranger_name);
    for (n, owner, mark) in [(1, "acme", "ours"), (2, "globex", "theirs")] {
        let (id, owner) = (mission(n), store.tenant(&tenant(owner)));
        let digest = BlobDigest::of(mark.as_bytes());
        let subject = SubjectTag(*digest.as_bytes());
        assert_eq!(owner.missions_of(subject).await.unwrap(), [id]);

        assert_eq!(stranger.events(id, 0, 100).await.unwrap(), []);
        assert_eq!(stranger.head(id).await.unwrap(), None);
        assert_eq!(stranger.snapshot(id).await.unwrap(), None);
        assert_eq!(stranger.blob(id, digest).await.unwrap(), None);
        assert_eq!(stranger.row(id).await.unwrap(), None);
        assert_eq!(stranger.find(&id.to_string(), 9).await.unwrap(), []);
        assert_eq!(stranger.missions_of(subject).await.unwrap(), []);
        assert_eq!(stranger.attestations_of(id).await.unwrap(), []);
        assert_eq!(stranger.take_out(id).await.unwrap(), None);
        let mut writer = Writer::new(&stranger_name, id, Phase::Executing);
        writer.head = owner.head(id).await.unwrap().unwrap();
        stranger.append(writer.next(1)).await.unwrap_err();
        stranger.append(writer.erasing()).await.unwrap_err();
        let attestation = owner.last_attestation().await.unwrap().unwrap();
        assert!(!stranger.prune(id, attestation).await.unwrap());
    }
    for phases in [None, Some(Phase::ALL.to_vec())] {
        let query = ListQuery {
            phases,
            limit: 100,
            order: ListOrder::NewestFirst,
            past: None,
        };
        assert_eq!(stranger.list(query).await.unwrap(), []);
    }
    assert_eq!(stranger.counts().await.unwrap(), []);
    assert_eq!(stranger.inbox(9).await.unwrap(), []);
    assert_eq!(stranger.find("", 9).await.unwrap(), []);
    assert_eq!(stranger.tenant_key().await.unwrap(), None);
    assert_eq!(stranger.mission_keys(None, 9).await.unwrap(), []);
    assert_eq!(stranger.attestations(0, 9).await.unwrap(), []);
    assert_eq!(stranger.last_attestation().await.unwrap(), None);
    assert_eq!(stranger.usage().await.unwrap(), 0);
    assert_eq!(stranger.caps().await.unwrap(), vec![]);
    assert_eq!(stranger.records(RecordKind::Stop).await.unwrap(), vec![]);
    assert_eq!(stranger.accounts(Timestamp(0)).await.unwrap(), vec![]);
    // What crosses tenants says who there is and when to wake whom, and nothing else.
    assert_eq!(store.due(Timestamp(1_000), 9).await.unwrap().len(), 2);
    let names = [tenant("acme"), tenant("globex")];
    assert_eq!(store.tenants().await.unwrap(), names);

    // Whatever the stranger does with the same names and numbers is the stranger's own.
    let wrapped = WrappedKey(b"a stranger's".to_vec());
    let rewrapped = vec![(mission(1), wrapped.clone()), (mission(2), wrapped.clone())];
    let keyed = stranger.set_tenant_key(None, wrapped, rewrapped).await;
    assert!(keyed.unwrap());
    let row = AttestationRow {
        number: 1,
        mission: mission(1),
        bytes: b"a stranger's".to_vec(),
    };
    assert!(stranger.attest(vec![row.clone()]).await.unwrap());
    let whole = store.tenant(&tenant("acme")).take_out(mission(1)).await;
    assert!(stranger.put_in(whole.unwrap().unwrap()).await.unwrap());
    let given = stranger.give_key(mission(2), WrappedKey(b"a stranger's".to_vec()));
    assert!(!given.await.unwrap());
    let row = AttestationRow { number: 2, ..row };
    assert!(stranger.prune(mission(1), row).await.unwrap());
    store.scrub().await.unwrap();
    filled.check(&store).await;
}

/// Whoever gets hold of the working role's connection sees one tenant at a time, and none unasked.
#[tokio::test]
async fn raw_sql_in_the_working_role_sees_and_writes_one_tenant_only() {
    let (store, _settings, database) = fresh().await;
    let filled = Filled::fill(&store).await;
    let client = connect(database.address()).await;
    let tables = tenant_tables(&client).await;
    for table in &tables {
        assert!(count(&client, table).await > 0, "{table} is not filled");
    }
    client.batch_execute("SET ROLE adjutant_app").await.unwrap();

    // Without a tenant, or with one that has nothing: nothing is seen, changed or removed.
    for name in [None, Some(""), Some("stranger"), Some("acm"), Some("ACME")] {
        if let Some(name) = name {
            let set = "SELECT set_config('adjutant.tenant', $1, false)";
            client.execute(set, &[&name]).await.unwrap();
        }
        for table in &tables {
            assert_eq!(count(&client, table).await, 0, "{table} as {name:?}");
            for change in ["UPDATE {} SET tenant = tenant", "DELETE FROM {}"] {
                let change = change.replace("{}", &format!("adjutant.{table}"));
                // Refused outright, or nothing found to do it to.
                let touched = client.execute(&change, &[]).await.unwrap_or(0);
                assert_eq!(touched, 0, "{change} as {name:?}");
            }
        }
        let insert = "INSERT INTO adjutant.counts VALUES ('acme', 'planning', 7)";
        client.batch_execute(insert).await.unwrap_err();
    }
    // As one tenant: only that one's rows, and none can be handed over to another.
    client
        .batch_execute("SET adjutant.tenant = 'globex'")
        .await
        .unwrap();
    for table in &tables {
        let sql = format!("SELECT DISTINCT tenant FROM adjutant.{table}");
        let rows = client.query(&sql, &[]).await.unwrap();
        let seen: Vec<&str> = rows.iter().map(|row| row.get(0)).collect();
        assert_eq!(seen, ["globex"], "{table}");
        let give = format!("UPDATE adjutant.{table} SET tenant = 'acme'");
        client.batch_execute(&give).await.unwrap_err();
        let take = format!(
            "INSERT INTO adjutant.{table} OVERRIDING USER VALUE SELECT * FROM adjutant.{table}
             ON CONFLICT DO NOTHING"
        );
        assert_eq!(client.execute(&take, &[]).await.unwrap(), 0, "{table}");
    }
    for forbidden in [
        "UPDATE adjutant.events SET bytes = ''",
        "UPDATE adjutant.attestations SET bytes = ''",
        "DELETE FROM adjutant.attestations",
        "DELETE FROM adjutant.events",
        "DELETE FROM adjutant.blobs",
        "UPDATE adjutant.blobs SET bytes = ''",
        "TRUNCATE adjutant.events",
        "DROP TABLE adjutant.events",
        "ALTER TABLE adjutant.events DISABLE ROW LEVEL SECURITY",
        "CREATE TABLE adjutant.mine ()",
        "INSERT INTO adjutant.migrations VALUES (2, '')",
        "DELETE FROM adjutant.fence",
        "SET ROLE adjutant_waker; SELECT * FROM adjutant.missions",
        "SET row_security = off; SELECT * FROM adjutant.missions",
    ] {
        client.batch_execute(forbidden).await.unwrap_err();
    }
    client.batch_execute("RESET ROLE").await.unwrap();
    for table in &tables {
        assert!(count(&client, table).await > 0, "{table}");
    }
    filled.check(&store).await;
}

/// Whoever gets hold of the connection can take nothing from a journal without leaving a mark that stays.
#[tokio::test]
async fn nothing_is_deleted_from_a_journal_that_is_not_marked_for_good() {
    let (store, _settings, database) = fresh().await;
    let filled = Filled::fill(&store).await;
    let client = connect(database.address()).await;
    let work = "SET search_path = adjutant; SET ROLE adjutant_app; SET adjutant.tenant = 'acme'";
    client.batch_execute(work).await.unwrap();
    let kept = "(SELECT array_agg(mission) FROM missions WHERE kept NOT IN ('erased', 'pruned'))";
    let dropped = async |function: &str, tenant: &str| -> i64 {
        let sql = format!("SELECT {function}('{tenant}', {kept})");
        client.query_one(&sql, &[]).await.unwrap().get(0)
    };
    for function in ["drop_events", "drop_blobs"] {
        assert_eq!(dropped(function, "acme").await, 0, "{function}");
        assert_eq!(dropped(function, "globex").await, 0, "{function}");
    }
    // Nor by the role of the functions, which the login may be able to take.
    let waker = "RESET ROLE; SET ROLE adjutant_waker";
    client.batch_execute(waker).await.unwrap();
    for table in ["events", "blobs"] {
        let sql = format!("DELETE FROM {table}");
        assert_eq!(client.execute(&sql, &[]).await.unwrap(), 0, "{table}");
    }
    client.batch_execute(work).await.unwrap();
    // Marked as erased, a mission keeps its events; and no mark is taken back.
    client.batch_execute("BEGIN").await.unwrap();
    let all = "(SELECT array_agg(mission) FROM missions)";
    let sql = format!("UPDATE missions SET kept = 'erased'; SELECT drop_events('acme', {all})");
    client.batch_execute(&sql).await.unwrap();
    let left = client.query_one("SELECT count(*) FROM events", &[]).await;
    assert!(left.unwrap().get::<_, i64>(0) > 0);
    let revive = "UPDATE missions SET kept = 'working'";
    let refused = client.batch_execute(revive).await.unwrap_err();
    assert_eq!(refused.code().unwrap().code(), "42501");
    client.batch_execute("ROLLBACK").await.unwrap();
    filled.check(&store).await;
}

/// Two conditions keep tenants apart, the policy and the query's own. This shows that the queries' own condition
/// alone does; raw SQL above shows it of the policy.
#[tokio::test]
async fn queries_keep_to_their_tenant_without_row_security() {
    let unguarded = async || {
        let (store, _settings, database) = fresh().await;
        let client = connect(database.address()).await;
        for table in tenant_tables(&client).await {
            let off = format!("ALTER TABLE adjutant.{table} DISABLE ROW LEVEL SECURITY");
            client.batch_execute(&off).await.unwrap();
        }
        (store, database)
    };
    let (store, _database) = unguarded().await;
    tenant_sees_nothing_of_another(&store).await;
    let (store, _database) = unguarded().await;
    same_mission_id_in_two_tenants_stays_apart(&store).await;
}
