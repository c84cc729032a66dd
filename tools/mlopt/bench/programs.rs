//! The thirteen programs of `tools/bench/programs`, with their sizes.

use super::size::Size;
use mlopt_dialects::Reported;
use mlopt_dialects::bridge::program::Program;
use mlopt_passes::static_sizes;

/// A program whose function of the same name is measured.
pub struct Benchmark {
    pub name: &'static str,
    text: &'static str,
    /// Whether it is measured in single precision too: the same text with `f32` for `f64`.
    pub single: bool,
    /// The letters that stand for sizes.
    pub dims: &'static str,
    /// The shapes of the inputs: polynomials in `dims`.
    pub inputs: &'static [&'static [&'static str]],
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
            let shapes: Vec<_> = self.inputs.iter().map(|shape| shape.iter().map(size).collect()).collect();
            static_sizes::specialise(entry, &shapes)?;
        }
        Ok(program)
    }
}

macro_rules! text {
    ($name:literal) => {
        include_str!(concat!("../../bench/programs/", $name, ".mlir"))
    };
}

pub const BENCHMARKS: &[Benchmark] = &[
    Benchmark {
        name: "dot_grad",
        text: text!("dot_grad"),
        single: false,
        dims: "n",
        inputs: &[&["n"], &["n"]],
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
        inputs: &[&["n"]],
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
        inputs: &[&["n"], &["n"]],
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
        inputs: &[&["n"], &[]],
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
        inputs: &[&["m", "n"], &["m"], &["n"]],
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
        inputs: &[&["11"], &["n", "3"]],
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
        inputs: &[&["c", "11"], &["x", "3"], &["p"], &["p", "2"], &["p", "2"]],
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
        inputs: &[&["k"], &["k", "d"], &["k", "(dd+d)/2"], &["n", "d"]],
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
        inputs: &[&["2l", "4b"], &["3", "b"], &["2l", "b"], &["c", "b"]],
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
        inputs: &[&["t", "b", "i"], &["t", "b", "h"], &["i", "4h"], &["h", "4h"], &["4h"]],
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
        inputs: &[&["b", "i"], &["b", "o"], &["i", "h"], &["h"], &["h", "h"], &["h"], &["h", "o"], &["o"]],
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
        inputs: &[&["b", "f"], &["f"], &["f"], &["b", "f"]],
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
        inputs: &[&["t+p-1"], &["t"], &["p"]],
        tiny: &[9, 3],
        small: &[1000, 16],
        medium: &[100_000, 16],
        large: &[1_000_000, 32],
    },
];
