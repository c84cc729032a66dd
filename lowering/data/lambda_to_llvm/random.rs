//! Random numbers. The state of a generator is four words, random numbers are computed from it by integer arithmetic
//! (`passes/functions/random.rs`), and arrays of random numbers are computed by functions of arrays.

use super::KERNEL;
use super::emit::Emitter;
use super::kernels::call_with;
use crate::ir::*;
use mlopt_passes::functions::random::{self, State};

impl Emitter<'_, '_> {
    pub fn random(&mut self, op: Op) -> Result<Vec<Value>> {
        let b = self.b(op);
        let given = self.parts(op.operand(0));
        Ok(match (op.kind(), given[..].try_into()) {
            (Kind::LambdaRngSplit, Ok(state)) => {
                let split = random::split(b, state);
                let (code, text) = random::TOO_MANY;
                self.stop_unless(split.fits, &format!("{code}: {text}"), &split.splits, op);
                split.children.concat()
            }
            (kind, Ok(state)) => {
                let ty = op.result(0).ty().parts()[0].with_encoding(None);
                let numbers = self.numbers(op, ty, state, kind == Kind::LambdaRngNormal)?;
                [vec![numbers], random::after(self.b(op), ty, state).to_vec()].concat()
            }
            _ => random::seed(b, given[0]).to_vec(),
        })
    }

    fn numbers(&mut self, op: Op, ty: Type, state: State, normal: bool) -> Result<Value> {
        if !ty.is_tensor() {
            return Ok(random::number(self.b(op), ty, state, normal));
        }
        let name = self.function_of_numbers(op, ty, normal);
        let words: Vec<(Value, Type)> = state[..3].iter().map(|v| (*v, v.ty())).collect();
        Ok(call_with(self, op, &name, &words, &[ty])?.remove(0))
    }

    /// Returns the function of arrays that generates arrays of this type from the key, the stream and the block.
    fn function_of_numbers(&mut self, op: Op, ty: Type, normal: bool) -> String {
        let key = (ty.to_string(), normal);
        if let Some(name) = self.program.random.get(&key) {
            return name.clone();
        }
        let (ctx, loc) = (self.ctx, op.location());
        let module = op.module().expect("an op is in a module");
        let name = self.program.symbols.free((0..).map(|k| format!("random.{k}")));
        let block = block_of([ctx.int(64); 3], loc);
        let b = Builder::at_end(block, loc);
        let numbers = random::array(b, ty, [0, 1, 2].map(|k| block.argument(k)), normal);
        b.make(Kind::FuncReturn, &[numbers], &[], &[]);
        let function =
            OpBuilder::function(Kind::FuncFunc, &name, block, &[ty], loc).attribute(KERNEL, ctx.unit_attr()).build();
        prepend(module.entry(), function);
        self.program.symbols.add(function);
        self.program.random.insert(key, name.clone());
        name
    }
}
