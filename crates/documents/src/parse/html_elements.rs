//! What HTML's elements mean to a reader.

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

/// Which open elements a new one ends, and the ones it does not look past.
pub(super) fn closes(name: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match name {
        "li" => (&["li"], &["ul", "ol", "menu", "dir"]),
        "dt" | "dd" => (&["dt", "dd"], &["dl"]),
        "td" | "th" => (&["td", "th"], &["tr", "table"]),
        "tr" => (&["tr"], &["table"]),
        "thead" | "tbody" | "tfoot" => (&["thead", "tbody", "tfoot"], &["table"]),
        "body" => (&["head"], &[]),
        _ if role_of(name).is_block() => (
            &["p"],
            &[
                "table", "td", "th", "li", "div", "section", "article", "button",
            ],
        ),
        _ => (&[], &[]),
    }
}

pub(super) fn is_hidden(name: &str, attribute: impl Fn(&str) -> Option<String>) -> bool {
    if role_of(name) == Role::Unseen {
        // Equations are text; scripts and menus are not.
        return name != "math";
    }
    if attribute("hidden").is_some() {
        return true;
    }
    if attribute("aria-hidden").is_some_and(|value| value.eq_ignore_ascii_case("true")) {
        return true;
    }
    if attribute("role").is_some_and(|value| value.eq_ignore_ascii_case("navigation")) {
        return true;
    }
    attribute("style").is_some_and(|style| style.split(';').any(hides))
}

/// Whether one declaration of a style takes an element out of sight.
fn hides(declaration: &str) -> bool {
    let Some((property, value)) = declaration.split_once(':') else {
        return false;
    };
    let value = value.trim().to_ascii_lowercase();
    let value = value.trim_end_matches("!important").trim_end();
    let is_zero = || {
        let number = value.trim_end_matches(|unit: char| unit.is_ascii_alphabetic() || unit == '%');
        number.parse::<f32>().is_ok_and(|number| number == 0.0)
    };
    match property.trim().to_ascii_lowercase().as_str() {
        "display" => value == "none",
        "visibility" => value == "hidden",
        "font-size" | "opacity" => is_zero(),
        _ => false,
    }
}
