//! How long lists, counts and the inbox take with 100,000 missions in the store.
//!
//! Run with `cargo run --release -p adjutant-store-postgres --example read_speed_postgres`.

use std::future::Future;
use std::time::{Duration, Instant};

use adjutant_mission::{Phase, Severity, Timestamp};
use adjutant_postgres_cluster::{Cluster, Database, Durability};
use adjutant_store::conformance::{Writer, inbox_row, mission, tenant};
use adjutant_store::{InboxChange, ListOrder, ListQuery, Store, StoreError, TenantStore};
use adjutant_store_postgres::{Access, PostgresStore, Settings};

const MISSIONS: u64 = 100_000;
const WRITERS: u64 = 256;
const REPEATS: u32 = 200;

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let cluster = Cluster::start(Durability::Full)?;
    let database = Database::fresh_in(&cluster)?;
    let store = PostgresStore::open(&Settings::new(database.address())?, Access::Host).await?;
    let started = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..WRITERS {
        tasks.spawn(fill(store.clone(), n));
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    println!("{MISSIONS} missions written in {:.1?}", started.elapsed());

    let acme = store.tenant(&tenant("acme"));
    let list = |phases: Option<&[Phase]>, before| {
        acme.list(ListQuery {
            phases: phases.map(<[Phase]>::to_vec),
            limit: 50,
            order: ListOrder::NewestFirst,
            past: before,
        })
    };
    let middle = Some(mission(MISSIONS / 2));
    let rare: &[Phase] = &[Phase::Failed, Phase::Cancelled];
    time("list(50)", || list(None, None)).await?;
    time("list(50), from the middle", || list(None, middle)).await?;
    time("list(50), all phases", || list(Some(&Phase::ALL), middle)).await?;
    time("list(50), phases nobody is in", || list(Some(rare), None)).await?;
    time("inbox(50)", || acme.inbox(50)).await?;
    time("counts", || acme.counts()).await?;
    time("due(50)", || store.due(Timestamp(i64::MAX), 50)).await?;
    time("next_wake", || store.next_wake(Timestamp(500))).await?;
    time("head", || acme.head(mission(777))).await?;
    time("events", || acme.events(mission(777), 1, 1_000)).await?;
    store.close().await?;
    Ok(())
}

async fn time<T, F>(what: &str, read: impl Fn() -> F) -> Result<(), StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    let (mut total, mut slowest) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..REPEATS {
        let started = Instant::now();
        read().await?;
        let took = started.elapsed();
        total += took;
        slowest = slowest.max(took);
    }
    println!(
        "{what:<32} mean {:>9.1?}   longest {slowest:>9.1?}",
        total / REPEATS
    );
    Ok(())
}

/// Every `WRITERS`th mission from the `n`th on: two thirds ended, one in four with a checkpoint open.
async fn fill(store: PostgresStore, n: u64) -> Result<(), Failure> {
    let name = tenant("acme");
    let acme = store.tenant(&name);
    for n in (n..MISSIONS).step_by(WRITERS as usize) {
        let phase = match n % 3 {
            0 => Phase::Executing,
            _ => Phase::Completed,
        };
        let writer = Writer::new(&name, mission(n), phase);
        let mut batch = writer.next(2);
        batch.summary.wake_at = Some(Timestamp((n % 1_000).cast_signed()));
        if n % 4 == 0 {
            let severity = match n % 8 {
                0 => Severity::High,
                _ => Severity::Medium,
            };
            let entry = inbox_row(writer.mission, 1, severity, (n % 5_000).cast_signed());
            batch.inbox = vec![InboxChange::Put(entry)];
        }
        acme.append(batch).await?;
    }
    Ok(())
}
