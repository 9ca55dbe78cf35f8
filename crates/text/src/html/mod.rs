//! HTML as a tree, built as browsers build it, with the text that readers of the page do not see marked.
//!
//! Fetches nothing, so style sheets outside of the page are unknown. What is a menu, a table or a title is for callers
//! to say.

mod colour;
mod feed;
mod hidden;
mod selector;
mod sheet;
mod style;
mod tree;
mod tree_sink;
mod values;

pub use tree::{Dom, Node, ROOT, Visibility};

/// Reads a page or a piece of one. `nodes_max` bounds elements, texts and attributes together; what is beyond it is left
/// out, and [`Dom::is_cut`] says so.
pub fn parse(text: &str, nodes_max: usize) -> Dom {
    let (mut dom, mode) = feed::read(text, nodes_max);
    hidden::mark(&mut dom, mode);
    dom
}

#[cfg(test)]
#[path = "html_tests.rs"]
mod tests;
