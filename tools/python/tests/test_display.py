"""Display in notebooks."""

import html
import html.parser
import re
import types
import xml.etree.ElementTree

import mlopt
import mlopt._display as display
import pytest

PROGRAM = """
// A comment with <tags> & "quotes".
func.func @f(%x: tensor<?xf64>, %i: i1) -> f64 {
  %n = array.length %x : tensor<?xf64>
  array.check %i, "too-<small>", "a <b> & c // d"
  %z = array.sum %x : (tensor<?xf64>) -> f64
  return %z : f64
}
"""


class Reader(html.parser.HTMLParser):
    """Collects the text of a page, and the text of each colour; checks that elements are closed."""

    def __init__(self, page):
        super().__init__()
        self.open, self.text, self.coloured = [], "", {}
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        if tag != "br":
            self.open.append((tag, dict(attributes).get("style", "")))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, text):
        self.text += text
        if self.open and self.open[-1][0] == "span":
            colour = self.open[-1][1].removeprefix("color:")
            kind = next(kind for kind, known in display.COLOURS.items() if known == colour)
            self.coloured.setdefault(kind, []).append(text)


def test_programs_have_colours():
    found = Reader(display.program(PROGRAM))
    assert found.text == PROGRAM.rstrip("\n")
    assert found.coloured == {
        "comment": ['// A comment with <tags> & "quotes".'],
        "op": ["func.func", "array.length", "array.check", "array.sum", "return"],
        "symbol": ["@f"],
        "type": ["tensor<?xf64>", "i1", "f64", "tensor<?xf64>", "tensor<?xf64>", "f64", "f64"],
        "string": ['"too-<small>"', '"a <b> & c // d"'],
    }
    module = mlopt.parse(PROGRAM)
    assert Reader(module._repr_html_()).text == module.text.rstrip("\n")


def test_colours_are_legible_in_light_and_dark_themes():
    def luminance(colour):
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [x / 12.92 if x <= 0.04 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for background in ("#ffffff", "#111111", "#1e1e1e"):
        for colour in display.COLOURS.values():
            low, high = sorted((luminance(background), luminance(colour)))
            assert (high + 0.05) / (low + 0.05) > 3.9


def test_long_programs_are_cut():
    lines = [f"  %{k} = arith.addf %x, %x : f64" for k in range(display.LINES + 7)]
    found = Reader(display.program("\n".join(lines) + "\n"))
    assert found.text == "\n".join(lines[: display.LINES]) + "7 more lines"
    assert "more lines" not in display.program("\n".join(lines[: display.LINES]) + "\n")
    line = '  %c = arith.constant dense<"0x' + 100_000 * "F" + '"> : tensor<50000xi8>'
    found = Reader(display.program(line))
    assert found.text == line[: display.COLUMNS] + "…"
    assert found.coloured["string"] == [line[line.index('"') : display.COLUMNS] + "…"]


def test_steps():
    module = mlopt.parse("(def f ((x f64)) (- (* x 1.0) 0.0)) (def g ((x f64)) x)", "f.terms")
    steps = module.explain()
    assert isinstance(steps, list) and isinstance(steps, mlopt.Steps)
    assert steps == list(steps) and len(steps) >= 2 and len(list(steps)) == len(steps)
    assert isinstance(steps[:1], mlopt.Steps) and steps[:1][0] is steps[0] and steps[-1] in steps
    found = Reader(steps._repr_html_())
    for step in steps:
        for text in (step.rule, step.law, step.before.rstrip("\n"), step.after.rstrip("\n")):
            assert text in found.text
    assert steps._repr_html_().count("<li ") == len(steps)
    assert Reader(module.explain("g")._repr_html_()).text == "no steps"
    many = mlopt.Steps(display.STEPS * list(steps))
    page = many._repr_html_()
    assert page.count("<li ") == display.STEPS
    assert f"{len(many) - display.STEPS} more steps" in page


def test_steps_from_right_to_left_say_so():
    (step, *_) = mlopt.parse("(def f ((x f64)) (* x 1.0))", "f.terms").explain()
    assert step.forward
    fields = {name: getattr(step, name) for name in ("function", "rule", "law", "when", "before", "after")}
    backward = types.SimpleNamespace(**fields, forward=False)
    assert "from right to left" not in mlopt.Steps([step])._repr_html_()
    assert "from right to left" in Reader(mlopt.Steps([backward])._repr_html_()).text


def drawn(drawing):
    """Returns the texts of the boxes of a drawing."""
    root = xml.etree.ElementTree.fromstring(drawing.svg)
    assert drawing._repr_svg_() == drawing.svg
    boxes = root.iter("{http://www.w3.org/2000/svg}g")
    texts = [[text.text for text in box.iter("{http://www.w3.org/2000/svg}text")] for box in boxes]
    return [text for text in texts if len(text) > 1 and len(text) < 4]


def test_dataflow_of_functions():
    module = mlopt.parse(PROGRAM + PROGRAM.replace("@f", "@g"))
    drawing = module.dataflow("f")
    assert ["z", "array.sum x", "f64"] in drawn(drawing)
    assert ["result 0", "z : f64"] in drawn(drawing)
    assert drawing.omissions == []
    assert drawing == module.dataflow("@f") != module.dataflow("g")
    assert all(f">@{name}</text>" in module.dataflow().svg for name in "fg")
    assert module.dataflow(limit=2).omissions == [
        "@f: 2 of 6 boxes are drawn within the limit, the results and the ops nearest to them",
        "1 of 2 functions are drawn within the limit",
    ]
    assert re.fullmatch(r"<mlopt.Drawing of \d+ characters>", repr(drawing))
    with pytest.raises(mlopt.Error, match="the program has no function `@ff` with a body"):
        module.dataflow("ff")


def test_dataflow_of_functions_from_their_source():
    function = mlopt.function(squares)
    lines = [line for box in drawn(function.module(3.0).dataflow()) for line in box]
    assert "lambda.prim mul x x" in lines


def squares(x):
    return x * x + 1.0


def test_dataflow_of_nodes():
    text = """
    stream.node @inner(%x: f64) -> (y: f64) {
      %y = arith.addf %x, %x : f64
      stream.yield %y : f64
    }
    stream.node @outer(%x: f64) -> (z: f64) {
      %z = stream.instance "i" @inner(%x) : (f64) -> f64
      stream.yield %z : f64
    }
    """
    module = mlopt.parse(text)
    before = module.text
    assert ">@outer</text>" in module.dataflow().svg
    assert ["y", "addf x x"] in drawn(module.dataflow("@inner"))
    assert module.text == before
