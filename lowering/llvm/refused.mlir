// RUN: mlopt %s --loops-to-llvm --split-input-file --verify-diagnostics
// An op without a lowering is named.

func.func @f(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @below {{not supported: 'tensor.cast'}}
  %y = tensor.cast %x : tensor<4xf64> to tensor<4xf64>
  return %y : tensor<4xf64>
}

// -----

// Only memory that the function itself has allocated is released.
func.func @released(%m: memref<?xf64>) attributes {sweep.allocates} {
  // expected-error @below {{not supported: 'memref.dealloc': the memory must be allocated in this function, and control flow must use `scf` instead of `cf`}}
  memref.dealloc %m : memref<?xf64>
  return
}

// -----

// The size of the elements must be known.
func.func @bytes(%n: index) attributes {sweep.allocates} {
  // expected-error @below {{not supported: 'memref.alloc': the elements must be of type f16}}
  %m = memref.alloc(%n) : memref<?xf8E5M2>
  memref.dealloc %m : memref<?xf8E5M2>
  return
}
