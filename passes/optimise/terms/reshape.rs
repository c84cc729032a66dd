//! Reshapes as builds. A build reads the operand at the position that has the same row-major number as the position in
//! the result. The reverse direction recognises such a build as a reshape.

use super::op::Op;
use super::pool::Pool;
use super::prim::Prim;
use super::range::{Linear, is_small};
use egg::Id;
use mlopt_dialects::value::Element;
use std::ops::Range;

/// Groups of axes of an array and of its reshape that contain the same elements.
type Group = (Range<usize>, Range<usize>);

/// A read position: `array[..]` at the element with the row-major number `number` among those of the leading axes that
/// are read.
struct Position {
    array: Id,
    number: Linear,
    /// The number of elements of the leading axes, as a linear form.
    count: Linear,
    /// True if the number contains quotients or remainders.
    is_computed: bool,
}

impl Pool {
    /// Returns `x` in row-major order with the sizes `to`. Returns `None` if the numbers of elements are neither known
    /// nor `promised` to agree, or if a dynamic size is not that of an outermost axis.
    pub(crate) fn reshape(&mut self, x: Id, to: &[Id], promised: bool) -> Option<Id> {
        let from = self.extents(x);
        let mut lengths = |sizes: Vec<Id>| sizes.into_iter().map(|n| self.length_of(n)).collect::<Vec<Id>>();
        let (from, mut to) = (lengths(from), lengths(to.to_vec()));
        let groups = self.regroup(&from, &mut to, promised)?;
        Some(self.reshaped(x, &from, &to, &groups))
    }

    /// Partitions the axes into the smallest groups with provably equal products. A size in `to` that the program
    /// promises is computed from the others.
    fn regroup(&mut self, from: &[Id], to: &mut [Id], promised: bool) -> Option<Vec<Group>> {
        if from.iter().chain(to.iter()).any(|&n| self.as_int(n) == Some(0)) {
            return Some(vec![(0..from.len(), 0..to.len())]);
        }
        let (mut i, mut j) = (from.len(), to.len());
        let mut groups = Vec::new();
        while i > 0 || j > 0 {
            let (end_i, end_j) = (i, j);
            if i > 0 && j > 0 && self.equal(from[i - 1], to[j - 1]) == Some(true) {
                (i, j) = (i - 1, j - 1);
                groups.push((i..end_i, j..end_j));
                continue;
            }
            // From the innermost axes outwards: one axis of each side, then further axes on the side with the smaller
            // product, until the products agree.
            let (mut p, mut q) = (1i128, 1i128);
            loop {
                let first = i == end_i && j == end_j;
                let (left, right) = (i > 0 && (first || p < q), j > 0 && (first || q < p));
                let next = |take: bool, sizes: &[Id], k: usize| match take {
                    true => self.as_int(sizes[k - 1]).map(i128::from),
                    false => Some(1),
                };
                match (next(left, from, i), next(right, to, j)) {
                    (Some(m), Some(n)) if left || right => {
                        (p, q) = (p.checked_mul(m)?, q.checked_mul(n)?);
                        (i, j) = (i - usize::from(left), j - usize::from(right));
                    }
                    _ => return self.outermost(from, to, (i..end_i, j..end_j), (p, q), promised, groups),
                }
                if p == q {
                    break;
                }
            }
            groups.push((i..end_i, j..end_j));
        }
        groups.reverse();
        Some(groups)
    }

    /// Returns the last group if it contains a dynamic size: that of an outermost axis, on either side. `p` and `q` are
    /// the products of the other axes of the group.
    fn outermost(
        &mut self,
        from: &[Id],
        to: &mut [Id],
        group: Group,
        (mut p, mut q): (i128, i128),
        promised: bool,
        mut groups: Vec<Group>,
    ) -> Option<Vec<Group>> {
        let (i, j) = (group.0.start, group.1.start);
        // All further axes are static.
        for &n in from[..i].iter().skip(1) {
            p = p.checked_mul(self.as_int(n)?.into())?;
        }
        for &n in to[..j].iter().skip(1) {
            q = q.checked_mul(self.as_int(n)?.into())?;
        }
        let one = self.index(1);
        let first = |sizes: &[Id], open: usize| if open > 0 { sizes[0] } else { one };
        let (m, n) = (first(from, i), first(to, j));
        let (have, want) = (self.linear(m), self.linear(n));
        if have.times(p) != want.times(q) {
            if !promised || j == 0 {
                return None;
            }
            // m·p = n·q.
            let common = gcd(p, q);
            let product = self.from_linear(&have.times(p / common), Element::Index);
            let divisor = q / common;
            let promise = match (self.as_int(product).map(i128::from), divisor) {
                (Some(product), _) if product % divisor != 0 => return None,
                (Some(product), _) => self.index((product / divisor) as i64),
                (None, 1) => product,
                (None, _) => {
                    let divisor = self.index(divisor as i64);
                    let quotient = self.prim2(Prim::Div, product, divisor);
                    self.assume_exact(quotient);
                    quotient
                }
            };
            let elements = match divisor {
                1 => n,
                _ => {
                    let divisor = self.index(divisor as i64);
                    self.prim2(Prim::MulI, n, divisor)
                }
            };
            self.promised.push([product, elements]);
            self.assume_length(n, promise);
            to[0] = promise;
        }
        groups.push((0..group.0.end, 0..group.1.end));
        groups.reverse();
        Some(groups)
    }

    fn reshaped(&mut self, x: Id, from: &[Id], to: &[Id], groups: &[Group]) -> Id {
        let rank = to.len();
        let is_empty = from.iter().chain(to).any(|&n| self.as_int(n) == Some(0));
        let zero = self.index(0);
        let mut indices = Vec::new();
        for (old, new) in groups {
            if is_empty {
                // No element is read.
                indices.extend(old.clone().map(|_| zero));
                continue;
            }
            // The number of the position among those of the group.
            let (mut number, mut stride) = (Linear::constant(0), 1);
            for axis in new.clone().rev() {
                let size = self.as_int(to[axis]);
                if size != Some(1) {
                    let n = self.shift(to[axis], 0, rank as i64);
                    let i = self.ix((rank - 1 - axis) as u32, n);
                    number = number.add(&self.linear(i), stride);
                }
                stride *= i128::from(size.unwrap_or(1));
            }
            let number = self.from_linear(&number, Element::Index);
            let (mut parts, mut stride) = (Vec::new(), 1i128);
            for axis in old.clone().rev() {
                let size = self.as_int(from[axis]);
                if size == Some(1) {
                    parts.push(zero);
                    continue;
                }
                let mut part = number;
                if stride > 1 {
                    let by = self.index(stride as i64);
                    part = self.prim2(Prim::Div, part, by);
                }
                if old.clone().any(|outer| outer < axis && self.as_int(from[outer]) != Some(1)) {
                    part = self.prim2(Prim::Mod, part, from[axis]);
                }
                parts.push(part);
                stride *= i128::from(size.unwrap_or(1));
            }
            indices.extend(parts.into_iter().rev());
        }
        let mut t = self.shift(x, 0, rank as i64);
        for i in indices {
            t = self.get(t, i);
        }
        self.builds(to, t)
    }

    /// Returns the read position of a term, if all axes that it reads except the outermost have known sizes and their
    /// indices are in range. `own` is the number of levels whose variables the array must not mention.
    fn position(&mut self, t: Id, own: u32) -> Option<Position> {
        let (mut array, mut indices) = (t, Vec::new());
        let depends = |pool: &Pool, t: Id| (0..own).any(|level| pool.mentions(t, level));
        while self.op(array) == Op::Get && depends(self, array) {
            indices.push(self.child(array, 1));
            array = self.child(array, 0);
        }
        if depends(self, array) {
            return None;
        }
        let (mut number, mut stride) = (Linear::constant(0), Linear::constant(1));
        // The last axis first, the order in which they were found.
        for (k, &i) in indices.iter().enumerate() {
            let n = self.extent(array, indices.len() - 1 - k);
            let by = stride.as_constant()?;
            if k + 1 < indices.len() && self.in_bounds(i, n) != Some(true) {
                return None;
            }
            number = number.add(&self.linear(i), by);
            stride = self.linear(n).times(by);
        }
        // A single row is the array.
        while self.op(array) == Op::Get && self.as_int(self.child(array, 1)) == Some(0) {
            let rows = self.extent(self.child(array, 0), 0);
            if self.as_int(rows) != Some(1) {
                break;
            }
            array = self.child(array, 0);
        }
        let number = self.recombined(number);
        if !is_small(&number) {
            return None;
        }
        // The only index of an axis of length one.
        let is_only = |t: Id| matches!(self.op(t), Op::Ix(_)) && self.as_int(self.child(t, 0)) == Some(1);
        let number = Linear { terms: number.terms.into_iter().filter(|t| !is_only(t.0)).collect(), ..number };
        let is_division = |t: Id| matches!(self.op(t), Op::Prim(Prim::Div | Prim::Mod, _));
        let is_computed = indices.iter().any(|&i| self.linear(i).terms.iter().any(|t| is_division(t.0)));
        Some(Position { array, number, count: stride, is_computed })
    }

    /// Returns the array of which a nest of builds is a reshape.
    pub(crate) fn reshape_of(&mut self, t: Id) -> Option<Id> {
        let (mut body, mut extents) = (t, Vec::new());
        while self.op(body) == Op::Build {
            let n = self.child(body, 0);
            let depth = extents.len() as u32;
            if (0..depth).any(|level| self.mentions(n, level)) {
                return None;
            }
            extents.push(self.shift(n, 0, -(depth as i64)));
            body = self.child(body, 1);
        }
        let rank = extents.len();
        let Position { array, number, count, .. } = self.position(body, rank as u32)?;
        let array = self.shift(array, 0, -(rank as i64));
        if self.rank(array) == 0 {
            return None;
        }
        let (mut wanted, mut stride) = (Linear::constant(0), Linear::constant(1));
        for (axis, &n) in extents.iter().enumerate().rev() {
            let by = stride.as_constant()?;
            if self.as_int(n) != Some(1) {
                let n = self.shift(n, 0, rank as i64);
                let i = self.ix((rank - 1 - axis) as u32, n);
                wanted = wanted.add(&self.linear(i), by);
            }
            stride = self.linear(n).times(by);
        }
        let down = self.from_linear(&count, Element::Index);
        let count = self.shift(down, 0, -(rank as i64));
        let stride = self.recombined(stride);
        (number == wanted && self.linear(count) == stride).then_some(array)
    }

    /// Replaces a read at a computed position by a read of the reshaped array at a plain one: at the indices of loops
    /// if these number all elements, else at the number.
    pub(crate) fn at_plain_indices(&mut self, t: Id) -> Option<Id> {
        let is_plain = |pool: &Pool, i: Id| {
            matches!(pool.op(i), Op::Ix(_) | Op::Const(..) | Op::State(..) | Op::Leaf(..) | Op::Get)
        };
        let (mut array, mut plain) = (t, true);
        while self.op(array) == Op::Get {
            plain &= is_plain(self, self.child(array, 1));
            array = self.child(array, 0);
        }
        if plain {
            return None;
        }
        let levels = self.info(t).free.iter().map(|f| f.level + 1).max()?;
        // These are the innermost levels whose variables the array does not mention.
        let own = (1..=levels).rev().find(|&own| (0..own).all(|level| !self.mentions(array, level)))?;
        let Position { array, number, count, is_computed } = self.position(t, own)?;
        let one = |number: &Linear| number.terms.iter().all(|t| matches!(self.op(t.0), Op::Ix(level) if level < own));
        if number.terms.is_empty() || !one(&number) {
            return None;
        }
        let rank = self.rank(array) - self.rank(t);
        let from: Vec<Id> = (0..rank).map(|axis| self.extent(array, axis)).collect();
        let from: Vec<Id> = from.into_iter().map(|n| self.length_of(n)).collect();
        let (to, at) = match self.axes(&number, &count, own) {
            Some(axes) => axes,
            None if is_computed => {
                let n = self.from_linear(&count, Element::Index);
                (vec![n], vec![self.from_linear(&number, Element::Index)])
            }
            None => return None,
        };
        let mut sizes = to.clone();
        let groups = self.regroup(&from, &mut sizes, false)?;
        let mut read = self.reshaped(array, &from, &to, &groups);
        // If the reshape were not recognised, the same positions would be computed.
        self.reshape_of(read)?;
        for i in at {
            read = self.get(read, i);
        }
        (read != t).then_some(read)
    }

    /// Returns the sizes and index variables that a number is composed of, if it enumerates all of `count` in row-major
    /// order.
    fn axes(&mut self, number: &Linear, count: &Linear, own: u32) -> Option<(Vec<Id>, Vec<Id>)> {
        if number.constant != 0 {
            return None;
        }
        let mut terms = number.terms.clone();
        terms.sort_by_key(|t| t.1);
        let mut stride = Linear::constant(1);
        let (mut sizes, mut indices) = (Vec::new(), Vec::new());
        for (i, c) in terms {
            let n = self.child(i, 0);
            if stride.as_constant() != Some(c) || (0..own).any(|level| self.mentions(n, level)) {
                return None;
            }
            stride = self.linear(n).times(c);
            sizes.push(n);
            indices.push(i);
        }
        if self.recombined(stride) != *count {
            return None;
        }
        sizes.reverse();
        indices.reverse();
        Some((sizes, indices))
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
