//! A mission's text on its way to readers. It is cut into pieces that, put together, are the text again: `token` once
//! it is approved, `draft`, for those who may decide, while it is reviewed. It is transport and stands in no journal,
//! but as the same journal always gives the same pieces, readers can leave off and come back among them.

use adjutant_app::outgoing::Outgoing;
use adjutant_app::use_cases::UseCases;
use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::{Event, Mission, Payload, Recorded, TaskKey};
use adjutant_session_events::rfc3339;
use adjutant_store::TenantStore;
use serde_json::{Value, json};

use crate::content::content;

/// A piece has about so many bytes, and ends with a word.
const PIECE_BYTES: usize = 80;
/// A long text has longer pieces, not more of them.
const PIECES_MAX: usize = 2_000;

/// Who hears it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hearers {
    Everybody,
    /// Those who may decide: nobody has approved it yet.
    Reviewers,
}

pub(crate) struct Saying {
    pub(crate) text: String,
    pub(crate) to: Hearers,
}

/// What a mission has to say at this event, if that is where it says something.
pub(crate) async fn saying<T: TenantStore>(
    journal: &TenantJournal<T>,
    use_cases: &dyn UseCases,
    outgoing: &mut Outgoing,
    mission: &Mission,
    recorded: &Recorded,
) -> Result<Option<Saying>, JournalError> {
    use adjutant_mission::{Asks, Delivery};
    let to = match &recorded.event {
        Event::CheckpointOpened(asked) if asked.asks == Asks::ReviewResult => Hearers::Reviewers,
        Event::MissionEnded(ending) if ending.delivery == Delivery::Delivered => Hearers::Everybody,
        _ => return Ok(None),
    };
    let outputs = outputs(journal, mission).await?;
    let text = use_cases.report_text(mission, &outputs, outgoing);
    Ok(text.map(|text| Saying { text, to }))
}

/// What the tasks gave, in the plan's order.
async fn outputs<T: TenantStore>(
    journal: &TenantJournal<T>,
    mission: &Mission,
) -> Result<Vec<(TaskKey, Value)>, JournalError> {
    let given: Vec<(&TaskKey, &Payload)> = mission
        .tasks()
        .filter_map(|(task, state)| Some((&task.key, state.output.as_ref()?)))
        .collect();
    // Small ones are in the journal that was read already.
    let is_kept_apart = |(_, payload): &(_, &Payload)| matches!(payload, Payload::Blob { .. });
    let seal = match given.iter().any(is_kept_apart) {
        false => None,
        true => match journal.store().row(mission.id()).await? {
            Some(row) => Some(journal.seal_of(&row).await?),
            None => None,
        },
    };
    let mut outputs = Vec::new();
    for (task, payload) in given {
        let given = match (payload, &seal) {
            (Payload::Inline(json), _) => Some(json.clone()),
            (payload, Some(seal)) => content(journal, seal, mission.id(), Some(payload)).await?,
            (_, None) => None,
        };
        let given = given.and_then(|given| serde_json::from_str(given.text()).ok());
        outputs.extend(given.map(|given| (task.clone(), given)));
    }
    Ok(outputs)
}

impl Saying {
    pub(crate) fn event_name(&self) -> &'static str {
        match self.to {
            Hearers::Everybody => "token",
            Hearers::Reviewers => "draft",
        }
    }

    /// Its pieces, as events.
    pub(crate) fn events(&self, mission: &Mission, recorded: &Recorded) -> Vec<Value> {
        let event = |piece: &str| {
            json!({
                "type": self.event_name(),
                "timestamp": rfc3339(recorded.at),
                "session_id": mission.id(),
                "sequence": recorded.seq,
                "data": { "token": piece },
            })
        };
        pieces(&self.text).into_iter().map(event).collect()
    }
}

/// Cuts a text behind words and lines; put together again it is the same.
fn pieces(text: &str) -> Vec<&str> {
    let most = PIECE_BYTES.max(text.len().div_ceil(PIECES_MAX));
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut end = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        // A word that is longer than a piece is one by itself.
        if end > start && end + word.len() - start > most {
            pieces.push(&text[start..end]);
            start = end;
        }
        end += word.len();
    }
    if end > start {
        pieces.push(&text[start..end]);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_put_together_are_the_text() {
        let texts = [
            String::new(),
            "one".into(),
            "Grüße aus Köln, an alle.\n\n".repeat(40),
            "x".repeat(500),
            "a ".repeat(1_000_000),
        ];
        for text in texts {
            let pieces = pieces(&text);
            assert_eq!(pieces.concat(), text);
            assert!(pieces.len() <= PIECES_MAX + 1, "{}", pieces.len());
            assert!(pieces.iter().all(|piece| !piece.is_empty()));
        }
        assert_eq!(pieces("a b"), ["a b"], "as long as it is short");
    }
}
