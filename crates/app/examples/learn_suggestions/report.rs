//! How good suggestions are, in totals.

use adjutant_suggestion::AilReason;

use super::Judged;

const GROUPS: [&str; 4] = ["no tool", "one tool", "two tools", "three and more"];
/// Judgements that one step of a confidence rests on.
const STEP_MIN: usize = 12;
/// What is said at most and at least, in hundredths: a few intents prove no certainty.
const ENDS: (f64, f64) = (5.0, 95.0);

pub(crate) fn print(judged: &[Judged<'_>]) {
    println!("  right first tools (without a tool: none is suggested)");
    for (at, group) in GROUPS.iter().enumerate() {
        let of_group = |one: &&Judged<'_>| one.known.all.len().min(3) == at;
        let of_group: Vec<_> = judged.iter().filter(of_group).collect();
        let right = of_group.iter().filter(|one| one.is_right).count();
        println!("    {group:16} {right:4} of {}", of_group.len());
    }
    let right = judged.iter().filter(|one| one.is_right).count();
    let share = 100.0 * right as f64 / judged.len().max(1) as f64;
    println!(
        "    {:16} {right:4} of {} ({share:.0} %)",
        "all",
        judged.len()
    );
    let none: Vec<_> = judged
        .iter()
        .filter(|one| one.known.all.is_empty())
        .collect();
    let asked = none.iter().filter(|one| !is_sure(one)).count();
    println!("  without a tool, and asked: {asked} of {}", none.len());
    let sure: Vec<_> = judged.iter().filter(|one| is_sure(one)).collect();
    let right = sure.iter().filter(|one| one.is_right).count();
    println!(
        "  at least 60 % sure: {}, of these right: {right}",
        sure.len()
    );
    let all_right: Vec<_> = judged.iter().filter(|one| has_all(one)).collect();
    let named = all_right
        .iter()
        .filter(|one| !one.suggested.not_covered.is_empty());
    println!(
        "  all tools right: {}, of these said that a part is not covered: {}",
        all_right.len(),
        named.count()
    );
    println!("  confidence of suggestions with tools: said, right, of how many");
    for low in [0.0, 0.2, 0.4, 0.6, 0.8] {
        let within = |one: &&Judged<'_>| {
            let value = one.suggested.confidence.value;
            !one.suggested.graph.tasks.is_empty()
                && value >= low
                && (value < low + 0.2 || low > 0.7)
        };
        let bucket: Vec<_> = judged.iter().filter(within).collect();
        if bucket.is_empty() {
            continue;
        }
        let count = bucket.len() as f64;
        let said: f64 = bucket
            .iter()
            .map(|one| one.suggested.confidence.value)
            .sum();
        let right = bucket.iter().filter(|one| one.is_right).count() as f64;
        println!(
            "    {:3.0} to {:3.0} %: said {:.0} %, right {:.0} %, {count}",
            100.0 * low,
            100.0 * low + 20.0,
            100.0 * said / count,
            100.0 * right / count
        );
    }
}

fn is_sure(one: &Judged<'_>) -> bool {
    let asks = one.suggested.ail_required;
    !matches!(
        asks,
        Some(AilReason::NothingFits | AilReason::LowConfidence)
    )
}

/// Whether all tools are right and there are any.
fn has_all(one: &Judged<'_>) -> bool {
    let tools = one.suggested.graph.tools();
    !tools.is_empty() && tools.into_iter().eq(&one.known.all)
}

/// The lines of a table that never falls: neighbouring judgements are put together until their shares rise.
pub(crate) fn meant(judged: &[Judged<'_>]) -> String {
    let with_tools = judged
        .iter()
        .filter(|one| !one.suggested.graph.tasks.is_empty());
    let mut points: Vec<(f64, f64)> = with_tools
        .map(|one| {
            let right = f64::from(u8::from(one.is_right));
            (one.suggested.confidence.raw, right)
        })
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut blocks: Vec<Block> = Vec::new();
    for chunk in points.chunks(STEP_MIN) {
        let mut block = Block::of(chunk);
        while let Some(before) = blocks.pop_if(|before| before.share() >= block.share()) {
            block = before.with(&block);
        }
        blocks.push(block);
    }
    let mut lines: Vec<(u32, u32)> = Vec::new();
    for block in blocks {
        let raw = (100.0 * block.raw / block.count).round() as u32;
        let share = (100.0 * block.share()).clamp(ENDS.0, ENDS.1).round() as u32;
        match lines.last_mut() {
            Some(last) if last.0 == raw => last.1 = share,
            _ => lines.push((raw, share)),
        }
    }
    let told = lines.iter().map(|(raw, share)| format!("{raw}\t{share}\n"));
    told.collect()
}

/// Judgements with about the same confidence.
struct Block {
    raw: f64,
    right: f64,
    count: f64,
}

impl Block {
    fn of(points: &[(f64, f64)]) -> Self {
        Self {
            raw: points.iter().map(|point| point.0).sum(),
            right: points.iter().map(|point| point.1).sum(),
            count: points.len() as f64,
        }
    }

    fn share(&self) -> f64 {
        self.right / self.count
    }

    fn with(&self, other: &Self) -> Self {
        Self {
            raw: self.raw + other.raw,
            right: self.right + other.right,
            count: self.count + other.count,
        }
    }
}
