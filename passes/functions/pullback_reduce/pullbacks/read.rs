//! Translation from programs to terms. A program in SSA form is already a sequence of `let`s; a value with one use is
//! substituted.

use super::machine::Machine;
use super::primitive::{self, Primitive};
use super::term::{self, Pullback, Stage, Term, TermKind, Var};
use crate::functions::position;
use mlopt_dialects::diagnostics::{Reported, error};
use mlopt_dialects::ir::{Attribute, Block, Location, Op, Type, Value, types_of};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::HashMap;
use std::rc::Rc;

/// The key that identifies a primitive op.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Key {
    name: String,
    attributes: Vec<(String, Attribute)>,
    operands: Vec<Type>,
    result: Type,
}

type Scope = HashMap<Value, Term>;

/// The attribute of functions that are evaluated in one step.
const PRIMITIVE: &str = "lambda.primitive";

impl Machine {
    /// Returns the term of a function without arguments.
    pub fn read(&mut self, function: Op) -> Result<Term, Reported> {
        let block = self.body_of(function)?;
        self.block(block, &mut Scope::new())
    }

    fn body_of(&self, function: Op) -> Result<Block, Reported> {
        let Some(body) = function.body() else {
            return Err(function.not_supported("a pullback needs the body of this function; define it in this module"));
        };
        match function.region(0).blocks().len() {
            1 => Ok(body),
            _ => Err(function.not_supported("only functions of one block can be reduced; use `scf` instead of `cf`")),
        }
    }

    /// Returns the function of the module with this name, as an abstraction.
    pub(super) fn global(&mut self, symbol: &Rc<str>, at: Location) -> Result<Term, Reported> {
        if let Some(found) = self.globals.get(symbol) {
            return Ok(found.clone());
        }
        let function = self.symbols.function(symbol);
        let Some(function) = function else {
            return Err(error(at, format!("expected a function `@{symbol}` in this module, found none")));
        };
        let body = self.body_of(function)?;
        let found = self.abstraction(body, &mut Scope::new(), function.location())?;
        self.globals.insert(symbol.clone(), found.clone());
        Ok(found)
    }

    /// Returns a block as a function of its arguments; several are one tuple.
    fn abstraction(&mut self, block: Block, scope: &mut Scope, at: Location) -> Result<Term, Reported> {
        let (x, body) = self.region(block, scope, at)?;
        Ok(term::new(TermKind::Lambda(x, body), at))
    }

    /// Returns the variable and the body of the function that [`Self::abstraction`] returns.
    fn region(&mut self, block: Block, scope: &mut Scope, at: Location) -> Result<(Var, Term), Reported> {
        let arguments = block.arguments();
        let x = match arguments[..] {
            [one] => {
                let x = self.variable_of(one);
                scope.insert(one, term::variable(x, at));
                x
            }
            _ => {
                let names: Vec<String> = arguments.iter().filter_map(|a| a.name()).collect();
                let name = if names.is_empty() { "p".to_string() } else { names.concat() };
                let x = self.names.fresh(&name, Some(at.context().tuple(&types_of(&arguments))));
                let part = |k| term::part(k, arguments.len(), term::variable(x, at));
                scope.extend(arguments.iter().enumerate().map(|(k, argument)| (*argument, part(k))));
                x
            }
        };
        Ok((x, self.block(block, scope)?))
    }

    fn variable_of(&mut self, value: Value) -> Var {
        let name = value.name().unwrap_or_else(|| {
            self.unnamed += 1;
            format!("t{}", self.unnamed)
        });
        self.names.fresh(&name, Some(value.ty()))
    }

    /// Returns the code that the table of derivatives has emitted, as a term of these variables.
    pub(super) fn read_code(&mut self, block: Block, vars: &[Var], is_tuple: bool) -> Result<Term, Reported> {
        let arguments = vars.iter().zip(block.arguments());
        let mut scope = arguments.map(|(var, value)| (value, term::variable(*var, value.location()))).collect();
        let (lets, results) = self.series(block, &mut scope)?;
        let at = block.end().location();
        let result = match &results[..] {
            [] => term::zero(at),
            [one] if !is_tuple => one.clone(),
            _ => term::tuple(results, at),
        };
        Ok(term::series(lets, result))
    }

    fn block(&mut self, block: Block, scope: &mut Scope) -> Result<Term, Reported> {
        let (lets, results) = self.series(block, scope)?;
        match &results[..] {
            [one] => Ok(term::series(lets, one.clone())),
            _ => {
                let end = block.end();
                Err(end.not_supported(format!("only regions with one result can be reduced, found {}", results.len())))
            }
        }
    }

    fn series(&mut self, block: Block, scope: &mut Scope) -> Result<(Vec<(Var, Term)>, Vec<Term>), Reported> {
        let (ops, end) = block.split_end();
        let mut lets = Vec::new();
        for op in ops {
            if op.results().iter().all(|v| v.is_unused()) && op.is_pure() {
                continue;
            }
            let term = self.op(op, scope)?;
            let value = op.result(0);
            let uses = value.uses();
            let is_local = uses.len() == 1 && uses[0].0.block() == Some(block);
            let is_atom = matches!(
                term.kind,
                TermKind::Zero
                    | TermKind::Number(_)
                    | TermKind::Variable(_)
                    | TermKind::Primitive(_)
                    | TermKind::Global(_)
            );
            let term = match is_local || is_atom {
                true => term,
                false => {
                    let var = self.variable_of(value);
                    lets.push((var, term));
                    term::variable(var, op.location())
                }
            };
            scope.insert(value, term);
        }
        let results = end.operands().iter().map(|v| scope[v].clone()).collect();
        Ok((lets, results))
    }

    fn op(&mut self, op: Op, scope: &mut Scope) -> Result<Term, Reported> {
        let at = op.location().unnamed();
        let x: Vec<Term> = op.operands().iter().map(|v| scope[v].clone()).collect();
        let make = |kind: TermKind| Ok(term::new(kind, at));
        match op.kind() {
            Kind::ArithConstant => {
                let array = op.attribute("value").and_then(|a| a.as_array_value(op.result(0).ty()));
                array.map(|a| term::number(a, at)).ok_or_else(|| op.not_supported("expected a `dense` constant"))
            }
            Kind::DualZero | Kind::LambdaZerosLike => Ok(term::zero(at)),
            Kind::ArithAddf | Kind::LambdaGadd => make(TermKind::Sum(x[0].clone(), x[1].clone())),
            Kind::LambdaTuple | Kind::LambdaRecord => make(TermKind::Tuple(x)),
            Kind::LambdaUnit => make(TermKind::Tuple(vec![])),
            Kind::LambdaGet | Kind::LambdaField => {
                let of = op.operand(0).ty().parts().len();
                let open = || op.not_supported("the types of all values must be known; run `lambda-specialise` first");
                make(TermKind::Part { index: position(op).ok_or_else(open)?, of, tuple: x[0].clone() })
            }
            Kind::LambdaLambda => self.abstraction(op.entry(), scope, at),
            Kind::LambdaApply => make(TermKind::Apply(x[0].clone(), packed(x[1..].to_vec(), at))),
            Kind::FuncCall => {
                let f = self.callee(op, at);
                make(TermKind::Apply(f, packed(x, at)))
            }
            Kind::LambdaRef => Ok(self.callee(op, at)),
            Kind::LambdaCovector => Ok(x[0].clone()),
            Kind::LambdaPairWith => make(TermKind::Pairing(x[0].clone(), x[1].clone())),
            Kind::LambdaJacobian => {
                let f = self.callee(op, at);
                make(TermKind::Jacobian(f, x[0].clone()))
            }
            Kind::LambdaPullback | Kind::LambdaDual => {
                let (y, body) = self.region(op.entry(), scope, at)?;
                let form = x[0].clone();
                make(match op.kind() {
                    Kind::LambdaDual => TermKind::Dual(y, body, form),
                    _ => TermKind::Pullback(Pullback { pattern: vec![y], keeps: false, body, form, stage: Stage::Raw }),
                })
            }
            _ => {
                let p = self.primitive(op)?;
                make(TermKind::Apply(term::new(TermKind::Primitive(p), at), packed(x, at)))
            }
        }
    }

    /// Returns the function that an op names: a primitive if it is marked as one.
    fn callee(&mut self, op: Op, at: Location) -> Term {
        let symbol: Rc<str> = op.callee().unwrap_or_default().into();
        let function = self.symbols.get(&symbol);
        let kind = if function.is_some_and(|f| f.attribute(PRIMITIVE).is_some()) {
            let known = self.functions.entry(symbol.clone());
            TermKind::Primitive(known.or_insert_with(|| Rc::new(Primitive::Function(symbol))).clone())
        } else {
            TermKind::Global(symbol)
        };
        term::new(kind, at)
    }

    fn primitive(&mut self, op: Op) -> Result<Rc<Primitive>, Reported> {
        if op.num_results() != 1 {
            return Err(op.not_supported("only ops with one result can be reduced"));
        }
        let key = Key {
            name: op.name().to_string(),
            attributes: op.attributes(),
            operands: types_of(&op.operands()),
            result: op.result(0).ty(),
        };
        if let Some(found) = self.primitives.get(&key) {
            return Ok(found.clone());
        }
        let scratch = self.scratch.entry();
        let Some(found) = primitive::of_op(op, scratch) else {
            return Err(op.not_supported(
                "expected functions, tuples, additions, and elementwise operations that have \
                 derivatives",
            ));
        };
        let found = Rc::new(found);
        self.primitives.insert(key, found.clone());
        Ok(found)
    }
}

/// Returns a single argument, or a tuple of several.
fn packed(mut x: Vec<Term>, at: Location) -> Term {
    if x.len() == 1 { x.remove(0) } else { term::new(TermKind::Tuple(x), at) }
}
