//! Generation of ops with regions: branches, builds and loops.

use super::program::*;

impl Generator {
    pub fn branch(&mut self, depth: usize) {
        let c = self.condition();
        let classic = self.classic;
        let results: Vec<Type> = (0..1 + self.random(if classic { 1 } else { 3 }))
            .map(|_| self.pick(|t| !classic || t.element == F64).expect("there is an f64 argument").ty)
            .collect();
        let names = self.fresh_names(results.len());
        let types = joined(&results, Type::text);
        self.line(format!("{} = scf.if {c} -> ({types}) {{", names.join(", ")));
        for side in 0..2 {
            self.nested(|g| {
                let ops = g.random(4);
                g.block(ops, depth + 1);
                let values: Vec<String> = results.iter().map(|t| g.like(t).name).collect();
                g.line(format!("scf.yield {} : {types}", values.join(", ")));
            });
            self.line(if side == 0 { "} else {".into() } else { "}".into() });
        }
        names.into_iter().zip(results).for_each(|(name, ty)| self.know(name, ty));
    }

    /// Returns a value for rows that are stacked along `leading`. The run-time sizes of rows are not known from an
    /// empty array, so those may be empty only if the whole program's are.
    fn row(&mut self, leading: &[Size], most: usize) -> Known {
        let usual = |s: &Size| match s {
            Size::Static(_) => true,
            Size::Named(name) => name == "%n" || name == "%m",
        };
        let (classic, plain) = (self.classic, leading.iter().all(usual));
        let fits = |t: &Type| {
            t.rank() <= most
                && (!classic || t.element == F64)
                && t.shape.iter().all(|s| matches!(s, Size::Static(_)) || (plain && usual(s)))
        };
        self.pick(fits).expect("a scalar")
    }

    pub fn build(&mut self, depth: usize) {
        let leading: Vec<Size> = (0..1 + self.random(2)).map(|_| self.size()).collect();
        let results = 1 + self.random(2);
        let indices = self.fresh_names(leading.len());
        let names = self.fresh_names(results);
        // The body comes first, because it determines the types.
        let (yielded, body) = self.aside(|g| {
            indices.iter().for_each(|i| g.know(i.clone(), Type::scalar(Index)));
            let ops = 2 + g.random(4);
            g.block(ops, depth + 1);
            (0..results).map(|_| g.row(&leading, 3 - leading.len())).collect::<Vec<_>>()
        });
        let types: Vec<Type> = yielded.iter().map(|y| y.ty.rows(&leading)).collect();
        let heading = Generator::heading(&indices, &leading);
        self.line(format!("{} = array.build ({heading}) -> ({}) {{", names.join(", "), joined(&types, Type::text)));
        self.text.push_str(&body);
        self.end("array.yield", &yielded);
        names.into_iter().zip(types).for_each(|(name, ty)| self.know(name, ty));
    }

    fn end(&mut self, op: &str, values: &[Known]) {
        let (names, types) = (joined(values, |v| v.name.clone()), joined(values, |v| v.ty.text()));
        self.line(format!("{op} {names} : {types}\n}}"));
    }

    /// Returns a few values to carry.
    fn inits(&mut self) -> Vec<Known> {
        let classic = self.classic;
        let fits = |t: &Type| if classic { t.element == F64 } else { t.is_number() };
        (0..1 + self.random(3)).map(|_| self.pick(fits).expect("a scalar")).collect()
    }

    /// Returns a small number of iterations, because a product of sizes and indices may take a long time.
    fn count(&mut self) -> String {
        let count = self.index();
        let limit = self.def(Type::scalar(Index), "arith.constant 6 : index".into());
        self.def(Type::scalar(Index), format!("arith.minsi {count}, {limit} : index"))
    }

    /// Returns the next carried values, bounded so that long loops stay comparable.
    fn next(&mut self, carried: &[Known]) -> Vec<Known> {
        let mut next = Vec::new();
        for Known { ty, .. } in carried {
            let x = self.like(ty).name;
            let name = if ty.is_float() && self.random(2) == 0 { self.sine(&x, ty) } else { x };
            next.push(Known { name, ty: ty.clone() });
        }
        next
    }

    fn bind(&mut self, inits: &[Known]) -> (Vec<Known>, String) {
        let names = self.fresh_names(inits.len());
        let carried: Vec<Known> =
            names.into_iter().zip(inits).map(|(name, x)| Known { name, ty: x.ty.clone() }).collect();
        let pairs: Vec<String> = carried.iter().zip(inits).map(|(c, x)| format!("{} = {}", c.name, x.name)).collect();
        (carried, pairs.join(", "))
    }

    pub fn ifold(&mut self, depth: usize) {
        let inits = self.inits();
        let count = self.count();
        let i = self.fresh();
        let (carried, pairs) = self.bind(&inits);
        let names = self.fresh_names(inits.len());
        let types = joined(&inits, |x| x.ty.text());
        self.line(format!("{} = array.ifold ({i} < {count}) iter_args({pairs}) -> ({types}) {{", names.join(", ")));
        self.nested(|g| {
            g.know(i, Type::scalar(Index));
            g.values.extend(carried.iter().cloned());
            let ops = 2 + g.random(5);
            g.block(ops, depth + 1);
            let next = g.next(&carried);
            g.end("array.yield", &next);
        });
        names.into_iter().zip(inits).for_each(|(name, x)| self.know(name, x.ty));
    }

    pub fn for_loop(&mut self, depth: usize) {
        let inits = self.inits();
        let (from, to) = (self.index(), self.count());
        let step = self.random(3) + 1;
        let step = self.def(Type::scalar(Index), format!("arith.constant {step} : index"));
        let low = self.def(Type::scalar(Index), "arith.constant -4 : index".into());
        let from = self.def(Type::scalar(Index), format!("arith.maxsi {from}, {low} : index"));
        let i = self.fresh();
        let (carried, pairs) = self.bind(&inits);
        let names = self.fresh_names(inits.len());
        let types = joined(&inits, |x| x.ty.text());
        let heading = format!("scf.for {i} = {from} to {to} step {step} iter_args({pairs}) -> ({types})");
        self.line(format!("{} = {heading} {{", names.join(", ")));
        self.nested(|g| {
            g.know(i, Type::scalar(Index));
            g.values.extend(carried.iter().cloned());
            let ops = 2 + g.random(4);
            g.block(ops, depth + 1);
            let next = g.next(&carried);
            g.end("scf.yield", &next);
        });
        names.into_iter().zip(inits).for_each(|(name, x)| self.know(name, x.ty));
    }

    /// Generates `array.fold`, or `array.map_accum` with additional results.
    pub fn fold(&mut self, depth: usize) {
        let Some(x) = self.array(|_| true) else { return };
        let mut arrays = vec![x.clone()];
        if self.random(2) == 0 {
            arrays.extend(self.array(|t| t.shape[0] == x.ty.shape[0]));
        }
        let leading = x.ty.shape[..1].to_vec();
        let inits = self.inits();
        let rows: Vec<Known> = arrays.iter().map(|a| Known { name: self.fresh(), ty: a.ty.behind(1) }).collect();
        let (carried, pairs) = self.bind(&inits);
        let emits = self.random(3);
        let (yielded, body) = self.aside(|g| {
            g.values.extend(rows.iter().chain(&carried).cloned());
            let ops = 2 + g.random(5);
            g.block(ops, depth + 1);
            let mut yielded = g.next(&carried);
            yielded.extend((0..emits).map(|_| g.row(&leading, 2)));
            yielded
        });
        let mut types: Vec<Type> = inits.iter().map(|x| x.ty.clone()).collect();
        types.extend(yielded[inits.len()..].iter().map(|y| y.ty.rows(&leading)));
        let names = self.fresh_names(types.len());
        let over: Vec<String> =
            rows.iter().zip(&arrays).map(|(r, a)| format!("{} = {} : {}", r.name, a.name, a.ty.text())).collect();
        let op = if emits == 0 { "fold" } else { "map_accum" };
        self.line(format!(
            "{} = array.{op} ({}) iter_args({pairs}) -> ({}) {{",
            names.join(", "),
            over.join(", "),
            joined(&types, Type::text)
        ));
        self.text.push_str(&body);
        self.end("array.yield", &yielded);
        names.into_iter().zip(types).for_each(|(name, ty)| self.know(name, ty));
    }

    /// Generates a counter and a few values; the values that are passed on may differ from the carried ones.
    pub fn while_loop(&mut self, depth: usize) {
        let count = self.count();
        let one = self.def(Type::scalar(Index), "arith.constant 1 : index".into());
        let zero = self.def(Type::scalar(Index), "arith.constant 0 : index".into());
        let mut inits = vec![Known { name: zero, ty: Type::scalar(Index) }];
        inits.extend(self.inits());
        let (carried, pairs) = self.bind(&inits);
        let counter = carried[0].name.clone();
        let (mut handed, before) = self.aside(|g| {
            g.values.extend(carried.iter().cloned());
            let ops = g.random(3);
            g.block(ops, depth + 1);
            let mut handed = vec![carried[0].clone()];
            handed.extend((0..g.random(4)).map(|_| g.pick(Type::is_number).expect("a scalar")));
            handed
        });
        handed.retain(|x| self.is_visible(&x.ty));
        let types = joined(&handed, |x| x.ty.text());
        let names = self.fresh_names(handed.len());
        let from = joined(&inits, |x| x.ty.text());
        self.line(format!("{} = scf.while ({pairs}) : ({from}) -> ({types}) {{", names.join(", ")));
        self.text.push_str(&before);
        let go = self.fresh();
        self.line(format!("{go} = arith.cmpi slt, {counter}, {count} : index"));
        self.line(format!("scf.condition({go}) {} : {types}\n}} do {{", joined(&handed, |x| x.name.clone())));
        let received: Vec<Known> = handed.iter().map(|x| Known { name: self.fresh(), ty: x.ty.clone() }).collect();
        self.line(format!("^bb0({}):", joined(&received, |x| format!("{}: {}", x.name, x.ty.text()))));
        self.nested(|g| {
            g.values.extend(received.iter().cloned());
            let ops = 1 + g.random(4);
            g.block(ops, depth + 1);
            let mut next = vec![Known {
                name: g.def(Type::scalar(Index), format!("arith.addi {}, {one} : index", received[0].name)),
                ty: Type::scalar(Index),
            }];
            next.extend(g.next(&carried[1..]));
            g.end("scf.yield", &next);
        });
        names.into_iter().zip(handed).for_each(|(name, x)| self.know(name, x.ty));
    }
}
