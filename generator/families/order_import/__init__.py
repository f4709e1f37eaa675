"""Customer order import: a consolidated order against what was imported and what is sold."""

from generator.families.base import Family
from generator.families.order_import import documents, draw, outcome, records, sources, task
from generator.families.order_import.facts import Facts

FAMILY = Family(
    id="order_import",
    number=1,
    title="Customer order import",
    facts=Facts,
    records=records.records,
    documents=documents.documents,
    mail=documents.mail,
    chat=documents.chat,
    log=documents.log,
    sources=sources.sources,
    task=task.TASK,
    outcome=outcome.outcome,
    draw=draw.draw,
    slots=draw.SLOTS,
)
