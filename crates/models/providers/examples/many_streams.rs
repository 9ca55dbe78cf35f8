//! How much memory a thousand streams at once take: `cargo run --release -p adjutant-providers --example many_streams`.
//!
//! The server runs in a process of its own, so that the figure is the client's alone. Fails above the limit.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use adjutant_mission::{AgentLevel, Complexity, Millis, Timestamp};
use adjutant_providers::{AskOptions, Cassette, ModelParts, ModelSettings, Models, Progress};
use adjutant_questions::{Ask, Input, Limits, Output, Prompts, Purpose};
use adjutant_stand_ins::models::{Answer, Reply, Server};
use serde_json::json;
use tokio::task::JoinSet;

const STREAMS: usize = 1_000;
const RESIDENT_MB_MAX: u64 = 300;
/// Each answer takes about ten seconds, so that all of them run at once.
const FRAME_EVERY: Duration = Duration::from_millis(100);

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    if std::env::args().nth(1).as_deref() == Some("serve") {
        return serve().await;
    }
    let mut server = Command::new(std::env::current_exe()?)
        .arg("serve")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut url = String::new();
    let stdout = server.stdout.take().ok_or("the server has no output")?;
    BufReader::new(stdout).read_line(&mut url)?;
    let measured = measure(url.trim()).await;
    server.kill()?;
    server.wait()?;
    measured
}

async fn serve() -> Result<(), Failure> {
    let answer = answer();
    let script = move |_: &_| {
        let mut answer = Answer::new(answer.clone());
        answer.piece = 2;
        answer.delay = FRAME_EVERY;
        Reply::Answer(answer)
    };
    let server = Server::start(script).await?;
    println!("{}", server.url());
    std::io::stdout().flush()?;
    std::future::pending().await
}

async fn measure(url: &str) -> Result<(), Failure> {
    let models = Arc::new(models(url)?);
    let before = resident_mb()?;
    let began = Instant::now();
    let (open, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let mut streams = JoinSet::new();
    for number in 0..STREAMS {
        let (models, open, most) = (Arc::clone(&models), Arc::clone(&open), Arc::clone(&most));
        streams.spawn(async move {
            let begun = AtomicBool::new(false);
            let watcher = |_: Progress<'_>| {
                if !begun.swap(true, Ordering::Relaxed) {
                    let now = open.fetch_add(1, Ordering::Relaxed) + 1;
                    most.fetch_max(now, Ordering::Relaxed);
                }
            };
            let options = AskOptions {
                watcher: Some(&watcher),
                tools: None,
            };
            let given = models.ask(&ask(number)?, options).await?;
            open.fetch_sub(1, Ordering::Relaxed);
            Ok::<_, Failure>(given.tokens.output)
        });
    }
    while let Some(given) = streams.join_next().await {
        given??;
    }
    let peak = resident_mb()?;
    println!(
        "{STREAMS} streams, {} at once, in {:?}: {peak} MB resident at the peak, {before} MB before (limit {RESIDENT_MB_MAX} MB)",
        most.load(Ordering::Relaxed),
        began.elapsed(),
    );
    if peak > RESIDENT_MB_MAX {
        return Err(format!("{peak} MB is more than {RESIDENT_MB_MAX} MB").into());
    }
    Ok(())
}

/// The highest it has been.
fn resident_mb() -> Result<u64, Failure> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kb: u64 = line
        .and_then(|line| line.trim().split(' ').next()?.parse().ok())
        .ok_or("no VmHWM in /proc/self/status")?;
    Ok(kb / 1024)
}

fn models(url: &str) -> Result<Models, Failure> {
    let text = format!(
        "[providers.p]\nkind = \"openai\"\nurl = \"{url}\"\nconcurrency_max = {STREAMS}\n\
         [tiers]\nworker = [\"p/m\"]\n[prices.\"p/m\"]\nprice = \"free\"\n"
    );
    let settings: ModelSettings = toml::from_str(&text)?;
    let begin = Instant::now();
    Ok(Models::new(ModelParts {
        settings,
        keys: BTreeMap::new(),
        prompts: Prompts::built_in()?,
        offline,
        offline_notice: "",
        clock: Arc::new(move || {
            Timestamp(i64::try_from(begin.elapsed().as_millis()).unwrap_or(i64::MAX))
        }),
        random: Arc::new(|| 7),
        cassette: Cassette::Off,
    })?)
}

fn offline(_: &Input) -> Output {
    Output::Extract(adjutant_questions::Extracted {
        findings: Vec::new(),
        not_found: Vec::new(),
        confidence: 0.0,
    })
}

fn ask(number: usize) -> Result<Ask, Failure> {
    let text = "On clear days the sky is blue. ".repeat(60);
    let question = json!({
        "question": "What colour is the sky?",
        "sources": [{ "id": "s", "text": text }],
    });
    Ok(Ask {
        key: format!("ask-{number}"),
        level: AgentLevel::L4,
        input: Input::read(Purpose::Extract, question)?,
        unmarked: None,
        limits: Limits {
            input_tokens_max: 3_000,
            output_tokens_max: 1_000,
            time_max: Millis::seconds(120),
        },
        domain: None,
        complexity: Complexity::Ordinary,
        model: None,
        without: Vec::new(),
        asker: None,
    })
}

fn answer() -> String {
    json!({
        "findings": [{ "text": "It is blue.", "kind": "fact", "confidence": 0.9,
            "evidence": [{ "source": "s", "quote": "the sky is blue" }] }],
        "not_found": [],
        "confidence": 0.8,
    })
    .to_string()
}
