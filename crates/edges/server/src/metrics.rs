//! What a server counts, and how Prometheus reads it: the text format, version 0.0.4.
//!
//! Labels are routes' patterns, methods and statuses: there are as many as there are routes, however many paths are
//! asked for.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adjutant_mission::{Cause, Phase, Recorded, Timestamp};

use crate::routes::ROUTES;

/// Upper bounds of the buckets for durations, in milliseconds.
const BUCKETS_MS: [u64; 11] = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];
/// For what no route has.
const OTHER: &str = "other";
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// A number that somebody else counts.
pub type Counted = Arc<dyn Fn() -> u64 + Send + Sync>;

#[derive(Debug, Default)]
pub(crate) struct Metrics {
    started_at: Timestamp,
    /// One lock, held for an addition.
    requests: Mutex<Requests>,
    readers: Arc<AtomicU64>,
    rate_limited: AtomicU64,
    commands: AtomicU64,
    events: AtomicU64,
}

#[derive(Debug, Default)]
struct Requests {
    answered: BTreeMap<(&'static str, &'static str, u16), u64>,
    took: BTreeMap<(&'static str, &'static str), Histogram>,
}

#[derive(Debug, Default, Clone)]
struct Histogram {
    /// Not summed up yet; the last is for all that took longer.
    buckets: [u64; BUCKETS_MS.len() + 1],
    sum: Duration,
}

/// Counts as a reader of live events as long as it is there.
#[derive(Debug)]
pub(crate) struct Reading(Arc<AtomicU64>);

impl Drop for Reading {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What is asked of others when somebody looks.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    /// Nothing if the store does not answer.
    pub(crate) phases: Option<Vec<(Phase, u64)>>,
    pub(crate) questions: Option<u64>,
    pub(crate) in_memory: u64,
    pub(crate) spans_dropped: Option<u64>,
    pub(crate) resident_bytes: Option<u64>,
}

impl Metrics {
    pub(crate) fn new(started_at: Timestamp) -> Self {
        Self {
            started_at,
            ..Self::default()
        }
    }

    /// A request was answered. What is streamed took as long as until it began.
    pub(crate) fn answered(&self, method: &str, route: Option<&str>, status: u16, took: Duration) {
        let (method, route) = (known_method(method), known_route(route));
        if status == 429 {
            self.rate_limited.fetch_add(1, Ordering::Relaxed);
        }
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *requests
            .answered
            .entry((route, method, status))
            .or_default() += 1;
        let histogram = requests.took.entry((route, method)).or_default();
        let bucket = BUCKETS_MS
            .iter()
            .position(|bound| took <= Duration::from_millis(*bound))
            .unwrap_or(BUCKETS_MS.len());
        histogram.buckets[bucket] += 1;
        histogram.sum += took;
    }

    pub(crate) fn reading(&self) -> Reading {
        self.readers.fetch_add(1, Ordering::Relaxed);
        Reading(Arc::clone(&self.readers))
    }

    /// These were committed together.
    pub(crate) fn committed(&self, events: &[Recorded]) {
        self.events
            .fetch_add(events.len() as u64, Ordering::Relaxed);
        let mut last = None;
        for recorded in events {
            let Some(Cause::Command(id)) = recorded.cause else {
                continue;
            };
            // One command leads to several events.
            if last.replace(id) != Some(id) {
                self.commands.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// So many commits went by unseen: each had one event or more.
    pub(crate) fn missed(&self, commits: u64) {
        self.events.fetch_add(commits, Ordering::Relaxed);
    }

    pub(crate) fn text(&self, looked: &Looked) -> String {
        let mut page = Page(String::new());
        let up = u64::from(looked.phases.is_some());
        page.one(
            "adjutant_store_up",
            "gauge",
            "Whether the store responds.",
            up,
        );
        if let Some(phases) = &looked.phases {
            page.head("adjutant_missions", "gauge", "Missions by phase.");
            for phase in Phase::ALL {
                let count = phases.iter().find(|(of, _)| *of == phase);
                let count = count.map_or(0, |(_, count)| *count);
                let labels = format!("phase=\"{}\"", phase.name());
                page.value("adjutant_missions", &labels, count);
            }
        }
        if let Some(questions) = looked.questions {
            let about = "Open questions; 1000 means 1000 or more.";
            page.one("adjutant_open_questions", "gauge", about, questions);
        }
        let about = "Missions currently in memory.";
        page.one(
            "adjutant_missions_in_memory",
            "gauge",
            about,
            looked.in_memory,
        );
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let counters = [
            (
                "adjutant_events_committed_total",
                "Events written to journals.",
                count(&self.events),
            ),
            (
                "adjutant_commands_total",
                "Commands that changed a mission.",
                count(&self.commands),
            ),
            (
                "adjutant_rate_limit_refusals_total",
                "Requests rejected because of limits.",
                count(&self.rate_limited),
            ),
        ];
        for (name, about, value) in counters {
            page.one(name, "counter", about, value);
        }
        if let Some(dropped) = looked.spans_dropped {
            let about = "Spans that could not be delivered to the collector.";
            page.one("adjutant_spans_dropped_total", "counter", about, dropped);
        }
        let about = "Clients currently following live events.";
        page.one("adjutant_sse_readers", "gauge", about, count(&self.readers));
        self.requests_text(&mut page);
        if let Some(bytes) = looked.resident_bytes {
            let about = "Resident memory in bytes.";
            page.one("process_resident_memory_bytes", "gauge", about, bytes);
        }
        let about = "Start time of the server, in seconds since 1970.";
        page.head("process_start_time_seconds", "gauge", about);
        let seconds = self.started_at.0 as f64 / 1_000.0;
        page.line("process_start_time_seconds", "", &seconds.to_string());
        page.0
    }

    fn requests_text(&self, page: &mut Page) {
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let name = "adjutant_http_requests_total";
        page.head(name, "counter", "Requests by route, method and status.");
        for ((route, method, status), count) in &requests.answered {
            let labels = format!("route=\"{route}\",method=\"{method}\",status=\"{status}\"");
            page.value(name, &labels, *count);
        }
        let name = "adjutant_http_request_duration_seconds";
        let about = "Response time; for streams, the time until the stream started.";
        page.head(name, "histogram", about);
        for ((route, method), histogram) in &requests.took {
            let labels = format!("route=\"{route}\",method=\"{method}\"");
            let mut sum = 0;
            let bounds = BUCKETS_MS
                .iter()
                .map(|ms| (*ms as f64 / 1_000.0).to_string());
            let bounds = bounds.chain(["+Inf".to_owned()]);
            for (bound, count) in bounds.zip(histogram.buckets) {
                sum += count;
                let labels = format!("{labels},le=\"{bound}\"");
                page.value(&format!("{name}_bucket"), &labels, sum);
            }
            let took = histogram.sum.as_secs_f64().to_string();
            page.line(&format!("{name}_sum"), &labels, &took);
            page.value(&format!("{name}_count"), &labels, sum);
        }
    }
}

struct Page(String);

impl Page {
    fn head(&mut self, name: &str, kind: &str, about: &str) {
        // Writing to a text does not fail.
        let _ = writeln!(self.0, "# HELP {name} {about}\n# TYPE {name} {kind}");
    }

    fn one(&mut self, name: &str, kind: &str, about: &str, value: u64) {
        self.head(name, kind, about);
        self.value(name, "", value);
    }

    fn value(&mut self, name: &str, labels: &str, value: u64) {
        self.line(name, labels, &value.to_string());
    }

    fn line(&mut self, name: &str, labels: &str, value: &str) {
        let _ = match labels {
            "" => writeln!(self.0, "{name} {value}"),
            labels => writeln!(self.0, "{name}{{{labels}}} {value}"),
        };
    }
}

/// A caller may name any method, and would make a label of each.
fn known_method(method: &str) -> &'static str {
    let known = METHODS.into_iter().find(|known| *known == method);
    known.unwrap_or(OTHER)
}

fn known_route(route: Option<&str>) -> &'static str {
    let known = ROUTES.iter().find(|known| Some(known.path) == route);
    known.map_or(OTHER, |known| known.path)
}

/// What this process has in memory, by the kernel's account.
pub(crate) fn resident_bytes(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1_024)
}
