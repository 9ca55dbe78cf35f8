//! Figures as a document: next to their targets, over time, by type and agent.

use adjutant_charts::{
    Axis, BarChart, BarDirection, BarLayout, BarSeries, Chart, LineChart, LineSeries, Position,
};
use adjutant_document_model::{
    Align, Block, Column, Document, Figure as Headline, Made, Section, Span, Standing,
};
use adjutant_mission::Timestamp;

use crate::figure::{Figure, Reading};
use crate::group::{Confidence, Coverage, Figures, Group, GroupBy, days};
use crate::measure::{Measure, SECTIONS};
use crate::wording::{cases_in_words, target_in_words, value_in_words};

/// Groups that a chart has room for.
const CHARTED_MAX: usize = 12;
const WEEKS_MAX: usize = 26;

const IN_TYPES: [Measure; 6] = [
    Measure::Completion,
    Measure::Duration,
    Measure::CitationAccuracy,
    Measure::Satisfaction,
    Measure::Cost,
    Measure::CostAgainstEstimate,
];
const IN_AGENTS: [Measure; 5] = [
    Measure::ToolSuccess,
    Measure::ToolEfficiency,
    Measure::CitationAccuracy,
    Measure::Cost,
    Measure::TokenAdherence,
];
const HEADLINES: [Measure; 3] = [Measure::Completion, Measure::ToolSuccess, Measure::Cost];

/// What a report is of.
#[derive(Debug)]
pub struct ReportOf<'a> {
    pub tenant: &'a str,
    pub since: Option<Timestamp>,
    pub until: Timestamp,
    pub coverage: Coverage,
    pub by_type: &'a Figures,
    pub by_agent: &'a Figures,
    pub by_week: &'a Figures,
}

/// The document, and what is said of how it came about.
pub fn report(of: &ReportOf<'_>) -> (Document, Made) {
    let all = &of.by_type.all;
    let mut sections = vec![Section {
        heading: "Figures and targets".to_owned(),
        blocks: SECTIONS
            .iter()
            .map(|(heading, measures)| figures_table(heading, all, measures))
            .collect(),
    }];
    sections.extend(over_time(&of.by_week.groups));
    sections.extend(by_group(
        "By mission type",
        &of.by_type.groups,
        GroupBy::Type,
    ));
    sections.extend(by_group("By agent", &of.by_agent.groups, GroupBy::Agent));
    sections.extend(confidences(all));
    let document = Document {
        kind: "Analytics".to_owned(),
        title: format!("How missions went: {}", of.tenant),
        objective: format!("Missions that ended, {}.", days(of.since, of.until)),
        summary: summary(all),
        sections,
        sources: Vec::new(),
        offline: false,
    };
    let made = Made {
        ended: days(None, of.until).replace("until ", ""),
        standing: Standing::Delivered,
        not_checked: not_checked(&of.coverage),
        ..Made::default()
    };
    (document, made)
}

fn summary(all: &Group) -> Vec<Block> {
    let mut headlines = vec![Headline {
        value: all.missions.to_string(),
        label: "missions ended".to_owned(),
        cites: Vec::new(),
    }];
    let shown = HEADLINES.iter().filter_map(|one| all.figure(*one));
    headlines.extend(
        shown
            .filter(|it| it.value.is_some())
            .map(|figure| Headline {
                value: value_in_words(figure),
                label: figure.measure.name().to_lowercase(),
                cites: Vec::new(),
            }),
    );
    let with_target = || all.figures.iter().filter(|figure| figure.target.is_some());
    let count = |readings: &[Reading]| {
        let found = with_target().filter(|figure| readings.contains(&figure.reading));
        found.count()
    };
    let met = count(&[Reading::Met, Reading::LikelyMet]);
    let missed = count(&[Reading::Missed, Reading::LikelyMissed]);
    let open = with_target().count() - met - missed;
    let told = format!(
        "{} targets. Met: {met}. Missed: {missed}. Not judged, for lack of data: {open}.",
        with_target().count()
    );
    let mut blocks = vec![
        Block::Figures(headlines),
        Block::Paragraph(vec![plain(told)]),
    ];
    let misses: Vec<Vec<Span>> = with_target()
        .filter(|figure| matches!(figure.reading, Reading::Missed | Reading::LikelyMissed))
        .map(|figure| {
            vec![
                strong(figure.measure.name()),
                plain(format!(
                    ": {}, target {} ({}).",
                    value_in_words(figure),
                    target_in_words(figure),
                    figure.reading.words()
                )),
            ]
        })
        .collect();
    if !misses.is_empty() {
        blocks.push(Block::Bullets(misses));
    }
    blocks
}

fn figures_table(heading: &str, all: &Group, measures: &[Measure]) -> Block {
    let columns = [
        ("Figure", Align::Left, 5),
        ("Value", Align::Right, 3),
        ("Target", Align::Right, 3),
        ("Reading", Align::Left, 3),
        ("Rests on", Align::Left, 6),
    ];
    let shown = measures.iter().filter_map(|one| all.figure(*one));
    let rows = shown.map(|figure| {
        vec![
            vec![plain(figure.measure.name())],
            vec![strong(value_in_words(figure))],
            vec![plain(target_in_words(figure))],
            vec![plain(figure.reading.words())],
            vec![plain(cases_in_words(figure).replace('`', ""))],
        ]
    });
    Block::Table {
        caption: heading.to_owned(),
        columns: columns.map(column).to_vec(),
        rows: rows.collect(),
    }
}

fn over_time(weeks: &[Group]) -> Option<Section> {
    let weeks = &weeks[weeks.len().saturating_sub(WEEKS_MAX)..];
    if weeks.len() < 2 {
        return None;
    }
    let names: Vec<String> = weeks.iter().map(|week| week.name.clone()).collect();
    let series = |name: &str, value: fn(&Group) -> u64| BarSeries {
        name: name.to_owned(),
        values: weeks.iter().map(|week| value(week) as f64).collect(),
    };
    let ended = BarChart {
        title: "Missions by week".to_owned(),
        subtitle: Some("By how they ended".to_owned()),
        source: None,
        categories: names.clone(),
        series: vec![
            series("completed", |week| week.completed),
            series("failed", |week| week.failed),
            series("cancelled", |week| week.cancelled),
        ],
        layout: BarLayout::Stacked,
        direction: BarDirection::Vertical,
        value_axis: axis("missions"),
    };
    let mut blocks = vec![chart(
        "Missions by week and by how they ended",
        Chart::Bar(ended),
    )];
    for measure in [Measure::ToolSuccess, Measure::ResponseTime, Measure::Cost] {
        blocks.extend(line_over_time(weeks, measure));
    }
    Some(Section {
        heading: "Over time".to_owned(),
        blocks,
    })
}

/// One measure over the weeks, with its target as a second line.
fn line_over_time(weeks: &[Group], measure: Measure) -> Option<Block> {
    let (scale, unit) = match measure {
        Measure::ResponseTime => (1.0 / 60_000.0, "minutes"),
        Measure::Cost => (1.0, "US dollars"),
        _ => (100.0, "%"),
    };
    let at = |week: &Group| Position::Text(week.name.clone());
    let values: Vec<(Position, Option<f64>)> = weeks
        .iter()
        .map(|week| {
            let value = week.figure(measure).and_then(|figure| figure.value);
            (at(week), value.map(|value| value * scale))
        })
        .collect();
    if values.iter().filter(|(_, value)| value.is_some()).count() < 2 {
        return None;
    }
    let mut series = vec![LineSeries {
        name: measure.name().to_owned(),
        points: values,
    }];
    if let Some(target) = measure.target() {
        let limit = target.limit() * scale;
        series.push(LineSeries {
            name: "target".to_owned(),
            points: weeks.iter().map(|week| (at(week), Some(limit))).collect(),
        });
    }
    let line = LineChart {
        title: format!("{} by week", measure.name()),
        subtitle: None,
        source: None,
        x: Axis::default(),
        y: axis(unit),
        series,
    };
    let caption = format!("{} by week, with the target", measure.name());
    Some(chart(&caption, Chart::Line(line)))
}

fn by_group(heading: &str, groups: &[Group], by: GroupBy) -> Option<Section> {
    if groups.is_empty() {
        return None;
    }
    let measures: &[Measure] = match by {
        GroupBy::Agent => &IN_AGENTS,
        GroupBy::Type | GroupBy::Tenant | GroupBy::Week => &IN_TYPES,
    };
    let mut columns = vec![
        column((by.name(), Align::Left, 5)),
        column(("missions", Align::Right, 3)),
    ];
    columns.extend(
        measures
            .iter()
            .map(|it| column((it.short_name(), Align::Right, 3))),
    );
    let rows = groups.iter().map(|group| {
        let cells = measures.iter().map(|measure| {
            let figure = group.figure(*measure);
            vec![plain(figure.map_or_else(|| "–".to_owned(), cell))]
        });
        let first = vec![plain(&group.name)];
        let count = vec![plain(group.missions.to_string())];
        [first, count].into_iter().chain(cells).collect()
    });
    let mut blocks = vec![Block::Table {
        caption: heading.to_owned(),
        columns,
        rows: rows.collect(),
    }];
    let charted = match by {
        GroupBy::Agent => (Measure::ToolSuccess, 100.0, "%"),
        _ => (Measure::Cost, 1.0, "US dollars"),
    };
    blocks.extend(bars(groups, charted));
    Some(Section {
        heading: heading.to_owned(),
        blocks,
    })
}

fn cell(figure: &Figure) -> String {
    let value = value_in_words(figure).replace(" of 5", "");
    match figure.reading {
        Reading::Missed | Reading::LikelyMissed => format!("{value} ✗"),
        Reading::TooFew => format!("{value}, n={}", figure.cases),
        _ => value,
    }
}

/// One measure of the largest groups, side by side.
fn bars(groups: &[Group], (measure, scale, unit): (Measure, f64, &str)) -> Option<Block> {
    let shown: Vec<(String, f64)> = groups
        .iter()
        .filter_map(|group| {
            let value = group.figure(measure)?.value?;
            Some((group.name.clone(), value * scale))
        })
        .take(CHARTED_MAX)
        .collect();
    if shown.len() < 2 {
        return None;
    }
    let (categories, values) = shown.into_iter().unzip();
    let bar = BarChart {
        title: measure.name().to_owned(),
        subtitle: None,
        source: None,
        categories,
        series: vec![BarSeries {
            name: measure.name().to_owned(),
            values,
        }],
        layout: BarLayout::Grouped,
        direction: BarDirection::Horizontal,
        value_axis: axis(unit),
    };
    Some(chart(measure.name(), Chart::Bar(bar)))
}

fn confidences(all: &Group) -> Option<Section> {
    if all.confidences.len() < 2 {
        return None;
    }
    let percent = |share: f64| (share * 1000.0).round() / 10.0;
    let points = |right: fn(&Confidence) -> f64| {
        let points = all.confidences.iter();
        let points =
            points.map(|it| (Position::Number(percent(it.said)), Some(percent(right(it)))));
        points.collect()
    };
    let line = LineChart {
        title: "Confidence and what it meant".to_owned(),
        subtitle: Some("The dashed line is perfect calibration".to_owned()),
        source: None,
        x: axis_named("stated confidence", "%"),
        y: axis_named("was right", "%"),
        series: vec![
            LineSeries {
                name: "was right".to_owned(),
                points: points(|it| it.right),
            },
            LineSeries {
                name: "perfect".to_owned(),
                points: points(|it| it.said),
            },
        ],
    };
    Some(Section {
        heading: "Confidence".to_owned(),
        blocks: vec![chart(
            "How often conclusions of each confidence were right",
            Chart::Line(line),
        )],
    })
}

fn not_checked(coverage: &Coverage) -> Vec<String> {
    let mut told = vec![
        "Whether an accurate quote supports the statement that cites it.".to_owned(),
        "How fast events reach their readers: journals do not record it.".to_owned(),
    ];
    let left_out = coverage.left_out_in_words();
    if !left_out.is_empty() {
        told.push(format!("Missions that are not counted: {left_out}."));
    }
    if coverage.types_derived > 0 {
        told.push(format!(
            "The type of {} missions is derived from their titles: they began before types were recorded.",
            coverage.types_derived
        ));
    }
    told
}

fn chart(caption: &str, chart: Chart) -> Block {
    Block::Chart {
        caption: caption.to_owned(),
        chart: Box::new(chart),
    }
}

fn axis(unit: &str) -> Axis {
    Axis {
        unit: Some(unit.to_owned()),
        ..Axis::default()
    }
}

fn axis_named(label: &str, unit: &str) -> Axis {
    Axis {
        label: Some(label.to_owned()),
        ..axis(unit)
    }
}

fn column((heading, align, width): (&str, Align, u16)) -> Column {
    Column {
        heading: heading.to_owned(),
        align,
        width,
    }
}

fn plain(text: impl Into<String>) -> Span {
    Span {
        text: text.into(),
        ..Span::default()
    }
}

fn strong(text: impl Into<String>) -> Span {
    Span {
        strong: true,
        ..plain(text)
    }
}
