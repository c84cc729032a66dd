//! J of conditionals and loops (`spec/functional.md` B.5, B.5.1): their forward parts store the residuals that their
//! backward parts read.

use super::sensitivity::BackwardPart;
use super::{Images, Transform, image};
use crate::functions::anf::{Body, Code, Stmt, Var, free_in, free_of};
use crate::functions::lambda_simplify::simplify::{Limits, simplify};
use crate::functions::statements::has_placeholder;
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::{Location, Type};
use mlopt_dialects::lambda::types::{self, TypeKind};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;
use std::collections::{HashMap, HashSet};

/// The maximum number of ops that are recomputed in a backward part rather than kept.
const MOST_REPEATED: usize = 4;

/// The backward rule of a conditional, and the values that its branches capture.
pub(super) struct Branches {
    captured: Vec<Var>,
    /// The results that vary.
    varying: Vec<usize>,
    rule: BackwardRule,
}

#[allow(clippy::large_enum_variant)] // One exists for each conditional.
enum BackwardRule {
    /// From the residuals of each branch. The backward parts refer to them as `names`; after the conditional they are
    /// `kept`.
    Kept([Back; 2], [Residuals; 2]),
    /// From the function that the branch returned.
    Function(Var),
}

/// A backward part: a function of the cotangents `d` that reads residuals.
struct Back {
    d: Vec<Var>,
    body: Body,
}

/// The residuals of a branch: their names inside the branch, and after the op.
#[derive(Default)]
struct Residuals {
    names: Vec<Var>,
    values: Vec<Var>,
}

/// The backward rule of a loop.
pub(super) struct BackwardLoop {
    captured: Vec<Var>,
    /// The carried values that vary.
    varying: Vec<usize>,
    /// The backward part for the cotangents of these, then of the captures.
    back: Back,
    /// The number of the iteration in the backward part, if the loop counts.
    index: Option<Var>,
    /// The residuals of an iteration, and the list of them.
    kept: Vec<Var>,
    list: Option<Var>,
    /// The number of iterations.
    count: Var,
}

impl Transform<'_> {
    /// Returns the free variables of functions that vary.
    fn captured<'c>(&self, codes: impl IntoIterator<Item = &'c Code>) -> Vec<Var> {
        free_of(codes).into_iter().filter(|v| self.varies(*v)).collect()
    }

    pub(super) fn forward_if(
        &mut self,
        stmt: &Stmt,
        images: &mut Images,
        out: &mut Vec<Stmt>,
    ) -> Result<Branches, Reported> {
        let at = stmt.location;
        let captured = self.captured(&stmt.codes);
        let condition = image(images, stmt.operands[0]);
        let varying: Vec<usize> = (0..stmt.results.len()).filter(|k| self.varies(stmt.results[*k])).collect();
        let (mut branches, mut backs, mut names) = (Vec::new(), Vec::new(), Vec::new());
        let mut present = Vec::new();
        for code in &stmt.codes {
            let mut inner = images.clone();
            let forward = self.forward(&code.body.stmts, &mut inner)?;
            let mut sums = BackwardPart::new(&inner);
            let y = varying.iter().map(|k| code.body.results[*k]);
            let d = y.map(|y| self.cotangent(&mut sums, y, y, "d")).collect();
            self.backward(&forward.steps, &mut sums)?;
            present.push(captured.iter().map(|v| sums.has(*v)).collect());
            let results = captured.iter().map(|v| sums.total(self, *v, at)).collect();
            let mut body = Body { stmts: sums.out, results };
            self.repeat_constants(&mut body, &forward.stmts);
            names.push(read_inside(&body, &made(&forward.stmts)));
            let y = code.body.results.iter().map(|v| image(&inner, *v)).collect();
            branches.push(Body { stmts: forward.stmts, results: y });
            backs.push(Back { d, body });
        }
        let results = self.parameters(&stmt.results, images);
        let backs: [Back; 2] = backs.try_into().unwrap_or_else(|_| unreachable!("two branches"));
        let can_keep = names.iter().flatten().all(|v| has_placeholder(self.program.ty(*v)));
        let rule = if can_keep {
            BackwardRule::Kept(backs, self.keep_in_branches(branches, names, condition, results, out, at))
        } else {
            let backs = backs.into_iter().zip(present).collect();
            BackwardRule::Function(self.functions_of_branches(branches, backs, &captured, condition, results, out, at))
        };
        Ok(Branches { captured, varying, rule })
    }

    /// Makes the conditional yield its results and the residuals of each branch, with placeholders for those of the
    /// other one.
    fn keep_in_branches(
        &mut self,
        branches: Vec<Body>,
        names: Vec<Vec<Var>>,
        condition: Var,
        mut results: Vec<Var>,
        out: &mut Vec<Stmt>,
        at: Location,
    ) -> [Residuals; 2] {
        let mut codes = Vec::new();
        for (k, mut body) in branches.into_iter().enumerate() {
            for (j, var) in names.iter().enumerate().flat_map(|(j, all)| all.iter().map(move |v| (j, *v))) {
                let ty = self.program.ty(var);
                let part = if j == k { var } else { self.program.placeholder(&mut body.stmts, ty, at) };
                body.results.push(part);
            }
            codes.push(Code::new(vec![], body, Kind::LambdaYield));
        }
        let mut kept = Vec::new();
        for names in names {
            let values = self.program.all_like(&names);
            results.extend(&values);
            kept.push(Residuals { names, values });
        }
        out.push(Stmt::new(Kind::LambdaIf, results, vec![condition], codes, at));
        kept.try_into().unwrap_or_else(|_| unreachable!("two branches"))
    }

    /// Makes the conditional yield its results and a backpropagator, a function to the cotangents of the captures.
    /// Cotangents of arrays are in an environment, before the others: it does not contain those that a branch does
    /// not use.
    #[allow(clippy::too_many_arguments)]
    fn functions_of_branches(
        &mut self,
        branches: Vec<Body>,
        backs: Vec<(Back, Vec<bool>)>,
        captured: &[Var],
        condition: Var,
        mut results: Vec<Var>,
        out: &mut Vec<Stmt>,
        at: Location,
    ) -> Var {
        let mut codes = Vec::new();
        for (mut branch, (Back { d, mut body }, present)) in branches.into_iter().zip(backs) {
            let (arrays, others): (Vec<usize>, Vec<usize>) =
                (0..captured.len()).partition(|k| self.is_array(captured[*k]));
            let mut all = Vec::new();
            if !arrays.is_empty() {
                let mut e = self.program.env_empty(&mut body.stmts, at);
                for k in arrays.into_iter().filter(|k| present[*k]) {
                    let key = self.key(captured[k]);
                    e = self.program.env_set(&mut body.stmts, e, key, body.results[k], at);
                }
                all.push(e);
            }
            all.extend(others.into_iter().map(|k| body.results[k]));
            let result = self.program.tuple(&mut body.stmts, &all, at);
            let back = Code::returns(d, body.stmts, vec![result]);
            branch.results.push(self.program.lambda(&mut branch.stmts, back, at));
            codes.push(Code::new(vec![], branch, Kind::LambdaYield));
        }
        let last = *codes[0].body.results.last().expect("just pushed");
        let b = self.program.fresh(self.program.ty(last), None);
        results.push(b);
        out.push(Stmt::new(Kind::LambdaIf, results, vec![condition], codes, at));
        b
    }

    /// Checks whether the cotangent of a value is an array.
    fn is_array(&self, var: Var) -> bool {
        let ty = types::tangent(self.program.ty(var));
        ty.is_tensor() && matches!(TypeKind::of(ty), TypeKind::Array(_))
    }

    pub(super) fn backward_if(
        &mut self,
        stmt: &Stmt,
        branches: &Branches,
        sums: &mut BackwardPart,
    ) -> Result<(), Reported> {
        let at = stmt.location;
        let d: Vec<Var> = branches.varying.iter().map(|k| sums.total(self, stmt.results[*k], at)).collect();
        if branches.captured.is_empty() {
            return Ok(());
        }
        let types: Vec<Type> = branches.captured.iter().map(|v| types::tangent(self.program.ty(*v))).collect();
        let parts: Vec<Var> = match &branches.rule {
            BackwardRule::Function(b) => {
                let is_array: Vec<bool> = branches.captured.iter().map(|v| self.is_array(*v)).collect();
                let env = is_array.contains(&true).then(|| types::plain(self.program.context, "env"));
                let others = types.iter().zip(&is_array).filter(|(_, is)| !**is).map(|(ty, _)| *ty);
                let ty = self.program.context.tuple(&env.into_iter().chain(others).collect::<Vec<_>>());
                let t = self.program.push(&mut sums.out, Kind::LambdaApply, &[&[*b], d.as_slice()].concat(), ty, at);
                let mut next = usize::from(env.is_some());
                let mut parts = Vec::new();
                for (var, is_array) in branches.captured.iter().zip(is_array) {
                    if is_array {
                        let (e, zero) = (self.program.part(&mut sums.out, t, 0, at), self.zero(*var, sums, at));
                        let key = self.key(*var);
                        parts.push(self.program.env_get(&mut sums.out, e, key, zero, at));
                    } else {
                        parts.push(self.program.part(&mut sums.out, t, next, at));
                        next += 1;
                    }
                }
                parts
            }
            BackwardRule::Kept(backs, kept) => {
                let mut codes = Vec::new();
                for (back, kept) in backs.iter().zip(kept) {
                    let own = kept.names.iter().chain(&back.d).copied();
                    let mut names = own.zip(kept.values.iter().chain(&d).copied()).collect();
                    let body = self.program.copy_body(&back.body, &mut names);
                    codes.push(Code::new(vec![], body, Kind::LambdaYield));
                }
                let parts = self.program.fresh_all(&types);
                let condition = sums.image(stmt.operands[0]);
                sums.out.push(Stmt::new(Kind::LambdaIf, parts.clone(), vec![condition], codes, at));
                parts
            }
        };
        branches.captured.iter().zip(parts).for_each(|(v, part)| sums.add(self, *v, part));
        Ok(())
    }

    /// Recomputes constants that a backward part reads, instead of keeping them.
    fn repeat_constants(&mut self, back: &mut Body, forward: &[Stmt]) {
        let read: HashSet<Var> = free_in(&back.stmts, &back.results).into_iter().collect();
        let is_constant =
            |s: &&Stmt| s.operands.is_empty() && s.codes.is_empty() && s.results.iter().any(|r| read.contains(r));
        self.prepend(back, forward.iter().filter(is_constant));
    }

    /// Puts copies of statements before a body, and renames what it reads of them.
    fn prepend<'s>(&mut self, back: &mut Body, stmts: impl Iterator<Item = &'s Stmt>) {
        let mut names = HashMap::new();
        let copies: Vec<Stmt> = stmts.map(|s| self.program.copy_stmt(s, &mut names)).collect();
        if copies.is_empty() {
            return;
        }
        let body = self.program.copy_body(back, &mut names);
        back.stmts = copies.into_iter().chain(body.stmts).collect();
        back.results = body.results;
    }

    pub(super) fn forward_loop(
        &mut self,
        stmt: &Stmt,
        images: &mut Images,
        out: &mut Vec<Stmt>,
    ) -> Result<BackwardLoop, Reported> {
        let at = stmt.location;
        let is_counted = stmt.is(Kind::LambdaFor);
        let body = stmt.body();
        let carried = if is_counted { &body.params[1..] } else { &body.params[..] };
        let captured = self.captured([body]);
        let varying: Vec<usize> = (0..carried.len()).filter(|k| self.varies(carried[*k])).collect();

        let mut inner = images.clone();
        let mut params = self.parameters(&body.params, &mut inner);
        let mut forward = self.forward(&body.body.stmts, &mut inner)?;
        let mut inside = made(&forward.stmts);
        inside.extend(&params);

        let mut sums = BackwardPart::new(&inner);
        let next = varying.iter().map(|k| (body.body.results[*k], carried[*k], "d"));
        let next = next.chain(captured.iter().map(|v| (*v, *v, "sum")));
        let d: Vec<Var> = next.map(|(to, of, name)| self.cotangent(&mut sums, to, of, name)).collect();
        self.backward(&forward.steps, &mut sums)?;
        let before = varying.iter().map(|k| carried[*k]).chain(captured.iter().copied());
        let results = before.map(|v| sums.total(self, v, at)).collect();
        let mut back = Body { stmts: sums.out, results };
        self.repeat_constants(&mut back, &forward.stmts);
        // Values that are only read for unused results need not be kept.
        let mut code = Code::new(d.clone(), back, Kind::LambdaYield);
        simplify(self.program, &mut code, &HashMap::new(), Limits::default());
        let mut back = code.body;
        let index = is_counted.then(|| params[0]);
        self.repeat_cheap(&mut back, &forward.stmts, &params, index);
        let kept = read_inside(&back, &inside).into_iter().filter(|v| Some(*v) != index).collect::<Vec<_>>();

        let inits = if is_counted { &stmt.operands[1..] } else { &stmt.operands[..] };
        let mut operands: Vec<Var> = stmt.operands.iter().map(|v| image(images, *v)).collect();
        let mut yielded: Vec<Var> = body.body.results.iter().map(|v| image(&inner, *v)).collect();
        let mut loop_results: Vec<Var> = stmt.results.iter().map(|v| self.new_image(*v, images)).collect();
        debug_assert_eq!(inits.len(), yielded.len());
        let given_count = is_counted.then(|| operands[0]);
        let mut carry = |param: Var, next: Var, init: Var, result: Var| {
            params.push(param);
            yielded.push(next);
            operands.push(init);
            loop_results.push(result);
            result
        };
        let list = (!kept.is_empty()).then(|| {
            let row = self.program.packed(&mut forward.stmts, &kept, at);
            let ty = types::list(self.program.ty(row));
            let param = self.program.fresh(ty, Some("kept".into()));
            let next = self.program.push(&mut forward.stmts, Kind::LambdaCons, &[row, param], ty, at);
            let nil = self.program.push(out, Kind::LambdaNil, &[], ty, at);
            carry(param, next, nil, self.program.fresh(ty, Some("kept".into())))
        });
        let count = given_count.unwrap_or_else(|| {
            // A carried value counts the iterations.
            let ty = self.program.context.scalar(Element::I64);
            let zero = self.program.integer(out, 0, ty, at);
            let param = self.program.fresh(ty, Some("round".into()));
            let one = self.program.integer(&mut forward.stmts, 1, ty, at);
            let next = self.program.push(&mut forward.stmts, Kind::ArithAddi, &[param, one], ty, at);
            carry(param, next, zero, self.program.fresh(ty, Some("rounds".into())))
        });
        let mut codes = Vec::new();
        if !is_counted {
            codes.push(self.condition(&stmt.codes[0], images, &params)?);
        }
        codes.push(Code { params, body: Body { stmts: forward.stmts, results: yielded }, end: body.end.clone() });
        out.push(Stmt::new(stmt.op.clone(), loop_results, operands, codes, at));
        Ok(BackwardLoop { captured, varying, back: Back { d, body: back }, index, kept, list, count })
    }

    /// Recomputes cheap ops in a backward part, from residuals that are kept anyway, the number of the iteration, and
    /// values from outside the loop.
    fn repeat_cheap(&mut self, back: &mut Body, forward: &[Stmt], params: &[Var], index: Option<Var>) {
        let mut inside = made(forward);
        inside.extend(params);
        let mut kept: HashSet<Var> = read_inside(back, &inside).into_iter().collect();
        kept.extend(index);
        // A carried value is kept if that saves keeping several others.
        for param in params {
            if kept.contains(param) {
                continue;
            }
            let left = |kept: &HashSet<Var>| {
                let repeated = self.repeated(forward, kept, &inside);
                kept.iter().filter(|v| !repeated.contains(v)).count()
            };
            let without = left(&kept);
            kept.insert(*param);
            if left(&kept) >= without {
                kept.remove(param);
            }
        }
        let repeated = self.repeated(forward, &kept, &inside);
        let mut needed: HashSet<Var> = kept.intersection(&repeated).copied().collect();
        let mut again = Vec::new();
        for stmt in forward.iter().rev() {
            if stmt.results.iter().any(|r| needed.contains(r)) {
                needed.extend(stmt.operands.iter().filter(|v| repeated.contains(v)));
                again.push(stmt);
            }
        }
        self.prepend(back, again.into_iter().rev());
    }

    /// Returns the values of an iteration that a few cheap ops compute from available values: residuals, and values
    /// from outside.
    fn repeated(&self, forward: &[Stmt], kept: &HashSet<Var>, inside: &HashSet<Var>) -> HashSet<Var> {
        let mut ops: HashMap<Var, usize> = HashMap::new();
        for stmt in forward.iter().filter(|s| self.is_cheap(s)) {
            let of = |v: &Var| match ops.get(v) {
                Some(n) => Some(*n),
                None if kept.contains(v) || !inside.contains(v) => Some(0),
                None => None,
            };
            let all: Option<usize> = stmt.operands.iter().map(of).sum();
            if let Some(n) = all.filter(|n| *n < MOST_REPEATED) {
                ops.insert(stmt.result(), n + 1);
            }
        }
        ops.into_keys().collect()
    }

    /// Checks whether an op computes a number at a cost similar to a store and a load.
    fn is_cheap(&self, stmt: &Stmt) -> bool {
        let name = stmt.op.text();
        let costly = name.contains("div") || name.contains("rem");
        let [result] = stmt.results[..] else { return false };
        let is_number =
            matches!(TypeKind::of(self.program.ty(result)), TypeKind::Array(_)) && !self.program.ty(result).is_tensor();
        is_number
            && stmt.codes.is_empty()
            && (stmt.is(Kind::LambdaAget) || (stmt.kind().dialect() == "arith" && !costly))
    }

    /// Returns the condition of a loop on images, with a parameter for each of those of the body.
    fn condition(&mut self, code: &Code, images: &Images, like: &[Var]) -> Result<Code, Reported> {
        let mut inner = images.clone();
        let mut params = self.parameters(&code.params, &mut inner);
        params.extend(self.program.all_like(&like[params.len()..]));
        let forward = self.forward(&code.body.stmts, &mut inner)?;
        let results = code.body.results.iter().map(|v| image(&inner, *v)).collect();
        Ok(Code { params, body: Body { stmts: forward.stmts, results }, end: code.end.clone() })
    }

    pub(super) fn backward_loop(
        &mut self,
        stmt: &Stmt,
        rounds: &BackwardLoop,
        sums: &mut BackwardPart,
    ) -> Result<(), Reported> {
        let at = stmt.location;
        let mut operands = vec![rounds.count];
        let after = rounds.varying.iter().map(|k| stmt.results[*k]).chain(rounds.captured.iter().copied());
        operands.extend(after.map(|v| sums.total(self, v, at)));
        operands.extend(rounds.list);
        let params = self.program.fresh_all(&self.program.types_of(&operands));
        let mut names: HashMap<Var, Var> = rounds.back.d.iter().copied().zip(params[1..].iter().copied()).collect();
        let mut stmts = Vec::new();
        if let Some(index) = rounds.index {
            // The last iteration first.
            let ty = self.program.ty(rounds.count);
            let one = self.program.integer(&mut stmts, 1, ty, at);
            let left = self.program.push(&mut stmts, Kind::ArithSubi, &[rounds.count, params[0]], ty, at);
            names.insert(index, self.program.push(&mut stmts, Kind::ArithSubi, &[left, one], ty, at));
        }
        let rest = rounds.list.map(|list| {
            let (ty, last) = (self.program.ty(list), params[params.len() - 1]);
            let row = self.program.push(&mut stmts, Kind::LambdaHead, &[last], ty.parts()[0], at);
            if let [one] = rounds.kept[..] {
                names.insert(one, row);
            } else {
                let kept = rounds.kept.iter().enumerate();
                names.extend(kept.map(|(k, v)| (*v, self.program.part(&mut stmts, row, k, at))));
            }
            self.program.push(&mut stmts, Kind::LambdaTail, &[last], ty, at)
        });
        let body = self.program.copy_body(&rounds.back.body, &mut names);
        stmts.extend(body.stmts);
        let mut yielded = body.results;
        yielded.extend(rest);
        let results = self.program.fresh_all(&self.program.types_of(&yielded));
        let code = Code::yields(params, stmts, yielded);
        sums.out.push(Stmt::new(Kind::LambdaFor, results.clone(), operands, vec![code], at));
        let inits = if stmt.is(Kind::LambdaFor) { &stmt.operands[1..] } else { &stmt.operands[..] };
        let before = rounds.varying.iter().map(|k| inits[*k]).chain(rounds.captured.iter().copied());
        before.zip(results).for_each(|(v, s)| sums.add(self, v, s));
        Ok(())
    }
}

/// Returns the values that statements define, without nested ones.
fn made(stmts: &[Stmt]) -> HashSet<Var> {
    stmts.iter().flat_map(|s| s.results.iter().copied()).collect()
}

/// Returns the values among `inside` that a body reads.
fn read_inside(body: &Body, inside: &HashSet<Var>) -> Vec<Var> {
    free_in(&body.stmts, &body.results).into_iter().filter(|v| inside.contains(v)).collect()
}
