use adjutant_questions::{
    Draft, Evidence, Extract, Finding, FindingKind, Input, Source, findings_bound, fit,
    sources_bound,
};
use proptest::prelude::*;

fn source(id: &str, text: &str) -> Source {
    Source {
        id: id.to_owned(),
        text: text.to_owned(),
        ..Source::default()
    }
}

fn extract(question: &str, sources: Vec<Source>) -> Input {
    Input::Extract(Extract {
        question: question.to_owned(),
        sources,
        most: 10,
        guidance: Vec::new(),
    })
}

const HARBOUR: &str =
    "The board met in March.\n\nDredging the northern basin costs 4 million.\n\nLunch was served.";

#[test]
fn what_fits_is_left_as_it_is() {
    let input = extract("What does dredging cost?", vec![source("minutes", HARBOUR)]);
    let fitted = fit(input.clone(), sources_bound(input.sources()));
    assert_eq!(fitted.input, input);
    assert!(fitted.left_out.is_empty());
}

#[test]
fn the_passages_that_bear_on_the_question_stay_and_the_rest_is_recorded() {
    let other = source("menu", "Fish and chips.\n\nTea and cake.");
    let input = extract(
        "What does dredging cost?",
        vec![source("minutes", HARBOUR), other],
    );
    let wanted = "Dredging the northern basin costs 4 million.";
    let fitted = fit(input, sources_bound(&[source("minutes", wanted)]) + 2);
    let kept = fitted.input.sources();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].text, wanted);
    let left_out: Vec<_> = fitted
        .left_out
        .iter()
        .map(|left_out| (left_out.source.as_str(), left_out.passages))
        .collect();
    assert_eq!(left_out, [("minutes", 2), ("menu", 2)]);
}

#[test]
fn the_weakest_findings_of_a_draft_go_first() {
    let finding = |text: &str, confidence| Finding {
        text: text.to_owned(),
        kind: FindingKind::Fact,
        evidence: vec![Evidence {
            source: "minutes".to_owned(),
            quote: text.to_owned(),
        }],
        confidence,
    };
    let findings = vec![
        finding("The basin is deep.", 0.4),
        finding("The quay is long.", 0.9),
        finding("The crane is old.", 0.4),
    ];
    let two = findings_bound(&findings[..2]);
    let input = Input::Draft(Draft {
        heading: "Harbour".to_owned(),
        about: String::new(),
        findings,
        not_found: Vec::new(),
        words_max: 100,
        guidance: Vec::new(),
    });
    let fitted = fit(input, two);
    let Input::Draft(draft) = fitted.input else {
        unreachable!("a draft stays a draft")
    };
    let kept: Vec<_> = draft.findings.iter().map(|at| at.text.as_str()).collect();
    assert_eq!(kept, ["The basin is deep.", "The quay is long."]);
    assert_eq!(fitted.left_out.len(), 1);
    assert_eq!(fitted.left_out[0].source, "finding 3");
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    let words = "[a-zé.,0-9 \n中]{0,400}";
    proptest::collection::vec(prop_oneof![words, any::<String>()], 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_budget_holds_and_nothing_is_lost_without_record(texts in texts(), tokens_max in 0u64..400) {
        let sources: Vec<Source> = texts
            .iter()
            .enumerate()
            .map(|(at, text)| source(&format!("s{at}"), text))
            .collect();
        let input = extract("a 中 dredging", sources.clone());
        let fitted = fit(input.clone(), tokens_max);
        prop_assert_eq!(&fitted, &fit(input, tokens_max));
        prop_assert!(sources_bound(fitted.input.sources()) <= tokens_max);
        for kept in fitted.input.sources() {
            let whole = sources.iter().find(|source| source.id == kept.id);
            let whole = &whole.ok_or_else(|| TestCaseError::fail("a source from nowhere"))?.text;
            let mut from = 0;
            for passage in kept.text.split("\n\n") {
                let found = whole[from..].find(passage);
                prop_assert!(found.is_some(), "{:?} is not in {:?}", passage, whole);
                from += found.unwrap_or(0) + passage.len();
            }
        }
        for source in &sources {
            let kept = fitted.input.sources().iter().find(|kept| kept.id == source.id);
            let letters = |text: &str| text.chars().filter(|char| !char.is_whitespace()).count();
            let lost = kept.is_none_or(|kept| letters(&kept.text) < letters(&source.text));
            let recorded = fitted.left_out.iter().any(|left_out| left_out.source == source.id);
            prop_assert_eq!(lost, recorded);
        }
    }
}
