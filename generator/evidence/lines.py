"""Running text on a PDF page.

In: a text, a font and a width. Out: the lines it makes, and a flowable that draws them and may break between pages.
A line that ends within a paragraph keeps its space, and one that ends within a word a zero-width space, as a reader of
the file's text needs both to put the paragraph together again.
"""

from dataclasses import dataclass, replace

from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

from generator.evidence.fonts import BOLD, REGULAR, text_width

BREAK = "\u200b"
"""Ends a line that is broken within a word."""
EMPTY = "\u2002"
"""Stands for an empty value beside its label."""


def wrap(text: str, width: float, font: str, size: float) -> list[str]:
    """The lines of a text in a width. Words wider than that are broken; nothing is dropped."""
    lines: list[str] = []
    for part in text.split("\n"):
        lines.extend(_wrap_line(part, width, font, size))
    inner = [f"{line} " if line and not line.endswith((BREAK, " ")) else line for line in lines[:-1]]
    return [*inner, lines[-1].rstrip(" ")]


def _wrap_line(text: str, width: float, font: str, size: float) -> list[str]:
    if text_width(text, font, size) <= width:
        return [text]
    space = text_width(" ", font, size)
    lines, current, used = [], "", 0.0
    for word in text.split(" "):
        room = text_width(word, font, size)
        if current and used + space + room > width:
            lines.append(f"{current} ")
            current, used = "", 0.0
        while room > width:
            cut = _fitting(word, width, font, size)
            lines.append(word[:cut] + BREAK)
            word = word[cut:]
            room = text_width(word, font, size)
        used = used + space + room if current else room
        current = f"{current} {word}" if current else word
    return [*lines, current]


def _fitting(word: str, width: float, font: str, size: float) -> int:
    """How many characters of the word go into the width, at least one."""
    used = 0.0
    for count, character in enumerate(word):
        used += text_width(character, font, size)
        if used > width:
            return max(count, 1)
    return len(word)


@dataclass(frozen=True)
class Setting:
    """How a text is set: face and size, leading, indent of all lines, space before and after, all in points."""

    size: float = 9.5
    font: str = REGULAR
    leading: float = 13.0
    indent: float = 0.0
    before: float = 0.0
    after: float = 6.0
    ink: tuple[float, float, float] = (0.12, 0.14, 0.17)


INK = (0.184, 0.294, 0.4)
GREY = (0.35, 0.39, 0.43)
BODY = Setting()
COMPANY = Setting(size=15, font=BOLD, leading=19, after=1, ink=INK)
ADDRESS = Setting(size=8.5, leading=11.5, after=0, ink=GREY)
TITLE = Setting(size=16, font=BOLD, leading=20, before=16, after=10, ink=INK)
HEADING = Setting(size=11.5, font=BOLD, leading=15, before=9, after=4, ink=INK)
ITEM = Setting(indent=16, after=3)


class Lines(Flowable):
    """A text with an optional label in front of its first line (a bullet, a number, a field's name)."""

    def __init__(self, text: str, setting: Setting = BODY, label: str = "", label_font: str = REGULAR) -> None:
        super().__init__()
        self.text, self.setting, self.label, self.label_font = text, setting, label, label_font
        self.lines: list[str] = []
        self.spaceBefore, self.spaceAfter = setting.before, setting.after

    def wrap(self, aW: float, aH: float) -> tuple[float, float]:
        """Sets the lines for the width at hand."""
        setting = self.setting
        if not self.lines:
            self.lines = wrap(self.text or EMPTY, aW - setting.indent, setting.font, setting.size)
        self.width, self.height = aW, len(self.lines) * setting.leading
        return self.width, self.height

    def split(self, aW: float, aH: float) -> list[Flowable]:
        """As many lines as fit, then the rest."""
        fitting = int(aH // self.setting.leading)
        if not 0 < fitting < len(self.lines):
            return [] if fitting <= 0 else [self]
        first = Lines(self.text, replace(self.setting, after=0), self.label, self.label_font)
        rest = Lines(self.text, replace(self.setting, before=0), "", self.label_font)
        first.lines, rest.lines = self.lines[:fitting], self.lines[fitting:]
        return [first, rest]

    def draw(self) -> None:
        """Draws label and lines, top down."""
        canvas: Canvas = self.canv
        setting = self.setting
        canvas.setFillColorRGB(*setting.ink)
        y = self.height - setting.size
        if self.label:
            canvas.setFont(self.label_font, setting.size)
            canvas.drawString(0, y, self.label)
        canvas.setFont(setting.font, setting.size)
        for line in self.lines:
            canvas.drawString(setting.indent, y, line)
            y -= setting.leading
