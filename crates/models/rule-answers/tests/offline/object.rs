use adjutant_questions::{Input, Object, Objection, ObjectionKind, Output, Source};

use crate::dossiers::{answered, changed, harbour, velostat, without};

fn against(claim: &str, sources: Vec<Source>) -> Vec<Objection> {
    let input = Input::Object(Object {
        claims: vec![claim.to_owned()],
        sources,
        guidance: Vec::new(),
    });
    match answered(&input) {
        Output::Object(output) => output.objections,
        other => panic!("{other:?}"),
    }
}

fn from<'a>(objections: &'a [Objection], source: &str) -> Option<&'a Objection> {
    objections
        .iter()
        .find(|at| at.evidence.iter().any(|evidence| evidence.source == source))
}

const LOWERS: &str = "Velostat lowers systolic blood pressure.";

#[test]
fn a_source_that_denies_the_claim_contradicts_it() {
    let raised = against(LOWERS, velostat());
    let letter = from(&raised, "letter").unwrap();
    assert_eq!(letter.kind, ObjectionKind::Contradicted);
    assert_eq!(letter.claim, LOWERS);
    assert!(from(&raised, "north").is_none(), "{raised:?}");
    assert!(against(LOWERS, without(&velostat(), "letter")).is_empty());
    let agreed = changed(&velostat(), "letter", "did not lower", "lowered");
    assert!(against(LOWERS, agreed).is_empty());
}

#[test]
fn the_opposite_contradicts_it_too() {
    let raised = against("Container traffic in the harbour fell.", harbour());
    assert_eq!(
        from(&raised, "study").unwrap().kind,
        ObjectionKind::Contradicted
    );
    let raised = against(
        "The council rejected the expansion of the southern basin.",
        harbour(),
    );
    assert_eq!(
        from(&raised, "council").unwrap().kind,
        ObjectionKind::Contradicted
    );
}

#[test]
fn a_newer_source_with_another_number_outdates_it() {
    let claim = "Dredging the northern basin would cost 40 million euros.";
    let raised = against(claim, harbour());
    let study = from(&raised, "study").unwrap();
    assert_eq!(study.kind, ObjectionKind::Outdated);
    assert!(
        study.text.contains("65 million euros instead of 40") && study.text.contains("2022"),
        "{}",
        study.text
    );
    let alone = against(claim, without(&harbour(), "report"));
    assert_eq!(
        from(&alone, "study").unwrap().kind,
        ObjectionKind::Contradicted
    );
}

#[test]
fn reservations_weaken_it() {
    let raised = against("Velostat lowers the risk of stroke.", velostat());
    assert_eq!(raised.len(), 1, "{raised:?}");
    assert_eq!(raised[0].kind, ObjectionKind::Weakened);
    assert_eq!(raised[0].evidence[0].source, "registry");
}

#[test]
fn a_claim_is_not_supported_by_half_of_its_words() {
    let raised = against("The expansion of the southern basin is popular.", harbour());
    assert_eq!(raised.len(), 1, "{raised:?}");
    assert_eq!(raised[0].kind, ObjectionKind::Unsupported);
    let said = against(
        "Fishermen opposed the expansion of the southern basin.",
        harbour(),
    );
    assert!(said.is_empty(), "{said:?}");
}

#[test]
fn what_nobody_says_is_unsupported() {
    for sources in [velostat(), Vec::new()] {
        let raised = against("Velostat cures migraine in children.", sources);
        assert_eq!(raised.len(), 1, "{raised:?}");
        assert_eq!(raised[0].kind, ObjectionKind::Unsupported);
        assert!(raised[0].evidence.is_empty());
        assert_eq!(
            raised[0].text,
            "No sentence was found in the sources that says so."
        );
    }
}

fn said(title: &str, text: &str) -> Vec<Source> {
    vec![Source {
        id: "s".to_owned(),
        title: title.to_owned(),
        text: text.to_owned(),
        ..Source::default()
    }]
}

#[test]
fn a_denied_number_and_another_year_contradict() {
    for (claim, text) in [
        (
            "The heat pump saves 60% of energy.",
            "The heat pump does not save 60% of energy in buildings with open gates.",
        ),
        (
            "Acme Corp was founded in 1987.",
            "Acme Corp was founded in 1989.",
        ),
    ] {
        let raised = against(claim, said("", text));
        assert_eq!(raised.len(), 1, "{claim}: {raised:?}");
        assert_eq!(raised[0].kind, ObjectionKind::Contradicted);
    }
}

#[test]
fn the_company_is_the_one_that_was_named() {
    let employees = "The company has 120 employees.";
    for sources in [
        said("Acme Corp: a portrait", employees),
        said("", &format!("Acme Corp makes anvils. {employees}")),
    ] {
        let told = against("Acme Corp has 120 employees.", sources.clone());
        assert!(told.is_empty(), "{told:?}");
        let raised = against("Acme Corp has 300 employees.", sources);
        assert_eq!(raised[0].kind, ObjectionKind::Contradicted, "{raised:?}");
    }
    let another = against(
        "Acme Corp has 300 employees.",
        said("Globex: a portrait", employees),
    );
    assert_eq!(another[0].kind, ObjectionKind::Unsupported, "{another:?}");
}

#[test]
fn a_summary_is_doubted_sentence_by_sentence() {
    let input = Input::Object(Object {
        claims: vec![
            "Velostat lowered systolic blood pressure by 9 mmHg. Sources contradict each other on cough. Not found: price."
                .to_owned(),
        ],
        sources: velostat(), guidance: Vec::new() });
    let Output::Object(output) = answered(&input) else {
        panic!("no objections");
    };
    let kinds: Vec<ObjectionKind> = output.objections.iter().map(|at| at.kind).collect();
    assert!(!kinds.contains(&ObjectionKind::Unsupported), "{output:?}");
    assert!(kinds.contains(&ObjectionKind::Contradicted), "{output:?}");
}

#[test]
fn a_limit_denies_nothing_and_a_comparison_does() {
    let claim = "Velmoran was better than placebo in adults.";
    let denied = against(
        claim,
        said("", "Velmoran was not better than placebo in adults."),
    );
    assert_eq!(denied[0].kind, ObjectionKind::Contradicted, "{denied:?}");
    let claim = "Potassium above 6.0 mmol/L was found in patients on the drug.";
    let limit =
        "Potassium above 6.0 mmol/L is allowed in no more than 3 % of patients on the drug.";
    let raised = against(claim, said("", limit));
    let denied = |at: &Objection| at.kind == ObjectionKind::Contradicted;
    assert!(!raised.iter().any(denied), "{raised:?}");
}

#[test]
fn amounts_are_contested_and_strengths_are_not() {
    let against = |claim: &str, text: &str| against(claim, said("", text));
    let amount = against(
        "The plant makes 520 kg of the substance a year.",
        "The plant makes 900 kg of the substance a year.",
    );
    assert_eq!(amount[0].kind, ObjectionKind::Contradicted, "{amount:?}");
    let strength = against(
        "Hyperkalaemia was reported in patients on 40 mg of the drug.",
        "Hyperkalaemia was reported in patients on 20 mg of the drug.",
    );
    let contested = |at: &Objection| at.kind == ObjectionKind::Contradicted;
    assert!(!strength.iter().any(contested), "{strength:?}");
}
