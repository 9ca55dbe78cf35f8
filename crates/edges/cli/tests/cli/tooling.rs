//! The tools as a person tries them, outside of any mission.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use serde_json::Value;

use crate::support::Place;

#[test]
fn every_tool_is_listed_and_shown_with_its_schema() {
    let place = Place::new();
    let listed = place.run(&["tools", "list", "--json"]);
    assert_eq!(listed.code, 0, "{}", listed.err);
    let manifests: Vec<Value> = listed
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(manifests.len() >= 9, "{}", listed.out);
    for manifest in manifests {
        let id = manifest["id"].as_str().unwrap();
        let shown = place.run(&["tools", "show", id]);
        assert_eq!(shown.code, 0, "{}", shown.err);
        for told in [manifest["name"].as_str().unwrap(), "Arguments", "at most"] {
            assert!(shown.out.contains(told), "{id}: {}", shown.out);
        }
    }
}

#[test]
fn a_call_is_checked_made_and_printed() {
    let place = Place::new();
    let done = place.run(&[
        "tools",
        "call",
        "calc",
        r#"{"expression": "0.1 + 0.2"}"#,
        "--json",
    ]);
    assert_eq!(
        done.out.trim(),
        r#"{"text":"0.3","value":0.3}"#,
        "{}",
        done.err
    );
    place.write(
        "with.json",
        r#"{"expression": "2 * x", "values": {"x": "21"}}"#,
    );
    let done = place.run(&["tools", "call", "calc", "--file", "with.json"]);
    assert!(
        done.out.contains("\"text\": \"42\""),
        "{}{}",
        done.out,
        done.err
    );
    for (arguments, code, said) in [
        (["nope", "{}"], 2, "ADJ-6080"),
        (["calc", "{"], 2, "ADJ-6081"),
        (["calc", "[1]"], 2, "ADJ-6081"),
        (["calc", r#"{"sum": 1}"#], 2, "ADJ-6083"),
        (["calc", r#"{"expression": "1 / 0"}"#], 2, "ADJ-6083"),
        (["http_post", "{}"], 2, "ADJ-6082"),
        (["recall", r#"{"question": "what"}"#], 1, "adjutant kb add"),
    ] {
        let ran = place.run(&["tools", "call", arguments[0], arguments[1]]);
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(said), "{arguments:?}: {}", ran.err);
    }
    assert!(
        !place.home().join("adjutant.db").exists(),
        "nothing is kept"
    );
}

#[test]
fn a_stand_in_that_cannot_be_wrong_like_that_is_refused() {
    let place = Place::new();
    for wrong in ["fda", "fda=late", "nobody=html"] {
        let ran = place.run(&["dev", "apis", "--port", "0", "--wrong", wrong]);
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains("ADJ-6087"), "{}", ran.err);
    }
}

/// A server that honours the key would take the second call for the first one again.
#[test]
fn two_calls_are_two_to_whoever_is_called() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let heard = listener.incoming().take(2).map(|stream| {
            let mut stream = stream.unwrap();
            let mut request = [0; 4096];
            let length = stream.read(&mut request).unwrap();
            let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
            stream.write_all(answer).unwrap();
            let request = String::from_utf8_lossy(&request[..length]).to_lowercase();
            let key = request
                .lines()
                .find(|line| line.starts_with("idempotency-key"));
            key.unwrap().to_owned()
        });
        heard.collect::<Vec<_>>()
    });
    let place = Place::new();
    let with = format!(r#"{{"url": "{url}", "method": "HEAD"}}"#);
    let refused = place.run(&["tools", "call", "http", &with]);
    assert!(
        refused.err.contains("not a public address"),
        "{}",
        refused.err
    );
    place.set("[tools]\nprivate_hosts = ['127.0.0.1']\n");
    for _ in 0..2 {
        let ran = place.run(&["tools", "call", "http", &with]);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    let keys = server.join().unwrap();
    assert_ne!(keys[0], keys[1]);
}
