//! Many passages: how long indexing takes, what it holds, and how long a search takes, on one thread. Times are of the
//! processor, so that what else the machine does is not counted.

use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use adjutant_knowledge_index::{
    Document, DocumentKind, Entry, Form, Index, Namespace, Part, Query, Segment, Span, Vector, Way, Ways,
    chunks, search,
};
use anyhow::Context;
use rustix::time::{ClockId, clock_gettime};

use crate::ours::id;

const QUERIES: usize = 2_000;
const DIMENSIONS: usize = 384;
const WORDS: usize = 60_000;
const TOPICS: u64 = 400;
/// Documents whose entries are held at once before they become a segment.
const BATCH: usize = 500;

/// The same numbers on every machine.
struct Seeded(u64);

impl Seeded {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn part(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// Words as frequent as in real text: the n-th about 1/n of the first.
struct Language {
    words: Vec<String>,
    cumulative: Vec<f64>,
}

impl Language {
    fn new(random: &mut Seeded) -> Self {
        const SYLLABLES: [&str; 24] = [
            "ba", "ten", "ri", "mo", "lar", "ked", "su", "vin", "or", "pel", "ga", "ton", "ex",
            "ly", "fra", "mis", "cu", "dor", "an", "shi", "qua", "ber", "int", "zo",
        ];
        let mut words: Vec<String> = ["the", "of", "and", "in", "to", "a", "is", "for", "with"]
            .map(str::to_owned)
            .to_vec();
        let mut known: std::collections::BTreeSet<String> = words.iter().cloned().collect();
        while words.len() < WORDS {
            let count = 2 + random.below(3) as usize;
            let word: String = (0..count)
                .map(|_| SYLLABLES[random.below(24) as usize])
                .collect();
            if known.insert(word.clone()) {
                words.push(word);
            }
        }
        let mut sum = 0.0;
        let cumulative = (1..=WORDS)
            .map(|rank| {
                sum += 1.0 / (rank as f64 + 2.0);
                sum
            })
            .collect();
        Self { words, cumulative }
    }

    fn word(&self, random: &mut Seeded) -> usize {
        let total = self.cumulative.last().copied().unwrap_or(1.0);
        let point = random.part() * total;
        self.cumulative
            .partition_point(|sum| *sum < point)
            .min(WORDS - 1)
    }

    /// A word of a topic: one of a few hundred that come up together.
    fn of_topic(&self, topic: u64, random: &mut Seeded) -> usize {
        let place = random.below(20) * random.below(20);
        (100 + topic * 130 + place) as usize % WORDS
    }
}

fn document(language: &Language, random: &mut Seeded, paragraphs: usize) -> Document {
    let topic = random.below(TOPICS);
    let mut text = String::new();
    let mut parts = Vec::new();
    for number in 0..paragraphs {
        let start = text.len() as u32;
        let words = 120 + random.below(120);
        for place in 0..words {
            let word = if random.below(5) == 0 {
                language.of_topic(topic, random)
            } else {
                language.word(random)
            };
            let stop = if place % 15 == 14 { ". " } else { " " };
            let _ = write!(text, "{}{stop}", language.words[word]);
        }
        parts.push(Part {
            span: Span {
                start,
                end: text.len() as u32,
            },
            form: Form::Paragraph,
            page: Some(number as u32 / 3 + 1),
        });
    }
    let title = (0..4).map(|_| language.words[language.of_topic(topic, random)].as_str());
    Document {
        kind: DocumentKind::Text,
        title: Some(title.collect::<Vec<_>>().join(" ")),
        author: None,
        date: None,
        text,
        parts,
    }
}

fn vector(random: &mut Seeded) -> Vec<f32> {
    (0..DIMENSIONS)
        .map(|_| random.part() as f32 - 0.5)
        .collect()
}

pub fn run(wanted: usize) -> anyhow::Result<()> {
    for with_vectors in [true, false] {
        measure(wanted, with_vectors)?;
    }
    Ok(())
}

fn measure(wanted: usize, with_vectors: bool) -> anyhow::Result<()> {
    let mut random = Seeded(7);
    let language = Language::new(&mut random);
    println!(
        "{}",
        if with_vectors {
            "with vectors"
        } else {
            "without vectors"
        }
    );
    let mut indexing = Duration::ZERO;
    let mut segments = Vec::new();
    let (mut count, mut number) = (0, 0);
    while count < wanted {
        let mut entries = Vec::new();
        for _ in 0..BATCH {
            if count >= wanted {
                break;
            }
            let paragraphs = (1 + random.below(8) as usize).min(wanted - count);
            let document = document(&language, &mut random, paragraphs);
            number += 1;
            let begun = cpu_time();
            let chunks = chunks(&document);
            let mut entry = Entry::new(id(number), &document, &chunks);
            indexing += cpu_time() - begun;
            count += entry.chunk_count();
            if with_vectors {
                let vectors: Vec<_> = chunks.iter().map(|_| vector(&mut random)).collect();
                let begun = cpu_time();
                let vectors = vectors.iter().map(|values: &Vec<f32>| Vector::of(values).map(Some));
                entry.set_vectors(vectors.collect::<Result<_, _>>()?)?;
                indexing += cpu_time() - begun;
            }
            entries.push(entry);
        }
        let begun = cpu_time();
        segments.push(Segment::from_entries(&entries));
        indexing += cpu_time() - begun;
    }
    let begun = cpu_time();
    let borrowed: Vec<&Segment> = segments.iter().collect();
    let merged = Segment::merge(&borrowed, &std::collections::BTreeSet::new());
    let merging = cpu_time() - begun;
    drop(segments);
    let begun = cpu_time();
    let bytes = merged.to_bytes();
    let writing = cpu_time() - begun;
    drop(merged);
    let begun = cpu_time();
    let segment = Segment::from_bytes(&bytes)?;
    let reading = cpu_time() - begun;
    let stored = bytes.len();
    drop(bytes);
    let begun = cpu_time();
    let index = Index::new(vec![(Namespace("large".to_owned()), Arc::new(segment))]);
    println!(
        "  {} documents, {} passages: read and counted {indexing:.1?}, merged {merging:.1?}, written {writing:.1?}, \
         loaded {reading:.1?}, opened {:.1?}",
        index.document_count(),
        index.chunk_count(),
        (cpu_time() - begun)
    );
    println!(
        "  stored {} MB, held {} MB, resident {} MB",
        stored / 1_000_000,
        index.bytes_held() / 1_000_000,
        resident()? / 1_000
    );
    let questions = questions(&language, &mut random, with_vectors);
    time("all ways", &index, &questions, &Ways::all());
    time("words only", &index, &questions, &Ways::only([Way::Words]));
    if with_vectors {
        time(
            "vectors only",
            &index,
            &questions,
            &Ways::only([Way::Vectors]),
        );
    }
    Ok(())
}

/// Two to eight words, half of them of one topic, some misspelled.
fn questions(language: &Language, random: &mut Seeded, with_vectors: bool) -> Vec<Query> {
    (0..QUERIES)
        .map(|_| {
            let topic = random.below(TOPICS);
            let mut words = Vec::new();
            for _ in 0..2 + random.below(7) {
                let word = if random.below(2) == 0 {
                    language.of_topic(topic, random)
                } else {
                    language.word(random)
                };
                let mut word = language.words[word].clone();
                if random.below(20) == 0 {
                    word.insert(word.len() / 2, 'x');
                }
                words.push(word);
            }
            let mut query = Query::new(words.join(" "), 10);
            query.vector = with_vectors.then(|| vector(random));
            query
        })
        .collect()
}

fn time(name: &str, index: &Index, questions: &[Query], ways: &Ways) {
    let mut times: Vec<Duration> = questions
        .iter()
        .map(|question| {
            let mut query = question.clone();
            query.ways = ways.clone();
            let begun = cpu_time();
            black_box(search(index, &query));
            cpu_time() - begun
        })
        .collect();
    times.sort_unstable();
    let at = |part: usize| times[(times.len() - 1) * part / 100];
    println!(
        "  {name}: p50 {:.2?}, p99 {:.2?}, most {:.2?} of {} queries, 10 hits, explained",
        at(50),
        at(99),
        at(100),
        times.len()
    );
}

/// What this thread has used so far.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        time.tv_sec.unsigned_abs(),
        time.tv_nsec.unsigned_abs() as u32,
    )
}

fn resident() -> anyhow::Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .and_then(|rest| rest.split_whitespace().next())
        .and_then(|number| number.parse().ok())
        .context("no VmRSS")
}
