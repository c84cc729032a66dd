//! The thirteen programs of `tools/bench/programs`, with their sizes.

use super::size::Size;
use super::values::Values::{self, Bits, Camera, Indices, Normal, OneHot, Point, Uniform, Weights};
use mlopt_dialects::Reported;
use mlopt_dialects::bridge::program::Program;
use mlopt_passes::arrays::static_sizes;

/// A program whose function of the same name is measured.
#[derive(Clone, Copy)]
pub struct Benchmark {
    pub name: &'static str,
    pub(super) text: &'static str,
    /// Whether it is measured in single precision too: the same text with `f32` for `f64`.
    pub single: bool,
    /// The letters that stand for sizes.
    pub dims: &'static str,
    /// The shapes of the inputs, polynomials in `dims`, and what they hold.
    pub inputs: &'static [(&'static [&'static str], Values)],
    /// Sizes for comparisons with the reference evaluator, odd on purpose.
    pub tiny: &'static [i64],
    pub small: &'static [i64],
    pub medium: &'static [i64],
    pub large: &'static [i64],
}

impl Benchmark {
    /// The program in double or single precision, made for the sizes `dims` or for all.
    pub fn program(&self, single: bool, dims: Option<&[i64]>) -> Result<Program, Reported> {
        let text = if single { self.text.replace("f64", "f32") } else { self.text.to_string() };
        let program = Program::parse(text.as_bytes(), &format!("{}.mlir", self.name))?;
        if let Some(dims) = dims {
            let entry = program.module().lookup(self.name).expect("a program has a function of its name");
            let size = |s: &&str| Some(Size::parse(s, self.dims).at(dims) as usize);
            let shapes: Vec<_> = self.inputs.iter().map(|(shape, _)| shape.iter().map(size).collect()).collect();
            static_sizes::specialise(entry, &shapes)?;
        }
        Ok(program)
    }
}

macro_rules! text {
    ($name:literal) => {
        include_str!(concat!("../../../bench/programs/", $name, ".mlir"))
    };
}

pub const BENCHMARKS: &[Benchmark] = &[
    Benchmark {
        name: "dot_grad",
        text: text!("dot_grad"),
        single: false,
        dims: "n",
        inputs: &[(&["n"], Normal(1.0)), (&["n"], Normal(1.0))],
        tiny: &[5],
        small: &[1000],
        medium: &[100_000],
        large: &[10_000_000],
    },
    Benchmark {
        name: "max_grad",
        text: text!("max_grad"),
        single: false,
        dims: "n",
        inputs: &[(&["n"], Normal(1.0))],
        tiny: &[37],
        small: &[1000],
        medium: &[100_000],
        large: &[10_000_000],
    },
    Benchmark {
        name: "vadd_jac",
        text: text!("vadd_jac"),
        single: false,
        dims: "n",
        inputs: &[(&["n"], Normal(1.0)), (&["n"], Normal(1.0))],
        tiny: &[5],
        small: &[64],
        medium: &[512],
        large: &[4096],
    },
    Benchmark {
        name: "vscale_jac",
        text: text!("vscale_jac"),
        single: false,
        dims: "n",
        inputs: &[(&["n"], Normal(1.0)), (&[], Normal(1.0))],
        tiny: &[5],
        small: &[1000],
        medium: &[100_000],
        large: &[10_000_000],
    },
    Benchmark {
        name: "nnmf_grad",
        text: text!("nnmf_grad"),
        single: false,
        dims: "mn",
        inputs: &[(&["m", "n"], Uniform(0.0, 2.0)), (&["m"], Uniform(0.5, 1.5)), (&["n"], Uniform(0.5, 1.5))],
        tiny: &[5, 11],
        small: &[100, 100],
        medium: &[1000, 1000],
        large: &[4000, 4000],
    },
    Benchmark {
        name: "ba_jac",
        text: text!("ba_jac"),
        single: false,
        dims: "n",
        inputs: &[(&["11"], Camera), (&["n", "3"], Point)],
        tiny: &[11],
        small: &[100],
        medium: &[10_000],
        large: &[1_000_000],
    },
    Benchmark {
        name: "ba_adbench",
        text: text!("ba_adbench"),
        single: false,
        dims: "cxp",
        inputs: &[
            (&["c", "11"], Camera),
            (&["x", "3"], Point),
            (&["p"], Uniform(0.5, 1.5)),
            (&["p", "2"], Normal(1.0)),
            (&["p", "2"], Indices("cx")),
        ],
        tiny: &[2, 3, 11],
        small: &[21, 500, 1000],
        medium: &[49, 7776, 31_843],
        large: &[372, 47_423, 204_472],
    },
    Benchmark {
        name: "gmm_grad",
        text: text!("gmm_grad"),
        single: false,
        dims: "dkn",
        inputs: &[
            (&["k"], Normal(1.0)),
            (&["k", "d"], Uniform(0.0, 1.0)),
            (&["k", "(dd+d)/2"], Normal(0.5)),
            (&["n", "d"], Normal(1.0)),
        ],
        tiny: &[3, 2, 11],
        small: &[2, 5, 1000],
        medium: &[10, 25, 1000],
        large: &[64, 25, 10_000],
    },
    Benchmark {
        name: "lstm_ad",
        text: text!("lstm_ad"),
        single: false,
        dims: "lcb",
        inputs: &[
            (&["2l", "4b"], Uniform(-1.0, 1.0)),
            (&["3", "b"], Uniform(-1.0, 1.0)),
            (&["2l", "b"], Uniform(-1.0, 1.0)),
            (&["c", "b"], Bits(0.3)),
        ],
        tiny: &[2, 5, 3],
        small: &[2, 100, 14],
        medium: &[2, 1024, 14],
        large: &[4, 4096, 14],
    },
    Benchmark {
        name: "lstm_train",
        text: text!("lstm_train"),
        single: true,
        dims: "tbih",
        inputs: &[
            (&["t", "b", "i"], Normal(1.0)),
            (&["t", "b", "h"], Uniform(-1.0, 1.0)),
            (&["i", "4h"], Weights),
            (&["h", "4h"], Weights),
            (&["4h"], Normal(0.1)),
        ],
        tiny: &[3, 2, 5, 3],
        small: &[16, 8, 16, 32],
        medium: &[32, 32, 64, 128],
        large: &[64, 64, 256, 256],
    },
    Benchmark {
        name: "mlp_step",
        text: text!("mlp_step"),
        single: true,
        dims: "biho",
        inputs: &[
            (&["b", "i"], Normal(1.0)),
            (&["b", "o"], OneHot),
            (&["i", "h"], Weights),
            (&["h"], Normal(0.1)),
            (&["h", "h"], Weights),
            (&["h"], Normal(0.1)),
            (&["h", "o"], Weights),
            (&["o"], Normal(0.1)),
        ],
        tiny: &[3, 5, 7, 2],
        small: &[16, 32, 64, 10],
        medium: &[64, 784, 256, 10],
        large: &[256, 1024, 1024, 256],
    },
    Benchmark {
        name: "bn_grad",
        text: text!("bn_grad"),
        single: true,
        dims: "bf",
        inputs: &[
            (&["b", "f"], Normal(2.0)),
            (&["f"], Uniform(0.5, 1.5)),
            (&["f"], Normal(1.0)),
            (&["b", "f"], Normal(1.0)),
        ],
        tiny: &[5, 11],
        small: &[32, 64],
        medium: &[256, 1024],
        large: &[4096, 2048],
    },
    Benchmark {
        name: "stream_lms",
        text: text!("stream_lms"),
        single: false,
        dims: "tp",
        inputs: &[(&["t+p-1"], Normal(1.0)), (&["t"], Normal(1.0)), (&["p"], Normal(0.1))],
        tiny: &[9, 3],
        small: &[1000, 16],
        medium: &[100_000, 16],
        large: &[1_000_000, 32],
    },
];
