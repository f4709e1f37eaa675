"""Word documents.

In: a document whose body is a Text. Out: docx bytes: title, headings, paragraphs, lists that restart at one, tables
with a repeated header, page numbers as fields. python-docx writes, the archive is packed anew.
"""

import io
from typing import Any
from xml.sax.saxutils import escape

import docx
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Mm, Pt, RGBColor
from docx.text.paragraph import Paragraph as DocxParagraph

from generator.evidence.characters import check_characters
from generator.evidence.columns import fit, texts_of
from generator.evidence.model import Block, Bullets, Document, Heading, Pairs, Paragraph, Style, Table, Text
from generator.evidence.values import utc
from generator.evidence.zipping import repack

_FACE = "Arial"
_INK = "2F4B66"
_TABLE_SIZES = (9.5, 9.0, 8.5, 8.0, 7.5, 7.0)
_PAD = 4.0
_WIDER = 1.12
"""Room that Arial takes where our measuring face takes 1, for the letters that differ most."""
_PAPER_MM = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}
_LIST_STYLES = {True: "List Number", False: "List Bullet"}


def set_fonts(word: Any) -> None:
    """One face for all styles; headings in the office's ink."""
    for name, size in (("Normal", 10), ("Title", 20), ("Heading 1", 13)):
        style = word.styles[name]
        style.font.name, style.font.size = _FACE, Pt(size)
        # Theme fonts would win over the name.
        fonts = style.element.rPr.rFonts
        for attribute in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
            fonts.attrib.pop(qn(f"w:{attribute}"), None)
        if name != "Normal":
            style.font.color.rgb = RGBColor.from_string(_INK)
    word.styles["Normal"].paragraph_format.space_after = Pt(6)
    word.styles["Heading 1"].paragraph_format.space_before = Pt(14)
    word.styles["Heading 1"].paragraph_format.space_after = Pt(4)


def set_page(word: Any, style: Style) -> float:
    """Paper and margins; returns the width of the text in points."""
    width, height = _PAPER_MM[style.paper]
    section = word.sections[0]
    section.page_width, section.page_height = Mm(width), Mm(height)
    section.left_margin = section.right_margin = Mm(22)
    section.top_margin, section.bottom_margin = Mm(22), Mm(20)
    return float(section.page_width.pt - section.left_margin.pt - section.right_margin.pt)


def set_properties(word: Any, document: Document, title: str) -> None:
    """The file's properties, without a trace of the library's template."""
    moment = utc(document, document.modified).replace(tzinfo=None, microsecond=0)
    core = word.core_properties
    core.author = core.last_modified_by = document.author
    core.created = core.modified = moment
    core.title, core.comments, core.subject, core.keywords = title, "", "", ""
    core.revision = max(document.version, 1)
    # The template's thumbnail is a picture of an empty page.
    package_rels = word.part.package.rels
    for key in [k for k, rel in package_rels.items() if rel.reltype == RELATIONSHIP_TYPE.THUMBNAIL]:
        del package_rels[key]


def add_field(paragraph: DocxParagraph, code: str) -> None:
    """A field, e.g. PAGE, that Word works out when it lays out the page."""
    for kind, text in (("begin", ""), ("", code), ("separate", ""), ("shown", "1"), ("end", "")):
        run = paragraph.add_run(text if kind == "shown" else "")
        if kind in ("begin", "separate", "end"):
            mark = OxmlElement("w:fldChar")
            mark.set(qn("w:fldCharType"), kind)
            run._r.append(mark)
        elif not kind:
            instruction = OxmlElement("w:instrText")
            instruction.text = f" {text} "
            run._r.append(instruction)


def set_footer(word: Any, title: str) -> None:
    """Title to the left, page x of y to the right."""
    section = word.sections[0]
    paragraph = section.footer.paragraphs[0]
    stops = paragraph.paragraph_format.tab_stops
    paragraph.style.paragraph_format.tab_stops.clear_all()
    stops.add_tab_stop(section.page_width - section.left_margin - section.right_margin, 2)
    paragraph.add_run(f"{title}\tPage ")
    add_field(paragraph, "PAGE")
    paragraph.add_run(" of ")
    add_field(paragraph, "NUMPAGES")
    for run in paragraph.runs:
        run.font.size, run.font.color.rgb = Pt(8.5), RGBColor(0x59, 0x63, 0x6E)


def add_bullets(word: Any, block: Bullets) -> None:
    """A list; a numbered one begins at one whatever came before it."""
    style = word.styles[_LIST_STYLES[block.numbered]]
    numbering = None
    if block.numbered:
        root = word.part.numbering_part.element
        base = style.element.pPr.numPr.numId.val
        abstract = next(num for num in root.num_lst if num.numId == base).abstractNumId.val
        numbering = root.add_num(abstract)
        numbering.add_lvlOverride(ilvl=0).add_startOverride(1)
    for number, item in enumerate(block.items, 1):
        paragraph = word.add_paragraph(item, style)
        paragraph.paragraph_format.space_after = Pt(6 if number == len(block.items) else 3)
        if numbering is not None:
            properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()
            properties.get_or_add_ilvl().val = 0
            properties.get_or_add_numId().val = numbering.numId


def add_pairs(word: Any, block: Pairs) -> None:
    """Label, tab, value; long values hang under their own beginning."""
    indent = Mm(min(75.0, 8 + 2.3 * max(len(label) for label, _ in block.pairs))) if block.pairs else Mm(8)
    for label, value in block.pairs:
        paragraph = word.add_paragraph()
        form = paragraph.paragraph_format
        form.left_indent, form.first_line_indent, form.space_after = indent, -indent, Pt(2)
        form.tab_stops.add_tab_stop(indent)
        paragraph.add_run(f"{label}:").bold = True
        paragraph.add_run(f"\t{value}")


def cell_xml(text: str, width: float, size: float, right: bool, header: bool) -> str:
    """A cell of the grid. Written as XML, since a call of the library for each property costs a tenth of a second a
    table. Width and type size in points."""
    run = f'<w:sz w:val="{round(size * 2)}"/><w:szCs w:val="{round(size * 2)}"/>'
    shade = f'<w:shd w:val="clear" w:color="auto" w:fill="{_INK}"/>' if header else ""
    face = f'<w:b/><w:color w:val="FFFFFF"/>{run}' if header else run
    lines = "<w:br/>".join(f'<w:t xml:space="preserve">{escape(line)}</w:t>' for line in text.split("\n"))
    return (
        f'<w:tc><w:tcPr><w:tcW w:w="{round(width * 20)}" w:type="dxa"/>{shade}</w:tcPr><w:p><w:pPr>'
        f'<w:spacing w:before="40" w:after="40" w:line="240" w:lineRule="auto"/>'
        f'{"<w:jc w:val='right'/>" if right else ""}</w:pPr><w:r><w:rPr>{face}</w:rPr>{lines}</w:r></w:p></w:tc>'
    )


def table_xml(table: Table, style: Style, room: float) -> str:
    """A grid whose header is repeated on each page and whose rows stay whole."""
    texts = texts_of(table, style)
    size, narrow = fit(texts, room / _WIDER, _TABLE_SIZES, _PAD)
    widths = [width * _WIDER for width in narrow]
    rows = []
    for number, row in enumerate((texts.header, *texts.rows)):
        header = number == 0
        cells = zip(row, widths, texts.right, strict=True)
        made = "".join(cell_xml(text, width, size, right, header) for text, width, right in cells)
        rows.append(f"<w:tr><w:trPr><w:cantSplit/>{'<w:tblHeader/>' if header else ''}</w:trPr>{made}</w:tr>")
    sides = "".join(
        f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="BFC9D3"/>'
        for side in ("top", "left", "bottom", "right", "insideH", "insideV")
    )
    columns = "".join(f'<w:gridCol w:w="{round(width * 20)}"/>' for width in widths)
    margins = "".join(f'<w:{side} w:w="{round(_PAD * 20)}" w:type="dxa"/>' for side in ("left", "right"))
    return (
        f'<w:tbl {nsdecls("w")}><w:tblPr><w:tblStyle w:val="TableGrid"/>'
        f'<w:tblW w:w="{round(sum(widths) * 20)}" w:type="dxa"/><w:tblBorders>{sides}</w:tblBorders>'
        f'<w:tblLayout w:type="fixed"/><w:tblCellMar>{margins}</w:tblCellMar></w:tblPr>'
        f"<w:tblGrid>{columns}</w:tblGrid>{''.join(rows)}</w:tbl>"
    )


def add_table(word: Any, table: Table, style: Style, room: float) -> None:
    """The table, then an empty line, which Word needs between two tables."""
    spacer = word.add_paragraph()
    spacer.paragraph_format.space_after = Pt(4)
    spacer._p.addprevious(parse_xml(table_xml(table, style, room)))


def add_block(word: Any, block: Block, style: Style, room: float) -> None:
    """One block at the end of the document."""
    match block:
        case Heading(text):
            word.add_paragraph(text, word.styles["Heading 1"])
        case Paragraph(text):
            word.add_paragraph(text)
        case Bullets():
            add_bullets(word, block)
        case Pairs():
            add_pairs(word, block)
        case Table():
            add_table(word, block, style, room)


def docx_bytes(document: Document, body: Text, style: Style) -> bytes:
    """The Word file. Raises EvidenceError for a ragged row or a control character."""
    check_characters(document, style)
    word = docx.Document()
    set_fonts(word)
    room = set_page(word, style)
    set_properties(word, document, body.title)
    set_footer(word, body.title)
    word.add_paragraph(body.title, word.styles["Title"])
    for block in body.blocks:
        add_block(word, block, style, room)
    stored = io.BytesIO()
    word.save(stored)
    return repack(stored.getvalue())
