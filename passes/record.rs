//! What a run of the phases writes down besides its result. Nothing costs where it is not asked for.

use crate::normalise::Step;
use crate::profile::Profile;
use crate::saturate::Graph;

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
