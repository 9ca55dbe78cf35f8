//! A user's own templates.

use adjutant_catalogue::{BUILT_IN, State, UserFileProblem, load};

use crate::support::{SEARCHES, small};

#[test]
fn a_users_template_takes_the_place_of_a_built_in_one() {
    let mine = BUILT_IN[0].1.replace("version: 1", "version: 7");
    let catalogue = load(Some(&[("mine.yaml", &mine)]));
    assert_eq!(catalogue.problems, []);
    assert_eq!(catalogue.entries.len(), 24);
    let entry = catalogue.entry("deep_dive").unwrap();
    let State::Yours(template, file) = &entry.state else {
        panic!("{:?}", entry.state);
    };
    assert_eq!((template.version, file.as_str()), (7, "mine.yaml"));
    assert_eq!(catalogue.template("go_no_go").unwrap().version, 1);
}

#[test]
fn a_users_template_makes_an_announced_mission_ready_or_adds_one() {
    let critique = small("[]", SEARCHES).replace("id: small\n", "id: critique\n");
    let own = small("[]", SEARCHES);
    let catalogue = load(Some(&[("critique.yaml", &critique), ("own.yaml", &own)]));
    assert_eq!(catalogue.problems, []);
    assert!(catalogue.entry("critique").unwrap().facts.is_some());
    assert!(catalogue.template("critique").is_some());
    assert_eq!(catalogue.entries.len(), 25);
    let own = catalogue.entries.last().unwrap();
    assert_eq!((own.id.as_str(), own.facts), ("small", None));
}

#[test]
fn a_file_that_cannot_be_read_changes_nothing_and_is_reported() {
    let broken = BUILT_IN[0]
        .1
        .replace("category: understand", "category: unerstand");
    let catalogue = load(Some(&[("broken.yaml", &broken)]));
    assert!(matches!(
        catalogue.entry("deep_dive").unwrap().state,
        State::Ready(_)
    ));
    let [problem @ UserFileProblem::Unreadable { file, errors }] = &catalogue.problems[..] else {
        panic!("{:?}", catalogue.problems);
    };
    assert_eq!(file, "broken.yaml");
    assert_eq!(errors.problems[0].place, "category");
    assert!(
        problem
            .to_string()
            .starts_with("broken.yaml: 5:11: ADJ-1106")
    );
}

#[test]
fn the_first_of_two_files_with_one_id_holds() {
    let (first, second) = (small("[]", SEARCHES), small("[]", SEARCHES));
    let second = second.replace("name: Small", "name: Smaller");
    let catalogue = load(Some(&[("a.yaml", &first), ("b.yaml", &second)]));
    assert_eq!(catalogue.entry("small").unwrap().name, "Small");
    assert_eq!(
        catalogue.problems[0].to_string(),
        "b.yaml has the id `small`, which a.yaml has already"
    );
}
