//! Organisations, places, persons and the names of studies.

use std::sync::LazyLock;

use adjutant_redact::Kind as Personal;

use super::rule::{Candidate, Rule, RuleMatch, Rules};
use super::terms::Terms;
use super::{Certainty, Kind};

/// A word with a capital, perhaps with an apostrophe or a hyphen.
const NAME: &str = r"\p{Lu}[\p{L}0-9&'’-]+";

pub(super) static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let legal = r"(?:GmbH & Co\. KG|GmbH|KGaA|AG|SE|Inc|Incorporated|Ltd|Limited|LLC|LLP|Corp|Corporation|plc|PLC|S\.A\.S\.|S\.A\.|S\.p\.A\.|SpA|S\.r\.l\.|N\.V\.|B\.V\.|NV|BV|A/S|ASA|AB|Oyj?|Pty Ltd|Pharmaceuticals?|Therapeutics|Biosciences|Biotherapeutics|Biopharma|Biotech|Biologics|Laboratories|Pharma|Oncology Inc|Medical Inc|Holdings?)";
    let body = r"(?:University|Institutes?|Hospitals?|College|Agency|Administration|Foundation|Ministry|Commission|Council|Society|Association|Clinic|Cent(?:er|re)|Authority|Trust|Academy|Federation|Organi[sz]ation|Department|Bureau|Committee|Board|Office|Consortium|Network|Alliance|Collaboration|Cooperative|Union|Bank)";
    let join = r"(?: (?:and |& |of |for |the |de |du |des |für |der |di |della |et ){0,2})";
    vec![
        Rule::new(
            &format!(r"{NAME}(?:(?: & | and |[ -]){NAME}){{0,3}},? {legal}(?-u:\b)\.?"),
            company,
        ),
        Rule::new(
            &format!(
                r"(?:{NAME} ){{0,4}}{body}(?: (?:of|for)(?: the)? {NAME}(?:{join}{NAME}){{0,4}})?"
            ),
            body_name,
        ),
        Rule::new(
            &format!(
                r"(?:Universität(?:sklinikum|sspital|smedizin)?|Klinikum|Hochschule|Bundesinstitut für|Bundesamt für|Bundesministerium für|Institut für|Institut|Université|Hôpital|Centre Hospitalier|Agence|Ministère|Universidad|Hospital|Ministerio|Università|Ospedale|Istituto|Agenzia|Universiteit|Ziekenhuis|Universidade|Ministério)(?:{join}| )(?:d'|l'|d’|l’)?{NAME}(?:{join}{NAME}){{0,4}}"
            ),
            foreign_body,
        ),
        Rule::new(
            r"(?-u:\b)(?<it>[A-Z][A-Z0-9]{2,}(?:[A-Za-z]{0,3})?(?:-[A-Z0-9]{1,10}){0,3}(?: [0-9]{1,4}| [IVX]{1,4})?)(?:,? (?:phase [0-9I/ab]{1,4} )?)(?: ?(?:trials?|study|studies|Trial|Study|registry|programme|program)(?-u:\b))",
            study_before_word,
        ),
        Rule::new(
            r"(?-u:\b)[A-Z]{4,15}(?:-[A-Z]{2,10})?[- ]?[0-9]{1,4}[A-Z]?(?-u:\b)",
            study,
        ),
    ]
});

pub(super) static PLACES: LazyLock<Option<Terms>> =
    LazyLock::new(|| Terms::exact(include_str!("../../data/places.txt"), Kind::CharacterRange));
pub(super) static ORGANISATIONS: LazyLock<Option<Terms>> = LazyLock::new(|| {
    Terms::exact(
        include_str!("../../data/organisations.txt"),
        Kind::Organisation,
    )
});

/// Words that begin a sentence before the name of a body: "The European Medicines Agency".
const LEADING: [&str; 24] = [
    "The", "A", "An", "In", "At", "This", "Our", "From", "And", "Both", "By", "To", "Of", "For",
    "With", "Under", "Its", "Their", "When", "After", "Die", "Der", "Das", "Le",
];

fn without_leading(matched: &RuleMatch<'_, '_>, kind: Kind) -> Option<Candidate> {
    let mut found = matched.named(kind)?;
    loop {
        let written = &matched.text[found.range.clone()];
        let (first, rest) = written.split_once(' ')?;
        if !LEADING.contains(&first) {
            break;
        }
        found.range.start += written.len() - rest.len();
        if !rest.contains(' ') {
            return None;
        }
    }
    Some(found)
}

fn company(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    if matched.before().is_some_and(char::is_alphanumeric) {
        return None;
    }
    let mut found = without_leading(matched, Kind::Organisation)?;
    let written = &matched.text[found.range.clone()];
    // A stop after a whole word ends the sentence and not the name.
    let short = ["Inc.", "Ltd.", "Corp.", "Co."]
        .iter()
        .any(|form| written.ends_with(form));
    if written.ends_with('.')
        && !short
        && !written[..written.len() - 1].ends_with('.')
        && written.matches('.').count() == 1
    {
        found.range.end -= 1;
    }
    Some(found)
}

fn body_name(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    if matched.is_cut() {
        return None;
    }
    without_leading(matched, Kind::Organisation)
}

fn foreign_body(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    if matched.before().is_some_and(char::is_alphanumeric) {
        return None;
    }
    matched.named(Kind::Organisation)
}

/// Words in capitals before "trial" that are no names.
const NO_STUDY: [&str; 30] = [
    "COVID-19",
    "SARS-COV-2",
    "ICD-10",
    "ICH",
    "FDA",
    "EMA",
    "WHO",
    "RCT",
    "NIH",
    "HIV",
    "DNA",
    "RNA",
    "GCP",
    "IND",
    "NDA",
    "BLA",
    "PET",
    "MRI",
    "USA",
    "COPD",
    "PK",
    "PKPD",
    "DDI",
    "QTC",
    "BMI",
    "THE",
    "THIS",
    "OUR",
    "PILOT",
    "NCT",
];

fn is_no_study(name: &str) -> bool {
    let big = name.to_uppercase();
    NO_STUDY.contains(&big.as_str())
        || big.starts_with("NCT")
        || big.starts_with("ISRCTN")
        || big.starts_with("COVID")
        || big.starts_with("HTTP")
        || big.starts_with("PMID")
}

fn study_before_word(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    if is_no_study(matched.it()) {
        return None;
    }
    matched.named(Kind::Study)
}

/// Capitals, a hyphen and a number: KEYNOTE-189. Without the hyphen it needs the word "trial" and the rule above.
fn study(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let name = matched.it();
    let hyphen = name.contains('-');
    if matched.is_cut() || !hyphen || is_no_study(name) {
        return None;
    }
    matched.named(Kind::Study)
}

/// Persons, as the redaction of personal data knows them.
pub(super) fn persons(text: &str, found: &mut Vec<Candidate>) {
    let named = adjutant_redact::find(text)
        .into_iter()
        .filter(|one| one.kind == Personal::Name);
    found.extend(named.map(|one| Candidate {
        kind: Kind::Person,
        range: one.span,
        certainty: Certainty::Likely,
        value: None,
    }));
}
