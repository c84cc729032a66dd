//! Translation of channels, tasks, input and output to calls of the runtime (`tools/runtime/code/tasks.rs`).
//!
//! A channel or a task is a number. Generated code keeps sent values and arguments of tasks in its own memory until the
//! call of the runtime returns. The memory of every task lives until all tasks have ended, so tasks can send pointers
//! to each other. Each call passes the number of an entry of [`SITES`], from which the runtime finds the location of
//! the op. The call returns 0 if the task may continue.

use super::emit::Emitter;
use super::{all_leaves, llvm_number};
use crate::abi::shape::Shape;
use crate::ir::*;
use crate::llvm::heap::{call, element};

/// An attribute of the module: `[place, op, type]` for each op that may wait or does input or output. The arguments of
/// the type are the printed values, its result is the value that is read.
pub const SITES: &str = "lambda.sites";
/// The status of a task that the host has ended.
pub const ENDED: i64 = -2;
/// The suffix of the entry point for tasks that run a function.
const WAY_IN: &str = ".task";

/// The parameters after the context and the site: words of a value, maximum number of waiting values, and destination
/// of the number; a channel and the position of the value; a function, words of its result and of its arguments, their
/// position, and destination of the number; a task; the position of values.
const HELPERS: [(&str, &str); 8] = [
    ("mlopt.channel", "i64, i64, !llvm.ptr"),
    ("mlopt.send", "i64, !llvm.ptr"),
    ("mlopt.recv", "i64, !llvm.ptr"),
    ("mlopt.close", "i64"),
    ("mlopt.spawn", "!llvm.ptr, i64, i64, !llvm.ptr"),
    ("mlopt.join", "i64, !llvm.ptr"),
    ("mlopt.print", "!llvm.ptr"),
    ("mlopt.read", "!llvm.ptr"),
];

/// Declares the called functions.
pub fn declare(module: Op) {
    let called: Vec<String> = nested_of(module, Kind::LlvmCall).into_iter().filter_map(Op::callee).collect();
    for (name, arguments) in HELPERS.iter().filter(|(name, _)| called.iter().any(|c| c == name)) {
        let nounwind = "attributes {passthrough = [\"nounwind\"]}";
        let text = format!("llvm.func @{name}(!llvm.ptr, i64, {arguments}) -> i64 {nounwind}");
        crate::llvm::heap::add_text(module, &text);
    }
}

/// Returns the functions of the module that tasks run.
pub fn started(function: Op) -> Vec<String> {
    nested_of(function, Kind::LambdaSpawn).into_iter().filter_map(Op::callee).collect()
}

/// Returns the name of the entry point for tasks that run a function.
pub fn way_in(function: &str) -> String {
    format!("{function}{WAY_IN}")
}

/// Checks that the device of an op exists. Processors exist, as threads.
fn check_device(op: Op, virtual_devices: bool) -> Result<()> {
    let names = ["device", "dest"].into_iter().filter_map(|name| op.attribute(name)?.as_string());
    match names.into_iter().find(|name| name.starts_with("gpu") && !virtual_devices) {
        None => Ok(()),
        Some(device) => Err(op
            .limitation(format!("machine code for processors cannot use the device `{device}`"))
            .note(op.location(), "use the option `virtual-devices` to run tasks of devices on threads")
            .emit()),
    }
}

impl Emitter<'_, '_> {
    /// Returns the number of the site of an op, for messages.
    fn site(&mut self, op: Op, inputs: &[Type], results: &[Type]) -> Value {
        let ty = self.ctx.function_type(inputs, results);
        self.program.sites.push((op.location().place_text(), op.name().to_string(), ty));
        llvm_number(self.b(op), self.ctx.int(64), self.program.sites.len() as i64 - 1)
    }

    /// Calls the host; the task ends here if the host requests it.
    fn ask(&mut self, op: Op, what: &str, site: Value, others: &[Value]) {
        let b = self.b(op);
        let operands = [&[self.context, site], others].concat();
        let status = call(b, &format!("mlopt.{what}"), &operands, &[self.ctx.int(64)]).result(0);
        let goes_on = b.compare(Compare::Eq, status, llvm_number(b, self.ctx.int(64), 0));
        self.stop_with(goes_on, ENDED, |_| vec![], op);
    }

    /// Stores the parts of these values in words on the stack.
    fn words(&mut self, values: &[Value], op: Op) -> (Value, usize) {
        let parts = self.wires(values, op);
        let words = self.stack(parts.len().max(1), op);
        let b = self.b(op);
        for (k, v) in parts.iter().enumerate() {
            b.make(Kind::LlvmStore, &[*v, element(b, words, k)], &[], &[]);
        }
        (words, parts.len())
    }

    /// Emits an op that takes a token, or one about devices.
    pub fn effect(&mut self, op: Op) -> Result<Vec<Value>> {
        check_device(op, self.program.virtual_devices)?;
        all_leaves(&types_of(&[op.operands(), op.results()].concat()), op)?;
        let words = match op.kind() {
            Kind::LambdaTransfer => return Ok(self.parts(op.operand(0))),
            Kind::LambdaChannel => self.channel(op)?,
            Kind::LambdaSend => {
                let site = self.site(op, &[], &[]);
                let (words, _) = self.words(&op.operands()[2..], op);
                self.ask(op, "send", site, &[self.part(op.operand(1)), words]);
                return Ok(vec![]);
            }
            Kind::LambdaRecv | Kind::LambdaJoin => {
                let site = self.site(op, &[], &[]);
                let words = self.room(op)?;
                self.ask(op, op.name().trim_start_matches("lambda."), site, &[self.part(op.operand(1)), words]);
                words
            }
            Kind::LambdaClose => {
                let site = self.site(op, &[], &[]);
                self.ask(op, "close", site, &[self.part(op.operand(1))]);
                return Ok(vec![]);
            }
            Kind::LambdaSpawn => self.spawn(op)?,
            Kind::LambdaPrint => return self.print(op),
            _ => self.number_in(op)?,
        };
        let (b, parts) = (self.b(op), all_leaves(&[op.result(0).ty()], op)?);
        Ok(parts.iter().enumerate().map(|(k, part)| self.read(words, k, part, b)).collect())
    }

    /// Allocates words for the result of an op.
    fn room(&mut self, op: Op) -> Result<Value> {
        Ok(self.stack(all_leaves(&[op.result(0).ty()], op)?.len().max(1), op))
    }

    fn channel(&mut self, op: Op) -> Result<Value> {
        // The type of the items is the only part of the type of a channel.
        let width = all_leaves(&op.result(0).ty().parts()[0].parts(), op)?.len();
        let site = self.site(op, &[], &[]);
        let (b, word) = (self.b(op), self.ctx.int(64));
        let buffer = op.attribute("buffer").and_then(Attribute::as_i64).unwrap_or(0);
        let [width, buffer] = [width as i64, buffer].map(|n| llvm_number(b, word, n));
        let words = self.room(op)?;
        self.ask(op, "channel", site, &[width, buffer, words]);
        Ok(words)
    }

    /// Arguments are stored in words, and the number of the task is returned in the first.
    fn spawn(&mut self, op: Op) -> Result<Value> {
        let Some(callee) = op.callee() else {
            return Err(op.not_supported("a task must name its function; run `closure-convert` first"));
        };
        let site = self.site(op, &[], &[]);
        let (words, given) = self.words(&op.operands()[1..], op);
        let (b, word) = (self.b(op), self.ctx.int(64));
        let code = [("global_name", self.ctx.symbol_attr(&way_in(&callee)))];
        let code = b.value(Kind::LlvmMlirAddressof, &[], self.ctx.ptr(), &code);
        let gives = all_leaves(&op.result(0).ty().parts()[0].parts(), op)?.len();
        let [gives, given] = [gives, given].map(|n| llvm_number(b, word, n as i64));
        self.ask(op, "spawn", site, &[code, gives, given, words]);
        Ok(words)
    }

    fn print(&mut self, op: Op) -> Result<Vec<Value>> {
        let values = &op.operands()[1..];
        let types = types_of(values);
        if let Some(ty) = types.iter().find(|ty| Shape::of(**ty).is_none()) {
            return Err(op.not_supported(format!("machine code cannot print a value of type `{ty}`")));
        }
        let site = self.site(op, &types, &[]);
        let (words, _) = self.words(values, op);
        self.ask(op, "print", site, &[words]);
        Ok(vec![])
    }

    /// Emits `lambda.read`. Returns the words of the result.
    fn number_in(&mut self, op: Op) -> Result<Value> {
        let ty = op.result(0).ty().parts()[0];
        if !ty.is_scalar() {
            return Err(op.not_supported(format!("machine code cannot read a value of type `{ty}`")));
        }
        let site = self.site(op, &[], &[ty]);
        let words = self.room(op)?;
        self.ask(op, "read", site, &[words]);
        Ok(words)
    }
}
