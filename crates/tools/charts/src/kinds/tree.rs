//! Decision trees, rolled back: what each chance is worth and which choice is best.

use serde::{Deserialize, Serialize};

use crate::axis::Axis;
use crate::canvas::{Anchor, Bounds, Stroke};
use crate::chart::Kind;
use crate::limits::{DEPTH_MAX, OUTCOMES_MAX};
use crate::page::{Heading, INNER, MARGIN, Page, Swatch};
use crate::text::{LABEL, SMALL, STRONG, clean};
use crate::{Refusal, check, number};

const ROW: f64 = 52.0;
const FAN: f64 = 30.0;
const PROBABILITY_SLACK: f64 = 1e-6;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionTree {
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtitle: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    #[serde(default)]
    pub value_axis: Axis,
    #[serde(default)]
    pub better: Better,
    pub root: TreeNode,
}

/// Which value a decision prefers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    #[default]
    Higher,
    Lower,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum TreeNode {
    Decision { branches: Vec<TreeBranch> },
    Chance { branches: Vec<TreeBranch> },
    Outcome { label: String, value: f64 },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeBranch {
    pub label: String,
    /// Only below a chance, where they add up to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    pub then: TreeNode,
}

impl TreeNode {
    fn branches(&self) -> &[TreeBranch] {
        match self {
            Self::Decision { branches } | Self::Chance { branches } => branches,
            Self::Outcome { .. } => &[],
        }
    }

    fn depth(&self) -> usize {
        let below = self.branches().iter().map(|b| 1 + b.then.depth());
        below.max().unwrap_or(0)
    }

    fn outcomes(&self) -> usize {
        match self {
            Self::Outcome { .. } => 1,
            _ => self.branches().iter().map(|b| b.then.outcomes()).sum(),
        }
    }

    fn worth(&self, better: Better) -> f64 {
        match self {
            Self::Outcome { value, .. } => *value,
            Self::Chance { branches } => branches
                .iter()
                .map(|b| b.probability.unwrap_or(0.0) * b.then.worth(better))
                .sum(),
            Self::Decision { branches } => {
                let worths = branches.iter().map(|b| b.then.worth(better));
                match better {
                    Better::Higher => worths.fold(f64::NEG_INFINITY, f64::max),
                    Better::Lower => worths.fold(f64::INFINITY, f64::min),
                }
            }
        }
    }

    /// The first of the best branches of a decision.
    fn choice(&self, better: Better) -> Option<usize> {
        let Self::Decision { branches } = self else {
            return None;
        };
        let best = self.worth(better);
        branches.iter().position(|b| b.then.worth(better) == best)
    }

    fn check(&self, field: &str, depth: usize) -> Result<(), Refusal> {
        if depth > DEPTH_MAX {
            return Err(Refusal::TooDeep {
                field: field.to_owned(),
                max: DEPTH_MAX,
            });
        }
        match self {
            Self::Outcome { label, value } => {
                check::text(label, || format!("{field}.label"))?;
                return check::finite(*value, || format!("{field}.value"));
            }
            Self::Decision { branches } => {
                if let Some(b) = branches.iter().position(|b| b.probability.is_some()) {
                    return Err(Refusal::wrong(
                        format!("{field}.branches[{b}].probability"),
                        "is below a decision, which has no probabilities",
                    ));
                }
            }
            Self::Chance { branches } => check_probabilities(branches, field)?,
        }
        let branches = self.branches();
        check::count(branches.len(), OUTCOMES_MAX, format!("{field}.branches"))?;
        for (b, branch) in branches.iter().enumerate() {
            let here = format!("{field}.branches[{b}]");
            check::text(&branch.label, || format!("{here}.label"))?;
            branch.then.check(&format!("{here}.then"), depth + 1)?;
        }
        Ok(())
    }
}

fn check_probabilities(branches: &[TreeBranch], field: &str) -> Result<(), Refusal> {
    let mut sum = 0.0;
    for (b, branch) in branches.iter().enumerate() {
        match branch.probability {
            Some(p) if (0.0..=1.0).contains(&p) => sum += p,
            Some(_) => {
                return Err(Refusal::wrong(
                    format!("{field}.branches[{b}].probability"),
                    "is not between 0 and 1",
                ));
            }
            None => {
                return Err(Refusal::wrong(
                    format!("{field}.branches[{b}].probability"),
                    "is required below a chance",
                ));
            }
        }
    }
    if !branches.is_empty() && (sum - 1.0).abs() > PROBABILITY_SLACK {
        return Err(Refusal::wrong(
            format!("{field}.branches"),
            "has probabilities that do not add up to 1",
        ));
    }
    Ok(())
}

/// What became of a branch.
#[derive(Clone, Copy)]
enum Standing {
    Open,
    Best,
    Rejected,
}

struct Painter<'a> {
    better: Better,
    axis: &'a Axis,
    column: f64,
    next_row: f64,
    end_room: f64,
}

impl Painter<'_> {
    /// Returns the height at which the node stands.
    fn paint(&mut self, page: &mut Page, node: &TreeNode, x: f64) -> f64 {
        if let TreeNode::Outcome { label, value } = node {
            let y = self.next_row;
            self.next_row += ROW;
            self.outcome(page, (x, y), label, *value);
            return y;
        }
        let heights: Vec<f64> = node
            .branches()
            .iter()
            .map(|b| self.paint(page, &b.then, x + self.column))
            .collect();
        let first = heights.first().copied().unwrap_or(self.next_row);
        let last = heights.last().copied().unwrap_or(first);
        let y = (first + last) / 2.0;
        let best = node.choice(self.better);
        for (index, (branch, end)) in node.branches().iter().zip(&heights).enumerate() {
            let standing = match best {
                None => Standing::Open,
                Some(best) if best == index => Standing::Best,
                Some(_) => Standing::Rejected,
            };
            self.branch(page, (x, y), *end, branch, standing);
        }
        self.node(page, (x, y), node);
        y
    }

    fn branch(
        &self,
        page: &mut Page,
        (x, y): (f64, f64),
        end: f64,
        branch: &TreeBranch,
        standing: Standing,
    ) {
        let palette = page.canvas.palette();
        let stroke = match standing {
            Standing::Best => Stroke::solid(palette.mark(2), 3.0),
            Standing::Open => Stroke::solid(palette.axis, 1.4),
            Standing::Rejected => Stroke {
                colour: palette.axis,
                width: 1.2,
                dash: "4 4",
            },
        };
        let start = x + self.half_node(page, 0.0) + FAN;
        let half = match branch.then {
            TreeNode::Outcome { .. } => 0.0,
            _ => self.half_node(page, branch.then.worth(self.better)),
        };
        let stop = x + self.column - half;
        page.canvas
            .polyline(&[(x, y), (start, end), (stop, end)], stroke);
        let room = stop - start - 14.0;
        let lines = page
            .canvas
            .fonts
            .wrap(&clean(&branch.label), SMALL, room, 2);
        let from = start + 6.0;
        for (index, line) in lines.iter().rev().enumerate() {
            let at = (from, end - 6.0 - index as f64 * (SMALL.line_height() - 1.0));
            page.canvas
                .text(at, Anchor::Start, SMALL, palette.ink, line);
        }
        if let Some(p) = branch.probability {
            let at = (from, end + 14.0);
            let text = number::percent(p);
            page.canvas
                .text(at, Anchor::Start, SMALL, palette.soft, &text);
        }
    }

    /// Every node is at least so wide, so the branches of a column begin in one line.
    fn half_node(&self, page: &Page, worth: f64) -> f64 {
        let text = number::value(worth);
        (page.canvas.fonts.measure(&text, STRONG) / 2.0 + 9.0).max(24.0)
    }

    fn node(&self, page: &mut Page, (x, y): (f64, f64), node: &TreeNode) {
        let palette = page.canvas.palette();
        let worth = node.worth(self.better);
        let half = self.half_node(page, worth);
        let area = Bounds {
            left: x - half,
            right: x + half,
            top: y - 13.0,
            bottom: y + 13.0,
        };
        let (series, radius) = match node {
            TreeNode::Decision { .. } => (0, 0.0),
            _ => (1, 13.0),
        };
        let edge = Stroke::solid(palette.mark(series), 2.0);
        page.canvas.rect(area, radius, palette.panel, Some(edge));
        let at = (x, y + STRONG.drop());
        let text = number::value(worth);
        page.canvas
            .text(at, Anchor::Middle, STRONG, palette.ink, &text);
    }

    fn outcome(&self, page: &mut Page, (x, y): (f64, f64), label: &str, value: f64) {
        let palette = page.canvas.palette();
        let triangle = [(x, y), (x + 9.0, y - 6.0), (x + 9.0, y + 6.0)];
        page.canvas.polygon(&triangle, Some(palette.soft), None);
        let room = self.end_room - 16.0;
        let text = page.canvas.fonts.shorten(&clean(label), LABEL, room);
        let left = x + 16.0;
        page.canvas
            .text((left, y - 3.0), Anchor::Start, LABEL, palette.ink, &text);
        let worth = page
            .canvas
            .fonts
            .shorten(&self.axis.say(value), STRONG, room);
        let at = (left, y + 13.0);
        page.canvas
            .text(at, Anchor::Start, STRONG, palette.ink, &worth);
    }
}

impl Kind for DecisionTree {
    fn heading(&self) -> Heading<'_> {
        super::heading!(self)
    }

    fn check(&self) -> Result<(), Refusal> {
        self.value_axis.check("value_axis")?;
        self.root.check("root", 0)?;
        check::count(self.root.outcomes(), OUTCOMES_MAX, "the outcomes of root")
    }

    fn paint(&self, page: &mut Page) -> Result<f64, Refusal> {
        let palette = page.canvas.palette();
        page.legend(&[
            ("Decision".to_owned(), Swatch::Plain(palette.mark(0))),
            ("Chance".to_owned(), Swatch::Round(palette.mark(1))),
            ("Best choice".to_owned(), Swatch::Stroke(palette.mark(2))),
        ]);
        let depth = self.root.depth();
        let end_room = match depth {
            0..=2 => 220.0,
            3 => 180.0,
            _ => 140.0,
        };
        let mut painter = Painter {
            better: self.better,
            axis: &self.value_axis,
            column: 0.0,
            next_row: page.top + ROW / 2.0,
            end_room,
        };
        let start = painter.half_node(page, self.root.worth(self.better));
        let first = if depth == 0 { 0.0 } else { start };
        painter.column = ((INNER - first - end_room) / depth.max(1) as f64).min(260.0);
        painter.paint(page, &self.root, MARGIN + first);
        Ok(painter.next_row - ROW / 2.0)
    }

    fn alt(&self) -> String {
        let mut alt = format!(
            "Decision tree: {}. {} outcomes, worth {}.",
            clean(&self.title),
            self.root.outcomes(),
            self.value_axis.say(self.root.worth(self.better))
        );
        if let Some(best) = self.root.choice(self.better) {
            for (index, branch) in self.root.branches().iter().enumerate() {
                let mark = if index == best {
                    ", the best choice"
                } else {
                    ""
                };
                alt += &format!(
                    " {}: {}{mark}.",
                    clean(&branch.label),
                    self.value_axis.say(branch.then.worth(self.better))
                );
            }
        }
        alt
    }
}
