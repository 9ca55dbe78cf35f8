//! How much of a labelled set the constitutional checks catch: the rules alone, a model alone, both. Prints totals only, so
//! that the set stays unread.
//!
//! Each passage is cut, asked about, read and added to the findings of the rules by the code that missions use. The model is
//! the one that the settings name for experts, so a run costs what they say. The guard, which marks passages that look like
//! instructions, is left out: it changes no other text.
//!
//!     cargo run -p adjutant-app --example measure_constitution -- tests/constitution/outputs.json \
//!         [--half odd|even|all] [--passages-per-question 1] [--at-once 4] [--answers FILE] [--dry-run]
//!
//! With `--answers` every answer is kept in the file, and what is in it is not asked again.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a measuring program may stop where it stands"
)]

use std::collections::BTreeMap;
use std::io::Write as _;

use adjutant_app::constitution::{cut, found_by_model};
use adjutant_app::settings::{Environment, Settings};
use adjutant_app::wiring;
use adjutant_catalogue::agent;
use adjutant_constitution::{Origin, Text, check};
use adjutant_mission::{AgentId, AgentLevel, Complexity};
use adjutant_providers::{AskOptions, Models};
use adjutant_questions::{Ask, Asker, Input, LevelFacts, Prompts};
use futures::StreamExt as _;
use serde_json::Value;

/// Who leads most missions, and asks.
const EXPERT: &str = "L2-research-coordinator";

struct Passage {
    is_odd: bool,
    must_be_caught: bool,
    text: Text,
}

/// What one question carries, and its prompt's hash.
struct Question {
    passages: Vec<usize>,
    input: Input,
    hash: String,
}

#[derive(Default, Clone, Copy)]
struct Counts {
    caught: usize,
    alarms: usize,
}

fn option(name: &str) -> Option<String> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    arguments.nth(1)
}

fn number(name: &str, default: usize) -> usize {
    option(name).map_or(default, |given| given.parse().unwrap())
}

/// Its number in the set, or the one in its id where the set has none.
fn number_of(output: &Value) -> u64 {
    output["n"].as_u64().unwrap_or_else(|| {
        let id = output["id"].as_str().unwrap();
        let digits = id.trim_start_matches(|c: char| !c.is_ascii_digit());
        digits.parse().unwrap()
    })
}

fn passages(path: &str, half: &str) -> Vec<Passage> {
    let set: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let outputs = set.as_array().or(set["outputs"].as_array()).unwrap().iter();
    let passages = outputs.filter_map(|output| {
        let is_odd = number_of(output) % 2 == 1;
        let is_wanted = half == "all" || is_odd == (half == "odd");
        is_wanted.then(|| Passage {
            is_odd,
            must_be_caught: output["area"].is_string(),
            // The place must not give the label away.
            text: Text::new("", output["text"].as_str().unwrap(), Origin::Own),
        })
    });
    passages.collect()
}

fn questions(passages: &[Passage], per_question: usize, prompts: &Prompts) -> Vec<Question> {
    let numbers: Vec<usize> = (0..passages.len()).collect();
    let questions = numbers.chunks(per_question).map(|group| {
        let texts = texts_of(passages, group);
        let mut cut = cut(&texts, 1);
        assert_eq!(cut.unread, 0, "fewer passages must share a question");
        let input = Input::Constitution(cut.items.remove(0));
        let hash = prompts.render_for(Some(&asker()), &input).unwrap().hash;
        Question {
            passages: group.to_vec(),
            input,
            hash,
        }
    });
    questions.collect()
}

/// The passages as the parts of one text.
fn texts_of(passages: &[Passage], group: &[usize]) -> Vec<Text> {
    let parts = group.iter().enumerate().map(|(part, at)| Text {
        place: format!("Part {}", part + 1),
        ..passages[*at].text.clone()
    });
    parts.collect()
}

fn asker() -> Asker {
    Asker {
        id: AgentId::new(EXPERT).unwrap(),
        level: AgentLevel::L2,
        name: agent(EXPERT).unwrap().name.to_owned(),
    }
}

async fn ask(models: &Models, question: &Question) -> Option<Value> {
    let ask = Ask {
        key: question.hash.clone(),
        level: AgentLevel::L2,
        input: question.input.clone(),
        unmarked: None,
        limits: LevelFacts::of(AgentLevel::L2).limits(Complexity::default()),
        domain: None,
        complexity: Complexity::default(),
        model: None,
        without: Vec::new(),
        asker: Some(asker()),
    };
    match models.ask(&ask, AskOptions::default()).await {
        Ok(answer) => Some(answer.result()),
        Err(unanswered) => {
            eprintln!("no answer: {unanswered}");
            None
        }
    }
}

fn kept_answers(path: Option<&str>) -> BTreeMap<String, Value> {
    let text = path.and_then(|path| std::fs::read_to_string(path).ok());
    let text = text.unwrap_or_default();
    let lines = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    lines
        .collect::<Vec<(String, Value)>>()
        .into_iter()
        .collect()
}

async fn answers(
    questions: &[Question],
    models: &Models,
    path: Option<&str>,
) -> BTreeMap<String, Value> {
    let mut kept = kept_answers(path);
    let open = questions
        .iter()
        .filter(|question| !kept.contains_key(&question.hash));
    let asked = open.map(|question| async move { (question, ask(models, question).await) });
    let asked: Vec<_> = asked.collect();
    eprintln!(
        "{} questions to ask, {} answered before",
        asked.len(),
        kept.len()
    );
    let mut asked = futures::stream::iter(asked).buffer_unordered(number("--at-once", 4));
    let mut done = 0;
    while let Some((question, answer)) = asked.next().await {
        done += 1;
        eprint!("\r{done} ");
        let Some(answer) = answer else { continue };
        if let Some(path) = path {
            let mut file = std::fs::OpenOptions::new();
            let mut file = file.create(true).append(true).open(path).unwrap();
            let line = serde_json::to_string(&(&question.hash, &answer)).unwrap();
            writeln!(file, "{line}").unwrap();
        }
        kept.insert(question.hash.clone(), answer);
    }
    eprintln!();
    kept
}

fn main() {
    let path = std::env::args().nth(1).unwrap();
    let half = option("--half").unwrap_or_else(|| "all".to_owned());
    let passages = passages(&path, &half);
    let settings = Settings::load(&Environment::read()).unwrap_or_else(|error| panic!("{error:?}"));
    let prompts = wiring::prompts(&settings).unwrap_or_else(|error| panic!("{error:?}"));
    let per_question = number("--passages-per-question", 1);
    let questions = questions(&passages, per_question, &prompts);
    if std::env::args().any(|argument| argument == "--dry-run") {
        let prompt = prompts
            .render_for(Some(&asker()), &questions[0].input)
            .unwrap();
        println!("{}\n\n=====\n\n{}", prompt.system, prompt.user);
        println!(
            "\n{} passages, {} questions",
            passages.len(),
            questions.len()
        );
        return;
    }
    let models = wiring::models(&settings).unwrap_or_else(|error| panic!("{error:?}"));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let file = option("--answers");
    let answers = runtime.block_on(answers(&questions, &models, file.as_deref()));
    let by_rules: Vec<bool> = passages.iter().map(is_found_by_rules).collect();
    let by_model = found(&passages, &questions, &answers);
    for (name, wanted) in [("all", None), ("odd", Some(true)), ("even", Some(false))] {
        let of: Vec<usize> = (0..passages.len())
            .filter(|at| wanted.is_none_or(|odd| passages[*at].is_odd == odd))
            .collect();
        if !of.is_empty() {
            tell(name, &of, &passages, &by_rules, &by_model);
        }
    }
}

fn is_found_by_rules(passage: &Passage) -> bool {
    !check(std::slice::from_ref(&passage.text))
        .findings
        .is_empty()
}

/// In which passages the model found something, and what of its answers counted.
fn found(
    passages: &[Passage],
    questions: &[Question],
    answers: &BTreeMap<String, Value>,
) -> Vec<bool> {
    let mut found = vec![false; passages.len()];
    let (mut dropped, mut answered) = (0, 0);
    for question in questions {
        let Some(answer) = answers.get(&question.hash) else {
            continue;
        };
        let texts = texts_of(passages, &question.passages);
        let (findings, checked) = found_by_model(&texts, std::slice::from_ref(answer));
        dropped += checked.dropped;
        answered += checked.answered;
        for finding in findings {
            let part = texts.iter().position(|text| text.place == finding.place);
            found[question.passages[part.unwrap()]] = true;
        }
    }
    println!(
        "{answered} of {} questions answered by a model, {dropped} findings dropped",
        questions.len()
    );
    found
}

/// In which passages the rules find something that blocks. What else they find counts only if a model that was asked agrees.
fn is_blocked_by_rules(passage: &Passage) -> bool {
    let found = check(std::slice::from_ref(&passage.text));
    found.blocking().next().is_some()
}

fn tell(name: &str, of: &[usize], passages: &[Passage], by_rules: &[bool], by_model: &[bool]) {
    let blocked: Vec<bool> = passages.iter().map(is_blocked_by_rules).collect();
    let must = of.iter().filter(|at| passages[**at].must_be_caught).count();
    println!(
        "{name}: {must} must be caught, {} are ordinary",
        of.len() - must
    );
    let ways: [(&str, &dyn Fn(usize) -> bool); 3] = [
        ("rules", &|at| by_rules[at]),
        ("model", &|at| by_model[at]),
        ("both", &|at| blocked[at] || by_model[at]),
    ];
    for (way, is_found) in ways {
        let mut counts = Counts::default();
        for at in of.iter().filter(|at| is_found(**at)) {
            match passages[*at].must_be_caught {
                true => counts.caught += 1,
                false => counts.alarms += 1,
            }
        }
        println!(
            "  {way}: caught {}, false alarms {}",
            counts.caught, counts.alarms
        );
    }
}
