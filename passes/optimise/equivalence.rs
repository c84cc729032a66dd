//! Checks whether two functions are equal. The rules can prove that they are equal, but not that they differ.
//!
//! Both functions are translated into one pool of terms, with their arguments as common leaves, and all phases rewrite
//! them together. The congruence closure of the rewriting steps decides whether the results are equal. The equality
//! holds for the inputs for which both functions are defined.

use crate::optimise::explanation::explain::{Explanation, Source};
use crate::optimise::explanation::proof::{Link, Proofs};
use crate::optimise::normaliser::bottom_up::BottomUp;
use crate::optimise::normaliser::normalise::Normaliser;
use crate::optimise::normaliser::record::Record;
use crate::optimise::normaliser::top_down;
use crate::optimise::phases::{self, Options};
use crate::optimise::rules::Laws;
use crate::optimise::saturate;
use crate::optimise::terms::Pool;
use crate::optimise::translation::import::Importer;
use crate::optimise::translation::read::Reader;
use egg::Id;
use mlopt_dialects::ir::{Op, Value};
use std::ops::ControlFlow::{self, Break, Continue};

/// The result of a comparison.
pub enum Verdict {
    /// The functions are equal, by these steps from the first one to the second. Without steps, their terms are
    /// identical.
    Equal(Explanation),
    /// No proof was found for the results with these numbers.
    Unknown(Vec<usize>),
}

/// Compares the results of `pair` in its first half with those in its second half (see [`pair`]).
pub fn compare(pair: Op, laws: &Laws, options: Options) -> Verdict {
    let body = pair.entry();
    let mut importer = Importer::new(laws);
    for op in body.ops() {
        if importer.understands(op) {
            importer.take(op);
        }
    }
    let results: Vec<Value> = body.end().operands();
    let values: Vec<_> = results.iter().map(|&v| importer.value(v)).collect();
    let (mut pool, terms, outcome) = crate::analysis::stack::on_large_stack(|| {
        let mut pool = Pool::assuming(options.assumed_length);
        let terms = Reader::new(&mut pool, &importer.plan, true).read();
        let roots: Vec<Id> = values.iter().map(|v| terms[v]).collect();
        let outcome = prove(&mut pool, &roots, laws, options);
        (pool, terms, outcome)
    });
    match outcome {
        Continue(open) => Verdict::Unknown(open),
        Break(links) => {
            let mut terms: Vec<_> = terms.into_iter().collect();
            terms.sort_unstable();
            let origins = terms.iter().filter_map(|(v, t)| importer.origins.get(v).map(|o| (*t, o.location())));
            let source = Source::new(pair.context(), &importer.prototypes, &importer.leaves).with_origins(origins);
            Verdict::Equal(source.explain(&mut pool, &links, laws))
        }
    }
}

/// The steps of a proof.
type Path<'l> = Vec<Link<'l>>;

/// Stops with the steps from each root in the first half of `roots` to the corresponding one in the second half, or
/// returns the roots without a proof.
fn prove<'l>(pool: &mut Pool, roots: &[Id], laws: &'l Laws<'l>, options: Options) -> ControlFlow<Path<'l>, Vec<usize>> {
    let half = roots.len() / 2;
    let pairs: Vec<(Id, Id)> = roots[..half].iter().copied().zip(roots[half..].iter().copied()).collect();
    let mut record = Record { steps: Some(Vec::new()), ..Record::default() };
    let mut normaliser = Normaliser::new(&laws.directed, phases::NORMALISER_FUEL);
    normaliser.log = Some(Vec::new());
    let mut forms = roots.to_vec();
    let phases = options.phases;
    if phases.normalise {
        forms = normaliser.normalise_all(pool, &forms);
        path(pool, &mut record, &mut normaliser, &pairs)?;
    }
    if phases.contract {
        let mut contraction = BottomUp::new(&laws.contract);
        forms = forms.iter().map(|&t| contraction.rewrite(pool, t, &mut record)).collect();
        forms = normaliser.normalise_all(pool, &forms);
        path(pool, &mut record, &mut normaliser, &pairs)?;
    }
    if phases.unroll {
        top_down::rewrite_all(pool, &forms, &laws.unroll, &mut normaliser, &mut record);
        path(pool, &mut record, &mut normaliser, &pairs)?;
    }
    if phases.saturate {
        let Options { fuel, iterations, .. } = options;
        saturate::saturate(pool, &forms, laws, &mut normaliser, fuel, iterations, &mut record);
        path(pool, &mut record, &mut normaliser, &pairs)?;
    }
    let mut proofs = Proofs::new(pool);
    proofs.know(&pairs);
    record.steps.iter().flatten().for_each(|&s| proofs.learn(s));
    Continue((0..half).filter(|&k| !proofs.are_equal(pairs[k].0, pairs[k].1)).collect())
}

/// Stops with a path through all known equations, to which the steps of the normaliser are added.
fn path<'l>(
    pool: &Pool,
    record: &mut Record<'l>,
    normaliser: &mut Normaliser<'l>,
    pairs: &[(Id, Id)],
) -> ControlFlow<Path<'l>> {
    let normal = normaliser.log.replace(Vec::new()).unwrap_or_default();
    let steps = record.steps.get_or_insert_default();
    steps.extend(normal);
    Proofs::path(pool, steps, pairs.iter().copied()).map_or(Continue(()), Break)
}
