"""Programs: notations, passes, compilation, errors."""

import os
import shutil
import subprocess
import threading

import mlopt
import pytest


def test_notations():
    assert mlopt.parse("(def f ((x f64)) (* x x))", "f.terms")["f"](3.0) == 9.0
    assert mlopt.parse("(def f ((x f64)) ((grad (lam (y) (* y y))) x))", "f.lambda")["f"](3.0) == 6.0
    text = """func.func @f(%x: tensor<f32>) -> tensor<f32> {
                %y = "stablehlo.sine"(%x) : (tensor<f32>) -> tensor<f32>
                return %y : tensor<f32>
              }"""
    module = mlopt.parse(text, "f.mlir")
    assert "stablehlo" not in module.text
    assert module["f"](0.0) == 0.0
    with pytest.raises(TypeError, match="a program must be `str` or `bytes`, found `int`"):
        mlopt.parse(1)


def test_errors_have_positions():
    with pytest.raises(mlopt.Error) as caught:
        mlopt.parse("func.func @f() {\n  return 1\n}", "f.mlir")
    error = caught.value
    assert error.kind == "program"
    (found,) = error.diagnostics
    assert (found.severity, found.file, found.line, found.column) == ("error", "f.mlir", 2, 9)
    assert found.source_line == "  return 1"
    assert str(error).startswith("f.mlir:2:9: error: ")
    with pytest.raises(mlopt.Error) as caught:
        mlopt.parse("(def f ((x f64)) (* x y))", "f.terms")
    assert caught.value.diagnostics[0].column == 23


def test_errors_have_codes():
    text = """func.func @f(%x: tensor<2xf64>) -> f32 {
                %s = array.sum %x : (tensor<2xf64>) -> f32
                return %s : f32
              }"""
    with pytest.raises(mlopt.Error) as caught:
        mlopt.parse(text, "f.mlir")
    found = caught.value.diagnostics[0]
    assert (found.severity, found.code, found.line) == ("error", "C2", 2)


def test_run():
    module = mlopt.parse("""
        func.func @f() -> i32 {
          %x = arith.constant 1 : i32
          %y = arith.addi %x, %x : i32
          return %y : i32
        }""")
    for pipeline in ("canonicalize", ["canonicalize", "cse"], "builtin.module(canonicalize)"):
        simpler = module.run(pipeline)
        assert "arith.addi" not in simpler.text
        assert "arith.addi" in module.text
    assert simpler.diagnostics == []


def test_a_failed_pass_loses_nothing():
    module = mlopt.parse("func.func @f(%x: f64) -> f64 { return %x : f64 }")
    with pytest.raises(mlopt.Error) as caught:
        module.run("canonicalise")
    assert caught.value.kind == "pipeline"
    assert "did you mean `canonicalize`" in str(caught.value)
    with pytest.raises(mlopt.Error):
        module.compile("canonicalize")
    assert module["f"](1.0) == 1.0


def test_compile():
    module = mlopt.parse("(def f ((x f64)) (* x x)) (def g ((x f64)) (sin x))", "f.terms")
    code = module.compile(target="x86-64", features="+sse4.2", options={"differentiate": "memory-budget=1"})
    assert code.functions == ["f", "g"]
    assert code["f"](2.0) == 4.0
    assert code.diagnostics == []
    with pytest.raises(mlopt.Error, match="did you mean `x86-64-v3`") as caught:
        module.compile(target="x86-64-v33")
    assert caught.value.kind == "target"
    with pytest.raises(mlopt.Error, match="there is no function `@h`; the module has `@f`, `@g`") as caught:
        code["h"]
    assert caught.value.kind == "unknown function"
    with pytest.raises(mlopt.Error) as caught:
        module["h"]
    assert caught.value.kind == "unknown function"


def test_fast():
    module = mlopt.parse("(def f ((x f64)) (- (+ x 1e16) 1e16))", "f.terms")
    assert module.compile()["f"](1.0) == 0.0
    assert module.compile(fast=True)["f"](1.0) == 1.0


def test_extended():
    module = mlopt.parse("(def f ((x f64)) (* x x))", "f.terms")
    more = module.extended("""
        func.func @g(%x: f64) -> f64 {
          %y = func.call @f(%x) : (f64) -> f64
          return %y : f64
        }""")
    assert (more.functions, module.functions) == (["g", "f"], ["f"])
    assert more["g"](3.0) == 9.0
    with pytest.raises(mlopt.Error) as caught:
        module.extended("func.func @g() {\n  return 1\n}", "g.mlir")
    assert (caught.value.diagnostics[0].file, caught.value.diagnostics[0].line) == ("g.mlir", 2)
    with pytest.raises(mlopt.Error, match="redefinition of symbol named 'f'"):
        module.extended("func.func @f() { return }")


def test_positions_survive_copies():
    """A message about a copy shows the line of the text that was parsed."""
    text = "func.func private @g(f64) -> f64\nfunc.func @f(%x: f64) -> f64 {\n  %y = func.call @g(%x) : (f64) -> f64\n"
    module = mlopt.parse(text + "  return %y : f64\n}\n", "f.mlir")
    with pytest.raises(mlopt.Error) as caught:
        mlopt.grad(module["f"])(1.0)
    found = caught.value.diagnostics[0]
    assert found.file in ("f.mlir", "grad_f.mlir")
    assert any(d.file == "f.mlir" and d.line in (1, 3) for d in [found, *found.notes])


def test_deep_programs_on_a_small_stack():
    nested = "(sin " * 9_000 + "x" + ")" * 9_000
    found = []
    threading.stack_size(512 << 10)
    try:
        thread = threading.Thread(target=lambda: found.append(mlopt.parse(f"(def f ((x f64)) {nested})", "f.terms")))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(0)
    assert found[0].functions == ["f"]


def test_cache(tmp_path):
    for expected in ((0, 1), (1, 0)):
        session = mlopt.Session(tmp_path / "cache")
        assert session.parse("(def f ((x f64)) (* x x))", "f.terms")["f"](3.0) == 9.0
        assert session.cache_counts == expected
    assert mlopt.Session().cache_counts is None
    os.chmod(tmp_path / "cache", 0o755)
    with pytest.raises(mlopt.Error, match="must have mode 700") as caught:
        mlopt.Session(str(tmp_path / "cache"))
    assert caught.value.kind == "file"


def test_shown():
    module = mlopt.parse("func.func @f(%x: f64) -> i1 {\n  %z = arith.cmpf olt, %x, %x : f64\n  return %z : i1\n}")
    assert str(module) == module.text
    assert repr(module) == "<mlopt.Module with functions f>"


def test_explain():
    module = mlopt.parse("(def f ((x f64)) (- (* x 1.0) 0.0)) (def g ((x f64)) x)", "f.terms")
    steps = module.explain()
    assert steps and {step.function for step in steps} == {"f"}
    assert all(step.rule and step.law and step.before != step.after for step in steps)
    assert module.explain("g") == []
    with pytest.raises(mlopt.Error, match="there is no function `@h`"):
        module.explain("h")


def test_export_to_c(tmp_path):
    module = mlopt.parse("(def f ((x f64) (n i64)) (if (i= n 0) 1.0 (* x (f x (i- n 1)))))", "f.lambda")
    mlopt.grad(module["f"]).module.export_c(tmp_path, "power")
    assert (tmp_path / "power.o").read_bytes().startswith(b"\x7fELF")
    header = (tmp_path / "power.h").read_text()
    assert "grad_f" in header
    compiler = shutil.which("cc")
    if compiler:
        (tmp_path / "main.c").write_text('#include "power.h"\n')
        subprocess.run([compiler, "-fsyntax-only", tmp_path / "main.c"], check=True)
    with pytest.raises(mlopt.Error, match="No such file or directory"):
        module.export_c(tmp_path / "nothing")


def test_nothing_is_printed(capfd):
    for source in ("func.func @f(", "func.func @f() { return 1 }"):
        with pytest.raises(mlopt.Error):
            mlopt.parse(source)
    with pytest.raises(mlopt.Error):
        mlopt.parse("func.func @f() { return }").run("nothing")
    captured = capfd.readouterr()
    assert captured.out == captured.err == ""
