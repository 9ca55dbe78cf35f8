//! Things and what connects them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::network_layout::{self, Placement};
use crate::canvas::{Anchor, Bounds, Stroke};
use crate::chart::Kind;
use crate::limits::{EDGES_MAX, NODES_MAX};
use crate::page::{Heading, MARGIN, Page, Swatch};
use crate::text::{LABEL, SMALL, clean};
use crate::{Refusal, SERIES_MAX, check};

const LABEL_WIDTH_MAX: f64 = 118.0;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkChart {
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtitle: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    pub nodes: Vec<NetworkNode>,
    pub edges: Vec<NetworkEdge>,
    #[serde(default)]
    pub layout: NetworkLayout,
    #[serde(default)]
    pub arrows: NetworkArrows,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkNode {
    pub id: String,
    pub label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkEdge {
    pub from: String,
    pub to: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NetworkLayout {
    /// What is connected lies together.
    #[default]
    Force,
    /// From left to right along the edges.
    Layered,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NetworkArrows {
    #[default]
    Forward,
    None,
}

/// A node's lines of text and how large its box is.
struct Boxed {
    lines: Vec<String>,
    size: (f64, f64),
}

impl NetworkChart {
    fn groups(&self) -> Vec<String> {
        let mut groups: Vec<String> = Vec::new();
        for group in self.nodes.iter().filter_map(|n| n.group.as_deref()) {
            let group = clean(group);
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        groups
    }

    fn links(&self) -> Result<Vec<(usize, usize)>, Refusal> {
        let mut known = BTreeMap::new();
        for (n, node) in self.nodes.iter().enumerate() {
            if known.insert(node.id.as_str(), n).is_some() {
                return Err(Refusal::wrong(
                    format!("nodes[{n}].id"),
                    "is already the id of an earlier node",
                ));
            }
        }
        let mut links = Vec::new();
        for (e, edge) in self.edges.iter().enumerate() {
            let find = |id: &String, end: &str| {
                known.get(id.as_str()).copied().ok_or_else(|| {
                    Refusal::wrong(format!("edges[{e}].{end}"), "is not the id of a node")
                })
            };
            let (from, to) = (find(&edge.from, "from")?, find(&edge.to, "to")?);
            if from == to {
                return Err(Refusal::wrong(
                    format!("edges[{e}]"),
                    "leads from a node to itself",
                ));
            }
            links.push((from, to));
        }
        Ok(links)
    }

    fn boxes(&self, page: &Page) -> Vec<Boxed> {
        let fonts = &page.canvas.fonts;
        self.nodes
            .iter()
            .map(|node| {
                let width_max = match self.layout {
                    NetworkLayout::Force => LABEL_WIDTH_MAX,
                    NetworkLayout::Layered => 96.0,
                };
                let lines = fonts.wrap(&clean(&node.label), LABEL, width_max, 2);
                let width = fonts.widest(lines.iter().map(String::as_str), LABEL);
                let sign = if node.group.is_some() { 16.0 } else { 0.0 };
                let height = lines.len() as f64 * LABEL.line_height() + 12.0;
                Boxed {
                    lines,
                    size: (width + sign + 20.0, height),
                }
            })
            .collect()
    }

    fn paint_node(&self, page: &mut Page, index: usize, boxed: &Boxed, at: (f64, f64)) {
        let palette = page.canvas.palette();
        let area = around(at, boxed.size);
        let group = self.nodes[index].group.as_deref().map(clean);
        let series = group.and_then(|g| self.groups().iter().position(|known| *known == g));
        let colour = series.map_or(palette.axis, |s| palette.mark(s));
        let edge = Stroke::solid(colour, 1.6);
        page.canvas.rect(area, 6.0, palette.panel, Some(edge));
        let mut text = area.left + 10.0;
        if let Some(series) = series {
            page.canvas.marker((area.left + 13.0, at.1), series, 4.5);
            text += 16.0;
        }
        let first = at.1 - (boxed.lines.len() - 1) as f64 * LABEL.line_height() / 2.0;
        for (line, content) in boxed.lines.iter().enumerate() {
            let y = first + line as f64 * LABEL.line_height() + LABEL.drop();
            page.canvas
                .text((text, y), Anchor::Start, LABEL, palette.ink, content);
        }
    }

    /// Beside the middle of the edge, where nothing else is; left out if there is no such place.
    fn paint_edge_label(
        &self,
        page: &mut Page,
        label: &str,
        path: &[(f64, f64)],
        taken: &mut Vec<Bounds>,
    ) {
        let text = page.canvas.fonts.shorten(&clean(label), SMALL, 110.0);
        let width = page.canvas.fonts.measure(&text, SMALL);
        for share in [0.5, 0.4, 0.6, 0.3, 0.7] {
            let at = along(path, share);
            let area = around(at, (width + 8.0, SMALL.size + 6.0));
            if taken.iter().any(|other| other.overlaps(&area)) {
                continue;
            }
            taken.push(area);
            let palette = page.canvas.palette();
            page.canvas.rect(area, 3.0, palette.ground, None);
            let at = (at.0, at.1 + SMALL.drop());
            page.canvas
                .text(at, Anchor::Middle, SMALL, palette.soft, &text);
            return;
        }
    }
}

fn around(at: (f64, f64), size: (f64, f64)) -> Bounds {
    Bounds {
        left: at.0 - size.0 / 2.0,
        right: at.0 + size.0 / 2.0,
        top: at.1 - size.1 / 2.0,
        bottom: at.1 + size.1 / 2.0,
    }
}

fn along(path: &[(f64, f64)], share: f64) -> (f64, f64) {
    let last = path.len().saturating_sub(1);
    let place = share * last as f64;
    let index = (place.floor() as usize).min(last.saturating_sub(1));
    let part = place - index as f64;
    let (a, b) = (path[index], path[(index + 1).min(last)]);
    (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part)
}

/// Where the line from the middle of a box to `to` leaves the box.
fn leaves(at: (f64, f64), size: (f64, f64), to: (f64, f64)) -> (f64, f64) {
    let (dx, dy) = (to.0 - at.0, to.1 - at.1);
    let by_width = (size.0 / 2.0 + 2.0) / dx.abs().max(1e-9);
    let by_height = (size.1 / 2.0 + 2.0) / dy.abs().max(1e-9);
    let share = by_width.min(by_height).min(1.0);
    (at.0 + dx * share, at.1 + dy * share)
}

impl Kind for NetworkChart {
    fn heading(&self) -> Heading<'_> {
        super::heading!(self)
    }

    fn check(&self) -> Result<(), Refusal> {
        check::count(self.nodes.len(), NODES_MAX, "nodes")?;
        if self.edges.len() > EDGES_MAX {
            check::count(self.edges.len(), EDGES_MAX, "edges")?;
        }
        for (n, node) in self.nodes.iter().enumerate() {
            check::text(&node.id, || format!("nodes[{n}].id"))?;
            check::text(&node.label, || format!("nodes[{n}].label"))?;
            if let Some(group) = &node.group {
                check::text(group, || format!("nodes[{n}].group"))?;
            }
        }
        for (e, edge) in self.edges.iter().enumerate() {
            if let Some(label) = &edge.label {
                check::text(label, || format!("edges[{e}].label"))?;
            }
        }
        let groups = self.groups().len();
        if groups > SERIES_MAX {
            check::count(groups, SERIES_MAX, "the groups of nodes")?;
        }
        let links = self.links()?;
        if self.layout == NetworkLayout::Layered {
            network_layout::check_layers(self.nodes.len(), &links)?;
        }
        Ok(())
    }

    fn paint(&self, page: &mut Page) -> Result<f64, Refusal> {
        let links = self.links()?;
        let groups = self.groups();
        if !groups.is_empty() {
            let keys: Vec<_> = groups
                .iter()
                .enumerate()
                .map(|(i, g)| (g.clone(), Swatch::Marker(i)))
                .collect();
            page.legend(&keys);
        }
        let boxes = self.boxes(page);
        let sizes: Vec<(f64, f64)> = boxes.iter().map(|b| b.size).collect();
        let Placement {
            mut places,
            mut bends,
            height,
        } = match self.layout {
            NetworkLayout::Force => network_layout::force(&sizes, &links),
            NetworkLayout::Layered => network_layout::layered(&sizes, &links),
        };
        let top = page.top + 4.0;
        for place in places.iter_mut().chain(bends.iter_mut().flatten()) {
            place.0 += MARGIN;
            place.1 += top;
        }
        let palette = page.canvas.palette();
        let stroke = Stroke::solid(palette.axis, 1.4);
        let mut paths = Vec::new();
        for (index, (from, to)) in links.iter().enumerate() {
            let (a, b) = (places[*from], places[*to]);
            let path = match self.layout {
                NetworkLayout::Force => {
                    vec![leaves(a, sizes[*from], b), leaves(b, sizes[*to], a)]
                }
                NetworkLayout::Layered => {
                    let side = if b.0 >= a.0 { 1.0 } else { -1.0 };
                    let mut path = vec![(a.0 + side * sizes[*from].0 / 2.0, a.1)];
                    path.extend(bends[index].iter().copied());
                    path.push((b.0 - side * (sizes[*to].0 / 2.0 + 2.0), b.1));
                    path
                }
            };
            let end = path[path.len() - 1];
            let before = match self.layout {
                NetworkLayout::Force => path[path.len() - 2],
                NetworkLayout::Layered => (end.0 - if b.0 >= a.0 { 9.0 } else { -9.0 }, end.1),
            };
            match self.layout {
                NetworkLayout::Force => page.canvas.polyline(&path, stroke),
                NetworkLayout::Layered => page.canvas.curve(&path, stroke),
            }
            if self.arrows == NetworkArrows::Forward {
                page.canvas.arrow_head(end, before, 8.0, palette.axis);
            }
            paths.push(path);
        }
        let mut taken = Vec::new();
        for (index, boxed) in boxes.iter().enumerate() {
            taken.push(around(places[index], boxed.size));
            self.paint_node(page, index, boxed, places[index]);
        }
        for (edge, path) in self.edges.iter().zip(&paths) {
            if let Some(label) = &edge.label {
                self.paint_edge_label(page, label, path, &mut taken);
            }
        }
        Ok(top + height)
    }

    fn alt(&self) -> String {
        let mut alt = format!(
            "Network: {}. {} nodes, {} edges.",
            clean(&self.title),
            self.nodes.len(),
            self.edges.len()
        );
        let name = |index: usize| clean(&self.nodes[index].label);
        let links = self.links().unwrap_or_default();
        for ((from, to), edge) in links.into_iter().zip(&self.edges) {
            let word = match self.arrows {
                NetworkArrows::Forward => "to",
                NetworkArrows::None => "with",
            };
            alt += &format!(" {} {word} {}", name(from), name(to));
            if let Some(label) = &edge.label {
                alt += &format!(" ({})", clean(label));
            }
            alt.push('.');
        }
        alt
    }
}
