"""A document in, its bytes and its text out: one entry to all writers."""

import hashlib

from generator.evidence.delimited import csv_bytes
from generator.evidence.docx import docx_bytes
from generator.evidence.markdown import markdown_bytes
from generator.evidence.messages import eml_bytes, log_bytes
from generator.evidence.model import (
    Csv,
    Document,
    Form,
    JsonData,
    Log,
    Mail,
    Rendered,
    Spreadsheet,
    Style,
    Text,
    YamlData,
)
from generator.evidence.pdf import pdf_bytes
from generator.evidence.structured import json_bytes, yaml_bytes
from generator.evidence.text import text_of
from generator.evidence.xlsx import xlsx_bytes
from generator.spec.errors import EvidenceError


def data_of(document: Document, style: Style) -> bytes:
    """The file. Raises EvidenceError when the name's suffix and the body do not belong together."""
    suffix = document.name.rpartition(".")[2]
    match suffix, document.body:
        case "xlsx", Spreadsheet() as body:
            return xlsx_bytes(document, body, style)
        case "csv", Csv() as body:
            return csv_bytes(document, body, style)
        case "pdf", Form() as body:
            return pdf_bytes(document, body, style)
        case "docx", Text() as body:
            return docx_bytes(document, body, style)
        case "md", Text() as body:
            return markdown_bytes(document, body, style)
        case "json", JsonData() as body:
            return json_bytes(document, body)
        case "yaml", YamlData() as body:
            return yaml_bytes(document, body)
        case "eml", Mail() as body:
            return eml_bytes(document, body)
        case "log", Log() as body:
            return log_bytes(document, body)
    kind = type(document.body).__name__
    raise EvidenceError(f"{document.name}: expected a body that fits the suffix .{suffix}, came {kind}")


def render(document: Document, style: Style) -> Rendered:
    """Bytes, text and digest; the same for the same document and style, wherever and whenever.

    Raises EvidenceError when the format cannot hold what the document says.
    """
    data = data_of(document, style)
    return Rendered(document, data, text_of(document, style, data), hashlib.sha256(data).hexdigest())
