func.func @attention_vjp(%q: tensor<?x?xf64>, %k: tensor<?x?xf64>, %v: tensor<?x?xf64>, %c: tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %r:4 = dual.vjp @attention(%q, %k, %v) cotangents(%c) wrt [0, 1, 2]
    : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1, %r#2, %r#3 : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}
