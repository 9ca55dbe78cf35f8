//! What the documents speak of and do not have.

use std::collections::HashSet;
use std::ops::Range;

use adjutant_text::dates::Date;

use crate::obligations::Obligation;
use crate::reading::Reading;
use crate::reports::Act;

/// Something that is missing. Obligations that are open are listed by [`Reading::obligations`], not here.
#[derive(Debug, Clone, PartialEq)]
pub struct Gap {
    pub kind: GapKind,
    /// The words that name it, in the document of the first statement.
    pub what: Range<usize>,
    /// The statements it rests on, at least one.
    pub statements: Vec<usize>,
    /// How surely it is one: the highest first.
    pub score: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GapKind {
    /// An attachment, annex, figure, table or document that is referred to and is not among the documents.
    Reference,
    /// A question that nothing answers.
    Question,
    /// A value that is still to be given.
    Value,
    /// Something that a document says does not exist or has not been done.
    Absence,
    /// A writing that a rule demands and that is not among the documents.
    Required,
}

/// Two gaps with this share of common words are one.
const SAME: f64 = 0.7;
/// From here on a gap is told.
const SCORE_MIN: f64 = 2.0;

impl Reading<'_> {
    /// What is missing as of `today` and is not owed by anybody, the surest first.
    pub fn gaps(&self, obligations: &[Obligation], today: Date) -> Vec<Gap> {
        let mut found = self.missing_references();
        found.extend(self.open_questions());
        found.extend(self.absences());
        found.extend(self.required_writings(today));
        let owed: HashSet<usize> = obligations
            .iter()
            .flat_map(|one| one.also.iter().copied().chain([one.statement]))
            .collect();
        let is_owed = |gap: &Gap| {
            gap.statements.iter().any(|at| owed.contains(at))
                && !matches!(gap.kind, GapKind::Reference | GapKind::Required)
        };
        found.retain(|gap| gap.score >= SCORE_MIN && !is_owed(gap));
        let found = self.without_later_answer(found, today);
        let mut found = self.gaps_once(found);
        found.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then(a.statements.cmp(&b.statements))
        });
        found
    }

    /// Leaves out what a later document reports as there.
    fn without_later_answer(&self, found: Vec<Gap>, today: Date) -> Vec<Gap> {
        let act = |gap: &Gap| self.act(self.statements[gap.statements[0]].document, &gap.what, "");
        let acts: Vec<Act> = found.iter().map(act).collect();
        let places = self.places(&acts);
        let still = |(gap, act): &(Gap, Act)| {
            let own = self.statements[gap.statements[0]].document;
            // A reference is answered by the thing itself, which was looked for already.
            let is_answered = matches!(gap.kind, GapKind::Absence | GapKind::Question);
            let since = self.facts[own].date;
            !is_answered
                || since.is_none()
                || self
                    .done(act, &places, &gap.statements, since, today)
                    .is_none()
        };
        found
            .into_iter()
            .zip(acts)
            .filter(still)
            .map(|(gap, _)| gap)
            .collect()
    }

    /// Gaps that several statements tell, each once.
    fn gaps_once(&self, mut found: Vec<Gap>) -> Vec<Gap> {
        found.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then(a.statements.cmp(&b.statements))
        });
        let mut kept: Vec<(Gap, Act)> = Vec::new();
        for gap in found {
            let act = self.act(self.statements[gap.statements[0]].document, &gap.what, "");
            let same = kept.iter_mut().find(|(other, known)| {
                other.statements.contains(&gap.statements[0])
                    || other.kind == gap.kind && is_same(known, &act)
            });
            match same {
                Some((other, _)) => {
                    let new = gap
                        .statements
                        .iter()
                        .filter(|at| !other.statements.contains(at));
                    let new: Vec<usize> = new.copied().collect();
                    other.statements.extend(new);
                }
                None => kept.push((gap, act)),
            }
        }
        kept.into_iter().map(|(gap, _)| gap).collect()
    }
}

fn is_same(a: &Act, b: &Act) -> bool {
    let common: f64 = a
        .terms
        .iter()
        .filter(|(term, _)| b.terms.iter().any(|(own, _)| own == term))
        .map(|(_, weight)| weight)
        .sum();
    let larger = a.total.max(b.total);
    larger > 0.0 && common / larger >= SAME
}
