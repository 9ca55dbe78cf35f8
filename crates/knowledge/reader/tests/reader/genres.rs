//! What kind of document a document is, and how much its statements prove.

use adjutant_reader::{Genre, Standing, Strength};

use crate::{documents, reading};

fn genre(name: &str, text: &str) -> Genre {
    let files = documents(&[(name, text)]);
    reading(&files).documents()[0].genre
}

fn titled(title: &str) -> Genre {
    genre("a.md", &format!("# {title}\n\nIt says something.\n"))
}

#[test]
fn a_press_release_stays_one_whatever_it_quotes() {
    let body = "The study report of 3 May shows that the bridge is safe. The audit found no fault.";
    let page = format!("<h1>The bridge is safe</h1><p>{body}</p>");
    assert_eq!(genre("press-release-2026-05-04.html", &page), Genre::Notice);
    let headline = format!("<h1>New study report: the bridge is safe</h1><p>{body}</p>");
    assert_eq!(
        genre("press-release-2026-05-04.html", &headline),
        Genre::Notice,
        "a headline is no title"
    );
    let marked = format!("FOR IMMEDIATE RELEASE\n\nTest report on the bridge\n\n{body}\n");
    assert_eq!(genre("bridge.txt", &marked), Genre::Notice);
    let announced = format!("# Northern Bridges announces results of its study\n\n{body}\n");
    assert_eq!(genre("a.md", &announced), Genre::Notice);
}

#[test]
fn a_text_about_press_releases_is_none() {
    let text = "# Who may speak\n\nOnly the chair speaks to the press.\n";
    assert_eq!(genre("press-release-policy.md", text), Genre::Policy);
    assert_eq!(titled("Memo on the press release of 4 May"), Genre::Memo);
    assert_eq!(titled("Press the red button"), Genre::Unknown);
    assert_eq!(titled("Status of the roof"), Genre::Unknown);
    assert_eq!(titled("Status page of the water works"), Genre::Notice);
}

#[test]
fn minutes_may_discuss_a_contract() {
    let text = "# Minutes of the contract review meeting\n\nArticle 1 of the contract shall be changed. The agreement shall be signed.\n";
    assert_eq!(genre("a.md", text), Genre::Minutes);
    assert_eq!(
        genre("contract/2026-05-04.md", text),
        Genre::Minutes,
        "the title is trusted more than the folder"
    );
    let unnamed = "# The builder\n\n## Attendees\n\nAnna, Ben\n\n## Decisions\n\nThe contract with the builder ends. Each party shall pay its costs.\n";
    assert_eq!(genre("builder.md", unnamed), Genre::Minutes);
}

#[test]
fn minutes_are_known_by_their_sections() {
    let text = "# Monday\n\nPresent: Anna, Ben\n\nApologies: Cara\n\n## Roof\n\nIt leaks.\n";
    assert_eq!(genre("monday.md", text), Genre::Minutes);
    let one = "# Monday\n\n## Decisions\n\nThe roof is mended.\n";
    assert_eq!(
        genre("monday.md", one),
        Genre::Unknown,
        "one head says nothing"
    );
}

#[test]
fn fifteen_minutes_are_a_time() {
    assert_eq!(titled("Back in 15 minutes"), Genre::Unknown);
    assert_eq!(titled("Restart within 15 minutes"), Genre::Unknown);
    assert_eq!(
        genre("ready-in-15-minutes.md", "Turn it off.\n"),
        Genre::Unknown
    );
}

#[test]
fn a_mail_is_a_mail_whatever_its_subject() {
    let mail = "From: anna@example.org\nTo: ben@example.org\nSubject: Minutes of the meeting attached\nDate: Mon, 4 May 2026 10:00:00 +0000\n\nHere they are.\n";
    assert_eq!(genre("minutes/2026-05-04-minutes.eml", mail), Genre::Mail);
    assert_eq!(genre("minutes-attached.txt", mail), Genre::Mail);
    let memo = "MEMO\n\nTo: the board\nFrom: Anna\nSubject: Report on the roof\n\nIt leaks.\n";
    assert_eq!(genre("roof.txt", memo), Genre::Memo);
}

#[test]
fn a_chat_is_no_log() {
    let line = |who: &str| format!("[10:04] {who}: it is down\n");
    let chat = "Export of the day\n".to_owned() + &line("Anna Berg").repeat(6);
    assert_eq!(genre("log.txt", &chat), Genre::Mail);
    let log = line("ERROR").repeat(6);
    assert_eq!(genre("pump-log.txt", &log), Genre::Record);
}

#[test]
fn a_table_is_a_register_or_a_record() {
    let risks = "id,risk,score,changed\nR-1,Flood,12,2026-05-04\nR-2,Fire,6,2026-05-05\n";
    assert_eq!(genre("risk-register-2026-05.csv", risks), Genre::Register);
    assert_eq!(genre("action-tracker.csv", risks), Genre::Register);
    assert_eq!(genre("a.csv", risks), Genre::Record);
    let owned = "id,action,owner,due,status\n1,Mend the roof,Anna,2026-05-04,open\n";
    assert_eq!(genre("a.csv", owned), Genre::Register, "its columns say so");
    let readings = "time,level\n2026-05-04T10:00:00Z,3.2\n2026-05-04T11:00:00Z,3.4\n";
    assert_eq!(genre("levels.csv", readings), Genre::Record);
    assert_eq!(genre("proposals/prices.csv", readings), Genre::Proposal);
    let words = "word,meaning\nroof,what is above\nwall,what is beside\n";
    assert_eq!(
        genre("words.csv", words),
        Genre::Unknown,
        "no numbers, no record"
    );
}

#[test]
fn what_is_planned_was_not_measured() {
    let costs = "quarter,cost\n2027Q1,300\n2027Q2,400\n";
    assert_eq!(genre("cost-forecast-v2.csv", costs), Genre::Unknown);
    assert_eq!(genre("cost-data.csv", costs), Genre::Record);
    let plan = "# Audit plan for next year\n\nWe will look at the roof.\n";
    assert_eq!(genre("reports/audit-2027.md", plan), Genre::Unknown);
    assert_eq!(titled("Test plan for the pump"), Genre::Protocol);
}

#[test]
fn the_last_word_of_a_name_counts() {
    assert_eq!(titled("Backup policy review"), Genre::Report);
    assert_eq!(titled("Review policy"), Genre::Policy);
    assert_eq!(titled("Test report"), Genre::Report);
    assert_eq!(titled("Study protocol, version 2"), Genre::Protocol);
    assert_eq!(titled("Proposal for a new contract"), Genre::Proposal);
    assert_eq!(titled("Data protection act 2018"), Genre::Law);
    assert_eq!(titled("How to act on a fire"), Genre::Unknown);
    assert_eq!(titled("Test the pump every week"), Genre::Unknown);
    assert_eq!(titled("Data centre fire"), Genre::Unknown);
    assert_eq!(titled("Answer to the audit report"), Genre::Unknown);
    assert_eq!(titled("Terms of reference"), Genre::Specification);
}

#[test]
fn a_part_or_a_change_is_of_the_kind_of_the_whole() {
    assert_eq!(titled("Amendment 1 to the lease contract"), Genre::Contract);
    assert_eq!(titled("Annex B to the safety policy"), Genre::Policy);
}

#[test]
fn names_of_files_and_folders_are_read() {
    let text = "# Nights and weekends\n\nSomebody is always awake.\n";
    assert_eq!(genre("on-call-handbook.md", text), Genre::Policy);
    assert_eq!(genre("on_call_handbook_v2.md", text), Genre::Policy);
    assert_eq!(genre("policies/nights.md", text), Genre::Policy);
    assert_eq!(genre("freedom-to-build-memo.md", text), Genre::Memo);
    assert_eq!(genre("data/nights.md", text), Genre::Unknown);
}

#[test]
fn sections_tell_articles_laws_and_contracts() {
    let paper = "# Rain on roofs\n\n## Abstract\n\nIt rains.\n\n## Methods\n\nWe looked.\n\n## Results\n\nWet.\n";
    assert_eq!(genre("a.md", paper), Genre::Article);
    let report = paper.replace("Abstract", "Beginning");
    assert_eq!(genre("a.md", &report), Genre::Report);
    let law = "# On roofs\n\n## Article 1\n\nA roof shall be dry.\n\n## Article 2\n\nIt shall be mended.\n";
    assert_eq!(genre("a.md", law), Genre::Law);
    let contract = law.replace(
        "It shall",
        "The other party shall pay the party that mends; it shall",
    );
    let contract = contract.replace(
        "A roof shall",
        "Each party shall say whether a roof is dry; it shall",
    );
    assert_eq!(genre("a.md", &contract), Genre::Contract);
    let told = law.replace("shall", "will");
    assert_eq!(genre("a.md", &told), Genre::Unknown);
}

#[test]
fn instructions_are_a_policy() {
    let text = "# Restart of the pump\n\n## A1 Before you start\n\n1. Close the valve.\n";
    assert_eq!(genre("pump-v2.md", text), Genre::Policy);
    let test = format!("# Restart test of the pump\n{text}");
    assert_eq!(
        genre("pump.md", &test),
        Genre::Report,
        "the title is trusted more"
    );
}

#[test]
fn nothing_speaks_for_a_genre() {
    let text = "# The roof\n\nThe report, the minutes, the contract and the policy speak of it.\n";
    assert_eq!(genre("roof.md", text), Genre::Unknown);
    assert_eq!(genre("a.txt", "It leaks.\n"), Genre::Unknown);
}

#[test]
fn a_draft_or_replaced_document_proves_less() {
    let text = "It leaks.\n";
    let strengths = |names: &[&str]| -> Vec<Strength> {
        let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, text)).collect();
        let files = documents(&files);
        let read = reading(&files);
        read.documents().iter().map(|of| of.strength()).collect()
    };
    assert_eq!(strengths(&["roof-report.md"]), [Strength::High]);
    assert_eq!(strengths(&["roof-report-draft.md"]), [Strength::Moderate]);
    assert_eq!(
        strengths(&["roof-policy-v1.md", "roof-policy-v2.md"]),
        [Strength::Low, Strength::Moderate]
    );
    assert_eq!(strengths(&["roof-memo.md", "roof.md"]), [Strength::Low; 2]);
    assert_eq!(
        strengths(&["press-release-roof-draft.md", "press-release-door.md"]),
        [Strength::VeryLow; 2]
    );
    let files = documents(&[("roof-report-draft.md", text), ("roof-report.md", text)]);
    let read = reading(&files);
    let draft = &read.documents()[0];
    assert_eq!(draft.standing, Standing::ReplacedBy(1));
    assert_eq!(draft.strength(), Strength::Moderate, "one step, not two");
}
