//! `adjutant licences`: what the binary is made of, and under which terms.

use adjutant_app::error::AppError;

use crate::exit::Exit;
use crate::output;

/// Gathered by the build script from every crate that is linked.
const CRATES: &str = include_str!(concat!(env!("OUT_DIR"), "/licences.txt"));
const OWN: &str = "Adjutant is licensed under the Apache License 2.0.

It contains data of others:
  Libertinus Serif (SIL Open Font License 1.1), New Computer Modern (GUST Font License), DejaVu Sans Mono (Bitstream Vera
  and Arev licences) and the Foxit fonts (BSD), as bundled by typst-assets: PDFs are set in them.
  Roboto (Apache License 2.0): charts are set in it.
  Citation styles and locales of the CSL project (Creative Commons Attribution-ShareAlike 3.0,
  https://creativecommons.org/licenses/by-sa/3.0/), as bundled by hayagriva and unchanged.
  The VADER lexicon (MIT License, below).
  Word vectors out of GloVe 6B (Public Domain Dedication and License 1.0, https://nlp.stanford.edu/projects/glove/), chosen with
  the word list of the npm package an-array-of-english-words (MIT License, Zeke Sikelianos).

It is built with these crates; their licences and notices follow the list.
";
const VADER: &str = include_str!("../../../../tools/language/data/vader/LICENSE.txt");

pub(super) fn run() -> Result<Exit, AppError> {
    let rule = "=".repeat(80);
    output::line(&format!(
        "{OWN}\n{CRATES}\n{rule}\nThe VADER lexicon\n\n{}",
        VADER.trim()
    ))?;
    Ok(Exit::Ok)
}
