//! The phases on terms: normalise, choose the order of sums, unroll what is small, alternatives in egg; then the cheapest of all
//! forms *and the input* by placed cost. No MLIR here: `egg_optimize` translates regions to terms and plans to regions.

use crate::normalise::{Normaliser, Step};
use crate::rules;
use crate::saturate::{self, Report};
use crate::terms::place::Placer;
use crate::terms::plan::{Plan, Val};
use crate::terms::Pool;
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

#[derive(Clone, Debug)]
pub struct Options {
    pub driver: Driver,
    /// E-nodes.
    pub fuel: usize,
    pub iterations: usize,
    /// Names of rule sets; all when `None`.
    pub rules: Option<Vec<String>>,
}

impl Default for Options {
    fn default() -> Self {
        Options { driver: Driver::Both, fuel: 4000, iterations: 30, rules: None }
    }
}

/// Applications of directed rules; programs of a few hundred operations need a few thousand.
const NORMALISER_FUEL: u64 = 200_000;

/// The chosen forms.
pub struct Outcome {
    pub roots: Vec<Id>,
    /// Placed cost of the input's terms and of the chosen ones.
    pub before: f64,
    pub after: f64,
    /// `None` when egg did not run.
    pub report: Option<Report>,
}

/// The cheapest forms that the phases find for closed terms.
pub fn optimise(pool: &mut Pool, roots: &[Id], options: &Options, mut log: Option<&mut Vec<Step>>) -> Outcome {
    let directed = rules::rules(options.rules.as_deref(), false);
    let all = rules::rules(options.rules.as_deref(), true);
    let mut normaliser = Normaliser::new(&directed, NORMALISER_FUEL);
    normaliser.log = log.is_some().then(Vec::new);
    let mut candidates = vec![roots.to_vec()];
    let mut report = None;
    if options.driver != Driver::Egg {
        let normal: Vec<Id> = roots.iter().map(|&t| normaliser.normalise(pool, t)).collect();
        candidates.push(normal);
    }
    if options.driver != Driver::Normalise {
        let start = candidates[candidates.len() - 1].clone();
        let (best, r) = saturate::saturate(pool, &start, &all, &mut normaliser, options.fuel, options.iterations, log.as_deref_mut());
        candidates.push(best);
        report = Some(r);
    }
    if let (Some(log), Some(steps)) = (log, normaliser.log) {
        log.extend(steps);
    }
    let costs: Vec<f64> = candidates.iter().map(|c| place(pool, c).0.cost()).collect();
    let mut best = 0;
    for k in 1..candidates.len() {
        if costs[k] < costs[best] {
            best = k;
        }
    }
    Outcome { before: costs[0], after: costs[best], roots: candidates.swap_remove(best), report }
}

/// The terms as one plan, and their values in it.
pub fn place(pool: &mut Pool, roots: &[Id]) -> (Plan, Vec<Val>) {
    let mut placer = Placer::new(pool);
    let values = roots.iter().map(|&t| placer.place(t)).collect();
    (placer.plan, values)
}
