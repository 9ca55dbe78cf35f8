//! Keys, signatures, exports, erasing, pruning and backups, as a person uses them.

use crate::support::{Place, SUM};

fn done(place: &Place, arguments: &[&str]) -> String {
    let ran = place.run(arguments);
    assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.out, ran.err);
    ran.out
}

/// Runs what must be refused, and gives the code it was refused with.
fn refused(place: &Place, arguments: &[&str], with: &str) {
    let ran = place.run(arguments);
    assert_ne!(ran.code, 0, "{arguments:?}: {}", ran.out);
    assert!(ran.err.contains(with), "{arguments:?}: {}", ran.err);
}

fn place() -> Place {
    let place = Place::new();
    place.write("plan.yaml", SUM);
    let run = ["run", "plan.yaml", "--yes", "--subject", "anna@example.org"];
    done(&place, &run);
    place
}

fn move_key(place: &Place, from: &str, to: &str) {
    let home = place.home();
    std::fs::rename(home.join(from), home.join(to)).unwrap();
}

#[test]
fn an_export_is_verified_and_read_elsewhere() {
    let ours = place();
    done(&ours, &["export", "last", "-o", "a.adj", "--key", "a.key"]);
    refused(&ours, &["export", "last", "-o", "a.adj"], "ADJ-6052");
    let theirs = Place::new();
    for name in ["a.adj", "a.key"] {
        theirs.write(name, std::fs::read(ours.path().join(name)).unwrap());
    }
    let told = done(&theirs, &["verify", "--file", "a.adj"]);
    assert!(
        told.contains("Not proved: the content of 1 mission"),
        "{told}"
    );
    let other = format!("@1:{}", "0".repeat(64));
    let misplaced = ["verify", "--file", "a.adj", "--head", &other];
    refused(&theirs, &misplaced, "ADJ-6034");
    theirs.write("wrong.key", "5e".repeat(32));
    let wrong = ["verify", "--file", "a.adj", "--key", "wrong.key"];
    refused(&theirs, &wrong, "ADJ-4014");
    done(&theirs, &["import", "a.adj", "--key", "a.key"]);
    assert!(done(&theirs, &["list"]).contains("A small sum (imported)"));
    assert!(done(&theirs, &["show", "last"]).contains("A small sum"));
    refused(&theirs, &["import", "a.adj", "--key", "a.key"], "ADJ-4023");
}

#[test]
fn what_is_erased_stays_listed_and_verifies() {
    let place = place();
    let preview = done(&place, &["erase", "--subject", "Anna@example.org"]);
    assert!(preview.contains("A small sum"), "{preview}");
    assert!(done(&place, &["list"]).contains("A small sum"), "only told");
    done(&place, &["erase", "--subject", "Anna@example.org", "--yes"]);
    assert!(done(&place, &["list"]).contains("(erased)"));
    assert!(done(&place, &["verify", "--all"]).contains("content erased, signed"));
    assert!(done(&place, &["events", "last"]).contains("task_completed"));
    refused(&place, &["show", "last"], "ADJ-4005");
    done(&place, &["prune", "--days", "0"]);
    assert!(done(&place, &["list"]).contains("(erased)"), "only counted");
    done(&place, &["prune", "--days", "0", "--yes"]);
    assert!(done(&place, &["verify", "--all"]).contains("pruned, as signed for"));
}

#[test]
fn erasing_somebody_takes_their_triggers_too() {
    let place = place();
    for who in ["anna@example.org", "bert@example.org"] {
        let add = ["trigger", "add", "plan.yaml", "--cron", "@daily"];
        done(
            &place,
            &[&add[..], &["--subject", who, "--name", who]].concat(),
        );
    }
    let preview = done(&place, &["erase", "--subject", "Anna@example.org"]);
    assert!(preview.contains("trigger anna@example.org"), "{preview}");
    let erased = done(&place, &["erase", "--subject", "Anna@example.org", "--yes"]);
    assert!(erased.contains("and 1 trigger erased"), "{erased}");
    let left = done(&place, &["trigger", "list", "--all"]);
    assert!(!left.contains("anna"), "{left}");
    assert!(left.contains("bert"), "{left}");
}

#[test]
fn a_backup_needs_its_own_master_key_and_every_former_one_is_kept() {
    let place = place();
    done(&place, &["backup", "monday.adj"]);
    let first = std::fs::read(place.home().join("master.key")).unwrap();
    for _ in 0..2 {
        done(&place, &["keys", "rotate"]);
    }
    done(&place, &["keys", "rotate", "--tenant"]);
    assert!(done(&place, &["verify", "--all"]).contains("whole, signed"));
    let home = std::fs::read_dir(place.home()).unwrap();
    let kept = home.map(|entry| std::fs::read(entry.unwrap().path()));
    let kept = kept.filter(|kept| kept.as_ref().is_ok_and(|kept| *kept == first));
    assert_eq!(kept.count(), 1, "the key that the backup needs");

    let elsewhere = Place::new();
    let backup = std::fs::read(place.path().join("monday.adj")).unwrap();
    elsewhere.write("monday.adj", &backup);
    refused(&elsewhere, &["restore", "monday.adj"], "ADJ-4011");
    assert!(!elsewhere.home().join("master.key").exists());
    std::fs::create_dir_all(elsewhere.home()).unwrap();
    for key in ["master.key", "signing.key"] {
        std::fs::copy(place.home().join(key), elsewhere.home().join(key)).unwrap();
    }
    refused(&elsewhere, &["restore", "monday.adj"], "ADJ-4002");
    std::fs::write(elsewhere.home().join("master.key"), &first).unwrap();
    done(&elsewhere, &["restore", "monday.adj"]);
    assert!(done(&elsewhere, &["verify", "--all"]).contains("whole, signed"));
    refused(&elsewhere, &["restore", "monday.adj"], "ADJ-4024");
    elsewhere.write("cut.adj", &backup[..backup.len() / 2]);
    let cut = elsewhere.run(&["verify", "--file", "cut.adj"]);
    assert_eq!(cut.code, 1, "{}", cut.err);
    assert!(cut.out.contains("ADJ-4022"), "{}", cut.out);
}

#[test]
fn a_store_whose_maker_was_killed_before_it_had_a_key_is_an_empty_one() {
    let place = Place::new();
    let up = place.start(&["up"]);
    up.until("Up.");
    up.kill();
    std::fs::remove_file(place.home().join("master.key")).unwrap();
    assert!(done(&place, &["list"]).contains("No missions yet"));
    place.write("plan.yaml", SUM);
    done(&place, &["run", "plan.yaml", "--yes"]);
}

#[test]
fn a_store_has_one_master_key_and_it_is_never_replaced() {
    let place = place();
    move_key(&place, "master.key", "apart");
    for arguments in [&["list"][..], &["run", "plan.yaml", "--yes"]] {
        refused(&place, arguments, "ADJ-4011");
        assert!(!place.home().join("master.key").exists());
    }
    let other = self::place();
    std::fs::copy(
        other.home().join("master.key"),
        place.home().join("master.key"),
    )
    .unwrap();
    let mut stranger = place.command(&["run", "plan.yaml", "--yes"]);
    let ran = stranger.env("ADJUTANT_TENANT", "globex").output().unwrap();
    let told = String::from_utf8(ran.stderr).unwrap();
    assert!(told.contains("ADJ-4002"), "also for a new tenant: {told}");
    move_key(&place, "apart", "master.key");
    assert!(done(&place, &["list"]).contains("A small sum"));
}

#[test]
fn a_tenant_without_room_opens_no_more_missions() {
    let place = place();
    place.set("[keeping.tenants.local]\nquota_mb = 0\n");
    refused(&place, &["run", "plan.yaml", "--yes"], "ADJ-5006");
    place.set("[keeping]\nquota_mb = 1\n");
    done(&place, &["run", "plan.yaml", "--yes"]);
}

#[test]
fn a_running_host_does_the_upkeep() {
    let place = place();
    let host = place.start(&["up"]);
    host.until("Up.");
    let signed = done(&place, &["sign", "--json"]);
    let head: serde_json::Value = serde_json::from_str(&signed).unwrap();
    let head = head["head"].as_str().unwrap();
    done(&place, &["erase", "last", "--yes"]);
    let kept = done(&place, &["verify", "--all", "--head", head]);
    assert!(
        kept.contains("the journal still contains your head"),
        "{kept}"
    );
    refused(&place, &["keys", "rotate"], "ADJ-3001");
    host.signal("-TERM");
    assert_eq!(host.end().0, Some(0));
}
