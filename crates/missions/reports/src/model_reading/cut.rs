//! Cuts documents into pieces that one question can carry. Deterministic: the same documents give the same pieces.

use std::ops::Range;

use adjutant_questions::{Source, ToldDocument, token_bound};
use serde::{Deserialize, Serialize};

/// More pieces are not read by a model; the report says which documents that leaves out.
pub const PIECES_MAX: usize = 40;
/// What one piece holds at most. Longer pieces are read less carefully, and their answers do not fit.
const PIECE_WORDS_MAX: usize = 2_000;
const PIECE_TOKENS_MAX: u64 = 6_000;
/// What stands around each source in a question.
const SOURCE_TOKENS: u64 = 60;
/// A statement longer than this is cut.
const UNIT_BYTES_MAX: usize = 4_000;

/// A document with its statements, to be cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WholeDocument {
    /// The address of the whole document.
    pub id: String,
    pub source: String,
    pub title: String,
    pub date: Option<String>,
    pub genre: String,
    pub is_draft: bool,
    /// The title of the later version, if there is one.
    pub replaced_by: Option<String>,
    pub text: String,
    /// In bytes of the text, in their order.
    pub statements: Vec<Range<usize>>,
}

impl WholeDocument {
    fn is_outdated(&self) -> bool {
        self.is_draft || self.replaced_by.is_some()
    }

    fn standing(&self) -> String {
        match (&self.replaced_by, self.is_draft) {
            (Some(by), _) => format!("replaced by “{by}”"),
            (None, true) => "draft".to_owned(),
            (None, false) => "current".to_owned(),
        }
    }
}

/// Documents in pieces.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Cut {
    pub items: Vec<Piece>,
    pub parts: Vec<PartOf>,
    /// What no piece holds.
    pub unread: Vec<UnreadPart>,
}

/// What one question carries.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    pub sources: Vec<Source>,
    pub documents: Vec<ToldDocument>,
}

/// Which part of which document a source of a piece is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartOf {
    /// Its id in the question: short, since every quote repeats it.
    pub id: String,
    /// The number of its piece.
    pub piece: usize,
    /// The address of the whole document.
    pub document: String,
    pub source: String,
    pub title: String,
    pub date: Option<String>,
    pub genre: String,
    pub is_outdated: bool,
    pub standing: String,
    /// How many characters of the document come before it.
    pub first: usize,
    /// Its statements, in bytes of its own text.
    pub statements: Vec<Range<usize>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnreadPart {
    pub document: String,
    pub title: String,
}

/// A stretch of a document that fits into a piece.
struct Stretch {
    document: usize,
    span: Range<usize>,
    words: usize,
    tokens: u64,
    /// Its number in its document, from 1, and how many there are.
    number: usize,
    of: usize,
}

/// Cuts the documents. With a count there are exactly so many pieces: the rest is unread, or the last ones are empty.
pub fn cut(documents: &[WholeDocument], count: Option<usize>) -> Cut {
    // What holds is read first, so that it is the rest that is left out of very many.
    let mut order: Vec<usize> = (0..documents.len()).collect();
    order.sort_by_key(|at| documents[*at].is_outdated());
    let stretches = order
        .iter()
        .flat_map(|at| stretches(*at, &documents[*at]))
        .collect::<Vec<_>>();
    let packed = pack(&stretches);
    let most = count.unwrap_or(PIECES_MAX).min(PIECES_MAX);
    let mut cut = Cut::default();
    for (piece, held) in packed.iter().enumerate() {
        if piece >= most {
            for stretch in held {
                let document = &documents[stretch.document];
                cut.unread.push(UnreadPart {
                    document: document.id.clone(),
                    title: document.title.clone(),
                });
            }
            continue;
        }
        let mut item = Piece::default();
        for stretch in held {
            let document = &documents[stretch.document];
            let part = part(document, stretch, piece);
            item.documents.push(ToldDocument {
                source: part.id.clone(),
                genre: document.genre.clone(),
                standing: document.standing(),
            });
            item.sources.push(source(document, stretch, &part.id));
            cut.parts.push(part);
        }
        cut.items.push(item);
    }
    if let Some(count) = count {
        cut.items.resize_with(count.min(PIECES_MAX), Piece::default);
    }
    cut.unread.dedup();
    cut
}

fn pack(stretches: &[Stretch]) -> Vec<Vec<&Stretch>> {
    let mut packed: Vec<Vec<&Stretch>> = Vec::new();
    let (mut words, mut tokens) = (0, 0);
    for stretch in stretches {
        let fits =
            words + stretch.words <= PIECE_WORDS_MAX && tokens + stretch.tokens <= PIECE_TOKENS_MAX;
        match packed.last_mut() {
            Some(piece) if fits => piece.push(stretch),
            _ => {
                packed.push(vec![stretch]);
                (words, tokens) = (0, 0);
            }
        }
        words += stretch.words;
        tokens += stretch.tokens;
    }
    packed
}

/// A document as stretches that end where a statement does.
fn stretches(number: usize, document: &WholeDocument) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    for unit in units(document) {
        let text = document.text.get(unit.clone()).unwrap_or_default();
        let words = text.split_whitespace().count();
        let tokens = token_bound(text);
        match found.last_mut() {
            Some(last)
                if last.words + words <= PIECE_WORDS_MAX
                    && last.tokens + tokens <= PIECE_TOKENS_MAX =>
            {
                last.span.end = unit.end;
                last.words += words;
                last.tokens += tokens;
            }
            _ => found.push(Stretch {
                document: number,
                span: unit,
                words,
                tokens: tokens + SOURCE_TOKENS,
                number: found.len() + 1,
                of: 0,
            }),
        }
    }
    found.retain(|stretch| stretch.words > 0);
    let of = found.len();
    for stretch in &mut found {
        stretch.of = of;
    }
    found
}

/// What is not cut: from the beginning of a statement to that of the next one. One that is longer than a piece is data
/// and is cut anywhere.
fn units(document: &WholeDocument) -> Vec<Range<usize>> {
    let text = &document.text;
    let starts = document.statements.iter().skip(1).map(|next| next.start);
    let mut found = Vec::new();
    let mut begin = 0;
    for end in starts.chain([text.len()]) {
        while end.saturating_sub(begin) > UNIT_BYTES_MAX {
            let cut = text.floor_char_boundary(begin + UNIT_BYTES_MAX);
            found.push(begin..cut);
            begin = cut;
        }
        if end > begin {
            found.push(begin..end);
            begin = end;
        }
    }
    found
}

fn part(document: &WholeDocument, stretch: &Stretch, piece: usize) -> PartOf {
    let span = &stretch.span;
    let statements = document.statements.iter();
    let own = statements.filter(|at| span.start <= at.start && at.end <= span.end);
    PartOf {
        id: match stretch.of {
            1 => format!("d{}", stretch.document + 1),
            _ => format!("d{}.{}", stretch.document + 1, stretch.number),
        },
        piece,
        document: document.id.clone(),
        source: document.source.clone(),
        title: document.title.clone(),
        date: document.date.clone(),
        is_outdated: document.is_outdated(),
        standing: document.standing(),
        genre: document.genre.clone(),
        first: document.text[..span.start].chars().count(),
        statements: own
            .map(|at| at.start - span.start..at.end - span.start)
            .collect(),
    }
}

fn source(document: &WholeDocument, stretch: &Stretch, id: &str) -> Source {
    let title = match stretch.of {
        1 => document.title.clone(),
        of => format!("{} (part {} of {of})", document.title, stretch.number),
    };
    Source {
        id: id.to_owned(),
        title,
        text: document.text[stretch.span.clone()].to_owned(),
        published: document.date.clone(),
    }
}
