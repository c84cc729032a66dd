// Memory of results must be writable: what must not compile, as assertions.
#include <mlopt.hpp>

using mlopt::ConstTensor;
using mlopt::Tensor;
using Shape = std::vector<std::int64_t>;

static_assert(std::is_constructible_v<ConstTensor, const double &>);
static_assert(std::is_constructible_v<ConstTensor, double &>);
static_assert(std::is_constructible_v<ConstTensor, const float *, Shape>);
static_assert(std::is_constructible_v<Tensor, double &>);
static_assert(std::is_constructible_v<Tensor, float *, Shape>);
static_assert(!std::is_constructible_v<Tensor, const double &>);
static_assert(!std::is_constructible_v<Tensor, double>);
static_assert(!std::is_constructible_v<Tensor, const float *, Shape>);
static_assert(!std::is_convertible_v<ConstTensor, Tensor>);
static_assert(std::is_convertible_v<Tensor, ConstTensor>);
static_assert(std::is_copy_constructible_v<Tensor> && std::is_copy_assignable_v<ConstTensor>);
static_assert(std::is_invocable_v<mlopt::Function, std::vector<ConstTensor>, std::vector<Tensor>>);
static_assert(!std::is_invocable_v<mlopt::Function, std::vector<ConstTensor>, std::vector<ConstTensor>>);

int main() {}
