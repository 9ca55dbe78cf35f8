//! What stands in journals is read back forever: every event in its exact stored bytes.
//!
//! Files under `golden/` are added and never edited: a passport of another shape is another version. A new event or shape gets a new file: run with
//! `ADJUTANT_GOLDEN=write` once, which writes missing files only.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test that panics is a test that fails; one variable says when to write missing files"
)]

#[path = "golden/agents.rs"]
mod agents;
#[path = "golden/records.rs"]
mod records;
#[path = "golden/samples.rs"]
mod samples;

use std::collections::BTreeSet;
use std::path::PathBuf;

use adjutant_mission::{EffectNumber, *};
use proptest::prelude::*;

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("golden")
        .join(name)
}

/// The pinned text of `file`. Writes it first when asked to and when there is none yet.
fn pinned(file: &str, now: &str) -> String {
    let path = folder(file);
    if std::env::var("ADJUTANT_GOLDEN").is_ok_and(|mode| mode == "write") && !path.exists() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, now).unwrap();
    }
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn event_files() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder("events"))
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// How many arms [`Event::name`] has.
const EVENTS: usize = 47;

/// `task_started.1` for the first sample of an event, `task_started.1.b` for the second.
fn file_name(event: &Event, earlier: usize) -> String {
    let name = event.name().replace('/', ".");
    match earlier {
        0 => name,
        n => format!("{name}.{}", char::from(b'a' + n as u8)),
    }
}

#[test]
fn every_event_is_written_as_it_always_was() {
    let mut seen: Vec<&str> = Vec::new();
    for recorded in samples::events() {
        let name = recorded.event.name();
        let earlier = seen.iter().filter(|known| **known == name).count();
        seen.push(name);
        let bytes = String::from_utf8(recorded.encode().unwrap()).unwrap();
        let file = format!("events/{}.json", file_name(&recorded.event, earlier));
        assert_eq!(bytes, pinned(&file, &bytes), "{file}");
        assert!(bytes.contains(&format!("\"type\":\"{name}\"")));
    }
}

#[test]
fn every_golden_event_is_read_and_written_back_to_the_same_bytes() {
    for (file, bytes) in event_files() {
        let recorded =
            Recorded::decode(1, &bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(recorded.encode().unwrap(), bytes, "{file}");
        let name = recorded.event.name().replace('/', ".");
        assert!(file.starts_with(&name), "{file} holds {name}");
    }
}

#[test]
fn every_event_has_a_golden_file() {
    let names: BTreeSet<&str> = event_files()
        .iter()
        .map(|(_, bytes)| Recorded::decode(1, bytes).unwrap().event.name())
        .collect();
    assert_eq!(names.len(), EVENTS);
}

#[test]
fn unknown_events_versions_and_fields_are_errors() {
    for bytes in [
        r#"{"seq":1,"at":0,"event":{"type":"mission_resumed/2","data":{}}}"#,
        r#"{"seq":1,"at":0,"event":{"type":"mission_levitated/1","data":{}}}"#,
        r#"{"seq":1,"at":0,"event":{"type":"mission_resumed/1","data":{"extra":1}}}"#,
        r#"{"seq":1,"at":0,"event":{"type":"mission_resumed/1","data":{}},"extra":1}"#,
        r#"{"seq":1,"at":0,"event":{"type":"mission_resumed/1","data":{}}} x"#,
        r#"{"seq":-1,"at":0,"event":{"type":"mission_resumed/1","data":{}}}"#,
        "",
    ] {
        let error = Recorded::decode(7, bytes.as_bytes()).unwrap_err();
        assert!(error.to_string().starts_with("event 7 cannot be read: "));
    }
}

#[test]
fn records_and_ids_keep_their_text() {
    let now = records::records();
    assert_eq!(now, pinned("records.txt", &now));
    records::check_records_read_back();
}

#[test]
fn triggers_made_with_a_key_keep_their_text() {
    let now = records::trigger_on_hold();
    let pinned = pinned("trigger_on_hold.jsonl", &now);
    assert_eq!(now, pinned);
    let read: TriggerRecord = serde_json::from_str(&pinned).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap() + "\n", pinned);
}

#[test]
fn triggers_keep_their_text() {
    let now = records::trigger_records();
    let pinned = pinned("triggers.jsonl", &now);
    assert_eq!(now, pinned);
    records::check_triggers_read_back(&pinned);
}

#[test]
fn a_recorded_mission_folds_to_the_same_passport_byte_for_byte() {
    let fold = |journal: &str| {
        let events: Vec<Recorded> = (1..)
            .zip(journal.lines())
            .map(|(seq, line)| Recorded::decode(seq, line.as_bytes()).unwrap())
            .collect();
        let passport = Mission::fold(&events).unwrap().passport().unwrap();
        String::from_utf8(passport).unwrap()
    };
    let (journal, passport) = records::transcript();
    assert_eq!(fold(&journal), passport, "as it is written today");
    let folded = fold(&pinned("transcript.jsonl", &journal));
    let file = format!("transcript.passport.{PASSPORT_VERSION}.json");
    assert_eq!(folded, pinned(&file, &folded), "as it was written once");
}

fn goldens() -> Vec<Vec<u8>> {
    event_files().into_iter().map(|(_, bytes)| bytes).collect()
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic_the_decoder(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = Recorded::decode(1, &bytes);
    }

    #[test]
    fn mutated_events_are_read_or_refused_but_never_panic(
        file in any::<prop::sample::Index>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..4), 1..6),
    ) {
        let goldens = goldens();
        let mut bytes = file.get(&goldens).clone();
        for (at, byte, how) in changes {
            let at = at.index(bytes.len().max(1));
            match how {
                0 if at < bytes.len() => bytes[at] = byte,
                1 => bytes.insert(at.min(bytes.len()), byte),
                2 if at < bytes.len() => { bytes.remove(at); }
                _ => bytes.truncate(at.max(1)),
            }
        }
        if let Ok(recorded) = Recorded::decode(1, &bytes) {
            let again = recorded.encode().unwrap();
            prop_assert_eq!(Recorded::decode(1, &again).unwrap(), recorded);
        }
    }

    #[test]
    fn journals_of_random_events_fold_or_are_refused_but_never_panic(
        opening in 0usize..2,
        picks in proptest::collection::vec(any::<prop::sample::Index>(), 1..60),
    ) {
        let goldens = samples::events();
        let mut mission = Mission::begin(&goldens[opening]).unwrap();
        for pick in picks {
            let recorded = Recorded { seq: mission.seq() + 1, ..pick.get(&goldens).clone() };
            let before = mission.clone();
            if mission.apply(&recorded).is_err() {
                mission = before;
                continue;
            }
            prop_assert!(mission.indexes_hold());
            let _ = mission.decide(Timestamp(i64::MAX), &Input::Proceed);
            let _ = mission.decide(Timestamp(0), &Input::Recovered);
            for effect in 0..8 {
                let _ = mission.effect(EffectNumber::new(effect));
            }
        }
        let passport = mission.passport().unwrap();
        prop_assert_eq!(Mission::from_passport(&passport).unwrap().passport().unwrap(), passport);
    }
}
