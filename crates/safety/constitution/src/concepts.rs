//! The vocabulary: what the words of a sentence are about.

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex;

const VOCABULARY: &str = include_str!("../data/concepts.txt");
/// How many words a gap in a pattern may take.
const GAP_WORDS_MAX: usize = 3;
/// What stands between two words: up to three characters that belong to no word. It is written byte by byte, as ASCII or a
/// longer character from its first byte on: the class of all characters but a few takes thirty times as long to compile,
/// and there are thousands of these.
const BETWEEN: &str = r"(?-u:[\x00-\x7f&&[^a-z0-9_]]|[\xc0-\xff][\x80-\xbf]*){1,3}";
const GAP_WORD: &str = r"(?-u:[^ \n]+ +)";

macro_rules! concepts {
    ($($concept:ident = $name:literal),+ $(,)?) => {
        /// What words may be about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Concept { $($concept),+ }

        impl Concept {
            const ALL: &[(Self, &str)] = &[$((Self::$concept, $name)),+];
        }
    };
}

concepts! {
    Medicine = "medicine",
    Amount = "amount",
    Patient = "patient",
    TherapyAct = "therapy_act",
    Professional = "professional",
    Defers = "defers",
    WithoutProfessional = "without_professional",
    Guidance = "guidance",
    SetAside = "set_aside",
    SafetyEvent = "safety_event",
    PlayedDown = "played_down",
    GoAhead = "go_ahead",
    SafetyCare = "safety_care",
    Diagnosis = "diagnosis",
    Directive = "directive",
    Prohibits = "prohibits",
    Reported = "reported",
    Conceal = "conceal",
    HiddenObject = "hidden_object",
    Watcher = "watcher",
    Evade = "evade",
    RuleObject = "rule_object",
    Promotion = "promotion",
    Deceit = "deceit",
    Certainty = "certainty",
    Universal = "universal",
    Hedge = "hedge",
    VagueAuthority = "vague_authority",
    ThinEvidence = "thin_evidence",
    Conclusion = "conclusion",
    Motive = "motive",
    Conflict = "conflict",
    Preference = "preference",
    SupportsPreference = "supports_preference",
    Contrary = "contrary",
    Dropped = "dropped",
    OneWay = "one_way",
    Group = "group",
    Trait = "trait",
    GroupConsequence = "group_consequence",
    Balance = "balance",
    Turn = "turn",
    Refuses = "refuses",
    NullResult = "null_result",
    Praise = "praise",
    Forecast = "forecast",
    CauseClaim = "cause_claim",
    ResultClaim = "result_claim",
    Justifies = "justifies",
    OwnWork = "own_work",
    Study = "study",
    Destroy = "destroy",
    Escapes = "escapes",
}

/// Where a text speaks of which concept.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hits(Vec<(Concept, Range<usize>)>);

impl Hits {
    pub(crate) fn of(text: &str) -> Self {
        let mut hits = Vec::new();
        for (concept, pattern) in MATCHERS.iter() {
            let found = pattern.find_iter(text.as_bytes());
            hits.extend(found.map(|hit| (*concept, hit.range())));
        }
        Self(hits)
    }

    pub(crate) fn has(&self, concept: Concept) -> bool {
        self.at(concept).next().is_some()
    }

    pub(crate) fn at(&self, concept: Concept) -> impl Iterator<Item = &Range<usize>> {
        let hits = self.0.iter().filter(move |(found, _)| *found == concept);
        hits.map(|(_, range)| range)
    }
}

static MATCHERS: LazyLock<Vec<(Concept, Regex)>> = LazyLock::new(|| {
    let matchers = Concept::ALL
        .iter()
        .filter_map(|(concept, name)| Some((*concept, matcher(&patterns(VOCABULARY, name))?)));
    matchers.collect()
});

/// The patterns below a name.
fn patterns<'a>(vocabulary: &'a str, name: &str) -> Vec<&'a str> {
    let heading = format!("[{name}]");
    let lines = vocabulary.lines().map(str::trim);
    let below = lines.skip_while(|line| *line != heading).skip(1);
    let own = below.take_while(|line| !line.starts_with('['));
    own.filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
}

fn matcher(patterns: &[&str]) -> Option<Regex> {
    let each: Vec<String> = patterns.iter().map(|pattern| expression(pattern)).collect();
    match each.is_empty() {
        true => None,
        false => Regex::new(&format!(r"(?-u:\b)(?:{})(?-u:\b)", each.join("|"))).ok(),
    }
}

/// One pattern as an expression: words that follow each other.
fn expression(pattern: &str) -> String {
    let mut written = String::new();
    let mut between = "";
    for word in pattern.split_whitespace() {
        match word {
            ".." => {
                written.push_str(&format!("{BETWEEN}{GAP_WORD}{{0,{GAP_WORDS_MAX}}}"));
                between = "";
            }
            word => {
                written.push_str(between);
                let choices: Vec<String> = word.split('|').map(one_word).collect();
                written.push_str(&format!("(?:{})", choices.join("|")));
                between = BETWEEN;
            }
        }
    }
    written
}

fn one_word(word: &str) -> String {
    match word {
        "<number>" => "[0-9][0-9.,]*".to_owned(),
        word => regex::escape(word).replace(r"\*", "[a-z0-9_]*"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_concept_of_the_file_is_known_and_every_pattern_can_be_read() {
        let headings = VOCABULARY
            .lines()
            .filter_map(|line| line.trim().strip_prefix('[')?.strip_suffix(']'));
        let known: Vec<&str> = Concept::ALL.iter().map(|(_, name)| *name).collect();
        assert_eq!(headings.collect::<Vec<_>>().len(), known.len());
        for name in known {
            let found = patterns(VOCABULARY, name);
            assert!(!found.is_empty(), "{name} has no patterns");
            assert!(matcher(&found).is_some(), "{name} cannot be read");
        }
    }

    #[test]
    fn a_gap_takes_up_to_three_words() {
        let gap = matcher(&["keep .. from"]).unwrap();
        assert!(gap.is_match(b"keep it from"));
        assert!(gap.is_match(b"keep the raw files from"));
        assert!(!gap.is_match(b"keep it because there is much to learn from"));
    }

    #[test]
    fn between_two_words_are_up_to_three_characters_however_long_each_is() {
        let pattern = matcher(&["keep from"]).unwrap();
        for fits in [
            "keep from",
            "keep — from",
            "keep“\u{a0}”from",
            "keep, 漢from",
        ] {
            assert!(pattern.is_match(fits.as_bytes()), "{fits}");
        }
        for is_too_far in ["keepfrom", "keep —— from", "keep .. . from", "keep_from"] {
            assert!(!pattern.is_match(is_too_far.as_bytes()), "{is_too_far}");
        }
        let hit = pattern.find("é keep — from é".as_bytes()).unwrap();
        assert_eq!(&"é keep — from é"[hit.range()], "keep — from");
    }
}
