//! How well missions go, and what people say of them, at a terminal.

use serde_json::Value;

use crate::remote::{Afar, serve};
use crate::support::{Place, SUM};

fn done(place: &Place, arguments: &[&str]) -> String {
    let ran = place.run(arguments);
    assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.out, ran.err);
    ran.out
}

fn refused(place: &Place, arguments: &[&str], code: &str) {
    let ran = place.run(arguments);
    assert_eq!(ran.code, 2, "{arguments:?}: {}{}", ran.out, ran.err);
    assert!(ran.err.contains(code), "{arguments:?}: {}", ran.err);
}

fn figure(told: &str, measure: &str) -> Value {
    let told: Value = serde_json::from_str(told).unwrap();
    let mut figures = told["all"]["figures"].as_array().unwrap().iter();
    let found = figures.find(|figure| figure["measure"] == measure);
    found.unwrap().clone()
}

#[test]
fn where_nothing_has_ended_nothing_is_claimed() {
    let place = Place::new();
    for more in [&[][..], &["--by", "tenant"], &["--since", "30d"]] {
        let told = done(&place, &[&["stats"], more].concat());
        assert!(told.contains("0 missions ended"), "{told}");
        assert!(told.contains("No mission has ended"), "{told}");
    }
    refused(&place, &["stats", "--by", "planet"], "ADJ-6201");
    refused(&place, &["stats", "--since", "2999-01-01"], "ADJ-6201");
    refused(&place, &["stats", "--since", "soon"], "ADJ-6201");
    refused(&place, &["stats", "--report", "figures.exe"], "ADJ-6148");
    assert!(!place.path().join("figures.exe").exists());
}

#[test]
fn a_mission_is_counted_rated_and_reported() {
    let place = Place::new();
    place.write("plan.yaml", SUM);
    done(&place, &["run", "plan.yaml", "--yes"]);
    let told = done(&place, &["stats"]);
    for part in [
        "1 mission ended",
        "Missions completed",
        "100 %",
        "> 95 %",
        "too few",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    for (by, row) in [
        ("type", "plan files"),
        ("agent", "no agent"),
        ("tenant", "local"),
        ("week", "-W"),
    ] {
        let told = done(&place, &["stats", "--by", by]);
        assert!(told.contains(row), "{by}: {told}");
    }
    refused(&place, &["rate", "last", "6"], "ADJ-6116");
    refused(&place, &["rate", "last", "4", "--task", "sum"], "ADJ-6202");
    refused(&place, &["rate", "last", "4", "--useful", "9"], "ADJ-6202");
    refused(&place, &["rate", "nobody", "4"], "ADJ-6021");
    done(&place, &["rate", "last", "2"]);
    let rated = done(&place, &["rate", "last", "4", "Clear, and short"]);
    assert!(rated.contains("4 of 5 “Clear, and short”"), "{rated}");
    assert!(done(&place, &["rate", "last"]).contains("Clear, and short"));
    let satisfaction = figure(&done(&place, &["stats", "--json"]), "satisfaction");
    assert_eq!(
        (&satisfaction["value"], &satisfaction["cases"]),
        (&4.0.into(), &1.into())
    );
    // A share is of a conclusion, and this mission has none.
    refused(&place, &["rate", "last", "1.0"], "ADJ-6117");
    done(&place, &["stats", "--report", "figures.html"]);
    let report = std::fs::read_to_string(place.path().join("figures.html")).unwrap();
    assert!(report.contains("Figures and targets"));
    done(&place, &["stats", "--report", "figures.pdf"]);
    let pdf = std::fs::read(place.path().join("figures.pdf")).unwrap();
    assert!(pdf.starts_with(b"%PDF"));
    assert!(done(&place, &["verify", "--all"]).contains("whole"));
}

#[test]
fn figures_and_ratings_are_the_same_from_afar() {
    let place = Place::new();
    place.write("plan.yaml", SUM);
    done(&place, &["run", "plan.yaml", "--yes"]);
    let (running, address) = serve(&place, "127.0.0.1:0");
    let afar = Afar::new(&address);
    let rated = afar.good(&["rate", "last", "4", "Clear, and short"]);
    assert!(rated.contains("4 of 5 “Clear, and short”"), "{rated}");
    let again = afar.run(&["rate", "last", "3"]);
    assert!(again.err.contains("replaces"), "{}", again.err);
    for seen in [
        &["stats"][..],
        &["stats", "--since", "30d"],
        &["stats", "--by", "type"],
        &["stats", "--by", "week"],
        &["rate", "last"],
        &["rate", "last", "--json"],
    ] {
        afar.assert_same(&place, seen);
    }
    let told = afar.good(&["stats", "--by", "agent", "--json"]);
    assert_eq!(figure(&told, "satisfaction")["value"], 3.0);
    afar.good(&["stats", "--report", "figures.html"]);
    let report = std::fs::read_to_string(afar.place.path().join("figures.html")).unwrap();
    assert!(report.contains("Figures and targets"));
    for (arguments, code) in [
        (&["rate"][..], "ADJ-6145"),
        (&["rate", "last", "right"], "ADJ-6145"),
        (&["rate", "last", "4", "--task", "sum"], "ADJ-6202"),
        (&["rate", "last", "4", "--useful", "9"], "ADJ-6202"),
        (&["stats", "--by", "moon"], "ADJ-6201"),
        (&["stats", "--since", "never"], "ADJ-6201"),
    ] {
        let ran = afar.run(arguments);
        assert_ne!(ran.code, 0, "{arguments:?}: {}", ran.out);
        assert!(ran.err.contains(code), "{arguments:?}: {}", ran.err);
    }
    afar.assert_untouched();
    running.kill();
}

#[test]
fn the_final_approval_takes_a_rating_along_and_no_other_answer_does() {
    let place = Place::new();
    place.write("plan.yaml", SUM);
    assert_eq!(place.run(&["run", "plan.yaml"]).code, 3);
    refused(
        &place,
        &["decide", "last", "approve", "--rating", "5"],
        "ADJ-6202",
    );
    refused(
        &place,
        &["decide", "last", "approve", "--rating", "9"],
        "ADJ-6202",
    );
    let up = place.start(&["up"]);
    up.until("waiting for you");
    refused(&place, &["rate", "last", "5"], "ADJ-6203");
    done(&place, &["decide", "last", "approve"]);
    up.until("waiting for you");
    refused(
        &place,
        &["decide", "last", "reject", "--rating", "5"],
        "ADJ-6202",
    );
    let told = done(&place, &["decide", "last", "approve", "--rating", "5"]);
    assert!(told.contains("5 of 5"), "{told}");
    drop(up);
    let satisfaction = figure(&done(&place, &["stats", "--json"]), "satisfaction");
    assert_eq!(satisfaction["value"], 5.0);
}
