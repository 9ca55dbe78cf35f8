//! `adjutant replay`: folds a journal again, event by event, and compares with what is stored.

use adjutant_journal::JournalError;
use adjutant_mission::{Mission, PASSPORT_VERSION};
use adjutant_store::TenantStore;

use crate::args::Replay;
use crate::exit::Exit;
use crate::output;
use crate::view::{Around, Line, Tone, passport};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::{find, wiring};

pub(super) async fn run(settings: &Settings, replay: Replay) -> Result<Exit, AppError> {
    let reading = ReadOnlyStore::expect(settings).await?;
    let store = reading.store();
    let id = find::mission(store, &replay.mission.mission).await?;
    let (events, head) = reading.journal.read(id).await?;
    let at = replay.at.unwrap_or(head.seq);
    if at == 0 || at > head.seq {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6035",
            format!(
                "there is no event {at}: the journal has events 1 to {}",
                head.seq
            ),
            "Give --at a number in that range.",
        ));
    }
    let fold = |until: u64| {
        let until = usize::try_from(until).unwrap_or(usize::MAX);
        Mission::fold(events.iter().take(until)).map_err(|source| JournalError::Corrupt {
            mission: id,
            source: Box::new(source),
        })
    };
    let mission = fold(at)?;
    let bytes = mission.passport().map_err(JournalError::Encode)?;
    let mut compared = Vec::new();
    if at == head.seq {
        let row = reading.journal.summary(id).await?;
        let same = row.is_some_and(|row| row.summary == mission.summary());
        compared.push(("the mission list", same));
    }
    let snapshot = store
        .snapshot(id)
        .await?
        .filter(|kept| kept.version == PASSPORT_VERSION);
    if let Some(kept) = snapshot {
        let again = fold(kept.head.seq)?
            .passport()
            .map_err(JournalError::Encode)?;
        let seal = reading.mission(id).await?.1.seal;
        let passport = seal.open_snapshot(kept.head.seq, &kept.passport)?;
        compared.push(("the snapshot", again == passport));
    }
    let reread = Mission::from_passport(&bytes)
        .ok()
        .and_then(|again| again.passport().ok());
    compared.push((
        "the passport, written and read back,",
        reread.as_ref() == Some(&bytes),
    ));
    let same = compared.iter().all(|(_, same)| *same);
    if replay.json.json {
        output::line(&String::from_utf8_lossy(&bytes))?;
        return Ok(if same { Exit::Ok } else { Exit::NotGood });
    }
    let paint = output::paint();
    // As it stood then; what is around it now is no part of that.
    let (around, width) = (Around::default(), output::size().0.min(120));
    let lines = passport(&mission, &around, wiring::clock().now(), width);
    Line::print_all(&lines, paint)?;
    output::line("")?;
    let head = Line::new().plain(" ").and(Tone::Done, "✓").plain(format!(
        " Replayed {at} of {} events, each checked against the hash chain.",
        head.seq
    ));
    output::line(&head.render(paint))?;
    for (what, same) in compared {
        let (tone, sign, how) = if same {
            (Tone::Done, "✓", "is byte for byte the same")
        } else {
            (Tone::Failed, "✗", "DIFFERS")
        };
        let line = Line::new()
            .plain(" ")
            .and(tone, sign)
            .plain(format!(" {what} {how}"));
        output::line(&line.render(paint))?;
    }
    Ok(if same { Exit::Ok } else { Exit::NotGood })
}
