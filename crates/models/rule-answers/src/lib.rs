//! Answers every purpose from its typed input by symbolic means: reading, ranking, comparing, counting.
//!
//! Pure: the same input has the same answer, everywhere. What it says is in the input; on what is not, it says so.

mod aliases;
mod bearing;
mod corpus;
mod document_id;
mod kindred;
mod purposes;
mod rivals;
mod routing;
mod stance;
mod strengths;
mod subject;
mod text;

use adjutant_questions::{Input, Output, ReadOf, Reconciled};

pub use rivals::sources_on_rivals;
pub use routing::{chance_of_a_fact, routed_missions, routing_signs};
pub use subject::Subject;
pub use text::sentences;

/// NameContext with everything that is answered here.
pub const NOTICE: &str =
    "No language model was used: this was put together from the given material by fixed rules.";

/// Answers a question. Every quote is letter for letter in its source.
pub fn answer(input: &Input) -> Output {
    let on_the_subject = rivals::without_rivals(input);
    match on_the_subject.as_ref().unwrap_or(input) {
        Input::Plan(input) => Output::Plan(purposes::plan(input)),
        Input::Extract(input) => Output::Extract(purposes::extract(input)),
        Input::Compare(input) => Output::Compare(purposes::compare(input)),
        Input::Cluster(input) => Output::Cluster(purposes::cluster(input)),
        Input::Timeline(input) => Output::Timeline(purposes::timeline(input)),
        Input::Gaps(input) => Output::Gaps(purposes::gaps(input)),
        Input::Score(input) => Output::Score(purposes::score(input)),
        Input::Object(input) => Output::Object(purposes::object(input)),
        Input::Draft(input) => Output::Draft(purposes::draft(input)),
        Input::Grade(input) => Output::Grade(purposes::grade(input)),
        Input::Think(input) => Output::Think(purposes::think(input)),
        Input::Weigh(input) => Output::Weigh(purposes::weigh(input)),
        Input::Split(input) => Output::Split(purposes::split(input)),
        Input::Act(input) => Output::Act(purposes::act(input)),
        Input::Conclude(input) => Output::Conclude(purposes::conclude(input)),
        Input::Route(input) => Output::Route(purposes::route(input)),
        Input::Hypothesize(input) => Output::Hypothesize(purposes::hypothesize(input)),
        Input::Causes(input) => Output::Causes(purposes::causes(input)),
        Input::Flag(input) => Output::Flag(purposes::flag(input)),
        Input::Scenarios(input) => Output::Scenarios(purposes::scenarios(input)),
        Input::Summarize(input) => Output::Summarize(purposes::summarize(input)),
        Input::Cite(input) => Output::Cite(purposes::cite(input)),
        Input::Constitution(input) => Output::Constitution(purposes::constitution(input)),
        // Who asks has read the documents by rules already, all of them together.
        Input::Read(_) => Output::Read(ReadOf {
            claims: Vec::new(),
            obligations: Vec::new(),
            missing: Vec::new(),
            confidence: 0.0,
            dropped: 0,
        }),
        Input::Reconcile(_) => Output::Reconcile(Reconciled {
            judgements: Vec::new(),
            points: Vec::new(),
            first: Vec::new(),
            confidence: 0.0,
            dropped: 0,
        }),
    }
}
