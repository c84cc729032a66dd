//! The thirteen programs of `tools/bench/programs`, with their sizes.

use super::size::Size;
use super::values::Values::{self, Bits, Camera, Indices, Normal, OneHot, Point, Uniform, Weights};
use mlopt_dialects::Reported;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::Op;
use mlopt_passes::arrays::static_sizes;

/// A program whose function of the same name is measured.
#[derive(Clone, Copy)]
pub struct Benchmark {
    pub name: &'static str,
    /// The program in double precision, for all sizes.
    pub text: &'static str,
    /// True if it is also measured in single precision: the same text with `f32` for `f64`.
    pub single: bool,
    /// The letters that stand for sizes.
    pub dims: &'static str,
    /// The shapes of the inputs, polynomials in `dims`, and the distributions of their elements.
    pub inputs: &'static [(&'static [&'static str], Values)],
    /// Sizes for comparisons with the reference evaluator, odd on purpose.
    pub tiny: &'static [i64],
    pub small: &'static [i64],
    pub medium: &'static [i64],
    pub large: &'static [i64],
}

impl Benchmark {
    /// Returns the function of a program that [`Benchmark::program`] returned.
    pub fn entry(&self, program: &Program) -> Op {
        program.module().lookup(self.name).expect("the text of each benchmark defines a function of its name")
    }

    /// Returns the program in double or single precision, specialised to the sizes `dims` if given.
    pub fn program(&self, single: bool, dims: Option<&[i64]>) -> Result<Program, Reported> {
        let text = if single { self.text.replace("f64", "f32") } else { self.text.to_string() };
        let program = Program::parse(text.as_bytes(), &format!("{}.mlir", self.name))?;
        if let Some(dims) = dims {
            let entry = self.entry(&program);
            let size = |s: &&str| Some(Size::parse(s, self.dims).at(dims) as usize);
            let shapes: Vec<_> = self.inputs.iter().map(|(shape, _)| shape.iter().map(size).collect()).collect();
            static_sizes::specialise(entry, &shapes)?;
        }
        Ok(program)
    }
}

/// Makes the table of programs. Each line has the name, whether single precision is also measured, the letters of
/// sizes, the inputs, and the tiny, small, medium and large sizes.
macro_rules! programs {
    ($($name:literal $single:literal $dims:literal $inputs:tt, $tiny:tt $small:tt $medium:tt $large:tt;)*) => {
        &[$(Benchmark {
            name: $name,
            text: include_str!(concat!("../../../bench/programs/", $name, ".mlir")),
            single: $single,
            dims: $dims,
            inputs: &$inputs,
            tiny: &$tiny,
            small: &$small,
            medium: &$medium,
            large: &$large,
        }),*]
    };
}

pub const BENCHMARKS: &[Benchmark] = programs! {
    "dot_grad" false "n" [(&["n"], Normal(1.0)), (&["n"], Normal(1.0))], [5] [1000] [100_000] [10_000_000];
    "max_grad" false "n" [(&["n"], Normal(1.0))], [37] [1000] [100_000] [10_000_000];
    "vadd_jac" false "n" [(&["n"], Normal(1.0)), (&["n"], Normal(1.0))], [5] [64] [512] [4096];
    "vscale_jac" false "n" [(&["n"], Normal(1.0)), (&[], Normal(1.0))], [5] [1000] [100_000] [10_000_000];
    "nnmf_grad" false "mn" [(&["m", "n"], Uniform(0.0, 2.0)), (&["m"], Uniform(0.5, 1.5)), (&["n"], Uniform(0.5, 1.5))],
        [5, 11] [100, 100] [1000, 1000] [4000, 4000];
    "ba_jac" false "n" [(&["11"], Camera), (&["n", "3"], Point)], [11] [100] [10_000] [1_000_000];
    "ba_adbench" false "cxp"
        [(&["c", "11"], Camera), (&["x", "3"], Point), (&["p"], Uniform(0.5, 1.5)), (&["p", "2"], Normal(1.0)),
         (&["p", "2"], Indices("cx"))],
        [2, 3, 11] [21, 500, 1000] [49, 7776, 31_843] [372, 47_423, 204_472];
    "gmm_grad" false "dkn"
        [(&["k"], Normal(1.0)), (&["k", "d"], Uniform(0.0, 1.0)), (&["k", "(dd+d)/2"], Normal(0.5)),
         (&["n", "d"], Normal(1.0))],
        [3, 2, 11] [2, 5, 1000] [10, 25, 1000] [64, 25, 10_000];
    "lstm_ad" false "lcb"
        [(&["2l", "4b"], Uniform(-1.0, 1.0)), (&["3", "b"], Uniform(-1.0, 1.0)), (&["2l", "b"], Uniform(-1.0, 1.0)),
         (&["c", "b"], Bits(0.3))],
        [2, 5, 3] [2, 100, 14] [2, 1024, 14] [4, 4096, 14];
    "lstm_train" true "tbih"
        [(&["t", "b", "i"], Normal(1.0)), (&["t", "b", "h"], Uniform(-1.0, 1.0)), (&["i", "4h"], Weights),
         (&["h", "4h"], Weights), (&["4h"], Normal(0.1))],
        [3, 2, 5, 3] [16, 8, 16, 32] [32, 32, 64, 128] [64, 64, 256, 256];
    "mlp_step" true "biho"
        [(&["b", "i"], Normal(1.0)), (&["b", "o"], OneHot), (&["i", "h"], Weights), (&["h"], Normal(0.1)),
         (&["h", "h"], Weights), (&["h"], Normal(0.1)), (&["h", "o"], Weights), (&["o"], Normal(0.1))],
        [3, 5, 7, 2] [16, 32, 64, 10] [64, 784, 256, 10] [256, 1024, 1024, 256];
    "bn_grad" true "bf"
        [(&["b", "f"], Normal(2.0)), (&["f"], Uniform(0.5, 1.5)), (&["f"], Normal(1.0)), (&["b", "f"], Normal(1.0))],
        [5, 11] [32, 64] [256, 1024] [4096, 2048];
    "stream_lms" false "tp" [(&["t+p-1"], Normal(1.0)), (&["t"], Normal(1.0)), (&["p"], Normal(0.1))],
        [9, 3] [1000, 16] [100_000, 16] [1_000_000, 32];
};
