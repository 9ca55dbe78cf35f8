//! `adjutant verify`: proves journals whole, and says what that does and does not prove.

use adjutant_host::HostError;
use adjutant_mission::{Mission, MissionId, PASSPORT_VERSION, Recorded};
use adjutant_store::{Broken, Chain, ChainHead, ListQuery, TenantStore};
use adjutant_store_sqlite::SqliteTenant;

use crate::args::Verify;
use crate::failure::{Exit, Failure};
use crate::find;
use crate::output::{self, Form};
use crate::reading::Reading;
use crate::settings::Settings;
use crate::view::{Line, Tone, count, short};

const PAGE_EVENTS: u32 = 2_000;
const PAGE_MISSIONS: u32 = 500;

pub(super) async fn run(settings: &Settings, verify: Verify) -> Result<Exit, Failure> {
    let reading = Reading::expect(settings)?;
    let form = Form::from(verify.json.json);
    let store = &reading.tenant;
    let known = verify.head.as_deref().map(parse_head).transpose()?;
    let mut tally = Tally::default();
    match &verify.mission {
        Some(text) => {
            let mission = find::mission(store, text).await?;
            tally.add(settings, store, mission, known, form).await?;
        }
        None => {
            let mut before = None;
            loop {
                let query = ListQuery {
                    phases: None,
                    limit: PAGE_MISSIONS,
                    before,
                };
                let page = store.list(query).await?;
                for summary in &page {
                    tally
                        .add(settings, store, summary.mission, None, form)
                        .await?;
                }
                before = page.last().map(|summary| summary.mission);
                if page.len() < PAGE_MISSIONS as usize {
                    break;
                }
            }
        }
    }
    if form == Form::Text {
        tally.conclude(known.is_some())?;
    }
    Ok(if tally.broken == 0 {
        Exit::Ok
    } else {
        Exit::NotGood
    })
}

fn parse_head(text: &str) -> Result<ChainHead, Failure> {
    let parsed = text.split_once(':').and_then(|(seq, hash)| {
        Some(ChainHead {
            seq: seq.parse().ok()?,
            hash: hash.parse().ok()?,
        })
    });
    parsed.ok_or_else(|| {
        Failure::new(
            Exit::BadInput,
            "ADJ-6034",
            format!("`{text}` is not a journal's head"),
            "Give it as `verify` printed it: the number of the last event, a colon, and its hash.",
        )
    })
}

/// What is wrong with a mission's record.
pub(super) struct Damage {
    code: &'static str,
    what: String,
}

impl From<Broken> for Damage {
    fn from(broken: Broken) -> Self {
        Self {
            code: broken.code(),
            what: broken.to_string(),
        }
    }
}

#[derive(Default)]
struct Tally {
    whole: usize,
    broken: usize,
}

impl Tally {
    async fn add(
        &mut self,
        settings: &Settings,
        store: &SqliteTenant,
        mission: MissionId,
        known: Option<ChainHead>,
        form: Form,
    ) -> Result<(), Failure> {
        let found = walk(settings, store, mission, known).await?;
        match &found {
            Ok(_) => self.whole += 1,
            Err(_) => self.broken += 1,
        }
        match form {
            Form::Json => {
                let told = match &found {
                    Ok(head) => serde_json::json!({
                        "mission": mission, "whole": true, "events": head.seq,
                        "head": format!("{}:{}", head.seq, head.hash),
                    }),
                    Err(damage) => serde_json::json!({
                        "mission": mission, "whole": false, "code": damage.code, "message": damage.what,
                    }),
                };
                output::line(&told.to_string())
            }
            Form::Text => {
                let line = match &found {
                    Ok(head) => {
                        let events = count(usize::try_from(head.seq).unwrap_or(0), "event");
                        Line::new()
                            .plain(" ")
                            .and(Tone::Done, "✓")
                            .plain(format!(" {}  {events}, whole", short(mission)))
                            .and(Tone::Dim, format!("  head {}:{}", head.seq, head.hash))
                    }
                    Err(damage) => Line::new()
                        .plain(" ")
                        .and(Tone::Failed, "✗")
                        .plain(format!(" {}  ", short(mission)))
                        .and(
                            Tone::Failed,
                            format!("error[{}]: {}", damage.code, damage.what),
                        ),
                };
                output::line(&line.render(output::paint()))
            }
        }
    }

    fn conclude(&self, against_head: bool) -> Result<(), Failure> {
        let say = |text: &str| output::line(&Line::of(Tone::Dim, text).render(output::paint()));
        if self.broken > 0 {
            output::line(&format!(
                " {} damaged, {} whole. Restore the damaged ones from a backup that verifies.",
                self.broken, self.whole
            ))?;
            return Ok(());
        }
        if self.whole == 0 {
            return output::line("There are no missions to verify.");
        }
        say(
            "   Proved: no event is missing, moved or altered after it was written; the journal folds, and the list",
        )?;
        say("   and the snapshot say what it says.")?;
        if against_head {
            say(
                "   Proved as well: the journal ends exactly at the head you kept; nothing was cut off or rewritten.",
            )
        } else {
            say(
                "   Not proved: that the whole journal was not rewritten, or its end cut off, by someone who can write the",
            )?;
            say("   file. Keep a head elsewhere and verify with --head to prove that too.")
        }
    }
}

/// Walks a journal from its first event and compares what is derived from it.
async fn walk(
    settings: &Settings,
    store: &SqliteTenant,
    id: MissionId,
    known: Option<ChainHead>,
) -> Result<Result<ChainHead, Damage>, Failure> {
    let mut chain = Chain::new(&settings.tenant, id);
    let mut folded: Option<Mission> = None;
    let snapshot = store
        .snapshot(id)
        .await?
        .filter(|kept| kept.version == PASSPORT_VERSION);
    loop {
        let page = store.events(id, chain.head().seq + 1, PAGE_EVENTS).await?;
        for stored in &page {
            if let Err(broken) = chain.feed(stored) {
                return Ok(Err(broken.into()));
            }
            if let Err(damage) = fold(id, &mut folded, stored.seq, &stored.bytes) {
                return Ok(Err(damage));
            }
            let due = snapshot.as_ref().filter(|kept| kept.head.seq == stored.seq);
            if let (Some(kept), Some(mission)) = (due, &folded)
                && (mission.passport().ok().as_ref() != Some(&kept.passport)
                    || kept.head != chain.head())
            {
                return Ok(Err(Damage {
                    code: "ADJ-6040",
                    what: format!(
                        "the snapshot at event {} is not what the journal folds to",
                        stored.seq
                    ),
                }));
            }
        }
        if page.len() < PAGE_EVENTS as usize {
            break;
        }
    }
    let head = store.head(id).await?;
    if let Some(recorded) = head
        && let Err(broken) = chain.ends_at(recorded)
    {
        return Ok(Err(broken.into()));
    }
    if let Some(known) = known
        && let Err(broken) = chain.ends_at(known)
    {
        return Ok(Err(broken.into()));
    }
    let row = store.summary(id).await?;
    match (folded, row) {
        (Some(mission), Some(row)) if mission.summary() == row => Ok(Ok(chain.head())),
        (None, _) => Ok(Err(Broken::CutShort {
            expected: 1,
            found: 0,
        }
        .into())),
        _ => Ok(Err(Damage {
            code: "ADJ-6041",
            what: "the mission list does not say what the journal folds to".into(),
        })),
    }
}

fn fold(id: MissionId, folded: &mut Option<Mission>, seq: u64, bytes: &[u8]) -> Result<(), Damage> {
    let damage = |error: HostError| Damage {
        code: error.code(),
        what: error.chain(),
    };
    let recorded = Recorded::decode(seq, bytes).map_err(|source| {
        damage(HostError::JournalUnreadable {
            mission: id,
            source: Box::new(source),
        })
    })?;
    let applied = match folded {
        Some(mission) => mission.apply(&recorded),
        None => Mission::begin(&recorded).map(|begun| *folded = Some(begun)),
    };
    applied.map_err(|source| {
        damage(HostError::JournalCorrupt {
            mission: id,
            source: Box::new(source),
        })
    })
}
