//! Personal data in what leaves for people and programs.
//!
//! **Invariant:** Reports, events and citations leave without the personal data that `privacy.outgoing` keeps back; the
//! journal keeps the originals. A mission whose key cannot be read sends nothing.

use std::collections::BTreeMap;

use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::MissionId;
use adjutant_redact::{Kind, Leaving};
use adjutant_store::TenantStore;
use serde_json::{Map, Value};

use crate::words::count;

pub use adjutant_redact::{Outgoing, OutgoingPolicy};

/// Our own ids are at least this long; so are digests.
const ID_CHARS_MIN: usize = 20;
const DIGEST_CHARS_MIN: usize = 32;

/// The redaction of what a mission hands over. Its pseudonyms are those that models were sent.
pub async fn outgoing_of<T: TenantStore>(
    journal: &TenantJournal<T>,
    mission: MissionId,
    policy: OutgoingPolicy,
) -> Result<Outgoing, JournalError> {
    if policy == OutgoingPolicy::Off {
        return Ok(Outgoing::new(policy, None));
    }
    let key = match journal.store().row(mission).await? {
        Some(row) => journal.seal_of(&row).await?.pseudonym_key(),
        None => None,
    };
    Ok(Outgoing::new(policy, key))
}

/// Replaces personal data in every text of a value.
pub fn redact_json(outgoing: &mut Outgoing, value: &mut Value) {
    let mut texts = Vec::new();
    gather("", value, &mut texts);
    outgoing.redact(&mut texts);
}

/// Replaces personal data in every text of an object's fields.
pub fn redact_fields(outgoing: &mut Outgoing, fields: &mut Map<String, Value>) {
    let mut texts = Vec::new();
    for (name, field) in fields {
        gather(name, field, &mut texts);
    }
    outgoing.redact(&mut texts);
}

/// The texts of a value, each with the name of its field. Values are read with a limit on their depth, so this ends
/// soon.
pub(crate) fn gather<'a>(name: &str, value: &'a mut Value, texts: &mut Vec<Leaving<'a>>) {
    match value {
        Value::String(text) if !is_id(text) => texts.push(Leaving::text(text).labelled(name)),
        Value::Array(items) => {
            for item in items {
                gather(name, item, texts);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                gather(name, field, texts);
            }
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether it is an id or a digest of ours. Clients send ids back, so they must never change.
fn is_id(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let prefixed = text.split_once('_').is_some_and(|(kind, rest)| {
        kind.len() == 3
            && kind.bytes().all(|byte| byte.is_ascii_lowercase())
            && rest.len() >= ID_CHARS_MIN
            && rest.bytes().all(is_part)
    });
    let is_hex = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
    prefixed || text.len() >= DIGEST_CHARS_MIN && text.bytes().all(is_hex)
}

/// `2 dates of birth, 1 name`
pub fn count_replaced(counts: &BTreeMap<Kind, usize>) -> String {
    let told = counts.iter().map(|(kind, number)| {
        let word = match kind {
            Kind::Email => "mail address",
            Kind::Phone => "phone number",
            Kind::NationalId => "national id",
            Kind::Card => "card number",
            Kind::Iban => "IBAN",
            Kind::MedicalRecord => "medical record number",
            Kind::BirthDate => "date of birth",
            Kind::Address => "address",
            Kind::Ip => "IP address",
            Kind::Name => "name",
        };
        count(*number, word)
            .replace("addresss", "addresses")
            .replace("date of births", "dates of birth")
    });
    told.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_are_redacted_and_ids_are_not() {
        let ids = json!({
            "mission": "msn_01JABCDEFGHJKMNPQRSTVWXYZ0",
            "checkpoint_id": "01890a5d-ac96-774b-bcce-b302099a8057",
            "digest": "4111111111111111".repeat(4),
            "at": "2026-11-18T05:32:15Z",
        });
        let mut value = json!({
            "ids": ids,
            "rows": [{ "date_of_birth": "1961-03-12", "visit": "2021-03-12", "n": 12 }],
            "said": "Patient K.T.W. had 6.4 mmol/l.",
        });
        let mut outgoing = Outgoing::new(OutgoingPolicy::Identifiers, None);
        redact_json(&mut outgoing, &mut value);
        assert_eq!(value["ids"], ids);
        let row = json!({ "date_of_birth": "[BORN]", "visit": "2021-03-12", "n": 12 });
        assert_eq!(value["rows"][0], row);
        assert_eq!(value["said"], "Patient [NAME] had 6.4 mmol/l.");
    }
}
