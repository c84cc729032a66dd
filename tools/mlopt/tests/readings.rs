//! What operations in bulk mean (`passes/optimise/rules/reading.rs`): each is proved equal to its loops by its reading
//! alone, not by all other rules without it, and both sides give the same values. Where a reading has a condition, an
//! operation outside of it is not read.

use mlopt::cli::equiv::pair;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::value::Array;
use mlopt_passes::optimise::equivalence::{self, Verdict};
use mlopt_passes::optimise::phases::Options;
use mlopt_passes::optimise::rules::{Laws, SETS};
use mlopt_runtime::arguments::random::random;

/// An operation and its loops.
struct Case {
    reading: &'static str,
    /// Parameters and results of both functions.
    types: &'static str,
    operation: &'static str,
    loops: &'static str,
    /// An index, or an array as `mlopt run` takes random ones.
    arguments: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        reading: "read-elementwise",
        types: "(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64>",
        operation: "%z = arith.mulf %a, %b : tensor<?xf64>
            return %z : tensor<?xf64>",
        loops: "%n = array.length %a : tensor<?xf64>
            %z = array.build (%i < %n) -> (tensor<?xf64>) {
              %x = array.get %a[%i] : tensor<?xf64> -> f64
              %y = array.get %b[%i] : tensor<?xf64> -> f64
              %p = arith.mulf %x, %y : f64
              array.yield %p : f64
            }
            return %z : tensor<?xf64>",
        arguments: &["4xf64:seed=1", "4xf64:seed=2"],
    },
    Case {
        reading: "read-length",
        types: "(%a: tensor<3xf64>) -> index",
        operation: "%v = array.build (%i < 7) -> (tensor<7xf64>) {
              %x = array.get %a[%i] : tensor<3xf64> -> f64
              array.yield %x : f64
            }
            %n = array.length %v : tensor<7xf64>
            return %n : index",
        loops: "%n = arith.constant 7 : index
            return %n : index",
        arguments: &["3xf64:seed=1"],
    },
    Case {
        reading: "read-length",
        types: "(%a: tensor<3xf64>, %m: index) -> index",
        operation: "%v = array.build (%i < %m) -> (tensor<?xf64>) {
              %x = array.get %a[%i] : tensor<3xf64> -> f64
              array.yield %x : f64
            }
            %n = array.length %v : tensor<?xf64>
            return %n : index",
        loops: "%zero = arith.constant 0 : index
            %n = arith.maxsi %m, %zero : index
            return %n : index",
        arguments: &["3xf64:seed=1", "4"],
    },
    Case {
        reading: "read-transpose",
        types: "(%m: tensor<?x?xf64>) -> tensor<?x?xf64>",
        operation: "%z = array.transpose %m [1, 0] : tensor<?x?xf64> -> tensor<?x?xf64>
            return %z : tensor<?x?xf64>",
        loops: "%r = array.length %m axis 0 : tensor<?x?xf64>
            %c = array.length %m axis 1 : tensor<?x?xf64>
            %z = array.build (%i < %c, %j < %r) -> (tensor<?x?xf64>) {
              %x = array.get %m[%j, %i] : tensor<?x?xf64> -> f64
              array.yield %x : f64
            }
            return %z : tensor<?x?xf64>",
        arguments: &["3x4xf64:seed=1"],
    },
    Case {
        reading: "read-reshape",
        types: "(%m: tensor<?x4xf64>) -> tensor<?xf64>",
        operation: "%r = array.length %m : tensor<?x4xf64>
            %four = arith.constant 4 : index
            %n = arith.muli %r, %four : index
            %z = array.reshape %m sizes(%n) : tensor<?x4xf64> -> tensor<?xf64>
            return %z : tensor<?xf64>",
        loops: "%r = array.length %m : tensor<?x4xf64>
            %four = arith.constant 4 : index
            %n = arith.muli %r, %four : index
            %z = array.build (%k < %n) -> (tensor<?xf64>) {
              %i = array.div %k, %four : index
              %j = array.mod %k, %four : index
              %x = array.get %m[%i, %j] : tensor<?x4xf64> -> f64
              array.yield %x : f64
            }
            return %z : tensor<?xf64>",
        arguments: &["3x4xf64:seed=1"],
    },
    Case {
        reading: "read-replicate",
        types: "(%x: f64, %n: index) -> tensor<?xf64>",
        operation: "%z = array.replicate %x, %n : (f64) -> tensor<?xf64>
            return %z : tensor<?xf64>",
        loops: "%z = array.build (%i < %n) -> (tensor<?xf64>) {
              array.yield %x : f64
            }
            return %z : tensor<?xf64>",
        arguments: &["f64:seed=1", "4"],
    },
    Case {
        reading: "read-reduction",
        types: "(%m: tensor<?x?xf64>) -> tensor<?xf64>",
        operation: "%z = array.sum %m axes [1] : (tensor<?x?xf64>) -> tensor<?xf64>
            return %z : tensor<?xf64>",
        loops: "%r = array.length %m axis 0 : tensor<?x?xf64>
            %z = array.build (%i < %r) -> (tensor<?xf64>) {
              %row = array.get %m[%i] : tensor<?x?xf64> -> tensor<?xf64>
              %s = array.sum %row : (tensor<?xf64>) -> f64
              array.yield %s : f64
            }
            return %z : tensor<?xf64>",
        arguments: &["3x4xf64:seed=1"],
    },
    Case {
        reading: "read-gather",
        types: "(%a: tensor<?xf64>) -> tensor<5xf64>",
        operation: "%two = arith.constant 2 : index
            %z = array.gather %a : tensor<?xf64> (%i < 5) -> (tensor<5xf64>) {
              %p = arith.muli %i, %two : index
              array.yield %p : index
            }
            return %z : tensor<5xf64>",
        loops: "%two = arith.constant 2 : index
            %z = array.build (%i < 5) -> (tensor<5xf64>) {
              %p = arith.muli %i, %two : index
              %x = array.get %a[%p] : tensor<?xf64> -> f64
              array.yield %x : f64
            }
            return %z : tensor<5xf64>",
        arguments: &["7xf64:seed=1"],
    },
    Case {
        reading: "read-scatter",
        types: "(%x: tensor<3x2xf64>, %a: tensor<4x2xf64>) -> tensor<4x2xf64>",
        operation: "%two = arith.constant 2 : index
            %z = array.scatter %x into %a : tensor<3x2xf64> into tensor<4x2xf64> (%k) {
              %p = arith.muli %k, %two : index
              array.yield %p : index
            }
            return %z : tensor<4x2xf64>",
        loops: "%two = arith.constant 2 : index
            %z = array.scatter %x into %a : tensor<3x2xf64> into tensor<4x2xf64> (%k, %l) {
              %p = arith.muli %k, %two : index
              array.yield %p, %l : index, index
            }
            return %z : tensor<4x2xf64>",
        arguments: &["3x2xf64:seed=1", "4x2xf64:seed=2"],
    },
    Case {
        reading: "read-slice",
        types: "(%a: tensor<?xf64>, %s: index, %n: index) -> tensor<?xf64>",
        operation: "%z = array.slice %a from %s size %n : tensor<?xf64> -> tensor<?xf64>
            return %z : tensor<?xf64>",
        loops: "%z = array.build (%i < %n) -> (tensor<?xf64>) {
              %p = arith.addi %s, %i : index
              %x = array.get %a[%p] : tensor<?xf64> -> f64
              array.yield %x : f64
            }
            return %z : tensor<?xf64>",
        arguments: &["9xf64:seed=1", "2", "4"],
    },
    Case {
        reading: "read-reverse",
        types: "(%a: tensor<?xf64>) -> tensor<?xf64>",
        operation: "%z = array.reverse %a : tensor<?xf64>
            return %z : tensor<?xf64>",
        loops: "%n = array.length %a : tensor<?xf64>
            %one = arith.constant 1 : index
            %last = arith.subi %n, %one : index
            %z = array.build (%i < %n) -> (tensor<?xf64>) {
              %p = arith.subi %last, %i : index
              %x = array.get %a[%p] : tensor<?xf64> -> f64
              array.yield %x : f64
            }
            return %z : tensor<?xf64>",
        arguments: &["5xf64:seed=1"],
    },
    Case {
        reading: "read-iota",
        types: "() -> tensor<5xindex>",
        operation: "%z = array.iota : tensor<5xindex>
            return %z : tensor<5xindex>",
        loops: "%z = array.build (%i < 5) -> (tensor<5xindex>) {
              array.yield %i : index
            }
            return %z : tensor<5xindex>",
        arguments: &[],
    },
    Case {
        reading: "read-append",
        types: "(%a: tensor<?xf64>, %b: tensor<3xf64>) -> tensor<?xf64>",
        operation: "%z = array.append %a, %b : (tensor<?xf64>, tensor<3xf64>) -> tensor<?xf64>
            return %z : tensor<?xf64>",
        loops: "%n = array.length %a : tensor<?xf64>
            %three = arith.constant 3 : index
            %both = arith.addi %n, %three : index
            %z = array.build (%i < %both) -> (tensor<?xf64>) {
              %first = arith.cmpi slt, %i, %n : index
              %at = arith.subi %i, %n : index
              %x = array.get %a[%i] : tensor<?xf64> -> f64
              %y = array.get %b[%at] : tensor<3xf64> -> f64
              %e = arith.select %first, %x, %y : f64
              array.yield %e : f64
            }
            return %z : tensor<?xf64>",
        arguments: &["4xf64:seed=1", "3xf64:seed=2"],
    },
    Case {
        reading: "read-one-hot",
        types: "(%x: f64, %p: index) -> tensor<5xf64>",
        operation: "%z = array.one_hot %x at [%p] : f64 -> tensor<5xf64>
            return %z : tensor<5xf64>",
        loops: "%zero = arith.constant 0.0 : f64
            %z = array.build (%i < 5) -> (tensor<5xf64>) {
              %here = arith.cmpi eq, %i, %p : index
              %e = arith.select %here, %x, %zero : f64
              array.yield %e : f64
            }
            return %z : tensor<5xf64>",
        arguments: &["f64:seed=1", "4"],
    },
    Case {
        reading: "read-fold",
        types: "(%a: tensor<?xf64>, %x: f64) -> f64",
        operation: "%z = array.fold (%r = %a : tensor<?xf64>) iter_args(%s = %x) -> (f64) {
              %e = math.exp %s : f64
              %t = arith.mulf %e, %r : f64
              array.yield %t : f64
            }
            return %z : f64",
        loops: "%n = array.length %a : tensor<?xf64>
            %z = array.ifold (%i < %n) iter_args(%s = %x) -> (f64) {
              %r = array.get %a[%i] : tensor<?xf64> -> f64
              %e = math.exp %s : f64
              %t = arith.mulf %e, %r : f64
              array.yield %t : f64
            }
            return %z : f64",
        arguments: &["4xf64:seed=1", "f64:seed=2"],
    },
];

/// Outside of the conditions: an operation, and what its reading would make of it if the condition were not there.
const STOPPED: &[Case] = &[
    Case {
        reading: "read-reshape",
        types: "(%m: tensor<?x?xf64>) -> tensor<?x?xf64>",
        operation: "%r = array.length %m axis 0 : tensor<?x?xf64>
            %c = array.length %m axis 1 : tensor<?x?xf64>
            %z = array.reshape %m sizes(%c, %r) : tensor<?x?xf64> -> tensor<?x?xf64>
            return %z : tensor<?x?xf64>",
        loops: "return %m : tensor<?x?xf64>",
        arguments: &[],
    },
    // Only the number of all elements is promised.
    Case {
        reading: "read-reshape",
        types: "(%m: tensor<?x?xf64>, %n: index) -> index",
        operation: "%z = array.reshape %m sizes(%n) : tensor<?x?xf64> -> tensor<?xf64>
            %l = array.length %z : tensor<?xf64>
            return %l : index",
        loops: "%l = array.length %m : tensor<?x?xf64>
            return %l : index",
        arguments: &[],
    },
    Case {
        reading: "read-slice",
        types: "(%a: tensor<8xf64>) -> tensor<4xf64>",
        operation: "%z = tensor.extract_slice %a[0] [4] [2] : tensor<8xf64> to tensor<4xf64>
            return %z : tensor<4xf64>",
        loops: "%z = array.build (%i < 4) -> (tensor<4xf64>) {
              %x = array.get %a[%i] : tensor<8xf64> -> f64
              array.yield %x : f64
            }
            return %z : tensor<4xf64>",
        arguments: &[],
    },
    Case {
        reading: "read-append",
        types: "(%a: tensor<2x2xf64>, %b: tensor<2x0xf64>) -> tensor<2x2xf64>",
        operation: "%z = tensor.concat dim(1) %a, %b : (tensor<2x2xf64>, tensor<2x0xf64>) -> tensor<2x2xf64>
            return %z : tensor<2x2xf64>",
        loops: "return %a : tensor<2x2xf64>",
        arguments: &[],
    },
    Case {
        reading: "read-fold",
        types: "(%a: tensor<3xf64>, %x: f64) -> tensor<3xf64>",
        operation: "%z:2 = array.map_accum (%r = %a : tensor<3xf64>) iter_args(%s = %x) -> (f64, tensor<3xf64>) {
              %t = arith.mulf %s, %r : f64
              array.yield %t, %t : f64, f64
            }
            return %z#1 : tensor<3xf64>",
        loops: "%z = array.build (%i < 3) -> (tensor<3xf64>) {
              %r = array.get %a[%i] : tensor<3xf64> -> f64
              %t = arith.mulf %x, %r : f64
              array.yield %t : f64
            }
            return %z : tensor<3xf64>",
        arguments: &[],
    },
];

impl Case {
    fn program(&self, body: &str) -> Program {
        let text = format!("func.func @f{} {{\n{body}\n}}", self.types);
        Program::parse(text.as_bytes(), self.reading).unwrap_or_else(|_| panic!("{}\n{text}", self.reading))
    }

    fn proved(&self, rules: &[&str]) -> bool {
        mlopt::register_passes();
        let (a, b) = (self.program(self.operation), self.program(self.loops));
        let function = |p: &Program| p.module().lookup("f").expect("it is there");
        let both = pair(function(&a), function(&b)).expect("both fit");
        let laws = Laws::named(rules).expect("rules that are there");
        let function = both.module().lookup(mlopt::cli::equiv::PAIR).expect("it is there");
        matches!(equivalence::compare(function, &laws, Options::default()), Verdict::Equal(_))
    }

    /// Both sides at the arguments, to the bit.
    fn agrees(&self) {
        let arguments: Vec<_> = self
            .arguments
            .iter()
            .map(|a| a.parse().map_or_else(|_| random(a).expect("a description"), Array::index))
            .collect();
        let [a, b] = [self.operation, self.loops].map(|body| {
            let program = self.program(body);
            Evaluator::new(program.module()).call("f", &arguments).unwrap_or_else(|e| panic!("{}: {e}", self.reading))
        });
        assert_eq!(format!("{a:?}"), format!("{b:?}"), "{}", self.reading);
    }
}

#[test]
fn operations_are_their_loops_by_their_readings_alone() {
    for case in CASES {
        case.agrees();
        // A length asks for the ranges, and a read for the build that it is of.
        assert!(case.proved(&["index", "array"]), "{} does not prove\n{}", case.reading, case.operation);
        let taken_away = format!("-{}", case.reading);
        assert!(!case.proved(&["all", &taken_away]), "proved without {}\n{}", case.reading, case.operation);
    }
}

#[test]
fn outside_of_its_condition_nothing_is_read() {
    for case in STOPPED {
        assert!(!case.proved(&["all"]), "{} proves\n{}", case.reading, case.operation);
    }
}

#[test]
fn every_reading_has_a_case() {
    let (_, _, readings) = SETS.iter().find(|(name, ..)| *name == "reading").expect("a set of rules");
    for reading in *readings {
        assert!(CASES.iter().any(|c| c.reading == reading.name), "{} has no case", reading.name);
        let condition = !reading.when.is_empty();
        let stopped = STOPPED.iter().any(|c| c.reading == reading.name);
        assert_eq!(condition, stopped, "{}: a condition, and a case that it stops", reading.name);
    }
}
