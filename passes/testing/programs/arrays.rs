//! Generation of ops that read, arrange and reduce arrays.

use super::Generator;
use super::types::*;

impl Generator {
    pub(super) fn reduce(&mut self) {
        let Some((x, t)) = self.array(|t| t.element.is_numeric()) else { return };
        let op = self.one(&["sum", "sum", "prod", "max", "min"]);
        let first = self.random(t.rank());
        let axes: Vec<usize> = (0..t.rank()).filter(|&a| a == first || self.random(4) == 0).collect();
        let kept: Vec<Size> = (0..t.rank()).filter(|a| !axes.contains(a)).map(|a| t.shape[a]).collect();
        let z = Ty::new(t.element, &kept);
        let flags = if self.options.stable && self.random(4) == 0 { " fastmath<reassoc,contract>" } else { "" };
        let right = format!("array.{op} {x} axes {axes:?}{flags} : ({}) -> {}", t.text(), z.text());
        if z.element.is_float() { self.bounded(z, right) } else { drop(self.def(z, right)) }
    }

    pub(super) fn search(&mut self) {
        let Some((x, t)) = self.array(|t| t.element.is_numeric()) else { return };
        let axis = self.random(t.rank());
        let mut shape = t.shape.clone();
        shape.remove(axis);
        let z = Ty::new(Index, &shape);
        let op = self.one(&["argmax", "argmin"]);
        self.def(z.clone(), format!("array.{op} {x} axis {axis} : ({}) -> {}", t.text(), z.text()));
    }

    pub(super) fn replicate(&mut self) {
        let rank = self.one(&[0, 0, 1, 1, 2]);
        let Some((x, t)) = self.pick(|t| t.rank() == rank) else { return };
        let n = self.size();
        let z = Ty::new(t.element, &[&[n], t.shape.as_slice()].concat());
        let n = if n.is_static() { String::new() } else { format!(", {}", self.size_value(n, true)) };
        self.def(z.clone(), format!("array.replicate {x}{n} : ({}) -> {}", t.text(), z.text()));
    }

    pub(super) fn transpose(&mut self) {
        let Some((x, t)) = self.array(|t| t.rank() > 1) else { return };
        let mut p: Vec<usize> = (0..t.rank()).collect();
        for k in (1..p.len()).rev() {
            p.swap(k, self.random(k + 1));
        }
        let z = Ty::new(t.element, &p.iter().map(|&j| t.shape[j]).collect::<Vec<_>>());
        self.def(z.clone(), format!("array.transpose {x} {p:?} : ({}) -> {}", t.text(), z.text()));
    }

    pub(super) fn reshape(&mut self) {
        let Some((x, t)) = self.pick(|t| t.rank() < 4) else { return };
        let mut shape = t.shape.clone();
        match self.random(4) {
            0 if t.rank() < 3 => {
                let at = self.random(t.rank() + 1);
                shape.insert(at, known(1));
            }
            1 => shape.reverse(),
            2 if t.rank() < 3 && shape.contains(&NM) => {
                let at = shape.iter().position(|s| *s == NM).expect("there is one");
                shape.splice(at..=at, self.one(&[[N, M], [M, N]]));
            }
            _ => {
                // Two adjacent axes are merged if one of them is static, else a static one is split.
                let stable = self.options.stable;
                let joins = |a: &usize| {
                    let (p, q) = (shape[a - 1], shape[*a]);
                    p.is_static() || q.is_static() || (stable && p.product(q).is_some())
                };
                let joined = (1..shape.len()).find(joins);
                let even = shape.iter().position(|s| s.is_static() && s.known % 2 == 0 && s.known > 0);
                match (joined, even) {
                    (Some(a), _) => {
                        let (p, q) = (shape[a - 1], shape.remove(a));
                        shape[a - 1] = p.product(q).expect("it is a size");
                    }
                    (None, Some(a)) => {
                        shape[a].known /= 2;
                        shape.insert(a + 1, known(2));
                    }
                    _ => return,
                }
            }
        }
        // A dynamic size whose terms cancel is static.
        let z = Ty::new(t.element, &shape);
        let sizes = self.sizes(&shape);
        self.def(z.clone(), format!("array.reshape {x}{sizes} : ({}) -> {}", t.text(), z.text()));
    }

    pub(super) fn stack(&mut self) {
        let rank = self.one(&[0, 0, 1, 2]);
        let Some((x, t)) = self.pick(|t| t.rank() == rank) else { return };
        let mut parts = vec![x];
        for _ in 0..self.random(if self.options.stable { 4 } else { 3 }) {
            let same = t.clone();
            parts.push(self.pick(|u| *u == same).expect("at least the first").0);
        }
        let z = Ty::new(t.element, &[&[known(parts.len())], t.shape.as_slice()].concat());
        let types: Vec<String> = parts.iter().map(|_| t.text()).collect();
        self.def(z.clone(), format!("array.stack {} : ({}) -> {}", parts.join(", "), types.join(", "), z.text()));
    }

    pub(super) fn append(&mut self) {
        let Some((x, t)) = self.array(|_| true) else { return };
        let like = t.clone();
        let fits = |u: &Ty| u.element == like.element && u.rank() == like.rank() && u.shape[1..] == like.shape[1..];
        let (y, u) = self.pick(fits).expect("at least the first");
        let size = t.shape[0].plus(u.shape[0]);
        if size.known > 6 || size.times.iter().any(|&k| k > 2) {
            return;
        }
        let z = Ty::new(t.element, &[&[size], &t.shape[1..]].concat());
        let name = self.def(z.clone(), format!("array.append {x}, {y} : ({}, {}) -> {}", t.text(), u.text(), z.text()));
        if self.options.stable && !size.is_static() {
            let length = self.def(Ty::scalar(Index), format!("array.length {name} : {}", z.text()));
            self.named.push((size, length));
        }
    }

    pub(super) fn slice(&mut self) {
        let Some((x, t)) = self.array(|_| true) else { return };
        let (start, n) = (self.an_index(), self.size());
        let z = Ty::new(t.element, &[&[n], &t.shape[1..]].concat());
        let n = if n.is_static() { String::new() } else { format!(" size {}", self.size_value(n, true)) };
        self.def(z.clone(), format!("array.slice {x} from {start}{n} : ({}) -> {}", t.text(), z.text()));
    }

    pub(super) fn reverse(&mut self) {
        let Some((x, t)) = self.array(|_| true) else { return };
        self.def(t.clone(), format!("array.reverse {x} : {}", t.text()));
    }

    pub(super) fn iota(&mut self) {
        let n = self.size();
        let z = Ty::new(Index, &[n]);
        let n = if n.is_static() { String::new() } else { format!("{} ", self.size_value(n, true)) };
        self.def(z.clone(), format!("array.iota {n}: {}", z.text()));
    }

    pub(super) fn get(&mut self) {
        let Some((x, t)) = self.array(|_| true) else { return };
        let k = 1 + self.random(t.rank());
        let indices: Vec<String> = (0..k).map(|_| self.an_index()).collect();
        let z = Ty::new(t.element, &t.shape[k..]);
        self.def(z.clone(), format!("array.get {x}[{}] : ({}) -> {}", indices.join(", "), t.text(), z.text()));
    }

    pub(super) fn one_hot(&mut self) {
        let rank = self.one(&[0, 0, 1, 2]);
        let Some((x, t)) = self.pick(|t| t.rank() == rank) else { return };
        let most = if self.options.stable { 3 - rank } else { 2 };
        let leading: Vec<Size> = (0..if rank < 2 { 1 + self.random(most) } else { 1 }).map(|_| self.size()).collect();
        let indices: Vec<String> = leading.iter().map(|_| self.an_index()).collect();
        let z = Ty::new(t.element, &[leading.as_slice(), t.shape.as_slice()].concat());
        let sizes = self.sizes(&leading);
        self.def(
            z.clone(),
            format!("array.one_hot {x} at [{}]{sizes} : ({}) -> {}", indices.join(", "), t.text(), z.text()),
        );
    }

    /// Generates a one-hot array, or a scatter into zeros, whose only reader is an addition.
    pub(super) fn accumulate(&mut self) {
        let Some((z, t)) = self.array(|t| t.element.is_numeric()) else { return };
        let k = 1 + self.random(t.rank());
        let part = Ty::new(t.element, &t.shape[k..]);
        let Some((x, _)) = self.pick(|u| *u == part) else { return };
        let at: Vec<String> = (0..k).map(|_| self.an_index()).collect();
        let (at, xt, zt, hot) = (at.join(", "), part.text(), t.text(), self.fresh());
        if self.random(2) == 0 || !t.element.is_float() || t.shape.iter().any(|n| !n.is_static()) {
            let sizes = self.sizes(&t.shape[..k]);
            self.line(format!("{hot} = array.one_hot {x} at [{at}]{sizes} : ({xt}) -> {zt}"));
        } else {
            let (zero, types) = (self.fresh(), vec!["index"; k].join(", "));
            self.line(format!("{zero} = dual.zero : {zt}"));
            self.line(format!("{hot} = array.scatter {x} into {zero} : {xt} into {zt} () {{"));
            self.line(format!("array.yield {at} : {types}\n}}"));
        }
        let op = if t.element.is_float() { "arith.addf" } else { "arith.addi" };
        let (a, b) = if self.random(2) == 0 { (z, hot) } else { (hot, z) };
        self.def(t, format!("{op} {a}, {b} : {zt}"));
    }

    /// Returns the operands for the `?` among sizes in the notation of an op.
    fn sizes(&mut self, shape: &[Size]) -> String {
        let sizes = self.dynamic(shape);
        if sizes.is_empty() { String::new() } else { format!(" sizes({})", sizes.join(", ")) }
    }

    /// Returns indices and their extents in the notation of an op.
    pub(super) fn space(&mut self, sizes: &[Size]) -> (Vec<String>, String) {
        let indices: Vec<String> = sizes.iter().map(|_| self.fresh()).collect();
        let mut heading = Vec::new();
        for (i, &n) in indices.iter().zip(sizes) {
            let n = if n.is_static() { n.known.to_string() } else { self.size_value(n, true) };
            heading.push(format!("{i} < {n}"));
        }
        (indices, heading.join(", "))
    }

    /// Generates the body of an index region that yields `count` indices.
    pub(super) fn position(&mut self, indices: &[String], count: usize) {
        self.nested(|g| {
            g.values.extend(indices.iter().map(|i| (i.clone(), Ty::scalar(Index))));
            for _ in 0..g.random(3) {
                match g.random(6) {
                    0 => g.get(),
                    1 if g.options.stable => g.block(1, g.options.depth - 1),
                    2 if g.options.stable => g.integers(),
                    1 if g.options.depth > 1 && g.budget > 0 => g.build(g.options.depth - 1),
                    _ => g.index(),
                }
            }
            let index = |t: &Ty| *t == Ty::scalar(Index);
            let mut yielded: Vec<String> =
                (0..count).map(|_| g.pick_fresh(index).expect("there is an index").0).collect();
            if g.random(3) == 0 {
                yielded.iter_mut().zip(indices).for_each(|(y, i)| y.clone_from(i));
            }
            let types: Vec<&str> = yielded.iter().map(|_| "index").collect();
            g.line(format!("array.yield {} : {}\n}}", yielded.join(", "), types.join(", ")));
        });
    }

    pub(super) fn gather(&mut self) {
        let Some((x, t)) = self.array(|_| true) else { return };
        let m = 1 + self.random(t.rank());
        let room = (3 - (t.rank() - m)).clamp(1, if self.options.stable { 3 } else { 2 });
        let leading: Vec<Size> = (0..1 + self.random(room)).map(|_| self.size()).collect();
        let z = Ty::new(t.element, &[leading.as_slice(), &t.shape[m..]].concat());
        let (indices, heading) = self.space(&leading);
        let name = self.fresh();
        self.line(format!("{name} = array.gather {x} : {} ({heading}) -> ({}) {{", t.text(), z.text()));
        self.position(&indices, m);
        self.values.push((name, z));
    }

    pub(super) fn scatter(&mut self) {
        let Some((init, t)) = self.array(|t| t.element.is_numeric()) else { return };
        // The trailing axes of the addend are those of the destination.
        let (element, like) = (t.element, t.clone());
        let fits = |u: &Ty| {
            u.element == element
                && (0..like.rank()).any(|s| u.rank() >= s && u.shape[u.rank() - s..] == like.shape[like.rank() - s..])
        };
        let Some((x, u)) = self.pick(fits) else { return };
        let shared: Vec<usize> =
            (0..t.rank()).filter(|&s| u.rank() >= s && u.shape[u.rank() - s..] == t.shape[t.rank() - s..]).collect();
        let s = self.one(&shared);
        let indices: Vec<String> = (0..u.rank() - s).map(|_| self.fresh()).collect();
        let name = self.fresh();
        let (part, whole, at) = (u.text(), t.text(), indices.join(", "));
        self.line(format!("{name} = array.scatter {x} into {init} : {part} into {whole} ({at}) {{"));
        self.position(&indices, t.rank() - s);
        self.values.push((name, t));
    }
}
