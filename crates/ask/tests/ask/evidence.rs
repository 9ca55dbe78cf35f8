use adjutant_ask::{Purpose, unfounded};
use serde_json::json;

use crate::samples;

#[test]
fn every_purposes_evidence_is_looked_up() {
    for &purpose in Purpose::ALL {
        let (input, output) = (samples::input(purpose), samples::output(purpose));
        assert_eq!(
            unfounded(&input, &output),
            Vec::<String>::new(),
            "{}",
            purpose.name()
        );
        if matches!(purpose, Purpose::Plan | Purpose::Gaps) {
            continue;
        }
        let invented = samples::answer(purpose)
            .to_string()
            .replace("9 mmHg\"", "90 mmHg\"");
        let invented = serde_json::from_str(&invented).unwrap();
        let invented = adjutant_ask::Output::read(purpose, invented).unwrap();
        let told = unfounded(&input, &invented);
        let wanted = "source `trial` does not say \"lowered pressure by 90 mmHg\"";
        assert_eq!(told, [wanted], "{}", purpose.name());
    }
}

#[test]
fn line_ends_do_not_matter_and_strangers_are_named() {
    let input = samples::input(Purpose::Extract);
    let answer = |source: &str, quote: &str| {
        let mut answer = samples::answer(Purpose::Extract);
        answer["findings"][0]["evidence"] = json!([{ "source": source, "quote": quote }]);
        adjutant_ask::Output::read(Purpose::Extract, answer).unwrap()
    };
    let over_lines = answer("trial", "412 adults. The  drug");
    assert!(unfounded(&input, &over_lines).is_empty());
    assert_eq!(
        unfounded(&input, &answer("web", "x")),
        ["there is no source `web`"]
    );
    assert_eq!(unfounded(&input, &answer("trial", " ")).len(), 1);
}

#[test]
fn an_answer_about_something_else_is_told() {
    for (purpose, from, to, wanted) in [
        (
            Purpose::Plan,
            "\"read\"",
            "\"fly\"",
            "there is no step `fly`",
        ),
        (
            Purpose::Compare,
            "\"effect\"",
            "\"colour\"",
            "there is no criterion `colour`",
        ),
        (
            Purpose::Cluster,
            "[\"letter\"]",
            "[\"rumour\"]",
            "there is no source `rumour`",
        ),
        (
            Purpose::Gaps,
            "\"dose\"",
            "\"shape\"",
            "there is no point `shape`",
        ),
        (
            Purpose::Score,
            "\"item\":\"A\"",
            "\"item\":\"C\"",
            "there is no item `C`",
        ),
        (
            Purpose::Object,
            "The drug lowers",
            "The pill lowers",
            "there is no claim `The pill lowers pressure.`",
        ),
    ] {
        let other = samples::answer(purpose).to_string().replace(from, to);
        let other = serde_json::from_str(&other).unwrap();
        let other = adjutant_ask::Output::read(purpose, other).unwrap();
        let told = unfounded(&samples::input(purpose), &other);
        assert_eq!(
            told.first().map(String::as_str),
            Some(wanted),
            "{}",
            purpose.name()
        );
    }
}
