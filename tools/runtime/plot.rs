//! Line plots as SVG.

use plotters::coord::ranged1d::ValueFormatter;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::ops::Range;
use thiserror::Error;

/// The width and height of the picture, in pixels.
const SIZE: (u32, u32) = (800, 500);
/// The height of a note, in pixels.
const NOTE: u32 = 20;
/// Colours that colour-blind readers can distinguish: Okabe and Ito, "Color Universal Design" (2008).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

#[derive(Debug, Error, PartialEq)]
pub enum PlotError {
    #[error("nothing to plot: expected a series with at least one finite point")]
    Empty,
    #[error("logarithmic axis: expected positive values, found {value} in `{series}`")]
    NotPositive { series: String, value: f64 },
    #[error("{0}")]
    Drawing(String),
}

/// One line, with its name in the legend.
#[derive(Clone, Debug)]
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

#[derive(Clone, Debug, Default)]
pub struct Plot {
    pub title: String,
    pub x_label: String,
    pub y_label: String,
    /// True if the y axis is logarithmic.
    pub log_y: bool,
    /// Notes in small type below the picture.
    pub notes: Vec<String>,
    pub series: Vec<Series>,
}

impl Plot {
    /// Returns the SVG text. Points that are not finite are gaps.
    pub fn svg(&self) -> Result<String, PlotError> {
        let points = || self.series.iter().flat_map(|s| &s.points).filter(|(x, y)| x.is_finite() && y.is_finite());
        let x = range(points().map(|p| p.0)).ok_or(PlotError::Empty)?;
        let y = range(points().map(|p| p.1)).ok_or(PlotError::Empty)?;
        let mut svg = String::new();
        {
            let size = (SIZE.0, SIZE.1 + NOTE * self.notes.len() as u32);
            let paper = SVGBackend::with_string(&mut svg, size).into_drawing_area();
            paper.fill(&WHITE).map_err(drawing)?;
            let (root, below) = paper.split_vertically(SIZE.1);
            for (k, note) in self.notes.iter().enumerate() {
                let at = (16, NOTE as i32 * k as i32);
                below.draw(&Text::new(note.as_str(), at, ("sans-serif", 13).into_font())).map_err(drawing)?;
            }
            let mut builder = ChartBuilder::on(&root);
            builder.margin(16).x_label_area_size(40).y_label_area_size(70);
            if !self.title.is_empty() {
                builder.caption(&self.title, ("sans-serif", 22));
            }
            if self.log_y {
                let wrong = |s: &Series| s.points.iter().map(|p| p.1).find(|y| y.is_finite() && *y <= 0.0);
                if let Some((s, value)) = self.series.iter().find_map(|s| Some((s, wrong(s)?))) {
                    return Err(PlotError::NotPositive { series: s.name.clone(), value });
                }
                let y = y.start / 1.1..y.end * 1.1;
                self.draw(builder.build_cartesian_2d(widen(x), y.log_scale()).map_err(drawing)?)?;
            } else {
                self.draw(builder.build_cartesian_2d(widen(x), widen(y)).map_err(drawing)?)?;
            }
            paper.present().map_err(drawing)?;
        }
        Ok(svg)
    }

    fn draw<'a, DB, Y>(&self, mut chart: ChartContext<'a, DB, Cartesian2d<RangedCoordf64, Y>>) -> Result<(), PlotError>
    where
        DB: DrawingBackend + 'a,
        Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        chart
            .configure_mesh()
            .x_desc(&self.x_label)
            .y_desc(&self.y_label)
            .x_label_formatter(&|x| tick(*x))
            .y_label_formatter(&|y| tick(*y))
            .light_line_style(TRANSPARENT)
            .draw()
            .map_err(drawing)?;
        for (k, s) in self.series.iter().enumerate() {
            let colour = colour(k);
            let is_finite = |p: &(f64, f64)| p.0.is_finite() && p.1.is_finite();
            let pieces = || s.points.split(|p| !is_finite(p)).filter(|piece| !piece.is_empty());
            let lines = pieces().filter(|p| p.len() > 1).map(|p| PathElement::new(p, colour.stroke_width(2)));
            // A single point between gaps is drawn as a dot.
            let dots = pieces().filter(|p| p.len() == 1).map(|p| Circle::new(p[0], 2, colour.filled()));
            let line = chart.draw_series(lines).map_err(drawing)?;
            line.label(&s.name)
                .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 18, y)], colour.stroke_width(2)));
            chart.draw_series(dots).map_err(drawing)?;
        }
        if self.series.len() > 1 {
            chart
                .configure_series_labels()
                .border_style(BLACK.mix(0.3))
                .background_style(WHITE.mix(0.8))
                .draw()
                .map_err(drawing)?;
        }
        Ok(())
    }
}

/// Returns the colour of a series by its number. Each reuse of the colours is darker.
fn colour(series: usize) -> RGBColor {
    let RGBColor(r, g, b) = COLOURS[series % COLOURS.len()];
    let darker = |c: u8| (f64::from(c) * 0.6f64.powi((series / COLOURS.len()) as i32)) as u8;
    RGBColor(darker(r), darker(g), darker(b))
}

fn drawing(e: impl std::fmt::Display) -> PlotError {
    PlotError::Drawing(e.to_string())
}

/// Returns the smallest and largest value; `None` if there are no values.
fn range(values: impl Iterator<Item = f64>) -> Option<Range<f64>> {
    values.fold(None, |r: Option<Range<f64>>, v| match r {
        Some(r) => Some(r.start.min(v)..r.end.max(v)),
        None => Some(v..v),
    })
}

/// Adds a margin at both ends of a range. The result is never empty.
fn widen(r: Range<f64>) -> Range<f64> {
    let air = match 0.03 * (r.end - r.start) {
        0.0 => 0.5 * r.start.abs().max(1.0),
        air => air,
    };
    r.start - air..r.end + air
}

/// Formats the label of a tick: short, without digits of rounding errors.
fn tick(x: f64) -> String {
    let magnitude = x.abs();
    if magnitude != 0.0 && !(1e-4..1e6).contains(&magnitude) {
        return format!("{x:.1e}").replace(".0e", "e");
    }
    let text = format!("{x:.6}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logarithmic_axis_has_powers_of_ten() {
        let points = (0..50).map(|i| (i as f64, 10f64.powi(-i / 5))).collect();
        let plot = Plot { log_y: true, series: vec![Series { name: "loss".into(), points }], ..Plot::default() };
        let svg = plot.svg().unwrap();
        for text in ["1e-8", "1e-5", "0.01", "1"] {
            assert!(svg.contains(&format!("\n{text}\n")), "no tick {text} in {svg}");
        }
        let mut zero = plot.clone();
        zero.series[0].points.push((50.0, 0.0));
        assert_eq!(zero.svg(), Err(PlotError::NotPositive { series: "loss".into(), value: 0.0 }));
    }

    #[test]
    fn odd_data_draws_or_says_why_not() {
        let plot = |points: &[(f64, f64)]| {
            Plot { series: vec![Series { name: "x".into(), points: points.to_vec() }], ..Plot::default() }.svg()
        };
        assert_eq!(plot(&[]), Err(PlotError::Empty));
        assert_eq!(plot(&[(0.0, f64::NAN)]), Err(PlotError::Empty));
        assert!(plot(&[(1.0, 2.0)]).is_ok());
        assert!(plot(&[(1.0, 2.0), (1.0, 2.0), (f64::INFINITY, 1.0)]).is_ok());
        assert!(plot(&[(1e300, -1e300), (-1e300, 1e300)]).is_ok());
    }
}
