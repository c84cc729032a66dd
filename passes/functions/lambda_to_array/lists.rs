//! Conversion of lists. A list whose elements are all known becomes these values. A list that a loop grows becomes an
//! array with space for all elements that will be prepended.
//!
//! The number of these elements must be known before the loop: it is the number of iterations times the number of
//! elements that one iteration prepends. A loop with a condition is first executed without its lists, to count its
//! iterations.

use super::tree::{List, NotData, Stack, Tree, assembled, flat, leaves};
use super::{Writer, untyped};
use crate::analysis::edit::{self, Extent};
use crate::analysis::facts::Size;
use crate::functions::position;
use crate::functions::statements::zero_attribute;
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::*;
use mlopt_dialects::lambda::types::{TypeKind, tangent};
use mlopt_dialects::ops::array::Check;
use mlopt_dialects::ops::{CmpIPredicate, HasKind, Kind};
use std::rc::Rc;

/// A row of an array of a list: its type, and its dynamic sizes.
struct Row {
    ty: Type,
    sizes: Vec<Value>,
}

/// The growth of a carried list in one iteration.
#[derive(Clone, Copy)]
pub struct Growth {
    /// The maximum number of prepended values.
    pub most: i64,
    /// The change of the length, if it is certain.
    pub exact: Option<i64>,
    /// True if it is passed on unchanged.
    pub stays: bool,
    /// The type of its values.
    pub element: Type,
}

/// Returns the growth of the list at `path` in argument `argument` of `body`, whose next value is result number
/// `result`; `None` if it cannot be determined.
pub fn growth(body: Block, result: usize, argument: usize, path: &[usize]) -> Option<Growth> {
    let (start, end) = (body.argument(argument), body.terminator()?.operand(result));
    let element = path.iter().try_fold(start.ty(), |ty, k| ty.parts().get(*k).copied())?;
    let TypeKind::List(element) = TypeKind::of(element) else { return None };
    let trace = Trace { start, path };
    let change = trace.of(end, path.to_vec())?;
    Some(Growth { most: change.most, exact: change.exact, stays: change.same, element })
}

#[derive(Clone, Copy)]
struct Change {
    most: i64,
    exact: Option<i64>,
    same: bool,
}

/// A traversal from a list back to the beginning of an iteration.
struct Trace<'t> {
    start: Value,
    path: &'t [usize],
}

impl Trace<'_> {
    fn of(&self, v: Value, path: Vec<usize>) -> Option<Change> {
        use Kind::*;
        if v == self.start {
            return (path == self.path).then_some(Change { most: 0, exact: Some(0), same: true });
        }
        let (op, r) = v.defining_op()?;
        let longer = |k: usize| [&[k], path.as_slice()].concat();
        match op.kind() {
            LambdaCons if path.is_empty() => {
                let rest = self.of(op.operand(1), path)?;
                Some(Change { most: rest.most + 1, exact: rest.exact.map(|n| n + 1), same: false })
            }
            LambdaTail if path.is_empty() => {
                let all = self.of(op.operand(0), path)?;
                Some(Change { exact: all.exact.map(|n| n - 1), same: false, ..all })
            }
            LambdaNil => Some(Change { most: 0, exact: None, same: false }),
            LambdaTuple | LambdaRecord => {
                let (k, rest) = path.split_first()?;
                self.of(op.operand(*k), rest.to_vec())
            }
            LambdaGet | LambdaField => self.of(op.operand(0), longer(position(op)?)),
            LambdaTset | LambdaWith => {
                let (k, rest) = path.split_first()?;
                if *k == position(op)? { self.of(op.operand(1), rest.to_vec()) } else { self.of(op.operand(0), path) }
            }
            LambdaThe | LambdaStopGradient | LambdaOpaque | LambdaTransfer => self.of(op.operand(0), path),
            LambdaCheck => self.of(op.operand(1), path),
            LambdaIf => {
                let side = |s: usize| self.of(op.region(s).first_block()?.terminator()?.operand(r), path.clone());
                let (x, y) = (side(0)?, side(1)?);
                let exact = if x.exact == y.exact { x.exact } else { None };
                Some(Change { most: x.most.max(y.most), exact, same: x.same && y.same })
            }
            LambdaFor => {
                let before = self.of(op.operand(r + 1), path.clone())?;
                let one = growth(op.body()?, r, r + 1, &path)?;
                after(before, one, edit::known(op.operand(0)).map(|n| n.max(0)))
            }
            LambdaWhile => {
                let before = self.of(op.operand(r), path.clone())?;
                let one = growth(op.region(1).first_block()?, r, r, &path)?;
                after(before, one, None)
            }
            _ => None,
        }
    }
}

/// Returns the change of a list after `rounds` iterations, if their number is known.
fn after(before: Change, one: Growth, rounds: Option<i64>) -> Option<Change> {
    let same = before.same && one.stays;
    match rounds {
        Some(n) => {
            let most = before.most.checked_add(one.most.checked_mul(n)?)?;
            let exact = before.exact.zip(one.exact).and_then(|(x, y)| x.checked_add(y.checked_mul(n)?));
            Some(Change { most, exact, same })
        }
        None if one.most == 0 => Some(Change { exact: before.exact.filter(|_| one.exact == Some(0)), same, ..before }),
        None => None,
    }
}

impl Tree {
    /// Checks whether a list in it grows.
    pub fn grows(&self, path: &mut Vec<usize>, growth: &dyn Fn(&[usize]) -> Option<Growth>) -> bool {
        match self {
            Tree::One(_) | Tree::Missing => false,
            Tree::Many(parts) => parts.iter().enumerate().any(|(k, part)| {
                path.push(k);
                let grows = part.grows(path, growth);
                path.pop();
                grows
            }),
            Tree::List(_) => growth(path).is_some_and(|g| g.most > 0),
        }
    }
}

impl List {
    /// Returns the room in values, if it is a constant.
    pub fn room(&self) -> Option<usize> {
        match self {
            List::Probe(_) => None,
            List::Known(values) => Some(values.len()),
            List::Stack(stack) => stack.arrays.first().map_or(Some(0), |a| a.ty().shape()[0]),
        }
    }

    /// Returns the type of its values, if it is known.
    pub fn element(&self) -> Option<Type> {
        match self {
            List::Known(_) | List::Probe(_) => None,
            List::Stack(stack) => Some(stack.element),
        }
    }
}

impl Writer {
    //===-- room ------------------------------------------------------------------------------------------------===//

    /// Returns `list` as arrays with room for `count` times `more` further values. Returns `None` for values without
    /// fixed sizes.
    pub(super) fn stack(
        &mut self,
        b: Builder,
        list: &List,
        count: Value,
        more: i64,
        element: Type,
        template: Option<&Rc<Tree>>,
    ) -> Option<Stack> {
        let known = match more {
            0 => Some(0),
            _ => self.facts.known(Size::Value(count)).and_then(|n| n.max(0).checked_mul(more)),
        };
        match list {
            List::Probe(_) => None,
            List::Stack(stack) if known != Some(0) && self.facts.known(Size::Value(stack.length)) == Some(0) => {
                let template = stack.template.as_ref().or(template);
                self.stack(b, &List::Known([].into()), count, more, element, template)
            }
            List::Stack(stack) if known.is_some_and(|n| n <= stack.spare) => {
                let used = known.unwrap_or(0);
                Some(Stack { spare: more, behind: stack.spare - used, ..stack.clone() })
            }
            List::Stack(stack) => {
                let rows = self.rows_of(element, stack.template.as_ref())?;
                let extra = self.times(b, count, more);
                let mut arrays = Vec::new();
                for (array, row) in stack.arrays.iter().zip(&rows) {
                    let rows = self.rows(b, row, known, extra);
                    arrays.push(b.append(*array, rows));
                }
                let room = self.early(b, Kind::ArithAddi, &[stack.room, extra], self.context.index());
                Some(Stack { arrays: arrays.into(), room, spare: more, behind: 0, ..stack.clone() })
            }
            List::Known(values) => {
                let first = values.first().filter(|_| flat(element).is_none()).map(|v| Rc::new(v.clone()));
                let template = first.as_ref().or(template);
                let rows = self.rows_of(element, template)?;
                // An array has at least one row, so that reads are in range.
                let all = known.and_then(|n| n.checked_add(values.len() as i64)).map(|n| n.max(1));
                let room = match all {
                    Some(n) => self.early_index(b, n),
                    None => {
                        let extra = self.times(b, count, more);
                        let beside = self.early_index(b, values.len() as i64);
                        self.early(b, Kind::ArithAddi, &[extra, beside], self.context.index())
                    }
                };
                let arrays = rows.iter().map(|row| self.rows(b, row, all, room)).collect();
                let length = self.index(b, 0);
                let template = template.filter(|_| flat(element).is_none()).cloned();
                let spare = values.len() as i64;
                let mut stack = Stack { template, spare, ..Stack::new(arrays, length, room, element) };
                for value in values.iter().rev() {
                    if !self.fits(&stack, value) {
                        return None;
                    }
                    stack = self.pushed(b, &stack, value);
                }
                Some(Stack { spare: more, ..stack })
            }
        }
    }

    fn times(&mut self, b: Builder, count: Value, more: i64) -> Value {
        if more == 1 {
            return count;
        }
        let more = self.early_index(b, more);
        self.early(b, Kind::ArithMuli, &[count, more], self.context.index())
    }

    /// Returns the rows of the arrays of a list of such values; `None` if their sizes are not known here.
    fn rows_of(&self, element: Type, template: Option<&Rc<Tree>>) -> Option<Vec<Row>> {
        if let Some(types) = flat(element) {
            return Some(types.into_iter().map(|ty| Row { ty, sizes: vec![] }).collect());
        }
        let mut rows = Vec::new();
        self.collect_rows(template?, &mut rows)?;
        Some(rows)
    }

    fn collect_rows(&self, tree: &Tree, rows: &mut Vec<Row>) -> Option<()> {
        match tree {
            Tree::One(value) => {
                let ty = value.ty();
                let fixed = ty.shape().iter().all(Option::is_some);
                fixed.then(|| rows.push(Row { ty, sizes: vec![] }))
            }
            Tree::Many(parts) | Tree::List(List::Known(parts)) => {
                parts.iter().try_for_each(|part| self.collect_rows(part, rows))
            }
            Tree::List(List::Stack(stack)) => {
                for (array, row) in stack.arrays.iter().zip(self.rows_of(stack.element, stack.template.as_ref())?) {
                    let leading = array.ty().shape()[0];
                    if leading.is_none() && !self.is_visible(stack.room) {
                        return None;
                    }
                    let open: Vec<Value> = if leading.is_none() { vec![stack.room] } else { vec![] };
                    rows.push(Row { ty: array.ty(), sizes: [open, row.sizes].concat() });
                }
                rows.push(Row { ty: stack.length.ty(), sizes: vec![] });
                Some(())
            }
            Tree::List(List::Probe(_)) | Tree::Missing => None,
        }
    }

    /// Emits an array of `known` zeros, or of `n` if the size is dynamic.
    fn rows(&mut self, b: Builder, row: &Row, known: Option<i64>, n: Value) -> Value {
        let scalar = row.ty.scalar();
        let shape = [&[known.map(|n| n as usize)], row.ty.shape().as_slice()].concat();
        if shape.iter().all(Option::is_some) {
            let ty = Type::tensor(&shape, scalar);
            return b.constant(zero_attribute(ty), ty);
        }
        let mut sizes: Vec<Value> = if known.is_none() { vec![n] } else { vec![] };
        sizes.extend(&row.sizes);
        let array = b.constant(zero_attribute(scalar), scalar);
        let extents = Extent::all(&shape, &sizes).into_iter().rev();
        extents.fold(array, |array, n| b.replicate(array, n.dim(), n.operand().unwrap_or(array)))
    }

    /// Checks whether a value has the form of the values of a list.
    pub(super) fn fits(&mut self, stack: &Stack, value: &Tree) -> bool {
        stack.template.as_ref().is_none_or(|template| {
            let (mine, its) = (template.rooms(), value.rooms());
            let same = |(x, y): (&Value, &Value)| x == y || self.facts.same(Size::Value(*x), Size::Value(*y));
            value.is_like(template) && mine.len() == its.len() && mine.iter().zip(&its).all(same)
        })
    }

    /// Returns a list with `value` prepended.
    pub(super) fn pushed(&mut self, b: Builder, stack: &Stack, value: &Tree) -> Stack {
        let arrays = stack.arrays.iter().zip(value.leaves());
        let arrays = arrays.map(|(array, value)| self.put(b, value, *array, &[stack.length])).collect();
        let one = self.index(b, 1);
        let length = self.arith(b, Kind::ArithAddi, &[stack.length, one], self.context.index());
        Stack { arrays, length, spare: stack.spare - 1, ..stack.clone() }
    }

    /// Returns the position of the head; the program stops if the list is empty.
    fn top(&mut self, b: Builder, stack: &Stack, what: &str) -> Value {
        if !self.facts.is_positive(Size::Value(stack.length)) {
            let ok = self.positive(b, stack.length);
            Check::create(b, ok, &[], "empty-list", what);
        }
        let one = self.index(b, 1);
        self.arith(b, Kind::ArithSubi, &[stack.length, one], self.context.index())
    }

    //===-- ops -------------------------------------------------------------------------------------------------===//

    pub(super) fn list_op(&mut self, op: Op, b: Builder) -> Result<Tree, Reported> {
        let ty = op.result(0).ty();
        let kind = op.kind();
        if kind == Kind::LambdaNil {
            return Ok(Tree::List(List::Known([].into())));
        }
        if kind == Kind::LambdaCons {
            let (head, Tree::List(tail)) = (self.tree(op.operand(0)), self.tree(op.operand(1))) else {
                return Err(untyped(op));
            };
            return Ok(Tree::List(match tail {
                List::Known(values) => List::Known([&[head], &values[..]].concat().into()),
                List::Probe(found) => {
                    if found.borrow().is_none() {
                        *found.borrow_mut() = Some(head);
                    }
                    List::Probe(found)
                }
                List::Stack(stack) if !self.fits(&stack, &head) => {
                    return Err(op.not_supported("all values of a list must have the same sizes"));
                }
                // The room was allocated before the loop, or is allocated here.
                List::Stack(stack) if stack.spare > 0 => List::Stack(self.pushed(b, &stack, &head)),
                List::Stack(stack) => {
                    let (one, element) = (self.early_index(b, 1), stack.element);
                    let Some(stack) = self.stack(b, &List::Stack(stack), one, 1, element, None) else {
                        return Err(op.not_supported("all values of a list must have the same sizes"));
                    };
                    List::Stack(self.pushed(b, &stack, &head))
                }
            }));
        }
        if kind == Kind::LambdaToList {
            let array = self.value(op.operand(0));
            let TypeKind::List(element) = TypeKind::of(ty) else { return Err(untyped(op)) };
            if flat(element).is_none() {
                return Err(op.not_supported("all values of a list must have the same sizes"));
            }
            let length = self.extent(b, array, 0);
            return Ok(Tree::List(List::Stack(Stack::new([b.reverse(array)].into(), length, length, element))));
        }
        let Tree::List(list) = self.tree(op.operand(0)) else { return Err(untyped(op)) };
        match kind {
            Kind::LambdaHead | Kind::LambdaTail => self.end(op, b, &list),
            Kind::LambdaIsEmpty | Kind::LambdaLength => {
                let Some(n) = self.length_of(b, &list) else { return Ok(Tree::Missing) };
                if kind == Kind::LambdaLength {
                    return Ok(Tree::One(self.arith(b, Kind::ArithIndexCast, &[n], ty)));
                }
                let zero = self.index(b, 0);
                Ok(Tree::One(b.equal(n, zero)))
            }
            Kind::LambdaConcat => {
                let Tree::List(rest) = self.tree(op.operand(1)) else { return Err(untyped(op)) };
                if let List::Probe(_) = list {
                    return Ok(Tree::Missing);
                }
                self.joined(op, b, &list, &rest).map(Tree::List)
            }
            _ => self.as_array(op, b, &list),
        }
    }

    /// Returns the length of a list; `None` if the form of its values is being determined.
    pub(super) fn length_of(&mut self, b: Builder, list: &List) -> Option<Value> {
        match list {
            List::Known(values) => Some(self.index(b, values.len() as i64)),
            List::Stack(stack) => Some(stack.length),
            List::Probe(_) => None,
        }
    }

    fn end(&mut self, op: Op, b: Builder, list: &List) -> Result<Tree, Reported> {
        let is_head = op.kind() == Kind::LambdaHead;
        let what = format!("an empty list has no {}", if is_head { "head" } else { "tail" });
        match list {
            List::Known(values) => match values.split_first() {
                Some((head, _)) if is_head => Ok(head.clone()),
                Some((_, tail)) => Ok(Tree::List(List::Known(tail.into()))),
                None => {
                    Check::create(b, b.bool(false), &[], "empty-list", &what);
                    self.anything(op, b)
                }
            },
            List::Stack(stack) => {
                let top = self.top(b, stack, &what);
                if !is_head {
                    return Ok(Tree::List(List::Stack(Stack { length: top, spare: stack.spare + 1, ..stack.clone() })));
                }
                let values: Vec<Value> = stack.arrays.iter().map(|a| b.get(*a, &[top])).collect();
                let mut values = values.into_iter();
                match &stack.template {
                    None => Ok(assembled(stack.element, &mut values)),
                    Some(template) => Ok(self.seen_again(b, &template.with_no_spare().rebuilt(&mut values))),
                }
            }
            List::Probe(_) => Ok(if is_head { Tree::Missing } else { Tree::List(list.clone()) }),
        }
    }

    /// Returns a value that is read from a list: the room of its lists is the size of their arrays, if it is not known
    /// otherwise.
    fn seen_again(&mut self, b: Builder, tree: &Tree) -> Tree {
        match tree {
            Tree::Many(parts) => Tree::Many(parts.iter().map(|p| self.seen_again(b, p)).collect()),
            Tree::List(List::Stack(stack)) if !self.is_visible(stack.room) => {
                let room = stack.arrays.first().map_or(stack.length, |array| self.extent(b, *array, 0));
                Tree::List(List::Stack(Stack { room, ..stack.clone() }))
            }
            _ => tree.clone(),
        }
    }

    /// Returns a placeholder of the type of the result, for code after an error.
    fn anything(&mut self, op: Op, b: Builder) -> Result<Tree, Reported> {
        let ty = op.result(0).ty();
        if let TypeKind::List(_) = TypeKind::of(ty) {
            return Ok(Tree::List(List::Known([].into())));
        }
        let Some(types) = flat(ty) else {
            let text = "the list is empty, and then the result must have static sizes and contain no list";
            let text = format!("{text}, found type {ty}");
            return Err(op.not_supported(text));
        };
        let mut values = types.into_iter().map(|ty| b.constant(zero_attribute(ty), ty));
        Ok(assembled(ty, &mut values))
    }

    fn joined(&mut self, op: Op, b: Builder, list: &List, rest: &List) -> Result<List, Reported> {
        if let (List::Known(x), List::Known(y)) = (list, rest) {
            return Ok(List::Known([&x[..], &y[..]].concat().into()));
        }
        let Some(element) = list.element().or(rest.element()) else {
            return Err(op.not_supported("lists of lists cannot be concatenated"));
        };
        let one = self.index(b, 1);
        let stacks = [list, rest].map(|l| self.stack(b, l, one, 0, element, None));
        let [Some(top), Some(bottom)] = stacks else {
            return Err(op.not_supported("all values of a list must have the same sizes"));
        };
        let length = self.arith(b, Kind::ArithAddi, &[bottom.length, top.length], self.context.index());
        if top.template.is_some() || bottom.template.is_some() {
            return Err(op.not_supported("lists of lists cannot be concatenated"));
        }
        let room = self.early(b, Kind::ArithAddi, &[bottom.room, top.room], self.context.index());
        let mut arrays = Vec::new();
        for (x, y) in bottom.arrays.iter().zip(top.arrays.iter()) {
            let rows = [self.extent(b, *x, 0), self.extent(b, *y, 0)];
            let all = self.arith(b, Kind::ArithAddi, &rows, self.context.index());
            let z = b.build(&[None], &[all], |b, i| {
                let above = b.unary(Kind::ArithSubi, &[i[0], bottom.length], i[0].ty());
                let first = b.compare_integers(CmpIPredicate::Ult, i[0], bottom.length);
                vec![b.select(first, b.get(*x, i), b.get(*y, &[above]))]
            });
            arrays.push(z[0]);
        }
        Ok(List::Stack(Stack::new(arrays.into(), length, room, element)))
    }

    /// Converts `lambda.to_array`.
    fn as_array(&mut self, op: Op, b: Builder, list: &List) -> Result<Tree, Reported> {
        let ty = op.result(0).ty().with_encoding(None);
        let Some(n) = self.length_of(b, list) else { return Ok(Tree::Missing) };
        if let Some(wanted) = ty.shape()[0] {
            let wanted = self.index(b, wanted as i64);
            if !self.facts.same(Size::Value(n), Size::Value(wanted)) {
                let ok = b.equal(n, wanted);
                let text = "a list of {} values cannot form an array of {} rows";
                Check::create(b, ok, &[n, wanted], "shape-mismatch", text);
            }
        }
        Ok(Tree::One(self.array_of(b, list, 0, ty, n)))
    }

    /// Returns leaf `k` of all values of a list, from the head on, as an array of this type.
    fn array_of(&mut self, b: Builder, list: &List, k: usize, ty: Type, n: Value) -> Value {
        match list {
            List::Known(values) => {
                let rows: Vec<Value> = values.iter().map(|v| v.leaves()[k]).collect();
                if rows.is_empty() {
                    let row = Row { ty: Type::array(&ty.shape()[1..], ty.scalar()), sizes: vec![] };
                    return self.rows(b, &row, ty.shape()[0].map(|n| n as i64), n);
                }
                let z = b.stack(&rows);
                if z.ty() == ty { z } else { b.unary(Kind::TensorCast, &[z], ty) }
            }
            List::Probe(_) => unreachable!("a list of known length"),
            List::Stack(stack) => {
                let one = b.index(1);
                let last = self.arith(b, Kind::ArithSubi, &[n, one], n.ty());
                let leading = ty.shape()[0];
                let extents: Vec<Value> = if leading.is_none() { vec![n] } else { vec![] };
                b.build(&[leading], &extents, |b, i| {
                    let row = b.unary(Kind::ArithSubi, &[last, i[0]], last.ty());
                    vec![b.get(stack.arrays[k], &[row])]
                })[0]
            }
        }
    }

    //===-- boundaries ------------------------------------------------------------------------------------------===//

    /// Returns a list from an array for each leaf of its values.
    pub(super) fn list_from(&mut self, b: Builder, element: Type, given: &mut dyn Iterator<Item = Value>) -> Tree {
        let leaves = flat(element).expect("the boundary has been checked").len();
        let arrays: Vec<Value> = (0..leaves).map(|_| given.next().expect("one for each leaf")).collect();
        let length = self.extent(b, arrays[0], 0);
        for array in &arrays[1..] {
            let other = self.extent(b, *array, 0);
            let ok = b.equal(other, length);
            let text = "the arrays of one list must have equal lengths, found {} and {}";
            Check::create(b, ok, &[other, length], "shape-mismatch", text);
        }
        let arrays = arrays.into_iter().map(|a| b.reverse(a)).collect();
        Tree::List(List::Stack(Stack::new(arrays, length, length, element)))
    }

    pub(super) fn list_returned(
        &mut self,
        b: Builder,
        op: Op,
        list: &List,
        ty: Type,
        out: &mut Vec<Value>,
    ) -> Result<(), Reported> {
        let odd = |text: NotData| op.not_supported(format!("a result has type {ty}: {text}"));
        let types = leaves(ty).map_err(odd)?;
        let n = self.length_of(b, list).ok_or_else(|| odd(NotData::ListOfLists))?;
        out.extend(types.into_iter().enumerate().map(|(k, ty)| self.array_of(b, list, k, ty, n)));
        Ok(())
    }

    /// Returns the zeros of the tangents of the values of a list.
    pub(super) fn zero_list(&mut self, op: Op, b: Builder, ty: Type, x: &Tree) -> Result<Tree, Reported> {
        let element = ty.parts()[0];
        Ok(Tree::List(match x {
            Tree::List(List::Known(values)) => {
                let zeros = values.iter().map(|v| self.zeros(op, b, element, v));
                List::Known(zeros.collect::<Result<_, _>>()?)
            }
            Tree::List(List::Probe(_)) => return Ok(Tree::Missing),
            Tree::List(List::Stack(stack)) => {
                let zero = tangent(element);
                let template = match &stack.template {
                    Some(template) => Some(Rc::new(self.tried(b, |w, b| w.zeros(op, b, element, template))?)),
                    None => None,
                };
                let Some(rows) = self.rows_of(zero, template.as_ref()) else {
                    return Err(op.not_supported("all values of a list must have the same sizes"));
                };
                let known = stack.arrays.first().and_then(|a| a.ty().shape()[0]).map(|n| n as i64);
                let arrays = rows.iter().map(|row| self.rows(b, row, known, stack.room)).collect();
                let template = template.filter(|_| flat(zero).is_none());
                List::Stack(Stack { template, ..Stack::new(arrays, stack.length, stack.room, zero) })
            }
            _ => return Err(untyped(op)),
        }))
    }

    /// Writes ops into a temporary block, only to determine the forms of their results.
    fn tried<T>(&mut self, b: Builder, write: impl FnOnce(&mut Self, Builder) -> T) -> T {
        let inner = b.new_block(&[]);
        let result = self.inside(inner.block, |w| write(w, inner));
        self.scratch.push(inner.block);
        result
    }

    /// Returns the sum of two lists of tangents, elementwise.
    pub(super) fn list_sum(&mut self, op: Op, b: Builder, ty: Type, x: &List, y: &List) -> Result<List, Reported> {
        let element = ty.parts()[0];
        if let (List::Known(x), List::Known(y)) = (x, y)
            && x.len() == y.len()
        {
            let sums = x.iter().zip(y.iter()).map(|(x, y)| self.sum(op, b, element, x, y));
            return Ok(List::Known(sums.collect::<Result<_, _>>()?));
        }
        let one = self.early_index(b, 1);
        let stacks = [x, y].map(|l| self.stack(b, l, one, 0, element, None));
        let [Some(x), Some(y)] = stacks else {
            return Err(op.not_supported("lists of values of different sizes cannot be added"));
        };
        if x.template.is_some() || y.template.is_some() {
            return Err(op.not_supported("lists of lists cannot be added"));
        }
        if !self.facts.same(Size::Value(x.length), Size::Value(y.length)) {
            let ok = b.equal(x.length, y.length);
            let text = "added lists must have equal lengths, found {} and {}";
            Check::create(b, ok, &[x.length, y.length], "shape-mismatch", text);
        }
        let mut arrays = Vec::new();
        for (p, q) in x.arrays.iter().zip(y.arrays.iter()) {
            let z = b.build_like(*p, 1, |b, i| {
                let (p, q) = (b.get(*p, i), b.get(*q, i));
                vec![b.unary(Kind::ArithAddf, &[p, q], p.ty())]
            });
            arrays.push(z[0]);
        }
        Ok(List::Stack(Stack { arrays: arrays.into(), spare: 0, behind: 0, ..x }))
    }
}
