//! Verbs against a server, of all that is no single mission: what stands beside missions, and missions beside one
//! another.

use serde_json::Value;

use crate::remote::{Afar, START, approve_all, serve, world};
use crate::support::Ran;

fn refused(ran: &Ran, parts: &[&str]) {
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    for part in parts {
        assert!(ran.err.contains(part), "no {part} in: {}", ran.err);
    }
}

/// A mission that has come to its first question.
fn asking(afar: &Afar) -> String {
    let mission = afar.good(&START).trim().to_owned();
    // Another process asks, and says so here first.
    for _ in 0..600 {
        if !afar.good(&["inbox", "--json"]).is_empty() {
            return mission;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("{mission} asks nothing");
}

#[test]
fn stops_budgets_and_triggers_are_set_from_afar() {
    let world = world();
    let near = &world.place;
    let (running, address) = serve(near, "127.0.0.1:0");
    let afar = Afar::new(&address);

    let mission = asking(&afar);
    afar.assert_same(near, &["stops"]);
    let stopped = afar.good(&["stop", "provider", "acme", "--reason", "too dear"]);
    assert!(stopped.contains("Stopped"), "{stopped}");
    afar.good(&["stop", "tool", "L5-PS"]);
    afar.assert_same(near, &["stops"]);
    assert!(afar.good(&["stop"]).contains("too dear"));
    afar.assert_same(near, &["list"]);
    afar.good(&["allow", "tool", "L5-PS"]);
    afar.good(&["allow", "provider", "acme"]);
    assert!(afar.good(&["stops"]).contains("Nothing is stopped."));
    refused(
        &afar.run(&["allow", "provider", "acme"]),
        &["ADJ-5023", "`adjutant stops`"],
    );
    refused(
        &afar.run(&["stop", "tool", "nonsense"]),
        &["ADJ-9022", "`adjutant tools list`"],
    );

    afar.good(&["budget", "set", "--hard", "money=5", "--soft", "calls=100"]);
    // What is not named stays.
    afar.good(&["budget", "set", "--soft", "money=2"]);
    let budget = afar.good(&["budget", "show", "--json"]);
    let budget: Value = serde_json::from_str(budget.lines().next().unwrap()).unwrap();
    assert_eq!(budget["caps"]["hard"]["money"], 5_000_000, "{budget}");
    assert_eq!(budget["caps"]["soft"]["calls"], 100, "{budget}");
    for seen in [&["budget", "show"][..], &["budget", "show", "--json"]] {
        afar.assert_same(near, seen);
    }

    let add = [
        "trigger",
        "add",
        "--inform",
        &mission,
        "--topic",
        "paper.new",
        "--body",
        "{\"n\": 1}",
        "--cron",
        "0 9 * * MON-FRI",
        "--zone",
        "Europe/Berlin",
        "--repeat",
        "3",
        "--cancel-on",
        "paper.*",
        "--json",
    ];
    let added: Value = serde_json::from_str(&afar.good(&add)).unwrap();
    let id = added["trigger"].as_str().unwrap();
    for seen in [&["trigger", "list"][..], &["trigger", "show", id]] {
        afar.assert_same(near, seen);
    }
    assert!(
        afar.good(&["trigger", "show", &id[id.len() - 6..]])
            .contains("paper.*")
    );
    afar.good(&["trigger", "cancel", id]);
    afar.assert_same(near, &["trigger", "list"]);
    afar.assert_same(near, &["trigger", "list", "--all"]);
    refused(
        &afar.run(&["trigger", "add", "x.yaml", "--at", "2099-01-01T09:00"]),
        &["ADJ-6145"],
    );
    afar.assert_untouched();
    running.kill();
}

#[test]
fn tools_and_documents_are_looked_at_from_afar() {
    let world = world();
    let near = &world.place;
    let (running, address) = serve(near, "127.0.0.1:0");
    let afar = Afar::new(&address);
    for seen in [
        &["tools", "list"][..],
        &["tools", "list", "--json"],
        &["tools", "show", "L5-PS"],
        &["kb", "list", "house"],
        &["kb", "list", "house", "--json"],
        &["kb", "search", "systolic pressure", "--namespace", "house"],
        &["kb", "search", "systolic pressure", "-n", "house", "--json"],
        &["kb", "search", "zzzz & ü?", "-n", "house"],
    ] {
        afar.assert_same(near, seen);
    }
    // But for its folders, which are the server's.
    let (far, near) = (afar.good(&["kb", "list"]), near.run(&["kb", "list"]).out);
    assert!(near.starts_with(far.trim_end()), "{far}{near}");
    // There is only one, so it need not be named.
    assert!(
        afar.good(&["kb", "search", "systolic pressure"])
            .contains("kb:house/")
    );
    refused(&afar.run(&["tools", "show", "nonsense"]), &["ADJ-6080"]);
    refused(
        &afar.run(&["kb", "list", "nowhere"]),
        &["`adjutant kb list`"],
    );
    afar.assert_untouched();
    running.kill();
}

#[test]
fn missions_are_informed_forked_compared_and_exported_from_afar() {
    let world = world();
    let near = &world.place;
    let (running, address) = serve(near, "127.0.0.1:0");
    let afar = Afar::new(&address);
    let first = asking(&afar);
    assert!(
        afar.good(&["inform", &first, "paper.new", "{\"n\": 1}"])
            .contains("Told.")
    );
    let unfit = afar.run(&["fork", &first, "--set", "colour=red"]);
    refused(&unfit, &["ADJ-3068"]);
    let forked = afar.good(&["fork", &first, "--set", "decision=reject", "--json"]);
    let forked: Value = serde_json::from_str(&forked).unwrap();
    let second = forked["fork"].as_str().unwrap().to_owned();
    assert!(forked["at"].as_u64().unwrap() > 0, "{forked}");
    approve_all(&afar, &first);
    for seen in [
        &["compare", &first, &second][..],
        &["show", &first, "--reasoning"],
        &["show", &first, "--reasoning", "--json"],
        &["show", &first, "--reasoning", "nobody"],
    ] {
        afar.assert_same(near, seen);
    }

    let compare = ["compare", &first, &second, "--json"];
    let [far, near_it] = [afar.good(&compare), near.run(&compare).out]
        .map(|out| serde_json::from_str::<Value>(&out).unwrap());
    assert_eq!(far, near_it);

    // Late, when it has found much: a fork has all of it.
    let passport: Value = serde_json::from_str(&afar.good(&["show", &first, "--json"])).unwrap();
    let events = passport["mission"]["seq"].as_u64().unwrap();
    let late = (1..events).rev().find_map(|at| {
        let ran = afar.run(&["fork", &first, "--at", &at.to_string(), "--json"]);
        (ran.code == 0).then_some(ran.out)
    });
    let late: Value = serde_json::from_str(&late.unwrap()).unwrap();
    let verified = near.run(&["verify", late["fork"].as_str().unwrap()]);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);

    let exported = afar.good(&["export", &first, "-o", "first.adjutant"]);
    assert!(
        exported.contains("1 mission in first.adjutant"),
        "{exported}"
    );
    refused(
        &afar.run(&["export", &first, "-o", "first.adjutant"]),
        &["ADJ-6052"],
    );
    refused(
        &afar.run(&["export", &first, &second, "-o", "x"]),
        &["ADJ-6146"],
    );
    // Anybody can verify it, and no server is asked.
    let verified = afar.run(&["verify", "--file", "first.adjutant"]);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    assert!(verified.out.contains("whole"), "{}", verified.out);
    running.kill();
}
