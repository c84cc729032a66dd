//! The phases on terms: normalise, choose the order of sums, unroll what is small, alternatives in egg; then the cheapest of all
//! forms *and the input* by placed cost. No MLIR here: `egg_optimize` translates regions to terms and plans to regions.

use crate::bottom_up::BottomUp;
use crate::normalise::{Normaliser, Step};
use crate::rules::Laws;
use crate::saturate::{self, Report};
use crate::terms::Pool;
use crate::terms::place::Placer;
use crate::terms::plan::{Plan, Val};
use crate::top_down;
use egg::Id;

/// Which driver runs the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    /// The deterministic normaliser alone.
    Normalise,
    /// Everything in the e-graph, for study and small programs.
    Egg,
    /// The normaliser, then the e-graph on its result.
    Both,
}

#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub driver: Driver,
    /// E-nodes.
    pub fuel: usize,
    pub iterations: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { driver: Driver::Both, fuel: 4000, iterations: 30 }
    }
}

/// Applications of directed rules; programs of a few hundred operations need a few thousand.
pub(crate) const NORMALISER_FUEL: u64 = 200_000;

/// How far terms may grow: nodes of the pool, and values of a plan, for each node of the input. Substitution copies a producer for
/// each way in which it is read, and placement computes once more in each loop what several loops read: chains of reads at
/// computed positions double with every link. Where growth pays, in gradients of recurrent networks, it is tenfold.
const GROWTH: usize = 12;

/// The same for the smallest inputs.
const LEAST_ROOM: usize = 10_000;

/// The chosen forms.
pub struct Outcome {
    pub roots: Vec<Id>,
    /// Them as [`place`] places them.
    pub placed: (Plan, Vec<Val>, Vec<usize>),
    /// Their placed cost.
    pub cost: f64,
    /// `None` when egg did not run.
    pub report: Option<Report>,
}

/// The cheapest forms that the phases find for closed terms; `groups` as in [`place`]. `None` when the terms grow so much that
/// nothing was found: the input is better taken in smaller pieces.
pub fn optimise<'a>(
    pool: &mut Pool,
    roots: &[Id],
    groups: &[usize],
    laws: &'a Laws,
    options: Options,
    mut log: Option<&mut Vec<Step<'a>>>,
) -> Option<Outcome> {
    let room = LEAST_ROOM.max(GROWTH * pool.len());
    let mut normaliser = Normaliser::new(&laws.directed, NORMALISER_FUEL);
    normaliser.room = room;
    normaliser.log = log.is_some().then(Vec::new);
    // The input competes as it was written, in `egg_optimize`; its terms are only where the phases start.
    let mut candidates = Vec::new();
    let mut report = None;
    if options.driver != Driver::Egg {
        let normal = normaliser.normalise_all(pool, roots);
        if pool.len() > room {
            return None;
        }
        let mut contraction = BottomUp::new(&laws.contract);
        contraction.room = room;
        let contracted: Vec<Id> = normal.iter().map(|&t| contraction.rewrite(pool, t, &mut log)).collect();
        let contracted = normaliser.normalise_all(pool, &contracted);
        let unrolled = top_down::rewrite_all(pool, &contracted, &laws.unroll, &mut normaliser, &mut log);
        candidates.extend([unrolled, normal, contracted]);
    }
    if options.driver != Driver::Normalise {
        let start = candidates.last().cloned().unwrap_or_else(|| roots.to_vec());
        let (best, r) = saturate::saturate(
            pool,
            &start,
            &laws.together(),
            &mut normaliser,
            options.fuel,
            options.iterations,
            log.as_deref_mut(),
        );
        candidates.push(best);
        report = Some(r);
    }
    if let (Some(log), Some(steps)) = (log, normaliser.log) {
        // What is normal first: paths prefer it.
        log.splice(0..0, steps);
    }
    // The last of equal ones stays: it is cheaper to place each form once.
    for k in (0..candidates.len()).rev() {
        if candidates[k + 1..].contains(&candidates[k]) {
            candidates.remove(k);
        }
    }
    let mut best: Option<Outcome> = None;
    for roots in candidates {
        let Some(placed) = place_within(pool, &roots, groups, room) else { continue };
        let cost = placed.0.cost();
        if best.as_ref().is_none_or(|b| cost < b.cost) {
            best = Some(Outcome { roots, placed, cost, report: None });
        }
    }
    best.map(|best| Outcome { report, ..best })
}

/// The terms as one plan, their values in it, and for each statement of its outermost scope the group of the roots that need it.
/// `groups[k]` is the group of root `k`, ascending: between groups stand operations that the plan does not know.
pub fn place(pool: &mut Pool, roots: &[Id], groups: &[usize]) -> (Plan, Vec<Val>, Vec<usize>) {
    place_within(pool, roots, groups, usize::MAX).expect("there is room")
}

/// `place` for a plan of at most `room` values.
fn place_within(pool: &mut Pool, roots: &[Id], groups: &[usize], room: usize) -> Option<(Plan, Vec<Val>, Vec<usize>)> {
    let mut placer = Placer::new(pool);
    placer.room = room;
    let (mut values, mut segment) = (Vec::new(), Vec::new());
    for (&t, &group) in roots.iter().zip(groups) {
        values.push(placer.place(t));
        segment.resize(placer.plan.scopes[0].stmts.len(), group);
    }
    if placer.is_full() {
        return None;
    }
    let mut plan = placer.plan;
    let segment = plan.fuse(segment);
    let values: Vec<Val> = values.into_iter().map(|v| plan.find(v)).collect();
    let segment = plan.tidy(&values, &segment);
    Some((plan, values, segment))
}
