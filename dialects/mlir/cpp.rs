/// Returns the settings with which the C++ of this project is compiled. Included by the build scripts.
fn cpp(include: &[&std::path::Path]) -> cc::Build {
    let mut build = cc::Build::new();
    build.cpp(true).std("c++17").warnings(false).define("NDEBUG", None).opt_level(1).debug(false).includes(include);
    // Debian's LLVM has no RTTI.
    for flag in ["-fno-rtti", "-fno-exceptions", "-Wno-unused-parameter", "-Wno-comment"] {
        build.flag(flag);
    }
    build
}
