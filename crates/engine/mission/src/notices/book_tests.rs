use alloc::string::String;

use crate::notices::{About, Progress, Sent, Subject};
use crate::{MissionId, Timestamp};

use super::*;

fn ending(n: u128, at: i64) -> About {
    About::ending(MissionId::from_bits(n), Timestamp(at))
}

fn key(channel: usize, n: u128) -> Key {
    (channel, Subject::Ending(MissionId::from_bits(n)))
}

#[test]
fn what_is_due_comes_once_and_in_order() {
    let mut book = Book::default();
    let now = Timestamp(1_000);
    let vain = Sent::NotNow {
        why: String::new(),
        wait: None,
    };
    let waiting = Progress::default().after(now, &vain);
    book.owe(0, ending(1, 5), waiting, now);
    book.owe(1, ending(1, 5), Progress::default(), now);
    assert_eq!(
        book.owe(1, ending(1, 9), Progress::default(), now),
        Entered::Yes
    );
    assert_eq!(book.take_due(now), Some(key(1, 1)));
    assert_eq!(book.take_due(now), None, "it is under way");
    assert_eq!(book.next_due(), Some(Timestamp(11_000)));
    book.put_off(key(1, 1), Timestamp(20_000), Progress::default());
    assert_eq!(book.take_due(Timestamp(30_000)), Some(key(0, 1)));
    assert_eq!(book.take_due(Timestamp(30_000)), Some(key(1, 1)));
    assert_eq!(book.take_due(Timestamp(30_000)), None);
}

#[test]
fn what_is_forgotten_is_not_due() {
    let mut book = Book::default();
    book.owe(0, ending(1, 5), Progress::default(), Timestamp(0));
    book.owe(0, ending(2, 3), Progress::default(), Timestamp(0));
    assert_eq!(book.oldest_ending(0), Some(Timestamp(3)));
    assert!(book.forget(key(0, 2)).is_some());
    assert_eq!(book.oldest_ending(0), Some(Timestamp(5)));
    assert_eq!(book.oldest_ending(1), None);
    assert_eq!(book.take_due(Timestamp(0)), Some(key(0, 1)));
    assert!(book.forget(key(0, 1)).is_some());
    assert_eq!(book.take_due(Timestamp(0)), None);
    // Too late: nobody owes it any more.
    book.put_off(key(0, 1), Timestamp(0), Progress::default());
    assert_eq!(book.next_due(), None);
}

#[test]
fn one_channel_does_not_take_the_places_of_another() {
    let mut book = Book::default();
    let full = OWED_MAX as u128;
    for n in 0..full {
        let entered = book.owe(0, ending(n, 0), Progress::default(), Timestamp(0));
        assert_eq!(entered, Entered::Yes);
    }
    let more = |book: &mut Book, channel| {
        book.owe(channel, ending(full, 0), Progress::default(), Timestamp(0))
    };
    assert_eq!(more(&mut book, 0), Entered::Full);
    assert_eq!(more(&mut book, 1), Entered::Yes);
}
