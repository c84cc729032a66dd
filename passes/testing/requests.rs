//! Functions that request derivatives of a random program, and calls of these functions. Tests include this file by its
//! path.

use super::samples;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::Array;
use std::cell::Cell;

/// The step limit. No program of the generator needs more, but one that is being reduced may not terminate.
const STEPS: u64 = 1_000_000;

pub fn list<T: std::fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|t| t.to_string()).collect::<Vec<_>>().join(", ")
}

/// Returns the program with `@f`, its `@jvp` along all float arguments and its `@vjp`.
pub fn with_requests(text: &str, (inputs, results): &(Vec<Type>, Vec<Type>)) -> String {
    let wrt: Vec<usize> = (0..inputs.len()).filter(|&k| inputs[k].is_differentiable()).collect();
    let floats: Vec<Type> = results.iter().copied().filter(|t| t.is_differentiable()).collect();
    let varying: Vec<Type> = wrt.iter().map(|&k| inputs[k]).collect();
    let names = list((0..inputs.len()).map(|k| format!("%x{k}")));
    let request = |name: &str, word: &str, directions: &[Type], more: &[Type]| {
        let parameters = inputs.iter().enumerate().map(|(k, t)| format!("%x{k}: {t}"));
        let parameters = list(parameters.chain(directions.iter().enumerate().map(|(k, t)| format!("%d{k}: {t}"))));
        let given = list((0..directions.len()).map(|k| format!("%d{k}")));
        let (types, all) = (list(inputs.iter().chain(directions)), list(results.iter().chain(more)));
        let returned = list((results.len()..results.len() + more.len()).map(|k| format!("%r#{k}")));
        format!(
            "func.func @{name}({parameters}) -> ({}) {{
  %r:{} = dual.{name} @f({names}) {word}({given}) wrt [{}] : ({types}) -> ({all})
  return {returned} : {}
}}\n",
            list(more),
            results.len() + more.len(),
            list(&wrt),
            list(more)
        )
    };
    text.to_string() + &request("jvp", "tangents", &varying, &floats) + &request("vjp", "cotangents", &floats, &varying)
}

/// The evaluator of one program, which detects results that are unspecified.
pub struct Watched {
    module: Op,
    /// True if the program takes a maximum or a minimum of an array.
    selects: bool,
    unknown_sizes: Cell<bool>,
    /// True if a maximum or minimum may have had a NaN operand (`spec/arrays.md` A.3.7).
    pub selects_nan: Cell<bool>,
}

impl Watched {
    pub fn new(module: Op) -> Watched {
        let is_selection =
            |op: &Op| matches!(op.kind(), Kind::ArrayMax | Kind::ArrayMin | Kind::ArrayArgmax | Kind::ArrayArgmin);
        let selects = module.nested_ops().iter().any(is_selection);
        Watched { module, selects, unknown_sizes: Cell::new(false), selects_nan: Cell::new(false) }
    }

    pub fn call(&self, name: &str, given: &[Array]) -> Result<Vec<Array>, String> {
        let mut look = |op: Op, _: usize, value: &Array| {
            let repeats = matches!(op.kind(), Kind::ArrayBuild | Kind::ArrayMapAccum | Kind::ArrayVmap);
            if repeats && value.rank() > 1 && value.is_empty() {
                self.unknown_sizes.set(true);
            }
            if self.selects && value.element().is_float() && value.to_f64().iter().any(|x| x.is_nan()) {
                self.selects_nan.set(true);
            }
        };
        let mut evaluator = Evaluator::new(self.module).with_trace(&mut look).with_limit(STEPS);
        evaluator.call(name, given).map_err(|e| e.to_string())
    }

    /// Checks whether a call contained an empty build or loop, which does not know the sizes of its rows.
    pub fn met_unknown_sizes(&self) -> bool {
        self.unknown_sizes.get()
    }
}

/// Returns directions for the floats among `values`.
pub fn directions(values: &[Array], seed: u64) -> Vec<Array> {
    let floats = values.iter().filter(|v| v.element().is_float()).enumerate();
    floats.map(|(k, v)| samples::array(v.element(), v.shape(), seed + k as u64)).collect()
}
