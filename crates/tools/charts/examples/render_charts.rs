//! Draws chart files into a folder, in both themes: `render <folder> <chart.json>...`

use std::error::Error;
use std::path::Path;

use adjutant_charts::{Chart, Theme, draw, png};

const SCALE: f64 = 1.5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("where to?")?;
    for file in arguments {
        let chart: Chart = serde_json::from_str(&std::fs::read_to_string(&file)?)?;
        let name = Path::new(&file).file_stem().ok_or("no file name")?;
        for (theme, suffix) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
            let drawing = draw(&chart, theme).map_err(|refusal| format!("{file}: {refusal}"))?;
            let target = Path::new(&folder).join(format!("{}-{suffix}", name.display()));
            std::fs::write(target.with_extension("svg"), &drawing.svg)?;
            std::fs::write(target.with_extension("png"), png(&drawing, SCALE)?)?;
        }
    }
    Ok(())
}
