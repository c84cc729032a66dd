//! Reduction of the sizes of a program that fails.

use super::builder::SIZES;
use super::check::{Checked, check};
use mlopt_lowering::native::Target;

/// The maximum number of programs that are tried.
const TRIES: usize = 40;

/// Returns the smallest failing program found by decreasing one size at a time; `failed` if there is none.
pub fn smaller(seed: u64, failed: Checked, target: &Target) -> Checked {
    let mut best = failed;
    let mut tries = 0;
    let mut progress = true;
    while progress {
        progress = false;
        for k in 0.. {
            // A smaller program may draw fewer sizes.
            let Some(&now) = best.program.sizes.get(k) else { break };
            let candidates = SIZES.iter().copied().filter(|&n| n < now);
            for n in candidates.filter(|&n| n == 1 || n == 2 || n >= now / 2).collect::<Vec<_>>() {
                if tries == TRIES {
                    return best;
                }
                tries += 1;
                let mut sizes = best.program.sizes.clone();
                sizes[k] = n;
                let way = best.wrong.as_ref().map(|w| w.way);
                let tried = check(seed, &sizes, target);
                if tried.wrong.as_ref().map(|w| w.way) == way {
                    best = tried;
                    progress = true;
                    break;
                }
            }
        }
    }
    best
}
