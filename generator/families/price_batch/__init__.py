"""An effective-dated price batch under the pricing policy."""

from generator.families.base import Family
from generator.families.price_batch import documents, draw, outcome, records, sources, task
from generator.families.price_batch.facts import Facts

FAMILY = Family(
    id="price_batch",
    number=10,
    title="Effective-dated price batch",
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
