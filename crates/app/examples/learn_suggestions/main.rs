//! Learns from intents with known tools which words speak for which tool, and says how good suggestions are. Prints totals
//! only, so that a set stays unread.
//!
//!     cargo run --release -p adjutant-app --example learn_suggestions -- SET... [--write crates/missions/suggestion/data]
//!     cargo run --release -p adjutant-app --example learn_suggestions -- SET... --as-built
//!
//! A set is a file like tests/suggestion/development.json; each is taken for the work of one author. An author is judged by what
//! others taught; many authors are put together to eight parts. A single set is divided into five. With `--write` the
//! table of all sets and what a confidence has meant are written; with `--as-built` nothing is learned, and the program
//! is measured as it is. Nothing was ever run in what is measured: it is words, types and templates.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a measuring program may stop where it stands"
)]

mod learn;
mod report;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use adjutant_app::settings::{Environment, Settings};
use adjutant_app::suggestion::{graphs_of_templates, permitted_tools};
use adjutant_app::wiring;
use adjutant_suggestion::{Graph, KnownTool, Learned, Suggester, Suggestion};
use serde::Deserialize;
use serde_json::Value;

/// Parts of a single set, and of many authors.
const PARTS: usize = 5;
const FOLDS_MAX: usize = 8;

/// An intent, and the tools that serve it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Known {
    pub(crate) intent: String,
    pub(crate) first: BTreeSet<String>,
    #[serde(default)]
    pub(crate) first_also: Vec<BTreeSet<String>>,
    pub(crate) all: BTreeSet<String>,
}

/// What was suggested for an intent, and whether it begins with the right tools.
pub(crate) struct Judged<'a> {
    pub(crate) known: &'a Known,
    pub(crate) suggested: Suggestion,
    pub(crate) is_right: bool,
}

/// What every index is built of.
struct House {
    tools: Vec<KnownTool>,
    templates: Vec<Graph>,
}

impl House {
    fn learn(&self, plain: &Suggester, seen: &[&Known]) -> Learned {
        let tools: Vec<String> = self.tools.iter().map(|tool| tool.id.clone()).collect();
        learn::learn(&tools, plain, seen)
    }

    fn suggester(&self, learned: Arc<Learned>) -> Suggester {
        Suggester::with_learned(self.tools.clone(), &self.templates, Vec::new(), learned)
    }
}

fn main() {
    let mut sets = Vec::new();
    let mut write_to = None;
    let mut as_built = false;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--write" => write_to = arguments.next(),
            "--as-built" => as_built = true,
            _ => sets.push(argument),
        }
    }
    assert!(!sets.is_empty(), "name at least one set");
    let house = house();
    let plain = house.suggester(Arc::default());
    let authors: Vec<Vec<Known>> = sets.iter().map(|set| read(set, &plain)).collect();
    if as_built {
        let built = house.suggester(Learned::built_in());
        for (set, author) in sets.iter().zip(&authors) {
            println!("{set}, as built");
            report::print(&judge(&built, author));
        }
        return;
    }
    let folds = match authors.as_slice() {
        [one] => parts(one),
        several => folds(several),
    };
    let mut judged = Vec::new();
    for (at, unseen) in folds.iter().enumerate() {
        let others = folds.iter().enumerate().filter(|(other, _)| *other != at);
        let seen: Vec<&Known> = others.flat_map(|(_, set)| set).collect();
        let suggester = house.suggester(Arc::new(house.learn(&plain, &seen)));
        let of_fold = judge(&suggester, unseen);
        println!("part {} of {}", at + 1, folds.len());
        report::print(&of_fold);
        judged.extend(of_fold);
    }
    println!("all, each judged by what the others taught");
    report::print(&judged);
    let meant = report::meant(&judged);
    print!("what a raw confidence has meant, in hundredths\n{meant}");
    if let Some(folder) = write_to {
        let all: Vec<&Known> = authors.iter().flatten().collect();
        let learned = house.learn(&plain, &all);
        keep(&folder, "learned.txt", &learned.render());
        keep(&folder, "meant_learned.txt", &meant);
    }
}

/// The tools and templates of a new installation.
fn house() -> House {
    let home = tempfile::tempdir().unwrap();
    let environment = Environment {
        adjutant_home: Some(home.path().display().to_string()),
        me: Some("you".into()),
        ..Environment::default()
    };
    let settings = Settings::load(&environment).unwrap_or_else(|error| panic!("{error:?}"));
    let registry = wiring::own_tools(&settings, wiring::HostParts::default())
        .unwrap_or_else(|error| panic!("{error:?}"));
    let caller = settings.actor(None);
    let templates = graphs_of_templates(&settings).unwrap_or_else(|error| panic!("{error:?}"));
    House {
        tools: permitted_tools(&settings, &registry, &caller),
        templates,
    }
}

/// The intents of a set. A tool that stands for another is taken for it.
fn read(set: &str, plain: &Suggester) -> Vec<Known> {
    let bytes = std::fs::read(set).unwrap();
    let mut json: Value = serde_json::from_slice(&bytes).unwrap();
    let list = match json.get_mut("intents") {
        Some(list) => list.take(),
        None => json,
    };
    let known: Vec<Known> = serde_json::from_value(list).unwrap();
    let same = |tools: BTreeSet<String>| -> BTreeSet<String> {
        let named = |tool: String| match plain.suggested_for(&tool) {
            Some(same) => same.to_owned(),
            None => panic!("{set}: there is no tool {tool}"),
        };
        tools.into_iter().map(named).collect()
    };
    let read = known.into_iter().map(|known| Known {
        first: same(known.first),
        first_also: known.first_also.into_iter().map(same).collect(),
        all: same(known.all),
        ..known
    });
    read.collect()
}

/// Authors put together: each part is judged by what the authors of the others taught.
fn folds(authors: &[Vec<Known>]) -> Vec<Vec<Known>> {
    let count = authors.len().min(FOLDS_MAX);
    let part = |at: usize| {
        authors
            .iter()
            .skip(at)
            .step_by(count)
            .flatten()
            .cloned()
            .collect()
    };
    (0..count).map(part).collect()
}

fn parts(set: &[Known]) -> Vec<Vec<Known>> {
    let part = |at: usize| set.iter().skip(at).step_by(PARTS).cloned().collect();
    (0..PARTS).map(part).collect()
}

fn judge<'a>(suggester: &Suggester, set: &'a [Known]) -> Vec<Judged<'a>> {
    let judged = set.iter().map(|known| {
        let suggested = suggester.suggest(&known.intent);
        let suggested = suggested.unwrap_or_else(|error| panic!("{error:?}"));
        let begins = suggested.graph.tasks.iter();
        let begins: BTreeSet<String> = begins
            .filter(|task| task.depends_on.is_empty())
            .map(|task| task.tool.clone())
            .collect();
        let is_right = match known.first.is_empty() {
            true => begins.is_empty(),
            false => begins == known.first || known.first_also.contains(&begins),
        };
        Judged {
            known,
            suggested,
            is_right,
        }
    });
    judged.collect()
}

/// Replaces what a file of data holds, and leaves the comment at its beginning.
fn keep(folder: &str, name: &str, text: &str) {
    let path = Path::new(folder).join(name);
    let before = std::fs::read_to_string(&path).unwrap();
    let comment = before.lines().take_while(|line| line.starts_with('#'));
    let comment: String = comment.map(|line| format!("{line}\n")).collect();
    std::fs::write(&path, format!("{comment}{text}")).unwrap();
    println!("{}: {} lines", path.display(), text.lines().count());
}
