//! Marks what readers of a page do not see: by attributes, by styles, and by the names that sites give to hidden text.

use html5ever::interface::QuirksMode;

use super::colour::Colour;
use super::selector::{Case, Matcher};
use super::sheet::{Sheet, declarations_of, holds_on_screen};
use super::style::{Declaration, Inherited, Origin, Style, Value, Weight};
use super::tree::{Dom, Node, ROOT, Visibility};

/// How often in all a part of a rule is held against an element.
const MATCH_STEPS_MAX: usize = 100_000_000;

pub(super) fn mark(dom: &mut Dom, mode: QuirksMode) {
    let sheet = sheet_of(dom);
    let case = match mode {
        QuirksMode::Quirks => Case::Any,
        _ => Case::Exact,
    };
    let mut matcher = Matcher::new(dom, case, MATCH_STEPS_MAX);
    // For each node what it hands on; nothing where all is hidden.
    let mut handed_on = vec![Some(Inherited::default())];
    let mut marks = vec![Visibility::Shown];
    for (at, node) in dom.nodes().iter().enumerate().skip(1) {
        let around = handed_on.get(node.parent).copied().flatten();
        let inside = around.and_then(|around| {
            if node.is_element() {
                inside_of(node, at, around, &sheet, &mut matcher)
            } else {
                Some(around)
            }
        });
        let is_shown = inside.is_some_and(|inside| !inside.hides_text());
        marks.push(if is_shown {
            Visibility::Shown
        } else {
            Visibility::Hidden
        });
        handed_on.push(inside);
    }
    dom.styles_cut = sheet.is_cut || matcher.steps_left == 0;
    for (node, mark) in dom.nodes.iter_mut().zip(marks) {
        node.visibility = mark;
    }
}

fn sheet_of(dom: &Dom) -> Sheet {
    let mut sheet = Sheet::default();
    for (at, node) in dom.named("style") {
        let kind = node.attribute("type").unwrap_or_default();
        let is_css = kind.is_empty() || kind.eq_ignore_ascii_case("text/css");
        let holds = holds_on_screen(node.attribute("media").unwrap_or_default());
        if is_css && holds && !is_in_template(dom, at) {
            sheet.add(&dom.raw_text(at));
        }
    }
    sheet
}

fn is_in_template(dom: &Dom, at: usize) -> bool {
    let mut above = dom.node(at).parent;
    while above != ROOT {
        if dom.node(above).name() == "template" {
            return true;
        }
        above = dom.node(above).parent;
    }
    false
}

/// What the elements in this one take over; nothing if it is hidden with all that is in it.
fn inside_of(
    node: &Node,
    at: usize,
    around: Inherited,
    sheet: &Sheet,
    matcher: &mut Matcher,
) -> Option<Inherited> {
    if is_hidden_by_markup(node) {
        return None;
    }
    let mut style = Style::inside(around);
    let colour = |name: &str| node.attribute(name).and_then(Colour::from_attribute);
    if let Some(paper) = colour("bgcolor") {
        style.apply(Value::Paper(Some(paper)), Origin::Element);
    }
    if let Some(ink) = colour("color").filter(|_| node.name() == "font") {
        style.apply(Value::Ink(ink), Origin::Element);
    }
    let rules = sheet.declarations(matcher, node, at);
    let own = node
        .attribute("style")
        .map(declarations_of)
        .unwrap_or_default();
    for weight in [Weight::Normal, Weight::Important] {
        let mut apply = |declarations: &[Declaration], origin| {
            for declaration in declarations {
                if declaration.weight == weight {
                    style.apply(declaration.value, origin);
                }
            }
        };
        for declarations in &rules {
            apply(declarations, Origin::Rule);
        }
        apply(&own, Origin::Element);
    }
    style.finish()
}

fn is_hidden_by_markup(node: &Node) -> bool {
    let is_hidden_class = |class: &str| {
        matches!(
            class,
            "sr-only"
                | "visually-hidden"
                | "screen-reader-text"
                | "d-none"
                | "invisible"
                | "hidden"
                | "is-hidden"
        )
    };
    let classes = node.attribute("class").unwrap_or_default();
    matches!(node.name(), "template" | "noscript")
        || node.attribute("hidden").is_some()
        || node
            .attribute("aria-hidden")
            .is_some_and(|value| value.eq_ignore_ascii_case("true"))
        || classes.split_ascii_whitespace().any(is_hidden_class)
}
