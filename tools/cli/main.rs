//! The executable `mlopt`.
#![forbid(unsafe_code)]

// Terms are many small allocations. The C++ code of the compiler keeps its own allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    std::process::exit(mlopt_cli::commands::main());
}
