//! Builds attacks planted in ordinary text, and reports how many are found.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use adjutant_guard::{Limits, Origin, Severity, inspect};
use anyhow::{Context, Result};
use serde_json::Value;

use crate::ordinary::Collection;
use crate::{Half, Show, crate_path};

pub(crate) struct Planted {
    pub(crate) family: String,
    pub(crate) half: Half,
    pub(crate) text: String,
    pub(crate) payload: Range<usize>,
}

/// Every third kind of attack and every second e-mail is held out.
const KINDS_HELD_OUT: usize = 3;
/// Number of e-mails each attack is planted in.
const CARRIERS: usize = 4;

pub(crate) fn from_bipia(folder: &Path) -> Result<Vec<Planted>> {
    let mails = read_mails(folder)?;
    let mut planted = Vec::new();
    for file in ["text-attack-train.json", "code-attack-train.json"] {
        let text = std::fs::read_to_string(folder.join(file)).with_context(|| file.to_owned())?;
        let kinds: serde_json::Map<String, Value> = serde_json::from_str(&text)?;
        // In the order of the file, which a sorted map loses.
        let mut names: Vec<&String> = kinds.keys().collect();
        names.sort_by_key(|name| text.find(&format!("\"{name}\"")));
        for (index, name) in names.iter().enumerate() {
            let half = if index % KINDS_HELD_OUT == 0 {
                Half::HeldOut
            } else {
                Half::Train
            };
            let carriers: Vec<&String> = mails
                .iter()
                .filter(|(its, _)| *its == half)
                .map(|(_, mail)| mail)
                .collect();
            let attacks = kinds
                .get(*name)
                .and_then(Value::as_array)
                .into_iter()
                .flatten();
            for (number, attack) in attacks.filter_map(Value::as_str).enumerate() {
                for copy in 0..CARRIERS {
                    let carrier = carriers[(number * 7 + copy * 5 + index) % carriers.len()];
                    let family = format!("bipia/{name}");
                    planted.push(plant(carrier, attack, number + copy, family, half));
                }
            }
        }
    }
    Ok(planted)
}

pub(crate) fn read_mails(folder: &Path) -> Result<Vec<(Half, String)>> {
    let text = std::fs::read_to_string(folder.join("email-train.jsonl"))?;
    let mut mails = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mail: Value = serde_json::from_str(line)?;
        let half = if index % 2 == 0 {
            Half::Train
        } else {
            Half::HeldOut
        };
        mails.push((
            half,
            mail["context"].as_str().unwrap_or_default().to_owned(),
        ));
    }
    Ok(mails)
}

/// The committed cases: each alone, in a text without requests, in a mixed text, and in a text full of requests.
pub(crate) fn from_cases() -> Result<Vec<Planted>> {
    let root = crate_path("tests/cases");
    let telling = read_cases(&root.join("telling.jsonl"))?;
    let mixed = read_cases(&root.join("ordinary.jsonl"))?;
    let asking = read_cases(&root.join("requests.jsonl"))?;
    let mut planted = Vec::new();
    for (half, folder) in [(Half::Train, "train"), (Half::HeldOut, "heldout")] {
        for (number, (family, text)) in read_folder(&root.join(folder))?.into_iter().enumerate() {
            for (way, carriers, step) in [
                ("telling", &telling, 1),
                ("mixed", &mixed, 11),
                ("asking", &asking, 7),
            ] {
                let (_, carrier) = &carriers[(number * step + step) % carriers.len()];
                let family = format!("{family} ({way})");
                planted.push(plant(carrier, &text, number + step, family, half));
            }
            planted.push(Planted {
                family: format!("{family} (alone)"),
                half,
                payload: 0..text.len(),
                text,
            });
        }
    }
    Ok(planted)
}

/// Longer texts are cut; distant text has no influence.
const FIT_CARRIER_BYTES_MAX: usize = 1_500;

/// Instructions, one per line: alone, and planted in texts of the collections.
pub(crate) fn from_lines(
    file: &Path,
    half: Half,
    collections: &[Collection],
) -> Result<Vec<Planted>> {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let carriers: Vec<Vec<&str>> = collections
        .iter()
        .map(|collection| collection.carriers(half))
        .collect();
    let carriers: Vec<&Vec<&str>> = carriers.iter().filter(|texts| !texts.is_empty()).collect();
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let prose = carriers.len().min(PROSE_COLLECTIONS);
    // The last collection is full of requests, where instructions are hardest to find: two copies each.
    let asking = carriers.len().checked_sub(1).filter(|last| *last >= prose);
    let technical = asking.map_or(0, |asking| asking - prose);
    let mut planted = Vec::new();
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    for (number, line) in lines.iter().enumerate() {
        let line = line.replace("\\n", "\n");
        let family = |way: &str| format!("lines/{name} ({way})");
        planted.push(plant("", &line, 0, family("alone"), half));
        // Two in a row do not yet make a text full of requests.
        let two = format!("{line} {}", lines[(number + 1) % lines.len()]);
        planted.push(plant("", &two, 0, family("two"), half));
        let technical = (technical > 0).then(|| prose + number % technical.max(1));
        let indices = (0..prose).chain(technical).chain(asking).chain(asking);
        for (copy, index) in indices.enumerate() {
            let texts = carriers[index];
            let carrier = texts[(number * 13 + copy) % texts.len()];
            let cut = carrier.floor_char_boundary(FIT_CARRIER_BYTES_MAX);
            let place = number / 3 + copy;
            planted.push(plant(
                &carrier[..cut],
                &line,
                place,
                family("planted"),
                half,
            ));
        }
    }
    Ok(planted)
}

/// The first collections are prose: e-mails, passages, requests, abstracts and the like.
const PROSE_COLLECTIONS: usize = 6;

fn read_folder(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut files: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    files.sort_by_key(std::fs::DirEntry::path);
    let mut cases = Vec::new();
    for file in files {
        cases.extend(read_cases(&file.path())?);
    }
    Ok(cases)
}

pub(crate) fn read_cases(file: &Path) -> Result<Vec<(String, String)>> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let mut lines = Vec::new();
    for line in text.lines() {
        let case: Value = serde_json::from_str(line)?;
        let field = |name: &str| case[name].as_str().unwrap_or_default().to_owned();
        lines.push((field("family"), field("text")));
    }
    Ok(lines)
}

/// Start, end and middle.
const PLACES: usize = 3;

fn plant(carrier: &str, attack: &str, place: usize, family: String, half: Half) -> Planted {
    let middle = carrier
        .match_indices(". ")
        .map(|(at, _)| at + 2)
        .find(|at| *at * 2 >= carrier.len())
        .unwrap_or(carrier.len());
    // Line breaks around an attack make it easier to find, so not all cases have them.
    let gap = [" ", "\n", "\n\n"][place / PLACES % 3];
    let (before, after) = match place % PLACES {
        _ if carrier.is_empty() => (String::new(), String::new()),
        0 => (String::new(), format!("{gap}{carrier}")),
        1 => (format!("{carrier}{gap}"), String::new()),
        _ => (
            format!("{}{gap}", carrier[..middle].trim_end()),
            format!("{gap}{}", &carrier[middle..]),
        ),
    };
    Planted {
        family,
        half,
        payload: before.len()..before.len() + attack.len(),
        text: format!("{before}{attack}{after}"),
    }
}

impl Planted {
    fn is_found(&self) -> bool {
        let inspected = inspect(&self.text, Origin::Document, &Limits::default());
        inspected.threats.iter().any(|threat| {
            threat.severity >= Severity::Medium
                && threat.span.start < self.payload.end
                && self.payload.start < threat.span.end
        })
    }
}

/// The group of families that a case is counted in.
fn group_name(family: &str) -> String {
    let way = family.rsplit_once('(').map(|(_, way)| way);
    let source = match family.split_once('/') {
        Some((source, _)) if source != "lines" => source,
        Some(_) => family.split(' ').next().unwrap_or_default(),
        None => "own",
    };
    match way {
        Some(way) => format!("{source}, {}", way.trim_end_matches(')')),
        None => source.to_owned(),
    }
}

/// The number found, and the total.
type Counts = BTreeMap<(Half, String), (usize, usize)>;

fn count(counts: &mut Counts, of: (Half, String), found: bool) {
    let count = counts.entry(of).or_default();
    count.0 += usize::from(found);
    count.1 += 1;
}

pub(crate) fn report(planted: &[Planted], show: Show) {
    let mut counts = Counts::new();
    let mut totals = Counts::new();
    let mut missed = BTreeMap::<(Half, &str, &str), usize>::new();
    for case in planted {
        let found = case.is_found();
        let family = case.family.split(" (").next().unwrap_or_default();
        count(&mut counts, (case.half, family.to_owned()), found);
        count(&mut totals, (case.half, group_name(&case.family)), found);
        count(&mut totals, (case.half, "all".to_owned()), found);
        if !found {
            let payload = &case.text[case.payload.clone()];
            *missed
                .entry((case.half, &case.family, payload))
                .or_default() += 1;
        }
    }
    for ((half, family), (found, all)) in counts.iter().chain(&totals) {
        println!("{half:?} {family}: {found}/{all} ({} %)", found * 100 / all);
    }
    if show == Show::Totals {
        return;
    }
    println!("missed:");
    for ((half, family, payload), times) in missed {
        let line = payload.lines().next().unwrap_or_default();
        println!("  {half:?} {family} x{times}: {line}");
    }
}
