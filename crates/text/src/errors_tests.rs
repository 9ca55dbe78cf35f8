use std::fmt;

use super::*;

#[derive(Debug)]
struct Failure {
    message: &'static str,
    cause: Option<Box<Failure>>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message)
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as &dyn Error)
    }
}

/// The outermost message first.
fn failure(messages: &[&'static str]) -> Failure {
    let (first, rest) = messages.split_first().unwrap();
    Failure {
        message: first,
        cause: (!rest.is_empty()).then(|| Box::new(failure(rest))),
    }
}

#[test]
fn the_cause_of_a_request_never_quotes_its_address() {
    let address = "error sending request for url (https://key@example.org/)";
    assert_eq!(request_cause(&failure(&[address])), "the request failed");
    assert_eq!(
        request_cause(&failure(&[address, "client error", "connection refused"])),
        "connection refused"
    );
}

#[test]
fn causes_are_said_once() {
    for (messages, expected) in [
        (&["the store is busy"][..], "the store is busy"),
        (&["cannot send", "refused"], "cannot send: refused"),
        (&["cannot send: refused", "refused"], "cannot send: refused"),
        (&["a", "b", "c"], "a: b: c"),
    ] {
        assert_eq!(with_causes(&failure(messages)), expected);
    }
}
