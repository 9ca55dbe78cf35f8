//! HTML in a field of a feed or an answer, as plain text.

use adjutant_text::html::{self, Visibility};

use crate::words::one_line;

const NODES_MAX: usize = 50_000;

/// What readers would see of it, without markup, on one line.
pub(crate) fn plain_text(html: &str) -> String {
    let dom = html::parse(html, NODES_MAX);
    let mut text = String::new();
    // Where the open elements that part words end.
    let mut ends: Vec<usize> = Vec::new();
    for (at, node) in dom.nodes().iter().enumerate() {
        while ends.pop_if(|end| *end <= at).is_some() {
            text.push(' ');
        }
        if node.is_element() && parts_words(node.name()) {
            text.push(' ');
            ends.push(dom.subtree(at).end);
        }
        let is_code = matches!(dom.node(node.parent).name(), "script" | "style");
        if node.visibility == Visibility::Shown && !is_code {
            text.push_str(node.text());
        }
    }
    one_line(&text)
}

/// A bold letter inside a word parts nothing; a paragraph does.
fn parts_words(name: &str) -> bool {
    !matches!(
        name,
        "a" | "b" | "i" | "em" | "strong" | "span" | "u" | "sub" | "sup" | "small"
    )
}
