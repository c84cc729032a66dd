//! Reactive nodes.

use mlopt::{Error, ErrorKind, Module, Pipeline, Session, Stream, Tensor, View};
use std::time::{Duration, Instant};

fn module(text: &str) -> Module {
    Session::new().parse("nodes.mlir", text).unwrap_or_else(|error| panic!("{error}"))
}

const TEXT: &str = "stream.node @total(%x: f64) -> (y: f64) {
  %zero = arith.constant 0.0 : f64
  %before = stream.fby %zero, %y : f64
  %y = arith.addf %before, %x : f64
  stream.yield %y : f64
}
stream.node @suffix_sum(%x: f64, %end: i1) -> (s: f64) {
  %zero = arith.constant 0.0 : f64
  %next = stream.post %s : f64
  %rest = stream.select %end, %zero, %next : f64
  %s = arith.addf %x, %rest : f64
  stream.yield %s : f64
}
stream.node @positive(%x: tensor<2xf64>, %c: i1) -> (y: tensor<2xf64>) {
  %y = stream.when %x, %c : tensor<2xf64>
  stream.yield %y : tensor<2xf64>
}
stream.node @quotient(%a: i64, %b: i64) -> (y: i64) {
  %y = stream.div %a, %b : i64
  stream.yield %y : i64
}";

fn kind_and_text(error: Error) -> (ErrorKind, String) {
    (error.kind(), error.to_string())
}

#[test]
fn steps_have_values_or_none() {
    let module = module(TEXT);
    let mut total = module.node("total").unwrap();
    for (x, y) in [(Some(2.0), Some(2.0)), (None, None), (Some(3.0), Some(5.0))] {
        let found = total.step(&[x.as_ref().map(View::scalar)]).unwrap();
        assert_eq!(found, [y.map(Tensor::scalar)]);
    }
    let mut positive = module.node("@positive").unwrap();
    let x = [1.0, 2.0];
    let mut step = |c: bool| positive.step(&[Some(View::new(&x, &[2]).unwrap()), Some(View::scalar(&c))]).unwrap();
    assert_eq!(step(true), [Some(Tensor::new(&[2], x.to_vec()).unwrap())]);
    assert_eq!(step(false), [None]);
}

#[test]
fn all_cycles_at_once() {
    let module = module(TEXT);
    let mut total = module.node("total").unwrap();
    let xs: Vec<f64> = (0..10_000).map(f64::from).collect();
    for _ in 0..2 {
        let sums = total.run(&[View::new(&xs, &[xs.len()]).unwrap()]).unwrap();
        assert_eq!(sums[0].elements::<f64>().unwrap()[9_999], 9_999.0 * 5_000.0);
    }
    // A node that looks ahead.
    let mut suffix = module.node("suffix_sum").unwrap();
    let (x, end) = ([1.0, 2.0, 3.0, 4.0, 5.0], [false, false, true, false, true]);
    let inputs = || [View::new(&x, &[5]).unwrap(), View::new(&end, &[5]).unwrap()];
    assert_eq!(suffix.run(&inputs()).unwrap()[0].elements::<f64>().unwrap(), [6.0, 5.0, 3.0, 9.0, 5.0]);
    let (kind, text) = kind_and_text(suffix.step(&[None, None]).unwrap_err());
    assert!(kind == ErrorKind::NotSupported && text.contains("depend on later cycles"), "{text}");
    let (kind, text) = kind_and_text(suffix.run(&inputs().map(|_| View::new(&x[..0], &[0]).unwrap())).unwrap_err());
    assert_eq!(kind, ErrorKind::Argument, "{text}");
    let one = [View::new(&x[..1], &[1]).unwrap(), View::new(&end[..1], &[1]).unwrap()];
    let (_, text) = kind_and_text(suffix.run(&one).unwrap_err());
    assert_eq!(text, "error: the inputs end before the output `s` is known");
    // In pieces: outputs are known later.
    suffix.reset().unwrap();
    let piece = |k: usize| {
        let stream = |tensor: Tensor| Stream::of(tensor).unwrap();
        [stream(Tensor::new(&[1], vec![x[k]]).unwrap()), stream(Tensor::new(&[1], vec![end[k]]).unwrap())]
    };
    let known: Vec<usize> = (0..3).map(|k| suffix.feed(&piece(k), false).unwrap()[0].present.len()).collect();
    assert_eq!(known.iter().sum::<usize>(), 3, "{known:?}");
    assert_eq!(known[0], 0);
}

#[test]
fn wrong_inputs_and_errors_of_programs() {
    let module = module(TEXT);
    let mut total = module.node("total").unwrap();
    let said = |outcome: mlopt::Result<Vec<Option<Tensor>>>| kind_and_text(outcome.unwrap_err());
    assert_eq!(said(total.step(&[])), (ErrorKind::Argument, "error: the node has 1 inputs, found 0".into()));
    let (kind, text) = said(total.step(&[Some(View::new(&[1.0], &[1]).unwrap())]));
    assert_eq!((kind, &*text), (ErrorKind::Argument, "error: the input `x` must be `f64`, found `tensor<1xf64>`"));
    // A wrong input changes nothing.
    assert_eq!(total.step(&[Some(View::scalar(&1.0))]).unwrap(), [Some(Tensor::scalar(1.0))]);
    // A program that stops itself.
    let mut quotient = module.node("quotient").unwrap();
    let (kind, text) = said(quotient.step(&[Some(View::scalar(&1_i64)), Some(View::scalar(&0_i64))]));
    assert!(kind == ErrorKind::Stopped && text.contains("E-RT-OP"), "{text}");
    let (_, text) = said(quotient.step(&[Some(View::scalar(&1_i64)), Some(View::scalar(&1_i64))]));
    assert!(text.contains("it must be reset first"), "{text}");
    quotient.reset().unwrap();
    let found = quotient.step(&[Some(View::scalar(&7_i64)), Some(View::scalar(&2_i64))]).unwrap();
    assert_eq!(found, [Some(Tensor::scalar(3_i64))]);
    // Errors of compilation have positions in the source.
    let wrong = TEXT.replace("%before, %x", "%y, %x");
    let error = Session::new().parse("nodes.mlir", wrong).unwrap().node("total").unwrap_err();
    let first = &error.diagnostics()[0];
    assert_eq!((first.file.as_deref(), first.line), (Some("nodes.mlir"), Some(4)), "{error}");
    assert_eq!(first.source_line.as_deref(), Some("  %y = arith.addf %y, %x : f64"));
    let error = module.node("totl").unwrap_err();
    assert!(error.to_string().contains("unknown node `@totl`; did you mean `total`"), "{error}");
}

/// A caller that no longer waits gets its thread back, and the node can be used again.
#[test]
fn long_runs_are_interrupted() {
    let text = "stream.node @slow(%x: f64) -> (y: f64) {
      %zero = arith.constant 0.0 : f64
      %before = stream.fby %zero, %y : f64
      %a = math.sin %before : f64
      %b = math.exp %a : f64
      %y = arith.addf %b, %x : f64
      stream.yield %y : f64
    }";
    let mut slow = module(text).node("slow").unwrap();
    let cycles = 2_000_000;
    let input = Stream::of(Tensor::new(&[cycles], vec![0.5; cycles]).unwrap()).unwrap();
    let start = Instant::now();
    let error = slow.feed_unless(&[input], false, || true).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Stopped, "{error}");
    assert!(start.elapsed() < Duration::from_secs(60));
    let error = slow.step(&[Some(View::scalar(&1.0))]).unwrap_err();
    assert!(error.to_string().contains("it must be reset first"), "{error}");
    slow.reset().unwrap();
    assert_eq!(slow.step(&[Some(View::scalar(&1.0))]).unwrap(), [Some(Tensor::scalar(2.0))]);
}

/// The gradient of a node, and a node that trains.
#[test]
fn gradients() {
    let text = "stream.node @loss(%x: f64, %t: f64) -> (e: f64) {
      %init = arith.constant 1.0 : f64
      %k = stream.param \"k\" %init : f64
      %y = arith.mulf %k, %x : f64
      %d = arith.subf %y, %t : f64
      %e = arith.mulf %d, %d : f64
      stream.yield %e : f64
    }";
    let mut module = module(text);
    module.run(&Pipeline::of(&["stream-grad"])).unwrap();
    let mut gradient = module.node("loss_grad").unwrap();
    let names: Vec<String> = gradient.outputs().iter().map(|(name, _)| name.clone()).collect();
    let k = names.iter().position(|name| name == "k_ct").unwrap_or_else(|| panic!("{names:?}"));
    let one = View::scalar(&1.0);
    let found = gradient.step(&[Some(View::scalar(&2.0)), Some(View::scalar(&6.0)), Some(one)]).unwrap();
    // e = (k x - t)², so that ∂e/∂k = 2 (k x - t) x.
    assert_eq!(found[k], Some(Tensor::scalar(-16.0)));
}
