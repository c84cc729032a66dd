//! Generation of calls, branches, loops and builds.

use super::Generator;
use super::types::*;

impl Generator {
    pub(super) fn call(&mut self) {
        let (a, b) = (self.scalar(), self.scalar());
        match self.random(4) {
            0 => drop(self.def(Ty::scalar(F64), format!("func.call @scalar({a}, {b}) : (f64, f64) -> f64"))),
            1 => {
                let Some((x, t)) = self.pick(|t| t.element == F64 && t.rank() == 1 && !t.shape[0].is_static()) else {
                    return;
                };
                let (i, name) = (self.an_index(), self.fresh());
                self.line(format!(
                    "{name}:2 = func.call @rows({x}, {i}) : (tensor<?xf64>, index) -> (f64, tensor<?xf64>)"
                ));
                self.values.extend([(format!("{name}#0"), Ty::scalar(F64)), (format!("{name}#1"), t)]);
            }
            2 => {
                let Some((x, t)) = self.pick(|t| t.element == F64 && t.rank() == 1) else { return };
                let ty = t.text();
                self.def(t.clone(), format!("array.vmap @scalar({x}, {a}) in_axes [0, -1] : ({ty}, f64) -> {ty}"));
            }
            _ => {
                let Some((x, t)) = self.pick(|t| t.element == F64 && t.rank() == 2 && !t.shape[0].is_static()) else {
                    return;
                };
                let (i, name) = (self.an_index(), self.fresh());
                let (rows, all) = (Ty::new(F64, &[t.shape[1]]), Ty::new(F64, &[t.shape[1], t.shape[0]]));
                let (t, r, a) = (t.text(), rows.text(), all.text());
                self.line(format!(
                    "{name}:2 = array.vmap @rows({x}, {i}) in_axes [1, -1] : ({t}, index) -> ({r}, {a})"
                ));
                self.values.extend([(format!("{name}#0"), rows), (format!("{name}#1"), all)]);
            }
        }
    }

    pub(super) fn branch(&mut self, depth: usize) {
        let c = self.pick(|t| *t == Ty::scalar(I1)).expect("there is an i1 argument").0;
        let stable = self.options.stable;
        let results: Vec<Var> = (0..1 + self.random(if stable { 3 } else { 2 }))
            .map(|_| if stable { self.pick(|_| true).expect("there are arguments") } else { self.float() })
            .collect();
        let types: Vec<String> = results.iter().map(|r| r.1.text()).collect();
        let name = self.fresh();
        self.line(format!("{name}:{} = scf.if {c} -> ({}) {{", results.len(), types.join(", ")));
        for side in 0..2 {
            self.nested(|g| {
                let inside = g.values.len();
                let ops = 1 + g.random(5);
                g.block(ops, depth + 1);
                let values: Vec<String> = results.iter().map(|r| g.of_all(&r.1, inside)).collect();
                g.line(format!("scf.yield {} : {}", values.join(", "), types.join(", ")));
            });
            self.line(if side == 0 { "} else {".into() } else { "}".into() });
        }
        self.values.extend(results.into_iter().enumerate().map(|(k, r)| (format!("{name}#{k}"), r.1)));
    }

    /// Returns the number of iterations of a loop, which is small.
    pub(super) fn count(&mut self) -> String {
        let most = if self.options.stable { 6 } else { 4 };
        let (i, most) = (self.an_index(), self.def(Ty::scalar(Index), format!("arith.constant {most} : index")));
        self.def(Ty::scalar(Index), format!("arith.minsi {i}, {most} : index"))
    }

    /// Returns inits of a loop, and the names of its carried values.
    pub(super) fn carried(&mut self) -> Vec<(String, Var)> {
        let stable = self.options.stable;
        (0..1 + self.random(if stable { 3 } else { 2 }))
            .map(|_| {
                let init = match stable {
                    true => self.pick(|t| t.element.is_numeric()).expect("there are arguments"),
                    false if self.random(5) == 0 => self.pick(|t| t.rank() == 0).expect("a scalar"),
                    false => self.float(),
                };
                (self.fresh(), init)
            })
            .collect()
    }

    /// Generates the ops of the body of a loop. Returns the next carried values.
    pub(super) fn body(&mut self, depth: usize, arguments: &[Var], next: &[Ty]) -> Vec<String> {
        self.values.extend(arguments.iter().cloned());
        let inside = self.values.len();
        let ops = 2 + self.random(5);
        self.block(ops, depth + 1);
        let states = &arguments[arguments.len() - next.len()..];
        next.iter()
            .zip(states)
            .map(|(t, state)| {
                let x = self.of_all(t, inside);
                // Bounded, so that results of long loops remain comparable.
                let x = if t.element.is_float() && (self.options.stable || self.random(2) == 0) {
                    self.def(t.clone(), format!("math.sin {x} : {}", t.text()))
                } else {
                    x
                };
                if self.options.stable && self.random(4) == 0 {
                    let c = self.comparison_of_indices();
                    return self.def(t.clone(), format!("arith.select {c}, {x}, {} : {}", state.0, t.text()));
                }
                if self.random(3) == 0 { self.accumulated(t, &state.0, x, inside - arguments.len()) } else { x }
            })
            .collect()
    }

    /// Generates an accumulation, or an op similar to one: the state, sometimes changed first, combined with a value.
    /// Often the value is one from before the arguments of the loop, at `before`, which does not depend on the state.
    fn accumulated(&mut self, t: &Ty, state: &str, x: String, before: usize) -> String {
        let ops: &[&str] = match t.element {
            F64 | F32 if self.options.stable => &["addf", "subf", "maximumf", "minimumf"],
            F64 | F32 => &["addf", "subf", "mulf", "maximumf", "minimumf"],
            I64 | I32 | I16 | I8 => &["addi", "subi", "muli", "maxsi", "minsi"],
            _ => return x,
        };
        let mut state = state.to_string();
        if t.element.is_float() && self.random(3) == 0 {
            state = self.def(t.clone(), format!("math.tanh {state} : {}", t.text()));
        }
        let outside = self.values[..before].iter().rev().find(|v| v.1 == *t).cloned();
        let x = match outside {
            Some((y, _)) if self.random(2) == 0 => y,
            _ => x,
        };
        let op = ops[self.random(ops.len())];
        let (a, b) = if self.random(2) == 0 { (state, x) } else { (x, state) };
        self.def(t.clone(), format!("arith.{op} {a}, {b} : {}", t.text()))
    }

    pub(super) fn finish(&mut self, name: &str, results: &[Ty]) {
        self.values.extend(results.iter().enumerate().map(|(k, t)| (format!("{name}#{k}"), t.clone())));
    }

    pub(super) fn ifold(&mut self, depth: usize) {
        let (carried, count, i, name) = (self.carried(), self.count(), self.fresh(), self.fresh());
        let types: Vec<Ty> = carried.iter().map(|c| c.1.1.clone()).collect();
        let (inits, list) = (pairs(&carried), texts(&types));
        self.line(format!("{name}:{} = array.ifold ({i} < {count}) iter_args({inits}) -> ({list}) {{", types.len()));
        self.nested(|g| {
            let arguments = [vec![(i.clone(), Ty::scalar(Index))], inside(&carried)].concat();
            let next = g.body(depth, &arguments, &types);
            g.line(format!("array.yield {} : {list}\n}}", next.join(", ")));
        });
        self.finish(&name, &types);
    }

    pub(super) fn fold(&mut self, depth: usize) {
        let Some((x, t)) = self.array(|_| true) else { return };
        let (first, like) = (t.shape[0], t.shape[0]);
        let second = self.pick(|u| u.rank() > 0 && u.shape[0] == like).expect("at least the first");
        let stable = self.options.stable;
        let emits = if stable { self.random(3) } else { usize::from(self.random(2) == 0) };
        let (carried, name) = (self.carried(), self.fresh());
        let arrays = if stable && self.random(2) == 0 { vec![(x, t)] } else { vec![(x, t), second] };
        let rows: Vec<(String, Var)> = arrays.into_iter().map(|x| (self.fresh(), x)).collect();
        let row = |t: &Ty| Ty::new(t.element, &t.shape[1..]);
        let heading: Vec<String> = rows.iter().map(|(r, (x, t))| format!("{r} = {x} : {}", t.text())).collect();
        let types: Vec<Ty> = carried.iter().map(|c| c.1.1.clone()).collect();
        let arguments: Vec<Var> = rows.iter().map(|(r, (_, t))| (r.clone(), row(t))).chain(inside(&carried)).collect();
        let before = std::mem::take(&mut self.text);
        let (next, emitted) = self.nested(|g| {
            let next = g.body(depth, &arguments, &types);
            let emitted: Vec<Var> = (0..emits).map(|_| g.pick_fresh(|t| t.rank() < 3).expect("a scalar")).collect();
            (next, emitted)
        });
        let body = std::mem::replace(&mut self.text, before);
        let all: Vec<Ty> = types.iter().cloned().chain(emitted.iter().map(|e| e.1.clone())).collect();
        let stacked = emitted.iter().map(|e| Ty::new(e.1.element, &[&[first], e.1.shape.as_slice()].concat()));
        let results: Vec<Ty> = types.iter().cloned().chain(stacked).collect();
        let op = if emits > 0 { "map_accum" } else { "fold" };
        let (n, rows, inits, list) = (results.len(), heading.join(", "), pairs(&carried), texts(&results));
        self.line(format!("{name}:{n} = array.{op} ({rows}) iter_args({inits}) -> ({list}) {{"));
        self.text.push_str(&body);
        let yielded: Vec<String> = next.into_iter().chain(emitted.into_iter().map(|e| e.0)).collect();
        self.line(format!("array.yield {} : {}\n}}", yielded.join(", "), texts(&all)));
        self.finish(&name, &results);
    }

    pub(super) fn scf_for(&mut self, depth: usize) {
        let (carried, count, i, name) = (self.carried(), self.count(), self.fresh(), self.fresh());
        let (start, step) = (self.fresh(), self.fresh());
        if self.options.stable {
            let (i, least, n) = (self.an_index(), self.fresh(), 1 + self.random(3));
            self.line(format!("{least} = arith.constant -4 : index\n{start} = arith.maxsi {i}, {least} : index"));
            self.line(format!("{step} = arith.constant {n} : index"));
        } else {
            self.line(format!("{start} = arith.constant 0 : index\n{step} = arith.constant 1 : index"));
        }
        let types: Vec<Ty> = carried.iter().map(|c| c.1.1.clone()).collect();
        let (n, inits, list) = (types.len(), pairs(&carried), texts(&types));
        let range = format!("{start} to {count} step {step}");
        self.line(format!("{name}:{n} = scf.for {i} = {range} iter_args({inits}) -> ({list}) {{"));
        self.nested(|g| {
            let arguments = [vec![(i.clone(), Ty::scalar(Index))], inside(&carried)].concat();
            let next = g.body(depth, &arguments, &types);
            g.line(format!("scf.yield {} : {list}\n}}", next.join(", ")));
        });
        self.finish(&name, &types);
    }

    /// Generates an `scf.while` that counts to a bound, unless a carried number ends it.
    pub(super) fn scf_while(&mut self, depth: usize) {
        if self.options.stable && self.random(3) > 0 {
            return self.scf_while_of_others(depth);
        }
        let (x, count, name) = (self.float(), self.count(), self.fresh());
        let t = x.1.clone();
        let (i, s, j, r) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        let (zero, one, c, next) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        let ty = t.text();
        self.line(format!("{zero} = arith.constant 0 : index\n{one} = arith.constant 1 : index"));
        self.line(format!("{name}:2 = scf.while ({i} = {zero}, {s} = {}) : (index, {ty}) -> (index, {ty}) {{", x.0));
        self.line(format!("{c} = arith.cmpi slt, {i}, {count} : index"));
        let condition = if t == Ty::scalar(F64) && self.random(2) == 0 {
            let (a, d, e) = (self.scalar(), self.fresh(), self.fresh());
            self.line(format!("{d} = arith.cmpf ule, {s}, {a} : f64\n{e} = arith.andi {c}, {d} : i1"));
            e
        } else {
            c
        };
        self.line(format!("scf.condition({condition}) {i}, {s} : index, {ty}\n}} do {{\n^bb0({j}: index, {r}: {ty}):"));
        self.nested(|g| {
            g.line(format!("{next} = arith.addi {j}, {one} : index"));
            let arguments = [(j.clone(), Ty::scalar(Index)), (r.clone(), t.clone())];
            let carried = g.body(depth, &arguments, std::slice::from_ref(&t));
            g.line(format!("scf.yield {next}, {} : index, {ty}\n}}", carried[0]));
        });
        self.finish(&name, &[Ty::scalar(Index), t]);
    }

    /// Generates an `scf.while` that counts to a bound, and passes other values to its body than it carries.
    fn scf_while_of_others(&mut self, depth: usize) {
        let (mut carried, count, name) = (self.carried(), self.count(), self.fresh());
        let (zero, one, go, next) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        self.line(format!("{zero} = arith.constant 0 : index\n{one} = arith.constant 1 : index"));
        carried.insert(0, (self.fresh(), (zero, Ty::scalar(Index))));
        let states = inside(&carried);
        let before = std::mem::take(&mut self.text);
        let passed = self.nested(|g| {
            g.values.extend(states.iter().cloned());
            let ops = g.random(3);
            g.block(ops, depth + 1);
            let others = g.random(4);
            let others = (0..others).map(|_| g.pick_fresh(|t| t.element.is_numeric()).expect("there are arguments"));
            [states[0].clone()].into_iter().chain(others).collect::<Vec<Var>>()
        });
        let condition = std::mem::replace(&mut self.text, before);
        let [from, to] = [&states, &passed].map(|vars| vars.iter().map(|v| v.1.clone()).collect::<Vec<Ty>>());
        let (n, inits) = (to.len(), pairs(&carried));
        self.line(format!("{name}:{n} = scf.while ({inits}) : ({}) -> ({}) {{", texts(&from), texts(&to)));
        self.text.push_str(&condition);
        let names: Vec<String> = passed.into_iter().map(|v| v.0).collect();
        self.line(format!("{go} = arith.cmpi slt, {}, {count} : index", states[0].0));
        self.line(format!("scf.condition({go}) {} : {}\n}} do {{", names.join(", "), texts(&to)));
        let received: Vec<Var> = to.iter().map(|t| (self.fresh(), t.clone())).collect();
        let parameters: Vec<String> = received.iter().map(|(x, t)| format!("{x}: {}", t.text())).collect();
        self.line(format!("^bb0({}):\n{next} = arith.addi {}, {one} : index", parameters.join(", "), received[0].0));
        self.nested(|g| {
            g.values.extend(received.iter().cloned());
            let inside = g.values.len();
            let ops = 1 + g.random(4);
            g.block(ops, depth + 1);
            let mut yielded = vec![next];
            for t in &from[1..] {
                let x = g.of_all(t, inside);
                let is_float = t.element.is_float();
                yielded.push(if is_float { g.def(t.clone(), format!("math.sin {x} : {}", t.text())) } else { x });
            }
            g.line(format!("scf.yield {} : {}\n}}", yielded.join(", "), texts(&from)));
        });
        self.finish(&name, &to);
    }

    pub(super) fn build(&mut self, depth: usize) {
        let leading: Vec<Size> = (0..self.one(&[1, 1, 2])).map(|_| self.size()).collect();
        let (indices, heading) = self.space(&leading);
        let (count, name) = (1 + self.random(4), self.fresh());
        // The body is generated first, because it determines the types.
        let before = std::mem::take(&mut self.text);
        let room = 3 - leading.len();
        let yielded: Vec<Var> = self.nested(|g| {
            g.values.extend(indices.iter().map(|i| (i.clone(), Ty::scalar(Index))));
            let ops = 2 + g.random(5);
            g.block(ops, depth + 1);
            (0..count)
                .map(|_| {
                    let float = g.random(4) > 0;
                    let fits = |t: &Ty| t.rank() <= room && t.element.is_float() == float;
                    g.pick_fresh(fits).expect("there are scalar arguments")
                })
                .collect()
        });
        let body = std::mem::replace(&mut self.text, before);
        let elements: Vec<Ty> = yielded.iter().map(|y| y.1.clone()).collect();
        let results: Vec<Ty> =
            elements.iter().map(|t| Ty::new(t.element, &[leading.as_slice(), t.shape.as_slice()].concat())).collect();
        self.line(format!("{name}:{count} = array.build ({heading}) -> ({}) {{", texts(&results)));
        self.text.push_str(&body);
        let names: Vec<String> = yielded.into_iter().map(|y| y.0).collect();
        self.line(format!("array.yield {} : {}\n}}", names.join(", "), texts(&elements)));
        self.finish(&name, &results);
    }
}

fn texts(types: &[Ty]) -> String {
    types.iter().map(Ty::text).collect::<Vec<_>>().join(", ")
}

/// Returns `%carried = %init, ...`
fn pairs(carried: &[(String, Var)]) -> String {
    carried.iter().map(|(c, (v, _))| format!("{c} = {v}")).collect::<Vec<_>>().join(", ")
}

/// Returns the carried values of a loop, as its body sees them.
fn inside(carried: &[(String, Var)]) -> Vec<Var> {
    carried.iter().map(|(c, (_, t))| (c.clone(), t.clone())).collect()
}
