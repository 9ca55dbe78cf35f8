//! What a study reports: p-values, intervals, ratios and how many were looked at.

use std::sync::LazyLock;

use adjutant_text::numbers::parse_number;
use serde_json::json;

use super::Kind;
use super::rule::{Candidate, Rule, RuleMatch, Rules};
use crate::numbers::{self, NUMBER};

pub(super) static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let signed = format!("[-−]?{NUMBER}");
    vec![
        Rule::new(
            r"(?-u:\b)[pP](?:[ -]?values?|[ -]?Werte?)?(?: (?:for|of) (?:interaction|trend|heterogeneity|noninferiority|superiority))?\s?(?<relation>=|<=|>=|<|>|≤|≥|of|was)\s?(?<p>[01]?[.,·][0-9]{1,12}(?:[eE][-−][0-9]{1,3})?|[0-9](?:[.,·][0-9]{1,4})?\s?[×x]\s?10\^?[-−–][0-9]{1,3}|[0-9](?:\.[0-9]{1,4})?[eE][-−][0-9]{1,3}|[01])(?-u:\b)",
            p_value,
        ),
        Rule::new(
            &format!(
                r"(?i)(?-u:\b)(?<level>[0-9]{{2}}(?:[.,][0-9])?)\s?%[\s-]?(?:two-sided |one-sided )?(?:CI|CrI|confidence intervals?|credible intervals?|Konfidenzintervall|KI|IC|intervalle de confiance|intervalo de confianza)[\s,:;=]{{0,3}}(?:\(CI\)[,:]?\s?)?[\[\(]?(?:of |from |was |ranged from |von |entre )?\s?(?<low>{signed})\s?%?\s?(?:-|–|to|,|;|bis|à|a|and)\s?(?<high>{signed})(?<end>\s?%)?[\]]?"
            ),
            interval,
        ),
        Rule::new(
            &format!(
                r"(?-u:\b)(?<measure>(?:[Aa]djusted |[Uu]nadjusted |[Pp]ooled |[Cc]rude |[Ss]tratified )?(?:(?:[Hh]azard|[Oo]dds|[Rr]isk|[Rr]ate|[Ii]ncidence rate|[Ii]ncidence-rate|[Pp]revalence) ratios?|[Rr]elative risks?)|a?HR|a?OR|a?RR|IRR|sHR)(?:\s?[\(\[](?:a?HR|a?OR|a?RR|IRR)[\)\]])?(?:\s(?:of|was|is|for (?:death|progression|disease progression or death|all-cause mortality)(?: was|,)?))?[\s,:=]{{0,3}}(?<value>{NUMBER})(?-u:\b)"
            ),
            ratio,
        ),
        Rule::new(
            &format!(r"(?-u:\b)[nN]\s?=\s?(?<count>{NUMBER})(?-u:\b)"),
            given_n,
        ),
        Rule::new(
            &format!(
                r"(?i)(?-u:\b)(?<count>{NUMBER})\s(?:(?:adult|elderly|older|healthy|pediatric|paediatric|female|male|eligible|randomi[sz]ed|enrolled|evaluable|treated|treatment-naive|consecutive|hospitali[sz]ed|pregnant|postmenopausal|japanese|chinese|young|erwachsene|gesunde)\s){{0,2}}(?<who>patients|participants|subjects|adults|children|infants|adolescents|women|men|volunteers|individuals|people|persons|respondents|Patienten|Patientinnen|Teilnehmer|Teilnehmerinnen|Probanden|Personen|participantes|pacientes|pazienti|patiënten)(?-u:\b)"
            ),
            counted,
        ),
    ]
});

fn p_value(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let written = matched
        .get("p")?
        .replace([' ', '\u{a0}', '^'], "")
        .replace(['−', '–'], "-");
    let p = match written.split_once(['×', 'x']) {
        Some((digits, power)) => {
            let exponent: i32 = power.strip_prefix("10")?.parse().ok()?;
            parse_number(digits)? * libm::pow(10.0, f64::from(exponent))
        }
        None => written.replace([',', '·'], ".").parse().ok()?,
    };
    if !(0.0..=1.0).contains(&p) || matched.is_cut() {
        return None;
    }
    let relation = match matched.get("relation")? {
        "of" | "was" => "=",
        "<=" => "≤",
        ">=" => "≥",
        other => other,
    };
    matched.certain(Kind::PValue, json!({ "relation": relation, "p": p }))
}

fn interval(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let (low, high) = (matched.number("low")?, matched.number("high")?);
    let level = matched.number("level")?;
    if low > high || !(50.0..100.0).contains(&level) {
        return None;
    }
    let value = json!({ "level": numbers::json(level), "low": numbers::json(low), "high": numbers::json(high) });
    matched.certain(Kind::Interval, value)
}

fn ratio(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let value = matched.number("value")?;
    let written = matched.get("measure")?;
    let short = written
        .chars()
        .all(|c| c.is_uppercase() || c == 'a' || c == 's');
    // "OR 5" may be a choice and "RR 18" a breathing rate: the short forms need a decimal.
    if short && !matched.get("value")?.contains(['.', ',', '·']) || matched.after().starts_with('%')
    {
        return None;
    }
    let measure = match written.trim_end_matches('s') {
        "HR" => "hazard ratio".to_owned(),
        "aHR" => "adjusted hazard ratio".to_owned(),
        "sHR" => "subdistribution hazard ratio".to_owned(),
        "OR" => "odds ratio".to_owned(),
        "aOR" => "adjusted odds ratio".to_owned(),
        "RR" => "risk ratio".to_owned(),
        "aRR" => "adjusted risk ratio".to_owned(),
        "IRR" => "incidence rate ratio".to_owned(),
        long => long.to_lowercase(),
    };
    matched.certain(
        Kind::Ratio,
        json!({ "measure": measure, "value": numbers::json(value) }),
    )
}

fn given_n(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let count = matched.number("count")?;
    (libm::trunc(count) == count).then_some(())?;
    matched.certain(Kind::SampleSize, numbers::json(count))
}

fn counted(matched: &RuleMatch<'_, '_>) -> Option<Candidate> {
    let count = matched.number("count")?;
    let cut = matched
        .before()
        .is_some_and(|c| matches!(c, '.' | '-' | '–' | '%' | '/') || c.is_alphanumeric());
    (libm::trunc(count) == count && !cut).then_some(())?;
    matched.likely(Kind::SampleSize, numbers::json(count))
}
