//! The phases on terms: normalise, choose the order of sums, unroll what is small, alternatives in egg; then the cheapest of all
//! forms *and the input* by placed cost. No MLIR here: `egg_optimize` translates regions to terms and plans to regions.

use crate::optimise::normaliser::bottom_up::BottomUp;
use crate::optimise::normaliser::normalise::Normaliser;
use crate::optimise::normaliser::record::Record;
use crate::optimise::normaliser::top_down;
use crate::optimise::placement::place::Placer;
use crate::optimise::placement::plan::{Plan, Val};
use crate::optimise::rules::Laws;
use crate::optimise::rules::profile::Profile;
use crate::optimise::saturate::{self, Report};
use crate::optimise::terms::Pool;
use crate::optimise::terms::cost::Assumed;
use egg::Id;

/// Which phases run, in this order; without any, terms are only placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phases {
    pub normalise: bool,
    /// The order of sums; then what came of it is normalised.
    pub contract: bool,
    /// Small loops written out; then what came of it is normalised.
    pub unroll: bool,
    /// The e-graph, from the last form but the unrolled one.
    pub saturate: bool,
}

impl Phases {
    pub const NONE: Phases = Phases { normalise: false, contract: false, unroll: false, saturate: false };
    pub const ALL: Phases = Phases { saturate: true, ..Phases::DETERMINISTIC };
    /// Without the e-graph.
    pub const DETERMINISTIC: Phases = Phases { normalise: true, contract: true, unroll: true, saturate: false };
    /// Everything in the e-graph, for study and small programs.
    pub const SATURATE: Phases = Phases { saturate: true, ..Phases::NONE };
}

/// Which forms replace a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accept {
    /// Those that cost less.
    Cheaper,
    /// What the last phase makes, whatever it costs: a form that others need.
    Changed,
}

#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub phases: Phases,
    pub accept: Accept,
    /// E-nodes.
    pub fuel: usize,
    pub iterations: usize,
    /// What dynamic axes and unknown trip counts cost.
    pub assumed_length: Assumed,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            phases: Phases::ALL,
            accept: Accept::Cheaper,
            fuel: 4000,
            iterations: 30,
            assumed_length: Assumed::default(),
        }
    }
}

/// Applications of directed rules; programs of a few hundred operations need a few thousand.
pub(crate) const NORMALISER_FUEL: u64 = 200_000;

/// How far terms may grow: nodes of the pool, and values of a plan, for each node of the input. Substitution copies a producer for
/// each way in which it is read, and placement computes once more in each loop what several loops read: chains of reads at
/// computed positions double with every link. Where growth pays, in gradients of recurrent networks, it is tenfold.
pub(crate) const GROWTH: usize = 12;

/// The same for the smallest inputs.
pub(crate) const LEAST_ROOM: usize = 10_000;

/// How many times cheaper a form must be in which loops are written out: its code is longer, and no vector instruction runs it.
const LENGTH: f64 = 2.0;

/// The chosen forms.
pub struct Outcome {
    /// How many times cheaper than what was written this must be: [`LENGTH`] where loops are written out.
    pub weight: f64,
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
    record: &mut Record<'a>,
) -> Option<Outcome> {
    let room = LEAST_ROOM.max(GROWTH * pool.len());
    let mut normaliser = Normaliser::new(&laws.directed, NORMALISER_FUEL);
    normaliser.room = room;
    normaliser.log = record.steps.is_some().then(Vec::new);
    normaliser.profile = record.profile.is_some().then(Profile::default);
    // The input competes as it was written, in `egg_optimize`; its terms are only where the phases start.
    let mut candidates = Vec::new();
    let mut report = None;
    let mut forms = roots.to_vec();
    // What the last phase made, where that is not `forms`.
    let mut last = None;
    // The form in which loops are written out, where that is another one.
    let mut written_out = None;
    if options.phases.normalise {
        forms = normaliser.normalise_all(pool, &forms);
        if pool.len() > room {
            return None;
        }
        candidates.push(forms.clone());
    }
    if options.phases.contract {
        let mut contraction = BottomUp::new(&laws.contract);
        contraction.room = room;
        forms = forms.iter().map(|&t| contraction.rewrite(pool, t, record)).collect();
        forms = normaliser.normalise_all(pool, &forms);
        candidates.push(forms.clone());
    }
    if options.phases.unroll {
        let unrolled = top_down::rewrite_all(pool, &forms, &laws.unroll, &mut normaliser, record);
        last = Some(unrolled.clone());
        if !candidates.contains(&unrolled) {
            written_out = Some(unrolled.clone());
        }
        // Of forms of equal cost the first is taken.
        candidates.insert(0, unrolled);
    }
    if options.phases.saturate {
        let (best, r) = saturate::saturate(
            pool,
            &forms,
            laws.together(),
            &mut normaliser,
            options.fuel,
            options.iterations,
            record,
        );
        last = Some(best.clone());
        candidates.push(best);
        report = Some(r);
    }
    if candidates.is_empty() || options.accept == Accept::Changed {
        candidates = vec![last.unwrap_or(forms)];
    }
    if let (Some(steps), Some(normal)) = (&mut record.steps, normaliser.log) {
        // What is normal first: paths prefer it.
        steps.splice(0..0, normal);
    }
    if let (Some(profile), Some(more)) = (&mut record.profile, &normaliser.profile) {
        profile.add(more);
    }
    // The last of equal ones stays: it is cheaper to place each form once.
    for k in (0..candidates.len()).rev() {
        if candidates[k + 1..].contains(&candidates[k]) {
            candidates.remove(k);
        }
    }
    let mut best: Option<(f64, Outcome)> = None;
    for roots in candidates {
        let Some(placed) = place_within(pool, &roots, groups, room) else { continue };
        let cost = placed.0.cost(&placed.1);
        let weight = if written_out.as_ref() == Some(&roots) { LENGTH } else { 1.0 };
        if best.as_ref().is_none_or(|(least, _)| cost * weight < *least) {
            best = Some((cost * weight, Outcome { roots, placed, cost, weight, report: None }));
        }
    }
    best.map(|(_, best)| Outcome { report, ..best })
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
