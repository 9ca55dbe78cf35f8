use super::*;

/// The example of the Standard Webhooks specification's own libraries.
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const ID: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const SECONDS: &str = "1614265330";
const BODY: &[u8] = br#"{"test": 2432232314}"#;
const SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
const THEN: Timestamp = Timestamp(1_614_265_330_000);

fn checked(
    id: &str,
    seconds: &str,
    signature: &str,
    body: &[u8],
    now: Timestamp,
) -> Result<(), Unverified> {
    verify(
        &Secret::parse(SECRET).unwrap(),
        id,
        seconds,
        signature,
        body,
        now,
    )
}

#[test]
fn others_sign_the_same_message_the_same_way() {
    let secret = Secret::parse(SECRET).unwrap();
    assert_eq!(sign(&secret, ID, SECONDS, BODY), SIGNATURE);
    assert_eq!(checked(ID, SECONDS, SIGNATURE, BODY, THEN), Ok(()));
    let bare = Secret::parse(SECRET.strip_prefix("whsec_").unwrap()).unwrap();
    assert_eq!(sign(&bare, ID, SECONDS, BODY), SIGNATURE);
}

#[test]
fn one_good_signature_among_others_is_enough() {
    let both = format!("v1a,AAAA v1,AAAA {SIGNATURE}");
    assert_eq!(checked(ID, SECONDS, &both, BODY, THEN), Ok(()));
}

#[test]
fn whatever_is_changed_is_noticed() {
    let bad = Err(Unverified::BadSignature);
    assert_eq!(checked("msg_x", SECONDS, SIGNATURE, BODY, THEN), bad);
    assert_eq!(checked(ID, "1614265331", SIGNATURE, BODY, THEN), bad);
    assert_eq!(checked(ID, SECONDS, SIGNATURE, b"{}", THEN), bad);
    assert_eq!(checked(ID, SECONDS, "", BODY, THEN), bad);
    assert_eq!(checked(ID, SECONDS, "v1,", BODY, THEN), bad);
    assert_eq!(
        checked(ID, SECONDS, &SIGNATURE.replace("v1,", "v2,"), BODY, THEN),
        bad
    );
    assert_eq!(
        checked(ID, "soon", SIGNATURE, BODY, THEN),
        Err(Unverified::NoTimestamp)
    );
}

#[test]
fn a_replay_is_refused_after_five_minutes() {
    let at = |seconds: i64| {
        let now = Timestamp(THEN.0 + seconds * 1_000);
        checked(ID, SECONDS, SIGNATURE, BODY, now)
    };
    assert_eq!(at(300), Ok(()));
    assert_eq!(at(301), Err(Unverified::OutOfTime));
    assert_eq!(at(-300), Ok(()));
    assert_eq!(at(-301), Err(Unverified::OutOfTime));
}

#[test]
fn weak_secrets_are_none() {
    for text in [
        "",
        "whsec_",
        "whsec_c2hvcnQ=",
        "not base64 at all, but long enough!",
    ] {
        assert_eq!(Secret::parse(text).unwrap_err(), SecretError);
    }
    assert_eq!(format!("{:?}", Secret::parse(SECRET).unwrap()), "Secret(…)");
}
