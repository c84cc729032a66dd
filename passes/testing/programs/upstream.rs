//! Generation of ops of `tensor`, at positions that are in range.

use super::Generator;
use super::types::*;

impl Generator {
    pub(super) fn upstream(&mut self) {
        match self.random(8) {
            0 => self.extract(),
            1 => self.dim(),
            2 => self.cast_and_back(),
            3 => self.splat(),
            4 => self.generate(),
            5 => self.extract_slice(),
            6 => self.regroup(),
            _ => self.concat(),
        }
    }

    /// Returns a constant index.
    fn number_of(&mut self, k: usize) -> String {
        let name = self.fresh();
        self.line(format!("{name} = arith.constant {k} : index"));
        name
    }

    fn extract(&mut self) {
        let is_full = |t: &Ty| t.shape.iter().all(|n| n.is_static() && n.known > 0);
        let Some((x, t)) = self.array(is_full) else { return };
        let at: Vec<String> = t
            .shape
            .iter()
            .map(|n| {
                let k = self.random(n.known);
                self.number_of(k)
            })
            .collect();
        self.def(Ty::scalar(t.element), format!("tensor.extract {x}[{}] : {}", at.join(", "), t.text()));
    }

    fn dim(&mut self) {
        let Some((x, t)) = self.array(|_| true) else { return };
        let axis = self.random(t.rank());
        let axis = self.number_of(axis);
        self.def(Ty::scalar(Index), format!("tensor.dim {x}, {axis} : {}", t.text()));
    }

    fn cast_and_back(&mut self) {
        let Some((x, t)) = self.array(|_| true) else { return };
        let unknown = Ty::new(t.element, &t.shape.iter().map(|_| N).collect::<Vec<_>>()).text();
        let name = self.fresh();
        self.line(format!("{name} = tensor.cast {x} : {} to {unknown}", t.text()));
        self.def(t.clone(), format!("tensor.cast {name} : {unknown} to {}", t.text()));
    }

    fn splat(&mut self) {
        let Some((x, t)) = self.pick(|t| t.rank() == 0 && t.element != Index) else { return };
        let shape: Vec<Size> = (0..1 + self.random(2)).map(|_| self.size()).collect();
        let sizes = self.dynamic(&shape);
        let sizes = if sizes.is_empty() { String::new() } else { format!("[{}]", sizes.join(", ")) };
        let z = Ty::new(t.element, &shape);
        self.def(z.clone(), format!("tensor.splat {x}{sizes} : {}", z.text()));
    }

    /// Generates rows of an array, shifted and scaled.
    fn generate(&mut self) {
        let Some((x, t)) = self.pick(|t| t.rank() == 1 && t.element == F64) else { return };
        let shape: Vec<Size> = (0..1 + self.random(2)).map(|_| self.size()).collect();
        let sizes = self.dynamic(&shape).join(", ");
        let (s, z) = (self.scalar(), Ty::new(F64, &shape));
        let indices: Vec<String> = shape.iter().map(|_| self.fresh()).collect();
        let arguments: Vec<String> = indices.iter().map(|i| format!("{i}: index")).collect();
        let (first, last) = (&indices[0], &indices[indices.len() - 1]);
        let (at, e, p) = (self.fresh(), self.fresh(), self.fresh());
        let body = format!(
            "{at} = arith.addi {first}, {last} : index\n{e} = array.get {x}[{at}] : ({}) -> f64\n\
             {p} = arith.mulf {e}, {s} : f64\ntensor.yield {p} : f64",
            t.text()
        );
        let right = format!("tensor.generate {sizes} {{\n^bb0({}):\n{body}\n}} : {}", arguments.join(", "), z.text());
        self.def(z, right);
    }

    fn extract_slice(&mut self) {
        let Some((x, t)) = self.array(|_| true) else { return };
        let (mut offsets, mut sizes, mut shape) = (vec![], vec![], vec![]);
        for n in t.shape.clone() {
            if n.is_static() {
                let size = self.random(n.known + 1);
                let offset = self.random(n.known - size + 1);
                offsets.push(match self.random(2) {
                    0 => offset.to_string(),
                    _ => self.number_of(offset),
                });
                sizes.push(size.to_string());
                // An axis of one element may be omitted.
                if size != 1 || self.random(2) == 0 || (shape.is_empty() && sizes.len() == t.rank()) {
                    shape.push(known(size));
                }
            } else {
                offsets.push("0".into());
                sizes.push(self.size_value(n, false));
                shape.push(n);
            }
        }
        let z = Ty::new(t.element, &shape);
        let strides = vec!["1"; t.rank()].join(", ");
        let (offsets, sizes, from, to) = (offsets.join(", "), sizes.join(", "), t.text(), z.text());
        self.def(z, format!("tensor.extract_slice {x}[{offsets}] [{sizes}] [{strides}] : {from} to {to}"));
    }

    /// Generates the collapse of the first two axes, and their expansion if one is static.
    fn regroup(&mut self) {
        let joins = |t: &Ty| t.rank() == 2 && t.shape[1].is_static();
        let Some((x, t)) = self.array(joins).filter(|(_, t)| joins(t)) else { return };
        let z = Ty::new(t.element, &[t.shape[0].scaled(t.shape[1].known)]);
        // For an empty array, the first size is not determined.
        if t.shape[1].known == 0 {
            return;
        }
        let flat = self.def(z.clone(), format!("tensor.collapse_shape {x} [[0, 1]] : {} into {}", t.text(), z.text()));
        let first = match t.shape[0].is_static() {
            true => t.shape[0].known.to_string(),
            false => self.size_value(t.shape[0], false),
        };
        let (second, from, to) = (t.shape[1].known, z.text(), t.text());
        let shape = format!("output_shape [{first}, {second}]");
        self.def(t, format!("tensor.expand_shape {flat} [[0, 1]] {shape} : {from} into {to}"));
    }

    fn concat(&mut self) {
        let Some((x, t)) = self.array(|_| true) else { return };
        let like = t.clone();
        let fits = |u: &Ty| u.element == like.element && u.rank() == like.rank() && u.shape[1..] == like.shape[1..];
        let (y, u) = self.pick(fits).expect("at least the first");
        let size = t.shape[0].plus(u.shape[0]);
        if size.known > 6 || size.times.iter().any(|&k| k > 2) {
            return;
        }
        let z = Ty::new(t.element, &[&[size], &t.shape[1..]].concat());
        let right = format!("tensor.concat dim(0) {x}, {y} : ({}, {}) -> {}", t.text(), u.text(), z.text());
        self.def(z, right);
    }
}
