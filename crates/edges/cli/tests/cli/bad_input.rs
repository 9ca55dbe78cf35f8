//! Whatever is wrong, the answer is a code, a place and a remedy.

use insta::assert_snapshot;

use crate::support::Place;

fn check(text: impl AsRef<[u8]>) -> String {
    let place = Place::new();
    place.write("plan.yaml", text);
    place.run(&["plan", "check", "plan.yaml"]).told(&place)
}

#[test]
fn broken_yaml() {
    assert_snapshot!(check("title: Note: this\ntasks: []\n"));
}

#[test]
fn a_cycle() {
    assert_snapshot!(check(
        "title: T\ntasks:\n  - {id: a, after: b, tool: noop}\n  - {id: b, after: a, tool: noop}\n"
    ));
}

#[test]
fn an_unknown_tool_and_wrong_types() {
    assert_snapshot!(check(
        "title: T\nconcurrency: many\ntasks:\n  - id: a\n    tool: clac\n  - id: b\n    tool: sleep\n    with: {seconds: soon}\n"
    ));
}

#[test]
fn binary_junk() {
    assert_snapshot!(check(b"\x7fELF\x02\x01\x01\x00\xff\xfe"));
}

#[test]
fn a_file_that_is_too_large_is_not_even_read() {
    let place = Place::new();
    let file = std::fs::File::create(place.path().join("plan.yaml")).unwrap();
    file.set_len(50_000_000).unwrap();
    assert_snapshot!(place.run(&["run", "plan.yaml"]).told(&place));
}

#[test]
fn a_folder_and_a_missing_file() {
    let place = Place::new();
    let (folder, missing) = (
        place.run(&["run", "."]),
        place.run(&["run", "nowhere.yaml"]),
    );
    assert_snapshot!(folder.told(&place) + &missing.told(&place));
}

#[test]
fn problems_as_json() {
    let place = Place::new();
    place.write("plan.yaml", "title: T\ntasks: [{id: a, tool: clac}]\n");
    let ran = place.run(&["plan", "check", "plan.yaml", "--json"]);
    assert_snapshot!(ran.told(&place));
    let ran = place.run(&["run", "nowhere.yaml", "--json"]);
    assert_snapshot!(ran.told(&place));
}

#[test]
fn settings_with_a_mistake() {
    let place = Place::new();
    place.set("[me]\nid = \"anna\"\n\n[tools.run_command]\nprogramms = []\n");
    assert_snapshot!(place.run(&["list"]).told(&place));
}

#[test]
fn a_wrong_command_line() {
    let place = Place::new();
    let ran = place.run(&["lsit"]);
    assert_snapshot!(ran.told(&place) + &place.run(&["decide"]).told(&place));
}

#[test]
fn ids_that_fit_nothing() {
    let place = Place::new();
    let before = place.run(&["show", "k3f9qz"]);
    place.write("plan.yaml", crate::support::SUM);
    assert_eq!(place.run(&["run", "plan.yaml", "--yes"]).code, 0);
    let unknown = place.run(&["show", "zzzzzz"]);
    let malformed = place.run(&["show", "what?"]);
    let question = place.run(&["decide", "last", "approve"]);
    let all = [before, unknown, malformed, question]
        .map(|ran| ran.told(&place))
        .concat();
    assert_snapshot!(all);
}

#[test]
fn a_data_folder_that_cannot_be_written() {
    let place = Place::new();
    place.write("home", "not a folder");
    place.write("plan.yaml", crate::support::SUM);
    assert_snapshot!(place.run(&["run", "plan.yaml", "--yes"]).told(&place));
}

#[test]
fn inputs_that_the_plan_does_not_have() {
    let place = Place::new();
    place.write("plan.yaml", crate::support::SUM);
    let unknown = place.run(&["run", "plan.yaml", "--yes", "--input", "c=1"]);
    let formless = place.run(&["run", "plan.yaml", "--yes", "--input", "c"]);
    assert_snapshot!(unknown.told(&place) + &formless.told(&place));
}
