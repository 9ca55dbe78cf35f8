//! A question as its request words it, read back: what it is for, what it gives to read, what was thought before.

use serde_json::Value;

use crate::models::Received;

/// What a request asks, as far as a reader without a model can tell.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The name of the schema that the answer is held to.
    pub purpose: String,
    /// How often an answer was sent back already.
    pub sent_back: usize,
    pub question: String,
    /// The whole question as it was put.
    pub text: String,
    pub sources: Vec<Given>,
    pub thoughts: Vec<EarlierThought>,
}

/// Something to quote from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    pub id: String,
    pub title: String,
    pub text: String,
}

impl Given {
    pub(crate) fn name(&self) -> &str {
        match self.title.as_str() {
            "" => &self.id,
            title => title,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierThought {
    pub step: u64,
    pub role: String,
    /// What it quotes.
    pub quotes: Vec<Given>,
}

const THOUGHT: &str = "Step ";
const SOURCE: &str = "<source id=\"";
const SOURCE_END: &str = "</source>";

impl Asked {
    /// Nothing if it asks for no schema by name, or in words that are not known here.
    pub fn read(received: &Received) -> Option<Self> {
        let body = &received.body;
        let purpose = body["response_format"]["json_schema"]["name"].as_str()?;
        let messages = body["messages"].as_array()?;
        let text_of = |role: &str| {
            let mut of_role = messages.iter().filter(|message| message["role"] == role);
            of_role.next()?["content"].as_str()
        };
        let text = text_of("user")?.to_owned();
        let answers = messages.iter().filter(|at| at["role"] == "assistant");
        Some(Self {
            purpose: purpose.to_owned(),
            sent_back: answers.count(),
            question: question(&text),
            sources: sources(&text)
                .filter(|(at, _)| !is_quote(&text, *at))
                .map(|(_, given)| given)
                .collect(),
            thoughts: thoughts(&text),
            text,
        })
    }

    /// The lines of the list under a heading, without their dashes.
    pub fn list(&self, heading: &str) -> Vec<&str> {
        let lines = self.text.lines().skip_while(|line| !line.contains(heading));
        let lines = lines.skip(1).take_while(|line| line.starts_with("- "));
        lines.map(|line| line[2..].trim()).collect()
    }

    /// What may be quoted, what was quoted before first.
    pub fn quotable(&self) -> Vec<Given> {
        let quotes = self.thoughts.iter().flat_map(|thought| &thought.quotes);
        quotes.chain(&self.sources).cloned().collect()
    }

    pub(crate) fn quote_in(&self, line: &str) -> Option<Given> {
        sources(line).map(|(_, given)| given).next()
    }

    /// The tools on offer: id, and the schema of their arguments.
    pub fn tools(&self) -> Vec<(&str, Value)> {
        let mut lines = self
            .text
            .lines()
            .skip_while(|line| *line != "Tools:")
            .skip(1);
        let mut found = Vec::new();
        while let Some(line) = lines.next() {
            let Some((id, _)) = line
                .strip_prefix("- ")
                .and_then(|line| line.split_once(':'))
            else {
                break;
            };
            let mut schema = Value::Null;
            for line in lines.by_ref() {
                if let Some(text) = line.strip_prefix("  Arguments: ") {
                    schema = serde_json::from_str(text).unwrap_or_default();
                    break;
                }
            }
            found.push((id, schema));
        }
        found
    }
}

/// What follows `Question:` or a colon in the line that puts it; the whole first line if nothing does.
fn question(text: &str) -> String {
    let put = text
        .lines()
        .find_map(|line| line.strip_prefix("Question: "));
    let first = text.lines().next().unwrap_or_default();
    let put = put.unwrap_or_else(|| first.split_once(": ").map_or(first, |(_, rest)| rest));
    let part = "Work on this part of it: ";
    let part = text.lines().find_map(|line| line.strip_prefix(part));
    format!("{put} {}", part.unwrap_or_default())
        .trim()
        .to_owned()
}

/// Every source with where it begins.
fn sources(text: &str) -> impl Iterator<Item = (usize, Given)> {
    text.match_indices(SOURCE).filter_map(move |(at, mark)| {
        let rest = &text[at + mark.len()..];
        let (head, rest) = rest.split_once('>')?;
        let (said, _) = rest.split_once(SOURCE_END)?;
        let (id, attributes) = head.split_once('"')?;
        let title = attributes
            .split_once("title=\"")
            .and_then(|(_, rest)| rest.split_once('"'));
        let given = Given {
            id: id.to_owned(),
            title: title.map_or("", |(title, _)| title).to_owned(),
            text: said.trim().to_owned(),
        };
        Some((at, given))
    })
}

/// Quotes under findings are indented; sources are not.
fn is_quote(text: &str, at: usize) -> bool {
    text[..at].ends_with("  ")
}

fn thoughts(text: &str) -> Vec<EarlierThought> {
    let mut found: Vec<EarlierThought> = Vec::new();
    let mut quotes = sources(text)
        .filter(|(at, _)| is_quote(text, *at))
        .peekable();
    let begins = text.match_indices('\n').map(|(at, _)| at + 1);
    for begin in begins {
        let Some((step, rest)) = text[begin..]
            .strip_prefix(THOUGHT)
            .and_then(|rest| rest.split_once(" ("))
        else {
            continue;
        };
        let (Ok(step), Some((role, _))) = (step.parse(), rest.split_once([')', ','])) else {
            continue;
        };
        found.push(EarlierThought {
            step,
            role: role.to_owned(),
            quotes: Vec::new(),
        });
        let end = text[begin..]
            .find(&format!("\n{THOUGHT}"))
            .map_or(text.len(), |at| begin + at);
        while let Some((_, quote)) = quotes.next_if(|(at, _)| *at < end) {
            if let Some(thought) = found.last_mut() {
                thought.quotes.push(quote);
            }
        }
    }
    found
}
