# The two commands of README.md. Both install what is missing, build in release, and may be run again at any time.
# A rustup that was just installed is not on the PATH of this shell yet; look where it installs.
export PATH := $(PATH):$(HOME)/.cargo/bin

.PHONY: demo test exercise format lint setup

# Trains the logistic regression of test/logistic_regression and leaves target/logistic_regression/loss.svg.
demo: setup
	cargo build --release --package mlopt-cli
	cargo run --release --package logistic-regression

# glibc overwrites freed memory with the complement of MALLOC_PERTURB_, so that the use of an erased op fails at once.
test: setup
	MALLOC_PERTURB_=165 cargo test --release --workspace

# Checks that the patch of docs/tutorial/adding-an-operation.md compiles.
exercise:
	cargo run --release --quiet --package xtask -- exercise --check

format: setup
	cargo fmt --all --check

# Lints; a warning is an error. Type checks once more what `test` compiles, without generating code.
lint: setup
	cargo clippy --release --workspace --all-targets -- --deny warnings

setup:
	tools/setup.sh
