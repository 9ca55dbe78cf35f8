//! Figures next to their targets, and one row for each group of missions.

use adjutant_analytics::{
    Coverage, Figure, Figures, Group, GroupBy, Measure, Reading, SECTIONS, Target, Unit,
    cases_in_words, target_in_words, value_in_words,
};

use super::{Line, Table, Tone, count};

const BAR: usize = 20;
/// The column of the target mark in the bar, for figures that should stay below their target.
const TARGET_PLACE: usize = 12;
const NAME_COLUMN: usize = 26;
const WIDTH_MAX: usize = 110;

/// What the figures are of.
pub(crate) struct StatsHead<'a> {
    pub(crate) tenant: &'a str,
    pub(crate) since: Option<&'a str>,
    pub(crate) coverage: Coverage,
}

/// What a row of missions shows, and one of agents.
const OF_MISSIONS: [Measure; 7] = [
    Measure::Completion,
    Measure::Duration,
    Measure::ToolSuccess,
    Measure::CitationAccuracy,
    Measure::Satisfaction,
    Measure::Cost,
    Measure::CostAgainstEstimate,
];
const OF_AGENTS: [Measure; 6] = [
    Measure::ToolSuccess,
    Measure::ToolEfficiency,
    Measure::CitationAccuracy,
    Measure::Calibration,
    Measure::Cost,
    Measure::TokenAdherence,
];

pub(crate) fn stats(head: &StatsHead<'_>, figures: &Figures, width: usize) -> Vec<Line> {
    let width = width.min(WIDTH_MAX);
    let mut lines = vec![title(head, figures)];
    lines.extend(left_out(&head.coverage));
    if figures.all.missions == 0 {
        lines.push(Line::new());
        lines.push(Line::new().plain(" No mission has ended in this time."));
        return fitted(lines, width);
    }
    match figures.by {
        None => {
            for (heading, measures) in SECTIONS {
                lines.push(Line::new());
                lines.push(Line::of(Tone::Bold, format!(" {heading}")));
                let shown = measures.iter().filter_map(|one| figures.all.figure(*one));
                lines.extend(shown.map(row));
            }
        }
        Some(by) => {
            lines.push(Line::new());
            lines.extend(groups(by, &figures.groups, width));
        }
    }
    fitted(lines, width)
}

fn fitted(lines: Vec<Line>, width: usize) -> Vec<Line> {
    lines.into_iter().map(|line| line.fit(width)).collect()
}

fn title(head: &StatsHead<'_>, figures: &Figures) -> Line {
    let all = &figures.all;
    let ended = count(of_u64(all.missions), "mission");
    let since = head
        .since
        .map_or_else(String::new, |since| format!(" · since {since}"));
    let tenant = match figures.by {
        Some(GroupBy::Tenant) => String::new(),
        _ => format!(" · tenant {}", head.tenant),
    };
    Line::new()
        .plain(" ")
        .and(Tone::Bold, format!("{ended} ended"))
        .and(Tone::Dim, format!("{tenant}{since}"))
}

/// Which missions are not in the figures, and why.
fn left_out(coverage: &Coverage) -> Option<Line> {
    let told = coverage.left_out_in_words();
    let mut parts = Vec::new();
    if !told.is_empty() {
        parts.push(format!("not counted: {told}"));
    }
    if coverage.types_derived > 0 {
        parts.push(format!("{} with a derived type", coverage.types_derived));
    }
    (!parts.is_empty()).then(|| Line::of(Tone::Dim, format!(" {}", parts.join(" · "))))
}

/// One figure: name, value, bar with the target in it, target, verdict, and what it rests on.
fn row(figure: &Figure) -> Line {
    let (sign, tone) = sign_of(figure.reading);
    let value_tone = match figure.value {
        Some(_) => Tone::Bold,
        None => Tone::Dim,
    };
    let line = Line::new()
        .plain("  ")
        .and(tone, sign)
        .plain(format!(" {}", figure.measure.name()))
        .padded(NAME_COLUMN)
        .then(right(value_tone, &value_in_words(figure), 9))
        .plain("  ")
        .then(bar(figure, tone))
        .plain("  ")
        .then(right(Tone::Plain, &target_in_words(figure), 9))
        .plain("  ")
        .and(tone, format!("{:<14}", figure.reading.words()));
    line.and(Tone::Dim, cases_in_words(figure))
}

fn right(tone: Tone, text: &str, width: usize) -> Line {
    Line::of(tone, format!("{text:>width$}"))
}

fn sign_of(reading: Reading) -> (&'static str, Tone) {
    match reading {
        Reading::Met | Reading::LikelyMet => ("✓", Tone::Done),
        Reading::Missed | Reading::LikelyMissed => ("✗", Tone::Failed),
        Reading::TooFew => ("·", Tone::Human),
        Reading::NoCases | Reading::NoTarget => ("·", Tone::Dim),
    }
}

/// The value as a bar with a mark where the target is. A figure that should stay below its target has the mark at a fixed
/// place, so that the bar shows how far it is past it.
fn bar(figure: &Figure, tone: Tone) -> Line {
    let Some(value) = figure.value else {
        return Line::of(Tone::Dim, " ".repeat(BAR));
    };
    let (full, mark) = match (figure.unit, figure.target) {
        (Unit::Share | Unit::Ratio, Some(Target::Above(limit) | Target::AtLeast(limit))) => {
            (value, Some(place(limit)))
        }
        (Unit::Stars, Some(target)) => (value / 5.0, Some(place(target.limit() / 5.0))),
        (_, Some(target)) => {
            let scaled = value / target.limit() * TARGET_PLACE as f64 / BAR as f64;
            (scaled, Some(TARGET_PLACE))
        }
        (Unit::Percentage, None) => (value * TARGET_PLACE as f64 / BAR as f64, Some(TARGET_PLACE)),
        (_, None) => return Line::new().plain(" ".repeat(BAR)),
    };
    let full = place(full);
    let mut line = Line::new();
    for at in 0..BAR {
        let is_mark = mark.is_some_and(|mark| at + 1 == mark.clamp(1, BAR));
        line = match (is_mark, at < full) {
            (true, _) => line.plain("┃"),
            (false, true) => line.and(tone, "█"),
            (false, false) => line.and(Tone::Dim, "·"),
        };
    }
    line
}

fn place(share: f64) -> usize {
    let cells = (share.clamp(0.0, 1.0) * BAR as f64).round();
    // From 0 to the length of a bar.
    cells as usize
}

fn groups(by: GroupBy, groups: &[Group], width: usize) -> Vec<Line> {
    let measures: &[Measure] = match by {
        GroupBy::Agent => &OF_AGENTS,
        GroupBy::Type | GroupBy::Tenant | GroupBy::Week => &OF_MISSIONS,
    };
    let mut heads = vec![by.name(), "missions"];
    heads.extend(measures.iter().map(|measure| measure.short_name()));
    let mut table = Table::headed(&heads);
    for group in groups {
        let name = Line::new().plain(&group.name);
        let missions = Line::new().plain(group.missions.to_string());
        let cells = measures.iter().map(|measure| cell(group.figure(*measure)));
        table.row([name, missions].into_iter().chain(cells));
    }
    table.lines(width, 0)
}

fn cell(figure: Option<&Figure>) -> Line {
    let Some(figure) = figure.filter(|figure| figure.value.is_some()) else {
        return Line::of(Tone::Dim, "–");
    };
    let (sign, tone) = sign_of(figure.reading);
    let mark = match figure.reading {
        Reading::NoTarget | Reading::NoCases => String::new(),
        Reading::TooFew => format!(" n={}", figure.cases),
        _ => format!(" {sign}"),
    };
    let value = value_in_words(figure).replace(" of 5", "");
    Line::new().plain(value).and(tone, mark)
}

/// Stars of five.
pub(crate) fn stars(given: u8) -> String {
    let given = usize::from(given.min(5));
    "★".repeat(given) + &"☆".repeat(5 - given)
}

fn of_u64(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
