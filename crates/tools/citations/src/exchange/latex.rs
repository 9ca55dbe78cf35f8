//! LaTeX in BibTeX values: to plain text and back.

use unicode_normalization::UnicodeNormalization;

use crate::notes::Notes;

/// A command and the combining mark that it puts on the next letter.
const ACCENTS: &[(&str, char)] = &[
    ("`", '\u{300}'),
    ("'", '\u{301}'),
    ("^", '\u{302}'),
    ("~", '\u{303}'),
    ("=", '\u{304}'),
    ("u", '\u{306}'),
    (".", '\u{307}'),
    ("\"", '\u{308}'),
    ("r", '\u{30a}'),
    ("H", '\u{30b}'),
    ("v", '\u{30c}'),
    ("d", '\u{323}'),
    ("c", '\u{327}'),
    ("k", '\u{328}'),
    ("b", '\u{331}'),
];

const SYMBOLS: &[(&str, &str)] = &[
    ("ss", "ß"),
    ("o", "ø"),
    ("O", "Ø"),
    ("l", "ł"),
    ("L", "Ł"),
    ("ae", "æ"),
    ("AE", "Æ"),
    ("oe", "œ"),
    ("OE", "Œ"),
    ("aa", "å"),
    ("AA", "Å"),
    ("i", "ı"),
    ("j", "ȷ"),
    ("dh", "ð"),
    ("DH", "Ð"),
    ("th", "þ"),
    ("TH", "Þ"),
    ("dj", "đ"),
    ("DJ", "Đ"),
    ("S", "§"),
    ("P", "¶"),
    ("textbackslash", "\\"),
    ("textbraceleft", "{"),
    ("textbraceright", "}"),
    ("textasciitilde", "~"),
    ("textasciicircum", "^"),
    ("textendash", "–"),
    ("textemdash", "—"),
    ("textquoteright", "’"),
    ("textquoteleft", "‘"),
    ("textquotedblleft", "“"),
    ("textquotedblright", "”"),
    ("textdegree", "°"),
    ("textregistered", "®"),
    ("texttrademark", "™"),
    ("ldots", "…"),
    ("dots", "…"),
    ("pm", "±"),
    ("times", "×"),
    ("leq", "≤"),
    ("le", "≤"),
    ("geq", "≥"),
    ("ge", "≥"),
    ("mu", "μ"),
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("omega", "ω"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("theta", "θ"),
    ("zeta", "ζ"),
    ("Delta", "Δ"),
    ("Omega", "Ω"),
    ("Gamma", "Γ"),
    ("Sigma", "Σ"),
];

/// Commands whose argument is the text itself.
const TRANSPARENT: &[&str] = &[
    "textit",
    "textbf",
    "emph",
    "textsc",
    "textrm",
    "texttt",
    "text",
    "textup",
    "mathrm",
    "mbox",
    "url",
    "href",
    "em",
    "it",
    "bf",
    "rm",
    "sc",
    "textsuperscript",
    "textsubscript",
    "mathit",
    "mathbf",
    "ensuremath",
    "noopsort",
    "protect",
    "relax",
];

/// A LaTeX value as plain text.
pub(super) fn decode(value: &str, notes: &mut Notes) -> String {
    let letters: Vec<char> = value.chars().collect();
    let mut plain = String::with_capacity(value.len());
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let next = letters.get(at + 1).copied();
        match (letter, next) {
            ('\\', Some(_)) => at = command(&letters, at + 1, &mut plain, notes),
            ('{' | '}' | '$', _) => at += 1,
            ('~', _) => {
                plain.push(' ');
                at += 1;
            }
            ('-', Some('-')) if letters.get(at + 2) == Some(&'-') => {
                plain.push('—');
                at += 3;
            }
            ('-', Some('-')) => {
                plain.push('–');
                at += 2;
            }
            ('`', Some('`')) => {
                plain.push('“');
                at += 2;
            }
            ('\'', Some('\'')) => {
                plain.push('”');
                at += 2;
            }
            _ => {
                plain.push(letter);
                at += 1;
            }
        }
    }
    plain.nfc().collect()
}

/// Reads the command that starts at `at` and returns its end.
fn command(letters: &[char], at: usize, plain: &mut String, notes: &mut Notes) -> usize {
    let word: String = letters[at..]
        .iter()
        .take_while(|letter| letter.is_ascii_alphabetic())
        .collect();
    let name = if word.is_empty() {
        letters[at].to_string()
    } else {
        word
    };
    let mut end = at + name.chars().count();
    if let Some((_, mark)) = ACCENTS.iter().find(|(accent, _)| *accent == name) {
        return accent(letters, end, *mark, plain);
    }
    if let Some((_, symbol)) = SYMBOLS.iter().find(|(symbol, _)| *symbol == name) {
        plain.push_str(symbol);
    } else if !name.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        // `\&`, `\%`, `\_` stand for themselves; `\ ` and `\\` are spaces.
        plain.push_str(if name == "\\" { " " } else { &name });
        return end;
    } else if !TRANSPARENT.contains(&name.as_str()) {
        notes.add(format!(
            "The LaTeX command `\\{name}` is unknown and is left out."
        ));
    }
    // A space after a command only ends its name.
    while letters.get(end) == Some(&' ') {
        end += 1;
    }
    end
}

fn accent(letters: &[char], mut at: usize, mark: char, plain: &mut String) -> usize {
    while letters
        .get(at)
        .is_some_and(|letter| *letter == ' ' || *letter == '{')
    {
        at += 1;
    }
    // `\'{\i}` is an í: the dot is not part of the letter.
    if letters.get(at) == Some(&'\\')
        && letters
            .get(at + 1)
            .is_some_and(|letter| "ij".contains(*letter))
    {
        at += 1;
    }
    match letters.get(at) {
        Some(&letter) if letter.is_alphabetic() => {
            plain.push(letter);
            plain.push(mark);
            at + 1
        }
        _ => at,
    }
}

/// Plain text as LaTeX.
pub(crate) fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    let mut before = '\0';
    for letter in text.chars() {
        if letter == before && matches!(letter, '-' | '`' | '\'') {
            encoded.push_str("{}");
        }
        match letter {
            '&' | '%' | '$' | '#' | '_' => {
                encoded.push('\\');
                encoded.push(letter);
            }
            '\\' => encoded.push_str("\\textbackslash{}"),
            '{' => encoded.push_str("\\textbraceleft{}"),
            '}' => encoded.push_str("\\textbraceright{}"),
            '~' => encoded.push_str("\\textasciitilde{}"),
            '^' => encoded.push_str("\\textasciicircum{}"),
            _ => encoded.push(letter),
        }
        before = letter;
    }
    encoded
}
