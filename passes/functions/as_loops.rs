//! Conversion of maps, folds and similar ops to loops: `lambda.for` over arrays, `lambda.while` over lists
//! (`spec/functional.md` A.10, B.5.2).

use super::anf::{Body, Code, Program, Stmt, Var};
use super::statements::{has_static_sizes, zero_attribute};
use mlopt_dialects::ir::{Attribute, Location, Type};
use mlopt_dialects::lambda::types::TypeKind;
use mlopt_dialects::ops::{CmpIPredicate, Kind};
use mlopt_dialects::value::Element;

/// Rewrites the ops of some kinds in a body as loops.
pub fn expand(program: &mut Program, body: &mut Body, is_one: fn(Kind) -> bool) {
    let mut out = Vec::with_capacity(body.stmts.len());
    for mut stmt in std::mem::take(&mut body.stmts) {
        stmt.codes.iter_mut().for_each(|c| expand(program, &mut c.body, is_one));
        if is_one(stmt.kind()) { write(program, &stmt, &mut out) } else { out.push(stmt) }
    }
    body.stmts = out;
}

/// Checks whether an op is rewritten as a loop.
pub fn is_one(kind: Kind) -> bool {
    takes_function(kind) || kind == Kind::LambdaConcat
}

/// Checks whether an op calls a function for each element of arrays or lists.
pub fn takes_function(kind: Kind) -> bool {
    matches!(kind, Kind::LambdaMap | Kind::LambdaFold | Kind::LambdaScan | Kind::LambdaReduce)
}

/// Rewrites one op as a loop.
pub fn write(program: &mut Program, stmt: &Stmt, out: &mut Vec<Stmt>) {
    let last = stmt.operands[stmt.operands.len() - 1];
    let is_list = matches!(TypeKind::of(program.ty(last)), TypeKind::List(_));
    let mut w = Writer { program, at: stmt.location };
    match (stmt.kind(), is_list) {
        (Kind::LambdaMap, true) => w.map_list(stmt, out),
        (Kind::LambdaMap, false) => w.map_array(stmt, out),
        (Kind::LambdaFold, true) => w.fold_list(stmt, out),
        (Kind::LambdaFold, false) => w.fold_array(stmt, out),
        (Kind::LambdaScan, true) => w.scan_list(stmt, out),
        (Kind::LambdaScan, false) => w.scan_array(stmt, out),
        (Kind::LambdaReduce, _) => w.reduce(stmt, out),
        _ => w.concat(stmt, out),
    }
}

/// Emits the list of the results of `body` for corresponding values of `lists`.
pub fn map_lists(
    program: &mut Program,
    out: &mut Vec<Stmt>,
    (lists, ty): (&[Var], Type),
    at: Location,
    body: impl FnOnce(&mut Program, &mut Vec<Stmt>, &[Var]) -> Var,
) -> Var {
    let mut w = Writer { program, at };
    let result = w.program.fresh(ty, None);
    w.map_lists(out, lists, result, |w, out, heads| body(w.program, out, heads));
    result
}

/// Rewrites a `lambda.map` over arrays as `array.build`, if its function contains only ops on data.
pub fn build(program: &mut Program, stmt: &Stmt, f: &Code) -> Option<Vec<Stmt>> {
    let (xs, ty) = (stmt.operands[1..].to_vec(), program.ty(stmt.result()));
    let scalar = |v: &Var| matches!(TypeKind::of(program.ty(*v)), TypeKind::Array(_)) && !program.ty(*v).is_tensor();
    let fits = f.params.iter().chain(&f.body.results).all(scalar) && xs.iter().all(|x| program.ty(*x).is_tensor());
    if !fits || !f.body.stmts.iter().all(is_data) {
        return None;
    }
    let mut out = Vec::new();
    let mut w = Writer { program, at: stmt.location };
    let rank = ty.rank();
    let extents = (0..rank).filter(|k| ty.shape()[*k].is_none()).map(|k| w.extent(&mut out, xs[0], k)).collect();
    let index = w.program.context.index();
    let params: Vec<Var> = (0..rank).map(|_| w.program.fresh(index, Some("i".into()))).collect();
    let mut stmts = Vec::new();
    let mut names = std::collections::HashMap::new();
    for (param, x) in f.params.iter().zip(&xs) {
        let element = w.program.ty(*x).scalar();
        let read = w.push(&mut stmts, Kind::ArrayGet, &[&[*x], params.as_slice()].concat(), element);
        names.insert(*param, read);
    }
    let body = w.program.copy_body(&f.body, &mut names);
    stmts.extend(body.stmts);
    let code = Code::new(params, Body { stmts, results: body.results }, Kind::ArrayYield);
    out.push(Stmt::new(Kind::ArrayBuild, stmt.results.clone(), extents, vec![code], stmt.location));
    Some(out)
}

/// Checks whether a statement is an op of another dialect, without ops of `lambda` inside.
fn is_data(stmt: &Stmt) -> bool {
    stmt.kind().dialect() != "lambda" && stmt.codes.iter().flat_map(|c| &c.body.stmts).all(is_data)
}

/// A builder of statements at one location.
struct Writer<'p> {
    program: &'p mut Program,
    at: Location,
}

impl Writer<'_> {
    fn push(&mut self, out: &mut Vec<Stmt>, kind: Kind, operands: &[Var], ty: Type) -> Var {
        self.program.push(out, kind, operands, ty, self.at)
    }

    fn apply(&mut self, out: &mut Vec<Stmt>, f: Var, x: &[Var]) -> Var {
        self.program.apply(out, f, x, self.at)
    }

    fn get(&mut self, out: &mut Vec<Stmt>, tuple: Var, k: usize) -> Var {
        self.program.part(out, tuple, k, self.at)
    }

    /// Emits a loop over lists of one length with one carried value: `body` computes its next value from the heads and
    /// the previous value.
    fn over_lists(
        &mut self,
        out: &mut Vec<Stmt>,
        lists: &[Var],
        init: Var,
        result: Option<Var>,
        body: impl FnOnce(&mut Self, &mut Vec<Stmt>, &[Var], Var) -> Var,
    ) -> Var {
        let inits = [&[init], lists].concat();
        // The condition: the list is not empty.
        let params = self.program.all_like(&inits);
        let mut stmts = Vec::new();
        let bool = self.program.context.scalar(Element::I1);
        let end = self.push(&mut stmts, Kind::LambdaIsEmpty, &[params[1]], bool);
        let yes = self.program.bool(&mut stmts, true, self.at);
        let more = self.push(&mut stmts, Kind::ArithXori, &[end, yes], bool);
        let condition = Code::yields(params, stmts, vec![more]);
        let params = self.program.all_like(&inits);
        let mut stmts = Vec::new();
        let (mut heads, mut tails) = (Vec::new(), Vec::new());
        for list in &params[1..] {
            let ty = self.program.ty(*list);
            heads.push(self.push(&mut stmts, Kind::LambdaHead, &[*list], ty.parts()[0]));
            tails.push(self.push(&mut stmts, Kind::LambdaTail, &[*list], ty));
        }
        let next = body(self, &mut stmts, &heads, params[0]);
        let code = Code::yields(params, stmts, [&[next], tails.as_slice()].concat());
        let mut results = self.program.all_like(&inits);
        results[0] = result.unwrap_or(results[0]);
        let given = results[0];
        out.push(Stmt::new(Kind::LambdaWhile, results, inits, vec![condition, code], self.at));
        given
    }

    /// Prepends the values of `list` to those of `rest`, the last one first.
    fn reversed_onto(&mut self, out: &mut Vec<Stmt>, list: Var, rest: Var, result: Option<Var>) -> Var {
        let ty = self.program.ty(rest);
        self.over_lists(out, &[list], rest, result, |w, out, heads, sofar| {
            w.push(out, Kind::LambdaCons, &[heads[0], sofar], ty)
        })
    }

    fn map_list(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) {
        let (f, lists) = (stmt.operands[0], &stmt.operands[1..]);
        self.map_lists(out, lists, stmt.result(), |w, out, heads| w.apply(out, f, heads));
    }

    fn map_lists(
        &mut self,
        out: &mut Vec<Stmt>,
        lists: &[Var],
        result: Var,
        body: impl FnOnce(&mut Self, &mut Vec<Stmt>, &[Var]) -> Var,
    ) {
        let ty = self.program.ty(result);
        let nil = self.push(out, Kind::LambdaNil, &[], ty);
        let backwards = self.over_lists(out, lists, nil, None, |w, out, heads, sofar| {
            let y = body(w, out, heads);
            w.push(out, Kind::LambdaCons, &[y, sofar], ty)
        });
        let nil = self.push(out, Kind::LambdaNil, &[], ty);
        self.reversed_onto(out, backwards, nil, Some(result));
    }

    fn fold_list(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) {
        let f = stmt.operands[0];
        let step = |w: &mut Self, out: &mut Vec<Stmt>, heads: &[Var], sofar: Var| w.apply(out, f, &[sofar, heads[0]]);
        self.over_lists(out, &stmt.operands[2..], stmt.operands[1], Some(stmt.result()), step);
    }

    /// Emits a scan of a list. The list of states of the fold is carried with the state, in a tuple.
    fn scan_list(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) {
        let (f, init, ty) = (stmt.operands[0], stmt.operands[1], self.program.ty(stmt.result()));
        let nil = self.push(out, Kind::LambdaNil, &[], ty);
        let start = self.program.tuple(out, &[init, nil], self.at);
        let pair = self.program.ty(start);
        let both = self.over_lists(out, &stmt.operands[2..], start, None, |w, out, heads, sofar| {
            let (last, all) = (w.get(out, sofar, 0), w.get(out, sofar, 1));
            let next = w.apply(out, f, &[last, heads[0]]);
            let all = w.push(out, Kind::LambdaCons, &[next, all], ty);
            w.push(out, Kind::LambdaTuple, &[next, all], pair)
        });
        let backwards = self.get(out, both, 1);
        let nil = self.push(out, Kind::LambdaNil, &[], ty);
        self.reversed_onto(out, backwards, nil, Some(stmt.result()));
    }

    fn concat(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) {
        let ty = self.program.ty(stmt.result());
        let nil = self.push(out, Kind::LambdaNil, &[], ty);
        let backwards = self.reversed_onto(out, stmt.operands[0], nil, None);
        self.reversed_onto(out, backwards, stmt.operands[1], Some(stmt.result()));
    }

    /// Emits the extent of an axis.
    fn extent(&mut self, out: &mut Vec<Stmt>, array: Var, axis: usize) -> Var {
        let index = self.program.context.index();
        match self.program.ty(array).shape()[axis] {
            Some(n) => self.program.integer(out, n as i64, index, self.at),
            None => {
                let axis = Attribute::integer(self.program.context.scalar(Element::I64), axis as i64);
                self.program.push_with(out, Kind::ArrayLength, &[array], &[("axis", axis)], index, self.at)
            }
        }
    }

    /// Emits nested loops over axes of `array`, with one carried value.
    fn over_axes(
        &mut self,
        out: &mut Vec<Stmt>,
        (array, axes): (Var, &[usize]),
        init: Var,
        result: Option<Var>,
        indices: &mut Vec<(usize, Var)>,
        body: &mut dyn FnMut(&mut Self, &mut Vec<Stmt>, &[(usize, Var)], Var) -> Var,
    ) -> Var {
        let Some((axis, rest)) = axes.split_first() else { return body(self, out, indices, init) };
        let n = self.extent(out, array, *axis);
        let i = self.program.fresh(self.program.context.index(), Some("i".into()));
        let sofar = self.program.like(init, self.program.ty(init));
        indices.push((*axis, i));
        let mut stmts = Vec::new();
        let next = self.over_axes(&mut stmts, (array, rest), sofar, None, indices, body);
        indices.pop();
        let code = Code::yields(vec![i, sofar], stmts, vec![next]);
        let given = result.unwrap_or_else(|| self.program.like(init, self.program.ty(init)));
        out.push(Stmt::new(Kind::LambdaFor, vec![given], vec![n, init], vec![code], self.at));
        given
    }

    /// Emits an uninitialised array like the result of `ty`; its dynamic sizes are `extents`, in order.
    fn blank(&mut self, out: &mut Vec<Stmt>, ty: Type, mut extents: Vec<Var>) -> Var {
        if has_static_sizes(ty) {
            return self.program.constant(out, zero_attribute(ty), ty, self.at);
        }
        let mut filled = self.program.constant(out, zero_attribute(ty.scalar()), ty.scalar(), self.at);
        let shape = ty.shape();
        for k in (0..shape.len()).rev() {
            let next = self.program.ty(filled).stacked(&[shape[k]]);
            let mut operands = vec![filled];
            if shape[k].is_none() {
                operands.push(extents.pop().expect("one for each dynamic size"));
            }
            filled = self.push(out, Kind::ArrayReplicate, &operands, next);
        }
        filled
    }

    /// Emits the dynamic sizes of some axes of an array.
    fn extents(&mut self, out: &mut Vec<Stmt>, array: Var, axes: impl IntoIterator<Item = usize>) -> Vec<Var> {
        let shape = self.program.ty(array).shape();
        axes.into_iter().filter(|k| shape[*k].is_none()).map(|k| self.extent(out, array, k)).collect()
    }

    /// Emits the dynamic sizes of all axes of an array or a scalar.
    fn all_extents(&mut self, out: &mut Vec<Stmt>, array: Var) -> Vec<Var> {
        let rank = self.program.ty(array).rank();
        self.extents(out, array, 0..rank)
    }

    fn compare(&mut self, out: &mut Vec<Stmt>, predicate: CmpIPredicate, x: Var, y: Var) -> Var {
        let context = self.program.context;
        let predicate = Attribute::integer(context.scalar(Element::I64), predicate as i64);
        let bool = context.scalar(Element::I1);
        self.program.push_with(out, Kind::ArithCmpi, &[x, y], &[("predicate", predicate)], bool, self.at)
    }

    /// Emits the dynamic sizes of the results of `f` on elements of `xs`, from the first elements; zeros if there are
    /// none.
    fn row_extents(&mut self, out: &mut Vec<Stmt>, f: Var, xs: &[Var], row: Type) -> Vec<Var> {
        let open = row.shape().iter().filter(|size| size.is_none()).count();
        if open == 0 {
            return vec![];
        }
        let index = self.program.context.index();
        let zero = self.program.integer(out, 0, index, self.at);
        let mut some = self.program.bool(out, true, self.at);
        let rank = self.program.ty(xs[0]).rank();
        for axis in 0..rank {
            let n = self.extent(out, xs[0], axis);
            let is_positive = self.compare(out, CmpIPredicate::Sgt, n, zero);
            let bool = self.program.ty(some);
            some = self.push(out, Kind::ArithAndi, &[some, is_positive], bool);
        }
        let mut first = Vec::new();
        let elements: Vec<Var> = xs.iter().map(|x| self.aget(&mut first, *x, &vec![zero; rank])).collect();
        let y = self.apply(&mut first, f, &elements);
        let sizes = self.all_extents(&mut first, y);
        let codes = vec![Code::yields(vec![], first, sizes), Code::yields(vec![], vec![], vec![zero; open])];
        let results: Vec<Var> = (0..open).map(|_| self.program.fresh(index, None)).collect();
        out.push(Stmt::new(Kind::LambdaIf, results.clone(), vec![some], codes, self.at));
        results
    }

    /// Emits an array or a scalar, with a check at run time that its dynamic sizes are `extents`.
    fn with_extents(&mut self, out: &mut Vec<Stmt>, x: Var, extents: &[Var]) -> Var {
        let own = self.all_extents(out, x);
        let text = |text: &str| self.program.context.string_attr(text);
        let attributes =
            [("code", text("shape-mismatch")), ("text", text("all rows of an array must have equal sizes"))];
        let ty = self.program.ty(x);
        own.into_iter().zip(extents).fold(x, |x, (own, n)| {
            let ok = self.compare(out, CmpIPredicate::Eq, own, *n);
            self.program.push_with(out, Kind::LambdaCheck, &[ok, x], &attributes, ty, self.at)
        })
    }

    fn aget(&mut self, out: &mut Vec<Stmt>, array: Var, indices: &[Var]) -> Var {
        let ty = self.program.ty(array);
        let element = Type::array(&ty.shape()[indices.len()..], ty.scalar());
        self.push(out, Kind::LambdaAget, &[&[array], indices].concat(), element)
    }

    fn aset(&mut self, out: &mut Vec<Stmt>, array: Var, indices: &[Var], value: Var) -> Var {
        let ty = self.program.ty(array);
        self.push(out, Kind::LambdaAset, &[&[array], indices, &[value]].concat(), ty)
    }

    fn map_array(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) {
        let (f, xs) = (stmt.operands[0], stmt.operands[1..].to_vec());
        let axes: Vec<usize> = (0..self.program.ty(xs[0]).rank()).collect();
        let ty = self.program.ty(stmt.result());
        let row = Type::array(&ty.shape()[axes.len()..], ty.scalar());
        let sizes = self.row_extents(out, f, &xs, row);
        let leading = self.all_extents(out, xs[0]);
        let blank = self.blank(out, ty, [leading, sizes.clone()].concat());
        let mut body = |w: &mut Self, out: &mut Vec<Stmt>, at: &[(usize, Var)], sofar: Var| {
            let indices: Vec<Var> = at.iter().map(|i| i.1).collect();
            let elements: Vec<Var> = xs.iter().map(|x| w.aget(out, *x, &indices)).collect();
            let y = w.apply(out, f, &elements);
            let y = w.with_extents(out, y, &sizes);
            w.aset(out, sofar, &indices, y)
        };
        self.over_axes(out, (xs[0], &axes), blank, Some(stmt.result()), &mut Vec::new(), &mut body);
    }

    fn fold_array(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) {
        let (f, init, xs) = (stmt.operands[0], stmt.operands[1], stmt.operands[2]);
        let mut body = |w: &mut Self, out: &mut Vec<Stmt>, at: &[(usize, Var)], sofar: Var| {
            let row = w.aget(out, xs, &[at[0].1]);
            w.apply(out, f, &[sofar, row])
        };
        self.over_axes(out, (xs, &[0]), init, Some(stmt.result()), &mut Vec::new(), &mut body);
    }

    fn scan_array(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) {
        let (f, init, xs) = (stmt.operands[0], stmt.operands[1], stmt.operands[2]);
        let ty = self.program.ty(stmt.result());
        let sizes = self.all_extents(out, init);
        let leading = self.extents(out, xs, [0]);
        let blank = self.blank(out, ty, [leading, sizes].concat());
        let start = self.program.tuple(out, &[init, blank], self.at);
        let pair = self.program.ty(start);
        let mut body = |w: &mut Self, out: &mut Vec<Stmt>, at: &[(usize, Var)], sofar: Var| {
            let (last, all) = (w.get(out, sofar, 0), w.get(out, sofar, 1));
            let row = w.aget(out, xs, &[at[0].1]);
            let next = w.apply(out, f, &[last, row]);
            let all = w.aset(out, all, &[at[0].1], next);
            w.push(out, Kind::LambdaTuple, &[next, all], pair)
        };
        let both = self.over_axes(out, (xs, &[0]), start, None, &mut Vec::new(), &mut body);
        self.program.part_into(out, stmt.result(), both, 1, self.at);
    }

    /// Emits a loop over the remaining axes, with a fold over the reduced ones, in row-major order.
    fn reduce(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) {
        let (f, init, x) = (stmt.operands[0], stmt.operands[1], stmt.operands[2]);
        let dims = stmt.attribute("dims").and_then(Attribute::as_i64_array).unwrap_or_default();
        let rank = self.program.ty(x).rank();
        let (gone, kept): (Vec<usize>, Vec<usize>) = (0..rank).partition(|k| dims.contains(&(*k as i64)));
        let mut inner = |w: &mut Self, out: &mut Vec<Stmt>, at: &[(usize, Var)], sofar: Var| {
            let mut at = at.to_vec();
            at.sort();
            let indices: Vec<Var> = at.iter().map(|i| i.1).collect();
            let element = w.aget(out, x, &indices);
            w.apply(out, f, &[sofar, element])
        };
        if kept.is_empty() {
            self.over_axes(out, (x, &gone), init, Some(stmt.result()), &mut Vec::new(), &mut inner);
            return;
        }
        let ty = self.program.ty(stmt.result());
        let sizes = self.all_extents(out, init);
        let leading = self.extents(out, x, kept.iter().copied());
        let blank = self.blank(out, ty, [leading, sizes].concat());
        let mut outer = |w: &mut Self, out: &mut Vec<Stmt>, at: &[(usize, Var)], sofar: Var| {
            let total = w.over_axes(out, (x, &gone), init, None, &mut at.to_vec(), &mut inner);
            let indices: Vec<Var> = at.iter().map(|i| i.1).collect();
            w.aset(out, sofar, &indices, total)
        };
        self.over_axes(out, (x, &kept), blank, Some(stmt.result()), &mut Vec::new(), &mut outer);
    }
}
