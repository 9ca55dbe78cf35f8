//! Percentages, money, quantities with a unit, doses and laboratory values.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::Kind;
use super::rule::{Candidate, Rule, RuleMatch, Rules};
use crate::numbers::{self, NUMBER};
use crate::words::word_list;

const UNIT: &str = r"(?:kg|mg|µg|μg|mcg|ng|pg|g|mmol|µmol|μmol|nmol|pmol|mol|mL|ml|dL|dl|µL|μL|µl|cL|L|l|IU|IE|U|units?|mEq|kcal|cal|kJ|mmHg|mm Hg|cmH2O|kPa|Pa|bar|cm|mm|µm|μm|nm|km|m²|m2|m|°C|°F|ºC|Gy|cGy|mSv|MBq|kBq|Bq|kHz|MHz|Hz|mV|kV|V|mA|kW|MW|W|bpm|beats/min|ms|µM|μM|nM|mM|kDa|Da|tablets?|capsules?|puffs?|drops?)";
const PER: &str = r"(?:\s?/\s?(?:kg|mg|g|mL|ml|dL|dl|L|l|µL|μL|µl|min|h|hr|hour|day|d|week|year|m²|m2|1\.73\s?m²|1\.73\s?m2|mmol|mm3|mm³|s|dose|Tag)|\sper\s(?:kg|kilogram|day|hour|minute|dose|week))";
const SCALE: &str = r"(?:\s?(?<scale>million|billion|thousand|trillion|bn|mn|m|k|Mio\.?|Mrd\.?|Millionen|Milliarden|millions?|milliards?|millones|milioni))?";
const CURRENCY: &str = r"(?<currency>EUR|USD|GBP|CHF|JPY|CAD|AUD|SEK|DKK|NOK|CNY|INR|US dollars?|euros?|Euros?|dollars?|pounds sterling|pounds|Swiss francs?|francs?|Franken|yen|€|\$|£)";
const OFTEN: &str = r"(?<often>(?:once|twice|three times|four times|one time|two times)(?: a | per | every )?\s?(?:daily|day|weekly|week|monthly|month)?|(?:one|two|1|2|3|4)\s?[x×] ?(?:daily|täglich)|daily|weekly|every other day|every (?:[0-9]{1,2}|two|three|four|six|eight|twelve|other) (?:hours|days|weeks|months|week|day)|every (?:day|week|month|morning|evening|night)|per day|a day|each day|/day|nightly|monthly|at bedtime|q\.?(?:[0-9]{1,2})\.?[hdw]|QD|BID|TID|QID|Q[0-9]{1,2}[HWD]|q\.?d\.?|b\.?i\.?d\.?|t\.?i\.?d\.?|q\.?i\.?d\.?|täglich|einmal täglich|zweimal täglich|dreimal täglich|einmal pro Woche|wöchentlich|par jour|une fois par jour|deux fois par jour|al día|una vez al día|dos veces al día|al giorno|per dag)";
const ROUTE: &str = r"(?:,?\s(?:orally|by mouth|per os|p\.?o\.?|PO|intravenously|i\.?v\.?|IV|subcutaneously|s\.?c\.?|SC|intramuscularly|i\.?m\.?|IM|topically|sublingually|inhaled|oral|intravenous|subcutaneous)){0,2}";

pub(super) static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let mut analytes: Vec<&str> = word_list(include_str!("../../data/analytes.txt")).collect();
    analytes.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let analytes: Vec<String> = analytes
        .iter()
        .map(|name| regex::escape(&name.replace('_', " ")))
        .collect();
    let analyte = format!("(?<analyte>{})", analytes.join("|"));
    let unit = format!("(?<unit>{UNIT}{PER}{{0,2}})");
    let ranged = format!(r"(?<number>{NUMBER})(?:\s?(?:to|[-–]|bis)\s?(?<to>{NUMBER}))?");
    vec![
        Rule::new(
            &format!(
                r"(?-u:\b){ranged}\s?(?:%|‰|percent(?:age points)?|per cent|Prozent|pour cent|por ciento|per cento|procent)"
            ),
            percentage,
        ),
        Rule::new(
            &format!(
                r"(?:(?<code>US|CA|C|AU|A|HK)?(?<sign>[$€£¥])\s?)(?<number>{NUMBER}){SCALE}(?-u:\b)"
            ),
            money_before,
        ),
        Rule::new(
            &format!(
                r"(?-u:\b)(?<currency>EUR|USD|GBP|CHF|JPY|CAD|AUD|SEK|DKK|NOK|CNY|INR)\s?(?<number>{NUMBER}){SCALE}(?-u:\b)"
            ),
            money,
        ),
        Rule::new(
            &format!(r"(?-u:\b)(?<number>{NUMBER}){SCALE}\s?{CURRENCY}"),
            money,
        ),
        Rule::new(&format!(r"(?-u:\b){ranged}[\s-]?{unit}"), quantity),
        Rule::new(
            &format!(
                r"(?-u:\b)(?<number>{NUMBER})\s?[×x]\s?10(?:\^)?(?<power>[0-9⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,2}})(?<unit>/(?:L|l|mL|ml|µL|μL))"
            ),
            counts_in_powers,
        ),
        Rule::new(
            &format!(r"(?-u:\b){ranged}[\s-]?{unit}{ROUTE}[\s,]{{0,2}}{OFTEN}"),
            dose,
        ),
        Rule::new(
            &format!(
                r"(?-u:\b)(?i:{analyte})(?:\s\([A-Za-z0-9-]{{1,12}}\))?(?:\s(?:levels?|counts?|concentrations?|values?))?(?:\s?(?:of|was|is|were|at|:|=|≥|≤|<|>|reached|fell to|rose to|dropped to|increased to|decreased to|above|below|betrug|von|bei)){{0,2}}\s?(?<number>{NUMBER})(?:/(?<lower>[0-9]{{2,3}}))?(?:\s?(?<unit>{UNIT}{PER}{{0,2}}|%))?"
            ),
            lab_value,
        ),
    ]
});

fn is_after_number(matched: &RuleMatch<'_, '_>) -> bool {
    matched
        .before()
        .is_some_and(|c| matches!(c, '.' | ',' | '/' | '_') || c.is_alphanumeric())
}

/// Whether the last letter of the match goes on as a longer word.
fn runs_on(matched: &RuleMatch<'_, '_>) -> bool {
    let ends_in_letter = matched.it().ends_with(|c: char| c.is_alphanumeric());
    ends_in_letter && matched.after().starts_with(|c: char| c.is_alphanumeric())
}

fn number_or_range(matched: &RuleMatch<'_, '_>) -> Option<Value> {
    let number = numbers::json(matched.number("number")?);
    Some(match matched.number("to") {
        Some(to) => json!({ "from": number, "to": numbers::json(to) }),
        None => number,
    })
}

fn percentage(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    if is_after_number(matched) || runs_on(matched) {
        return None;
    }
    matched.certain(Kind::Percentage, number_or_range(matched)?)
}

fn scaled(matched: &RuleMatch<'_, '_>) -> Option<f64> {
    let number = matched.number("number")?;
    let scale = match matched.get("scale").unwrap_or_default() {
        "" => 1.0,
        "k" | "thousand" => 1e3,
        "bn" | "billion" | "Mrd" | "Mrd." | "Milliarden" | "milliard" | "milliards" => 1e9,
        "trillion" => 1e12,
        _ => 1e6,
    };
    Some(number * scale)
}

fn money_before(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let currency = match (matched.get("code"), matched.get("sign")?) {
        (None | Some("US"), "$") => "USD",
        (Some("C" | "CA"), "$") => "CAD",
        (Some("A" | "AU"), "$") => "AUD",
        (Some("HK"), "$") => "HKD",
        (_, "€") => "EUR",
        (_, "£") => "GBP",
        _ => "JPY",
    };
    if runs_on(matched) || matched.before().is_some_and(char::is_alphanumeric) {
        return None;
    }
    matched.certain(
        Kind::Money,
        json!({ "amount": numbers::json(scaled(matched)?), "currency": currency }),
    )
}

fn money(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let currency = match matched.get("currency")? {
        code if code.len() == 3 && code.chars().all(char::is_uppercase) => code,
        "€" | "euro" | "euros" | "Euro" | "Euros" => "EUR",
        "$" | "dollar" | "dollars" | "US dollar" | "US dollars" => "USD",
        "£" | "pounds sterling" => "GBP",
        // Pounds are also a weight and francs of several countries.
        "Swiss franc" | "Swiss francs" | "Franken" => "CHF",
        "yen" => "JPY",
        _ => return None,
    };
    if is_after_number(matched) || runs_on(matched) {
        return None;
    }
    matched.certain(
        Kind::Money,
        json!({ "amount": numbers::json(scaled(matched)?), "currency": currency }),
    )
}

fn quantity(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let unit = matched.get("unit")?;
    // Forms such as "3 m" are read as metres only where nothing else is near.
    if is_after_number(matched)
        || runs_on(matched)
        || matches!(unit, "U" | "V" | "W" | "bar") && matched.it().contains('-')
    {
        return None;
    }
    matched.certain(
        Kind::Quantity,
        json!({ "number": number_or_range(matched)?, "unit": tidy(unit) }),
    )
}

fn counts_in_powers(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let power: String = matched
        .get("power")?
        .chars()
        .filter_map(|c| match c {
            '0'..='9' => Some(c),
            other => "⁰¹²³⁴⁵⁶⁷⁸⁹"
                .chars()
                .position(|small| small == other)
                .and_then(|at| char::from_digit(at as u32, 10)),
        })
        .collect();
    let unit = format!("10^{power}{}", matched.get("unit")?);
    matched.certain(
        Kind::Quantity,
        json!({ "number": numbers::json(matched.number("number")?), "unit": unit }),
    )
}

/// Micro in one spelling, no spaces.
fn tidy(unit: &str) -> String {
    let unit = unit
        .replace('μ', "µ")
        .replace("mcg", "µg")
        .replace("m2", "m²");
    if unit.starts_with("mm Hg") {
        return "mmHg".to_owned();
    }
    unit.replace(" per ", "/").replace(' ', "")
}

fn dose(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let often = matched.get("often")?;
    if is_after_number(matched) || runs_on(matched) || often.is_empty() {
        return None;
    }
    let mut value = json!({ "amount": number_or_range(matched)?, "unit": tidy(matched.get("unit")?), "frequency": often.trim() });
    if let Some(per_day) = per_day(often) {
        value["times_a_day"] = numbers::json(per_day);
    }
    matched.certain(Kind::Dose, value)
}

fn per_day(often: &str) -> Option<f64> {
    let often = often.trim().to_lowercase().replace('.', "");
    let times = match often.as_str() {
        "daily" | "once daily" | "once a day" | "once per day" | "per day" | "a day"
        | "each day" | "/day" | "every day" | "qd" | "q24h" | "nightly" | "at bedtime"
        | "every morning" | "every evening" | "every night" | "täglich" | "einmal täglich"
        | "par jour" | "une fois par jour" | "al día" | "una vez al día" | "al giorno"
        | "per dag" | "every 24 hours" => 1.0,
        "twice daily" | "twice a day" | "twice per day" | "bid" | "q12h" | "zweimal täglich"
        | "deux fois par jour" | "dos veces al día" | "every 12 hours" | "every twelve hours"
        | "two times daily" => 2.0,
        "three times daily" | "three times a day" | "tid" | "q8h" | "dreimal täglich"
        | "every 8 hours" | "every eight hours" => 3.0,
        "four times daily" | "four times a day" | "qid" | "q6h" | "every 6 hours"
        | "every six hours" => 4.0,
        _ => return None,
    };
    Some(times)
}

fn lab_value(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let unit = matched.get("unit");
    if runs_on(matched) || matched.before().is_some_and(char::is_alphanumeric) {
        return None;
    }
    let analyte = matched.get("analyte")?;
    // Without a unit only what has none is a value.
    let bare = ["INR", "eGFR", "BMI", "pH", "heart rate"]
        .iter()
        .any(|name| name.eq_ignore_ascii_case(analyte));
    if unit.is_none() && !bare {
        return None;
    }
    let mut value =
        json!({ "analyte": analyte, "number": numbers::json(matched.number("number")?) });
    if let Some(lower) = matched.number("lower") {
        value["lower"] = numbers::json(lower);
    }
    if let Some(unit) = unit {
        value["unit"] = tidy(unit).into();
    }
    matched.likely(Kind::LabValue, value)
}
