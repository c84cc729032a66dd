//! Generation of operations on whole arrays: reductions, bulk reads and writes, rearranged arrays.

use super::program::*;

impl Generator {
    pub fn sum(&mut self) {
        let Some(x) = self.array(Type::is_float) else { return };
        let ty = x.ty.behind(1);
        let z = self.def(ty.clone(), format!("array.sum {} : ({}) -> {}", x.name, x.ty.text(), ty.text()));
        self.sine(&z, &ty);
    }

    pub fn reduce(&mut self) {
        let Some(x) = self.array(Type::is_number) else { return };
        let axes: Vec<usize> = (0..x.ty.rank()).filter(|_| self.random(2) == 0).collect();
        let axes = if axes.is_empty() { vec![self.random(x.ty.rank())] } else { axes };
        let kept: Vec<Size> = (0..x.ty.rank()).filter(|k| !axes.contains(k)).map(|k| x.ty.shape[k].clone()).collect();
        let ty = Type::of(&kept, x.ty.element);
        let kind = self.one_of(&["sum", "prod", "max", "min"]);
        let licence = if self.random(4) == 0 { " fastmath<reassoc,contract>" } else { "" };
        let right = format!("array.{kind} {} axes {axes:?}{licence} : ({}) -> {}", x.name, x.ty.text(), ty.text());
        if !ty.is_float() {
            self.def(ty, right);
            return;
        }
        let name = self.fresh();
        self.line(format!("{name} = {right}"));
        if matches!(kind, "sum" | "prod") {
            self.sine(&name, &ty);
            return;
        }
        // An empty maximum is infinite: it is mapped to a finite range.
        self.def(ty.clone(), format!("math.tanh {name} : {}", ty.text()));
    }

    pub fn search(&mut self) {
        let Some(x) = self.array(Type::is_number) else { return };
        let axis = self.random(x.ty.rank());
        let mut kept = x.ty.shape.clone();
        kept.remove(axis);
        let ty = Type::of(&kept, Index);
        let op = self.one_of(&["argmax", "argmin"]);
        self.def(ty.clone(), format!("array.{op} {} axis {axis} : ({}) -> {}", x.name, x.ty.text(), ty.text()));
    }

    pub fn replicate(&mut self) {
        let Some(x) = self.pick(|t| t.rank() < 3 && t.is_number()) else { return };
        let n = self.size();
        let ty = x.ty.rows(std::slice::from_ref(&n));
        let operand: String = Generator::extents(&[n]).into_iter().map(|n| format!(", {n}")).collect();
        self.def(ty.clone(), format!("array.replicate {}{operand} : ({}) -> {}", x.name, x.ty.text(), ty.text()));
    }

    pub fn transpose(&mut self) {
        let Some(x) = self.array(|_| true) else { return };
        let mut p: Vec<usize> = (0..x.ty.rank()).collect();
        for k in (1..p.len()).rev() {
            let other = self.random(k + 1);
            p.swap(k, other);
        }
        let shape: Vec<Size> = p.iter().map(|j| x.ty.shape[*j].clone()).collect();
        let ty = Type::of(&shape, x.ty.element);
        self.def(ty.clone(), format!("array.transpose {} {p:?} : ({}) -> {}", x.name, x.ty.text(), ty.text()));
    }

    pub fn get(&mut self) {
        let Some(x) = self.array(|_| true) else { return };
        let k = 1 + self.random(x.ty.rank());
        let indices: Vec<String> = (0..k).map(|_| self.index()).collect();
        let ty = x.ty.behind(k);
        self.def(
            ty.clone(),
            format!("array.get {}[{}] : ({}) -> {}", x.name, indices.join(", "), x.ty.text(), ty.text()),
        );
    }

    /// Generates a region that computes `yields` indices from `indices`.
    fn positions(&mut self, indices: &[String], yields: usize, depth: usize) -> String {
        let (at, body) = self.aside(|g| {
            indices.iter().for_each(|i| g.know(i.clone(), Type::scalar(Index)));
            let ops = g.random(4);
            for _ in 0..ops {
                match g.random(4) {
                    0 => g.integers(),
                    1 => g.get(),
                    2 => g.block(1, depth.max(2)),
                    _ => g.index_arithmetic(),
                }
            }
            (0..yields).map(|_| g.index()).collect::<Vec<_>>()
        });
        let types = joined(&at, |_| "index".into());
        format!("{{\n{body}array.yield {} : {types}\n}}", at.join(", "))
    }

    pub fn gather(&mut self, depth: usize) {
        let Some(x) = self.array(|_| true) else { return };
        let indexed = 1 + self.random(x.ty.rank());
        let most = 3 - (x.ty.rank() - indexed);
        let leading: Vec<Size> = (0..1 + self.random(most)).map(|_| self.size()).collect();
        let indices = self.fresh_names(leading.len());
        let body = self.positions(&indices, indexed, depth);
        let ty = x.ty.behind(indexed).rows(&leading);
        let heading = Generator::heading(&indices, &leading);
        self.def(
            ty.clone(),
            format!("array.gather {} : {} ({heading}) -> ({}) {body}", x.name, x.ty.text(), ty.text()),
        );
    }

    pub fn scatter(&mut self, depth: usize) {
        let Some(init) = self.array(|t| t.is_number()) else { return };
        let indexed = 1 + self.random(init.ty.rank());
        let part = init.ty.behind(indexed);
        let fits = |t: &Type| {
            let rank = part.rank();
            t.element == part.element && t.rank() >= rank && t.shape[t.rank() - rank..] == part.shape[..]
        };
        let Some(x) = self.pick(fits) else { return };
        let indices = self.fresh_names(x.ty.rank() - part.rank());
        let body = self.positions(&indices, indexed, depth);
        let (xt, it) = (x.ty.text(), init.ty.text());
        let right =
            format!("array.scatter {} into {} : {xt} into {it} ({}) {body}", x.name, init.name, indices.join(", "));
        let z = self.def(init.ty.clone(), right);
        if init.ty.is_float() && self.random(3) == 0 {
            self.sine(&z, &init.ty);
        }
    }

    pub fn one_hot(&mut self) {
        let Some(x) = self.pick(|t| t.rank() < 3) else { return };
        let leading: Vec<Size> = (0..1 + self.random(3 - x.ty.rank())).map(|_| self.size()).collect();
        let at: Vec<String> = leading.iter().map(|_| self.index()).collect();
        let ty = x.ty.rows(&leading);
        let sizes = Generator::extents(&leading);
        let sizes = if sizes.is_empty() { String::new() } else { format!(" sizes({})", sizes.join(", ")) };
        let right =
            format!("array.one_hot {} at [{}]{sizes} : ({}) -> {}", x.name, at.join(", "), x.ty.text(), ty.text());
        self.def(ty, right);
    }

    /// Generates a one-hot array, or a scatter into zeros, whose only reader is an addition.
    pub fn accumulate(&mut self) {
        let numbers = |t: &Type| t.is_number() && t.rank() > 0;
        let Some(z) = self.pick(numbers) else { return };
        let k = 1 + self.random(z.ty.rank());
        let part = z.ty.behind(k);
        let Some(x) = self.pick(|t| *t == part) else { return };
        let at: Vec<String> = (0..k).map(|_| self.index()).collect();
        let (xt, zt) = (part.text(), z.ty.text());
        let sizes = Generator::extents(&z.ty.shape[..k]);
        let sizes = if sizes.is_empty() { String::new() } else { format!(" sizes({})", sizes.join(", ")) };
        let hot = self.fresh();
        if self.random(2) == 0 || !z.ty.is_float() || !Generator::extents(&z.ty.shape).is_empty() {
            self.line(format!("{hot} = array.one_hot {} at [{}]{sizes} : ({xt}) -> {zt}", x.name, at.join(", ")));
        } else {
            let zero = self.fresh();
            self.line(format!("{zero} = dual.zero : {zt}"));
            let types = joined(&at, |_| "index".into());
            let yields = format!("{{\narray.yield {} : {types}\n}}", at.join(", "));
            self.line(format!("{hot} = array.scatter {} into {zero} : {xt} into {zt} () {yields}", x.name));
        }
        let op = if z.ty.is_float() { "arith.addf" } else { "arith.addi" };
        let (a, b) = if self.random(2) == 0 { (&z.name, &hot) } else { (&hot, &z.name) };
        let right = format!("{op} {a}, {b} : {zt}");
        self.def(z.ty.clone(), right);
    }

    pub fn reshape(&mut self) {
        let Some(x) = self.array(|_| true) else { return };
        let mut shape = x.ty.shape.clone();
        let axis = self.random(shape.len());
        match self.random(4) {
            0 if shape.len() < 3 => shape.insert(self.random(shape.len() + 1), Size::Static(1)),
            1 if shape[axis] == Size::Static(1) => {
                shape.remove(axis);
            }
            2 if shape[axis] == Size::Static(3) && shape.len() < 3 => {
                shape.insert(axis, Size::Static(1));
            }
            _ if axis + 1 < shape.len() => {
                let second = shape.remove(axis + 1);
                shape[axis] = match (&shape[axis], &second) {
                    (Size::Static(m), Size::Static(n)) => Size::Static(m * n),
                    (m, n) => {
                        let [m, n] = [m, n].map(|s| match s {
                            Size::Static(n) => self.def(Type::scalar(Index), format!("arith.constant {n} : index")),
                            Size::Named(name) => name.clone(),
                        });
                        let name = self.def(Type::scalar(Index), format!("arith.muli {m}, {n} : index"));
                        self.names.push(name.clone());
                        Size::Named(name)
                    }
                };
                // The parts are separated again, in the other order.
                if let (Size::Named(_), 0) = (&shape[axis], self.random(3)) {
                    let both = [second, x.ty.shape[axis].clone()];
                    shape.splice(axis..=axis, both);
                }
            }
            _ => return,
        }
        let ty = Type::of(&shape, x.ty.element);
        let sizes = Generator::extents(&shape);
        let sizes = if sizes.is_empty() { String::new() } else { format!(" sizes({})", sizes.join(", ")) };
        self.def(ty.clone(), format!("array.reshape {}{sizes} : ({}) -> {}", x.name, x.ty.text(), ty.text()));
    }

    pub fn stack(&mut self) {
        let Some(x) = self.pick(|t| t.rank() < 3) else { return };
        let parts: Vec<String> = (0..1 + self.random(4)).map(|_| self.like(&x.ty).name).collect();
        let ty = x.ty.rows(&[Size::Static(parts.len())]);
        let types = joined(&parts, |_| x.ty.text());
        self.def(ty.clone(), format!("array.stack {} : ({types}) -> {}", parts.join(", "), ty.text()));
    }

    pub fn append(&mut self) {
        if self.appends == 0 {
            return;
        }
        let Some(x) = self.array(|_| true) else { return };
        let row = x.ty.behind(1);
        let Some(y) = self.array(|t| t.behind(1) == row) else { return };
        self.appends -= 1;
        let size = match (&x.ty.shape[0], &y.ty.shape[0]) {
            (Size::Static(m), Size::Static(n)) => Size::Static(m + n),
            _ => Size::Named(self.fresh()),
        };
        let ty = row.rows(std::slice::from_ref(&size));
        let (xt, yt) = (x.ty.text(), y.ty.text());
        let z = self.def(ty.clone(), format!("array.append {}, {} : ({xt}, {yt}) -> {}", x.name, y.name, ty.text()));
        if let Size::Named(name) = size {
            self.line(format!("{name} = array.length {z} : {}", ty.text()));
            self.know(name.clone(), Type::scalar(Index));
            self.names.push(name);
        }
    }

    pub fn slice(&mut self) {
        let Some(x) = self.array(|_| true) else { return };
        let n = self.size();
        let ty = x.ty.behind(1).rows(std::slice::from_ref(&n));
        let start = self.index();
        let size: String = Generator::extents(&[n]).into_iter().map(|n| format!(" size {n}")).collect();
        self.def(ty.clone(), format!("array.slice {} from {start}{size} : ({}) -> {}", x.name, x.ty.text(), ty.text()));
    }

    pub fn reverse_or_iota(&mut self) {
        if self.random(3) == 0 {
            let n = self.size();
            let ty = Type::of(std::slice::from_ref(&n), Index);
            let extent: String = Generator::extents(&[n]).into_iter().map(|n| format!("{n} ")).collect();
            self.def(ty.clone(), format!("array.iota {extent}: {}", ty.text()));
        } else if let Some(x) = self.array(|_| true) {
            self.def(x.ty.clone(), format!("array.reverse {} : {}", x.name, x.ty.text()));
        }
    }
}
