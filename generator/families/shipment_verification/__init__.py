"""Shipment verification: a staged shipment against the pick confirmation."""

from generator.families.base import Family
from generator.families.shipment_verification import documents, draw, outcome, records, sources, task
from generator.families.shipment_verification.facts import Facts

FAMILY = Family(
    id="shipment_verification",
    number=2,
    title="Shipment verification",
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
