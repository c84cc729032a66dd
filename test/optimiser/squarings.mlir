// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize,recognise-idioms))' | FileCheck %s
// x, x², x⁴, x⁸ and so on, forty times: as a tree, the product has 2⁴⁰ factors, and as a term forty.

// CHECK-LABEL: func.func @f
// CHECK-COUNT-41: arith.mulf
// CHECK-NOT:   arith.mulf
func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %b = array.build (%i < %n) -> (tensor<?xf64>) {
    %v0 = array.get %x[%i] : (tensor<?xf64>) -> f64
    %w = array.get %y[%i] : (tensor<?xf64>) -> f64
    %v1 = arith.mulf %v0, %v0 fastmath<fast> : f64
    %v2 = arith.mulf %v1, %v1 fastmath<fast> : f64
    %v3 = arith.mulf %v2, %v2 fastmath<fast> : f64
    %v4 = arith.mulf %v3, %v3 fastmath<fast> : f64
    %v5 = arith.mulf %v4, %v4 fastmath<fast> : f64
    %v6 = arith.mulf %v5, %v5 fastmath<fast> : f64
    %v7 = arith.mulf %v6, %v6 fastmath<fast> : f64
    %v8 = arith.mulf %v7, %v7 fastmath<fast> : f64
    %v9 = arith.mulf %v8, %v8 fastmath<fast> : f64
    %v10 = arith.mulf %v9, %v9 fastmath<fast> : f64
    %v11 = arith.mulf %v10, %v10 fastmath<fast> : f64
    %v12 = arith.mulf %v11, %v11 fastmath<fast> : f64
    %v13 = arith.mulf %v12, %v12 fastmath<fast> : f64
    %v14 = arith.mulf %v13, %v13 fastmath<fast> : f64
    %v15 = arith.mulf %v14, %v14 fastmath<fast> : f64
    %v16 = arith.mulf %v15, %v15 fastmath<fast> : f64
    %v17 = arith.mulf %v16, %v16 fastmath<fast> : f64
    %v18 = arith.mulf %v17, %v17 fastmath<fast> : f64
    %v19 = arith.mulf %v18, %v18 fastmath<fast> : f64
    %v20 = arith.mulf %v19, %v19 fastmath<fast> : f64
    %v21 = arith.mulf %v20, %v20 fastmath<fast> : f64
    %v22 = arith.mulf %v21, %v21 fastmath<fast> : f64
    %v23 = arith.mulf %v22, %v22 fastmath<fast> : f64
    %v24 = arith.mulf %v23, %v23 fastmath<fast> : f64
    %v25 = arith.mulf %v24, %v24 fastmath<fast> : f64
    %v26 = arith.mulf %v25, %v25 fastmath<fast> : f64
    %v27 = arith.mulf %v26, %v26 fastmath<fast> : f64
    %v28 = arith.mulf %v27, %v27 fastmath<fast> : f64
    %v29 = arith.mulf %v28, %v28 fastmath<fast> : f64
    %v30 = arith.mulf %v29, %v29 fastmath<fast> : f64
    %v31 = arith.mulf %v30, %v30 fastmath<fast> : f64
    %v32 = arith.mulf %v31, %v31 fastmath<fast> : f64
    %v33 = arith.mulf %v32, %v32 fastmath<fast> : f64
    %v34 = arith.mulf %v33, %v33 fastmath<fast> : f64
    %v35 = arith.mulf %v34, %v34 fastmath<fast> : f64
    %v36 = arith.mulf %v35, %v35 fastmath<fast> : f64
    %v37 = arith.mulf %v36, %v36 fastmath<fast> : f64
    %v38 = arith.mulf %v37, %v37 fastmath<fast> : f64
    %v39 = arith.mulf %v38, %v38 fastmath<fast> : f64
    %v40 = arith.mulf %v39, %v39 fastmath<fast> : f64
    %r = arith.mulf %v40, %w fastmath<fast> : f64
    array.yield %r : f64
  }
  %s = array.sum %b : (tensor<?xf64>) -> f64
  return %s : f64
}
