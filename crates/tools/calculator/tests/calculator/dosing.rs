use super::*;

fn notes(request: Value) -> String {
    ask(request).expect("an answer").notes.join(" ")
}

fn clearance(age: u32, weight: &str, creatinine: &str, unit: &str) -> Value {
    json!({
        "calculate": "creatinine_clearance", "age_years": age, "sex": "male", "weight_kg": weight,
        "creatinine": creatinine, "creatinine_unit": unit,
    })
}

#[test]
fn every_clinical_answer_says_that_it_is_no_advice() {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("../reference/published.json")).expect("cases");
    for case in cases {
        let request = case["request"].clone();
        assert!(notes(request.clone()).contains("prescriber"), "{request}");
    }
}

#[test]
fn what_nobody_has_is_refused() {
    assert_eq!(
        refusal(clearance(50, "7000", "1.0", "mg/dL")),
        "`weight_kg` is 7000, outside 0.2 to 650 kg: check the number and its unit"
    );
    assert!(refusal(clearance(12, "40", "0.6", "mg/dL")).contains("outside 18 to 120 years"));
    assert!(refusal(clearance(50, "70", "88.4", "mg/dL")).contains("outside 0.1 to 40 mg/dL"));
    let metres = json!({ "calculate": "body_mass_index", "weight_kg": 70, "height_cm": "1.75" });
    assert!(refusal(metres).contains("`height_cm` is 1.75"));
    let fast = json!({
        "calculate": "infusion_rate", "dose": 5, "dose_unit": "mg/kg/h", "weight_kg": 70, "drug_amount": 1,
        "drug_unit": "mg", "volume_ml": 100,
    });
    assert!(refusal(fast).contains("outside 0 to 2000 mL/h"));
}

#[test]
fn what_is_rare_is_noted() {
    assert!(
        notes(clearance(99, "70", "1.0", "mg/dL"))
            .contains("`age_years` is 99 years, outside the usual 18 to 95")
    );
    let fast = json!({ "calculate": "corrected_qt", "qt_ms": 400, "heart_rate": 120, "formula": "bazett" });
    assert!(notes(fast).contains("compare Fridericia"));
}

#[test]
fn creatinine_may_come_in_either_unit() {
    assert_eq!(
        text(clearance(50, "72", "1.0", "mg/dL")),
        text(clearance(50, "72", "88.4", "umol/L"))
    );
}

#[test]
fn caps_hold_and_are_told() {
    let dose = |weight: u32| {
        json!({
            "calculate": "dose_by_weight", "weight_kg": weight, "dose_per_kg": 15, "dose_unit": "mg",
            "doses_per_day": 4, "max_dose": 1000, "max_daily": 3000, "concentration_per_ml": 24,
        })
    };
    assert_eq!(text(dose(20)), "300");
    assert_eq!(text(dose(60)), "750");
    assert!(notes(dose(60)).contains("the most for a day, 3000 mg ÷ 4"));
    let surface = json!({
        "calculate": "dose_by_surface", "surface_m2": "2.4", "max_surface_m2": 2, "dose_per_m2": 75, "dose_unit": "mg",
    });
    assert_eq!(text(surface.clone()), "150");
    assert!(notes(surface).contains("capped at 2 m²"));
    let both = json!({
        "calculate": "dose_by_surface", "surface_m2": 2, "weight_kg": 70, "dose_per_m2": 75, "dose_unit": "mg",
    });
    assert!(refusal(both).contains("give either the surface"));
}

#[test]
fn kinds_of_units_do_not_mix() {
    let mixed = json!({
        "calculate": "infusion_rate", "dose": 5, "dose_unit": "units/h", "drug_amount": 100, "drug_unit": "mg",
        "volume_ml": 100,
    });
    assert!(refusal(mixed).contains("the same kind of unit"));
    let no_weight = json!({
        "calculate": "infusion_rate", "dose": 5, "dose_unit": "mcg/kg/min", "drug_amount": 100, "drug_unit": "mg",
        "volume_ml": 100,
    });
    assert!(refusal(no_weight).contains("`weight_kg` is missing"));
}

#[test]
fn bands_are_half_open_and_do_not_overlap() {
    let band = |value: u32| {
        json!({ "calculate": "dose_band", "value": value, "bands": [
            { "at_least": 30, "below": 60, "dose": "half" }, { "at_least": 60, "dose": "full" },
        ]})
    };
    assert_eq!(text(band(59)), "half");
    assert_eq!(text(band(60)), "full");
    assert!(notes(band(59)).contains("within 5 %"));
    assert!(refusal(band(29)).contains("no band of the table contains it"));
    let overlap = json!({ "calculate": "dose_band", "value": 50, "bands": [
        { "at_least": 0, "below": 61, "dose": "half" }, { "at_least": 60, "dose": "full" },
    ]});
    assert!(refusal(overlap).contains("overlap"));
}

#[test]
fn a_condition_counts_once() {
    let twice = json!({
        "calculate": "cha2ds2_vasc", "age_years": 80, "sex": "female", "conditions": ["diabetes", "diabetes"],
    });
    assert!(refusal(twice).contains("name it once"));
    let all = json!({
        "calculate": "cha2ds2_vasc", "age_years": 80, "sex": "female",
        "conditions": ["heart_failure", "hypertension", "diabetes", "stroke_tia_or_embolism", "vascular_disease"],
    });
    assert_eq!(text(all), "9");
}

#[test]
fn the_limits_of_child_pugh_belong_to_the_middle() {
    let score = |bilirubin: &str, albumin: &str, inr: &str| {
        text(json!({
            "calculate": "child_pugh", "bilirubin_mg_dl": bilirubin, "albumin_g_dl": albumin, "inr": inr,
            "ascites": "none", "encephalopathy": "none",
        }))
    };
    assert_eq!(score("1.9", "3.6", "1.6"), "5");
    assert_eq!(score("2.0", "3.5", "1.7"), "8");
    assert_eq!(score("3.0", "2.8", "2.3"), "8");
    assert_eq!(score("3.1", "2.7", "2.4"), "11");
}

#[test]
fn every_rate_unit_means_the_same_rate() {
    let rate = |dose: &str, dose_unit: &str, amount: &str, drug_unit: &str| {
        text(json!({
            "calculate": "infusion_rate", "dose": dose, "dose_unit": dose_unit, "weight_kg": 60, "drug_amount": amount,
            "drug_unit": drug_unit, "volume_ml": 250,
        }))
    };
    for (dose, unit) in [
        ("5", "mcg/kg/min"),
        ("300", "mcg/kg/h"),
        ("0.3", "mg/kg/h"),
        ("300", "mcg/min"),
        ("18000", "mcg/h"),
        ("0.3", "mg/min"),
        ("18", "mg/h"),
    ] {
        assert_eq!(rate(dose, unit, "200", "mg"), "22.5", "{unit}");
    }
    assert_eq!(rate("18", "mg/h", "0.2", "g"), "22.5");
    assert_eq!(rate("18", "mg/h", "200000", "mcg"), "22.5");
    for (dose, unit) in [
        ("10", "units/kg/h"),
        ("600", "units/h"),
        ("10", "units/min"),
    ] {
        assert_eq!(rate(dose, unit, "25000", "units"), "6", "{unit}");
    }
}

#[test]
fn classes_change_at_their_limits() {
    let class = |weight: &str| {
        let answer =
            ask(json!({ "calculate": "body_mass_index", "weight_kg": weight, "height_cm": 100 }));
        part(&answer.expect("an answer"), "class")
    };
    for (below, limit, before, after) in [
        ("18.4", "18.5", "underweight", "normal weight"),
        ("24.9", "25", "normal weight", "overweight"),
        ("29.9", "30", "overweight", "obesity class I"),
        ("34.9", "35", "obesity class I", "obesity class II"),
        ("39.9", "40", "obesity class II", "obesity class III"),
    ] {
        assert_eq!(
            (class(below).as_str(), class(limit).as_str()),
            (before, after)
        );
    }
}

#[test]
fn kidney_categories_follow_the_rounded_rate() {
    let mut seen = Vec::new();
    for creatinine in 50..800 {
        let answer = ask(json!({
            "calculate": "egfr", "age_years": 50, "sex": "male", "creatinine_unit": "mg/dL",
            "creatinine": format!("{}.{:02}", creatinine / 100, creatinine % 100),
        }))
        .expect("an answer");
        let rate: u32 = answer
            .rounded
            .as_deref()
            .and_then(|rate| rate.parse().ok())
            .expect("a rate");
        let expected = match rate {
            90.. => "G1",
            60.. => "G2",
            45.. => "G3a",
            30.. => "G3b",
            15.. => "G4",
            _ => "G5",
        };
        assert_eq!(part(&answer, "category"), expected, "{rate}");
        seen.push(expected);
    }
    seen.dedup();
    assert_eq!(seen, ["G1", "G2", "G3a", "G3b", "G4", "G5"]);
}
