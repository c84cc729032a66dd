//! Drawings of boxes with lines of text, and edges between them, as SVG.

use crate::layers::{self, At, Link};
use std::fmt::Write as _;

/// A picture.
pub struct Diagram {
    pub heading: String,
    /// Notes below the heading.
    pub notes: Vec<String>,
    /// The legend, below the notes.
    pub signs: Vec<Sign>,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// True if edges lead down instead of to the right.
    pub is_down: bool,
}

/// A box.
pub struct Node {
    pub title: String,
    pub lines: Vec<Line>,
    pub look: Look,
    /// The tooltip in a viewer.
    pub hint: String,
}

pub struct Line {
    pub text: String,
    pub is_marked: bool,
}

#[derive(Clone, Copy)]
pub enum Look {
    /// A title with a bar, above lines.
    Table { is_marked: bool },
    /// A shape in the colour of this number.
    Coloured(Shape, usize),
}

#[derive(Clone, Copy, PartialEq)]
pub enum Shape {
    Box,
    Round,
    /// Round, with a thick border.
    RoundThick,
    /// Pointing to the right, the direction of time.
    Later,
    /// Pointing to the left.
    Earlier,
}

/// An edge from a line of a box, or from its middle, to another box: to its title, or to one of several places side by
/// side.
pub struct Edge {
    pub from: usize,
    pub line: Option<usize>,
    pub to: usize,
    /// The place at which it arrives, and the number of places.
    pub place: Option<(usize, usize)>,
    /// The words of its class. Edges of one box and class share their path; later classes are drawn above earlier ones.
    pub class: &'static str,
    /// True if cycles are broken at this edge.
    pub is_weak: bool,
}

/// An entry of the legend.
pub enum Sign {
    Node(Look, String),
    Edge(&'static str, String),
    /// A line break.
    Break,
}

/// Sizes in pixels. The width is that of a character of the font.
pub(crate) const LINE: f64 = 18.0;
pub(crate) const LETTER: f64 = 7.25;
pub(crate) const PADDING: f64 = 8.0;
/// The length of the tip of a box.
const POINT: f64 = 10.0;

pub(crate) const MARGIN: f64 = 24.0;
/// The size of a sign in the legend, and the minimum width of a row of signs.
const SIGN: At = At { along: 34.0, across: 16.0 };
const ROW: f64 = 900.0;

/// Colours of boxes: fill and border. The first is the default. Further numbers have generated hues.
const COLOURS: [(&str, &str); 10] = [
    ("#eef1f6", "#8a93a6"),
    ("#fde6bd", "#b06a00"),
    ("#cdefe0", "#00755a"),
    ("#ecd9f2", "#83459b"),
    ("#d0e8fb", "#2170a5"),
    ("#f9f3b4", "#857a00"),
    ("#fbd9d3", "#ad3a28"),
    ("#dcebc0", "#567510"),
    ("#fbd8e8", "#a8326b"),
    ("#e8dccf", "#75502f"),
];

/// The classes of edges, each with the colour of its arrowhead, in drawing order.
const EDGES: [(&str, &str); 11] = [
    ("edge", "#99a"),
    ("edge chosen", "#1b6e3c"),
    ("edge condition", "#667"),
    ("edge value", "#556"),
    ("edge later", "#0b57d0"),
    ("edge earlier", "#c2185b"),
    ("edge indirect", "#889"),
    ("edge indirect tail", "#0b57d0"),
    ("edge derivative", "#c2185b"),
    ("edge call", "#556"),
    ("edge tail", "#0b57d0"),
];

/// The classes are those of `svg` elements of the class `mlopt`, so that a page may contain a picture.
const STYLE: &str = include_str!("diagram.css").trim_ascii_end();

/// Draws the pictures below each other, followed by a legend.
pub fn svg(diagrams: &[Diagram], legend: &[&str]) -> String {
    let (mut body, mut width, mut y) = (String::new(), 0.0f64, MARGIN);
    for diagram in diagrams {
        width = width.max(headed(&mut body, &mut y, &diagram.heading, &diagram.notes));
        let sizes: Vec<At> = diagram.nodes.iter().map(|n| turned(size(n), diagram.is_down)).collect();
        let layout = layers::place(&sizes, &links(diagram));
        let extent = turned(layout.size, diagram.is_down);
        let used = signs(&mut body, &diagram.signs, &mut y, extent.along.max(ROW));
        let _ = writeln!(body, "<g transform=\"translate({MARGIN:.1} {y:.1})\">");
        // Edges are drawn below the boxes.
        for (class, _) in EDGES {
            for (edge, path) in diagram.edges.iter().zip(&layout.paths).filter(|(e, _)| e.class == class) {
                let _ = writeln!(body, "{}", drawn(edge.class, path, diagram.is_down));
            }
        }
        for (k, node) in diagram.nodes.iter().enumerate() {
            draw(&mut body, node, turned(layout.boxes[k], diagram.is_down));
        }
        body.push_str("</g>\n");
        width = width.max(extent.along).max(used);
        y += extent.across + 2.0 * LINE;
    }
    for line in legend {
        text(&mut body, "note", MARGIN, y, line);
        width = width.max(long(line));
        y += LINE;
    }
    framed(&body, width, y)
}

/// Writes a heading and notes from `y` on. Returns the width of the notes.
pub(crate) fn headed(out: &mut String, y: &mut f64, heading: &str, notes: &[String]) -> f64 {
    *y += LINE;
    text(out, "heading", MARGIN, *y, heading);
    for note in notes {
        *y += LINE;
        text(out, "note", MARGIN, *y, note);
    }
    *y += LINE;
    notes.iter().map(|n| long(n)).fold(0.0, f64::max)
}

/// Returns a complete picture with margins.
pub(crate) fn framed(body: &str, width: f64, height: f64) -> String {
    let (width, height) = (width + 2.0 * MARGIN, height + MARGIN);
    let heads: String = EDGES.iter().enumerate().map(|(k, (_, colour))| head(k, colour)).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"mlopt\" xml:space=\"preserve\" width=\"{width:.0}\" \
         height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n<style>\n{STYLE}\n</style>\n\
         <defs>\n{heads}</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{body}</svg>\n"
    )
}

fn head(number: usize, colour: &str) -> String {
    format!(
        "<marker id=\"mlopt-head{number}\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"4\" orient=\"auto\" \
         markerUnits=\"userSpaceOnUse\"><path fill=\"{colour}\" d=\"M0 0L8 4L0 8z\"/></marker>\n"
    )
}

/// Converts between coordinates along the layers and coordinates of the picture.
fn turned(at: At, is_down: bool) -> At {
    if is_down { At { along: at.across, across: at.along } } else { at }
}

pub(crate) fn long(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER
}

/// Returns the width and height of a box.
fn size(node: &Node) -> At {
    let widest = node.lines.iter().map(|l| &l.text).chain([&node.title]).map(|t| long(t)).fold(0.0, f64::max);
    let around = PADDING + if let Look::Coloured(..) = node.look { POINT } else { 0.0 };
    At { along: widest + PADDING + around, across: LINE * (node.lines.len() + 1) as f64 + 4.0 }
}

fn links(diagram: &Diagram) -> Vec<Link> {
    let link = |e: &Edge| {
        let [from, to] = [e.from, e.to].map(|k| turned(size(&diagram.nodes[k]), diagram.is_down).across);
        Link {
            from: e.from,
            to: e.to,
            out: e.line.map_or(from / 2.0, |line| line_middle(line + 1)),
            into: e.place.map_or(line_middle(0), |(k, of)| to * (k + 1) as f64 / (of + 1) as f64),
            trunk: e.line.map_or(number(e.class), |line| EDGES.len() + line),
            is_weak: e.is_weak,
        }
    };
    diagram.edges.iter().map(link).collect()
}

/// Returns the vertical position at which an edge meets a line, relative to the box.
fn line_middle(line: usize) -> f64 {
    LINE * (line as f64 + 0.5) + 1.0
}

/// Returns the position of a class in [`EDGES`].
fn number(class: &str) -> usize {
    EDGES.iter().position(|c| c.0 == class).unwrap_or(0)
}

fn drawn(class: &str, path: &[At], is_down: bool) -> String {
    let number = number(class);
    let mut data = String::new();
    for (k, &at) in path.iter().enumerate() {
        let At { along: x, across: y } = turned(at, is_down);
        let sign = match k {
            0 => "M",
            k if k % 3 == 1 => "C",
            _ => " ",
        };
        let _ = write!(data, "{sign}{x:.1} {y:.1}");
    }
    format!("<path class=\"{class}\" marker-end=\"url(#mlopt-head{number})\" d=\"{data}\"/>")
}

/// Returns the colours of fill and border.
pub(crate) fn colour(number: usize) -> (String, String) {
    match COLOURS.get(number) {
        Some((fill, line)) => (fill.to_string(), line.to_string()),
        // The golden angle: consecutive hues are far apart.
        None => {
            let hue = (number as f64 * 137.508) % 360.0;
            (shade(hue, 0.86), shade(hue, 0.32))
        }
    }
}

/// Returns the RGB colour of a hue in degrees and a lightness, because SVG itself has no `hsl`.
pub fn shade(hue: f64, lightness: f64) -> String {
    let chroma = (1.0 - (2.0 * lightness - 1.0).abs()) * 0.6;
    let part = |n: f64| {
        let k = (n + hue / 30.0) % 12.0;
        let x = lightness - chroma / 2.0 * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0);
        (x * 255.0).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", part(0.0), part(8.0), part(4.0))
}

fn draw(out: &mut String, node: &Node, at: At) {
    let size = size(node);
    let class = if let Look::Table { is_marked: true } = node.look { "node marked" } else { "node" };
    let _ = writeln!(out, "<g class=\"{class}\" transform=\"translate({:.1} {:.1})\">", at.along, at.across);
    if !node.hint.is_empty() {
        let _ = writeln!(out, "<title>{}</title>", escaped(&node.hint));
    }
    outline(out, node.look, size);
    let left = PADDING + if let Look::Coloured(..) = node.look { POINT / 2.0 } else { 0.0 };
    text(out, "title", left, baseline(0), &node.title);
    for (k, line) in node.lines.iter().enumerate() {
        if line.is_marked {
            let y = LINE * (k + 1) as f64;
            let _ = writeln!(
                out,
                "<rect class=\"line\" x=\"1\" y=\"{:.1}\" width=\"{:.1}\" height=\"{LINE:.1}\"/>",
                y + 1.0,
                size.along - 2.0
            );
        }
        text(out, if line.is_marked { "chosen" } else { "plain" }, left, baseline(k + 1), &line.text);
    }
    out.push_str("</g>\n");
}

fn outline(out: &mut String, look: Look, At { along: width, across: height }: At) {
    let Look::Coloured(shape, number) = look else {
        let _ = writeln!(out, "<rect class=\"box\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"3\"/>");
        let _ =
            writeln!(out, "<rect class=\"bar\" x=\"1\" y=\"1\" width=\"{:.1}\" height=\"{LINE:.1}\"/>", width - 2.0);
        return;
    };
    let (fill, line) = colour(number);
    let thick = if shape == Shape::RoundThick { 3 } else { 1 };
    let style = format!("fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"{thick}\"");
    let round = match shape {
        Shape::Later | Shape::Earlier => {
            let p = POINT.min(height / 2.0);
            let (w, h) = (width, height);
            let data = match shape {
                Shape::Later => format!("M0 0H{:.1}L{w:.1} {:.1}L{:.1} {h:.1}H0z", w - p, h / 2.0, w - p),
                _ => format!("M{p:.1} 0H{w:.1}V{h:.1}H{p:.1}L0 {:.1}z", h / 2.0),
            };
            let _ = writeln!(out, "<path {style} d=\"{data}\"/>");
            return;
        }
        Shape::Box => 3.0,
        Shape::Round | Shape::RoundThick => height / 2.0,
    };
    let _ = writeln!(out, "<rect {style} width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{round:.1}\"/>");
}

/// Draws the signs in rows of at most this width, from `y` on. Returns their width.
pub(crate) fn signs(out: &mut String, signs: &[Sign], y: &mut f64, row: f64) -> f64 {
    let (mut x, mut widest) = (0.0, 0.0f64);
    for sign in signs {
        let label = match sign {
            Sign::Node(_, label) | Sign::Edge(_, label) => label,
            Sign::Break => "",
        };
        let width = SIGN.along + PADDING + long(label);
        if x > 0.0 && (x + width > row || matches!(sign, Sign::Break)) {
            x = 0.0;
            *y += LINE + 4.0;
        }
        if matches!(sign, Sign::Break) {
            continue;
        }
        let _ = writeln!(out, "<g transform=\"translate({:.1} {:.1})\">", MARGIN + x, *y);
        match sign {
            Sign::Node(look, _) => outline(out, *look, SIGN),
            Sign::Edge(class, _) => {
                let ends = [0.0, 10.0, 20.0, SIGN.along].map(|along| At { along, across: SIGN.across / 2.0 });
                let _ = writeln!(out, "{}", drawn(class, &ends, false));
            }
            Sign::Break => {}
        }
        text(out, "note", SIGN.along + PADDING, 12.0, label);
        out.push_str("</g>\n");
        widest = widest.max(x + width);
        x += width + 2.0 * PADDING;
    }
    if !signs.is_empty() {
        *y += 2.0 * LINE;
    }
    widest
}

/// Returns the baseline of a line of a box; line 0 is the title.
pub(crate) fn baseline(line: usize) -> f64 {
    LINE * line as f64 + 14.0
}

pub(crate) fn text(out: &mut String, class: &str, x: f64, y: f64, text: &str) {
    let _ = writeln!(out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(text));
}

/// Escapes character data. Control characters, which XML cannot represent, become U+FFFD.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Tooltips may have several lines.
            c if c.is_control() && c != '\n' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Returns all numbers below `count`: those that are reachable from the given ones first, breadth first; and how many
/// these are.
pub fn breadth_first(count: usize, from: Vec<usize>, next: impl Fn(usize) -> Vec<usize>) -> (Vec<usize>, usize) {
    let mut seen = vec![false; count];
    let (mut found, mut at, mut more) = (Vec::new(), 0, from);
    loop {
        found.extend(more.into_iter().filter(|&k| !std::mem::replace(&mut seen[k], true)));
        let Some(&k) = found.get(at) else { break };
        more = next(k);
        at += 1;
    }
    found.extend((0..count).filter(|&k| !seen[k]));
    (found, at)
}

/// Lists at most this many of some names.
pub fn listed(names: &[impl AsRef<str>], most: usize) -> String {
    let mut first: Vec<String> = names.iter().take(most).map(|n| n.as_ref().to_string()).collect();
    if names.len() > most {
        first.push(format!("{} more", names.len() - most));
    }
    first.join(", ")
}

/// Truncates a text to a number of characters.
pub fn cut(text: &str, letters: usize) -> String {
    if text.chars().count() <= letters {
        return text.to_string();
    }
    text.chars().take(letters - 1).chain(['…']).collect()
}
