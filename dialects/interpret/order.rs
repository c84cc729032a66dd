//! The order in which the interpreter computes the streams of one cycle.

use super::clocks::Clocks;
use super::equations::{Equation, Equations, Stream};

/// Returns all streams in an order of computation within a cycle: each after those that it reads, if they are not
/// cyclic.
pub fn order(equations: &Equations, clocks: &Clocks) -> Vec<Stream> {
    let mut order = Vec::with_capacity(equations.len());
    let mut seen = vec![false; equations.len()];
    for s in 0..equations.len() {
        // A depth-first search with a stack of its own: chains of equations may be long.
        let mut open = vec![(s, false)];
        while let Some((s, is_done)) = open.pop() {
            if is_done {
                order.push(s);
            } else if !std::mem::replace(&mut seen[s], true) {
                open.push((s, true));
                open.extend(read_in_the_same_cycle(equations, clocks, s).map(|operand| (operand, false)));
            }
        }
    }
    order
}

fn read_in_the_same_cycle(equations: &Equations, clocks: &Clocks, s: Stream) -> impl Iterator<Item = Stream> {
    let operands = match equations.kind(s) {
        Equation::Post => &[],
        Equation::Fby => &equations.operands(s)[..1],
        _ => equations.operands(s),
    };
    operands.iter().copied().chain(clocks.conditions(clocks.of(s)))
}
