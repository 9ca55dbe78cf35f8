//! Risks as documents give them: their registers with their own scales, what does not work, and conditions that are not met.

use adjutant_document_model::{Block, Figure, Mark, Section, Span};

use crate::builder::{Builder, Nature, column, figures, in_a_row, label, note, section, table};
use crate::documents_read::{DocumentsRead, Owed, OwedStatus, Stated};
use crate::first_page::{source, sourced};
use crate::noticed::{ConditionRated, RegisterRead, RiskRead};
use crate::shared::bullets;
use crate::text::{capital, content, counted, number, plain, share, short, unnumbered, written};

const TOP_RISKS: usize = 5;
const TOLD_RISKS: usize = 8;
const TOP_SHORTFALLS: usize = 4;
const TASKS_EACH_MAX: usize = 2;
const CHARS_MAX: usize = 240;
/// How much of a task's words a risk must have for the one to be about the other.
const SAME_MATTER: f64 = 0.34;
const NOT_SCORED: &str = "not scored";

/// Whether there is anything that a table of risks can be made of.
pub(crate) fn has_risks(read: &DocumentsRead) -> bool {
    !read.noticed.registers.is_empty() || !read.noticed.shortfalls.is_empty()
}

pub(crate) fn summary(builder: &mut Builder<'_>, read: &DocumentsRead) -> Vec<Block> {
    let risks: Vec<&RiskRead> = all(read);
    let scored = risks.iter().filter(|risk| risk.score.is_some()).count();
    let figure = |count: usize, label: &str| Figure {
        value: count.to_string(),
        label: label.to_owned(),
        cites: Vec::new(),
    };
    let unmet = unmet(read).count();
    let mut blocks = vec![Block::Figures(vec![
        figure(risks.len(), "risks in registers in force"),
        figure(scored, "of them with a score of the documents"),
        figure(read.owed_count(OwedStatus::Overdue), "tasks overdue"),
        figure(unmet, "conditions not met"),
    ])];
    let items: Vec<Vec<Span>> = risks
        .iter()
        .take(TOP_RISKS)
        .filter_map(|risk| headline(builder, risk))
        .collect();
    if !items.is_empty() {
        blocks.push(Block::Heading("The highest risks".to_owned()));
        blocks.push(Block::Bullets(items));
    }
    let shortfalls = read.noticed.shortfalls.iter().take(TOP_SHORTFALLS);
    let spans: Vec<Span> = shortfalls
        .filter_map(|stated| sourced(builder, stated))
        .collect();
    if let Some(list) = bullets(spans) {
        blocks.push(Block::Heading("What does not hold today".to_owned()));
        blocks.push(list);
    }
    blocks
}

fn all(read: &DocumentsRead) -> Vec<&RiskRead> {
    read.noticed
        .registers
        .iter()
        .flat_map(|register| &register.rows)
        .collect()
}

/// A risk with its score and the first reason for it.
fn headline(builder: &mut Builder<'_>, risk: &RiskRead) -> Option<Vec<Span>> {
    let told = match risk.score {
        Some(score) => format!("{}: {}", risk.named(), written(score, 1)),
        None => format!("{}: {NOT_SCORED}", risk.named()),
    };
    let evidence: Vec<_> = [Some(&risk.at), risk.scored_in.as_ref()]
        .into_iter()
        .flatten()
        .map(Stated::evidence)
        .collect();
    let mut first = builder.statement(&told, &evidence, Nature::Fact)?;
    first.strong = true;
    let reason = risk.notes.iter().chain(&risk.because);
    let reason = reason
        .map(|stated| without_code(risk, stated))
        .collect::<Vec<_>>();
    let reason = reason.iter();
    let reason = reason.take(1).filter_map(|stated| sourced(builder, stated));
    let spans: Vec<Span> = std::iter::once(first).chain(reason).collect();
    Some(in_a_row(spans))
}

pub(crate) fn sections(builder: &mut Builder<'_>, read: &DocumentsRead) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for register in &read.noticed.registers {
        sections.push(register_table(builder, register));
    }
    if read.noticed.registers.is_empty() {
        let text =
            "The documents have no register of risks that is in force, so nothing here has a score";
        sections.push(section("Scores", vec![note("Not scored", text)]));
    }
    sections.extend([
        one_by_one(builder, read),
        not_holding(builder, read),
        not_met(builder, read),
    ]);
    sections
}

fn register_table(builder: &mut Builder<'_>, register: &RegisterRead) -> Section {
    let used: Vec<usize> = (0..register.columns.len())
        .filter(|at| {
            register
                .rows
                .iter()
                .any(|row| row.cells.get(*at).is_some_and(|cell| !cell.is_empty()))
        })
        .collect();
    let is_number = |at: &usize| {
        let cells = register.rows.iter().filter_map(|row| row.cells.get(*at));
        let mut filled = cells.filter(|cell| !cell.is_empty()).peekable();
        filled.peek().is_some()
            && filled.all(|cell| {
                number(cell).is_some() || ["n/a", "-", "–"].contains(&cell.to_lowercase().as_str())
            })
    };
    let joined = register.rows.iter().any(|row| row.scored_in.is_some());
    let mut columns: Vec<_> = used
        .iter()
        .map(|at| {
            let head = capital(&short(&register.columns[*at], 40));
            let head = if head.is_empty() {
                "Entry".to_owned()
            } else {
                head
            };
            match is_number(at) {
                true => figures(&head, 2),
                false => column(&head, width(register, *at)),
            }
        })
        .collect();
    if joined {
        columns.push(figures("Score", 2));
    }
    let rows = register.rows.iter().map(|row| {
        let mut cells: Vec<Vec<Span>> = used
            .iter()
            .map(|at| {
                label(short(
                    row.cells.get(*at).map_or("", String::as_str),
                    CHARS_MAX,
                ))
            })
            .collect();
        // One citation proves the whole row.
        let longest = used
            .iter()
            .position(|at| row.cells.get(*at).is_some_and(|cell| *cell == row.name));
        if let Some(cell) = longest.and_then(|at| cells.get_mut(at)) {
            *cell = vec![builder.cell(&row.name, &[row.at.evidence()])];
        }
        if joined {
            cells.push(match (&row.scored_in, row.score) {
                (Some(at), Some(score)) => vec![builder.cell(&written(score, 1), &[at.evidence()])],
                _ => label(NOT_SCORED),
            });
        }
        cells
    });
    let rows: Vec<_> = rows.collect();
    let date = register
        .date
        .as_ref()
        .map_or(String::new(), |date| format!(", {date}"));
    let caption = format!(
        "{}{date}: all its risks, with its own scale",
        short(&plain(&register.title), 100)
    );
    section(
        "The register of risks",
        table(caption, columns, rows).into_iter().collect(),
    )
}

/// A column of codes is narrow, one of sentences wide.
fn width(register: &RegisterRead, column: usize) -> u16 {
    let cells = register.rows.iter().filter_map(|row| row.cells.get(column));
    match cells
        .map(|cell| cell.chars().count())
        .max()
        .unwrap_or_default()
    {
        0..=8 => 2,
        9..=25 => 4,
        _ => 8,
    }
}

/// For each of the highest risks what its register notes, what other documents show, and who is to do what.
fn one_by_one(builder: &mut Builder<'_>, read: &DocumentsRead) -> Section {
    let mut blocks = Vec::new();
    for risk in all(read).into_iter().take(TOLD_RISKS) {
        let mut spans: Vec<Span> = Vec::new();
        for stated in risk.notes.iter().chain(&risk.because) {
            spans.extend(sourced(builder, &without_code(risk, stated)));
        }
        for owed in tasks(read, risk) {
            spans.extend(task(builder, owed));
        }
        if let Some(list) = bullets(spans) {
            blocks.push(Block::Heading(short(&risk.named(), 120)));
            blocks.push(list);
        }
    }
    section("The highest risks one by one", blocks)
}

/// A note on a risk begins with its code, which stands in the heading.
fn without_code(risk: &RiskRead, stated: &Stated) -> Stated {
    let mut own = stated.clone();
    if let (Some(code), None) = (&risk.code, &own.row) {
        let text = own.sentence.trim_start_matches(['*', ' ']);
        let rest = text.strip_prefix(code.as_str());
        own.row = rest.map(|rest| rest.trim_start_matches(['*', ':', ' ']).to_owned());
    }
    own
}

/// What is owed and not done on the matter of a risk.
fn tasks<'r>(read: &'r DocumentsRead, risk: &RiskRead) -> Vec<&'r Owed> {
    let words = content(&risk.name);
    let open = read
        .sure_owed()
        .iter()
        .filter(|one| one.status != OwedStatus::Fulfilled);
    let near = open.filter(|one| {
        let own = content(&one.what);
        let names_it = risk
            .code
            .as_ref()
            .is_some_and(|code| one.at.sentence.contains(code.as_str()));
        names_it || share(&own, &words) >= SAME_MATTER
    });
    near.take(TASKS_EACH_MAX).collect()
}

fn task(builder: &mut Builder<'_>, owed: &Owed) -> Option<Span> {
    let status = if owed.status == OwedStatus::Overdue {
        "Overdue"
    } else {
        "To do"
    };
    let who = owed
        .who
        .as_ref()
        .map_or(String::new(), |who| format!(", {}", short(who, 60)));
    let due = owed
        .due
        .as_ref()
        .map_or(String::new(), |due| format!(", due {due}"));
    let what = short(unnumbered(&owed.what), CHARS_MAX);
    let told = format!(
        "{status}{who}{due}: {} ({})",
        what.trim_end_matches('.'),
        source(&owed.at)
    );
    builder.statement(&told, &[owed.at.evidence()], Nature::Interpretation)
}

fn not_holding(builder: &mut Builder<'_>, read: &DocumentsRead) -> Section {
    let spans: Vec<Span> = read
        .noticed
        .shortfalls
        .iter()
        .filter_map(|stated| sourced(builder, stated))
        .collect();
    section(
        "What else does not hold or is not there",
        bullets(spans).into_iter().collect(),
    )
}

fn unmet(read: &DocumentsRead) -> impl Iterator<Item = &crate::noticed::ConditionRead> {
    let all = read.noticed.conditions.iter();
    all.filter(|one| one.state == ConditionRated::NotMet)
}

fn not_met(builder: &mut Builder<'_>, read: &DocumentsRead) -> Section {
    let rows = unmet(read).map(|one| {
        let what = short(&plain(unnumbered(&one.at.sentence)), CHARS_MAX);
        let grounds = one.grounds.first().map(|ground| {
            let said = short(&plain(unnumbered(ground.told())), CHARS_MAX);
            let told = builder.cell(&said, &[ground.evidence()]);
            let from = label(format!(" ({})", source(ground)));
            std::iter::once(told).chain(from).collect::<Vec<_>>()
        });
        let counted = Span {
            text: one.days.as_ref().map_or(String::new(), |days| {
                format!(
                    "{} of {} there are.",
                    days.there,
                    counted(usize::try_from(days.needed).unwrap_or_default(), "day")
                )
            }),
            mark: Some(Mark::Calculation),
            ..Span::default()
        };
        vec![
            vec![builder.cell(&capital(&what), &[one.at.evidence()])],
            grounds.unwrap_or_else(|| vec![counted]),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let columns = vec![column("Condition", 5), column("Why it is not met", 6)];
    section(
        "Conditions that are not met",
        table(
            "Conditions that documents set and that are not met",
            columns,
            rows,
        )
        .into_iter()
        .collect(),
    )
}
