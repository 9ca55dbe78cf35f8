//! How many events a second the store takes: 64 missions, each always with one batch of two events in
//! flight, every append on disk before the next.
//!
//! Run with `cargo run --release -p adjutant-store-sqlite --example append_speed [seconds]`.

use std::time::{Duration, Instant};

use adjutant_mission::{Phase, Timestamp};
use adjutant_store::conformance::{Writer, mission, tenant};
use adjutant_store::{Batch, Store, TenantStore};
use adjutant_store_sqlite::{Access, SqliteStore};

const IN_FLIGHT: u64 = 64;
const EVENTS_PER_BATCH: usize = 2;
const EVENT_BYTES: usize = 110;

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let seconds = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 5,
    };
    for in_flight in [1, 8, IN_FLIGHT, 256] {
        measure(in_flight, Duration::from_secs(seconds)).await?;
    }
    Ok(())
}

async fn measure(in_flight: u64, lasting: Duration) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let store = SqliteStore::open(folder.path().join("adjutant.db"), Access::Host)?;
    let started = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..in_flight {
        tasks.spawn(write(store.clone(), n, started + lasting));
    }
    let (mut batches, mut slowest) = (0, Duration::ZERO);
    while let Some(done) = tasks.join_next().await {
        let (written, waited) = done??;
        batches += written;
        slowest = slowest.max(waited);
    }
    let elapsed = started.elapsed().as_secs_f64();
    let per_second = batches as f64 / elapsed;
    println!(
        "{in_flight:>4} in flight: {:>9.0} events/s, {per_second:>8.0} appends/s, mean wait {:>7.1} µs, longest {:.1} ms",
        per_second * EVENTS_PER_BATCH as f64,
        1e6 * in_flight as f64 / per_second,
        slowest.as_secs_f64() * 1e3,
    );
    store.close().await?;
    Ok(())
}

async fn write(store: SqliteStore, n: u64, until: Instant) -> Result<(u64, Duration), Failure> {
    let name = tenant("acme");
    let tenant = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(n), Phase::Executing);
    let (mut batches, mut slowest) = (0, Duration::ZERO);
    while Instant::now() < until {
        let batch = next(&mut writer, batches);
        let sent = Instant::now();
        tenant.append(batch).await?;
        slowest = slowest.max(sent.elapsed());
        batches += 1;
    }
    Ok((batches, slowest))
}

fn next(writer: &mut Writer, batches: u64) -> Batch {
    let mut batch = writer.next(0);
    let mut events = Vec::with_capacity(EVENTS_PER_BATCH);
    for _ in 0..EVENTS_PER_BATCH {
        let (event, head) = writer.head.link(vec![b'e'; EVENT_BYTES]);
        events.push(event);
        writer.head = head;
    }
    writer.summary.updated_at = Timestamp(1_700_000_000_000 + batches.cast_signed());
    writer.summary.tasks_ended += 1;
    batch.events = events;
    batch.summary = writer.summary.clone();
    batch
}
