//! Generation of elementwise ops, constants and conversions.

use super::program::*;

impl Generator {
    fn float(&mut self) -> Known {
        self.pick(Type::is_float).expect("there is an f64 argument")
    }

    pub fn unary(&mut self) {
        let x = self.float();
        let op = self.one_of(&["math.sin", "math.cos", "math.tanh", "arith.negf", "math.absf"]);
        self.def(x.ty.clone(), format!("{op} {} : {}", x.name, x.ty.text()));
    }

    pub fn binary(&mut self) {
        let x = self.float();
        let y = self.like(&x.ty);
        let op = self.one_of(&["arith.addf", "arith.subf", "arith.mulf", "arith.maximumf", "arith.mulf"]);
        let z = self.def(x.ty.clone(), format!("{op} {}, {} : {}", x.name, y.name, x.ty.text()));
        // Products of products would overflow: they are mapped to a finite range.
        if op == "arith.mulf" {
            self.sine(&z, &x.ty);
        }
    }

    pub fn sine(&mut self, x: &str, ty: &Type) -> String {
        self.def(ty.clone(), format!("math.sin {x} : {}", ty.text()))
    }

    pub fn condition(&mut self) -> String {
        let (a, b) = (self.real(), self.real());
        self.def(Type::scalar(I1), format!("arith.cmpf olt, {a}, {b} : f64"))
    }

    pub fn select(&mut self) {
        let x = self.float();
        let y = self.like(&x.ty);
        let ty = x.ty.text();
        if x.ty.rank() == 0 || self.random(2) == 0 {
            let c = self.condition();
            self.def(x.ty, format!("arith.select {c}, {}, {} : {ty}", x.name, y.name));
        } else {
            let mask = Type::of(&x.ty.shape, I1);
            let c = self.def(mask.clone(), format!("arith.cmpf ogt, {}, {} : {ty}", x.name, y.name));
            self.def(x.ty, format!("arith.select {c}, {}, {} : {}, {ty}", x.name, y.name, mask.text()));
        }
    }

    pub fn call(&mut self) {
        let (a, b) = (self.real(), self.real());
        self.def(Type::scalar(F64), format!("func.call @helper({a}, {b}) : (f64, f64) -> f64"));
    }

    pub fn index_arithmetic(&mut self) {
        let (a, b) = (self.index(), self.index());
        let index = Type::scalar(Index);
        match self.random(4) {
            0 => self.def(index, format!("arith.addi {a}, {b} : index")),
            1 => self.def(index, format!("arith.subi {a}, {b} : index")),
            2 => {
                let n = self.random(5) as i64 - 1;
                self.def(index, format!("arith.constant {n} : index"))
            }
            _ => match self.array(|_| true) {
                Some(x) => {
                    let axis = self.random(x.ty.rank());
                    self.def(index, format!("array.length {} axis {axis} : {}", x.name, x.ty.text()))
                }
                None => return,
            },
        };
    }

    pub fn constant(&mut self) {
        let x = self.random(9) as f64 * 0.25 - 1.0;
        let three = [Size::Static(3)];
        match self.random(if self.classic { 5 } else { 7 }) {
            0 => self.def(Type::scalar(F64), format!("arith.constant {x:?} : f64")),
            1 => self.def(Type::of(&three, F64), format!("arith.constant dense<{x:?}> : tensor<3xf64>")),
            2 => self.def(
                Type::of(&[Size::Static(3), Size::Static(1)], F64),
                "arith.constant dense<[[0.5], [-1.25], [2.0]]> : tensor<3x1xf64>".into(),
            ),
            3 => self.def(Type::scalar(F64), "dual.one : f64".into()),
            4 => self.def(Type::of(&three, F64), "dual.zero : tensor<3xf64>".into()),
            5 => self.def(Type::of(&three, I64), "arith.constant dense<[7, -3, 0]> : tensor<3xi64>".into()),
            _ => self.def(Type::of(&three, Index), "arith.constant dense<[2, 0, 4]> : tensor<3xindex>".into()),
        };
    }

    pub fn integers(&mut self) {
        let Some(x) = self.pick(Type::is_integer) else { return };
        let y = self.like(&x.ty);
        let ops = [
            "arith.addi",
            "arith.subi",
            "arith.muli",
            "arith.maxsi",
            "arith.minsi",
            "array.div",
            "array.mod",
            "array.div",
            "array.mod",
        ];
        let op = self.one_of(&ops);
        let y = if x.ty.rank() == 0 && self.random(2) == 0 {
            let n = self.random(7) as i64 - 2;
            self.def(x.ty.clone(), format!("arith.constant {n} : {}", x.ty.text()))
        } else {
            y.name
        };
        self.def(x.ty.clone(), format!("{op} {}, {y} : {}", x.name, x.ty.text()));
    }

    pub fn convert(&mut self) {
        let Some(x) = self.pick(Type::is_number) else { return };
        let (text, shape) = (x.ty.text(), x.ty.shape.clone());
        let (op, element) = match x.ty.element {
            F64 if self.random(3) == 0 => ("arith.truncf", F32),
            F32 if self.random(3) > 0 => ("arith.extf", F64),
            F32 | F64 => return self.floor(&x),
            I64 => self.one_of(&[("arith.index_cast", Index), ("arith.sitofp", F64), ("arith.trunci", I32)]),
            I32 => self.one_of(&[("arith.extsi", I64), ("arith.sitofp", F32)]),
            _ => ("arith.index_cast", I64),
        };
        let ty = Type::of(&shape, element);
        let z = self.def(ty.clone(), format!("{op} {} : {text} to {}", x.name, ty.text()));
        if ty.is_float() && x.ty.is_integer() {
            self.sine(&z, &ty);
        }
    }

    /// Generates the floor of a value away from integers, so that rounding does not matter.
    fn floor(&mut self, x: &Known) {
        let ty = x.ty.text();
        let splat = |c: f64| if x.ty.rank() == 0 { format!("arith.constant {c:?} : {ty}") } else { String::new() };
        let mut value = x.name.clone();
        if x.ty.rank() == 0 {
            for (op, c) in [("arith.mulf", 3.7), ("arith.addf", 0.31)] {
                let c = self.def(x.ty.clone(), splat(c));
                value = self.def(x.ty.clone(), format!("{op} {value}, {c} : {ty}"));
            }
        } else {
            value = self.def(x.ty.clone(), format!("math.cos {value} : {ty}"));
        }
        let z = Type::of(&x.ty.shape, self.one_of(&[Index, I64, I32, Index]));
        self.def(z.clone(), format!("array.floor {value} : ({ty}) -> {}", z.text()));
    }
}
