use super::*;

#[test]
fn the_samples_have_every_fact_and_no_other() {
    let names = |sample: &Value| -> BTreeSet<String> {
        sample.as_object().unwrap().keys().cloned().collect()
    };
    let all: BTreeSet<String> = FACTS.iter().map(|fact| fact.name.to_owned()).collect();
    assert_eq!(names(&full_sample()), all);
    let mut without = all;
    without.remove("budget");
    assert_eq!(names(&empty_sample()), without, "a budget is optional");
}

#[test]
fn the_documentation_lists_every_fact() {
    let docs = include_str!("../../../../docs/supervisors.md");
    for Fact {
        name,
        of_type,
        meaning,
    } in FACTS
    {
        let row = format!("| `mission.{name}` | {of_type} | {meaning} |");
        assert!(docs.contains(&row), "docs/supervisors.md lacks {row}");
    }
}
