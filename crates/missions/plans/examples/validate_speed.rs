//! Measures how long plan files of 10,000 tasks take to read, and how much of that is the machine's own
//! validation. Run with `cargo run --release -p adjutant-plans --example validate_speed`.

#[path = "../tests/support/mod.rs"]
mod support;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use support::BuiltIn;

const TASKS: usize = 10_000;
const ROUNDS: usize = 7;

fn main() {
    let checker = BuiltIn::new();
    let plans = [
        ("chain", chain()),
        ("grid 100x100, 10 each", grid()),
        ("chain with 1,000 gates", gates()),
        ("all waiting for nobody", lost()),
    ];
    println!(
        "{:<26} {:>9} {:>10} {:>10} {:>9}",
        "plan", "bytes", "read", "problems", "found"
    );
    for (name, text) in plans {
        let read = best(|| adjutant_plans::read(text.as_bytes(), &checker).is_ok());
        let (machine, found) = match adjutant_plans::read(text.as_bytes(), &checker) {
            Ok(loaded) => {
                let time = best(|| loaded.plan.problems(&loaded.tools).is_empty());
                (format!("{:.1} ms", time.as_secs_f64() * 1e3), 0)
            }
            Err(errors) => ("-".to_owned(), errors.problems.len() + errors.left_out),
        };
        let read = format!("{:.1} ms", read.as_secs_f64() * 1e3);
        println!(
            "{name:<26} {:>9} {read:>10} {machine:>10} {found:>9}",
            text.len()
        );
    }
}

fn best(mut run: impl FnMut() -> bool) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        std::hint::black_box(run());
        let took = start.elapsed();
        best = best.min(took);
        if took > Duration::from_secs(3) {
            break;
        }
    }
    best
}

fn header() -> String {
    "title: Speed\ntasks:\n".to_owned()
}

fn chain() -> String {
    let mut text = header();
    for n in 0..TASKS {
        let _ = write!(text, "  - id: task_{n}\n    tool: noop\n");
        if let Some(before) = n.checked_sub(1) {
            let _ = write!(
                text,
                "    after: [task_{before}]\n    with: {{value: \"{{{{task_{before}.output}}}}\"}}\n"
            );
        }
    }
    text
}

fn grid() -> String {
    let mut text = header();
    for n in 0..TASKS {
        let (layer, column) = (n / 100, n % 100);
        let _ = write!(text, "  - id: task_{n}\n    tool: noop\n");
        if layer > 0 {
            let on = |k: usize| format!("task_{}", (layer - 1) * 100 + (column + k * 7) % 100);
            let all: Vec<String> = (0..10).map(on).collect();
            let _ = writeln!(text, "    after: [{}]", all.join(", "));
            let _ = writeln!(text, "    with: {{value: \"{{{{{}.output}}}}\"}}", all[0]);
        }
    }
    text
}

fn gates() -> String {
    let mut text = header();
    for n in 0..TASKS {
        let _ = writeln!(text, "  - id: task_{n}");
        if n > 0 {
            let _ = writeln!(text, "    after: task_{}", n - 1);
        }
        if n % 10 == 9 {
            let _ = write!(
                text,
                "    gate:\n      return_to: task_{}\n      rules: [{{when: task_0.output == 1, verdict: repairable}}]\n",
                n - 1
            );
        } else {
            text.push_str("    tool: noop\n");
        }
    }
    text
}

fn lost() -> String {
    let mut text = header();
    for n in 0..TASKS {
        let _ = write!(
            text,
            "  - id: task_{n}\n    tool: noop\n    after: [tusk_{n}]\n"
        );
    }
    text
}
