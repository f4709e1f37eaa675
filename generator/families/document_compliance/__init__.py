"""Worker documents that lapse, alerts owed, mandatory checks that are open."""

from generator.families.base import Family
from generator.families.document_compliance import documents, records, sources
from generator.families.document_compliance.draw import SLOTS, draw
from generator.families.document_compliance.facts import Facts
from generator.families.document_compliance.outcome import outcome
from generator.families.document_compliance.task import TASK

FAMILY = Family(
    id="document_compliance",
    number=6,
    title="Document compliance review",
    facts=Facts,
    records=records.records,
    documents=documents.documents,
    mail=documents.mail,
    chat=documents.chat,
    log=documents.log,
    sources=sources.sources,
    task=TASK,
    outcome=outcome,
    draw=draw,
    slots=SLOTS,
)
