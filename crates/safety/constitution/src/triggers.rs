//! What in an output makes an area apply.

use crate::Area;
use crate::concepts::Concept as C;
use crate::sentence::{Passage, Sentence};

type Trigger = (&'static str, fn(&Sentence) -> bool);

const MEDICAL: [Trigger; 3] = [
    ("clinical information", |it| {
        it.has(C::Medicine) && it.has(C::Patient)
    }),
    ("drug interactions", |it| {
        it.near(C::Medicine, C::SafetyEvent, 6) && it.has(C::TherapyAct)
    }),
    ("dosing information", |it| {
        it.near(C::Medicine, C::Amount, 6)
    }),
];
const INTEGRITY: [Trigger; 2] = [
    ("factual claims", |it| {
        !it.figures.is_empty() || it.is_cited()
    }),
    ("synthesis of several sources", |it| it.cites.len() > 1),
];
const BALANCE: [Trigger; 1] = [("recommendations", |it| it.has(C::GoAhead))];

/// The names of what applies, in the order of the constitution.
pub(crate) fn of(area: Area, passages: &[Passage]) -> Vec<String> {
    let (always, triggers): (&[&str], &[Trigger]) = match area {
        Area::MedicalSafety => (&[], &MEDICAL),
        Area::InformationIntegrity => (&[], &INTEGRITY),
        Area::BiasMitigation => (&["synthesis"], &BALANCE),
        Area::HarmfulContent => (&["output"], &[]),
    };
    let met = triggers.iter().filter(|(_, is_met)| {
        let mut sentences = passages.iter().flat_map(|passage| &passage.sentences);
        sentences.any(is_met)
    });
    let met = met.map(|(name, _)| *name);
    always
        .iter()
        .copied()
        .chain(met)
        .map(str::to_owned)
        .collect()
}
