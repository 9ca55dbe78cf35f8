//! Connections that nobody else can read, to a server that is who it says.

use adjutant_postgres_cluster::{Cluster, Database};
use adjutant_store::StoreError;
use adjutant_store::conformance::Filled;
use adjutant_store_postgres::{Access, Settings};
use tokio_postgres::NoTls;

use crate::support::{host, refusal};

/// Works in the store and says how many of its connections are encrypted, and how many are not.
async fn work(settings: Settings, schema: &str, database: &Database) -> (i64, i64) {
    let store = host(&settings.with_schema(schema).unwrap()).await;
    Filled::fill(&store).await.check(&store).await;
    let plain = format!("{} sslmode=disable", database.address());
    let (client, connection) = tokio_postgres::connect(&plain, NoTls).await.unwrap();
    tokio::spawn(connection);
    let sql = "SELECT count(*) FILTER (WHERE ssl), count(*) FILTER (WHERE NOT ssl)
               FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
               WHERE datname = current_database() AND application_name LIKE 'adjutant %'";
    let row = client.query_one(sql, &[]).await.unwrap();
    store.close().await.unwrap();
    (row.get(0), row.get(1))
}

#[tokio::test]
async fn connections_are_encrypted_and_the_server_is_who_it_says() {
    let cluster = Cluster::start_with_tls().unwrap();
    let database = Database::fresh_over_tls(&cluster).unwrap();
    let settings = |more: &str| Settings::new(&format!("{}{more}", database.address())).unwrap();

    let (encrypted, plain) = work(settings(""), "preferred", &database).await;
    assert!(encrypted >= 2 && plain == 0, "{encrypted} and {plain}");
    let (encrypted, plain) = work(settings(" sslmode=disable"), "disabled", &database).await;
    assert!(encrypted == 0 && plain >= 2, "{encrypted} and {plain}");

    // Nobody has heard of the authority that vouches for this server.
    let unknown = refusal(&settings(" sslmode=require"), Access::Host).await;
    assert!(matches!(unknown, StoreError::Refused { .. }), "{unknown:?}");

    let required = settings(" sslmode=require");
    let required = required.with_authorities(&cluster.authority()).unwrap();
    let (encrypted, plain) = work(required, "required", &database).await;
    assert!(encrypted >= 2 && plain == 0, "{encrypted} and {plain}");

    // Vouched for, but for another name.
    let elsewhere = database.address().replace("localhost", "127.0.0.1");
    let elsewhere = Settings::new(&format!("{elsewhere} sslmode=require")).unwrap();
    let elsewhere = elsewhere.with_authorities(&cluster.authority()).unwrap();
    let refused = refusal(&elsewhere, Access::Host).await;
    assert!(matches!(refused, StoreError::Refused { .. }), "{refused:?}");

    let nowhere = settings("").with_authorities("/nowhere".as_ref());
    assert_eq!(nowhere.unwrap_err().code(), "ADJ-3014");
}
