//! Writes the sample documents as Markdown, HTML and DOCX into the folder that is its one argument.

use std::fs;
use std::path::PathBuf;

use adjutant_document_model::{Document, Made, chart_files, docx, html, markdown};
use serde::Deserialize;

#[derive(Deserialize)]
struct Sample {
    document: Document,
    made: Made,
}

const SAMPLES: [(&str, &str); 3] = [
    ("deep_dive", include_str!("../samples/deep_dive.json")),
    (
        "risk_assessment",
        include_str!("../samples/risk_assessment.json"),
    ),
    ("go_no_go", include_str!("../samples/go_no_go.json")),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("name a folder")?;
    for (name, text) in SAMPLES {
        let Sample { document, made } = serde_json::from_str(text)?;
        let folder = PathBuf::from(&folder).join(name);
        fs::create_dir_all(folder.join("charts"))?;
        fs::write(folder.join("deliverable.md"), markdown(&document, &made))?;
        fs::write(folder.join("deliverable.html"), html(&document, &made))?;
        fs::write(folder.join("deliverable.docx"), docx(&document, &made)?)?;
        for (file, svg) in chart_files(&document) {
            fs::write(folder.join(file), svg)?;
        }
    }
    Ok(())
}
