"builtin.module"() <{sym_name = "a b"}> ({
  "func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "nested"}> ({
    "func.return"() : () -> ()
  }) {"weird name" = 1 : i64} : () -> ()
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<f32>, sym_name = "g", sym_visibility = "private"}> ({
  }) : () -> ()
}) {x.a = [], x.b = true, x.bf = 1.000977e-01 : bf16, x.big = 18446744073709551615 : ui64, x.c = dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f64>>, x.d = 1.000000e+300 : f64, x.dense = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, x.f = 0x7FC00000 : f32, x.f8 = 0x3C : f8E4M3FN, x.fn = (i32) -> (), x.h = 3.330078e-01 : f16, x.i = -7 : i8, x.i2 = dense<[-1, 1]> : tensor<2xi4>, x.ix = 3 : index, x.n = {a = [1 : i64, "b"]}, x.s = "\C3\A9\00\FF", x.t = tensor<?x2xf32>, x.u = 200 : ui8, x.unit} : () -> ()
