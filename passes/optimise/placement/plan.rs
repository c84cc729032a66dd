//! Plans: placed terms as ordered statements in scopes. A plan is close to the final ops, and the cost of plans decides
//! which form is selected.

use crate::optimise::terms::cost::Assumed;
use crate::optimise::terms::op::{Flags, Op, Reduction};
pub use crate::optimise::terms::pool::Type;

/// A value of a plan.
pub type Val = u32;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Stmt {
    /// A constant, primitive, conditional, length or stack.
    Op {
        op: Op,
        args: Vec<Val>,
        out: Val,
    },
    /// An opaque pure op, with all of its results.
    Opaque {
        number: u32,
        args: Vec<Val>,
        outs: Vec<Val>,
    },
    Get {
        array: Val,
        indices: Vec<Val>,
        out: Val,
    },
    /// One array for each yielded value of the scope, whose arguments are the indices.
    Build {
        extents: Vec<Val>,
        scope: usize,
        outs: Vec<Val>,
    },
    /// A reduction over `axes`, strictly increasing.
    Reduce {
        reduction: Reduction,
        flags: Flags,
        array: Val,
        axes: Vec<usize>,
        out: Val,
    },
    /// A loop. The arguments of the scope are the index, then the states.
    Ifold {
        n: Val,
        inits: Vec<Val>,
        scope: usize,
        outs: Vec<Val>,
    },
    /// `init` with the elements of `array` added at the positions that the scope yields. The arguments of the scope are
    /// the indices of the leading axes of `array`.
    Scatter {
        array: Val,
        init: Val,
        scope: usize,
        out: Val,
    },
    /// `n` rows, from row `start` on.
    Slice {
        array: Val,
        start: Val,
        n: Val,
        out: Val,
    },
    /// The rows in reverse order.
    Reverse {
        array: Val,
        out: Val,
    },
    Transpose {
        array: Val,
        permutation: Vec<usize>,
        out: Val,
    },
    /// The same elements in row-major order. `sizes` are the lengths of all axes of the result. `otherwise` is the op
    /// as an opaque one, which is used if the numbers of elements are not known to agree.
    Reshape {
        array: Val,
        sizes: Vec<Val>,
        otherwise: Option<Box<Stmt>>,
        out: Val,
    },
    /// Copies along a new outermost axis; occurs only in plans of the input.
    Replicate {
        x: Val,
        n: Val,
        out: Val,
    },
    /// The same array at a type with more or fewer static sizes.
    Retype {
        array: Val,
        out: Val,
    },
}

impl Stmt {
    pub fn outs(&self) -> &[Val] {
        match self {
            Stmt::Op { out, .. }
            | Stmt::Get { out, .. }
            | Stmt::Reduce { out, .. }
            | Stmt::Scatter { out, .. }
            | Stmt::Slice { out, .. }
            | Stmt::Reverse { out, .. }
            | Stmt::Transpose { out, .. }
            | Stmt::Reshape { out, .. }
            | Stmt::Retype { out, .. }
            | Stmt::Replicate { out, .. } => std::slice::from_ref(out),
            Stmt::Build { outs, .. } | Stmt::Ifold { outs, .. } | Stmt::Opaque { outs, .. } => outs,
        }
    }

    /// Returns the values that the statement itself reads, without those that its scope reads.
    pub fn args(&self) -> Vec<Val> {
        match self {
            Stmt::Op { args, .. } | Stmt::Opaque { args, .. } | Stmt::Build { extents: args, .. } => args.clone(),
            Stmt::Get { array: first, indices: rest, .. }
            | Stmt::Reshape { array: first, sizes: rest, .. }
            | Stmt::Ifold { n: first, inits: rest, .. } => [&[*first], rest.as_slice()].concat(),
            Stmt::Reduce { array, .. }
            | Stmt::Transpose { array, .. }
            | Stmt::Reverse { array, .. }
            | Stmt::Retype { array, .. } => vec![*array],
            Stmt::Slice { array, start, n, .. } => vec![*array, *start, *n],
            Stmt::Replicate { x: a, n: b, .. } | Stmt::Scatter { array: a, init: b, .. } => vec![*a, *b],
        }
    }

    pub fn map_args(&mut self, f: &dyn Fn(Val) -> Val) {
        if let Stmt::Reshape { otherwise: Some(s), .. } = self {
            s.map_args(f);
        }
        self.values().0.into_iter().for_each(|v| *v = f(*v));
    }

    /// Clears the parts that do not determine what the statement computes from its operands: the results, the number of
    /// its scope, and the form of a reshape as an opaque op.
    pub fn clear_results(&mut self) {
        self.values().1.fill(0);
        match self {
            Stmt::Build { scope, .. } | Stmt::Ifold { scope, .. } | Stmt::Scatter { scope, .. } => *scope = 0,
            Stmt::Reshape { otherwise, .. } => *otherwise = None,
            _ => {}
        }
    }

    /// Returns the values that the statement itself reads, in the order of [`Stmt::args`], and its results.
    fn values(&mut self) -> (Vec<&mut Val>, &mut [Val]) {
        match self {
            Stmt::Op { args, out, .. } => (args.iter_mut().collect(), std::slice::from_mut(out)),
            Stmt::Opaque { args, outs, .. } | Stmt::Build { extents: args, outs, .. } => {
                (args.iter_mut().collect(), outs)
            }
            Stmt::Get { array, indices: rest, out } | Stmt::Reshape { array, sizes: rest, out, .. } => {
                (std::iter::once(array).chain(rest).collect(), std::slice::from_mut(out))
            }
            Stmt::Ifold { n, inits, outs, .. } => (std::iter::once(n).chain(inits).collect(), outs),
            Stmt::Reduce { array, out, .. }
            | Stmt::Transpose { array, out, .. }
            | Stmt::Reverse { array, out }
            | Stmt::Retype { array, out } => (vec![array], std::slice::from_mut(out)),
            Stmt::Slice { array, start, n, out } => (vec![array, start, n], std::slice::from_mut(out)),
            Stmt::Scatter { array: a, init: b, out, .. } | Stmt::Replicate { x: a, n: b, out } => {
                (vec![a, b], std::slice::from_mut(out))
            }
        }
    }

    pub fn scope(&self) -> Option<usize> {
        match self {
            Stmt::Build { scope, .. } | Stmt::Ifold { scope, .. } | Stmt::Scatter { scope, .. } => Some(*scope),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub parent: Option<usize>,
    pub args: Vec<Val>,
    pub stmts: Vec<Stmt>,
    pub yields: Vec<Val>,
}

/// A plan. Scope 0 is the region itself.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub scopes: Vec<Scope>,
    pub types: Vec<Type>,
    /// The number of the leaf of each value that is one.
    pub leaves: Vec<Option<u32>>,
    /// The integer of each value that is a constant; costs read trip counts from it.
    pub constants: Vec<Option<i64>>,
    /// The term for which each value was placed.
    pub terms: Vec<Option<egg::Id>>,
    /// The types of the results of opaque ops.
    pub opaque: Vec<Vec<Type>>,
    /// The length that costs assume where none is known.
    pub assumed_length: Assumed,
    /// The value to which fusion found each value to be equal; empty before fusion.
    pub alias: Vec<Val>,
    /// Pairs of arrays whose sizes along an axis must be equal, with a result of the op that requires it.
    pub same_sizes: Vec<([Val; 2], usize, Val)>,
}

impl Plan {
    pub fn value(&mut self, ty: Type) -> Val {
        self.types.push(ty);
        self.leaves.push(None);
        self.constants.push(None);
        self.terms.push(None);
        self.types.len() as Val - 1
    }

    /// Returns the representative of `v` after fusion.
    pub fn find(&self, mut v: Val) -> Val {
        while let Some(&other) = self.alias.get(v as usize) {
            if other == v {
                break;
            }
            v = other;
        }
        v
    }

    pub fn depth(&self, scope: usize) -> usize {
        self.around(scope).count() - 1
    }

    pub fn encloses(&self, outer: usize, inner: usize) -> bool {
        self.around(inner).any(|scope| scope == outer)
    }

    /// Returns a scope and the scopes around it, innermost first.
    fn around(&self, scope: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(scope), move |&scope| self.scopes[scope].parent)
    }

    /// Returns a scope and all scopes in it, outer ones first.
    pub fn inside(&self, scope: usize) -> Vec<usize> {
        let (mut found, mut done) = (vec![scope], 0);
        while done < found.len() {
            found.extend(self.scopes[found[done]].stmts.iter().filter_map(Stmt::scope));
            done += 1;
        }
        found
    }

    /// Checks that every value is defined before it is read, in the scope of the read or around it. For tests.
    pub fn check(&self) -> Result<(), String> {
        fn go(plan: &Plan, scope: usize, known: &mut std::collections::HashSet<Val>) -> Result<(), String> {
            known.extend(&plan.scopes[scope].args);
            for s in &plan.scopes[scope].stmts {
                let type_tells = |a: &Val| {
                    matches!(s, Stmt::Build { .. } | Stmt::Replicate { .. } | Stmt::Slice { .. } | Stmt::Reshape { .. })
                        && plan.constants[*a as usize].is_some()
                };
                if let Some(v) = s.args().into_iter().find(|a| !known.contains(a) && !type_tells(a)) {
                    return Err(format!("{v} is read by {s:?} before it is defined"));
                }
                if let Some(inner) = s.scope() {
                    go(plan, inner, &mut known.clone())?;
                }
                known.extend(s.outs());
            }
            match plan.scopes[scope].yields.iter().find(|y| !known.contains(y)) {
                Some(y) => Err(format!("{y} is yielded before it is defined")),
                None => Ok(()),
            }
        }
        let mut known = (0..self.leaves.len() as Val).filter(|&v| self.leaves[v as usize].is_some()).collect();
        go(self, 0, &mut known)
    }

    /// Returns the maximum number of results of a build.
    pub fn widest(&self) -> usize {
        let builds = self.scopes.iter().flat_map(|scope| &scope.stmts).filter(|s| matches!(s, Stmt::Build { .. }));
        builds.map(|s| s.outs().len()).max().unwrap_or(0)
    }

    /// Returns the number of statements of the whole plan.
    pub fn len(&self) -> usize {
        self.scopes.iter().map(|s| s.stmts.len()).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
