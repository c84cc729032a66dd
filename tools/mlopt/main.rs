//! The executable `mlopt`.

fn main() {
    std::process::exit(mlopt::cli::main());
}
