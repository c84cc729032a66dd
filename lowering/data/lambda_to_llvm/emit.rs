//! Emission of one function: structured control flow becomes blocks, and values become their parts.

use super::layout::{Leaf, leaves};
use super::{Program, all_leaves, memory, result_type};
use crate::ir::*;
use crate::llvm::descriptors::llvm_number;
use crate::llvm::heap::{call, element, llvm_compare};
use std::collections::HashMap;

/// The number of bytes of stack that a function may take beyond the amount that is checked at its start.
const STACK_RESERVE: i64 = 1 << 16;

pub(super) struct Emitter<'e, 'p> {
    pub program: &'e mut Program<'p>,
    pub ctx: Context,
    /// The function that is being emitted.
    new: Op,
    /// The block to which ops are appended.
    pub block: Block,
    /// Memory, and the target of a stop.
    pub context: Value,
    values: HashMap<Value, Vec<Value>>,
    results: Vec<Leaf>,
}

/// The blocks of a loop, and the block after it.
pub(super) struct Loop {
    pub header: Block,
    pub body: Block,
    pub after: Block,
}

impl<'e, 'p> Emitter<'e, 'p> {
    pub fn new(program: &'e mut Program<'p>, new: Op, old: Op) -> Emitter<'e, 'p> {
        let block = new.entry();
        let context = block.argument(0);
        Emitter { program, ctx: old.context(), new, block, context, values: HashMap::new(), results: Vec::new() }
    }

    pub fn run(&mut self, function: Op) -> Result<()> {
        let (inputs, results) = signature(function);
        all_leaves(&inputs, function)?;
        self.results = all_leaves(&results, function)?;
        let entry = self.block;
        let loc = function.location();
        self.check_stack(function);
        self.bind_all(&function.entry().arguments(), &entry.arguments()[1..], loc);
        let mark = self.mark(function, &results);
        let end = self.ops(function.entry())?;
        let values = self.wires(&end.operands(), end);
        let b = self.b(end);
        self.reset_to(mark, b);
        b.make(Kind::LlvmReturn, &self.packed(&values, b), &[], &[]);
        Ok(())
    }

    fn packed(&self, values: &[Value], b: Builder) -> Vec<Value> {
        match values {
            [] | [_] => values.to_vec(),
            _ => {
                let ty = result_type(&self.results, self.ctx);
                let start = b.value(Kind::LlvmMlirUndef, &[], ty, &[]);
                let add = |so_far, (k, v): (usize, &Value)| {
                    let at = [("position", self.ctx.i64_array_attr(&[k as i64]))];
                    b.value(Kind::LlvmInsertvalue, &[so_far, *v], ty, &at)
                };
                vec![values.iter().enumerate().fold(start, add)]
            }
        }
    }

    pub fn b(&self, op: Op) -> Builder {
        Builder::at_end(self.block, op.location())
    }

    /// Creates a block that can be the target of a branch, with arguments of these types.
    pub fn new_block(&self, types: &[Type], at: Op) -> Block {
        let block = block_of(types.iter().copied(), at.location());
        self.new.region(0).append(block);
        block
    }

    pub fn go(&self, to: Block, values: &[Value], at: Op) {
        let b = self.b(at);
        b.insert(b.op(Kind::LlvmBr).operands(values).successor(to).build());
    }

    pub fn branch(&self, condition: Value, [yes, no]: [Block; 2], at: Op) {
        let b = self.b(at);
        let make = b.op(Kind::LlvmCondBr).operand_segments(&[&[condition], &[], &[]]);
        b.insert(make.successor(yes).successor(no).build());
    }

    /// Returns the parts of an old value.
    pub fn parts(&self, old: Value) -> Vec<Value> {
        self.values.get(&old).cloned().unwrap_or_default()
    }

    pub fn part(&self, old: Value) -> Value {
        self.values[&old][0]
    }

    pub fn set(&mut self, old: Value, parts: Vec<Value>) {
        self.values.insert(old, parts);
    }

    /// Returns parts in the form in which they are stored and passed between blocks: integers are words.
    pub fn wires(&self, old: &[Value], at: Op) -> Vec<Value> {
        let b = self.b(at);
        old.iter().flat_map(|v| self.parts(*v)).map(|v| self.wire(v, b)).collect()
    }

    pub fn wire(&self, v: Value, b: Builder) -> Value {
        if v.ty().is_index() { b.value(Kind::ArithIndexCast, &[v], self.ctx.int(64), &[]) } else { v }
    }

    pub fn unwire(&self, v: Value, part: &Leaf, b: Builder) -> Value {
        match part {
            Leaf::Number(ty) if ty.is_index() => b.value(Kind::ArithIndexCast, &[v], *ty, &[]),
            _ => v,
        }
    }

    /// Records the parts of old values in the current block. Their types are known to have parts.
    pub fn bind_all(&mut self, old: &[Value], wires: &[Value], loc: Location) {
        let (b, mut wires) = (Builder::at_end(self.block, loc), wires.iter());
        for v in old {
            let parts = leaves(v.ty()).expect("`all_leaves` has accepted the type");
            let values = parts.iter().zip(wires.by_ref()).map(|(part, wire)| self.unwire(*wire, part, b)).collect();
            self.set(*v, values);
        }
    }

    /// Returns the types in which the parts of values are passed between blocks.
    pub fn wire_types(&self, values: &[Value], at: Op) -> Result<Vec<Type>> {
        Ok(all_leaves(&types_of(values), at)?.iter().map(|part| part.wire(self.ctx)).collect())
    }

    /// Emits the ops of an old block. Returns its terminator.
    pub fn ops(&mut self, old: Block) -> Result<Op> {
        for op in old.ops() {
            if matches!(op.kind(), Kind::FuncReturn | Kind::LambdaYield | Kind::ScfYield | Kind::ScfCondition) {
                return Ok(op);
            }
            self.op(op)?;
        }
        Ok(old.end())
    }

    pub fn choose(&mut self, op: Op) -> Result<()> {
        let results = op.results();
        let merge = self.new_block(&self.wire_types(&results, op)?, op);
        let sides = [self.new_block(&[], op), self.new_block(&[], op)];
        self.branch(self.part(op.operand(0)), sides, op);
        for (k, block) in sides.into_iter().enumerate() {
            self.block = block;
            match op.region(k).first_block() {
                Some(side) => {
                    let end = self.ops(side)?;
                    self.go(merge, &self.wires(&end.operands(), end), end);
                }
                // An `scf.if` without results may have only one branch.
                None => self.go(merge, &[], op),
            }
        }
        self.block = merge;
        self.bind_all(&results, &merge.arguments(), op.location());
        Ok(())
    }

    /// Starts a loop that carries values of these types; ops are appended to its header.
    pub fn open_loop(&mut self, types: &[Type], start: &[Value], op: Op) -> Loop {
        let [header, body, after] = [types, &[], &[]].map(|types| self.new_block(types, op));
        self.go(header, start, op);
        self.block = header;
        Loop { header, body, after }
    }

    /// Ends the header of a loop: the body follows where `goes_on` holds. Ops are appended to the body.
    pub fn go_on_if(&mut self, goes_on: Value, the_loop: &Loop, op: Op) {
        self.branch(goes_on, [the_loop.body, the_loop.after], op);
        self.block = the_loop.body;
    }

    /// Ends the body of a loop. Ops are appended after it.
    pub fn close_loop(&mut self, the_loop: Loop, next: &[Value], op: Op) {
        self.go(the_loop.header, next, op);
        self.block = the_loop.after;
    }

    /// Emits `lambda.for`, which counts from zero, or `scf.for` over numbers.
    pub fn count(&mut self, op: Op) -> Result<()> {
        let is_scf = op.kind() == Kind::ScfFor;
        let skipped = if is_scf { 3 } else { 1 };
        let inits = op.operands()[skipped..].to_vec();
        let (b, word) = (self.b(op), self.ctx.int(64));
        let bounds: Vec<Value> = op.operands()[..skipped].iter().map(|v| self.wire(self.part(*v), b)).collect();
        let (from, to) = if is_scf { (bounds[0], bounds[1]) } else { (llvm_number(b, word, 0), bounds[0]) };
        let types = [vec![from.ty()], self.wire_types(&inits, op)?].concat();
        let the_loop = self.open_loop(&types, &[vec![from], self.starts(op, skipped)].concat(), op);
        let carried = the_loop.header.arguments();
        let goes_on = self.b(op).compare(Compare::Slt, carried[0], to);
        self.go_on_if(goes_on, &the_loop, op);
        let mark = if is_scf { None } else { self.mark(op, &types_of(&inits)) };
        let old = op.entry();
        self.bind_all(&old.arguments(), &carried, op.location());
        let end = self.ops(old)?;
        let b = self.b(end);
        let next = b.addi(carried[0], if is_scf { bounds[2] } else { llvm_number(b, word, 1) });
        self.reset_to(mark, b);
        self.close_loop(the_loop, &[vec![next], self.wires(&end.operands(), end)].concat(), end);
        self.bind_all(&op.results(), &carried[1..], op.location());
        Ok(())
    }

    /// Emits `lambda.while`, or `scf.while` over numbers, whose condition passes operands to the body and to the code
    /// after the loop.
    pub fn repeat(&mut self, op: Op) -> Result<()> {
        let inits = op.operands();
        let is_scf = op.kind() == Kind::ScfWhile;
        let types = self.wire_types(&inits, op)?;
        let the_loop = self.open_loop(&types, &self.starts(op, 0), op);
        let mark = if is_scf { None } else { self.mark(op, &types_of(&inits)) };
        let [condition, step] = [0, 1].map(|r| block_in(op, r));
        let mut carried = the_loop.header.arguments();
        self.bind_all(&condition.arguments(), &carried, op.location());
        let end = self.ops(condition)?;
        if is_scf {
            carried = self.wires(&end.operands()[1..], end);
        }
        self.go_on_if(self.part(end.operand(0)), &the_loop, end);
        self.bind_all(&step.arguments(), &carried, op.location());
        let end = self.ops(step)?;
        self.reset_to(mark, self.b(end));
        self.close_loop(the_loop, &self.wires(&end.operands(), end), end);
        self.bind_all(&op.results(), &carried, op.location());
        Ok(())
    }

    /// Returns the initial values of a loop, which follow operands that it does not carry.
    fn starts(&self, op: Op, skipped: usize) -> Vec<Value> {
        let mut all = Vec::new();
        for (k, v) in op.operands().into_iter().enumerate().skip(skipped) {
            if self.program.owned.is_copied(op, k) {
                all.push(self.copied(self.part(v), v.ty(), self.b(op)));
            } else {
                all.extend(self.wires(&[v], op));
            }
        }
        all
    }

    //===-- memory and stops --------------------------------------------------------------------------------------===//

    /// Allocates this number of bytes.
    pub fn allocate(&self, bytes: Value, b: Builder) -> Value {
        call(b, "mlopt.new", &[self.context, bytes], &[self.ctx.ptr()]).result(0)
    }

    /// Allocates a cell with these words.
    pub fn cell(&self, words: &[Value], b: Builder) -> Value {
        let bytes = llvm_number(b, self.ctx.int(64), 8 * words.len().max(1) as i64);
        let cell = self.allocate(bytes, b);
        for (k, v) in words.iter().enumerate() {
            let place = element(b, cell, k);
            b.make(Kind::LlvmStore, &[self.wire(*v, b), place], &[], &[]);
        }
        cell
    }

    /// Returns the part in word `k` of a cell.
    pub fn read(&self, cell: Value, k: usize, part: &Leaf, b: Builder) -> Value {
        let v = b.value(Kind::LlvmLoad, &[element(b, cell, k)], part.wire(self.ctx), &[]);
        self.unwire(v, part, b)
    }

    /// Stops here unless `fine` holds; the message may contain some words.
    pub fn stop_unless(&mut self, fine: Value, message: &str, words: &[Value], op: Op) {
        let status = self.program.stop(op.location().place_text(), message);
        self.stop_with(fine, status, |_| words.to_vec(), op);
    }

    /// Does the same with a known status; the words are read where the function stops.
    pub fn stop_with(&mut self, fine: Value, status: i64, words: impl FnOnce(Builder) -> Vec<Value>, op: Op) {
        let [rest, stop] = [self.new_block(&[], op), self.new_block(&[], op)];
        let weights = self.ctx.attribute("array<i32: 2000, 1>");
        let b = self.b(op);
        let make = b.op(Kind::LlvmCondBr).operand_segments(&[&[fine], &[], &[]]).attribute("branch_weights", weights);
        b.insert(make.successor(rest).successor(stop).build());
        self.block = stop;
        let b = self.b(op);
        for (k, v) in words(b).into_iter().enumerate() {
            let place = element(b, self.context, memory::VALUES + k);
            b.make(Kind::LlvmStore, &[self.wire(v, b), place], &[], &[]);
        }
        self.stop(llvm_number(b, self.ctx.int(64), status), b);
        self.block = rest;
    }

    pub fn stop(&self, status: Value, b: Builder) {
        call(b, "mlopt.stop", &[self.context, status], &[]);
        b.make(Kind::LlvmUnreachable, &[], &[], &[]);
    }

    /// Allocates this number of words on the stack, for one call.
    pub fn stack(&self, words: usize, op: Op) -> Value {
        let b = at_start(self.new.entry(), op.location());
        let count = llvm_number(b, self.ctx.int(64), words as i64);
        b.value(Kind::LlvmAlloca, &[count], self.ctx.ptr(), &[("elem_type", self.ctx.type_attr(self.ctx.int(64)))])
    }

    /// Stops if the stack is nearly exhausted, which happens in recursion.
    fn check_stack(&mut self, function: Op) {
        let word = self.ctx.int(64);
        if nested_of(function, Kind::FuncCall).is_empty() {
            return;
        }
        let b = self.b(function);
        let one = llvm_number(b, self.ctx.int(32), 1);
        let byte = [("elem_type", self.ctx.type_attr(self.ctx.int(8)))];
        let here = b.value(Kind::LlvmAlloca, &[one], self.ctx.ptr(), &byte);
        let here = b.value(Kind::LlvmPtrtoint, &[here], word, &[]);
        let limit = b.value(Kind::LlvmLoad, &[element(b, self.context, memory::STACK_LIMIT)], word, &[]);
        let reserve = llvm_number(b, word, STACK_RESERVE);
        let fine = llvm_compare(b, Compare::Ugt, here, b.same(Kind::LlvmAdd, &[limit, reserve]));
        let name = function.symbol().unwrap_or_default();
        let message = format!("stack-overflow: `@{name}` overflows the stack by its recursion");
        self.stop_unless(fine, &message, &[], function);
    }
}
