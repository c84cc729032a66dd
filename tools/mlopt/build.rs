//! Sets a linker option for the tests: an identity of the build, which is a part of the keys of the cache.

fn main() {
    println!("cargo::rustc-link-arg-tests=-Wl,--build-id");
    println!("cargo::rerun-if-changed=build.rs");
}
