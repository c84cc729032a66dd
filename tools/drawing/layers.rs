//! Layered layout of graphs (Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system
//! structures", 1981). Cycles are broken, and a long edge gets a point in each layer that it crosses. Each layer is
//! sorted by the mean position of the neighbours of its boxes, which are then placed as close to them as possible
//! without overlap. Edges of one box with the same `trunk` share their points. An edge against the direction of the
//! layers starts and ends at the same sides of boxes as other edges, so it is drawn around both boxes.
//!
//! Layers follow each other along one axis, and the boxes of a layer along the other. The caller chooses which axis is
//! horizontal.
//!
//! The output must be deterministic. No existing crate fits: they draw edges through boxes or iterate over hash maps.

use mlopt_passes::streams::nodes::graph::components;
use std::collections::HashMap;

/// The distance between boxes of a layer, and between layers.
const GAP: f64 = 14.0;
const BETWEEN: f64 = 48.0;
/// The space of an edge across a layer, and the distance by which it passes a layer to turn around.
const CROSSING: f64 = 6.0;
const TURN: f64 = 22.0;
/// The number of sweeps that sort, and of sweeps that move points.
const SORTING: usize = 16;
const MOVING: usize = 16;
/// The number of passes that straighten edges.
const STRAIGHTENING: usize = 4;

/// A position: along the axis of layers, and across it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct At {
    pub along: f64,
    pub across: f64,
}

/// An edge between boxes.
pub struct Link {
    pub from: usize,
    pub to: usize,
    /// The positions across at which it leaves and arrives, relative to the boxes.
    pub out: f64,
    pub into: f64,
    /// Links of one box with the same number share their path as far as possible.
    pub trunk: usize,
    /// True if cycles are broken at this link.
    pub is_weak: bool,
}

pub struct Layout {
    /// The positions of the boxes.
    pub boxes: Vec<At>,
    /// For each link: its start, then the three points of each Bézier curve.
    pub paths: Vec<Vec<At>>,
    pub size: At,
}

/// A box, or a point at which a long edge crosses a layer.
struct Point {
    layer: usize,
    /// The size across.
    size: f64,
    middle: f64,
    /// The neighbours in the layers before and after, each with the offsets from the middles at which the edge meets
    /// this point and the neighbour.
    before: Vec<(usize, f64, f64)>,
    after: Vec<(usize, f64, f64)>,
    /// The box of its layer around which the edge leads.
    beside: Option<usize>,
}

/// Computes the positions of boxes of these sizes, and the paths of links between them.
pub fn place(sizes: &[At], links: &[Link]) -> Layout {
    let layer = layers(sizes.len(), links);
    let mut points: Vec<Point> = sizes
        .iter()
        .zip(&layer)
        .map(|(size, &layer)| Point {
            layer,
            size: size.across,
            middle: 0.0,
            before: vec![],
            after: vec![],
            beside: None,
        })
        .collect();
    let (routes, trunks) = routes(links, &mut points);
    let count = points.iter().map(|p| p.layer + 1).max().unwrap_or(0);
    let mut rows: Vec<Vec<usize>> = vec![vec![]; count];
    points.iter().enumerate().for_each(|(k, p)| rows[p.layer].push(k));
    sort(&mut rows, &points);
    settle(&rows, &mut points);
    straighten(&rows, &trunks, &mut points);
    let first = points.iter().map(|p| p.middle - p.size / 2.0).fold(f64::INFINITY, f64::min);
    points.iter_mut().for_each(|p| p.middle -= first);
    // The starts and ends of the layers.
    let mut spans = Vec::new();
    let mut start = 0.0;
    for row in &rows {
        let longest = row.iter().filter_map(|&k| sizes.get(k)).map(|s| s.along).fold(0.0, f64::max);
        spans.push((start, start + longest));
        start += longest + BETWEEN;
    }
    let boxes: Vec<At> =
        points[..sizes.len()].iter().map(|p| At { along: spans[p.layer].0, across: p.middle - p.size / 2.0 }).collect();
    let drawn = |(link, route): (&Link, &Vec<usize>)| path(link, route, &points, &boxes, sizes, &spans);
    let paths = links.iter().zip(&routes).map(drawn).collect();
    let across = points.iter().map(|p| p.middle + p.size / 2.0).fold(0.0, f64::max);
    let mut layout = Layout { boxes, paths, size: At { along: (start - BETWEEN).max(0.0), across } };
    // Edges that turn around need space before the first layer and after the last one.
    let ends = layout.paths.iter().flatten().map(|at| at.along);
    let (low, high) = ends.fold((0.0, layout.size.along), |(low, high), x| (f64::min(low, x), f64::max(high, x)));
    layout.boxes.iter_mut().chain(layout.paths.iter_mut().flatten()).for_each(|at| at.along -= low);
    layout.size.along = high - low;
    layout
}

/// Returns the layer of each box: after all boxes with a link to it, once cycles are broken.
pub fn layers(count: usize, links: &[Link]) -> Vec<usize> {
    let mut circle = vec![0; count];
    let all = components(0..count, links.iter().map(|l| (l.from, l.to)));
    all.iter().enumerate().for_each(|(n, c)| c.iter().for_each(|&k| circle[k] = n));
    let mut next: Vec<Vec<usize>> = vec![vec![]; count];
    for l in links.iter().filter(|l| l.from != l.to && !(l.is_weak && circle[l.from] == circle[l.to])) {
        next[l.from].push(l.to);
    }
    for to in &mut next {
        to.sort_unstable();
        to.dedup();
    }
    const NEW: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    // Depth first. An edge to an open box closes a cycle.
    let (mut state, mut finished) = (vec![NEW; count], Vec::new());
    let mut turned: Vec<(usize, usize)> = Vec::new();
    for start in 0..count {
        let mut open = if state[start] == NEW { vec![(start, 0)] } else { vec![] };
        while let Some((k, at)) = open.pop() {
            state[k] = OPEN;
            match next[k].get(at) {
                Some(&to) => {
                    open.push((k, at + 1));
                    match state[to] {
                        NEW => open.push((to, 0)),
                        OPEN => turned.push((k, to)),
                        _ => {}
                    }
                }
                None => {
                    state[k] = DONE;
                    finished.push(k);
                }
            }
        }
    }
    for (from, to) in turned {
        next[from].retain(|&t| t != to);
        if !next[to].contains(&from) {
            next[to].push(from);
        }
    }
    let mut layer = vec![0; count];
    let mut before = vec![0; count];
    // Boxes precede their successors; a reversed edge leads to a box that was finished earlier, too.
    for &k in finished.iter().rev() {
        for &to in &next[k] {
            layer[to] = layer[to].max(layer[k] + 1);
            before[to] += 1;
        }
    }
    // A box with at most one predecessor is placed directly before its nearest successor: its edge is not longer, and
    // more edges can share it.
    for k in finished {
        if let (0 | 1, Some(nearest)) = (before[k], next[k].iter().map(|&to| layer[to]).min()) {
            layer[k] = nearest - 1;
        }
    }
    layer
}

/// Returns the points of each link, from its start to its end, with a new point for each layer that it crosses or in
/// which it turns around. Also returns the points that links share, layer by layer.
fn routes(links: &[Link], points: &mut Vec<Point>) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
    let mut shared: HashMap<(usize, usize, usize, bool), usize> = HashMap::new();
    let mut numbers: HashMap<(usize, usize, bool), usize> = HashMap::new();
    let (mut routes, mut trunks) = (Vec::new(), Vec::new());
    for link in links {
        let (from, to) = (points[link.from].layer, points[link.to].layer);
        let is_back = to <= from;
        let crossed: Vec<usize> = if is_back { (to..=from).rev().collect() } else { (from + 1..to).collect() };
        let mut route = vec![link.from];
        for layer in crossed {
            let beside = match layer {
                _ if !is_back => None,
                l if l == from => Some(link.from),
                l if l == to => Some(link.to),
                _ => None,
            };
            // The point at which a link turns at its end is not shared with other ends.
            let is_end = is_back && layer == to;
            let key = (link.from, if is_end { usize::MAX - link.to } else { link.trunk }, layer, is_back);
            let last = route[route.len() - 1];
            let new = points.len();
            let point = *shared.entry(key).or_insert(new);
            if point == new {
                points.push(Point { layer, size: CROSSING, middle: 0.0, before: vec![], after: vec![], beside });
                if !is_end {
                    let number = *numbers.entry((link.from, link.trunk, is_back)).or_insert(trunks.len());
                    trunks.resize(trunks.len().max(number + 1), vec![]);
                    trunks[number].push(new);
                }
                if last != link.from || !is_back {
                    let out = if last == link.from { link.out - points[last].size / 2.0 } else { 0.0 };
                    join(points, last, out, new, 0.0);
                }
            }
            route.push(point);
        }
        if !is_back {
            let last = route[route.len() - 1];
            let out = if last == link.from { link.out - points[last].size / 2.0 } else { 0.0 };
            let into = link.into - points[link.to].size / 2.0;
            join(points, last, out, link.to, into);
        }
        route.push(link.to);
        routes.push(route);
    }
    (routes, trunks)
}

/// Connects two points, with the offsets at which an edge meets them.
fn join(points: &mut [Point], a: usize, at_a: f64, b: usize, at_b: f64) {
    let (a, at_a, b, at_b) = if points[a].layer < points[b].layer { (a, at_a, b, at_b) } else { (b, at_b, a, at_a) };
    points[a].after.push((b, at_a, at_b));
    points[b].before.push((a, at_b, at_a));
}

/// Sorts each layer by the mean position of its neighbours, alternating directions, and keeps the order with the fewest
/// crossings.
fn sort(rows: &mut Vec<Vec<usize>>, points: &[Point]) {
    let mut place = vec![0.0; points.len()];
    let number = |row: &[usize], place: &mut [f64]| row.iter().enumerate().for_each(|(n, &k)| place[k] = n as f64);
    rows.iter().for_each(|row| number(row, &mut place));
    let (mut best, mut fewest) = (rows.clone(), crossings(rows, points, &place));
    for sweep in 0..SORTING {
        let forwards = sweep % 2 == 0;
        let order: Vec<usize> = if forwards { (0..rows.len()).collect() } else { (0..rows.len()).rev().collect() };
        for r in order {
            let key = |k: usize| {
                let neighbours = if forwards { &points[k].before } else { &points[k].after };
                let beside = points[k].beside.map(|b| place[b] + 0.5);
                let all = neighbours.iter().map(|n| place[n.0] + n.2 / 1000.0).chain(beside);
                let (sum, count) = all.fold((0.0, 0), |(sum, count), p| (sum + p, count + 1));
                if count == 0 { place[k] } else { sum / f64::from(count) }
            };
            let mut keyed: Vec<(f64, usize)> = rows[r].iter().map(|&k| (key(k), k)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            rows[r] = keyed.into_iter().map(|(_, k)| k).collect();
            number(&rows[r], &mut place);
        }
        let now = crossings(rows, points, &place);
        if now < fewest {
            (best, fewest) = (rows.clone(), now);
        }
    }
    *rows = best;
}

/// Counts the pairs of edges between adjacent layers that cross.
fn crossings(rows: &[Vec<usize>], points: &[Point], place: &[f64]) -> usize {
    let mut count = 0;
    for row in rows {
        let mut ends: Vec<f64> = Vec::new();
        for &k in row {
            let to: Vec<f64> = points[k].after.iter().map(|n| place[n.0]).collect();
            count += to.iter().map(|&t| ends.len() - ends.partition_point(|&e| e <= t)).sum::<usize>();
            for t in to {
                let at = ends.partition_point(|&e| e <= t);
                ends.insert(at, t);
            }
        }
    }
    count
}

/// Moves points towards their neighbours, as far as the order in their layer and their sizes allow.
fn settle(rows: &[Vec<usize>], points: &mut [Point]) {
    let mut place = vec![0; points.len()];
    for row in rows {
        let mut start = 0.0;
        for (n, &k) in row.iter().enumerate() {
            place[k] = n;
            points[k].middle = start + points[k].size / 2.0;
            start += points[k].size + GAP;
        }
    }
    for sweep in 0..MOVING {
        let order: Vec<usize> =
            if sweep % 2 == 0 { (0..rows.len()).collect() } else { (0..rows.len()).rev().collect() };
        for r in order {
            let wish = |k: usize| {
                let p = &points[k];
                let beside = p.beside.map(|b| {
                    let away = (points[b].size + p.size) / 2.0 + GAP;
                    points[b].middle + if place[k] > place[b] { away } else { -away }
                });
                let neighbours = p.before.iter().chain(&p.after);
                let all = neighbours.map(|&(n, here, there)| points[n].middle + there - here).chain(beside);
                let (sum, count) = all.fold((0.0, 0), |(sum, count), p| (sum + p, count + 1));
                if count == 0 { p.middle } else { sum / f64::from(count) }
            };
            let wishes: Vec<f64> = rows[r].iter().map(|&k| wish(k)).collect();
            let sizes: Vec<f64> = rows[r].iter().map(|&k| points[k].size).collect();
            let middles = spread(&wishes, &sizes);
            rows[r].iter().zip(middles).for_each(|(&k, middle)| points[k].middle = middle);
        }
    }
}

/// Aligns the points of an edge across the layers, as far as the points beside them allow.
fn straighten(rows: &[Vec<usize>], trunks: &[Vec<usize>], points: &mut [Point]) {
    let mut place = vec![0; points.len()];
    rows.iter().for_each(|row| row.iter().enumerate().for_each(|(n, &k)| place[k] = n));
    let room = |points: &[Point], k: usize| {
        let row = &rows[points[k].layer];
        let apart = |other: usize| (points[other].size + points[k].size) / 2.0 + GAP;
        let before = place[k].checked_sub(1).map(|n| points[row[n]].middle + apart(row[n]));
        let after = row.get(place[k] + 1).map(|&other| points[other].middle - apart(other));
        (before.unwrap_or(f64::NEG_INFINITY), after.unwrap_or(f64::INFINITY))
    };
    for trunk in std::iter::repeat_n(trunks, STRAIGHTENING).flatten() {
        let mut rest = &trunk[..];
        while !rest.is_empty() {
            let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
            let mut count = 0;
            while let Some(&k) = rest.get(count) {
                let (least, greatest) = room(points, k);
                if count > 0 && low.max(least) > high.min(greatest) {
                    break;
                }
                (low, high, count) = (low.max(least), high.min(greatest), count + 1);
            }
            let (piece, others) = rest.split_at(count);
            let mean = piece.iter().map(|&k| points[k].middle).sum::<f64>() / count as f64;
            piece.iter().for_each(|&k| points[k].middle = mean.max(low).min(high));
            rest = others;
        }
    }
}

/// Returns the positions closest to `wishes` (in least squares) at which boxes of these sizes are in this order without
/// overlap: isotonic regression by the pool-adjacent-violators algorithm.
fn spread(wishes: &[f64], sizes: &[f64]) -> Vec<f64> {
    let mut offset = Vec::new();
    let mut start = 0.0;
    for size in sizes {
        offset.push(start + size / 2.0);
        start += size + GAP;
    }
    // Blocks of adjacent boxes: the mean of their wishes, and their number.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (w, o) in wishes.iter().zip(&offset) {
        blocks.push((w - o, 1));
        while let [.., (a, n), (b, m)] = blocks[..]
            && a > b
        {
            blocks.truncate(blocks.len() - 2);
            blocks.push(((a * n as f64 + b * m as f64) / (n + m) as f64, n + m));
        }
    }
    let starts = blocks.into_iter().flat_map(|(at, n)| std::iter::repeat_n(at, n));
    starts.zip(offset).map(|(start, o)| start + o).collect()
}

/// Returns curves between layers and straight lines through them. A link that leads back goes around the boxes at its
/// ends.
fn path(link: &Link, route: &[usize], points: &[Point], boxes: &[At], sizes: &[At], spans: &[(f64, f64)]) -> Vec<At> {
    let span = |k: usize| spans[points[k].layer];
    let (from, to) = (link.from, link.to);
    let mut pen =
        Pen { path: vec![At { along: boxes[from].along + sizes[from].along, across: boxes[from].across + link.out }] };
    pen.straight(span(from).1);
    let is_back = points[to].layer <= points[from].layer;
    for &k in &route[1..route.len() - 1] {
        let (start, end) = span(k);
        let middle = points[k].middle;
        if is_back {
            if points[k].beside == Some(from) && points[k].layer == points[from].layer {
                pen.turn(middle, TURN);
            } else {
                pen.curve(end, middle);
            }
            pen.straight(start);
        } else {
            pen.curve(start, middle);
            pen.straight(end);
        }
    }
    let into = boxes[to].across + link.into;
    if is_back {
        pen.turn(into, -TURN)
    } else {
        pen.curve(boxes[to].along, into)
    }
    pen.path
}

struct Pen {
    path: Vec<At>,
}

impl Pen {
    fn at(&self) -> At {
        self.path[self.path.len() - 1]
    }

    fn straight(&mut self, along: f64) {
        if self.at().along != along {
            self.curve(along, self.at().across);
        }
    }

    fn curve(&mut self, along: f64, across: f64) {
        let from = self.at();
        let middle = (from.along + along) / 2.0;
        self.path.extend(
            [(middle, from.across), (middle, across), (along, across)].map(|(along, across)| At { along, across }),
        );
    }

    /// Moves to another position across, by a loop that extends to `beyond`.
    fn turn(&mut self, across: f64, beyond: f64) {
        let from = self.at();
        let outside = from.along + beyond / 0.75;
        self.path.extend(
            [(outside, from.across), (outside, across), (from.along, across)]
                .map(|(along, across)| At { along, across }),
        );
    }
}
