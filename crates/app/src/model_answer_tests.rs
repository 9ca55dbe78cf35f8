use adjutant_questions::{Evidence, FindingKind};

use super::*;

fn nearest() -> Vec<Near> {
    let context = "The gate opens at six. It closes at nine.".to_owned();
    vec![Near {
        source: Source {
            id: "s1".to_owned(),
            text: context.clone(),
            ..Source::default()
        },
        passage: AnswerPassage {
            sentence: "The gate opens at six.".to_owned(),
            context,
            address: "kb:house/gate.md#0-41".to_owned(),
            title: "The gate".to_owned(),
            headings: Vec::new(),
            date: None,
            replaced_by: None,
        },
    }]
}

fn extracted(quotes: &[&str], confidence: f64) -> Extracted {
    let evidence = quotes.iter().map(|quote| Evidence {
        source: "s1".to_owned(),
        quote: (*quote).to_owned(),
    });
    Extracted {
        findings: vec![Finding {
            text: "It closes at nine.".to_owned(),
            kind: FindingKind::Fact,
            evidence: evidence.collect(),
            confidence,
        }],
        not_found: vec!["why".to_owned()],
        confidence: 0.9,
    }
}

fn answer(extracted: &Extracted) -> ModelAnswer {
    let mission = adjutant_host::new_mission_id(crate::wiring::clock().now()).unwrap();
    told(extracted, nearest(), "small".to_owned(), mission)
}

#[test]
fn an_answer_quotes_what_it_rests_on() {
    let answer = answer(&extracted(&["It closes at nine."], 0.9));
    assert!(answer.found);
    assert_eq!(answer.verdict, "It closes at nine.");
    assert_eq!(answer.passages[0].sentence, "It closes at nine.");
}

#[test]
fn an_answer_without_a_quote_or_without_confidence_is_none() {
    for unsure in [extracted(&[], 0.9), extracted(&["It closes at nine."], 0.2)] {
        let answer = answer(&unsure);
        assert!(!answer.found && answer.verdict.is_empty() && answer.passages.is_empty());
    }
}
