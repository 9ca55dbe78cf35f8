//! A changed store is noticed.

use insta::assert_snapshot;

use crate::support::{Place, SUM};

fn tampered(statement: &str) -> String {
    let place = Place::new();
    place.write("plan.yaml", SUM);
    assert_eq!(place.run(&["run", "plan.yaml", "--yes"]).code, 0);
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE;
    let database =
        rusqlite::Connection::open_with_flags(place.home().join("adjutant.db"), flags).unwrap();
    assert!(database.execute(statement, []).unwrap() > 0, "{statement}");
    drop(database);
    let ran = place.run(&["verify", "--all"]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    let show = place.run(&["events", "last"]);
    ran.told(&place) + &show.told(&place)
}

#[test]
fn an_altered_event() {
    assert_snapshot!(tampered(
        "UPDATE events SET bytes = CAST(substr(bytes, 1, length(bytes) - 1) || x'00' AS BLOB) WHERE seq = 1"
    ));
}

#[test]
fn a_missing_event() {
    assert_snapshot!(tampered("DELETE FROM events WHERE seq = 3"));
}

#[test]
fn a_list_that_lies() {
    let told = tampered("UPDATE missions SET used_money = 5");
    assert!(told.contains("ADJ-3110"), "{told}");
}
