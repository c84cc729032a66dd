//! Equality of ops with regions. Two regions are equal if they contain the same ops in the same order, up to the names
//! of values.

use crate::analysis::kinds;
use mlopt_dialects::ir::{Attribute, Op, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use rustc_hash::FxHashMap;

/// One op: its name, attributes, operand types and result types, and its location if an error message may contain it.
type Alone = (String, Vec<(String, Attribute)>, Vec<Type>, Option<String>);

/// An op with its regions. Ops with equal signatures compute the same results from equal operands and equal captured
/// values.
#[derive(PartialEq, Eq, Hash)]
pub struct Signature(Vec<u32>);

/// Numbers for ops and types, which keep signatures short.
#[derive(Default)]
pub struct Same {
    ops: FxHashMap<Alone, u32>,
    types: FxHashMap<Type, u32>,
}

impl Same {
    /// Returns the signature of an op. `captured` are the values from outside that its regions read.
    pub fn signature(&mut self, op: Op, captured: &[Value]) -> Signature {
        let names = captured.iter().enumerate().map(|(k, v)| (*v, k as u32)).collect();
        let mut walk = Walk { same: self, names, out: Vec::new() };
        walk.alone(op, None);
        for v in captured {
            walk.out.push(walk.same.ty(v.ty()));
        }
        walk.regions(op);
        Signature(walk.out)
    }

    fn ty(&mut self, ty: Type) -> u32 {
        let next = self.types.len() as u32;
        *self.types.entry(ty).or_insert(next)
    }
}

struct Walk<'s> {
    same: &'s mut Same,
    /// The numbers of values, in the order of their first occurrence.
    names: FxHashMap<Value, u32>,
    out: Vec<u32>,
}

impl Walk<'_> {
    fn alone(&mut self, op: Op, place: Option<String>) {
        let types = op.operands().into_iter().chain(op.results()).map(Value::ty).collect();
        let next = self.same.ops.len() as u32;
        let number = *self.same.ops.entry((op.name().to_string(), op.attributes(), types, place)).or_insert(next);
        self.out.extend([number, op.num_operands() as u32, op.num_results() as u32]);
    }

    fn value(&mut self, v: Value) {
        let next = self.names.len() as u32;
        let name = *self.names.entry(v).or_insert(next);
        self.out.push(name);
    }

    fn regions(&mut self, op: Op) {
        let regions = op.regions();
        self.out.push(regions.len() as u32);
        for region in regions {
            let blocks = region.blocks();
            self.out.push(blocks.len() as u32);
            for block in blocks {
                let arguments = block.arguments();
                self.out.push(arguments.len() as u32);
                for argument in arguments {
                    let ty = self.same.ty(argument.ty());
                    self.out.push(ty);
                    self.value(argument);
                }
                let ops = block.ops();
                self.out.push(ops.len() as u32);
                for inner in ops {
                    self.alone(inner, place(inner));
                    inner.operands().into_iter().for_each(|v| self.value(v));
                    self.regions(inner);
                    inner.results().into_iter().for_each(|v| self.value(v));
                }
            }
        }
    }
}

/// The ops that may trap or wait, with a message that names their location.
const LOCATED: &[Kind] = kinds![
    LambdaHead LambdaTail LambdaAget LambdaAset LambdaSliceGet LambdaSliceSet LambdaSend LambdaRecv LambdaClose
    LambdaJoin LambdaSpawn LambdaChannel LambdaMap ArrayCheck
];

/// Returns the location of an op that may trap or wait. Such an op must not be replaced by an equal one elsewhere,
/// because its message names the location.
fn place(op: Op) -> Option<String> {
    LOCATED.contains(&op.kind()).then(|| op.location().unnamed().to_string())
}
