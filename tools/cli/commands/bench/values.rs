//! The inputs of the benchmarks. They are as diverse as real data, so that wrong elements are detected. Weights that
//! saturate all gates, for example, or indices that are all equal, would hide most of a gradient.

use super::programs::Benchmark;
use super::size::Size;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_runtime::arguments::random::{RandomError, random};

/// The distribution of the elements of one input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values {
    /// Normal with mean 0 and this standard deviation.
    Normal(f64),
    Uniform(f64, f64),
    /// Normal with variance 2 / rows: the initialisation of a layer by He et al. (2015).
    Weights,
    /// Rows of a rotation vector, a centre, a focal length, a principal point and two distortion coefficients.
    Camera,
    /// Rows of three coordinates, in front of all cameras.
    Point,
    /// Rows of indices. Those of column k are less than the size that letter k of the text denotes.
    Indices(&'static str),
    /// 1 with this probability, otherwise 0.
    Bits(f64),
    /// Rows with a single 1, otherwise 0.
    OneHot,
}

impl Values {
    /// Returns the distribution of element `column` of a row, in the syntax of `random:`.
    fn drawn(self, rows: usize) -> String {
        match self {
            Values::Normal(deviation) => format!("normal=0,{deviation}"),
            Values::Weights => format!("normal=0,{}", (2.0 / rows.max(1) as f64).sqrt()),
            Values::Uniform(low, high) => format!("uniform={low},{high}"),
            Values::Camera | Values::Point | Values::Indices(_) | Values::Bits(_) | Values::OneHot => {
                "uniform=0,1".to_string()
            }
        }
    }

    /// Converts the number `u` that was drawn for `column` to an element.
    fn element(self, u: f64, column: usize, benchmark: &Benchmark, dims: &[i64]) -> f64 {
        let within = |low: f64, high: f64| low + u * (high - low);
        match self {
            Values::Normal(_) | Values::Weights | Values::Uniform(..) | Values::OneHot => u,
            Values::Bits(probability) => f64::from(u < probability),
            Values::Point if column == 2 => within(3.0, 5.0),
            Values::Point => within(-1.0, 1.0),
            Values::Camera => match column {
                0..3 => within(-0.5, 0.5),
                3..6 => within(-0.2, 0.2),
                6 => within(0.8, 1.2),
                7..9 => within(-0.1, 0.1),
                _ => within(-0.05, 0.05),
            },
            Values::Indices(letters) => {
                let letter = letters.chars().nth(column).and_then(|c| benchmark.dims.find(c));
                (u * dims[letter.expect("one letter for each column")] as f64).floor()
            }
        }
    }
}

/// Returns the inputs of `benchmark` at the sizes `dims`, in double precision.
///
/// # Errors
/// They do not fit into memory.
pub fn arguments(benchmark: &Benchmark, dims: &[i64]) -> Result<Vec<Array>, RandomError> {
    benchmark.inputs.iter().enumerate().map(|(k, input)| argument(benchmark, dims, k, input)).collect()
}

fn argument(benchmark: &Benchmark, dims: &[i64], seed: usize, input: &(&[&str], Values)) -> Result<Array, RandomError> {
    let (shape, values) = input;
    let sizes: Vec<usize> = shape.iter().map(|s| Size::parse(s, benchmark.dims).at(dims) as usize).collect();
    let text: String = sizes.iter().map(|n| format!("{n}x")).collect();
    let rows = sizes.first().copied().unwrap_or(1);
    let drawn = random(&format!("{text}f64:seed={seed}:{}", values.drawn(rows)))?;
    let width = sizes.last().copied().unwrap_or(1).max(1);
    let mut elements = drawn.to_f64();
    for (place, x) in elements.iter_mut().enumerate() {
        *x = values.element(*x, place % width, benchmark, dims);
    }
    if *values == Values::OneHot {
        for row in elements.chunks_mut(width) {
            let hot = (row[0] * width as f64) as usize;
            row.iter_mut().enumerate().for_each(|(k, x)| *x = f64::from(k == hot));
        }
    }
    Ok(Array::new(sizes, Data::F64(elements)))
}

/// Rounds numbers to single precision.
pub fn rounded(x: &Array) -> Array {
    Array::new(x.shape().to_vec(), Data::F32(x.to_f64().into_iter().map(|v| v as f32).collect()))
}

/// Converts the numbers of `x`, of either precision, to double precision.
pub fn widened(x: &Array) -> Array {
    if x.element() == Element::F64 { x.clone() } else { Array::new(x.shape().to_vec(), Data::F64(x.to_f64())) }
}
