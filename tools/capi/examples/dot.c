/* Compiles the gradient of a dot product and calls it. Build: cc dot.c $(pkg-config --cflags --libs mlopt) */
#include <mlopt.h>
#include <stdio.h>
#include <string.h>

static const char PROGRAM[] =
    "func.func private @dot(%a: tensor<?xf64>, %b: tensor<?xf64>) -> f64 {\n"
    "  %n = array.length %a : tensor<?xf64>\n"
    "  %z = array.build (%i < %n) -> (tensor<?xf64>) {\n"
    "    %x = array.get %a[%i] : (tensor<?xf64>) -> f64\n"
    "    %y = array.get %b[%i] : (tensor<?xf64>) -> f64\n"
    "    %p = arith.mulf %x, %y : f64\n"
    "    array.yield %p : f64\n"
    "  }\n"
    "  %s = array.sum %z : (tensor<?xf64>) -> f64\n"
    "  return %s : f64\n"
    "}\n"
    "func.func @slope(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {\n"
    "  %d:2 = dual.grad @dot(%a, %b) : (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)\n"
    "  return %d#0 : tensor<?xf64>\n"
    "}\n";

/* Prints an error and returns the exit status of this program. */
static int failed(mlopt_error *error) {
  mlopt_string message = mlopt_error_message(error);
  printf("%.*s\n", (int)message.size, message.data);
  mlopt_error_free(error);
  return 1;
}

static mlopt_tensor vector(double *data, const int64_t *size) {
  mlopt_tensor tensor = {data, 1, 0, 1, {2, 64, 1}, size, NULL, 0};
  return tensor;
}

int main(void) {
  if (mlopt_abi_version() != MLOPT_ABI_VERSION)
    return 2;
  mlopt_error *error = NULL;
  mlopt_session *session = NULL;
  if (mlopt_session_new(&session, &error) != MLOPT_OK)
    return failed(error);

  /* An error has diagnostics. */
  mlopt_code *code = NULL;
  if (mlopt_compile(session, "bad.mlir", 8, "func.func @f(", 13, &code, &error) != MLOPT_ERROR_PROGRAM)
    return 3;
  mlopt_diagnostic diagnostic;
  if (!mlopt_error_diagnostic(error, 0, &diagnostic))
    return 4;
  printf("%.*s at line %u, column %u\n", (int)diagnostic.file.size, diagnostic.file.data, diagnostic.line,
         diagnostic.column);
  mlopt_error_free(error);

  if (mlopt_compile(session, "dot.mlir", 8, PROGRAM, strlen(PROGRAM), &code, &error) != MLOPT_OK)
    return failed(error);
  mlopt_session_free(session);
  mlopt_function *slope = NULL;
  if (mlopt_code_function(code, "slope", 5, &slope, &error) != MLOPT_OK)
    return failed(error);
  mlopt_code_free(code);

  double a[] = {1, 2, 3}, b[] = {4, 5, 6}, z[3];
  int64_t size = 3;
  mlopt_tensor inputs[] = {vector(a, &size), vector(b, &size)}, results[] = {vector(z, &size)};
  if (mlopt_function_call(slope, inputs, 2, results, 1, &error) != MLOPT_OK)
    return failed(error);
  printf("%g %g %g\n", z[0], z[1], z[2]);

  /* For many calls of one size. */
  mlopt_call *call = NULL;
  if (mlopt_function_prepare(slope, inputs, 2, &call, &error) != MLOPT_OK)
    return failed(error);
  mlopt_function_free(slope);
  for (int k = 0; k < 1000; ++k) {
    b[0] = k;
    if (mlopt_call_run(call, inputs, 2, results, 1, &error) != MLOPT_OK)
      return failed(error);
    if (z[0] != k)
      return 5;
  }
  mlopt_call_free(call);
  printf("done\n");
  return 0;
}
