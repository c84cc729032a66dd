//! Generation of elementwise ops, numbers and conversions.

use super::Generator;
use super::types::*;

impl Generator {
    pub(super) fn unary(&mut self) {
        const OPS: &[&str] = &[
            "math.sin",
            "math.cos",
            "math.tan",
            "math.asin",
            "math.acos",
            "math.atan",
            "math.sinh",
            "math.cosh",
            "math.tanh",
            "math.asinh",
            "math.acosh",
            "math.atanh",
            "math.exp",
            "math.exp2",
            "math.expm1",
            "math.log",
            "math.log2",
            "math.log10",
            "math.log1p",
            "math.sqrt",
            "math.rsqrt",
            "math.cbrt",
            "math.erf",
            "math.absf",
            "math.floor",
            "math.ceil",
            "math.trunc",
            "math.round",
            "math.roundeven",
            "arith.negf",
        ];
        const STABLE: &[&str] = &["math.sin", "math.cos", "math.tanh", "math.absf", "arith.negf"];
        let (x, t) = self.float();
        let op = self.one(if self.options.stable { STABLE } else { OPS });
        self.bounded(t.clone(), format!("{op} {x} : {}", t.text()));
    }

    pub(super) fn binary(&mut self) {
        const OPS: &[&str] = &[
            "arith.addf",
            "arith.subf",
            "arith.mulf",
            "arith.mulf",
            "arith.divf",
            "arith.maximumf",
            "arith.minimumf",
            "arith.maxnumf",
            "arith.minnumf",
            "arith.remf",
            "math.powf",
            "math.atan2",
            "math.copysign",
        ];
        const STABLE: &[&str] = &["arith.addf", "arith.subf", "arith.mulf", "arith.mulf", "arith.maximumf"];
        let (x, t) = self.float();
        let y = self.another(&x, &t);
        let op = self.one(if self.options.stable { STABLE } else { OPS });
        self.bounded(t.clone(), format!("{op} {x}, {y} : {}", t.text()));
    }

    pub(super) fn special(&mut self) {
        let (x, t) = self.float();
        let y = self.another(&x, &t);
        match self.random(3) {
            0 => self.bounded(t.clone(), format!("math.fma {x}, {y}, {x} : {}", t.text())),
            1 if t.element == F64 => {
                let f = t.with(F32);
                let z = self.def(f.clone(), format!("arith.truncf {x} : {} to {}", t.text(), f.text()));
                self.def(t.clone(), format!("arith.extf {z} : {} to {}", f.text(), t.text()));
            }
            _ => self.integers(),
        }
    }

    pub(super) fn integers(&mut self) {
        const OPS: &[&str] =
            &["arith.addi", "arith.subi", "arith.muli", "arith.maxsi", "arith.minsi", "array.div", "array.mod"];
        let Some((x, t)) = self.pick(|t| matches!(t.element, I64 | I32 | I16 | I8 | Index)) else { return };
        let same = t.clone();
        let mut y = self.pick(|u| *u == same).expect("at least the first").0;
        if self.options.stable && t.rank() == 0 && self.random(2) == 0 {
            let n = self.random(7) as i64 - 2;
            y = self.def(t.clone(), format!("arith.constant {n} : {}", t.text()));
        }
        let op = self.one(OPS);
        self.def(t.clone(), format!("{op} {x}, {y} : {}", t.text()));
    }

    pub(super) fn compare(&mut self) {
        let (x, t) = self.float();
        let y = self.another(&x, &t);
        let predicates: &[&str] =
            if self.options.stable { &["olt", "ogt"] } else { &["olt", "oge", "oeq", "une", "ogt", "ole"] };
        let predicate = self.one(predicates);
        let c = self.def(t.with(I1), format!("arith.cmpf {predicate}, {x}, {y} : {}", t.text()));
        let same = t.with(I1);
        let d = self.pick(|u| *u == same).expect("at least the first").0;
        let op = self.one(&["arith.andi", "arith.ori", "arith.xori"]);
        self.def(t.with(I1), format!("{op} {c}, {d} : {}", t.with(I1).text()));
    }

    pub(super) fn select(&mut self) {
        let (x, t) = self.float();
        let y = self.another(&x, &t);
        if self.options.stable && self.random(3) == 0 {
            let c = self.comparison_of_indices();
            self.def(t.clone(), format!("arith.select {c}, {x}, {y} : {}", t.text()));
        } else if self.random(2) == 0 {
            let c = self.pick(|t| *t == Ty::scalar(I1)).expect("there is an i1 argument").0;
            self.def(t.clone(), format!("arith.select {c}, {x}, {y} : {}", t.text()));
        } else if t.rank() > 0 {
            let c = self.fresh();
            self.line(format!("{c} = arith.cmpf ogt, {x}, {y} : {}", t.text()));
            self.def(t.clone(), format!("arith.select {c}, {x}, {y} : {}, {}", t.with(I1).text(), t.text()));
        }
    }

    /// Generates a comparison of two indices. Returns the `i1`.
    pub(super) fn comparison_of_indices(&mut self) -> String {
        let (i, j, predicate) = (self.an_index(), self.an_index(), self.one(&["eq", "eq", "ne", "slt", "sge"]));
        self.def(Ty::scalar(I1), format!("arith.cmpi {predicate}, {i}, {j} : index"))
    }

    pub(super) fn constant(&mut self) {
        let x = self.random(9) as f64 * 0.25 - 1.0;
        match self.random(if self.options.stable { 7 } else { 6 }) {
            0 => self.def(Ty::scalar(F64), format!("arith.constant {x:?} : f64")),
            1 => self.def(Ty::new(F64, &[known(3)]), format!("arith.constant dense<{x:?}> : tensor<3xf64>")),
            2 => self.def(
                Ty::new(F64, &[known(3), known(1)]),
                "arith.constant dense<[[0.5], [-1.25], [2.0]]> : tensor<3x1xf64>".into(),
            ),
            3 => self.def(Ty::scalar(F64), "dual.one : f64".into()),
            4 => self.def(Ty::new(Index, &[known(3)]), "arith.constant dense<[2, 0, -1]> : tensor<3xindex>".into()),
            5 => {
                let t = if self.random(2) == 0 { Ty::scalar(F64) } else { Ty::new(F64, &[known(3)]) };
                self.def(t.clone(), format!("dual.zero : {}", t.text()))
            }
            _ => self.def(Ty::new(I64, &[known(3)]), "arith.constant dense<[7, -3, 0]> : tensor<3xi64>".into()),
        };
    }

    pub(super) fn convert(&mut self) {
        let Some((x, t)) = self.pick(|t| t.element != I1) else { return };
        let (to, op) = match (t.element, self.random(2)) {
            (F64 | F32, k) => ([Index, I32][k], "array.floor"),
            (Index, k) => ([I64, I32][k], "arith.index_cast"),
            (I64, 0) => (self.one(&[I32, I16, I8]), "arith.trunci"),
            (I32, 0) => (self.one(&[I64, I16, I8]), "arith.extsi"),
            (I16, 0) => (self.one(&[I64, I8]), "arith.extsi"),
            (I8, 0) => (self.one(&[I64, I16]), "arith.extui"),
            _ => (F64, "arith.sitofp"),
        };
        let op = if matches!((t.element, to), (I32, I16 | I8) | (I16, I8)) { "arith.trunci" } else { op };
        let z = t.with(to);
        let right = match op {
            "array.floor" => format!("{op} {} : ({}) -> {}", self.off_integers(x, &t), t.text(), z.text()),
            _ => format!("{op} {x} : {} to {}", t.text(), z.text()),
        };
        if self.options.stable { self.bounded(z, right) } else { drop(self.def(z, right)) }
    }

    /// Returns `x`, but in stable programs a value whose floor does not depend on rounding.
    fn off_integers(&mut self, x: String, t: &Ty) -> String {
        let ty = t.text();
        if !self.options.stable {
            return x;
        }
        if t.rank() > 0 {
            return self.def(t.clone(), format!("math.cos {x} : {ty}"));
        }
        let (scale, shift, scaled) = (self.fresh(), self.fresh(), self.fresh());
        self.line(format!("{scale} = arith.constant 3.7 : {ty}\n{shift} = arith.constant 0.31 : {ty}"));
        self.line(format!("{scaled} = arith.mulf {x}, {scale} : {ty}"));
        self.def(t.clone(), format!("arith.addf {scaled}, {shift} : {ty}"))
    }

    pub(super) fn index(&mut self) {
        let (a, b) = (self.an_index(), self.an_index());
        let z = Ty::scalar(Index);
        match self.random(8) {
            0 => self.def(z, format!("arith.addi {a}, {b} : index")),
            1 => self.def(z, format!("arith.subi {a}, {b} : index")),
            2 | 3 => {
                let n = self.random(6) as i64 - 1;
                self.def(z, format!("arith.constant {n} : index"))
            }
            4 => {
                let c = self.fresh();
                let n = 1 + self.random(4);
                self.line(format!("{c} = arith.constant {n} : index"));
                let op = self.one(&["array.mod", "array.div", "arith.muli", "arith.minsi"]);
                self.def(z, format!("{op} {a}, {c} : index"))
            }
            5 => {
                let x = self.scalar();
                let x = self.off_integers(x, &Ty::scalar(F64));
                self.def(z, format!("array.floor {x} : (f64) -> index"))
            }
            6 => {
                let c = self.def(Ty::scalar(I1), format!("arith.cmpi slt, {a}, {b} : index"));
                self.def(z, format!("arith.select {c}, {a}, {b} : index"))
            }
            _ => match self.array(|_| true) {
                Some((x, t)) => {
                    let axis = self.random(t.rank());
                    self.def(z, format!("array.length {x} axis {axis} : {}", t.text()))
                }
                None => return,
            },
        };
    }
}
