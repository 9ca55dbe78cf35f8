//! What HTML's elements mean to a reader.

use adjutant_text::html::Node;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Heading(u8),
    Preformatted,
    List,
    NumberedList,
    Item,
    Table,
    TableHead,
    Row,
    Cell,
    HeadCell,
    Caption,
    Title,
    /// Begins and ends a paragraph.
    Block,
    /// Kept track of because what is in it is not shown.
    Unseen,
    Break,
    Rule,
    Meta,
    Time,
    Void,
    Inline,
}

impl Role {
    pub(super) fn is_void(self) -> bool {
        matches!(self, Self::Break | Self::Rule | Self::Meta | Self::Void)
    }

    pub(super) fn is_block(self) -> bool {
        !self.is_void() && !matches!(self, Self::Inline | Self::Time | Self::Title | Self::Unseen)
    }
}

pub(super) fn role_of(name: &str) -> Role {
    match name {
        "h1" => Role::Heading(1),
        "h2" => Role::Heading(2),
        "h3" => Role::Heading(3),
        "h4" => Role::Heading(4),
        "h5" => Role::Heading(5),
        "h6" => Role::Heading(6),
        "pre" | "listing" | "xmp" => Role::Preformatted,
        "ul" | "menu" | "dir" | "dl" => Role::List,
        "ol" => Role::NumberedList,
        "li" | "dt" | "dd" => Role::Item,
        "table" => Role::Table,
        "thead" => Role::TableHead,
        "tr" => Role::Row,
        "td" => Role::Cell,
        "th" => Role::HeadCell,
        "caption" => Role::Caption,
        "title" => Role::Title,
        "p" | "div" | "section" | "article" | "main" | "header" | "footer" | "aside"
        | "blockquote" | "figure" | "figcaption" | "address" | "details" | "summary"
        | "fieldset" | "legend" | "form" | "body" | "html" | "head" | "center" | "tbody"
        | "tfoot" | "hgroup" | "search" => Role::Block,
        "script" | "style" | "noscript" | "template" | "nav" | "svg" | "math" | "iframe"
        | "object" | "canvas" | "audio" | "video" | "select" | "datalist" | "textarea"
        | "button" | "noframes" => Role::Unseen,
        "br" => Role::Break,
        "hr" => Role::Rule,
        "meta" => Role::Meta,
        "time" => Role::Time,
        "img" | "input" | "link" | "base" | "area" | "col" | "embed" | "source" | "track"
        | "wbr" | "param" | "frame" | "keygen" => Role::Void,
        _ => Role::Inline,
    }
}

/// What no reader takes for text of the page: scripts, pictures, menus and controls.
pub(super) fn is_unseen(node: &Node) -> bool {
    // Equations are text.
    let is_unseen = role_of(node.name()) == Role::Unseen && node.name() != "math";
    let is_menu = node
        .attribute("role")
        .is_some_and(|role| role.eq_ignore_ascii_case("navigation"));
    is_unseen || is_menu
}
