//! Feeds a page to html5ever, within limits that html5ever does not have: its time grows with the square of the nesting
//! and of the attributes of one tag.
//!
//! Always knows whether the tokenizer is in text, in a tag or in a comment, so that a tag with too many attributes loses
//! the rest of them and nothing else.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use html5ever::interface::{QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, ns};

use super::tree::Dom;
use super::tree_sink::{Handle, Sink};

/// What is deeper is left out: hung elsewhere it would come out of what hides it.
const NESTING_MAX: usize = 400;
/// How many elements may be open in what is left out, until nothing more is read.
const BEYOND_MAX: usize = 100_000;
const TAGS_MAX: usize = 2_000_000;
const ATTRIBUTES_MAX: usize = 1_000;

pub(super) fn read(text: &str, nodes_max: usize) -> (Dom, QuirksMode) {
    let builder = TreeBuilder::new(Sink::new(nodes_max), TreeBuilderOpts::default());
    let guard = Guard {
        builder,
        tokens: Cell::new(0),
        tags: Cell::new(0),
        beyond: RefCell::default(),
        left_out: Cell::new(false),
        stopped: Cell::new(false),
        in_cdata: Cell::new(false),
    };
    let feed = Feed {
        tokenizer: Tokenizer::new(guard, TokenizerOpts::default()),
        input: BufferQueue::default(),
        text,
    };
    feed.run();
    feed.tokenizer.end();
    let guard = feed.tokenizer.sink;
    let mode = guard.builder.sink.mode();
    let left_out = guard.left_out.get();
    let mut dom = guard.builder.sink.finish();
    dom.cut |= left_out;
    (dom, mode)
}

/// Stands between the tokenizer and the tree, and lets pass what is within the limits.
struct Guard {
    builder: TreeBuilder<Handle, Sink>,
    /// How many tokens have come.
    tokens: Cell<usize>,
    tags: Cell<usize>,
    /// The elements that are open where nothing is taken because it is too deep, outermost first.
    beyond: RefCell<OpenNames>,
    left_out: Cell<bool>,
    stopped: Cell<bool>,
    /// Whether the last `<![CDATA[` began a section of text, and not a comment.
    in_cdata: Cell<bool>,
}

impl Guard {
    fn is_full(&self) -> bool {
        self.stopped.get() || self.builder.sink.is_full()
    }

    fn stop(&self) {
        self.left_out.set(true);
        self.stopped.set(true);
    }

    fn pass(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        match self.builder.process_token(token, line) {
            TokenSinkResult::Script(_) | TokenSinkResult::EncodingIndicator(_) => {
                TokenSinkResult::Continue
            }
            result => result,
        }
    }

    fn pass_tag(&self, tag: Tag, line: u64) -> TokenSinkResult<Handle> {
        self.tags.set(self.tags.get() + 1);
        if self.tags.get() > TAGS_MAX {
            self.stop();
            return TokenSinkResult::Continue;
        }
        let (kind, name) = (tag.kind, tag.name.clone());
        let closes_itself = tag.self_closing;
        let _ = self.builder.sink.take_inserted();
        let result = self.pass(Token::TagToken(tag), line);
        let inserted = self.builder.sink.take_inserted();
        if let (TagKind::StartTag, Some(inserted)) = (kind, inserted)
            && inserted.depth >= NESTING_MAX
            && inserted.name.local.eq_ignore_ascii_case(&name)
            && !is_void(&name)
            && !(closes_itself && inserted.name.ns != ns!(html))
        {
            self.left_out.set(true);
            self.beyond.borrow_mut().open(name);
        }
        result
    }

    /// A tag where nothing is taken: only followed, to know where that ends.
    fn follow_tag(&self, tag: Tag, line: u64) -> TokenSinkResult<Handle> {
        let mut beyond = self.beyond.borrow_mut();
        if tag.kind == TagKind::StartTag {
            if beyond.names.len() >= BEYOND_MAX {
                self.stop();
            } else if !is_void(&tag.name) {
                beyond.open(tag.name.clone());
            }
            return raw_text_of(&tag.name);
        }
        beyond.close(&tag.name);
        if beyond.names.is_empty() {
            drop(beyond);
            return self.pass_tag(tag, line);
        }
        TokenSinkResult::Continue
    }
}

/// Elements that are open, outermost first.
#[derive(Debug, Default)]
struct OpenNames {
    names: Vec<LocalName>,
    /// How many of each, so that an end without its start costs nothing.
    counts: BTreeMap<LocalName, usize>,
}

impl OpenNames {
    fn open(&mut self, name: LocalName) {
        *self.counts.entry(name.clone()).or_default() += 1;
        self.names.push(name);
    }

    /// Ends the innermost element of a name with all that is in it; nothing if none is open.
    fn close(&mut self, name: &LocalName) {
        if self.counts.get(name).copied().unwrap_or(0) == 0 {
            return;
        }
        while let Some(closed) = self.names.pop() {
            if let Some(count) = self.counts.get_mut(&closed) {
                *count -= 1;
            }
            if closed == *name {
                return;
            }
        }
    }
}

impl TokenSink for Guard {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        if matches!(token, Token::ParseError(_)) {
            return TokenSinkResult::Continue;
        }
        self.tokens.set(self.tokens.get() + 1);
        if self.is_full() {
            return TokenSinkResult::Continue;
        }
        let is_beyond = !self.beyond.borrow().names.is_empty();
        match token {
            Token::TagToken(tag) if is_beyond => self.follow_tag(tag, line),
            Token::TagToken(tag) => self.pass_tag(tag, line),
            _ if is_beyond => TokenSinkResult::Continue,
            token => self.pass(token, line),
        }
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        let is_foreign = self
            .builder
            .adjusted_current_node_present_but_not_in_html_namespace();
        self.in_cdata.set(is_foreign);
        is_foreign
    }
}

/// How the tokenizer reads on after a start tag that the tree never sees.
fn raw_text_of(name: &str) -> TokenSinkResult<Handle> {
    let kind = match name {
        "script" => RawKind::ScriptData,
        "textarea" | "title" => RawKind::Rcdata,
        "style" | "xmp" | "iframe" | "noembed" | "noframes" | "noscript" => RawKind::Rawtext,
        "plaintext" => return TokenSinkResult::Plaintext,
        _ => return TokenSinkResult::Continue,
    };
    TokenSinkResult::RawData(kind)
}

fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

struct Feed<'t> {
    tokenizer: Tokenizer<Guard>,
    input: BufferQueue,
    text: &'t str,
}

impl Feed<'_> {
    fn run(&self) {
        let mut at = 0;
        while at < self.text.len() && !self.tokenizer.sink.is_full() {
            let open = self.find(at, "<");
            // Alone, so that a reference to a character before it is finished before what follows is looked at.
            self.feed(at, (open + 1).min(self.text.len()));
            at = self.markup(open);
        }
    }

    /// Feeds what begins with the `<` at `open`, which is fed already, and says where that ends.
    fn markup(&self, open: usize) -> usize {
        let rest = self.text.get(open + 1..).unwrap_or_default();
        if let Some(inside) = rest.strip_prefix("!--") {
            let length = || open + 4 + length_of_comment(inside);
            return self.through(open + 1, open + 4, length);
        }
        if rest
            .get(..8)
            .is_some_and(|start| start.eq_ignore_ascii_case("![CDATA["))
        {
            self.tokenizer.sink.in_cdata.set(false);
            return self.through(open + 1, open + 9, || {
                let is_text = self.tokenizer.sink.in_cdata.get();
                self.after(open + 9, if is_text { "]]>" } else { ">" })
            });
        }
        let name = rest.strip_prefix('/').unwrap_or(rest);
        match name.bytes().next() {
            Some(first) if first.is_ascii_alphabetic() => self.tag(open + 1),
            _ if rest.starts_with(['!', '?', '/']) => {
                self.through(open + 1, open + 2, || self.after(open + 2, ">"))
            }
            _ => open + 1,
        }
    }

    /// Feeds up to `start`; if the tokenizer takes that for markup and not for text, feeds on to where that ends.
    fn through(&self, from: usize, start: usize, end: impl FnOnce() -> usize) -> usize {
        let before = self.tokenizer.sink.tokens.get();
        self.feed(from, start);
        if self.tokenizer.sink.tokens.get() != before {
            return start;
        }
        let end = end();
        self.feed(start, end);
        end
    }

    fn tag(&self, from: usize) -> usize {
        let name_end = self.text.get(from + 1..).and_then(|rest| {
            rest.find(|character: char| {
                character.is_ascii_whitespace() || matches!(character, '/' | '>')
            })
        });
        let start = name_end.map_or(self.text.len(), |length| from + 1 + length + 1);
        let before = self.tokenizer.sink.tokens.get();
        self.feed(from, start);
        if self.tokenizer.sink.tokens.get() != before {
            return start;
        }
        let bounds = bounds_of_tag(self.text, start);
        self.feed(start, bounds.kept);
        if bounds.kept < bounds.close {
            // One of the attributes that are not read may hide the element.
            self.tokenizer.sink.left_out.set(true);
            self.feed_text(" hidden ");
        }
        self.feed(bounds.close, bounds.end);
        bounds.end
    }

    fn feed(&self, from: usize, to: usize) {
        self.feed_text(self.text.get(from..to).unwrap_or_default());
    }

    fn feed_text(&self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.input.push_back(StrTendril::from_slice(text));
        // The guard answers no token in a way that pauses the tokenizer.
        let _ = self.tokenizer.feed(&self.input);
    }

    fn find(&self, from: usize, pattern: &str) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        rest.find(pattern)
            .map_or(self.text.len(), |place| from + place)
    }

    fn after(&self, from: usize, pattern: &str) -> usize {
        (self.find(from, pattern) + pattern.len()).min(self.text.len())
    }
}

/// How far it is from behind `<!--` to behind the end of the comment.
fn length_of_comment(inside: &str) -> usize {
    // `<!-->` and `<!--->` are whole comments.
    let mut ends = inside.match_indices('>').filter(|(place, _)| {
        let before = inside.get(..*place).unwrap_or_default();
        matches!(before, "" | "-") || before.ends_with("--") || before.ends_with("--!")
    });
    ends.next().map_or(inside.len(), |(place, _)| place + 1)
}

/// Which part of a tag is fed: up to `kept`, and from `close` to `end`.
struct TagBounds {
    kept: usize,
    close: usize,
    end: usize,
}

/// The states of a tag, as the standard has them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TagState {
    BeforeName,
    Name,
    AfterName,
    BeforeValue,
    Quoted(u8),
    Unquoted,
}

/// Reads from behind the tag's name to its end.
fn bounds_of_tag(text: &str, from: usize) -> TagBounds {
    use TagState::{AfterName, BeforeName, BeforeValue, Name, Quoted, Unquoted};
    let mut state = BeforeName;
    let mut attributes = 0;
    let mut kept = None;
    for (at, byte) in text.bytes().enumerate().skip(from) {
        let is_space = byte.is_ascii_whitespace();
        if byte == b'>' && !matches!(state, Quoted(_)) {
            return TagBounds {
                kept: kept.unwrap_or(at),
                close: at,
                end: at + 1,
            };
        }
        let was = state;
        state = match (state, byte) {
            (Quoted(quote), _) if byte == quote => BeforeName,
            (Quoted(_), _) => state,
            (BeforeName, _) if is_space || byte == b'/' => BeforeName,
            (BeforeName, _) => Name,
            (Name | AfterName, b'=') => BeforeValue,
            (Name | AfterName, b'/') => BeforeName,
            (Name | AfterName, _) if is_space => AfterName,
            (Name | AfterName, _) => Name,
            (BeforeValue, b'"' | b'\'') => Quoted(byte),
            (BeforeValue, _) if is_space => BeforeValue,
            (Unquoted, _) if is_space => BeforeName,
            (BeforeValue | Unquoted, _) => Unquoted,
        };
        if state == Name && was != Name {
            attributes += 1;
            if attributes > ATTRIBUTES_MAX {
                kept.get_or_insert(at);
            }
        }
    }
    let end = text.len();
    let kept = kept.unwrap_or(end);
    TagBounds {
        kept,
        close: end,
        end,
    }
}
