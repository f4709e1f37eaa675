"""The distribution of scores as a picture: one row a kind, a disc at each score, its area by how often it came.

In: scores by kind. Out: SVG text, the same for the same scores.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from math import sqrt

from generator.qualify.verdicts import BOUNDS

LEFT, WIDTH, ROW, TOP, BOTTOM, RIGHT = 190, 620, 26, 34, 40, 30
LARGEST = 11.0
INK, SOFT, DISC, LIMIT = "#1f2933", "#d5dbe1", "#2f6f9f", "#b3261e"


def score_chart(scores: Mapping[str, Sequence[int]]) -> str:
    """Rows in the mapping's order, from 0 to 100; a red stroke marks the most that a kind may score."""
    height = TOP + ROW * len(scores) + BOTTOM
    total = LEFT + WIDTH + RIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {height}" width="{total}" height="{height}"'
        f' font-family="sans-serif" font-size="12" fill="{INK}">',
        "<title>Scores of each kind of episode</title>",
        f'<rect width="{total}" height="{height}" fill="#ffffff"/>',
    ]
    bottom = TOP + ROW * len(scores)
    for tick in range(0, 101, 10):
        parts.append(f'<line x1="{_x(tick)}" y1="{TOP}" x2="{_x(tick)}" y2="{bottom}" stroke="{SOFT}"/>')
        parts.append(f'<text x="{_x(tick)}" y="{bottom + 18}" text-anchor="middle">{tick}</text>')
    parts.append(f'<text x="{_x(50)}" y="{bottom + 34}" text-anchor="middle">points of 100</text>')
    for number, (kind, values) in enumerate(scores.items()):
        parts += _row(kind, values, TOP + ROW * number + ROW // 2)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row(kind: str, values: Sequence[int], y: int) -> list[str]:
    parts = [f'<text x="{LEFT - 14}" y="{y + 4}" text-anchor="end">{escape(kind)}</text>']
    most = max(Counter(values).values(), default=1)
    for score, count in sorted(Counter(values).items()):
        radius = max(2.0, LARGEST * sqrt(count / most))
        told = f"{escape(kind)}: {count} at {score}"
        parts.append(
            f'<circle cx="{_x(score)}" cy="{y}" r="{radius:.1f}" fill="{DISC}" fill-opacity="0.75">'
            f"<title>{told}</title></circle>"
        )
    if kind in BOUNDS:
        x = _x(BOUNDS[kind])
        parts.append(f'<line x1="{x}" y1="{y - 11}" x2="{x}" y2="{y + 11}" stroke="{LIMIT}" stroke-width="2"/>')
    return parts


def _x(score: int) -> str:
    return f"{LEFT + WIDTH * score / 100:.1f}"
