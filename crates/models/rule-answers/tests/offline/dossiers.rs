//! Two invented dossiers: a drug against high blood pressure, and a harbour that may grow.

use adjutant_questions::{Input, Output, Source, unfounded};

/// The answer, with its evidence checked and its shape held against the schema.
pub(crate) fn answered(input: &Input) -> Output {
    let output = adjutant_rule_answers::answer(input);
    assert_eq!(unfounded(input, &output), Vec::<String>::new());
    for evidence in output.evidence() {
        let mut named = input
            .sources()
            .iter()
            .filter(|source| source.id == evidence.source);
        let exact = named.any(|source| source.text.contains(&evidence.quote));
        let thought = input.thoughts().iter().flat_map(|at| &at.findings);
        let again = thought.flat_map(|at| &at.evidence).any(|at| at == evidence);
        let drafted = matches!(input, Input::Draft(_));
        assert!(exact || again || drafted, "{evidence:?}");
    }
    let schema = input.purpose().output_schema();
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(validator.is_valid(&output.value()), "{}", output.value());
    output
}

fn source(id: &str, title: &str, published: &str, text: &str) -> Source {
    Source {
        id: id.to_owned(),
        title: title.to_owned(),
        text: text.to_owned(),
        published: Some(published.to_owned()),
    }
}

pub(crate) fn without(sources: &[Source], id: &str) -> Vec<Source> {
    sources
        .iter()
        .filter(|source| source.id != id)
        .cloned()
        .collect()
}

pub(crate) fn changed(sources: &[Source], id: &str, from: &str, to: &str) -> Vec<Source> {
    let mut sources = sources.to_vec();
    let source = sources.iter_mut().find(|source| source.id == id).unwrap();
    assert!(source.text.contains(from), "{id} does not say {from}");
    source.text = source.text.replace(from, to);
    sources
}

pub(crate) fn velostat() -> Vec<Source> {
    vec![
        source(
            "north",
            "Velostat in adults with high blood pressure: a randomised trial",
            "2021-04",
            "Background. High blood pressure is common and often poorly controlled.\n\n\
             In this double-blind trial, 412 adults were randomly assigned to velostat 20 mg or placebo for twelve \
             weeks. The first patient was enrolled on 3 February 2019 and the last visit took place in November 2020.\n\n\
             Velostat lowered systolic blood pressure by 9 mmHg compared with placebo. Dry cough occurred in 4% of \
             patients on velostat. Serum potassium did not change.\n\n\
             Two patients stopped treatment because of dizziness.",
        ),
        source(
            "south",
            "Velostat once daily: a second randomised, placebo-controlled trial",
            "2022-09-14",
            "We enrolled 1,204 participants at 31 hospitals. Participants took velostat 20 mg once daily or placebo.\n\n\
             Velostat lowered systolic blood pressure by 9 mmHg. Dry cough occurred in 5% of patients on velostat \
             and in 4% on placebo. Kidney function remained stable over one year.",
        ),
        source(
            "letter",
            "Letter: velostat in our clinic",
            "2020",
            "In our clinic velostat did not lower systolic blood pressure in 23 patients. We believe that the dose may \
             have been too small.",
        ),
        source(
            "guideline",
            "Guideline on high blood pressure",
            "2023-06",
            "The committee recommends velostat as a second choice when an ACE inhibitor is not tolerated. The starting \
             dose is 10 mg, raised to 20 mg after four weeks.\n\n\
             Use in pregnancy is not recommended. This recommendation was agreed in March 2023.",
        ),
        source(
            "registry",
            "A registry of velostat users",
            "2024-01",
            "The registry followed 8,310 patients from 2021 to 2023. Velostat may lower the risk of stroke, but the \
             number of strokes was limited. Dry cough occurred in 11% of patients on velostat.",
        ),
    ]
}

pub(crate) fn harbour() -> Vec<Source> {
    vec![
        source(
            "report",
            "Engineer's report on the northern basin",
            "2018-05",
            "The northern basin is 7 metres deep. Dredging the northern basin would cost 40 million euros and take \
             fourteen months.\n\n\
             The quay wall was built in 1961 and repaired in 1998. It carries 2000 containers a day.",
        ),
        source(
            "study",
            "Traffic study",
            "2022",
            "Container traffic in the harbour rose by 12% between 2015 and 2021. The study counted 3,400 vessels. \
             Dredging the northern basin would cost 65 million euros at current prices.",
        ),
        source(
            "council",
            "Minutes of the harbour council",
            "2023-02-20",
            "On 20 February 2023 the council approved the expansion of the southern basin. Fishermen opposed the \
             expansion of the southern basin.\n\n\
             Noise at night was discussed without result.",
        ),
    ]
}
