//! The mark on an event's envelope: whatever carries somebody's words or values is sensitive.

use crate::support::*;
use adjutant_mission::*;

/// Stands for personal content, wherever it comes from.
const MARK: &str = "marker-4411";

fn typed(verdict: Verdict) -> Decision {
    Decision {
        note: MARK.into(),
        ..Decision::new(verdict)
    }
}

/// A mission in which every text and value that comes from outside contains the mark: input, question, tool result,
/// failure, gate's reason, information, reasons of commands, notes.
fn told() -> Vec<Recorded> {
    let mut plan = Plan::new(
        "marked",
        vec![
            tool("a", "pure", &[]),
            tool("b", "pure", &["a"]),
            gate("g", "a", &["b"]),
            question("h", &["g"], |human| human.question = MARK.into()),
            tool("c", "pure", &["h"]),
        ],
    );
    plan.inputs = Some(json(&format!(r#"{{"patient":"{MARK}"}}"#)));
    let mut world = World::open(plan, Vec::new());
    world.answer(0, typed(Verdict::Approve)).unwrap();
    world.finish("a", done(&format!(r#""{MARK}""#)));
    let failure = Failure {
        kind: FailureKind::Permanent,
        message: MARK.into(),
    };
    let usage = Usage::NONE;
    world.finish("b", Outcome::Failed { failure, usage });
    world.choose(1, "retry").unwrap();
    world.finish("b", done(&format!(r#"{{"text":"{MARK}"}}"#)));
    let judged = Outcome::Judged {
        verdict: GateVerdict::Valid,
        reason: MARK.into(),
        usage,
    };
    world.finish("g", judged);
    let inform = Command::Inform {
        topic: MARK.into(),
        trust: Trust::Untrusted,
        body: json(&format!(r#""{MARK}""#)),
    };
    world.command(bob(), inform).unwrap();
    world.answer(2, typed(Verdict::Approve)).unwrap();
    let reason = String::from(MARK);
    world.command(ann(), Command::Pause { reason }).unwrap();
    world.command(ann(), Command::Resume).unwrap();
    let (reason, undo) = (MARK.into(), false);
    world
        .command(ann(), Command::Abort { reason, undo })
        .unwrap();
    world.journal
}

fn names(journal: &[Recorded], carries: impl Fn(&Recorded) -> bool) -> Vec<&'static str> {
    let chosen = journal.iter().filter(|recorded| carries(recorded));
    let mut names: Vec<&str> = chosen.map(|recorded| recorded.event.name()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn is_marked(recorded: &Recorded) -> bool {
    String::from_utf8(recorded.encode().unwrap())
        .unwrap()
        .contains(MARK)
}

#[test]
fn what_is_typed_and_what_tools_return_is_sensitive() {
    let journal = told();
    let carrying = names(&journal, is_marked);
    for name in [
        "mission_opened/1",
        "checkpoint_decided/1",
        "task_completed/1",
        "attempt_failed/1",
        "gate_judged/1",
        "informed/1",
        "checkpoint_opened/1",
        "mission_paused/1",
        "stop_requested/1",
        "mission_ended/1",
    ] {
        assert!(
            carrying.contains(&name),
            "{name} is not tried: {carrying:?}"
        );
    }
    let open = names(&journal, |recorded| {
        is_marked(recorded) && recorded.zone == Zone::Platform
    });
    assert_eq!(open, Vec::<&str>::new(), "not marked as sensitive");
    let platform = names(&journal, |recorded| recorded.zone == Zone::Platform);
    assert!(platform.contains(&"task_started/1"), "{platform:?}");
}

#[test]
fn a_fork_marks_what_its_origin_did_not() {
    let mut world = World::started(Plan::new("old", vec![tool("a", "pure", &[])]));
    for recorded in &mut world.journal {
        recorded.zone = Zone::Platform;
    }
    let fork = world
        .fork(world.mark(), Timestamp(5_000), Vec::new())
        .unwrap();
    assert_eq!(fork.journal[0].zone, Zone::Sensitive);
}
