//! Conditions with their state, registers of risks, shortfalls and the statements that come first.

use adjutant_reader::{
    Condition, ConditionState, Date, DayCount, Fulfilment, Gap, GapKind, Genre, Obligation,
    RiskRegister, RiskRow, Standing, StatementForm, is_clause,
};
use adjutant_reports::{
    ConditionRated, ConditionRead, DaysRead, Noticed, PlannedDay, RegisterRead, RiskRead, Stated,
};

use super::Seen;

/// How many statements come first, and how many shortfalls and conditions are passed on.
const FIRST_MAX: usize = 8;
/// How much of the best score a statement needs to be told with it.
const FIRST_SHARE: f64 = 0.45;
const SHORTFALLS_MAX: usize = 12;
const CONDITIONS_MAX: usize = 14;
const SINGLE_MAX: usize = 6;
/// What a condition has to be about, and that beside the most relevant one.
const RELEVANCE_MIN: f64 = 0.2;
/// A clause of a contract or rule needs less: it names the thing, not the plan.
const CLAUSE_RELEVANCE_MIN: f64 = 0.1;
/// From here on an obligation is of a list, and from here on one with a date is sure.
const LISTED: f64 = 3.5;
const DATED: f64 = 3.2;
/// What was due so long ago and is spoken of nowhere was done or dropped.
const FORGOTTEN_MONTHS: i32 = 12;
const SURE_GAP: f64 = 2.4;
const WHAT_WORDS_MIN: usize = 3;
const BESIDE_THE_BEST: f64 = 0.6;

impl Seen<'_> {
    pub(super) fn noticed(&self, objective: &str, today: Date) -> Noticed {
        let planned = self.reading.planned_day(objective, today);
        let first = self.reading.main_statements(objective, FIRST_MAX);
        let shortfalls = self.reading.shortfalls(objective, SHORTFALLS_MAX);
        let mut set = self.reading.conditions(objective);
        // Rows of criteria with weights are read by the tool that weighs them.
        set.retain(|one| self.reading.statements()[one.statement].form != StatementForm::Row);
        let conditions = relevant(set);
        let conditions = conditions.iter().map(|one| {
            let found = self.reading.fulfilment(one, planned, today);
            self.condition(one, &found)
        });
        Noticed {
            first: first
                .iter()
                .filter(|one| one.score >= first[0].score * FIRST_SHARE)
                .map(|one| self.statement(one.statement))
                .collect(),
            conditions: conditions.collect(),
            planned: planned.map(|day| PlannedDay {
                day: day.iso(),
                within: self
                    .reading
                    .times_around(objective, day)
                    .iter()
                    .map(|time| self.statement(time.statement))
                    .collect(),
            }),
            registers: self
                .reading
                .risk_registers()
                .iter()
                .map(|one| self.register(one))
                .collect(),
            shortfalls: shortfalls
                .iter()
                .map(|one| self.understandable(one.statement))
                .collect(),
            sure_owed: None,
            sure_missing: None,
        }
    }

    /// Whether an obligation is sure enough for a report: it says what is to be done, and nobody would have forgotten it.
    pub(super) fn is_sure(&self, one: &Obligation, today: Date) -> bool {
        let due = one.due.as_ref().and_then(|due| due.date);
        let is_long_ago = due.is_some_and(|due| {
            let months =
                |date: Date| i32::from(date.year()) * 12 + i32::from(date.month().unwrap_or(12));
            months(today) - months(due) > FORGOTTEN_MONTHS
        });
        let what = self.words(one.statement, &one.what);
        let is_told =
            what.split_whitespace().count() >= WHAT_WORDS_MIN && !what.starts_with("This ");
        let is_listed = one.score >= LISTED;
        let document = self.reading.statements()[one.statement].document;
        let facts = &self.reading.documents()[document];
        let holds = facts.standing == Standing::Current && !facts.is_draft;
        is_told && holds && !is_long_ago && (is_listed || one.score >= DATED && due.is_some())
    }

    /// Whether a gap is sure enough for a report, and says by itself what is missing.
    pub(super) fn is_sure_gap(&self, gap: &Gap) -> bool {
        let first = gap.statements[0];
        let document = self.reading.statements()[first].document;
        let genre = self.reading.documents()[document].genre;
        let what = self.words(first, &gap.what);
        let words = what.split_whitespace().count();
        let reads_well = what.starts_with(char::is_uppercase) && words > WHAT_WORDS_MIN;
        let is_of_form = what.contains("]:") || what.contains(" | ") || what.contains("].");
        let fits = match gap.kind {
            GapKind::Reference | GapKind::Required => true,
            GapKind::Question => {
                reads_well
                    && words > WHAT_WORDS_MIN * 2
                    && !matches!(genre, Genre::Mail | Genre::Proposal)
            }
            GapKind::Value | GapKind::Absence => reads_well && is_clause(&what),
        };
        let is_hearsay = matches!(genre, Genre::Notice | Genre::Article);
        gap.score >= SURE_GAP && !is_hearsay && fits && !is_of_form
    }

    /// The statement, with only these words of it.
    fn part(&self, statement: usize, words: &std::ops::Range<usize>) -> Stated {
        let document = self.reading.statements()[statement].document;
        let one = &self.read.taken[document];
        Stated {
            sentence: self.words(statement, words),
            row: None,
            address: one.address(words),
            ..self.statement(statement)
        }
    }

    fn condition(&self, one: &Condition, found: &Fulfilment) -> ConditionRead {
        let part = |words: &std::ops::Range<usize>| self.part(one.statement, words);
        ConditionRead {
            label: one.label.clone(),
            at: part(&one.words),
            lead: one.set_in.as_ref().map(part),
            otherwise: one.otherwise.as_ref().map(part),
            is_must: one.is_must,
            state: match found.state {
                ConditionState::Met => ConditionRated::Met,
                ConditionState::NotMet => ConditionRated::NotMet,
                ConditionState::NotShown => ConditionRated::NotShown,
            },
            grounds: found
                .grounds
                .iter()
                .map(|at| self.understandable(*at))
                .collect(),
            claimed: found.claimed.map(|at| self.understandable(at)),
            days: found.days.as_ref().map(|days| self.days(days)),
        }
    }

    fn days(&self, count: &DayCount) -> DaysRead {
        DaysRead {
            needed: count.needed,
            there: count.there,
            from: count.from.iso(),
            to: count.to.iso(),
            event: count.event.map(|at| self.statement(at)),
            is_enough: count.is_enough,
        }
    }

    fn register(&self, of: &RiskRegister) -> RegisterRead {
        let one = &self.read.taken[of.document];
        let text = &one.document.text;
        let first = of
            .rows
            .first()
            .map(|row| &self.reading.statements()[row.statement]);
        let heads = first
            .map(|row| row.cells.as_slice())
            .unwrap_or_default()
            .iter();
        let heads = heads.map(|cell| {
            let head = cell.head.clone().map(|head| text[head].trim().to_owned());
            head.unwrap_or_default()
        });
        RegisterRead {
            title: one.title().to_owned(),
            date: self.document(of.document).date,
            columns: heads.collect(),
            rows: of.rows.iter().map(|row| self.risk(row)).collect(),
        }
    }

    fn risk(&self, row: &RiskRow) -> RiskRead {
        let statement = &self.reading.statements()[row.statement];
        let cells = statement
            .cells
            .iter()
            .map(|cell| self.words(row.statement, &cell.value));
        RiskRead {
            code: row.code.clone(),
            name: self.words(row.statement, &row.name).trim().to_owned(),
            score: row.score,
            scored_in: row.scored_in.map(|at| self.statement(at)),
            cells: cells.map(|cell| cell.trim().to_owned()).collect(),
            at: self.statement(row.statement),
            notes: row.notes.iter().map(|at| self.statement(*at)).collect(),
            because: row
                .because
                .iter()
                .map(|at| self.understandable(*at))
                .collect(),
        }
    }
}

/// The conditions that were set for the objective: whole lists first, then single sentences.
fn relevant(all: Vec<Condition>) -> Vec<Condition> {
    let best = all.first().map_or(0.0, |one| one.relevance);
    let needed = RELEVANCE_MIN.max(best * BESIDE_THE_BEST);
    let (mut lists, mut single): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|one| one.set_in.is_some());
    lists.retain(|one| one.relevance >= needed);
    single.retain(|one| one.relevance >= CLAUSE_RELEVANCE_MIN);
    lists.sort_by_key(|one| (one.statement, one.words.start));
    single.truncate(SINGLE_MAX);
    lists.extend(single);
    lists.truncate(CONDITIONS_MAX);
    lists
}
