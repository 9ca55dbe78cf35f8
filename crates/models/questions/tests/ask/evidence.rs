use adjutant_questions::{Purpose, unfounded};
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
        let cites_nothing = [
            Purpose::Plan,
            Purpose::Gaps,
            Purpose::Weigh,
            Purpose::Split,
            Purpose::Act,
            Purpose::Route,
            Purpose::Cite,
        ];
        if cites_nothing.contains(&purpose) {
            continue;
        }
        let invented = samples::answer(purpose)
            .to_string()
            .replace("9 mmHg\"", "90 mmHg\"");
        let invented = serde_json::from_str(&invented).unwrap();
        let invented = adjutant_questions::Output::read(purpose, invented).unwrap();
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
        adjutant_questions::Output::read(Purpose::Extract, answer).unwrap()
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
        (
            Purpose::Weigh,
            "\"step\":4",
            "\"step\":5",
            "there is no thought `5`",
        ),
        (
            Purpose::Route,
            "\"verdict\"",
            "\"sentence\"",
            "there is no mission `sentence`",
        ),
        (
            Purpose::Act,
            "\"L5-PS\"",
            "\"L5-XX\"",
            "there is no tool `L5-XX`",
        ),
        (
            Purpose::Conclude,
            "\"registry\"",
            "\"rumour\"",
            "there is no source `rumour`",
        ),
    ] {
        let other = samples::answer(purpose).to_string().replace(from, to);
        let other = serde_json::from_str(&other).unwrap();
        let other = adjutant_questions::Output::read(purpose, other).unwrap();
        let told = unfounded(&samples::input(purpose), &other);
        assert_eq!(
            told.first().map(String::as_str),
            Some(wanted),
            "{}",
            purpose.name()
        );
    }
}

#[test]
fn what_a_step_owes_is_told() {
    let told = |purpose: Purpose, change: &dyn Fn(&mut serde_json::Value)| {
        let mut answer = samples::answer(purpose);
        change(&mut answer);
        let output = adjutant_questions::Output::read(purpose, answer).unwrap();
        unfounded(&samples::input(purpose), &output)
    };
    assert_eq!(
        told(Purpose::Weigh, &|answer| answer["scores"][1]["step"] =
            json!(2)),
        [
            "thought `2` has 2 scores and needs one",
            "thought `4` has 0 scores and needs one"
        ]
    );
    assert_eq!(
        told(Purpose::Split, &|answer| answer["parts"] = json!([])),
        ["there are 0 parts: give 1 to 3"]
    );
    assert_eq!(
        told(Purpose::Split, &|answer| answer["parts"] =
            json!(["a", "b", "", "d"])),
        ["there are 4 parts: give 1 to 3", "a part is empty"]
    );
    assert_eq!(
        told(
            Purpose::Conclude,
            &|answer| answer["findings"][0]["evidence"] = json!([])
        ),
        ["the fact \"It does.\" has no evidence"]
    );
    assert_eq!(
        told(
            Purpose::Conclude,
            &|answer| answer["contradictions"][0]["sides"][1]["evidence"] = json!([])
        ),
        ["the contradiction on \"whether it does\" needs two sides, each with evidence"]
    );
    let interpretation = told(Purpose::Conclude, &|answer| {
        answer["findings"][0]["evidence"] = json!([]);
        answer["findings"][0]["kind"] = json!("interpretation");
    });
    assert_eq!(interpretation, Vec::<String>::new());
}

/// What was read before may be cited again, but only as it was cited.
#[test]
fn evidence_of_earlier_thoughts_may_be_repeated() {
    let told = |quote: &str| {
        let mut answer = samples::answer(Purpose::Think);
        answer["findings"][0]["evidence"] = json!([{ "source": "registry", "quote": quote }]);
        let output = adjutant_questions::Output::read(Purpose::Think, answer).unwrap();
        unfounded(&samples::input(Purpose::Think), &output)
    };
    assert_eq!(told("pressure fell in most users"), Vec::<String>::new());
    assert_eq!(told("pressure fell in all users").len(), 1);
}
