//! Dates and durations, brought to ISO 8601.

use std::str::FromStr;
use std::sync::LazyLock;

use adjutant_text::dates::{Date, month_in_any_language, month_names};
use serde_json::{Value, json};

use super::Kind;
use super::rule::{Candidate, Rule, RuleMatch, Rules};
use crate::numbers::{NUMBER, counted};

pub(super) static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let mut names: Vec<&str> = month_names().to_vec();
    // The longest first: a short form must not win over the name it begins.
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let month = format!("(?<month>{})", names.join("|"));
    let year = "(?<year>(?:1[5-9]|20)[0-9]{2})";
    let day = "(?<day>[0-3]?[0-9])";
    vec![
        Rule::new(
            r"(?-u:\b)(?<year>[12][0-9]{3})-(?<number>[01][0-9])-(?<day>[0-3][0-9])(?:[T ][0-2][0-9]:[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?(?-u:\b)",
            numeric_certain,
        ),
        Rule::new(
            &format!(
                r"(?i)(?-u:\b){day}(?:st|nd|rd|th|\.|er|º)?[\s-]{{1,2}}(?:de |of )?{month}\.?,?[\s-](?:de |del )?{year}(?-u:\b)"
            ),
            full,
        ),
        Rule::new(
            &format!(r"(?i)(?-u:\b){month}\.?[\s]{day}(?:st|nd|rd|th)?,?\s{year}(?-u:\b)"),
            full,
        ),
        Rule::new(
            r"(?i)(?-u:\b)(?<day>[0-3][0-9])(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?<year>[12][0-9]{3})(?-u:\b)",
            full,
        ),
        Rule::new(
            &format!(r"(?i)(?-u:\b){month}\.?,?\s(?:de |of )?{year}(?-u:\b)"),
            of_month,
        ),
        Rule::new(
            r"(?-u:\b)(?<day>[0-3]?[0-9])\.\s?(?<number>[01]?[0-9])\.\s?(?<year>[12][0-9]{3})(?-u:\b)",
            numeric,
        ),
        Rule::new(
            r"(?-u:\b)(?<one>[0-3]?[0-9])/(?<two>[0-3]?[0-9])/(?<year>[12][0-9]{3})(?-u:\b)",
            slashed,
        ),
        Rule::new(
            r"(?-u:\b)(?<part>[QH][1-4])[ /-]?(?<year>20[0-9]{2}|19[0-9]{2})(?-u:\b)",
            part,
        ),
        Rule::new(
            r"(?-u:\b)(?<year>20[0-9]{2}|19[0-9]{2})[ /-]?(?<part>[QH][1-4])(?-u:\b)",
            part,
        ),
        Rule::new(
            &format!(r"(?i)(?-u:\b){day}(?:st|nd|rd|th|\.)?\s(?:de |of )?{month}"),
            of_day,
        ),
        Rule::new(
            &format!(r"(?i)(?-u:\b){month}\s{day}(?:st|nd|rd|th)?(?-u:\b)"),
            of_day,
        ),
        Rule::new(
            r"(?i)(?-u:\b)(?:in|since|until|by|before|after|from|during|year|early|late|mid|end of|summer|winter|spring|autumn|jahr|seit|en|depuis|desde|nel|dal|sinds)[ -](?<it>(?:19|20)[0-9]{2})(?-u:\b)",
            year_alone,
        ),
        Rule::new(
            &format!(
                r"(?i)(?-u:\b)(?<from>{NUMBER}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:\s?(?:to|[-–]|bis|à)\s?(?<to>{NUMBER}))?[\s-]?(?<unit>seconds?|secs?|minutes?|mins?|hours?|hrs?|h|days?|weeks?|wks?|months?|years?|yrs?|minuten|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|heures?|jours?|semaines?|mois|ans|années?|horas?|días?|semanas?|mes|meses|años?|giorni|settimane?|mesi|anni|dagen|weken|maanden|jaar)(?-u:\b)"
            ),
            duration,
        ),
    ]
});

fn month(matched: &RuleMatch<'_, '_>) -> Option<u8> {
    month_in_any_language(&matched.get("month")?.to_lowercase())
}

/// Short names of months that are also words count only with a capital.
fn is_plain_word(matched: &RuleMatch<'_, '_>) -> bool {
    let written = matched.get("month").unwrap_or_default();
    written.chars().count() <= 5
        && written.starts_with(char::is_lowercase)
        && !matches!(
            written,
            "mai"
                | "mayo"
                | "mars"
                | "marzo"
                | "maart"
                | "mei"
                | "maio"
                | "avril"
                | "abril"
                | "juin"
                | "enero"
                | "junio"
                | "julio"
                | "août"
                | "maggio"
        )
}

fn whole<N: FromStr>(matched: &RuleMatch<'_, '_>, group: &str) -> Option<N> {
    matched.get(group)?.parse().ok()
}

fn iso(year: u16, month: u8, day: u8) -> Option<String> {
    Date::new(year, Some(month), Some(day)).map(Date::iso)
}

fn full(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let date = iso(
        whole(matched, "year")?,
        month(matched)?,
        whole(matched, "day")?,
    )?;
    matched.certain(Kind::Date, date.into())
}

fn numeric_date(matched: &RuleMatch<'_, '_>) -> Option<Value> {
    let date = iso(
        whole(matched, "year")?,
        whole(matched, "number")?,
        whole(matched, "day")?,
    )?;
    (!matched.is_cut()).then(|| date.into())
}

fn numeric_certain(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    matched.certain(Kind::Date, numeric_date(matched)?)
}

fn numeric(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    matched.likely(Kind::Date, numeric_date(matched)?)
}

/// Day or month first: only where one of the two cannot be a month it is known.
fn slashed(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let (one, two, year) = (
        whole(matched, "one")?,
        whole(matched, "two")?,
        whole(matched, "year")?,
    );
    match (iso(year, two, one), iso(year, one, two)) {
        (Some(european), Some(american)) if european != american => {
            matched.likely(Kind::Date, json!({ "either": [european, american] }))
        }
        (Some(date), _) | (None, Some(date)) => matched.certain(Kind::Date, date.into()),
        (None, None) => None,
    }
}

fn of_month(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    // A day before it that is no day of this month spoils the date.
    let after_number = matched.text[..matched.range().start]
        .trim_end()
        .ends_with(|c: char| c.is_ascii_digit());
    if after_number || is_plain_word(matched) {
        return None;
    }
    let date = format!("{}-{:02}", matched.get("year")?, month(matched)?);
    matched.certain(Kind::Date, date.into())
}

fn of_day(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let day: u8 = whole(matched, "day")?;
    // A leap year has every day a year can have.
    iso(2000, month(matched)?, day)?;
    let numbers_on = matched.after().starts_with(['.', ',', '%'])
        && matched.after()[1..].starts_with(|c: char| c.is_ascii_digit());
    if matched.is_cut()
        || numbers_on
        || !matched.get("month")?.starts_with(char::is_uppercase) && is_plain_word(matched)
    {
        return None;
    }
    matched.likely(
        Kind::Date,
        format!("--{:02}-{day:02}", month(matched)?).into(),
    )
}

fn part(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let (year, part) = (matched.get("year")?, matched.get("part")?);
    if part.starts_with('H') && part > "H2" {
        return None;
    }
    matched.certain(Kind::Date, format!("{year}-{part}").into())
}

fn year_alone(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    const COUNTED: [&str; 9] = [
        "patient",
        "participant",
        "subject",
        "adult",
        "women",
        "men",
        "children",
        "people",
        "case",
    ];
    let next = matched.after().trim_start();
    let counts = COUNTED.iter().any(|word| next.starts_with(word));
    let goes_on = matched.after().starts_with(['-', '/', '.'])
        && matched.after()[1..].starts_with(|c: char| c.is_ascii_digit());
    if counts || goes_on {
        return None;
    }
    matched.likely(Kind::Date, matched.it().into())
}

fn duration(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let unit = matched.get("unit")?.to_lowercase();
    let (sign, time) = match unit.as_str() {
        unit if unit.starts_with("se") && !unit.starts_with("sem") && !unit.starts_with("set") => {
            ("S", "T")
        }
        unit if unit.starts_with("mi") => ("M", "T"),
        unit if unit.starts_with('h') || unit.starts_with("st") => ("H", "T"),
        unit if unit.starts_with('d')
            || unit.starts_with("ta")
            || unit.starts_with("jo")
            || unit.starts_with("gi") =>
        {
            ("D", "")
        }
        unit if unit.starts_with('w') || unit.starts_with("sem") || unit.starts_with("set") => {
            ("W", "")
        }
        unit if unit.starts_with('m') => ("M", ""),
        _ => ("Y", ""),
    };
    if matched
        .before()
        .is_some_and(|c| matches!(c, '.' | ',' | '-' | '–' | '/') || c.is_alphanumeric())
        || is_followed_by_letter(matched)
    {
        return None;
    }
    let from = counted(matched.get("from")?)?;
    let first = format!("P{time}{from}{sign}");
    let value = match matched.number("to") {
        Some(to) => json!({ "from": first, "to": format!("P{time}{to}{sign}") }),
        None => first.into(),
    };
    matched.likely(Kind::Duration, value)
}

fn is_followed_by_letter(matched: &RuleMatch<'_, '_>) -> bool {
    matched.after().starts_with(char::is_alphabetic)
}
