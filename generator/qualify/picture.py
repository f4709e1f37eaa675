"""Pictures of a task for documents: the request, gold beside each mistake, the criteria. In: a Case. Out: SVG files.

They are drawn with what every viewer has: rectangles and lines of text in its own fonts. Nothing is loaded.
"""

import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from generator.qualify.rules import differing
from generator.spec.case import Case
from generator.tasks.criteria import build_contract
from generator.tasks.room import build_request
from generator.tasks.terms import CANARY
from generator.tasks.view import plain

WIDTH = 1180
MARGIN = 24
LINE = 21
LETTER = 6.9
"""Width of an average letter of the text font in pixels, on the generous side."""
INK, FAINT, RED, RULE = "#1f2933", "#697586", "#b42318", "#d5dbe3"
COLOURS = {
    "discovery": "#dbe9f6",
    "calculation": "#dff1e1",
    "decision": "#fdeec9",
    "erp_state": "#f9dccf",
    "handoff": "#ece1f5",
    "readback": "#dcf0f1",
    "containment": "#eceff3",
}


@dataclass(frozen=True)
class Shape:
    """A line of text (its left end and baseline) or, with a height, a filled rectangle."""

    x: float
    y: float
    text: str = ""
    colour: str = INK
    bold: bool = False
    width: float = 0
    height: float = 0

    def svg(self) -> str:
        if self.height:
            size = f'width="{self.width:g}" height="{self.height:g}"'
            return f'<rect x="{self.x:g}" y="{self.y:g}" {size} fill="{self.colour}"/>'
        weight = ' font-weight="600"' if self.bold else ""
        return f'<text x="{self.x:g}" y="{self.y:g}" fill="{self.colour}"{weight}>{escape(self.text)}</text>'


def build_svg(title: str, shapes: Sequence[Shape]) -> str:
    """The page, as high as its content."""
    height = max(shape.y + shape.height for shape in shapes) + MARGIN
    font = 'font-family="-apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif" font-size="14"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" {font} role="img">'
    page = Shape(0, 0, colour="#ffffff", width=WIDTH, height=height)
    named = f"<title>{escape(title)}</title><desc>{escape(CANARY)}</desc>"
    return "\n".join([head, named, *(shape.svg() for shape in (page, *shapes)), "</svg>", ""])


def request_picture(case: Case) -> str:
    """The request as the agent reads it."""
    shapes, y = _title(f"{case.task_id}: the request")
    for paragraph in build_request(case).strip().split("\n\n"):
        text = " ".join(paragraph.replace("**", "").replace("`", "").split())
        for line in textwrap.wrap(text, int((WIDTH - 2 * MARGIN) / LETTER)):
            shapes.append(Shape(MARGIN, y, line, bold=paragraph.startswith("**")))
            y += LINE
        y += LINE / 2
    return build_svg(f"The request of {case.task_id}", shapes)


def outcomes_picture(case: Case) -> str:
    """The answers of gold and of every counterfactual; what differs from gold is red."""
    names = list(case.gold.answers)
    heads = ["what the worker does", *names, "option"]
    widths = [220, *[(WIDTH - 2 * MARGIN - 220 - 240) / len(names)] * len(names), 240]
    rows = [("the right thing", case.gold), *((wrong.name, wrong.outcome) for wrong in case.counterfactuals)]
    shapes, y = _title(f"{case.task_id}: gold, and where each mistake leads (red: differs from gold)")
    y = _row(shapes, y, widths, [(head.replace("_", " "), FAINT, False) for head in heads])
    for name, outcome in rows:
        moved = differing(case, outcome)
        shapes.append(Shape(MARGIN, y - LINE + 4, colour=RULE, width=WIDTH - 2 * MARGIN, height=1))
        answers = [(plain(value), RED if key in moved else INK, False) for key, value in outcome.answers.items()]
        option = (outcome.option.replace("_", " "), RED if outcome.option != case.gold.option else INK, False)
        y = _row(shapes, y, widths, [(name.replace("_", " "), INK, outcome is case.gold), *answers, option])
    return build_svg(f"Gold and mistakes of {case.task_id}", shapes)


def criteria_picture(case: Case) -> str:
    """The criteria with their points, a colour for each category."""
    criteria = build_contract(case, "0" * 64).criteria
    shapes, y = _title(f"{case.task_id}: {len(criteria)} criteria, {sum(c.points for c in criteria)} points")
    for criterion in criteria:
        lines = textwrap.wrap(criterion.description, int((WIDTH - 2 * MARGIN - 220) / LETTER))
        colour, height = COLOURS[criterion.category], LINE * len(lines)
        band = Shape(MARGIN, y - 15, colour=colour, width=WIDTH - 2 * MARGIN, height=height)
        cells = ((34, str(criterion.n)), (70, criterion.category.replace("_", " ")), (176, str(criterion.points)))
        shapes += [band, *(Shape(x, y, text, FAINT) for x, text in cells)]
        shapes += [Shape(208, y + LINE * place, line) for place, line in enumerate(lines)]
        y += height + 2
    return build_svg(f"Criteria of {case.task_id}", shapes)


PICTURES: dict[str, Callable[[Case], str]] = {
    "request": request_picture,
    "outcomes": outcomes_picture,
    "criteria": criteria_picture,
}


def write_pictures(case: Case, folder: Path) -> list[Path]:
    """One file a picture: <task>-<picture>.svg."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {folder / f"{case.task_id}-{name}.svg": draw for name, draw in PICTURES.items()}
    for path, draw in paths.items():
        path.write_text(draw(case), encoding="utf-8")
    return list(paths)


def _title(text: str) -> tuple[list[Shape], float]:
    return [Shape(MARGIN, MARGIN + 8, text, FAINT, bold=True)], MARGIN + 8 + 1.8 * LINE


def _row(shapes: list[Shape], y: float, widths: Sequence[float], cells: Iterable[tuple[str, str, bool]]) -> float:
    """Cells of one row, wrapped to their columns; returns where the next row begins."""
    x, deepest = float(MARGIN), 1
    for width, (text, colour, bold) in zip(widths, cells, strict=True):
        lines = textwrap.wrap(text, max(6, int(width / LETTER)))
        shapes += [Shape(x, y + LINE * place, line, colour, bold) for place, line in enumerate(lines)]
        x, deepest = x + width, max(deepest, len(lines))
    return y + LINE * deepest + 6
