//! The sample dossier's plain files as sources, and passages of files that are not plain.

use adjutant_questions::Source;

const FILES: &[(&str, &str)] = &[
    ("board/board-minutes-2023-02-08.md", "2023-02-08"),
    ("board/board-minutes-2026-07-09.md", "2026-07-09"),
    ("board/cairn-3-cost-forecast-v2.csv", "2026-08-10"),
    ("board/finance-memo-2026-08-31.txt", "2026-08-31"),
    ("board/risk-register-2026-01.csv", "2026-01-30"),
    ("board/risk-register-2026-08.md", "2026-08-28"),
    ("clinical/potassium-central-laboratory.csv", "2025-05-30"),
    ("clinical/site-11-monitoring-report.txt", "2024-08-29"),
    ("clinical/topline-memo-2025-06-27.md", "2025-06-27"),
    ("manufacturing/cost-of-goods-memo.md", "2026-06-11"),
    ("manufacturing/stability-report-12-months.md", "2025-03-31"),
    ("market/market-assessment-2026-05.md", "2026-05-20"),
    ("minutes/risk-workshop-2026-09-10.md", "2026-09-10"),
    ("patents/freedom-to-operate-memo.md", "2026-04-30"),
    ("regulatory/end-of-phase-2-company-minutes.md", "2026-02-18"),
    ("regulatory/scientific-advice-2023-06-06.md", "2023-06-06"),
];

/// Passages of the study report, the agency's minutes, the stability report the board paper and the briefing book, which are PDF and DOCX.
const EXCERPTS: &[(&str, &str, &str)] = &[
    (
        "clinical/cairn-2-study-report.pdf",
        "2025-10-14",
        "In the fixed sequence both doses were superior to placebo: 40 mg by 7.3 mmHg (95% CI 4.0 to 10.6; p<0.0001) \
         and 20 mg by 3.9 mmHg (95% CI 0.6 to 7.2; p=0.021).\n\n\
         7. Potassium\n\nHighest value after baseline | Placebo | 20 mg | 40 mg\n\
         Above 5.5 mmol/L | 2 (1.9 %) | 5 (4.8 %) | 12 (11.3 %)\nAbove 6.0 mmol/L | 0 | 1 (1.0 %) | 4 (3.8 %)\n",
    ),
    (
        "regulatory/end-of-phase-2-agency-minutes.pdf",
        "2026-02-24",
        "The agency does not agree that a single pivotal trial is sufficient. The agency expects two adequate trials. \
         The programme as proposed is not supported.",
    ),
    (
        "manufacturing/stability-report-24-months.pdf",
        "2026-03-20",
        "On the basis of all three lots a shelf life of 18 months at 25 °C is supported. No batch of 200 kg has been made.",
    ),
    (
        "board/investment-case-2026-07-02.docx",
        "2026-07-02",
        "Management asks the supervisory board to approve the phase 3 trial CAIRN-3 with a budget of EUR 58.5 million.",
    ),
    (
        "regulatory/briefing-book-excerpt.docx",
        "2026-01-16",
        "Velordrostat MR lowered 24-hour systolic pressure by 7.3 mmHg (40 mg, p<0.0001) and 3.9 mmHg (20 mg, p=0.021) \
         against placebo. The effect was seen in all subgroups with more than 50 patients.",
    ),
];

pub(crate) fn file(path: &str) -> String {
    let root = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../samples/velmoran/documents/"
    );
    std::fs::read_to_string(format!("{root}{path}")).unwrap()
}

pub(crate) fn sources() -> Vec<Source> {
    let files = FILES
        .iter()
        .map(|(path, date)| source(path, date, &file(path)));
    let excerpts = EXCERPTS
        .iter()
        .map(|(path, date, text)| source(path, date, text));
    files.chain(excerpts).collect()
}

pub(crate) fn source(id: &str, date: &str, text: &str) -> Source {
    let title = text.lines().find_map(|line| line.strip_prefix("title: "));
    Source {
        id: id.to_owned(),
        title: title.unwrap_or(id).trim_matches('"').to_owned(),
        text: text.to_owned(),
        published: Some(date.to_owned()),
    }
}

/// The same dossier with one text changed.
pub(crate) fn changed(path: &str, from: &str, to: &str) -> Vec<Source> {
    let mut all = sources();
    let one = all.iter_mut().find(|source| source.id == path).unwrap();
    assert!(one.text.contains(from), "{path} does not say {from}");
    one.text = one.text.replace(from, to);
    all
}

/// Every text of a document in one, tables, captions and marks included.
pub(crate) fn all_text(document: &adjutant_document_model::Document) -> String {
    serde_json::to_string(document).unwrap()
}
