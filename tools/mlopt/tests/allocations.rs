//! Prepared calls do not allocate.

use mlopt::{Session, View, ViewMut};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts the allocations of each thread.
struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: the allocator of the system does the work.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: guaranteed by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: guaranteed by the caller.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    let text = "func.func @f(%x: tensor<?xf64>, %a: f64) -> (tensor<?xf64>, f64) {
        %n = array.length %x : tensor<?xf64>
        %r = array.replicate %a, %n : (f64) -> tensor<?xf64>
        %z = arith.mulf %x, %r : tensor<?xf64>
        %s = array.sum %z : (tensor<?xf64>) -> f64
        return %z, %s : tensor<?xf64>, f64
    }";
    let code = Session::new().compile("f.mlir", text).unwrap_or_else(|error| panic!("{error}"));
    let mut call = code.function("f").unwrap().prepare(&[&[3], &[]]).unwrap();
    let (x, mut z, mut s) = ([1.0, 2.0, 3.0], [0.0; 3], 0.0);
    let before = COUNT.get();
    for k in 0..100 {
        let a = f64::from(k);
        let arguments = [View::new(&x, &[3]).unwrap(), View::scalar(&a)];
        call.call(&arguments, &mut [ViewMut::new(&mut z, &[3]).unwrap(), ViewMut::scalar(&mut s)]).unwrap();
        assert_eq!((z, s), ([a, 2.0 * a, 3.0 * a], 6.0 * a));
    }
    assert_eq!(COUNT.get() - before, 0, "prepared calls must not allocate");
    println!("test result: ok. 1 passed; 0 failed");
}
