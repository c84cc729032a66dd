//! Where boxes stand and edges run: layers from left to right (Sugiyama, Tagawa and Toda, "Methods for visual understanding of
//! hierarchical system structures", 1981). Cycles are broken, long edges get a point in each layer that they cross, layers are
//! sorted by the mean position of neighbours, and heights follow neighbours as far as boxes do not overlap.
//!
//! By hand: what crates offer runs edges through boxes or iterates over hash maps, and the bytes must not depend on the run.

use super::diagram::{LETTER, LINE, Node, PADDING};

/// Distance between boxes of a layer, and between layers.
const GAP: f64 = 14.0;
const BETWEEN: f64 = 48.0;
/// Height of the place where an edge crosses a layer.
const CROSSING: f64 = 6.0;
/// Sweeps that sort, and that move.
const SORTING: usize = 12;
const MOVING: usize = 16;

pub struct Layout {
    pub boxes: Vec<Place>,
    pub edges: Vec<Edge>,
    pub width: f64,
    pub height: f64,
}

#[derive(Clone, Copy, Default)]
pub struct Place {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

pub struct Edge {
    pub from: usize,
    pub line: usize,
    pub to: usize,
    /// Path data of SVG.
    pub path: String,
}

/// A box, or a point where a long edge crosses a layer.
struct Point {
    layer: usize,
    height: f64,
    /// Of its middle.
    y: f64,
    /// Neighbours in the layers before and after, and where the edge meets this point and that one, from their middles.
    before: Vec<(usize, f64, f64)>,
    after: Vec<(usize, f64, f64)>,
}

/// An edge between boxes, with the points that it runs through from left to right, both ends included.
struct Route {
    from: usize,
    line: usize,
    to: usize,
    /// Whether it leads from right to left.
    back: bool,
    points: Vec<usize>,
}

pub fn place(nodes: &[Node]) -> Layout {
    let size = |n: &Node| {
        let letters = n.lines.iter().map(|l| &l.text).chain([&n.title]).map(|t| t.chars().count()).max().unwrap_or(0);
        (letters as f64 * LETTER + 2.0 * PADDING, LINE * (n.lines.len() + 1) as f64 + 4.0)
    };
    let sizes: Vec<(f64, f64)> = nodes.iter().map(size).collect();
    let layer = layers(nodes);
    let mut points: Vec<Point> = sizes
        .iter()
        .zip(&layer)
        .map(|(&(_, height), &layer)| Point { layer, height, y: 0.0, before: vec![], after: vec![] })
        .collect();
    let routes = routes(nodes, &mut points);
    let count = points.iter().map(|p| p.layer + 1).max().unwrap_or(0);
    let mut rows: Vec<Vec<usize>> = vec![vec![]; count];
    points.iter().enumerate().for_each(|(k, p)| rows[p.layer].push(k));
    sort(&mut rows, &points);
    settle(&rows, &mut points);
    let top = |p: &Point| p.y - p.height / 2.0;
    let highest = points.iter().map(top).fold(f64::INFINITY, f64::min);
    points.iter_mut().for_each(|p| p.y -= highest);
    let mut left = Vec::new();
    let mut x = 0.0;
    for row in &rows {
        left.push(x);
        let widest = row.iter().filter(|&&k| k < nodes.len()).map(|&k| sizes[k].0).fold(0.0, f64::max);
        x += widest + BETWEEN;
    }
    let boxes: Vec<Place> = points[..nodes.len()]
        .iter()
        .zip(&sizes)
        .map(|(p, &(width, height))| Place { x: left[p.layer], y: p.y - height / 2.0, width, height })
        .collect();
    let edges = routes.iter().map(|r| drawn(r, &points, &boxes, &left, &rows, &sizes)).collect();
    let height = points.iter().map(|p| p.y + p.height / 2.0).fold(0.0, f64::max);
    Layout { boxes, edges, width: (x - BETWEEN).max(0.0), height }
}

/// The layer of each box: behind all boxes with an edge to it, once the edges that close cycles are turned around.
fn layers(nodes: &[Node]) -> Vec<usize> {
    let mut next: Vec<Vec<usize>> = nodes
        .iter()
        .enumerate()
        .map(|(k, n)| {
            let mut to: Vec<usize> = n.lines.iter().flat_map(|l| l.to.iter().copied()).filter(|&t| t != k).collect();
            to.sort_unstable();
            to.dedup();
            to
        })
        .collect();
    const NEW: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    // Depth first; an edge to a box that is still open closes a cycle.
    let (mut state, mut finished) = (vec![NEW; nodes.len()], Vec::new());
    let mut turned: Vec<(usize, usize)> = Vec::new();
    for start in 0..nodes.len() {
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
    let mut layer = vec![0; nodes.len()];
    let mut read = vec![false; nodes.len()];
    // Boxes before those that they lead to; a turned edge leads to a box that was finished earlier, too.
    for &k in finished.iter().rev() {
        for &to in &next[k] {
            layer[to] = layer[to].max(layer[k] + 1);
            read[to] = true;
        }
    }
    // What nothing leads to stands as near as it can to what it leads to.
    for k in 0..nodes.len() {
        if let (false, Some(nearest)) = (read[k], next[k].iter().map(|&to| layer[to]).min()) {
            layer[k] = nearest - 1;
        }
    }
    layer
}

/// The edges, with a new point for each layer that one crosses.
fn routes(nodes: &[Node], points: &mut Vec<Point>) -> Vec<Route> {
    let mut routes = Vec::new();
    for (from, node) in nodes.iter().enumerate() {
        for (line, to) in node.lines.iter().enumerate().flat_map(|(k, l)| l.to.iter().map(move |&to| (k, to))) {
            let back = points[to].layer < points[from].layer;
            let (left, right) = if back { (to, from) } else { (from, to) };
            let mut through = vec![left];
            for layer in points[left].layer + 1..points[right].layer {
                through.push(points.len());
                points.push(Point { layer, height: CROSSING, y: 0.0, before: vec![], after: vec![] });
            }
            through.push(right);
            let at = |points: &[Point], k: usize| match k {
                _ if k == from => line_middle(line + 1) - points[k].height / 2.0,
                _ if k == to => line_middle(0) - points[k].height / 2.0,
                _ => 0.0,
            };
            if from != to {
                for pair in through.windows(2) {
                    let (a, b) = (at(points, pair[0]), at(points, pair[1]));
                    points[pair[0]].after.push((pair[1], a, b));
                    points[pair[1]].before.push((pair[0], b, a));
                }
            }
            routes.push(Route { from, line, to, back, points: through });
        }
    }
    routes
}

/// Where an edge meets a line, from the top of the box.
fn line_middle(line: usize) -> f64 {
    LINE * (line as f64 + 0.5) + 1.0
}

/// Sorts each layer by the mean place of its neighbours, to and fro; the order with the fewest crossings stays.
fn sort(rows: &mut Vec<Vec<usize>>, points: &[Point]) {
    let mut place = vec![0.0; points.len()];
    let number = |rows: &[Vec<usize>], place: &mut [f64]| {
        rows.iter().for_each(|row| row.iter().enumerate().for_each(|(n, &k)| place[k] = n as f64));
    };
    number(rows, &mut place);
    let (mut best, mut fewest) = (rows.clone(), crossings(rows, points, &place));
    for sweep in 0..SORTING {
        let forwards = sweep % 2 == 0;
        let order: Vec<usize> = if forwards { (0..rows.len()).collect() } else { (0..rows.len()).rev().collect() };
        for r in order {
            let key = |k: usize| {
                let neighbours = if forwards { &points[k].before } else { &points[k].after };
                let sum: f64 = neighbours.iter().map(|n| place[n.0] + n.2 / 1000.0).sum();
                if neighbours.is_empty() { place[k] } else { sum / neighbours.len() as f64 }
            };
            let mut keyed: Vec<(f64, usize)> = rows[r].iter().map(|&k| (key(k), k)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            rows[r] = keyed.into_iter().map(|(_, k)| k).collect();
            rows[r].iter().enumerate().for_each(|(n, &k)| place[k] = n as f64);
        }
        let now = crossings(rows, points, &place);
        if now < fewest {
            (best, fewest) = (rows.clone(), now);
        }
    }
    *rows = best;
}

/// Pairs of edges between neighbouring layers that cross.
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

/// Moves points towards their neighbours, as far as the order in their layer and their heights let them.
fn settle(rows: &[Vec<usize>], points: &mut [Point]) {
    for row in rows {
        let mut y = 0.0;
        for &k in row {
            points[k].y = y + points[k].height / 2.0;
            y += points[k].height + GAP;
        }
    }
    for sweep in 0..MOVING {
        let order: Vec<usize> =
            if sweep % 2 == 0 { (0..rows.len()).collect() } else { (0..rows.len()).rev().collect() };
        for r in order {
            let wish = |k: usize| {
                let p = &points[k];
                let all = || p.before.iter().chain(&p.after);
                let sum: f64 = all().map(|&(n, here, there)| points[n].y + there - here).sum();
                if all().next().is_none() { p.y } else { sum / all().count() as f64 }
            };
            let wishes: Vec<f64> = rows[r].iter().map(|&k| wish(k)).collect();
            let heights: Vec<f64> = rows[r].iter().map(|&k| points[k].height).collect();
            let middles = spread(&wishes, &heights);
            rows[r].iter().zip(middles).for_each(|(&k, y)| points[k].y = y);
        }
    }
}

/// The middles nearest to `wishes` (by squares) at which boxes of these heights stand in this order without touching: isotonic
/// regression by pooling neighbours.
fn spread(wishes: &[f64], heights: &[f64]) -> Vec<f64> {
    let mut offset = Vec::new();
    let mut y = 0.0;
    for h in heights {
        offset.push(y + h / 2.0);
        y += h + GAP;
    }
    // Blocks of boxes that touch: the mean of their wishes, and how many they are.
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

fn drawn(
    r: &Route,
    points: &[Point],
    boxes: &[Place],
    left: &[f64],
    rows: &[Vec<usize>],
    sizes: &[(f64, f64)],
) -> Edge {
    let (a, b) = (&boxes[r.from], &boxes[r.to]);
    let (start, end) = (a.y + line_middle(r.line + 1), b.y + line_middle(0));
    let path = if r.from == r.to {
        let x = a.x + a.width;
        format!("M{x:.1} {start:.1}C{:.1} {start:.1} {:.1} {end:.1} {x:.1} {end:.1}", x + 28.0, x + 28.0)
    } else {
        // From left to right: the y of both ends, and for each point between where its layer begins and ends.
        let (first, last) = if r.back { (end, start) } else { (start, end) };
        let mut stops = vec![(boxes[r.points[0]].x + boxes[r.points[0]].width, first)];
        for &k in &r.points[1..r.points.len() - 1] {
            let layer = points[k].layer;
            let widest = rows[layer].iter().filter(|&&n| n < boxes.len()).map(|&n| sizes[n].0).fold(0.0, f64::max);
            stops.push((left[layer], points[k].y));
            stops.push((left[layer] + widest, points[k].y));
        }
        stops.push((boxes[r.points[r.points.len() - 1]].x, last));
        if r.back {
            stops.reverse();
        }
        let mut path = format!("M{:.1} {:.1}", stops[0].0, stops[0].1);
        for pair in stops.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let middle = (x0 + x1) / 2.0;
            path += &format!("C{middle:.1} {y0:.1} {middle:.1} {y1:.1} {x1:.1} {y1:.1}");
        }
        path
    };
    Edge { from: r.from, line: r.line, to: r.to, path }
}
