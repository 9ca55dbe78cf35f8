use super::*;

fn converted(value: &str, from: &str, to: &str) -> String {
    text(json!({ "calculate": "convert", "value": value, "from": from, "to": to }))
}

fn analyte(value: &str, from: &str, to: &str, substance: &str) -> String {
    ask(json!({ "calculate": "convert", "value": value, "from": from, "to": to, "substance": substance }))
        .expect("an answer")
        .rounded
        .expect("a number")
}

#[test]
fn exact_factors_stay_exact() {
    assert_eq!(converted("1", "mi", "km"), "1.609344");
    assert_eq!(converted("100", "degC", "degF"), "212");
    assert_eq!(converted("98.6", "degF", "degC"), "37");
    assert_eq!(converted("-40", "degC", "degF"), "-40");
    assert_eq!(converted("5", "mcg/kg/min", "mg/kg/h"), "0.3");
    assert_eq!(converted("0.9", "%w/v", "mg/mL"), "9");
    assert_eq!(converted("5", "% w/v", "g/L"), "50");
    assert_eq!(converted("1", "GiB", "MB"), "1073.741824");
    assert_eq!(converted("1", "kWh", "kJ"), "3600");
    assert_eq!(converted("36", "km/h", "m/s"), "10");
    assert_eq!(converted("1", "N", "kg*m/s^2"), "1");
    assert_eq!(converted("1", "m³", "L"), "1000");
    assert_eq!(converted("150", "10^9/L", "10^3/uL"), "150");
    assert_eq!(converted("90", "mL/min/1.73m2", "L/h/1.73m2"), "5.4");
    assert_eq!(converted("1", "µg", "ng"), "1000");
    assert_eq!(converted("1", "mmol/L", "mM"), "1");
    assert_eq!(converted("1e3", "mg", "g"), "1");
}

#[test]
fn analytes_go_between_mass_and_moles() {
    assert_eq!(analyte("100", "mg/dL", "mmol/L", "glucose"), "5.55074");
    assert_eq!(analyte("1", "mg/dL", "umol/L", "creatinine"), "88.4017");
    assert_eq!(analyte("10", "mg/dL", "mmol/L", "calcium"), "2.49513");
    assert_eq!(analyte("4", "mEq/L", "mg/dL", "potassium"), "15.6392");
    assert_eq!(analyte("5", "mEq/L", "mmol/L", "calcium"), "2.5");
    assert_eq!(analyte("5", "mEq/L", "mg/L", "calcium"), "100.195");
}

#[test]
fn links_between_kinds_are_given() {
    let given = |value: &str, from: &str, to: &str, factor: &str, unit: &str| {
        text(json!({
            "calculate": "convert", "value": value, "from": from, "to": to,
            "factor": { "value": factor, "unit": unit },
        }))
    };
    assert_eq!(given("400", "IU", "mcg", "0.025", "mcg/IU"), "10");
    assert_eq!(given("10", "mcg", "IU", "0.025", "mcg/IU"), "400");
    assert_eq!(given("250", "EUR", "USD", "1.08", "USD/EUR"), "270");
    assert_eq!(given("100", "mL", "g", "0.789", "g/mL"), "78.9");
}

#[test]
fn what_does_not_fit_is_refused() {
    let tried = |value: &str, from: &str, to: &str| {
        refusal(json!({ "calculate": "convert", "value": value, "from": from, "to": to }))
    };
    assert_eq!(
        tried("1", "kg", "m"),
        "`kg` measures mass and `m` length: choose units of one kind, or give `factor`, for example a density in g/mL"
    );
    assert!(tried("1", "IU", "mg").contains("international units differ"));
    assert!(tried("1", "EUR", "USD").contains("give the rate"));
    assert!(tried("1", "mg/dL", "mmol/L").contains("give `substance`"));
    assert!(tried("1", "furlong", "m").contains("`furlong`"));
    assert!(tried("1", "J/degC", "J/K").contains("use K"));
    assert!(tried("-300", "degC", "K").contains("absolute zero"));
    assert!(tried("1", "m^", "m").contains("not a known unit"));
    assert!(tried("1", "", "m").contains("not a known unit"));
}

#[test]
fn symbols_that_are_easily_misread_are_refused() {
    for unit in ["gr", "mt", "dB", "NM", "Mg/dl/"] {
        let request = json!({ "calculate": "convert", "value": 1, "from": unit, "to": "g" });
        assert!(refusal(request).contains("not a known unit"), "{unit}");
    }
    assert_eq!(converted("1", "Mg", "kg"), "1000");
}

#[test]
fn powers_beyond_any_unit_are_refused() {
    for unit in [
        "((((m^24)^24)^24)^24)",
        "((((10^24)^24)^24)^24)",
        "m^25",
        "(((((((((m)))))))))",
    ] {
        let request = json!({ "calculate": "convert", "value": 1, "from": unit, "to": "m" });
        assert!(ask(request).is_err(), "{unit}");
    }
    let small = ask(json!({ "calculate": "convert", "value": 1, "from": "nm^6", "to": "km^6" }))
        .expect("an answer");
    assert_eq!(small.text, "0");
    assert!(small.steps[0].contains("about 10^-72"), "{:?}", small.steps);
    assert!(small.notes.iter().any(|note| note.contains("smaller unit")));
}
