//! The chain finds every way of tampering with a journal.

#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use adjutant_mission::MissionId;
use adjutant_store::conformance::tenant;
use adjutant_store::{BlobDigest, Broken, Chain, ChainHead, EventHash, StoredEvent};
use proptest::prelude::*;
use proptest::sample::Index;

const MISSION: MissionId = MissionId::from_bits(7);

fn journal(name: &str, mission: MissionId, contents: &[Vec<u8>]) -> (Vec<StoredEvent>, ChainHead) {
    let mut head = ChainHead::genesis(&tenant(name), mission);
    let mut events = Vec::new();
    for bytes in contents {
        let (event, next) = head.link(bytes.clone());
        events.push(event);
        head = next;
    }
    (events, head)
}

fn verify(events: &[StoredEvent], head: ChainHead) -> Result<(), Broken> {
    let mut chain = Chain::new(&tenant("acme"), MISSION);
    for event in events {
        chain.feed(event)?;
    }
    chain.ends_at(head)
}

#[derive(Debug, Clone)]
enum Tampering {
    FlipBitOfBytes(Index, Index),
    FlipBitOfHash(Index, Index),
    Renumber(Index, u64),
    Drop(Index),
    Swap(Index, Index),
    SwapBytes(Index, Index),
    InsertLinked(Index, Vec<u8>),
    InsertCopy(Index, Index),
    Cut(Index),
    RewriteFrom(Index, Vec<u8>),
    MoveFromMission(u128),
    MoveFromTenant,
}

fn tampering() -> impl Strategy<Value = Tampering> {
    use Tampering::*;
    let at = any::<Index>;
    let bytes = || prop::collection::vec(any::<u8>(), 0..40);
    prop_oneof![
        (at(), at()).prop_map(|(event, bit)| FlipBitOfBytes(event, bit)),
        (at(), at()).prop_map(|(event, bit)| FlipBitOfHash(event, bit)),
        (at(), any::<u64>()).prop_map(|(event, seq)| Renumber(event, seq)),
        at().prop_map(Drop),
        (at(), at()).prop_map(|(a, b)| Swap(a, b)),
        (at(), at()).prop_map(|(a, b)| SwapBytes(a, b)),
        (at(), bytes()).prop_map(|(event, bytes)| InsertLinked(event, bytes)),
        (at(), at()).prop_map(|(from, to)| InsertCopy(from, to)),
        at().prop_map(Cut),
        (at(), bytes()).prop_map(|(event, bytes)| RewriteFrom(event, bytes)),
        any::<u128>().prop_map(MoveFromMission),
        Just(MoveFromTenant),
    ]
}

fn tamper(events: &mut Vec<StoredEvent>, contents: &[Vec<u8>], how: Tampering) {
    let len = events.len();
    let before = |events: &[StoredEvent], n: usize| match n {
        0 => ChainHead::genesis(&tenant("acme"), MISSION),
        n => events[n - 1].head(),
    };
    match how {
        Tampering::FlipBitOfBytes(event, bit) => {
            let bytes = &mut events[event.index(len)].bytes;
            if !bytes.is_empty() {
                let bit = bit.index(bytes.len() * 8);
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
        }
        Tampering::FlipBitOfHash(event, bit) => {
            let event = &mut events[event.index(len)];
            let mut hash = *event.hash.as_bytes();
            let bit = bit.index(256);
            hash[bit / 8] ^= 1 << (bit % 8);
            event.hash = EventHash::from_bytes(hash);
        }
        Tampering::Renumber(event, seq) => events[event.index(len)].seq = seq,
        Tampering::Drop(event) => {
            events.remove(event.index(len));
        }
        Tampering::Swap(a, b) => events.swap(a.index(len), b.index(len)),
        Tampering::SwapBytes(a, b) => {
            let (a, b) = (a.index(len), b.index(len));
            let bytes = events[a].bytes.clone();
            events[a].bytes = std::mem::replace(&mut events[b].bytes, bytes);
        }
        Tampering::InsertLinked(at, bytes) => {
            let at = at.index(len + 1);
            let (event, _) = before(events, at).link(bytes);
            events.insert(at, event);
        }
        Tampering::InsertCopy(from, to) => {
            let event = events[from.index(len)].clone();
            events.insert(to.index(len + 1), event);
        }
        Tampering::Cut(at) => events.truncate(at.index(len)),
        Tampering::RewriteFrom(at, bytes) => {
            let at = at.index(len);
            events[at].bytes = bytes;
            for n in at..len {
                let head = before(events, n);
                events[n] = head.link(std::mem::take(&mut events[n].bytes)).0;
            }
        }
        Tampering::MoveFromMission(bits) => {
            *events = journal("acme", MissionId::from_bits(bits), contents).0;
        }
        Tampering::MoveFromTenant => *events = journal("acm", MISSION, contents).0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn tampering_is_always_found(
        contents in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 1..12),
        how in tampering(),
    ) {
        let (events, head) = journal("acme", MISSION, &contents);
        prop_assert_eq!(verify(&events, head), Ok(()));
        let mut altered = events.clone();
        tamper(&mut altered, &contents, how);
        prop_assume!(altered != events);
        prop_assert!(verify(&altered, head).is_err());
    }
}

#[test]
fn says_which_event_is_wrong() {
    let contents: Vec<Vec<u8>> = (0..5u8).map(|n| vec![n]).collect();
    let (events, head) = journal("acme", MISSION, &contents);

    let mut dropped = events.clone();
    dropped.drain(1..3);
    let gap = verify(&dropped, head).unwrap_err();
    assert_eq!(
        gap,
        Broken::Gap {
            expected: 2,
            found: 4
        }
    );
    assert_eq!(gap.code(), "ADJ-3041");
    assert_eq!(
        gap.to_string(),
        "events 2 to 3 are missing from the journal"
    );

    let mut altered = events.clone();
    altered[3].bytes = b"other".to_vec();
    assert_eq!(verify(&altered, head), Err(Broken::Altered { seq: 4 }));
    assert_eq!(
        verify(&events[..4], head),
        Err(Broken::CutShort {
            expected: 5,
            found: 4
        })
    );
    let mut repeated = events.clone();
    repeated.insert(2, events[1].clone());
    assert_eq!(
        verify(&repeated, head),
        Err(Broken::OutOfOrder {
            expected: 3,
            found: 2
        })
    );
}

/// These bytes are in every journal ever written: a change of the formula orphans them all.
#[test]
fn formula_is_pinned() {
    let (events, head) = journal("acme", MISSION, &[b"{}".to_vec()]);
    let genesis = ChainHead::genesis(&tenant("acme"), MISSION);
    assert_eq!(genesis.seq, 0);
    assert_eq!(
        genesis.hash.to_string(),
        "e28ea698cad6ed8277e16a08cd913132d5712123a1030ace0f02703f90274b59"
    );
    assert_eq!(
        head.hash.to_string(),
        "41e781a374ebf5365736ce069e3dfbf3fc84b12a21c8927e358e03036fa7bbcf"
    );
    assert_eq!(events[0].head(), head);
}

#[test]
fn digests_read_back_from_text() {
    let digest = BlobDigest::of(b"content");
    assert_eq!(digest.to_string().parse(), Ok(digest));
    for junk in [
        "",
        "00",
        &digest.to_string().to_uppercase(),
        &"g".repeat(64),
    ] {
        junk.parse::<BlobDigest>().unwrap_err();
    }
}
