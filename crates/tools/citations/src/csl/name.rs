//! Names of people and organisations.

use serde_json::{Map, Value};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Name {
    pub(crate) family: String,
    pub(crate) given: String,
    /// Precedes the family name: "van den".
    pub(crate) particle: String,
    /// Follows the given name when the family name comes first: "von".
    pub(crate) dropping: String,
    pub(crate) suffix: String,
    /// An organisation, or a name that must not be split.
    pub(crate) literal: String,
}

impl Name {
    pub(crate) fn literal(text: &str) -> Self {
        Self {
            literal: text.trim().to_owned(),
            ..Self::default()
        }
    }

    pub(crate) fn from_csl(value: &Value) -> Option<Self> {
        if let Value::String(text) = value {
            return Some(Self::literal(text)).filter(|name| !name.literal.is_empty());
        }
        let part = |key: &str| value[key].as_str().unwrap_or_default().trim().to_owned();
        let mut name = Self {
            family: part("family"),
            given: part("given"),
            particle: part("non-dropping-particle"),
            dropping: part("dropping-particle"),
            suffix: part("suffix"),
            literal: part("literal"),
        };
        if name.family.is_empty() && name.literal.is_empty() {
            name.family = std::mem::take(&mut name.given);
        }
        (!name.family.is_empty() || !name.literal.is_empty()).then_some(name)
    }

    pub(crate) fn to_csl(&self) -> Value {
        let parts = [
            ("family", &self.family),
            ("given", &self.given),
            ("non-dropping-particle", &self.particle),
            ("dropping-particle", &self.dropping),
            ("suffix", &self.suffix),
            ("literal", &self.literal),
        ];
        let object: Map<String, Value> = parts
            .into_iter()
            .filter(|(_, text)| !text.is_empty())
            .map(|(key, text)| (key.to_owned(), text.as_str().into()))
            .collect();
        Value::Object(object)
    }

    /// The family name with its particle, or the whole name of an organisation.
    pub(crate) fn family(&self) -> String {
        if !self.literal.is_empty() {
            return self.literal.clone();
        }
        words([self.particle.as_str(), self.family.as_str()])
    }

    /// `Berg J von Jr`: Vancouver and AMA.
    pub(crate) fn family_first_without_stops(&self) -> String {
        let (initials, behind) = self.initials();
        let initials: String = initials
            .iter()
            .flat_map(|initial| initial.split('-'))
            .collect();
        words([
            self.family().as_str(),
            initials.as_str(),
            behind.as_str(),
            self.dropping.as_str(),
            self.suffix.as_str(),
        ])
    }

    /// `Berg, J.-P. von, Jr.`: an entry in APA.
    pub(crate) fn family_first_with_stops(&self) -> String {
        let mut parts = vec![self.family()];
        let given = self.given_with_stops();
        if !given.is_empty() {
            parts.push(given);
        }
        if !self.suffix.is_empty() {
            parts.push(suffix_with_stop(&self.suffix));
        }
        parts.join(", ")
    }

    /// `J.-P. von Berg`: editors in APA.
    pub(crate) fn given_first_with_stops(&self) -> String {
        let name = self.initials_and_family();
        if self.suffix.is_empty() {
            return name;
        }
        format!("{name}, {}", suffix_with_stop(&self.suffix))
    }

    /// `J.-P. von Berg`: a first author cited in APA who shares the surname with another.
    pub(crate) fn initials_and_family(&self) -> String {
        words([self.given_with_stops().as_str(), self.family().as_str()])
    }

    /// `J.-P. von`.
    pub(crate) fn given_with_stops(&self) -> String {
        let (initials, behind) = self.initials();
        let stopped: Vec<String> = initials
            .iter()
            .map(|initial| {
                let letters: Vec<String> = initial.split('-').map(with_stop).collect();
                letters.join("-")
            })
            .collect();
        words([
            stopped.join(" ").as_str(),
            behind.as_str(),
            self.dropping.as_str(),
        ])
    }

    /// The initials, `J-P` in one, and the small words between them ("de", "von").
    fn initials(&self) -> (Vec<String>, String) {
        if !self.literal.is_empty() {
            return (Vec::new(), String::new());
        }
        let mut initials = Vec::new();
        let mut behind = Vec::new();
        for word in self.given.split([' ', '.', '\u{a0}']) {
            let letters = word.chars().filter(|letter| letter.is_alphabetic());
            let count = letters.clone().count();
            if count == 0 {
                continue;
            }
            if letters.clone().all(char::is_lowercase) {
                behind.push(word);
            } else if count <= 3 && letters.clone().all(char::is_uppercase) && !word.contains('-') {
                initials.extend(letters.map(String::from));
            } else {
                let parts: Vec<String> = word.split('-').filter_map(initial).collect();
                initials.push(parts.join("-"));
            }
        }
        (initials, behind.join(" "))
    }
}

/// The first letter, or all of it in scripts without capitals.
fn initial(part: &str) -> Option<String> {
    let first = part.chars().find(|letter| letter.is_alphabetic())?;
    if first.is_uppercase() || first.is_lowercase() {
        return Some(first.to_uppercase().collect());
    }
    Some(part.to_owned())
}

fn with_stop(letter: &str) -> String {
    if letter.chars().count() == 1 && letter.chars().all(char::is_uppercase) {
        return format!("{letter}.");
    }
    letter.to_owned()
}

fn suffix_with_stop(suffix: &str) -> String {
    match suffix {
        "Jr" | "Sr" => format!("{suffix}."),
        _ => suffix.to_owned(),
    }
}

pub(crate) fn words<const N: usize>(parts: [&str; N]) -> String {
    let filled: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    filled.join(" ")
}
