"""LibreOffice turns every office file of the release into a PDF whose text holds the file's values.

Needs soffice (Debian: libreoffice-calc, libreoffice-writer); CI installs it.
"""

import datetime as dt
import shutil
import subprocess
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from pypdf import PdfReader

from generator.evidence.model import Bullets, Column, Heading, Pairs, Paragraph, Rendered, Spreadsheet, Table, Text
from generator.evidence.values import show_date
from generator.spec.tenant import Tenant
from generator.tasks.room import tenant_files
from generator.tenants.load import load_tenants

pytestmark = [
    pytest.mark.office,
    pytest.mark.skipif(
        shutil.which("soffice") is None,
        reason="needs soffice on the path: install libreoffice-calc and libreoffice-writer",
    ),
]
OFFICE = ("xlsx", "docx")


@pytest.fixture(scope="module")
def files() -> list[tuple[Tenant, Rendered]]:
    found = [(tenant, r) for tenant in load_tenants() for r in tenant_files(tenant) if r.document.format in OFFICE]
    assert len(found) == 10 * 8 - 10 + 2 * 4  # seven workbooks a tenant, two Word files in four offices
    return found


@pytest.fixture(scope="module")
def pages(files: list[tuple[Tenant, Rendered]], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Document id to the text of LibreOffice's PDF of it, white space taken out; one batch a format."""
    folder = tmp_path_factory.mktemp("office")
    for _, rendered in files:
        (folder / f"{rendered.document.id}.{rendered.document.format}").write_bytes(rendered.data)
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    for suffix in OFFICE:
        names = [str(path) for path in sorted(folder.glob(f"*.{suffix}"))]
        command = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", str(folder / "pdf"), *names]
        subprocess.run(command, check=True, capture_output=True, timeout=300)
    return {path.stem: _squeezed(_text(path)) for path in (folder / "pdf").iterdir()}


def _text(path: Path) -> str:
    return "".join(page.extract_text() for page in PdfReader(path).pages)


def _squeezed(text: str) -> str:
    return "".join(text.split())


def test_every_office_file_opens_and_shows_its_values(
    files: list[tuple[Tenant, Rendered]], pages: dict[str, str]
) -> None:
    missing = [
        f"{rendered.document.id}: {value!r}"
        for tenant, rendered in files
        for value in set(shown(tenant, rendered))
        if _squeezed(value) not in pages[rendered.document.id]
    ]
    assert missing == []


def shown(tenant: Tenant, rendered: Rendered) -> Iterator[str]:
    """The texts, whole numbers and dates that the page must show, as a reader would see them."""
    body = rendered.document.body
    if isinstance(body, Spreadsheet):
        for sheet in body.sheets:
            yield from _cells(tenant, sheet.table, grouped=True)
    elif isinstance(body, Text):
        yield body.title
        for block in body.blocks:
            if isinstance(block, Heading | Paragraph):
                yield block.text
            elif isinstance(block, Bullets):
                yield from block.items
            elif isinstance(block, Pairs):
                yield from (value for _, value in block.pairs)
            else:
                yield from _cells(tenant, block, grouped=False)


def _cells(tenant: Tenant, table: Table, *, grouped: bool) -> Iterator[str]:
    yield from (column.header for column in table.columns)
    for row in table.rows:
        for column, cell in zip(table.columns, row, strict=True):
            yield from _cell(tenant, column, cell, grouped)


def _cell(tenant: Tenant, column: Column, cell: object, grouped: bool) -> Iterator[str]:
    if isinstance(cell, str):
        yield cell
    elif isinstance(cell, dt.date) and not isinstance(cell, dt.datetime):
        yield show_date(cell, tenant.profile.habits.dates)
    elif isinstance(cell, int) and not isinstance(cell, bool) and grouped and column.kind == "integer":
        yield f"{cell:,}"
    elif isinstance(cell, Decimal) and grouped and column.kind == "money" and cell == round(cell, column.decimals):
        yield f"{cell:,.{column.decimals}f}"
