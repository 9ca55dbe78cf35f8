//! Writes the sample documents in every format into the folder that is its one argument.

use std::fs;
use std::path::PathBuf;

use adjutant_document_model::{Document, Made, chart_files, docx, html, markdown};
use adjutant_document_pdf::pdf;
use serde::Deserialize;

#[derive(Deserialize)]
struct Sample {
    document: Document,
    made: Made,
}

const SAMPLES: [(&str, &str); 3] = [
    (
        "deep_dive",
        include_str!("../../document-model/samples/deep_dive.json"),
    ),
    (
        "risk_assessment",
        include_str!("../../document-model/samples/risk_assessment.json"),
    ),
    (
        "go_no_go",
        include_str!("../../document-model/samples/go_no_go.json"),
    ),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("where to?")?;
    for (name, text) in SAMPLES {
        let Sample { document, made } = serde_json::from_str(text)?;
        let folder = PathBuf::from(&folder).join(name);
        fs::create_dir_all(folder.join("charts"))?;
        fs::write(folder.join("deliverable.md"), markdown(&document, &made))?;
        fs::write(folder.join("deliverable.html"), html(&document, &made))?;
        fs::write(folder.join("deliverable.docx"), docx(&document, &made)?)?;
        fs::write(folder.join("deliverable.pdf"), pdf(&document, &made)?)?;
        for (file, svg) in chart_files(&document) {
            fs::write(folder.join(file), svg)?;
        }
    }
    Ok(())
}
