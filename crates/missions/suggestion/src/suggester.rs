//! The index of everything that suggestions are made of, and making one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::arrange::{self, Arranged};
use crate::choose::{self, Chosen, SERVED_SHARE};
use crate::clauses::{Clause, clauses};
use crate::confidence::{Confidence, SURE_ENOUGH};
use crate::coverage;
use crate::flow::Flow;
use crate::graph::Graph;
use crate::learned::Learned;
use crate::past::{Alike, Covers, Past, PastWorkflow, WorkflowOutcome};
use crate::repeat::{self, Repeated};
use crate::search::TextIndex;
use crate::suggestion::{AilReason, Nearest, Suggestion};
use crate::tool::{KnownTool, Signature};
use crate::words::{lines, pairs, terms};

/// A longer intent is refused: it is a document.
pub const INTENT_CHARS_MAX: usize = 4_000;
/// A workflow less alike than this does not make an intent a known one.
const NOVEL_BELOW: f64 = 0.5;
/// What a template says of what follows what, in calls of workflows that were run.
const TEMPLATE_COUNTS: f64 = 0.5;

/// What the words of each part of a manifest count.
const NAME: f64 = 3.0;
const DESCRIPTION: f64 = 1.0;
const ARGUMENT: f64 = 0.4;
const ABOUT_ARGUMENT: f64 = 0.25;
const WAY: f64 = 1.5;
const USE: f64 = 2.0;

/// An intent that nothing can be suggested for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntentRefused {
    Empty,
    TooLong { chars: usize },
}

/// A tool with what it needs and gives.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) tool: KnownTool,
    pub(crate) signature: Signature,
    /// A cheaper tool that does the same.
    pub(crate) twin_of: Option<usize>,
}

/// What a text of the index is of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextOf {
    Manifest,
    Way(usize),
    Use,
}

/// Suggests graphs. Built once for a set of tools and past workflows.
#[derive(Debug)]
pub struct Suggester {
    pub(crate) tools: Vec<Entry>,
    by_id: BTreeMap<String, usize>,
    pub(crate) texts: TextIndex,
    /// Of each text its tool, and what it is of it.
    pub(crate) of_text: Vec<(usize, TextOf)>,
    pub(crate) flow: Flow,
    pub(crate) past: Past,
    pub(crate) learned: Arc<Learned>,
}

impl Suggester {
    /// Of the tools that may be called, the graphs of templates, and the workflows that ended.
    pub fn new(tools: Vec<KnownTool>, templates: &[Graph], past: Vec<PastWorkflow>) -> Self {
        Self::with_learned(tools, templates, past, Learned::built_in())
    }

    /// The same with what was learned elsewhere.
    pub fn with_learned(
        tools: Vec<KnownTool>,
        templates: &[Graph],
        past: Vec<PastWorkflow>,
        learned: Arc<Learned>,
    ) -> Self {
        let tools = entries(tools);
        let by_id: BTreeMap<String, usize> = tools
            .iter()
            .enumerate()
            .map(|(at, entry)| (entry.tool.id.clone(), at))
            .collect();
        let (texts, of_text) = tool_texts(&tools, &by_id);
        let texts = TextIndex::build(&texts, |at| of_text[at].0);
        let mut flow = Flow::new(tools.len());
        let mut add = |graph: &Graph, weight: f64| {
            let number = |id: &str| by_id.get(id).map(|at| tools[*at].twin_of.unwrap_or(*at));
            for tool in graph.tools() {
                if let Some(tool) = number(tool) {
                    flow.add_call(tool, weight);
                }
            }
            for (from, to) in graph.steps() {
                if let (Some(from), Some(to)) = (number(from), number(to)) {
                    flow.add_step(from, to, weight);
                }
            }
        };
        for template in templates {
            add(template, TEMPLATE_COUNTS);
        }
        for workflow in &past {
            if workflow.outcome == WorkflowOutcome::Completed {
                add(&workflow.graph, 1.0);
            }
        }
        flow.finish();
        let mut whole = past;
        whole.retain(|workflow| workflow.covers == Covers::Whole);
        Self {
            tools,
            by_id,
            texts,
            of_text,
            flow,
            past: Past::new(whole),
            learned,
        }
    }

    /// The tool that is suggested where this one would do: itself, or a cheaper one that does the same.
    pub fn suggested_for(&self, tool: &str) -> Option<&str> {
        let at = self.number(tool)?;
        let same = self.tools[at].twin_of.unwrap_or(at);
        Some(&self.tools[same].tool.id)
    }

    /// A graph for an intent.
    pub fn suggest(&self, intent: &str) -> Result<Suggestion, IntentRefused> {
        let intent = intent.trim();
        let chars = intent.chars().count();
        if chars > INTENT_CHARS_MAX {
            return Err(IntentRefused::TooLong { chars });
        }
        // What is taken over from it is data: none of its braces may become a reference.
        let plain = intent.replace("{{", "{ {").replace("}}", "} }");
        let parts = clauses(&plain);
        if parts.is_empty() {
            return Err(IntentRefused::Empty);
        }
        let alike = self.past.alike(intent);
        let made = match repeat::repeat(self, &plain, &parts, &alike) {
            Some(again) => self.made_again(&plain, &parts, again),
            None => self.made(&plain, &parts, &alike),
        };
        Ok(Suggestion {
            intent: intent.to_owned(),
            ..made
        })
    }

    /// The graph of a workflow that wanted the same.
    fn made_again(&self, intent: &str, parts: &[Clause], again: Repeated) -> Suggestion {
        let before = &self.past.workflows[again.of.workflow].intent;
        let tasks = &again.arranged.graph.tasks;
        let not_covered = coverage::not_covered_again(parts, before, tasks);
        let tools: BTreeSet<usize> = again.tools.iter().copied().collect();
        let (pagerank, path) = self.centrality(&tools, &again.arranged.steps);
        let similarity = again.of.similarity;
        let confidence = Confidence::repeated(
            similarity,
            again.succeeded,
            pagerank,
            path,
            self.flow.density(),
        );
        self.told(
            intent,
            again.arranged,
            confidence,
            not_covered,
            Some(again.of),
        )
    }

    /// A graph of the tools that are chosen by words.
    fn made(&self, intent: &str, parts: &[Clause], alike: &[Alike]) -> Suggestion {
        let chosen = choose::choose(self, intent, parts, alike);
        let arranged = arrange::arrange(self, intent, parts, &chosen);
        let tools: BTreeSet<usize> = chosen.choices.iter().map(|choice| choice.tool).collect();
        let is_complete = arranged.missing.is_empty();
        let tasks = &arranged.graph.tasks;
        let not_covered = coverage::not_covered(self, parts, &tools, tasks, is_complete);
        let confidence = self.confidence(&chosen, &tools, &arranged);
        let nearest = self.past.best_completed(alike);
        self.told(intent, arranged, confidence, not_covered, nearest)
    }

    fn told(
        &self,
        intent: &str,
        arranged: Arranged,
        confidence: Confidence,
        not_covered: Vec<String>,
        nearest: Option<Alike>,
    ) -> Suggestion {
        let novel = nearest.is_none_or(|nearest| nearest.similarity < NOVEL_BELOW);
        let ail_required = match () {
            () if arranged.graph.tasks.is_empty() => Some(AilReason::NothingFits),
            () if confidence.value < SURE_ENOUGH => Some(AilReason::LowConfidence),
            () if novel => Some(AilReason::Novel),
            () if !arranged.missing.is_empty() => Some(AilReason::MissingArguments),
            () if !not_covered.is_empty() => Some(AilReason::NotCovered),
            () => None,
        };
        let nearest = nearest.map(|nearest| {
            let workflow = &self.past.workflows[nearest.workflow];
            Nearest {
                workflow: workflow.id.clone(),
                intent: workflow.intent.clone(),
                similarity: libm::round(nearest.similarity * 1_000.0) / 1_000.0,
            }
        });
        Suggestion {
            intent: intent.to_owned(),
            graph: arranged.graph,
            missing: arranged.missing,
            confidence,
            novel,
            nearest,
            why: arranged.why,
            not_covered,
            ail_required,
        }
    }

    fn confidence(
        &self,
        chosen: &Chosen,
        tools: &BTreeSet<usize>,
        arranged: &Arranged,
    ) -> Confidence {
        let density = self.flow.density();
        if tools.is_empty() {
            return Confidence::none(density);
        }
        let (pagerank, path) = self.centrality(tools, &arranged.steps);
        let (hybrid, rests) = chosen.strength();
        Confidence::new(rests, hybrid, pagerank, path, density)
    }

    /// How central tools are, and how short the ways between those that follow each other.
    fn centrality(&self, tools: &BTreeSet<usize>, steps: &[(usize, usize)]) -> (f64, f64) {
        let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len().max(1) as f64;
        let pagerank = mean(tools.iter().map(|tool| self.flow.rank(*tool)).collect());
        let path = match steps.is_empty() {
            // Without an order there is only whether each was called before.
            true => mean(
                tools
                    .iter()
                    .map(|tool| f64::from(u8::from(self.flow.was_called(*tool))))
                    .collect(),
            ),
            false => mean(
                steps
                    .iter()
                    .map(|(from, to)| self.closeness(*from, *to))
                    .collect(),
            ),
        };
        (pagerank, path)
    }

    /// 1 for a tool that was called right after the other, less the more steps lie between, 0 without a way.
    pub(crate) fn closeness(&self, from: usize, to: usize) -> f64 {
        match self.flow.distance(from, to) {
            Some(0) | None => 0.0,
            Some(steps) => 1.0 / f64::from(steps),
        }
    }

    /// Whether a term asks for one of these tools by their own words: nearly as clearly as for any.
    pub(crate) fn serves_any(&self, term: &str, tools: &BTreeSet<usize>) -> bool {
        let asked = self.texts.asked(term);
        let least = SERVED_SHARE * self.texts.weight_max(&asked);
        let mut weights = self.texts.weights(&asked);
        weights
            .any(|(text, weight)| weight >= least && tools.contains(&self.of_text[text as usize].0))
    }

    pub(crate) fn number(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }
}

fn entries(tools: Vec<KnownTool>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = tools
        .into_iter()
        .map(|tool| Entry {
            signature: Signature::read(&tool),
            tool,
            twin_of: None,
        })
        .collect();
    let mut cheapest: BTreeMap<String, usize> = BTreeMap::new();
    for (at, entry) in entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| !entry.tool.description.is_empty())
    {
        let same = cheapest.entry(entry.tool.description.clone()).or_insert(at);
        if entries[at].tool.price < entries[*same].tool.price {
            *same = at;
        }
    }
    let twins: Vec<Option<usize>> = entries
        .iter()
        .enumerate()
        .map(|(at, entry)| {
            cheapest
                .get(&entry.tool.description)
                .copied()
                .filter(|same| *same != at)
        })
        .collect();
    for (entry, twin) in entries.iter_mut().zip(twins) {
        entry.twin_of = twin;
    }
    entries
}

type Weighed = BTreeMap<String, f64>;

fn tool_texts(
    tools: &[Entry],
    by_id: &BTreeMap<String, usize>,
) -> (Vec<Weighed>, Vec<(usize, TextOf)>) {
    let mut texts = Vec::new();
    let mut of_text = Vec::new();
    for (at, entry) in tools.iter().enumerate() {
        texts.push(manifest_text(entry));
        of_text.push((at, TextOf::Manifest));
        if entry.signature.ways.len() > 1 {
            for (number, way) in entry.signature.ways.iter().enumerate() {
                let name = way.chosen_by.as_ref().map_or("", |(_, value)| value);
                let mut text = Weighed::new();
                add(&mut text, &name.replace('_', " "), WAY);
                add(&mut text, &way.about, WAY);
                for argument in way.required() {
                    add(&mut text, &argument.name, ARGUMENT);
                }
                texts.push(text);
                of_text.push((at, TextOf::Way(number)));
            }
        }
    }
    for line in lines(include_str!("../data/uses.txt")) {
        let Some((id, said)) = line.split_once(": ") else {
            continue;
        };
        if let Some(at) = by_id.get(id) {
            let mut text = Weighed::new();
            add(&mut text, said, USE);
            texts.push(text);
            of_text.push((*at, TextOf::Use));
        }
    }
    (texts, of_text)
}

fn manifest_text(entry: &Entry) -> Weighed {
    let mut text = Weighed::new();
    add(
        &mut text,
        &entry.tool.id.replace(['-', '_', '.', ':'], " "),
        NAME,
    );
    add(&mut text, &entry.tool.name, NAME);
    add(&mut text, &entry.tool.description, DESCRIPTION);
    if let [way] = entry.signature.ways.as_slice() {
        for argument in &way.arguments {
            add(&mut text, &argument.name.replace('_', " "), ARGUMENT);
            add(&mut text, &argument.about, ABOUT_ARGUMENT);
            for choice in &argument.choices {
                add(&mut text, &choice.replace('_', " "), ARGUMENT);
            }
        }
    }
    text
}

/// Repetitions count no more than the strongest place.
fn add(text: &mut Weighed, words: &str, weight: f64) {
    for part in words.split([',', ';', '.', ':', '(']) {
        let single = terms(part);
        for term in pairs(&single).into_iter().chain(single) {
            let there = text.entry(term).or_insert(weight);
            *there = there.max(weight);
        }
    }
}
