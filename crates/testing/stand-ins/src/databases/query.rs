//! Searches with AND, OR, NOT, brackets and quotes, as several databases take them. What a leaf means is theirs.

const NESTING_MAX: usize = 50;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Query {
    All(Vec<Self>),
    Any(Vec<Self>),
    Not(Box<Self>),
    Leaf(String),
}

/// What stands between two leaves that have nothing between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Between {
    And,
    Or,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Open,
    Close,
    And,
    Or,
    Not,
    Leaf(String),
    /// Belongs to every leaf in the brackets that follow: `AREA[Phase](`, `field:(`.
    Prefix(String),
}

/// The search, or what is wrong with it. Nothing searched for is everything.
pub(crate) fn parse(text: &str, between: Between) -> Result<Query, String> {
    let tokens = tokens(text)?;
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        between,
    };
    let query = parser.any("", 0)?;
    match parser.tokens.get(parser.at) {
        None => Ok(query),
        Some(_) => Err("a closing bracket has no opening one".into()),
    }
}

impl Query {
    pub(crate) fn holds(&self, leaf: &mut dyn FnMut(&str) -> bool) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|part| part.holds(leaf)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(leaf)),
            Self::Not(part) => !part.holds(leaf),
            Self::Leaf(text) => leaf(text),
        }
    }

    /// Without the leaves that are not wanted; nothing if none is left.
    pub(crate) fn retain(self, wanted: &dyn Fn(&str) -> bool) -> Option<Self> {
        let each = |parts: Vec<Self>| {
            let kept = parts.into_iter().filter_map(|part| part.retain(wanted));
            Some(kept.collect::<Vec<_>>()).filter(|kept| !kept.is_empty())
        };
        match self {
            Self::All(parts) => each(parts).map(Self::All),
            Self::Any(parts) => each(parts).map(Self::Any),
            Self::Not(part) => part.retain(wanted).map(|part| Self::Not(Box::new(part))),
            Self::Leaf(text) => wanted(&text).then_some(Self::Leaf(text)),
        }
    }

    pub(crate) fn leaves(&self) -> Vec<&str> {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::leaves).collect(),
            Self::Not(part) => part.leaves(),
            Self::Leaf(text) => vec![text],
        }
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    between: Between,
}

impl Parser<'_> {
    fn any(&mut self, prefix: &str, depth: usize) -> Result<Query, String> {
        if depth > NESTING_MAX {
            return Err(format!("brackets are nested deeper than {NESTING_MAX}"));
        }
        let mut parts = vec![self.all(prefix, depth)?];
        loop {
            match self.tokens.get(self.at) {
                Some(Token::Or) => self.at += 1,
                None | Some(Token::Close) => break,
                Some(_) if self.between == Between::Or => {}
                Some(_) => break,
            }
            parts.push(self.all(prefix, depth)?);
        }
        Ok(one_or(parts, Query::Any))
    }

    fn all(&mut self, prefix: &str, depth: usize) -> Result<Query, String> {
        let mut parts = Vec::new();
        loop {
            match self.tokens.get(self.at) {
                Some(Token::And) => self.at += 1,
                None | Some(Token::Or | Token::Close) => break,
                Some(_)
                    if !parts.is_empty() && self.between == Between::Or && !self.after_and() =>
                {
                    break;
                }
                Some(_) => parts.push(self.one(prefix, depth)?),
            }
        }
        Ok(one_or(parts, Query::All))
    }

    fn after_and(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        matches!(before, Some(Token::And | Token::Not))
    }

    fn one(&mut self, prefix: &str, depth: usize) -> Result<Query, String> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        match token {
            Some(Token::Not) => Ok(Query::Not(Box::new(self.guarded(prefix, depth)?))),
            Some(Token::Leaf(text)) => Ok(Query::Leaf(format!("{prefix}{text}"))),
            Some(Token::Prefix(inner)) => {
                self.at += 1;
                self.bracket(&inner, depth)
            }
            Some(Token::Open) => self.bracket(prefix, depth),
            _ => Err("an operator has nothing to work on".into()),
        }
    }

    fn guarded(&mut self, prefix: &str, depth: usize) -> Result<Query, String> {
        if depth > NESTING_MAX {
            return Err(format!("NOT is nested deeper than {NESTING_MAX}"));
        }
        self.one(prefix, depth + 1)
    }

    fn bracket(&mut self, prefix: &str, depth: usize) -> Result<Query, String> {
        let inner = self.any(prefix, depth + 1)?;
        if self.tokens.get(self.at) != Some(&Token::Close) {
            return Err("an opening bracket has no closing one".into());
        }
        self.at += 1;
        Ok(inner)
    }
}

fn one_or(mut parts: Vec<Query>, several: fn(Vec<Query>) -> Query) -> Query {
    match parts.len() {
        1 => parts.remove(0),
        _ => several(parts),
    }
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut characters = text.chars().peekable();
    while let Some(&next) = characters.peek() {
        match next {
            '(' => {
                characters.next();
                tokens.push(Token::Open);
            }
            ')' => {
                characters.next();
                tokens.push(Token::Close);
            }
            space if space.is_whitespace() => {
                characters.next();
            }
            _ => {
                let word = word(&mut characters)?;
                let opens = characters.peek() == Some(&'(');
                tokens.push(match word.as_str() {
                    "AND" => Token::And,
                    "OR" => Token::Or,
                    "NOT" => Token::Not,
                    _ if opens && (word.ends_with(':') || word.ends_with(']')) => {
                        Token::Prefix(word)
                    }
                    _ => Token::Leaf(word),
                });
            }
        }
    }
    Ok(tokens)
}

/// Up to white space or a bracket that is not inside quotes or square brackets.
fn word(characters: &mut std::iter::Peekable<std::str::Chars>) -> Result<String, String> {
    let mut word = String::new();
    let (mut quoted, mut square) = (false, false);
    while let Some(&next) = characters.peek() {
        let ends = next.is_whitespace() || next == '(' || next == ')';
        if ends && !quoted && !square {
            break;
        }
        characters.next();
        match next {
            '\\' if quoted => {
                word.push(next);
                word.extend(characters.next());
                continue;
            }
            '"' if !square => quoted = !quoted,
            '[' if !quoted => square = true,
            ']' if !quoted => square = false,
            _ => {}
        }
        word.push(next);
    }
    if quoted {
        return Err("a quote is not closed".into());
    }
    Ok(word)
}

/// Words as they are compared: lower case, one spelling for British and American English.
pub(crate) fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let parts = lower.split(|c: char| !c.is_alphanumeric() && c != '*');
    let parts = parts.filter(|part| !part.is_empty());
    parts
        .map(|part| part.replace("aem", "em").replace("isation", "ization"))
        .collect()
}

/// Whether the words follow each other in the text; the last may end in a star.
pub(crate) fn has_phrase(text: &[String], phrase: &[String]) -> bool {
    let same = |known: &String, wanted: &String| match wanted.strip_suffix('*') {
        Some(start) => known.starts_with(start),
        None => known == wanted,
    };
    !phrase.is_empty()
        && text
            .windows(phrase.len())
            .any(|window| window.iter().zip(phrase).all(|(a, b)| same(a, b)))
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
