//! Options in the wording of an objective, and options and criteria in tables of the sources.

use adjutant_questions::{Evidence, Source};

use super::{Choice, Dimension, Origin, is_named};
use crate::tables::{Table, TableRow, tables};
use crate::text::{amounts, coverage, plain};

/// How a heading begins under which options stand.
const OPTION_HEADINGS: &[&str] = &[
    "option",
    "alternative",
    "variant",
    "candidate",
    "choice",
    "supplier",
    "vendor",
    "offer",
    "scenario",
    "solution",
    "proposal",
    "substitute",
    "replacement",
];
/// Headings of columns that describe a criterion and are no option.
const ABOUT_CRITERIA: &[&str] = &[
    "weight",
    "threshold",
    "target",
    "required",
    "requirement",
    "limit",
    "unit",
    "must",
    "note",
    "remark",
    "comment",
    "source",
    "why",
    "reason",
    "description",
    "owner",
    "met",
    "status",
    "verdict",
    "score",
    "value",
    "result",
];
/// Words before the first option of a question.
const LEADING: &[&str] = &[
    "should",
    "shall",
    "could",
    "can",
    "we",
    "i",
    "do",
    "does",
    "is",
    "are",
    "it",
    "better",
    "to",
    "which",
    "what",
    "whether",
    "of",
    "between",
    "choose",
    "compare",
    "the",
    "trade-off",
    "trade-offs",
    "tradeoff",
    "tradeoffs",
    "trade",
    "off",
    "either",
    "how",
    "weigh",
    "decide",
    "best",
];
const OPTION_WORDS_MAX: usize = 8;

/// What tables of the sources name.
#[derive(Debug, Default)]
pub(super) struct Tabled {
    pub(super) options: Vec<Choice>,
    pub(super) criteria: Vec<Dimension>,
}

/// Two or more options that the objective itself names; nothing if it does not clearly name several.
pub(super) fn in_objective(objective: &str) -> Vec<String> {
    let line = plain(objective);
    let sentence = line.split_inclusive(['?', '.', ';', ':']).find(|part| {
        SEPARATORS
            .iter()
            .any(|word| part.to_lowercase().contains(word))
    });
    let Some(sentence) = sentence else {
        return Vec::new();
    };
    let sentence = sentence.trim_end_matches(['?', '.', ';', ':', ' ']);
    let small = sentence.to_lowercase();
    // Small letters may have another length; then the text is used as it is.
    let source = if small.len() == sentence.len() {
        sentence
    } else {
        small.as_str()
    };
    let at = |word: &str| small.find(word).map(|at| (at, at + word.len()));
    let pieces: Vec<&str> = if let Some((_, start)) = at("between ")
        && let Some(and) = small[start..].find(" and ").map(|at| start + at)
    {
        vec![&source[start..and], &source[and + " and ".len()..]]
    } else if let Some((end, start)) = [" versus ", " vs. ", " vs "]
        .iter()
        .find_map(|word| at(word))
    {
        vec![&source[..end], &source[start..]]
    } else {
        let Some((end, start)) = at(" or ") else {
            return Vec::new();
        };
        let before = source[..end].split(',');
        before.chain([&source[start..]]).collect()
    };
    let mut names: Vec<String> = pieces.into_iter().map(option_name).collect();
    names.retain(|name| !name.is_empty());
    match names.len() {
        0 | 1 => Vec::new(),
        _ => names,
    }
}

/// `whether to sell the boat`: to do it, or to leave it.
pub(super) fn done_or_not(objective: &str) -> Vec<String> {
    let Some((_, rest)) = objective.split_once("whether to ") else {
        return Vec::new();
    };
    let end = rest.find(['?', '.', ';', ':', ',']).unwrap_or(rest.len());
    match option_name(&rest[..end]) {
        name if name.is_empty() => Vec::new(),
        name => vec![name, LEFT_AS_IT_IS.to_owned()],
    }
}

const LEFT_AS_IT_IS: &str = "leave it as it is";
const SEPARATORS: &[&str] = &["between ", " versus ", " vs ", " vs. ", " or "];

fn option_name(piece: &str) -> String {
    let words: Vec<&str> = piece.split_whitespace().collect();
    let leading = words.iter().take_while(|word| {
        let word = word
            .trim_matches(|char: char| !char.is_alphanumeric())
            .to_lowercase();
        LEADING.contains(&word.as_str())
    });
    let skipped = leading.count();
    let name: Vec<&str> = words[skipped..]
        .iter()
        .take(OPTION_WORDS_MAX)
        .copied()
        .collect();
    name.join(" ").trim_matches([',', ' ', '"']).to_owned()
}

/// Of several tables with options, the one that has most words of the objective, the first of equals.
pub(super) fn in_tables(sources: &[Source], objective: &str) -> Tabled {
    let mut best: Option<(f64, Vec<Choice>, Vec<Dimension>)> = None;
    let mut stated: Vec<(Option<&str>, Vec<Dimension>)> = Vec::new();
    for source in sources {
        for table in tables(&source.text) {
            let weighted = weighted_criteria(source, &table);
            if weighted.len() > 1 {
                stated.push((source.published.as_deref(), weighted));
            }
            let (options, criteria) = options_of(source, &table);
            if options.len() < 2 {
                continue;
            }
            let text = format!(
                "{} {} {}",
                source.title,
                table.names.join(" "),
                lines(&table)
            );
            let fit = coverage(objective, &text);
            if best.as_ref().is_none_or(|(most, ..)| fit > *most) {
                best = Some((fit, options, criteria));
            }
        }
    }
    // The newest table of weights is the one that holds.
    stated.sort_by(|one, other| one.0.cmp(&other.0));
    let (options, of_table) = best
        .map(|(_, options, criteria)| (options, criteria))
        .unwrap_or_default();
    let criteria = stated.pop().map_or(of_table, |(_, criteria)| criteria);
    Tabled { options, criteria }
}

fn lines(table: &Table) -> String {
    table
        .rows
        .iter()
        .map(|row| row.line.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

fn cited(source: &Source, row: &TableRow) -> Vec<Evidence> {
    vec![Evidence {
        source: source.id.clone(),
        quote: row.line.clone(),
    }]
}

/// A row for each option, or a column for each option.
fn options_of(source: &Source, table: &Table) -> (Vec<Choice>, Vec<Dimension>) {
    let Some(first) = table.headings.first() else {
        return Default::default();
    };
    if OPTION_HEADINGS.iter().any(|word| first.starts_with(word)) {
        return by_rows(source, table);
    }
    if first.starts_with("criteri") || OPTION_HEADINGS.iter().any(|word| first.ends_with(word)) {
        return by_columns(source, table);
    }
    Default::default()
}

fn by_rows(source: &Source, table: &Table) -> (Vec<Choice>, Vec<Dimension>) {
    let mut options: Vec<Choice> = Vec::new();
    for row in &table.rows {
        let Some(name) = row
            .cell(Some(0))
            .filter(|name| name.contains(char::is_alphabetic))
        else {
            continue;
        };
        let mut option = Choice::new(&name.replace('*', ""), Origin::Document, cited(source, row));
        for (heading, cell) in table.names.iter().zip(&row.cells).skip(1) {
            if let Some(amount) = amounts(cell).first() {
                option.values.insert(heading.clone(), amount.value);
            }
        }
        if !options
            .iter()
            .any(|known| is_named(&known.name, &option.name))
        {
            options.push(option);
        }
    }
    let is_measured =
        |heading: &&String| options.iter().any(|one| one.values.contains_key(*heading));
    let criteria = table.names.iter().skip(1).filter(is_measured);
    let criteria = criteria
        .map(|name| Dimension::new(name, Origin::Document, Vec::new()))
        .collect();
    (options, criteria)
}

fn by_columns(source: &Source, table: &Table) -> (Vec<Choice>, Vec<Dimension>) {
    let is_option = |at: &usize| {
        let heading = table.headings[*at].as_str();
        !heading.is_empty() && !ABOUT_CRITERIA.iter().any(|word| heading.contains(word))
    };
    let columns: Vec<usize> = (1..table.headings.len()).filter(is_option).collect();
    let options = columns.iter().map(|at| {
        let mut option = Choice::new(&table.names[*at], Origin::Document, Vec::new());
        for row in &table.rows {
            let (Some(name), Some(cell)) = (row.cell(Some(0)), row.cell(Some(*at))) else {
                continue;
            };
            if let Some(amount) = amounts(cell).first() {
                option.values.insert(name.replace('*', ""), amount.value);
                option.evidence = cited(source, row);
            }
        }
        option
    });
    let options = options.collect();
    let criteria = table.rows.iter().filter_map(|row| {
        let name = row.cell(Some(0))?.replace('*', "");
        Some(Dimension::new(&name, Origin::Document, cited(source, row)))
    });
    (options, criteria.collect())
}

/// Rows of a table with a criterion and its weight.
fn weighted_criteria(source: &Source, table: &Table) -> Vec<Dimension> {
    let name = table.column(|at| at.starts_with("criteri"));
    let weight = table.column(|at| at.starts_with("weight"));
    let (Some(name), Some(weight)) = (name, weight) else {
        return Vec::new();
    };
    let rows = table.rows.iter().filter_map(|row| {
        let value = amounts(row.cell(Some(weight))?).first()?.value;
        let mut made = Dimension::new(
            &row.cell(Some(name))?.replace('*', ""),
            Origin::Document,
            cited(source, row),
        );
        made.weight = Some(value).filter(|value| *value > 0.0)?;
        Some(made)
    });
    rows.collect()
}
