//! Type inference for programs with open types (`spec/functional.md` A.5), by abstract interpretation. A function is
//! inferred once for each signature with which it is called.
//!
//! A body is traversed with the types of its arguments, as an execution would traverse it with values. A function value
//! is inferred when it is called; before that, its type is a function type with unknown argument and result types,
//! together with the set of functions that the value may be. A value that is defined as a function has one copy for
//! each signature. A parameter that is a function has one type within a copy of the function to which it belongs. An op
//! that depends on an unknown type, such as the result of a recursive call, is deferred until the type is known.

mod ops;
mod overloads;
mod prims;
mod sizes;
mod value;

pub use prims::{Prim, prim};
use sizes::Sizes;

use super::unify::{Clash, Node, Numeral, Ty, Types};
use mlopt_dialects::diagnostics::{Diagnostic, Reported};
use mlopt_dialects::ir::{Attribute, Block, Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::text::count;
use std::collections::{HashMap, HashSet};

/// The maximum nesting of contexts of one function; deeper nesting does not terminate.
const DEEPEST: usize = 64;

/// The maximum number of calls in a diagnostic.
const MOST_NOTES: usize = 8;

/// The op that defines a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// `lambda.lambda`.
    Lambda(Op),
    /// `func.func`.
    Function(Op),
    /// `lambda.grad` and similar requests: a function derived from another.
    Derived(Op),
}

impl Code {
    pub fn op(self) -> Op {
        match self {
            Code::Lambda(op) | Code::Function(op) | Code::Derived(op) => op,
        }
    }
}

/// A copy of a function, for one signature.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Copy(pub usize);

/// A function, and the copy of the enclosing function in which it is defined.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Closure {
    pub code: Code,
    pub around: Option<Copy>,
}

/// The binding of a value.
#[derive(Clone, Copy)]
pub enum Binding {
    /// A value of one type.
    One(Ty),
    /// A function, once for each signature with which it is used.
    Each(Closure),
}

/// One copy.
pub struct Instance {
    pub closure: Closure,
    pub inputs: Vec<Ty>,
    pub result: Ty,
    pub values: HashMap<Value, Binding>,
    /// The types that operations compute, for results whose types may have other sizes.
    pub own: HashMap<Value, Ty>,
    /// The types at which function operands are used; a walk uses its function once for each leaf.
    pub uses: HashMap<(Op, usize), Vec<Ty>>,
    /// The first call.
    pub caller: Option<(Copy, Op)>,
    open: bool,
}

/// The outcome of processing an op.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Done,
    /// A type is not known yet.
    Waiting,
}

type Outcome = Result<Step, Reported>;

pub struct Infer {
    pub types: Types<Closure>,
    pub instances: Vec<Instance>,
    pub by_closure: HashMap<Closure, Vec<Copy>>,
    functions: HashMap<String, Op>,
    waiting: Vec<(Copy, Op)>,
    depth: HashMap<Code, usize>,
    most: usize,
}

impl Infer {
    /// Creates the inference for a module, with at most `most` copies of functions.
    pub fn new(module: Op, most: usize) -> Infer {
        let functions = module.child_ops().into_iter().filter(|op| op.kind() == Kind::FuncFunc);
        Infer {
            types: Types::new(module.context()),
            instances: Vec::new(),
            by_closure: HashMap::new(),
            functions: functions.filter_map(|f| Some((f.symbol()?, f))).collect(),
            waiting: Vec::new(),
            depth: HashMap::new(),
            most,
        }
    }

    /// Returns the copy of a function whose argument types are written.
    ///
    /// # Errors
    /// Types that do not agree, or that nothing determines.
    pub fn entry(&mut self, function: Op) -> Result<Copy, Reported> {
        let body = function.entry();
        let inputs = body.arguments().into_iter().map(|a| self.types.written(a.ty())).collect();
        let closure = Closure { code: Code::Function(function), around: None };
        let copy = self.copy(closure, inputs, None)?;
        self.settle()?;
        Ok(copy)
    }

    /// Processes deferred ops until everything is known.
    fn settle(&mut self) -> Result<(), Reported> {
        loop {
            let mut progress = false;
            for (copy, op) in std::mem::take(&mut self.waiting) {
                match self.step(copy, op)? {
                    Step::Done => progress = true,
                    Step::Waiting => self.waiting.push((copy, op)),
                }
            }
            if self.waiting.is_empty() && !self.types.take_defaults() {
                return Ok(());
            }
            if !progress && !self.waiting.is_empty() && !self.types.take_defaults() {
                let (copy, op) = self.waiting[0];
                let text = "cannot-infer: the types of the operands are not determined; state one of them";
                return Err(self.chain(copy, op.error(text)).emit());
            }
        }
    }

    /// Returns the copy of `closure` for these types of arguments, an existing or a new one.
    fn copy(&mut self, closure: Closure, inputs: Vec<Ty>, caller: Option<(Copy, Op)>) -> Result<Copy, Reported> {
        let known = self.by_closure.get(&closure).cloned().unwrap_or_default();
        let fits = |this: &Infer, c: &Copy, compare: fn(&Types<Closure>, Ty, Ty) -> bool| {
            let had = &this.instances[c.0].inputs;
            had.len() == inputs.len() && had.iter().zip(&inputs).all(|(a, b)| compare(&this.types, *a, *b))
        };
        if let Some(copy) = known.iter().find(|c| fits(self, c, Types::same)) {
            return Ok(*copy);
        }
        // Within a recursion a parameter has one type.
        let open = known.iter().rev().find(|c| self.instances[c.0].open && fits(self, c, Types::could_be_same));
        if let (Some(&copy), Some((at, op))) = (open, caller) {
            for (had, given) in self.instances[copy.0].inputs.clone().into_iter().zip(inputs) {
                self.unify(at, op, had, given)?;
            }
            return Ok(copy);
        }
        self.new_copy(closure, inputs, caller)
    }

    fn new_copy(&mut self, closure: Closure, inputs: Vec<Ty>, caller: Option<(Copy, Op)>) -> Result<Copy, Reported> {
        let code = closure.code;
        let depth = *self.depth.get(&code).unwrap_or(&0);
        if depth >= DEEPEST || self.instances.len() >= self.most {
            let (at, op) = caller.unwrap_or((Copy(0), code.op()));
            let why = if depth >= DEEPEST {
                let types: Vec<String> = inputs.iter().map(|t| self.types.text(*t)).collect();
                let types = types.join(", ");
                format!(
                    "expected each recursive call to have the argument types of an earlier call, found {depth} nested \
                     calls of one function with different argument types, and then one with ({types})"
                )
            } else {
                format!("more than {} copies of functions are needed; the option `most` raises the limit", self.most)
            };
            let text = format!("infinite-specialisation: {why}");
            return Err(self.chain(at, op.error(text)).emit());
        }
        let copy = Copy(self.instances.len());
        let result = self.types.unknown();
        let (values, own, uses) = (HashMap::new(), HashMap::new(), HashMap::new());
        self.instances.push(Instance { closure, inputs, result, values, own, uses, caller, open: true });
        self.by_closure.entry(closure).or_default().push(copy);
        *self.depth.entry(code).or_default() += 1;
        self.go_through(copy)?;
        self.instances[copy.0].open = false;
        self.depth.entry(code).and_modify(|depth| *depth -= 1);
        Ok(copy)
    }

    fn go_through(&mut self, copy: Copy) -> Result<(), Reported> {
        let instance = &self.instances[copy.0];
        let (op, inputs, caller) = (instance.closure.code.op(), instance.inputs.clone(), instance.caller);
        if let Code::Derived(op) = instance.closure.code {
            return self.attempt(copy, op);
        }
        let body = op.entry();
        if body.terminator().is_none_or(|end| end.num_operands() != 1) {
            return Err(
                op.not_supported("`lambda-specialise` requires exactly one result of each function; return a tuple")
            );
        }
        let arguments = body.arguments();
        if arguments.len() != inputs.len() {
            let (at, call) = caller.unwrap_or((copy, op));
            let takes = count(arguments.len(), "argument");
            let text = format!("arity-mismatch: the function takes {takes}, found {}", inputs.len());
            return Err(self.chain(at, call.error(text)).note(op.location(), "the function is defined here").emit());
        }
        for (argument, ty) in arguments.into_iter().zip(inputs) {
            let written = self.types.written(argument.ty());
            let (at, call) = caller.unwrap_or((copy, op));
            // The argument may determine sizes that the function leaves open.
            let exact = self.agree(at, call, written, ty, Sizes::Meet)?;
            self.unify(at, call, exact, ty)?;
            self.bind(copy, argument, ty);
        }
        let end = self.block(copy, body)?;
        let mut result = self.operand(copy, end, 0);
        let slot = self.instances[copy.0].result;
        if let Code::Function(f) = self.instances[copy.0].closure.code
            && let Some((_, results)) = f.function_type()
            && let [written] = results[..]
        {
            let written = self.types.written(written);
            result = self.agree(copy, end, written, result, Sizes::First)?;
        }
        self.unify(copy, end, slot, result)
    }

    /// Processes a block. Returns its terminator.
    fn block(&mut self, copy: Copy, block: Block) -> Result<Op, Reported> {
        let (ops, end) = block.split_end();
        ops.into_iter().try_for_each(|op| self.attempt(copy, op))?;
        Ok(end)
    }

    /// Processes an op, or defers it.
    fn attempt(&mut self, copy: Copy, op: Op) -> Result<(), Reported> {
        if self.step(copy, op)? == Step::Waiting {
            self.waiting.push((copy, op));
        }
        Ok(())
    }

    fn bind(&mut self, copy: Copy, value: Value, ty: Ty) {
        self.instances[copy.0].values.insert(value, Binding::One(ty));
    }

    fn bind_function(&mut self, copy: Copy, value: Value, code: Code) {
        let around = if let Code::Function(_) = code { None } else { Some(copy) };
        self.instances[copy.0].values.insert(value, Binding::Each(Closure { code, around }));
    }

    /// Returns the binding of a value, in this copy or in an enclosing one.
    pub fn binding(&self, copy: Copy, value: Value) -> Binding {
        let mut at = Some(copy);
        while let Some(copy) = at {
            let instance = &self.instances[copy.0];
            if let Some(binding) = instance.values.get(&value) {
                return *binding;
            }
            at = instance.closure.around;
        }
        unreachable!("a value is bound before it is used")
    }

    /// Returns the type at which an op uses its operand `k`.
    fn operand(&mut self, copy: Copy, op: Op, k: usize) -> Ty {
        self.operand_at(copy, op, k, 0)
    }

    /// As `operand`, for an op that uses it several times.
    fn operand_at(&mut self, copy: Copy, op: Op, k: usize, time: usize) -> Ty {
        match self.binding(copy, op.operand(k)) {
            Binding::One(ty) => ty,
            Binding::Each(closure) => {
                if let Some(ty) = self.instances[copy.0].uses.get(&(op, k)).and_then(|used| used.get(time)) {
                    return *ty;
                }
                let ty = self.types.add(Node::Function { arrow: None, members: vec![closure] });
                let used = self.instances[copy.0].uses.entry((op, k)).or_default();
                debug_assert_eq!(used.len(), time);
                used.push(ty);
                ty
            }
        }
    }

    fn operands(&mut self, copy: Copy, op: Op) -> Vec<Ty> {
        (0..op.num_operands()).map(|k| self.operand(copy, op, k)).collect()
    }

    /// Unifies two types, where `a` is the expected one, and infers the functions that this calls.
    fn unify(&mut self, copy: Copy, op: Op, a: Ty, b: Ty) -> Result<(), Reported> {
        let mut called = Vec::new();
        if let Err(clash) = self.types.unify(a, b, &mut called) {
            return Err(self.fail(copy, op, &clash));
        }
        called.into_iter().try_for_each(|f| self.infer_members(copy, op, f))
    }

    /// Returns the result type of a function value for these arguments, an unknown if it is not known yet.
    fn apply(&mut self, copy: Copy, op: Op, f: Ty, inputs: &[Ty]) -> Result<Ty, Reported> {
        let (had, members) = match self.types.node(f).clone() {
            Node::Unknown(None) => (None, vec![]),
            Node::Function { arrow, members } => (arrow, members),
            _ => {
                return self.mismatch(copy, op, "a function", f);
            }
        };
        if let Some((wanted, result)) = had {
            if wanted.len() != inputs.len() {
                let text = format!("the function takes {}, found {}", count(wanted.len(), "argument"), inputs.len());
                return self.refuse(copy, op, "arity-mismatch", text);
            }
            for (wanted, given) in wanted.into_iter().zip(inputs) {
                self.unify(copy, op, wanted, *given)?;
            }
            return Ok(result);
        }
        if inputs.iter().any(|t| self.types.occurs(f, *t)) {
            return self.refuse(copy, op, "infinite-type", "a function must not be an argument of itself");
        }
        let result = self.types.unknown();
        self.types.set(f, Node::Function { arrow: Some((inputs.to_vec(), result)), members });
        self.infer_members(copy, op, f)?;
        Ok(result)
    }

    /// Infers the possible functions of `f` for its arrow, if it has one.
    fn infer_members(&mut self, copy: Copy, op: Op, f: Ty) -> Result<(), Reported> {
        let mut done: HashSet<Closure> = HashSet::new();
        loop {
            // Other functions may be added while these are inferred.
            let Node::Function { arrow: Some((inputs, result)), members } = self.types.node(f).clone() else {
                return Ok(());
            };
            let Some(next) = members.into_iter().find(|m| !done.contains(m)) else { return Ok(()) };
            done.insert(next);
            let made = self.copy(next, inputs, Some((copy, op)))?;
            let given = self.instances[made.0].result;
            self.unify(copy, op, result, given)?;
        }
    }

    /// Reports that types do not agree at `op`.
    fn fail(&self, copy: Copy, op: Op, clash: &Clash) -> Reported {
        let mut diagnostic = op.error(format!("{}: {}", clash.code, clash.text));
        for (k, value) in op.operands().into_iter().enumerate() {
            if let Binding::One(ty) = self.binding(copy, value) {
                let text = self.types.text(ty);
                let what = match self.types.node(ty) {
                    Node::Unknown(Some(_)) | Node::Function { arrow: None, .. } => format!("; it is {text}"),
                    _ => format!(", with type {text}"),
                };
                diagnostic = diagnostic.note(value.location(), format!("operand #{k} is defined here{what}"));
            }
        }
        self.chain(copy, diagnostic).emit()
    }

    /// Adds notes for the calls that led to this copy, one for all recursive calls at one place.
    fn chain(&self, copy: Copy, mut diagnostic: Diagnostic) -> Diagnostic {
        let mut at = copy;
        let mut links: Vec<(Op, String, usize)> = Vec::new();
        while let Some((caller, call)) = self.instances.get(at.0).and_then(|i| i.caller) {
            match links.last_mut() {
                Some(last) if last.0 == call => last.2 += 1,
                _ => {
                    let inputs: Vec<String> = self.instances[at.0].inputs.iter().map(|t| self.types.text(*t)).collect();
                    links.push((call, inputs.join(", "), 1));
                }
            }
            at = caller;
        }
        for (call, inputs, times) in links.iter().take(MOST_NOTES) {
            let again = if *times > 1 { format!(", at recursion depth {times}") } else { String::new() };
            diagnostic =
                diagnostic.note(call.location(), format!("in this call{again}, with argument types ({inputs})"));
        }
        match links.len().saturating_sub(MOST_NOTES) {
            0 => diagnostic,
            more => diagnostic.note(
                links[MOST_NOTES].0.location(),
                format!("and {}; the next one is here", count(more, "more call")),
            ),
        }
    }

    /// Returns the copy for a use of a function, once all types are known; `None` if it is never called.
    pub fn chosen(&self, closure: Closure, ty: Ty) -> Option<Copy> {
        let Node::Function { arrow: Some((inputs, _)), .. } = self.types.node(ty) else { return None };
        let signature = |types: &[Ty]| types.iter().map(|t| self.types.closed(*t)).collect::<Option<Vec<_>>>();
        let wanted = signature(inputs)?;
        let copies = self.by_closure.get(&closure)?;
        copies.iter().copied().find(|c| signature(&self.instances[c.0].inputs).as_ref() == Some(&wanted))
    }

    /// Returns the number in an attribute or a literal.
    fn literal_integer(value: Value) -> Option<i64> {
        let (op, _) = value.defining_op()?;
        matches!(op.kind(), Kind::LambdaLiteral | Kind::ArithConstant)
            .then(|| op.attribute("value"))?
            .and_then(Attribute::as_i64)
    }

    fn numeral(&mut self, numeral: Numeral) -> Ty {
        self.types.add(Node::Unknown(Some(numeral)))
    }
}
