//! Tests of products of many matrices: their work after the optimiser is that of the best order, for floats with
//! `reassoc` and for integers.

use crate::measure::after;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::value::{Array, Data};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const OPTIMISED: &str = "builtin.module(func.func(egg-optimize))";

/// A product of the matrices from `first` to `last`.
enum Order {
    Matrix(usize),
    Product(Box<Order>, Box<Order>),
}

/// Returns the order from left to right.
fn from_left(matrices: usize) -> Order {
    (1..matrices).fold(Order::Matrix(0), |all, k| Order::Product(Box::new(all), Box::new(Order::Matrix(k))))
}

/// Returns the order with the fewest multiplications: matrix k has `sizes[k]` rows and `sizes[k + 1]` columns.
fn best(sizes: &[usize]) -> Order {
    let n = sizes.len() - 1;
    let mut cost = vec![vec![0; n]; n];
    let mut split = vec![vec![0; n]; n];
    for length in 1..n {
        for first in 0..n - length {
            let last = first + length;
            let at = |k: usize| cost[first][k] + cost[k + 1][last] + sizes[first] * sizes[k + 1] * sizes[last + 1];
            let k = (first..last).min_by_key(|&k| at(k)).expect("several matrices");
            (cost[first][last], split[first][last]) = (at(k), k);
        }
    }
    fn order(split: &[Vec<usize>], first: usize, last: usize) -> Order {
        if first == last {
            return Order::Matrix(first);
        }
        let k = split[first][last];
        Order::Product(Box::new(order(split, first, k)), Box::new(order(split, k + 1, last)))
    }
    order(&split, 0, n - 1)
}

/// The text of a product of matrices.
struct Writer<'a> {
    sizes: &'a [usize],
    element: &'a str,
    text: String,
    products: usize,
}

impl Writer<'_> {
    /// Writes the ops of a product. Returns its value, and the positions of its rows and columns in `sizes`.
    fn write(&mut self, order: &Order) -> (String, usize, usize) {
        let (left, right) = match order {
            Order::Matrix(k) => return (format!("%a{k}"), *k, k + 1),
            Order::Product(left, right) => (left, right),
        };
        let ((x, from, middle), (y, _, to)) = (self.write(left), self.write(right));
        let [rows, terms, columns] = [from, middle, to].map(|k| self.sizes[k]);
        let (name, e) = (format!("%p{}", self.products), self.element);
        let (times, flags) = if e.starts_with('f') { ("arith.mulf", " fastmath<reassoc>") } else { ("arith.muli", "") };
        self.products += 1;
        self.text += &format!(
            "  {name} = array.build (%i < {rows}, %j < {columns}) -> (tensor<{rows}x{columns}x{e}>) {{
    %products = array.build (%k < {terms}) -> (tensor<{terms}x{e}>) {{
      %x = array.get {x}[%i, %k] : (tensor<{rows}x{terms}x{e}>) -> {e}
      %y = array.get {y}[%k, %j] : (tensor<{terms}x{columns}x{e}>) -> {e}
      %z = {times} %x, %y{flags} : {e}
      array.yield %z : {e}
    }}
    %s = array.sum %products{flags} : (tensor<{terms}x{e}>) -> {e}
    array.yield %s : {e}
  }}\n"
        );
        (name, from, to)
    }
}

/// Returns a function that multiplies its arguments in this order.
fn function(order: &Order, sizes: &[usize], element: &str) -> String {
    let mut writer = Writer { sizes, element, text: String::new(), products: 0 };
    let (value, ..) = writer.write(order);
    let ty = |rows: usize, columns: usize| format!("tensor<{rows}x{columns}x{element}>");
    let inputs = sizes.windows(2).enumerate().map(|(k, size)| format!("%a{k}: {}", ty(size[0], size[1])));
    let result = ty(sizes[0], sizes[sizes.len() - 1]);
    let inputs = inputs.collect::<Vec<_>>().join(", ");
    format!("func.func @f({inputs}) -> {result} {{\n{}  return {value} : {result}\n}}\n", writer.text)
}

fn evaluate(text: &str, pipelines: &[&str], arguments: &[Array]) -> (Vec<f64>, f64) {
    let program = after(text, pipelines);
    let mut evaluator = Evaluator::new(program.module());
    let results = evaluator.call("f", arguments).unwrap();
    (results[0].to_f64(), evaluator.work() as f64)
}

#[test]
fn products_of_up_to_160_matrices_are_computed_in_the_best_order() {
    for (matrices, seeds) in [(2, 4), (3, 8), (4, 8), (5, 8), (6, 8), (7, 8), (11, 4), (23, 2), (64, 1), (161, 1)] {
        let elements = if matrices < 20 { &["f64", "f32", "i64", "i8"][..] } else { &["f64", "i64"] };
        for (seed, element) in (0..seeds).flat_map(|seed| elements.iter().map(move |e| (seed, *e))) {
            let mut random = ChaCha8Rng::seed_from_u64(seed + 100 * matrices as u64);
            let sizes: Vec<usize> = (0..=matrices).map(|_| random.random_range(1..24)).collect();
            let mut array = |shape: &[usize]| {
                let numbers = 0..shape.iter().product();
                let data = match element {
                    "f64" => Data::F64(numbers.map(|_| random.random_range(0.0..0.3)).collect()),
                    "f32" => Data::F32(numbers.map(|_| random.random_range(0.0..0.3)).collect()),
                    "i64" => Data::I64(numbers.map(|_| random.random_range(i64::MIN..i64::MAX)).collect()),
                    _ => Data::I8(numbers.map(|_| random.random_range(i8::MIN..i8::MAX)).collect()),
                };
                Array::new(shape.to_vec(), data)
            };
            let arguments: Vec<Array> = sizes.windows(2).map(&mut array).collect();
            let given = function(&from_left(matrices), &sizes, element);
            let (expected, _) = evaluate(&given, &[], &arguments);
            let (found, work) = evaluate(&given, &[OPTIMISED], &arguments);
            let (_, least) = evaluate(&function(&best(&sizes), &sizes, element), &[], &arguments);
            assert!(work <= 1.05 * least, "{element} {sizes:?}: {:.3} times the best work", work / least);
            let tolerance = match element {
                "f64" => 1e-11,
                "f32" => 1e-3,
                _ => 0.0,
            };
            for (found, expected) in std::iter::zip(found, expected) {
                assert!((found - expected).abs() <= tolerance * expected.abs(), "{element} {sizes:?}");
            }
        }
    }
}
