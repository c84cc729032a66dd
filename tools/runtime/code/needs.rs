//! The amount of scratch memory that functions need. It is determined by compiling only their `f.sizes`, for any x86-64
//! processor, whatever the target of the remaining code is.
#![allow(unsafe_code)]

use super::jit::Jit;
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_lowering::ir::{Op, Symbols, Value};
use mlopt_lowering::native::{Emit, Error, Export, Target, ValueType, exports};
use std::collections::{BTreeMap, BTreeSet, HashSet};

pub struct Needs {
    jit: Jit,
    exports: BTreeMap<String, Export>,
    /// For each function by name: the arguments of `f.sizes` from whose memory it reads.
    read: BTreeMap<String, BTreeSet<usize>>,
}

impl Needs {
    /// Compiles the `f.sizes` of a lowered module. All other functions of the module are erased.
    pub fn of(module: Op) -> Result<Needs, Error> {
        let exports = exports(module)?;
        let mut kept: BTreeSet<String> = exports.values().map(|e| format!("{}.sizes.packed", e.symbol)).collect();
        let mut open: Vec<String> = kept.iter().cloned().collect();
        let symbols = Symbols::of(module);
        while let Some(op) = open.pop().and_then(|symbol| symbols.get(&symbol)) {
            let attributes = op.nested_ops().into_iter().flat_map(|op| op.attributes());
            let named = attributes.filter_map(|(_, a)| a.as_symbol());
            open.extend(named.filter(|s| kept.insert(s.clone())).collect::<Vec<_>>());
        }
        module.child_ops().into_iter().filter(|op| op.symbol().is_some_and(|s| !kept.contains(&s))).for_each(Op::erase);
        let sizes = |e: &Export| symbols.get(&format!("{}.sizes", e.symbol)).map(reads).unwrap_or_default();
        let read = exports.iter().map(|(name, e)| (name.clone(), sizes(e))).collect();
        let target = Target::named("x86-64", "")?;
        target.describe(module);
        let jit = Jit::load(&target.emit(module, Emit::Object)?)?;
        Ok(Needs { jit, exports, read })
    }

    /// Checks whether the scratch memory of the function `name` depends on more than sizes and the value of its
    /// argument `count`.
    pub fn depends_on_values(&self, name: &str, count: Option<usize>) -> bool {
        self.read.get(name).is_some_and(|read| read.iter().any(|&k| Some(k) != count))
    }

    /// Returns the bytes of scratch memory of the function `name`, where every dynamic size of its arguments and
    /// results is `rows`, and so is the value of its argument `count`. Returns `None` if the number does not fit 63
    /// bits.
    ///
    /// # Errors
    /// The number depends on other values.
    pub fn scratch(&self, name: &str, rows: i64, count: Option<usize>) -> Result<Option<i64>, Error> {
        let unknown = || Error::Internal(format!("expected a function `@{name}` in the compiled module, found none"));
        let export = self.exports.get(name).ok_or_else(unknown)?;
        if self.depends_on_values(name, count) {
            return Err(Error::Internal(format!("the memory of `@{name}` must not depend on values of streams")));
        }
        let dynamic = |types: &[ValueType]| types.iter().map(ValueType::dynamic_dims).sum::<usize>();
        let [inputs, results] = [dynamic(&export.signature.inputs), dynamic(&export.signature.results)];
        let mut answer = vec![0i64; 2 + results];
        let mut rows = rows;
        let mut buffers: Vec<*mut i64> = vec![&raw mut rows; export.signature.inputs.len()];
        buffers.push(answer.as_mut_ptr());
        let sizes = vec![rows; inputs];
        let code = self.jit.address(&format!("{}.sizes.packed", export.symbol))?;
        // SAFETY: the address is that of a `.sizes.packed` wrapper in `self.jit`, and there is one buffer for each of
        // its parameters and one size for each `?`. It reads at most one word of `count`, which was checked above, and
        // writes the words of `answer`.
        unsafe {
            let code: unsafe extern "C" fn(*const *mut i64, *const i64) = std::mem::transmute(code);
            code(buffers.as_ptr(), sizes.as_ptr());
        }
        Ok((answer[0] == 0).then_some(answer[1]))
    }
}

/// Returns the arguments of a function from whose memory it may read.
pub(super) fn reads(function: Op) -> BTreeSet<usize> {
    let Some(entry) = function.body() else { return BTreeSet::new() };
    let mut seen: HashSet<Value> = HashSet::new();
    let loads = function.nested_ops().into_iter().filter(|op| matches!(op.kind(), Kind::LlvmLoad | Kind::LlvmCall));
    let mut open: Vec<Value> = loads.flat_map(|op| op.operands()).collect();
    let mut found = BTreeSet::new();
    while let Some(v) = open.pop() {
        if !seen.insert(v) {
            continue;
        }
        match (v.defining_op(), v.block_argument()) {
            (Some((op, _)), _) => open.extend(op.operands()),
            (None, Some((block, k))) if block == entry => {
                found.extend((v.ty().to_string() == "!llvm.ptr").then_some(k));
            }
            // An argument of another block may be any value.
            _ => found.extend(0..entry.num_arguments()),
        }
    }
    found
}
