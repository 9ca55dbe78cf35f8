//! Selectors of style rules: elements, classes, ids, attributes, combinators, and the pseudo-classes that depend on
//! nothing but the tree.
//!
//! Any other pseudo-class or pseudo-element makes a selector that fits nothing.

use std::rc::Rc;

use cssparser::{ParseError, Parser, Token};

use super::tree::{Dom, Node, ROOT};

const COMPOUNDS_MAX: usize = 32;
const SIMPLES_MAX: usize = 64;
const LIST_MAX: usize = 1_000;

/// How the case of classes and ids counts: not at all on pages without a doctype.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Exact,
    Any,
}

#[derive(Debug, Clone)]
pub(super) struct Selector {
    /// From right to left, each with how it stands to the one before it in this order.
    compounds: Vec<(Combinator, Compound)>,
    pub(super) specificity: u32,
}

type Compound = Vec<Simple>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Combinator {
    /// The compound furthest right.
    Subject,
    Inside,
    DirectlyInside,
    DirectlyAfter,
    After,
}

#[derive(Debug, Clone)]
enum Simple {
    Element(String),
    Id(String),
    Class(String),
    Attribute(String, Test, String),
    Is(Rc<[Selector]>),
    Not(Rc<[Selector]>),
    Root,
    FirstChild,
    LastChild,
}

#[derive(Debug, Clone, Copy)]
enum Test {
    Present,
    Equal,
    Word,
    Dash,
    Start,
    End,
    Part,
}

/// By what elements can be looked up that a selector may fit, all in lower case.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Id(String),
    Class(String),
    Element(String),
    Any,
}

impl Selector {
    pub(super) fn key(&self) -> Key {
        let mut key = Key::Any;
        for simple in self.compounds.first().into_iter().flat_map(|(_, c)| c) {
            match simple {
                Simple::Id(id) => return Key::Id(id.to_ascii_lowercase()),
                Simple::Class(class) => key = Key::Class(class.to_ascii_lowercase()),
                Simple::Element(name) if key == Key::Any => key = Key::Element(name.clone()),
                _ => {}
            }
        }
        key
    }
}

type Unread = ParseError<()>;

/// A list of selectors. One that is not understood fits nothing; the others still do.
///
/// `around` are the selectors of the rule that this one is nested in.
pub(super) fn parse_list(input: &mut Parser, around: Option<&Rc<[Selector]>>) -> Vec<Selector> {
    let mut all = input.parse_comma_separated_ignoring_errors(|input| parse_one(input, around));
    all.truncate(LIST_MAX);
    all
}

fn parse_one(input: &mut Parser, around: Option<&Rc<[Selector]>>) -> Result<Selector, Unread> {
    let mut compounds: Vec<(Combinator, Compound)> = Vec::new();
    let mut names_around = around.is_none();
    input.skip_whitespace();
    let mut combinator = parse_combinator(input);
    if combinator.is_some() {
        let Some(around) = around else {
            return Err(Unread::unexpected_token());
        };
        compounds.push((Combinator::Subject, vec![Simple::Is(Rc::clone(around))]));
        names_around = true;
    }
    loop {
        let compound = parse_compound(input, around, &mut names_around)?;
        compounds.push((combinator.unwrap_or(Combinator::Subject), compound));
        if compounds.len() > COMPOUNDS_MAX {
            return Err(Unread::custom(()));
        }
        let is_apart = input.try_parse(Parser::expect_whitespace).is_ok();
        input.skip_whitespace();
        combinator = parse_combinator(input);
        if input.is_exhausted() {
            break;
        }
        if combinator.is_none() {
            if !is_apart {
                return Err(Unread::unexpected_token());
            }
            combinator = Some(Combinator::Inside);
        }
    }
    if let (false, Some(around)) = (names_around, around) {
        if let Some(first) = compounds.first_mut() {
            first.0 = Combinator::Inside;
        }
        let outer = vec![Simple::Is(Rc::clone(around))];
        compounds.insert(0, (Combinator::Subject, outer));
    }
    Ok(turn_around(compounds))
}

/// From the order of the page, where a combinator stands before its compound, to the order of matching.
fn turn_around(compounds: Vec<(Combinator, Compound)>) -> Selector {
    let specificity = compounds.iter().map(|(_, compound)| weight(compound)).sum();
    let mut turned = Vec::with_capacity(compounds.len());
    let mut relation = Combinator::Subject;
    for (combinator, compound) in compounds.into_iter().rev() {
        turned.push((relation, compound));
        relation = combinator;
    }
    Selector {
        compounds: turned,
        specificity,
    }
}

fn weight(compound: &Compound) -> u32 {
    let strongest = |list: &[Selector]| list.iter().map(|one| one.specificity).max();
    let weights = compound.iter().map(|simple| match simple {
        Simple::Id(_) => 0x1_0000,
        Simple::Element(_) => 1,
        Simple::Is(list) | Simple::Not(list) => strongest(list).unwrap_or(0),
        _ => 0x100,
    });
    weights.fold(0, u32::saturating_add)
}

fn parse_combinator(input: &mut Parser) -> Option<Combinator> {
    let parsed = input.try_parse(|input| match input.next() {
        Ok(Token::Delim('>')) => Ok(Combinator::DirectlyInside),
        Ok(Token::Delim('+')) => Ok(Combinator::DirectlyAfter),
        Ok(Token::Delim('~')) => Ok(Combinator::After),
        _ => Err(()),
    });
    let parsed = parsed.ok()?;
    input.skip_whitespace();
    Some(parsed)
}

fn parse_compound(
    input: &mut Parser,
    around: Option<&Rc<[Selector]>>,
    names_around: &mut bool,
) -> Result<Compound, Unread> {
    let mut compound = Vec::new();
    let mut is_empty = true;
    loop {
        let before = input.state();
        let token = match input.next_including_whitespace() {
            Ok(token) => token.clone(),
            Err(_) => break,
        };
        match &token {
            Token::Ident(name) if is_empty => {
                compound.push(Simple::Element(name.to_ascii_lowercase()));
            }
            Token::Delim('*') if is_empty => {}
            Token::Delim('&') => {
                let outer = around.map_or(Simple::Root, |around| Simple::Is(Rc::clone(around)));
                compound.push(outer);
                *names_around = true;
            }
            Token::IDHash(id) => compound.push(Simple::Id(id.to_string())),
            Token::Delim('.') => {
                let class = input.expect_ident()?;
                compound.push(Simple::Class(class.to_string()));
            }
            Token::SquareBracketBlock => {
                compound.push(input.parse_nested_block(parse_attribute)?);
            }
            Token::Colon => compound.push(parse_pseudo(input)?),
            _ => {
                input.reset(&before);
                break;
            }
        }
        is_empty = false;
        if compound.len() > SIMPLES_MAX {
            return Err(Unread::custom(()));
        }
    }
    if is_empty {
        return Err(Unread::unexpected_token());
    }
    Ok(compound)
}

fn parse_attribute(input: &mut Parser) -> Result<Simple, Unread> {
    let name = input.expect_ident()?.to_ascii_lowercase();
    let test = match input.next() {
        Err(_) => return Ok(Simple::Attribute(name, Test::Present, String::new())),
        Ok(Token::Delim('=')) => Test::Equal,
        Ok(Token::IncludeMatch) => Test::Word,
        Ok(Token::DashMatch) => Test::Dash,
        Ok(Token::PrefixMatch) => Test::Start,
        Ok(Token::SuffixMatch) => Test::End,
        Ok(Token::SubstringMatch) => Test::Part,
        Ok(_) => return Err(Unread::unexpected_token()),
    };
    let value = input.expect_ident_or_string()?.to_string();
    // A mark after the value says how its case counts; it makes no difference here.
    let _ = input.try_parse(|input| input.expect_ident().map(drop));
    Ok(Simple::Attribute(name, test, value))
}

fn parse_pseudo(input: &mut Parser) -> Result<Simple, Unread> {
    let token = input.next_including_whitespace()?.clone();
    match &token {
        Token::Ident(name) => match name.to_ascii_lowercase().as_str() {
            "root" => Ok(Simple::Root),
            "first-child" => Ok(Simple::FirstChild),
            "last-child" => Ok(Simple::LastChild),
            _ => Err(Unread::custom(())),
        },
        Token::Function(name) => {
            let name = name.to_ascii_lowercase();
            let inside =
                input.parse_nested_block(|input| Ok::<_, Unread>(parse_list_inside(input)))?;
            let list: Rc<[Selector]> = inside.selectors.into();
            match name.as_str() {
                "is" | "where" | "matches" | "-webkit-any" | "-moz-any" => Ok(Simple::Is(list)),
                // With a part that is not understood it is unknown what is left over.
                "not" if inside.is_whole => Ok(Simple::Not(list)),
                _ => Err(Unread::custom(())),
            }
        }
        _ => Err(Unread::unexpected_token()),
    }
}

struct ListInside {
    selectors: Vec<Selector>,
    is_whole: bool,
}

fn parse_list_inside(input: &mut Parser) -> ListInside {
    let mut is_whole = true;
    let selectors = input.parse_comma_separated_ignoring_errors(|input| {
        let one = parse_one(input, None);
        is_whole &= one.is_ok();
        one
    });
    ListInside {
        selectors,
        is_whole,
    }
}

/// Finds out whether selectors fit elements, with as many steps as it is given.
pub(super) struct Matcher<'d> {
    dom: &'d Dom,
    case: Case,
    pub(super) steps_left: usize,
    /// For each node the element before it in the same parent, or the root.
    previous: Vec<usize>,
}

impl<'d> Matcher<'d> {
    pub(super) fn new(dom: &'d Dom, case: Case, steps_max: usize) -> Self {
        let mut last_inside = vec![ROOT; dom.nodes().len()];
        let mut previous = Vec::with_capacity(dom.nodes().len());
        for (at, node) in dom.nodes().iter().enumerate() {
            let last = last_inside.get_mut(node.parent);
            let before = last.as_deref().copied().unwrap_or(ROOT);
            previous.push(before);
            if let Some(last) = last.filter(|_| node.is_element()) {
                *last = at;
            }
        }
        Self {
            dom,
            case,
            steps_left: steps_max,
            previous,
        }
    }

    pub(super) fn fits(&mut self, selector: &Selector, at: usize) -> bool {
        self.fits_from(&selector.compounds, at)
    }

    fn fits_from(&mut self, compounds: &[(Combinator, Compound)], at: usize) -> bool {
        let Some(((_, compound), rest)) = compounds.split_first() else {
            return true;
        };
        if !self.fits_compound(compound, at) {
            return false;
        }
        let Some((relation, _)) = rest.first() else {
            return true;
        };
        match relation {
            Combinator::Subject => false,
            Combinator::DirectlyInside => {
                let parent = self.dom.node(at).parent;
                parent != ROOT && self.fits_from(rest, parent)
            }
            Combinator::Inside => {
                let mut above = self.dom.node(at).parent;
                while above != ROOT && self.steps_left > 0 {
                    if self.fits_from(rest, above) {
                        return true;
                    }
                    above = self.dom.node(above).parent;
                }
                false
            }
            Combinator::DirectlyAfter => {
                let previous = self.previous(at);
                previous != ROOT && self.fits_from(rest, previous)
            }
            Combinator::After => {
                let mut before = self.previous(at);
                while before != ROOT && self.steps_left > 0 {
                    if self.fits_from(rest, before) {
                        return true;
                    }
                    before = self.previous(before);
                }
                false
            }
        }
    }

    fn previous(&self, at: usize) -> usize {
        self.previous.get(at).copied().unwrap_or(ROOT)
    }

    fn spend(&mut self, steps: usize) {
        self.steps_left = self.steps_left.saturating_sub(steps);
    }

    fn fits_compound(&mut self, compound: &Compound, at: usize) -> bool {
        self.spend(1);
        compound
            .iter()
            .all(|simple| self.steps_left > 0 && self.fits_simple(simple, at))
    }

    fn fits_simple(&mut self, simple: &Simple, at: usize) -> bool {
        let dom = self.dom;
        let node = dom.node(at);
        match simple {
            Simple::Element(name) => node.name().eq_ignore_ascii_case(name),
            Simple::Id(id) => node
                .attribute("id")
                .is_some_and(|own| is_same(own, id, self.case)),
            Simple::Class(class) => {
                let own = node.attribute("class").unwrap_or_default();
                self.spend(own.len() / 64);
                own.split_ascii_whitespace()
                    .any(|own| is_same(own, class, self.case))
            }
            Simple::Attribute(name, test, value) => {
                let own = node.attribute(name);
                self.spend(own.map_or(0, str::len) / 64);
                own.is_some_and(|own| passes(*test, own, value))
            }
            Simple::Is(list) => list.iter().any(|one| self.fits(one, at)),
            Simple::Not(list) => !list.iter().any(|one| self.fits(one, at)),
            Simple::Root => node.parent == ROOT,
            Simple::FirstChild => self.previous(at) == ROOT,
            Simple::LastChild => {
                let after = dom.nodes().get(node.end..dom.node(node.parent).end);
                !after.unwrap_or_default().iter().any(Node::is_element)
            }
        }
    }
}

fn is_same(own: &str, wanted: &str, case: Case) -> bool {
    match case {
        Case::Exact => own == wanted,
        Case::Any => own.eq_ignore_ascii_case(wanted),
    }
}

/// The case of values is not looked at: some attributes have none, and a page that hides by it is rare.
fn passes(test: Test, own: &str, wanted: &str) -> bool {
    let own = own.to_ascii_lowercase();
    let wanted = wanted.to_ascii_lowercase();
    match test {
        Test::Present => true,
        Test::Equal => own == wanted,
        Test::Word => own.split_ascii_whitespace().any(|word| word == wanted),
        Test::Dash => {
            let rest = own.strip_prefix(wanted.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        }
        Test::Start => !wanted.is_empty() && own.starts_with(&wanted),
        Test::End => !wanted.is_empty() && own.ends_with(&wanted),
        Test::Part => !wanted.is_empty() && own.contains(&wanted),
    }
}
