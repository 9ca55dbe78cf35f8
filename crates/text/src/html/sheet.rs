//! The style rules in a page, as far as they can hide text, and the declarations they give an element.

use std::collections::BTreeMap;
use std::rc::Rc;

use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState,
    QualifiedRuleParser, RuleBodyItemParser, RuleBodyParser, StyleSheetParser, Token,
};

use super::selector::{Key, Matcher, Selector, parse_list};
use super::style::Declaration;
use super::tree::Node;
use super::values::read_value;

/// Rules beyond these are not read.
const SELECTORS_MAX: usize = 20_000;
const BLOCKS_NESTED_MAX: u8 = 24;
/// The window that rules for windows of some width are judged by.
const WINDOW_WIDTH_PX: f32 = 1280.0;

#[derive(Debug, Default)]
pub(super) struct Sheet {
    rules: Vec<Rule>,
    by_key: BTreeMap<Key, Vec<usize>>,
    pub(super) is_cut: bool,
}

#[derive(Debug)]
struct Rule {
    selector: Selector,
    declarations: Rc<[Declaration]>,
}

impl Sheet {
    /// Adds what stands in one `<style>`.
    pub(super) fn add(&mut self, text: &str) {
        let mut input = Parser::new(text);
        input.set_nested_block_limit(BLOCKS_NESTED_MAX);
        let mut body = Body {
            sheet: self,
            around: None,
            declarations: Vec::new(),
        };
        // What is wrong in a sheet is overlooked, as browsers do.
        StyleSheetParser::new(&mut input, &mut body).for_each(drop);
    }

    fn push(&mut self, selectors: &[Selector], declarations: Vec<Declaration>) {
        if declarations.is_empty() {
            return;
        }
        let declarations: Rc<[Declaration]> = declarations.into();
        for selector in selectors {
            if self.rules.len() >= SELECTORS_MAX {
                self.is_cut = true;
                return;
            }
            let place = self.rules.len();
            self.by_key.entry(selector.key()).or_default().push(place);
            self.rules.push(Rule {
                selector: selector.clone(),
                declarations: Rc::clone(&declarations),
            });
        }
    }

    /// The declarations for an element, the weightiest last, without regard to `!important`.
    pub(super) fn declarations(
        &self,
        matcher: &mut Matcher,
        node: &Node,
        at: usize,
    ) -> Vec<&[Declaration]> {
        if self.rules.is_empty() {
            return Vec::new();
        }
        let id = node.attribute("id").map(str::to_ascii_lowercase);
        let classes = node.attribute("class").unwrap_or_default();
        let keys = classes
            .split_ascii_whitespace()
            .map(|class| Key::Class(class.to_ascii_lowercase()))
            .chain(id.map(Key::Id))
            .chain([Key::Element(node.name().to_ascii_lowercase()), Key::Any]);
        let mut places: Vec<usize> = keys
            .filter_map(|key| self.by_key.get(&key))
            .flatten()
            .copied()
            .collect();
        places.sort_unstable();
        places.dedup();
        let fitting = places
            .into_iter()
            .filter_map(|place| self.rules.get(place))
            .filter(|rule| matcher.fits(&rule.selector, at));
        let mut rules: Vec<&Rule> = fitting.collect();
        rules.sort_by_key(|rule| rule.selector.specificity);
        rules.iter().map(|rule| &*rule.declarations).collect()
    }
}

/// The declarations of a `style` attribute.
pub(super) fn declarations_of(style: &str) -> Vec<Declaration> {
    let mut input = Parser::new(style);
    let mut sheet = Sheet::default();
    let mut body = Body {
        sheet: &mut sheet,
        around: None,
        declarations: Vec::new(),
    };
    RuleBodyParser::new(&mut input, &mut body).for_each(drop);
    body.declarations
}

/// Reads a sheet, or what is inside the braces of a rule.
struct Body<'s> {
    sheet: &'s mut Sheet,
    /// The selectors of the rule this stands in.
    around: Option<Rc<[Selector]>>,
    declarations: Vec<Declaration>,
}

impl Body<'_> {
    fn read_block(&mut self, around: Option<Rc<[Selector]>>, input: &mut Parser) {
        let mut body = Body {
            sheet: &mut *self.sheet,
            around,
            declarations: Vec::new(),
        };
        match &body.around {
            Some(_) => RuleBodyParser::new(input, &mut body).for_each(drop),
            None => StyleSheetParser::new(input, &mut body).for_each(drop),
        }
        if let Some(around) = &body.around {
            let declarations = std::mem::take(&mut body.declarations);
            body.sheet.push(around, declarations);
        }
    }
}

impl<'i> QualifiedRuleParser<'i> for Body<'_> {
    type Prelude = Vec<Selector>;
    type QualifiedRule = ();
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Result<Vec<Selector>, ParseError<()>> {
        Ok(parse_list(input, self.around.as_ref()))
    }

    fn parse_block(
        &mut self,
        selectors: Vec<Selector>,
        _start: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<(), ParseError<()>> {
        self.read_block(Some(selectors.into()), input);
        Ok(())
    }
}

impl<'i> AtRuleParser<'i> for Body<'_> {
    type Prelude = ();
    type AtRule = ();
    type Error = ();

    /// Goes into the blocks of those rules only that hold on a screen.
    fn parse_prelude(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
    ) -> Result<(), ParseError<()>> {
        let start = input.position();
        while input.next().is_ok() {}
        let condition = input.slice_from(start);
        let holds = match name.to_ascii_lowercase().as_str() {
            "media" => holds_on_screen(condition),
            "supports" => !condition
                .trim_start()
                .to_ascii_lowercase()
                .starts_with("not"),
            "layer" => true,
            _ => false,
        };
        if holds {
            Ok(())
        } else {
            Err(ParseError::custom(()))
        }
    }

    fn parse_block(
        &mut self,
        (): (),
        _start: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<(), ParseError<()>> {
        self.read_block(self.around.clone(), input);
        Ok(())
    }
}

impl<'i> DeclarationParser<'i> for Body<'_> {
    type Declaration = ();
    type Error = ();

    fn parse_value(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
        _start: &ParserState,
    ) -> Result<(), ParseError<()>> {
        let declarations = read_value(&name, input).ok_or_else(|| ParseError::custom(()))?;
        self.declarations.extend(declarations);
        Ok(())
    }
}

impl RuleBodyItemParser<'_, (), ()> for Body<'_> {
    fn parse_declarations(&self) -> bool {
        true
    }

    fn parse_qualified(&self) -> bool {
        self.around.is_some()
    }
}

/// Whether a list of media queries holds on a wide screen. What is not understood does not hold.
pub(super) fn holds_on_screen(condition: &str) -> bool {
    let condition = condition.to_ascii_lowercase();
    condition.trim().is_empty() || condition.split(',').any(holds_query)
}

fn holds_query(query: &str) -> bool {
    query.split(" and ").all(|part| {
        let part = part.trim();
        match part.strip_prefix("only ").unwrap_or(part).trim() {
            "screen" | "all" => true,
            feature => holds_feature(feature),
        }
    })
}

fn holds_feature(feature: &str) -> bool {
    let inside = feature
        .strip_prefix('(')
        .and_then(|feature| feature.strip_suffix(')'));
    let Some((name, value)) = inside.and_then(|feature| feature.split_once(':')) else {
        return false;
    };
    let mut input = Parser::new(value);
    let px = match input.next() {
        Ok(Token::Dimension { value, unit, .. }) => match &**unit {
            "em" | "rem" => value * 16.0,
            _ => *value,
        },
        Ok(Token::Number { value, .. }) => *value,
        _ => return false,
    };
    match name.trim() {
        "min-width" => WINDOW_WIDTH_PX >= px,
        "max-width" => WINDOW_WIDTH_PX <= px,
        _ => false,
    }
}
