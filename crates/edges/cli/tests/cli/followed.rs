//! The journal of the newest mission as it grows: one process reads it, instead of one for every look.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Heard, Running};
use crate::world::World;

/// How soon it is followed again after the host was not there yet, or has stopped.
const AGAIN: Duration = Duration::from_millis(50);

pub(crate) struct Followed<'a> {
    world: &'a World,
    /// Begun with the first wait.
    reader: Option<Running>,
    /// The number of the last event that was taken in.
    seen: u64,
    open: Vec<Value>,
    ending: Option<Value>,
}

impl<'a> Followed<'a> {
    /// From its first event on. Everything recorded so far is taken in when this returns.
    pub(crate) fn new(world: &'a World) -> Self {
        let mut followed = Self {
            world,
            reader: None,
            seen: 0,
            open: Vec::new(),
            ending: None,
        };
        for recorded in world.recorded() {
            followed.take(recorded);
        }
        followed
    }

    /// Questions that nobody has answered.
    pub(crate) fn open(&self) -> &[Value] {
        &self.open
    }

    /// The question is answered, also if its event has not come yet.
    pub(crate) fn answered(&mut self, question: &Value) {
        self.open.retain(|one| one["number"] != question["number"]);
    }

    pub(crate) fn ending(&self) -> Option<&Value> {
        self.ending.as_ref()
    }

    /// The next event; nothing, if none comes in time.
    pub(crate) fn next(&mut self, patience: Duration) -> Option<Value> {
        let until = Instant::now() + patience;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let reader = self.reader.get_or_insert_with(|| read(self.world));
            match reader.hear(left) {
                Heard::Line(line) => {
                    let recorded = serde_json::from_str(&line).unwrap();
                    if let Some(event) = self.take(recorded) {
                        return Some(event);
                    }
                }
                Heard::Nothing => return None,
                Heard::End => {
                    self.reader = None;
                    if left.is_zero() {
                        return None;
                    }
                    std::thread::sleep(AGAIN.min(left));
                }
            }
        }
    }

    fn take(&mut self, mut recorded: Value) -> Option<Value> {
        let number = recorded["seq"].as_u64().unwrap();
        if number <= self.seen {
            return None;
        }
        self.seen = number;
        let event = recorded["event"].take();
        let data = &event["data"];
        match event["type"].as_str().unwrap_or_default() {
            "checkpoint_opened/1" => self.open.push(data.clone()),
            "checkpoint_decided/1" | "checkpoint_expired/1" | "checkpoint_withdrawn/1" => {
                self.open
                    .retain(|question| question["number"] != data["checkpoint"]);
            }
            "mission_ended/1" => self.ending = Some(data.clone()),
            _ => {}
        }
        Some(event)
    }
}

fn read(world: &World) -> Running {
    world.place.start(&["events", "last", "--follow", "--json"])
}
