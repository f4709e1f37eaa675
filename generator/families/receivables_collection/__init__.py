"""Receivables collection: a remittance against open invoices and the credit policy."""

from generator.families.base import Family
from generator.families.receivables_collection import documents, draw, outcome, records, sources, task
from generator.families.receivables_collection.facts import Facts

FAMILY = Family(
    id="receivables_collection",
    number=3,
    title="Receivables collection",
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
