//! What a query costs must not grow with the store: every one walks an index in the order it answers in.

use adjutant_postgres_cluster::Database;

use crate::session::{Purpose, Session};
use crate::{
    Access, PostgresStore, Settings, accounts, appends, changes, read, read_kept, records,
    statements,
};

/// How the server would run a statement, whatever its parameters are.
async fn plan(session: &Session, sql: &str) -> String {
    let client = session.client();
    let prepare = format!("PREPARE asked AS {sql}");
    client.batch_execute(&prepare).await.unwrap();
    let counted =
        "SELECT cardinality(parameter_types) FROM pg_prepared_statements WHERE name = 'asked'";
    let params: i32 = client.query_one(counted, &[]).await.unwrap().get(0);
    let nulls = match params {
        0 => String::new(),
        _ => format!("({})", vec!["NULL"; params as usize].join(", ")),
    };
    let explain = format!("EXPLAIN (COSTS off) EXECUTE asked {nulls}");
    let lines = client.simple_query(&explain).await.unwrap();
    client.batch_execute("DEALLOCATE asked").await.unwrap();
    let lines = lines.iter().filter_map(|line| match line {
        tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn every_statement_walks_an_index() {
    let database = Database::fresh().unwrap();
    let settings = Settings::new(database.address()).unwrap();
    let _host = PostgresStore::open(&settings, Access::Host).await.unwrap();
    let session = Session::connect(&settings, Purpose::Host).await.unwrap();
    session.go_to_work(&settings, Purpose::Host).await.unwrap();
    let name = "SELECT set_config('adjutant.tenant', 'acme', false)";
    session.client().batch_execute(name).await.unwrap();

    let all = [
        accounts::ALL,
        appends::ALL,
        changes::ALL,
        read::ALL,
        read_kept::ALL,
        records::ALL,
        statements::ALL,
    ];
    for sql in all.into_iter().flatten() {
        let plan = plan(&session, sql).await;
        assert!(!plan.contains("Seq Scan"), "{sql}\n{plan}");
        // All of a tenant's rows, to be compared with a few.
        assert!(!plan.contains("Join Filter"), "{sql}\n{plan}");
        assert!(!plan.contains("Materialize"), "{sql}\n{plan}");
        assert!(!plan.contains("Bitmap"), "{sql}\n{plan}");
        // Only what was found for each phase is sorted, which is as much as was asked for.
        let sorts = plan.matches("Sort").count() > 0;
        let by_phase = [read::LIST_PHASES, read::LIST_PHASES_OLDEST];
        assert_eq!(sorts, by_phase.contains(sql), "{sql}\n{plan}");
    }
}

#[tokio::test]
async fn so_do_those_that_look_across_tenants() {
    let database = Database::fresh().unwrap();
    let settings = Settings::new(database.address()).unwrap();
    let _host = PostgresStore::open(&settings, Access::Host).await.unwrap();
    let session = Session::connect(&settings, Purpose::Host).await.unwrap();
    session.go_to_work(&settings, Purpose::Host).await.unwrap();
    let take_role = format!("SET ROLE {}", settings.waker_role());
    session.client().batch_execute(&take_role).await.unwrap();

    let functions = "SELECT p.prosrc FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
                     WHERE n.nspname = $1 AND p.prosecdef";
    let client = session.client();
    let functions = client.query(functions, &[&settings.schema]).await.unwrap();
    assert_eq!(functions.len(), 5);
    for function in functions {
        let sql: &str = function.get(0);
        let plan = plan(&session, sql).await;
        assert!(plan.contains("Index"), "{sql}\n{plan}");
        assert!(!plan.contains("Seq Scan"), "{sql}\n{plan}");
        assert!(!plan.contains("Sort"), "{sql}\n{plan}");
    }
}
