//! Which paragraph styles of a Word file are headings and lists.

use std::collections::BTreeMap;

use super::xml::{self, Seen};
use crate::ReadFailure;

/// How many styles a style may be based on in turn.
const ANCESTORS_MAX: usize = 16;

#[derive(Debug, Default)]
pub(super) struct Styles(BTreeMap<String, Style>);

#[derive(Debug, Default)]
struct Style {
    name: String,
    based_on: Option<String>,
    outline: Option<u8>,
    list: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Heading(u8),
    ListItem,
    Text,
}

impl Styles {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, ReadFailure> {
        let mut styles = BTreeMap::new();
        let mut current: Option<(String, Style)> = None;
        xml::each(bytes, |event| {
            match event {
                Seen::Start(element) => match (element.name, &mut current) {
                    ("style", _) => {
                        let id = element.attribute("styleId").unwrap_or_default();
                        current = Some((id, Style::default()));
                    }
                    ("name", Some((_, style))) => {
                        style.name = element
                            .attribute("val")
                            .unwrap_or_default()
                            .to_ascii_lowercase();
                    }
                    ("basedOn", Some((_, style))) => style.based_on = element.attribute("val"),
                    ("outlineLvl", Some((_, style))) => {
                        style.outline = element.attribute("val").and_then(|level| outline(&level));
                    }
                    ("numId", Some((_, style))) => {
                        style.list = element.attribute("val").is_some_and(|id| id != "0");
                    }
                    _ => {}
                },
                Seen::End("style") => {
                    if let Some((id, style)) = current.take() {
                        styles.insert(id, style);
                    }
                }
                Seen::End(_) | Seen::Text(_) => {}
            }
            Ok(())
        })?;
        Ok(Self(styles))
    }

    pub(super) fn meaning(&self, id: &str) -> Meaning {
        let mut id = id;
        for _ in 0..ANCESTORS_MAX {
            let Some(style) = self.0.get(id) else {
                return by_name(&id.to_ascii_lowercase());
            };
            let named = by_name(&style.name);
            if named != Meaning::Text {
                return named;
            }
            if let Some(level) = style.outline {
                return Meaning::Heading(level);
            }
            if style.list {
                return Meaning::ListItem;
            }
            match &style.based_on {
                Some(parent) => id = parent,
                None => return Meaning::Text,
            }
        }
        Meaning::Text
    }
}

/// Word counts outline levels from 0; 9 stands for body text.
pub(super) fn outline(value: &str) -> Option<u8> {
    let level: u8 = value.parse().ok()?;
    (level < 9).then_some(level + 1)
}

fn by_name(name: &str) -> Meaning {
    let squeezed: String = name.chars().filter(|letter| *letter != ' ').collect();
    if squeezed == "title" {
        return Meaning::Heading(1);
    }
    if let Some(level) = squeezed.strip_prefix("heading")
        && let Ok(level @ 1..=9) = level.parse()
    {
        return Meaning::Heading(level);
    }
    if squeezed.starts_with("listbullet") || squeezed.starts_with("listnumber") {
        return Meaning::ListItem;
    }
    Meaning::Text
}
