//! What is followed: each span once, with what was before read from the journal.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use adjutant_mission::*;
use adjutant_telemetry::{Heard, Sender, Source, spans_of};
use serde_json::Value;

use crate::sending::{collector, destination};
use crate::world::World;

/// A journal, and what is heard of it.
struct Told {
    journal: Vec<Recorded>,
    heard: VecDeque<Heard>,
}

impl Source for Told {
    async fn next(&mut self) -> Heard {
        self.heard.pop_front().unwrap_or(Heard::Over)
    }

    async fn events(
        &self,
        _: &TenantId,
        _: MissionId,
        from: u64,
        limit: u32,
    ) -> Option<Vec<Recorded>> {
        let events = self.journal.iter().filter(|recorded| recorded.seq >= from);
        // Small pages, so that there are several.
        Some(events.take(limit.min(3) as usize).cloned().collect())
    }
}

fn commit(events: &[Recorded]) -> Heard {
    Heard::Committed {
        tenant: TenantId::new("acme").unwrap(),
        mission: MissionId::from_bits(0x0192_0000_0000_7000_8000_0000_0000_00a7),
        events: Arc::from(events),
    }
}

/// The names and ids that arrive, if this is heard of the journal.
async fn arrives(journal: &[Recorded], heard: Vec<Heard>) -> Vec<(String, String)> {
    let (base, collector) = collector(vec![(200, &[], "{}")]).await;
    let source = Told {
        journal: journal.to_vec(),
        heard: heard.into(),
    };
    let sender = Sender::start(source, destination(&base), Arc::new(|_: &str| {})).unwrap();
    let dropped = sender.dropped();
    let asked = collector.await.unwrap();
    sender.stop(Duration::from_secs(60)).await;
    assert_eq!(dropped.count(), 0);
    let body: Value = serde_json::from_slice(&asked[0].body).unwrap();
    let spans = body["resourceSpans"][0]["scopeSpans"][0]["spans"].clone();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let spans = spans.as_array().unwrap().iter();
    spans
        .map(|span| (text(&span["name"]), text(&span["spanId"])))
        .collect()
}

fn expected(journal: &[Recorded]) -> Vec<(String, String)> {
    let spans = spans_of(journal).unwrap().into_iter();
    spans.map(|span| (span.name, span.id.to_string())).collect()
}

#[tokio::test]
async fn each_span_arrives_once_however_it_is_heard() {
    let journal = World::whole();
    let all = expected(&journal);
    let one_by_one: Vec<Heard> = journal.chunks(1).map(commit).collect();
    assert_eq!(arrives(&journal, one_by_one).await, all);
    // Twice the same, as when a catch-up overtakes the feed.
    let twice = vec![commit(&journal[..9]), commit(&journal)];
    assert_eq!(arrives(&journal, twice).await, all);
    // A gap is read from the journal.
    let gap = vec![commit(&journal[..2]), commit(&journal[journal.len() - 1..])];
    assert_eq!(arrives(&journal, gap).await, all);
    let missed = vec![commit(&journal[..2]), Heard::Missed];
    assert_eq!(arrives(&journal, missed).await, all);
}

/// A host that was started anew goes on with the spans under way, and tells none that had ended.
#[tokio::test]
async fn what_ended_before_anybody_listened_is_not_told() {
    let journal = World::whole();
    let all = expected(&journal);
    for from in 1..journal.len() {
        let before = expected(&journal[..from]).len();
        let heard = vec![commit(&journal[from..])];
        assert_eq!(arrives(&journal, heard).await, all[before..], "from {from}");
    }
}
