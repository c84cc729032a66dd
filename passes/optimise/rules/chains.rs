//! The best order of the sums of a chain of products, such as a product of many matrices: each index belongs to two
//! factors, and each factor has at most two indices that are summed. The order is found by dynamic programming over the
//! intervals of the chain (Godbole, "On efficient computation of matrix chain products", 1973), in time cubic in its
//! length. The cost of a product of two intervals is the number of combinations of the indices of both.

use crate::optimise::terms::Pool;
use egg::Id;
use std::collections::BTreeMap;

/// The maximum number of factors of a chain.
const LONGEST: usize = 256;

/// Returns the levels below `k`, which are those of the summed indices, in the order in which to sum; `None` if the
/// factors are not chains.
pub fn order(pool: &Pool, factors: &[Id], k: u32) -> Option<Vec<u32>> {
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); k as usize];
    let mut summed: Vec<Vec<u32>> = vec![Vec::new(); factors.len()];
    for (number, &factor) in factors.iter().enumerate() {
        for level in (0..k).filter(|&level| pool.mentions(factor, level)) {
            users[level as usize].push(number);
            summed[number].push(level);
        }
    }
    let is_chain = users.iter().all(|u| u.len() == 2) && summed.iter().all(|s| s.len() <= 2);
    if !is_chain || factors.len() > LONGEST {
        return None;
    }
    let (mut order, mut seen) = (Vec::new(), vec![false; factors.len()]);
    for first in (0..factors.len()).filter(|&f| summed[f].len() == 1) {
        if seen[first] {
            continue;
        }
        let (mut links, mut chain, mut last) = (Vec::new(), vec![first], first);
        seen[first] = true;
        while let Some(&level) = summed[last].iter().find(|level| !links.contains(*level)) {
            last = *users[level as usize].iter().find(|&&f| f != last)?;
            seen[last] = true;
            links.push(level);
            chain.push(last);
        }
        let factors: Vec<Id> = chain.into_iter().map(|f| factors[f]).collect();
        Intervals::of(pool, &factors, &links).write(0, links.len(), &links, &mut order);
    }
    // A ring of factors has no first one.
    (order.len() == k as usize).then_some(order)
}

/// The best division of each interval of a chain.
struct Intervals {
    /// By first and last factor: the position of the link that is summed last.
    split: Vec<Vec<usize>>,
}

impl Intervals {
    fn of(pool: &Pool, factors: &[Id], links: &[u32]) -> Intervals {
        let n = factors.len();
        // The levels of indices, by number, with their extents. Other free variables have no extent.
        let mut extents: BTreeMap<u32, f64> = BTreeMap::new();
        for &f in factors {
            extents.extend(pool.info(f).free.iter().filter_map(|x| Some((x.level, x.extent?))));
        }
        let outside: Vec<u32> = extents.keys().copied().filter(|level| !links.contains(level)).collect();
        let is_outside = |f: Id| outside.iter().map(|&level| pool.mentions(f, level)).collect::<Vec<bool>>();
        let own: Vec<Vec<bool>> = factors.iter().map(|&f| is_outside(f)).collect();
        let extent = |link: usize| extents.get(&links[link]).copied().unwrap_or(1.0);
        // The number of combinations of the indices of an interval from outside of the chain.
        let from = |first: usize| {
            let mut used = vec![false; outside.len()];
            let mut up_to = |last: usize| {
                used.iter_mut().zip(&own[last]).for_each(|(used, own)| *used |= own);
                let used = outside.iter().zip(&used).filter(|(_, used)| **used);
                used.map(|(level, _)| extents[level]).product()
            };
            (0..n).map(|last| if last < first { 1.0 } else { up_to(last) }).collect()
        };
        let outer: Vec<Vec<f64>> = (0..n).map(from).collect();
        let (mut cost, mut split) = (vec![vec![0.0; n]; n], vec![vec![0; n]; n]);
        for length in 1..n {
            for first in 0..n - length {
                let last = first + length;
                let mut ends = outer[first][last];
                if first > 0 {
                    ends *= extent(first - 1);
                }
                if last + 1 < n {
                    ends *= extent(last);
                }
                let at = |link: usize| cost[first][link] + cost[link + 1][last] + ends * extent(link);
                let best = (first..last).min_by(|&a, &b| at(a).total_cmp(&at(b))).unwrap_or(first);
                (cost[first][last], split[first][last]) = (at(best), best);
            }
        }
        Intervals { split }
    }

    /// Appends the links between the factors `first` and `last` in the order in which they are summed.
    fn write(&self, first: usize, last: usize, links: &[u32], order: &mut Vec<u32>) {
        if first < last {
            let link = self.split[first][last];
            self.write(first, link, links, order);
            self.write(link + 1, last, links, order);
            order.push(links[link]);
        }
    }
}
