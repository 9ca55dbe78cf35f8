//! A document with one text in every field that takes any text.

use adjutant_document_model::{
    Align, Block, Callout, Checked, CheckedKind, Column, Concluded, Decided, Document, Figure,
    Made, Mark, Passage, Section, Source, Span, Standing, Tone, Used,
};

/// Markup of every format, and characters that reorder, join or vanish.
pub(crate) const TEXTS: &[&str] = &[
    "#let x = 1; #x $a^2$ @ref <lab> *bold* _it_ `raw` = head",
    "<script>alert(1)</script><!-- --> ]]> &amp; &#60; \" ' </w:t></title>",
    "[link](javascript:alert(1)) ![img](x.png) | cell ~~gone~~ \\ \\* [1]",
    "1. one",
    "- dash + plus > quote",
    "+ plus",
    "= equals",
    "# hash",
    "***",
    "{{braces}} ${dollars} %s {} {0} \\u{41} \\n",
    "https://example.org/a_b?c=d&e=f www.example.org a@b.org",
    "C:\\temp\\x  two  spaces",
    "emoji \u{1F642} and \u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467} joined",
    "zero\u{200B}width\u{FEFF}and\u{200D}joiners",
    "turned \u{202E}around\u{202C} back",
    "\u{5E9}\u{5DC}\u{5D5}\u{5DD} \u{639}\u{631}\u{628}\u{64A}",
];

pub(crate) fn document(text: &str) -> Document {
    let text = || text.to_owned();
    let span = |strong, mark| Span {
        text: text(),
        strong,
        cites: vec![1],
        mark,
    };
    let spans = || {
        vec![
            span(false, None),
            span(true, None),
            span(false, Some(Mark::Interpretation)),
            span(true, Some(Mark::Calculation)),
        ]
    };
    let callout = |tone| {
        Block::Callout(Callout {
            tone,
            title: text(),
            text: spans(),
        })
    };
    let column = |align| Column {
        heading: text(),
        align,
        width: 1,
    };
    Document {
        kind: text(),
        title: text(),
        objective: text(),
        summary: vec![Block::Paragraph(spans())],
        sections: vec![Section {
            heading: text(),
            blocks: vec![
                Block::Heading(text()),
                Block::Paragraph(spans()),
                Block::Bullets(vec![spans(), spans()]),
                Block::Table {
                    caption: text(),
                    columns: vec![column(Align::Left), column(Align::Right)],
                    rows: vec![vec![spans(), spans()], vec![spans(), vec![]]],
                },
                Block::Figures(vec![Figure {
                    value: text(),
                    label: text(),
                    cites: vec![1],
                }]),
                callout(Tone::Note),
                callout(Tone::Good),
                callout(Tone::Warning),
                callout(Tone::Bad),
                Block::Quote {
                    text: text(),
                    cites: vec![1],
                },
            ],
        }],
        sources: vec![Source {
            id: text(),
            title: text(),
            published: Some(text()),
            place: Some(text()),
            grade: Some(text()),
            passages: vec![Passage {
                number: 1,
                text: text(),
                place: Some(text()),
                address: Some(text()),
            }],
        }],
        offline: true,
    }
}

pub(crate) fn made(text: &str) -> Made {
    let text = || text.to_owned();
    let used = || {
        vec![Used {
            name: text(),
            times: 3,
            cost: text(),
        }]
    };
    Made {
        mission: text(),
        begun: text(),
        ended: text(),
        cost: text(),
        tokens: 1_234_567,
        steps: 8,
        answered_by: used(),
        tools: used(),
        decisions: vec![Decided {
            question: text(),
            answer: text(),
            by: text(),
            at: text(),
        }],
        conclusions: vec![Concluded {
            title: text(),
            by: text(),
            sure: text(),
            made_of: text(),
            evidence: text(),
            so_far: text(),
            trouble: text(),
        }],
        checked: vec![Checked {
            round: 1,
            kinds: vec![CheckedKind {
                name: text(),
                held: text(),
            }],
            then: text(),
            faults: vec![text()],
        }],
        not_checked: vec![text()],
        standing: Standing::Draft,
        stand_in: false,
        replaced: text(),
        journal_head: text(),
    }
}
