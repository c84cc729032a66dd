"""Display in notebooks: programs with colours, steps of the optimiser, and drawings."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, SupportsIndex, overload

if TYPE_CHECKING:
    from ._mlopt import Step

#: The maximum numbers of lines of a program, of characters of a line, and of steps.
LINES, COLUMNS, STEPS = 400, 400, 100

#: Colours of medium lightness, which are legible on white and on black.
COLOURS = {"comment": "#7c7c7c", "string": "#b96a30", "symbol": "#a862d3", "type": "#0f8a80", "op": "#3f7fd8"}

#: The parts of a program in MLIR. Parts of the group `other` have no colour, and contain nothing that has one.
_PARTS = re.compile(
    r"""
    (?P<comment>//.*)
  | (?P<string>"(?:[^"\\\n]|\\.)*(?:"|$))
  | (?P<symbol>@[\w.$-]+)
  | (?P<other>[%#^][\w.$-]+)
  | (?P<type>![\w.]+
            | \b(?:tensor|vector|memref)<[^<>\n]*(?:<[^<>\n]*>[^<>\n]*)*>
            | \b(?:index|none|bf16|f\d+|[su]?i\d+)\b)
  | (?P<op>\b[a-z_]\w*(?:\.[a-z_]\w*)+ | \b(?:module|return)\b)
    """,
    re.VERBOSE | re.MULTILINE,
)

_PRE = "margin:0;line-height:1.3;overflow-x:auto;background:transparent;color:inherit"


def _coloured(text: str) -> str:
    parts, end = [], 0
    for found in _PARTS.finditer(text):
        parts.append(html.escape(text[end : found.start()]))
        colour = COLOURS.get(found.lastgroup or "")
        shown = html.escape(found.group())
        parts.append(f'<span style="color:{colour}">{shown}</span>' if colour else shown)
        end = found.end()
    return "".join(parts) + html.escape(text[end:])


def _cut(line: str) -> str:
    return line if len(line) <= COLUMNS else f"{line[:COLUMNS]}…"


def program(text: str) -> str:
    """Returns a program as a part of a page: its first lines, and the number of the other ones."""
    lines = text.rstrip("\n").split("\n", LINES)
    others = lines.pop().count("\n") + 1 if len(lines) > LINES else 0
    shown = f'<pre style="{_PRE}">{_coloured(chr(10).join(map(_cut, lines)))}</pre>'
    return shown + (f"<div><em>{others} more lines</em></div>" if others else "")


class Steps(list["Step"]):
    """The steps of the optimiser, in their order."""

    @overload
    def __getitem__(self, key: SupportsIndex, /) -> Step: ...
    @overload
    def __getitem__(self, key: slice, /) -> Steps: ...
    def __getitem__(self, key: SupportsIndex | slice, /) -> Step | Steps:
        return Steps(super().__getitem__(key)) if isinstance(key, slice) else super().__getitem__(key)

    def _repr_html_(self) -> str:
        """The steps as a part of a page: the first ones, and the number of the other ones."""
        others = len(self) - STEPS
        shown = "".join(map(_step, self[:STEPS])) or "<li style='list-style:none'>no steps</li>"
        more = f"<div><em>{others} more steps</em></div>" if others > 0 else ""
        return f'<ol style="text-align:left">{shown}</ol>{more}'


def _step(step: Step) -> str:
    backward = "" if step.forward else " <em>from right to left</em>"
    when = f"<br>when <code>{html.escape(step.when)}</code>" if step.when else ""
    code = (("before", step.before), ("after", step.after))
    cells = "".join(
        f'<div style="flex:1 1 20em;min-width:0"><em>{title}</em>{program(text)}</div>' for title, text in code
    )
    return (
        f'<li style="margin-bottom:1em"><b>{html.escape(step.rule)}</b> in @{html.escape(step.function)}'
        f"<br>law <code>{html.escape(step.law)}</code>{backward}{when}"
        f'<div style="display:flex;flex-wrap:wrap;gap:0 2em">{cells}</div></li>'
    )


@dataclass(frozen=True)
class Drawing:
    """A picture as SVG, with messages about the parts that are not drawn."""

    svg: str
    omissions: list[str]

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<mlopt.Drawing of {len(self.svg)} characters>"
