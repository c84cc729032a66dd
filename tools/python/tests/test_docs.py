"""The examples of pages: docs/python.md and the tutorials in Python, each in one namespace."""

import contextlib
import io
import os
import pathlib
import re
import subprocess
import sys

import pytest

DOCS = pathlib.Path(__file__).parents[3] / "docs"
PAGES = ["python.md", "tutorial/a-fit-in-python.md", "tutorial/training-in-jax.md"]


def run(command, folder):
    """Returns the output of a command, with this Python and a cache of its own."""
    environment = {k: v for k, v in os.environ.items() if k not in ("MLOPT_PJRT_LIBRARY", "PYTHONPATH")}
    environment["PATH"] = f"{pathlib.Path(sys.executable).parent}:{environment['PATH']}"
    environment["MLOPT_CACHE_DIR"] = str(folder / "cache")
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("page", PAGES)
def test_examples(page, tmp_path, monkeypatch):
    """Runs `python` blocks, compares what they print with `text` blocks right after them, saves blocks with the name of
    a file, and runs the lines of `text` blocks that begin with `$`.
    """
    text = (DOCS / page).read_text()
    monkeypatch.chdir(tmp_path)
    blocks = list(re.finditer(r"^```([^\n]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    namespace, compared = {}, 0
    printed, end = "", -1
    for block in blocks:
        language, _, name = block[1].partition(" ")
        if name:
            (tmp_path / name).write_text(block[2])
        elif language == "python":
            # Positions in messages are those of the page.
            lines = text[: block.start(2)].count("\n")
            with contextlib.redirect_stdout(io.StringIO()) as output:
                exec(compile("\n" * lines + block[2], str(DOCS / page), "exec"), namespace)
            printed, end = output.getvalue(), block.end()
        elif language == "text" and block[2].startswith("$ "):
            for command, expected in re.findall(r"^\$ ([^\n]*)\n((?:(?!\$ )[^\n]*\n)*)", block[2], re.MULTILINE):
                assert run(command, tmp_path) == expected, command
                compared += 1
        elif language == "text" and text[end : block.start()].isspace():
            assert printed == block[2]
            compared += 1
    assert len(blocks) >= 7
    assert compared >= 5 or page == "python.md"
