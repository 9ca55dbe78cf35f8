//! Words made from one another: `decision` from `decide`, `payment` from `pay`, `supplier` from `supply`.

/// How a word ends that is made from another, and how the other ends. Several may be right: the one that is meant occurs.
const ENDINGS: &[(&str, &str)] = &[
    ("ision", "ide"),
    ("ision", "ise"),
    ("usion", "ude"),
    ("nsion", "nd"),
    ("rsion", "rt"),
    ("mission", "mit"),
    ("cession", "cede"),
    ("cription", "cribe"),
    ("mption", "me"),
    ("ception", "ceive"),
    ("uction", "uce"),
    ("tention", "tain"),
    ("vention", "vene"),
    ("ication", "y"),
    ("ification", "ify"),
    ("osition", "ose"),
    ("isition", "ire"),
    ("ition", "e"),
    ("ition", ""),
    ("olution", "olve"),
    ("amation", "aim"),
    ("lanation", "lain"),
    ("enance", "ain"),
    ("iance", "y"),
    ("rrence", "r"),
    ("ence", ""),
    ("ance", ""),
    ("ment", ""),
    ("ature", ""),
    ("edure", "eed"),
    ("ure", ""),
    ("ure", "e"),
    ("ial", "y"),
    ("ual", ""),
    ("al", ""),
    ("al", "e"),
    ("ier", "y"),
    ("er", ""),
    ("er", "e"),
    ("or", ""),
    ("or", "e"),
    ("ee", ""),
    ("icant", "y"),
    ("ant", ""),
    ("ent", ""),
    ("ery", "er"),
    ("age", ""),
    ("age", "e"),
    ("ability", "able"),
    ("ibility", "ible"),
    ("able", ""),
    ("able", "e"),
    ("ible", ""),
    ("ness", ""),
    ("ful", ""),
    ("ship", ""),
    ("ety", "e"),
    ("ing", ""),
    ("ing", "e"),
];
/// Fewer letters are hardly a word that others are made from.
const BASE_BYTES_MIN: usize = 3;

/// The words that a word in lower case may be made from.
pub(crate) fn bases(small: &str) -> Vec<String> {
    // What is left of a plural is made from something too.
    let single = match small.strip_suffix("ies") {
        Some(bare) => format!("{bare}y"),
        None if small.ends_with("ss") => small.to_owned(),
        None => small.strip_suffix('s').unwrap_or(small).to_owned(),
    };
    let fitting = ENDINGS.iter().filter_map(|(ending, other)| {
        let bare = single.strip_suffix(ending)?;
        (bare.len() + other.len() >= BASE_BYTES_MIN && bare.len() >= 2)
            .then(|| format!("{bare}{other}"))
    });
    fitting.collect()
}

#[cfg(test)]
mod tests {
    use super::bases;

    #[test]
    fn a_noun_is_made_from_its_verb() {
        let pairs = [
            ("decision", "decide"),
            ("payments", "pay"),
            ("failure", "fail"),
            ("suppliers", "supply"),
            ("maintenance", "maintain"),
            ("description", "describe"),
            ("deliveries", "deliver"),
            ("liability", "liable"),
        ];
        for (word, base) in pairs {
            let found = bases(word);
            assert!(found.iter().any(|own| own == base), "{word}: {found:?}");
        }
        assert!(!bases("plant").iter().any(|own| own == "pl"));
    }
}
