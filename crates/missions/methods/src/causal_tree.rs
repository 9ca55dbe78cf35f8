//! Why something failed: the causes that documents state as a tree, and hypotheses with their tests.
//!
//! A cause enters the tree only if a sentence states it. A hypothesis is supported if a document states it as a cause and
//! nothing contradicts it; it is contradicted if a document denies it, says otherwise, or dates it after the failure.

mod hypotheses;
mod links;
mod tree;

use std::collections::BTreeSet;

use adjutant_charts::{
    Chart, NetworkArrows, NetworkChart, NetworkEdge, NetworkLayout, NetworkNode,
};
use adjutant_questions::{Dated, Objection, Source};
use adjutant_text::causes::Certainty;
use serde::Deserialize;
use serde_json::json;

use self::hypotheses::{Hypothesis, Material, Order, Tested, Verdict, test};
use self::links::{Link, links};
use self::tree::{DEPTH_MAX, Graph, NODES_MAX, Tree, is_same};
use crate::exhibit::{Exhibit, ExhibitCell, ExhibitChart, ExhibitColumn, ExhibitTable, Statement};
use crate::given::{Choice, Found, Happened, Raised, findings};
use crate::method::{InputRefused, Method, read_input};
use crate::words::{counted, sentences, short, stems};

const SOURCES_MAX: usize = 400;
const SENTENCES_MAX: usize = 20_000;
const HYPOTHESES_MAX: usize = 10;
const LINKS_SHOWN_MAX: usize = 20;
const ENDS_TOLD_MAX: usize = 3;
const NODE_CHARACTERS_MAX: usize = 60;
const CELL_CHARACTERS_MAX: usize = 180;
/// The option of a person who wants causes listed and none of them named as the root.
const WITHOUT_ROOT: &str = "list_causes";
/// The option of a person who wants only such hypotheses tested as documents state.
const STATED_ONLY: &str = "stated_only";

pub(crate) const CAUSAL_TREE: Method = Method {
    id: "causal_tree",
    name: "Causal tree",
    about: "Builds a tree of the causes that sources state for a failure, and tests hypotheses: stated as a cause, order in \
            time, number of documents, objections.",
    inputs: || {
        json!({
            "failure": {"type": "string", "description": "What failed."},
            "sources": {"type": "array", "description": "The sources that may be cited: id, title, text."},
            "findings": {"type": "array", "description": "Answers with `findings`: each finding is a hypothesis."},
            "objections": {"type": "array", "description": "Answers of `object` questions about the hypotheses."},
            "events": {"type": "array", "description": "Answers of `timeline` questions."},
            "choices": {"type": "array", "description": "Answers of people: `option` and `note`. Each line of a note is a hypothesis."},
        })
    },
    required: &["failure", "sources"],
    apply: |input| read_input(input).and_then(causal_tree),
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CausalTree {
    failure: String,
    sources: Vec<Source>,
    #[serde(default)]
    findings: Vec<Found>,
    #[serde(default)]
    objections: Vec<Raised>,
    #[serde(default)]
    events: Vec<Happened>,
    #[serde(default)]
    choices: Vec<Choice>,
}

fn causal_tree(input: CausalTree) -> Result<Exhibit, InputRefused> {
    if input.sources.len() > SOURCES_MAX {
        return Err(InputRefused(format!(
            "at most {SOURCES_MAX} sources can be read"
        )));
    }
    let failure = stems(&input.failure);
    let links = links(&sentences(&input.sources, SENTENCES_MAX));
    let graph = Graph::new(&links);
    let tree = graph.tree(&failure);
    let tested = tested(&input, &failure, &links);
    let mut exhibit = Exhibit::default();
    if !Choice::chose(&input.choices, WITHOUT_ROOT) {
        exhibit.headlines.extend(ends(&graph, &tree, &links));
    }
    exhibit.headlines.extend(verdicts(&tested));
    exhibit.charts.extend(chart(&graph, &tree));
    exhibit.tables.extend(causes_table(&graph, &tree, &links));
    exhibit.tables.extend(tests_table(&tested));
    notes(&mut exhibit, &graph, &tree, &links, &tested);
    exhibit.data = json!({
        "causes_stated": links.len(),
        "in_tree": tree.edges.len(),
        "supported": tested.iter().filter(|one| one.verdict == Verdict::Supported).count(),
        "open": tested.iter().filter(|one| one.verdict == Verdict::Open).count(),
        "contradicted": tested.iter().filter(|one| one.verdict == Verdict::Contradicted).count(),
        "text": summary(&graph, &tree, &tested),
    });
    Ok(exhibit)
}

/// The hypotheses of people and agents, each once, tested. The supported ones come first.
fn tested(input: &CausalTree, failure: &BTreeSet<String>, links: &[Link]) -> Vec<Tested> {
    let events: Vec<&Dated> = input.events.iter().flat_map(|one| &one.events).collect();
    let objections: Vec<&Objection> = input
        .objections
        .iter()
        .flat_map(|one| &one.objections)
        .collect();
    let material = Material {
        failure,
        links,
        events: &events,
        objections: &objections,
    };
    let from_people = Choice::lines(&input.choices)
        .into_iter()
        .map(|text| Hypothesis {
            text,
            evidence: Vec::new(),
        });
    let from_agents = findings(&input.findings)
        .into_iter()
        .map(|finding| Hypothesis {
            text: finding.text.clone(),
            evidence: finding.evidence.clone(),
        });
    let mut taken: Vec<Hypothesis> = Vec::new();
    for hypothesis in from_people.chain(from_agents) {
        let words = stems(&hypothesis.text);
        let is_new = !taken
            .iter()
            .any(|known| is_same(&stems(&known.text), &words));
        if is_new && !words.is_empty() && taken.len() < HYPOTHESES_MAX {
            taken.push(hypothesis);
        }
    }
    let mut all: Vec<Tested> = taken.into_iter().map(|one| test(one, &material)).collect();
    if Choice::chose(&input.choices, STATED_ONLY) {
        all.retain(|one| one.stated.is_some());
    }
    all.sort_by_key(|one| (one.verdict, std::cmp::Reverse(one.documents)));
    all
}

/// Where the chains of causes end: the sentences that state it.
fn ends(graph: &Graph, tree: &Tree, links: &[Link]) -> Vec<Statement> {
    let mut found = Vec::new();
    for node in graph.ends(tree).into_iter().take(ENDS_TOLD_MAX) {
        let edge = tree
            .edges
            .iter()
            .map(|(at, _)| &graph.edges[*at])
            .find(|edge| edge.cause == node);
        let Some(link) = edge.and_then(|edge| surest(&edge.links, links)) else {
            continue;
        };
        let label = match link.certainty {
            Certainty::Stated => "Cause at the end of the chain",
            Certainty::Suspected | Certainty::Denied => "Suspected cause",
        };
        let text = format!("{label}: {}", short(&link.cause, CELL_CHARACTERS_MAX));
        found.push(Statement::fact(text, link.evidence.clone()));
    }
    found
}

fn surest<'a>(own: &[usize], links: &'a [Link]) -> Option<&'a Link> {
    // The first of the surest: `max_by_key` would take the last.
    own.iter()
        .map(|at| &links[*at])
        .min_by_key(|link| std::cmp::Reverse(link.certainty))
}

fn verdicts(tested: &[Tested]) -> Vec<Statement> {
    if tested.is_empty() {
        return Vec::new();
    }
    let of = |verdict: Verdict| tested.iter().filter(|one| one.verdict == verdict).count();
    vec![Statement::calculation(format!(
        "{} tested: {} supported, {} open, {} contradicted",
        match tested.len() {
            1 => "1 hypothesis".to_owned(),
            count => format!("{count} hypotheses"),
        },
        of(Verdict::Supported),
        of(Verdict::Open),
        of(Verdict::Contradicted),
    ))]
}

/// For the checkpoint that asks about the conclusions.
fn summary(graph: &Graph, tree: &Tree, tested: &[Tested]) -> String {
    let ends: Vec<String> = graph
        .ends(tree)
        .into_iter()
        .take(ENDS_TOLD_MAX)
        .map(|node| format!("“{}”", short(&graph.nodes[node].text, NODE_CHARACTERS_MAX)))
        .collect();
    let chain = match ends.as_slice() {
        [] => "No document states what caused the failure.".to_owned(),
        names => format!("The stated chains of causes end at {}.", names.join(", ")),
    };
    let verdicts: Vec<String> = tested
        .iter()
        .map(|one| {
            let text = short(&one.hypothesis.text, CELL_CHARACTERS_MAX);
            format!("{}: {text}", one.verdict.name())
        })
        .collect();
    format!("{chain} {}", verdicts.join("; ")).trim().to_owned()
}

fn chart(graph: &Graph, tree: &Tree) -> Option<ExhibitChart> {
    if tree.edges.is_empty() {
        return None;
    }
    let edges = || tree.edges.iter().map(|(at, _)| &graph.edges[*at]);
    let mut shown: BTreeSet<usize> = tree.roots.iter().copied().collect();
    shown.extend(edges().map(|edge| edge.cause));
    let group = |node: usize| match tree.roots.contains(&node) {
        true => "what failed",
        false => "cause",
    };
    let nodes = shown.iter().map(|node| NetworkNode {
        id: format!("n{node}"),
        label: short(&graph.nodes[*node].text, NODE_CHARACTERS_MAX),
        group: Some(group(*node).to_owned()),
    });
    let arrows = edges().map(|edge| NetworkEdge {
        from: format!("n{}", edge.cause),
        to: format!("n{}", edge.effect),
        label: (edge.certainty == Certainty::Suspected).then(|| "suspected".to_owned()),
    });
    Some(ExhibitChart {
        caption: "What is said to have caused what; arrows point from the cause to its effect"
            .to_owned(),
        chart: Chart::Network(NetworkChart {
            title: "Causes of the failure".to_owned(),
            subtitle: None,
            source: None,
            nodes: nodes.collect(),
            edges: arrows.collect(),
            layout: NetworkLayout::Layered,
            arrows: NetworkArrows::Forward,
        }),
    })
}

fn causes_table(graph: &Graph, tree: &Tree, links: &[Link]) -> Option<ExhibitTable> {
    let mut rows = Vec::new();
    for (at, depth) in tree.edges.iter().take(LINKS_SHOWN_MAX) {
        let edge = &graph.edges[*at];
        let Some(link) = surest(&edge.links, links) else {
            continue;
        };
        let mut evidence = Vec::new();
        for one in edge.links.iter().flat_map(|at| &links[*at].evidence) {
            if !evidence.contains(one) {
                evidence.push(one.clone());
            }
        }
        rows.push(vec![
            ExhibitCell::label(depth.to_string()),
            ExhibitCell::statement(
                short(&link.effect, CELL_CHARACTERS_MAX),
                link.evidence.clone(),
            ),
            ExhibitCell::statement(short(&link.cause, CELL_CHARACTERS_MAX), evidence),
            ExhibitCell::label(edge.certainty.name()),
            ExhibitCell::calculation(graph.support(*at, links).to_string()),
        ]);
    }
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "The tree of causes: step 1 is next to the failure".to_owned(),
        columns: vec![
            ExhibitColumn::numbers("Step", 1),
            ExhibitColumn::text("What happened", 4),
            ExhibitColumn::text("Because of", 4),
            ExhibitColumn::text("How it is said", 2),
            ExhibitColumn::numbers("Documents", 1),
        ],
        rows,
    })
}

fn tests_table(tested: &[Tested]) -> Option<ExhibitTable> {
    let rows: Vec<Vec<ExhibitCell>> = tested
        .iter()
        .map(|one| {
            let against = match one.objections.first() {
                Some(objection) => ExhibitCell::statement(
                    short(&objection.text, CELL_CHARACTERS_MAX),
                    objection.evidence.clone(),
                ),
                None => ExhibitCell::label("nothing found"),
            };
            vec![
                ExhibitCell::statement(
                    short(&one.hypothesis.text, CELL_CHARACTERS_MAX),
                    one.evidence.clone(),
                ),
                ExhibitCell::label(one.stated.map_or("not stated", Certainty::name)),
                ExhibitCell::label(match one.order {
                    Order::CauseFirst => "before the failure",
                    Order::CauseLater => "after the failure",
                    Order::Unknown => "not dated",
                }),
                ExhibitCell::calculation(one.documents.to_string()),
                against,
                ExhibitCell::calculation(one.verdict.name()),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "Hypotheses and their tests".to_owned(),
        columns: vec![
            ExhibitColumn::text("Hypothesis", 4),
            ExhibitColumn::text("As a cause", 2),
            ExhibitColumn::text("In time", 2),
            ExhibitColumn::numbers("Documents", 1),
            ExhibitColumn::text("Against it", 3),
            ExhibitColumn::text("Verdict", 2),
        ],
        rows,
    })
}

fn notes(exhibit: &mut Exhibit, graph: &Graph, tree: &Tree, links: &[Link], tested: &[Tested]) {
    let denied = links
        .iter()
        .filter(|link| link.certainty == Certainty::Denied)
        .count();
    if tree.edges.is_empty() {
        exhibit.add_note(
            "No cause stated",
            match links.len() {
                0 => "No source states a cause of anything in words such as “because”, “due to” or “led to”".to_owned(),
                count => format!(
                    "The sources state {}, none of them for what failed",
                    counted(count, "cause")
                ),
            },
        );
    }
    if denied > 0 {
        exhibit.add_note(
            "Causes that are denied",
            format!(
                "{} by a source and left out of the tree",
                match denied {
                    1 => "1 cause is denied".to_owned(),
                    count => format!("{count} causes are denied"),
                }
            ),
        );
    }
    if tested.is_empty() {
        exhibit.add_note("Nothing tested", "There was no hypothesis to test");
    }
    let is_cut =
        tree.edges.iter().any(|(_, depth)| *depth == DEPTH_MAX) || graph.nodes.len() == NODES_MAX;
    if is_cut {
        exhibit.add_note(
            "Limits",
            format!(
                "The tree was followed over {DEPTH_MAX} steps and {NODES_MAX} causes and effects"
            ),
        );
    }
    exhibit.add_note(
        "How hypotheses were tested",
        "Supported: a document states it as a cause and nothing contradicts it. Contradicted: a document denies it or says \
         otherwise, or its first date lies after that of the failure. Open: anything else. That a cause is stated does not \
         prove it",
    );
}

#[cfg(test)]
#[path = "causal_tree_tests.rs"]
mod tests;
