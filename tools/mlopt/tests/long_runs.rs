//! Memory of a run of a reactive node: what its state and its longest sequence need, however long it runs. `MLOPT_TICKS` says how long.

use mlopt::streams::columns::Column;
use mlopt::streams::compiled::Compiled;
use mlopt::streams::flat::{Flat, PIPELINE};
use mlopt::streams::session::Session;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::value::{Array, Data};

/// An adaptive filter of 16 taps.
const FILTER: &str = "
stream.node @f(%x: f64, %d: f64) -> (e: f64) {
  %zero = stream.constant dense<0.0> : tensor<16xf64>
  %c0 = arith.constant 0 : index
  %rate = arith.constant 0.05 : f64
  %newest = array.reshape %x : f64 -> tensor<1xf64>
  %older = array.slice %before from %c0 : tensor<16xf64> -> tensor<15xf64>
  %h = array.append %newest, %older : (tensor<1xf64>, tensor<15xf64>) -> tensor<16xf64>
  %before = stream.fby %zero, %h : tensor<16xf64>
  %w = stream.fby %zero, %next : tensor<16xf64>
  %p = arith.mulf %w, %h : tensor<16xf64>
  %y = array.sum %p : (tensor<16xf64>) -> f64
  %e = arith.subf %d, %y : f64
  %step = arith.mulf %rate, %e : f64
  %steps = array.replicate %step : (f64) -> tensor<16xf64>
  %change = arith.mulf %steps, %h : tensor<16xf64>
  %next = arith.addf %w, %change : tensor<16xf64>
  stream.yield %e : f64
}";

/// What is still to come of a sequence: `d` is positive in its last cycle.
const REST: &str = "
stream.node @f(%x: f64, %d: f64) -> (s: f64) {
  %zero = arith.constant 0.0 : f64
  %end = arith.cmpf ogt, %d, %zero : f64
  %next = stream.post %s : f64
  %rest = stream.select %end, %zero, %next : f64
  %s = arith.addf %x, %rest : f64
  stream.yield %s : f64
}";

/// The most memory that this process has used since the last time, in kilobytes.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux says it");
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).expect("a line of it");
    // From here on it is counted anew.
    std::fs::write("/proc/self/clear_refs", "5").expect("Linux takes it");
    line.trim().strip_suffix("kB").expect("kilobytes").trim().parse().expect("a number")
}

/// Cycles of sequences of this length.
fn piece(first: usize, cycles: usize, length: usize) -> [Column; 2] {
    let all = |value: &dyn Fn(usize) -> f64| {
        let numbers: Vec<f64> = (first..first + cycles).map(value).collect();
        Column::of_rows(Array::new(vec![cycles], Data::F64(numbers)))
    };
    [all(&|n| (n as f64).sin() / 8.0), all(&|n| if n % length == length - 1 { 0.5 } else { -0.25 })]
}

/// The peak over a first part of a run and over a part that is a hundred times as long.
fn peaks(text: &str, ticks: usize, length: usize) -> [usize; 2] {
    let program = Program::parse(text.as_bytes(), "long").expect("the program parses");
    program.run_pipeline(PIPELINE).expect("it has no instances");
    let flat = Flat::new(Flat::nodes(&program)[0]).expect("it is accepted");
    let code = Compiled::new(&flat, &[], true).expect("it compiles");
    let none = &mut |_| unreachable!("there are no initial values");
    let mut session = Session::new(&code, &flat, vec![true; 2], None, none).expect("it starts");
    let mut n = 0;
    let mut run = |until: usize| {
        while n < until {
            session.feed(&piece(n, 1000, length), 1000);
            n += 1000;
            let known = session.advance(false).expect("it runs");
            assert!(known.stop.is_none());
            assert!(session.waiting() <= length);
        }
    };
    run(ticks / 100);
    peak();
    run(ticks / 50);
    let first = peak();
    run(ticks);
    [first, peak()]
}

#[test]
fn memory_does_not_grow_with_the_run() {
    mlopt::cli::register_passes();
    let ticks = std::env::var("MLOPT_TICKS").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    for (name, text, length) in [("filter", FILTER, 1), ("sequences of 100", REST, 100), ("of 900", REST, 900)] {
        let [first, all] = peaks(text, ticks, length);
        println!("{name}: {first} kB, then {all} kB");
        assert!(all <= first + 512, "{name}: {first} kB became {all} kB");
    }
}
