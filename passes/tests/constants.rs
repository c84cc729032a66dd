//! Operations on constants: `egg-optimize` computes what the evaluator computes, for each element type.

use crate::optimised::optimised;
use crate::requests::Watched;
use crate::samples::parse;
use mlopt_dialects::value::{Array, Element};

/// Operations on floats, with the number of their operands.
const OF_FLOATS: &[(&str, usize)] = &[
    ("arith.addf", 2),
    ("arith.subf", 2),
    ("arith.mulf", 2),
    ("arith.divf", 2),
    ("arith.remf", 2),
    ("arith.negf", 1),
    ("arith.maximumf", 2),
    ("arith.minimumf", 2),
    ("arith.maxnumf", 2),
    ("arith.minnumf", 2),
    ("math.absf", 1),
    ("math.sqrt", 1),
    ("math.floor", 1),
    ("math.ceil", 1),
    ("math.trunc", 1),
    ("math.round", 1),
    ("math.roundeven", 1),
    ("math.copysign", 2),
    ("math.exp", 1),
    ("math.tanh", 1),
    ("arith.cmpf oeq,", 2),
    ("arith.cmpf one,", 2),
    ("arith.cmpf ult,", 2),
    ("arith.cmpf oge,", 2),
    ("arith.cmpf uno,", 2),
];

/// Operations on integers, with the number of their operands.
const OF_INTEGERS: &[(&str, usize)] = &[
    ("arith.addi", 2),
    ("arith.subi", 2),
    ("arith.muli", 2),
    ("arith.divsi", 2),
    ("arith.divui", 2),
    ("arith.remsi", 2),
    ("arith.remui", 2),
    ("arith.floordivsi", 2),
    ("arith.ceildivsi", 2),
    ("arith.ceildivui", 2),
    ("arith.andi", 2),
    ("arith.ori", 2),
    ("arith.xori", 2),
    ("arith.shli", 2),
    ("arith.shrsi", 2),
    ("arith.shrui", 2),
    ("arith.maxsi", 2),
    ("arith.minsi", 2),
    ("arith.maxui", 2),
    ("arith.minui", 2),
    ("math.absi", 1),
    ("math.ipowi", 2),
    ("array.div", 2),
    ("array.mod", 2),
    ("arith.cmpi eq,", 2),
    ("arith.cmpi slt,", 2),
    ("arith.cmpi sge,", 2),
    ("arith.cmpi ult,", 2),
    ("arith.cmpi uge,", 2),
];

/// Returns constants at the edges of a type, as MLIR writes them.
fn constants(element: Element) -> Vec<String> {
    if element == Element::I1 {
        return vec!["false".into(), "true".into()];
    }
    if !element.is_float() {
        let (least, greatest) = element.range();
        let width = i64::from(element.bits());
        let edges = [0, 1, -1, 2, -7, 100, width, least, greatest];
        return edges.iter().map(|n| format!("{n} : {element}")).collect();
    }
    let numbers = [0.0, -0.0, -1.5, 2.5, -1e-7, f64::INFINITY, f64::NAN, element.greatest()];
    let digits = element.bits() as usize / 4;
    numbers.iter().map(|x| format!("0x{:0digits$X} : {element}", element.to_bits(*x))).collect()
}

/// Returns the operations that convert numbers of a type.
fn conversions(from: Element) -> Vec<(&'static str, Element)> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let ops = |to: Element| -> Vec<&'static str> {
        let mut ops = match (from, to) {
            _ if from == to => vec![],
            (Element::Index, _) if !to.is_float() => vec!["arith.index_cast", "arith.index_castui"],
            (_, Element::Index) if !from.is_float() => vec!["arith.index_cast", "arith.index_castui"],
            (Element::Index, _) | (_, Element::Index) => vec![],
            _ => match (from.is_float(), to.is_float(), from.bits().cmp(&to.bits())) {
                (false, true, _) => vec!["arith.sitofp", "arith.uitofp"],
                (true, false, _) if to == Element::I1 => vec!["arith.fptosi", "arith.fptoui"],
                (true, false, _) => vec!["arith.fptosi", "arith.fptoui", "array.floor"],
                (true, true, Less) => vec!["arith.extf"],
                (true, true, Greater) => vec!["arith.truncf"],
                (false, false, Less) => vec!["arith.extsi", "arith.extui"],
                (false, false, Greater) => vec!["arith.trunci"],
                (_, _, Equal) => vec![],
            },
        };
        let has_bits = from != Element::Index && to != Element::Index;
        if has_bits && from != to && from.bits() == to.bits() {
            ops.push("arith.bitcast");
        }
        ops
    };
    Element::ALL.iter().flat_map(|to| ops(*to).into_iter().map(|op| (op, *to))).collect()
}

/// Returns functions `@f0`, `@f1`, … that apply operations to constants of a type.
fn functions(element: Element) -> Vec<String> {
    let constants = constants(element);
    let mut bodies = vec![];
    let operations = if element.is_float() { OF_FLOATS } else { OF_INTEGERS };
    for &(op, arity) in operations {
        if element == Element::I1 && op.starts_with("array.") {
            continue;
        }
        let result = if op.contains("cmp") { Element::I1 } else { element };
        for x in &constants {
            for y in &constants[..if arity == 2 { constants.len() } else { 1 }] {
                let operands = if arity == 2 { "%x, %y" } else { "%x" };
                let line = format!("%z = {op} {operands} : {element}");
                bodies.push((result, format!("%x = arith.constant {x}\n  %y = arith.constant {y}\n  {line}")));
            }
        }
    }
    for (op, to) in conversions(element) {
        let types = if op == "array.floor" { format!("({element}) -> {to}") } else { format!("{element} to {to}") };
        let cast = |x| format!("%x = arith.constant {x}\n  %z = {op} %x : {types}");
        bodies.extend(constants.iter().map(|x| (to, cast(x))));
    }
    let write = |(k, (ty, body))| format!("func.func @f{k}() -> {ty} {{\n  {body}\n  return %z : {ty}\n}}\n");
    bodies.into_iter().enumerate().map(write).collect()
}

fn is_same(a: &Array, b: &Array) -> bool {
    let same = |(a, b): (f64, f64)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    match a.element().is_float() {
        true => a.element() == b.element() && a.to_f64().into_iter().zip(b.to_f64()).all(same),
        false => a == b,
    }
}

#[test]
fn operations_on_constants_have_the_evaluators_values() {
    let (mut compared, mut folded) = (0, 0);
    for &element in Element::ALL {
        let functions = functions(element);
        let text = functions.concat();
        let before = parse(&text);
        let after =
            optimised(&text, "builtin.module(func.func(egg-optimize))").unwrap_or_else(|e| panic!("{}", e.text));
        let (expects, finds) = (Watched::new(before.module()), Watched::new(after.module()));
        for (k, function) in functions.iter().enumerate() {
            let name = format!("f{k}");
            // Undefined: the optimiser may leave the operation or choose a value.
            let Ok(expected) = expects.call(&name, &[]) else { continue };
            let found = finds.call(&name, &[]).unwrap_or_else(|e| panic!("{e}\n{function}"));
            assert!(is_same(&expected[0], &found[0]), "expected {expected:?}, found {found:?} of\n{function}");
            compared += 1;
        }
        let all = after.module().body().map_or(vec![], |b| b.ops());
        folded += all.iter().filter(|f| f.nested_ops().len() == 2).count();
    }
    // Functions of `math` that are not exactly rounded stay.
    assert!(compared > 10_000 && folded > compared * 9 / 10, "compared {compared}, of which {folded} became constants");
}

#[test]
fn bits_of_a_nan_survive() {
    // A signalling NaN: its bits are not those of a NaN that has been converted.
    let text = "func.func @f() -> i32 {
  %x = arith.constant 2139095041 : i32
  %y = arith.bitcast %x : i32 to f32
  %z = arith.bitcast %y : f32 to i32
  return %z : i32
}\n";
    let after = optimised(text, "builtin.module(func.func(egg-optimize))").unwrap_or_else(|e| panic!("{}", e.text));
    assert_eq!(Watched::new(after.module()).call("f", &[]), Watched::new(parse(text).module()).call("f", &[]));
}
