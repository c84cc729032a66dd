//! Programs of tasks as compiled code: in every run, their results and errors agree with the evaluator.

use mlopt::functions::run::{Stop, machine_with};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::captured;
use mlopt_dialects::lambda::eval::{Evaluator, Value};
use mlopt_dialects::text::terms::read_one;
use mlopt_frontend::functions::import;
use mlopt_lowering::native::{Error, Target};
use mlopt_lowering::pipelines::pipeline_text;
use mlopt_lowering::pipelines::{FUNCTIONS_CPU, FUNCTIONS_PLAIN};
use mlopt_runtime::code::Compiled;
use mlopt_runtime::code::program::Console;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The number of runs of each program, because race conditions appear only in some runs.
const RUNS: usize = 200;

fn parse(types: &[&str], term: &str) -> Program {
    mlopt::register_passes();
    let types: Vec<String> = types.iter().map(|t| t.to_string()).collect();
    let module = import("tasks", "f", &types, &read_one(term).unwrap()).unwrap();
    Program::parse(module.as_bytes(), "tasks").unwrap()
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

/// Checks that compiled code agrees with the evaluator in every run.
fn agree_in(runs: usize, types: &[&str], term: &str, inputs: &[Value]) {
    let wanted =
        Evaluator::new(parse(types, term).module()).call("f", inputs).unwrap_or_else(|e| panic!("{e}: {term}"));
    for passes in [FUNCTIONS_PLAIN, FUNCTIONS_CPU] {
        let machine = Machine::new(types, term, passes);
        for run in 0..runs {
            let found = machine.run(inputs).unwrap_or_else(|e| panic!("run {run}: {e}: {term}"));
            assert_eq!(found.to_string(), wanted.to_string(), "run {run}: {term}");
        }
    }
}

fn agree(types: &[&str], term: &str, inputs: &[Value]) {
    agree_in(RUNS, types, term, inputs);
}

/// Checks that compiled code stops where the evaluator stops, in every run. Returns the messages of both.
fn stops(types: &[&str], term: &str, inputs: &[Value], code: &str) -> (String, String) {
    let wanted = Evaluator::new(parse(types, term).module()).call("f", inputs).expect_err(term);
    assert_eq!(wanted.code, code, "{wanted}: {term}");
    let machine = Machine::new(types, term, FUNCTIONS_CPU);
    let mut said = String::new();
    for run in 0..RUNS {
        let found = machine.run(inputs);
        let Err(Stop::Code(Error::Stopped { place, text })) = found else { panic!("run {run}: {found:?}: {term}") };
        assert!(text.starts_with(&format!("{code}: ")), "run {run}: {text}: {term}");
        assert_eq!(place, wanted.location, "run {run}: {text}: {term}");
        said = text;
    }
    let (_, plain) = wanted.text.split_once(" op ").expect("the evaluator names the op");
    (said, plain.to_string())
}

#[test]
fn who_sends_waits_until_the_value_is_taken() {
    agree(
        &[],
        "(lam () (let ((c (channel f64)))
          (do (spawn cpu:0 (lam (c) (do (send c 1.0) (send c 2.0) (send c 3.0))) c) (tuple (recv c) (recv c) \
              (recv c)))))",
        &[],
    );
}

#[test]
fn channels_with_room() {
    agree(
        &[],
        "(lam () (let ((c (channel f64 :buffer 2))) (do (send c 1.0) (send c 2.0) (tuple (recv c) (recv c)))))",
        &[],
    );
    for buffer in [0, 1, 2, 7] {
        let term = format!(
            "(lam (n) (let ((c (channel i64 :buffer {buffer})))
              (do (spawn cpu:1 (lam (n c) (for i n ((u 0)) (next (do (send c (i* i i)) 0)) u)) n c)
                  (for i n ((s 0)) (next (i+ (i* 3 s) (recv c))) s))))"
        );
        agree(&["i64"], &term, &[Value::i64(20)]);
    }
}

/// Checks that each value passes through three tasks, in order.
#[test]
fn pipelines() {
    let term = "(lam (n) (let ((a (channel i64)) (b (channel i64 :buffer 2)) (c (channel i64)))
      (do (spawn cpu:0 (lam (n a) (for i n ((u 0)) (next (do (send a i) 0)) u)) n a)
          (spawn cpu:1 (lam (n a b) (for i n ((u 0)) (next (do (send b (i* 5 (recv a))) 0)) u)) n a b)
          (spawn cpu:2 (lam (n b c) (for i n ((u 0)) (next (do (send c (i+ 1 (recv b))) 0)) u)) n b c)
          (for i n ((s 0)) (next (i+ (i* 3 s) (recv c))) s))))";
    agree(&["i64"], term, &[Value::i64(12)]);
}

#[test]
fn many_tasks() {
    let term = "(lam (n) (let ((c (channel i64)) (u (spawn-n n (lam (i c) (do (send c i) (send c (i* 100 i)))) c)))
      (for i (i* 2 n) ((s 0)) (next (i+ s (recv c))) s)))";
    agree_in(20, &["i64"], term, &[Value::i64(64)]);
    // Tasks that start tasks; each waits for two.
    let tree = "(lam (n) (letrec ((tree (lam (n) (if (i< n 1) 1
      (let ((l (spawn cpu:0 tree (i- n 1))) (r (spawn cpu:1 tree (i- n 1)))) (i+ (join l) (join r))))))) (tree n)))";
    agree_in(20, &["i64"], tree, &[Value::i64(5)]);
}

#[test]
fn ten_thousand_messages() {
    for buffer in [0, 7] {
        let term = format!(
            "(lam (n) (let ((c (channel f64 :buffer {buffer})))
              (do (spawn cpu:1 (lam (n c) (for i n ((u 0)) (next (do (send c (itof i)) 0)) u)) n c)
                  (for i n ((s 0.0)) (next (+ (* 0.5 s) (recv c))) s))))"
        );
        agree_in(2, &["i64"], &term, &[Value::i64(10_000)]);
    }
}

/// Checks that lists, arrays, records, functions and channels can be sent between tasks, and outlive the task that
/// created them.
#[test]
fn what_is_sent() {
    let list = "(lam (n) (let ((t (spawn cpu:0 (lam (n) (letrec ((down (lam (k) (if (i= k 0) (nil tuple<i64,f64>)
      (cons (tuple k (itof k)) (down (i- k 1))))))) (down n))) n))) (tuple (join t) (join t))))";
    agree(&["i64"], list, &[Value::i64(5)]);
    let arrays = "(lam (x) (let ((c (channel array)) (r (channel array :buffer 1)))
      (do (spawn cpu:1 (lam (c r) (let ((a (recv c))) (send r (* a (sin a))))) c r) (send c (scale 2.0 x)) \
          (let ((b (recv r))) (tuple b (sum b))))))";
    agree(&["array<?xf64>"], arrays, &[Value::vector(&[1.0, 2.0, 0.5])]);
    let functions = "(lam (x) (let ((c (channel func<[f64]->f64>)))
      (do (spawn cpu:1 (lam (c x) (do (send c (lam (y) (* x y))) (send c (lam (y) (+ (* x x) y))))) c x)
          (let ((f (recv c)) (g (recv c))) (tuple (f 3.0) (g 3.0) (f (g 1.0)))))))";
    agree(&["f64"], functions, &[Value::f64(2.0)]);
    // A request contains the channel for its response.
    let answers = "(lam (n) (let ((c (channel tuple<f64,chan<f64>>)) (r (channel f64)))
      (do (spawn cpu:1 (lam (n c) (for i n ((u 0)) (next (let ((q (recv c))) (do (send (get 1 q) \
          (* 2.0 (get 0 q))) 0))) u)) n c)
          (for i n ((s 0.0)) (next (do (send c (tuple (itof i) r)) (+ s (recv r)))) s))))";
    agree(&["i64"], answers, &[Value::i64(6)]);
    let record = "(lam (x) (let ((c (channel P{u:f64,v:bool})) )
      (do (spawn cpu:0 (lam (c x) (send c (record P (u x) (v (< x 1.0))))) c x) (let ((p (recv c))) (tuple (field u p) \
          (field v p) p)))))";
    agree(&["f64"], record, &[Value::f64(0.25)]);
}

#[test]
fn closed_channels() {
    let drained = "(lam () (let ((c (channel f64 :buffer 2))) (do (send c 1.0) (send c 2.0) (close c) (tuple (recv c) \
                   (recv c)))))";
    agree(&[], drained, &[]);
    let empty = "(lam () (let ((c (channel f64 :buffer 2))) (do (send c 1.0) (close c) (recv c) (recv c))))";
    let (said, wanted) = stops(&[], empty, &[], "closed-channel");
    assert_eq!(said, wanted);
    let sent = "(lam () (let ((c (channel f64 :buffer 1))) (do (close c) (send c 1.0))))";
    let (said, wanted) = stops(&[], sent, &[], "closed-channel");
    assert_eq!(said, wanted);
    // Whether or not the task waits already.
    for wait in ["(recv c)", "(do (send c 1.0) 1.0)"] {
        let term =
            format!("(lam () (let ((c (channel f64)) (t (spawn cpu:0 (lam (c) {wait}) c))) (do (close c) (join t))))");
        let (said, wanted) = stops(&[], &term, &[], "closed-channel");
        assert_eq!(said, wanted);
    }
}

/// Checks that a failure of a task is a failure of the whole program, whether or not a task waits for it.
#[test]
fn failures() {
    let first = "(lam (l) (let ((t (spawn cpu:1 (lam (l) (head l)) l))) (join t)))";
    agree(&["list<f64>"], first, &[Value::list(vec![Value::f64(2.0)])]);
    let empty = [Value::list(vec![])];
    stops(&["list<f64>"], first, &empty, "empty-list");
    let unheard = "(lam (l) (let ((t (spawn cpu:1 (lam (l) (head l)) l))) 1.0))";
    stops(&["list<f64>"], unheard, &empty, "empty-list");
    let waited_for = "(lam (l) (let ((c (channel f64)) (t (spawn cpu:1 (lam (l c) (send c (head l))) l c))) (recv c)))";
    stops(&["list<f64>"], waited_for, &empty, "empty-list");
    let late = "(lam (l) (let ((c (channel f64)) (t (spawn cpu:1 (lam (l) (head l)) l))
      (s (spawn cpu:2 (lam (c t) (do (send c 1.0) (join t))) c t))) (do (recv c) (recv c))))";
    stops(&["list<f64>"], late, &empty, "empty-list");
    // The program fails while other tasks wait for it.
    let left = "(lam (l) (let ((c (channel f64)) (u (spawn-n 3 (lam (i c) (do (recv c) (recv c) 0)) c))) \
                (do (send c 1.0) (head l))))";
    stops(&["list<f64>"], left, &empty, "empty-list");
    let many = "(lam (n) (let ((c (channel i64)) (u (spawn-n n (lam (i c) (send c i)) c))) (for i n ((s 0)) \
                (next (i+ s (recv c))) s)))";
    let found = Machine::new(&["i64"], many, FUNCTIONS_CPU).run(&[Value::i64(10_000)]);
    let Err(Stop::Code(Error::Stopped { text, .. })) = found else { panic!("{found:?}") };
    assert_eq!(text, "no thread for a task: 10000 run already");
    let endless = "(lam (x) (let ((t (spawn cpu:0 (lam (x) (letrec ((go (lam (x) (+ 1.0 (go (* x x)))))) (go x))) x))) \
                   (join t)))";
    let found = Machine::new(&["f64"], endless, FUNCTIONS_CPU).run(&[Value::f64(0.5)]);
    let Err(Stop::Code(Error::Stopped { text, .. })) = found else { panic!("{found:?}") };
    assert!(text.starts_with("stack-overflow: "), "{text}");
}

/// Checks the messages of deadlocks, which describe the event that each task waits for.
#[test]
fn deadlocks() {
    for term in [
        // No task sends, no task receives, the buffer is full.
        "(lam () (let ((c (channel f64))) (recv c)))",
        "(lam () (let ((c (channel f64))) (do (send c 1.0) 2.0)))",
        "(lam () (let ((c (channel f64 :buffer 1))) (do (send c 1.0) (send c 2.0) (recv c))))",
        // Each waits for the other.
        "(lam () (let ((a (channel f64)) (b (channel f64)))
          (do (spawn cpu:0 (lam (a b) (do (recv a) (send b 1.0))) a b) (do (recv b) (send a 1.0)))))",
        "(lam () (let ((a (channel f64)) (b (channel f64)))
          (do (spawn cpu:0 (lam (a b) (do (recv a) (send b 1.0))) a b) (spawn cpu:1 (lam (a b) (do (recv b) \
              (send a 1.0))) a b) 3.0)))",
        // Waiting for the end of a task; waiting after the end of the program.
        "(lam () (let ((c (channel f64)) (t (spawn cpu:0 (lam (c) (recv c)) c))) (join t)))",
        "(lam () (let ((c (channel f64)) (t (spawn cpu:0 (lam (c) (recv c)) c))) 1.0))",
        // After messages in both directions.
        "(lam () (let ((a (channel f64)) (b (channel f64)))
          (do (spawn cpu:0 (lam (a b) (do (send b (recv a)) (recv a))) a b) (do (send a 1.0) (recv b) (recv b)))))",
        // Five tasks in a ring, all of which receive first.
        "(lam () (let ((a (channel f64)) (b (channel f64)) (c (channel f64)) (d (channel f64)) (e (channel f64)))
          (do (spawn cpu:0 (lam (a b) (send b (recv a))) a b) (spawn cpu:1 (lam (a b) (send b (recv a))) b c)
              (spawn cpu:2 (lam (a b) (send b (recv a))) c d) (spawn cpu:3 (lam (a b) (send b (recv a))) d e) \
                  (do (send a (recv e)) 1.0))))",
    ] {
        let (said, wanted) = stops(&[], term, &[], "deadlock");
        assert_eq!(said, wanted, "{term}");
    }
}

/// Pseudo-random numbers, with Knuth's constants.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

/// Generates three to five tasks with channels between pairs of them. Messages are generated in an order in which they
/// can be sent; then, in most programs, two ops of a task are swapped or one is removed.
fn random_tasks(seed: u64) -> String {
    let mut random = Numbers(seed);
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
                (Err(Stop::Code(Error::Stopped { place, text })), Err(wanted)) => {
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
    for (text, message) in [("2.5", "there is no more input"), ("two", "the line `two` is no f64")] {
        let wanted = Evaluator::new(program.module()).with_input(text).call("f", &inputs).unwrap_err();
        let (found, written) = machine.run_with(&inputs, text);
        let Err(Stop::Code(Error::Stopped { place, text })) = found else { panic!("{found:?}") };
        assert_eq!((place.as_str(), text.as_str()), (wanted.location.as_str(), message));
        assert!(
            wanted.text.ends_with(message) && written.starts_with("[0.5, 1.0, -1.5] (1, [2.5, 3.0])\n"),
            "{written}"
        );
    }
}

/// Returns the errors with which a program is rejected.
fn refused(term: &str) -> String {
    let program = parse(&["f64"], term);
    let run = || program.run_pipeline(&pipeline_text(FUNCTIONS_CPU));
    let (ran, said) = captured(program.module().context(), run);
    assert!(ran.is_err(), "{term}");
    said.join("; ")
}

#[test]
fn refusals() {
    let device = "(lam (x) (let ((t (spawn gpu:0 (lam (x) (* x x)) x))) (join t)))";
    assert!(refused(device).contains("not supported: 'lambda.spawn': the device `gpu:0`"), "{}", refused(device));
    let moved = "(lam (x) (let ((c (channel f64 :dest gpu:1 :buffer 1))) (do (send c x) (recv c))))";
    assert!(refused(moved).contains("not supported: 'lambda.channel': the device `gpu:1`"), "{}", refused(moved));
    let virtual_devices: Vec<&str> = FUNCTIONS_CPU
        .iter()
        .map(|pass| if *pass == "lambda-to-llvm" { "lambda-to-llvm{virtual-devices=true}" } else { pass })
        .collect();
    for (term, wanted) in [(device, 6.25), (moved, 2.5)] {
        let found = Machine::new(&["f64"], term, &virtual_devices).run(&[Value::f64(2.5)]).unwrap();
        assert_eq!(found.as_f64(), Some(wanted));
    }
    let wrong = "(lam (x) (let ((c (channel f64 :buffer 1))) (do (send c 1) (recv c))))";
    assert!(refused(wrong).contains("type-mismatch"), "{}", refused(wrong));
}

/// Checks the output, input and errors of the executable.
#[test]
fn from_outside() {
    let folder = std::env::temp_dir().join(format!("mlopt-tasks-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("echo.lambda");
    let text = "(def main ((x f64)) (let ((t (spawn gpu:3 (lam (x) (do (print x) (+ x (read)))) x))) (join t)))";
    std::fs::write(&file, text).unwrap();
    let mlopt = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mlopt"));
        command
            .args(arguments)
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that is rejected does not read its input.
        let _ = child.stdin.take().unwrap().write_all(b"2.25\n");
        let output = child.wait_with_output().unwrap();
        [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned())
    };
    for how in ["--virtual-devices", "--interpret"] {
        assert_eq!(mlopt(&["run", "echo.lambda", how, "--arg", "1.5"]), ["1.5\n3.75\n", ""], "{how}");
    }
    let [out, err] = mlopt(&["run", "echo.lambda", "--arg", "1.5"]);
    let refused = "echo.lambda:1:30: error: not supported: 'lambda.spawn': the device `gpu:3`";
    assert!(out.is_empty() && err.contains(refused), "{err}");
    std::fs::write(&file, text.replace("gpu:3", "cpu:3")).unwrap();
    let [_, err] = mlopt(&["compile", "echo.lambda", "--emit=shared"]);
    assert!(err.starts_with("echo.lambda:1:30: error: not supported: tasks, input and output"), "{err}");
    std::fs::remove_dir_all(&folder).unwrap();
}
