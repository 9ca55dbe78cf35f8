//! Every change to what is kept is found.

use adjutant_mission::{Phase, Severity, Timestamp, Zone};
use adjutant_store::{Blob, BlobDigest, ChainHead, Retention, Sealed, Store, StoredEvent};

use super::sample::{NOW, Sample, damage, master_key, signing_key, tenant};
use crate::{Attestation, AttestedHead, SigningKey, Vault};

/// Numbers from a seed, the same every time.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % sides as u64) as usize
    }

    fn flip(&mut self, bytes: &mut [u8]) {
        let at = self.throw(bytes.len());
        bytes[at] ^= 1 << self.throw(8);
    }
}

/// Chains events anew from `at` on, as someone would who can write the store and knows how it works.
fn relink(events: &mut [StoredEvent], at: usize, before: ChainHead) {
    let mut head = match at {
        0 => before,
        _ => events[at - 1].head(),
    };
    for event in events.iter_mut().skip(at) {
        let (linked, next) = head.link(std::mem::take(&mut event.bytes));
        *event = linked;
        head = next;
    }
}

const WAYS: usize = 33;

/// Changes one thing. The names say what.
fn tamper(sample: &mut Sample, way: usize, dice: &mut Dice) -> &'static str {
    let which = dice.throw(2);
    let other = sample.missions[1 - which].clone();
    let attestations = sample.attestations.len();
    let whole = &mut sample.missions[which];
    let origin = whole.row.origin.clone();
    let genesis = ChainHead::genesis(&origin, whole.row.summary.mission);
    let events = whole.events.len();
    let at = dice.throw(events);
    match way {
        0 => {
            dice.flip(&mut whole.events[at].bytes);
            "a bit of an event flipped"
        }
        1 => {
            let mut hash = *whole.events[at].hash.as_bytes();
            dice.flip(&mut hash);
            whole.events[at].hash = adjutant_store::EventHash::from_bytes(hash);
            "a bit of a hash flipped"
        }
        2 => {
            whole.events.remove(dice.throw(events - 1));
            "an event removed"
        }
        3 => {
            whole.events.remove(dice.throw(events - 1));
            relink(&mut whole.events, 0, genesis);
            "an event removed, and the chain made anew"
        }
        4 => {
            let at = dice.throw(events - 1);
            whole.events.swap(at, at + 1);
            whole.events[at].seq = at as u64 + 1;
            whole.events[at + 1].seq = at as u64 + 2;
            "two events exchanged"
        }
        5 => {
            let at = dice.throw(events - 1);
            whole.events.swap(at, at + 1);
            relink(&mut whole.events, at, genesis);
            "two events exchanged, and the chain made anew"
        }
        6 => {
            let again = whole.events[at].clone();
            whole.events.insert(at, again);
            relink(&mut whole.events, at, genesis);
            "an event repeated, and the chain made anew"
        }
        7 => {
            whole.events[at].bytes = other.events[at.min(other.events.len() - 1)].bytes.clone();
            relink(&mut whole.events, at, genesis);
            "an event of another mission put in, and the chain made anew"
        }
        8 => {
            whole.events.truncate(events - 1 - dice.throw(events - 2));
            "the end cut off"
        }
        9 => {
            whole.events[at].bytes =
                br#"{"seq":1,"at":0,"event":{"type":"mission_resumed/1","data":{}}}"#.to_vec();
            relink(&mut whole.events, at, genesis);
            "an event in the clear put in, and the chain made anew"
        }
        10 => {
            dice.flip(&mut whole.blobs[0].bytes);
            "a bit of a blob flipped"
        }
        11 => {
            dice.flip(&mut whole.blobs[0].bytes);
            whole.blobs[0].digest = BlobDigest::of(&whole.blobs[0].bytes);
            "a blob replaced"
        }
        12 => {
            let first = whole.blobs[0].bytes.clone();
            whole.blobs[0].bytes = std::mem::replace(&mut whole.blobs[1].bytes, first);
            "two blobs exchanged"
        }
        13 => {
            whole.blobs.remove(dice.throw(2));
            "a blob removed"
        }
        14 => {
            whole
                .blobs
                .push(Blob::new(Zone::Platform, b"more".to_vec()));
            "a blob added"
        }
        15 => {
            dice.flip(&mut whole.snapshot.as_mut().unwrap().passport.0);
            "a bit of the snapshot flipped"
        }
        16 => {
            whole.snapshot.as_mut().unwrap().passport = other.snapshot.unwrap().passport;
            "the snapshot of another mission"
        }
        17 => {
            dice.flip(&mut whole.row.summary.title.0);
            "a bit of the title flipped"
        }
        18 => {
            whole.row.summary.title = other.row.summary.title;
            "the title of another mission"
        }
        19 => {
            whole.row.summary.phase = Phase::Failed;
            "another phase in the list"
        }
        20 => {
            whole.row.summary.used.money.0 += 1;
            "another cost in the list"
        }
        21 => {
            let asking = &mut sample.missions[1];
            dice.flip(&mut asking.inbox[0].entry.0);
            "a bit of a question flipped"
        }
        22 => {
            sample.missions[1].inbox.clear();
            "a question removed from the inbox"
        }
        23 => {
            let asking = &mut sample.missions[1];
            asking.inbox[0].deadline = Timestamp(1);
            asking.inbox[0].severity = Severity::Critical;
            "a question's deadline moved"
        }
        24 => {
            whole.row.kept = Retention::Erased;
            whole.row.key = None;
            whole.row.summary.title = Sealed::default();
            "a mission marked as erased"
        }
        25 => {
            whole.row.kept = Retention::Pruned;
            whole.row.key = None;
            whole.events.clear();
            whole.blobs.clear();
            "a mission marked as pruned"
        }
        26 => {
            let row = &mut sample.attestations[dice.throw(attestations)];
            dice.flip(&mut row.bytes);
            "a bit of an attestation flipped"
        }
        27 => {
            sample.attestations.remove(dice.throw(attestations - 1));
            "an attestation removed"
        }
        28 => {
            forge(sample);
            "everything signed anew with another key"
        }
        29 => {
            sample.missions.remove(which);
            "a mission removed"
        }
        30 => {
            let fork = &mut sample.attestations[1];
            let mut head = AttestedHead::genesis(&tenant());
            head.number = fork.number - 1;
            let says = Attestation::read(fork).unwrap().says;
            *fork = Attestation::sign(&tenant(), head, NOW, &signing_key(), says).unwrap();
            "an attestation exchanged for another of the same number, well signed"
        }
        31 => {
            sample.missions[0] = *sample.earlier.take().unwrap();
            "a mission as it was before"
        }
        32 => {
            let more = sample.seals[which].blob(Zone::Platform, b"more").unwrap();
            sample.missions[which].blobs.push(more);
            "a blob added by someone who has the key"
        }
        _ => panic!("there is no way {way}"),
    }
}

/// Signs what is there with a key of the forger's own.
fn forge(sample: &mut Sample) {
    let forger = SigningKey::parse(&"0f".repeat(32)).unwrap();
    let mut head = AttestedHead::genesis(&tenant());
    for row in &mut sample.attestations {
        let says = Attestation::read(row).unwrap().says;
        *row = Attestation::sign(&tenant(), head, NOW, &forger, says).unwrap();
        head = AttestedHead::of(row);
    }
}

/// Whatever is changed is found by `verify --all`, with nothing kept elsewhere but who signs.
pub async fn tampering_is_found<S, G, F, R>(fresh: F, times: usize)
where
    S: Store,
    F: Fn() -> R,
    R: Future<Output = (S, G)>,
{
    let (store, _guard) = fresh().await;
    let sample = Sample::make(&store).await;
    let (copy, _copy_guard) = fresh().await;
    let untouched = damage(&sample.put(&copy).await).await;
    assert_eq!(untouched, None, "a copy of what is whole is whole");
    for time in 0..times {
        let mut dice = Dice(time as u64);
        let mut altered = sample.clone();
        let what = tamper(&mut altered, time % WAYS, &mut dice);
        let (store, _guard) = fresh().await;
        let journal = altered.put(&store).await;
        let found = damage(&journal).await;
        assert!(found.is_some(), "not found: {what} (seed {time})");
    }
}

/// Someone who cuts the end off and takes the signatures for it along is found by a head kept elsewhere, and
/// by nothing else: which is why `verify` says so.
pub async fn a_cut_tail_needs_a_head_kept_elsewhere<S, G, F, R>(fresh: F)
where
    S: Store,
    F: Fn() -> R,
    R: Future<Output = (S, G)>,
{
    let (store, _guard) = fresh().await;
    let sample = Sample::make(&store).await;
    let journal = Vault::new(master_key()).tenant(&store, &tenant());
    let kept = AttestedHead::of(sample.attestations.last().unwrap());
    let signers = [signing_key().public()];
    let stands = journal
        .verify_attestations(&signers, Some(kept))
        .await
        .unwrap();
    assert_eq!(stands.unwrap().head, kept);

    let mut cut = sample.clone();
    cut.missions.remove(1);
    let gone = super::sample::mission(2);
    let first = cut.attestations.iter().position(|row| row.mission == gone);
    cut.attestations.truncate(first.unwrap());
    let (store, _guard) = fresh().await;
    let journal = cut.put(&store).await;
    assert_eq!(damage(&journal).await, None, "the rest is whole");
    let missed = journal
        .verify_attestations(&signers, Some(kept))
        .await
        .unwrap();
    assert_eq!(missed.unwrap_err().code, "ADJ-3053");

    let ended = &sample.missions[0];
    let head = ended.events.last().unwrap().head();
    let id = ended.row.summary.mission;
    let stands = journal.verify(id, &[], Some(head)).await.unwrap();
    assert_eq!(stands.unwrap().head, head);
    let later = ChainHead {
        seq: head.seq + 1,
        hash: head.hash,
    };
    let missed = journal.verify(id, &[], Some(later)).await.unwrap();
    assert_eq!(missed.unwrap_err().code, "ADJ-3044");
}
