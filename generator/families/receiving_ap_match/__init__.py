"""Receiving and invoice match: order, delivery note and supplier invoice, line by line."""

from generator.families.base import Family
from generator.families.receiving_ap_match import documents, draw, outcome, records, sources, task
from generator.families.receiving_ap_match.facts import Facts

FAMILY = Family(
    id="receiving_ap_match",
    number=5,
    title="Receiving and invoice match",
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
