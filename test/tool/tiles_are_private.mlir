// The functions that tiles share are private to their module: another module of the same program may have its own functions of
// that name.
// RUN: mlopt compile %s --mcpu=x86-64-v3 --emit=asm | FileCheck %s --implicit-check-not='globl{{.*}}tile.'
// CHECK: {{^}}tile.f64x4
// CHECK: .globl{{.*}}product
func.func @product(%x: tensor<?x?xf64>, %y: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %x, %0 : tensor<?x?xf64>
  %n = tensor.dim %y, %1 : tensor<?x?xf64>
  %o = tensor.empty(%m, %n) : tensor<?x?xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%o : tensor<?x?xf64>) -> tensor<?x?xf64>
  %z = linalg.matmul ins(%x, %y : tensor<?x?xf64>, tensor<?x?xf64>) outs(%zeros : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %z : tensor<?x?xf64>
}
