//! Sets the linker options of the shared library.

fn main() {
    let options = [
        // Programs that were linked with this version of the interface find the library by this name.
        "-soname,libmlopt.so.0",
        // As for the executable: nothing of LLVM is exported, and relative relocations are small.
        "--exclude-libs,ALL",
        "-z,pack-relative-relocs",
        // A part of the keys of the cache of compiled code.
        "--build-id",
        // Calls inside the library are not redirected to symbols of the program.
        "-Bsymbolic",
    ];
    for option in options {
        println!("cargo::rustc-cdylib-link-arg=-Wl,{option}");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
