//! Laws 7 and 9: a damaged journal is refused, an intact one folds to the same bytes.

use adjutant_mission::{Mission, Recorded};

use super::{Broken, Held, Law, holds};
use crate::random::Random;

fn read(journal: &[Vec<u8>]) -> Result<Mission, String> {
    let mut events = Vec::with_capacity(journal.len());
    for (seq, bytes) in (1..).zip(journal) {
        events.push(Recorded::decode(seq, bytes).map_err(|error| error.to_string())?);
    }
    Mission::fold(&events).map_err(|error| error.to_string())
}

/// Law 9: folding the stored bytes gives the live state byte for byte, and so does its passport.
pub(crate) fn law_9_the_fold_is_the_same(journal: &[Vec<u8>], live: &Mission) -> Held {
    let broken = |what: String| Broken::new(Law::SameBytes, what);
    let folded =
        read(journal).map_err(|why| broken(format!("the journal does not fold: {why}")))?;
    let bytes = |mission: &Mission| {
        mission
            .passport()
            .map_err(|error| broken(format!("no passport: {error}")))
    };
    let (live_bytes, folded_bytes) = (bytes(live)?, bytes(&folded)?);
    holds(Law::SameBytes, live_bytes == folded_bytes, || {
        let show = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let at = live_bytes
            .iter()
            .zip(&folded_bytes)
            .position(|(a, b)| a != b)
            .unwrap_or(0);
        let near = |bytes: &[u8]| {
            let (from, to) = (at.saturating_sub(80), (at + 80).min(bytes.len()));
            show(bytes.get(from..to).unwrap_or_default())
        };
        let (live, folded) = (near(&live_bytes), near(&folded_bytes));
        format!("live and folded passport differ at byte {at}: …{live}… and …{folded}…")
    })?;
    let again = Mission::from_passport(&live_bytes)
        .map_err(|error| broken(format!("the passport does not read back: {error}")))?;
    holds(Law::SameBytes, bytes(&again)? == live_bytes, || {
        "a passport read back is not the same".into()
    })?;
    holds(
        Law::SameBytes,
        live.indexes_hold() && folded.indexes_hold() && again.indexes_hold(),
        || "the indexes drifted from the state".into(),
    )
}

/// Law 7: events left out, swapped, doubled, renamed or of another version are reported.
pub(crate) fn law_7_damage_is_reported(journal: &[Vec<u8>], random: &mut Random) -> Held {
    let count = journal.len();
    if count < 3 {
        return Ok(());
    }
    let any = |random: &mut Random, most: usize| random.below(most as u64) as usize;
    let mut damaged: Vec<(&str, Vec<Vec<u8>>)> = Vec::new();
    let mut damage = |how, change: &mut dyn FnMut(&mut Vec<Vec<u8>>)| {
        let mut copy = journal.to_vec();
        change(&mut copy);
        damaged.push((how, copy));
    };
    let at = any(random, count - 1);
    damage("an event left out", &mut |copy| {
        copy.remove(at);
    });
    damage("two events swapped", &mut |copy| copy.swap(at, at + 1));
    damage("an event doubled", &mut |copy| {
        copy.insert(at, copy[at].clone())
    });
    let at = any(random, count);
    damage("an event renamed", &mut |copy| {
        replace(&mut copy[at], "\"type\":\"", "\"type\":\"un");
    });
    damage("an event of a later version", &mut |copy| {
        replace(&mut copy[at], "/1\"", "/9\"");
    });
    damage("an event with an unknown field", &mut |copy| {
        replace(&mut copy[at], "{\"seq\":", "{\"sequel\":1,\"seq\":");
    });
    damage("an event cut short", &mut |copy| {
        let half = copy[at].len() / 2;
        copy[at].truncate(half);
    });
    damage("an opening of a later logic", &mut |copy| {
        replace(&mut copy[0], "\"logic\":1,", "\"logic\":999,");
    });
    damage("an event after the end", &mut |copy| {
        let last = copy.len() - 1;
        let (old, new) = (
            format!("{{\"seq\":{count},"),
            format!("{{\"seq\":{},", count + 1),
        );
        let mut again = copy[last].clone();
        replace(&mut again, &old, &new);
        copy.push(again);
    });
    for (how, copy) in damaged {
        if copy == journal {
            return Err(Broken::new(
                Law::Simulator,
                format!("no damage done: {how}"),
            ));
        }
        holds(Law::DamageReported, read(&copy).is_err(), || {
            format!("{how} (event {} of {count}) goes unnoticed", at + 1)
        })?;
    }
    Ok(())
}

fn replace(bytes: &mut Vec<u8>, old: &str, new: &str) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    *bytes = text.replacen(old, new, 1).into_bytes();
}
