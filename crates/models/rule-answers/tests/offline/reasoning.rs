//! The steps of a reasoning on the two dossiers: each role does something else, and goes on from what was thought.

use adjutant_mission::Ppm;
use adjutant_questions::{
    Acted, Concluded, Finding, Input, Output, Purpose, Source, SplitInto, Thinking, Thought,
    Weighed, signs,
};
use serde_json::{Value, json};

use crate::dossiers::{answered, changed, harbour, velostat, without};

fn asked(purpose: Purpose, question: Value) -> Output {
    answered(&Input::read(purpose, question).unwrap())
}

fn think(role: &str, question: &str, sources: &[Source], thoughts: &[Thought]) -> Thinking {
    let question =
        json!({ "question": question, "role": role, "sources": sources, "thoughts": thoughts });
    match asked(Purpose::Think, question) {
        Output::Think(thinking) => thinking,
        other => panic!("{other:?}"),
    }
}

fn conclude(question: &str, sources: &[Source], thoughts: &[Thought]) -> Concluded {
    let question = json!({ "question": question, "sources": sources, "thoughts": thoughts });
    match asked(Purpose::Conclude, question) {
        Output::Conclude(concluded) => concluded,
        other => panic!("{other:?}"),
    }
}

fn weigh(role: &str, question: &str, sources: &[Source], thoughts: &[Thought]) -> Weighed {
    let question =
        json!({ "question": question, "role": role, "sources": sources, "thoughts": thoughts });
    match asked(Purpose::Weigh, question) {
        Output::Weigh(weighed) => weighed,
        other => panic!("{other:?}"),
    }
}

fn split(role: &str, question: &str, sources: &[Source], most: u16) -> SplitInto {
    let question = json!({ "question": question, "role": role, "sources": sources, "most": most });
    match asked(Purpose::Split, question) {
        Output::Split(split) => split,
        other => panic!("{other:?}"),
    }
}

fn act(question: &str, tools: &Value, thoughts: &[Thought]) -> Acted {
    let question = json!({ "question": question, "tools": tools, "thoughts": thoughts });
    match asked(Purpose::Act, question) {
        Output::Act(acted) => acted,
        other => panic!("{other:?}"),
    }
}

fn thought(step: u16, role: &str, thinking: &Thinking) -> Thought {
    Thought {
        step,
        role: role.to_owned(),
        text: thinking.thought.clone(),
        findings: thinking.findings.clone(),
        score: None,
    }
}

fn finding(text: &str, source: &str, quote: &str) -> Finding {
    let value = json!({ "text": text, "kind": "fact", "confidence": 0.7,
        "evidence": [{ "source": source, "quote": quote }] });
    serde_json::from_value(value).unwrap()
}

fn found(step: u16, role: &str, findings: Vec<Finding>) -> Thought {
    Thought {
        step,
        role: role.to_owned(),
        text: "So it is told.".to_owned(),
        findings,
        score: None,
    }
}

fn cites(findings: &[Finding], source: &str) -> bool {
    let mut evidence = findings.iter().flat_map(|at| &at.evidence);
    evidence.any(|at| at.source == source)
}

const LOWERS: &str = "Does velostat lower systolic blood pressure?";
const NINE: &str = "Velostat lowered systolic blood pressure by 9 mmHg.";

#[test]
fn steps_go_on_until_nothing_is_left() {
    let mut thoughts: Vec<Thought> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for step in 0..30 {
        let next = think("step", LOWERS, &velostat(), &thoughts);
        if next.settled {
            assert!(next.findings.is_empty() && step > 0, "{next:?}");
            assert!(cites(&thoughts[0].findings, "north"), "{thoughts:?}");
            return;
        }
        for evidence in next.findings.iter().flat_map(|at| &at.evidence) {
            let new = seen.insert((evidence.source.clone(), evidence.quote.clone()));
            assert!(new, "{evidence:?} was said before");
        }
        thoughts.push(thought(step, "step", &next));
    }
    panic!("it never settles");
}

#[test]
fn a_branch_turns_to_sources_that_nothing_was_cited_from() {
    let first = think(
        "step",
        "What does dredging the northern basin cost?",
        &harbour(),
        &[],
    );
    assert!(cites(&first.findings, "study"), "{first:?}");
    let before = [found(
        0,
        "step",
        vec![finding(
            "Dredging costs 65 million.",
            "study",
            "Dredging the northern basin would cost 65 million euros at current prices.",
        )],
    )];
    let other = think(
        "branch",
        "What does dredging the northern basin cost?",
        &harbour(),
        &before,
    );
    assert!(
        !other.settled && !cites(&other.findings, "study"),
        "{other:?}"
    );
    assert!(cites(&other.findings, "report"), "{other:?}");
}

#[test]
fn an_expansion_stays_with_the_last_thought() {
    let before = [found(
        0,
        "step",
        vec![finding(
            "Dry cough occurred in 4% of patients on velostat.",
            "north",
            "Dry cough occurred in 4% of patients on velostat.",
        )],
    )];
    let deeper = think("expand", LOWERS, &velostat(), &before);
    assert!(deeper.findings[0].text.contains("Dry cough"), "{deeper:?}");
    assert!(
        !deeper
            .findings
            .iter()
            .any(|at| at.text.contains("in 4% of patients on velostat."))
    );
}

#[test]
fn a_critique_names_what_stands_against_and_settles_where_nothing_does() {
    let claim = [found(
        0,
        "step",
        vec![finding(
            NINE,
            "north",
            "Velostat lowered systolic blood pressure by 9 mmHg",
        )],
    )];
    for role in ["critique", "attack", "against"] {
        let critique = think(role, LOWERS, &velostat(), &claim);
        assert!(
            !critique.settled && cites(&critique.findings, "letter"),
            "{role}: {critique:?}"
        );
        let said_already = [claim[0].clone(), thought(1, role, &critique)];
        let again = think(role, LOWERS, &velostat(), &said_already);
        assert!(!cites(&again.findings, "letter"), "{role}: {again:?}");
        let agreed = think(role, LOWERS, &without(&velostat(), "letter"), &claim);
        assert!(agreed.settled, "{role}: {agreed:?}");
    }
    let bare = [found(
        0,
        "step",
        vec![Finding {
            evidence: Vec::new(),
            ..claim[0].findings[0].clone()
        }],
    )];
    let bare = think("critique", LOWERS, &without(&velostat(), "letter"), &bare);
    assert!(
        !bare.settled && bare.thought.contains("Nothing is cited"),
        "{bare:?}"
    );
}

#[test]
fn what_a_newer_source_contradicts_is_dropped_and_what_an_older_one_does_is_weakened() {
    let old = finding(
        "Dredging the northern basin would cost 40 million euros.",
        "report",
        "Dredging the northern basin would cost 40 million euros",
    );
    let new = finding(
        "Dredging the northern basin would cost 65 million euros.",
        "study",
        "Dredging the northern basin would cost 65 million euros",
    );
    let revised = |one: &Finding, critic: &Finding| {
        let thoughts = [
            found(0, "step", vec![one.clone()]),
            found(1, "critique", vec![critic.clone()]),
        ];
        think("revise", "What does dredging cost?", &harbour(), &thoughts)
    };
    let dropped = revised(&old, &new);
    assert!(
        !dropped.settled && !dropped.findings.iter().any(|at| at.text == old.text),
        "{dropped:?}"
    );
    assert!(
        dropped.findings.iter().any(|at| at.text == new.text),
        "{dropped:?}"
    );
    let weakened = revised(&new, &old);
    let kept = weakened
        .findings
        .iter()
        .find(|at| at.text == new.text)
        .unwrap();
    assert!(
        kept.confidence < new.confidence && !weakened.settled,
        "{weakened:?}"
    );
    let untouched = think(
        "defend",
        "What does dredging cost?",
        &harbour(),
        &[found(0, "step", vec![new.clone()])],
    );
    assert!(
        untouched.settled && untouched.findings == [new],
        "{untouched:?}"
    );
}

#[test]
fn the_case_for_it_leaves_out_what_speaks_against() {
    let case = think("for", LOWERS, &velostat(), &[]);
    assert!(cites(&case.findings, "north"), "{case:?}");
    assert!(
        !case
            .findings
            .iter()
            .any(|at| at.text.contains("did not lower")),
        "{case:?}"
    );
}

#[test]
fn a_similar_case_is_of_something_else_and_is_lined_up() {
    let mut sources = velostat();
    sources.push(Source {
        id: "other".to_owned(),
        title: "Carvolin in adults".to_owned(),
        text: "Carvolin lowered systolic blood pressure by 4 mmHg in adults.".to_owned(),
        published: None,
    });
    let question = "By how much does Velostat lower systolic blood pressure?";
    let similar = think("analogue", question, &sources, &[]);
    assert!(
        cites(&similar.findings, "other") && !cites(&similar.findings, "north"),
        "{similar:?}"
    );
    let before = [thought(0, "analogue", &similar)];
    let mapped = think("map", question, &sources, &before);
    assert!(cites(&mapped.findings, "other"), "{mapped:?}");
    assert!(mapped.findings[0].evidence.len() > 1, "{mapped:?}");
    let carried = think("transfer", question, &sources, &before);
    assert!(carried.findings[0].text.contains("Carvolin"), "{carried:?}");
    assert!(think("map", question, &sources, &[]).settled);
}

#[test]
fn thoughts_that_contradict_each_other_are_held_against_each_other() {
    let lowers = finding(
        NINE,
        "north",
        "Velostat lowered systolic blood pressure by 9 mmHg",
    );
    let not = "In our clinic velostat did not lower systolic blood pressure in 23 patients.";
    let not = finding(not, "letter", not);
    let both = [
        found(0, "answer", vec![lowers.clone()]),
        found(1, "answer", vec![not]),
    ];
    let examined = think("examine", LOWERS, &velostat(), &both);
    assert!(
        !examined.settled && examined.findings.len() == 2,
        "{examined:?}"
    );
    let agreed = [found(0, "answer", vec![lowers])];
    assert!(think("examine", LOWERS, &without(&velostat(), "letter"), &agreed).settled);
}

#[test]
fn a_thought_with_quotes_outweighs_one_without_and_one_that_is_contradicted() {
    let quoted = found(
        3,
        "branch",
        vec![finding(
            "Dry cough occurred in 4% of patients on velostat.",
            "north",
            "Dry cough occurred in 4% of patients on velostat.",
        )],
    );
    let bare = Thought {
        step: 5,
        text: "It may be so.".to_owned(),
        ..found(5, "branch", Vec::new())
    };
    for role in ["promise", "simulate", "verdict", "fit", "postcondition"] {
        let thoughts = [bare.clone(), quoted.clone()];
        let weighed = weigh(
            role,
            "Does velostat cause dry cough?",
            &velostat(),
            &thoughts,
        );
        let steps: Vec<u16> = weighed.scores.iter().map(|at| at.step).collect();
        assert_eq!(steps, [5, 3]);
        assert!(
            weighed.scores[0].score < weighed.scores[1].score,
            "{role}: {weighed:?}"
        );
    }
    let claim = [found(
        1,
        "for",
        vec![finding(
            NINE,
            "north",
            "Velostat lowered systolic blood pressure by 9 mmHg",
        )],
    )];
    let score = |sources: &[Source]| weigh("verdict", LOWERS, sources, &claim).scores[0].score;
    let agreed = changed(&velostat(), "letter", "did not lower", "lowered");
    assert!(score(&velostat()) < score(&agreed));
}

#[test]
fn a_question_of_several_is_split_where_it_joins_them() {
    let parts = split("parts", "What does dredging the northern basin cost and how long does it take; who opposed the expansion?", &harbour(), 5).parts;
    assert_eq!(parts.len(), 3, "{parts:?}");
    assert!(
        parts[0].contains("cost") && parts[2].contains("opposed"),
        "{parts:?}"
    );
    assert!(parts.iter().all(|part| part.ends_with('?')), "{parts:?}");
    assert_eq!(
        split("parts", "a1 b2 and c3 d4 and e5 f6", &[], 2)
            .parts
            .len(),
        2
    );
    assert_eq!(split("parts", "", &[], 2).parts.len(), 1);
}

#[test]
fn what_a_question_takes_for_granted_is_asked() {
    let parts = split(
        "assumptions",
        "Why is velostat better in 412 adults?",
        &[],
        5,
    )
    .parts
    .join("\n");
    for wanted in ["Is it so at all", "412 adults", "“better”", "velostat"] {
        assert!(parts.contains(wanted), "{wanted}: {parts}");
    }
    let lessons = split("lessons", LOWERS, &velostat(), 4).parts;
    assert!(
        lessons[0].starts_with("What is ") && lessons.last().unwrap().contains("not known"),
        "{lessons:?}"
    );
}

fn tools() -> Value {
    let schema = json!({ "type": "object", "properties": {
        "query": { "type": "string" }, "limit": { "type": "integer", "minimum": 3 },
        "sort": { "type": "string", "enum": ["relevance", "date"] },
    }, "required": ["query", "sort"] });
    json!([
        { "id": "L5-VIZ", "about": "Draws charts.", "schema": {} },
        { "id": "L5-PS", "about": "Searches the biomedical literature.", "schema": schema },
        { "id": "L5-CT", "about": "Searches registered clinical trials.", "schema": schema },
    ])
}

#[test]
fn the_tool_that_fits_is_called_with_what_its_schema_wants() {
    let acted = act("Which trial of velostat is in phase 3?", &tools(), &[]);
    assert_eq!(acted.tool.as_deref(), Some("L5-CT"), "{acted:?}");
    assert_eq!(
        acted.with,
        json!({ "query": "trial velostat phase 3", "sort": "relevance" })
    );
    let observed = [found(4, "observe", Vec::new())];
    let observed = [Thought {
        text: "L5-CT returned 3 records.".to_owned(),
        ..observed[0].clone()
    }];
    let next = act(
        "Which trial of velostat is in phase 3?",
        &tools(),
        &observed,
    );
    assert_eq!(next.tool.as_deref(), Some("L5-PS"), "{next:?}");
    let known = [found(
        0,
        "step",
        vec![finding(
            "A trial of velostat is in phase 3.",
            "x",
            "A trial of velostat is in phase 3.",
        )],
    )];
    assert_eq!(
        act("Which trial of velostat is in phase 3?", &tools(), &known).tool,
        None
    );
    assert_eq!(act("Which trial?", &json!([]), &[]).tool, None);
}

#[test]
fn a_conclusion_tells_both_sides_and_what_is_open() {
    let question = "What does dredging the northern basin cost, and what of the eels?";
    let concluded = conclude(question, &harbour(), &[]);
    let cost = concluded
        .contradictions
        .iter()
        .find(|at| at.sides.iter().any(|side| side.text.contains("65 million")));
    let cost = cost.unwrap_or_else(|| panic!("{concluded:?}"));
    assert!(
        cost.sides
            .iter()
            .any(|side| side.text.contains("40 million")),
        "{cost:?}"
    );
    assert!(
        concluded.not_found.iter().any(|at| at.contains("eels")),
        "{concluded:?}"
    );
    assert!(
        concluded.summary.contains("contradict"),
        "{}",
        concluded.summary
    );
    let agreed = changed(
        &harbour(),
        "study",
        "65 million euros at current prices",
        "40 million euros",
    );
    assert!(conclude(question, &agreed, &[]).contradictions.is_empty());
}

#[test]
fn a_conclusion_takes_over_what_was_thought_once() {
    let from_afar = finding(
        "Velostat is made in Aalen.",
        "plant",
        "velostat is made in Aalen",
    );
    let again = finding(
        NINE,
        "north",
        "Velostat lowered systolic blood pressure by 9 mmHg compared with placebo.",
    );
    let thoughts = [
        found(0, "observe", vec![from_afar.clone(), again.clone()]),
        found(1, "step", vec![again]),
    ];
    let concluded = conclude(
        "Where is velostat made, and does it lower systolic blood pressure?",
        &velostat(),
        &thoughts,
    );
    assert!(cites(&concluded.findings, "plant"), "{concluded:?}");
    let nine = concluded
        .findings
        .iter()
        .filter(|at| at.text.contains("pressure by 9 mmHg"));
    let texts: std::collections::BTreeSet<&str> = nine.clone().map(|at| at.text.as_str()).collect();
    assert_eq!(nine.count(), texts.len(), "{concluded:?}");
    let input = json!({ "question": LOWERS, "sources": velostat(), "thoughts": thoughts });
    let input = Input::read(Purpose::Conclude, input).unwrap();
    let signs = signs(&answered(&input), &input);
    assert_eq!(signs.rules, Some(Ppm(1_000_000)), "{signs:?}");
    assert!(signs.support.unwrap() > Ppm(600_000), "{signs:?}");
}

#[test]
fn where_there_is_nothing_it_says_so() {
    let concluded = conclude("Is the moon far?", &velostat(), &[]);
    assert_eq!(concluded.findings, []);
    assert!(concluded.summary.contains("nothing"), "{concluded:?}");
    assert!(!concluded.not_found.is_empty());
    assert!(think("step", "Is the moon far?", &velostat(), &[]).settled);
}
