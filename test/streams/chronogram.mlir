// RUN: mlopt run %s --node @f --input 'x=[1, 0.1666694321, -0.79070412, 123456.7, 1234567, 1e-7, 0.00012, nan, 100]' \
// RUN:   --chronogram | FileCheck %s --match-full-lines
// Floats have six digits, without trailing zeros.

// CHECK: y      1  0.166669  -0.790704  123457  1.23457e6  1e-7  0.00012  NaN  100
stream.node @f(%x: f64) -> (y: f64) {
  stream.yield %x : f64
}
