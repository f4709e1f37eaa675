"""LibreOffice opens what we write: its PDF of each workbook and Word file holds the values.

Needs soffice (Debian: libreoffice-calc, libreoffice-writer); CI installs it.
"""

import shutil
import subprocess
from pathlib import Path

import pytest
from pypdf import PdfReader

from generator.evidence.model import Document, Sheet, Spreadsheet, Text
from generator.evidence.render import render
from tests.test_evidence_sample import ORDER, PEOPLE, POLICY_BLOCKS, POLISH, SHIFT, STOCK, document, sample

pytestmark = pytest.mark.skipif(
    shutil.which("soffice") is None,
    reason="needs soffice on the path: install libreoffice-calc and libreoffice-writer",
)
FILES: tuple[Document, ...] = (
    sample("order.xlsx"),
    document("shift.xlsx", Spreadsheet((Sheet("Night shift", SHIFT),))),
    sample("policy.docx"),
    document("short.docx", Text("Short policy", POLICY_BLOCKS[:3])),
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """File name to the text of LibreOffice's PDF of it, white space taken out. One batch: starting it takes seconds."""
    folder = tmp_path_factory.mktemp("office")
    for item in FILES:
        (folder / item.name).write_bytes(render(item, POLISH).data)
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    for suffix in ("xlsx", "docx"):
        files = [str(folder / item.name) for item in FILES if item.format == suffix]
        command = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", str(folder / suffix), *files]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
    return {item.name: _text(folder / item.format / f"{item.name.rsplit('.', 1)[0]}.pdf") for item in FILES}


def _text(path: Path) -> str:
    return "".join("".join(page.extract_text() for page in PdfReader(path).pages).split())


def test_workbook_shows_its_values(pages: dict[str, str]) -> None:
    text = pages["order.xlsx"]
    for value in ("CA-PO-77310", "M8x40hexbolt,zinc", "1,200", "0.89", "1.40", "473.00", "20.02.2026", "0042"):
        assert value in text
    assert '=SUM(A1:A2)is"text"' in text
    for number in range(1, 61):
        assert f"PRT-{1000 + number}" in text
    assert "Page1of" in text
    assert ORDER.columns[5].header.replace(" ", "") in text


def test_moments_flags_and_hours(pages: dict[str, str]) -> None:
    for value in ("08.02.202622:00", "09.02.202605:04:30Z", "TRUE", "FALSE", "7.5", "ÅseBjørnstad"):
        assert value in pages["shift.xlsx"]


def test_word_file_shows_its_values(pages: dict[str, str]) -> None:
    text = pages["policy.docx"]
    for name in PEOPLE:
        assert name.replace(" ", "") in text
    for value in ("180.000,00", "28,24%", "15.01.2026", "2.757,60", "PRT-1060", "74.074,20", "7,50%"):
        assert value in text
    assert "Page2of" in text
    assert len(STOCK.rows) == sum(text.count(f"PRT-{1000 + number}") for number in range(1, 61))


def test_short_policy_is_one_page(pages: dict[str, str]) -> None:
    assert "Page1of1" in pages["short.docx"]
    assert "1.Rules" in pages["short.docx"]
