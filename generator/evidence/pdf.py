"""PDF forms.

In: a document whose body is a Form. Out: PDF bytes with letterhead, title, blocks and "Page x of y", the date of the
document as its own, text in an embedded font. Page contents are left plain; only the font subsets are compressed.
"""

import datetime as dt
import hashlib
import io
from collections.abc import Iterator
from typing import Any

from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.utils import TimeStamp
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import CondPageBreak, Flowable, HRFlowable, SimpleDocTemplate

from generator.evidence.characters import check_characters
from generator.evidence.fonts import BOLD, REGULAR, faces, glyphs, text_width
from generator.evidence.grid import grid
from generator.evidence.lines import ADDRESS, BODY, COMPANY, GREY, HEADING, INK, ITEM, TITLE, Lines, Setting
from generator.evidence.model import Block, Bullets, Document, Form, Heading, Pairs, Paragraph, Style, Table
from generator.evidence.values import utc

PAPER = {"A4": A4, "Letter": LETTER}
SIDE, TOP, BOTTOM = 48.0, 44.0, 54.0
FOOTER = 30.0
_FOOTER_SIZE = 7.5
_ROOM_BELOW_HEADING = 84.0


def stamp(moment: dt.datetime) -> TimeStamp:
    """The document's date in reportlab's form, whatever SOURCE_DATE_EPOCH says."""
    made: Any = TimeStamp(invariant=1)
    made.lt = moment.timetuple()
    made.t = int(moment.timestamp())
    made.YMDhms = tuple(made.lt)[:6]
    return made  # type: ignore[no-any-return]


class FormCanvas(Canvas):
    """Draws the footers once the number of pages is known, and carries the document's own date."""

    def __init__(self, *args: Any, moment: dt.datetime, footer: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self._pages: list[dict[str, Any]] = []
        self._footer = footer
        own: Any = vars(self)["_doc"]
        own._timeStamp = stamp(moment)
        # Begun anew, since reportlab has already put its own date into the digest that becomes the file's id.
        own.signature = hashlib.md5(f"{footer} {moment.isoformat()}".encode(), usedforsecurity=False)

    def showPage(self) -> None:
        """Keeps the page back until save."""
        self._pages.append(dict(self.__dict__))
        begin: Any = self
        begin._startPage()

    def save(self) -> None:
        """Draws each page's footer, then writes the file."""
        pages = self._pages
        for number, page in enumerate(pages, 1):
            self.__dict__.update(page)
            self._draw_footer(f"Page {number} of {len(pages)}")
            super().showPage()
        super().save()

    def _draw_footer(self, count: str) -> None:
        width = float(vars(self)["_pagesize"][0])
        self.saveState()
        self.setFont(REGULAR, _FOOTER_SIZE)
        self.setFillColorRGB(*GREY)
        room = width - 2 * SIDE - text_width(count, REGULAR, _FOOTER_SIZE) - 12
        if text_width(self._footer, REGULAR, _FOOTER_SIZE) <= room:
            self.drawString(SIDE, FOOTER, self._footer)
        self.drawRightString(width - SIDE, FOOTER, count)
        self.restoreState()


def pair_flowables(block: Pairs) -> Iterator[Flowable]:
    """Labels in bold, values beside them at one indent."""
    widest = max((text_width(f"{label}:", BOLD, BODY.size) for label, _ in block.pairs), default=0.0)
    last = len(block.pairs) - 1
    for number, (label, value) in enumerate(block.pairs):
        setting = Setting(indent=widest + 12, after=8 if number == last else 2)
        yield Lines(value, setting, f"{label}:", BOLD)


def block_flowables(block: Block, style: Style, room: float) -> Iterator[Flowable]:
    """One block as platypus takes it."""
    match block:
        case Heading(text):
            # Not kept with the next block by platypus, which would move a long table to a page of its own.
            yield CondPageBreak(_ROOM_BELOW_HEADING)
            yield Lines(text, HEADING)
        case Paragraph(text):
            yield Lines(text)
        case Bullets(items, numbered):
            for number, item in enumerate(items, 1):
                yield Lines(item, ITEM, f"{number}." if numbered else "•")
        case Pairs():
            yield from pair_flowables(block)
        case Table():
            yield grid(block, style, room)


def story(form: Form, style: Style, room: float) -> Iterator[Flowable]:
    """Letterhead with its rule, title, blocks."""
    for number, line in enumerate(form.letterhead):
        yield Lines(line, ADDRESS if number else COMPANY)
    if form.letterhead:
        yield HRFlowable(width="100%", thickness=1.2, color=INK, spaceBefore=6, spaceAfter=0)
    yield Lines(form.title, TITLE)
    for block in form.blocks:
        yield from block_flowables(block, style, room)


def pdf_bytes(document: Document, body: Form, style: Style) -> bytes:
    """The form. Raises EvidenceError for a ragged row or a character that the font lacks."""
    faces()
    check_characters(document, style, glyphs())
    moment = utc(document, document.modified)
    out = io.BytesIO()
    paper = PAPER[style.paper]
    company = body.letterhead[0] if body.letterhead else document.author
    template = SimpleDocTemplate(
        out,
        pagesize=paper,
        leftMargin=SIDE - 6,
        rightMargin=SIDE - 6,
        topMargin=TOP - 6,
        bottomMargin=BOTTOM - 6,
        title=body.title,
        author=document.author,
        creator=company,
        subject=document.name.rsplit(".", 1)[0],
        pageCompression=0,
        invariant=1,
        initialFontName=REGULAR,
    )

    def canvas(*args: Any, **options: Any) -> FormCanvas:
        footer = f"{company} · {body.title}"
        return FormCanvas(*args, moment=moment, footer=footer, **options)

    template.build(list(story(body, style, paper[0] - 2 * SIDE)), canvasmaker=canvas)
    return out.getvalue()
