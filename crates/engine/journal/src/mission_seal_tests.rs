use adjutant_mission::{Event, Timestamp, Usage};

use super::*;

fn seal(tenant: &str, mission: u128, key: u8) -> MissionSeal {
    let secret = seal::Secret::new([key; 32]);
    let origin = TenantId::new(tenant).unwrap();
    MissionSeal::new(origin, MissionId::from_bits(mission), Some(DataKey(secret)))
}

fn event(seq: u64) -> Recorded {
    Recorded {
        seq,
        at: Timestamp(5),
        actor: None,
        cause: None,
        zone: Zone::Platform,
        event: Event::MissionPaused {
            reason: "Anna asked for it".into(),
        },
    }
}

#[test]
fn what_is_sealed_opens_in_its_own_place_only() {
    let ours = seal("acme", 7, 1);
    let bytes = ours.event(&event(3)).unwrap();
    assert_eq!(ours.open_event(3, &bytes).unwrap(), event(3));
    assert_eq!(Label::read(3, &bytes).unwrap(), Label::of(&event(3)));
    assert!(!String::from_utf8_lossy(&bytes).contains("Anna"));
    let title = ours.title("A letter").unwrap();
    for stranger in [seal("acme", 8, 1), seal("globex", 7, 1), seal("acme", 7, 2)] {
        assert!(stranger.open_event(3, &bytes).is_err());
        assert!(stranger.open_title(&title).is_err());
    }
    assert!(ours.open_event(4, &bytes).is_err(), "another number");
    assert!(ours.open_blob(&title.0).is_err(), "another part");
    let relabelled = {
        let (label, sealed) = event::parts(&bytes).unwrap();
        let label = String::from_utf8(label.to_vec()).unwrap();
        event::join(label.replace("paused", "ceased").as_bytes(), sealed).unwrap()
    };
    assert!(ours.open_event(3, &relabelled).is_err(), "another label");
    let plain = event(3).encode().unwrap();
    assert!(ours.open_event(3, &plain).is_err(), "in the clear");
}

#[test]
fn the_same_content_is_the_same_blob_in_its_mission_only() {
    let (ours, other) = (seal("acme", 7, 1), seal("acme", 8, 2));
    let blob = ours.blob(Zone::Sensitive, b"a long letter").unwrap();
    assert_eq!(ours.blob(Zone::Sensitive, b"a long letter").unwrap(), blob);
    assert_eq!(ours.open_blob(&blob.bytes).unwrap(), b"a long letter");
    let second = ours.blob(Zone::Sensitive, b"a long lettes").unwrap();
    assert_ne!(second.bytes[1..13], blob.bytes[1..13], "another nonce");
    let elsewhere = other.blob(Zone::Sensitive, b"a long letter").unwrap();
    assert_ne!(
        elsewhere.digest, blob.digest,
        "it does not tell what is in it"
    );
}

#[test]
fn large_output_moves_into_a_blob() {
    let seal = seal("acme", 7, 1);
    let done = |text: &str| Outcome::done(Payload::Inline(Json::parse(text).unwrap()), Usage::NONE);
    let fits = format!("\"{}\"", "x".repeat(INLINE_BYTES_MAX - 2));
    assert_eq!(
        seal.fit(done(&fits), Vec::new).unwrap(),
        (done(&fits), None)
    );
    let large = format!("\"{}\"", "x".repeat(INLINE_BYTES_MAX - 1));
    let whole = || vec![Vec::new()];
    let (outcome, blob) = seal.fit(done(&large), whole).unwrap();
    let blob = blob.unwrap();
    let output = Payload::Blob {
        digest: blob.digest.to_string(),
        bytes: large.len() as u64,
        shown: [(String::new(), Json::parse(&large).unwrap())].into(),
    };
    let usage = Usage::NONE;
    assert_eq!(outcome, Outcome::done(output, usage));
    assert_eq!(seal.open_output(&blob.bytes).unwrap().text(), large);
}

#[test]
fn a_mission_from_before_seals_goes_on_in_the_clear() {
    let origin = TenantId::new("acme").unwrap();
    let clear = MissionSeal::new(origin, MissionId::from_bits(7), None);
    let bytes = clear.event(&event(3)).unwrap();
    assert_eq!(bytes, event(3).encode().unwrap());
    assert_eq!(clear.open_event(3, &bytes).unwrap(), event(3));
    let title = clear.title("A letter").unwrap();
    assert_eq!(clear.open_title(&title).unwrap(), "A letter");
}
