//! Proofs that two terms are equal: a sequence of single steps from one to the other, found among all equations that
//! the phases have recorded.
//!
//! The steps are equations between terms, and congruence closure derives their consequences. Every union records its
//! reason, from which the sequence is reconstructed (Nieuwenhuis and Oliveras, "Proof-producing congruence closure",
//! RTA 2005). An equation between terms with free variables holds for all values of the variables in their ranges. It
//! may therefore also be used inside a term that binds these variables.

use crate::optimise::normaliser::normalise::Step;
use crate::optimise::terms::{Node, Operands, Pool};
use egg::Id;
use rustc_hash::{FxHashMap, FxHashSet};

/// One step of a path: `left` becomes `right` wherever it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link<'a> {
    pub rule: &'a str,
    /// True if the rule rewrites `left` to `right`, false if it rewrites `right` to `left`.
    pub forward: bool,
    pub left: Id,
    pub right: Id,
}

#[derive(Clone, Copy)]
enum Why<'a> {
    /// The rule was applied to this term.
    Law(&'a str, Id),
    /// The operators are the same and the operands are equal.
    Congruence,
}

/// Equalities between terms of one pool.
pub struct Proofs<'p, 'a> {
    pool: &'p Pool,
    representative: Vec<Id>,
    /// The proof forest: for each term its parent, which is equal, and the reason.
    reason: Vec<Option<(Id, Why<'a>)>>,
    known: Vec<bool>,
    /// The terms that have an operand in a class, by the representative of the class.
    users: FxHashMap<Id, Vec<Id>>,
    signatures: FxHashMap<Node, Id>,
    pending: Vec<(Id, Id, Why<'a>)>,
}

impl<'p, 'a> Proofs<'p, 'a> {
    pub fn new(pool: &'p Pool) -> Self {
        Proofs {
            pool,
            representative: (0..pool.len()).map(Id::from).collect(),
            reason: vec![None; pool.len()],
            known: vec![false; pool.len()],
            users: FxHashMap::default(),
            signatures: FxHashMap::default(),
            pending: Vec::new(),
        }
    }

    /// Returns the steps that lead from the first term of each pair to the second, each step once, from the shortest
    /// prefix of `steps` that suffices.
    pub fn path(pool: &'p Pool, steps: &[Step<'a>], ends: impl IntoIterator<Item = (Id, Id)>) -> Option<Vec<Link<'a>>> {
        let pairs: Vec<(Id, Id)> = ends.into_iter().collect();
        let mut proofs = Proofs::new(pool);
        proofs.know(&pairs);
        let mut steps = steps.iter();
        for &(a, b) in &pairs {
            while !proofs.are_equal(a, b) {
                proofs.learn(*steps.next()?);
            }
        }
        Some(proofs.explain(&pairs))
    }

    /// Adds the terms of the pairs.
    pub fn know(&mut self, pairs: &[(Id, Id)]) {
        pairs.iter().for_each(|&(a, b)| {
            self.add(a);
            self.add(b);
        });
        self.close();
    }

    /// Adds a step as an equation, and closes under congruence.
    pub fn learn(&mut self, step: Step<'a>) {
        self.add(step.left);
        self.add(step.right);
        self.pending.push((step.left, step.right, Why::Law(step.rule, step.left)));
        self.close();
    }

    pub fn are_equal(&mut self, a: Id, b: Id) -> bool {
        self.find(a) == self.find(b)
    }

    fn find(&mut self, mut t: Id) -> Id {
        while self.representative[usize::from(t)] != t {
            let up = self.representative[usize::from(t)];
            self.representative[usize::from(t)] = self.representative[usize::from(up)];
            t = up;
        }
        t
    }

    fn signature(&mut self, t: Id) -> Node {
        let node = self.pool.node(t);
        Node::new(node.op, node.children.iter().map(|&c| self.find(c)).collect::<Operands>())
    }

    /// Adds a term and its subterms.
    fn add(&mut self, t: Id) {
        let mut todo = vec![(t, false)];
        while let Some((t, operands_are_known)) = todo.pop() {
            if self.known[usize::from(t)] {
                continue;
            }
            let children = &self.pool.node(t).children;
            if !operands_are_known {
                todo.push((t, true));
                todo.extend(children.iter().map(|&c| (c, false)));
                continue;
            }
            self.known[usize::from(t)] = true;
            for &c in children {
                let class = self.find(c);
                self.users.entry(class).or_default().push(t);
            }
            let signature = self.signature(t);
            match self.signatures.get(&signature) {
                Some(&same) => self.pending.push((t, same, Why::Congruence)),
                None => {
                    self.signatures.insert(signature, t);
                }
            }
        }
    }

    fn close(&mut self) {
        while let Some((a, b, why)) = self.pending.pop() {
            let (class_a, class_b) = (self.find(a), self.find(b));
            if class_a == class_b {
                continue;
            }
            let users = |s: &Self, c: Id| s.users.get(&c).map_or(0, Vec::len);
            let (from, into, lost, kept) = match users(self, class_a) <= users(self, class_b) {
                true => (a, b, class_a, class_b),
                false => (b, a, class_b, class_a),
            };
            self.make_root(from);
            self.reason[usize::from(from)] = Some((into, why));
            self.representative[usize::from(lost)] = kept;
            let moved = self.users.remove(&lost).unwrap_or_default();
            for &user in &moved {
                let signature = self.signature(user);
                match self.signatures.get(&signature) {
                    Some(&same) if same != user => self.pending.push((user, same, Why::Congruence)),
                    Some(_) => {}
                    None => {
                        self.signatures.insert(signature, user);
                    }
                }
            }
            self.users.entry(kept).or_default().extend(moved);
        }
    }

    /// Reverses the edges between a term and the root of its tree.
    fn make_root(&mut self, t: Id) {
        let mut edge = self.reason[usize::from(t)].take();
        let mut below = t;
        while let Some((above, why)) = edge {
            edge = self.reason[usize::from(above)].replace((below, why));
            below = above;
        }
    }

    fn explain(&self, pairs: &[(Id, Id)]) -> Vec<Link<'a>> {
        let (mut links, mut done) = (Vec::new(), FxHashSet::default());
        pairs.iter().for_each(|&(a, b)| self.walk(a, b, &mut links, &mut done));
        let mut seen = FxHashSet::default();
        links.retain(|l| seen.insert((l.left, l.right)));
        links
    }

    fn walk(&self, a: Id, b: Id, links: &mut Vec<Link<'a>>, done: &mut FxHashSet<(Id, Id)>) {
        if a == b || !done.insert((a, b)) {
            return;
        }
        let above = |t: Id| std::iter::successors(Some(t), |&t| self.reason[usize::from(t)].map(|(up, _)| up));
        let of_a: FxHashSet<Id> = above(a).collect();
        let common = above(b).find(|t| of_a.contains(t)).expect("equal terms stand in one tree");
        let edges = |t: Id| -> Vec<(Id, Id, Why<'a>)> {
            let below = above(t).take_while(|&t| t != common);
            below.filter_map(|t| self.reason[usize::from(t)].map(|(up, why)| (t, up, why))).collect()
        };
        edges(a).into_iter().for_each(|(below, up, why)| self.edge(below, up, why, links, done));
        edges(b).into_iter().rev().for_each(|(below, up, why)| self.edge(up, below, why, links, done));
    }

    fn edge(&self, from: Id, to: Id, why: Why<'a>, links: &mut Vec<Link<'a>>, done: &mut FxHashSet<(Id, Id)>) {
        match why {
            Why::Law(rule, left) => links.push(Link { rule, forward: left == from, left: from, right: to }),
            Why::Congruence => {
                let (a, b) = (self.pool.node(from), self.pool.node(to));
                a.children.iter().zip(&b.children).for_each(|(&x, &y)| self.walk(x, y, links, done));
            }
        }
    }
}
