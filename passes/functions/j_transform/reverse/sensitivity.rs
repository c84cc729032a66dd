//! The contributions to the cotangent of each value, and their sum.

use super::{Images, Transform, image, varies};
use crate::functions::anf::{Stmt, Var};
use mlopt_dialects::ir::{Location, Type};
use mlopt_dialects::lambda::types::{self, TypeKind};
use mlopt_dialects::ops::Kind;
use std::collections::HashMap;

/// The contribution of a use of a value to its cotangent.
pub(super) enum Contribution {
    /// A cotangent of the whole value.
    Whole(Var),
    /// The cotangent of one element of a tuple, or field of a record.
    Part(usize, Var),
    /// The cotangent of the element at these indices of an array (their images). It is added in place, without an
    /// array of zeros.
    At(Vec<Var>, Var),
    /// The cotangent of the head of a list.
    Head(Var),
    /// The cotangent of the tail of a list.
    Tail(Var),
}

use Contribution::*;

/// A backward part that is being written.
pub struct BackwardPart<'i> {
    /// The images of values in the forward part.
    images: &'i Images,
    /// The collected contributions, by value.
    contributions: HashMap<Var, Vec<Contribution>>,
    /// The statements so far.
    pub out: Vec<Stmt>,
}

impl BackwardPart<'_> {
    pub fn new(images: &Images) -> BackwardPart<'_> {
        BackwardPart { images, contributions: HashMap::new(), out: Vec::new() }
    }

    /// Returns the image of a value. A free variable that is data is its own image.
    pub fn image(&self, var: Var) -> Var {
        image(self.images, var)
    }

    pub fn has(&self, var: Var) -> bool {
        self.contributions.contains_key(&var)
    }

    pub(super) fn add(&mut self, t: &Transform, var: Var, sensitivity: Var) {
        self.push(t, var, Whole(sensitivity));
    }

    /// Adds a contribution, unless the value or the contribution does not vary.
    pub(super) fn push(&mut self, t: &Transform, var: Var, contribution: Contribution) {
        let (Whole(s) | Part(_, s) | At(_, s) | Head(s) | Tail(s)) = &contribution;
        if t.varies(var) && varies(t.program.ty(*s)) {
            self.contributions.entry(var).or_default().push(contribution);
        }
    }

    /// Removes the contributions to `var`, and returns their sum; zero if there are none.
    pub(super) fn total(&mut self, t: &mut Transform, var: Var, at: Location) -> Var {
        let Some(contributions) = self.contributions.remove(&var) else { return t.zero(var, self, at) };
        let primal = self.image(var);
        let tangent = types::tangent(t.program.ty(var));
        let mut whole: Option<Var> = None;
        let out = &mut self.out;
        let (mut parts, mut places, mut heads, mut tails) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for contribution in contributions {
            match contribution {
                Whole(s) => whole = Some(plus(t, out, whole, s, at)),
                Part(k, s) => parts.push((k, s)),
                At(indices, s) => places.push((indices, s)),
                Head(s) => heads.push(s),
                Tail(s) => tails.push(s),
            }
        }
        if !parts.is_empty() {
            let put_together = from_parts(t, var, parts, primal, out, at);
            whole = Some(plus(t, out, whole, put_together, at));
        }
        if !heads.is_empty() || !tails.is_empty() {
            let put_together = from_list(t, (heads, tails), primal, tangent, out, at);
            whole = Some(plus(t, out, whole, put_together, at));
        }
        let mut sum = whole.unwrap_or_else(|| t.zero(var, self, at));
        let out = &mut self.out;
        for (indices, s) in places {
            let read = [&[sum], indices.as_slice()].concat();
            let element = t.program.ty(s);
            let old = t.program.push(out, Kind::LambdaAget, &read, element, at);
            let new = plus(t, out, Some(old), s, at);
            let written = [read, vec![new]].concat();
            sum = t.program.push(out, Kind::LambdaAset, &written, tangent, at);
        }
        sum
    }
}

/// Writes the sum of two cotangents; returns `s` if there is no other.
pub(super) fn plus(t: &mut Transform, out: &mut Vec<Stmt>, sum: Option<Var>, s: Var, at: Location) -> Var {
    let Some(sum) = sum else { return s };
    let ty = t.program.ty(sum);
    let op = match TypeKind::of(ty) {
        TypeKind::Array(_) => Kind::ArithAddf,
        TypeKind::Env => Kind::LambdaEnvAdd,
        _ => Kind::LambdaGadd,
    };
    t.program.push(out, op, &[sum, s], ty, at)
}

/// Writes a tuple or record of the sums of its parts, zero for missing ones.
fn from_parts(
    t: &mut Transform,
    var: Var,
    parts: Vec<(usize, Var)>,
    primal: Var,
    out: &mut Vec<Stmt>,
    at: Location,
) -> Var {
    let ty = t.program.ty(var);
    let mut sums: Vec<Option<Var>> = vec![None; ty.parts().len()];
    for (k, s) in parts {
        sums[k] = Some(plus(t, out, sums[k], s, at));
    }
    let sums = sums.into_iter().zip(ty.parts()).enumerate().map(|(k, (sum, part))| {
        sum.unwrap_or_else(|| {
            let like = t.program.part(out, primal, k, at);
            t.zero_of(out, part, like, at)
        })
    });
    let all: Vec<Var> = sums.collect();
    t.program.whole(out, &all, types::tangent(ty), at)
}

/// Writes a list of cotangents from those of the head and of the tail.
fn from_list(
    t: &mut Transform,
    (heads, tails): (Vec<Var>, Vec<Var>),
    primal: Var,
    tangent: Type,
    out: &mut Vec<Stmt>,
    at: Location,
) -> Var {
    let list = t.program.ty(primal);
    let sum = |t: &mut Transform, out: &mut Vec<Stmt>, all: Vec<Var>| {
        all.into_iter().fold(None, |sum, s| Some(plus(t, out, sum, s, at)))
    };
    let (head, tail) = (sum(t, out, heads), sum(t, out, tails));
    let head = head.unwrap_or_else(|| {
        let first = t.program.push(out, Kind::LambdaHead, &[primal], list.parts()[0], at);
        t.program.push(out, Kind::LambdaZerosLike, &[first], tangent.parts()[0], at)
    });
    let tail = tail.unwrap_or_else(|| {
        let rest = t.program.push(out, Kind::LambdaTail, &[primal], list, at);
        t.program.push(out, Kind::LambdaZerosLike, &[rest], tangent, at)
    });
    t.program.push(out, Kind::LambdaCons, &[head, tail], tangent, at)
}
