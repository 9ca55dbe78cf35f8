//! What intents with known tools have taught: which tools an intent in such words wants, and with which of them the work begins.
//! Of a tool that was not there when it was learned nothing is known, and it is chosen by its own words alone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use adjutant_text::stop_words::StopWordLanguage;

use crate::words::{lines, stemmed, words};

/// The first lines of the table: the names of the tools, what speaks for each whatever is asked, what speaks for two of them
/// together, and for beginning with one where another is used too.
const TOOLS: &str = "(tools)";
const ALWAYS: &str = "(always)";
const TOGETHER: &str = "(together)";
const BESIDE: &str = "(beside)";
const HUNDREDTHS: f64 = 100.0;
/// How many words of an intent are looked at.
const WORDS_MAX: usize = 400;
/// What a stop word counts, and two words that stand next to each other.
const STOP_WORD: f64 = 0.3;
const PAIR: f64 = 0.7;
/// How far the words of an intent count together, however many they are.
const LENGTH: f64 = 4.0;
/// What the form of an intent counts.
const FORM: f64 = 0.7;
const SHORT_WORDS: usize = 9;
const LONG_WORDS: usize = 25;
const FILE_ENDINGS: [&str; 6] = [".csv", ".pdf", ".docx", ".xlsx", ".md", ".txt"];
/// From here on of the likeliest tool there is something to do, even if it is likelier of each single one that it is not wanted.
const LIKELIEST_FROM: f64 = 0.2;
/// Of how many of the likeliest tools every choice is compared.
const COMPARED: usize = 8;
/// How far it counts which other tools a tool is used with.
const OF_TOGETHER: f64 = 0.3;

/// Two logarithms of odds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Odds {
    /// That the work begins with the tool if it is used.
    pub begins: f64,
    /// That the tool is used.
    pub wanted: f64,
}

/// What speaks for or against tools.
#[derive(Debug, Clone, Default, PartialEq)]
struct Sign {
    /// How seldom it is, as a logarithm; nothing for the form of an intent, which counts what it counts.
    rarity: f64,
    /// By the number of the tool.
    speaks_for: Vec<(usize, Odds)>,
}

/// Something about two tools, by their numbers.
pub type Pairs = BTreeMap<(usize, usize), f64>;

/// What was learned.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Learned {
    tools: Vec<String>,
    always: Vec<Odds>,
    /// How much likelier both are used than by chance, as a logarithm; the smaller number first.
    together: Pairs,
    /// What it says of beginning with the first that the second is used too.
    beside: Pairs,
    by_sign: BTreeMap<String, usize>,
    signs: Vec<Sign>,
}

/// What an intent wants of the tools that were learned about.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Wanted<'a> {
    pub(crate) tools: Vec<WantedTool<'a>>,
    /// How likely it is that the work begins with just these.
    pub(crate) certainty: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WantedTool<'a> {
    pub(crate) tool: &'a str,
    pub(crate) is_taken: bool,
    pub(crate) begins: bool,
    /// How likely it is that it is taken or left for good reason.
    pub(crate) chance: f64,
}

impl Learned {
    /// Before anything was learned of these tools, and with how many of how many intents each sign was seen in.
    pub fn nothing(tools: Vec<String>, intents: usize, seen: &BTreeMap<String, usize>) -> Self {
        let mut learned = Self {
            always: vec![Odds::default(); tools.len()],
            tools,
            ..Self::default()
        };
        for (sign, count) in seen {
            let rarity = match is_form(sign) {
                true => 0.0,
                false => libm::log(intents as f64 / *count as f64),
            };
            learned.add(sign, rarity, Vec::new());
        }
        learned
    }

    /// What the program was built with.
    pub fn built_in() -> Arc<Self> {
        static BUILT_IN: LazyLock<Arc<Learned>> = LazyLock::new(|| {
            // A test reads every line of it.
            let read = Learned::parse(include_str!("../data/learned.txt"));
            Arc::new(read.unwrap_or_default())
        });
        Arc::clone(&BUILT_IN)
    }

    fn add(&mut self, sign: &str, rarity: f64, speaks_for: Vec<(usize, Odds)>) {
        self.by_sign.insert(sign.to_owned(), self.signs.len());
        self.signs.push(Sign { rarity, speaks_for });
    }

    /// Reads the table, or names the line that is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut learned = Self::default();
        for line in lines(text) {
            learned.read(line).ok_or_else(|| line.to_owned())?;
        }
        match learned.always.len() == learned.tools.len() {
            true => Ok(learned),
            false => Err(ALWAYS.to_owned()),
        }
    }

    fn read(&mut self, line: &str) -> Option<()> {
        let mut cells = line.split('\t');
        let name = cells.next()?;
        if name == TOOLS {
            self.tools = cells.map(str::to_owned).collect();
            return Some(());
        }
        if name == TOGETHER || name == BESIDE {
            let pairs = cells.map(|cell| self.pair(cell)).collect::<Option<_>>()?;
            match name {
                TOGETHER => self.together = pairs,
                _ => self.beside = pairs,
            }
            return Some(());
        }
        let rarity = hundredths(cells.next()?)?;
        // A sign may speak for nothing, and counts as seldom as it is.
        let speaks_for = cells.next().unwrap_or_default();
        if cells.next().is_some() {
            return None;
        }
        let speaks_for: Vec<(usize, Odds)> = speaks_for
            .split(' ')
            .filter(|entry| !entry.is_empty())
            .map(|entry| self.entry(entry))
            .collect::<Option<_>>()?;
        if name == ALWAYS {
            self.always = speaks_for.into_iter().map(|(_, odds)| odds).collect();
        } else {
            self.add(name, rarity, speaks_for);
        }
        Some(())
    }

    fn entry(&self, entry: &str) -> Option<(usize, Odds)> {
        let (tool, odds) = entry.split_once(':')?;
        let tool: usize = tool.parse().ok()?;
        let (begins, wanted) = odds.split_once(',')?;
        let part = |part: &str| match part {
            "" => Some(0.0),
            part => hundredths(part),
        };
        let odds = Odds {
            begins: part(begins)?,
            wanted: part(wanted)?,
        };
        (tool < self.tools.len()).then_some((tool, odds))
    }

    fn pair(&self, cell: &str) -> Option<((usize, usize), f64)> {
        let (pair, worth) = cell.split_once(':')?;
        let (one, other) = pair.split_once('-')?;
        let (one, other): (usize, usize) = (one.parse().ok()?, other.parse().ok()?);
        (one.max(other) < self.tools.len()).then_some(((one, other), hundredths(worth)?))
    }

    /// The table that [`Learned::parse`] reads.
    pub fn render(&self) -> String {
        if self.tools.is_empty() {
            return String::new();
        }
        let always: Vec<(usize, Odds)> = self.always.iter().copied().enumerate().collect();
        let mut text = format!("{TOOLS}\t{}\n", self.tools.join("\t"));
        text.push_str(&format!("{ALWAYS}\t0\t{}\n", rendered(&always)));
        for (name, pairs) in [(TOGETHER, &self.together), (BESIDE, &self.beside)] {
            let told = pairs
                .iter()
                .map(|((one, other), worth)| format!("\t{one}-{other}:{}", whole(*worth)));
            if !pairs.is_empty() {
                text.push_str(&format!("{name}{}\n", told.collect::<String>()));
            }
        }
        for (name, sign) in &self.by_sign {
            let sign = &self.signs[*sign];
            let line = format!(
                "{name}\t{}\t{}",
                whole(sign.rarity),
                rendered(&sign.speaks_for)
            );
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    pub fn tools(&self) -> &[String] {
        &self.tools
    }

    /// How many signs there are. They are numbered from 0.
    pub fn signs(&self) -> usize {
        self.signs.len()
    }

    pub fn set_always(&mut self, tool: usize, odds: Odds) {
        self.always[tool] = odds;
    }

    /// What is learned of pairs: which are used together, and with which the work begins beside which.
    pub fn set_pairs(&mut self, together: Pairs, beside: Pairs) {
        self.together = together;
        self.beside = beside;
    }

    pub fn set(&mut self, sign: usize, tool: usize, odds: Odds) {
        self.signs[sign].speaks_for.push((tool, odds));
    }

    /// The signs of an intent that are known, each with how much there is of it.
    pub fn seen(&self, intent: &str) -> Vec<(usize, f64)> {
        let mut squares = 0.0;
        let mut seen = Vec::new();
        for (sign, much) in said(intent) {
            let Some(&at) = self.by_sign.get(&sign) else {
                continue;
            };
            let is_form = is_form(&sign);
            let much = if is_form {
                much
            } else {
                much * self.signs[at].rarity
            };
            if !is_form {
                squares += much * much;
            }
            seen.push((at, much, is_form));
        }
        let length = libm::sqrt(squares).max(1e-9);
        let seen = seen.into_iter().map(|(at, much, is_form)| match is_form {
            true => (at, much),
            false => (at, much / length * LENGTH),
        });
        seen.collect()
    }

    /// Whether this tool was learned about.
    pub(crate) fn knows(&self, tool: &str) -> bool {
        self.tools.iter().any(|known| known == tool)
    }

    /// The tools that words speak for, beyond what speaks for each always.
    pub(crate) fn spoken_for(&self, words: &str) -> BTreeSet<&str> {
        let mut speaks = vec![0.0; self.tools.len()];
        for (sign, much) in said(words) {
            let sign = self.by_sign.get(&sign).filter(|_| !is_form(&sign));
            let Some(sign) = sign.map(|at| &self.signs[*at]) else {
                continue;
            };
            for (tool, odds) in &sign.speaks_for {
                speaks[*tool] += much * sign.rarity * odds.wanted;
            }
        }
        let tools = self.tools.iter().zip(speaks);
        tools
            .filter(|(_, speaks)| *speaks > 0.0)
            .map(|(tool, _)| tool.as_str())
            .collect()
    }

    /// How likely it is of each tool that words ask for it.
    pub(crate) fn chances(&self, words: &str) -> BTreeMap<&str, f64> {
        let odds = self.odds(words);
        let tools = self.tools.iter().zip(&odds);
        tools
            .map(|(tool, odds)| (tool.as_str(), chance(odds.wanted)))
            .collect()
    }

    fn odds(&self, intent: &str) -> Vec<Odds> {
        let mut odds = self.always.clone();
        for (sign, much) in self.seen(intent) {
            for (tool, speaks) in &self.signs[sign].speaks_for {
                odds[*tool].begins += much * speaks.begins;
                odds[*tool].wanted += much * speaks.wanted;
            }
        }
        odds
    }

    /// What an intent wants of those tools that there are.
    pub(crate) fn wanted(&self, intent: &str, is_there: impl Fn(&str) -> bool) -> Wanted<'_> {
        let odds = self.odds(intent);
        let there = (0..self.tools.len()).filter(|tool| is_there(&self.tools[*tool]));
        let there: Vec<usize> = there.collect();
        let chosen = self.chosen(&odds, &there);
        let tools = there.iter().map(|&tool| {
            let wanted = chance(odds[tool].wanted);
            let is_taken = chosen.tools.contains(&tool);
            WantedTool {
                tool: &self.tools[tool],
                is_taken,
                begins: chosen.first.contains(&tool),
                chance: if is_taken { wanted } else { 1.0 - wanted },
            }
        });
        Wanted {
            tools: tools.collect(),
            certainty: chosen.certainty,
        }
    }

    /// Of all choices of the likeliest tools: with which the work most likely begins, and the likeliest choice that begins so.
    fn chosen(&self, odds: &[Odds], there: &[usize]) -> Chosen {
        let mut likeliest: Vec<usize> = there.to_vec();
        let by_wanted = |a: &usize, b: &usize| odds[*b].wanted.total_cmp(&odds[*a].wanted);
        likeliest.sort_by(|a, b| by_wanted(a, b).then(a.cmp(b)));
        likeliest.truncate(COMPARED);
        let is_something_to_do = likeliest
            .first()
            .is_some_and(|tool| chance(odds[*tool].wanted) >= LIKELIEST_FROM);
        let mut all = 0.0;
        let mut by_first: BTreeMap<Vec<usize>, Chosen> = BTreeMap::new();
        for choice in 0..1_usize << likeliest.len() {
            let has = |place: &usize| choice >> place & 1 == 1;
            let places = (0..likeliest.len()).filter(has);
            let tools: Vec<usize> = places.map(|place| likeliest[place]).collect();
            let worth = libm::exp(self.worth(odds, &tools));
            all += worth;
            let first = self.first(odds, &tools);
            let chosen = by_first.entry(first.clone()).or_insert_with(|| Chosen {
                first,
                ..Chosen::default()
            });
            chosen.certainty += worth;
            if worth > chosen.worth {
                chosen.worth = worth;
                chosen.tools = tools;
            }
        }
        let fitting = by_first
            .into_values()
            .filter(|chosen| chosen.tools.is_empty() != is_something_to_do);
        let best = fitting.max_by(|a, b| a.certainty.total_cmp(&b.certainty));
        let mut best = best.unwrap_or_default();
        best.certainty /= all;
        best
    }

    /// How likely it is that just these are wanted, as a logarithm and beside other choices.
    fn worth(&self, odds: &[Odds], tools: &[usize]) -> f64 {
        let mut worth: f64 = tools.iter().map(|tool| odds[*tool].wanted).sum();
        for (number, one) in tools.iter().enumerate() {
            for other in &tools[..number] {
                let pair = (*one.min(other), *one.max(other));
                worth += OF_TOGETHER * self.together.get(&pair).copied().unwrap_or_default();
            }
        }
        worth
    }

    /// With which of these the work begins: at least with the likeliest.
    fn first(&self, odds: &[Odds], tools: &[usize]) -> Vec<usize> {
        let begins = |tool: usize| {
            let others = tools.iter().filter(|other| **other != tool);
            let beside = others.filter_map(|other| self.beside.get(&(tool, *other)));
            odds[tool].begins + beside.sum::<f64>()
        };
        let odds: Vec<(usize, f64)> = tools.iter().map(|tool| (*tool, begins(*tool))).collect();
        let first = odds.iter().filter(|(_, odds)| *odds >= 0.0);
        let mut first: Vec<usize> = first.map(|(tool, _)| *tool).collect();
        if first.is_empty() {
            let likeliest = odds.iter().max_by(|a, b| a.1.total_cmp(&b.1));
            first.extend(likeliest.map(|(tool, _)| *tool));
        }
        first.sort_unstable();
        first
    }
}

#[derive(Debug, Default)]
struct Chosen {
    tools: Vec<usize>,
    first: Vec<usize>,
    certainty: f64,
    /// Of the likeliest choice that begins so.
    worth: f64,
}

fn chance(odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-odds))
}

fn hundredths(text: &str) -> Option<f64> {
    let whole: i32 = text.parse().ok()?;
    Some(f64::from(whole) / HUNDREDTHS)
}

fn whole(value: f64) -> i64 {
    libm::round(value * HUNDREDTHS) as i64
}

/// Entries `tool:begins,wanted` in hundredths. A zero is left out, and so is an entry of two zeros.
fn rendered(speaks_for: &[(usize, Odds)]) -> String {
    let part = |value: f64| match whole(value) {
        0 => String::new(),
        value => value.to_string(),
    };
    let entries = speaks_for
        .iter()
        .map(|(tool, odds)| format!("{tool}:{},{}", part(odds.begins), part(odds.wanted)));
    let told: Vec<String> = entries.collect();
    told.join(" ")
}

fn is_form(sign: &str) -> bool {
    sign.starts_with('=')
}

/// What an intent says, each with how much there is of it: its words, those that stand next to each other, and its form.
pub fn said(intent: &str) -> BTreeMap<String, f64> {
    let stop_words = StopWordLanguage::English.stop_words();
    let words: Vec<String> = words(intent).take(WORDS_MAX).collect();
    let stems: Vec<String> = words.iter().map(|word| stemmed(word)).collect();
    let mut said = BTreeMap::new();
    for (word, stem) in words.iter().zip(&stems) {
        let much = if stop_words.contains(word.as_str()) {
            STOP_WORD
        } else {
            1.0
        };
        let there = said.entry(stem.clone()).or_insert(much);
        *there = f64::max(*there, much);
    }
    for pair in stems.windows(2) {
        said.insert(format!("{} {}", pair[0], pair[1]), PAIR);
    }
    let small = intent.to_lowercase();
    let forms = [
        ("=address", small.contains("http")),
        ("=question", intent.trim_end().ends_with('?')),
        (
            "=number",
            intent.contains(|char: char| char.is_ascii_digit()),
        ),
        ("=percent", intent.contains('%')),
        ("=short", words.len() < SHORT_WORDS),
        ("=long", words.len() > LONG_WORDS),
        (
            "=file",
            FILE_ENDINGS.iter().any(|ending| small.contains(ending)),
        ),
        (
            "=several",
            [" and ", " then ", ", "]
                .iter()
                .any(|joins| small.contains(joins)),
        ),
    ];
    said.extend(
        forms
            .into_iter()
            .filter(|(_, holds)| *holds)
            .map(|(form, _)| (form.to_owned(), FORM)),
    );
    said
}

#[cfg(test)]
#[path = "learned_tests.rs"]
mod tests;
