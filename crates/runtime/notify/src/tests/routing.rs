use super::*;

#[test]
fn a_question_reaches_its_role_and_who_serves_everyone() {
    let everyone = channel(Carrier::Terminal);
    let finance = Channel {
        roles: vec![Role::new("legal").unwrap(), Role::new("finance").unwrap()],
        ..channel(Carrier::Terminal)
    };
    let taken = |role: Option<&str>| {
        let about = about(Severity::Medium, role);
        (everyone.takes(&about), finance.takes(&about))
    };
    assert_eq!(taken(Some("finance")), (true, true));
    assert_eq!(taken(Some("editor")), (true, false));
    assert_eq!(taken(None), (true, true), "anybody may answer it");
}

#[test]
fn a_channel_gets_only_what_it_wants() {
    let question = about(Severity::High, None);
    let ending = About::ending(mission(), NOW);
    let taken = |tells| {
        let channel = Channel {
            tells,
            ..channel(Carrier::Terminal)
        };
        (channel.takes(&question), channel.takes(&ending))
    };
    assert_eq!(taken(Tells::Both), (true, true));
    assert_eq!(taken(Tells::Checkpoints), (true, false));
    assert_eq!(taken(Tells::Endings), (false, true));
}

#[test]
fn a_record_says_which_channel_and_notice_it_is_about() {
    let name = ChannelName::new("team").unwrap();
    for subject in [
        about(Severity::High, None).subject,
        Subject::Ending(mission()),
    ] {
        let record = name.record(subject);
        assert_eq!(
            ChannelName::of_record(&record),
            Some((name.clone(), subject))
        );
    }
    assert_eq!(ChannelName::of_record("team"), None);
    assert_eq!(ChannelName::of_record("team/what"), None);
    assert!(ChannelName::new("a/b").is_err());
    assert!(ChannelName::new("").is_err());
    assert!(ChannelName::new("x".repeat(41)).is_err());
}

#[test]
fn what_a_person_reads() {
    let text = text(&asked(Severity::Medium, Some("finance")), None);
    insta::assert_snapshot!(text);
    let ended = Notice {
        what: What::MissionEnded {
            mission: mission(),
            title: "A choice".into(),
            ending: Ending {
                phase: EndingPhase::Completed,
                delivery: Delivery::Draft,
                reason: "nobody reviewed it".into(),
            },
        },
        ..asked(Severity::Medium, None)
    };
    insta::assert_snapshot!(crate::text(&ended, None));
    insta::assert_snapshot!(subject_line(&ended));
}

#[test]
fn what_leaves_the_house_names_nobody() {
    let mut notice = asked(Severity::High, None);
    let What::CheckpointOpened {
        title, checkpoint, ..
    } = &mut notice.what
    else {
        panic!("{notice:?}");
    };
    *title = "Admission of patient Anna Weber".into();
    checkpoint.question = "May Weber be called at home?".into();
    checkpoint.context = "She is at +49 30 901820, anna.weber@clinic.example.".into();
    let redacted = notice.redacted();
    let told = crate::compose::json(&redacted) + &text(&redacted, None) + &subject_line(&redacted);
    for value in ["Anna", "Weber", "901820", "clinic.example"] {
        assert!(!told.contains(value), "{value} in {told}");
    }
    assert!(
        told.contains("[NAME]") && told.contains("[EMAIL]"),
        "{told}"
    );
    assert_eq!(redacted.id(), notice.id());
}

#[test]
fn initials_and_dates_of_birth_stay_in_the_house() {
    let mut notice = asked(Severity::High, None);
    let What::CheckpointOpened {
        title, checkpoint, ..
    } = &mut notice.what
    else {
        panic!("{notice:?}");
    };
    *title = "K.T.W.: go on?".into();
    checkpoint.question = "Patient K.T.W., born 14.02.1957: stop the treatment?".into();
    checkpoint.context = "M.O.B. (date of birth 03.11.1964) had 6.1 mmol/l.".into();
    let redacted = notice.redacted();
    let told = crate::compose::json(&redacted) + &text(&redacted, None) + &subject_line(&redacted);
    for value in ["K.T.W", "1957", "M.O.B", "1964"] {
        assert!(!told.contains(value), "{value} in {told}");
    }
    assert!(told.contains("had 6.1 mmol/l"), "{told}");
}

#[test]
fn what_a_program_reads() {
    insta::assert_snapshot!(crate::compose::json(&asked(
        Severity::High,
        Some("finance")
    )));
}
