//! Patterns of user code, with random variants. A pattern uses existing arrays or declares arguments, and its result is
//! available to other patterns.

mod cells;
mod control;
mod elementwise;
mod indexing;
mod integers;
mod linear;
mod masks;
mod nested;
mod norms;
mod reductions;
mod scans;
mod shapes;
mod windows;

use super::builder::Builder;

/// A pattern: its name in tables, and the weight with which it is drawn.
pub struct Pattern {
    pub name: &'static str,
    pub weight: usize,
    pub write: fn(&mut Builder),
}

const fn pattern(name: &'static str, weight: usize, write: fn(&mut Builder)) -> Pattern {
    Pattern { name, weight, write }
}

pub const PATTERNS: &[Pattern] = &[
    pattern("elementwise", 4, elementwise::chain),
    pattern("masked reduction", 6, masks::reduction),
    pattern("triangular sum", 5, masks::triangular_sum),
    pattern("packed triangle", 2, masks::packed_triangle),
    pattern("dropout", 3, masks::dropout),
    pattern("masked rows", 3, masks::rows),
    pattern("softmax", 4, norms::softmax),
    pattern("normalisation", 4, norms::normalisation),
    pattern("attention", 3, norms::attention),
    pattern("loss", 3, norms::loss),
    pattern("matrix product", 4, linear::product),
    pattern("batched product", 4, linear::batched),
    pattern("quadratic form", 3, linear::quadratic),
    pattern("distances", 3, linear::distances),
    pattern("convolution 1-d", 4, windows::convolution),
    pattern("convolution 2-d", 3, windows::convolution_2d),
    pattern("stencil", 5, windows::stencil),
    pattern("pooling", 3, windows::pooling),
    pattern("gather", 5, indexing::gather),
    pattern("scatter", 5, indexing::scatter),
    pattern("histogram", 3, indexing::histogram),
    pattern("scan", 5, scans::cumulative),
    pattern("recurrence", 4, scans::recurrence),
    pattern("row update", 4, scans::row_update),
    pattern("initial state", 5, scans::initial_state),
    pattern("moved state", 6, scans::moved_state),
    pattern("cell", 4, cells::lstm),
    pattern("perceptron", 3, cells::perceptron),
    pattern("shapes", 5, shapes::chain),
    pattern("reduction", 4, reductions::reduction),
    pattern("search", 3, reductions::search),
    pattern("nested builds", 5, nested::nested),
    pattern("several results", 3, nested::several),
    pattern("integers", 5, integers::arithmetic),
    pattern("bits", 4, integers::bits),
    pattern("branch", 4, control::branch),
    pattern("for", 4, control::for_loop),
    pattern("while", 4, control::while_loop),
];

/// Draws a pattern, by weight.
pub fn choose(b: &mut Builder) -> &'static Pattern {
    let draw = b.below(PATTERNS.iter().map(|p| p.weight).sum());
    let mut each = PATTERNS.iter().flat_map(|p| std::iter::repeat_n(p, p.weight));
    each.nth(draw).expect("the weights sum up")
}
