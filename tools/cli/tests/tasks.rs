//! Tests of compiled programs with tasks: random programs, with output and input. In every run, results and errors
//! agree with the evaluator. The hand-written programs are in `test/machine_code/tasks.test`.

use mlopt_cases::Knuth;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::lambda::eval::{Evaluator, Value};
use mlopt_dialects::text::terms::read_one;
use mlopt_frontend::functions::import;
use mlopt_functions::run::{Stop, machine_with};
use mlopt_lowering::native::{Error, Target};
use mlopt_lowering::pipelines::pipeline_text;
use mlopt_lowering::pipelines::{FUNCTIONS_CPU, FUNCTIONS_PLAIN};
use mlopt_runtime::code::Compiled;
use mlopt_runtime::code::program::Console;
use std::io::Write;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The number of runs of each program, because race conditions appear only in some runs.
const RUNS: usize = 200;

fn parse(types: &[&str], term: &str) -> Program {
    mlopt_lowering::register_passes();
    let types: Vec<String> = types.iter().map(|t| t.to_string()).collect();
    import("tasks", "f", &types, &read_one(term).unwrap()).unwrap().verified().unwrap()
}

/// A compiled program.
struct Machine {
    program: Program,
    code: Compiled,
}

impl Machine {
    fn new(types: &[&str], term: &str, passes: &[&str]) -> Machine {
        let program = parse(types, term);
        let target = Target::host().unwrap();
        target.describe(program.module());
        program.run_pipeline(&pipeline_text(passes)).unwrap_or_else(|_| panic!("{term}"));
        let code = Compiled::new(program.module(), &target).unwrap();
        Machine { program, code }
    }

    fn run(&self, inputs: &[Value]) -> Result<Value, Stop> {
        self.run_with(inputs, "").0
    }

    /// Returns the result and the output.
    fn run_with(&self, inputs: &[Value], text: &str) -> (Result<Value, Stop>, String) {
        let output = Output::default();
        let mut lines: Vec<String> = text.lines().rev().map(str::to_string).collect();
        let console = Console::new(move || Ok(lines.pop()), output.clone());
        let found = in_time(|| machine_with(self.program.module(), &self.code, "f", inputs, console));
        let written = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
        (found.map(|mut results| results.remove(0).0), written)
    }
}

/// Ends the test process if `run` takes more than a minute.
fn in_time<T>(run: impl FnOnce() -> T) -> T {
    let (done, watched) = channel::<()>();
    let watch = std::thread::spawn(move || {
        if watched.recv_timeout(Duration::from_secs(60)) == Err(RecvTimeoutError::Timeout) {
            // The captured output of a test is not shown if the test does not end.
            let _ = writeln!(std::io::stderr(), "a program of tasks hangs");
            std::process::exit(1);
        }
    });
    let result = run();
    drop(done);
    watch.join().unwrap();
    result
}

#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Generates three to five tasks with channels between pairs of them. Messages are generated in an order in which they
/// can be sent; then, in most programs, two ops of a task are swapped or one is removed.
fn random_tasks(seed: u64) -> String {
    let mut random = Knuth(seed);
    let tasks = 3 + random.below(3);
    let channels: Vec<[usize; 3]> = (0..3 + random.below(4))
        .map(|_| {
            let from = random.below(tasks);
            [from, (from + 1 + random.below(tasks - 1)) % tasks, random.below(3)]
        })
        .collect();
    let mut ops: Vec<Vec<(bool, usize)>> = vec![vec![]; tasks];
    for _ in 0..4 + random.below(12) {
        let c = random.below(channels.len());
        ops[channels[c][0]].push((true, c));
        ops[channels[c][1]].push((false, c));
    }
    let changed = random.below(tasks);
    match (random.below(3), ops[changed].len()) {
        (0, n) if n > 1 => {
            let k = random.below(n - 1);
            ops[changed].swap(k, k + 1);
        }
        (1, n) if n > 0 => {
            let k = random.below(n);
            ops[changed].remove(k);
        }
        _ => {}
    }
    let body = |k: usize| {
        let (mut text, mut ends) = (format!("(let ((h {k})) "), ")".to_string());
        for (is_send, c) in &ops[k] {
            text += &match is_send {
                true => format!("(do (send c{c} (i+ h {c})) "),
                false => format!("(let ((h (i+ (i* 3 h) (recv c{c})))) "),
            };
            ends += ")";
        }
        text + "h" + &ends
    };
    let names: Vec<String> = (0..channels.len()).map(|c| format!("c{c}")).collect();
    let mut bindings: Vec<String> =
        channels.iter().zip(&names).map(|([.., room], c)| format!("({c} (channel i64 :buffer {room}))")).collect();
    let names = names.join(" ");
    bindings.extend((1..tasks).map(|k| format!("(t{k} (spawn cpu:{k} (lam ({names}) {}) {names}))", body(k))));
    let joins: Vec<String> = (1..tasks).map(|k| format!("(join t{k})")).collect();
    format!("(lam () (let ({}) (let ((h {})) (tuple h {}))))", bindings.join(" "), body(0), joins.join(" "))
}

/// Checks programs whose channels have one sender and one receiver. They have one result, or one deadlock with the same
/// tasks at the same positions.
#[test]
fn random_programs() {
    let mut deadlocks = 0;
    const PROGRAMS: u64 = 60;
    for seed in 0..PROGRAMS {
        let term = random_tasks(seed);
        let wanted = Evaluator::new(parse(&[], &term).module()).call("f", &[]);
        deadlocks += u64::from(wanted.is_err());
        let machine = Machine::new(&[], &term, FUNCTIONS_CPU);
        for run in 0..RUNS / 10 {
            match (machine.run(&[]), &wanted) {
                (Ok(found), Ok(wanted)) => assert_eq!(found.to_string(), wanted.to_string(), "{seed}, {run}: {term}"),
                (Err(Stop::Code(Error::Stopped { place, text, .. })), Err(wanted)) => {
                    let (_, plain) = wanted.text.split_once(" op ").expect("the evaluator names the op");
                    assert_eq!(
                        (place.as_str(), text.as_str()),
                        (wanted.location.as_str(), plain),
                        "{seed}, {run}: {term}"
                    );
                }
                (found, wanted) => panic!("{seed}, {run}: expected {wanted:?}, found {found:?}: {term}"),
            }
        }
    }
    assert!((10..PROGRAMS - 10).contains(&deadlocks), "{deadlocks} of {PROGRAMS} are deadlocks");
}

#[test]
fn output_and_input() {
    let term = "(lam (x) (let ((c (channel f64)))
      (do (print x (tuple 1 (list 2.5 3.0)))
          (spawn cpu:1 (lam (c) (let ((y (recv c))) (do (print y y) (send c (* 2.0 y))))) c)
          (let ((a (read))) (do (send c a) (print (recv c) (scale a x)) (print (< a 1.0)) (+ a (read)))))))";
    let (inputs, text) = ([Value::vector(&[0.5, 1.0, -1.5])], "2.5\n-1.0\n");
    let program = parse(&["array<?xf64>"], term);
    let mut evaluator = Evaluator::new(program.module()).with_input(text);
    let wanted = evaluator.call("f", &inputs).unwrap();
    for passes in [FUNCTIONS_PLAIN, FUNCTIONS_CPU] {
        let machine = Machine::new(&["array<?xf64>"], term, passes);
        for _ in 0..RUNS {
            let (found, written) = machine.run_with(&inputs, text);
            assert_eq!(found.unwrap().to_string(), wanted.to_string());
            assert_eq!(written, evaluator.output());
        }
    }
    let machine = Machine::new(&["array<?xf64>"], term, FUNCTIONS_CPU);
    for (text, message) in [
        ("2.5", "expected a line of input, found the end of the input"),
        ("two", "expected a value of type f64, found the line `two`"),
    ] {
        let wanted = Evaluator::new(program.module()).with_input(text).call("f", &inputs).unwrap_err();
        let (found, written) = machine.run_with(&inputs, text);
        let Err(Stop::Code(Error::Stopped { place, text, .. })) = found else { panic!("{found:?}") };
        assert_eq!((place.as_str(), text.as_str()), (wanted.location.as_str(), message));
        assert!(
            wanted.text.ends_with(message) && written.starts_with("[0.5, 1.0, -1.5] (1, [2.5, 3.0])\n"),
            "{written}"
        );
    }
}

/// A panic in a function of the runtime, here in the input of the caller, ends the program with an error. Nothing waits
/// for the task for ever, and the process does not abort.
#[test]
fn a_panic_in_a_task_ends_the_program() {
    let term = "(lam (x) (let ((t (spawn cpu:1 (lam (y) (+ y (read))) x))) (join t)))";
    let machine = Machine::new(&["f64"], term, FUNCTIONS_PLAIN);
    let console = Console::new(|| panic!("the input of the caller is broken"), Output::default());
    let inputs = [Value::f64(1.0)];
    let found = in_time(|| machine_with(machine.program.module(), &machine.code, "f", &inputs, console));
    let text = format!("{:?}", found.map(|results| results.len()).unwrap_err());
    assert!(text.contains("internal error") || text.contains("Internal"), "{text}");
    assert!(text.contains("the input of the caller is broken"), "{text}");
}
