//! Specialises a function for given sizes of its arguments. The types of the arguments become static, and so do those
//! of all values whose sizes depend on them. Lengths, and integers that are computed from lengths, become constants.
//!
//! Functions that are called or differentiated are cloned for the sizes of their arguments. If no rule is known for an
//! op, the op keeps its types, and its operands are cast back to the old types.
//!
//! Requires: the attribute `array.sizes` with the sizes of the arguments: `4x?` for an array whose second size stays
//! dynamic, `-` for a scalar.
//! Preserves: the meaning of the function for arguments of these sizes.
//! ```mlir before
//! func.func @f(%x: tensor<?x?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> attributes {array.sizes = "4x8,8"} {
//!   %n = array.length %x : tensor<?x?xf64>
//!   %r = array.replicate %y, %n : (tensor<?xf64>) -> tensor<?x?xf64>
//!   %p = arith.mulf %x, %r : tensor<?x?xf64>
//!   %s = array.sum %p axes [1] : (tensor<?x?xf64>) -> tensor<?xf64>
//!   return %s : tensor<?xf64>
//! }
//! ```
//! ```mlir after
//! func.func @f(%x: tensor<4x8xf64>, %y: tensor<8xf64>) -> tensor<4xf64> {
//!   %n = arith.constant 4 : index
//!   %r = array.replicate %y : (tensor<8xf64>) -> tensor<4x8xf64>
//!   %p = arith.mulf %x, %r : tensor<4x8xf64>
//!   %s = array.sum %p axes [1] : (tensor<4x8xf64>) -> tensor<4xf64>
//!   return %s : tensor<4xf64>
//! }
//! ```

mod facts;
mod rewrite;

use facts::Facts;
use mlopt_dialects::Reported;
pub use mlopt_dialects::array::SIZES;
use mlopt_dialects::array::sizes;
use mlopt_dialects::bridge::Pass;
use mlopt_dialects::ir::{Builder, Dim, Op, Symbols, Type, Value};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::text::count;
use std::collections::HashMap;

pub const PASS: Pass = Pass {
    name: "static-sizes",
    description: "Specialise functions for the argument sizes in their attribute `array.sizes`",
    anchor: Kind::BuiltinModule.name(),
    options: &[],
    dialects: &["arith", "array", "tensor"],
    run: |module, _| run(module),
};

/// Specialises every function with the attribute [`SIZES`], and removes the attribute.
pub fn run(module: Op) -> Result<(), Reported> {
    for function in module.child_ops() {
        let Some(shapes) = function.attribute(SIZES).and_then(|a| sizes(&a.as_string()?)) else { continue };
        function.remove_attribute(SIZES);
        specialise(function, &shapes)?;
    }
    Ok(())
}

/// Specialises `function` for arguments of these `shapes`.
pub fn specialise(function: Op, shapes: &[Vec<Dim>]) -> Result<(), Reported> {
    let inputs = function.function_type().map(|(inputs, _)| inputs).unwrap_or_default();
    let fits = |ty: &Type, shape: &Vec<Dim>| {
        let old = ty.shape();
        old.len() == shape.len() && old.iter().zip(shape).all(|(a, b)| a.is_none() || a == b)
    };
    if function.body().is_none() {
        return Err(function.error("expected a function with a body to specialise, found a declaration").emit());
    }
    if inputs.len() != shapes.len() || !inputs.iter().zip(shapes).all(|(t, s)| fits(t, s)) {
        let types: Vec<String> = inputs.iter().map(|t| t.to_string()).collect();
        let found: Vec<String> = shapes.iter().map(|shape| rewrite::show(shape)).collect();
        let (types, found) = (types.join(", "), found.join(", "));
        let text = format!("expected {} for {types}, found {found}", count(inputs.len(), "shape"));
        return Err(function.error(text).emit());
    }
    let mut clones = Clones { symbols: function.module().map(Symbols::of).unwrap_or_default(), ..Clones::default() };
    let arguments: Vec<Argument> = shapes.iter().map(|s| Argument { shape: s.clone(), value: None }).collect();
    clones.specialise(function, &arguments)?;
    clones.remove_unused(function);
    Ok(())
}

/// The known facts about an argument: its sizes, and its value if it is an integer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Argument {
    shape: Vec<Dim>,
    value: Option<i64>,
}

/// The specialised functions, by the name of the original and the facts about the arguments.
#[derive(Default)]
struct Clones {
    made: HashMap<(String, Vec<Argument>), Op>,
    symbols: Symbols,
    /// The same functions, in the order of their creation.
    order: Vec<Op>,
    /// Names of the functions that are being specialised.
    stack: Vec<String>,
}

impl Clones {
    /// Returns the clone of the function called `name` for `arguments`; `None` if it cannot be created.
    fn clone_for(&mut self, name: &str, arguments: &[Argument]) -> Result<Option<Op>, Reported> {
        let key = (name.to_string(), arguments.to_vec());
        if let Some(&clone) = self.made.get(&key) {
            return Ok(Some(clone));
        }
        let callee = self.symbols.function(name).filter(|f| f.body().is_some());
        let Some(callee) = callee.filter(|_| !self.stack.iter().any(|n| n == name)) else { return Ok(None) };
        let clone = callee.clone_op();
        let free = self.symbols.free((1..).map(|k| format!("{name}.{k}")));
        clone.set_attribute("sym_name", clone.context().string_attr(&free));
        clone.set_attribute("sym_visibility", clone.context().string_attr("private"));
        let clone = Builder::before(callee).insert(clone);
        self.symbols.add(clone);
        self.stack.push(name.to_string());
        let outcome = self.specialise(clone, arguments);
        self.stack.pop();
        outcome?;
        self.made.insert(key, clone);
        self.order.push(clone);
        Ok(Some(clone))
    }

    fn specialise(&mut self, function: Op, arguments: &[Argument]) -> Result<(), Reported> {
        let body = function.entry();
        let mut facts = Facts::default();
        for (value, argument) in body.arguments().into_iter().zip(arguments) {
            facts.set(value, argument.shape.clone());
            facts.set_known(value, argument.value);
        }
        facts.block(self, body)?;
        rewrite::rewrite(function, body, &facts)
    }

    /// Removes clones that are not called in the end, because a loop is visited several times. Callers come after their
    /// callees.
    fn remove_unused(&self, root: Op) {
        let Some(module) = root.module().filter(|_| !self.order.is_empty()) else { return };
        let mut uses: HashMap<String, usize> = HashMap::new();
        for name in module.nested_ops().into_iter().filter_map(Op::callee) {
            *uses.entry(name).or_default() += 1;
        }
        for clone in self.order.iter().rev() {
            let name = clone.symbol().unwrap_or_default();
            if uses.get(&name).is_none_or(|&n| n == 0) {
                for used in clone.nested_ops().into_iter().filter_map(Op::callee) {
                    uses.entry(used).and_modify(|n| *n -= 1);
                }
                clone.erase();
            }
        }
    }
}

/// Returns the operands that remain when `old` sizes become `new` ones. There is an operand for each unknown size.
fn kept(old: &[Dim], new: &[Dim], operands: &[Value]) -> Vec<Value> {
    let unknown = old.iter().zip(new).filter(|(o, _)| o.is_none()).map(|(_, n)| n);
    operands.iter().zip(unknown).filter(|(_, n)| n.is_none()).map(|(v, _)| *v).collect()
}
