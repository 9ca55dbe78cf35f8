//! What holds whatever the numbers are.

use adjutant_calculator::Number;
use proptest::prelude::*;
use rust_decimal::Decimal;

use super::*;

const PAIRS: &[(&str, &str)] = &[
    ("mi", "km"),
    ("lb", "kg"),
    ("oz", "g"),
    ("degF", "degC"),
    ("degF", "K"),
    ("psi", "kPa"),
    ("mmHg", "kPa"),
    ("kcal", "kJ"),
    ("hp", "kW"),
    ("mcg/kg/min", "mg/kg/h"),
    ("mg/dL", "g/L"),
    ("gal", "L"),
    ("GiB", "MB"),
    ("knot", "m/s"),
    ("wk", "min"),
    ("%w/v", "mg/mL"),
    ("ft", "m"),
];

fn decimal(text: &str) -> Decimal {
    Number::parse(text)
        .expect("a number")
        .decimal()
        .expect("a decimal")
}

fn convert(value: &str, from: &str, to: &str, substance: Option<&str>) -> String {
    let mut request = json!({ "calculate": "convert", "value": value, "from": from, "to": to });
    if let Some(substance) = substance {
        request["substance"] = substance.into();
    }
    text(request)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn there_and_back_is_where_it_began(cents in 0_i64..1_000_000_000, pair in 0..PAIRS.len()) {
        let value = Decimal::new(cents, 2).to_string();
        let (from, to) = PAIRS[pair];
        let back = convert(&convert(&value, from, to, None), to, from, None);
        let away = (decimal(&back) - decimal(&value)).abs();
        prop_assert!(away <= Decimal::new(1, 20), "{value} {from} in {to} came back as {back}");
    }

    #[test]
    fn moles_and_back_is_where_it_began(cents in 1_i64..10_000_000) {
        let value = Decimal::new(cents, 2).to_string();
        let there = convert(&value, "mg/dL", "mmol/L", Some("glucose"));
        let back = convert(&there, "mmol/L", "mg/dL", Some("glucose"));
        prop_assert!((decimal(&back) - decimal(&value)).abs() <= Decimal::new(1, 20));
    }

    #[test]
    fn a_schedule_adds_up(cents in 100_i64..1_000_000_000, tenths in 0_u32..250, payments in 1_u32..400) {
        let principal = Decimal::new(cents, 2);
        let answer = ask(json!({
            "calculate": "loan", "principal": principal.to_string(),
            "rate_percent": Decimal::new(tenths.into(), 1).to_string(), "payments": payments,
        })).expect("an answer");
        let rows = answer.table.expect("a schedule").rows;
        let column = |index: usize| rows.iter().map(|row| decimal(&row[index])).sum::<Decimal>();
        prop_assert_eq!(column(3), principal);
        prop_assert_eq!(column(1), column(2) + principal);
        prop_assert_eq!(decimal(&rows[rows.len() - 1][4]), Decimal::ZERO);
    }

    #[test]
    fn the_parts_of_a_split_add_up(cents in -1_000_000_i64..1_000_000, shares in prop::collection::vec(0_u32..1000, 1..20)) {
        prop_assume!(shares.iter().any(|share| *share > 0));
        let amount = Decimal::new(cents, 2);
        let parts = text(json!({ "calculate": "split", "amount": amount.to_string(), "shares": shares }));
        prop_assert_eq!(parts.split(", ").map(decimal).sum::<Decimal>(), amount);
    }

    #[test]
    fn depreciation_ends_at_the_salvage_value(cost in 1_000_i64..10_000_000, share in 0_i64..100, years in 1_u32..60) {
        let salvage = Decimal::new(cost * share / 100, 2);
        let answer = ask(json!({
            "calculate": "depreciation", "cost": Decimal::new(cost, 2).to_string(), "salvage": salvage.to_string(),
            "years": years, "way": "straight_line",
        })).expect("an answer");
        let rows = answer.table.expect("a schedule").rows;
        prop_assert_eq!(decimal(&rows[rows.len() - 1][2]), salvage);
    }

    #[test]
    fn days_added_are_days_between(year in 1900_i32..2200, day in 1_u32..28, month in 1_u32..13, days in -40_000_i32..40_000) {
        let start = format!("{year:04}-{month:02}-{day:02}");
        let end = text(json!({ "calculate": "date_add", "date": start, "days": days }));
        let between = text(json!({ "calculate": "date_difference", "from": start, "to": end }));
        prop_assert_eq!(between, days.to_string());
        let back = text(json!({ "calculate": "date_add", "date": end, "days": -days }));
        prop_assert_eq!(back, start);
    }

    #[test]
    fn business_days_added_are_business_days_between(day in 1_u32..29, month in 1_u32..13, days in 1_i32..600) {
        let start = format!("2024-{month:02}-{day:02}");
        let end = text(json!({ "calculate": "date_add", "date": start, "business_days": days }));
        let answer = ask(json!({ "calculate": "date_difference", "from": start, "to": end })).expect("an answer");
        let part = answer.parts.iter().find(|part| part.name == "business_days").expect("the part");
        prop_assert_eq!(&part.text, &days.to_string());
    }

    #[test]
    fn nothing_panics_on_wild_numbers(value in "-?[0-9]{1,14}(\\.[0-9]{1,14})?", other in "-?[0-9]{1,14}(\\.[0-9]{1,14})?", years in 0_u32..100_000) {
        let requests = [
            json!({ "calculate": "convert", "value": value, "from": "ly^3", "to": "nm^3" }),
            json!({ "calculate": "convert", "value": value, "from": "km^3", "to": "nm^3" }),
            json!({ "calculate": "convert", "value": value, "from": "nm^3", "to": "km^3" }),
            json!({ "calculate": "compound_interest", "principal": value, "rate_percent": other, "years": years }),
            json!({ "calculate": "internal_rate", "flows": [value, other, value] }),
            json!({ "calculate": "cost_effectiveness", "new_cost": value, "new_effect": other, "old_cost": other, "old_effect": value }),
            json!({ "calculate": "half_life_decay", "start": value, "unit": "mg", "half_life_h": other, "hours": value }),
            json!({ "calculate": "round", "value": value, "places": 12, "rounding": "half_even" }),
            json!({ "calculate": "margin", "cost": value, "price": other }),
        ];
        for request in requests {
            let _either = ask(request);
        }
    }
}
