"""CSV exports.

In: a Csv body and the office's style. Out: UTF-8 bytes, a header line and a line per row, ended by \\n, quoted only
where needed; numbers with their column's decimals and no grouping, dates in the office's form, flags true and false.
"""

import csv
import io

from generator.evidence.characters import check_characters
from generator.evidence.model import Csv, Document, Style
from generator.evidence.values import shown


def csv_bytes(document: Document, body: Csv, style: Style) -> bytes:
    """The export. Raises EvidenceError for a ragged row or a control character."""
    check_characters(document, style)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=style.csv_delimiter, lineterminator="\n")
    columns = body.table.columns
    writer.writerow(column.header for column in columns)
    for row in body.table.rows:
        writer.writerow(shown(cell, column, style, "csv") for cell, column in zip(row, columns, strict=True))
    return out.getvalue().encode()
