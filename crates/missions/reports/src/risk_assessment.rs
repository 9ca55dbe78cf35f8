//! A Risk Assessment: what can go wrong, how bad, how often, how well hidden, and what is done about it.

use adjutant_charts::{Axis, BarChart, BarDirection, BarLayout, BarSeries, Chart};
use adjutant_document_model::{Block, Figure, Mark, Section, Span};

use crate::builder::{
    Builder, Nature, chart, column, figures, label, note, section, strong, table,
};
use crate::choices::decisions_of_people;
use crate::cited_text::CitedText;
use crate::compose::Parts;
use crate::documents_read::DocumentsRead;
use crate::fmea::{Basis, FailureMode, FmeaTable, Score};
use crate::judge::NOTHING_FOUND;
use crate::judge::sums::{DETECTION, OCCURRENCE, PRODUCT, SEVERITY};
use crate::pieces::{Concluded, Pieces};
use crate::reading_sections::ReadingPart;
use crate::risks_read;
use crate::shared;
use crate::simulation::{Run, Simulation, told};
use crate::text::{content, counted, share, short, written};
use crate::{computed_view, worker_views};

const UNFOLDING: &str = "How it could unfold";
const ORIGINS: &str = "Where the risks come from";
const TOP_RISKS: usize = 3;
/// Work that is late is a risk already.
const SHOWN: &[ReadingPart] = &[ReadingPart::Owed];
const CHART_ROWS_MAX: usize = 20;
/// From here on a product stands out in the table.
const HIGH_PRODUCT: u16 = 120;
/// Stands where a score or a product would.
const NOT_SCORED: &str = "not scored";
const ANSWERED_MIN: f64 = 0.25;
const ALL_STATED: &str = "stated";
/// A longer unit is told once in its row.
const UNIT_CHARS_MAX: usize = 6;

pub(crate) fn parts(builder: &mut Builder<'_>, pieces: &Pieces<'_>, objective: &str) -> Parts {
    let findings = pieces.findings();
    let contradictions = pieces.contradictions();
    let risks: Option<FmeaTable> = pieces.read("fmea");
    let simulated: Option<Simulation> = pieces.read("simulation");
    let rows = risks
        .as_ref()
        .map(|at| at.rows.as_slice())
        .unwrap_or_default();
    if let Some(read) = of_documents(pieces) {
        return as_read(builder, pieces, read, simulated.as_ref());
    }
    let mitigations = pieces.concluded("mitigations");
    let mut parts = Parts {
        summary: summary(builder, rows, simulated.as_ref(), objective),
        sections: Vec::new(),
    };
    if pieces.chose("risk_validation", "add_to_them") {
        let named = pieces.note_at("risk_validation");
        parts.sections.push(risks_named_by_a_person(named));
    }
    parts.sections.extend([
        risk_table(builder, risks.as_ref()),
        simulation(builder, simulated.as_ref()),
    ]);
    parts.sections.extend(shared::written_up(builder, pieces));
    parts.sections.extend(worker_sections(builder, pieces));
    if !pieces.tells("scenarios", "scenarios") {
        parts.sections.push(shared::conclusion(
            builder,
            UNFOLDING,
            pieces.concluded("scenarios").as_ref(),
            "No scenarios were requested",
        ));
    }
    if !pieces.tells("causes", "causes") {
        parts.sections.push(shared::conclusion(
            builder,
            ORIGINS,
            pieces.concluded("causes").as_ref(),
            "No causes were requested",
        ));
    }
    parts.sections.push(measures(
        builder,
        rows,
        mitigations.as_ref(),
        pieces.chose("mitigations", "list_only").into(),
    ));
    if pieces.has("analysis") {
        let concluded = pieces.concluded("analysis");
        parts.sections.push(shared::conclusion(
            builder,
            "What else the sources say",
            concluded.as_ref(),
            "",
        ));
    }
    parts.sections.push(shared::scores(builder, pieces));
    parts
        .sections
        .extend(shared::compared(builder, pieces, &contradictions, SHOWN));
    parts.sections.extend([
        shared::gaps(builder, pieces, &[]),
        shared::evidence_table(builder, &findings),
        decisions_of_people(pieces),
    ]);
    parts
}

/// What the workers found, where they were asked for it by name.
fn worker_sections(builder: &mut Builder<'_>, pieces: &Pieces<'_>) -> Vec<Section> {
    let mut sections = Vec::new();
    if pieces.tells("flags", "flags") {
        let blocks = worker_views::flags(builder, pieces, "flags");
        sections.push(section("What was flagged", blocks));
    }
    if pieces.tells("scenarios", "scenarios") {
        let blocks = worker_views::scenarios(builder, pieces, "scenarios");
        sections.push(section(UNFOLDING, blocks));
    }
    if pieces.tells("causes", "causes") {
        let blocks = worker_views::causes(builder, pieces, "causes");
        sections.push(section(ORIGINS, blocks));
    }
    if pieces.has("share_interval") {
        let mut blocks = crate::outline::exhibited(builder, pieces, "shares");
        blocks.extend(computed_view::blocks(pieces, "share_interval"));
        sections.push(section("How firm a stated share is", blocks));
    }
    sections
}

/// Risks that are in no document. They are neither scored nor cited.
fn risks_named_by_a_person(named: Option<String>) -> Section {
    let named =
        named.unwrap_or_else(|| "The reviewer announced more risks and named none".to_owned());
    let without = note("Without a source, and not scored", &named);
    section("Risks that a person added", vec![without])
}

/// Whether the report recommends the measures that it lists.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Measures {
    Recommended,
    ListedOnly,
}

impl From<bool> for Measures {
    fn from(listed_only: bool) -> Self {
        match listed_only {
            true => Self::ListedOnly,
            false => Self::Recommended,
        }
    }
}

fn is_high(row: &FailureMode) -> bool {
    row.rpn.is_some_and(|product| product >= HIGH_PRODUCT)
}

fn name(row: &FailureMode) -> String {
    match &row.id {
        Some(id) => format!("{} {}", short(id, 20), short(&row.risk.text, 120)),
        None => short(&row.risk.text, 140),
    }
}

fn equation(row: &FailureMode) -> String {
    let [s, o, d] = [&row.severity, &row.occurrence, &row.detection].map(shown);
    match row.rpn {
        Some(product) => {
            format!("severity x occurrence x detection is {s} x {o} x {d} = {product}")
        }
        None => match row.severity_by_occurrence() {
            Some(both) => {
                format!("severity x occurrence is {s} x {o} = {both}, detection {d}")
            }
            None => format!("severity {s}, occurrence {o}, detection {d}"),
        },
    }
}

fn shown(score: &Score) -> String {
    score
        .value
        .map_or_else(|| NOT_SCORED.to_owned(), |value| value.to_string())
}

/// What was read, if rules alone would otherwise look for risks by their words.
fn of_documents<'p>(pieces: &'p Pieces<'_>) -> Option<&'p DocumentsRead> {
    let read = pieces
        .read
        .as_ref()
        .filter(|_| pieces.reading_replaces_rules());
    read.filter(|read| risks_read::has_risks(read))
}

fn as_read(
    builder: &mut Builder<'_>,
    pieces: &Pieces<'_>,
    read: &DocumentsRead,
    simulated: Option<&Simulation>,
) -> Parts {
    let mut parts = Parts {
        summary: risks_read::summary(builder, read),
        sections: Vec::new(),
    };
    if pieces.chose("risk_validation", "add_to_them") {
        let named = pieces.note_at("risk_validation");
        parts.sections.push(risks_named_by_a_person(named));
    }
    parts.sections.extend(risks_read::sections(builder, read));
    parts.sections.extend(worker_sections(builder, pieces));
    if simulated.is_some_and(|at| !at.runs.is_empty()) {
        parts.sections.push(simulation(builder, simulated));
    }
    parts.sections.extend(shared::written_up(builder, pieces));
    parts
        .sections
        .extend(shared::compared(builder, pieces, &[], SHOWN));
    parts.sections.push(decisions_of_people(pieces));
    parts
}

fn summary(
    builder: &mut Builder<'_>,
    rows: &[FailureMode],
    simulated: Option<&Simulation>,
    objective: &str,
) -> Vec<Block> {
    if rows.is_empty() {
        let text = format!(
            "The rules recognised no risk in the sources on this: {}. That does not mean that there is none",
            short(objective, 200)
        );
        return vec![note(NOTHING_FOUND, &text)];
    }
    let figure = |value: String, label: &str| Figure {
        value,
        label: label.to_owned(),
        cites: Vec::new(),
    };
    let high = rows.iter().filter(|row| is_high(row)).count();
    let scored = rows.iter().filter(|row| row.rpn.is_some()).count();
    let rated = rows
        .iter()
        .filter(|row| row.severity_by_occurrence().is_some());
    let mut shown = match scored {
        0 => vec![
            figure(rows.len().to_string(), "risks named"),
            figure(
                rated.count().to_string(),
                "rated by severity and occurrence, none by detection",
            ),
        ],
        _ => vec![
            figure(scored.to_string(), "risks scored"),
            figure(
                high.to_string(),
                &format!("with a product of {HIGH_PRODUCT} or more"),
            ),
        ],
    };
    let first = simulated.and_then(|at| {
        at.runs
            .iter()
            .find(|run| run.inputs.len() > 1)
            .or_else(|| at.runs.first())
    });
    if let Some(run) = first {
        shown.push(figure(
            told(run.p90, &run.unit),
            &format!("{}: nine of ten draws are below", short(&run.name, 60)),
        ));
    }
    let mut blocks = vec![Block::Figures(shown)];
    let spans: Vec<Span> = rows
        .iter()
        .take(TOP_RISKS)
        .filter_map(|row| {
            let text = format!("{}: {}", name(row), equation(row));
            builder.statement(&text, &row.risk.evidence, Nature::Calculation)
        })
        .collect();
    blocks.push(Block::Heading("The highest risks".to_owned()));
    blocks.extend(shared::bullets(spans));
    blocks
}

fn risk_table(builder: &mut Builder<'_>, risks: Option<&FmeaTable>) -> Section {
    let heading = "The risks by weight";
    let Some(risks) = risks else {
        return section(heading, vec![note("Not done", "No risk table was made")]);
    };
    let mut blocks = Vec::new();
    let mut rows = Vec::new();
    let told = |part: fn(&FailureMode) -> &Option<CitedText>| {
        let mut all = risks.rows.iter();
        all.any(|row| {
            part(row)
                .as_ref()
                .is_some_and(|at| at.text != row.risk.text)
        })
    };
    let (effects, causes) = (told(|row| &row.effect), told(|row| &row.cause));
    for row in &risks.rows {
        let product = row
            .rpn
            .map_or_else(|| NOT_SCORED.to_owned(), |product| product.to_string());
        let risk = shared::marked(builder.cell(&name(row), &row.risk.evidence));
        let mut cells = vec![vec![risk]];
        for (told, part) in [(effects, &row.effect), (causes, &row.cause)] {
            if told {
                let part = part.as_ref().filter(|at| at.text != row.risk.text);
                let part = part.map(|at| vec![builder.cell(&short(&at.text, 120), &at.evidence)]);
                cells.push(part.unwrap_or_else(|| label("not told")));
            }
        }
        cells.extend([
            vec![score(builder, &row.severity)],
            vec![score(builder, &row.occurrence)],
            vec![score(builder, &row.detection)],
            if is_high(row) {
                strong(product)
            } else {
                label(product)
            },
            bases_cell(row),
        ]);
        rows.push(cells);
    }
    let mut columns = vec![column("Risk", 5)];
    columns.extend(effects.then(|| column("Effect", 4)));
    columns.extend(causes.then(|| column("Cause", 4)));
    columns.extend([
        figures(SEVERITY, 1),
        figures(OCCURRENCE, 1),
        figures(DETECTION, 1),
        figures(PRODUCT, 1),
        column("Scores", 4),
    ]);
    blocks.extend(table(
        "Severity, occurrence, detection and their product",
        columns,
        rows,
    ));
    blocks.extend(bars(&risks.rows));
    if blocks.is_empty() {
        blocks.push(note(
            "None found",
            "The rules recognised no register and no sentence that names a risk. That does not mean that there is none",
        ));
    } else {
        blocks.push(note(
            "How scores were determined",
            "A score stated in a source was used as it is. The others follow from fixed scales: occurrence from stated \
             frequencies, severity from the effect's words, detection from how it would be noticed. What no source tells is \
             not scored, and a risk without all three scores has no product",
        ));
    }
    let unscored: Vec<Span> = risks
        .unscored
        .iter()
        .filter_map(|risk| builder.statement(&risk.text, &risk.evidence, Nature::Fact))
        .collect();
    if let Some(list) = shared::bullets(unscored) {
        blocks.push(Block::Heading(
            "Named, but not scored by any source".to_owned(),
        ));
        blocks.push(list);
    }
    if risks.left_out > 0 {
        blocks.push(note(
            "Left out",
            &format!("{} with lower products", counted(risks.left_out, "risk")),
        ));
    }
    section(heading, blocks)
}

/// The citation stands with the score where a source states it; a derived one says in its row why.
fn score(builder: &mut Builder<'_>, score: &Score) -> Span {
    let evidence = if score.basis == Basis::Stated {
        score.evidence.as_slice()
    } else {
        &[]
    };
    builder.cell(&shown(score), evidence)
}

/// Where the scores come from. The mark stands here: in the narrow columns of the scores nobody could read it.
fn bases_cell(row: &FailureMode) -> Vec<Span> {
    let text = bases(row);
    let mark = (text != ALL_STATED).then_some(Mark::Calculation);
    vec![Span {
        text,
        mark,
        ..Span::default()
    }]
}

fn bases(row: &FailureMode) -> String {
    let all = [
        (SEVERITY, &row.severity),
        (OCCURRENCE, &row.occurrence),
        (DETECTION, &row.detection),
    ];
    if all.iter().all(|(_, score)| score.basis == Basis::Stated) {
        return ALL_STATED.to_owned();
    }
    let told = all.map(|(name, score)| match score.basis {
        Basis::Stated => format!("{name} stated"),
        Basis::Derived => format!("{name} derived: {}", score.because),
        Basis::NotScored => format!("{name} not scored: {}", score.because),
    });
    told.join("; ")
}

fn bars(rows: &[FailureMode]) -> Option<Block> {
    let rows = rows.iter().filter_map(|row| Some((row, row.rpn?)));
    let rows: Vec<(&FailureMode, u16)> = rows.take(CHART_ROWS_MAX).collect();
    let mut names: Vec<String> = Vec::new();
    for (row, _) in &rows {
        let short_name = row.id.clone().unwrap_or_else(|| short(&row.risk.text, 40));
        let again = names.iter().filter(|at| **at == short_name).count();
        names.push(if again > 0 {
            format!("{short_name} ({})", again + 1)
        } else {
            short_name
        });
    }
    let drawn = Chart::Bar(BarChart {
        title: "Risks by their product".to_owned(),
        subtitle: Some("Severity x occurrence x detection, at most 1,000".to_owned()),
        source: None,
        categories: names,
        series: vec![BarSeries {
            name: PRODUCT.to_owned(),
            values: rows
                .iter()
                .map(|(_, product)| f64::from(*product))
                .collect(),
        }],
        layout: BarLayout::default(),
        direction: BarDirection::Horizontal,
        value_axis: Axis::default(),
    });
    chart("Risks by their product", drawn)
}

fn simulation(builder: &mut Builder<'_>, simulated: Option<&Simulation>) -> Section {
    let heading = "Result of the simulation";
    let Some(simulated) = simulated else {
        return section(heading, vec![note("Not done", "Nothing was simulated")]);
    };
    let mut blocks = Vec::new();
    let rows: Vec<_> = simulated
        .runs
        .iter()
        .map(|run| result(builder, run))
        .collect();
    let columns = vec![
        column("Quantity", 4),
        figures("Mean", 2),
        figures("P10", 2),
        figures("P50", 2),
        figures("P90", 2),
        column("Limit and chance to miss it", 4),
    ];
    blocks.extend(table("Results of the simulation", columns, rows));
    for run in simulated
        .runs
        .iter()
        .filter(|run| run.inputs.len() > 1 || run.limit.is_some())
    {
        blocks.extend(spread(builder, run));
        let caption = format!("{}: share of draws by result", short(&run.name, 100));
        blocks.extend(
            run.histogram
                .clone()
                .and_then(|drawn| chart(caption, drawn)),
        );
        let caption = format!("{}: effect of each input", short(&run.name, 100));
        blocks.extend(run.tornado.clone().and_then(|drawn| chart(caption, drawn)));
    }
    blocks.extend(inputs(builder, simulated));
    for why in &simulated.not_simulated {
        blocks.push(note("Not simulated", why));
    }
    if !simulated.runs.is_empty() {
        let text = format!(
            "{} draws with the seed {}",
            written(simulated.draws as f64, 0),
            simulated.seed
        );
        blocks.push(note(
            "How it was simulated",
            &format!("{text}. Inputs follow a PERT distribution and are drawn independently"),
        ));
    }
    if blocks.is_empty() {
        blocks.push(note("Not simulated", "There were no ranges to draw from"));
    }
    section(heading, blocks)
}

fn result(builder: &mut Builder<'_>, run: &Run) -> Vec<Vec<Span>> {
    let unit = cell_unit(&run.unit);
    let number = |value: f64| label(told(value, unit));
    let limit = run.limit.as_ref().map(|limit| {
        let chance = written(limit.chance_missed * 100.0, 0);
        let mut span = builder.cell(&format!("{}: {chance} %", limit.told), &limit.evidence);
        span.mark = Some(Mark::Calculation);
        vec![span]
    });
    vec![
        vec![Span {
            text: match unit == run.unit {
                true => short(&run.name, 100),
                false => format!("{}, {}", short(&run.name, 100), run.unit),
            },
            mark: Some(Mark::Calculation),
            ..Span::default()
        }],
        number(run.mean),
        number(run.p10),
        number(run.p50),
        number(run.p90),
        limit.unwrap_or_else(|| label("no limit is stated")),
    ]
}

/// The unit behind each number of a row: none if it is so long that the row's name tells it.
fn cell_unit(unit: &str) -> &str {
    match unit.chars().count() > UNIT_CHARS_MAX {
        true => "",
        false => unit,
    }
}

/// Independent draws make sums look safer than they are: the other extreme is said as well.
fn spread(builder: &mut Builder<'_>, run: &Run) -> Option<Block> {
    let together = run.together?;
    let text = format!(
        "If all inputs of {} move together, one draw in ten is below {} and one in ten above {}",
        run.name,
        told(together.p10, &run.unit),
        told(together.p90, &run.unit)
    );
    let span = builder.statement(&text, &[], Nature::Calculation)?;
    Some(Block::Paragraph(vec![span]))
}

fn inputs(builder: &mut Builder<'_>, simulated: &Simulation) -> Option<Block> {
    let mut rows = Vec::new();
    for run in &simulated.runs {
        for range in &run.inputs {
            let name = shared::marked(builder.cell(&short(&range.name, 100), &range.evidence));
            let number = |value: f64| label(told(value, cell_unit(&run.unit)));
            rows.push(vec![
                vec![name],
                number(range.low),
                number(range.likely),
                number(range.high),
            ]);
        }
    }
    let columns = vec![
        column("Input", 5),
        figures("Low", 2),
        figures("Most likely", 2),
        figures("High", 2),
    ];
    table("Ranges as the sources give them", columns, rows)
}

/// For each of the highest risks what the sources say against it; what nobody says is said to be missing.
fn measures(
    builder: &mut Builder<'_>,
    rows: &[FailureMode],
    concluded: Option<&Concluded>,
    standing: Measures,
) -> Section {
    let heading = match standing {
        Measures::Recommended => "Recommended measures against the highest risks",
        Measures::ListedOnly => "Measures against the highest risks, without a recommendation",
    };
    let mut blocks = Vec::new();
    if standing == Measures::ListedOnly {
        let text = "The reviewer chose to list them and to leave the choice to the readers";
        blocks.push(note("Not recommended here", text));
    }
    for row in rows.iter().take(TOP_RISKS) {
        let mut spans = Vec::new();
        if let Some(controls) = &row.controls {
            spans.extend(builder.statement(&controls.text, &controls.evidence, Nature::Fact));
        }
        let effect = row
            .effect
            .as_ref()
            .map(|at| at.text.as_str())
            .unwrap_or_default();
        let words = content(&format!("{} {effect}", row.risk.text));
        for finding in concluded
            .map(|at| at.findings.as_slice())
            .unwrap_or_default()
        {
            if share(&words, &content(&finding.text)) >= ANSWERED_MIN {
                spans.extend(shared::statement(builder, finding));
            }
        }
        blocks.push(Block::Heading(name(row)));
        let none = || note("None told", "No source states a measure against it");
        blocks.push(shared::bullets(spans).unwrap_or_else(none));
    }
    let rest: Vec<Span> = concluded
        .map(|at| at.findings.as_slice())
        .unwrap_or_default()
        .iter()
        .filter_map(|finding| shared::statement(builder, finding))
        .collect();
    if let Some(list) = shared::bullets(rest) {
        blocks.push(Block::Heading("Further measures".to_owned()));
        blocks.push(list);
    }
    if rows.is_empty() && concluded.is_none_or(|at| at.findings.is_empty()) {
        let text = match concluded {
            None => note("Not done", "No measures were requested"),
            Some(_) => note(
                "Nothing found",
                "Measures were searched for. The sources state none",
            ),
        };
        blocks.push(text);
    }
    section(heading, blocks)
}
