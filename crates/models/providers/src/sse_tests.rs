use proptest::prelude::*;

use super::{EVENT_BYTES_MAX, Event, Parser, SseError};

fn event(name: &str, data: &str) -> Event {
    Event {
        name: name.to_owned(),
        data: data.to_owned(),
    }
}

const STREAM: &str = "\u{feff}: hello\n\nevent: ping\ndata: {}\n\ndata:one\r\ndata: two\r\n\r\nid: 7\rdata: drei \u{1f600}\r\rretry: 3\n\ndata\n\ndata: unfinished\n";

fn wanted() -> Vec<Event> {
    vec![
        event("ping", "{}"),
        event("", "one\ntwo"),
        event("", "drei \u{1f600}"),
        event("", ""),
    ]
}

#[test]
fn every_kind_of_line_end_comment_and_field_is_understood() {
    assert_eq!(Parser::default().feed(STREAM.as_bytes()), Ok(wanted()));
}

#[test]
fn an_event_without_end_is_not_kept_for_ever() {
    let mut parser = Parser::default();
    let bytes = vec![b'a'; EVENT_BYTES_MAX];
    assert_eq!(parser.feed(&bytes), Ok(vec![]));
    assert_eq!(parser.feed(b"a"), Err(SseError::TooLong));
    let mut parser = Parser::default();
    let line = format!("data: {}\n", "a".repeat(1000));
    let long =
        (0..=EVENT_BYTES_MAX / 1000).try_for_each(|_| parser.feed(line.as_bytes()).map(|_| ()));
    assert_eq!(long, Err(SseError::TooLong));
}

#[test]
fn what_is_not_text_is_told() {
    assert_eq!(
        Parser::default().feed(b"data: \xff\xfe\n\n"),
        Err(SseError::NotUtf8)
    );
}

proptest! {
    #[test]
    fn cuts_change_nothing(cuts in prop::collection::vec(0usize..STREAM.len(), 0..12)) {
        let mut cuts = cuts;
        cuts.sort_unstable();
        let (mut parser, mut events, mut from) = (Parser::default(), Vec::new(), 0);
        for cut in cuts.into_iter().chain([STREAM.len()]) {
            events.extend(parser.feed(&STREAM.as_bytes()[from..cut]).unwrap());
            from = cut;
        }
        prop_assert_eq!(events, wanted());
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = Parser::default().feed(&bytes);
    }
}
