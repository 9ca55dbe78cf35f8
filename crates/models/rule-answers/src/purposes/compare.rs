//! Several things side by side: for each criterion the sentence that says most of each.

use adjutant_questions::{Cell, Compare, Comparison, Row};

use super::cells::Things;
use crate::corpus::Corpus;
use crate::stance::{Reading, Relation, Side, differ};
use crate::subject::Subject;
use crate::text::confidence;

/// Below this two sentences have too little in common to say the same of two things.
const ALIKE_MIN: f64 = 0.3;
const SURE_OF_CELL: f64 = 0.7;

pub(crate) fn compare(input: &Compare) -> Comparison {
    let mut corpus = Corpus::read(&input.sources);
    let things = Things::new(&mut corpus, input.items.iter().map(String::as_str));
    let subject = Subject::new(&input.about, &input.sources);
    let mut rows = Vec::new();
    let (mut filled, mut all) = (0, 0);
    for criterion in &input.criteria {
        let query = corpus.query(criterion);
        let mut mentions = things.mentions(&corpus, &query);
        mentions.retain(|mention| {
            !subject.is_about_another(corpus.source_of(mention.at), corpus.text(mention.at))
        });
        let best: Vec<Option<usize>> = (0..input.items.len())
            .map(|item| things.best(&corpus, item, &mentions))
            .collect();
        filled += best.iter().flatten().count();
        all += best.len();
        let cells = input.items.iter().zip(&best).map(|(item, at)| Cell {
            item: item.clone(),
            text: at.map(|at| corpus.line(at)),
            evidence: at.iter().map(|at| corpus.evidence(*at)).collect(),
        });
        let cells = cells.collect();
        let said: Vec<usize> = best.into_iter().flatten().collect();
        rows.push(Row {
            criterion: criterion.clone(),
            cells,
            differs: any_differ(&mut corpus, &said),
        });
    }
    let share = f64::from(u32::try_from(filled).unwrap_or(u32::MAX)) / (all as f64).max(1.0);
    Comparison {
        rows,
        confidence: confidence(SURE_OF_CELL * share),
    }
}

fn any_differ(corpus: &mut Corpus<'_>, said: &[usize]) -> bool {
    let readings: Vec<Reading> = said
        .iter()
        .map(|at| Reading::new(corpus.text(*at), &mut corpus.stems))
        .collect();
    let pairs = (0..said.len()).flat_map(|a| (a + 1..said.len()).map(move |b| (a, b)));
    let mut pairs = pairs.filter(|(a, b)| said[*a] != said[*b]);
    pairs.any(|(a, b)| {
        tells_apart(
            &readings[a],
            &readings[b],
            corpus.likeness(said[a], said[b]),
        )
    })
}

/// By a number with the same unit, else by the side taken, else by what is said at all.
fn tells_apart(a: &Reading, b: &Reading, likeness: f64) -> bool {
    let mut compared = false;
    for own in &a.quantities {
        for other in b.quantities.iter().filter(|other| other.unit == own.unit) {
            compared = true;
            if differ(own.value, other.value) {
                return true;
            }
        }
    }
    if matches!(a.relation(b), Relation::Contradicts(_)) {
        return true;
    }
    let (one, other) = (a.judgement(Side::First), b.judgement(Side::First));
    one != other || (!compared && likeness < ALIKE_MIN)
}
