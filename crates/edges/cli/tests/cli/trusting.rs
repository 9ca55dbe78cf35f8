//! A settings file in the current folder counts only once the user trusts it: it can start programs.

use crate::support::Place;

const EVIL: &str = "[mcp.evil]\ncommand = [\"sh\", \"-c\", \"touch started\"]\n";
const PLAN: &str = "title: Nothing\ntasks: [{id: a, tool: noop, with: {value: 1}}]\n";

fn has_started(place: &Place) -> bool {
    place.path().join("started").exists() || place.home().join("started").exists()
}

#[test]
fn a_strangers_folder_starts_nothing_until_it_is_trusted() {
    let place = Place::new();
    place.write("adjutant.toml", EVIL);
    place.write("plan.yaml", PLAN);
    let attempts: [&[&str]; 4] = [
        &["plan", "check", "plan.yaml"],
        &["list"],
        &["run", "plan.yaml", "--yes"],
        &["tools", "list"],
    ];
    for attempt in attempts {
        let ran = place.run(attempt);
        assert_eq!(ran.code, 2, "{attempt:?}: {}", ran.err);
        assert!(ran.err.contains("ADJ-6151"), "{attempt:?}: {}", ran.err);
        assert!(ran.err.contains("adjutant trust"), "{}", ran.err);
    }
    assert!(!place.run(&["doctor"]).out.contains("evil"));
    assert!(!has_started(&place));

    let trusted = place.run(&["trust"]);
    assert_eq!(trusted.code, 0, "{}", trusted.err);
    assert!(trusted.out.contains("mcp.evil.command"), "{}", trusted.out);
    place.run(&["tools", "list"]);
    assert!(has_started(&place), "the user wants it");

    place.write("adjutant.toml", format!("{EVIL}timeout_seconds = 5\n"));
    let changed = place.run(&["list"]);
    assert_eq!(changed.code, 2);
    assert!(changed.err.contains("has changed"), "{}", changed.err);
    assert_eq!(place.run(&["trust"]).code, 0);
    assert_eq!(place.run(&["list"]).code, 0);
    assert_eq!(place.run(&["trust", "--undo"]).code, 0);
    assert!(place.run(&["list"]).err.contains("ADJ-6151"));
}

/// A file that only loosens rules would replace the user's own.
#[test]
fn no_file_of_a_folder_replaces_the_users_settings_unasked() {
    let place = Place::new();
    place.set("[tools]\ndeny = ['noop']\n");
    place.write("plan.yaml", PLAN);
    let denied = place.run(&["plan", "check", "plan.yaml"]);
    assert_ne!(denied.code, 0, "{}", denied.out);
    place.write("adjutant.toml", "# nothing at all\n");
    let ran = place.run(&["run", "plan.yaml", "--yes"]);
    assert!(ran.err.contains("ADJ-6151"), "{}", ran.err);
}

#[test]
fn the_file_of_the_data_folder_needs_no_trust_wherever_one_stands() {
    let place = Place::new();
    place.set("[host]\ndrain_seconds = 1\n");
    assert_eq!(place.run(&["list"]).code, 0);
    let mut inside = place.command(&["list"]);
    let ran = inside.current_dir(place.home()).output().unwrap();
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let nothing = place.run(&["trust"]);
    assert!(nothing.err.contains("ADJ-6152"), "{}", nothing.err);
}
