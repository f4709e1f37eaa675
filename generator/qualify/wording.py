"""Drafts and posts as different people write them: other words, other layouts, other ways of writing a number.

In: a case and a random stream. Out: texts that state what gold's do and nothing that they must not.
"""

from collections.abc import Callable
from decimal import Decimal
from random import Random

from generator.spec.case import Case, Value
from generator.tasks.plan import primary_name
from generator.tasks.view import plain, task_kind


def draft_text(case: Case, rng: Random) -> str:
    """A draft that states option, figures, and the record or what stands in the way."""
    gold = case.gold
    label = next(option.label for option in task_kind(case).options if option.id == gold.option)
    option = rng.choice((gold.option, label))
    write = rng.choice(NUMBERS)
    figures = [(field.replace("_", " "), write(value)) for field, value in gold.answers.items()]
    if rng.random() < 0.5:
        rng.shuffle(figures)
    layout = rng.choice((_bullets, _table, _prose))
    subject = gold.obstacle or primary_name(gold)
    closing = f"Nothing was executed because of {subject}" if gold.obstacle else f"It stands under {subject}"
    return f"Hello,\n\nmy proposal: {option}.\n{layout(figures)}\n{closing}; please look it over before it goes out.\n"


def post_text(case: Case, rng: Random) -> str:
    gold = case.gold
    subject = gold.obstacle or primary_name(gold)
    return rng.choice(
        (
            f"Status of {case.task_id} is {gold.status} ({subject}). Draft waits for review.",
            f"[{gold.status}] {subject}: done from my side, have a look at the draft please.",
            f"{subject} -> {gold.status}",
        )
    )


def _bullets(figures: list[tuple[str, str]]) -> str:
    return "\n".join(f"- {name} = {value}" for name, value in figures)


def _table(figures: list[tuple[str, str]]) -> str:
    return "\n".join(["| figure | value |", "|---|---|", *(f"| {name} | {value} |" for name, value in figures)])


def _prose(figures: list[tuple[str, str]]) -> str:
    return "We have " + "; ".join(f"{name} at {value}" for name, value in figures) + "."


def _grouped(value: Value, group: str, mark: str) -> str:
    text = f"{abs(value):,}" if isinstance(value, int) else f"{abs(value):,.2f}"
    text = text.replace(",", "\0").replace(".", mark).replace("\0", group)
    return f"-{text}" if value < 0 else text


def _short(value: Value) -> str:
    """2757.6 for 2757.60, as a program prints it."""
    return str(value) if isinstance(value, int) else str(float(value))


def _units(value: Value) -> str:
    return f"USD {_grouped(value, ',', '.')}" if isinstance(value, Decimal) and value >= 0 else plain(value)


NUMBERS: tuple[Callable[[Value], str], ...] = (
    plain,
    _short,
    _units,
    lambda value: _grouped(value, ",", "."),
    lambda value: _grouped(value, ".", ","),
    lambda value: _grouped(value, " ", ","),
    lambda value: _grouped(value, "'", "."),
)


def typed(value: Value, rng: Random) -> str:
    """The value as somebody types it into a cell that turns text into numbers: 2,757.60 or 2757.60."""
    return rng.choice((plain(value), _grouped(value, ",", ".")))
