use super::*;

fn reply(status: u16) -> Reply {
    Reply::new(status, "text/plain", "some  words\nhere")
}

#[test]
fn each_status_has_its_trouble() {
    assert_eq!(check("X", &reply(200)), Ok(()));
    assert!(matches!(
        check("X", &reply(400)),
        Err(LookupError::InvalidSearch(said)) if said.ends_with("some words here")
    ));
    assert!(matches!(
        check("X", &reply(403)),
        Err(LookupError::InvalidSetting(_))
    ));
    assert!(matches!(
        check("X", &reply(500)),
        Err(LookupError::Unavailable(_))
    ));
    assert!(matches!(
        check("X", &reply(302)),
        Err(LookupError::Unreadable(_))
    ));
}

#[test]
fn patience_is_asked_for_with_its_seconds() {
    for status in [429, 503] {
        let reply = reply(status).with("retry-after", " 17 ");
        assert!(matches!(
            check("X", &reply),
            Err(LookupError::Busy {
                after_seconds: Some(17),
                ..
            })
        ));
    }
    let dated = reply(429).with("retry-after", "Wed, 21 Oct 2026 07:28:00 GMT");
    assert!(matches!(
        check("X", &dated),
        Err(LookupError::Busy {
            after_seconds: None,
            ..
        })
    ));
}
