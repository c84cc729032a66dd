"""The examples of docs/python.md, in one namespace."""

import pathlib
import re

PAGE = pathlib.Path(__file__).parents[3] / "docs" / "python.md"


def test_examples():
    text = PAGE.read_text()
    blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    assert len(blocks) >= 7
    namespace = {}
    for block in blocks:
        # Positions in messages are those of the page.
        lines = text[: block.start(1)].count("\n")
        exec(compile("\n" * lines + block[1], str(PAGE), "exec"), namespace)
