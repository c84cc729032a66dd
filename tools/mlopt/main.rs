//! The executable `mlopt`.

// Terms are many small allocations; the compiler's own, in C++, keep theirs.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    std::process::exit(mlopt::cli::main());
}
