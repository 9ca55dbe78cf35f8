//! Where the nodes of a network go. The same network always gets the same places.

use crate::Refusal;
use crate::limits::LAYERS_MAX;
use crate::page::INNER;

const ROUNDS: usize = 300;
const SEPARATION_ROUNDS_MAX: usize = 400;
const SWEEPS: usize = 8;
const GAP: f64 = 22.0;

pub(super) struct Placement {
    /// The middle of each node.
    pub(super) places: Vec<(f64, f64)>,
    /// Where each edge passes other layers.
    pub(super) bends: Vec<Vec<(f64, f64)>>,
    pub(super) height: f64,
}

/// Edges pull, nodes push, and it cools down (Fruchterman and Reingold 1991).
pub(super) fn force(sizes: &[(f64, f64)], links: &[(usize, usize)]) -> Placement {
    let count = sizes.len();
    let height = ((count as f64).sqrt() * 105.0).clamp(140.0, 900.0);
    let ideal = 0.8 * (INNER * height / count as f64).sqrt();
    // A sunflower's seeds: even, and no two alike.
    let mut places: Vec<(f64, f64)> = (0..count)
        .map(|i| {
            let angle = i as f64 * 2.399_963;
            let far = ideal * (i as f64 + 0.5).sqrt() * 0.6;
            (far * libm::cos(angle), far * libm::sin(angle))
        })
        .collect();
    for round in 0..ROUNDS {
        let step_max = ideal * (1.0 - round as f64 / ROUNDS as f64);
        let mut moves = vec![(0.0, 0.0); count];
        for a in 0..count {
            for b in a + 1..count {
                let (dx, dy, far) = apart(places[a], places[b]);
                let push = ideal * ideal / far;
                shift(&mut moves, a, b, (dx / far * push, dy / far * push));
            }
            // Without a pull to the middle, parts that nothing connects would drift away.
            moves[a].0 -= places[a].0 * 0.6;
            moves[a].1 -= places[a].1 * 1.2;
        }
        for (a, b) in links {
            let (dx, dy, far) = apart(places[*a], places[*b]);
            let pull = -far * far / ideal;
            shift(&mut moves, *a, *b, (dx / far * pull, dy / far * pull));
        }
        for (place, step) in places.iter_mut().zip(&moves) {
            let length = (step.0 * step.0 + step.1 * step.1).sqrt().max(1e-9);
            let part = length.min(step_max) / length;
            place.0 += step.0 * part;
            place.1 += step.1 * part;
        }
    }
    fit(&mut places, sizes, height);
    if !separate(&mut places, sizes) {
        return grid(sizes, links.len());
    }
    let top = places
        .iter()
        .zip(sizes)
        .map(|(p, s)| p.1 - s.1 / 2.0)
        .fold(f64::INFINITY, f64::min);
    for place in &mut places {
        place.1 -= top;
    }
    placement(places, sizes, links.len())
}

fn placement(places: Vec<(f64, f64)>, sizes: &[(f64, f64)], links: usize) -> Placement {
    let height = places
        .iter()
        .zip(sizes)
        .map(|(p, s)| p.1 + s.1 / 2.0)
        .fold(0.0, f64::max);
    Placement {
        places,
        bends: vec![Vec::new(); links],
        height,
    }
}

fn apart(a: (f64, f64), b: (f64, f64)) -> (f64, f64, f64) {
    let (dx, dy) = (a.0 - b.0, a.1 - b.1);
    let far = (dx * dx + dy * dy).sqrt();
    if far < 1e-6 {
        (1e-3, 1e-3, 1e-3)
    } else {
        (dx, dy, far)
    }
}

fn shift(moves: &mut [(f64, f64)], a: usize, b: usize, by: (f64, f64)) {
    moves[a].0 += by.0;
    moves[a].1 += by.1;
    moves[b].0 -= by.0;
    moves[b].1 -= by.1;
}

/// Stretches the places over the width and the height.
fn fit(places: &mut [(f64, f64)], sizes: &[(f64, f64)], height: f64) {
    let widest = sizes.iter().map(|s| s.0).fold(0.0, f64::max);
    let highest = sizes.iter().map(|s| s.1).fold(0.0, f64::max);
    let (left, right) = crate::scale::range(places.iter().map(|p| p.0));
    let (top, bottom) = crate::scale::range(places.iter().map(|p| p.1));
    let stretch = |value: f64, low: f64, high: f64, from: f64, to: f64| {
        if high - low < 1e-6 {
            (from + to) / 2.0
        } else {
            from + (value - low) / (high - low) * (to - from)
        }
    };
    for place in places {
        place.0 = stretch(place.0, left, right, widest / 2.0, INNER - widest / 2.0);
        place.1 = stretch(place.1, top, bottom, highest / 2.0, height - highest / 2.0);
    }
}

#[derive(PartialEq)]
enum Still {
    Overlapping,
    Apart,
}

/// Pushes boxes apart, each pair along the shorter way. False if they do not come apart.
fn separate(places: &mut [(f64, f64)], sizes: &[(f64, f64)]) -> bool {
    for _ in 0..SEPARATION_ROUNDS_MAX {
        let mut still = Still::Apart;
        for a in 0..places.len() {
            for b in a + 1..places.len() {
                let (dx, dy) = (places[b].0 - places[a].0, places[b].1 - places[a].1);
                let wide = (sizes[a].0 + sizes[b].0) / 2.0 + GAP - dx.abs();
                let high = (sizes[a].1 + sizes[b].1) / 2.0 + GAP - dy.abs();
                if wide <= 0.01 || high <= 0.01 {
                    continue;
                }
                still = Still::Overlapping;
                if wide < high {
                    let by = wide / 2.0 * if dx < 0.0 { -1.0 } else { 1.0 };
                    places[a].0 -= by;
                    places[b].0 += by;
                } else {
                    let by = high / 2.0 * if dy < 0.0 { -1.0 } else { 1.0 };
                    places[a].1 -= by;
                    places[b].1 += by;
                }
            }
        }
        for (place, size) in places.iter_mut().zip(sizes) {
            place.0 = place.0.clamp(size.0 / 2.0, INNER - size.0 / 2.0);
        }
        if still == Still::Apart {
            return true;
        }
    }
    false
}

fn grid(sizes: &[(f64, f64)], links: usize) -> Placement {
    let widest = sizes.iter().map(|s| s.0).fold(0.0, f64::max);
    let highest = sizes.iter().map(|s| s.1).fold(0.0, f64::max);
    let columns = ((INNER + GAP) / (widest + GAP)).floor().max(1.0) as usize;
    let places = (0..sizes.len())
        .map(|i| {
            let (row, column) = (i / columns, i % columns);
            (
                widest / 2.0 + column as f64 * (widest + GAP),
                highest / 2.0 + row as f64 * (highest + 2.0 * GAP),
            )
        })
        .collect();
    placement(places, sizes, links)
}

/// The layer of each node: one after the last of those that lead to it. Edges that close a circle do not count.
fn layers(count: usize, links: &[(usize, usize)]) -> Vec<usize> {
    let mut layer = vec![0; count];
    let forward = without_circles(count, links);
    // The longest way has fewer edges than there are nodes.
    for _ in 0..count {
        let mut changed = 0;
        for (from, to) in &forward {
            if layer[*to] < layer[*from] + 1 {
                layer[*to] = layer[*from] + 1;
                changed += 1;
            }
        }
        if changed == 0 {
            break;
        }
    }
    layer
}

#[derive(Clone, Copy, PartialEq)]
enum Visit {
    Not,
    Under,
    Done,
}

fn without_circles(count: usize, links: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut visits = vec![Visit::Not; count];
    let mut forward = Vec::new();
    for start in 0..count {
        if visits[start] != Visit::Not {
            continue;
        }
        visits[start] = Visit::Under;
        let mut path = vec![(start, 0)];
        while let Some((node, next)) = path.pop() {
            let Some(index) = (next..links.len()).find(|i| links[*i].0 == node) else {
                visits[node] = Visit::Done;
                continue;
            };
            path.push((node, index + 1));
            let to = links[index].1;
            if visits[to] != Visit::Under {
                forward.push((node, to));
            }
            if visits[to] == Visit::Not {
                visits[to] = Visit::Under;
                path.push((to, 0));
            }
        }
    }
    forward
}

pub(super) fn check_layers(count: usize, links: &[(usize, usize)]) -> Result<(), Refusal> {
    let layers = layers(count, links);
    if layers.iter().any(|layer| *layer >= LAYERS_MAX) {
        return Err(Refusal::TooManyLayers { max: LAYERS_MAX });
    }
    Ok(())
}

/// Layers from left to right. Long edges hold a place in every layer they pass.
pub(super) fn layered(sizes: &[(f64, f64)], links: &[(usize, usize)]) -> Placement {
    let count = sizes.len();
    let mut layer = layers(count, links);
    let mut heights: Vec<f64> = sizes.iter().map(|s| s.1).collect();
    let mut pieces: Vec<(usize, usize)> = Vec::new();
    let mut passes: Vec<Vec<usize>> = Vec::new();
    for (from, to) in links {
        let (low, high) = (layer[*from].min(layer[*to]), layer[*from].max(layer[*to]));
        let mut chain = Vec::new();
        for passed in low + 1..high {
            chain.push(layer.len());
            layer.push(passed);
            heights.push(6.0);
        }
        if layer[*from] > layer[*to] {
            chain.reverse();
        }
        let mut before = *from;
        for next in chain.iter().chain([to]) {
            pieces.push((before, *next));
            before = *next;
        }
        passes.push(chain);
    }
    let depth = layer.iter().max().map_or(1, |last| last + 1);
    let mut columns: Vec<Vec<usize>> = vec![Vec::new(); depth];
    for (node, layer) in layer.iter().enumerate() {
        columns[*layer].push(node);
    }
    order(&mut columns, &pieces, layer.len());
    let widest = sizes.iter().map(|s| s.0).fold(0.0, f64::max);
    let step = if depth > 1 {
        ((INNER - widest) / (depth - 1) as f64).min(widest + 150.0)
    } else {
        0.0
    };
    let gap = 24.0;
    let column_height = |column: &Vec<usize>| {
        column.iter().map(|n| heights[*n]).sum::<f64>()
            + gap * column.len().saturating_sub(1) as f64
    };
    let height = columns.iter().map(column_height).fold(0.0, f64::max);
    let left = (INNER - widest - step * (depth - 1) as f64) / 2.0;
    let mut places = vec![(0.0, 0.0); layer.len()];
    for (index, column) in columns.iter().enumerate() {
        // What a column lacks in height is spread between its nodes.
        let spare = height - column_height(column);
        let extra = spare / (column.len() + 1) as f64;
        let mut y = extra;
        for node in column {
            places[*node] = (
                left + widest / 2.0 + step * index as f64,
                y + heights[*node] / 2.0,
            );
            y += heights[*node] + gap + extra;
        }
    }
    let bends = passes
        .iter()
        .map(|chain| chain.iter().map(|node| places[*node]).collect())
        .collect();
    places.truncate(count);
    Placement {
        places,
        bends,
        height,
    }
}

/// Each node goes to the average of its neighbours, column after column, there and back.
fn order(columns: &mut [Vec<usize>], pieces: &[(usize, usize)], count: usize) {
    let mut rank = vec![0.0; count];
    let number = |column: &[usize], rank: &mut [f64]| {
        for (index, node) in column.iter().enumerate() {
            rank[*node] = (index as f64 + 0.5) / column.len() as f64;
        }
    };
    for column in columns.iter() {
        number(column, &mut rank);
    }
    for sweep in 0..SWEEPS {
        let indices: Vec<usize> = if sweep % 2 == 0 {
            (0..columns.len()).collect()
        } else {
            (0..columns.len()).rev().collect()
        };
        for index in indices {
            let wish = |node: usize| {
                let near: Vec<f64> = pieces
                    .iter()
                    .filter_map(|(a, b)| match node {
                        n if n == *a => Some(rank[*b]),
                        n if n == *b => Some(rank[*a]),
                        _ => None,
                    })
                    .collect();
                if near.is_empty() {
                    rank[node]
                } else {
                    near.iter().sum::<f64>() / near.len() as f64
                }
            };
            let mut wishes: Vec<(f64, usize)> =
                columns[index].iter().map(|n| (wish(*n), *n)).collect();
            wishes.sort_by(|a, b| a.0.total_cmp(&b.0));
            columns[index] = wishes.into_iter().map(|w| w.1).collect();
            number(&columns[index], &mut rank);
        }
    }
}

#[cfg(test)]
#[path = "network_layout_tests.rs"]
mod tests;
