"""The font of the PDFs.

In: nothing but the files of the font_roboto wheel. Out: Roboto registered with reportlab under our names, text widths
in points, the code points it has glyphs for. Subsets are embedded, compressed by the compressor of the archives.
"""

from functools import cache
from importlib.resources import files
from typing import Any

import deflate
from reportlab.pdfbase import pdfdoc, pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from generator.evidence.zipping import LEVEL

REGULAR, BOLD = "ErpRoboto", "ErpRoboto-Bold"
_FILES = {REGULAR: "Roboto-Regular.ttf", BOLD: "Roboto-Bold.ttf"}


class Libdeflate:
    """A stream filter of reportlab's kind whose output does not depend on the zlib at hand."""

    pdfname = "FlateDecode"

    @staticmethod
    def encode(data: bytes | str) -> bytes:
        """zlib format."""
        raw = data.encode("latin-1") if isinstance(data, str) else data
        return bytes(deflate.zlib_compress(raw, LEVEL)) + b"\n"


class CompressedFont(TTFont):
    """A TrueType font whose embedded subset is compressed though the document's pages are not."""

    def addObjects(self, doc: Any) -> None:
        """Adds the subsets in use to the document, font files and character maps with our filter."""
        before = set(doc.idToObject)
        super().addObjects(doc)
        for key in doc.idToObject.keys() - before:
            added = doc.idToObject[key]
            if isinstance(added, pdfdoc.PDFStream):
                added.filters = [Libdeflate]


@cache
def faces() -> dict[str, Any]:
    """Font name to its face, registered on the first call."""
    folder = files("font_roboto") / "files"
    found = {}
    for name, file in _FILES.items():
        font = CompressedFont(name, str(folder / file), asciiReadable=True, shapable=False)
        pdfmetrics.registerFont(font)
        found[name] = font.face
    return found


@cache
def glyphs() -> frozenset[int]:
    """Code points that both faces can show."""
    return frozenset.intersection(*(frozenset(face.charToGlyph) for face in faces().values()))


def text_width(text: str, name: str, size: float) -> float:
    """Width in points."""
    face = faces()[name]
    known, missing = face.charWidths, face.defaultWidth
    return float(sum(known.get(ord(character), missing) for character in text)) * size * 0.001
