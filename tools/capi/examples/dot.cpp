// Compiles the gradient of a dot product and calls it. Build: c++ dot.cpp $(pkg-config --cflags --libs mlopt)
#include <iostream>
#include <mlopt.hpp>

int main() {
  mlopt::Session session;
  try {
    session.parse("bad.mlir", "func.func @f(");
    return 1;
  } catch (const mlopt::Error &error) {
    const mlopt::Diagnostic &first = error.diagnostics().at(0);
    std::cout << first.file << " at line " << first.line << ", column " << first.column << "\n";
  }
  mlopt::Code code = session.compile("power.lambda", R"(
(def power ((x f64)) (* x (* x x)))
(def slope ((x f64)) ((grad power) x)))");
  mlopt::Function slope = code.function("slope");
  double x = 2, z = 0;
  slope({mlopt::Tensor(x)}, {mlopt::Tensor(z)});
  std::cout << slope.name() << "(2) = " << z << "\n";
  mlopt::Call call = slope.prepare({mlopt::Tensor(x)});
  for (x = 0; x < 100; ++x) {
    call({mlopt::Tensor(x)}, {mlopt::Tensor(z)});
    if (z != 3 * x * x)
      return 2;
  }
  const double hundred = x;
  mlopt::Result result = slope({mlopt::ConstTensor(hundred)});
  std::cout << *static_cast<const double *>(result[0].data) << "\n";
  std::cout << session.parse("f.mlir", "func.func private @f()").text();
}
