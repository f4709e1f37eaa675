"""Inventory reorder: stock, reservations and open supply against the reorder policy."""

from generator.families.base import Family
from generator.families.inventory_reorder import documents, draw, outcome, records, sources, task
from generator.families.inventory_reorder.facts import Facts

FAMILY = Family(
    id="inventory_reorder",
    number=4,
    title="Inventory reorder",
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
