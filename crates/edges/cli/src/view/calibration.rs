//! How sure was said, against how often it was right.

use adjutant_host::calibration::{Ppm, Score, Table};

use super::{Line, Tone, count};

const BAR: usize = 24;

/// The reliability of confidences, and who and what they are of. Fewer outcomes than `least` mean nothing yet.
pub(crate) fn calibration(table: &Table, least: u64, width: usize) -> Vec<Line> {
    let all = &table.all;
    let outcomes = count(usize::try_from(all.count).unwrap_or(usize::MAX), "outcome");
    let brier = all.brier.map_or(String::new(), |brier| {
        format!(
            " · Brier score {:.3} (0 is perfect, 0.250 is guessing)",
            share(brier)
        )
    });
    let mut lines = vec![
        Line::new()
            .plain(" ")
            .and(Tone::Bold, outcomes)
            .and(Tone::Dim, brier),
        Line::new(),
        Line::of(Tone::Dim, " said     was right"),
    ];
    for bin in &all.bins {
        let (Some(said), Some(right)) = (bin.said, bin.right) else {
            continue;
        };
        let times = count(usize::try_from(bin.count).unwrap_or(usize::MAX), "time");
        lines.push(
            Line::new()
                .plain(format!(
                    " {:>4} %   {:>3} %  ",
                    percent(said),
                    percent(right)
                ))
                .and(Tone::Done, bar(right, said))
                .and(Tone::Dim, format!("  {times}")),
        );
    }
    if all.count < least {
        lines.push(Line::new());
        let missing = format!(
            " With at least {least} outcomes, `show` reports how reliable a confidence has been."
        );
        lines.push(Line::of(Tone::Dim, missing));
    }
    for (head, scores) in [("by agent", &table.by_agent), ("by kind", &table.by_kind)] {
        lines.push(Line::new());
        lines.push(Line::of(Tone::Dim, format!(" {head}")));
        lines.extend(scores.iter().map(|(name, score)| of_one(name, score)));
    }
    lines.into_iter().map(|line| line.fit(width)).collect()
}

fn of_one(name: &str, score: &Score) -> Line {
    let (mut said, mut right) = (0_u64, 0_u64);
    for bin in &score.bins {
        said += bin.count * u64::from(bin.said.map_or(0, Ppm::get));
        right += bin.count * u64::from(bin.right.map_or(0, Ppm::get));
    }
    let mean = |sum: u64| sum / score.count.max(1) / 10_000;
    let times = count(usize::try_from(score.count).unwrap_or(usize::MAX), "time");
    Line::new()
        .plain(format!(" {name}"))
        .padded(28)
        .plain(format!(
            "said {} %, was right {} %",
            mean(said),
            mean(right)
        ))
        .and(
            Tone::Dim,
            format!(" · {times} · Brier {:.3}", score.brier.map_or(0.0, share)),
        )
}

/// What was right as a bar, with a mark where what was said would be.
fn bar(right: Ppm, said: Ppm) -> String {
    let place = |share: Ppm| (share.get() as usize * BAR).div_ceil(1_000_000);
    let (right, said) = (place(right), place(said).saturating_sub(1));
    (0..BAR)
        .map(|at| match (at == said, at < right) {
            (true, _) => '┃',
            (false, true) => '█',
            (false, false) => '·',
        })
        .collect()
}

fn share(ppm: Ppm) -> f64 {
    f64::from(ppm.get()) / 1e6
}

fn percent(ppm: Ppm) -> u32 {
    ppm.get() / 10_000
}
