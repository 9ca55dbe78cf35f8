//! Which part of a page is what it is about.

use adjutant_text::html::{Dom, ROOT};

use super::sight::{Inside, Sight, sight_of};

/// A paragraph with less says nothing of where the text is.
const PARAGRAPH_CHARS_MIN: usize = 25;
/// What holds more of the page than this is no banner, whatever its class says.
const BANNER_PERCENT_MAX: usize = 60;
const ARTICLE_PERCENT_MIN: usize = 30;
const SIBLING_PERCENT_MIN: i64 = 20;

#[derive(Debug)]
pub(super) struct Seen {
    pub(super) sights: Vec<Sight>,
    /// Signs of text in each element that are shown, without white space.
    pub(super) shown: Vec<usize>,
    /// Of these, how many are in links.
    linked: Vec<usize>,
    /// Text that readers do not see.
    pub(super) hidden_chars: usize,
}

impl Seen {
    /// Whether readers see anything of an element. What is hidden may hold what is shown again.
    pub(super) fn is_shown(&self, at: usize) -> bool {
        match self.sights.get(at) {
            Some(Sight::Shown) => true,
            Some(Sight::Hidden) => at_of(&self.shown, at) > 0,
            _ => false,
        }
    }
}

/// Looks at every element: what readers see of it, and how much text that is.
pub(super) fn look(dom: &Dom) -> Seen {
    let mut seen = Seen {
        sights: sights_of(dom),
        shown: vec![0; dom.nodes().len()],
        linked: vec![0; dom.nodes().len()],
        hidden_chars: 0,
    };
    let mut in_link = vec![false; dom.nodes().len()];
    for (at, node) in dom.nodes().iter().enumerate().skip(1) {
        let link = node.name() == "a" || in_link.get(node.parent).copied().unwrap_or(false);
        set(&mut in_link, at, link);
    }
    for (at, node) in dom.nodes().iter().enumerate().rev() {
        let own = letters_in(node.text());
        match seen.sights.get(at) {
            Some(Sight::Shown) => {
                add(&mut seen.shown, at, own);
                if in_link.get(at).copied().unwrap_or(false) {
                    add(&mut seen.linked, at, own);
                }
            }
            Some(Sight::Hidden) => seen.hidden_chars += own,
            _ => {}
        }
        if at != ROOT {
            let (shown, linked) = (at_of(&seen.shown, at), at_of(&seen.linked, at));
            add(&mut seen.shown, node.parent, shown);
            add(&mut seen.linked, node.parent, linked);
        }
    }
    seen
}

fn sights_of(dom: &Dom) -> Vec<Sight> {
    let count = dom.nodes().len();
    let mut all = vec![0_usize; count];
    for (at, node) in dom.nodes().iter().enumerate().skip(1).rev() {
        add(&mut all, at, letters_in(node.text()));
        let sum = at_of(&all, at);
        add(&mut all, node.parent, sum);
    }
    let whole = dom.named("body").next().map_or(ROOT, |(at, _)| at);
    let whole = at_of(&all, whole);
    let mut sights = vec![Sight::Shown; count];
    let mut inside = vec![Inside::Page; count];
    for (at, node) in dom.nodes().iter().enumerate().skip(1) {
        let around = sights.get(node.parent).copied().unwrap_or(Sight::Shown);
        let within = inside.get(node.parent).copied().unwrap_or(Inside::Page);
        let mut sight = sight_of(node, around, within);
        let is_most = at_of(&all, at) * 100 > whole * BANNER_PERCENT_MAX;
        if sight == Sight::Boilerplate && around != Sight::Boilerplate && is_most {
            sight = Sight::Shown;
        }
        set(&mut sights, at, sight);
        let is_article =
            matches!(node.name(), "article" | "main") || node.attribute("role") == Some("main");
        let within = if is_article { Inside::Article } else { within };
        set(&mut inside, at, within);
    }
    sights
}

fn letters_in(text: &str) -> usize {
    text.chars()
        .filter(|character| !character.is_whitespace())
        .count()
}

fn add(list: &mut [usize], at: usize, more: usize) {
    if let Some(sum) = list.get_mut(at) {
        *sum += more;
    }
}

fn set<T>(list: &mut [T], at: usize, value: T) {
    if let Some(place) = list.get_mut(at) {
        *place = value;
    }
}

fn at_of(list: &[usize], at: usize) -> usize {
    list.get(at).copied().unwrap_or(0)
}

/// The element with what the page is about.
pub(super) fn main_part(dom: &Dom, seen: &Seen) -> usize {
    let body = dom.named("body").next().map_or(ROOT, |(at, _)| at);
    let whole = at_of(&seen.shown, body);
    let large = |at: &usize| {
        let shown = seen.sights.get(*at) == Some(&Sight::Shown);
        shown
            && at_of(&seen.shown, *at) > 0
            && at_of(&seen.shown, *at) * 100 >= whole * ARTICLE_PERCENT_MIN
    };
    let single = |found: Vec<usize>| match found.as_slice() {
        [one] => Some(*one).filter(large),
        _ => None,
    };
    let marked = |wanted: &dyn Fn(usize) -> bool| {
        single((1..dom.nodes().len()).filter(|at| wanted(*at)).collect())
    };
    let body_of_article = |at: usize| dom.node(at).attribute("itemprop") == Some("articleBody");
    let article = |at: usize| dom.node(at).name() == "article" && !has_above(dom, at, "article");
    let main =
        |at: usize| dom.node(at).name() == "main" || dom.node(at).attribute("role") == Some("main");
    marked(&article)
        .or_else(|| marked(&body_of_article))
        .or_else(|| marked(&main))
        .or_else(|| by_score(dom, seen))
        .unwrap_or(body)
}

fn has_above(dom: &Dom, at: usize, name: &str) -> bool {
    let mut above = dom.node(at).parent;
    while above != ROOT {
        if dom.node(above).name() == name {
            return true;
        }
        above = dom.node(above).parent;
    }
    false
}

/// Each paragraph speaks for the element it is in, and half as loud for the one around that.
fn by_score(dom: &Dom, seen: &Seen) -> Option<usize> {
    let mut scores = vec![0_i64; dom.nodes().len()];
    let mut commas = vec![0_usize; dom.nodes().len()];
    for (at, node) in dom.nodes().iter().enumerate().skip(1).rev() {
        add(&mut commas, at, node.text().matches(',').count());
        let sum = at_of(&commas, at);
        add(&mut commas, node.parent, sum);
    }
    for (at, node) in dom.nodes().iter().enumerate() {
        let paragraph = matches!(node.name(), "p" | "pre" | "blockquote" | "td" | "li");
        let length = at_of(&seen.shown, at);
        if !paragraph || length < PARAGRAPH_CHARS_MIN || seen.sights.get(at) != Some(&Sight::Shown)
        {
            continue;
        }
        let points = 100 + 100 * at_of(&commas, at).min(20) + length.min(300);
        let free = length - at_of(&seen.linked, at).min(length);
        let points = i64::try_from(points * free / length.max(1)).unwrap_or(0);
        let outer = dom.node(node.parent).parent;
        for (place, share) in [(node.parent, points), (outer, points / 2)] {
            if let Some(score) = scores.get_mut(place) {
                *score += share;
            }
        }
    }
    let (best, score) = scores
        .iter()
        .enumerate()
        .skip(1)
        .max_by_key(|(_, score)| **score)?;
    if *score == 0 || dom.node(best).name() == "html" {
        return None;
    }
    // What stands beside the best may be more of the same text.
    let parent = dom.node(best).parent;
    let beside = dom.children(parent).filter(|child| *child != best);
    let more = beside
        .filter_map(|child| scores.get(child))
        .any(|other| *other * 100 >= *score * SIBLING_PERCENT_MIN && *other > 0);
    Some(if more && parent != ROOT { parent } else { best })
}
