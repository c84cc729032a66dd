//! `mlopt run --memory-report` against what the process allocates.

use mlopt::streams::columns::Column;
use mlopt::streams::compiled::Compiled;
use mlopt::streams::embed::Depth;
use mlopt::streams::flat::{Flat, PIPELINE};
use mlopt::streams::memory::{of_session, session_depth};
use mlopt::streams::session::Session;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::value::{Array, Data};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Counts the bytes that are held. What LLVM and compiled code take is not asked for here.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code)]
// SAFETY: all is handed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// An adaptive filter, and what is still to come of a sequence, which ends where `d` is positive.
const PROGRAM: &str = "
stream.node @forward(%x: f64, %d: f64) -> (e: f64) {
  %zero = stream.constant dense<0.0> : tensor<64xf64>
  %first = arith.constant 0.05 : f64
  %rate = stream.param \"rate\" %first : f64
  %w = stream.fby %zero, %next : tensor<64xf64>
  %y = array.sum %w : (tensor<64xf64>) -> f64
  %e = arith.subf %d, %y : f64
  %step = arith.mulf %rate, %e : f64
  %steps = array.replicate %step : (f64) -> tensor<64xf64>
  %next = arith.addf %w, %steps : tensor<64xf64>
  stream.yield %e : f64
}
stream.node @segmented(%x: f64, %d: f64) -> (s: f64) {
  %zero = arith.constant 0.0 : f64
  %end = arith.cmpf ogt, %d, %zero : f64
  %next = stream.post %s : f64
  %rest = stream.select %end, %zero, %next : f64
  %s = arith.addf %x, %rest : f64
  stream.yield %s : f64
}";

/// Bytes that are held by a session after the first pieces and after all, and those that the report says.
fn held(name: &str, horizon: Option<u32>, piece: usize, length: usize) -> ([usize; 2], u64) {
    let program = Program::parse(PROGRAM.as_bytes(), "report").expect("the program parses");
    program.run_pipeline(PIPELINE).expect("it has no instances");
    let node = Flat::nodes(&program).into_iter().find(|n| n.symbol().as_deref() == Some(name));
    let flat = Flat::new(node.expect("it is there")).expect("it is accepted");
    let code = Compiled::new(&flat, &[], true).expect("it compiles");
    let none = &mut |_| unreachable!("there are no initial values");
    let before = HELD.load(Relaxed);
    let most = horizon.map(|h| h as usize);
    let mut session = Session::new(&code, &flat, vec![true; 2], most, none).expect("it starts");
    let depth = session_depth(Depth::of(&code.ahead, horizon), piece).expect("there is a bound");
    session.reserve(depth as usize);
    let reported = of_session(&flat, &session, horizon, piece).total.expect("there is a bound");
    let (mut n, mut early) = (0, 0);
    for round in 0..200 {
        let numbers = |f: &dyn Fn(usize) -> f64| {
            Column::of_rows(Array::new(vec![piece], Data::F64((n..n + piece).map(f).collect())))
        };
        let columns = [numbers(&|n| n as f64), numbers(&|n| if n % length == length - 1 { 1.0 } else { -1.0 })];
        n += piece;
        session.feed(&columns, piece);
        drop(columns);
        assert!(session.advance(false).expect("it runs").stop.is_none());
        if round == 9 {
            early = HELD.load(Relaxed) - before;
        }
    }
    ([early, HELD.load(Relaxed) - before], reported)
}

#[test]
fn the_report_is_what_is_allocated() {
    mlopt::cli::register_passes();
    // Beside values there are their shapes and names.
    const NAMES: usize = 1024;
    // What is made once in a process is made here.
    held("forward", None, 1000, 1);
    for (name, horizon) in [("forward", None), ("segmented", Some(100)), ("segmented", Some(5000))] {
        let length = horizon.unwrap_or(1) as usize;
        let ([early, after], reported) = held(name, horizon, 1000, length);
        println!("{name}: {early} bytes, {after} after the run, {reported} reported");
        assert_eq!(early, after, "{name} grows");
        let reported = reported as usize;
        assert!((reported..reported + NAMES).contains(&early), "{name}: {early} bytes are held, {reported} reported");
    }
    // The rest is the same for any horizon, so the difference is exact.
    let ([short, _], few) = held("segmented", Some(100), 1000, 100);
    let ([long, _], many) = held("segmented", Some(5000), 1000, 100);
    assert_eq!((long - short) as u64, many - few);
}
