//! Drawings of nested boxes: each contains lines of text, and below them other boxes in rows.

use crate::diagram::{LINE, PADDING, baseline, colour, escaped, long, text};
use crate::layers::At;
use std::fmt::Write as _;

pub struct Nested {
    pub title: String,
    /// The number of its colour.
    pub colour: usize,
    pub is_thick: bool,
    pub lines: Vec<Entry>,
    /// The tooltip in a viewer.
    pub hint: String,
    pub inside: Vec<Nested>,
}

/// A line, with a spot in the colour of its origin.
pub struct Entry {
    pub text: String,
    pub colour: Option<usize>,
}

/// The width and height of a spot, and the offset of the text after it.
const SPOT: f64 = 9.0;
const AFTER_SPOT: f64 = 16.0;
/// The approximate ratio of the width of rows to their total height.
const WIDE: f64 = 1.6;
const GAP: f64 = 10.0;

/// Draws boxes in rows from `at` on, at least `least` wide. Returns their size.
pub fn rows(out: &mut String, boxes: &[Nested], at: At, least: f64) -> At {
    let sizes: Vec<At> = boxes.iter().map(size).collect();
    let (places, whole) = packed(&sizes, least);
    for (one, place) in boxes.iter().zip(places) {
        draw(out, one, At { along: at.along + place.along, across: at.across + place.across });
    }
    whole
}

/// Arranges boxes of these sizes in rows from left to right and top to bottom. Returns their positions and the total
/// size.
pub fn packed(sizes: &[At], least: f64) -> (Vec<At>, At) {
    let area: f64 = sizes.iter().map(|s| (s.along + GAP) * (s.across + GAP)).sum();
    let widest = sizes.iter().map(|s| s.along).fold(0.0, f64::max);
    let row = (area * WIDE).sqrt().max(widest).max(least);
    let (mut places, mut whole) = (Vec::new(), At { along: 0.0, across: 0.0 });
    let (mut x, mut y, mut high) = (0.0, 0.0, 0.0f64);
    for size in sizes {
        if x > 0.0 && x + size.along > row {
            (x, y, high) = (0.0, y + high + GAP, 0.0);
        }
        places.push(At { along: x, across: y });
        whole = At { along: whole.along.max(x + size.along), across: whole.across.max(y + size.across) };
        high = high.max(size.across);
        x += size.along + GAP;
    }
    (places, whole)
}

fn size(one: &Nested) -> At {
    let line = |e: &Entry| long(&e.text) + if e.colour.is_some() { AFTER_SPOT } else { 0.0 };
    let widest = one.lines.iter().map(line).fold(long(&one.title), f64::max);
    let above = LINE * (one.lines.len() + 1) as f64 + 4.0;
    let sizes: Vec<At> = one.inside.iter().map(size).collect();
    let (_, inside) = packed(&sizes, 0.0);
    let below = if one.inside.is_empty() { 0.0 } else { inside.across + GAP };
    At { along: widest.max(inside.along) + 2.0 * PADDING, across: above + below }
}

fn draw(out: &mut String, one: &Nested, at: At) {
    let size = size(one);
    let (fill, line) = colour(one.colour);
    let _ = writeln!(out, "<g class=\"node\" transform=\"translate({:.1} {:.1})\">", at.along, at.across);
    let _ = writeln!(out, "<title>{}</title>", escaped(&one.hint));
    let thick = if one.is_thick { 2.5 } else { 1.0 };
    let (width, height) = (size.along, size.across);
    let _ = writeln!(
        out,
        "<rect fill=\"#fff\" stroke=\"{line}\" stroke-width=\"{thick}\" width=\"{width:.1}\" \
         height=\"{height:.1}\" rx=\"3\"/>"
    );
    let _ = writeln!(out, "<rect fill=\"{fill}\" x=\"1\" y=\"1\" width=\"{:.1}\" height=\"{LINE:.1}\"/>", width - 2.0);
    text(out, "title", PADDING, baseline(0), &one.title);
    for (k, entry) in one.lines.iter().enumerate() {
        let mut x = PADDING;
        if let Some(number) = entry.colour {
            let (fill, line) = colour(number);
            let y = baseline(k + 1) - SPOT;
            let _ = writeln!(
                out,
                "<rect fill=\"{fill}\" stroke=\"{line}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{SPOT}\" height=\"{SPOT}\"/>"
            );
            x += AFTER_SPOT;
        }
        text(out, "plain", x, baseline(k + 1), &entry.text);
    }
    out.push_str("</g>\n");
    let below = LINE * (one.lines.len() + 1) as f64 + 4.0;
    rows(out, &one.inside, At { along: at.along + PADDING, across: at.across + below }, 0.0);
}
