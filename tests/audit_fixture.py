"""Single changes in a copy of a rendered task, each made where a reader would find the figure."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import openpyxl

FILES = Path("environment", "seed", "files")
WORLD = Path("environment", "seed", "world.sqlite")
Change = Callable[[Path], None]


def in_text(file: str, old: str, new: str) -> Change:
    """In a csv, json or md file, where the text stands once."""

    def change(task: Path) -> None:
        path = task / FILES / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{file} has {old!r} {text.count(old)} times"
        path.write_text(text.replace(old, new), encoding="utf-8")

    return change


def in_workbook(file: str, sheet: str, cell: str, old: object, new: object) -> Change:
    """A cell that holds the old value."""

    def change(task: Path) -> None:
        path = task / FILES / file
        book = openpyxl.load_workbook(path)
        assert book[sheet][cell].value == old
        book[sheet][cell].value = new
        book.save(path)

    return change


def in_rules(file: str, old: str, new: str) -> Change:
    """In the one rule of a workbook's Rules sheet that has the old text."""

    def change(task: Path) -> None:
        path = task / FILES / file
        book = openpyxl.load_workbook(path)
        (cell,) = (row[1] for row in book["Rules"].iter_rows() if old in str(row[1].value))
        cell.value = str(cell.value).replace(old, new)
        book.save(path)

    return change


def in_mail(message: str, old: str, new: str) -> Change:
    """In a message whose id ends so."""

    def change(task: Path) -> None:
        with sqlite3.connect(task / WORLD) as connection:
            changed = connection.execute(
                "UPDATE mail SET body = replace(body, ?, ?) WHERE id LIKE '%' || ? AND instr(body, ?) > 0",
                (old, new, message, old),
            )
            assert changed.rowcount == 1, f"{changed.rowcount} messages {message} have {old!r}"

    return change


def in_world(statement: str, *values: object) -> Change:
    """A statement that changes one row."""

    def change(task: Path) -> None:
        with sqlite3.connect(task / WORLD) as connection:
            assert connection.execute(statement, values).rowcount == 1

    return change
