//! The semantics of streams, cycle by cycle, for any values (`spec/streams.md` 4.1 to 4.3). A *cell* is the state of a
//! stream in one cycle: a value, absent, undetermined, or mistimed (a value where it must be absent, or the reverse).

/// The contents of a stream in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<T> {
    /// Not known, or not known yet.
    Undetermined,
    Absent,
    Value(T),
    /// A value was present where it must be absent, or the reverse.
    Mistimed,
}
use Cell::*;

/// A clock in one cycle.
pub type Tick = Cell<bool>;

impl<T> Cell<T> {
    /// Checks whether the cell is absent, or may be.
    fn may_be_absent(&self) -> bool {
        matches!(self, Absent | Undetermined)
    }

    /// Checks whether the cell is neither absent nor mistimed.
    fn may_be_value(&self) -> bool {
        matches!(self, Value(_) | Undetermined)
    }

    pub fn value(&self) -> Option<&T> {
        if let Value(v) = self { Some(v) } else { None }
    }

    /// Returns the same cell with another kind of values.
    pub fn map<U>(&self, f: impl FnOnce(&T) -> U) -> Cell<U> {
        match self {
            Undetermined => Undetermined,
            Absent => Absent,
            Value(v) => Value(f(v)),
            Mistimed => Mistimed,
        }
    }
}

/// Computes whether a clock ticks: the result is a Boolean, undetermined or mistimed.
pub fn tick(parent: &Tick, condition: &Cell<bool>, holds: bool) -> Tick {
    match (parent, condition) {
        (Value(true), Value(c)) => Value(*c == holds),
        (Value(true), Undetermined) => Undetermined,
        (Value(true), _) => Mistimed,
        _ => parent.clone(),
    }
}

pub fn constant<T: Clone>(value: &T, clock: &Tick) -> Cell<T> {
    match clock {
        Value(true) => Value(value.clone()),
        Value(false) | Absent => Absent,
        Undetermined => Undetermined,
        Mistimed => Mistimed,
    }
}

/// Combines the operands of a pure function, of which there is at least one: all their values, or the result of the
/// function if a value is missing.
pub fn lift<'c, T>(operands: &[&'c Cell<T>]) -> Cell<Vec<&'c T>> {
    if operands.iter().any(|c| matches!(c, Undetermined)) {
        return Undetermined;
    }
    if operands.iter().any(|c| matches!(c, Mistimed)) {
        return Mistimed;
    }
    let values: Vec<&T> = operands.iter().filter_map(|c| c.value()).collect();
    match values.len() {
        0 => Absent,
        n if n < operands.len() => Mistimed,
        _ => Value(values),
    }
}

/// Computes `x when c`, or `x when not c` if `holds` is false. The result does not depend on values that are discarded.
pub fn when<T: Clone>(x: &Cell<T>, condition: &Cell<bool>, holds: bool) -> Cell<T> {
    match condition {
        Undetermined => Undetermined,
        Absent if x.may_be_absent() => Absent,
        Value(c) if x.may_be_value() => {
            if *c == holds {
                x.clone()
            } else {
                Absent
            }
        }
        _ => Mistimed,
    }
}

pub fn merge<T: Clone>(condition: &Cell<bool>, a: &Cell<T>, b: &Cell<T>) -> Cell<T> {
    match condition {
        Undetermined => Undetermined,
        Absent if a.may_be_absent() && b.may_be_absent() => Absent,
        Value(c) => {
            let (selected, other) = if *c { (a, b) } else { (b, a) };
            if selected.may_be_value() && other.may_be_absent() { selected.clone() } else { Mistimed }
        }
        _ => Mistimed,
    }
}

/// Computes `if c then a else b`: the operand that is not selected may be undetermined [D6].
pub fn select<T: Clone>(condition: &Cell<bool>, a: &Cell<T>, b: &Cell<T>) -> Cell<T> {
    merge(condition, &when(a, condition, true), &when(b, condition, false))
}

/// Computes `i fby then` in cycle `n`, of which `i` is the cell. `then` returns the cell of a cycle.
pub fn fby<T: Clone>(i: &Cell<T>, then: impl Fn(usize) -> Cell<T>, clock: &[Tick], n: usize) -> Cell<T> {
    let e = then(n);
    match &clock[n] {
        Undetermined => Undetermined,
        Mistimed => Mistimed,
        Value(false) | Absent => {
            if i.may_be_absent() && e.may_be_absent() {
                Absent
            } else {
                Mistimed
            }
        }
        Value(true) if !i.may_be_value() || !e.may_be_value() => Mistimed,
        Value(true) => match (0..n).rev().find(|&m| !matches!(clock[m], Value(false) | Absent)) {
            None => i.clone(),
            Some(m) => across(&clock[m], then(m)),
        },
    }
}

/// Computes `post e` in cycle `n`. `e` returns the cell of a cycle.
pub fn post<T: Clone>(e: impl Fn(usize) -> Cell<T>, clock: &[Tick], n: usize) -> Cell<T> {
    match &clock[n] {
        Undetermined => Undetermined,
        Mistimed => Mistimed,
        Value(false) | Absent => {
            if e(n).may_be_absent() {
                Absent
            } else {
                Mistimed
            }
        }
        Value(true) if !e(n).may_be_value() => Mistimed,
        Value(true) => match (n + 1..clock.len()).find(|&m| !matches!(clock[m], Value(false) | Absent)) {
            None => Undetermined,
            Some(m) => across(&clock[m], e(m)),
        },
    }
}

/// Returns a value from another cycle in which the clock may tick.
fn across<T>(clock: &Tick, value: Cell<T>) -> Cell<T> {
    match (clock, &value) {
        (Undetermined, _) => Undetermined,
        (Value(true), Undetermined | Value(_)) => value,
        _ => Mistimed,
    }
}
