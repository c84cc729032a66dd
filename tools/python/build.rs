//! Sets the linker options of the extension module.

fn main() {
    let options = [
        // Relative relocations are small, as in the C library.
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
