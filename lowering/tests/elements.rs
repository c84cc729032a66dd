//! Tests of every elementwise op, every conversion and every reduction on every integer type, and on f16 and bf16: the
//! compiled code, with the optimiser and without, for this machine and for plain x86-64, agrees with the evaluator.

use crate::common::*;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_lowering::native::Target;
use mlopt_lowering::pipelines::{self, Pipeline};
use mlopt_runtime::code::Compiled;

const SIZES: [usize; 12] = [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100];

const INTEGERS: [Element; 6] = [Element::I1, Element::I8, Element::I16, Element::I32, Element::I64, Element::Index];

/// Ops that are defined for all operands.
const TOTAL: &str = "arith.addi arith.subi arith.muli arith.andi arith.ori arith.xori arith.maxsi arith.minsi \
                     arith.maxui arith.minui";

/// Divisions, of the first by the third argument, which has no zeros; the quotients do not overflow.
const DIVISIONS: &str = "arith.divsi arith.remsi arith.divui arith.remui arith.floordivsi arith.ceildivsi \
                         arith.ceildivui";

/// Shifts, of the first by the fourth argument, which is less than the width.
const SHIFTS: &str = "arith.shli arith.shrsi arith.shrui";

const UNARY: &str = "math.absi math.ctpop math.ctlz math.cttz";

const COMPARISONS: &str = "eq ne slt sle sgt sge ult ule ugt uge";

/// A function in the making.
struct Text {
    body: String,
    results: Vec<(String, String)>,
}

impl Text {
    fn new() -> Text {
        Text { body: String::new(), results: vec![] }
    }

    /// Adds a result: `right` is the op with its types, `ty` the type of the result.
    fn result(&mut self, right: String, ty: &str) {
        let name = format!("%r{}", self.results.len());
        self.body += &format!("  {name} = {right}\n");
        self.results.push((name, ty.to_string()));
    }

    fn function(&self, name: &str, parameters: &str) -> String {
        let list =
            |k: fn(&(String, String)) -> &String| self.results.iter().map(k).cloned().collect::<Vec<_>>().join(", ");
        let (names, types) = (list(|r| &r.0), list(|r| &r.1));
        format!("func.func @{name}({parameters}) -> ({types}) {{\n{}  return {names} : {types}\n}}\n", self.body)
    }
}

/// Returns the type of values with these elements: an array of `size` elements, or a scalar.
fn values(size: Option<&str>, element: Element) -> String {
    size.map_or(element.to_string(), |n| format!("tensor<{n}x{element}>"))
}

/// Returns a function of all ops on integers of one type: operands `%x`, `%y`, a divisor `%d`, a distance `%s`.
fn integer_ops(element: Element, size: Option<&str>) -> String {
    let (t, bits, mut text) = (values(size, element), values(size, Element::I1), Text::new());
    for (ops, right) in [(TOTAL, "y"), (DIVISIONS, "d"), (SHIFTS, "s")] {
        ops.split(' ').for_each(|op| text.result(format!("{op} %x, %{right} : {t}"), &t));
    }
    text.result(format!("math.ipowi %d, %y : {t}"), &t);
    UNARY.split(' ').for_each(|op| text.result(format!("{op} %x : {t}"), &t));
    for predicate in COMPARISONS.split(' ') {
        text.result(format!("arith.cmpi {predicate}, %x, %y : {t}"), &bits);
    }
    if element != Element::I1 {
        ["div", "mod"].iter().for_each(|op| text.result(format!("array.{op} %x, %y : {t}"), &t));
    }
    let search = element != Element::I1 && size.is_some();
    if search {
        for op in ["sum", "prod", "max", "min"] {
            text.result(format!("array.{op} %x : ({t}) -> {element}"), &element.to_string());
        }
        ["argmax", "argmin"].iter().for_each(|op| text.result(format!("array.{op} %x : ({t}) -> index"), "index"));
        // Positions that collide, and some out of range.
        let four = format!("tensor<4x{element}>");
        text.body += &format!("  %init = arith.constant dense<1> : {four}\n");
        let place = match element {
            Element::Index => "%e = arith.addi %at, %at : index",
            _ => &format!("%e = arith.index_cast %at : {element} to index"),
        };
        text.result(
            format!(
                "array.scatter %y into %init : {t} into {four} (%i) {{
      %at = array.get %x[%i] : ({t}) -> {element}
      {place}
      array.yield %e : index
    }}"
            ),
            &four,
        );
    }
    text.function("f", &format!("%x: {t}, %y: {t}, %d: {t}, %s: {t}"))
}

/// Returns a function of all conversions from one integer type, and those of floats in range to it.
fn conversions(element: Element, size: Option<&str>) -> String {
    let of = |e: Element| values(size, e);
    let (t, mut text) = (of(element), Text::new());
    let floats = [Element::F32, Element::F64];
    if element == Element::Index {
        for to in INTEGERS.into_iter().filter(|&e| e != element) {
            ["index_cast", "index_castui"].iter().for_each(|op| {
                text.result(format!("arith.{op} %x : {t} to {}", of(to)), &of(to));
            });
        }
    } else {
        for to in INTEGERS {
            let ops: &[&str] = match to {
                Element::Index => &["index_cast", "index_castui"],
                _ if to.bits() > element.bits() => &["extsi", "extui"],
                _ if to.bits() < element.bits() => &["trunci"],
                _ => &[],
            };
            ops.iter().for_each(|op| text.result(format!("arith.{op} %x : {t} to {}", of(to)), &of(to)));
        }
        for to in floats {
            ["sitofp", "uitofp"].iter().for_each(|op| {
                text.result(format!("arith.{op} %x : {t} to {}", of(to)), &of(to));
            });
            if to.bits() == element.bits() {
                text.result(format!("arith.bitcast %x : {t} to {}", of(to)), &of(to));
            }
        }
        for (from, signed, unsigned) in [(Element::F64, "p", "q"), (Element::F32, "v", "w")] {
            text.result(format!("arith.fptosi %{signed} : {} to {t}", of(from)), &t);
            text.result(format!("arith.fptoui %{unsigned} : {} to {t}", of(from)), &t);
            if from.bits() == element.bits() {
                text.result(format!("arith.bitcast %{signed} : {} to {t}", of(from)), &t);
            }
        }
    }
    if element != Element::I1 {
        text.result(format!("array.floor %g : ({}) -> {t}", of(Element::F64)), &t);
    }
    let (single, double) = (of(Element::F32), of(Element::F64));
    text.function("f", &format!("%x: {t}, %p: {double}, %q: {double}, %v: {single}, %w: {single}, %g: {double}"))
}

/// A sequence of numbers that is the same for the same seed.
fn bits(seed: u64, n: usize) -> Vec<u64> {
    random(seed + 1, n).into_iter().map(|x| x.to_bits().wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)).collect()
}

/// Returns integers of all magnitudes, and those at the ends of the range.
fn integers(element: Element, seed: u64, n: usize) -> Vec<i64> {
    let (least, greatest) = element.range();
    let ends = [0, -1, least, greatest, 1, least + 1, greatest - 1, 2];
    let one = |(k, b): (usize, u64)| match b % 3 {
        0 => ends[(k + seed as usize) % ends.len()],
        _ => (b as i64) >> ((b >> 8) % 64),
    };
    bits(seed, n).into_iter().enumerate().map(one).map(|x| element.wrap(x)).collect()
}

fn shaped(shape: &[usize], data: Data) -> Array {
    Array::new(shape.to_vec(), data)
}

/// Returns arguments of [`integer_ops`].
fn integer_arguments(element: Element, shape: &[usize], seed: u64) -> Vec<Array> {
    let n = shape.iter().product();
    let of = |v: Vec<i64>| shaped(shape, Data::of_integers(element, v));
    let (mut x, y) = (integers(element, seed, n), integers(element, seed + 1, n));
    let d: Vec<i64> =
        integers(element, seed + 2, n).into_iter().map(|d| if d == 0 { element.wrap(3) } else { d }).collect();
    // The quotient of the least integer and -1 overflows.
    let minus_one = element.wrap(-1);
    let least = if element == Element::I1 { 1 } else { element.range().0 };
    x.iter_mut().zip(&d).filter(|(x, d)| **x == least && **d == minus_one).for_each(|(x, _)| *x = 0);
    let s = bits(seed + 3, n).into_iter().map(|b| (b % u64::from(element.bits())) as i64).collect();
    vec![of(x), of(y), of(d), of(s)]
}

/// Returns arguments of [`conversions`].
fn conversion_arguments(element: Element, shape: &[usize], seed: u64) -> Vec<Array> {
    let n = shape.iter().product();
    let of = |to: Element, v: Vec<f64>| shaped(shape, Data::of_f64(to, v));
    let scale = |k: usize, end: f64| move |x: f64| x * end / [2.0, 4.0, 1024.0, 2.0][k % 4];
    let numbers = |seed: u64, end: f64, low: f64| -> Vec<f64> {
        let one = |(k, x): (usize, f64)| (scale(k, end)(x) * 0.999).max(low);
        random(seed, n).into_iter().enumerate().map(one).collect()
    };
    let end = 2f64.powi(element.bits() as i32 - 1);
    let unsigned =
        |seed| numbers(seed, 2.0 * end, -0.9).into_iter().map(|x| x.min(2.0 * end - 1.0)).collect::<Vec<_>>();
    let any = numbers(seed + 5, 8.0 * end, f64::MIN).into_iter().enumerate();
    let any = any.map(|(k, x)| [x, f64::NAN, f64::INFINITY, -1e300][if k % 9 == 0 { k / 9 % 4 } else { 0 }]).collect();
    vec![
        shaped(shape, Data::of_integers(element, integers(element, seed, n))),
        of(Element::F64, numbers(seed + 1, end, -end)),
        of(Element::F64, unsigned(seed + 2)),
        of(Element::F32, numbers(seed + 3, end, -end)),
        of(Element::F32, unsigned(seed + 4)),
        of(Element::F64, any),
    ]
}

/// Compiles a program with a pipeline.
fn compiled(source: &str, passes: &[&str], target: &Target) -> Compiled {
    let program = Program::parse(source.as_bytes(), "elements.mlir").unwrap_or_else(|_| panic!("{source}"));
    target.describe(program.module());
    program.run_pipeline(&pipelines::pipeline_text(passes)).unwrap_or_else(|_| panic!("{source}"));
    Compiled::new(program.module(), target).unwrap_or_else(|e| panic!("{e}\n{source}"))
}

/// Checks `@f` with `arguments`, in all ways to compile it. The text of the program depends on the type of its arrays:
/// `?` for a size that is known at run time, a number, or nothing for scalars.
fn check(program: &dyn Fn(Option<&str>) -> String, arguments: &dyn Fn(&[usize], u64) -> Vec<Array>, exact: bool) {
    mlopt_lowering::register_passes();
    let (host, plain) = (Target::host().unwrap(), Target::plain().unwrap());
    let ways = [(pipelines::GRAD_CPU, &host), (pipelines::LOWER_CPU, &host), (pipelines::GRAD_PLAIN, &plain)];
    let on = |size: Option<&str>, shapes: &[Vec<usize>]| {
        let source = program(size);
        let original = Program::parse(source.as_bytes(), "elements.mlir").unwrap_or_else(|_| panic!("{source}"));
        for (passes, target) in ways {
            let compiled = compiled(&source, passes, target);
            let f = compiled.function("f").unwrap();
            for (seed, shape) in shapes.iter().enumerate() {
                let arguments = arguments(shape, 100 * seed as u64);
                let want = Evaluator::new(original.module()).call("f", &arguments);
                let want = want.unwrap_or_else(|e| panic!("{e}\n{arguments:?}\n{source}"));
                let got = f.call(&arguments).unwrap_or_else(|e| panic!("{e}\n{source}"));
                for (k, (got, want)) in got.iter().zip(&want).enumerate() {
                    let is_same = if exact { bits_of(got) == bits_of(want) } else { differs(got, want, 0.0).is_none() };
                    assert!(
                        is_same,
                        "result {k}, {}: got {got:?}\nwant {want:?}\narguments {arguments:?}\n{source}",
                        Pipeline::of(passes)
                    );
                }
            }
        }
    };
    on(Some("?"), &SIZES.map(|n| vec![n]));
    on(None, &vec![vec![]; 12]);
    for n in [1, 9, 16, 33] {
        on(Some(&n.to_string()), &[vec![n], vec![n]]);
    }
}

/// Returns the type, the shape and the elements, where NaN equals NaN.
fn bits_of(x: &Array) -> (Element, Vec<usize>, Vec<u64>) {
    let number = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
    let data = match x.element().is_float() {
        true => x.to_f64().into_iter().map(number).collect(),
        false => x.data().to_integers().into_iter().map(|x| x as u64).collect(),
    };
    (x.element(), x.shape().to_vec(), data)
}

fn check_integers(element: Element) {
    check(&|size| integer_ops(element, size), &|shape, seed| integer_arguments(element, shape, seed), true);
    check(&|size| conversions(element, size), &|shape, seed| conversion_arguments(element, shape, seed), true);
}

macro_rules! integer_types {
    ($($name:ident $element:ident),*) => {
        $(#[test]
        fn $name() {
            check_integers(Element::$element);
        })*
    };
}
integer_types!(i1 I1, i8 I8, i16 I16, i32 I32, i64 I64, index Index);

/// Ops of one and two operands whose results are correctly rounded.
const EXACT_UNARY: &str = "arith.negf math.absf math.sqrt math.floor math.ceil math.trunc math.round math.roundeven";
const EXACT_BINARY: &str =
    "arith.addf arith.subf arith.mulf arith.divf arith.remf arith.maximumf arith.minimumf math.copysign";

/// Ops whose results depend on the order of operations, on the library or on the sign of a zero.
const UNARY_FUNCTIONS: &str =
    "math.exp math.expm1 math.sin math.cos math.tanh math.erf math.atan math.rsqrt math.log1p math.cbrt";
const BINARY_FUNCTIONS: &str = "arith.maxnumf arith.minnumf math.atan2";

const FLOAT_COMPARISONS: &str = "oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno";

/// Returns a function of the exact ops on f16 or bf16, and of conversions. The operands are `%x` and `%y`, a number of
/// each wider type, integers of every type, and floats in the range of i8.
fn half_ops(element: Element, size: Option<&str>) -> String {
    let of = |e: Element| values(size, e);
    let (t, mut text) = (of(element), Text::new());
    EXACT_UNARY.split(' ').for_each(|op| text.result(format!("{op} %x : {t}"), &t));
    EXACT_BINARY.split(' ').for_each(|op| text.result(format!("{op} %x, %y : {t}"), &t));
    text.result(format!("math.fma %x, %y, %x : {t}"), &t);
    for predicate in FLOAT_COMPARISONS.split(' ') {
        text.result(format!("arith.cmpf {predicate}, %x, %y : {t}"), &of(Element::I1));
    }
    for wide in [Element::F32, Element::F64] {
        text.result(format!("arith.extf %x : {t} to {}", of(wide)), &of(wide));
        text.result(format!("arith.truncf %{wide} : {} to {t}", of(wide)), &t);
    }
    text.result(format!("arith.bitcast %x : {t} to {}", of(Element::I16)), &of(Element::I16));
    text.result(format!("arith.bitcast %i16 : {} to {t}", of(Element::I16)), &t);
    for int in INTEGERS.into_iter().filter(|&e| e != Element::Index) {
        ["sitofp", "uitofp"].iter().for_each(|op| {
            text.result(format!("arith.{op} %{int} : {} to {t}", of(int)), &t);
        });
        if int != Element::I1 {
            text.result(format!("arith.fptosi %p : {t} to {}", of(int)), &of(int));
            text.result(format!("arith.fptoui %q : {t} to {}", of(int)), &of(int));
            text.result(format!("array.floor %x : ({t}) -> {}", of(int)), &of(int));
        }
    }
    let wide = [Element::F32, Element::F64].into_iter();
    let others = wide.chain(INTEGERS).filter(|&e| e != Element::Index).map(|e| format!(", %{e}: {}", of(e)));
    text.function("f", &format!("%x: {t}, %y: {t}, %p: {t}, %q: {t}{}", others.collect::<String>()))
}

/// Returns a function of ops on f16 or bf16 whose results may differ by rounding.
fn half_functions(element: Element, size: Option<&str>) -> String {
    let (t, mut text) = (values(size, element), Text::new());
    UNARY_FUNCTIONS.split(' ').for_each(|op| text.result(format!("{op} %x : {t}"), &t));
    BINARY_FUNCTIONS.split(' ').for_each(|op| text.result(format!("{op} %x, %y : {t}"), &t));
    if size.is_some() {
        for op in ["sum", "prod", "max", "min"] {
            text.result(format!("array.{op} %x : ({t}) -> {element}"), &element.to_string());
        }
        ["argmax", "argmin"].iter().for_each(|op| text.result(format!("array.{op} %x : ({t}) -> index"), "index"));
        let four = format!("tensor<4x{element}>");
        text.body += &format!("  %init = arith.constant dense<[1.0, -2.5, 0.1, 0.0]> : {four}\n");
        text.result(
            format!(
                "array.scatter %y into %init : {t} into {four} (%i) {{
      %four = arith.constant 4 : index
      %at = arith.remui %i, %four : index
      array.yield %at : index
    }}"
            ),
            &four,
        );
        text.result(
            format!(
                "array.fold (%e = %x : {t}) iter_args(%s = %a) -> ({element}) {{
      %p = arith.mulf %s, %a : {element}
      %n = arith.addf %p, %e : {element}
      array.yield %n : {element}
    }}"
            ),
            &element.to_string(),
        );
    }
    text.function("f", &format!("%x: {t}, %y: {t}, %a: {element}"))
}

/// Returns the numbers of f16 or bf16 that differ most in the ways to compute with them, then others.
fn halves(element: Element, seed: u64, n: usize) -> Vec<f64> {
    let least = element.of_bits(1);
    let special = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, least, -least, 1.0, element.greatest(), -1.5];
    let one = |(k, b): (usize, u64)| match b % 3 {
        0 => special[(k + seed as usize) % special.len()],
        1 => element.of_bits(b >> 8 & 0xffff),
        _ => element.rounded((b >> 11) as f64 / (1u64 << 53) as f64 * 8.0 - 4.0),
    };
    bits(seed, n).into_iter().enumerate().map(one).collect()
}

/// Returns numbers of f64 near the middle of two neighbours of f16 or bf16, and others.
fn between(element: Element, seed: u64, n: usize) -> Vec<f64> {
    let one = |(x, b): (f64, u64)| {
        let next = element.of_bits(element.to_bits(x).wrapping_add(1));
        let middle = x / 2.0 + next / 2.0;
        match b % 4 {
            0 => middle,
            1 => middle * (1.0 + f64::EPSILON),
            2 => middle * (1.0 - f64::EPSILON),
            _ => x * 1.01,
        }
    };
    halves(element, seed, n).into_iter().zip(bits(seed + 1, n)).map(one).collect()
}

fn half_arguments(element: Element, shape: &[usize], seed: u64) -> Vec<Array> {
    let n = shape.iter().product();
    let of = |to: Element, v: Vec<f64>| shaped(shape, Data::of_f64(to, v));
    let small = |seed: u64, low: f64| random(seed, n).into_iter().map(|x| (60.0 * x).max(low)).collect::<Vec<_>>();
    let mut all = vec![
        of(element, halves(element, seed, n)),
        of(element, halves(element, seed + 7, n)),
        of(element, small(seed + 2, -128.0)),
        of(element, small(seed + 3, -0.5)),
        of(Element::F32, between(element, seed + 4, n)),
        of(Element::F64, between(element, seed + 5, n)),
    ];
    let ints = INTEGERS.into_iter().filter(|&e| e != Element::Index);
    all.extend(ints.map(|e| shaped(shape, Data::of_integers(e, integers(e, seed + 6, n)))));
    all
}

fn check_halves(element: Element) {
    check(&|size| half_ops(element, size), &|shape, seed| half_arguments(element, shape, seed), true);
    let tame = |shape: &[usize], seed: u64| {
        let n = shape.iter().product();
        let one = |seed| shaped(shape, Data::of_f64(element, random(seed, n).into_iter().map(|x| 0.49 * x)));
        vec![one(seed), one(seed + 1), Array::new(vec![], Data::of_f64(element, [0.75]))]
    };
    check(&|size| half_functions(element, size), &tame, false);
}

#[test]
fn f16() {
    check_halves(Element::F16);
}

#[test]
fn bf16() {
    check_halves(Element::BF16);
}

/// Every number of 16 bits is extended exactly, and every number of f64 is rounded to the nearest one, ties to even.
/// The middles of neighbours tell roundings apart.
#[test]
fn conversions_of_all_halves() {
    for element in [Element::F16, Element::BF16] {
        let source = format!(
            "func.func @f(%x: tensor<?x{element}>, %y: tensor<?xf64>, %z: tensor<?xf32>)
                -> (tensor<?xf32>, tensor<?xf64>, tensor<?x{element}>, tensor<?x{element}>) {{
              %a = arith.extf %x : tensor<?x{element}> to tensor<?xf32>
              %b = arith.extf %x : tensor<?x{element}> to tensor<?xf64>
              %c = arith.truncf %y : tensor<?xf64> to tensor<?x{element}>
              %d = arith.truncf %z : tensor<?xf32> to tensor<?x{element}>
              return %a, %b, %c, %d : tensor<?xf32>, tensor<?xf64>, tensor<?x{element}>, tensor<?x{element}>
            }}"
        );
        let all: Vec<f64> = (0..1 << 16).map(|bits| element.of_bits(bits)).collect();
        // Non-negative finite numbers below the greatest one: each, the middle to the next one, and its neighbours.
        let end = element.to_bits(element.greatest());
        let (mut points, mut nearest) = (vec![], vec![]);
        for low in 0..end {
            let [x, next] = [low, low + 1].map(|bits| element.of_bits(bits));
            let middle = (x + next) / 2.0;
            let even = if low % 2 == 0 { x } else { next };
            points.extend([x, middle.next_down(), middle, middle.next_up()]);
            nearest.extend([x, x, even, next]);
        }
        let signs = [1.0, -1.0];
        let points: Vec<f64> = signs.iter().flat_map(|sign| points.iter().map(move |x| sign * x)).collect();
        let nearest: Vec<f64> = signs.iter().flat_map(|sign| nearest.iter().map(move |x| sign * x)).collect();
        let singles: Vec<f32> = points.iter().map(|&x| x as f32).collect();
        // A number of f32 is a middle, or on the same side of one as the number of f64.
        let of_single = singles.iter().map(|&x| f64::from(x));
        let expected: Vec<f64> = of_single.clone().map(|x| element.rounded(x)).collect();
        let arguments = [
            shaped(&[all.len()], Data::of_f64(element, all.iter().copied())),
            shaped(&[points.len()], Data::F64(points.clone())),
            shaped(&[singles.len()], Data::F32(singles.clone())),
        ];
        for target in [Target::host().unwrap(), Target::plain().unwrap()] {
            let f = compiled(&source, pipelines::LOWER_CPU, &target).function("f").unwrap();
            let got = f.call(&arguments).unwrap();
            let same = |got: &Array, want: &[f64]| {
                let same = |(g, w): (f64, &f64)| g.to_bits() == w.to_bits() || g.is_nan() && w.is_nan();
                got.to_f64().into_iter().zip(want).position(|pair| !same(pair))
            };
            assert_eq!(same(&got[0], &all), None, "{element} to f32");
            assert_eq!(same(&got[1], &all), None, "{element} to f64");
            assert_eq!(same(&got[2], &nearest), None, "f64 to {element}");
            assert_eq!(same(&got[3], &expected), None, "f32 to {element}");
        }
    }
}
