//! What `adjutant serve --log` writes to standard error: a line for each request, for what missions come to, and for
//! readers that were let go. Nobody waits for it: where lines come faster than they can be written, some are left out
//! and counted.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use adjutant_host::Committed;
use adjutant_mission::Event;
use adjutant_server::{Log, Logged};
use adjutant_session_events::rfc3339;
use serde_json::{Map, Value, json};

use crate::args::LogForm;
use adjutant_app::wiring;

/// Lines that wait to be written.
const WAITING_MAX: usize = 8_192;

enum Entry {
    Line(String),
    /// All before it was written, and whoever sent it hears so.
    Written(SyncSender<()>),
}

/// Cheap to clone.
#[derive(Clone)]
pub(crate) struct ServiceLog {
    form: LogForm,
    entries: SyncSender<Entry>,
    left_out: Arc<AtomicU64>,
}

impl ServiceLog {
    /// A log in this form; none if nothing is to be logged.
    pub(crate) fn start(form: LogForm) -> Option<Self> {
        if form == LogForm::Off {
            return None;
        }
        let (entries, written) = sync_channel(WAITING_MAX);
        std::thread::spawn(move || write(&written));
        Some(Self {
            form,
            entries,
            left_out: Arc::default(),
        })
    }

    pub(crate) fn tell(&self, level: &str, event: &str, fields: Value) {
        let left_out = self.left_out.swap(0, Ordering::Relaxed);
        let line = self.line(level, event, fields, left_out);
        if self.entries.try_send(Entry::Line(line)).is_err() {
            self.left_out.fetch_add(left_out + 1, Ordering::Relaxed);
        }
    }

    fn line(&self, level: &str, event: &str, fields: Value, left_out: u64) -> String {
        let mut line = Map::new();
        line.insert("time".into(), rfc3339(wiring::clock().now()).into());
        line.insert("level".into(), level.into());
        line.insert("event".into(), event.into());
        if let Value::Object(fields) = fields {
            line.extend(fields.into_iter().filter(|(_, value)| !value.is_null()));
        }
        if left_out > 0 {
            line.insert("lines_left_out".into(), left_out.into());
        }
        match self.form {
            LogForm::Json => Value::Object(line).to_string(),
            LogForm::Text | LogForm::Off => as_text(&line),
        }
    }

    /// Where the server tells of requests.
    pub(crate) fn of_requests(&self) -> Log {
        let log = self.clone();
        Arc::new(move |logged| match logged {
            Logged::Answered {
                request,
                method,
                route,
                status,
                took,
                who,
                code,
            } => {
                let level = match status {
                    500.. => "error",
                    400.. => "warn",
                    _ => "info",
                };
                let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
                let fields = json!({
                    "method": method, "route": route, "status": status, "took_us": micros,
                    "who": who, "code": code, "request_id": request,
                });
                log.tell(level, "request", fields);
            }
            Logged::ReaderDropped { after } => {
                let fields = json!({ "reason": "it accepted no data", "after_s": after.as_secs() });
                log.tell("warn", "reader_dropped", fields);
            }
            _ => {}
        })
    }

    /// What became of a mission.
    pub(crate) fn committed(&self, committed: &Committed) {
        for recorded in committed.events.iter() {
            let (level, fields) = match &recorded.event {
                Event::MissionOpened(_) => ("info", json!({ "became": "opened" })),
                Event::CheckpointOpened(asked) => (
                    "info",
                    json!({ "became": "asks", "checkpoint": asked.number, "kind": asked.checkpoint_type }),
                ),
                Event::CheckpointExpired { checkpoint } => (
                    "warn",
                    json!({ "became": "not_answered", "checkpoint": checkpoint }),
                ),
                Event::MissionEnded(ending) => (
                    "info",
                    json!({ "became": ending.phase, "delivery": ending.delivery }),
                ),
                _ => continue,
            };
            let mut fields = fields;
            fields["mission"] = json!(committed.mission);
            fields["tenant"] = json!(committed.tenant);
            fields["seq"] = json!(recorded.seq);
            self.tell(level, "mission", fields);
        }
    }

    /// Waits until what was told is written.
    pub(crate) fn flush(&self) {
        let (written, heard) = sync_channel(1);
        if self.entries.send(Entry::Written(written)).is_ok() {
            let _ = heard.recv();
        }
    }
}

fn write(entries: &Receiver<Entry>) {
    let mut out = std::io::stderr();
    while let Ok(entry) = entries.recv() {
        match entry {
            // Where it cannot be written, there is nobody to tell.
            Entry::Line(line) => {
                let _ = writeln!(out, "{line}");
            }
            Entry::Written(heard) => {
                let _ = heard.send(());
            }
        }
    }
}

/// `2026-11-17T09:30:00Z info request method=GET route=/health status=200`
fn as_text(line: &Map<String, Value>) -> String {
    let first = ["time", "level", "event"];
    let said = |value: &Value| match value {
        Value::String(plain) if !plain.contains([' ', '"', '\n']) => plain.clone(),
        value => value.to_string(),
    };
    let head = first.iter().filter_map(|name| Some(said(line.get(*name)?)));
    let rest = line
        .iter()
        .filter(|(name, _)| !first.contains(&name.as_str()))
        .map(|(name, value)| format!("{name}={}", said(value)));
    head.chain(rest).collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(form: LogForm) -> ServiceLog {
        let (entries, _) = sync_channel(1);
        ServiceLog {
            form,
            entries,
            left_out: Arc::default(),
        }
    }

    #[test]
    fn a_line_is_one_object_or_one_text() {
        let fields =
            json!({ "route": "/health", "who": null, "reason": "two words", "status": 200 });
        let line = log(LogForm::Json).line("info", "request", fields.clone(), 0);
        let read: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(read["event"], "request");
        assert!(read.get("who").is_none(), "what is not known is left out");
        let text = log(LogForm::Text).line("info", "request", fields, 3);
        let rest = text.split_once(' ').unwrap().1;
        assert!(rest.starts_with("info request "), "{rest}");
        assert!(rest.contains("reason=\"two words\""), "{rest}");
        assert!(rest.contains("lines_left_out=3"), "{rest}");
    }

    #[test]
    fn what_cannot_be_written_is_counted() {
        let log = log(LogForm::Json);
        log.tell("info", "one", json!({}));
        log.tell("info", "two", json!({}));
        assert_eq!(log.left_out.load(Ordering::Relaxed), 2);
    }
}
