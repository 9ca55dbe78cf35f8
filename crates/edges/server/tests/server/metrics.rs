//! What Prometheus is told.

use std::collections::BTreeMap;

use reqwest::Method;

use crate::support::*;

/// Every line by its name and labels; panics at one that the text format does not have.
fn parsed(text: &str) -> BTreeMap<String, f64> {
    assert!(text.ends_with('\n'));
    let mut kinds: BTreeMap<&str, &str> = BTreeMap::new();
    let mut samples = BTreeMap::new();
    for line in text.lines() {
        if let Some(comment) = line.strip_prefix("# ") {
            let mut words = comment.splitn(3, ' ');
            let (word, name) = (words.next().unwrap(), words.next().unwrap());
            let rest = words.next().unwrap();
            match word {
                "HELP" => assert!(!rest.is_empty()),
                "TYPE" => {
                    assert!(["counter", "gauge", "histogram"].contains(&rest), "{line}");
                    assert_eq!(kinds.insert(name, rest), None, "{name} is told once");
                }
                other => panic!("{other}"),
            }
            continue;
        }
        let (series, value) = line.rsplit_once(' ').unwrap();
        let value: f64 = value.parse().unwrap();
        let name = series.split('{').next().unwrap();
        let plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        assert!(plain(name), "{line}");
        let ends = ["_bucket", "_sum", "_count"].into_iter();
        let mut family = ends.filter_map(|end| name.strip_suffix(end));
        let of_histogram = family.any(|family| kinds.get(family) == Some(&"histogram"));
        assert!(of_histogram || kinds.contains_key(name), "{line}");
        if let Some((_, labels)) = series.split_once('{') {
            for label in labels.strip_suffix('}').unwrap().split("\",") {
                let (key, value) = label.split_once("=\"").unwrap();
                assert!(plain(key), "{line}");
                assert!(!value.contains("msn_"), "no path is told: {line}");
            }
        }
        assert_eq!(samples.insert(series.to_owned(), value), None, "{line}");
    }
    samples
}

async fn scraped(world: &World) -> BTreeMap<String, f64> {
    let response = world.request(Method::GET, "/metrics").send().await.unwrap();
    assert_eq!(response.status(), 200);
    let kind = response.headers()["content-type"].to_str().unwrap();
    assert_eq!(kind, "text/plain; version=0.0.4; charset=utf-8");
    parsed(&response.text().await.unwrap())
}

#[tokio::test]
async fn a_scrape_tells_what_was_done() {
    let world = World::new().await;
    let before = scraped(&world).await;
    assert_eq!(before["adjutant_missions{phase=\"awaiting_human\"}"], 0.0);
    assert_eq!(before["adjutant_sse_readers"], 0.0);
    assert_eq!(before["adjutant_store_up"], 1.0);

    let mission = world.started("one two").await;
    world.get(&format!("/api/missions/{mission}")).await;
    let path = format!("/api/missions/{mission}/events");
    let mut stream = world.request(Method::GET, &path).send().await.unwrap();
    // Until its first event it need not be there.
    stream.chunk().await.unwrap().unwrap();
    let odd = Method::from_bytes(b"BREW").unwrap();
    world.request(odd, "/nowhere/at/all").send().await.unwrap();

    let now = scraped(&world).await;
    assert_eq!(now["adjutant_missions{phase=\"awaiting_human\"}"], 1.0);
    assert_eq!(now["adjutant_open_questions"], 1.0);
    assert_eq!(now["adjutant_sse_readers"], 1.0);
    let shown = "route=\"/api/missions/{mission}\",method=\"GET\"";
    let requests = format!("adjutant_http_requests_total{{{shown},status=\"200\"}}");
    assert_eq!(now[&requests], 1.0);
    let took = "adjutant_http_request_duration_seconds";
    assert_eq!(now[&format!("{took}_count{{{shown}}}")], 1.0);
    assert_eq!(now[&format!("{took}_bucket{{{shown},le=\"+Inf\"}}")], 1.0);
    let other = "route=\"other\",method=\"other\",status=\"404\"";
    assert_eq!(
        now[&format!("adjutant_http_requests_total{{{other}}}")],
        1.0
    );
    assert!(now["process_resident_memory_bytes"] > 1_000_000.0);
    assert!(now["process_start_time_seconds"] > 1_700_000_000.0);
    assert!(now["adjutant_commands_total"] >= 1.0);
    let events = now["adjutant_events_committed_total"];
    assert!(events >= 2.0, "{events}");

    drop(stream);
    let response = world.decide(&mission, 0, "approve").await;
    assert_eq!(response.status(), 200);
    let then = scraped(&world).await;
    assert!(then["adjutant_events_committed_total"] > events);
    world.stop().await;
}

#[tokio::test]
async fn refusals_for_limits_are_counted() {
    let world = World::new().await;
    for at in 0..7 {
        let wanted = serde_json::json!({ "mission": "deep_dive", "objective": "one" });
        let status = world.post("/api/missions", wanted).await.status();
        assert_eq!(status, if at < 6 { 201 } else { 429 });
    }
    let now = scraped(&world).await;
    assert_eq!(now["adjutant_rate_limit_refusals_total"], 1.0);
    world.stop().await;
}
