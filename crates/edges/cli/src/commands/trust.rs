//! `adjutant trust`: lets the settings file of the current folder count.

use adjutant_app::error::AppError;
use adjutant_app::settings::{Environment, distrust, trust};

use crate::args::Trust;
use crate::exit::Exit;
use crate::output;
use crate::view::{Line, Tone};

pub(super) fn run(environment: &Environment, given: &Trust) -> Result<Exit, AppError> {
    if given.undo {
        let done = match distrust(environment)? {
            true => "The settings file of this folder is not trusted any longer.",
            false => "The settings file of this folder was not trusted.",
        };
        output::line(
            &Line::new()
                .plain(format!(" {done}"))
                .render(output::paint()),
        )?;
        return Ok(Exit::Ok);
    }
    let trusted = trust(environment)?;
    let mut lines = vec![
        Line::new()
            .plain(" ")
            .and(Tone::Done, "✓")
            .plain(format!(" Trusted as it is now: {}", trusted.path.display())),
    ];
    let sets = trusted.sets.iter();
    lines.extend(sets.map(|set| Line::new().plain("   ").and(Tone::Dim, set)));
    let note = "In this folder it takes the place of the settings file in the data folder.";
    lines.push(Line::new().plain(format!(" {note}")));
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}
