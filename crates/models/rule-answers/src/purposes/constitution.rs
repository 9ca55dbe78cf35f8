//! Which passages break a rule of the constitution: what its own rules find. They see words and not meaning.

use adjutant_constitution::{Origin, Text, check};
use adjutant_questions::{Breach, Constitution, ConstitutionChecked, Evidence};

const BREACHES_MAX: usize = 40;
/// Rules that find nothing miss much.
const SURE: f64 = 0.4;

pub(crate) fn constitution(input: &Constitution) -> ConstitutionChecked {
    let breaches = input.sources.iter().flat_map(|source| {
        let origin = match input.quoted.contains(&source.id) {
            true => Origin::Quoted,
            false => Origin::Own,
        };
        let text = Text::new(source.id.clone(), source.text.clone(), origin);
        let found = check(&[text]).findings.into_iter();
        let asked = found.filter(|found| input.rules.iter().any(|rule| rule.id == found.rule));
        asked.filter_map(|found| {
            let quote = source.text.get(found.from..found.to)?.to_owned();
            Some(Breach {
                rule: found.rule,
                why: found.reason,
                evidence: Evidence {
                    source: source.id.clone(),
                    quote,
                },
            })
        })
    });
    ConstitutionChecked {
        breaches: breaches.take(BREACHES_MAX).collect(),
        confidence: SURE,
        dropped: 0,
    }
}
