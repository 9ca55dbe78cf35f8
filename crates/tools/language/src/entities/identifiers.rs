//! Identifiers that are known by their form, some by a check digit, and addresses on the net.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::Kind;
use super::rule::{Candidate, Rule, RuleMatch, Rules};

pub(super) static RULES: LazyLock<Rules> = LazyLock::new(|| {
    vec![
        Rule::new(r"(?-u:\b)NCT ?(?<id>[0-9]{8})(?-u:\b)", |matched| {
            plain(matched, "NCT")
        }),
        Rule::new(r"(?-u:\b)(?<id>ISRCTN ?[0-9]{8})(?-u:\b)", |matched| {
            plain(matched, "ISRCTN")
        }),
        Rule::new(
            r"(?-u:\b)(?<id>(?:19|20)[0-9]{2}-[0-9]{6}-[0-9]{2})(?-u:\b)",
            eudract,
        ),
        Rule::new(
            r"(?-u:\b)(?<id>20[0-9]{2}-5[0-9]{5}-[0-9]{2}-[0-9]{2})(?-u:\b)",
            |matched| plain(matched, "EU CT"),
        ),
        Rule::new(
            r"(?-u:\b)(?<id>DRKS[0-9]{8}|ACTRN[0-9]{14}|ChiCTR(?:-[A-Z]{2,4}-)?[0-9]{8,10}|CTRI/20[0-9]{2}/[0-9]{2}/[0-9]{6}|jRCT[s]?[0-9]{9,10}|UMIN[0-9]{9}|CRD42[0-9]{6,12}|U1111-[0-9]{4}-[0-9]{4})(?-u:\b)",
            |matched| plain(matched, "registry"),
        ),
        Rule::new(
            r"(?i)(?-u:\b)PMID:?\s?(?<id>[0-9]{1,8})(?-u:\b)",
            |matched| plain(matched, "PMID"),
        ),
        Rule::new(r"(?-u:\b)(?<id>PMC[0-9]{5,9})(?-u:\b)", |matched| {
            plain(matched, "PMCID")
        }),
        Rule::new(
            r#"(?i)(?:doi:\s?)?(?-u:\b)(?<it>10\.[0-9]{4,9}/[^\s"<>{}|]{1,200})"#,
            doi,
        ),
        Rule::new(
            r"(?-u:\b)(?<id>(?:US|EP|WO|DE|GB|FR|JP|CN|CA|AU)\s?(?:[0-9]{4}/[0-9]{6,7}|[0-9]{1,2},[0-9]{3},[0-9]{3}|[0-9] ?[0-9]{3} ?[0-9]{3}|[0-9]{7,11})(?:\s?[ABC][1-9]?)?)(?-u:\b)",
            patent,
        ),
        Rule::new(
            r"(?-u:\b)(?<id>(?:s?NDA|ANDA|s?BLA|IND)\s?(?:No\.?\s?|#\s?|number\s)?[0-9]{5,6})(?-u:\b)",
            |matched| plain(matched, "FDA application"),
        ),
        Rule::new(
            r"(?-u:\b)(?<id>K[0-9]{6}|P[0-9]{6}|DEN[0-9]{6})(?-u:\b)",
            |matched| plain(matched, "FDA device"),
        ),
        Rule::new(
            r"(?-u:\b)(?<id>EMEA/H/[A-Z](?:/[A-Z]+)?/[0-9]{4,6}|EMA/[A-Z/]{0,20}[0-9]{3,7}/20[0-9]{2})(?-u:\b)",
            |matched| plain(matched, "EMA"),
        ),
        Rule::new(
            r"(?-u:\b)(?<id>[ABCDGHJLMNPRSV][0-9]{2}[A-Z]{2}[0-9]{2})(?-u:\b)",
            |matched| plain(matched, "ATC"),
        ),
        Rule::new(
            r"(?i)(?-u:\b)ICD-?10(?:-(?:CM|GM))?(?:\scodes?)?:?\s\(?(?<it>(?<id>[A-TV-Z][0-9]{2}(?:\.[0-9]{1,4})?))(?-u:\b)",
            |matched| plain(matched, "ICD-10"),
        ),
        Rule::new(
            r"(?-u:\b)(?<id>[A-TV-Z][0-9]{2}\.[0-9]{1,2})(?-u:\b)",
            |matched| likely(matched, "ICD-10"),
        ),
        Rule::new(
            r"(?i)MedDRA[^0-9\n]{0,30}(?-u:\b)(?<it>(?<id>10[0-9]{6}))(?-u:\b)",
            |matched| plain(matched, "MedDRA"),
        ),
        Rule::new(r"(?-u:\b)(?<id>[0-9]{2,7}-[0-9]{2}-[0-9])(?-u:\b)", cas),
        Rule::new(
            r"(?-u:\b)(?<id>[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X])(?-u:\b)",
            orcid,
        ),
        Rule::new(r"(?-u:\b)(?<id>rs[0-9]{3,10})(?-u:\b)", |matched| {
            plain(matched, "dbSNP")
        }),
        Rule::new(r#"(?i)(?-u:\b)(?:https?://|www\.)[^\s<>"]{2,500}"#, url),
        Rule::new(
            r"(?i)(?-u:\b)[a-z0-9._%+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24}(?-u:\b)",
            email,
        ),
    ]
});

fn value(matched: &RuleMatch<'_, '_>, scheme: &str) -> Option<Value> {
    let id = matched.get("id")?.replace(' ', "");
    let id = if scheme == "NCT" {
        format!("NCT{id}")
    } else {
        id
    };
    Some(json!({ "scheme": scheme, "id": id }))
}

fn plain(matched: &RuleMatch<'_, '_>, scheme: &str) -> Option<Candidate> {
    if matched.is_cut() {
        return None;
    }
    matched.certain(Kind::Identifier, value(matched, scheme)?)
}

fn likely(matched: &RuleMatch<'_, '_>, scheme: &str) -> Option<Candidate> {
    if matched.is_cut() {
        return None;
    }
    matched.likely(Kind::Identifier, value(matched, scheme)?)
}

fn eudract(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let goes_on = matched.after().starts_with('-') || matched.before() == Some('-');
    if goes_on {
        return None;
    }
    plain(matched, "EudraCT")
}

/// A number of seven digits alone may be anything; with a kind letter or in an official form it is a patent.
fn patent(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let written = matched.get("id")?;
    let certain = written.ends_with(|c: char| c.is_ascii_alphanumeric())
        && written.contains(['/', ',', 'A', 'B'])
        && written.len() > 9;
    if certain {
        plain(matched, "patent")
    } else {
        likely(matched, "patent")
    }
}

/// What ends a sentence does not belong to an address.
fn trimmed(mut candidate: Candidate, text: &str) -> Option<Candidate> {
    let mut written = &text[candidate.range.clone()];
    loop {
        let shorter = written.trim_end_matches([
            '.', ',', ';', ':', '!', '?', '\'', '"', '”', '’', '»', ']', '*',
        ]);
        let open = shorter.matches('(').count();
        let shut = shorter.matches(')').count();
        let shorter = if shut > open {
            shorter.trim_end_matches(')')
        } else {
            shorter
        };
        if shorter.len() == written.len() {
            break;
        }
        written = shorter;
    }
    candidate.range.end = candidate.range.start + written.len();
    (!written.is_empty()).then_some(candidate)
}

fn doi(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let mut found = trimmed(
        matched.certain(Kind::Identifier, Value::Null)?,
        matched.text,
    )?;
    found.value =
        Some(json!({ "scheme": "DOI", "id": matched.text[found.range.clone()].to_lowercase() }));
    Some(found)
}

fn url(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let mut found = trimmed(matched.certain(Kind::Url, Value::Null)?, matched.text)?;
    let written = &matched.text[found.range.clone()];
    found.value = Some(if written.contains("://") {
        written.into()
    } else {
        format!("https://{written}").into()
    });
    Some(found)
}

fn email(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    matched.certain(Kind::Email, matched.it().to_lowercase().into())
}

/// The last digit is the sum of the others, each times its place from the right, modulo ten.
fn cas(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let digits: Vec<u32> = matched
        .get("id")?
        .chars()
        .filter_map(|c| c.to_digit(10))
        .collect();
    let (check, rest) = digits.split_last()?;
    let sum: u32 = rest
        .iter()
        .rev()
        .zip(1..)
        .map(|(digit, place)| digit * place)
        .sum();
    (sum % 10 == *check).then_some(())?;
    let goes_on = matched.after().starts_with('-') || matched.before() == Some('-');
    if goes_on { None } else { plain(matched, "CAS") }
}

/// ISO 7064 MOD 11-2.
fn orcid(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let digits: Vec<char> = matched.get("id")?.chars().filter(|c| *c != '-').collect();
    let (check, rest) = digits.split_last()?;
    let total = rest
        .iter()
        .filter_map(|c| c.to_digit(10))
        .fold(0, |total, digit| (total + digit) * 2 % 11);
    let expected = match (12 - total % 11) % 11 {
        10 => 'X',
        other => char::from_digit(other, 10)?,
    };
    (*check == expected).then_some(())?;
    plain(matched, "ORCID")
}
