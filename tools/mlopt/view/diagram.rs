//! Boxes with lines of text, and edges from lines to boxes, as SVG.

use super::layers::{self, Layout};
use std::fmt::Write as _;

/// One picture.
pub struct Diagram {
    pub heading: String,
    /// Below the heading.
    pub notes: Vec<String>,
    pub nodes: Vec<Node>,
}

/// One box.
pub struct Node {
    pub title: String,
    pub marked: bool,
    pub lines: Vec<Line>,
}

pub struct Line {
    pub text: String,
    pub marked: bool,
    /// The boxes that edges lead to, by number.
    pub to: Vec<usize>,
}

/// Sizes in pixels; the width is that of a letter of the font.
pub const LINE: f64 = 18.0;
pub const LETTER: f64 = 7.25;
pub const PADDING: f64 = 8.0;

const MARGIN: f64 = 24.0;

const STYLE: &str = "\
text { font: 12px ui-monospace, 'DejaVu Sans Mono', monospace; fill: #1a1a2e }
.heading { font-size: 18px; font-weight: 600 } .note { fill: #556 } .title { font-weight: 600 }
.box { fill: #fff; stroke: #99a } .bar { fill: #eceef4 } .marked .box { stroke: #1b6e3c; stroke-width: 2 }
.marked .bar { fill: #d5efdd } .line { fill: #e9f8ee } .chosen { font-weight: 600 }
.edge { fill: none; stroke: #aab } .edge.chosen { stroke: #1b6e3c; stroke-width: 2 }
.head { fill: #99a }";

/// The pictures below each other, and a legend.
pub fn svg(diagrams: &[Diagram], legend: &[&str]) -> String {
    let (mut body, mut width, mut y) = (String::new(), 0.0f64, MARGIN);
    for diagram in diagrams {
        y += LINE;
        text(&mut body, "heading", MARGIN, y, &diagram.heading);
        for note in &diagram.notes {
            y += LINE;
            text(&mut body, "note", MARGIN, y, note);
            width = width.max(note.chars().count() as f64 * LETTER);
        }
        y += LINE;
        let layout = layers::place(&diagram.nodes);
        let _ = writeln!(body, "<g transform=\"translate({MARGIN:.1} {y:.1})\">");
        // Edges below the boxes, marked ones above the others.
        for marked in [false, true] {
            for edge in layout.edges.iter().filter(|e| diagram.nodes[e.from].lines[e.line].marked == marked) {
                let class = if marked && diagram.nodes[edge.to].marked { "edge chosen" } else { "edge" };
                let _ = writeln!(body, "<path class=\"{class}\" marker-end=\"url(#head)\" d=\"{}\"/>", edge.path);
            }
        }
        for (k, node) in diagram.nodes.iter().enumerate() {
            draw(&mut body, node, &layout, k);
        }
        body.push_str("</g>\n");
        width = width.max(layout.width);
        y += layout.height + 2.0 * LINE;
    }
    for line in legend {
        text(&mut body, "note", MARGIN, y, line);
        width = width.max(line.chars().count() as f64 * LETTER);
        y += LINE;
    }
    let (width, height) = (width + 2.0 * MARGIN, y + MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">\n<style>\n{STYLE}\n</style>\n\
         <defs><marker id=\"head\" markerWidth=\"7\" markerHeight=\"7\" refX=\"6\" refY=\"3.5\" orient=\"auto\" \
         markerUnits=\"userSpaceOnUse\"><path class=\"head\" d=\"M0 0L7 3.5L0 7z\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{body}</svg>\n"
    )
}

fn draw(out: &mut String, node: &Node, layout: &Layout, k: usize) {
    let at = &layout.boxes[k];
    let class = if node.marked { "node marked" } else { "node" };
    let _ = writeln!(out, "<g class=\"{class}\" transform=\"translate({:.1} {:.1})\">", at.x, at.y);
    let _ = writeln!(out, "<rect class=\"box\" width=\"{:.1}\" height=\"{:.1}\" rx=\"3\"/>", at.width, at.height);
    let _ = writeln!(out, "<rect class=\"bar\" x=\"1\" y=\"1\" width=\"{:.1}\" height=\"{LINE:.1}\"/>", at.width - 2.0);
    text(out, "title", PADDING, baseline(0), &node.title);
    for (k, line) in node.lines.iter().enumerate() {
        if line.marked {
            let y = LINE * (k + 1) as f64;
            let _ = writeln!(
                out,
                "<rect class=\"line\" x=\"1\" y=\"{:.1}\" width=\"{:.1}\" height=\"{LINE:.1}\"/>",
                y + 1.0,
                at.width - 2.0
            );
        }
        text(out, if line.marked { "chosen" } else { "plain" }, PADDING, baseline(k + 1), &line.text);
    }
    out.push_str("</g>\n");
}

/// Of a line of a box, the title being the first.
fn baseline(line: usize) -> f64 {
    LINE * line as f64 + 14.0
}

fn text(out: &mut String, class: &str, x: f64, y: f64, text: &str) {
    let _ = writeln!(out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(text));
}

/// As character data. Control characters, which XML cannot say, become the sign for them.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(title: &str, lines: &[(&str, &[usize])]) -> Node {
        let line = |(text, to): &(&str, &[usize])| Line { text: text.to_string(), marked: true, to: to.to_vec() };
        Node { title: title.to_string(), marked: true, lines: lines.iter().map(line).collect() }
    }

    #[test]
    fn text_is_escaped_and_the_same_twice() {
        let nodes = || vec![node("a<b>&\u{1}", &[("x", &[1]), ("y", &[0, 1])]), node("c", &[("z", &[])])];
        let once = svg(&[Diagram { heading: "h".into(), notes: vec![], nodes: nodes() }], &["l"]);
        let twice = svg(&[Diagram { heading: "h".into(), notes: vec![], nodes: nodes() }], &["l"]);
        assert!(once == twice);
        assert!(once.contains(">a&lt;b&gt;&amp;\u{fffd}</text>"), "{once}");
        assert_eq!(once.matches("<path class=\"edge chosen\"").count(), 3);
    }
}
