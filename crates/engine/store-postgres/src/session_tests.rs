//! What a connection keeps of a question that it has answered.

use adjutant_mission::TenantId;
use adjutant_postgres_cluster::Database;

use crate::session::{Purpose, Question, Session};
use crate::{Access, PostgresStore, Settings};

#[tokio::test]
async fn answered_question_leaves_no_tenant_behind() {
    let database = Database::fresh().unwrap();
    let settings = Settings::new(database.address()).unwrap();
    let _store = PostgresStore::open(&settings, Access::Host).await.unwrap();
    let mut session = Session::connect(&settings, Purpose::Reader).await.unwrap();
    session
        .go_to_work(&settings, Purpose::Reader)
        .await
        .unwrap();

    let tenant = "SELECT coalesce(current_setting('adjutant.tenant', true), '')";
    let acme = TenantId::new("acme").unwrap();
    let asked = Question {
        tenant: Some(&acme),
        queries: &[tenant],
        params: &[],
    };
    let within = session.answer(&asked).await.unwrap();
    assert_eq!(within[0][0].get::<_, &str>(0), "acme");
    let after = session.client().query_one(tenant, &[]).await.unwrap();
    assert_eq!(after.get::<_, &str>(0), "");
}
