//! Sessions: a session is a running node. It receives cycles in pieces, and returns the cycles whose values are all
//! known.

use super::columns::{Column, rows_of};
use super::compiled::{Compiled, Segments, Slot};
use super::flat::{Flat, Stop};
use mlopt_dialects::eval::EvalError;
use mlopt_dialects::interpret::{Input, Row};
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::value::{Array, Data};
use mlopt_lowering::native;
use mlopt_passes::streams::Var;
use mlopt_passes::streams::nodes::clocks::Clock;
use mlopt_passes::streams::stream_to_loops::{BACK, ENDS, INIT, PARAMETERS, SEGMENT};
use std::collections::HashMap;

/// The number of cycles of one call: large enough that the cost of a call is negligible, and small enough that rows
/// stay in the cache.
const CYCLES: usize = 4096;

/// The minimum number of cycles of a call of a node that looks ahead.
const WINDOW: usize = 32;

/// The suffix of the name of a delay that denotes whether its clock has ticked.
pub const TICKED: &str = "?ticked";

/// Cycles whose values are all known; at the end of the inputs, all cycles with their known values.
pub struct Known {
    /// The number of the first cycle.
    pub first: usize,
    /// The inputs, absent where the node does not read them.
    pub inputs: Vec<Column>,
    /// The outputs and other shown streams.
    pub shown: Vec<Column>,
    /// The cycle in which the run stops, and the reason.
    pub stop: Option<(usize, Stop)>,
}

impl Known {
    pub fn len(&self) -> usize {
        self.shown.first().or(self.inputs.first()).map_or(0, |c| c.len())
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn push_marks(&mut self, mark: Cell<()>, count: usize) {
        self.inputs.iter_mut().chain(&mut self.shown).for_each(|c| c.push_marks(mark.clone(), count));
    }
}

/// A value that cannot be set.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    #[error("expected {expected}, found {found}")]
    Type { expected: String, found: String },
    /// The first values of delays cannot be computed.
    #[error(transparent)]
    First(#[from] native::Error),
}

/// The rows of a run, by stream, and the reason why it stopped before the inputs ended.
pub struct Ran {
    pub rows: Vec<Row>,
    pub stop: Option<(usize, Stop)>,
}

pub struct Session<'a> {
    pub(super) code: &'a Compiled,
    flat: &'a Flat,
    initials: HashMap<String, Array>,
    parameters: HashMap<String, Array>,
    state: Vec<Array>,
    /// The indices of the states that were set by name.
    set_states: Vec<usize>,
    /// For each input, whether it has a value in all cycles, which is read on its clock only.
    is_lenient: Vec<bool>,
    /// The inputs in cycles that are not known yet, and whether the base clock ticks there.
    waiting: Vec<Column>,
    is_active: Vec<bool>,
    /// The number of the first waiting cycle.
    start: usize,
    /// The maximum number of waiting cycles.
    most: usize,
    /// The maximum number of cycles of a window.
    length: usize,
    /// The first cycle in which only some inputs of the base clock are present.
    uneven: Option<(usize, Stop)>,
    /// The values in the current sequence of the conditions that are constant within sequences.
    promised: Vec<bool>,
    /// The minimum number of waiting cycles for which resolution is tried again.
    retry: usize,
    /// The number of cycles in which the end of a sequence is searched at once.
    sight: usize,
    /// The minimum number of waiting cycles for which this search is repeated.
    endless: usize,
}

/// Runs a node. Returns inputs, outputs and other shown streams, by number. The rows of other streams are
/// unknown, and those of all streams after a stop. At most `horizon` cycles have unknown outputs.
///
/// # Errors
/// Errors of `initial`.
pub fn run(
    code: &Compiled,
    flat: &Flat,
    inputs: &[Input],
    cycles: usize,
    horizon: Option<usize>,
    initial: &mut dyn FnMut(Op) -> Result<Array, EvalError>,
) -> Result<Ran, EvalError> {
    let is_lenient = inputs.iter().map(|i| matches!(i, Input::Slots(_))).collect();
    let mut session = Session::new(code, flat, is_lenient, horizon, initial)?;
    let column = |(input, (_, ty)): (&Input, (String, Type))| match input {
        Input::Cells(cells) | Input::Slots(cells) => Column::of_cells(ty, &cells[..cycles]),
    };
    session.feed(&inputs.iter().zip(flat.inputs()).map(column).collect::<Vec<_>>(), cycles);
    let known = session.advance(true)?;
    let mut rows: Vec<Row> = vec![vec![Cell::Undetermined; cycles]; flat.graph.len()];
    let inputs = flat.graph.inputs().zip(&known.inputs);
    for (v, column) in inputs.chain(code.shown.iter().copied().zip(&known.shown)) {
        rows[v].splice(..column.len(), column.cells());
    }
    Ok(Ran { rows, stop: known.stop })
}

impl<'a> Session<'a> {
    /// Starts a session. `is_lenient` states for each input whether its values are read only on its clock. At most
    /// `horizon` cycles have unknown outputs.
    ///
    /// # Errors
    /// Errors of `initial`.
    pub fn new(
        code: &'a Compiled,
        flat: &'a Flat,
        is_lenient: Vec<bool>,
        horizon: Option<usize>,
        initial: &mut dyn FnMut(Op) -> Result<Array, EvalError>,
    ) -> Result<Session<'a>, EvalError> {
        let mut initials: HashMap<String, Array> = HashMap::new();
        for op in flat.initials() {
            let name = op.attribute("initial_name").and_then(|a| a.as_string()).unwrap_or_default();
            initials.insert(name, initial(op)?);
        }
        let mut parameters: HashMap<String, Array> = HashMap::new();
        if let Some(function) = &code.parameters {
            let [arguments, results] = &code.slots[PARAMETERS];
            let given: Vec<Array> = arguments.iter().map(|s| initials[&s.name].clone()).collect();
            let values = function.call(&given).map_err(broken)?;
            parameters = results.iter().map(|s| s.name.clone()).zip(values).collect();
        }
        let state = first_state(code, &parameters, &initials).map_err(broken)?;
        let looks_ahead = code.back.is_some();
        Ok(Session {
            code,
            flat,
            initials,
            parameters,
            state,
            set_states: vec![],
            is_lenient,
            waiting: flat.inputs().map(|i| Column::new(i.1)).collect(),
            is_active: vec![],
            start: 0,
            most: horizon.filter(|_| looks_ahead).unwrap_or(usize::MAX).max(1),
            length: if looks_ahead { WINDOW } else { CYCLES },
            uneven: None,
            promised: vec![],
            retry: 0,
            sight: WINDOW,
            endless: 0,
        })
    }

    /// Appends `count` cycles: a column for each input.
    pub fn feed(&mut self, more: &[Column], count: usize) {
        if self.uneven.is_some() {
            return;
        }
        let on_base: Vec<Var> = self.on_base();
        let count = self.promised_part(more, count);
        let next = self.start + self.is_active.len();
        // The common case: all inputs are present in all cycles.
        if on_base.iter().all(|&v| more[v].is_full(count)) {
            self.waiting.iter_mut().zip(more).for_each(|(w, m)| w.extend(m, 0..count));
            self.is_active.resize(self.is_active.len() + count, true);
            return;
        }
        let is_active = |n: usize| {
            let absent = on_base.iter().filter(|&&v| more[v].marks()[n] == Cell::Absent).count();
            (absent == 0 || absent == on_base.len()).then_some(absent == 0)
        };
        let even: Vec<bool> = (0..count).map_while(is_active).collect();
        if even.len() < count && self.uneven.as_ref().is_none_or(|u| u.0 > next + even.len()) {
            let n = even.len();
            let is_present = more[on_base[0]].marks()[n] == Cell::Value(());
            self.uneven = Some((next + n, Stop::Mistimed { input: on_base[0], is_present }));
        }
        self.waiting.iter_mut().zip(more).for_each(|(w, m)| w.extend(m, 0..even.len()));
        self.is_active.extend(even);
    }

    /// Returns the number of cycles in which the promises of the environment hold.
    fn promised_part(&mut self, more: &[Column], count: usize) -> usize {
        let Some(promise) = &self.flat.plan.promise else { return count };
        let bits = |v: Var| match more[v].data() {
            Data::I1(bits) => &bits[..],
            _ => unreachable!("verified: conditions"),
        };
        let is_there = |v: Var, n: usize| more[v].marks()[n] == Cell::Value(());
        for n in (0..count).filter(|&n| is_there(promise.boundary, n)) {
            // A missing input stops the run anyway.
            if promise.constant.iter().any(|&v| !is_there(v, n)) {
                return count;
            }
            for (k, &v) in promise.constant.iter().enumerate() {
                if self.promised.get(k).is_some_and(|&before| before != bits(v)[n]) {
                    let stop = Stop::Changed { input: v, boundary: promise.boundary };
                    self.uneven = Some((self.start + self.is_active.len() + n, stop));
                    return n;
                }
            }
            self.promised = match bits(promise.boundary)[n] {
                true => vec![],
                false => promise.constant.iter().map(|&v| bits(v)[n]).collect(),
            };
        }
        count
    }

    fn on_base(&self) -> Vec<Var> {
        self.flat.graph.inputs().filter(|&v| self.flat.clocks.of(v) == Clock::BASE).collect()
    }

    /// Returns the values that can be read and set by name: parameters, contents of delays, and, as `NAME?ticked`,
    /// whether the clock of a delay has ticked.
    pub fn held(&self) -> impl Iterator<Item = (String, &Array)> {
        let states = self.states().zip(&self.state).filter_map(|(s, x)| Some((held_name(s)?, x)));
        self.parameters.iter().map(|(name, x)| (name.clone(), x)).chain(states)
    }

    /// Sets a parameter or the content of a delay. Returns whether the name exists. The value must have the type of the
    /// previous one.
    ///
    /// # Errors
    /// The value has another type.
    pub fn set(&mut self, name: &str, value: Array) -> Result<bool, SetError> {
        let k = self.states().position(|s| held_name(s).as_deref() == Some(name));
        let Some(held) = self.parameters.get_mut(name).or_else(|| self.state.get_mut(k?)) else { return Ok(false) };
        if (held.shape(), held.element()) != (value.shape(), value.element()) {
            return Err(SetError::Type { expected: held.type_text(), found: value.type_text() });
        }
        *held = value;
        match k {
            Some(k) => self.set_states.push(k),
            // The first values of delays may depend on the parameter.
            None if self.start == 0 => {
                let first = first_state(self.code, &self.parameters, &self.initials)?;
                let is_kept = |k: &usize| self.set_states.contains(k);
                let all = first.into_iter().zip(std::mem::take(&mut self.state)).enumerate();
                self.state = all.map(|(k, (first, set))| if is_kept(&k) { set } else { first }).collect();
            }
            None => {}
        }
        Ok(true)
    }

    /// Reserves memory for this number of waiting cycles, if it is available. More cycles reserve their own.
    pub fn reserve(&mut self, cycles: usize) {
        self.waiting.iter_mut().for_each(|c| c.reserve(cycles));
        // If this fails, the vector grows on demand.
        let _ = self.is_active.try_reserve_exact(cycles);
    }

    /// Returns the parts of the state and their bytes.
    pub fn state_bytes(&self) -> impl Iterator<Item = (String, u64)> {
        self.states().zip(&self.state).map(|(s, x)| (s.name.clone(), bytes(x)))
    }

    /// Returns the bytes of parameters and initial values.
    pub fn value_bytes(&self) -> u64 {
        self.parameters.values().chain(self.initials.values()).map(bytes).sum()
    }

    /// Returns the slots of the state.
    fn states(&self) -> impl Iterator<Item = &'a Slot> + use<'a> {
        self.code.slots[""][1].iter().take_while(|s| s.is_state())
    }

    /// Returns the number of cycles that have unknown outputs, or have not been processed.
    pub fn waiting(&self) -> usize {
        self.is_active.len()
    }

    /// Returns the cycles that are known now. `is_end` states that no more cycles follow.
    ///
    /// # Errors
    /// An internal error: code that cannot be called.
    pub fn advance(&mut self, is_end: bool) -> Result<Known, EvalError> {
        let is_end = is_end || self.uneven.is_some();
        let types = |all: Vec<Type>| all.into_iter().map(Column::new).collect();
        let mut known = Known {
            first: self.start,
            inputs: types(self.flat.inputs().map(|i| i.1).collect()),
            shown: types(self.code.shown.iter().map(|&v| self.flat.graph.value(v).ty()).collect()),
            stop: None,
        };
        while known.stop.is_none() && !self.is_active.is_empty() {
            let quiet = self.is_active.iter().take_while(|a| !**a).count();
            if quiet > 0 {
                known.push_marks(Cell::Absent, quiet);
                self.forget(quiet);
                continue;
            }
            if let Some((segments, window)) = self.sequence()? {
                let made = self.whole(segments, &window)?;
                let upto = window[window.len() - 1] + 1;
                self.unpack(&window, upto, &made, &mut known);
                self.state = made.state();
                (self.retry, self.endless) = (0, 0);
                self.forget(upto);
                continue;
            }
            let (window, next) = self.window(self.length.min(self.most));
            let is_full = window.len() == self.most;
            let is_whole = self.code.segments.as_ref().is_some_and(|s| s.is_whole) && self.is_at_start();
            if is_whole && !is_end && self.is_active.iter().filter(|a| **a).count() < self.most {
                break;
            }
            if self.code.back.is_some() && next.is_none() && !is_end && !is_full && window.len() < self.retry {
                break;
            }
            let (made, resolved) = self.resolve(&window)?;
            if resolved == 0 && next.is_some() && !is_full {
                self.length *= 2;
                continue;
            }
            if resolved == 0 && next.is_none() && !is_end {
                // The window is resolved again only after it has grown by 1/32, so that time is not quadratic in the
                // length of a sequence.
                self.retry = window.len() + 1 + window.len() / 32;
                break;
            }
            self.retry = 0;
            // At the end of the inputs, known cells are returned although others are unknown.
            let said = if resolved == 0 { window.len() } else { resolved };
            let upto = window.get(said).copied().unwrap_or(window[window.len() - 1] + 1);
            self.unpack(&window[..said], upto, &made, &mut known);
            if resolved > 0 {
                self.state = made.state();
                self.endless = 0;
                if resolved < window.len() / 4 {
                    self.length = WINDOW.max(4 * resolved);
                }
            } else if let Some(k) = next.filter(|_| known.stop.is_none()) {
                let overrun = Stop::Overrun { start: self.start, horizon: self.most };
                known.stop = Some((self.start + k, overrun));
            }
            self.forget(upto);
        }
        known.stop = known.stop.or_else(|| self.uneven.clone());
        Ok(known)
    }

    fn forget(&mut self, count: usize) {
        self.waiting.iter_mut().for_each(|c| c.drop_first(count));
        self.is_active.drain(..count);
        self.start += count;
    }

    /// Returns the first active cycles, and the next one after them.
    fn window(&self, length: usize) -> (Vec<usize>, Option<usize>) {
        match self.is_active.get(..length) {
            Some(first) if !first.contains(&false) => {
                let rest = self.is_active[length..].iter().position(|a| *a);
                ((0..length).collect::<Vec<_>>(), rest.map(|k| length + k))
            }
            _ => {
                let mut active = (0..self.is_active.len()).filter(|&k| self.is_active[k]);
                (active.by_ref().take(length).collect(), active.next())
            }
        }
    }

    /// Checks whether the node is computed by whole sequences and the next cycle is the first one of a sequence.
    fn is_at_start(&self) -> bool {
        let holds = |slot: &Slot| {
            let value = self.states().zip(&self.state).find(|(s, _)| *s == slot);
            value.is_some_and(|(_, x)| matches!(x.data(), Data::I1(v) if v[0]))
        };
        self.code.segments.as_ref().is_some_and(|s| s.starts.iter().all(holds))
    }

    /// Returns the cycles of the next sequence, if it is complete.
    fn sequence(&mut self) -> Result<Option<(&'a Segments, Vec<usize>)>, EvalError> {
        let Some(segments) = &self.code.segments else { return Ok(None) };
        if self.is_active.len() < self.endless || !self.is_at_start() {
            return Ok(None);
        }
        loop {
            let (mut window, next) = self.window(self.sight.min(self.most));
            let arguments = self.arguments(ENDS, &window, &|_| None);
            let rows = segments.ends.call(&arguments).map_err(broken)?;
            let end = rows.first().and_then(|x| match x.data() {
                Data::I1(ends) => ends.iter().position(|e| *e),
                _ => None,
            });
            if let Some(end) = end {
                window.truncate(end + 1);
                self.sight = WINDOW.max(2 * window.len());
                return Ok(Some((segments, window)));
            }
            if next.is_none() || window.len() == self.most {
                // The end is searched again only after the sequence has grown by 1/32.
                self.endless = self.is_active.len() + 1 + self.is_active.len() / 32;
                return Ok(None);
            }
            self.sight *= 2;
        }
    }

    /// Computes a whole sequence.
    fn whole(&self, segments: &Segments, window: &[usize]) -> Result<Made<'a>, EvalError> {
        let arguments = self.arguments(SEGMENT, window, &|_| None);
        let values = segments.segment.call(&arguments).map_err(broken)?;
        Ok(Made { slots: &self.code.slots[SEGMENT][1], values })
    }

    /// Computes a window as far as it can be known. Returns the number of its first cycles that are resolved: these
    /// need not be computed again.
    fn resolve(&self, window: &[usize]) -> Result<(Made<'a>, usize), EvalError> {
        let Some(back) = &self.code.back else {
            return Ok((self.forward(window, &[])?, window.len()));
        };
        let mut posts: Vec<Array> = Vec::new();
        loop {
            let made = self.forward(window, &posts)?;
            let n = window.len();
            let (is_settled, is_closed) = (made.mask("settled", ""), made.mask("closed", ""));
            let settled = (0..n).take_while(|&k| is_settled.holds(k)).count();
            let resolved = (0..settled).rev().find(|&k| is_closed.holds(k)).map_or(0, |k| k + 1);
            if resolved == n {
                return Ok((made, n));
            }
            let arguments = self.arguments(BACK, window, &|slot| match slot.role.as_str() {
                "fby" | "fby?" => made.find(&slot.role, &slot.name).cloned(),
                _ => None,
            });
            let seen = back.call(&arguments).map_err(broken)?;
            // Unknown values are arbitrary, so only the masks show whether a sweep has found more.
            let is_known = |x: &Array| matches!(x.data(), Data::I1(v) if v.contains(&true));
            let is_at_rest = match posts.is_empty() {
                true => !self.masks(&seen).any(is_known),
                false => self.masks(&seen).eq(self.masks(&posts)),
            };
            posts = seen;
            if !is_at_rest && resolved < n / 2 {
                continue;
            }
            if resolved == 0 {
                return Ok((made, 0));
            }
            // Computes the resolved cycles once more, for the state after them.
            let posts: Vec<Array> = posts.iter().map(|x| rows_of(x, 0..resolved)).collect();
            return Ok((self.forward(&window[..resolved], &posts)?, resolved));
        }
    }

    /// Returns the results of the backward sweep that are masks.
    fn masks<'m>(&self, seen: &'m [Array]) -> impl Iterator<Item = &'m Array> {
        let roles: Vec<bool> = self.code.slots[BACK][1].iter().map(|s| s.role == "post?").collect();
        seen.iter().zip(roles).filter(|(_, is_mask)| *is_mask).map(|(x, _)| x)
    }

    /// Runs the forward sweep. If `posts` is empty, the future is unknown.
    fn forward(&self, window: &[usize], posts: &[Array]) -> Result<Made<'a>, EvalError> {
        let back = self.code.back.as_ref().zip(self.code.slots.get(BACK));
        let arguments = self.arguments("", window, &|slot| {
            let (back, [_, order]) = back.filter(|_| slot.role.starts_with("post"))?;
            let k = order.iter().position(|s| s == slot).expect("the sweep backward gives it");
            Some(posts.get(k).cloned().unwrap_or_else(|| {
                let ty = &back.signature().results[k];
                let rest = ty.shape[1..].iter().map(|n| n.unwrap_or(0));
                let shape: Vec<usize> = std::iter::once(window.len()).chain(rest).collect();
                Array::zeros(ty.element, &shape)
            }))
        });
        let values = self.code.forward.call(&arguments).map_err(broken)?;
        Ok(Made { slots: &self.code.slots[""][1], values })
    }

    /// Returns the arguments of a function on a window. `special` overrides some.
    fn arguments(&self, suffix: &str, window: &[usize], special: &dyn Fn(&Slot) -> Option<Array>) -> Vec<Array> {
        let mut states = self.state.iter();
        let one = |slot: &Slot| {
            if let Some(x) = special(slot) {
                return x;
            }
            match slot.role.as_str() {
                "input" => {
                    let graph = &self.flat.graph;
                    let v = graph.inputs().find(|&v| graph.label(v) == slot.name).expect("an input");
                    self.waiting[v].rows(window)
                }
                "cycles" => Array::index(window.len() as i64),
                "initial" => self.initials[&slot.name].clone(),
                "parameter" => self.parameters[&slot.name].clone(),
                _ => states.next().expect("one for each").clone(),
            }
        };
        self.code.slots[suffix][0].iter().map(one).collect()
    }

    /// Appends the results of a sweep in the first `upto` cycles; the cycles of `window` are active.
    fn unpack(&self, window: &[usize], upto: usize, made: &Made, known: &mut Known) {
        let code = self.code;
        let fault = made.find("fault", "").and_then(|x| {
            let Data::I64(codes) = x.data() else { return None };
            codes[..window.len()].iter().position(|&c| c != 0).map(|k| (k, codes[k] as usize - 1))
        });
        let mut end = fault.map_or(upto, |f| window[f.0]);
        let mut mistimed = None;
        let before = known.len();
        for v in self.flat.graph.inputs() {
            let name = self.flat.graph.label(v);
            let (is_known, is_on) = (made.mask("clock?", &name), made.mask("clock", &name));
            let given = &self.waiting[v];
            if is_whole(window, end) && is_known.is_all(end) && is_on.is_all(end) && given.is_full(end) {
                known.inputs[v].push_first(vec![Cell::Value(()); end], given.data());
                continue;
            }
            let mut marks = Vec::with_capacity(end);
            for (k, n) in cycles(window, end) {
                let Some(k) = k else {
                    marks.push(Cell::Absent);
                    continue;
                };
                marks.push(match (&given.marks()[n], is_on.holds(k)) {
                    _ if !is_known.holds(k) => Cell::Undetermined,
                    (Cell::Value(()), true) => Cell::Value(()),
                    (Cell::Value(()), false) if self.is_lenient[v] => Cell::Absent,
                    (Cell::Absent, false) => Cell::Absent,
                    (mark, _) => {
                        mistimed = Some((n, Stop::Mistimed { input: v, is_present: *mark == Cell::Value(()) }));
                        end = n;
                        break;
                    }
                });
            }
            known.inputs[v].push_first(marks, given.data());
        }
        let outputs = made.slots.iter().zip(&made.values).filter(|(s, _)| s.role == "output");
        for (column, (slot, values)) in known.shown.iter_mut().zip(outputs) {
            let [is_there_known, is_there, is_known] =
                ["presence?", "presence", "output?"].map(|role| made.mask(role, &slot.name));
            if is_whole(window, end) && [&is_there_known, &is_there, &is_known].iter().all(|m| m.is_all(end)) {
                column.push_first(vec![Cell::Value(()); end], values.data());
                continue;
            }
            let places: Vec<Option<usize>> = cycles(window, end).map(|(k, _)| k).collect();
            let mark = |k: &Option<usize>| match *k {
                None => Cell::Absent,
                Some(k) if !is_there_known.holds(k) => Cell::Undetermined,
                Some(k) if !is_there.holds(k) => Cell::Absent,
                Some(k) if !is_known.holds(k) => Cell::Undetermined,
                Some(_) => Cell::Value(()),
            };
            column.push_rows(places.iter().map(mark).collect(), values.data(), &places);
        }
        // Inputs that were processed before a mistimed one have too many cycles.
        let total = before + end;
        known.inputs.iter_mut().filter(|c| c.len() > total).for_each(|c| drop(c.split_off(total)));
        let fault = fault.filter(|f| window[f.0] <= end).and_then(|(k, number)| {
            let location = code.faults.get(number)?.clone();
            let cycle = self.start + window[k];
            let text = format!("E-RT-OP: division by zero in cycle {cycle}");
            Some((window[k], Stop::Fault { location, text }))
        });
        let first = [fault, mistimed].into_iter().flatten().min_by_key(|(n, _)| *n);
        known.stop = first.map(|(n, stop)| (self.start + n, stop));
    }
}

/// Computes the state before the first cycle.
fn first_state(
    code: &Compiled,
    parameters: &HashMap<String, Array>,
    initials: &HashMap<String, Array>,
) -> Result<Vec<Array>, native::Error> {
    let given = |s: &Slot| if s.role == "parameter" { &parameters[&s.name] } else { &initials[&s.name] }.clone();
    let given: Vec<Array> = code.slots[INIT][0].iter().map(given).collect();
    code.init.call(&given)
}

fn bytes(x: &Array) -> u64 {
    (x.len() * x.element().bytes()) as u64
}

/// Checks whether all cycles before `end` are active and in the window.
fn is_whole(window: &[usize], end: usize) -> bool {
    end == 0 || window.get(end - 1) == Some(&(end - 1))
}

/// Returns the cycles before `end`, each with its position in the window if it is active.
fn cycles(window: &[usize], end: usize) -> impl Iterator<Item = (Option<usize>, usize)> {
    let mut k = 0;
    (0..end).map(move |n| {
        let is_active = window.get(k) == Some(&n);
        k += is_active as usize;
        (is_active.then(|| k - 1), n)
    })
}

/// Returns the name by which a state is read and set; masks have none.
pub(super) fn held_name(slot: &Slot) -> Option<String> {
    match slot.role.as_str() {
        "state" => Some(slot.name.clone()),
        "ticked" => Some(format!("{}{TICKED}", slot.name)),
        _ => None,
    }
}

/// The results of a function, with their slots.
struct Made<'a> {
    slots: &'a [Slot],
    values: Vec<Array>,
}

impl Made<'_> {
    fn find(&self, role: &str, name: &str) -> Option<&Array> {
        self.slots.iter().position(|s| s.role == role && s.name == name).map(|k| &self.values[k])
    }

    fn mask(&self, role: &str, name: &str) -> Mask<'_> {
        Mask(self.find(role, name).and_then(|x| if let Data::I1(v) = x.data() { Some(&v[..]) } else { None }))
    }

    fn state(&self) -> Vec<Array> {
        self.values[..self.slots.iter().take_while(|s| s.is_state()).count()].to_vec()
    }
}

/// A mask over cycles; a missing one is true everywhere.
struct Mask<'a>(Option<&'a [bool]>);

impl Mask<'_> {
    fn holds(&self, k: usize) -> bool {
        self.0.is_none_or(|v| v[k])
    }

    /// Checks whether the mask is true in the first `count` cycles.
    fn is_all(&self, count: usize) -> bool {
        self.0.is_none_or(|v| !v[..count].contains(&false))
    }
}

fn broken(e: native::Error) -> EvalError {
    EvalError { location: "code".into(), text: e.to_string() }
}
