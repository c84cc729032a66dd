//! The rules by which cotangents pass through single ops (`spec/functional.md` B.6). The rules of the ops of `lambda`
//! are defined here; those of all other ops come from the table of derivatives.

use super::sensitivity::{BackwardPart, Contribution::*};
use super::{Transform, varies};
use crate::ad::derivatives::{self, Partial, Point, Rule};
use crate::ad::differentiate;
use crate::ad::dual_arrays::Memory;
use crate::functions::anf::{Body, Program, Stmt, Var, free_of};
use crate::functions::function;
use mlopt_dialects::diagnostics::{Reported, error};
use mlopt_dialects::ir::{Attribute, Block, Builder, Location, OpBuilder, Region, Type, Value};
use mlopt_dialects::lambda::structure::Structure;
use mlopt_dialects::lambda::types;
use mlopt_dialects::ops::{CmpIPredicate, Kind, OpName};
use std::collections::HashMap;
use std::rc::Rc;

/// The backward rules of ops of other dialects, memoised.
#[derive(Default)]
pub struct Table {
    known: HashMap<Key, Option<Rc<Template>>>,
}

#[derive(PartialEq, Eq, Hash)]
struct Key {
    op: OpName,
    attributes: Vec<(String, Attribute)>,
    operands: Vec<Type>,
    results: Vec<Type>,
}

/// Code from operands, results and cotangents of the results to cotangents of operands.
struct Template {
    x: Vec<Var>,
    z: Vec<Var>,
    d: Vec<Option<Var>>,
    body: Body,
    /// The operand of each result of the body.
    targets: Vec<usize>,
}

impl Transform<'_> {
    /// Writes the backward part of one op by its rule.
    pub(super) fn backward_op(&mut self, stmt: &Stmt, sums: &mut BackwardPart) -> Result<(), Reported> {
        use Kind::*;
        let at = stmt.location;
        if stmt.kind().dialect() != "lambda" {
            return self.backward_primitive(stmt, sums);
        }
        let x = &stmt.operands;
        let s = sums.total(self, stmt.result(), at);
        match stmt.kind() {
            LambdaTuple | LambdaRecord => {
                for (k, x) in x.iter().enumerate().filter(|(_, x)| varies(self.program.ty(**x))).collect::<Vec<_>>() {
                    let part = self.program.part(&mut sums.out, s, k, at);
                    sums.add(self, *x, part);
                }
            }
            LambdaGet | LambdaField => sums.push(self, x[0], Part(self.program.position(stmt), s)),
            LambdaTset | LambdaWith => {
                let k = self.program.position(stmt);
                let part = self.program.part(&mut sums.out, s, k, at);
                let zero = self.zero(x[1], sums, at);
                let ty = self.program.ty(s);
                let rest = self.program.fresh(ty, None);
                sums.out.push(Stmt { results: vec![rest], operands: vec![s, zero], ..stmt.clone() });
                sums.add(self, x[0], rest);
                sums.add(self, x[1], part);
            }
            LambdaCons => {
                let ty = self.program.ty(s);
                if varies(self.program.ty(x[0])) {
                    let head = self.program.push(&mut sums.out, LambdaHead, &[s], ty.parts()[0], at);
                    sums.add(self, x[0], head);
                    let tail = self.program.push(&mut sums.out, LambdaTail, &[s], ty, at);
                    sums.add(self, x[1], tail);
                }
            }
            LambdaHead => sums.push(self, x[0], Head(s)),
            LambdaTail => sums.push(self, x[0], Tail(s)),
            LambdaToList => {
                let ty = self.program.ty(x[0]);
                let array = self.program.push(&mut sums.out, LambdaToArray, &[s], ty, at);
                sums.add(self, x[0], array);
            }
            LambdaToArray => {
                let ty = types::tangent(self.program.ty(x[0]));
                let list = self.program.push(&mut sums.out, LambdaToList, &[s], ty, at);
                sums.add(self, x[0], list);
            }
            LambdaSwitch => {
                let (condition, ty) = (sums.image(x[0]), self.program.ty(s));
                for (k, swapped) in [(1, false), (2, true)] {
                    let zero = self.zero(x[k], sums, at);
                    let pair = if swapped { [condition, zero, s] } else { [condition, s, zero] };
                    let part = self.program.push(&mut sums.out, LambdaSwitch, &pair, ty, at);
                    sums.add(self, x[k], part);
                }
            }
            LambdaAget => {
                let indices = x[1..].iter().map(|v| sums.image(*v)).collect();
                sums.push(self, x[0], At(indices, s));
            }
            LambdaAset => {
                let (value, ty) = (x[x.len() - 1], self.program.ty(s));
                let indices: Vec<Var> = x[1..x.len() - 1].iter().map(|v| sums.image(*v)).collect();
                let read = [&[s], indices.as_slice()].concat();
                let element = self.program.ty(value);
                let part = self.program.push(&mut sums.out, LambdaAget, &read, element, at);
                let zero = self.zero(value, sums, at);
                let rest = self.program.push(&mut sums.out, LambdaAset, &[read, vec![zero]].concat(), ty, at);
                sums.add(self, x[0], rest);
                sums.add(self, value, part);
            }
            LambdaSliceGet => {
                let zero = self.zero(x[0], sums, at);
                let begins: Vec<Var> = x[1..].iter().map(|v| sums.image(*v)).collect();
                let operands = [&[zero], begins.as_slice(), &[s]].concat();
                let result = self.program.fresh(self.program.ty(zero), None);
                sums.out.push(Stmt { op: LambdaSliceSet.into(), results: vec![result], operands, ..stmt.clone() });
                sums.add(self, x[0], result);
            }
            LambdaSliceSet => {
                let value = x[x.len() - 1];
                let begins: Vec<Var> = x[1..x.len() - 1].iter().map(|v| sums.image(*v)).collect();
                let part = self.program.fresh(self.program.ty(value), None);
                let read = [&[s], begins.as_slice()].concat();
                let op = LambdaSliceGet.into();
                sums.out.push(Stmt { op, results: vec![part], operands: read.clone(), ..stmt.clone() });
                let zero = self.zero(value, sums, at);
                let rest = self.program.fresh(self.program.ty(s), None);
                sums.out.push(Stmt { results: vec![rest], operands: [read, vec![zero]].concat(), ..stmt.clone() });
                sums.add(self, x[0], rest);
                sums.add(self, value, part);
            }
            LambdaGadd | LambdaEnvAdd => {
                sums.add(self, x[0], s);
                sums.add(self, x[1], s);
            }
            LambdaEnvGet => {
                let empty = self.program.env_empty(&mut sums.out, at);
                let key = stmt.required("key");
                let e = self.program.env_set(&mut sums.out, empty, key, s, at);
                sums.add(self, x[0], e);
            }
            LambdaEnvSet => {
                let key = stmt.required("key");
                let zero = self.zero(x[1], sums, at);
                let part = self.program.env_get(&mut sums.out, s, key, zero, at);
                sums.add(self, x[1], part);
                let rest = self.program.env_set(&mut sums.out, s, key, zero, at);
                sums.add(self, x[0], rest);
            }
            LambdaCheck => sums.add(self, x[1], s),
            LambdaJ | LambdaJinv | LambdaTransfer => sums.add(self, x[0], s),
            LambdaZerosLike | LambdaStopGradient | LambdaEnvEmpty | LambdaNil | LambdaPrint | LambdaRead
            | LambdaRngUniform | LambdaRngNormal | LambdaIsEmpty | LambdaLength | LambdaUnit => {}
            _ => return Err(error(at, format!("no-backpropagator: '{}' has no derivative", stmt.op))),
        }
        Ok(())
    }

    fn backward_primitive(&mut self, stmt: &Stmt, sums: &mut BackwardPart) -> Result<(), Reported> {
        if let Some(declared) = declared(self.program, stmt) {
            let s = sums.total(self, stmt.result(), stmt.location);
            let part = self.projected(declared, s, &mut sums.out, stmt.location)?;
            sums.add(self, stmt.operands[0], part);
            return Ok(());
        }
        let inputs = [stmt.operands.as_slice(), &free_of(&stmt.codes)].concat();
        let Some(template) = self.template(stmt, &inputs)? else { return Ok(()) };
        let own = template.x.iter().zip(&inputs).chain(template.z.iter().zip(&stmt.results));
        let mut names: HashMap<Var, Var> = own.map(|(own, v)| (*own, sums.image(*v))).collect();
        for (own, result) in template.d.iter().zip(&stmt.results) {
            if let Some(own) = own {
                names.insert(*own, sums.total(self, *result, stmt.location));
            }
        }
        let copy = self.program.copy_body(&template.body, &mut names);
        let zeros: Vec<Var> = copy.stmts.iter().filter(|s| s.is(Kind::DualZero)).map(Stmt::result).collect();
        sums.out.extend(copy.stmts.into_iter().map(|s| Stmt { location: stmt.location, ..s }));
        for (k, part) in template.targets.iter().zip(copy.results) {
            if !zeros.contains(&part) {
                sums.add(self, inputs[*k], part);
            }
        }
        Ok(())
    }

    /// Returns the backward rule of an op of another dialect; `None` if it has no cotangents.
    fn template(&mut self, stmt: &Stmt, inputs: &[Var]) -> Result<Option<Rc<Template>>, Reported> {
        let key = Key {
            op: stmt.op.clone(),
            attributes: stmt.attributes.to_vec(),
            operands: self.program.types_of(inputs),
            results: self.program.types_of(&stmt.results),
        };
        if stmt.codes.is_empty()
            && let Some(found) = self.table.known.get(&key)
        {
            return Ok(found.clone());
        }
        let found = match derivatives::rule(stmt.kind()) {
            Some(Rule::Constant) => None,
            Some(Rule::Elementwise(partials)) => Some(Rc::new(self.elementwise(stmt, partials)?)),
            Some(_) => Some(Rc::new(self.transposed(stmt, inputs)?)),
            None => return Err(error(stmt.location, format!("no-backpropagator: '{}' has no derivative", stmt.op))),
        };
        if stmt.codes.is_empty() {
            self.table.known.insert(key, found.clone());
        }
        Ok(found)
    }

    /// Returns the rule of an elementwise op: the cotangent of each operand by its partial derivative.
    fn elementwise(&mut self, stmt: &Stmt, partials: fn(&Point, usize) -> Partial) -> Result<Template, Reported> {
        let ty = self.program.ty(stmt.result());
        let mut arguments = self.types_at(&stmt.operands, stmt.location);
        arguments.push((ty, stmt.location.unnamed()));
        let block = Block::new(&arguments);
        let b = Builder::at_end(block, stmt.location);
        let n = stmt.operands.len();
        let x: Vec<Value> = block.arguments()[..n].to_vec();
        let op = b.op(&stmt.op).operands(&x).results(&[ty]).attributes(stmt.attributes.iter().cloned());
        let op = b.insert(op.build());
        let point = Point { builder: b, op, x: &x, z: op.result(0) };
        let (mut targets, mut results) = (Vec::new(), Vec::new());
        for k in (0..n).filter(|k| x[*k].ty().is_differentiable()) {
            if let Some(part) = derivatives::cotangent(&point, partials, k, block.argument(n)) {
                targets.push(k);
                results.push(part);
            }
        }
        b.insert(b.op(Kind::FuncReturn).operands(&results).build());
        let x = self.program.all_like(&stmt.operands);
        let d = self.program.fresh(ty, None);
        let z = self.program.fresh(ty, None);
        let mut body = self.program.read_block(block, &[x.as_slice(), &[d]].concat())?;
        // The op itself has been executed: its result is known.
        let first = body.stmts.remove(0);
        let mut names = HashMap::from([(first.result(), z)]);
        let body = self.program.copy_body(&body, &mut names);
        block.erase();
        Ok(Template { x, z: vec![z], d: vec![Some(d)], body, targets })
    }

    fn types_at(&self, values: &[Var], at: Location) -> Vec<(Type, Location)> {
        values.iter().map(|v| (self.program.ty(*v), at.unnamed())).collect()
    }

    /// Projects the cotangent of a matrix with a declared structure to that structure (`spec/functional.md` A.7).
    fn projected(&mut self, declared: Structure, s: Var, out: &mut Vec<Stmt>, at: Location) -> Result<Var, Reported> {
        let ty = self.program.ty(s);
        let block = Block::new(&[(ty, at.unnamed())]);
        let b = Builder::at_end(block, at);
        let d = block.argument(0);
        let made = b.build_like(d, 2, |b, place| {
            let (i, j) = (place[0], place[1]);
            let mut element = b.get(d, &[i, j]);
            if declared.symmetric && !declared.is_diagonal() {
                let sum = b.unary(Kind::ArithAddf, &[element, b.get(d, &[j, i])], element.ty());
                element = b.unary(Kind::ArithMulf, &[b.float_like(sum, 0.5), sum], sum.ty());
            }
            let zero = b.float_like(element, 0.0);
            // Outside of a band the difference of indices is at least the width of the band.
            for (from, to, band) in [(i, j, declared.lower), (j, i, declared.upper)] {
                let Some(band) = band else { continue };
                let off = b.unary(Kind::ArithSubi, &[from, to], from.ty());
                let inside = b.compare_integers(CmpIPredicate::Slt, off, b.index(band));
                element = b.select(inside, element, zero);
            }
            vec![element]
        });
        b.insert(b.op(Kind::FuncReturn).operands(&made).build());
        let body = self.program.read_block(block, &[s])?;
        block.erase();
        out.extend(body.stmts);
        Ok(body.results[0])
    }

    /// Returns the rule of any other op: reverse mode of a function of that op alone.
    fn transposed(&mut self, stmt: &Stmt, inputs: &[Var]) -> Result<Template, Reported> {
        let (context, at) = (self.program.context, stmt.location);
        let top = Block::new(&[]);
        let module = OpBuilder::new(Kind::BuiltinModule, at.unnamed()).region(Region::with_block(top)).build();
        let results = self.program.types_of(&stmt.results);
        // The op as a function of its operands and captures.
        let body = Block::new(&self.types_at(inputs, at));
        let b = Builder::at_end(body, at);
        let mut scope: HashMap<Var, Value> = inputs.iter().copied().zip(body.arguments()).collect();
        self.program.write_stmts(std::slice::from_ref(stmt), &mut scope, b);
        let values: Vec<Value> = stmt.results.iter().map(|v| scope[v]).collect();
        b.insert(b.op(Kind::FuncReturn).operands(&values).build());
        let input_types = self.program.types_of(inputs);
        top.append(function("op", &input_types, &results, body, at));
        // The reverse mode of that function.
        let floats: Vec<usize> = (0..results.len()).filter(|k| results[*k].is_differentiable()).collect();
        let targets: Vec<usize> = (0..inputs.len()).filter(|k| input_types[*k].is_differentiable()).collect();
        let cotangents: Vec<Type> = floats.iter().map(|k| results[*k]).collect();
        let given: Vec<Type> = targets.iter().map(|k| input_types[*k]).collect();
        let all = [input_types.as_slice(), &cotangents].concat();
        let back = Block::new(&all.iter().map(|t| (*t, at.unnamed())).collect::<Vec<_>>());
        let b = Builder::at_end(back, at);
        let (x, d) = (back.arguments()[..inputs.len()].to_vec(), back.arguments()[inputs.len()..].to_vec());
        let wrt: Vec<i64> = targets.iter().map(|k| *k as i64).collect();
        let request = b
            .op(Kind::DualVjp)
            .operand_segments(&[&x, &d])
            .attribute("callee", context.symbol_attr("op"))
            .attribute("wrt", context.i64_array_attr(&wrt))
            .results(&[results.as_slice(), &given].concat())
            .region(Region::new());
        let request = b.insert(request.build());
        let parts = request.results()[results.len()..].to_vec();
        b.insert(b.op(Kind::FuncReturn).operands(&parts).build());
        let function = top.append(function("back", &all, &given, back, at));
        differentiate::run(module, Memory { budget: None, report: false })?;
        let x = self.program.all_like(inputs);
        let d = self.program.fresh_all(&cotangents);
        let body = self.program.read_block(function.entry(), &[x.as_slice(), &d].concat())?;
        module.erase();
        let mut of_results = vec![None; results.len()];
        floats.iter().zip(d).for_each(|(k, d)| of_results[*k] = Some(d));
        Ok(Template { x, z: vec![], d: of_results, body, targets })
    }
}

/// Returns the declared structure of a matrix that is cast to a general matrix.
fn declared(program: &Program, stmt: &Stmt) -> Option<Structure> {
    let is_cast = stmt.is(Kind::TensorCast);
    let declared = is_cast.then(|| Structure::of_type(program.ty(stmt.operands[0])))?;
    let is_forgotten = Structure::of_type(program.ty(stmt.result())).is_general();
    (!declared.is_general() && is_forgotten).then_some(declared)
}
