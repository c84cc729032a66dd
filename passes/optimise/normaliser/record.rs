//! What a run of the phases writes down besides its result. Nothing costs where it is not asked for.

use crate::optimise::normaliser::normalise::Step;
use crate::optimise::rules::profile::Profile;
use crate::optimise::terms::Op;

/// An e-graph as plain data.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub classes: Vec<Class>,
    /// The classes of what was asked for.
    pub roots: Vec<usize>,
}

/// Terms that are equal.
#[derive(Clone, Debug)]
pub struct Class {
    pub forms: Vec<Form>,
    /// The form that the cheapest term of the class has.
    pub chosen: usize,
    /// Of the cheapest term.
    pub cost: f64,
}

/// An e-node: its operands are classes.
#[derive(Clone, Debug)]
pub struct Form {
    pub op: Op,
    pub operands: Vec<usize>,
}

/// Each part is there when it is asked for.
#[derive(Default)]
pub struct Record<'a> {
    /// Every application of a law.
    pub steps: Option<Vec<Step<'a>>>,
    /// What each law did.
    pub profile: Option<Profile<'a>>,
    /// The e-graph that saturation ended with; without classes when it did not run.
    pub graph: Option<Graph>,
}

impl<'a> Record<'a> {
    pub fn step(&mut self, step: Step<'a>) {
        if let Some(steps) = &mut self.steps {
            steps.push(step);
        }
    }
}
