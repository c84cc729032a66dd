//! Records of a run of the phases, in addition to its result: steps, e-graph, profile. A record that is not requested
//! costs nothing.

use crate::optimise::normaliser::normalise::Step;
use crate::optimise::rules::profile::Profile;
use crate::optimise::terms::Op;

/// An e-graph as plain data.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub classes: Vec<Class>,
    /// The e-classes of the roots.
    pub roots: Vec<usize>,
}

/// An e-class: terms that are equal.
#[derive(Clone, Debug)]
pub struct Class {
    pub forms: Vec<Form>,
    /// The position of the e-node of the cheapest term.
    pub chosen: usize,
    /// The cost of the cheapest term.
    pub cost: f64,
}

/// An e-node. Its operands are e-classes.
#[derive(Clone, Debug)]
pub struct Form {
    pub op: Op,
    pub operands: Vec<usize>,
}

/// The records of a run, each present if requested.
#[derive(Default)]
pub struct Record<'a> {
    /// All applications of rules.
    pub steps: Option<Vec<Step<'a>>>,
    /// The profile of the rules.
    pub profile: Option<Profile<'a>>,
    /// The final e-graph of saturation; empty if saturation did not run.
    pub graph: Option<Graph>,
}

impl<'a> Record<'a> {
    pub fn step(&mut self, step: Step<'a>) {
        if let Some(steps) = &mut self.steps {
            steps.push(step);
        }
    }
}
