//! Prepared calls allocate nothing and take nanoseconds. Time decides no test, so the instructions are bounded by what
//! the call does: see `tools/bench`, which measures the time.

use crate::code;
use mlopt::{View, ViewMut};

#[test]
fn results_are_those_of_each_call() {
    let code = code("func.func @f(%x: f64, %y: f64) -> f64 { %z = arith.subf %x, %y : f64  return %z : f64 }");
    let mut call = code.function("f").unwrap().prepare(&[&[], &[]]).unwrap();
    let mut z = 0.0;
    for k in 0..1000 {
        let (x, y) = (f64::from(k), 0.5);
        call.call(&[View::scalar(&x), View::scalar(&y)], &mut [ViewMut::scalar(&mut z)]).unwrap();
        assert_eq!(z, x - 0.5);
    }
}

#[test]
fn scratch_memory_is_kept() {
    let code = code(
        "func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> {
           %y = array.reverse %x : tensor<?xf64>
           %s = array.sum %y : (tensor<?xf64>) -> f64
           %n = array.length %x : tensor<?xf64>
           %r = array.replicate %s, %n : (f64) -> tensor<?xf64>
           %z = arith.addf %r, %y : tensor<?xf64>
           return %z : tensor<?xf64>
         }",
    );
    let f = code.function("f").unwrap();
    for n in [1_usize, 5, 100] {
        let shape = [n];
        let mut call = f.prepare(&[&shape]).unwrap();
        let x: Vec<f64> = (0..n).map(|k| k as f64).collect();
        let sum: f64 = x.iter().sum();
        let mut z = vec![0.0; n];
        for _ in 0..3 {
            call.call(&[View::new(&x, &shape).unwrap()], &mut [ViewMut::new(&mut z, &shape).unwrap()]).unwrap();
            assert!(z.iter().zip(x.iter().rev()).all(|(z, x)| *z == sum + x));
        }
    }
}
