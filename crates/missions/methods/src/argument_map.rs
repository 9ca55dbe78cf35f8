//! A case as a map: the thesis, its reasons, what attacks them, and what answers the attacks; and which reasons stand then.
//!
//! An attack counts only if it rests on evidence at least as strong as what it attacks. Nothing is argued that no finding
//! says.

mod attacks;

use adjutant_charts::{
    Chart, NetworkArrows, NetworkChart, NetworkEdge, NetworkLayout, NetworkNode,
};
use adjutant_questions::{Evidence, FindingKind, GradeOf, ObjectionKind, Source, SourceGrade};
use serde::Deserialize;
use serde_json::json;

use self::attacks::{Standing, grounded};
use crate::exhibit::{Exhibit, ExhibitCell, ExhibitChart, ExhibitColumn, ExhibitTable, Statement};
use crate::given::{Choice, Found, Raised, findings};
use crate::method::{InputRefused, Method, read_input};
use crate::words::{documents, likeness, short, stems};

const REASONS_MAX: usize = 8;
const AGAINST_MAX: usize = 8;
const REBUTTALS_MAX: usize = 8;
const REASONS_TOLD_MAX: usize = 3;
const NODE_CHARACTERS_MAX: usize = 50;
const CELL_CHARACTERS_MAX: usize = 200;
/// From here on a finding is about an argument.
const ABOUT_MIN: f64 = 0.34;
/// One word in common may be chance.
const SHARED_MIN: usize = 2;
/// The option of a person who wants only reasons that stand.
const STANDING_ONLY: &str = "standing_only";

pub(crate) const ARGUMENT_MAP: Method = Method {
    id: "argument_map",
    name: "Argument map",
    about: "Maps a thesis with its reasons, objections and rebuttals, weighs them by their evidence, and says which reasons \
            stand.",
    inputs: || {
        json!({
            "thesis": {"type": "string", "description": "What is argued for."},
            "reasons": {"type": "array", "description": "Answers with `findings` that speak for it."},
            "against": {"type": "array", "description": "Answers with `findings` that speak against it."},
            "objections": {"type": "array", "description": "Answers of `object` questions about the reasons."},
            "rebuttals": {"type": "array", "description": "Answers with `findings` that answer objections."},
            "grades": {"type": "array", "description": "Answers of `grade` questions."},
            "sources": {"type": "array", "description": "The sources that may be cited."},
            "choices": {"type": "array", "description": "Answers of people: `option` and `note`. Each line of a note is an objection."},
        })
    },
    required: &["thesis", "reasons"],
    apply: |input| read_input(input).and_then(argument_map),
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ArgumentMap {
    thesis: String,
    reasons: Vec<Found>,
    #[serde(default)]
    against: Vec<Found>,
    #[serde(default)]
    objections: Vec<Raised>,
    #[serde(default)]
    rebuttals: Vec<Found>,
    #[serde(default)]
    grades: Vec<Grades>,
    #[serde(default)]
    sources: Vec<Source>,
    #[serde(default)]
    choices: Vec<Choice>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Grades {
    sources: Vec<SourceGrade>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Reason,
    Objection,
    Rebuttal,
}

#[derive(Debug, Clone)]
struct Argument {
    role: Role,
    text: String,
    evidence: Vec<Evidence>,
    /// What it is about: a reason or an objection by its number; the thesis if there is none.
    about: Option<usize>,
    strength: u8,
}

/// The arguments and which of them stand.
struct Map {
    arguments: Vec<Argument>,
    standings: Vec<Standing>,
    /// Attacks from weaker evidence, which do not count.
    too_weak: Vec<usize>,
}

fn argument_map(input: ArgumentMap) -> Result<Exhibit, InputRefused> {
    if input.thesis.trim().is_empty() {
        return Err(InputRefused("the thesis must not be empty".to_owned()));
    }
    let map = map(&input);
    let mut exhibit = Exhibit::default();
    let reasons = map.of(Role::Reason);
    let count = |standing: Standing| {
        reasons
            .iter()
            .filter(|at| map.standings[**at] == standing)
            .count()
    };
    let text = format!(
        "{}: {} standing, {} fallen, {} undecided",
        match reasons.len() {
            1 => "1 reason".to_owned(),
            count => format!("{count} reasons"),
        },
        count(Standing::Stands),
        count(Standing::Falls),
        count(Standing::Undecided)
    );
    match reasons.is_empty() {
        true => exhibit.add_note("No case", "No source gives a reason for it"),
        false => exhibit.headlines.push(Statement::calculation(text.clone())),
    }
    exhibit.headlines.extend(map.strongest());
    exhibit.headlines.extend(map.unanswered());
    exhibit.charts.extend(chart(&input.thesis, &map));
    let only_standing = Choice::chose(&input.choices, STANDING_ONLY);
    exhibit.tables.extend(table(&map, only_standing));
    exhibit.tables.extend(against_thesis(&map));
    if !map.too_weak.is_empty() {
        exhibit.add_note(
            "Attacks that do not count",
            format!(
                "{} on weaker evidence than what is attacked",
                match map.too_weak.len() {
                    1 => "1 attack rests".to_owned(),
                    count => format!("{count} attacks rest"),
                }
            ),
        );
    }
    let bare = reasons
        .iter()
        .filter(|at| map.arguments[**at].evidence.is_empty())
        .count();
    if bare > 0 {
        exhibit.add_note(
            "Reasons without evidence",
            format!("{bare} of {} reasons rest on no passage", reasons.len()),
        );
    }
    exhibit.data = json!({
        "reasons": reasons.len(), "stand": count(Standing::Stands), "fall": count(Standing::Falls),
        "unanswered": map.unanswered_objections().len(), "text": text,
    });
    Ok(exhibit)
}

fn map(input: &ArgumentMap) -> Map {
    let strength = |evidence: &[Evidence]| strength(evidence, &input.grades, &input.sources);
    let mut arguments: Vec<Argument> = findings(&input.reasons)
        .into_iter()
        .take(REASONS_MAX)
        .map(|finding| Argument {
            role: Role::Reason,
            text: finding.text.clone(),
            evidence: finding.evidence.clone(),
            about: None,
            strength: strength(&finding.evidence),
        })
        .collect();
    let reasons = arguments.len();
    add_objections(&mut arguments, input, &strength);
    let objections = arguments.len();
    for finding in findings(&input.rebuttals) {
        let is_known = arguments.iter().any(|one| one.text == finding.text);
        let about = about(&arguments[reasons..objections], reasons, &finding.text);
        if about.is_none() || is_known || arguments.len() == objections + REBUTTALS_MAX {
            continue;
        }
        arguments.push(Argument {
            role: Role::Rebuttal,
            text: finding.text.clone(),
            evidence: finding.evidence.clone(),
            about,
            strength: strength(&finding.evidence),
        });
    }
    weighed(arguments)
}

/// Objections to single reasons, then what people and findings bring up.
fn add_objections(
    arguments: &mut Vec<Argument>,
    input: &ArgumentMap,
    strength: &dyn Fn(&[Evidence]) -> u8,
) {
    let own = arguments.clone();
    let mut add = |text: &str, evidence: &[Evidence], about: Option<usize>| {
        let is_known = arguments.iter().any(|one| one.text == text);
        if !is_known && arguments.len() < own.len() + AGAINST_MAX {
            arguments.push(Argument {
                role: Role::Objection,
                text: text.to_owned(),
                evidence: evidence.to_vec(),
                about,
                strength: strength(evidence),
            });
        }
    };
    for objection in input.objections.iter().flat_map(|one| &one.objections) {
        let exact = own.iter().position(|one| one.text == objection.claim);
        // That nobody supports a reason is seen by its evidence.
        if objection.kind != ObjectionKind::Unsupported && exact.is_some() {
            add(&objection.text, &objection.evidence, exact);
        }
    }
    for line in Choice::lines(&input.choices) {
        add(&line, &[], about(&own, 0, &line));
    }
    for finding in findings(&input.against) {
        let about = about(&own, 0, &finding.text);
        add(&finding.text, &finding.evidence, about);
    }
}

fn weighed(arguments: Vec<Argument>) -> Map {
    let mut attacks = Vec::new();
    let mut too_weak = Vec::new();
    for (at, argument) in arguments.iter().enumerate() {
        let Some(about) = argument.about else {
            continue;
        };
        match argument.strength >= arguments[about].strength {
            true => attacks.push((at, about)),
            false => too_weak.push(at),
        }
    }
    let standings = grounded(arguments.len(), &attacks);
    Map {
        arguments,
        standings,
        too_weak,
    }
}

/// The argument that a text is about, counted from `first`; nothing if it is about none of them.
fn about(arguments: &[Argument], first: usize, text: &str) -> Option<usize> {
    let words = stems(text);
    let mut best: Option<(f64, usize)> = None;
    for (at, argument) in arguments.iter().enumerate() {
        let own = stems(&argument.text);
        let alike = likeness(&own, &words);
        let enough = own.intersection(&words).count() >= SHARED_MIN;
        if enough && alike >= ABOUT_MIN && best.is_none_or(|(known, _)| alike > known) {
            best = Some((alike, first + at));
        }
    }
    best.map(|(_, at)| at)
}

/// From 0 for no evidence to 5: the grade of the best source, and one more if several documents say so.
fn strength(evidence: &[Evidence], grades: &[Grades], sources: &[Source]) -> u8 {
    let known =
        |one: &&Evidence| sources.is_empty() || sources.iter().any(|at| at.id == one.source);
    let grade = |one: &Evidence| {
        let graded = grades.iter().flat_map(|all| &all.sources);
        let graded = graded
            .filter(|at| at.source == one.source)
            .map(|at| at.grade);
        match graded.max() {
            Some(GradeOf::VeryLow) => 1,
            Some(GradeOf::Low) | None => 2,
            Some(GradeOf::Moderate) => 3,
            Some(GradeOf::High) => 4,
        }
    };
    let best = evidence.iter().filter(known).map(grade).max().unwrap_or(0);
    best + u8::from(documents(evidence).len() > 1)
}

impl Map {
    fn of(&self, role: Role) -> Vec<usize> {
        let all = self.arguments.iter().enumerate();
        all.filter(|(_, one)| one.role == role)
            .map(|(at, _)| at)
            .collect()
    }

    /// What is about this argument.
    fn about(&self, argument: usize) -> Vec<usize> {
        let all = self.arguments.iter().enumerate();
        all.filter(|(_, one)| one.about == Some(argument))
            .map(|(at, _)| at)
            .collect()
    }

    /// The reasons that stand, those with the strongest evidence first.
    fn strongest(&self) -> Vec<Statement> {
        let mut standing = self.of(Role::Reason);
        standing.retain(|at| self.standings[*at] == Standing::Stands);
        standing.sort_by_key(|at| std::cmp::Reverse(self.arguments[*at].strength));
        let told = standing.into_iter().take(REASONS_TOLD_MAX);
        told.map(|at| {
            let argument = &self.arguments[at];
            match argument.evidence.is_empty() {
                true => Statement::interpretation(argument.text.clone()),
                false => Statement::fact(argument.text.clone(), argument.evidence.clone()),
            }
        })
        .collect()
    }

    /// Objections that stand.
    fn unanswered_objections(&self) -> Vec<usize> {
        let mut open = self.of(Role::Objection);
        open.retain(|at| self.standings[*at] != Standing::Falls);
        open.sort_by_key(|at| std::cmp::Reverse(self.arguments[*at].strength));
        open
    }

    fn unanswered(&self) -> Option<Statement> {
        let open = self.unanswered_objections();
        let first = &self.arguments[*open.first()?];
        Some(Statement {
            text: format!("Strongest objection without an answer: {}", first.text),
            kind: FindingKind::Interpretation,
            evidence: first.evidence.clone(),
        })
    }
}

fn chart(thesis: &str, map: &Map) -> Option<ExhibitChart> {
    if map.arguments.is_empty() {
        return None;
    }
    let group = |role: Role| match role {
        Role::Reason => "reason",
        Role::Objection => "objection",
        Role::Rebuttal => "rebuttal",
    };
    let mut nodes = vec![NetworkNode {
        id: "thesis".to_owned(),
        label: short(thesis, NODE_CHARACTERS_MAX),
        group: Some("thesis".to_owned()),
    }];
    nodes.extend(
        map.arguments
            .iter()
            .enumerate()
            .map(|(at, one)| NetworkNode {
                id: format!("a{at}"),
                label: short(&one.text, NODE_CHARACTERS_MAX),
                group: Some(group(one.role).to_owned()),
            }),
    );
    let edges = map
        .arguments
        .iter()
        .enumerate()
        .map(|(at, one)| NetworkEdge {
            from: format!("a{at}"),
            to: one
                .about
                .map_or("thesis".to_owned(), |about| format!("a{about}")),
            label: Some(
                match one.role {
                    Role::Reason => "for",
                    Role::Objection | Role::Rebuttal => "against",
                }
                .to_owned(),
            ),
        });
    Some(ExhibitChart {
        caption: "What speaks for the thesis, what attacks that, and what answers the attacks"
            .to_owned(),
        chart: Chart::Network(NetworkChart {
            title: "The case".to_owned(),
            subtitle: None,
            source: None,
            edges: edges.collect(),
            nodes,
            layout: NetworkLayout::Layered,
            arrows: NetworkArrows::Forward,
        }),
    })
}

fn table(map: &Map, only_standing: bool) -> Option<ExhibitTable> {
    let mut rows = Vec::new();
    for reason in map.of(Role::Reason) {
        if only_standing && map.standings[reason] != Standing::Stands {
            continue;
        }
        let objections = map.about(reason);
        let first = objections.first();
        let rebuttal = first.and_then(|at| map.about(*at).first().copied());
        rows.push(vec![
            cell(map, Some(reason)),
            ExhibitCell::calculation(map.arguments[reason].strength.to_string()),
            cell(map, first.copied()),
            cell(map, rebuttal),
            ExhibitCell::calculation(map.standings[reason].name()),
        ]);
        for objection in objections.iter().skip(1) {
            let rebuttal = map.about(*objection).first().copied();
            rows.push(vec![
                ExhibitCell::label("as above"),
                ExhibitCell::label(""),
                cell(map, Some(*objection)),
                cell(map, rebuttal),
                ExhibitCell::label(""),
            ]);
        }
    }
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "Reasons, what attacks them, and what answers that; evidence from 0 (none) to 5"
            .to_owned(),
        columns: vec![
            ExhibitColumn::text("Reason", 4),
            ExhibitColumn::numbers("Evidence", 1),
            ExhibitColumn::text("Objection", 3),
            ExhibitColumn::text("Rebuttal", 3),
            ExhibitColumn::text("The reason", 1),
        ],
        rows,
    })
}

/// Objections to the thesis itself, which no reason answers.
fn against_thesis(map: &Map) -> Option<ExhibitTable> {
    let mut own = map.of(Role::Objection);
    own.retain(|at| map.arguments[*at].about.is_none());
    let rows: Vec<Vec<ExhibitCell>> = own
        .into_iter()
        .map(|at| {
            let rebuttal = map.about(at).first().copied();
            vec![
                cell(map, Some(at)),
                cell(map, rebuttal),
                ExhibitCell::calculation(map.standings[at].name()),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "What speaks against the thesis itself".to_owned(),
        columns: vec![
            ExhibitColumn::text("Objection", 5),
            ExhibitColumn::text("Rebuttal", 4),
            ExhibitColumn::text("The objection", 1),
        ],
        rows,
    })
}

fn cell(map: &Map, argument: Option<usize>) -> ExhibitCell {
    match argument {
        Some(at) => {
            let one = &map.arguments[at];
            ExhibitCell::statement(short(&one.text, CELL_CHARACTERS_MAX), one.evidence.clone())
        }
        None => ExhibitCell::label("none found"),
    }
}

#[cfg(test)]
#[path = "argument_map_tests.rs"]
mod tests;
