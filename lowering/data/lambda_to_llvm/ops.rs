//! Translation of ops without regions: ops on data, lists and numbers, and calls.

use super::emit::{Emitter, Loop};
use super::layout::{Leaf, component, field, leaves};
use super::{all_leaves, code, kernels, result_type, taken_apart};
use crate::ir::*;
use crate::llvm::descriptors::llvm_number;
use crate::llvm::heap::{call, element, is_null, llvm_compare};
use mlopt_dialects::lambda::types::TypeKind;
use mlopt_dialects::ops::func::Call;
use mlopt_dialects::ops::lambda::Make;

impl Emitter<'_, '_> {
    pub fn op(&mut self, op: Op) -> Result<()> {
        let all = |this: &Self| op.operands().into_iter().flat_map(|v| this.parts(v)).collect::<Vec<_>>();
        let parts = match op.kind() {
            Kind::LambdaUnit | Kind::LambdaToken | Kind::LambdaJoinTokens => vec![],
            Kind::LambdaTuple | Kind::LambdaRecord | Kind::LambdaStopGradient | Kind::LambdaOpaque => all(self),
            Kind::LambdaCheck => {
                let text = |name: &str| op.attribute(name).and_then(Attribute::as_string).unwrap_or_default();
                let fine = self.part(op.operand(0));
                self.stop_unless(fine, &format!("{}: {}", text("code"), text("text")), &[], op);
                self.parts(op.operand(1))
            }
            Kind::LambdaGet | Kind::LambdaField => {
                let (from, count) = component(op.operand(0).ty(), position(op));
                self.parts(op.operand(0))[from..][..count].to_vec()
            }
            Kind::LambdaTset | Kind::LambdaWith => {
                let (from, count) = component(op.operand(0).ty(), position(op));
                let mut parts = self.parts(op.operand(0));
                parts.splice(from..from + count, self.parts(op.operand(1)));
                parts
            }
            Kind::LambdaSwitch => {
                let (c, b) = (self.part(op.operand(0)), self.b(op));
                let [yes, no] = [1, 2].map(|k| self.parts(op.operand(k)));
                let chosen = |(x, y): (Value, Value)| b.value(Kind::LlvmSelect, &[c, x, y], x.ty(), &[]);
                yes.into_iter().zip(no).map(chosen).collect()
            }
            Kind::LambdaUnreachable => return self.never(op),
            Kind::LambdaIf | Kind::ScfIf => return self.choose(op),
            Kind::LambdaFor | Kind::ScfFor => return self.count(op),
            Kind::LambdaWhile | Kind::ScfWhile => return self.repeat(op),
            Kind::LambdaMake => vec![self.make(op)],
            Kind::LambdaCase => return self.case(op),
            Kind::LambdaNil => vec![self.b(op).value(Kind::LlvmMlirZero, &[], self.ctx.ptr(), &[])],
            Kind::LambdaCons => vec![self.cell(&all(self), self.b(op))],
            Kind::LambdaHead | Kind::LambdaTail => self.uncons(op)?,
            Kind::LambdaIsEmpty => vec![is_null(self.b(op), self.part(op.operand(0)))],
            Kind::LambdaLength => {
                let n = self.length(op)?;
                vec![self.unwire(n, &Leaf::Number(op.result(0).ty()), self.b(op))]
            }
            Kind::LambdaConcat => vec![self.concat(op)?],
            Kind::LambdaToList => vec![self.to_list(op)?],
            Kind::LambdaToArray => vec![self.to_array(op)?],
            Kind::LambdaAget => vec![self.aget(op)],
            Kind::LambdaAset => vec![self.aset(op)],
            Kind::LambdaChannel | Kind::LambdaSend | Kind::LambdaRecv | Kind::LambdaClose => self.effect(op)?,
            Kind::LambdaSpawn | Kind::LambdaJoin | Kind::LambdaTransfer => self.effect(op)?,
            Kind::LambdaPrint | Kind::LambdaRead => self.effect(op)?,
            Kind::LambdaRngSeed | Kind::LambdaRngSplit | Kind::LambdaRngUniform | Kind::LambdaRngNormal => {
                self.random(op)?
            }
            Kind::DualZero | Kind::DualOne | Kind::LambdaZerosLike if op.result(0).ty().is_scalar() => {
                vec![self.b(op).number(op.result(0).ty(), i64::from(op.kind() == Kind::DualOne))]
            }
            Kind::LambdaGadd if op.result(0).ty().is_float() => vec![self.b(op).same(Kind::ArithAddf, &all(self))],
            Kind::LambdaZerosLike | Kind::LambdaGadd
                if leaves(op.result(0).ty()).is_some_and(|parts| parts.is_empty()) =>
            {
                vec![]
            }
            Kind::FuncCall => return self.call(op),
            _ if is_scalar_code(op, op.name()) => {
                let operands: Vec<Value> = op.operands().into_iter().map(|v| self.part(v)).collect();
                let copy = self.b(op).copy_with(op, &operands);
                std::iter::zip(op.results(), copy.results()).for_each(|(old, new)| self.set(old, vec![new]));
                return Ok(());
            }
            _ => return Err(op.not_supported("`lambda-to-llvm` has no machine code for this op")),
        };
        self.set(op.result(0), parts);
        Ok(())
    }

    /// Emits code that is never reached.
    fn never(&mut self, op: Op) -> Result<()> {
        let b = self.b(op);
        for z in op.results() {
            let parts = all_leaves(&[z.ty()], op)?;
            let any = |part: &Leaf| {
                let v = b.value(Kind::LlvmMlirUndef, &[], part.wire(self.ctx), &[]);
                self.unwire(v, part, b)
            };
            let parts = parts.iter().map(any).collect();
            self.set(z, parts);
        }
        Ok(())
    }

    fn call(&mut self, op: Op) -> Result<()> {
        let name = op.cast::<Call>().callee().0;
        let results = op.results();
        let parts = all_leaves(&types_of(&results), op)?;
        if !self.program.taken.contains(&name) {
            return kernels::call_of_arrays(self, op, &name);
        }
        let operands = [vec![self.context], self.wires(&op.operands(), op)].concat();
        let b = self.b(op);
        let returned = if parts.is_empty() { vec![] } else { vec![result_type(&parts, self.ctx)] };
        let made = call(b, &code(&name), &operands, &returned);
        self.bind_all(&results, &taken_apart(b, made, &parts), op.location());
        Ok(())
    }

    //===-- variants ----------------------------------------------------------------------------------------------===//

    /// Returns the names and the fields of the variants of the type of `value`.
    fn variants(&self, value: Value) -> &[(String, Vec<Type>)] {
        let TypeKind::Data(name) = TypeKind::of(value.ty()) else { unreachable!("verified: a type of data") };
        &self.program.data[&name]
    }

    fn make(&self, op: Op) -> Value {
        let alternative = op.cast::<Make>().alternative();
        let k = self.variants(op.result(0)).iter().position(|(n, _)| *n == alternative);
        let k = k.expect("verified: a variant") as i64;
        let (b, word) = (self.b(op), self.ctx.int(64));
        let fields: Vec<Value> = op.operands().into_iter().flat_map(|v| self.parts(v)).collect();
        match op.num_operands() {
            0 => b.value(Kind::LlvmInttoptr, &[llvm_number(b, word, 2 * k + 1)], self.ctx.ptr(), &[]),
            _ => self.cell(&[vec![llvm_number(b, word, k)], fields].concat(), b),
        }
    }

    fn case(&mut self, op: Op) -> Result<()> {
        let variants = self.variants(op.operand(0)).iter();
        let alternatives: Vec<Vec<Type>> = variants.map(|(_, fields)| fields.clone()).collect();
        let value = self.part(op.operand(0));
        let results = op.results();
        let merge = self.new_block(&self.wire_types(&results, op)?, op);
        let arms: Vec<Block> = alternatives.iter().map(|_| self.new_block(&[], op)).collect();
        let number = self.alternative(value, &alternatives, op);
        for k in 0..arms.len() {
            if k + 1 == arms.len() {
                self.go(arms[k], &[], op);
                break;
            }
            let other = self.new_block(&[], op);
            let b = self.b(op);
            let is = llvm_compare(b, Compare::Eq, number, llvm_number(b, self.ctx.int(64), k as i64));
            self.branch(is, [arms[k], other], op);
            self.block = other;
        }
        if arms.is_empty() {
            // No value of the type exists.
            self.b(op).make(Kind::LlvmUnreachable, &[], &[], &[]);
        }
        for (k, arm) in arms.into_iter().enumerate() {
            self.block = arm;
            let old = block_in(op, k);
            let mut word = 1;
            for (argument, ty) in old.arguments().into_iter().zip(&alternatives[k]) {
                let b = self.b(op);
                let parts = all_leaves(&[*ty], op)?;
                let values = parts.iter().enumerate().map(|(j, part)| self.read(value, word + j, part, b)).collect();
                word += parts.len();
                self.set(argument, values);
            }
            let end = self.ops(old)?;
            self.go(merge, &self.wires(&end.operands(), end), end);
        }
        self.block = merge;
        self.bind_all(&results, &merge.arguments(), op.location());
        Ok(())
    }

    /// Returns the number of the variant of a value.
    fn alternative(&mut self, value: Value, all: &[Vec<Type>], op: Op) -> Value {
        let word = self.ctx.int(64);
        let b = self.b(op);
        let [some_have, all_have] =
            [all.iter().any(|fields| !fields.is_empty()), all.iter().all(|fields| !fields.is_empty())];
        let number = Leaf::Number(word);
        if all_have {
            return if all.len() == 1 { llvm_number(b, word, 0) } else { self.read(value, 0, &number, b) };
        }
        let bits = b.value(Kind::LlvmPtrtoint, &[value], word, &[]);
        let one = llvm_number(b, word, 1);
        let itself = b.same(Kind::LlvmLshr, &[bits, one]);
        if !some_have {
            return itself;
        }
        let is_number = llvm_compare(b, Compare::Eq, b.same(Kind::LlvmAnd, &[bits, one]), one);
        let [cell, merge] = [self.new_block(&[], op), self.new_block(&[word], op)];
        let make = b.op(Kind::LlvmCondBr).operand_segments(&[&[is_number], &[itself], &[]]);
        b.insert(make.successors(&[merge, cell]).build());
        self.block = cell;
        let there = self.read(value, 0, &number, self.b(op));
        self.go(merge, &[there], op);
        self.block = merge;
        merge.argument(0)
    }

    //===-- lists -------------------------------------------------------------------------------------------------===//

    fn element_parts(&self, list: Value, op: Op) -> Result<Vec<Leaf>> {
        all_leaves(&list.ty().parts(), op)
    }

    fn uncons(&mut self, op: Op) -> Result<Vec<Value>> {
        let list = op.operand(0);
        let (cell, parts) = (self.part(list), self.element_parts(list, op)?);
        let b = self.b(op);
        let empty = is_null(b, cell);
        let fine = b.same(Kind::LlvmXor, &[empty, llvm_number(b, self.ctx.int(1), 1)]);
        let what = op.name().trim_start_matches("lambda.");
        self.stop_unless(fine, &format!("empty-list: an empty list has no {what}"), &[], op);
        let b = self.b(op);
        Ok(match op.kind() {
            Kind::LambdaHead => parts.iter().enumerate().map(|(k, part)| self.read(cell, k, part, b)).collect(),
            _ => vec![self.read(cell, parts.len(), &self.tail(list), b)],
        })
    }

    fn tail(&self, list: Value) -> Leaf {
        Leaf::List(list.ty().parts()[0])
    }

    /// Starts a loop over the cells of a list, which carries the cell and another value; ops are appended to its body.
    fn over_cells(&mut self, start: [Value; 2], op: Op) -> (Loop, [Value; 2]) {
        let the_loop = self.open_loop(&types_of(&start), &start, op);
        let carried = [0, 1].map(|k| the_loop.header.argument(k));
        let ends = is_null(self.b(op), carried[0]);
        self.branch(ends, [the_loop.after, the_loop.body], op);
        self.block = the_loop.body;
        (the_loop, carried)
    }

    /// Returns the number of elements of a list, a word.
    fn length(&mut self, op: Op) -> Result<Value> {
        let list = op.operand(0);
        let (parts, tail) = (self.element_parts(list, op)?, self.tail(list));
        let word = self.ctx.int(64);
        let zero = llvm_number(self.b(op), word, 0);
        let (the_loop, [cell, n]) = self.over_cells([self.part(list), zero], op);
        let b = self.b(op);
        let next = self.read(cell, parts.len(), &tail, b);
        self.close_loop(the_loop, &[next, b.same(Kind::LlvmAdd, &[n, llvm_number(b, word, 1)])], op);
        Ok(n)
    }

    /// Copies the cells of the first list; the tail of the last one is the second list.
    fn concat(&mut self, op: Op) -> Result<Value> {
        let list = op.operand(0);
        let (parts, tail, ptr) = (self.element_parts(list, op)?, self.tail(list), self.ctx.ptr());
        let b = self.b(op);
        // The destination of the next cell: at first a word on the stack, then the tail of the previous cell.
        let one = llvm_number(b, self.ctx.int(64), 8);
        let first = self.allocate(one, b);
        let (the_loop, [cell, end]) = self.over_cells([self.part(list), first], op);
        let b = self.b(op);
        let bytes = llvm_number(b, self.ctx.int(64), 8 * (parts.len() as i64 + 1));
        let copy = self.allocate(bytes, b);
        for (k, part) in parts.iter().enumerate() {
            let v = b.value(Kind::LlvmLoad, &[element(b, cell, k)], part.wire(self.ctx), &[]);
            b.make(Kind::LlvmStore, &[v, element(b, copy, k)], &[], &[]);
        }
        b.make(Kind::LlvmStore, &[copy, end], &[], &[]);
        let next = self.read(cell, parts.len(), &tail, b);
        self.close_loop(the_loop, &[next, element(b, copy, parts.len())], op);
        let b = self.b(op);
        b.make(Kind::LlvmStore, &[self.part(op.operand(1)), end], &[], &[]);
        Ok(b.value(Kind::LlvmLoad, &[first], ptr, &[]))
    }

    /// Creates a list, from the last element to the first.
    fn to_list(&mut self, op: Op) -> Result<Value> {
        let array = op.operand(0);
        let (word, ptr) = (self.ctx.int(64), self.ctx.ptr());
        let item = all_leaves(&[array.ty().scalar()], op)?.remove(0);
        if array.ty().rank() != 1 {
            let text = "machine code cannot make a list whose elements are arrays; the operand must have one axis";
            return Err(op.not_supported(text));
        }
        let object = self.part(array);
        let b = self.b(op);
        let n = self.size(object, array.ty(), 0, b);
        let the_loop = self.open_loop(&[word, ptr], &[n, b.value(Kind::LlvmMlirZero, &[], ptr, &[])], op);
        let [k, list] = [0, 1].map(|k| the_loop.header.argument(k));
        let b = self.b(op);
        self.go_on_if(b.compare(Compare::Sgt, k, llvm_number(b, word, 0)), &the_loop, op);
        let b = self.b(op);
        let before = b.same(Kind::LlvmSub, &[k, llvm_number(b, word, 1)]);
        let place = self.place(object, array.ty(), before, b);
        let v = b.value(Kind::LlvmLoad, &[place], item.wire(self.ctx), &[]);
        let cell = self.cell(&[v, list], b);
        self.close_loop(the_loop, &[before, cell], op);
        Ok(list)
    }

    fn to_array(&mut self, op: Op) -> Result<Value> {
        let (list, ty) = (op.operand(0), op.result(0).ty());
        let word = self.ctx.int(64);
        let (parts, tail) = (self.element_parts(list, op)?, self.tail(list));
        let ([Leaf::Number(_)], 1) = (&parts[..], ty.rank()) else {
            let text = "machine code cannot make an array from a list of arrays; use a list of numbers";
            return Err(op.not_supported(text));
        };
        let n = self.length(op)?;
        let b = self.b(op);
        let object = self.new_array(ty, &[n], b);
        let zero = llvm_number(b, word, 0);
        let (the_loop, [cell, k]) = self.over_cells([self.part(list), zero], op);
        let b = self.b(op);
        let v = b.value(Kind::LlvmLoad, &[element(b, cell, 0)], parts[0].wire(self.ctx), &[]);
        b.make(Kind::LlvmStore, &[v, self.place(object, ty, k, b)], &[], &[]);
        let next = self.read(cell, 1, &tail, b);
        self.close_loop(the_loop, &[next, b.same(Kind::LlvmAdd, &[k, llvm_number(b, word, 1)])], op);
        Ok(object)
    }
}

/// Checks whether an op is arithmetic on numbers.
pub(super) fn is_scalar_code(op: Op, name: &str) -> bool {
    let dialect = name.split('.').next().unwrap_or_default();
    let numbers = op.operands().into_iter().chain(op.results()).all(|v| v.ty().is_scalar());
    matches!(dialect, "arith" | "math") && numbers && op.num_regions() == 0
}

/// Returns the component of a tuple or record to which an op refers.
fn position(op: Op) -> usize {
    match op.attribute("index").and_then(Attribute::as_i64) {
        Some(k) => k as usize,
        None => field(op.operand(0).ty(), &op.attribute("field").and_then(Attribute::as_string).expect("verified")),
    }
}
