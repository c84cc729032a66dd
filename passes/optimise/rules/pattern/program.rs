//! Compilation of the left side of a pattern to a sequence of tests. Terms are held in registers; the operands of a
//! term that matches an operator are loaded into registers of their own.

use super::{APPLICATION, FUNCTION, OPERATION, Pattern, Variable, counts};
use crate::optimise::terms::data::Form;
use crate::optimise::terms::prim::{EQ, Prim};
use crate::optimise::terms::{Flags, Op, Pool};
use egg::Id;
use smallvec::SmallVec;

/// The number of a register.
pub(super) type Register = u16;

/// A test of the term in a register. Tests with several results are tried in order.
#[derive(Debug)]
pub(super) enum Test {
    /// One of the forms of the term has an operator.
    Operator(Operator),
    /// The term has exactly this operator, whose operands follow from it.
    Exact(Register, Op),
    /// The value of a variable: the term, outside of the binders of the pattern.
    Variable { register: Register, variable: usize, depth: u32 },
    /// The value of a variable that is read at indices of the pattern: an array of the term.
    Read(Read),
    /// The value of a map: the term under the binders of the pattern.
    Map { register: Register, variable: usize },
    /// The term is a condition with certain conjuncts.
    Conjuncts(Conjuncts),
    /// The term is the constant that is the position with this number.
    Number(Register, u32),
    /// The end of the tests of one of several operands: the tests from `start` on follow for the next operand, if any.
    Next { each: Each, start: usize },
}

/// All operands of an operator, one or more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Each {
    /// The register of the current operand. The next one holds the term with these operands.
    pub(super) register: Register,
    /// The number of the position that is the number of the current operand.
    pub(super) position: u32,
    /// The variable for the number of operands.
    pub(super) count: usize,
}

#[derive(Debug)]
pub(super) struct Operator {
    pub(super) register: Register,
    pub(super) op: Op,
    /// True if the operator needs no flags.
    pub(super) is_spared: bool,
    /// True if the operands match in both orders.
    pub(super) commutes: bool,
    pub(super) flags: Role,
    /// The register of the first operand.
    pub(super) first: Register,
    /// The kinds of operators that each operand may have, as bits, besides operands of which there are any number.
    pub(super) kinds: SmallVec<[u64; 4]>,
    /// The variable for any number of operands, and the number of the others before them.
    pub(super) many: Option<(usize, usize)>,
    /// The test of all operands alike, if there is one.
    pub(super) each: Option<Each>,
}

impl Operator {
    /// Checks whether the operator may have more operands than there are kinds.
    pub(super) fn is_open(&self) -> bool {
        self.many.is_some() || self.each.is_some()
    }
}

/// A condition as a set of conjuncts under `depth` binders: `(and c (p i))` or `(and (== i d) (p i))`.
#[derive(Debug)]
pub(super) struct Conjuncts {
    pub(super) register: Register,
    pub(super) depth: u32,
    /// The variable for all conjuncts that depend on no variable of the pattern, one or more; or for the index.
    pub(super) first: usize,
    /// True if a conjunct holds for one index only.
    pub(super) is_index: bool,
    /// The map for the other conjuncts, which may be none.
    pub(super) others: usize,
}

/// The group of operators whose common flags an operator limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    None,
    Float,
    /// Negations, beside other float operators.
    Negation,
    Reduction,
}

#[derive(Debug)]
pub(super) struct Read {
    pub(super) register: Register,
    pub(super) variable: usize,
    /// The levels of the indices, by axis.
    pub(super) levels: SmallVec<[u32; 4]>,
    /// The extents of these indices, terms of the pattern under `depth` binders.
    pub(super) extents: SmallVec<[Id; 2]>,
    pub(super) depth: u32,
}

/// Returns the tests of the left side, and the number of registers. The first test is that of the root.
pub(super) fn tests(pattern: &Pattern) -> (Vec<Test>, usize) {
    let mut program = Program { pattern, tests: vec![], registers: 1 };
    program.add(pattern.left, 0, 0);
    (program.tests, program.registers.into())
}

struct Program<'p> {
    pattern: &'p Pattern,
    tests: Vec<Test>,
    registers: Register,
}

impl Program<'_> {
    fn add(&mut self, p: Id, register: Register, depth: u32) {
        let pool = &self.pattern.pool;
        let node = pool.node(p);
        if let Some(variable) = self.pattern.variable(p) {
            self.tests.push(Test::Variable { register, variable, depth });
            return;
        }
        if let Some((variable, levels)) = self.read(p, depth) {
            let axes = std::iter::successors(Some(p), |&q| Some(pool.child(q, 0))).take(levels.len());
            let mut extents: SmallVec<[Id; 2]> = axes.map(|q| pool.child(pool.child(q, 1), 0)).collect();
            extents.reverse();
            self.tests.push(Test::Read(Read { register, variable, levels, extents, depth }));
            return;
        }
        if let Some(variable) = self.pattern.applied(p) {
            self.tests.push(Test::Map { register, variable });
            return;
        }
        if let Some(parts) = self.conjuncts(p, register, depth) {
            self.tests.push(Test::Conjuncts(parts));
            return;
        }
        if is_exact(node.op) {
            self.tests.push(Test::Exact(register, node.op.head()));
            return;
        }
        if let Some(k) = number(pool, p) {
            self.tests.push(Test::Number(register, k));
            return;
        }
        let is_many = |&k: &usize| self.pattern.is_many(node.children[k]);
        let place = (0..node.children.len()).find(is_many);
        let many = place.and_then(|at| Some((self.pattern.variable(node.children[at])?, at)));
        let single: SmallVec<[usize; 4]> = (0..node.children.len()).filter(|k| Some(*k) != place).collect();
        let first = self.registers;
        let repeated = node.children.first().and_then(|&c| each(pool, c));
        let each = repeated
            .and_then(|(position, n, _)| Some(Each { register: first, position, count: self.pattern.variable(n)? }));
        self.registers += if each.is_some() { 2 } else { single.len() as Register };
        let single = if each.is_some() { SmallVec::new() } else { single };
        let kinds = single.iter().map(|&k| self.kinds(node.children[k], depth + node.binds(k))).collect();
        let (flags, is_spared) = match node.op {
            Op::Prim(p, _) if counts(p) => (Role::Float, false),
            Op::Prim(p, _) if p.is_float() => (Role::Negation, self.pattern.spares_negation),
            Op::Reduce(..) => (Role::Reduction, true),
            _ => (Role::None, true),
        };
        // The operands of a function of the whole term match in one order.
        let right = pool.node(self.pattern.right);
        let is_function = matches!(right.op, Op::Opaque(FUNCTION.., ..));
        let is_operand = p == self.pattern.left && is_function && right.children.as_slice() == [p];
        let commutes = commutes(node.op) && !is_operand;
        let operator = Operator { register, op: node.op, is_spared, commutes, flags, first, kinds, many, each };
        self.tests.push(Test::Operator(operator));
        if let (Some(each), Some((_, _, body))) = (each, repeated) {
            let start = self.tests.len();
            self.add(body, each.register, depth);
            self.tests.push(Test::Next { each, start });
        }
        let mut order: SmallVec<[(usize, Register); 4]> = single.into_iter().zip(first..).collect();
        // Extents come before bodies, and tests that fail sooner before those that cost more.
        if order.iter().all(|&(k, _)| node.binds(k) == 0) {
            order.sort_by_key(|&(k, _)| self.effort(node.children[k]));
        }
        for (k, register) in order {
            self.add(node.children[k], register, depth + node.binds(k));
        }
    }

    fn read(&self, p: Id, depth: u32) -> Option<(usize, SmallVec<[u32; 4]>)> {
        let found = read_of_variable(&self.pattern.pool, &self.pattern.variables, p);
        // The read of a given array is an operator as others.
        found.filter(|(k, levels)| !self.pattern.variables[*k].is_given && levels.iter().all(|&level| level < depth))
    }

    /// Returns the parts of a condition that is matched as a set of conjuncts.
    fn conjuncts(&self, p: Id, register: Register, depth: u32) -> Option<Conjuncts> {
        let pool = &self.pattern.pool;
        if pool.op(p) != Op::Prim(Prim::AndI, Flags::NONE) {
            return None;
        }
        let (first, others) = (pool.child(p, 0), self.pattern.applied(pool.child(p, 1))?);
        let is_equation = pool.op(first) == Op::Prim(Prim::CmpI(EQ), Flags::NONE);
        let is_index = is_equation && pool.op(pool.child(first, 0)) == Op::Ix(0);
        let first = self.pattern.variable(if is_index { pool.child(first, 1) } else { first })?;
        Some(Conjuncts { register, depth, first, is_index, others })
    }

    /// Returns the kinds of operators that terms matched by `p` may have.
    fn kinds(&self, p: Id, depth: u32) -> u64 {
        match self.pattern.variable(p) {
            Some(k) if self.pattern.variables[k].is_constant => Op::CONSTANTS,
            Some(_) => !0,
            None if self.read(p, depth).is_some() => !0,
            None if self.pattern.applied(p).is_some() || self.conjuncts(p, 0, depth).is_some() => !0,
            None if number(&self.pattern.pool, p).is_some() => Op::CONSTANTS,
            None => kinds(self.pattern.pool.op(p)),
        }
    }

    /// Returns a number that is larger for terms of the pattern whose matching costs more.
    fn effort(&self, p: Id) -> u8 {
        match (self.pattern.variable(p), self.pattern.pool.op(p)) {
            (Some(k), _) if self.pattern.variables[k].is_constant => 1,
            (Some(_), _) => 2,
            (None, Op::Const(..) | Op::Zero(_) | Op::One(_) | Op::State(..)) => 0,
            (None, Op::Opaque(APPLICATION, ..)) => 2,
            (None, _) => 3,
        }
    }
}

/// Returns the position that a term is, as a number.
pub(super) fn number(pool: &Pool, t: Id) -> Option<u32> {
    let node = pool.node(t);
    if let Op::Data(Form::Part(k), _) = node.op { node.children.is_empty().then_some(k) } else { None }
}

/// Returns the position, the count and the body of a term that all operands match.
fn each(pool: &Pool, t: Id) -> Option<(u32, Id, Id)> {
    match pool.op(t) {
        Op::Data(Form::Other(k), _) => Some((k, pool.child(t, 0), pool.child(t, 1))),
        _ => None,
    }
}

/// Returns the kinds of operators that an operator of a pattern matches, as bits.
pub(super) fn kinds(op: Op) -> u64 {
    if let Op::Opaque(OPERATION, ..) = op { Op::PRIMITIVES } else { 1 << op.kind() }
}

/// Checks whether a term of a pattern only matches terms with its own operator.
fn is_exact(op: Op) -> bool {
    matches!(op, Op::Ix(_) | Op::State(..) | Op::Const(..) | Op::Zero(_) | Op::One(_))
}

pub(super) fn commutes(op: Op) -> bool {
    matches!(op, Op::Prim(p, _) if p.commutes())
}

/// Returns the variable that `p` reads, and the levels of the pattern's own indices at which it reads.
fn read_of_variable(pool: &Pool, variables: &[Variable], p: Id) -> Option<(usize, SmallVec<[u32; 4]>)> {
    let (mut array, mut levels) = (p, SmallVec::<[u32; 4]>::new());
    while pool.op(array) == Op::Get {
        let Op::Ix(level) = pool.op(pool.child(array, 1)) else { return None };
        levels.push(level);
        array = pool.child(array, 0);
    }
    levels.reverse();
    let mut distinct = levels.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let k = variables.iter().position(|v| v.leaf == array)?;
    (!levels.is_empty() && distinct.len() == levels.len()).then_some((k, levels))
}

/// Returns the variables that every match determines.
pub(super) fn told(pool: &Pool, left: Id, variables: &[Variable]) -> Vec<bool> {
    fn walk(pool: &Pool, p: Id, variables: &[Variable], told: &mut Vec<bool>) {
        let found = variables.iter().position(|v| v.leaf == p);
        if let Some(k) = found.or_else(|| read_of_variable(pool, variables, p).map(|r| r.0)) {
            told[k] = true;
            for &n in &variables[k].sizes {
                walk(pool, n, variables, told);
            }
            return;
        }
        // The extent of an index is that of its loop, and is matched there.
        if matches!(pool.op(p), Op::Ix(_) | Op::State(..)) {
            return;
        }
        pool.node(p).children.iter().for_each(|&c| walk(pool, c, variables, told));
    }
    let mut known = vec![false; variables.len()];
    walk(pool, left, variables, &mut known);
    known
}
