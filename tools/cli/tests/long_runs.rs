//! Tests of the memory of long runs of reactive nodes: it stays within the bound that `mlopt run --memory-report`
//! states, from the first piece of the inputs to the last. `MLOPT_TICKS` is the length of the runs.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::value::{Array, Data};
use mlopt_lowering::pipelines::default_pipeline;
use mlopt_runtime::streams::columns::Column;
use mlopt_runtime::streams::compiled::Compiled;
use mlopt_runtime::streams::flat::{Flat, PIPELINE};
use mlopt_runtime::streams::memory::{Depth, of_session, session_depth};
use mlopt_runtime::streams::session::Session;
use std::alloc::{GlobalAlloc, Layout, System};
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An allocator that counts the bytes held. LLVM and compiled code do not use it.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code)]
// SAFETY: all calls are forwarded to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`, which is that of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller passes memory of `alloc` above, which is memory of `System`, with its layout.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// An adaptive filter of 16 taps, and the sum of the remaining part of a sequence, which ends where `d` is positive.
const PROGRAM: &str = include_str!("long_runs.mlir");

/// The number of cycles of a piece.
const PIECE: usize = 1000;

/// The maximum size of shapes and names, in addition to values.
const NAMES: usize = 1024;

/// A node, ready to run.
struct Node {
    flat: Flat,
    code: Compiled,
    _program: Program,
}

impl Node {
    fn new(name: &str) -> Node {
        let program = Program::parse(PROGRAM.as_bytes(), "long").expect("the program parses");
        program.run_pipeline(PIPELINE).expect("it has no instances");
        let node = Flat::nodes(&program).into_iter().find(|n| n.symbol().as_deref() == Some(name));
        let flat = Flat::new(node.expect("it is there")).expect("it is accepted");
        let code = Compiled::new(&flat, &[], &default_pipeline()).expect("it compiles");
        Node { flat, code, _program: program }
    }
}

/// A session on sequences of the same length.
struct Run<'a> {
    session: Session<'a>,
    length: usize,
    /// The number of cycles that it has received.
    cycles: usize,
    /// The bytes held before it started.
    before: usize,
    /// The bytes of its certificate.
    certified: usize,
}

impl Run<'_> {
    fn new(node: &Node, horizon: Option<u32>) -> Run<'_> {
        let before = HELD.load(Relaxed);
        let most = horizon.map(|h| h as usize);
        let none = &mut |_| unreachable!("there are no initial values");
        let mut session = Session::new(&node.code, &node.flat, vec![true; 2], most, none).expect("it starts");
        let depth = session_depth(Depth::of(&node.code.ahead, horizon), PIECE).expect("there is a bound");
        session.reserve(depth as usize);
        let certified = of_session(&node.flat, &session, horizon, PIECE).total.expect("there is a bound") as usize;
        Run { session, length: most.unwrap_or(1), cycles: 0, before, certified }
    }

    fn until(&mut self, cycles: usize) {
        while self.cycles < cycles {
            let numbers = |value: &dyn Fn(usize) -> f64| {
                let numbers: Vec<f64> = (self.cycles..self.cycles + PIECE).map(value).collect();
                Column::of_rows(Array::new(vec![PIECE], Data::F64(numbers)))
            };
            let is_last = |n: usize| n % self.length == self.length - 1;
            let inputs = [numbers(&|n| (n as f64).sin() / 8.0), numbers(&|n| if is_last(n) { 0.5 } else { -0.25 })];
            self.session.feed(&inputs, PIECE);
            self.cycles += PIECE;
            assert!(self.session.advance(false).expect("it runs").stop.is_none());
            assert!(self.session.waiting() <= self.length);
        }
    }

    fn held(&self) -> usize {
        HELD.load(Relaxed) - self.before
    }
}

/// Returns Linux's numbers of resident pages of this process, and of peak kilobytes since the previous call.
fn resident() -> (usize, usize) {
    let pages = fs::read_to_string("/proc/self/statm").expect("Linux says it");
    let pages = pages.split(' ').nth(1).expect("the second number");
    let status = fs::read_to_string("/proc/self/status").expect("Linux says it");
    let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).expect("a line of it");
    let peak = peak.trim().strip_suffix("kB").expect("kilobytes").trim();
    // Resets the peak.
    fs::write("/proc/self/clear_refs", "5").expect("Linux takes it");
    (pages.parse().expect("a number"), peak.parse().expect("a number"))
}

/// Serialises the tests, because all measure the memory of the process. Initialises once-per-process data first.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    mlopt_lowering::register_passes();
    Run::new(&Node::new("filter"), None).until(PIECE);
    alone
}

#[test]
fn memory_is_what_the_certificate_says_however_long_the_run() {
    let _alone = alone();
    let ticks = std::env::var("MLOPT_TICKS").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000_000);
    for (name, horizon) in [("filter", None), ("rest", Some(100)), ("rest", Some(5000))] {
        let node = Node::new(name);
        let mut run = Run::new(&node, horizon);
        let points = [100, 10, 1].map(|part| {
            run.until(ticks / part);
            (run.held(), resident())
        });
        println!("{name}, {horizon:?}: {} certified; held, pages, peak in kB: {points:?}", run.certified);
        let [first, (middle, (pages, peak)), (last, (pages_after, peak_after))] = points;
        assert_eq!([first.0; 2], [middle, last], "{name} grows");
        let certified = run.certified..run.certified + NAMES;
        assert!(certified.contains(&last), "{name}: {last} bytes are held, {certified:?} certified");
        assert!(pages_after <= pages + 16, "{name}: {pages} pages became {pages_after}");
        assert!(peak_after <= peak + 512, "{name}: {peak} kB became {peak_after} kB");
    }
}

#[test]
fn a_longer_horizon_costs_its_rows() {
    let _alone = alone();
    let node = Node::new("rest");
    let [short, long] = [100, 5000].map(|horizon| {
        let mut run = Run::new(&node, Some(horizon));
        run.until(20 * PIECE);
        (run.certified, run.held())
    });
    // Two inputs with marks, and the activity of the cycle. Everything else does not depend on the horizon, so the
    // difference is exact.
    let row = 2 * (8 + 1) + 1;
    assert_eq!(long.0 - short.0, 4900 * row);
    assert_eq!(long.1 - short.1, 4900 * row);
}
